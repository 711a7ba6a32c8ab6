// SPDX-License-Identifier: Apache-2.0
#include "views/panels/networkpanel.h"

#include "model/items/words.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/exchangeview.h"
#include "views/panels/tables.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

std::optional<StatusCategory> exchangeChip(const QModelIndex &index)
{
    if (index.column() != ExchangeModel::StatusWord)
        return {};
    switch (ExchangeTone(index.data(ExchangeModel::ToneOf).toInt())) {
    case ExchangeTone::Running:
        return StatusCategory::Working;
    case ExchangeTone::Ok:
        return StatusCategory::Rest;
    case ExchangeTone::Redirect:
        return StatusCategory::Absent;
    case ExchangeTone::ClientError:
    case ExchangeTone::ServerError:
    case ExchangeTone::NoAnswer:
        break;
    }
    return StatusCategory::Failed;
}

} // namespace

NetworkPanel::NetworkPanel(QWidget *parent)
    : QWidget(parent),
      m_bar(new NetworkBar),
      m_model(new ExchangeModel(10'000, this)),
      m_filter(new ExchangeFilter(*m_model, this)),
      m_polls(new PollModel(this)),
      m_delegate(new RowDelegate(exchangeChip, this)),
      m_text(new QLineEdit),
      m_showPolls(
          wordButton({}, tr("Polls"), tr("Show also what only asks how an operation stands"))),
      m_ofOperation(wordButton({}, {}, tr("Show the exchanges of every operation again"))),
      m_pages(new QStackedWidget),
      m_whole(new ExchangeView)
{
    // A view moves on to a neighbour when its row goes; what is read here stays, and must know
    // before the view.
    connect(m_filter, &QAbstractItemModel::rowsAboutToBeRemoved, this,
        [this] { m_followsUser = false; });
    auto *splitter = new QSplitter;
    splitter->addWidget(buildTable());
    splitter->addWidget(m_whole);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({ 620, 420 });
    splitter->handle(1)->setAccessibleName(tr("Width of the list"));
    buildPolls();
    m_pages->addWidget(buildEmpty());
    m_pages->addWidget(splitter);

    filled(new QVBoxLayout(this), { m_bar, { m_pages, 1 } }, gap::small,
        { gap::normal, gap::small, gap::normal, gap::normal });
    connectAll();
    refresh();
}

QWidget *NetworkPanel::buildTable()
{
    m_text->setPlaceholderText(tr("Filter by client, method, URL, status, operation or etag"));
    m_text->setToolTip(tr("Words that must all occur in an exchange"));
    m_text->setAccessibleName(tr("Filter of the exchanges"));
    m_text->setClearButtonEnabled(true);
    m_text->addAction(icon(u"search"_s), QLineEdit::LeadingPosition);
    m_showPolls->setCheckable(true);
    m_showPolls->setChecked(true);
    m_ofOperation->setIcon(icon(u"close"_s));
    m_ofOperation->setLayoutDirection(Qt::RightToLeft); // the word first, then the cross
    showOperation({});

    m_view = rowTable(m_filter, ExchangeModel::Full, { 96, 54, 68, 210, 132, 80, 110, 90, 76 });
    growWithContents(m_view, { ExchangeModel::Client }, 200); // of one that is served an address
    m_view->setItemDelegate(m_delegate);
    m_view->setAccessibleName(tr("Exchanges"));
    m_view->setSortingEnabled(true);
    m_view->horizontalHeader()->setSortIndicatorClearable(true);
    m_view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_view->setTextElideMode(Qt::ElideLeft); // paths begin alike
    // A dock may be low, but a row is seen, or the sentence in its place.
    m_view->setMinimumSize(220, 2 * m_view->verticalHeader()->defaultSectionSize());
    showWhenEmpty(
        m_view, tr("Nothing is listed. What is sent appears here, unless the filter hides it."));
    followTail(m_view);

    auto *row = filled(new QHBoxLayout, { { m_text, 1 }, m_ofOperation, m_showPolls });
    auto *table = new QWidget;
    filled(new QVBoxLayout(table), { row, { m_view, 1 } }, gap::small, { 0, 0, gap::small, 0 });
    return table;
}

QWidget *NetworkPanel::buildEmpty()
{
    m_emptyText = new QLabel;
    m_emptyText->setObjectName(u"networkEmpty"_s);
    m_emptyText->setForegroundRole(QPalette::PlaceholderText);
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setWordWrap(true);
    m_toConnect = new QPushButton(icon(u"plug"_s), tr("Connect to a server…"));
    m_toServe = new QPushButton(icon(u"server"_s), tr("Serve this world…"));
    m_toStop = new QPushButton(icon(u"close"_s), tr("Stop serving"));
    connect(m_toConnect, &QPushButton::clicked, this, &NetworkPanel::connectAsked);
    connect(m_toServe, &QPushButton::clicked, this, &NetworkPanel::serveAsked);
    connect(m_toStop, &QPushButton::clicked, this, &NetworkPanel::stopServingAsked);
    auto *row = new QHBoxLayout;
    row->setSpacing(gap::normal);
    row->addStretch();
    for (QPushButton *button : { m_toConnect, m_toServe, m_toStop })
        row->addWidget(button);
    row->addStretch();
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setSpacing(gap::normal);
    layout->addStretch();
    layout->addWidget(m_emptyText);
    layout->addLayout(row);
    layout->addStretch();
    return page;
}

void NetworkPanel::buildPolls()
{
    m_pollView = rowTable(m_polls, PollModel::Full, { 90, 80, 240 });
    m_pollView->setAccessibleName(tr("Polled operations"));
    m_pollView->setFrameShape(QFrame::NoFrame);
    m_pollView->setMinimumHeight(36);
    showWhenEmpty(m_pollView, tr("No operation is being asked about."));
    m_whole->addTab(m_pollView, tr("Polled"));
    m_whole->setTabToolTip(m_whole->indexOf(m_pollView),
        tr("Operations whose end is not known yet, and when they are asked about again"));
    connect(m_pollView, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
        emit operationAsked(index.siblingAtColumn(PollModel::OperationId).data().toString());
    });
}

void NetworkPanel::connectAll()
{
    connect(m_bar, &NetworkBar::connectAsked, this, &NetworkPanel::connectAsked);
    connect(m_bar, &NetworkBar::serveAsked, this, &NetworkPanel::serveAsked);
    connect(m_bar, &NetworkBar::reconnectAsked, this, &NetworkPanel::reconnectAsked);
    connect(m_bar, &NetworkBar::cancelAsked, this, &NetworkPanel::cancelAsked);
    connect(m_bar, &NetworkBar::readOnlyToggled, this, &NetworkPanel::readOnlyToggled);
    connect(m_bar, &NetworkBar::pollingToggled, this, &NetworkPanel::pollingToggled);
    connect(m_bar, &NetworkBar::exportAsked, this, &NetworkPanel::exportAsked);
    connect(m_bar, &NetworkBar::clearAsked, this, [this] {
        clear();
        emit clearAsked();
    });

    m_typing.setSingleShot(true);
    m_typing.setInterval(120);
    connect(m_text, &QLineEdit::textChanged, this, [this] { m_typing.start(); });
    connect(m_text, &QLineEdit::returnPressed, this, [this] { m_view->setFocus(); });
    connect(&m_typing, &QTimer::timeout, this, [this] { m_filter->setText(m_text->text()); });
    connect(m_showPolls, &QToolButton::toggled, this, [this](bool on) {
        m_filter->setPolls(on ? ExchangeFilter::Polls::Shown : ExchangeFilter::Polls::Hidden);
    });
    connect(m_ofOperation, &QToolButton::clicked, this, [this] { showOperation({}); });

    const auto showSelection = [this] {
        m_followsUser = false;
        const QModelIndex row = m_filter->mapFromSource(m_model->indexOf(m_selected));
        if (!row.isValid())
            m_view->selectionModel()->clear();
        else if (m_view->currentIndex().row() != row.row())
            m_view->setCurrentIndex(row);
        m_followsUser = true;
    };
    connect(m_filter, &QAbstractItemModel::rowsRemoved, this, showSelection);
    connect(m_filter, &QAbstractItemModel::rowsInserted, this, showSelection);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &NetworkPanel::showSelected);
    connect(m_view, &QAbstractItemView::activated, this, [this] { m_whole->setFocus(); });
    connect(m_view, &QWidget::customContextMenuRequested, this, &NetworkPanel::showMenu);

    m_clock.setInterval(250);
    connect(&m_clock, &QTimer::timeout, this, &NetworkPanel::tick);
}

