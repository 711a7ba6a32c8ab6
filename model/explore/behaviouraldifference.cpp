// SPDX-License-Identifier: Apache-2.0
#include "model/explore/behaviouraldifference.h"

#include "model/explore/rerun.h"
#include "model/explore/statespace.h"
#include "model/pack/runnablepack.h"

#include <deque>

namespace instar {

namespace {

/// By operation: its open conditions (facts that no rule decides, only a request states), sorted.
using OpenConditions = QMap<QString, QStringList>;

bool isTimePassing(const ScenarioStep &move)
{
    return move.kind == ScenarioStep::Kind::Expect;
}

/// Breadth-first search through the states of two systems that make the same moves. A system is a
/// world under its rules; both use the same names.
/// Moves are: any operation known to both, on any resource or on a resource that can be created;
/// the end of running work in each outcome that one system accepts and both know; and time passing
/// until the next event.
class PairSearch
{
public:
    /// Requests answer the conditions in `open`; the search adds unanswered conditions to `open`.
    PairSearch(
        const Rules &a, const Rules &b, const QList<ResourceSpec> &resources, OpenConditions &open)
        : m_systems { System { a, WorldKeyWriter(a) }, System { b, WorldKeyWriter(b) } },
          m_resources(resources),
          m_known(open),
          m_open(open)
    {
        const QStringList others = b.pack().operationNames();
        m_operations = a.pack().operationNames();
        m_operations.removeIf([&](const QString &name) { return !others.contains(name); });
    }

    /// Searches at most `depth` moves deep and at most `most` pairs of states. Keeps only the
    /// first of the differences that an expectation in a scenario cannot express.
    BehaviouralDifference run(int depth, qint64 most, const Budget &budget)
    {
        search(depth, most, budget);
        m_found.worlds = m_keys.size();
        return std::move(m_found);
    }

private:
    struct System
    {
        const Rules &rules;
        WorldKeyWriter writer;
    };
    /// State of one system at some moment.
    struct SystemState
    {
        World world;
        OperationLog log;
        bool has(const QString &path) const { return world.tree.find(path) != NoResource; }
    };
    /// Pair of states, and the moves that lead there. A move of kind Expect lets time pass.
    struct Node
    {
        std::array<SystemState, 2> systems;
        qint64 now = 0; ///< virtual ms
        QList<ScenarioStep> moves;
    };

    void search(int depth, qint64 most, const Budget &budget)
    {
        Node start;
        for (size_t i = 0; i < 2; ++i)
            start.systems[i].world = makeWorld(m_systems[i].rules, m_resources).world;
        m_absent = absentRequests(start.systems.front().world);
        if (!visit(start, {}))
            return;
        isNew(start);
        std::deque<Node> open;
        open.push_back(std::move(start));
        for (quint64 tried = 1; !open.empty();) {
            const Node node = std::move(open.front());
            open.pop_front();
            if (!m_found.scenario)
                m_found.depth = int(node.moves.size());
            if (node.moves.size() >= depth)
                return;
            for (const ScenarioStep &move : movesFrom(node)) { // many: checks limits at each
                if (m_keys.size() >= most)
                    m_found.stoppedBy = Limit::States;
                else if (tried++ % 256 == 0)
                    m_found.stoppedBy = budget.interruption(m_keys.size());
                if (m_found.stoppedBy != Limit::None)
                    return;
                Node next = after(node, move);
                if (!visit(next, { &move, 1 }))
                    return;
                if (isNew(next)) {
                    next.moves += move;
                    open.push_back(std::move(next));
                }
            }
        }
        m_found.complete = true;
    }

    /// Compares the systems after the last move; returns false if the search can end.
    bool visit(const Node &node, std::span<const ScenarioStep> last)
    {
        const auto [facts, expected] = compared(node);
        const bool isExpressible = expected != Expectation();
        if (!facts.isEmpty() && (!m_found.scenario || isExpressible)) {
            const QList<ScenarioStep> moves =
                node.moves + QList<ScenarioStep>(last.begin(), last.end());
            m_found.scenario = scenarioOf(moves, node.now, expected);
            m_found.facts = facts;
            m_found.depth = int(moves.size());
        }
        return !isExpressible;
    }

