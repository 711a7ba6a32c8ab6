// SPDX-License-Identifier: Apache-2.0
#include "model/engine/scenario.h"
#include "model/explore/rerun.h"
#include "model/items/sentences.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "tests/views/panelsupport.h"
#include "views/drawing/chip.h"
#include "views/drawing/sheet.h"
#include "views/timeline/timelinepanel.h"

#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>

using namespace instar;
using namespace instar::panels;
using namespace Qt::StringLiterals;

// The timeline by mouse and keys: selecting, firing, scrubbing, folding, zooming, branches.

class TestTimelineView : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void clickSelects();
    void doubleClickFires();
    void hoverSaysWhy();
    void scrubbing();
    void beginningIsClean();
    void wheelScrollsRows();
    void controlWheelZoomsTime();
    void dragPans();
    void dividerIsDragged();
    void foldsAndUnfolds();
    void restsUntilTouched();
    void selectedIsShown();
    void shortWorkIsWide();
    void filters();
    void filtersFollowStates();
    void selectionStaysWithThePath();
    void rowMenu();
    void pointing();
    void barMenu();
    void anotherTree();
    void namesAndChipsHaveRoom_data() { addRowsOf("pack", builtInPacks()); }
    void namesAndChipsHaveRoom();
    void whatIsAskedForComesIntoSight();
    void byKeys();
    void screenReaders();
    void wavesRunAndEnd();
    void aRunAtOnceIsWhole();
    void paintedBeforeItIsTold();
    void otherRules();
    void branches();
    void deletedBranchComesBack();
    void staysWhereOneLooks();
    void notAllTimeIsSeenAtOnce();
    void idleTimeIsFolded();
    void whatIsExplainedStaysInSight();
    void veryLongRuns();
    void empty();

private:
    void open(const QString &pack = builtInPacks().first());
    TimelineView &view() { return *m_panel->view(); }
    QPoint rowOf(const QString &path);
    QLineEdit *filter() { return m_panel->findChild<QLineEdit *>(); }
    QStringList names()
    {
        QStringList result;
        for (qsizetype line = 0; line < picture().lines->count(); ++line)
            result += timeline().name(picture().lines->rowAt(line));
        return result;
    }
    /// An entry of the menu with what the table shows.
    void chooseView(const QString &text)
    {
        QMenu menu;
        view().fillViewMenu(menu);
        const QList<QMenu *> menus = menu.findChildren<QMenu *>() + QList<QMenu *> { &menu };
        for (const QMenu *each : menus) {
            for (QAction *action : each->actions()) {
                if (action->text() == text)
                    return action->trigger();
            }
        }
        qFatal("the menu has no %s", qPrintable(text));
    }
    QPoint pointAt(const QString &path, qint64 time);
    QString selected() { return view().picture().timeline->path(view().picture().selected); }
    void settle() { m_simulator->updates().flush(); }
    void ask(const Request &request)
    {
        m_simulator->submit(request);
        settle();
    }
    void pass(qint64 ms)
    {
        m_simulator->advance(ms);
        settle();
    }
    void runOut()
    {
        m_simulator->runUntilQuiet();
        settle();
    }
    void click(const QPoint &at) { QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, at); }
    void press(Qt::Key key) { QTest::keyClick(&view(), key); }
    void turn(const QPointF &at, int notches, Qt::KeyboardModifiers keys = {});
    QScrollBar &across() { return *view().horizontalScrollBar(); }
    QScrollBar &down() { return *view().verticalScrollBar(); }
    const TimelinePicture &picture() { return view().picture(); }
    const Timeline &timeline() { return *picture().timeline; }
    bool isInSight(qint64 time)
    {
        const double x = picture().scale.x(time) - across().value();
        return x >= 0 && x <= view().timeArea().width();
    }
    bool isNowInSight() { return isInSight(m_simulator->world().now); }

    Selection m_selection;
    std::unique_ptr<Simulator> m_simulator;
    std::unique_ptr<QWidget> m_counts; // a window's status bar owns it
    std::unique_ptr<TimelinePanel> m_panel;
};

void TestTimelineView::open(const QString &pack)
{
    m_panel.reset();
    m_selection.choose(QString());
    m_selection.choose(QList<quint32>());
    m_simulator = sample(pack);
    m_panel = std::make_unique<TimelinePanel>(*m_simulator, m_selection);
    m_counts.reset(m_panel->counts());
    m_panel->resize(1000, 420);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    view().setShows(TimelineView::Shows::Everything);
}

void TestTimelineView::init()
{
    open();
}

QPoint TestTimelineView::rowOf(const QString &path)
{
    const double x = picture().columns(view().treeArea().width()).states;
    return QPointF(x + 4, view().rectOf(timeline().find(path)).top() + 8).toPoint();
}

QPoint TestTimelineView::pointAt(const QString &path, qint64 time)
{
    return QPointF(view().timeArea().left() + picture().scale.x(time) - view().corner().x(),
        view().rectOf(timeline().find(path)).center().y())
        .toPoint();
}

