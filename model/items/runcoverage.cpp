// SPDX-License-Identifier: Apache-2.0
#include "model/items/runcoverage.h"

namespace instar {

RunCoverage::RunCoverage(Simulator &simulator, QObject *parent)
    : QObject(parent), m_simulator(simulator)
{
    begin();
    m_world = simulator.beginning();
    for (const QList<Record> &records : { simulator.records(), simulator.later() }) {
        for (const Record &record : records)
            follow(record);
    }
    m_world = simulator.world();
    connect(&simulator, &Controller::recorded, this, [this](const Record &record) {
        follow(record);
        emit changed();
    });
    connect(&simulator, &Controller::rewound, this, [this] { m_world = m_simulator.world(); });
    connect(&simulator, &Controller::rulesChanged, this, [this] {
        begin();
        emit changed();
    });
}

/// What was exercised stays where the rules mean the same.
void RunCoverage::begin()
{
    const Rules &rules = m_simulator.rules();
    const bool isSame = m_coverage
        && (m_run == m_simulator.run()
            || (m_pack == rules.pack() && m_switches == rules.switches()));
    const Exercised before = isSame ? m_coverage->exercised() : Exercised();
    m_coverage.emplace(rules);
    m_coverage->add(before);
    m_pack = rules.pack();
    m_switches = rules.switches();
    m_run = m_simulator.run();
    m_world = m_simulator.world();
}

/// Records of what has happened at once come when all of it has; each is done again here.
void RunCoverage::follow(const Record &record)
{
    Exercised exercised;
    m_world = step(m_simulator.rules(), std::move(m_world), record.event, &exercised).world;
    m_coverage->add(exercised);
}

void RunCoverage::add(const Exercised &exercised)
{
    m_coverage->add(exercised);
    emit changed();
}

} // namespace instar
