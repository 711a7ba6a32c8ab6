// SPDX-License-Identifier: Apache-2.0
// What is below a resource and not in its document: collections of its own are read with it, and
// all is told as one.

#include "model/remote/historyrecorder.h"
#include "model/remote/monitorfeed.h"
#include "model/remote/treereader.h"
#include "tests/remote/driver.h"
#include "tests/remote/exchanged.h"
#include "tests/remote/remoterequests.h"
#include "tests/remote/scriptedserver.h"
#include "tests/support/packtext.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"

#include <QPointer>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestBelow : public QObject
{
    Q_OBJECT

private slots:
    void isReadWithWhatIsAbove();
    void isSeenUntilTheLastAnswer();
    void othersChangeIt();
    void partsThatCannotBeRead();
    void isReadWhileAPartIsOut();
    void whatNothingListsIsReadByItself();
    void isPartOfTheBeginning();
    void judgedOnlyWhereItWasRead();
};

/// What the document of a shelf holds of what is below it.
const QByteArray labels = R"("labels": [{"{document}": "label", "of": "labels"}])";
/// A document of a shelf or book.
const QByteArray shown = R"({"name": "x", "state": "there", "labels": []})";

/// Shelves with books with pages, each with a collection of its own.
Pack shelves(const QByteArray &held = labels)
{
    QByteArray rows;
    for (const QByteArray &of :
        { "/shelves/{s}"_ba, "/shelves/{s}/books/{b}"_ba, "/shelves/{s}/books/{b}/pages/{p}"_ba }) {
        const auto row = [&](const QByteArray &ask, const QByteArray &method,
                             const QByteArray &path, const QByteArray &more = {}) {
            rows += (rows.isEmpty() ? "" : ",") + (R"({"ask": ")" + ask) + R"(", "method": ")"
                + method + R"(", "path": "{base})" + path + R"(", "of": ")" + path + '"' + more
                + '}';
        };
        row("put", "PUT", of, R"(, "body": "resource")");
        row("delete", "DELETE", of);
        row("resource", "GET", of);
        row("collection", "GET", of.first(of.lastIndexOf('/')));
    }
    // Nothing lists notes: whoever knows one asks for it.
    for (const char *method : { "PUT", "DELETE", "GET" }) {
        const QByteArray ask = QByteArray(method).toLower().replace("get", "resource");
        rows += R"(,{"ask": ")" + ask + R"(", "method": ")" + method
            + R"(", "path": "{base}/shelves/{s}/notes/{n}", "of": "/shelves/{s}/notes/{n}")"
            + (ask == "put" ? R"(, "body": "resource"})"_ba : "}"_ba);
    }
    // Labels are in the document of what they are on; that there is a collection changes nothing.
    rows += R"(,{"ask": "collection", "method": "GET", "path": "{base}/shelves/{s}/labels",
        "of": "/shelves/{s}/labels"})";
    return packOf(
        R"({"id": "shelves", "types": {"shelves": {"machine": "m"}, "shelves/labels": {"machine": "m"}, "shelves/notes": {"machine": "m"},
      "shelves/books": {"machine": "m"}, "shelves/books/pages": {"machine": "m"}},
      "machines": {"m": {"rest": "there", "states": {"absent": {"kind": "initial"}, "there": {},
        "worn": {}}, "transitions": [
          {"from": "absent", "on": "put", "to": "there"}, {"from": "there", "on": "put", "to": "worn"},
          {"from": ["there", "worn"], "on": "delete", "to": "absent"}]}},
      "wire": {"base": "/v1", "requests": [)"
        + rows + R"(], "answers": [
          {"to": "put", "at": ["succeeded", "observed"], "code": 200, "body": "resource"},
          {"to": "delete", "at": ["succeeded", "observed"], "code": 204},
          {"to": "resource", "at": "found", "code": 200, "body": "resource"},
          {"to": "collection", "at": "found", "code": 200, "body": "collection"},
          {"code": "{http}", "body": "error"}],
        "documents": {
          "resource": {"json": {"name": "{name}", "state": "{state}", "{body}": "properties", )"
        + held + R"(}},
          "label": {"json": {"name": "{name}", "state": "{state}"}},
          "collection": {"json": ["{resources}"]},
          "error": {"json": {"code": "{code}", "message": "{message}"}}},
        "follow": {"order": ["resource"]}}})");
}