void TestTimelineView::clickSelects()
{
    QSignalSpy paths(&m_selection, &Selection::resourceChosen);
    click(rowOf(subnet));
    QCOMPARE(paths.size(), 1);
    QCOMPARE(paths[0][0].toString(), subnet);
    QCOMPARE(selected(), subnet);
    // An operation on its rectangle, also where it only moved something.
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 2000 });
    pass(1000);
    QSignalSpy operations(&m_selection, &Selection::operationsChosen);
    click(pointAt(subnet + u"/ipPools/Pool-B"_s, 500));
    QCOMPARE(operations.size(), 1);
    QCOMPARE(operations[0][0].toUInt(), 1U);
    QCOMPARE(picture().selectedBar, 1U);
    // Beside it the row.
    click(pointAt(sibling, 500));
    QCOMPARE(m_selection.operation(), 0U);
    QCOMPARE(selected(), sibling);
}

void TestTimelineView::doubleClickFires()
{
    QSignalSpy asked(&view(), &TimelineView::fireAsked);
    QTest::mouseDClick(view().viewport(), Qt::LeftButton, {}, rowOf(sibling));
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].toString(), sibling);
}

void TestTimelineView::hoverSaysWhy()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s, .duration = 2000 });
    m_simulator->advance(500);
    ask({ .op = u"PUT"_s, .path = sibling, .client = u"B"_s });
    const QString moved = view().whyRow(timeline().find(net));
    QVERIFY(has(moved, { u"Updating"_s, u"moved by PUT Rack-1"_s }));
    const QString still = view().whyRow(timeline().find(sibling));
    QVERIFY2(!still.contains(u"PUT"_s), qPrintable(still));
    const QString refused = view().whyBar(timeline().bars()[1]);
    for (const QString &word :
        { u"409"_s, u"AnotherOperationInProgress"_s, u"conflicts with PUT Rack-1"_s, u"R9"_s })
        QVERIFY2(refused.contains(word), qPrintable(refused));
    // The rule by which it was accepted, with its source.
    const QString taken = view().whyBar(timeline().bars()[0]);
    QVERIFY2(taken.contains(u"running since"_s) && taken.contains(u'['), qPrintable(taken));
}

/// The cursor is dragged: the world is as it was then, and comes back.
void TestTimelineView::scrubbing()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 1000 });
    m_simulator->runUntilQuiet();
    m_simulator->submit({ .op = u"DELETE"_s, .path = subnet, .duration = 1000 });
    runOut();
    QCOMPARE(m_simulator->moment(), 4);
    const auto ruler = [&](qint64 time) {
        QPoint point = pointAt(net, time);
        point.setY(10);
        return point;
    };
    QTest::mousePress(view().viewport(), Qt::LeftButton, {}, ruler(1500));
    QCOMPARE(m_simulator->moment(), 3);
    QVERIFY(std::abs(m_simulator->world().now - 1500) < 10);
    settle();
    QVERIFY(std::abs(picture().now - 1500) < 10);
    QVERIFY(timeline().resourceOf(timeline().find(subnet)) != NoResource);
    QTest::mouseMove(view().viewport(), ruler(400));
    QCOMPARE(m_simulator->moment(), 1);
    QVERIFY(std::abs(m_simulator->world().now - 400) < 10);
    QTest::mouseMove(view().viewport(), ruler(5000)); // not beyond what is known
    QCOMPARE(m_simulator->moment(), 4);
    QCOMPARE(m_simulator->world().now, 2000);
    settle();
    QCOMPARE(timeline().resourceOf(timeline().find(subnet)), NoResource);
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, ruler(5000));
    QCOMPARE(timeline().bars().size(), size_t(2));
    m_simulator->play();
    click(ruler(400));
    QVERIFY(!m_simulator->isPlaying()); // or the cursor would not stay
}

void TestTimelineView::turn(const QPointF &at, int notches, Qt::KeyboardModifiers keys)
{
    QWheelEvent event(at, view().viewport()->mapToGlobal(at), {}, { 0, 120 * notches },
        Qt::NoButton, keys, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view().viewport(), &event);
}

/// After the way back, no bar of the run is there, and no row is left out, until it happens again.
void TestTimelineView::beginningIsClean()
{
    view().setShows(TimelineView::Shows::OnlyTouched);
    ask({ .op = u"PUT"_s, .path = subnet });
    runOut();
    QVERIFY(view().untouchedRows() > 0);
    m_simulator->jump(0);
    view().hideLater();
    QVERIFY(timeline().bars().empty());
    QCOMPARE(view().untouchedRows(), 0);
    const QPoint late(view().viewport()->width() - 5, 10); // in the ruler
    QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, late);
    QVERIFY(m_simulator->moment() > 0); // the cursor reaches what is hidden
    m_simulator->jump(0);
    view().hideLater();
    m_simulator->step();
    settle();
    QCOMPARE(timeline().bars().size(), size_t(1));
    runOut();
    m_simulator->jump(0);
    settle();
    QCOMPARE(timeline().bars().size(), size_t(1)); // the cursor leaves what is later in sight
}

void TestTimelineView::wheelScrollsRows()
{
    m_panel->resize(1000, 220);
    for (const QPointF &point : { QPointF(100, 100), QPointF(700, 100) }) {
        down().setValue(0);
        turn(point, -2);
        QVERIFY(down().value() > 0);
    }
}