    /// Returns all differences of two states. The expectation holds in the first state only; it
    /// covers the differences that can be expressed in names known to both systems.
    std::pair<QList<Fact>, Expectation> compared(const Node &node) const
    {
        const auto &[first, second] = node.systems;
        const Rules &b = m_systems[1].rules;
        Expectation expected;
        QList<Fact> facts;
        for (const Operation &one : first.log.all()) {
            const Operation *other = second.log.find(one.id);
            const QString status = statusName(one.status);
            if (!other || other->status != one.status) {
                expected.operations.insert(one.id, status);
                facts += Fact { u"operation "_s + one.id, status,
                    other ? statusName(other->status) : QString() };
            } else if (other->errorCode != one.errorCode) {
                expected.errors.insert(one.id, one.errorCode);
                facts += Fact { u"error code of "_s + one.id, one.errorCode, other->errorCode };
            }
        }
        const ShownWords words = shownWords(m_systems[0].rules, first.world),
                         others = shownWords(b, second.world);
        for (const QString &path : differingPaths(words, others)) {
            const QString word = words.value(path);
            facts += Fact { path, word, others.value(path) };
            if (word.isEmpty() || b.wordNamed(word) != Rules::None)
                expected.resources.insert(path, word);
        }
        return { facts, expected };
    }

    Node after(const Node &node, const ScenarioStep &move)
    {
        Node next = node;
        if (isTimePassing(move))
            next.now = nextTime(node).value_or(node.now);
        for (size_t i = 0; i < 2; ++i)
            doMove(m_systems[i].rules, next.systems[i], move, next.now);
        return next;
    }

    /// Applies a move, and every event that is due by its time.
    void doMove(const Rules &rules, SystemState &system, const ScenarioStep &move, qint64 time)
    {
        Event event { .time = time };
        if (move.kind == ScenarioStep::Kind::Submit) {
            event.kind = Event::Kind::Submit;
            event.request = QSharedPointer<Request>::create(move.request);
        } else if (move.kind == ScenarioStep::Kind::End) {
            const Operation *operation = system.log.find(move.operation);
            event.kind = Event::Kind::End;
            event.operation = operation ? operation->serial : 0;
            event.outcome = rules.trigger(move.outcome);
        }
        if (!isTimePassing(move))
            apply(rules, system, event);
        constexpr int mostEvents = 1000; // check() reports endless loops that take no time
        for (int i = 0; i < mostEvents; ++i) {
            const Event next = nextEvent(rules, system.world);
            if (next.kind == Event::Kind::Wait || next.time > time)
                break;
            apply(rules, system, next);
        }
        apply(rules, system, { .kind = Event::Kind::Wait, .time = time });
    }

    void apply(const Rules &rules, SystemState &system, const Event &event)
    {
        Stepped stepped = step(rules, std::move(system.world), event);
        system.world = std::move(stepped.world);
        system.log.apply(rules, stepped.record, system.world);
        if (stepped.record.unanswered.empty())
            return;
        // Attributes the conditions to the client's operation that required this one, if any did.
        const Operation *root = system.log.find(event.operation);
        while (root && !root->requiredBy.isEmpty())
            root = system.log.find(root->requiredBy);
        const QString op = event.request ? event.request->op : root ? root->op : QString();
        for (const int label : stepped.record.unanswered) {
            const QString &text = rules.labels()[label];
            if (text.startsWith(Rules::ElapsedLabel) || m_open.value(op).contains(text))
                continue;
            QStringList &open = m_open[op];
            open.insert(std::ranges::upper_bound(open, text), text);
        }
    }

    /// Returns true unless an earlier node has the same worlds and times to the next events.
    bool isNew(const Node &node)
    {
        QByteArray key;
        for (size_t i = 0; i < 2; ++i) {
            const World &world = node.systems[i].world;
            m_systems[i].writer.write(world, key);
            const Event next = nextEvent(m_systems[i].rules, world);
            key += QByteArray::number(next.kind == Event::Kind::Wait ? -1 : next.time - node.now)
                + '|';
        }
        return m_keys.insert(key).second;
    }

    /// Returns the earliest time at which an event is due in a system; absent if none is due.
    std::optional<qint64> nextTime(const Node &node) const
    {
        std::optional<qint64> time;
        for (size_t i = 0; i < 2; ++i) {
            const Event next = nextEvent(m_systems[i].rules, node.systems[i].world);
            if (next.kind != Event::Kind::Wait)
                time = time ? std::min(*time, next.time) : next.time;
        }
        return time;
    }

