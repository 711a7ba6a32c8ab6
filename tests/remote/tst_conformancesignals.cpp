// SPDX-License-Identifier: Apache-2.0
// The second half of what every Controller promises: what it tells, in which order, and whose time
// and hands move it.

#include "tests/remote/candidate.h"
#include "tests/support/testclass.h"

#include <QRandomGenerator>
#include <QTest>

using namespace instar;
using namespace instar::place;
using namespace Qt::StringLiterals;

class TestConformanceSignals : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data();
    void byHand();
    void toldOnce();
    void moves_data();
    void moves();
    void askedByAReceiver();
    void strangers();
    void constraints();
    void conversation_data();
    void conversation();
};

namespace {

using Kind = Change::Kind;

/// With a rule about its own tree, and one that looks into another.
Pack constrained()
{
    Pack pack = packNamed(u"network-controller"_s);
    const auto constraint = [](const QString &in, const QString &relation,
                                const QStringList &states) {
        Constraint row;
        row.in = { in };
        row.holds = { { .kind = Condition::Kind::Related, .text = relation, .states = states } };
        return row;
    };
    const auto machine = std::ranges::find(pack.machines, u"resource"_s, &Machine::id);
    if (machine == pack.machines.end())
        qFatal("the pack has no such machine");
    machine->constraints = { constraint(u"Failed"_s, u"parent"_s, { u"Failed"_s, u"Updating"_s }),
        constraint(u"Succeeded"_s, u"references"_s, { u"Succeeded"_s, u"Updating"_s }) };
    return pack;
}

} // namespace

void TestConformanceSignals::initTestCase_data()
{
    candidateRows();
}

/// Where it is ours, a person withdraws and ends; elsewhere nothing comes of it. What does not run
/// is left alone everywhere.
void TestConformanceSignals::byHand()
{
    const auto one = candidate();
    Controller &controller = one->controller();
    controller.cancel(0);
    controller.cancel(17);
    controller.end(17, controller.rules().failed);
    QVERIFY(controller.records().isEmpty());
    const quint32 a = one->submit({ .op = u"PUT"_s, .path = net, .id = u"a"_s, .hang = true });
    const quint32 b =
        one->submit({ .op = u"PUT"_s, .path = gatewayPool, .id = u"b"_s, .hang = true });
    one->tell();
    const qsizetype before = controller.records().size();
    controller.cancel(a);
    controller.end(b, controller.rules().failed);
    if (controller.isLocal()) {
        QCOMPARE(one->status(u"a"_s), u"Canceled"_s);
        QVERIFY(one->operation(u"a"_s).canceledBy.isEmpty());
        QCOMPARE(one->at(net), u"Succeeded"_s);
        QCOMPARE(one->status(u"b"_s), u"Failed"_s);
        QCOMPARE(one->at(gatewayPool), u"Failed"_s);
        controller.cancel(a);
        controller.end(b, controller.rules().succeeded);
        QCOMPARE(controller.records().size(), before + 2);
    } else {
        QCOMPARE(controller.records().size(), before);
        one->tell();
        QCOMPARE(one->status(u"a"_s), u"InProgress"_s);
        QCOMPARE(one->status(u"b"_s), u"InProgress"_s);
        QCOMPARE(one->at(net), u"Updating"_s);
    }
}

/// Of each operation the records tell one beginning and, where it ran, one end. That it was sent is
/// told before by those whose answer takes time.
void TestConformanceSignals::toldOnce()
{
    const auto one = candidate();
    one->ask({ .op = u"PUT"_s, .path = subnet, .id = u"a"_s });
    one->ask({ .op = u"PUT"_s, .path = net, .id = u"b"_s });
    one->ask({ .op = u"DELETE"_s, .path = pool, .id = u"c"_s });
    one->ask({ .op = u"PUT"_s, .path = other, .id = u"d"_s });
    one->pass(1000);
    one->tell();
    const QMap<QString, QList<Kind>> expected {
        { u"a"_s, { Kind::Started, Kind::Canceled } },
        { u"b"_s, { Kind::Started, Kind::Canceled } },
        { u"c"_s, { Kind::Started, Kind::Closed } },
        { u"d"_s, { Kind::Rejected } },
    };
    for (auto it = expected.cbegin(); it != expected.cend(); ++it) {
        QList<Kind> kinds = one->changesOf(it.key());
        QCOMPARE(kinds.removeAll(Kind::Sent), one->isRemote() ? 1 : 0);
        kinds.removeAll(Kind::Settled); // and what it left behind, where that is seen
        QCOMPARE(kinds, *it);
    }
}

