// SPDX-License-Identifier: Apache-2.0
#include "model/explore/trial.h"

#include <QScopeGuard>

#include <algorithm>
#include <deque>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Tried = TrialSearch::Tried;

/// Returns the name of the client's operation that led to an event.
QString rootOf(const Tried &tried, const Event &event)
{
    if (event.request)
        return event.request->op;
    const Operation *operation = tried.log.find(event.operation);
    while (operation && !operation->requiredBy.isEmpty())
        operation = tried.log.find(operation->requiredBy);
    return operation ? operation->op : QString();
}

QString firstOf(const World &world, const QList<ResourceSpec> &resources, const QString &type)
{
    for (const ResourceSpec &spec : resources) {
        if (typePathOf(spec.path) == type && world.tree.find(spec.path) != NoResource)
            return spec.path;
    }
    return {};
}

bool isPass(const ScenarioStep &move)
{
    return move.kind == ScenarioStep::Kind::Expect;
}

} // namespace

TrialSearch::TrialSearch(std::vector<const Rules *> rules, const QList<ResourceSpec> &resources)
    : m_rules(std::move(rules)), m_resources(resources)
{
    m_operations = m_rules.front()->pack().operationNames();
    for (const Rules *each : m_rules) {
        m_writers.emplace_back(*each);
        const QStringList others = each->pack().operationNames();
        m_operations.removeIf([&](const QString &name) { return !others.contains(name); });
    }
}

void TrialSearch::run(int depth, qint64 most, const Budget &budget, OpenConditions *known,
    const Visit &visit, Exercised *exercised)
{
    for (const auto &[operation, labels] : std::as_const(*known).asKeyValueRange()) {
        m_labels.insert(operation, labels.values());
        m_labels[operation].sort();
    }
    Node start;
    for (const Rules *each : m_rules)
        start.systems.push_back({ makeWorld(*each, m_resources).world, {} });
    m_absent = absentRequests(start.systems.front().world);
    m_origins.push_back({});
    const auto end = qScopeGuard([&] {
        for (const auto &[operation, labels] : std::as_const(m_open).asKeyValueRange())
            (*known)[operation].unite(labels);
    });
    if (!visit(start))
        return;
    isNew(start);
    std::deque<Node> open;
    open.push_back(std::move(start));
    for (quint64 tried = 1; !open.empty();) {
        const Node node = std::move(open.front());
        open.pop_front();
        m_depth = node.depth;
        if (node.depth >= depth)
            return;
        for (const ScenarioStep &move : movesFrom(node)) { // there may be very many
            if (size() >= most)
                m_stoppedBy = Limit::States;
            else if (tried++ % 256 == 0)
                m_stoppedBy = budget.interruption(size());
            if (m_stoppedBy != Limit::None)
                return;
            Node next = after(node, move, exercised);
            if (!visit(next))
                return;
            if (isNew(next))
                open.push_back(std::move(next));
        }
    }
    m_isComplete = true;
}

TrialSearch::Node TrialSearch::after(const Node &node, ScenarioStep move, Exercised *exercised)
{
    Node next = node;
    ++next.depth;
    if (isPass(move))
        next.now = nextTime(node).value_or(node.now);
    next.submissions += move.kind == ScenarioStep::Kind::Submit;
    if (exercised)
        *exercised = {};
    for (size_t system = 0; system < m_rules.size(); ++system)
        doMove(system, next.systems[system], move, next.now, exercised);
    move.at = node.now;
    m_last = { node.number, std::move(move) };
    return next;
}

