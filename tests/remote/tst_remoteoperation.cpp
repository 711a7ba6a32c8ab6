// SPDX-License-Identifier: Apache-2.0
// Long-running operations from the first answer to the end: the flows of the public contract of
// Azure's resource manager, and servers that break it. Each row is a conversation; what
// the operation waits for after each answer is compared as text. Also the rows' words, order and
// delays.

#include "model/remote/remoteoperation.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QDateTime>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 Now = 1'800'000'000'000; // ms since 1970

WireFollow rows()
{
    WireFollow rows;
    rows.order = { u"operation"_s, u"result"_s, u"resource"_s };
    rows.operationHeaders = { u"Azure-AsyncOperation"_s, u"Operation-Location"_s };
    rows.resultHeaders = { u"Location"_s };
    rows.delayHeaders = { u"Retry-After"_s };
    rows.running = { u"InProgress"_s };
    rows.succeeded = { u"Succeeded"_s };
    rows.failed = { u"Failed"_s };
    rows.canceled = { u"Canceled"_s, u"Cancelled"_s };
    return rows;
}

/// The wire rules of a pack whose documents are Azure's, with these rows; they are kept.
const WireRules &wireOf(const WireFollow &follow = rows())
{
    static std::vector<std::pair<std::unique_ptr<Rules>, std::unique_ptr<WireRules>>> kept;
    Pack pack = packNamed(u"network-controller"_s);
    pack.wire.follow = follow;
    auto rules = std::make_unique<Rules>(rulesOf(pack));
    auto wire = std::make_unique<WireRules>(*rules);
    kept.emplace_back(std::move(rules), std::move(wire));
    return *kept.back().second;
}

/// "201 Header: value; Header: value | body"; the body words Updating etc. stand for documents.
HttpResponse answer(const QString &line)
{
    HttpResponse response;
    const QString head = line.section(u" | "_s, 0, 0);
    response.status = head.section(u' ', 0, 0).toInt();
    for (const QString &header : head.section(u' ', 1).split(u"; "_s, Qt::SkipEmptyParts))
        response.headers.append(
            header.section(u": "_s, 0, 0).toUtf8(), header.section(u": "_s, 1).toUtf8());
    QString body = line.section(u" | "_s, 1);
    if (body.startsWith(u"resource "_s))
        body = u"{\"properties\": {\"provisioningState\": \"%1\"}}"_s.arg(body.section(u' ', 1));
    else if (body.startsWith(u"operation "_s))
        body = u"{\"status\": \"%1\"}"_s.arg(body.section(u' ', 1));
    else if (body.startsWith(u"error "_s))
        body =
            u"{\"error\": {\"code\": \"%1\", \"message\": \"Why.\"}}"_s.arg(body.section(u' ', 1));
    response.body = body.toUtf8();
    return response;
}

/// An operation and its wire rules. Each take() gives what it waits for then.
struct Following
{
    RemoteOperation operation;
    const WireRules &wire;
    std::optional<Change::Kind> report {};

    QString take(OperationEvent event)
    {
        OperationStep step = next(wire, operation, event);
        operation = step.operation;
        report = step.report;
        return said(event.now);
    }
    QString take(const QString &line, qint64 now = Now)
    {
        return take(OperationEvent { .now = now, .response = answer(line) });
    }
    QString takeProblem(const QString &problem)
    {
        return take(OperationEvent { .now = Now, .problem = problem });
    }
    QString said(qint64 now) const
    {
        const qint64 delay = operation.notBefore - now;
        if (operation.isPolled())
            return u"ask %1 in %2"_s
                .arg(operation.url.toString(QUrl::RemoveScheme | QUrl::RemoveAuthority))
                .arg(delay);
        const OperationEnd &end = operation.end;
        if (!operation.hasEnded())
            return u"send again in %1"_s.arg(delay);
        if (end.code == u"Lost" || end.code == u"Forgotten")
            return end.code.toLower() + u": "_s + end.message;
        QString text = statusName(end.status);
        if (!end.code.isEmpty())
            text += u' ' + end.code;
        if (end.http)
            text += u' ' + QString::number(end.http);
        if (end.resource)
            text += u" with document"_s;
        return text;
    }
};

/// Answers one after the other, each as early as it was allowed; what was said to each.
QStringList conversation(Following following, const QStringList &answers)
{
    QStringList lines;
    qint64 now = Now;
    for (const QString &line : answers) {
        lines += following.take(line, now);
        if (following.operation.hasEnded())
            break;
        now = following.operation.notBefore;
    }
    return lines;
}

