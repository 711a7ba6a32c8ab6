// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/chartbuilder.h"

#include "model/pack/nearest.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

ChartBuilder::ChartBuilder()
{
    m_nodes.append(Node { .isOpened = true });
    m_open = { { 0, 0 } };
}

int ChartBuilder::add(Kind kind, int parent, int line)
{
    Node node;
    node.vertex.kind = kind;
    node.vertex.line = line;
    node.vertex.isNamed = false;
    node.parent = parent;
    const int index = int(m_nodes.size());
    node.order = m_order++;
    m_nodes.append(std::move(node));
    m_nodes[parent].children.append(index);
    return index;
}

int ChartBuilder::named(const QString &name, int line)
{
    if (const int found = known(name); found >= 0)
        return found;
    const int index = add(Kind::State, scope(), line);
    m_nodes[index].vertex.id = name;
    m_nodes[index].vertex.isNamed = true;
    m_byName.insert(name, index);
    m_latest = index;
    return index;
}

int ChartBuilder::makeDot(Dot which, int parent, int line)
{
    constexpr std::array kinds { Kind::Initial, Kind::ShallowHistory, Kind::DeepHistory,
        Kind::Final };
    if (const int found = m_nodes[parent].dots[size_t(which)]; found >= 0)
        return found;
    const int index = add(kinds[size_t(which)], parent, line);
    m_nodes[parent].dots[size_t(which)] = index;
    m_latest = index;
    return index;
}

int ChartBuilder::historyOf(int composite, Dot which, int line)
{
    const bool isNew = m_nodes[composite].dots[size_t(which)] < 0;
    const int index = makeDot(which, composite, line);
    if (isNew)
        m_nodes[index].isFromOutside = true;
    return index;
}

int ChartBuilder::scope() const
{
    const int innermost = m_open.last().node;
    return m_nodes[innermost].regions.value(m_nodes[innermost].regions.size() - 1, innermost);
}

void ChartBuilder::move(int index, int to)
{
    if (m_nodes[index].parent == to)
        return;
    m_nodes[index].parent = to; // childrenOf() ignores the stale entry in the old parent's list
    m_nodes[to].children.append(index);
}

QList<int> ChartBuilder::childrenOf(int index) const
{
    QList<int> result;
    for (const int child : m_nodes[index].children)
        if (m_nodes[child].parent == index)
            result += child;
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end()); // moved away and back
    return result;
}

bool ChartBuilder::hasBody(int index) const
{
    const QList<int> &all = m_nodes[index].children;
    return std::ranges::any_of(all, [&](int child) {
        const Vertex &vertex = m_nodes[child].vertex;
        return m_nodes[child].parent == index && (vertex.isNamed || !isHistory(vertex.kind));
    });
}

bool ChartBuilder::open(int state, int line)
{
    if (m_open.size() > Deepest)
        return false;
    Node &node = m_nodes[state];
    if (!node.isOpened) {
        node.isBar = false;
        moveIntoScope(state); // the body decides the parent, not the first mention of the name
        node.isOpened = true;
    }
    m_open.append({ state, line });
    return true;
}

void ChartBuilder::reportOpen(int last, QList<Diagnostic> &remarks) const
{
    for (const OpenBody &body : m_open.sliced(1))
        remarks.append({ body.line,
            u"the \"{\" of %1 is not closed; add a \"}\" before the end of the diagram in line %2"_s
                .arg(m_nodes[body.node].vertex.id.left(60), QString::number(last)),
            Diagnostic::Severity::Note });
}

void ChartBuilder::makeRegions(int composite, int line)
{
    const QList<int> all = childrenOf(composite);
    const int first = add(Kind::State, composite, line);
    m_nodes[first].region = 1;
    for (const int child : all)
        if (!m_nodes[child].isFromOutside)
            move(child, first);
    for (size_t i = 0; i < m_nodes[first].dots.size(); ++i) {
        int &dot = m_nodes[composite].dots[i];
        if (dot >= 0 && !m_nodes[dot].isFromOutside)
            std::swap(dot, m_nodes[first].dots[i]);
    }
    m_nodes[composite].regions.append(first);
    m_nodes[composite].vertex.kind = Kind::Parallel;
}

