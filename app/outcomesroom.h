// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

namespace instar {

class MainWindow;
class OutcomesPanel;
struct ScenarioStep;

/// Panel of the room Outcomes, to which the window offers its operations: those of the burst, those
/// selected in the queue, those of its scenario, and the one in the fire bar.
OutcomesPanel *makeOutcomes(MainWindow &window, const QList<ScenarioStep> &scenario);

} // namespace instar
