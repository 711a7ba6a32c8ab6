// SPDX-License-Identifier: Apache-2.0
#include "views/panels/queuepanel.h"

#include "model/engine/step.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/tables.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int NoteMost = 150; ///< pixels: the times that follow stay in sight of a usual window

std::optional<StatusCategory> operationChip(const QModelIndex &index)
{
    if (index.column() != OperationModel::StatusWord)
        return {};
    switch (Status(index.data(OperationModel::StatusOf).toInt())) {
    case Status::Waiting:
        return StatusCategory::Waiting;
    case Status::InProgress:
        return StatusCategory::Working;
    case Status::Succeeded:
        return StatusCategory::Rest;
    case Status::Canceled:
        return StatusCategory::Absent;
    case Status::Failed:
    case Status::Rejected:
        break;
    }
    return StatusCategory::Failed;
}

std::optional<double> barOf(const QModelIndex &index)
{
    if (index.column() != OperationModel::Progress)
        return {};
    return index.data(OperationModel::Fraction).toDouble();
}

} // namespace

QueuePanel::QueuePanel(const Controller &controller, Selection &selection, QWidget *parent)
    : QWidget(parent),
      m_controller(controller),
      m_selection(selection),
      m_model(new OperationModel(controller, this)),
      m_delegate(new RowDelegate(operationChip, this))
{
    // A view moves on to a neighbour when its row goes; what is selected here comes back with time.
    // So this must know before the view.
    connect(m_model, &QAbstractItemModel::rowsAboutToBeRemoved, this,
        [this] { m_followsUser = false; });
    m_view = rowTable(m_model, OperationModel::Full, { 54, 48, 70, 232, 104, 84, 92, 60, 70, 60 });
    m_view->setItemDelegate(m_delegate);
    m_delegate->setBar(barOf);
    m_delegate->setStandsOut([this](const QModelIndex &index) {
        return m_lookedAt.contains(index.data(OperationModel::Serial).toUInt());
    });
    m_view->setAccessibleName(tr("Operation queue"));
    showWhenEmpty(m_view,
        emptyHistory(controller,
            tr("Nothing has run yet. Fire an operation above, or click a lit arrow on the "
               "chart.")));
    growWithContents(m_view,
        { OperationModel::Id, OperationModel::Client, OperationModel::Kind,
            OperationModel::Submitted, OperationModel::Ended },
        200);
    growWithContents(m_view, { OperationModel::Note }, NoteMost);
    followTail(m_view);

    filled(new QVBoxLayout(this), { m_view }, 0,
        { gap::normal, gap::small, gap::normal, gap::normal });
    setFocusProxy(m_view);

    offerMenu(m_view, [this](QMenu &menu) { fillMenu(menu); });
    const auto tell = [this] {
        if (m_followsUser)
            m_selection.choose(selectedRows());
    };
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, &QueuePanel::showSelection);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, [this] {
        if (selectedRows() != m_selection.operations())
            showSelection();
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, tell);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, tell);
    connect(m_view, &QAbstractItemView::clicked, this, tell);
    connect(&selection, &Selection::operationsChosen, this, [this](quint32 current) {
        m_controller.updates().tell(); // it may just have been asked for
        if (selectedRows() == m_selection.operations())
            return;
        showSelection();
        m_view->scrollTo(m_model->indexOf(current));
    });
    // A time in the table is a moment to go to.
    connect(m_view, &QAbstractItemView::clicked, this, [this](const QModelIndex &index) {
        const Operation *operation =
            m_controller.operations().find(index.data(OperationModel::Serial).toUInt());
        if (operation && index.column() == OperationModel::Submitted)
            emit timeAsked(operation->submitted);
        else if (operation && operation->ended && index.column() == OperationModel::Ended)
            emit timeAsked(*operation->ended);
    });
    // What did not go as it was meant to is explained; else one goes on to what it was about.
    connect(m_view, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
        const Operation *operation =
            m_controller.operations().find(index.data(OperationModel::Serial).toUInt());
        if (operation && operation->isOver() && operation->status != Status::Succeeded)
            emit whyAsked(operation->serial);
        else
            emit targetAsked(index.siblingAtColumn(OperationModel::Target).data().toString());
    });
}

