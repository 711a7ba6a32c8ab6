// SPDX-License-Identifier: Apache-2.0
#include "model/engine/quietrun.h"

#include <utility>

namespace instar {

QuietRun::QuietRun(const Simulator &simulator)
    : m_rules(simulator.m_rules),
      m_world(simulator.m_world),
      m_operations(simulator.m_operations),
      m_later(simulator.m_later),
      m_basis(simulator.m_turn),
      m_first(simulator.m_records.size()),
      m_kept(simulator.m_past.back().index),
      m_keepsPast(simulator.m_mostRecords == 0)
{ }

bool QuietRun::step()
{
    const bool isKnown = m_again < m_later.size();
    const Event next = isKnown ? m_later[m_again].event : nextEvent(m_rules, m_world);
    if (next.kind == Event::Kind::Wait)
        return false;
    m_again += isKnown;
    const qsizetype moment = m_first + m_records.size();
    if (m_keepsPast && moment - m_kept >= Simulator::spacing(m_kept)) {
        m_past.push_back({ moment, m_world, m_operations });
        m_kept = moment;
    }
    Stepped stepped = instar::step(m_rules, std::move(m_world), next);
    m_world = std::move(stepped.world);
    m_operations.apply(m_rules, stepped.record, m_world);
    m_records.append(std::move(stepped.record));
    return true;
}

bool QuietRun::isQuiet() const
{
    return m_again == m_later.size() && nextEvent(m_rules, m_world).kind == Event::Kind::Wait;
}

} // namespace instar
