// SPDX-License-Identifier: Apache-2.0
// The rules running beside a server: what they allow, and where a server leaves them. The reference
// controller of this process breaks its word where it is told to.

#include "model/json/exchanges.h"
#include "model/json/library.h"
#include "model/remote/monitorfeed.h"
#include "tests/remote/driver.h"
#include "tests/support/bytesof.h"
#include "tests/support/packtext.h"
#include "tests/support/testclass.h"

#include <QRegularExpression>
#include <QTest>

using namespace instar;
using namespace instar::place;
using namespace Qt::StringLiterals;

class TestLiveConformance : public QObject
{
    Q_OBJECT

private slots:
    void faults_data();
    void faults();
    void goesOn();
    void made();
    void afterTheServerWasAway();
    void afterOneThatIsNotHeardOf_data();
    void afterOneThatIsNotHeardOf();
    void closedWhileItRan();
    void openQuestionsHoldTime();
    void byTheClock();
    void oneOverAnother();
};

namespace {

RemoteController::Options predicting(const QUrl &url)
{
    RemoteController::Options options = unhurried(url);
    options.checksConformance = true;
    return options;
}

/// Looks, and waits until everything that has been told is taken in.
bool takenIn(Driver &driver)
{
    driver.controller.refresh();
    return waited([&] {
        return !driver.controller.isReading()
            && driver.controller.conformance()->monitor().waiting() == 0;
    });
}

/// A server, its client, and what the client is told to expect.
struct Watched
{
    explicit Watched(const QString &pack = u"network-controller"_s,
        const QList<ResourceSpec> &tree = smallTree())
        : Watched(packNamed(pack), tree)
    { }
    Watched(const Pack &pack, const QList<ResourceSpec> &tree)
        : reference(pack, tree, patient()),
          driver(predicting(QUrl(reference.origin())), rulesOf(pack))
    {
        QVERIFY(driver.opened());
    }

    void plan(const QString &fault) { reference.server().plan({ .fault = fault }); }
    const Operation &ask(const QString &op, const QString &path) { return driver.ask(op, path); }
    void pass(qint64 ms)
    {
        reference.simulator().advance(ms);
        QVERIFY(driver.looked());
    }
    /// Everything that has been told is taken in.
    void settle() { QVERIFY(takenIn(driver)); }
    QStringList allowedAt(const QString &path)
    {
        const auto allowed = conformance().monitor().allowed(path);
        QStringList words = allowed ? allowed->words : QStringList { u"?"_s };
        words.sort();
        return words;
    }
    const LiveConformance &conformance() const { return *driver.controller.conformance(); }

    Reference reference;
    Driver driver;
};

} // namespace

void TestLiveConformance::faults_data()
{
    // path: of the operation
    // at: where it is noticed
    const Rows<QString, QString, QString, QString> row("op", "path", "at", "what");
    row("none", u"PUT"_s, net, {}, {});
    row("lostUpdate", u"PUT"_s, net, net, u"was seen Succeeded"_s);
    row("stuckTransitional", u"PUT"_s, net, net, u"was seen Updating"_s);
    row("wrongFinalState", u"PUT"_s, net, net, u"was seen Failed"_s);
    row("prematureSucceeded", u"PUT"_s, net, net, u"was seen Succeeded"_s);
    row("zombieAfterDelete", u"DELETE"_s, net, net, u"was seen Succeeded"_s);
    row("siblingMoved", u"PUT"_s, subnet, other, u"was seen Updating"_s);
    // The removal still goes on, as is seen later: it is the answer that is wrong.
    row("missingConflict", u"DELETE"_s, net, subnet, u"was accepted"_s);
    row("wrongCanceled", u"PUT"_s, net, net, u"was seen Canceled"_s);
    row("etagUnchanged", u"PUT"_s, net, net, u"was seen Updating"_s);
    row("etagLate", u"PUT"_s, net, net, u"was seen Updating"_s);
}

