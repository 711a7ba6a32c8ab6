// SPDX-License-Identifier: Apache-2.0
#include "model/engine/scenario.h"

#include "model/engine/examiner.h"
#include "model/engine/madenames.h"

#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

ScenarioStep stepAsking(const Request &request)
{
    ScenarioStep step;
    step.request = request;
    step.ops = { request.op };
    step.paths = { request.path };
    return step;
}

QList<Request> requestsIn(const QList<ScenarioStep> &steps)
{
    QList<Request> requests;
    for (const ScenarioStep &step : steps) {
        if (step.kind != ScenarioStep::Kind::Submit)
            continue;
        requests += step.request;
        for (const QString &path : step.paths) {
            requests += step.request;
            requests.last().path = path;
        }
    }
    return requests;
}

Result<Stage> stageOf(const Scenario &scenario, const Pack &pack)
{
    Result<Rules> rules = Rules::make(pack, scenario.switches);
    if (!rules)
        return Error { u"%1: %2"_s.arg(scenario.file, rules.error()) };
    const bool own = scenario.resources.has_value();
    Loaded loaded = makeWorld(*rules, own ? *scenario.resources : pack.sample);
    if (!loaded.problem.isEmpty()) {
        const bool hasLine = own && loaded.badResource < scenario.resourceLines.size();
        const QString where = !own ? u"the sample of pack "_s + pack.id
            : hasLine
            ? u"%1:%2"_s.arg(scenario.file).arg(scenario.resourceLines[loaded.badResource])
            : scenario.file;
        return Error { u"%1: %2"_s.arg(where, loaded.problem) };
    }
    return Stage { std::move(*rules), std::move(loaded.world) };
}

void endByHand(const ScenarioStep &step, Simulator &simulator)
{
    const Operation *operation = simulator.operations().find(step.operation);
    if (!operation)
        return;
    const Rules &rules = simulator.rules();
    const Rules::TriggerId outcome =
        step.outcome.isEmpty() ? Rules::None : rules.trigger(step.outcome);
    if (outcome != Rules::None && outcome == rules.canceled)
        simulator.cancel(operation->serial);
    else
        simulator.end(operation->serial, outcome);
}

QString choiceProblem(const Scenario &scenario)
{
    for (const ScenarioStep &step : scenario.steps) {
        if (step.ops.size() > 1 || step.paths.size() > 1)
            return u"%1:%2: expected one %3, found a list to choose from, which only explore tries; name one"_s
                .arg(scenario.file)
                .arg(step.line)
                .arg(step.ops.size() > 1 ? u"operation"_s : u"path"_s);
    }
    return {};
}

Played play(const Scenario &written, Simulator &simulator, std::optional<qint64> until,
    const Budget &budget)
{
    constexpr qint64 eventsBetween = 200;
    const Scenario scenario = named(written, madeNames(written, simulator.world().tree));
    Played played;
    // Whether something was done to its end that is done a few events at a time.
    const auto isDone = [&](const auto &doSome) {
        for (;;) {
            const qint64 events = simulator.moment() + simulator.forgotten();
            const qint64 room = std::max<qint64>(budget.states - events, 0);
            if (doSome(int(std::min(room, eventsBetween))))
                return true;
            played.stoppedBy = room <= eventsBetween ? Limit::States : budget.interruption(events);
            if (played.stoppedBy != Limit::None)
                return false;
        }
    };
    Examiner examiner(scenario, simulator, played);
    SeenEtags etags(scenario.steps);
    QList<const ScenarioStep *> steps;
    for (const ScenarioStep &step : scenario.steps) {
        if (!until || step.at <= *until)
            steps += &step;
    }
    std::ranges::stable_sort(steps, {}, &ScenarioStep::at);
    for (const ScenarioStep *step : steps) {
        if (played.steps % eventsBetween == 0)
            played.stoppedBy = budget.interruption(simulator.moment());
        if (played.stoppedBy != Limit::None
            || !isDone([&](int most) { return simulator.advanceTo(step->at, most); })) {
            played.left = steps.size() - played.steps;
            break;
        }
        ++played.steps;
        switch (step->kind) {
        case ScenarioStep::Kind::Submit:
            simulator.submit(etags.demanding(*step, step->request));
            break;
        case ScenarioStep::Kind::End:
            endByHand(*step, simulator);
            break;
        case ScenarioStep::Kind::Expect:
            examiner.examine(*step);
            break;
        }
        etags.look(*step, simulator);
    }
    if (played.stoppedBy == Limit::None)
        isDone([&](int most) {
            return until ? simulator.advanceTo(*until, most) : simulator.runUntilQuiet(most);
        });
    played.quiescent = nextEvent(simulator.rules(), simulator.world()).kind == Event::Kind::Wait;
    return played;
}

Scenario scenarioOf(const Rules &rules, const World &world)
{
    Scenario scenario;
    scenario.pack = rules.pack().id;
    for (const Switch &row : rules.pack().switches) {
        const QString value = rules.switches().value(row.id, row.defaultValue);
        if (value != row.defaultValue)
            scenario.switches.insert(row.id, value);
    }
    scenario.resources.emplace();
    for (const Resource resource : world.tree.resources()) {
        const Code code = world.tree.code(resource);
        const Rules::MachineRule &machine =
            rules.machines()[size_t(rules.state(rules.stateOf(code)).machine)];
        Rules::StateId state = rules.stateOf(code);
        if (!rules.state(state).isStable())
            state = rules.lastOf(code) != Rules::None ? rules.lastOf(code) : machine.rest;
        ResourceSpec spec { .path = world.tree.path(resource),
            .state = {},
            .references = world.references.value(resource),
            .properties = world.properties.value(resource) };
        if (state != machine.rest && rules.state(state).isStable())
            spec.state = rules.state(state).id;
        *scenario.resources += spec;
    }
    return scenario;
}

namespace {

bool isByHand(const Event &event)
{
    return event.kind == Event::Kind::Cancel
        || (event.kind == Event::Kind::End && event.outcome != Rules::None);
}

} // namespace

Scenario scenarioOf(const Simulator &simulator, Known known)
{
    const Rules &rules = simulator.rules();
    Scenario scenario = scenarioOf(rules, simulator.beginning());
    QHash<quint32, QString> later; // ids of operations that the moment shown does not know
    const auto take = [&](const Record &record) {
        for (const Change &change : record.changes) {
            if (change.request)
                later.insert(change.operation, change.request->id);
        }
        ScenarioStep step { .at = record.event.time };
        if (record.event.kind == Event::Kind::Submit && record.event.request) {
            step.request = *record.event.request;
            step.ops = { step.request.op };
            step.paths = { step.request.path };
        } else if (isByHand(record.event)) {
            step.kind = ScenarioStep::Kind::End;
            const QString id = simulator.operations().idOf(record.event.operation);
            step.operation = id.isEmpty() ? later.value(record.event.operation) : id;
            step.outcome = rules.triggerName(
                record.event.kind == Event::Kind::Cancel ? rules.canceled : record.event.outcome);
        } else {
            return;
        }
        scenario.steps += step;
    };
    std::ranges::for_each(simulator.records(), take);
    if (known == Known::All)
        std::ranges::for_each(simulator.later(), take);
    return scenario;
}

} // namespace instar