void TestConformanceSignals::moves_data()
{
    const Rows<QString, QString, QString, QString> row("op", "path", "outcome", "moves");
    const QString good, bad = u"failed"_s, fresh = u"/gateways/new"_s;
    row("change", u"PUT"_s, subnet, good,
        u"started Succeeded -> Updating, succeeded Updating -> Succeeded"_s);
    row("failure", u"PUT"_s, net, bad,
        u"started Succeeded -> Updating, failed Updating -> Failed"_s);
    row("creation", u"PUT"_s, fresh, good,
        u"started absent -> Updating, succeeded Updating -> Succeeded"_s);
    row("removal", u"DELETE"_s, subnet, good,
        u"started Succeeded -> Deleting, succeeded Deleting -> absent"_s);
    row("nothing", u"DELETE"_s, fresh, good, {});
    row("below nothing", u"PUT"_s, u"/gateways/none/x/y"_s, good, {});
    row("look", u"GET"_s, net, good, u"done Succeeded -> Succeeded"_s);
}

/// The records of an operation tell where its target was and where it is; nothing of one that is
/// not there.
void TestConformanceSignals::moves()
{
    QFETCH(const QString, op);
    QFETCH(const QString, path);
    QFETCH(const QString, outcome);
    QFETCH(QString, moves);
    const auto one = candidate();
    if (one->isRemote()) // the answer to a DELETE shows no state, and none is guessed
        moves.remove(u"started Succeeded -> Deleting, "_s);
    one->ask({ .op = op, .path = path, .id = u"a"_s, .outcome = outcome });
    one->pass(1000);
    QCOMPARE(one->movesOf(u"a"_s), moves);
}

/// A receiver may ask for more at once.
void TestConformanceSignals::askedByAReceiver()
{
    const auto one = candidate();
    Controller &controller = one->controller();
    quint32 inner = 0;
    QStringList heard;
    QObject first;
    connect(&controller, &Controller::recorded, &first, [&](const Record &record) {
        const bool begins = record.changes.front().kind == Kind::Started;
        if (begins && !inner)
            inner = controller.submit({ .op = u"PUT"_s, .path = gatewayPool, .id = u"inner"_s });
    });
    connect(&controller, &Controller::recorded, &first, [&](const Record &record) {
        if (record.changes.front().kind == Kind::Started)
            heard += record.changes.front().path;
    });
    const quint32 outer = one->submit({ .op = u"PUT"_s, .path = net, .id = u"outer"_s });
    QTRY_COMPARE(heard.size(), 2);
    heard.sort();
    QCOMPARE(heard, (QStringList { gatewayPool, net }));
    QCOMPARE(controller.operations().idOf(outer), u"outer"_s);
    QCOMPARE(controller.operations().idOf(inner), u"inner"_s);
    one->pass(1000);
    QCOMPARE(one->status(u"outer"_s), u"Succeeded"_s);
    QCOMPARE(one->status(u"inner"_s), u"Succeeded"_s);
}

/// What is asked for elsewhere shows in the world; a server does not say who it was.
void TestConformanceSignals::strangers()
{
    const auto one = candidate();
    one->ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    one->stranger(u"DELETE"_s, net);
    one->tell();
    QCOMPARE(one->at(pool), u"Deleting"_s);
    const Operation canceled = one->operation(u"a"_s);
    QCOMPARE(canceled.status, Status::Canceled);
    QCOMPARE(canceled.errorCode, u"Canceled"_s);
    QCOMPARE(canceled.canceledBy.isEmpty(), one->isRemote());
    QVERIFY(!canceled.errorMessage.contains(u"by hand"_s));
    QCOMPARE(one->controller().operations().all().size(), one->isRemote() ? 1 : 2);
    one->stranger(u"PUT"_s, u"/logicalNetworks/theirs"_s);
    one->tell();
    QCOMPARE(one->at(u"/logicalNetworks/theirs"_s), u"Updating"_s);
    one->pass(1000);
    QCOMPARE(one->at(u"/logicalNetworks/theirs"_s), u"Succeeded"_s);
    QCOMPARE(one->at(net), u"absent"_s);
    QCOMPARE(one->tree(), sorted(shownTree(one->there().rules(), one->there().world())));
}

