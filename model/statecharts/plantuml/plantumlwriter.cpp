// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/diagram.h"
#include "model/statecharts/notation/notations.h"
#include "model/statecharts/plantuml/plantumltext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

namespace {

class PlantUmlWriter : public DiagramWriter
{
public:
    PlantUmlWriter(const Statechart &chart, QList<Diagnostic> &remarks)
        : DiagramWriter(chart, plantUmlNotation(), 2, remarks),
          m_isBlock(m_plan.tree().size(), false)
    {
        findBlocks();
    }

    QByteArray text()
    {
        writeHead();
        writeSteps();
        writePlaces(u"'"_s);
        add(u"@enduml"_s);
        reportLosses();
        return bytes();
    }

private:
    QStringList noteAt(const Note &note) const
    {
        const QString side = note.side.isEmpty() ? u"right"_s : note.side;
        const QString &code = m_plan.code(m_plan.tree().index(note.of));
        return noteBlock(u"note "_s + side + u" of "_s + code, noteForPlantUml(note.lines, false));
    }

    QStringList freeNote(const Note &note)
    {
        const QString code = m_plan.freeCode(u"N1"_s);
        const QStringList written = noteForPlantUml(note.lines, true);
        if (written.size() == 1 && !written.first().isEmpty())
            return { u"note \""_s + written.first() + u"\" as "_s + code };
        return QStringList(u"note as "_s + code) + written + QStringList(u"end note"_s);
    }

    /// Finds states that need a body: PlantUML 1.2020.2 accepts an arrow in any region but the
    /// first to a state not directly in that region only if the state has a body.
    void findBlocks()
    {
        QSet<int> bodies;
        walk([&](const OutlineStep &step) {
            if (step.kind == OutlineStep::Kind::Open || step.kind == OutlineStep::Kind::Reopen)
                bodies.insert(step.index);
            else if (step.kind == OutlineStep::Kind::Connect && m_open.last().isLater)
                checkEnds(m_plan.arcs()[step.index], m_open.last().node, bodies);
        });
    }

    void checkEnds(const OutlineArc &arc, int scope, const QSet<int> &bodies)
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
                note(m_plan.vertex(end).line,
                    u"PlantUML 1.2020.2 refuses the arrow of %1 inside a region"_s.arg(
                        m_plan.vertex(end).id));
        }
    }

    void writeHead()
    {
        add((u"@startuml "_s + m_chart.id.simplified()).trimmed());
        if (m_chart.direction != ChartDirection::Unsaid)
            add(m_chart.direction == ChartDirection::Right ? u"left to right direction"_s
                                                           : u"top to bottom direction"_s);
        if (!m_chart.title.isEmpty())
            m_lines += titleForPlantUml(m_chart.title);
    }

    void open(int node, bool isFirst) override
    {
        add((isFirst ? head(node) : u"state "_s + m_plan.code(node)) + u" {"_s);
    }

    void close(int node) override
    {
        if (m_open.last().isFirst)
            describe(node);
    }

    void finish(int node) override
    {
        for (const Note *const each : m_notes.value(node))
            addLines(each->of.isEmpty() ? freeNote(*each) : noteAt(*each));
    }

    void connect(int index) override
    {
        const OutlineArc &each = m_plan.arcs()[index];
        const Arc &arc = *each.arc;
        QString line = end(each.from) + u' ' + arrowOf(arc.look, arc.towards) + u' ' + end(each.to);
        if (const QString label = writtenForPlantUml(arc.text(), PlantUmlPlace::BehindColon);
            !label.isEmpty())
            line += u" : "_s + label;
        add(line);
        reportLabel(arc, each.from);
        if (!arc.note.isEmpty())
            addLines(noteBlock(u"note on link"_s, noteForPlantUml(arc.note, false)));
    }

    void declare(int node) override
    {
        add(head(node) + (m_isBlock[node] ? u" {"_s : QString()));
        if (m_isBlock[node])
            add(u"}"_s);
        describe(node);
    }

    void describe(int node)
    {
        for (const QString &line : m_plan.texts(node))
            add((m_plan.code(node) + u" : "_s + line).trimmed());
    }

    QString head(int node) const
    {
        QString result = u"state "_s;
        if (const QString &label = m_plan.label(node); !label.isEmpty())
            result += u'"' + writtenForPlantUml(label, PlantUmlPlace::BetweenQuotes) + u"\" as "_s;
        result += m_plan.code(node);
        const Vertex &each = m_plan.vertex(node);
        for (const QString &part : { plantUmlStereotype(each.kind), coloursOf(each.look) })
            if (!part.isEmpty())
                result += u' ' + part;
        return result;
    }

    QString end(int node) const
    {
        const int parent = m_plan.node(node).parent;
        switch (m_plan.form(node)) {
        case VertexForm::Dot:
            return u"[*]"_s;
        case VertexForm::History:
            return (parent == m_open.last().node ? QString() : m_plan.code(parent))
                + (m_plan.vertex(node).kind == Kind::DeepHistory ? u"[H*]"_s : u"[H]"_s);
        default:
            return m_plan.code(node);
        }
    }

    void reportLosses()
    {
        for (const OutlineArc &each : m_plan.arcs()) {
            if (m_plan.tree().regionAround(each.from) != m_plan.tree().regionAround(each.to))
                note(each.arc->line,
                    u"the arrow from %1 to %2 crosses a region's border; PlantUML 1.2020.2 refuses that, newer versions draw the arrow"_s
                        .arg(m_plan.vertex(each.from).id, m_plan.vertex(each.to).id));
        }
        ChartLosses losses(u" cannot be expressed in PlantUML and is left out"_s);
        losses.addScxml(m_chart);
        m_remarks += m_chart.asides + losses.diagnostics();
    }

    QList<bool> m_isBlock; ///< states that need a body although it is empty
};

} // namespace

StatechartsWritten writePlantUml(const QList<Statechart> &charts)
{
    StatechartsWritten written;
    for (const Statechart &chart : charts) {
        if (!written.bytes.isEmpty())
            written.bytes += '\n';
        written.bytes += PlantUmlWriter(chart, written.remarks).text();
    }
    escapeControls(written);
    return written;
}

} // namespace instar
