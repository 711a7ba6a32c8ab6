// SPDX-License-Identifier: Apache-2.0
#include "app/clidriver.h"
#include "app/cliwait.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int MakeMs = 600'000; ///< for one missing resource

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

/// The pack's first operation that brings the resource where it is to be, tried on a copy of what
/// is there.
std::optional<ScenarioDriver::Way> ScenarioDriver::wayTo(const ResourceSpec &spec) const
{
    const World &there = m_controller->world();
    const auto shownIn = [&](const World &world) {
        const Resource resource = world.tree.find(spec.path);
        return resource == NoResource ? QString() : m_rules.shown(world.tree.code(resource));
    };
    World start = there;
    start.running.clear();
    start.busy.clear();
    QStringList outcomes { QString() };
    if (m_takesPlans) {
        for (const Rules::TriggerId outcome : m_rules.outcomes())
            outcomes += m_rules.triggerName(outcome);
    }
    for (const QString &outcome : std::as_const(outcomes)) {
        for (const QString &op : m_rules.pack().operationNames()) {
            Request request { .op = op, .path = spec.path, .outcome = outcome };
            request.duration = 0;
            request.properties = spec.properties;
            request.references = spec.references;
            Simulator simulator(m_rules, start);
            simulator.submit(request);
            simulator.runUntilQuiet(10'000);
            const QString shown = shownIn(simulator.world());
            const Resource made = simulator.world().tree.find(spec.path);
            if (made == NoResource)
                continue;
            const Rules::StateId state = m_rules.stateOf(simulator.world().tree.code(made));
            const Rules::StateId rest =
                m_rules.machines()[size_t(m_rules.state(state).machine)].rest;
            if (m_rules.state(state).id
                == (spec.state.isEmpty() ? m_rules.state(rest).id : spec.state))
                return Way { request, shown };
        }
    }
    return {};
}

std::optional<Trouble> ScenarioDriver::make(const ResourceSpec &spec)
{
    const World &world = m_controller->world();
    const auto shown = [&] {
        const Resource resource = world.tree.find(spec.path);
        return resource == NoResource ? QString() : m_rules.shown(world.tree.code(resource));
    };
    const auto isAsWanted = [&] {
        const Resource there = world.tree.find(spec.path);
        if (there == NoResource)
            return false;
        const Rules::StateRule &state = m_rules.state(m_rules.stateOf(world.tree.code(there)));
        const Rules::StateId rest = m_rules.machines()[size_t(state.machine)].rest;
        return state.id == (spec.state.isEmpty() ? m_rules.state(rest).id : spec.state);
    };
    const auto moves = [&] {
        const Resource there = world.tree.find(spec.path);
        return there != NoResource
            && m_rules.state(m_rules.stateOf(world.tree.code(there))).isTransitional();
    };
    waited(MakeMs, [&] { return !moves(); });
    const bool isThere = world.tree.find(spec.path) != NoResource;
    if (isAsWanted() || (isThere && !m_takesPlans && spec.state.isEmpty()))
        return {}; // a real resource is left as it is
    showProgress(u"making %1"_s.arg(spec.path));
    std::optional<Way> way = wayTo(spec);
    if (!way) {
        return Trouble { Exit::Failed,
            u"%1 cannot be brought to %2: no operation of the pack does that%3"_s.arg(spec.path,
                spec.state.isEmpty() ? u"rest"_s : spec.state,
                m_takesPlans ? QString() : u" on a server that takes no plans"_s) };
    }
    if (auto trouble = plan(way->request))
        return trouble;
    const quint32 serial = m_controller->submit(way->request);
    const auto isOver = [&] { return m_controller->operations().find(serial)->isOver(); };
    QElapsedTimer clock;
    clock.start();
    while (!isOver() && clock.elapsed() < MakeMs) {
        if (m_takesPlans)
            m_controller->askNow(); // it was planned to take no time
        waited(m_takesPlans ? 20 : 1000, isOver);
        if (auto trouble = lost())
            return trouble;
    }
    const Operation operation = *m_controller->operations().find(serial);
    if (!operation.isOver() || shown() != way->state) {
        return Trouble { Exit::Failed,
            u"%1 could not be made by %2: it is %3%4"_s.arg(spec.path, operation.op,
                shown().isEmpty() ? u"absent"_s : shown(),
                operation.errorCode.isEmpty()
                    ? QString()
                    : u"; %1: %2"_s.arg(operation.errorCode, operation.errorMessage)) };
    }
    return {};
}

std::optional<Trouble> ScenarioDriver::prepare()
{
    if (auto trouble = connectAnew())
        return trouble;
    for (const ResourceSpec &spec : wanted()) {
        if (auto trouble = make(spec))
            return trouble;
    }
    showProgress({});
    m_controller.reset();
    m_exchanges.clear();
    m_volleys.clear();
    return {};
}

} // namespace instar
