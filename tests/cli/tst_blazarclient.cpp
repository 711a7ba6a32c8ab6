// SPDX-License-Identifier: Apache-2.0
// Blazar's own command line client (python3-blazarclient) as a process, and curl, against
// `instar-cli serve blazar`.

#include "tests/cli/served.h"
#include "tests/remote/gate.h"
#include "tests/support/bytesof.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"

#include <QJsonArray>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestBlazarClient : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void lifeOfALease();
    void startsByTheClock();
    void errors_data();
    void errors();
    void refusedChanges_data();
    void refusedChanges();
    void isDriven();
    void behindKeystone();
};

const QString newLease =
    uR"({"name": "l", "start_date": "2040-01-01 10:00", "end_date": "2040-01-02 10:00"})"_s;

const QByteArray TwoLeases =
    R"({"pack": "blazar", "resources": [{"path": "/leases/old"}, {"path": "/leases/old/reservations/r"},
        {"path": "/leases/old/events/start_lease", "properties": {"time": 400000}},
        {"path": "/leases/old/events/end_lease", "properties": {"time": 500000}}], "steps": [
      {"at": 0, "op": "create_lease", "path": "/leases/{a}", "id": "a", "client": "A", "duration": 300,
       "references": ["/leases/{a}/reservations/hosts"],
       "requests": {"/leases/{a}/reservations/hosts": {"properties": {"resource_type": "physical:host"}},
         "/leases/{a}/events/start_lease": {"properties": {"time": 400000}},
         "/leases/{a}/events/end_lease": {"properties": {"time": 500000}}}},
      {"at": 100, "op": "update_lease", "path": "/leases/old", "id": "b", "client": "B", "duration": 300,
       "conditions": {"changes dates": true}},
      {"at": 200, "expect": {"resources": {"/leases/old": "UPDATING"}, "operations": {"a": "InProgress"}}},
      {"at": 250, "op": "update_lease", "path": "/leases/old", "id": "c", "client": "A"},
      {"at": 900, "expect": {"resources": {"/leases/{a}": "PENDING", "/leases/{a}/reservations/hosts": "pending", "/leases/old": "PENDING"},
        "properties": {"/leases/{a}/events/end_lease": {"time": 500000}},
        "operations": {"a": "Succeeded", "b": "Succeeded", "c": "Rejected"}, "errors": {"c": "InvalidStatus"}}},
      {"at": 1000, "op": "delete_lease", "path": "/leases/{a}", "id": "d", "client": "B", "duration": 100},
      {"at": 1600, "expect": {"resources": {"/leases/{a}": null, "/leases/old": "PENDING"}, "operations": {"d": "Succeeded"}}}]})";

QStringList fast()
{
    return { u"blazar"_s, u"--speed"_s, u"20"_s };
}

Answer sent(const QString &method, const QString &url, const QString &body)
{
    return curl(
        { u"-X"_s, method, u"-H"_s, u"Content-Type: application/json"_s, u"-d"_s, body, url });
}

/// What the client says of a server.
class Client
{
public:
    explicit Client(const Served &served) : m_origin(served.origin) { }

    Done operator()(const QStringList &arguments) const
    {
        return ran(u"blazar"_s,
            QStringList { u"--os-auth-type"_s, u"none"_s, u"--os-endpoint"_s, m_origin + u"/v1"_s }
                + arguments);
    }
    QJsonObject shown(const QString &lease) const
    {
        const Done done = (*this)({ u"lease-show"_s, lease, u"-f"_s, u"json"_s });
        return QJsonDocument::fromJson(done.out).object();
    }
    QStringList names() const
    {
        QStringList names;
        const Done done = (*this)({ u"lease-list"_s, u"-f"_s, u"json"_s });
        for (const QJsonValue lease : QJsonDocument::fromJson(done.out).array())
            names += lease["name"_L1].toString();
        return names;
    }

private:
    QString m_origin;
};

