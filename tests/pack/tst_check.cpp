// SPDX-License-Identifier: Apache-2.0
#include "model/engine/rules.h"
#include "model/engine/world.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/pack/check.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestCheck : public QObject
{
    Q_OBJECT

private slots:
    void packs_data();
    void packs();
    void builtInPacksAreClean();
    void otherSystems_data();
    void otherSystems();
    void twice();
    void suggestsInOrder();
    void whatIsGoodLoads();
    void randomPacksMakeSense();
    void largeMachines();
    void besideAStatechart();
};

namespace {

/// Every diagnostic on a line, as the console shows it.
QString lines(const JsonText &document, const QList<Diagnostic> &diagnostics)
{
    QList<Diagnostic> all = located(document, diagnostics);
    std::ranges::stable_sort(all, {}, &Diagnostic::line);
    QString text;
    for (const Diagnostic &diagnostic : std::as_const(all))
        text += described(document.name(), diagnostic) + u'\n';
    return text;
}

JsonText documentOf(const QString &file)
{
    Result<QByteArray> bytes = fileBytes(file);
    if (!bytes)
        qFatal("%s", qPrintable(bytes.error()));
    return valueOf(JsonText::parse(*std::move(bytes), QFileInfo(file).fileName()));
}

bool hasErrors(const QList<Diagnostic> &all)
{
    return std::ranges::find(all, Diagnostic::Severity::Error, &Diagnostic::severity) != all.end();
}

QStringList rulesOf(const QList<Diagnostic> &diagnostics)
{
    QStringList rules;
    for (const Diagnostic &diagnostic : diagnostics)
        rules += diagnostic.code;
    return rules;
}

/// The first choice of switches under which the engine does not take the pack, and why.
QString refusal(const Pack &pack)
{
    for (const Switches &switches : choicesOf(pack.switches)) {
        const Result<Rules> rules = Rules::make(pack, switches);
        if (!rules)
            return rules.error();
        const Loaded loaded = makeWorld(*rules, pack.sample);
        if (!loaded.problem.isEmpty())
            return loaded.problem;
    }
    return {};
}

/// Puts another name, or another of the pack's own, somewhere into a pack.
Pack damaged(Pack pack)
{
    const auto pick = [](qsizetype size) {
        return *rc::gen::inRange<qsizetype>(0, qMax<qsizetype>(size, 1));
    };
    const QString name = *rc::gen::element(
        u"nonsense"_s, u"Ready"_s, u"absent"_s, u"Updating"_s, u"PUT"_s, u"(last)"_s, u""_s);
    Machine &machine = pack.machines[pick(pack.machines.size())];
    State &state = machine.states[pick(machine.states.size())];
    Transition &row = machine.transitions[pick(machine.transitions.size())];
    switch (pick(16)) {
    case 0:
        state.id = name;
        break;
    case 1:
        state.parent = name;
        break;
    case 2:
        state.kind = State::Kind(pick(4));
        break;
    case 3:
        machine.rest = name;
        break;
    case 4:
        machine.history = name;
        break;
    case 5:
        row.from = { name };
        break;
    case 6:
        row.to = { name };
        break;
    case 7:
        row.on = { name };
        break;
    case 8:
        row.refuse = name;
        break;
    case 9:
        row.condition = { .kind = Condition::Kind::Last, .states = { name } };
        break;
    case 10:
        machine.constraints.append(Constraint { {}, { name },
            { { .kind = Condition::Kind::Related, .text = u"self"_s, .states = { name } } } });
        break;
    case 11:
        pack.types[pick(pack.types.size())].machine = name;
        break;
    case 12:
        pack.conflicts.append(Conflict { {}, { name }, {}, { u"self"_s } });
        break;
    case 13:
        state.when.insert(name, { u"true"_s });
        break;
    case 14:
        if (!pack.switches.isEmpty())
            state.when.insert(pack.switches.first().id, { pack.switches.first().values.first() });
        break;
    default:
        pack.sample.append({ .path = u"/t/a"_s, .state = name });
        break;
    }
    return pack;
}

} // namespace

