// SPDX-License-Identifier: Apache-2.0
#include "model/engine/rerun.h"
#include "model/engine/scenario.h"
#include "tests/support/testclass.h"
#include "tests/views/panelsupport.h"
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
    void aBlockIsAsWideAsItsLevel();
    void doubleClickFires();
    void hoverSaysWhy();
    void scrubbing();
    void scrubbingMakesNothingHappen();
    void wheelZoomsRows();
    void controlWheelZoomsTime();
    void dragPans();
    void dividerIsDragged();
    void foldsAndUnfolds();
    void onlyWhatMoved();
    void sorts();
    void lanesOfClients();
    void search();
    void whatIsAskedForComesIntoSight();
    void byKeys();
    void screenReaders();
    void wavesRunAndEnd();
    void noWavesWhereTheyAreUnwanted();
    void aRunAtOnceIsWhole();
    void paintedBeforeItIsTold();
    void otherRules();
    void branches();
    void deletedBranchComesBack();
    void staysWhereOneLooks();
    void longRuns();
    void notAllTimeIsSeenAtOnce();
    void whatIsExplainedStaysInSight();
    void veryLongRuns();
    void empty();

private:
    void open(const QString &pack = builtInPacks().first());
    TimelineView &view() { return *m_panel->view(); }
    QPoint blockOf(const QString &path);
    QPoint pointAt(const QString &path, qint64 time);
    QString selected() { return view().picture().timeline->path(view().picture().selected); }
    void settle() { m_simulator->updates().tell(); }

    Selection m_selection;
    std::unique_ptr<Simulator> m_simulator;
    std::unique_ptr<TimelinePanel> m_panel;
};

void TestTimelineView::open(const QString &pack)
{
    m_panel.reset();
    m_selection.choose(QString());
    m_selection.choose(QList<quint32>());
    m_simulator = sample(pack);
    m_panel = std::make_unique<TimelinePanel>(*m_simulator, m_selection);
    m_panel->resize(1000, 420);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
}

void TestTimelineView::init()
{
    open();
}

QPoint TestTimelineView::blockOf(const QString &path)
{
    const TimelinePicture &picture = view().picture();
    const Timeline::Row row = picture.timeline->find(path);
    const double x = picture.column(picture.timeline->depth(row), view().blocksArea().width());
    return QPointF(x + 12, view().rectOf(row).top() + 8).toPoint();
}

QPoint TestTimelineView::pointAt(const QString &path, qint64 time)
{
    const TimelinePicture &picture = view().picture();
    return QPointF(view().timeArea().left() + picture.scale.x(time) - view().corner().x(),
        view().rectOf(picture.timeline->find(path)).center().y())
        .toPoint();
}

void TestTimelineView::clickSelects()
{
    QSignalSpy paths(&m_selection, &Selection::resourceChosen);
    QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, blockOf(subnet));
    QCOMPARE(paths.size(), 1);
    QCOMPARE(paths[0][0].toString(), subnet);
    QCOMPARE(selected(), subnet);
    // An operation on its rectangle, also where it only moved something.
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 2000 });
    m_simulator->advance(1000);
    settle();
    QSignalSpy operations(&m_selection, &Selection::operationsChosen);
    QTest::mouseClick(
        view().viewport(), Qt::LeftButton, {}, pointAt(subnet + u"/ipPools/Pool-B"_s, 500));
    QCOMPARE(operations.size(), 1);
    QCOMPARE(operations[0][0].toUInt(), 1U);
    QCOMPARE(view().picture().selectedBar, 1U);
    // Beside it the row.
    QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, pointAt(sibling, 500));
    QCOMPARE(m_selection.operation(), 0U);
    QCOMPARE(selected(), sibling);
}

/// In an ancestor's column the ancestor is meant, on whatever line.
void TestTimelineView::aBlockIsAsWideAsItsLevel()
{
    QPoint point = blockOf(sibling);
    point.setX(blockOf(net).x());
    QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, point);
    QCOMPARE(selected(), net);
}

void TestTimelineView::doubleClickFires()
{
    QSignalSpy asked(&view(), &TimelineView::fireAsked);
    QTest::mouseDClick(view().viewport(), Qt::LeftButton, {}, blockOf(sibling));
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].toString(), sibling);
}

