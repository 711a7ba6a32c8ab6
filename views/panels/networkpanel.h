// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/exchangemodel.h"
#include "views/drawing/theme.h"
#include "views/panels/networkstate.h"

#include <QTimer>
#include <QWidget>

class QBoxLayout;
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
class ExchangeView;
class RowDelegate;

/// Connection to a server, its exchanges, and the operations that are polled.
class NetworkPanel : public QWidget
{
    Q_OBJECT
public:
    enum class Export {
        Har,
        Ndjson,
        Scenario,
        Recording, ///< of everything, as it ends; or no more
    };

    explicit NetworkPanel(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    const NetworkState &state() const { return m_state; }
    /// All exchanges, oldest first.
    QList<Exchange> exchanges() const { return m_model->exchanges(); }
    /// Exchanges that pass the filter, oldest first.
    QList<Exchange> listed() const;
    void fillMenu(QMenu &menu);
    QSize sizeHint() const override { return { 960, 260 }; }

public slots:
    void setState(const instar::NetworkState &state);
    /// Adds an exchange, or replaces the one of its number.
    void put(const instar::Exchange &exchange);
    void setPolls(const QList<instar::PolledOperation> &polls);
    /// Time between the first and the last request of a burst, in real microseconds.
    void setSpread(int requests, std::optional<double> microseconds);
    /// Lists the exchanges of one operation; empty: of all.
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
    void exportAsked(instar::NetworkPanel::Export what);
    void clearAsked(); ///< the exchanges are forgotten already
    void operationAsked(const QString &id);
    void whyAsked(const QString &id);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    enum class Words { First, Last }; ///< which buttons lose theirs where it gets narrow
    QToolButton *add(const QString &icon, const QString &text, const QString &hint, Words words);
    QWidget *buildBar();
    void refreshBar();
    void showWhere();
    QWidget *buildTable();
    QWidget *buildEmpty();
    void buildPolls();
    void connectAll();
    void showSelected();
    void refresh();
    void tick();

    Theme m_theme = Theme::light();
    NetworkState m_state;
    QTimer m_countdown; ///< to the next attempt to connect
    // How the connection stands, and what can be done about it.
    QBoxLayout *m_bar;
    QLabel *m_icon, *m_word;
    ElidedLabel *m_where;
    QProgressBar *m_progress;
    QLabel *m_spread;
    QList<std::pair<QToolButton *, Words>> m_tools;
    QToolButton *m_cancel, *m_connect, *m_serve, *m_readOnly, *m_reconnect, *m_pause, *m_clear,
        *m_export;
    QAction *m_har, *m_ndjson, *m_scenario, *m_recording;

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
