// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/exchangemodel.h"
#include "views/panels/notice.h"

#include <QTabWidget>
#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace instar {

class ElidedLabel;
class HtmlView;

/// Full view of one exchange: request and response, which can be copied.
class ExchangeView : public QTabWidget
{
    Q_OBJECT
public:
    explicit ExchangeView(QWidget *parent = nullptr);

    void showExchange(const Exchange &exchange);
    const std::optional<Exchange> &exchange() const { return m_exchange; }

public slots:
    void copyAll() const; ///< request and response

private:
    void refresh();

    std::optional<Exchange> m_exchange;
    HtmlView *m_request, *m_response;
    QToolButton *m_copy;
};

/// Connection to a server and its exchanges.
class NetworkPanel : public QWidget
{
    Q_OBJECT
public:
    explicit NetworkPanel(QWidget *parent = nullptr);

    const NetworkState &state() const { return m_state; }
    /// All exchanges, oldest first.
    QList<Exchange> exchanges() const { return m_model->exchanges(); }
    /// Exchanges that pass the filter, oldest first.
    QList<Exchange> listed() const;
    void fillMenu(QMenu &menu);
    /// Selects the exchange that was sent at a moment (µs since 1970), even one that is filtered.
    void choose(qint64 moment);
    QSize sizeHint() const override { return { 960, 260 }; }

public slots:
    void setState(const instar::NetworkState &state);
    /// Adds an exchange, or replaces the one with its number.
    void put(const instar::Exchange &exchange);

signals:
    void connectAsked();
    void serveAsked();
    void reconnectAsked();
    void cancelAsked(); ///< of connecting or loading
    void readOnlyToggled(bool readOnly);
    void verdictAsked();
    void operationAsked(const QString &id);
    void whyAsked(const QString &id);

private:
    QWidget *buildBar();
    void countPolls();
    QWidget *buildTable();
    QWidget *buildEmpty();
    void connectAll();
    void showSelected();
    void refresh();

    NetworkState m_state;
    // State of the connection, and its commands.
    QLabel *m_icon, *m_stateWord;
    ElidedLabel *m_where;
    QProgressBar *m_progress;
    QToolButton *m_cancel, *m_connect, *m_serve, *m_verdict, *m_readOnly, *m_reconnect;

    ExchangeModel *m_model;
    ExchangeFilter *m_filter;
    QTimer m_typing;
    quint64 m_selected = 0; ///< number; 0: none
    bool m_followsUser = true;

    QLineEdit *m_text;
    QLabel *m_emptyText;
    QPushButton *m_toConnect, *m_toServe;
    QToolButton *m_showPolls;
    QStackedWidget *m_pages;
    QTableView *m_view;
    ExchangeView *m_exchangeView;
};

} // namespace instar
