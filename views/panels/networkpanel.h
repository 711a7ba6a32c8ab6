// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/exchangemodel.h"
#include "views/panels/networkbar.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace instar {

class ExchangeView;
class RowDelegate;

/// What goes over the wire: the connection, every exchange, the operations that are asked about.
class NetworkPanel : public QWidget
{
    Q_OBJECT
public:
    explicit NetworkPanel(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    const NetworkState &state() const { return m_bar->state(); }
    /// All that are kept, oldest first, whatever the filter hides.
    QList<Exchange> exchanges() const { return m_model->exchanges(); }
    /// Those that the filter lets through, oldest first.
    QList<Exchange> listed() const;
    void fillMenu(QMenu &menu);
    void focusFilter();
    QSize sizeHint() const override { return { 960, 260 }; }

public slots:
    void setState(const instar::NetworkState &state);
    /// Adds an exchange, or replaces the one of its number.
    void put(const instar::Exchange &exchange);
    void setPolls(const QList<instar::PolledOperation> &polls);
    /// As it is; pollingToggled is not emitted.
    void setPolling(bool polls);
    /// How closely the requests that were fired together left, in real microseconds.
    void setSpread(int requests, std::optional<double> microseconds);
    /// Only what belongs to an operation; empty: everything.
    void showOperation(const QString &id);
    /// Forgets the exchanges.
    void clear();

signals:
    void connectAsked();
    void serveAsked();
    void stopServingAsked();
    void reconnectAsked();
    void cancelAsked(); ///< of what takes long
    void readOnlyToggled(bool readOnly);
    void pollingToggled(bool polls);
    void exportAsked(instar::NetworkBar::Export what);
    void clearAsked(); ///< the exchanges are forgotten already
    void operationAsked(const QString &id);
    void whyAsked(const QString &id); ///< did an operation go as it did

private:
    QWidget *buildTable();
    QWidget *buildEmpty();
    void buildPolls();
    void connectAll();
    void showSelected();
    void refresh();
    void tick();
    void showMenu(const QPoint &position);

    NetworkBar *m_bar;
    ExchangeModel *m_model;
    ExchangeFilter *m_filter;
    PollModel *m_polls;
    RowDelegate *m_delegate;
    QTimer m_typing, m_clock;
    quint64 m_selected = 0; ///< number; 0: none
    bool m_followsUser = true;

    QLineEdit *m_text;
    QLabel *m_emptyText;
    QPushButton *m_toConnect, *m_toServe, *m_toStop;
    QToolButton *m_showPolls, *m_ofOperation;
    QStackedWidget *m_pages;
    QTableView *m_view, *m_pollView;
    ExchangeView *m_whole;
};

} // namespace instar
