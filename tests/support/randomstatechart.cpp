// SPDX-License-Identifier: Apache-2.0
#include "tests/support/randomstatechart.h"

#include "tests/support/chartfacts.h"
#include "tests/support/randomcondition.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Vertex::Kind;

bool oneIn(int times)
{
    return pick(times) == 0;
}

/// Generator of a random statechart: first the vertices in preorder, then arcs between them.
class ChartMaker
{
public:
    ChartMaker(const ChartTaste &taste, bool runs, int room)
        : m_taste(taste), m_runs(runs), m_room(room)
    { }

    Statechart made()
    {
        m_chart.id = u"chart"_s;
        m_chart.waitsForFinals = !m_runs;
        if (m_taste.texts && oneIn(2))
            m_chart.title = text();
        fill({}, 0);
        for (qsizetype i = 0; i < m_chart.vertices.size(); ++i)
            connect(i);
        if (m_taste.texts && oneIn(3))
            annotate();
        return m_chart;
    }

private:
    QString text()
    {
        QString result;
        for (int i = pick(6); i >= 0; --i)
            result += m_taste.letters[pick(int(m_taste.letters.size()))];
        result = result.trimmed();
        return result.isEmpty() ? u"x"_s : result;
    }

    Vertex &add(Kind kind, const QString &parent, const QString &id)
    {
        Vertex vertex;
        vertex.kind = kind;
        vertex.id = id;
        vertex.parent = parent;
        if (m_taste.texts && kind == Kind::State && oneIn(3))
            vertex.label = text();
        if (m_taste.texts && kind == Kind::State && oneIn(4)) {
            for (int i = pick(2); i >= 0; --i)
                vertex.description += text();
        }
        if (m_taste.places && oneIn(3))
            vertex.bounds = QRectF(pick(900) / 4.0, pick(500), 1 + pick(200), 1 + pick(90) / 2.0);
        if (m_taste.looks && kind == Kind::State && oneIn(4)) {
            vertex.style = look();
            vertex.style.fill = colour();
            vertex.style.text = colour();
        }
        m_chart.vertices.append(vertex);
        return m_chart.vertices.last();
    }

    static QString colour()
    {
        return QStringList { {}, u"pink"_s, u"#a0b1c2"_s, u"#fff"_s }[pick(4)];
    }

    static ChartStyle look()
    {
        return { .stroke = colour(), .dash = ChartStyle::Dash(pick(3)), .isBold = oneIn(3) };
    }

    QString next() { return u"s%1"_s.arg(++m_states); }

    void fill(const QString &parent, int depth)
    {
        const bool hasInitial = oneIn(2);
        if (hasInitial) {
            add(Kind::Initial, parent, generatedId(parent, u"initial")).isNamed = false;
        }
        for (int i = 1 + pick(3); i > 0 && (m_room > 0 || i == 1); --i)
            addState(parent, depth);
        if (oneIn(3))
            add(Kind::Final, parent, generatedId(parent, u"final")).isNamed = false;
        if (m_taste.histories && !parent.isEmpty() && oneIn(4))
            add(oneIn(2) ? Kind::DeepHistory : Kind::ShallowHistory, parent, next());
        if (m_taste.pseudos && !m_runs && oneIn(4)) {
            static const QList<Kind> kinds { Kind::Choice, Kind::Fork, Kind::Join, Kind::Entry,
                Kind::Exit };
            const Kind kind = kinds[pick(parent.isEmpty() ? 3 : 5)];
            add(kind, parent, next());
        }
    }

    void addState(const QString &parent, int depth)
    {
        --m_room;
        const QString id = next();
        const bool mayNest = depth < 4 && m_room > 2;
        if (mayNest && m_taste.regions && oneIn(5)) {
            add(Kind::Parallel, parent, id);
            for (int i = 2 + pick(2); i > 0; --i) {
                const QString region = next();
                add(Kind::State, id, region);
                --m_room;
                if (!oneIn(4))
                    fill(region, depth + 2);
            }
            return;
        }
        add(Kind::State, parent, id);
        if (mayNest && oneIn(3))
            fill(id, depth + 1);
    }

    QList<const Vertex *> beside(const QString &parent, bool onlyStates) const
    {
        QList<const Vertex *> result;
        for (const Vertex *each : verticesIn(m_chart, parent)) {
            const bool isState = each->kind == Kind::State || each->kind == Kind::Parallel;
            if (isState || (!onlyStates && each->kind == Kind::Final))
                result += each;
        }
        return result;
    }

    void connect(qsizetype index)
    {
        const Vertex from = m_chart.vertices[index];
        if (from.kind == Kind::Final)
            return;
        if (from.kind == Kind::Initial || from.kind == Kind::ShallowHistory
            || from.kind == Kind::DeepHistory) {
            const QList<const Vertex *> choices = beside(from.parent, from.kind != Kind::Initial);
            m_chart.arcs.append(
                { .from = from.id, .to = { choices[pick(int(choices.size()))]->id } });
            return;
        }
        for (int i = pick(4); i > 0; --i)
            addArc(index);
    }

