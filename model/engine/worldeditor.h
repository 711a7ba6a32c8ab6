// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/admission.h"
#include "model/engine/event.h"

namespace instar {

/// Editor of a world for one step: changes resources and keeps everything that depends on them up
/// to date (affected resources, timers, the record).
class WorldEditor
{
public:
    /// `exercised`, if not null, receives what is used of the rules.
    WorldEditor(const Rules &rules, World &world, Record &record, Exercised *exercised)
        : r(rules), w(world), m_record(record), m_exercised(exercised)
    { }

protected:
    using TriggerId = Rules::TriggerId;

    const Rules::Clock *timerOf(Resource resource) const;
    void setCode(Resource resource, Code code);
    /// Notes that a resource entered a state with a timer.
    void restartTimer(Resource resource);
    /// Creates a resource.
    Resource made(Resource parent, const QString &typePath, const QString &name,
        QStringView segment, Code code);
    /// Removes a resource and its descendants, on which nothing runs or waits.
    void remove(Resource top);

    /// Replaces a resource's references, properties and body by those of a request.
    void store(Resource resource, const Request &request);
    /// Merges a request's references and properties into those of a resource.
    void merge(Resource resource, const Request &request);
    /// Applies a merge patch to a resource's properties.
    void overlay(Resource resource, const QJsonObject &patch);
    /// Applies a row's assignments to a resource's properties.
    void assign(Resource resource, const Rules::Transition &row);
    /// Stamps a resource that changed without an operation's work.
    void stampInPlace(Resource resource);

    /// Makes a range part of an operation's affected resources, and takes it from operations that
    /// had only adopted it.
    void cover(Running &running, const Tree::Range &range);
    /// As cover(), but takes it from nobody.
    void hold(Running &running, const Tree::Range &range);
    /// As cover(), for one resource, which is stamped by the operation.
    void coverOne(quint32 serial, Resource resource);
    /// Removes a resource at rest from all affected resources except those of `except`, which is
    /// about to end with it.
    void rested(Resource resource, quint32 except = 0);
    /// Returns the part of `cover` that no running operation affects.
    Cover unanswered(Cover cover) const;

    /// Moves whole ranges by the outcome of an operation on them, where no row has a condition on
    /// single resources; returns the resources of all other ranges.
    std::vector<Resource> swept(const Cover &cover, TriggerId outcome);
    /// Moves a whole range by an event of an operation. Returns false and does nothing if a row has
    /// a condition on single resources.
    bool sweep(Running &running, const Tree::Range &range, TriggerId event);
    /// Returns the triggers tried in order on an affected resource when its operation has ended.
    std::vector<TriggerId> chainOf(TriggerId outcome) const;

    void touch(quint32 branch); ///< something changed in a branch
    void stir(quint32 branch);  ///< anything happened in a branch: its timers may be due
    void noteRow(int transition);

    const Rules &r;
    World &w;
    Record &m_record;
    Exercised *const m_exercised;
    bool m_isTold = true; ///< fills treeChanges and holdings, runs the clock
    qint64 m_moved = 0;   ///< number of state changes so far

    /// Resources that a canceled operation affected.
    struct Orphans
    {
        Cover cover;
        QSharedDataPointer<Running> canceled;
        quint32 by = 0;
        bool waitsForWork = false; ///< events sent by the work of `by` may still take these over
    };
    std::vector<Orphans> m_orphans;
    std::vector<quint32> m_held;     ///< operations whose affected resources changed
    std::vector<quint32> m_touched;  ///< branches in which constraints must be checked
    std::vector<quint32> m_stirred;  ///< branches in which anything happened, for timers
    std::vector<Resource> m_retimed; ///< resources whose timer began or whose properties changed

private:
    void retime(Resource resource);
    void noteRows(const Tree::Range &range, const std::vector<TriggerId> &chain);
};

} // namespace instar
