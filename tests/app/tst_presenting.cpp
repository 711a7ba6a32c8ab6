// SPDX-License-Identifier: Apache-2.0
// Presenter mode in the real window, with the keys of a remote.

#include "app/presenting.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "views/lessons/lessonpanel.h"
#include "views/look.h"
#include "views/presenting/overlays.h"
#include "views/timeline/timelinepanel.h"

#include <QAbstractButton>
#include <QGraphicsProxyWidget>
#include <QLineEdit>
#include <QMenuBar>
#include <QToolBar>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

const QString siblings = u":/instar/lessons/network-controller/10-siblings.md"_s;

class TestPresenting : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void fromEveryRoom();
    void hidesAndBringsBack();
    void stepsThroughTheRun();
    void stepsThroughALesson();
    void bothEndsOfALessonAreSaid();
    void bothEndsOfARunAreSaid();
    void theNextLessonIsPresented();
    void captionsSayWhatHappens();
    void theMouseIsALight();
    void darkens();
    void isNotRemembered();
    void longNamesAreElided();
    void everythingIsLarger();
    void theChartIsZoomedByKeys();
    void whatIsFittedStaysWhole();

private:
    QStringList shownDocks() const { return shownDocks(*m_window); }
    static QStringList shownDocks(MainWindow &window)
    {
        QStringList names;
        for (const QDockWidget *dock : window.docks().all()) {
            if (!dock->isHidden())
                names += dock->objectName();
        }
        names.sort();
        return names;
    }
    /// What the chart and the timeline are worked with.
    QStringList shownTools()
    {
        QStringList names;
        for (const QWidget *panel :
            { static_cast<QWidget *>(&m_window->timeline()), m_window->centralWidget() }) {
            for (const QAbstractButton *tool : panel->findChildren<QAbstractButton *>()) {
                if (tool->isVisibleTo(panel))
                    names += tool->accessibleName() + tool->text();
            }
            for (const QLineEdit *line : panel->findChildren<QLineEdit *>()) {
                if (line->isVisibleTo(panel))
                    names += line->accessibleName();
            }
        }
        return names;
    }
    /// All of the chart is in sight.
    bool isWhole() const
    {
        const StatechartView *chart = m_window->chart();
        return chart->mapToScene(chart->viewport()->rect())
            .boundingRect()
            .contains(chart->layout().bounds);
    }
    void press(Qt::Key key) { QTest::keyClick(m_window.data(), key); }
    void present() { QTest::keyClick(m_window.data(), Qt::Key_F11, Qt::ControlModifier); }
    Caption *caption() { return m_window->findChild<Caption *>(); }
};

/// Wherever the keyboard is.
void TestPresenting::theChartIsZoomedByKeys()
{
    present();
    QCoreApplication::processEvents();
    const auto scale = [&] { return m_window->chart()->transform().m11(); };
    m_window->timeline().view()->setFocus();
    const auto hold = [&](Qt::Key key, Qt::KeyboardModifiers more = {}) {
        QTest::keyClick(m_window->windowHandle(), key, Qt::ControlModifier | more);
    };
    hold(Qt::Key_0);
    QVERIFY(isWhole());
    const double whole = scale();
    hold(Qt::Key_Plus, Qt::ShiftModifier); // as most keyboards have it
    QVERIFY(scale() > whole);
    hold(Qt::Key_Plus);
    QVERIFY(!isWhole());
    hold(Qt::Key_Minus);
    hold(Qt::Key_Minus);
    QVERIFY(scale() < whole * 1.01);
    press(Qt::Key_Escape);
    QVERIFY(!m_window->presenting().isOn());
}

void TestPresenting::whatIsFittedStaysWhole()
{
    m_window->resize(700, 520);
    m_window->chart()->fit();
    QVERIFY(isWhole());
    present();
    QTest::qWait(50); // until it has its size
    QVERIFY(isWhole());
    press(Qt::Key_Escape);
    QTest::qWait(50);
    QVERIFY(isWhole());
}

void TestPresenting::fromEveryRoom()
{
    for (const Room room :
        { Room::Explore, Room::Edit, Room::Outcomes, Room::Server, Room::Learn }) {
        m_window->docks().enter(room);
        present();
        QVERIFY(m_window->presenting().isOn());
        QVERIFY(m_window->chart()->isVisible() && m_window->timeline().isVisible());
        press(Qt::Key_Escape);
        QVERIFY(!m_window->presenting().isOn());
        QCOMPARE(m_window->docks().room(), room);
    }
}

