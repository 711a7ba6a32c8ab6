// SPDX-License-Identifier: Apache-2.0
#include "model/items/outcomesmodel.h"
#include "model/items/statuscategory.h"
#include "tests/support/exploring.h"
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QRegularExpression>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

/// Rules of a pack with one type, t.
const Rules &someRules()
{
    static const Rules rules = rulesOf(packOf(
        R"({"id": "p", "types": {"t": {"machine": "m"}}, "machines": {"m": {"rest": "fine", "states": {
            "none": {"kind": "initial"}, "fine": {}, "Failed": {}, "busy": {"kind": "transitional"}},
            "transitions": [{"from": ["none", "fine"], "on": "go", "to": "busy"}, {"from": "busy", "on": "succeeded", "to": "fine"},
            {"from": "busy", "on": "failed", "to": "Failed"}]}}})"));
    return rules;
}

} // namespace

class TestOutcomesModel : public QObject
{
    Q_OBJECT

private slots:
    void theWorstComesFirst();
    void whatComesSpontaneousComesLast();
    void whatFewShareComesFirst();
    void namesakesAreToldApart();
    void requiredOnesAreNamed();
    void refusalsHaveACode();
    void whatWaitsIsTold();
    void subtreesThatEndAlikeAreOneRow();
    void whereTwoPart();
};

