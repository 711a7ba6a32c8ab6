// SPDX-License-Identifier: Apache-2.0
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// How states travel: what a PUT or DELETE on a top-level resource or a descendant does to target,
// ancestors, descendants, siblings and references, at its start, when it succeeds, and when it
// fails.

class TestPropagation : public QObject
{
    Q_OBJECT

private slots:
    void rows_data();
    void rows();
    void retryLoopKeepsStates();
    void creation_data();
    void creation();
    void oracles_data();
    void oracles();
};

namespace {

// ln and p2 have Failed before, so that it shows who takes the outcome and who keeps what he was.
const QStringList tree {
    u"/logicalNetworks/ln"_s,
    u"/logicalNetworks/ln/subnets/sn1"_s,
    u"/logicalNetworks/ln/subnets/sn1/ipPools/p1"_s,
    u"/logicalNetworks/ln/subnets/sn2"_s,
    u"/logicalNetworks/ln/subnets/sn2/ipPools/p2"_s,
    u"/virtualNetworks/refers"_s, // to another network, and so to nothing here
    u"/virtualNetworks/referred/subnets/s"_s,
};

QString letters(const Staging &staging, const QStringList &paths = tree)
{
    QString text;
    for (const QString &path : paths) {
        const QString state = staging.at(path);
        text += state == u"absent" ? u'-' : state[0];
    }
    return text;
}

} // namespace

void TestPropagation::rows_data()
{
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("ancestorOutcome");
    QTest::addColumn<QString>("start"); ///< ln sn1 p1 sn2 p2, referrer, referred
    QTest::addColumn<QString>("succeeded");
    QTest::addColumn<QString>("failed");
    const auto row = [](const char *name, const QString &op, const QString &target,
                         const QString &start, const QString &succeeded, const QString &failed,
                         const QString &restoredSucceeded, const QString &restoredFailed) {
        QTest::addRow("%s", name) << op << target << u"operation"_s << start << succeeded << failed;
        QTest::addRow("%s, ancestors restored", name)
            << op << target << u"restore"_s << start << restoredSucceeded << restoredFailed;
    };
    row("PUT top", u"PUT"_s, tree[0], u"UUUUUSS"_s, u"SSSSSSS"_s, u"FFFFFSS"_s, u"SSSSSSS"_s,
        u"FFFFFSS"_s);
    row("DELETE top", u"DELETE"_s, tree[0], u"DDDDDSS"_s, u"-----SS"_s, u"FFFFFSS"_s, u"-----SS"_s,
        u"FFFFFSS"_s);
    row("PUT descendant", u"PUT"_s, tree[1], u"UUUSFSS"_s, u"SSSSFSS"_s, u"FFFSFSS"_s, u"FSSSFSS"_s,
        u"FFFSFSS"_s);
    row("DELETE descendant", u"DELETE"_s, tree[1], u"UDDSFSS"_s, u"S--SFSS"_s, u"FFFSFSS"_s,
        u"F--SFSS"_s, u"FFFSFSS"_s);
    row("PUT leaf", u"PUT"_s, tree[2], u"UUUSFSS"_s, u"SSSSFSS"_s, u"FFFSFSS"_s, u"FSSSFSS"_s,
        u"FSFSFSS"_s);
    row("DELETE leaf", u"DELETE"_s, tree[2], u"UUDSFSS"_s, u"SS-SFSS"_s, u"FFFSFSS"_s, u"FS-SFSS"_s,
        u"FSFSFSS"_s);
}

void TestPropagation::rows()
{
    QFETCH(QString, op);
    QFETCH(QString, target);
    QFETCH(QString, ancestorOutcome);
    for (const bool good : { true, false }) {
        Staging staging(u"network-controller"_s,
            u"/logicalNetworks/ln Failed\n"
            "/logicalNetworks/ln/subnets/sn1\n"
            "/logicalNetworks/ln/subnets/sn1/ipPools/p1\n"
            "/logicalNetworks/ln/subnets/sn2\n"
            "/logicalNetworks/ln/subnets/sn2/ipPools/p2 Failed\n"
            "/virtualNetworks/referred/subnets/s\n"
            "/virtualNetworks/refers -> /logicalNetworks/other\n"
            "/logicalNetworks/other\n"_s,
            { { u"ancestorOutcome"_s, ancestorOutcome } });
        QCOMPARE(letters(staging), u"FSSSFSS"_s);
        staging.ask({ .op = op, .path = target, .outcome = good ? QString() : u"failed"_s });
        QTEST(letters(staging), "start");
        staging.simulator.advance(999);
        QTEST(letters(staging), "start");
        staging.simulator.advance(1);
        QTEST(letters(staging), good ? "succeeded" : "failed");
        QVERIFY(!staging.simulator.step());
    }
}

void TestPropagation::retryLoopKeepsStates()
{
    Staging staging(u"network-controller"_s, tree.join(u'\n'));
    staging.ask({ .op = u"DELETE"_s, .path = tree[1], .transientFailures = 3 });
    const QString during = letters(staging);
    QCOMPARE(during, u"UDDSSSS"_s);
    for (qint64 time = 250; time < 7000; time += 250) {
        staging.simulator.advanceTo(time);
        QCOMPARE(letters(staging), during);
    }
    staging.simulator.advanceTo(7000);
    QCOMPARE(letters(staging), u"S--SSSS"_s);
}

