// SPDX-License-Identifier: Apache-2.0
#include "tests/support/exploring.h"

#include "model/json/library.h"
#include "tests/support/valueof.h"

using namespace Qt::StringLiterals;

namespace instar {

Pack networks()
{
    const Result<Pack> pack = loadPack(u"network-controller"_s);
    Q_ASSERT(pack);
    return *pack;
}

ScenarioStep submitted(const QString &id, const QString &op, const QString &path,
    const QString &outcome, const QString &client)
{
    ScenarioStep step;
    step.request = { .op = op, .path = path, .id = id, .client = client };
    step.anyOutcome = outcome == u"any";
    step.request.outcome = step.anyOutcome ? QString() : outcome;
    step.ops = { op };
    step.paths = { path };
    return step;
}

Scenario scenarioOf(
    const QStringList &paths, const QList<ScenarioStep> &steps, const Switches &switches)
{
    Scenario scenario;
    scenario.file = u"test"_s;
    scenario.steps = steps;
    scenario.switches = switches;
    scenario.resources.emplace();
    for (const QString &path : paths)
        scenario.resources->append({ .path = path });
    return scenario;
}

Stage stageFor(const Scenario &scenario, const Pack &pack)
{
    return valueOf(stageOf(scenario, pack));
}

QString spelled(const QMap<QString, QString> &resources, const QMap<QString, QString> &operations)
{
    QStringList left, right;
    for (auto it = resources.cbegin(); it != resources.cend(); ++it)
        left += it.key().section(u'/', -1) + u' ' + it.value();
    for (auto it = operations.cbegin(); it != operations.cend(); ++it)
        right += it.key() + u' ' + it.value();
    return left.join(u", "_s) + u" | "_s + right.join(u", "_s);
}

QStringList spelled(const QList<Ending> &endings)
{
    QStringList lines;
    for (const Ending &ending : endings)
        lines += spelled(ending.resources, ending.operations);
    lines.sort();
    return lines;
}

quint32 Play::submit(const ScenarioStep &step, qint64 time)
{
    happen({ .kind = Event::Kind::Submit,
        .time = time,
        .request = QSharedPointer<Request>::create(step.request) });
    return world.lastSerial;
}

void Play::end(quint32 serial, qint64 time)
{
    happen({ .kind = Event::Kind::End, .time = time, .operation = serial });
}

void Play::happen(const Event &event)
{
    Stepped stepped = step(m_rules, std::move(world), event);
    world = std::move(stepped.world);
    log.apply(m_rules, stepped.record, world);
}

} // namespace instar
