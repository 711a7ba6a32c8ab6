// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/madenames.h"

namespace instar {

/// Where at a server that is what a scenario calls otherwise: a server that makes up names makes up
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

/// Whether a path is another one, or leads below it.
bool isAtOrBelow(const QString &path, const QString &above);
/// The paths that a step names.
QStringList pathsIn(const ScenarioStep &step);

} // namespace instar
