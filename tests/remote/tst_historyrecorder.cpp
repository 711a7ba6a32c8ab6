// SPDX-License-Identifier: Apache-2.0
// What exchanges with a server mean: requests with their answers, resources and operations as they
// were seen, and which trees cannot be judged.

#include "model/conformance/verdict.h"
#include "model/json/historytext.h"
#include "model/remote/historyrecorder.h"
#include "tests/remote/exchanged.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestHistoryRecorder : public QObject
{
    Q_OBJECT

private slots:
    void meaning();
    void answers_data();
    void answers();
    void violates();
    void oneAnswerIsOneMoment_data();
    void oneAnswerIsOneMoment();
    void leftOut();
    void newWhereAnsweredCreated();
    void removedThoughNotThere();
    void seenWhileAsked();
    void connectedTrees();
    void refusedOrFailed();
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
    HistoryRecorder historyRecorder(rules, u"e"_s);
    for (qsizetype i = 0; i < exchanges.size(); ++i)
        historyRecorder.add(exchanges[i], int(i + 1));
    const RecordedHistory recorded = historyRecorder.recorded();
    if (leftOut)
        *leftOut = recorded.leftOut;
    return recorded.history;
}

const QString collection = u"/logicalNetworks"_s, net = collection + u"/n"_s;

} // namespace

void TestHistoryRecorder::meaning()
{
    Exchange made = put(10, net, document("n", "Updating", "y"));
    made.microseconds = 250;
    const History history =
        historyOf({ exchange(0, u"GET"_s, collection, 200, all(document("n", "Succeeded"))), made,
            exchange(20, u"GET"_s, u"/operations/77"_s, 200, R"({"status": "InProgress"})"),
            exchange(30, u"GET"_s, u"/operations/77"_s, 200, R"({"status": "Succeeded"})"),
            exchange(40, u"GET"_s, net, 200, document("n", "Succeeded", "y")),
            exchange(50, u"GET"_s, collection + u"/m"_s, 404, R"({"error": {"code": "NotFound"}})"),
            exchange(60, u"GET"_s, u"/elsewhere"_s, 200) });
    QCOMPARE(history.resources.size(), 1);
    QCOMPARE(history.resources.first().path, net);
    QCOMPARE(history.resources.first().state, u"Succeeded"_s);
    QCOMPARE(history.requests.size(), 1);
    const RecordedRequest &asked = history.requests.first();
    QCOMPARE(asked.request.id, u"a"_s);
    QCOMPARE(asked.request.client, u"A"_s);
    QCOMPARE(asked.request.op, u"PUT"_s);
    QCOMPARE(asked.request.path, net);
    QCOMPARE(asked.sent, 10.25);
    QCOMPARE(asked.answered, 11.251); // one in whole ms would be almost one ms later
    QCOMPARE(asked.line, 2);
    QStringList seen;
    for (const Observation &one : history.observations)
        seen += u"%1 %2 %3"_s.arg(sentenceOf(one)).arg(one.from).arg(one.line);
    QCOMPARE(seen,
        QStringList({ net + u" was seen Succeeded with etag x 0 1"_s,
            net + u" was seen Updating with etag y 10.25 2"_s,
            net + u" was seen Succeeded with etag y 40 5"_s,
            collection + u"/m was seen absent 50 6"_s, u"a was seen InProgress 20 3"_s,
            u"a was seen Succeeded 30 4"_s }));
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    QCOMPARE(verdictOn(history, rules)->outcome, HistorySearch::Outcome::Conforms);
}

void TestHistoryRecorder::answers_data()
{
    const Rows<int, QByteArray, int, QString> add("status", "body", "answer", "code");
    const auto row = [&](const char *name, int status, const QByteArray &body,
                         RecordedRequest::Answer answer, const char *code = "") {
        add(name, status, body, int(answer), QString::fromLatin1(code));
    };
    using Answer = RecordedRequest::Answer;
    row("accepted", 201, {}, Answer::Accepted);
    row("refused by a row", 409, R"({"error": {"code": "AnotherOperationInProgress"}})",
        Answer::Refused, "AnotherOperationInProgress");
    row("refused by nobody's row", 400, R"({"error": {"code": "Teapot"}})", Answer::Unknown);
    row("refused without words", 401, {}, Answer::Unknown);
    row("a gateway's", 502, {}, Answer::Lost);
    row("a gateway's patience", 504, {}, Answer::Lost);
    row("in trouble", 503, R"({"error": {"code": "NotFound"}})", Answer::Unknown);
    row("no answer", 0, {}, Answer::Lost);
}

