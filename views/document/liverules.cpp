// SPDX-License-Identifier: Apache-2.0
#include "views/document/liverules.h"

#include "model/pack/identity.h"
#include "model/statecharts/chartrules.h"
#include "model/task.h"
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
    : QObject(parent), m_simulator(simulator), m_replay(simulator), m_followed(document.pack())
{
    connect(&document, &Document::changed, this,
        [this](const Pack &, const Pack &after) { follow(after); });
}

void LiveRules::follow(const Pack &after)
{
    if (m_compiling)
        m_compiling->cancel();
    const Switches switches = kept(m_simulator.rules().switches(), after);
    const auto compiled = [after, switches] { return runnableRules(after, switches); };
    qsizetype rows = 0;
    for (const Machine &machine : after.machines)
        rows += machine.states.size() + machine.transitions.size();
    if (rows <= m_mostAtOnce)
        return take(after, compiled());
    m_compiling = Task::start(
        this, tr("Compiling the rules"), [compiled](Progress &) { return compiled(); },
        [this, after, switches](Result<Rules> rules) {
            if (kept(m_simulator.rules().switches(), after) != switches)
                return follow(after); // others were chosen meanwhile
            take(after, std::move(rules));
        });
}

void LiveRules::take(const Pack &pack, Result<Rules> rules)
{
    QString problem;
    if (!rules)
        problem = rules.error();
    else if (const QString said = m_replay.play(*std::move(rules), renamings(m_followed, pack));
             !said.isEmpty())
        emit replayed(said);
    if (const QString why = whyNotRun(m_simulator.rules()); !why.isEmpty())
        emit replayed(tr("The chart does not run: %1.").arg(why));
    if (problem.isEmpty())
        m_followed = pack;
    if (std::exchange(m_problem, problem) != problem)
        emit problemChanged(problem);
}

} // namespace instar
