// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/chartplan.h"

#include <functional>

namespace instar {

/// Where a running statechart is. A value: equal situations go on alike.
struct Situation
{
    QList<int> active;            ///< nodes, composites included, in preorder
    QMap<int, QList<int>> memory; ///< history vertex -> what was active when its parent was left
    QStringList queue;            ///< events of its own that it has not looked at yet
    QStringList sent;             ///< the same, which it looks at once it has come to rest
    bool isOver = false;          ///< a final state of the statechart itself was entered
    bool operator==(const Situation &) const = default;
};

/// Answers a condition's name.
using Answers = std::function<bool(const QString &name)>;

/// What became of a situation.
struct Move
{
    Situation to;
    bool isTaken = false; ///< some arrow was followed
    QList<int> ways;      ///< followed, of the plan
    bool isEndless =
        false; ///< arrows without events follow each other for ever; `to` is somewhere among them
};

/// Runs a statechart by the rules of the W3C's SCXML recommendation (its appendix D): hierarchy,
/// regions, history, document order, conflicting transitions, and completion events such as
/// "done.state.X".
class Interpreter
{
public:
    explicit Interpreter(ChartPlan plan) : m(std::move(plan)) { }

    const ChartPlan &plan() const { return m; }

    Move begun(const Answers &answers) const;
    Move after(const Situation &from, const QString &event, const Answers &answers) const;

    /// The names of the active states in which no other one is, sorted.
    QStringList configuration(const Situation &situation) const;
    /// What arrows out of active states wait for, in document order; descriptors.
    QStringList awaited(const Situation &situation) const;

private:
    Move settled(Move move, const Answers &answers) const;

    ChartPlan m;
};

/// Whether an event is one that a descriptor means: "a", "a.b" of "a", anything of "*".
bool describes(QStringView descriptor, QStringView event);

} // namespace instar