void TestTimelineView::hoverSaysWhy()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s, .duration = 2000 });
    m_simulator->advance(500);
    m_simulator->submit({ .op = u"PUT"_s, .path = sibling, .client = u"B"_s });
    settle();
    const Timeline &timeline = *view().picture().timeline;
    const QString moved = view().whyRow(timeline.find(net));
    QVERIFY2(moved.contains(u"Updating"_s), qPrintable(moved));
    QVERIFY2(moved.contains(u"moved with PUT Rack-1"_s), qPrintable(moved));
    const QString still = view().whyRow(timeline.find(sibling));
    QVERIFY2(!still.contains(u"PUT"_s), qPrintable(still));
    const QString refused = view().whyBar(timeline.bars()[1]);
    for (const QString &word :
        { u"409"_s, u"AnotherOperationInProgress"_s, u"in the way: PUT Rack-1"_s, u"R9"_s })
        QVERIFY2(refused.contains(word), qPrintable(refused));
    // The rule by which it was accepted, with its source.
    const QString taken = view().whyBar(timeline.bars()[0]);
    QVERIFY2(taken.contains(u"runs since"_s) && taken.contains(u'['), qPrintable(taken));
}

/// The cursor is dragged: the world is as it was then, and comes back.
void TestTimelineView::scrubbing()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 1000 });
    m_simulator->runUntilQuiet();
    m_simulator->submit({ .op = u"DELETE"_s, .path = subnet, .duration = 1000 });
    m_simulator->runUntilQuiet();
    settle();
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
    QVERIFY(std::abs(view().picture().now - 1500) < 10);
    const Timeline &timeline = *view().picture().timeline;
    QVERIFY(timeline.resourceOf(timeline.find(subnet)) != NoResource);
    QTest::mouseMove(view().viewport(), ruler(400));
    QCOMPARE(m_simulator->moment(), 1);
    QVERIFY(std::abs(m_simulator->world().now - 400) < 10);
    QTest::mouseMove(view().viewport(), ruler(5000)); // not beyond what is known
    QCOMPARE(m_simulator->moment(), 4);
    QCOMPARE(m_simulator->world().now, 2000);
    settle();
    QCOMPARE(timeline.resourceOf(timeline.find(subnet)), NoResource);
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, ruler(5000));
    QCOMPARE(timeline.bars().size(), size_t(2));
}

void TestTimelineView::scrubbingMakesNothingHappen()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 1000 });
    m_simulator->advance(600);
    settle();
    m_simulator->showTime(100);
    QCOMPARE(m_simulator->world().now, 100);
    m_simulator->showTime(99'999); // it would have ended by then
    QCOMPARE(m_simulator->world().now, 1000);
    QCOMPARE(m_simulator->moment(), 1);
    QCOMPARE(m_simulator->lastMoment(), 1);
    m_simulator->showTime(-5);
    QCOMPARE(m_simulator->world().now, 0);
}

namespace {

void turn(TimelineView &view, const QPointF &at, int notches, Qt::KeyboardModifiers keys = {})
{
    QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, { 0, 120 * notches }, Qt::NoButton,
        keys, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view.viewport(), &event);
}

} // namespace

/// What is under the pointer stays under it.
void TestTimelineView::wheelZoomsRows()
{
    const double before = view().picture().scale.rowHeight;
    const QPointF point(300, 200);
    const auto place = [&] {
        return (point.y() - view().blocksArea().top() + view().corner().y())
            / view().picture().scale.rowHeight;
    };
    const double row = place();
    turn(view(), point, 2);
    QVERIFY(view().picture().scale.rowHeight > before * 1.3);
    QVERIFY2(std::abs(place() - row) < 0.1, qPrintable(u"%1 %2"_s.arg(place()).arg(row)));
    turn(view(), point, -60);
    // Not thinner than all of them need.
    QVERIFY(view().picture().scale.y(view().picture().lineCount()) <= view().height());
    QTest::keyClick(&view(), Qt::Key_0);
    QCOMPARE(view().picture().scale.rowHeight, before);
}

void TestTimelineView::controlWheelZoomsTime()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 10'000 });
    m_simulator->runUntilQuiet();
    settle();
    const double rows = view().picture().scale.rowHeight;
    const QPoint point = pointAt(net, 4000);
    turn(view(), point, 4, Qt::ControlModifier);
    QCOMPARE(view().picture().scale.rowHeight, rows);
    QVERIFY(std::abs(pointAt(net, 4000).x() - point.x()) <= 2);
    QVERIFY(view().horizontalScrollBar()->maximum() > 0);
    turn(view(), point, -40, Qt::ControlModifier);
    QCOMPARE(view().horizontalScrollBar()->maximum(), 0); // whole again
    QVERIFY(pointAt(net, 10'000).x() < view().timeArea().right());
}

void TestTimelineView::dragPans()
{
    turn(view(), { 300, 200 }, 4);
    view().verticalScrollBar()->setValue(100);
    const QPoint from(700, 300);
    QTest::mousePress(view().viewport(), Qt::LeftButton, {}, from);
    QTest::mouseMove(view().viewport(), from - QPoint(0, 60));
    QCOMPARE(view().verticalScrollBar()->value(), 160);
    QSignalSpy paths(&m_selection, &Selection::resourceChosen);
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, from - QPoint(0, 60));
    QVERIFY(paths.isEmpty()); // it was no click
}

