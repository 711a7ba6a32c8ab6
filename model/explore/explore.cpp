// SPDX-License-Identifier: Apache-2.0
#include "model/explore/explore.h"

#include "model/engine/question.h"
#include "model/pack/knownnames.h"

#include <QJsonArray>

namespace instar {

namespace {

constexpr qint64 MostWorlds = 200'000; ///< most states per search of GoalSearch

/// Returns true if a single state does not decide a condition: a part of the condition is about the
/// past or the current operation, or the pack leaves it open.
bool needsMoreThanOneState(const Rules::Predicate &condition)
{
    return condition.any([](const Rules::Predicate &part) {
        using Kind = Condition::Kind;
        return part.kind == Kind::Last || part.kind == Kind::Elapsed || part.kind == Kind::Required
            || (part.kind == Kind::Label && part.parts.empty());
    });
}

/// Moves of clients that may submit any operation on any resource at any time.
class Clients : public MoveGenerator
{
public:
    Clients(const Rules &rules, const World &start, const QList<Request> &named, const Scope &scope)
        : m_rules(rules), m_scope(scope), m_ops(rules.pack().operationNames())
    {
        const auto add = [&](const QString &path, const Properties &properties,
                             const QStringList &references) {
            const QString key = pathKey(start, path);
            if (!m_named.contains(key))
                m_named.insert(
                    key, { .path = path, .properties = properties, .references = references });
        };
        for (const Request &request : named)
            add(request.path, request.properties, request.references);
        for (const Resource resource : start.tree.resources()) {
            if (scope.has(start, resource))
                add(start.tree.path(resource), start.properties.value(resource),
                    start.references.value(resource));
        }
    }

    QList<Event> moves(const SearchState &state) const override
    {
        QList<Event> events;
        const World &world = state.world;
        for (const auto &running : world.running) {
            if (m_scope.has(running->path))
                events += endsOf(m_rules, world, *running, true);
        }
        events += firingsOf(m_rules, world, m_scope);
        for (const Resource resource : world.tree.resources()) {
            if (!m_scope.has(world, resource))
                continue;
            const Rules::StateId own = m_rules.stateOf(world.tree.code(resource));
            for (const QString &op : m_ops) {
                if (!m_rules.candidates(own, m_rules.trigger(op)).empty())
                    events += submission(op, world.tree.path(resource), {});
            }
        }
        for (const Request &absent : m_named) {
            if (world.tree.find(absent.path) != NoResource)
                continue;
            for (const QString &op : m_ops)
                events += submission(op, absent.path, absent);
        }
        return events;
    }

    std::optional<ClientMemory> memoryAfter(
        const SearchState &, const Event &event, const Record &record, const World &) const override
    {
        if (event.kind != Event::Kind::Submit && event.kind != Event::Kind::Fire)
            return ClientMemory();
        if (record.changes.empty())
            return {};
        const Change &first = record.changes.front();
        const bool changesNothing = first.kind == Change::Kind::Rejected
            || first.kind == Change::Kind::Queued
            || (first.kind == Change::Kind::Observed && first.transition == Rules::None);
        return changesNothing ? std::nullopt : std::optional(ClientMemory());
    }

private:
    Event submission(const QString &op, const QString &path, const Request &original) const
    {
        auto request = QSharedPointer<Request>::create(original);
        request->op = op;
        request->path = path;
        request->id = u"%1 %2"_s.arg(op, path);
        return { .kind = Event::Kind::Submit, .request = request };
    }

    const Rules &m_rules;
    const Scope &m_scope;
    const QStringList m_ops;
    QMap<QString, Request> m_named; ///< pathKey() -> request with that path
};

/// Reachability search: can every resource of a world still be brought to its type's goal (to rest,
/// if the type has none) by any sequence of the pack's operations with any outcomes? Results are
/// cached by world. Resources outside the scope are ignored.
class GoalSearch
{
public:
    /// `named`: requests whose paths, properties and references are tried for absent resources.
    GoalSearch(const Rules &rules, const World &start, const QList<Request> &named,
        const Budget &budget, Scope scope = {})
        : m_rules(rules),
          m_start(start),
          m_named(named),
          m_scope(std::move(scope)),
          m_writer(rules),
          m_budget(budget),
          m_hasGoals(std::ranges::any_of(
              rules.pack().types, [](const Type &type) { return !type.goal.isEmpty(); }))
    { }

