// SPDX-License-Identifier: Apache-2.0
#include "model/engine/admission.h"
#include "model/engine/stepper.h"

#include <algorithm>

namespace instar {

namespace {

/// Maps each code in a branch to its code after a sweep; empty if `swept` is undefined for one.
template<typename Swept>
std::vector<Code> sweepMap(const Tree &tree, quint32 branch, Swept swept)
{
    const std::span<const quint32> counts = tree.branchCounts(branch);
    std::vector<Code> map(counts.size());
    for (size_t code = 0; code < counts.size(); ++code) {
        const std::optional<Code> to = counts[code] ? swept(Code(code)) : std::optional(Code(code));
        if (!to)
            return {};
        map[code] = *to;
    }
    return map;
}

} // namespace

void Stepper::setCode(Resource resource, Code code)
{
    const Code before = w.tree.code(resource);
    if (before == code)
        return;
    w.tree.setCode(resource, code);
    m_record.extent.add(only(w.tree.place(resource)));
    if (r.stateOf(before) != r.stateOf(code))
        ++m_moved;
    if (r.hasTimers()) {
        w.timed.remove(resource);
        if (timerOf(resource)) {
            w.timed.insert(resource, { w.now });
            retime(resource);
        }
    }
    touch(w.tree.place(resource).branch);
}

void Stepper::touch(quint32 branch)
{
    stir(branch);
    if (!r.constraints().empty() && std::ranges::find(m_touched, branch) == m_touched.end())
        m_touched.push_back(branch);
}

void Stepper::stir(quint32 branch)
{
    if (r.hasTimers() && std::ranges::find(m_stirred, branch) == m_stirred.end())
        m_stirred.push_back(branch);
}

void Stepper::retime(Resource resource)
{
    if (!r.hasTimers())
        return;
    stir(w.tree.place(resource).branch);
    m_retimed.push_back(resource);
}

/// Makes a range part of an operation's affected resources, and takes it from operations that had
/// only adopted it.
void Stepper::cover(Running &running, const Tree::Range &range)
{
    for (const quint32 serial : w.busy.value(range.branch)) {
        const Running *other = w.find(serial);
        if (!other || other->adopted.empty())
            continue;
        const Cover own { range };
        const Cover kept = without(other->adopted, { &own });
        const Cover lost = without(other->adopted, { &kept });
        if (lost.empty())
            continue;
        Running &changed = *w.change(serial);
        changed.adopted = kept;
        if (serial == running.serial)
            continue;
        changed.cover = without(changed.cover, { &lost });
        m_held.push_back(serial);
    }
    hold(running, range);
}

void Stepper::hold(Running &running, const Tree::Range &range)
{
    include(running.cover, range);
    m_held.push_back(running.serial);
    stir(range.branch);
    m_record.extent.add(range);
    if (!running.branches.contains(range.branch)) {
        running.branches.append(range.branch);
        w.busy[range.branch].append(running.serial);
    }
}

void Stepper::coverOne(quint32 serial, Resource resource)
{
    Running &running = *w.change(serial);
    const Tree::Range range = only(w.tree.place(resource));
    cover(running, range);
    if (running.stamp)
        w.tree.stampRange(range, running.stamp);
}

Resource Stepper::made(
    Resource parent, const QString &typePath, const QString &name, QStringView segment, Code code)
{
    const Resource resource =
        w.tree.create(parent, w.tree.typeAt(typePath), name, code, 0, segment);
    const Tree::Place place = w.tree.place(resource);
    m_record.extent.addBranch(place.branch);
    if (m_isTold)
        m_record.treeChanges.push_back({ resource, w.tree.path(resource) });
    for (const quint32 serial : w.busy.value(place.branch)) {
        if (Running *running = w.change(serial)) {
            makeRoom(running->cover, place);
            makeRoom(running->adopted, place);
        }
    }
    for (Orphans &orphans : m_orphans)
        makeRoom(orphans.cover, place);
    return resource;
}

void Stepper::forgetReferences(Resource resource)
{
    instar::forgetReferences(w, resource);
}

/// Replaces a resource's references, properties and body by those of a request.
void Stepper::store(Resource resource, const Request &request)
{
    forgetReferences(resource);
    addReferences(w, resource, request.references);
    const bool merges = r.merges(r.trigger(request.op)); // into an empty object
    if (!request.properties.isEmpty())
        w.properties.insert(resource,
            merges ? Properties(merged({}, request.properties.object())) : request.properties);
    else
        w.properties.remove(resource);
    if (!request.body.isEmpty())
        w.bodies.insert(resource, request.body);
    else
        w.bodies.remove(resource);
    retime(resource);
}

/// Merges a request's references and properties into those of a resource.
void Stepper::merge(Resource resource, const Request &request)
{
    QStringList more = request.references;
    const QStringList known = w.references.value(resource);
    more.removeIf([&](const QString &path) { return known.contains(path); });
    addReferences(w, resource, more);
    if (request.properties.isEmpty())
        return;
    overlay(resource, request.properties.object());
}

/// Merges an attempt's answer into the target's properties.
void Stepper::takeAnswer(const Running &running)
{
    if (!running.says.isEmpty())
        overlay(running.target, running.says);
}

void Stepper::overlay(Resource resource, const QJsonObject &patch)
{
    w.properties.insert(resource, merged(w.properties.value(resource), patch));
    w.bodies.remove(resource);
    retime(resource);
}

/// Applies a row's assignments to a resource's properties, and drops the document that a client
/// stored, because it is outdated.
void Stepper::assign(Resource resource, const Rules::Transition &row)
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
    if (properties.isEmpty())
        w.properties.remove(resource);
    else
        w.properties.insert(resource, properties);
    w.bodies.remove(resource);
    retime(resource);
}

