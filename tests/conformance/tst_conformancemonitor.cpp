// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/conformancemonitor.h"
#include "model/conformance/verdict.h"
#include "model/json/historytext.h"
#include "model/json/packfile.h"
#include "tests/support/property.h"
#include "tests/support/recording.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

class TestConformanceMonitor : public QObject
{
    Q_OBJECT

private slots:
    void allowed();
    void unanswered();
    void silent();
    void notPolled();
    void lookedBeforeOrAfter();
    void atOneMoment();
    void manyEtagsAtOnce();
    void etagWithoutResource();
    void pendingRequestsCount();
    void departs();
    void goesOn();
    void untimed();
    void bounds();
    void connected();
    void repeatedLater_data();
    void repeatedLater();
    void refusedOnceMore();
    void recordingsConform();
    void spoiled();
};

namespace {

using Ended = HistorySearch::Outcome;
using Allowed = ConformanceMonitor::Allowed;

const QString Net = u"/logicalNetworks/n"_s, Sub = u"/logicalNetworks/n/subnets/s"_s,
              Other = u"/logicalNetworks/m"_s;

const Rules &networkRules()
{
    static const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    return rules;
}

QList<ResourceSpec> networks()
{
    return { { .path = Net }, { .path = Sub }, { .path = Other } };
}

RecordedRequest asking(const QString &id, const QString &op, const QString &path, double sent)
{
    return { .line = 1, .request = { .op = op, .path = path, .id = id }, .sent = sent };
}

/// Monitor of three networks whose observations are made at one moment each.
class Watch : public ConformanceMonitor
{
public:
    explicit Watch(const Bounds &bounds = {}, const QList<ResourceSpec> &resources = networks(),
        const Rules &rules = networkRules())
        : ConformanceMonitor(rules, bounds)
    {
        follow(*this, resources);
    }

    /// `requestId`: a name by which a server knows the request again.
    void ask(const QString &id, const QString &op, const QString &path, const QString &code = {},
        const QString &requestId = {})
    {
        RecordedRequest asked = asking(id, op, path, ++m_now);
        asked.request.requestId = requestId;
        sent(asked);
        answer(asked, ++m_now, code);
    }
    void answer(RecordedRequest asked, double time, const QString &code = {})
    {
        asked.answered = m_now = time;
        asked.answer =
            code.isEmpty() ? RecordedRequest::Answer::Accepted : RecordedRequest::Answer::Refused;
        asked.code = code;
        answered(asked);
        advanceTo(m_now + 0.5);
    }
    void lose(RecordedRequest asked, double time)
    {
        asked.answered = time;
        asked.answer = RecordedRequest::Answer::Lost;
        answered(asked);
    }
    void see(const QString &path, const std::optional<QString> &word, const QString &etag = {})
    {
        take({ .path = path, .word = word, .etag = etag });
    }
    void stands(const QString &id, const QString &word) { take({ .operation = id, .word = word }); }
    double now() const { return m_now; }

private:
    void take(Observation observation)
    {
        observation.line = int(++m_now);
        observation.from = observation.to = m_now;
        observed(observation);
        advanceTo(m_now + 0.5);
    }

