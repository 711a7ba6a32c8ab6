// SPDX-License-Identifier: Apache-2.0
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// What If-Match and If-None-Match make of etags. TestOracle compares who gets a new one, and when.

class TestEtags : public QObject
{
    Q_OBJECT

private slots:
    void conditions_data();
    void conditions();
};

void TestEtags::conditions_data()
{
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("ifMatch");
    QTest::addColumn<QString>("ifNoneMatch");
    QTest::addColumn<bool>("exists");
    QTest::addColumn<int>("answer"); ///< 412, or 0: it is done
    const auto row = [](const char *op, const char *match, const char *noneMatch, int missing,
                         int existing) {
        for (const bool exists : { false, true }) {
            QTest::addRow("%s, If-Match %s, If-None-Match %s, %s", op, match, noneMatch,
                exists ? "existing" : "not existing")
                << QString::fromLatin1(op) << QString::fromLatin1(match)
                << QString::fromLatin1(noneMatch) << exists << (exists ? existing : missing);
        }
    };
    row("PUT", "", "", 0, 0);
    row("PUT", "*", "", 412, 0);
    row("PUT", "current", "", 412, 0);
    row("PUT", "stale", "", 412, 412);
    row("PUT", "W/\"0\"", "", 412, 412);
    row("PUT", "", "*", 0, 412);
    row("PUT", "stale, current", "", 412, 0);
    row("PUT", "current,stale", "", 412, 0);
    row("PUT", "W/\"0\", stale", "", 412, 412);
    row("PUT", "", "stale, current", 0, 412);
    row("PUT", "", "W/\"0\", stale", 0, 0);
    row("DELETE", "", "", 0, 0);
    row("DELETE", "*", "", 0, 0);
    row("DELETE", "current", "", 0, 0);
    row("DELETE", "stale", "", 0, 412);
    row("DELETE", "stale, current", "", 0, 0);
}

void TestEtags::conditions()
{
    QFETCH(QString, op);
    QFETCH(QString, ifMatch);
    QFETCH(QString, ifNoneMatch);
    QFETCH(bool, exists);
    QFETCH(int, answer);
    const QString parent = u"/logicalNetworks/ln"_s, subnet = parent + u"/subnets/sn"_s;
    Staging staging(u"network-controller"_s, subnet);
    const QString stale = staging.etag(subnet);
    staging.ask(u"PUT"_s, subnet);
    staging.simulator.runUntilQuiet();
    const QString current = staging.etag(subnet);
    QVERIFY2(current.startsWith(u"W/\"") && current.endsWith(u'"'), qPrintable(current));
    const QString path = exists ? subnet : parent + u"/subnets/none"_s;
    const auto tag = [&](const QString &words) {
        return QString(words).replace(u"current"_s, current).replace(u"stale"_s, stale);
    };
    const QString before = staging.tree();
    const Operation &operation = staging.ask(
        { .op = op, .path = path, .ifMatch = tag(ifMatch), .ifNoneMatch = tag(ifNoneMatch) });
    QCOMPARE(operation.httpStatus, answer);
    if (answer == 412) {
        QCOMPARE(operation.status, Status::Rejected);
        QCOMPARE(operation.errorCode, u"PreconditionFailed"_s);
        QCOMPARE(staging.tree(), before);
        QCOMPARE(staging.etag(subnet), current);
        return;
    }
    const bool nothingToDelete = op == u"DELETE" && !exists;
    QCOMPARE(operation.status, nothingToDelete ? Status::Succeeded : Status::InProgress);
    QCOMPARE(staging.tree() == before, nothingToDelete);
    if (nothingToDelete) {
        QCOMPARE(operation.attempts, 0);
        QCOMPARE(staging.etag(subnet), current);
    }
}

const instar::TestClass<TestEtags> registered;
#include "tst_etags.moc"
