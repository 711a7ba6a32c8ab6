// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/httpheaders.h"

namespace instar {

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

/// The usual words for a status, such as "Not Found".
QByteArrayView reasonPhrase(int status);

// Content-Length, Connection and Transfer-Encoding are the serializers' own and are left out of the
// headers.
QByteArray toBytes(const HttpRequest &request);
enum class BodyOf { Get, Head };
/// `minor` is the request's: HTTP/1.0 has to be told that the connection stays.
QByteArray toBytes(const HttpResponse &response, BodyOf body = BodyOf::Get, int minor = 1);

} // namespace instar
