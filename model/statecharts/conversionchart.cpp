// SPDX-License-Identifier: Apache-2.0
#include "model/json/reading.h"
#include "model/pack/nearest.h"
#include "model/pack/run.h"
#include "model/statecharts/chartmachine.h"
#include "model/statecharts/chartplan.h"
#include "model/statecharts/conversion.h"
#include "model/statecharts/notation/textplan.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString wordsOf(const Condition &condition);

QString joined(const QList<Condition> &conditions)
{
    QStringList parts;
    for (const Condition &each : conditions)
        parts += each.kind == Condition::Kind::All ? u'(' + wordsOf(each) + u')' : wordsOf(each);
    return parts.join(u" && ");
}

/// Writes a condition in the syntax of guardOf(); a fact other than a label becomes one name.
QString wordsOf(const Condition &condition)
{
    switch (condition.kind) {
    case Condition::Kind::Always:
        return u"true"_s;
    case Condition::Kind::Label:
        return condition.text;
    case Condition::Kind::All:
        return condition.parts.isEmpty() ? u"true"_s : joined(condition.parts);
    case Condition::Kind::Not: {
        const QString inner =
            condition.parts.isEmpty() ? u"true"_s : wordsOf(condition.parts.first());
        const bool isLabel =
            !condition.parts.isEmpty() && condition.parts.first().kind == Condition::Kind::Label;
        return isLabel ? u'!' + inner : u"!("_s + inner + u')';
    }
    case Condition::Kind::Related: {
        const QString which = condition.text + (condition.some ? u" (some)"_s : QString());
        if (condition.match != Condition::Match::In)
            return which + (condition.match == Condition::Match::Any ? u": any"_s : u": none"_s);
        return which + u" in "_s + condition.states.join(u" or "_s);
    }
    case Condition::Kind::Last:
        return u"last "_s + condition.states.join(u" or "_s);
    case Condition::Kind::Id:
        return u"named "_s + condition.states.join(u" or "_s);
    case Condition::Kind::Required:
        return condition.text.isEmpty() ? u"required"_s : u"required by "_s + condition.text;
    case Condition::Kind::Elapsed:
        return u"%1 ms since %2"_s.arg(condition.ms).arg(condition.text);
    case Condition::Kind::Property:
        return condition.bound
            ? u"%1 above %2"_s.arg(condition.text).arg(*condition.bound)
            : u"%1 is %2"_s.arg(condition.text, condition.words().join(u" or "_s));
    }
    return {};
}

class ChartOfMachine
{
public:
    ChartOfMachine(const Machine &machine, const QMap<QString, QString> &switches)
        : m(machine), m_switches(switches)
    { }

    Result<StatechartMade> made()
    {
        m_chart.id = m.id;
        m_chart.title = m.title;
        if (m.isStatechart())
            describeChart(m, &m_chart);
        for (const State &state : m.states) {
            if (lineage(m, state.id).size() > DeepestChart)
                return Error { u"machine \"%1\" has states nested more than %2 deep"_s.arg(
                    oneLine(m.id), QString::number(DeepestChart)) };
            if (exists(state))
                m_ids.insert(state.id);
        }
        m_beginning = plainBeginning();
        m_starting = plainStart();
        m_isRows = m.isStatechart();
        if (m_starting)
            m_ids.remove(m.rest);
        for (const State &state : m.states) {
            if (exists(state) && !(m_starting && state.id == m.rest))
                addState(state);
        }
        addDots();
        sortVertices();
        // Refusing rows are tried before all others.
        for (const bool refuses : { true, false }) {
            for (qsizetype i = 0; i < m.transitions.size(); ++i) {
                const Transition &row = m.transitions[i];
                const bool isSaid = m_starting && &row == m_beginning;
                if (row.refuse.isEmpty() != refuses && exists(row) && !isSaid)
                    addTransition(row, i);
                if (m_chart.arcs.size() > MostArcs)
                    return Error {
                        u"machine \"%1\" would have more than %2 arrows, because each transition from any state (\"*\") becomes many; keep it as a pack (.pack.json)"_s
                            .arg(oneLine(m.id))
                            .arg(MostArcs)
                    };
            }
        }
        if (!m.constraints.isEmpty())
            loss(u"%1 constraints on entering a state are left out"_s.arg(m.constraints.size()));
        return StatechartMade { m_chart, m_remarks };
    }

private:
    void loss(const QString &text) { m_remarks.append({ 0, text }); }
    void note(const QString &text) { m_remarks.append({ 0, text, Diagnostic::Severity::Note }); }

    bool exists(const Row &row) const
    {
        for (auto it = row.when.cbegin(); it != row.when.cend(); ++it) {
            const auto chosen = m_switches.constFind(it.key());
            if (chosen != m_switches.constEnd() && !it->contains(*chosen))
                return false;
        }
        return true;
    }

