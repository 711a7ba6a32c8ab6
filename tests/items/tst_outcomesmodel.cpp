// SPDX-License-Identifier: Apache-2.0
#include "model/items/outcomesmodel.h"
#include "model/items/words.h"
#include "tests/support/exploring.h"
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QRegularExpression>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestOutcomesModel : public QObject
{
    Q_OBJECT

private slots:
    void theWorstComesFirst();
    void whatComesSpontaneousComesLast();
    void whatFewShareComesFirst();
    void namesakesAreToldApart();
    void requiredOnesAreNamed();
    void whatWaitsIsTold();
    void ordersAreToldToTheirEnd();
    void elidedDistinctly_data();
    void elidedDistinctly();
};

/// Among endings; what is no ending stays where it is.
void TestOutcomesModel::theWorstComesFirst()
{
    const Rules rules = rulesOf(packOf(
        R"({"id": "p", "types": {"t": {"machine": "m"}}, "machines": {"m": {"rest": "fine", "states": {
            "none": {"kind": "initial"}, "fine": {}, "Failed": {}, "busy": {"kind": "transitional"}},
            "transitions": [{"from": ["none", "fine"], "on": "go", "to": "busy"}, {"from": "busy", "on": "succeeded", "to": "fine"},
            {"from": "busy", "on": "failed", "to": "Failed"}]}}})"));
    const int machine = rules.machineForType(u"t"_s);
    Outcomes outcomes;
    for (const QString &path : { u"/t/a"_s, u"/t/b"_s })
        outcomes.rows += Outcomes::Row { .path = path, .machine = machine };
    const auto add = [&](const QString &name, const QStringList &words, const QStringList &statuses,
                         Outcomes::Trace::Kind kind = Outcomes::Trace::Kind::Ending) {
        Outcomes::Trace trace { {}, kind, words };
        trace.trace = { name };
        for (const QString &status : statuses)
            trace.operations.insert(u"op%1"_s.arg(trace.operations.size()), status);
        outcomes.traces += trace;
    };
    const QString good = u"Succeeded"_s;
    add(u"dead"_s, { u"fine"_s, u"fine"_s }, { good, good }, Outcomes::Trace::Kind::DeadEnd);
    add(u"fine"_s, { u"fine"_s, u"fine"_s }, { good, good });
    add(u"refused"_s, { u"fine"_s, u"fine"_s }, { good, u"Rejected"_s });
    add(u"one"_s, { u"fine"_s, u"Failed"_s }, { good, u"Failed"_s });
    add(u"fine too"_s, { u"fine"_s, QString() }, { good, good });
    add(u"one, and canceled"_s, { u"Failed"_s, u"fine"_s }, { u"Canceled"_s, u"Failed"_s });
    add(u"both"_s, { u"Failed"_s, u"Failed"_s }, { u"Failed"_s, good });
    sortByHarm(&outcomes, rules);
    QStringList order;
    for (const Outcomes::Trace &trace : std::as_const(outcomes.traces))
        order += trace.trace.first();
    QCOMPARE(order,
        (QStringList { u"dead"_s, u"both"_s, u"one, and canceled"_s, u"one"_s, u"refused"_s,
            u"fine"_s, u"fine too"_s }));
}

/// A constraint that the clock alone breaks has nothing to do with what was asked.
void TestOutcomesModel::whatComesSpontaneousComesLast()
{
    using Kind = Outcomes::Trace::Kind;
    const auto request = QSharedPointer<const Request>::create();
    const Event asked { .kind = Event::Kind::Submit, .request = request },
        clock { .kind = Event::Kind::Fire };
    Outcomes outcomes { .deadEnds = 1, .brokenConstraints = 7, .endings = 1 };
    const auto add = [&](Kind kind, const QList<Event> &schedule) {
        Outcomes::Trace trace { {}, kind };
        trace.schedule = schedule;
        outcomes.traces += trace;
    };
    add(Kind::DeadEnd, {});
    add(Kind::BrokenConstraint, { clock });
    add(Kind::BrokenConstraint, { clock, asked });
    add(Kind::BrokenConstraint, {});
    add(Kind::Ending, { asked });
    OutcomesModel model;
    model.show(outcomes);
    QStringList rows;
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex index = model.index(row);
        const int trace = index.data(OutcomesModel::TraceOf).toInt();
        rows += trace < 0 ? index.data().toString() : QString::number(trace);
    }
    QCOMPARE(rows,
        (QStringList { u"Dead ends (1)"_s, u"0"_s, u"Broken constraints (5), the first 1"_s, u"2"_s,
            u"Endings (1)"_s, u"4"_s, u"Constraints broken even if nothing is asked (2)"_s, u"1"_s,
            u"3"_s }));
}