QList<Exchange> NetworkPanel::listed() const
{
    QSet<quint64> shown;
    for (int row = 0; row < m_filter->rowCount(); ++row)
        shown += m_filter->index(row, 0).data(ExchangeModel::Whole).value<Exchange>().number;
    QList<Exchange> exchanges = m_model->exchanges();
    exchanges.removeIf([&](const Exchange &exchange) { return !shown.contains(exchange.number); });
    return exchanges;
}

void NetworkPanel::setTheme(const Theme &theme)
{
    m_bar->setTheme(theme);
    m_delegate->setTheme(theme);
    m_whole->setTheme(theme);
    m_view->viewport()->update();
}

void NetworkPanel::setState(const NetworkState &state)
{
    m_bar->setState(state);
    refresh();
}

void NetworkPanel::put(const Exchange &exchange)
{
    const bool isFirst = m_model->rowCount() == 0;
    m_model->put(exchange);
    if (exchange.number == m_selected && m_selected)
        m_whole->showExchange(exchange);
    if (isFirst)
        refresh();
}

void NetworkPanel::setPolls(const QList<PolledOperation> &polls)
{
    m_polls->setPolls(polls);
    const int tab = m_whole->indexOf(m_pollView);
    m_whole->setTabText(tab, polls.isEmpty() ? tr("Polled") : tr("Polled (%1)").arg(polls.size()));
    tick();
    if (polls.isEmpty())
        m_clock.stop();
    else
        m_clock.start();
}

