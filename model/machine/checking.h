// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/check.h"
#include "model/machine/names.h"
#include "model/machine/run.h"

#include <QHash>
#include <QSet>

namespace instar {

using Setting = QMap<QString, QString>; ///< switch -> value

/// What the parts of check() share: the pack, the names in it, and what was found.
class Checking
{
public:
    explicit Checking(const Pack &pack);

    const Pack &pack;
    QList<Issue> issues;

    QStringList outcomes;                    ///< the engine's own and the pack's
    QSet<QString> events;                    ///< that some work sends
    QStringList refusals;                    ///< the engine's and the wire's own, and the pack's
    static const QStringList &ownRefusals(); ///< that need no row to name them
    QSet<QString> words;                     ///< states' ids and what they pass for
    QStringList sourceIds, switchIds;
    QSet<QString> handled; ///< what some transition is on
    QStringList unsourced; ///< pointers to rows that should say where they are written

    void error(const QString &pointer, const QString &rule, const QString &text);
    void warning(const QString &pointer, const QString &rule, const QString &text);
    /// An error that a name is not known, with the one that is probably meant.
    void unknown(
        const QString &pointer, const QString &what, const QString &name, const QStringList &known);

    /// Sources and switches of a row. Sourced: a rule of the system, which should say where it is
    /// written.
    enum class Kind { Plain, Sourced };
    void row(const QString &pointer, const Row &row, Kind kind = Kind::Plain);

    bool isOutcome(const QString &trigger) const { return outcomes.contains(trigger); }
    /// Whether an operation with that outcome so far is well.
    bool isGood(const QString &outcome) const;
    /// What `when` of these rows can tell apart: every choice of the switches that they name.
    QList<Setting> settings(const QList<const Row *> &rows) const;

    QSet<QString> usedSources, usedSwitches, usedConditions, usedRefusals;

private:
    void add(
        Issue::Severity severity, const QString &pointer, const QString &rule, const QString &text);
};

bool exists(const Row &row, const Setting &setting);
/// ", where SWITCH is VALUE", for messages; empty where there are no switches.
QString settingText(const Setting &setting);

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

/// Which types' resources take which operations, and where they can stand to each other.
class Places
{
public:
    explicit Places(const Pack &pack);
    /// Whether an operation can come where another one runs at a place, seen from the new one's
    /// target.
    bool canMeet(const QString &on, const QString &running, const QString &at) const;

private:
    QHash<QString, QStringList> m_types; ///< operation -> type paths
    bool m_isOpen = false;               ///< a type of any name is among them
};

// The parts.
void checkMachineNames(Checking &checking, const Machine &machine);
void checkStates(Checking &checking, const Flow &flow);
void checkTransitions(Checking &checking, const Flow &flow);
void checkLivelock(Checking &checking, const Flow &flow);
void checkPolicy(Checking &checking);
void checkSample(Checking &checking);
void checkWire(Checking &checking);

/// How a state's work can end, and how it can end without anything that takes time.
struct Ends
{
    QSet<QString> all, atOnce;
};
Ends endsOf(const Checking &checking, const State &state, const Setting &setting);

} // namespace instar