void ChartBuilder::moveIntoScope(int state)
{
    Node &node = m_nodes[state];
    if (node.isOpened || node.parent == scope())
        return;
    move(state, scope());
    node.order = m_order++;
}

int ChartBuilder::beginRegion(int line)
{
    int composite = m_open.last().node;
    if (composite == 0) { // top-level regions need a parallel state around them
        const QList<int> all = childrenOf(0);
        composite = add(Kind::Parallel, 0, line);
        for (const int child : all)
            move(child, composite);
        std::swap(m_nodes[composite].dots, m_nodes[0].dots);
        m_nodes[composite].isOpened = true;
        m_open[0].node = composite;
    }
    if (m_nodes[composite].regions.isEmpty())
        makeRegions(composite, line);
    const int next = add(Kind::State, composite, line);
    m_nodes[composite].regions.append(next);
    m_nodes[next].region = int(m_nodes[composite].regions.size());
    return next;
}

Arc &ChartBuilder::connect(int from, int to, int line)
{
    Arc arc;
    arc.line = line;
    m_arcs.append({ .arc = std::move(arc), .from = from, .to = to });
    return m_arcs.last().arc;
}

namespace {

/// Word of a kind in generated ids; "regions" for the state around top-level regions.
QString idWord(Kind kind)
{
    static const QMap<Kind, QString> words { { Kind::Initial, u"initial"_s },
        { Kind::Final, u"final"_s }, { Kind::ShallowHistory, u"history"_s },
        { Kind::DeepHistory, u"deepHistory"_s } };
    return words.value(kind, u"regions"_s);
}

/// Sort key of a node among its siblings.
int rank(const ChartBuilder::Node &node)
{
    static const QMap<Kind, int> ranks { { Kind::Initial, 0 }, { Kind::ShallowHistory, 1 },
        { Kind::DeepHistory, 2 }, { Kind::Final, 4 } };
    return node.vertex.isNamed ? 3 : ranks.value(node.vertex.kind, 3);
}

} // namespace

/// Innermost region that contains a node and is not the node itself; 0 (the statechart) if there
/// is none.
int ChartBuilder::regionAround(int index) const
{
    do {
        index = m_nodes[index].parent;
    } while (index > 0 && m_nodes[index].region == 0);
    return index;
}

/// Removes arrows that cross the border of a region if one of their ends is an unnamed vertex below
/// the top level: PlantUML and Mermaid cannot express them.
void ChartBuilder::removeCrossings(QList<Diagnostic> &remarks)
{
    const auto nameOf = [this](int index) {
        const Vertex &vertex = m_nodes[index].vertex;
        return vertex.isNamed ? vertex.id : u"an unnamed state"_s;
    };
    m_arcs.removeIf([&](const BuiltArc &each) {
        const auto isUnnamedInside = [this](int end) {
            return !m_nodes[end].vertex.isNamed && m_nodes[end].parent != 0;
        };
        if ((!isUnnamedInside(each.from) && !isUnnamedInside(each.to))
            || regionAround(each.from) == regionAround(each.to))
            return false;
        remarks.append({ each.arc.line,
            u"the arrow from %1 to %2 is left out: only arrows between named states can cross the border of a region"_s
                .arg(nameOf(each.from), nameOf(each.to)) });
        return true;
    });
}