    QList<ScenarioStep> movesFrom(const Node &node) const
    {
        QList<ScenarioStep> moves;
        addEnds(node, &moves);
        if (nextTime(node))
            moves.append({ .kind = ScenarioStep::Kind::Expect });
        QList<Request> requests;
        const auto &[first, second] = node.systems;
        for (const SystemState *system : { &first, &second }) {
            for (const Resource resource : system->world.tree.resources()) {
                const QString path = system->world.tree.path(resource);
                if (system == &first || !first.has(path))
                    requests += Request { .path = path };
            }
        }
        for (const Request &absent : m_absent) {
            if (!first.has(absent.path) && !second.has(absent.path))
                requests += absent;
        }
        const QString id = u"op%1"_s.arg(
            1 + std::ranges::count(node.moves, ScenarioStep::Kind::Submit, &ScenarioStep::kind));
        for (Request &request : requests) {
            request.id = id;
            request.hang = true;
            for (const QString &operation : m_operations) {
                request.op = operation;
                moves.append(submitStep(request));
                for (const QString &label : m_known.value(operation)) {
                    moves.append(submitStep(request));
                    moves.last().request.conditions = { { label, true } };
                }
            }
        }
        for (ScenarioStep &move : moves)
            move.at = node.now;
        return moves;
    }

    void addEnds(const Node &node, QList<ScenarioStep> *moves) const
    {
        QMap<QString, QStringList> outcomes; // by operation
        for (size_t i = 0; i < 2; ++i) {
            const auto &[world, log] = node.systems[i];
            const Rules &rules = m_systems[i].rules, &others = m_systems[1 - i].rules;
            for (const auto &running : world.running) {
                const Operation *operation = log.find(running->serial);
                for (const Rules::TriggerId outcome :
                    possibleOutcomes(rules, world, running->serial)) {
                    const QString name = rules.triggerName(outcome);
                    if (operation && others.trigger(name) != Rules::None)
                        outcomes[operation->id] += name;
                }
            }
        }
        for (auto [id, names] : outcomes.asKeyValueRange()) {
            names.removeDuplicates();
            for (const QString &name : std::as_const(names))
                moves->append(
                    { .kind = ScenarioStep::Kind::End, .operation = id, .outcome = name });
        }
    }

    Scenario scenarioOf(
        const QList<ScenarioStep> &moves, qint64 now, const Expectation &expected) const
    {
        Scenario scenario {
            .pack = m_systems[0].rules.pack().id, .resources = m_resources, .steps = moves
        };
        scenario.steps.removeIf(isTimePassing);
        if (expected != Expectation())
            scenario.steps += ScenarioStep {
                .kind = ScenarioStep::Kind::Expect, .at = now, .expectation = expected
            };
        return scenario;
    }

    /// Returns requests for absent resources: one of each type that both systems know, below the
    /// first possible parent, and the missing targets of references.
    QList<Request> absentRequests(const World &world) const
    {
        const auto firstOf = [&](const QString &type) {
            const auto found = std::ranges::find_if(m_resources, [&](const ResourceSpec &spec) {
                return typePathOf(spec.path) == type && world.tree.find(spec.path) != NoResource;
            });
            return found == m_resources.end() ? QString() : found->path;
        };
        QList<Request> absent;
        for (const System &system : m_systems) {
            const Rules &rules = system.rules;
            for (const Type &type : rules.pack().types) {
                const auto isKnown = [&](const System &each) {
                    return each.rules.machineForType(type.path) != Rules::None;
                };
                if (type.path == u"*" || !rules.applies(type)
                    || !std::ranges::all_of(m_systems, isKnown))
                    continue;
                const QString parentType = type.path.section(u'/', 0, -2);
                const QString parent = parentType.isEmpty() ? QString() : firstOf(parentType);
                if (!parentType.isEmpty() && parent.isEmpty())
                    continue;
                Request request;
                request.path = parent + u'/' + type.path.section(u'/', -1) + u'/'
                    + (type.names.isEmpty() ? u"new"_s : type.names.first());
                const Resource existing = world.tree.find(firstOf(type.path));
                request.properties = world.properties.value(existing);
                request.references = world.references.value(existing);
                if (std::ranges::find(absent, request.path, &Request::path) == absent.end())
                    absent += request;
            }
        }
        for (const QStringList &references : std::as_const(world.references)) {
            for (const QString &path : references) {
                if (world.tree.find(path) == NoResource)
                    absent += Request { .path = path };
            }
        }
        return absent;
    }