Following following(
    const QByteArray &method, const PollOptions &options = {}, const WireRules &wire = wireOf())
{
    return { { .method = method,
                 .url = QUrl(u"http://127.0.0.1:8080/v1/racks/r1"_s),
                 .path = u"/logicalNetworks/r1"_s,
                 .options = options },
        wire };
}

class TestRemoteOperation : public QObject
{
    Q_OBJECT

private slots:
    void flows_data();
    void flows();
    void problems();
    void takesNothingAfterTheEnd();
    void reports_data();
    void reports();
    void outcomes();
    void rowsOfThePack_data();
    void rowsOfThePack();
    void doneAtOnceIsNotForgotten();
    void patience();
    void namedMayComeTwice();
    void resourceElsewhere();
    void delays_data();
    void delays();
};

void TestRemoteOperation::flows_data()
{
    const Rows<QByteArray, QStringList, QStringList> row("method", "answers", "expected");
    const QString op = u"Azure-AsyncOperation: /op/1"_s;
    const QString location = u"Location: /res/1"_s;

    // PUT and PATCH: done at once
    row("PUT 200 without a state", "PUT", { u"200 | {\"id\": 1}"_s },
        { u"Succeeded with document"_s });
    row("PUT 204", "PUT", { u"204"_s }, { u"Succeeded"_s });
    row("PUT 200 that has failed", "PUT", { u"200 | resource Failed"_s },
        { u"Failed InternalServerError with document"_s });
    row("PUT 201 that was canceled", "PUT", { u"201 | resource Canceled"_s },
        { u"Canceled InternalServerError with document"_s });

    // PUT and PATCH: the resource is asked
    row("PUT 201, resource", "PUT",
        { u"201 Retry-After: 2 | resource Creating"_s, u"200 | resource Creating"_s,
            u"200 | resource Succeeded"_s },
        { u"ask /v1/racks/r1 in 2000"_s, u"ask /v1/racks/r1 in 60000"_s,
            u"Succeeded with document"_s });

    // PUT and PATCH: the operation is asked, then the resource
    row("PUT 201, operation", "PUT",
        { u"201 %1; Retry-After: 0 | resource Updating"_s.arg(op),
            u"200 Retry-After: 1 | operation InProgress"_s, u"200 | operation Succeeded"_s,
            u"200 | resource Succeeded"_s },
        { u"ask /op/1 in 0"_s, u"ask /op/1 in 1000"_s, u"ask /v1/racks/r1 in 0"_s,
            u"Succeeded with document"_s });
    row("PUT 200, operation, any word runs", "PUT",
        { u"200 %1 | resource Updating"_s.arg(op), u"200 | operation Accepted"_s,
            u"200 | operation ZZZ"_s, u"200 | operation SUCCEEDED"_s,
            u"200 | resource Updating"_s },
        { u"ask /op/1 in 60000"_s, u"ask /op/1 in 60000"_s, u"ask /op/1 in 60000"_s,
            u"ask /v1/racks/r1 in 0"_s, u"Succeeded with document"_s });
    row("PATCH 202, operation by another header", "PATCH",
        { u"202 operation-location: /op/2"_s, u"200 | operation succeeded"_s, u"404"_s },
        { u"ask /op/2 in 60000"_s, u"ask /v1/racks/r1 in 0"_s, u"Succeeded"_s });
    row("PUT, operation fails", "PUT",
        { u"201 %1 | resource Updating"_s.arg(op),
            u"200 | {\"status\": \"Failed\", \"error\": {\"code\": \"Full\", \"message\": \"No room.\"}}"_s },
        { u"ask /op/1 in 60000"_s, u"Failed Full"_s });
    row("PUT, state done, operation knows better", "PUT",
        { u"200 %1 | resource Succeeded"_s.arg(op), u"200 | operation InProgress"_s,
            u"200 | operation Failed"_s },
        { u"ask /op/1 in 0"_s, u"ask /op/1 in 60000"_s, u"Failed InternalServerError"_s });
    row("PUT, state done, operation unknown", "PUT",
        { u"200 %1 | resource Succeeded"_s.arg(op), u"404"_s },
        { u"ask /op/1 in 0"_s, u"Succeeded with document"_s });
    row("PUT, final question fails for ever", "PUT",
        { u"201 %1 | resource Updating"_s.arg(op), u"200 | operation Succeeded"_s, u"500"_s,
            u"500"_s, u"500"_s, u"500"_s, u"500"_s },
        { u"ask /op/1 in 60000"_s, u"ask /v1/racks/r1 in 0"_s, u"ask /v1/racks/r1 in 1000"_s,
            u"ask /v1/racks/r1 in 2000"_s, u"ask /v1/racks/r1 in 4000"_s,
            u"ask /v1/racks/r1 in 8000"_s, u"Succeeded"_s });
    row("the operation moves", "PUT",
        { u"201 %1 | resource Updating"_s.arg(op),
            u"200 Azure-AsyncOperation: https://other.test/op/9 | operation InProgress"_s,
            u"200 | operation InProgress"_s, u"200 | operation Succeeded"_s, u"404"_s },
        { u"ask /op/1 in 60000"_s, u"ask /op/9 in 60000"_s, u"ask /op/9 in 60000"_s,
            u"ask /v1/racks/r1 in 0"_s, u"Succeeded"_s });

    // PUT and PATCH: the result is asked
    row("PUT 202, result without a body", "PUT",
        { u"202 %1"_s.arg(location), u"204"_s, u"200 | resource Succeeded"_s },
        { u"ask /res/1 in 60000"_s, u"ask /v1/racks/r1 in 0"_s, u"Succeeded with document"_s });
    row("PUT 202, result moves", "PUT",
        { u"202 %1"_s.arg(location), u"202 Location: /res/2"_s, u"202"_s, u"201 | {\"x\": 1}"_s },
        { u"ask /res/1 in 60000"_s, u"ask /res/2 in 60000"_s, u"ask /res/2 in 60000"_s,
            u"Succeeded with document"_s });
    row("PUT 202, result fails", "PUT", { u"202 %1"_s.arg(location), u"500 | error Full"_s },
        { u"ask /res/1 in 60000"_s, u"Failed Full 500"_s });
    row("PUT 202, result says canceled", "PUT",
        { u"202 %1"_s.arg(location), u"409 | error Canceled"_s },
        { u"ask /res/1 in 60000"_s, u"Canceled Canceled 409"_s });

    // DELETE
    row("DELETE 200", "DELETE", { u"200"_s }, { u"Succeeded"_s });
    row("DELETE 202, result", "DELETE",
        { u"202 %1; Retry-After: 15"_s.arg(location), u"202"_s, u"204"_s },
        { u"ask /res/1 in 15000"_s, u"ask /res/1 in 60000"_s, u"Succeeded"_s });
    row("DELETE 202, both: the operation is asked", "DELETE",
        { u"202 %1; %2; Retry-After: 0"_s.arg(op, location),
            u"200 Retry-After: 0 | operation InProgress"_s, u"200 | operation Succeeded"_s },
        { u"ask /op/1 in 0"_s, u"ask /op/1 in 100"_s, u"Succeeded"_s });
    row("DELETE 202, resource until it is gone", "DELETE",
        { u"202"_s, u"200 | resource Deleting"_s, u"404 | error NotFound"_s },
        { u"ask /v1/racks/r1 in 60000"_s, u"ask /v1/racks/r1 in 60000"_s, u"Succeeded"_s });
    row("DELETE 202, resource stays", "DELETE",
        { u"202 Retry-After: 0"_s, u"200 | resource Succeeded"_s, u"200 | {}"_s, u"200 | {}"_s,
            u"200 | {}"_s, u"200 | {}"_s },
        { u"ask /v1/racks/r1 in 0"_s, u"ask /v1/racks/r1 in 1000"_s, u"ask /v1/racks/r1 in 2000"_s,
            u"ask /v1/racks/r1 in 4000"_s, u"ask /v1/racks/r1 in 8000"_s,
            u"lost: The operation's outcome is unknown: 5 polls of http://127.0.0.1:8080/v1/racks/r1 gave no result; the last time, the resource still exists, and no operation seems to remove it."_s });

    // POST
    row("POST 200", "POST", { u"200 | {\"x\": 1}"_s }, { u"Succeeded with document"_s });
    row("POST 202, both: the result is asked last", "POST",
        { u"202 %1; %2"_s.arg(op, location), u"200 | operation Succeeded"_s,
            u"200 | {\"x\": 1}"_s },
        { u"ask /op/1 in 60000"_s, u"ask /res/1 in 0"_s, u"Succeeded with document"_s });
    row("POST 303", "POST", { u"303 Location: /res/1"_s, u"200 | {}"_s },
        { u"ask /res/1 in 0"_s, u"Succeeded with document"_s });
    row("GET", "GET", { u"200 %1 | resource Updating"_s.arg(op) },
        { u"Succeeded with document"_s });

    // Refused
    row("412 without a body", "PUT", { u"412"_s }, { u"Rejected Http412 412"_s });
    row("500 at first", "DELETE", { u"500 Retry-After: 1 | oops"_s }, { u"Failed Http500 500"_s });
    row("429 at first", "POST", { u"429 | error Busy"_s }, { u"Rejected Busy 429"_s });
    row("503 at first, to come back", "PUT",
        { u"503 Retry-After: 1"_s, u"503 Retry-After: 0"_s, u"200 | resource Succeeded"_s },
        { u"send again in 1000"_s, u"send again in 200"_s, u"Succeeded with document"_s });
    row("429 at first, to come back, for ever", "POST",
        { u"429 Retry-After: 2"_s, u"429 Retry-After: 2"_s, u"429 Retry-After: 2"_s,
            u"429 Retry-After: 2 | error Busy"_s },
        { u"send again in 2000"_s, u"send again in 2000"_s, u"send again in 2000"_s,
            u"Rejected Busy 429"_s });
    row("503 to what may not be sent twice", "POST", { u"503 Retry-After: 1"_s },
        { u"Rejected Http503 503"_s });
    row("429 at first, to come back tomorrow", "PUT", { u"429 Retry-After: 86400"_s },
        { u"Rejected Http429 429"_s });
    row("redirected at first", "PUT", { u"307 Location: /elsewhere"_s },
        { u"Rejected Http307 307"_s });

    // The result's body knows better than its status
    row("result that is queued", "DELETE",
        { u"202 %1"_s.arg(location), u"200 | operation queued"_s, u"200 | operation Succeeded"_s },
        { u"ask /res/1 in 60000"_s, u"ask /res/1 in 60000"_s, u"Succeeded with document"_s });
    row("result of a PUT that is an operation", "PUT",
        { u"202 %1"_s.arg(location), u"200 | operation Succeeded"_s,
            u"200 | resource Succeeded"_s },
        { u"ask /res/1 in 60000"_s, u"ask /v1/racks/r1 in 0"_s, u"Succeeded with document"_s });
    row("result that is a resource at work", "DELETE",
        { u"202 %1"_s.arg(location), u"200 | resource Deleting"_s, u"204"_s },
        { u"ask /res/1 in 60000"_s, u"ask /res/1 in 60000"_s, u"Succeeded"_s });

    // Redirects
    row("sent on to a file at first", "POST", { u"303 Location: file:///etc/passwd"_s },
        { u"lost: The server accepted the request and redirects to \"file:///etc/passwd\". This program does not follow that redirect."_s });
    row("redirects that the connection does not follow", "DELETE",
        { u"202 %1; Retry-After: 0"_s.arg(location), u"302"_s, u"204"_s },
        { u"ask /res/1 in 0"_s, u"ask /res/1 in 1000"_s, u"Succeeded"_s });

    // Servers that break the contract
    row("POST 202 that says nothing", "POST", { u"202"_s },
        { u"lost: The server accepted the request, but named no URL for its status."_s });
    row("POST 202 with a place that is none", "POST", { u"202 Location: ftp://x/y"_s },
        { u"lost: The server accepted the request, but the status URL that it names, \"ftp://x/y\", is invalid."_s });
    row("a bad place and a good one", "PUT",
        { u"201 Azure-AsyncOperation: http://; %1 | resource Updating"_s.arg(location),
            u"200 | resource Succeeded"_s },
        { u"ask /res/1 in 60000"_s, u"Succeeded with document"_s });
    row("bad delay", "PUT",
        { u"201 %1; Retry-After: /bar | resource Updating"_s.arg(op),
            u"200 Retry-After: -5 | operation Failed"_s },
        { u"ask /op/1 in 60000"_s, u"Failed InternalServerError"_s });
    row("endless delay", "PUT",
        { u"201 %1; Retry-After: 99999999999999999999 | resource Updating"_s.arg(op) },
        { u"ask /op/1 in 3600000"_s });
    row("PUT with broken JSON", "PUT",
        { u"200 | {\"properties\""_s, u"200 | resource Succeeded"_s },
        { u"ask /v1/racks/r1 in 60000"_s, u"Succeeded with document"_s });

    const QStringList tries { u"ask /op/1 in 0"_s, u"ask /op/1 in 1000"_s, u"ask /op/1 in 2000"_s,
        u"ask /op/1 in 4000"_s, u"ask /op/1 in 8000"_s };
    const auto broken = [&](const char *name, const QString &poll, const QString &reason) {
        QStringList answers { u"201 %1; Retry-After: 0 | resource Updating"_s.arg(op) };
        for (int i = 0; i < 5; ++i)
            answers += poll;
        const QString word = poll.startsWith(u"404") ? u"forgotten"_s : u"lost"_s;
        const QString lost = word
            + u": The operation's outcome is unknown: 5 polls of http://127.0.0.1:8080/op/1 gave no result; the last time, %1."_s;
        row(name, "PUT", answers, tries + QStringList { lost.arg(reason) });
    };
    broken("a status that is no word", u"200 | {\"status\": 17}"_s,
        u"the answer did not contain the operation's status"_s);
    broken("no body", u"200"_s, u"the answer was empty"_s);
    broken("broken JSON", u"200 | {\"status\": \"Succ"_s,
        u"the answer could not be read: the operation:1:17: expected '\"' at the end of the string, found the end of the file"_s);
    broken("400", u"400 | error BadRequest"_s, u"the server answered 400: Why"_s);
    broken("404", u"404"_s, u"the server answered 404"_s);
    broken("503 for ever", u"503"_s, u"the server answered 503"_s);

    row("429 and 503 with Retry-After", "DELETE",
        { u"202 %1"_s.arg(location), u"429 Retry-After: 7"_s, u"503 Retry-After: 0 | error Busy"_s,
            u"204"_s },
        { u"ask /res/1 in 60000"_s, u"ask /res/1 in 7000"_s, u"ask /res/1 in 1000"_s,
            u"Succeeded"_s });
    row("result 500 without a reason, for ever", "DELETE",
        { u"202 %1; Retry-After: 0"_s.arg(location), u"500"_s, u"500"_s, u"500"_s, u"500"_s,
            u"500"_s },
        { u"ask /res/1 in 0"_s, u"ask /res/1 in 1000"_s, u"ask /res/1 in 2000"_s,
            u"ask /res/1 in 4000"_s, u"ask /res/1 in 8000"_s, u"Failed Http500 500"_s });
    // Of a removal that the server does not know the resource tells more.
    for (const auto &[where, header] :
        { std::pair(u"/res/1"_s, location), std::pair(u"/op/1"_s, op) }) {
        const QString first = u"202 %1; Retry-After: 0"_s.arg(header);
        const QString there = u"ask %1 in %2"_s.arg(where), resource = u"ask /v1/racks/r1 in 0"_s;
        row(qPrintable(where + u" is not known, and the resource is gone"_s), "DELETE",
            { first, u"404 | error NotFound"_s, u"404"_s },
            { there.arg(0), resource, u"Succeeded"_s });
        row(qPrintable(where + u" is not known, and the resource is being removed"_s), "DELETE",
            { first, u"410"_s, u"200 | resource Deleting"_s, u"404"_s },
            { there.arg(0), resource, u"ask /v1/racks/r1 in 60000"_s, u"Succeeded"_s });
        row(qPrintable(where + u" is not known yet"_s), "DELETE",
            { first, u"404"_s, u"200 | resource Succeeded"_s,
                where == u"/op/1" ? u"200 | operation Succeeded"_s : u"204"_s },
            { there.arg(0), resource, there.arg(1000), u"Succeeded"_s });
        QStringList answers { first };
        QStringList expected { there.arg(0) };
        for (const char *wait : { "1000", "2000", "4000", "8000", "" }) {
            answers += { u"404 | error NotFound"_s, u"200 | resource Succeeded"_s };
            expected += resource;
            if (*wait)
                expected += there.arg(QLatin1StringView(wait));
        }
        expected +=
            u"forgotten: The operation's outcome is unknown: 5 polls of http://127.0.0.1:8080%1 gave no result; the last time, the server answered 404: Why."_s
                .arg(where);
        row(qPrintable(where + u" is not known, and the resource stays"_s), "DELETE", answers,
            expected);
    }
    row("an action is not known", "POST",
        { u"202 %1; Retry-After: 0"_s.arg(location), u"404"_s, u"404"_s, u"404"_s, u"404"_s,
            u"404"_s },
        { u"ask /res/1 in 0"_s, u"ask /res/1 in 1000"_s, u"ask /res/1 in 2000"_s,
            u"ask /res/1 in 4000"_s, u"ask /res/1 in 8000"_s,
            u"forgotten: The operation's outcome is unknown: 5 polls of http://127.0.0.1:8080/res/1 gave no result; the last time, the server answered 404."_s });
}

