// SPDX-License-Identifier: Apache-2.0
// A world made of what documents say: states from words, children, references, and which document
// is the newer one.

#include "model/engine/affectedresources.h"
#include "model/remote/remoteworld.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestRemoteWorld : public QObject
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
    void sinceWhen();
};

namespace {

const Rules &rules()
{
    static const Rules network = rulesOf(packNamed(u"network-controller"_s));
    return network;
}

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

const QDateTime zero = QDateTime::fromMSecsSinceEpoch(1'700'000'000'000, Qt::UTC);

/// The exchange of number n was sent n seconds after the zero and took half a second.
AnswerInterval in(quint64 exchange)
{
    return { exchange, zero.addSecs(qint64(exchange)), 500 };
}

ResourceObservation shown(const ResourceMessage &message, quint64 exchange)
{
    return { message.path, message, in(exchange) };
}

ResourceObservation absent(const QString &path, quint64 exchange)
{
    return { path, {}, in(exchange) };
}

QString text(const RemoteWorld::Changes &moves)
{
    if (moves.isEmpty())
        return u"nothing"_s;
    return u"%1 %2 -> %3, %4"_s
        .arg(moves.path, rules().state(moves.from).id, rules().state(moves.to).id)
        .arg(moves.moved);
}

QString at(const RemoteWorld &remoteWorld, const QString &path)
{
    const Resource resource = remoteWorld.world().tree.find(path);
    if (remoteWorld.world().unknownWords.contains(resource))
        return shownWord(rules(), remoteWorld.world(), resource);
    return resource == NoResource
        ? u"absent"_s
        : rules().state(rules().stateOf(remoteWorld.world().tree.code(resource))).id;
}

} // namespace

void TestRemoteWorld::words()
{
    const int machine = rules().machineForType(u"logicalNetworks"_s);
    const auto named = [&](const QString &word) {
        const Rules::StateId state = stateShown(rules(), machine, word);
        return state == Rules::None ? u"none"_s : rules().state(state).id;
    };
    QCOMPARE(named(u"Succeeded"_s), u"Succeeded"_s);
    QCOMPARE(named(u"updating"_s), u"Updating"_s); // two states show it: the one of that name
    QCOMPARE(named(u"Deleting"_s), u"Deleting"_s);
    QCOMPARE(named(u"absent"_s), u"none"_s); // what is not there is shown by no document
    QCOMPARE(named(u"Melting"_s), u"none"_s);
}

void TestRemoteWorld::documents()
{
    RemoteWorld remoteWorld(rules());
    QCOMPARE(text(remoteWorld.observe(
                 shown(message(net, u"Succeeded"_s,
                           { message(subnet, u"Updating"_s, { message(pool, u"Failed"_s) }) }),
                     1))),
        u"/logicalNetworks/ln absent -> Succeeded, 3"_s);
    QCOMPARE(shownTree(rules(), remoteWorld.world()),
        u"/logicalNetworks/ln Succeeded\n/logicalNetworks/ln/subnets/sn1 Updating\n/logicalNetworks/ln/subnets/sn1/ipPools/p1 Failed\n"_s);
    QCOMPARE(remoteWorld.transitionalTops(), QStringList { net });
    QCOMPARE(text(remoteWorld.observe(
                 shown(message(subnet, u"Succeeded"_s, { message(pool, u"Failed"_s) }), 2))),
        u"/logicalNetworks/ln/subnets/sn1 Updating -> Succeeded, 1"_s);
    QCOMPARE(text(remoteWorld.observe(
                 shown(message(subnet, u"Succeeded"_s, { message(pool, u"Failed"_s) }), 3))),
        u"nothing"_s);
    QCOMPARE(at(remoteWorld, pool), u"Failed"_s);
    QVERIFY(remoteWorld.transitionalTops().isEmpty());
    // Without a word it rests.
    remoteWorld.observe(shown(message(u"/GatewayPools/gp"_s, {}), 4));
    QCOMPARE(at(remoteWorld, u"/GatewayPools/gp"_s), u"Succeeded"_s);
    // A child of nobody waits until its parent is told.
    QCOMPARE(text(remoteWorld.observe(
                 shown(message(u"/logicalNetworks/other/subnets/s"_s, u"Succeeded"_s), 5))),
        u"nothing"_s);
}

