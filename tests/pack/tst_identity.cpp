// SPDX-License-Identifier: Apache-2.0
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/pack/identity.h"
#include "model/pack/names.h"
#include "tests/support/ownnames.h"
#include "tests/support/testclass.h"

#include <QSet>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

/// Rows of a document are the same rows whatever they are called and wherever they stand.
class TestIdentity : public QObject
{
    Q_OBJECT

private slots:
    void everyRowHasANumber_data() { addRowsOf("id", builtInPacks()); }
    void everyRowHasANumber();
    void everyRenaming_data() { addRowsOf("id", builtInPacks()); }
    void everyRenaming();
    void numbersAreNeitherComparedNorWritten();
    void movedRowsKeepTheirs();
    void newRowsGetTheNext();
    void copiesGetOneOfTheirOwn();
    void whatDoesNotChangeIsNotCopied();
    void pointersOfMembers();
    void renamedTogether();
    void readAgainTheyAreTheSame_data() { addRowsOf("id", builtInPacks()); }
    void readAgainTheyAreTheSame();
    void calledOtherwiseInTheText();
    void comeAndGoneInTheText();
    void fewerInTheirPlace();
};

namespace {

Pack builtIn(const QString &id, quint32 *last)
{
    Pack pack = valueOf(loadPack(id));
    identify(&pack, last);
    return pack;
}

/// Where each of the numbers leads, one a line.
QStringList pointersOf(const Pack &pack, quint32 last)
{
    QStringList all;
    for (quint32 number = 1; number <= last; ++number)
        all += pointerOf(pack, number).value_or(u"-"_s);
    return all;
}

QString textOf(const QList<Renaming> &renamings)
{
    QStringList lines;
    for (const Renaming &each : renamings)
        lines += u"%1 %2 %3 -> %4"_s.arg(int(each.what)).arg(each.machine, each.from, each.to);
    return lines.join(u'\n');
}

/// As one renaming tells it: types below a type have the new path, too.
QString expectedOf(const Pack &pack, const Mention &own, const QString &to)
{
    QList<Renaming> all;
    for (const Mention &each : ownNames(pack)) {
        const bool isBelow = own.what == Name::Type && each.what == Name::Type
            && each.text.startsWith(own.text + u'/');
        const bool isIt = each.what == own.what && each.text == own.text
            && (own.what != Name::State || each.machine == own.machine);
        const QString machine = own.what == Name::State ? own.machine : QString();
        if (isBelow || isIt)
            all.append({ own.what, machine, each.text, to + each.text.sliced(own.text.size()) });
    }
    return textOf(all);
}

} // namespace

void TestIdentity::everyRowHasANumber()
{
    QFETCH(QString, id);
    quint32 last = 0;
    const Pack pack = builtIn(id, &last);
    QVERIFY(last > 50);
    const QStringList pointers = pointersOf(pack, last);
    QVERIFY(!pointers.contains(u"-"_s));
    QCOMPARE(QSet<QString>(pointers.begin(), pointers.end()).size(), pointers.size());
    for (quint32 number = 1; number <= last; ++number)
        QCOMPARE(numberAt(pack, pointers[number - 1]), number);
}

/// The rows stay the same ones, and the one that is called otherwise is told.
void TestIdentity::everyRenaming()
{
    QFETCH(QString, id);
    quint32 last = 0;
    const Pack pack = builtIn(id, &last);
    for (const Mention &own : ownNames(pack)) {
        const QString to = freshFor(own);
        Pack changed = renamed(pack, own.what, own.text, to, own.machine);
        const quint32 before = last;
        identify(&changed, &last);
        QCOMPARE(last, before);
        QCOMPARE(textOf(renamings(pack, changed)), expectedOf(pack, own, to));
        QVERIFY(!pointersOf(changed, last).contains(u"-"_s));
    }
    QVERIFY(renamings(pack, pack).isEmpty());
}

void TestIdentity::numbersAreNeitherComparedNorWritten()
{
    quint32 last = 700;
    const Pack pack = builtIn(u"blazar"_s, &last);
    QVERIFY(last > 700);
    QCOMPARE(pack, *loadPack(u"blazar"_s));
    QCOMPARE(writePack(pack), writePack(*loadPack(u"blazar"_s)));
    Pack bare = pack;
    forgetIdentities(&bare);
    QCOMPARE(pointersOf(bare, last).filter(u"/"_s), QStringList());
    QCOMPARE(pack.machines[0].states[0].identity.number > 700, true);
}

