// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/verdict.h"
#include "model/engine/exchange.h"
#include "model/engine/operation.h"

namespace instar {

/// Plan of repeated bursts of the same requests at a server.
struct RoundsPlan
{
    QList<Request> requests;
    int rounds = 20;
    int clients = 1;  ///< number of clients that send each request, under different names
    int jitter = 0;   ///< ms: most random delay of a request; 0: all are sent together
    quint32 seed = 1; ///< of the random delays
    bool stopsAtViolation = true;
    bool restores = true;                 ///< recreates the resources that a round removed
    int patience = 60'000;                ///< timeout of a round, ms
    Budget budget = { .states = 40'000 }; ///< of each verdict
};

/// One burst of a RoundsPlan, with its result.
struct Round
{
    int number = 0;               ///< from 1
    QString ending;               ///< each request's status; "2 Succeeded, 1 Failed" if clients > 1
    std::optional<qint64> spread; ///< ns between first and last send; absent: not sent together
    QString problem;              ///< reason why there is no verdict; empty: there is one
    HistoryVerdict verdict;
    QStringList trace;         ///< traceLines() of its history; empty: not judged
    QList<Exchange> exchanges; ///< from the read of the tree before the round to the read after it
};

/// Returns what a history shows, by time: requests with their answers, and each new state of a
/// resource or status of an operation. Ids, etags and times, which differ from round to round, are
/// left out.
QStringList traceLines(const History &history);

/// Group of rounds with the same ending and verdict.
struct RoundGroup
{
    QString ending;
    HistorySearch::Outcome outcome = HistorySearch::Outcome::Undecided;
    QString what; ///< the violation without ids and etags, or why there is no verdict; may be empty
    int count = 0;
    QList<qint64> spreads; ///< ns, of rounds whose requests were sent together
    Round first;           ///< first round of the group; without exchanges if conforming
};

/// Tally of rounds by result: violations first, conforming rounds last; then by frequency.
class RoundsTally
{
public:
    void add(const Round &round);
    QList<RoundGroup> sorted() const;

private:
    QList<RoundGroup> m_all;
};

} // namespace instar
