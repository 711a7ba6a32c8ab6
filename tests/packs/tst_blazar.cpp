// SPDX-License-Identifier: Apache-2.0
// The lease system's pack against tables written from its sources, and its rules against scenarios.

#include "model/items/sentences.h"
#include "model/json/library.h"
#include "model/pack/run.h"
#include "tests/support/leasetables.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

class TestBlazar : public QObject
{
    Q_OBJECT

private slots:
    void statuses_data();
    void statuses();
    void transitions_data();
    void transitions();
    void edgeCounts();
    void opensOnSomethingAlive();
    void help();
    void updateAsksEveryEvent();
};

namespace {

const Pack &blazar()
{
    return packNamed(u"blazar"_s);
}

QStringList words(const QSet<QString> &set)
{
    QStringList list(set.begin(), set.end());
    list.sort();
    return list;
}

/// A state that is no status of its own: work that does not show, or a word that lies.
bool isHidden(const State &state)
{
    return !state.as.isEmpty();
}

/// How work in a state can end that was entered from a resting one: as some step decides, or in any
/// way that a row takes.
QStringList endsOf(
    const Rules &rules, const Machine &machine, const State &work, const QString &from)
{
    for (const Step &step : work.work) {
        const bool decides =
            step.kind == Step::Kind::Decide && step.condition.kind == Condition::Kind::Last;
        if (decides && step.condition.states.contains(from))
            return { step.name };
    }
    QStringList ends;
    for (const Transition &row : machine.transitions) {
        if (leaves(machine, row, work.id))
            ends += row.on;
    }
    ends.removeIf(
        [&](const QString &trigger) { return rules.isOperation(rules.trigger(trigger)); });
    return ends;
}

/// The moves between statuses that a machine's rows allow, "from to", and those with what leads
/// there, "from trigger to";
/// "-" is what is not there. Hidden work is a part of the move that leads through it.
class Moves
{
public:
    Moves(const Machine &machine, const Rules &rules) : m_machine(machine), m_rules(rules)
    {
        for (const State &state : machine.states) {
            if (!isHidden(state))
                follow(state.id, state.id, {});
        }
    }

    QSet<QString> edges, named;

private:
    QString shown(const QString &state) const
    {
        return state == m_machine.initial() ? u"-"_s : state;
    }

    void add(const QString &from, const QString &trigger, const QString &to)
    {
        if (from != to)
            edges.insert(shown(from) + u' ' + shown(to));
        named.insert(shown(from) + u' ' + trigger + u' ' + shown(to));
    }

    bool isRefused(const QString &state, const QString &trigger) const
    {
        return std::ranges::any_of(m_machine.transitions, [&](const Transition &row) {
            return !row.refuse.isEmpty() && row.condition.kind == Condition::Kind::Always
                && row.on.contains(trigger) && leaves(m_machine, row, state);
        });
    }

    /// Every row that leaves `at`, reached from the status `from` by `trigger` (empty: it is the
    /// status itself).
    void follow(const QString &from, const QString &at, const QString &trigger)
    {
        const State &here = *m_machine.state(at);
        const QStringList ends =
            trigger.isEmpty() ? QStringList() : endsOf(m_rules, m_machine, here, from);
        for (const Transition &row : m_machine.transitions) {
            if (!leaves(m_machine, row, at) || !m_rules.applies(row) || row.to.isEmpty())
                continue;
            for (const QString &on : row.on) {
                if (isRefused(at, on) || (!trigger.isEmpty() && !ends.contains(on)))
                    continue;
                for (const QString &to : row.to)
                    lead(from, to, trigger.isEmpty() ? on : trigger);
            }
        }
    }

    void lead(const QString &from, const QString &to, const QString &trigger)
    {
        if (to == LastState && m_machine.state(from)->kind == State::Kind::Transitional) {
            for (const State &state : m_machine.states) {
                if (state.kind == State::Kind::Stable && !isHidden(state))
                    add(from, trigger, state.id);
            }
            return;
        }
        if (to == LastState || to == SameState) {
            add(from, trigger, from);
            return;
        }
        const State &state = *m_machine.state(to);
        if (!isHidden(state))
            add(from, trigger, to);
        else if (state.kind == State::Kind::Stable)
            add(from, trigger, state.as);
        else
            follow(from, to, trigger);
    }

    const Machine &m_machine;
    const Rules &m_rules;
};

} // namespace

void TestBlazar::statuses_data()
{
    QTest::addColumn<QString>("machine");
    for (const Machine &machine : blazar().machines)
        QTest::newRow(qPrintable(machine.id)) << machine.id;
}

