// SPDX-License-Identifier: Apache-2.0
#include "model/engine/scenario.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Compares what a scenario expects with what is, and counts.
class Examiner
{
public:
    Examiner(const Scenario &scenario, const Simulator &simulator, Played &played) : m_simulator(simulator), m_played(played)
    {
        for (const ScenarioStep &step : scenario.steps) {
            for (const QString &path : step.expectation.etagsChanged + step.expectation.etagsUnchanged)
                m_etags.insert(path, etagAt(path));
        }
    }

    void examine(const ScenarioStep &step)
    {
        m_step = &step;
        const qsizetype failuresBefore = m_played.failures.size();
        const Expectation &expected = step.expectation;
        const OperationLog &operations = m_simulator.operations();
        for (auto it = expected.resources.cbegin(); it != expected.resources.cend(); ++it) {
            const QString found = shownAt(it.key());
            compare(it.key(), it.value().isEmpty() ? u"absent"_s : it.value(), found.isEmpty() ? u"absent"_s : found);
        }
        for (auto it = expected.operations.cbegin(); it != expected.operations.cend(); ++it) {
            const Operation *operation = operations.find(it.key());
            compare(u"operation "_s + it.key(), it.value(), statusName(operation ? operation->status : Status::Waiting));
        }
        for (auto it = expected.errors.cbegin(); it != expected.errors.cend(); ++it) {
            const Operation *operation = operations.find(it.key());
            compare(u"error of operation "_s + it.key(), it.value(), operation ? operation->errorCode : QString());
        }
        for (const QString &path : expected.etagsChanged)
            compare(u"etag of "_s + path, u"changed"_s, etagAt(path) != m_etags[path] ? u"changed"_s : u"unchanged"_s);
        for (const QString &path : expected.etagsUnchanged)
            compare(u"etag of "_s + path, u"unchanged"_s, etagAt(path) != m_etags[path] ? u"changed"_s : u"unchanged"_s);
        if (expected.violations)
            compare(u"violations"_s, QString::number(*expected.violations), QString::number(violations()));
        for (auto it = m_etags.begin(); it != m_etags.end(); ++it)
            *it = etagAt(it.key());
        ++(m_played.failures.size() == failuresBefore ? m_played.passed : m_played.failed);
    }

private:
    void compare(const QString &what, const QString &expected, const QString &found)
    {
        if (expected == found)
            return;
        m_played.failures.append({ m_step->at, m_step->line,
                                   u"%1: expected %2, found %3"_s.arg(what, expected, found.isEmpty() ? u"nothing"_s : found) });
    }

    QString shownAt(const QString &path) const
    {
        const World &world = m_simulator.world();
        const Resource resource = world.tree.find(path);
        if (resource == NoResource || !m_simulator.rules().isShown(world.tree.code(resource)))
            return {};
        return m_simulator.rules().shown(world.tree.code(resource));
    }

    QString etagAt(const QString &path) const
    {
        const Resource resource = m_simulator.world().tree.find(path);
        return resource == NoResource ? QString() : etag(m_simulator.world(), resource);
    }

    qsizetype violations() const
    {
        qsizetype count = 0;
        for (const Record &record : m_simulator.records())
            count += std::ranges::count(record.changes, Change::Kind::Violated, &Change::kind);
        return count;
    }

    const Simulator &m_simulator;
    Played &m_played;
    const ScenarioStep *m_step = nullptr;
    QMap<QString, QString> m_etags;
};

} // namespace

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
                : hasLine          ? u"%1:%2"_s.arg(scenario.file).arg(scenario.resourceLines[loaded.badResource])
                                   : scenario.file;
        return Error { u"%1: %2"_s.arg(where, loaded.problem) };
    }
    return Stage { std::move(*rules), std::move(loaded.world) };
}

Played play(const Scenario &scenario, Simulator &simulator, std::optional<qint64> until)
{
    Played played;
    Examiner examiner(scenario, simulator, played);
    QList<const ScenarioStep *> steps;
    for (const ScenarioStep &step : scenario.steps) {
        if (!until || step.at <= *until)
            steps += &step;
    }
    std::ranges::stable_sort(steps, {}, &ScenarioStep::at);
    for (const ScenarioStep *step : steps) {
        simulator.advanceTo(step->at);
        switch (step->kind) {
        case ScenarioStep::Kind::Submit:
            simulator.submit(step->request);
            break;
        case ScenarioStep::Kind::End:
            if (const Operation *operation = simulator.operations().find(step->operation)) {
                simulator.end(operation->serial,
                              step->outcome.isEmpty() ? Rules::None : simulator.rules().trigger(step->outcome));
            }
            break;
        case ScenarioStep::Kind::Expect:
            examiner.examine(*step);
            break;
        }
    }
    if (until)
        simulator.advanceTo(*until);
    else
        simulator.runUntilQuiet();
    played.quiescent = nextEvent(simulator.rules(), simulator.world()).kind == Event::Kind::Wait;
    return played;
}

} // namespace instar
