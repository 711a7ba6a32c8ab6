// SPDX-License-Identifier: Apache-2.0
#include "tests/support/networktree.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// The 48 cells: what a new PUT or DELETE on a top-level resource or a descendant does to one that
// runs on itself, an ancestor, a descendant, a sibling, another resource of its tree, or in another
// tree.

class TestMatrix : public QObject
{
    Q_OBJECT

private slots:
    void cells_data();
    void cells();
};

namespace {

const QString ln = networkTree[0], sn1 = networkTree[1], p1 = networkTree[2], p2 = networkTree[3],
              sn2 = networkTree[4], cousin = networkTree[5];
const QString otherRoot = u"/logicalNetworks/other"_s;
const QString otherChild = u"/logicalNetworks/other/subnets/sn1"_s;

Staging stage()
{
    return Staging(
        u"network-controller"_s, networkTree.join(u'\n') + u'\n' + otherRoot + u'\n' + otherChild);
}

void checkCell(const QString &op, const QString &target, const QString &running, const QString &at,
    const QString &verdict, const QString &states)
{
    Staging staging = stage();
    Request first { .op = running, .path = at, .id = u"first"_s, .hang = true };
    QCOMPARE(staging.ask(first).status, Status::InProgress);
    const QString treeBefore = staging.tree();
    const QByteArray before = worldKey(staging.simulator.rules(), staging.simulator.world());
    QStringList etags;
    for (const QString &path : networkTree)
        etags.append(staging.etag(path));

    const Request second { .op = op, .path = target, .id = u"second"_s, .hang = true };
    const Admission admission = staging.simulator.admission(second);
    staging.ask(second);
    const Operation &old = staging.operation(u"first"_s);
    const Operation &fresh = staging.operation(u"second"_s);
    if (verdict == u"409") {
        QCOMPARE(admission.verdict, Admission::Verdict::Refused);
        QCOMPARE(fresh.status, Status::Rejected);
        QCOMPARE(fresh.httpStatus, 409);
        QCOMPARE(fresh.errorCode, u"AnotherOperationInProgress"_s);
        QCOMPARE(fresh.errorMessage,
            u"Another operation on this or dependent resource is in progress. To retrieve the "
            u"status of the "
            u"operation, use uri: /networking/v1/operations/first."_s);
        QCOMPARE(fresh.conflictsWith, u"first"_s);
        QVERIFY2(fresh.rule.contains(u"MS-NCNBI 1.3.3.1"), qPrintable(fresh.rule));
        QCOMPARE(old.status, Status::InProgress);
        QCOMPARE(staging.tree(), treeBefore);
        QVERIFY(before == worldKey(staging.simulator.rules(), staging.simulator.world()));
        for (qsizetype i = 0; i < networkTree.size(); ++i)
            QCOMPARE(staging.etag(networkTree[i]), etags[i]);
        return;
    }
    QCOMPARE(admission.verdict, Admission::Verdict::Accepted);
    QCOMPARE(fresh.status, Status::InProgress);
    QCOMPARE(letters(staging), states);
    if (verdict == u"cancel") {
        QCOMPARE(admission.cancels.size(), size_t(1));
        QCOMPARE(admission.cancels[0], old.serial);
        QCOMPARE(admission.cancelRows.size(), size_t(1));
        QCOMPARE(old.status, Status::Canceled);
        QCOMPARE(old.canceledBy, u"second"_s);
        QCOMPARE(old.errorCode, u"Canceled"_s);
    } else {
        QCOMPARE(verdict, u"allow"_s);
        QVERIFY(admission.cancels.empty());
        QCOMPARE(old.status, Status::InProgress);
    }
}

} // namespace

void TestMatrix::cells_data()
{
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("running");
    QTest::addColumn<QString>("at");
    QTest::addColumn<QString>("verdict");
    QTest::addColumn<QString>("states");
    const QString none; // no resource can be there: the cell does not exist
    struct Place
    {
        const char *name;
        QString at, put, del; ///< the verdicts while a PUT or a DELETE runs there
    };
    struct Table
    {
        QString op, target;
        QString states; ///< once it has been accepted
        QList<Place> places;
    };
    const QList<Table> tables {
        { u"PUT"_s, ln, u"UUUUUU"_s,
            { { "self", ln, u"cancel"_s, u"409"_s }, { "ancestor", none, u"n/a"_s, u"n/a"_s },
                { "descendant", sn1, u"cancel"_s, u"cancel"_s },
                { "sibling", otherRoot, u"allow"_s,
                    u"allow"_s }, // another top-level resource is another tree
                { "other in the tree", none, u"n/a"_s, u"n/a"_s },
                { "other tree", otherChild, u"allow"_s, u"allow"_s } } },
        { u"DELETE"_s, ln, u"DDDDDD"_s,
            { { "self", ln, u"cancel"_s, u"cancel"_s }, { "ancestor", none, u"n/a"_s, u"n/a"_s },
                { "descendant", sn1, u"cancel"_s, u"cancel"_s },
                { "sibling", otherRoot, u"allow"_s, u"allow"_s },
                { "other in the tree", none, u"n/a"_s, u"n/a"_s },
                { "other tree", otherChild, u"allow"_s, u"allow"_s } } },
        { u"PUT"_s, sn1, u"UUUUSS"_s,
            { { "self", sn1, u"cancel"_s, u"409"_s }, { "ancestor", ln, u"cancel"_s, u"409"_s },
                { "descendant", p1, u"409"_s, u"409"_s }, { "sibling", sn2, u"409"_s, u"409"_s },
                { "other in the tree", cousin, u"409"_s, u"409"_s },
                { "other tree", otherRoot, u"allow"_s, u"allow"_s } } },
        { u"DELETE"_s, sn1, u"UDDDSS"_s,
            { { "self", sn1, u"cancel"_s, u"cancel"_s }, { "ancestor", ln, u"cancel"_s, u"409"_s },
                { "descendant", p1, u"409"_s, u"409"_s }, { "sibling", sn2, u"409"_s, u"409"_s },
                { "other in the tree", cousin, u"409"_s, u"409"_s },
                { "other tree", otherRoot, u"allow"_s, u"allow"_s } } },
    };
    for (const Table &table : tables) {
        for (const Place &place : table.places) {
            for (const bool put : { true, false }) {
                const QString running = put ? u"PUT"_s : u"DELETE"_s;
                const char *level = table.target == ln ? "top-level resource" : "descendant";
                QTest::addRow("%s on a %s, %s on %s", qPrintable(table.op), level,
                    qPrintable(running), place.name)
                    << table.op << table.target << running << place.at
                    << (put ? place.put : place.del) << table.states;
            }
        }
    }
}

void TestMatrix::cells()
{
    QFETCH(QString, op);
    QFETCH(QString, target);
    QFETCH(QString, running);
    QFETCH(QString, at);
    QFETCH(QString, verdict);
    QFETCH(QString, states);
    if (verdict == u"n/a") {
        // A top-level resource has nobody above it, and everything else in its tree is below it.
        const Staging staging = stage();
        const Tree &resources = staging.simulator.world().tree;
        const Resource top = resources.find(target);
        QCOMPARE(resources.parent(top), NoResource);
        QCOMPARE(resources.subtree(top).size(), resources.branchSize(resources.place(top).branch));
        return;
    }
    checkCell(op, target, running, at, verdict, states);
}

const instar::TestClass<TestMatrix> registered;
#include "tst_matrix.moc"