/// Every status there is, of its kind, and no other; one that is hidden passes for one of them.
void TestBlazar::statuses()
{
    QFETCH(QString, machine);
    const leases::Table table = leases::machineTables()[machine];
    QVERIFY(!table.stable.isEmpty());
    QStringList stable, transitional;
    for (const State &state : blazar().machine(machine)->states) {
        const bool isKnown = table.stable.contains(state.as)
            || table.transitional.contains(state.as) || state.as == LastState
            || state.as == blazar().machine(machine)->initial();
        if (isHidden(state))
            QVERIFY2(isKnown, qPrintable(state.id));
        else if (state.kind == State::Kind::Stable)
            stable += state.id;
        else if (state.kind == State::Kind::Transitional)
            transitional += state.id;
    }
    QCOMPARE(words(QSet<QString>(stable.begin(), stable.end())),
        words(QSet<QString>(table.stable.begin(), table.stable.end())));
    QCOMPARE(words(QSet<QString>(transitional.begin(), transitional.end())),
        words(QSet<QString>(table.transitional.begin(), table.transitional.end())));
}

void TestBlazar::transitions_data()
{
    addColumns<QString, QString>("machine", "relationships");
    for (const Machine &machine : blazar().machines) {
        for (const QString &variant : { u"document"_s, u"code"_s })
            QTest::addRow("%s, %s", qPrintable(machine.id), qPrintable(variant))
                << machine.id << variant;
    }
}

/// Every transition of the tables and drawings, and no other.
void TestBlazar::transitions()
{
    QFETCH(QString, machine);
    QFETCH(QString, relationships);
    const leases::Table table = leases::machineTables()[machine];
    const Rules rules = rulesOf(blazar(), { { u"relationships"_s, relationships } });
    const Moves moves(*blazar().machine(machine), rules);
    QCOMPARE(words(moves.edges), words(table.next + table.unlisted));
    QSet<QString> missing = table.drawn - moves.named;
    if (relationships == u"code") // there the monitor changes no status
        missing.removeIf([](const QString &drawn) { return drawn.contains(u"resource_failure"); });
    QCOMPARE(words(missing), QStringList());
}

void TestBlazar::edgeCounts()
{
    const auto tables = leases::machineTables();
    QCOMPARE(tables[u"lease"_s].next.size(), 25);
    QCOMPARE(tables[u"reservation"_s].next.size(), 6);
    QCOMPARE(tables[u"event"_s].next.size(), 3);
}

/// The sample shows every stable status of a lease, goes with the table, and comes alive with the
/// clock.
void TestBlazar::opensOnSomethingAlive()
{
    for (const Switches &switches : switchCombinations(blazar())) {
        Staging staging(rulesOf(blazar(), switches), blazar().sample);
        QSet<QString> shown;
        for (const ResourceSpec &resource : blazar().sample)
            shown.insert(staging.at(resource.path));
        for (const QString &status :
            { u"PENDING"_s, u"ACTIVE"_s, u"TERMINATED"_s, u"ERROR"_s, u"deleted"_s, u"error"_s })
            QVERIFY2(shown.contains(status), qPrintable(status));
        QVERIFY(staging.simulator.step());
        QVERIFY(staging.simulator.world().broken.empty());
        QVERIFY(staging.simulator.runUntilQuiet());
        const auto counts = titleCounts(staging.simulator.rules(), staging.simulator.world());
        QCOMPARE(counts[u"TERMINATED"_s], 4);
        QCOMPARE(counts[u"ERROR"_s] > 0, true);
    }
}

void TestBlazar::help()
{
    const QString text = QString::fromUtf8(
        valueOf(fileBytes(QStringLiteral(INSTAR_SOURCE_DIR "/resources/help/blazar.md"))));
    for (const Machine &machine : blazar().machines) {
        for (const State &state : machine.states) {
            if (!isHidden(state) && state.kind != State::Kind::Initial)
                QVERIFY2(text.contains(state.id), qPrintable(state.id));
        }
    }
    for (const Switch &each : blazar().switches)
        QVERIFY2(text.contains(each.id), qPrintable(each.id));
}

/// The document's table means before_end_lease, too; the program asks for the other two only.
void TestBlazar::updateAsksEveryEvent()
{
    for (const auto &[relationships, status] :
        { std::pair(u"document"_s, u"Rejected"_s), std::pair(u"code"_s, u"InProgress"_s) }) {
        Staging staging(u"blazar"_s,
            u"/leases/l ACTIVE, /leases/l/reservations/r active, "
            u"/leases/l/events/start_lease DONE, /leases/l/events/before_end_lease, "
            u"/leases/l/events/end_lease"_s,
            { { u"relationships"_s, relationships } });
        staging.ask(u"fire"_s, u"/leases/l/events/before_end_lease"_s);
        QCOMPARE(staging.at(u"/leases/l/events/before_end_lease"_s), u"IN_PROGRESS"_s);
        const Operation &update = staging.ask(u"update_lease"_s, u"/leases/l"_s);
        QCOMPARE(staging.status(update.id), status);
    }
}

const instar::TestClass<TestBlazar> registered;
#include "tst_blazar.moc"
