// SPDX-License-Identifier: Apache-2.0
#include "views/panels/exchangeview.h"

#include "model/items/exchangemodel.h"
#include "model/items/words.h"
#include "model/json/bodytext.h"
#include "model/json/exchanges.h"
#include "views/htmlview.h"
#include "views/look.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QScrollBar>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

// Of a body: laying out takes time that grows with the square of a line's length.
constexpr qsizetype ShownCharacters = 100'000, ShownOfLine = 4'000;

QString fixedFamily()
{
    return QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
}

QString sizeText(qsizetype bytes)
{
    if (bytes < 10'000)
        return ExchangeView::tr("%Ln bytes", nullptr, int(bytes));
    return QLocale().formattedDataSize(bytes);
}

QString line(const QString &html)
{
    return html.isEmpty() ? QString() : u"<p style='margin:0 0 4px 0'>%1</p>"_s.arg(html);
}

QString dim(const QString &text, const Theme &theme)
{
    return u"<span style='color:%1'>%2</span>"_s.arg(theme.dimText.name(), text.toHtmlEscaped());
}

QString headersHtml(const QList<Exchange::Header> &headers, const Theme &theme)
{
    QString rows;
    for (const Exchange::Header &header : headers)
        rows +=
            u"<tr><td style='padding:1px 12px 1px 0;color:%1'>%2</td><td style='padding:1px 0'>%3</td></tr>"_s
                .arg(theme.dimText.name(), header.name.toHtmlEscaped(),
                    header.value.toHtmlEscaped());
    return rows.isEmpty()
        ? QString()
        : u"<table cellspacing='0' style='margin:2px 0 6px 0'>%1</table>"_s.arg(rows);
}

QString shortened(const QString &text)
{
    QString shown;
    bool isFirst = true;
    for (const QStringView part : QStringView(text).split(u'\n')) {
        if (!isFirst)
            shown += u'\n';
        isFirst = false;
        shown += part.left(ShownOfLine);
        if (part.size() > ShownOfLine)
            shown += u'…';
        if (shown.size() > ShownCharacters)
            break;
    }
    return shown;
}

QString bodyHtml(const QByteArray &body, const QString &none, const Theme &theme)
{
    if (body.isEmpty())
        return line(dim(none, theme));
    const QString text = prettyJson(body);
    const QString shown = shortened(text);
    const QString rest = shown == text
        ? QString()
        : line(dim(ExchangeView::tr("Not all of it is shown; Copy has the whole body."), theme));
    return u"<pre style='margin:4px 0 0 0;white-space:pre-wrap;font-family:\"%1\"'>%2</pre>"_s.arg(
               fixedFamily(), shown.toHtmlEscaped())
        + rest;
}

QString timesText(const Exchange &exchange)
{
    QStringList parts;
    if (exchange.wait >= 0)
        parts += ExchangeView::tr("first byte after %1").arg(durationText(exchange.wait));
    if (exchange.isOver() && exchange.status)
        parts += ExchangeView::tr("whole after %1").arg(durationText(exchange.duration));
    else if (exchange.isOver())
        parts += ExchangeView::tr("given up after %1").arg(durationText(exchange.duration));
    if (!exchange.responseBody.isEmpty())
        parts += sizeText(exchange.responseBody.size());
    if (exchange.retryAfter)
        parts += ExchangeView::tr("again after %1 s").arg(*exchange.retryAfter);
    return parts.join(u" · "_s);
}

QString purposeText(Exchange::Purpose purpose)
{
    switch (purpose) {
    case Exchange::Purpose::Load:
        return ExchangeView::tr("reads the tree");
    case Exchange::Purpose::Poll:
        return ExchangeView::tr("asks how it stands");
    case Exchange::Purpose::SignIn:
        return ExchangeView::tr("asks for a token");
    case Exchange::Purpose::Fire:
    case Exchange::Purpose::Other:
        break;
    }
    return {};
}

QString startLine(const Exchange &exchange)
{
    return u"%1 %2 HTTP/1.1"_s.arg(exchange.method, pathOf(exchange));
}

QString plain(const QString &start, const QList<Exchange::Header> &headers, const QByteArray &body)
{
    QString text = start + u'\n' + headersText(headers);
    if (!body.isEmpty())
        text += u'\n' + (isText(body) ? QString::fromUtf8(body) : prettyJson(body));
    return text;
}

constexpr int RoomForButtonWords = 500; ///< below that the buttons beside the tabs show icons only

HtmlView *page(const QString &name)
{
    auto *browser = new HtmlView;
    browser->setOpenLinks(false);
    browser->setAccessibleName(name);
    browser->setPlaceholderText(ExchangeView::tr("Select an exchange to read it whole."));
    browser->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    browser->setTabChangesFocus(true);
    browser->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    browser->document()->setDocumentMargin(gap::normal);
    browser->setMinimumSize(120, 36);
    return browser;
}

void put(const QString &html, HtmlView *browser)
{
    const int place = browser->verticalScrollBar()->value();
    browser->setHtml(html);
    browser->verticalScrollBar()->setValue(place);
}

} // namespace