void TestIdentity::movedRowsKeepTheirs()
{
    quint32 last = 0;
    const Pack pack = builtIn(u"blazar"_s, &last);
    Pack moved = pack;
    moved.machines[0].transitions.move(0, 3);
    std::ranges::reverse(moved.conflicts);
    std::ranges::reverse(moved.machines);
    const quint32 before = last;
    identify(&moved, &last);
    QCOMPARE(last, before);
    const quint32 first = pack.machines[0].transitions[0].identity.number;
    QCOMPARE(*pointerOf(moved, first), u"/machines/%1/transitions/3"_s.arg(pack.machines[0].id));
    const qsizetype machine = moved.machines.size() - 1;
    QCOMPARE(moved.machines[machine].transitions[3], pack.machines[0].transitions[0]);
}

void TestIdentity::newRowsGetTheNext()
{
    quint32 last = 0;
    const Pack pack = builtIn(u"blazar"_s, &last);
    Pack more = pack;
    more.machines[0].states.insert(1, State());
    more.machines[0].states[1].work.append(Step());
    const quint32 before = last;
    identify(&more, &last);
    QCOMPARE(last, before + 2);
    QCOMPARE(more.machines[0].states[1].identity.number, before + 1);
    QCOMPARE(more.machines[0].states[1].work[0].identity.number, before + 2);
    QCOMPARE(pointersOf(pack, before).size(), pointersOf(more, before).size());
    QVERIFY(!pointersOf(more, before).contains(u"-"_s));
}

void TestIdentity::copiesGetOneOfTheirOwn()
{
    quint32 last = 0;
    const Pack pack = builtIn(u"blazar"_s, &last);
    Pack twice = pack;
    twice.machines.append(twice.machines[0]);
    twice.machines.last().id = u"copy"_s;
    const quint32 before = last;
    identify(&twice, &last);
    QCOMPARE(pointersOf(twice, before), pointersOf(pack, before));
    for (quint32 number = before + 1; number <= last; ++number)
        QVERIFY(pointerOf(twice, number).value_or(QString()).startsWith(u"/machines/copy"_s));
    QVERIFY(renamings(pack, twice).isEmpty());
}

void TestIdentity::whatDoesNotChangeIsNotCopied()
{
    quint32 last = 0;
    Pack pack = builtIn(u"blazar"_s, &last);
    Pack same = pack;
    identify(&same, &last);
    QVERIFY(same.machines.isSharedWith(pack.machines));
    QVERIFY(same.conflicts.isSharedWith(pack.conflicts));
    same.machines[1].states.append(State());
    identify(&same, &last);
    QVERIFY(same.machines[0].states.isSharedWith(pack.machines[0].states));
    QVERIFY(same.machines[1].transitions.isSharedWith(pack.machines[1].transitions));
    QVERIFY(same.wire.requests.isSharedWith(pack.wire.requests));
    for (qsizetype i = 0; i < pack.machines[1].states.size(); ++i)
        QVERIFY(same.machines[1].states[i].work.isSharedWith(pack.machines[1].states[i].work));
}

void TestIdentity::pointersOfMembers()
{
    quint32 last = 0;
    const Pack pack = builtIn(u"network-controller"_s, &last);
    const Machine &machine = pack.machines[0];
    const QString at = pointerTo({ u"machines"_s, machine.id });
    QCOMPARE(numberAt(pack, QString()), pack.identity.number);
    QCOMPARE(numberAt(pack, u"/title"_s), pack.identity.number);
    QCOMPARE(numberAt(pack, at), machine.identity.number);
    QCOMPARE(numberAt(pack, at + u"/transitions"_s), machine.identity.number);
    QCOMPARE(numberAt(pack, at + u"/transitions/1"_s), machine.transitions[1].identity.number);
    QCOMPARE(
        numberAt(pack, at + u"/transitions/1/from/0"_s), machine.transitions[1].identity.number);
    QCOMPARE(numberAt(pack, at + u"/transitions/9999/from"_s), 0u);
    QCOMPARE(numberAt(pack, u"/machines/nowhere/rest"_s), 0u);
    QCOMPARE(numberAt(pack, u"/sample/resources/0/path"_s), pack.sample[0].identity.number);
    const Type &deep = *std::ranges::find_if(
        pack.types, [](const Type &type) { return type.path.contains(u'/'); });
    QCOMPARE(
        numberAt(pack, pointerTo({ u"types"_s, deep.path, u"machine"_s })), deep.identity.number);
    QCOMPARE(numberAt(pack, u"/wire/follow/order"_s), pack.wire.follow.identity.number);
    QVERIFY(!pointerOf(pack, last + 1));
    QVERIFY(!pointerOf(Pack(), 0));
}

