// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/http/httpparser.h"

#include <QList>

#include <algorithm>

// HTTP messages as text, so that tests compare them.

namespace instar {

enum class Reads { Requests, Responses };

inline QByteArray described(const HttpHeaders &headers)
{
    QByteArray text;
    for (const HttpHeader &header : headers)
        text.append(" {").append(header.name).append('=').append(header.value).append('}');
    return text;
}

inline QByteArray described(const HttpRequest &request)
{
    return request.method + ' ' + request.target + " 1." + QByteArray::number(request.minor)
        + (request.keepAlive ? " keeps" : " closes") + described(request.headers) + " '"
        + request.body + '\'';
}

inline QByteArray described(const HttpResponse &response)
{
    return QByteArray::number(response.status) + ' ' + response.reason
        + (response.keepAlive ? " keeps" : " closes") + described(response.headers) + " '"
        + response.body + '\'';
}

/// The messages that are complete, one a line.
template<typename Message>
QByteArray taken(HttpParser<Message> &parser)
{
    QByteArray text;
    while (const std::optional<Message> message = parser.take())
        text += described(*message) + '\n';
    return text;
}

/// All messages in pieces of a connection that is closed in the end, and the problem's status.
template<typename Message>
QByteArray read(const QList<QByteArray> &pieces, HttpLimits limits)
{
    HttpParser<Message> parser(limits);
    QByteArray text;
    for (const QByteArray &piece : pieces) {
        parser.feed(piece);
        text += taken(parser);
    }
    parser.end();
    text += taken(parser);
    if (parser.problem())
        text += QByteArray::number(parser.problem()->status);
    return text.trimmed();
}

inline QByteArray read(Reads reads, const QList<QByteArray> &pieces, HttpLimits limits = {})
{
    return reads == Reads::Requests ? read<HttpRequest>(pieces, limits)
                                    : read<HttpResponse>(pieces, limits);
}

/// Pieces of so many bytes.
inline QList<QByteArray> cut(const QByteArray &bytes, qsizetype size)
{
    QList<QByteArray> pieces;
    for (qsizetype i = 0; i < bytes.size(); i += size)
        pieces += bytes.sliced(i, std::min(size, bytes.size() - i));
    return pieces;
}

} // namespace instar
