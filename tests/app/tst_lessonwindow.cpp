// SPDX-License-Identifier: Apache-2.0
// Lessons in the real window, followed with mouse and keyboard, and the page to start from.

#include "app/opening.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "views/lessons/lessonlist.h"
#include "views/lessons/lessonpanel.h"
#include "views/panels/startpage.h"

#include <QComboBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTreeWidget>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

const QString siblings = u":/instar/lessons/network-controller/10-siblings.md"_s;

class TestLessonWindow : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        if (QByteArray(QTest::currentTestFunction()) != "everyLesson")
            return open();
        m_program = std::make_unique<Program>(); // the lessons' own windows are enough
    }
    void cleanup() { close(); }

    void everyLesson_data();
    void everyLesson();
    void hidesWhatFollows();
    void wrongAnswers();
    void doneByHand();
    void somethingElseHappened();
    void pagesByKeys();
    void isRemembered();
    void theNextOneTakesItsPlace();
    void startPage();
    void foundAndOpened();
    void aFileOfOnesOwn();

private:
    LessonPanel &follow(const QString &file)
    {
        MainWindow *window = m_program->open(file);
        if (!window || !window->lesson())
            qFatal("%s is no lesson", qPrintable(file));
        window->resize(1280, 800);
        if (!QTest::qWaitForWindowExposed(window))
            qFatal("not exposed");
        return *window->lesson();
    }
    static QPushButton &next(LessonPanel &panel)
    {
        return *panel.findChild<QPushButton *>(u"primary"_s);
    }
    static void clickNext(LessonPanel &panel) { QTest::mouseClick(&next(panel), Qt::LeftButton); }
    /// The answers that can be seen now, of the last question.
    static QList<ChoiceButton *> choices(LessonPanel &panel, qsizetype part)
    {
        const qsizetype count = panel.run().lesson().parts[part].choices.size();
        QList<ChoiceButton *> all = panel.findChildren<ChoiceButton *>();
        return all.mid(all.size() - count);
    }
    static const LessonPart *waiting(const LessonPanel &panel)
    {
        const LessonRun &run = panel.run();
        return run.isOver() ? nullptr : &run.lesson().parts[run.at()];
    }
    static QString seen(const LessonPanel &panel)
    {
        QStringList texts;
        for (const QLabel *label : panel.findChildren<QLabel *>())
            texts += label->text();
        return texts.join(u'\n');
    }
    bool isOpen(const QString &lesson) const
    {
        return std::ranges::any_of(m_program->windows(), [&](const QPointer<MainWindow> &window) {
            return window && window->isVisible() && window->lesson()
                && window->lesson()->run().lesson().title == lesson;
        });
    }
};

void TestLessonWindow::everyLesson_data()
{
    QTest::addColumn<QString>("file");
    for (const LessonInfo &lesson : builtInLessons())
        QTest::newRow(qPrintable(lesson.file.section(u'/', -2))) << lesson.file;
}

/// The right answer to each question, then the button that goes on: everything comes true, and
/// nothing of the page is cut.
void TestLessonWindow::everyLesson()
{
    QFETCH(QString, file);
    LessonPanel &panel = follow(file);
    const Lesson &lesson = panel.run().lesson();
    for (int turns = 0; !panel.run().isOver() && turns < 100; ++turns) {
        const qsizetype at = panel.run().at();
        if (waiting(panel)->kind != LessonPart::Kind::Predict) {
            clickNext(panel);
            continue;
        }
        const QList<ChoiceButton *> offered = choices(panel, at);
        const auto right =
            std::ranges::find(lesson.parts[at].choices, true, &LessonPart::Choice::isRight);
        ChoiceButton *choice = offered[right - lesson.parts[at].choices.begin()];
        QTest::mouseClick(choice, Qt::LeftButton);
        QTRY_VERIFY(panel.run().at() > at);
        QTRY_VERIFY(!choices(panel, at).first()->isEnabled());
    }
    QVERIFY(panel.run().isOver());
    for (qsizetype part = 0; part < lesson.parts.size(); ++part) {
        const QList<Failure> failures = panel.run().failures(part);
        QVERIFY2(
            failures.isEmpty(), qPrintable(failures.isEmpty() ? QString() : failures.first().text));
        const QList<LessonPart::Choice> &all = lesson.parts[part].choices;
        for (int i = 0; i < int(all.size()); ++i)
            QCOMPARE(panel.run().cameTrue(part, i), all[i].isRight);
    }
    QVERIFY(panel.findChildren<QFrame *>(u"unchecked"_s).isEmpty());
}

