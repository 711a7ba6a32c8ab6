// SPDX-License-Identifier: Apache-2.0
// The lessons' format: what is read, what is said of mistakes, and what a lesson does when it is
// played.

#include "model/json/lessonfile.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <rapidcheck.h>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

class TestLesson : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void parts();
    void everythingThatCanBeSaid();
    void mistakes_data();
    void mistakes();
    void runs();
    void doneByHand();
    void etagsSinceTheCheckBefore();
    void untrue_data();
    void untrue();
    void damaged();

private:
    LessonDraft read(const QByteArray &text) const;
    QStringList diagnostics(const QByteArray &text) const;
    Stage stage(const Lesson &lesson) const;

    Pack m_pack;
};

namespace {

const QByteArray siblings = R"(# Siblings
Rules: R6 · R9

```setup network-controller
siblingsRunConcurrently = false
/logicalNetworks/n/subnets/a
/logicalNetworks/n/subnets/b: Failed {"properties": {"x": 1}}
```

Two subnets.

```text
## no heading
```

- [ ] Both run. `a: InProgress; b: InProgress`
- [x] The second one is
  refused. `b: Rejected`

```do 0
A: PUT /logicalNetworks/n/subnets/a as a {"duration": 500}
```

```do 100
B: PUT /logicalNetworks/n/subnets/b as b
```

```check 200
/logicalNetworks/n: Updating
/logicalNetworks/n/subnets/b: same etag
b: Rejected
b: AnotherOperationInProgress
```

## Later

It has ended.

```check 500
a: Succeeded
```
)";

/// What is left of a line, without its end.
QByteArray with(QByteArray text, const QByteArray &before, const QByteArray &after)
{
    if (!text.contains(before))
        qFatal("no %s", before.constData());
    return text.replace(before, after);
}

} // namespace

void TestLesson::initTestCase()
{
    m_pack = valueOf(loadPack(u"network-controller"_s));
}

LessonDraft TestLesson::read(const QByteArray &text) const
{
    return lessonDraft(lessonText(text, u"l.md"_s), m_pack);
}

QStringList TestLesson::diagnostics(const QByteArray &text) const
{
    QStringList lines;
    for (const Diagnostic &diagnostic : read(text).diagnostics)
        lines += described(u"l.md"_s, diagnostic);
    return lines;
}

Stage TestLesson::stage(const Lesson &lesson) const
{
    return valueOf(stageOf(lesson.setup, m_pack));
}

void TestLesson::parts()
{
    const LessonDraft draft = read(siblings);
    QCOMPARE(draft.error, QString());
    const Lesson &lesson = draft.lesson;
    QCOMPARE(lesson.title, u"Siblings"_s);
    QCOMPARE(lesson.rules, QStringList({ u"R6"_s, u"R9"_s }));
    QCOMPARE(lesson.setup.pack, u"network-controller"_s);
    QCOMPARE(lesson.setup.resources->size(), 2);
    QCOMPARE(lesson.setup.resources->at(1).state, u"Failed"_s);
    QCOMPARE(lesson.setup.resources->at(1).properties.value(u"x"_s).toInt(), 1);
    QCOMPARE(lesson.setup.switches.value(u"siblingsRunConcurrently"_s), u"false"_s);

    using Kind = LessonPart::Kind;
    QList<Kind> kinds;
    for (const LessonPart &part : lesson.parts)
        kinds += part.kind;
    QCOMPARE(kinds,
        QList<Kind>({ Kind::Text, Kind::Predict, Kind::Do, Kind::Do, Kind::Check, Kind::Text,
            Kind::Check }));
    QCOMPARE(lesson.pages(), QList<qsizetype>({ 0, 5 }));
    QCOMPARE(lesson.parts[0].text, u"Two subnets.\n\n```text\n## no heading\n```"_s);
    QCOMPARE(lesson.parts[5].text, u"## Later\n\nIt has ended."_s);

    const QList<LessonPart::Choice> &choices = lesson.parts[1].choices;
    QCOMPARE(choices.size(), 2);
    QCOMPARE(choices[1].text, u"The second one is refused."_s);
    QVERIFY(choices[1].isRight && !choices[0].isRight);
    QCOMPARE(choices[0].claim.expectation.operations.size(), 2);
    QCOMPARE(choices[0].claim.at, 200); // that of the check that judges it

    const ScenarioStep &put = lesson.parts[2].steps.first();
    QCOMPARE(put.at, 0);
    QCOMPARE(put.request.client, u"A"_s);
    QCOMPARE(put.request.op, u"PUT"_s);
    QCOMPARE(put.request.id, u"a"_s);
    QCOMPARE(put.request.duration, 500);
    const Expectation &expected = lesson.parts[4].steps.first().expectation;
    QCOMPARE(lesson.parts[4].steps.size(), 1);
    QCOMPARE(expected.operations.value(u"b"_s), u"Rejected"_s);
    QCOMPARE(expected.errors.value(u"b"_s), u"AnotherOperationInProgress"_s);
    QCOMPARE(expected.etagsUnchanged, QStringList { u"/logicalNetworks/n/subnets/b"_s });
    QCOMPARE(scenarioOf(lesson).steps.size(), 4);
}

