// SPDX-License-Identifier: Apache-2.0
#include "model/engine/world.h"

#include "model/pack/nearest.h"

#include <QtEndian>
#include <QUuid>

#include <array>

namespace instar {

namespace {

/// Finds a running operation by binary search; checks the newest first, which is the usual one.
template<typename List>
auto placeOf(List &running, quint32 serial)
{
    if (!running.empty() && std::as_const(running.back())->serial == serial)
        return running.end() - 1;
    const auto found =
        std::ranges::lower_bound(running, serial, {}, [](const auto &one) { return one->serial; });
    return found != running.end() && std::as_const(*found)->serial == serial ? found
                                                                             : running.end();
}

/// Loader of resources into a tree; creates parents that are not listed.
class Loader
{
public:
    explicit Loader(const Rules &rules)
        : m_rules(rules), m_builder(rules.codeCount(), rules.pack().caseSensitivity())
    {
        for (const Type &type : rules.pack().types) {
            if (type.path != u"*" && rules.applies(type))
                m_builder.tree().typeAt(type.path);
        }
    }

    /// Adds a resource. Returns the error in its entry, or an empty text.
    QString add(const ResourceSpec &spec)
    {
        Tree &tree = m_builder.tree();
        const QStringView path = spec.path;
        Resource resource = NoResource;
        int type = -1;
        qsizetype at = 0;
        while (at < path.size()) {
            const qsizetype middle = path[at] == u'/' ? slashFrom(path, at + 1) : -1;
            const qsizetype after = slashFrom(path, middle + 1);
            const qsizetype end = after < 0 ? path.size() : after;
            if (middle <= at + 1 || end == middle + 1) // no slash, no type or no name
                return u"the path \"%1\" is not made of /type/id pairs"_s.arg(spec.path);
            const QStringView segment = path.sliced(at + 1, middle - at - 1);
            const QStringView name = path.sliced(middle + 1, end - middle - 1);
            int next = tree.childType(type, segment);
            if (next < 0 || size_t(next) >= m_machines.size()
                || m_machines[size_t(next)] == Unknown) {
                const QString typePath = next >= 0 ? tree.typePath(next)
                    : type < 0                     ? segment.toString()
                               : tree.typePath(type) + u'/' + segment.toString();
                if (m_rules.machineForType(typePath) == Rules::None) {
                    const auto known = mapped<QStringList>(m_rules.pack().types, &Type::path);
                    return u"there is no type \"%1\"%2"_s.arg(
                        typePath, suggestion(typePath, known));
                }
                next = tree.typeAt(typePath);
                m_machines.resize(size_t(tree.typeCount()), Unknown);
                m_machines[size_t(next)] = m_rules.machineForType(typePath);
            }
            type = next;
            const Resource parent = resource;
            resource = tree.child(parent, type, name);
            if (resource == NoResource) {
                const int machine = m_machines[size_t(type)];
                resource = m_builder.add(parent, type, name.toString(),
                    m_rules.resting(m_rules.machine(machine).rest), segment);
                m_listed.push_back(false);
            }
            at = end;
        }
        if (resource == NoResource)
            return u"a resource has no path"_s;
        if (m_listed[resource])
            return u"the resource \"%1\" is listed twice"_s.arg(spec.path);
        m_listed[resource] = true;

        const int machine = m_machines[size_t(type)];
        // A statechart with its own semantics begins in its initial states.
        if (!spec.state.isEmpty() && !m_rules.semantics()) {
            const QString problem = setState(resource, machine, spec.state);
            if (!problem.isEmpty())
                return problem;
        }
        if (!spec.references.isEmpty())
            m_references.append({ resource, spec.references });
        if (!spec.properties.isEmpty())
            m_properties.insert(resource, spec.properties);
        return {};
    }

    World finished() &&
    {
        World world;
        world.tree = std::move(m_builder).finished(0);
        world.properties = std::move(m_properties);
        for (const auto &[resource, paths] : m_references)
            addReferences(world, resource, paths);
        if (m_rules.hasTimers()) {
            for (const Resource resource : world.tree.resources()) {
                if (m_rules.stateIn(world.tree.code(resource)).timer)
                    world.timed.insert(resource, Timing());
            }
        }
        return world;
    }

private:
    static constexpr int Unknown = -2; ///< machine of a type that was not looked up yet

    QString setState(Resource resource, int machine, const QString &id)
    {
        const Rules::StateId state = m_rules.stateNamed(machine, id);
        if (state == Rules::None) {
            QStringList known;
            for (const Rules::StateRule &each : m_rules.states()) {
                if (each.machine == machine)
                    known += each.id;
            }
            return u"machine %1 has no state \"%2\"%3"_s.arg(
                m_rules.machine(machine).id, id, suggestion(id, known));
        }
        if (!m_rules.state(state).isStable())
            return u"a resource cannot begin in the transitional state \"%1\", because no operation is running; use a stable state"_s
                .arg(id);
        m_builder.setCode(resource, m_rules.resting(state));
        return {};
    }

