// SPDX-License-Identifier: Apache-2.0
// Two runs side by side, from the real window.

#include "app/sidebyside.h"
#include "model/remote/server.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "views/score/scoreview.h"
#include "views/tworuns/tworuns.h"

#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QSlider>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

const QString sibling = net + u"/subnets/Rack-2"_s;

} // namespace

class TestSideBySide : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void beginsWithWhatCanBe();
    void twoBranches();
    void onlyAnOperationDiffers();
    void onlyOneIsThere();
    void oneTime();
    void oneResource();
    void fromDifferenceToDifference();
    void marks();
    void twoSettings();
    void moreSettings();
    void twoPacks();
    void aFile();
    void nothingDiffers();
    void nothingIsFired();
    void theRunGoesOn();
    void lookedForAgain();
    void zoomsTogether();
    void branchesGo();
    void notAtAServer();

private:
    SideBySide &both() { return *m_window->sideBySide(); }
    TwoRuns &view() { return both().view(); }
    QAction *action(MainWindow &window)
    {
        for (QAction *each : window.findChildren<QAction *>()) {
            if (each->text() == u"Compare Side by &Side…"_s)
                return each;
        }
        return nullptr;
    }
    void openView()
    {
        QTest::keyClick(m_window, Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(view().isVisible());
        QTRY_VERIFY(!both().isLooking());
    }
    void compare(const QString &what)
    {
        both().compareWith(what);
        QTRY_VERIFY(!both().isLooking());
    }
    /// One request that succeeds, and another branch that removes what it is below of.
    void branch()
    {
        simulator().submit({ .op = u"PUT"_s, .path = subnet, .id = u"a"_s, .duration = 3000 });
        QVERIFY(simulator().runUntilQuiet());
        simulator().showTime(2400);
        simulator().submit({ .op = u"DELETE"_s, .path = net, .id = u"d"_s, .duration = 2000 });
        QVERIFY(simulator().runUntilQuiet());
    }
    /// Two requests on siblings, of which the second one is refused.
    void collide()
    {
        simulator().submit({ .op = u"PUT"_s, .path = subnet, .id = u"a"_s, .duration = 3000 });
        simulator().advance(400);
        simulator().submit({ .op = u"PUT"_s, .path = sibling, .id = u"b"_s, .duration = 1000 });
    }
    QAction *entry(const QStringList &way)
    {
        QMenu *menu = view().menu();
        QAction *found = nullptr;
        for (const QString &text : way) {
            emit menu->aboutToShow();
            found = nullptr;
            for (QAction *each : menu->actions()) {
                if (each->text().remove(u'&') == text)
                    found = each;
            }
            if (!found)
                return nullptr;
            menu = found->menu() ? found->menu() : menu;
        }
        return found;
    }
    void choose(const QStringList &way)
    {
        QAction *found = entry(way);
        QVERIFY2(found && found->isEnabled(), qPrintable(way.join(u'/')));
        found->trigger();
        QTRY_VERIFY(!both().isLooking());
    }
    QToolButton *button(const QString &text)
    {
        for (auto *each : view().findChildren<QToolButton *>()) {
            if (each->text() == text)
                return each;
        }
        return nullptr;
    }
    QSlider &slider() { return *view().findChild<QSlider *>(); }
};

void TestSideBySide::beginsWithWhatCanBe()
{
    bool isInPalette = false;
    for (QAction *menu : m_window->menuBar()->actions())
        isInPalette = isInPalette || menu->menu()->actions().contains(action(*m_window));
    QVERIFY(isInPalette); // which has what the menus have
    openView();
    QVERIFY(!view().isComparing());
    QVERIFY(view().sentence().endsWith(u"Choose with what to compare it."_s));
    QVERIFY(!entry({ u"Another Branch"_s })->isEnabled());
    QVERIFY(!slider().isVisible());
    view().close();
    QVERIFY(!view().isVisible());
}

