// SPDX-License-Identifier: Apache-2.0
// Why? asked in the real window: the inspector's cards, what stands out in every view, and switches
// that are flipped in place.

#include "app/opening.h"
#include "tests/app/windowundertest.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "views/panels/queuepanel.h"
#include "views/timeline/timelinepanel.h"
#include "views/timeline/timelineview.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QRegularExpression>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

const QString sibling = net + u"/subnets/Rack-2"_s;

class TestExplaining : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void cards();
    void refusalInTheQueue();
    void twoClicksInTheQueue();
    void oddNamesAreLinks();
    void lastAnswer();
    void onTheTimeline();
    void onTheChart();
    void inTheRecords();
    void standsOutUntilSomethingElse();
    void whatIf();
    void followsTime();

private:
    QStringList highlighted()
    {
        QStringList names;
        const TimelinePicture &picture = m_window->timeline().view()->picture();
        for (const Timeline::Row row : picture.highlighted)
            names += picture.timeline->name(row);
        return names;
    }
    /// Chooses an entry that begins with a text, of the menu that `act` opens.
    bool choose(const std::function<void()> &act, const QString &text)
    {
        bool isChosen = false;
        QTimer::singleShot(0, this, [&] {
            auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
            if (!menu)
                return;
            for (QAction *action : menu->actions()) {
                if (action->text().startsWith(text) && !isChosen) {
                    isChosen = true;
                    action->trigger();
                }
            }
            menu->close();
        });
        act();
        return isChosen;
    }
    bool choose(QWidget *on, const QPoint &point, const QString &text)
    {
        QContextMenuEvent event(QContextMenuEvent::Mouse, point, on->mapToGlobal(point));
        return choose([&] { QApplication::sendEvent(on, &event); }, text);
    }
    /// A PUT on Rack-1 runs, and one on Rack-2 was refused.
    void refuse()
    {
        simulator().submit({ .op = u"PUT"_s, .path = subnet, .id = u"a"_s, .hang = true });
        simulator().submit({ .op = u"PUT"_s, .path = sibling, .id = u"b"_s });
        settle();
    }
};

void TestExplaining::cards()
{
    QVERIFY(!inspected().contains(u"Why is the resource"_s));
    refuse();
    m_window->select(subnet);
    QVERIFY(has(inspected(),
        { u"Why is the resource Updating?"_s,
            u"A PUT moves the resource, never the resources that refer to it."_s, u"+3"_s }));
    m_window->select(net);
    QVERIFY2(
        inspected().contains(u"A PUT or DELETE runs on a descendant."_s), qPrintable(inspected()));
    m_window->showOperation(2);
    QVERIFY(
        has(inspected(), { u"was refused"_s, u"Another operation is running in this tree."_s }));
}

/// A refusal is told once, with what is in the way, the rule, and what can be done.
void TestExplaining::lastAnswer()
{
    refuse();
    m_window->select(net); // whatever is selected
    QVERIFY(has(inspected(),
        { u"Last answer"_s, u"PUT on Rack-2 was refused"_s, u"409 AnotherOperationInProgress"_s,
            u"Conflicts with PUT on Rack-1."_s, u"R9"_s, u"Fire when it is free"_s, u"Cancel"_s }));
    m_window->showOperation(2);
    QCOMPARE(inspected().count(u"was refused"_s), 1);
    // Fired again as soon as that is over, and no more spoken of then.
    auto *inspector = m_window->findChild<Inspector *>();
    emit inspector->anchorClicked(QUrl(u"again:2"_s));
    QVERIFY(has(statusText(), { u"will be fired again when the conflicting operation"_s }));
    QCOMPARE(simulator().operations().all().size(), 2);
    emit inspector->anchorClicked(QUrl(u"cancel:1"_s));
    settle();
    QCOMPARE(simulator().operations().all().size(), 3);
    QCOMPARE(simulator().operations().all().last().path, sibling);
    QCOMPARE(simulator().operations().all().last().status, Status::InProgress);
    QVERIFY(!inspected().contains(u"was refused"_s));
    QVERIFY2(!statusText().contains(u"will be fired"_s), qPrintable(statusText()));
}

