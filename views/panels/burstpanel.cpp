// SPDX-License-Identifier: Apache-2.0
#include "views/panels/burstpanel.h"

#include "model/items/operationmodel.h"
#include "model/items/words.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"
#include "views/panels/tables.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace instar {

BurstPanel::BurstPanel(const Controller &controller, QWidget *parent)
    : QWidget(parent),
      m_controller(controller),
      m_model(new BurstModel(controller.rules().triggerName(controller.rules().succeeded), this)),
      m_view(rowTable(m_model, BurstModel::Full, { 44, 150, 84, 84, 60 })),
      m_fire(new QPushButton),
      m_outcomes(new QPushButton(tr("What can happen?"))),
      m_message(new ElidedLabel)
{
    growWithContents(m_view, { BurstModel::Answer, BurstModel::Contents }, 130);
    m_view->setTextElideMode(Qt::ElideRight);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setAccessibleName(tr("Requests of the burst"));
    showWhenEmpty(m_view,
        tr("The burst is empty. Describe an operation above and press + Burst. Fire sends all "
           "operations of the burst together."));
    m_fire->setObjectName(u"primary"_s);
    m_fire->setToolTip(tr(
        "Fire all operations of the burst at the same moment, or as nearly as the network allows"));
    m_message->setObjectName(u"said"_s);

    m_outcomes->setToolTip(tr("Tries every order in which the operations of the burst can arrive "
                              "and end"));
    QBoxLayout *tools = filled(new QHBoxLayout, {});
    const auto add = [&](const QString &name, const QString &text, const QKeySequence &keys,
                         auto act) {
        auto *action = new QAction(icon(name), text, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, act);
        m_view->addAction(action);
        tools->addWidget(commandButton(action));
        return action;
    };
    m_remove = add(u"remove"_s, tr("Remove"), QKeySequence::Delete, &BurstPanel::remove);
    m_clear = add(u"clear"_s, tr("Clear"), {}, &BurstPanel::clear);
    tools->addStretch(1);
    auto *acts = filled(new QHBoxLayout, { { m_fire, 1 }, m_outcomes });
    filled(new QVBoxLayout(this), { tools, { m_view, 1 }, m_message, acts }, gap::small,
        { gap::normal, gap::small, gap::normal, gap::normal });

    connect(m_fire, &QPushButton::clicked, this, &BurstPanel::fire);
    connect(m_outcomes, &QPushButton::clicked, this, &BurstPanel::outcomesAsked);
    offerMenu(m_view, [this](QMenu &menu) { fillMenu(menu); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex &row) {
            refresh();
            if (m_view->hasFocus()) // else it was added
                choose(row.row());
        });
    connect(m_view, &QAbstractItemView::clicked, this,
        [this](const QModelIndex &row) { choose(row.row()); });
    connect(this, &BurstPanel::changed, this, &BurstPanel::refresh);
    connect(&controller.updates(), &Updates::changed, this, &BurstPanel::showAnswers);
    refresh();
}

int BurstPanel::current() const
{
    return m_view->currentIndex().row();
}

void BurstPanel::select(int row)
{
    m_view->setCurrentIndex(m_model->index(row, 0));
}

void BurstPanel::add(const Request &request)
{
    m_model->insert(m_model->rowCount(), request);
    select(m_model->rowCount() - 1);
    say({});
    emit changed();
}

void BurstPanel::setFired(const QList<quint32> &serials)
{
    for (int row = 0; row < std::min(m_model->rowCount(), int(serials.size())); ++row)
        m_model->setSerial(row, serials[row]);
    showAnswers();
}

void BurstPanel::showAnswers()
{
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (!m_model->at(row).serial)
            continue;
        const Operation *operation = firedAs(row);
        const QString status = operation ? statusText(*operation) : QString();
        const QString note = operation ? noteText(*operation) : QString();
        m_model->setAnswer(row, note.isEmpty() ? status : u"%1: %2"_s.arg(status, note));
    }
}

/// Compares operation and path, because on another branch the serial may mean another operation.
const Operation *BurstPanel::firedAs(int row) const
{
    const BurstRequest &request = m_model->at(row);
    const Operation *operation = m_controller.operations().find(request.serial);
    const bool isSame = operation && operation->op == request.op
        && operation->path.compare(request.path, Qt::CaseInsensitive) == 0;
    return isSame ? operation : nullptr;
}

void BurstPanel::choose(int row)
{
    if (row < 0)
        return;
    const Operation *operation = firedAs(row);
    emit chosen(operation ? operation->serial : 0, m_model->at(row).path);
}

void BurstPanel::say(const QString &sentence)
{
    m_message->setText(sentence);
    m_message->setToolTip(sentence);
}

void BurstPanel::remove()
{
    const int row = current();
    if (row < 0)
        return;
    m_model->remove(row);
    if (m_model->rowCount() > 0)
        select(std::min(row, m_model->rowCount() - 1));
    emit changed();
}

void BurstPanel::clear()
{
    m_model->clear();
    say({});
    emit changed();
}

void BurstPanel::fire()
{
    const QList<Request> burst = requests();
    if (burst.isEmpty())
        return;
    say({});
    emit fireAsked(burst);
}

void BurstPanel::refresh()
{
    const int row = current(), rows = m_model->rowCount();
    m_fire->setText(rows > 0 ? tr("Fire together (%1)").arg(rows) : tr("Fire together"));
    m_fire->setEnabled(rows > 0);
    m_outcomes->setEnabled(rows > 0);
    m_clear->setEnabled(rows > 0);
    m_remove->setEnabled(row >= 0);
    // Hides columns in which every row has the usual value.
    const auto isPlanned = [](const Request &request) {
        return request.hang || !request.outcome.isEmpty();
    };
    m_view->setColumnHidden(BurstModel::OutcomeText,
        !m_controller.isLocal() || std::ranges::none_of(requests(), isPlanned));
    m_view->setColumnHidden(
        BurstModel::Contents, std::ranges::all_of(requests(), &QString::isEmpty, contentsText));
}

void BurstPanel::fillMenu(QMenu &menu)
{
    menu.addActions({ m_remove, m_clear });
    menu.addSeparator();
    menu.addAction(
        icon(u"copy"_s), tr("Copy row"), this, [this] { copyRows(m_view, BurstModel::Full); });
}

} // namespace instar
