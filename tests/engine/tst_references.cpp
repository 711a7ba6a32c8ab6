// SPDX-License-Identifier: Apache-2.0
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// Dependencies: what a reference forbids, and what it does not.

class TestReferences : public QObject
{
    Q_OBJECT

private slots:
    void putOfReferrer_data();
    void putOfReferrer();
    void deleteOfReferred();
    void deleteAboveReferred();
    void withinOneTree();
    void codes_data();
    void codes();
    void caseOfPaths();
    void referrersGo();
    void numbersAreNotTakenForOthers();
    void mergedOnesAreNamedOnce();
};

namespace {

const QString pool = u"/GatewayPools/gp"_s, gateway = u"/gateways/g"_s;

/// A gateway that refers to a pool, and the pool as an operation leaves it.
struct Referring : Staging
{
    explicit Referring(const QString &state) : Staging(u"network-controller"_s, text(state))
    {
        if (state == u"Updating")
            ask({ .op = u"PUT"_s, .path = pool, .hang = true });
    }
    static QString text(const QString &state)
    {
        const bool loaded = state == u"Succeeded" || state == u"Failed";
        const QString first = loaded ? pool + u' ' + state : state == u"absent" ? QString() : pool;
        return first + u"\n/gateways/g -> /GatewayPools/gp"_s;
    }
};

} // namespace

void TestReferences::putOfReferrer_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("http");
    QTest::newRow("Succeeded") << u"Succeeded"_s << QString() << 0;
    QTest::newRow("Failed") << u"Failed"_s << u"ReferencedResourceNotProvisioned"_s << 409;
    QTest::newRow("Updating") << u"Updating"_s << u"ReferencedResourceNotProvisioned"_s << 409;
    QTest::newRow("absent") << u"absent"_s << u"InvalidResourceReference"_s << 400;
}

void TestReferences::putOfReferrer()
{
    QFETCH(QString, state);
    QFETCH(QString, code);
    Referring staging(state);
    const QString etag = staging.etag(gateway);
    const Operation &put = staging.ask(u"PUT"_s, gateway);
    QCOMPARE(put.errorCode, code);
    QTEST(put.httpStatus, "http");
    QCOMPARE(put.status, code.isEmpty() ? Status::InProgress : Status::Rejected);
    QCOMPARE(staging.at(gateway), code.isEmpty() ? u"Updating"_s : u"Succeeded"_s);
    QCOMPARE(staging.etag(gateway) == etag, !code.isEmpty());
    if (!code.isEmpty()) {
        QVERIFY2(
            put.errorMessage.contains(pool), qPrintable(put.errorMessage)); // the details name it
        QVERIFY2(put.rule.contains(u"4.6"), qPrintable(put.rule));
    }
}

void TestReferences::deleteOfReferred()
{
    Referring staging(u"Succeeded"_s);
    const Operation &refused = staging.ask(u"DELETE"_s, pool);
    QCOMPARE(refused.errorCode, u"ResourceInUse"_s);
    QCOMPARE(refused.httpStatus, 409);
    QVERIFY2(refused.errorMessage.contains(gateway), qPrintable(refused.errorMessage));
    // While the referrer is being deleted it still refers.
    staging.ask(u"DELETE"_s, gateway);
    QCOMPARE(staging.ask(u"DELETE"_s, pool).errorCode, u"ResourceInUse"_s);
    staging.simulator.advance(1000);
    QCOMPARE(staging.ask(u"DELETE"_s, pool).status, Status::InProgress);
}

/// A reference from outside to anything in the subtree is enough; one from inside is not.
void TestReferences::deleteAboveReferred()
{
    const QString resources =
        u"/logicalNetworks/ln/subnets/sn/ipPools/p\n/logicalNetworks/ln/subnets/free\n"
        "/loadBalancerManager/config -> /logicalNetworks/ln/subnets/sn/ipPools/p"_s;
    Staging staging(u"network-controller"_s, resources);
    QCOMPARE(staging.ask(u"DELETE"_s, u"/logicalNetworks/ln"_s).errorCode, u"ResourceInUse"_s);
    QCOMPARE(staging.ask(u"DELETE"_s, u"/logicalNetworks/ln/subnets/sn"_s).errorCode,
        u"InUseSubnetCannotBeDeleted"_s);
    QCOMPARE(staging.ask(u"DELETE"_s, u"/logicalNetworks/ln/subnets/sn/ipPools/p"_s).errorCode,
        u"InUseIpPoolCannotBeDeleted"_s);
    QCOMPARE(
        staging.ask(u"DELETE"_s, u"/logicalNetworks/ln/subnets/free"_s).status, Status::InProgress);
}

void TestReferences::withinOneTree()
{
    const QString balancer = u"/loadBalancers/lb"_s, probe = balancer + u"/probes/p"_s,
                  rule = balancer + u"/loadBalancingRules/r"_s;
    Staging staging(u"network-controller"_s, u"%1\n%2\n%3 -> %2"_s.arg(balancer, probe, rule));
    QCOMPARE(staging.ask(u"DELETE"_s, probe).errorCode, u"InUseProbeCannotBeDeleted"_s);
    QCOMPARE(staging.ask(u"DELETE"_s, balancer).status, Status::InProgress);
    staging.simulator.advance(1000);
    QCOMPARE(staging.tree(), QString());

    // A PUT that would be allowed to cancel is still asked about its references, on the world as it
    // is.
    Staging busy(u"network-controller"_s, u"%1\n%2\n%3 -> %2"_s.arg(balancer, probe, rule));
    busy.ask(u"PUT"_s, balancer);
    QCOMPARE(busy.ask(u"PUT"_s, rule).errorCode, u"ReferencedResourceNotProvisioned"_s);
    QCOMPARE(busy.status(u"op1"_s), u"InProgress"_s);
}