void TestRemoteWorld::childrenThatGo()
{
    RemoteWorld remoteWorld(rules());
    remoteWorld.observe(
        shown(message(net, u"Succeeded"_s,
                  { message(subnet, u"Succeeded"_s, { message(pool, u"Succeeded"_s) }),
                      message(net + u"/subnets/sn2"_s, u"Succeeded"_s) }),
            1));
    QCOMPARE(text(remoteWorld.observe(shown(
                 message(net, u"Succeeded"_s, { message(net + u"/subnets/sn2"_s, u"Succeeded"_s) }),
                 2))),
        u"/logicalNetworks/ln/subnets/sn1 Succeeded -> absent, 2"_s);
    QCOMPARE(remoteWorld.world().tree.size(), 2);
    // A document that has shown subnets before and has no list of them now has none.
    remoteWorld.observe(shown(message(net, u"Succeeded"_s), 3));
    QCOMPARE(remoteWorld.world().tree.size(), 1);
    QCOMPARE(
        text(remoteWorld.observe(absent(net, 4))), u"/logicalNetworks/ln Succeeded -> absent, 1"_s);
    QCOMPARE(remoteWorld.world().tree.size(), 0);
}

/// A server that does not put children into their parents' documents says nothing about them there.
void TestRemoteWorld::childrenThatAreNotTold()
{
    RemoteWorld remoteWorld(rules());
    remoteWorld.observe(shown(message(net, u"Succeeded"_s), 1));
    remoteWorld.observe(shown(message(subnet, u"Updating"_s), 2));
    remoteWorld.observe(shown(message(net, u"Succeeded"_s), 3));
    QCOMPARE(at(remoteWorld, subnet), u"Updating"_s);
    QCOMPARE(text(remoteWorld.observe(absent(subnet, 4))),
        u"/logicalNetworks/ln/subnets/sn1 Updating -> absent, 1"_s);
}

void TestRemoteWorld::olderDocuments()
{
    RemoteWorld remoteWorld(rules());
    remoteWorld.observe(shown(message(net, u"Succeeded"_s), 5));
    QCOMPARE(text(remoteWorld.observe(shown(message(net, u"Updating"_s), 4))), u"nothing"_s);
    QCOMPARE(at(remoteWorld, net), u"Succeeded"_s);
    remoteWorld.observe(absent(net, 6));
    const RemoteWorld::Changes late = remoteWorld.observe(shown(message(net, u"Deleting"_s), 5));
    QVERIFY(late.isEmpty()); // was sent before it went
    QCOMPARE(at(remoteWorld, net), u"absent"_s);
    QVERIFY(remoteWorld.observe(absent(net, 5)).isEmpty());
    remoteWorld.observe(shown(message(net, u"Updating"_s), 7));
    QCOMPARE(at(remoteWorld, net), u"Updating"_s);
    QVERIFY(remoteWorld.observe(absent(net, 6)).isEmpty());
    QCOMPARE(at(remoteWorld, net), u"Updating"_s);
}

void TestRemoteWorld::collections()
{
    RemoteWorld remoteWorld(rules());
    remoteWorld.observe(shown(message(net, u"Succeeded"_s), 1));
    remoteWorld.observe(shown(message(u"/logicalNetworks/b"_s, u"Succeeded"_s), 3));
    remoteWorld.observe(shown(message(u"/GatewayPools/gp"_s, u"Succeeded"_s), 1));
    const auto all = [](const QString &collection, quint64 exchange,
                         const QStringList &names = {}) {
        CollectionObservation observation {
            .path = collection, .resources = {}, .when = in(exchange)
        };
        for (const QString &name : names)
            observation.resources += message(collection + u'/' + name, u"Succeeded"_s);
        return observation;
    };
    // Its question was asked before b was seen.
    QCOMPARE(text(remoteWorld.observe(all(u"/logicalNetworks"_s, 2)).last()),
        u"/logicalNetworks/ln Succeeded -> absent, 1"_s);
    QCOMPARE(at(remoteWorld, u"/logicalNetworks/b"_s), u"Succeeded"_s);
    QCOMPARE(at(remoteWorld, u"/GatewayPools/gp"_s), u"Succeeded"_s);
    QVERIFY(remoteWorld.observe(all(u"/nobody"_s, 9)).isEmpty());
    const QList<RemoteWorld::Changes> moves =
        remoteWorld.observe(all(u"/LogicalNetworks"_s, 9, { u"B"_s, u"new"_s }));
    QCOMPARE(moves.size(), 3); // each resource's, and of those that are not there any more
    QVERIFY(moves.first().isEmpty() && moves.last().isEmpty());
    QCOMPARE(text(moves[1]), u"/LogicalNetworks/new absent -> Succeeded, 1"_s);
}

