// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/checking.h"
#include "model/pack/run.h"

namespace instar {

/// A condition as the set of facts that must all hold, each in a canonical spelling, bound labels
/// replaced.
QStringList facts(const Pack &pack, const Setting &setting, const Condition &condition);
/// Conditions that are asked one after another, and which of them leave a later one nothing to say,
/// as far as their spelling tells.
class AskedBefore
{
public:
    /// Whether one of those asked so far holds whenever this one does.
    bool covers(const QStringList &facts) const { return by(facts) >= 0 || coversTogether(facts); }
    /// The first that alone does; -1: none.
    int by(const QStringList &facts) const;
    void add(const QStringList &facts);

private:
    bool coversTogether(const QStringList &facts) const;
    QHash<int, int> shared(const QStringList &facts) const;

    QList<QStringList> m_facts;          ///< in the order in which they are asked
    QHash<QString, QList<int>> m_places; ///< fact -> where it is among them
    QSet<QString> m_alone;               ///< facts that are all that is asked
    bool m_hasOpposites = false;         ///< of these
    int m_always = -1;                   ///< the first one that asks nothing
};

/// Which transitions leave which states of a machine, and which of them can speak.
class Flow
{
public:
    Flow(Checking &checking, const Machine &machine);

    /// One way out of a state under a setting.
    struct Edge
    {
        int row = 0;
        QString trigger;
        bool speaks = true; ///< false: an earlier row always speaks first
        int by = -1;        ///< the one row that does; -1: several together
    };
    const QList<Setting> &settings() const { return m_settings; }
    /// In the order in which they are asked; refusals of operations come first.
    const QList<Edge> &edges(int setting, const QString &state) const;
    /// A number for the rows that leave a state: states with the same number have the same edges.
    /// -1: it is none that a resource can be in.
    int group(const QString &state) const { return m_groups.value(state, -1); }
    const Machine &machine() const { return m_machine; }
    const WaysOut &ways() const { return m_ways; }

private:
    QList<Edge> found(int setting, const QList<int> &leaving) const;

    Checking &m_checking;
    const Machine &m_machine;
    WaysOut m_ways;
    QList<Setting> m_settings;
    QList<QList<QStringList>> m_facts; ///< setting -> row -> facts
    QHash<QString, int> m_groups;      ///< state -> group
    QList<QList<int>> m_leaving;       ///< group -> rows
    mutable QHash<std::pair<int, int>, QList<Edge>>
        m_edges; ///< (setting, group) -> those that were asked for
};

/// How a state's work can end, and how it can end without anything that takes time.
struct Ends
{
    QSet<QString> all, atOnce;
};
Ends endsOf(const Checking &checking, const State &state, const Setting &setting);

} // namespace instar
