// SPDX-License-Identifier: Apache-2.0
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// The retry loop, where attempts are ended by hand. TestOracle compares its timetable.

class TestRetry : public QObject
{
    Q_OBJECT

private slots:
    void endedByHand();
    void choicesOfAnAttempt();
    void countsWhatMoved();
};

namespace {

const QString ln = u"/logicalNetworks/ln"_s;

} // namespace

void TestRetry::endedByHand()
{
    for (const char *outcome : { "succeeded", "failed" }) {
        Staging staging(u"network-controller"_s, ln);
        staging.ask({ .op = u"PUT"_s, .path = ln, .hang = true });
        staging.simulator.advance(4321);
        staging.end(u"op1"_s, QString::fromLatin1(outcome));
        const bool good = outcome[0] == 's';
        QCOMPARE(staging.status(u"op1"_s), good ? u"Succeeded"_s : u"Failed"_s);
        QCOMPARE(staging.operation(u"op1"_s).ended, std::optional<qint64>(4321));
        QCOMPARE(staging.at(ln), good ? u"Succeeded"_s : u"Failed"_s);
    }
    // A transient failure by hand: the loop goes on, by hand or by itself.
    Staging staging(u"network-controller"_s, ln);
    staging.ask({ .op = u"PUT"_s, .path = ln, .duration = 5000 });
    staging.simulator.advance(100);
    staging.end(u"op1"_s, u"retried"_s);
    QCOMPARE(staging.at(ln), u"Updating"_s);
    staging.simulator.advanceTo(1099);
    QCOMPARE(staging.operation(u"op1"_s).attempts, 1);
    staging.simulator.advanceTo(6099);
    QCOMPARE(staging.operation(u"op1"_s).attempts, 2);
    QCOMPARE(staging.status(u"op1"_s), u"InProgress"_s);
    staging.simulator.advanceTo(6100);
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
}

void TestRetry::choicesOfAnAttempt()
{
    Staging staging(u"network-controller"_s, ln);
    staging.ask({ .op = u"PUT"_s, .path = ln, .transientFailures = 1 });
    const Rules &rules = staging.simulator.rules();
    const auto names = [&] {
        QStringList all;
        for (const Rules::TriggerId outcome : possibleOutcomes(rules, staging.simulator.world(), 1))
            all += rules.triggerName(outcome);
        all.sort();
        return all;
    };
    QCOMPARE(names(), (QStringList { u"failed"_s, u"retried"_s, u"succeeded"_s }));
    staging.simulator.advance(1000);
    QCOMPARE(names(), QStringList()); // nothing runs in the pause
    staging.end(u"op1"_s, u"failed"_s);
    QCOMPARE(staging.status(u"op1"_s), u"InProgress"_s);
}

/// Work that ends at once moves its resource twice, which two changes report: each once.
void TestRetry::countsWhatMoved()
{
    Pack pack = packNamed(u"network-controller"_s);
    for (Machine &machine : pack.machines) {
        for (State &state : machine.states)
            state.work.removeIf([](const Step &one) { return one.kind == Step::Kind::Attempt; });
    }
    Staging staging(*Rules::make(pack), { { .path = ln } });
    staging.ask({ .op = u"PUT"_s, .path = ln });
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
    const std::vector<Change> &changes = staging.simulator.records().last().changes;
    QCOMPARE(changes.size(), size_t(2));
    for (const Change &change : changes)
        QCOMPARE(change.moved, 1);
}

const instar::TestClass<TestRetry> registered;
#include "tst_retry.moc"