const QString everything = u"/shelves/a there\n/shelves/a/books/x there\n"
                           u"/shelves/a/books/x/pages/1 there\n/shelves/a/books/x/pages/2 worn\n"
                           u"/shelves/a/books/y there\n/shelves/a/labels/l there\n"
                           u"/shelves/b there"_s;

struct Library
{
    explicit Library(bool predicts = false)
        : reference(shelves(), resourcesFrom(QString(everything)), patient()),
          driver(options(predicts), rulesOf(shelves()))
    {
        QVERIFY(driver.opened());
    }
    RemoteController::Options options(bool predicts) const
    {
        RemoteController::Options result = unhurried(QUrl(reference.origin()));
        result.checksConformance = predicts;
        return result;
    }
    /// Somebody else does it.
    void other(const char *method, const QString &path)
    {
        reference.ask(method, u"/v1"_s + path, "{}");
    }
    qsizetype asked(const QString &path) const
    {
        return std::ranges::count_if(driver.exchanges,
            [&](const Exchange &exchange) { return QUrl(exchange.url).path() == u"/v1"_s + path; });
    }

    Reference reference;
    Driver driver;
};

void TestBelow::isReadWithWhatIsAbove()
{
    Library library;
    QCOMPARE(library.driver.shown(), everything);
    QCOMPARE(library.asked(u"/shelves"_s), 1);
    QCOMPARE(library.asked(u"/shelves/a/books"_s), 1);
    QCOMPARE(library.asked(u"/shelves/a/books/x/pages"_s), 1);
    QCOMPARE(library.asked(u"/shelves/a/labels"_s), 0);
    QVERIFY(library.driver.problems.isEmpty());
    // What is asked for here is seen, wherever it is.
    library.driver.ask(u"put"_s, u"/shelves/b/books/z"_s);
    QVERIFY(library.driver.looked());
    QCOMPARE(library.driver.at(u"/shelves/b/books/z"_s), u"there"_s);
    library.driver.ask(u"delete"_s, u"/shelves/b/books/z"_s);
    QVERIFY(library.driver.looked());
    QCOMPARE(library.driver.shown(), everything);
}

/// What several answers tell together was so between the first question and the last answer.
void TestBelow::isSeenUntilTheLastAnswer()
{
    const Reference reference(shelves(), resourcesFrom(QString(everything)), patient());
    const Rules rules = rulesOf(shelves());
    const WireRules messages(rules);
    const auto connection = connected({ .server = QUrl(reference.origin()) });
    QList<Exchange> answers;
    connect(connection.get(), &Connection::ended, this,
        [&](const Exchange &exchange) { answers += exchange; });
    const auto sameInterval = [&](const AnswerInterval &when) {
        const Exchange first = *std::ranges::min_element(answers, {}, &Exchange::number);
        double until = 0;
        for (const Exchange &one : std::as_const(answers))
            until = std::max(until, double(first.sent.msecsTo(one.sent)) + one.duration);
        return when.exchange == first.number && when.sent == first.sent
            && std::abs(when.duration - until) < 0.001;
    };
    TreeReader reader(*connection, messages);
    QList<AnswerInterval> told;
    connect(&reader, &TreeReader::collectionRead, this,
        [&](const CollectionObservation &read) { told += read.when; });
    connect(&reader, &TreeReader::resourceRead, this,
        [&](const ResourceObservation &read) { told += read.when; });
    reader.readAll(Exchange::Purpose::Load);
    QTRY_VERIFY(!reader.isReading());
    QCOMPARE(told.size(), 1);
    QCOMPARE(answers.size(), 5); // all shelves, the books of both, the pages of both books
    QVERIFY(sameInterval(told.takeFirst()));
    answers.clear();
    reader.read(u"/shelves/a"_s);
    QTRY_VERIFY(!reader.isReading());
    QCOMPARE(told.size(), 1);
    QVERIFY(answers.size() > 2);
    QVERIFY(sameInterval(told.first()));
}

