// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/affectedresources.h"
#include "model/engine/operation.h"
#include "model/engine/rules.h"

#include <QSharedPointer>

#include <vector>

namespace instar {

/// Event that changes a world, the state of all resources and operations.
struct Event
{
    enum class Kind {
        Submit, ///< a client submits a request
        End,    ///< an attempt ends, as planned or with `outcome`
        Begin,  ///< delayed work begins, or work that waited for a time continues
        Expire, ///< the work in a state times out
        Fire,   ///< the clock fires a resource's timer
        Cancel, ///< a person cancels an operation
        Wait,   ///< only time passes
    };
    Kind kind = Kind::Wait;
    qint64 time = 0;                        ///< virtual ms at which the event happens
    QSharedPointer<const Request> request;  ///< Submit
    quint32 operation = 0;                  ///< End, Begin, Expire, Cancel: serial
    Rules::TriggerId outcome = Rules::None; ///< End; None: as planned
    Resource resource = NoResource;         ///< Fire
    QMap<int, bool> answers;                ///< to conditions that the pack leaves open, by label
    bool untimed = false;                   ///< no clock: `answers` decide about elapsed times too
    bool recordsAll = false; ///< even if untimed: records treeChanges and holdings, runs timers
    /// Answer to an open condition that concerns another, running operation.
    struct OthersAnswer
    {
        quint32 operation = 0; ///< serial
        int label = 0;
        bool holds = false;
    };
    std::vector<OthersAnswer> othersAnswers {};
};

/// One effect of an event.
struct Change
{
    enum class Kind {
        Sent,     ///< a request was sent to a server that has not answered yet
        Queued,   ///< an operation was accepted and waits for `other`
        Started,  ///< an operation started, at once or after it was queued
        Rejected, ///< an operation was refused
        Replayed, ///< a request with a known id got the original operation's answer
        Observed, ///< an operation that changes no state was done at once
        Worked,   ///< a piece of work ended in `outcome`, and the operation continues
        Began,    ///< delayed work began
        Closed,   ///< an operation ended in `outcome`
        Canceled, ///< an operation was canceled, by `other` where not 0
        Settled,  ///< a canceled operation's resources got a stable state, or were given to `other`
        Violated, ///< a constraint that held is broken
        Reported, ///< a server's answer shows that a resource, perhaps with descendants, changed
    };
    Kind kind = Kind::Started;
    quint32 operation = 0;
    quint32 other = 0;    ///< the operation that canceled, blocks, was replayed, or takes over
    quint32 requirer = 0; ///< the operation that required this one; 0: a client submitted it
    QSharedPointer<const Request> request; ///< Sent, Started, Rejected, Replayed, Observed
    QString path;
    Rules::StateId from = Rules::None, to = Rules::None; ///< of the resource at `path`
    Rules::TriggerId outcome = Rules::None;
    qint64 moved = 0;            ///< number of resources that changed state, including the target
    int attempts = 0;            ///< number of the operation's attempts so far
    QString code, message, rule; ///< of an error or a refusal
    int http = 0;
    int transition = Rules::None; ///< row that moved the target, or (Observed) set its properties
    int conflict = Rules::None;   ///< Canceled: the conflict row that decided
};

/// Creation of a resource, or removal of one with its descendants.
struct TreeChange
{
    Resource resource = NoResource;
    QString path {}; ///< of the created resource; empty: the resource was removed
    bool isCreation() const { return !path.isEmpty(); }
};

/// Affected resources of an operation after an event, as runs (first and last resource).
struct Holding
{
    quint32 operation = 0;
    std::vector<std::pair<Resource, Resource>> runs;
};

/// Log entry of an event, with all its effects.
struct Record
{
    Event event;
    std::vector<Change> changes;
    // Empty for untimed events without `recordsAll`.
    std::vector<TreeChange> treeChanges; ///< in the order in which they happened
    std::vector<Holding> holdings;       ///< of operations whose affected resources changed
    std::vector<int> unanswered; ///< labels of open conditions without answer, taken as false
    DirtyRegion dirty; ///< where resources changed, as positions in the tree after the event
    /// At a server: time of the last observation before all these changes, virtual ms; -1: the
    /// changes came with the event.
    qint64 since = -1;
};

} // namespace instar
