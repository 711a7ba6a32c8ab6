// SPDX-License-Identifier: Apache-2.0
// The item models of what goes over the wire, printed as text.

#include "model/items/burstmodel.h"
#include "model/items/exchangemodel.h"
#include "model/items/operationmodel.h"
#include "model/items/sentences.h"
#include "model/items/words.h"
#include "model/json/library.h"
#include "tests/support/testclass.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

using Tester = QAbstractItemModelTester;
constexpr auto reports = Tester::FailureReportingMode::QtTest;

const QDateTime start(QDate(2026, 11, 21), QTime(8, 30, 0, 7), Qt::UTC);

Exchange exchange(quint64 number, int status = 200)
{
    Exchange made;
    made.number = number;
    made.sent = start.addMSecs(qint64(number));
    made.client = number % 2 ? u"A"_s : u"B"_s;
    made.operation = u"op%1"_s.arg(number % 3);
    made.method = number % 2 ? u"PUT"_s : u"GET"_s;
    made.url = u"http://127.0.0.1:8080/v1/racks/r%1?x=%2"_s.arg(number).arg(u"a%20b"_s);
    made.status = status;
    made.reason = status == 409 ? u"Conflict"_s : status ? u"OK"_s : QString();
    made.duration = 12.5;
    made.purpose = number % 2 ? Exchange::Purpose::Fire : Exchange::Purpose::Poll;
    return made;
}

QString printed(const QAbstractItemModel &model, const QList<int> &columns)
{
    QStringList rows;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (const int column : columns)
            cells += model.index(row, column).data().toString();
        rows += cells.join(u" | "_s);
    }
    return rows.join(u'\n');
}

QString numbers(const QAbstractItemModel &model)
{
    QStringList all;
    for (int row = 0; row < model.rowCount(); ++row)
        all += QString::number(
            model.index(row, 0).data(ExchangeModel::Whole).value<Exchange>().number);
    return all.join(u' ');
}

class TestNetworkItems : public QObject
{
    Q_OBJECT

private slots:
    void ownFailures_data();
    void ownFailures();
    void exchanges();
    void tones_data();
    void tones();
    void ring();
    void filter();
    void whatIsSeen();
    void sorting();
    void burst();
    void exchangesAreBounded();
    void rows();
    void spread_data();
    void spread();
};

void TestNetworkItems::ownFailures_data()
{
    const Rows<Status, QString, int, QString, QString> add(
        "status", "code", "http", "shown", "note");
    const auto row = [&](const char *name, Status status, const QString &code, const QString &shown,
                         const QString &note,
                         int http = 0) { add(name, status, code, http, shown, note); };
    const QString notSent = u"Not sent"_s, notKnown = u"Outcome unknown"_s;
    row("never sent", Status::Rejected, u"NotSent"_s, notSent, u"the server cannot be reached"_s);
    row("read only", Status::Rejected, u"ReadOnly"_s, notSent, u"the connection is read only"_s);
    row("not connected", Status::Rejected, u"NotConnected"_s, notSent,
        u"no connection to a server"_s);
    row("no words for it", Status::Rejected, u"NotSpoken"_s, notSent,
        u"the pack defines no HTTP request for this operation"_s);
    row("out of sight", Status::Failed, u"Lost"_s, notKnown, u"the outcome is unknown"_s);
    row("not known there", Status::Failed, u"Forgotten"_s, notKnown,
        u"the server no longer knows the operation; the outcome is unknown"_s);
    row("a server's own", Status::Rejected, u"ReadOnly"_s, u"Rejected"_s, u"409 ReadOnly"_s, 409);
    row("a rule's", Status::Rejected, u"NotFound"_s, u"Rejected"_s, u"NotFound"_s);
}

/// What did not come about between us and a server, in words and not as the server's doing.
void TestNetworkItems::ownFailures()
{
    QFETCH(const Status, status);
    QFETCH(const QString, code);
    QFETCH(const int, http);
    Operation operation;
    operation.status = status;
    operation.errorCode = code;
    operation.httpStatus = http;
    QTEST(statusText(operation), "shown");
    QTEST(noteText(operation), "note");
}