/// Sets the properties of a resource that an operation leaves in its state. Changes the etag;
/// running operations go on.
void Stepper::setInPlace(const Admission &observed, Change *change)
{
    const Rules::Transition &row = r.transition(observed.transition);
    if (observed.target == NoResource || !row.sets)
        return;
    const Tree::Place place = w.tree.place(observed.target);
    assign(observed.target, row);
    if (r.stampsAtStart() || r.stampsAtEnd())
        w.tree.stampRange(only(place), ++w.stamp);
    m_record.extent.add(only(place));
    touch(place.branch);
    change->transition = observed.transition;
}

/// Stores the contents of a request. Missing resources are created as by the operation and become
/// its affected resources.
void Stepper::storeContents(quint32 serial, const Request &request)
{
    for (const Request &content : request.contents) {
        Resource resource = w.tree.find(content.path);
        if (resource == NoResource) {
            Subject subject = subjectAt(r, w, content.path);
            if (subject.machine == Rules::None || subject.parent == NoResource)
                continue;
            subject.creating = &content;
            const Code absent = codeOf(r, w, subject);
            const Taken found =
                instar::taken(subject, absent, w.find(serial)->op, asking(*w.find(serial)));
            if (!found.possible || r.state(r.stateOf(found.code)).kind == State::Kind::Initial)
                continue;
            const QString segment = content.path.section(u'/', -2, -2);
            const int above = w.tree.type(subject.parent);
            const int type = w.tree.childType(above, segment);
            const QString typePath =
                type < 0 ? w.tree.typePath(above) + u'/' + segment : w.tree.typePath(type);
            resource =
                made(subject.parent, typePath, content.path.section(u'/', -1), segment, absent);
            noteRow(found.transition);
            setCode(resource, found.code);
            coverOne(serial, resource);
            store(resource, content);
            assign(resource, r.transition(found.transition));
            continue;
        }
        if (r.merges(w.find(serial)->op))
            merge(resource, content);
        else
            store(resource, content);
    }
}

