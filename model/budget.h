// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDeadlineTimer>
#include <QString>

#include <atomic>
#include <functional>
#include <limits>

namespace instar {

/// Limit on the states that the search for a verdict visits per tree. With it, a search tries up to
/// 400,000 transitions and takes about 5 s and 200 MB.
inline constexpr qint64 VerdictStates = 100'000;

/// Limit that stopped a computation.
enum class Limit { None, Time, Memory, States, Arrows, Canceled };

/// Name of a limit in JSON output: "time", "memory", "states" ...; empty for None.
QString limitName(Limit limit);
/// Sentence for people: "Stopped at the limit of time: the results are incomplete."
QString stoppedText(Limit limit);

/// Limits of a long computation, and a way to cancel it. Copies share the deadline and the flag.
struct Budget
{
    qint64 states = 10'000'000;                   ///< most states to search, read, draw or run
    qint64 bytes = qint64(2) << 30;               ///< most memory, approximately
    std::function<bool(qint64 states)> goesOn {}; ///< called now and then; returns false to cancel
    qint64 arrows = std::numeric_limits<qint64>::max(); ///< most arrows between states
    QDeadlineTimer deadline = QDeadlineTimer(QDeadlineTimer::Forever);
    const std::atomic<bool> *isCanceled = nullptr; ///< must outlive the work; null: no canceling

    /// Returns Canceled or Time, else None. Reads the clock: too slow for an inner loop.
    Limit interruption() const;
    /// As interruption(), after a call of `goesOn` with the number of states.
    Limit interruption(qint64 statesNow) const;
    /// Returns the first limit that is exceeded, else None.
    Limit exceeded(qint64 statesNow, qint64 arrowsNow, qint64 bytesNow = 0) const;
};

} // namespace instar
