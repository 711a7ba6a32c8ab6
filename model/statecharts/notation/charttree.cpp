// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/charttree.h"

#include <algorithm>
#include <limits>

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

namespace {

constexpr int never = std::numeric_limits<int>::max();

/// The arrows in some body, in order, some of which are in the text already.
struct Sequence
{
    QList<int> arcs;
    qsizetype at = 0;
};

class Outliner
{
public:
    Outliner(const ChartTree &tree, const QList<OutlineArc> &arcs, const QList<bool> &isDeclared,
        OutlineOrder order)
        : m_tree(tree),
          m_arcs(arcs),
          m_needsDeclaring(isDeclared),
          m_order(order),
          m_home(arcs.size()),
          m_isDone(arcs.size(), false),
          m_nodes(tree.size())
    {
        findHomes();
    }

    QList<OutlineStep> steps()
    {
        Sequence all { m_nodes[0].arcs };
        const int divided = m_tree.dividedChart();
        if (divided >= 0)
            writeRegions(divided);
        else
            writeBody(0, all);
        if (divided < 0)
            writeRest(0);
        add(OutlineStep::Kind::Finish, 0);
        return m_steps;
    }

private:
    struct Place
    {
        QList<int> arcs; ///< with their homes in the node, however deep
        int held = 0;    ///< so many arrows come with its body
        bool isSaid = false;
        bool isOpened = false;

        int first() const { return arcs.isEmpty() ? never : arcs.first(); }
        int last() const { return arcs.isEmpty() ? -1 : arcs.last(); }
    };

    void add(OutlineStep::Kind kind, int index) { m_steps.append({ kind, index }); }

    void findHomes()
    {
        for (int i = 0; i < int(m_arcs.size()); ++i) {
            const OutlineArc &arc = m_arcs[i];
            m_home[i] = undivided(arc.home >= 0 ? arc.home : m_tree.common(arc.from, arc.to));
            m_nodes[0].arcs += i;
            for (int node = m_home[i]; node != 0; node = m_tree.node(node).parent) {
                m_nodes[node].arcs += i;
                ++m_nodes[node].held;
            }
        }
        if (m_order == OutlineOrder::Tidy)
            return;
        const QList<int> widest = m_home;
        for (int i = 0; i < int(m_arcs.size()); ++i)
            if (m_arcs[i].home < 0 && m_tree.regionAround(m_arcs[i].from) == 0)
                sink(i);
        for (int i = 0; i < int(m_arcs.size()); ++i)
            for (int node = m_home[i]; node != widest[i]; node = m_tree.node(node).parent)
                ++m_nodes[node].held;
    }

    /// The innermost node around that is one body.
    int undivided(int node) const
    {
        while (node != 0 && !m_tree.regions(node).isEmpty())
            node = m_tree.node(node).parent;
        return node;
    }

    /// Puts an arrow that stands between those of a body into that body.
    void sink(int arc)
    {
        for (bool isSinking = true; isSinking;) {
            isSinking = false;
            for (const int end : { m_arcs[arc].from, m_arcs[arc].to }) {
                if (end == m_home[arc] || !m_tree.isInside(end, m_home[arc]))
                    continue;
                const int body = m_tree.branch(end, m_home[arc]);
                if (body == end || m_nodes[body].first() > arc || m_nodes[body].last() < arc
                    || !m_tree.regions(body).isEmpty())
                    continue;
                m_home[arc] = body;
                isSinking = true;
                break;
            }
        }
    }

    bool hasBody(int node) const
    {
        const QList<int> &children = m_tree.node(node).children;
        return m_nodes[node].held > 0 || std::ranges::any_of(children, [this](int child) {
            return m_needsDeclaring[child] || m_tree.node(child).isRegion;
        });
    }

    /// The next arrow of the sequence; -1: there is none.
    int next(Sequence &sequence) const
    {
        while (sequence.at < sequence.arcs.size() && m_isDone[sequence.arcs[sequence.at]])
            ++sequence.at;
        return sequence.at < sequence.arcs.size() ? sequence.arcs[sequence.at] : -1;
    }

    /// What is not declared itself is said with what it lies in.
    bool isSaid(int node) const
    {
        while (node != 0 && !m_needsDeclaring[node])
            node = m_tree.node(node).parent;
        return node == 0 || m_nodes[node].isSaid;
    }

    /// Can the body stand here as a whole, so that all arrows keep their order?
    bool isNext(int node, Sequence &sequence) const
    {
        const Place &place = m_nodes[node];
        if (place.held == 0)
            return true;
        const int begin = next(sequence);
        if (begin != place.first() || place.last() - begin + 1 != place.held)
            return false;
        for (int i = begin; i <= place.last(); ++i)
            for (const int end : { m_arcs[i].from, m_arcs[i].to })
                if (!isSaid(end) && !m_tree.isInside(end, node))
                    return false;
        return true;
    }

    void writeBody(int node, Sequence &sequence)
    {
        for (const int child : m_tree.node(node).children) {
            if (!m_needsDeclaring[child])
                continue;
            if (hasBody(child) && isNext(child, sequence)) {
                writeComposite(child, sequence);
            } else {
                add(OutlineStep::Kind::Declare, child);
                m_nodes[child].isSaid = true;
            }
        }
        writeArcs(node, sequence);
    }

