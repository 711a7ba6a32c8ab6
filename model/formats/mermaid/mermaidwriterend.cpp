// SPDX-License-Identifier: Apache-2.0
// Titles, and what a Mermaid text does not say.

#include "model/formats/chart/chartlook.h"
#include "model/formats/chart/chartlosses.h"
#include "model/formats/chart/textlines.h"
#include "model/formats/mermaid/mermaidnotation.h"
#include "model/formats/mermaid/mermaidtext.h"
#include "model/formats/mermaid/mermaidwriter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

QStringList mermaidFrontmatter(const QString &title)
{
    if (title.isEmpty())
        return {};
    QString text = title;
    text.replace(u"\\"_s, u"\\\\"_s).replace(u"\""_s, u"\\\""_s).replace(u"\n"_s, u"\\n"_s);
    const bool isPlain = text == title && title[0].isLetterOrNumber() && !title.contains(u": "_s)
        && !title.contains(u" #"_s) && !title.endsWith(u':') && title.simplified() == title;
    return { isPlain ? u"title: "_s + title : u"title: \""_s + text + u'"' };
}

QString mermaidTitle(const QStringList &frontmatter)
{
    const auto line = std::find_if(frontmatter.begin(), frontmatter.end(),
        [](const QString &each) { return each.startsWith(u"title:"_s); });
    if (line == frontmatter.end())
        return {};
    QString text = line->sliced(6).trimmed();
    if (text.size() < 2 || text.front() != text.back()
        || (text.front() != u'"' && text.front() != u'\''))
        return text;
    const bool isDouble = text.front() == u'"';
    text = text.sliced(1).chopped(1);
    if (!isDouble)
        return text.replace(u"''"_s, u"'"_s);
    QString result;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool isEscaped = text[i] == u'\\' && i + 1 < text.size();
        i += isEscaped ? 1 : 0;
        result += isEscaped && text[i] == u'n' ? QChar(u'\n') : text[i];
    }
    return result;
}

QStringList noteForMermaid(const QStringList &shown)
{
    QStringList written;
    bool isFlush = false; // a line begins at the left, so that the others keep their indentation
    for (const QString &line : shown) {
        const qsizetype indent = shown.size() == 1 || !isFlush ? 0 : indentOf(line);
        written += line.left(indent) + writtenForMermaid(line.sliced(indent));
        isFlush = isFlush || !written.last().isEmpty();
    }
    return written;
}

void MermaidWriter::reportLosses()
{
    for (int i = 1; i < m_plan.tree().size(); ++i) {
        if (m_plan.form(i) != VertexForm::Named)
            continue;
        const Kind kind = m_plan.vertex(i).kind;
        const int line = m_plan.vertex(i).line;
        if (kind == Kind::ShallowHistory || kind == Kind::DeepHistory)
            report(line,
                u"Mermaid has no histories; %1 is written as a state"_s.arg(m_plan.vertex(i).id));
        else if (kind == Kind::Entry || kind == Kind::Exit)
            report(line,
                u"Mermaid has no entry and exit points; %1 is written as a state"_s.arg(
                    m_plan.vertex(i).id));
        else if (kind == Kind::Initial || kind == Kind::Final)
            report(line, u"the dot %1 is written as a state"_s.arg(m_plan.vertex(i).id));
    }
    for (qsizetype i = 0; i < m_plan.arcs().size(); ++i) {
        const OutlineArc &arc = m_plan.arcs()[i];
        const int from = m_plan.node(arc.from).parent;
        const int to = m_plan.node(arc.to).parent;
        if (from != to)
            report(m_plan.forms().arcs()[i].arc->line,
                u"Mermaid may not draw the arrow from %1 to %2 between bodies"_s.arg(
                    m_plan.vertex(arc.from).id, m_plan.vertex(arc.to).id),
                false);
    }
    reportForeign();
}

void MermaidWriter::reportForeign()
{
    ChartLosses losses(u"Mermaid"_s);
    losses.addForeign(m_chart, mermaidNotation().name);
    for (const Note &each : m_chart.notes)
        if (each.side == u"top" || each.side == u"bottom")
            losses.add(u"the side of a note"_s, each.side, 0);
    for (const Arc &each : m_chart.arcs) {
        if (!each.note.isEmpty())
            losses.add(u"a note of an arrow"_s, each.note.first(), each.line);
        if (each.look != Look())
            losses.add(u"the look of an arrow"_s, cssOf(each.look), each.line);
        if (each.towards != Towards::Anywhere)
            losses.add(u"the direction of an arrow"_s, wordOf(each.towards), each.line);
    }
    if (!m_chart.id.isEmpty())
        losses.add(u"the name of the diagram"_s, m_chart.id, 0);
    m_remarks += losses.remarks();
}

} // namespace instar