void TestTimelineView::dividerIsDragged()
{
    const double before = view().blocksArea().width();
    const QPoint on(int(before) + 13, 200);
    QTest::mousePress(view().viewport(), Qt::LeftButton, {}, on);
    QTest::mouseMove(view().viewport(), on + QPoint(80, 0));
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, on + QPoint(80, 0));
    QVERIFY(std::abs(view().blocksArea().width() - before - 80) < 2);
    QVERIFY(view().timeArea().left() > view().blocksArea().right());
}

void TestTimelineView::foldsAndUnfolds()
{
    const qsizetype all = view().picture().lines->count();
    QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, blockOf(net));
    QTest::keyClick(&view(), Qt::Key_BracketLeft);
    QCOMPARE(view().picture().lines->count(), all - 5);
    QVERIFY(view().picture().lines->isFolded(0));
    QTest::keyClick(&view(), Qt::Key_BracketRight);
    QCOMPARE(view().picture().lines->count(), all);
    view().foldFrom(0);
    QCOMPARE(view().picture().lines->count(), m_simulator->world().tree.branches().size());
    view().foldFrom(-1);
    QCOMPARE(view().picture().lines->count(), all);
}

void TestTimelineView::onlyWhatMoved()
{
    named<QToolButton>(*m_panel, u"Only resources that something has touched"_s)->click();
    QCOMPARE(view().picture().lines->count(), 0);
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    settle();
    QCOMPARE(view().picture().lines->count(), 4); // the subnet, what is below and what is above
    m_simulator->submit({ .op = u"PUT"_s, .path = u"/gateways/new"_s });
    settle();
    QCOMPARE(view().picture().lines->count(), 5);
    named<QToolButton>(*m_panel, u"Only resources that something has touched"_s)->click();
    QVERIFY(view().picture().lines->count() > 30);
}

void TestTimelineView::sorts()
{
    const auto tops = [this] {
        QStringList result;
        const TimelinePicture &picture = view().picture();
        for (qsizetype line = 0; line < picture.lines->count(); ++line) {
            const Timeline::Row row = picture.lines->rowAt(line);
            if (picture.timeline->parent(row) == Timeline::NoRow)
                result += picture.timeline->name(row);
        }
        return result;
    };
    const QStringList inTree = tops();
    QStringList byName = inTree;
    byName.sort(Qt::CaseInsensitive);
    QVERIFY(byName != inTree);
    auto *button = named<QToolButton>(*m_panel, u"How siblings follow each other"_s);
    const QList<QAction *> choices = button->menu()->actions();
    QCOMPARE(choices.size(), 3);
    QVERIFY(choices[0]->isChecked());
    choices[1]->trigger();
    QCOMPARE(tops(), byName);
    QVERIFY(choices[1]->isChecked() && !choices[0]->isChecked());
    choices[2]->trigger();
    QCOMPARE(tops(), inTree); // nothing was asked for
    m_simulator->submit({ .op = u"PUT"_s, .path = u"/gateways/new"_s });
    m_simulator->advance(100);
    settle();
    QCOMPARE(tops().constFirst(), u"new"_s);
    m_simulator->reset(); // another run is shown in the same order
    m_simulator->submit({ .op = u"PUT"_s, .path = u"/logicalNetworks/HNVPA"_s });
    settle();
    QCOMPARE(tops().constFirst(), u"HNVPA"_s);
    choices[0]->trigger();
    QCOMPARE(tops().constFirst(), inTree.constFirst());
}

