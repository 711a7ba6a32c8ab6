// SPDX-License-Identifier: Apache-2.0
#include "model/engine/worldeditor.h"

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

template<typename Value>
void addOnce(std::vector<Value> &list, const Value &value)
{
    if (std::ranges::find(list, value) == list.end())
        list.push_back(value);
}

} // namespace

const Rules::Clock *WorldEditor::timerOf(Resource resource) const
{
    const auto &timer = r.state(r.stateOf(w.tree.code(resource))).timer;
    return timer ? &*timer : nullptr;
}

void WorldEditor::setCode(Resource resource, Code code)
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
        if (timerOf(resource))
            restartTimer(resource);
    }
    touch(w.tree.place(resource).branch);
}

void WorldEditor::restartTimer(Resource resource)
{
    w.timed.insert(resource, { w.now });
    retime(resource);
}

void WorldEditor::touch(quint32 branch)
{
    stir(branch);
    if (!r.constraints().empty())
        addOnce(m_touched, branch);
}

void WorldEditor::stir(quint32 branch)
{
    if (r.hasTimers())
        addOnce(m_stirred, branch);
}

void WorldEditor::retime(Resource resource)
{
    if (!r.hasTimers())
        return;
    stir(w.tree.place(resource).branch);
    m_retimed.push_back(resource);
}

Resource WorldEditor::made(
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

void WorldEditor::remove(Resource top)
{
    const Tree::Range range = w.tree.subtree(top);
    for (const quint32 serial : w.busy.value(range.branch)) {
        if (Running *running = w.change(serial)) {
            forget(running->cover, range);
            forget(running->adopted, range);
            if (range.begin == 0) // the whole branch: its number may be reused
                running->branches.removeOne(range.branch);
        }
    }
    if (range.begin == 0)
        w.busy.remove(range.branch);
    for (Orphans &orphans : m_orphans)
        forget(orphans.cover, range);
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
    touch(range.branch);
    m_record.extent.addBranch(range.branch);
    if (m_isTold)
        m_record.treeChanges.push_back({ .resource = top, .path = {} });
    m_moved += range.size();
    w.tree.remove(top);
}

// ---- Properties, references and bodies

void WorldEditor::store(Resource resource, const Request &request)
{
    forgetReferences(w, resource);
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

void WorldEditor::merge(Resource resource, const Request &request)
{
    QStringList more = request.references;
    const QStringList known = w.references.value(resource);
    more.removeIf([&](const QString &path) { return known.contains(path); });
    addReferences(w, resource, more);
    if (!request.properties.isEmpty())
        overlay(resource, request.properties.object());
}

void WorldEditor::overlay(Resource resource, const QJsonObject &patch)
{
    w.properties.insert(resource, merged(w.properties.value(resource), patch));
    w.bodies.remove(resource); // the document that a client stored is outdated
    retime(resource);
}

void WorldEditor::assign(Resource resource, const Rules::Transition &row)
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

void WorldEditor::stampInPlace(Resource resource)
{
    const Tree::Range range = rangeOf(w.tree.place(resource));
    if (r.stampsAtStart() || r.stampsAtEnd())
        w.tree.stampRange(range, ++w.stamp);
    m_record.extent.add(range);
    touch(range.branch);
}

// ---- Affected resources

void WorldEditor::cover(Running &running, const Tree::Range &range)
{
    for (const quint32 serial : w.busy.value(range.branch)) {
        const Running *other = w.find(serial);
        if (!other || other->adopted.empty())
            continue;
        const Cover kept = without(other->adopted, { range });
        const Cover lost = without(other->adopted, kept);
        if (lost.empty())
            continue;
        Running &changed = *w.change(serial);
        changed.adopted = kept;
        if (serial == running.serial)
            continue;
        changed.cover = without(changed.cover, lost);
        m_held.push_back(serial);
    }
    hold(running, range);
}

void WorldEditor::hold(Running &running, const Tree::Range &range)
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

void WorldEditor::coverOne(quint32 serial, Resource resource)
{
    Running &running = *w.change(serial);
    const Tree::Range range = rangeOf(w.tree.place(resource));
    cover(running, range);
    if (running.stamp)
        w.tree.stampRange(range, running.stamp);
}

void WorldEditor::rested(Resource resource, quint32 except)
{
    const Tree::Place place = w.tree.place(resource);
    const auto busy = w.busy.constFind(place.branch);
    if (busy == w.busy.constEnd() || busy->size() < 2)
        return;
    const Cover hole { rangeOf(place) };
    for (const quint32 serial : *busy) {
        const Running *running = w.find(serial);
        if (!running || serial == except || !covers(running->cover, place))
            continue;
        m_record.extent.add(hole.front());
        m_held.push_back(serial);
        Running &changed = *w.change(serial);
        changed.cover = without(changed.cover, hole);
        changed.adopted = without(changed.adopted, hole);
    }
}

Cover WorldEditor::unanswered(Cover cover) const
{
    std::vector<quint32> branches;
    for (const Tree::Range &range : cover)
        addOnce(branches, range.branch);
    for (const quint32 branch : branches) {
        for (const quint32 serial : w.busy.value(branch))
            cover = without(std::move(cover), w.find(serial)->cover);
    }
    return cover;
}

// ---- Sweeps

std::vector<Resource> WorldEditor::swept(const Cover &cover, TriggerId outcome)
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

bool WorldEditor::sweep(Running &running, const Tree::Range &range, TriggerId event)
{
    const std::vector<Code> map = sweepMap(w.tree, range.branch, [&](Code code) {
        const auto swept = r.sweptByEvent(code, event);
        return swept && swept->moves ? std::optional(swept->to) : std::nullopt;
    });
    if (map.empty())
        return false;
    noteRows(range, { event });
    m_moved += w.tree.apply(range, map, running.stamp);
    touch(range.branch);
    cover(running, range);
    return true;
}

std::vector<Rules::TriggerId> WorldEditor::chainOf(TriggerId outcome) const
{
    if (outcome == r.canceled)
        return { outcome };
    return { outcome, r.invalid, r.failed };
}

void WorldEditor::noteRow(int transition)
{
    if (m_exercised && transition != Rules::None)
        m_exercised->rows.insert(transition);
}

/// Notes the rows that move a whole range: the first row of each state.
void WorldEditor::noteRows(const Tree::Range &range, const std::vector<TriggerId> &chain)
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

} // namespace instar
