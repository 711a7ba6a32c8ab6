// SPDX-License-Identifier: Apache-2.0
// The Controller of a real server, driving the reference controller of this process, whose virtual
// time the test lets pass, and servers that misbehave.

#include "model/engine/report.h"
#include "model/items/operationmodel.h"
#include "model/items/recordmodel.h"
#include "model/items/resourcemodel.h"
#include "model/remote/remotecontroller.h"
#include "tests/remote/reference.h"
#include "tests/remote/scriptedserver.h"
#include "tests/support/staging.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestRemoteController : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void loads();
    void badOptions();
    void readOnly();
    void put();
    void putThatCreates();
    void putsAgain();
    void askedWhenAtRest();
    void deletes();
    void deletesNothing();
    void observes();
    void conflict();
    void superseded();
    void fails();
    void together();
    void replay();
    void preconditions();
    void otherClients();
    void pause();
    void restart();
    void notThereYet();
    void credentialRefused();
    void faults_data();
    void faults();
    void pollFaults();
    void pages();
    void brokenCollections();
    void unknownWords();
    void closes();
    void notOurs();
    void exchanges();
    void lateAnswers();
    void secure();
    void models();
    void sameAsLocal_data();
    void sameAsLocal();

private:
    QStringList m_problems;
};

namespace {

const QString net = u"/logicalNetworks/ln"_s;
const QString subnet = net + u"/subnets/sn1"_s;
const QString pool = subnet + u"/ipPools/p1"_s;
const QString other = net + u"/subnets/sn2"_s;
const QString otherPool = other + u"/ipPools/p2"_s;

QList<ResourceSpec> tree()
{
    return { { .path = net }, { .path = subnet }, { .path = pool }, { .path = other },
        { .path = otherPool }, { .path = u"/GatewayPools/gp"_s },
        { .path = u"/gateways/g"_s, .references = { u"/GatewayPools/gp"_s } } };
}

RemoteController::Options options(const QUrl &url)
{
    RemoteController::Options options;
    options.connection.server = url;
    options.connection.firstBackoffMs = 1;
    options.readOnly = false;
    options.refreshMs = 0;
    options.motionMs = 0;
    options.firstReconnectMs = 5;
    options.mostReconnectMs = 20;
    options.follow.usualDelay = 3'600'000; // only when the test looks
    options.follow.firstBackoff = 1;
    return options;
}

Server::Options patient()
{
    Server::Options options = Reference::still();
    options.retryAfter = 3600;
    return options;
}

/// The order of top-level resources is nobody's business.
QString sorted(const QString &tree)
{
    QStringList lines = tree.split(u'\n', Qt::SkipEmptyParts);
    lines.sort();
    return lines.join(u'\n');
}

/// Like QTest::qWaitFor, but awake as soon as something happens.
template<typename Condition>
bool waited(Condition condition, int ms = 20'000)
{
    QElapsedTimer clock;
    clock.start();
    QTimer pulse;
    pulse.start(100);
    while (!condition()) {
        if (clock.elapsed() > ms)
            return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    return true;
}

/// A controller, and everything that it said.
struct Driver
{
    explicit Driver(const RemoteController::Options &options,
        const QString &pack = u"network-controller"_s, const Switches &switches = {})
        : controller(rulesOf(packNamed(pack), switches), options)
    {
        QObject::connect(&controller, &RemoteController::problem, &controller,
            [this](const QString &text) { problems += text; });
        QObject::connect(&controller, &RemoteController::stateChanged, &controller,
            [this] { states += int(controller.state()); });
        QObject::connect(&controller, &RemoteController::exchanged, &controller,
            [this](const Exchange &exchange) { exchanges.insert(exchange.number, exchange); });
        QObject::connect(&controller, &RemoteController::volleyed, &controller,
            [this](const VolleyReport &report) { volleys += report; });
        QObject::connect(
            &controller, &RemoteController::pollsChanged, &controller, [this] { ++pollChanges; });
        QObject::connect(&controller, &Controller::rewound, &controller, [this] { ++rewinds; });
    }

    bool opened()
    {
        const Result<RemoteController::State> state = controller.open();
        if (!state)
            qFatal("%s", qPrintable(state.error()));
        return waited([this] { return controller.state() == RemoteController::State::Ready; });
    }
    bool quiet()
    {
        return waited([this] { return !controller.isBusy(); });
    }
    /// Asks until nothing new comes.
    bool looked()
    {
        qsizetype before = -1;
        for (int i = 0; i < 10 && before != controller.records().size(); ++i) {
            before = controller.records().size();
            controller.look();
            if (!quiet())
                return false;
        }
        return true;
    }
    const Operation &ask(const Request &request)
    {
        const quint32 serial = controller.submit(request);
        if (!quiet())
            qFatal("no answer");
        return *controller.operations().find(serial);
    }
    const Operation &ask(const QString &op, const QString &path)
    {
        return ask(Request { .op = op, .path = path });
    }
    QString shown() const { return sorted(shownTree(controller.rules(), controller.world())); }
    QString at(const QString &path) const
    {
        return shownAt(controller.rules(), controller.world(), path);
    }
    QString status(const QString &id) const
    {
        return statusName(controller.operations().find(id)->status);
    }
    /// "started PUT /x", one a line.
    QString story() const
    {
        QStringList lines;
        for (const Record &record : controller.records()) {
            for (const Change &change : record.changes) {
                const Rules &rules = controller.rules();
                const auto state = [&](Rules::StateId id) {
                    return id == Rules::None ? u"-"_s : rules.state(id).id;
                };
                lines += u"%1 %2: %3 -> %4"_s.arg(
                    eventName(rules, change), change.path, state(change.from), state(change.to));
            }
        }
        return lines.join(u'\n');
    }

    RemoteController controller;
    QStringList problems;
    QList<int> states;
    QMap<quint64, Exchange> exchanges;
    QList<VolleyReport> volleys;
    int pollChanges = 0, rewinds = 0;
};

} // namespace

void TestRemoteController::init()
{
    m_problems.clear();
}

void TestRemoteController::loads()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QSignalSpy progress(&driver.controller, &RemoteController::progressed);
    QVERIFY(driver.opened());
    QCOMPARE(driver.states,
        (QList<int> {
            int(RemoteController::State::Loading), int(RemoteController::State::Ready) }));
    QCOMPARE(driver.rewinds, 1);
    QCOMPARE(driver.shown().split(u'\n').size(), tree().size());
    QVERIFY(driver.controller.records().isEmpty());
    QCOMPARE(driver.problems, QStringList());
    QCOMPARE(progress.last().at(0), progress.last().at(1));
    QVERIFY(progress.size() > 5);

    const World &there = reference.simulator().world();
    const World &here = driver.controller.world();
    for (const ResourceSpec &spec : tree()) {
        QCOMPARE(driver.at(spec.path), u"Succeeded"_s);
        QCOMPARE(driver.controller.etag(here.tree.find(spec.path)),
            etag(there, there.tree.find(spec.path)));
        QCOMPARE(here.references.value(here.tree.find(spec.path)), spec.references);
    }
    QVERIFY(!driver.controller.isOurs());
    driver.controller.close();
    QCOMPARE(driver.controller.state(), RemoteController::State::Closed);
    QCOMPARE(here.tree.size(), tree().size()); // as it was last seen
    QVERIFY(driver.opened());
}

void TestRemoteController::badOptions()
{
    Driver nowhere(options(QUrl(u"nonsense"_s)));
    QVERIFY(!nowhere.controller.open());
    RemoteController::Options strange = options(QUrl(u"http://127.0.0.1:1"_s));
    strange.version = u"v99"_s;
    Driver version(strange);
    const Result<RemoteController::State> state = version.controller.open();
    QVERIFY(!state);
    QVERIFY2(state.error().contains(u"v99"_s), qPrintable(state.error()));
    QCOMPARE(version.controller.state(), RemoteController::State::Closed);

    Pack silent = packNamed(u"network-controller"_s);
    silent.wire = {};
    RemoteController unspoken(rulesOf(silent), options(QUrl(u"http://127.0.0.1:1"_s)));
    QCOMPARE(unspoken.open().error(),
        u"The pack network-controller does not say how it is spoken over HTTP."_s);

    const quint32 serial = unspoken.submit({ .op = u"PUT"_s, .path = net });
    QCOMPARE(unspoken.operations().find(serial)->errorCode, u"NotConnected"_s);
}

void TestRemoteController::readOnly()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    RemoteController::Options careful = options(QUrl(reference.origin()));
    careful.readOnly = RemoteController::Options().readOnly;
    Driver driver(careful);
    QVERIFY(driver.opened());
    const qint64 requests = reference.server().requests();
    const Operation &put = driver.ask(u"PUT"_s, net);
    QCOMPARE(put.status, Status::Rejected);
    QCOMPARE(put.errorCode, u"ReadOnly"_s);
    QVERIFY(!put.errorMessage.isEmpty());
    QCOMPARE(driver.story(), u"rejected /logicalNetworks/ln: - -> -"_s);
    QCOMPARE(reference.server().requests(), requests);
    driver.controller.setReadOnly(false);
    QCOMPARE(driver.ask(u"PUT"_s, net).status, Status::InProgress);
}

