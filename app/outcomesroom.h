// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/outcomes/outcomespanel.h"

namespace instar {

class ArmedPanel;
class Docks;
class FireBar;
class QueuePanel;
class Selection;

/// Outcome search for the window: offers the burst, the scenario's operations, those selected in
/// the queue and the one in the fire bar as its subjects.
class OutcomesRoom : public QObject
{
    Q_OBJECT
public:
    OutcomesRoom(Controller &controller, Selection &selection, FireBar &fireBar, QueuePanel &queue,
        ArmedPanel &armed, Docks &docks, const std::optional<Scenario> &scenario, QObject *parent);

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

    Controller &m_controller;
    Selection &m_selection;
    FireBar &m_fireBar;
    ArmedPanel &m_armed;
    Docks &m_docks;
    const std::optional<Scenario> &m_scenario;
    OutcomesPanel *m_panel;
};

} // namespace instar
