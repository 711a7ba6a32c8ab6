// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/outcomes/outcomespanel.h"

namespace instar {

class MainWindow;

/// Outcome search for the window: offers the burst, the scenario's operations, those selected in
/// the queue and the one in the fire bar as its subjects.
class OutcomesRoom : public QObject
{
    Q_OBJECT
public:
    OutcomesRoom(MainWindow &window, const std::optional<Scenario> &scenario);

    OutcomesPanel &panel() { return *m_panel; }
    /// Enters the room and searches the outcomes of the chosen subject.
    void ask();

private:
    void askAbout(const OutcomesPanel::Choice &choice);
    void offer();
    OutcomesPanel::Choice armed() const;
    OutcomesPanel::Choice ofScenario() const;
    OutcomesPanel::Choice selected() const;
    OutcomesPanel::Choice inFireBar() const;

    MainWindow &m_window;
    Controller &m_controller;
    const std::optional<Scenario> &m_scenario;
    OutcomesPanel *m_panel;
};

} // namespace instar
