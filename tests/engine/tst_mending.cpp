// SPDX-License-Identifier: Apache-2.0
#include "model/pack/runnablepack.h"
#include "tests/support/packtext.h"
#include "tests/support/randompack.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <rapidcheck.h>

using namespace instar;
using namespace Qt::StringLiterals;

/// Drafts, and as much of them as can be played.
class TestMending : public QObject
{
    Q_OBJECT

private slots:
    void wholePacksStay_data() { addRowsOf("id", knownPacks()); }
    void wholePacksStay();
    void randomDamage();
    void rowsKeepTheirPlaces();
    void nobodyHasUnknownStates();
    void treesThatNobodyCanLoad();
    void treesOfWhatIsLeftOut();
};

namespace {

/// Something that a hand may leave behind in the middle of its work.
void damage(Pack &pack)
{
    Machine &machine = pack.machines[*rc::gen::inRange<qsizetype>(0, pack.machines.size())];
    const auto state = [&]() -> State & {
        return machine.states[*rc::gen::inRange<qsizetype>(0, machine.states.size())];
    };
    const auto name = [] {
        return QStringList { u"lost"_s, QString(), u"*"_s,
            u"(last)"_s }[*rc::gen::inRange<qsizetype>(0, 4)];
    };
    switch (*rc::gen::inRange(0, 18)) {
    case 0:
        machine.states.removeAt(*rc::gen::inRange<qsizetype>(0, machine.states.size()));
        if (machine.states.isEmpty())
            machine.states.append({ .id = u"only"_s });
        break;
    case 1:
        machine.rest = name();
        break;
    case 2:
        machine.history = name();
        break;
    case 3:
        state().parent = state().id;
        break;
    case 4:
        state().kind = State::Kind(*rc::gen::inRange(0, 4));
        break;
    case 5:
        state().id = state().id;
        break;
    case 6:
        machine.states.append(State(state()));
        break;
    case 7:
        if (!machine.transitions.isEmpty())
            machine.transitions[0].to = { name() };
        break;
    case 8:
        if (!machine.transitions.isEmpty())
            machine.transitions.last().from = { name(), u"gone"_s };
        break;
    case 9:
        if (!machine.transitions.isEmpty()) {
            machine.transitions.last().condition = { .kind = Condition::Kind::Related,
                .text = u"parent"_s };
            machine.transitions.last().condition.states = { u"unheard"_s };
        }
        break;
    case 10:
        pack.types.append({ .path = u"orphans"_s, .machine = u"none such"_s });
        break;
    case 11: {
        NamedCondition row;
        row.id = u"circle"_s;
        row.condition = { .kind = Condition::Kind::Label, .text = u"circle"_s };
        pack.conditions.append(row);
        if (!machine.transitions.isEmpty())
            machine.transitions[0].condition = row.condition;
        break;
    }
    case 12: {
        Conflict row;
        row.on = { u"no such operation"_s };
        pack.conflicts.prepend(row);
        break;
    }
    case 13: {
        static const QStringList paths { u"/t/"_s, u"/t"_s, u"t/a"_s, u"//a"_s, u"/t//u/a"_s,
            QString(), u"/t/a"_s, u"/t/A"_s, u"/T/a/u/b"_s };
        pack.sample.append({ .path = paths[*rc::gen::inRange<qsizetype>(0, paths.size())] });
        break;
    }
    case 14:
        pack.types.append({ .path = u"*"_s, .machine = machine.id });
        break;
    case 15:
        state().when.insert(u"no such switch"_s, { u"on"_s });
        pack.sample.append({ .path = u"/t/b"_s, .state = state().id });
        break;
    case 16:
        pack.types[*rc::gen::inRange<qsizetype>(0, pack.types.size())].when.insert(
            u"no such switch"_s, { u"on"_s });
        break;
    default:
        pack.sample.append({ .path = u"/nowhere/x"_s, .state = u"lost"_s });
        break;
    }
}

} // namespace

void TestMending::wholePacksStay()
{
    QFETCH(QString, id);
    for (const Switches &switches : switchCombinations(packNamed(id)))
        QCOMPARE(runnableDraft(packNamed(id), switches), packNamed(id));
}

