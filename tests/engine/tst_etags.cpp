// SPDX-License-Identifier: Apache-2.0
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// Who gets a new etag, when, and what If-Match and If-None-Match make of it.

class TestEtags : public QObject
{
    Q_OBJECT

private slots:
    void rows_data();
    void rows();
    void oneValueForAll();
    void neverUsedAgain();
    void completion_data();
    void completion();
    void completionBesideAnother();
    void restoredOrphanKeepsTheNewer();
    void conditions_data();
    void conditions();
    void secondOfTwoClients();
    void siblingsAndParents();
    void refusedKeepsAll();
};

namespace {

const QStringList tree {
    u"/logicalNetworks/ln"_s,
    u"/logicalNetworks/ln/subnets/sn1"_s,
    u"/logicalNetworks/ln/subnets/sn1/ipPools/p1"_s,
    u"/logicalNetworks/ln/subnets/sn2"_s,
    u"/logicalNetworks/ln/subnets/sn2/ipPools/p2"_s,
    u"/virtualNetworks/refers"_s,
};

Staging stage(const Switches &switches = {})
{
    return Staging(u"network-controller"_s,
        tree.first(5).join(u'\n')
            + u"\n/virtualNetworks/refers -> /accessControlLists/a\n"
              "/accessControlLists/a"_s,
        switches);
}

QStringList etags(const Staging &staging)
{
    QStringList all;
    for (const QString &path : tree)
        all += staging.etag(path);
    return all;
}

/// "x" for each that is another one now, "." for each that is not, "-" for each that is gone.
QString changes(const QStringList &before, const QStringList &after)
{
    QString text;
    for (qsizetype i = 0; i < before.size(); ++i)
        text += after[i].isEmpty() ? u'-' : before[i] == after[i] ? u'.' : u'x';
    return text;
}

} // namespace

void TestEtags::rows_data()
{
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("start"); ///< ln sn1 p1 sn2 p2, referrer
    QTest::newRow("PUT top") << u"PUT"_s << tree[0] << u"xxxxx."_s;
    QTest::newRow("PUT descendant") << u"PUT"_s << tree[1] << u"xxx..."_s;
    QTest::newRow("PUT leaf") << u"PUT"_s << tree[2] << u"xxx..."_s;
    QTest::newRow("DELETE descendant") << u"DELETE"_s << tree[1] << u"xxx..."_s;
    QTest::newRow("DELETE leaf") << u"DELETE"_s << tree[2] << u"xxx..."_s;
    QTest::newRow("DELETE top") << u"DELETE"_s << tree[0] << u"xxxxx."_s;
    QTest::newRow("PUT of what is referred to")
        << u"PUT"_s << u"/accessControlLists/a"_s << u"......"_s;
}

/// Once, when the operation is accepted; its end, good or bad, changes none.
void TestEtags::rows()
{
    QFETCH(QString, op);
    QFETCH(QString, target);
    for (const bool good : { true, false }) {
        Staging staging = stage();
        const QStringList before = etags(staging);
        staging.ask({ .op = op,
            .path = target,
            .outcome = good ? QString() : u"failed"_s,
            .transientFailures = 2 });
        const QStringList started = etags(staging);
        QTEST(changes(before, started), "start");
        staging.simulator.runUntilQuiet();
        const QStringList ended = etags(staging);
        for (qsizetype i = 0; i < tree.size(); ++i)
            QVERIFY(ended[i].isEmpty() || ended[i] == started[i]);
    }
}

void TestEtags::oneValueForAll()
{
    Staging staging = stage();
    staging.ask(u"PUT"_s, tree[2]);
    const QStringList found = etags(staging);
    QCOMPARE(found[0], found[1]);
    QCOMPARE(found[1], found[2]);
    QVERIFY(found[2] != found[3]);
    QVERIFY2(found[0].startsWith(u"W/\"") && found[0].endsWith(u'"'), qPrintable(found[0]));
}

void TestEtags::neverUsedAgain()
{
    Staging staging = stage();
    QSet<QString> seen;
    for (const QString &etag : etags(staging))
        seen += etag;
    for (int i = 0; i < 40; ++i) {
        // Deleted and made again, superseded, refused: a value that comes is new.
        const QString op = i % 5 == 3 ? u"DELETE"_s : u"PUT"_s;
        const QString before = staging.etag(tree[2]);
        staging.ask({ .op = op, .path = i % 2 ? tree[2] : tree[1] });
        const QString after = staging.etag(tree[2]);
        if (after != before && !after.isEmpty()) {
            QVERIFY2(!seen.contains(after), qPrintable(after));
            seen += after;
        }
        if (i % 3)
            staging.simulator.runUntilQuiet();
    }
    QVERIFY(seen.size() > 20);
}