    QStringList unmet(const World &world) const
    {
        const QList<qint64> &counts = world.tree.counts();
        bool allRest = true;
        for (qsizetype code = 0; code < counts.size(); ++code)
            allRest = allRest && (!counts[code] || m_rules.stateIn(Code(code)).isStable());
        QStringList paths;
        if (allRest && !m_hasGoals)
            return paths;
        for (const Resource resource : world.tree.resources()) {
            if (!isMet(world, resource) && m_scope.has(world, resource))
                paths += world.tree.path(resource);
        }
        return paths;
    }

    QStringList stuck(const World &world)
    {
        QStringList left = unmet(world);
        if (left.isEmpty())
            return left;
        QByteArray key;
        m_writer.write(world, key);
        const auto known = m_known.constFind(key);
        if (known != m_known.constEnd())
            return *known;

        if (!m_clients)
            m_clients.emplace(m_rules, m_start, m_named, m_scope);
        StateSpace space(m_rules, *m_clients, m_writer, { world, {} });
        Budget budget = m_budget;
        budget.states = std::min(budget.states, MostWorlds);
        if (m_budget.goesOn)
            budget.goesOn = [this](qint64) { return m_budget.goesOn(0); }; // reports no states
        const bool isComplete = space.search(
            budget, [&](quint32, const SearchState &state, const std::vector<SearchEdge> &) {
                left.removeIf([&](const QString &path) { return isMet(state.world, path); });
                return !left.isEmpty();
            });
        m_budget.states = std::max<qint64>(m_budget.states - space.size(), 0);
        if (!isComplete && !left.isEmpty()) {
            m_stoppedBy = space.stoppedBy();
            left.clear();
        }
        m_known.insert(key, left);
        return left;
    }

    /// Limit that ended some search early; resources that are undecided then are not reported.
    Limit stoppedBy() const { return m_stoppedBy; }

private:
    bool isMet(const World &world, const QString &path) const
    {
        const Resource resource = world.tree.find(path);
        if (resource == NoResource) {
            const Type *type = m_rules.typeRow(typePathOf(path));
            const int machine = m_rules.machineForType(typePathOf(path));
            return !type || type->goal.isEmpty() || machine == Rules::None
                || m_rules.state(m_rules.machine(machine).initial).id == type->goal;
        }
        return isMet(world, resource);
    }

    bool isMet(const World &world, Resource resource) const
    {
        const Rules::StateRule &state = m_rules.stateIn(world.tree.code(resource));
        const Type *type =
            m_hasGoals ? m_rules.typeRow(world.tree.typePath(world.tree.type(resource))) : nullptr;
        return type && !type->goal.isEmpty() ? state.id == type->goal : state.isStable();
    }

    const Rules &m_rules;
    const World m_start;
    const QList<Request> m_named;
    const Scope m_scope;
    std::optional<Clients> m_clients; ///< nothing until the first search
    WorldKeyWriter m_writer;
    Budget m_budget; ///< remaining budget of all further searches
    bool m_hasGoals = false;
    Limit m_stoppedBy = Limit::None;
    QHash<QByteArray, QStringList> m_known; ///< key -> paths of stuck resources
};

/// Returns the second fact of a property; in it, the path `of` replaces "self".
Property otherFact(const Property &property, const QString &of)
{
    Property other = property.other.empty() ? property : property.other.front();
    if (other.of == Property::Same)
        other.of = of;
    return other;
}

/// Search for a violation of bounded response: a property's second fact does not follow its first.
class OverdueSearch
{
public:
    OverdueSearch(const Property &property, const Stage &stage, const Premises &premises)
        : m_property(property),
          m_rules(stage.rules),
          m_start(stage.world),
          m_scope(premises.scope),
          m_isOfEach(
              property.quantifier == Property::Quantifier::Some && !isResourcePath(property.of)),
          m_follows(*compiledProperty(otherFact(property, property.of), m_rules))
    {
        if (!m_isOfEach)
            m_watches.push_back({ *compiledProperty(property, m_rules), m_follows, {}, {} });
    }

    /// Records what is true in the next node.
    void visit(const World &world)
    {
        const Tree &tree = world.tree;
        for (const Resource resource : m_isOfEach ? tree.resources() : QList<Resource>()) {
            const QString type = tree.typePath(tree.type(resource));
            const bool isMeant = m_property.of.isEmpty()
                || type.compare(m_property.of, m_rules.pack().caseSensitivity()) == 0;
            if (isMeant && m_scope.has(world, resource))
                addWatch(pathKey(world, tree.path(resource)), tree.path(resource));
        }
        for (Watch &watch : m_watches) {
            watch.isTrue.push_back(watch.begins(world));
            watch.isMet.push_back(watch.follows(world));
        }
        m_isMet.push_back(m_follows(world));
    }

