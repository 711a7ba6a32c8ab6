// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/explore.h"

#include <atomic>

namespace instar {

/// Question which outcomes are possible if operations are submitted, in any order, at a moment.
struct OutcomesQuestion
{
    Stage stage;
    QList<ScenarioStep> steps; ///< of kind Submit, each with a unique id
    RunningEnds runningEnds = RunningEnds::AsPlanned;
    Timers timers = Timers::Fire;
    qint64 worlds = 0, bytes = 0;        ///< limits on the states searched, and on memory
    std::optional<Property> property {}; ///< to search for; nothing: none

    /// Lets every operation end with every outcome.
    void openAll();
};

/// Progress of a search and its cancel flag, shared between threads.
struct OutcomesCounts
{
    std::atomic<qint64> worlds = 0, endings = 0;
    std::atomic<bool> isStopped = false; ///< true: the search shall end with what it has found
};

/// Possible outcomes of an OutcomesQuestion: representative traces, and the resources concerned.
struct Outcomes
{
    /// Resource that some trace changes or some operation targets, or an ancestor of one.
    struct Row
    {
        QString path;
        int depth = 0;          ///< 0: top-level
        int machine = -1;       ///< index of the type's machine; -1: unknown type
        QString before;         ///< state that clients see before the operations; empty: absent
        bool isChanged = false; ///< some trace changes the resource
    };
    using Trace = Ending;
    QList<Row> rows;     ///< in the tree's order
    QList<Trace> traces; ///< to the property, then to dead ends, broken constraints and endings
    QString property;    ///< text of the property that was searched for; empty: none
    QMap<QString, QSharedPointer<const Request>> requests; ///< by id: submitted, running or waiting

    /// Returns true if the first trace leads to a state with the property.
    bool hasProperty() const
    {
        return !traces.isEmpty() && traces.first().kind == Ending::Kind::HasProperty;
    }

    Timers timers = Timers::Fire;
    qint64 worlds = 0;                                       ///< states visited
    qint64 deadEnds = 0, brokenConstraints = 0, endings = 0; ///< of each, mostTraces have a trace
    bool complete = true;   ///< false: stopped by the budget or a person
    bool isStopped = false; ///< a person stopped the search
};

/// Most traces of each kind in Outcomes.
inline constexpr qsizetype mostTraces = 500;

/// Explores the outcomes of a question; `counts` may be read and stopped from another thread.
Result<Outcomes> outcomes(const OutcomesQuestion &question, OutcomesCounts &counts);

} // namespace instar