void TestPresenting::hidesAndBringsBack()
{
    const QStringList before = shownDocks(), tools = shownTools();
    QVERIFY(!tools.isEmpty());
    const bool hadBar = m_window->findChild<QToolBar *>(u"bar"_s)->isVisible();
    present();
    QVERIFY(m_window->presenting().isOn());
    QVERIFY(m_window->isFullScreen());
    QCOMPARE(shownDocks(), QStringList { u"timeline"_s });
    QVERIFY(!m_window->menuBar()->isVisible());
    QVERIFY(!m_window->statusBar()->isVisible());
    for (const QToolBar *bar : m_window->findChildren<QToolBar *>())
        QVERIFY(!bar->isVisible());
    // Nor what one works with in the panels, or their titles.
    QCOMPARE(shownTools(), QStringList());
    for (const QString &name : shownDocks()) {
        const QDockWidget *dock = this->dock(name);
        QVERIFY2(!dock->titleBarWidget() || dock->titleBarWidget()->children().isEmpty(),
            qPrintable(name));
    }
    press(Qt::Key_Escape);
    QVERIFY(!m_window->presenting().isOn());
    QVERIFY(!m_window->isFullScreen());
    QCOMPARE(shownDocks(), before);
    QCOMPARE(shownTools(), tools);
    QVERIFY(m_window->menuBar()->isVisible());
    QCOMPARE(m_window->findChild<QToolBar *>(u"bar"_s)->isVisible(), hadBar);
    QVERIFY(!caption() && !m_window->findChild<Laser *>());
}

void TestPresenting::stepsThroughTheRun()
{
    m_window->fire(u"PUT"_s);
    simulator().pause();
    simulator().jump(0);
    present();
    press(Qt::Key_PageDown);
    QCOMPARE(simulator().moment(), 1);
    press(Qt::Key_Right);
    QCOMPARE(simulator().moment(), 2);
    press(Qt::Key_PageUp);
    QCOMPARE(simulator().moment(), 1);
    press(Qt::Key_Home);
    QCOMPARE(simulator().moment(), 0);
}

void TestPresenting::stepsThroughALesson()
{
    show(siblings);
    MainWindow *window = m_window;
    LessonPanel &panel = *window->lesson();
    const double usual = panel.font().pointSizeF();
    window->presenting().setOn(true);
    QVERIFY(panel.isVisible());
    QVERIFY(panel.font().pointSizeF() > usual * 1.2);
    // What happened on a page is not spoken of on the next one.
    const auto tells = [&] {
        window->simulator().updates().flush();
        return window->findChild<Caption *>()->showsText();
    };
    for (int i = 0; i < 20 && panel.page() == 0; ++i) {
        const bool hasHappened = tells();
        QTest::keyClick(window, Qt::Key_PageDown);
        if (panel.page() == 1) {
            QVERIFY(hasHappened && !tells());
        }
    }
    QCOMPARE(panel.page(), 1);
    while (!panel.run().isOver() && !tells())
        QTest::keyClick(window, Qt::Key_PageDown);
    QVERIFY(tells());
    for (int i = 0; i < 40 && !panel.run().isOver(); ++i)
        QTest::keyClick(window, Qt::Key_PageDown);
    QVERIFY(panel.run().isOver());
    QTest::keyClick(window, Qt::Key_Home);
    QCOMPARE(panel.page(), 0);
    // A number is an answer, and only where there is such a one.
    qsizetype question = 0;
    while (panel.run().lesson().parts[question].kind != LessonPart::Kind::Predict)
        ++question;
    QTest::keyClick(window, Qt::Key_9);
    QVERIFY(!panel.run().answerTo(question));
    QTest::keyClick(window, Qt::Key_2);
    QCOMPARE(panel.run().answerTo(question), std::optional(1));
    window->simulator().updates().flush();
    panel.restartLesson();
    QVERIFY(window->findChild<Caption *>()->text().contains(u"1, 2, 3: answer"_s));
    QCOMPARE(window->simulator().lastMoment(), 0);
    QTest::keyClick(window, Qt::Key_Escape);
    QCOMPARE(panel.font().pointSizeF(), usual);
}

