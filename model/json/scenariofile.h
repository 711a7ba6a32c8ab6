// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/json/reading.h"

namespace instar {

/// What could be understood of a scenario's file, and everything that could not.
struct ScenarioDraft
{
    Scenario scenario;
    QList<Diagnostic> diagnostics;
    QString error; ///< one sentence; empty where there are no diagnostics
};

/// Names are looked up in the pack. Whether the resources fit it is seen when their tree is made.
ScenarioDraft scenarioDraft(const JsonText &document, const Pack &pack);
Result<Scenario> readScenario(const JsonText &document, const Pack &pack);

/// What a scenario in `file` calls a pack: the id of a built-in one, or the way from there to the
/// pack's file.
QString packSeenFrom(const QString &file, const QString &idOrFile);

/// What readScenario() reads back the same, but for lines.
QByteArray writeScenario(const Scenario &scenario);

} // namespace instar
