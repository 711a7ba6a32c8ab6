// SPDX-License-Identifier: Apache-2.0
#include "model/charts/plantuml/plantumlwriter.h"

#include "model/charts/notation/arclabel.h"
#include "model/charts/notation/chartdirection.h"
#include "model/charts/notation/chartlosses.h"
#include "model/charts/notation/chartplaces.h"
#include "model/charts/notation/diagramfile.h"
#include "model/charts/notation/textlines.h"
#include "model/charts/plantuml/plantuml.h"
#include "model/charts/plantuml/plantumlkinds.h"
#include "model/charts/plantuml/plantumllook.h"
#include "model/charts/plantuml/plantumlnotation.h"
#include "model/charts/plantuml/plantumltitle.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

PlantUmlWriter::PlantUmlWriter(const Statechart &chart, QList<Remark> &remarks)
    : m_chart(chart),
      m_remarks(remarks),
      m_plan(chart, plantUmlNotation(), remarks),
      m_notes(chart, m_plan.forms(), m_plan.codes(), remarks),
      m_isBlock(m_plan.tree().size(), false)
{
    findBlocks();
}

QByteArray PlantUmlWriter::text()
{
    m_open = { 0 };
    m_isFirst = { true };
    writeHead();
    for (const OutlineStep &step : m_plan.steps())
        write(step);
    for (const QString &comment : placeComments(m_plan))
        add(u"' "_s + comment);
    add(u"@enduml"_s);
    reportNewForms();
    reportForeign();
    return m_lines.join(u'\n').toUtf8() + '\n';
}

/// PlantUML 1.2020.2 lets an arrow in a region, but for the first one, lead to a state that does
/// not lie directly in it only if that has a body.
void PlantUmlWriter::findBlocks()
{
    for (int i = 1; i < m_plan.tree().size(); ++i)
        m_isBlock[i] = m_notes.isNeeded(i) && !m_plan.node(i).isRegion;
    const int divided = m_plan.tree().dividedChart();
    QList<int> open { divided < 0 ? 0 : m_plan.tree().regions(divided).first() };
    QList<bool> isLater { false };
    QSet<int> bodies;
    for (const OutlineStep &step : m_plan.steps()) {
        if (step.kind == OutlineStep::Kind::Open || step.kind == OutlineStep::Kind::Reopen) {
            bodies.insert(step.index);
            const QList<int> regions = m_plan.tree().regions(step.index);
            open += regions.isEmpty() ? step.index : regions.first();
            isLater += bool(isLater.last());
        } else if (step.kind == OutlineStep::Kind::Separate) {
            open.last() = step.index;
            isLater.last() = true;
        } else if (step.kind == OutlineStep::Kind::Close) {
            open.removeLast();
            isLater.removeLast();
        } else if (step.kind == OutlineStep::Kind::Connect && isLater.last()) {
            checkEnds(m_plan.arcs()[step.index], open.last(), bodies);
        }
    }
}

void PlantUmlWriter::checkEnds(const OutlineArc &arc, int scope, const QSet<int> &bodies)
{
    for (const int end : { arc.from, arc.to }) {
        const int parent = m_plan.node(end).parent;
        const bool isReached =
            m_plan.node(scope).isRegion ? parent == scope : !m_plan.node(parent).isRegion;
        if (isReached || m_plan.form(end) == VertexForm::History || bodies.contains(end))
            continue;
        if (m_plan.vertex(end).kind == Kind::State || m_plan.vertex(end).kind == Kind::Parallel)
            m_isBlock[end] = true;
        else
            report(m_plan.vertex(end).line,
                u"PlantUML 1.2020.2 refuses the arrow of %1 inside a region"_s.arg(
                    m_plan.vertex(end).id));
    }
}

void PlantUmlWriter::add(const QString &line)
{
    const qsizetype depth = m_open.size() - 1;
    m_lines += indented(line, depth * 2);
}

void PlantUmlWriter::write(const OutlineStep &step)
{
    switch (step.kind) {
    case OutlineStep::Kind::Declare:
        declare(step.index);
        break;
    case OutlineStep::Kind::Open:
    case OutlineStep::Kind::Reopen:
        open(step);
        break;
    case OutlineStep::Kind::Separate:
        separate(step.index);
        break;
    case OutlineStep::Kind::Connect:
        connect(step.index);
        break;
    case OutlineStep::Kind::Finish:
        for (const QString &line : m_notes.linesIn(step.index))
            add(line);
        break;
    case OutlineStep::Kind::Close:
        close(step.index);
        break;
    }
}

void PlantUmlWriter::open(const OutlineStep &step)
{
    const bool isFirst = step.kind == OutlineStep::Kind::Open;
    add((isFirst ? head(step.index) : u"state "_s + m_plan.code(step.index)) + u" {"_s);
    const QList<int> regions = m_plan.tree().regions(step.index);
    m_open += regions.isEmpty() ? step.index : regions.first();
    m_isFirst += isFirst;
}

