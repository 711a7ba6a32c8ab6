// SPDX-License-Identifier: Apache-2.0
#include "views/panels/queuepanel.h"

#include "model/engine/simulator.h"
#include "model/engine/step.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/tables.h"

#include <QMenu>
#include <QTableView>
#include <QVBoxLayout>

namespace instar {

namespace {

constexpr int NoteMost = 150; ///< pixels: so that the time columns after it fit a usual window

CellLook recordLook(const QModelIndex &index)
{
    CellLook look { .isFaint = index.data(RecordModel::Later).toBool() };
    if (index.column() != RecordModel::From && index.column() != RecordModel::To)
        return look;
    const int category =
        index
            .data(index.column() == RecordModel::From ? RecordModel::FromStatusCategory
                                                      : RecordModel::ToStatusCategory)
            .toInt();
    if (category >= 0)
        look.chip = StatusCategory(category);
    return look;
}

} // namespace

QueuePanel::QueuePanel(const Controller &controller, Selection &selection, QWidget *parent)
    : QWidget(parent),
      m_controller(controller),
      m_selection(selection),
      m_model(new OperationModel(controller, this))
{
    // A view selects a neighbour when its row is removed; the selection must stay for when the row
    // returns. Connected first, so that it runs before the view's own slot.
    connect(m_model, &QAbstractItemModel::rowsAboutToBeRemoved, this,
        [this] { m_followsUser = false; });
    m_view = rowTable(m_model, OperationModel::Full, { 54, 48, 70, 232, 104, 84, 92, 60, 70, 60 });
    const auto lookOf = [this](const QModelIndex &index) {
        CellLook look { .isHighlighted =
                            m_highlighted.contains(index.data(OperationModel::Serial).toUInt()) };
        if (index.column() == OperationModel::StatusWord)
            look.chip = statusCategoryOf(Status(index.data(OperationModel::StatusOf).toInt()));
        if (index.column() == OperationModel::Progress)
            look.progress = index.data(OperationModel::Fraction).toDouble();
        return look;
    };
    m_view->setItemDelegate(new RowDelegate(lookOf, this));
    m_view->setAccessibleName(tr("Operation queue"));
    showWhenEmpty(m_view, [simulator = qobject_cast<const Simulator *>(&controller)] {
        return simulator && simulator->moment() < simulator->lastMoment()
            ? tr("This is the beginning of the run. Press Play, or drag the timeline's cursor, to "
                 "see its events.")
            : tr("No operation has run yet. Fire one above, or click a highlighted arrow on the "
                 "chart.");
    });
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
    const auto chooseSelected = [this] {
        if (m_followsUser)
            m_selection.choose(selectedRows());
    };
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, &QueuePanel::showSelection);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, [this] {
        if (selectedRows() != m_selection.operations())
            showSelection();
    });
    connect(
        m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, chooseSelected);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, chooseSelected);
    connect(m_view, &QAbstractItemView::clicked, this, chooseSelected);
    connect(&selection, &Selection::operationsChosen, this, [this](quint32 current) {
        m_controller.updates().flush(); // the operation may be new
        if (selectedRows() == m_selection.operations())
            return;
        showSelection();
        m_view->scrollTo(m_model->indexOf(current));
    });
    // Explains an operation without success; else goes to its target.
    connect(m_view, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
        const Operation *operation =
            m_controller.operations().find(index.data(OperationModel::Serial).toUInt());
        if (operation && operation->isOver() && operation->status != Status::Succeeded)
            emit whyAsked(operation->serial);
        else
            emit targetAsked(index.siblingAtColumn(OperationModel::Target).data().toString());
    });
}

/// Serials of the selected rows, the current one last.
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
    // Selects independently of modifier keys: Ctrl of a shortcut would add rows.
    QItemSelectionModel *selection = m_view->selectionModel();
    selection->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
    selection->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_followsUser = true;
}

void QueuePanel::setHighlighted(const QSet<quint32> &serials)
{
    m_highlighted = serials;
    m_view->viewport()->update();
}

