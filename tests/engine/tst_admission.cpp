// SPDX-License-Identifier: Apache-2.0
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"
#include "tests/support/worldcompare.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// What would become of an operation, asked without doing it.

class TestAdmission : public QObject
{
    Q_OBJECT

private slots:
    void refusals_data();
    void refusals();
    void changesNothing();
    void orderOfChecks();
    void oneRejectRefusesAll();
    void saysWhereItLeads();
    void malformedBelowNothing();
    void singletons();
    void whatIsReplacedMayStay();
};

namespace {

const QString ln = u"/logicalNetworks/ln"_s, sn = ln + u"/subnets/sn"_s,
              other = ln + u"/subnets/other"_s, pool = sn + u"/ipPools/p"_s;

QString tree()
{
    return QStringList { ln, sn, pool, other, u"/credentials/c"_s,
        u"/servers/h -> /credentials/c"_s, u"/GatewayPools/gp Failed"_s,
        u"/gateways/g -> /GatewayPools/gp"_s, u"/gateways/h -> /GatewayPools/none"_s }
        .join(u'\n');
}

} // namespace

void TestAdmission::refusals_data()
{
    // names: in the message
    const Rows<QString, QString, QString, int, QString> row("op", "path", "code", "http", "names");
    row("missing parent", "PUT", "/logicalNetworks/none/subnets/x", "NotFound", 404,
        "/logicalNetworks/none/subnets/x");
    row("missing parent of a missing parent", "PUT", "/logicalNetworks/none/subnets/x/ipPools/y",
        "NotFound", 404, "ipPools/y");
    row("missing resource", "GET", "/logicalNetworks/none", "NotFound", 404,
        "/logicalNetworks/none");
    row("in use", "DELETE", "/credentials/c", "InUseCredentialCannotBeDeleted", 409, "/servers/h");
    row("refers to what has failed", "PUT", "/gateways/g", "ReferencedResourceNotProvisioned", 409,
        "/GatewayPools/gp");
    row("refers to nothing", "PUT", "/gateways/h", "InvalidResourceReference", 400,
        "/GatewayPools/none");
    row("singleton", "DELETE", "/loadBalancerManager/config", "OperationNotSupported", 405,
        "/loadBalancerManager/config");
}

void TestAdmission::refusals()
{
    QFETCH(QString, op);
    QFETCH(QString, path);
    QFETCH(QString, names);
    Staging staging(u"network-controller"_s, tree());
    const Admission admission = staging.simulator.admission({ .op = op, .path = path });
    QCOMPARE(admission.verdict, Admission::Verdict::Refused);
    QTEST(admission.code, "code");
    QTEST(admission.http, "http");
    QVERIFY2(admission.message.contains(names), qPrintable(admission.message));
    QVERIFY2(!admission.rule.isEmpty(), "no rule is named");
    const Operation &operation = staging.ask(op, path);
    QCOMPARE(operation.status, Status::Rejected);
    QCOMPARE(operation.errorCode, admission.code);
    QCOMPARE(operation.errorMessage, admission.message);
    QCOMPARE(operation.httpStatus, admission.http);
    QCOMPARE(operation.rule, admission.rule);
}

void TestAdmission::changesNothing()
{
    Staging staging(u"network-controller"_s, tree());
    staging.ask({ .op = u"PUT"_s, .path = sn, .hang = true });
    const World &world = staging.simulator.world();
    const QByteArray before = worldKey(staging.simulator.rules(), world);
    const QString etags = staging.etag(ln) + staging.etag(sn);
    const quint64 stamp = world.stamp;
    for (const QString &op : { u"PUT"_s, u"DELETE"_s, u"GET"_s }) {
        for (const QString &path : { ln, sn, pool, other, ln + u"/subnets/new"_s,
                 u"/logicalNetworks/new"_s, u"/nothing/like/this/path"_s })
            static_cast<void>(
                staging.simulator.admission({ .op = op, .path = path, .requestId = u"r"_s }));
    }
    QVERIFY(before == worldKey(staging.simulator.rules(), world));
    QCOMPARE(staging.etag(ln) + staging.etag(sn), etags);
    QCOMPARE(world.stamp, stamp);
    QVERIFY(world.answered.isEmpty());
    QCOMPARE(staging.simulator.records().size(), 1);
}

