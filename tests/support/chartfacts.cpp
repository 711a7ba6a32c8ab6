// SPDX-License-Identifier: Apache-2.0
#include "tests/support/chartfacts.h"

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

namespace {

class Facts
{
public:
    explicit Facts(const Statechart &chart) : m_chart(chart)
    {
        for (const Vertex &vertex : chart.vertices)
            add(vertex);
        m_lines.sort();
    }

    QStringList lines()
    {
        for (const Arc &arc : m_chart.arcs)
            m_lines += u"arrow %1 -> %2"_s.arg(m_paths[arc.from], m_paths[arc.to.value(0)])
                + (arc.text().isEmpty() ? QString() : u" : "_s + flat(arc.text()))
                + (arc.note.isEmpty() ? QString() : u" ("_s + arc.note.join(u" ~ "_s) + u')');
        QStringList notes;
        for (const Note &note : m_chart.notes)
            if (!note.of.isEmpty())
                notes += u"note of %1 : %2"_s.arg(m_paths[note.of], note.lines.join(u" ~ "_s));
        notes.sort();
        return m_lines + notes;
    }

private:
    static QString flat(const QString &text) { return text.split(u'\n').join(u" ~ "_s); }

    static bool isState(const Vertex &vertex)
    {
        return vertex.kind == Kind::State || vertex.kind == Kind::Parallel;
    }

    /// Path prefix of the region around a child of a parallel state, with a slash.
    QString regionOf(const Vertex &vertex)
    {
        const Vertex *const parent = m_chart.vertex(vertex.parent);
        if (!parent || parent->kind != Kind::Parallel || !isState(vertex))
            return {};
        int number = 0;
        for (const Vertex *const each : verticesIn(m_chart, vertex.parent)) {
            number += isState(*each) ? 1 : 0;
            if (each->id == vertex.id)
                break;
        }
        const QString path = m_before[vertex.parent] + u"region%1"_s.arg(number);
        m_lines += u"region "_s + path;
        return path + u'/';
    }

    void add(const Vertex &vertex)
    {
        const QString region = regionOf(vertex);
        const QString before = region.isEmpty() ? m_before.value(vertex.parent) : region;
        if (!vertex.isNamed && isState(vertex)) { // a region, or the parallel root
            m_before[vertex.id] = before;
            m_paths[vertex.id] = before.chopped(before.isEmpty() ? 0 : 1);
            return;
        }
        const QString path = before + name(vertex);
        m_before[vertex.id] = path + u'/';
        m_paths[vertex.id] = path;
        QString line = word(vertex) + u' ' + path;
        if (vertex.isNamed && !vertex.label.isEmpty())
            line += u" | "_s + flat(vertex.label);
        QStringList texts = vertex.description;
        for (const QString &each : std::as_const(texts))
            line += u" || "_s + each;
        m_lines += line.trimmed();
    }

    static QString name(const Vertex &vertex)
    {
        if (vertex.isNamed)
            return vertex.id;
        if (vertex.kind == Kind::Initial)
            return u"[*]"_s;
        return vertex.kind == Kind::Final ? u"[*]end"_s : u"[H]"_s;
    }

    QString word(const Vertex &vertex) const
    {
        switch (vertex.kind) {
        case Kind::Initial:
            return u"initial"_s;
        case Kind::Final:
            return u"final"_s;
        case Kind::Choice:
            return u"choice"_s;
        case Kind::Fork:
        case Kind::Join:
            return u"bar"_s;
        case Kind::ShallowHistory:
        case Kind::DeepHistory:
            return u"history"_s;
        default:
            return verticesIn(m_chart, vertex.id).isEmpty() ? u"state"_s : u"composite"_s;
        }
    }

    const Statechart &m_chart;
    QStringList m_lines;
    QHash<QString, QString> m_paths;
    QHash<QString, QString> m_before; ///< prefix of the names in a vertex
};

} // namespace

QStringList chartFacts(const Statechart &chart)
{
    return Facts(chart).lines();
}

} // namespace instar
