// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>

namespace instar {

/// Lets events happen until the condition holds; false: it did not within so many ms.
template<typename Condition>
bool waited(qint64 ms, Condition condition)
{
    QElapsedTimer clock;
    clock.start();
    QTimer pulse;
    pulse.setTimerType(Qt::PreciseTimer);
    while (!condition()) {
        const qint64 left = ms - clock.elapsed();
        if (left <= 0)
            return false;
        pulse.start(int(std::min<qint64>(left, 50)));
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return true;
}

} // namespace instar
