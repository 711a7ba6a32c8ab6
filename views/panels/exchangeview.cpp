// SPDX-License-Identifier: Apache-2.0
#include "views/panels/exchangeview.h"

#include "model/formats/bodytext.h"
#include "model/formats/exchanges.h"
#include "views/htmlview.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/exchangetext.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollBar>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

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

QToolButton *button(const QString &name, const QString &text, const QString &hint)
{
    auto *tool = new QToolButton;
    tool->setText(text);
    tool->setIcon(icon(name));
    tool->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    tool->setProperty("labelled", true);
    tool->setFocusPolicy(Qt::StrongFocus);
    tool->setToolTip(hint);
    return tool;
}

void put(const QString &html, HtmlView *browser)
{
    const int place = browser->verticalScrollBar()->value();
    browser->setHtml(html);
    browser->verticalScrollBar()->setValue(place);
}

} // namespace

ExchangeView::ExchangeView(QWidget *parent)
    : QTabWidget(parent),
      m_request(page(tr("Request"))),
      m_response(page(tr("Response"))),
      m_curl(button(u"command"_s, tr("Copy as curl"),
          tr("Copy a shell command that sends the same request"))),
      m_copy(button(u"copy"_s, tr("Copy"), tr("Copy the headers, the body or everything")))
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
    auto *layout = new QHBoxLayout(corner);
    layout->setContentsMargins(0, 0, 0, gap::small);
    layout->setSpacing(0);
    layout->addWidget(m_curl);
    layout->addWidget(m_copy);
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