/// What the pack forbids is told when it comes to be, once until it holds again.
void TestConformanceSignals::constraints()
{
    const Pack pack = constrained();
    const auto one = candidate(pack);
    const auto put = [&](const QString &path, const QString &id, const QString &outcome = {}) {
        one->ask({ .op = u"PUT"_s, .path = path, .id = id, .outcome = outcome });
        one->pass(1000);
    };
    put(gatewayPool, u"a"_s);
    QCOMPARE(one->violations(), QStringList());
    put(gatewayPool, u"b"_s, u"failed"_s);
    const QStringList first { gateway + u" in Succeeded: references Succeeded or Updating"_s };
    QCOMPARE(one->violations(), first);
    put(net, u"c"_s, u"failed"_s);
    QCOMPARE(one->violations(), first);
    put(subnet, u"d"_s); // the other one stays behind
    const QStringList second =
        first + QStringList { other + u" in Failed: parent Failed or Updating"_s };
    QCOMPARE(one->violations(), second);
    put(gatewayPool, u"e"_s);
    QCOMPARE(one->violations(), second);
    put(gatewayPool, u"f"_s, u"failed"_s);
    QCOMPARE(one->violations(), second + first);
    const auto told = [&](const QString &id) { return one->status(id); };
    QCOMPARE(told(u"d"_s) + told(u"f"_s), u"SucceededFailed"_s);
}

void TestConformanceSignals::conversation_data()
{
    addColumns<QString, quint32>("pack", "seed");
    for (const QString &pack : { u"network-controller"_s, u"network-controller-sync"_s }) {
        for (quint32 seed = 1; seed <= 3; ++seed)
            QTest::addRow("%s %u", qPrintable(pack), seed) << pack << seed;
    }
}

/// Whatever is asked, what is shown in the end and at every pause is what the engine alone makes of
/// it.
void TestConformanceSignals::conversation()
{
    QFETCH(const QString, pack);
    QFETCH(const quint32, seed);
    const auto one = candidate(packNamed(pack));
    PlainEngine plain(rulesOf(packNamed(pack)), smallTree());
    Witness witness(one->controller());
    QRandomGenerator random(seed);
    const bool overlaps = !pack.endsWith(u"sync"_s);
    const QStringList paths { net, subnet, pool, other, otherPool, gatewayPool, gateway,
        net + u"/subnets/new"_s, u"/logicalNetworks/new"_s };
    const auto pass = [&](qint64 ms) {
        one->pass(ms);
        plain.pass(ms);
    };
    for (int i = 0; i < 30; ++i) {
        const Request request { .op = random.bounded(3) ? u"PUT"_s : u"DELETE"_s,
            .path = paths[random.bounded(int(paths.size()))],
            .id = u"s%1"_s.arg(i),
            .outcome = random.bounded(4) ? QString() : u"failed"_s };
        const Admission expected = one->controller().admission(request);
        one->submit(request);
        plain.ask(request);
        if (!overlaps)
            pass(1000);
        const Operation &here = one->operation(request.id);
        QCOMPARE(expected.verdict == Admission::Verdict::Refused, here.status == Status::Rejected);
        pass(random.bounded(3) * 500);
        compareAll(*one, plain);
        if (QTest::currentTestFailed())
            QFAIL(qPrintable(u"after %1 %2"_s.arg(request.op, request.path)));
    }
    pass(100'000);
    compareAll(*one, plain);
    QCOMPARE(witness.heard(), int(one->controller().records().size()));
    QCOMPARE(witness.complaints(), QStringList());
}

const instar::TestClass<TestConformanceSignals> registered;
#include "tst_conformancesignals.moc"