void TestHistoryRecorder::answers()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    const History history = historyOf({ exchange(0, u"GET"_s, collection, 200, all({})),
        exchange(5, u"DELETE"_s, net, status, body) });
    QCOMPARE(history.requests.size(), 1);
    QTEST(int(history.requests.first().answer), "answer");
    QTEST(history.requests.first().code, "code");
    QCOMPARE(history.requests.first().request.id, u"e6"_s);
}

void TestHistoryRecorder::violates()
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
    QCOMPARE(verdict->violation->minimal, QList<int>({ 2, 3, 4 })); // exchanges have no header
    QCOMPARE(verdict->violation->details,
        u"GET /networking/v1/logicalNetworks/n, between 40 and 42 ms"_s);
}

void TestHistoryRecorder::oneAnswerIsOneMoment_data()
{
    const Rows<bool, HistorySearch::Outcome> row("separateReads", "outcome");
    row("parent and child are read together", false, HistorySearch::Outcome::Violates);
    row("each is read for itself", true, HistorySearch::Outcome::Conforms);
}

/// An answer that shows a parent at rest while its child is at work breaks the rules, unless the
/// pack says that the server reads each for itself.
void TestHistoryRecorder::oneAnswerIsOneMoment()
{
    QFETCH(const bool, separateReads);
    Pack pack = packNamed(u"network-controller"_s);
    pack.wire.separateReads = separateReads;
    const Rules rules = rulesOf(pack);
    const auto tree = [](const QByteArray &child, const QByteArray &etag) {
        QByteArray parent = document("n", "Succeeded", etag);
        parent.replace(
            R"("provisioningState")", R"("subnets": [)" + child + R"(], "provisioningState")");
        return parent;
    };
    const auto child = [](const QByteArray &state, const QByteArray &etag) {
        QByteArray text = document("n/subnets/s", state, etag);
        return text.replace(R"("resourceId": "n/subnets/s")", R"("resourceId": "s")");
    };
    HistoryRecorder historyRecorder(rules, u"e"_s);
    historyRecorder.add(
        exchange(0, u"GET"_s, collection, 200, all(tree(child("Succeeded", "y"), "x"))), 1);
    historyRecorder.add(exchange(10, u"DELETE"_s, net + u"/subnets/s"_s, 202), 2);
    historyRecorder.add(exchange(20, u"GET"_s, net, 200, tree(child("Deleting", "w"), "z")), 3);
    const History history = historyRecorder.recorded().history;
    QCOMPARE(history.observations.size(), 4);
    QTEST(verdictOn(history, rules)->outcome, "outcome");
    const History read = valueOf(readHistory(writeHistory(history), u"e"_s, pack));
    QCOMPARE(writeHistory(read), writeHistory(history));
}

void TestHistoryRecorder::leftOut()
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
    // What came to be then was not there before, however it is seen.
    const History made =
        historyOf({ exchange(0, u"GET"_s, collection, 200, all({})), fired,
                      exchange(20, u"GET"_s, net, 200, document("n", "Updating")) },
            &left);
    QCOMPARE(left, QStringList());
    QCOMPARE(made.requests.size(), 1);
    QVERIFY(made.resources.isEmpty());
}

/// 201 says that the target was not there before, unless something may have removed it meanwhile.
void TestHistoryRecorder::newWhereAnsweredCreated()
{
    Exchange made = put(10, net, document("n", "Updating", "y"));
    made.status = 201;
    const Exchange asked =
        exchange(30, u"GET"_s, u"/operations/77"_s, 200, R"({"status": "Succeeded"})");
    QStringList left;
    const History history = historyOf(
        { made, asked, exchange(40, u"GET"_s, net, 200, document("n", "Updating", "y")) }, &left);
    QCOMPARE(left, QStringList());
    QVERIFY(history.resources.isEmpty());
    QCOMPARE(history.requests.size(), 1);
    const Result<HistoryVerdict> verdict = verdictOn(history, postingRules());
    QVERIFY(verdict && verdict->violation);
    QCOMPARE(verdict->violation->line, 3);
    // Of two that make it one comes second.
    const Exchange again = put(11, net, document("n", "Updating", "y"));
    historyOf({ made, again }, &left);
    QCOMPARE(left, QStringList());
    const QStringList leftOut { net.toCaseFolded() };
    const Exchange removed = exchange(9, u"DELETE"_s, net, 202);
    historyOf({ removed, made }, &left);
    QCOMPARE(left, leftOut);
    // What is above was there.
    Exchange below = put(10, net + u"/subnets/s"_s, document("s", "Updating"));
    below.status = 201;
    historyOf({ below }, &left);
    QCOMPARE(left, leftOut);
}

