// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/textplan.h"

#include "model/pack/nearest.h"

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

/// Replaces the only region of a composite by the region's children, if the region is unnamed.
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

/// Planner of the steps that write nested bodies. A body is the text between the braces of a
/// composite; a step declares a name, writes an arrow, or opens, divides or closes a body. Every
/// name is declared, in vertex order, before an arrow uses it; the arrows of one vertex keep their
/// order where regions allow it. A body with regions is never reopened. `isDeclared` says for each
/// node if its name must be declared.
class Outliner
{
public:
    Outliner(const ChartTree &tree, const QList<OutlineArc> &arcs, const QList<bool> &isDeclared)
        : m_tree(tree), m_arcs(arcs), m_isDeclared(isDeclared), m_nodes(tree.size())
    {
        for (int i = 0; i < int(arcs.size()); ++i)
            chooseBody(i);
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
    struct Body // arrows that are written in the body of a node
    {
        QList<int> arcs;                 ///< at the end of the node's body
        QList<std::pair<int, int>> late; ///< body and arrow, written last in this region
        int arcCount = 0;                ///< arrows in the node's body, at any depth
    };

    void add(OutlineStep::Kind kind, int index) { m_steps.append({ kind, index }); }

    /// Chooses a body around an arrow's ends and around the body of the state's previous arrow.
    void chooseBody(int index)
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
            ++m_nodes[node].arcCount;
    }

    /// Returns the innermost body without regions: of a node or of a composite around it; else 0.
    int undivided(int node) const
    {
        while (node != 0 && !m_tree.regions(node).isEmpty())
            node = m_tree.node(node).parent;
        return node;
    }

    /// Returns the body itself if it is a region, else the region around the body; else 0.
    int limit(int node) const
    {
        return m_tree.node(node).isRegion ? node : m_tree.regionAround(node);
    }

    bool hasBody(int node) const
    {
        return m_nodes[node].arcCount > 0
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

    /// Writes arrows that use names declared in other bodies.
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
    QList<Body> m_nodes;
    QList<OutlineStep> m_steps;
};

} // namespace

QStringList noteBlock(const QString &head, const QStringList &written)
{
    if (written.size() == 1 && !written.first().isEmpty())
        return { head + u" : "_s + written.first() };
    return QStringList(head) + written + QStringList(u"end note"_s);
}

TextPlan::TextPlan(
    const Statechart &chart, const TextNotation &notation, QList<Diagnostic> &remarks)
    : m_notation(notation),
      m_remarks(remarks),
      m_tree(chart, notation.isRich ? ChartTree::Division::Allowed : ChartTree::Division::Refused),
      m_shown(m_tree.size())
{
    for (const Arc &arc : chart.arcs)
        addArc(arc);
    chooseForms();
    reportLosses(chart);
    chooseCodes();
    const auto isDeclared = mapped<QList<bool>>(
        m_shown, [](const Shown &each) { return each.form == VertexForm::Named; });
    for (OutlineArc &arc : m_arcs)
        arc.home = notation.homeOf(*this, arc);
    m_steps = Outliner(m_tree, m_arcs, isDeclared).steps();
}

/// Returns the node, or the composite of a region, because a region has no name.
int TextPlan::visible(int node) const
{
    return m_tree.node(node).isRegion ? m_tree.node(node).parent : node;
}

int TextPlan::target(const Arc &arc, const QStringList &targets)
{
    QList<int> all;
    for (const QString &to : targets)
        if (m_tree.index(to) >= 0)
            all += m_tree.index(to);
    if (all.isEmpty())
        return -1;
    int ancestor = all.first();
    for (const int each : std::as_const(all))
        if (each != ancestor && !m_tree.isInside(each, ancestor))
            ancestor =
                m_tree.isInside(ancestor, each) ? each : m_tree.commonAncestor(ancestor, each);
    if (all.size() > 1)
        report(arc.line,
            u"an arrow from %1 has several targets, %2; only %3 is written"_s.arg(arc.from,
                arc.to.join(u" and "_s),
                ancestor == 0 ? arc.to.first() : vertex(visible(ancestor)).id));
    return ancestor == 0 ? all.first() : visible(ancestor);
}

/// Marks an initial or final state (a dot) to be written as a named state if its arrow leaves the
/// body: Mermaid moves a state that is mentioned with "[*]" into the body of the dot.
void TextPlan::keepInBody(int dot, int other)
{
    const int body = m_tree.node(dot).parent;
    const bool isDot = vertex(dot).kind == Kind::Initial || vertex(dot).kind == Kind::Final;
    m_shown[dot].isDotAsState |= isDot && body != 0
        && (other == body || !m_tree.isInside(other, body)
            || m_tree.regionAround(other) != m_tree.regionAround(dot));
}