/// What is under the pointer stays under it.
void TestTimelineView::controlWheelZoomsTime()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 10'000 });
    runOut();
    const QPoint point = pointAt(net, 4000);
    turn(point, 4, Qt::ControlModifier);
    QVERIFY(std::abs(pointAt(net, 4000).x() - point.x()) <= 2);
    QVERIFY(across().maximum() > 0);
    turn(point, -40, Qt::ControlModifier);
    QCOMPARE(across().maximum(), 0); // whole again
    QVERIFY(pointAt(net, 10'000).x() < view().timeArea().right());
}

void TestTimelineView::dragPans()
{
    m_panel->resize(1000, 220);
    down().setValue(100);
    const QPoint from(700, 150);
    QTest::mousePress(view().viewport(), Qt::LeftButton, {}, from);
    QTest::mouseMove(view().viewport(), from - QPoint(0, 60));
    QCOMPARE(down().value(), 160);
    QSignalSpy paths(&m_selection, &Selection::resourceChosen);
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, from - QPoint(0, 60));
    QVERIFY(paths.isEmpty()); // it was no click
}

void TestTimelineView::dividerIsDragged()
{
    const double before = view().treeArea().width();
    const QPoint on(int(before) + 13, 200);
    QTest::mousePress(view().viewport(), Qt::LeftButton, {}, on);
    QTest::mouseMove(view().viewport(), on + QPoint(80, 0));
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, on + QPoint(80, 0));
    QVERIFY(std::abs(view().treeArea().width() - before - 80) < 2);
    QVERIFY(view().timeArea().left() > view().treeArea().right());
}

void TestTimelineView::foldsAndUnfolds()
{
    const qsizetype all = picture().lines->count();
    click(rowOf(net));
    press(Qt::Key_BracketLeft);
    QCOMPARE(picture().lines->count(), all - 5);
    QVERIFY(picture().lines->isFolded(0));
    press(Qt::Key_BracketRight);
    QCOMPARE(picture().lines->count(), all);
    QRectF row = view().rectOf(timeline().find(net));
    const QPoint arrow(
        int(picture().columns(view().treeArea().width()).left(0)) + 6, int(row.center().y()));
    click(arrow);
    QCOMPARE(picture().lines->count(), all - 5);
    click(arrow);
    QCOMPARE(picture().lines->count(), all);
    m_selection.choose(subnet);
    press(Qt::Key_Left); // folds it
    QVERIFY(view().isFolded(timeline().find(subnet)));
    press(Qt::Key_Left); // to its parent
    QCOMPARE(selected(), net);
    press(Qt::Key_Left);
    QVERIFY(view().isFolded(timeline().find(net)));
    m_selection.choose(subnet + u"/ipPools/Pool-A"_s); // it is to be seen
    QCOMPARE(picture().lines->count(), all);
    view().foldAtLevel(0);
    QCOMPARE(picture().lines->count(), m_simulator->world().tree.branches().size());
    view().foldAtLevel(-1);
    QCOMPARE(picture().lines->count(), all);
}

/// Everything is there until something happens; then what was touched, and the rest on demand.
void TestTimelineView::restsUntilTouched()
{
    view().setShows(TimelineView::Shows::OnlyTouched);
    const qsizetype all = timeline().rowCount();
    QCOMPARE(picture().lines->count(), all);
    ask({ .op = u"PUT"_s, .path = subnet });
    QCOMPARE(names().join(u' '), u"Transit Rack-1 Pool-A Pool-B"_s);
    ask({ .op = u"PUT"_s, .path = u"/gateways/new"_s });
    QCOMPARE(picture().lines->count(), 5);
    auto *rest = button<QToolButton>(*m_panel, u"Show %1 at rest"_s.arg(all - 4));
    QTest::keyClick(rest, Qt::Key_Space);
    QCOMPARE(picture().lines->count(), all + 1);
    QCOMPARE(rest->text(), u"Hide those at rest"_s);
    rest->click();
    QCOMPARE(picture().lines->count(), 5);
    // A filter leaves the count and the way to the others.
    QTest::keyClicks(filter(), u"pool-b"_s);
    QTRY_VERIFY(names().contains(u"Pool-B"_s) && !names().contains(u"Pool-A"_s));
    QVERIFY(rest->isVisibleTo(m_panel.get()));
    QCOMPARE(rest->text(), u"Show %1 at rest"_s.arg(view().untouchedRows()));
    rest->click();
    QCOMPARE(filter()->text(), QString());
    QCOMPARE(picture().lines->count(), all + 1);
    // A small tree is always whole.
    open(u"aps"_s);
    view().setShows(TimelineView::Shows::OnlyTouched);
    QVERIFY(timeline().rowCount() <= 12);
    ask({ .op = m_simulator->rules().pack().operationNames().first(), .path = timeline().path(0) });
    QCOMPARE(timeline().bars().size(), size_t(1));
    QCOMPARE(picture().lines->count(), timeline().rowCount());
}

/// Before any work has ended, too.
void TestTimelineView::shortWorkIsWide()
{
    ask({ .op = u"PUT"_s, .path = subnet, .duration = 100 });
    const TimelineScale &scale = picture().scale;
    QVERIFY(scale.x(100) - scale.x(0) > view().timeArea().width() / 4);
}