/// Removes initial, final and other unnamed pseudostates without arrows, and their notes.
void ChartBuilder::dropDots(QList<Diagnostic> &remarks)
{
    QList<bool> isUsed(m_nodes.size(), false);
    for (const BuiltArc &each : std::as_const(m_arcs))
        isUsed[each.from] = isUsed[each.to] = true;
    for (int i = 1; i < int(m_nodes.size()); ++i) {
        const Vertex &vertex = m_nodes[i].vertex;
        if (!isUsed[i] && !vertex.isNamed && vertex.kind != Kind::State
            && vertex.kind != Kind::Parallel)
            m_nodes[i].parent = -1;
    }
    m_notes.removeIf([&](const BuiltNote &each) {
        const bool isRemoved = each.of >= 0 && m_nodes[each.of].parent < 0;
        if (isRemoved)
            remarks.append({ m_nodes[each.of].vertex.line,
                u"a note belongs to an initial or final state without arrows; both are left out"_s });
        return isRemoved;
    });
}

/// Decides the kind of each bar: a join has several incoming and at most one outgoing arrow, any
/// other bar is a fork.
void ChartBuilder::makeBars()
{
    QHash<int, int> incoming, outgoing;
    for (const BuiltArc &each : std::as_const(m_arcs)) {
        ++incoming[each.to];
        ++outgoing[each.from];
    }
    for (int i = 0; i < int(m_nodes.size()); ++i)
        if (m_nodes[i].isBar)
            m_nodes[i].vertex.kind = incoming[i] > 1 && outgoing[i] < 2 ? Kind::Join : Kind::Fork;
}

/// Replaces each region whose only child is a composite by that composite.
void ChartBuilder::unwrapRegions()
{
    for (int i = 1; i < int(m_nodes.size()); ++i) {
        const QList<int> children = m_nodes[i].region == 0 ? QList<int>() : childrenOf(i);
        if (children.size() != 1)
            continue;
        const Node &only = m_nodes[children.first()];
        if (!only.vertex.isNamed || !only.isOpened || !hasBody(children.first()))
            continue;
        m_nodes[children.first()].order = m_nodes[i].order;
        move(children.first(), m_nodes[i].parent);
        m_nodes[i].parent = -1;
    }
}

QList<int> ChartBuilder::sortedChildren(int index) const
{
    QList<int> all = childrenOf(index);
    std::ranges::sort(all, [this](int a, int b) {
        return std::pair(rank(m_nodes[a]), m_nodes[a].order)
            < std::pair(rank(m_nodes[b]), m_nodes[b].order);
    });
    return all;
}

QString ChartBuilder::idOf(int index, int parent)
{
    const Node &node = m_nodes[index];
    if (node.vertex.isNamed)
        return node.vertex.id;
    const QString &outer = m_nodes[parent].vertex.id;
    const QString word =
        node.region > 0 ? u"region%1"_s.arg(node.region) : idWord(node.vertex.kind);
    const char *const between = idSeparator(node.vertex.kind);
    const QString id = freshName(madeUpId(outer, word, between), m_byName, between);
    m_byName.insert(id, index);
    return id;
}

void ChartBuilder::place(int index, Statechart &chart)
{
    for (const int child : sortedChildren(index)) {
        Vertex &vertex = m_nodes[child].vertex;
        vertex.id = idOf(child, index);
        vertex.parent = m_nodes[index].vertex.id;
        m_places[child] = int(chart.vertices.size());
        chart.vertices.append(vertex);
        place(child, chart);
    }
}

Statechart ChartBuilder::finished(QList<Diagnostic> &remarks)
{
    removeCrossings(remarks);
    dropDots(remarks);
    makeBars();
    unwrapRegions();
    m_places.fill(-1, m_nodes.size());
    Statechart chart;
    place(0, chart);
    for (BuiltArc &each : m_arcs) {
        each.arc.from = m_nodes[each.from].vertex.id;
        each.arc.to = { m_nodes[each.to].vertex.id };
        chart.arcs.append(std::move(each.arc));
    }
    std::ranges::stable_sort(m_notes, {},
        [this](const BuiltNote &each) { return each.of < 0 ? m_nodes.size() : m_places[each.of]; });
    for (BuiltNote &each : m_notes) {
        if (each.of >= 0)
            each.note.of = m_nodes[each.of].vertex.id;
        chart.notes.append(std::move(each.note));
    }
    return chart;
}

} // namespace instar
