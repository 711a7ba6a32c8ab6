// SPDX-License-Identifier: Apache-2.0
#include "views/document/liverules.h"

#include "model/engine/carriedover.h"
#include "model/engine/simulator.h"
#include "model/machine/identity.h"
#include "model/machine/mending.h"
#include "views/document/document.h"

#include <utility>

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

Renames renamesOf(const Pack &before, const Pack &after)
{
    Renames renames;
    for (const Renaming &row : renamings(before, after))
        renames.add(row.what, row.from, row.to, row.machine);
    return renames;
}

} // namespace

LiveRules::LiveRules(Document &document, Simulator &simulator, QObject *parent)
    : QObject(parent), m_document(document), m_simulator(simulator)
{
    connect(&document, &Document::changed, this, &LiveRules::follow);
}

void LiveRules::follow(const Pack &before, const Pack &after)
{
    const Switches switches = kept(m_simulator.rules().switches(), after);
    const Pack pack = mended(after, switches);
    Result<Rules> rules = Rules::make(pack, switches);
    QString problem;
    if (!rules)
        problem = rules.error();
    else if (meanTheSame(m_simulator.rules(), *rules))
        m_simulator.restate(*std::move(rules));
    else if (const QStringList said = m_simulator.goOn(*std::move(rules), renamesOf(before, after));
             !said.isEmpty())
        emit settled(said);
    if (std::exchange(m_problem, problem) != problem)
        emit problemChanged(problem);
}

} // namespace instar
