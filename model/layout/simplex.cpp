// SPDX-License-Identifier: Apache-2.0
#include "model/layout/simplex.h"

#include <algorithm>
#include <cmath>

namespace instar {

namespace {

constexpr qint64 unlimited = qint64(1) << 50;
/// State of an arc: in the spanning tree, or not, with its flow at 0 or at its capacity.
constexpr signed char atLower = 1, inTree = 0, atUpper = -1;

} // namespace

Simplex::Simplex(int variables, const Budget &budget)
    : m_budget(budget), m_count(variables), m_supply(size_t(variables), 0)
{ }

int Simplex::addVariable()
{
    m_supply.push_back(0);
    return m_count++;
}

void Simplex::require(int tail, int head, int length)
{
    if (tail != head)
        m_arcs.push_back({ tail, head, -length, unlimited });
}

void Simplex::shorten(int tail, int head, int weight)
{
    m_supply[size_t(tail)] += weight;
    m_supply[size_t(head)] -= weight;
}

void Simplex::pull(int tail, int head, int distance, int weight)
{
    if (tail == head)
        return;
    // A flow between -weight and weight, shifted to begin at 0.
    m_arcs.push_back({ tail, head, -distance, 2 * qint64(weight) });
    shorten(tail, head, weight);
}

std::vector<int> Simplex::solved()
{
    begin();
    for (quint64 round = 0; findEntering(); ++round) {
        if (round % 64 == 63 && m_budget.interruption() != Limit::None)
            break;
        findJoin();
        const bool exchanges = findLeaving();
        changeFlow(exchanges);
        if (exchanges)
            moveSubtree();
    }
    std::vector<int> values(size_t(m_count), 0);
    qint64 least = unlimited * 4;
    for (int i = 0; i < m_count; ++i)
        least = std::min(least, -m_potential[size_t(i)]);
    for (int i = 0; i < m_count; ++i)
        values[size_t(i)] = int(-m_potential[size_t(i)] - least);
    return values;
}

/// Builds the initial tree: an artificial arc joins each variable to the root. Arcs from the root
/// cost big M, arcs to it nothing.
void Simplex::begin()
{
    qint64 highestCost = 1;
    for (const Arc &arc : m_arcs)
        highestCost = std::max(highestCost, std::abs(arc.cost));
    const qint64 bigM = (highestCost + 1) * (m_count + 1);
    const size_t nodes = size_t(m_count) + 1;
    const size_t real = m_arcs.size();
    m_flow.assign(real + size_t(m_count), 0);
    m_state.assign(real + size_t(m_count), atLower);
    m_potential.assign(nodes, 0);
    m_up.assign(nodes, 1);
    m_parent.assign(nodes, -1);
    m_arcToParent.assign(nodes, -1);
    m_depth.assign(nodes, 1);
    m_firstChild.assign(nodes, -1);
    m_next.assign(nodes, -1);
    m_previous.assign(nodes, -1);
    m_depth[size_t(m_count)] = 0;
    for (int i = 0; i < m_count; ++i) {
        const qint64 supply = m_supply[size_t(i)];
        const int arc = int(m_arcs.size());
        const bool goesUp = supply >= 0;
        m_arcs.push_back(
            { goesUp ? i : m_count, goesUp ? m_count : i, goesUp ? 0 : bigM, unlimited });
        m_flow[size_t(arc)] = std::abs(supply);
        m_state[size_t(arc)] = inTree;
        m_potential[size_t(i)] = goesUp ? 0 : bigM;
        attach(i, m_count, arc);
    }
    m_searchFrom = 0;
    m_blockSize = std::max<size_t>(10, size_t(std::sqrt(double(m_arcs.size()))));
}

void Simplex::attach(int node, int parent, int arc)
{
    m_parent[size_t(node)] = parent;
    m_arcToParent[size_t(node)] = arc;
    m_up[size_t(node)] = m_arcs[size_t(arc)].tail == node ? 1 : -1;
    const int first = m_firstChild[size_t(parent)];
    m_next[size_t(node)] = first;
    m_previous[size_t(node)] = -1;
    if (first >= 0)
        m_previous[size_t(first)] = node;
    m_firstChild[size_t(parent)] = node;
}

void Simplex::detach(int node)
{
    const int before = m_previous[size_t(node)], after = m_next[size_t(node)];
    if (before >= 0)
        m_next[size_t(before)] = after;
    else
        m_firstChild[size_t(m_parent[size_t(node)])] = after;
    if (after >= 0)
        m_previous[size_t(after)] = before;
}

/// Block search for the entering arc, which lowers the cost most among a block of arcs. Returns
/// false if no arc lowers the cost: the flow is optimal.
bool Simplex::findEntering()
{
    qint64 best = 0;
    size_t left = m_blockSize;
    const size_t count = m_arcs.size();
    size_t at = m_searchFrom;
    for (size_t visited = 0; visited < count; ++visited, ++at) {
        if (at == count)
            at = 0;
        if (m_state[at] != inTree) {
            const Arc &arc = m_arcs[at];
            const qint64 cost = m_state[at]
                * (arc.cost + m_potential[size_t(arc.tail)] - m_potential[size_t(arc.head)]);
            if (cost < best) {
                best = cost;
                m_entering = int(at);
            }
        }
        if (--left == 0) {
            if (best < 0) {
                m_searchFrom = at;
                return true;
            }
            left = m_blockSize;
        }
    }
    return best < 0;
}

/// Finds the lowest common ancestor of the entering arc's ends, at which the arc's cycle closes.
void Simplex::findJoin()
{
    int a = m_arcs[size_t(m_entering)].tail, b = m_arcs[size_t(m_entering)].head;
    while (a != b) {
        if (m_depth[size_t(a)] >= m_depth[size_t(b)])
            a = m_parent[size_t(a)];
        else
            b = m_parent[size_t(b)];
    }
    m_join = a;
}

/// Finds the leaving arc, the first on the cycle whose flow can change no further. Returns false if
/// the leaving arc is the entering arc: the tree stays. Breaks ties so that the tree stays strongly
/// feasible, which prevents cycling.
bool Simplex::findLeaving()
{
    const Arc &entering = m_arcs[size_t(m_entering)];
    const bool isForward = m_state[size_t(m_entering)] == atLower;
    const int first = isForward ? entering.tail : entering.head;
    const int second = isForward ? entering.head : entering.tail;
    const auto residual = [this](int node, int against) {
        const auto arc = size_t(m_arcToParent[size_t(node)]);
        if (m_up[size_t(node)] != against)
            return m_flow[arc];
        const qint64 capacity = m_arcs[arc].capacity;
        return capacity >= unlimited ? unlimited : capacity - m_flow[arc];
    };
    m_delta = entering.capacity;
    int side = 0;
    for (int at = first; at != m_join; at = m_parent[size_t(at)]) {
        if (const qint64 most = residual(at, -1); most < m_delta) {
            m_delta = most;
            m_leaving = at;
            side = 1;
        }
    }
    for (int at = second; at != m_join; at = m_parent[size_t(at)]) {
        if (const qint64 most = residual(at, 1); most <= m_delta) {
            m_delta = most;
            m_leaving = at;
            side = 2;
        }
    }
    m_moved = side == 1 ? first : second;
    m_newParent = side == 1 ? second : first;
    return side != 0;
}

/// Sends m_delta along the cycle. `exchanges`: the entering arc replaces the leaving arc.
void Simplex::changeFlow(bool exchanges)
{
    const Arc &entering = m_arcs[size_t(m_entering)];
    signed char &state = m_state[size_t(m_entering)];
    if (m_delta > 0) {
        const qint64 change = state * m_delta;
        m_flow[size_t(m_entering)] += change;
        for (int at = entering.tail; at != m_join; at = m_parent[size_t(at)])
            m_flow[size_t(m_arcToParent[size_t(at)])] -= m_up[size_t(at)] * change;
        for (int at = entering.head; at != m_join; at = m_parent[size_t(at)])
            m_flow[size_t(m_arcToParent[size_t(at)])] += m_up[size_t(at)] * change;
    }
    if (!exchanges) {
        state = static_cast<signed char>(-state);
        return;
    }
    state = inTree;
    const auto leaving = size_t(m_arcToParent[size_t(m_leaving)]);
    m_state[leaving] = m_flow[leaving] == 0 ? atLower : atUpper;
}

/// Moves the subtree below the leaving arc to the entering arc; updates potentials and depths.
void Simplex::moveSubtree()
{
    int node = m_moved, parent = m_newParent, arc = m_entering;
    while (true) {
        const int oldParent = m_parent[size_t(node)], oldArc = m_arcToParent[size_t(node)];
        detach(node);
        attach(node, parent, arc);
        if (node == m_leaving)
            break;
        parent = node;
        node = oldParent;
        arc = oldArc;
    }
    const Arc &entering = m_arcs[size_t(m_entering)];
    const qint64 shift = m_potential[size_t(m_newParent)] - m_potential[size_t(m_moved)]
        - m_up[size_t(m_moved)] * entering.cost;
    m_stack.assign(1, m_moved);
    while (!m_stack.empty()) {
        const int at = m_stack.back();
        m_stack.pop_back();
        m_potential[size_t(at)] += shift;
        m_depth[size_t(at)] = m_depth[size_t(m_parent[size_t(at)])] + 1;
        for (int child = m_firstChild[size_t(at)]; child >= 0; child = m_next[size_t(child)])
            m_stack.push_back(child);
    }
}

} // namespace instar
