// SPDX-License-Identifier: Apache-2.0
#include "model/formats/chart/chartbuilder.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

ChartBuilder::ChartBuilder()
{
    m_nodes.append(Node { .isOpened = true });
    m_open = { 0 };
    m_openLines = { 0 };
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

int ChartBuilder::dot(Dot which, int line)
{
    return makeDot(which, scope(), line);
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
    const Node &innermost = m_nodes[m_open.last()];
    return innermost.regions.isEmpty() ? m_open.last() : innermost.regions.last();
}

void ChartBuilder::move(int index, int to)
{
    if (m_nodes[index].parent == to)
        return;
    m_nodes[index].parent = to; // the former parent's list is looked through later
    m_nodes[to].children.append(index);
}

QList<int> ChartBuilder::childrenOf(int index) const
{
    QList<int> result;
    for (const int child : m_nodes[index].children)
        if (m_nodes[child].parent == index)
            result += child;
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end()); // it may have come back
    return result;
}

bool ChartBuilder::hasBody(int index) const
{
    const QList<int> &all = m_nodes[index].children;
    return std::any_of(all.begin(), all.end(), [&](int child) {
        const Vertex &vertex = m_nodes[child].vertex;
        const bool isHistory =
            vertex.kind == Kind::ShallowHistory || vertex.kind == Kind::DeepHistory;
        return m_nodes[child].parent == index && (vertex.isNamed || !isHistory);
    });
}

bool ChartBuilder::open(int state, int line)
{
    if (m_open.size() > Deepest)
        return false;
    Node &node = m_nodes[state];
    if (!node.isOpened) {
        node.isBar = false;
        takeIn(state); // where its body stands, though it may have been mentioned elsewhere
        node.isOpened = true;
    }
    m_open.append(state);
    m_openLines.append(line);
    return true;
}

bool ChartBuilder::close()
{
    if (!isInside())
        return false;
    m_open.removeLast();
    m_openLines.removeLast();
    return true;
}

void ChartBuilder::reportOpen(int last, QList<Remark> &remarks) const
{
    for (qsizetype i = 1; i < m_open.size(); ++i)
        remarks.append({ m_openLines[i],
            u"the \"{\" of %1 is not closed; a \"}\" is missing before the end in line %2"_s.arg(
                m_nodes[m_open[i]].vertex.id.left(60), QString::number(last)),
            false });
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

void ChartBuilder::takeIn(int state)
{
    Node &node = m_nodes[state];
    if (node.isOpened || node.parent == scope())
        return;
    move(state, scope());
    node.order = m_order++;
}

int ChartBuilder::split(int line)
{
    int composite = m_open.last();
    if (composite == 0) { // the statechart's own regions lie in a state of their own
        const QList<int> all = childrenOf(0);
        composite = add(Kind::Parallel, 0, line);
        for (const int child : all)
            move(child, composite);
        std::swap(m_nodes[composite].dots, m_nodes[0].dots);
        m_nodes[composite].isOpened = true;
        m_open[0] = composite;
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

void ChartBuilder::addNote(int of, int in, const Note &note)
{
    m_notes.append({ .note = note, .of = of, .in = in });
}

} // namespace instar
