// SPDX-License-Identifier: Apache-2.0
// What every Controller promises, one promise a function, asked of the simulator and of a server
// over real sockets alike: what becomes of operations, and of the resources. What is told of it is
// in tst_conformancesignals.cpp.

#include "tests/remote/candidate.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace instar::place;
using namespace Qt::StringLiterals;

class TestConformance : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data();
    void serialFindsOperation();
    void accepted();
    void collisions_data();
    void collisions();
    void etags();
    void preconditions_data();
    void preconditions();
    void atOnce_data();
    void atOnce();
    void creation();
    void replay();
};

namespace {

using Kind = Change::Kind;

/// The paths whose etags differ; what is gone or new is among them.
QStringList differing(const QString &before, const QString &after)
{
    const QStringList one = before.split(u'\n'), two = after.split(u'\n');
    QStringList paths;
    for (const QString &line : two) {
        if (!one.contains(line))
            paths += line.section(u' ', 0, 0);
    }
    for (const QString &line : one) {
        const QString path = line.section(u' ', 0, 0);
        if (!after.contains(path + u' '))
            paths += path;
    }
    paths.sort();
    return paths;
}

} // namespace

void TestConformance::initTestCase_data()
{
    candidateRows();
}

/// At once, whatever becomes of it; who names none gets a name that is free.
void TestConformance::serialFindsOperation()
{
    const auto one = candidate();
    Controller &controller = one->controller();
    const quint32 first =
        controller.submit({ .op = u"PUT"_s, .path = net, .id = u"op2"_s, .client = u"A"_s });
    const Operation *operation = controller.operations().find(first);
    QVERIFY(operation);
    QCOMPARE(operation->serial, first);
    QCOMPARE(operation->id, u"op2"_s);
    QCOMPARE(operation->op, u"PUT"_s);
    QCOMPARE(operation->path, net);
    QCOMPARE(operation->client, u"A"_s);
    QCOMPARE(operation->status, Status::InProgress);
    QCOMPARE(operation->submitted, controller.world().now);
    QVERIFY(controller.operations().find(u"op2"_s) == operation);
    QCOMPARE(controller.operations().idOf(first), u"op2"_s);

    const quint32 second = controller.submit({ .op = u"GET"_s, .path = net });
    const quint32 third = controller.submit({ .op = u"PUT"_s, .path = gatewayPool });
    QVERIFY(first < second && second < third);
    QCOMPARE(controller.operations().idOf(second), u"op3"_s);
    QCOMPARE(controller.operations().idOf(third), u"op4"_s);
    QVERIFY(!controller.operations().find(quint32(0)));
    QVERIFY(!controller.operations().find(u"op1"_s));
    QVERIFY(!controller.operations().find(third + 1));
}

/// It runs in the world until it has ended, and both times are known.
void TestConformance::accepted()
{
    const auto one = candidate();
    const Operation put = one->ask({ .op = u"PUT"_s, .path = subnet, .id = u"a"_s });
    QCOMPARE(put.status, Status::InProgress);
    QVERIFY(put.started && *put.started >= put.submitted);
    QVERIFY(!put.ended);
    const World &world = one->controller().world();
    const Running *running = world.find(put.serial);
    QVERIFY(running);
    QCOMPARE(running->id, u"a"_s);
    QCOMPARE(running->path, subnet);
    QCOMPARE(running->target, world.tree.find(subnet));
    QCOMPARE(one->controller().rules().triggerName(running->op), u"PUT"_s);

    one->pass(999);
    QCOMPARE(one->status(u"a"_s), u"InProgress"_s);
    one->pass(1);
    const Operation over = one->operation(u"a"_s);
    QCOMPARE(over.status, Status::Succeeded);
    QCOMPARE(over.serial, put.serial);
    QVERIFY(over.ended && *over.ended >= *over.started);
    QVERIFY(over.errorCode.isEmpty() && over.errorMessage.isEmpty() && over.rule.isEmpty());
    QVERIFY(!world.find(put.serial));
    QVERIFY(world.running.empty());
}

void TestConformance::collisions_data()
{
    addColumns<QString, QString, QString, QString>("running", "at", "op", "path");
    for (const char *running : { "PUT", "DELETE" }) {
        for (const QString &at : { net, subnet, pool, other }) {
            for (const char *op : { "PUT", "DELETE" }) {
                for (const QString &path : { net, subnet, otherPool, gatewayPool }) {
                    QTest::addRow("%s %s, %s %s", running, qPrintable(at.section(u'/', -1)), op,
                        qPrintable(path.section(u'/', -1)))
                        << QString::fromLatin1(running) << at << QString::fromLatin1(op) << path;
                }
            }
        }
    }
}

