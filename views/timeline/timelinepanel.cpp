// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/timelinepanel.h"

#include "model/engine/simulator.h"
#include "model/items/sentences.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"
#include "views/panels/notice.h"

#include <QComboBox>
#include <QInputDialog>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <functional>

namespace instar {

TimelinePanel::TimelinePanel(Controller &controller, Selection &selection, QWidget *parent)
    : QWidget(parent),
      m_controller(controller),
      m_simulator(qobject_cast<Simulator *>(&controller)),
      m_view(new TimelineView(controller, selection)),
      m_notice(new NoticeBar),
      m_filter(searchLine(tr("Filter"), tr("Filter of the resources"))),
      m_rest(wordButton({}, {}, tr("Shows or hides the resources that no operation has affected"))),
      m_counts(new ElidedLabel),
      m_branches(new QComboBox),
      m_branchMenu(iconButton(u"more"_s, tr("Commands for the branch")))
{
    m_view->setHead(makeHead());
    m_branches->setAccessibleName(tr("Branch"));
    m_branches->setToolTip(
        tr("Branches of the run: an action at an earlier moment starts a new one "
           "and keeps the others"));
    m_branches->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_branches->setMaximumWidth(220);
    m_branchMenu->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(m_branchMenu);
    menu->addAction(tr("Rename..."), this, [this] {
        bool isAccepted = false;
        const quint32 branch = m_simulator->branch();
        const QString name = QInputDialog::getText(this, tr("Rename Branch"), tr("Name"),
            QLineEdit::Normal, m_branches->currentText().trimmed(), &isAccepted);
        if (isAccepted)
            m_simulator->renameBranch(branch, name.trimmed());
    });
    QAction *remove =
        menu->addAction(icon(u"remove"_s), tr("Delete"), this, &TimelinePanel::removeBranch);
    connect(menu, &QMenu::aboutToShow, remove,
        [this, remove] { remove->setEnabled(m_simulator && m_simulator->branch() != 0); });
    m_branchMenu->setMenu(menu);
    auto *branches = filled(new QHBoxLayout, { m_branches, m_branchMenu, Part::rest(1) });
    filled(new QVBoxLayout(this), { m_notice, { m_view, 1 }, branches });
    setFocusProxy(m_view);
    connect(m_view, &TimelineView::linesChanged, this, &TimelinePanel::showLines);
    connect(&controller.updates(), &Updates::changed, this, &TimelinePanel::showCounts);
    m_counts->setProperty("dim", true);
    showLines();

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

QWidget *TimelinePanel::makeHead()
{
    m_filter->setToolTip(tr("Shows the resources with all these words in name, type or state"));
    m_filter->setMinimumWidth(92);
    m_typing.setSingleShot(true);
    m_typing.setInterval(120);
    connect(m_filter, &QLineEdit::textChanged, this, [this] { m_typing.start(); });
    connect(&m_typing, &QTimer::timeout, this, &TimelinePanel::applyFilter);
    // A shortcut, because a line edit passes Return on to the table, which fires the operation.
    for (const Qt::Key key : { Qt::Key_Return, Qt::Key_Enter }) {
        connect(new QShortcut(key, m_filter, nullptr, nullptr, Qt::WidgetShortcut),
            &QShortcut::activated, this, [this] {
                m_typing.stop();
                applyFilter();
                m_view->goToMatch();
            });
    }
    connect(new QShortcut(Qt::Key_Escape, m_filter, nullptr, nullptr, Qt::WidgetShortcut),
        &QShortcut::activated, m_filter, &QLineEdit::clear);
    connect(m_rest, &QToolButton::clicked, this, [this] {
        const auto shows =
            showsAll() ? TimelineView::Shows::OnlyTouched : TimelineView::Shows::Everything;
        m_filter->clear();
        applyFilter();
        m_view->setShows(shows);
    });
    QToolButton *more = iconButton(u"more"_s, tr("Folding and zoom"));
    more->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(more);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        m_view->fillViewMenu(*menu);
    });
    more->setMenu(menu);
    return boxed(filled(new QHBoxLayout, { { m_filter, 1 }, m_rest, more }, gap::small,
        { gap::small, 0, gap::small, 0 }));
}

void TimelinePanel::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void TimelinePanel::applyFilter()
{
    m_view->setFilter(m_filter->text().split(u' ', Qt::SkipEmptyParts));
}

bool TimelinePanel::showsAll() const
{
    return m_view->shows() == TimelineView::Shows::Everything && m_filter->text().isEmpty();
}

void TimelinePanel::showLines()
{
    const qsizetype rest = m_view->untouchedRows();
    m_rest->setIcon(icon(showsAll() ? u"eye-off"_s : u"eye"_s));
    m_rest->setText(showsAll() ? tr("Hide those at rest")
                               : tr("Show %1 at rest").arg(QLocale().toString(rest)));
    m_rest->setVisible(showsAll() || rest > 0);
    showCounts();
}

void TimelinePanel::showCounts()
{
    const QMap<QString, qint64> titles = titleCounts(m_controller.rules(), m_controller.world());
    QStringList parts;
    for (const auto &[title, count] : titles.asKeyValueRange())
        parts += u"%1 %2"_s.arg(QLocale().toString(count), title);
    QString text = tr("%Ln resources", nullptr, int(m_controller.world().tree.size()));
    if (!m_filter->text().isEmpty())
        text = tr("%1 of %2").arg(QLocale().toString(m_view->matches()), text);
    m_counts->setToolTip(parts.join(u'\n'));
    m_counts->setText(parts.isEmpty() ? text : text + u": "_s + parts.join(u", "_s));
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
    // Each below the branch from which it forked.
    const std::function<void(const Simulator::Branch &, int)> add = [&](const auto &branch,
                                                                        int depth) {
        m_branches->addItem(QString(4 * depth, u' ') + branchName(branch), branch.id);
        if (branch.id == m_simulator->branch())
            m_branches->setCurrentIndex(m_branches->count() - 1);
        for (const Simulator::Branch &other : branches) {
            if (other.id != 0 && other.trunk == branch.id)
                add(other, depth + 1);
        }
    };
    add(branches.first(), 0);
}

void TimelinePanel::removeBranch()
{
    const QString name = m_branches->currentText().trimmed();
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
