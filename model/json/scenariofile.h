// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/json/reading.h"

namespace instar {

/// Scenario as far as its file could be parsed, and the diagnostics.
struct ScenarioDraft
{
    Scenario scenario;
    QList<Diagnostic> diagnostics;
    QString error; ///< one sentence; empty if there are no diagnostics
};

/// Reads a scenario; checks its names against the pack, but not whether its resources fit together.
ScenarioDraft scenarioDraft(const JsonText &document, const Pack &pack);
Result<Scenario> readScenario(const JsonText &document, const Pack &pack);

/// Returns a built-in pack's id, or the path of a pack relative to the scenario's `file`.
QString packReference(const QString &file, const QString &idOrFile);

/// Writes a scenario so that readScenario() returns the same, except for line numbers.
QByteArray writeScenario(const Scenario &scenario);

} // namespace instar