/// What only one of many endings has stands first in it, where there is room for three.
void TestOutcomesModel::whatFewShareComesFirst()
{
    Outcomes outcomes { .endings = 3 };
    for (const char *name : { "a", "b", "c", "d", "e" })
        outcomes.rows += Outcomes::Row {
            .path = u"/t/"_s + QString::fromLatin1(name), .before = u"fine"_s, .isOther = true
        };
    const auto add = [&](const QString &words) {
        Outcomes::Trace trace;
        trace.operations = { { u"op1"_s, u"Succeeded"_s } };
        for (const QChar each : words)
            trace.words += each == u'F' ? u"Failed"_s : each == u'-' ? QString() : u"fine"_s;
        outcomes.traces += trace;
    };
    add(u"FFFFf"_s);
    add(u"FFFFF"_s);
    add(u"FFF-f"_s);
    const QList<TraceText> texts = traceTexts(outcomes);
    QCOMPARE(texts[0].title, u"d Failed, a Failed, b Failed, 1 more"_s);
    QCOMPARE(texts[1].title, u"e Failed, d Failed, a Failed, 2 more"_s);
    QCOMPARE(texts[1].whole, u"e Failed, d Failed, a Failed, b Failed, c Failed"_s);
    QCOMPARE(texts[2].title, u"d gone, a Failed, b Failed, 1 more"_s);
    OutcomesModel model;
    model.show(outcomes);
    QCOMPARE(model.index(2).data(OutcomesModel::Whole).toString(), texts[1].whole);
    QVERIFY(model.index(2).data(Qt::ToolTipRole).toString().startsWith(texts[1].whole));
}

/// Two of one name are called by where they are.
void TestOutcomesModel::namesakesAreToldApart()
{
    Outcomes outcomes { .endings = 2 };
    for (const QString &path : { u"/t/a/p/one"_s, u"/t/b/p/one"_s, u"/t/b/p/two"_s })
        outcomes.rows += Outcomes::Row { .path = path, .before = u"fine"_s };
    outcomes.traces = { { .words = { u"Failed"_s, u"fine"_s, u"Failed"_s } },
        { .words = { u"fine"_s, u"Failed"_s, u"Failed"_s } } };
    const QList<TraceText> texts = traceTexts(outcomes);
    QCOMPARE(texts[0].title, u"a/one Failed, two Failed"_s);
    QCOMPARE(texts[1].title, u"b/one Failed, two Failed"_s);
}

/// A step names what an operation required, and what the clock asked for, by what it does.
void TestOutcomesModel::requiredOnesAreNamed()
{
    const QString lease = u"/leases/workshop"_s;
    const Pack &pack = packNamed(u"blazar"_s);
    Scenario sample;
    sample.resources = pack.sample;
    OutcomesQuestion question { .stage = stageFor(sample, pack),
        .steps = { submitted(u"op2"_s, u"delete_lease"_s, lease, {}, u"B"_s) },
        .worlds = 50'000,
        .bytes = qint64(1) << 30 };
    const auto steps = [&] {
        OutcomesCounts counts;
        const Result<Outcomes> found = outcomes(question, counts);
        QStringList all;
        for (const Outcomes::Trace &trace : found->traces) {
            for (qsizetype step = 0; step < trace.schedule.size(); ++step)
                all += stepText(*found, trace, step);
        }
        all.removeDuplicates();
        return all;
    };
    const QStringList passing = steps();
    const QString list = passing.join(u'\n');
    QVERIFY2(passing.contains(
                 u"release workshop/hosts: work succeeded, required by B delete_lease workshop"_s),
        qPrintable(list));
    question.steps = { submitted(u"op2"_s, u"update_lease"_s, lease, {}, u"B"_s) };
    const QString clocks = steps().join(u'\n');
    QVERIFY2(clocks.contains(QRegularExpression(u"work \\w+, required by "_s)), qPrintable(clocks));
    static const QRegularExpression id(u"\\bop\\d|\\bclock\\.\\d"_s);
    QVERIFY2(!(list + clocks).contains(id), qPrintable(list + clocks));
}

/// An ending that is none, because time stands still, says for whom it would pass.
void TestOutcomesModel::whatWaitsIsTold()
{
    Outcomes::Trace trace { .words = { u"PENDING"_s },
        .waits = { u"/leases/w/events/start_lease"_s } };
    trace.operations = { { u"op1"_s, u"Succeeded"_s } };
    Outcomes outcomes { .rows = { { .path = u"/leases/w"_s, .before = u"PENDING"_s } },
        .traces = { trace },
        .endings = 1 };
    QCOMPARE(traceTexts(outcomes)[0].note, u"op1 Succeeded · waits for time: w/start_lease"_s);
    QVERIFY(waitsText({}).isEmpty());
    QVERIFY(!searchedText(outcomes).contains(u"timer"_s));
    outcomes.timers = Timers::Stand;
    QVERIFY2(searchedText(outcomes).endsWith(u"looked at. No timer fired."_s),
        qPrintable(searchedText(outcomes)));
}

