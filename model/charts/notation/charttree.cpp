// SPDX-License-Identifier: Apache-2.0
#include "model/charts/notation/charttree.h"

namespace instar {

using Kind = Vertex::Kind;

namespace {

bool isState(const ChartTree::Node &node)
{
    return node.vertex && (node.vertex->kind == Kind::State || node.vertex->kind == Kind::Parallel);
}

bool isHistory(const ChartTree::Node &node)
{
    return node.vertex
        && (node.vertex->kind == Kind::ShallowHistory || node.vertex->kind == Kind::DeepHistory);
}

} // namespace

ChartTree::ChartTree(const Statechart &chart, Division division)
{
    m_nodes.append(Node());
    addVertices(chart);
    const int count = size();
    for (int i = 1; i < count; ++i)
        if (m_nodes[i].vertex->kind == Kind::Parallel)
            makeRegions(i);
    settle(0);
    if (division == Division::Allowed && m_nodes[0].children.size() == 1
        && standsForChart(m_nodes[0].children.first()))
        m_dividedChart = m_nodes[0].children.first();
}

void ChartTree::addVertices(const Statechart &chart)
{
    for (const Vertex &vertex : chart.vertices) {
        int parent = m_byId.value(vertex.parent, 0);
        if (m_nodes[parent].depth >= Deepest) {
            parent = m_nodes[parent].parent;
            m_isFlattened = true;
        }
        const int index = size();
        m_nodes.append(
            Node { .vertex = &vertex, .parent = parent, .depth = m_nodes[parent].depth + 1 });
        m_nodes[parent].children.append(index);
        m_byId.insert(vertex.id, index);
    }
}

void ChartTree::move(int index, int to)
{
    m_nodes[m_nodes[index].parent].children.removeOne(index);
    m_nodes[index].parent = to;
    m_nodes[to].children.append(index);
}

/// An only region that has no name is nothing but what lies in it.
void ChartTree::dissolve(int region)
{
    const Vertex &vertex = *m_nodes[region].vertex;
    if (vertex.isNamed || vertex.kind != Kind::State)
        return;
    const int composite = m_nodes[region].parent;
    const QList<int> all = m_nodes[region].children;
    for (const int child : all)
        move(child, composite);
    m_nodes[composite].children.removeOne(region);
    m_byId.insert(vertex.id, composite);
}

void ChartTree::makeRegions(int composite)
{
    const QList<int> all = m_nodes[composite].children;
    QList<int> states;
    for (const int child : all)
        if (isState(m_nodes[child]))
            states += child;
    if (states.size() == 1)
        dissolve(states.first());
    if (states.size() < 2)
        return;
    int first = -1;
    for (const int state : states) {
        int region = state;
        if (m_nodes[state].vertex->isNamed || m_nodes[state].vertex->kind == Kind::Parallel) {
            region = size();
            m_nodes.append(Node { .parent = composite });
            m_nodes[composite].children.append(region);
            move(state, region);
        } else {
            move(region, composite); // behind the others, in order
        }
        m_nodes[region].isRegion = true;
        first = first < 0 ? region : first;
    }
    for (const int child : all)
        if (!isState(m_nodes[child]) && !isHistory(m_nodes[child]))
            move(child, first);
}

/// Depths and regions, from the top.
void ChartTree::settle(int index)
{
    for (const int child : std::as_const(m_nodes[index].children)) {
        if (m_nodes[child].isRegion)
            m_nodes[index].regions += child;
        m_nodes[child].depth = m_nodes[index].depth + 1;
        settle(child);
    }
}

bool ChartTree::standsForChart(int index) const
{
    const Vertex &vertex = *m_nodes[index].vertex;
    return !vertex.isNamed && vertex.kind == Kind::Parallel && vertex.label.isEmpty()
        && vertex.description.isEmpty() && regions(index).size() == m_nodes[index].children.size()
        && !regions(index).isEmpty();
}

bool ChartTree::isInside(int index, int composite) const
{
    while (m_nodes[index].depth > m_nodes[composite].depth)
        index = m_nodes[index].parent;
    return index == composite;
}

int ChartTree::common(int a, int b) const
{
    a = m_nodes[a].parent;
    b = m_nodes[b].parent;
    while (a != b) {
        if (m_nodes[a].depth >= m_nodes[b].depth)
            a = m_nodes[a].parent;
        else
            b = m_nodes[b].parent;
    }
    return a;
}

int ChartTree::branch(int index, int composite) const
{
    while (m_nodes[index].parent != composite && index != 0)
        index = m_nodes[index].parent;
    return index;
}

int ChartTree::regionAround(int index) const
{
    do {
        index = m_nodes[index].parent;
    } while (index != 0 && !m_nodes[index].isRegion);
    return index;
}

} // namespace instar
