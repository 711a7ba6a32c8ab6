// SPDX-License-Identifier: Apache-2.0
#include "app/cli/driver.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int MakeMs = 600'000;         ///< for one missing resource
constexpr int MostTriedEvents = 10'000; ///< of a way that is tried

QString upTo(const QString &path)
{
    return path.section(u'/', 0, -3);
}

} // namespace

/// What the scenario lists or names above them, each behind its parent and what it refers to.
QList<ResourceSpec> ScenarioDriver::wanted() const
{
    const QList<ResourceSpec> listed = m_scenario.resources.value_or(m_rules.pack().sample);
    QMap<QString, ResourceSpec> byPath;
    QStringList order;
    const auto key = [this](const QString &path) { return pathKey(m_controller->world(), path); };
    for (const ResourceSpec &spec : listed) {
        byPath.insert(key(spec.path), spec);
        order += spec.path;
    }
    QList<ResourceSpec> result;
    QSet<QString> done;
    const auto add = [&](const auto &self, const QString &path) -> void {
        if (path.isEmpty() || done.contains(key(path)))
            return;
        done.insert(key(path)); // circles of references end here
        self(self, upTo(path));
        const ResourceSpec spec = byPath.value(key(path), { .path = path });
        for (const QString &reference : spec.references) {
            if (byPath.contains(key(reference)))
                self(self, reference);
        }
        result += spec;
    };
    for (const QString &path : std::as_const(order))
        add(add, path);
    return result;
}

bool ScenarioDriver::isAsWanted(const World &world, const ResourceSpec &spec) const
{
    const Resource there = world.tree.find(spec.path);
    if (there == NoResource)
        return false;
    const Rules::StateRule &state = m_rules.state(m_rules.stateOf(world.tree.code(there)));
    const Rules::StateId rest = m_rules.machines()[size_t(state.machine)].rest;
    if (world.unknownWords.contains(there))
        return spec.state.isEmpty();
    const bool isLeftAsItIs = !m_takesPlans && spec.state.isEmpty(); // a real resource
    return isLeftAsItIs || state.id == (spec.state.isEmpty() ? m_rules.state(rest).id : spec.state);
}

/// What passes for something else is known by its word alone.
bool ScenarioDriver::looksAsWanted(const World &world, const ResourceSpec &spec) const
{
    if (isAsWanted(world, spec))
        return true;
    const Resource there = world.tree.find(spec.path);
    if (there == NoResource)
        return false;
    const int machine = m_rules.state(m_rules.stateOf(world.tree.code(there))).machine;
    const Rules::StateId state = m_rules.stateNamed(machine, spec.state);
    return state != Rules::None && m_rules.state(state).shown != Rules::None
        && m_rules.word(m_rules.state(state).shown) == shownAt(world, spec.path);
}

bool ScenarioDriver::moves(const QString &path) const
{
    const Tree &tree = m_controller->world().tree;
    const Resource there = tree.find(path);
    return there != NoResource && m_rules.state(m_rules.stateOf(tree.code(there))).isTransitional();
}

/// It is on its way to somewhere else than where it is to be, as far as can be seen.
bool ScenarioDriver::moves(const ResourceSpec &spec) const
{
    return moves(spec.path) && !looksAsWanted(m_controller->world(), spec);
}

QList<ResourceSpec> ScenarioDriver::wrong(
    const World &world, const QList<ResourceSpec> &wanted) const
{
    QList<ResourceSpec> found = wanted;
    found.removeIf([&](const ResourceSpec &spec) { return looksAsWanted(world, spec); });
    return found;
}

QString ScenarioDriver::shownAt(const World &world, const QString &path) const
{
    const Resource resource = world.tree.find(path);
    return resource == NoResource ? QString() : shownWord(m_rules, world, resource);
}

