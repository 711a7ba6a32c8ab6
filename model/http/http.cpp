// SPDX-License-Identifier: Apache-2.0
#include "model/http/http.h"

#include "model/http/httpparser.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Returns true for a token, such as a method or a header's name (RFC 9110, 5.6.2).
bool isToken(QByteArrayView text)
{
    constexpr std::string_view separators = "\"(),/:;<=>?@[\\]{}";
    return !text.isEmpty() && std::ranges::all_of(text, [&](char c) {
        return c > 0x20 && c < 0x7f && separators.find(c) == separators.npos;
    });
}

bool isControl(char c)
{
    return (uchar(c) < 0x20 && c != '\t') || c == 0x7f;
}

/// Returns a target with blanks and control characters percent-encoded.
QByteArray encodedTarget(const QByteArray &target)
{
    QByteArray encoded;
    encoded.reserve(target.size());
    for (const char c : target) {
        if (isControl(c) || c == ' ' || c == '\t')
            encoded += '%' + QByteArray(1, c).toHex().toUpper();
        else
            encoded += c;
    }
    return encoded.isEmpty() ? QByteArray("/") : encoded;
}

bool isFraming(QByteArrayView name)
{
    return std::ranges::any_of(std::array { "Connection", "Content-Length", "Transfer-Encoding" },
        [&](QByteArrayView own) { return name.compare(own, Qt::CaseInsensitive) == 0; });
}

/// Returns the first line and the headers, including those that frame the message.
QByteArray head(const QByteArray &line, const HttpHeaders &headers, std::optional<qint64> length,
    bool keepAlive, int minor)
{
    QByteArray bytes = line + "\r\n";
    for (const HttpHeader &header : headers) {
        if (!isFraming(header.name))
            bytes += header.name + ": " + header.value + "\r\n";
    }
    if (length)
        bytes += "Content-Length: " + QByteArray::number(*length) + "\r\n";
    if (!keepAlive)
        bytes += "Connection: close\r\n";
    else if (minor == 0)
        bytes += "Connection: keep-alive\r\n";
    return bytes + "\r\n";
}

/// "Sun, 06 Nov 1994 08:49:37 GMT".
const QString DateFormat = u"ddd, dd MMM yyyy hh:mm:ss 'GMT'"_s;

/// Returns a date in ms since 1970.
std::optional<qint64> timeOf(const QByteArray &date)
{
    QDateTime time = QLocale::c().toDateTime(QString::fromLatin1(date), DateFormat);
    if (!time.isValid())
        return {};
    time.setTimeSpec(Qt::UTC);
    return time.toMSecsSinceEpoch();
}

} // namespace

HttpHeaders::HttpHeaders(std::initializer_list<HttpHeader> headers)
{
    for (const HttpHeader &header : headers)
        append(header.name, header.value);
}

void HttpHeaders::append(QByteArrayView name, QByteArrayView value)
{
    if (!isToken(name))
        return;
    m_headers.append({ name.toByteArray(), value.toByteArray() });
    std::ranges::replace_if(m_headers.last().value, isControl, ' ');
}

std::optional<QByteArrayView> HttpHeaders::value(QByteArrayView name) const
{
    for (const HttpHeader &header : *this) {
        if (header.name.compare(name, Qt::CaseInsensitive) == 0)
            return header.value;
    }
    return {};
}

QByteArray header(const HttpHeaders &headers, QByteArrayView name)
{
    return headers.value(name).value_or(QByteArrayView()).toByteArray();
}

bool hasHeader(const HttpHeaders &headers, QByteArrayView name)
{
    return headers.value(name).has_value();
}

bool isSafe(const QByteArray &method)
{
    return method == "GET" || method == "HEAD";
}

QByteArray toBytes(const HttpRequest &request)
{
    const QByteArray line = (isToken(request.method) ? request.method : "GET") + ' '
        + encodedTarget(request.target) + (request.minor == 0 ? " HTTP/1.0" : " HTTP/1.1");
    const bool hasLength = !request.body.isEmpty() || request.method == "PUT"
        || request.method == "POST" || request.method == "PATCH";
    const auto length = hasLength ? std::optional<qint64>(request.body.size()) : std::nullopt;
    return head(line, request.headers, length, request.keepAlive, request.minor) + request.body;
}

QByteArray toBytes(const HttpResponse &response, BodyOf body, int minor)
{
    const bool noBody = response.status < 200 || response.status == 204 || response.status == 304;
    QByteArray reason =
        response.reason.isEmpty() ? reasonPhrase(response.status).toByteArray() : response.reason;
    std::replace_if(reason.begin(), reason.end(), isControl, ' ');
    const QByteArray line = "HTTP/1.1 " + QByteArray::number(response.status) + ' ' + reason;
    const auto length = noBody ? std::nullopt : std::optional<qint64>(response.body.size());
    QByteArray bytes = head(line, response.headers, length, response.keepAlive, minor);
    if (body == BodyOf::Get && !noBody)
        bytes += response.body;
    return bytes;
}

const QByteArray &httpDate()
{
    static thread_local qint64 second = 0;
    static thread_local QByteArray text;
    if (const qint64 now = QDateTime::currentSecsSinceEpoch(); now != second) {
        second = now;
        text = QLocale::c()
                   .toString(QDateTime::fromSecsSinceEpoch(now, Qt::UTC), DateFormat)
                   .toLatin1();
    }
    return text;
}

std::optional<qint64> retryAfter(const HttpHeaders &headers, const QStringList &names, qint64 now)
{
    constexpr double most = 1e9; // seconds
    for (const QString &name : names) {
        const QByteArray text = header(headers, name.toUtf8()).trimmed();
        bool isNumber = false;
        const double seconds = text.toDouble(&isNumber);
        if (isNumber && seconds >= 0)
            return qint64(std::ceil(1000 * std::min(seconds, most)));
        if (const auto date = timeOf(text)) {
            const qint64 from = timeOf(header(headers, "Date").trimmed()).value_or(now);
            return std::max<qint64>(*date - from, 0);
        }
    }
    return {};
}

bool bearsToken(const HttpHeaders &headers, QByteArrayView token)
{
    static constexpr QByteArrayView scheme = "Bearer ";
    const QByteArray value = header(headers, "Authorization");
    if (token.isEmpty() || value.size() < scheme.size()
        || QByteArrayView(value).first(scheme.size()).compare(scheme, Qt::CaseInsensitive) != 0)
        return false;
    return isSameSecret(QByteArrayView(value).sliced(scheme.size()).trimmed(), token);
}

bool isSameSecret(QByteArrayView shown, QByteArrayView secret)
{
    if (secret.isEmpty())
        return false;
    unsigned difference = shown.size() == secret.size() ? 0 : 1;
    for (qsizetype i = 0; i < shown.size(); ++i)
        difference |= unsigned(uchar(shown[i]) ^ uchar(secret[i % secret.size()]));
    return difference == 0;
}

bool isWebAddress(const QUrl &url)
{
    return url.isValid() && !url.host().isEmpty()
        && (url.scheme() == u"http" || url.scheme() == u"https");
}

std::optional<QUrl> redirected(const QUrl &from, const QByteArray &location)
{
    const QUrl target = from.resolved(QUrl(QString::fromUtf8(location)));
    const bool isWeaker = from.scheme() == u"https" && target.scheme() != u"https";
    return isWebAddress(target) && !isWeaker ? std::optional(target) : std::nullopt;
}

} // namespace instar