    /// Path to a state in which a fact is overdue.
    struct Way
    {
        quint32 from = 0;           ///< node at which the path begins
        std::vector<quint32> nodes; ///< nodes after `from`, to the end of the path
    };
    /// Returns the path whose `from` is nearest to the start; absent if no fact is overdue. Stops
    /// early, with the paths found so far, if `goesOn` returns false.
    std::optional<Way> way(const StateSpace &space, const std::function<bool()> &goesOn) const
    {
        std::optional<Way> nearest;
        for (const Watch &watch : m_watches) {
            std::optional<Way> found = wayOf(watch, space, goesOn);
            if (found && (!nearest || found->from < nearest->from))
                nearest = std::move(found);
        }
        return nearest;
    }

private:
    using Test = std::function<bool(const World &)>;
    struct Watch
    {
        Test begins, follows;
        std::vector<bool> isTrue, isMet; ///< node -> result of `begins`, of `follows`
    };

    /// Begins to watch one resource, which did not exist in the nodes so far.
    void addWatch(const QString &key, const QString &path)
    {
        if (m_known.contains(key))
            return;
        m_known.insert(key);
        Property own = m_property;
        own.of = path;
        const Property other = otherFact(own, path);
        const auto begins = compiledProperty(own, m_rules);
        const auto follows = compiledProperty(other, m_rules);
        if (!begins || !follows)
            return;
        const auto beginsIfPresent = [path, begins = *begins](const World &world) {
            return world.tree.find(path) != NoResource && begins(world);
        };
        Watch watch { beginsIfPresent, *follows, std::vector<bool>(m_isMet.size(), false),
            m_isMet };
        if (m_property.other.front().of == Property::Same)
            watch.isMet.assign(m_isMet.size(), (*follows)(m_start));
        m_watches.push_back(std::move(watch));
    }

    std::optional<Way> wayOf(
        const Watch &watch, const StateSpace &space, const std::function<bool()> &goesOn) const
    {
        const auto count = quint32(m_isMet.size());
        // late[n]: nodes from which some path avoids the other fact for n moves, or to its end.
        std::vector<std::vector<bool>> late { watch.isMet };
        late[0].flip();
        while (late.size() <= size_t(m_property.within)) {
            if (!goesOn())
                return {};
            const std::vector<bool> &shorter = late.back();
            std::vector<bool> longer(count, false);
            for (quint32 node = 0; node < count; ++node) {
                const std::span<const quint32> next = space.next(node);
                longer[node] =
                    late[0][node] && (next.empty() || std::ranges::any_of(next, [&](quint32 to) {
                        return to < count && shorter[to];
                    }));
            }
            if (longer == shorter)
                break; // the same for every greater n
            late.push_back(std::move(longer));
        }
        const auto begins = [&](quint32 node) {
            return node < count && watch.isTrue[node] && late.back()[node];
        };
        Way way;
        std::optional<quint32> first = begins(0) ? std::optional<quint32>(0) : std::nullopt;
        for (quint32 from = 0; from < count && !first; ++from) {
            const std::span<const quint32> next = space.next(from);
            const auto found = std::ranges::find_if(next, begins);
            if (watch.isTrue[from] || found == next.end())
                continue;
            first = *found;
            way = { from, { *found } };
        }
        if (!first)
            return {};
        quint32 node = *first;
        for (auto left = size_t(m_property.within); left > 0 && !space.next(node).empty(); --left) {
            const std::vector<bool> &later = late[std::min(left, late.size()) - 1];
            const std::span<const quint32> next = space.next(node);
            node = *std::ranges::find_if(next, [&](quint32 to) { return to < count && later[to]; });
            way.nodes.push_back(node);
        }
        return way;
    }

    const Property m_property;
    const Rules &m_rules;
    const World m_start;
    const Scope m_scope;
    const bool m_isOfEach;     ///< each resource is watched separately
    const Test m_follows;      ///< second fact, in which "self" means property.of
    std::vector<bool> m_isMet; ///< node -> result of `m_follows`
    QSet<QString> m_known;     ///< keys of the paths of watched resources
    std::vector<Watch> m_watches;
};

QByteArray flat(const QMap<QString, QString> &map)
{
    QByteArray bytes;
    for (const auto &[key, value] : map.asKeyValueRange())
        bytes += key.toUtf8() + '\n' + value.toUtf8() + '\n';
    return bytes;
}

class Explorer
{
public:
    Explorer(const Scenario &scenario, const Stage &stage, const ExploreOptions &options,
        std::function<bool(const World &)> hasProperty)
        : m_rules(stage.rules),
          m_options(options),
          m_script(m_rules, scenario, options.by, stage.world, options.premises),
          m_writer(m_rules),
          m_space(m_rules, m_script, m_writer, m_script.startOf(stage.world)),
          m_budget(budgetOf(options)),
          m_goalSearch(
              m_rules, stage.world, requestsIn(scenario.steps), m_budget, options.premises.scope),
          m_hasProperty(std::move(hasProperty))
    {
        m_script.mark(m_writer);
        if (options.property && options.property->when == Property::When::Overdue)
            m_overdue.emplace(*options.property, stage, options.premises);
    }

