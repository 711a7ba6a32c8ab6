// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"

namespace instar {

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
