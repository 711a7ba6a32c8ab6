// SPDX-License-Identifier: Apache-2.0
#include "tests/support/networktree.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <array>

using namespace instar;
using namespace Qt::StringLiterals;

// What a canceled operation leaves behind: all 14 supersedings, under each orphan policy, at once
// and at the end.

class TestSuperseding : public QObject
{
    Q_OBJECT

private slots:
    void rows_data();
    void rows();
    void neverRested_data();
    void neverRested();
    void outcomeOfTheLast();
    void chains();
    void canceledByHand();
};

namespace {

const QString top = networkTree[0], middle = networkTree[1], leaf = networkTree[2];
const QStringList policies { u"restore"_s, u"followTree"_s, u"fail"_s };

/// sn2 has Failed before; the others rest in Succeeded.
Staging stage(const QString &policy)
{
    return Staging(u"network-controller"_s,
        networkTree.join(u'\n').replace(u"subnets/sn2\n"_s, u"subnets/sn2 Failed\n"_s),
        { { u"orphanPolicy"_s, policy } });
}

} // namespace

void TestSuperseding::rows_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("oldOp");
    QTest::addColumn<QString>("oldPath");
    QTest::addColumn<QString>("newOp");
    QTest::addColumn<QString>("newPath");
    QTest::addColumn<QString>("after");     ///< ln sn1 p1 p2 sn2 p1, at once
    QTest::addColumn<QString>("succeeded"); ///< when the new operation has succeeded
    QTest::addColumn<QString>("failed");    ///< or failed

    const QString put = u"PUT"_s, del = u"DELETE"_s;
    const auto same = [](const char *after, const char *succeeded, const char *failed) {
        return std::array { QString::fromLatin1(after), QString::fromLatin1(succeeded),
            QString::fromLatin1(failed) };
    };
    const auto add = [](const QString &oldOp, const QString &oldPath, const QString &newOp,
                         const QString &newPath, const QList<std::array<QString, 3>> &results) {
        for (qsizetype i = 0; i < policies.size(); ++i) {
            const auto &[after, succeeded, failed] = results[results.size() == 1 ? 0 : i];
            QTest::addRow("%s %s by %s %s, %s", qPrintable(oldOp),
                qPrintable(oldPath.section(u'/', -1)), qPrintable(newOp),
                qPrintable(newPath.section(u'/', -1)), qPrintable(policies[i]))
                << policies[i] << oldOp << oldPath << newOp << newPath << after << succeeded
                << failed;
        }
    };
    const auto updated = same("UUUUUU", "SSSSSS", "FFFFFF");
    const auto deleted = same("DDDDDD", "------", "FFFFFF");
    const auto middleUpdated = same("UUUUFS", "SSSSFS", "FFFFFS");
    const auto middleDeleted = same("UDDDFS", "S---FS", "FFFFFS");
    add(put, top, put, top, { updated });
    add(put, top, del, top, { deleted });
    add(put, top, put, middle,
        { same("UUUUFS", "SSSSFS", "FFFFFS"), same("UUUUUU", "SSSSSS", "FFFFFF"),
            same("UUUUFF", "SSSSFF", "FFFFFF") });
    add(put, top, del, middle,
        { same("UDDDFS", "S---FS", "FFFFFS"), same("UDDDUU", "S---SS", "FFFFFF"),
            same("UDDDFF", "S---FF", "FFFFFF") });
    add(put, middle, put, middle, { middleUpdated });
    add(put, middle, del, middle, { middleDeleted });
    add(put, middle, put, top, { updated });
    add(put, middle, del, top, { deleted });
    add(put, middle, put, leaf,
        { same("UUUSFS", "SSSSFS", "FFFSFS"), same("UUUUFS", "SSSSFS", "FFFFFS"),
            same("UUUFFS", "SSSFFS", "FFFFFS") });
    add(put, middle, del, leaf,
        { same("UUDSFS", "SS-SFS", "FFFSFS"), same("UUDUFS", "SS-SFS", "FFFFFS"),
            same("UUDFFS", "SS-FFS", "FFFFFS") });
    add(del, middle, del, middle, { middleDeleted });
    add(del, middle, put, top, { updated });
    add(del, middle, del, top, { deleted });
    add(del, top, del, top, { deleted });
}

