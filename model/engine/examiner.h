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

/// Etags as they were seen at the steps of a scenario, for later steps that demand them.
class SeenEtags
{
public:
    /// The steps must outlive it.
    explicit SeenEtags(const QList<ScenarioStep> &steps);

    /// Whether a later step demands an etag that is seen at this one.
    bool isDemanded(const ScenarioStep &step) const;
    /// Remembers the etags that later steps demand. `at`: where the server has what the scenario
    /// calls otherwise.
    void look(const ScenarioStep &step, const Controller &controller,
        const std::function<QString(const QString &)> &at = {});
    /// The request with the etag that the step demands; one that matches nothing where the resource
    /// was not there.
    Request demanding(const ScenarioStep &step, Request request) const;

private:
    qsizetype indexOf(const ScenarioStep &step) const { return &step - m_steps.constData(); }

    const QList<ScenarioStep> &m_steps;
    QMap<std::pair<qsizetype, QString>, QString> m_seen; ///< step, path -> etag
};

} // namespace instar
