// SPDX-License-Identifier: Apache-2.0
// Panels side by side in the middle of the real window: by menu, keyboard and mouse, from start to
// start.

#include "app/sides.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "views/panels/docktitle.h"
#include "views/timeline/timelinepanel.h"

#include <QTabBar>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestSides : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        open();
        m_window->docks().reset();
        QTest::qWait(20);
    }
    void cleanup() { close(); }

    void twoViewsAreAlive();
    void byKeyboard();
    void aTabIsDraggedOut();
    void startsAsItEnded_data();
    void startsAsItEnded();
    void noticesAreSeen();
    void theCentreMayBeEmpty();
    void longNamesHaveRoom();
    void titlesAreReached();
    void apartAndBack();

private:
    void press(int key, Qt::KeyboardModifiers with = Qt::AltModifier | Qt::ShiftModifier)
    {
        QTest::keyClick(m_window, Qt::Key(key), with);
        QTest::qWait(20);
    }
    QRect on(const QString &name)
    {
        const QDockWidget *it = dock(name);
        return Docks::isSeen(it) ? it->geometry() : QRect();
    }
    /// "statechart | timeline / records": tabs in front of the sides, as they lie; what is behind
    /// one is in brackets.
    QString sides()
    {
        QStringList lines;
        for (const QList<QDockWidget *> &side : m_window->sides().all()) {
            QStringList front, behind;
            for (const QDockWidget *each : side)
                (Docks::isSeen(each) ? front : behind) += each->objectName();
            behind.sort();
            lines += front.join(u'+')
                + (behind.isEmpty() ? QString() : u" (%1)"_s.arg(behind.join(u' ')));
        }
        return lines.join(u" | "_s);
    }
};

const auto usual = u"statechart | score (armed network operations outcomes records)"_s;
const auto beside = u"statechart | score | operations (armed network outcomes records)"_s;

void TestSides::twoViewsAreAlive()
{
    QCOMPARE(sides(), usual);
    chart().setFocus();
    press(Qt::Key_Right);
    QCOMPARE(sides(), beside);
    const QRect left = on(u"statechart"_s), right = on(u"score"_s);
    QVERIFY(left.right() < right.left());
    QVERIFY2(std::abs(left.width() - right.width()) < 12,
        qPrintable(u"%1 %2"_s.arg(left.width()).arg(right.width())));
    QVERIFY(left.top() <= right.top() && left.bottom() == right.bottom());
    QVERIFY(m_window->timeline().isAncestorOf(QApplication::focusWidget()));
    // Both show what happens and can be used.
    const QImage before = m_window->timeline().view()->grab().toImage();
    m_window->fire(u"PUT"_s);
    settle();
    QTest::qWait(50);
    QVERIFY(lit(u"DELETE"_s));
    QVERIFY(m_window->timeline().view()->grab().toImage() != before);
    QVERIFY(chart().isEnabled() && m_window->timeline().isEnabled());
    m_window->docks().reset();
    QTest::qWait(20);
    QCOMPARE(sides(), usual);
}

