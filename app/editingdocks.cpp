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
#include <QMainWindow>
#include <QUndoView>

#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

EditingDocks::EditingDocks(Editing &editing, Docks &docks, QMainWindow &window)
    : QObject(&window),
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
    history->setToolTip(tr("Choose a line to go back, or forward, to what was there then"));
    m_docks = { docks.add(tr("System"), u"system"_s, Qt::LeftDockWidgetArea, m_system),
        docks.add(tr("Row"), u"row"_s, Qt::RightDockWidgetArea, m_form),
        docks.add(tr("Problems"), u"problems"_s, Qt::BottomDockWidgetArea, m_problems),
        docks.add(tr("Text"), u"text"_s, Qt::RightDockWidgetArea, m_text),
        docks.add(tr("Conflicts"), u"conflicts"_s, Qt::LeftDockWidgetArea, m_matrix),
        docks.add(tr("History"), u"history"_s, Qt::RightDockWidgetArea, history) };
    window.tabifyDockWidget(m_docks[0], m_docks[4]);
    window.tabifyDockWidget(docks.named(u"inspector"_s), m_docks[1]);
    window.tabifyDockWidget(m_docks[1], m_docks[3]);
    docks.widen(m_docks[3]);
    window.tabifyDockWidget(m_docks[1], m_docks.last());
    m_closed += m_docks.last(); // the history; whoever wants it shows it
    for (QDockWidget *dock : std::as_const(m_docks))
        dock->hide();
    m_problems->setOn(false);
    m_matrix->setEditable(false);

    connect(m_system, &SystemPanel::rowChosen, m_form, &RowForm::showRow);
    connect(m_system, &SystemPanel::rowChosen, m_text, &TextPanel::showRow);
    connect(m_text, &TextPanel::rowChosen, m_system, &SystemPanel::showRow);
    connect(m_text, &TextPanel::unreadChanged, &editing, &Editing::setUnread);
    connect(&editing, &Editing::finishing, m_text, &TextPanel::finish);
    connect(m_problems, &ProblemsPanel::told, m_text, &TextPanel::setIssues);
    connect(m_system, &SystemPanel::rowAdded, m_form, [this] { m_form->focusField(); });
    connect(m_system, &SystemPanel::said, &editing, &Editing::said);
    connect(m_form, &RowForm::rowAsked, this, &EditingDocks::showRow);
    connect(m_matrix, &MatrixPanel::rowAsked, this, &EditingDocks::showRow);
    connect(m_matrix, &MatrixPanel::said, &editing, &Editing::said);
    const auto lead = [this](const QString &pointer) {
        showRow(pointer);
        m_form->focusAt(pointer);
    };
    connect(m_problems, &ProblemsPanel::rowAsked, this, lead);
    connect(&editing.hands(), &ChartEditor::rowAsked, this, lead);
    connect(m_problems, &ProblemsPanel::titleChanged, m_docks[2], &QDockWidget::setWindowTitle);
    connect(&editing, &Editing::modeChanged, this, &EditingDocks::setOn);
    connect(&docks, &Docks::wasReset, this, [this] {
        m_closed = { m_docks.last() }; // the history
        const bool isOn = std::exchange(m_isOn, false);
        setOn(isOn);
    });
}

EditingDocks::~EditingDocks()
{
    for (const QDockWidget *dock : std::as_const(m_docks))
        delete dock->widget();
}

void EditingDocks::setTheme(const Theme &theme)
{
    m_form->setTheme(theme);
    m_problems->setTheme(theme);
    m_text->setTheme(theme);
    m_matrix->setTheme(theme);
}

void EditingDocks::showRow(const QString &pointer)
{
    m_system->showRow(pointer);
    Docks::raise(m_docks[1]);
}

void EditingDocks::setOn(bool on)
{
    m_problems->setOn(on);
    m_matrix->setEditable(on);
    QDockWidget *front = m_all.inFront(Qt::BottomDockWidgetArea);
    if (on && !m_isOn)
        m_front = front;
    for (QDockWidget *dock : std::as_const(m_docks)) {
        if (m_isOn && !on && dock->isHidden())
            m_closed += dock;
        else if (m_isOn && !on)
            m_closed.remove(dock);
        dock->setVisible(on && !m_closed.contains(dock));
    }
    if (m_isOn && !on && m_front && !m_front->isHidden() && m_docks.contains(front))
        m_front->raise();
    m_isOn = on;
    if (on) {
        m_docks[0]->raise();
        m_docks[1]->raise();
    }
}

} // namespace instar
