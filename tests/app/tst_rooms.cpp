// SPDX-License-Identifier: Apache-2.0
// The rooms of the real window: what is in each, and how that is kept.

#include "app/network.h"
#include "app/settings.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "views/drawing/theme.h"
#include "views/outcomes/outcomespanel.h"
#include "views/panels/burstpanel.h"
#include "views/panels/elidedlabel.h"
#include "views/panels/networkpanel.h"
#include "views/panels/notice.h"
#include "views/timeline/timelinepanel.h"

#include <QAbstractButton>
#include <QDataStream>
#include <QHash>
#include <QImage>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestRooms : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void opensAsWideAsItHasTo();
    void eachHasItsOwnPanels();
    void aLessonHasItsPanel();
    void areEnteredByButton();
    void aPanelIsBroughtInItsRoom();
    void areKept();
    void fromPanelToPanel();
    void everyControlByKeyboard();
    void everyRoomIsLegible_data() { addRowsOf("name", { u"light"_s, u"dark"_s }); }
    void everyRoomIsLegible();
    void theChartHasMostOfASmallWindow();
    void nothingMovesWhenSomethingHappens();
    void sizesByHandStay();
    void oneTextInTheStatusBar();
    void hiddenDocksTakeNoKeys();
    void longNames();

private:
    void enter(Room room)
    {
        QTest::keyClick(m_window, Qt::Key(Qt::Key_1 + int(room)), Qt::ControlModifier);
    }
    /// Names of the open panels, and of what fills the middle.
    QString seen()
    {
        QStringList names;
        for (const QDockWidget *dock : m_window->docks().all()) {
            if (!dock->isHidden())
                names += dock->objectName();
        }
        names.sort();
        for (const auto &[middle, name] :
            { std::pair<const QWidget *, const char *>(&chart(), "chart"),
                { &m_window->outcomes(), "outcomes" },
                { m_window->network().panel(), "network" } }) {
            if (middle->isVisible())
                names.prepend(QString::fromLatin1(name));
        }
        return names.join(u' ');
    }
};

/// Of a pixel with the most frequent one.
double strongestContrast(const QImage &picture)
{
    QHash<QRgb, int> counts;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x)
            ++counts[picture.pixel(x, y)];
    }
    QRgb ground = 0;
    for (const auto &[colour, count] : counts.asKeyValueRange())
        ground = count > counts.value(ground) ? colour : ground;
    double most = 1;
    for (auto it = counts.keyBegin(); it != counts.keyEnd(); ++it)
        most = std::max(most, contrast(QColor(*it), QColor(ground)));
    return most;
}

/// What comes to its place while it opens does not make a window wider than its screen.
void TestRooms::opensAsWideAsItHasTo()
{
    QFile::remove(Settings::file());
    for (const QString &id : builtInPacks()) {
        MainWindow *window = m_program->open(id);
        QVERIFY(QTest::qWaitForWindowExposed(window));
        const int room = window->screen()->availableGeometry().width();
        QVERIFY2(window->width() <= std::max(std::min(1280, room), window->minimumWidth()),
            qPrintable(u"%1: %2 of %3"_s.arg(id).arg(window->width()).arg(room)));
    }
}

void TestRooms::eachHasItsOwnPanels()
{
    const QStringList expected { u"chart inspector timeline"_s,
        u"chart conflicts problems row system text"_s, u"outcomes"_s,
        u"network armed inspector timeline"_s, u"chart lessons timeline"_s };
    for (int visit = 0; visit < 2 * int(expected.size()); ++visit) {
        const int room = visit % int(expected.size());
        enter(Room(room));
        QCOMPARE(seen(), expected[room]);
        QCOMPARE(editing().isOn(), Room(room) == Room::Edit);
        QCOMPARE(m_window->fireBar().isVisible(),
            Room(room) != Room::Edit && Room(room) != Room::Outcomes);
        QVERIFY(m_window->minimumSizeHint().width() <= 1280);
        QVERIFY(m_window->minimumSizeHint().height() <= 800);
    }
    // One selection, and one run.
    QCOMPARE(m_window->selection().resource(), subnet);
}

