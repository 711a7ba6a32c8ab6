// SPDX-License-Identifier: Apache-2.0
#include "model/pack/rows.h"
#include "model/statecharts/mermaid/mermaidtext.h"
#include "model/statecharts/notation/chartlook.h"
#include "model/statecharts/notation/diagram.h"
#include "model/statecharts/notation/notations.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

namespace {

class MermaidWriter : public DiagramWriter
{
public:
    MermaidWriter(const Statechart &chart, QList<Diagnostic> &remarks)
        : DiagramWriter(chart, mermaidNotation(), 4, remarks)
    {
        m_depth = 1;
    }

    QByteArray text()
    {
        writeHead();
        writeSteps();
        writeStyles();
        writePlaces(u"%%"_s);
        reportLosses();
        return bytes();
    }

private:
    void writeHead()
    {
        static const QRegularExpression plain(u"^\\w(?:[\\w ,.-]*\\w)?$"_s);
        if (const QString &title = m_chart.title; !title.isEmpty())
            m_lines = { u"---"_s,
                u"title: "_s
                    + (plain.match(title).hasMatch() ? title : QString::fromUtf8(jsonOf(title))),
                u"---"_s };
        m_lines += u"stateDiagram-v2"_s;
        if (m_chart.direction != ChartDirection::Unsaid)
            add(m_chart.direction == ChartDirection::Right ? u"direction LR"_s : u"direction TB"_s);
    }

    void writeStyles()
    {
        for (int i = 1; i < m_plan.tree().size(); ++i)
            if (m_plan.form(i) == VertexForm::Named && m_plan.vertex(i).look != Look())
                add(u"style "_s + m_plan.code(i) + u' ' + cssOf(m_plan.vertex(i).look));
    }

    void open(int node, bool isFirst) override
    {
        add(declarationOf(node, isFirst ? Body::First : Body::Further) + u" {"_s);
    }

    void close(int /*node*/) override { }

    void declare(int node) override
    {
        const QString &code = m_plan.code(node);
        const QString stereotype = mermaidStereotypes().key(m_plan.vertex(node).kind);
        if (!m_plan.node(node).children.isEmpty()) {
            open(node, true);
            add(u"}"_s);
            return;
        }
        add(stereotype.isEmpty() ? declarationOf(node, Body::None)
                                 : u"state %1 <<%2>>"_s.arg(code, stereotype));
        if (!stereotype.isEmpty() && !m_plan.label(node).isEmpty())
            add(code + u" : "_s + writtenForMermaid(m_plan.label(node)));
        describe(node);
    }

    void describe(int node)
    {
        for (const QString &line : m_plan.texts(node))
            add(m_plan.code(node) + u" : "_s + (line.isEmpty() ? u"#32;"_s : line));
    }

    /// Mentions a state in its own bodies again: Mermaid nests it where it is mentioned last.
    void nestAgain(int node, int mentioned)
    {
        QList<int> path;
        for (int body = m_plan.node(node).parent; mentioned > 0 && body > 0 && body != mentioned;
             body = m_plan.node(body).parent)
            path.prepend(body);
        for (const int body : std::as_const(path)) {
            open(body, false);
            ++m_depth;
        }
        if (!path.isEmpty())
            add(m_plan.code(node));
        for (qsizetype bodies = path.size(); bodies > 0; --bodies) {
            --m_depth;
            add(u"}"_s);
        }
    }

    void finish(int node) override
    {
        for (const Note *const each : m_notes.value(node)) {
            if (each->of.isEmpty())
                add(u"note \"%1\" as %2"_s.arg(
                    writtenForMermaid(each->lines.join(u'\n')), m_plan.freeCode(u"N1"_s)));
            else
                addLines(noteAt(*each));
        }
    }

    void connect(int index) override
    {
        const OutlineArc &each = m_plan.arcs()[index];
        const Arc &arc = *each.arc;
        QString line = codeOf(each.from) + u" --> "_s + codeOf(each.to);
        if (const QString label = writtenForMermaid(arc.text()); !label.isEmpty())
            line += u" : "_s + label;
        add(line);
        for (const int end : { each.from, each.to })
            nestAgain(end, each.home);
        reportLabel(arc, each.from);
    }

