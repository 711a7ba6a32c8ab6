// SPDX-License-Identifier: Apache-2.0
#include "views/document/liverules.h"

#include "model/pack/identity.h"
#include "model/statecharts/chartrules.h"
#include "model/task.h"
#include "views/document/document.h"

namespace instar {

namespace {

/// Returns the chosen switches that the pack still has, if their values are still valid.
Switches validSwitches(Switches chosen, const Pack &pack)
{
    chosen.removeIf([&](const Switches::iterator &it) {
        const Switch *row = pack.findSwitch(it.key());
        return !row || !row->values.contains(it.value());
    });
    return chosen;
}

} // namespace

LiveRules::LiveRules(Document &document, Simulator &simulator, QObject *parent)
    : QObject(parent), m_simulator(simulator), m_replay(simulator), m_compiled(document.pack())
{
    connect(&document, &Document::changed, this,
        [this](const Pack &, const Pack &after) { compile(after); });
}

void LiveRules::compile(const Pack &pack)
{
    if (m_compiling)
        m_compiling->cancel();
    const Switches switches = validSwitches(m_simulator.rules().switches(), pack);
    const auto compiled = [pack, switches] { return runnableRules(pack, switches); };
    qsizetype rows = 0;
    for (const Machine &machine : pack.machines)
        rows += machine.states.size() + machine.transitions.size();
    if (rows <= m_mostAtOnce)
        return apply(pack, compiled());
    m_compiling = Task::start(
        this, tr("Compiling the rules"), [compiled](Progress &) { return compiled(); },
        [this, pack, switches](Result<Rules> rules) {
            if (validSwitches(m_simulator.rules().switches(), pack) != switches)
                return compile(pack); // the user chose other switches meanwhile
            apply(pack, std::move(rules));
        });
}

void LiveRules::apply(const Pack &pack, Result<Rules> rules)
{
    QString problem;
    if (!rules)
        problem = rules.error();
    else if (const QString sentence = m_replay.play(*std::move(rules), renamings(m_compiled, pack));
             !sentence.isEmpty())
        emit replayed(sentence);
    if (const QString why = whyNotRun(m_simulator.rules()); !why.isEmpty())
        emit replayed(tr("The chart does not run: %1.").arg(why));
    if (problem.isEmpty())
        m_compiled = pack;
    if (std::exchange(m_problem, problem) != problem)
        emit problemChanged(problem);
}

} // namespace instar