    /// The only row out of a state, if it has only an operation and a target; else
    /// null.
    const Transition *onlyPlain(const QString &from, const QString &wish) const
    {
        const Transition *only = nullptr;
        QStringList others;
        for (const Transition &row : m.transitions) {
            if (!exists(row))
                continue;
            if (!row.from.contains(from)) {
                others += row.on;
                continue;
            }
            if (only)
                return nullptr;
            only = &row;
        }
        if (!only || only->to.size() != 1)
            return nullptr;
        Transition plain { .from = { from }, .on = { freshName(wish, others, " ") } };
        plain.to = only->to;
        plain.label = only->label;
        plain.about = only->about;
        plain.bend = only->bend;
        return *only == plain ? only : nullptr;
    }

    /// The row that creates a resource, if it is exactly the one that conversion adds to a
    /// statechart. Drawn as an arrow from the dot without text. Null: another row, or none.
    const Transition *plainBeginning() const
    {
        const Transition *only = onlyPlain(m.initial(), u"create"_s);
        const State *rest = m.state(m.rest);
        const bool isUsual = only && rest && rest->kind == State::Kind::Stable
            && lineage(m, m.rest).contains(only->to.first());
        return isUsual ? only : nullptr;
    }

    /// The row out of the waiting state that conversion adds to a statechart which begins
    /// with work. Drawn as an arrow from the dot to its target. Null: there is no such row.
    const Transition *plainStart() const
    {
        const State *waiting = m_beginning ? m.state(m.rest) : nullptr;
        State plain { .id = u"waiting"_s };
        if (waiting)
            plain.position = waiting->position;
        if (!waiting || *waiting != plain || m_beginning->to != QStringList { m.rest }
            || !m_beginning->label.isEmpty() || !m_beginning->about.isEmpty())
            return nullptr;
        const bool isReached = std::ranges::any_of(m.transitions, [&](const Transition &row) {
            return exists(row) && &row != m_beginning
                && (row.from.contains(AnyState) || row.to.contains(m.rest));
        });
        const Transition *only = isReached ? nullptr : onlyPlain(m.rest, u"start"_s);
        const State *first = only ? m.state(WaysOut(m).entered(only->to.first())) : nullptr;
        return first && first->kind == State::Kind::Transitional ? only : nullptr;
    }

    QString freeId(const QString &wish) { return *m_ids.insert(freshName(wish, m_ids, ".")); }

    Vertex &add(Vertex::Kind kind, const QString &id)
    {
        m_chart.vertices.append({ .kind = kind, .id = id });
        return m_chart.vertices.last();
    }

    void addState(const State &state)
    {
        if (state.kind == State::Kind::Initial && m_isRows)
            return; // no work runs there
        if (state.kind == State::Kind::Initial) {
            m_dot = m_beginning ? freeId(madeUpId({}, u"initial")) : state.id;
            Vertex &dot = add(Vertex::Kind::Initial, m_dot);
            dot.isNamed = false;
            if (state.position)
                dot.place = usualPlace(*state.position, dot.kind);
            return;
        }
        Vertex &vertex = add(vertexKind(state), state.id);
        vertex.isNamed = isNamed(state);
        vertex.particulars = particularsOf(state);
        vertex.parent = state.parent;
        vertex.label = state.label;
        if (!state.about.isEmpty())
            vertex.description = state.about.split(u'\n');
        if (!state.as.isEmpty())
            vertex.description += u"shown as %1"_s.arg(state.as);
        if (state.ownWork)
            loss(u"the steps of the work in \"%1\" are left out"_s.arg(state.id));
        if (state.timer) {
            vertex.description += u"timer / %1 after %2 ms"_s
                                      .arg(state.timer->outcome.isEmpty() ? state.timer->operation
                                                                          : state.timer->outcome)
                                      .arg(state.timer->after);
            loss(u"the timer in \"%1\" becomes a text of the state"_s.arg(state.id));
        }
        if (state.position)
            vertex.place = usualPlace(*state.position, vertex.kind);
    }

    /// Sorts vertices in preorder: each composite before its children.
    void sortVertices()
    {
        QMap<QString, QList<Vertex>> inside;
        for (Vertex &vertex : m_chart.vertices) {
            if (!m_ids.contains(vertex.parent))
                vertex.parent.clear();
            inside[vertex.parent].append(vertex);
        }
        QList<Vertex> sorted;
        QList<Vertex> open = inside.take({});
        std::ranges::reverse(open);
        while (!open.isEmpty()) {
            sorted.append(open.takeLast());
            QList<Vertex> children = inside.take(sorted.last().id);
            std::ranges::reverse(children);
            open += children;
        }
        m_chart.vertices = sorted;
    }

    /// Adds the final dot if a transition removes the resource.
    void addDots()
    {
        const QString initial = m.initial();
        const bool isRemoved = std::ranges::any_of(m.transitions,
            [&](const Transition &row) { return row.to.contains(initial) && exists(row); });
        if (!isRemoved)
            return;
        m_end = freeId(u"final"_s);
        add(Vertex::Kind::Final, m_end).isNamed = false;
    }

