// SPDX-License-Identifier: Apache-2.0
// The first byte says what is read and how it is cut, the rest is what a connection carries.

#include "model/http/httpparser.h"

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

template<typename Message>
struct Outcome
{
    QList<Message> messages;
    bool hasProblem = false;
    bool operator==(const Outcome &) const = default;
};

template<typename Message>
Outcome<Message> outcome(QByteArrayView bytes, qsizetype pieceSize)
{
    HttpParser<Message> parser(limits);
    Outcome<Message> outcome;
    const auto take = [&] {
        while (std::optional<Message> message = parser.take())
            outcome.messages += *std::move(message);
        require(parser.heldBytes() <= MostHeld + pieceSize, "little is kept");
        require(!parser.problem() || parser.heldBytes() == 0, "and nothing after a problem");
        require(!parser.isIdle() || parser.heldBytes() == 0, "or when idle");
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
    HttpParser<Message> parser({ .headerBytes = 100'000, .headers = 100, .bodyBytes = 100'000 });
    parser.feed(toBytes(message));
    const std::optional<Message> again = parser.take();
    require(again.has_value(), "it can be written and read");
    require(again->body == message.body, "and is the same");
    if constexpr (std::is_same_v<Message, HttpRequest>)
        require(again->method == message.method, "with its method");
    else
        require(again->status == message.status, "with its status");
    require(parser.isIdle() && !parser.problem(), "and nothing else");
}

template<typename Message>
void check(QByteArrayView bytes, qsizetype pieceSize)
{
    const Outcome<Message> whole = outcome<Message>(bytes, bytes.size() + 1);
    require(whole == outcome<Message>(bytes, pieceSize),
        "the messages are the same however they are cut");
    for (const Message &message : whole.messages)
        repeat(message);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0)
        return 0;
    const QByteArrayView bytes(data + 1, qsizetype(size) - 1);
    const qsizetype pieceSize = 1 + (data[0] >> 1) % 64;
    if (data[0] & 1)
        check<HttpResponse>(bytes, pieceSize);
    else
        check<HttpRequest>(bytes, pieceSize);
    return 0;
}