void TestCheck::packs_data()
{
    QTest::addColumn<QString>("folder");
    const QDir all(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/check"));
    const QStringList names = all.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QVERIFY(names.size() >= 40);
    for (const QString &name : names)
        QTest::newRow(qPrintable(name)) << all.filePath(name);
}

void TestCheck::packs()
{
    QFETCH(QString, folder);
    const JsonText document = documentOf(folder + u"/pack.json"_s);
    const Pack pack = valueOf(readPack(document));
    const QByteArray expected = valueOf(fileBytes(folder + u"/expected.txt"_s));
    const QList<Diagnostic> diagnostics = check(pack);
    QCOMPARE(lines(document, diagnostics), QString::fromUtf8(expected));
    if (!refusal(pack).isEmpty())
        QVERIFY2(hasErrors(diagnostics), qPrintable(refusal(pack)));
}

/// But for what is true of the system itself, and has to be told: tests/data/warnings.
void TestCheck::builtInPacksAreClean()
{
    QVERIFY(!builtInPacks().isEmpty());
    for (const QString &id : builtInPacks()) {
        const JsonText document = valueOf(loadPackDocument(id));
        const Pack pack = valueOf(readPack(document));
        QString told;
        for (const QString &line : lines(document, check(pack)).split(u'\n', Qt::SkipEmptyParts))
            told += line.section(u": "_s, 1) + u'\n'; // without file and line
        const Result<QByteArray> warnings =
            fileBytes(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/warnings/%1.txt").arg(id));
        QCOMPARE(told, warnings ? QString::fromUtf8(*warnings) : QString());
        QVERIFY2(!told.contains(u"error: "_s), qPrintable(told));
        QCOMPARE(refusal(pack), QString());
    }
}

void TestCheck::otherSystems_data()
{
    QTest::addColumn<QString>("file");
    const QDir packs(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/packs"));
    for (const QString &name : packs.entryList({ u"*.json"_s }))
        QTest::newRow(qPrintable(name)) << packs.filePath(name);
}

/// What the drafts have to say for themselves: nothing that keeps them from running.
void TestCheck::otherSystems()
{
    QFETCH(QString, file);
    const JsonText document = documentOf(file);
    const Pack pack = valueOf(readPack(document));
    QList<Diagnostic> diagnostics = check(pack);
    static const QStringList known { u"dead-end"_s, u"unheard-outcome"_s, u"unreachable-state"_s };
    diagnostics.removeIf(
        [](const Diagnostic &diagnostic) { return known.contains(diagnostic.code); });
    QCOMPARE(lines(document, diagnostics), QString());
    QCOMPARE(refusal(pack), QString());
}

/// A file cannot hold one key twice, but an edited pack can.
void TestCheck::twice()
{
    Pack pack =
        valueOf(loadPack(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/check/clean/pack.json")));
    QCOMPARE(rulesOf(check(pack)), QStringList());
    pack.machines[0].states.append(pack.machines[0].states[1]);
    pack.machines.append(pack.machines[1]);
    pack.types.append(pack.types[0]);
    pack.switches.append(pack.switches[0]);
    pack.operations.append(pack.operations[0]);
    pack.refusals.append(pack.refusals[0]);
    pack.sourceList.append(pack.sourceList[0]);
    pack.outcomes = { { .id = u"failed"_s }, { .id = u"failed"_s } };
    pack.conditions = { { {}, u"x"_s, {} }, { {}, u"x"_s, {} } };
    QStringList pointers;
    for (const Diagnostic &diagnostic : check(pack)) {
        if (diagnostic.code == u"duplicate-id")
            pointers += diagnostic.pointer;
    }
    QCOMPARE(pointers,
        QStringList({ u"/machines/room/states/lit"_s, u"/sources/m"_s, u"/switches/wiring"_s,
            u"/types/rooms"_s, u"/operations/dim"_s, u"/outcomes/failed"_s, u"/conditions/x"_s,
            u"/machines/lamp"_s, u"/refusals/Busy"_s }));
}

/// Of names that are as near as each other the first of the file.
void TestCheck::suggestsInOrder()
{
    Pack pack =
        valueOf(loadPack(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/check/clean/pack.json")));
    for (const QChar letter : u"gcfahbide"_s)
        pack.machines[0].states.append({ .id = u"state "_s + letter });
    pack.machines[0].transitions[0].condition = { .kind = Condition::Kind::Last,
        .states = { u"state z"_s } };
    QStringList told;
    for (const Diagnostic &diagnostic : check(pack)) {
        if (diagnostic.code == u"unknown-state")
            told += diagnostic.text;
    }
    QCOMPARE(told, QStringList { u"there is no state \"state z\"; did you mean \"state g\"?"_s });
}

void TestCheck::whatIsGoodLoads()
{
    QVERIFY(rc::check("a pack that check() passes is one that the engine takes", [] {
        Pack pack = *randomPack();
        for (int i = *rc::gen::inRange(1, 4); i > 0; --i)
            pack = damaged(pack);
        const QString problem = refusal(pack);
        const QList<Diagnostic> diagnostics = check(pack);
        RC_CLASSIFY(!problem.isEmpty(), "refused");
        RC_CLASSIFY(hasErrors(diagnostics), "has errors");
        if (!problem.isEmpty() && !hasErrors(diagnostics))
            RC_FAIL(problem.toStdString());
        for (const Diagnostic &diagnostic : diagnostics) {
            RC_ASSERT(!diagnostic.text.isEmpty() && !diagnostic.code.isEmpty());
            RC_ASSERT(diagnostic.pointer.isEmpty() || diagnostic.pointer.startsWith(u'/'));
        }
    }));
}

void TestCheck::randomPacksMakeSense()
{
    QVERIFY(rc::check("names of a sensible pack are known", [] {
        for (const Diagnostic &diagnostic : check(*randomPack())) {
            if (diagnostic.code.startsWith(u"unknown-") || diagnostic.code == u"duplicate-id"
                || diagnostic.code == u"parent-cycle")
                RC_FAIL((diagnostic.pointer + u": "_s + diagnostic.text).toStdString());
        }
    }));
}

/// Time does not grow with the product of what a hostile file holds much of.
void TestCheck::largeMachines()
{
    Pack pack;
    pack.id = u"large"_s;
    pack.types = { { .path = u"t"_s, .machine = u"m"_s } };
    Machine machine { .id = u"m"_s, .rest = u"s1"_s };
    for (int i = 0; i < 3000; ++i) {
        machine.transitions.append(
            { .from = { u"s%1"_s.arg(i) }, .on = { u"stay"_s }, .to = { u"s%1"_s.arg(i) } });
        machine.states.append(
            { .id = u"s%1"_s.arg(i), .kind = i ? State::Kind::Stable : State::Kind::Initial });
        machine.transitions.append(
            { .from = { u"*"_s, u"s0"_s }, .on = { u"go%1"_s.arg(i) }, .to = { u"s%1"_s.arg(i) } });
    }
    pack.machines = { machine };
    QVERIFY(rulesOf(check(pack)).contains(u"too-large"_s));

    pack.machines[0].states = machine.states.first(100);
    pack.machines[0].transitions = machine.transitions.first(200);
    QCOMPARE(rulesOf(check(pack)), QStringList());

    // States that only rows from everywhere leave are all alike.
    pack.machines[0] = machine;
    pack.machines[0].transitions.removeIf(
        [](const Transition &row) { return row.on == QStringList { u"stay"_s }; });
    QCOMPARE(rulesOf(check(pack)), QStringList());
    pack.machines[0].transitions.last().to = { u"s7"_s };
    const QList<Diagnostic> diagnostics = check(pack);
    QCOMPARE(rulesOf(diagnostics), QStringList { u"unreachable-state"_s });
    QCOMPARE(diagnostics.first().pointer, u"/machines/m/states/s2999"_s);

    // Rows of one state and trigger, each with a condition of its own.
    pack.machines[0].states = machine.states.first(2);
    pack.machines[0].transitions.clear();
    for (int i = 0; i < 10'000; ++i)
        pack.machines[0].transitions.append({ .from = { u"s0"_s, u"s1"_s },
            .on = { u"go"_s },
            .condition = { .kind = Condition::Kind::Label, .text = u"c%1"_s.arg(i) },
            .to = { u"s1"_s } });
    QVERIFY(!rulesOf(check(pack)).contains(u"never-speaks"_s));
}

/// The engine's limits hold for ordinary machines also where a type is a statechart.
void TestCheck::besideAStatechart()
{
    Machine chart { .id = u"c"_s, .rest = u"c1"_s, .states = { { .id = u"c1"_s } } };
    chart.extras = { { Machine::StatechartMark.toString(), "true" } };
    for (const int count : { 2, 256 }) { // 2^16 pairs of a state and a last one are too many
        Machine machine { .id = u"m"_s, .rest = u"s1"_s };
        machine.states += State { .id = u"s0"_s, .kind = State::Kind::Initial };
        for (int i = 1; i <= count; ++i) {
            const QString rests = u"s%1"_s.arg(i), works = u"t%1"_s.arg(i);
            machine.states += State { .id = rests };
            machine.states += State { .id = works, .kind = State::Kind::Transitional };
            machine.transitions += QList<Transition> {
                { .from = { u"*"_s, u"s0"_s }, .on = { u"go%1"_s.arg(i) }, .to = { works } },
                { .from = { works }, .on = { u"succeeded"_s }, .to = { rests } },
                { .from = { works }, .on = { u"failed"_s }, .to = { u"(last)"_s } },
            };
        }
        Pack pack;
        pack.id = u"mixed"_s;
        pack.types = { { .path = u"t"_s, .machine = u"m"_s },
            { .path = u"c"_s, .machine = u"c"_s } };
        pack.machines = { machine, chart };
        QCOMPARE(rulesOf(packDiagnostics(*JsonText::parse(writePack(pack), {}), pack)),
            count == 2 ? QStringList() : QStringList { u"unresolved"_s });
    }
}

const instar::TestClass<TestCheck> registered;
#include "tst_check.moc"
