// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/charttree.h"

#include <algorithm>
#include <iterator>

namespace instar {

using Kind = Vertex::Kind;

ChartTree::ChartTree(const Statechart &chart, Division division)
{
    m_nodes.append(Node());
    addVertices(chart);
    const int count = size();
    for (int i = 1; i < count; ++i)
        if (m_nodes[i].vertex->kind == Kind::Parallel)
            makeRegions(i);
    setDepthsAndRegions(0);
    if (division == Division::Allowed && m_nodes[0].children.size() == 1
        && isWholeChart(m_nodes[0].children.first()))
        m_dividedChart = m_nodes[0].children.first();
}

void ChartTree::addVertices(const Statechart &chart)
{
    for (const Vertex &vertex : chart.vertices) {
        const int parent = m_byId.value(vertex.parent, 0);
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

/// Replaces an unnamed only region by its children.
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
    const auto isState = [this](int child) {
        const Kind kind = m_nodes[child].vertex->kind;
        return kind == Kind::State || kind == Kind::Parallel;
    };
    QList<int> states;
    std::ranges::copy_if(all, std::back_inserter(states), isState);
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
            move(region, composite); // to the end, in order
        }
        m_nodes[region].isRegion = true;
        first = first < 0 ? region : first;
    }
    for (const int child : all)
        if (!isState(child) && !isHistory(m_nodes[child].vertex->kind))
            move(child, first);
}

/// Sets depths and regions, top down.
void ChartTree::setDepthsAndRegions(int index)
{
    for (const int child : std::as_const(m_nodes[index].children)) {
        if (m_nodes[child].isRegion)
            m_nodes[index].regions += child;
        m_nodes[child].depth = m_nodes[index].depth + 1;
        setDepthsAndRegions(child);
    }
}

bool ChartTree::isWholeChart(int index) const
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

int ChartTree::commonAncestor(int a, int b) const
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

int ChartTree::regionAround(int index) const
{
    do {
        index = m_nodes[index].parent;
    } while (index != 0 && !m_nodes[index].isRegion);
    return index;
}

namespace {

class Outliner
{
public:
    Outliner(const ChartTree &tree, const QList<OutlineArc> &arcs, const QList<bool> &isDeclared)
        : m_tree(tree), m_arcs(arcs), m_isDeclared(isDeclared), m_nodes(tree.size())
    {
        for (int i = 0; i < int(arcs.size()); ++i)
            place(i);
    }

    QList<OutlineStep> steps()
    {
        if (const int divided = m_tree.dividedChart(); divided >= 0) {
            writeRegions(divided);
        } else {
            writeBody(0);
            writeLate(0);
        }
        add(OutlineStep::Kind::Finish, 0);
        return m_steps;
    }

private:
    struct Place
    {
        QList<int> arcs;                 ///< at the end of its body
        QList<std::pair<int, int>> late; ///< of a region: body and arrow, after all else in it
        int held = 0;                    ///< arrows in its body, at any depth
    };

    void add(OutlineStep::Kind kind, int index) { m_steps.append({ kind, index }); }

    /// Chooses the body of an arrow. Inner bodies are written first, so an arrow must not be
    /// further inside than the previous arrow of the same state.
    void place(int index)
    {
        const OutlineArc &arc = m_arcs[index];
        int home = undivided(arc.home >= 0 ? arc.home : m_tree.commonAncestor(arc.from, arc.to));
        const int before = m_latest.value(arc.from, home);
        while (arc.home < 0 && !m_tree.isInside(before, home))
            home = undivided(m_tree.node(home).parent);
        const auto isElsewhere = [&](int end) { return !m_tree.isInside(end, home); };
        const bool isLate = m_late.contains(arc.from) || !m_tree.isInside(before, home)
            || isElsewhere(arc.from) || isElsewhere(arc.to)
            || (home == 0 && m_tree.dividedChart() >= 0);
        m_latest.insert(arc.from, home);
        if (isLate) {
            m_late.insert(arc.from);
            m_nodes[limit(home)].late.append({ home, index });
            return;
        }
        m_nodes[home].arcs += index;
        for (int node = home; node != 0; node = m_tree.node(node).parent)
            ++m_nodes[node].held;
    }

    /// The innermost node at or around this one whose body is not divided.
    int undivided(int node) const
    {
        while (node != 0 && !m_tree.regions(node).isEmpty())
            node = m_tree.node(node).parent;
        return node;
    }

    /// The region around a body, or the region itself; without regions, the statechart.
    int limit(int node) const
    {
        while (node != 0 && !m_tree.node(node).isRegion)
            node = m_tree.node(node).parent;
        return node;
    }

    bool hasBody(int node) const
    {
        return m_nodes[node].held > 0
            || std::ranges::any_of(m_tree.node(node).children,
                [this](int child) { return m_isDeclared[child] || m_tree.node(child).isRegion; });
    }

    void writeBody(int node)
    {
        for (const int child : m_tree.node(node).children) {
            if (!m_isDeclared[child] || m_tree.node(child).isRegion)
                continue;
            if (hasBody(child))
                writeComposite(child);
            else
                add(OutlineStep::Kind::Declare, child);
        }
        for (const int arc : std::as_const(m_nodes[node].arcs))
            add(OutlineStep::Kind::Connect, arc);
    }

    void writeComposite(int node)
    {
        add(OutlineStep::Kind::Open, node);
        if (m_tree.regions(node).isEmpty()) {
            writeBody(node);
            add(OutlineStep::Kind::Finish, node);
        } else {
            writeRegions(node);
        }
        add(OutlineStep::Kind::Close, node);
    }

    /// Writes arrows that had to wait for names declared in other bodies.
    void writeLate(int limit)
    {
        for (const auto &[home, arc] : std::as_const(m_nodes[limit].late)) {
            QList<int> path;
            for (int body = home; body != limit && body != 0; body = m_tree.node(body).parent)
                path.prepend(body);
            for (const int body : std::as_const(path))
                add(OutlineStep::Kind::Reopen, body);
            add(OutlineStep::Kind::Connect, arc);
            for (auto body = path.crbegin(); body != path.crend(); ++body)
                add(OutlineStep::Kind::Close, *body);
        }
    }

    void writeRegions(int composite)
    {
        const QList<int> &regions = m_tree.regions(composite);
        for (const int region : regions) {
            if (region != regions.first())
                add(OutlineStep::Kind::Separate, region);
            else // histories without "[H]" must be declared in a region
                for (const int child : m_tree.node(composite).children)
                    if (m_isDeclared[child] && !m_tree.node(child).isRegion)
                        add(OutlineStep::Kind::Declare, child);
            writeBody(region);
            writeLate(region);
            if (composite == m_tree.dividedChart() && region == regions.last())
                writeLate(0); // nothing follows these regions
            add(OutlineStep::Kind::Finish, region);
        }
    }

    const ChartTree &m_tree;
    const QList<OutlineArc> &m_arcs;
    const QList<bool> &m_isDeclared;
    QHash<int, int> m_latest; ///< node -> body of its last arrow
    QSet<int> m_late;         ///< nodes with late arrows
    QList<Place> m_nodes;
    QList<OutlineStep> m_steps;
};

} // namespace

QList<OutlineStep> chartOutline(
    const ChartTree &tree, const QList<OutlineArc> &arcs, const QList<bool> &isDeclared)
{
    return Outliner(tree, arcs, isDeclared).steps();
}

} // namespace instar