void TestEtags::completion_data()
{
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<QString>("end");
    QTest::newRow("PUT succeeds") << u"PUT"_s << QString() << u"xxx..."_s;
    QTest::newRow("PUT fails") << u"PUT"_s << u"failed"_s << u"xxx..."_s;
    QTest::newRow("DELETE succeeds") << u"DELETE"_s << QString() << u"x--..."_s;
    QTest::newRow("DELETE fails") << u"DELETE"_s << u"failed"_s << u"xxx..."_s;
}

/// The switch gives a second one at the end.
void TestEtags::completion()
{
    QFETCH(QString, op);
    QFETCH(QString, outcome);
    Staging staging = stage({ { u"etagOnCompletion"_s, u"true"_s } });
    const QStringList before = etags(staging);
    staging.ask({ .op = op, .path = tree[1], .outcome = outcome });
    const QStringList started = etags(staging);
    QCOMPARE(changes(before, started), u"xxx..."_s);
    staging.simulator.runUntilQuiet();
    QTEST(changes(started, etags(staging)), "end");
    QTEST(changes(before, etags(staging)), "end");
}

/// The target has come to rest when the operation ends, and is its own still: also where somebody
/// else is at work beside it.
void TestEtags::completionBesideAnother()
{
    Staging staging = stage(
        { { u"etagOnCompletion"_s, u"true"_s }, { u"siblingsRunConcurrently"_s, u"true"_s } });
    staging.ask({ .op = u"PUT"_s, .path = tree[3], .duration = 5000 });
    staging.ask({ .op = u"PUT"_s, .path = tree[1] });
    QCOMPARE(staging.states({ tree[1], tree[3] }), u"Updating Updating"_s);
    const QStringList started = etags(staging);
    staging.simulator.advance(1000);
    QCOMPARE(staging.states({ tree[1], tree[3] }), u"Succeeded Updating"_s);
    QCOMPARE(changes(started, etags(staging)).mid(1), u"xx..."_s);
}

void TestEtags::restoredOrphanKeepsTheNewer()
{
    Staging staging = stage();
    const QStringList before = etags(staging);
    staging.ask(u"PUT"_s, tree[0]);
    const QStringList first = etags(staging);
    staging.ask(u"PUT"_s, tree[1]);
    QCOMPARE(staging.at(tree[3]), u"Succeeded"_s);
    QCOMPARE(changes(first, etags(staging)), u"xxx..."_s);
    QCOMPARE(changes(before, etags(staging)), u"xxxxx."_s);
}

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
    Staging staging = stage();
    const QString stale = staging.etag(tree[1]);
    staging.ask(u"PUT"_s, tree[1]);
    staging.simulator.runUntilQuiet();
    const QString current = staging.etag(tree[1]);
    const QString path = exists ? tree[1] : tree[0] + u"/subnets/none"_s;
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
        QCOMPARE(staging.etag(tree[1]), current);
        return;
    }
    const bool nothingToDelete = op == u"DELETE" && !exists;
    QCOMPARE(operation.status, nothingToDelete ? Status::Succeeded : Status::InProgress);
    QCOMPARE(staging.tree() == before, nothingToDelete);
    if (nothingToDelete) {
        QCOMPARE(operation.attempts, 0);
        QCOMPARE(staging.etag(tree[1]), current);
    }
}

/// Two clients read, both write what they read: the second is told, even where it would be allowed
/// to cancel.
void TestEtags::secondOfTwoClients()
{
    Staging staging = stage();
    const QString read = staging.etag(tree[1]);
    QCOMPARE(staging.ask({ .op = u"PUT"_s, .path = tree[1], .ifMatch = read }).status,
        Status::InProgress);
    const Operation &second = staging.ask({ .op = u"PUT"_s, .path = tree[1], .ifMatch = read });
    QCOMPARE(second.httpStatus, 412);
    QCOMPARE(staging.status(u"op1"_s), u"InProgress"_s);
    // The conflict is judged before the etag.
    QCOMPARE(
        staging.ask({ .op = u"PUT"_s, .path = tree[3], .ifMatch = u"W/\"0\""_s }).httpStatus, 409);
}

void TestEtags::siblingsAndParents()
{
    Staging staging = stage();
    const QString parent = staging.etag(tree[0]), sibling = staging.etag(tree[3]);
    staging.ask(u"PUT"_s, tree[1]);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.ask({ .op = u"PUT"_s, .path = tree[0], .ifMatch = parent }).httpStatus, 412);
    QCOMPARE(staging.ask({ .op = u"PUT"_s, .path = tree[3], .ifMatch = sibling }).status,
        Status::InProgress);
}

void TestEtags::refusedKeepsAll()
{
    Staging staging = stage();
    staging.ask({ .op = u"DELETE"_s, .path = tree[0], .hang = true });
    const QStringList before = etags(staging);
    QCOMPARE(staging.ask(u"PUT"_s, tree[2]).httpStatus, 409);
    QCOMPARE(staging.ask(u"GET"_s, tree[2]).status, Status::Succeeded);
    QCOMPARE(etags(staging), before);
}

const instar::TestClass<TestEtags> registered;
#include "tst_etags.moc"