void TestTimelineView::lanesOfClients()
{
    for (const QString &client : { u"A"_s, u"B"_s })
        m_simulator->submit({ .op = u"PUT"_s,
            .path = client == u"A" ? net : u"/logicalNetworks/HNVPA"_s,
            .client = client });
    m_simulator->advance(500);
    settle();
    auto *toggle = named<QToolButton>(*m_panel, u"A lane for each client, instead of resources"_s);
    toggle->click();
    QVERIFY(view().picture().lanes);
    QCOMPARE(view().picture().lineCount(), 2);
    QSignalSpy operations(&m_selection, &Selection::operationsChosen);
    const double row = view().picture().scale.rowHeight;
    const QPoint second(int(view().timeArea().left() + view().picture().scale.x(200)),
        int(view().timeArea().top() + row * 1.5));
    QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, second);
    QCOMPARE(operations.size(), 1);
    QCOMPARE(operations[0][0].toUInt(), 2U);
    // A refusal moves nothing, and has its lane.
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .client = u"C"_s, .ifMatch = u"no"_s });
    settle();
    QCOMPARE(view().picture().timeline->bars().back().status, Status::Rejected);
    QCOMPARE(view().picture().lineCount(), 3);
    QVERIFY(!view().grab().isNull());
    toggle->click();
    QVERIFY(!view().picture().lanes);
}

void TestTimelineView::search()
{
    auto *line = m_panel->findChild<QLineEdit *>();
    view().foldFrom(0);
    line->setFocus();
    QTest::keyClicks(line, u"pool-b"_s);
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(selected(), subnet + u"/ipPools/Pool-B"_s);
    // It is out of what was folded, on a line of its own; what it does not lie in stays folded.
    const TimelinePicture &picture = view().picture();
    const auto shown = [&](const QString &path) {
        return picture.lines->rowAt(
            picture.lines->lineOf(picture.timeline->placeOf(picture.timeline->find(path))));
    };
    QCOMPARE(shown(selected()), picture.selected);
    QVERIFY(!view().isFolded(picture.timeline->find(net)));
    QVERIFY(view().isFolded(picture.timeline->find(u"/logicalNetworks/HNVPA"_s)));
    const QRectF found = view().rectOf(view().picture().selected);
    QVERIFY(found.top() >= view().blocksArea().top() && found.bottom() <= view().height());
    line->setText(u"nobody is called so"_s);
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(selected(), subnet + u"/ipPools/Pool-B"_s);
}

/// Also far below; but not under a hand that holds the picture, and nothing that time brings.
void TestTimelineView::whatIsAskedForComesIntoSight()
{
    turn(view(), { 300, 200 }, 6);
    const Timeline &timeline = *view().picture().timeline;
    const Timeline::Row last = timeline.rowAt(timeline.rowCount() - 1);
    const QString path = timeline.path(last);
    const auto isSeen = [&] { return view().rectOf(last).bottom() <= view().viewport()->height(); };
    view().verticalScrollBar()->setValue(0);
    QVERIFY(!isSeen());
    m_simulator->submit({ .op = u"PUT"_s, .path = path, .duration = 100 });
    settle();
    QVERIFY(isSeen());
    // With what is below it, which moves with it.
    qsizetype place = timeline.rowCount() - 1;
    while (timeline.endOf(timeline.rowAt(place)) == place + 1)
        --place;
    const Timeline::Row above = timeline.rowAt(place);
    view().verticalScrollBar()->setValue(
        int(view().rectOf(above).bottom() + view().corner().y() - view().viewport()->height()));
    const Timeline::Row below = timeline.rowAt(timeline.endOf(above) - 1);
    QVERIFY(below != above && view().rectOf(below).bottom() > view().viewport()->height());
    m_simulator->submit({ .op = u"PUT"_s, .path = timeline.path(above), .duration = 100 });
    settle();
    QVERIFY(view().rectOf(below).bottom() <= view().viewport()->height() + 1);
    view().verticalScrollBar()->setValue(0);
    m_simulator->runUntilQuiet();
    settle();
    QCOMPARE(view().verticalScrollBar()->value(), 0);
    const QPoint held(700, 300);
    QTest::mousePress(view().viewport(), Qt::LeftButton, {}, held);
    m_simulator->submit({ .op = u"PUT"_s, .path = path, .duration = 100 });
    settle();
    QCOMPARE(view().verticalScrollBar()->value(), 0);
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, held);
    m_simulator->runUntilQuiet();
    // Lanes are somebody's, not a resource's.
    for (int i = 0; i < 60; ++i)
        m_simulator->submit(
            { .op = u"PUT"_s, .path = path, .client = u"client %1"_s.arg(i), .duration = 100 });
    settle();
    view().setLines(TimelineView::Lines::Clients);
    view().verticalScrollBar()->setValue(0);
    QVERIFY(view().verticalScrollBar()->maximum() > 400);
    m_simulator->submit({ .op = u"PUT"_s, .path = path, .duration = 100 });
    settle();
    QCOMPARE(view().verticalScrollBar()->value(), 0);
}