/// On what was refused they explain; on anything else they lead to what it was about.
void TestExplaining::twoClicksInTheQueue()
{
    refuse();
    m_window->select(net);
    m_window->docks().toggle(dock(u"operations"_s));
    const auto twice = [&](const QString &id) {
        const QAbstractItemModel &model = *queue().model();
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.index(row, OperationModel::Id).data().toString() != id)
                continue;
            // As windowing systems send it: QTest::mouseDClick() presses once more.
            QWidget *view = queue().viewport();
            const QPoint at = queue().visualRect(model.index(row, OperationModel::Target)).center();
            QTest::mouseClick(view, Qt::LeftButton, {}, at);
            for (const auto type : { QEvent::MouseButtonDblClick, QEvent::MouseButtonRelease }) {
                QMouseEvent event(type, at, view->mapToGlobal(at), Qt::LeftButton,
                    type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, {});
                QApplication::sendEvent(view, &event);
            }
        }
    };
    twice(u"b"_s);
    QVERIFY2(inspected().contains(u"was refused"_s), qPrintable(inspected()));
    QCOMPARE(highlighted(), QStringList(u"Rack-1"_s));
    twice(u"a"_s);
    QCOMPARE(m_window->selection().resource(), subnet);
    QVERIFY2(inspected().contains(u"Why is the resource Updating?"_s), qPrintable(inspected()));
}

/// A resource is found by its link, whatever it has in its name.
void TestExplaining::oddNamesAreLinks()
{
    const QString odd = u"/logicalNetworks/it's #1 (50%20?) ü"_s;
    simulator().submit({ .op = u"PUT"_s, .path = odd, .id = u"odd"_s });
    settle();
    m_window->showOperation(1);
    static const QRegularExpression link(u"href=\"(path:[^\"]*)\""_s);
    const QRegularExpressionMatch first =
        link.match(m_window->findChild<Inspector *>()->toHtml().replace(u"&amp;"_s, u"&"_s));
    QVERIFY2(first.hasMatch(), qPrintable(m_window->findChild<Inspector *>()->toHtml()));
    emit m_window->findChild<Inspector *>()->anchorClicked(QUrl(first.captured(1)));
    QCOMPARE(m_window->selection().resource(), odd);
}

void TestExplaining::refusalInTheQueue()
{
    refuse();
    m_window->showOperation(2);
    QMenu menu;
    m_window->findChild<QueuePanel *>()->fillMenu(menu);
    panels::entry(menu, u"Why?"_s)->trigger();
    QVERIFY(inspected().contains(u"was refused"_s));
    QCOMPARE(highlighted(), QStringList(u"Rack-1"_s));
    // The operation in the way stands out in the queue, too.
    m_window->docks().toggle(dock(u"operations"_s));
    const QImage image = queue().viewport()->grab().toImage();
    const QRect first = queue().visualRect(queue().model()->index(0, 0));
    QVERIFY(image.pixelColor(first.right() - 2, first.top() + 2)
        != QColor(m_window->palette().color(QPalette::Base)));
}