void TestBelow::othersChangeIt()
{
    Library library;
    library.other("DELETE", u"/shelves/a/books/x/pages/1"_s);
    library.other("PUT", u"/shelves/a/books/y"_s);
    library.other("PUT", u"/shelves/b/books/z"_s);
    QVERIFY(library.driver.looked());
    QCOMPARE(library.driver.shown(),
        u"/shelves/a there\n/shelves/a/books/x there\n"
        u"/shelves/a/books/x/pages/2 worn\n/shelves/a/books/y worn\n"
        u"/shelves/a/labels/l there\n/shelves/b there\n/shelves/b/books/z there"_s);
    library.other("DELETE", u"/shelves/b/books/z"_s);
    library.other("DELETE", u"/shelves/a/books/x"_s);
    QVERIFY(library.driver.looked());
    QCOMPARE(library.driver.shown(),
        u"/shelves/a there\n/shelves/a/books/y worn\n/shelves/a/labels/l there\n/shelves/b there"_s);
}

/// A server that once cannot say what is below has not lost it; one that has no such collection
/// is asked all the same.
void TestBelow::partsThatCannotBeRead()
{
    int status = 200, open = 0;
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        ++open;
        if (request.target.endsWith("/pages"))
            ScriptedServer::answer(socket, 404);
        else if (request.target.endsWith("/books"))
            ScriptedServer::answer(socket, status, status == 200 ? "[" + shown + "]" : "{}"_ba);
        else if (request.target.endsWith("/shelves"))
            ScriptedServer::answer(socket, 200, "[" + shown + "]");
        else
            ScriptedServer::answer(socket, 200, shown);
    });
    Driver driver(unhurried(server.url()), rulesOf(shelves()));
    QVERIFY(driver.opened());
    const QString both = u"/shelves/x there\n/shelves/x/books/x there"_s;
    QCOMPARE(driver.shown(), both);
    QCOMPARE(open, 3);
    status = 500;
    QVERIFY(driver.looked());
    QCOMPARE(driver.shown(), both);
    QCOMPARE(driver.problems.size(), 1);
    QVERIFY(has(driver.problems.first(), { u"/shelves/x/books cannot be read: 500"_s }));
    QVERIFY(!driver.controller.isRefreshing());
    status = 404;
    QVERIFY(driver.looked());
    QCOMPARE(driver.shown(), both); // a collection that is not there says nothing
    QCOMPARE(driver.problems.size(), 1);
}

/// Nothing rests before all is read.
void TestBelow::isReadWhileAPartIsOut()
{
    bool holds = false;
    QPointer<QTcpSocket> held;
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        if (request.target.endsWith("/books") && holds)
            held = socket;
        else if (request.target.endsWith("/books") || request.target.endsWith("/pages"))
            ScriptedServer::answer(socket, 200, "[]");
        else if (request.target.endsWith("/shelves"))
            ScriptedServer::answer(socket, 200, "[" + shown + "]");
        else
            ScriptedServer::answer(socket, 200, shown);
    });
    Driver driver(unhurried(server.url()), rulesOf(shelves()));
    QVERIFY(driver.opened());
    QVERIFY(waited([&] { return !driver.controller.isReading(); }));
    holds = true;
    driver.controller.submit({ .op = u"put"_s, .path = u"/shelves/x"_s });
    QVERIFY(waited([&] { return !held.isNull(); }));
    QVERIFY(driver.controller.isReading());
    ScriptedServer::answer(held, 200, "[]");
    QVERIFY(waited([&] { return !driver.controller.isReading(); }));
}