    const Rules &m_rules;
    TreeBuilder m_builder;
    std::vector<int> m_machines; ///< by type
    std::vector<bool> m_listed;  ///< by resource
    QList<std::pair<Resource, QStringList>> m_references;
    QHash<Resource, Properties> m_properties;
};

} // namespace

const Running *World::find(quint32 serial) const
{
    const auto found = placeOf(running, serial);
    return found == running.end() ? nullptr : found->constData();
}

QList<const Running *> World::runningOn(Resource resource) const
{
    QList<const Running *> result;
    if (resource == NoResource)
        return result;
    const Tree::Place place = tree.place(resource);
    for (const quint32 serial : busy.value(place.branch)) {
        const Running *one = find(serial);
        if (one && (one->target == resource || contains(one->affected, place)))
            result += one;
    }
    return result;
}

Running *World::change(quint32 serial)
{
    const auto found = placeOf(running, serial);
    return found == running.end() ? nullptr : found->data();
}

const Queued *World::waiting(quint32 serial) const
{
    const auto found =
        std::ranges::find(queue, serial, [](const auto &one) { return one->serial; });
    return found == queue.end() ? nullptr : found->constData();
}

const PendingOperation *World::pending(quint32 serial) const
{
    if (const Running *one = find(serial))
        return one;
    return waiting(serial);
}

QString World::idOf(quint32 serial) const
{
    const PendingOperation *one = pending(serial);
    return one ? one->request->id : QString::number(serial);
}

Loaded makeWorld(const Rules &rules, const QList<ResourceSpec> &resources)
{
    Loader loader(rules);
    for (qsizetype i = 0; i < resources.size(); ++i) {
        const QString problem = loader.add(resources[i]);
        if (!problem.isEmpty())
            return { World(), problem, i };
    }
    Loaded loaded { std::move(loader).finished(), {}, -1 };
    if (rules.semantics())
        rules.semantics()->begin(rules, loaded.world);
    return loaded;
}

QString etag(const World &world, Resource resource)
{
    if (const auto received = world.etags.constFind(resource); received != world.etags.constEnd())
        return *received;
    // A bijection, so that no two stamps share an etag.
    const auto mixed = [](quint64 x) {
        x += 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    };
    const quint64 high = mixed(world.tree.stamp(resource));
    const std::array words { qToBigEndian(high), qToBigEndian(mixed(high)) };
    const QUuid uuid = QUuid::fromRfc4122({ reinterpret_cast<const char *>(words.data()), 16 });
    return u"W/\"%1\""_s.arg(uuid.toString(QUuid::WithoutBraces));
}

QString pathKey(const World &world, const QString &path)
{
    return world.tree.caseSensitivity() == Qt::CaseInsensitive ? path.toCaseFolded() : path;
}

void forgetReferences(World &world, Resource resource)
{
    for (const QString &path : world.references.take(resource)) {
        const auto entry = world.referrers.find(pathKey(world, path));
        entry->removeOne(resource);
        if (entry->isEmpty())
            world.referrers.erase(entry);
    }
}

void addReferences(World &world, Resource resource, const QStringList &paths)
{
    if (paths.isEmpty())
        return;
    world.references[resource] += paths;
    for (const QString &path : paths)
        world.referrers[pathKey(world, path)] += resource;
}

QString shownWord(const Rules &rules, const World &world, Resource resource)
{
    const auto unknown = world.unknownWords.constFind(resource);
    return unknown == world.unknownWords.constEnd() ? rules.shown(world.tree.code(resource))
                                                    : *unknown;
}

std::optional<QString> wordAt(const Rules &rules, const World &world, const QString &path)
{
    const Resource resource = world.tree.find(path);
    if (resource == NoResource || !rules.isShown(world.tree.code(resource)))
        return {};
    return shownWord(rules, world, resource);
}

Resource farthestExternal(const Rules &rules, const World &world, const QString &path)
{
    constexpr quint32 mostExamined = 20'000;
    const Tree &tree = world.tree;
    const Resource root = tree.find(path.section(u'/', 0, 2));
    if (root == NoResource || tree.subtree(root).size() > mostExamined)
        return NoResource;
    const Tree::Range all = tree.subtree(root);
    const auto isAffected = [&](quint32 position) {
        return std::ranges::any_of(world.running, [&](const auto &running) {
            return contains(running->affected, { all.branch, position });
        });
    };
    Resource farthest = NoResource;
    for (quint32 position = all.begin; position < all.end; ++position) {
        const Resource resource = tree.at(all.branch, position);
        if (rules.stateIn(tree.code(resource)).isTransitional() && !isAffected(position)
            && (farthest == NoResource || tree.depth(resource) > tree.depth(farthest)))
            farthest = resource;
    }
    return farthest;
}

} // namespace instar
