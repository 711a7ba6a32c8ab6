// SPDX-License-Identifier: Apache-2.0
#include "model/pack/edits.h"
#include "model/pack/nearest.h"
#include "tests/support/packtext.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

/// Machines with something changed.
class TestEdits : public QObject
{
    Q_OBJECT

private slots:
    void freshNames();
    void deletedStatesTakeTheirRows();
    void deletedFramesTakeTheirContents();
    void deletedArrowsLeaveOtherStates();
    void refusals();
    void newRowsCanSpeak_data();
    void newRowsCanSpeak();
    void reconnectedEnds();
    void nestingNeverCloses();
    void kinds();
    void fragments();
    void fragmentsAreWhole();
};

namespace {

Machine door()
{
    return packOf(R"({"id": "p", "types": {}, "machines": {"door": {"rest": "open", "states": {
    "none": {"kind": "initial"}, "shut": {"kind": "composite"}, "closed": {"parent": "shut"}, "locked": {"parent": "shut"},
    "open": {}, "moving": {"kind": "transitional", "work": [{"op": "x", "to": "parent"}], "timer": {"outcome": "late", "after": 5}}},
  "transitions": [{"from": "none", "on": "build", "to": "open"},
    {"from": ["open", "closed"], "on": "push", "to": "moving"},
    {"from": "closed", "on": "lock", "to": "locked"},
    {"from": "shut", "on": "break", "to": ["open", "closed"]},
    {"from": "*", "on": "remove", "to": "none"},
    {"from": "open", "on": "knock", "refuse": "nobody"}],
  "constraints": [{"in": ["locked"], "holds": {"parent": ["open"]}}, {"in": ["locked", "open"], "holds": {"parent": ["open"]}}]}}})")
        .machines.first();
}

/// "from -on-> to", one each.
QStringList rowsOf(const Machine &machine)
{
    QStringList rows;
    for (const Transition &row : machine.transitions)
        rows += u"%1 -%2-> %3"_s.arg(row.from.join(u' '), row.on.join(u' '), row.to.join(u' '));
    return rows;
}

} // namespace

void TestEdits::freshNames()
{
    QCOMPARE(freshName(u"a"_s, QStringList()), u"a"_s);
    QCOMPARE(freshName(u"a"_s, QStringList { u"a"_s, u"a-2"_s }), u"a-3"_s);
}

void TestEdits::deletedStatesTakeTheirRows()
{
    const Edited edited = withoutStates(door(), { u"closed"_s });
    QVERIFY(!edited.machine.state(u"closed"_s));
    QCOMPARE(rowsOf(edited.machine),
        (QStringList { u"none -build-> open"_s, u"open -push-> moving"_s, u"shut -break-> open"_s,
            u"* -remove-> none"_s, u"open -knock-> "_s }));
    QCOMPARE(edited.removed, QStringList { u"closed → locked (lock)"_s });
}

void TestEdits::deletedFramesTakeTheirContents()
{
    const Edited edited = withoutStates(door(), { u"shut"_s });
    QCOMPARE(stateIds(edited.machine), (QStringList { u"none"_s, u"open"_s, u"moving"_s }));
    QCOMPARE(edited.machine.constraints.size(), 1);
    QCOMPARE(edited.machine.constraints[0].in, QStringList { u"open"_s });
    QVERIFY(edited.removed.contains(u"closed"_s));
    QVERIFY(edited.removed.contains(u"constraint in locked"_s));
    QVERIFY(!edited.removed.contains(u"shut"_s)); // that is known
}