/// 202 says that there is something to remove; where there is not the answer is 204.
void TestHistoryRecorder::removedThoughNotThere()
{
    const auto judged = [](int status) {
        const History history = historyOf({ exchange(0, u"GET"_s, collection, 200, all({})),
            exchange(10, u"DELETE"_s, net, status) });
        return *verdictOn(history, postingRules());
    };
    QCOMPARE(judged(204).outcome, HistorySearch::Outcome::Conforms);
    const HistoryVerdict wrong = judged(202);
    QVERIFY(wrong.violation);
    QCOMPARE(
        wrong.violation->rule, u"The resource does not exist, so there is nothing to delete."_s);
    QVERIFY(wrong.violation->source.contains(u"MS-NCNBI"_s));
    QVERIFY(wrong.violation->allowed.contains(u"accepted, but done without any work"_s));
}

/// A question that was sent before the first request and answered after it may have come first:
/// that may explain what follows, and accuses nobody.
void TestHistoryRecorder::seenWhileAsked()
{
    Exchange first = exchange(0, u"GET"_s, collection, 200, all(document("n", "Succeeded")));
    first.duration = 1000;
    const Exchange made = put(10, net, document("n", "Updating", "y"));
    const Exchange stood =
        exchange(2000, u"GET"_s, u"/operations/77"_s, 200, R"({"status": "Succeeded"})");
    const auto judged = [&](const char *last) {
        QStringList left;
        const History history = historyOf(
            { first, made, stood, exchange(3000, u"GET"_s, net, 200, document("n", last, "y")) },
            &left);
        return std::pair(left, *verdictOn(history, postingRules()));
    };
    const auto [left, right] = judged("Succeeded");
    QCOMPARE(left, QStringList());
    QCOMPARE(right.outcome, HistorySearch::Outcome::Conforms);
    QCOMPARE(right.of, 5);
    QCOMPARE(right.notJudged, QStringList());
    const HistoryVerdict wrong = judged("Failed").second;
    QCOMPARE(wrong.outcome, HistorySearch::Outcome::NothingJudged);
    QCOMPARE(wrong.notJudged, QStringList { net.toCaseFolded() });
    // What the request itself was answered tells nothing of before.
    QCOMPARE(historyOf({ made, stood }).size(), 0);
}

/// What is asked of one may move the others, so what they were is known from before that.
void TestHistoryRecorder::connectedTrees()
{
    const Rules rules = rulesOf(packNamed(u"pulumi"_s));
    const auto at = [](int time, const QString &method, const QString &path, int status,
                        const QByteArray &body) {
        return exchanged(time, method, u"http://127.0.0.1:1/pulumi"_s + path, status, body);
    };
    const auto resources = [](const char *site) {
        return R"({"resources": [{"id": "site", "state": ")" + QByteArray(site)
            + R"(", "inputs": {"dependsOn": ["/resources/bucket"]}},
            {"id": "bucket", "state": "managed", "inputs": {}}]})";
    };
    const Exchange program = at(0, u"GET"_s, u"/programs"_s, 200,
        R"({"resources": [{"id": "main", "state": "running", "inputs": {}}]})");
    const Exchange asked = at(20, u"DELETE"_s, u"/resources/bucket"_s, 204, {});
    const Exchange later = at(30, u"GET"_s, u"/resources"_s, 200, resources("deleting"));
    const auto chronicled = [&](const QByteArray &before) {
        HistoryRecorder historyRecorder(rules, u"e"_s);
        const Exchange first = at(10, u"GET"_s, u"/resources"_s, 200, before);
        for (const Exchange &one : { program, first, asked, later })
            historyRecorder.add(one, int(one.number));
        return historyRecorder.recorded();
    };
    const RecordedHistory known = chronicled(resources("managed"));
    QCOMPARE(known.leftOut, QStringList());
    QStringList paths;
    for (const ResourceSpec &resource : known.history.resources)
        paths += resource.path + u' ' + resource.state;
    // In the order in which the server has them: its rules may go by that.
    QCOMPARE(paths,
        (QStringList { u"/programs/main running"_s, u"/resources/site managed"_s,
            u"/resources/bucket managed"_s }));
    // One of which nobody knows what it was takes those with it that it could have moved.
    const RecordedHistory restless = chronicled(resources("deleting"));
    QCOMPARE(restless.leftOut,
        (QStringList { u"/programs/main"_s, u"/resources/bucket"_s, u"/resources/site"_s }));
    QVERIFY(restless.history.requests.isEmpty() && restless.history.resources.isEmpty());
}

