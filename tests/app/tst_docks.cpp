// SPDX-License-Identifier: Apache-2.0
// How the real window is laid out, and how that is kept.

#include "app/network.h"
#include "app/settings.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "views/panels/armedpanel.h"
#include "views/panels/elidedlabel.h"

#include <QComboBox>
#include <QLineEdit>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestDocks : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void opensAsWideAsItHasTo();
    void docksComeBack();
    void docksComeToTheFront();
    void fromPanelToPanel();
    void savedDocksFit();
    void smallWindows();
    void startsAsItEnded_data();
    void startsAsItEnded();
    void heightByHandStays();
    void onlyWhatIsMovedIsByHand();
    void oneTextInTheStatusBar();
    void hiddenDocksTakeNoKeys();
    void layoutsOfServersStayThere();
    void longNames();

private:
    QDockWidget *centre() { return dock(u"statechart"_s); }
    bool isInFront(const QString &name)
    {
        return dock(name)->isVisible() && !dock(name)->visibleRegion().isEmpty();
    }
    /// At the scale at which labels can just be read.
    bool isCut() { return qFuzzyCompare(chart().transform().m11(), chart().legibleScale()); }
};

/// What comes to its place while it opens does not make a window wider than its screen.
void TestDocks::opensAsWideAsItHasTo()
{
    QSettings().clear();
    for (const QString &id : builtInPacks()) {
        MainWindow *window = m_program->open(id);
        QVERIFY(QTest::qWaitForWindowExposed(window));
        const int room = window->screen()->availableGeometry().width();
        QVERIFY2(window->width() <= std::max(std::min(1280, room), window->minimumWidth()),
            qPrintable(u"%1: %2 of %3"_s.arg(id).arg(window->width()).arg(room)));
    }
}

void TestDocks::docksComeBack()
{
    QTest::keyClick(m_window, Qt::Key_1, Qt::AltModifier);
    QVERIFY(!dock(u"inspector"_s)->isVisible());
    reopen();
    QVERIFY(!dock(u"inspector"_s)->isVisible());
    QVERIFY(dock(u"score"_s)->isVisible());
}

void TestDocks::docksComeToTheFront()
{
    const QStringList names { u"score"_s, u"operations"_s, u"records"_s, u"armed"_s, u"network"_s };
    QVERIFY(isInFront(u"score"_s));
    for (const int i : { 1, 2, 3, 4, 0, 4, 2 }) {
        QTest::keyClick(m_window, Qt::Key(Qt::Key_2 + i), Qt::AltModifier);
        QTRY_VERIFY2(isInFront(names[i]), qPrintable(names[i]));
        QVERIFY2(dock(names[i])->isAncestorOf(QApplication::focusWidget()), qPrintable(names[i]));
        for (const QString &name : names)
            QVERIFY(!dock(name)->isHidden()); // its tab is there
    }
    // In front already: it goes, and comes back.
    QTest::keyClick(m_window, Qt::Key_4, Qt::AltModifier);
    QVERIFY(dock(u"records"_s)->isHidden());
    QTest::keyClick(m_window, Qt::Key_4, Qt::AltModifier);
    QTRY_VERIFY(isInFront(u"records"_s));
}

/// F6 walks through what is seen, around the window and back.
void TestDocks::fromPanelToPanel()
{
    const auto where = [this]() -> QString {
        const QWidget *focused = m_window->focusWidget();
        for (const QDockWidget *dock : m_window->docks().all()) {
            if (dock->isAncestorOf(focused))
                return dock->objectName();
        }
        return u"nowhere"_s;
    };
    const auto walk = [&](Qt::KeyboardModifiers keys) {
        QTest::keyClick(m_window, Qt::Key_F6, keys);
        return where();
    };
    tree().setFocus();
    QCOMPARE(where(), u"score"_s);
    for (const QString &next : { u"statechart"_s, u"inspector"_s, u"score"_s, u"statechart"_s })
        QCOMPARE(walk({}), next);
    for (const QString &before : { u"score"_s, u"inspector"_s, u"statechart"_s, u"score"_s })
        QCOMPARE(walk(Qt::ShiftModifier), before);
    // What is hidden, or behind a tab, is passed by.
    dock(u"inspector"_s)->hide();
    auto *records = dock(u"records"_s);
    records->raise();
    QTRY_VERIFY(!records->visibleRegion().isEmpty());
    for (const QString &next : { u"statechart"_s, u"records"_s, u"statechart"_s })
        QCOMPARE(walk({}), next);
    // From elsewhere to the first.
    m_window->fireBar().setFocus();
    m_window->findChild<QLineEdit *>()->setFocus();
    m_window->findChild<QComboBox *>()->setFocus();
    QCOMPARE(walk({}), u"statechart"_s);
}