void TestSides::byKeyboard()
{
    tree().setFocus(); // from elsewhere it is the tab in front below
    press(Qt::Key_Down);
    QCOMPARE(sides(), beside);
    QVERIFY(on(u"statechart"_s).bottom() < on(u"score"_s).top());
    QVERIFY(on(u"score"_s).bottom() < on(u"operations"_s).top());
    // A tab of a side goes to one of its own.
    dock(u"records"_s)->raise();
    m_window->docks().bring(dock(u"records"_s));
    press(Qt::Key_Right);
    QCOMPARE(sides(), u"statechart | score | records | armed (network operations outcomes)"_s);
    QVERIFY(on(u"records"_s).left() > on(u"score"_s).right());
    // From side to side and around.
    QStringList walked;
    for (int i = 0; i < 4; ++i) {
        press(Qt::Key_F6, Qt::AltModifier);
        walked += m_window->docks().withKeyboard()->objectName();
    }
    QCOMPARE(walked.join(u' '), u"armed statechart score records"_s);
    // A tab goes to the next side, and on.
    press(Qt::Key_F6);
    QCOMPARE(sides(), u"statechart | score | records (armed network operations outcomes)"_s);
    press(Qt::Key_F6);
    QCOMPARE(sides(), u"records (statechart) | score | outcomes (armed network operations)"_s);
    QVERIFY(!chart().isEnabled()); // behind a tab nothing takes keys
    press(Qt::Key_J);
    QCOMPARE(sides(), u"records (score statechart) | outcomes (armed network operations)"_s);
    QVERIFY(dock(u"records"_s)->isAncestorOf(QApplication::focusWidget()));
    press(Qt::Key_0, Qt::AltModifier); // the chart comes to the front
    QCOMPARE(sides(), u"statechart (records score) | outcomes (armed network operations)"_s);
    QVERIFY(chart().hasFocus());
    // What is alone in the centre stays there.
    m_window->docks().reset();
    QTest::qWait(20);
    chart().setFocus();
    press(Qt::Key_F6);
    QCOMPARE(sides(), usual);
}

/// A tab is taken with the mouse: out of its side, and to the right of the chart.
void TestSides::aTabIsDraggedOut()
{
    const auto tabBar = [this]() -> QTabBar * {
        for (auto *bar : m_window->findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly)) {
            for (int tab = 0; bar->isVisible() && tab < bar->count(); ++tab) {
                if (bar->tabText(tab) == u"Records")
                    return bar;
            }
        }
        return nullptr;
    };
    QTabBar *bar = tabBar();
    QVERIFY(bar);
    int tab = 0;
    while (bar->tabText(tab) != u"Records")
        ++tab;
    const QPoint from = bar->tabRect(tab).center();
    const auto move = [bar](const QPoint &global) {
        QMouseEvent event(QEvent::MouseMove, bar->mapFromGlobal(global), global, Qt::NoButton,
            Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(bar, &event);
        QTest::qWait(10);
    };
    const QRect chartAt = on(u"statechart"_s);
    const QPoint to = m_window->mapToGlobal(QPoint(chartAt.right() - 20, chartAt.center().y()));
    QTest::mousePress(bar, Qt::LeftButton, {}, from);
    move(bar->mapToGlobal(from + QPoint(30, 0)));
    move(to - QPoint(10, 0));
    QVERIFY(dock(u"records"_s)->isFloating());
    move(to);
    QTest::qWait(300); // the place opens
    QMouseEvent release(QEvent::MouseButtonRelease, bar->mapFromGlobal(to), to, Qt::LeftButton,
        Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(bar, &release);
    QTRY_VERIFY(!dock(u"records"_s)->isFloating());
    QTRY_COMPARE(sides(), u"statechart | records | armed (network operations outcomes score)"_s);
    QTRY_VERIFY(!on(u"records"_s).intersects(on(u"statechart"_s)));
}

void TestSides::startsAsItEnded_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("usual") << QSize(1280, 800);
    QTest::newRow("small") << QSize(1000, 640);
}

void TestSides::startsAsItEnded()
{
    QFETCH(QSize, size);
    const auto facts = [this] {
        QString text = sides();
        for (const char *name : { "statechart", "score", "operations", "inspector" }) {
            const QRect at = on(QString::fromLatin1(name));
            text += u"; %1,%2 %3x%4"_s.arg(at.x()).arg(at.y()).arg(at.width()).arg(at.height());
        }
        return text;
    };
    m_window->resize(size);
    chart().setFocus();
    press(Qt::Key_Right);
    QTest::qWait(40); // until panels have their sizes
    const QString ended = facts();
    for (int start = 0; start < 3; ++start) {
        reopen();
        m_window->resize(size);
        QTest::qWait(40);
        QCOMPARE(m_window->size(), size);
        QCOMPARE(facts(), ended);
    }
    // And in Edit, whose panels come beside and below.
    press(Qt::Key_E, Qt::ControlModifier);
    press(Qt::Key_E, Qt::ControlModifier);
    QCOMPARE(facts(), ended);
}

