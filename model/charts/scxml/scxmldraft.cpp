// SPDX-License-Identifier: Apache-2.0
#include "model/charts/scxml/scxmldraft.h"

#include "model/charts/chartplan.h"
#include "model/formats/reading.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar::scxml {

namespace {

using Kind = Vertex::Kind;

QStringView usualWord(Kind kind)
{
    switch (kind) {
    case Kind::Initial:
        return u"initial";
    case Kind::Final:
        return u"final";
    case Kind::Parallel:
        return u"parallel";
    case Kind::ShallowHistory:
    case Kind::DeepHistory:
        return u"history";
    default:
        return u"state";
    }
}

/// One that tells of its end.
bool isState(Kind kind)
{
    return kind == Kind::State || kind == Kind::Parallel;
}

QString quoted(const QString &name)
{
    return u'"' + oneLine(name.left(100)) + u'"';
}

} // namespace

StatechartsRead Draft::finished()
{
    for (int i = 0; i < vertices.size(); ++i) {
        DraftVertex &each = vertices[i];
        if (each.name.isEmpty())
            continue;
        const auto known = m_byName.constFind(each.name);
        if (known != m_byName.constEnd()) {
            remarks.append({ each.vertex.line,
                u"the id %1 is that of line %2 already; the state gets another one, and no arrow leads to it"_s
                    .arg(quoted(each.name))
                    .arg(vertices[*known].vertex.line) });
            each.name.clear();
            continue;
        }
        m_byName.insert(each.name, i);
    }
    addInitials();
    lift();
    sort();
    nameAll();
    resolve();
    std::ranges::stable_sort(remarks, {}, &Remark::line);
    return { { chart }, remarks };
}

int Draft::find(const QString &name, int line, const QString &what)
{
    const auto found = m_byName.constFind(name);
    if (found != m_byName.constEnd())
        return *found;
    remarks.append({ line, u"there is no state %1; the %2 is left out"_s.arg(quoted(name), what) });
    return -1;
}

bool Draft::isAround(int vertex, int inner) const
{
    int steps = 0;
    for (int at = inner; at >= 0; at = vertices[at].parent) {
        if (at == vertex || ++steps > DeepestChart)
            return true;
    }
    return false;
}

/// An attribute "initial" is an initial vertex, but where it names one that we wrote as a state.
void Draft::addInitials()
{
    QSet<int> dropped;
    for (DraftArc &each : arcs) {
        if (each.from < 0 || !vertices[each.from].isMade)
            continue;
        const DraftVertex &from = vertices[each.from];
        const int to = each.arc.to.size() == 1 ? m_byName.value(each.arc.to.first(), -1) : -1;
        const bool isOurs = to >= 0 && vertices[to].vertex.kind == Kind::Initial
            && vertices[to].parent == from.parent;
        const bool isUnknown = std::ranges::none_of(
            each.arc.to, [&](const QString &name) { return m_byName.contains(name); });
        if (isUnknown) {
            remarks.append({ each.arc.line,
                u"the initial state %1 does not exist; the first state is taken"_s.arg(
                    quoted(each.arc.to.join(u' '))) });
        }
        if (isOurs || isUnknown)
            dropped.insert(each.from);
    }
    if (dropped.isEmpty())
        return;
    arcs.removeIf([&](const DraftArc &each) { return dropped.contains(each.from); });
    QList<int> moved(vertices.size(), -1);
    QList<DraftVertex> kept;
    for (int i = 0; i < vertices.size(); ++i) {
        if (dropped.contains(i))
            continue;
        moved[i] = int(kept.size());
        kept.append(std::move(vertices[i]));
    }
    const auto renumber = [&](int &index) { index = index < 0 ? -1 : moved[index]; };
    for (DraftVertex &each : kept)
        renumber(each.parent);
    for (DraftArc &each : arcs)
        renumber(each.from);
    for (int &each : m_byName)
        renumber(each);
    vertices = kept;
}

/// Puts back what could not be written where it belongs.
void Draft::lift()
{
    for (int i = 0; i < vertices.size(); ++i) {
        if (vertices[i].lifted.isEmpty())
            continue;
        const int home =
            find(vertices[i].lifted, vertices[i].vertex.line, u"composite around a vertex"_s);
        if (home >= 0 && !isAround(i, home))
            vertices[i].parent = home;
    }
}

void Draft::sort()
{
    QList<QList<int>> inside(vertices.size() + 1); // by parent + 1
    for (int i = 0; i < vertices.size(); ++i)
        inside[vertices[i].parent + 1] += i;
    m_rank.resize(vertices.size());
    QList<int> open;
    const auto push = [&](int parent) {
        const QList<int> &children = inside[parent + 1];
        for (qsizetype i = children.size(); i-- > 0;)
            open += children[i];
    };
    push(-1);
    while (!open.isEmpty()) {
        const int at = open.takeLast();
        m_rank[at] = int(m_order.size());
        m_order += at;
        push(at);
    }
}

void Draft::nameAll()
{
    QSet<QString> taken;
    for (DraftVertex &each : vertices) {
        each.vertex.id =
            each.ownId.isEmpty() || taken.contains(each.ownId) ? each.name : each.ownId;
        if (taken.contains(each.vertex.id))
            each.vertex.id.clear();
        if (!each.vertex.id.isEmpty())
            taken.insert(each.vertex.id);
    }
    QHash<QString, qsizetype> tried;
    for (const int index : std::as_const(m_order)) {
        DraftVertex &each = vertices[index];
        each.vertex.parent = each.parent < 0 ? QString() : vertices[each.parent].vertex.id;
        if (!each.vertex.id.isEmpty())
            continue;
        each.vertex.isNamed = false;
        const auto made = isState(each.vertex.kind) ? madeUpStateId : madeUpId;
        qsizetype &number = tried[made(each.vertex.parent, usualWord(each.vertex.kind), 1)];
        do {
            each.vertex.id = made(each.vertex.parent, usualWord(each.vertex.kind), ++number);
        } while (taken.contains(each.vertex.id));
        taken.insert(each.vertex.id);
    }
    for (const int index : std::as_const(m_order))
        chart.vertices.append(vertices[index].vertex);
    for (Note &note : chart.notes) {
        const int of = note.of.isEmpty() ? -1 : find(note.of, 0, u"end of a note at it"_s);
        note.of = of < 0 ? QString() : vertices[of].vertex.id;
    }
}

void Draft::resolve()
{
    std::ranges::stable_sort(arcs, {}, [this](const DraftArc &each) { return m_rank[each.from]; });
    for (DraftArc &each : arcs) {
        QStringList to;
        for (const QString &name : std::as_const(each.arc.to)) {
            const int target = find(name, each.arc.line, u"transition to it"_s);
            if (target >= 0)
                to += vertices[target].vertex.id;
        }
        if (to.isEmpty() && !each.arc.to.isEmpty())
            continue;
        each.arc.to = to;
        each.arc.from = vertices[each.from].vertex.id;
        chart.arcs.append(each.arc);
    }
}

} // namespace instar::scxml