void TestRemoteOperation::flows()
{
    QFETCH(const QByteArray, method);
    QFETCH(const QStringList, answers);
    QFETCH(const QStringList, expected);
    Following follow = following(method);
    QCOMPARE(conversation(follow, answers).join(u'\n'), expected.join(u'\n'));
}

void TestRemoteOperation::problems()
{
    Following follow =
        following("PUT", { .usualDelay = 5, .mostFailures = 2, .firstBackoff = 100 });
    follow.take(u"201 Azure-AsyncOperation: /op/1 | resource Updating"_s);
    QCOMPARE(follow.takeProblem(u"the connection broke"_s), u"ask /op/1 in 100"_s);
    QCOMPARE(follow.takeProblem(u"the connection broke"_s), u"ask /op/1 in 200"_s);
    // An answer makes good for all.
    QCOMPARE(follow.take(u"200 | operation InProgress"_s), u"ask /op/1 in 5"_s);
    follow.takeProblem(u"the connection broke"_s);
    follow.takeProblem(u"the connection broke."_s);
    QVERIFY(follow.takeProblem(u"the connection broke."_s)
                .endsWith(u"gave no result; the last time, the connection broke."_s));

    WireFollow calls = rows(); // a call that nobody answers is made again: the task goes on
    calls.order = QStringList { u"again"_s };
    Following called = following("POST", {}, wireOf(calls));
    called.take(u"202"_s);
    QCOMPARE(called.takeProblem(u"silence"_s), u"send again in 1000"_s);

    Following never = following("PUT");
    QCOMPARE(never.takeProblem(u"It is not known whether the request arrived."_s),
        u"lost: It is not known whether the request arrived."_s);
}