    Exploration run()
    {
        m_space.search(m_budget,
            [this](quint32 node, const SearchState &state, const std::vector<SearchEdge> &edges) {
                visit(node, state, edges);
                return true;
            });
        countOrders();
        findRefusals();
        findDeadEnds();
        findProperty();
        for (const Limit limit : { m_space.stoppedBy(), m_goalSearch.stoppedBy() }) {
            if (m_result.stoppedBy == Limit::None)
                m_result.stoppedBy = limit;
        }
        m_result.complete = m_result.stoppedBy == Limit::None;
        m_result.worlds = m_space.size();
        m_result.finalTrees = m_trees.size();
        return std::move(m_result);
    }

private:
    Budget budgetOf(const ExploreOptions &options)
    {
        Budget budget = options.budget;
        if (options.goesOn)
            budget.goesOn = [this](qint64 worlds) {
                m_mostWorlds = std::max(m_mostWorlds, worlds);
                return m_options.goesOn(m_mostWorlds, m_result.endingCount);
            };
        return budget;
    }

    /// Returns false if the budget ends the search, and stores which limit did.
    bool goesOn()
    {
        m_result.stoppedBy = m_budget.interruption(m_space.size());
        return m_result.stoppedBy == Limit::None;
    }

    bool hasRoom(qint64 count) const { return m_options.limit < 0 || count < m_options.limit; }

    void visit(quint32 node, const SearchState &state, const std::vector<SearchEdge> &edges)
    {
        for (const SearchEdge &edge : edges) {
            for (const Change &change : edge.record.changes) {
                if (change.kind == Change::Kind::Violated)
                    addBroken(node, edge, change);
                if (change.kind == Change::Kind::Rejected && edge.event.request)
                    addRefusal(edge.event.request->id, { change.http, change.code, change.rule });
            }
            m_isOfWork.push_back(
                edge.event.kind != Event::Kind::Submit && edge.event.kind != Event::Kind::Fire);
        }
        m_unrested.emplace_back();
        for (const QString &path : m_goalSearch.unmet(state.world)) {
            m_unrested.back().push_back(m_numbers.value(path, int(m_paths.size())));
            if (m_unrested.back().back() == m_paths.size()) {
                m_numbers.insert(path, int(m_paths.size()));
                m_paths += path;
            }
        }
        if (m_hasProperty)
            m_nodeHas.push_back(
                (state.memory.mark || !m_options.premises.mark) && m_hasProperty(state.world));
        if (m_overdue)
            m_overdue->visit(state.world);
        if (!edges.empty())
            return;
        QByteArray key = flat(shownWords(m_rules, state.world));
        m_trees.insert(key);
        if (m_options.by == ExploreOptions::By::Operations)
            key += flat(m_script.statuses(state));
        const auto [number, isNew] = m_endings.insert(key);
        m_ends.emplace_back(node, number);
        if (!isNew || !hasRoom(m_result.endingCount++))
            return;
        m_result.endings.append(Ending { traceTo(node) });
    }

    Trace traceTo(quint32 node) const
    {
        return m_script.traceOf(m_space.start(), m_space.trace(node));
    }

    const SearchState &stateAfter(const std::vector<SearchEdge> &edges) const
    {
        return edges.empty() ? m_space.start() : edges.back().next;
    }

    /// Counts the event sequences that lead to each ending, in topological order (Kahn's
    /// algorithm). Infinitely many lead to an ending behind a cycle.
    void countOrders()
    {
        std::vector<quint32> before(m_space.size(), 0); // incoming edges that are not counted yet
        for (quint32 node = 0; node < m_space.visited(); ++node) {
            for (const quint32 next : m_space.next(node))
                ++before[next];
        }
        std::vector<double> orders(m_space.size(), 0);
        std::vector<quint32> open;
        if (before[0] == 0)
            open.push_back(0);
        orders[0] = 1;
        while (!open.empty()) {
            const quint32 node = open.back();
            open.pop_back();
            if (node >= m_space.visited())
                continue;
            for (const quint32 next : m_space.next(node)) {
                orders[next] += orders[node];
                if (--before[next] == 0)
                    open.push_back(next);
            }
        }
        for (const auto &[node, number] : m_ends) {
            if (number >= m_result.endings.size())
                continue;
            Ending &ending = m_result.endings[number];
            ending.orders +=
                before[node] == 0 ? orders[node] : std::numeric_limits<double>::infinity();
        }
    }

