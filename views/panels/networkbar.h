// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"
#include "views/panels/networkstate.h"

#include <QTimer>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QToolButton;

namespace instar {

class ElidedLabel;

/// The network panel's first row: how the connection stands, and what can be done about it.
class NetworkBar : public QWidget
{
    Q_OBJECT
public:
    enum class Export {
        Har,
        Ndjson,
        Scenario,
        Recording, ///< of everything, as it ends; or no more
    };

    explicit NetworkBar(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    const NetworkState &state() const { return m_state; }
    void setState(const NetworkState &state);
    void setPolling(bool polls);
    void setSpread(const QString &text);
    /// Whether there are exchanges to be exported or forgotten.
    void setHasExchanges(bool has);

signals:
    void connectAsked();
    void serveAsked();
    void reconnectAsked();
    void cancelAsked();
    void readOnlyToggled(bool readOnly);
    void pollingToggled(bool polls);
    void exportAsked(instar::NetworkBar::Export what);
    void clearAsked();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    enum class Words { First, Last }; ///< which buttons lose theirs where it gets narrow
    QToolButton *add(const QString &icon, const QString &text, const QString &hint, Words words);
    void refresh();
    void showText();

    Theme m_theme = Theme::light();
    NetworkState m_state;
    bool m_hasExchanges = false;
    QTimer m_clock; ///< counts down to the next attempt
    QHBoxLayout *m_row;
    QLabel *m_icon, *m_word;
    ElidedLabel *m_where;
    QProgressBar *m_progress;
    QLabel *m_spread;
    QList<std::pair<QToolButton *, Words>> m_tools;
    QToolButton *m_cancel, *m_connect, *m_serve, *m_readOnly, *m_reconnect, *m_pause, *m_clear,
        *m_export;
    QAction *m_har, *m_ndjson, *m_scenario, *m_recording;
};

} // namespace instar