/// Splits an arrow from a fork to several targets into one arrow each.
void TextPlan::addArc(const Arc &arc)
{
    const int from = m_tree.index(arc.from);
    if (from < 0)
        return;
    if (arc.to.size() < 2 || vertex(from).kind != Kind::Fork)
        return addArc(arc, from, arc.to);
    for (const QString &to : arc.to)
        addArc(arc, from, { to });
}

void TextPlan::addArc(const Arc &arc, int from, const QStringList &targets)
{
    OutlineArc result { .arc = &arc, .from = visible(from), .to = target(arc, targets) };
    if (result.to < 0) {
        m_shown[result.from].texts += arc.text();
        report(arc.line,
            u"the transition \"%1\" of %2 has no target, so it becomes a text of the state"_s.arg(
                arc.text(), arc.from));
        return;
    }
    if (!m_notation.isRich) {
        keepInBody(result.from, result.to);
        keepInBody(result.to, result.from);
    }
    const int divided = m_tree.dividedChart();
    const auto isLocal = [this](int end) { // dots and histories of a region
        return m_notation.isRich && !hasName(end) && m_tree.node(end).parent != 0;
    };
    const bool crosses = (isLocal(result.from) || isLocal(result.to))
        && m_tree.regionAround(result.from) != m_tree.regionAround(result.to);
    if (crosses || result.from == divided || result.to == divided) {
        report(arc.line,
            u"the arrow from %1 to %2 is left out, because it crosses a region's border"_s.arg(
                arc.from, arc.to.join(u", "_s)));
        return;
    }
    if (arc.isInternal)
        report(arc.line,
            u"the internal transition \"%1\" of %2 is written as an arrow, which leaves and enters the state again"_s
                .arg(arc.text(), arc.from));
    ++m_shown[result.from].leaving;
    ++m_shown[result.to].arriving;
    m_arcs.append(result);
}

/// True for an unnamed vertex without texts and children.
bool TextPlan::isPlain(int node) const
{
    const Vertex &vertex = *m_tree.node(node).vertex;
    return !vertex.isNamed && vertex.label.isEmpty() && vertex.description.isEmpty()
        && m_tree.node(node).children.isEmpty();
}

/// True if a name refers to the vertex from any region; "[*]" and "[H]" refer only to their own.
bool TextPlan::hasName(int node) const
{
    const Vertex &vertex = *m_tree.node(node).vertex;
    const bool isDot = vertex.kind == Kind::Initial || vertex.kind == Kind::Final;
    if (isHistory(vertex.kind) && !m_tree.regions(m_tree.node(node).parent).isEmpty())
        return false;
    return !((isDot || isHistory(vertex.kind)) && isPlain(node));
}

/// True if no earlier vertex is written as the "[*]" or "[H]" of the same region.
bool TextPlan::isDotFree(int node)
{
    const int parent = m_tree.node(node).parent;
    const Kind kind = vertex(node).kind;
    const QList<int> &siblings = m_tree.node(parent).children;
    return std::none_of(siblings.begin(), std::ranges::find(siblings, node), [&](int other) {
        return m_tree.node(other).vertex && vertex(other).kind == kind
            && (m_shown[other].form == VertexForm::Dot
                || m_shown[other].form == VertexForm::History);
    });
}

VertexForm TextPlan::formOf(int node) const
{
    const Vertex *const vertex = m_tree.node(node).vertex;
    if (!vertex || m_tree.node(node).isRegion)
        return VertexForm::None;
    const Shown &shown = m_shown[node];
    const bool isRich = m_notation.isRich;
    const bool isState = (isRich && !isPlain(node)) || shown.isDotAsState;
    if (vertex->kind == Kind::Initial && !isState && shown.arriving == 0)
        return shown.leaving > 0 ? VertexForm::Dot : VertexForm::None;
    if (vertex->kind == Kind::Final && !isState && shown.leaving == 0)
        return shown.arriving > 0 ? VertexForm::Dot : isRich ? VertexForm::Named : VertexForm::None;
    const bool isInRegions = !m_tree.regions(m_tree.node(node).parent).isEmpty();
    return isHistory(vertex->kind) && isRich && (isPlain(node) || isInRegions) && isLinked(node)
        ? VertexForm::History
        : VertexForm::Named;
}