void TestLessonWindow::hidesWhatFollows()
{
    LessonPanel &panel = follow(siblings);
    QVERIFY(waiting(panel)->kind == LessonPart::Kind::Predict);
    QVERIFY(panel.findChildren<QFrame *>(u"doing"_s).isEmpty());
    QVERIFY(!seen(panel).contains(u"AnotherOperationInProgress is"));
    QVERIFY(!seen(panel).contains(u"holds the URI"));
    MainWindow *window = qobject_cast<MainWindow *>(panel.window());
    QVERIFY(!window->fireBar().request().path.endsWith(u"green")
        || window->simulator().lastMoment() == 0);

    QTest::mouseClick(choices(panel, panel.run().at())[2], Qt::LeftButton);
    QTRY_COMPARE(panel.findChildren<QFrame *>(u"doing"_s).size(), 1);
    // What is awaited stands in the fire bar.
    QCOMPARE(window->fireBar().request().path, u"/logicalNetworks/net/subnets/blue"_s);
    QCOMPARE(window->fireBar().request().client, u"A"_s);
    clickNext(panel);
    QCOMPARE(window->fireBar().request().path, u"/logicalNetworks/net/subnets/green"_s);
    clickNext(panel);
    QTRY_VERIFY(seen(panel).contains(u"holds the URI"));
    QCOMPARE(panel.findChildren<QFrame *>(u"checked"_s).size(), 1);
}

void TestLessonWindow::wrongAnswers()
{
    LessonPanel &panel = follow(siblings);
    panel.window()->resize(1280, 560);
    const qsizetype question = panel.run().at();
    ChoiceButton *wrong = choices(panel, question)[0];
    wrong->setFocus();
    QTest::keyClick(wrong, Qt::Key_Space);
    QTRY_COMPARE(panel.run().answerTo(question), 0);
    QTRY_VERIFY(choices(panel, question)[0]->isChecked());
    QVERIFY(!choices(panel, question)[0]->truth().has_value());
    clickNext(panel);
    clickNext(panel);
    const QList<ChoiceButton *> judged = choices(panel, question);
    const QWidget *view = panel.findChild<QScrollArea *>()->viewport();
    QTRY_VERIFY(view->rect().contains(judged[0]->mapTo(view, judged[0]->rect().center())));
    QCOMPARE(judged[0]->truth(), false);
    QCOMPARE(judged[2]->truth(), true);
    QVERIFY(!judged[2]->accessibleDescription().isEmpty());
}

/// The fire bar's own button does what the lesson awaits, as the lesson has it.
void TestLessonWindow::doneByHand()
{
    LessonPanel &panel = follow(siblings);
    MainWindow *window = qobject_cast<MainWindow *>(panel.window());
    clickNext(panel); // "show me"
    auto *fire = window->fireBar().findChild<QPushButton *>(u"primary"_s);
    QTest::mouseClick(fire, Qt::LeftButton);
    QCOMPARE(window->simulator().operations().all().last().id, u"a"_s);
    QVERIFY(!window->simulator().isPlaying()); // time waits for the reader
    QTest::mouseClick(fire, Qt::LeftButton);
    QCOMPARE(window->simulator().operations().all().last().id, u"b"_s);
    QCOMPARE(window->simulator().world().now, 1000);
    QTRY_COMPARE(panel.findChildren<QFrame *>(u"checked"_s).size(), 1);

    // Something else is fired as it stands there.
    window->fire(u"GET"_s);
    QCOMPARE(window->simulator().operations().all().size(), 3);
    QCOMPARE(window->simulator().operations().all().last().op, u"GET"_s);

    // So is the awaited operation as another client.
    panel.restartLesson();
    clickNext(panel);
    panels::named<QComboBox>(window->fireBar(), u"Client"_s)->setCurrentText(u"Z"_s);
    QTest::mouseClick(fire, Qt::LeftButton);
    QCOMPARE(window->simulator().operations().all().last().client, u"Z"_s);
}

