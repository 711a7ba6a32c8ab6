// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/chartplan.h"

#include "model/pack/nearest.h"
#include "model/statecharts/interpreter.h"
#include "model/statecharts/notation/notations.h"

#include <QHash>
#include <QSet>
#include <QXmlStreamReader>

#include <algorithm>

namespace instar {

using Kind = Vertex::Kind;

namespace {

constexpr qsizetype MostSteps = 10'000'000; // charts drawn by people are far smaller

/// Transformation that adds explicit regions to forks drawn without them. Each arrow of a fork
/// begins a region, which ends at a join or final state; a fork whose regions would overlap stays
/// unchanged. An arrow with an event into a join gets a new target beside its source: a state that
/// waits for the join's other arrows.
class ForkRegions
{
public:
    explicit ForkRegions(Statechart chart) : m_chart(std::move(chart)) { }

    Statechart made()
    {
        QStringList forks;
        for (const Vertex &vertex : std::as_const(m_chart.vertices)) {
            if (vertex.kind == Kind::Fork)
                forks += vertex.id;
        }
        if (forks.size() * m_chart.arcs.size() > MostSteps)
            return std::move(m_chart);
        for (const QString &fork : std::as_const(forks)) {
            indexChart();
            addRegions(fork);
        }
        indexChart();
        addWaits();
        return std::move(m_chart);
    }

private:
    void indexChart()
    {
        m_at.clear();
        m_leaving.clear();
        for (int i = 0; i < m_chart.vertices.size(); ++i)
            m_at.insert(m_chart.vertices[i].id, i);
        for (const Arc &arc : std::as_const(m_chart.arcs)) {
            for (const QString &to : arc.to)
                m_leaving[arc.from] += to;
        }
    }

    const Vertex *vertex(const QString &id) const
    {
        const int at = m_at.value(id, -1);
        return at < 0 ? nullptr : &m_chart.vertices[at];
    }

    /// Returns the child of `parent` that is or contains `id`; empty: `id` is outside.
    QString childAround(QString id, const QString &parent) const
    {
        for (qsizetype steps = 0; steps <= m_chart.vertices.size(); ++steps) {
            const Vertex *at = vertex(id);
            if (!at || at->parent == parent)
                return at ? id : QString();
            id = at->parent;
        }
        return {};
    }

    /// Returns the children of `parent` on paths from `from` that stop at joins and final states.
    QSet<QString> reached(const QString &from, const QString &parent, const QString &fork,
        const QHash<QString, QStringList> &leading) const
    {
        QSet<QString> result;
        QStringList open { from };
        while (!open.isEmpty()) {
            const QString id = childAround(open.takeLast(), parent);
            const Vertex *at = vertex(id);
            if (!at || at->kind == Kind::Join || at->kind == Kind::Final || id == fork
                || result.contains(id))
                continue;
            result.insert(id);
            open += leading.value(id);
        }
        return result;
    }

    void addRegions(const QString &fork)
    {
        const QStringList targets = m_leaving.value(fork);
        const Vertex *first = targets.isEmpty() ? nullptr : vertex(targets.first());
        if (targets.size() < 2 || !first)
            return;
        const QString parent = first->parent;
        const Vertex *around = vertex(parent);
        const bool areBeside = std::ranges::all_of(
            targets, [&](const QString &id) { return vertex(id) && vertex(id)->parent == parent; });
        if (!areBeside || (around && around->kind == Kind::Parallel))
            return;
        QHash<QString, QStringList> leading; // child of `parent` -> targets of its arcs
        for (auto it = m_leaving.cbegin(); it != m_leaving.cend(); ++it)
            leading[childAround(it.key(), parent)] += *it;
        QHash<QString, int> regionOf;
        for (int i = 0; i < targets.size(); ++i) {
            for (const QString &id : reached(targets[i], parent, fork, leading)) {
                if (regionOf.contains(id))
                    return;
                regionOf.insert(id, i);
            }
        }
        wrapInRegions(fork, parent, targets, regionOf);
    }