/// A lesson is shown although Learn's layout was kept without one, and the other way round.
void TestRooms::aLessonHasItsPanel()
{
    enter(Room::Learn);
    m_window->close();
    show(u":/instar/lessons/network-controller/09-a-child-takes-over.md"_s);
    QCOMPARE(m_window->docks().room(), Room::Learn);
    QVERIFY(Docks::isSeen(dock(u"lesson"_s)));
    QVERIFY(dock(u"lessons"_s)->isHidden());
    reopen();
    enter(Room::Learn);
    QCOMPARE(seen(), u"chart lessons timeline"_s);
}

void TestRooms::areEnteredByButton()
{
    auto *rooms = m_window->findChild<QWidget *>(u"rooms"_s);
    for (QToolButton *button : rooms->findChildren<QToolButton *>()) {
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(button->isChecked() && !button->accessibleName().isEmpty());
    }
    QCOMPARE(m_window->docks().room(), Room::Learn);
}

void TestRooms::aPanelIsBroughtInItsRoom()
{
    m_window->docks().raiseAndFocus(dock(u"problems"_s));
    QCOMPARE(m_window->docks().room(), Room::Edit);
    QVERIFY(editing().isOn());
    // A button below the timeline opens and closes a panel beside it, and counts operations.
    enter(Room::Explore);
    m_window->fire(u"PUT"_s);
    settle();
    auto *toggle = panels::button<QToolButton>(*m_window, u"Operations 1"_s);
    QVERIFY(toggle->isVisible());
    QVERIFY(panels::button<QToolButton>(*m_window, u"Log"_s)->isVisible());
    QTest::mouseClick(toggle, Qt::LeftButton);
    QTRY_VERIFY(Docks::isSeen(dock(u"operations"_s)));
    QVERIFY(Docks::isSeen(dock(u"timeline"_s)));
    QTest::mouseClick(toggle, Qt::LeftButton);
    QVERIFY(dock(u"operations"_s)->isHidden());
    enter(Room::Server);
    for (const QString &name : { u"operations"_s, u"records"_s, u"armed"_s, u"inspector"_s }) {
        m_window->docks().raise(dock(name));
        QCOMPARE(m_window->docks().room(), Room::Server);
    }
}

/// What is closed in a room stays so there, and at the next start, until it is reset.
void TestRooms::areKept()
{
    QTest::keyClick(m_window, Qt::Key_1, Qt::AltModifier);
    QVERIFY(dock(u"inspector"_s)->isHidden());
    enter(Room::Server);
    QVERIFY(!dock(u"inspector"_s)->isHidden());
    enter(Room::Explore);
    QVERIFY(dock(u"inspector"_s)->isHidden());
    m_window->addDockWidget(Qt::TopDockWidgetArea, dock(u"timeline"_s));
    enter(Room::Edit);
    dock(u"row"_s)->hide();
    reopen();
    QCOMPARE(seen(), u"chart timeline"_s);
    QCOMPARE(m_window->dockWidgetArea(dock(u"timeline"_s)), Qt::TopDockWidgetArea);
    enter(Room::Edit);
    QVERIFY(dock(u"row"_s)->isHidden());
    action(u"Reset Layout"_s).trigger();
    QVERIFY(!dock(u"row"_s)->isHidden());
    enter(Room::Explore);
    action(u"Reset Layout"_s).trigger();
    QCOMPARE(seen(), u"chart inspector timeline"_s);
    QCOMPARE(m_window->dockWidgetArea(dock(u"timeline"_s)), Qt::BottomDockWidgetArea);
    // Nothing that another program wrote there does any harm.
    m_window->docks().restore("nothing that was saved");
    QCOMPARE(seen(), u"chart inspector timeline"_s);
    // A layout with the names of an older version falls back to the default one.
    dock(u"inspector"_s)->hide();
    QByteArray older;
    QDataStream(&older, QIODevice::WriteOnly)
        << 7 << 1 << int(Room::Explore) << QStringList { u"inspector"_s, u"score"_s }
        << m_window->saveState(7) << false;
    m_window->docks().restore(older);
    QCOMPARE(seen(), u"chart inspector timeline"_s);
}