/// Existence, conflict, etag, references: the first that has something to say says it, and nothing
/// is canceled.
void TestAdmission::orderOfChecks()
{
    Staging staging(u"network-controller"_s, tree() + u"\n/servers/broken -> /credentials/none"_s);
    Request request { .op = u"PUT"_s, .path = u"/servers/broken"_s };
    QCOMPARE(staging.simulator.admission(request).code, u"InvalidResourceReference"_s);
    request.ifMatch = u"W/\"0\""_s;
    QCOMPARE(staging.simulator.admission(request).code, u"PreconditionFailed"_s);
    staging.ask({ .op = u"DELETE"_s, .path = u"/servers/broken"_s, .hang = true });
    QCOMPARE(staging.simulator.admission(request).code, u"AnotherOperationInProgress"_s);
    request.path = u"/servers/broken/networkInterfaces/x/y/z"_s;
    QCOMPARE(staging.simulator.admission(request).code, u"NotFound"_s);

    // A PUT that might cancel, but is refused for another reason, cancels nothing.
    staging.ask({ .op = u"PUT"_s, .path = ln, .id = u"running"_s, .hang = true });
    QCOMPARE(staging.ask({ .op = u"PUT"_s, .path = ln, .ifMatch = u"W/\"0\""_s }).errorCode,
        u"PreconditionFailed"_s);
    QCOMPARE(staging
                 .ask({ .op = u"PUT"_s,
                     .path = ln + u"/subnets/new"_s,
                     .references = { u"/credentials/none"_s } })
                 .errorCode,
        u"InvalidResourceReference"_s);
    QCOMPARE(staging.status(u"running"_s), u"InProgress"_s);
}

void TestAdmission::oneRejectRefusesAll()
{
    Staging staging(
        u"network-controller"_s, tree(), { { u"siblingsRunConcurrently"_s, u"true"_s } });
    staging.ask({ .op = u"PUT"_s, .path = sn, .id = u"a"_s, .hang = true });
    staging.ask({ .op = u"DELETE"_s, .path = other, .id = u"b"_s, .hang = true });
    // Would cancel a, but meets b.
    const Admission refused = staging.simulator.admission({ .op = u"DELETE"_s, .path = pool });
    QCOMPARE(refused.verdict, Admission::Verdict::Refused);
    QVERIFY(refused.cancels.empty());
    QCOMPARE(refused.other, staging.operation(u"b"_s).serial);
    QVERIFY(refused.message.contains(u"/networking/v1/operations/b"));
    // Cancels both.
    const Admission accepted = staging.simulator.admission({ .op = u"DELETE"_s, .path = ln });
    QCOMPARE(accepted.verdict, Admission::Verdict::Accepted);
    QCOMPARE(accepted.cancels.size(), size_t(2));
}

void TestAdmission::saysWhereItLeads()
{
    Staging staging(u"network-controller"_s, tree());
    const Rules &rules = staging.simulator.rules();
    const Admission put =
        staging.simulator.admission({ .op = u"PUT"_s, .path = ln + u"/SUBNETS/New"_s });
    QCOMPARE(put.verdict, Admission::Verdict::Accepted);
    QCOMPARE(put.target, NoResource);
    QCOMPARE(put.parent, staging.simulator.world().tree.find(ln));
    QCOMPARE(rules.shown(put.entered), u"Updating"_s);
    QCOMPARE(put.typePath, u"logicalNetworks/subnets"_s);
    QCOMPARE(put.name, u"New"_s);
    const Admission get = staging.simulator.admission({ .op = u"GET"_s, .path = ln });
    QCOMPARE(get.verdict, Admission::Verdict::Observed);
    const Admission nothing =
        staging.simulator.admission({ .op = u"DELETE"_s, .path = u"/logicalNetworks/none"_s });
    QCOMPARE(nothing.verdict, Admission::Verdict::Observed);
}

