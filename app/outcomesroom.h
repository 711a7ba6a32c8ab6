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
    /// Enters the room and searches the outcomes of a subject, by its id; empty: the chosen one.
    void ask(const QString &subject = {});

private:
    void offer();
    OutcomesPanel::Choice selected() const;

    MainWindow &m_window;
    Controller &m_controller;
    const std::optional<Scenario> &m_scenario;
    OutcomesPanel *m_panel;
};

} // namespace instar