void QueuePanel::setTheme(const Theme &theme)
{
    m_delegate->setTheme(theme);
    m_view->viewport()->update();
}

/// The rows that are selected in the table, the current one last.
QList<quint32> QueuePanel::selectedRows() const
{
    QList<quint32> serials;
    for (const QModelIndex &row : m_view->selectionModel()->selectedRows())
        serials += row.data(OperationModel::Serial).toUInt();
    const quint32 current = m_view->currentIndex().data(OperationModel::Serial).toUInt();
    if (serials.removeOne(current))
        serials += current;
    return serials;
}

void QueuePanel::showSelection()
{
    m_followsUser = false;
    QItemSelection rows;
    QModelIndex current;
    for (const quint32 serial : m_selection.operations()) {
        current = m_model->indexOf(serial);
        rows.select(current, current);
    }
    // What is chosen does not depend on the keys that are held: a shortcut's Ctrl adds no row.
    QItemSelectionModel *selection = m_view->selectionModel();
    selection->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
    selection->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_followsUser = true;
}

void QueuePanel::setLookedAt(const QSet<quint32> &serials)
{
    m_lookedAt = serials;
    m_view->viewport()->update();
}

void QueuePanel::fillMenu(QMenu &menu)
{
    const quint32 serial = m_selection.operation();
    const QModelIndex row = m_model->indexOf(serial);
    if (!row.isValid()) {
        menu.addAction(tr("No operation is selected"))->setEnabled(false);
        return;
    }
    const Rules &rules = m_controller.rules();
    const bool runs = m_controller.isOurs() && m_controller.world().find(serial);
    auto *cancel = menu.addAction(icon(u"cancel"_s), tr("Cancel"));
    cancel->setEnabled(runs || (m_controller.isOurs() && m_controller.world().waiting(serial)));
    connect(cancel, &QAction::triggered, this, [=, this] { emit cancelAsked(serial); });
    const auto outcomes =
        runs ? choices(rules, m_controller.world(), serial) : QList<Rules::TriggerId>();
    for (const Rules::TriggerId outcome : outcomes) {
        const QString name = rules.triggerName(outcome);
        menu.addAction(tr("End as %1").arg(name), this, [=, this] { emit endAsked(serial, name); });
    }
    menu.addSeparator();
    if (const quint32 other = row.data(OperationModel::InTheWay).toUInt()) {
        const Operation *operation = m_controller.operations().find(other);
        menu.addAction(icon(u"link"_s), tr("Go to operation %1").arg(operation->id), this,
            [=, this] { m_selection.choose(other); });
    }
    const QString target = row.siblingAtColumn(OperationModel::Target).data().toString();
    menu.addAction(tr("Go to %1").arg(target), this, [=, this] { emit targetAsked(target); });
    menu.addAction(icon(u"help"_s), tr("Why?"), this, [=, this] { emit whyAsked(serial); });
    const Operation *asked = m_controller.operations().find(serial);
    if (asked && m_controller.isOurs()) {
        menu.addAction(icon(u"step-back"_s), tr("Go to when it was asked for"), this,
            [this, at = asked->submitted] { emit timeAsked(at); });
        if (asked->ended)
            menu.addAction(tr("Go to when it ended"), this,
                [this, at = *asked->ended] { emit timeAsked(at); });
    }
    menu.addAction(tr("What can happen?"), this, &QueuePanel::outcomesAsked);
    menu.addSeparator();
    const QString message = row.data(OperationModel::Message).toString();
    auto *copyMessage = menu.addAction(icon(u"copy"_s), tr("Copy message"));
    copyMessage->setEnabled(!message.isEmpty());
    connect(copyMessage, &QAction::triggered, this,
        [=] { QGuiApplication::clipboard()->setText(message); });
    menu.addAction(tr("Copy rows"), this, [this] { copyRows(m_view, OperationModel::Full); });
}

} // namespace instar