/// Applies a move, and every event that is due by its time.
void TrialSearch::doMove(
    size_t system, Tried &tried, const ScenarioStep &move, qint64 time, Exercised *exercised)
{
    const Rules &rules = *m_rules[system];
    Event event { .time = time };
    if (move.kind == ScenarioStep::Kind::Submit) {
        event.kind = Event::Kind::Submit;
        event.request = QSharedPointer<Request>::create(move.request);
    } else if (move.kind == ScenarioStep::Kind::End) {
        const Operation *operation = tried.log.find(move.operation);
        event.kind = Event::Kind::End;
        event.operation = operation ? operation->serial : 0;
        event.outcome = rules.trigger(move.outcome);
    }
    if (!isPass(move))
        happen(system, tried, event, exercised);
    constexpr int most = 1000; // endless loops without time are diagnosed elsewhere
    for (int i = 0; i < most; ++i) {
        const Event next = nextEvent(rules, tried.world);
        if (next.kind == Event::Kind::Wait || next.time > time)
            break;
        happen(system, tried, next, exercised);
    }
    happen(system, tried, { .kind = Event::Kind::Wait, .time = time }, exercised);
}

void TrialSearch::happen(size_t system, Tried &tried, const Event &event, Exercised *exercised)
{
    const Rules &rules = *m_rules[system];
    Stepped stepped = step(rules, std::move(tried.world), event, exercised);
    tried.world = std::move(stepped.world);
    tried.log.apply(rules, stepped.record, tried.world);
    for (const int label : stepped.record.asked) {
        if (!rules.labels()[label].startsWith(Rules::ElapsedLabel))
            m_open[rootOf(tried, event)].insert(rules.labels()[label]);
    }
}

/// Returns true if no node has the same worlds and times to the next events. Numbers a new node.
bool TrialSearch::isNew(Node &node)
{
    QByteArray key;
    for (size_t system = 0; system < m_rules.size(); ++system) {
        const World &world = node.systems[system].world;
        m_writers[system].write(world, key);
        const Event next = nextEvent(*m_rules[system], world);
        key += QByteArray::number(next.kind == Event::Kind::Wait ? -1 : next.time - node.now) + '|';
    }
    if (!m_keys.insert(key).second)
        return false;
    if (node.depth > 0) {
        node.number = quint32(m_origins.size());
        m_origins.push_back(m_last);
    }
    return true;
}

/// Returns the time of the next event in any system; nothing: none is due.
std::optional<qint64> TrialSearch::nextTime(const Node &node) const
{
    std::optional<qint64> time;
    for (size_t system = 0; system < m_rules.size(); ++system) {
        const Event next = nextEvent(*m_rules[system], node.systems[system].world);
        if (next.kind != Event::Kind::Wait)
            time = time ? std::min(*time, next.time) : next.time;
    }
    return time;
}

QList<ScenarioStep> TrialSearch::movesFrom(const Node &node) const
{
    QList<ScenarioStep> moves;
    addEnds(node, &moves);
    if (nextTime(node))
        moves.append({ .kind = ScenarioStep::Kind::Expect });
    QList<Request> requests;
    const auto isThere = [&](const QString &path, size_t systems) {
        return std::any_of(node.systems.begin(), node.systems.begin() + qptrdiff(systems),
            [&](const Tried &tried) { return tried.world.tree.find(path) != NoResource; });
    };
    for (size_t system = 0; system < m_rules.size(); ++system) {
        const Tree &tree = node.systems[system].world.tree;
        for (const Resource resource : tree.resources()) {
            const QString path = tree.path(resource);
            if (!isThere(path, system))
                requests += Request { .path = path };
        }
    }
    for (const Request &absent : m_absent) {
        if (!isThere(absent.path, m_rules.size()))
            requests += absent;
    }
    for (Request &request : requests) {
        request.id = u"op%1"_s.arg(node.submissions + 1);
        request.hang = true;
        for (const QString &operation : m_operations) {
            request.op = operation;
            request.conditions.clear();
            moves.append({ .request = request });
            for (const QString &label : m_labels.value(operation)) {
                request.conditions = { { label, true } };
                moves.append({ .request = request });
            }
        }
    }
    return moves;
}

