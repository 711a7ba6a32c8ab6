// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/json/saving.h"
#include "model/result.h"

namespace instar {

/// Exchanges as JSON, one a line. What is empty is left out; a body that is not UTF-8 stands as
/// {"base64": "..."}.
QByteArray exchangesNdjson(const QList<Exchange> &exchanges);
/// What exchangesNdjson() wrote; blank lines are skipped. `name` is what messages call the file.
Result<QList<Exchange>> readExchanges(const QByteArray &ndjson, const QString &name);

/// Whether a header of that name can carry a key: a token of RFC 9110, and none that says something
/// else of a request.
bool isKeyHeader(const QString &name);
/// The first value of a header, whatever its case; empty: there is none.
QString headerValue(const QList<Exchange::Header> &headers, QStringView name);

/// Whether it is UTF-8 throughout, so that it is the same after a way through QString.
bool isText(const QByteArray &bytes);
/// A body as a person reads it: JSON indented, with numbers and strings as they are spelled; other
/// text as it is; of the rest the size.
QString prettyJson(const QByteArray &body);

/// POSIX shell command that sends the request again. Secrets are masked; a body that is not text is
/// read from the file "body".
QString curlCommand(const Exchange &exchange);

/// File that exchanges are written to as they end, one JSON object a line: what has happened is
/// there however the program ends. Only its owner may read it.
class HistoryFile
{
public:
    explicit HistoryFile(const QString &name);

    void add(const Exchange &exchange);
    /// Nothing more comes: syncs it to the disk.
    void finish();
    QString name() const { return m_file.name(); }
    /// Why it is not all there: one sentence; empty: it is.
    const QString &problem() const { return m_problem; }

private:
    void check(const Result<bool> &written);

    AppendingFile m_file;
    QString m_problem;
};

} // namespace instar