/// Each is noticed where it shows, as soon as it does, and named; without one nobody is accused.
void TestLiveConformance::faults()
{
    QFETCH(QString, op);
    QFETCH(QString, path);
    QFETCH(QString, at);
    QFETCH(QString, what);
    const QString fault = what.isEmpty() ? QString() : QString::fromUtf8(QTest::currentDataTag());
    Watched watched;
    watched.settle();
    if (!fault.isEmpty())
        watched.plan(fault);
    watched.ask(op, path);
    watched.pass(200);
    if (fault == u"missingConflict")
        watched.ask(u"PUT"_s, subnet);
    watched.pass(300);
    watched.settle();
    watched.pass(600);
    watched.settle();
    watched.pass(2000);
    watched.settle();
    const QList<JudgedViolation> &judgedViolations = watched.conformance().judgedViolations();
    if (fault.isEmpty()) {
        QCOMPARE(judgedViolations.size(), 0);
        return;
    }
    QVERIFY(!judgedViolations.isEmpty());
    QTRY_VERIFY(judgedViolations.first().verdict.has_value());
    const JudgedViolation &first = judgedViolations.first();
    QVERIFY2(first.what().contains(QRegularExpression(what)), qPrintable(first.what()));
    QCOMPARE(first.unexplained.path, at);
    QCOMPARE(watched.conformance().judgedViolationAt(at)->unexplained.path, at);
    QVERIFY(!watched.conformance().judgedViolationAt(gatewayPool));
    QCOMPARE(first.verdict->outcome, HistorySearch::Outcome::Violates);
    qInfo("%s: %s", qPrintable(first.what()), qPrintable(first.verdict->violation->rule));
    QVERIFY(!first.verdict->violation->rule.isEmpty());
    const std::optional<History> shortest = first.shortest();
    QVERIFY(shortest && shortest->size() >= 1 && shortest->size() <= 5);
    QVERIFY(!shortest->requests.isEmpty()); // without it something else would be wrong
    const Result<HistoryVerdict> again = verdictOn(*shortest, watched.conformance().rules());
    QVERIFY(again && again->outcome == HistorySearch::Outcome::Violates);
}

/// From what was seen at rest it goes on.
void TestLiveConformance::goesOn()
{
    Watched watched;
    watched.settle();
    watched.plan(u"wrongFinalState"_s);
    watched.ask(u"PUT"_s, net);
    watched.pass(1000);
    QTRY_COMPARE(watched.conformance().judgedViolations().size(), 1);
    watched.settle();
    QTRY_COMPARE(watched.allowedAt(net), QStringList { u"Failed"_s });
    watched.ask(u"PUT"_s, net); // the truth is told again
    watched.pass(1000);
    QTRY_COMPARE(watched.allowedAt(net), QStringList { u"Succeeded"_s });
    QCOMPARE(watched.conformance().judgedViolations().size(), 1);
}

/// What was not there is known not to have been.
void TestLiveConformance::made()
{
    const QString made = u"/logicalNetworks/made"_s;
    Watched watched;
    watched.settle();
    watched.ask(u"PUT"_s, made);
    QTRY_VERIFY(watched.allowedAt(made).contains(u"Updating"_s));
    watched.pass(1000);
    QTRY_COMPARE(watched.allowedAt(made), QStringList { u"Succeeded"_s });
    watched.ask(u"DELETE"_s, made);
    watched.pass(1000);
    QTRY_COMPARE(watched.allowedAt(made), QStringList { QString() });
    watched.settle();
    const auto track = [&] { return watched.conformance().tracks().find(made); };
    QTRY_VERIFY(track() && track()->observed.back().word.isEmpty());
    QTRY_VERIFY(track()->expected.back().allowed
        && track()->expected.back().allowed->words == QStringList { QString() });
    QCOMPARE(watched.conformance().monitor().violationCount(), 0);
    QVERIFY(!watched.conformance().monitor().lostWhy(made));
}

/// A server that begins anew has forgotten what it was asked for, and has other etags. It was not
/// watched meanwhile: nobody is accused, and it is followed again from how it is.
void TestLiveConformance::afterTheServerWasAway()
{
    auto first = std::make_unique<Reference>(u"network-controller"_s, smallTree(), patient());
    Driver driver(predicting(QUrl(first->origin())));
    QVERIFY(driver.opened());
    const ConformanceMonitor &monitor = driver.controller.conformance()->monitor();
    const auto settled = [&] { return takenIn(driver); };
    QVERIFY(settled());
    QVERIFY(!monitor.lostWhy(net));
    driver.ask(u"PUT"_s, subnet);
    QVERIFY(settled());
    QVERIFY(monitor.allowed(subnet)->words.contains(u"Updating"_s));

    Server::Options again = patient();
    again.http.port = quint16(QUrl(first->origin()).port());
    first.reset();
    driver.controller.pollNow(); // and so finds out
    QVERIFY(waited([&] { return driver.controller.state() == RemoteController::State::Lost; }));
    QCOMPARE(monitor.lostWhy(net), ConformanceMonitor::Why::Unwatched);
    QCOMPARE(monitor.lostWhy(gatewayPool), ConformanceMonitor::Why::Unwatched);
    const Tracks::Track *track = driver.controller.conformance()->tracks().find(subnet);
    QVERIFY(track && !track->expected.back().allowed); // from then on
    first = std::make_unique<Reference>(u"network-controller"_s, smallTree(), again);
    QVERIFY(waited([&] { return driver.controller.state() == RemoteController::State::Ready; }));
    for (int i = 0; i < 10 && !driver.controller.operations().all().last().isOver(); ++i)
        QVERIFY(settled()); // asked for in vain some times
    QCOMPARE(driver.controller.operations().all().last().errorCode, u"Forgotten"_s);
    QVERIFY(waited([&] { return settled() && !monitor.lostWhy(net); }));
    QVERIFY(!monitor.lostWhy(gatewayPool));
    QCOMPARE(monitor.violationCount(), 0);

    driver.ask(u"PUT"_s, subnet); // and on it goes
    QVERIFY(settled());
    QVERIFY(monitor.allowed(subnet)->words.contains(u"Updating"_s));
    first->simulator().advance(1000);
    QVERIFY(driver.looked());
    QTRY_COMPARE(monitor.allowed(subnet)->words, QStringList { u"Succeeded"_s });
    QCOMPARE(monitor.violationCount(), 0);
}