/// Removes the resources missing from replaced collections, last first, because removal shifts the
/// places behind.
void Stepper::removeReplaced(quint32 serial, const SharedRequest &request)
{
    const std::vector<Resource> goes = replacedBy(w, *request);
    for (auto child = goes.crbegin(); child != goes.crend(); ++child)
        removeAll(*child, serial, serial);
}

/// Cancels waiting operations whose target, or future parent, is removed.
void Stepper::cancelQueuedIn(const Tree::Range &range, quint32 by)
{
    std::vector<quint32> gone;
    for (const auto &queued : w.queue) {
        if (queued->target == NoResource)
            continue;
        const Tree::Place place = w.tree.place(queued->target);
        if (place.branch == range.branch && place.position >= range.begin
            && place.position < range.end)
            gone.push_back(queued->serial);
    }
    for (const quint32 serial : gone)
        cancel(serial, by);
}

/// Removes a resource and its descendants, and cancels operations on them except `spare`. `by`: the
/// operation that removes them.
void Stepper::removeAll(Resource top, quint32 by, quint32 spare)
{
    const Tree::Range range = w.tree.subtree(top);
    const QList<quint32> busy = w.busy.value(range.branch);
    for (const quint32 serial : busy) {
        const Running *running = w.find(serial);
        if (!running || serial == spare)
            continue;
        const Tree::Place place = w.tree.place(running->target);
        if (place.branch == range.branch && place.position >= range.begin
            && place.position < range.end)
            cancel(serial, serial == by ? 0 : by);
    }
    cancelQueuedIn(range, by);
    for (const quint32 serial : busy) {
        if (Running *running = w.change(serial)) {
            forget(running->cover, range);
            forget(running->adopted, range);
        }
    }
    for (Orphans &orphans : m_orphans)
        forget(orphans.cover, range);

    if (!w.references.isEmpty() || !w.properties.isEmpty() || !w.bodies.isEmpty()
        || !w.timed.isEmpty()) {
        for (quint32 position = range.begin; position < range.end; ++position) {
            const Resource resource = w.tree.at(range.branch, position);
            w.properties.remove(resource);
            w.bodies.remove(resource);
            w.timed.remove(resource);
            forgetReferences(resource);
        }
    }
    if (range.begin == 0) { // the whole branch: its number may be reused
        for (const quint32 serial : w.busy.take(range.branch)) {
            if (Running *running = w.change(serial))
                running->branches.removeOne(range.branch);
        }
    }
    touch(range.branch);
    m_record.extent.addBranch(range.branch);
    if (m_isTold)
        m_record.treeChanges.push_back({ .resource = top, .path = {} });
    m_moved += range.size();
    w.tree.remove(top);
}

/// Returns the code for a resource whose machine has no row for an outcome: its last rested state,
/// or the machine's rest state where that is not kept.
Code Stepper::retreat(Code code) const
{
    const Rules::MachineRule &machine = r.machines()[size_t(r.state(r.stateOf(code)).machine)];
    return machine.keepsLast ? r.resolved(code, { Rules::Target::Kind::Last, Rules::None })
                             : r.resting(machine.rest);
}

/// Removes a resource at rest from all affected resources except those of `except`, which is about
/// to end with it.
void Stepper::rested(Resource resource, quint32 except)
{
    const Tree::Place place = w.tree.place(resource);
    const auto busy = w.busy.constFind(place.branch);
    if (busy == w.busy.constEnd() || busy->size() < 2)
        return;
    for (const quint32 serial : *busy) {
        const Running *running = w.find(serial);
        if (!running || serial == except || !covers(running->cover, place))
            continue;
        m_record.extent.add(only(place));
        const Cover hole { only(place) };
        m_held.push_back(serial);
        Running &changed = *w.change(serial);
        changed.cover = without(changed.cover, { &hole });
        changed.adopted = without(changed.adopted, { &hole });
    }
}

