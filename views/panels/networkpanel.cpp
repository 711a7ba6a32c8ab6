// SPDX-License-Identifier: Apache-2.0
#include "views/panels/networkpanel.h"

#include "model/items/words.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"
#include "views/panels/exchangeview.h"
#include "views/panels/tables.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int RoomForAllWords = 1100, RoomForSomeWords = 760; ///< pixels of the bar

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
      m_icon(new QLabel),
      m_word(new QLabel),
      m_where(new ElidedLabel(Qt::ElideMiddle)),
      m_progress(new QProgressBar),
      m_spread(new QLabel),
      m_model(new ExchangeModel(10'000, this)),
      m_filter(new ExchangeFilter(*m_model, this)),
      m_polls(new PollModel(this)),
      m_delegate(new RowDelegate(exchangeChip, this)),
      m_text(searchLine(tr("Filter by client, method, URL, status, operation or etag"),
          tr("Filter of the exchanges"))),
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

    filled(new QVBoxLayout(this), { buildBar(), { m_pages, 1 } }, gap::small,
        { gap::normal, gap::small, gap::normal, gap::normal });
    connectAll();
    refresh();
}

QWidget *NetworkPanel::buildBar()
{
    auto *bar = new QWidget;
    bar->setMinimumWidth(320); // the words go first
    m_bar = filled(new QHBoxLayout(bar), {});
    m_icon->setFixedWidth(20);
    m_word->setObjectName(u"networkState"_s);
    setBold(m_word);
    m_where->setProperty("dim", true);
    m_where->setObjectName(u"networkWhere"_s);
    m_progress->setFixedSize(120, fontMetrics().height());
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress"));
    m_spread->setObjectName(u"spread"_s);
    m_spread->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_spread->setToolTip(tr("How closely the requests that were fired together left"));

    m_bar->addWidget(m_icon);
    m_bar->addWidget(m_word);
    m_bar->addSpacing(gap::small);
    m_bar->addWidget(m_where, 1);
    m_bar->addWidget(m_progress);
    m_cancel = add(u"cancel"_s, tr("Cancel"), tr("Stop what is being done"), Words::First);
    m_bar->addWidget(m_spread);
    m_bar->addSpacing(gap::small);
    m_connect = add(u"plug"_s, tr("Connect…"), tr("Drive a real server"), Words::Last);
    m_serve = add(
        u"server"_s, tr("Serve…"), tr("Let other clients drive this world over HTTP"), Words::Last);
    m_readOnly = add(u"lock"_s, tr("Read only"), {}, Words::Last);
    m_readOnly->setCheckable(true);
    m_reconnect = add(
        u"reset"_s, tr("Reconnect"), tr("Connect again, and read the tree again"), Words::First);
    m_pause = add(u"pause"_s, tr("Pause polling"), {}, Words::Last);
    m_pause->setCheckable(true);
    m_clear =
        add(u"clear"_s, tr("Clear"), tr("Forget the exchanges that are listed"), Words::First);
    m_export = add(
        u"export"_s, tr("Export"), tr("Write the exchanges, or the tree, to a file"), Words::First);
    auto *menu = new QMenu(m_export);
    m_har = menu->addAction(tr("Exchanges as an HTTP archive (HAR)…"));
    m_ndjson = menu->addAction(tr("Exchanges as JSON lines (NDJSON)…"));
    menu->addSeparator();
    m_scenario = menu->addAction(tr("What happened as a scenario, to play offline…"));
    menu->addSeparator();
    m_recording = menu->addAction(tr("Record everything to a file…"));
    m_recording->setCheckable(true);
    m_export->setMenu(menu);
    m_export->setPopupMode(QToolButton::InstantPopup);

    m_countdown.setInterval(500);
    connect(&m_countdown, &QTimer::timeout, this, &NetworkPanel::showWhere);
    connect(m_cancel, &QToolButton::clicked, this, &NetworkPanel::cancelAsked);
    connect(m_connect, &QToolButton::clicked, this, &NetworkPanel::connectAsked);
    connect(m_serve, &QToolButton::clicked, this, &NetworkPanel::serveAsked);
    connect(m_readOnly, &QToolButton::clicked, this, [this](bool on) {
        emit readOnlyToggled(on);
        refreshBar(); // it shows how things are, not what was asked for
    });
    connect(m_reconnect, &QToolButton::clicked, this, &NetworkPanel::reconnectAsked);
    connect(m_pause, &QToolButton::clicked, this, [this](bool on) { emit pollingToggled(!on); });
    connect(m_clear, &QToolButton::clicked, this, [this] {
        clear();
        emit clearAsked();
    });
    for (const auto &[action, what] :
        { std::pair(m_har, Export::Har), std::pair(m_ndjson, Export::Ndjson),
            std::pair(m_scenario, Export::Scenario), std::pair(m_recording, Export::Recording) })
        connect(action, &QAction::triggered, this, [this, asked = what] {
            emit exportAsked(asked);
            refreshBar(); // it shows how things are, not what was asked for
        });
    return bar;
}

QToolButton *NetworkPanel::add(
    const QString &name, const QString &text, const QString &hint, Words words)
{
    QToolButton *tool = wordButton(name, text, hint);
    m_bar->addWidget(tool);
    m_tools.emplace_back(tool, words);
    return tool;
}

QWidget *NetworkPanel::buildTable()
{
    m_text->setToolTip(tr("Words that must all occur in an exchange"));
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
    auto *row = filled(new QHBoxLayout,
        { Part::rest(), m_toConnect, m_toServe, m_toStop, Part::rest() }, gap::normal);
    auto *page = new QWidget;
    filled(new QVBoxLayout(page), { Part::rest(), m_emptyText, row, Part::rest() }, gap::normal,
        { gap::normal, gap::normal, gap::normal, gap::normal });
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
    offerMenu(m_view, [this](QMenu &menu) { fillMenu(menu); });

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
    m_theme = theme;
    refreshBar();
    m_delegate->setTheme(theme);
    m_whole->setTheme(theme);
    m_view->viewport()->update();
}

void NetworkPanel::setState(const NetworkState &state)
{
    m_state = state;
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

void NetworkPanel::setSpread(int requests, std::optional<double> microseconds)
{
    m_spread->setText(spreadText(requests, microseconds));
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
    m_spread->clear();
    refresh();
}

void NetworkPanel::refresh()
{
    const bool has = m_model->rowCount() > 0;
    refreshBar();
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

void NetworkPanel::refreshBar()
{
    using Kind = NetworkState::Kind;
    const bool hasExchanges = m_model->rowCount() > 0;
    const Kind kind = m_state.kind;
    const bool isBusy = kind == Kind::Connecting || kind == Kind::Loading;
    const bool isFailure = m_state.isFailure();
    const StatusCategory statusCategory = isFailure  ? StatusCategory::Failed
        : isBusy                                     ? StatusCategory::Working
        : kind == Kind::None || kind == Kind::Closed ? StatusCategory::Absent
                                                     : StatusCategory::Rest;
    const QString symbol = isFailure ? u"warn"_s
        : isBusy                     ? u"reset"_s
        : kind == Kind::None         ? u"network"_s
        : kind == Kind::Serving      ? u"server"_s
                                     : u"plug"_s;
    m_icon->setPixmap(
        tinted(symbol, m_theme.statusCategoryText(statusCategory), 16, devicePixelRatioF()));
    m_word->setText(stateWord(kind));
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, isFailure ? m_theme.warning : m_theme.text);
    m_word->setPalette(colours);

    m_progress->setVisible(m_state.done >= 0);
    m_progress->setRange(0, std::max(m_state.total, 0)); // 0 of 0: it moves to and fro
    m_progress->setValue(m_state.done);
    m_cancel->setVisible(m_state.done >= 0 || kind == Kind::Connecting);
    // Without exchanges the panel itself asks for one or the other.
    m_connect->setVisible(kind == Kind::None && hasExchanges);
    m_serve->setVisible(kind == Kind::None && hasExchanges);
    m_reconnect->setVisible(m_state.isRemote());
    m_reconnect->setEnabled(!isBusy);
    m_pause->setVisible(m_state.isRemote());
    m_pause->setChecked(!m_state.polls);
    m_pause->setText(m_state.polls ? tr("Pause polling") : tr("Polling is paused"));
    m_pause->setToolTip(m_state.polls
            ? tr("Ask no more how running operations stand, until switched on again")
            : tr("Ask again how running operations stand"));
    m_readOnly->setVisible(m_state.isRemote());
    m_readOnly->setChecked(m_state.readOnly);
    m_readOnly->setText(m_state.readOnly ? tr("Read only") : tr("Writing"));
    m_readOnly->setIcon(icon(m_state.readOnly ? u"lock"_s : u"unlock"_s));
    m_readOnly->setToolTip(m_state.readOnly
            ? tr("Nothing is changed on the server: switch off to fire operations")
            : tr("Operations change the server: switch on to only look at it"));
    m_clear->setEnabled(hasExchanges);
    m_har->setEnabled(hasExchanges);
    m_ndjson->setEnabled(hasExchanges);
    m_scenario->setEnabled(m_state.isRemote());
    m_recording->setChecked(!m_state.recording.isEmpty());
    m_export->setEnabled(
        hasExchanges || m_state.isRemote() || kind == Kind::Serving || m_recording->isChecked());
    if (m_state.retry.isValid())
        m_countdown.start();
    else
        m_countdown.stop();
    showWhere();
}

void NetworkPanel::showWhere()
{
    QString text = stateText(m_state, QDateTime::currentDateTimeUtc());
    if (!m_state.recording.isEmpty())
        text +=
            (text.isEmpty() ? QString() : u" · "_s) + tr("recording to %1").arg(m_state.recording);
    m_where->setText(text);
    m_where->setToolTip(text);
}

void NetworkPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const int room = width() - 2 * gap::normal;
    for (const auto &[tool, words] : std::as_const(m_tools))
        tool->setToolButtonStyle(
            room >= (words == Words::First ? RoomForAllWords : RoomForSomeWords)
                ? Qt::ToolButtonTextBesideIcon
                : Qt::ToolButtonIconOnly);
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

} // namespace instar
