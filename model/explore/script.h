// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/engine/treegroups.h"
#include "model/explore/statespace.h"

namespace instar {

/// Operation that no client submitted: another operation required it, or the clock fired it.
struct Derived
{
    QSharedPointer<const Request> request;
    QString requirer; ///< id of the operation that required this one; empty: the clock fired it
};

/// Trace through the states of a scenario, and the visible state at its end.
struct Trace
{
    QStringList trace;              ///< the moves as texts: "submit a", "succeeded a"
    QList<Event> schedule;          ///< the same moves as events to play, untimed
    QMap<QString, Derived> derived; ///< id -> operation, running at the beginning or started later
    QMap<QString, QString> resources; ///< path -> state that clients see
    /// Id -> status, of the scenario's operations and those that ran when the scenario began.
    QMap<QString, QString> operations;
    struct Refusal
    {
        int http = 0; ///< status; 0: none
        QString code, rule;
        bool operator==(const Refusal &) const = default;
        QString text() const { return http ? u"%1 %2"_s.arg(http).arg(code) : code; }
    };
    QMap<QString, Refusal> refusals; ///< id of a refused operation -> its answer
    /// Id of a refused or canceled operation -> the rule that decided, with its sources.
    QMap<QString, QString> deciding;
};

/// Returns "submit r1", "begin r1", "end r1 succeeded", "time over for r1" or "fire /a/b"; empty
/// for Cancel and Wait. `before`: the world in which the event happens.
QString eventWords(const Rules &rules, const World &before, const Event &event);
/// Adds the answers to open conditions: "begin r1 (paid, !sent)".
QString withAnswers(
    const Rules &rules, const QString &words, std::span<const std::pair<int, bool>> answers);

/// Returns the possible next events of a running operation: the end of its attempt, the beginning
/// of its delayed work, and its timeout. The attempt ends as planned; with `anyOutcome`, in every
/// outcome that has a transition, except an unplanned retry.
QList<Event> endsOf(
    const Rules &rules, const World &world, const Running &running, bool anyOutcome);

/// Returns a firing for every timed resource in scope; the rules may refuse the firing.
QList<Event> firingsOf(const Rules &rules, const World &world, const Scope &scope = {});

/// Possible ends of the operations that already run when the scenario begins.
enum class RunningEnds {
    AsPlanned,    ///< as planned, or in every outcome if a person must end it
    EveryOutcome, ///< in every outcome
};

/// Role of the clock in a search.
enum class Timers {
    Fire,    ///< timed events may come at any time
    Stopped, ///< no timer fires, no work times out and no wait for a time ends; attempts still end,
             ///< and delayed work begins
};

/// Returns true if the rules use timers or timeouts.
bool hasClocks(const Rules &rules);
/// Returns true if the rules use timers, timeouts or waits for a time.
bool needClock(const Rules &rules);

/// Assumptions of a search beside its scenario.
struct Premises
{
    RunningEnds runningEnds = RunningEnds::AsPlanned;
    Timers timers = Timers::Fire;
    Scope scope {}; ///< trees to explore
    /// Bit by which otherwise equal successors of a state differ; null: no bit.
    std::function<bool(const SearchState &)> mark {};
};

/// Move generator of a scenario for the state space. The operations of one client keep their file
/// order; an operation without a client has a client of its own. All interleavings, and all choices
/// of operation, path and outcome, are tried.
class Script : public MoveGenerator
{
public:
    /// Facts that distinguish states, besides the world and the clients' progress.
    enum class By {
        Trees,      ///< nothing more
        Operations, ///< the statuses of the operations
    };
    /// Operations that run or wait in `beginning` go on; their statuses are reported, too.
    Script(const Rules &rules, const Scenario &scenario, By by, const World &beginning,
        Premises premises = {});

    /// Marks the scenario's requests, so that operations with equal requests have different keys.
    void mark(WorldKeyWriter &writer) const;
    SearchState startOf(const World &world) const;
    QList<Event> moves(const SearchState &state) const override;
    std::optional<ClientMemory> memoryAfter(const SearchState &before, const Event &event,
        const Record &record, const World &after) const override;
    bool hasStatuses() const override { return m_by == By::Operations; }

    /// Returns the status of each operation submitted so far or running at the beginning. A replay
    /// of an operation that ended before the beginning is left out: its status is unknown.
    QMap<QString, QString> statuses(const SearchState &state) const;
    /// Returns one move as text: "submit a", "succeeded a", "begin a", "fire /path".
    QString words(const World &before, const SearchEdge &edge) const;
    Trace traceOf(const SearchState &start, const std::vector<SearchEdge> &edges) const;

private:
    /// Operation of the scenario, or one that runs at the scenario's beginning.
    struct PlannedOperation
    {
        QString id, requestId;
        int client = 0; ///< None: the operation runs at the beginning
        bool anyOutcome = false;
        std::vector<QSharedPointer<const Request>> choices; ///< one for each operation and path
    };
    static constexpr int None = -1;
    void updateStatuses(
        QList<quint16> &statuses, const SearchState &before, const Record &record) const;
    QList<quint64> stampsIn(const World &world) const;
    int plannedIndexOf(const World &world, const Running *running) const;

    const Rules &m_rules;
    By m_by;
    Premises m_premises;
    std::vector<PlannedOperation> m_planned;    ///< the scenario's, then those already running
    std::vector<std::vector<int>> m_clients;    ///< client -> indices in m_planned
    QHash<const Request *, int> m_plannedIndex; ///< request -> index in m_planned
    QStringList m_stamped; ///< paths of resources whose etag some request names
};

/// Returns a scenario with generated names; fails if the scenario cannot be explored.
Result<Scenario> explorable(const Scenario &scenario, const Stage &stage);

} // namespace instar