void TestSideBySide::twoBranches()
{
    branch();
    openView(); // with the other one, as there is one
    QVERIFY(view().isComparing());
    QVERIFY2(view().sentence().startsWith(
                 u"Until 2.400 s both agree; then %1 is Deleting here and Updating there, because "
                 "here d DELETE Transit started: "_s.arg(net)),
        qPrintable(view().sentence()));
    QCOMPARE(view().time(), 2400);
    QCOMPARE(view().selected(), net);
    QCOMPARE(view().here()->state(), u"Deleting"_s);
    QCOMPARE(view().there()->state(), u"Touched"_s); // which shows as Updating
    for (RunView *half : { view().here(), view().there() }) {
        QCOMPARE(half->run().world().now, 2400);
        QCOMPARE(half->selection().resource(), net);
        QCOMPARE(half->chart().stateId(half->chart().state()), half->state());
        QCOMPARE(half->score().picture().marks.first(), 2400);
        QVERIFY(
            half->score().picture().lookedAt.contains(half->score().picture().score->find(net)));
    }
    // Both have the same scale, though the one ends sooner.
    QCOMPARE(view().here()->score().picture().scale.pixelsPerMs,
        view().there()->score().picture().scale.pixelsPerMs);
    // The other way round.
    simulator().switchTo(0);
    choose({ u"Another Branch"_s, u"DELETE Transit at 2.400 s"_s });
    QCOMPARE(view().here()->state(), u"Touched"_s);
    QCOMPARE(view().there()->state(), u"Deleting"_s);
}

/// The target of what is asked for in one run only, and its bar.
void TestSideBySide::onlyAnOperationDiffers()
{
    simulator().submit({ .op = u"DELETE"_s, .path = net, .id = u"a"_s });
    QVERIFY(simulator().runUntilQuiet());
    simulator().jump(1);
    const quint32 refused = simulator().submit({ .op = u"PUT"_s, .path = net, .id = u"b"_s });
    QCOMPARE(simulator().operations().find(refused)->status, Status::Rejected);
    openView();
    QVERIFY2(
        view().sentence().contains(u"operation b is Rejected "_s), qPrintable(view().sentence()));
    QCOMPARE(view().selected(), net);
    QCOMPARE(view().here()->score().picture().selectedBar, refused);
    QCOMPARE(view().there()->score().picture().selectedBar, 0U);
}

/// What was made in one run only is where its machine begins in the other one.
void TestSideBySide::onlyOneIsThere()
{
    const QString made = net + u"/subnets/new"_s;
    simulator().submit({ .op = u"GET"_s, .path = sibling });
    simulator().jump(0);
    simulator().submit({ .op = u"PUT"_s, .path = made, .hang = true });
    openView();
    QCOMPARE(view().selected(), made);
    QCOMPARE(view().here()->state(), u"Updating"_s);
    QCOMPARE(view().there()->state(), u"absent"_s);
    QVERIFY(view().sentence().contains(made + u" is Updating here and absent there"_s));
}

void TestSideBySide::oneTime()
{
    branch();
    openView();
    slider().setFocus();
    QTest::keyClick(&slider(), Qt::Key_Home);
    QCOMPARE(view().time(), 0);
    QCOMPARE(view().there()->state(), u"Touched"_s);           // the first request was made at once
    QVERIFY(view().sentence().startsWith(u"Until 2.400 s"_s)); // it is still to come
    QTest::keyClick(&slider(), Qt::Key_Right);
    QCOMPARE(view().time(), 2400); // the next thing that happens
    QTest::keyClick(&slider(), Qt::Key_Right);
    QCOMPARE(view().time(), 3000); // in the other run
    QTest::keyClick(&slider(), Qt::Key_End);
    QCOMPARE(view().time(), 4400);
    QCOMPARE(view().here()->run().world().now, 4400);
    QCOMPARE(view().there()->run().world().now, 4400);
    // Any time by the ruler of either score, also where its own run is over.
    ScoreView &score = view().there()->score();
    const auto point = [&](qint64 time) {
        return QPointF(
            score.rulerArea().left() + score.picture().scale.x(time) - score.corner().x(),
            score.rulerArea().center().y())
            .toPoint();
    };
    QTest::mouseClick(score.viewport(), Qt::LeftButton, {}, point(3700));
    QVERIFY2(std::abs(view().time() - 3700) < 50, qPrintable(QString::number(view().time())));
    QCOMPARE(view().here()->run().world().now, view().time());
    QCOMPARE(slider().value(), slider().maximum() - 1); // after 3.000 s, before 4.400 s
}

