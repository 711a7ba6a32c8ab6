// SPDX-License-Identifier: Apache-2.0
#include "model/engine/operationlog.h"
#include "model/engine/prediction.h"
#include "model/engine/scenario.h"
#include "model/engine/verdict.h"
#include "model/formats/history.h"
#include "model/formats/pack.h"
#include "tests/support/property.h"
#include "tests/support/recording.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <random>

using namespace Qt::StringLiterals;
using namespace instar;

class TestPrediction : public QObject
{
    Q_OBJECT

private slots:
    void allowed();
    void unanswered();
    void silent();
    void lookedBeforeOrAfter_data();
    void lookedBeforeOrAfter();
    void atOneMoment();
    void manyEtagsAtOnce();
    void departs();
    void goesOn();
    void timeless_data();
    void timeless();
    void bounds();
    void connected();
    void connectedByContents();
    void repeatedLater_data();
    void repeatedLater();
    void refusedOnceMore();
    void recordingsConform();
    void spoiled();
    void staysSmall();
};

namespace {

using Ended = HistorySearch::Outcome;
using Allowed = Prediction::Allowed;

int casesOf(int usual)
{
    const QByteArray params = qgetenv("RC_PARAMS");
    return params.contains("max_success") ? rc::detail::configuration().testParams.maxSuccess
                                          : usual;
}

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

/// Something that is told at its moment.
class Told
{
public:
    explicit Told(Prediction &prediction) : m_prediction(prediction) { }

    void ask(const QString &id, const QString &op, const QString &path, const QString &code = {})
    {
        RecordedRequest asked = asking(id, op, path, ++m_now);
        m_prediction.sent(asked);
        asked.answered = ++m_now;
        asked.answer =
            code.isEmpty() ? RecordedRequest::Answer::Accepted : RecordedRequest::Answer::Refused;
        asked.code = code;
        m_prediction.answered(asked);
        m_prediction.advanceTo(m_now + 0.5);
    }
    /// Under a name by which a server knows it again.
    void askAs(const QString &requestId, const QString &id, const QString &op, const QString &path,
        const QString &code = {})
    {
        RecordedRequest asked = asking(id, op, path, ++m_now);
        asked.request.requestId = requestId;
        m_prediction.sent(asked);
        asked.answered = ++m_now;
        asked.answer =
            code.isEmpty() ? RecordedRequest::Answer::Accepted : RecordedRequest::Answer::Refused;
        asked.code = code;
        m_prediction.answered(asked);
        m_prediction.advanceTo(m_now + 0.5);
    }
    void see(const QString &path, const std::optional<QString> &word, const QString &etag = {})
    {
        ++m_now;
        tell({ .line = int(m_now),
            .path = path,
            .from = m_now,
            .to = m_now,
            .word = word,
            .etag = etag });
    }
    void stands(const QString &id, const QString &word)
    {
        ++m_now;
        tell({ .line = int(m_now), .operation = id, .from = m_now, .to = m_now, .word = word });
    }
    double now() const { return m_now; }

private:
    void tell(const Observation &seen)
    {
        m_prediction.seen(seen);
        m_prediction.advanceTo(m_now + 0.5);
    }

