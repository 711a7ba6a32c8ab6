// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/script.h"

namespace instar {

/// Property of a state: some, every or no resource of a type meets a condition. If a fact about
/// some resource may be overdue, each resource counts by itself.
struct Property
{
    /// Value of `of` in a fact that has to follow: the resource of the first fact.
    static constexpr QStringView Same = u"self";
    enum class Quantifier {
        Some,
        Every, ///< every resource of the type, of which there must be one
        No
    };
    enum class When {
        Is,
        Becomes, ///< only states after one without the property
        ForEver, ///< only states that can keep it: at an end, or on a cycle
        After,   ///< only states after one with the property `other`
        Overdue, ///< only states `within` moves after one where it became true, or was at the
                 ///< beginning, if `other` was true in none of them; less if no move is left
    };
    Quantifier quantifier = Quantifier::Some;
    /// Path of a type, of whose resources those that exist are tested; with a slash in front, path
    /// of a resource, which is in its initial state while it does not exist; empty: any type.
    QString of;
    Condition condition;
    When when = When::Is;
    std::vector<Property> other {}; ///< After: the fact of an earlier state; Overdue: one that has
                                    ///< to follow
    int within = 0;                 ///< Overdue: number of moves in which `other` has to follow
    QString text {};                ///< as a person reads it
    bool operator==(const Property &) const = default;
};

/// Returns the test of one state, without regard to `when`. Fails, for the other fact, too, on
/// names that the rules do not know, and on conditions that one state does not decide: about the
/// past, times, required operations, and labels that the pack leaves open.
Result<std::function<bool(const World &)>> compiledProperty(
    const Property &property, const Rules &rules);

/// Options of explore().
struct ExploreOptions
{
    /// Trees: endings with equal trees count as one; Operations: only with equal statuses, too.
    using By = Script::By;
    By by = By::Trees;
    Budget budget;
    qsizetype limit = -1; ///< most traces of each kind; others are only counted; -1: no limit
    Premises premises {};
    std::optional<Property> property {}; ///< to search for; nothing: none
    /// Called now and then with the numbers of states and endings so far; returns false to stop.
    std::function<bool(qint64 worlds, qint64 endings)> goesOn {};
};

/// Reachable state, with a shortest trace to it.
struct Ending : Trace
{
    enum class Kind { DeadEnd, BrokenConstraint, Ending, HasProperty }; ///< see Exploration
    Kind kind = Kind::Ending;
    QStringList words; ///< in Outcomes: state that clients see, per row; empty: absent
    /// Ending: id of a refused operation -> its answers in all orders that lead there.
    QMap<QString, QList<Refusal>> everyRefusal;
    double orders = 0; ///< Ending: number of event sequences that lead there; infinite with a cycle
    QStringList stuck; ///< DeadEnd: paths of resources that can no longer reach their goal or rest
    QString path, state; ///< BrokenConstraint: path and state of the resource
    QString rule;        ///< BrokenConstraint: the constraint; HasProperty: the property
};

/// Result of exploring every order of a scenario's operations.
struct Exploration
{
    qint64 worlds = 0;             ///< states visited
    bool complete = true;          ///< false: the budget ended the search
    Limit stoppedBy = Limit::None; ///< the limit that ended the search; None if complete
    qint64 finalTrees = 0;         ///< number of different trees in states without a next event
    qint64 endingCount = 0, deadEndCount = 0, brokenConstraintCount = 0;
    QList<Ending> endings;           ///< states without a next event, the nearest first
    QList<Ending> deadEnds;          ///< states from which a resource cannot reach its goal or rest
    QList<Ending> brokenConstraints; ///< states at which a constraint was broken
    std::optional<Ending> hasProperty; ///< nearest state with ExploreOptions::property
};

/// Explores every order of a scenario's operations. Fails if the scenario ends work by hand.
Result<Exploration> explore(
    const Scenario &scenario, const Stage &stage, const ExploreOptions &options = {});

QJsonObject explorationJson(const Exploration &exploration);
QString explorationText(const Exploration &exploration);

} // namespace instar
