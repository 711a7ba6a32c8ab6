// SPDX-License-Identifier: Apache-2.0
#include "model/machine/checking.h"
#include "model/machine/run.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Which states can be reached, and which can be left.
class States
{
public:
    States(Checking &checking, const Flow &flow)
        : c(checking), m_flow(flow), m_machine(flow.machine())
    { }

    void check()
    {
        for (int setting = 0; setting < m_flow.settings().size(); ++setting)
            m_reached.unite(reached(setting));
        gatherMoved();
        for (const State &state : m_machine.states) {
            if (state.kind == State::Kind::Composite)
                continue;
            byServer(state);
            if (!m_reached.contains(state.id)) {
                c.error(pointer(state), u"unreachable-state"_s,
                    u"no transition leads to \"%1\", and no resource of the sample is in it; where only a server enters it, say \"byServer\": true"_s
                        .arg(state.id));
            } else if (state.kind == State::Kind::Stable) {
                stable(state);
                timer(state);
            } else if (state.kind == State::Kind::Transitional) {
                transitional(state);
            }
        }
    }

private:
    QString pointer(const State &state) const
    {
        return pointerTo({ u"machines"_s, m_machine.id, u"states"_s, state.id });
    }

    /// Where resources are that nobody has moved yet.
    QStringList beginnings() const
    {
        QStringList states { m_machine.initial(), m_machine.rest };
        for (const ResourceSpec &resource : c.pack.sample) {
            const State *state = m_machine.state(resource.state);
            if (state && state->kind == State::Kind::Stable)
                states += state->id;
        }
        for (const State &state : m_machine.states) {
            if (state.byServer)
                states += state.id;
        }
        return states;
    }

    QSet<QString> reached(int setting) const
    {
        QSet<QString> result;
        QSet<std::pair<int, int>> followed; // group of states, kind
        QStringList open = beginnings();
        while (!open.isEmpty()) {
            const QString at = open.takeLast();
            const State *state = m_flow.ways().state(at);
            if (!state || result.contains(at) || !exists(*state, m_flow.settings()[setting]))
                continue;
            result.insert(at);
            const std::pair alike { m_flow.group(at), int(state->kind) };
            if (followed.contains(alike))
                continue;
            followed.insert(alike);
            for (const Flow::Edge &edge : m_flow.edges(setting, at)) {
                if (!edge.speaks)
                    continue;
                for (const QString &to : m_machine.transitions[edge.row].to) {
                    if (to == LastState && state->kind == State::Kind::Transitional)
                        open +=
                            m_machine.history.isEmpty() ? m_machine.initial() : m_machine.history;
                    else if (to != SameState && to != LastState)
                        open += m_flow.ways().entered(to);
                }
            }
        }
        return result;
    }

    /// What is said to be a server's alone, though a row leads there.
    void byServer(const State &state)
    {
        if (!state.byServer)
            return;
        for (qsizetype i = 0; i < m_machine.transitions.size(); ++i) {
            const bool leads = std::ranges::any_of(m_machine.transitions[i].to,
                [&](const QString &to) { return m_flow.ways().entered(to) == state.id; });
            if (leads) {
                c.warning(pointer(state) + u"/byServer"_s, u"by-server"_s,
                    u"transition %1 leads to \"%2\", so that not only a server does"_s.arg(i).arg(
                        state.id));
                return;
            }
        }
    }

    void stable(const State &state)
    {
        for (int setting = 0; setting < m_flow.settings().size(); ++setting) {
            for (const Flow::Edge &edge : m_flow.edges(setting, state.id)) {
                const QStringList &to = m_machine.transitions[edge.row].to;
                if (edge.speaks && std::ranges::any_of(to, [&](const QString &t) {
                        return t != SameState && t != LastState && t != state.id;
                    }))
                    return;
            }
        }
        c.warning(
            pointer(state), u"dead-end"_s, u"no transition leads out of \"%1\""_s.arg(state.id));
    }

    /// Where a resource comes to rest when a trigger goes well, whatever the conditions.
    QSet<QString> restsAfter(int setting, const QString &from, const QString &trigger) const
    {
        QSet<QString> rests, seen;
        QList<std::pair<QString, QString>> open { { from, trigger } };
        while (!open.isEmpty()) {
            const auto [at, on] = open.takeLast();
            for (const Flow::Edge &edge : m_flow.edges(setting, at)) {
                const Transition &row = m_machine.transitions[edge.row];
                if (!edge.speaks || edge.trigger != on
                    || row.condition.kind != Condition::Kind::Always)
                    continue;
                for (const QString &to : row.to) {
                    const QString target = to == SameState ? at : m_flow.ways().entered(to);
                    const State *state = m_flow.ways().state(target);
                    if (!state || state->kind == State::Kind::Initial)
                        continue;
                    if (state->kind != State::Kind::Transitional) {
                        rests.insert(target);
                    } else if (!seen.contains(target)) {
                        seen.insert(target);
                        for (const QString &end :
                            endsOf(c, *state, m_flow.settings()[setting]).all) {
                            if (c.isGood(end))
                                open += { target, end };
                        }
                    }
                }
            }
        }
        return rests;
    }

