// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/historysearch.h"
#include "model/engine/admission.h"

namespace instar {

/// Unobserved event of a server in an explanation, and the time (ms) after which it happened.
struct HiddenEvent
{
    QString event;
    double after = 0;
    bool operator==(const HiddenEvent &) const = default;
};

/// Reason why a possible event does not explain the history.
struct Contradiction
{
    QString event, reason;
    QString details {}; ///< place and time of the observation that the reason names; empty: none
    bool operator==(const Contradiction &) const = default;
};

/// Answer or observation that contradicts the rest of a history: the reported member of a
/// correction set, that is, a set whose removal makes the history conform.
struct Violation
{
    int line = 0;
    std::variant<RecordedRequest, Observation> what;
    /// Values allowed instead: words of a resource (empty: absent), statuses of an operation, or
    /// "accepted" and error codes of a request.
    QStringList allowed;
    bool isEtag = false;  ///< the word is allowed, but the etag is not
    QString body;         ///< `vlanId = "101"`: the wrong member of the body; empty: none
    QString details;      ///< place and time, as from detailsOf()
    QString rule, source; ///< the row that was violated, in its own words or by its place
    QList<Contradiction> because;
    QList<int> without; ///< lines of the correction set
    QList<int> minimal; ///< lines of a minimal part that still violates

    /// Sets rule and source from "rule [source]", as Pack::ruleText() returns them.
    void blame(const QString &ruleText);
    QString ruleText() const;
};

/// Verdict on a server's conformance to the rules, as far as a history shows it.
struct HistoryVerdict
{
    HistorySearch::Outcome outcome = HistorySearch::Outcome::Undecided;
    qsizetype explained = 0, of = 0;    ///< requests and observations
    QList<HiddenEvent> order;           ///< linearization of the explained part; by time
    Exercised exercised;                ///< rules that this linearization uses
    std::optional<Violation> violation; ///< if the outcome is Violates
    qint64 worlds = 0;                  ///< configurations that were visited
    Limit stoppedBy = Limit::None; ///< if something is undecided, or a violation is not minimal
    /// Trees that violate, but whose initial state was only guessed.
    QStringList notJudged {};
};

/// Judges each independent part of a history, with the whole budget for each. Fails if the
/// resources do not fit the rules.
Result<HistoryVerdict> verdictOn(
    const History &history, const Rules &rules, const Budget &budget = {});

/// Returns the history reduced to these lines. Other requests that were sent before the last of
/// them ended remain, with an unknown answer, because they may explain the lines.
History minimalPart(const History &history, const QList<int> &lines);

/// Returns a linearization that explains a history, as events for Simulator::follow(); empty: none
/// was found.
QList<Event> explanationOf(const History &history, const Rules &rules, const Budget &budget = {});

/// Combinations of a pack's switches under which a history conforms.
struct Readings
{
    QList<Switches> explaining; ///< empty: none, or the budget did not suffice
    bool all = true;            ///< false: there are more combinations than were tried
};
Readings readingsThatExplain(
    const History &history, const Pack &pack, const Budget &budget = {}, int most = 256);

/// "conforms", "violates", "undecided", "nothing judged".
QString outcomeName(HistorySearch::Outcome outcome);
QString violationText(const Violation &violation); ///< "r1 was accepted", "/a/b was seen Failed"
QJsonObject verdictJson(const HistoryVerdict &verdict);
/// Returns the verdict as text for people.
QString verdictText(const HistoryVerdict &verdict, const QString &file);

} // namespace instar
