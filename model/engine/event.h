// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/world.h"
#include "model/machine/tree.h"

#include <vector>

namespace instar {

/// Where resources have moved: whose state, etag, or operation at work is another one. Of each
/// branch concerned one run of neighbours around all of them, or the whole branch where resources
/// were made or removed, and positions before and after are not the same.
class Extent
{
public:
    void add(const Tree::Range &range);
    void addBranch(quint32 branch);
    /// What has moved later.
    void add(const Extent &later);

    bool isEmpty() const { return m_runs.empty(); }
    const std::vector<Tree::Range> &runs() const { return m_runs; } ///< by branch
    /// Whether a run is that of a branch in which resources were made or removed.
    static bool isWhole(const Tree::Range &run) { return run.end == Everything; }
    bool contains(const Tree::Place &place) const;
    /// Empty where nothing has moved in the branch.
    Tree::Range runOf(quint32 branch) const;
    bool operator==(const Extent &) const = default;

private:
    static constexpr quint32 Everything = ~0u;
    std::vector<Tree::Range> m_runs;
};

/// What may happen next.
struct Event
{
    enum class Kind {
        Submit, ///< a client asks
        End,    ///< an attempt ends, as planned or with `outcome`
        Begin,  ///< delayed work begins, or work goes on that waited for a time
        Expire, ///< the time is over that the work in a state may take
        Fire,   ///< the clock fires a resource's timer
        Cancel, ///< a person withdraws an operation
        Wait,   ///< nothing but time passes
    };
    Kind kind = Kind::Wait;
    qint64 time = 0;                        ///< virtual ms at which it happens
    QSharedPointer<const Request> request;  ///< Submit
    quint32 operation = 0;                  ///< End, Begin, Expire, Cancel: serial
    Rules::TriggerId outcome = Rules::None; ///< End: None: as planned
    Resource resource = NoResource;         ///< Fire
    QMap<int, bool>
        answers;           ///< to conditions that the pack leaves open, for the operation concerned
    bool timeless = false; ///< `Elapsed` is answered like an open condition: time is free
    bool isTold = false; ///< though timeless: what it does to the tree, to covers and to the clock
    /// Answers to open conditions that others ask for which run.
    struct OthersAnswer
    {
        quint32 operation = 0; ///< serial
        int label = 0;
        bool isSo = false;
    };
    std::vector<OthersAnswer> othersAnswers {};
};

/// One thing that an event led to.
struct Change
{
    enum class Kind {
        Sent,     ///< an operation was asked of a server that has not answered yet
        Queued,   ///< an operation was accepted and waits for `other`
        Started,  ///< an operation was accepted, now or when it was queued
        Rejected, ///< an operation was refused
        Replayed, ///< a known request id: the first operation is the answer
        Observed, ///< done at once, nothing moved
        Worked,   ///< a piece of work ended in `outcome`, and led on
        Began,    ///< delayed work began
        Closed,   ///< an operation ended in `outcome`
        Canceled, ///< an operation was canceled, by `other` where not 0
        Settled,  ///< what a canceled operation left behind was put to rest, or given to `other`
        Violated, ///< a constraint that held is broken
        Seen,     ///< a server shows a resource, and perhaps others below it, otherwise than before
    };
    Kind kind = Kind::Started;
    quint32 operation = 0;
    quint32 other = 0; ///< the operation that canceled, is in the way, answers already, or adopts
    quint32 requirer = 0; ///< the operation that required this one; 0: a client asked
    QSharedPointer<const Request> request; ///< Sent, Started, Rejected, Replayed, Observed
    QString path;
    Rules::StateId from = Rules::None, to = Rules::None;
    Rules::TriggerId outcome = Rules::None;
    qint64 moved = 0;            ///< resources whose state changed with it, the target included
    int attempts = 0;            ///< of the operation so far
    QString code, message, rule; ///< of an error or a refusal
    int http = 0;
    int transition = Rules::None; ///< Started, Worked: the row of the rules that its target took;
                                  ///< Observed: the row that has changed its properties
    int conflict = Rules::None;   ///< Canceled: the row of the pack's conflicts that says so
    qint64 notBefore =
        -1; ///< Closed, Canceled at a server: it was seen at work then; virtual ms. It
            ///< ended at some moment between then and the event. -1: with the event
};

/// A resource that was made; or that was removed, with all below it.
struct TreeChange
{
    Resource resource = NoResource;
    QString path; ///< of one that was made; empty: it was removed
    bool isMade() const { return !path.isEmpty(); }
};

/// What an operation answers for from an event on: runs of neighbours, each by its first and last
/// resource.
struct Holding
{
    quint32 operation = 0;
    std::vector<std::pair<Resource, Resource>> runs;
};

/// An event that happened, and all it led to.
struct Record
{
    Event event;
    std::vector<Change> changes;
    // Of `timeless` events neither is told, unless they ask for it.
    std::vector<TreeChange> treeChanges; ///< of the tree, in order
    std::vector<Holding> holdings;       ///< where they are others than before
    std::vector<int>
        asked;     ///< open conditions that were looked at and had no answer: taken as false
    Extent extent; ///< where resources moved, as they stand after the event
    /// At a server, where nobody sees when things happen: nothing of that had moved yet; virtual
    /// ms. -1: it moved with the event.
    qint64 since = -1;
};

} // namespace instar
