// SPDX-License-Identifier: Apache-2.0
// The first byte says what is read and how it is cut, the rest is what a connection carries.

#include "model/remote/httpparser.h"

#include <QList>

#include <algorithm>
#include <cstdint>

using namespace instar;

namespace {

constexpr HttpLimits limits { .headerBytes = 2'000, .headers = 20, .bodyBytes = 3'000 };
/// Of what is not complete: the headers, or a body and a chunk's header; and the last piece.
constexpr qsizetype MostHeld = 3'000 + 8 * 1024;

void require(bool holds, const char *what)
{
    if (!holds)
        qFatal("%s", what);
}

struct Outcome
{
    QList<HttpRequest> requests;
    QList<HttpResponse> responses;
    bool hasProblem = false;
    bool operator==(const Outcome &) const = default;
};

Outcome outcome(HttpParser::Reads reads, QByteArrayView bytes, qsizetype pieceSize)
{
    HttpParser parser(reads, limits);
    Outcome outcome;
    const auto take = [&] {
        if (reads == HttpParser::Reads::Requests) {
            while (std::optional<HttpRequest> request = parser.takeRequest())
                outcome.requests += *std::move(request);
        } else {
            while (std::optional<HttpResponse> response = parser.takeResponse())
                outcome.responses += *std::move(response);
        }
        require(parser.heldBytes() <= MostHeld + pieceSize, "little is kept");
        require(!parser.problem() || parser.heldBytes() == 0, "and nothing after a problem");
        require(!parser.isIdle() || parser.heldBytes() == 0, "or when idle");
        require(!parser.begun() || parser.isInBody(), "a request in its body has begun");
    };
    for (qsizetype i = 0; i < bytes.size(); i += pieceSize) {
        parser.feed(bytes.sliced(i, std::min(pieceSize, bytes.size() - i)));
        take();
        parser.wantsContinue();
    }
    parser.end();
    take();
    outcome.hasProblem = parser.problem().has_value();
    if (outcome.hasProblem) {
        require(QList<int>({ 400, 413, 431, 501, 505 }).contains(parser.problem()->status),
            "a problem has a status");
        require(parser.problem()->text.endsWith('.'), "and a sentence");
    }
    return outcome;
}

/// What was read can be written, and read again.
template<typename Message>
void repeat(const Message &message)
{
    constexpr bool isRequest = std::is_same_v<Message, HttpRequest>;
    HttpParser parser(isRequest ? HttpParser::Reads::Requests : HttpParser::Reads::Responses,
        { .headerBytes = 100'000, .headers = 100, .bodyBytes = 100'000 });
    parser.feed(toBytes(message));
    if constexpr (isRequest) {
        const std::optional<HttpRequest> again = parser.takeRequest();
        require(again.has_value(), "a request can be written and read");
        require(again->method == message.method && again->body == message.body, "and is the same");
    } else {
        const std::optional<HttpResponse> again = parser.takeResponse();
        require(again.has_value(), "a response can be written and read");
        require(again->status == message.status && again->body == message.body, "and is the same");
    }
    require(parser.isIdle() && !parser.problem(), "and nothing else");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0)
        return 0;
    const auto reads = data[0] & 1 ? HttpParser::Reads::Responses : HttpParser::Reads::Requests;
    const QByteArrayView bytes(data + 1, qsizetype(size) - 1);
    const Outcome whole = outcome(reads, bytes, bytes.size() + 1);
    const Outcome cut = outcome(reads, bytes, 1 + (data[0] >> 1) % 64);
    require(whole == cut, "the messages are the same however they are cut");
    for (const HttpRequest &request : whole.requests)
        repeat(request);
    for (const HttpResponse &response : whole.responses)
        repeat(response);
    return 0;
}
