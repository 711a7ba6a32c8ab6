// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/http/http.h"

#include <QUrl>

namespace instar {

// Exchanges as they may be shown: with masked secrets.

/// The URL without user and password; secrets in its query are masked.
QString maskedUrl(const QUrl &url);

/// Masks the values of headers that carry secrets, except for the first word of Authorization.
/// `secret` names a header that is always masked.
QList<Exchange::Header> maskedHeaders(
    const HttpHeaders &headers, const QByteArray &secret = QByteArray());

inline constexpr QByteArrayView SecretMask = "***";

/// Masks secrets wherever they occur in a text, also percent-encoded. Secrets below eight bytes
/// are kept: such a short word may mean something else.
QByteArray withoutSecrets(QByteArray text, const QByteArrayList &secrets);
QString withoutSecrets(const QString &text, const QByteArrayList &secrets);

/// Masks the values of JSON members and form items whose names denote secrets. Everything else
/// stays byte for byte, also in other formats.
QByteArray maskedBody(const QByteArray &body);

/// Stores a response, masked by maskedHeaders(). `delayHeaders` name headers with a retry delay.
void setResponse(Exchange &exchange, const HttpResponse &response, const QStringList &delayHeaders,
    const QByteArray &secret = QByteArray());

} // namespace instar