    QString freeId(const QString &fork, QStringView word) const
    {
        return freshName(generatedId(fork, word), m_at, ".");
    }

    void wrapInRegions(const QString &fork, const QString &parent, const QStringList &targets,
        const QHash<QString, int> &regionOf)
    {
        QList<Vertex> made;
        const auto add = [&](Kind kind, const QString &id, const QString &in) {
            made.append({ .kind = kind, .id = id, .parent = in, .isNamed = false });
            m_at.insert(id, 0);
        };
        const QString parallel = freeId(fork, u"regions");
        add(Kind::Parallel, parallel, parent);
        QStringList regions;
        for (int i = 0; i < targets.size(); ++i) {
            regions += freeId(fork, u"region");
            add(Kind::State, regions.last(), parallel);
        }
        for (Vertex &vertex : m_chart.vertices) {
            if (regionOf.contains(vertex.id))
                vertex.parent = regions[regionOf[vertex.id]];
        }
        const qsizetype at = m_at[fork] + 1;
        m_chart.vertices = m_chart.vertices.first(at) + made + m_chart.vertices.sliced(at);
    }

    /// Puts a waiting state (an unnamed join) into each arrow with an event that leads to a join.
    void addWaits()
    {
        QHash<QString, int> arriving;
        for (const Arc &arc : std::as_const(m_chart.arcs)) {
            for (const QString &to : arc.to)
                ++arriving[to];
        }
        const qsizetype count = m_chart.arcs.size();
        for (qsizetype i = 0; i < count; ++i) {
            const Arc arc = m_chart.arcs[i];
            const Vertex *join = arc.to.size() == 1 ? vertex(arc.to.first()) : nullptr;
            const Vertex *from = vertex(arc.from);
            const Vertex *region = from ? vertex(from->parent) : nullptr;
            const bool waits =
                join && join->kind == Kind::Join && arriving[join->id] > 1 && !arc.event.isEmpty();
            if (!waits || !region || region->kind == Kind::Parallel)
                continue;
            const Vertex wait { .kind = Kind::Join,
                .id = freeId(join->id, u"arrival"),
                .parent = region->id,
                .label = join->id,
                .isNamed = false };
            const Arc onward { .from = wait.id, .to = arc.to };
            m_at.insert(wait.id, int(m_chart.vertices.size()));
            m_chart.arcs[i].to = { wait.id };
            m_chart.vertices.append(wait);
            m_chart.arcs.append(onward);
        }
    }