void TestBlazarClient::init()
{
    if (QStandardPaths::findExecutable(u"curl"_s).isEmpty())
        QSKIP("curl is not installed");
}

/// Twice on one server: nothing of the first may be in the way of the second.
void TestBlazarClient::lifeOfALease()
{
    if (QStandardPaths::findExecutable(u"blazar"_s).isEmpty())
        QSKIP("python3-blazarclient is not installed");
    const Served served(fast());
    QVERIFY(!served.origin.isEmpty());
    const Client blazar(served);
    for (int round = 0; round < 2; ++round) {
        const Done made = blazar({ u"lease-create"_s, u"--start-date"_s, u"2040-01-01 10:00"_s,
            u"--end-date"_s, u"2040-01-02 10:00"_s, u"--before-end-date"_s, u"2040-01-02 08:00"_s,
            u"--reservation"_s,
            u"resource_type=virtual:instance,vcpus=1,memory_mb=512,disk_gb=1,amount=2,"
            "affinity=False"_s,
            u"--event"_s, u"event_type=before_end_lease,event_date=2040-01-02 08:00"_s,
            u"tests"_s });
        QVERIFY2(made.exit == 0, made.error.constData());
        QVERIFY(blazar.names().contains(u"tests"_s));

        const QJsonObject lease = blazar.shown(u"tests"_s);
        QCOMPARE(lease["status"_L1].toString(), u"PENDING"_s);
        QCOMPARE(lease["start_date"_L1].toString(), u"2040-01-01T10:00:00.000000"_s);
        QCOMPARE(lease["end_date"_L1].toString(), u"2040-01-02T10:00:00.000000"_s);
        const QString reservations = lease["reservations"_L1].toString(),
                      events = lease["events"_L1].toString();
        QVERIFY(has(reservations, { u"\"status\": \"pending\""_s, u"\"memory_mb\": 512"_s }));
        QCOMPARE(reservations.count(u"\"id\""_s), 1);
        QCOMPARE(events.count(u"\"UNDONE\""_s), 3);
        QVERIFY(has(events, { u"\"time\": \"2040-01-02T08:00:00.000000\""_s }));

        const Done renamed =
            blazar({ u"lease-update"_s, u"tests"_s, u"--name"_s, u"night tests"_s });
        QVERIFY2(renamed.exit == 0, renamed.error.constData());
        const Done prolonged =
            blazar({ u"lease-update"_s, u"night tests"_s, u"--prolong-for"_s, u"1d"_s });
        QVERIFY2(prolonged.exit == 0, prolonged.error.constData());
        const QJsonObject changed = blazar.shown(u"night tests"_s);
        QCOMPARE(changed["id"_L1].toString(), lease["id"_L1].toString());
        QCOMPARE(changed["end_date"_L1].toString(), u"2040-01-03T10:00:00.000000"_s);
        QCOMPARE(changed["start_date"_L1].toString(), u"2040-01-01T10:00:00.000000"_s);
        QCOMPARE(changed["status"_L1].toString(), u"PENDING"_s);

        // It would end before it starts.
        const Done refused =
            blazar({ u"lease-update"_s, u"night tests"_s, u"--reduce-by"_s, u"30d"_s });
        QCOMPARE(refused.exit, 1);
        QVERIFY2(
            refused.error.contains("end_date is not after start_date"), refused.error.constData());
        QCOMPARE(blazar.shown(u"night tests"_s), changed);

        const Done deleted = blazar({ u"lease-delete"_s, u"night tests"_s });
        QVERIFY2(deleted.exit == 0, deleted.error.constData());
        QVERIFY(!blazar.names().contains(u"night tests"_s));
        const Done unknown = blazar({ u"lease-show"_s, lease["id"_L1].toString() });
        QCOMPARE(unknown.exit, 1);
        QVERIFY2(
            unknown.error.contains(lease["id"_L1].toString().toUtf8()), unknown.error.constData());
    }
}

