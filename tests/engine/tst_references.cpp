// SPDX-License-Identifier: Apache-2.0
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// Codes of refusals by references. TestOracle compares when an operation is refused.

class TestReferences : public QObject
{
    Q_OBJECT

private slots:
    void codes_data();
    void codes();
    void mergedOnesAreNamedOnce();
};

void TestReferences::codes_data()
{
    const Rows<QString, QString> row("path", "code");
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