    Statechart m_chart;
    QHash<QString, int> m_at;
    QHash<QString, QStringList> m_leaving; ///< vertex -> targets of its arcs
};

using Attributes = QXmlStreamAttributes;

/// True if a <send> with these attributes sends to the chart itself, without delay.
bool isToItself(const Attributes &attributes)
{
    return std::ranges::all_of(attributes, [](const QXmlStreamAttribute &each) {
        const QStringView name = each.qualifiedName();
        const QStringView value = each.value();
        if (name == u"target")
            return value.isEmpty() || value == u"#_internal";
        if (name == u"type")
            return value.isEmpty() || value == u"scxml"
                || value == u"http://www.w3.org/TR/scxml/#SCXMLEventProcessor";
        if (name == u"delay")
            return std::ranges::none_of(
                value, [](QChar letter) { return u"123456789"_s.contains(letter); });
        return name == u"event" || name == u"id";
    });
}

/// Events that executable content (SCXML) raises in its own chart: <raise>, <send> without delay.
struct Executable
{
    OwnEvents events;
    bool hasOnlyEvents = true; ///< false: the content also has parts that are not executed
};

void readExecutable(QXmlStreamReader &xml, Executable &found)
{
    while (xml.readNextStartElement()) {
        const QString name = xml.name().toString().section(u':', -1);
        const Attributes attributes = xml.attributes();
        const QString event = attributes.value(u"event"_s).toString().trimmed();
        const bool isOwnEvent = name == u"raise" || (name == u"send" && isToItself(attributes));
        if (name == u"onentry" || name == u"onexit") {
            readExecutable(xml, found);
            continue;
        }
        bool hasData = false;
        while (xml.readNextStartElement()) {
            hasData = true;
            xml.skipCurrentElement();
        }
        if (name == u"editorinfo") // Qt Creator's positions
            continue;
        if (event.isEmpty() || !isOwnEvent || hasData) {
            found.hasOnlyEvents = false;
            continue;
        }
        const bool isRaised = name == u"raise" || attributes.value(u"target"_s) == u"#_internal";
        (isRaised ? found.events.raised : found.events.sent) += event;
    }
}

/// Reads executable content; <onentry> and <onexit> around it may be left out.
Executable executableIn(const QString &content)
{
    Executable result;
    if (content.isEmpty())
        return result;
    QXmlStreamReader xml(u"<x>"_s + content + u"</x>"_s);
    xml.setNamespaceProcessing(false); // prefixes are declared outside of this fragment
    xml.readNextStartElement();
    readExecutable(xml, result);
    return xml.hasError() ? Executable { .hasOnlyEvents = false } : result;
}

/// Returns a remark for each vertex and arrow with parts that the interpreter ignores: data, and
/// executable content other than events that a statechart raises for itself.
QList<Diagnostic> unexecuted(const Statechart &chart)
{
    const QStringList names = unparsedScxmlElements() + QStringList { u"content"_s };
    QList<Diagnostic> result;
    const auto report = [&](int line, const QString &of, const ScxmlExtras &scxmlExtras) {
        QStringList ignored;
        for (const QString &name : names) {
            const QString xml = scxmlExtras.value(u"scxml."_s + name);
            const bool canRaise = name.startsWith(u"on") || name == u"content";
            if (!xml.isEmpty() && !(canRaise && executableIn(xml).hasOnlyEvents))
                ignored += u'<' + name + u'>';
        }
        if (!ignored.isEmpty())
            result.append({ line,
                u"%1 of %2 is not executed, except for events sent to the chart itself"_s.arg(
                    ignored.join(u" and "_s), of) });
    };
    report(1, u"the chart"_s, chart.scxmlExtras);
    for (const Vertex &vertex : chart.vertices)
        report(vertex.line, u'"' + vertex.id + u'"', vertex.scxmlExtras);
    for (const Arc &arc : chart.arcs)
        report(arc.line, arrowWords(arc), arc.scxmlExtras);
    return result;
}

using Node = ChartPlan::Node;
using Edge = ChartPlan::Edge;

class Planner
{
public:
    explicit Planner(const Statechart &chart) : m_chart(chart) { }

    Result<ChartPlan> made()
    {
        if (const QString problem = addNodes(); !problem.isEmpty())
            return Error { problem };
        dropEmptyHistories();
        sortArcs();
        for (int i = 0; i < m_plan.nodes.size(); ++i)
            setInitial(i);
        for (int i = 0; i < m_plan.nodes.size(); ++i)
            addEdges(i);
        m_plan.remarks += unexecuted(m_chart);
        std::ranges::stable_sort(m_plan.remarks, {}, &Diagnostic::line);
        return std::move(m_plan);
    }

private:
    /// Adds the nodes in preorder; returns the error; empty: none.
    QString addNodes()
    {
        QHash<QString, QList<int>> inside;
        for (int i = 0; i < m_chart.vertices.size(); ++i)
            inside[m_chart.vertices[i].parent] += i;
        m_plan.nodes.append(Node());
        const QString problem = addInside(0, inside);
        return problem.isEmpty() && m_plan.nodes.size() <= m_chart.vertices.size()
            ? u"a state contains itself, or lies in a state that does not exist"_s
            : problem;
    }

