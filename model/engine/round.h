// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/engine/operation.h"
#include "model/engine/verdict.h"

namespace instar {

/// Requests that are fired at a server again and again.
struct RoundsPlan
{
    QList<Request> requests;
    int rounds = 20;
    int clients = 1;  ///< each request is sent by so many, each under a name of its own
    int jitter = 0;   ///< ms: each waits at random for so long at most; 0: all leave together
    quint32 seed = 1; ///< of what is random: the same one gives the same waits
    bool stopsAtViolation = true;
    bool restores = true;                 ///< what a round has removed is made again
    int patience = 60'000;                ///< ms that a round may take
    Budget budget = { .states = 40'000 }; ///< of each verdict
};

/// One time that they were fired, and what became of it.
struct Round
{
    int number = 0; ///< from 1
    QString ending; ///< how each request ended, in their order; several clients are counted
    std::optional<qint64> spread; ///< ns between the first and the last that left; nothing: they
                                  ///< were not to leave together
    QString problem;              ///< why it is not judged; empty: it is
    HistoryVerdict verdict;
    QList<Exchange> exchanges; ///< from the look at the tree before it to the one after it
};

/// Rounds that went alike: the same ending and the same verdict.
struct RoundsAlike
{
    QString ending;
    HistorySearch::Outcome outcome = HistorySearch::Outcome::Undecided;
    QString what; ///< what nothing explains, whatever ids and etags, or why it was not judged;
                  ///< empty: neither
    int count = 0;
    QList<qint64> spreads; ///< ns, as far as they left together
    Round first;           ///< with its exchanges only where it does not conform
};

/// What many rounds came to, the most frequent first; those that do not conform before all others.
class RoundsTally
{
public:
    void add(const Round &round);
    QList<RoundsAlike> sorted() const;

private:
    QList<RoundsAlike> m_all;
};

} // namespace instar
