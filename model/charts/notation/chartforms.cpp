// SPDX-License-Identifier: Apache-2.0
#include "model/charts/notation/chartforms.h"

#include "model/charts/notation/textplan.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

ChartForms::ChartForms(const Statechart &chart, bool isRich, QList<Remark> &remarks)
    : m_isRich(isRich),
      m_tree(chart, isRich ? ChartTree::Division::Allowed : ChartTree::Division::Refused),
      m_forms(m_tree.size(), VertexForm::None),
      m_leaving(m_tree.size(), 0),
      m_arriving(m_tree.size(), 0),
      m_isLinked(m_tree.size(), false),
      m_remarks(remarks)
{
    for (const Arc &arc : chart.arcs)
        addArc(arc);
    chooseForms();
    reportLosses(chart);
}

void ChartForms::report(int line, const QString &text)
{
    m_remarks.append({ line, text });
}

/// A region has no name: what leads to it leads to its composite.
int ChartForms::visible(int node) const
{
    return m_tree.node(node).isRegion ? m_tree.node(node).parent : node;
}

int ChartForms::target(const Arc &arc, const QStringList &targets)
{
    QList<int> all;
    for (const QString &to : targets)
        if (m_tree.index(to) >= 0)
            all += m_tree.index(to);
    if (all.isEmpty())
        return -1;
    int together = all.first();
    for (const int each : std::as_const(all))
        if (each != together && !m_tree.isInside(each, together))
            together = m_tree.isInside(together, each) ? each : m_tree.common(together, each);
    if (all.size() > 1)
        report(arc.line,
            u"an arrow from %1 leads to %2 at once; it is written to %3"_s.arg(arc.from,
                arc.to.join(u" and "_s),
                together == 0 ? arc.to.first() : m_tree.node(visible(together)).vertex->id));
    return together == 0 ? all.first() : visible(together);
}

/// Lets an arrow begin and end at the composites of which it would cross regions. False: it cannot.
bool ChartForms::leadOut(TextArc &arc)
{
    const auto lead = [this](int &end, int other) {
        int region = m_tree.regionAround(end);
        while (region != 0 && !m_tree.isInside(other, region)) {
            end = m_tree.node(region).parent;
            region = m_tree.regionAround(end);
        }
    };
    lead(arc.from, arc.to);
    lead(arc.to, arc.from);
    const int divided = m_tree.dividedChart();
    return divided < 0 || (arc.from != divided && arc.to != divided);
}

/// What lies deeper in a body than in its regions: where its own body can be opened again.
int ChartForms::beside(int node, int body) const
{
    int result = node;
    for (int at = node; m_tree.node(at).parent != body; at = m_tree.node(at).parent)
        if (m_tree.node(m_tree.node(at).parent).isRegion)
            result = m_tree.node(m_tree.node(at).parent).parent;
    return result;
}

/// In a body, "[*]" takes in what is mentioned with it, which only another mention in its own body
/// brings back. From outside, an arrow leads to the composite instead, and from a region in the
/// body, it begins at that region's composite; where it comes from the body's own composite, the
/// dot is written as a state. False: it cannot be written.
bool ChartForms::reachesDots(TextArc &arc)
{
    const TextArc wanted = arc;
    const int inside = m_tree.node(arc.to).parent;
    if (m_tree.node(arc.to).vertex->kind == Kind::Final && inside != 0) {
        if (arc.from == visible(inside))
            m_dotsAsStates.insert(arc.to);
        else if (!m_tree.isInside(arc.from, inside))
            arc.to = visible(inside);
        else
            arc.from = beside(arc.from, inside);
    }
    const int around = m_tree.node(arc.from).parent;
    if (m_tree.node(arc.from).vertex->kind == Kind::Initial && around != 0) {
        if (arc.to == around || !m_tree.isInside(arc.to, around)) {
            report(arc.arc->line,
                u"the arrow from the dot %1 leads out of its state; it is left out"_s.arg(
                    arc.arc->from));
            return false;
        }
        arc.to = beside(arc.to, around);
    }
    if (arc.from != wanted.from || arc.to != wanted.to)
        report(arc.arc->line,
            u"the arrow from %1 to %2 would take in what it joins to a dot; it is written from %3 to %4"_s
                .arg(arc.arc->from, m_tree.node(wanted.to).vertex->id,
                    m_tree.node(arc.from).vertex->id, m_tree.node(arc.to).vertex->id));
    return true;
}

/// What leads from a fork to several targets at once is as many arrows.
void ChartForms::addArc(const Arc &arc)
{
    const int from = m_tree.index(arc.from);
    if (from < 0)
        return;
    if (arc.to.size() < 2 || m_tree.node(from).vertex->kind != Kind::Fork)
        return addArc(arc, from, arc.to);
    for (const QString &to : arc.to)
        addArc(arc, from, { to });
}