void TestTimelineView::selectedIsShown()
{
    view().setShows(TimelineView::Shows::OnlyTouched);
    ask({ .op = u"PUT"_s, .path = subnet });
    QVERIFY(!names().contains(u"Rack-2"_s));
    m_selection.choose(sibling);
    QVERIFY(names().contains(u"Rack-2"_s));
    QVERIFY(view().rectOf(picture().selected).bottom() <= view().viewport()->height());
}

/// What fits is shown with what it lies in, also what was folded; afterwards all is as it was.
void TestTimelineView::filters()
{
    view().foldAtLevel(0);
    const QStringList before = names();
    m_selection.choose(net);
    m_panel->focusFilter();
    QTest::keyClicks(filter(), u"ippools pool-b"_s);
    QTRY_COMPARE(names().join(u' '), u"Transit Rack-1 Pool-B"_s);
    QCOMPARE(view().matches(), 1);
    QCOMPARE(m_selection.resource(), net);
    // Return goes to what was looked for, and stays at what is one.
    QTest::keyClick(filter(), Qt::Key_Return);
    QCOMPARE(selected(), subnet + u"/ipPools/Pool-B"_s);
    QTest::keyClick(filter(), Qt::Key_Return);
    QCOMPARE(selected(), subnet + u"/ipPools/Pool-B"_s);
    filter()->setText(u"nobody is called so"_s);
    QTRY_COMPARE(names(), QStringList());
    QVERIFY(!view().grab().isNull());
    QTest::keyClick(filter(), Qt::Key_Return);
    QCOMPARE(selected(), subnet + u"/ipPools/Pool-B"_s);
    m_selection.choose(net);
    filter()->clear();
    QTRY_COMPARE(names(), before);
}

void TestTimelineView::filtersFollowStates()
{
    filter()->setText(u"deleting"_s);
    QTRY_COMPARE(names(), QStringList());
    ask({ .op = u"DELETE"_s, .path = subnet, .duration = 500 });
    QCOMPARE(names().join(u' '), u"Transit Rack-1 Pool-A Pool-B"_s);
    QCOMPARE(view().matches(), 3);
    runOut();
    QCOMPARE(names(), QStringList());
    // What is gone is found by its name.
    filter()->setText(u"pool-b"_s);
    QTRY_COMPARE(names().join(u' '), u"Transit Rack-1 Pool-B"_s);
    QCOMPARE(view().matches(), 0);
}

void TestTimelineView::selectionStaysWithThePath()
{
    QSignalSpy paths(&m_selection, &Selection::resourceChosen);
    m_selection.choose(subnet);
    ask({ .op = u"DELETE"_s, .path = subnet });
    runOut();
    QCOMPARE(m_simulator->world().tree.find(subnet), NoResource);
    QCOMPARE(selected(), subnet);
    QCOMPARE(paths.size(), 1); // no neighbour was selected instead
}