void TestTimelineView::byKeys()
{
    view().setFocus();
    QTest::keyClick(&view(), Qt::Key_Down);
    QCOMPARE(selected(), net);
    QTest::keyClick(&view(), Qt::Key_Down);
    QCOMPARE(selected(), subnet);
    QTest::keyClick(&view(), Qt::Key_End);
    QCOMPARE(view().picture().timeline->placeOf(view().picture().selected),
        view().picture().timeline->rowCount() - 1);
    QVERIFY(view().rectOf(view().picture().selected).bottom() <= view().height() + 1);
    QTest::keyClick(&view(), Qt::Key_Home);
    QCOMPARE(selected(), net);
    QSignalSpy asked(&view(), &TimelineView::fireAsked);
    QTest::keyClick(&view(), Qt::Key_Return);
    QCOMPARE(asked.value(0).value(0).toString(), net);
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    m_simulator->submit({ .op = u"PUT"_s, .path = sibling });
    settle();
    QSignalSpy operations(&m_selection, &Selection::operationsChosen);
    QTest::keyClick(&view(), Qt::Key_Right);
    QTest::keyClick(&view(), Qt::Key_Right);
    QTest::keyClick(&view(), Qt::Key_Right); // there is no third one
    QTest::keyClick(&view(), Qt::Key_Left);
    QStringList walked;
    for (const auto &row : operations)
        walked += row[0].toString();
    QCOMPARE(walked.join(u' '), u"1 2 2 1"_s);
    QCOMPARE(view().focused(), (CanvasPart { CanvasPart::Kind::Bar, 1 }));
}

void TestTimelineView::screenReaders()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s, .duration = 2000 });
    m_simulator->advance(1000);
    settle();
    QAccessibleInterface *timeline = QAccessible::queryAccessibleInterface(&view());
    QVERIFY(timeline);
    QCOMPARE(timeline->text(QAccessible::Name), u"Timeline"_s);
    QMap<QString, QAccessibleInterface *> children;
    for (int i = 0; i < timeline->childCount(); ++i) {
        QAccessibleInterface *child = timeline->child(i);
        QVERIFY(child && child->isValid());
        QCOMPARE(timeline->indexOfChild(child), i);
        children.insert(child->text(QAccessible::Name), child);
    }
    QAccessibleInterface *rack = children.value(u"Rack-1, Updating"_s);
    QVERIFY2(rack, qPrintable(children.keys().join(u"; "_s)));
    QVERIFY(children.contains(u"Rack-2, Succeeded"_s));
    QVERIFY(rack->text(QAccessible::Description).contains(u"PUT Rack-1 works on it"_s));
    const QRect there = rack->rect();
    const double line = view().rectOf(view().picture().timeline->find(subnet)).center().y();
    QVERIFY(std::abs(view().viewport()->mapFromGlobal(there.center()).y() - line) <= 1);
    QCOMPARE(timeline->childAt(there.left() + 5, there.center().y()), rack);
    QAccessibleInterface *put = children.value(u"PUT Rack-1, InProgress"_s);
    QVERIFY(put);
    QCOMPARE(timeline->childAt(put->rect().center().x(), put->rect().center().y()), put);
    QVERIFY(!put->state().selected);
    QSignalSpy operations(&m_selection, &Selection::operationsChosen);
    put->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(operations.size(), 1);
    QVERIFY(put->state().selected);
}

void TestTimelineView::wavesRunAndEnd()
{
    QVERIFY(!view().isWaving());
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    settle();
    QVERIFY(view().isWaving());
    QTest::qWait(50);
    QVERIFY(!view().picture().waves.isEmpty());
    QVERIFY(!view().picture().waves[0].isBack);
    QTRY_VERIFY(!view().isWaving());
    m_simulator->submit({ .op = u"DELETE"_s, .path = net }); // cancels it
    settle();
    QTest::qWait(50);
    QCOMPARE(view().picture().waves.size(), 2);
    QVERIFY(view().picture().waves[0].isBack != view().picture().waves[1].isBack);
    // Stepping back and forth moves nothing.
    QTRY_VERIFY(!view().isWaving());
    m_simulator->jump(0);
    m_simulator->jump(2);
    settle();
    QVERIFY(!view().isWaving());
}

void TestTimelineView::noWavesWhereTheyAreUnwanted()
{
    view().setMotion(Motion::Reduced);
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    settle();
    QVERIFY(!view().isWaving());
}