/// F6 walks through what is seen, around the window and back.
void TestRooms::fromPanelToPanel()
{
    const auto walk = [&](Qt::KeyboardModifiers keys) {
        QTest::keyClick(m_window, Qt::Key_F6, keys);
        for (const QDockWidget *dock : m_window->docks().all()) {
            if (dock->isAncestorOf(QApplication::focusWidget()))
                return dock->objectName();
        }
        return chart().hasFocus() ? u"chart"_s : u"nowhere"_s;
    };
    tree().setFocus();
    for (const QString &next : { u"chart"_s, u"inspector"_s, u"timeline"_s })
        QCOMPARE(walk({}), next);
    for (const QString &before : { u"inspector"_s, u"chart"_s, u"timeline"_s })
        QCOMPARE(walk(Qt::ShiftModifier), before);
    dock(u"inspector"_s)->hide(); // and is passed by
    for (const QString &next : { u"chart"_s, u"timeline"_s })
        QCOMPARE(walk({}), next);
}

/// Tab comes to every control, and a screen reader has a name for it.
void TestRooms::everyControlByKeyboard()
{
    m_window->fire(u"PUT"_s);
    settle();
    for (const Room room :
        { Room::Explore, Room::Edit, Room::Outcomes, Room::Server, Room::Learn }) {
        enter(room);
        QTest::qWait(20);
        QCOMPARE(panels::namelessControls(*m_window), QString());
        QCOMPARE(panels::unreachableControls(*m_window), QString());
    }
}

/// As it is painted: what stands on labels and buttons contrasts with what lies under it, no button
/// cuts its words, and each shows when it has the keyboard.
void TestRooms::everyRoomIsLegible()
{
    QFETCH(const QString, name);
    m_program->setTheme(name);
    m_window->fire(u"PUT"_s);
    settle();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window));
    m_window->setAttribute(Qt::WA_KeyboardFocusChange); // as after Tab
    for (const Room room :
        { Room::Explore, Room::Edit, Room::Outcomes, Room::Server, Room::Learn }) {
        enter(room);
        QTest::qWait(20);
        const QImage picture = m_window->grab().toImage();
        int examined = 0;
        for (QWidget *widget : m_window->findChildren<QWidget *>()) {
            auto *button = qobject_cast<QAbstractButton *>(widget);
            const auto *tool = qobject_cast<const QToolButton *>(widget);
            const bool isIcon =
                tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull();
            const bool isWhole = widget->isVisible() && widget->width() > 24
                && widget->visibleRegion().boundingRect() == widget->rect();
            const QString words = widget->property("text").toString().remove(u'&');
            if (!(button || qobject_cast<QLabel *>(widget)) || isIcon || !isWhole
                || !widget->isEnabled() || words.trimmed().isEmpty())
                continue;
            ++examined;
            const QString what = u"%1, room %2: %3"_s.arg(name).arg(int(room)).arg(words);
            const QRect area(widget->mapTo(m_window.data(), QPoint()), widget->size());
            QVERIFY2(strongestContrast(picture.copy(area)) >= 3.5, qPrintable(what)); // smoothed
            if (!button)
                continue;
            QVERIFY2(widget->width() >= widget->fontMetrics().horizontalAdvance(words),
                qPrintable(what));
            if (button->isChecked() || !(button->focusPolicy() & Qt::TabFocus))
                continue;
            const QImage before = button->grab().toImage();
            button->setFocus(Qt::TabFocusReason);
            QVERIFY2(button->hasFocus() && button->grab().toImage() != before, qPrintable(what));
            button->clearFocus();
        }
        QVERIFY2(examined > 5, qPrintable(u"%1 in room %2"_s.arg(examined).arg(int(room))));
    }
}

