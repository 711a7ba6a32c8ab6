// SPDX-License-Identifier: Apache-2.0
#include "model/remote/http.h"

#include <algorithm>
#include <array>
#include <charconv>

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

bool isControl(char c)
{
    return (uchar(c) < 0x20 && c != '\t') || c == 0x7f;
}

/// Of a method or a header's name.
bool isToken(QByteArrayView text)
{
    return !text.isEmpty() && std::ranges::all_of(text, [](char c) {
        return c > 0x20 && c < 0x7f && !QByteArrayView("\"(),/:;<=>?@[\\]{}").contains(c);
    });
}

/// Appends what may not end the line it is in.
void appendText(QByteArray &bytes, QByteArrayView text)
{
    const qsizetype begin = bytes.size();
    bytes.append(text);
    if (std::ranges::any_of(text, isControl))
        std::replace_if(bytes.begin() + begin, bytes.end(), isControl, ' ');
}

/// Appends a target as one word of visible characters.
void appendTarget(QByteArray &bytes, QByteArrayView target)
{
    if (target.isEmpty())
        bytes.append('/');
    for (const char c : target) {
        if (isControl(c) || c == ' ' || c == '\t')
            bytes.append('%').append(QByteArray(1, c).toHex().toUpper());
        else
            bytes.append(c);
    }
}

void appendNumber(QByteArray &bytes, qint64 number)
{
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number);
    bytes.append(digits, end.ptr - digits);
}

bool isOurs(QByteArrayView name)
{
    const auto is = [&](QByteArrayView own) { return name.compare(own, Qt::CaseInsensitive) == 0; };
    switch (name.size()) {
    case 10:
        return is("Connection");
    case 14:
        return is("Content-Length");
    case 17:
        return is("Transfer-Encoding");
    default:
        return false;
    }
}

qsizetype roomFor(const HttpHeaders &headers)
{
    qsizetype room = 128; // the first line and the headers that are ours
    for (const HttpHeader &header : headers)
        room += header.name.size() + header.value.size() + 4;
    return room;
}

void appendHeaders(QByteArray &bytes, const HttpHeaders &headers)
{
    for (const HttpHeader &header : headers) {
        if (!isToken(header.name) || isOurs(header.name))
            continue;
        bytes.append(header.name).append(": ");
        appendText(bytes, header.value);
        bytes.append("\r\n");
    }
}

/// Appends the headers that are ours, the end of all headers and the body.
void appendRest(QByteArray &bytes, bool hasLength, bool keepAlive, int minor,
    const QByteArray &body, bool withBody)
{
    if (hasLength) {
        bytes.append("Content-Length: ");
        appendNumber(bytes, body.size());
        bytes.append("\r\n");
    }
    if (!keepAlive)
        bytes.append("Connection: close\r\n");
    else if (minor == 0)
        bytes.append("Connection: keep-alive\r\n");
    bytes.append("\r\n");
    if (withBody)
        bytes.append(body);
}

} // namespace

QByteArray header(const HttpHeaders &headers, QByteArrayView name)
{
    for (const HttpHeader &header : headers) {
        if (header.name.compare(name, Qt::CaseInsensitive) == 0)
            return header.value;
    }
    return {};
}

bool hasHeader(const HttpHeaders &headers, QByteArrayView name)
{
    return std::ranges::any_of(headers, [&](const HttpHeader &header) {
        return header.name.compare(name, Qt::CaseInsensitive) == 0;
    });
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
    QByteArray bytes;
    bytes.reserve(roomFor(request.headers) + request.target.size() + request.body.size());
    bytes.append(isToken(request.method) ? request.method : QByteArray("GET")).append(' ');
    appendTarget(bytes, request.target);
    bytes.append(request.minor == 0 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    appendHeaders(bytes, request.headers);
    const bool hasLength = !request.body.isEmpty() || request.method == "PUT"
        || request.method == "POST" || request.method == "PATCH";
    appendRest(bytes, hasLength, request.keepAlive, request.minor, request.body, true);
    return bytes;
}

QByteArray toBytes(const HttpResponse &response, BodyOf body, int minor)
{
    const bool never = response.status < 200 || response.status == 204 || response.status == 304;
    const bool withBody = body == BodyOf::Get && !never;
    QByteArray bytes;
    bytes.reserve(
        roomFor(response.headers) + response.reason.size() + (withBody ? response.body.size() : 0));
    bytes.append("HTTP/1.1 ");
    appendNumber(bytes, response.status);
    bytes.append(' ');
    appendText(bytes,
        response.reason.isEmpty() ? reasonPhrase(response.status)
                                  : QByteArrayView(response.reason));
    bytes.append("\r\n");
    appendHeaders(bytes, response.headers);
    appendRest(bytes, !never, response.keepAlive, minor, response.body, withBody);
    return bytes;
}

} // namespace instar
