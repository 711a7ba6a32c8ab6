// SPDX-License-Identifier: Apache-2.0
#include "views/panels/recordpanel.h"

#include "views/icons.h"
#include "views/look.h"
#include "views/panels/tables.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

std::optional<StatusCategory> recordChip(const QModelIndex &index)
{
    if (index.column() != RecordModel::From && index.column() != RecordModel::To)
        return {};
    const int statusCategory =
        index
            .data(index.column() == RecordModel::From ? RecordModel::FromStatusCategory
                                                      : RecordModel::ToStatusCategory)
            .toInt();
    return statusCategory < 0 ? std::optional<StatusCategory>() : StatusCategory(statusCategory);
}

} // namespace

RecordPanel::RecordPanel(const Controller &controller, Selection &selection, QWidget *parent)
    : QWidget(parent),
      m_model(new RecordModel(controller, this)),
      m_delegate(new RowDelegate(recordChip, this)),
      m_view(rowTable(m_model, RecordModel::Full, { 64, 74, 64, 130, 112, 112, 50, 380 }))
{
    m_delegate->setFaint(
        [](const QModelIndex &index) { return index.data(RecordModel::Later).toBool(); });
    m_view->setItemDelegate(m_delegate);
    m_view->setAccessibleName(tr("Records"));
    showWhenEmpty(m_view, [] {
        return tr("Nothing has happened yet. Every event will be listed here, and can be returned "
                  "to.");
    });
    growWithContents(m_view,
        { RecordModel::Time, RecordModel::OperationId, RecordModel::From, RecordModel::To }, 200);
    followTail(m_view);

    filled(new QVBoxLayout(this), { m_view }, 0,
        { gap::normal, gap::small, gap::normal, gap::normal });
    setFocusProxy(m_view);

    // The moment shown is in sight, wherever one goes.
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

void RecordPanel::setTheme(const Theme &theme)
{
    m_delegate->setTheme(theme);
    m_view->viewport()->update();
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
    const QString text = row.siblingAtColumn(RecordModel::Text).data().toString();
    menu.addAction(icon(u"copy"_s), tr("Copy sentence"), this,
        [=] { QGuiApplication::clipboard()->setText(text); });
    menu.addAction(tr("Copy rows"), this, [this] { copyRows(m_view, RecordModel::Full); });
}

} // namespace instar
