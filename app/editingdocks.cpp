// SPDX-License-Identifier: Apache-2.0
#include "app/editingdocks.h"

#include "app/docks.h"
#include "app/editing.h"
#include "views/editing/matrixpanel.h"
#include "views/editing/problemspanel.h"
#include "views/editing/rowform.h"
#include "views/editing/systempanel.h"
#include "views/editing/textpanel.h"
#include "views/icons.h"

#include <QDockWidget>
#include <QUndoView>

#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

EditingDocks::EditingDocks(Editing &editing, Docks &docks, QObject *window)
    : QObject(window),
      m_system(new SystemPanel(editing.document(), editing.selection())),
      m_form(new RowForm(editing.document())),
      m_problems(new ProblemsPanel(editing.document())),
      m_text(new TextPanel(editing.document())),
      m_matrix(new MatrixPanel(editing.document())),
      m_all(docks)
{
    auto *history = new QUndoView(&editing.document().history());
    history->setEmptyLabel(tr("As it was opened"));
    history->setCleanIcon(icon(u"good"_s));
    history->setAccessibleName(tr("What was done"));
    history->setToolTip(tr("Select a step to undo or redo up to it"));
    const auto add = [&](const QString &title, const QString &name, QWidget *panel,
                         Qt::DockWidgetArea area, bool isOpen = true) {
        return docks.add(title, name, panel, { { Room::Edit, area, isOpen } });
    };
    m_docks = { add(tr("System"), u"system"_s, m_system, Qt::LeftDockWidgetArea),
        add(tr("Row"), u"row"_s, m_form, Qt::RightDockWidgetArea),
        add(tr("Problems"), u"problems"_s, m_problems, Qt::BottomDockWidgetArea),
        add(tr("Text"), u"text"_s, m_text, Qt::BottomDockWidgetArea),
        docks.add(tr("Conflicts"), u"conflicts"_s, m_matrix,
            { { Room::Edit, Qt::LeftDockWidgetArea },
                { Room::Explore, Qt::LeftDockWidgetArea, false } }), // read-only
        add(tr("History"), u"history"_s, history, Qt::RightDockWidgetArea, false) };
    docks.widen(m_docks[4], 36);
    m_problems->setOn(false);
    m_matrix->setEditable(false);

    connect(m_system, &SystemPanel::rowChosen, m_form, &RowForm::showRow);
    connect(m_system, &SystemPanel::rowChosen, m_text, &TextPanel::showRow);
    connect(m_text, &TextPanel::rowChosen, m_system, &SystemPanel::showRow);
    connect(m_text, &TextPanel::unreadChanged, &editing, &Editing::setUnread);
    connect(&editing, &Editing::finishing, m_text, &TextPanel::finish);
    connect(m_problems, &ProblemsPanel::diagnosticsChanged, m_text, &TextPanel::setDiagnostics);
    connect(m_system, &SystemPanel::rowAdded, m_form, [this] { m_form->focusField(); });
    connect(m_system, &SystemPanel::said, &editing, &Editing::said);
    connect(m_form, &RowForm::rowAsked, this, &EditingDocks::showRow);
    connect(m_matrix, &MatrixPanel::rowAsked, this, &EditingDocks::showRow);
    connect(m_matrix, &MatrixPanel::said, &editing, &Editing::said);
    connect(m_problems, &ProblemsPanel::rowAsked, this, [this](const QString &pointer) {
        showRow(pointer);
        m_form->focusAt(pointer);
    });
    connect(m_problems, &ProblemsPanel::titleChanged, m_docks[2], &QDockWidget::setWindowTitle);
    connect(&editing, &Editing::modeChanged, m_problems, &ProblemsPanel::setOn);
    connect(&editing, &Editing::modeChanged, m_matrix, &MatrixPanel::setEditable);
}

EditingDocks::~EditingDocks()
{
    for (const QDockWidget *dock : std::as_const(m_docks))
        delete dock->widget();
}

void EditingDocks::showRow(const QString &pointer)
{
    m_system->showRow(pointer);
    m_all.raise(m_docks[1]);
}

} // namespace instar