namespace {

Exchange question(quint64 number, qint64 ms, const QString &target)
{
    Exchange exchange;
    exchange.number = number;
    exchange.sent = QDateTime::fromMSecsSinceEpoch(1'000'000 + ms, Qt::UTC);
    exchange.method = u"GET"_s;
    exchange.url = u"http://localhost/networking/v1"_s + target;
    return exchange;
}

/// Things that are put to work, with members of the state of work and rows of conflicts.
Pack things(const QByteArray &busy, const QByteArray &conflicts = {})
{
    return packOf(
        R"({"id": "things", "types": {"others": {"machine": "n"},
        "things": {"machine": "m", "references": [{"property": "peer", "to": ["things", "others"]}]}},
      "machines": {"n": {"rest": "there", "states": {"absent": {"kind": "initial"}, "there": {},
        "busy": {"kind": "transitional", "as": "there"}}, "transitions": [
          {"from": "there", "on": "touch", "to": "busy"},
          {"from": "busy", "on": ["succeeded", "failed"], "to": "there"}]}, "m": {"rest": "there", "states": {"absent": {"kind": "initial"}, "there": {},
        "busy": {"kind": "transitional")"
        + (busy.isEmpty() ? ""_ba : ", " + busy) + R"(, "work": ["attempt"]}}, "transitions": [
          {"from": ["absent", "there"], "on": "put", "to": "busy"},
          {"from": "busy", "on": "succeeded", "to": "there"},
          {"from": "busy", "on": "failed", "to": "there"}]}},
      "conflicts": [)"
        + conflicts + R"(],
      "wire": {"base": "/networking/v1", "requests": [
          {"ask": "put", "method": "PUT", "path": "{base}/things/{t}", "of": "/things/{t}", "body": "resource"},
          {"ask": "resource", "method": "GET", "path": "{base}/things/{t}", "of": "/things/{t}"},
          {"ask": "collection", "method": "GET", "path": "{base}/things", "of": "/things"},
          {"ask": "collection", "method": "GET", "path": "{base}/others", "of": "/others"},
          {"ask": "operation", "method": "GET", "path": "{base}/operations/{operation}"}],
        "answers": [
          {"to": "put", "at": "started", "code": 202, "headers": {"Operation-Location": "{operation url}"}},
          {"to": "operation", "at": ["running", "succeeded"], "code": 200, "body": "operation"},
          {"to": "resource", "at": "found", "code": 200, "body": "resource"},
          {"to": "collection", "at": "found", "code": 200, "body": "collection"},
          {"code": "{http}"}],
        "documents": {"resource": {"json": {"name": "{name}", "state": "{state}", "{body}": "properties"}},
          "collection": {"json": ["{resources}"]}, "operation": {"json": {"status": "{status}"}}},
        "follow": {"order": ["operation"], "operation": ["Operation-Location"],
          "running": ["InProgress"], "succeeded": ["Succeeded"]}}})");
}

} // namespace

