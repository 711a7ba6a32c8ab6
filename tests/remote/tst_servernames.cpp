// SPDX-License-Identifier: Apache-2.0
// A client of a server that makes up names: bodies that say what is asked of resources below, with
// times in words, and names that are learned from the answer.

#include "tests/remote/driver.h"
#include "tests/remote/scriptedserver.h"
#include "tests/support/packtext.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestServerNames : public QObject
{
    Q_OBJECT

private slots:
    void learnsFromTheDocument();
    void saysTimesOfItsOwnClock();
    void changesOnlyWhatIsAsked();
    void saysAgainForACondition();
    void learnsFromLocation_data();
    void learnsFromLocation();
    void nothingWasMade();
    void refusedInWords_data();
    void refusedInWords();
    void noPlace_data();
    void noPlace();
};

/// A lease server of this process, and a client whose answers come when the work is done.
struct Leases
{
    explicit Leases(const QString &resources = u"/leases/other"_s)
        : reference(packNamed(u"blazar"_s), resourcesFrom(resources), patient()),
          driver(unhurried(QUrl(reference.origin())), rulesOf(packNamed(u"blazar"_s)))
    {
        if (!driver.opened())
            qFatal("no connection");
    }
    /// Sends it, and lets the server's time pass.
    Operation ask(Request request, qint64 ms = 2000)
    {
        request.id = request.id.isEmpty() ? u"op"_s : request.id;
        Simulator &there = reference.simulator();
        const qsizetype before = there.operations().all().size();
        const quint32 serial = driver.controller.submit(request);
        const Operation &operation = *driver.controller.operations().find(serial);
        if (!waited([&] { return there.operations().all().size() > before || operation.isOver(); }))
            qFatal("nothing was asked");
        there.advance(ms);
        if (!driver.quiet() || !driver.looked())
            qFatal("no answer");
        return *driver.controller.operations().find(serial);
    }
    QJsonObject lastBody(const QString &method) const
    {
        for (auto it = driver.exchanges.cend(); it != driver.exchanges.cbegin();) {
            --it;
            if (it->method == method)
                return QJsonDocument::fromJson(it->requestBody).object();
        }
        return {};
    }
    QJsonValue time(const World &world, const QString &lease, const QString &event) const
    {
        return world.properties.value(world.tree.find(lease + u"/events/"_s + event))
            .value(u"time"_s);
    }

    Reference reference;
    Driver driver;
};

Request newLease()
{
    const QString lease = u"/leases/{a}"_s, hosts = lease + u"/reservations/hosts"_s;
    Request request { .op = u"create_lease"_s, .path = lease, .id = u"a"_s };
    request.references = { hosts };
    request.requests.insert(
        hosts, { QJsonObject { { u"resource_type"_s, u"physical:host"_s } }, {}, {} });
    request.requests.insert(
        lease + u"/events/start_lease"_s, { QJsonObject { { u"time"_s, 3'600'001 } }, {}, {} });
    request.requests.insert(
        lease + u"/events/end_lease"_s, { QJsonObject { { u"time"_s, 7'200'000 } }, {}, {} });
    return request;
}

void TestServerNames::learnsFromTheDocument()
{
    Leases leases;
    const Operation made = leases.ask(newLease());
    QCOMPARE(statusName(made.status), u"Succeeded"_s);
    QVERIFY2(
        made.path.startsWith(u"/leases/"_s) && !made.path.contains(u'{'), qPrintable(made.path));
    QCOMPARE(leases.driver.at(made.path), u"PENDING"_s);
    QCOMPARE(leases.driver.at(made.path + u"/reservations/hosts"_s), u"pending"_s);
    QCOMPARE(leases.driver.at(made.path + u"/events/end_lease"_s), u"UNDONE"_s);
    QCOMPARE(leases.driver.shown(),
        sorted(
            shownTree(leases.reference.simulator().rules(), leases.reference.simulator().world())));
    const QJsonObject body = leases.lastBody(u"POST"_s);
    QCOMPARE(body["name"_L1].toString(), u"a"_s); // what is to be called is called like its step
    QCOMPARE(body["reservations"_L1][0]["resource_type"_L1].toString(), u"physical:host"_s);

    Request removal { .op = u"delete_lease"_s, .path = made.path, .id = u"b"_s };
    QCOMPARE(statusName(leases.ask(removal).status), u"Succeeded"_s);
    QCOMPARE(leases.driver.at(made.path), u"absent"_s);
    for (const Exchange &exchange : std::as_const(leases.driver.exchanges))
        QVERIFY2(!exchange.url.contains(u"%7B"_s), qPrintable(exchange.url));
}