    QString addInside(int parent, const QHash<QString, QList<int>> &inside)
    {
        for (const int index : inside.value(m_plan.nodes[parent].id)) {
            const Vertex &vertex = m_chart.vertices[index];
            if (m_plan.nodes[parent].depth >= DeepestChart)
                return u"the states are nested more than %1 deep"_s.arg(DeepestChart);
            if (vertex.id.isEmpty() || m_plan.index.contains(vertex.id))
                return u"there are two states \"%1\""_s.arg(vertex.id);
            if (const QString problem = addInside(add(vertex, parent), inside); !problem.isEmpty())
                return problem;
        }
        m_plan.nodes[parent].end = int(m_plan.nodes.size());
        return {};
    }

    int add(const Vertex &vertex, int parent)
    {
        const int node = int(m_plan.nodes.size());
        m_plan.nodes.append(Node { .kind = vertex.kind,
            .id = vertex.id,
            .parent = parent,
            .depth = m_plan.nodes[parent].depth + 1,
            .entering = executableIn(vertex.scxmlExtras.value(u"scxml.onentry"_s)).events,
            .leaving = executableIn(vertex.scxmlExtras.value(u"scxml.onexit"_s)).events });
        m_plan.nodes.last().name = vertex.isNamed ? vertex.id : displayName(vertex, parent);
        m_plan.index.insert(vertex.id, node);
        if (m_plan.isHistory(node))
            m_plan.nodes[parent].histories += node;
        else if (!m_plan.isParallel(parent) || vertex.kind == Kind::State
            || vertex.kind == Kind::Parallel)
            m_plan.nodes[parent].children += node;
        m_named.append(vertex.isNamed);
        return node;
    }

    /// Returns the name of an unnamed vertex for display, from the nearest named composite.
    QString displayName(const Vertex &vertex, int parent) const
    {
        while (parent > 0 && !m_named[parent])
            parent = m_plan.nodes[parent].parent;
        if (vertex.kind == Kind::Final)
            return generatedId(m_plan.nodes[parent].id, u"final");
        if (vertex.kind == Kind::Initial)
            return generatedId(m_plan.nodes[parent].id, u"initial");
        if (vertex.kind == Kind::Join && !vertex.label.isEmpty())
            return vertex.label;
        return vertex.id;
    }

    /// Removes histories of states without children; arrows to such a history lead to the state.
    void dropEmptyHistories()
    {
        for (int node = 1; node < m_plan.nodes.size(); ++node) {
            const int around = m_plan.nodes[node].parent;
            const bool isEmpty = m_plan.isHistory(node) && around > 0 && !m_plan.isHistory(around)
                && m_plan.nodes[around].children.isEmpty();
            if (!isEmpty)
                continue;
            m_plan.nodes[around].histories.removeOne(node);
            const QString id = m_plan.nodes[node].id;
            m_plan.index[id] = around;
            m_plan.remarks.append({ m_chart.vertex(id)->line,
                u"\"%1\" contains no states, so its history remembers nothing; arrows to the history lead to \"%1\" itself"_s
                    .arg(m_plan.nodes[around].name) });
        }
    }

    void sortArcs()
    {
        m_leaving.resize(m_plan.nodes.size());
        m_arriving.resize(m_plan.nodes.size());
        for (int i = 0; i < m_chart.arcs.size(); ++i) {
            const Arc &arc = m_chart.arcs[i];
            const int from = m_plan.index.value(arc.from, -1);
            const bool isKnown = from > 0 && m_plan.nodes[from].id == arc.from
                && std::ranges::all_of(
                    arc.to, [&](const QString &to) { return m_plan.index.contains(to); });
            if (!isKnown) {
                m_plan.remarks.append({ arc.line,
                    u"an arrow of \"%1\" leads to or from a state that does not exist, so the arrow is never taken"_s
                        .arg(arc.from) });
                continue;
            }
            m_leaving[from] += i;
            for (const QString &to : arc.to)
                m_arriving[m_plan.index[to]] += i;
        }
        for (QList<int> &arcs : m_leaving) { // "else" is evaluated last
            std::ranges::stable_partition(
                arcs, [&](int arc) { return m_chart.arcs[arc].condition.trimmed() != u"else"; });
        }
    }

