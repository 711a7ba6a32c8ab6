// SPDX-License-Identifier: Apache-2.0
// A world made of what documents say: states from words, children, references, and which document
// is the newer one.

#include "model/engine/cover.h"
#include "model/remote/mirror.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestMirror : public QObject
{
    Q_OBJECT

private slots:
    void words();
    void documents();
    void childrenThatGo();
    void childrenThatAreNotTold();
    void olderDocuments();
    void collections();
    void references();
    void unknown();
    void etagsAndChanges();
    void underway();
    void caseOfPaths();
};

namespace {

const QString net = u"/logicalNetworks/ln"_s;
const QString subnet = net + u"/subnets/sn1"_s;
const QString pool = subnet + u"/ipPools/p1"_s;

ResourceMessage message(
    const QString &path, const QString &state, const QList<ResourceMessage> &children = {})
{
    ResourceMessage message;
    message.path = path;
    message.state = state;
    message.children = children;
    for (const ResourceMessage &child : children) {
        const QString collection = child.path.section(u'/', 0, -2);
        if (!message.collections.contains(collection))
            message.collections += collection;
    }
    return message;
}

QString text(const Mirror::Moves &moves, const Rules &rules)
{
    if (moves.isEmpty())
        return u"nothing"_s;
    return u"%1 %2 -> %3, %4"_s
        .arg(moves.path, rules.state(moves.from).id, rules.state(moves.to).id)
        .arg(moves.moved);
}

QString at(const Mirror &mirror, const Rules &rules, const QString &path)
{
    const Resource resource = mirror.world().tree.find(path);
    if (mirror.world().unknownWords.contains(resource))
        return shownWord(rules, mirror.world(), resource);
    return resource == NoResource
        ? u"absent"_s
        : rules.state(rules.stateOf(mirror.world().tree.code(resource))).id;
}

} // namespace

void TestMirror::words()
{
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    const Mirror mirror(rules);
    const int machine = rules.machineForType(u"logicalNetworks"_s);
    const auto named = [&](const QString &word) {
        const Rules::StateId state = mirror.stateOf(machine, word);
        return state == Rules::None ? u"none"_s : rules.state(state).id;
    };
    QCOMPARE(named(u"Succeeded"_s), u"Succeeded"_s);
    QCOMPARE(named(u"updating"_s), u"Updating"_s); // two states show it: the one of that name
    QCOMPARE(named(u"Deleting"_s), u"Deleting"_s);
    QCOMPARE(named(u"absent"_s), u"none"_s); // what is not there is shown by no document
    QCOMPARE(named(u"Melting"_s), u"none"_s);
}

void TestMirror::documents()
{
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    Mirror mirror(rules);
    QCOMPARE(
        text(mirror.show(message(net, u"Succeeded"_s,
                             { message(subnet, u"Updating"_s, { message(pool, u"Failed"_s) }) }),
                 1),
            rules),
        u"/logicalNetworks/ln absent -> Succeeded, 3"_s);
    QCOMPARE(shownTree(rules, mirror.world()),
        u"/logicalNetworks/ln Succeeded\n/logicalNetworks/ln/subnets/sn1 Updating\n/logicalNetworks/ln/subnets/sn1/ipPools/p1 Failed\n"_s);
    QCOMPARE(mirror.moving(), QStringList { net });
    QCOMPARE(text(mirror.show(message(subnet, u"Succeeded"_s, { message(pool, u"Failed"_s) }), 2),
                 rules),
        u"/logicalNetworks/ln/subnets/sn1 Updating -> Succeeded, 1"_s);
    QCOMPARE(text(mirror.show(message(subnet, u"Succeeded"_s, { message(pool, u"Failed"_s) }), 3),
                 rules),
        u"nothing"_s);
    QCOMPARE(at(mirror, rules, pool), u"Failed"_s);
    QVERIFY(mirror.moving().isEmpty());
    // Without a word it rests.
    mirror.show(message(u"/GatewayPools/gp"_s, {}), 4);
    QCOMPARE(at(mirror, rules, u"/GatewayPools/gp"_s), u"Succeeded"_s);
    // A child of nobody waits until its parent is told.
    QCOMPARE(
        text(mirror.show(message(u"/logicalNetworks/other/subnets/s"_s, u"Succeeded"_s), 5), rules),
        u"nothing"_s);
}

