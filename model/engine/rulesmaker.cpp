// SPDX-License-Identifier: Apache-2.0
#include "model/engine/rulesmaker.h"

#include "model/machine/run.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

Result<Rules> RulesMaker::made(const Pack &pack, const Switches &switches)
{
    m.m_pack = pack;
    takeSwitches(switches);
    nameTriggers();
    nameStates();
    makeTypes();
    constexpr size_t mostCells =
        64'000'000; // of the tables below, so that a hostile pack cannot eat the memory
    const size_t states = m.m_states.size();
    if (m_error.isEmpty() && states * (states + 1 + size_t(m.m_triggerNames.size())) > mostCells)
        fail(u"too large: %1 states and %2 triggers"_s.arg(states).arg(m.m_triggerNames.size()));
    if (m_error.isEmpty())
        makeStates();
    if (m_error.isEmpty())
        makeCodes();
    if (m_error.isEmpty())
        makeTransitions();
    if (m_error.isEmpty())
        makeConstraintsAndConflicts();
    if (m_error.isEmpty())
        makeSweeps();
    if (!m_error.isEmpty())
        return Error { m_error };
    return std::move(m);
}

void RulesMaker::fail(const QString &text)
{
    if (m_error.isEmpty())
        m_error = u"pack %1: %2"_s.arg(m.m_pack.id, text);
}

void RulesMaker::takeSwitches(const Switches &given)
{
    for (const Switch &row : m.m_pack.switches)
        m.m_switches.insert(row.id, row.defaultValue);
    for (auto it = given.cbegin(); it != given.cend(); ++it) {
        const Switch *row = m.m_pack.findSwitch(it.key());
        if (!row) {
            fail(u"there is no switch \"%1\""_s.arg(it.key()));
        } else if (!row->values.contains(it.value())) {
            fail(u"switch %1 cannot be \"%2\"; it is one of %3"_s.arg(
                it.key(), it.value(), row->values.join(u", "_s)));
        }
        m.m_switches.insert(it.key(), it.value());
    }
}

Rules::TriggerId RulesMaker::trigger(const QString &name)
{
    const auto known = m.m_triggers.constFind(name);
    if (known != m.m_triggers.constEnd())
        return *known;
    const auto id = TriggerId(m.m_triggerNames.size());
    m.m_triggers.insert(name, id);
    m.m_triggerNames += name;
    return id;
}

int RulesMaker::word(const QString &name)
{
    const auto known = m.m_wordIds.constFind(name);
    if (known != m.m_wordIds.constEnd())
        return *known;
    const int id = int(m.m_words.size());
    m.m_wordIds.insert(name, id);
    m.m_words += name;
    return id;
}

void RulesMaker::nameTriggers()
{
    m.succeeded = trigger(u"succeeded"_s);
    m.failed = trigger(u"failed"_s);
    m.canceled = trigger(u"canceled"_s);
    m.rejected = trigger(u"rejected"_s);
    m.invalid = trigger(u"invalid"_s);
    m.retried = trigger(m.m_pack.retry.isEmpty() ? u"retried"_s : m.m_pack.retry);
    for (const Outcome &outcome : m.m_pack.outcomes)
        trigger(outcome.id);
    const QStringList operations = m.m_pack.operationNames();
    for (const QString &operation : operations)
        trigger(operation);
    for (const Machine &machine : m.m_pack.machines) {
        for (const instar::Transition &transition : machine.transitions)
            std::ranges::for_each(transition.on, [this](const QString &name) { trigger(name); });
        for (const State &state : machine.states) {
            for (const Step &step : workOf(state)) {
                if (!step.name.isEmpty())
                    trigger(step.name);
                for (auto it = step.byOutcome.cbegin(); it != step.byOutcome.cend(); ++it)
                    trigger(it.key()), trigger(it.value());
                for (auto it = step.hear.cbegin(); it != step.hear.cend(); ++it)
                    trigger(it.key()), trigger(it.value());
            }
        }
    }
    const auto count = size_t(m.m_triggerNames.size());
    m.m_isOperation.assign(count, false);
    for (const QString &operation : operations)
        m.m_isOperation[size_t(m.m_triggers[operation])] = true;
    m.m_durations.assign(count, 1000);
    for (const OperationKind &kind : m.m_pack.operations)
        m.m_durations[size_t(m.m_triggers[kind.id])] = kind.duration;

    m.m_outcomeRules.assign(
        count, { u"Failed"_s, UsualErrorCode.toString(), u"The operation failed."_s });
    m.m_outcomeRules[size_t(m.succeeded)] = { u"Succeeded"_s, {}, {} };
    m.m_outcomeRules[size_t(m.canceled)] = { u"Canceled"_s, u"Canceled"_s,
        u"Operation was canceled."_s };
    for (const Outcome &row : m.m_pack.outcomes) {
        Rules::OutcomeRule &rule = m.m_outcomeRules[size_t(m.m_triggers[row.id])];
        if (!row.status.isEmpty())
            rule.status = row.status;
        if (!row.code.isEmpty())
            rule.code = row.code;
        if (!row.label.isEmpty())
            rule.message = row.label;
    }
    m.m_outcomeList = { m.succeeded, m.failed, m.retried };
    for (const Outcome &row : m.m_pack.outcomes) {
        const TriggerId id = m.m_triggers[row.id];
        const bool chosen = id != m.canceled && id != m.rejected && id != m.invalid;
        if (chosen && std::ranges::find(m.m_outcomeList, id) == m.m_outcomeList.end())
            m.m_outcomeList.push_back(id);
    }
    m.m_isGood.assign(count, false);
    for (size_t i = 0; i < count; ++i)
        m.m_isGood[i] = m.m_outcomeRules[i].status == u"Succeeded";
    for (const Stamp &row : m.m_pack.stamps) {
        if (m.applies(row))
            (row.at == Stamp::At::Start ? m.m_stampsAtStart : m.m_stampsAtEnd) = true;
    }
}

