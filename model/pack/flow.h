// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/checking.h"
#include "model/pack/run.h"

namespace instar {

/// Returns the conjuncts of a condition in a canonical spelling. Replaces the name of a condition
/// by its definition; `depth` limits the recursion.
QStringList facts(
    const Pack &pack, const Setting &setting, const Condition &condition, int depth = 0);

/// Conditions of earlier rows, to find out if these rows shadow a later row. Compares facts by
/// their spelling. Keeps only the first `Most` conditions: nobody writes more for one trigger, and
/// a hostile file must not take long to check.
class EarlierConditions
{
public:
    /// True if, whenever the facts hold, some earlier condition holds, too: the one that find()
    /// returns, or one of two opposites, such as "a" and "not a".
    bool covers(const QStringList &facts) const
    {
        return find(facts) >= 0 || coversTogether(facts);
    }
    /// Returns the index of the first earlier condition that the facts imply; -1: none.
    int find(const QStringList &facts) const;
    void add(const QStringList &facts)
    {
        if (m_facts.size() < Most)
            m_facts += facts;
    }

private:
    static constexpr qsizetype Most = 100;
    bool coversTogether(const QStringList &facts) const;

    QList<QStringList> m_facts; ///< condition -> its facts
};

/// Transitions out of each state of a machine, and which of them earlier ones shadow.
class Flow
{
public:
    Flow(Checking &checking, const Machine &machine);

    /// Transition out of a state for one trigger, under a setting.
    struct Edge
    {
        int row = 0; ///< index of the transition
        QString trigger;
        bool isReachable = true; ///< false: shadowed, or a refusal of an outcome or event
        int shadowedBy = -1;     ///< the row that shadows it alone; -1: none does
    };
    const QList<Setting> &settings() const { return m_settings; }
    /// Returns a state's edges under a setting (index), in order of evaluation, refusals first.
    const QList<Edge> &edges(int setting, const QString &state) const;
    /// Returns the number of the state's group, whose states have the same edges; -1 for a
    /// composite, in which no resource can be directly.
    int group(const QString &state) const { return m_groups.value(state, -1); }
    const Machine &machine() const { return m_machine; }
    const MachineIndex &index() const { return m_index; }

private:
    QList<Edge> computedEdges(int setting, const QList<int> &leaving) const;

    Checking &m_checking;
    const Machine &m_machine;
    MachineIndex m_index;
    QList<Setting> m_settings;
    QList<QList<QStringList>> m_facts;                       ///< setting -> row -> facts
    QHash<QString, int> m_groups;                            ///< state -> group
    QList<QList<int>> m_leaving;                             ///< group -> rows
    mutable QHash<std::pair<int, int>, QList<Edge>> m_edges; ///< cache: (setting, group) -> edges
};

/// Outcomes that a state's work can have: all, and those before any step that takes time.
struct Ends
{
    QSet<QString> all, atOnce;
};
Ends endsOf(const Checking &checking, const State &state, const Setting &setting);

} // namespace instar