void TestLesson::everythingThatCanBeSaid()
{
    const LessonDraft draft = read(R"(# All
```setup network-controller
nothing
```
```do
PUT /logicalNetworks/n as a {"hang": true}
```
```do 5
end a failed
end a
```
```check
/logicalNetworks/n: gone
/logicalNetworks/m: new etag
x of /logicalNetworks/n: 5
y of /logicalNetworks/n: nothing
z of /logicalNetworks/n: some words
violations: 0
a: InternalServerError
```
)");
    QCOMPARE(draft.error, QString());
    QVERIFY(draft.lesson.setup.resources && draft.lesson.setup.resources->isEmpty());
    QCOMPARE(draft.lesson.parts[1].steps.size(), 2);
    QCOMPARE(draft.lesson.parts[1].steps[0].outcome, u"failed"_s);
    const Expectation &expected = draft.lesson.parts[2].steps.first().expectation;
    QCOMPARE(draft.lesson.parts[2].steps.first().at, 5); // of the block before
    QCOMPARE(expected.resources.value(u"/logicalNetworks/n"_s), QString());
    QVERIFY(expected.resources.contains(u"/logicalNetworks/n"_s));
    const QJsonObject properties = expected.properties.value(u"/logicalNetworks/n"_s);
    QCOMPARE(properties.value(u"x"_s).toInt(), 5);
    QVERIFY(properties.value(u"y"_s).isNull());
    QCOMPARE(properties.value(u"z"_s).toString(), u"some words"_s);
    QCOMPARE(expected.violations, 0);
    QCOMPARE(expected.errors.value(u"a"_s), u"InternalServerError"_s);
}