void TestNetworkItems::exchanges()
{
    ExchangeModel model(100);
    const Tester tester(&model, reports);
    Exchange first = exchange(1, 409);
    first.etag = u"W/\"1\""_s;
    first.retryAfter = 2.5;
    model.put(first);
    Exchange second = exchange(2, 0);
    second.duration = -1;
    model.put(second);
    QCOMPARE(printed(model,
                 { ExchangeModel::Client, ExchangeModel::Method, ExchangeModel::Path,
                     ExchangeModel::Answer, ExchangeModel::Duration }),
        u"A | PUT | /v1/racks/r1?x=a%20b | 409 Conflict | 12.5 ms\n"
        "B | GET | /v1/racks/r2?x=a%20b | waiting | "_s);
    QCOMPARE(model.index(0, ExchangeModel::Time).data().toString(),
        first.sent.toLocalTime().toString(u"HH:mm:ss.zzz"));
    QCOMPARE(model.index(0, 0).data(ExchangeModel::Whole).value<Exchange>(), first);
    QCOMPARE(model.index(0, ExchangeModel::Path).data(Qt::ToolTipRole).toString(), first.url);
    QVERIFY(
        model.index(0, 0).data(ExchangeModel::Full).toString().startsWith(u"A\tPUT\t/v1/racks/r1"));

    // The answer arrives: the same row.
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    second.duration = 1234.5;
    second.problem = u"Connection refused"_s;
    model.put(second);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed[0][0].toModelIndex().row(), 1);
    model.put(second); // nothing new
    QCOMPARE(changed.size(), 1);
    QCOMPARE(model.index(1, ExchangeModel::Answer).data().toString(), u"no answer"_s);
    QCOMPARE(model.index(1, ExchangeModel::Answer).data(Qt::ToolTipRole).toString(),
        u"Connection refused"_s);
    QCOMPARE(model.index(1, ExchangeModel::Duration).data().toString(), u"1.234 s"_s);
    QVERIFY(
        model.index(1, 0).data(ExchangeModel::Full).toString().endsWith(u"\tConnection refused"));
    QCOMPARE(model.exchanges(), (QList<Exchange> { first, second }));
}

void TestNetworkItems::tones_data()
{
    const Rows<int, double, QString, int> add("status", "duration", "problem", "tone");
    const auto row = [&](const char *name, int status, double duration, const char *problem,
                         ExchangeCategory category) {
        add(name, status, duration, QString::fromUtf8(problem), int(category));
    };
    row("running", 0, -1, "", ExchangeCategory::Running);
    row("its headers are there", 200, -1, "", ExchangeCategory::Running);
    row("ok", 204, 1, "", ExchangeCategory::Ok);
    row("elsewhere", 303, 1, "", ExchangeCategory::Redirect);
    row("refused", 409, 1, "", ExchangeCategory::ClientError);
    row("broken", 503, 1, "", ExchangeCategory::ServerError);
    row("no answer", 0, 1, "timed out", ExchangeCategory::NoAnswer);
    row("none that can be understood", 200, 1, "not JSON", ExchangeCategory::NoAnswer);
}

void TestNetworkItems::tones()
{
    QFETCH(int, status);
    QFETCH(double, duration);
    QFETCH(QString, problem);
    Exchange made = exchange(1, status);
    made.duration = duration;
    made.problem = problem;
    ExchangeModel model;
    model.put(made);
    QTEST(model.index(0, 0).data(ExchangeModel::CategoryOf).toInt(), "tone");
}

