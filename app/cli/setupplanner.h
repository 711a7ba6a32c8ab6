// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "model/engine/scenario.h"
#include "model/remote/wirerules.h"

namespace instar {

/// Map from the scenario's paths to those at a server that chooses names itself.
class ServerPaths
{
public:
    /// Notes that the resource requested at one path was created at another.
    void learn(const QString &requested, const QString &made);
    QString at(const QString &path) const;
    ResourceSpec at(ResourceSpec spec) const;
    ScenarioStep at(const ScenarioStep &step) const;

private:
    QList<std::pair<QString, QString>> m_moved; ///< requested, made; in the order of learn()
    MadeNames m_names;
};

/// Returns true if the path equals `above` or is a descendant of it.
bool isAtOrBelow(const QString &path, const QString &above);

/// Planner of a scenario's setup: finds operations that bring its resources to the wanted states,
/// by trying the pack's operations on copies of a world. Its arguments must outlive it.
class SetupPlanner
{
public:
    /// Request that brings a resource to its wanted state, and the result.
    struct Step
    {
        Request request;
        QString state;             ///< word that the resource shows afterwards
        qsizetype unsatisfied = 0; ///< resources not in their wanted state afterwards
        World after;
    };

    /// `takesPlans`: the server is a reference controller, which lets us plan an operation's end.
    SetupPlanner(const Scenario &scenario, const Rules &rules, const WireRules &messages,
        const ServerPaths &places, bool takesPlans);

    /// Resources of the scenario and their ancestors, each after its parent and its references.
    QList<ResourceSpec> wanted(const World &world) const;
    bool isAsWanted(const World &world, const ResourceSpec &spec) const;
    /// Like isAsWanted(), or the resource shows the same word as the wanted state.
    bool looksAsWanted(const World &world, const ResourceSpec &spec) const;
    /// Word that a resource shows; empty if there is no resource.
    QString shownAt(const World &world, const QString &path) const;

    /// The first operation that brings a resource to its wanted state; throws if there is none.
    Step stepFor(const World &world, const ResourceSpec &spec) const;
    /// Returns the operation after which the fewest resources are unsatisfied; absent if all are
    /// satisfied. Throws if no operation helps, or if no fewer are unsatisfied than
    /// `unsatisfiedBefore`, which it updates.
    std::optional<Step> stepToFix(
        const World &world, const QList<ResourceSpec> &wanted, qsizetype *unsatisfiedBefore) const;

private:
    QList<ResourceSpec> unsatisfied(const World &world, QList<ResourceSpec> wanted) const;
    QMap<QString, Enclosed> nestedContents(const Request &request) const;
    std::optional<Step> bestStep(
        const World &world, const ResourceSpec &spec, const QList<ResourceSpec> &others) const;

    const Rules &m_rules;
    const WireRules &m_messages;
    const ServerPaths &m_places;
    bool m_takesPlans = false;
    QList<ResourceSpec> m_listed; ///< with the scenario's paths
};

} // namespace instar