void TestLesson::mistakes_data()
{
    const Rows<QByteArray, QByteArray, QString> row("before", "after", "said");
    row("no title", "# Siblings", "Siblings", u"l.md:1: error: expected a title"_s);
    row("no setup", "```setup network-controller", "```text",
        u"l.md:16: error: expected a block \"```setup PACK\" before"_s);
    row("no pack", "```setup network-controller", "```setup",
        u"l.md:4: error: expected a pack after the word setup"_s);
    row("late switch", "/logicalNetworks/n/subnets/b: Failed {\"properties\": {\"x\": 1}}",
        "orphanPolicy = fail", u"l.md:7: error: expected switches before resources"_s);
    row("switch", "siblingsRunConcurrently", "siblingRunConcurrently",
        u"l.md:5: error: unknown switch \"siblingRunConcurrently\"; did you mean"_s);
    row("resource", "/logicalNetworks/n/subnets/a\n/", "logicalNetworks/n/subnets/a\n/",
        u"l.md:6: error: expected a switch \"NAME = VALUE\", a resource"_s);
    row("json", "{\"properties\": {\"x\": 1}}", "{\"properties\": {\"x\" 1}}",
        u"l.md:7: error: "_s);
    row("near block", "```check 500", "```chek 500",
        u"l.md:39: error: expected a block setup, do or check, found \"chek\"; did you mean "
        u"\"check\"?"_s);
    row("going back", "```do 100", "```do -5",
        u"l.md:24: error: expected a time in whole ms, at least 0"_s);
    row("time before", "```check 500", "```check 150",
        u"l.md:39: error: expected a time in whole ms, at least 200"_s);
    row("no time", "```check 500", "```check soon", u"l.md:39: error: expected a time"_s);
    row("operation", "A: PUT", "A: PUTT", u"l.md:21: error: "_s);
    row("key", "\"duration\"", "\"durations\"", u"l.md:21: error: "_s);
    row("do", "B: PUT /logicalNetworks/n/subnets/b as b", "B wants the other one",
        u"l.md:25: error: expected \"CLIENT: OPERATION /type/id as ID {...}\""_s);
    row("twice one id", "as b", "as a", u"l.md:25: error: expected each operation's id once"_s);
    row("fact", "b: AnotherOperationInProgress", "it is refused",
        u"l.md:32: error: expected a fact"_s);
    row("twice one fact", "b: AnotherOperationInProgress", "b: Rejected",
        u"l.md:32: error: expected each fact once, found \"b\" again"_s);
    row("word", "n: Updating", "n: Updated", u"l.md:29: error: "_s);
    row("operation's id", "a: Succeeded", "c: Succeeded",
        u"l.md:40: error: expected the id of an operation"_s);
    row("no claim", "Both run. `a: InProgress; b: InProgress`", "Both run.",
        u"l.md:16: error: expected an answer that ends with its claims"_s);
    row("bad claim", "`b: Rejected`", "`b is rejected`", u"l.md:17: error: expected a fact"_s);
    row("no right answer", "- [x]", "- [ ]",
        u"l.md:16: error: expected at least one right answer"_s);
    row("no wrong answer", "- [ ] Both", "- [x] Both",
        u"l.md:16: error: expected at least one right answer"_s);
    row("empty block", "a: Succeeded\n", "", u"l.md:39: error: expected a fact"_s);
    row("open block", "a: Succeeded\n```\n", "a: Succeeded\n",
        u"l.md:39: error: expected the block to end"_s);
}

void TestLesson::mistakes()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QString, said);
    const QStringList lines = diagnostics(with(siblings, before, after));
    QVERIFY2(std::ranges::any_of(lines, [&](const QString &l) { return l.startsWith(said); }),
        qPrintable(lines.join(u'\n')));
    QVERIFY(!read(with(siblings, before, after)).error.isEmpty());
}

void TestLesson::runs()
{
    const Lesson lesson = read(siblings).lesson;
    Stage made = stage(lesson);
    Simulator simulator(made.rules, made.world);
    LessonRun run(lesson, simulator);
    QCOMPARE(run.at(), 0);
    run.advance(); // the words
    QCOMPARE(simulator.lastMoment(), 0);
    run.answer(0);
    QCOMPARE(run.answerTo(1), 0);
    run.advance();
    QCOMPARE(run.cameTrue(1, 0), std::nullopt);
    QVERIFY(run.awaited() && run.awaited()->id == u"a");
    run.advance();
    QCOMPARE(simulator.world().now, 0);
    QCOMPARE(run.awaited()->id, u"b"_s);
    run.advance();
    QCOMPARE(simulator.world().now, 100);
    QCOMPARE(run.awaited(), nullptr);
    run.advance(); // looks
    QCOMPARE(simulator.world().now, 200);
    QVERIFY(run.failures(4).isEmpty());
    QCOMPARE(run.cameTrue(1, 0), false);
    QCOMPARE(run.cameTrue(1, 1), true);
    QCOMPARE(run.page(), 1);
    run.advance();
    run.advance();
    QVERIFY(run.isOver());
    run.advance(); // which is the end
    QCOMPARE(simulator.world().now, 500);
    QCOMPARE(run.page(), 1);

    run.goTo(1);
    QCOMPARE(run.at(), 5);
    QCOMPARE(simulator.world().now, 200);
    QCOMPARE(run.answerTo(1), 0); // is kept
    run.goTo(0);
    QCOMPARE(simulator.lastMoment(), 0);
    QCOMPARE(run.cameTrue(1, 1), std::nullopt); // nobody has looked yet
    QVERIFY(lessonErrors(lesson, made).isEmpty());
}