void TestSideBySide::oneResource()
{
    branch();
    openView();
    ScoreView &score = view().there()->score();
    const Score::Row row = score.picture().score->find(subnet);
    const QRectF rect = score.rectOf(row);
    QTest::mouseClick(score.viewport(), Qt::LeftButton, {},
        QPoint(int(score.blocksArea().center().x()), int(rect.center().y())));
    QCOMPARE(view().selected(), subnet);
    for (RunView *half : { view().here(), view().there() })
        QCOMPARE(half->selection().resource(), subnet);
    QCOMPARE(view().here()->score().picture().selected, row);
}

void TestSideBySide::fromDifferenceToDifference()
{
    branch();
    openView();
    QVERIFY(view().differences().size() >= 3);
    QVERIFY(!button(u"Previous Difference"_s)->isEnabled());
    QTest::keyClick(&view(), Qt::Key_F3);
    QCOMPARE(view().time(), view().differences()[1].time);
    QVERIFY(view().sentence().startsWith(u"At 3.000 s "_s));
    QTest::mouseClick(button(u"Next Difference"_s), Qt::LeftButton);
    QCOMPARE(view().time(), view().differences()[2].time);
    QTest::keyClick(&view(), Qt::Key_F3, Qt::ShiftModifier);
    QTest::mouseClick(button(u"Previous Difference"_s), Qt::LeftButton);
    QCOMPARE(view().time(), 2400);
    view().showTime(0); // before the first one there is a next one, too
    QVERIFY(button(u"Next Difference"_s)->isEnabled());
    view().showTime(view().differences().last().time);
    QVERIFY(!button(u"Next Difference"_s)->isEnabled());
    view().goTo(1);
    QCOMPARE(view().time(), view().differences().last().time);
}

/// On both charts, as long as the selected resource's state is not the same.
void TestSideBySide::marks()
{
    branch();
    openView();
    StatechartView &chart = view().here()->chart();
    const auto edge = [&] {
        QImage image = chart.viewport()->grab().toImage();
        for (const ChartBox &box : chart.layout().boxes) {
            if (chart.stateId(box.state) == u"Deleting"_s)
                return image.copy(QRect(
                    chart.mapFromScene(box.outline.rect.topLeft()) - QPoint(2, 12), QSize(60, 14)));
        }
        return QImage();
    };
    const QImage marked = edge();
    view().here()->setOther({});
    QVERIFY(edge() != marked);
    view().showTime(0);
    const QImage same = edge();
    view().here()->setOther({});
    QCOMPARE(edge(), same); // nothing was marked
}

void TestSideBySide::twoSettings()
{
    collide();
    openView();
    choose({ u"Other Settings of the Switches"_s, u"Siblings run concurrently"_s, u"On"_s });
    QVERIFY2(view().sentence().startsWith(
                 u"Until 0.400 s both agree; then %1 is Succeeded here and Updating there, because "
                 "here b PUT Rack-2 is refused: AnotherOperationInProgress"_s.arg(sibling)),
        qPrintable(view().sentence()));
    // What was still at work has come to its end.
    QCOMPARE(view().differences().last().time, 1400);
    QVERIFY(simulator().world().now == 400 && simulator().lastMoment() == 2);
    bool isTitled = false;
    for (const QLabel *label : view().there()->findChildren<QLabel *>())
        isTitled = isTitled || label->text() == u"There: Siblings run concurrently: On"_s;
    QVERIFY(isTitled);
}