void TestTimelineView::rowMenu()
{
    using View = TimelineView;
    m_selection.choose(subnet);
    QSignalSpy operations(&view(), &View::operationAsked), children(&view(), &View::childAsked),
        whys(&view(), &View::whyAsked);
    QMenu menu;
    view().fillMenu(menu);
    entry(menu, u"DELETE"_s)->trigger();
    QCOMPARE(operations.value(0), (QList<QVariant> { u"DELETE"_s, subnet }));
    entry(menu, u"New resource below…"_s)->trigger();
    QCOMPARE(children.value(0).value(0).toString(), subnet);
    entry(menu, u"Why is Rack-1 in this state?"_s)->trigger();
    QCOMPARE(whys.value(0).value(0).toString(), subnet);
    entry(menu, u"Copy path"_s)->trigger();
    QCOMPARE(copied(), subnet);
    QApplication::clipboard()->clear();
    QTest::keyClick(&view(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(copied(), subnet);
    entry(menu, u"Fold Rack-1"_s)->trigger();
    QVERIFY(view().isFolded(timeline().find(subnet)));
    m_selection.choose(QString());
    QMenu nothing;
    view().fillMenu(nothing);
    entry(nothing, u"New resource…"_s)->trigger();
    QCOMPARE(children.last().value(0).toString(), QString());
}

/// The cursor's shape tells what can be dragged; what lies under it is marked until it leaves.
void TestTimelineView::pointing()
{
    ask({ .op = u"PUT"_s, .path = subnet, .duration = 2000 });
    pass(1000);
    QWidget &viewport = *view().viewport();
    const QPoint divider(int(view().treeArea().width()) + 13, 200);
    const QPoint inRuler(int(view().timeArea().center().x()), 8);
    for (const QPoint &at : { divider, pointAt(net, 1000), inRuler }) {
        QTest::mouseMove(&viewport, at);
        QTRY_COMPARE(viewport.cursor().shape(), Qt::SplitHCursor);
        QTest::mouseMove(&viewport, rowOf(subnet));
        QTRY_COMPARE(viewport.cursor().shape(), Qt::ArrowCursor);
    }
    QCOMPARE(picture().hovered, timeline().find(subnet));
    QTest::mouseMove(&viewport, pointAt(subnet, 500));
    QTRY_COMPARE(picture().hoveredBar, 1u);
    QCOMPARE(picture().hovered, Timeline::NoRow);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&viewport, &leave);
    QCOMPARE(picture().hoveredBar, 0u);

    // Sideways by the wheel with Shift; a bar that is chosen comes into sight.
    view().zoomBy(20, view().timeArea().topLeft());
    const int before = down().value();
    turn(inRuler, -4, Qt::ShiftModifier);
    QVERIFY(across().value() > 0);
    QCOMPARE(down().value(), before);
    across().setValue(across().maximum());
    QVERIFY(!isInSight(0));
    press(Qt::Key_Right);
    QCOMPARE(picture().selectedBar, 1u);
    QVERIFY(isInSight(0));
}

/// On a bar it is explained; on a row that is not selected, it is selected first.
void TestTimelineView::barMenu()
{
    ask({ .op = u"PUT"_s, .path = subnet, .duration = 2000 });
    pass(1000);
    QSignalSpy whys(&view(), &TimelineView::whyOperationAsked);
    const auto openAt = [this](const QPoint &at) {
        QStringList texts;
        QTimer::singleShot(20, qApp, [&texts] {
            if (auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget())) {
                for (QAction *action : menu->actions())
                    texts += action->text();
                menu->actions().first()->trigger();
                menu->close();
            }
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, view().viewport()->mapToGlobal(at));
        QApplication::sendEvent(view().viewport(), &event);
        return texts;
    };
    QCOMPARE(openAt(pointAt(subnet, 500)).value(0), u"Explain PUT Rack-1"_s);
    QCOMPARE(whys.value(0).value(0).toUInt(), 1u);
    QCOMPARE(picture().selected, Timeline::NoRow);
    QVERIFY(openAt(rowOf(sibling)).contains(u"Copy path"_s));
    QCOMPARE(selected(), sibling);
}

/// Also where it has as many rows as the one before.
void TestTimelineView::anotherTree()
{
    const Rules rules = m_simulator->rules();
    const auto show = [&](const QStringList &gateways) {
        QList<ResourceSpec> all;
        for (const QString &name : gateways)
            all += ResourceSpec { u"/gateways/"_s + name, {}, {}, {} };
        m_simulator->reset(rules, makeWorld(rules, all).world);
        settle();
    };
    show({ u"a"_s, u"b"_s });
    m_selection.choose(u"/gateways/b"_s);
    QCOMPARE(selected(), u"/gateways/b"_s);
    show({ u"b"_s, u"c"_s });
    QCOMPARE(names(), (QStringList { u"b"_s, u"c"_s }));
    QCOMPARE(selected(), u"/gateways/b"_s);
}

void TestTimelineView::namesAndChipsHaveRoom()
{
    QFETCH(const QString, pack);
    open(pack);
    const double width = view().treeArea().width();
    QVERIFY2(width <= 420, qPrintable(QString::number(width)));
    const TimelinePicture::Columns columns = picture().columns(width);
    for (const auto &[title, count] :
        titleCounts(m_simulator->rules(), m_simulator->world()).asKeyValueRange()) {
        const QString word = title.section(u" ("_s, 0, 0);
        QVERIFY2(
            chipSize(word, QFont()).width() * 0.85 <= width - columns.states, qPrintable(word));
    }
    const auto counts = titleCounts(m_simulator->rules(), m_simulator->world());
    if (pack == u"network-controller") // without the singleton, as on the chart
        QCOMPARE(counts[u"Succeeded"_s], m_simulator->world().tree.size() - 1);
    QVERIFY(columns.states >= 100);
}

/// Also far below; but not under a hand that holds the picture, and nothing that time brings.
void TestTimelineView::whatIsAskedForComesIntoSight()
{
    m_panel->resize(1000, 220);
    const Timeline::Row last = timeline().rowAt(timeline().rowCount() - 1);
    const QString path = timeline().path(last);
    const auto isSeen = [&] { return view().rectOf(last).bottom() <= view().viewport()->height(); };
    down().setValue(0);
    QVERIFY(!isSeen());
    ask({ .op = u"PUT"_s, .path = path, .duration = 100 });
    QVERIFY(isSeen());
    // With what is below it, which moves with it.
    qsizetype place = timeline().rowCount() - 1;
    while (timeline().endOf(timeline().rowAt(place)) == place + 1)
        --place;
    const Timeline::Row above = timeline().rowAt(place);
    down().setValue(
        int(view().rectOf(above).bottom() + view().corner().y() - view().viewport()->height()));
    const Timeline::Row below = timeline().rowAt(timeline().endOf(above) - 1);
    QVERIFY(below != above && view().rectOf(below).bottom() > view().viewport()->height());
    ask({ .op = u"PUT"_s, .path = timeline().path(above), .duration = 100 });
    QVERIFY(view().rectOf(below).bottom() <= view().viewport()->height() + 1);
    down().setValue(0);
    runOut();
    QCOMPARE(down().value(), 0);
    const QPoint held(700, 100);
    QTest::mousePress(view().viewport(), Qt::LeftButton, {}, held);
    ask({ .op = u"PUT"_s, .path = path, .duration = 100 });
    QCOMPARE(down().value(), 0);
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, held);
}

