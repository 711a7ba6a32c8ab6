// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/wirerules.h"

#include <QCoreApplication>
#include <QUrl>

#include <functional>
#include <variant>

namespace instar {

/// Callbacks that read an answer's body as the pack lays it out.
struct PollReader
{
    std::function<Result<OperationMessage>(const QByteArray &)>
        operation; ///< parses an operation's document
    std::function<Result<QString>(const QByteArray &)>
        state; ///< the word shown by a resource's document; empty: none
    /// Parses the body of an answer with that HTTP status; empty if it is no error.
    std::function<OperationMessage(const QByteArray &, int)> error;
    /// Status that a resource's word stands for, if the rows do not list the word. Unset:
    /// InProgress.
    std::function<Status(const QString &)> standing;
};

struct PollOptions
{
    std::optional<qint64>
        usualDelay; ///< ms between polls if the server says nothing; default: the rows'
    qint64 mostDelay = 3'600'000; ///< ms; the limit of every delay
    qint64 leastDelay = 100; ///< ms between two equal answers, whatever the server asks for; grows
                             ///< with a tenth of the elapsed time, up to a second
    int mostFailures = 4;    ///< polls in a row without a usable answer that are retried
    qint64 firstBackoff = 1000;      ///< ms before the first retry, doubled each time
    int mostRepeats = 3;             ///< of a request that the server asks to send again later
    qint64 mostRepeatDelay = 60'000; ///< ms; the request is not repeated after a longer delay
};

/// Next poll.
struct PollQuestion
{
    QUrl url;
    qint64 notBefore = 0; ///< ms since 1970
    bool isUsual = false; ///< the delay is ours, not the server's
    bool isOver = false;  ///< the operation has succeeded; this reads its result
    bool operator==(const PollQuestion &) const = default;
};

/// Demand to send the request again: it was not processed, or it calls a running operation again.
struct PollRepeat
{
    qint64 notBefore = 0; ///< ms since 1970
    int http = 0;         ///< status of the answer that asks for it
    bool goesOn = false;  ///< calls the running operation again
    bool operator==(const PollRepeat &) const = default;
};

/// End of an operation.
struct PollEnd
{
    Status status = Status::Succeeded; ///< Rejected: the first answer was a refusal
    QString code {}, message {};       ///< of an error
    int http = 0; ///< status of the answer that refused or failed it; 0: none did
    std::optional<QByteArray> resource {}; ///< the final document, if any
    bool operator==(const PollEnd &) const = default;
};

/// The operation's end cannot be learned; `text` says why in one sentence.
struct PollLost
{
    QString text;
    bool isForgotten = false; ///< the server does not know the operation (any more)
    bool operator==(const PollLost &) const = default;
};

/// State machine that follows one long-running operation from the server's first answer to its end.
/// Has no I/O and no clock: it takes answers with their times and returns the next poll, the end,
/// or why the end cannot be learned.
class OperationPoller
{
    Q_DECLARE_TR_FUNCTIONS(instar::OperationPoller)

public:
    struct Sent
    {
        QByteArray method;
        QUrl url;         ///< absolute: where the request was sent
        QUrl resource {}; ///< where the target can be read; empty: `url` for PUT, PATCH and DELETE,
                          ///< else unknown
        bool isNamed = false;    ///< it has an id by which the server recognizes a repetition
        bool isHeldBack = false; ///< a success other than 202 comes only when it has succeeded
    };
    using Options = PollOptions;
    using Question = PollQuestion;
    using End = PollEnd;
    using Lost = PollLost;
    using Repeat = PollRepeat;
    using Next = std::variant<Question, End, Lost, Repeat>;

    OperationPoller(const WireFollow &rows, PollReader reader, Sent sent, Options options = {});

    /// Takes the answer to the request, which is sent again after a Repeat, and afterwards to the
    /// last poll; `now` in ms since 1970.
    const Next &take(const HttpResponse &response, qint64 now);
    /// The last request got no answer.
    const Next &takeProblem(const QString &problem, qint64 now);
    const Next &next() const { return m_next; }

    /// The operation's own URL as given by the server; empty if none was.
    const QUrl &operationUrl() const { return m_operation; }
    const QUrl &resultUrl() const { return m_result; }

private:
    /// OfRemoved: checks if the resource is gone, since the server does not know its removal.
    enum class Phase { First, OfOperation, OfResult, OfResource, OfRemoved, Final, Again };
    /// State that a document shows.
    struct ShownState
    {
        bool isReadable = false;
        QString word {}; ///< empty: none
        Status status = Status::Succeeded;
        bool runs() const { return isReadable && status == Status::InProgress; }
    };

    bool changes() const { return m_sent.method == "PUT" || m_sent.method == "PATCH"; }
    bool removes() const { return m_sent.method == "DELETE"; }
    void readHeaders(const HttpResponse &response);
    std::optional<QUrl> url(const HttpResponse &response, const QStringList &names);
    Next sentOn(const QByteArray &location);
    std::optional<Repeat> repeated(int status) const;
    ShownState shownBy(const QByteArray &body) const;
    ShownState shownByOperation(const QByteArray &body) const;
    Status meaning(const QString &word) const;
    End failure(Status status, const HttpResponse &response) const;

    Next first(const HttpResponse &response);
    Next ofOperation(const HttpResponse &response);
    Next ofResult(const HttpResponse &response);
    Next ofResource(const HttpResponse &response);
    Next ofRemoved(const HttpResponse &response);
    Next ofFinal(const HttpResponse &response);
    Next ofAgain(const HttpResponse &response);

    Next ask(Phase phase, const QUrl &url, qint64 delay);
    Next again();
    Next finished();
    Next unknownThere(const QString &text);
    Next troubled(
        const QString &text, std::optional<End> insteadOfLost = {}, bool isForgotten = false);
    qint64 delay() const;
    qint64 leastDelay() const;

    WireFollow m_rows;
    PollReader m_reader;
    Sent m_sent;
    Options m_options;
    Phase m_phase = Phase::First;
    QUrl m_operation, m_result, m_where; ///< m_where: requested last
    int m_last = 0;                      ///< status of the last answer
    std::optional<End> m_said;           ///< the end that the first answer's body shows
    std::optional<qint64> m_wait;        ///< ms; the delay in the last answer
    QString m_badUrl;                    ///< unusable URL that the server offered
    QUrl m_unknownUrl;                   ///< before OfRemoved: the URL answered "not found"
    Phase m_unknownPhase = Phase::First;
    QString m_unknownText;
    int m_failures = 0, m_hops = 0, m_repeats = 0;
    bool m_isAnswered = false;     ///< the request has an answer
    qint64 m_began = 0, m_now = 0; ///< ms since 1970: of the first and of the last answer
    Next m_next;
};

} // namespace instar