    Prediction &m_prediction;
    double m_now = 0;
};

QStringList wordsAt(const Prediction &prediction, const QString &path)
{
    const std::optional<Allowed> allowed = prediction.allowed(path);
    QStringList words = allowed ? allowed->words : QStringList { u"?"_s };
    words.sort();
    return words;
}

HistoryVerdict verdictOf(const History &history, const Rules &rules)
{
    const Result<HistoryVerdict> verdict = verdictOn(history, rules, { .states = 20'000 });
    if (!verdict)
        qFatal("%s", qPrintable(verdict.error()));
    return *verdict;
}

/// Tells a history as it would have happened before somebody's eyes.
void tellAll(Prediction &prediction, const History &history)
{
    struct Moment
    {
        double time = 0;
        int kind = 0, index = 0; ///< 0: sent, 1: answered, 2: seen
    };
    std::vector<Moment> moments;
    for (int i = 0; i < int(history.requests.size()); ++i) {
        const RecordedRequest &asked = history.requests[i];
        moments.push_back({ asked.sent, 0, i });
        moments.push_back({ asked.isClosed() ? asked.answered : asked.sent, 1, i });
    }
    for (int i = 0; i < int(history.observations.size()); ++i)
        moments.push_back({ history.observations[i].to, 2, i });
    std::ranges::stable_sort(
        moments, {}, [](const Moment &one) { return std::pair(one.time, one.kind); });
    std::vector<double> begun(moments.size() + 1, 1e300); // by what is told from here on
    for (size_t i = moments.size(); i-- > 0;) {
        const double from =
            moments[i].kind == 2 ? history.observations[moments[i].index].from : moments[i].time;
        begun[i] = std::min(begun[i + 1], from);
    }
    for (size_t i = 0; i < moments.size(); ++i) {
        const Moment &one = moments[i];
        prediction.advanceTo(begun[i]);
        if (one.kind == 0)
            prediction.sent(history.requests[one.index]);
        else if (one.kind == 1)
            prediction.answered(history.requests[one.index]);
        else
            prediction.seen(history.observations[one.index]);
    }
    prediction.advanceTo(1e300);
}

Playground anyPlace()
{
    static const QStringList packs { u"network-controller"_s, u"network-controller-sync"_s,
        u"pulumi"_s, u"blazar"_s, u"aps"_s };
    const int which = below(7);
    return which < 5 ? knownPlayground(packs[which]) : randomPlayground();
}

std::string told(const Playground &ground, const Recorded &recording, const Prediction &prediction)
{
    QString text = QString::fromUtf8(writePack(ground.rules.pack()))
        + QString::fromUtf8(writeHistory(recording.history)) + recording.truth;
    for (const Departure &one : prediction.departures()) {
        const auto *asked = std::get_if<RecordedRequest>(&one.what);
        text += u"departed: "_s + (asked ? told(*asked) : told(std::get<Observation>(one.what)))
            + u"\n"_s + QString::fromUtf8(writeHistory(one.history));
    }
    return text.toStdString();
}

} // namespace

/// What the rules let a resource show, as more and more is known.
void TestPrediction::allowed()
{
    Prediction prediction(networkRules());
    prediction.begin(networks());
    Told server(prediction);
    QCOMPARE(wordsAt(prediction, Net), QStringList { u"Succeeded"_s });
    QCOMPARE(wordsAt(prediction, Net + u"x"_s), QStringList { u"?"_s }); // nobody told of it
    server.ask(u"a"_s, u"PUT"_s, Net);
    QCOMPARE(
        wordsAt(prediction, Net), (QStringList { u"Failed"_s, u"Succeeded"_s, u"Updating"_s }));
    QCOMPARE(wordsAt(prediction, Other), QStringList { u"Succeeded"_s });
    server.stands(u"a"_s, u"Failed"_s);
    QCOMPARE(wordsAt(prediction, Net), QStringList { u"Failed"_s });
    server.ask(u"b"_s, u"DELETE"_s, Other);
    QVERIFY(prediction.allowed(Other)->words.contains(QString()));
    server.see(Other, {});
    QCOMPARE(wordsAt(prediction, Other), QStringList { QString() });
    server.ask(u"c"_s, u"PUT"_s, u"/logicalNetworks/new"_s); // it was not there
    server.see(u"/logicalNetworks/new"_s, u"Updating"_s);
    QCOMPARE(prediction.departed(), 0);
    QVERIFY(prediction.lost().isEmpty());
}

/// A request that has no answer yet may have happened; the answer then tells.
void TestPrediction::unanswered()
{
    for (const bool isRefused : { false, true }) {
        Prediction prediction(networkRules());
        prediction.begin(networks());
        RecordedRequest asked = asking(u"a"_s, u"PUT"_s, Net, 1);
        prediction.sent(asked);
        prediction.advanceTo(2);
        QVERIFY(wordsAt(prediction, Net).contains(u"Updating"_s));
        prediction.seen({ .line = 2, .path = Net, .from = 3, .to = 4, .word = u"Updating"_s });
        prediction.advanceTo(5);
        QVERIFY(!wordsAt(prediction, Net).isEmpty());
        asked.answered = 6;
        asked.answer =
            isRefused ? RecordedRequest::Answer::Refused : RecordedRequest::Answer::Accepted;
        asked.code = isRefused ? u"AnotherOperationInProgress"_s : QString();
        prediction.answered(asked);
        prediction.advanceTo(7);
        QCOMPARE(prediction.departed(), isRefused ? 1 : 0);
    }
    // Refused because of what was over when the answer came.
    Prediction prediction(networkRules());
    prediction.begin(networks());
    Told server(prediction);
    server.ask(u"a"_s, u"DELETE"_s, Net);
    RecordedRequest asked = asking(u"b"_s, u"PUT"_s, Sub, server.now() + 0.6);
    prediction.sent(asked);
    server.stands(u"a"_s, u"Failed"_s);
    server.see(Sub, u"Failed"_s);
    asked.answered = server.now() + 1;
    asked.answer = RecordedRequest::Answer::Refused;
    asked.code = u"AnotherOperationInProgress"_s;
    prediction.answered(asked);
    prediction.advanceTo(asked.answered + 1);
    QCOMPARE(prediction.departed(), 0);
}

/// A request that never got an answer may come true at any time, also after much has been seen.
void TestPrediction::silent()
{
    Prediction prediction(networkRules());
    prediction.begin(networks());
    RecordedRequest asked = asking(u"a"_s, u"PUT"_s, Net, 0.5);
    prediction.sent(asked);
    asked.answer = RecordedRequest::Answer::Lost;
    asked.answered = 0.6;
    prediction.answered(asked);
    Told server(prediction);
    for (int i = 0; i < 400; ++i)
        server.see(i % 2 ? Sub : Net, u"Succeeded"_s);
    QCOMPARE(prediction.departed(), 0);
    QVERIFY2(prediction.remembered() < 200, qPrintable(QString::number(prediction.remembered())));
    server.see(Net, u"Updating"_s);
    server.see(Net, u"Succeeded"_s);
    QCOMPARE(prediction.departed(), 0);
    server.see(Net, u"Updating"_s); // only once
    QCOMPARE(prediction.departed(), 1);
}

void TestPrediction::lookedBeforeOrAfter_data()
{
    QTest::addColumn<double>("until"); ///< when the look was over
    QTest::addColumn<int>("departed");
    QTest::newRow("it may have been after") << 3.0 << 0;
    QTest::newRow("it was before") << 1.5 << 1;
}

/// Who begins to look while everything rests may see what a request has done that is sent before
/// the look is over: its etag is the new one then, and stays.
void TestPrediction::lookedBeforeOrAfter()
{
    QFETCH(const double, until);
    QFETCH(const int, departed);
    Prediction prediction(networkRules());
    prediction.begin(networks());
    Observation seen {
        .line = 2, .path = Sub, .from = 1, .to = until, .word = u"Succeeded"_s, .etag = u"e1"_s
    };
    RecordedRequest asked = asking(u"a"_s, u"PUT"_s, Net, 2);
    if (until < asked.sent)
        prediction.seen(seen);
    prediction.sent(asked);
    asked.answered = 2.5;
    prediction.answered(asked);
    prediction.seen(
        { .line = 3, .operation = u"a"_s, .from = 2.6, .to = 2.8, .word = u"Succeeded"_s });
    if (until > asked.sent)
        prediction.seen(seen);
    prediction.advanceTo(4);
    seen.line = 4;
    seen.from = seen.to = 5;
    prediction.seen(seen);
    prediction.advanceTo(6);
    QCOMPARE(int(prediction.departed()), departed);
}

/// A parent that rests while its child is at work is the one that is not as expected.
void TestPrediction::atOneMoment()
{
    for (const bool isTogether : { true, false }) {
        Prediction prediction(networkRules());
        prediction.begin(networks());
        Told server(prediction);
        server.ask(u"a"_s, u"DELETE"_s, Sub);
        const double now = server.now() + 1;
        const Observation parent {
            .line = 8, .path = Net, .from = now, .to = now + 1, .word = u"Succeeded"_s
        };
        const Observation child {
            .line = 9, .path = Sub, .from = now, .to = now + 1, .word = u"Deleting"_s
        };
        if (isTogether) {
            prediction.seen({ child, parent });
        } else {
            prediction.seen(parent);
            prediction.seen(child);
        }
        prediction.advanceTo(now + 2);
        QCOMPARE(prediction.departed(), isTogether ? 1 : 0);
        if (!isTogether)
            continue;
        const Departure &departure = prediction.departures().first();
        QCOMPARE(departure.path, Net);
        QCOMPARE(verdictOf(departure.history, networkRules()).outcome, Ended::Violates);
    }
}

/// Where it is too much to ask which etag each of many resources had when, none is asked for; what
/// was seen is explained then.
void TestPrediction::manyEtagsAtOnce()
{
    QList<ResourceSpec> resources { { .path = Net } };
    for (int i = 0; i < 12; ++i)
        resources += ResourceSpec { .path = Net + u"/subnets/s%1"_s.arg(i) };
    Prediction prediction(networkRules(), { .tried = 100 });
    prediction.begin(resources);
    Told server(prediction);
    server.ask(u"a"_s, u"PUT"_s, Net);
    server.see(Net, u"Updating"_s);
    server.see(Net, u"Failed"_s);
    const double now = server.now() + 1;
    for (const ResourceSpec &resource : std::as_const(resources))
        prediction.seen({ .line = 9,
            .path = resource.path,
            .from = now,
            .to = now + 1,
            .word = u"Failed"_s,
            .etag = u"e"_s });
    prediction.advanceTo(now + 2);
    QCOMPARE(prediction.departed(), 0);
    QVERIFY(!prediction.lostWhy(Net));
}

/// What nothing explains is told, with a history that shows it.
void TestPrediction::departs()
{
    Prediction prediction(networkRules());
    prediction.begin(networks());
    Told server(prediction);
    for (int i = 0; i < 40; ++i) { // what was long ago is forgotten, etags are not
        const QString id = u"x%1"_s.arg(i);
        server.ask(id, u"PUT"_s, Net);
        server.see(Net, u"Updating"_s);
        server.stands(id, u"Succeeded"_s);
        server.see(Net, u"Succeeded"_s, u"e%1"_s.arg(i));
    }
    QCOMPARE(prediction.departed(), 0);
    QVERIFY2(prediction.remembered() < 100, qPrintable(QString::number(prediction.remembered())));
    server.ask(u"a"_s, u"PUT"_s, Net);
    server.stands(u"a"_s, u"Succeeded"_s);
    server.see(Net, u"Succeeded"_s, u"e39"_s);
    QCOMPARE(prediction.departed(), 1);
    const Departure &departure = prediction.departures().first();
    QCOMPARE(departure.path, Net);
    QCOMPARE(departure.at, server.now());
    const HistoryVerdict verdict = verdictOf(departure.history, networkRules());
    QCOMPARE(verdict.outcome, Ended::Violates);
    QCOMPARE(verdict.violation->line, int(server.now()));
    QCOMPARE(verdict.violation->rule, networkRules().pack().stamps.first().about);
    QVERIFY(!verdict.violation->source.isEmpty());
    QVERIFY(verdict.minimal.size() <= 3);
    QCOMPARE(prediction.lostWhy(Sub), Prediction::Why::Departed);
    QVERIFY(!prediction.lostWhy(Other));
    QVERIFY(!prediction.allowed(Net));
}

/// From what was seen then it goes on.
void TestPrediction::goesOn()
{
    Prediction prediction(networkRules());
    prediction.begin(networks());
    Told server(prediction);
    server.see(Net, u"Failed"_s);
    QCOMPARE(prediction.departed(), 1);
    const QList<Prediction::Lost> lost = prediction.lost();
    QCOMPARE(lost.size(), 1);
    QCOMPARE(lost.first().trees, QStringList { prediction.treeOf(Net) });
    QCOMPARE(lost.first().since, server.now());
    server.see(Net, u"Updating"_s);
    QCOMPARE(prediction.departed(), 1); // nobody can say
    prediction.goOn(lost.first().trees, { { .path = Net, .state = u"Failed"_s }, { .path = Sub } });
    QVERIFY(prediction.lost().isEmpty());
    QCOMPARE(wordsAt(prediction, Net), QStringList { u"Failed"_s });
    server.see(Net, u"Failed"_s);
    QCOMPARE(prediction.departed(), 1);
    server.see(Sub, u"Failed"_s);
    QCOMPARE(prediction.departed(), 2);
}

void TestPrediction::timeless_data()
{
    QTest::addColumn<bool>("timeless");
    QTest::newRow("its clock") << false;
    QTest::newRow("another clock") << true;
}

/// A lease that starts before its time breaks the rules only where the time is known.
void TestPrediction::timeless()
{
    QFETCH(bool, timeless);
    const Rules rules = rulesOf(packNamed(u"blazar"_s));
    Prediction prediction(rules, { .timeless = timeless });
    prediction.begin(rules.pack().sample);
    Told server(prediction);
    const QString lease = u"/leases/workshop"_s;
    server.see(lease, u"PENDING"_s);
    server.see(lease, u"ACTIVE"_s); // it is to start in 20 s
    QCOMPARE(prediction.departed(), timeless ? 0 : 1);
    if (timeless) {
        QVERIFY(wordsAt(prediction, lease).contains(u"TERMINATED"_s));
        QVERIFY(!wordsAt(prediction, lease).contains(u"PENDING"_s));
        return;
    }
    History history = prediction.departures().first().history;
    QCOMPARE(verdictOf(history, rules).outcome, Ended::Violates);
    history.timeless = true;
    QCOMPARE(verdictOf(history, rules).outcome, Ended::Conforms);
    const Result<History> again = readHistory(writeHistory(history), u"h"_s, rules.pack());
    QVERIFY(again && again->timeless);
    QCOMPARE(verdictOf(*again, rules).outcome, Ended::Conforms);
    history.timeless = false;
    QVERIFY(!writeHistory(history).contains("timeless"));
}

/// Where more is possible than can be followed, nobody is accused.
void TestPrediction::bounds()
{
    Prediction prediction(networkRules(), { .worlds = 1, .tried = 3 });
    prediction.begin(networks());
    Told server(prediction);
    for (int i = 0; i < 6; ++i)
        prediction.sent(asking(u"r%1"_s.arg(i), u"PUT"_s, i % 2 ? Net : Sub, 0.5));
    server.see(Net, u"Failed"_s);
    QCOMPARE(prediction.departed(), 0);
    QCOMPARE(prediction.lostWhy(Net), Prediction::Why::TooMany);
    QVERIFY(!prediction.lostWhy(Other));

    // Too many that may still come true: nothing is ever certain again.
    Prediction quiet(networkRules());
    quiet.begin(networks());
    for (int i = 0; i < 5; ++i) {
        RecordedRequest asked = asking(u"r%1"_s.arg(i), u"PUT"_s, Net, 1 + i);
        quiet.sent(asked);
        asked.answered = 1.5 + i;
        asked.answer = RecordedRequest::Answer::Lost;
        quiet.answered(asked);
    }
    quiet.advanceTo(100);
    QCOMPARE(quiet.lostWhy(Net), Prediction::Why::TooMany);
    QVERIFY(quiet.lost().isEmpty());
    quiet.goOn({ quiet.treeOf(Net) }, { { .path = Net } });
    QVERIFY(!quiet.allowed(Net));
}

/// A reference makes two trees one.
void TestPrediction::connected()
{
    for (const bool isBusy : { false, true }) {
        Prediction prediction(networkRules());
        prediction.begin(networks());
        Told server(prediction);
        server.see(Other, u"Succeeded"_s, u"x"_s);
        if (isBusy)
            server.ask(u"a"_s, u"PUT"_s, Other);
        RecordedRequest asked = asking(u"b"_s, u"PUT"_s, Net, 20);
        asked.request.references = { Other };
        prediction.sent(asked);
        asked.answered = 21;
        prediction.answered(asked);
        prediction.advanceTo(22);
        QCOMPARE(prediction.departed(), 0);
        QCOMPARE(prediction.lostWhy(Other),
            isBusy ? std::optional(Prediction::Why::Connected) : std::nullopt);
        QCOMPARE(prediction.lost().size(), isBusy ? 1 : 0);
        if (isBusy)
            QCOMPARE(prediction.lost().first().trees.size(), 2);
    }
}

/// Also a reference of something that is made with what is asked for.
void TestPrediction::connectedByContents()
{
    Prediction prediction(networkRules());
    prediction.begin(networks());
    Told server(prediction);
    server.ask(u"a"_s, u"PUT"_s, Other);
    RecordedRequest asked = asking(u"b"_s, u"PUT"_s, Net, 20);
    asked.request.contents = { { .op = u"PUT"_s, .path = Sub, .references = { Other } } };
    prediction.sent(asked);
    prediction.advanceTo(21);
    QCOMPARE(prediction.lostWhy(Other), Prediction::Why::Connected);
    QCOMPARE(prediction.lost().size(), 1);
    QCOMPARE(prediction.lost().first().trees.size(), 2);
}

void TestPrediction::repeatedLater_data()
{
    QTest::addColumn<QString>("meanwhile");
    for (const char *each : { "much", "lost", "unseen", "joined" })
        QTest::newRow(each) << QString::fromLatin1(each);
}

/// What a name stood for is not known any more where all began anew: nobody can say what comes of
/// a request that repeats it, and nobody is accused.
void TestPrediction::repeatedLater()
{
    QFETCH(const QString, meanwhile);
    Prediction prediction(networkRules());
    if (meanwhile != u"unseen")
        prediction.begin(networks());
    Told server(prediction);
    server.askAs(u"name"_s, u"first"_s, u"DELETE"_s, Sub);
    qint64 departed = 0;
    if (meanwhile == u"much") {
        server.see(Sub, std::nullopt);
        server.stands(u"first"_s, u"Succeeded"_s);
        for (int i = 0; i < 40; ++i) {
            server.ask(u"r%1"_s.arg(i), u"PUT"_s, Sub);
            server.see(Sub, u"Updating"_s);
            server.see(Sub, u"Succeeded"_s);
            server.stands(u"r%1"_s.arg(i), u"Succeeded"_s);
        }
        QVERIFY(prediction.remembered() < 80);
    } else if (meanwhile == u"joined") {
        server.see(Sub, std::nullopt);
        server.stands(u"first"_s, u"Succeeded"_s);
        server.ask(u"again"_s, u"PUT"_s, Sub);
        server.see(Sub, u"Updating"_s);
        server.see(Sub, u"Succeeded"_s);
        server.stands(u"again"_s, u"Succeeded"_s);
        prediction.connect({ .path = Net, .references = { Other } });
    } else {
        if (meanwhile == u"lost")
            server.see(Net, u"Odd"_s);
        departed = prediction.departed();
        prediction.goOn({ prediction.treeOf(Net) }, { { .path = Net }, { .path = Sub } });
    }
    QCOMPARE(prediction.lostWhy(Sub), std::nullopt);
    server.askAs(u"name"_s, u"repeated"_s, u"DELETE"_s, Sub);
    server.see(Sub, u"Succeeded"_s); // it was answered as the first was, and did nothing
    QCOMPARE(prediction.departed(), departed);
    QCOMPARE(prediction.lostWhy(Sub), Prediction::Why::TooLong);
}

/// A refusal is repeated to whoever asks again under its name, though nothing stands in the way
/// now.
void TestPrediction::refusedOnceMore()
{
    const QString code = u"AnotherOperationInProgress"_s;
    Prediction prediction(networkRules());
    prediction.begin(networks());
    Told server(prediction);
    server.ask(u"first"_s, u"DELETE"_s, Net);
    server.askAs(u"name"_s, u"refused"_s, u"PUT"_s, Sub, code);
    server.see(Net, u"Failed"_s);
    server.askAs(u"name"_s, u"again"_s, u"PUT"_s, Sub, code);
    QCOMPARE(prediction.departed(), 0);
    server.askAs(u"name"_s, u"thrice"_s, u"PUT"_s, Sub);
    QCOMPARE(prediction.departed(), 1);
}

/// Whatever the engine does and whoever sees it when: nobody is accused.
void TestPrediction::recordingsConform()
{
    qint64 explained = 0, passed = 0;
    QVERIFY(holdsFor(casesOf(60), 100, [&] {
        const Playground ground = anyPlace();
        RecordingSize size { .requests = 1 + below(14), .observations = below(20) };
        if (below(4) == 0)
            size.gap = 20;
        const Recorded recording = recorded(ground, size);
        Prediction prediction(
            ground.rules, { .worlds = 100, .tried = 1000, .timeless = below(2) == 0 });
        prediction.begin(recording.history.resources);
        tellAll(prediction, recording.history);
        if (prediction.departed() > 0)
            RC_FAIL(told(ground, recording, prediction));
        for (const QString &path : ground.paths) {
            const auto allowed = prediction.allowed(path);
            RC_ASSERT(!allowed || !allowed->words.isEmpty());
        }
        explained += prediction.explained();
        passed += prediction.passedOver();
    }));
    qInfo("%lld things explained, %lld passed over", explained, passed);
    QVERIFY(passed < explained);
}

/// What the prediction finds the verdict on the whole history finds, too, and the other way round.
void TestPrediction::spoiled()
{
    qint64 violating = 0, found = 0;
    QVERIFY(holdsFor(casesOf(60), 100, [&] {
        const Playground ground = anyPlace();
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
        Prediction prediction(ground.rules, { .worlds = 100, .tried = 1000 });
        prediction.begin(recording.history.resources);
        tellAll(prediction, recording.history);
        const HistoryVerdict verdict = verdictOf(recording.history, ground.rules);
        if (verdict.outcome == Ended::Undecided)
            return;
        if (verdict.outcome == Ended::Conforms && prediction.departed() > 0)
            RC_FAIL(told(ground, recording, prediction));
        violating += verdict.outcome == Ended::Violates ? 1 : 0;
        found += prediction.departed() > 0 ? 1 : 0;
        for (const Departure &one : prediction.departures()) {
            if (verdictOf(one.history, ground.rules).outcome == Ended::Conforms)
                RC_FAIL(told(ground, recording, prediction));
        }
    }));
    qInfo("%lld of %lld found", found, violating);
    QVERIFY(violating > 10);
    QVERIFY(found * 10 >= violating * 7);
}

/// A long time with a server that keeps its word: what is remembered does not grow.
void TestPrediction::staysSmall()
{
    const Rules &rules = networkRules();
    Prediction prediction(rules);
    QList<ResourceSpec> resources;
    for (int tree = 0; tree < 5; ++tree) {
        resources += ResourceSpec { .path = u"/logicalNetworks/n%1"_s.arg(tree) };
        resources += ResourceSpec { .path = u"/logicalNetworks/n%1/subnets/s"_s.arg(tree) };
    }
    prediction.begin(resources);
    World world = makeWorld(rules, resources).world;
    OperationLog log;
    std::mt19937 random(7);
    const auto upTo = [&](int limit) { return int(random() % quint32(limit)); };
    qint64 now = 0;
    const auto happen = [&](const Event &event) {
        Stepped stepped = step(rules, std::move(world), event);
        world = std::move(stepped.world);
        log.apply(rules, stepped.record, world);
    };
    const auto pass = [&](int ms) {
        now += ms;
        for (Event next = nextEvent(rules, world);
             next.kind != Event::Kind::Wait && next.time <= now; next = nextEvent(rules, world))
            happen(next);
    };
    qsizetype most = 0, mostWorlds = 0, again = 0;
    const int operations = qEnvironmentVariableIntValue("INSTAR_SOAK") > 0
        ? qEnvironmentVariableIntValue("INSTAR_SOAK")
        : 600;
    QStringList asked;
    for (int i = 0; i < operations; ++i) {
        pass(1 + upTo(30));
        const QString path = resources[upTo(int(resources.size()))].path;
        RecordedRequest one =
            asking(u"r%1"_s.arg(i), upTo(5) ? u"PUT"_s : u"DELETE"_s, path, double(now) - 1);
        one.line = i;
        prediction.sent(one);
        one.request.outcome = upTo(6) ? QString() : u"failed"_s;
        one.request.duration = upTo(60);
        happen({ .kind = Event::Kind::Submit,
            .time = now,
            .request = QSharedPointer<Request>::create(one.request) });
        const Operation &operation = *log.find(one.request.id);
        one.answered = double(now) + 1;
        if (operation.status == Status::Rejected) {
            one.answer = RecordedRequest::Answer::Refused;
            one.code = operation.errorCode;
        } else {
            asked += one.request.id;
        }
        prediction.answered(one);
        now += 2;
        for (int look = 0; look < 3; ++look) {
            pass(1 + upTo(20));
            Observation seen { .line = i, .from = double(now) - 1, .to = double(now) };
            if (upTo(2) && !asked.isEmpty()) {
                seen.operation = asked.last();
                seen.word = statusName(log.find(seen.operation)->status);
            } else {
                seen.path = resources[upTo(int(resources.size()))].path;
                const Resource resource = world.tree.find(seen.path);
                if (resource != NoResource) {
                    seen.word = rules.shown(world.tree.code(resource));
                    seen.etag = etag(world, resource);
                }
            }
            prediction.seen(seen);
        }
        prediction.advanceTo(double(now) - 1);
        if (world.running.empty() && !prediction.lost().isEmpty()) {
            prediction.advanceTo(double(++now));
            for (const Prediction::Lost &lost : prediction.lost()) {
                const Scenario shown = scenarioOf(rules, world);
                QList<ResourceSpec> there = shown.resources.value_or(QList<ResourceSpec>());
                there.removeIf([&](const ResourceSpec &resource) {
                    return !lost.trees.contains(prediction.treeOf(resource.path));
                });
                prediction.goOn(lost.trees, there);
                ++again;
            }
        }
        log.keep(100);
        most = std::max(most, prediction.remembered());
        mostWorlds = std::max(mostWorlds, prediction.worlds());
        if (prediction.departed() > 0) {
            const HistoryVerdict verdict =
                verdictOf(prediction.departures().first().history, rules);
            QFAIL(qPrintable(verdictText(verdict, u"soak"_s)));
        }
    }
    qInfo("%lld explained, %lld passed over, at most %lld remembered, %lld worlds, begun again "
          "%lld times",
        prediction.explained(), prediction.passedOver(), qint64(most), qint64(mostWorlds),
        qint64(again));
    QVERIFY(most < 2500);
    QVERIFY(prediction.passedOver() * 10 < prediction.explained());
}

const TestClass<TestPrediction> registered;
#include "tst_prediction.moc"
