// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "model/engine/scenario.h"
#include "model/remote/wirerules.h"

namespace instar {

/// Paths at a server of what a scenario calls otherwise: a server that makes up names makes up
/// others.
class ServerPaths
{
public:
    /// What was asked for at one path is at another.
    void learn(const QString &asked, const QString &made);
    QString at(const QString &path) const;
    ResourceSpec at(ResourceSpec spec) const;
    ScenarioStep at(const ScenarioStep &step) const;

private:
    QList<std::pair<QString, QString>> m_moved; ///< in the order in which that was learned
    MadeNames m_names;
};

/// Returns true if the path equals `above` or is a descendant of it.
bool isAtOrBelow(const QString &path, const QString &above);

/// Search for the operations that bring a scenario's resources where it wants them: the pack's are
/// tried on copies of a world. What the constructor takes must outlive it.
class WayFinder
{
public:
    /// How an operation brings a resource into a state.
    struct Way
    {
        Request request;
        QString state;       ///< what it shows afterwards
        qsizetype wrong = 0; ///< resources that are not as wanted then
        World after;
    };

    /// `takesPlans`: the server is a reference controller, and can be told how an operation ends.
    WayFinder(const Scenario &scenario, const Rules &rules, const WireRules &messages,
        const ServerPaths &places, bool takesPlans);

    /// What the scenario lists or names above them, each behind its parent and what it refers to.
    QList<ResourceSpec> wanted(const World &world) const;
    bool isAsWanted(const World &world, const ResourceSpec &spec) const;
    /// What passes for something else is known by its word alone.
    bool looksAsWanted(const World &world, const ResourceSpec &spec) const;
    /// What a resource shows; empty: there is none.
    QString shownAt(const World &world, const QString &path) const;

    /// The first way to a resource's wanted state; throws where there is none.
    Way wayTo(const World &world, const ResourceSpec &spec) const;
    /// The operation on a resource around those that are wrong after which the fewest are, and
    /// fewer than before; nothing: none is wrong. Throws where there is none.
    std::optional<Way> wayToSettle(
        const World &world, const QList<ResourceSpec> &wanted, qsizetype *wrongBefore) const;

private:
    QList<ResourceSpec> wrong(const World &world, QList<ResourceSpec> wanted) const;
    QMap<QString, Enclosed> below(const Request &request) const;
    std::optional<Way> bestWay(
        const World &world, const ResourceSpec &spec, const QList<ResourceSpec> &others) const;

    const Rules &m_rules;
    const WireRules &m_messages;
    const ServerPaths &m_places;
    bool m_takesPlans = false;
    QList<ResourceSpec> m_listed; ///< as the scenario has them
};

} // namespace instar
