// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/task.h"
#include "views/editing/comparepanel.h"
#include "views/panels/startstrip.h"

class QDockWidget;
class QMainWindow;

namespace instar {

class Controller;
class Docks;
class Editing;
class EditingDocks;

/// Two versions, or two settings, laid over each other: the panel that tells what is different, and
/// its marks on the chart.
class Comparing : public QObject
{
    Q_OBJECT
public:
    /// `pack`: what a scenario calls the pack while its document has no file; `systems`: the
    /// built-in packs.
    Comparing(Editing &editing, EditingDocks &rows, Docks &docks, StatechartView &chart,
        Controller &controller, const QString &pack, const QList<StartStrip::Start> &systems,
        QMainWindow &window);
    ~Comparing() override;

    void setTheme(const Theme &theme);
    /// Shows the panel and asks what to compare with.
    void choose();
    /// With "saved", a switch's "NAME=VALUE", a built-in pack's id or a file. What cannot be read
    /// is said in a message with file and line.
    void compareWith(const QString &what);
    /// Whether a pack is being read, or compared.
    bool isLooking() const { return m_reading || m_panel->isLooking(); }
    ComparePanel &panel() { return *m_panel; }
    const DifferenceMarks &marks() const { return m_marks; }

signals:
    void said(const QString &sentence);
    /// A story is to be seen on a pack, in a window of its own.
    void runAsked(const instar::ComparedPack &pack, const instar::Scenario &story);

private:
    void open();
    void fillMenu();
    void compareWithFile();
    void read(const QString &source, const QString &title);
    void sync();
    void show(const Difference &difference);
    void save(Scenario story);
    Switches switches() const; ///< of the document
    Switches unusual(Switches chosen) const;

    QMainWindow &m_window;
    Editing &m_editing;
    EditingDocks &m_rows;
    Docks &m_docks;
    StatechartView &m_chart;
    Controller &m_controller;
    const QList<StartStrip::Start> m_systems;
    ComparePanel *m_panel;
    QDockWidget *m_dock;
    DifferenceMarks m_marks;
    QPointer<Task> m_reading;
};

} // namespace instar
