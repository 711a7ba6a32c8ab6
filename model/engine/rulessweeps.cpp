// SPDX-License-Identifier: Apache-2.0
#include "model/engine/rulesmaker.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

/// The first row on a trigger that asks nothing of the single resource; None where the first row
/// does ask.
int RulesMaker::plainRow(Code code, TriggerId trigger) const
{
    const std::span<const int> rows = m.candidates(m.stateOf(code), trigger);
    const Rules::Transition &row = m.transition(rows.front());
    if (!row.condition.always() || row.refusal != Rules::None || row.to.size() != 1
        || row.limit != Rules::None || row.sets)
        return Rules::None;
    const StateId entered = m.stateOf(m.resolved(code, row.to.front()));
    const bool guarded = !row.force && !m.constraintsOn(entered).empty();
    return guarded || m.state(entered).kind == State::Kind::Initial ? Rules::None : rows.front();
}

void RulesMaker::makeSweeps()
{
    const auto codes = size_t(m.codeCount());
    const auto triggers = size_t(m.m_triggerNames.size());
    m.m_events.resize(triggers);
    m.m_outcomes.resize(triggers);
    for (size_t t = 0; t < triggers; ++t) {
        const auto trigger = TriggerId(t);
        for (Rules::Sweep *sweep : { &m.m_events[t], &m.m_outcomes[t] }) {
            sweep->map.resize(codes);
            sweep->simple.assign(codes, 1);
            sweep->moves.assign(codes, 0);
            for (size_t c = 0; c < codes; ++c)
                sweep->map[c] = Code(c);
        }
        for (size_t c = 0; c < codes; ++c) {
            const auto code = Code(c);
            const Rules::StateRule &state = m.state(m.stateOf(code));
            if (state.kind == State::Kind::Initial)
                continue;
            if (!m.candidates(m.stateOf(code), trigger).empty())
                sweepEvent(m.m_events[t], code, trigger);
            if (state.isTransitional())
                sweepOutcome(m.m_outcomes[t], code, trigger);
            for (Rules::Sweep *sweep : { &m.m_events[t], &m.m_outcomes[t] }) {
                const bool timed = state.timer || m.state(m.stateOf(sweep->map[c])).timer;
                if (timed && sweep->map[c] != code)
                    sweep->simple[c] = 0; // each resource has its own clock
            }
        }
    }
}

void RulesMaker::sweepEvent(Rules::Sweep &sweep, Code code, TriggerId trigger) const
{
    const int row = plainRow(code, trigger);
    sweep.simple[code] = row != Rules::None;
    if (row == Rules::None)
        return;
    sweep.map[code] = m.resolved(code, m.transition(row).to.front());
    sweep.moves[code] = m.state(m.stateOf(sweep.map[code])).isTransitional();
}

void RulesMaker::sweepOutcome(Rules::Sweep &sweep, Code code, TriggerId outcome) const
{
    std::vector<TriggerId> chain { outcome };
    if (outcome != m.canceled)
        chain.insert(chain.end(), { m.invalid, m.failed });
    for (const TriggerId trigger : chain) {
        if (m.candidates(m.stateOf(code), trigger).empty())
            continue;
        const int row = plainRow(code, trigger);
        const Code after =
            row == Rules::None ? code : m.resolved(code, m.transition(row).to.front());
        sweep.simple[code] = row != Rules::None && !m.state(m.stateOf(after)).isTransitional();
        if (sweep.simple[code]) {
            sweep.map[code] = after;
            sweep.moves[code] = 1;
        }
        return;
    }
    sweep.simple[code] = outcome == m.canceled; // nobody hears it: left to who canceled
}

} // namespace instar
