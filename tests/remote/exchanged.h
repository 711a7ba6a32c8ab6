// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"

namespace instar {

/// One exchange that began so many ms after the first, and took one; its number tells when.
inline Exchange exchanged(
    int at, const QString &method, const QString &url, int status, const QByteArray &answer = {})
{
    static const QDateTime start(QDate(2026, 11, 23), QTime(8, 0), Qt::UTC);
    Exchange exchange;
    exchange.number = quint64(at + 1);
    exchange.sent = start.addMSecs(at);
    exchange.duration = 1;
    exchange.method = method;
    exchange.url = url;
    exchange.status = status;
    exchange.responseBody = answer;
    return exchange;
}

} // namespace instar