void TestPropagation::creation_data()
{
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<QString>("after");
    QTest::newRow("succeeded") << QString() << u"SSSSS"_s;
    QTest::newRow("failed") << u"failed"_s << u"FFSSF"_s;
}

/// What a PUT makes is there at once, and stays if its creation fails.
void TestPropagation::creation()
{
    QFETCH(QString, outcome);
    const QString made = u"/logicalNetworks/ln/subnets/sn1/ipPools/new"_s;
    Staging staging(u"network-controller"_s, tree.join(u'\n'));
    staging.ask({ .op = u"PUT"_s, .path = made, .outcome = outcome });
    const QStringList paths { tree[0], tree[1], tree[2], tree[3], made };
    QCOMPARE(letters(staging, paths), u"UUSSU"_s);
    staging.simulator.runUntilQuiet();
    QTEST(letters(staging, paths), "after");
}

namespace {

// The fifteen oracles, on the tree of the text's own example: ln{sn1{p1},sn2{p2}}.
struct Oracle
{
    const char *name;
    const char *steps;    ///< "PUT sn1; PUT sn2"
    const char *statuses; ///< "InProgress Rejected"
    const char *states;   ///< of ln sn1 p1 sn2 p2, gateway pool, gateway
};

constexpr Oracle oracleRows[] {
    { "1", "PUT sn1", "InProgress", "UUUSSSS" },
    { "2", "PUT p1", "InProgress", "UUUSSSS" },
    { "3", "PUT ln", "InProgress", "UUUUUSS" },
    { "4", "DELETE sn1", "InProgress", "UDDSSSS" },
    { "5", "PUT gp", "InProgress", "SSSSSUS" },
    { "6", "PUT sn1; PUT sn2", "InProgress Rejected", "UUUSSSS" },
    { "7", "DELETE sn1; PUT ln", "Canceled InProgress", "UUUUUSS" },
    { "8", "DELETE ln; PUT ln", "InProgress Rejected", "DDDDDSS" },
    { "9", "PUT ln; DELETE p1", "Canceled InProgress", "UUDSSSS" },
    { "10", "PUT p1; PUT sn1", "InProgress Rejected", "UUUSSSS" },
    { "11", "PUT ln; PUT ln2", "InProgress InProgress", "UUUUUSS" },
    { "12", "PUT sn1; DELETE sn2", "InProgress Rejected", "UUUSSSS" },
    { "13", "PUT sn1; PUT p1", "Canceled InProgress", "UUUSSSS" },
    { "14", "DELETE ln; PUT sn1", "InProgress Rejected", "DDDDDSS" },
    { "15 over a PUT", "PUT ln; DELETE ln", "Canceled InProgress", "DDDDDSS" },
    { "15 over a DELETE", "DELETE ln; DELETE ln", "Canceled InProgress", "DDDDDSS" },
    { "15 over a child's PUT", "PUT sn1; DELETE ln", "Canceled InProgress", "DDDDDSS" },
    { "15 over a child's DELETE", "DELETE p2; DELETE ln", "Canceled InProgress", "DDDDDSS" },
};

} // namespace

void TestPropagation::oracles_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < int(std::size(oracleRows)); ++i)
        QTest::newRow(oracleRows[i].name) << i;
}

void TestPropagation::oracles()
{
    QFETCH(int, index);
    const Oracle &oracle = oracleRows[index];
    const QMap<QString, QString> paths {
        { u"ln"_s, tree[0] },
        { u"sn1"_s, tree[1] },
        { u"p1"_s, tree[2] },
        { u"sn2"_s, tree[3] },
        { u"p2"_s, tree[4] },
        { u"ln2"_s, u"/logicalNetworks/ln2"_s },
        { u"gp"_s, u"/GatewayPools/gp"_s },
        { u"g"_s, u"/gateways/g"_s },
    };
    const QStringList shown { tree[0], tree[1], tree[2], tree[3], tree[4], paths[u"gp"_s],
        paths[u"g"_s] };
    Staging staging(u"network-controller"_s,
        tree.first(5).join(u'\n')
            + u"\n/logicalNetworks/ln2\n/GatewayPools/gp\n/gateways/g -> /GatewayPools/gp"_s);
    QStringList statuses;
    for (const QString &step : QString::fromLatin1(oracle.steps).split(u"; "_s)) {
        const QStringList words = step.split(u' ');
        QMap<QString, QString> etags;
        for (const QString &path : shown)
            etags.insert(path, staging.etag(path));
        const bool refused = staging.ask(words[0], paths[words[1]]).status == Status::Rejected;
        for (const QString &path : shown) {
            if (refused)
                QCOMPARE(staging.etag(path), etags[path]); // 12
        }
        QCOMPARE(staging.etag(paths[u"g"_s]), etags[paths[u"g"_s]]); // 5
    }
    for (const Operation &operation : staging.simulator.operations().all()) {
        statuses += statusName(operation.status);
        if (operation.status == Status::Rejected) {
            QCOMPARE(operation.conflictsWith, u"op1"_s);
            QVERIFY(operation.errorMessage.contains(u"/networking/v1/operations/op1"_s));
        }
    }
    QCOMPARE(statuses.join(u' '), QString::fromLatin1(oracle.statuses));
    QCOMPARE(letters(staging, shown), QString::fromLatin1(oracle.states));
}

const instar::TestClass<TestPropagation> registered;
#include "tst_propagation.moc"