/// To the millisecond, there and back, though both count from moments of their own.
void TestServerNames::saysTimesOfItsOwnClock()
{
    Leases leases;
    const qint64 zero = QDateTime(QDate(2040, 1, 1), QTime(10, 0), Qt::UTC).toMSecsSinceEpoch();
    leases.driver.controller.setEpoch(zero);
    const QString lease = leases.ask(newLease()).path;
    const QJsonObject body = leases.lastBody(u"POST"_s);
    QCOMPARE(body["start_date"_L1].toString(), u"2040-01-01 11:00:00.001"_s);
    QCOMPARE(body["end_date"_L1].toString(), u"2040-01-01 12:00"_s); // no longer than it need be
    const World &here = leases.driver.controller.world();
    QCOMPARE(leases.time(here, lease, u"start_lease"_s), QJsonValue(3'600'001));
    QCOMPARE(leases.time(here, lease, u"end_lease"_s), QJsonValue(7'200'000));
    const World &there = leases.reference.simulator().world();
    QCOMPARE(leases.time(there, lease, u"end_lease"_s).toInteger()
            - leases.time(there, lease, u"start_lease"_s).toInteger(),
        3'599'999);
    leases.driver.controller.setEpoch(zero + 1000);
    QVERIFY(leases.driver.looked());
    QCOMPARE(leases.time(leases.driver.controller.world(), lease, u"end_lease"_s),
        QJsonValue(7'199'000));
}

/// What merges leaves alone what is not asked for.
void TestServerNames::changesOnlyWhatIsAsked()
{
    Leases leases;
    const QString lease = leases.ask(newLease()).path;
    Request rename { .op = u"update_lease"_s, .path = lease, .id = u"b"_s };
    rename.properties.insert(u"name"_s, u"night"_s);
    QCOMPARE(statusName(leases.ask(rename).status), u"Succeeded"_s);
    QCOMPARE(leases.lastBody(u"PUT"_s), QJsonObject({ { u"name"_s, u"night"_s } }));
    const World &here = leases.driver.controller.world();
    QCOMPARE(here.properties.value(here.tree.find(lease)).value(u"name"_s).toString(), u"night"_s);
}

/// Where dates are to change and none is asked for, one is said that is there.
void TestServerNames::saysAgainForACondition()
{
    Leases leases;
    const QString lease = leases.ask(newLease()).path;
    const auto ended = [&] {
        return leases.time(leases.driver.controller.world(), lease, u"end_lease"_s);
    };
    const QJsonValue before = ended();
    Request change { .op = u"update_lease"_s, .path = lease, .id = u"b"_s };
    change.conditions.insert(u"changes dates"_s, true);
    QCOMPARE(statusName(leases.ask(change).status), u"Succeeded"_s);
    QCOMPARE(leases.lastBody(u"PUT"_s).keys(), QStringList({ u"end_date"_s }));
    QCOMPARE(ended(), before);
}

// ---- A printer whose jobs the server numbers

const QByteArray printer = R"({"id": "printer",
  "types": {"jobs": {"machine": "job"}},
  "machines": {"job": {"rest": "printed",
    "states": {"absent": {"kind": "initial"}, "printing": {"kind": "transitional"}, "printed": {}},
    "transitions": [{"from": "absent", "on": "print", "to": "printing"},
      {"from": "printing", "on": "succeeded", "to": "printed"}, {"from": "printing", "on": "failed", "to": "absent"}]}},
  "wire": {"base": "/v1",
    "requests": [{"ask": "collection", "method": "GET", "path": "{base}{collection}"},
      {"ask": "resource", "method": "GET", "path": "{base}{path}"},
      {"ask": "print", "method": "POST", "path": "{base}{collection}", "body": "order"}],
    "answers": [{"code": "{http}"}],
    "documents": {"resource": {"json": {"name": "{name}", "state": "{state}"}}, "order": {"json": {"{body}": "properties"}},
      "collection": {"json": {"jobs": ["{resources}"]}}},
    "follow": {"usualDelay": 1}}})";

void TestServerNames::learnsFromLocation_data()
{
    const Rows<QByteArray, QByteArray, QString> row("location", "body", "path");
    row("a path", "/v1/jobs/17", {}, u"/jobs/17"_s);
    row("a URL", "http://elsewhere:1/v1/jobs/a%20b", {}, u"/jobs/a b"_s);
    row("before the document", "/v1/jobs/17", R"({"name": "18", "state": "printed"})",
        u"/jobs/17"_s);
    row("a document", {}, R"({"name": "18", "state": "printed"})", u"/jobs/18"_s);
    row("elsewhere", "/tasks/5", R"({"name": "18", "state": "printed"})", u"/jobs/18"_s);
    row("neither", {}, {}, u"/jobs/{a}"_s);
    row("no name", "/v1/jobs/%ff", "{}", u"/jobs/{a}"_s);
}

