// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/explore.h"

#include <atomic>

namespace instar {

/// Question about the outcomes if some operations are submitted, in any order, at some moment.
struct OutcomesQuestion
{
    Stage stage;
    QList<ScenarioStep> steps; ///< of kind Submit, each with a unique id
    RunningEnds runningEnds = RunningEnds::AsPlanned;
    Timers timers = Timers::Fire;
    qint64 worlds = 0, bytes = 0;     ///< limits on the states searched, and on memory
    std::optional<Property> never {}; ///< to search a state that has it

    /// Lets every operation end with every outcome.
    void openAll();
};

/// Progress of a search and its cancel flag, shared between threads.
struct OutcomesCounts
{
    std::atomic<qint64> worlds = 0, endings = 0;
    std::atomic<bool> isStopped = false; ///< the search ends with what was found so far
};

/// Possible outcomes of an OutcomesQuestion: representative traces, and the resources concerned.
struct Outcomes
{
    /// Resource that some trace changes or some operation targets, or an ancestor of one. In the
    /// tree's order.
    struct Row
    {
        QString path;
        int depth = 0;          ///< 0: top-level
        int machine = -1;       ///< of its type; -1: unknown type
        QString before;         ///< word shown before the operations; empty: absent
        bool isChanged = false; ///< some trace changes it
    };
    using Trace = Ending;
    QList<Row> rows;
    QList<Trace> traces; ///< first to the property, then dead ends, broken constraints, endings
    QString never;       ///< text of the property; empty: none
    QMap<QString, QSharedPointer<const Request>> requests; ///< by id: submitted, running or waiting

    /// Returns true if the first trace leads to a state with the property `never`.
    bool hasProperty() const
    {
        return !traces.isEmpty() && traces.first().kind == Ending::Kind::HasProperty;
    }

    Timers timers = Timers::Fire;
    qint64 worlds = 0;
    qint64 deadEnds = 0, brokenConstraints = 0, endings = 0; ///< at most mostTraces have a trace
    bool complete = true;   ///< false: stopped by the budget or a person
    bool isStopped = false; ///< by a person
};

/// Most traces of each kind in Outcomes.
inline constexpr qsizetype mostTraces = 500;

Result<Outcomes> outcomes(const OutcomesQuestion &question, OutcomesCounts &counts);

} // namespace instar
