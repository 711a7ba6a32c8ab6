// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/outcomes/outcomespanel.h"

namespace instar {

class MainWindow;

/// Controls the outcome search of the window. The user can search the outcomes of the burst, of the
/// scenario's operations, of those selected in the queue, or of the one in the fire bar.
class OutcomesRoom : public QObject
{
    Q_OBJECT
public:
    OutcomesRoom(MainWindow &window, const std::optional<Scenario> &scenario);

    OutcomesPanel &panel() { return *m_panel; }
    /// Shows the room Outcomes and searches the outcomes of these operations. `subject`: id of a
    /// choice in the panel; empty: the current choice.
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