void TestRemoteOperation::takesNothingAfterTheEnd()
{
    Following follow = following("DELETE");
    follow.take(u"204"_s);
    const OperationEnd end = follow.operation.end;
    QCOMPARE(follow.take(u"500"_s), u"Succeeded"_s);
    QCOMPARE(follow.takeProblem(u"late"_s), u"Succeeded"_s);
    QVERIFY(follow.operation.end == end);
}

void TestRemoteOperation::reports_data()
{
    // report: -1: none
    const Rows<QByteArray, OperationEvent, int, QString> add(
        "method", "event", "report", "expected");
    using Kind = Change::Kind;
    constexpr int none = -1;
    const auto row = [&](const char *name, const char *method, OperationEvent event, auto report,
                         const QString &expected) {
        event.now = Now;
        add(name, QByteArray(method), event, int(report), expected);
    };
    const HttpResponse accepted =
        answer(u"202 Azure-AsyncOperation: /op/7; Retry-After: 1 | resource Updating"_s);
    const QString asksOperation = u"ask /op/7 in 1000"_s;
    row("refused", "PUT", { .response = answer(u"409 | error Full"_s) }, Kind::Rejected,
        u"Rejected Full 409"_s);
    row("failed at once", "PUT", { .response = answer(u"500 | error Full"_s) }, none,
        u"Failed Full 500"_s);
    row("delayed", "PUT", { .response = answer(u"429 Retry-After: 2"_s) }, none,
        u"send again in 2000"_s);
    row("accepted", "DELETE", { .response = accepted }, Kind::Started, asksOperation);
    row("done at once", "PUT", { .response = answer(u"200 | resource Succeeded"_s) }, Kind::Started,
        u"Succeeded with document"_s);
    row("removed at once", "DELETE", { .response = answer(u"204"_s) }, Kind::Started,
        u"Succeeded"_s);
    row("nothing to remove", "DELETE", { .response = answer(u"204"_s), .targetExists = false },
        Kind::Observed, u"Succeeded"_s);
    row("only read", "GET", { .response = answer(u"200 | {}"_s) }, Kind::Observed,
        u"Succeeded with document"_s);
    row("replayed", "PUT", { .response = accepted, .replayed = u"7"_s }, Kind::Replayed,
        asksOperation);
    row("a new operation", "PUT", { .response = accepted, .replayed = u"6"_s }, Kind::Started,
        asksOperation);
    row("a gateway in trouble", "PUT", { .response = answer(u"504"_s) }, Kind::Started,
        u"lost: A gateway answered 504; the request may or may not have taken effect."_s);
    row("no answer", "PUT", { .problem = u"Silence."_s }, Kind::Closed, u"lost: Silence."_s);
    row("not sent", "PUT", { .problem = u"No way."_s, .wasSent = false }, Kind::Rejected,
        u"Rejected NotSent"_s);
    row("given up", "PUT", { .problem = u"Closed here."_s, .isLast = true }, none,
        u"lost: Closed here."_s);
}

