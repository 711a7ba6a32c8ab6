// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/misbehaviour.h"
#include "views/drawing/theme.h"
#include "views/panels/networkstate.h"
#include "views/panels/notice.h"

#include <QFrame>
#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace instar {

class Task;

/// What is wrong with the connection to a server, and a button to try again; hidden as long as all
/// is well.
class ConnectionStrip : public Notice
{
    Q_OBJECT
public:
    explicit ConnectionStrip(QWidget *parent = nullptr);

    void setState(const NetworkState &state);

signals:
    void retryAsked();

private:
    void refresh();

    NetworkState m_state;
    QPushButton *m_retry;
    QTimer m_clock; ///< counts down to the next attempt
};

/// Where other clients reach this world, for as long as they do, and which rules it breaks for
/// them; hidden otherwise.
class ServingStrip : public QWidget
{
    Q_OBJECT
public:
    explicit ServingStrip(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Empty: nobody is served. `token` is what requests below /_instar/ have to show.
    void setUrl(const QString &url, const QString &token = {});
    const QString &url() const { return m_url; }

signals:
    void stopAsked();
    /// The next operation that gives a chance to is to break a rule, so named.
    void faultAsked(const QString &name);

private:
    QMenu *faultMenu();

    QString m_url, m_token;
    QToolButton *m_copyToken = nullptr;
    QLabel *m_icon, *m_text;
};

/// How far long work is, and a button that cancels it; hidden as long as nothing has gone on for
/// half a second.
class TaskStrip : public QFrame
{
    Q_OBJECT
public:
    explicit TaskStrip(QWidget *parent = nullptr);

    /// Shows a task until it has ended; of several the one that began first.
    void follow(Task *task);

private:
    Task *shown() const;
    void refresh();

    QList<QPointer<Task>> m_tasks;
    QTimer m_patience;
    QLabel *m_title;
    QProgressBar *m_bar;
    QPushButton *m_cancel;
};

} // namespace instar