void TrialSearch::addEnds(const Node &node, QList<ScenarioStep> *moves) const
{
    std::vector<std::pair<QString, QStringList>> outcomes; // of operations
    for (size_t system = 0; system < m_rules.size(); ++system) {
        const auto &[world, log] = node.systems[system];
        for (const auto &running : world.running) {
            const Operation *operation = log.find(running->serial);
            if (!operation)
                continue;
            auto own =
                std::ranges::find(outcomes, operation->id, &std::pair<QString, QStringList>::first);
            if (own == outcomes.end())
                own = outcomes.insert(own, { operation->id, {} });
            for (const Rules::TriggerId outcome : choices(*m_rules[system], world, running->serial))
                own->second += m_rules[system]->triggerName(outcome);
        }
    }
    if (m_rules.size() > 1) // the systems may list them in different orders
        std::ranges::sort(outcomes);
    for (auto &[id, names] : outcomes) {
        names.removeDuplicates();
        for (const QString &name : std::as_const(names)) {
            if (std::ranges::all_of(m_rules,
                    [&](const Rules *rules) { return rules->trigger(name) != Rules::None; }))
                moves->append(
                    { .kind = ScenarioStep::Kind::End, .operation = id, .outcome = name });
        }
    }
}

Scenario TrialSearch::scenarioTo(const Node &node, const Expectation &expected) const
{
    Scenario scenario { .pack = m_rules.front()->pack().id, .resources = m_resources };
    if (node.depth > 0)
        scenario.steps += m_last.move;
    for (quint32 number = node.depth > 0 ? m_last.parent : 0; number != 0;
         number = m_origins[number].parent)
        scenario.steps += m_origins[number].move;
    std::ranges::reverse(scenario.steps);
    scenario.steps.removeIf(isPass);
    for (ScenarioStep &step : scenario.steps) {
        if (step.kind == ScenarioStep::Kind::Submit) {
            step.ops = { step.request.op };
            step.paths = { step.request.path };
        }
    }
    if (expected != Expectation())
        scenario.steps += ScenarioStep {
            .kind = ScenarioStep::Kind::Expect, .at = node.now, .expectation = expected
        };
    return scenario;
}

/// Returns requests for absent resources: one of each type that all know, below the first possible
/// parent, and the missing targets of references.
QList<Request> TrialSearch::absentRequests(const World &world) const
{
    QList<Request> absent;
    const auto isKnown = [&](const QString &type) {
        return std::ranges::all_of(m_rules,
            [&](const Rules *rules) { return rules->machineForType(type) != Rules::None; });
    };
    for (const Rules *rules : m_rules) {
        for (const Type &type : rules->pack().types) {
            if (type.path == u"*" || !rules->applies(type) || !isKnown(type.path))
                continue;
            const QString above = type.path.section(u'/', 0, -2);
            const QString parent = above.isEmpty() ? QString() : firstOf(world, m_resources, above);
            if (!above.isEmpty() && parent.isEmpty())
                continue;
            Request request;
            request.path = parent + u'/' + type.path.section(u'/', -1) + u'/'
                + (type.names.isEmpty() ? u"new"_s : type.names.first());
            const Resource like = world.tree.find(firstOf(world, m_resources, type.path));
            request.properties = world.properties.value(like);
            request.references = world.references.value(like);
            const bool isThere = std::ranges::any_of(
                absent, [&](const Request &other) { return other.path == request.path; });
            if (!isThere)
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

QList<ResourceSpec> someOf(const QList<ResourceSpec> &resources, int most)
{
    QSet<QString> kept;
    QHash<QString, int> counts;
    for (const ResourceSpec &spec : resources) {
        const QString parent = spec.path.section(u'/', 0, -3);
        const bool isBelow = parent.isEmpty() || kept.contains(parent)
            || std::ranges::none_of(
                resources, [&](const ResourceSpec &other) { return other.path == parent; });
        const QString kind = parent + u'\n' + typePathOf(spec.path) + u'\n' + spec.state;
        const QString type = typePathOf(spec.path);
        if (isBelow && counts[kind] < most && counts[type] < 2 * most) {
            ++counts[kind];
            ++counts[type];
            kept.insert(spec.path);
        }
    }
    for (const ResourceSpec &spec : resources) {
        if (!kept.contains(spec.path))
            continue;
        for (const QString &path : spec.references)
            kept.insert(path);
    }
    QList<ResourceSpec> some = resources;
    some.removeIf([&](const ResourceSpec &spec) { return !kept.contains(spec.path); });
    return some;
}

} // namespace instar