/// Expected, and ended, as the engine does.
void TestConformance::collisions()
{
    QFETCH(const QString, running);
    QFETCH(const QString, at);
    QFETCH(const QString, op);
    QFETCH(const QString, path);
    const auto one = candidate();
    PlainEngine plain(rulesOf(packNamed(u"network-controller"_s)), smallTree());
    const Request first { .op = running, .path = at, .id = u"first"_s };
    const Request second { .op = op, .path = path, .id = u"second"_s };
    one->ask(first);
    plain.ask(first);
    one->pass(100);
    plain.pass(100);
    const QString before = etagsOf(one->controller());
    const Admission expected = one->controller().admission(second);
    const Operation asked = one->ask(second);
    QCOMPARE(expected.verdict == Admission::Verdict::Refused, asked.status == Status::Rejected);
    QCOMPARE(expected.code, asked.errorCode);
    QCOMPARE(expected.http, asked.httpStatus);
    plain.ask(second);
    one->tell();
    QCOMPARE(!expected.cancels.empty(), one->operation(u"first"_s).status == Status::Canceled);
    compareAll(*one, plain);
    if (asked.status == Status::Rejected)
        QCOMPARE(differing(before, etagsOf(one->controller())), QStringList());
    for (const int ms : { 950, 1000 }) {
        one->pass(ms);
        plain.pass(ms);
        compareAll(*one, plain);
    }
}

/// One new etag for all that an accepted operation touches; nothing else gives one.
void TestConformance::etags()
{
    const auto one = candidate();
    const auto shown = [&] { return etagsOf(one->controller()); };
    QString before = shown();
    one->ask({ .op = u"PUT"_s, .path = subnet, .id = u"a"_s });
    one->tell();
    QCOMPARE(differing(before, shown()), (QStringList { net, subnet, pool }));
    QCOMPARE(one->etag(net), one->etag(subnet));
    QCOMPARE(one->etag(net), one->etag(pool));
    QVERIFY(!one->etag(other).isEmpty() && one->etag(other) != one->etag(net));

    before = shown();
    one->ask({ .op = u"PUT"_s, .path = other, .id = u"refused"_s });
    one->ask({ .op = u"GET"_s, .path = net, .id = u"get"_s });
    one->ask({ .op = u"DELETE"_s, .path = net + u"/subnets/none"_s, .id = u"nothing"_s });
    one->pass(1000);
    QCOMPARE(one->status(u"a"_s), u"Succeeded"_s);
    QCOMPARE(shown(), before);

    one->ask({ .op = u"DELETE"_s, .path = pool, .id = u"b"_s, .outcome = u"failed"_s });
    one->tell();
    QCOMPARE(differing(before, shown()), (QStringList { net, subnet, pool }));
    before = shown();
    one->pass(1000);
    QCOMPARE(one->status(u"b"_s), u"Failed"_s);
    QCOMPARE(shown(), before);
    // As many as there are, and those of where it happens.
    const World &there = one->there().world();
    for (const Resource resource : there.tree.resources())
        QCOMPARE(one->etag(there.tree.path(resource)), instar::etag(there, resource));
}

void TestConformance::preconditions_data()
{
    const Rows<QString, QString, QString, bool> row("path", "ifMatch", "ifNoneMatch", "holds");
    const QString none;
    const QString fresh = net + u"/subnets/new"_s;
    row("current", net, u"(current)"_s, none, true);
    row("older", net, u"(older)"_s, none, false);
    row("another's", other, u"(current)"_s, none, false);
    row("any", net, u"*"_s, none, true);
    row("any of nothing", fresh, u"*"_s, none, false);
    row("none of nothing", fresh, none, u"*"_s, true);
    row("none of something", net, none, u"*"_s, false);
    row("not the current", net, none, u"(current)"_s, false);
    row("not the older", net, none, u"(older)"_s, true);
}

void TestConformance::preconditions()
{
    QFETCH(const QString, path);
    QFETCH(const QString, ifMatch);
    QFETCH(const QString, ifNoneMatch);
    QFETCH(const bool, holds);
    const auto one = candidate();
    const QString older = one->etag(net);
    one->ask({ .op = u"PUT"_s, .path = net, .id = u"first"_s });
    one->pass(1000);
    if (path == other) {
        one->ask({ .op = u"PUT"_s, .path = other, .id = u"own"_s });
        one->pass(1000);
        one->ask({ .op = u"PUT"_s, .path = subnet, .id = u"newest"_s });
        one->pass(1000);
    }
    const auto meant = [&](const QString &text) {
        return text == u"(current)" ? one->etag(net) : text == u"(older)" ? older : text;
    };
    const QString tree = one->tree();
    const Request request { .op = u"PUT"_s,
        .path = path,
        .id = u"a"_s,
        .ifMatch = meant(ifMatch),
        .ifNoneMatch = meant(ifNoneMatch) };
    QCOMPARE(one->controller().admission(request).verdict,
        holds ? Admission::Verdict::Accepted : Admission::Verdict::Refused);
    const Operation asked = one->ask(request);
    QCOMPARE(asked.status, holds ? Status::InProgress : Status::Rejected);
    QCOMPARE(asked.httpStatus, holds ? 0 : 412);
    QCOMPARE(asked.errorCode, holds ? QString() : u"PreconditionFailed"_s);
    one->tell();
    QCOMPARE(one->tree() == tree, !holds);
}