void TestReferences::codes_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("code");
    const auto row = [](const QString &path, const QString &code) {
        QTest::newRow(qPrintable(path)) << path << code;
    };
    row(u"/logicalNetworks/a/subnets/b"_s, u"InUseSubnetCannotBeDeleted"_s);
    row(u"/virtualNetworks/a/subnets/b"_s, u"InUseSubnetCannotBeDeleted"_s);
    row(u"/logicalNetworks/a/subnets/b/ipPools/c"_s, u"InUseIpPoolCannotBeDeleted"_s);
    row(u"/accessControlLists/a"_s, u"InUseAccessControlListCannotBeDeleted"_s);
    row(u"/routeTables/a"_s, u"InUseRouteTableCannotBeDeleted"_s);
    row(u"/loadBalancers/a/probes/b"_s, u"InUseProbeCannotBeDeleted"_s);
    row(u"/loadBalancers/a/frontendIPConfigurations/b"_s,
        u"InUseFrontendIpConfigurationCannotBeDeleted"_s);
    row(u"/loadBalancers/a/backendAddressPools/b"_s, u"InUseBackendAddressPoolCannotBeDeleted"_s);
    row(u"/servers/a"_s, u"InUseServerCannotBeDeleted"_s);
    row(u"/virtualServers/a"_s, u"InUseVirtualServerCannotBeDeleted"_s);
    row(u"/credentials/a"_s, u"InUseCredentialCannotBeDeleted"_s);
    row(u"/securityTags/a"_s, u"InUseSecurityTagCannotBeDeleted"_s);
    row(u"/serviceInsertions/a"_s, u"InUseServiceInsertionCannotBeDeleted"_s);
    row(u"/GatewayPools/a"_s, u"ResourceInUse"_s);
    row(u"/macPools/a"_s, u"ResourceInUse"_s);
}

void TestReferences::codes()
{
    QFETCH(QString, path);
    Staging staging(u"network-controller"_s, path + u"\n/gateways/g -> "_s + path);
    const Operation &refused = staging.ask(u"DELETE"_s, path);
    QTEST(refused.errorCode, "code");
    QCOMPARE(refused.httpStatus, 409);
}

void TestReferences::caseOfPaths()
{
    Staging staging(
        u"network-controller"_s, u"/GatewayPools/GP\n/gateways/g -> /gatewaypools/gp"_s);
    QCOMPARE(staging.ask(u"DELETE"_s, u"/GATEWAYPOOLS/Gp"_s).errorCode, u"ResourceInUse"_s);
    QCOMPARE(staging.ask(u"PUT"_s, u"/Gateways/G"_s).status, Status::InProgress);
}

/// Once the referrers are gone nothing is left of their references, even if resources of the same
/// name come back.
void TestReferences::referrersGo()
{
    Staging staging(u"network-controller"_s,
        u"/credentials/c\n/servers/h/networkInterfaces/n -> /credentials/c\n/servers/h2 -> /credentials/c"_s);
    staging.ask(u"DELETE"_s, u"/servers/h"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.ask(u"DELETE"_s, u"/credentials/c"_s).errorCode,
        u"InUseCredentialCannotBeDeleted"_s);
    staging.ask(u"DELETE"_s, u"/servers/h2"_s);
    staging.simulator.runUntilQuiet();
    for (const QString &path :
        { u"/servers/h"_s, u"/servers/h/networkInterfaces/n"_s, u"/servers/h2"_s }) {
        QCOMPARE(staging.ask(u"PUT"_s, path).status, Status::InProgress);
        staging.simulator.runUntilQuiet();
    }
    QVERIFY(staging.simulator.world().references.isEmpty());
    QCOMPARE(staging.ask(u"DELETE"_s, u"/credentials/c"_s).status, Status::InProgress);
}

/// A resource's number may be given to another: what referred is not taken for it.
void TestReferences::numbersAreNotTakenForOthers()
{
    Staging staging(
        u"network-controller"_s, u"/credentials/c\n/servers/h -> /credentials/c\n/servers/x"_s);
    staging.ask(u"DELETE"_s, u"/servers/h"_s);
    staging.simulator.runUntilQuiet();
    staging.ask(u"PUT"_s, u"/servers/y"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.ask(u"DELETE"_s, u"/credentials/c"_s).status, Status::InProgress);
    staging.simulator.runUntilQuiet();
    QCOMPARE(
        staging.ask(u"PUT"_s, u"/servers/y"_s).status, Status::InProgress); // refers to nothing
}

/// What merges says again what is referred to, and something new.
void TestReferences::mergedOnesAreNamedOnce()
{
    const Pack pack = packOf(R"({
      "id": "boxes",
      "types": {"boxes": {"machine": "box"}},
      "operations": {"set": {"merge": true}},
      "machines": {"box": {
        "rest": "there",
        "states": {"none": {"kind": "initial"}, "there": {}, "setting": {"kind": "transitional"}},
        "transitions": [
          {"from": ["none", "there"], "on": "set", "to": "setting"},
          {"from": "setting", "on": ["succeeded", "failed"], "to": "there"}
        ]
      }}
    })");
    const QString a = u"/boxes/a"_s, b = u"/boxes/b"_s, c = u"/boxes/c"_s;
    Staging staging(rulesOf(pack), resourcesFrom(u"/boxes/a -> /boxes/b, /boxes/b, /boxes/c"_s));
    staging.ask({ .op = u"set"_s, .path = a, .references = { b, c } });
    QVERIFY(staging.simulator.runUntilQuiet());
    const World &world = staging.simulator.world();
    QCOMPARE(world.references.value(world.tree.find(a)), QStringList({ b, c }));
}

const instar::TestClass<TestReferences> registered;
#include "tst_references.moc"