void TestTimelineView::byKeys()
{
    view().setFocus();
    press(Qt::Key_Down);
    QCOMPARE(selected(), net);
    press(Qt::Key_Down);
    QCOMPARE(selected(), subnet);
    press(Qt::Key_End);
    QCOMPARE(timeline().placeOf(picture().selected), timeline().rowCount() - 1);
    QVERIFY(view().rectOf(picture().selected).bottom() <= view().height() + 1);
    press(Qt::Key_Home);
    QCOMPARE(selected(), net);
    QSignalSpy asked(&view(), &TimelineView::fireAsked);
    press(Qt::Key_Return);
    QCOMPARE(asked.value(0).value(0).toString(), net);
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    ask({ .op = u"PUT"_s, .path = sibling });
    QSignalSpy operations(&m_selection, &Selection::operationsChosen);
    press(Qt::Key_Right);
    press(Qt::Key_Right);
    press(Qt::Key_Right); // there is no third one
    press(Qt::Key_Left);
    QStringList walked;
    for (const auto &row : operations)
        walked += row[0].toString();
    QCOMPARE(walked.join(u' '), u"1 2 2 1"_s);
    QCOMPARE(view().focused(), (CanvasPart { CanvasPart::Kind::Bar, 1 }));
    press(Qt::Key_Left); // back to the tree
    QCOMPARE(selected(), subnet);
    QCOMPARE(view().focused()->kind, CanvasPart::Kind::Row);
}

void TestTimelineView::screenReaders()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s, .duration = 2000 });
    pass(1000);
    QAccessibleInterface *shown = QAccessible::queryAccessibleInterface(&view());
    QVERIFY(shown);
    QCOMPARE(shown->text(QAccessible::Name), u"Timeline"_s);
    QMap<QString, QAccessibleInterface *> children;
    for (int i = 0; i < shown->childCount(); ++i) {
        QAccessibleInterface *child = shown->child(i);
        QVERIFY(child && child->isValid());
        QCOMPARE(shown->indexOfChild(child), i);
        children.insert(child->text(QAccessible::Name), child);
    }
    QAccessibleInterface *rack = children.value(u"Rack-1, Updating"_s);
    QVERIFY2(rack, qPrintable(children.keys().join(u"; "_s)));
    QVERIFY(children.contains(u"Rack-2, Succeeded"_s));
    QVERIFY(rack->state().expandable && rack->state().expanded);
    view().setFolded(timeline().find(subnet), true);
    QVERIFY(rack->state().collapsed);
    view().setFolded(timeline().find(subnet), false);
    QVERIFY(rack->text(QAccessible::Description).contains(u"target of PUT Rack-1"_s));
    const QRect there = rack->rect();
    const double line = view().rectOf(timeline().find(subnet)).center().y();
    QVERIFY(std::abs(view().viewport()->mapFromGlobal(there.center()).y() - line) <= 1);
    QCOMPARE(shown->childAt(there.left() + 5, there.center().y()), rack);
    QAccessibleInterface *put = children.value(u"PUT Rack-1, InProgress"_s);
    QVERIFY(put);
    QCOMPARE(shown->childAt(put->rect().center().x(), put->rect().center().y()), put);
    QVERIFY(!put->state().selected);
    QSignalSpy operations(&m_selection, &Selection::operationsChosen);
    put->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(operations.size(), 1);
    QVERIFY(put->state().selected);
}

void TestTimelineView::wavesRunAndEnd()
{
    QVERIFY(!view().isWaving());
    ask({ .op = u"PUT"_s, .path = subnet });
    QVERIFY(view().isWaving());
    QTest::qWait(50);
    QVERIFY(!picture().waves.isEmpty());
    QVERIFY(!picture().waves[0].isBack);
    QTRY_VERIFY(!view().isWaving());
    m_simulator->submit({ .op = u"DELETE"_s, .path = net }); // cancels it
    settle();
    QTest::qWait(50);
    QCOMPARE(picture().waves.size(), 2);
    QVERIFY(picture().waves[0].isBack != picture().waves[1].isBack);
    // Stepping back and forth moves nothing, nor does anything where it is unwanted.
    QTRY_VERIFY(!view().isWaving());
    m_simulator->jump(0);
    m_simulator->jump(2);
    settle();
    QVERIFY(!view().isWaving());
    view().setMotion(Motion::Reduced);
    ask({ .op = u"PUT"_s, .path = net });
    QVERIFY(!view().isWaving());
}

void TestTimelineView::aRunAtOnceIsWhole()
{
    for (int i = 0; i < 200; ++i) {
        m_simulator->submit({ .op = u"PUT"_s, .path = u"/gateways/g%1"_s.arg(i % 20) });
        m_simulator->runUntilQuiet();
    }
    settle();
    QCOMPARE(timeline().bars().size(), size_t(200));
    QCOMPARE(timeline().moments(), m_simulator->lastMoment());
    m_simulator->jump(7);
    QCOMPARE(timeline().bars().size(), size_t(200)); // what was stepped back over, too
    QCOMPARE(picture().now, m_simulator->world().now);
}

/// What happens is told once a frame; what is painted in between is of before, and of nobody who
/// has gone.
void TestTimelineView::paintedBeforeItIsTold()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    runOut();
    m_simulator->submit({ .op = u"DELETE"_s, .path = net });
    m_simulator->runUntilQuiet();
    QCOMPARE(m_simulator->world().tree.find(net), NoResource);
    QVERIFY(timeline().resourceOf(timeline().find(net)) != NoResource); // it is not told yet
    QVERIFY(!view().grab().isNull());
    QVERIFY(view().whyRow(timeline().find(net)).contains(net));
    settle();
    QCOMPARE(timeline().resourceOf(timeline().find(net)), NoResource);
}