/// A switch that is chosen keeps its value when another one is chosen, too.
void TestSideBySide::moreSettings()
{
    collide();
    openView();
    const QString settings = u"Other Settings of the Switches"_s;
    choose({ settings, u"Siblings run concurrently"_s, u"On"_s });
    choose({ settings, u"Etag on completion"_s, u"On"_s });
    const Switches &there = view().there()->run().rules().switches();
    QCOMPARE(there.value(u"siblingsRunConcurrently"_s), u"true"_s);
    QCOMPARE(there.value(u"etagOnCompletion"_s), u"true"_s);
    QVERIFY(entry({ settings, u"Etag on completion"_s, u"On"_s })->isChecked());
    choose({ settings, u"Siblings run concurrently"_s, u"Off, as here"_s });
    QCOMPARE(
        view().there()->run().rules().switches().value(u"siblingsRunConcurrently"_s), u"false"_s);
}

void TestSideBySide::twoPacks()
{
    collide();
    openView();
    compare(u"network-controller-sync"_s);
    QVERIFY(view().isComparing());
    QCOMPARE(view().there()->run().rules().pack().id, u"network-controller-sync"_s);
    compare(u"blazar"_s); // it has nothing of what is here
    QCOMPARE(view().there()->run().world().tree.size(), 0);
    QCOMPARE(view().there()->state(), QString());
    QVERIFY(view().sentence().startsWith(u"From the beginning "_s));
    QVERIFY(view().sentence().contains(u" here and absent there"_s));
}

/// Another version of the pack, under the same settings; and one that cannot be read.
void TestSideBySide::aFile()
{
    collide();
    openView();
    QFile own(u":/instar/packs/network-controller.json"_s);
    QVERIFY(own.open(QIODevice::ReadOnly));
    QByteArray text = own.readAll();
    QVERIFY(text.contains("\"Updating\""));
    text.replace("\"Updating\"", "\"Changing\"");
    compare(write(u"changed.json"_s, text));
    QVERIFY2(view().sentence().contains(u"is Updating here and Changing there"_s),
        qPrintable(view().sentence()));
    QCOMPARE(view().time(), 0);
    compare(write(u"bad.json"_s, "{"));
    QVERIFY(!view().isComparing());
    QVERIFY2(view().sentence().contains(u"bad.json:1"_s), qPrintable(view().sentence()));
    compare(m_folder.filePath(u"nowhere.json"_s));
    QVERIFY2(view().sentence().contains(u"nowhere.json"_s), qPrintable(view().sentence()));
}

void TestSideBySide::nothingDiffers()
{
    collide();
    openView();
    compare(u"siblingsRunConcurrently=false"_s);
    QCOMPARE(view().sentence(), u"Both agree from the beginning to the end, at 3.000 s."_s);
    QCOMPARE(view().time(), 3000);
    QCOMPARE(view().selected(), subnet); // that of the window
    QVERIFY(!button(u"Next Difference"_s)->isEnabled());
    QVERIFY(!button(u"Previous Difference"_s)->isEnabled());
}

/// Neither in the halves nor in the window.
void TestSideBySide::nothingIsFired()
{
    branch();
    openView();
    const qsizetype moments = simulator().lastMoment();
    view().showTime(4400);
    for (RunView *half : { view().here(), view().there() }) {
        const qsizetype own = half->run().lastMoment();
        StatechartView &one = half->chart();
        for (const ChartElement &element : one.elements())
            one.activate(element);
        const ChartArrow &arrow = one.layout().arrows.first();
        QTest::mouseClick(
            one.viewport(), Qt::LeftButton, {}, one.mapFromScene(arrow.lineRect(0).center()));
        QCOMPARE(half->run().lastMoment(), own);
    }
    QCOMPARE(simulator().lastMoment(), moments);
    QCOMPARE(simulator().branches().size(), 2);
}

