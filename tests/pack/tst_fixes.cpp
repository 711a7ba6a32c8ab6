// SPDX-License-Identifier: Apache-2.0
#include "model/json/library.h"
#include "model/pack/fixes.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

/// Tests of the fixes for diagnostics of check().
class TestFixes : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void unheardEvent();
    void unheardRequirement();
    void unheardOperation();
    void undeclaredTrigger();
    void unheardOutcomeRow();
    void retry();
    void untakenFailure();
    void untakenSuccess();

private:
    /// Returns the fixes for the only diagnostic of that rule, as text; keeps them.
    QString remedies(const QString &rule);
    /// Returns true if a fix removes the diagnostics of that rule, and leaves no error.
    bool helps(qsizetype remedy, const QString &rule) const;
    Transition &rowOn(const QString &trigger);

    Pack m_pack;
    QList<Fix> m_fixes;
};

void TestFixes::init()
{
    m_pack =
        valueOf(loadPack(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/check/clean/pack.json")));
    m_fixes.clear();
}

QString TestFixes::remedies(const QString &rule)
{
    QStringList told;
    for (const Diagnostic &diagnostic : check(m_pack)) {
        if (diagnostic.code != rule)
            continue;
        m_fixes = fixesFor(m_pack, diagnostic);
        QStringList words;
        for (const Fix &fix : std::as_const(m_fixes))
            words += QStringList { u"use"_s, u"declare"_s, u"take"_s, u"end"_s }[int(fix.kind)]
                + u' ' + fix.name;
        told += words.join(u" | "_s);
    }
    return told.join(u'\n');
}

bool TestFixes::helps(qsizetype remedy, const QString &rule) const
{
    const QList<Diagnostic> left = check(m_fixes.value(remedy).pack);
    return std::ranges::none_of(left, [&](const Diagnostic &diagnostic) {
        return diagnostic.code == rule || diagnostic.severity == Diagnostic::Severity::Error;
    });
}

Transition &TestFixes::rowOn(const QString &trigger)
{
    for (Machine &machine : m_pack.machines) {
        for (Transition &row : machine.transitions) {
            if (row.on == QStringList { trigger } && row.to.size() == 1)
                return row;
        }
    }
    qFatal("no such row");
}

void TestFixes::unheardEvent()
{
    m_pack.machines[0].states[3].work[0].name = u"power cot"_s;
    QCOMPARE(remedies(u"nobody-hears"_s), u"use power cut"_s);
    QVERIFY(helps(0, u"nobody-hears"_s));
    QCOMPARE(m_fixes[0].pack.machines[0].states[3].work[0].name, u"power cut"_s);
}

void TestFixes::unheardRequirement()
{
    Step &step = m_pack.machines[0].states[3].work[0];
    step.kind = Step::Kind::Require;
    step.name = u"prees"_s;
    QCOMPARE(remedies(u"unknown-operation"_s), u"use press"_s);
    QCOMPARE(m_fixes[0].pack.machines[0].states[3].work[0].name, u"press"_s);
}

/// The fix renames the row, and every mention of it.
void TestFixes::unheardOperation()
{
    m_pack.operations[0].id = u"dimm"_s;
    m_pack.conflicts[1].on = { u"dimm"_s };
    QCOMPARE(remedies(u"nobody-hears"_s), u"use dim"_s);
    QVERIFY(helps(0, u"nobody-hears"_s));
    QCOMPARE(m_fixes[0].pack.operations[0].id, u"dim"_s);
    QCOMPARE(m_fixes[0].pack.conflicts[1].on, QStringList { u"dim"_s });
    // There is such a row already.
    m_pack.operations += OperationKind(m_pack.operations[0]);
    m_pack.operations[1].id = u"dim"_s;
    QCOMPARE(remedies(u"nobody-hears"_s), QString());
}

void TestFixes::undeclaredTrigger()
{
    rowOn(u"press"_s).on = { u"perss"_s };
    QCOMPARE(remedies(u"undeclared-operation"_s), QString()); // like most of its operations
    for (const QString &name : m_pack.operationNames()) {
        if (name != u"dim" && name != u"perss")
            m_pack.operations += OperationKind { .id = name };
    }
    QCOMPARE(remedies(u"undeclared-operation"_s), u"use press | declare perss"_s);
    QVERIFY(helps(0, u"undeclared-operation"_s));
    QVERIFY(helps(1, u"undeclared-operation"_s));
}

void TestFixes::unheardOutcomeRow()
{
    m_pack.outcomes = { { .id = u"burnt out"_s } };
    QCOMPARE(remedies(u"nobody-hears"_s), QString()); // and nothing is near
    QVERIFY(m_fixes.isEmpty());
    rowOn(u"failed"_s).on += u"burntout"_s;
    QCOMPARE(remedies(u"nobody-hears"_s), u"use burntout"_s);
    QVERIFY(helps(0, u"nobody-hears"_s));
}

void TestFixes::retry()
{
    m_pack.retry = u"again"_s;
    for (Transition &row : m_pack.machines[1].transitions)
        row.on.replaceInStrings(u"retried"_s, u"agian"_s);
    QCOMPARE(remedies(u"unknown-outcome"_s), u"use agian"_s);
    QCOMPARE(m_fixes[0].pack.retry, u"agian"_s);
    QVERIFY(helps(0, u"unknown-outcome"_s));
}

/// The fix keeps the behaviour: failed work returns to its last rest state.
void TestFixes::untakenFailure()
{
    m_pack.machines[0].transitions.removeIf(
        [](const Transition &row) { return row.on.contains(u"failed"_s); });
    QCOMPARE(remedies(u"unheard-outcome"_s), u"take failed"_s);
    QVERIFY(helps(0, u"unheard-outcome"_s));
    const Transition &row = m_fixes[0].pack.machines[0].transitions.last();
    QCOMPARE(row.from, QStringList { u"dimming"_s });
    QCOMPARE(row.to, QStringList { u"(last)"_s });
    QCOMPARE(row.on, QStringList { u"failed"_s });
}

void TestFixes::untakenSuccess()
{
    m_pack.machines[1].transitions.removeIf([](const Transition &row) {
        return row.on.contains(u"failed"_s) || row.on.contains(u"succeeded"_s);
    });
    QCOMPARE(remedies(u"no-outcome"_s), u"take failed, succeeded"_s);
    QVERIFY(helps(0, u"no-outcome"_s));
    const QList<Transition> rows = m_fixes[0].pack.machines[1].transitions;
    QCOMPARE(rows[rows.size() - 2].on, QStringList { u"succeeded"_s });
    QCOMPARE(rows[rows.size() - 2].to, QStringList { u"off"_s });
    QCOMPARE(rows.last().on, QStringList { u"failed"_s });
    // Without a rest state, success returns to the last one, too.
    const QList<Diagnostic> found = check(m_pack);
    const auto unhandled = std::ranges::find(found, u"no-outcome"_s, &Diagnostic::code);
    QVERIFY(unhandled != found.end());
    m_pack.machines[1].rest.clear();
    const QList<Fix> fixes = fixesFor(m_pack, *unhandled);
    QCOMPARE(fixes[0].pack.machines[1].transitions.last().on,
        (QStringList { u"failed"_s, u"succeeded"_s }));
}

const TestClass<TestFixes> registered;

#include "tst_fixes.moc"