void TestRooms::theChartHasMostOfASmallWindow()
{
    m_window->resize(1024, 700);
    for (const Room room :
        { Room::Edit, Room::Outcomes, Room::Server, Room::Learn, Room::Explore }) {
        enter(room);
        m_window->docks().reset();
        QTest::qWait(20);
        QCOMPARE(m_window->size(), QSize(1024, 700));
        for (const QString &name : { u"inspector"_s, u"row"_s }) {
            const int width = dock(name)->width();
            QVERIFY2(
                !Docks::isSeen(dock(name)) || width >= 240, qPrintable(QString::number(width)));
        }
    }
    QVERIFY2(chart().width() >= 400, qPrintable(QString::number(chart().width())));
    QVERIFY2(chart().height() >= 180, qPrintable(QString::number(chart().height())));
    m_window->resize(960, 540);
    QTest::qWait(20);
    QVERIFY2(dock(u"timeline"_s)->height() >= 150, qPrintable(QString::number(chart().height())));
    show(u":/instar/lessons/network-controller/09-a-child-takes-over.md"_s);
    m_window->resize(1024, 700);
    QTest::qWait(20);
    QCOMPARE(m_window->size(), QSize(1024, 700));
}

/// Nobody asked for another height of a panel.
void TestRooms::nothingMovesWhenSomethingHappens()
{
    QTest::qWait(20);
    const QRect before = chart().geometry();
    const QPoint place = chart().mapTo(m_window, QPoint());
    const int height = dock(u"timeline"_s)->height();
    m_window->fire(u"PUT"_s);
    m_window->select(net + u"/subnets/Rack-2"_s);
    m_window->fire(u"PUT"_s); // refused
    settle();
    QTest::qWait(20);
    QCOMPARE(chart().geometry(), before);
    QCOMPARE(dock(u"timeline"_s)->height(), height);
    m_window->lost().ask(Notice::Tone::Hint, u"A notice covers, and moves nothing."_s,
        { { u"Later"_s, {}, [] {} } });
    QTest::qWait(20);
    QVERIFY(!m_window->lost().visibleRegion().isEmpty());
    QCOMPARE(chart().geometry(), before);
    QCOMPARE(chart().mapTo(m_window, QPoint()), place);
    panels::button<QPushButton>(m_window->lost(), u"Later"_s)->click();
    QTest::qWait(20);
    QVERIFY(m_window->lost().visibleRegion().isEmpty());
}

void TestRooms::sizesByHandStay()
{
    QTest::qWait(20);
    auto *timeline = dock(u"timeline"_s);
    const QPoint separator = timeline->geometry().topLeft() + QPoint(100, -2);
    QTest::mousePress(m_window, Qt::LeftButton, {}, separator);
    QTest::mouseMove(m_window, separator + QPoint(0, 40));
    QTest::mouseRelease(m_window, Qt::LeftButton, {}, separator + QPoint(0, 40));
    QTest::qWait(20);
    const int wanted = timeline->height();
    enter(Room::Server);
    enter(Room::Explore);
    QTRY_COMPARE(timeline->height(), wanted);
    reopen();
    QTRY_COMPARE(dock(u"timeline"_s)->height(), wanted);
}

void TestRooms::oneTextInTheStatusBar()
{
    MainWindow *window = m_program->open(builtInScenarios(builtInPacks().first()).first());
    QVERIFY(QTest::qWaitForWindowExposed(window));
    QWidget *counts = window->findChild<TimelinePanel *>()->counts();
    QVERIFY(!window->statusBar()->currentMessage().isEmpty());
    QVERIFY(!counts->isVisible());
    window->simulator().step();
    window->simulator().updates().flush();
    QVERIFY(window->statusBar()->currentMessage().isEmpty());
    QVERIFY(counts->isVisible());
    window->statusBar()->showMessage(u"said later"_s);
    QVERIFY(!counts->isVisible());
}

void TestRooms::hiddenDocksTakeNoKeys()
{
    m_window->network().burst()->add({ .op = u"PUT"_s, .path = subnet });
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
    QTest::keyClick(m_window, Qt::Key_5, Qt::AltModifier);
    QTRY_VERIFY(m_window->network().burst()->isAncestorOf(QApplication::focusWidget()));
}

void TestRooms::longNames()
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
    for (const QLabel *label : m_window->centralWidget()->findChildren<QLabel *>()) {
        if (label->text() == name)
            title = label;
    }
    QVERIFY(title && title->toolTip() == path);
    QVERIFY(
        title->width() < title->fontMetrics().horizontalAdvance(name)); // and is elided, not cut
    QVERIFY(qobject_cast<const ElidedLabel *>(title));
}

} // namespace

const instar::TestClass<TestRooms, QApplication> registered;
#include "tst_rooms.moc"