void TestOutcomesModel::theWorstComesFirst()
{
    const Rules &rules = someRules();
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

void TestOutcomesModel::whatComesSpontaneousComesLast()
{
    using Kind = Outcomes::Trace::Kind;
    const auto request = QSharedPointer<const Request>::create();
    const Event asked { .kind = Event::Kind::Submit, .request = request },
        clock { .kind = Event::Kind::Fire };
    Outcomes outcomes { .deadEnds = 2, .brokenConstraints = 7, .endings = 3 };
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
    sortByHarm(&outcomes, someRules());
    QStringList order;
    for (const Outcomes::Trace &trace : std::as_const(outcomes.traces))
        order += QString::number(int(trace.kind)) + u' ' + QString::number(trace.schedule.size());
    QCOMPARE(order, (QStringList { u"0 0"_s, u"1 2"_s, u"2 1"_s, u"1 1"_s, u"1 0"_s }));
    OutcomesModel model;
    model.show(outcomes, someRules());
    const auto head = [&](int trace) {
        return model.headerData(trace, Qt::Horizontal, Qt::DisplayRole).toString();
    };
    QVERIFY(head(0).startsWith(u"✕ Dead end:\n"_s) && head(1).startsWith(u"✕ Broken constraint"_s));
    QVERIFY(head(2).startsWith(u"Ending 1"_s)
        && head(3).startsWith(u"✕ Constraint broken without any request"_s));
    QCOMPARE(model.countsText(), u"2 dead ends, 7 broken constraints, 3 endings"_s);
}

void TestOutcomesModel::whatFewShareComesFirst()
{
    Outcomes outcomes { .endings = 3 };
    for (const char *name : { "a", "b", "c", "d", "e" })
        outcomes.rows += Outcomes::Row {
            .path = u"/t/"_s + QString::fromLatin1(name), .before = u"fine"_s, .isChanged = true
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
    OutcomesModel model;
    model.show(outcomes, someRules());
    QCOMPARE(model.title(0), u"d Failed, a Failed"_s);
    QCOMPARE(model.title(1), u"e Failed, d Failed"_s);
    QCOMPARE(model.title(2), u"d gone, a Failed"_s);
    QCOMPARE(model.index(0, 1).data(OutcomesModel::Full).toString(),
        u"a Failed; b Failed; c Failed; d Failed; e Failed"_s);
    // Two that begin alike say more.
    add(u"FFFfF"_s);
    add(u"FFfFF"_s);
    model.show(outcomes, someRules());
    QCOMPARE(model.title(1), u"d Failed, e Failed, c Failed"_s);
    QCOMPARE(model.title(4), u"d Failed, e Failed, a Failed"_s);
}

void TestOutcomesModel::namesakesAreToldApart()
{
    Outcomes outcomes { .endings = 2 };
    for (const QString &path : { u"/t/a/p/one"_s, u"/t/b/p/one"_s, u"/t/b/p/two"_s })
        outcomes.rows += Outcomes::Row { .path = path, .before = u"fine"_s, .isChanged = true };
    outcomes.traces = { { .words = { u"Failed"_s, u"fine"_s, u"Failed"_s } },
        { .words = { u"fine"_s, u"Failed"_s, u"Failed"_s } } };
    OutcomesModel model;
    model.show(outcomes, someRules());
    QCOMPARE(model.title(0), u"a/one Failed, two Failed"_s);
    QCOMPARE(model.title(1), u"b/one Failed, two Failed"_s);
}

void TestOutcomesModel::refusalsHaveACode()
{
    const QString transit = u"/logicalNetworks/Transit"_s, rack = transit + u"/subnets/Rack-"_s;
    const Pack &pack = packNamed(u"network-controller"_s);
    Scenario sample;
    sample.resources = pack.sample;
    const QString conflict = u"Conflict: 409 AnotherOperationInProgress\n"_s,
                  notFound = u"Not found: 404 NotFound\n"_s;
    const QMap<QString, QStringList> answers { { u"Conflict"_s, { conflict } },
        { u"Not found"_s, { notFound } }, { u"409 or 404"_s, { conflict, notFound } } };
    const auto check = [&](const ScenarioStep &one, const ScenarioStep &other,
                           const QString &expected) {
        OutcomesQuestion question { .stage = stageFor(sample, pack),
            .steps = { one, other,
                submitted(u"c"_s, u"PUT"_s, u"/logicalNetworks/no/subnets/x"_s, {}, u"C"_s) },
            .worlds = 50'000,
            .bytes = qint64(1) << 30 };
        OutcomesCounts counts;
        const Result<Outcomes> found = outcomes(question, counts);
        OutcomesModel model;
        model.show(*found, question.stage.rules);
        QSet<QString> seen;
        for (int column = 0; column < model.columnCount(); ++column) {
            const Outcomes::Trace &trace = found->traces[column];
            for (int row = 0; row < 3; ++row) {
                const QModelIndex cell = model.index(row, column);
                const QString text = cell.data().toString();
                if (trace.operations.values().value(row) != u"Rejected")
                    continue;
                seen += text;
                QCOMPARE(cell.data(OutcomesModel::Category).toInt(), int(StatusCategory::Failed));
                const QString tip = cell.data(Qt::ToolTipRole).toString();
                QVERIFY2(answers.contains(text), qPrintable(text));
                for (const QString &answer : answers[text])
                    QVERIFY2(tip.contains(answer) && tip.endsWith(u']'), qPrintable(text + tip));
            }
        }
        QVERIFY(seen.contains(expected) && seen.contains(u"Not found"_s));
    };
    const ScenarioStep put = submitted(u"a"_s, u"PUT"_s, rack + u'1', {}, u"A"_s);
    check(put, submitted(u"b"_s, u"PUT"_s, rack + u'2', {}, u"B"_s), u"Conflict"_s);
    // One ending, to which orders with different answers lead.
    check(put, submitted(u"b"_s, u"DELETE"_s, transit, {}, u"B"_s), u"409 or 404"_s);
}

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

void TestOutcomesModel::whatWaitsIsTold()
{
    Outcomes::Trace trace { .words = { u"PENDING"_s } };
    trace.operations = { { u"op1"_s, u"Succeeded"_s } };
    Outcomes outcomes { .rows = { { .path = u"/leases/w"_s, .before = u"PENDING"_s } },
        .traces = { trace },
        .endings = 1 };
    QVERIFY(!searchedText(outcomes).contains(u"timer"_s));
    outcomes.timers = Timers::Stopped;
    QVERIFY2(searchedText(outcomes).endsWith(u"explored. Timers were off."_s),
        qPrintable(searchedText(outcomes)));
}

void TestOutcomesModel::subtreesThatEndAlikeAreOneRow()
{
    Outcomes outcomes { .endings = 2 };
    const auto add = [&](const QString &path, int depth) {
        outcomes.rows +=
            Outcomes::Row { .path = path, .depth = depth, .before = u"fine"_s, .isChanged = true };
    };
    add(u"/t/a"_s, 0);
    add(u"/t/a/u/b"_s, 1);
    add(u"/t/a/u/c"_s, 1);
    add(u"/t/d"_s, 0);
    const auto names = [&] {
        OutcomesModel model;
        model.show(outcomes, someRules());
        QStringList all;
        for (int row = 0; row < model.rowCount(); ++row)
            all += model.headerData(row, Qt::Vertical, Qt::DisplayRole).toString();
        return all.join(u'|');
    };
    const QString none, fine = u"fine"_s;
    outcomes.traces = { { .words = { none, none, none, none } },
        { .words = { fine, fine, fine, fine } } };
    QCOMPARE(names(), u"a and 2 descendants|d|Orders"_s);
    OutcomesModel model;
    model.show(outcomes, someRules());
    QCOMPARE(model.title(0), u"a and 2 descendants gone, d gone"_s);
    QCOMPARE(model.title(1), u"No resource has changed"_s);
    outcomes.traces[1].words[2] = none;
    QCOMPARE(names(), u"a|b|c|d|Orders"_s);
    outcomes.rows[3].isChanged = false;
    QCOMPARE(names(), u"a|b|c|Orders"_s);
    QVERIFY(model.index(2, 0).data(Qt::ToolTipRole).toString().endsWith(u"arrive and end"_s));
}

void TestOutcomesModel::whereTwoPart()
{
    const auto asked = [](const QString &client) {
        return QSharedPointer<const Request>::create(
            Request { .op = u"PUT"_s, .path = u"/t/w"_s, .client = client });
    };
    const Event a { .kind = Event::Kind::Submit, .request = asked(u"A"_s) },
        b { .kind = Event::Kind::Submit, .request = asked(u"B"_s) };
    Outcomes::Trace one, other;
    one.trace = { u"submit a"_s, u"submit a"_s, u"submit b"_s };
    one.schedule = { a, a, b };
    other.trace = { u"submit a"_s, u"submit a"_s };
    other.schedule = { a, a };
    QCOMPARE(commonSteps(one.trace, other.trace), 2);
    OutcomesModel model;
    model.show({ .traces = { one, other } }, someRules());
    QCOMPARE(firstDifferenceText(model, 0, 1),
        u"The traces differ after 2 steps. Ending 1: B PUT w; Ending 2: ends here"_s);
    other.trace = { u"submit b"_s };
    other.schedule = { b };
    QCOMPARE(commonSteps(one.trace, other.trace), 0);
    model.show({ .traces = { one, other } }, someRules());
    QCOMPARE(firstDifferenceText(model, 0, 1),
        u"The traces differ at the first step. Ending 1: A PUT w; Ending 2: B PUT w"_s);
}

const TestClass<TestOutcomesModel> registered;

#include "tst_outcomesmodel.moc"
