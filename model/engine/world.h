// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/affectedresources.h"
#include "model/engine/operation.h"
#include "model/engine/rules.h"

#include <QSharedData>
#include <QSharedPointer>
#include <QVarLengthArray>

#include <algorithm>

namespace instar {

/// Required operation that has not started yet; its resource may not exist.
struct Todo
{
    Rules::TriggerId operation = Rules::None;
    QString path;
    bool operator==(const Todo &) const = default;
};

/// Operation that runs or waits.
struct PendingOperation
{
    quint32 serial = 0;
    QSharedPointer<const Request> request;
    Rules::TriggerId op = Rules::None;
    quint32 requirer = 0;    ///< serial of the operation that required this one; 0: a client
    quint32 root = 0;        ///< serial of the operation at the top of the requirement tree
    QMap<int, bool> answers; ///< label of an open condition -> answer, beside Request::conditions
};

/// Operation that was accepted and has not ended.
struct Running : QSharedData, PendingOperation
{
    enum class Phase : quint8 {
        Delayed,    ///< the work begins when `due` comes
        Attempting, ///< an attempt runs; it ends at `due` or by hand
        Requiring,  ///< waits for required operations
        Until,      ///< waits for a condition
    };

    QString id;   ///< of the request
    QString path; ///< of the target, as in the request
    Resource target = NoResource;
    QVarLengthArray<quint32, 2> branches; ///< Tree branches with `target` and `affected`
    quint64 stamp = 0;                    ///< etag version of the affected resources; 0: none
    AffectedResources affected;
    AffectedResources adopted; ///< part of `affected` from canceled operations, states unchanged

    Rules::StateId work = Rules::None; ///< the state whose work list is being executed
    int cursor = 0;                    ///< current step of the list
    Phase phase = Phase::Attempting;
    Rules::TriggerId outcomeSoFar = Rules::None;
    qint64 due = -1;      ///< when the phase ends, virtual ms; -1: not scheduled
    qint64 deadline = -1; ///< timeout of the work in the target's state, virtual ms; -1: none
    Rules::TriggerId planned = Rules::None; ///< planned outcome of the running attempt
    QList<Todo> todo;                       ///< required operations still to be submitted
    int waitingFor = 0;                     ///< number of required operations under way
    int required = 0;                       ///< number of required operations submitted so far

    int transientsLeft = 0;        ///< number of transient failures still to come
    QJsonObject answerProperties;  ///< properties that the running attempt will give the target
    bool outcomeUsed = false;      ///< the request's planned outcome has been used
    int attempts = 0;              ///< number of attempts so far
    QMap<QString, int> attemptsAt; ///< key of Request::work -> attempts so far
    std::vector<std::pair<int, int>> taken; ///< (transition with a limit, times taken)
    quint32 stoppedBy = 0; ///< serial of the required operation whose end stopped it; 0: none
    QString errorCode, errorMessage; ///< of the operation `stoppedBy`
};

/// Operation that was accepted and waits for conflicting ones to end.
struct Queued : QSharedData, PendingOperation
{
    Resource target = NoResource;  ///< if the target does not exist, its parent, which may be none
    bool creates = false;          ///< the target does not exist yet
    std::vector<quint32> waitsFor; ///< serials of operations that run or wait before it
};

/// Schedule of one resource's timer.
struct Timing
{
    static constexpr qint64 Asleep = -1;
    qint64 since = -1;   ///< when the resource entered the state, virtual ms; -1: before the run
    qint64 due = Asleep; ///< next check, virtual ms; Asleep: not before the resource's tree changes
    quint32 turn = 0;    ///< order among timers with the same `due`
};

/// Scheduled check of a resource's timer. Sorts in firing order, except for ties within a branch.
struct DueTimer
{
    qint64 due = 0;   ///< virtual ms
    quint32 turn = 0; ///< order among the timers due at that time
    quint64 rank = 0; ///< Tree::rank() of the resource's branch: the newer, the greater
    Resource resource = NoResource;
    auto operator<=>(const DueTimer &) const = default;
};

/// State of the model: resources, and unfinished operations.
struct World
{
    Tree tree;
    std::vector<QSharedDataPointer<Running>> running; ///< sorted by serial
    /// Waiting operations, sorted by serial; each conflicts with later operations as if it ran.
    std::vector<QSharedDataPointer<Queued>> queue;
    QHash<quint32, QList<quint32>> busy;     ///< branch -> serials of the operations that affect it
    QHash<Resource, QStringList> references; ///< resource -> paths as written
    QMap<QString, QList<Resource>> referrers; ///< pathKey() -> resources that refer to that path
    QHash<Resource, Properties> properties;
    QHash<Resource, QString> etags; ///< received from a server; other resources have computed etags
    QHash<Resource, QString> unknownWords;  ///< states from a server that the rules do not know
    QHash<Resource, QByteArray> bodies;     ///< documents as clients stored them
    QHash<Resource, Timing> timed;          ///< resources that rest in a state with a timer
    QList<DueTimer> dueTimers;              ///< min-heap; may contain stale entries
    QHash<quint32, QList<Resource>> asleep; ///< branch -> timed resources whose due is Asleep
    std::optional<DueTimer> firing; ///< cache of the next firing; NoResource: none; empty: unknown
    QHash<QString, quint32> answered; ///< request id -> serial of the operation that answers for it
    /// Constraints that were broken after the last step: (constraint, resource).
    std::vector<std::pair<int, Resource>> broken;
    /// Due times and deadlines: min-heap of (time, serial); may contain stale entries.
    std::vector<std::pair<qint64, quint32>> agenda;

