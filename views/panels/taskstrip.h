// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>
#include <QPointer>
#include <QTimer>

class QLabel;
class QProgressBar;
class QPushButton;

namespace instar {

class Task;

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