void TestAdmission::malformedBelowNothing()
{
    Staging staging(u"network-controller"_s, tree());
    const auto rule = [&](const QString &path) {
        return staging.simulator.admission({ .op = u"PUT"_s, .path = path }).rule;
    };
    const QString parentMissing = rule(u"/logicalNetworks/none/subnets/x"_s);
    QCOMPARE(rule(u"/logicalNetworks/none/subnets"_s), parentMissing);
    QCOMPARE(rule(u"/logicalNetworks/none/subnets/"_s), parentMissing);
    QVERIFY(rule(ln + u"/subnets"_s) != parentMissing);
    QVERIFY(rule(u"/logicalNetworks"_s) != parentMissing);
}

void TestAdmission::singletons()
{
    const QString manager = u"/loadBalancerManager/config"_s;
    Staging staging(u"network-controller"_s, manager);
    QCOMPARE(staging.ask(u"DELETE"_s, manager).httpStatus, 405);
    QCOMPARE(staging.ask(u"PUT"_s, manager).status, Status::InProgress);
    QCOMPARE(staging.ask(u"DELETE"_s, manager).httpStatus, 405); // and cancels nothing
    QCOMPARE(staging.status(u"op2"_s), u"InProgress"_s);
    QCOMPARE(staging.ask(u"PUT"_s, manager).status, Status::InProgress);
    QCOMPARE(staging.status(u"op2"_s), u"Canceled"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.at(manager), u"Succeeded"_s);
    QCOMPARE(staging.ask(u"PUT"_s, u"/virtualNetworkManager/configuration"_s).status,
        Status::InProgress);
}

/// A collection that is said anew takes away what it does not hold, in any way there is; where
/// there is none, the first refusal says why.
void TestAdmission::whatIsReplacedMayStay()
{
    const Pack pack = packOf(R"pack({
      "id": "shelves",
      "types": {"shelves": {"machine": "shelf"}, "shelves/books": {"machine": "book"}},
      "machines": {
        "shelf": {
          "rest": "there",
          "states": {"none": {"kind": "initial"}, "there": {}, "filling": {"kind": "transitional"}},
          "transitions": [
            {"from": "*", "on": "fill", "to": "filling"},
            {"from": "filling", "on": ["succeeded", "failed"], "to": "there"}
          ]
        },
        "book": {
          "rest": "there",
          "states": {"none": {"kind": "initial"}, "there": {}},
          "transitions": [
            {"from": "none", "on": "fill", "to": "there"},
            {"from": "there", "on": "burn", "if": {"property": {"name": "rare", "is": true}}, "refuse": "Rare"},
            {"from": "there", "on": "sell", "if": {"property": {"name": "lent", "is": true}}, "refuse": "Lent"},
            {"from": "there", "on": ["burn", "sell"], "to": "none"}
          ]
        }
      },
      "refusals": {
        "Rare": {"http": 409, "message": "It is the only one."},
        "Lent": {"http": 403, "message": "Somebody reads it."}
      }
    })pack");
    const auto verdictOn = [&](const QJsonObject &properties) {
        const Staging staging(rulesOf(pack),
            { { .path = u"/shelves/s"_s },
                { .path = u"/shelves/s/books/b"_s, .properties = properties } });
        return staging.simulator.admission({ .op = u"fill"_s,
            .path = u"/shelves/s"_s,
            .stores = true,
            .replaces = { u"/shelves/s/books"_s } });
    };
    const QJsonObject rare { { u"rare"_s, true } }, lent { { u"lent"_s, true } };
    QCOMPARE(verdictOn({}).verdict, Admission::Verdict::Accepted);
    QCOMPARE(verdictOn(rare).verdict, Admission::Verdict::Accepted); // it can be sold
    QCOMPARE(verdictOn(lent).verdict, Admission::Verdict::Accepted);
    const Admission both = verdictOn({ { u"rare"_s, true }, { u"lent"_s, true } });
    QCOMPARE(both.verdict, Admission::Verdict::Refused);
    QCOMPARE(both.code, u"Rare"_s);
    QCOMPARE(both.http, 409);
}

const instar::TestClass<TestAdmission> registered;
#include "tst_admission.moc"