/// What is listed below a resource, where the operation asks for that itself.
QMap<QString, Enclosed> ScenarioDriver::below(const Request &request) const
{
    QMap<QString, Enclosed> requests;
    for (const ResourceSpec &spec : m_scenario.resources.value_or(m_rules.pack().sample)) {
        const ResourceSpec placed = m_places.at(spec);
        if (placed.path.startsWith(request.path + u'/')
            && m_messages.isRequired(request.op, request.path, placed.path))
            requests.insert(placed.path, { placed.properties, placed.references, {} });
    }
    return requests;
}

/// The pack's operations that bring the resource where it is to be, tried on a copy of the world:
/// the first, or the one after which the fewest of `others` are wrong.
std::optional<ScenarioDriver::Way> ScenarioDriver::wayTo(
    const World &world, const ResourceSpec &spec, const QList<ResourceSpec> &others) const
{
    World start = world;
    start.running.clear();
    start.busy.clear();
    QStringList outcomes { QString() };
    if (m_takesPlans) {
        for (const Rules::TriggerId outcome : m_rules.outcomes())
            outcomes += m_rules.triggerName(outcome);
    }
    std::optional<Way> best;
    for (const QString &outcome : std::as_const(outcomes)) {
        for (const QString &op : m_rules.pack().operationNames()) {
            Request request { .op = op, .path = spec.path, .outcome = outcome };
            request.duration = 0;
            request.properties = spec.properties;
            request.references = spec.references;
            request.requests = below(request);
            Simulator simulator(m_rules, start);
            simulator.submit(request);
            const PersistentList<Operation> &operations = simulator.operations().all();
            for (int left = MostTriedEvents; left > 0 && !operations.first().isOver(); --left) {
                if (!simulator.step())
                    break;
            }
            const World &after = simulator.world();
            if (operations.first().status == Status::Rejected || !isAsWanted(after, spec))
                continue;
            const qsizetype left = wrong(after, others).size();
            if (!best || left < best->wrong)
                best = Way { request, shownAt(after, spec.path), left, after };
            if (best->wrong == 0)
                return best;
        }
    }
    return best;
}

void ScenarioDriver::make(const ResourceSpec &spec)
{
    waited(MakeMs, [&] { return !moves(spec); });
    const World &world = m_controller->world();
    if (isAsWanted(world, spec) || (moves(spec.path) && looksAsWanted(world, spec)))
        return;
    showProgress(u"making %1"_s.arg(spec.path));
    const std::optional<Way> way = wayTo(world, spec, {});
    if (!way)
        throw cannotMake(spec);
    go(*way);
}

CommandError ScenarioDriver::cannotMake(const ResourceSpec &spec) const
{
    return { u"%1 cannot be brought to %2: no operation of the pack does that%3"_s.arg(spec.path,
                 spec.state.isEmpty() ? u"rest"_s : spec.state,
                 m_takesPlans ? QString() : u" on a server that takes no plans"_s),
        Exit::Failed };
}

void ScenarioDriver::go(const Way &way)
{
    plan(way.request);
    const quint32 serial = m_controller->submit(identified(way.request));
    const auto isOver = [&] { return m_controller->operations().find(serial)->isOver(); };
    QElapsedTimer clock;
    clock.start();
    while (!isOver() && clock.elapsed() < MakeMs) {
        if (m_takesPlans)
            m_controller->askNow(); // it was planned to take no time
        waited(m_takesPlans && !m_options.poll ? 20 : poll(), isOver);
        requireServer();
    }
    const Operation operation = *m_controller->operations().find(serial);
    if (operation.path != way.request.path)
        m_places.learn(way.request.path, operation.path);
    const QString shown = shownAt(m_controller->world(), operation.path);
    if (operation.isOver() && shown == way.state)
        return;
    throw CommandError { u"%1 could not be made by %2: it is %3%4"_s.arg(way.request.path,
                             operation.op, shown.isEmpty() ? u"absent"_s : shown,
                             operation.errorCode.isEmpty()
                                 ? QString()
                                 : u"; %1: %2"_s.arg(operation.errorCode, operation.errorMessage)),
        Exit::Failed };
}

