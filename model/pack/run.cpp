// SPDX-License-Identifier: Apache-2.0
#include "model/pack/run.h"

#include <algorithm>

namespace instar {

bool leaves(const Machine &machine, const Transition &transition, const QString &state)
{
    const QStringList ancestry = lineage(machine, state);
    return std::ranges::any_of(transition.from, [&](const QString &from) {
        return ancestry.contains(from) || (from == AnyState && machine.initial() != state);
    });
}

MachineIndex::MachineIndex(const Machine &machine) : m_initial(machine.initial())
{
    for (const State &state : machine.states) {
        if (!m_states.contains(state.id))
            m_states.insert(state.id, &state);
        if (!m_first.contains(state.parent))
            m_first.insert(state.parent, state.id);
    }
    for (qsizetype i = 0; i < machine.transitions.size(); ++i) {
        for (const QString &from : machine.transitions[i].from) {
            QList<int> &rows = m_rows[from];
            if (rows.isEmpty() || rows.last() != i)
                rows += int(i);
        }
    }
}

QList<int> MachineIndex::from(const QString &state) const
{
    QList<int> rows;
    bool isMixed = false;
    const auto add = [&](const QString &name) {
        const QList<int> more = m_rows.value(name);
        isMixed = isMixed || (!rows.isEmpty() && !more.isEmpty());
        rows += more; // shares the data of a single list
    };
    if (state != m_initial)
        add(AnyState.toString());
    for (const QString &id : lineage(*this, state))
        add(id);
    if (!isMixed)
        return rows;
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

QString MachineIndex::entered(const QString &state) const
{
    QString leaf = state;
    QSet<QString> visited;
    while (!visited.contains(leaf)) {
        visited.insert(leaf);
        const State *at = m_states.value(leaf);
        if (!at || at->kind != State::Kind::Composite || !m_first.contains(leaf))
            return leaf;
        leaf = m_first.value(leaf);
    }
    return leaf;
}

bool existsUnder(const Row &row, const QMap<QString, QString> &values)
{
    return std::all_of(row.when.keyValueBegin(), row.when.keyValueEnd(),
        [&](const auto &entry) { return entry.second.contains(values.value(entry.first)); });
}

QList<Step> workOf(const State &state)
{
    if (state.kind != State::Kind::Transitional)
        return {};
    return state.ownWork ? state.work : QList<Step> { Step {} };
}

} // namespace instar