void PlantUmlWriter::close(int node)
{
    const bool isFirst = m_isFirst.takeLast();
    m_open.removeLast();
    add(u"}"_s);
    if (isFirst)
        describe(node);
}

void PlantUmlWriter::separate(int region)
{
    const Vertex *const said = m_plan.node(region).vertex;
    const bool isUpright = said && said->particulars.value(u"plantuml.separator"_s) == u"||";
    const qsizetype depth = std::max<qsizetype>(m_open.size() - 2, 0);
    m_open.last() = region;
    m_lines += indented(isUpright ? u"||"_s : u"--"_s, depth * 2);
}

QString PlantUmlWriter::end(int node) const
{
    const int parent = m_plan.node(node).parent;
    switch (m_plan.form(node)) {
    case VertexForm::Dot:
        return u"[*]"_s;
    case VertexForm::Bar:
        return u"=="_s + m_plan.code(node) + u"=="_s;
    case VertexForm::History:
        return (parent == m_open.last() ? QString() : m_plan.code(parent))
            + (m_plan.vertex(node).kind == Kind::DeepHistory ? u"[H*]"_s : u"[H]"_s);
    default:
        return m_plan.code(node);
    }
}

void PlantUmlWriter::connect(int index)
{
    const TextArc &each = m_plan.forms().arcs()[index];
    const Arc &arc = *each.arc;
    const auto particular = [&](const QString &key) {
        const QString value = arc.particulars.value(u"plantuml."_s + key);
        return value.isEmpty() ? value : u' ' + value;
    };
    const PlantUmlStroke stroke { arc.look, arc.towards };
    QString arrow = arc.particulars.value(u"plantuml.arrow"_s);
    if (arrow.isEmpty() || strokeOf(arrow) != stroke)
        arrow = arrowOf(stroke);
    QString line = end(each.from) + particular(u"fromStereotypes"_s) + u' ' + arrow + u' '
        + end(each.to) + particular(u"toStereotypes"_s);
    const QString label = writtenLike(
        arc.text(), arc.particulars.value(u"plantuml.label"_s), PlantUmlPlace::BehindColon);
    if (!label.isEmpty())
        line += u" : "_s + label;
    add(line);
    if (arc.label.isEmpty() && !readsBack(arc, m_plan.vertex(each.from).kind))
        report(arc.line, u"\"%1\" will not be taken apart again as it was"_s.arg(arc.text()));
    QStringList notes = arc.note.isEmpty() ? QStringList() : PlantUmlNotes::linesOf(arc);
    notes += m_notes.linesOfEnds(each);
    for (const QString &note : std::as_const(notes))
        add(note);
}

namespace {

/// A dot that first appears in an arrow to another new dot cannot be told apart from that.
void settleNotes(Statechart &chart)
{
    QSet<QString> dots;
    for (const Vertex &vertex : chart.vertices)
        if (!vertex.isNamed)
            dots.insert(vertex.id);
    QHash<QString, QString> replaced;
    QSet<QString> seen;
    for (const Arc &arc : chart.arcs) {
        const QString to = arc.to.value(0);
        const auto isNew = [&](const QString &end) {
            return dots.contains(end) && !seen.contains(end);
        };
        if (arc.from != to && isNew(arc.from) && isNew(to))
            replaced.insert(arc.from, to);
        seen += { arc.from, to };
    }
    if (replaced.isEmpty())
        return;
    QHash<QString, qsizetype> places;
    for (qsizetype i = 0; i < chart.vertices.size(); ++i)
        places.insert(chart.vertices[i].id, i);
    const auto place = [&](const Note &note) {
        return places.value(note.of, chart.vertices.size());
    };
    const auto free = std::find_if(
        chart.notes.begin(), chart.notes.end(), [](const Note &note) { return note.of.isEmpty(); });
    std::for_each(
        chart.notes.begin(), free, [&](Note &note) { note.of = replaced.value(note.of, note.of); });
    std::stable_sort(chart.notes.begin(), free,
        [&](const Note &a, const Note &b) { return place(a) < place(b); });
}

} // namespace

void settleForPlantUml(Statechart &chart)
{
    settleOrder(chart, plantUmlNotation());
    settleNotes(chart);
}

StatechartsWritten writePlantUml(const QList<Statechart> &charts)
{
    StatechartsWritten written;
    for (const Statechart &chart : charts) {
        if (!written.bytes.isEmpty())
            written.bytes += '\n';
        written.bytes += PlantUmlWriter(chart, written.remarks).text();
    }
    spellOut(written);
    setOnOneLine(written.remarks);
    return written;
}

