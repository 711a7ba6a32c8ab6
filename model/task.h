// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QPointer>
#include <QPromise>
#include <QRunnable>
#include <QSharedPointer>
#include <QThreadPool>
#include <QTimer>

#include <atomic>

namespace instar {

/// Progress of long work, and a flag to cancel it. Thread-safe.
class Progress
{
public:
    /// Sets the number of steps done, and the number of all steps (0: unknown).
    void setDone(qint64 done, qint64 all = 0)
    {
        m_done = done;
        m_all = all;
    }
    qint64 done() const { return m_done; }
    qint64 all() const { return m_all; }
    void cancel() { m_isCanceled = true; }
    bool isCanceled() const { return m_isCanceled; }
    const std::atomic<bool> &flag() const { return m_isCanceled; } ///< true: canceled

private:
    std::atomic<qint64> m_done = 0, m_all = 0;
    std::atomic<bool> m_isCanceled = false;
};

/// Background work on another thread, with progress and canceling. The task deletes itself when the
/// work has ended. If its parent is deleted first, the work is canceled.
class Task : public QObject
{
    Q_OBJECT
public:
    /// Runs `work(progress)` on another thread, then calls `then(result)` on the calling thread,
    /// unless the work was canceled. The work must use copies of the parent's data, and should
    /// check progress.isCanceled() now and then.
    template<typename Work, typename Then>
    static Task *start(QObject *parent, const QString &title, Work work, Then then);
    ~Task() override;

    /// Title for people: "Opening big.puml".
    const QString &title() const { return m_title; }
    const Progress &progress() const { return *m_progress; }
    void cancel();
    bool isGoingOn() const { return !m_hasEnded; }

signals:
    /// Emitted every 100 ms while the work goes on.
    void progressed();
    /// Emitted when the work was canceled, or when it has ended; then before `then` is called.
    void ended();

private:
    Task(QObject *parent, const QString &title);
    void end();

    template<typename Returned, typename Work>
    class Runnable : public QRunnable
    {
    public:
        Runnable(Work work, QSharedPointer<Progress> progress)
            : m_work(std::move(work)), m_progress(std::move(progress))
        {
            m_promise.start();
        }
        QFuture<Returned> future() const { return m_promise.future(); }
        void run() override
        {
            if (!m_progress->isCanceled())
                m_promise.addResult(m_work(*m_progress));
            m_promise.finish();
        }

    private:
        Work m_work;
        QSharedPointer<Progress> m_progress;
        QPromise<Returned> m_promise;
    };

    QString m_title;
    QSharedPointer<Progress> m_progress;
    QTimer m_ticker { this };
    bool m_hasEnded = false;
};

template<typename Work, typename Then>
Task *Task::start(QObject *parent, const QString &title, Work work, Then then)
{
    using Returned = std::invoke_result_t<Work &, Progress &>;
    auto *task = new Task(parent, title);
    auto *runnable = new Runnable<Returned, Work>(std::move(work), task->m_progress);
    auto *watcher = new QFutureWatcher<Returned>(task);
    connect(watcher, &QFutureWatcherBase::finished, task,
        [task, watcher, then = std::move(then)]() mutable {
            QFuture<Returned> future = watcher->future();
            if (task->m_hasEnded || future.resultCount() == 0)
                return task->end();
            Returned value = future.takeResult();
            Then act = std::move(then);
            const QPointer<Task> undeleted(task);
            task->end();
            if (undeleted)
                act(std::move(value));
        });
    watcher->setFuture(runnable->future());
    QThreadPool::globalInstance()->start(runnable);
    return task;
}

} // namespace instar
