// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"
#include "model/explore/explore.h"
#include "tests/support/worldcompare.h"

namespace instar {

inline const QString Net = QStringLiteral("/logicalNetworks/n");
inline const QString Sub = Net + QStringLiteral("/subnets/s");

/// The built-in pack with such resources.
Pack networks();

/// Step that submits an operation; outcome "any": every outcome is possible.
ScenarioStep submitted(const QString &id, const QString &op, const QString &path,
    const QString &outcome = {}, const QString &client = {});
Scenario scenarioOf(
    const QStringList &paths, const QList<ScenarioStep> &steps, const Switches &switches = {});
Stage stageFor(const Scenario &scenario, const Pack &pack);

/// Formats an ending: "n Succeeded, s Failed | a Succeeded, b Canceled"; resources by last name.
QString spelled(const QMap<QString, QString> &resources, const QMap<QString, QString> &operations);
QStringList spelled(const QList<Ending> &endings);

/// Player of single events on a world.
class Play
{
public:
    Play(const Rules &rules, const World &start) : world(start), m_rules(rules) { }

    quint32 submit(const ScenarioStep &step, qint64 time = 0);
    void end(quint32 serial, qint64 time = 0);
    void happen(const Event &event);
    QByteArray bytes() const { return worldKey(m_rules, world); }

    World world;
    OperationLog log;

private:
    const Rules &m_rules;
};

} // namespace instar
