// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/messages.h"

#include <QCoreApplication>
#include <QUrl>

#include <functional>
#include <variant>

namespace instar {

/// What has to be known of an answer's body; where in it that stands is the pack's matter.
struct PollReader
{
    std::function<Result<OperationMessage>(const QByteArray &)>
        operation; ///< of an operation's document
    std::function<Result<QString>(const QByteArray &)>
        state; ///< the word that a resource's document shows; empty: none
    /// Of the body of an answer with that HTTP status; empty where it holds none.
    std::function<OperationMessage(const QByteArray &, int)> error;
    /// What a resource's word says of the work on it, where it is none of the words in the rows.
    /// Unset: work goes on.
    std::function<Status(const QString &)> standing;
};

struct PollOptions
{
    std::optional<qint64>
        usualDelay; ///< ms between questions where the server says nothing; otherwise the rows'
    qint64 mostDelay = 3'600'000; ///< ms; longer ones are cut
    qint64 leastDelay =
        100;              ///< ms between two answers that say the same, whatever the server asks
                          ///< for; a tenth of the time so far, up to a second, where that is more
    int mostTroubles = 4; ///< questions in a row without a usable answer that are asked again
    qint64 firstBackoff = 1000;      ///< ms before the first of them, doubled each time
    int mostSame = 0;                ///< answers in a row that say the same word; 0: any number
    int mostRepeats = 3;             ///< of a request that the server asks to send again later
    qint64 mostRepeatDelay = 60'000; ///< ms that are waited for that
};

/// What to ask next.
struct PollQuestion
{
    QUrl url;
    qint64 notBefore = 0; ///< ms since 1970
    bool isUsual = false; ///< the server did not say when
    bool isOver = false;  ///< the operation has succeeded; what it left is asked for
    bool operator==(const PollQuestion &) const = default;
};

/// The request is to be sent once more: it was not processed; or the operation is called again.
struct PollRepeat
{
    qint64 notBefore = 0; ///< ms since 1970
    int http = 0;         ///< status of the answer that asks for it
    bool goesOn = false;  ///< the operation runs, and is called again
    bool operator==(const PollRepeat &) const = default;
};

/// How an operation ended.
struct PollEnd
{
    Status status = Status::Succeeded; ///< Rejected: the first answer was a refusal
    QString code, message;             ///< of an error
    int http = 0; ///< status of the answer that refused or failed it; 0: none did
    std::optional<QByteArray> resource; ///< the final document, where there is one
    bool operator==(const PollEnd &) const = default;
};

/// It cannot be known how the operation ends; one sentence says why.
struct PollLost
{
    QString text;
    bool isForgotten = false; ///< the server does not know the operation (any more)
    bool operator==(const PollLost &) const = default;
};

/// Follows one long-running operation from the server's first answer to its end. It sends nothing
/// and has no clock: it is given answers with their times, and says what to ask next, how the
/// operation ended, or why that cannot be learned.
class OperationPoller
{
    Q_DECLARE_TR_FUNCTIONS(instar::OperationPoller)

public:
    struct Asked
    {
        QByteArray method;
        QUrl url;      ///< absolute: where the request was sent
        QUrl resource; ///< where the target can be read; empty: `url` for PUT, PATCH and DELETE,
                       ///< else unknown
        bool isNamed = false;    ///< it has an id by which the server knows one that comes twice
        bool isHeldBack = false; ///< an answer of success but 202 comes only when it has succeeded
    };
    using Options = PollOptions;
    using Question = PollQuestion;
    using End = PollEnd;
    using Lost = PollLost;
    using Repeat = PollRepeat;
    using Next = std::variant<Question, End, Lost, Repeat>;

    OperationPoller(const WireFollow &rows, PollReader reader, Asked asked, Options options = {});

    /// The answer to the request, which is sent again after a Repeat, and afterwards to the last
    /// question; `now` in ms since 1970.
    const Next &take(const HttpResponse &response, qint64 now);
    /// There was no answer to the last question.
    const Next &takeProblem(const QString &problem, qint64 now);
    const Next &next() const { return m_next; }

    /// The operation's own URL, as the server told it; empty: it did not.
    const QUrl &operationUrl() const { return m_operation; }
    const QUrl &resultUrl() const { return m_result; }

private:
    /// OfRemoved: whether the resource is gone, where the server does not know its removal.
    enum class Phase { First, OfOperation, OfResult, OfResource, OfRemoved, Final, Again };
    /// What a resource's document says.
    struct Sight
    {
        bool isReadable = false;
        QString word; ///< empty: not said
        Status status = Status::Succeeded;
        bool runs() const { return isReadable && status == Status::InProgress; }
    };

    bool changes() const { return m_asked.method == "PUT" || m_asked.method == "PATCH"; }
    bool removes() const { return m_asked.method == "DELETE"; }
    void readHeaders(const HttpResponse &response);
    std::optional<QUrl> url(const HttpResponse &response, const QStringList &names);
    Next sentOn(const QByteArray &location);
    std::optional<Repeat> repeated(int status) const;
    std::optional<Status> standing(const QString &word) const;
    Sight sight(const QByteArray &body) const;
    Sight sightOfOperation(const QByteArray &body) const;
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
    Next again(const QString &word);
    Next finished();
    Next unknownThere(const QString &text);
    Next troubled(
        const QString &text, std::optional<End> insteadOfLost = {}, bool isForgotten = false);
    qint64 delay() const;
    qint64 leastDelay() const;

    WireFollow m_rows;
    PollReader m_reader;
    Asked m_asked;
    Options m_options;
    Phase m_phase = Phase::First;
    QUrl m_operation, m_result, m_where; ///< m_where: asked last
    int m_last = 0;                      ///< status of the last answer
    std::optional<End> m_said;           ///< what the first answer's body showed
    std::optional<qint64> m_wait;        ///< ms, of the last answer
    QString m_badUrl;                    ///< offered, and of no use
    QUrl m_unknownUrl;                   ///< before OfRemoved: what was answered "not found"
    Phase m_unknownPhase = Phase::First;
    QString m_unknownText;
    QString m_lastWord;
    int m_same = 0, m_troubles = 0, m_hops = 0, m_repeats = 0;
    bool m_isAnswered = false;     ///< the request was
    qint64 m_began = 0, m_now = 0; ///< ms since 1970: of the first answer, of the last
    Next m_next;
};

} // namespace instar
