// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/wirerules.h"

#include <QCoreApplication>
#include <QUrl>

namespace instar {

/// Delays and limits of the polls of an operation.
struct PollOptions
{
    std::optional<qint64> usualDelay; ///< ms between polls by default; absent: the rows' delay
    qint64 mostDelay = 3'600'000;     ///< ms; the limit of every delay
    int mostFailures = 4;             ///< polls in a row without a usable answer that are retried
    qint64 firstBackoff = 1000;       ///< ms before the first retry, doubled each time
};

/// End of an operation. An unknown outcome has the status Failed, the code "Lost" ("Forgotten" if
/// the server does not know the operation any more), and the reason as its message, a sentence.
struct OperationEnd
{
    Status status = Status::Succeeded; ///< Rejected: the first answer was a refusal
    QString code {}, message {};       ///< of an error
    int http = 0; ///< status of the answer with the refusal or failure; 0: there is none
    std::optional<QByteArray> resource {}; ///< the final document, if any
    QByteArray body {};                    ///< of the answer that ended the operation
    bool mayStillRun = false;              ///< the operation is lost, but may still run
    bool operator==(const OperationEnd &) const = default;
};

/// Operation at a server, from request to end: a value, without I/O and clock. See next().
struct RemoteOperation
{
    /// Event that the operation waits for next.
    enum class Stage {
        Sent,    ///< the answer to the request
        Delayed, ///< a repetition of the unprocessed request at `notBefore`
        Called,  ///< a repetition of the request at `notBefore`, as a poll
        // Polls of `url` at `notBefore`:
        PollsOperation, ///< the operation's state
        PollsResult,    ///< its result
        PollsResource,  ///< the state of its target
        PollsRemoved,   ///< the target of a DELETE, after a poll was answered "not found"
        PollsFinal,     ///< the final document of an operation that has succeeded
        Ended,          ///< nothing: see `end`
    };

    QByteArray method;
    QUrl url;         ///< absolute: where the request was sent; later that of the last or next poll
    QString path;     ///< of its target
    QUrl resource {}; ///< where the target can be read; empty: `url` for PUT, PATCH and DELETE,
                      ///< else unknown
    bool hasRequestId = false; ///< the server recognizes a repetition by the request's id
    bool answersAtEnd = false; ///< the server answers 200, 201 or 204 only after the success
    PollOptions options {};

    Stage stage = Stage::Sent;
    qint64 notBefore = 0;         ///< ms since 1970
    int http = 0;                 ///< status of the last answer
    bool hasDefaultDelay = false; ///< the delay is the default, not the server's
    OperationEnd end {};
    QUrl operationUrl {}, resultUrl {};   ///< as given by the server's headers
    std::optional<OperationEnd> shown {}; ///< end shown by the first answer; polls correct it
    int failures = 0;                     ///< of polls in a row
    int repeats = 0;                      ///< of the request
    qint64 began = 0;                     ///< first answer; ms since 1970
    // PollsRemoved: the poll that was answered "not found"
    Stage unknownStage = Stage::Sent;
    QUrl unknownUrl {};
    QString unknownText {};

    bool isPolled() const { return stage >= Stage::PollsOperation && stage <= Stage::PollsFinal; }
    bool hasEnded() const { return stage == Stage::Ended; }
    /// Returns true once the server's decision on the request is known.
    bool isAnswered() const { return stage >= Stage::Called; }
    /// The server's id of the operation: the last segment of its URL or its result's; or empty.
    QString serverId() const;
};

/// Answer to the last request of an operation, or the lack of one.
struct OperationEvent
{
    qint64 now = 0; ///< ms since 1970
    std::optional<HttpResponse> response {};
    QString problem {};       ///< why there is no response, in one sentence
    bool wasSent = true;      ///< the request may have reached the server
    bool isLast = false;      ///< nothing more will be learned
    bool targetExists = true; ///< before the request
    /// Server's id of the operation that had the same request id before; nothing if none had.
    std::optional<QString> replayed {};
};

struct OperationStep
{
    RemoteOperation operation;
    /// Change to report for the first answer: Started; or Rejected, Replayed, Observed or Closed
    /// (lost), which end the operation. Absent: nothing is reported.
    std::optional<Change::Kind> report;
};

/// The transition function of operations at a server.
OperationStep next(const WireRules &wire, RemoteOperation operation, const OperationEvent &event);

Rules::TriggerId outcomeOf(const Rules &rules, const OperationEnd &end);

} // namespace instar
