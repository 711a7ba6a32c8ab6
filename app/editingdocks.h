// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QDockWidget;

namespace instar {

class Docks;
class Editing;
class MatrixPanel;
class ProblemsPanel;
class RowForm;
class SystemPanel;
class TextPanel;

/// Panels of the room Edit: outline of the system, form of the selected row, conflict matrix,
/// problems, text of the file and undo history.
class EditingDocks : public QObject
{
    Q_OBJECT
public:
    EditingDocks(Editing &editing, Docks &docks, QObject *window);
    ~EditingDocks() override;

    /// Selects a row in the outline and raises its form.
    void showRow(const QString &pointer);
    SystemPanel &system() { return *m_system; }
    RowForm &form() { return *m_form; }
    MatrixPanel &matrix() { return *m_matrix; }
    ProblemsPanel &problems() { return *m_problems; }
    TextPanel &text() { return *m_text; }

private:
    SystemPanel *m_system;
    RowForm *m_form;
    ProblemsPanel *m_problems;
    TextPanel *m_text;
    MatrixPanel *m_matrix;
    Docks &m_all;
    QList<QDockWidget *> m_docks;
};

} // namespace instar