void ChartForms::addArc(const Arc &arc, int from, const QStringList &targets)
{
    TextArc result { .arc = &arc, .from = visible(from), .to = target(arc, targets) };
    if (result.to < 0) {
        m_texts[result.from] += arc.text();
        report(arc.line,
            u"\"%1\" of %2 leads nowhere; it is written as a text of the state"_s.arg(
                arc.text(), arc.from));
        return;
    }
    if (!m_isRich && !reachesDots(result))
        return;
    const TextArc wanted = result;
    const bool isDot = m_tree.node(from).vertex->kind == Kind::Initial;
    const auto mayCrossAt = [this](int end) {
        return end != m_tree.dividedChart() && (!m_isRich || hasName(end));
    };
    const bool mayCross = mayCrossAt(result.from) && mayCrossAt(result.to);
    const bool canLead = mayCross || leadOut(result);
    if (!canLead || (isDot && result.from != wanted.from)) {
        report(arc.line,
            u"the arrow from %1 to %2 crosses a region's border; it is left out"_s.arg(
                arc.from, arc.to.join(u", "_s)));
        return;
    }
    if (result.from != wanted.from || result.to != wanted.to)
        report(arc.line,
            u"the arrow from %1 to %2 crosses a region's border; it is written from %3 to %4"_s.arg(
                arc.from, arc.to.join(u", "_s), m_tree.node(result.from).vertex->id,
                m_tree.node(result.to).vertex->id));
    if (arc.isInternal)
        report(arc.line,
            u"the internal transition \"%1\" of %2 is written as an arrow, which leaves and enters"_s
                .arg(arc.text(), arc.from));
    ++m_leaving[result.from];
    ++m_arriving[result.to];
    m_isLinked[result.from] = m_isLinked[result.to] = true;
    m_arcs.append(result);
}

bool ChartForms::isPlain(int node) const
{
    const Vertex &vertex = *m_tree.node(node).vertex;
    return !vertex.isNamed && vertex.label.isEmpty() && vertex.description.isEmpty()
        && m_tree.node(node).children.isEmpty();
}

/// Is it called by a name wherever it is mentioned? Dots, histories and bars belong to the region
/// in which they are.
bool ChartForms::hasName(int node) const
{
    const Vertex &vertex = *m_tree.node(node).vertex;
    const bool isDot = vertex.kind == Kind::Initial || vertex.kind == Kind::Final;
    const bool isHistory = vertex.kind == Kind::ShallowHistory || vertex.kind == Kind::DeepHistory;
    if (isHistory && !m_tree.regions(m_tree.node(node).parent).isEmpty())
        return false;
    return !((isDot || isHistory) && isPlain(node))
        && !vertex.particulars.contains(u"plantuml.bar"_s);
}

/// Is it the first of its kind around it? There is but one "[*]".
bool ChartForms::claim(int node)
{
    const int parent = m_tree.node(node).parent;
    const Kind kind = m_tree.node(node).vertex->kind;
    const QList<int> &beside = m_tree.node(parent).children;
    return std::none_of(
        beside.begin(), std::find(beside.begin(), beside.end(), node), [&](int other) {
            return m_tree.node(other).vertex && m_tree.node(other).vertex->kind == kind
                && (m_forms[other] == VertexForm::Dot || m_forms[other] == VertexForm::History);
        });
}

VertexForm ChartForms::formOf(int node) const
{
    const Vertex *const vertex = m_tree.node(node).vertex;
    if (!vertex || m_tree.node(node).isRegion)
        return VertexForm::None;
    const bool isInRegions = !m_tree.regions(m_tree.node(node).parent).isEmpty();
    switch (vertex->kind) {
    case Kind::Initial:
        if ((m_isRich && !isPlain(node)) || m_arriving[node] > 0)
            return VertexForm::Named;
        return m_leaving[node] > 0 ? VertexForm::Dot : VertexForm::None;
    case Kind::Final:
        if ((m_isRich && !isPlain(node)) || m_leaving[node] > 0 || m_dotsAsStates.contains(node))
            return VertexForm::Named;
        if (!m_isRich && m_arriving[node] == 0)
            return VertexForm::None;
        return m_arriving[node] > 0 ? VertexForm::Dot : VertexForm::Named;
    case Kind::ShallowHistory:
    case Kind::DeepHistory:
        if (!m_isRich)
            return VertexForm::Named;
        if (!isPlain(node) && !isInRegions)
            return VertexForm::Named;
        return m_isLinked[node] ? VertexForm::History : VertexForm::Named;
    case Kind::Fork:
    case Kind::Join:
        return m_isRich && vertex->particulars.contains(u"plantuml.bar"_s) && m_isLinked[node]
            ? VertexForm::Bar
            : VertexForm::Named;
    default:
        return VertexForm::Named;
    }
}