void TestEdits::deletedArrowsLeaveOtherStates()
{
    QCOMPARE(rowsOf(withoutArrow(door(), { 1 }, u"open"_s, u"moving"_s).machine)[1],
        u"closed -push-> moving"_s);
    QCOMPARE(rowsOf(withoutArrow(door(), { 3 }, u"shut"_s, u"closed"_s).machine)[3],
        u"shut -break-> open"_s);
    const Edited whole = withoutArrow(door(), { 2 }, u"closed"_s, u"locked"_s);
    QCOMPARE(whole.machine.transitions.size(), 5);
    QVERIFY(whole.removed.isEmpty());
    QVERIFY(!rowsOf(whole.machine).contains(u"closed -lock-> locked"_s));
}

void TestEdits::refusals()
{
    Pack pack;
    pack.machines = { door() };
    const Condition busy { .kind = Condition::Kind::Label, .text = u"busy"_s };
    const Pack refused = withRefusal(pack, u"door"_s, 1, u"open"_s, busy, u"while busy"_s);
    const Machine &machine = refused.machines.first();
    QCOMPARE(rowsOf(machine).mid(1, 2),
        (QStringList { u"open -push-> "_s, u"open closed -push-> moving"_s }));
    QCOMPARE(machine.transitions[1].refuse, u"Conflict"_s);
    QCOMPARE(machine.transitions[1].condition, busy);
    QCOMPARE(idsOf(refused.refusals), QStringList { u"Conflict"_s });
    QCOMPARE(refused.refusals.first().message, u"while busy"_s);
    const Pack again = withRefusal(refused, u"door"_s, 0, {}, busy, u"while busy"_s);
    QCOMPARE(rowsOf(again.machines.first()).first(), u"* -build-> "_s);
    QCOMPARE(again.refusals, refused.refusals);
    const Pack other = withRefusal(refused, u"door"_s, 0, {}, busy, u"at night"_s);
    QCOMPARE(other.refusals.last().id, u"Conflict-2"_s);
    QCOMPARE(other.refusals.last().code, u"Conflict"_s);
    QCOMPARE(
        rowsOf(withoutArrow(machine, { 1 }, u"open"_s, {}).machine), rowsOf(pack.machines.first()));
}

void TestEdits::newRowsCanSpeak_data()
{
    const Rows<QString, QString, int> row("from", "on", "place");
    row("on something else", u"open"_s, u"paint"_s, 6);
    row("before any state's", u"open"_s, u"remove"_s, 4);
    row("before the frame's", u"closed"_s, u"break"_s, 3);
    row("the frame itself", u"shut"_s, u"break"_s, 6);
    row("not from nowhere", u"none"_s, u"remove"_s, 6);
}

void TestEdits::newRowsCanSpeak()
{
    QFETCH(QString, from);
    QFETCH(QString, on);
    QFETCH(int, place);
    const Transition row { .from = { from }, .on = { on }, .to = { u"open"_s } };
    QCOMPARE(int(insertionIndex(door(), row)), place);
    const Machine changed = withTransition(door(), row);
    QCOMPARE(changed.transitions.size(), door().transitions.size() + 1);
    QCOMPARE(changed.transitions[place], row);
}

void TestEdits::reconnectedEnds()
{
    const Machine machine = door();
    QCOMPARE(rowsOf(reconnected(machine, { 1 }, ArrowEnd::From, u"open"_s, u"locked"_s))[1],
        u"locked closed -push-> moving"_s);
    QCOMPARE(rowsOf(reconnected(machine, { 3 }, ArrowEnd::To, u"closed"_s, u"locked"_s))[3],
        u"shut -break-> open locked"_s);
    QCOMPARE(rowsOf(reconnected(machine, { 3 }, ArrowEnd::To, u"closed"_s, u"open"_s))[3],
        u"shut -break-> open"_s);
    QCOMPARE(rowsOf(reconnected(machine, { 4 }, ArrowEnd::From, {}, u"open"_s))[4],
        u"open -remove-> none"_s);
    QCOMPARE(rowsOf(reconnected(machine, { 2 }, ArrowEnd::To, u"locked"_s, {}))[2],
        u"closed -lock-> (last)"_s);
}

