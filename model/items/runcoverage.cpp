// SPDX-License-Identifier: Apache-2.0
#include "model/items/runcoverage.h"

namespace instar {

RunCoverage::RunCoverage(Simulator &simulator, QObject *parent)
    : QObject(parent), m_simulator(simulator)
{
    begin();
    for (const Simulator::Branch &branch : simulator.branches()) {
        count(simulator.beginning(), simulator.recordsOf(branch.id));
        m_branches.insert(branch.id);
    }
    m_hasChanged = false;
    connect(&simulator, &Controller::recorded, this,
        [this](const Record &record) { m_world = count(std::move(m_world), { record }); });
    connect(&simulator, &Controller::rewound, this, [this] {
        m_world = m_simulator.world();
        m_run = m_simulator.run();
    });
    connect(&simulator, &Simulator::branchesChanged, this, &RunCoverage::countBranch);
    connect(&simulator, &Controller::rulesChanged, this, [this] {
        begin();
        m_hasChanged = true;
    });
    connect(&simulator.updates(), &Updates::changed, this, [this] {
        if (std::exchange(m_hasChanged, false))
            emit changed();
    });
}

/// Begins the coverage of the current rules; keeps the counts in the same run or with equal rules.
void RunCoverage::begin()
{
    const Rules &rules = m_simulator.rules();
    const bool isKept = m_coverage
        && (m_run == m_simulator.run()
            || (m_pack == rules.pack() && m_switches == rules.switches()));
    const Exercised before = isKept ? m_coverage->exercised() : Exercised();
    m_coverage.emplace(rules);
    m_coverage->add(before);
    m_pack = rules.pack();
    m_switches = rules.switches();
    m_run = m_simulator.run();
    m_world = m_simulator.world();
}

/// Replays records from a world, counts the rules that they use, and returns the world after them.
World RunCoverage::count(World world, const QList<Record> &records)
{
    for (const Record &record : records) {
        Exercised exercised;
        world = step(m_simulator.rules(), std::move(world), record.event, &exercised).world;
        m_hasChanged |= m_coverage->add(exercised);
    }
    return world;
}

/// Counts all records of a branch shown for the first time, because a trace played on a new branch
/// emits no recorded() for its events.
void RunCoverage::countBranch()
{
    const quint32 shown = m_simulator.branch();
    if (m_branches.contains(shown))
        return;
    m_branches.insert(shown);
    const QList<Simulator::Branch> branches = m_simulator.branches();
    const auto branch = std::ranges::find(branches, shown, &Simulator::Branch::id);
    if (branch != branches.end())
        count(m_simulator.worldAt(branch->fork), branch->records);
}

} // namespace instar