void ChartForms::chooseForms()
{
    const int divided = m_tree.dividedChart();
    for (int i = 1; i < m_tree.size(); ++i) {
        VertexForm form = i == divided ? VertexForm::None : formOf(i);
        if (((form == VertexForm::Dot && m_isRich) || form == VertexForm::History) && !claim(i))
            form = VertexForm::Named;
        const Vertex *const vertex = m_tree.node(i).vertex;
        const bool isDot = vertex && (vertex->kind == Kind::Initial || vertex->kind == Kind::Final);
        if (form == VertexForm::None && isDot)
            report(vertex->line, u"the dot %1 has no arrow; it is left out"_s.arg(vertex->id));
        if (form == VertexForm::Dot && vertex->isNamed)
            report(vertex->line, u"the dot %1 loses its name"_s.arg(vertex->id));
        if (form == VertexForm::History && vertex->isNamed)
            report(vertex->line, u"the history %1 loses its name"_s.arg(vertex->id));
        m_forms[i] = form;
    }
}

bool ChartForms::hasFinal(int node) const
{
    const QList<int> &inside = m_tree.node(node).children;
    return std::any_of(inside.begin(), inside.end(), [this](int each) {
        const ChartTree::Node &at = m_tree.node(each);
        return at.isRegion ? hasFinal(each) : at.vertex && at.vertex->kind == Kind::Final;
    });
}

void ChartForms::reportLosses(const Statechart &chart)
{
    int places = 0;
    for (int i = 1; i < m_tree.size(); ++i) {
        const Vertex *vertex = m_tree.node(i).vertex;
        places += vertex && vertex->place && !canTellPlace(*vertex, m_forms[i]);
    }
    if (places > 0)
        report(0, u"the places of %1 vertices are left out"_s.arg(places));
    if (m_tree.isFlattened())
        report(0,
            u"what lies more than %1 deep is written beside what it lies in"_s.arg(
                ChartTree::Deepest));
    if (chart.waitsForFinals)
        return;
    for (const TextArc &arc : std::as_const(m_arcs)) {
        if (arc.arc->event.isEmpty() && hasFinal(arc.from)) {
            report(arc.arc->line,
                u"%1 is left at once by an arrow without event; in the text that waits for its final state"_s
                    .arg(arc.arc->from));
            return;
        }
    }
}

ChartCodes::ChartCodes(
    const ChartForms &forms, const TextNotation &notation, QList<Remark> &remarks)
    : m_forms(forms),
      m_notation(notation),
      m_codes(forms.tree().size()),
      m_labels(forms.tree().size())
{
    const ChartTree &tree = forms.tree();
    for (int i = 1; i < tree.size(); ++i) {
        const Vertex *const vertex = tree.node(i).vertex;
        if (!vertex)
            continue;
        m_labels[i] = vertex->label;
        const bool isNamed = forms.form(i) == VertexForm::Named && notation.isCode(vertex->id);
        if (isNamed || forms.form(i) == VertexForm::Bar) {
            m_codes[i] = vertex->id;
            m_taken.insert(vertex->id, 2);
        }
    }
    for (int i = 1; i < tree.size(); ++i)
        if (forms.form(i) == VertexForm::Named && m_codes[i].isEmpty()) {
            if (isQuoted(i)) {
                m_codes[i] = u'"' + tree.node(i).vertex->id + u'"';
                m_labels[i].clear();
            } else {
                choose(i, remarks);
            }
        }
}

bool ChartCodes::isQuoted(int node) const
{
    const Vertex &vertex = *m_forms.tree().node(node).vertex;
    const bool isFree = m_notation.canBeQuoted && vertex.isNamed
        && m_notation.canBeQuoted(vertex.id) && m_forms.tree().node(node).children.isEmpty()
        && !m_forms.isLinked(node);
    if (!isFree || vertex.label == vertex.id)
        return false;
    return m_notation.shown(vertex.id) == (vertex.label.isEmpty() ? vertex.id : vertex.label);
}

void ChartCodes::choose(int node, QList<Remark> &remarks)
{
    const Vertex &vertex = *m_forms.tree().node(node).vertex;
    m_codes[node] = freeCode(vertex.id);
    const bool isShown = vertex.label.isEmpty();
    if (isShown && vertex.isNamed)
        m_labels[node] = vertex.id;
    remarks.append({ vertex.line,
        u"%1 cannot be called so in the text; it is called %2"_s.arg(vertex.id, m_codes[node]),
        !isShown });
}

QString ChartCodes::freeCode(const QString &like)
{
    QString base;
    for (const QChar letter : like)
        base += letter.isLetterOrNumber() && !letter.isSurrogate() ? letter : QChar(u'_');
    if (base.isEmpty())
        base = u"_"_s;
    constexpr int MostTries = 4; // a word that the notation reserves is none with "_" behind it
    for (int i = 0; i < MostTries && !m_notation.isCode(base); ++i)
        base += u'_';
    QString code = base;
    for (int &number = m_taken[base]; number > 0;) {
        code = base + u'_' + QString::number(number++);
        if (!m_taken.contains(code))
            break;
    }
    m_taken.insert(code, 2);
    return code;
}

} // namespace instar
