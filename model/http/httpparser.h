// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/http/http.h"

#include <memory>
#include <optional>

namespace instar {

/// Size limits beyond which a message is refused.
struct HttpLimits
{
    quint32 headerBytes = 64 * 1024; ///< first line and headers together
    int headers = 256;
    quint64 bodyBytes = 16 * 1024 * 1024;
};

/// Reason why bytes are not a valid message.
struct HttpProblem
{
    int status = 400; ///< that a server answers: 400, 413, 431, 501, 505
    QByteArray text;  ///< one sentence
    bool operator==(const HttpProblem &) const = default;
};

/// Standard phrase for a status, such as "Not Found".
QByteArrayView reasonPhrase(int status);

/// Incremental parser for the requests or responses of one connection. To prevent request
/// smuggling, rejects: a Content-Length that is repeated, not a plain number or beside a
/// Transfer-Encoding; a transfer coding other than chunked; white space before a colon; lines that
/// end without CR. Accepts a missing Host.
template<typename Message>
class HttpParser
{
public:
    explicit HttpParser(HttpLimits limits = {});
    ~HttpParser();

    /// Adds received bytes, whose complete messages take() returns. Ignores bytes after a problem.
    void feed(QByteArrayView bytes);
    /// Notes that the peer has closed the connection, which completes a response without a length;
    /// any other incomplete message is a problem.
    void end();
    /// Returns the next complete message other than 1xx. Several may have come at once: take all of
    /// them before calling the queries below.
    std::optional<Message> take();
    const std::optional<HttpProblem> &problem() const { return m_problem; }

    /// Returns true, once per request, if the headers are complete, no body has come, and the
    /// client waits for 100 Continue.
    bool wantsContinue();
    /// Announces that the next response has no body, as after HEAD.
    void expectNoBody() { m_noBody = true; }
    /// Returns true if no part of a further message has come.
    bool isIdle() const { return !m_reader && !m_ready && m_held.isEmpty(); }
    /// Returns the message whose headers are complete and whose body is being read; null: none.
    const Message *begun() const;
    qsizetype heldBytes() const; ///< of incomplete messages

private:
    class Reader;

    void advance();
    void settle();

    const HttpLimits m_limits;
    std::unique_ptr<Reader> m_reader; ///< of the incomplete message
    std::optional<Message> m_ready;   ///< complete; later bytes wait until the message is taken
    std::optional<HttpProblem> m_problem;
    QByteArray m_held;     ///< received and not parsed
    bool m_noBody = false; ///< the next response has no body
    bool m_ended = false;  ///< the peer has closed the connection
};

} // namespace instar