void NetworkPanel::setPolling(bool polls)
{
    m_bar->setPolling(polls);
}

void NetworkPanel::setSpread(int requests, std::optional<double> microseconds)
{
    m_bar->setSpread(spreadText(requests, microseconds));
}

void NetworkPanel::showOperation(const QString &id)
{
    m_filter->setOperation(id);
    m_ofOperation->setText(tr("Operation %1").arg(id));
    m_ofOperation->setAccessibleName(tr("Only operation %1: show all again").arg(id));
    m_ofOperation->setVisible(!id.isEmpty());
}

void NetworkPanel::clear()
{
    m_selected = 0;
    m_model->clear();
    m_whole->showNothing();
    m_bar->setSpread({});
    refresh();
}

void NetworkPanel::focusFilter()
{
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void NetworkPanel::refresh()
{
    const bool has = m_model->rowCount() > 0;
    m_bar->setHasExchanges(has);
    m_pages->setCurrentIndex(has || state().isRemote() ? 1 : 0);
    const bool serves = state().kind == NetworkState::Kind::Serving;
    m_toConnect->setVisible(!serves);
    m_toServe->setVisible(!serves);
    m_toStop->setVisible(serves);
    m_emptyText->setText(serves
            ? tr("What clients of this world ask for shows as operations and records, like your "
                 "own, and is listed here with what they were answered.")
            : tr("Not connected. Connect to a server, or serve this world to other clients."));
}

void NetworkPanel::tick()
{
    m_polls->setNow(QDateTime::currentDateTimeUtc());
}

void NetworkPanel::showSelected()
{
    const QModelIndex row = m_view->currentIndex();
    if (!m_followsUser || !row.isValid())
        return;
    const auto exchange = row.data(ExchangeModel::Whole).value<Exchange>();
    m_selected = exchange.number;
    m_whole->showExchange(exchange);
}

void NetworkPanel::fillMenu(QMenu &menu)
{
    const QModelIndex row = m_view->currentIndex();
    if (!row.isValid()) {
        menu.addAction(tr("No exchange is selected"))->setEnabled(false);
        return;
    }
    const auto exchange = row.data(ExchangeModel::Whole).value<Exchange>();
    menu.addAction(icon(u"command"_s), tr("Copy as curl"), m_whole, &ExchangeView::copyCurl);
    menu.addAction(icon(u"copy"_s), tr("Copy URL"), this,
        [=] { QGuiApplication::clipboard()->setText(exchange.url); });
    menu.addAction(tr("Copy request and response"), m_whole, &ExchangeView::copyAll);
    menu.addAction(tr("Copy rows"), this, [this] { copyRows(m_view, ExchangeModel::Full); });
    if (exchange.operation.isEmpty())
        return;
    menu.addSeparator();
    const QString id = exchange.operation;
    menu.addAction(tr("Only operation %1").arg(id), this, [=, this] { showOperation(id); });
    menu.addAction(icon(u"link"_s), tr("Go to operation %1").arg(id), this,
        [=, this] { emit operationAsked(id); });
    menu.addAction(icon(u"help"_s), tr("Why?"), this, [=, this] { emit whyAsked(id); });
}

void NetworkPanel::showMenu(const QPoint &position)
{
    QMenu menu(this);
    fillMenu(menu);
    menu.exec(m_view->viewport()->mapToGlobal(position));
}

} // namespace instar