void TestRemoteController::put()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    const QString before = driver.controller.etag(driver.controller.world().tree.find(subnet));

    const quint32 serial = driver.controller.submit(
        { .op = u"PUT"_s, .path = subnet, .id = u"a"_s, .client = u"A"_s });
    const Operation *operation = driver.controller.operations().find(serial);
    QVERIFY(operation);
    QCOMPARE(operation->status, Status::InProgress);
    QVERIFY(!operation->started);
    QCOMPARE(driver.story(), u"sent /logicalNetworks/ln/subnets/sn1: - -> -"_s);
    QVERIFY(driver.quiet());

    operation = driver.controller.operations().find(serial);
    QCOMPARE(operation->status, Status::InProgress);
    QVERIFY(operation->started);
    QCOMPARE(driver.shown(),
        sorted(shownTree(driver.controller.rules(), reference.simulator().world())));
    QCOMPARE(driver.at(net), u"Updating"_s);
    QCOMPARE(driver.at(pool), u"Updating"_s);
    QCOMPARE(driver.at(other), u"Succeeded"_s);
    QVERIFY(driver.controller.etag(driver.controller.world().tree.find(subnet)) != before);
    QVERIFY(driver.controller.world().find(serial));
    QCOMPARE(driver.controller.polls().size(), 1);
    QCOMPARE(driver.controller.polls().first().id, u"a"_s);
    QVERIFY(driver.controller.polls().first().due > QDateTime::currentDateTimeUtc());
    QVERIFY(driver.controller.polls().first().url.contains(u"/operations/"_s));
    QVERIFY(!driver.controller.serverId(serial).isEmpty());

    reference.simulator().advance(500);
    QVERIFY(driver.looked());
    QCOMPARE(driver.status(u"a"_s), u"InProgress"_s);
    reference.simulator().advance(500);
    QVERIFY(driver.looked());
    QCOMPARE(driver.status(u"a"_s), u"Succeeded"_s);
    QCOMPARE(driver.at(net), u"Succeeded"_s);
    QVERIFY(driver.controller.polls().isEmpty());
    QVERIFY(driver.controller.world().running.empty());
    QVERIFY(driver.pollChanges > 0);
    QCOMPARE(driver.story().section(u'\n', 0, 1),
        u"sent /logicalNetworks/ln/subnets/sn1: - -> -\nstarted /logicalNetworks/ln/subnets/sn1: Succeeded -> Updating"_s);
    QVERIFY2(driver.story().contains(
                 u"\nsucceeded /logicalNetworks/ln/subnets/sn1: Updating -> Succeeded"_s),
        qPrintable(driver.story()));
    QCOMPARE(driver.problems, QStringList());
}

