// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"

#include <vector>

namespace instar {

/// Network simplex solver for ranks and coordinates: finds integers that keep minimum distances at
/// least cost. Solves the dual problem, a minimum-cost flow (Ahuja, Magnanti and Orlin: Network
/// Flows, chapter 11).
class Simplex
{
public:
    /// If the budget interrupts solved(), the solution is invalid.
    Simplex(int variables, const Budget &budget);

    /// Adds a variable. Returns its number.
    int addVariable();

    /// Constraint: head - tail >= length. The constraints must not form a cycle.
    void require(int tail, int head, int length);
    /// Cost: weight * (head - tail).
    void shorten(int tail, int head, int weight);
    /// Cost: weight * |head - tail - distance|.
    void pull(int tail, int head, int distance, int weight);

    /// Returns the values; the least is 0.
    std::vector<int> solved();

private:
    struct Arc
    {
        int tail, head;
        qint64 cost, capacity;
    };

    void begin();
    bool findEntering();
    void findJoin();
    bool findLeaving();
    void changeFlow(bool exchanges);
    void moveSubtree();
    void detach(int node);
    void attach(int node, int parent, int arc);

    const Budget &m_budget;
    int m_count;
    std::vector<qint64> m_supply;
    std::vector<Arc> m_arcs;

    // The spanning tree, with an extra node as its root.
    std::vector<qint64> m_flow, m_potential; ///< by arc; by node
    std::vector<signed char> m_state, m_up;  ///< by arc; by node: 1 if its arc leads up, else -1
    std::vector<int> m_parent, m_arcToParent, m_depth, m_firstChild, m_next, m_previous, m_stack;
    size_t m_searchFrom = 0, m_blockSize = 10; ///< of the block search for the entering arc
    int m_entering = -1, m_join = -1;          ///< arc; node at which the arc's cycle closes
    int m_leaving = -1;                        ///< node below the arc that leaves the tree
    int m_moved = -1, m_newParent = -1; ///< ends of the entering arc: in the moved subtree, outside
    qint64 m_delta = 0;                 ///< change of the flow along the cycle
};

} // namespace instar
