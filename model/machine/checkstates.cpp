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
    States(Checking &checking, const Flow &flow) : c(checking), m_flow(flow), m_machine(flow.machine()) { }

    void check()
    {
        for (int setting = 0; setting < m_flow.settings().size(); ++setting)
            m_reached.unite(reached(setting));
        for (const State &state : m_machine.states) {
            if (state.kind == State::Kind::Composite)
                continue;
            if (!m_reached.contains(state.id)) {
                c.error(pointer(state), u"unreachable-state"_s,
                        u"no transition leads to \"%1\", and no resource of the sample is in it"_s.arg(state.id));
            } else if (state.kind == State::Kind::Stable) {
                stable(state);
            } else if (state.kind == State::Kind::Transitional) {
                transitional(state);
            }
        }
    }

private:
    QString pointer(const State &state) const { return pointerTo({ u"machines"_s, m_machine.id, u"states"_s, state.id }); }

    /// Where resources are that nobody has moved yet.
    QStringList beginnings() const
    {
        QStringList states { m_machine.initial(), m_machine.rest };
        for (const ResourceSpec &resource : c.pack.sample) {
            const State *state = m_machine.state(resource.state);
            if (state && state->kind == State::Kind::Stable)
                states += state->id;
        }
        return states;
    }

    QSet<QString> reached(int setting) const
    {
        QSet<QString> result;
        QStringList open = beginnings();
        while (!open.isEmpty()) {
            const QString at = open.takeLast();
            const State *state = m_machine.state(at);
            if (!state || result.contains(at) || !exists(*state, m_flow.settings()[setting]))
                continue;
            result.insert(at);
            for (const Flow::Edge &edge : m_flow.edges(setting, at)) {
                if (!edge.speaks)
                    continue;
                for (const QString &to : m_machine.transitions[edge.row].to) {
                    if (to == LastState && state->kind == State::Kind::Transitional)
                        open += m_machine.history.isEmpty() ? m_machine.initial() : m_machine.history;
                    else if (to != SameState && to != LastState)
                        open += entered(m_machine, to);
                }
            }
        }
        return result;
    }

    void stable(const State &state)
    {
        for (int setting = 0; setting < m_flow.settings().size(); ++setting) {
            for (const Flow::Edge &edge : m_flow.edges(setting, state.id)) {
                const QStringList &to = m_machine.transitions[edge.row].to;
                if (edge.speaks && std::ranges::any_of(to, [&](const QString &t) { return t != SameState && t != LastState && t != state.id; }))
                    return;
            }
        }
        c.warning(pointer(state), u"dead-end"_s, u"no transition leads out of \"%1\""_s.arg(state.id));
    }

    /// The first setting in which one of these ends is taken by nobody.
    void transitional(const State &state)
    {
        for (int setting = 0; setting < m_flow.settings().size(); ++setting) {
            const Setting &values = m_flow.settings()[setting];
            if (!exists(state, values))
                continue;
            QSet<QString> takes;
            bool moved = false;
            for (const Flow::Edge &edge : m_flow.edges(setting, state.id)) {
                const Transition &row = m_machine.transitions[edge.row];
                if (row.refuse.isEmpty() && edge.speaks)
                    takes.insert(edge.trigger);
            }
            for (const Transition &row : m_machine.transitions) { // what a send moves hears how its operation ended
                const bool sent = std::ranges::any_of(row.on, [&](const QString &on) { return c.events.contains(on); });
                moved = moved || (sent && exists(row, values) && row.to.contains(state.id));
            }
            Ends ends = endsOf(c, state, values);
            if (moved)
                ends.all.unite({ u"succeeded"_s, u"failed"_s });
            QStringList untaken;
            for (const QString &end : std::as_const(ends.all)) {
                const bool taken = takes.contains(end) || takes.contains(u"invalid"_s) || takes.contains(u"failed"_s);
                if (!taken)
                    untaken += end;
            }
            untaken.sort();
            if (untaken.isEmpty())
                continue;
            const QString where = m_flow.settings().size() > 1 ? settingText(values) : QString();
            if (untaken.size() == ends.all.size() || untaken.contains(u"succeeded"_s)) {
                c.error(pointer(state), u"no-outcome"_s,
                        u"its work can end (%1), but no transition takes it out of \"%2\" then%3"_s.arg(untaken.join(u", "_s), state.id, where));
            } else {
                c.warning(pointer(state), u"unheard-outcome"_s,
                          u"its work can end in %1, which no transition takes: the resource goes back to where it last rested%2"_s.arg(
                              untaken.join(u" or "_s), where));
            }
            return;
        }
    }

    Checking &c;
    const Flow &m_flow;
    const Machine &m_machine;
    QSet<QString> m_reached;
};

} // namespace

void checkStates(Checking &checking, const Flow &flow)
{
    States(checking, flow).check();
}

} // namespace instar
