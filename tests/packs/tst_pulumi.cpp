// SPDX-License-Identifier: Apache-2.0
#include "model/json/library.h"
#include "model/pack/run.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

// The pack against its sources: the diagram arrow by arrow, and what every step leaves behind.

namespace {

const Pack &pulumi()
{
    return packNamed(u"pulumi"_s);
}

const Machine &resource()
{
    return *pulumi().machine(u"resource"_s);
}

bool isInDiagram(const Row &row)
{
    return row.sources.contains(u"diagram"_s);
}

const QString bucket = u"/resources/bucket"_s, old = u"/resources/bucket#old"_s,
              program = u"/programs/main"_s;

/// What is answered so that work goes a certain way.
const QMap<QString, bool> update { { u"can be updated"_s, true } },
    replacement { { u"must be replaced"_s, true } },
    deletedFirst { { u"must be replaced"_s, true }, { u"delete after craete"_s, true } };

} // namespace

class TestPulumi : public QObject
{
    Q_OBJECT

private slots:
    void composites_data();
    void composites();
    void labels_data();
    void labels();
    void arrows();
    void note();
    void whatIsNotInTheDiagramSaysSo();
    void lastState_data();
    void lastState();
    void stepsThatFail_data();
    void stepsThatFail();
    void failsInPart_data();
    void failsInPart();
    void outcomeThatNothingTakes();
};

void TestPulumi::composites_data()
{
    const Rows<QString, QString> row("composite", "states");
    row("Read", u"Read"_s, u"read_read"_s);
    row("Import", u"Import"_s, u"import_read import_check import_diff"_s);
    row("Manage", u"Manage"_s,
        u"manage_check manage_create manage_diff manage_update manage_replace_check "
        "manage_replace_create_before_delete manage_replace_delete_after_create "
        "manage_replace_delete_dependents manage_replace_delete_before_create "
        "manage_replace_create_after_delete"_s);
    row("the diagram itself", {}, u"Read Import Manage"_s);
}

void TestPulumi::composites()
{
    QFETCH(QString, composite);
    QStringList inside;
    for (const State &state : resource().states) {
        const bool isDrawn = state.kind == State::Kind::Composite || !state.parent.isEmpty();
        if (isDrawn && state.parent == composite)
            inside += state.id;
    }
    QTEST(inside.join(u' '), "states");
}

void TestPulumi::labels_data()
{
    const Rows<QString> row("label");
    row("read_read", u"Read(reg.URN, reg.ID, reg.State)"_s);
    row("import_read", u"Read(reg.URN, reg.ID)"_s);
    row("import_check", u"Check(reg.URN, reg.Inputs, read.Inputs)"_s);
    row("import_diff", u"Diff(reg.URN, check.Inputs, read.State)"_s);
    row("manage_check", u"Check(reg.URN, reg.Inputs, last?.Inputs)"_s);
    row("manage_create", u"Create(reg.URN, check.Inputs)"_s);
    row("manage_diff", u"Diff(reg.URN, check.Inputs, last.ID, last.State)"_s);
    row("manage_update", u"Update(reg.URN, last.ID, last.State)"_s);
    row("manage_replace_check", u"Check(reg.URN, reg.Inputs)"_s);
    row("manage_replace_create_before_delete", u"Create(reg.URN, reg.Inputs)"_s);
    row("manage_replace_delete_after_create", u"Delete(reg.URN, last.ID, last.State)"_s);
    row("manage_replace_delete_dependents", u"Delete dependents"_s);
    row("manage_replace_delete_before_create", u"Delete(reg.URN, last.ID, last.State)"_s);
    row("manage_replace_create_after_delete", u"Create(reg.URN, check.Inputs)"_s);
}