void PlantUmlWriter::writeHead()
{
    const QString id = m_chart.id.simplified();
    const QString name = m_chart.particulars.value(u"plantuml.name"_s);
    add((u"@startuml "_s + (name == u"(id="_s + id + u')' ? name : id)).trimmed());
    for (const QString &lines : { m_chart.particulars.value(u"plantuml.comments"_s),
             foreignDirection(m_chart, plantUmlNotation().name),
             m_chart.particulars.value(u"plantuml.settings"_s) })
        if (!lines.isEmpty())
            m_lines += lines.split(u'\n');
    if (m_chart.title.isEmpty())
        return;
    const QString kept = m_chart.particulars.value(u"plantuml.title"_s);
    const bool isSame = !kept.isEmpty() && shownByPlantUml(kept) == m_chart.title;
    m_lines += titleLines(isSame ? kept : titleForPlantUml(m_chart.title));
}

QString PlantUmlWriter::decorations(int node) const
{
    const Vertex &each = m_plan.vertex(node);
    const auto particular = [&](const QString &key) {
        return each.particulars.value(u"plantuml."_s + key);
    };
    const bool isState = each.kind == Kind::State || each.kind == Kind::Parallel;
    const bool isSimple = m_plan.node(node).children.isEmpty();
    QString stereotypes = particular(u"stereotypes"_s);
    if ((isSimple || !isState) && plantUmlKind(stereotypes) != (isState ? Kind::State : each.kind))
        stereotypes = plantUmlStereotype(each.kind);
    PlantUmlColours colours { particular(u"colour"_s), particular(u"border"_s) };
    if (lookOf(colours) != each.look)
        colours = coloursOf(each.look);
    QString result;
    for (const QString &part : { particular(u"tags"_s), stereotypes, particular(u"url"_s),
             colours.colour, colours.border })
        if (!part.isEmpty())
            result += u' ' + part;
    return result;
}

QString PlantUmlWriter::head(int node) const
{
    QString names = m_plan.code(node);
    if (const QString &label = m_plan.label(node); !label.isEmpty()) {
        const QString kept = m_plan.vertex(node).particulars.value(u"plantuml.label"_s);
        names = u'"' + writtenLike(label, kept, PlantUmlPlace::BetweenQuotes) + u"\" as "_s + names;
    }
    return u"state "_s + names + decorations(node);
}

/// What has its body later is only named.
void PlantUmlWriter::declare(int node)
{
    if (m_plan.hasBody(node)) {
        add(u"state "_s + m_plan.code(node) + (m_isBlock[node] ? u" {"_s : QString()));
        if (m_isBlock[node])
            add(u"}"_s);
        return;
    }
    add(head(node) + (m_isBlock[node] ? u" {"_s : QString()));
    if (m_isBlock[node]) {
        m_open += node;
        for (const QString &line : m_notes.linesIn(node))
            add(line);
        m_open.removeLast();
        add(u"}"_s);
    }
    describe(node);
}

void PlantUmlWriter::describe(int node)
{
    for (const QString &line : m_plan.texts(node))
        add((m_plan.code(node) + u" : "_s + line).trimmed());
}

void PlantUmlWriter::reportNewForms()
{
    QMap<QString, int> found;
    for (int i = 1; i < m_plan.tree().size(); ++i) {
        const VertexForm form = m_plan.form(i);
        if (form == VertexForm::None)
            continue;
        const Kind kind = m_plan.vertex(i).kind;
        const bool isKnown = kind == Kind::State || kind == Kind::Parallel || kind == Kind::Choice
            || kind == Kind::Fork || kind == Kind::Join || kind == Kind::Final;
        if (form == VertexForm::Named && !isKnown)
            ++found[plantUmlStereotype(kind) + u" is drawn as a state"_s];
        if (form == VertexForm::History && kind == Kind::DeepHistory)
            ++found[u"\"[H*]\" is refused"_s];
        if (m_plan.vertex(i).particulars.contains(u"plantuml.tags"_s))
            ++found[u"\"$\" tags are refused"_s];
        if (!m_plan.vertex(i).look.text.isEmpty())
            ++found[u"\"#text:\" is misread"_s];
    }
    for (const QString &line : m_chart.particulars.value(u"plantuml.settings"_s).split(u'\n'))
        for (const QString &word : { u"!theme"_s, u"json"_s, u"map"_s })
            if (line.trimmed().startsWith(word + u' ', Qt::CaseInsensitive))
                ++found[u"\"%1\" is refused"_s.arg(word)];
    for (const TextArc &each : m_plan.forms().arcs()) {
        if (m_plan.tree().regionAround(each.from) != m_plan.tree().regionAround(each.to))
            report(each.arc->line,
                u"the arrow from %1 to %2 crosses a region's border, which PlantUML 1.2020.2 refuses; newer versions draw it"_s
                    .arg(m_plan.vertex(each.from).id, m_plan.vertex(each.to).id));
    }
    for (auto it = found.constBegin(); it != found.constEnd(); ++it)
        report(0, u"by PlantUML 1.2020.2, %1; newer versions know it"_s.arg(it.key()));
}

void PlantUmlWriter::reportForeign()
{
    ChartLosses losses(u"PlantUML"_s);
    losses.addForeign(m_chart, plantUmlNotation().name);
    m_remarks += losses.remarks();
}

} // namespace instar