void TestRemoteController::putThatCreates()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    Request request { .op = u"PUT"_s, .path = u"/gateways/new"_s, .id = u"a"_s };
    request.properties = { { u"x"_s, 1 } };
    request.references = QStringList { u"/GatewayPools/gp"_s };
    QCOMPARE(driver.ask(request).status, Status::InProgress);
    QCOMPARE(driver.at(u"/gateways/new"_s), u"Updating"_s);
    const World &world = driver.controller.world();
    const Resource made = world.tree.find(u"/gateways/new"_s);
    QCOMPARE(world.references.value(made), request.references);
    QCOMPARE(world.properties.value(made).value(u"x"_s).toInt(), 1);
    QVERIFY(driver.story().contains(u"started /gateways/new: absent -> Updating"_s));
    reference.simulator().advance(1000);
    QVERIFY(driver.looked());
    QCOMPARE(driver.status(u"a"_s), u"Succeeded"_s);

    QCOMPARE(driver.ask(u"PUT"_s, u"/logicalNetworks/none/subnets/s"_s).errorCode, u"NotFound"_s);
}

/// A PUT of what is there already says all of it again, so that nothing gets lost.
void TestRemoteController::putsAgain()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    QCOMPARE(driver.ask({ .op = u"PUT"_s, .path = u"/gateways/g"_s, .id = u"a"_s }).status,
        Status::InProgress);
    reference.simulator().advance(1000);
    QVERIFY(driver.looked());
    const World &world = reference.simulator().world();
    QCOMPARE(world.references.value(world.tree.find(u"/gateways/g"_s)),
        QStringList { u"/GatewayPools/gp"_s });
    QCOMPARE(driver
                 .ask({ .op = u"PUT"_s,
                     .path = u"/gateways/g"_s,
                     .id = u"b"_s,
                     .body = "{\"properties\": {}}" })
                 .status,
        Status::InProgress);
    QVERIFY(world.references.isEmpty()); // what is said is said
}

/// Where the server does not say when to ask, what its resources show does.
void TestRemoteController::askedWhenAtRest()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    RemoteController::Options lively = options(QUrl(reference.origin()));
    lively.motionMs = 10;
    Driver driver(lively);
    QVERIFY(driver.opened());
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    QVERIFY(driver.controller.polls().first().due > QDateTime::currentDateTimeUtc().addSecs(1800));
    reference.simulator().advance(1000);
    QTRY_COMPARE(driver.status(u"a"_s), u"Succeeded"_s);
    // A DELETE is answered with Retry-After, which is kept.
    driver.ask({ .op = u"DELETE"_s, .path = net, .id = u"b"_s });
    reference.simulator().advance(1000);
    QTRY_COMPARE(driver.at(net), u"absent"_s);
    QCOMPARE(driver.status(u"b"_s), u"InProgress"_s);
    driver.controller.askNow();
    QTRY_COMPARE(driver.status(u"b"_s), u"Succeeded"_s);
}

void TestRemoteController::deletes()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    const Operation &operation = driver.ask({ .op = u"DELETE"_s, .path = subnet, .id = u"a"_s });
    QCOMPARE(operation.status, Status::InProgress);
    QCOMPARE(driver.at(subnet), u"Deleting"_s);
    QCOMPARE(driver.at(net), u"Updating"_s);
    reference.simulator().advance(1000);
    QVERIFY(driver.looked());
    QCOMPARE(driver.status(u"a"_s), u"Succeeded"_s);
    QCOMPARE(driver.at(subnet), u"absent"_s);
    QCOMPARE(driver.at(pool), u"absent"_s);
    QCOMPARE(driver.at(net), u"Succeeded"_s);
    QVERIFY2(
        driver.story().contains(u"succeeded /logicalNetworks/ln/subnets/sn1: Deleting -> absent"_s),
        qPrintable(driver.story()));

    QCOMPARE(
        driver.ask({ .op = u"DELETE"_s, .path = net, .id = u"b"_s }).status, Status::InProgress);
    reference.simulator().advance(1000);
    QVERIFY(driver.looked());
    QCOMPARE(driver.status(u"b"_s), u"Succeeded"_s);
    QCOMPARE(driver.at(net), u"absent"_s);
}

void TestRemoteController::deletesNothing()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    const Operation &operation = driver.ask(u"DELETE"_s, u"/logicalNetworks/none"_s);
    QCOMPARE(operation.status, Status::Succeeded);
    QCOMPARE(operation.submitted, operation.submitted);
    QVERIFY2(driver.story().endsWith(u"done /logicalNetworks/none: absent -> absent"_s),
        qPrintable(driver.story()));
}

void TestRemoteController::observes()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    RemoteController::Options careful = options(QUrl(reference.origin()));
    careful.readOnly = true; // reading is allowed
    RemoteController controller(rulesOf(packNamed(u"network-controller"_s)), careful);
    QVERIFY(controller.open());
    QTRY_COMPARE(controller.state(), RemoteController::State::Ready);
    const quint32 serial = controller.submit({ .op = u"GET"_s, .path = net });
    QTRY_VERIFY(controller.operations().find(serial)->isOver());
    QCOMPARE(controller.operations().find(serial)->status, Status::Succeeded);
    QCOMPARE(controller.records().last().changes.front().kind, Change::Kind::Observed);
}

void TestRemoteController::conflict()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    driver.ask({ .op = u"PUT"_s, .path = subnet, .id = u"a"_s });
    const Request sibling { .op = u"PUT"_s, .path = other, .id = u"b"_s };
    const Admission predicted = driver.controller.admission(sibling);
    QCOMPARE(predicted.verdict, Admission::Verdict::Refused);
    const Operation &refused = driver.ask(sibling);
    QCOMPARE(refused.status, Status::Rejected);
    QCOMPARE(refused.httpStatus, 409);
    QCOMPARE(refused.errorCode, u"AnotherOperationInProgress"_s);
    QCOMPARE(refused.conflictsWith, u"a"_s);
    QCOMPARE(refused.rule, predicted.rule);
    QVERIFY(!refused.rule.isEmpty());
    QCOMPARE(driver.status(u"a"_s), u"InProgress"_s);
}