    /// Records a refusal on the edge that is visited.
    void addRefusal(const QString &id, const Trace::Refusal &refusal)
    {
        const std::pair one(id, refusal);
        qsizetype bit = m_refusals.indexOf(one);
        if (bit < 0) {
            bit = m_refusals.size();
            m_refusals += one;
        }
        if (bit < 64)
            m_refusalsOnEdge[quint32(m_isOfWork.size())] |= quint64(1) << bit;
    }

    /// Collects the refusals on all paths to each ending, because different paths can meet in one
    /// state: a set of m_refusals per node, as bits, up to the least fixed point.
    void findRefusals()
    {
        std::vector<quint64> sets(m_space.size(), 0);
        for (bool changes = !m_refusals.isEmpty(); changes;) {
            changes = false;
            for (quint32 node = 0; node < m_space.visited(); ++node) {
                quint32 edge = m_space.firstEdge(node);
                for (const quint32 next : m_space.next(node)) {
                    const quint64 set = sets[next] | sets[node] | m_refusalsOnEdge.value(edge++);
                    changes = changes || set != sets[next];
                    sets[next] = set;
                }
            }
        }
        for (const auto &[node, number] : m_ends) {
            for (qsizetype bit = 0; bit < std::min<qsizetype>(64, m_refusals.size()); ++bit) {
                if (number >= m_result.endings.size() || !(sets[node] >> bit & 1))
                    continue;
                const auto &[id, refusal] = m_refusals[bit];
                QList<Trace::Refusal> &all = m_result.endings[number].everyRefusal[id];
                if (!all.contains(refusal))
                    all += refusal;
            }
        }
    }

    /// Finds the states from which no operation, even a new one, leads a resource to rest or goal.
    void findDeadEnds()
    {
        removeRested();
        QMap<quint32, DeadNode> dead;
        KeySet trees;
        for (quint32 node = quint32(m_unrested.size()); node-- > 0;) { // the farthest first
            if (m_unrested[node].empty())
                continue;
            if (!goesOn())
                break;
            const std::vector<SearchEdge> edges = m_space.trace(node);
            const World &world = stateAfter(edges).world;
            const QStringList stuck = m_goalSearch.stuck(world);
            for (const int path : std::vector(m_unrested[node])) {
                if (!stuck.contains(m_paths[path]))
                    removePath(node, path);
            }
            if (stuck.isEmpty())
                continue;
            dead.insert(node, { stuck, trees.insert(flat(shownWords(m_rules, world))).first });
        }
        const QSet<quint32> beforeDeadEnds = nodesBeforeDeadEnds(dead);
        QSet<quint32> shownTrees;
        for (auto it = dead.cbegin(); it != dead.cend(); ++it) { // the nearest first
            if (beforeDeadEnds.contains(it.key()) || shownTrees.contains(it->tree))
                continue;
            shownTrees.insert(it->tree);
            if (!hasRoom(m_result.deadEndCount++))
                continue;
            m_result.deadEnds.append(Ending { traceTo(it.key()), Ending::Kind::DeadEnd });
            m_result.deadEnds.last().stuck = it->stuck;
        }
    }

    /// Removes from m_unrested the paths of resources that some trace brings to rest. In a node
    /// that was not expanded, all resources count as resting.
    void removeRested()
    {
        const quint32 count = quint32(m_unrested.size());
        m_before.resize(count);
        for (quint32 node = 0; node < count; ++node) {
            for (const quint32 next : m_space.next(node)) {
                if (next < count)
                    m_before[next].push_back(node);
            }
        }
        for (quint32 node = count; node-- > 0;) {
            for (const int path : std::vector(m_unrested[node])) {
                const auto rests = [&](quint32 next) {
                    return next >= count
                        || std::ranges::find(m_unrested[next], path) == m_unrested[next].end();
                };
                if (std::ranges::any_of(m_space.next(node), rests))
                    removePath(node, path);
            }
        }
    }