void TestTimelineView::otherRules()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 1000 });
    m_simulator->advance(500);
    view().setFolded(timeline().find(net), true);
    Replay(*m_simulator).play(m_simulator->rules());
    settle();
    QCOMPARE(timeline().bars().size(), size_t(1)); // goes on
    QVERIFY(view().isFolded(timeline().find(net)));
    QVERIFY(!view().grab().isNull());
    m_simulator->reset();
    settle();
    QCOMPARE(timeline().bars().size(), size_t(0));
}

void TestTimelineView::branches()
{
    auto *box = named<QComboBox>(*m_panel, u"Branch"_s);
    QVERIFY(box->isHidden());
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    m_simulator->runUntilQuiet();
    m_simulator->jump(0);
    ask({ .op = u"DELETE"_s, .path = sibling });
    QVERIFY(!box->isHidden());
    QCOMPARE(box->count(), 2);
    QCOMPARE(box->currentIndex(), 1);
    QVERIFY2(box->currentText().contains(u"DELETE Rack-2"_s), qPrintable(box->currentText()));
    QVERIFY(box->itemText(0).at(0) != u' ' && box->itemText(1).at(0) == u' '); // a tree
    QCOMPARE(timeline().bars().size(), size_t(1));
    QCOMPARE(timeline().bars()[0].request->op, u"DELETE"_s);
    box->setCurrentIndex(0);
    QTRY_VERIFY(!view().isWaving());
    emit box->activated(0);
    settle();
    QVERIFY(!view().isWaving()); // another branch is shown: nothing begins now
    QCOMPARE(timeline().bars()[0].request->op, u"PUT"_s);
    QCOMPARE(timeline().bars()[0].status, Status::Succeeded); // known, though later
}

void TestTimelineView::deletedBranchComesBack()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    m_simulator->jump(0);
    ask({ .op = u"DELETE"_s, .path = sibling });
    auto *menu = named<QToolButton>(*m_panel, u"Commands for the branch"_s)->menu();
    const QAction *remove = entry(*menu, u"Delete"_s);
    for (const quint32 branch : { 0u, 1u }) { // the first one stays
        m_simulator->switchTo(branch);
        emit menu->aboutToShow();
        QCOMPARE(remove->isEnabled(), branch == 1);
    }
    entry(*menu, u"Delete"_s)->trigger();
    QCOMPARE(m_simulator->branches().size(), 1);
    QCOMPARE(timeline().bars()[0].request->op, u"PUT"_s);
    button<QPushButton>(*m_panel, u"Undo"_s)->click();
    QCOMPARE(m_simulator->branches().size(), 2);
    settle();
    QCOMPARE(timeline().bars()[0].request->op, u"DELETE"_s);
}

/// Time that passes takes nobody away from what is looked at; where the present is in sight it
/// stays there.
void TestTimelineView::staysWhereOneLooks()
{
    view().setShortensIdle(false);
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    m_simulator->runUntilQuiet();
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .hang = true });
    m_simulator->advance(20'000);
    m_simulator->play();
    settle();
    const double left = view().timeArea().left();
    view().zoomBy(20, { left + 30, 0 });
    QVERIFY(across().maximum() > 0 && !isNowInSight());
    const int looked = across().value();
    for (int i = 0; i < 3; ++i) {
        pass(5000);
        QCOMPARE(across().value(), looked);
    }
    across().setValue(across().maximum());
    settle();
    QVERIFY(isNowInSight());
    for (int i = 0; i < 3; ++i) {
        pass(5000);
        QVERIFY(isNowInSight());
    }
    QVERIFY(across().value() > looked);
    // A moment that was asked for stays in sight until the user scrolls.
    const qint64 moment = m_simulator->world().now;
    view().showMoment(subnet, moment);
    QCOMPARE(selected(), subnet);
    for (int i = 0; i < 3; ++i) {
        pass(5000);
        QVERIFY(isInSight(moment) && !isNowInSight());
    }
    across().setValue(across().maximum());
    settle();
    pass(5000);
    QVERIFY(isNowInSight());
    m_simulator->pause();
}

/// Where there is more time than is seen at once, the newest is in sight until somebody zooms.
void TestTimelineView::notAllTimeIsSeenAtOnce()
{
    view().setShortensIdle(false);
    view().setMostSeen(10'000);
    settle();
    QCOMPARE(across().maximum(), 0); // as long as there is not more
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 1000 });
    m_simulator->advance(100'000);
    m_simulator->submit({ .op = u"PUT"_s, .path = sibling, .duration = 1000 });
    runOut();
    view().fit();
    const auto width = [&] {
        const Timeline::Bar &last = timeline().bars().back();
        return picture().targetRect(last).width();
    };
    QVERIFY2(width() > view().timeArea().width() / 12, qPrintable(QString::number(width())));
    QVERIFY(isNowInSight() && !isInSight(0));
    QVERIFY(across().maximum() > 0);
    // All of it is one zoom away, and stays until the usual sizes are asked for.
    for (int i = 0; i < 40; ++i)
        view().zoomBy(0.5, view().timeArea().center());
    QVERIFY(isInSight(0) && isNowInSight());
    pass(10);
    QVERIFY(isInSight(0));
    view().fit();
    QVERIFY(!isInSight(0));
    // By itself it shows so many that each can be read.
    view().setMostSeen(0);
    QVERIFY(isNowInSight() && !isInSight(0));
    QVERIFY2(width() > 30, qPrintable(QString::number(width())));
}