void TestTimelineView::aRunAtOnceIsWhole()
{
    for (int i = 0; i < 200; ++i) {
        m_simulator->submit({ .op = u"PUT"_s, .path = u"/gateways/g%1"_s.arg(i % 20) });
        m_simulator->runUntilQuiet();
    }
    settle();
    QCOMPARE(view().picture().timeline->bars().size(), size_t(200));
    QCOMPARE(view().picture().timeline->moments(), m_simulator->lastMoment());
    m_simulator->jump(7);
    QCOMPARE(
        view().picture().timeline->bars().size(), size_t(200)); // what was stepped back over, too
    QCOMPARE(view().picture().now, m_simulator->world().now);
}

/// What happens is told once a frame; what is painted in between is of before, and of nobody who
/// has gone.
void TestTimelineView::paintedBeforeItIsTold()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    m_simulator->runUntilQuiet();
    settle();
    m_simulator->submit({ .op = u"DELETE"_s, .path = net });
    m_simulator->runUntilQuiet();
    QCOMPARE(m_simulator->world().tree.find(net), NoResource);
    const Timeline &timeline = *view().picture().timeline;
    QVERIFY(timeline.resourceOf(timeline.find(net)) != NoResource); // it is not told yet
    QVERIFY(!view().grab().isNull());
    QVERIFY(view().whyRow(timeline.find(net)).contains(net));
    settle();
    QCOMPARE(timeline.resourceOf(timeline.find(net)), NoResource);
}

void TestTimelineView::otherRules()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 1000 });
    m_simulator->advance(500);
    view().fold(view().picture().timeline->find(net), true);
    Replay(*m_simulator).play(m_simulator->rules());
    settle();
    QCOMPARE(view().picture().timeline->bars().size(), size_t(1)); // goes on
    QVERIFY(view().isFolded(view().picture().timeline->find(net)));
    QVERIFY(!view().grab().isNull());
    m_simulator->reset();
    settle();
    QCOMPARE(view().picture().timeline->bars().size(), size_t(0));
}

void TestTimelineView::branches()
{
    auto *box = named<QComboBox>(*m_panel, u"Branch"_s);
    QVERIFY(box->isHidden());
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    m_simulator->runUntilQuiet();
    m_simulator->jump(0);
    m_simulator->submit({ .op = u"DELETE"_s, .path = sibling });
    settle();
    QVERIFY(!box->isHidden());
    QCOMPARE(box->count(), 2);
    QCOMPARE(box->currentIndex(), 1);
    QVERIFY2(box->currentText().contains(u"DELETE Rack-2"_s), qPrintable(box->currentText()));
    QCOMPARE(view().picture().timeline->bars().size(), size_t(1));
    QCOMPARE(view().picture().timeline->bars()[0].request->op, u"DELETE"_s);
    box->setCurrentIndex(0);
    QTRY_VERIFY(!view().isWaving());
    emit box->activated(0);
    settle();
    QVERIFY(!view().isWaving()); // another branch is shown: nothing begins now
    QCOMPARE(view().picture().timeline->bars()[0].request->op, u"PUT"_s);
    QCOMPARE(view().picture().timeline->bars()[0].status, Status::Succeeded); // known, though later
}

void TestTimelineView::deletedBranchComesBack()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    m_simulator->jump(0);
    m_simulator->submit({ .op = u"DELETE"_s, .path = sibling });
    settle();
    auto *menu = named<QToolButton>(*m_panel, u"What can be done with the branch"_s)->menu();
    entry(*menu, u"Delete"_s)->trigger();
    QCOMPARE(m_simulator->branches().size(), 1);
    QCOMPARE(view().picture().timeline->bars()[0].request->op, u"PUT"_s);
    button<QPushButton>(*m_panel, u"Undo"_s)->click();
    QCOMPARE(m_simulator->branches().size(), 2);
    settle();
    QCOMPARE(view().picture().timeline->bars()[0].request->op, u"DELETE"_s);
}

/// Time that passes takes nobody away from what is looked at; where the present is in sight it
/// stays there.
void TestTimelineView::staysWhereOneLooks()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    m_simulator->runUntilQuiet();
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .hang = true });
    m_simulator->advance(20'000);
    m_simulator->play();
    settle();
    const double left = view().timeArea().left();
    view().zoomTime(20, left + 30);
    QScrollBar &bar = *view().horizontalScrollBar();
    const auto isNowSeen = [&] {
        const double x = view().picture().scale.x(view().picture().now) - bar.value();
        return x >= 0 && x <= view().timeArea().width();
    };
    QVERIFY(bar.maximum() > 0 && !isNowSeen());
    const int looked = bar.value();
    for (int i = 0; i < 3; ++i) {
        m_simulator->advance(5000);
        settle();
        QCOMPARE(bar.value(), looked);
    }
    bar.setValue(bar.maximum());
    settle();
    QVERIFY(isNowSeen());
    for (int i = 0; i < 3; ++i) {
        m_simulator->advance(5000);
        settle();
        QVERIFY(isNowSeen());
    }
    QVERIFY(bar.value() > looked);
    m_simulator->pause();
}

