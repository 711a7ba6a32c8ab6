// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/chartplan.h"

#include <functional>

namespace instar {

/// State of a running statechart. A value: equal situations behave alike.
struct Situation
{
    QList<int> active;            ///< nodes, composites included, in preorder
    QMap<int, QList<int>> memory; ///< history vertex -> nodes active when its parent was left
    QStringList queue;            ///< pending raised events (SCXML's internal queue), handled first
    QStringList sent;             ///< pending sent events, handled when the chart has come to rest
    bool isOver = false;          ///< a final state of the statechart itself was entered
};

/// Function that evaluates a name in a guard.
using Answers = std::function<bool(const QString &name)>;

/// Result of a macrostep.
struct Move
{
    Situation to;
    bool isTaken = false;   ///< at least one arrow was taken
    QList<int> edges;       ///< taken arrows, as indices in ChartPlan::edges
    bool isEndless = false; ///< endless loop of eventless arrows; `to` is a situation in it
};

/// Statechart interpreter after appendix D of the W3C's SCXML recommendation. Raises completion
/// events such as "done.state.X".
class Interpreter
{
public:
    explicit Interpreter(ChartPlan plan) : m_plan(std::move(plan)) { }

    const ChartPlan &plan() const { return m_plan; }

    /// Enters the initial states.
    Move begun(const Answers &answers) const;
    /// Handles an event from outside, and the events that the chart then sends to itself.
    Move after(const Situation &from, const QString &event, const Answers &answers) const;

    /// Returns the names of the active leaf states, sorted.
    QStringList configuration(const Situation &situation) const;
    /// Returns the event descriptors of the arrows out of active states, in document order.
    QStringList awaited(const Situation &situation) const;

private:
    Move settled(Move move, const Answers &answers) const;

    ChartPlan m_plan;
};

/// True if a descriptor matches an event: "a" matches "a" and "a.b", "*" matches any.
bool describes(QStringView descriptor, QStringView event);

} // namespace instar
