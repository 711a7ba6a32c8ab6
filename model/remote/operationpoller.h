// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/wirerules.h"

#include <QCoreApplication>
#include <QUrl>

#include <variant>

namespace instar {

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
    bool isUsual = false; ///< the delay is the default, not the server's
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

/// End of an operation, or of what can be learned of it: then it has failed with the code "Lost",
/// or "Forgotten" if the server does not know it (any more), and `message` says why in one
/// sentence.
struct PollEnd
{
    Status status = Status::Succeeded; ///< Rejected: the first answer was a refusal
    QString code {}, message {};       ///< of an error
    int http = 0; ///< status of the answer that refused or failed it; 0: none did
    std::optional<QByteArray> resource {}; ///< the final document, if any
    QByteArray body {};                    ///< of the answer that ended it
    bool mayGoOn = false;                  ///< it is lost, and may still run
    bool operator==(const PollEnd &) const = default;
};

/// State machine of one operation at a server, from its request to its end. A value without I/O and
/// clock: it takes answers with their times and returns the next poll, or the end. The wire rules
/// must outlive it.
class OperationPoller
{
    Q_DECLARE_TR_FUNCTIONS(instar::OperationPoller)

public:
    struct Sent
    {
        QByteArray method;
        QUrl url;         ///< absolute: where the request was sent
        QString path;     ///< of its target
        QUrl resource {}; ///< where the target can be read; empty: `url` for PUT, PATCH and DELETE,
                          ///< else unknown
        bool isNamed = false;    ///< it has an id by which the server recognizes a repetition
        bool isHeldBack = false; ///< a success other than 202 comes only when it has succeeded
    };
    /// Nothing: the request has no answer yet.
    using Next = std::variant<std::monostate, PollQuestion, PollEnd, PollRepeat>;

    OperationPoller(const WireRules &wire, Sent sent, PollOptions options = {});

    /// The server has named the target: its path, and where it can be read.
    void setTarget(const QString &path, const QUrl &resource);
    /// Takes the answer to the request, which is sent again after a PollRepeat, and afterwards to
    /// the last poll; `now` in ms since 1970.
    const Next &take(const HttpResponse &response, qint64 now);
    /// Notes that the last request or poll got no answer.
    const Next &takeProblem(const QString &problem, qint64 now);
    /// Ends the polling for that reason; the operation is then lost.
    void giveUp(const QString &why) { m_next = lost(why); }
    const Next &next() const { return m_next; }

    /// The operation's own URL as given by the server, else that of its result; empty if neither
    /// was.
    const QUrl &operationUrl() const { return m_operation.isEmpty() ? m_result : m_operation; }

private:
    /// Handler of the next answer, which is to: the request; a poll of the operation, its result or
    /// the resource; a removed resource after an unknown operation; the final read; the repeated
    /// request.
    using Phase = Next (OperationPoller::*)(const HttpResponse &);
    Next first(const HttpResponse &response);
    Next ofOperation(const HttpResponse &response);
    Next ofResult(const HttpResponse &response);
    Next ofResource(const HttpResponse &response);
    Next ofRemoved(const HttpResponse &response);
    Next ofFinal(const HttpResponse &response);
    Next ofAgain(const HttpResponse &response);

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
    bool isOfOperation() const { return m_phase == &OperationPoller::ofOperation; }
    void readHeaders(const HttpResponse &response);
    std::optional<QUrl> url(const HttpResponse &response, const QStringList &names);
    Next sentOn(const QByteArray &location);
    std::optional<PollRepeat> repeated(int status) const;
    ShownState shownBy(const QByteArray &body) const;
    ShownState shownByOperation(const QByteArray &body) const;
    Status meaning(const QString &word) const;
    PollEnd failure(Status status, const HttpResponse &response) const;
    static PollEnd lost(const QString &why, bool isForgotten = false);

    Next ask(Phase phase, const QUrl &url, qint64 delay);
    Next again();
    Next finished();
    Next unknownThere(const QString &text);
    Next troubled(
        const QString &text, std::optional<PollEnd> insteadOfLost = {}, bool isForgotten = false);
    qint64 usualDelay() const;
    qint64 delay() const;
    qint64 leastDelay() const;

    const WireRules *m_wire;
    Sent m_sent;
    PollOptions m_options;
    Phase m_phase = &OperationPoller::first;
    QUrl m_operation, m_result, m_where; ///< m_where: requested last
    int m_last = 0;                      ///< status of the last answer
    std::optional<PollEnd> m_said;       ///< the end that the first answer's body shows
    std::optional<qint64> m_wait;        ///< ms; the delay in the last answer
    QString m_badUrl;                    ///< unusable URL that the server offered
    QUrl m_unknownUrl;                   ///< before ofRemoved(): the URL answered "not found"
    Phase m_unknownPhase = &OperationPoller::first;
    QString m_unknownText;
    int m_failures = 0, m_hops = 0, m_repeats = 0;
    qint64 m_began = 0, m_now = 0; ///< ms since 1970: of the first and of the last answer
    Next m_next;
};

} // namespace instar