void TestRemoteWorld::references()
{
    RemoteWorld remoteWorld(rules());
    ResourceMessage gateway = message(u"/gateways/g"_s, u"Succeeded"_s);
    gateway.references = QStringList { u"/GatewayPools/gp"_s };
    gateway.properties = { { u"x"_s, 1 } };
    gateway.body = "{}";
    remoteWorld.observe(shown(gateway, 1));
    remoteWorld.observe(shown(message(u"/GatewayPools/gp"_s, u"Succeeded"_s), 1));
    const World &world = remoteWorld.world();
    const Resource resource = world.tree.find(u"/gateways/g"_s);
    QCOMPARE(world.references.value(resource), gateway.references);
    QCOMPARE(world.properties.value(resource), gateway.properties);
    QCOMPARE(world.bodies.value(resource), gateway.body);
    QCOMPARE(world.referrers.size(), 1);
    QCOMPARE(
        admission(rules(), world, { .op = u"DELETE"_s, .path = u"/GatewayPools/gp"_s }).verdict,
        Admission::Verdict::Refused);
    remoteWorld.observe(absent(u"/gateways/g"_s, 2));
    QVERIFY(world.references.isEmpty() && world.referrers.isEmpty() && world.properties.isEmpty()
        && world.bodies.isEmpty());
    QCOMPARE(
        admission(rules(), world, { .op = u"DELETE"_s, .path = u"/GatewayPools/gp"_s }).verdict,
        Admission::Verdict::Accepted);
}

void TestRemoteWorld::unknown()
{
    RemoteWorld remoteWorld(rules());
    remoteWorld.observe(shown(message(net, u"Succeeded"_s), 1));
    remoteWorld.observe(shown(message(net, u"Melting"_s), 2));
    QCOMPARE(at(remoteWorld, net), u"Melting"_s); // as the server says, never as it rests
    remoteWorld.observe(shown(message(net, u"Melting"_s), 3));
    remoteWorld.observe(shown(message(u"/planets/earth"_s, u"Succeeded"_s), 4));
    QCOMPARE(remoteWorld.takeUnknown().join(u'\n'), u"logicalNetworks: Melting\nplanets"_s);
    QVERIFY(remoteWorld.takeUnknown().isEmpty());
    QCOMPARE(remoteWorld.world().tree.size(), 1);
    const RemoteWorld::Changes known = remoteWorld.observe(shown(message(net, u"Succeeded"_s), 5));
    QCOMPARE(known.path, net); // told, although the state is the same
    QVERIFY(known.unknown.isEmpty());
    QCOMPARE(at(remoteWorld, net), u"Succeeded"_s);
    const RemoteWorld::Changes strange =
        remoteWorld.observe(shown(message(u"/logicalNetworks/new"_s, u"Odd"_s), 6));
    QCOMPARE(strange.unknown, u"Odd"_s);
    QCOMPARE(at(remoteWorld, u"/logicalNetworks/new"_s), u"Odd"_s);
    remoteWorld.observe(absent(u"/logicalNetworks/new"_s, 7));
    QVERIFY(remoteWorld.world().unknownWords.isEmpty());
}

