// SPDX-License-Identifier: Apache-2.0
// What decides how a long-running operation is followed: words, order and places of a pack's rows,
// bounds, and delays as servers write them.

#include "tests/remote/conversation.h"
#include "tests/support/testclass.h"

#include <QDateTime>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestPollRules : public QObject
{
    Q_OBJECT

private slots:
    void problems();
    void redirectsOfManyQuestions();
    void takesNothingAfterTheEnd();
    void otherWords();
    void orderOfTheRows();
    void noOrder_data();
    void noOrder();
    void doneAtOnceIsNotForgotten();
    void patience();
    void namedMayComeTwice();
    void resourceElsewhere();
    void delays_data();
    void delays();
};

/// Each question may be sent on anew; only one that is sent on and on leads in circles.
void TestPollRules::redirectsOfManyQuestions()
{
    OperationPoller follow = following("PUT", { .usualDelay = 5 });
    follow.take(answer(u"201 Azure-AsyncOperation: /op/1 | resource Updating"_s), Now);
    for (int i = 0; i < 30; ++i) {
        QCOMPARE(said(follow.take(answer(u"302 Location: /moved/1"_s), Now), Now),
            u"ask /moved/1 in 0"_s);
        QCOMPARE(said(follow.take(answer(u"200 | operation InProgress"_s), Now), Now),
            u"ask /op/1 in 5"_s);
    }
}

void TestPollRules::problems()
{
    OperationPoller follow =
        following("PUT", { .usualDelay = 5, .mostFailures = 2, .firstBackoff = 100 });
    follow.take(answer(u"201 Azure-AsyncOperation: /op/1 | resource Updating"_s), Now);
    QCOMPARE(said(follow.takeProblem(u"the connection broke"_s, Now), Now), u"ask /op/1 in 100"_s);
    QCOMPARE(said(follow.takeProblem(u"the connection broke"_s, Now), Now), u"ask /op/1 in 200"_s);
    // An answer makes good for all.
    QCOMPARE(
        said(follow.take(answer(u"200 | operation InProgress"_s), Now), Now), u"ask /op/1 in 5"_s);
    follow.takeProblem(u"the connection broke"_s, Now);
    follow.takeProblem(u"the connection broke."_s, Now);
    QVERIFY(said(follow.takeProblem(u"the connection broke."_s, Now), Now)
                .endsWith(u"was polled 3 times in vain; at last the connection broke."_s));

    OperationPoller never = following("PUT");
    QCOMPARE(said(never.takeProblem(u"It is not known whether the request arrived."_s, Now), Now),
        u"lost: It is not known whether the request arrived."_s);
}

void TestPollRules::takesNothingAfterTheEnd()
{
    OperationPoller follow = following("DELETE");
    follow.take(answer(u"204"_s), Now);
    const OperationPoller::Next end = follow.next();
    QVERIFY(std::holds_alternative<OperationPoller::End>(end));
    QVERIFY(follow.take(answer(u"500"_s), Now) == end);
    QVERIFY(follow.takeProblem(u"late"_s, Now) == end);
}

/// Words that the rows do not know are the pack's own states.
void TestPollRules::otherWords()
{
    PollReader own = reader();
    own.standing = [](const QString &word) {
        return word == u"ACTIVE" ? Status::Succeeded
            : word == u"ERROR"   ? Status::Failed
                                 : Status::InProgress;
    };
    WireFollow wire = rows();
    wire.order = QStringList { u"resource"_s };
    const OperationPoller::Sent asked { "PUT", QUrl(u"http://127.0.0.1/leases/l1"_s), {} };
    OperationPoller good(wire, own, asked);
    QCOMPARE(conversation(good,
                 { u"200 | resource STARTING"_s, u"200 | resource STARTING"_s,
                     u"200 | resource ACTIVE"_s })
                 .last(),
        u"Succeeded with document"_s);
    OperationPoller bad(wire, own, asked);
    QCOMPARE(conversation(bad, { u"200 | resource STARTING"_s, u"200 | resource ERROR"_s }).last(),
        u"Failed InternalServerError with document"_s);
}

void TestPollRules::orderOfTheRows()
{
    WireFollow wire = rows();
    wire.order = QStringList { u"result"_s, u"operation"_s };
    OperationPoller follow = following("DELETE", {}, wire);
    QCOMPARE(
        conversation(follow, { u"202 Azure-AsyncOperation: /op/1; Location: /res/1"_s, u"204"_s })
            .join(u'\n'),
        u"ask /res/1 in 60000\nSucceeded"_s);
    wire.order = QStringList { u"resource"_s };
    wire.usualDelay = 2;
    OperationPoller other = following("DELETE", {}, wire);
    QCOMPARE(
        conversation(other, { u"202 Azure-AsyncOperation: /op/1; Location: /res/1"_s, u"404"_s })
            .join(u'\n'),
        u"ask /v1/racks/r1 in 2000\nSucceeded"_s);
}

void TestPollRules::noOrder_data()
{
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("expected");
    QTest::newRow("all") << u"202 Location: /res/1; Azure-AsyncOperation: /op/1"_s
                         << u"ask /op/1 in 60000"_s;
    QTest::newRow("no operation") << u"202 Location: /res/1"_s << u"ask /res/1 in 60000"_s;
    QTest::newRow("neither") << u"202"_s << u"ask /v1/racks/r1 in 60000"_s;
}

