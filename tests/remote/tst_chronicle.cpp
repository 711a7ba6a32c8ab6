// SPDX-License-Identifier: Apache-2.0
// What exchanges with a server mean: requests with their answers, resources and operations as they
// were seen, and which trees cannot be judged.

#include "model/engine/verdict.h"
#include "model/formats/history.h"
#include "model/remote/chronicle.h"
#include "tests/remote/exchanged.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestChronicle : public QObject
{
    Q_OBJECT

private slots:
    void meaning();
    void answers_data();
    void answers();
    void violates();
    void leftOut();
    void madeInACollection_data();
    void madeInACollection();
    void madeUnderANameThatNobodyKnows();
};

namespace {

const QString server = u"http://127.0.0.1:8080/networking/v1"_s;

Exchange exchange(int at, const QString &method, const QString &path, int status,
    const QByteArray &body = {}, const QString &operation = {})
{
    Exchange exchange = exchanged(at, method, server + path, status, body);
    exchange.operation = operation;
    return exchange;
}

QByteArray document(const QByteArray &name, const QByteArray &state, const QByteArray &etag = "x")
{
    return R"({"resourceRef": "/logicalNetworks/)" + name + R"(", "resourceId": ")" + name
        + R"(", "etag": ")" + etag + R"(", "properties": {"provisioningState": ")" + state
        + R"("}})";
}

QByteArray all(const QByteArray &documents)
{
    return R"({"value": [)" + documents + R"(], "nextLink": ""})";
}

Exchange put(int at, const QString &path, const QByteArray &answer)
{
    Exchange fired = exchange(at, u"PUT"_s, path, 200, answer, u"a"_s);
    fired.client = u"A"_s;
    fired.requestBody = R"({"properties": {}})";
    fired.responseHeaders = { { u"Azure-AsyncOperation"_s, server + u"/operations/77"_s } };
    return fired;
}

/// The pack with a row more: what is posted to a collection is made there.
Rules postingRules()
{
    Pack pack = packNamed(u"network-controller"_s);
    WireRequest post;
    post.ask = u"PUT"_s;
    post.method = u"POST"_s;
    post.path = u"{base}{collection}"_s;
    post.body = u"resource"_s;
    pack.wire.requests += post;
    return rulesOf(pack);
}

History historyOf(const QList<Exchange> &exchanges, QStringList *leftOut = nullptr)
{
    static const Rules rules = postingRules();
    Chronicle chronicle(rules, u"e"_s);
    for (qsizetype i = 0; i < exchanges.size(); ++i)
        chronicle.add(exchanges[i], int(i + 1));
    if (leftOut)
        *leftOut = chronicle.leftOut();
    return chronicle.history();
}

const QString collection = u"/logicalNetworks"_s, net = collection + u"/n"_s;

} // namespace

void TestChronicle::meaning()
{
    const History history =
        historyOf({ exchange(0, u"GET"_s, collection, 200, all(document("n", "Succeeded"))),
            put(10, net, document("n", "Updating", "y")),
            exchange(20, u"GET"_s, u"/operations/77"_s, 200, R"({"status": "InProgress"})"),
            exchange(30, u"GET"_s, u"/operations/77"_s, 200, R"({"status": "Succeeded"})"),
            exchange(40, u"GET"_s, net, 200, document("n", "Succeeded", "y")),
            exchange(50, u"GET"_s, collection + u"/m"_s, 404, R"({"error": {"code": "NotFound"}})"),
            exchange(60, u"GET"_s, u"/elsewhere"_s, 200) });
    QCOMPARE(history.resources.size(), 1);
    QCOMPARE(history.resources.first().path, net);
    QCOMPARE(history.resources.first().state, u"Succeeded"_s);
    QCOMPARE(history.requests.size(), 1);
    const AskedThen &asked = history.requests.first();
    QCOMPARE(asked.request.id, u"a"_s);
    QCOMPARE(asked.request.client, u"A"_s);
    QCOMPARE(asked.request.op, u"PUT"_s);
    QCOMPARE(asked.request.path, net);
    QCOMPARE(asked.sent, 10.0);
    QCOMPARE(asked.answered, 12.0);
    QCOMPARE(asked.line, 2);
    QStringList seen;
    for (const Observation &one : history.observations)
        seen += u"%1 %2 %3"_s.arg(told(one)).arg(one.from).arg(one.line);
    QCOMPARE(seen,
        QStringList({ net + u" was seen Succeeded with etag x 0 1"_s,
            net + u" was seen Updating with etag y 10 2"_s,
            net + u" was seen Succeeded with etag y 40 5"_s,
            collection + u"/m was seen absent 50 6"_s, u"a was seen InProgress 20 3"_s,
            u"a was seen Succeeded 30 4"_s }));
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    QCOMPARE(verdictOn(history, rules)->outcome, HistorySearch::Outcome::Conforms);
}

void TestChronicle::answers_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("answer");
    QTest::addColumn<QString>("code");
    const auto row = [](const char *name, int status, const QByteArray &body,
                         AskedThen::Answer answer, const char *code = "") {
        QTest::newRow(name) << status << body << int(answer) << QString::fromLatin1(code);
    };
    using Answer = AskedThen::Answer;
    row("accepted", 201, {}, Answer::Accepted);
    row("refused by a row", 409, R"({"error": {"code": "AnotherOperationInProgress"}})",
        Answer::Refused, "AnotherOperationInProgress");
    row("refused by nobody's row", 400, R"({"error": {"code": "Teapot"}})", Answer::Unknown);
    row("refused without words", 401, {}, Answer::Unknown);
    row("in trouble", 503, R"({"error": {"code": "NotFound"}})", Answer::Unknown);
    row("no answer", 0, {}, Answer::Lost);
}