void TestRemoteController::superseded()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    driver.ask({ .op = u"DELETE"_s, .path = subnet, .id = u"b"_s });
    QVERIFY(driver.looked());
    const Operation *canceled = driver.controller.operations().find(u"a"_s);
    QCOMPARE(canceled->status, Status::Canceled);
    QCOMPARE(canceled->canceledBy, u"b"_s);
    QCOMPARE(canceled->errorCode, u"Canceled"_s);
    QCOMPARE(driver.status(u"b"_s), u"InProgress"_s);
    QCOMPARE(driver.shown(),
        sorted(shownTree(driver.controller.rules(), reference.simulator().world())));

    // By somebody whom we do not know.
    QCOMPARE(reference.ask("DELETE", u"/networking/v1/logicalNetworks/ln"_s).status, 202);
    QVERIFY(driver.looked());
    canceled = driver.controller.operations().find(u"b"_s);
    QCOMPARE(canceled->status, Status::Canceled);
    QVERIFY(canceled->canceledBy.isEmpty());
    QVERIFY(!canceled->errorMessage.contains(u"by hand"_s));
    QCOMPARE(driver.at(net), u"Deleting"_s);
}

void TestRemoteController::fails()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    QCOMPARE(reference
                 .ask("POST", u"/_instar/plan"_s,
                     R"({"path": "/logicalNetworks/ln", "op": "PUT", "outcome": "Failed"})")
                 .status,
        200);
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    reference.simulator().advance(1000);
    QVERIFY(driver.looked());
    const Operation *failed = driver.controller.operations().find(u"a"_s);
    QCOMPARE(failed->status, Status::Failed);
    QCOMPARE(failed->errorCode, u"InternalServerError"_s);
    QVERIFY(!failed->errorMessage.isEmpty());
    QCOMPARE(driver.at(net), u"Failed"_s);
    QCOMPARE(driver.at(pool), u"Failed"_s);
}

void TestRemoteController::together()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    const QList<quint32> serials = driver.controller.fireTogether(
        { { .op = u"PUT"_s, .path = subnet, .id = u"a"_s, .client = u"A"_s },
            { .op = u"PUT"_s, .path = other, .id = u"b"_s, .client = u"B"_s },
            { .op = u"PUT"_s, .path = u"/GatewayPools/gp"_s, .id = u"c"_s, .client = u"C"_s } });
    QCOMPARE(serials.size(), 3);
    QVERIFY(driver.quiet());
    QTRY_COMPARE(driver.volleys.size(), 1);
    const VolleyReport report = driver.volleys.first();
    QCOMPARE(report.shots.size(), 3);
    QVERIFY(report.spreadNs > 0);
    QStringList statuses { driver.status(u"a"_s), driver.status(u"b"_s) };
    statuses.sort();
    QCOMPARE(statuses.join(u' '), u"InProgress Rejected"_s); // who comes first is the race
    QCOMPARE(driver.status(u"c"_s), u"InProgress"_s);
    QStringList clients;
    for (const Exchange &exchange : driver.exchanges) {
        if (exchange.purpose == Exchange::Purpose::Fire)
            clients += exchange.client + exchange.operation;
    }
    QCOMPARE(clients.join(u' '), u"Aa Bb Cc"_s);
    QVERIFY(driver.controller.fireTogether({}).isEmpty());
}

void TestRemoteController::replay()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s, .requestId = u"once"_s });
    const Operation &again =
        driver.ask({ .op = u"PUT"_s, .path = net, .id = u"b"_s, .requestId = u"once"_s });
    QCOMPARE(again.replayOf, u"a"_s);
    reference.simulator().advance(1000);
    QVERIFY(driver.looked());
    QCOMPARE(driver.status(u"a"_s), u"Succeeded"_s);
    QCOMPARE(driver.status(u"b"_s), u"Succeeded"_s);
}

void TestRemoteController::preconditions()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    const QString current = driver.controller.etag(driver.controller.world().tree.find(net));
    Request put { .op = u"PUT"_s, .path = net, .id = u"a"_s, .ifMatch = current };
    QCOMPARE(driver.controller.admission(put).verdict, Admission::Verdict::Accepted);
    QCOMPARE(driver.ask(put).status, Status::InProgress);
    put.id = u"b"_s;
    const Operation &late = driver.ask(put);
    QCOMPARE(late.status, Status::Rejected);
    put.id = u"c"_s;
    put.path = u"/GatewayPools/gp"_s;
    put.ifMatch = driver.controller.etag(driver.controller.world().tree.find(net));
    const Operation &wrong = driver.ask(put);
    QCOMPARE(wrong.httpStatus, 412);
}

void TestRemoteController::otherClients()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    RemoteController::Options lively = options(QUrl(reference.origin()));
    lively.refreshMs = 20;
    lively.motionMs = 10;
    Driver driver(lively);
    QVERIFY(driver.opened());
    QCOMPARE(
        reference.ask("PUT", u"/networking/v1/logicalNetworks/ln"_s, "{\"properties\": {}}").status,
        200);
    QTRY_COMPARE(driver.at(pool), u"Updating"_s);
    QVERIFY2(driver.story().contains(u"seen /logicalNetworks/ln: Succeeded -> Updating"_s),
        qPrintable(driver.story()));
    QCOMPARE(driver.controller.records().last().changes.front().moved, 5);
    reference.simulator().advance(1000);
    QTRY_COMPARE(driver.at(pool), u"Succeeded"_s);
    QCOMPARE(reference.ask("PUT", u"/networking/v1/logicalNetworks/new"_s, "{\"properties\": {}}")
                 .status,
        201);
    QTRY_COMPARE(driver.at(u"/logicalNetworks/new"_s), u"Updating"_s);
    QCOMPARE(reference.ask("DELETE", u"/networking/v1/logicalNetworks/new"_s).status, 202);
    reference.simulator().advance(1000);
    QTRY_COMPARE(driver.at(u"/logicalNetworks/new"_s), u"absent"_s);
    QVERIFY(driver.controller.operations().all().isEmpty());
    QVERIFY(driver.controller.world().now > 0);
}

