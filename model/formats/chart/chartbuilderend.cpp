// SPDX-License-Identifier: Apache-2.0
// What can be said only when a text is over: what bars are, which regions there are, ids, orders.

#include "model/formats/chart/chartbuilder.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

namespace {

QStringView word(Kind kind)
{
    switch (kind) {
    case Kind::Initial:
        return u"initial";
    case Kind::Final:
        return u"final";
    case Kind::ShallowHistory:
        return u"history";
    case Kind::DeepHistory:
        return u"deepHistory";
    default:
        return u"regions";
    }
}

int rank(const ChartBuilder::Node &node)
{
    if (node.isBar)
        return 4;
    if (node.vertex.isNamed)
        return 3;
    switch (node.vertex.kind) {
    case Kind::Initial:
        return 0;
    case Kind::ShallowHistory:
        return 1;
    case Kind::DeepHistory:
        return 2;
    case Kind::Final:
        return 5;
    default:
        return 3;
    }
}

} // namespace

int ChartBuilder::regionAround(int index) const
{
    do {
        index = m_nodes[index].parent;
    } while (index > 0 && m_nodes[index].region == 0);
    return index;
}

void ChartBuilder::refuseCrossings(QList<Remark> &remarks)
{
    const auto called = [this](int index) {
        const Vertex &vertex = m_nodes[index].vertex;
        return vertex.isNamed ? vertex.id : u"a dot"_s;
    };
    m_arcs.removeIf([&](const BuiltArc &each) {
        if (regionAround(each.from) == regionAround(each.to))
            return false;
        remarks.append({ each.arc.line,
            u"the arrow from %1 to %2 leaves or enters a region, which the notation refuses; it is left out"_s
                .arg(called(each.from), called(each.to)) });
        return true;
    });
}

bool ChartBuilder::isInside(int index, int composite) const
{
    while (index > 0 && index != composite)
        index = m_nodes[index].parent;
    return index == composite;
}

/// Between dots and what lies outside the body around them there are no arrows: one to a final dot
/// leads to the composite.
void ChartBuilder::settleDots(QList<Remark> &remarks)
{
    for (BuiltArc &each : m_arcs) {
        const Node &to = m_nodes[each.to];
        if (to.vertex.isNamed || to.vertex.kind != Kind::Final || isInside(each.from, to.parent))
            continue;
        each.to = m_nodes[to.parent].region > 0 ? m_nodes[to.parent].parent : to.parent;
        remarks.append({ each.arc.line,
            u"the arrow comes from outside to a final dot; it leads to %1 instead"_s.arg(
                m_nodes[each.to].vertex.id) });
    }
    m_arcs.removeIf([&](const BuiltArc &each) {
        const Node &from = m_nodes[each.from];
        const bool isOut = !from.vertex.isNamed && from.vertex.kind == Kind::Initial
            && !isInside(each.to, from.parent);
        if (isOut)
            remarks.append({ each.arc.line,
                u"the arrow leads from an initial dot to the outside; it is left out"_s });
        return isOut;
    });
}

/// Dots to which no arrow is left are not there, and their notes neither.
void ChartBuilder::dropDots(QList<Remark> &remarks)
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
        const bool isLost = each.of >= 0 && m_nodes[each.of].parent < 0;
        if (isLost)
            remarks.append({ m_nodes[each.of].vertex.line,
                u"a note belongs to a dot without arrows; both are left out"_s });
        return isLost;
    });
}

void ChartBuilder::makeBars()
{
    QHash<int, int> arriving; // arrows that arrive
    QHash<int, int> leaving;
    for (const BuiltArc &each : std::as_const(m_arcs)) {
        for (const int end : { each.from, each.to })
            if (m_nodes[end].isBar && arriving[end] + leaving[end] == 0)
                m_nodes[end].order = m_order++; // only arrows that are left say where it comes
        ++arriving[each.to];
        ++leaving[each.from];
    }
    for (int i = 0; i < int(m_nodes.size()); ++i) {
        if (!m_nodes[i].isBar)
            continue;
        m_nodes[i].vertex.kind = arriving[i] > 1 && leaving[i] < 2 ? Kind::Join : Kind::Fork;
        m_nodes[i].isBar = arriving[i] + leaving[i] > 0;
    }
}

bool ChartBuilder::canMelt(int region, int only) const
{
    const Node &node = m_nodes[only];
    return m_nodes[region].region > 0 && m_nodes[region].vertex.particulars.isEmpty()
        && node.vertex.isNamed && node.isOpened && hasBody(only);
}

void ChartBuilder::melt()
{
    QSet<int> needed; // places of free notes
    for (BuiltNote &each : m_notes) {
        if (each.in == 0)
            each.in = m_open.first();
        if (!m_nodes[each.in].regions.isEmpty()) // they came later
            each.in = m_nodes[each.in].regions.first();
        if (each.of < 0)
            needed.insert(each.in);
    }
    for (int i = 1; i < int(m_nodes.size()); ++i) {
        const QList<int> inside = m_nodes[i].region == 0 ? QList<int>() : childrenOf(i);
        if (inside.size() != 1 || !canMelt(i, inside.first()) || needed.contains(i))
            continue;
        m_nodes[inside.first()].order = m_nodes[i].order;
        move(inside.first(), m_nodes[i].parent);
        m_nodes[i].parent = -1;
    }
}

QList<int> ChartBuilder::sortedChildren(int index) const
{
    QList<int> all = childrenOf(index);
    std::sort(all.begin(), all.end(), [this](int a, int b) {
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
    const QString said =
        node.region > 0 ? u"region%1"_s.arg(node.region) : word(node.vertex.kind).toString();
    const bool isState = node.vertex.kind == Kind::State || node.vertex.kind == Kind::Parallel;
    const auto made = isState ? madeUpStateId : madeUpId;
    qsizetype &number = m_tried[made(outer, said, 1)];
    QString id;
    do {
        id = made(outer, said, ++number);
    } while (m_byName.contains(id));
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

void ChartBuilder::placeArcs(Statechart &chart)
{
    for (BuiltArc &each : m_arcs) {
        each.arc.from = m_nodes[each.from].vertex.id;
        each.arc.to = { m_nodes[each.to].vertex.id };
        chart.arcs.append(std::move(each.arc));
    }
}

void ChartBuilder::placeNotes(Statechart &chart)
{
    const auto key = [this](const BuiltNote &each) {
        return std::pair(each.of < 0, m_places[each.of < 0 ? each.in : each.of]);
    };
    std::stable_sort(m_notes.begin(), m_notes.end(),
        [&](const BuiltNote &a, const BuiltNote &b) { return key(a) < key(b); });
    for (BuiltNote &each : m_notes) {
        if (each.of >= 0)
            each.note.of = m_nodes[each.of].vertex.id;
        else if (each.in > 0)
            each.note.particulars.insert(u"note.in"_s, m_nodes[each.in].vertex.id);
        chart.notes.append(std::move(each.note));
    }
}

Statechart ChartBuilder::finished(Crossing crossing, QList<Remark> &remarks)
{
    if (crossing == Crossing::Refused)
        refuseCrossings(remarks);
    else
        settleDots(remarks);
    dropDots(remarks);
    makeBars();
    melt();
    m_places.fill(-1, m_nodes.size());
    Statechart chart;
    place(0, chart);
    placeArcs(chart);
    placeNotes(chart);
    return chart;
}

} // namespace instar
