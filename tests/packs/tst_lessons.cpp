// SPDX-License-Identifier: Apache-2.0
// The packs and lessons that come with the program: each lesson comes true, together they name
// every rule and every example of the sources (tests/data/rules), each rule is shown by a scenario,
// and each row has a source.

#include "model/json/library.h"
#include "model/statecharts/machinefile.h"
#include "tests/support/rulefile.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QTest>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

/// Finds the rows of a pack without a source, and states without a place or a meaning.
class Sourceless
{
public:
    explicit Sourceless(const Pack &pack)
    {
        for (const auto &row : pack.sourceList)
            ask(u"source "_s + row.id,
                !row.document.isEmpty() && !row.section.isEmpty() && !row.about.isEmpty());
        each(pack.switches, u"switch"_s);
        each(pack.operations, u"operation"_s);
        each(pack.outcomes, u"outcome"_s);
        each(pack.conditions, u"condition"_s);
        each(pack.refusals, u"refusal"_s);
        each(pack.machines, u"machine"_s);
        for (const Type &type : pack.types)
            row(type, u"type "_s + type.path);
        for (const Machine &machine : pack.machines)
            rows(machine);
        numbered(pack.conflicts, u"conflict"_s);
        numbered(pack.stamps, u"stamp"_s);
    }

    QStringList missing;

private:
    void ask(const QString &what, bool isThere)
    {
        if (!isThere)
            missing += what;
    }
    void row(const Row &row, const QString &what) { ask(what, !row.sources.isEmpty()); }
    template<typename List>
    void each(const List &list, const QString &what)
    {
        for (const auto &entry : list)
            row(entry, what + u' ' + entry.id);
    }
    template<typename List>
    void numbered(const List &list, const QString &what)
    {
        for (qsizetype i = 0; i < list.size(); ++i)
            row(list[i], u"%1 %2"_s.arg(what).arg(i));
    }
    void rows(const Machine &machine)
    {
        each(machine.states, machine.id + u" state"_s);
        numbered(machine.transitions, machine.id + u" transition"_s);
        numbered(machine.constraints, machine.id + u" constraint"_s);
        for (const State &state : machine.states) {
            ask(u"place and meaning of "_s + state.id,
                (state.position || state.kind == State::Kind::Composite) && !state.about.isEmpty());
            for (const Step &step : state.work) {
                if (step.kind != Step::Kind::Attempt)
                    row(step, u"%1 work of %2"_s.arg(machine.id, state.id));
            }
        }
    }
};

} // namespace

class TestLessons : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void comeTrue_data();
    void comeTrue();
    void everyRule_data() { addRowsOf("pack", builtInPacks()); }
    void everyRule();
    void everyRuleIsShown_data() { everyRule_data(); }
    void everyRuleIsShown();
    void everyRowHasASource_data() { everyRule_data(); }
    void everyRowHasASource();
    void scenariosSayWhy_data() { everyRule_data(); }
    void scenariosSayWhy();

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
    for (const Failure &failure : lessonErrors(staged->lesson, staged->stage))
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
        const StagedLesson staged = valueOf(stagedLesson(file));
        for (const QString &rule : staged.lesson.rules) {
            QVERIFY2(stated.contains(rule), qPrintable(file + u": "_s + rule));
            named.insert(rule);
        }
    }
    const QSet<QString> missing = stated - named;
    QVERIFY2(missing.isEmpty(),
        qPrintable(u"no lesson names: "_s + QStringList(missing.values()).join(u", ")));
}

/// By a scenario.
void TestLessons::everyRuleIsShown()
{
    QFETCH(QString, pack);
    QCOMPARE(unshownRules(pack), QString());
}

void TestLessons::everyRowHasASource()
{
    QFETCH(QString, pack);
    QCOMPARE(Sourceless(*loadPack(pack)).missing, QStringList());
}

void TestLessons::scenariosSayWhy()
{
    QFETCH(QString, pack);
    for (const QString &name : scenarioNames(pack)) {
        const Result<JsonText> document = loadDocument(scenarioFile(pack, name));
        QVERIFY2(document, qPrintable(name));
        QVERIFY2(!document->root().find("x-about").string().isEmpty(), qPrintable(name));
        QCOMPARE(document->root().find("pack").string(), pack);
    }
}

const TestClass<TestLessons> registered;

#include "tst_lessons.moc"