void TestMirror::childrenThatGo()
{
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    Mirror mirror(rules);
    mirror.show(message(net, u"Succeeded"_s,
                    { message(subnet, u"Succeeded"_s, { message(pool, u"Succeeded"_s) }),
                        message(net + u"/subnets/sn2"_s, u"Succeeded"_s) }),
        1);
    QCOMPARE(text(mirror.show(message(net, u"Succeeded"_s,
                                  { message(net + u"/subnets/sn2"_s, u"Succeeded"_s) }),
                      2),
                 rules),
        u"/logicalNetworks/ln/subnets/sn1 Succeeded -> absent, 2"_s);
    QCOMPARE(mirror.world().tree.size(), 2);
    // A document that has shown subnets before and has no list of them now has none.
    mirror.show(message(net, u"Succeeded"_s), 3);
    QCOMPARE(mirror.world().tree.size(), 1);
    QCOMPARE(text(mirror.remove(net, 4), rules), u"/logicalNetworks/ln Succeeded -> absent, 1"_s);
    QCOMPARE(mirror.world().tree.size(), 0);
}

/// A server that does not put children into their parents' documents says nothing about them there.
void TestMirror::childrenThatAreNotTold()
{
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    Mirror mirror(rules);
    mirror.show(message(net, u"Succeeded"_s), 1);
    mirror.show(message(subnet, u"Updating"_s), 2);
    mirror.show(message(net, u"Succeeded"_s), 3);
    QCOMPARE(at(mirror, rules, subnet), u"Updating"_s);
    QCOMPARE(text(mirror.remove(subnet, 4), rules),
        u"/logicalNetworks/ln/subnets/sn1 Updating -> absent, 1"_s);
}

void TestMirror::olderDocuments()
{
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    Mirror mirror(rules);
    mirror.show(message(net, u"Succeeded"_s), 5);
    QCOMPARE(text(mirror.show(message(net, u"Updating"_s), 4), rules), u"nothing"_s);
    QCOMPARE(at(mirror, rules, net), u"Succeeded"_s);
    mirror.remove(net, 6);
    QVERIFY(mirror.show(message(net, u"Deleting"_s), 5).isEmpty()); // was sent before it went
    QCOMPARE(at(mirror, rules, net), u"absent"_s);
    QVERIFY(mirror.remove(net, 5).isEmpty());
    mirror.show(message(net, u"Updating"_s), 7);
    QCOMPARE(at(mirror, rules, net), u"Updating"_s);
    QVERIFY(mirror.remove(net, 6).isEmpty());
    QCOMPARE(at(mirror, rules, net), u"Updating"_s);
}

void TestMirror::collections()
{
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    Mirror mirror(rules);
    mirror.show(message(net, u"Succeeded"_s), 1);
    mirror.show(message(u"/logicalNetworks/b"_s, u"Succeeded"_s), 3);
    mirror.show(message(u"/GatewayPools/gp"_s, u"Succeeded"_s), 1);
    // Its question was asked before b was seen.
    QCOMPARE(text(mirror.keepOnly(u"/logicalNetworks"_s, {}, 2), rules),
        u"/logicalNetworks/ln Succeeded -> absent, 1"_s);
    QCOMPARE(at(mirror, rules, u"/logicalNetworks/b"_s), u"Succeeded"_s);
    QCOMPARE(at(mirror, rules, u"/GatewayPools/gp"_s), u"Succeeded"_s);
    QVERIFY(mirror.keepOnly(u"/nobody"_s, {}, 9).isEmpty());
    QVERIFY(mirror.keepOnly(u"/logicalNetworks"_s, { u"/LogicalNetworks/B"_s }, 9).isEmpty());
}

void TestMirror::references()
{
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    Mirror mirror(rules);
    ResourceMessage gateway = message(u"/gateways/g"_s, u"Succeeded"_s);
    gateway.references = QStringList { u"/GatewayPools/gp"_s };
    gateway.properties = { { u"x"_s, 1 } };
    gateway.body = "{}";
    mirror.show(gateway, 1);
    mirror.show(message(u"/GatewayPools/gp"_s, u"Succeeded"_s), 1);
    const World &world = mirror.world();
    const Resource resource = world.tree.find(u"/gateways/g"_s);
    QCOMPARE(world.references.value(resource), gateway.references);
    QCOMPARE(world.properties.value(resource), gateway.properties);
    QCOMPARE(world.bodies.value(resource), gateway.body);
    QCOMPARE(world.referrers.size(), 1);
    QCOMPARE(admission(rules, world, { .op = u"DELETE"_s, .path = u"/GatewayPools/gp"_s }).verdict,
        Admission::Verdict::Refused);
    mirror.remove(u"/gateways/g"_s, 2);
    QVERIFY(world.references.isEmpty() && world.referrers.isEmpty() && world.properties.isEmpty()
        && world.bodies.isEmpty());
    QCOMPARE(admission(rules, world, { .op = u"DELETE"_s, .path = u"/GatewayPools/gp"_s }).verdict,
        Admission::Verdict::Accepted);
}

