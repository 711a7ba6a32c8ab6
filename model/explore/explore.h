// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/script.h"

namespace instar {

/// Property of a state: some, every or no resource of a type meets a condition. The search
/// for an overdue property of some resource tests each resource separately.
struct Property
{
    /// Value of `other.of` that stands for the resource of this property.
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
        Overdue, ///< bounded response fails: the property became true or began as true, but
                 ///< `other` was false for `within` moves since, or until no move was left
    };
    Quantifier quantifier = Quantifier::Some;
    /// Path of a type, whose existing resources are tested; or "/" and the path of one resource,
    /// tested in its initial state if it does not exist; empty: any type.
    QString of;
    Condition condition;
    When when = When::Is;
    std::vector<Property> other {}; ///< After: property of an earlier state; Overdue: property
                                    ///< that must become true in time
    int within = 0;                 ///< Overdue: number of moves in which `other` has to follow
    QString text {};                ///< as a person reads it
    bool operator==(const Property &) const = default;
};

/// Returns a test of the property in one state; the test ignores `when`. Fails if the property or
/// its `other` has names that the rules do not know, or conditions that one state does not decide:
/// on the past, times, required operations, and labels that the pack leaves open.
Result<std::function<bool(const World &)>> compiledProperty(
    const Property &property, const Rules &rules);

/// Options of explore().
struct ExploreOptions
{
    /// Equality by which endings count as one: of trees, or of trees and statuses of operations.
    using By = Script::By;
    By by = By::Trees;
    Budget budget;
    qsizetype limit = -1; ///< most traces of each kind; others are only counted; -1: no limit
    Premises premises {};
    std::optional<Property> property {}; ///< property to search for; absent: none
    /// Called now and then with the numbers of states and endings so far; returns false to stop.
    std::function<bool(qint64 worlds, qint64 endings)> goesOn {};
};

/// Reachable state, with a shortest trace to it.
struct Ending : Trace
{
    enum class Kind { DeadEnd, BrokenConstraint, Ending, HasProperty };
    Kind kind = Kind::Ending;
    QStringList words; ///< state that clients see, per row of Outcomes; empty: absent resource
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

/// Explores every order of a scenario's operations. Fails if a step of the scenario ends work.
Result<Exploration> explore(
    const Scenario &scenario, const Stage &stage, const ExploreOptions &options = {});

QJsonObject explorationJson(const Exploration &exploration);
QString explorationText(const Exploration &exploration);

} // namespace instar
