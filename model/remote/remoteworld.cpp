// SPDX-License-Identifier: Apache-2.0
#include "model/remote/remoteworld.h"

#include "model/engine/step.h"

namespace instar {

RemoteWorld::RemoteWorld(const Rules &rules) : m_rules(rules), m_world(makeWorld(rules, {}).world)
{ }

std::vector<Change> RemoteWorld::takeViolations()
{
    if (m_touched.isEmpty())
        return {};
    std::vector<quint32> touched(m_touched.cbegin(), m_touched.cend());
    std::ranges::sort(touched);
    m_touched.clear();
    return newViolations(m_rules, m_world, touched);
}

void RemoteWorld::touch(Resource resource)
{
    const quint32 branch = m_world.tree.place(resource).branch;
    m_dirty.addBranch(branch);
    if (!m_rules.constraints().empty())
        m_touched.insert(branch);
}

bool RemoteWorld::isNewest(const QString &path, quint64 exchange)
{
    const QString key = pathKey(m_world, top(path));
    if (const quint64 *newest = m_ages.object(key); newest && exchange < *newest)
        return false;
    m_ages.insert(key, new quint64(exchange));
    return true;
}

void RemoteWorld::count(
    Changes &changes, const QString &path, Rules::StateId from, Rules::StateId to, qint64 moved)
{
    if (changes.path.isEmpty() || (changes.moved == 0 && moved > 0)) {
        changes.path = path;
        changes.from = from;
        changes.to = to;
    }
    changes.moved += moved;
}

/// Records a change. `since`: time of the last observation before the change.
void RemoteWorld::noteChange(const QDateTime &since)
{
    const bool isKnown = since.isValid() && (!m_hasChanged || m_since.isValid());
    m_since = !isKnown ? QDateTime() : m_hasChanged ? std::min(m_since, since) : since;
    m_hasChanged = true;
}

QDateTime RemoteWorld::takeSince()
{
    m_hasChanged = false;
    return std::exchange(m_since, {});
}

/// Records that a collection was observed whole. Returns the time of its previous observation.
QDateTime RemoteWorld::listed(Resource parent, const QString &collection, const QDateTime &sent)
{
    const QString key = pathKey(m_world, collection.section(u'/', -1));
    return std::exchange(m_collections[parent][key], sent);
}

RemoteWorld::Changes RemoteWorld::observe(const ResourceObservation &observation)
{
    Changes changes;
    const QString &path = observation.message ? observation.message->path : observation.path;
    if (path.isEmpty() || !isNewest(path, observation.when.exchange))
        return changes;
    if (observation.message) {
        apply(*observation.message, observation.when.sent, {}, changes);
    } else {
        m_absent.insert(pathKey(m_world, path), new QDateTime(observation.when.sent));
        if (const Resource resource = m_world.tree.find(path); resource != NoResource)
            removeAll(resource, changes);
    }
    return changes;
}

QList<RemoteWorld::Changes> RemoteWorld::observe(const CollectionObservation &observation)
{
    QList<Changes> changes;
    const QDateTime sent = observation.when.sent,
                    absent = listed(NoResource, observation.path, sent);
    for (const ResourceMessage &message : observation.resources) {
        if (message.path.isEmpty() || !isNewest(message.path, observation.when.exchange))
            continue;
        changes.emplaceBack();
        apply(message, sent, absent, changes.last());
    }
    if (!observation.isMissing) // resources may exist although the server has no list of them
        removeUnlisted(observation, changes);
    return changes;
}

void RemoteWorld::removeUnlisted(const CollectionObservation &observation, QList<Changes> &changes)
{
    const std::optional<QList<Resource>> all = m_world.tree.collection(observation.path);
    if (!all)
        return;
    const auto listed = mapped<QSet<QString>>(observation.resources,
        [&](const ResourceMessage &message) { return pathKey(m_world, message.path); });
    Changes removed;
    for (const Resource resource : *all) {
        const QString path = m_world.tree.path(resource);
        if (!listed.contains(pathKey(m_world, path)) && isNewest(path, observation.when.exchange))
            removeAll(resource, removed);
    }
    changes += removed;
}

/// The resource at a path, created if new; NoResource if its parent or type is unknown.
Resource RemoteWorld::made(const QString &path)
{
    if (const Resource known = m_world.tree.find(path); known != NoResource)
        return known;
    const QString typePath = typePathOf(path);
    const int machine = m_rules.machineForType(typePath);
    if (machine == Rules::None) {
        reportUnknown(typePath);
        return NoResource;
    }
    const QString above = path.section(u'/', 0, -3);
    const Resource parent = above.isEmpty() ? NoResource : m_world.tree.find(above);
    if (!above.isEmpty() && parent == NoResource)
        return NoResource;
    const Type *type = m_rules.typeRow(typePath);
    const QString known = type && type->path != u"*" ? type->path : typePath;
    const Resource resource = m_world.tree.create(parent, m_world.tree.typeAt(known),
        path.section(u'/', -1), m_rules.resting(m_rules.machines()[size_t(machine)].initial), 0,
        path.section(u'/', -2, -2));
    m_treeChanges.push_back({ resource, m_world.tree.path(resource) });
    return resource;
}

void RemoteWorld::reportUnknown(const QString &what)
{
    if (!m_unknown.contains(what))
        m_unreported += what;
    m_unknown.insert(what);
}

/// `absent`: time at which a new resource was observed to be missing.
void RemoteWorld::apply(const ResourceMessage &message, const QDateTime &sent,
    const QDateTime &absent, Changes &changes)
{
    const bool isNew = m_world.tree.find(message.path) == NoResource;
    const Resource resource = made(message.path);
    if (resource == NoResource)
        return;
    const QDateTime previous = std::exchange(m_observed[resource], sent);
    const Code before = m_world.tree.code(resource);
    const Rules::StateId from = m_rules.stateOf(before);
    const int machine = m_rules.state(from).machine;
    const Rules::StateId rest = m_rules.machines()[size_t(machine)].rest;
    Rules::StateId to =
        message.state.isEmpty() ? rest : stateShown(m_rules, machine, message.state);
    const QString unknown = to == Rules::None ? message.state : QString();
    if (!unknown.isEmpty()) {
        reportUnknown(u"%1: %2"_s.arg(typePathOf(message.path), unknown));
        to = isNew ? rest : from; // the rules need a state; views show the unknown word
    }
    const bool isOtherWord = m_world.unknownWords.value(resource) != unknown;
    storeOrRemove(m_world.unknownWords, resource, unknown);
    // Several states may show the word: keeps the present state if it shows the word.
    const bool fits =
        !isNew && m_rules.shown(before).compare(message.state, Qt::CaseInsensitive) == 0;
    const bool isOtherState = !fits && to != from;
    if (isOtherState)
        m_world.tree.setCode(resource, m_rules.afterEntering(before, to));
    if (isOtherState || isOtherWord) {
        count(changes, message.path, from, to, 1);
        if (changes.path == message.path)
            changes.unknown = unknown;
        const QDateTime *gone = m_absent.object(pathKey(m_world, message.path));
        // An invalid time is less than a valid one.
        noteChange(previous.isValid() ? previous : gone ? std::max(*gone, absent) : absent);
    }
    const bool isOtherDocument = store(resource, message);
    if (isOtherDocument && !isNew && changes.path.isEmpty())
        count(changes, message.path, from, to, 0);
    if (isOtherDocument || isNew || isOtherWord || isOtherState)
        touch(resource);

    QSet<QString> childKeys;
    for (const ResourceMessage &child : message.children) {
        childKeys.insert(pathKey(m_world, child.path));
        if (!message.separate.contains(child.path.section(u'/', 0, -2)))
            m_embedded.insert(pathKey(m_world, typePathOf(child.path)));
    }
    QHash<QString, QDateTime> listedBefore; // key of a collection in the message -> last listing
    for (const QString &collection : message.collections)
        listedBefore.insert(pathKey(m_world, collection), listed(resource, collection, sent));
    const QList<Resource> children = m_world.tree.children(resource);
    for (const Resource child : children) {
        const QString path = m_world.tree.path(child);
        const bool isComplete = listedBefore.contains(pathKey(m_world, path.section(u'/', 0, -2)))
            || m_embedded.contains(pathKey(m_world, typePathOf(path)));
        if (isComplete && !childKeys.contains(pathKey(m_world, path)))
            removeAll(child, changes);
    }
    for (const ResourceMessage &child : message.children)
        apply(child, sent, listedBefore.value(pathKey(m_world, child.path.section(u'/', 0, -2))),
            changes);
}

void RemoteWorld::removeAll(Resource resource, Changes &changes)
{
    touch(resource);
    const Rules::StateId from = m_rules.stateOf(m_world.tree.code(resource));
    const Rules::StateId to = m_rules.machines()[size_t(m_rules.state(from).machine)].initial;
    const Tree::Range range = m_world.tree.subtree(resource);
    count(changes, m_world.tree.path(resource), from, to, range.size());
    for (quint32 position = range.begin; position < range.end; ++position) {
        const Resource gone = m_world.tree.at(range.branch, position);
        forgetReferences(m_world, gone);
        m_world.properties.remove(gone);
        m_world.bodies.remove(gone);
        m_world.etags.remove(gone);
        m_world.unknownWords.remove(gone);
        m_collections.remove(gone);
        noteChange(m_observed.take(gone));
    }
    // Operations in a removed branch are dropped; setUnderway() adds those still in progress.
    for (const quint32 serial : m_world.busy.take(range.branch))
        std::erase_if(
            m_world.running, [serial](const auto &running) { return running->serial == serial; });
    m_treeChanges.push_back({ .resource = resource, .path = {} });
    m_world.tree.remove(resource);
}

std::vector<Holding> RemoteWorld::takeAffectedResources()
{
    std::vector<Holding> result;
    QHash<quint32, std::vector<std::pair<Resource, Resource>>> held;
    for (const auto &running : std::as_const(m_world.running)) {
        auto runs = runsOf(m_world.tree, running->affected);
        if (const auto reported = m_reportedAffected.constFind(running->serial);
            reported == m_reportedAffected.constEnd() || *reported != runs)
            result.push_back({ running->serial, runs });
        held.emplace(running->serial, std::move(runs));
    }
    m_reportedAffected = std::move(held);
    return result;
}

/// Returns true if the document has changed: by its etag, or without one by its contents.
bool RemoteWorld::store(Resource resource, const ResourceMessage &message)
{
    // Equal bytes spare the reading of lazy properties.
    const bool isSame = !message.body.isEmpty() && m_world.bodies.value(resource) == message.body;
    const bool isOther = message.etag.isEmpty()
        ? !isSame && m_world.properties.value(resource) != message.properties
        : m_world.etags.value(resource) != message.etag;
    storeOrRemove(m_world.etags, resource, message.etag);
    storeOrRemove(m_world.properties, resource, message.properties);
    storeOrRemove(m_world.bodies, resource, message.body);
    if (m_world.references.value(resource) == message.references)
        return isOther;
    forgetReferences(m_world, resource);
    addReferences(m_world, resource, message.references);
    return true;
}

QStringList RemoteWorld::transitionalTops() const
{
    const Tree &tree = m_world.tree;
    QStringList paths;
    for (const quint32 branch : tree.branches()) {
        const std::span<const quint32> counts = tree.branchCounts(branch);
        const auto isMoving = [&](size_t code) {
            return counts[code] > 0 && m_rules.stateIn(Code(code)).isTransitional();
        };
        if (std::ranges::any_of(std::views::iota(size_t(0), counts.size()), isMoving))
            paths += tree.path(tree.at(branch, 0));
    }
    return paths;
}

void RemoteWorld::setUnderway(const QList<Underway> &operations)
{
    for (const auto &running : std::as_const(m_world.running)) {
        for (const Tree::Range &range : running->affected)
            m_dirty.add(range);
    }
    m_world.running.clear();
    m_world.busy.clear();
    for (const Underway &one : operations) {
        const QSharedDataPointer<Running> running = this->running(one);
        if (!running)
            continue;
        m_world.busy[running->branches.first()].append(one.serial);
        for (const Tree::Range &range : running->affected)
            m_dirty.add(range);
        m_world.running.push_back(running);
    }
}

QSharedDataPointer<Running> RemoteWorld::running(const Underway &operation) const
{
    const Tree &tree = m_world.tree;
    const auto isMoving = [&](Resource resource) {
        return m_rules.stateIn(tree.code(resource)).isTransitional();
    };
    const Resource target = tree.find(operation.request->path);
    const Rules::TriggerId op = m_rules.trigger(operation.request->op);
    if (target == NoResource || op == Rules::None)
        return {};
    QSharedDataPointer<Running> running(new Running);
    running->serial = running->root = operation.serial;
    running->id = operation.request->id;
    running->path = operation.request->path;
    running->request = operation.request;
    running->op = op;
    running->target = target;
    running->work = m_rules.stateOf(tree.code(target));
    running->outcomeSoFar = m_rules.succeeded;
    for (Resource up = tree.parent(target); up != NoResource; up = tree.parent(up)) {
        if (isMoving(up))
            include(running->affected, rangeOf(tree.place(up)));
    }
    const Tree::Range below = tree.subtree(target);
    for (quint32 position = below.begin; position < below.end; ++position) {
        if (position == below.begin || isMoving(tree.at(below.branch, position)))
            include(running->affected, rangeOf({ below.branch, position }));
    }
    running->branches.append(below.branch);
    return running;
}

QList<Request> RemoteWorld::externalRequests(const QString &path) const
{
    const Tree &tree = m_world.tree;
    QList<Request> found;
    for (Resource one = farthestExternal(m_rules, m_world, path); one != NoResource;
         one = tree.parent(one)) {
        const Rules::StateId state = m_rules.stateOf(tree.code(one));
        for (const QString &op : m_rules.pack().operationNames()) {
            if (workStatesOf(m_rules, m_rules.state(state).machine, m_rules.trigger(op))
                    .contains(state))
                found += Request { .op = op, .path = tree.path(one) };
        }
    }
    return found;
}

} // namespace instar