void TestLiveConformance::afterOneThatIsNotHeardOf_data()
{
    QTest::addColumn<QByteArray>("busy");      ///< members of the state of work
    QTest::addColumn<QByteArray>("conflicts"); ///< rows
    QTest::addColumn<QByteArray>("peer");      ///< members of what is read
    QTest::addColumn<int>("operations");
    QTest::addColumn<bool>("isFollowed");
    QTest::addColumn<bool>("isAway"); ///< the server was, meanwhile
    const QByteArray own, no, alone;
    const QByteArray rest = "\"as\": \"there\"", last = "\"as\": \"(last)\"",
                     gone = "\"as\": \"absent\"", elsewhere = ", \"peer\": \"/others/c\"";
    const QByteArray waits = R"({"at": ["self"], "then": "wait"})", b = R"(, "peer": "/things/b")";
    for (const bool isAway : { false, true }) {
        const auto row = [&](const char *name, const QByteArray &busy, const QByteArray &conflicts,
                             const QByteArray &peer, int operations, bool isFollowed) {
            QTest::addRow("%s%s", name, isAway ? ", and the server was away" : "")
                << busy << conflicts << peer << operations << isFollowed << isAway;
        };
        row("nothing is at work", own, no, alone, 1, true);
        row("of two, nothing is at work", own, no, alone, 2, true);
        row("beside another", own, no, b, 1, true);
        row("work looks like rest", rest, no, alone, 1, false);
        row("work looks like the rest before it", last, no, alone, 1, false);
        row("work looks like nothing", gone, no, alone, 1, false);
        row("work elsewhere looks like rest", own, no, elsewhere, 1, false);
        row("it would have nothing to wait for", own, waits, alone, 1, true);
        row("one may wait for the other", own, waits, alone, 2, false);
        row("it may wait for something elsewhere", own, waits, b, 1, false);
    }
}

/// An operation of which nothing more is told is over when what is read of its tree leaves no room
/// for it; as long as it may go on nobody says what may be seen.
void TestLiveConformance::afterOneThatIsNotHeardOf()
{
    QFETCH(const QByteArray, busy);
    QFETCH(const QByteArray, conflicts);
    QFETCH(const QByteArray, peer);
    QFETCH(const int, operations);
    QFETCH(const bool, isFollowed);
    QFETCH(const bool, isAway);
    const Rules rules = rulesOf(things(busy, conflicts));
    const QString path = u"/things/a"_s;
    MonitorFeed live(rules);
    const auto read = [&](quint64 number, qint64 ms) {
        Exchange exchange = question(number, ms, u"/things"_s);
        exchange.status = 200;
        exchange.duration = 5;
        exchange.responseBody =
            R"([{"name": "a", "state": "there")" + peer + R"(}, {"name": "b", "state": "there"}])";
        live.take(exchange);
        exchange = question(number + 1, ms, u"/others"_s);
        exchange.status = 200;
        exchange.duration = 5;
        exchange.responseBody = R"([{"name": "c", "state": "there"}])";
        live.take(exchange);
        live.advanceTo(exchange.sent.addMSecs(10));
        return exchange.sent;
    };
    for (int i = 0; i < operations; ++i)
        live.begun(path);
    const QDateTime first = read(1, 0);
    QCOMPARE(live.monitor().lostWhy(path), ConformanceMonitor::Why::NotObserved);
    for (int i = 0; i < operations; ++i)
        live.pollingFailed(path, first.addMSecs(30));
    live.advanceTo(first.addMSecs(40));
    QVERIFY(live.monitor().lostWhy(path)); // it was read before
    if (isAway)
        live.connectionLost(first.addMSecs(45));
    read(3, 50);
    QCOMPARE(!live.monitor().lostWhy(path), isFollowed);
    QCOMPARE(!live.monitor().lostWhy(u"/things/b"_s), isFollowed || !peer.contains("/things/b"));
}

/// Who closes the connection hears nothing more of what goes on; it is over when it is seen to be.
void TestLiveConformance::closedWhileItRan()
{
    Watched watched;
    watched.settle();
    watched.ask(u"PUT"_s, net);
    watched.settle();
    watched.driver.controller.close();
    QVERIFY(watched.driver.opened());
    watched.settle();
    QCOMPARE(watched.driver.at(net), u"Updating"_s);
    const ConformanceMonitor &monitor = watched.conformance().monitor();
    QCOMPARE(monitor.lostWhy(net), ConformanceMonitor::Why::Unwatched);
    QVERIFY(!monitor.lostWhy(gatewayPool));
    watched.pass(2000);
    QTRY_VERIFY(!monitor.lostWhy(net));
    QCOMPARE(watched.driver.at(net), u"Succeeded"_s);
    watched.ask(u"PUT"_s, net);
    QTRY_VERIFY(watched.allowedAt(net).contains(u"Updating"_s));
    QCOMPARE(monitor.violationCount(), 0);
}