void TestLessonWindow::somethingElseHappened()
{
    LessonPanel &panel = follow(siblings);
    MainWindow *window = qobject_cast<MainWindow *>(panel.window());
    clickNext(panel);
    clickNext(panel);
    window->simulator().end(1, window->simulator().rules().succeeded);
    clickNext(panel);
    QCOMPARE(panel.findChildren<QFrame *>(u"unchecked"_s).size(), 1);
    auto *again = panel.findChild<QFrame *>(u"unchecked"_s)->findChild<QPushButton *>();
    QVERIFY(again);
    QTest::mouseClick(again, Qt::LeftButton);
    QTRY_VERIFY(panel.findChildren<QFrame *>(u"unchecked"_s).isEmpty());
    QCOMPARE(window->simulator().lastMoment(), 0);
    for (int i = 0; i < 3; ++i)
        clickNext(panel);
    QCOMPARE(panel.findChildren<QFrame *>(u"checked"_s).size(), 1);
}

void TestLessonWindow::pagesByKeys()
{
    LessonPanel &panel = follow(siblings);
    next(panel).setFocus();
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(&next(panel), Qt::Key_PageDown);
    QCOMPARE(panel.page(), 1);
    const qsizetype question = panel.run().at();
    QTest::keyClick(&next(panel), Qt::Key_PageDown);
    QVERIFY(panel.run().at() > question);
    QTest::keyClick(&next(panel), Qt::Key_PageUp); // this page from its beginning
    QCOMPARE(panel.page(), 1);
    QCOMPARE(panel.run().at(), question);
    QTest::keyClick(&next(panel), Qt::Key_PageUp);
    QCOMPARE(panel.page(), 0);
    QCOMPARE(qobject_cast<MainWindow *>(panel.window())->simulator().lastMoment(), 0);
}

void TestLessonWindow::isRemembered()
{
    LessonPanel &panel = follow(siblings);
    QCOMPARE(m_program->settings().doneLessons(), QStringList());
    for (int i = 0; i < 20 && !panel.run().isOver(); ++i)
        clickNext(panel);
    QCOMPARE(m_program->settings().doneLessons(), QStringList { siblings });
    const auto *lessons = panel.window()->findChild<LessonList *>()->findChild<QTreeWidget *>();
    QCOMPARE(lessons->currentItem()->text(0), u"10  Two siblings are written  ✓"_s);
    for (const QLabel *label : m_window->findChild<LessonList *>()->findChildren<QLabel *>())
        QVERIFY2(!label->text().startsWith(u"0 of"_s), "the list in the other window is old");
}

void TestLessonWindow::theNextOneTakesItsPlace()
{
    LessonPanel &panel = follow(siblings);
    const QPointer<QWidget> before = panel.window();
    for (int i = 0; i < 20 && !panel.run().isOver(); ++i)
        clickNext(panel);
    QVERIFY(!seen(panel).contains(u"A parent and a cousin are written"_s));
    clickNext(panel); // the end page
    QVERIFY(seen(panel).contains(u"A parent and a cousin are written"_s));
    QTest::keyClick(&next(panel), Qt::Key_PageUp);
    QVERIFY(!seen(panel).contains(u"A parent and a cousin are written"_s));
    clickNext(panel);
    QCOMPARE(next(panel).text(), u"Next Lesson"_s);
    clickNext(panel);
    QTRY_VERIFY(isOpen(u"A parent and a cousin are written"_s));
    QTRY_VERIFY(!before || !before->isVisible());
}

