// SPDX-License-Identifier: Apache-2.0
// A lesson page by page: forwards, and back.

#include "tests/support/testclass.h"
#include "tests/views/panelsupport.h"
#include "views/lessons/lessonpanel.h"
#include "views/look.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QTextDocumentFragment>

using namespace Qt::StringLiterals;
using namespace instar;
using namespace instar::panels;

class TestLessonPanel : public QObject
{
    Q_OBJECT

private slots:
    void backShowsWhatWasUsedAgain();
    void answersHaveKeys();
    void theAnswerStaysInSight();
    void saysWhatItsRulesSay();
    void callsOperationsByWhatTheyAre();
    void aRoomIsNotToldToFire();
};

namespace {

/// Words on one page; words, something to do, and words on another one.
Lesson twoPages()
{
    LessonPart first, second, doing, last;
    first.text = u"Nothing yet."_s;
    second.beginsPage = true;
    second.text = u"## Now"_s;
    doing.kind = LessonPart::Kind::Do;
    ScenarioStep step;
    step.request.op = u"PUT"_s;
    step.request.path = net;
    step.request.id = u"a"_s;
    doing.steps.append(step);
    last.text = u"So it is."_s;
    Lesson lesson;
    lesson.title = u"Two pages"_s;
    lesson.parts = { first, second, doing, last };
    return lesson;
}

/// What the panel says, all of it.
QString said(const QWidget &panel)
{
    QStringList words;
    for (const QLabel *label : panel.findChildren<QLabel *>()) {
        if (!label->isHidden())
            words += label->text();
    }
    return words.join(u'\n');
}

} // namespace

/// A page on which something was done begins again first; from its beginning one goes back further.
void TestLessonPanel::backShowsWhatWasUsedAgain()
{
    const auto simulator = sample();
    LessonPanel panel(twoPages(), *simulator);
    auto *back = button<QPushButton>(panel, u"Back"_s);
    QVERIFY(!panel.nextRequest());
    panel.advance();
    QCOMPARE(panel.page(), 1);
    QVERIFY(panel.nextRequest());
    panel.advance();
    QVERIFY(!panel.nextRequest());
    QVERIFY(panel.run().isOver());
    QCOMPARE(simulator->operations().all().size(), 1);
    back->click();
    QCOMPARE(panel.page(), 1);
    QVERIFY(panel.nextRequest());
    QVERIFY(simulator->operations().all().isEmpty());
    back->click();
    QCOMPARE(panel.page(), 0);
    back->click();
    QCOMPARE(panel.page(), 0);
}

/// By their numbers; letters are clients.
void TestLessonPanel::answersHaveKeys()
{
    const auto simulator = sample();
    Lesson lesson = twoPages();
    LessonPart question;
    question.kind = LessonPart::Kind::Predict;
    question.choices = { { .text = u"it goes"_s }, { .text = u"it stays"_s } };
    lesson.parts = { question, lesson.parts.first() };
    LessonPanel panel(lesson, *simulator);
    QStringList names;
    for (const ChoiceButton *choice : panel.findChildren<ChoiceButton *>())
        names += choice->accessibleName();
    QCOMPARE(names, (QStringList { u"Answer 1: it goes"_s, u"Answer 2: it stays"_s }));
    QTest::keyClick(&panel, Qt::Key_3); // there is no third one
    QVERIFY(!panel.run().answerTo(0));
    QTest::keyClick(&panel, Qt::Key_2);
    QCOMPARE(panel.run().answerTo(0), std::optional(1));
}

/// However much comes after it, and however long the text before it is.
void TestLessonPanel::theAnswerStaysInSight()
{
    const auto simulator = sample();
    Lesson lesson = twoPages();
    lesson.parts[0].text = u"One of many lines.\n\n"_s.repeated(40);
    LessonPart question, doing = lesson.parts[2];
    question.kind = LessonPart::Kind::Predict;
    question.choices = { { .text = u"it goes"_s }, { .text = u"it stays"_s } };
    for (int i = 0; i < 20; ++i) {
        doing.steps += doing.steps.first();
        doing.steps.last().request.id = u"a%1"_s.arg(i);
    }
    lesson.parts = { lesson.parts.first(), question, doing };
    LessonPanel panel(lesson, *simulator);
    panel.resize(320, 400);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QWidget *view = panel.findChild<QScrollArea *>()->viewport();
    const auto isSeen = [&](const QWidget *widget) {
        const QRect rect(widget->mapTo(view, QPoint()), widget->size());
        return view->rect().contains(rect);
    };
    const auto choices = [&] { return panel.findChildren<ChoiceButton *>(); };
    QVERIFY(button<QPushButton>(panel, u"Back"_s)
        && !button<QPushButton>(panel, u"Back"_s)->isEnabled());
    QTest::keyClick(&panel, Qt::Key_1);
    QTRY_COMPARE(choices().size(), 2); // the page before is gone
    QTRY_VERIFY(isSeen(choices().first()) && isSeen(choices().last()));
    QVERIFY(button<QPushButton>(panel, u"Back"_s)->isEnabled());
    // What is dressed anew stays where it is.
    QScrollBar *bar = panel.findChild<QScrollArea *>()->verticalScrollBar();
    bar->setValue(bar->value() - 30);
    const int before = bar->value();
    applyTheme(Theme::dark());
    QTest::qWait(20);
    QCOMPARE(bar->value(), before);
    applyTheme(Theme::light());
}

