// SPDX-License-Identifier: Apache-2.0
#include "model/formats/mermaid/mermaidwriter.h"

#include "model/formats/chart/arclabel.h"
#include "model/formats/chart/textlines.h"
#include "model/formats/mermaid/mermaid.h"
#include "model/formats/mermaid/mermaidtext.h"
#include "model/formats/reading.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;
using Piece = OutlineStep::Kind;

namespace {

constexpr ChartForms::Abilities abilities { .histories = false,
    .bars = false,
    .crossings = true,
    .namedDots = false,
    .division = ChartTree::Division::Refused };

QString particular(const Particulars &particulars, const QString &key)
{
    return particulars.value(u"mermaid."_s + key);
}

} // namespace

MermaidWriter::MermaidWriter(const Statechart &chart, QList<Remark> &remarks)
    : m_chart(chart),
      m_remarks(remarks),
      m_forms(chart, abilities, remarks),
      m_tree(m_forms.tree()),
      m_codes(m_forms, isMermaidId, nullptr, remarks)
{
    QList<bool> isDeclared;
    for (int i = 0; i < m_tree.size(); ++i)
        isDeclared += m_forms.form(i) == VertexForm::Named;
    for (const TextArc &arc : m_forms.arcs())
        m_arcs.append({ arc.from, arc.to, homeOf(arc) });
    const bool isOrdered = chart.particulars.contains(u"mermaid.order"_s);
    m_steps = chartOutline(
        m_tree, m_arcs, isDeclared, isOrdered ? OutlineOrder::Kept : OutlineOrder::Tidy);
    for (const OutlineStep &step : std::as_const(m_steps))
        if (step.kind == Piece::Open)
            m_hasBody.insert(step.index);
    placeNotes();
}

/// Dots are those of the body around them. Elsewhere than in the body of both its ends or outside
/// all of them, Mermaid takes an arrow for a word on where they lie.
int MermaidWriter::homeOf(const TextArc &arc) const
{
    for (const int end : { arc.from, arc.to })
        if (m_forms.form(end) == VertexForm::Dot)
            return m_tree.node(end).parent;
    const int parent = m_tree.node(arc.from).parent;
    return parent == m_tree.node(arc.to).parent && m_tree.regions(parent).isEmpty() ? parent : 0;
}

QByteArray MermaidWriter::text()
{
    writeHead();
    for (const OutlineStep &step : std::as_const(m_steps))
        write(step);
    writeStyles();
    reportLosses();
    return m_lines.join(u'\n').toUtf8() + '\n';
}

void MermaidWriter::add(const QString &line)
{
    m_lines += line.isEmpty() ? line : QString(m_depth * qsizetype(4), u' ') + line;
}

void MermaidWriter::writeHead()
{
    const QString kept = particular(m_chart.particulars, u"frontmatter"_s);
    QStringList front = kept.split(u'\n', kept.isEmpty() ? Qt::SkipEmptyParts : Qt::KeepEmptyParts);
    if (kept.isEmpty() || mermaidTitle(front) != m_chart.title)
        front = mermaidFrontmatter(m_chart.title);
    if (!front.isEmpty())
        m_lines += QStringList(u"---"_s) + front + QStringList(u"---"_s);
    for (const QString &line :
        particular(m_chart.particulars, u"directives"_s).split(u'\n', Qt::SkipEmptyParts))
        m_lines += line;
    m_lines += u"stateDiagram-v2"_s;
    for (const QString &key : { u"comments"_s, u"settings"_s })
        for (const QString &line :
            particular(m_chart.particulars, key).split(u'\n', Qt::SkipEmptyParts))
            add(line);
}

void MermaidWriter::write(const OutlineStep &step)
{
    switch (step.kind) {
    case Piece::Declare:
        declare(step.index);
        break;
    case Piece::Open:
    case Piece::Reopen:
        open(step);
        break;
    case Piece::Separate:
        --m_depth;
        add(u"--"_s);
        ++m_depth;
        writeDirection(step.index);
        break;
    case Piece::Connect:
        connect(step.index);
        break;
    case Piece::Finish:
        finish(step.index);
        break;
    case Piece::Close:
        --m_depth;
        add(u"}"_s);
        break;
    }
}

void MermaidWriter::writeDirection(int node)
{
    const Vertex *const said = m_tree.node(node).vertex;
    if (const QString way = said ? particular(said->particulars, u"direction"_s) : QString();
        !way.isEmpty())
        add(u"direction "_s + way);
}

void MermaidWriter::open(const OutlineStep &step)
{
    const bool isFirst = step.kind == Piece::Open;
    add((isFirst ? head(step.index) : u"state "_s + m_codes.code(step.index)) + u" {"_s);
    ++m_depth;
    if (isFirst)
        writeDirection(step.index);
}

/// A composite shows its texts in its label.
QString MermaidWriter::head(int node) const
{
    const Vertex &each = vertex(node);
    const bool isComposite = !m_tree.node(node).children.isEmpty();
    QString label = m_codes.label(node);
    if (label.isEmpty() && !each.description.isEmpty())
        label = each.id;
    if (isComposite)
        for (const QString &line : each.description)
            label += u'\n' + line;
    QString result = u"state "_s;
    if (!label.isEmpty())
        result +=
            u'"' + writtenForMermaid(label, particular(each.particulars, u"label"_s)) + u"\" as "_s;
    return result + m_codes.code(node);
}

