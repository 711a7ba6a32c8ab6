// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/explore.h"

#include <atomic>

namespace instar {

/// What is asked of a moment: some operations come, in any order.
struct OutcomesQuestion
{
    enum class What { Endings, Order }; ///< what can happen, or does order matter
    What what = What::Endings;
    Stage stage;
    QList<ScenarioStep> steps; ///< of Submit only, each with an id that nobody else has
    Begun begun = Begun::AsPlanned;
    Timers timers = Timers::Fire;
    qint64 worlds = 0, bytes = 0; ///< how many situations are looked at, and in how much memory

    /// Endings: every operation may end in every way.
    void openAll();
};

/// How far a search is, and whether it is still wanted; between those who wait and those who work.
struct OutcomesCounts
{
    std::atomic<qint64> worlds = 0, endings = 0;
    std::atomic<bool> isStopped = false; ///< what was found so far is told
};

/// What can happen from a moment on to what is asked, and to all that belongs together with it: the
/// traces worth telling, and the resources that they are about.
struct Outcomes
{
    /// A resource that some trace leaves otherwise than it was, or that something was asked of; and
    /// what they lie in. In the tree's order.
    struct Row
    {
        QString path;
        int depth = 0;        ///< 0: top-level
        int machine = -1;     ///< of the rules; -1: of no type that they know
        QString before;       ///< the word that it shows at the moment; empty: not there
        bool isOther = false; ///< some trace leaves it otherwise
        bool differs = false; ///< traces leave it differently
    };
    /// A shortest way to where it leads; what all resources show there is told of the rows.
    struct Trace : EventOrder
    {
        enum class Kind { DeadEnd, Breach, Ending, Order };
        Kind kind = Kind::Ending;
        QStringList words;     ///< the word that each row shows then; empty: not there
        QStringList lastWords; ///< an order: the word that each row shows in the end; empty: as
                               ///< `lastly`
        const QStringList &end() const { return lastly.isEmpty() ? words : lastWords; }
        double orders = 0;         ///< an ending: how many orders lead there; may be infinite
        QStringList stuck;         ///< a dead end: paths that nothing brings back
        QStringList waits;         ///< an ending: paths that wait for the clock, which stands
        QString path, state, rule; ///< a breach: what breaks it, in which state, and the constraint
        int clash = -1;            ///< an order: of which pair
    };
    QList<Row> rows;
    QList<Trace> traces; ///< dead ends, then breaches, then endings; or two of each clash
    QMap<QString, QSharedPointer<const Request>> asked; ///< id -> what was asked for, or runs
    QSet<QString> differing; ///< operations that do not end alike in all traces

    OutcomesQuestion::What what = OutcomesQuestion::What::Endings;
    Timers timers = Timers::Fire;
    qint64 worlds = 0;
    qint64 deadEnds = 0, breaches = 0, endings = 0; ///< found; of very many not all are told
    bool complete = true;                           ///< false: a budget ended it, or somebody
    bool isStopped = false;                         ///< somebody did
    QList<OrderClash> clashes;                      ///< without their orders, which are traces
    QList<std::pair<QString, QString>> commuting;   ///< pairs whose order is not seen
};

/// How many traces of a kind are told.
inline constexpr qsizetype mostTraces = 500;

Result<Outcomes> outcomes(const OutcomesQuestion &question, OutcomesCounts &counts);

} // namespace instar
