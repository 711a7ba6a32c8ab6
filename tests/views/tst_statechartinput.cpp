// SPDX-License-Identifier: Apache-2.0
// The live statechart by keyboard, mouse wheel and screen reader.
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "tests/views/statechartscene.h"
#include "views/look.h"

#include <QAccessible>
#include <QApplication>
#include <QGestureEvent>
#include <QLineEdit>
#include <QNativeGestureEvent>
#include <QPinchGesture>
#include <QPointingDevice>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace instar;
using namespace instar::scene;
using namespace Qt::StringLiterals;

class TestStatechartInput : public QObject
{
    Q_OBJECT

private slots:
    void keyboard();
    void oneTabStop();
    void hoverAndTooltip();
    void zoom();
    void largeCharts();
    void followsTheToken();
    void wheel();
    void pinch();
    void picture();
    void screenReader();
};

void TestStatechartInput::keyboard()
{
    Scene scene;
    QSignalSpy fired(scene.view.get(), &StatechartView::fireRequested);
    QSignalSpy states(&scene.selection, &Selection::rowsChosen);
    scene.view->activateWindow();
    scene.view->setFocus();
    QTRY_VERIFY(scene.view->hasFocus());
    QTest::keyClick(scene.view.get(), Qt::Key_Left); // begins where the resource is
    QCOMPARE(scene.view->focused(), scene.state(u"Succeeded"_s));
    QVERIFY(scene.look(u"Succeeded"_s).isFocused);
    QTest::keyClick(scene.view.get(), Qt::Key_Return);
    QCOMPARE(states.size(), 1);

    // Everything can be walked through, one after the other.
    scene.view->focusPart(scene.view->parts().first());
    QList<ChartElement> seen { *scene.view->focused() };
    for (qsizetype i = 1; i < scene.view->parts().size(); ++i) {
        QTest::keyClick(scene.view.get(), Qt::Key_PageDown);
        QVERIFY(scene.view->focused());
        seen += *scene.view->focused();
    }
    QCOMPARE(seen, scene.view->parts());
    QTest::keyClick(scene.view.get(), Qt::Key_PageUp);
    QCOMPARE(scene.view->focused(), seen[seen.size() - 2]);
    QTest::keyClick(scene.view.get(), Qt::Key_Home);
    QCOMPARE(scene.view->focused(), scene.state(u"Succeeded"_s));

    scene.view->focusPart(scene.line(u"Succeeded to Updating: PUT"_s));
    const ChartElement before = *scene.view->focused();
    QTest::keyClick(scene.view.get(), Qt::Key_Return);
    QCOMPARE(fired.size(), 1);
    QTest::keyClick(scene.view.get(), Qt::Key_Right);
    const auto after = scene.view->focused();
    QVERIFY(after && *after != before);
    QVERIFY(elementRect(scene.view->layout(), *after).center().x()
        > elementRect(scene.view->layout(), before).center().x());
}

void TestStatechartInput::oneTabStop()
{
    Scene scene;
    QWidget window;
    auto *layout = new QVBoxLayout(&window);
    auto *before = new QLineEdit, *after = new QLineEdit;
    layout->addWidget(before);
    layout->addWidget(scene.view.release());
    layout->addWidget(after);
    auto *view = window.findChild<StatechartView *>();
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    before->setFocus();
    QTest::keyClick(before, Qt::Key_Tab);
    QTRY_VERIFY(view->hasFocus());
    QCOMPARE(view->focused(),
        std::optional(
            ChartElement { ChartElement::Kind::State, view->layout().boxOf(view->state()), 0 }));
    QTest::keyClick(view, Qt::Key_Tab);
    QTRY_VERIFY(after->hasFocus());
    QTest::keyClick(after, Qt::Key_Backtab, Qt::ShiftModifier);
    QTRY_VERIFY(view->hasFocus());
    QTest::keyClick(view, Qt::Key_Backtab, Qt::ShiftModifier);
    QTRY_VERIFY(before->hasFocus());
}

void TestStatechartInput::hoverAndTooltip()
{
    Scene scene;
    const ChartElement put = scene.line(u"Succeeded to Updating: PUT"_s);
    QTest::mouseMove(scene.view->viewport(), scene.onScreen(put));
    QTRY_COMPARE(scene.view->viewport()->cursor().shape(), Qt::PointingHandCursor);
    const QString click = u"Click to fire PUT at "_s + subnet.section(u'/', -1);
    QVERIFY(has(scene.view->descriptionOf(put), { click, u"MS-NCNBI"_s }));
    QTest::mouseMove(scene.view->viewport(), QPoint(2, 2));
    QTRY_COMPARE(scene.view->viewport()->cursor().shape(), Qt::ArrowCursor);
    const QString waits = scene.view->descriptionOf(scene.line(u"Updating to Failed: failed"_s));
    QVERIFY2(waits.contains(u"MS-NCNBI"), qPrintable(waits));
}

