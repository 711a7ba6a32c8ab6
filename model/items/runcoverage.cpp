// SPDX-License-Identifier: Apache-2.0
#include "model/items/runcoverage.h"

#include "model/engine/controller.h"

#include <algorithm>

namespace instar {

RunCoverage::RunCoverage(Simulator &simulator, QObject *parent)
    : QObject(parent), m_simulator(simulator)
{
    begin();
    for (const Simulator::Branch &branch : simulator.branches()) {
        follow(simulator.beginning(), simulator.recordsOf(branch.id));
        m_branches.insert(branch.id);
    }
    m_isNew = false;
    connect(&simulator, &Controller::recorded, this,
        [this](const Record &record) { m_world = follow(std::move(m_world), { record }); });
    connect(&simulator, &Controller::rewound, this, [this] {
        m_world = m_simulator.world();
        m_run = m_simulator.run();
    });
    connect(&simulator, &Simulator::branchesChanged, this, &RunCoverage::takeBranch);
    connect(&simulator, &Controller::rulesChanged, this, [this] {
        begin();
        m_isNew = true;
    });
    connect(&simulator.updates(), &Updates::happened, this, &RunCoverage::tell);
    connect(&simulator.updates(), &Updates::rewound, this, &RunCoverage::tell);
}

/// Keeps the coverage if the rules mean the same.
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

/// Replays each record in order: of a batch of records only the final world is known.
World RunCoverage::follow(World world, const QList<Record> &records)
{
    for (const Record &record : records) {
        Exercised exercised;
        world = step(m_simulator.rules(), std::move(world), record.event, &exercised).world;
        m_isNew |= m_coverage->add(exercised);
    }
    return world;
}

/// Counts a whole branch: a trace followed on its own branch emits no single events.
void RunCoverage::takeBranch()
{
    const quint32 shown = m_simulator.branch();
    if (m_branches.contains(shown))
        return;
    m_branches.insert(shown);
    const QList<Simulator::Branch> branches = m_simulator.branches();
    const auto branch = std::ranges::find(branches, shown, &Simulator::Branch::id);
    if (branch != branches.end())
        follow(m_simulator.worldAt(branch->fork), branch->records);
}

void RunCoverage::tell()
{
    if (std::exchange(m_isNew, false))
        emit changed();
}

} // namespace instar
