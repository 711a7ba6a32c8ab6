// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operation.h"
#include "model/engine/rules.h"

#include <QSharedData>
#include <QSharedPointer>
#include <QVarLengthArray>

#include <compare>

namespace instar {

/// The resources that an operation answers for: runs of neighbours, none overlapping, in no
/// particular order.
using Cover = std::vector<Tree::Range>;

/// A piece of required work that has not begun: an operation on a resource that may not be there.
struct Todo
{
    Rules::TriggerId operation = Rules::None;
    QString path;
    bool operator==(const Todo &) const = default;
};

/// An operation that was accepted and has not ended.
struct Running : QSharedData
{
    enum class Phase : quint8 {
        Delayed,    ///< the work begins when `due` comes
        Attempting, ///< an attempt runs; ends when `due` comes, or by hand
        Requiring,  ///< waits for required operations
        Until,      ///< waits for a condition
    };

    quint32 serial = 0;
    QString id;
    QString path; ///< of the target, as it was asked for
    QSharedPointer<const Request> request;
    Rules::TriggerId op = Rules::None;
    Resource target = NoResource;
    QVarLengthArray<quint32, 2> branches; ///< of its target and cover: where World::busy lists it
    quint32 requirer = 0; ///< serial of the operation that required it; 0: a client asked
    quint32 root = 0;     ///< serial of the operation at the top of the requirement tree
    quint64 stamp = 0;
    Cover cover;
    Cover
        adopted; ///< the part of it that canceled operations left behind and it never moved itself

    Rules::StateId work = Rules::None; ///< the state whose list is being worked on
    int cursor = 0;                    ///< the step in the list
    Phase phase = Phase::Attempting;
    Rules::TriggerId soFar = Rules::None; ///< the outcome so far
    qint64 due = -1;                      ///< virtual ms; -1: never by itself
    qint64 deadline = -1; ///< when the work in the target's state is ended; -1: never
    Rules::TriggerId planned = Rules::None; ///< how the running attempt will end by itself
    QList<Todo> todo;                       ///< required operations that are still to be asked for
    int waitingFor = 0;                     ///< required operations that run
    int required = 0;                       ///< required operations asked for so far

    int transientsLeft = 0;
    QJsonObject says;         ///< by the answer of the running attempt, of the target
    bool outcomeUsed = false; ///< the request's own outcome has happened
    int attempts = 0;
    QMap<QString, int> attemptsAt; ///< by key of the request's plan, where it plans single pieces
    std::vector<std::pair<int, int>> taken; ///< transition -> how often, for those with a limit
    QMap<int, bool> answers;                ///< label -> answer, beside those of the request
    QString errorCode, errorMessage;        ///< of the required operation that stopped it
};

/// An operation that was accepted and waits for its turn: others are in its way.
struct Queued : QSharedData
{
    quint32 serial = 0;
    QSharedPointer<const Request> request;
    Rules::TriggerId op = Rules::None;
    Resource target =
        NoResource;       ///< or, of one that would be made, its parent; NoResource: neither
    bool creates = false; ///< the target is not there yet
    quint32 requirer = 0, root = 0; ///< as in Running
    QMap<int, bool> answers;
    std::vector<quint32> waitsFor; ///< serials of operations that run or wait before it
};

/// A resource that rests in a state with a timer.
struct Timing
{
    static constexpr qint64 Asleep = -1;
    qint64 since = -1;   ///< when it came there, virtual ms; -1: loaded so
    qint64 due = Asleep; ///< when the clock looks at it; Asleep: not before something happens there
};

/// A moment: the resources, and what runs.
struct World
{
    Tree tree;
    std::vector<QSharedDataPointer<Running>> running; ///< by serial
    std::vector<QSharedDataPointer<Queued>>
        queue; ///< by serial: each counts as running for those that came later
    QHash<quint32, QList<quint32>>
        busy; ///< branch -> serials that have their target or cover there
    QHash<Resource, QStringList> references; ///< resource -> paths as written
    QMap<QString, QList<Resource>>
        referrers; ///< path (folded where case is ignored) -> who refers to it
    QHash<Resource, Properties> properties;
    QHash<Resource, QString>
        etags; ///< as a server told them; elsewhere they follow from the stamps
    QHash<Resource, QString>
        unknownWords;                   ///< what a server shows where the rules know no such state
    QHash<Resource, QByteArray> bodies; ///< the document that a client stored, as it came
    QHash<Resource, Timing> timed;      ///< resources that rest in a state with a timer
    QList<std::pair<qint64, Resource>>
        looks; ///< heap of (due, timed resource); entries may be out of date
    QHash<quint32, QList<Resource>>
        asleep; ///< branch -> timed resources that the clock leaves alone
    std::optional<std::pair<qint64, Resource>>
        firing; ///< the next one, of NoResource where there is none; null: not known
    QHash<QString, quint32> answered; ///< request id -> serial of the operation that answers for it
    std::vector<std::pair<int, Resource>>
        broken; ///< (constraint, resource) that did not hold after the last step
    std::vector<std::pair<qint64, quint32>>
        agenda; ///< heap of (due, serial); entries may be out of date

    qint64 now = 0; ///< virtual ms
    quint64 stamp = 0;
    quint32 lastSerial = 0;

    const Running *find(quint32 serial) const;
    /// Null where it does not run.
    Running *change(quint32 serial);
    const Queued *waiting(quint32 serial) const;
    /// The name that the asker gave to an operation that runs or waits; else its serial.
    QString idOf(quint32 serial) const;
    /// The next end or beginning that comes by itself: (due, serial); serial 0 where there is none.
    std::pair<qint64, quint32> next() const;
};

/// A world with everything that a pack's sample or a scenario lists, and nothing running; or which
/// entry is wrong.
struct Loaded
{
    World world;
    QString problem;            ///< empty: it is good
    qsizetype badResource = -1; ///< index of the entry that the problem is about
};
Loaded makeWorld(const Rules &rules, const QList<ResourceSpec> &resources);

/// The etag of a resource: the same for all that one operation touched, never used twice.
QString etag(const World &world, Resource resource);

/// The key under which paths are the same; folds case where the pack ignores it.
QString pathKey(const World &world, const QString &path);

/// The word that a resource shows: that of its state, or one of a server's that the rules do not
/// know.
QString shownWord(const Rules &rules, const World &world, Resource resource);

/// How many resources show each word; words that nobody shows are left out.
QMap<QString, qint64> shownCounts(const Rules &rules, const World &world);

/// Everything that can still matter, and nothing else, as bytes: equal worlds, equal bytes. Not in
/// it: etags, times, numbers of operations and what has ended. With `Elapsed` questions and timers
/// taken as free (the explorer does).
QByteArray worldKey(const Rules &rules, const World &world);
bool sameWorld(const Rules &rules, const World &a, const World &b);

/// In the tree of a path, what is in motion farthest from its top, and no operation that is known
/// to run answers for: somebody else has one at work. NoResource: nothing, or the tree is too large
/// to be looked through.
Resource farthestUnasked(const Rules &rules, const World &world, const QString &path);

} // namespace instar