/// Their ids are for those who write lessons; readers know who asked for what.
void TestLessonPanel::callsOperationsByWhatTheyAre()
{
    const auto simulator = sample();
    Lesson lesson = twoPages();
    LessonPart doing = lesson.parts[2], check;
    doing.steps[0].request.hang = true;
    const auto ask = [&](const QString &id, const QString &client, const QString &path) {
        ScenarioStep step = doing.steps[0];
        step.request.id = id;
        step.request.client = client;
        step.request.path = path;
        doing.steps += step;
    };
    doing.steps[0].request.client = u"A"_s;
    ask(u"b"_s, u"B"_s, net + u"/subnets/Rack-1"_s);
    ask(u"c"_s, {}, net);
    ask(u"d"_s, u"A"_s, net);
    ScenarioStep end = doing.steps[0];
    end.kind = ScenarioStep::Kind::End;
    end.operation = u"b"_s;
    doing.steps += end;
    check.kind = LessonPart::Kind::Check;
    check.text = u"a: Succeeded\nb: Rejected\nc: InUse\nd: InProgress\nz: Failed\nviolations: 0"_s;
    check.steps = { {} };
    check.steps[0].kind = ScenarioStep::Kind::Expect;
    lesson.parts = { lesson.parts.first(), doing, check };
    LessonPanel panel(lesson, *simulator);
    panel.advance();
    QString text = QTextDocumentFragment::fromHtml(said(panel)).toPlainText();
    text.remove(QChar(0x200b)); // where words may be broken
    for (const QString &sentence : { u"A's PUT Transit is Succeeded"_s,
             u"B's PUT Transit/Rack-1 is Rejected"_s, u"PUT Transit has the error code InUse"_s,
             u"A's PUT Transit, no. 2 is InProgress"_s, u"z is Failed"_s, u"violations is 0"_s,
             u"The work of B's PUT Transit/Rack-1 ends: succeeded"_s })
        QVERIFY2(text.contains(sentence), qPrintable(sentence + u'\n' + text));
}

void TestLessonPanel::saysWhatItsRulesSay()
{
    const auto simulator = sample();
    Lesson lesson = twoPages();
    lesson.rules = { u"R9"_s, u"a rule of nobody"_s };
    LessonPanel panel(lesson, *simulator);
    const QString sentence = u"and the request cannot cancel that operation"_s;
    QVERIFY(said(panel).contains(u"source:R9"_s));
    QVERIFY(!said(panel).contains(u"a rule of nobody"_s));
    QVERIFY(!said(panel).contains(sentence)); // it would give the answers away
    QString asked;
    connect(&panel, &LessonPanel::sourceAsked, this, [&](const QString &key) { asked = key; });
    for (QLabel *label : panel.findChildren<QLabel *>())
        emit label->linkActivated(u"source:R9"_s);
    QCOMPARE(asked, u"R9"_s);
    const auto told = [&]() -> QLabel * {
        for (QLabel *label : panel.findChildren<QLabel *>()) {
            if (label->isVisibleTo(&panel) && label->text().contains(sentence))
                return label;
        }
        return nullptr;
    };
    QVERIFY(told()); // where it was asked for
    QLabel *chips = panel.findChild<QLabel *>(u"rules"_s);
    emit chips->linkActivated(u"source:R9"_s);
    QVERIFY(!told());
    emit chips->linkActivated(u"source:R9"_s);
    QVERIFY(told());
    emit chips->linkActivated(u"source:a rule of nobody"_s);
    QVERIFY(!told());
    panel.advance();
    panel.advance();
    QVERIFY(panel.run().isOver());
    panel.advance();
    QVERIFY2(said(panel).contains(sentence), qPrintable(said(panel)));
}

void TestLessonPanel::aRoomIsNotToldToFire()
{
    const auto simulator = sample();
    LessonPanel panel(twoPages(), *simulator);
    panel.advance();
    const QString hint = u"Fire the operation yourself"_s;
    QVERIFY(said(panel).contains(hint));
    const double usual = panel.findChild<QPushButton *>(u"primary"_s)->font().pointSizeF();
    panel.setLarger(1.5);
    QVERIFY(!said(panel).contains(hint));
    QCOMPARE(panel.findChild<QPushButton *>(u"primary"_s)->font().pointSizeF(), usual * 1.5);
    panel.setLarger(1);
    QVERIFY(said(panel).contains(hint));
}

const instar::TestClass<TestLessonPanel, QApplication> registered;

#include "tst_lessonpanel.moc"
