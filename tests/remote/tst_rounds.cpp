// SPDX-License-Identifier: Apache-2.0
// A set of requests fired at a server again and again: what is counted, judged, made again and
// kept.

#include "model/json/exchanges.h"
#include "model/remote/rounds.h"
#include "tests/remote/driver.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace instar;
using namespace instar::place;
using namespace Qt::StringLiterals;

using Judged = HistorySearch::Outcome;

class TestRounds : public QObject
{
    Q_OBJECT

private slots:
    void conform();
    void restoresProperties();
    void whatOthersRemoveStaysGone();
    void leavesTheRules();
    void apart();
    void alike();
    void severalClients();
    void stops();
    void doesNotWaitForever();
    void closed();
};

namespace {

Server::Options quick()
{
    Server::Options options;
    options.speed = 20; // an operation of a second is over in 50 ms
    options.http.retryAfter = 0;
    return options;
}

/// A server in real time, its client, and what the rounds came to.
struct Fired
{
    explicit Fired(const Server::Options &options = quick())
        : reference(u"network-controller"_s, smallTree(), options)
    {
        RemoteController::Options client = unhurried(QUrl(reference.origin()));
        client.transitionalRefreshMs = 20;
        client.follow.usualDelay = 20;
        driver = std::make_unique<Driver>(client);
        QVERIFY(driver->opened());
    }
    bool run(const RoundsPlan &plan)
    {
        rounds = std::make_unique<Rounds>(driver->controller, plan);
        QObject::connect(
            rounds.get(), &Rounds::roundEnded, rounds.get(), [this](const Round &round) {
                all += round;
                tally.add(round);
                if (onRound)
                    onRound();
            });
        rounds->start();
        return waited([this] { return !rounds->isGoingOn(); }, 60'000);
    }

    Reference reference;
    std::unique_ptr<Driver> driver;
    std::unique_ptr<Rounds> rounds;
    std::function<void()> onRound;
    QList<Round> all;
    RoundsTally tally;
};

Request asks(const QString &op, const QString &path, const QString &client)
{
    return { .op = op, .path = path, .client = client };
}

} // namespace

/// What a round has removed is there again in the next one, as it was.
void TestRounds::conform()
{
    Fired fired;
    QVERIFY(
        fired.run({ .requests = { asks(u"PUT"_s, subnet, u"A"_s), asks(u"DELETE"_s, net, u"B"_s) },
            .rounds = 3 }));
    QCOMPARE(fired.all.size(), 3);
    for (int i = 0; i < 3; ++i) {
        const Round &round = fired.all[i];
        QCOMPARE(round.number, i + 1);
        QCOMPARE(round.problem, QString());
        QCOMPARE(round.verdict.outcome, Judged::Conforms);
        QVERIFY(round.verdict.of > 3);
        QVERIFY(round.spread && *round.spread >= 0);
        QVERIFY(begins(round.ending, u"PUT sn1 "_s) && has(round.ending, { u" · DELETE ln "_s }));
        int fires = 0;
        for (const Exchange &exchange : round.exchanges)
            fires += exchange.purpose == Exchange::Purpose::Fire && exchange.client != u"restore";
        QCOMPARE(fires, 2);
    }
    // The network was made again twice, with all that was in it, by nobody's operation of the plan.
    QStringList restored;
    for (const Operation &operation : fired.driver->controller.operations().all()) {
        if (operation.client == u"restore")
            restored += operation.path;
    }
    QCOMPARE(restored.count(net), 2);
    for (int i = 1; i < 3; ++i) { // when a round begins
        const bool isThere = std::ranges::any_of(fired.all[i].exchanges,
            [](const Exchange &exchange) { return exchange.responseBody.contains("\"p2\""); });
        QVERIFY(isThere);
    }
    QVERIFY(!restored.contains(gateway));
    const QList<RoundGroup> alike = fired.tally.sorted();
    int counted = 0;
    for (const RoundGroup &each : alike) {
        counted += each.count;
        QCOMPARE(each.outcome, Judged::Conforms);
        QVERIFY(each.first.exchanges.isEmpty()); // nobody needs them
        QCOMPARE(each.spreads.size(), each.count);
    }
    QCOMPARE(counted, 3);
}

/// A restored resource has the properties that it had before the first round.
void TestRounds::restoresProperties()
{
    Fired fired;
    fired.reference.ask("PUT", u"/networking/v1"_s + net, R"({"properties": {"vlan": "seven"}})");
    const Simulator &simulator = fired.reference.simulator();
    QTRY_VERIFY(simulator.world().running.empty());
    QVERIFY(fired.run({ .requests = { asks(u"DELETE"_s, net, u"A"_s) }, .rounds = 2 }));
    QCOMPARE(fired.all.size(), 2);
    QStringList stored;
    for (const Change &change : changesIn(fired.driver->controller)) {
        if (change.request && change.request->client == u"restore" && change.request->path == net)
            stored += change.request->properties.value(u"vlan"_s).toString();
    }
    QVERIFY(!stored.isEmpty());
    QCOMPARE(stored.first(), u"seven"_s);
}

/// Only what a round can have removed is made again; before the first one nothing is.
void TestRounds::whatOthersRemoveStaysGone()
{
    Fired fired;
    fired.reference.ask("DELETE", u"/networking/v1"_s + net);
    QTRY_VERIFY(fired.reference.simulator().world().tree.find(net) == NoResource);
    fired.onRound = [&] {
        if (fired.all.size() == 1)
            fired.reference.ask("DELETE", u"/networking/v1"_s + gateway);
    };
    QVERIFY(fired.run({ .requests = { asks(u"PUT"_s, gatewayPool, u"A"_s) }, .rounds = 3 }));
    QCOMPARE(fired.all.size(), 3);
    QVERIFY(fired.reference.simulator().world().tree.find(gateway) == NoResource);
    for (const Operation &operation : fired.driver->controller.operations().all())
        QCOMPARE(operation.client, u"A"_s);
}

/// It stops there unless told to go on, names what nothing explains, and the exchanges say so to
/// another judge.
void TestRounds::leavesTheRules()
{
    for (const bool stops : { true, false }) {
        Fired fired;
        fired.reference.server().plan({ .fault = u"wrongFinalState"_s });
        QVERIFY(fired.run({ .requests = { asks(u"PUT"_s, gateway, u"A"_s) },
            .rounds = 3,
            .stopsAtViolation = stops }));
        QCOMPARE(fired.all.size(), stops ? 1 : 3);
        QCOMPARE(fired.all.first().verdict.outcome, Judged::Violates);
        QVERIFY(!fired.all.first().spread); // one request leaves together with nobody
        // What does not conform stands above what does; ids and etags tell no rounds apart.
        const QList<RoundGroup> alike = fired.tally.sorted();
        const RoundGroup &kept = alike.first();
        QCOMPARE(kept.outcome, Judged::Violates);
        QVERIFY(has(kept.what, { u" was seen "_s })); // the one or the other comes first
        QVERIFY2(
            !kept.what.contains(QRegularExpression(u"\\bop\\d|etag"_s)), qPrintable(kept.what));
        int counted = 0;
        for (const RoundGroup &each : alike)
            counted += each.count;
        QCOMPARE(counted, fired.all.size());
        const Result<QList<Exchange>> read =
            readExchanges(exchangesNdjson(kept.first.exchanges), u"round"_s);
        QVERIFY(read && !read->isEmpty());
        QCOMPARE(read->size(), kept.first.exchanges.size());
    }
}

void TestRounds::apart()
{
    Fired fired;
    QVERIFY(
        fired.run({ .requests = { asks(u"PUT"_s, subnet, u"A"_s), asks(u"PUT"_s, gateway, u"B"_s) },
            .rounds = 2,
            .jitter = 40 }));
    QCOMPARE(fired.all.size(), 2);
    for (const Round &round : fired.all) {
        QVERIFY(!round.spread);
        QCOMPARE(round.verdict.outcome, Judged::Conforms);
        QCOMPARE(round.ending, u"PUT sn1 Succeeded · PUT g Succeeded"_s);
    }
    QCOMPARE(fired.tally.sorted().size(), 1);
    QCOMPARE(fired.tally.sorted().first().count, 2);
}

/// Rounds in which different operations break a rule alike are counted together.
void TestRounds::alike()
{
    RoundsTally tally;
    for (const QString &id : { u"a"_s, u"b"_s }) {
        Round round;
        round.verdict.violation =
            Violation { .what = Observation { .operation = id, .word = u"Failed"_s } };
        tally.add(round);
    }
    QCOMPARE(tally.sorted().size(), 1);
}

/// Each request is sent by each of them; how many went how is counted.
void TestRounds::severalClients()
{
    Fired fired;
    QVERIFY(
        fired.run({ .requests = { asks(u"GET"_s, gateway, u"A"_s) }, .rounds = 1, .clients = 3 }));
    QCOMPARE(fired.all.first().ending, u"GET g 3 Succeeded"_s);
    QStringList clients;
    for (const Operation &operation : fired.driver->controller.operations().all())
        clients += operation.client;
    QCOMPARE(clients, (QStringList { u"A"_s, u"A 2"_s, u"A 3"_s }));
}

void TestRounds::stops()
{
    Fired fired;
    fired.onRound = [&] { fired.rounds->stop(); };
    QVERIFY(fired.run({ .requests = { asks(u"PUT"_s, gateway, u"A"_s) }, .rounds = 1000 }));
    QVERIFY(fired.all.size() <= 2);
    QCOMPARE(fired.rounds->done(), int(fired.all.size()));
}

/// A server in which nothing ends: it is said, and nobody is judged.
void TestRounds::doesNotWaitForever()
{
    Fired fired(Reference::still());
    QVERIFY(fired.run(
        { .requests = { asks(u"PUT"_s, gateway, u"A"_s) }, .rounds = 1, .patience = 2000 }));
    QCOMPARE(fired.all.size(), 1);
    QVERIFY2(fired.all.first().problem.contains(u"2 s"_s), qPrintable(fired.all.first().problem));
    const RoundGroup only = fired.tally.sorted().first();
    QCOMPARE(only.outcome, Judged::Undecided);
    QCOMPARE(only.what, fired.all.first().problem);
    QVERIFY(!only.first.exchanges.isEmpty());
}

void TestRounds::closed()
{
    Fired fired(Reference::still());
    QTimer::singleShot(300, &fired.driver->controller, [&] { fired.driver->controller.close(); });
    QVERIFY(fired.run({ .requests = { asks(u"PUT"_s, gateway, u"A"_s) }, .rounds = 5 }));
    QVERIFY(fired.all.isEmpty());
}

const TestClass<TestRounds> registered;
#include "tst_rounds.moc"
