// SPDX-License-Identifier: Apache-2.0
#include "model/pack/flow.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Which rows of a machine are ever taken.
class Transitions
{
public:
    Transitions(Checking &checking, const Flow &flow)
        : c(checking), m_flow(flow), m_machine(flow.machine())
    {
        for (qsizetype i = 0; i < m_machine.constraints.size(); ++i) {
            for (const QString &state : m_machine.constraints[i].in)
                m_guards[state] += int(i);
        }
    }

    void check()
    {
        gather();
        for (qsizetype i = 0; i < m_machine.transitions.size(); ++i) {
            const Transition &row = m_machine.transitions[i];
            const QString pointer = at(int(i));
            switchedOff(row, row.from + row.to, pointer);
            if (row.from.isEmpty() || row.on.isEmpty())
                continue;
            speaks(int(i), row, pointer);
            laterTargets(row, pointer);
            forced(row, pointer);
        }
        for (qsizetype i = 0; i < m_machine.constraints.size(); ++i) {
            const Constraint &row = m_machine.constraints[i];
            switchedOff(row, row.in,
                pointerTo({ u"machines"_s, m_machine.id, u"constraints"_s, QString::number(i) }));
        }
        switchedOff(Row(), { m_machine.rest, m_machine.history, m_machine.initial() },
            pointerTo({ u"machines"_s, m_machine.id }));
    }

private:
    /// A row asked in one state on one trigger.
    struct Silence
    {
        bool everSpeaks = false;
        int by = -1;
    };

    QString at(int row) const
    {
        return pointerTo({ u"machines"_s, m_machine.id, u"transitions"_s, QString::number(row) });
    }

    void gather()
    {
        QList<const State *> states;
        for (const State &state : m_machine.states)
            states += &state;
        std::ranges::stable_sort(states, {}, &State::id); // of those alike the first is told
        QHash<int, QString> alike;                        // group -> the first state in it
        QSet<std::pair<int, int>> seen;                   // (setting, group)
        for (const State *state : states) {
            for (int setting = 0; setting < m_flow.settings().size(); ++setting) {
                const int group = m_flow.group(state->id);
                if (group < 0 || !exists(*state, m_flow.settings()[setting])
                    || seen.contains({ setting, group }))
                    continue;
                seen.insert({ setting, group });
                if (!alike.contains(group))
                    alike.insert(group, state->id);
                for (const Flow::Edge &edge : m_flow.edges(setting, state->id)) {
                    Silence &silence = m_silence[edge.row][{ alike[group], edge.trigger }];
                    silence.everSpeaks = silence.everSpeaks || edge.speaks;
                    silence.by = std::max(silence.by, edge.by);
                }
            }
        }
    }

    void speaks(int index, const Transition &row, const QString &pointer)
    {
        const auto &silences = m_silence.value(index);
        if (std::ranges::none_of(silences, &Silence::everSpeaks)) {
            const bool refusesOutcome = !row.refuse.isEmpty()
                && std::ranges::none_of(row.on,
                    [&](const QString &on) { return !c.isOutcome(on) && !c.events.contains(on); });
            QString why = u"no state that it leaves ever exists"_s;
            if (refusesOutcome)
                why = u"only operations can be refused"_s;
            else if (!silences.isEmpty())
                why = earlier(silences.first().by, row);
            c.error(pointer, u"never-speaks"_s, u"the transition is never taken: "_s + why);
            return;
        }
        for (auto it = silences.cbegin(); it != silences.cend(); ++it) {
            const auto &[state, trigger] = it.key();
            if (it->everSpeaks || it->by < 0 || !row.from.contains(state))
                continue;
            const Transition &other = m_machine.transitions[it->by];
            if (other.from.contains(state) && (other.to != row.to || other.refuse != row.refuse)) {
                c.error(pointer, u"nondeterminism"_s,
                    u"two transitions leave \"%1\" on \"%2\" under the same condition; transition %3 comes first and is taken"_s
                        .arg(state, trigger)
                        .arg(it->by));
                return;
            }
        }
    }