/// A key that leads nowhere says so: silence would look like a remote without batteries.
void TestPresenting::bothEndsOfALessonAreSaid()
{
    show(siblings);
    const QPointer<MainWindow> window = m_window;
    LessonPanel &panel = *window->lesson();
    window->presenting().setOn(true);
    const auto said = [&] { return window->findChild<Caption *>()->text(); };
    const auto key = [&](Qt::Key pressed) {
        QTest::keyClick(window.data(), pressed);
        window->simulator().updates().flush();
    };
    QVERIFY(!said().contains(u"first page"_s));
    key(Qt::Key_Left);
    QVERIFY2(said().startsWith(u"This is the first page"_s), qPrintable(said()));
    QVERIFY(window->findChild<Caption *>()->showsText());
    QCOMPARE(panel.page(), 0);
    key(Qt::Key_PageDown);
    QVERIFY2(!said().contains(u"first page"_s), qPrintable(said()));
    key(Qt::Key_PageUp); // back to the page's own beginning
    QVERIFY2(!said().contains(u"first page"_s), qPrintable(said()));
    key(Qt::Key_PageUp);
    QVERIFY(said().contains(u"first page"_s));
    for (int i = 0; i < 60 && !panel.run().isOver(); ++i) {
        key(Qt::Key_Right);
        QVERIFY(!said().contains(u"last page"_s));
    }
    QVERIFY(panel.run().isOver());
    const qsizetype last = panel.page();
    key(Qt::Key_Right);
    QVERIFY(window && panel.page() == last);
    QVERIFY(begins(said(), u"This is the last page · Page Down: next lesson, “"_s)
        && has(said(), { panel.nextTitle(), u"Esc: end"_s }));
    // Whoever looks back first is told again.
    key(Qt::Key_Left);
    QVERIFY(!said().contains(u"last page"_s));
    while (!panel.run().isOver())
        key(Qt::Key_Right);
    key(Qt::Key_Right);
    QVERIFY(window && said().contains(u"last page"_s));
    // Once more, and the lesson after it is there.
    const auto shown = [&] { // those that are gone stay in the list for a while
        return std::ranges::count_if(
            m_program->windows(), [](const QPointer<MainWindow> &each) { return !each.isNull(); });
    };
    const auto before = shown();
    QTest::keyClick(window.data(), Qt::Key_Right);
    QTRY_VERIFY(!window);
    QCOMPARE(shown(), before);
    QVERIFY(m_program->windows().last()->presenting().isOn());
}

void TestPresenting::bothEndsOfARunAreSaid()
{
    m_window->fire(u"PUT"_s);
    simulator().pause();
    simulator().jump(0);
    present();
    const auto said = [&] {
        settle();
        return caption()->text();
    };
    press(Qt::Key_Left);
    QVERIFY2(said().startsWith(u"This is the beginning"_s), qPrintable(said()));
    while (simulator().moment() < simulator().lastMoment() || simulator().lastMoment() < 2) {
        press(Qt::Key_Right);
        QVERIFY2(!said().contains(u"beginning"_s), qPrintable(said()));
    }
    press(Qt::Key_Right);
    QVERIFY(begins(said(), u"No event is pending"_s) && has(said(), { u"Esc: end"_s }));
    press(Qt::Key_Left);
    QVERIFY2(!said().contains(u"No event is pending"_s), qPrintable(said()));
}

/// One lesson follows another before the room; afterwards the window is as it was at work.
void TestPresenting::theNextLessonIsPresented()
{
    show(siblings);
    const QPointer<MainWindow> first = m_window;
    const QStringList atWork = shownDocks(*first);
    first->presenting().setOn(true);
    emit first->lesson()->nextAsked();
    QTRY_VERIFY(!first);
    MainWindow *second = m_program->windows().last();
    QVERIFY(second && second->lesson());
    QVERIFY(second->presenting().isOn());
    QVERIFY(second->menuBar()->isHidden());
    // Nothing lies above the timeline, wherever it lay before.
    auto *view = second->findChild<Enlarged *>();
    QVERIFY(view);
    QCOMPARE(view->mapFromScene(second->timeline().window()->graphicsProxyWidget()->pos()),
        QPoint(0, 0));
    second->presenting().setOn(false);
    QCOMPARE(shownDocks(*second), atWork);
    QVERIFY(!second->fireBar().isHidden());
    QVERIFY(!second->menuBar()->isHidden());
}

void TestPresenting::captionsSayWhatHappens()
{
    present();
    // Nothing has happened: the keys are told.
    QVERIFY(!caption()->showsText() && caption()->isVisible());
    QVERIFY2(caption()->text().contains(u"Esc: leave"_s), qPrintable(caption()->text()));
    m_window->fire(u"PUT"_s);
    settle();
    QVERIFY2(caption()->text().contains(u"PUT"), qPrintable(caption()->text()));
    QVERIFY(caption()->showsText() && caption()->isVisible());
    QVERIFY(!caption()->text().contains(u"Esc: leave"_s));
    QVERIFY(m_window->rect().contains(caption()->geometry()));
    simulator().pause();
    simulator().jump(0);
    settle();
    QVERIFY(!caption()->showsText());
}

