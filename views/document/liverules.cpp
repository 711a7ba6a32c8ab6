// SPDX-License-Identifier: Apache-2.0
#include "views/document/liverules.h"

#include "model/engine/scenario.h"
#include "model/machine/mending.h"
#include "views/document/document.h"

namespace instar {

namespace {

/// The switches that are still there, with values that they can still have.
Switches kept(const Switches &chosen, const Pack &pack)
{
    Switches result;
    for (auto it = chosen.cbegin(); it != chosen.cend(); ++it) {
        const Switch *row = pack.findSwitch(it.key());
        if (row && row->values.contains(it.value()))
            result.insert(it.key(), it.value());
    }
    return result;
}

} // namespace

LiveRules::LiveRules(Document &document, Simulator &simulator, QObject *parent)
    : QObject(parent), m_document(document), m_simulator(simulator)
{
    connect(&document, &Document::changed, this, &LiveRules::follow);
}

void LiveRules::follow()
{
    const Pack pack = mended(m_document.pack());
    QString problem;
    if (pack != m_simulator.rules().pack()) {
        Result<Rules> rules = Rules::make(pack, kept(m_simulator.rules().switches(), pack));
        Pack resources = pack;
        resources.sample = scenarioOf(m_simulator.rules(), m_simulator.world())
                               .resources.value_or(QList<ResourceSpec>());
        Loaded loaded = rules ? makeWorld(*rules, mended(resources).sample)
                              : Loaded { World(), rules.error(), -1 };
        problem = loaded.problem;
        if (problem.isEmpty())
            m_simulator.reset(*std::move(rules), std::move(loaded.world));
    }
    if (problem != m_problem) {
        m_problem = problem;
        emit problemChanged(problem);
    }
}

} // namespace instar