/// What the answer to the request, or its lack, tells.
void TestRemoteOperation::reports()
{
    QFETCH(const QByteArray, method);
    QFETCH(const OperationEvent, event);
    QFETCH(const int, report);
    Following follow = following(method);
    QTEST(follow.take(event), "expected");
    QCOMPARE(follow.report ? int(*follow.report) : -1, report);
    if (follow.operation.hasEnded())
        return;
    // Polls report nothing but the end.
    follow.take(u"200 | operation Succeeded"_s);
    QCOMPARE(follow.report,
        event.response->status == 429 ? std::optional(Change::Kind::Started) : std::nullopt);
}

/// The pack's outcome with the code; neither a good one, nor one of an operation that was canceled.
void TestRemoteOperation::outcomes()
{
    Pack pack = packNamed(u"network-controller"_s);
    pack.outcomes += Outcome { .id = u"full"_s, .status = u"Failed"_s, .code = u"Full"_s };
    const Rules rules = rulesOf(pack);
    const Rules::TriggerId full = rules.trigger(u"full"_s);
    QVERIFY(full != Rules::None);
    QCOMPARE(outcomeOf(rules, { Status::Succeeded, u"Full"_s }), rules.succeeded);
    QCOMPARE(outcomeOf(rules, { Status::Canceled, u"Full"_s }), rules.canceled);
    QCOMPARE(outcomeOf(rules, { Status::Failed, u"Full"_s }), full);
    QCOMPARE(outcomeOf(rules, { Status::Failed, u"Lost"_s }), rules.failed);
    QCOMPARE(outcomeOf(rules, { Status::Failed }), rules.failed);
}