void TestRemoteWorld::etagsAndChanges()
{
    RemoteWorld remoteWorld(rules());
    ResourceMessage one = message(net, u"Succeeded"_s);
    one.etag = u"W/\"1\""_s;
    remoteWorld.observe(shown(one, 1));
    const Resource resource = remoteWorld.world().tree.find(net);
    QCOMPARE(etag(remoteWorld.world(), resource), u"W/\"1\""_s);
    QVERIFY(remoteWorld.observe(shown(one, 2)).isEmpty());
    one.etag = u"W/\"2\""_s;
    QCOMPARE(text(remoteWorld.observe(shown(one, 3))),
        u"/logicalNetworks/ln Succeeded -> Succeeded, 0"_s);
    // Preconditions are judged by what the server told.
    const Request put { .op = u"PUT"_s, .path = net, .ifMatch = u"W/\"2\""_s };
    QCOMPARE(admission(rules(), remoteWorld.world(), put).verdict, Admission::Verdict::Accepted);
    const Request late { .op = u"PUT"_s, .path = net, .ifMatch = u"W/\"1\""_s };
    QCOMPARE(admission(rules(), remoteWorld.world(), late).http, 412);
}

void TestRemoteWorld::underway()
{
    RemoteWorld remoteWorld(rules());
    remoteWorld.observe(shown(message(net, u"Updating"_s,
                                  { message(subnet, u"Updating"_s,
                                        { message(pool, u"Updating"_s),
                                            message(subnet + u"/ipPools/p2"_s, u"Succeeded"_s),
                                            message(subnet + u"/ipPools/p3"_s, u"Updating"_s) }),
                                      message(net + u"/subnets/sn2"_s, u"Succeeded"_s) }),
        1));
    auto request = QSharedPointer<Request>::create();
    request->op = u"PUT"_s;
    request->path = subnet;
    request->id = u"a"_s;
    remoteWorld.setUnderway({ { 7, request } });
    const World &world = remoteWorld.world();
    const Running *running = world.find(7);
    QVERIFY(running);
    QStringList covered;
    for (const Resource resource : world.tree.resources()) {
        if (contains(running->affected, world.tree.place(resource)))
            covered += world.tree.name(resource);
    }
    QCOMPARE(covered.join(u' '), u"ln sn1 p1 p3"_s);
    QCOMPARE(world.busy.size(), 1);
    const Request sibling { .op = u"PUT"_s, .path = net + u"/subnets/sn2"_s };
    QCOMPARE(admission(rules(), world, sibling).other, 7u);

    // Its target goes: it has no place, and what is asked now does not meet it.
    remoteWorld.observe(absent(net, 2));
    QVERIFY(world.running.empty() && world.busy.isEmpty());
    remoteWorld.setUnderway({ { 7, request } });
    QVERIFY(world.running.empty());
}

void TestRemoteWorld::caseOfPaths()
{
    RemoteWorld remoteWorld(rules());
    remoteWorld.observe(shown(message(u"/LogicalNetworks/LN"_s, u"Succeeded"_s), 1));
    remoteWorld.observe(shown(message(net, u"Updating"_s, { message(subnet, u"Succeeded"_s) }), 2));
    QCOMPARE(remoteWorld.world().tree.size(), 2);
    QVERIFY(remoteWorld.observe(shown(message(u"/LOGICALNETWORKS/ln"_s, u"Succeeded"_s), 1))
                .isEmpty());  // older
    remoteWorld.forgetAges(); // of a connection that numbers anew
    QVERIFY(
        !remoteWorld.observe(shown(message(net, u"Failed"_s, { message(subnet, u"Failed"_s) }), 1))
             .isEmpty());
}