/// Rows without an order: the operation, then the result, then the resource.
void TestPollRules::noOrder()
{
    QFETCH(const QString, first);
    QFETCH(const QString, expected);
    WireFollow wire = rows();
    wire.order.clear();
    OperationPoller follow = following("DELETE", {}, wire);
    QCOMPARE(conversation(follow, { first }).join(u'\n'), expected);
}

/// Neither where the operation's place does not answer at all, nor where it says nothing of use.
void TestPollRules::doneAtOnceIsNotForgotten()
{
    const QString first = u"200 Azure-AsyncOperation: /op/1 | resource Succeeded"_s;
    OperationPoller silent = following("PUT", { .mostFailures = 1 });
    silent.take(answer(first), Now);
    silent.takeProblem(u"the connection broke"_s, Now);
    QCOMPARE(said(silent.takeProblem(u"the connection broke"_s, Now), Now),
        u"Succeeded with document"_s);

    OperationPoller elsewhere = following("PUT", { .mostFailures = 0 });
    QCOMPARE(conversation(elsewhere, { first, u"302 Location: file:///op/1"_s }).last(),
        u"Succeeded with document"_s);
    OperationPoller failed = following("PUT", { .mostFailures = 0 });
    failed.take(answer(u"200 Azure-AsyncOperation: /op/1 | resource Failed"_s), Now);
    QCOMPARE(said(failed.takeProblem(u"the connection broke"_s, Now), Now),
        u"Failed InternalServerError with document"_s);
}

/// However eager the server is, it is not asked more often than makes sense; the longer it takes
/// the less often it is asked where it says nothing.
void TestPollRules::patience()
{
    OperationPoller eager = following("DELETE");
    QStringList answers { u"202 Azure-AsyncOperation: /op/1; Retry-After: 0"_s };
    for (int i = 0; i < 60; ++i)
        answers += u"200 Retry-After: 0 | operation InProgress"_s;
    const QStringList lines = conversation(eager, answers);
    QCOMPARE(lines.first(), u"ask /op/1 in 0"_s);
    QCOMPARE(lines[1], u"ask /op/1 in 100"_s);
    QCOMPARE(lines[10], u"ask /op/1 in 100"_s);
    QVERIFY(lines[20] != lines[10]);
    QCOMPARE(lines.last(), u"ask /op/1 in 1000"_s);

    OperationPoller silent = following("DELETE", { .usualDelay = 2000 });
    answers = { u"202 Azure-AsyncOperation: /op/1"_s };
    for (int i = 0; i < 100; ++i)
        answers += u"200 | operation InProgress"_s;
    const QStringList later = conversation(silent, answers);
    QCOMPARE(later[5], u"ask /op/1 in 2000"_s);
    QCOMPARE(later.last(), u"ask /op/1 in 30000"_s);

    OperationPoller told = following("DELETE"); // who says when is asked then
    answers.fill(u"200 Retry-After: 1 | operation InProgress"_s);
    answers.first() = u"202 Azure-AsyncOperation: /op/1; Retry-After: 1"_s;
    QCOMPARE(conversation(told, answers).last(), u"ask /op/1 in 1000"_s);
}

void TestPollRules::namedMayComeTwice()
{
    OperationPoller follow(rows(), reader(),
        { .method = "POST",
            .url = QUrl(u"http://127.0.0.1/racks"_s),
            .resource = {},
            .isNamed = true });
    QCOMPARE(conversation(follow, { u"503 Retry-After: 1"_s, u"204"_s }).join(u'\n'),
        u"send again in 1000\nSucceeded"_s);
    OperationPoller gone(rows(), reader(),
        { .method = "PUT", .url = QUrl(u"http://127.0.0.1/x"_s), .resource = {} });
    gone.take(answer(u"429 Retry-After: 1"_s), Now);
    QCOMPARE(said(gone.takeProblem(u"It is not known whether the request arrived."_s, Now), Now),
        u"lost: It is not known whether the request arrived."_s);
}

/// What a POST makes can be read elsewhere.
void TestPollRules::resourceElsewhere()
{
    OperationPoller follow(rows(), reader(),
        { "POST", QUrl(u"http://127.0.0.1/racks"_s), QUrl(u"http://127.0.0.1/racks/r7"_s) });
    QCOMPARE(conversation(follow,
                 { u"202 Retry-After: 1"_s, u"200 | resource Creating"_s,
                     u"200 | resource Succeeded"_s })
                 .join(u'\n'),
        u"ask /racks/r7 in 1000\nask /racks/r7 in 60000\nSucceeded with document"_s);
}

void TestPollRules::delays_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("date");
    QTest::addColumn<qint64>("expected"); // ms; -1: nothing
    const auto dated = [](qint64 ms) {
        return QLocale::c()
            .toString(QDateTime::fromMSecsSinceEpoch(Now + ms, Qt::UTC),
                u"ddd, dd MMM yyyy hh:mm:ss 'GMT'")
            .toLatin1();
    };
    const auto row = [](const char *name, const QByteArray &value, const QByteArray &date,
                         qint64 expected) { QTest::newRow(name) << value << date << expected; };
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

void TestPollRules::delays()
{
    QFETCH(const QByteArray, value);
    QFETCH(const QByteArray, date);
    QFETCH(const qint64, expected);
    HttpHeaders headers { { "retry-after", value } };
    if (!date.isEmpty())
        headers.append("Date", date);
    QCOMPARE(retryAfter(headers, { u"Retry-After"_s }, Now).value_or(-1), expected);
}

} // namespace

const instar::TestClass<TestPollRules> registered;
#include "tst_pollrules.moc"
