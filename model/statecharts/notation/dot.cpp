// SPDX-License-Identifier: Apache-2.0
#include "model/foreigntext.h"
#include "model/statecharts/notation/chartlosses.h"
#include "model/statecharts/notation/notations.h"
#include "model/statecharts/notation/textplan.h"

#include <algorithm>

namespace instar {

using Kind = Vertex::Kind;

namespace {

QString dotQuoted(const QString &text)
{
    QString written;
    for (const QChar letter : visible(text)) {
        if (letter == u'"' || letter == u'\\')
            written += u'\\';
        if (letter == u'\n')
            written += u"\\n"_s;
        else
            written += letter;
    }
    return u'"' + written + u'"';
}

/// Quotes a label. DOT decodes HTML entities in labels, so "&" is escaped.
QString dotLabel(QString text)
{
    return dotQuoted(text.replace(u'&', u"&amp;"_s));
}

class DotWriter
{
public:
    DotWriter(const Statechart &chart, QList<Diagnostic> &remarks)
        : m_chart(chart), m_remarks(remarks), m_tree(chart, ChartTree::Division::Refused)
    {
        for (const Arc &arc : chart.arcs)
            if (isText(arc))
                m_texts[arc.from] += arc.text();
    }

    QByteArray text()
    {
        add(u"digraph "_s + dotQuoted(m_chart.id) + u" {"_s);
        add(u"    compound=true"_s);
        if (m_chart.direction == ChartDirection::Right)
            add(u"    rankdir=LR"_s);
        add(u"    node [shape=box, style=rounded]"_s);
        if (!m_chart.title.isEmpty())
            add(u"    labelloc=t; label="_s + dotLabel(m_chart.title));
        writeInside(0);
        for (const Arc &arc : m_chart.arcs)
            if (!isText(arc))
                writeArc(arc);
        for (const Note &note : m_chart.notes)
            writeNote(note);
        add(u"}"_s);
        reportLosses();
        return m_lines.join(u'\n').toUtf8() + '\n';
    }

private:
    void add(const QString &line) { m_lines += line; }

    QString indent(int node) const { return QString(qsizetype(m_tree.node(node).depth) * 4, u' '); }

    /// True for internal arcs and arcs without target, which become lines of text in their states.
    static bool isText(const Arc &arc) { return arc.to.isEmpty() || arc.isInternal; }

    bool isCluster(int node) const { return !m_tree.node(node).children.isEmpty(); }

    /// Returns the id of a node; a generated id for a region that ChartTree added without a vertex.
    QString id(int node) const
    {
        const Vertex *const vertex = m_tree.node(node).vertex;
        return vertex ? vertex->id : u"region %1"_s.arg(node);
    }

    QString cluster(int node) const { return dotQuoted(u"cluster "_s + id(node)); }

    QString text(const Vertex &vertex) const
    {
        QStringList lines;
        if (!vertex.label.isEmpty())
            lines += vertex.label;
        else if (vertex.isNamed)
            lines += vertex.id;
        return (lines + vertex.description + m_texts.value(vertex.id)).join(u'\n');
    }

    void writeInside(int node)
    {
        for (const int child : m_tree.node(node).children) {
            if (isCluster(child))
                writeCluster(child);
            else if (m_tree.node(child).vertex)
                add(indent(child) + dotQuoted(id(child)) + u' '
                    + vertexAttributes(*m_tree.node(child).vertex));
        }
    }

    void writeCluster(int node)
    {
        const Vertex *const vertex = m_tree.node(node).vertex;
        const QString space = indent(node);
        add(space + u"subgraph "_s + cluster(node) + u" {"_s);
        add(space + u"    label="_s + dotLabel(vertex ? text(*vertex) : QString()));
        add(space + u"    "_s
            + (m_tree.node(node).isRegion
                    ? u"style=dashed"_s
                    : styleAttributes(vertex->style, { u"rounded"_s }).join(u"; "_s)));
        if (vertex) // an edge cannot lead to a cluster, only to a node in it
            add(space + u"    "_s + dotQuoted(id(node))
                + u" [shape=point, style=invis, width=0, label=\"\"]"_s);
        writeInside(node);
        add(space + u'}');
    }

    /// Returns the DOT attributes of a style. `styles` come first in the style attribute.
    static QStringList styleAttributes(const ChartStyle &style, QStringList styles)
    {
        if (!style.fill.isEmpty())
            styles += u"filled"_s;
        styles += strokeWords(style);
        QStringList attributes;
        if (!styles.isEmpty())
            attributes +=
                u"style="_s + (styles.size() > 1 ? dotQuoted(styles.join(u',')) : styles.first());
        const auto addColour = [&](const QString &key, const QString &colour) {
            if (!colour.isEmpty())
                attributes += key + u'=' + dotQuoted(colour);
        };
        addColour(u"fillcolor"_s, style.fill);
        addColour(u"color"_s, style.stroke);
        addColour(u"fontcolor"_s, style.text);
        return attributes;
    }

