// SPDX-License-Identifier: Apache-2.0
#include "model/explore/rerun.h"

#include "model/explore/statespace.h"
#include "model/pack/rows.h"

#include <QScopedValueRollback>

namespace instar {

namespace {

/// Removes the parts of a row and its descendants that are only for people.
template<typename T>
void strip(T &row)
{
    if constexpr (std::is_base_of_v<Row, T>) {
        Row meaning;
        meaning.when = row.when;
        static_cast<Row &>(row) = meaning;
    }
    if constexpr (requires { row.title; })
        row.title.clear();
    if constexpr (requires { row.label; })
        row.label.clear();
    eachMember(row, []<typename M>(const char *, M &member, const MemberSpec &spec) {
        if (spec.drawing)
            member = M();
    });
    eachList(row, [](const char *, auto &&rows, const MemberSpec &) {
        for (auto &one : rows)
            strip(one);
    });
}

/// Returns a pack without the parts that the engine does not use.
Pack meaningOf(Pack pack)
{
    pack.id.clear();
    pack.origin.clear();
    pack.sourceList.clear();
    pack.wire = {};
    pack.sample.clear();
    for (Type &type : pack.types)
        type.icon.clear();
    for (Machine &machine : pack.machines)
        machine.notes.clear();
    strip(pack);
    return pack;
}

/// Removes the parts of a scenario that the rules do not know; returns their names.
QStringList removeUnknown(const Rules &rules, Scenario &scenario)
{
    QStringList unknown;
    const auto isOutcome = [&](const QString &name) {
        return name.isEmpty() || rules.trigger(name) != Rules::None;
    };
    for (ResourceSpec spec : std::exchange(*scenario.resources, {})) {
        const int machine = rules.machineForType(typePathOf(spec.path));
        if (machine == Rules::None) {
            unknown += spec.path;
            continue;
        }
        const Rules::StateId state =
            spec.state.isEmpty() ? Rules::None : rules.stateNamed(machine, spec.state);
        if (!spec.state.isEmpty() && (state == Rules::None || !rules.state(state).isStable())) {
            unknown += u"%1 (%2)"_s.arg(spec.path, spec.state);
            spec.state.clear();
        }
        *scenario.resources += spec;
    }
    for (ScenarioStep step : std::exchange(scenario.steps, {})) {
        Request &request = step.request;
        if (step.kind == ScenarioStep::Kind::End) {
            if (isOutcome(step.outcome))
                scenario.steps += step;
            else
                unknown += u"%1 (%2)"_s.arg(step.operation, step.outcome);
            continue;
        }
        if (!rules.isOperation(rules.trigger(request.op))
            || rules.machineForType(typePathOf(request.path)) == Rules::None) {
            unknown += u"%1 %2"_s.arg(request.op, request.path);
            continue;
        }
        if (!isOutcome(request.outcome))
            request.outcome.clear(); // an operation without a planned outcome succeeds
        for (WorkPlan &plan : request.work) {
            for (QString &outcome : plan.outcomes) {
                if (!isOutcome(outcome))
                    outcome = rules.triggerName(rules.succeeded);
            }
        }
        scenario.steps += step;
    }
    return unknown;
}

QSet<QString> pathsOf(const QList<ResourceSpec> &resources)
{
    return mapped<QSet<QString>>(resources, &ResourceSpec::path);
}

/// Returns the whole run, including the part after the moment shown.
Scenario wholeRun(const Simulator &simulator)
{
    return scenarioOf(simulator, simulator.records() + simulator.later());
}

} // namespace

bool behaveAlike(const Pack &a, const Pack &b)
{
    return meaningOf(a) == meaningOf(b);
}

Replay::Replay(Simulator &simulator, qsizetype mostEvents)
    : m_simulator(simulator), m_mostEvents(mostEvents)
{
    // Other code may restart the simulator from another beginning.
    connect(&simulator, &Controller::rulesChanged, this, [this] { m_isReplay = m_isPlaying; });
}

/// Returns true if nothing was submitted since the last replay.
bool Replay::isUnchanged() const
{
    return m_isReplay && m_history == m_simulator.history()
        && wholeRun(m_simulator).steps.size() == m_known;
}

/// Returns all steps, including those that the last replay left out.
Scenario Replay::requestedScenario() const
{
    if (!m_isReplay)
        return wholeRun(m_simulator);
    if (isUnchanged())
        return m_scenario;
    Scenario scenario = m_scenario;
    if (m_isComplete && m_history == m_simulator.history())
        scenario.steps += wholeRun(m_simulator).steps.mid(m_known);
    else // the simulator was reset, or shows another branch
        scenario.steps = wholeRun(m_simulator).steps;
    return scenario;
}

Replay::Times Replay::times() const
{
    if (!m_isComplete && isUnchanged())
        return m_times; // the last replay was not completed
    const qint64 now = m_simulator.world().now;
    return { now, std::max(now, m_simulator.timeOf(m_simulator.lastMoment())) };
}

QString Replay::play(Rules rules, const QList<Renaming> &renamings)
{
    constexpr qsizetype mostNamed = 3;
    const Rules &before = m_simulator.rules();
    const bool hasOtherSample = before.pack().sample != rules.pack().sample
        && pathsOf(*requestedScenario().resources) == pathsOf(before.pack().sample);
    if (!hasOtherSample && renamings.isEmpty() && before.switches() == rules.switches()
        && behaveAlike(before.pack(), rules.pack())) {
        const QScopedValueRollback<bool> restating(m_isPlaying, m_isReplay);
        m_simulator.restate(std::move(rules));
        return {};
    }
    const QScopedValueRollback<bool> playing(m_isPlaying, true);
    const bool wasPlaying = m_simulator.isPlaying();
    const Times times = this->times();
    const qsizetype otherBranches = m_simulator.branches().size() - 1;
    const bool isShort = m_simulator.lastMoment() <= m_mostEvents && m_simulator.keepsPast();
    Scenario all = renamed(requestedScenario(), m_simulator.rules(), renamings);
    std::ranges::stable_sort(all.steps, {}, &ScenarioStep::at);
    if (hasOtherSample)
        all.resources = rules.pack().sample;
    Scenario known = all;
    const QStringList unknown = removeUnknown(rules, known);

    QString text;
    Loaded initial = makeWorld(rules, *known.resources);
    if (!initial.problem.isEmpty()) {
        text = tr("The run cannot be replayed from its initial resources, so a new run starts: %1.")
                   .arg(initial.problem);
        initial = makeWorld(rules, rules.pack().sample);
    }
    const bool isSameBeginning = text.isEmpty();
    m_simulator.reset(std::move(rules), std::move(initial.world));
    const qint64 end =
        std::max(times.end, known.steps.isEmpty() ? times.end : known.steps.last().at);
    m_isComplete = isSameBeginning && isShort
        && instar::play(known, m_simulator, end, { .states = m_mostEvents }).stoppedBy
            == Limit::None;
    if (!m_isComplete)
        m_simulator.reset();
    if (isSameBeginning && !m_isComplete)
        text = tr("The run has more than %L1 events, so it is not replayed; a new run starts under "
                  "the changed rules.")
                   .arg(m_mostEvents);
    else if (m_isComplete && !unknown.isEmpty()) {
        const qsizetype more = unknown.size() - mostNamed;
        text = tr("These steps do not exist under the changed rules and were left out: %1%2.")
                   .arg(unknown.mid(0, mostNamed).join(u", "_s),
                       more > 0 ? tr(" and %L1 more").arg(more) : QString());
    }
    m_known = wholeRun(m_simulator).steps.size();
    if (m_isComplete)
        m_simulator.showTime(times.shown);
    m_scenario = all;
    m_times = times;
    m_history = m_simulator.history();
    if (otherBranches > 0)
        text = (text + u' '
            + tr("This change ended the other branches of the run (%L1). Undo does not bring them "
                 "back.")
                  .arg(otherBranches))
                   .trimmed();
    if (wasPlaying)
        m_simulator.play();
    return text;
}

} // namespace instar
