// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/httpparser.h"

#include <type_traits>
#include <utility>

namespace instar {

/// Reads the messages of one direction of a connection with a reader for each. What is beyond the
/// first complete message is kept as it came until that one is taken, so that a burst of small
/// messages takes no more memory than its bytes.
template<typename Reader>
class HttpStream
{
public:
    using Message = typename Reader::Message;

    explicit HttpStream(const HttpLimits &limits) : m_limits(limits) { }

    void feed(QByteArrayView bytes)
    {
        if (problem)
            return;
        const bool isUsual = !m_ready && m_held.isEmpty();
        if (isUsual)
            bytes = bytes.sliced(advanced(bytes)); // nothing is copied twice
        if (problem)
            return;
        m_held.append(bytes);
        if (!isUsual)
            advance();
    }

    void end()
    {
        m_ended = true;
        advance();
    }

    std::optional<Message> take()
    {
        advance();
        return std::exchange(m_ready, std::nullopt);
    }

    bool wantsContinue()
    {
        return begun() && m_reader->message.body.isEmpty() && m_held.isEmpty()
            && std::exchange(m_reader->wantsContinue, false);
    }

    void expectNoBody() { m_noBody = true; }
    bool isIdle() const { return !m_reader && !m_ready && m_held.isEmpty(); }

    const Message *begun() const
    {
        return m_reader && m_reader->is_header_done() && !problem ? &m_reader->message : nullptr;
    }
    qsizetype heldBytes() const
    {
        return m_held.size() - m_used + (m_reader ? m_reader->message.body.size() : 0);
    }

    std::optional<HttpProblem> problem;

private:
    /// Goes on until a message is there.
    void advance()
    {
        m_used += advanced(QByteArrayView(m_held).sliced(m_used));
        if (m_used == m_held.size() || problem) {
            m_held = {}; // gives the memory back
            m_used = 0;
        } else if (m_used > m_held.size() / 2) {
            m_held.remove(0, m_used);
            m_used = 0;
        }
        if (!m_ended || m_ready || !m_reader)
            return;
        m_reader->finish();
        settle();
    }

    /// The number of bytes that were used.
    qsizetype advanced(QByteArrayView bytes)
    {
        qsizetype used = 0;
        while (!m_ready && !problem && used < bytes.size()) {
            if (!m_reader && IsRequest && (bytes[used] == '\r' || bytes[used] == '\n')) {
                ++used; // empty lines before a request line are to be ignored
                continue;
            }
            if (!m_reader)
                m_reader.emplace(m_limits, !m_noBody);
            const qsizetype taken = m_reader->read(bytes.sliced(used));
            used += taken;
            settle();
            if (m_reader)
                break;
        }
        return used;
    }

    /// Takes what the reader has come to.
    void settle()
    {
        if (m_reader->problem) {
            problem = std::move(m_reader->problem);
            m_reader.reset();
        } else if (m_reader->is_done()) {
            finish(m_reader->take());
            m_reader.reset();
        }
    }

    void finish(Message message)
    {
        if constexpr (!IsRequest) {
            if (message.status < 200)
                return;
            m_noBody = m_noBody && !m_reader->skip();
        }
        m_ready = std::move(message);
    }

    static constexpr bool IsRequest = std::is_same_v<Message, HttpRequest>;

    const HttpLimits m_limits;
    std::optional<Reader> m_reader;
    std::optional<Message> m_ready;
    QByteArray m_held;    ///< what came and is not parsed
    qsizetype m_used = 0; ///< so much of it is
    bool m_noBody = false;
    bool m_ended = false;
};

} // namespace instar