void RulesMaker::nameStates()
{
    for (const Machine &machine : m.m_pack.machines) {
        Rules::MachineRule rule { .id = machine.id };
        const int index = int(m.m_machines.size());
        QSet<QString> ids;
        for (const State &state : machine.states) {
            if (!m.applies(state))
                continue;
            if (ids.contains(state.id))
                fail(u"machine %1 has two states \"%2\""_s.arg(machine.id, state.id));
            ids.insert(state.id);
            Rules::StateRule entry { .id = state.id,
                .machine = index,
                .kind = state.kind,
                .work = {},
                .timer = state.timer };
            entry.word = word(state.id);
            entry.shown = state.as.isEmpty() ? entry.word
                : state.as == LastState      ? Rules::None
                                             : word(state.as);
            if (state.timer)
                m.m_hasTimers = true;
            if (state.kind == State::Kind::Initial) {
                if (rule.initial != Rules::None)
                    fail(u"machine %1 has two initial states"_s.arg(machine.id));
                rule.initial = StateId(m.m_states.size());
            }
            m.m_states.push_back(std::move(entry));
        }
        m.m_machines.push_back(rule);
        if (rule.initial == Rules::None)
            fail(u"machine %1 has no initial state"_s.arg(machine.id));
        m.m_machines.back().rest = stateIn(index, machine.rest, u"rest"_s);
        m.m_machines.back().history = machine.history.isEmpty()
            ? rule.initial
            : stateIn(index, machine.history, u"history"_s);
        if (m_error.isEmpty() && !m.state(m.m_machines.back().rest).isStable())
            fail(u"machine %1: rest state \"%2\" is not a stable state"_s.arg(
                machine.id, machine.rest));
        if (m_error.isEmpty() && m.state(m.m_machines.back().history).isTransitional())
            fail(u"machine %1: history state \"%2\" is transitional"_s.arg(
                machine.id, machine.history));
    }
}

Rules::StateId RulesMaker::stateIn(int machine, const QString &id, const QString &what)
{
    const StateId state = m.stateNamed(machine, id);
    if (state == Rules::None)
        fail(u"machine %1: %2 names no state: \"%3\""_s.arg(
            m.m_pack.machines[machine].id, what, id));
    return state;
}

void RulesMaker::makeTypes()
{
    for (const Type &type : m.m_pack.types) {
        if (!m.applies(type))
            continue;
        int machine = Rules::None;
        for (size_t i = 0; i < m.m_machines.size(); ++i) {
            if (m.m_machines[i].id == type.machine)
                machine = int(i);
        }
        if (machine == Rules::None)
            fail(u"type %1 has no machine \"%2\""_s.arg(type.path, type.machine));
        if (type.path == u"*")
            m.m_anyType = machine;
        else
            m.m_typeMachines.insert(
                m.m_pack.ignoreCase ? type.path.toCaseFolded() : type.path, machine);
    }
}

Result<Rules> Rules::make(const Pack &pack, const Switches &switches)
{
    return RulesMaker().made(pack, switches);
}

} // namespace instar