/// Somebody asks for what the lesson awaits; the lesson only sees to the time.
void TestLesson::doneByHand()
{
    const Lesson lesson = read(siblings).lesson;
    Stage made = stage(lesson);
    Simulator simulator(made.rules, made.world);
    LessonRun run(lesson, simulator);
    run.requestDone(); // there is nothing to be done yet
    QCOMPARE(run.at(), 0);
    run.advance();
    run.advance();
    run.advance();
    run.advanceTime();
    QCOMPARE(simulator.world().now, 100);
    simulator.submit(*run.awaited());
    run.requestDone();
    QCOMPARE(run.at(), 4);
    run.advance();
    QVERIFY(run.failures(4).isEmpty());
    QCOMPARE(simulator.operations().all().size(), 2);
}

/// What a check says of an etag it says of the time since the check before.
void TestLesson::etagsSinceTheCheckBefore()
{
    const QByteArray begin = R"(# Etags

```setup network-controller
/gateways/g
```

```do 0
A: PUT /gateways/g as a {"duration": 100}
```

```check 1000
/gateways/g: new etag
```

```check 2000
/gateways/g: )";
    for (const auto &[said, count] : { std::pair(QByteArray("same etag"), 0), { "new etag", 1 } }) {
        const LessonDraft draft = read(begin + said + "\n```\n");
        QCOMPARE(draft.error, QString());
        QCOMPARE(lessonErrors(draft.lesson, stage(draft.lesson)).size(), count);
    }
}

void TestLesson::untrue_data()
{
    const Rows<QByteArray, QByteArray, int, QString> row("before", "after", "line", "said");
    row("fact", "a: Succeeded", "a: Failed", 40,
        u"operation a: expected Failed, found Succeeded"_s);
    row("right", "`b: Rejected`", "`b: Canceled`", 17,
        u"the answer is marked as right, but one of its claims is false"_s);
    row("wrong", "`a: InProgress; b: InProgress`", "`a: InProgress`", 16,
        u"the answer is marked as wrong, but all its claims are true"_s);
    row("etag", "same etag", "new etag", 29,
        u"etag of /logicalNetworks/n/subnets/b: expected changed, found unchanged"_s);
}

void TestLesson::untrue()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const LessonDraft draft = read(with(siblings, before, after));
    QCOMPARE(draft.error, QString());
    const QList<Failure> found = lessonErrors(draft.lesson, stage(draft.lesson));
    QCOMPARE(found.size(), 1);
    QTEST(found.first().text, "said");
    QTEST(found.first().line, "line");
}

/// Whatever is cut out, doubled or put into a lesson: it is read to its end, every diagnostic is
/// one line of the file, and what has none can be played.
void TestLesson::damaged()
{
    const QByteArrayList pieces { "```", "```do 0\n", "```check 9\n", "```setup x\n",
        "- [x] a `b: c`\n", "- [ ] ", "`", "{", "}", "\"", ",", "]", "## ", "# ", "\n", "end a\n",
        "/a/b: c\n", "x = y\n", "nothing\n", "A: PUT /a/b as c {\"at\": 5}\n", "\xff", "\r\n",
        "of /", "\\u0000" };
    const auto number = [](qsizetype limit) {
        return qsizetype(*rc::gen::resize(100, rc::gen::inRange(0, int(limit))));
    };
    QVERIFY(holdsFor(600, 30, [&] {
        QByteArray text = siblings;
        for (qsizetype i = number(6) + 1; i > 0; --i) {
            const qsizetype at = number(text.size() + 1);
            if (number(2))
                text.remove(at, number(40));
            else
                text.insert(at, pieces[number(pieces.size())]);
        }
        const LessonText parted = lessonText(text, u"l.md"_s);
        RC_ASSERT(bool(JsonText::parse(parted.scenario, {})));
        const LessonDraft draft = lessonDraft(parted, m_pack);
        for (const Diagnostic &diagnostic : draft.diagnostics) {
            RC_ASSERT(!described(u"l.md"_s, diagnostic).contains(u'\n'));
            RC_ASSERT(diagnostic.line >= 1 && diagnostic.line <= text.count('\n') + 1);
        }
        if (draft.error.isEmpty()) {
            if (const Result<Stage> made = stageOf(draft.lesson.setup, m_pack))
                lessonErrors(draft.lesson, *made);
        }
    }));
}

const TestClass<TestLesson> registered;

#include "tst_lesson.moc"
