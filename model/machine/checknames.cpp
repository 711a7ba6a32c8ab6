// SPDX-License-Identifier: Apache-2.0
#include "model/machine/checking.h"
#include "model/machine/names.h"
#include "model/machine/nearest.h"
#include "model/machine/run.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The names in one machine that mean nothing, or not what they should.
class MachineNames
{
public:
    MachineNames(Checking &checking, const Machine &machine)
        : c(checking), m_machine(machine), m_ways(machine)
    {
        for (const State &state : machine.states) {
            m_ids += state.id;
            m_parents.insert(state.parent);
        }
    }

    void check()
    {
        const QString here = at({});
        c.row(here, m_machine);
        structure();
        for (const State &state : m_machine.states)
            names(state);
        for (qsizetype i = 0; i < m_machine.transitions.size(); ++i)
            names(m_machine.transitions[i], at({ u"transitions"_s, QString::number(i) }));
        for (qsizetype i = 0; i < m_machine.constraints.size(); ++i) {
            const Constraint &row = m_machine.constraints[i];
            const QString pointer = at({ u"constraints"_s, QString::number(i) });
            c.row(pointer, row, Checking::Kind::Sourced);
            for (const QString &id : row.in) {
                if (const State *state = m_ways.state(id);
                    state && state->kind == State::Kind::Composite)
                    c.error(pointer + u"/in"_s, u"never-speaks"_s,
                        u"no resource is ever in \"%1\" itself: it is a composite"_s.arg(id));
            }
        }
    }

private:
    QString at(const QStringList &keys) const
    {
        return pointerTo(QStringList { u"machines"_s, m_machine.id } + keys);
    }
    QString atState(const QString &id, const QString &key = {}) const
    {
        return at({ u"states"_s, id }) + (key.isEmpty() ? key : u'/' + key);
    }

    void structure()
    {
        QSet<QString> seen;
        QStringList initials;
        for (const State &state : m_machine.states) {
            if (seen.contains(state.id))
                c.error(atState(state.id), u"duplicate-id"_s,
                    u"there are two states \"%1\""_s.arg(state.id));
            seen.insert(state.id);
            if (state.kind == State::Kind::Initial)
                initials += state.id;
        }
        if (initials.isEmpty())
            c.error(at({ u"states"_s }), u"no-initial"_s,
                u"there is no initial state: none for a resource that is not there"_s);
        for (const QString &id : initials.mid(1))
            c.error(atState(id), u"several-initial"_s,
                u"there is an initial state already: \"%1\""_s.arg(initials.first()));
        if (const State *rest = m_ways.state(m_machine.rest);
            rest && rest->kind != State::Kind::Stable)
            c.error(at({ u"rest"_s }), u"wrong-kind"_s,
                u"a resource that just exists must be in a stable state, which \"%1\" is not"_s.arg(
                    m_machine.rest));
        if (const State *history = m_ways.state(m_machine.history)) {
            const State::Kind kind = history->kind;
            if (kind == State::Kind::Transitional || kind == State::Kind::Composite)
                c.error(at({ u"history"_s }), u"wrong-kind"_s,
                    u"no resource can have rested in \"%1\""_s.arg(m_machine.history));
        }
    }

    bool liesInItself(const State &state) const
    {
        QSet<QString> seen;
        const State *at = &state;
        while (at && !seen.contains(at->id)) {
            seen.insert(at->id);
            at = at->parent.isEmpty() ? nullptr : m_ways.state(at->parent);
        }
        return at;
    }

    void names(const State &state)
    {
        c.row(atState(state.id), state);
        if (const State *parent = m_ways.state(state.parent)) {
            if (parent->kind != State::Kind::Composite)
                c.error(atState(state.id, u"parent"_s), u"wrong-kind"_s,
                    u"\"%1\" is not a composite, so nothing can lie in it"_s.arg(state.parent));
            if (liesInItself(state))
                c.error(atState(state.id, u"parent"_s), u"parent-cycle"_s,
                    u"the state lies in itself, by way of \"%1\""_s.arg(state.parent));
        }
        if (state.kind == State::Kind::Composite && !m_parents.contains(state.id))
            c.error(
                atState(state.id), u"empty-composite"_s, u"the composite has no states in it"_s);
        if (state.ownWork && state.kind != State::Kind::Transitional && !state.work.isEmpty())
            c.error(atState(state.id, u"work"_s), u"never-speaks"_s,
                u"only a transitional state has work"_s);
        if (state.timer)
            timer(state);
        bool decided = false;
        for (qsizetype i = 0; i < state.work.size(); ++i) {
            const QString pointer = atState(state.id, u"work/"_s + QString::number(i));
            names(state.work[i], pointer);
            if (decided && state.work[i].when.isEmpty())
                c.error(
                    pointer, u"never-speaks"_s, u"the work has always ended before this step"_s);
            const Step &step = state.work[i];
            decided = decided
                || (step.kind == Step::Kind::Decide && step.when.isEmpty() && !c.isGood(step.name)
                    && step.condition.kind == Condition::Kind::Always);
        }
    }