void TestExplaining::onTheTimeline()
{
    refuse();
    TimelineView *timeline = m_window->timeline().view();
    QTRY_VERIFY(!timeline->picture().timeline->bars().empty());
    const Timeline::Row row =
        timeline->picture().timeline->find(net + u"/subnets/Rack-1/ipPools/Pool-A"_s);
    const QRectF line = timeline->rectOf(row);
    QVERIFY(choose(timeline->viewport(),
        QPoint(int(timeline->treeArea().right()) - 20, int(line.center().y())),
        u"Why is Pool-A in this state"_s));
    QVERIFY2(inspected().contains(u"A PUT runs on an ancestor."_s), qPrintable(inspected()));
    QCOMPARE(highlighted(), QStringList(u"Rack-1"_s));
    // And on the operation's own rectangle.
    const Timeline::Bar &bar = timeline->picture().timeline->bars()[0];
    const QPointF middle = timeline->picture().targetRect(bar).center() - timeline->corner()
        + timeline->timeArea().topLeft();
    QVERIFY(choose(timeline->viewport(), middle.toPoint(), u"Explain PUT Rack-1"_s));
    QVERIFY(inspected().contains(u"Operation a"_s));
}

void TestExplaining::onTheChart()
{
    refuse();
    m_window->select(net + u"/subnets/Rack-1/ipPools/Pool-A"_s);
    QVERIFY(choose(chart().viewport(), QPoint(20, 20), u"Why is Pool-A in this state"_s));
    QVERIFY(inspected().contains(u"A PUT runs on an ancestor."_s));
    QCOMPARE(highlighted(), QStringList(u"Rack-1"_s));
}

void TestExplaining::inTheRecords()
{
    refuse();
    m_window->docks().toggle(dock(u"records"_s));
    auto *records = m_window->findChild<RecordPanel *>()->findChild<QTableView *>();
    const QRect row = records->visualRect(records->model()->index(1, 0));
    QTest::mouseClick(records->viewport(), Qt::LeftButton, {}, row.center());
    QVERIFY(choose([&] { emit records->customContextMenuRequested(row.center()); }, u"Why?"_s));
    QVERIFY(inspected().contains(u"was refused"_s));
}

void TestExplaining::standsOutUntilSomethingElse()
{
    refuse();
    m_window->explainOperation(2);
    QCOMPARE(highlighted(), QStringList(u"Rack-1"_s));
    m_window->select(net);
    QCOMPARE(highlighted(), QStringList());
}

/// The card names the switch that the row depends on; another value is tried on the same run.
void TestExplaining::whatIf()
{
    simulator().submit({ .op = u"PUT"_s, .path = subnet, .id = u"a"_s, .outcome = u"failed"_s });
    runOut();
    m_window->select(net);
    QVERIFY(has(
        inspected(), { u"This rule applies while the switch “Ancestor outcome” is Operation."_s }));
    emit m_window->findChild<Inspector *>()->anchorClicked(QUrl(u"switch:ancestorOutcome"_s));
    auto *values = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(values);
    values->close();
    const auto choose = [values](const QString &text) {
        const QList<QAction *> actions = values->actions();
        (*std::ranges::find(actions, text, &QAction::text))->trigger();
    };
    const auto shown = [this] { return shownAt(simulator().rules(), simulator().world(), net); };
    QCOMPARE(shown(), u"Failed"_s);
    choose(u"Restore"_s);
    QCOMPARE(simulator().rules().switches().value(u"ancestorOutcome"_s), u"restore"_s);
    QCOMPARE(shown(), u"Succeeded"_s);
    choose(u"Operation"_s);
    QCOMPARE(shown(), u"Failed"_s);
}

/// A card is as of the moment shown.
void TestExplaining::followsTime()
{
    m_window->select(subnet);
    simulator().submit({ .op = u"PUT"_s, .path = subnet, .id = u"a"_s });
    QTRY_VERIFY(inspected().contains(u"Why is the resource Updating?"_s));
    simulator().runUntilQuiet();
    QTRY_VERIFY(inspected().contains(u"Why is the resource Succeeded?"_s));
    simulator().jump(1);
    QTRY_VERIFY(inspected().contains(u"Why is the resource Updating?"_s));
    simulator().jump(0);
    QTRY_VERIFY(!inspected().contains(u"Why is the resource"_s));
}

} // namespace

const instar::TestClass<TestExplaining, QApplication> registered;
#include "tst_explaining.moc"