    qint64 now = 0;    ///< virtual ms
    quint64 stamp = 0; ///< the greatest etag version so far
    quint32 lastSerial = 0;

    const Running *find(quint32 serial) const;
    /// Returns the running operations that affect a resource; none for NoResource.
    QList<const Running *> runningOn(Resource resource) const;
    /// Returns a running operation to modify; null if it does not run.
    Running *change(quint32 serial);
    const Queued *waiting(quint32 serial) const;
    /// Returns a running or waiting operation; null if it is neither.
    const PendingOperation *pending(quint32 serial) const;
    /// Visits the running operations, then the waiting ones.
    void eachPending(const auto &visit) const
    {
        std::ranges::for_each(running, [&](const auto &one) { visit(*one); });
        std::ranges::for_each(queue, [&](const auto &one) { visit(*one); });
    }
    /// Returns the id of a running or waiting operation; of others, the serial as text.
    QString idOf(quint32 serial) const;
};

/// World of a list of resources without operations, or the error in the list.
struct Loaded
{
    World world;
    QString problem;            ///< empty: none
    qsizetype badResource = -1; ///< index of the wrong entry
};
Loaded makeWorld(const Rules &rules, const QList<ResourceSpec> &resources);

/// Returns a resource's etag: the received one, else a unique one per stamp (etag version).
QString etag(const World &world, Resource resource);

/// Returns a key that is equal for equal paths: folds case where the pack ignores it.
QString pathKey(const World &world, const QString &path);

/// Stores a value of a resource; an empty one is removed.
void storeOrRemove(auto &map, Resource resource, const auto &value)
{
    if (value.isEmpty())
        map.remove(resource);
    else
        map.insert(resource, value);
}

void forgetReferences(World &world, Resource resource);
void addReferences(World &world, Resource resource, const QStringList &paths);

/// Returns the state that clients see of a resource; from a server, it may be unknown to the rules.
QString shownWord(const Rules &rules, const World &world, Resource resource);

/// Returns the state that clients see of the resource at a path; absent if they see no resource.
std::optional<QString> wordAt(const Rules &rules, const World &world, const QString &path);

/// Returns the deepest resource in a path's tree that is in a transitional state although no known
/// operation affects it: a sign of external activity. NoResource: none, or the tree has more than
/// 20,000 resources.
Resource farthestExternal(const Rules &rules, const World &world, const QString &path);

} // namespace instar