void TestRemoteOperation::rowsOfThePack_data()
{
    const Rows<QByteArray, WireFollow, QStringList, QString> add(
        "method", "wire", "answers", "expected");
    const QString both = u"202 Azure-AsyncOperation: /op/1; Location: /res/1"_s;
    const auto row = [&](const char *name, const char *method, const WireFollow &wire,
                         const QStringList &answers, const QString &expected) {
        add(name, QByteArray(method), wire, answers, expected);
    };
    WireFollow wire = rows();
    wire.succeeded.clear();
    wire.failed.clear();
    const QString runs = u"200 | resource Updating"_s;
    row("a state at rest", "PUT", wire, { runs, runs, u"200 | resource Succeeded"_s },
        u"ask /v1/racks/r1 in 60000\nask /v1/racks/r1 in 60000\nSucceeded with document"_s);
    row("a state of failure", "PUT", wire, { runs, u"200 | resource Failed"_s },
        u"ask /v1/racks/r1 in 60000\nFailed InternalServerError with document"_s);
    wire = rows();
    wire.order = QStringList { u"result"_s, u"operation"_s };
    row("the result first", "DELETE", wire, { both, u"204"_s },
        u"ask /res/1 in 60000\nSucceeded"_s);
    wire.order = QStringList { u"resource"_s };
    wire.usualDelay = 2;
    row("the resource only", "DELETE", wire, { both, u"404"_s },
        u"ask /v1/racks/r1 in 2000\nSucceeded"_s);
    // The request itself is sent again; an error ends it.
    wire = rows();
    wire.order = QStringList { u"again"_s };
    const QString later = u"202 Retry-After: 2"_s;
    row("again", "POST", wire, { later, later, u"200"_s },
        u"send again in 0\nsend again in 2000\nSucceeded"_s);
    row("again, and an error", "POST", wire, { later, u"409 | error Full"_s },
        u"send again in 0\nFailed Full 409"_s);
    row("again, and the result elsewhere", "POST", wire,
        { later, u"303 Location: /res/1"_s, u"204"_s },
        u"send again in 0\nask /res/1 in 0\nSucceeded"_s);
    row("again, refused", "POST", wire, { u"405"_s }, u"Rejected Http405 405"_s);
    // Without an order: the operation, then the result, then the resource.
    wire = rows();
    wire.order.clear();
    row("no order", "DELETE", wire, { both }, u"ask /op/1 in 60000"_s);
    row("no order, no operation", "DELETE", wire, { u"202 Location: /res/1"_s },
        u"ask /res/1 in 60000"_s);
    row("no order, neither", "DELETE", wire, { u"202"_s }, u"ask /v1/racks/r1 in 60000"_s);
}