/// A long time in which nothing happens takes little room, and the scale is that of what happens.
void TestTimelineView::idleTimeIsFolded()
{
    const auto width = [&](const Timeline::Bar &bar) { return picture().targetRect(bar).width(); };
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 100 });
    pass(300'000);
    m_simulator->submit({ .op = u"PUT"_s, .path = sibling, .duration = 100 });
    runOut();
    QVERIFY(isInSight(0) && isNowInSight());
    QVERIFY(width(timeline().bars()[0]) > 60 && width(timeline().bars()[1]) > 60);
    QCOMPARE(picture().scale.idle.size(), size_t(1));
    QCOMPARE(picture().scale.idle[0].to, 300'000);
    const TimelineScale &scale = picture().scale;
    QCOMPARE(scale.cursorX(150'000), (scale.x(scale.idle[0].from) + scale.x(300'000)) / 2);
    QVERIFY(scale.cursorX(1'000) == scale.cursorX(299'000)); // in the mark
    const Drawing drawing { view().pictureSize(), [&](QPainter &by) { view().paintAll(by); } };
    const QByteArray svg = *drawn(drawing, SheetFormat::Svg);
    QCOMPARE(svg.count(">PUT"), 2); // both names, though the mark leaves the first little room
    chooseView(u"Shorten idle time"_s);
    QVERIFY(picture().scale.idle.empty());
}

/// Time goes on while somebody reads why; afterwards it is followed again.
void TestTimelineView::whatIsExplainedStaysInSight()
{
    view().setShortensIdle(false);
    view().setMostSeen(10'000);
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 1000 });
    m_simulator->advance(60'000);
    ask({ .op = u"PUT"_s, .path = sibling, .duration = 1000 });
    view().fit();
    const qint64 met = m_simulator->world().now;
    QVERIFY(isInSight(met));
    m_simulator->setSpeed(100);
    m_simulator->play();
    view().setHighlighted({ subnet });
    QTRY_VERIFY(m_simulator->world().now > met + 40'000);
    settle();
    QVERIFY(isInSight(met) && !isNowInSight());
    view().setHighlighted({}); // as one goes on to the next
    view().setHighlighted({ sibling });
    settle();
    QVERIFY(isInSight(met));
    view().setHighlighted({});
    QTRY_VERIFY(isNowInSight() && !isInSight(met));
    const qint64 then = m_simulator->world().now;
    QTRY_VERIFY(m_simulator->world().now > then + 40'000);
    settle();
    QVERIFY(isNowInSight());
    // Who has gone elsewhere meanwhile is not brought back.
    view().setHighlighted({ subnet });
    const qint64 last = m_simulator->world().now;
    QTRY_VERIFY(m_simulator->world().now > last + 40'000);
    settle();
    across().setValue(0);
    view().setHighlighted({});
    QTRY_VERIFY(m_simulator->world().now > last + 80'000);
    settle();
    QCOMPARE(across().value(), 0);
    m_simulator->pause();
}

/// Events that were forgotten before they were read are not on it; what is folded stays so.
void TestTimelineView::veryLongRuns()
{
    m_simulator->keepRecent(50, 50);
    view().setFolded(timeline().find(sibling), true);
    m_simulator->submit({ .op = u"DELETE"_s, .path = subnet });
    m_simulator->runUntilQuiet();
    for (int i = 0; i < 100; ++i) {
        m_simulator->submit({ .op = u"PUT"_s, .path = net });
        m_simulator->runUntilQuiet();
    }
    settle();
    QVERIFY(timeline().moments() < m_simulator->forgotten());
    QCOMPARE(timeline().find(subnet), Timeline::NoRow);
    QVERIFY(view().isFolded(timeline().find(sibling)));
    ask({ .op = u"PUT"_s, .path = sibling });
    QCOMPARE(timeline().bars().back().path, sibling);
    QVERIFY(!view().grab().isNull());
}

void TestTimelineView::empty()
{
    const Rules rules = m_simulator->rules();
    m_simulator->reset(rules, makeWorld(rules, {}).world);
    settle();
    QCOMPARE(timeline().rowCount(), 0);
    QVERIFY(!view().grab().isNull());
    press(Qt::Key_Down);
    click(QPoint(30, 60));
    QTimer::singleShot(50, qApp, [] {
        if (QWidget *menu = QApplication::activePopupWidget())
            menu->close();
    });
    QContextMenuEvent menu(QContextMenuEvent::Keyboard, QPoint(5, 5), QPoint(5, 5));
    QApplication::sendEvent(view().viewport(), &menu);
    QVERIFY(view().image().width() <= 16'000);
    ask({ .op = u"PUT"_s, .path = u"/gateways/g"_s });
    QCOMPARE(picture().lines->count(), 1);
}

namespace {
const TestClass<TestTimelineView, QApplication> registered;
}

#include "tst_timelineview.moc"