void TestSuperseding::rows()
{
    QFETCH(QString, policy);
    QFETCH(QString, oldOp);
    QFETCH(QString, oldPath);
    QFETCH(QString, newOp);
    QFETCH(QString, newPath);
    for (const bool good : { true, false }) {
        Staging staging = stage(policy);
        staging.ask({ .op = oldOp, .path = oldPath, .id = u"old"_s });
        QCOMPARE(staging.status(u"old"_s), u"InProgress"_s);
        staging.simulator.advance(500);
        staging.ask({ .op = newOp,
            .path = newPath,
            .id = u"new"_s,
            .outcome = good ? QString() : u"failed"_s });
        QCOMPARE(staging.status(u"old"_s), u"Canceled"_s);
        QCOMPARE(staging.operation(u"old"_s).canceledBy, u"new"_s);
        QCOMPARE(staging.operation(u"old"_s).ended, std::optional<qint64>(500));
        QTEST(letters(staging), "after");
        // The old operation's time comes and nothing happens.
        staging.simulator.advanceTo(1400);
        QTEST(letters(staging), "after");
        staging.simulator.advanceTo(1500);
        QCOMPARE(staging.status(u"new"_s), good ? u"Succeeded"_s : u"Failed"_s);
        QTEST(letters(staging), good ? "succeeded" : "failed");
        QCOMPARE(staging.status(u"old"_s), u"Canceled"_s);
        QVERIFY(!staging.simulator.step());
    }
}

void TestSuperseding::neverRested_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("expected");
    QTest::newRow("restore") << u"restore"_s << u"Failed"_s;
    QTest::newRow("followTree") << u"followTree"_s << u"Updating"_s;
    QTest::newRow("fail") << u"fail"_s << u"Failed"_s;
}

/// A resource that a canceled PUT made, and that nobody moves any more, never rested anywhere.
void TestSuperseding::neverRested()
{
    QFETCH(QString, policy);
    Staging staging = stage(policy);
    const QString made = top + u"/subnets/new"_s;
    staging.ask(u"PUT"_s, made);
    QCOMPARE(staging.at(made), u"Updating"_s);
    staging.ask(u"PUT"_s, top);
    QCOMPARE(staging.at(made), u"Updating"_s);
    staging.ask(u"PUT"_s, middle);
    QTEST(staging.at(made), "expected");
    QCOMPARE(
        staging.at(top + u"/subnets/sn2"_s), policy == u"followTree" ? u"Updating"_s : u"Failed"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.at(made), policy == u"followTree" ? u"Succeeded"_s : u"Failed"_s);
}

/// After cancellation the outcome that is seen is that of the last operation only.
void TestSuperseding::outcomeOfTheLast()
{
    Staging staging = stage(u"restore"_s);
    staging.ask({ .op = u"PUT"_s, .path = top, .outcome = u"failed"_s });
    staging.ask({ .op = u"PUT"_s, .path = top });
    staging.simulator.runUntilQuiet();
    QCOMPARE(letters(staging), u"SSSSSS"_s);
    QCOMPARE(staging.status(u"op1"_s), u"Canceled"_s);
}

/// Cancelation after cancelation: the settled states are those from before the first.
void TestSuperseding::chains()
{
    Staging staging = stage(u"restore"_s);
    staging.ask(u"PUT"_s, top);
    staging.ask(u"PUT"_s, top);
    staging.ask(u"PUT"_s, middle);
    QCOMPARE(letters(staging), u"UUUUFS"_s);
    staging.ask(u"DELETE"_s, leaf);
    QCOMPARE(letters(staging), u"UUDSFS"_s);
    staging.ask(u"PUT"_s, top);
    QCOMPARE(letters(staging), u"UUUUUU"_s);
    staging.ask(u"PUT"_s, leaf);
    QCOMPARE(letters(staging), u"UUUSFS"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(letters(staging), u"SSSSFS"_s);

    Staging follow = stage(u"followTree"_s);
    follow.ask(u"PUT"_s, top);
    follow.ask(u"PUT"_s, middle);
    follow.ask(u"PUT"_s, leaf);
    QCOMPARE(letters(follow), u"UUUUUU"_s);
    follow.ask({ .op = u"DELETE"_s, .path = leaf, .outcome = u"failed"_s });
    QCOMPARE(letters(follow), u"UUDUUU"_s);
    follow.simulator.runUntilQuiet();
    QCOMPARE(letters(follow), u"FFFFFF"_s);
}

/// Withdrawn by a person: there is no new operation whose outcome anything could follow.
void TestSuperseding::canceledByHand()
{
    for (const QString &policy : policies) {
        Staging staging = stage(policy);
        const Operation &operation = staging.ask(u"PUT"_s, top);
        staging.simulator.cancel(operation.serial);
        QCOMPARE(staging.status(u"op1"_s), u"Canceled"_s);
        QCOMPARE(staging.operation(u"op1"_s).canceledBy, QString());
        QCOMPARE(letters(staging), policy == u"restore" ? u"SSSSFS"_s : u"FFFFFF"_s);
        QCOMPARE(brokenPromise(staging.simulator.rules(), staging.simulator.world()), QString());
    }
}

const instar::TestClass<TestSuperseding> registered;
#include "tst_superseding.moc"