/// What is shown is of when it was compared, until it is asked for again.
void TestSideBySide::theRunGoesOn()
{
    collide();
    openView();
    compare(u"siblingsRunConcurrently=true"_s);
    const qsizetype before = view().differences().size();
    simulator().runUntilQuiet();
    simulator().submit({ .op = u"DELETE"_s, .path = sibling, .id = u"c"_s });
    simulator().reset();
    QCOMPARE(view().differences().size(), before);
    QCOMPARE(view().here()->run().operations().find(u"c"_s), nullptr);
    QTest::mouseClick(button(u"Again"_s), Qt::LeftButton);
    QTRY_VERIFY(!both().isLooking());
    QVERIFY(view().differences().isEmpty()); // nothing was asked for since
}

/// What is asked for last is what is shown.
void TestSideBySide::lookedForAgain()
{
    collide();
    openView();
    both().compareWith(u"network-controller-sync"_s);
    both().compareWith(u"siblingsRunConcurrently=true"_s);
    QTRY_VERIFY(!both().isLooking());
    QTest::qWait(50);
    QCOMPARE(view().there()->run().rules().pack().id, u"network-controller"_s);
    // The window may go while it is looked for.
    both().compareWith(u"network-controller-sync"_s);
    delete m_window.data();
    QTest::qWait(50);
}

/// What one score shows of time and rows the other shows, too, as far as it goes.
void TestSideBySide::zoomsTogether()
{
    branch();
    openView();
    ScoreView &here = view().here()->score(), &there = view().there()->score();
    here.zoomTime(4, here.timeArea().center().x());
    here.zoomRows(1.5, here.timeArea().center().y());
    QCOMPARE(there.picture().scale.pixelsPerMs, here.picture().scale.pixelsPerMs);
    QCOMPARE(there.picture().scale.rowHeight, here.picture().scale.rowHeight);
    QCOMPARE(there.corner().x(), here.corner().x());
    QScrollBar *bar = there.horizontalScrollBar();
    bar->setValue(bar->maximum() / 2);
    QCOMPARE(here.corner().x(), there.corner().x());
    bar->setValue(bar->maximum());
    QCOMPARE(bar->value(), bar->maximum()); // the other one does not draw it back
    there.fit();
    QCOMPARE(here.picture().scale.pixelsPerMs, there.picture().scale.pixelsPerMs);
}

/// A branch that is shown in the window by now, or was deleted, is not compared with.
void TestSideBySide::branchesGo()
{
    branch();
    openView();
    QVERIFY(view().isComparing());
    simulator().switchTo(0); // the one that it was compared with
    compare(u"branch 0"_s);
    QVERIFY(!view().isComparing());
    QVERIFY2(
        view().sentence().startsWith(u"That branch is shown"_s), qPrintable(view().sentence()));
    view().close();
    action(*m_window)->trigger(); // with the other one, then
    QTRY_VERIFY(!both().isLooking() && view().isComparing());
    QVERIFY(!view().differences().isEmpty());
    QVERIFY(!simulator().removeBranch(simulator().branches().last().id).isEmpty());
    QTest::keyClick(&view(), Qt::Key_F5);
    QTRY_VERIFY(!view().isComparing());
}

void TestSideBySide::notAtAServer()
{
    QVERIFY(action(*m_window)->isEnabled());
    const Result<MainWindow *> remote =
        m_program->connectTo({ .url = u"http://127.0.0.1:9"_s, .pack = u"network-controller"_s });
    QVERIFY(remote);
    QAction *none = action(**remote);
    QVERIFY(none && !none->isEnabled());
    QVERIFY(!none->toolTip().isEmpty());
    QVERIFY(!(*remote)->sideBySide());
}

const instar::TestClass<TestSideBySide, QApplication> registered;
#include "tst_sidebyside.moc"