    double m_now = 0;
};

QStringList wordsAt(const ConformanceMonitor &monitor, const QString &path)
{
    const std::optional<Allowed> allowed = monitor.allowed(path);
    QStringList words = allowed ? allowed->words : QStringList { u"?"_s };
    words.sort();
    return words;
}

HistoryVerdict verdictOf(const History &history, const Rules &rules)
{
    return *verdictOn(history, rules, { .states = 20'000 });
}

/// Tells a history as it would have happened before somebody's eyes.
void tellAll(ConformanceMonitor &monitor, const QStringList &paths, const History &history)
{
    for (const RecordedRequest &asked : history.requests)
        monitor.connect({ .path = asked.request.path, .references = asked.request.references });
    follow(monitor, history.resources, paths);
    struct Moment
    {
        double time = 0;
        int kind = 0;    ///< 0: sent, 1: answered, 2: seen
        double from = 0; ///< what is told from here on began then or later
        std::function<void()> tell;
    };
    std::vector<Moment> moments;
    for (const RecordedRequest &asked : history.requests) {
        const double end = asked.isClosed() ? asked.answered : asked.sent;
        moments.push_back({ asked.sent, 0, asked.sent, [&] { monitor.sent(asked); } });
        moments.push_back({ end, 1, end, [&] { monitor.answered(asked); } });
    }
    for (const Observation &seen : history.observations)
        moments.push_back({ seen.to, 2, seen.from, [&] { monitor.observed(seen); } });
    std::ranges::stable_sort(
        moments, {}, [](const Moment &one) { return std::pair(one.time, one.kind); });
    for (size_t i = moments.size(); i-- > 1;)
        moments[i - 1].from = std::min(moments[i - 1].from, moments[i].from);
    for (const Moment &one : moments) {
        monitor.advanceTo(one.from);
        one.tell();
    }
    monitor.advanceTo(1e300);
}

std::string told(
    const Playground &ground, const Recorded &recording, const ConformanceMonitor &monitor)
{
    QString text = QString::fromUtf8(writePack(ground.rules.pack()))
        + QString::fromUtf8(writeHistory(recording.history)) + recording.truth;
    for (const LiveViolation &one : monitor.violations()) {
        text += std::visit([](const auto &what) { return sentenceOf(what); }, one.what) + u'\n'
            + QString::fromUtf8(writeHistory(one.history));
    }
    return text.toStdString();
}

} // namespace

/// What the rules let a resource show, as more and more is known.
void TestConformanceMonitor::allowed()
{
    Watch monitor;
    QCOMPARE(wordsAt(monitor, Net), QStringList { u"Succeeded"_s });
    QCOMPARE(wordsAt(monitor, Net + u"x"_s), QStringList { u"?"_s }); // nobody told of it
    monitor.ask(u"a"_s, u"PUT"_s, Net);
    QCOMPARE(wordsAt(monitor, Net), (QStringList { u"Failed"_s, u"Succeeded"_s, u"Updating"_s }));
    QCOMPARE(wordsAt(monitor, Other), QStringList { u"Succeeded"_s });
    monitor.stands(u"a"_s, u"Failed"_s);
    QCOMPARE(wordsAt(monitor, Net), QStringList { u"Failed"_s });
    monitor.ask(u"b"_s, u"DELETE"_s, Other);
    QVERIFY(monitor.allowed(Other)->words.contains(QString()));
    monitor.see(Other, {});
    QCOMPARE(wordsAt(monitor, Other), QStringList { QString() });
    follow(monitor, {}, { u"/logicalNetworks/new"_s });
    monitor.ask(u"c"_s, u"PUT"_s, u"/logicalNetworks/new"_s); // it was not there
    monitor.see(u"/logicalNetworks/new"_s, u"Updating"_s);
    QCOMPARE(monitor.violationCount(), 0);
    QVERIFY(monitor.lost().isEmpty());
}

/// A request that has no answer yet may have happened; the answer then tells.
void TestConformanceMonitor::unanswered()
{
    const QString busy = u"AnotherOperationInProgress"_s;
    for (const bool isRefused : { false, true }) {
        Watch monitor;
        const RecordedRequest asked = asking(u"a"_s, u"PUT"_s, Net, 1);
        monitor.sent(asked);
        monitor.advanceTo(2);
        QVERIFY(wordsAt(monitor, Net).contains(u"Updating"_s));
        monitor.observed({ .line = 2, .path = Net, .from = 3, .to = 4, .word = u"Updating"_s });
        monitor.advanceTo(5);
        QVERIFY(!wordsAt(monitor, Net).isEmpty());
        monitor.answer(asked, 6, isRefused ? busy : QString());
        QCOMPARE(monitor.violationCount(), isRefused ? 1 : 0);
    }
    // Refused because of what was over when the answer came.
    Watch monitor;
    monitor.ask(u"a"_s, u"DELETE"_s, Net);
    const RecordedRequest asked = asking(u"b"_s, u"PUT"_s, Sub, monitor.now() + 0.6);
    monitor.sent(asked);
    monitor.stands(u"a"_s, u"Failed"_s);
    monitor.see(Sub, u"Failed"_s);
    monitor.answer(asked, monitor.now() + 1, busy);
    QCOMPARE(monitor.violationCount(), 0);
}

/// A request that never got an answer may come true at any time, also after much has been seen.
void TestConformanceMonitor::silent()
{
    Watch monitor;
    const RecordedRequest asked = asking(u"a"_s, u"PUT"_s, Net, 0.5);
    monitor.sent(asked);
    monitor.lose(asked, 0.6);
    for (int i = 0; i < 400; ++i)
        monitor.see(i % 2 ? Sub : Net, u"Succeeded"_s);
    QCOMPARE(monitor.violationCount(), 0);
    QVERIFY2(monitor.remembered() < 200, qPrintable(QString::number(monitor.remembered())));
    monitor.see(Net, u"Updating"_s);
    monitor.see(Net, u"Succeeded"_s);
    QCOMPARE(monitor.violationCount(), 0);
    monitor.see(Net, u"Updating"_s); // only once
    QCOMPARE(monitor.violationCount(), 1);
}

/// Without a poll, only an observation of the resource tells how its operation has ended.
void TestConformanceMonitor::notPolled()
{
    const Rules rules =
        rulesOf(packNamed(u"network-controller"_s), { { u"ancestorOutcome"_s, u"restore"_s } });
    for (const QString &outcome : { u"Succeeded"_s, u"Failed"_s }) {
        Watch monitor({}, networks(), rules);
        RecordedRequest asked = asking(u"a"_s, u"PUT"_s, Sub, 0.5);
        monitor.sent(asked);
        asked.answered = 0.6;
        asked.answer = RecordedRequest::Answer::Accepted;
        monitor.answered(asked, false);
        monitor.see(Net, u"Updating"_s);
        monitor.see(Net, u"Succeeded"_s);
        QCOMPARE(wordsAt(monitor, Sub), (QStringList { u"Failed"_s, u"Succeeded"_s }));
        monitor.see(Sub, outcome);
        QCOMPARE(wordsAt(monitor, Sub), QStringList { outcome });
    }
}

/// Who begins to look while everything rests may see what a request has done that is sent before
/// the look is over: its etag is the new one then, and stays.
void TestConformanceMonitor::lookedBeforeOrAfter()
{
    for (const double until : { 3.0, 1.5 }) { // when the look was over
        Watch monitor;
        Observation seen {
            .line = 2, .path = Sub, .from = 1, .to = until, .word = u"Succeeded"_s, .etag = u"e1"_s
        };
        const RecordedRequest asked = asking(u"a"_s, u"PUT"_s, Net, 2);
        if (until < asked.sent)
            monitor.observed(seen);
        monitor.sent(asked);
        monitor.answer(asked, 2.5);
        monitor.observed(
            { .line = 3, .operation = u"a"_s, .from = 2.6, .to = 2.8, .word = u"Succeeded"_s });
        if (until > asked.sent)
            monitor.observed(seen);
        monitor.advanceTo(4);
        seen.line = 4;
        seen.from = seen.to = 5;
        monitor.observed(seen);
        monitor.advanceTo(6);
        QCOMPARE(monitor.violationCount(), until < asked.sent ? 1 : 0);
    }
}

/// A parent that rests while its child is at work is the one that is not as expected.
void TestConformanceMonitor::atOneMoment()
{
    for (const bool isTogether : { true, false }) {
        Watch monitor;
        monitor.ask(u"a"_s, u"DELETE"_s, Sub);
        const double now = monitor.now() + 1;
        const Observation parent {
            .line = 8, .path = Net, .from = now, .to = now + 1, .word = u"Succeeded"_s
        };
        const Observation child {
            .line = 9, .path = Sub, .from = now, .to = now + 1, .word = u"Deleting"_s
        };
        if (isTogether) {
            monitor.observed({ child, parent });
        } else {
            monitor.observed(parent);
            monitor.observed(child);
        }
        monitor.advanceTo(now + 2);
        QCOMPARE(monitor.violationCount(), isTogether ? 1 : 0);
        if (!isTogether)
            continue;
        const LiveViolation &unexplained = monitor.violations().first();
        QCOMPARE(unexplained.path, Net);
        QCOMPARE(verdictOf(unexplained.history, networkRules()).outcome, Ended::Violates);
    }
}

/// Where it is too much to ask which etag each of many resources had when, none is asked for; what
/// was seen is explained then.
void TestConformanceMonitor::manyEtagsAtOnce()
{
    QList<ResourceSpec> resources { { .path = Net } };
    for (int i = 0; i < 12; ++i)
        resources += ResourceSpec { .path = Net + u"/subnets/s%1"_s.arg(i) };
    Watch monitor({ .tried = 100 }, resources);
    monitor.ask(u"a"_s, u"PUT"_s, Net);
    monitor.see(Net, u"Updating"_s);
    monitor.see(Net, u"Failed"_s);
    const double now = monitor.now() + 1;
    for (const ResourceSpec &resource : std::as_const(resources))
        monitor.observed({ .line = 9,
            .path = resource.path,
            .from = now,
            .to = now + 1,
            .word = u"Failed"_s,
            .etag = u"e"_s });
    monitor.advanceTo(now + 2);
    QCOMPARE(monitor.violationCount(), 0);
    QVERIFY(!monitor.lostWhy(Net));
}

/// An etag that was never observed matches or not; without a resource it only does not.
void TestConformanceMonitor::etagWithoutResource()
{
    RecordedRequest asked = asking(u"a"_s, u"PUT"_s, Net, 1);
    asked.request.ifMatch = u"x"_s;
    asked.answered = 2;
    asked.answer = RecordedRequest::Answer::Refused;
    History history;
    history.requests += asked;
    const LinearizabilityChecker checker(networkRules(), history);
    LinearizabilityChecker::Configuration start = checker.initial();
    checker.advance(start);
    QCOMPARE(checker.successors(start).size(), size_t(1));
}

/// Configurations are not equal if other requests are pending.
void TestConformanceMonitor::pendingRequestsCount()
{
    History history;
    history.requests = { asking(u"a"_s, u"PUT"_s, Net, 1), asking(u"b"_s, u"PUT"_s, Sub, 1) };
    const LinearizabilityChecker checker(networkRules(), history);
    QByteArray keys[2];
    for (const int call : { 0, 1 }) {
        LinearizabilityChecker::Configuration one = checker.initial();
        one.pending = { call };
        std::vector<int> readOnly;
        checker.key(one, keys[call], &readOnly);
        QVERIFY(readOnly.empty());
    }
    QVERIFY(keys[0] != keys[1]);
}

/// What nothing explains is told, with a history that shows it.
void TestConformanceMonitor::departs()
{
    Watch monitor;
    monitor.ask(u"unseen"_s, u"PUT"_s, Net); // its end is not waited for forever
    const RecordedRequest late = asking(u"late"_s, u"PUT"_s, Net, 20'000);
    monitor.sent(late);
    monitor.answer(late, 20'001);
    monitor.stands(u"late"_s, u"Succeeded"_s);
    for (int i = 0; i < 40; ++i) { // what was long ago is forgotten, etags are not
        const QString id = u"x%1"_s.arg(i);
        monitor.ask(id, u"PUT"_s, Net);
        monitor.see(Net, u"Updating"_s);
        monitor.stands(id, u"Succeeded"_s);
        monitor.see(Net, u"Succeeded"_s, u"e%1"_s.arg(i));
    }
    QCOMPARE(monitor.violationCount(), 0);
    QVERIFY2(monitor.remembered() < 100, qPrintable(QString::number(monitor.remembered())));
    monitor.ask(u"a"_s, u"PUT"_s, Net);
    monitor.stands(u"a"_s, u"Succeeded"_s);
    monitor.see(Net, u"Succeeded"_s, u"e39"_s);
    QCOMPARE(monitor.violationCount(), 1);
    const LiveViolation &unexplained = monitor.violations().first();
    QCOMPARE(unexplained.path, Net);
    QCOMPARE(unexplained.at, monitor.now());
    for (const double answered : { 0., monitor.now() + 1 }) { // never, or later
        LiveViolation open = unexplained;
        open.setCause(RecordedRequest { .answered = answered });
        QCOMPARE(open.at, monitor.now());
    }
    const HistoryVerdict verdict = verdictOf(unexplained.history, networkRules());
    QCOMPARE(verdict.outcome, Ended::Violates);
    QCOMPARE(verdict.violation->line, int(monitor.now()));
    QCOMPARE(verdict.violation->rule, networkRules().pack().stamps.first().about);
    QVERIFY(!verdict.violation->source.isEmpty());
    QVERIFY(verdict.violation->minimal.size() <= 3);
    QCOMPARE(monitor.lostWhy(Sub), ConformanceMonitor::Why::Violated);
    QVERIFY(!monitor.lostWhy(Other));
    QVERIFY(!monitor.allowed(Net));
}

/// From what was seen then it goes on.
void TestConformanceMonitor::goesOn()
{
    Watch monitor;
    monitor.see(Net, u"Failed"_s);
    QCOMPARE(monitor.violationCount(), 1);
    const QList<ConformanceMonitor::Lost> lost = monitor.lost();
    QCOMPARE(lost.size(), 1);
    QCOMPARE(lost.first().trees, QStringList { monitor.treeOf(Net) });
    QCOMPARE(lost.first().since, monitor.now());
    monitor.see(Net, u"Updating"_s);
    QCOMPARE(monitor.violationCount(), 1); // nobody can say
    monitor.resume(lost.first().trees, { { .path = Net, .state = u"Failed"_s }, { .path = Sub } });
    QVERIFY(monitor.lost().isEmpty());
    QCOMPARE(wordsAt(monitor, Net), QStringList { u"Failed"_s });
    monitor.see(Net, u"Failed"_s);
    QCOMPARE(monitor.violationCount(), 1);
    monitor.see(Sub, u"Failed"_s);
    QCOMPARE(monitor.violationCount(), 2);
}

/// A lease that starts before its time breaks the rules only where the time is known.
void TestConformanceMonitor::untimed()
{
    const Rules rules = rulesOf(packNamed(u"blazar"_s));
    const QString lease = u"/leases/workshop"_s;
    Watch timed({}, rules.pack().sample, rules),
        untimed({ .untimed = true }, rules.pack().sample, rules);
    for (Watch *monitor : { &timed, &untimed }) {
        monitor->see(lease, u"PENDING"_s);
        monitor->see(lease, u"ACTIVE"_s); // it is to start in 20 s
        QCOMPARE(monitor->violationCount(), monitor == &timed ? 1 : 0);
    }
    QVERIFY(wordsAt(untimed, lease).contains(u"TERMINATED"_s));
    QVERIFY(!wordsAt(untimed, lease).contains(u"PENDING"_s));
    History history = timed.violations().first().history;
    QCOMPARE(verdictOf(history, rules).outcome, Ended::Violates);
    history.untimed = true;
    QCOMPARE(verdictOf(history, rules).outcome, Ended::Conforms);
    const Result<History> again = readHistory(writeHistory(history), u"h"_s, rules.pack());
    QVERIFY(again && again->untimed);
    QCOMPARE(verdictOf(*again, rules).outcome, Ended::Conforms);
    history.untimed = false;
    QVERIFY(!writeHistory(history).contains("timeless"));
}

/// Where more is possible than can be followed, nobody is accused.
void TestConformanceMonitor::bounds()
{
    Watch monitor({ .worlds = 1, .tried = 3 });
    for (int i = 0; i < 6; ++i)
        monitor.sent(asking(u"r%1"_s.arg(i), u"PUT"_s, i % 2 ? Net : Sub, 0.5));
    monitor.see(Net, u"Failed"_s);
    QCOMPARE(monitor.violationCount(), 0);
    QCOMPARE(monitor.lostWhy(Net), ConformanceMonitor::Why::TooMany);
    QVERIFY(!monitor.lostWhy(Other));

    // Too many that may still come true: nothing is ever certain again.
    Watch quiet;
    for (int i = 0; i < 5; ++i) {
        const RecordedRequest asked = asking(u"r%1"_s.arg(i), u"PUT"_s, Net, 1 + i);
        quiet.sent(asked);
        quiet.lose(asked, 1.5 + i);
    }
    quiet.advanceTo(100);
    QCOMPARE(quiet.lostWhy(Net), ConformanceMonitor::Why::TooMany);
    QVERIFY(quiet.lost().isEmpty());
    quiet.resume({ quiet.treeOf(Net) }, { { .path = Net } });
    QVERIFY(!quiet.allowed(Net));
}

/// A reference joins two trees, also a reference of a resource that the request creates below its
/// target.
void TestConformanceMonitor::connected()
{
    const QString third = u"/logicalNetworks/k"_s;
    for (const bool isBusy : { false, true }) {
        Watch monitor({}, networks() + QList<ResourceSpec> { { .path = third } });
        monitor.see(Other, u"Succeeded"_s, u"x"_s);
        monitor.ask(u"c"_s, u"PUT"_s, third);
        if (isBusy)
            monitor.ask(u"a"_s, u"PUT"_s, Other);
        RecordedRequest asked = asking(u"b"_s, u"PUT"_s, Net, 20);
        if (isBusy)
            asked.request.contents = { { .op = u"PUT"_s, .path = Sub, .references = { Other } } };
        else
            asked.request.references = { Other };
        monitor.sent(asked);
        monitor.answer(asked, 21);
        QCOMPARE(monitor.violationCount(), 0);
        QVERIFY(!monitor.lostWhy(third));
        QCOMPARE(monitor.lostWhy(Other),
            isBusy ? std::optional(ConformanceMonitor::Why::Connected) : std::nullopt);
        QCOMPARE(monitor.lost().size(), isBusy ? 1 : 0);
        if (isBusy)
            QCOMPARE(monitor.lost().first().trees.size(), 2);
    }
}

void TestConformanceMonitor::repeatedLater_data()
{
    QTest::addColumn<QString>("meanwhile");
    for (const char *each : { "much", "lost", "unseen", "joined" })
        QTest::newRow(each) << QString::fromLatin1(each);
}

/// What a name stood for is not known any more where all began anew: nobody can say what comes of
/// a request that repeats it, and nobody is accused.
void TestConformanceMonitor::repeatedLater()
{
    QFETCH(const QString, meanwhile);
    Watch monitor({}, meanwhile == u"unseen" ? QList<ResourceSpec>() : networks());
    monitor.ask(u"first"_s, u"DELETE"_s, Sub, {}, u"name"_s);
    qint64 violationCount = 0;
    if (meanwhile == u"much" || meanwhile == u"joined") {
        monitor.see(Sub, std::nullopt);
        monitor.stands(u"first"_s, u"Succeeded"_s);
        for (int i = 0; i < (meanwhile == u"much" ? 40 : 1); ++i) {
            monitor.ask(u"r%1"_s.arg(i), u"PUT"_s, Sub);
            monitor.see(Sub, u"Updating"_s);
            monitor.see(Sub, u"Succeeded"_s);
            monitor.stands(u"r%1"_s.arg(i), u"Succeeded"_s);
        }
        QVERIFY(monitor.remembered() < 80);
        if (meanwhile == u"joined")
            monitor.connect({ .path = Net, .references = { Other } });
    } else {
        if (meanwhile == u"lost")
            monitor.see(Net, u"Odd"_s);
        violationCount = monitor.violationCount();
        monitor.resume({ monitor.treeOf(Net) }, { { .path = Net }, { .path = Sub } });
    }
    QCOMPARE(monitor.lostWhy(Sub), std::nullopt);
    monitor.ask(u"repeated"_s, u"DELETE"_s, Sub, {}, u"name"_s);
    monitor.see(Sub, u"Succeeded"_s); // it was answered as the first was, and did nothing
    QCOMPARE(monitor.violationCount(), violationCount);
    QCOMPARE(monitor.lostWhy(Sub), ConformanceMonitor::Why::TooLong);
}

/// A refusal is repeated to whoever asks again under its name, though nothing stands in the way
/// now.
void TestConformanceMonitor::refusedOnceMore()
{
    const QString code = u"AnotherOperationInProgress"_s;
    Watch monitor;
    monitor.ask(u"first"_s, u"DELETE"_s, Net);
    monitor.ask(u"refused"_s, u"PUT"_s, Sub, code, u"name"_s);
    monitor.see(Net, u"Failed"_s);
    monitor.ask(u"again"_s, u"PUT"_s, Sub, code, u"name"_s);
    QCOMPARE(monitor.violationCount(), 0);
    monitor.ask(u"thrice"_s, u"PUT"_s, Sub, {}, u"name"_s);
    QCOMPARE(monitor.violationCount(), 1);
    QCOMPARE(monitor.violations().first().path, Sub);
}

/// Whatever the engine does and whoever sees it when: nobody is accused.
void TestConformanceMonitor::recordingsConform()
{
    qint64 explained = 0, passed = 0;
    QVERIFY(holdsFor(casesOf(60), 100, [&] {
        const Playground ground = anyPlayground();
        RecordingSize size { .requests = 1 + below(14), .observations = below(20) };
        if (below(4) == 0)
            size.gap = 20;
        const Recorded recording = recorded(ground, size);
        Watch monitor({ .worlds = 100, .tried = 1000, .untimed = below(2) == 0 }, {}, ground.rules);
        tellAll(monitor, ground.paths, recording.history);
        if (monitor.violationCount() > 0)
            RC_FAIL(told(ground, recording, monitor));
        for (const QString &path : ground.paths) {
            const auto allowed = monitor.allowed(path);
            RC_ASSERT(!allowed || !allowed->words.isEmpty());
        }
        explained += monitor.explained();
        passed += monitor.ignored();
    }));
    qInfo("%lld things explained, %lld passed over", explained, passed);
    QVERIFY(passed < explained);
}

/// What the prediction finds the verdict on the whole history finds, too, and the other way round.
void TestConformanceMonitor::spoiled()
{
    qint64 violating = 0, found = 0;
    QVERIFY(holdsFor(casesOf(60), 100, [&] {
        const Playground ground = anyPlayground();
        Recorded recording = recorded(ground, { .requests = 1 + below(8), .observations = 8 });
        for (Observation &seen : recording.history.observations) {
            if (!seen.isOfResource() && below(6) == 0)
                seen.word = statusName(Status(below(6)));
            else if (seen.isOfResource() && seen.word && below(12) == 0)
                seen.word.reset(), seen.etag.clear();
        }
        for (RecordedRequest &asked : recording.history.requests) {
            if (asked.answer == RecordedRequest::Answer::Refused && below(6) == 0)
                asked.answer = RecordedRequest::Answer::Accepted, asked.code.clear();
        }
        Watch monitor({ .worlds = 100, .tried = 1000 }, {}, ground.rules);
        tellAll(monitor, ground.paths, recording.history);
        const HistoryVerdict verdict = verdictOf(recording.history, ground.rules);
        if (verdict.outcome == Ended::Undecided)
            return;
        if (verdict.outcome == Ended::Conforms && monitor.violationCount() > 0)
            RC_FAIL(told(ground, recording, monitor));
        violating += verdict.outcome == Ended::Violates ? 1 : 0;
        found += monitor.violationCount() > 0 ? 1 : 0;
        for (const LiveViolation &one : monitor.violations()) {
            if (verdictOf(one.history, ground.rules).outcome == Ended::Conforms)
                RC_FAIL(told(ground, recording, monitor));
        }
    }));
    qInfo("%lld of %lld found", found, violating);
    QVERIFY(violating > 10);
    QVERIFY(found * 10 >= violating * 7);
}

const TestClass<TestConformanceMonitor> registered;
#include "tst_conformancemonitor.moc"
