// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/misbehaviour.h"
#include "model/engine/exchange.h"

#include <QDateTime>
#include <QFrame>
#include <QPointer>
#include <QTimer>

#include <functional>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace instar {

class Task;

/// Sentence with an icon, coloured by its tone.
class Notice : public QFrame
{
    Q_OBJECT
public:
    enum class Tone { Good, Hint, Wrong };

    explicit Notice(QWidget *parent = nullptr);

    /// Shows a sentence; an empty one leaves the place blank.
    void say(Tone tone, const QString &sentence);
    QString text() const;
    Tone tone() const { return m_tone; }
    /// Cuts the sentence to one line; the tool tip shows all of it.
    void setOneLine();

private:
    void showIcon();

    Tone m_tone = Tone::Good;
    QLabel *m_icon, *m_text;
};

/// Non-modal message above a view, with buttons for the answers. Hidden while it has no message.
class NoticeBar : public Notice
{
    Q_OBJECT
public:
    struct Answer
    {
        QString text, tip;
        std::function<void()> act; ///< called after the bar is hidden
    };

    explicit NoticeBar(QWidget *parent = nullptr);

    void ask(Tone tone, const QString &sentence, const QList<Answer> &answers);
    /// Withdraws the message.
    void settle();
    bool isAsking() const { return !text().isEmpty(); }
};

/// Column of notices over the top of a window, below its toolbar. It covers what is there, so that
/// nothing moves when a notice appears.
class NoticeArea : public QWidget
{
    Q_OBJECT
public:
    NoticeArea(QWidget &toolBar, QWidget &window);

    void add(QWidget *notice);

protected:
    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void moveBelowToolBar();

    QWidget &m_toolBar;
};

/// State of the connection to a server or of our own server.
struct NetworkState
{
    enum class Kind {
        None,       ///< simulated world, no connection
        Connecting, ///< or reconnecting
        Loading,    ///< reading the tree
        Connected,
        Unrecognized, ///< the responses do not fit the system's wire rules
        Unreachable,  ///< was never connected
        Lost,
        Closed,  ///< by us; the last observations are still shown
        Serving, ///< clients connect to this world
    };
    Kind kind = Kind::None;
    QString url;
    QString detail;  ///< reason or progress, a few words
    int done = -1;   ///< steps of loading; -1: nothing is loading
    int total = -1;  ///< -1: unknown
    QDateTime retry; ///< time of the next attempt; invalid: none is planned
    bool readOnly = true;
    bool hasTree = false; ///< it was read once
    bool polls = true;    ///< automatic polling is on
    int violations = 0;   ///< found so far by comparing the answers with the rules
    bool operator==(const NetworkState &) const = default;

    bool isRemote() const { return kind != Kind::None && kind != Kind::Serving; }
    bool isReading() const { return kind == Kind::Connecting || kind == Kind::Loading; }
    bool isFailure() const
    {
        return kind == Kind::Unrecognized || kind == Kind::Unreachable || kind == Kind::Lost;
    }
};

/// Effect of a request: it may change the server's world, or only reads it.
enum class Intent { Writes, Reads };

/// Why requests of an intent cannot be sent now, and where to change that; empty: they can.
QString blockedText(const NetworkState &state, Intent intent = Intent::Writes);
/// Text of a tree that is empty because of the connection; empty: for another reason.
QString emptyTreeText(const NetworkState &state);
/// "Connected", "Connection lost", ...
QString stateWord(NetworkState::Kind kind);
/// The failure in one sentence, with the seconds until the next attempt.
QString failureText(const NetworkState &state, const QDateTime &now);
/// Text after the state's word: URL and reason.
QString stateText(const NetworkState &state);

/// One-line message: a connection begins, has failed, was closed, does not answer, or allows
/// writes. Has a button to retry after a failure or closing. Hidden while there is nothing to say.
class ConnectionStrip : public Notice
{
    Q_OBJECT
public:
    explicit ConnectionStrip(QWidget *parent = nullptr);

    void setState(const NetworkState &state);
    /// Takes an exchange when it begins and again when it has ended.
    void put(const Exchange &exchange);

signals:
    void retryAsked();

private:
    void refresh();

    NetworkState m_state;
    QMap<quint64, QDateTime> m_unanswered; ///< number of an exchange -> when it was sent
    QPushButton *m_retry;
    QTimer m_clock; ///< refreshes the times in the message
};

/// Strip with the URL at which clients reach this world, and a menu of faults; hidden while the
/// world is not served.
class ServingStrip : public QWidget
{
    Q_OBJECT
public:
    explicit ServingStrip(QWidget *parent = nullptr);

    /// Empty: not served. `token`: required by requests below /_instar/.
    void setUrl(const QString &url, const QString &token = {});
    const QString &url() const { return m_url; }

signals:
    void stopAsked();
    /// Inject a fault, by its name, into the next operation where it is possible.
    void faultAsked(const QString &name);

private:
    QString m_url, m_token;
    QToolButton *m_copyToken = nullptr;
    QLabel *m_text;
};

/// Progress of long tasks, with a button to cancel; hidden while no task has run for half a second.
class TaskStrip : public QFrame
{
    Q_OBJECT
public:
    explicit TaskStrip(QWidget *parent = nullptr);

    /// Shows a task until it has ended; of several, the oldest.
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
