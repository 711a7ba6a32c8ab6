// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QUrl>

#include <initializer_list>
#include <optional>

namespace instar {

struct HttpHeader
{
    QByteArray name, value;
    bool operator==(const HttpHeader &) const = default;
};

/// Headers of a message, in order.
class HttpHeaders
{
public:
    HttpHeaders() = default;
    HttpHeaders(std::initializer_list<HttpHeader> headers);

    /// Appends a header. Control characters in the value become spaces, so that no value can start
    /// another header or message. A header with an invalid name is dropped.
    void append(QByteArrayView name, QByteArrayView value);

    qsizetype size() const { return m_headers.size(); }
    bool isEmpty() const { return m_headers.isEmpty(); }
    /// Value of the first header with that name, ignoring case.
    std::optional<QByteArrayView> value(QByteArrayView name) const;
    auto begin() const { return m_headers.begin(); }
    auto end() const { return m_headers.end(); }

    bool operator==(const HttpHeaders &) const = default;

private:
    QList<HttpHeader> m_headers;
};

/// As HttpHeaders::value(); empty if there is no such header.
QByteArray header(const HttpHeaders &headers, QByteArrayView name);
bool hasHeader(const HttpHeaders &headers, QByteArrayView name);

struct HttpRequest
{
    QByteArray method, target; ///< as on the request line
    HttpHeaders headers;       ///< without trailers
    QByteArray body;
    int minor = 1;         ///< of HTTP/1.x
    bool keepAlive = true; ///< the connection may be reused
    bool operator==(const HttpRequest &) const = default;
};

struct HttpResponse
{
    int status = 200;
    QByteArray reason;   ///< empty: the standard phrase
    HttpHeaders headers; ///< without trailers
    QByteArray body;
    bool keepAlive = true;
    bool operator==(const HttpResponse &) const = default;
};

/// Returns true for the safe methods used here (RFC 9110, 9.2.1): GET and HEAD.
bool isSafe(const QByteArray &method);

// The serializers write Content-Length and Connection themselves, and drop Transfer-Encoding.
QByteArray toBytes(const HttpRequest &request);
enum class BodyOf { Get, Head }; ///< Head: the body is left out, its length is not
/// `minor`: version of the request, HTTP/1.x; a client of HTTP/1.0 needs an explicit keep-alive.
QByteArray toBytes(const HttpResponse &response, BodyOf body = BodyOf::Get, int minor = 1);

/// The current time as in the Date header (RFC 9110, 5.6.7).
const QByteArray &httpDate();

/// Delay in ms that a server demands before the next request: given in seconds, or as a date
/// relative to the answer's own Date, else to `now` (ms since 1970). `names` are the accepted
/// header names. Returns nothing if no header states a delay.
std::optional<qint64> retryAfter(const HttpHeaders &headers, const QStringList &names, qint64 now);

/// Returns true if a request carries this bearer token (RFC 6750); compares as isSameSecret() does.
bool bearsToken(const HttpHeaders &headers, QByteArrayView token);
/// Compares secrets in time that depends only on the length of `shown`. False if `secret` is empty.
bool isSameSecret(QByteArrayView shown, QByteArrayView secret);

/// Returns true for an absolute HTTP or HTTPS URL; no other URL is ever requested.
bool isWebAddress(const QUrl &url);
/// Returns the target of a redirect in an answer from the URL `from`; nothing if the target must
/// not be requested: no HTTP or HTTPS URL, or a downgrade from HTTPS to HTTP.
std::optional<QUrl> redirected(const QUrl &from, const QByteArray &location);

} // namespace instar