    /// Removes a path from m_unrested of a node and of all its predecessors.
    void removePath(quint32 node, int path)
    {
        std::vector<quint32> open { node };
        while (!open.empty()) {
            const quint32 here = open.back();
            open.pop_back();
            if (std::erase(m_unrested[here], path))
                open.insert(open.end(), m_before[here].begin(), m_before[here].end());
        }
    }

    /// Reports the nearest state with the property; for ForEver, the nearest from which some path
    /// keeps it (EG in CTL, the greatest fixed point).
    void findProperty()
    {
        if (m_overdue)
            return findOverdue();
        if (!m_hasProperty)
            return;
        const auto has = [&](quint32 node) { return node < m_nodeHas.size() && m_nodeHas[node]; };
        const auto stays = [&](quint32 node) {
            const std::span<const quint32> next = m_space.next(node);
            return next.empty() || std::ranges::any_of(next, has);
        };
        std::vector<quint32> open;
        const bool isForEver = m_options.property->when == Property::When::ForEver;
        for (quint32 node = quint32(m_nodeHas.size()); isForEver && node-- > 0;)
            open.push_back(node);
        while (!open.empty()) {
            const quint32 node = open.back();
            open.pop_back();
            if (!m_nodeHas[node] || stays(node))
                continue;
            m_nodeHas[node] = false;
            open.insert(open.end(), m_before[node].begin(), m_before[node].end());
        }
        const auto first = std::ranges::find(m_nodeHas, true);
        if (first == m_nodeHas.end())
            return;
        m_result.hasProperty =
            Ending { traceTo(quint32(first - m_nodeHas.begin())), Ending::Kind::HasProperty };
        m_result.hasProperty->rule = m_options.property->text;
    }

    void findOverdue()
    {
        const std::optional<OverdueSearch::Way> way =
            m_overdue->way(m_space, [this] { return goesOn(); });
        if (!way)
            return;
        std::vector<SearchEdge> edges = m_space.trace(way->from);
        for (const quint32 node : way->nodes)
            edges.push_back(edgeTo(node, stateAfter(edges)));
        m_result.hasProperty =
            Ending { m_script.traceOf(m_space.start(), edges), Ending::Kind::HasProperty };
        m_result.hasProperty->rule = m_options.property->text;
    }

    SearchEdge edgeTo(quint32 node, const SearchState &state) const
    {
        for (const Event &move : m_script.moves(state)) {
            for (SearchEdge &edge : edgesOf(m_rules, m_script, state, move)) {
                if (m_space.nodeOf(edge.next) == node)
                    return std::move(edge);
            }
        }
        Q_ASSERT(false);
        return SearchEdge();
    }

    struct DeadNode
    {
        QStringList stuck; ///< paths of resources that cannot reach rest or their goal
        quint32 tree = 0;  ///< nodes with equal trees have equal numbers
    };
    /// Returns the dead nodes whose running work leads to another dead node in which no work runs.
    /// Only that other node is reported as dead end.
    QSet<quint32> nodesBeforeDeadEnds(const QMap<quint32, DeadNode> &dead) const
    {
        QSet<quint32> found;
        const auto leads = [&](quint32 node, const auto &to) {
            const std::span<const quint32> next = m_space.next(node);
            for (size_t edge = 0; edge < next.size(); ++edge) {
                if (m_isOfWork[m_space.firstEdge(node) + edge] && to(next[edge]))
                    return true;
            }
            return false;
        };
        const auto isIdle = [&](quint32 node) {
            return !leads(node, [](quint32) { return true; });
        };
        const auto isEnd = [&](quint32 node) {
            return found.contains(node) || (dead.contains(node) && isIdle(node));
        };
        for (qsizetype before = -1; before != found.size();) { // to a fixed point, for cycles
            before = found.size();
            for (auto it = dead.cend(); it != dead.cbegin();) {
                if (--it; leads(it.key(), isEnd))
                    found.insert(it.key());
            }
        }
        return found;
    }

    void addBroken(quint32 node, const SearchEdge &edge, const Change &change)
    {
        const QString state = m_rules.state(change.from).id;
        const QString key = change.path + u'\n' + state + u'\n' + change.rule;
        if (m_broken.contains(key))
            return;
        m_broken.insert(key);
        if (!hasRoom(m_result.brokenConstraintCount++))
            return;
        // Computes the edge again, because the search has moved the worlds out of `edge`.
        std::vector<SearchEdge> edges = m_space.trace(node);
        SearchEdge last =
            std::move(edgesOf(m_rules, m_script, stateAfter(edges), edge.event).front());
        last.answers = edge.answers;
        edges.push_back(std::move(last));
        Ending ending { m_script.traceOf(m_space.start(), edges), Ending::Kind::BrokenConstraint };
        ending.path = change.path;
        ending.state = state;
        ending.rule = change.rule;
        m_result.brokenConstraints.append(ending);
    }

