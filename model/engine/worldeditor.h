// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/admission.h"
#include "model/engine/clock.h"
#include "model/engine/event.h"

#include <algorithm>

namespace instar {

/// Editor of a world for one step: changes resources and keeps the affected resources, the timers
/// and the record up to date.
class WorldEditor
{
public:
    /// `exercised`, if not null, receives the rows and meetings used.
    WorldEditor(const Rules &rules, World &world, Record &record, Exercised *exercised)
        : r(rules), w(world), m_record(record), m_exercised(exercised)
    { }

protected:
    using TriggerId = Rules::TriggerId;

    void setCode(Resource resource, Code code)
    {
        const Code before = w.tree.code(resource);
        if (before == code)
            return;
        w.tree.setCode(resource, code);
        m_record.extent.add(rangeOf(w.tree.place(resource)));
        if (r.stateOf(before) != r.stateOf(code))
            ++m_moved;
        if (r.hasTimers()) {
            w.timed.remove(resource);
            if (timerOf(r, w, resource))
                restartTimer(resource);
        }
        markChanged(w.tree.place(resource).branch);
    }

    /// Starts the timer of a resource that entered a state with one.
    void restartTimer(Resource resource)
    {
        w.timed.insert(resource, { w.now });
        retime(resource);
    }

    Resource create(Resource parent, const QString &typePath, const QString &name,
        QStringView segment, Code code)
    {
        const Resource resource =
            w.tree.create(parent, w.tree.typeAt(typePath), name, code, 0, segment);
        const Tree::Place place = w.tree.place(resource);
        m_record.extent.addBranch(place.branch);
        if (m_recordsAll)
            m_record.treeChanges.push_back({ resource, w.tree.path(resource) });
        for (const quint32 serial : w.busy.value(place.branch)) {
            if (Running *running = w.change(serial)) {
                makeRoom(running->affected, place);
                makeRoom(running->adopted, place);
            }
        }
        for (Orphans &orphans : m_orphans)
            makeRoom(orphans.affected, place);
        return resource;
    }

    /// Removes a resource and its descendants, on which nothing runs or waits.
    void remove(Resource top)
    {
        const Tree::Range range = w.tree.subtree(top);
        for (const quint32 serial : w.busy.value(range.branch)) {
            if (Running *running = w.change(serial)) {
                forget(running->affected, range);
                forget(running->adopted, range);
                if (range.begin == 0) // the whole branch: its number may be reused
                    running->branches.removeOne(range.branch);
            }
        }
        if (range.begin == 0)
            w.busy.remove(range.branch);
        for (Orphans &orphans : m_orphans)
            forget(orphans.affected, range);
        if (!w.references.isEmpty() || !w.properties.isEmpty() || !w.bodies.isEmpty()
            || !w.timed.isEmpty()) {
            for (quint32 position = range.begin; position < range.end; ++position) {
                const Resource resource = w.tree.at(range.branch, position);
                w.properties.remove(resource);
                w.bodies.remove(resource);
                w.timed.remove(resource);
                forgetReferences(w, resource);
            }
        }
        markChanged(range.branch);
        m_record.extent.addBranch(range.branch);
        if (m_recordsAll)
            m_record.treeChanges.push_back({ .resource = top });
        m_moved += range.size();
        w.tree.remove(top);
    }

    // ---- Properties, references and bodies

    /// Replaces a resource's references, properties and body by those of a request.
    void store(Resource resource, const Request &request)
    {
        forgetReferences(w, resource);
        addReferences(w, resource, request.references);
        const bool merges = r.merges(r.trigger(request.op)); // into an empty object
        put(w.properties, resource,
            merges ? Properties(merged({}, request.properties.object())) : request.properties);
        put(w.bodies, resource, request.body);
        retime(resource);
    }

    /// Merges a request's references and properties into those of a resource.
    void merge(Resource resource, const Request &request)
    {
        QStringList more = request.references;
        const QStringList known = w.references.value(resource);
        more.removeIf([&](const QString &path) { return known.contains(path); });
        addReferences(w, resource, more);
        if (!request.properties.isEmpty())
            overlay(resource, request.properties.object());
    }

    /// Applies a merge patch to a resource's properties.
    void overlay(Resource resource, const QJsonObject &patch)
    {
        w.properties.insert(resource, merged(w.properties.value(resource), patch));
        w.bodies.remove(resource); // the document that a client stored is outdated
        retime(resource);
    }