void TestIdentity::renamedTogether()
{
    quint32 last = 0;
    const Pack pack = builtIn(u"blazar"_s, &last);
    const Machine &machine = pack.machines[0];
    const QString state = machine.states[1].id;
    const Pack changed = renamed(
        renamed(pack, Name::Machine, machine.id, u"m"_s), Name::State, state, u"s"_s, u"m"_s);
    QCOMPARE(textOf(renamings(pack, changed)),
        textOf({ { Name::Machine, {}, machine.id, u"m"_s },
            { Name::State, machine.id, state, u"s"_s } }));
}

void TestIdentity::readAgainTheyAreTheSame()
{
    QFETCH(QString, id);
    quint32 last = 0;
    const Pack pack = builtIn(id, &last);
    Pack again = pack;
    forgetIdentities(&again);
    recognize(&again, pack);
    QCOMPARE(pointersOf(again, last), pointersOf(pack, last));
    const quint32 before = last;
    identify(&again, &last);
    QCOMPARE(last, before); // none was left without
}

void TestIdentity::calledOtherwiseInTheText()
{
    quint32 last = 0;
    const Pack pack = builtIn(u"network-controller"_s, &last);
    Pack again = pack;
    forgetIdentities(&again);
    again.machines[0].states[1].id = u"typed"_s;
    again.machines[0].transitions[2].to = { u"typed"_s };
    again.operations.move(0, again.operations.size() - 1);
    recognize(&again, pack);
    const Machine &before = pack.machines[0], &after = again.machines[0];
    QCOMPARE(after.states[1].identity.number, before.states[1].identity.number);
    QCOMPARE(after.transitions[2].identity.number, before.transitions[2].identity.number);
    QCOMPARE(after.transitions[3].identity.number, before.transitions[3].identity.number);
    QCOMPARE(again.operations.last().identity.number, pack.operations.first().identity.number);
    QCOMPARE(textOf(renamings(pack, again)),
        u"%1 %2 %3 -> typed"_s.arg(int(Name::State)).arg(before.id, before.states[1].id));
}

void TestIdentity::comeAndGoneInTheText()
{
    quint32 last = 0;
    const Pack pack = builtIn(u"network-controller"_s, &last);
    Pack again = pack;
    forgetIdentities(&again);
    Machine &machine = again.machines[0];
    machine.states.removeAt(1);
    State another;
    another.id = u"another"_s;
    machine.states.insert(0, another);
    const Transition twin = machine.transitions[0];
    machine.transitions.insert(1, twin); // a copy is another row
    machine.transitions.removeLast();
    recognize(&again, pack);
    const Machine &before = pack.machines[0];
    QCOMPARE(machine.states[0].identity.number, 0u); // nothing has gone from there
    QCOMPARE(machine.states[1].identity.number, before.states[0].identity.number);
    QCOMPARE(machine.states[2].identity.number, before.states[2].identity.number);
    QCOMPARE(machine.transitions[0].identity.number, before.transitions[0].identity.number);
    QCOMPARE(machine.transitions[1].identity.number, 0u);
    QCOMPARE(machine.transitions[2].identity.number, before.transitions[1].identity.number);
}

/// Of two that are gone and one that came, nobody can say which one it was by its name.
void TestIdentity::fewerInTheirPlace()
{
    quint32 last = 0;
    const Pack pack = builtIn(u"network-controller"_s, &last);
    Pack again = pack;
    forgetIdentities(&again);
    Machine &machine = again.machines[0];
    machine.states.removeAt(2);
    machine.states[1].id = u"another"_s;
    machine.transitions.removeAt(2);
    machine.transitions[1].label = u"another"_s; // which has no name
    recognize(&again, pack);
    const Machine &before = pack.machines[0];
    QCOMPARE(machine.states[1].identity.number, 0u);
    QCOMPARE(machine.states[2].identity.number, before.states[3].identity.number);
    QCOMPARE(machine.transitions[1].identity.number, before.transitions[1].identity.number);
    QCOMPARE(machine.transitions[2].identity.number, before.transitions[3].identity.number);
}

const instar::TestClass<TestIdentity> registered;
#include "tst_identity.moc"
