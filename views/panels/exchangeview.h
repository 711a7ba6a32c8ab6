// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "views/drawing/theme.h"

#include <QTabWidget>

#include <optional>

class QToolButton;

namespace instar {

class HtmlView;

// An exchange as rich text, whole but for the end of very long bodies.

QString requestHtml(const Exchange &exchange, const Theme &theme);
QString responseHtml(const Exchange &exchange, const Theme &theme);

/// "Name: value", a line each.
QString headersText(const QList<Exchange::Header> &headers);
/// The start line, headers and body as plain text.
QString requestText(const Exchange &exchange);
QString responseText(const Exchange &exchange);

/// One exchange whole: what was asked and what was answered, with everything to copy.
class ExchangeView : public QTabWidget
{
    Q_OBJECT
public:
    explicit ExchangeView(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void showExchange(const Exchange &exchange);
    void showNothing();
    const std::optional<Exchange> &exchange() const { return m_exchange; }

public slots:
    void copyCurl() const;
    void copyBody() const;    ///< of what is shown, byte by byte where it is text
    void copyHeaders() const; ///< of what is shown
    void copyAll() const;     ///< request and response

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    bool showsRequest() const;
    void refresh();

    std::optional<Exchange> m_exchange;
    Theme m_theme = Theme::light();
    HtmlView *m_request, *m_response;
    QToolButton *m_curl, *m_copy;
};

} // namespace instar