    QStringList sources(const Transition &row) const
    {
        QStringList result;
        for (const QString &from : row.from) {
            if (from == AnyState) {
                for (const State &state : m.states) {
                    if (state.parent.isEmpty() && state.kind != State::Kind::Initial
                        && exists(state))
                        result += state.id;
                }
            } else {
                const bool isDot = from == m.initial() || (m_starting && from == m.rest);
                result += isDot ? m_dot : from;
            }
        }
        result.removeDuplicates();
        result.removeIf([this](const QString &id) { return !m_ids.contains(id); });
        return result;
    }

    /// The simple states in a composite.
    QStringList leaves(const QString &id) const
    {
        QStringList result;
        for (const State &state : m.states) {
            const bool isLeaf =
                state.kind == State::Kind::Stable || state.kind == State::Kind::Transitional;
            if (isLeaf && exists(state) && lineage(m, state.id).contains(id))
                result += state.id;
        }
        return result;
    }

    void addTransition(const Transition &row, qsizetype index)
    {
        if (row.to.isEmpty() && row.condition.kind == Condition::Kind::Always && !m_isRows) {
            const QString what =
                row.refuse.isEmpty() ? u"has no target"_s : u"is refused with "_s + row.refuse;
            loss(u"transition %1: \"%2\" %3; the transition is left out"_s.arg(index).arg(
                row.on.join(u", "_s), what));
            return;
        }
        reportLosses(row, index);
        const bool isSame = row.to.contains(SameState.toString());
        for (const QString &source : sources(row)) {
            const State *state = m.state(source);
            const bool spreads = isSame && state && state->kind == State::Kind::Composite;
            for (const QString &from : spreads ? leaves(source) : QStringList { source })
                addArcs(row, int(index), from);
        }
    }

    void reportLosses(const Transition &row, qsizetype index)
    {
        const QString which = u"transition %1, on %2"_s.arg(index).arg(row.on.join(u", "_s));
        if (row.limit || row.after > 0 || row.force)
            loss(u"%1: the members limit, after and force are left out"_s.arg(which));
        if (row.to.size() > 1 && !m_isRows)
            note(
                u"%1: the choice of the target by a constraint becomes a condition named after the constraint"_s
                    .arg(which));
    }

    /// Sets the action: the part of the label after event and condition.
    static void addLabel(Arc &arc, const QString &label)
    {
        Arc asks = arc;
        asks.event.clear();
        for (const QString &said : { arc.text(), asks.text(), arc.condition, QString() }) {
            if (label == said)
                return;
            const QString before = said.isEmpty() ? u"/ "_s : said + u" / "_s;
            if (label.startsWith(before)) {
                arc.action = label.sliced(before.size());
                return;
            }
        }
        if (!arc.event.isEmpty() && label.simplified().startsWith(arc.event.simplified()))
            arc.label = label;
        else
            arc.action = label;
    }

    void addArcs(const Transition &row, int index, const QString &from)
    {
        Arc arc;
        arc.from = from;
        arc.line = index + 1;
        if (m_isRows)
            describeArc(row, &arc);
        else if (&row != m_beginning && &row != m_starting)
            arc.event = row.on.join(u'\n');
        if (row.condition.kind != Condition::Kind::Always)
            arc.condition = wordsOf(row.condition);
        if (!row.about.isEmpty())
            arc.note = row.about.split(u'\n');
        if (!row.refuse.isEmpty())
            arc.action = u"refuse "_s + row.refuse;
        if (!row.label.isEmpty())
            addLabel(arc, row.label);
        if (row.to.isEmpty() || m_isRows) {
            m_chart.arcs.append(arc);
            return;
        }
        const QString own = arc.condition;
        for (qsizetype i = 0; i < row.to.size(); ++i) {
            const QString &to = row.to[i];
            arc.condition = own;
            if (i + 1 < row.to.size())
                arc.condition +=
                    (own.isEmpty() ? QString() : u" && "_s) + u"%1 is allowed"_s.arg(to);
            if (to == LastState) {
                addReturns(arc);
                continue;
            }
            arc.to = { to == SameState ? from : to == m.initial() ? m_end : to };
            if (m_ids.contains(arc.to.first()))
                m_chart.arcs.append(arc);
        }
    }

    /// Adds an arrow to each stable state, with the condition that it was the last one.
    void addReturns(Arc arc)
    {
        const QString own = arc.condition;
        for (const State &state : m.states) {
            if (state.kind != State::Kind::Stable || !exists(state))
                continue;
            arc.to = { state.id };
            arc.condition = (own.isEmpty() ? QString() : own + u" && "_s) + u"last "_s + state.id;
            m_chart.arcs.append(arc);
        }
    }

    const Machine &m;
    QMap<QString, QString> m_switches;
    Statechart m_chart;
    QList<Diagnostic> m_remarks;
    QSet<QString> m_ids;
    QString m_dot, m_end;
    bool m_isRows = false;                   ///< from a statechart: see machineOfRows()
    const Transition *m_beginning = nullptr; ///< drawn as an arrow without text
    const Transition *m_starting = nullptr;  ///< likewise, in place of m_beginning
};

} // namespace

Result<StatechartMade> statechartOf(const Machine &machine, const QMap<QString, QString> &switches)
{
    return ChartOfMachine(machine, switches).made();
}

} // namespace instar