/// An answer that tells how work has ended was no refusal.
void TestHistoryRecorder::refusedOrFailed()
{
    const Rules rules = rulesOf(packNamed(u"aps"_s));
    const auto answered = [&](int status, const QByteArray &code) {
        HistoryRecorder historyRecorder(rules, u"e"_s);
        const QString url = u"http://127.0.0.1:1/application/resources"_s;
        historyRecorder.add(
            exchanged(0, u"GET"_s, url, 200, R"([{"aps": {"id": "vps", "status": "aps:ready"}}])"),
            1);
        historyRecorder.add(exchanged(10, u"GET"_s, url + u"/vps/links"_s, 200, "[]"), 2);
        historyRecorder.add(exchanged(20, u"DELETE"_s, url + u"/vps"_s, status,
                                R"({"code": 405, "type": ")" + code + R"(", "message": "no"})"),
            3);
        const History history = historyRecorder.recorded().history;
        return history.requests.isEmpty() ? -1 : int(history.requests.first().answer);
    };
    QCOMPARE(answered(405, "MethodNotAllowed"), int(RecordedRequest::Answer::Unknown));
    QCOMPARE(answered(405, "NotSupported"), int(RecordedRequest::Answer::Refused));
    // Nor is one that something which it requires was refused with.
    const auto inPulumi = [](const QString &method) {
        const Rules pulumi = rulesOf(packNamed(u"pulumi"_s));
        HistoryRecorder historyRecorder(pulumi, u"e"_s);
        const QString url = u"http://127.0.0.1:1/pulumi/resources"_s;
        historyRecorder.add(exchanged(0, u"GET"_s, url, 200, R"({"resources": []})"), 1);
        Exchange asked = exchanged(10, method, url + u"/bucket"_s, 409,
            R"({"code": "UpdateInProgress", "message": "no"})");
        asked.requestBody = R"({"id": "bucket", "inputs": {}})";
        historyRecorder.add(asked, 2);
        return int(historyRecorder.recorded().history.requests.value(0).answer);
    };
    QCOMPARE(inPulumi(u"DELETE"_s), int(RecordedRequest::Answer::Unknown));
    const auto meant = [&](const QByteArray &code) {
        return WireRules(rules).error(R"({"code": 405, "type": ")" + code + R"("})", 405).means;
    };
    QCOMPARE(meant("MethodNotAllowed"), std::optional(Status::Failed));
    QCOMPARE(meant("NotSupported"), std::nullopt);
}

void TestHistoryRecorder::madeInACollection_data()
{
    const Rows<QByteArray, QByteArray, QString, int, QString> add(
        "asked", "answered", "location", "status", "path");
    const auto row = [&](const char *name, const QByteArray &asked, const QByteArray &answered,
                         const QString &location, int status, const QString &path) {
        add(name, asked, answered, location, status, collection + path);
    };
    const QByteArray made = document("made", "Updating"), named = document("asked", "");
    row("by the answer", "{}", made, {}, 201, u"/made"_s);
    row("by the answer, not the body", named, made, {}, 201, u"/made"_s);
    row("by Location", "{}", {}, u"/networking/v1/logicalNetworks/there"_s, 201, u"/there"_s);
    row("Location is elsewhere", named, {}, u"/networking/v1/operations/9"_s, 202, u"/asked"_s);
    row("by the body, no answer", named, {}, {}, 0, u"/asked"_s);
    row("by the body, refused", named, R"({"error": {"code": "NotFound"}})", {}, 404, u"/asked"_s);
}

void TestHistoryRecorder::madeInACollection()
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
    QCOMPARE(history.requests.first().answer == RecordedRequest::Answer::Lost, status == 0);
}

/// What appears there then is nobody's fault.
void TestHistoryRecorder::madeUnderANameThatNobodyKnows()
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
    QCOMPARE(verdictOn(history, rules)->outcome, HistorySearch::Outcome::NothingJudged);
}

const TestClass<TestHistoryRecorder> registered;
#include "tst_historyrecorder.moc"