void QueuePanel::fillMenu(QMenu &menu)
{
    const quint32 serial = m_selection.operation();
    const QModelIndex row = m_model->indexOf(serial);
    if (!row.isValid()) {
        menu.addAction(tr("Select an operation first"))->setEnabled(false);
        return;
    }
    const Rules &rules = m_controller.rules();
    const bool runs = m_controller.isLocal() && m_controller.world().find(serial);
    menu.addAction(icon(u"cancel"_s), tr("Cancel"), this, [=, this] { emit cancelAsked(serial); })
        ->setEnabled(runs || (m_controller.isLocal() && m_controller.world().waiting(serial)));
    const auto outcomes =
        runs ? possibleOutcomes(rules, m_controller.world(), serial) : QList<Rules::TriggerId>();
    for (const Rules::TriggerId outcome : outcomes) {
        const QString name = rules.triggerName(outcome);
        menu.addAction(
            tr("End with %1").arg(name), this, [=, this] { emit endAsked(serial, name); });
    }
    menu.addSeparator();
    if (const quint32 other = row.data(OperationModel::OtherOperation).toUInt()) {
        const Operation *operation = m_controller.operations().find(other);
        menu.addAction(icon(u"link"_s), tr("Go to operation %1").arg(operation->id), this,
            [=, this] { m_selection.choose(other); });
    }
    const QString target = row.siblingAtColumn(OperationModel::Target).data().toString();
    menu.addAction(tr("Go to %1").arg(target), this, [=, this] { emit targetAsked(target); });
    menu.addAction(icon(u"help"_s), tr("Why?"), this, [=, this] { emit whyAsked(serial); });
    menu.addAction(tr("What can happen?"), this, &QueuePanel::outcomesAsked);
    menu.addSeparator();
    menu.addAction(tr("Copy rows"), this, [this] { copyRows(m_view, OperationModel::Full); });
}

RecordPanel::RecordPanel(const Controller &controller, Selection &selection, QWidget *parent)
    : QWidget(parent),
      m_model(new RecordModel(controller, this)),
      m_view(rowTable(m_model, RecordModel::Full, { 64, 74, 64, 130, 112, 112, 50, 380 }))
{
    m_view->setItemDelegate(new RowDelegate(recordLook, this));
    m_view->setAccessibleName(tr("Records"));
    showWhenEmpty(m_view,
        tr("No events yet. This table lists the events of the run; select one to go back to it."));
    growWithContents(m_view,
        { RecordModel::Time, RecordModel::OperationId, RecordModel::From, RecordModel::To }, 200);
    followTail(m_view);

    filled(new QVBoxLayout(this), { m_view }, 0,
        { gap::normal, gap::small, gap::normal, gap::normal });
    setFocusProxy(m_view);

    // Scrolls to the moment shown.
    connect(&controller.updates(), &Updates::rewound, this, [this] {
        if (const int rows = m_model->happenedRows(); rows < m_model->rowCount())
            m_view->scrollTo(m_model->index(std::max(rows - 1, 0), 0));
    });
    offerMenu(m_view, [this](QMenu &menu) { fillMenu(menu); });
    connect(m_view, &QAbstractItemView::clicked, this, [&selection](const QModelIndex &index) {
        if (const quint32 serial = index.data(RecordModel::Serial).toUInt())
            selection.choose(serial);
    });
    connect(m_view, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex &index) {
        emit momentAsked(index.data(RecordModel::Moment).toLongLong());
    });
}

void RecordPanel::fillMenu(QMenu &menu)
{
    const QModelIndex row = m_view->currentIndex();
    if (!row.isValid())
        return;
    const auto moment = row.data(RecordModel::Moment).toLongLong();
    menu.addAction(icon(u"step-back"_s), tr("Go to this moment"), this,
        [=, this] { emit momentAsked(moment); });
    const QString path = row.siblingAtColumn(RecordModel::Path).data().toString();
    const quint32 serial = row.data(RecordModel::Serial).toUInt();
    menu.addAction(icon(u"help"_s), tr("Why?"), this, [=, this] { emit whyAsked(serial, path); });
    menu.addAction(tr("Go to %1").arg(path), this, [=, this] { emit targetAsked(path); });
    menu.addSeparator();
    menu.addAction(tr("Copy rows"), this, [this] { copyRows(m_view, RecordModel::Full); });
}

} // namespace instar
