// SPDX-License-Identifier: Apache-2.0
#include "model/http/httpparser.h"

#include <QList>

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/status.hpp>

#include <algorithm>
#include <cctype>
#include <utility>

namespace instar {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using boost::beast::iequals;
using boost::beast::string_view;

/// Limit in bytes of a chunk's header (its size and extensions), and of the trailer.
constexpr qsizetype MostChunkHead = 8 * 1024;
/// Limit of the bytes that are reserved at once for a body of declared length.
constexpr quint64 MostReserved = 64 * 1024;
/// Length of "0\r\n\r\n", the shortest end of a chunked body. Beast needs all of these bytes.
constexpr qsizetype LeastChunkEnd = 5;

QByteArray copied(string_view text)
{
    return QByteArray(text.data(), qsizetype(text.size()));
}

/// Returns true if the version "HTTP/x.y" (digits at 5 and 7) in a first line is not 1.0 or 1.1.
bool namesUnsupportedVersion(QByteArrayView line)
{
    const qsizetype target = line.indexOf(' ') + 1;
    const qsizetype version = line.startsWith("HTTP/") ? 0 : line.indexOf(' ', target) + 1;
    const auto digit = [&](qsizetype i) {
        return line[version + i] >= '0' && line[version + i] <= '9';
    };
    if (line.size() < version + 8 || !line.sliced(version).startsWith("HTTP/"))
        return false;
    const bool isNumber = digit(5) && line[version + 6] == '.' && digit(7);
    const bool isSupported = line[version + 5] == '1' && line[version + 7] <= '1';
    return isNumber && !isSupported;
}

/// Returns the problem for an error of the library; `bytes` begin where the error occurred.
HttpProblem problemOf(error_code error, QByteArrayView bytes)
{
    switch (http::error(error.value())) {
    case http::error::header_limit:
        return { 431, "The headers are too large." };
    case http::error::body_limit:
        return { 413, "The body is too large." };
    case http::error::bad_version:
        if (namesUnsupportedVersion(bytes))
            return { 505, "Only HTTP/1.0 and HTTP/1.1 are supported." };
        return { 400, "The first line does not name a version of HTTP." };
    case http::error::bad_field:
    case http::error::bad_value:
    case http::error::bad_line_ending:
    case http::error::bad_obs_fold:
        return { 400, "A header is malformed." };
    case http::error::bad_content_length:
        return { 400, "Content-Length is not a single number, or contradicts Transfer-Encoding." };
    case http::error::bad_transfer_encoding:
        return { 400, "Transfer-Encoding is given twice, or together with Content-Length." };
    case http::error::bad_chunk:
    case http::error::bad_chunk_extension:
        return { 400, "A chunk's size is malformed." };
    case http::error::partial_message:
        return { 400, "The connection was closed in the middle of a message." };
    default:
        return { 400, "The first line is malformed." };
    }
}

} // namespace

QByteArrayView reasonPhrase(int status)
{
    const string_view usual = http::obsolete_reason(http::status(status));
    if (status == 413) // the library has the older phrase of RFC 7231
        return "Content Too Large";
    if (status == 422)
        return "Unprocessable Content";
    if (status == 425)
        return "Too Early";
    if (usual.starts_with('<'))
        return "Unknown";
    return { usual.data(), qsizetype(usual.size()) };
}