    /// Applies a row's assignments to a resource's properties.
    void assign(Resource resource, const Rules::Transition &row)
    {
        if (!row.sets)
            return;
        QJsonObject properties = w.properties.value(resource);
        for (const Assignment &assignment : r.row(row).set) {
            const QJsonValue before = properties.value(assignment.property);
            if (assignment.add && before.isDouble())
                properties.insert(assignment.property, before.toInteger() + *assignment.add);
            else if (!assignment.add && assignment.value.isNull())
                properties.remove(assignment.property);
            else if (!assignment.add)
                properties.insert(assignment.property, assignment.value);
        }
        put(w.properties, resource, properties);
        w.bodies.remove(resource);
        retime(resource);
    }

    /// Stamps a resource that changed without an operation's work.
    void stampInPlace(Resource resource)
    {
        const Tree::Range range = rangeOf(w.tree.place(resource));
        if (r.stampsAtStart() || r.stampsAtEnd())
            w.tree.stampRange(range, ++w.stamp);
        m_record.extent.add(range);
        markChanged(range.branch);
    }

    // ---- Affected resources

    /// Makes a range part of an operation's affected resources, and takes it from operations that
    /// had only adopted it.
    void affect(Running &running, const Tree::Range &range)
    {
        for (const quint32 serial : w.busy.value(range.branch)) {
            const Running *other = w.find(serial);
            if (!other || other->adopted.empty())
                continue;
            const AffectedResources kept = without(other->adopted, { range });
            const AffectedResources lost = without(other->adopted, kept);
            if (lost.empty())
                continue;
            Running &changed = *w.change(serial);
            changed.adopted = kept;
            if (serial == running.serial)
                continue;
            changed.affected = without(changed.affected, lost);
            m_changedHoldings.push_back(serial);
        }
        addAffected(running, range);
    }

    /// As affect(), but other operations keep what they adopted.
    void addAffected(Running &running, const Tree::Range &range)
    {
        include(running.affected, range);
        m_changedHoldings.push_back(running.serial);
        markActive(range.branch);
        m_record.extent.add(range);
        if (!running.branches.contains(range.branch)) {
            running.branches.append(range.branch);
            w.busy[range.branch].append(running.serial);
        }
    }

    /// As affect(), for one resource, which is stamped by the operation.
    void affectOne(quint32 serial, Resource resource)
    {
        Running &running = *w.change(serial);
        const Tree::Range range = rangeOf(w.tree.place(resource));
        affect(running, range);
        if (running.stamp)
            w.tree.stampRange(range, running.stamp);
    }

    /// Removes a resource that came to rest from the affected resources of all operations but
    /// `except`, which is about to end.
    void releaseRested(Resource resource, quint32 except = 0)
    {
        const Tree::Place place = w.tree.place(resource);
        const auto busy = w.busy.constFind(place.branch);
        if (busy == w.busy.constEnd() || busy->size() < 2)
            return;
        const AffectedResources hole { rangeOf(place) };
        for (const quint32 serial : *busy) {
            const Running *running = w.find(serial);
            if (!running || serial == except || !covers(running->affected, place))
                continue;
            m_record.extent.add(hole.front());
            m_changedHoldings.push_back(serial);
            Running &changed = *w.change(serial);
            changed.affected = without(changed.affected, hole);
            changed.adopted = without(changed.adopted, hole);
        }
    }

    /// Returns the part of `affected` that no running operation affects.
    AffectedResources unaffectedPart(AffectedResources affected) const
    {
        std::vector<quint32> branches;
        for (const Tree::Range &range : affected)
            addOnce(branches, range.branch);
        for (const quint32 branch : branches) {
            for (const quint32 serial : w.busy.value(branch))
                affected = without(std::move(affected), w.find(serial)->affected);
        }
        return affected;
    }

    // ---- Sweeps

    /// Moves whole ranges by the outcome of an operation on them. Returns the resources of the
    /// ranges in which some row has a condition on single resources.
    std::vector<Resource> swept(const AffectedResources &affected, TriggerId outcome)
    {
        std::vector<Resource> single;
        for (const Tree::Range &range : affected) {
            const std::vector<Code> map = sweepMap(w.tree, range.branch, [&](Code code) {
                const auto swept = r.sweptByOutcome(code, outcome);
                const bool works = r.stateIn(code).isTransitional();
                return swept && (swept->moves || !works) ? std::optional(swept->to) : std::nullopt;
            });
            if (!map.empty()) {
                noteRows(range, chainOf(outcome));
                m_moved += w.tree.apply(range, map, 0);
                m_record.extent.add(range);
                markChanged(range.branch);
                continue;
            }
            for (quint32 position = range.begin; position < range.end; ++position)
                single.push_back(w.tree.at(range.branch, position));
        }
        return single;
    }