/// The words, the order and the delays are the pack's; a word without a row is one of its states.
void TestRemoteOperation::rowsOfThePack()
{
    QFETCH(const QByteArray, method);
    QFETCH(const WireFollow, wire);
    QFETCH(const QStringList, answers);
    Following follow = following(method, {}, wireOf(wire));
    QTEST(conversation(follow, answers).join(u'\n'), "expected");
}

/// Neither where the operation's place does not answer at all, nor where it says nothing of use.
void TestRemoteOperation::doneAtOnceIsNotForgotten()
{
    const QString first = u"200 Azure-AsyncOperation: /op/1 | resource Succeeded"_s;
    Following silent = following("PUT", { .mostFailures = 1 });
    silent.take(first);
    silent.takeProblem(u"the connection broke"_s);
    QCOMPARE(silent.takeProblem(u"the connection broke"_s), u"Succeeded with document"_s);

    Following elsewhere = following("PUT", { .mostFailures = 0 });
    QCOMPARE(conversation(elsewhere, { first, u"302 Location: file:///op/1"_s }).last(),
        u"Succeeded with document"_s);
    Following failed = following("PUT", { .mostFailures = 0 });
    failed.take(u"200 Azure-AsyncOperation: /op/1 | resource Failed"_s);
    QCOMPARE(failed.takeProblem(u"the connection broke"_s),
        u"Failed InternalServerError with document"_s);
}