    QList<int> targets(const Arc &arc) const
    {
        return mapped<QList<int>>(arc.to, [&](const QString &to) { return m_plan.index[to]; });
    }

    /// Returns the targets without those that cannot be active together with an earlier one.
    QList<int> compatible(const QList<int> &to, const Arc &arc)
    {
        QList<int> result;
        for (const int each : to) {
            if (result.contains(each))
                continue;
            if (std::ranges::all_of(
                    result, [&](int other) { return m_plan.areBeside(each, other); }))
                result += each;
            else
                m_plan.remarks.append({ arc.line,
                    u"an arrow of \"%1\" leads to \"%2\" and \"%3\", which are not in parallel regions; only \"%2\" is entered"_s
                        .arg(arc.from, m_plan.nodes[result.first()].name,
                            m_plan.nodes[each].name) });
        }
        return result;
    }

    /// Returns the targets of an initial or history vertex, if its only arrow has no event and
    /// condition and leads into `within`.
    QList<int> unconditionalTargets(int node, int within) const
    {
        if (m_leaving[node].size() != 1)
            return {};
        const Arc &arc = m_chart.arcs[m_leaving[node].first()];
        const QList<int> to = targets(arc);
        const bool isUnconditional =
            arc.event.isEmpty() && guardOf(arc.condition).kind == Guard::Kind::Always;
        const bool isWithin = std::ranges::all_of(
            to, [&](int each) { return m_plan.isInside(each, within) && each != node; });
        return isUnconditional && isWithin ? to : QList<int>();
    }

    /// Sets initial targets. An initial vertex with several arrows or an event stays a state.
    void setInitial(int node)
    {
        Node &at = m_plan.nodes[node];
        const auto initial = std::ranges::find_if(
            at.children, [&](int child) { return m_plan.nodes[child].kind == Kind::Initial; });
        if (m_plan.isHistory(node))
            setMemory(node);
        else if (initial != at.children.end()) {
            const QList<int> to = unconditionalTargets(*initial, node);
            at.initial = to.isEmpty() ? QList<int> { *initial } : to;
        } else if (!at.children.isEmpty() && !m_plan.isParallel(node)) {
            at.initial = { at.children.first() };
        }
    }

    /// Sets a history's default targets: those of its only arrow, else its composite's initial
    /// ones.
    void setMemory(int node)
    {
        const int around = m_plan.nodes[node].parent;
        const QList<int> &own = m_plan.nodes[around].initial;
        QList<int> to = unconditionalTargets(node, around);
        if (std::ranges::any_of(to, [&](int each) { return m_plan.isHistory(each); }))
            to.clear();
        const auto isBeside = [&](int each) {
            return m_plan.isHistory(each) && m_plan.nodes[each].parent == around;
        };
        if (to.isEmpty() && std::ranges::none_of(own, isBeside))
            to = own;
        if (to.isEmpty() && !m_plan.isParallel(around)) {
            const QList<int> &beside = m_plan.nodes[around].children;
            const auto first = std::ranges::find_if(
                beside, [&](int child) { return m_plan.nodes[child].kind != Kind::Initial; });
            if (first != beside.end())
                to = { *first };
        }
        m_plan.nodes[node].initial = to.isEmpty() ? m_plan.nodes[around].children : to;
    }

    /// True for UML's completion arrow: it waits for the final states of all regions of its source.
    bool isCompletion(int node, const Arc &arc) const
    {
        return m_chart.waitsForFinals && arc.event.isEmpty() && m_plan.hasFinal(node);
    }

