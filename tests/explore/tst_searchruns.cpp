// SPDX-License-Identifier: Apache-2.0
#include "model/engine/clock.h"
#include "tests/support/exploring.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

/// Plays a scenario in an order, and with outcomes, that the dice choose; how it ended, or nothing
/// where it goes on.
std::optional<QString> diced(const Scenario &scenario, const Stage &stage, quint32 seed)
{
    const auto dice = [&seed](size_t sides) {
        seed = seed * 1664525u + 1013904223u;
        return size_t(seed >> 8) % sides;
    };
    QMap<QString, QList<ScenarioStep>> clients;
    QMap<QString, bool> anyOutcome;
    for (const ScenarioStep &step : scenario.steps) {
        clients[step.request.client.isEmpty() ? u"its own "_s + step.request.id
                                              : step.request.client]
            .append(step);
        anyOutcome.insert(step.request.id, step.anyOutcome);
    }
    Play play(stage.rules, stage.world);
    for (int round = 0; round < 100; ++round) {
        QList<Event> events;
        for (const auto &running : play.world.running) {
            for (Event event : endsOf(stage.rules, play.world, *running, false)) {
                event.time = event.kind == Event::Kind::Expire ? running->deadline : running->due;
                events += event;
            }
        }
        events += firings(stage.rules, play.world);
        for (Event &event : events) {
            const Running *running = play.world.find(event.operation);
            if (event.kind != Event::Kind::End
                || !anyOutcome.value(running->id.section(u'.', 0, 0)))
                continue;
            QList<Rules::TriggerId> outcomes =
                instar::possibleOutcomes(stage.rules, play.world, event.operation);
            outcomes.removeAll(stage.rules.retried);
            if (!outcomes.isEmpty())
                event.outcome = outcomes[qsizetype(dice(size_t(outcomes.size())))];
        }
        const size_t waiting = size_t(clients.size());
        if (events.isEmpty() && waiting == 0) {
            QMap<QString, QString> resources, operations;
            for (const Resource resource : play.world.tree.resources()) {
                if (stage.rules.isShown(play.world.tree.code(resource)))
                    resources.insert(play.world.tree.path(resource),
                        stage.rules.shown(play.world.tree.code(resource)));
            }
            for (const Operation &operation : play.log.all()) {
                if (anyOutcome.contains(operation.id))
                    operations.insert(operation.id, statusName(operation.status));
            }
            return spelled(resources, operations);
        }
        const size_t chosen = dice(size_t(events.size()) + waiting);
        if (chosen < size_t(events.size())) {
            play.happen(events[qsizetype(chosen)]);
            continue;
        }
        const QString client = clients.keys()[qsizetype(chosen) - events.size()];
        const ScenarioStep step = clients[client].takeFirst();
        if (clients[client].isEmpty())
            clients.remove(client);
        ScenarioStep choice = step;
        choice.request.op = step.ops[qsizetype(dice(size_t(step.ops.size())))];
        choice.request.path = step.paths[qsizetype(dice(size_t(step.paths.size())))];
        play.submit(choice, play.world.now);
    }
    return {};
}

void checkRuns(const Scenario &scenario, const Pack &pack)
{
    const Stage stage = stageFor(scenario, pack);
    const ExploreOptions options { .by = ExploreOptions::By::Operations,
        .budget = { .states = 10'000 } };
    const Result<Exploration> all = explore(scenario, stage, options);
    RC_ASSERT(bool(all));
    if (all->worlds >= 10'000)
        RC_DISCARD("too large");
    const QStringList found = spelled(all->endings);
    for (int run = 0; run < 20; ++run) {
        const std::optional<QString> end =
            diced(scenario, stage, quint32(*rc::gen::arbitrary<unsigned>()));
        if (end && !found.contains(*end))
            RC_FAIL("not found: " + end->toStdString() + "\nfound:\n"
                + found.join(u'\n').toStdString());
    }
}

QString any(const QStringList &words)
{
    return words[*rc::gen::inRange<qsizetype>(0, words.size())];
}

QList<ScenarioStep> randomSteps(int most, const QStringList &ops, const QStringList &paths)
{
    const int count = *rc::gen::inRange(1, most + 1);
    QList<ScenarioStep> steps;
    for (int i = 0; i < count; ++i) {
        ScenarioStep step = submitted(QChar(u'a' + i), any(ops), any(paths),
            any({ u""_s, u"failed"_s, u"any"_s }), any({ u""_s, u"A"_s, u"B"_s }));
        step.request.transientFailures = *rc::gen::weightedElement<int>({ { 4, 0 }, { 1, 1 } });
        step.request.hang = *rc::gen::weightedElement<bool>({ { 6, false }, { 1, true } });
        if (*rc::gen::weightedElement<bool>({ { 4, false }, { 1, true } }))
            step.paths += any(paths);
        steps += step;
    }
    return steps;
}

} // namespace

class TestSearchRuns : public QObject
{
    Q_OBJECT

private slots:
    void everyRunIsFound();
    void everyRunOfAnyPackIsFound();
};

void TestSearchRuns::everyRunIsFound()
{
    const Pack pack = networks();
    const QStringList start { Net, Sub, Sub + u"/ipPools/p"_s, Net + u"/subnets/r"_s };
    const bool good = rc::check([&] {
        Scenario scenario = scenarioOf(start,
            randomSteps(4, { u"PUT"_s, u"DELETE"_s, u"GET"_s },
                start + QStringList { Net + u"/subnets/new"_s, u"/logicalNetworks/m"_s }));
        for (const Switch &row : pack.switches)
            scenario.switches.insert(row.id, any(row.values));
        checkRuns(scenario, pack);
    });
    QVERIFY(good);
}

void TestSearchRuns::everyRunOfAnyPackIsFound()
{
    const bool good = rc::check([] {
        const Pack pack = *randomPack();
        QStringList start { u"/t/a"_s, u"/t/b"_s, u"/p/z"_s };
        if (pack.machines.size() > 1)
            start += { u"/t/a/u/c"_s, u"/t/a/u/d"_s };
        checkRuns(scenarioOf(start,
                      randomSteps(3, { u"PUT"_s, u"DELETE"_s, u"poke"_s },
                          start + QStringList { u"/t/new"_s })),
            pack);
    });
    QVERIFY(good);
}

const instar::TestClass<TestSearchRuns> registered;
#include "tst_searchruns.moc"
