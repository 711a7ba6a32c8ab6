// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "model/statecharts/statechart.h"

#include <QStringList>

namespace instar {

/// Events that a running statechart sends to itself.
struct OwnEvents
{
    QStringList raised; ///< SCXML's internal queue: handled before the chart comes to rest
    QStringList sent;   ///< handled afterwards, before events from outside
    bool isEmpty() const { return raised.isEmpty() && sent.isEmpty(); }
};

/// Returns `the arrow from "a" to "b" on "go"`, without target or event if the arrow has none.
QString arrowWords(const Arc &arc);

/// Greatest nesting depth of composites.
constexpr int DeepestChart = 256;

/// Compiled statechart: nodes and edges by number, UML's pseudostates reduced to SCXML.
struct ChartPlan
{
    /// State that must be active before the arrow of a join is taken.
    struct Arrival
    {
        int node = 0;
        bool isDone = false; ///< the state's final state must be active, too
        Guard guard;
    };
    /// Transition of the interpreter.
    struct Edge
    {
        int arc = -1; ///< index in Statechart::arcs; -1: none
        int from = 0;
        QList<int> to;
        QStringList events; ///< SCXML event descriptors; none: eventless
        Guard guard;
        QList<Arrival> arrivals; ///< all are required; only of the arrow of a join
        bool isInternal = false;
        bool isWork = false;    ///< leaves a state or parallel state without an event
        OwnEvents actionEvents; ///< events of the edge's actions
    };
    struct Node
    {
        Vertex::Kind kind = Vertex::Kind::State;
        QString id;
        QString name; ///< for display in configurations
        int parent = -1;
        int end = 0; ///< index after its last descendant
        int depth = 0;
        QList<int> children;  ///< children that can be active
        QList<int> histories; ///< history vertices directly in the node
        QList<int> initial;   ///< nodes entered by default; none: there are no children
        QList<int> edges;     ///< edges out of the node, in the order of evaluation
        OwnEvents entering;   ///< events of the entry actions
        OwnEvents leaving;    ///< events of the exit actions
    };

    QList<Node> nodes; ///< in preorder; the first is the statechart itself
    QList<Edge> edges;
    QHash<QString, int> index; ///< id -> node
    QList<Diagnostic> remarks; ///< parts that are ignored when the chart runs

    bool isInside(int node, int around) const { return node > around && node < nodes[around].end; }
    bool isHistory(int node) const { return instar::isHistory(nodes[node].kind); }
    /// True if two nodes are in different regions, so that both can be active.
    bool areBeside(int a, int b) const;
    /// True if a final state is a child of a composite or of one of its regions.
    bool hasFinal(int node) const;
    /// True if an event is "done.state.X" of a state, which the chart raises itself.
    bool isCompletion(const QString &event) const
    {
        return event.startsWith(u"done.state.") && index.contains(event.sliced(11));
    }
    bool isParallel(int node) const { return nodes[node].kind == Vertex::Kind::Parallel; }
};

/// Compiles a chart. Fails if composites are nested too deep, or in themselves.
Result<ChartPlan> planOf(const Statechart &chart);
/// Compiles a chart without adding regions: its nodes are the chart's own vertices.
Result<ChartPlan> planAsDrawn(const Statechart &chart);

} // namespace instar