void TestConformance::atOnce_data()
{
    // http: 0: it succeeds; -1: whatever the refusal's
    const Rows<QString, QString, int> row("op", "path", "http");
    const QString below = u"/logicalNetworks/none/subnets/s"_s;
    row("deletes nothing", u"DELETE"_s, u"/logicalNetworks/none"_s, 0);
    row("looks", u"GET"_s, subnet, 0);
    row("looks for nothing", u"GET"_s, net + u"/subnets/none"_s, 404);
    row("makes below nothing", u"PUT"_s, below, 404);
    row("deletes below nothing", u"DELETE"_s, below, 404);
    row("unknown type", u"PUT"_s, u"/nonsense/x"_s, -1);
    row("unknown operation", u"FLY"_s, net, -1);
    row("no path", u"PUT"_s, u"nowhere"_s, -1);
    row("no name", u"PUT"_s, u"/logicalNetworks/"_s, -1);
    row("nothing", {}, {}, -1);
}

/// It ends with its answer, touches nothing and leaves alone what runs; a refusal is a sentence.
void TestConformance::atOnce()
{
    QFETCH(const QString, op);
    QFETCH(const QString, path);
    QFETCH(const int, http);
    const auto one = candidate();
    one->ask({ .op = u"PUT"_s, .path = net, .id = u"runs"_s });
    one->tell();
    const QString tree = one->tree(), etags = etagsOf(one->controller());
    const Operation asked = one->ask({ .op = op, .path = path, .id = u"a"_s });
    QCOMPARE(asked.status, http == 0 ? Status::Succeeded : Status::Rejected);
    QCOMPARE(one->changesOf(u"a"_s).last(), http == 0 ? Kind::Observed : Kind::Rejected);
    if (http >= 0)
        QCOMPARE(asked.httpStatus, http);
    QCOMPARE(asked.errorCode.isEmpty() || asked.errorMessage.isEmpty(), http == 0);
    one->tell();
    QCOMPARE(one->tree(), tree);
    QCOMPARE(etagsOf(one->controller()), etags);
    QCOMPARE(one->status(u"runs"_s), u"InProgress"_s);
}

/// A new resource is there from the start, with what it was asked to have.
void TestConformance::creation()
{
    const auto one = candidate();
    const QString fresh = u"/gateways/new"_s;
    const Operation put = one->ask({ .op = u"PUT"_s,
        .path = fresh,
        .id = u"a"_s,
        .properties = { { u"x"_s, 1 } },
        .references = { gatewayPool } });
    QCOMPARE(put.status, Status::InProgress);
    one->tell();
    QCOMPARE(one->at(fresh), u"Updating"_s);
    const World &world = one->controller().world();
    const Resource made = world.tree.find(fresh);
    QCOMPARE(world.tree.size(), smallTree().size() + 1);
    QCOMPARE(world.references.value(made), QStringList { gatewayPool });
    QCOMPARE(world.properties.value(made).value(u"x"_s).toInt(), 1);
    QVERIFY(!one->etag(fresh).isEmpty());
    one->pass(1000);
    QCOMPARE(one->at(fresh), u"Succeeded"_s);
    QCOMPARE(one->status(u"a"_s), u"Succeeded"_s);

    one->ask({ .op = u"DELETE"_s, .path = net, .id = u"b"_s });
    one->pass(1000);
    for (const QString &gone : { net, subnet, pool, other, otherPool })
        QCOMPARE(one->at(gone), u"absent"_s);
    QCOMPARE(world.tree.size(), smallTree().size() + 1 - 5);
    // Again, and what was below it is not.
    one->ask({ .op = u"PUT"_s, .path = net, .id = u"c"_s });
    one->pass(1000);
    QCOMPARE(one->at(net), u"Succeeded"_s);
    QCOMPARE(one->at(subnet), u"absent"_s);
}

/// The same request id: the same answer, now and in the end, and nothing is done twice.
void TestConformance::replay()
{
    const auto one = candidate();
    const Request put { .op = u"PUT"_s, .path = net, .id = u"a"_s, .requestId = u"once"_s };
    one->ask(put);
    one->tell();
    const QString etags = etagsOf(one->controller());
    Request again = put;
    again.id = u"b"_s;
    const Operation repeated = one->ask(again);
    QCOMPARE(repeated.replayOf, u"a"_s);
    QCOMPARE(repeated.status, Status::InProgress);
    QCOMPARE(one->changesOf(u"b"_s).last(), Kind::Replayed);
    one->tell();
    QCOMPARE(etagsOf(one->controller()), etags);
    one->pass(1000);
    QCOMPARE(one->status(u"a"_s), u"Succeeded"_s);
    QCOMPARE(one->status(u"b"_s), u"Succeeded"_s);
    again.id = u"c"_s; // also when it is over
    one->ask(again);
    one->tell();
    QCOMPARE(one->status(u"c"_s), u"Succeeded"_s);
    QCOMPARE(one->operation(u"c"_s).replayOf, u"a"_s);
    QCOMPARE(etagsOf(one->controller()), etags);
}

const instar::TestClass<TestConformance> registered;
#include "tst_conformance.moc"
