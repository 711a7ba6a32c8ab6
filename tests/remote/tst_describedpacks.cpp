// SPDX-License-Identifier: Apache-2.0
// Imported packs, served and read back: documents, lists, queries and slashes as the description of
// each type has them.

#include "model/openapi/descriptionpack.h"
#include "model/openapi/descriptionreader.h"
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
    void wrapped();
    void wrappedBodies();
    void versionInTheQuery();
    void listsOfPartsAndOfAll();
    void namesOfSeveralParts();
    void partsTellNoAbsence();
    void lastSlashes();
    void verbs();
    void readBack_data();
    void readBack();
    void madeThere_data();
    void madeThere();
};

Pack described(const QString &file)
{
    const Result<DescriptionRead> description =
        loadDescription(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/descriptions/") + file);
    if (!description)
        qFatal("%s", qPrintable(description.error()));
    return packOf(description->description, file).pack;
}

struct Served : Reference
{
    explicit Served(const QString &file, const QList<ResourceSpec> &resources)
        : Reference(described(file), resources, patient())
    { }
    HttpResponse asked(const QByteArray &method, const QString &path, const QByteArray &body = {})
    {
        send(method, path, body);
        return answer();
    }
    QJsonObject got(const QString &path)
    {
        const HttpResponse response = asked("GET", path);
        if (response.status != 200)
            qFatal("%d %s", response.status, response.body.constData());
        return QJsonDocument::fromJson(response.body).object();
    }
};

QList<ResourceSpec> specs(const QStringList &paths)
{
    QList<ResourceSpec> all;
    for (const QString &path : paths)
        all += ResourceSpec { .path = path, .state = {}, .references = {}, .properties = {} };
    return all;
}

void TestDescribedPacks::wrapped()
{
    Served cloud(u"cloud.yaml"_s, specs({ u"/servers/7"_s, u"/actions/3"_s }));
    const QJsonObject server = cloud.got(u"/v1/servers/7"_s);
    QCOMPARE(server.keys(), QStringList { u"server"_s });
    QCOMPARE(server[u"server"_s].toObject()[u"status"_s].toString(), u"running"_s);
    QCOMPARE(cloud.got(u"/v1/actions/3"_s).keys(), QStringList { u"action"_s });
    QCOMPARE(cloud.got(u"/v1/servers"_s)[u"servers"_s].toArray().size(), 1);
    QVERIFY(!cloud.got(u"/v1/servers"_s).contains(u"actions"_s));
    const QJsonArray actions = cloud.got(u"/v1/actions"_s)[u"actions"_s].toArray();
    QCOMPARE(actions[0].toObject()[u"id"_s].toString(), u"3"_s);
    QCOMPARE(actions[0].toObject()[u"status"_s].toString(), u"running"_s);
    // The request is not wrapped, the answer is.
    const HttpResponse made = cloud.asked("POST", u"/v1/servers"_s, R"({"id": "8", "name": "b"})");
    QCOMPARE(made.status, 201);
    const QJsonObject inside = QJsonDocument::fromJson(made.body).object()[u"server"_s].toObject();
    QCOMPARE(inside[u"name"_s].toString(), u"b"_s);
    QCOMPARE(cloud.got(u"/v1/servers/8"_s)[u"server"_s].toObject()[u"name"_s].toString(), u"b"_s);
}

/// Each type in its own key, requests too.
void TestDescribedPacks::wrappedBodies()
{
    Served storage(u"volumes.yaml"_s, specs({ u"/volumes/v"_s, u"/snapshots/s"_s }));
    const QString base = u"/v3/project-1"_s;
    QCOMPARE(storage.got(base + u"/volumes/v"_s).keys(), QStringList { u"volume"_s });
    QCOMPARE(storage.got(base + u"/snapshots/s"_s).keys(), QStringList { u"snapshot"_s });
    QCOMPARE(storage.asked("GET", u"/v3/elsewhere/volumes/v"_s).status, 404);
    const HttpResponse changed =
        storage.asked("PUT", base + u"/volumes/v"_s, R"({"volume": {"name": "new", "size": 2}})");
    QCOMPARE(changed.status, 200);
    const QJsonObject volume = storage.got(base + u"/volumes/v"_s)[u"volume"_s].toObject();
    QCOMPARE(volume[u"name"_s].toString(), u"new"_s);
    QCOMPARE(volume[u"status"_s].toString(), u"available"_s);
    const HttpResponse unwrapped =
        storage.asked("PUT", base + u"/volumes/v"_s, R"({"name": "newer"})");
    QCOMPARE(unwrapped.status, 400);
}

void TestDescribedPacks::versionInTheQuery()
{
    const QString type = u"providers-Microsoft.Cache-redis"_s;
    Served cache(u"cache.json"_s, specs({ u'/' + type + u"/g,n"_s }));
    const QString path =
        u"/subscriptions/subscription-1/resourceGroups/g/providers/Microsoft.Cache/redis/n"_s;
    const HttpResponse without = cache.asked("GET", path);
    QCOMPARE(without.status, 400);
    QVERIFY2(without.body.contains("api-version=2023-08-01"), without.body.constData());
    QCOMPARE(cache.asked("GET", path + u"?api-version=1999-01-01"_s).status, 400);
    QCOMPARE(cache.got(path + u"?api-version=2023-08-01"_s)[u"id"_s].toString(), path);
}

void TestDescribedPacks::listsOfPartsAndOfAll()
{
    const QString type = u"/providers-Microsoft.Cache-redis/"_s;
    Served cache(u"cache.json"_s, specs({ type + u"g,n"_s, type + u"g,m"_s, type + u"h,n"_s }));
    const auto count = [&](const QString &group) {
        return cache
            .got(
                u"/subscriptions/subscription-1%1/providers/Microsoft.Cache/redis?api-version=2023-08-01"_s
                    .arg(group))[u"value"_s]
            .toArray()
            .size();
    };
    QCOMPARE(count({}), 3);
    QCOMPARE(count(u"/resourceGroups/g"_s), 2);
    QCOMPARE(count(u"/resourceGroups/h"_s), 1);
    QCOMPARE(count(u"/resourceGroups/none"_s), 0);
}

/// A namespace stands in the path and in the document; what the body leaves out the path says.
void TestDescribedPacks::namesOfSeveralParts()
{
    Served apps(u"workloads.json"_s, specs({ u"/deployments/a,web"_s, u"/deployments/b,web"_s }));
    const QString base = u"/apis/apps/v1"_s, there = base + u"/namespaces/a/deployments"_s;
    const QJsonObject metadata = apps.got(there + u"/web"_s)[u"metadata"_s].toObject();
    QCOMPARE(metadata[u"name"_s].toString(), u"web"_s);
    QCOMPARE(metadata[u"namespace"_s].toString(), u"a"_s);
    const HttpResponse made = apps.asked("POST", there,
        R"({"metadata": {"name": "db", "labels": {"x": "y"}}, "spec": {"replicas": 2}})");
    QCOMPARE(made.status, 201);
    const QJsonObject stored = apps.got(there + u"/db"_s);
    QCOMPARE(stored[u"metadata"_s].toObject()[u"labels"_s].toObject()[u"x"_s].toString(), u"y"_s);
    QCOMPARE(stored[u"spec"_s].toObject()[u"replicas"_s].toInt(), 2);
    QCOMPARE(apps.got(there)[u"items"_s].toArray().size(), 2);
    QCOMPARE(apps.got(base + u"/deployments"_s)[u"items"_s].toArray().size(), 3);
    QCOMPARE(apps.asked("POST", there, R"({"metadata": {"name": "db"}})").status, 409);
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

void TestDescribedPacks::lastSlashes()
{
    Served sites(u"sites.yaml"_s, specs({ u"/sites/4"_s }));
    QCOMPARE(sites.got(u"/api/dcim/sites/"_s)[u"results"_s].toArray().size(), 1);
    QCOMPARE(sites.got(u"/api/dcim/sites/4/"_s)[u"status"_s].toString(), u"active"_s);
    QCOMPARE(sites.asked("GET", u"/api/dcim/sites/4"_s).status, 404);
    QCOMPARE(sites.asked("DELETE", u"/api/dcim/sites/4/"_s).status, 204);
    const Rules rules = rulesOf(described(u"sites.yaml"_s));
    QCOMPARE(WireRules(rules).question(u"resource"_s, u"/sites/4"_s)->target,
        QByteArray("/api/dcim/sites/4/"));
}

void TestDescribedPacks::verbs()
{
    Served google(u"instances.yaml"_s, specs({ u"/instances/i"_s }));
    QCOMPARE(google.asked("POST", u"/v1/instances/i:stop"_s).status, 200);
    QCOMPARE(google.got(u"/v1/instances/i"_s)[u"state"_s].toString(), u"STOPPED"_s);
    const Rules rules = rulesOf(described(u"instances.yaml"_s));
    const Result<HttpRequest> stop =
        WireRules(rules).request({ .op = u"StopInstance"_s, .path = u"/instances/i"_s });
    QVERIFY(stop);
    QCOMPARE(stop->target, QByteArray("/v1/instances/i:stop"));
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
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("path");
    QTest::newRow("volumes.yaml") << u"volumes:post"_s << u"/volumes/new"_s;
    QTest::newRow("cloud.yaml") << u"create_server"_s << u"/servers/9"_s;
    QTest::newRow("cluster.json") << u"createNamespacedPod"_s << u"/namespaces/a/pods/new"_s;
    QTest::newRow("cache.json") << u"Redis_Create"_s << u"/providers-Microsoft.Cache-redis/g,new"_s;
    QTest::newRow("sites.yaml") << u"dcim_sites_create"_s << u"/sites/6"_s;
    QTest::newRow("workloads.json") << u"createNamespacedDeployment"_s << u"/deployments/a,new"_s;
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
            driver.controller.look();
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