/// A change is as old as the last look that did not show it yet, whoever looked at what is above.
void TestRemoteWorld::sinceWhen()
{
    RemoteWorld remoteWorld(rules());
    const auto since = [&remoteWorld] {
        const QDateTime moment = remoteWorld.takeSince();
        return moment.isValid() ? zero.secsTo(moment) : -1;
    };
    const auto saw = [&](const auto &observation) {
        remoteWorld.observe(observation);
        return since();
    };
    const auto tree = [](const QString &state, const QString &below) {
        return message(net, state, { message(subnet, below) });
    };
    QCOMPARE(saw(shown(tree(u"Succeeded"_s, u"Succeeded"_s), 1)), -1);
    QCOMPARE(saw(shown(tree(u"Updating"_s, u"Succeeded"_s), 3)), 1);
    remoteWorld.observe(shown(tree(u"Updating"_s, u"Succeeded"_s), 5));
    remoteWorld.observe(shown(tree(u"Updating"_s, u"Succeeded"_s), 4)); // came later
    QCOMPARE(saw(shown(tree(u"Updating"_s, u"Updating"_s), 7)), 5);
    // Who looks at the one below has not looked at the one above.
    QCOMPARE(saw(shown(message(subnet, u"Updating"_s), 8)), -1);       // nothing changed
    QCOMPARE(saw(shown(tree(u"Succeeded"_s, u"Succeeded"_s), 10)), 7); // the earlier
    QCOMPARE(saw(shown(message(subnet, u"Updating"_s), 11)), 10);
    remoteWorld.observe(shown(tree(u"Succeeded"_s, u"Updating"_s), 12));
    QCOMPARE(saw(shown(message(subnet, u"Succeeded"_s), 13)), 12);
    // What is new was not there when what holds it was looked at last.
    const QString other = net + u"/subnets/sn2"_s;
    const auto both = message(
        net, u"Succeeded"_s, { message(subnet, u"Succeeded"_s), message(other, u"Succeeded"_s) });
    QCOMPARE(saw(shown(both, 15)), 12);
    QCOMPARE(saw(shown(tree(u"Succeeded"_s, u"Succeeded"_s), 16)), 15); // sn2 went
    QCOMPARE(saw(absent(net, 18)), 16);
    QCOMPARE(saw(shown(message(net, u"Succeeded"_s), 19)), 18);
    QCOMPARE(saw(shown(tree(u"Succeeded"_s, u"Succeeded"_s), 20)), -1); // nobody told of subnets

    // All that is in a collection was looked at with it.
    const QString rack = u"/GatewayPools"_s;
    const auto pools = [&](const QString &state, quint64 exchange) {
        return CollectionObservation { .path = rack,
            .resources = { message(rack + u"/a"_s, u"Succeeded"_s),
                message(rack + u"/b"_s, state) },
            .when = in(exchange) };
    };
    remoteWorld.observe(pools(u"Succeeded"_s, 20));
    remoteWorld.observe(pools(u"Succeeded"_s, 22));
    since();
    QCOMPARE(saw(pools(u"Updating"_s, 24)), 22);
    const CollectionObservation none { .path = rack, .resources = {}, .when = in(26) };
    QCOMPARE(text(remoteWorld.observe(none).last()), u"/GatewayPools/a Succeeded -> absent, 2"_s);
    QCOMPARE(since(), 24);
    QCOMPARE(saw(pools(u"Succeeded"_s, 28)), 26);

    // What is above and below may have been looked at apart.
    const QString balancer = u"/loadBalancers/l"_s, probe = balancer + u"/probes/p"_s;
    remoteWorld.observe(shown(message(balancer, u"Succeeded"_s), 29));
    remoteWorld.observe(shown(message(probe, u"Failed"_s), 30));
    remoteWorld.observe(shown(message(balancer, u"Updating"_s), 31));
    since();
    QCOMPARE(text(remoteWorld.observe(absent(balancer, 32))),
        u"/loadBalancers/l Updating -> absent, 2"_s);
    QCOMPARE(since(), 30);
    // Of several moments in one go the earliest counts, and that nobody knows above all.
    remoteWorld.observe(shown(tree(u"Succeeded"_s, u"Succeeded"_s), 33));
    since();
    remoteWorld.observe(shown(message(u"/logicalNetworks/unheardOf"_s, u"Succeeded"_s), 33));
    QCOMPARE(saw(pools(u"Failed"_s, 34)), -1);
    remoteWorld.observe(shown(tree(u"Updating"_s, u"Succeeded"_s), 35));
    QCOMPARE(saw(pools(u"Succeeded"_s, 36)), 33);
}

const instar::TestClass<TestRemoteWorld> registered;
#include "tst_remoteworld.moc"