    QString earlier(int by, const Transition &row) const
    {
        if (by < 0)
            return u"earlier ones together leave it nothing"_s;
        const bool refuses = !m_machine.transitions[by].refuse.isEmpty() && row.refuse.isEmpty();
        return refuses ? u"transition %1 refuses first"_s.arg(by)
                       : u"wherever it fits, transition %1 comes first"_s.arg(by);
    }

    /// Constraint rows that may guard a state while the transition exists.
    QList<int> guards(const Transition &row, const QString &state) const
    {
        QList<int> result;
        for (const int i : m_guards.value(state)) {
            const Constraint &guard = m_machine.constraints[i];
            const auto together = [&](const Setting &setting) {
                return exists(guard, setting) && exists(row, setting);
            };
            if (std::ranges::any_of(m_flow.settings(), together))
                result += i;
        }
        return result;
    }

    void laterTargets(const Transition &row, const QString &pointer)
    {
        for (qsizetype i = 0; i + 1 < row.to.size(); ++i) {
            const bool last = row.to[i] == LastState;
            if (!last && (row.force || guards(row, m_flow.ways().entered(row.to[i])).isEmpty())) {
                c.error(pointer + u"/to"_s, u"never-speaks"_s,
                    u"\"%1\" is never chosen: \"%2\" comes first, and no constraint keeps a resource from it"_s
                        .arg(row.to[i + 1], row.to[i]));
                return;
            }
        }
    }

    void forced(const Transition &row, const QString &pointer)
    {
        if (!row.force)
            return;
        for (const QString &to : row.to) {
            const QList<int> broken = guards(row, m_flow.ways().entered(to));
            if (!broken.isEmpty()) {
                c.warning(pointer, u"forced-entry"_s,
                    u"the transition enters \"%1\" even where constraint %2 does not hold"_s.arg(to)
                        .arg(broken.first()));
                return;
            }
        }
    }

    /// A row may not name what does not exist while it does.
    void switchedOff(const Row &row, const QStringList &ids, const QString &pointer)
    {
        for (const Setting &setting : m_flow.settings()) {
            if (!exists(row, setting))
                continue;
            for (const QString &id : ids) {
                const State *state = m_flow.ways().state(id);
                if (state && !exists(*state, setting)) {
                    c.error(pointer, u"switched-off"_s,
                        u"the row needs the state \"%1\", which does not exist%2"_s.arg(
                            id, settingText(setting).mid(1)));
                    return;
                }
            }
        }
    }

    Checking &c;
    const Flow &m_flow;
    const Machine &m_machine;
    QHash<QString, QList<int>> m_guards; ///< state -> constraints on it
    QHash<int, QMap<std::pair<QString, QString>, Silence>>
        m_silence; ///< row -> (state, trigger) ->
};

/// Transitional states that follow each other without anything that takes time.
class Loops
{
public:
    Loops(Checking &checking, const Flow &flow)
        : c(checking), m_flow(flow), m_machine(flow.machine())
    { }

    void check()
    {
        for (int setting = 0; setting < m_flow.settings().size(); ++setting) {
            for (const State &state : m_machine.states) {
                if (state.kind == State::Kind::Transitional
                    && exists(state, m_flow.settings()[setting]))
                    gather(setting, state);
            }
            report();
            m_next.clear();
        }
    }

private:
    struct Next
    {
        QString to;
        int row = 0;
    };

    void gather(int setting, const State &state)
    {
        const QList<Flow::Edge> edges = m_flow.edges(setting, state.id);
        const Ends ends = endsOf(c, state, m_flow.settings()[setting]);
        const auto rowsOn = [&](const QString &trigger) {
            QList<int> rows;
            for (const Flow::Edge &edge : edges) {
                if (edge.trigger == trigger && m_machine.transitions[edge.row].refuse.isEmpty())
                    rows += edge.row;
            }
            return rows;
        };
        for (const QString &end : ends.atOnce) {
            for (const QString &trigger : { end, u"invalid"_s, u"failed"_s }) {
                const QList<int> rows = rowsOn(trigger);
                if (rows.isEmpty())
                    continue;
                step(state, rows.first());
                break;
            }
        }
        if (!ends.atOnce.contains(u"succeeded"_s))
            repeats(state, rowsOn(u"succeeded"_s));
        for (const QString &outcome : c.outcomes) {
            if (!ends.atOnce.contains(outcome) && outcome != u"succeeded" && outcome != u"canceled")
                repeats(state, rowsOn(outcome));
        }
    }