    std::array<System, 2> m_systems;
    const QList<ResourceSpec> m_resources;
    QStringList m_operations;
    QList<Request> m_absent;      ///< resources that can be created
    const OpenConditions m_known; ///< known before the search; requests answer them
    OpenConditions &m_open;       ///< known conditions and those that the search finds
    KeySet m_keys;
    BehaviouralDifference m_found;
};

/// Returns a sample of the resources: at most `most` with the same parent, type and state, and at
/// most twice as many of a type, with their parents and the resources that they refer to.
QList<ResourceSpec> sampleOf(const QList<ResourceSpec> &resources, int most)
{
    QSet<QString> chosen;
    QHash<QString, int> counts;
    for (const ResourceSpec &spec : resources) {
        const QString parent = spec.path.section(u'/', 0, -3);
        const bool hasParent = parent.isEmpty() || chosen.contains(parent)
            || std::ranges::none_of(
                resources, [&](const ResourceSpec &other) { return other.path == parent; });
        const QString type = typePathOf(spec.path);
        const QString kind = parent + u'\n' + type + u'\n' + spec.state;
        if (hasParent && counts[kind] < most && counts[type] < 2 * most) {
            ++counts[kind];
            ++counts[type];
            chosen.insert(spec.path);
        }
    }
    for (const ResourceSpec &spec : resources) {
        if (!chosen.contains(spec.path))
            continue;
        for (const QString &path : spec.references)
            chosen.insert(path);
    }
    QList<ResourceSpec> some = resources;
    some.removeIf([&](const ResourceSpec &spec) { return !chosen.contains(spec.path); });
    return some;
}

bool endsWithExpectation(const BehaviouralDifference &found)
{
    return found.scenario && !found.scenario->steps.isEmpty()
        && found.scenario->steps.last().kind == ScenarioStep::Kind::Expect;
}

QList<ResourceSpec> sharedResources(const Rules &a, const Rules &b, QList<ResourceSpec> resources)
{
    QSet<QString> paths; // makeWorld() would find repeated paths, too, but only one per call
    resources.removeIf([&](const ResourceSpec &spec) {
        const qsizetype before = paths.size();
        return paths.insert(spec.path), paths.size() == before;
    });
    for (const Rules *rules : { &a, &b, &a }) {
        for (qsizetype bad = makeWorld(*rules, resources).badResource; bad >= 0;
             bad = makeWorld(*rules, resources).badResource)
            resources.removeAt(bad);
    }
    return resources;
}

/// Returns true if two packs behave the same under their switches. Pack `a` has been renamed to the
/// names of `b`; returns false if this renamed a name that the engine knows.
bool behaveSame(const ComparedPack &a, const ComparedPack &b, const QList<Renaming> &renamings)
{
    static const QStringList known = Pack().outcomeNames() + knownRefusals();
    if (std::ranges::any_of(renamings, [](const Renaming &each) {
            return known.contains(each.from) || known.contains(each.to);
        }))
        return false;
    return a.switches.isEmpty() && b.switches.isEmpty()
        ? behaveAlike(a.pack, b.pack)
        : behaveAlike(withSwitches(a.pack, a.switches), withSwitches(b.pack, b.switches));
}

Switches renamed(const Switches &switches, const QList<Renaming> &renamings)
{
    Switches result;
    for (auto it = switches.cbegin(); it != switches.cend(); ++it)
        result.insert(nameAfter(renamings, Name::Switch, it.key()), it.value());
    return result;
}

QString stepText(const ScenarioStep &step)
{
    if (step.kind == ScenarioStep::Kind::End)
        return u"%1 ends: %2"_s.arg(step.operation, step.outcome);
    QString text = u"%1 %2 (%3)"_s.arg(step.request.op, step.request.path, step.request.id);
    for (auto it = step.request.conditions.cbegin(); it != step.request.conditions.cend(); ++it)
        text += u", \"%1\" holds"_s.arg(it.key());
    return text;
}

} // namespace

QString factText(const Fact &fact)
{
    const auto word = [](const QString &text) { return text.isEmpty() ? u"nothing"_s : text; };
    return u"%1: %2, %3"_s.arg(fact.what, word(fact.first), word(fact.second));
}

BehaviouralDifference behaviouralDifference(
    const Rules &a, const Rules &b, const QList<ResourceSpec> &resources, const Budget &budget)
{
    const QList<ResourceSpec> all = sharedResources(a, b, resources);
    BehaviouralDifference best;
    OpenConditions open;
    int depth = std::numeric_limits<int>::max();
    qint64 visited = 0;
    bool goesOn = true;
    Budget watched = budget;
    watched.goesOn = [&](qint64 states) {
        goesOn = goesOn && (!budget.goesOn || budget.goesOn(visited + states));
        return goesOn;
    };
    // Later rounds get more resources and budget (1 / divisor); the first finds open conditions.
    for (const auto &[most, divisor] :
        { std::pair(1, 10), { 1, 3 }, { 2, 3 }, { int(all.size()), 1 } }) {
        const QList<ResourceSpec> some = sampleOf(all, most);
        const bool isAll = some.size() == all.size() && divisor < 10;
        const qint64 left = budget.states - visited;
        if (left <= 0 || !goesOn)
            break;
        if (const Limit limit = watched.interruption(); limit != Limit::None) {
            best.stoppedBy = limit;
            break;
        }
        const OpenConditions known = open;
        const qint64 share = isAll ? left : std::max<qint64>(left / divisor, 1);
        BehaviouralDifference found = PairSearch(a, b, some, open).run(depth, share, watched);
        visited += found.worlds;
        const bool isExpressible = endsWithExpectation(found);
        if (isExpressible || !best.scenario || (found.scenario && !endsWithExpectation(best)))
            best = std::move(found);
        best.complete = best.complete && open == known;
        if (isExpressible)
            depth = best.depth - 1;
        if (isAll && (best.complete || isExpressible))
            break;
    }
    best.worlds = visited;
    return best;
}

Result<BehaviouralDifference> behaviouralDifference(
    const PackComparison &comparison, const Budget &budget)
{
    const auto &[a, b, renamings, differences] = comparison;
    const ComparedPack first { a.name, renamed(a.pack, renamings), renamed(a.switches, renamings) };
    const Result<Rules> one = Rules::make(first.pack, first.switches);
    const Result<Rules> other = Rules::make(b.pack, b.switches);
    if (!one || !other)
        return Error { one ? other.error() : one.error() };
    if (behaveSame(first, b, renamings))
        return BehaviouralDifference { .complete = true, .isCertain = true };
    BehaviouralDifference found =
        behaviouralDifference(*one, *other, first.pack.sample + b.pack.sample, budget);
    if (!found.scenario)
        return found;
    found.other = found.scenario;
    found.other->pack = b.name;
    found.other->switches = b.switches;
    found.scenario = inNamesBefore(renamings, *one, *std::move(found.scenario));
    found.scenario->pack = a.name;
    found.scenario->switches = a.switches;
    return found;
}

QString behaviourText(const Result<BehaviouralDifference> &found)
{
    if (!found)
        return u"the behaviour was not compared: %1\n"_s.arg(found.error());
    if (found->isCertain)
        return u"the behaviour is the same: the rules differ only in names, texts, drawing, HTTP and samples\n"_s;
    if (found->worlds == 0)
        return u"no scenario was searched\n"_s;
    if (!found->scenario) {
        const QString where = found->complete
            ? u"all states that a few resources of each type can reach"_s
            : u"every sequence of %1 moves"_s.arg(found->depth);
        return u"no scenario shows a difference; searched: %1, %2 states\n"_s.arg(
            where, QString::number(found->worlds));
    }
    QString text = u"a shortest scenario that shows a difference:\n"_s;
    for (const ScenarioStep &step : found->scenario->steps) {
        if (step.kind != ScenarioStep::Kind::Expect)
            text += u"  %1 ms  %2\n"_s.arg(step.at).arg(stepText(step));
    }
    for (const Fact &fact : found->facts)
        text += u"  then %1\n"_s.arg(factText(fact));
    return text;
}

Scenario inNamesBefore(const QList<Renaming> &renamings, const Rules &now, Scenario scenario)
{
    QList<Renaming> back;
    for (const Renaming &each : renamings) {
        const auto machine = std::ranges::find_if(renamings, [&](const Renaming &other) {
            return other.what == Name::Machine && other.from == each.machine;
        });
        back.append({ each.what, machine == renamings.end() ? each.machine : machine->to, each.to,
            each.from });
    }
    return renamed(std::move(scenario), now, back);
}

} // namespace instar