/// What is still to be told of the past is waited for.
void TestLiveConformance::openQuestionsHoldTime()
{
    const Rules rules = *Rules::make(*loadPack(u"network-controller"_s));
    MonitorFeed live(rules);
    Exchange first = question(1, 0, net);
    live.take(first);
    Exchange asked = question(2, 10, net);
    asked.method = u"PUT"_s;
    asked.requestBody = "{}";
    live.take(asked);
    const QDateTime later = first.sent.addMSecs(100);
    live.advanceTo(later);
    QVERIFY(live.monitor().waiting() > 0);
    const QStringList told { net.toLower() };
    QCOMPARE(live.takeChangedTrees(), told); // it was asked for
    QCOMPARE(live.takeChangedTrees(), told); // and more may be known of it later
    first.status = 404;
    first.duration = 50;
    live.take(first);
    const QDateTime end = first.sent.addMSecs(50);
    live.advanceTo(end); // of that very moment more may be told
    QVERIFY(live.monitor().waiting() > 0);
    QVERIFY(live.advanceTo(later)); // what is taken in later is said, too
    QVERIFY(!live.advanceTo(later));
    QCOMPARE(live.monitor().waiting(), 0);
    QCOMPARE(live.takeChangedTrees(), told);
    QCOMPARE(live.takeChangedTrees(), QStringList());
}

/// What a server does by its clock may come at any moment, since nobody tells its time; what the
/// rules never do is noticed all the same.
void TestLiveConformance::byTheClock()
{
    for (const bool breaks : { false, true }) {
        const QString lease = u"/leases/workshop"_s;
        Watched watched(u"blazar"_s, loadPack(u"blazar"_s)->sample);
        watched.settle();
        QVERIFY(watched.allowedAt(lease).contains(u"PENDING"_s));
        for (int i = 0; i < 5; ++i) {
            watched.pass(10'000);
            watched.settle();
        }
        QVERIFY(watched.allowedAt(lease).contains(u"ACTIVE"_s));
        QVERIFY(!watched.allowedAt(lease).contains(u"PENDING"_s));
        if (breaks)
            watched.plan(u"zombieAfterDelete"_s);
        watched.driver.controller.submit({ .op = u"delete_lease"_s, .path = lease });
        QVERIFY(waited([&] { return !watched.reference.simulator().world().running.empty(); }));
        watched.pass(5'000); // the answer is held back until the work has ended
        watched.settle();
        watched.pass(80'000);
        watched.settle();
        const ConformanceMonitor &monitor = watched.conformance().monitor();
        QCOMPARE(monitor.violationCount(), breaks ? 1 : 0);
        if (!breaks) {
            QVERIFY(monitor.lost().isEmpty());
            QCOMPARE(watched.allowedAt(lease), QStringList { QString() });
            continue;
        }
        const JudgedViolation &first = watched.conformance().judgedViolations().first();
        QTRY_VERIFY(first.verdict.has_value());
        QVERIFY(first.unexplained.history.untimed);
        QCOMPARE(first.verdict->outcome, HistorySearch::Outcome::Violates);
        QVERIFY(first.shortest() && first.shortest()->untimed);
    }
}

/// Two clients put a network with all that is below it, one over the other, and both look while
/// that goes on: exchanges as they were recorded. Which etag each of six resources had when is too
/// much to ask; what they are is followed all the same.
void TestLiveConformance::oneOverAnother()
{
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    const QString file =
        QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/exchanges/put-over-put.ndjson");
    const Result<QList<Exchange>> all = readExchanges(bytesOf(file), file);
    QVERIFY2(all, qPrintable(all ? QString() : all.error()));
    QList<std::pair<QDateTime, Exchange>> told;
    for (const Exchange &exchange : *all) {
        Exchange open = exchange;
        open.duration = -1;
        open.status = 0;
        told.append({ exchange.sent, open });
        told.append({ exchange.sent.addMSecs(qint64(exchange.duration) + 1), exchange });
    }
    std::ranges::stable_sort(told, {}, &std::pair<QDateTime, Exchange>::first);
    MonitorFeed live(rules);
    const ConformanceMonitor &monitor = live.monitor();
    const QString transit = u"/logicalNetworks/Transit"_s;
    int puts = 0;
    for (const auto &[time, exchange] : std::as_const(told)) {
        live.take(exchange);
        live.advanceTo(time);
        puts += exchange.method == u"PUT" && exchange.isOver();
        QVERIFY2(puts == 0 || !monitor.lostWhy(transit), qPrintable(exchange.url));
    }
    QCOMPARE(puts, 2);
    QCOMPARE(monitor.violationCount(), 0);
    const auto allowed = monitor.allowed(transit + u"/subnets/Rack-1"_s);
    QVERIFY(allowed && allowed->words.contains(u"Updating"_s));
}

const TestClass<TestLiveConformance> registered;
#include "tst_liveconformance.moc"
