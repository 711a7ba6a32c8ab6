// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "model/statecharts/guard.h"
#include "model/statecharts/statechart.h"

#include <QStringList>

namespace instar {

/// Events that a running statechart tells itself.
struct OwnEvents
{
    QStringList raised; ///< heard before it comes to rest
    QStringList sent;   ///< heard afterwards, before anything from outside
    bool isEmpty() const { return raised.isEmpty() && sent.isEmpty(); }
    bool operator==(const OwnEvents &) const = default;
};

/// `the arrow from "a" to "b" on "go"`, as far as it has a target and an event.
QString arrowWords(const Arc &arc);

/// The same chart with regions around what its forks lead to, where it is drawn without them: each
/// arrow of the fork begins a region, which ends at a join or final state. Where the regions would
/// overlap the fork stays as it is. An arrow with an event into a join leads to a place beside its
/// source, where it waits for the others.
Statechart withRegions(Statechart chart);

/// Composites lie in each other at most so deep.
constexpr int DeepestChart = 256;

/// A statechart made ready to run: names are numbers, and what UML has beyond the W3C's rules is
/// said in their terms.
struct ChartPlan
{
    /// Something that an arrow waits for beside its own source.
    struct Arrival
    {
        int node = 0;
        bool isDone = false; ///< not only active: its final states are
        Guard guard;
    };
    struct Way
    {
        int arc = -1; ///< in the chart
        int from = 0;
        QList<int> to;
        QStringList events; ///< descriptors; none: taken at once
        Guard guard;
        QList<Arrival> arrivals; ///< all of them, for the arrow of a join
        bool isInternal = false;
        bool isWork = false; ///< leaves an ordinary state without an event
        OwnEvents tells;     ///< while it is taken
    };
    struct Node
    {
        Vertex::Kind kind = Vertex::Kind::State;
        QString id;
        QString name; ///< as configurations show it
        int parent = -1;
        int end = 0; ///< one past the last node in it
        int depth = 0;
        QList<int> children;  ///< that can be active
        QList<int> histories; ///< directly in it
        QList<int> initial;   ///< what is entered with it; none: nothing lies in it
        QList<int> ways;      ///< out of it, in the order in which they are asked
        OwnEvents entering;   ///< what is told when it is entered
        OwnEvents leaving;
    };

    QList<Node> nodes; ///< in preorder; the first is the statechart itself
    QList<Way> ways;
    QHash<QString, int> index; ///< id -> node
    QList<Diagnostic> remarks; ///< what of the chart has no meaning when it runs

    bool isInside(int node, int around) const { return node > around && node < nodes[around].end; }
    bool isHistory(int node) const;
    /// Whether an event is "done.state.X" of a state, which the chart raises itself.
    bool isCompletion(const QString &event) const
    {
        return event.startsWith(u"done.state.") && index.contains(event.sliced(11));
    }
    bool isParallel(int node) const { return nodes[node].kind == Vertex::Kind::Parallel; }
};

/// An error where composites lie in each other too deep, or in themselves.
Result<ChartPlan> planOf(const Statechart &chart);

} // namespace instar
