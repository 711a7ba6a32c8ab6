// SPDX-License-Identifier: Apache-2.0
#include "model/pack/run.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// What a machine's own rows say: nesting, "*", the order of rows, and what a composite is entered
// at.

class TestMachineRun : public QObject
{
    Q_OBJECT

private slots:
    void lineages();
    void leaving_data();
    void leaving();
    void entering();
    void work();
    void crooked();
};

namespace {

State state(const QString &id, State::Kind kind, const QString &parent = {})
{
    return { .id = id, .kind = kind, .parent = parent };
}

Transition transition(const QStringList &from, const QStringList &on, const QString &to)
{
    return { .from = from, .on = on, .to = { to } };
}

/// absent, Busy{Deep{one, two}, three}, resting
Machine machine()
{
    using Kind = State::Kind;
    Machine made;
    made.id = u"m"_s;
    made.rest = u"resting"_s;
    made.states = { state(u"absent"_s, Kind::Initial), state(u"resting"_s, Kind::Stable),
        state(u"Busy"_s, Kind::Composite), state(u"Deep"_s, Kind::Composite, u"Busy"_s),
        state(u"three"_s, Kind::Transitional, u"Busy"_s),
        state(u"one"_s, Kind::Transitional, u"Deep"_s),
        state(u"two"_s, Kind::Transitional, u"Deep"_s) };
    made.transitions = {
        transition({ u"two"_s }, { u"go"_s, u"stop"_s }, u"one"_s),
        transition({ u"Deep"_s }, { u"go"_s }, u"three"_s),
        transition({ u"Busy"_s }, { u"stop"_s }, u"resting"_s),
        transition({ u"*"_s }, { u"go"_s }, u"Busy"_s),
        transition({ u"absent"_s }, { u"make"_s }, u"resting"_s),
    };
    return made;
}

} // namespace

void TestMachineRun::lineages()
{
    QCOMPARE(lineage(machine(), u"one"_s), (QStringList { u"one"_s, u"Deep"_s, u"Busy"_s }));
    QCOMPARE(lineage(machine(), u"Busy"_s), QStringList { u"Busy"_s });
    QCOMPARE(lineage(machine(), u"nothing"_s), QStringList());
}

void TestMachineRun::leaving_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("rows"); ///< of machine(), that lead out of it
    QTest::newRow("absent") << u"absent"_s << u"4"_s;
    QTest::newRow("resting") << u"resting"_s << u"3"_s;
    QTest::newRow("one") << u"one"_s << u"1 2 3"_s;
    QTest::newRow("two") << u"two"_s << u"0 1 2 3"_s;
    QTest::newRow("three") << u"three"_s << u"2 3"_s;
}

void TestMachineRun::leaving()
{
    QFETCH(QString, state);
    const Machine m = machine();
    QStringList rows;
    for (qsizetype i = 0; i < m.transitions.size(); ++i) {
        if (leaves(m, m.transitions[i], state))
            rows += QString::number(i);
    }
    QTEST(rows.join(u' '), "rows");
    QStringList asked;
    for (const int row : MachineIndex(m).from(state))
        asked += QString::number(row);
    QCOMPARE(asked, rows);
}

/// A composite is entered at its first state, however deep.
void TestMachineRun::entering()
{
    const Machine m = machine();
    const MachineIndex ways(m);
    for (const QString &deep : { u"Deep"_s, u"Busy"_s, u"one"_s })
        QCOMPARE(ways.entered(deep), u"one"_s);
    QCOMPARE(ways.entered(u"three"_s), u"three"_s);
}

void TestMachineRun::work()
{
    const Machine m = machine();
    QCOMPARE(workOf(*m.state(u"one"_s)),
        QList<Step> { Step() }); // one attempt, unless it says otherwise
    QCOMPARE(workOf(*m.state(u"resting"_s)), QList<Step>());
    State written = *m.state(u"one"_s);
    written.ownWork = true;
    QCOMPARE(workOf(written), QList<Step>());
}

/// Composites that lie in one another, or are empty, hang nobody.
void TestMachineRun::crooked()
{
    Machine m;
    m.states = { state(u"a"_s, State::Kind::Composite, u"b"_s),
        state(u"b"_s, State::Kind::Composite, u"a"_s), state(u"empty"_s, State::Kind::Composite) };
    QCOMPARE(lineage(m, u"a"_s), (QStringList { u"a"_s, u"b"_s }));
    QVERIFY(isInParentCycle(m, m.states[0]));
    QVERIFY(!isInParentCycle(m, m.states[2]));
    const MachineIndex ways(m);
    QVERIFY(!ways.entered(u"a"_s).isEmpty());
    QCOMPARE(ways.entered(u"empty"_s), u"empty"_s);
    QCOMPARE(ways.entered(u"nowhere"_s), u"nowhere"_s);
}

const instar::TestClass<TestMachineRun> registered;
#include "tst_run.moc"