/// Reader of one message, built on Beast's parser.
template<typename Message>
class HttpParser<Message>::Reader final
    : public http::basic_parser<std::is_same_v<Message, HttpRequest>>
{
    static constexpr bool IsRequest = std::is_same_v<Message, HttpRequest>;

public:
    Reader(const HttpLimits &limits, bool hasBody) : m_limits(limits)
    {
        this->header_limit(limits.headerBytes);
        this->body_limit(limits.bodyBytes);
        if (!hasBody)
            this->skip(true);
    }

    /// Reads up to the end of the message, or to a problem; returns the number of bytes used.
    qsizetype read(QByteArrayView bytes)
    {
        qsizetype used = 0;
        while (used < bytes.size() && !this->is_done() && !problem) {
            const QByteArrayView rest = bytes.sliced(used);
            if (rest.size() < LeastChunkEnd && mayBeChunkEnd(rest[0]))
                break;
            const bool inHead = !this->is_header_done();
            error_code error;
            const auto taken = qsizetype(
                this->put(boost::asio::const_buffer(rest.data(), size_t(rest.size())), error));
            used += taken;
            if (inHead)
                m_headBytes += taken;
            const bool needsMore = error == http::error::need_more;
            if (error && !needsMore && !problem)
                problem = problemOf(error, rest);
            // The library checks its limits only for parts that arrive in one piece.
            const qsizetype waiting = needsMore ? rest.size() - taken : 0;
            if (!problem && inHead && m_headBytes + waiting > qsizetype(m_limits.headerBytes))
                problem = HttpProblem { 431, "The headers are too large." };
            if (!problem && !inHead && waiting > MostChunkHead)
                problem = HttpProblem { 431, "A chunk's header or the trailer is too large." };
            if (needsMore)
                break;
        }
        return used;
    }

    void finish()
    {
        error_code error;
        this->put_eof(error);
        if (error)
            problem = problemOf(error, {});
    }

    /// Returns true for a 1xx response.
    bool isInterim() const
    {
        if constexpr (!IsRequest)
            return message.status < 200;
        return false;
    }

    Message take()
    {
        message.keepAlive = this->keep_alive();
        return std::move(message);
    }

    Message message;
    std::optional<HttpProblem> problem;
    bool wantsContinue = false;

private:
    bool mayBeChunkEnd(char first) const
    {
        return this->is_header_done() && this->chunked() && m_chunkLeft == 0
            && (first == '\r' || std::isxdigit(uchar(first)));
    }

    void fail(error_code &error, HttpProblem because)
    {
        problem = std::move(because);
        error = http::error::bad_value;
    }

    void on_request_impl(
        http::verb, string_view method, string_view target, int version, error_code &) override
    {
        if constexpr (IsRequest) {
            message.method = copied(method);
            message.target = copied(target);
            message.minor = version - 10;
        }
    }

    void on_response_impl(int status, string_view reason, int, error_code &) override
    {
        if constexpr (!IsRequest) {
            message.status = status;
            message.reason = copied(reason);
        }
    }

    void on_field_impl(
        http::field field, string_view name, string_view value, error_code &error) override
    {
        if (this->is_header_done())
            return; // a field of the trailer, which must not be mistaken for a header
        if (message.headers.size() >= m_limits.headers)
            return fail(error, { 431, "There are too many headers." });
        if (field == http::field::transfer_encoding) {
            m_coding += (std::exchange(m_hasCoding, true) ? "," : "") + copied(value);
        } else if (field == http::field::host && std::exchange(m_hasHost, true)) {
            return fail(error, { 400, "Host is given twice." });
        } else if (field == http::field::expect && iequals(value, "100-continue")) {
            wantsContinue = true;
        }
        message.headers.append(QByteArrayView(name.data(), qsizetype(name.size())),
            QByteArrayView(value.data(), qsizetype(value.size())));
    }

    void on_header_impl(error_code &error) override
    {
        wantsContinue = wantsContinue && isVersion11() && !this->is_done();
        if (!m_hasCoding)
            return;
        // The library accepts unknown codings and then reads no body, so this rejects them.
        if (!isVersion11())
            return fail(error, { 400, "HTTP/1.0 has no Transfer-Encoding." });
        if (this->content_length())
            return fail(
                error, { 400, "Content-Length and Transfer-Encoding contradict each other." });
        const QList<QByteArray> codings = m_coding.toLower().split(',');
        const auto chunked = std::find_if(codings.begin(), codings.end(),
            [](const QByteArray &coding) { return coding.trimmed() == "chunked"; });
        if (chunked == codings.end()
            || (chunked != codings.begin() && chunked + 1 == codings.end()))
            return fail(error, { 501, "The only supported transfer coding is chunked." });
        if (codings.size() > 1 || !this->chunked())
            fail(error,
                { 400, "Another transfer coding follows chunked, which must be the last one." });
    }

    bool isVersion11() const
    {
        if constexpr (IsRequest)
            return message.minor == 1;
        return true;
    }

    void on_body_init_impl(const boost::optional<std::uint64_t> &length, error_code &) override
    {
        if (length)
            message.body.reserve(qsizetype(std::min<quint64>(*length, MostReserved)));
    }

    std::size_t on_body_impl(string_view bytes, error_code &) override
    {
        message.body.append(bytes.data(), qsizetype(bytes.size()));
        return bytes.size();
    }

    void on_chunk_header_impl(std::uint64_t size, string_view, error_code &) override
    {
        m_chunkLeft = size;
    }

    std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, error_code &error) override
    {
        m_chunkLeft -= bytes.size();
        return on_body_impl(bytes, error);
    }

    void on_finish_impl(error_code &) override { }

    const HttpLimits &m_limits;
    qsizetype m_headBytes = 0;
    std::uint64_t m_chunkLeft = 0; ///< bytes of the current chunk that have not come
    QByteArray m_coding;           ///< values of Transfer-Encoding, separated by commas
    bool m_hasCoding = false;
    bool m_hasHost = false;
};