/// "now" is the server's present, and the clock does the rest.
void TestBlazarClient::startsByTheClock()
{
    const Served served(fast());
    const QString leases = served.origin + u"/v1/leases"_s;
    const Answer made = sent(
        u"POST"_s, leases, uR"({"name": "l", "start_date": "now", "end_date": "2040-01-02 10:00",
            "reservations": [{"resource_type": "physical:host", "min": 1, "max": 1}]})"_s);
    QCOMPARE(made.status, 201);
    QCOMPARE(made.headers.value(u"openstack-api-version"_s), u"reservation 1.0"_s);
    QVERIFY(made.headers.value(u"x-openstack-request-id"_s).startsWith(u"req-"_s));
    const QString lease = leases + u'/' + made.json()["lease"_L1]["id"_L1].toString() + u".json"_s;
    QTRY_COMPARE_WITH_TIMEOUT(
        curl({ lease }).json()["lease"_L1]["status"_L1].toString(), u"ACTIVE"_s, 20'000);
    QCOMPARE(curl({ lease }).json()["lease"_L1]["reservations"_L1][0]["status"_L1].toString(),
        u"active"_s);
    QCOMPARE(curl({ served.origin + u"/versions"_s }).status, 300);
    QCOMPARE(curl({ served.origin + u"/"_s })
                 .json()["versions"_L1][0]["links"_L1][0]["href"_L1]
                 .toString(),
        served.origin + u"/v1"_s);
}

void TestBlazarClient::errors_data()
{
    // answer: part of it
    const Rows<QString, QString, QString, int, QString> row(
        "method", "path", "body", "status", "answer");
    const QString leases = u"/v1/leases"_s, none = u"/v1/leases/none"_s;
    const auto without = [](const QString &member) {
        QJsonObject body = QJsonDocument::fromJson(newLease.toUtf8()).object();
        body.remove(member);
        return QString::fromUtf8(QJsonDocument(body).toJson());
    };
    const auto with = [](const QString &member, const QJsonValue &value) {
        QJsonObject body = QJsonDocument::fromJson(newLease.toUtf8()).object();
        body.insert(member, value);
        return QString::fromUtf8(QJsonDocument(body).toJson());
    };
    for (const QString &member : { u"name"_s, u"start_date"_s, u"end_date"_s })
        row(qPrintable(u"without "_s + member), u"POST"_s, leases, without(member), 400,
            u"\"error_code\":400,\"error_message\":\"Invalid input: %1 is missing.\",\"error_name\":400"_s
                .arg(member));
    row("no date", u"POST"_s, leases, with(u"start_date"_s, u"tomorrow"_s), 400,
        u"start_date is not a time"_s);
    row("a number for a date", u"POST"_s, leases, with(u"end_date"_s, 7), 400,
        u"end_date is not a time"_s);
    row("in the past", u"POST"_s, leases, with(u"start_date"_s, u"2020-01-01 10:00"_s), 400,
        u"start_date is before now"_s);
    row("ends before it starts", u"POST"_s, leases, with(u"end_date"_s, u"2039-01-01 10:00"_s), 400,
        u"end_date is not after start_date"_s);
    row("ends as it starts", u"POST"_s, leases, with(u"end_date"_s, u"2040-01-01 10:00"_s), 400,
        u"end_date is not after start_date"_s);
    row("announced before the start", u"POST"_s, leases,
        with(u"before_end_date"_s, u"2040-01-01 09:59"_s), 403,
        u"before_end_date is before start_date"_s);
    row("announced after the end", u"POST"_s, leases,
        with(u"before_end_date"_s, u"2040-01-02 10:01"_s), 403,
        u"before_end_date is after end_date"_s);
    row("reservations no list", u"POST"_s, leases, with(u"reservations"_s, u"one"_s), 500,
        u"Internal Server Error"_s);
    row("broken JSON", u"POST"_s, leases, u"{\"name\""_s, 500,
        u"\"error_code\":500,\"error_message\":\"Internal Server Error\",\"error_name\":\"INTERNAL_SERVER_ERROR\""_s);
    row("nothing", u"POST"_s, leases, QString(), 500, u"INTERNAL_SERVER_ERROR"_s);
    row("unknown lease", u"GET"_s, none, QString(), 404, u"\"error_code\":404"_s);
    row("changes an unknown lease", u"PUT"_s, none, u"{\"name\": \"x\"}"_s, 404,
        u"\"error_name\":404"_s);
    row("deletes an unknown lease", u"DELETE"_s, none, QString(), 404, u"\"error_code\":404"_s);
    row("unknown path", u"GET"_s, u"/v1/hosts"_s, QString(), 404, u"\"error_code\":404"_s);
    row("unknown route", u"GET"_s, u"/v2"_s, QString(), 404, u"{\"error\":404"_s);
    row("wrong method", u"POST"_s, none, u"{}"_s, 405, u"{\"error\":405"_s);
}

