// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/remote/http.h"

#include <QUrl>

namespace instar {

// What exchanges show of what was sent, without what must not be seen.

/// Without passwords; what tokens in the query are is hidden.
QString maskedUrl(const QUrl &url);

/// The values of headers that carry secrets are hidden, but for the first word of Authorization;
/// `secret` is the name of one that does, whatever it looks like.
QList<Exchange::Header> maskedHeaders(
    const HttpHeaders &headers, const QByteArray &secret = QByteArray());

/// What stands for a secret.
inline constexpr QByteArrayView SecretMask = "***";
/// Of our own key in a query: it asks for nothing, while another hidden word may name a page.
inline constexpr QByteArrayView OwnKeyMask = "****";

/// Hides these secrets wherever they stand, also percent-encoded. One of less than eight bytes is
/// left: a word of that length may stand there for something else.
QByteArray withoutSecrets(QByteArray text, const QByteArrayList &secrets);
QString withoutSecrets(const QString &text, const QByteArrayList &secrets);

/// The texts of JSON members, and the items of a form, whose names say that they are secrets are
/// hidden; all else stays as it is, to the byte, also where the body is neither.
QByteArray maskedBody(const QByteArray &body);

} // namespace instar
