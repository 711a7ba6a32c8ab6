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

/// The panels of the room Edit: what the system is made of, the row that
/// is selected, what its operations do to each other, what is wrong, and what was done.
class EditingDocks : public QObject
{
    Q_OBJECT
public:
    EditingDocks(Editing &editing, Docks &docks, QObject *window);
    ~EditingDocks() override;

    /// A row is selected, wherever it can be.
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
