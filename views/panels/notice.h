// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/misbehaviour.h"

#include <QDateTime>
#include <QFrame>
#include <QPointer>
#include <QTimer>

#include <functional>

class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace instar {

class Task;

/// A sentence with an icon on a ground of its tone: what is wrong, what should be known, that all
/// is well.
class Notice : public QFrame
{
    Q_OBJECT
public:
    enum class Tone { Good, Hint, Wrong };

    explicit Notice(QWidget *parent = nullptr);

    /// Nothing is shown where the sentence is empty, but its place stays.
    void say(Tone tone, const QString &sentence);
    QString text() const;
    Tone tone() const { return m_tone; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void showIcon();

    Tone m_tone = Tone::Good;
    QLabel *m_icon, *m_text;
};

/// A sentence over what somebody works at, and what can be done about it: nothing is in the way
/// meanwhile. Hidden as long as there is nothing to say.
class NoticeBar : public Notice
{
    Q_OBJECT
public:
    struct Answer
    {
        QString text, tip;
        std::function<void()> act; ///< the bar is hidden before
    };

    explicit NoticeBar(QWidget *parent = nullptr);

    void ask(Tone tone, const QString &sentence, const QList<Answer> &answers);
    /// There is nothing to say any more.
    void settle();
    bool isAsking() const { return !text().isEmpty(); }
};

/// How the connection to a server stands.
struct NetworkState
{
    enum class Kind {
        None,       ///< the world is our own
        Connecting, ///< also: again
        Loading,    ///< the tree is being read
        Connected,
        Doubtful,    ///< what answers there does not speak as the system does
        Unreachable, ///< it never was connected
        Lost,
        Closed,  ///< by us; what was seen last is still shown
        Serving, ///< others connect to us
    };
    Kind kind = Kind::None;
    QString url;
    QString detail;  ///< why, or how far; a few words
    int done = -1;   ///< of what takes long; -1: nothing does
    int total = -1;  ///< -1: not known
    QDateTime retry; ///< when it is tried again; invalid: not by itself
    bool readOnly = true;
    bool hasTree = false; ///< it was read once
    bool polls = true;    ///< questions are asked by themselves
    bool operator==(const NetworkState &) const = default;

    bool isRemote() const { return kind != Kind::None && kind != Kind::Serving; }
    bool isFailure() const
    {
        return kind == Kind::Doubtful || kind == Kind::Unreachable || kind == Kind::Lost;
    }
};

/// What is to be sent: something that may change the server's world, or only looks at it.
enum class Intent { Writes, Reads };

/// Why nothing of that intent can be sent as things stand, and where that is changed; empty: it
/// can.
QString blockedText(const NetworkState &state, Intent intent = Intent::Writes);
/// What the tree says where it is empty because of the connection; empty: it is empty otherwise.
QString emptyTreeText(const NetworkState &state);
/// "Connected", "Connection lost", ...
QString stateWord(NetworkState::Kind kind);
/// What is wrong, in one sentence, and in how many seconds it is tried again.
QString failureText(const NetworkState &state, const QDateTime &now);
/// What follows the word: where, why, and in how many seconds again.
QString stateText(const NetworkState &state, const QDateTime &now);

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