void TestLessonWindow::startPage()
{
    for (int i = 0; i < 2; ++i)
        m_program->settings().addRecentFile(write(u"mine.json"_s, "{}"));
    QCOMPARE(m_program->settings().recentFiles().size(), 1);
    QTest::keyClick(m_window, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    auto *page = m_window->findChild<StartPage *>();
    QVERIFY(page && QTest::qWaitForWindowExposed(page));
    auto *systems = panels::named<QTreeWidget>(*page, u"Systems"_s);
    QCOMPARE(systems->topLevelItemCount(), int(builtInPacks().size()));
    QCOMPARE(panels::named<QTreeWidget>(*page, u"Recent files"_s)->topLevelItem(0)->text(0),
        u"mine.json"_s);
    const auto kinds = [](const StartPage &of) {
        return panels::button<QPushButton>(of, u"New Pack"_s)->menu()->actions();
    };
    QCOMPARE(kinds(*page).size(), newPacks().size());
    auto *alone = new StartPage({}, newPacks(), {}); // closes and deletes itself
    QSignalSpy made(alone, &StartPage::sourceAsked);
    kinds(*alone).last()->trigger();
    QCOMPARE(made.value(0).value(0).toString(), newPacks().last().id);
    QSignalSpy opened(page, &StartPage::sourceAsked);
    QTest::keyClick(systems, Qt::Key_Down);
    QTest::keyClick(systems, Qt::Key_Return);
    QCOMPARE(opened.value(0).value(0).toString(), builtInPacks()[1]);
}

void TestLessonWindow::foundAndOpened()
{
    m_program->settings().addDoneLesson(siblings);
    QTest::keyClick(m_window, Qt::Key_5, Qt::ControlModifier);
    auto *list = m_window->findChild<LessonList *>();
    QVERIFY(list->isVisible());
    auto *lessons = list->findChild<QTreeWidget *>();
    auto *search = list->findChild<QLineEdit *>();
    QCOMPARE(lessons->topLevelItemCount(), int(builtInPacks().size()));
    QCOMPARE(lessons->currentItem()->text(0), u"1  A network is updated"_s);
    const auto found = [&](const QString &text) {
        search->clear();
        QTest::keyClicks(search, text);
        QStringList visible;
        for (int group = 0; group < lessons->topLevelItemCount(); ++group) {
            for (int row = 0; row < lessons->topLevelItem(group)->childCount(); ++row) {
                if (!lessons->topLevelItem(group)->child(row)->isHidden()
                    && !lessons->topLevelItem(group)->isHidden())
                    visible += lessons->topLevelItem(group)->child(row)->text(0);
            }
        }
        return visible;
    };
    QCOMPARE(
        found(u"siblings subnets async"_s), QStringList { u"10  Two siblings are written  ✓"_s });
    m_window->docks().enter(Room::Explore);
    m_window->docks().enter(Room::Learn);
    QVERIFY(lessons->topLevelItem(1)->isHidden()); // still
    QVERIFY(!lessons->currentItem()->isHidden());
    const QStringList rule = found(u"R9"_s); // by what is said in them
    QVERIFY(rule.contains(u"10  Two siblings are written  ✓"_s) && rule.size() < 10);
    // A title is what is meant, also where the words stand in lessons before it.
    QVERIFY(!found(u"parent and written"_s).first().contains(u"A parent and a cousin"));
    QVERIFY(lessons->currentItem()->text(0).contains(u"A parent and a cousin"_s));
    // Nothing is opened where nothing is found; else what is found is walked while one types.
    QSignalSpy opened(list, &LessonList::chosen);
    QCOMPARE(found(u"zzz"_s), QStringList());
    QTest::keyClick(search, Qt::Key_Return);
    QVERIFY(opened.isEmpty());
    const QStringList all = found(u"R9"_s);
    QCOMPARE(lessons->currentItem()->text(0), all[0]);
    QTest::keyClick(search, Qt::Key_Down);
    QCOMPARE(lessons->currentItem()->text(0), all[1]);
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QVERIFY(opened.first().first().toString().endsWith(u".md"_s));
}

void TestLessonWindow::aFileOfOnesOwn()
{
    const QString good = write(u"mine.md"_s,
        "# Mine\n```setup network-controller\n/logicalNetworks/n\n```\nWords.\n\n"
        "```do 0\nA: DELETE /logicalNetworks/n as a\n```\n```check 100\n/logicalNetworks/n: "
        "Deleting\n```\n");
    LessonPanel &panel = follow(good);
    QCOMPARE(panel.window()->windowTitle().left(4), u"Mine"_s);
    clickNext(panel);
    QCOMPARE(panel.findChildren<QFrame *>(u"checked"_s).size(), 1);
    clickNext(panel);
    QCOMPARE(next(panel).text(), u"All Lessons"_s);
    QCOMPARE(m_program->settings().recentFiles().first(), good);

    const QString bad = write(u"bad.md"_s, "# Bad\n```setup network-controller\nx\n```\n");
    const QString told = messageOf([&] { m_program->open(bad); });
    QVERIFY2(told.contains(u"bad.md:3: expected a switch"), qPrintable(told));
}

const TestClass<TestLessonWindow, QApplication> registered;

} // namespace

#include "tst_lessonwindow.moc"
