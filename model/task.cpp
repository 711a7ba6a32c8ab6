// SPDX-License-Identifier: Apache-2.0
#include "model/task.h"

#include <utility>

namespace instar {

namespace {

constexpr int ProgressMs = 100; ///< interval of Task::progressed()
constexpr int LeastThreads = 4; ///< of the global thread pool

} // namespace

Task::Task(QObject *parent, const QString &title)
    : QObject(parent), m_title(title), m_progress(QSharedPointer<Progress>::create())
{
    m_ticker.callOnTimeout(this, &Task::progressed);
    m_ticker.start(ProgressMs);
    // Keeps threads for later tasks, because canceled work may not stop at once.
    if (QThreadPool *pool = QThreadPool::globalInstance(); pool->maxThreadCount() < LeastThreads)
        pool->setMaxThreadCount(LeastThreads);
}

Task::~Task()
{
    m_progress->cancel();
}

void Task::cancel()
{
    m_progress->cancel();
    end();
}

void Task::end()
{
    if (std::exchange(m_hasEnded, true))
        return;
    m_ticker.stop();
    emit ended();
    deleteLater();
}

} // namespace instar