/// Moves whole ranges whose rows have no condition on single resources; returns the resources of
/// all other ranges.
std::vector<Resource> Stepper::swept(const Cover &cover, TriggerId outcome)
{
    std::vector<Resource> single;
    for (const Tree::Range &range : cover) {
        const std::vector<Code> map = sweepMap(w.tree, range.branch, [&](Code code) {
            const auto swept = r.sweptByOutcome(code, outcome);
            const bool works = r.state(r.stateOf(code)).isTransitional();
            return swept && (swept->moves || !works) ? std::optional(swept->to) : std::nullopt;
        });
        if (!map.empty()) {
            noteRows(range, chainOf(outcome));
            m_moved += w.tree.apply(range, map, 0);
            m_record.extent.add(range);
            touch(range.branch);
            continue;
        }
        for (quint32 position = range.begin; position < range.end; ++position)
            single.push_back(w.tree.at(range.branch, position));
    }
    return single;
}

/// Moves a whole range by an event. Returns false and does nothing if a row has a condition on
/// single resources.
bool Stepper::sweep(quint32 serial, const Tree::Range &range, TriggerId event)
{
    const std::vector<Code> map = sweepMap(w.tree, range.branch, [&](Code code) {
        const auto swept = r.sweptByEvent(code, event);
        return swept && swept->moves ? std::optional(swept->to) : std::nullopt;
    });
    if (map.empty())
        return false;
    noteRows(range, { event });
    Running &running = *w.change(serial);
    m_moved += w.tree.apply(range, map, running.stamp);
    touch(range.branch);
    cover(running, range);
    return true;
}

/// Notes the rows that move a whole range: the first row of each state.
void Stepper::noteRows(const Tree::Range &range, const std::vector<TriggerId> &chain)
{
    if (!m_exercised)
        return;
    const bool isEnd = chain.front() == r.canceled || chain.size() > 1; // for running work only
    std::set<Rules::StateId> seen;
    for (quint32 position = range.begin; position < range.end; ++position) {
        const Rules::StateId state = r.stateOf(w.tree.code(w.tree.at(range.branch, position)));
        const bool hears =
            isEnd ? r.state(state).isTransitional() : r.state(state).kind != State::Kind::Initial;
        if (!hears || !seen.insert(state).second)
            continue;
        const auto speaks = std::ranges::find_if(
            chain, [&](TriggerId trigger) { return !r.candidates(state, trigger).empty(); });
        if (speaks != chain.end())
            noteRow(r.candidates(state, *speaks).front());
    }
}

/// Returns the triggers tried in order on an affected resource when its operation has ended.
std::vector<Rules::TriggerId> Stepper::chainOf(TriggerId outcome) const
{
    if (outcome == r.canceled)
        return { outcome };
    return { outcome, r.invalid, r.failed };
}

/// Returns the affected resources that an outcome would remove although another operation, which
/// has ended, moved them to their state: these stay, at rest.
std::vector<Resource> Stepper::begunByOthers(const Running &running, TriggerId outcome)
{
    std::vector<Resource> found;
    for (const Tree::Range &range : unanswered(w, running.cover, 0)) {
        const std::span<const quint32> counts = w.tree.branchCounts(range.branch);
        bool isElsewhere = false; // usually all are in the state of the operation's own work
        for (size_t code = 0; !isElsewhere && code < counts.size(); ++code) {
            const Rules::StateId state = r.stateOf(Code(code));
            isElsewhere = counts[code] && state != running.work && r.state(state).isTransitional();
        }
        for (quint32 position = range.begin; isElsewhere && position < range.end; ++position) {
            const Resource resource = w.tree.at(range.branch, position);
            const Code code = w.tree.code(resource);
            if (w.tree.stamp(resource) <= running.stamp
                || !r.state(r.stateOf(code)).isTransitional())
                continue;
            const Taken taken =
                instar::taken(subjectOf(r, w, resource), code, outcome, asking(running));
            if (taken.possible && r.state(r.stateOf(taken.code)).kind == State::Kind::Initial)
                found.push_back(resource);
        }
    }
    return found;
}