    /// A run that the clock keeps alive never becomes quiet.
    void timer(const State &state)
    {
        for (int setting = 0; setting < m_flow.settings().size(); ++setting) {
            QSet<QString> seen;
            QStringList open { state.id };
            while (!open.isEmpty()) {
                const State *at = m_flow.ways().state(open.takeLast());
                if (!at || !at->timer || !at->timer->outcome.isEmpty()
                    || !exists(*at, m_flow.settings()[setting]))
                    continue;
                for (const QString &next : restsAfter(setting, at->id, at->timer->operation)) {
                    if (next == state.id) {
                        c.warning(pointer(state), u"endless-timer"_s,
                            u"the clock fires \"%1\" for ever: it leads back to \"%2\"%3"_s.arg(
                                state.timer->operation, state.id,
                                settingText(m_flow.settings()[setting])));
                        return;
                    }
                    if (!seen.contains(next)) {
                        seen.insert(next);
                        open += next;
                    }
                }
            }
        }
    }

    /// Ends of a state's work that no transition takes under a setting, and all its ends.
    struct Untaken
    {
        QStringList ends;
        bool isAll = false;
        bool operator==(const Untaken &) const = default;
    };

    void gatherMoved()
    {
        for (qsizetype i = 0; i < m_machine.transitions.size(); ++i) {
            const Transition &row = m_machine.transitions[i];
            const bool sent = std::ranges::any_of(
                row.on, [&](const QString &on) { return c.events.contains(on); });
            for (const QString &to : sent ? row.to : QStringList())
                m_moved[to] += int(i);
        }
    }

    Untaken untaken(const State &state, int setting) const
    {
        const Setting &values = m_flow.settings()[setting];
        QSet<QString> takes;
        for (const Flow::Edge &edge : m_flow.edges(setting, state.id)) {
            if (edge.speaks && m_machine.transitions[edge.row].refuse.isEmpty())
                takes.insert(edge.trigger);
        }
        Ends ends = endsOf(c, state, values);
        for (const int row : m_moved.value(state.id)) { // it hears how the operation ended
            if (exists(m_machine.transitions[row], values))
                ends.all.unite({ u"succeeded"_s, u"failed"_s });
        }
        Untaken result;
        for (const QString &end : std::as_const(ends.all)) {
            if (!takes.contains(end) && !takes.contains(u"invalid"_s)
                && !takes.contains(u"failed"_s))
                result.ends += end;
        }
        result.ends.sort();
        result.isAll = result.ends.size() == ends.all.size();
        return result;
    }

    void transitional(const State &state)
    {
        QList<int> settings;
        for (int setting = 0; setting < m_flow.settings().size(); ++setting) {
            if (exists(state, m_flow.settings()[setting]))
                settings += setting;
        }
        const auto fails = [&](int setting) { return !untaken(state, setting).ends.isEmpty(); };
        const auto first = std::ranges::find_if(settings, fails);
        if (first == settings.end())
            return;
        const Untaken found = untaken(state, *first);
        const QString where = std::ranges::all_of(settings, fails)
            ? QString()
            : settingText(m_flow.settings()[*first]);
        if (found.isAll || found.ends.contains(u"succeeded"_s)) {
            c.error(pointer(state), u"no-outcome"_s,
                u"its work can end in %1, but no transition then takes it out of \"%2\"%3"_s.arg(
                    found.ends.join(u" or "_s), state.id, where));
            return;
        }
        c.warning(pointer(state), u"unheard-outcome"_s,
            u"its work can end in %1, which no transition takes, so the resource goes back to where it last rested%2"_s
                .arg(found.ends.join(u" or "_s), where));
    }

    Checking &c;
    const Flow &m_flow;
    const Machine &m_machine;
    QSet<QString> m_reached;
    QHash<QString, QList<int>> m_moved; ///< state -> rows by which a send moves resources there
};

} // namespace

void checkStates(Checking &checking, const Flow &flow)
{
    States(checking, flow).check();
}

} // namespace instar