    /// Moves a whole range by an event of an operation. Returns false and does nothing if a row has
    /// a condition on single resources.
    bool sweep(Running &running, const Tree::Range &range, TriggerId event)
    {
        const std::vector<Code> map = sweepMap(w.tree, range.branch, [&](Code code) {
            const auto swept = r.sweptByEvent(code, event);
            return swept && swept->moves ? std::optional(swept->to) : std::nullopt;
        });
        if (map.empty())
            return false;
        noteRows(range, { event });
        m_moved += w.tree.apply(range, map, running.stamp);
        markChanged(range.branch);
        affect(running, range);
        return true;
    }

    /// Returns the triggers to try, in order, on an affected resource after its operation's end.
    std::vector<Rules::TriggerId> chainOf(TriggerId outcome) const
    {
        if (outcome == r.canceled)
            return { outcome };
        return { outcome, r.invalid, r.failed };
    }

    /// Marks a branch in which something changed: constraints and timers must be checked.
    void markChanged(quint32 branch)
    {
        markActive(branch);
        if (!r.constraints().empty())
            addOnce(m_changedBranches, branch);
    }

    /// Marks a branch in which something happened: timers must be checked.
    void markActive(quint32 branch)
    {
        if (r.hasTimers())
            addOnce(m_activeBranches, branch);
    }

    void noteRow(int transition)
    {
        if (m_exercised && transition != Rules::None)
            m_exercised->rows.insert(transition);
    }

    const Rules &r;
    World &w;
    Record &m_record;
    Exercised *const m_exercised;
    bool m_recordsAll = true; ///< fills treeChanges and holdings, runs the clock
    qint64 m_moved = 0;       ///< number of state changes so far

    /// Resources that a canceled operation affected, to be put to rest.
    struct Orphans
    {
        AffectedResources affected;
        QSharedDataPointer<Running> canceled;
        quint32 by = 0;
        bool waitsForWork = false; ///< events sent by the work of `by` may still take these over
    };
    std::vector<Orphans> m_orphans;
    std::vector<quint32> m_changedHoldings; ///< operations whose affected resources changed
    std::vector<quint32> m_changedBranches; ///< branches in which constraints must be checked
    std::vector<quint32> m_activeBranches;  ///< branches in which anything happened, for timers
    std::vector<Resource> m_retimed; ///< resources whose timer began or whose properties changed

private:
    /// Maps each code in a branch to its code after a sweep; empty if `swept` is null for one.
    static std::vector<Code> sweepMap(const Tree &tree, quint32 branch, const auto &swept)
    {
        const std::span<const quint32> counts = tree.branchCounts(branch);
        std::vector<Code> map(counts.size());
        for (size_t code = 0; code < counts.size(); ++code) {
            const std::optional<Code> to =
                counts[code] ? swept(Code(code)) : std::optional(Code(code));
            if (!to)
                return {};
            map[code] = *to;
        }
        return map;
    }

    template<typename Value>
    static void addOnce(std::vector<Value> &list, const Value &value)
    {
        if (std::ranges::find(list, value) == list.end())
            list.push_back(value);
    }

    void retime(Resource resource)
    {
        if (!r.hasTimers())
            return;
        markActive(w.tree.place(resource).branch);
        m_retimed.push_back(resource);
    }

    /// Records the rows that move a whole range as exercised: the first row of each state.
    void noteRows(const Tree::Range &range, const std::vector<TriggerId> &chain)
    {
        if (!m_exercised)
            return;
        const bool isEnd = chain.front() == r.canceled || chain.size() > 1; // for running work only
        std::set<Rules::StateId> seen;
        for (quint32 position = range.begin; position < range.end; ++position) {
            const Rules::StateId state = r.stateOf(w.tree.code(w.tree.at(range.branch, position)));
            const bool hears = isEnd ? r.state(state).isTransitional()
                                     : r.state(state).kind != State::Kind::Initial;
            if (!hears || !seen.insert(state).second)
                continue;
            const auto speaks = std::ranges::find_if(
                chain, [&](TriggerId trigger) { return !r.candidates(state, trigger).empty(); });
            if (speaks != chain.end())
                noteRow(r.candidates(state, *speaks).front());
        }
    }
};

} // namespace instar