/// However eager the server is, it is not asked more often than makes sense; the longer it takes
/// the less often it is asked where it says nothing.
void TestRemoteOperation::patience()
{
    Following eager = following("DELETE");
    QStringList answers { u"202 Azure-AsyncOperation: /op/1; Retry-After: 0"_s };
    for (int i = 0; i < 60; ++i)
        answers += u"200 Retry-After: 0 | operation InProgress"_s;
    const QStringList lines = conversation(eager, answers);
    QCOMPARE(lines.first(), u"ask /op/1 in 0"_s);
    QCOMPARE(lines[1], u"ask /op/1 in 100"_s);
    QCOMPARE(lines[10], u"ask /op/1 in 100"_s);
    QVERIFY(lines[20] != lines[10]);
    QCOMPARE(lines.last(), u"ask /op/1 in 1000"_s);

    Following silent = following("DELETE", { .usualDelay = 2000 });
    answers = { u"202 Azure-AsyncOperation: /op/1"_s };
    for (int i = 0; i < 100; ++i)
        answers += u"200 | operation InProgress"_s;
    const QStringList later = conversation(silent, answers);
    QCOMPARE(later[5], u"ask /op/1 in 2000"_s);
    QCOMPARE(later.last(), u"ask /op/1 in 30000"_s);

    Following told = following("DELETE"); // who says when is asked then
    answers.fill(u"200 Retry-After: 1 | operation InProgress"_s);
    answers.first() = u"202 Azure-AsyncOperation: /op/1; Retry-After: 1"_s;
    QCOMPARE(conversation(told, answers).last(), u"ask /op/1 in 1000"_s);
}

void TestRemoteOperation::namedMayComeTwice()
{
    Following follow = following("POST");
    follow.operation.hasRequestId = true;
    QCOMPARE(conversation(follow, { u"503 Retry-After: 1"_s, u"204"_s }).join(u'\n'),
        u"send again in 1000\nSucceeded"_s);
    Following gone = following("PUT");
    gone.take(u"429 Retry-After: 1"_s);
    QCOMPARE(gone.takeProblem(u"It is not known whether the request arrived."_s),
        u"lost: It is not known whether the request arrived."_s);
}

/// What a POST makes can be read elsewhere, under the name that the server has given it.
void TestRemoteOperation::resourceElsewhere()
{
    Following follow = following("POST");
    follow.operation.path = u"/logicalNetworks/r7"_s;
    follow.operation.resource = QUrl(u"http://127.0.0.1/racks/r7"_s);
    QCOMPARE(conversation(follow,
                 { u"202 Retry-After: 1"_s, u"200 | resource Creating"_s,
                     u"200 | resource Succeeded"_s })
                 .join(u'\n'),
        u"ask /racks/r7 in 1000\nask /racks/r7 in 60000\nSucceeded with document"_s);
}

void TestRemoteOperation::delays_data()
{
    // expected: ms; -1: nothing
    const Rows<QByteArray, QByteArray, qint64> add("value", "date", "expected");
    const auto dated = [](qint64 ms) {
        return QLocale::c()
            .toString(QDateTime::fromMSecsSinceEpoch(Now + ms, Qt::UTC),
                u"ddd, dd MMM yyyy hh:mm:ss 'GMT'")
            .toLatin1();
    };
    const auto row = [&](const char *name, const QByteArray &value, const QByteArray &date,
                         qint64 expected) { add(name, value, date, expected); };
    row("seconds", "15", "", 15'000);
    row("zero", "0", "", 0);
    row("blanks", " 3 ", "", 3000);
    row("a fraction", "0.25", "", 250);
    row("negative", "-1", "", -1);
    row("not a number", "nan", "", -1);
    row("words", "soon", "", -1);
    row("nothing", "", "", -1);
    row("a date", dated(30'000), "", 30'000);
    row("a past date", dated(-30'000), "", 0);
    row("a date by the server's clock", dated(3'600'000), dated(3'590'000), 10'000);
    row("a date without a zone", "Sun, 06 Nov 1994 08:49:37", "", -1);
}

void TestRemoteOperation::delays()
{
    QFETCH(const QByteArray, value);
    QFETCH(const QByteArray, date);
    HttpHeaders headers { { "retry-after", value } };
    if (!date.isEmpty())
        headers.append("Date", date);
    QTEST(retryAfter(headers, { u"Retry-After"_s }, Now).value_or(-1), "expected");
}

} // namespace

const instar::TestClass<TestRemoteOperation> registered;
#include "tst_remoteoperation.moc"