    enum class Body { None, First, Further };

    /// Declares a vertex. The label of one with a body includes its texts. Mermaid ignores "state
    /// X" without label and body, but not "X".
    QString declarationOf(int node, Body body) const
    {
        const Vertex &each = m_plan.vertex(node);
        const QStringList texts = each.description + m_plan.textsOf(node);
        QString label;
        if (!m_plan.label(node).isEmpty())
            label = writtenForMermaid(m_plan.label(node));
        else if (!texts.isEmpty())
            label = writtenForMermaid(each.id);
        if (body == Body::First)
            for (const QString &line : texts)
                label += u"<br/>"_s + writtenForMermaid(line);
        const QString &code = m_plan.code(node);
        if (body == Body::Further || label.isEmpty())
            return body == Body::None ? code : u"state "_s + code;
        return u"state \""_s + label + u"\" as "_s + code;
    }

    QString codeOf(int node) const
    {
        return m_plan.form(node) == VertexForm::Dot ? u"[*]"_s : m_plan.code(node);
    }

    QStringList noteAt(const Note &note) const
    {
        const QString side = note.side == u"left" ? u"left"_s : u"right"_s;
        const QString where =
            u"note "_s + side + u" of "_s + m_plan.code(m_plan.tree().index(note.of));
        return noteBlock(where, noteForMermaid(note.lines));
    }

    void reportLosses()
    {
        for (int i = 1; i < m_plan.tree().size(); ++i) {
            if (m_plan.form(i) != VertexForm::Named)
                continue;
            const Kind kind = m_plan.vertex(i).kind;
            const int line = m_plan.vertex(i).line;
            const QString id = m_plan.vertex(i).id;
            if (isHistory(kind) || kind == Kind::Entry || kind == Kind::Exit)
                loss(line,
                    u"Mermaid has no %1; %2 is written as a state"_s.arg(
                        isHistory(kind) ? u"histories"_s : u"entry and exit points"_s, id));
            else if (kind == Kind::Initial || kind == Kind::Final)
                loss(line, u"the initial or final state %1 is written as a normal state"_s.arg(id));
        }
        for (const OutlineArc &arc : m_plan.arcs()) {
            if (m_plan.node(arc.from).parent != m_plan.node(arc.to).parent)
                note(arc.arc->line,
                    u"Mermaid may not draw the arrow from %1 to %2, because it crosses composite states"_s
                        .arg(m_plan.vertex(arc.from).id, m_plan.vertex(arc.to).id));
        }
        reportForeign();
    }

    void reportForeign()
    {
        ChartLosses losses(u" cannot be expressed in Mermaid and is left out"_s);
        losses.addScxml(m_chart);
        for (const Note &each : m_chart.notes)
            if (each.side == u"top" || each.side == u"bottom")
                losses.add(u"the side of a note"_s, each.side, 0);
        for (const Arc &each : m_chart.arcs) {
            if (!each.note.isEmpty())
                losses.add(u"a note of an arrow"_s, each.note.first(), each.line);
            if (each.look != Look())
                losses.add(u"the style of an arrow"_s, cssOf(each.look), each.line);
            if (each.towards != Towards::Anywhere)
                losses.add(u"the direction of an arrow"_s, wordOf(each.towards), each.line);
        }
        if (!m_chart.id.isEmpty())
            losses.add(u"the name of the diagram"_s, m_chart.id, 0);
        m_remarks += m_chart.asides + losses.diagnostics();
    }
};

} // namespace

StatechartsWritten writeMermaid(const QList<Statechart> &charts)
{
    StatechartsWritten written;
    for (const Statechart &chart : charts) {
        const QByteArray text = MermaidWriter(chart, written.remarks).text();
        if (charts.size() == 1)
            written.bytes = text;
        else
            written.bytes +=
                (written.bytes.isEmpty() ? "```mermaid\n" : "\n```mermaid\n") + text + "```\n";
    }
    escapeControls(written);
    return written;
}

} // namespace instar
