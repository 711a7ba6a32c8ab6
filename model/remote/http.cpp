// SPDX-License-Identifier: Apache-2.0
#include "model/remote/http.h"

#include "model/remote/httpcharacters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace instar {
namespace {

struct Phrase
{
    int status;
    QByteArrayView text;
};

constexpr std::array phrases = std::to_array<Phrase>({
    { 100, "Continue" },
    { 101, "Switching Protocols" },
    { 200, "OK" },
    { 201, "Created" },
    { 202, "Accepted" },
    { 203, "Non-Authoritative Information" },
    { 204, "No Content" },
    { 205, "Reset Content" },
    { 206, "Partial Content" },
    { 207, "Multi-Status" },
    { 300, "Multiple Choices" },
    { 301, "Moved Permanently" },
    { 302, "Found" },
    { 303, "See Other" },
    { 304, "Not Modified" },
    { 307, "Temporary Redirect" },
    { 308, "Permanent Redirect" },
    { 400, "Bad Request" },
    { 401, "Unauthorized" },
    { 402, "Payment Required" },
    { 403, "Forbidden" },
    { 404, "Not Found" },
    { 405, "Method Not Allowed" },
    { 406, "Not Acceptable" },
    { 407, "Proxy Authentication Required" },
    { 408, "Request Timeout" },
    { 409, "Conflict" },
    { 410, "Gone" },
    { 411, "Length Required" },
    { 412, "Precondition Failed" },
    { 413, "Content Too Large" },
    { 414, "URI Too Long" },
    { 415, "Unsupported Media Type" },
    { 416, "Range Not Satisfiable" },
    { 417, "Expectation Failed" },
    { 421, "Misdirected Request" },
    { 422, "Unprocessable Content" },
    { 423, "Locked" },
    { 424, "Failed Dependency" },
    { 425, "Too Early" },
    { 426, "Upgrade Required" },
    { 428, "Precondition Required" },
    { 429, "Too Many Requests" },
    { 431, "Request Header Fields Too Large" },
    { 451, "Unavailable For Legal Reasons" },
    { 500, "Internal Server Error" },
    { 501, "Not Implemented" },
    { 502, "Bad Gateway" },
    { 503, "Service Unavailable" },
    { 504, "Gateway Timeout" },
    { 505, "HTTP Version Not Supported" },
    { 507, "Insufficient Storage" },
    { 511, "Network Authentication Required" },
});

/// Of the headers, of the first line without its words, and of the headers that frame the message.
qsizetype roomFor(const HttpHeaders &headers)
{
    return 160 + headers.lines().size();
}

/// A message as it is put together, in room that was made for all of it.
class Bytes
{
public:
    explicit Bytes(qsizetype room) : m_bytes(room, Qt::Uninitialized), m_at(m_bytes.data()) { }

    void add(QByteArrayView bytes) { m_at = std::copy(bytes.begin(), bytes.end(), m_at); }

    void add(qint64 number) { m_at = std::to_chars(m_at, m_at + 24, number).ptr; }

    /// What may not end the line it is in.
    void addText(QByteArrayView text)
    {
        char *begin = m_at;
        add(text);
        blankControls(begin, text.size());
    }

    /// A target as one word of visible characters; may need three times its size.
    void addTarget(QByteArrayView target)
    {
        if (target.isEmpty())
            add("/");
        for (const char c : target) {
            if (isControl(c) || c == ' ' || c == '\t')
                add('%' + QByteArray(1, c).toHex().toUpper());
            else
                *m_at++ = c;
        }
    }

    void addHeaders(const HttpHeaders &headers)
    {
        if (!headers.hasFraming())
            return add(headers.lines());
        for (const HttpHeader &header : headers) {
            if (HttpHeaders::isFraming(header.name))
                continue;
            add(header.name);
            add(": ");
            add(header.value);
            add("\r\n");
        }
    }

    /// The headers that frame the message, and the end of all.
    void addFraming(std::optional<qint64> length, bool keepAlive, int minor)
    {
        if (length) {
            add("Content-Length: ");
            add(*length);
            add("\r\n");
        }
        if (!keepAlive)
            add("Connection: close\r\n");
        else if (minor == 0)
            add("Connection: keep-alive\r\n");
        add("\r\n");
    }

    QByteArray taken() &&
    {
        m_bytes.truncate(m_at - m_bytes.constData());
        return std::move(m_bytes);
    }

private:
    QByteArray m_bytes;
    char *m_at;
};

} // namespace

bool isSafe(const QByteArray &method)
{
    return method == "GET" || method == "HEAD";
}

QByteArrayView reasonPhrase(int status)
{
    const auto phrase = std::ranges::lower_bound(phrases, status, {}, &Phrase::status);
    if (phrase != phrases.end() && phrase->status == status)
        return phrase->text;
    return "Unknown";
}

QByteArray toBytes(const HttpRequest &request)
{
    Bytes bytes(roomFor(request.headers) + request.method.size() + 3 * request.target.size()
        + request.body.size());
    bytes.add(isToken(request.method) ? QByteArrayView(request.method) : QByteArrayView("GET"));
    bytes.add(" ");
    bytes.addTarget(request.target);
    bytes.add(request.minor == 0 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    bytes.addHeaders(request.headers);
    const bool hasLength = !request.body.isEmpty() || request.method == "PUT"
        || request.method == "POST" || request.method == "PATCH";
    bytes.addFraming(hasLength ? std::optional<qint64>(request.body.size()) : std::nullopt,
        request.keepAlive, request.minor);
    bytes.add(request.body);
    return std::move(bytes).taken();
}

QByteArray toBytes(const HttpResponse &response, BodyOf body, int minor)
{
    const bool never = response.status < 200 || response.status == 204 || response.status == 304;
    const bool withBody = body == BodyOf::Get && !never;
    Bytes bytes(
        roomFor(response.headers) + response.reason.size() + (withBody ? response.body.size() : 0));
    bytes.add("HTTP/1.1 ");
    bytes.add(response.status);
    bytes.add(" ");
    bytes.addText(response.reason.isEmpty() ? reasonPhrase(response.status)
                                            : QByteArrayView(response.reason));
    bytes.add("\r\n");
    bytes.addHeaders(response.headers);
    bytes.addFraming(never ? std::nullopt : std::optional<qint64>(response.body.size()),
        response.keepAlive, minor);
    if (withBody)
        bytes.add(response.body);
    return std::move(bytes).taken();
}

} // namespace instar