    /// Returns the DOT attributes of a pseudostate; empty for states.
    static QString shapeOf(Kind kind)
    {
        const QString bar =
            u"box, style=filled, fillcolor=black, height=0.05, width=1, label=\"\""_s;
        const QMap<Kind, QString> shapes {
            { Kind::Initial, u"circle, style=filled, fillcolor=black, width=0.2, label=\"\""_s },
            { Kind::Final,
                u"doublecircle, style=filled, fillcolor=black, width=0.15, label=\"\""_s },
            { Kind::ShallowHistory, u"circle, style=solid, label=\"H\""_s },
            { Kind::DeepHistory, u"circle, style=solid, label=\"H*\""_s },
            { Kind::Choice, u"diamond, style=solid, label=\"\""_s }, { Kind::Fork, bar },
            { Kind::Join, bar }, { Kind::Entry, u"circle, style=solid, width=0.2, label=\"\""_s },
            { Kind::Exit, u"circle, style=solid, width=0.2, label=\"x\""_s }
        };
        return shapes.value(kind);
    }

    QString vertexAttributes(const Vertex &vertex) const
    {
        const QString label = dotLabel(text(vertex));
        if (const QString shape = shapeOf(vertex.kind); !shape.isEmpty())
            return u"[shape=%1, xlabel=%2]"_s.arg(shape, label);
        QStringList attributes { u"label="_s + label };
        if (vertex.style != ChartStyle())
            attributes += styleAttributes(vertex.style, { u"rounded"_s });
        return u'[' + attributes.join(u", "_s) + u']';
    }

    void writeArc(const Arc &arc)
    {
        const int from = m_tree.index(arc.from);
        for (const QString &target : arc.to) {
            const int to = m_tree.index(target);
            if (from < 0 || to < 0)
                continue;
            QStringList attributes;
            QString label = arc.text();
            if (!arc.note.isEmpty())
                label +=
                    (label.isEmpty() ? QString() : u"\n"_s) + u'(' + arc.note.join(u'\n') + u')';
            if (!label.isEmpty())
                attributes += u"label="_s + dotLabel(label);
            if (arc.style != ChartStyle())
                attributes += styleAttributes(arc.style, {});
            if (isCluster(from) && !m_tree.isInside(to, from))
                attributes += u"ltail="_s + cluster(from);
            if (isCluster(to) && !m_tree.isInside(from, to))
                attributes += u"lhead="_s + cluster(to);
            const QString edge = u"    "_s + dotQuoted(id(from)) + u" -> "_s + dotQuoted(id(to));
            add(attributes.isEmpty() ? edge : edge + u" ["_s + attributes.join(u", "_s) + u']');
        }
    }

    void writeNote(const Note &note)
    {
        const QString name = dotQuoted(u"note %1"_s.arg(++m_notes));
        add(u"    "_s + name + u" [shape=note, style=solid, label="_s
            + dotLabel(note.lines.join(u'\n')) + u']');
        if (const int of = m_tree.index(note.of); of > 0)
            add(u"    "_s + name + u" -> "_s + dotQuoted(id(of)) + u" [style=dashed, dir=none]"_s);
    }

    void reportLosses()
    {
        ChartLosses losses(u" cannot be expressed in a graph and is left out"_s);
        losses.addScxml(m_chart);
        for (const Arc &each : m_chart.arcs)
            if (each.towards != Towards::Anywhere)
                losses.add(u"the direction of an arrow"_s, wordOf(each.towards), each.line);
        m_remarks += m_chart.ignoredParts + losses.diagnostics();
        const auto positions = std::ranges::count_if(
            m_chart.vertices, [](const Vertex &each) { return each.bounds.has_value(); });
        if (positions > 0)
            m_remarks.append({ 0,
                u"the positions of %1 vertices are left out; Graphviz chooses others"_s.arg(
                    positions) });
    }

    const Statechart &m_chart;
    QList<Diagnostic> &m_remarks;
    ChartTree m_tree;
    QHash<QString, QStringList> m_texts; ///< lines for the arcs of isText(), by vertex id
    QStringList m_lines;
    int m_notes = 0;
};

} // namespace

StatechartsWritten writeDot(const QList<Statechart> &charts)
{
    StatechartsWritten written;
    written.bytes = DotWriter(charts.first(), written.remarks).text();
    return written;
}

} // namespace instar