void TestPresenting::theMouseIsALight()
{
    present();
    auto *laser = m_window->findChild<Laser *>();
    QVERIFY(laser && laser->isVisible());
    QVERIFY(laser->testAttribute(Qt::WA_TransparentForMouseEvents));
    QCOMPARE(laser->size(), m_window->size());
    const QPoint point(200, 150);
    QApplication::processEvents(); // everything has its place
    const QPoint at = chart().viewport()->mapTo(m_window.data(), point);
    QTest::mouseMove(chart().viewport(), point);
    QTRY_VERIFY(laser->isSeen());
    const QImage seen = laser->grab().toImage();
    QPoint sum;
    int count = 0;
    for (int y = 0; y < seen.height(); ++y) {
        for (int x = 0; x < seen.width(); ++x) {
            if (seen.pixelColor(x, y).red() > 200 && seen.pixelColor(x, y).alpha() > 100) {
                sum += QPoint(x, y);
                ++count;
            }
        }
    }
    QVERIFY(count > 20);
    const QPoint middle = sum / count;
    QVERIFY2((middle - at).manhattanLength() < 12,
        qPrintable(u"%1, %2 for %3, %4"_s.arg(middle.x()).arg(middle.y()).arg(at.x()).arg(at.y())));
    press(Qt::Key_L);
    QVERIFY(!m_window->findChild<Laser *>());
    press(Qt::Key_L);
    QVERIFY(m_window->findChild<Laser *>());
}

void TestPresenting::darkens()
{
    present();
    press(Qt::Key_B);
    const QPoint middle = m_window->rect().center();
    QCOMPARE(m_window->grab().toImage().pixelColor(middle), QColor(Qt::black));
    QStringList said;
    for (const QLabel *label :
        m_window->findChildren<QLabel *>(QString(), Qt::FindDirectChildrenOnly))
        said += label->text();
    QVERIFY2(
        said.contains(u"Press any key to show the picture again"_s), qPrintable(said.join(u'|')));
    const qsizetype moment = simulator().moment();
    press(Qt::Key_PageDown); // only brings the light back
    QCOMPARE(simulator().moment(), moment);
    QVERIFY(m_window->grab().toImage().pixelColor(middle) != QColor(Qt::black) || theme().isDark);
    QVERIFY(m_window->presenting().isOn());
}

/// What the next window opens with is a window at work.
void TestPresenting::isNotRemembered()
{
    const QStringList before = shownDocks();
    present();
    m_window->close();
    MainWindow *fresh = m_program->open(builtInPacks().first());
    QVERIFY(QTest::qWaitForWindowExposed(fresh));
    QCOMPARE(shownDocks(*fresh), before);
    QVERIFY(!fresh->isFullScreen());
}

/// In their middle, where they say least; what happens to them is said whole.
void TestPresenting::longNamesAreElided()
{
    const QString path = net + u"/subnets/first-"_s + QString(200, u'n') + u"-last"_s;
    present();
    m_window->resize(1000, 640);
    simulator().submit({ .op = u"PUT"_s, .path = path, .client = u"A"_s });
    settle();
    const auto fits = [this] {
        const QRect words = caption()->fontMetrics().boundingRect(
            caption()->contentsRect(), Qt::AlignCenter | Qt::TextWordWrap, caption()->text());
        return caption()->rect().contains(words)
            && m_window->rect().contains(caption()->geometry());
    };
    QVERIFY(has(caption()->text(), { u"A: PUT first-n"_s, u"n-last begins"_s }));
    QVERIFY(fits());
    m_window->resize(700, 500);
    QTest::qWait(20);
    QVERIFY(fits());
}

void TestPresenting::everythingIsLarger()
{
    const double usual = chart().legibleScale();
    TimelinePanel &timeline = m_window->timeline();
    const QSize before = timeline.size();
    present();
    QTest::qWait(50);
    QCOMPARE(chart().legibleScale(), usual * 1.45);
    QVERIFY(isWhole());
    auto *view = m_window->findChild<Enlarged *>();
    QVERIFY(view && view->isVisible());
    QCOMPARE(view->transform().m11(), 1.45);
    QCOMPARE(
        timeline.window()->graphicsProxyWidget()->pos(), QPointF(0, 0)); // it had a title above it
    QCOMPARE(timeline.window()->size(), (QSizeF(view->viewport()->size()) / 1.45).toSize());
    // It is alive: what happens is drawn, and a click arrives.
    const QImage still = view->grab().toImage();
    m_window->fire(u"PUT"_s);
    settle();
    QTest::qWait(50);
    QVERIFY(view->grab().toImage() != still);
    press(Qt::Key_Escape);
    QVERIFY(!m_window->findChild<Enlarged *>());
    QCOMPARE(chart().legibleScale(), usual);
    QTRY_VERIFY(timeline.isVisible());
    QVERIFY(timeline.window() == m_window && timeline.isEnabled());
    QTRY_COMPARE(timeline.height(), before.height());
    // And again, with the window closed on the way.
    present();
    m_window->close();
}

const TestClass<TestPresenting, QApplication> registered;

} // namespace

#include "tst_presenting.moc"