    void addEdges(int node)
    {
        const Kind kind = m_plan.nodes[node].kind;
        if (kind == Kind::Final || m_plan.isHistory(node))
            return;
        if (kind == Kind::Fork) {
            addFork(node);
            return;
        }
        for (const int index : std::as_const(m_leaving[node])) {
            const Arc &arc = m_chart.arcs[index];
            const int to = arc.to.size() == 1 ? m_plan.index[arc.to.first()] : 0;
            if (m_plan.nodes[to].kind == Kind::Join && m_arriving[to].size() > 1) {
                addArrival(node, arc, to);
                continue;
            }
            Edge edge { .arc = index,
                .from = node,
                .to = compatible(targets(arc), arc),
                .events = arc.events(),
                .guard = guardOf(arc.condition),
                .isInternal = arc.isInternal,
                .actionEvents = executableIn(arc.scxmlExtras.value(u"scxml.content"_s)).events };
            if (isCompletion(node, arc))
                edge.events = { u"done.state."_s + m_plan.nodes[node].id };
            edge.isWork = edge.events.isEmpty() && (kind == Kind::State || kind == Kind::Parallel);
            add(edge);
        }
    }

    void add(const Edge &edge)
    {
        m_plan.nodes[edge.from].edges += int(m_plan.edges.size());
        m_plan.edges.append(edge);
    }

    void addFork(int node)
    {
        Edge edge { .arc = m_leaving[node].value(0, -1), .from = node };
        for (const int index : std::as_const(m_leaving[node]))
            edge.to += targets(m_chart.arcs[index]);
        if (edge.to.isEmpty())
            return;
        edge.to = compatible(edge.to, m_chart.arcs[edge.arc]);
        add(edge);
    }

    /// Adds an arrow into a join: the last arrow to arrive fires all arrows; until then, the others
    /// wait at their sources.
    void addArrival(int node, const Arc &arc, int join)
    {
        QList<ChartPlan::Arrival> all;
        for (const int index : std::as_const(m_arriving[join])) {
            const Arc &other = m_chart.arcs[index];
            const int from = m_plan.index[other.from];
            all.append({ from, isCompletion(from, other), guardOf(other.condition) });
        }
        for (const int index : std::as_const(m_leaving[join])) {
            const Arc &onward = m_chart.arcs[index];
            add({ .arc = index,
                .from = node,
                .to = compatible(targets(onward), onward),
                .events = arc.events(),
                .guard = guardOf(onward.condition),
                .arrivals = all });
        }
    }

    const Statechart &m_chart;
    ChartPlan m_plan;
    QList<bool> m_named { true };            ///< by node
    QList<QList<int>> m_leaving, m_arriving; ///< node -> arcs
};

} // namespace

bool ChartPlan::areBeside(int a, int b) const
{
    int around = nodes[a].parent;
    while (around > 0 && around != b && !isInside(b, around))
        around = nodes[around].parent;
    return around != b && !isInside(b, a) && isParallel(around);
}

bool ChartPlan::hasFinal(int node) const
{
    return std::ranges::any_of(nodes[node].children, [&](int child) {
        return isParallel(node) ? hasFinal(child) : nodes[child].kind == Kind::Final;
    });
}

QString arrowWords(const Arc &arc)
{
    const auto quoted = [](const QStringList &names) {
        return u'"' + names.join(u"\", \""_s) + u'"';
    };
    return u"the arrow from %1%2%3"_s.arg(quoted({ arc.from }),
        arc.to.isEmpty() ? QString() : u" to "_s + quoted(arc.to),
        arc.event.isEmpty() ? QString() : u" on "_s + quoted(arc.events()));
}

Result<ChartPlan> planOf(const Statechart &chart)
{
    return Planner(ForkRegions(chart).made()).made();
}

Result<ChartPlan> planAsDrawn(const Statechart &chart)
{
    return Planner(chart).made();
}

} // namespace instar