template<typename Message>
HttpParser<Message>::HttpParser(HttpLimits limits) : m_limits(limits)
{ }

template<typename Message>
HttpParser<Message>::~HttpParser() = default;

template<typename Message>
void HttpParser<Message>::feed(QByteArrayView bytes)
{
    if (m_problem)
        return;
    m_held.append(bytes);
    advance();
}

template<typename Message>
void HttpParser<Message>::end()
{
    m_ended = true;
    advance();
}

template<typename Message>
std::optional<Message> HttpParser<Message>::take()
{
    advance();
    return std::exchange(m_ready, std::nullopt);
}

template<typename Message>
bool HttpParser<Message>::wantsContinue()
{
    return begun() && m_reader->message.body.isEmpty() && m_held.isEmpty()
        && std::exchange(m_reader->wantsContinue, false);
}

template<typename Message>
const Message *HttpParser<Message>::begun() const
{
    return m_reader && m_reader->is_header_done() && !m_problem ? &m_reader->message : nullptr;
}

template<typename Message>
qsizetype HttpParser<Message>::heldBytes() const
{
    return m_held.size() + (m_reader ? m_reader->message.body.size() : 0);
}

template<typename Message>
void HttpParser<Message>::advance()
{
    qsizetype used = 0;
    while (!m_ready && !m_problem && used < m_held.size()) {
        if (!m_reader && std::is_same_v<Message, HttpRequest>
            && (m_held[used] == '\r' || m_held[used] == '\n')) {
            ++used; // skips empty lines before the request line (RFC 9112, section 2.2)
            continue;
        }
        if (!m_reader)
            m_reader = std::make_unique<Reader>(m_limits, !m_noBody);
        used += m_reader->read(QByteArrayView(m_held).sliced(used));
        settle();
        if (m_reader)
            break;
    }
    if (m_problem || used == m_held.size())
        m_held = {}; // frees the memory
    else
        m_held.remove(0, used);
    if (!m_ended || m_ready || !m_reader)
        return;
    m_reader->finish();
    settle();
}

/// Moves the reader's message or problem, if there is one, into m_ready or m_problem.
template<typename Message>
void HttpParser<Message>::settle()
{
    if (m_reader->problem)
        m_problem = std::move(m_reader->problem);
    else if (!m_reader->is_done())
        return;
    else if (!m_reader->isInterim()) {
        m_noBody = m_noBody && !m_reader->skip();
        m_ready = m_reader->take();
    }
    m_reader.reset();
}

template class HttpParser<HttpRequest>;
template class HttpParser<HttpResponse>;

} // namespace instar