void TestDocks::savedDocksFit()
{
    m_window->resize(1280, 1200);
    QTest::qWait(20);
    auto *timeline = dock(u"score"_s);
    m_window->resizeDocks({ centre(), timeline }, { 400, 600 }, Qt::Vertical);
    QTest::qWait(20);
    QVERIFY(timeline->height() > 500);
    m_window->docks().take();
    m_window->resize(1280, 720);
    QTest::qWait(20);
    reopen();
    m_window->resize(1280, 720);
    QTest::qWait(20);
    timeline = dock(u"score"_s);
    QVERIFY2(chart().height() >= 180, qPrintable(QString::number(chart().height())));
    QVERIFY(centre()->height() > timeline->height());
}

/// In a small window the chart has most of the room.
void TestDocks::smallWindows()
{
    m_window->resize(1000, 640);
    m_window->docks().reset();
    QTest::qWait(20);
    QCOMPARE(m_window->size(), QSize(1000, 640));
    const auto *timeline = dock(u"score"_s);
    QVERIFY2(5 * centre()->height() >= 9 * timeline->height(),
        qPrintable(u"%1 above %2"_s.arg(centre()->height()).arg(timeline->height())));
    QVERIFY(timeline->height() >= 150);
}

void TestDocks::startsAsItEnded_data()
{
    QTest::addColumn<QList<QSize>>("sizes"); ///< of the window, at each start
    const QSize small(1024, 700), usual(1280, 800), large(1920, 1080);
    QTest::newRow("usual") << QList<QSize> { usual, usual, usual };
    QTest::newRow("grows and shrinks") << QList<QSize> { usual, large, small, usual, usual };
    QTest::newRow("small first") << QList<QSize> { small, usual, usual };
    QTest::newRow("large first") << QList<QSize> { large, small, usual };
}

/// The chart is whole or can be read.
void TestDocks::startsAsItEnded()
{
    QFETCH(const QList<QSize>, sizes);
    const auto facts = [this] {
        QStringList parts;
        for (const char *name : { "inspector", "score" })
            parts += u"%1 %2x%3"_s.arg(QString::fromLatin1(name))
                         .arg(dock(QString::fromLatin1(name))->width())
                         .arg(dock(QString::fromLatin1(name))->height());
        parts += u"tree %1, chart %2x%3"_s.arg(tree().treeArea().width())
                     .arg(chart().width())
                     .arg(chart().height());
        return parts.join(u", "_s);
    };
    QMap<QString, QString> known; // size -> how it looked there
    for (const QSize &size : sizes) {
        const QString key = u"%1x%2"_s.arg(size.width()).arg(size.height());
        m_window->resize(size);
        QTest::qWait(20);
        if (known.contains(key))
            QCOMPARE(facts(), known[key]);
        known.insert(key, facts());
        QVERIFY2(chart().showsWhole() != isCut(), qPrintable(key));
        const QString ended = facts();
        reopen();
        m_window->resize(size); // the screen of tests is smaller, and windows are kept on it
        QTest::qWait(20);
        QCOMPARE(facts(), ended);
    }
}

/// What is below keeps its height when something happens: nobody asked for another scale of the
/// chart, nor for another part of it. By hand it is so at every start.
void TestDocks::heightByHandStays()
{
    auto *timeline = dock(u"score"_s);
    m_window->docks().reset();
    QTest::qWait(20);
    const int usual = timeline->height();
    QVERIFY2(usual >= 150, qPrintable(QString::number(usual)));
    const double scale = chart().transform().m11();
    const QPoint pointer(chart().mapTo(m_window, QPoint(200, 150)));
    const auto pointedAt = [&] { return chart().mapToScene(chart().mapFrom(m_window, pointer)); };
    const QPointF pointed = pointedAt();
    m_window->fire(u"PUT"_s);
    QTest::qWait(20);
    QCOMPARE(timeline->height(), usual);
    QCOMPARE(chart().transform().m11(), scale);
    QVERIFY(QLineF(pointedAt(), pointed).length() < 1.5);

    m_window->resizeDocks(
        { centre(), timeline }, { centre()->height() - 30, usual + 30 }, Qt::Vertical);
    QTest::qWait(20);
    m_window->docks().take();
    const int wanted = timeline->height();
    QVERIFY(wanted > usual);
    for (int start = 0; start < 3; ++start) {
        reopen();
        timeline = dock(u"score"_s);
        QTRY_COMPARE(timeline->height(), wanted);
    }
}