void TestChronicle::answers()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(int, answer);
    QFETCH(QString, code);
    const History history = historyOf({ exchange(0, u"GET"_s, collection, 200, all({})),
        exchange(5, u"DELETE"_s, net, status, body) });
    QCOMPARE(history.requests.size(), 1);
    QCOMPARE(int(history.requests.first().answer), answer);
    QCOMPARE(history.requests.first().code, code);
    QCOMPARE(history.requests.first().request.id, u"e6"_s);
}

void TestChronicle::violates()
{
    const History history =
        historyOf({ exchange(0, u"GET"_s, collection, 200, all(document("n", "Succeeded"))),
            put(10, net, document("n", "Updating", "y")),
            exchange(30, u"GET"_s, u"/operations/77"_s, 200, R"({"status": "Succeeded"})"),
            exchange(40, u"GET"_s, net, 200, document("n", "Updating", "y")) });
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    const Result<HistoryVerdict> verdict = verdictOn(history, rules);
    QVERIFY(verdict && verdict->violation);
    QCOMPARE(verdict->violation->line, 4);
    QCOMPARE(verdict->violation->allowed, QStringList { u"Succeeded"_s });
    QCOMPARE(verdict->minimal, QList<int>({ 2, 3, 4 })); // exchanges have no header
}

void TestChronicle::leftOut()
{
    QStringList left;
    const Exchange fired = put(10, net, document("n", "Updating"));
    QVERIFY(historyOf({ fired }, &left).requests.isEmpty());
    QCOMPARE(left, QStringList { net.toCaseFolded() });
    // What was read afterwards does not tell what was before.
    QVERIFY(historyOf({ fired, exchange(20, u"GET"_s, net, 200, document("n", "Updating")) }, &left)
                .requests.isEmpty());
    QCOMPARE(left, QStringList { net.toCaseFolded() });
    // Something was under way already.
    historyOf({ exchange(0, u"GET"_s, net, 200, document("n", "Updating")), fired }, &left);
    QCOMPARE(left, QStringList { net.toCaseFolded() });
    // One of many pages does not tell what is not there; the last one does.
    QByteArray page = all({});
    page.replace(R"("nextLink": "")", R"("nextLink": "/networking/v1/logicalNetworks?page=2")");
    historyOf({ exchange(0, u"GET"_s, collection, 200, page), fired }, &left);
    QCOMPARE(left, QStringList { net.toCaseFolded() });
    historyOf({ exchange(0, u"GET"_s, collection, 200, all({})), fired }, &left);
    QCOMPARE(left, QStringList());
}

void TestChronicle::madeInACollection_data()
{
    QTest::addColumn<QByteArray>("asked");
    QTest::addColumn<QByteArray>("answered");
    QTest::addColumn<QString>("location");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("path");
    QTest::newRow("by the answer") << QByteArray("{}") << document("made", "Updating") << QString()
                                   << 201 << u"/logicalNetworks/made"_s;
    QTest::newRow("by the answer, not the body")
        << document("asked", "") << document("made", "Updating") << QString() << 201
        << u"/logicalNetworks/made"_s;
    QTest::newRow("by Location") << QByteArray("{}") << QByteArray()
                                 << u"/networking/v1/logicalNetworks/there"_s << 201
                                 << u"/logicalNetworks/there"_s;
    QTest::newRow("Location is elsewhere")
        << document("asked", "") << QByteArray() << u"/networking/v1/operations/9"_s << 202
        << u"/logicalNetworks/asked"_s;
    QTest::newRow("by the body, no answer")
        << document("asked", "") << QByteArray() << QString() << 0 << u"/logicalNetworks/asked"_s;
    QTest::newRow("by the body, refused")
        << document("asked", "") << QByteArray(R"({"error": {"code": "NotFound"}})") << QString()
        << 404 << u"/logicalNetworks/asked"_s;
}

void TestChronicle::madeInACollection()
{
    QFETCH(QByteArray, asked);
    QFETCH(QByteArray, answered);
    QFETCH(QString, location);
    QFETCH(int, status);
    Exchange post = exchange(10, u"POST"_s, collection, status, answered);
    post.requestBody = asked;
    if (!location.isEmpty())
        post.responseHeaders = { { u"Location"_s, location } };
    QStringList leftOut;
    const History history =
        historyOf({ exchange(0, u"GET"_s, collection, 200, all({})), post }, &leftOut);
    QCOMPARE(leftOut, QStringList());
    QCOMPARE(history.requests.size(), 1);
    QTEST(history.requests.first().request.path, "path");
    QCOMPARE(history.requests.first().answer == AskedThen::Answer::Lost, status == 0);
}

/// What appears there then is nobody's fault.
void TestChronicle::madeUnderANameThatNobodyKnows()
{
    Exchange post = exchange(10, u"POST"_s, collection, 201);
    post.requestBody = "{}";
    QStringList leftOut;
    const History history =
        historyOf({ exchange(0, u"GET"_s, collection, 200, all({})), post,
                      exchange(20, u"GET"_s, collection, 200, all(document("new", "Succeeded"))) },
            &leftOut);
    QCOMPARE(leftOut, QStringList { u"/logicalnetworks/new"_s });
    QVERIFY(history.requests.isEmpty() && history.observations.isEmpty());
    const Rules rules = postingRules();
    QCOMPARE(verdictOn(history, rules)->outcome, HistorySearch::Outcome::Conforms);
}

const TestClass<TestChronicle> registered;
#include "tst_chronicle.moc"
