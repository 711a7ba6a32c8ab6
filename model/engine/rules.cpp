// SPDX-License-Identifier: Apache-2.0
#include "model/engine/rules.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

bool Rules::applies(const Row &row) const
{
    return std::all_of(row.when.keyValueBegin(), row.when.keyValueEnd(),
        [this](const auto &entry) { return entry.second.contains(m_switches.value(entry.first)); });
}

Rules::StateId Rules::stateNamed(int machine, const QString &id) const
{
    return size_t(machine) < m_stateIds.size() ? m_stateIds[size_t(machine)].value(id, None) : None;
}

const Type *Rules::typeRow(const QString &typePath) const
{
    const auto sensitivity = m_pack.ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
    for (const Type &type : m_pack.types) {
        if (type.path.size() == typePath.size() && type.path.compare(typePath, sensitivity) == 0
            && applies(type))
            return &type;
    }
    return nullptr;
}

int Rules::machineForType(const QString &typePath) const
{
    return m_typeMachines.value(m_pack.ignoreCase ? typePath.toCaseFolded() : typePath, m_anyType);
}

Code Rules::code(StateId state, StateId last) const
{
    const StateRule &rule = m_states[size_t(state)];
    const bool keeps = rule.isTransitional() && m_machines[size_t(rule.machine)].keepsLast;
    return Code(
        m_firstCode[size_t(state)] + (keeps && last != None ? 1 + m_rank[size_t(last)] : 0));
}

Code Rules::afterEntering(Code from, StateId state) const
{
    const StateRule &entered = m_states[size_t(state)];
    if (!entered.isTransitional())
        return code(state, state);
    const CodeRule &before = m_codes[from];
    const StateRule &left = m_states[size_t(before.state)];
    if (left.isStable())
        return code(state, before.state);
    return code(state, left.isTransitional() ? before.last : None);
}

Code Rules::resolved(Code from, const Target &target) const
{
    if (target.kind == Target::Kind::State)
        return afterEntering(from, target.state);
    const CodeRule &before = m_codes[from];
    if (target.kind == Target::Kind::Same || m_states[size_t(before.state)].isStable())
        return from;
    const StateId history = m_machines[size_t(m_states[size_t(before.state)].machine)].history;
    return resting(before.last == None ? history : before.last);
}

bool Rules::isShown(Code code) const
{
    const MachineRule &machine = m_machines[size_t(m_states[size_t(m_codes[code].state)].machine)];
    return m_codes[code].shown != m_states[size_t(machine.initial)].word;
}

bool Rules::matches(Code code, const std::vector<bool> &words) const
{
    const CodeRule &rule = m_codes[code];
    return words[size_t(rule.shown)] || words[size_t(m_states[size_t(rule.state)].word)];
}

std::span<const int> Rules::candidates(StateId state, TriggerId trigger) const
{
    return candidatesIn(m_layerOf[size_t(state)], trigger);
}

bool Rules::knows(int machine, TriggerId trigger) const
{
    for (size_t state = 0; state < m_states.size(); ++state) {
        if (m_states[state].machine == machine && !candidates(StateId(state), trigger).empty())
            return true;
    }
    return false;
}

std::span<const int> Rules::candidatesIn(int layer, TriggerId trigger) const
{
    for (int at = layer; at != None; at = m_layers[size_t(at)].around) {
        const Layer &own = m_layers[size_t(at)];
        const std::span<const Said> said { m_said.data() + own.begin, own.end - own.begin };
        const auto found = std::ranges::lower_bound(said, trigger, {}, &Said::trigger);
        if (found != said.end() && found->trigger == trigger)
            return { m_candidates.data() + found->begin, found->count };
    }
    return {};
}

/// The first row on a trigger, where it asks nothing of the single resource; else None.
int Rules::plainRow(Code code, TriggerId trigger) const
{
    const int first = candidates(stateOf(code), trigger).front();
    const Transition &row = transition(first);
    if (!row.condition.always() || row.refusal != None || row.to.size() != 1 || row.limit != None
        || row.sets)
        return None;
    const StateId entered = stateOf(resolved(code, row.to.front()));
    const bool guarded = !row.force && !constraintsOn(entered).empty();
    return guarded || state(entered).kind == State::Kind::Initial ? None : first;
}

/// Then each resource has a time of its own.
bool Rules::startsOrStopsClock(Code from, Code to) const
{
    return from != to && (state(stateOf(from)).timer || state(stateOf(to)).timer);
}

std::optional<Rules::Swept> Rules::sweptByEvent(Code code, TriggerId event) const
{
    const StateId from = stateOf(code);
    if (state(from).kind == State::Kind::Initial || candidates(from, event).empty())
        return Swept { code, false };
    const int row = plainRow(code, event);
    if (row == None)
        return {};
    const Code to = resolved(code, transition(row).to.front());
    if (startsOrStopsClock(code, to))
        return {};
    return Swept { to, state(stateOf(to)).isTransitional() };
}

std::optional<Rules::Swept> Rules::sweptByOutcome(Code code, TriggerId outcome) const
{
    const StateId from = stateOf(code);
    if (!state(from).isTransitional())
        return Swept { code, false };
    for (const TriggerId trigger : { outcome, invalid, failed }) {
        if (trigger != outcome && outcome == canceled)
            break;
        if (candidates(from, trigger).empty())
            continue;
        const int row = plainRow(code, trigger);
        if (row == None)
            return {};
        const Code to = resolved(code, transition(row).to.front());
        if (state(stateOf(to)).isTransitional() || startsOrStopsClock(code, to))
            return {};
        return Swept { to, true };
    }
    if (outcome == canceled) // nobody hears it: left to who canceled
        return Swept { code, false };
    return {};
}

const instar::Transition &Rules::row(const Transition &transition) const
{
    return m_pack.machines[transition.machine].transitions[transition.index];
}

const instar::Constraint &Rules::row(const ConstraintRule &constraint) const
{
    return m_pack.machines[constraint.machine].constraints[constraint.index];
}

std::span<const int> Rules::constraintsOn(StateId state) const
{
    return m_constraintsOn[size_t(state)];
}

Rules::OutcomeRule Rules::outcome(TriggerId outcome) const
{
    return m_outcomeRules[size_t(outcome)];
}

QStringList Rules::openLabels() const
{
    QStringList open;
    std::ranges::copy_if(m_labels, std::back_inserter(open),
        [](const QString &label) { return !label.startsWith(ElapsedLabel); });
    return open;
}

int Rules::refusalNamed(const QString &id) const
{
    const auto it = std::ranges::find_if(
        m_pack.refusals, [&](const Refusal &row) { return row.id == id && applies(row); });
    return it == m_pack.refusals.end() ? None : int(it - m_pack.refusals.begin());
}

qint64 Rules::duration(TriggerId operation) const
{
    return m_durations[size_t(operation)];
}

QString Rules::transitionText(int index) const
{
    if (index == None)
        return {};
    const Transition &row = transition(index);
    return pack().ruleText(
        pack().machines[row.machine].transitions[row.index], u"transitions/%1"_s.arg(row.index));
}

QString Rules::conflictText(int index) const
{
    return index == None ? QString()
                         : pack().ruleText(pack().conflicts[index], u"conflicts/%1"_s.arg(index));
}

} // namespace instar
