// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"

#include <vector>

namespace instar {

/// Gives variables whole numbers that keep hard distances and cost least. The costs are linear, so
/// this is the dual of a flow of least cost, which the network simplex method finds (Ahuja,
/// Magnanti and Orlin: Network Flows, chapter 11). Ranks and coordinates are both such problems.
class Simplex
{
public:
    /// What it solves once the budget is interrupted is not right.
    Simplex(int variables, const Budget &budget);

    /// One more; its number.
    int addVariable();

    /// head - tail >= length. All of these together must not form a circle.
    void require(int tail, int head, int length);
    /// Costs weight * (head - tail).
    void shorten(int tail, int head, int weight);
    /// Costs weight * |head - tail - distance|.
    void pull(int tail, int head, int distance, int weight);

    /// The least value is 0.
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
    void hang();
    void detach(int node);
    void attach(int node, int parent, int arc);
    void addArc(int tail, int head, qint64 cost, qint64 capacity);

    const Budget &m_budget;
    int m_count;
    std::vector<qint64> m_supply;
    std::vector<Arc> m_arcs;

    // The spanning tree, with an extra node as its root.
    std::vector<qint64> m_flow, m_potential;
    std::vector<signed char> m_state, m_up;
    std::vector<int> m_parent, m_arcToParent, m_depth, m_firstChild, m_next, m_previous, m_stack;
    size_t m_searchFrom = 0, m_blockSize = 10;
    int m_entering = -1, m_join = -1, m_leaving = -1, m_in = -1, m_with = -1;
    qint64 m_delta = 0;
};

} // namespace instar