void TestRemoteController::pause()
{
    Server::Options hasty = Reference::still();
    hasty.retryAfter = 0;
    Reference reference(u"network-controller"_s, tree(), hasty);
    RemoteController::Options lively = options(QUrl(reference.origin()));
    lively.refreshMs = 10;
    lively.motionMs = 10;
    lively.follow.usualDelay = 0;
    Driver driver(lively);
    QVERIFY(driver.opened());
    driver.controller.setPolling(false);
    QVERIFY(driver.quiet());
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    QCOMPARE(driver.status(u"a"_s), u"InProgress"_s);
    QCOMPARE(driver.controller.polls().size(), 1);
    QVERIFY(!driver.controller.polls().first().due.isValid());
    reference.simulator().advance(1000);
    const qint64 requests = reference.server().requests();
    QTest::qWait(150); // more than ten times what it takes otherwise
    QCOMPARE(reference.server().requests(), requests);
    QCOMPARE(driver.status(u"a"_s), u"InProgress"_s);
    driver.controller.setPolling(true);
    QTRY_COMPARE(driver.status(u"a"_s), u"Succeeded"_s);
    QTRY_COMPARE(driver.at(pool), u"Succeeded"_s);
}

/// The server goes and comes back, and has forgotten its operations.
void TestRemoteController::restart()
{
    auto reference = std::make_unique<Reference>(u"network-controller"_s, tree(), patient());
    Server::Options again = patient();
    again.http.port = quint16(QUrl(reference->origin()).port());
    RemoteController::Options lively = options(QUrl(reference->origin()));
    lively.refreshMs = 20;
    Driver driver(lively);
    QVERIFY(driver.opened());
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    QCOMPARE(driver.status(u"a"_s), u"InProgress"_s);
    reference.reset();
    QTRY_COMPARE(driver.controller.state(), RemoteController::State::Lost);
    QVERIFY2(driver.controller.stateText().contains(u"does not answer"_s),
        qPrintable(driver.controller.stateText()));
    QVERIFY(driver.controller.nextTry().isValid());
    const Operation &offline = driver.ask({ .op = u"PUT"_s, .path = net, .id = u"b"_s });
    QCOMPARE(offline.status, Status::Rejected);
    QCOMPARE(offline.errorCode, u"NotSent"_s);

    reference = std::make_unique<Reference>(u"network-controller"_s, tree(), again);
    QTRY_COMPARE(driver.controller.state(), RemoteController::State::Ready);
    QTRY_COMPARE(driver.at(net), u"Succeeded"_s);
    driver.controller.look();
    QTRY_COMPARE(driver.status(u"a"_s), u"Failed"_s);
    const Operation *lost = driver.controller.operations().find(u"a"_s);
    QCOMPARE(lost->errorCode, u"Lost"_s);
    QVERIFY2(lost->errorMessage.startsWith(u"It is not known how the operation ended: "_s),
        qPrintable(lost->errorMessage));
    QCOMPARE(driver.ask(u"PUT"_s, subnet).status, Status::InProgress);
}

void TestRemoteController::notThereYet()
{
    ScriptedServer nobody([](const HttpRequest &, QTcpSocket *) {});
    const QUrl url = nobody.url();
    nobody.stop();
    Driver driver(options(url));
    QVERIFY(driver.controller.open());
    QTRY_COMPARE(driver.controller.state(), RemoteController::State::Lost);
    QVERIFY(driver.controller.stateText().contains(u"Connection refused"_s));
    Server::Options there = patient();
    there.http.port = quint16(url.port());
    const Reference reference(u"network-controller"_s, tree(), there);
    QTRY_COMPARE(driver.controller.state(), RemoteController::State::Ready);
    QCOMPARE(driver.rewinds, 1);
    QCOMPARE(driver.at(net), u"Succeeded"_s);
}

void TestRemoteController::credentialRefused()
{
    Server::Options guarded = patient();
    guarded.http.token = "right";
    const Reference reference(u"network-controller"_s, tree(), guarded);
    RemoteController::Options wrong = options(QUrl(reference.origin()));
    wrong.connection.credential = { Credential::Kind::Bearer, {}, u"wrong"_s, {}, {} };
    Driver refused(wrong);
    QVERIFY(refused.controller.open());
    QTRY_COMPARE(refused.controller.state(), RemoteController::State::Lost);
    QVERIFY2(refused.controller.stateText().contains(u"401"_s),
        qPrintable(refused.controller.stateText()));
    QVERIFY(!refused.controller.nextTry().isValid());

    RemoteController::Options right = wrong;
    right.connection.credential.secret = u"right"_s;
    Driver driver(right);
    QVERIFY(driver.opened());
    QCOMPARE(driver.ask(u"PUT"_s, net).status, Status::InProgress);
    for (const Exchange &exchange : driver.exchanges) {
        for (const Exchange::Header &header : exchange.requestHeaders)
            QVERIFY(!header.value.contains(u"right"_s));
    }
}

void TestRemoteController::faults_data()
{
    QTest::addColumn<QString>("fault");
    QTest::addColumn<QString>("status");
    QTest::addColumn<QString>("code");
    QTest::newRow("close") << u"close"_s << u"Failed"_s << u"Lost"_s;
    QTest::newRow("truncate") << u"truncate"_s << u"Failed"_s << u"Lost"_s;
    QTest::newRow("garbage") << u"garbage"_s << u"Failed"_s << u"Lost"_s;
    // What was said in headers is enough.
    QTest::newRow("invalid-json") << u"invalid-json"_s << u"Succeeded"_s << QString();
    QTest::newRow("empty") << u"empty"_s << u"Succeeded"_s << QString();
    QTest::newRow("500") << u"status:500"_s << u"Failed"_s << u"Http500"_s;
    QTest::newRow("503") << u"status:503"_s << u"Rejected"_s << u"Http503"_s;
    QTest::newRow("202") << u"status:202"_s << u"Succeeded"_s << QString();
    QTest::newRow("204") << u"status:204"_s << u"Succeeded"_s << QString();
    QTest::newRow("delay") << u"delay:50"_s << u"Succeeded"_s << QString();
}