/// Where a difference is seen at once, what it comes to is what people ask.
void TestOutcomesModel::ordersAreToldToTheirEnd()
{
    Outcomes::Trace trace { .kind = Outcomes::Trace::Kind::Order,
        .words = { u"busy"_s },
        .lastWords = { u"new"_s },
        .clash = 0 };
    trace.trace = { u"submit a"_s, u"submit b"_s };
    trace.operations = { { u"a"_s, u"InProgress"_s }, { u"b"_s, u"Rejected"_s } };
    trace.lastly = { { u"a"_s, u"Succeeded"_s }, { u"b"_s, u"Rejected"_s } };
    Outcomes outcomes { .rows = { { .path = u"/t/w"_s, .before = u"fine"_s } },
        .traces = { trace },
        .what = OutcomesQuestion::What::Order,
        .clashes = { { .first = u"a"_s, .second = u"b"_s } } };
    for (const QString &client : { u"A"_s, u"B"_s })
        outcomes.asked.insert(client.toLower(),
            QSharedPointer<Request>::create(
                Request { .op = u"PUT"_s, .path = u"/t/w"_s, .client = client }));
    QCOMPARE(traceTexts(outcomes)[0].title, u"A PUT w comes first"_s);
    QCOMPARE(traceTexts(outcomes)[0].note,
        u"in the end A Succeeded, B Rejected · at first A InProgress, B Rejected · w new"_s);
    outcomes.traces[0].lastly.clear();
    QCOMPARE(traceTexts(outcomes)[0].note, u"A InProgress · B Rejected · w busy"_s);
}

void TestOutcomesModel::elidedDistinctly_data()
{
    QTest::addColumn<QStringList>("texts");
    QTest::addColumn<int>("room"); ///< letters
    QTest::addColumn<QStringList>("seen");
    QTest::newRow("all fit") << QStringList { u"a Failed"_s, u"a gone"_s } << 20
                             << QStringList { u"a Failed"_s, u"a gone"_s };
    QTest::newRow("they begin differently") << QStringList { u"a Failed, and more"_s,
        u"b Failed, and more"_s } << 9 << QStringList { u"a Failed…"_s, u"b Failed…"_s };
    QTest::newRow("at the part that differs") << QStringList {
        u"aaaa Failed, bbbb Failed, cccc Failed"_s, u"aaaa Failed, bbbb gone, cccc Failed"_s
    } << 14 << QStringList { u"… bbbb Failed…"_s, u"… bbbb gone, …"_s };
    QTest::newRow("at the word") << QStringList { u"a, rack-with-a-long-name Failed"_s,
        u"a, rack-with-a-long-name gone"_s }
                                 << 10 << QStringList { u"… Failed"_s, u"… gone"_s };
    QTest::newRow("at the letters")
        << QStringList { u"rack-with-a-long-name-1"_s, u"rack-with-a-long-name-2"_s } << 12
        << QStringList { u"… -name-1"_s, u"… -name-2"_s };
    QTest::newRow("three of them, in two ways") << QStringList {
        u"aaaa, bbbb, cccc, dddd"_s, u"aaaa, bbbb, cccc, eeee"_s, u"aaaa, bbbb, gggg, dddd"_s
    } << 7 << QStringList { u"… dddd"_s, u"… eeee"_s, u"… gggg…"_s };
    QTest::newRow("the beginning of another") << QStringList { u"aaaa, bbbb, cccc"_s,
        u"aaaa, bbbb, cccc, dddd"_s } << 10 << QStringList { u"… cccc"_s, u"… cccc, d…"_s };
    QTest::newRow("as they begin, though they looked the same") << QStringList { u"aaaa, cccc"_s,
        u"bbbb, cccc"_s } << 6 << QStringList { u"aaaa,…"_s, u"bbbb,…"_s };
    QTest::newRow("alike") << QStringList { u"aaaa bbbb"_s, u"aaaa bbbb"_s } << 5
                           << QStringList { u"aaaa…"_s, u"aaaa…"_s };
}

void TestOutcomesModel::elidedDistinctly()
{
    QFETCH(QStringList, texts);
    QFETCH(int, room);
    const auto cut = [&](qsizetype, const QString &text) {
        return text.size() <= room ? text : text.first(room - 1) + u'…';
    };
    QStringList seen;
    QList<qsizetype> places;
    const bool looksAlike = QByteArray(QTest::currentDataTag()).startsWith("as they begin");
    for (qsizetype i = 0; i < texts.size(); ++i) {
        seen += looksAlike ? u"… cccc"_s : cut(i, texts[i]);
        places += i;
    }
    elideDistinctly(texts, places, cut, &seen);
    QTEST(seen, "seen");
    for (const QString &one : std::as_const(seen))
        QVERIFY(one.size() <= room);
}

const TestClass<TestOutcomesModel> registered;

#include "tst_outcomesmodel.moc"
