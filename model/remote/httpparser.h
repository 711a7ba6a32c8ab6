// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/http.h"

#include <memory>
#include <optional>

namespace instar {

/// What is read before the peer is told that it is too much.
struct HttpLimits
{
    quint32 headerBytes = 64 * 1024; ///< first line and headers together
    int headers = 256;
    quint64 bodyBytes = 16 * 1024 * 1024;
};

/// Why bytes are not a message.
struct HttpProblem
{
    int status = 400; ///< what a server answers: 400, 413, 431, 501, 505
    QByteArray text;  ///< one sentence
    bool operator==(const HttpProblem &) const = default;
};

/// The usual words for a status, such as "Not Found".
QByteArrayView reasonPhrase(int status);

/// Reads requests or responses from the bytes of one connection, however they are cut. Strict where
/// leniency lets two readers see different messages: a length that is given twice, together with a
/// transfer coding or not as a plain number, a transfer coding other than chunked, white space
/// before a colon and lines that end without CR are problems. A missing Host is not.
template<typename Message>
class HttpParser
{
public:
    explicit HttpParser(HttpLimits limits = {});
    ~HttpParser();

    /// Takes bytes; messages that are complete can be taken then. Nothing is read after a problem.
    void feed(QByteArrayView bytes);
    /// The other side has closed: what was read until then is the body of a response without a
    /// length; any other message that is not complete is a problem.
    void end();
    /// The next message that is not 1xx. Several may have come at once: the questions below are
    /// answered when there is none left.
    std::optional<Message> take();
    const std::optional<HttpProblem> &problem() const { return m_problem; }

    /// A request's headers are there, its body is not, and the client waits for 100 Continue. True
    /// once a request.
    bool wantsContinue();
    /// The next response answers a request such as HEAD, and has no body.
    void expectNoBody() { m_noBody = true; }
    /// Nothing of a message is there yet.
    bool isIdle() const { return !m_reader && !m_ready && m_held.isEmpty(); }
    /// The message whose headers are complete and whose body is being read; null: there is none.
    const Message *begun() const;
    qsizetype heldBytes() const; ///< of what is not complete

private:
    class Reader;

    void advance();
    qsizetype advanced(QByteArrayView bytes);
    void settle();

    const HttpLimits m_limits;
    std::unique_ptr<Reader> m_reader; ///< of the message that is not complete
    std::optional<Message> m_ready;   ///< until it is taken, what comes behind it is only kept
    std::optional<HttpProblem> m_problem;
    QByteArray m_held;    ///< what came and is not parsed
    qsizetype m_used = 0; ///< so much of it is
    bool m_noBody = false;
    bool m_ended = false;
};

} // namespace instar