void TestRemoteController::faults()
{
    QFETCH(const QString, fault);
    QFETCH(const QString, status);
    QFETCH(const QString, code);
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    const QByteArray plan =
        u"{\"path\": \"%1\", \"op\": \"PUT\", \"fault\": \"%2\"}"_s.arg(net, fault).toUtf8();
    QCOMPARE(reference.ask("POST", u"/_instar/plan"_s, plan).status, 200);
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    reference.simulator().advance(1000);
    QVERIFY(driver.looked());
    const Operation *operation = driver.controller.operations().find(u"a"_s);
    QCOMPARE(statusName(operation->status), status);
    QCOMPARE(operation->errorCode, code);
    QCOMPARE(operation->errorMessage.isEmpty(), code.isEmpty());
    QCOMPARE(driver.shown(),
        sorted(shownTree(driver.controller.rules(), reference.simulator().world())));
    QCOMPARE(driver.controller.state(), RemoteController::State::Ready);
}

/// A server whose operation resource answers nonsense for ever.
void TestRemoteController::pollFaults()
{
    QByteArray poll = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        if (request.target.contains("/operations/"))
            socket->write(poll);
        else if (request.method == "PUT")
            ScriptedServer::answer(socket, 201,
                R"({"properties": {"provisioningState": "Updating"}})",
                { { "Azure-AsyncOperation", "/networking/v1/operations/0123" },
                    { "Retry-After", "0" } });
        else if (request.target.endsWith("/logicalNetworks"))
            ScriptedServer::answer(socket, 200, R"({"value": []})");
        else
            ScriptedServer::answer(socket, 404);
    });
    Driver driver(options(server.url()));
    QVERIFY(driver.opened());
    driver.controller.submit({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    QTRY_COMPARE(driver.status(u"a"_s), u"Failed"_s);
    QVERIFY2(driver.controller.operations().find(u"a"_s)->errorMessage.contains(
                 u"did not say how the operation stands"_s),
        qPrintable(driver.controller.operations().find(u"a"_s)->errorMessage));
    QCOMPARE(driver.at(net), u"absent"_s); // the server says so

    poll = "HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n{\"status\":\"Succeeded\"}";
    poll.replace("21", QByteArray::number(qstrlen("{\"status\":\"Succeeded\"}")));
    driver.controller.submit({ .op = u"PUT"_s, .path = net, .id = u"b"_s });
    QTRY_COMPARE(driver.status(u"b"_s), u"Succeeded"_s);
    poll = "what?";
    driver.controller.submit({ .op = u"PUT"_s, .path = net, .id = u"c"_s });
    QTRY_VERIFY(driver.controller.operations().find(u"c"_s)->isOver()
        || driver.controller.state() == RemoteController::State::Lost);
}

void TestRemoteController::pages()
{
    bool circles = false;
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        const QByteArray path = request.target;
        const auto item = [](const char *name) {
            return QByteArray("{\"resourceId\": \"") + name
                + "\", \"properties\": {\"provisioningState\": \"Succeeded\"}}";
        };
        if (path.endsWith("/logicalNetworks"))
            ScriptedServer::answer(socket, 200,
                "{\"value\": [" + item("a")
                    + "], \"nextLink\": \"/networking/v1/logicalNetworks?skip=1\"}");
        else if (path.endsWith("?skip=1"))
            ScriptedServer::answer(socket, 200,
                "{\"value\": [" + item("b") + "], \"nextLink\": \""
                    + (circles ? "/networking/v1/logicalNetworks" : "?skip=2") + "\"}");
        else if (path.endsWith("?skip=2"))
            ScriptedServer::answer(socket, 200, "{\"value\": [" + item("c") + "]}");
        else
            ScriptedServer::answer(socket, 404);
    });
    Driver driver(options(server.url()));
    QVERIFY(driver.opened());
    QCOMPARE(driver.shown(),
        u"/logicalNetworks/a Succeeded\n/logicalNetworks/b Succeeded\n/logicalNetworks/c Succeeded"_s);
    QCOMPARE(driver.problems, QStringList());
    circles = true;
    driver.controller.reload();
    QVERIFY(driver.quiet());
    QCOMPARE(driver.problems.size(), 1);
    QVERIFY2(
        driver.problems.first().contains(u"in circles"_s), qPrintable(driver.problems.first()));
}

void TestRemoteController::brokenCollections()
{
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        if (request.target.endsWith("/logicalNetworks"))
            ScriptedServer::answer(socket, 200,
                R"({"value": [{"resourceId": "a", "properties": {"provisioningState": "Succeeded"}}, 17, {"resourceId": 5}]})");
        else if (request.target.endsWith("/gateways"))
            ScriptedServer::answer(socket, 200, "{\"value\": [");
        else if (request.target.endsWith("/servers"))
            ScriptedServer::answer(
                socket, 500, R"({"error": {"code": "X", "message": "The disk is full."}})");
        else
            ScriptedServer::answer(socket, 404);
    });
    Driver driver(options(server.url()));
    QVERIFY(driver.opened());
    QCOMPARE(driver.shown(), u"/logicalNetworks/a Succeeded"_s);
    driver.problems.sort();
    QCOMPARE(driver.problems.size(), 2);
    QVERIFY2(driver.problems[0].startsWith(u"/gateways cannot be read: "_s),
        qPrintable(driver.problems[0]));
    QCOMPARE(driver.problems[1], u"/servers cannot be read: 500 The disk is full."_s);
}