void TestEdits::nestingNeverCloses()
{
    const Machine in = nested(door(), { u"open"_s }, u"shut"_s);
    QCOMPARE(in.state(u"open"_s)->parent, u"shut"_s);
    QCOMPARE(nested(in, { u"open"_s }, {}).state(u"open"_s)->parent, QString());
    QCOMPARE(nested(door(), { u"shut"_s }, u"shut"_s), door());
}

void TestEdits::kinds()
{
    const Machine rests = withKind(door(), u"moving"_s, State::Kind::Stable);
    QVERIFY(rests.state(u"moving"_s)->work.isEmpty());
    QVERIFY(!rests.state(u"moving"_s)->timer); // which ended its work
    const Machine flat = withKind(door(), u"shut"_s, State::Kind::Stable);
    QCOMPARE(flat.state(u"closed"_s)->parent, QString());
    QCOMPARE(withKind(door(), u"open"_s, State::Kind::Stable), door());
}

void TestEdits::fragments()
{
    const Fragment shut = fragmentOf(door(), { u"shut"_s, u"none"_s });
    QStringList ids;
    for (const State &state : shut.states)
        ids += state.id;
    QCOMPARE(ids, (QStringList { u"none"_s, u"shut"_s, u"closed"_s, u"locked"_s }));
    Machine rows;
    rows.transitions = shut.transitions;
    QCOMPARE(rowsOf(rows), (QStringList { u"closed -lock-> locked"_s, u"shut -break-> closed"_s }));
    const Pasted pasted = withFragment(door(), shut, { 10, 20 });
    QCOMPARE(
        pasted.states, (QStringList { u"none-2"_s, u"shut-2"_s, u"closed-2"_s, u"locked-2"_s }));
    QCOMPARE(pasted.machine.state(u"locked-2"_s)->parent, u"shut-2"_s);
    QCOMPARE(pasted.machine.state(u"none-2"_s)->kind, State::Kind::Stable);
    QVERIFY(rowsOf(pasted.machine).contains(u"closed-2 -lock-> locked-2"_s));
    QVERIFY(rowsOf(pasted.machine).contains(u"closed -lock-> locked"_s));
}

/// Rows that lead nowhere, and what is said of the states alone.
void TestEdits::fragmentsAreWhole()
{
    Machine machine = door();
    const Transition looks { .from = { u"locked"_s, u"open"_s }, .on = { u"look"_s } };
    Transition opens = looks;
    opens.to = { u"open"_s };
    machine.transitions = { looks, opens };
    Constraint constraint;
    constraint.in = { u"open"_s, u"locked"_s };
    machine.constraints = { constraint };
    machine.notes = { { {}, u"of it"_s, u"locked"_s, QPointF(1, 2) },
        { {}, u"of another"_s, u"open"_s, {} }, { {}, u"of none"_s, {}, {} } };
    const Fragment locked = fragmentOf(machine, { u"locked"_s });
    QCOMPARE(locked.transitions.size(), 1);
    QCOMPARE(locked.transitions[0].from, QStringList(u"locked"_s));
    QVERIFY(locked.transitions[0].to.isEmpty());
    QCOMPARE(locked.constraints.size(), 1);
    QCOMPARE(locked.constraints[0].in, QStringList(u"locked"_s));
    QCOMPARE(locked.notes.size(), 1);
    QVERIFY(fragmentOf(machine, { u"none"_s }).constraints.isEmpty());

    const Machine pasted = withFragment(machine, locked, { 10, 20 }).machine;
    QCOMPARE(pasted.transitions.size(), 3);
    QCOMPARE(pasted.constraints.last().in, QStringList(u"locked-2"_s));
    QCOMPARE(pasted.notes.last().of, u"locked-2"_s);
    QCOMPARE(pasted.notes.last().position, QPointF(11, 22));
    QCOMPARE(pasted.constraints.first(), constraint);
}

const TestClass<TestEdits> registered;

#include "tst_edits.moc"