/// What is said over the chart brings it to the front.
void TestSides::noticesAreSeen()
{
    chart().setFocus();
    press(Qt::Key_Right);
    press(Qt::Key_J);
    QCOMPARE(sides(), u"score (statechart) | operations (armed network outcomes records)"_s);
    const Switch &row = m_window->controller().rules().pack().switches.first();
    m_window->flip(
        row.id, row.values.last() == row.defaultValue ? row.values.first() : row.values.last());
    QTRY_VERIFY(Docks::isSeen(dock(u"statechart"_s)));
}

void TestSides::theCentreMayBeEmpty()
{
    const int below = on(u"score"_s).height();
    press(Qt::Key_0, Qt::AltModifier);
    press(Qt::Key_0, Qt::AltModifier); // first it came to the front with the keyboard, perhaps
    dock(u"statechart"_s)->hide();
    QTest::qWait(20);
    QVERIFY(m_window->centralWidget()->height() > 200); // and says what can be done
    dock(u"statechart"_s)->show();
    QTest::qWait(40);
    QCOMPARE(m_window->centralWidget()->height(), 0);
    QCOMPARE(on(u"score"_s).height(), below);
    QVERIFY(chart().height() >= 180);
}

/// Three side by side make no window wider than it is.
void TestSides::longNamesHaveRoom()
{
    const QString path = net + u"/subnets/"_s + QString(200, u'n');
    simulator().submit({ .op = u"PUT"_s, .path = path });
    runOut();
    m_window->resize(1000, 640);
    m_window->select(path);
    chart().setFocus();
    press(Qt::Key_Right);
    QCOMPARE(m_window->size(), QSize(1000, 640));
    QVERIFY2(m_window->minimumSizeHint().width() <= 1000,
        qPrintable(QString::number(m_window->minimumSizeHint().width())));
}

/// A title's buttons have names and are reached by Tab; those of a tab are in the menu.
void TestSides::titlesAreReached()
{
    auto *title = dock(u"inspector"_s)->findChild<DockTitle *>();
    QVERIFY(title && title->isVisible());
    const auto buttons = title->findChildren<QToolButton *>();
    QCOMPARE(buttons.size(), 2);
    QSet<QWidget *> reached;
    tree().setFocus();
    for (int i = 0; i < 60; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        reached += QApplication::focusWidget();
    }
    for (QToolButton *button : buttons) {
        QVERIFY(has(button->accessibleName(), { u"Inspector"_s }));
        QVERIFY(reached.contains(button));
    }
    buttons.last()->setFocus();
    QTest::keyClick(buttons.last(), Qt::Key_Space);
    QVERIFY(dock(u"inspector"_s)->isHidden());
    // Behind tabs there is no title; the tabs are reached, and show that they have the keyboard.
    QVERIFY(!dock(u"score"_s)->findChild<DockTitle *>());
    const auto bars = m_window->findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly);
    const auto bar =
        std::ranges::find_if(bars, [](const QTabBar *each) { return each->isVisible(); });
    QVERIFY(bar != bars.end() && (*bar)->focusPolicy() & Qt::TabFocus);
    const QImage without = (*bar)->grab().toImage();
    (*bar)->setFocus(Qt::TabFocusReason);
    QVERIFY((*bar)->grab().toImage() != without);
    m_window->docks().bring(dock(u"records"_s));
    press(Qt::Key_W);
    QVERIFY(dock(u"records"_s)->isHidden());
}

void TestSides::apartAndBack()
{
    const QString before = sides();
    chart().setFocus();
    press(Qt::Key_O);
    QVERIFY(dock(u"statechart"_s)->isFloating());
    QVERIFY(dock(u"statechart"_s)->findChild<DockTitle *>()); // where else could it be held?
    QVERIFY(chart().isVisible());
    dock(u"statechart"_s)->setFloating(false);
    QTRY_COMPARE(sides(), before);
    QTRY_VERIFY(!dock(u"statechart"_s)->findChild<DockTitle *>());
}

const TestClass<TestSides, QApplication> registered;

} // namespace

#include "tst_sides.moc"