void TestRemoteController::unknownWords()
{
    QByteArray word = "Succeeded";
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        if (request.target.endsWith("/logicalNetworks"))
            ScriptedServer::answer(socket, 200,
                "{\"value\": [{\"resourceId\": \"a\", \"properties\": {\"provisioningState\": \""
                    + word + "\"}}]}");
        else
            ScriptedServer::answer(socket, 404);
    });
    Driver driver(options(server.url()));
    QVERIFY(driver.opened());
    word = "Melting";
    for (int i = 0; i < 3; ++i) {
        driver.controller.reload();
        QVERIFY(driver.quiet());
    }
    QCOMPARE(driver.at(u"/logicalNetworks/a"_s), u"Succeeded"_s);
    QCOMPARE(driver.problems,
        QStringList {
            u"The server shows something that the pack network-controller does not know: logicalNetworks: Melting."_s });
}

void TestRemoteController::closes()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    driver.controller.submit({ .op = u"PUT"_s, .path = u"/GatewayPools/gp"_s, .id = u"b"_s });
    driver.controller.close();
    QCOMPARE(driver.controller.state(), RemoteController::State::Closed);
    QCOMPARE(driver.controller.operations().find(u"a"_s)->errorCode, u"Lost"_s);
    QVERIFY(driver.controller.operations().find(u"b"_s)->isOver());
    QVERIFY(driver.controller.polls().isEmpty());
    QVERIFY(driver.controller.world().running.empty());
    QCOMPARE(driver.ask(u"PUT"_s, net).errorCode, u"NotConnected"_s);
    QCOMPARE(driver.at(net), u"Updating"_s);
    // Closing from inside a signal.
    QVERIFY(driver.opened());
    QObject::connect(&driver.controller, &Controller::recorded, &driver.controller,
        [&] { driver.controller.close(); });
    driver.controller.submit({ .op = u"PUT"_s, .path = net });
    QCOMPARE(driver.controller.state(), RemoteController::State::Closed);
}

void TestRemoteController::notOurs()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    const Operation &operation = driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    driver.controller.cancel(operation.serial);
    driver.controller.end(operation.serial, driver.controller.rules().failed);
    QCOMPARE(driver.problems.size(), 2);
    QCOMPARE(driver.status(u"a"_s), u"InProgress"_s);
}

void TestRemoteController::exchanges()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    const qsizetype loaded = driver.exchanges.size();
    QVERIFY(loaded > 5);
    for (const Exchange &exchange : driver.exchanges)
        QCOMPARE(exchange.purpose, Exchange::Purpose::Load);
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s, .client = u"A"_s });
    reference.simulator().advance(1000);
    QVERIFY(driver.looked());
    quint64 number = 0;
    int polls = 0, fired = 0;
    for (const Exchange &exchange : driver.exchanges) {
        QCOMPARE(exchange.number, ++number);
        QVERIFY(exchange.isOver());
        QVERIFY(exchange.status > 0);
        fired += exchange.purpose == Exchange::Purpose::Fire;
        polls += exchange.purpose == Exchange::Purpose::Poll && exchange.operation == u"a";
    }
    QCOMPARE(fired, 1);
    QCOMPARE(polls, 2); // its operation, and its resource at the end
    const auto first =
        std::ranges::find(driver.exchanges, Exchange::Purpose::Fire, &Exchange::purpose);
    QCOMPARE(first->method, u"PUT"_s);
    QCOMPARE(first->status, 200);
    QCOMPARE(first->client, u"A"_s);
    QVERIFY(!first->etag.isEmpty());
    QVERIFY(first->wait >= 0 && first->duration >= first->wait);
}

/// The look at a resource was asked for before a later answer told better.
void TestRemoteController::lateAnswers()
{
    QByteArray state = "Succeeded";
    QList<std::pair<QTcpSocket *, QByteArray>> held;
    bool holds = false;
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        const QByteArray document =
            "{\"resourceId\": \"a\", \"properties\": {\"provisioningState\": \"" + state + "\"}}";
        if (request.target.endsWith("/logicalNetworks"))
            ScriptedServer::answer(socket, 200, "{\"value\": [" + document + "]}");
        else if (request.target.endsWith("/logicalNetworks/a") && request.method == "GET" && holds)
            held.append({ socket, document });
        else if (request.target.endsWith("/logicalNetworks/a") && request.method == "GET")
            ScriptedServer::answer(socket, 200, document);
        else if (request.method == "PUT")
            ScriptedServer::answer(socket, 200, document);
        else
            ScriptedServer::answer(socket, 404);
    });
    Driver driver(options(server.url()));
    QVERIFY(driver.opened());
    holds = true;
    state = "Failed";
    driver.controller.submit({ .op = u"PUT"_s, .path = u"/logicalNetworks/a"_s, .id = u"x"_s });
    QTRY_COMPARE(held.size(), 1); // the look after its end
    QCOMPARE(driver.at(u"/logicalNetworks/a"_s), u"Failed"_s);
    holds = false;
    state = "Succeeded";
    driver.controller.reload();
    QTRY_COMPARE(driver.at(u"/logicalNetworks/a"_s), u"Succeeded"_s);
    ScriptedServer::answer(held.first().first, 200, held.first().second);
    QTRY_VERIFY(driver.controller.operations().find(u"x"_s)->isOver());
    QCOMPARE(driver.at(u"/logicalNetworks/a"_s), u"Succeeded"_s);
}

