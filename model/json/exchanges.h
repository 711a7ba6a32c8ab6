// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/json/saving.h"
#include "model/result.h"

namespace instar {

/// Returns JSON lines without empty members. A body that is not UTF-8 is {"base64": "..."}.
QByteArray exchangesNdjson(const QList<Exchange> &exchanges);
/// Reads the output of exchangesNdjson(); skips blank lines. Errors call the file `name`.
Result<QList<Exchange>> readExchanges(const QByteArray &ndjson, const QString &name);

/// True if a header can carry an API key: its name is valid, and has no meaning in HTTP.
bool isKeyHeader(const QString &name);
/// True if a text can be the name of a header: a token of RFC 9110, 5.6.2.
bool isHeaderName(const QString &name);
/// Returns the first value of a header (case-insensitive); empty if there is none.
QString headerValue(const QList<Exchange::Header> &headers, QStringView name);

/// True if the bytes are valid UTF-8, so that a round trip through QString keeps them.
bool isText(const QByteArray &bytes);
/// Returns a body for display: JSON in the layout of our files, with the original spelling of
/// numbers and strings; other text unchanged; or the size of binary data.
QString bodyForDisplay(const QByteArray &body);

/// Returns a POSIX shell command that repeats the request. Secrets are masked; a body that is not
/// text is read from the file "body".
QString curlCommand(const Exchange &exchange);

/// Log file of exchanges, one JSON object per line. Each exchange is written when it ends, so that
/// the log survives a crash of the program. Only the owner of the file may read it.
class ExchangeLog
{
public:
    explicit ExchangeLog(const QString &name) { check(m_file.begin(name, {})); }

    void add(const Exchange &exchange)
    {
        if (m_problem.isEmpty())
            check(m_file.append(exchangesNdjson({ exchange })));
    }
    /// Syncs the file to the disk and closes it.
    void finish()
    {
        if (m_problem.isEmpty())
            check(m_file.close());
    }
    QString name() const { return m_file.name(); }
    /// Returns the reason why the file is incomplete, one sentence; empty: it is complete.
    const QString &problem() const { return m_problem; }

private:
    void check(const Result<bool> &written);

    AppendingFile m_file;
    QString m_problem;
};

} // namespace instar
