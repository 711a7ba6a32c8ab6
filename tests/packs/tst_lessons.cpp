// SPDX-License-Identifier: Apache-2.0
// The lessons that come with the program: each comes true, and together they name every rule and
// every example of the sources (tests/data/rules).

#include "model/json/library.h"
#include "model/statecharts/scenariopack.h"
#include "tests/support/rulefile.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QTest>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

class TestLessons : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void comeTrue_data();
    void comeTrue();
    void everyRule_data();
    void everyRule();
    void networkControllersRulesAreShown_data();
    void networkControllersRulesAreShown();

private:
    QStringList m_files;
};

void TestLessons::initTestCase()
{
    for (const QString &pack : builtInPacks()) {
        const QDir folder(u":/instar/lessons/"_s + pack);
        const QStringList names = folder.entryList({ u"*.md"_s }, QDir::Files, QDir::Name);
        QVERIFY2(!names.isEmpty(), qPrintable(pack));
        for (const QString &name : names)
            m_files += folder.filePath(name);
    }
}

void TestLessons::comeTrue_data()
{
    QTest::addColumn<QString>("file");
    for (const QString &file : std::as_const(m_files))
        QTest::newRow(qPrintable(file.section(u'/', -2))) << file;
}

/// All that it says is so, its right answers are right and its wrong ones wrong; somebody who
/// follows it does something, and its pages begin with headings.
void TestLessons::comeTrue()
{
    QFETCH(QString, file);
    const Result<StagedLesson> staged = stagedLesson(file);
    QVERIFY2(staged, qPrintable(staged ? QString() : staged.error()));
    QStringList lines;
    for (const Failure &failure : untruths(staged->lesson, staged->stage))
        lines += u"%1:%2: %3"_s.arg(file).arg(failure.line).arg(failure.text);
    QVERIFY2(lines.isEmpty(), qPrintable(lines.join(u'\n')));

    const Lesson &lesson = staged->lesson;
    QCOMPARE(lesson.setup.pack, file.section(u'/', -2, -2));
    using Kind = LessonPart::Kind;
    for (const Kind kind : { Kind::Text, Kind::Predict, Kind::Check })
        QVERIFY(std::ranges::any_of(
            lesson.parts, [&](const LessonPart &part) { return part.kind == kind; }));
    QCOMPARE(lesson.parts.first().kind, Kind::Text); // nobody is asked before something was said
    QVERIFY(!lesson.rules.isEmpty());
}

void TestLessons::everyRule_data()
{
    QTest::addColumn<QString>("pack");
    for (const QString &pack : builtInPacks())
        QTest::newRow(qPrintable(pack)) << pack;
}

void TestLessons::everyRule()
{
    QFETCH(QString, pack);
    QSet<QString> stated, named;
    const RuleFile rules = ruleFile(pack);
    QCOMPARE(rules.problems, QStringList());
    for (const StatedRule &rule : rules.rules)
        stated.insert(rule.id);
    for (const QString &file : std::as_const(m_files)) {
        if (file.section(u'/', -2, -2) != pack)
            continue;
        const Result<StagedLesson> staged = stagedLesson(file);
        QVERIFY(staged);
        for (const QString &rule : staged->lesson.rules) {
            QVERIFY2(stated.contains(rule), qPrintable(file + u": "_s + rule));
            named.insert(rule);
        }
    }
    const QSet<QString> missing = stated - named;
    QVERIFY2(missing.isEmpty(),
        qPrintable(u"no lesson names: "_s + QStringList(missing.values()).join(u", ")));
}

void TestLessons::networkControllersRulesAreShown_data()
{
    QTest::addColumn<QString>("pack");
    QTest::newRow("network-controller") << u"network-controller"_s;
    QTest::newRow("network-controller-sync") << u"network-controller-sync"_s;
}

void TestLessons::networkControllersRulesAreShown()
{
    QFETCH(QString, pack);
    const QString problems = unshownRules(pack);
    QVERIFY2(problems.isEmpty(), qPrintable(problems));
}

const TestClass<TestLessons> registered;

#include "tst_lessons.moc"
