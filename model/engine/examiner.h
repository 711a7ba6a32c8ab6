// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/engine/scenario.h"

namespace instar {

/// Compares what a scenario expects with what a controller shows, and counts. Made at the
/// beginning: etags are compared with those that there were when it was made, or at the expectation
/// before; constraints that were broken then are nobody's doing.
class Examiner
{
public:
    Examiner(const Scenario &scenario, const Controller &controller, Played &played);

    /// The single facts of a step that are not true now.
    QList<Failure> failures(const ScenarioStep &step) const;
    /// Counts the step, with its failures.
    void examine(const ScenarioStep &step);

private:
    QString shownAt(const QString &path) const;
    QJsonValue propertyAt(const QString &path, const QString &name) const;
    QString etagAt(const QString &path) const;
    qsizetype violations() const;

    const Controller &m_controller;
    Played &m_played;
    QMap<QString, QString> m_etags;
    qsizetype m_brokenBefore = 0;
};

} // namespace instar