void TestNetworkItems::ring()
{
    ExchangeModel model(3);
    const Tester tester(&model, reports);
    for (quint64 number = 1; number <= 5; ++number)
        model.put(exchange(number));
    QCOMPARE(numbers(model), u"3 4 5"_s);
    model.put(exchange(1)); // it was forgotten
    QCOMPARE(numbers(model), u"3 4 5"_s);
    model.put(exchange(4, 409));
    QCOMPARE(model.at(1).status, 409);
    QVERIFY(!model.indexOf(2).isValid());
    QCOMPARE(model.indexOf(5).row(), 2);

    ExchangeModel mixed(3);
    const Tester mixedTester(&mixed, reports);
    for (const quint64 number : { 2, 5, 3, 4 })
        mixed.put(exchange(number));
    QCOMPARE(numbers(mixed), u"3 4 5"_s);

    ExchangeModel usual;
    for (quint64 number = 1; number <= 10'001; ++number)
        usual.put(exchange(number));
    QCOMPARE(usual.rowCount(), 10'000);
    QCOMPARE(usual.at(0).number, 2u);
}

void TestNetworkItems::filter()
{
    ExchangeModel model(6);
    ExchangeFilter filter(model);
    const Tester tester(&filter, reports);
    for (quint64 number = 1; number <= 6; ++number)
        model.put(exchange(number, number == 3 ? 409 : 200));
    QCOMPARE(numbers(filter), u"1 3 5"_s);
    QCOMPARE(model.polls(), 3);
    filter.setText(u" conflict  put "_s);
    QCOMPARE(numbers(filter), u"3"_s);
    filter.setText(u"r5"_s);
    QCOMPARE(numbers(filter), u"5"_s);
    filter.setText({});
    filter.showPolls(true);
    filter.setText(u"op1"_s);
    QCOMPARE(numbers(filter), u"1 4"_s);

    // What changes is looked at again; what the ring forgets goes.
    Exchange moved = exchange(4);
    moved.operation = u"op9"_s;
    model.put(moved);
    QCOMPARE(numbers(filter), u"1"_s);
    model.put(exchange(7));
    QCOMPARE(numbers(filter), u"7"_s);
    filter.setText({});
    QCOMPARE(numbers(filter), u"2 3 4 5 6 7"_s);
    Exchange tagged = exchange(5);
    tagged.etag = u"W/\"seventy\""_s;
    model.put(tagged);
    filter.setText(u"seventy"_s);
    QCOMPARE(numbers(filter), u"5"_s);
}

/// A server shows a resource in another state, or only changed.
void TestNetworkItems::whatIsSeen()
{
    const Rules rules = *Rules::make(*loadPack(u"network-controller"_s));
    const int machine = rules.machineForType(u"logicalNetworks"_s);
    Change change { .kind = Change::Kind::Reported, .path = u"/logicalNetworks/n"_s };
    change.from = rules.stateNamed(machine, u"Succeeded"_s);
    change.to = rules.stateNamed(machine, u"Updating"_s);
    QCOMPARE(changeText(rules, {}, change),
        u"/logicalNetworks/n was observed: changed, still in Updating"_s);
    change.moved = 1;
    const QString moved = changeText(rules, {}, change);
    QVERIFY2(moved.startsWith(u"/logicalNetworks/n was observed: Succeeded → Updating"),
        qPrintable(moved));
}

void TestNetworkItems::sorting()
{
    ExchangeModel model;
    ExchangeFilter filter(model);
    const Tester tester(&filter, reports);
    filter.showPolls(true);
    const double durations[] = { 100, 9, 1000 };
    for (quint64 number = 1; number <= 3; ++number) {
        Exchange made = exchange(number);
        made.duration = durations[number - 1];
        model.put(made);
    }
    filter.sort(ExchangeModel::Duration, Qt::DescendingOrder);
    QCOMPARE(numbers(filter), u"3 1 2"_s); // by number, not by spelling
    filter.sort(ExchangeModel::Time, Qt::DescendingOrder);
    QCOMPARE(numbers(filter), u"3 2 1"_s);
    filter.sort(-1);
    QCOMPARE(numbers(filter), u"1 2 3"_s);
}

void TestNetworkItems::burst()
{
    BurstModel model(u"succeeded"_s);
    const Tester tester(&model, reports);
    Request put { .op = u"PUT"_s, .path = u"/racks/r1"_s, .client = u"A"_s };
    put.ifMatch = u"*"_s;
    put.headers = { { u"X-A"_s, u"1"_s }, { u"X-B"_s, u"2"_s } };
    put.body = "{}";
    put.conditions.insert(u"must be replaced"_s, true);
    Request asks { .op = u"DELETE"_s, .path = u"/racks/r2"_s, .client = u"B"_s };
    asks.hang = true;
    model.insert(0, put);
    model.insert(1, asks);
    const QList<int> all { BurstModel::Client, BurstModel::RequestText, BurstModel::OutcomeText,
        BurstModel::Contents };
    QCOMPARE(printed(model, all),
        u"A | PUT r1 | succeeded | If-Match, 2 headers, body of 2 bytes, must be replaced\nB | "
        u"DELETE r2 | by hand | "_s);
    model.insert(0, put);
    QCOMPARE(printed(model, { BurstModel::RequestText }), u"PUT r1\nPUT r1\nDELETE r2"_s);

    // An answer belongs to the request that was fired, wherever that is moved, as it was then.
    model.setSerial(2, 7);
    model.setAnswer(2, u"Succeeded"_s);
    model.remove(0);
    QCOMPARE(printed(model, { BurstModel::RequestText, BurstModel::Answer }),
        u"PUT r1 | \nDELETE r2 | Succeeded"_s);
    QCOMPARE(model.at(1).serial, 7u);
    QCOMPARE(model.requests(), (QList<Request> { put, asks }));
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

/// Large bodies push the oldest out before the rows are too many; the newest stays.
void TestNetworkItems::exchangesAreBounded()
{
    ExchangeModel model(100);
    const Tester tester(&model, reports);
    model.setMostBytes(1000);
    Exchange large = exchange(1);
    large.requestBody = QByteArray(100, 'q');
    for (quint64 number = 1; number <= 20; ++number) {
        large.number = number;
        large.responseBody = {};
        model.put(large);
        large.responseBody = QByteArray(100, 'a');
        model.put(large); // its answer
    }
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(model.at(0).number, 16u);
    large.number = 21;
    large.responseBody = QByteArray(5000, 'a');
    model.put(large);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.at(0).number, 21u);
}

/// A row is one line with as many cells as columns, whatever is in them.
void TestNetworkItems::rows()
{
    QCOMPARE(rowText({ u"a"_s, u"b\tc\r\nd\ne"_s, QString() }), u"a\tb c d e\t"_s);
    const ExchangeModel model(1);
    const QString names = u"Client\tMethod\tPath\tAnswer\tTime\tTook\tProblem"_s;
    QCOMPARE(model.headerData(0, Qt::Horizontal, ExchangeModel::Full).toString(), names);
    ExchangeModel source(1);
    const ExchangeFilter shown(source);
    QCOMPARE(shown.headerData(0, Qt::Horizontal, ExchangeModel::Full).toString(), names);
    QVERIFY(model.headerData(0, Qt::Vertical, ExchangeModel::Full).isNull());
}

void TestNetworkItems::spread_data()
{
    const Rows<int, double, QString> row("requests", "microseconds", "text");
    row("microseconds", 8, 107.4, u"8 fired within 107 µs"_s);
    row("few microseconds", 2, 3.14, u"2 fired within 3.1 µs"_s);
    row("milliseconds", 8, 1250.0, u"8 fired within 1.25 ms"_s);
    row("many milliseconds", 8, 125'000.0, u"8 fired within 125 ms"_s);
    row("seconds", 8, 1'250'000.0, u"8 fired within 1.25 s"_s);
    row("one", 1, 0.0, u"1 fired"_s);
    row("virtual", 3, -1.0, u"3 fired at the same virtual moment"_s);
}

void TestNetworkItems::spread()
{
    QFETCH(int, requests);
    QFETCH(double, microseconds);
    QFETCH(QString, text);
    QCOMPARE(spreadText(requests,
                 microseconds < 0 ? std::optional<double>() : std::optional(microseconds)),
        text);
}

} // namespace

const instar::TestClass<TestNetworkItems> registered;
#include "tst_networkitems.moc"
