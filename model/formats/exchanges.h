// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/result.h"

namespace instar {

/// Exchanges as JSON, one a line. What is empty is left out; a body that is not UTF-8 stands as
/// {"base64": "..."}.
QByteArray exchangesNdjson(const QList<Exchange> &exchanges);
/// What exchangesNdjson() wrote; blank lines are skipped. `name` is what messages call the file.
Result<QList<Exchange>> readExchanges(const QByteArray &ndjson, const QString &name);

/// An HTTP archive, version 1.2; what it has no place for is in fields that begin with "_".
/// `creatorVersion` empty: the application's own.
QByteArray exchangesHar(const QList<Exchange> &exchanges, const QString &creatorVersion = {});

/// A command for a POSIX shell that sends the same request again, every byte of it; only NUL cannot
/// be said in a header. Secrets are masked already, as everywhere.
QString curlCommand(const Exchange &exchange);

/// A body as a person reads it: JSON indented, with numbers and strings as they are spelled; other
/// text as it is; the rest as a hex dump of its first 16 KiB.
QString prettyJson(const QByteArray &body);
/// Whether it is UTF-8 throughout, so that it is the same after a way through QString.
bool isText(const QByteArray &bytes);

/// The first value of a header, whatever its case; empty: there is none.
QString headerValue(const QList<Exchange::Header> &headers, QStringView name);

} // namespace instar