void MermaidWriter::declare(int node)
{
    const Vertex &each = vertex(node);
    const QString &code = m_codes.code(node);
    if (m_hasBody.contains(node)) {
        add(u"state "_s + code);
        return;
    }
    const bool isComposite = !m_tree.node(node).children.isEmpty();
    const bool hasBody = !particular(each.particulars, u"direction"_s).isEmpty()
        || m_notes.contains(node) || isComposite;
    QString stereotype;
    if (each.kind == Kind::Choice || each.kind == Kind::Fork || each.kind == Kind::Join)
        stereotype = each.kind == Kind::Choice ? u" <<choice>>"_s
            : each.kind == Kind::Fork          ? u" <<fork>>"_s
                                               : u" <<join>>"_s;
    if (hasBody) {
        open({ Piece::Open, node });
        finish(node);
        write({ Piece::Close, node });
        if (isComposite)
            return;
    } else {
        add(stereotype.isEmpty() ? head(node) : u"state "_s + code + stereotype);
    }
    if (!stereotype.isEmpty() && !m_codes.label(node).isEmpty())
        add(code + u" : "_s
            + writtenForMermaid(m_codes.label(node), particular(each.particulars, u"label"_s)));
    describe(node);
}

void MermaidWriter::describe(int node)
{
    const Vertex &each = vertex(node);
    const QString kept = particular(each.particulars, u"description"_s);
    QStringList written = kept.split(u'\n');
    QStringList shown;
    for (const QString &line : std::as_const(written))
        shown += shownByMermaid(line).split(u'\n');
    if (kept.isEmpty() || shown != each.description) {
        written.clear();
        for (const QString &line : each.description)
            written += writtenForMermaid(line);
    }
    for (const QString &line : m_forms.textsOf(node))
        written += writtenForMermaid(line);
    for (const QString &line : std::as_const(written))
        add(m_codes.code(node) + u" : "_s + (line.isEmpty() ? u"#32;"_s : line));
}

QString MermaidWriter::end(int node) const
{
    if (m_forms.form(node) != VertexForm::Dot)
        return m_codes.code(node);
    const QString style = particular(vertex(node).particulars, u"class"_s);
    return style.isEmpty() ? u"[*]"_s : u"[*]:::"_s + style;
}

void MermaidWriter::connect(int index)
{
    const TextArc &each = m_forms.arcs()[index];
    const Arc &arc = *each.arc;
    QString line = end(each.from) + u" --> "_s + end(each.to);
    if (const QString label =
            writtenForMermaid(arc.text(), particular(arc.particulars, u"label"_s));
        !label.isEmpty())
        line += u" : "_s + label;
    add(line);
    if (arc.label.isEmpty() && !readsBack(arc))
        report(
            arc.line, u"\"%1\" will not be taken apart again as it was"_s.arg(arc.text()), false);
}

void MermaidWriter::finish(int node)
{
    for (const QString &line : m_notes.value(node))
        add(line);
}

void MermaidWriter::placeNotes()
{
    for (const Note &note : m_chart.notes) {
        const int of = m_tree.index(note.of);
        if (of > 0 && m_forms.form(of) == VertexForm::Named) {
            m_notes[m_tree.node(of).parent] += noteLines(note);
            continue;
        }
        if (of > 0) {
            report(m_tree.node(of).vertex->line,
                u"a note of the dot %1 is left out, which has no name"_s.arg(note.of));
            continue;
        }
        const QString kept = particular(note.particulars, u"code"_s);
        const QString code = kept.isEmpty() ? m_codes.freeCode(u"N1"_s) : kept;
        const int in = m_tree.index(note.particulars.value(u"note.in"_s));
        const bool hasBody = in > 0 && (m_tree.node(in).isRegion || m_tree.regions(in).isEmpty());
        const QString text =
            writtenForMermaid(note.lines.join(u'\n'), particular(note.particulars, u"text"_s));
        m_notes[hasBody ? in : 0] += u"note \""_s + text + u"\" as "_s + code;
    }
}

QStringList MermaidWriter::noteLines(const Note &note) const
{
    const QString side = note.side == u"left" ? u"left"_s : u"right"_s;
    const QString where = u"note "_s + side + u" of "_s + m_codes.code(m_tree.index(note.of));
    const QString kept = particular(note.particulars, u"text"_s);
    QStringList written = kept.split(u'\n');
    QStringList shown;
    for (const QString &line : std::as_const(written))
        shown += shownByMermaid(line).split(u'\n');
    if (kept.isEmpty() || shown != note.lines)
        written = noteForMermaid(note.lines);
    if (written.size() == 1 && !written.first().isEmpty())
        return { where + u" : "_s + written.first() };
    return QStringList(where) + written + QStringList(u"end note"_s);
}

void MermaidWriter::writeStyles()
{
    for (int i = 1; i < m_tree.size(); ++i) {
        if (m_forms.form(i) != VertexForm::Named)
            continue;
        for (const QString &key : { u"class"_s, u"style"_s, u"click"_s })
            if (const QString said = particular(vertex(i).particulars, key); !said.isEmpty())
                add(key + u' ' + m_codes.code(i) + u' ' + said);
    }
}

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
    for (Remark &remark : written.remarks)
        remark.text = oneLine(remark.text);
    return written;
}

} // namespace instar
