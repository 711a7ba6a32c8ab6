// SPDX-License-Identifier: Apache-2.0
#include "model/remote/momenttext.h"

#include "model/engine/hex.h"

#include <QDateTime>
#include <QRandomGenerator>

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

QString freshId()
{
    quint32 words[4];
    QRandomGenerator::global()->fillRange(words);
    const quint64 high = quint64(words[0]) << 32 | (words[1] & 0xffff0fffu) | 0x4000u;
    const quint64 low = quint64((words[2] & 0x3fffffffu) | 0x80000000u) << 32 | words[3];
    const HexGroups groups = hexGroups(high, low);
    return QString::fromLatin1(groups.data(), qsizetype(groups.size()));
}

} // namespace instar