/// A run that keeps only its newest part is followed all the same.
void TestTimelineView::longRuns()
{
    m_simulator->keepRecent(50, 50);
    for (int i = 0; i < 500; ++i) {
        m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
        m_simulator->runUntilQuiet();
        if (i % 7 == 0)
            settle();
    }
    settle();
    QVERIFY(!view().picture().timeline->bars().empty());
    QCOMPARE(view().picture().now, m_simulator->world().now);
    QVERIFY(!view().grab().isNull());
}

/// Where there is more time than is seen at once, the newest is in sight until somebody zooms.
void TestTimelineView::notAllTimeIsSeenAtOnce()
{
    view().setMostSeen(10'000);
    settle();
    QCOMPARE(view().horizontalScrollBar()->maximum(), 0); // as long as there is not more
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 1000 });
    m_simulator->advance(100'000);
    m_simulator->submit({ .op = u"PUT"_s, .path = sibling, .duration = 1000 });
    m_simulator->runUntilQuiet();
    settle();
    view().fit();
    const auto width = [&] {
        const Timeline::Bar &last = view().picture().timeline->bars().back();
        return view().picture().targetRect(last).width();
    };
    const auto isInSight = [&](qint64 time) {
        const double x = view().picture().scale.x(time) - view().horizontalScrollBar()->value();
        return x >= 0 && x <= view().timeArea().width();
    };
    QVERIFY2(width() > view().timeArea().width() / 12, qPrintable(QString::number(width())));
    QVERIFY(isInSight(m_simulator->world().now) && !isInSight(0));
    QVERIFY(view().horizontalScrollBar()->maximum() > 0);
    // All of it is one zoom away, and stays until the usual sizes are asked for.
    for (int i = 0; i < 40; ++i)
        view().zoomTime(0.5, view().timeArea().center().x());
    QVERIFY(isInSight(0) && isInSight(m_simulator->world().now));
    m_simulator->advance(10);
    settle();
    QVERIFY(isInSight(0));
    view().fit();
    QVERIFY(!isInSight(0));
    view().setMostSeen(0);
    QVERIFY(isInSight(0) && isInSight(m_simulator->world().now));
}