void TextPlan::chooseForms()
{
    const int divided = m_tree.dividedChart();
    for (int i = 1; i < m_tree.size(); ++i) {
        VertexForm form = i == divided ? VertexForm::None : formOf(i);
        if (((form == VertexForm::Dot && m_notation.isRich) || form == VertexForm::History)
            && !isDotFree(i))
            form = VertexForm::Named;
        const Vertex *const vertex = m_tree.node(i).vertex;
        const bool isDot = vertex && (vertex->kind == Kind::Initial || vertex->kind == Kind::Final);
        if (form == VertexForm::None && isDot)
            report(vertex->line,
                u"the initial or final state %1 is left out, because it has no arrow"_s.arg(
                    vertex->id));
        if (form == VertexForm::Dot && vertex->isNamed)
            report(vertex->line, u"the initial or final state %1 loses its name"_s.arg(vertex->id));
        if (form == VertexForm::History && vertex->isNamed)
            report(vertex->line, u"the history %1 loses its name"_s.arg(vertex->id));
        m_shown[i].form = form;
    }
}

void TextPlan::reportLosses(const Statechart &chart)
{
    int lost = 0;
    QSet<int> ending; // composites with a final state, perhaps in a region
    for (int i = 1; i < m_tree.size(); ++i) {
        const Vertex *vertex = m_tree.node(i).vertex;
        lost += vertex && vertex->bounds && !canWritePosition(*vertex, m_shown[i].form);
        if (vertex && vertex->kind == Kind::Final)
            ending.insert(visible(m_tree.node(i).parent));
    }
    if (lost > 0)
        report(0, u"the positions of %1 vertices are left out"_s.arg(lost));
    if (chart.waitsForFinals)
        return;
    for (const OutlineArc &arc : std::as_const(m_arcs)) {
        if (arc.arc->event.isEmpty() && ending.contains(arc.from)) {
            report(arc.arc->line,
                u"an arrow without an event leaves %1 at once; in this notation, the arrow waits for the final state"_s
                    .arg(arc.arc->from));
            return;
        }
    }
}

void TextPlan::chooseCodes()
{
    for (int i = 1; i < m_tree.size(); ++i) {
        const Vertex *const vertex = m_tree.node(i).vertex;
        if (!vertex)
            continue;
        m_shown[i].label = vertex->label;
        if (m_shown[i].form == VertexForm::Named && m_notation.isCode(vertex->id)) {
            m_shown[i].code = vertex->id;
            m_taken.insert(vertex->id);
        }
    }
    for (int i = 1; i < m_tree.size(); ++i) {
        if (m_shown[i].form != VertexForm::Named || !m_shown[i].code.isEmpty())
            continue;
        if (isQuoted(i)) {
            m_shown[i].code = u'"' + vertex(i).id + u'"';
            m_shown[i].label.clear();
        } else {
            chooseCode(i);
        }
    }
}

bool TextPlan::isQuoted(int node) const
{
    const Vertex &vertex = *m_tree.node(node).vertex;
    const bool isQuotable = m_notation.canBeQuoted && vertex.isNamed
        && m_notation.canBeQuoted(vertex.id) && m_tree.node(node).children.isEmpty()
        && !isLinked(node);
    if (!isQuotable || vertex.label == vertex.id)
        return false;
    return m_notation.shown(vertex.id) == (vertex.label.isEmpty() ? vertex.id : vertex.label);
}

void TextPlan::chooseCode(int node)
{
    const Vertex &vertex = *m_tree.node(node).vertex;
    m_shown[node].code = freeCode(vertex.id);
    const bool isLabel = vertex.label.isEmpty(); // the id remains as the label
    if (isLabel && vertex.isNamed)
        m_shown[node].label = vertex.id;
    m_remarks.append({ vertex.line,
        u"%1 is not a valid name in this notation; the name becomes %2"_s.arg(
            vertex.id, m_shown[node].code),
        isLabel ? Diagnostic::Severity::Note : Diagnostic::Severity::Warning });
}

QString TextPlan::freeCode(const QString &like)
{
    QString base;
    for (const QChar letter : like)
        base += letter.isLetterOrNumber() && !letter.isSurrogate() ? letter : QChar(u'_');
    if (base.isEmpty())
        base = u"_"_s;
    if (!m_notation.isCode(base)) // a reserved word
        base += u'_';
    return *m_taken.insert(freshName(base, m_taken, "_"));
}

QStringList TextPlan::texts(int node) const
{
    return mapped<QStringList>(vertex(node).description + m_shown[node].texts,
        [&](const QString &line) { return m_notation.written(line); });
}

bool isChartDot(const Vertex &vertex)
{
    return vertex.kind == Vertex::Kind::Initial && vertex.parent.isEmpty();
}

QRectF defaultBounds(const QPointF &centre, Vertex::Kind kind)
{
    const QSizeF size = kind == Vertex::Kind::Initial ? QSizeF(20, 20) : QSizeF(120, 44);
    return { centre - QPointF(size.width() / 2, size.height() / 2), size };
}

bool canWritePosition(const Vertex &vertex, VertexForm form)
{
    return form == VertexForm::Named || (form == VertexForm::Dot && isChartDot(vertex));
}

} // namespace instar