void TestServerNames::learnsFromLocation()
{
    QFETCH(const QByteArray, location);
    QFETCH(const QByteArray, body);
    QFETCH(const QString, path);
    const QByteArray job =
        R"({"name": ")" + path.section(u'/', -1).toUtf8() + R"(", "state": "printed"})";
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        HttpHeaders headers;
        if (!location.isEmpty())
            headers.append("Location", location);
        if (request.method == "POST")
            ScriptedServer::answer(socket, 201, body, headers);
        else
            ScriptedServer::answer(
                socket, 200, request.target == "/v1/jobs" ? "{\"jobs\": [" + job + "]}" : job);
    });
    Driver driver(unhurried(server.url()), rulesOf(packOf(printer)));
    QVERIFY(driver.opened());
    const Operation &made =
        driver.ask(Request { .op = u"print"_s, .path = u"/jobs/{a}"_s, .id = u"a"_s });
    QCOMPARE(made.path, path);
    QCOMPARE(statusName(made.status), u"Succeeded"_s);
    QCOMPARE(driver.controller.operations().all().size(), 1);
}

/// A refusal and a failure name nothing.
void TestServerNames::nothingWasMade()
{
    Leases leases;
    QCOMPARE(leases.reference.plan(R"({"op": "create_lease", "outcome": "failedNonFatal"})").status,
        200);
    const Operation failed = leases.ask(newLease());
    QCOMPARE(failed.path, u"/leases/{a}"_s);
    QCOMPARE(statusName(failed.status), u"Failed"_s); // its words are an outcome's
    QCOMPARE(failed.errorCode, u"InvalidInput"_s);
    Request dateless = newLease();
    dateless.id = u"b"_s;
    dateless.requests.remove(u"/leases/{a}/events/end_lease"_s);
    const Operation refused = leases.ask(dateless);
    QCOMPARE(statusName(refused.status), u"Rejected"_s);
    QCOMPARE(refused.errorCode, u"InvalidInput"_s);
    QVERIFY(has(refused.errorMessage, { u"end_date is missing"_s }));
    for (const Exchange &exchange : std::as_const(leases.driver.exchanges))
        QVERIFY2(!exchange.url.contains(u"%7B"_s), qPrintable(exchange.url));
}

void TestServerNames::refusedInWords_data()
{
    // said: status, code, HTTP status
    const Rows<QString, QString, QString> row("op", "path", "said");
    row("in this status", u"delete_lease"_s, u"/leases/going"_s, u"Rejected InvalidStatus 500"_s);
    row("missing", u"update_lease"_s, u"/leases/none"_s, u"Rejected NotFound 404"_s);
}

/// An error without a code has that of the row whose words it has.
void TestServerNames::refusedInWords()
{
    QFETCH(const QString, op);
    QFETCH(const QString, path);
    Leases leases(u"/leases/going, /leases/going/reservations/r"_s);
    leases.reference.simulator().submit(
        { .op = u"delete_lease"_s, .path = u"/leases/going"_s, .hang = true });
    QCOMPARE(leases.driver.at(u"/leases/going"_s), u"PENDING"_s);
    const Operation refused = leases.ask(Request { .op = op, .path = path });
    QTEST(u"%1 %2 %3"_s.arg(statusName(refused.status), refused.errorCode).arg(refused.httpStatus),
        "said");
}

void TestServerNames::noPlace_data()
{
    const Rows<QString, QString, QString> row("op", "what", "problem");
    row("another type", u"create_lease"_s, u"/leases/{a}/hosts/h"_s, u"/leases/{a}/hosts/h"_s);
    row("another lease's", u"create_lease"_s, u"/leases/x/events/start_lease"_s,
        u"/leases/x/events/start_lease"_s);
    row("a condition", u"create_lease"_s, u"changes dates"_s,
        u"a condition that only the server can decide"_s);
    row("no date is known", u"update_lease"_s, u"changes dates"_s, u"\"changes dates\" is true"_s);
}

/// What cannot be said is not left out.
void TestServerNames::noPlace()
{
    QFETCH(const QString, op);
    QFETCH(const QString, what);
    QFETCH(const QString, problem);
    const Rules rules = rulesOf(packNamed(u"blazar"_s));
    const WireRules messages(rules);
    Request request { .op = op, .path = u"/leases/{a}"_s, .id = u"a"_s };
    if (what.startsWith(u'/'))
        request.requests.insert(what, { QJsonObject { { u"time"_s, 1 } }, {}, {} });
    else
        request.conditions.insert(what, true);
    const QString http = errorIn(messages.request(request));
    QVERIFY2(http.contains(problem), qPrintable(http));
}

const instar::TestClass<TestServerNames> registered;
} // namespace

#include "tst_servernames.moc"