/// Time goes on while somebody reads why; afterwards it is followed again.
void TestTimelineView::whatIsExplainedStaysInSight()
{
    view().setMostSeen(10'000);
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .duration = 1000 });
    m_simulator->advance(60'000);
    m_simulator->submit({ .op = u"PUT"_s, .path = sibling, .duration = 1000 });
    settle();
    view().fit();
    const qint64 met = m_simulator->world().now;
    const auto isInSight = [&](qint64 time) {
        const double x = view().picture().scale.x(time) - view().horizontalScrollBar()->value();
        return x >= 0 && x <= view().timeArea().width();
    };
    QVERIFY(isInSight(met));
    m_simulator->setSpeed(100);
    m_simulator->play();
    view().setLookedAt({ subnet });
    QTRY_VERIFY(m_simulator->world().now > met + 40'000);
    settle();
    QVERIFY(isInSight(met) && !isInSight(m_simulator->world().now));
    view().setLookedAt({}); // as one goes on to the next
    view().setLookedAt({ sibling });
    settle();
    QVERIFY(isInSight(met));
    view().setLookedAt({});
    QTRY_VERIFY(isInSight(m_simulator->world().now) && !isInSight(met));
    const qint64 then = m_simulator->world().now;
    QTRY_VERIFY(m_simulator->world().now > then + 40'000);
    settle();
    QVERIFY(isInSight(m_simulator->world().now));
    // Who has gone elsewhere meanwhile is not brought back.
    view().setLookedAt({ subnet });
    const qint64 last = m_simulator->world().now;
    QTRY_VERIFY(m_simulator->world().now > last + 40'000);
    settle();
    view().horizontalScrollBar()->setValue(0);
    view().setLookedAt({});
    QTRY_VERIFY(m_simulator->world().now > last + 80'000);
    settle();
    QCOMPARE(view().horizontalScrollBar()->value(), 0);
    m_simulator->pause();
}

/// What is kept is always on it; of what is forgotten it remembers no more than it may. Where one
/// looks, one goes on looking, and what is folded stays so.
void TestTimelineView::veryLongRuns()
{
    m_simulator->keepRecent(50, 50);
    view().setMostForgotten(400);
    m_simulator->submit({ .op = u"DELETE"_s, .path = subnet + u"/ipPools/Pool-B"_s });
    m_simulator->runUntilQuiet();
    settle();
    QCOMPARE(
        view().picture().resourceAt(view().picture().timeline->find(subnet + u"/ipPools/Pool-B"_s)),
        NoResource); // it has a row that another timeline will not have
    const Timeline::Row before = view().picture().timeline->find(sibling);
    view().setLookedAt({ sibling });
    view().fold(before, true);
    view().zoomTime(20, view().timeArea().left() + 30);
    view().zoomRows(4, 100);
    QScrollBar &bar = *view().horizontalScrollBar(), &down = *view().verticalScrollBar();
    settle();
    down.setValue(down.maximum() / 2);
    const auto rowSeen = [&] {
        const TimelinePicture &picture = view().picture();
        return picture.timeline->path(picture.rowAt(down.value()));
    };
    const auto timeSeen = [&] {
        return double(view().picture().timeline->begin())
            + (bar.value() - view().picture().scale.x(view().picture().timeline->begin()))
            / view().picture().scale.pixelsPerMs;
    };
    const QString interfaces[] { u"/networkInterfaces/Web-1"_s, u"/networkInterfaces/Web-2"_s };
    int swaps = 0;
    qsizetype most = 0, least = 1000;
    for (int i = 0; i < 900; ++i) {
        m_simulator->submit({ .op = u"PUT"_s, .path = interfaces[i % 2] }); // they are in sight
        m_simulator->runUntilQuiet();
        if (i % 5)
            continue;
        const qint64 began = view().picture().timeline->begin();
        if (i == 300)
            bar.setValue(bar.maximum() / 2);
        const double seen = timeSeen();
        const QString row = rowSeen();
        settle();
        const Timeline &timeline = *view().picture().timeline;
        most = std::max(most, timeline.moments());
        if (m_simulator->forgotten() > 500)
            least = std::min(least, timeline.moments());
        for (const Record &record : m_simulator->records()) {
            for (const Change &change : record.changes)
                QVERIFY(timeline.bar(change.operation));
        }
        QVERIFY(view().isFolded(timeline.find(sibling)));
        QCOMPARE(view().picture().lookedAt, QSet<Timeline::Row> { timeline.find(sibling) });
        QCOMPARE(view().picture().resourceAt(timeline.find(subnet)),
            m_simulator->world().tree.find(subnet));
        if (timeline.begin() != began) {
            ++swaps;
            QVERIFY(timeline.begin() > began);
            QCOMPARE(rowSeen(), row);
            QVERIFY(down.value() > 0);
            if (i > 300 && bar.value() > 0)
                QVERIFY(std::abs(timeSeen() - seen) * view().picture().scale.pixelsPerMs < 2);
        }
    }
    QVERIFY(swaps >= 3);
    QVERIFY(view().picture().timeline->find(sibling) != before);
    QVERIFY2(most <= 400 + 150 && least >= 150, qPrintable(u"%1 %2"_s.arg(most).arg(least)));
    QVERIFY(!view().grab().isNull());
}

void TestTimelineView::empty()
{
    const Rules rules = m_simulator->rules();
    m_simulator->reset(rules, makeWorld(rules, {}).world);
    settle();
    QCOMPARE(view().picture().timeline->rowCount(), 0);
    QVERIFY(!view().grab().isNull());
    QTest::keyClick(&view(), Qt::Key_Down);
    QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, QPoint(30, 60));
    QTimer::singleShot(50, qApp, [] {
        if (QWidget *menu = QApplication::activePopupWidget())
            menu->close();
    });
    QContextMenuEvent menu(QContextMenuEvent::Keyboard, QPoint(5, 5), QPoint(5, 5));
    QApplication::sendEvent(view().viewport(), &menu);
    QVERIFY(view().image().width() <= 16'000);
    m_simulator->submit({ .op = u"PUT"_s, .path = u"/gateways/g"_s });
    settle();
    QCOMPARE(view().picture().lines->count(), 1);
}

namespace {
const TestClass<TestTimelineView, QApplication> registered;
}

#include "tst_timelineview.moc"