    /// Without a condition, which the repetition might change.
    void step(const State &state, int index)
    {
        const Transition &row = m_machine.transitions[index];
        if (row.after > 0 || !row.afterIn.isEmpty() || row.limit
            || row.condition.kind != Condition::Kind::Always || row.to.size() != 1)
            return;
        const QString to =
            row.to.first() == SameState ? state.id : m_flow.ways().entered(row.to.first());
        const State *next = m_flow.ways().state(to);
        if (next && next->kind == State::Kind::Transitional)
            m_next[state.id] += { to, index };
    }

    /// Each attempt takes time, but nothing says how often there may be another one, or when.
    void repeats(const State &state, const QList<int> &rows)
    {
        for (const int index : rows) {
            const Transition &row = m_machine.transitions[index];
            const bool again = row.to == QStringList { SameState.toString() }
                || row.to == QStringList { state.id };
            if (!again || row.after > 0 || !row.afterIn.isEmpty() || row.limit
                || row.condition.kind != Condition::Kind::Always || m_told.contains(index))
                continue;
            m_told.insert(index);
            c.warning(at(index), u"livelock"_s,
                u"the transition repeats the work without a pause (\"after\") and without a \"limit\""_s);
        }
    }

    QString at(int row) const
    {
        return pointerTo({ u"machines"_s, m_machine.id, u"transitions"_s, QString::number(row) });
    }

    /// States of which each leads to each other get one number.
    QHash<QString, int> rounds() const
    {
        QHash<QString, QStringList> before;
        QStringList order; // a state behind all to which it leads, but for rounds
        QSet<QString> seen;
        for (auto it = m_next.cbegin(); it != m_next.cend(); ++it) {
            for (const Next &next : *it)
                before[next.to] += it.key();
            QList<std::pair<QString, qsizetype>> open; // state, and its ways followed so far
            const auto enter = [&](const QString &state) {
                if (!seen.contains(state))
                    open.append({ state, 0 });
                seen.insert(state);
            };
            enter(it.key());
            while (!open.isEmpty()) {
                const QString at = open.last().first;
                const QList<Next> ways = m_next.value(at);
                if (open.last().second < ways.size()) {
                    enter(ways[open.last().second++].to);
                } else {
                    order += at;
                    open.removeLast();
                }
            }
        }
        QHash<QString, int> numbers;
        for (qsizetype i = order.size(); i-- > 0;) {
            QStringList open { order[i] };
            while (!open.isEmpty()) {
                const QString at = open.takeLast();
                if (numbers.contains(at))
                    continue;
                numbers.insert(at, int(i));
                open += before.value(at);
            }
        }
        return numbers;
    }

    void report()
    {
        const QHash<QString, int> number = rounds();
        QHash<int, QList<int>> rows; // of each round
        for (auto it = m_next.cbegin(); it != m_next.cend(); ++it) {
            for (const Next &next : *it) {
                if (number[next.to] == number[it.key()])
                    rows[number[next.to]] += next.row;
            }
        }
        for (const State &state : m_machine.states) {
            for (const Next &next : m_next.value(state.id)) {
                if (m_told.contains(next.row) || number[next.to] != number[state.id])
                    continue;
                for (const int row : rows[number[state.id]])
                    m_told.insert(row);
                c.error(at(next.row), u"livelock"_s,
                    next.to == state.id
                        ? u"the transition repeats \"%1\" for ever without a pause: nothing in its work takes time"_s
                              .arg(state.id)
                        : u"\"%1\" and \"%2\" follow each other for ever without a pause: nothing in their work takes time"_s
                              .arg(state.id, next.to));
            }
        }
    }

    Checking &c;
    const Flow &m_flow;
    const Machine &m_machine;
    QMap<QString, QList<Next>> m_next;
    QSet<int> m_told;
};

} // namespace

void checkTransitions(Checking &checking, const Flow &flow)
{
    Transitions(checking, flow).check();
}

void checkLivelock(Checking &checking, const Flow &flow)
{
    Loops(checking, flow).check();
}

} // namespace instar