void TestMending::randomDamage()
{
    const bool holds = rc::check("a damaged pack can be played once it is mended", [] {
        Pack pack = *randomPack();
        const int count = *rc::gen::inRange(1, 8);
        for (int i = 0; i < count; ++i)
            damage(pack);
        const Pack playable = runnableDraft(pack);
        const Result<Rules> rules = Rules::make(playable);
        if (!rules)
            RC_FAIL(rules.error().toStdString());
        const Loaded loaded = makeWorld(*rules, playable.sample);
        if (!loaded.problem.isEmpty())
            RC_FAIL(loaded.problem.toStdString());
        RC_ASSERT(runnableDraft(playable) == playable);
    });
    QVERIFY(holds);
}

void TestMending::rowsKeepTheirPlaces()
{
    Pack pack = packOf(
        R"({"id": "p", "types": {"t": {"machine": "m"}}, "machines": {"m": {"rest": "a", "states": {"none": {"kind": "initial"}, "a": {}, "b": {}},
        "transitions": [{"from": "none", "on": "make", "to": "a"}, {"from": "a", "on": "go", "to": "lost"}, {"from": ["a", "lost"], "on": "go", "to": "b"}]}}})");
    const Machine machine = runnableDraft(pack).machines[0];
    QCOMPARE(machine.transitions.size(), 3);
    QVERIFY(machine.transitions[1].to.isEmpty());
    QVERIFY(machine.transitions[1].from.isEmpty());
    QCOMPARE(machine.transitions[2].from, QStringList { u"a"_s });
}

/// What asks for a state that nobody has is asked, and is never so.
void TestMending::nobodyHasUnknownStates()
{
    const Pack pack = packOf(
        R"({"id": "p", "types": {"t": {"machine": "m"}}, "machines": {"m": {"rest": "a", "states": {"none": {"kind": "initial"}, "a": {}, "b": {}},
        "transitions": [{"from": "a", "on": "go", "to": "b", "if": {"self": ["never"]}}]}}, "sample": {"resources": [{"path": "/t/x"}]}})");
    const Pack playable = runnableDraft(pack);
    QCOMPARE(playable.machines[0], pack.machines[0]);
    Staging stage(rulesOf(playable), playable.sample);
    QCOMPARE(statusName(stage.ask(u"go"_s, u"/t/x"_s).status), u"Rejected"_s);
    QCOMPARE(stage.at(u"/t/x"_s), u"a"_s);
}

/// What cannot be loaded is left out, and the rest is there.
void TestMending::treesThatNobodyCanLoad()
{
    Pack pack = packOf(
        R"({"id": "p", "ignoreCase": true, "types": {"t": {"machine": "m"}, "*": {"machine": "m"}},
        "machines": {"m": {"rest": "a", "states": {"none": {"kind": "initial"}, "a": {}}}}})");
    for (const QString &path : { u"/t/x"_s, u"/t/x"_s, u"/T/X"_s, u"/t/"_s, u"//x"_s, u"/a"_s,
             u"t/y"_s, QString(), u"/other/x"_s })
        pack.sample.append({ .path = path });
    QStringList paths;
    for (const ResourceSpec &resource : runnableDraft(pack).sample)
        paths += resource.path;
    QCOMPARE(paths, (QStringList { u"/t/x"_s, u"/other/x"_s }));
}

/// What the switches leave out is not there for a tree either.
void TestMending::treesOfWhatIsLeftOut()
{
    const Pack pack = packOf(
        R"({"id": "p", "switches": {"fast": {"default": false}},
        "types": {"t": {"machine": "m"}, "u": {"machine": "m", "when": {"fast": true}}},
        "machines": {"m": {"rest": "a", "states": {"none": {"kind": "initial"}, "a": {}, "b": {"when": {"fast": true}}}}},
        "sample": {"resources": [{"path": "/t/x", "state": "b"}, {"path": "/u/x"}]}})");
    const QList<ResourceSpec> slow = runnableDraft(pack).sample;
    QCOMPARE(slow.size(), 1);
    QCOMPARE(slow[0].path, u"/t/x"_s);
    QCOMPARE(slow[0].state, QString());
    QCOMPARE(runnableDraft(pack, { { u"fast"_s, u"true"_s } }).sample, pack.sample);
}

const TestClass<TestMending> registered;

#include "tst_mending.moc"