void TestBlazarClient::errors()
{
    QFETCH(QString, method);
    QFETCH(QString, path);
    QFETCH(QString, body);
    QFETCH(QString, answer);
    const Served served(fast());
    const Answer got = sent(method, served.origin + path, body);
    QVERIFY2(got.body.contains(answer.toUtf8()), got.body.constData());
    QTEST(got.status, "status");
}

void TestBlazarClient::refusedChanges_data()
{
    const Rows<QString, int> row("body", "status");
    row("end before the stored start", u"{\"end_date\": \"2039-12-31 10:00\"}"_s, 400);
    row("end after both", u"{\"end_date\": \"2040-01-01 10:01\"}"_s, 200);
    row("both later",
        u"{\"start_date\": \"2041-01-01 10:00\", \"end_date\": \"2041-01-02 10:00\"}"_s, 200);
    row("both, the wrong way around",
        u"{\"start_date\": \"2041-01-02 10:00\", \"end_date\": \"2041-01-01 10:00\"}"_s, 400);
    row("announced after the stored end", u"{\"before_end_date\": \"2040-01-02 10:01\"}"_s, 403);
    row("announced within", u"{\"before_end_date\": \"2040-01-02 09:00\"}"_s, 200);
    row("a name alone", u"{\"name\": \"other\"}"_s, 200);
}

void TestBlazarClient::refusedChanges()
{
    QFETCH(QString, body);
    QFETCH(int, status);
    const Served served(fast());
    const QString leases = served.origin + u"/v1/leases"_s;
    const Answer made = sent(u"POST"_s, leases, newLease);
    QCOMPARE(made.status, 201);
    const QString lease = leases + u'/' + made.json()["lease"_L1]["id"_L1].toString();
    const QJsonObject before = curl({ lease }).json();
    const Answer got = sent(u"PUT"_s, lease, body);
    QVERIFY2(got.status == status, got.body.constData());
    QCOMPARE(curl({ lease }).json() == before, status != 200);
}

/// From an empty server: leases are found by the names that it gives them, times are those of the
/// scenario's clock, and the verdict is about all of it.
void TestBlazarClient::isDriven()
{
    const QTemporaryDir folder;
    const QString scenario = written(folder.filePath(u"s.scenario.json"_s), TwoLeases);
    const QString empty = written(folder.filePath(u"e.scenario.json"_s),
        R"({"pack": "blazar", "resources": [], "steps": []})");
    const Served served({ u"blazar"_s, u"--no-token"_s, u"--tree"_s, empty });
    const Done done = ran(cli(),
        { u"drive"_s, served.origin, u"--pack"_s, u"blazar"_s, scenario, u"--format"_s,
            u"json"_s });
    QCOMPARE(done.error, QByteArray());
    QVERIFY2(done.exit == 0, done.out.constData());
    const QJsonObject answer = QJsonDocument::fromJson(done.out).object();
    QCOMPARE(answer["expectations"_L1]["passed"_L1].toInt(), 3);
    QCOMPARE(answer["verdict"_L1]["verdict"_L1].toString(), u"conforms"_s);
    QVERIFY2(answer["verdict"_L1]["of"_L1].toInt() > 10, done.out.constData());
    for (const QJsonValue operation : answer["operations"_L1].toArray()) {
        const QString path = operation["path"_L1].toString();
        QVERIFY2(path.startsWith(u"/leases/"_s) && !path.contains(u'{') && !path.contains(u"old"_s),
            qPrintable(path));
    }
}