/// What only lacks room is wanted as large as before, whichever separator somebody takes.
void TestDocks::onlyWhatIsMovedIsByHand()
{
    auto *timeline = dock(u"score"_s);
    auto *inspector = dock(u"inspector"_s);
    m_window->docks().reset();
    m_window->resize(1400, 900);
    QTest::qWait(20);
    const int right = inspector->width();
    m_window->resize(1000, 900);
    QTest::qWait(20);
    QVERIFY(inspector->width() < right);
    m_window->docks().hold();
    m_window->resizeDocks({ timeline }, { timeline->height() + 30 }, Qt::Vertical);
    QTest::qWait(20);
    m_window->docks().take();
    const int moved = timeline->height();
    m_window->resize(1400, 900);
    QTRY_COMPARE(inspector->width(), right);
    QCOMPARE(timeline->height(), moved);
}

void TestDocks::oneTextInTheStatusBar()
{
    MainWindow *window = m_program->open(builtInScenarios(builtInPacks().first()).first());
    QVERIFY(QTest::qWaitForWindowExposed(window));
    QWidget *counts = window->timeline().counts();
    QVERIFY(!window->statusBar()->currentMessage().isEmpty());
    QVERIFY(!counts->isVisible());
    window->simulator().step();
    window->simulator().updates().tell();
    QVERIFY(window->statusBar()->currentMessage().isEmpty());
    QVERIFY(counts->isVisible());
    window->statusBar()->showMessage(u"said later"_s);
    QVERIFY(!counts->isVisible());
}

void TestDocks::hiddenDocksTakeNoKeys()
{
    m_window->network().armed()->arm({ .op = u"PUT"_s, .path = subnet });
    m_window->fire(u"PUT"_s);
    simulator().runUntilQuiet();
    QTest::qWait(20);
    m_window->activateWindow();
    tree().setFocus();
    QSet<const QWidget *> seen;
    for (int i = 0; i < 80; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        const QWidget *now = QApplication::focusWidget();
        QVERIFY(now);
        seen.insert(now);
        for (const QDockWidget *dock : m_window->docks().all())
            QVERIFY2(!dock->isAncestorOf(now) || !dock->visibleRegion().isEmpty(),
                qPrintable(dock->objectName()));
    }
    QVERIFY(seen.size() > 10);
    // Brought to the front it does.
    QTest::keyClick(m_window, Qt::Key_6, Qt::AltModifier);
    QTRY_VERIFY(m_window->network().armed()->isAncestorOf(QApplication::focusWidget()));
}

void TestDocks::layoutsOfServersStayThere()
{
    Settings settings;
    settings.setWindow(Settings::Window::Server, "g", "d");
    QCOMPARE(settings.docks(Settings::Window::Local), QByteArray());
    QCOMPARE(settings.docks(Settings::Window::Server), "d");
    settings.setWindow(Settings::Window::Local, "g", "l");
    QCOMPARE(settings.docks(Settings::Window::Server), "d");
}

void TestDocks::longNames()
{
    const QString name(256, u'n');
    const QString path = net + u"/subnets/"_s + name;
    simulator().submit({ .op = u"PUT"_s, .path = path });
    runOut();
    QVERIFY(simulator().world().tree.find(path) != NoResource);
    m_window->resize(1000, 650);
    m_window->select(path);
    QTest::qWait(20);
    QCOMPARE(m_window->size(), QSize(1000, 650)); // no name makes the window grow
    QVERIFY(m_window->minimumSizeHint().width() <= 1000);
    QVERIFY(m_window->minimumSizeHint().height() <= 650);
    const QLabel *title = nullptr;
    for (const QLabel *label : centre()->findChildren<QLabel *>()) {
        if (label->text() == name)
            title = label;
    }
    QVERIFY(title && title->toolTip() == path);
    QVERIFY(
        title->width() < title->fontMetrics().horizontalAdvance(name)); // and is elided, not cut
    QVERIFY(qobject_cast<const ElidedLabel *>(title));
}

} // namespace

const instar::TestClass<TestDocks, QApplication> registered;
#include "tst_docks.moc"
