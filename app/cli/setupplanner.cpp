// SPDX-License-Identifier: Apache-2.0
#include "app/cli/setupplanner.h"

#include "model/engine/simulator.h"
#include "model/remote/remoteworld.h"

#include <QSet>

using namespace Qt::StringLiterals;

namespace instar {

bool isAtOrBelow(const QString &path, const QString &above)
{
    return path.startsWith(above) && (path.size() == above.size() || path[above.size()] == u'/');
}

void ServerPaths::learn(const QString &requested, const QString &made)
{
    const QString name = requested.section(u'/', -1);
    if (name.startsWith(u'{') && name.endsWith(u'}'))
        m_names.insert(name.sliced(1).chopped(1), made.section(u'/', -1));
    m_moved.removeIf([&](const auto &pair) { return pair.first == requested; });
    m_moved.append({ requested, made });
}

QString ServerPaths::at(const QString &path) const
{
    QString there = path;
    for (const auto &[asked, made] : m_moved) {
        if (isAtOrBelow(there, asked))
            there = made + there.sliced(asked.size());
    }
    return named(there, m_names);
}

ResourceSpec ServerPaths::at(ResourceSpec spec) const
{
    spec.path = at(spec.path);
    for (QString &reference : spec.references)
        reference = at(reference);
    return spec;
}

ScenarioStep ServerPaths::at(const ScenarioStep &step) const
{
    return withPaths(step, [this](const QString &path) { return at(path); });
}

SetupPlanner::SetupPlanner(const Scenario &scenario, const Rules &rules, const WireRules &messages,
    const ServerPaths &places, bool takesPlans)
    : m_rules(rules),
      m_messages(messages),
      m_places(places),
      m_takesPlans(takesPlans),
      m_listed(scenario.resources.value_or(rules.pack().sample))
{ }

QList<ResourceSpec> SetupPlanner::wanted(const World &world) const
{
    QMap<QString, ResourceSpec> byPath;
    QStringList order;
    const auto key = [&](const QString &path) { return pathKey(world, path); };
    for (const ResourceSpec &spec : m_listed) {
        byPath.insert(key(spec.path), spec);
        order += spec.path;
    }
    QList<ResourceSpec> result;
    QSet<QString> done;
    const auto add = [&](const auto &self, const QString &path) -> void {
        if (path.isEmpty() || done.contains(key(path)))
            return;
        done.insert(key(path)); // ends cycles of references
        self(self, path.section(u'/', 0, -3));
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

bool SetupPlanner::isAsWanted(const World &world, const ResourceSpec &spec) const
{
    const Resource there = world.tree.find(spec.path);
    if (there == NoResource)
        return false;
    const Rules::StateRule &state = m_rules.state(m_rules.stateOf(world.tree.code(there)));
    const Rules::StateId rest = m_rules.machines()[size_t(state.machine)].rest;
    if (world.unknownWords.contains(there))
        return spec.state.isEmpty();
    const bool isLeftAsItIs = !m_takesPlans && spec.state.isEmpty(); // at a real server
    return isLeftAsItIs || state.id == (spec.state.isEmpty() ? m_rules.state(rest).id : spec.state);
}

bool SetupPlanner::looksAsWanted(const World &world, const ResourceSpec &spec) const
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

QList<ResourceSpec> SetupPlanner::unsatisfied(const World &world, QList<ResourceSpec> wanted) const
{
    wanted.removeIf([&](const ResourceSpec &spec) { return looksAsWanted(world, spec); });
    return wanted;
}

QString SetupPlanner::shownAt(const World &world, const QString &path) const
{
    const Resource resource = world.tree.find(path);
    return resource == NoResource ? QString() : shownWord(m_rules, world, resource);
}

/// Contents for the listed descendants on which the operation requires others, by path.
QMap<QString, Enclosed> SetupPlanner::nestedContents(const Request &request) const
{
    QMap<QString, Enclosed> requests;
    for (const ResourceSpec &spec : m_listed) {
        const ResourceSpec placed = m_places.at(spec);
        if (placed.path.startsWith(request.path + u'/')
            && m_messages.isRequired(request.op, request.path, placed.path))
            requests.insert(placed.path, { placed.properties, placed.references, {} });
    }
    return requests;
}

/// First operation that brings a resource to its wanted state and leaves the fewest of `others`
/// unsatisfied; absent if no operation does.
std::optional<SetupPlanner::Step> SetupPlanner::bestStep(
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
    constexpr int mostTriedEvents = 10'000;
    std::optional<Step> best;
    for (const QString &outcome : std::as_const(outcomes)) {
        for (const QString &op : m_rules.pack().operationNames()) {
            Request request { .op = op, .path = spec.path, .outcome = outcome };
            request.duration = 0;
            request.properties = spec.properties;
            request.references = spec.references;
            request.requests = nestedContents(request);
            Simulator simulator(m_rules, start);
            simulator.submit(request);
            const PersistentList<Operation> &operations = simulator.operations().all();
            for (int left = mostTriedEvents; left > 0 && !operations.first().isOver(); --left) {
                if (!simulator.step())
                    break;
            }
            const World &after = simulator.world();
            if (operations.first().status == Status::Rejected || !isAsWanted(after, spec))
                continue;
            const qsizetype left = unsatisfied(after, others).size();
            if (!best || left < best->unsatisfied)
                best = Step { request, shownAt(after, spec.path), left, after };
            if (best->unsatisfied == 0)
                return best;
        }
    }
    return best;
}

SetupPlanner::Step SetupPlanner::stepFor(const World &world, const ResourceSpec &spec) const
{
    if (const std::optional<Step> step = bestStep(world, spec, {}))
        return *step;
    throw CommandError { u"no operation of the pack brings %1 to %2%3"_s.arg(spec.path,
                             spec.state.isEmpty() ? u"rest"_s : spec.state,
                             m_takesPlans ? QString() : u" on a server without test plans"_s),
        Exit::Failed };
}

std::optional<SetupPlanner::Step> SetupPlanner::stepToFix(
    const World &world, const QList<ResourceSpec> &wanted, qsizetype *unsatisfiedBefore) const
{
    const QList<ResourceSpec> left = unsatisfied(world, wanted);
    if (left.isEmpty())
        return {};
    QSet<QString> tops;
    for (const ResourceSpec &spec : left)
        tops += pathKey(world, RemoteWorld::top(spec.path));
    std::optional<Step> best;
    for (const ResourceSpec &spec : wanted) {
        if (!tops.contains(pathKey(world, RemoteWorld::top(spec.path))))
            continue;
        const std::optional<Step> step = bestStep(world, spec, wanted);
        if (step && step->unsatisfied < (best ? best->unsatisfied : left.size()))
            best = step;
        if (best && best->unsatisfied == 0)
            break;
    }
    if (best && left.size() < std::exchange(*unsatisfiedBefore, left.size()))
        return best;
    const ResourceSpec &first = left.first();
    const QString shown = shownAt(world, first.path);
    throw CommandError {
        u"%1 cannot be brought to %2: preparing the other resources leaves %1 in the state %3; serve the scenario with --tree"_s
            .arg(first.path, first.state.isEmpty() ? u"rest"_s : first.state,
                shown.isEmpty() ? u"absent"_s : shown),
        Exit::Failed
    };
}

} // namespace instar
