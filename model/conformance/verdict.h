// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/historysearch.h"
#include "model/engine/admission.h"

namespace instar {

struct Scenario;

/// Unobserved event inside a server, in an explanation; `after`: its earliest time, ms.
struct HiddenEvent
{
    QString event;
    double after = 0;
    Event::Kind kind = Event::Kind::Wait;
    QString operation {}; ///< id of the operation that is submitted or goes on; empty: none
    QString outcome {};   ///< of work that ends
    bool operator==(const HiddenEvent &) const = default;
};

/// Reason why a possible event does not explain the history.
struct Contradiction
{
    QString event, reason;
    QString details {}; ///< path and time of the observation in the reason; empty: none
    bool operator==(const Contradiction &) const = default;
};

/// Answer or observation that contradicts the rest of a history. It belongs to a correction set: a
/// set of answers and observations without which the history conforms.
struct Violation
{
    int line = 0;
    std::variant<RecordedRequest, Observation> what;
    /// Values that the rules allow instead: states of a resource (null: absent), statuses of an
    /// operation, or "accepted" and error codes of a request.
    QStringList allowed;
    bool isEtag = false;  ///< the state in `what` is allowed, its etag is not
    QString body;         ///< wrong member of the body, such as `vlanId = "101"`; empty: none
    QString details;      ///< path and time, from detailsOf()
    QString rule, source; ///< text of the violated row (or its place in the pack), its sources
    QList<Contradiction> because; ///< why possible events do not explain `what`
    QList<int> without;           ///< lines of the correction set
    QList<int> minimal;           ///< lines of a smallest part that violates the rules alone
    /// Order of events that explains the history if the accepted request is taken as allowed; empty
    /// unless `what` is a request that was accepted against the rules.
    QList<HiddenEvent> order {};

    /// Sets rule and source from "rule [source]", as Pack::ruleText() returns them.
    void blame(const QString &ruleText);
    QString ruleText() const;
};

/// Verdict on a server's conformance to the rules, as far as a history shows it.
struct HistoryVerdict
{
    HistorySearch::Outcome outcome = HistorySearch::Outcome::Undecided;
    qsizetype explained = 0, of = 0;    ///< numbers of requests and observations: explained, all
    QList<HiddenEvent> order;           ///< linearization of the explained part, by time
    Exercised exercised;                ///< rules that this linearization uses
    std::optional<Violation> violation; ///< present if the outcome is Violates
    qint64 worlds = 0;                  ///< visited states of the search
    Limit stoppedBy = Limit::None;      ///< limit that left something undecided, if one did
    /// Trees that would violate the rules, but whose initial state is a guess.
    QStringList notJudged {};
};

/// Checks each independent part of a history for conformance; each part gets the whole budget.
/// Fails if the rules do not know a resource of the history.
Result<HistoryVerdict> verdictOn(
    const History &history, const Rules &rules, const Budget &budget = {});

/// Returns the part of a history that consists of some lines. Also keeps the requests sent until
/// the last of these lines ended, without their answers, because they may explain the lines.
History minimalPart(const History &history, const QList<int> &lines);

/// Returns the smallest part of a history that violates the rules as a scenario with the recorded
/// times. Work ends when the verdict's explanation ends it, not after the pack's durations; work
/// that the explanation does not end goes on. Requires a violation.
Scenario shortestReplay(const History &history, const HistoryVerdict &verdict);

/// Returns a linearization of a history as events for playOnNewBranch(); empty: none found.
QList<Event> explanationOf(const History &history, const Rules &rules, const Budget &budget = {});

/// Combinations of switch values under which a history conforms, as far as they were tried.
struct ExplainingSwitches
{
    QList<Switches> explaining {}; ///< empty: none, or the budget was exceeded
    bool all = true;               ///< all combinations were tried
};
/// Searches the combinations that choicesOf() returns.
ExplainingSwitches switchesThatExplain(
    const History &history, const Pack &pack, const Budget &budget = {}, qsizetype most = 256);

/// "conforms", "violates", "undecided", "nothing judged".
QString outcomeName(HistorySearch::Outcome outcome);
QString violationText(const Violation &violation); ///< "r1 was accepted", "/a/b was seen Failed"
QJsonObject verdictJson(const HistoryVerdict &verdict);
QString verdictText(const HistoryVerdict &verdict, const QString &file);

} // namespace instar