    void writeComposite(int node, Sequence &sequence)
    {
        const bool isFirst = !m_nodes[node].isOpened;
        m_nodes[node].isOpened = true;
        m_nodes[node].isSaid = true;
        add(isFirst ? OutlineStep::Kind::Open : OutlineStep::Kind::Reopen, node);
        if (!isFirst)
            writeArcs(node, sequence);
        else if (!m_tree.regions(node).isEmpty())
            writeRegions(node);
        else if (m_order == OutlineOrder::Kept)
            writeBody(node, sequence);
        else
            writeWhole(node);
        if (isFirst && m_tree.regions(node).isEmpty())
            add(OutlineStep::Kind::Finish, node);
        add(OutlineStep::Kind::Close, node);
    }

    void writeWhole(int node)
    {
        Sequence own { m_nodes[node].arcs };
        writeBody(node, own);
    }

    /// Arrows that had to wait for names said elsewhere, now that all are.
    void writeRest(int node)
    {
        for (const int arc : std::as_const(m_nodes[node].arcs)) {
            if (m_isDone[arc])
                continue;
            QList<int> path;
            for (int home = m_home[arc]; home != node; home = m_tree.node(home).parent)
                path.prepend(home);
            for (const int body : std::as_const(path))
                add(OutlineStep::Kind::Reopen, body);
            connect(arc);
            for (auto body = path.crbegin(); body != path.crend(); ++body)
                add(OutlineStep::Kind::Close, *body);
        }
    }

    void connect(int arc)
    {
        add(OutlineStep::Kind::Connect, arc);
        m_isDone[arc] = true;
    }

    void writeRegions(int composite)
    {
        const QList<int> regions = m_tree.regions(composite);
        for (const int region : regions) {
            if (region == regions.first())
                declareBesideRegions(composite);
            else
                add(OutlineStep::Kind::Separate, region);
            writeWhole(region);
            writeRest(region);
            if (composite == m_tree.dividedChart() && region == regions.last())
                writeRest(0); // there is nothing outside of these regions
            add(OutlineStep::Kind::Finish, region);
        }
    }

    /// Histories that the notation can only declare, which it must do in a region.
    void declareBesideRegions(int composite)
    {
        for (const int child : m_tree.node(composite).children) {
            if (!m_needsDeclaring[child])
                continue;
            add(OutlineStep::Kind::Declare, child);
            m_nodes[child].isSaid = true;
        }
    }

    /// Arrows that stand in the body or in one that lies in it. Those that use a name that must be
    /// said elsewhere before wait; if the order is kept, so do all that follow.
    void writeArcs(int node, Sequence &sequence)
    {
        if (m_order == OutlineOrder::Tidy) {
            for (const int arc : std::as_const(sequence.arcs)) {
                const bool isSayable = m_isDone[arc] || sayEnds(arc, node, sequence);
                if (!m_isDone[arc] && (isSayable || m_home[arc] != node))
                    writeArc(arc, node, sequence);
            }
            return;
        }
        for (int arc = next(sequence); arc >= 0; arc = next(sequence)) {
            if (!m_tree.isInside(m_home[arc], node) || !sayEnds(arc, node, sequence))
                return;
            writeArc(arc, node, sequence);
        }
    }

    void writeArc(int arc, int node, Sequence &sequence)
    {
        const int body = m_home[arc] == node ? node : m_tree.branch(m_home[arc], node);
        if (body == node)
            connect(arc);
        else if (m_order == OutlineOrder::Kept || !m_nodes[body].isOpened)
            writeComposite(body, sequence);
    }

    /// Says the ends of an arrow that lie in the node, but not those in a body of which the turn is
    /// to come. False: one is elsewhere.
    bool sayEnds(int arc, int node, Sequence &sequence)
    {
        const int home = m_home[arc];
        for (const int end : { m_arcs[arc].from, m_arcs[arc].to }) {
            if (isSaid(end) || (home != node && m_tree.isInside(end, home)))
                continue;
            if (!m_tree.isInside(end, limit(node)))
                continue; // it is not said here at all
            if (!m_tree.isInside(end, node))
                return false;
            openTo(end, node, sequence);
        }
        return true;
    }

    /// The region in which all names of the node's arrows are said; without regions, the
    /// statechart.
    int limit(int node) const
    {
        while (node != 0 && !m_tree.node(node).isRegion)
            node = m_tree.node(node).parent;
        return node;
    }

    void openTo(int end, int node, Sequence &sequence)
    {
        const int body = m_tree.branch(end, node);
        if (!m_nodes[body].isOpened)
            writeComposite(body, sequence);
        if (isSaid(end) || body == end)
            return;
        add(OutlineStep::Kind::Reopen, body);
        openTo(end, body, sequence);
        add(OutlineStep::Kind::Close, body);
    }

    const ChartTree &m_tree;
    const QList<OutlineArc> &m_arcs;
    const QList<bool> &m_needsDeclaring;
    OutlineOrder m_order;
    QList<int> m_home;
    QList<bool> m_isDone;
    QList<Place> m_nodes;
    QList<OutlineStep> m_steps;
};

} // namespace

QList<OutlineStep> chartOutline(const ChartTree &tree, const QList<OutlineArc> &arcs,
    const QList<bool> &isDeclared, OutlineOrder order)
{
    return Outliner(tree, arcs, isDeclared, order).steps();
}

QList<int> arrowsOf(const QList<OutlineStep> &outline)
{
    QList<int> result;
    for (const OutlineStep &step : outline)
        if (step.kind == OutlineStep::Kind::Connect)
            result += step.index;
    return result;
}

} // namespace instar
