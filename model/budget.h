// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDeadlineTimer>
#include <QString>

#include <atomic>
#include <functional>
#include <limits>

namespace instar {

/// Situations that a verdict on one tree may look at; it may try four times as many moves: some 5 s
/// and 200 MB.
inline constexpr qint64 VerdictStates = 100'000;

/// What ended a computation before its end.
enum class Limit { None, Time, Memory, States, Arrows, Canceled };

/// "time", "memory", "states", "arrows", "canceled"; empty for None. Also a word of JSON answers.
QString limitName(Limit limit);
/// For people: "Stopped at the limit of time: this is what was found so far."
QString stoppedText(Limit limit);

/// Limits of a long computation, and a way to cancel it. Copies share the deadline and the flag.
struct Budget
{
    qint64 states = 10'000'000;                   ///< to meet, to read, to draw or to run through
    qint64 bytes = qint64(2) << 30;               ///< of memory, about
    std::function<bool(qint64 states)> goesOn {}; ///< asked now and then; false: cancel
    qint64 arrows = std::numeric_limits<qint64>::max();
    QDeadlineTimer deadline = QDeadlineTimer(QDeadlineTimer::Forever);
    const std::atomic<bool> *isCanceled = nullptr; ///< null: nobody can cancel; outlives the work

    /// Canceled or Time, where that is so. Cheap, but no business of an inner loop.
    Limit interruption() const;
    /// The same after `goesOn` was told how many states there are.
    Limit interruption(qint64 statesNow) const;
    /// The first limit that is exceeded, of all.
    Limit exceeded(qint64 statesNow, qint64 arrowsNow, qint64 bytesNow = 0) const;
};

} // namespace instar