void TestStatechartInput::zoom()
{
    Scene scene;
    scene.view->resize(1400, 900);
    const auto isWhole = [&] {
        const QRectF seen = scene.view->mapToScene(scene.view->viewport()->rect()).boundingRect();
        return seen.contains(scene.view->layout().bounds);
    };
    QVERIFY(isWhole());
    scene.view->resize(1300, 850);
    QVERIFY(isWhole());
    const double scale = scene.view->transform().m11();
    scene.view->zoomIn();
    QVERIFY(scene.view->transform().m11() > scale);
    scene.view->zoomIn();
    const double zoomed = scene.view->transform().m11();
    scene.view->resize(900, 640);
    QCOMPARE(scene.view->transform().m11(), zoomed); // the user's own scale stays
    scene.view->fit();
    QVERIFY(isWhole());

    // The point below the mouse stays there.
    const QPoint mouse(300, 200);
    const QPointF below = scene.view->mapToScene(mouse);
    QWheelEvent wheel(mouse, scene.view->viewport()->mapToGlobal(mouse), {}, QPoint(0, 240), {},
        Qt::ControlModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(scene.view->viewport(), &wheel);
    QVERIFY(QLineF(below, scene.view->mapToScene(mouse)).length() < 3);

    // A drag moves the chart and clicks nothing.
    QSignalSpy fired(scene.view.get(), &StatechartView::fireRequested);
    const QPoint from = scene.onScreen(scene.line(u"Succeeded to Updating: PUT"_s));
    const QPointF held = scene.view->mapToScene(from);
    QTest::mousePress(scene.view->viewport(), Qt::LeftButton, {}, from);
    for (const int step : { 10, 30, 50 }) {
        QMouseEvent move(QEvent::MouseMove, from + QPoint(step, step),
            scene.view->viewport()->mapToGlobal(from + QPoint(step, step)), Qt::NoButton,
            Qt::LeftButton, {});
        QCoreApplication::sendEvent(scene.view->viewport(), &move);
    }
    QTest::mouseRelease(scene.view->viewport(), Qt::LeftButton, {}, from + QPoint(50, 50));
    QVERIFY(QLineF(held, scene.view->mapToScene(from + QPoint(50, 50))).length() < 3);
    QCOMPARE(fired.size(), 0);
}

/// A chart is whole whatever happens to the window, until somebody zooms, and its texts have 9
/// pixels.
void TestStatechartInput::largeCharts()
{
    Scene scene;
    for (const QSize &size :
        { QSize(1400, 900), QSize(900, 600), QSize(220, 160), QSize(1600, 1000) }) {
        scene.view->resize(size);
        QVERIFY(scene.view->seen().contains(scene.view->layout().bounds));
        const double letters =
            scene.view->transform().m11() * scene.view->looks().fonts->label.pixelSize();
        QVERIFY2(letters > 8.99, qPrintable(QString::number(letters)));
    }
    // Who has zoomed sees all of it again by a key.
    scene.view->resize(900, 600);
    for (int i = 0; i < 4; ++i)
        scene.view->zoomIn();
    QVERIFY(!scene.view->seen().contains(scene.view->layout().bounds));
    QTest::keyClick(scene.view.get(), Qt::Key_0);
    QVERIFY(scene.view->seen().contains(scene.view->layout().bounds));
}

void TestStatechartInput::followsTheToken()
{
    Scene scene;
    scene.view->resize(220, 160);
    const auto rectOf = [&](const QString &state) {
        return elementRect(scene.view->layout(), scene.state(state));
    };
    scene.view->zoomBy(4, scene.view->mapFromScene(rectOf(u"Succeeded"_s).center()));
    QVERIFY(!scene.view->seen().contains(rectOf(u"Deleting"_s)));
    for (int i = 0; i < 2; ++i) {
        const double scale = scene.view->transform().m11();
        const quint32 serial = scene.ask(u"DELETE"_s, subnet);
        QVERIFY(scene.view->seen().contains(rectOf(u"Deleting"_s)));
        QCOMPARE(scene.view->transform().m11(), scale);
        scene.simulator->end(serial, scene.simulator->rules().failed);
        scene.simulator->updates().flush();
        scene.simulator->jump(0);
        QTRY_VERIFY(scene.view->seen().contains(rectOf(u"Succeeded"_s)));
        scene.rest();
    }
}

void TestStatechartInput::wheel()
{
    Scene scene;
    const auto turn = [&](QPoint pixels, Qt::ScrollPhase phase, Qt::KeyboardModifiers keys) {
        const QPoint mouse(300, 200);
        QWheelEvent event(mouse, scene.view->viewport()->mapToGlobal(mouse), pixels, QPoint(0, 120),
            {}, keys, phase, false);
        QCoreApplication::sendEvent(scene.view->viewport(), &event);
    };
    const double whole = scene.view->transform().m11();
    turn({}, Qt::NoScrollPhase, {});
    const double zoomed = scene.view->transform().m11();
    QVERIFY(zoomed > whole);
    const QPointF before = scene.view->mapToScene(0, 0);
    turn(QPoint(0, 20), Qt::ScrollUpdate, {}); // a touchpad
    QCOMPARE(scene.view->transform().m11(), zoomed);
    QVERIFY(scene.view->mapToScene(0, 0).y() < before.y());
    turn({}, Qt::NoScrollPhase, Qt::ShiftModifier);
    QCOMPARE(scene.view->transform().m11(), zoomed);
    turn(QPoint(0, 20), Qt::ScrollUpdate, Qt::ControlModifier);
    QVERIFY(scene.view->transform().m11() > zoomed);
}

/// Two fingers on a touchpad or on the screen zoom; what is between them stays there.
void TestStatechartInput::pinch()
{
    Scene scene;
    QWidget *viewport = scene.view->viewport();
    const QPoint fingers(300, 200);
    const double whole = scene.view->transform().m11();
    QNativeGestureEvent touchpad(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2,
        fingers, fingers, viewport->mapToGlobal(fingers), 0.5, {});
    QCoreApplication::sendEvent(viewport, &touchpad);
    QCOMPARE(scene.view->transform().m11(), whole * 1.5);
    const QPointF between = scene.view->mapToScene(fingers);
    QPinchGesture gesture;
    gesture.setScaleFactor(1.25);
    gesture.setCenterPoint(viewport->mapToGlobal(fingers));
    QGestureEvent screen(QList<QGesture *> { &gesture });
    QCoreApplication::sendEvent(viewport, &screen);
    QCOMPARE(scene.view->transform().m11(), whole * 1.5 * 1.25);
    QVERIFY(QLineF(between, scene.view->mapToScene(fingers)).length() < 3);
}

void TestStatechartInput::picture()
{
    Scene scene;
    const QImage light = scene.view->image(1);
    QVERIFY(light.width() > 500 && light.height() > 300);
    QCOMPARE(light.pixelColor(1, 1), Theme::light().window);
    applyTheme(Theme::dark());
    const QImage dark = scene.view->image(1);
    QCOMPARE(dark.pixelColor(1, 1), Theme::dark().window);
    QCOMPARE(scene.view->image(2).width(), dark.width() * 2);
    scene.ask(u"PUT"_s, subnet);
    scene.rest();
    QTRY_VERIFY(scene.view->image(1) != dark);
    applyTheme(Theme::light());
}

void TestStatechartInput::screenReader()
{
    Scene scene;
    QAccessibleInterface *access = QAccessible::queryAccessibleInterface(scene.view.get());
    QVERIFY(access && access->isValid());
    QCOMPARE(access->text(QAccessible::Name), u"Statechart"_s);
    QCOMPARE(access->childCount(), int(scene.view->parts().size()));
    QStringList names;
    QAccessibleInterface *put = nullptr;
    for (int i = 0; i < access->childCount(); ++i) {
        QAccessibleInterface *child = access->child(i);
        QVERIFY(child && child->isValid());
        QCOMPARE(child->parent(), access);
        QCOMPARE(access->indexOfChild(child), i);
        names += child->text(QAccessible::Name);
        if (names.last().startsWith(u"Succeeded to Updating: PUT"))
            put = child;
    }
    QVERIFY2(names.contains(u"Succeeded, 3 resources, the selected resource is in this state"_s),
        qPrintable(names.join(u'\n')));
    QVERIFY(names.contains(u"Succeeded to Updating: PUT, can be taken now"_s));
    QVERIFY(put && put->actionInterface());
    QVERIFY(scene.view->rect().contains(scene.view->mapFromGlobal(put->rect().center())));
    QCOMPARE(access->childAt(put->rect().center().x(), put->rect().center().y()), put);
    QSignalSpy fired(scene.view.get(), &StatechartView::fireRequested);
    put->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(fired.size(), 1);
    // Another machine's elements are other children.
    scene.selection.choose(QString());
    QCOMPARE(access->childCount(), 0);
}

const instar::TestClass<TestStatechartInput, QApplication> registered;

#include "tst_statechartinput.moc"