    void timer(const State &state)
    {
        const QString pointer = atState(state.id, u"timer"_s);
        const QString &op = state.timer->operation;
        if (!state.timer->outcome.isEmpty()) {
            if (state.kind != State::Kind::Transitional)
                c.error(pointer, u"wrong-kind"_s,
                    u"the clock ends work in transitional states only, and \"%1\" is none"_s.arg(
                        state.id));
            else if (successors(m_machine, state.id, state.timer->outcome).isEmpty())
                c.warning(pointer, u"nobody-hears"_s,
                    u"no transition leaves \"%1\" on \"%2\", so it fails when its time is over"_s
                        .arg(state.id, state.timer->outcome));
        } else if (state.kind != State::Kind::Stable)
            c.error(pointer, u"wrong-kind"_s,
                u"the clock looks at stable states only, and \"%1\" is none"_s.arg(state.id));
        else if (c.handled.contains(op)
            && std::ranges::none_of(m_ways.from(state.id),
                [&](int row) { return m_machine.transitions[row].on.contains(op); }))
            c.error(pointer, u"nobody-hears"_s,
                u"no transition leaves \"%1\" on \"%2\", so the clock fires in vain"_s.arg(
                    state.id, op));
    }

    void names(const Step &step, const QString &pointer)
    {
        c.row(pointer, step);
        if ((step.kind == Step::Kind::Send || step.kind == Step::Kind::Require)
            && step.to.isEmpty())
            c.error(pointer, u"nobody-hears"_s, u"the step does not say to whom"_s);
        if (step.kind == Step::Kind::Require && c.handled.contains(step.name))
            heard(pointer + u"/op"_s, step.name, step.to, u"takes the operation"_s);
        if (step.kind == Step::Kind::Send) {
            for (const QString &event :
                step.byOutcome.isEmpty() ? QStringList { step.name } : step.byOutcome.values())
                heard(pointer + u"/send"_s, event, step.to, u"hears"_s);
        }
    }

    /// Somebody at the relations must have a transition on it.
    void heard(
        const QString &pointer, const QString &trigger, const QStringList &to, const QString &verb)
    {
        if (!c.handled.contains(trigger)) {
            c.error(pointer, u"nobody-hears"_s,
                u"nobody %1 \"%2\"%3"_s.arg(
                    verb, trigger, suggestion(trigger, inOrder(c.handled))));
            return;
        }
        for (const QString &relation : to) {
            const QStringList machines = machinesAt(c.pack, m_machine.id, relation);
            const auto hears = [&](const QString &id) {
                const Machine *machine = c.pack.machine(id);
                return !machine
                    || std::ranges::any_of(machine->transitions,
                        [&](const Transition &row) { return row.on.contains(trigger); });
            };
            if (!machines.isEmpty() && std::ranges::none_of(machines, hears)) {
                c.error(pointer, u"nobody-hears"_s,
                    u"nobody at \"%1\" %2 \"%3\": no transition of machine %4 is on it"_s.arg(
                        relation, verb, trigger, machines.join(u" or "_s)));
            }
        }
    }

    void names(const Transition &row, const QString &pointer)
    {
        c.row(pointer, row, Checking::Kind::Sourced);
        if (row.from.isEmpty())
            c.error(pointer, u"never-speaks"_s, u"the transition leaves no state"_s);
        if (row.on.isEmpty())
            c.error(pointer, u"never-speaks"_s, u"the transition is on nothing"_s);
        if (row.refuse.isEmpty())
            return;
        if (!row.to.isEmpty())
            c.error(pointer, u"never-speaks"_s, u"a transition that refuses has no target"_s);
    }

    Checking &c;
    const Machine &m_machine;
    WaysOut m_ways;
    QStringList m_ids;
    QSet<QString> m_parents;
};

} // namespace

void checkMachineNames(Checking &checking, const Machine &machine)
{
    MachineNames(checking, machine).check();
}

} // namespace instar