/// As in its own world: who shows no token of Keystone's is not let in. The same commands and the
/// same requests as without; Blazar's own client finds the service in the token's catalogue.
void TestBlazarClient::behindKeystone()
{
    const QTemporaryDir folder;
    const auto written = [&](const QString &name, const QByteArray &text) {
        return instar::written(folder.filePath(name), text);
    };
    const Served served({ u"blazar"_s, u"--no-token"_s, u"--tree"_s,
        written(u"e.scenario.json"_s, R"({"pack": "blazar", "resources": [], "steps": []})") });
    const Gate gate({ { u"upstream"_s, served.origin }, { u"service"_s, u"reservation"_s } });
    const Gate::User alice = gate.user();
    const QString scenario = written(u"s.scenario.json"_s, TwoLeases);
    const QString login = uR"({"auth": {"identity": {"methods": ["password"], "password": {"user":
            {"name": "%1", "domain": {"name": "%2"}, "password": "%3"}}},
            "scope": {"project": {"name": "%4", "domain": {"name": "%2"}}}}})"_s.arg(
        alice.name, alice.domain, alice.password, alice.project);
    const Answer given = curl({ u"-H"_s, u"Content-Type: application/json"_s, u"-d"_s, login,
        alice.keystone + u"/auth/tokens"_s });
    const QString token =
        written(u"token"_s, given.headers.value(u"x-subject-token"_s).toUtf8() + '\n');

    const QStringList drive { u"drive"_s, gate.origin, u"--pack"_s, u"blazar"_s, scenario,
        u"--format"_s, u"json"_s };
    const Done kept = ran(cli(), drive);
    QVERIFY2(kept.exit == 3 && kept.error.contains("401"), kept.error.constData());
    const Done done = ran(cli(),
        drive
            + QStringList { u"--api-key-header"_s, u"X-Auth-Token"_s, u"--api-key-file"_s, token });
    QCOMPARE(done.error, QByteArray());
    QVERIFY2(done.exit == 0, done.out.constData());
    const QJsonObject answer = QJsonDocument::fromJson(done.out).object();
    QCOMPARE(answer["expectations"_L1]["passed"_L1].toInt(), 3);
    QCOMPARE(answer["verdict"_L1]["verdict"_L1].toString(), u"conforms"_s);
    QCOMPARE(gate.counted("tokens"), 1);

    if (QStandardPaths::findExecutable(u"blazar"_s).isEmpty())
        QSKIP("python3-blazarclient is not installed");
    const QStringList user { u"--os-auth-type"_s, u"password"_s, u"--os-auth-url"_s, alice.keystone,
        u"--os-username"_s, alice.name, u"--os-password"_s, alice.password, u"--os-project-name"_s,
        alice.project, u"--os-user-domain-name"_s, alice.domain, u"--os-project-domain-name"_s,
        alice.domain };
    const QStringList create { u"lease-create"_s, u"--start-date"_s, u"2040-01-01 10:00"_s,
        u"--end-date"_s, u"2040-01-02 10:00"_s, u"tests"_s };
    const int refused = gate.counted("refused");
    const Done made = ran(u"blazar"_s, user + create);
    QVERIFY2(made.exit == 0, (made.out + made.error).constData());
    const Done listed = ran(u"blazar"_s, user + QStringList { u"lease-list"_s });
    QVERIFY2(listed.out.contains("tests") && listed.out.contains("old"), listed.out.constData());
    QCOMPARE(gate.counted("tokens"), 3);
    QCOMPARE(gate.counted("refused"), refused);
}

const instar::TestClass<TestBlazarClient> registered;
} // namespace

#include "tst_blazarclient.moc"
