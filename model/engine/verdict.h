// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/judgement.h"

namespace instar {

/// Something that may have happened at a server though nobody saw it, and the time (ms) after which
/// it did.
struct HiddenEvent
{
    QString event;
    double after = 0;
    bool operator==(const HiddenEvent &) const = default;
};

/// Why something that could happen does not explain what was seen.
struct Objection
{
    QString event, reason;
    QString details {}; ///< where and when what the reason names was seen; empty: it names nothing
    bool operator==(const Objection &) const = default;
};

/// What in a history contradicts the rest of it: among the fewest answers and observations without
/// which the rest can be explained, the one that was least to be expected.
struct Violation
{
    int line = 0;
    std::variant<RecordedRequest, Observation> what;
    /// What would have been explained in its place: words and statuses, empty for a resource that
    /// is not there; of a request "accepted" and codes.
    QStringList allowed;
    bool isEtag = false;  ///< the word is allowed; the etag is what nothing explains
    QString body;         ///< `vlanId = "101"`: the member that nothing explains; empty: none
    QString details;      ///< where and when it was: see detailsOf()
    QString rule, source; ///< the row that says otherwise, in its own words or by its place
    QList<Objection> because;
    QList<int> without; ///< lines of all that cannot be explained along with the rest
};

/// Did a server keep to the rules, as far as a history shows it?
struct HistoryVerdict
{
    HistorySearch::Outcome outcome = HistorySearch::Outcome::Undecided;
    qsizetype explained = 0, of = 0;    ///< requests and observations
    QList<HiddenEvent> order;           ///< explains what is explained; in order of time
    Exercised exercised;                ///< what that order uses of the rules
    std::optional<Violation> violation; ///< where it violates
    QList<int> minimal; ///< lines of a part that violates and of which nothing can be left out
    qint64 worlds = 0;  ///< situations that were met
    Limit stoppedBy = Limit::None; ///< where something is undecided, or a violation is not narrowed
                                   ///< down
    /// Trees that are not explained, of which it was only a guess what they were before.
    QStringList notJudged {};
};

/// Judges each part of a history that nothing connects with the rest; the budget is each part's.
/// Fails where the resources do not fit the rules.
Result<HistoryVerdict> verdictOn(
    const History &history, const Rules &rules, const Budget &budget = {});

/// The part of a history that only these lines tell. What else was asked until they are over may
/// have happened or not: without it there would be less that explains them.
History minimalPart(const History &history, const QList<int> &lines);

/// One order of everything unseen that explains a history, as events that can be played again
/// (Simulator::follow); empty: none was found.
QList<Event> explanationOf(const History &history, const Rules &rules, const Budget &budget = {});

/// Every combination of the values of a pack's switches under which a history is explained; empty:
/// none, or the budget did not suffice. At most so many are tried; false in `all`: there are more.
struct Readings
{
    QList<Switches> explaining;
    bool all = true;
};
Readings readingsThatExplain(
    const History &history, const Pack &pack, const Budget &budget = {}, int most = 256);

/// "conforms", "violates", "undecided", "nothing judged".
QString outcomeName(HistorySearch::Outcome outcome);
/// What is allowed, in words: "Updating", "absent", "Succeeded with another etag".
QStringList allowedTexts(const Violation &violation);
QString violationText(const Violation &violation); ///< "r1 was accepted", "/a/b was seen Failed"
QJsonObject verdictJson(const HistoryVerdict &verdict);
/// The same for people.
QString verdictText(const HistoryVerdict &verdict, const QString &file);

} // namespace instar
