// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

#include <QObject>
#include <QPointer>
#include <QSet>

class QDockWidget;
class QMainWindow;

namespace instar {

class Docks;
class Editing;
class MatrixPanel;
class ProblemsPanel;
class RowForm;
class SystemPanel;
class TextPanel;

/// The panels that a window has while its pack is edited: what the system is made of, the row that
/// is selected, what its operations do to each other, what is wrong, and what was done.
class EditingDocks : public QObject
{
    Q_OBJECT
public:
    /// Behind the docks of that name, which stay in front while the chart is explored.
    EditingDocks(Editing &editing, Docks &docks, QMainWindow &window);
    ~EditingDocks() override;

    void setTheme(const Theme &theme);
    /// A row is selected, wherever it can be.
    void showRow(const QString &pointer);
    SystemPanel &system() { return *m_system; }
    RowForm &form() { return *m_form; }
    MatrixPanel &matrix() { return *m_matrix; }
    ProblemsPanel &problems() { return *m_problems; }
    TextPanel &text() { return *m_text; }
    /// Shows what is for editing, or hides it and keeps in mind what of it was closed.
    void setOn(bool on);

private:
    SystemPanel *m_system;
    RowForm *m_form;
    ProblemsPanel *m_problems;
    TextPanel *m_text;
    MatrixPanel *m_matrix;
    Docks &m_all;
    QList<QDockWidget *> m_docks;
    QPointer<QDockWidget> m_front; ///< at the bottom, before this was on
    QSet<QDockWidget *> m_closed;
    bool m_isOn = false;
};

} // namespace instar