void Stepper::tell(const Cover &cover, TriggerId outcome, const Asking &asking)
{
    std::vector<Resource> unsettled;
    for (const Resource resource : swept(cover, outcome)) {
        if (w.tree.exists(resource) && !tellOne(resource, outcome, asking))
            unsettled.push_back(resource);
    }
    adopt(0, unsettled, asking);
}

/// Moves an affected resource by an outcome; returns false if no row exists for a cancellation.
bool Stepper::tellOne(Resource resource, TriggerId outcome, const Asking &asking)
{
    const Code code = w.tree.code(resource);
    if (!r.state(r.stateOf(code)).isTransitional())
        return true;
    const auto moveTo = [&](Code after, const Rules::Transition *row) {
        if (r.state(r.stateOf(after)).kind == State::Kind::Initial) {
            removeAll(resource, 0);
            return;
        }
        setCode(resource, after);
        if (row)
            assign(resource, *row);
        rested(resource);
    };
    for (const TriggerId trigger : chainOf(outcome)) {
        const Taken found = instar::taken(subjectOf(r, w, resource), code, trigger, asking);
        if (found.possible && !r.state(r.stateOf(found.code)).isTransitional()) {
            noteRow(found.transition);
            moveTo(found.code, &r.transition(found.transition));
            return true;
        }
    }
    if (outcome == r.canceled)
        return false;
    moveTo(retreat(code), nullptr);
    return true;
}

void Stepper::settleOrphans(Which which)
{
    const auto isTurn = [which](const Orphans &orphans) {
        return which == Which::All || !orphans.waitsForWork;
    };
    for (auto next = std::ranges::find_if(m_orphans, isTurn); next != m_orphans.end();
         next = std::ranges::find_if(m_orphans, isTurn)) {
        const Orphans orphans = std::move(*next);
        m_orphans.erase(next);
        const qint64 before = m_moved;
        const Asking asking = this->asking(*orphans.canceled.constData());
        const Cover left = unanswered(w, orphans.cover, 0);
        std::vector<Resource> unsettled;
        for (const Resource resource : swept(left, r.canceled)) {
            if (w.tree.exists(resource) && !tellOne(resource, r.canceled, asking))
                unsettled.push_back(resource);
        }
        adopt(orphans.by, unsettled, asking);
        if (m_moved != before || (!unsettled.empty() && w.find(orphans.by))) {
            m_record.changes.push_back({ .kind = Change::Kind::Settled,
                .operation = orphans.canceled.constData()->serial,
                .other = unsettled.empty() ? 0 : orphans.by,
                .path = orphans.canceled.constData()->path,
                .outcome = r.canceled,
                .moved = m_moved - before });
        }
        m_moved = before; // reported in the change, and not counted again
    }
}

/// Gives resources that no row puts to rest to the canceling operation; if it has ended already,
/// moves them by its outcome.
void Stepper::adopt(quint32 by, const std::vector<Resource> &resources, const Asking &asking)
{
    if (w.find(by)) {
        Cover runs;
        for (const Resource resource : resources) {
            if (!w.tree.exists(resource))
                continue;
            const Tree::Place place = w.tree.place(resource);
            if (!runs.empty() && runs.back().branch == place.branch
                && runs.back().end == place.position)
                ++runs.back().end;
            else
                runs.push_back(only(place));
        }
        for (const Tree::Range &range : runs) {
            Running &adopting = *w.change(by);
            hold(adopting, range);
            include(adopting.adopted, range);
        }
        return;
    }
    const auto ended = std::ranges::find(m_closed, by, &std::pair<quint32, TriggerId>::first);
    const TriggerId outcome =
        ended == m_closed.end() || ended->second == r.canceled ? r.failed : ended->second;
    for (const Resource resource : resources) {
        if (w.tree.exists(resource))
            tellOne(resource, outcome, asking);
    }
}

} // namespace instar
