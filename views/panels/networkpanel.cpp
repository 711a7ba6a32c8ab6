// SPDX-License-Identifier: Apache-2.0
#include "views/panels/networkpanel.h"

#include "model/json/exchanges.h"
#include "views/htmlview.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"
#include "views/panels/tables.h"

#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace instar {

namespace {

// Limits of a body that is shown: layout takes time that grows with the square of a line's length.
constexpr qsizetype MostCharacters = 100'000, MostOfLine = 4'000;

QString sizeText(qsizetype bytes)
{
    return bytes < 10'000 ? ExchangeView::tr("%Ln bytes", nullptr, int(bytes))
                          : QLocale().formattedDataSize(bytes);
}

QString htmlParagraph(const QString &html)
{
    return html.isEmpty() ? QString() : u"<p style='margin:0 0 4px 0'>%1</p>"_s.arg(html);
}

QString dimmed(const QString &text)
{
    return u"<span style='color:%1'>%2</span>"_s.arg(theme().dimText.name(), text.toHtmlEscaped());
}

QString headersHtml(const QList<Exchange::Header> &headers)
{
    QString rows;
    for (const Exchange::Header &header : headers)
        rows +=
            u"<tr><td style='padding:1px 12px 1px 0;color:%1'>%2</td><td style='padding:1px 0'>%3</td></tr>"_s
                .arg(theme().dimText.name(), header.name.toHtmlEscaped(),
                    header.value.toHtmlEscaped());
    return rows.isEmpty()
        ? QString()
        : u"<table cellspacing='0' style='margin:2px 0 6px 0'>%1</table>"_s.arg(rows);
}

/// Text with lines and length cut to the limits.
QString shortened(const QString &text)
{
    QString shown;
    for (const QStringView line : QStringView(text).split(u'\n')) {
        shown += line.left(MostOfLine);
        shown += line.size() > MostOfLine ? u"…\n"_s : u"\n"_s;
        if (shown.size() - 1 > MostCharacters)
            break;
    }
    shown.chop(1);
    return shown;
}

QString bodyHtml(const QByteArray &body)
{
    if (body.isEmpty())
        return htmlParagraph(dimmed(ExchangeView::tr("No body.")));
    const QString text = bodyForDisplay(body);
    const QString shown = shortened(text);
    const QString rest = shown == text
        ? QString()
        : htmlParagraph(dimmed(
            ExchangeView::tr("Only the beginning of the body is shown; Copy copies all of it.")));
    return u"<pre style='margin:4px 0 0 0;white-space:pre-wrap;font-family:\"%1\"'>%2</pre>"_s.arg(
               QFontDatabase::systemFont(QFontDatabase::FixedFont).family(), shown.toHtmlEscaped())
        + rest;
}

QString timesText(const Exchange &exchange)
{
    QStringList parts;
    if (exchange.wait >= 0)
        parts += ExchangeView::tr("first byte after %1").arg(durationText(exchange.wait));
    if (exchange.isOver() && exchange.status)
        parts += ExchangeView::tr("complete after %1").arg(durationText(exchange.duration));
    else if (exchange.isOver())
        parts += ExchangeView::tr("gave up after %1").arg(durationText(exchange.duration));
    if (!exchange.responseBody.isEmpty())
        parts += sizeText(exchange.responseBody.size());
    if (exchange.retryAfter)
        parts += ExchangeView::tr("retry after %1 s").arg(*exchange.retryAfter);
    return parts.join(u" · "_s);
}

QString purposeText(Exchange::Purpose purpose)
{
    switch (purpose) {
    case Exchange::Purpose::Load:
        return ExchangeView::tr("reads the resource tree");
    case Exchange::Purpose::Poll:
        return ExchangeView::tr("polls an operation");
    case Exchange::Purpose::SignIn:
        return ExchangeView::tr("requests a token");
    case Exchange::Purpose::Fire:
    case Exchange::Purpose::Other:
        break;
    }
    return {};
}

/// HTTP message as plain text, for the clipboard.
QString messageText(
    const QString &start, const QList<Exchange::Header> &headers, const QByteArray &body)
{
    QString text = start + u'\n';
    for (const Exchange::Header &header : headers)
        text += header.name + u": "_s + header.value + u'\n';
    if (!body.isEmpty())
        text += u'\n' + (isText(body) ? QString::fromUtf8(body) : bodyForDisplay(body));
    return text;
}

HtmlView *newPage(const QString &name)
{
    auto *browser = new HtmlView;
    browser->setAccessibleName(name);
    browser->setPlaceholderText(
        ExchangeView::tr("Select an exchange to see its request and response."));
    browser->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    browser->setTabChangesFocus(true);
    browser->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    browser->document()->setDocumentMargin(gap::normal);
    browser->setMinimumSize(120, 36);
    return browser;
}

/// Shows HTML and keeps the scroll position.
void put(const QString &html, HtmlView *browser)
{
    const int position = browser->verticalScrollBar()->value();
    browser->setHtml(html);
    browser->verticalScrollBar()->setValue(position);
}

QString requestText(const Exchange &exchange)
{
    return messageText(u"%1 %2 HTTP/1.1"_s.arg(exchange.method, pathOf(exchange)),
        exchange.requestHeaders, exchange.requestBody);
}

QString responseText(const Exchange &exchange)
{
    if (!exchange.status)
        return exchange.problem;
    return messageText(
        u"HTTP/1.1 "_s + statusText(exchange), exchange.responseHeaders, exchange.responseBody);
}

QString requestHtml(const Exchange &exchange)
{
    QStringList about;
    if (!exchange.client.isEmpty())
        about += ExchangeView::tr("client %1").arg(exchange.client);
    if (!exchange.operation.isEmpty())
        about += ExchangeView::tr("operation %1").arg(exchange.operation);
    if (const QString purpose = purposeText(exchange.purpose); !purpose.isEmpty())
        about += purpose;
    if (exchange.sent.isValid())
        about += ExchangeView::tr("sent %1").arg(
            exchange.sent.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss.zzz"));
    return htmlParagraph(
               u"<b>%1</b> %2"_s.arg(exchange.method.toHtmlEscaped(), exchange.url.toHtmlEscaped()))
        + htmlParagraph(dimmed(about.join(u" · "_s))) + headersHtml(exchange.requestHeaders)
        + bodyHtml(exchange.requestBody);
}

QString responseHtml(const Exchange &exchange)
{
    const ExchangeCategory category = categoryOf(exchange);
    const bool isBad = category == ExchangeCategory::ClientError
        || category == ExchangeCategory::ServerError || category == ExchangeCategory::NoAnswer;
    QString html = htmlParagraph(u"<b style='color:%1'>%2</b>"_s.arg(
        (isBad ? theme().warning : theme().text).name(), statusText(exchange).toHtmlEscaped()));
    html += htmlParagraph(dimmed(timesText(exchange)));
    if (!exchange.problem.isEmpty())
        html += u"<p style='margin:4px 0 6px 0;background:%1;color:%2'>%3</p>"_s.arg(
            theme().warningFill.name(), theme().warning.name(), exchange.problem.toHtmlEscaped());
    html += headersHtml(exchange.responseHeaders);
    if (!exchange.isOver())
        return html + htmlParagraph(dimmed(ExchangeView::tr("The server has not answered yet.")));
    if (!exchange.status)
        return html;
    return html + bodyHtml(exchange.responseBody);
}

CellLook exchangeLook(const QModelIndex &index)
{
    if (index.column() != ExchangeModel::Answer)
        return {};
    switch (ExchangeCategory(index.data(ExchangeModel::CategoryOf).toInt())) {
    case ExchangeCategory::Running:
        return { .chip = StatusCategory::Working };
    case ExchangeCategory::Ok:
        return { .chip = StatusCategory::Rest };
    case ExchangeCategory::Redirect:
        return { .chip = StatusCategory::Absent };
    case ExchangeCategory::ClientError:
    case ExchangeCategory::ServerError:
    case ExchangeCategory::NoAnswer:
        break;
    }
    return { .chip = StatusCategory::Failed };
}

} // namespace

ExchangeView::ExchangeView(QWidget *parent)
    : QTabWidget(parent),
      m_request(newPage(tr("Request"))),
      m_response(newPage(tr("Response"))),
      m_copy(iconButton(u"copy"_s, tr("Copy request and response")))
{
    setDocumentMode(true);
    addTab(m_request, tr("Request"));
    addTab(m_response, tr("Response"));
    connect(m_copy, &QToolButton::clicked, this, &ExchangeView::copyAll);
    setCornerWidget(boxed(filled(new QHBoxLayout, { m_copy }, 0, { 0, 0, 0, gap::small })));
    setUsesScrollButtons(false);
    setCurrentWidget(m_response);
    refresh();
    whenThemed(this, [this] { refresh(); });
}

void ExchangeView::showExchange(const Exchange &exchange)
{
    if (m_exchange == exchange)
        return;
    const bool isNew = !m_exchange || m_exchange->number != exchange.number;
    m_exchange = exchange;
    refresh();
    if (isNew) {
        for (HtmlView *browser : { m_request, m_response })
            browser->verticalScrollBar()->setValue(0);
    }
}

void ExchangeView::refresh()
{
    m_copy->setEnabled(m_exchange.has_value());
    put(m_exchange ? requestHtml(*m_exchange) : QString(), m_request);
    put(m_exchange ? responseHtml(*m_exchange) : QString(), m_response);
}

void ExchangeView::copyAll() const
{
    if (m_exchange)
        copyText(requestText(*m_exchange) + u"\n\n"_s + responseText(*m_exchange) + u'\n');
}

NetworkPanel::NetworkPanel(QWidget *parent)
    : QWidget(parent),
      m_icon(new QLabel),
      m_stateWord(new QLabel),
      m_where(new ElidedLabel(Qt::ElideMiddle)),
      m_progress(new QProgressBar),
      m_model(new ExchangeModel(10'000, this)),
      m_filter(new ExchangeFilter(*m_model, this)),
      m_text(searchLine(tr("Filter by client, method, URL, status, operation or etag"),
          tr("Filter of exchanges"))),
      m_showPolls(
          wordButton({}, {}, tr("Also shows the requests that read the tree and poll operations"))),
      m_pages(new QStackedWidget),
      m_exchangeView(new ExchangeView)
{
    // When the selected row is removed, the view selects another; the shown exchange must stay.
    // This is connected before the view's own slot, so that it runs first.
    connect(m_filter, &QAbstractItemModel::rowsAboutToBeRemoved, this,
        [this] { m_followsUser = false; });
    auto *splitter = new QSplitter;
    splitter->addWidget(buildTable());
    splitter->addWidget(m_exchangeView);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({ 620, 420 });
    m_exchangeView->hide(); // until an exchange is selected
    splitter->handle(1)->setAccessibleName(tr("Width of the list"));
    m_pages->addWidget(buildEmpty());
    m_pages->addWidget(splitter);

    filled(new QVBoxLayout(this), { buildBar(), { m_pages, 1 } }, gap::small,
        { gap::normal, gap::small, gap::normal, gap::normal });
    connectAll();
    refresh();
    whenThemed(this, [this] { refresh(); });
}

QWidget *NetworkPanel::buildBar()
{
    m_icon->setFixedWidth(20);
    m_stateWord->setObjectName(u"networkState"_s);
    setBold(m_stateWord);
    m_where->setProperty("dim", true);
    m_where->setObjectName(u"networkWhere"_s);
    m_progress->setFixedSize(120, fontMetrics().height());
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress"));

    m_cancel = wordButton(u"cancel"_s, tr("Cancel"), tr("Stop the running task"));
    m_connect =
        wordButton(u"plug"_s, tr("Connect…"), tr("Connect to a real server and send it requests"));
    m_serve = wordButton(u"server"_s, tr("Serve"),
        tr("Serve this simulation over HTTP to other programs on this computer"));
    m_verdict = wordButton({}, {}, tr("Compares each answer with what the rules allow"));
    m_verdict->setObjectName(u"networkVerdict"_s);
    m_readOnly = wordButton(u"lock"_s, tr("Read only"), {});
    m_readOnly->setCheckable(true);
    m_reconnect = wordButton(
        u"reset"_s, tr("Reconnect"), tr("Connect again, and read the resource tree again"));
    connect(m_cancel, &QToolButton::clicked, this, &NetworkPanel::cancelAsked);
    connect(m_connect, &QToolButton::clicked, this, &NetworkPanel::connectAsked);
    connect(m_serve, &QToolButton::clicked, this, &NetworkPanel::serveAsked);
    connect(m_readOnly, &QToolButton::clicked, this, [this](bool on) {
        emit readOnlyToggled(on);
        refresh(); // the click checked the button, but only the state decides
    });
    connect(m_verdict, &QToolButton::clicked, this, &NetworkPanel::verdictAsked);
    connect(m_reconnect, &QToolButton::clicked, this, &NetworkPanel::reconnectAsked);

    return boxed(filled(new QHBoxLayout,
        { m_icon, m_stateWord, Part::gap(gap::small), { m_where, 1 }, m_progress, m_cancel,
            Part::gap(gap::small), m_connect, m_serve, m_verdict, m_readOnly, m_reconnect }));
}

QWidget *NetworkPanel::buildTable()
{
    m_text->setToolTip(tr("Shows exchanges that contain all of these words"));
    m_showPolls->setCheckable(true);
    m_showPolls->setObjectName(u"polls"_s);
    countPolls();

    m_view = rowTable(m_filter, ExchangeModel::Full, { 54, 68, 210, 132, 96, 76 });
    growWithContents(m_view, { ExchangeModel::Client }, 200); // may be an address
    m_view->setItemDelegate(new RowDelegate(exchangeLook, this));
    m_view->setAccessibleName(tr("Exchanges"));
    m_view->setSortingEnabled(true);
    m_view->horizontalHeader()->setSortIndicatorClearable(true);
    m_view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_view->setTextElideMode(Qt::ElideLeft); // paths differ at their ends
    // Even in a low dock, one row or the text of the empty table is visible.
    m_view->setMinimumSize(220, 2 * m_view->verticalHeader()->defaultSectionSize());
    showWhenEmpty(m_view,
        tr("No exchanges yet. Each request appears here when it is sent, unless the filter hides "
           "it."));
    followTail(m_view);

    auto *row = filled(new QHBoxLayout, { { m_text, 1 }, m_showPolls });
    return boxed(
        filled(new QVBoxLayout, { row, { m_view, 1 } }, gap::small, { 0, 0, gap::small, 0 }));
}

QWidget *NetworkPanel::buildEmpty()
{
    m_emptyText = new QLabel;
    m_emptyText->setObjectName(u"networkEmpty"_s);
    m_emptyText->setForegroundRole(QPalette::PlaceholderText);
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setWordWrap(true);
    m_toConnect = new QPushButton(icon(u"plug"_s), tr("Connect to a server…"));
    m_toServe = new QPushButton(icon(u"server"_s), tr("Serve this simulation"));
    connect(m_toConnect, &QPushButton::clicked, this, &NetworkPanel::connectAsked);
    connect(m_toServe, &QPushButton::clicked, this, &NetworkPanel::serveAsked);
    auto *row = filled(
        new QHBoxLayout, { Part::rest(), m_toConnect, m_toServe, Part::rest() }, gap::normal);
    return boxed(filled(new QVBoxLayout, { Part::rest(), m_emptyText, row, Part::rest() },
        gap::normal, { gap::normal, gap::normal, gap::normal, gap::normal }));
}

void NetworkPanel::connectAll()
{
    m_typing.setSingleShot(true);
    m_typing.setInterval(120);
    connect(m_text, &QLineEdit::textChanged, this, [this] { m_typing.start(); });
    connect(m_text, &QLineEdit::returnPressed, this, [this] { m_view->setFocus(); });
    connect(&m_typing, &QTimer::timeout, this, [this] { m_filter->setText(m_text->text()); });
    connect(m_showPolls, &QToolButton::toggled, m_filter, &ExchangeFilter::showPolls);
    connect(m_showPolls, &QToolButton::toggled, this, &NetworkPanel::countPolls);

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
    connect(m_view, &QAbstractItemView::activated, this, [this] { m_exchangeView->setFocus(); });
    offerMenu(m_view, [this](QMenu &menu) { fillMenu(menu); });
}

QList<Exchange> NetworkPanel::listed() const
{
    QList<Exchange> exchanges;
    for (int row = 0; row < m_filter->rowCount(); ++row)
        exchanges += m_filter->index(row, 0).data(ExchangeModel::Whole).value<Exchange>();
    std::ranges::sort(exchanges, {}, &Exchange::number);
    return exchanges;
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
        m_exchangeView->showExchange(exchange);
    countPolls();
    if (isFirst)
        refresh();
}

void NetworkPanel::countPolls()
{
    const int polls = m_model->polls();
    m_showPolls->setText(m_showPolls->isChecked() ? tr("Polls (%1)").arg(polls)
                                                  : tr("Polls hidden (%1)").arg(polls));
    m_showPolls->setVisible(polls > 0);
}

void NetworkPanel::refresh()
{
    using Kind = NetworkState::Kind;
    const bool hasExchanges = m_model->rowCount() > 0;
    const Kind kind = m_state.kind;
    m_pages->setCurrentIndex(hasExchanges || m_state.isRemote() ? 1 : 0);
    const bool serves = kind == Kind::Serving;
    m_toConnect->setVisible(!serves);
    m_toServe->setVisible(!serves);
    m_emptyText->setText(serves
            ? tr("Requests of other programs appear as operations and events, like your own. This "
                 "table lists them with their responses.")
            : tr(
                "Not connected. Connect to a server, or serve this simulation to other programs."));

    const bool isBusy = m_state.isReading();
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
        tinted(symbol, theme().statusCategoryText(statusCategory), 16, devicePixelRatioF()));
    m_stateWord->setText(stateWord(kind));
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, isFailure ? theme().warning : theme().text);
    m_stateWord->setPalette(colours);

    m_progress->setVisible(m_state.done >= 0);
    m_progress->setRange(0, std::max(m_state.total, 0)); // 0 of 0: a busy indicator
    m_progress->setValue(m_state.done);
    m_cancel->setVisible(m_state.done >= 0 || kind == Kind::Connecting);
    // Without exchanges, the page of buildEmpty() has these buttons.
    m_connect->setVisible(kind == Kind::None && hasExchanges);
    m_serve->setVisible(kind == Kind::None && hasExchanges);
    m_reconnect->setVisible(m_state.isRemote());
    m_reconnect->setEnabled(!isBusy);
    const bool hasViolations = m_state.violations > 0;
    m_verdict->setVisible(m_state.isRemote() && m_state.hasTree);
    m_verdict->setText(hasViolations
            ? tr("%Ln violations of the rules", nullptr, m_state.violations)
            : tr("No rule broken"));
    m_verdict->setIcon(icon(hasViolations ? u"warn"_s : u"good"_s));
    m_readOnly->setVisible(m_state.isRemote());
    m_readOnly->setChecked(m_state.readOnly);
    m_readOnly->setText(m_state.readOnly ? tr("Read only") : tr("Writing"));
    m_readOnly->setIcon(icon(m_state.readOnly ? u"lock"_s : u"unlock"_s));
    m_readOnly->setToolTip(m_state.readOnly
            ? tr("Nothing changes the server. Switch read-only off to fire operations")
            : tr("Operations change the server. Switch read-only on to prevent that"));
    m_where->setText(stateText(m_state));
    m_where->setToolTip(m_where->text());
}

void NetworkPanel::showSelected()
{
    const QModelIndex row = m_view->currentIndex();
    if (!m_followsUser || !row.isValid())
        return;
    const auto exchange = row.data(ExchangeModel::Whole).value<Exchange>();
    m_selected = exchange.number;
    m_exchangeView->showExchange(exchange);
    m_exchangeView->show();
}

void NetworkPanel::choose(qint64 moment)
{
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const Exchange &exchange = m_model->at(row);
        if (exchange.sent.toMSecsSinceEpoch() * 1000 + exchange.microseconds != moment)
            continue;
        m_filter->keep(exchange.number);
        m_view->setCurrentIndex(m_filter->mapFromSource(m_model->index(row, 0)));
        return;
    }
}

void NetworkPanel::fillMenu(QMenu &menu)
{
    const QModelIndex row = m_view->currentIndex();
    if (!row.isValid()) {
        menu.addAction(tr("Select an exchange first"))->setEnabled(false);
        return;
    }
    const auto exchange = row.data(ExchangeModel::Whole).value<Exchange>();
    menu.addAction(
        icon(u"command"_s), tr("Copy as curl"), this, [=] { copyText(curlCommand(exchange)); });
    menu.addAction(icon(u"copy"_s), tr("Copy URL"), this, [=] { copyText(exchange.url); });
    menu.addAction(tr("Copy request and response"), m_exchangeView, &ExchangeView::copyAll);
    menu.addAction(tr("Copy rows"), this, [this] { copyRows(m_view, ExchangeModel::Full); });
    if (exchange.operation.isEmpty())
        return;
    menu.addSeparator();
    const QString id = exchange.operation;
    menu.addAction(icon(u"link"_s), tr("Go to operation %1").arg(id), this,
        [=, this] { emit operationAsked(id); });
    menu.addAction(icon(u"help"_s), tr("Why?"), this, [=, this] { emit whyAsked(id); });
}

} // namespace instar
