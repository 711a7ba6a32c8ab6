// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/timelinepanel.h"

#include "model/engine/simulator.h"
#include "model/items/sentences.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/notice.h"

#include <QActionGroup>
#include <QComboBox>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

TimelinePanel::TimelinePanel(Controller &controller, Selection &selection, QWidget *parent)
    : QWidget(parent),
      m_simulator(qobject_cast<Simulator *>(&controller)),
      m_view(new TimelineView(controller, selection)),
      m_notice(new NoticeBar),
      m_search(new QLineEdit),
      m_branches(new QComboBox),
      m_branchMenu(iconButton(u"more"_s, tr("What can be done with the branch")))
{
    auto *header = new QHBoxLayout;
    header->setSpacing(gap::small);
    header->setContentsMargins(gap::small, 0, 0, 0);
    m_branches->setAccessibleName(tr("Branch"));
    m_branches->setToolTip(tr("Ways that things went: doing something at an earlier moment begins "
                              "another, and none is lost"));
    m_branches->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_branches->setMaximumWidth(220);
    header->addWidget(m_branches);
    m_branchMenu->setText(tr("Branch"));
    m_branchMenu->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(m_branchMenu);
    connect(menu->addAction(tr("Rename...")), &QAction::triggered, this, [this] {
        bool isMeant = false;
        const quint32 branch = m_simulator->branch();
        const QString name = QInputDialog::getText(this, tr("Rename Branch"), tr("Name"),
            QLineEdit::Normal, m_branches->currentText(), &isMeant);
        if (isMeant)
            m_simulator->renameBranch(branch, name.trimmed());
    });
    QAction *remove = menu->addAction(icon(u"remove"_s), tr("Delete"));
    connect(remove, &QAction::triggered, this, &TimelinePanel::removeBranch);
    connect(menu, &QMenu::aboutToShow, remove,
        [this, remove] { remove->setEnabled(m_simulator && m_simulator->branch() != 0); });
    m_branchMenu->setMenu(menu);
    header->addWidget(m_branchMenu);
    header->addStretch(1);

    m_search->setPlaceholderText(tr("Find a resource"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(170);
    m_search->setAccessibleName(tr("Find a resource in the timeline"));
    connect(m_search, &QLineEdit::textChanged, m_view, &TimelineView::setSought);
    connect(m_search, &QLineEdit::returnPressed, m_view, &TimelineView::seekNext);
    header->addWidget(m_search, 1);
    const auto toggle = [&](const QString &name, const QString &text, auto act) {
        QToolButton *tool = iconButton(name, text);
        tool->setCheckable(true);
        connect(tool, &QToolButton::toggled, this, act);
        header->addWidget(tool);
    };
    toggle(u"eye"_s, tr("Only resources that something has touched"), [this](bool on) {
        m_view->setShows(on ? TimelineLines::Shows::OnlyTouched : TimelineLines::Shows::Everything);
    });
    QToolButton *order = iconButton(u"sort"_s, tr("How siblings follow each other"));
    order->setText(tr("Sort"));
    order->setPopupMode(QToolButton::InstantPopup);
    auto *orders = new QMenu(order);
    auto *oneOfThem = new QActionGroup(orders);
    const auto choice = [&](const QString &text, Timeline::Order one) {
        QAction *action = orders->addAction(text, this, [this, one] { m_view->setOrder(one); });
        action->setCheckable(true);
        action->setChecked(one == Timeline::Order::Tree);
        oneOfThem->addAction(action);
    };
    choice(tr("As in the Tree"), Timeline::Order::Tree);
    choice(tr("By Name"), Timeline::Order::Names);
    choice(tr("What Was Asked For First Comes First"), Timeline::Order::Asked);
    order->setMenu(orders);
    header->addWidget(order);
    toggle(u"peer"_s, tr("A lane for each client, instead of resources"), [this](bool on) {
        m_view->setLines(on ? TimelineView::Lines::Clients : TimelineView::Lines::Resources);
    });
    const auto button = [&](const QString &name, const QString &text, auto act) {
        QToolButton *tool = iconButton(name, text);
        connect(tool, &QToolButton::clicked, m_view, act);
        header->addWidget(tool);
    };
    button(u"zoom-out"_s, tr("Lower rows (wheel); Ctrl+wheel zooms time"), &TimelineView::zoomOut);
    button(u"fit"_s, tr("Usual sizes (0)"), &TimelineView::fit);
    button(u"zoom-in"_s, tr("Higher rows (wheel); Ctrl+wheel zooms time"), &TimelineView::zoomIn);
    filled(new QVBoxLayout(this), { header, m_notice, { m_view, 1 } });
    setFocusProxy(m_view);

    if (m_simulator) {
        connect(m_simulator, &Simulator::branchesChanged, this, &TimelinePanel::showBranches);
        connect(m_branches, &QComboBox::activated, this, [this](int index) {
            m_simulator->pause();
            m_simulator->switchTo(m_branches->itemData(index).toUInt());
        });
        connect(m_view, &TimelineView::timeAsked, this, [this](qint64 time) {
            if (!m_simulator->keepsPast())
                return;
            m_simulator->pause();
            m_simulator->showTime(time);
        });
    }
    showBranches();
}

void TimelinePanel::showBranches()
{
    const auto branches = m_simulator ? m_simulator->branches() : QList<Simulator::Branch>();
    const qsizetype count = branches.size();
    m_branches->setVisible(count > 1);
    m_branchMenu->setVisible(count > 1);
    m_branches->clear();
    if (count <= 1)
        return;
    for (const Simulator::Branch &branch : branches) {
        m_branches->addItem(branchName(branch), branch.id);
        if (branch.id == m_simulator->branch())
            m_branches->setCurrentIndex(m_branches->count() - 1);
    }
}

void TimelinePanel::removeBranch()
{
    const QString name = m_branches->currentText();
    const QList<Simulator::Branch> removed = m_simulator->removeBranch(m_simulator->branch());
    if (removed.isEmpty())
        return;
    m_notice->ask(Notice::Tone::Hint, tr("Deleted the branch “%1”.").arg(name),
        { { tr("Undo"), tr("Bring the branch back"), [this, removed] {
               m_simulator->restoreBranches(removed);
               m_simulator->switchTo(removed.first().id);
           } } });
}

} // namespace instar
