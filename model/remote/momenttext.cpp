// SPDX-License-Identifier: Apache-2.0
#include "model/remote/momenttext.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

std::optional<qint64> momentIn(const QString &text, const QString &format)
{
    QDateTime moment = QDateTime::fromString(text, format);
    if (!moment.isValid())
        return {};
    moment.setTimeSpec(Qt::UTC);
    return moment.toMSecsSinceEpoch();
}

} // namespace

QString momentText(qint64 moment, const QStringList &formats)
{
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(moment, Qt::UTC);
    QString text;
    for (const QString &format : formats) {
        text = when.toString(format);
        if (momentIn(text, format) == moment)
            break;
    }
    return text;
}

std::optional<qint64> momentOf(const QString &text, const QStringList &formats, qint64 now)
{
    if (text == u"now" && !formats.isEmpty())
        return momentIn(momentText(now, { formats.first() }), formats.first());
    for (const QString &format : formats) {
        if (const auto moment = momentIn(text, format))
            return moment;
    }
    return {};
}

} // namespace instar
