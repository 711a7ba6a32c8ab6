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
    for (size_t i = 0; i < m_states.size(); ++i) {
        if (m_states[i].machine == machine && m_states[i].id == id)
            return StateId(i);
    }
    return None;
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
    return Code(m_codeOf[size_t(state) * (m_states.size() + 1) + size_t(last + 1)]);
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
    if (trigger < 0)
        return {};
    const auto [begin, count] =
        m_candidateSpans[size_t(state) * size_t(m_triggerNames.size()) + size_t(trigger)];
    return { m_candidates.data() + begin, count };
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

} // namespace instar