    void addArc(qsizetype index)
    {
        const Vertex from = m_chart.vertices[index];
        Arc arc;
        arc.from = from.id;
        if (m_runs && oneIn(4)) {
            addProgress(index, arc);
            return;
        }
        arc.event = event();
        arc.to = targets();
        if (m_taste.conditions && oneIn(3))
            arc.condition = condition();
        if (!m_runs && from.kind != Kind::State && from.kind != Kind::Parallel)
            arc.event.clear();
        if (m_taste.internals && oneIn(6) && !arc.to.isEmpty() && isInside(arc.to.first(), from.id))
            arc.isInternal = true;
        if (m_taste.texts && oneIn(4))
            arc.action = text();
        if (m_taste.texts && oneIn(6))
            arc.note += text();
        if (m_taste.looks && oneIn(4)) {
            arc.style = look();
            arc.towards = Towards(pick(5));
        }
        m_chart.arcs.append(arc);
    }

    /// Adds an eventless or done arc to a later sibling, so that no cycle of such arcs can arise.
    void addProgress(qsizetype index, Arc arc)
    {
        const Vertex &from = m_chart.vertices[index];
        const Vertex *around = m_chart.vertex(from.parent);
        if (around && around->kind == Kind::Parallel)
            return;
        QStringList later;
        for (qsizetype i = index + 1; i < m_chart.vertices.size(); ++i) {
            const Vertex &to = m_chart.vertices[i];
            if (to.parent == from.parent
                && (to.kind == Kind::State || to.kind == Kind::Parallel || to.kind == Kind::Final))
                later += to.id;
        }
        if (later.isEmpty())
            return;
        arc.to = { later[pick(int(later.size()))] };
        if (!verticesIn(m_chart, from.id).isEmpty() && !oneIn(4))
            arc.event = u"done.state."_s + from.id;
        if (m_taste.conditions && oneIn(2))
            arc.condition = condition();
        m_chart.arcs.append(arc);
    }

    QString event()
    {
        static const QStringList names { u"a"_s, u"b"_s, u"c"_s, u"d"_s, u"e"_s, u"long name"_s };
        const int count = m_runs ? 5 : 6;
        QString result = names[pick(count)];
        if (m_taste.severalEvents && oneIn(5) && result != u"e")
            result += u"\ne"_s;
        return !m_runs && oneIn(6) ? QString() : result;
    }

    QString condition()
    {
        QStringList states;
        for (const Vertex &each : m_chart.vertices) {
            if (each.kind == Kind::State || each.kind == Kind::Parallel)
                states += each.id;
        }
        if (m_runs || oneIn(2))
            return u"In('%1')"_s.arg(states[pick(int(states.size()))]);
        return m_taste.texts ? text() : u"ready"_s;
    }

    QStringList targets()
    {
        if (m_taste.severalTargets && oneIn(10))
            return {};
        if (m_taste.severalTargets && oneIn(5)) {
            for (const Vertex &each : m_chart.vertices) {
                if (each.kind == Kind::Parallel && oneIn(2))
                    return inRegions(each.id);
            }
        }
        QStringList all;
        for (const Vertex &each : m_chart.vertices) {
            if (each.kind != Kind::Initial)
                all += each.id;
        }
        return { all[pick(int(all.size()))] };
    }

    /// A state in each of the first two regions.
    QStringList inRegions(const QString &parallel) const
    {
        QStringList result;
        for (const Vertex *region : verticesIn(m_chart, parallel)) {
            const QList<const Vertex *> states = beside(region->id, false);
            result += states.isEmpty() ? region->id : states[pick(int(states.size()))]->id;
        }
        return result.mid(0, 2);
    }

    bool isInside(const QString &id, const QString &around) const
    {
        for (const Vertex *at = m_chart.vertex(id); at; at = m_chart.vertex(at->parent)) {
            if (at->parent == around)
                return true;
        }
        return false;
    }

    void annotate()
    {
        static const QStringList sides { u"left"_s, u"right"_s, u"top"_s, u"bottom"_s };
        Note note;
        for (const Vertex &each : m_chart.vertices) {
            if (each.kind == Kind::State && oneIn(3)) {
                note.of = each.id;
                note.side = sides[pick(4)];
                break;
            }
        }
        for (int i = pick(3); i >= 0; --i)
            note.lines += text();
        m_chart.notes.append(note);
    }

    ChartTaste m_taste;
    bool m_runs;
    int m_room;
    int m_states = 0;
    Statechart m_chart;
};

} // namespace

rc::Gen<Statechart> randomStatechart(const ChartTaste &taste)
{
    return rc::gen::withSize([taste](int size) {
        return rc::gen::exec(
            [taste, size] { return ChartMaker(taste, false, 1 + size / 4).made(); });
    });
}

rc::Gen<Statechart> runnableStatechart()
{
    return rc::gen::withSize([](int size) {
        ChartTaste taste;
        taste.texts = taste.places = taste.pseudos = false;
        return rc::gen::exec(
            [taste, size] { return ChartMaker(taste, true, 1 + size / 4).made(); });
    });
}

} // namespace instar