void TestRemoteController::secure()
{
    const TestCertificate own = TestCertificate::make();
    QVERIFY(!own.certificate.isEmpty());
    Server::Options encrypted = patient();
    encrypted.http.certificate = own.certificate;
    encrypted.http.key = own.key;
    Pack pack = packNamed(u"network-controller"_s);
    const Rules rules = rulesOf(pack);
    Simulator simulator(rules, worldOf(rules, tree()));
    Server server(simulator, encrypted);
    QVERIFY(server.listen());
    RemoteController::Options trusting = options(QUrl(server.origin()));
    trusting.connection.authorities = own.certificate;
    Driver driver(trusting);
    QVERIFY(driver.opened());
    QCOMPARE(driver.ask(u"PUT"_s, net).status, Status::InProgress);
    Driver careful(options(QUrl(server.origin())));
    QVERIFY(careful.controller.open());
    QTRY_COMPARE(careful.controller.state(), RemoteController::State::Lost);
    QVERIFY2(careful.controller.stateText().contains(u"self-signed"_s),
        qPrintable(careful.controller.stateText()));
}

void TestRemoteController::models()
{
    Reference reference(u"network-controller"_s, tree(), patient());
    Driver driver(options(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    ResourceModel resources(driver.controller);
    OperationModel operations(driver.controller);
    RecordModel records(driver.controller);
    const QAbstractItemModelTester one(&resources), two(&operations), three(&records);
    QVERIFY(resources.indexOf(pool).isValid());
    driver.ask({ .op = u"PUT"_s, .path = subnet, .id = u"a"_s });
    const auto cell = [](const QModelIndex &index, int column) {
        return index.siblingAtColumn(column).data().toString();
    };
    QCOMPARE(cell(resources.indexOf(pool), ResourceModel::StateWord), u"Updating"_s);
    QCOMPARE(cell(resources.indexOf(pool), ResourceModel::InProgress), u"PUT on sn1"_s);
    QCOMPARE(cell(resources.indexOf(subnet), ResourceModel::Etag),
        driver.controller.etag(driver.controller.world().tree.find(subnet)));
    QCOMPARE(cell(operations.index(0, 0), OperationModel::StatusWord), u"InProgress"_s);
    QCOMPARE(cell(operations.index(0, 0), OperationModel::Progress), u"at the server"_s);
    QCOMPARE(cell(records.index(0, 0), RecordModel::Text),
        u"a PUT /logicalNetworks/ln/subnets/sn1 sent, not yet answered"_s);
    QCOMPARE(cell(records.index(1, 0), RecordModel::Text),
        u"a PUT /logicalNetworks/ln/subnets/sn1 started: Succeeded → Updating, 2 resources moved"_s);
    driver.ask({ .op = u"DELETE"_s, .path = net, .id = u"b"_s });
    reference.simulator().advance(1000);
    QVERIFY(driver.looked());
    QVERIFY(!resources.indexOf(net).isValid());
    QCOMPARE(cell(operations.index(0, 0), OperationModel::Note), u"canceled by b"_s);
    QCOMPARE(records.rowCount(), [&] {
        qsizetype count = 0;
        for (const Record &record : driver.controller.records())
            count += qsizetype(record.changes.size());
        return int(count);
    }());
}

void TestRemoteController::sameAsLocal_data()
{
    QTest::addColumn<QString>("pack");
    QTest::addColumn<quint32>("seed");
    for (const QString &pack : { u"network-controller"_s, u"network-controller-sync"_s }) {
        for (quint32 seed = 1; seed <= 3; ++seed)
            QTest::addRow("%s %u", qPrintable(pack), seed) << pack << seed;
    }
}

/// A random conversation: the server's world, the local simulator's and what the remote controller
/// shows are the same.
void TestRemoteController::sameAsLocal()
{
    QFETCH(const QString, pack);
    QFETCH(const quint32, seed);
    Reference reference(pack, tree(), patient());
    Driver driver(options(QUrl(reference.origin())), pack);
    QVERIFY(driver.opened());
    Staging local(rulesOf(packNamed(pack)), tree());
    QRandomGenerator random(seed);
    const QStringList paths { net, subnet, pool, other, otherPool, u"/GatewayPools/gp"_s,
        u"/gateways/g"_s, net + u"/subnets/new"_s, u"/logicalNetworks/new"_s };
    for (int step = 0; step < 30; ++step) {
        const QString op = random.bounded(3) ? u"PUT"_s : u"DELETE"_s;
        Request request {
            .op = op, .path = paths[random.bounded(int(paths.size()))], .id = u"s%1"_s.arg(step)
        };
        const auto expected = driver.controller.admission(request);
        driver.controller.submit(request);
        if (pack.endsWith(u"sync"_s)) { // the answer comes when it is done
            QTRY_VERIFY(reference.simulator().operations().all().size() > step);
            reference.simulator().advance(1000);
        }
        QVERIFY(driver.quiet());
        local.ask(request);
        if (pack.endsWith(u"sync"_s))
            local.simulator.advance(1000);
        const Operation &here = *driver.controller.operations().find(request.id);
        const Operation &there = local.operation(request.id);
        const QByteArray about = u"%1 %2"_s.arg(op, request.path).toUtf8();
        QVERIFY2((here.status == Status::Rejected) == (there.status == Status::Rejected),
            about.constData());
        QVERIFY2(
            (expected.verdict == Admission::Verdict::Refused) == (there.status == Status::Rejected),
            about.constData());
        QCOMPARE(here.errorCode, there.errorCode);
        QCOMPARE(here.httpStatus, there.httpStatus);
        QCOMPARE(here.conflictsWith, there.conflictsWith);
        QCOMPARE(here.rule, there.rule);
        const int passes = random.bounded(3) * 500;
        reference.simulator().advance(passes);
        local.simulator.advance(passes);
        QVERIFY(driver.looked());
        QCOMPARE(driver.shown(), sorted(local.tree()));
        for (const Operation &one : local.simulator.operations().all()) {
            QCOMPARE(driver.status(one.id), statusName(one.status));
            QCOMPARE(driver.controller.operations().find(one.id)->canceledBy, one.canceledBy);
            QCOMPARE(driver.controller.operations().find(one.id)->errorCode, one.errorCode);
        }
    }
    QCOMPARE(driver.problems, QStringList());
}

QTEST_GUILESS_MAIN(TestRemoteController)
#include "tst_remotecontroller.moc"