    const Rules &m_rules;
    const ExploreOptions &m_options;
    const Script m_script;
    WorldKeyWriter m_writer;
    StateSpace m_space;
    Budget m_budget;
    GoalSearch m_goalSearch;
    QStringList m_paths;
    QHash<QString, int> m_numbers;              ///< path -> index in m_paths
    std::vector<std::vector<int>> m_unrested;   ///< node -> indices of paths not at goal or rest
    std::vector<std::vector<quint32>> m_before; ///< node -> its predecessors
    std::vector<bool> m_isOfWork; ///< edge -> true unless a request or timer causes it
    QSet<QByteArray> m_trees;     ///< trees of nodes without a next event, as flat() bytes
    KeySet m_endings;
    QList<std::pair<QString, Trace::Refusal>> m_refusals; ///< (id of the operation, answer)
    QHash<quint32, quint64> m_refusalsOnEdge;       ///< edge -> indices in m_refusals, as bits
    std::vector<std::pair<quint32, qint64>> m_ends; ///< (node without a next event, ending)
    qint64 m_mostWorlds = 0;                        ///< greatest number of states reported so far
    QSet<QString> m_broken;                         ///< keys of broken constraints found so far
    const std::function<bool(const World &)> m_hasProperty; ///< null: no property is searched
    std::vector<bool> m_nodeHas;                            ///< node -> true if it has the property
    std::optional<OverdueSearch> m_overdue; ///< nothing: no overdue fact is searched
    Exploration m_result;
};

QJsonObject object(const QMap<QString, QString> &map)
{
    QJsonObject result;
    for (auto it = map.cbegin(); it != map.cend(); ++it)
        result.insert(it.key(), it.value());
    return result;
}

QString list(const QMap<QString, QString> &map)
{
    QStringList entries;
    for (auto it = map.cbegin(); it != map.cend(); ++it)
        entries += it.key() + u' ' + it.value();
    return entries.isEmpty() ? u"nothing"_s : entries.join(u", "_s);
}

QString traceLine(const QStringList &trace)
{
    return u"    after: %1\n"_s.arg(trace.isEmpty() ? u"nothing"_s : trace.join(u"; "_s));
}

} // namespace

Result<std::function<bool(const World &)>> compiledProperty(
    const Property &property, const Rules &rules)
{
    const bool isOfOne = isResourcePath(property.of);
    if (!property.other.empty()) {
        if (property.other.front().of == Property::Same && !isOfOne
            && property.quantifier != Property::Quantifier::Some)
            return Error {
                u"\"self\" is one resource. Write \"some\" or a resource in the first fact, or another word than \"self\" in the second"_s
            };
        if (const auto other = compiledProperty(otherFact(property, property.of), rules); !other)
            return Error { other.error() };
    }
    const QString type = isOfOne ? typePathOf(property.of) : property.of;
    if (!type.isEmpty() && (type.startsWith(u'/') || rules.machineForType(type) == Rules::None))
        return Error { u"The rules define no type \"%1\""_s.arg(type) };
    const QStringList relations = namesFor(rules.pack(), Name::Relation);
    for (QList parts { property.condition }; !parts.isEmpty();) {
        const Condition part = parts.takeLast();
        parts += part.parts;
        if (part.kind == Condition::Kind::Related && !part.text.contains(u'/')
            && !relations.contains(part.text))
            return Error { u"\"%1\" names no relation and no single resource"_s.arg(part.text) };
    }
    const Result<Rules::Predicate> condition = rules.compiled(property.condition);
    if (!condition)
        return Error { condition.error() };
    if (needsMoreThanOneState(*condition))
        return Error {
            u"A property is about a single state. It cannot use earlier states, times, required "
            u"operations or conditions that a client answers"_s
        };
    const Qt::CaseSensitivity cased = rules.pack().caseSensitivity();
    std::function<bool(const World &)> test =
        [rules, cased, isOfOne, condition = *condition, of = property.of,
            quantifier = property.quantifier](const World &world) {
            const Context context { .rules = rules, .world = world };
            if (isOfOne)
                return holds(condition, subjectAt(rules, world, of), context)
                    != (quantifier == Property::Quantifier::No);
            const auto isMeant = [&](Resource resource) {
                return of.isEmpty()
                    || world.tree.typePath(world.tree.type(resource)).compare(of, cased) == 0;
            };
            bool some = false, every = true;
            for (const Resource resource : world.tree.resources()) {
                if (!isMeant(resource))
                    continue;
                const bool isTrue = holds(condition, subjectOf(rules, world, resource), context);
                some = some || isTrue;
                every = every && isTrue;
            }
            return quantifier == Property::Quantifier::Some ? some
                : quantifier == Property::Quantifier::No    ? !some
                                                            : some && every;
        };
    return test;
}

Result<Exploration> explore(
    const Scenario &scenario, const Stage &stage, const ExploreOptions &options)
{
    const Result<Scenario> named = explorable(scenario, stage);
    if (!named)
        return Error { named.error() };
    if (!options.property)
        return Explorer(*named, stage, options, {}).run();
    const Property &property = *options.property;
    const auto has = compiledProperty(property, stage.rules);
    if (!has)
        return Error { has.error() };
    if (property.when == Property::When::Overdue)
        return Explorer(*named, stage, options, {}).run();
    ExploreOptions marking = options;
    if (property.when == Property::When::Becomes)
        marking.premises.mark = [&](const SearchState &state) { return !(*has)(state.world); };
    else if (property.when == Property::When::After)
        marking.premises.mark =
            [had = *compiledProperty(otherFact(property, property.of), stage.rules)](
                const SearchState &state) { return state.memory.mark || had(state.world); };
    return Explorer(*named, stage, marking, *has).run();
}

QJsonObject explorationJson(const Exploration &exploration)
{
    QJsonArray outcomes, deadEnds, violations;
    const auto add = [](QJsonArray &rows, const Trace &trace, QJsonObject row) {
        row.insert(u"trace"_s, QJsonArray::fromStringList(trace.trace));
        rows.append(row);
    };
    for (const Ending &ending : exploration.endings)
        add(outcomes, ending,
            { { u"resources"_s, object(ending.resources) },
                { u"operations"_s, object(ending.operations) } });
    for (const Ending &ending : exploration.deadEnds)
        add(deadEnds, ending,
            { { u"resources"_s, object(ending.resources) },
                { u"stuck"_s, QJsonArray::fromStringList(ending.stuck) } });
    for (const Ending &broken : exploration.brokenConstraints)
        add(violations, broken,
            { { u"path"_s, broken.path }, { u"state"_s, broken.state },
                { u"rule"_s, broken.rule } });
    QJsonObject json { { u"worlds"_s, exploration.worlds }, { u"complete"_s, exploration.complete },
        { u"finalTrees"_s, exploration.finalTrees }, { u"outcomeCount"_s, exploration.endingCount },
        { u"outcomes"_s, outcomes }, { u"deadEnds"_s, deadEnds }, { u"violations"_s, violations } };
    if (!exploration.complete)
        json.insert(u"stoppedBy"_s, limitName(exploration.stoppedBy));
    return json;
}

QString explorationText(const Exploration &exploration)
{
    // States that were not visited may have more endings.
    const QString soFar = exploration.complete ? QString() : u" so far"_s;
    const auto counted = [&](qint64 count, const QString &what) {
        return count == 0 && !exploration.complete ? u"no %1 found so far"_s.arg(what)
                                                   : u"%1 %2%3"_s.arg(count).arg(what, soFar);
    };
    QString text = u"%1 states%2, %3, %4\n"_s.arg(exploration.worlds)
                       .arg(exploration.complete ? u""_s : u" until the search was stopped"_s,
                           counted(exploration.finalTrees, u"final trees"_s),
                           counted(exploration.endingCount, u"outcomes"_s));
    for (const Ending &ending : exploration.endings)
        text += u"\n%1\n    operations: %2\n"_s.arg(list(ending.resources), list(ending.operations))
            + traceLine(ending.trace);
    text += u'\n' + counted(exploration.deadEndCount, u"dead ends"_s) + u'\n';
    for (const Ending &ending : exploration.deadEnds)
        text += u"%1\n    stuck: %2\n"_s.arg(list(ending.resources), ending.stuck.join(u", "_s))
            + traceLine(ending.trace);
    text += counted(exploration.brokenConstraintCount, u"broken constraints"_s) + u'\n';
    for (const Ending &brokenConstraint : exploration.brokenConstraints)
        text += u"%1 in %2: %3\n"_s.arg(
                    brokenConstraint.path, brokenConstraint.state, brokenConstraint.rule)
            + traceLine(brokenConstraint.trace);
    if (!exploration.complete)
        text += stoppedText(exploration.stoppedBy) + u'\n';
    return text;
}

} // namespace instar