/// Each is work that takes time and is drawn under the diagram's own words.
void TestPulumi::labels()
{
    const State *state = resource().state(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(state);
    QTEST(state->label, "label");
    QCOMPARE(state->kind, State::Kind::Transitional);
    QVERIFY(isInDiagram(*state));
}

/// Twenty, with their labels; where the diagram has [*] there is no resource, or one at rest.
void TestPulumi::arrows()
{
    const QString typo = u"delete after craete"_s; // in the diagram; it means "before create"
    QStringList found;
    for (const Transition &row : resource().transitions) {
        if (!isInDiagram(row))
            continue;
        QCOMPARE(row.to.size(), 1);
        const bool begins = row.from.contains(resource().initial());
        const State &target = *resource().state(row.to.first());
        const QString to = target.kind == State::Kind::Stable ? u"[*]"_s : target.id;
        QString text = (begins ? u"[*]"_s : row.from.join(u' ')) + u" --> "_s + to;
        if (!row.label.isEmpty())
            text += u": "_s + (row.label == u"delete before create" ? typo : row.label);
        found += text;
        if (!row.label.isEmpty() && !begins) // the condition is the diagram's label, word for word
            QVERIFY(text.endsWith(u": "_s + row.condition.text));
    }
    QStringList expected {
        u"[*] --> Read: read existing resource"_s,
        u"[*] --> Import: import existing resource"_s,
        u"[*] --> Manage: manage resource"_s,
        u"read_read --> [*]"_s,
        u"import_read --> import_check"_s,
        u"import_check --> import_diff"_s,
        u"import_diff --> [*]"_s,
        u"manage_check --> manage_create: no last state"_s,
        u"manage_check --> manage_diff: has last state"_s,
        u"manage_diff --> manage_update: can be updated"_s,
        u"manage_diff --> manage_replace_check: must be replaced"_s,
        u"manage_replace_check --> manage_replace_create_before_delete: create before delete"_s,
        u"manage_replace_check --> manage_replace_delete_dependents: "_s + typo,
        u"manage_replace_create_before_delete --> manage_replace_delete_after_create"_s,
        u"manage_replace_delete_dependents --> manage_replace_delete_before_create"_s,
        u"manage_replace_delete_before_create --> manage_replace_create_after_delete"_s,
        u"manage_create --> [*]"_s,
        u"manage_update --> [*]"_s,
        u"manage_replace_delete_after_create --> [*]"_s,
        u"manage_replace_create_after_delete --> [*]"_s,
    };
    std::ranges::sort(found);
    std::ranges::sort(expected);
    QCOMPARE(found.join(u'\n'), expected.join(u'\n'));
    QCOMPARE(found.size(), 20);
}

void TestPulumi::note()
{
    QCOMPARE(resource().state(u"manage_replace_delete_after_create"_s)->about,
        u"note that this step happens once the Pulumi program has exited"_s);
}

void TestPulumi::whatIsNotInTheDiagramSaysSo()
{
    const auto says = [](const Row &row, const QString &what) {
        QVERIFY2(isInDiagram(row) != row.about.startsWith(u"Not in the diagram"),
            qPrintable(what + u": "_s + row.about));
    };
    for (const State &state : resource().states)
        says(state, state.id);
    for (const Transition &row : resource().transitions)
        says(row, row.from.join(u' ') + u" on "_s + row.on.join(u' '));
    for (const OperationKind &row : pulumi().operations)
        says(row, row.id);
    QVERIFY(!isInDiagram(*std::ranges::find(pulumi().operations, u"delete"_s, &OperationKind::id)));
}

void TestPulumi::lastState_data()
{
    QTest::addColumn<bool>("has");
    QTest::newRow("absent") << false;
    QTest::newRow("managed") << true;
    QTest::newRow("partially managed") << true;
    QTest::newRow("external") << false;
    QTest::newRow("pendingReplacement") << false;
}

/// Whether there is one is whether Pulumi's own resource exists, and nobody is asked.
void TestPulumi::lastState()
{
    QFETCH(bool, has);
    const QString state = QString::fromLatin1(QTest::currentDataTag());
    Staging staging(
        u"pulumi"_s, program + (state == u"absent" ? QString() : u'\n' + bucket + u' ' + state));
    staging.ask(u"manage"_s, bucket);
    staging.simulator.advanceTo(100);
    QCOMPARE(staging.at(bucket), has ? u"manage_diff"_s : u"manage_create"_s);
    for (const Record &record : staging.simulator.records())
        QVERIFY(record.unanswered.empty());
}

void TestPulumi::stepsThatFail_data()
{
    // first: a replacement deletes first
    const Rows<QString, QString, bool, QString, QString> add(
        "before", "op", "first", "step", "after");
    const auto row = [&](const QString &before, const QString &op, bool first, const QString &step,
                         const QString &after) {
        add(qPrintable(step + u" of "_s + before), before, op, first, step, after);
    };
    for (const QString &before :
        { u"absent"_s, u"managed"_s, u"partially managed"_s, u"external"_s })
        row(before, u"read"_s, false, u"read_read"_s, before);
    for (const QString &step : { u"import_read"_s, u"import_check"_s, u"import_diff"_s })
        row(u"absent"_s, u"import"_s, false, step, u"absent"_s);
    for (const QString &before : { u"absent"_s, u"external"_s, u"pendingReplacement"_s }) {
        row(before, u"manage"_s, false, u"manage_check"_s, before);
        row(before, u"manage"_s, false, u"manage_create"_s, before);
    }
    for (const QString &before : { u"managed"_s, u"partially managed"_s }) {
        for (const QString &step : { u"manage_check"_s, u"manage_diff"_s, u"manage_replace_check"_s,
                 u"manage_replace_create_before_delete"_s })
            row(before, u"manage"_s, false, step, before);
        row(before, u"manage"_s, true, u"manage_replace_delete_before_create"_s, before);
        row(before, u"manage"_s, true, u"manage_replace_create_after_delete"_s,
            u"pendingReplacement"_s);
        row(before, u"delete"_s, true, u"deleting"_s, before);
    }
    row(u"partially managed"_s, u"manage"_s, false, u"manage_update"_s, u"partially managed"_s);
}

/// Rolled back or unknown: the state says what it said before, but for what is gone already.
void TestPulumi::stepsThatFail()
{
    QFETCH(QString, before);
    QFETCH(QString, op);
    QFETCH(bool, first);
    QFETCH(QString, step);
    for (const auto &[outcome, code] :
        { std::pair(u"failed"_s, u"ProviderError"_s), { u"failedUnknown"_s, u"Unknown"_s } }) {
        Staging staging(u"pulumi"_s,
            program + (before == u"absent" ? QString() : u'\n' + bucket + u' ' + before));
        const bool isReplaced = step.contains(u"replace");
        staging.ask({ .op = op,
            .path = bucket,
            .work = { { step, { .outcomes = { outcome } } } },
            .conditions = !isReplaced ? QMap<QString, bool>()
                : first               ? deletedFirst
                                      : replacement });
        bool reached = false;
        while (!staging.operation(u"op1"_s).isOver()) {
            reached = reached || staging.at(bucket) == step;
            QVERIFY(staging.simulator.step());
        }
        QVERIFY2(reached, qPrintable(step));
        QTEST(staging.at(bucket), "after");
        QCOMPARE(staging.at(old), u"absent"_s);
        QCOMPARE(staging.status(u"op1"_s), u"Failed"_s);
        QCOMPARE(staging.operation(u"op1"_s).errorCode, code);
    }
}

void TestPulumi::failsInPart_data()
{
    const Rows<QString, QString> row("before", "step");
    row("Create", u"absent"_s, u"manage_create"_s);
    row("Update", u"managed"_s, u"manage_update"_s);
    row("Create before Delete", u"managed"_s, u"manage_replace_create_before_delete"_s);
    row("Create after Delete", u"managed"_s, u"manage_replace_create_after_delete"_s);
}

/// The four steps after which there can be a resource with init errors, and no other can end so.
void TestPulumi::failsInPart()
{
    QFETCH(QString, before);
    QFETCH(QString, step);
    QMap<QString, bool> conditions = step == u"manage_update" ? update : replacement;
    if (step == u"manage_replace_create_after_delete")
        conditions = deletedFirst;
    Staging staging(
        u"pulumi"_s, program + (before == u"absent" ? QString() : u'\n' + bucket + u' ' + before));
    staging.ask({ .op = u"manage"_s,
        .path = bucket,
        .outcome = u"failedPartially"_s,
        .conditions = conditions });
    QString last;
    while (!staging.operation(u"op1"_s).isOver()) {
        last = staging.at(bucket);
        QVERIFY(staging.simulator.step());
    }
    QCOMPARE(last, step);
    QCOMPARE(staging.at(bucket), u"partially managed"_s);
    QCOMPARE(
        staging.at(old), step.contains(u"before_delete") ? u"pending deletion"_s : u"absent"_s);
    QCOMPARE(staging.operation(u"op1"_s).errorCode, u"ResourceInitFailed"_s);
}

/// Where neither the present work nor any that can follow ends so, the present one fails.
void TestPulumi::outcomeThatNothingTakes()
{
    Staging staging(u"pulumi"_s, program + u'\n' + bucket);
    staging.ask({ .op = u"manage"_s, .path = bucket, .outcome = u"inputsDiffer"_s });
    staging.simulator.advanceTo(100);
    QCOMPARE(staging.status(u"op1"_s), u"Failed"_s);
    QCOMPARE(staging.operation(u"op1"_s).errorCode, u"InputsDiffer"_s);
    QCOMPARE(staging.at(bucket), u"managed"_s);
    staging.ask({ .op = u"delete"_s, .path = bucket, .outcome = u"failedPartially"_s });
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.status(u"op2"_s), u"Failed"_s);
    QCOMPARE(staging.at(bucket), u"managed"_s);
}

const instar::TestClass<TestPulumi> registered;
#include "tst_pulumi.moc"