void TestBelow::whatNothingListsIsReadByItself()
{
    Library library;
    const QString note = u"/shelves/a/notes/n"_s;
    library.driver.ask(u"put"_s, note);
    QCOMPARE(library.driver.at(note), u"there"_s);
    library.other("PUT", note);
    library.driver.ask(u"put"_s, note); // refused or not, what it says now is seen
    QVERIFY(library.driver.looked());
    QCOMPARE(library.driver.at(note), u"worn"_s);
    library.other("PUT", u"/shelves/a"_s);
    library.driver.ask(u"delete"_s, note);
    QCOMPARE(library.driver.at(note), u"absent"_s);
    QCOMPARE(library.driver.at(u"/shelves/a"_s), u"worn"_s); // what is above may move with it
    QVERIFY(library.driver.problems.isEmpty());
    // What is listed, or in the document above, is not asked for again.
    const Rules rules = rulesOf(shelves());
    const WireRules messages(rules);
    QCOMPARE(messages.separateCollections(u"/shelves/a/books/x/pages/1"_s), QStringList());
    const Rules whole = rulesOf(shelves(R"("{children}": "resource")"));
    QCOMPARE(WireRules(whole).separateCollections(u"/shelves/a"_s), QStringList());
    QCOMPARE(messages.shownBy(note), note);
    // Nor is what nobody can ask for.
    for (const char *below : { "", "/cards/c", "/labels/l", "/books/x", "/books/x/pages/1" })
        QCOMPARE(messages.shownBy(u"/shelves/a"_s + QLatin1StringView(below)), u"/shelves/a"_s);
    const Rules held = rulesOf(shelves(R"("notes": [{"{document}": "label", "of": "notes"}])"));
    QCOMPARE(WireRules(held).shownBy(note), u"/shelves/a"_s);
}

/// The rules that run beside know it from the beginning, and accuse nobody.
void TestBelow::isPartOfTheBeginning()
{
    Library library(true);
    const ConformanceMonitor &monitor = library.driver.controller.conformance()->monitor();
    const auto settled = [&] {
        return library.driver.looked() && waited([&] { return monitor.waiting() == 0; });
    };
    const auto allowed = [&](const QString &path) {
        const auto words = monitor.allowed(path);
        return words ? words->words : QStringList { u"?"_s };
    };
    QTRY_COMPARE(allowed(u"/shelves/a/books/x/pages/2"_s), QStringList { u"worn"_s });
    library.driver.ask(u"put"_s, u"/shelves/a/books/x/pages/1"_s);
    QVERIFY(settled());
    QTRY_COMPARE(allowed(u"/shelves/a/books/x/pages/1"_s), QStringList { u"worn"_s });
    QVERIFY(monitor.explained() > 0);
    QCOMPARE(monitor.violationCount(), 0);
    library.other("PUT", u"/shelves/a/books/y"_s); // the rules know of nobody else
    QVERIFY(settled());
    QTRY_COMPARE(monitor.violationCount(), 1);
}

void TestBelow::judgedOnlyWhereItWasRead()
{
    const Rules rules = rulesOf(shelves());
    const auto exchange = [](int at, const QString &method, const QString &path,
                              const QByteArray &answer) {
        return exchanged(at, method, u"http://127.0.0.1:1/v1"_s + path, 200, answer);
    };
    const auto leftOut = [&](const QList<Exchange> &all) {
        HistoryRecorder historyRecorder(rules, {});
        for (const Exchange &one : all)
            historyRecorder.add(one, int(one.number));
        return historyRecorder.recorded().leftOut;
    };
    const Exchange top = exchange(0, u"GET"_s, u"/shelves"_s, "[" + shown + "]");
    const Exchange books = exchange(10, u"GET"_s, u"/shelves/x/books"_s, "[" + shown + "]");
    const Exchange pages = exchange(20, u"GET"_s, u"/shelves/x/books/x/pages"_s, "[]");
    Exchange put = exchange(30, u"PUT"_s, u"/shelves/x"_s, shown);
    put.requestBody = "{}";
    Exchange late = pages;
    late.sent = put.sent.addMSecs(10);
    const QStringList tree { u"/shelves/x"_s };
    QCOMPARE(leftOut({ top, books, pages, put }), QStringList());
    QCOMPARE(leftOut({ top, books, put }), tree);
    QCOMPARE(leftOut({ top, put }), tree);
    QCOMPARE(leftOut({ top }), QStringList()); // nobody has changed it
    QCOMPARE(leftOut({ top, books, put, late }), tree);
}

const instar::TestClass<TestBelow> registered;
} // namespace

#include "tst_below.moc"