/// The operation on a resource around those that are wrong after which the fewest are, and fewer
/// than before; nothing: none is wrong.
std::optional<ScenarioDriver::Way> ScenarioDriver::wayToSettle(
    const World &world, const QList<ResourceSpec> &wanted, qsizetype *wrongBefore) const
{
    const QList<ResourceSpec> left = wrong(world, wanted);
    if (left.isEmpty())
        return {};
    QSet<QString> tops;
    for (const ResourceSpec &spec : left)
        tops += pathKey(world, RemoteWorld::top(spec.path));
    std::optional<Way> best;
    for (const ResourceSpec &spec : wanted) {
        if (!tops.contains(pathKey(world, RemoteWorld::top(spec.path))))
            continue;
        const std::optional<Way> way = wayTo(world, spec, wanted);
        if (way && way->wrong < (best ? best->wrong : left.size()))
            best = way;
        if (best && best->wrong == 0)
            break;
    }
    if (!best || left.size() >= std::exchange(*wrongBefore, left.size()))
        throw cannotSettle(world, left.first());
    return best;
}

CommandError ScenarioDriver::cannotSettle(const World &world, const ResourceSpec &first) const
{
    const QString shown = shownAt(world, first.path);
    return {
        u"%1 cannot be brought to %2 together with the others: making them leaves it %3; serve the scenario with --tree"_s
            .arg(first.path, first.state.isEmpty() ? u"rest"_s : first.state,
                shown.isEmpty() ? u"absent"_s : shown),
        Exit::Failed
    };
}

/// Making one resource may have moved another: as long as asking once more for one of those around
/// brings more of them where they are to be, that is done.
void ScenarioDriver::settle(const QList<ResourceSpec> &wanted)
{
    for (qsizetype before = wanted.size() + 1;;) {
        look();
        waited(MakeMs, [&] {
            return std::ranges::none_of(
                wanted, [&](const ResourceSpec &spec) { return moves(spec); });
        });
        requireServer();
        const std::optional<Way> best = wayToSettle(m_controller->world(), wanted, &before);
        if (!best)
            return;
        go(*best);
    }
}

void ScenarioDriver::prepare()
{
    connectAnew();
    const QList<ResourceSpec> all = wanted();
    QList<ResourceSpec> made;
    for (const ResourceSpec &spec : all) {
        make(m_places.at(spec));
        made += m_places.at(spec);
    }
    settle(made);
    showProgress({});
    m_controller.reset();
    m_bursts.clear();
}

// ---- What would be sent

void ScenarioDriver::addUnsent(std::optional<qint64> at, const Request &request)
{
    const Result<HttpRequest> http = m_controller->wouldSend(request);
    if (!http)
        throw CommandError { http.error(), Exit::Failed };
    m_unsent.append({ at, request, m_controller->url(http->target), *http });
}

/// Lists the requests that prepare() and play() would send. Requests that depend on an answer are
/// left out.
void ScenarioDriver::list()
{
    connectAnew();
    World world = m_controller->world();
    const auto add = [&](const Way &way) {
        world = way.after;
        return addUnsent({}, way.request);
    };
    const QList<ResourceSpec> all = wanted();
    for (const ResourceSpec &spec : all) {
        if (looksAsWanted(world, spec))
            continue;
        const std::optional<Way> way = wayTo(world, spec, {});
        if (!way)
            throw cannotMake(spec);
        add(*way);
    }
    qsizetype before = all.size() + 1;
    while (const std::optional<Way> way = wayToSettle(world, all, &before))
        add(*way);
    for (const ScenarioStep *step : stepsInTime()) {
        if (step->kind == ScenarioStep::Kind::Submit)
            addUnsent(step->at, identified(step->request));
    }
}

} // namespace instar