void TestMirror::unknown()
{
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    Mirror mirror(rules);
    mirror.show(message(net, u"Succeeded"_s), 1);
    mirror.show(message(net, u"Melting"_s), 2);
    QCOMPARE(at(mirror, rules, net), u"Melting"_s); // as the server says, never as it rests
    mirror.show(message(net, u"Melting"_s), 3);
    mirror.show(message(u"/planets/earth"_s, u"Succeeded"_s), 4);
    QCOMPARE(mirror.takeUnknown().join(u'\n'), u"logicalNetworks: Melting\nplanets"_s);
    QVERIFY(mirror.takeUnknown().isEmpty());
    QCOMPARE(mirror.world().tree.size(), 1);
    const Mirror::Moves known = mirror.show(message(net, u"Succeeded"_s), 5);
    QCOMPARE(known.path, net); // told, although the state is the same
    QVERIFY(known.unknown.isEmpty());
    QCOMPARE(at(mirror, rules, net), u"Succeeded"_s);
    const Mirror::Moves strange = mirror.show(message(u"/logicalNetworks/new"_s, u"Odd"_s), 6);
    QCOMPARE(strange.unknown, u"Odd"_s);
    QCOMPARE(at(mirror, rules, u"/logicalNetworks/new"_s), u"Odd"_s);
    mirror.remove(u"/logicalNetworks/new"_s, 7);
    QVERIFY(mirror.world().unknownWords.isEmpty());
}

void TestMirror::etagsAndChanges()
{
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    Mirror mirror(rules);
    ResourceMessage one = message(net, u"Succeeded"_s);
    one.etag = u"W/\"1\""_s;
    mirror.show(one, 1);
    const Resource resource = mirror.world().tree.find(net);
    QCOMPARE(etag(mirror.world(), resource), u"W/\"1\""_s);
    QVERIFY(mirror.show(one, 2).isEmpty());
    one.etag = u"W/\"2\""_s;
    QCOMPARE(text(mirror.show(one, 3), rules), u"/logicalNetworks/ln Succeeded -> Succeeded, 0"_s);
    // Preconditions are judged by what the server told.
    const Request put { .op = u"PUT"_s, .path = net, .ifMatch = u"W/\"2\""_s };
    QCOMPARE(admission(rules, mirror.world(), put).verdict, Admission::Verdict::Accepted);
    const Request late { .op = u"PUT"_s, .path = net, .ifMatch = u"W/\"1\""_s };
    QCOMPARE(admission(rules, mirror.world(), late).http, 412);
}

void TestMirror::underway()
{
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    Mirror mirror(rules);
    mirror.show(message(net, u"Updating"_s,
                    { message(subnet, u"Updating"_s,
                          { message(pool, u"Updating"_s),
                              message(subnet + u"/ipPools/p2"_s, u"Succeeded"_s),
                              message(subnet + u"/ipPools/p3"_s, u"Updating"_s) }),
                        message(net + u"/subnets/sn2"_s, u"Succeeded"_s) }),
        1);
    auto request = QSharedPointer<Request>::create();
    request->op = u"PUT"_s;
    request->path = subnet;
    request->id = u"a"_s;
    mirror.setUnderway({ { 7, request } });
    const World &world = mirror.world();
    const Running *running = world.find(7);
    QVERIFY(running);
    QStringList covered;
    for (const Resource resource : world.tree.resources()) {
        if (covers(running->cover, world.tree.place(resource)))
            covered += world.tree.name(resource);
    }
    QCOMPARE(covered.join(u' '), u"ln sn1 p1 p3"_s);
    QCOMPARE(world.busy.size(), 1);
    const Request sibling { .op = u"PUT"_s, .path = net + u"/subnets/sn2"_s };
    QCOMPARE(admission(rules, world, sibling).other, 7u);

    // Its target goes: it has no place, and what is asked now does not meet it.
    mirror.remove(net, 2);
    QVERIFY(world.running.empty() && world.busy.isEmpty());
    mirror.setUnderway({ { 7, request } });
    QVERIFY(world.running.empty());
}

void TestMirror::caseOfPaths()
{
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    Mirror mirror(rules);
    mirror.show(message(u"/LogicalNetworks/LN"_s, u"Succeeded"_s), 1);
    mirror.show(message(net, u"Updating"_s, { message(subnet, u"Succeeded"_s) }), 2);
    QCOMPARE(mirror.world().tree.size(), 2);
    QVERIFY(mirror.show(message(u"/LOGICALNETWORKS/ln"_s, u"Succeeded"_s), 1).isEmpty()); // older
}

const instar::TestClass<TestMirror> registered;
#include "tst_mirror.moc"