QString headersText(const QList<Exchange::Header> &headers)
{
    QString text;
    for (const Exchange::Header &header : headers)
        text += header.name + u": "_s + header.value + u'\n';
    return text;
}

QString requestText(const Exchange &exchange)
{
    return plain(startLine(exchange), exchange.requestHeaders, exchange.requestBody);
}

QString responseText(const Exchange &exchange)
{
    if (!exchange.status)
        return exchange.problem;
    return plain(
        u"HTTP/1.1 "_s + statusText(exchange), exchange.responseHeaders, exchange.responseBody);
}

QString requestHtml(const Exchange &exchange, const Theme &theme)
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
    return line(
               u"<b>%1</b> %2"_s.arg(exchange.method.toHtmlEscaped(), exchange.url.toHtmlEscaped()))
        + line(dim(about.join(u" · "_s), theme)) + headersHtml(exchange.requestHeaders, theme)
        + bodyHtml(exchange.requestBody, ExchangeView::tr("No body."), theme);
}

QString responseHtml(const Exchange &exchange, const Theme &theme)
{
    const ExchangeTone tone = toneOf(exchange);
    const bool isBad = tone == ExchangeTone::ClientError || tone == ExchangeTone::ServerError
        || tone == ExchangeTone::NoAnswer;
    QString html = line(u"<b style='color:%1'>%2</b>"_s.arg(
        (isBad ? theme.warning : theme.text).name(), statusText(exchange).toHtmlEscaped()));
    html += line(dim(timesText(exchange), theme));
    if (!exchange.problem.isEmpty())
        html += u"<p style='margin:4px 0 6px 0;background:%1;color:%2'>%3</p>"_s.arg(
            theme.warningFill.name(), theme.warning.name(), exchange.problem.toHtmlEscaped());
    html += headersHtml(exchange.responseHeaders, theme);
    if (!exchange.isOver())
        return html + line(dim(ExchangeView::tr("The answer is not there yet."), theme));
    if (!exchange.status)
        return html;
    return html + bodyHtml(exchange.responseBody, ExchangeView::tr("No body."), theme);
}

ExchangeView::ExchangeView(QWidget *parent)
    : QTabWidget(parent),
      m_request(page(tr("Request"))),
      m_response(page(tr("Response"))),
      m_curl(wordButton(u"command"_s, tr("Copy as curl"),
          tr("Copy a shell command that sends the same request"))),
      m_copy(wordButton(u"copy"_s, tr("Copy"), tr("Copy the headers, the body or everything")))
{
    setDocumentMode(true);
    addTab(m_request, tr("Request"));
    addTab(m_response, tr("Response"));
    auto *menu = new QMenu(m_copy);
    menu->addAction(tr("Copy headers"), this, &ExchangeView::copyHeaders);
    menu->addAction(tr("Copy body"), this, &ExchangeView::copyBody);
    menu->addAction(tr("Copy request and response"), this, &ExchangeView::copyAll);
    m_copy->setMenu(menu);
    m_copy->setPopupMode(QToolButton::InstantPopup);
    connect(m_curl, &QToolButton::clicked, this, &ExchangeView::copyCurl);
    auto *corner = new QWidget;
    filled(new QHBoxLayout(corner), { m_curl, m_copy }, 0, { 0, 0, 0, gap::small });
    setCornerWidget(corner);
    setUsesScrollButtons(false);
    setCurrentWidget(m_response);
    refresh();
}

void ExchangeView::setTheme(const Theme &theme)
{
    m_theme = theme;
    refresh();
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

void ExchangeView::showNothing()
{
    m_exchange.reset();
    refresh();
}

void ExchangeView::resizeEvent(QResizeEvent *event)
{
    QTabWidget::resizeEvent(event);
    for (QToolButton *tool : { m_curl, m_copy })
        tool->setToolButtonStyle(
            width() >= RoomForButtonWords ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
}

bool ExchangeView::showsRequest() const
{
    return currentWidget() == m_request;
}

void ExchangeView::refresh()
{
    m_curl->setEnabled(m_exchange.has_value());
    m_copy->setEnabled(m_exchange.has_value());
    put(m_exchange ? requestHtml(*m_exchange, m_theme) : QString(), m_request);
    put(m_exchange ? responseHtml(*m_exchange, m_theme) : QString(), m_response);
}

void ExchangeView::copyCurl() const
{
    if (m_exchange)
        QGuiApplication::clipboard()->setText(curlCommand(*m_exchange));
}

void ExchangeView::copyBody() const
{
    if (!m_exchange)
        return;
    const QByteArray &body = showsRequest() ? m_exchange->requestBody : m_exchange->responseBody;
    QGuiApplication::clipboard()->setText(
        isText(body) ? QString::fromUtf8(body) : prettyJson(body));
}

void ExchangeView::copyHeaders() const
{
    if (m_exchange)
        QGuiApplication::clipboard()->setText(
            headersText(showsRequest() ? m_exchange->requestHeaders : m_exchange->responseHeaders));
}

void ExchangeView::copyAll() const
{
    if (m_exchange)
        QGuiApplication::clipboard()->setText(
            requestText(*m_exchange) + u"\n\n"_s + responseText(*m_exchange) + u'\n');
}

} // namespace instar
