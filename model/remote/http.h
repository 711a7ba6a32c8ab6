// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QUrl>

#include <initializer_list>
#include <optional>

namespace instar {

/// One header; of those of a message, it lasts as long as they stay as they are.
struct HttpHeader
{
    QByteArrayView name, value;
};

/// A message's headers in their order, kept as they go over the wire: to send them is to copy them,
/// and none needs memory of its own.
class HttpHeaders
{
public:
    /// For `for`.
    class Iterator
    {
    public:
        explicit Iterator(QByteArrayView lines) : m_rest(lines) { read(); }
        const HttpHeader &operator*() const { return m_header; }
        Iterator &operator++();
        bool operator==(const Iterator &other) const
        {
            return m_rest.size() == other.m_rest.size();
        }

    private:
        void read();

        QByteArrayView m_rest; ///< from the header on
        HttpHeader m_header;
    };

    HttpHeaders() = default;
    HttpHeaders(std::initializer_list<HttpHeader> headers);

    /// Control characters in the value become spaces, so that no value can begin a header or a
    /// message of its own; a header whose name is none is left out.
    void append(QByteArrayView name, QByteArrayView value);
    void reserve(qsizetype bytes) { m_lines.reserve(bytes); }

    qsizetype size() const { return m_size; }
    bool isEmpty() const { return m_size == 0; }
    /// Of the first header of that name, whatever its case.
    std::optional<QByteArrayView> value(QByteArrayView name) const;
    Iterator begin() const { return Iterator(m_lines); }
    Iterator end() const { return Iterator({}); }
    /// As they go over the wire, each with the end of its line.
    const QByteArray &lines() const { return m_lines; }
    /// Whether it says how the message is sent: Content-Length, Connection, Transfer-Encoding.
    static bool isFraming(QByteArrayView name);

    bool operator==(const HttpHeaders &other) const { return m_lines == other.m_lines; }

private:
    QByteArray m_lines;
    qsizetype m_size = 0;
};

/// The first header of that name, whatever its case; empty: there is none.
QByteArray header(const HttpHeaders &headers, QByteArrayView name);
bool hasHeader(const HttpHeaders &headers, QByteArrayView name);

struct HttpRequest
{
    QByteArray method, target; ///< as on the request line
    HttpHeaders headers;       ///< without those that follow a chunked body
    QByteArray body;
    int minor = 1;         ///< of HTTP/1.x
    bool keepAlive = true; ///< the connection may be used again
    bool operator==(const HttpRequest &) const = default;
};

struct HttpResponse
{
    int status = 200;
    QByteArray reason;   ///< empty: the usual one
    HttpHeaders headers; ///< without those that follow a chunked body
    QByteArray body;
    bool keepAlive = true;
    bool operator==(const HttpResponse &) const = default;
};

/// Whether a method only looks (RFC 9110, 9.2.1), as far as such methods are used here.
bool isSafe(const QByteArray &method);

// Content-Length, Connection and Transfer-Encoding are the serializers' own and are left out of the
// headers.
QByteArray toBytes(const HttpRequest &request);
enum class BodyOf { Get, Head };
/// `minor` is the request's: HTTP/1.0 has to be told that the connection stays.
QByteArray toBytes(const HttpResponse &response, BodyOf body = BodyOf::Get, int minor = 1);

/// The current time as in the Date header (RFC 9110, 5.6.7).
const QByteArray &httpDate();

/// How many ms a server asks to wait before the next question: seconds, or a date, which counts
/// from the answer's own Date and otherwise from `now` (ms since 1970). `names` are what the header
/// may be called. Nothing: it does not say.
std::optional<qint64> retryAfter(const HttpHeaders &headers, const QStringList &names, qint64 now);

/// Whether a request shows this bearer token (RFC 6750). Takes as long for a token that is nearly
/// right as for any other of its length.
bool bearsToken(const HttpHeaders &headers, QByteArrayView token);
/// Whether what is shown is that secret. False where the secret is empty.
bool isSameSecret(QByteArrayView shown, QByteArrayView secret);

/// Whether it is a whole address of HTTP or HTTPS: nothing else is ever asked, whoever names it.
bool isWebAddress(const QUrl &url);
/// Where the answer to a question at `from` sends us on by its Location; nothing where that is not
/// to be followed: it is no address of the web, or leaves a secure connection for an open one.
std::optional<QUrl> redirected(const QUrl &from, const QByteArray &location);

} // namespace instar
