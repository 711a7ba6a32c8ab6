// SPDX-License-Identifier: Apache-2.0
#include "model/remote/retryafter.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// ms since 1970 of "Sun, 06 Nov 1994 08:49:37 GMT".
std::optional<qint64> timeOf(const QByteArray &text)
{
    QDateTime date =
        QLocale::c().toDateTime(QString::fromLatin1(text), u"ddd, dd MMM yyyy hh:mm:ss 'GMT'"_s);
    if (!date.isValid())
        return {};
    date.setTimeSpec(Qt::UTC);
    return date.toMSecsSinceEpoch();
}

} // namespace

std::optional<qint64> retryAfter(const HttpHeaders &headers, const QStringList &names, qint64 now)
{
    constexpr double most = 1e9; // seconds
    for (const QString &name : names) {
        const QByteArray text = header(headers, name.toUtf8()).trimmed();
        bool isNumber = false;
        const double seconds = text.toDouble(&isNumber);
        if (isNumber && seconds >= 0)
            return qint64(std::ceil(1000 * std::min(seconds, most)));
        if (const auto date = timeOf(text)) {
            const qint64 from = timeOf(header(headers, "Date").trimmed()).value_or(now);
            return std::max<qint64>(*date - from, 0);
        }
    }
    return {};
}

} // namespace instar
