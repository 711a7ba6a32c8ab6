// SPDX-License-Identifier: Apache-2.0
// Imported packs, served and read back: documents, lists, queries and slashes as the description of
// each type has them.

#include "model/openapi/description.h"
#include "model/remote/exchangeinterpreter.h"
#include "tests/remote/driver.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestDescribedPacks : public QObject
{
    Q_OBJECT

private slots:
    void answers_data();
    void answers();
    void verbs();
    void partsTellNoAbsence();
    void readBack_data();
    void readBack();
    void madeThere_data();
    void madeThere();
};

Pack described(const QString &file)
{
    const DescriptionRead description = valueOf(
        loadDescription(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/descriptions/") + file));
    return packOf(description.description, file).pack;
}

struct Served : Reference
{
    explicit Served(const QString &file, const QList<ResourceSpec> &resources)
        : Reference(described(file), resources, patient())
    { }
};

QList<ResourceSpec> specs(const QStringList &paths)
{
    QList<ResourceSpec> all;
    for (const QString &path : paths)
        all += ResourceSpec { .path = path, .state = {}, .references = {}, .properties = {} };
    return all;
}

void TestDescribedPacks::answers_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("paths");
    // "METHOD path [body] -> status [place=value...]"; "#place" is a list's size, "keys" the keys
    // of the whole, "has" a part of the text.
    QTest::addColumn<QStringList>("steps");
    // The answer is wrapped, the request is not.
    QTest::newRow("wrapped")
        << u"cloud.yaml"_s << QStringList { u"/servers/7"_s, u"/actions/3"_s }
        << QStringList { u"GET /v1/servers/7 -> 200 keys=server server.status=running"_s,
               u"GET /v1/actions/3 -> 200 keys=action"_s,
               u"GET /v1/servers -> 200 #servers=1 #actions=0"_s,
               u"GET /v1/actions -> 200 actions.0.id=3 actions.0.status=running"_s,
               uR"(POST /v1/servers {"id": "8", "name": "b"} -> 201 server.name=b)"_s,
               u"GET /v1/servers/8 -> 200 server.name=b"_s };
    QTest::newRow("each type in its own key, requests too")
        << u"volumes.yaml"_s << QStringList { u"/volumes/v"_s, u"/snapshots/s"_s }
        << QStringList { u"GET /v3/project-1/volumes/v -> 200 keys=volume"_s,
               u"GET /v3/project-1/snapshots/s -> 200 keys=snapshot"_s,
               u"GET /v3/elsewhere/volumes/v -> 404"_s,
               uR"(PUT /v3/project-1/volumes/v {"volume": {"name": "new", "size": 2}} -> 200)"_s,
               u"GET /v3/project-1/volumes/v -> 200 volume.name=new volume.status=available"_s,
               uR"(PUT /v3/project-1/volumes/v {"name": "newer"} -> 400)"_s };
    const QString subscription = u"/subscriptions/subscription-1"_s,
                  type = u"/providers-Microsoft.Cache-redis/"_s,
                  cache = u"/providers/Microsoft.Cache/redis"_s,
                  one = subscription + u"/resourceGroups/g"_s + cache + u"/n"_s;
    const auto count = [&](const QString &group, int resources) {
        return u"GET %1%2%3?api-version=2023-08-01 -> 200 #value=%4"_s
            .arg(subscription, group, cache)
            .arg(resources);
    };
    QTest::newRow("the version in the query, lists of parts and of all")
        << u"cache.json"_s << QStringList { type + u"g,n"_s, type + u"g,m"_s, type + u"h,n"_s }
        << QStringList { u"GET %1 -> 400 has=api-version=2023-08-01"_s.arg(one),
               u"GET %1?api-version=1999-01-01 -> 400"_s.arg(one),
               u"GET %1?api-version=2023-08-01 -> 200 id=%1"_s.arg(one), count({}, 3),
               count(u"/resourceGroups/g"_s, 2), count(u"/resourceGroups/h"_s, 1),
               count(u"/resourceGroups/none"_s, 0) };
    // A namespace stands in the path and in the document; what the body leaves out the path says.
    const QString apps = u"/apis/apps/v1"_s, there = apps + u"/namespaces/a/deployments"_s;
    QTest::newRow("names of several parts")
        << u"workloads.json"_s << QStringList { u"/deployments/a,web"_s, u"/deployments/b,web"_s }
        << QStringList { u"GET %1/web -> 200 metadata.name=web metadata.namespace=a"_s.arg(there),
               uR"(POST %1 {"metadata": {"name": "db", "labels": {"x": "y"}}, "spec": {"replicas": 2}} -> 201)"_s
                   .arg(there),
               u"GET %1/db -> 200 metadata.labels.x=y spec.replicas=2"_s.arg(there),
               u"GET %1 -> 200 #items=2"_s.arg(there),
               u"GET %1/deployments -> 200 #items=3"_s.arg(apps),
               uR"(POST %1 {"metadata": {"name": "db"}} -> 409)"_s.arg(there) };
    QTest::newRow("last slashes") << u"sites.yaml"_s << QStringList { u"/sites/4"_s }
                                  << QStringList { u"GET /api/dcim/sites/ -> 200 #results=1"_s,
                                         u"GET /api/dcim/sites/4/ -> 200 status=active"_s,
                                         u"GET /api/dcim/sites/4 -> 404"_s,
                                         u"DELETE /api/dcim/sites/4/ -> 204"_s };
    QTest::newRow("verbs") << u"instances.yaml"_s << QStringList { u"/instances/i"_s }
                           << QStringList { u"POST /v1/instances/i:stop -> 200"_s,
                                  u"GET /v1/instances/i -> 200 state=STOPPED"_s };
}

void TestDescribedPacks::answers()
{
    QFETCH(const QString, file);
    QFETCH(const QStringList, paths);
    QFETCH(const QStringList, steps);
    Served served(file, specs(paths));
    for (const QString &step : steps) {
        const QString asked = step.section(u" -> "_s, 0, 0), told = step.section(u" -> "_s, 1);
        const HttpResponse answer = served.ask(asked.section(u' ', 0, 0).toLatin1(),
            asked.section(u' ', 1, 1), asked.section(u' ', 2).toUtf8());
        QVERIFY2(answer.status == told.section(u' ', 0, 0).toInt(),
            qPrintable(
                u"%1: %2 %3"_s.arg(step).arg(answer.status).arg(QString::fromUtf8(answer.body))));
        for (const QString &said : told.section(u' ', 1).split(u' ', Qt::SkipEmptyParts)) {
            const QString place = said.section(u'=', 0, 0), value = said.section(u'=', 1);
            const QString found = place == u"keys" ? objectIn(answer).keys().join(u',')
                : place == u"has"                  ? QString::fromLatin1(
                      answer.body.contains(value.toUtf8()) ? value.toUtf8() : answer.body)
                : place.startsWith(u'#')
                ? QString::number(valueIn(answer, place.sliced(1)).toArray().size())
                : valueIn(answer, place).toVariant().toString();
            QCOMPARE(found, value);
        }
    }
}

void TestDescribedPacks::verbs()
{
    const Rules rules = rulesOf(described(u"instances.yaml"_s));
    const Result<HttpRequest> stop =
        WireRules(rules).request({ .op = u"StopInstance"_s, .path = u"/instances/i"_s });
    QVERIFY(stop);
    QCOMPARE(stop->target, QByteArray("/v1/instances/i:stop"));
}

/// Of a list of everything with the version that it needs one can tell what is not there; of a part
/// one cannot.
void TestDescribedPacks::partsTellNoAbsence()
{
    const Rules rules = rulesOf(described(u"cache.json"_s));
    ExchangeInterpreter reader(rules);
    const auto told = [&](const QString &group, const QString &more) {
        Exchange exchange;
        exchange.method = u"GET"_s;
        exchange.url =
            u"http://h/subscriptions/subscription-1%1/providers/Microsoft.Cache/redis?api-version=2023-08-01%2"_s
                .arg(group, more);
        exchange.status = 200;
        exchange.responseBody = R"({"value": []})";
        exchange.sent = QDateTime::currentDateTimeUtc();
        exchange.duration = 1;
        return reader.interpreted(exchange)->collection;
    };
    QCOMPARE(told({}, {}), u"/providers-Microsoft.Cache-redis"_s);
    QCOMPARE(told({}, u"&$top=1"_s), QString());
    QCOMPARE(told(u"/resourceGroups/g"_s, {}), QString());
}

void TestDescribedPacks::readBack_data()
{
    QTest::addColumn<QStringList>("paths");
    QTest::newRow("cloud.yaml") << QStringList { u"/servers/7"_s, u"/servers/8"_s,
        u"/actions/3"_s };
    QTest::newRow("volumes.yaml") << QStringList { u"/volumes/v"_s, u"/snapshots/s"_s };
    QTest::newRow("cluster.json") << QStringList { u"/namespaces/a"_s, u"/namespaces/a/pods/p"_s,
        u"/namespaces/b"_s };
    QTest::newRow("cache.json") << QStringList { u"/providers-Microsoft.Cache-redis/g,n"_s,
        u"/providers-Microsoft.Cache-redis/h,n"_s };
    QTest::newRow("sites.yaml") << QStringList { u"/sites/4"_s, u"/sites/5"_s };
    QTest::newRow("workloads.json")
        << QStringList { u"/deployments/a,web"_s, u"/deployments/b,web"_s };
}

/// A client sees what the server holds, whatever the shapes.
void TestDescribedPacks::readBack()
{
    QFETCH(const QStringList, paths);
    const QString file = QString::fromLatin1(QTest::currentDataTag());
    Served served(file, specs(paths));
    Driver driver(unhurried(QUrl(served.origin())), rulesOf(described(file)));
    QVERIFY(driver.opened());
    QCOMPARE(
        driver.shown(), sorted(shownTree(served.simulator().rules(), served.simulator().world())));
    QCOMPARE(driver.problems, QStringList());
}

void TestDescribedPacks::madeThere_data()
{
    const Rows<QString, QString> row("op", "path");
    row("volumes.yaml", u"volumes:post"_s, u"/volumes/new"_s);
    row("cloud.yaml", u"create_server"_s, u"/servers/9"_s);
    row("cluster.json", u"createNamespacedPod"_s, u"/namespaces/a/pods/new"_s);
    row("cache.json", u"Redis_Create"_s, u"/providers-Microsoft.Cache-redis/g,new"_s);
    row("sites.yaml", u"dcim_sites_create"_s, u"/sites/6"_s);
    row("workloads.json", u"createNamespacedDeployment"_s, u"/deployments/a,new"_s);
}

/// What a client asks for the server makes, and answers so that the client sees it.
void TestDescribedPacks::madeThere()
{
    QFETCH(const QString, op);
    QFETCH(const QString, path);
    const QString file = QString::fromLatin1(QTest::currentDataTag());
    Served served(file,
        specs({ path.section(u'/', 0, -2).count(u'/') > 1
                ? path.section(u'/', 0, -3)
                : path.section(u'/', 0, -2) + u"/other,other"_s }));
    Driver driver(unhurried(QUrl(served.origin())), rulesOf(described(file)));
    QVERIFY(driver.opened());
    const quint32 serial = driver.controller.submit({ .op = op,
        .path = path,
        .id = u"m"_s,
        .properties = QJsonObject { { u"name"_s, u"called so"_s } } });
    const Operation &operation = *driver.controller.operations().find(serial);
    QVERIFY(waited([&] {
        served.simulator().advance(1000);
        if (!driver.controller.isBusy())
            driver.controller.refresh();
        return operation.isOver();
    }));
    QVERIFY(waited([&] { return !driver.controller.isBusy(); }));
    QCOMPARE(statusName(operation.status), u"Succeeded"_s);
    QVERIFY(driver.looked());
    QCOMPARE(
        driver.shown(), sorted(shownTree(served.simulator().rules(), served.simulator().world())));
    QVERIFY2(driver.at(path) != u"absent"_s, qPrintable(driver.shown()));
}

const instar::TestClass<TestDescribedPacks> registered;
} // namespace

#include "tst_describedpacks.moc"
