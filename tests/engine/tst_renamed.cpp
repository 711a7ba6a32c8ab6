// SPDX-License-Identifier: Apache-2.0
#include "model/engine/scenario.h"
#include "model/json/packfile.h"
#include "model/pack/names.h"
#include "tests/support/playground.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

/// A pack in which something is called otherwise does what it did.
class TestRenamed : public QObject
{
    Q_OBJECT

private slots:
    void statesAreOthers();
};

namespace {

/// What an event led to, with states by the numbers that both rules have.
QString effects(const Stepped &stepped)
{
    QString text = QString::number(stepped.world.running.size());
    for (const Change &change : stepped.record.changes)
        text += u"\n%1 %2 %3 %4 %5"_s.arg(int(change.kind))
                    .arg(change.operation)
                    .arg(change.from)
                    .arg(change.to)
                    .arg(change.code);
    return text;
}

/// Where everything is, with a state by its new name.
QString states(const Rules &rules, const World &world, const QString &from, const QString &to,
    const QString &machine)
{
    QString text;
    for (const Resource resource : world.tree.resources()) {
        const Rules::StateRule &state = rules.state(rules.stateOf(world.tree.code(resource)));
        const bool isRenamed =
            rules.pack().machines[state.machine].id == machine && state.id == from;
        text += world.tree.path(resource) + u' ' + (isRenamed ? to : state.id) + u'\n';
    }
    return text;
}

/// A machine and one of its states.
std::pair<QString, QString> anyState(const Pack &pack)
{
    const Machine &machine = pack.machines[below(int(pack.machines.size()))];
    return { machine.id, machine.states[below(int(machine.states.size()))].id };
}

} // namespace

/// Also where machines have states of one name, and conditions ask for it of whoever asks them.
void TestRenamed::statesAreOthers()
{
    int moves = 0;
    QVERIFY(rc::check("the same events have the same effects", [&] {
        const Playground ground = randomPlayground();
        const Pack &pack = ground.rules.pack();
        const auto [machine, state] = anyState(pack);
        const Pack changed = renamed(pack, Name::State, state, u"fresh"_s, machine);
        RC_ASSERT(changed.machine(machine)->state(u"fresh"_s) != nullptr);
        const Result<Rules> others = Rules::make(changed, ground.rules.switches());
        if (!others)
            RC_FAIL(others.error().toStdString());
        QList<ResourceSpec> resources = *scenarioOf(ground.rules, ground.world).resources;
        World one = makeWorld(ground.rules, resources).world;
        for (ResourceSpec &spec : resources) {
            const int number = ground.rules.machineForType(typePathOf(spec.path));
            if (spec.state == state && pack.machines[number].id == machine)
                spec.state = u"fresh"_s;
        }
        World other = makeWorld(*others, resources).world;
        QString trace = machine + u' ' + state + u'\n';
        for (int i = 0; i < 30; ++i) {
            const Event event = anyEvent(ground, one, i);
            trace += told(event);
            Stepped first = step(ground.rules, one, event), second = step(*others, other, event);
            moves += int(first.record.changes.size());
            const bool isSame = effects(first) == effects(second)
                && states(ground.rules, first.world, state, u"fresh"_s, machine)
                    == states(*others, second.world, {}, {}, {});
            if (!isSame)
                RC_FAIL(trace.toStdString() + effects(first).toStdString() + "\nbut then "
                    + effects(second).toStdString() + '\n' + writePack(pack).toStdString());
            one = std::move(first.world);
            other = std::move(second.world);
        }
    }));
    QVERIFY(moves > 500);
}

const TestClass<TestRenamed> registered;
#include "tst_renamed.moc"
