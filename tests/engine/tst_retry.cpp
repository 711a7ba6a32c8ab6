// SPDX-License-Identifier: Apache-2.0
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// The retry loop: transient failures are tried again after a pause, five times; nobody sees more
// than a longer Updating.

class TestRetry : public QObject
{
    Q_OBJECT

private slots:
    void timetable_data();
    void timetable();
    void hang();
    void endedByHand();
    void limitIsPerOperation();
    void canceledInThePause();
    void choicesOfAnAttempt();
};

namespace {

const QString ln = u"/logicalNetworks/ln"_s;

} // namespace

void TestRetry::timetable_data()
{
    QTest::addColumn<QString>("op");
    QTest::addColumn<int>("transients");
    QTest::addColumn<bool>("fails");
    QTest::addColumn<qint64>("duration");
    for (const char *op : { "PUT", "DELETE" }) {
        for (int transients = 0; transients <= 7; ++transients) {
            for (const qint64 duration : { qint64(0), qint64(300), qint64(1000) }) {
                for (const bool fails : { false, true }) {
                    QTest::addRow("%s, %d transient, %lld ms, %s", op, transients, duration,
                        fails ? "fails" : "succeeds")
                        << QString::fromLatin1(op) << transients << fails << duration;
                }
            }
        }
    }
}

void TestRetry::timetable()
{
    QFETCH(QString, op);
    QFETCH(int, transients);
    QFETCH(bool, fails);
    QFETCH(qint64, duration);
    Staging staging(u"network-controller"_s, ln);
    staging.ask({ .op = op,
        .path = ln,
        .outcome = fails ? u"failed"_s : QString(),
        .transientFailures = transients,
        .duration = duration });
    const int attempts = std::min(transients, 5) + 1;
    const qint64 end = attempts * duration + (attempts - 1) * 1000;
    const QString working = op == u"PUT" ? u"Updating"_s : u"Deleting"_s;
    for (int i = 0; i < attempts; ++i) {
        const qint64 attemptEnds = i * (duration + 1000) + duration;
        if (attemptEnds > 0) {
            staging.simulator.advanceTo(attemptEnds - 1);
            QCOMPARE(staging.operation(u"op1"_s).attempts, duration == 0 ? std::max(i, 1) : i + 1);
            QCOMPARE(staging.status(u"op1"_s), u"InProgress"_s);
            QCOMPARE(staging.at(ln), working);
        }
        staging.simulator.advanceTo(attemptEnds);
        QCOMPARE(staging.operation(u"op1"_s).attempts, i + 1);
    }
    const bool good = transients <= 5 && !fails;
    const Operation &operation = staging.operation(u"op1"_s);
    QCOMPARE(operation.ended, std::optional<qint64>(end));
    QCOMPARE(operation.status, good ? Status::Succeeded : Status::Failed);
    QCOMPARE(operation.errorCode, good ? QString() : u"InternalServerError"_s);
    QCOMPARE(staging.at(ln), !good ? u"Failed"_s : op == u"PUT" ? u"Succeeded"_s : u"absent"_s);
    QVERIFY(!staging.simulator.step());
}

void TestRetry::hang()
{
    Staging staging(u"network-controller"_s, ln);
    staging.ask({ .op = u"PUT"_s,
        .path = ln,
        .outcome = u"failed"_s,
        .transientFailures = 2,
        .hang = true });
    staging.simulator.advance(1'000'000'000);
    QCOMPARE(staging.status(u"op1"_s), u"InProgress"_s);
    QCOMPARE(
        nextEvent(staging.simulator.rules(), staging.simulator.world()).kind, Event::Kind::Wait);
    // Only something else ends it.
    staging.ask(u"DELETE"_s, ln);
    QCOMPARE(staging.status(u"op1"_s), u"Canceled"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.at(ln), u"absent"_s);
}

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

void TestRetry::limitIsPerOperation()
{
    Staging staging(u"network-controller"_s, ln);
    staging.ask({ .op = u"PUT"_s, .path = ln, .transientFailures = 4 });
    staging.simulator.advance(7500);
    staging.ask({ .op = u"PUT"_s, .path = ln, .transientFailures = 5 });
    QCOMPARE(staging.status(u"op1"_s), u"Canceled"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.status(u"op2"_s), u"Succeeded"_s);
    QCOMPARE(staging.operation(u"op2"_s).attempts, 6);
    QCOMPARE(staging.simulator.world().now, 7500 + 11000);
}

void TestRetry::canceledInThePause()
{
    Staging staging(u"network-controller"_s, ln);
    staging.ask({ .op = u"PUT"_s, .path = ln, .transientFailures = 1 });
    staging.simulator.advanceTo(1500);
    staging.ask({ .op = u"DELETE"_s, .path = ln, .outcome = u"failed"_s });
    QCOMPARE(staging.status(u"op1"_s), u"Canceled"_s);
    staging.simulator.advanceTo(2400);
    QCOMPARE(staging.at(ln), u"Deleting"_s);
    QCOMPARE(staging.operation(u"op1"_s).attempts, 1);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.at(ln), u"Failed"_s);
    QCOMPARE(staging.simulator.world().now, 2500);
}

void TestRetry::choicesOfAnAttempt()
{
    Staging staging(u"network-controller"_s, ln);
    staging.ask({ .op = u"PUT"_s, .path = ln, .transientFailures = 1 });
    const Rules &rules = staging.simulator.rules();
    const auto names = [&] {
        QStringList all;
        for (const Rules::TriggerId outcome : choices(rules, staging.simulator.world(), 1))
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

const instar::TestClass<TestRetry> registered;
#include "tst_retry.moc"
