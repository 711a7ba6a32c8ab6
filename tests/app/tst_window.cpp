// SPDX-License-Identifier: Apache-2.0
// The real window, driven with mouse and keyboard.

#include "app/network.h"
#include "model/items/burstmodel.h"
#include "model/pack/names.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "views/panels/burstpanel.h"
#include "views/panels/commandpalette.h"
#include "views/panels/queuepanel.h"
#include "views/timeline/timelinepanel.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QUrl>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestWindow : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void opensAlive();
    void firesFromTheChart();
    void collides();
    void stepsBack();
    void asksMe();
    void keyboardOnly();
    void aShortcutSelectsOneRow();
    void selectionSurvivesTime();
    void whatIsSelectedIsSoEverywhere();
    void sourcesAreChips();
    void allAnswersOfABurst();
    void scenarioTitles();
    void everyActionHasAText();
    void playedIsSaidOnce();
    void aBranchIsSaid_data();
    void aBranchIsSaid();
    void chartFiresOnWhatItShows();
    void badFile();
    void switches();
    void nothingAtAll();
    void docksHideBeforeTheirWindowIsGone();

private:
    QString verdict() { return m_window->fireBar().verdictText(); }
};

void TestWindow::opensAlive()
{
    const auto second = std::make_unique<Program>();
    MainWindow *fresh = second->open(builtInPacks().first());
    const QString selected = fresh->selection().resource();
    const Tree &all = fresh->simulator().world().tree;
    const Resource resource = all.find(selected);
    QVERIFY(resource != NoResource);
    QVERIFY(all.parent(resource) != NoResource && all.subtree(resource).size() > 1);
    QVERIFY(all.children(all.parent(resource)).size() > 1);
    QVERIFY(fresh->fireBar().verdictText().startsWith(u"accepted"));
    delete fresh;
}

void TestWindow::docksHideBeforeTheirWindowIsGone()
{
    const auto second = std::make_unique<Program>();
    MainWindow *fresh = second->open(builtInPacks().first());
    int hidden = 0;
    for (QDockWidget *dock : fresh->findChildren<QDockWidget *>()) {
        connect(dock, &QDockWidget::visibilityChanged, this, [&, dock](bool isVisible) {
            hidden += isVisible ? 0 : 1;
            QVERIFY(qobject_cast<MainWindow *>(dock->parent()));
        });
    }
    delete fresh;
    QVERIFY(hidden > 0);
}

void TestWindow::firesFromTheChart()
{
    const std::optional<ChartElement> put = lit(u"PUT"_s);
    QVERIFY(put);
    clickOn(*put);
    QCOMPARE(simulator().operations().all().size(), 1);
    QCOMPARE(simulator().operations().all().first().path, subnet);
    QVERIFY(simulator().isPlaying()); // the wave runs by itself
    QCOMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"InProgress"_s);
    simulator().setSpeed(50);
    QTRY_COMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"Succeeded"_s);
    QTRY_VERIFY(!simulator().isPlaying());
}

void TestWindow::collides()
{
    m_window->fire(u"PUT"_s);
    simulator().pause();

    // Another client deletes the sibling: the bar says beforehand that this is refused, and then it
    // is.
    m_window->select(net + u"/subnets/Rack-2"_s);
    auto *operation = panels::named<QComboBox>(m_window->fireBar(), u"Operation"_s);
    operation->setCurrentText(u"DELETE"_s);
    QVERIFY2(
        begins(verdict(),
            u"refused with 409 AnotherOperationInProgress: conflicts with A’s PUT on Rack-1"_s),
        qPrintable(verdict()));
    QTest::mouseClick(m_window->fireBar().findChild<QPushButton *>(u"primary"_s), Qt::LeftButton);
    QCOMPARE(inQueue(u"op2"_s, OperationModel::StatusWord), u"Rejected"_s);
    QVERIFY(inQueue(u"op2"_s, OperationModel::Note).contains(u"409"));
    QVERIFY(inspected().contains(u"AnotherOperationInProgress"));

    // A DELETE of the whole network cancels the PUT.
    clickInTree(net);
    QVERIFY2(verdict().contains(u"cancels A’s PUT on Rack-1"), qPrintable(verdict()));
    QTest::mouseClick(m_window->fireBar().findChild<QPushButton *>(u"primary"_s), Qt::LeftButton);
    QCOMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"Canceled"_s);
    QCOMPARE(inQueue(u"op3"_s, OperationModel::StatusWord), u"InProgress"_s);
    runOut();
    QCOMPARE(simulator().world().tree.find(net), NoResource);
    QCOMPARE(inQueue(u"op3"_s, OperationModel::StatusWord), u"Succeeded"_s);
}

void TestWindow::stepsBack()
{
    m_window->fire(u"DELETE"_s);
    runOut();
    QCOMPARE(simulator().world().tree.find(subnet), NoResource);
    QTest::keyClick(m_window, Qt::Key_Left, Qt::ControlModifier);
    QVERIFY(simulator().world().tree.find(subnet) != NoResource);
    QCOMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"InProgress"_s);
    QCOMPARE(selectedInTree(), subnet);
    QTest::keyClick(m_window, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(simulator().moment(), 0);
    QCOMPARE(queue().model()->rowCount(), 0);
    QTest::keyClick(m_window, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"InProgress"_s);
}

void TestWindow::asksMe()
{
    panels::named<QComboBox>(m_window->fireBar(), u"Outcome"_s)
        ->setCurrentText(u"decide by hand"_s);
    QVERIFY(m_window->fireBar().waitsForUser());
    m_window->fire(u"PUT"_s);
    simulator().advance(3'600'000);
    settle();
    QCOMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"InProgress"_s);
    QCOMPARE(inQueue(u"op1"_s, OperationModel::Progress), u"by hand"_s);
    QTRY_VERIFY(lit(u"succeeded"_s) && lit(u"failed"_s));
    clickOn(*lit(u"succeeded"_s));
    QCOMPARE(inQueue(u"op1"_s, OperationModel::StatusWord), u"Succeeded"_s);

    m_window->fire(u"PUT"_s);
    QTest::keyClick(
        m_window, Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier); // ends it as failed
    QCOMPARE(inQueue(u"op2"_s, OperationModel::StatusWord), u"Failed"_s);
}

void TestWindow::keyboardOnly()
{
    QTest::keyClick(m_window, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(inQueue(u"op1"_s, OperationModel::Kind), u"PUT"_s);
    runOut();
    QTest::keyClick(m_window, Qt::Key_N, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), u"typed"_s);
    QTest::keyClick(m_window, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(inQueue(u"op2"_s, OperationModel::Target), subnet + u"/ipPools/typed"_s);
    QTest::keyClick(m_window, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(qobject_cast<QLineEdit *>(QApplication::focusWidget()));
}

/// Ctrl, held for the shortcut, adds no row to the selection.
void TestWindow::aShortcutSelectsOneRow()
{
    m_window->activateWindow();
    for (int i = 0; i < 2; ++i)
        QTest::keyClick(m_window->windowHandle(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(queue().model()->rowCount(), 2);
    const QModelIndexList rows = queue().selectionModel()->selectedRows();
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows.first().row(), 1);
}

void TestWindow::selectionSurvivesTime()
{
    m_window->fire(u"PUT"_s);
    m_window->fire(u"PUT"_s);
    m_window->showOperation(1);
    const QString before = inspected();
    QVERIFY(before.contains(u"op1"));
    QTest::keyClick(m_window, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(simulator().moment(), 0);
    QVERIFY(has(inspected(), { u"op1"_s, u"submitted later"_s }));
    QVERIFY(inspected().contains(u"Rack-1"));
    // Back in time before the second one only: the first stays selected.
    simulator().jump(1);
    QCOMPARE(m_window->selection().operation(), 1u);
    QVERIFY(inspected().contains(u"op1") && !inspected().contains(u"submitted later"));
    simulator().jump(2);
    m_window->showOperation(2);
    simulator().jump(1);
    QVERIFY2(inspected().contains(u"op2"), qPrintable(inspected())); // no neighbour takes its place
    simulator().jump(2);
    QCOMPARE(m_window->selection().operation(), 2u);
}

/// Tree, timeline, queue, records, chart and inspector speak of the same, whoever chose it.
void TestWindow::whatIsSelectedIsSoEverywhere()
{
    m_window->fire(u"PUT"_s);
    const QString other = net + u"/subnets/Rack-2"_s;
    m_window->select(other);
    m_window->fire(u"PUT"_s);
    const Selection &selection = m_window->selection();
    const TimelineView &timeline = *m_window->timeline().view();
    QCOMPARE(selection.operations(), QList<quint32> { 2 });

    // A record's operation, which is the queue's and the timeline's then.
    m_window->docks().raise(dock(u"records"_s));
    auto *records = m_window->findChild<RecordPanel *>()->findChild<QTableView *>();
    QTRY_VERIFY(records->isVisible());
    records->scrollToTop();
    QTest::mouseClick(records->viewport(), Qt::LeftButton, {},
        records->visualRect(records->model()->index(0, 1)).center());
    QCOMPARE(selection.operations(), QList<quint32> { 1 });
    QCOMPARE(queue().currentIndex().row(), 0);
    QCOMPARE(queue().selectionModel()->selectedRows().size(), 1);
    QCOMPARE(timeline.picture().selectedBar, 1u);
    QVERIFY2(inspected().contains(u"op1"), qPrintable(inspected()));

    // Several of the queue; the one that was chosen last is told of.
    queue().selectAll();
    QCOMPARE(selection.operations().size(), 2);
    m_window->selection().choose(quint32(2));
    QCOMPARE(queue().selectionModel()->selectedRows().size(), 1);
    QCOMPARE(queue().currentIndex().row(), 1);

    // A resource is the tree's, the timeline's and the fire bar's.
    m_window->selection().choose(net);
    QCOMPARE(selectedInTree(), net);
    QCOMPARE(m_window->fireBar().request().path, net);

    // What was chosen on the chart to be looked at is what is edited.
    const Rules &rules = m_window->controller().rules();
    const ChartElement failed { ChartElement::Kind::State,
        chart().layout().boxOf(rules.stateNamed(0, u"Failed"_s)), 0 };
    chart().activate(failed);
    QVERIFY(inspected().contains(u"Failed"));
    m_window->editing()->setOn(true);
    QCOMPARE(selection.rows().states, QStringList { u"Failed"_s });
    QCOMPARE(selection.resource(), net);
    m_window->editing()->setOn(false);
    m_window->select(other);
    QVERIFY(selection.rows().isEmpty()); // it was chosen of another resource's chart
}

void TestWindow::sourcesAreChips()
{
    m_window->fireBar().setOperation(u"PUT"_s);
    auto *chips = m_window->findChild<QLabel *>(u"verdictSources"_s);
    QVERIFY(chips->isVisible());
    QVERIFY2(chips->text().contains(u"source:figure%204"), qPrintable(chips->text()));
    QVERIFY2(!verdict().contains(u"MS-NCNBI"), qPrintable(verdict())); // it is behind the chip
    emit chips->linkActivated(u"source:figure%204"_s);
    auto *inspector = m_window->findChild<Inspector *>();
    QVERIFY(inspector->toPlainText().contains(u"MS-NCNBI"));
    QVERIFY(inspector->toPlainText().contains(u"1.3.2.6, figure 4"));
    emit inspector->anchorClicked(QUrl(u"back:"_s));
    QVERIFY(inspector->toPlainText().contains(u"Rack-1"));
    // The chip of several sources offers each.
    const QString several = u"source:R9%0AS2%0A4.4"_s;
    for (const std::function<void()> &click :
        { std::function([&] { emit chips->linkActivated(several); }),
            std::function([&] { emit inspector->anchorClicked(QUrl(several)); }) }) {
        click();
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), 3);
        menu->actions().last()->trigger();
        menu->close();
        QVERIFY(inspector->toPlainText().startsWith(u"Source\n"_s));
        emit inspector->anchorClicked(QUrl(u"back:"_s));
    }
    m_window->findChild<StatechartView *>()->activate(*lit(u"DELETE"_s)); // fires
    m_window->showOperation(1);
    m_window->select(net + u"/subnets/Rack-2"_s);
    m_window->fire(u"PUT"_s); // refused: the sibling is in the way
    const QString text = inspector->toHtml();
    QVERIFY2(text.contains(u"source:R"), "the refusal's rule has its chips");
}

void TestWindow::allAnswersOfABurst()
{
    BurstPanel &burst = *m_window->network().burst();
    m_window->fireBar().setOperation(u"PUT"_s); // on the subnet that is selected
    m_window->fireBar().addToBurst();
    burst.add({ .op = u"PUT"_s, .path = net + u"/subnets/Rack-2"_s, .client = u"B"_s });
    burst.add({ .op = u"DELETE"_s, .path = u"/logicalNetworks/HNVPA"_s, .client = u"C"_s });
    const auto answers = [&burst] {
        const QAbstractItemModel &model = *burst.findChild<QTableView *>()->model();
        QStringList texts;
        for (int row = 0; row < model.rowCount(); ++row)
            texts += model.index(row, BurstModel::Answer).data().toString();
        return texts;
    };
    QCOMPARE(answers(), (QStringList { {}, {}, {} }));
    burst.fire();
    QCOMPARE(answers()[0], u"InProgress"_s);
    QVERIFY2(answers()[1].startsWith(u"Rejected: 409"), qPrintable(answers()[1]));
    QVERIFY(!answers()[2].isEmpty());
    runOut();
    QCOMPARE(answers()[0], u"Succeeded"_s);
    simulator().jump(0);
    QCOMPARE(answers(), (QStringList { {}, {}, {} })); // nobody has asked yet
}

void TestWindow::scenarioTitles()
{
    for (const QString &id : builtInPacks()) {
        for (const QString &file : builtInScenarios(id)) {
            const QString title = scenarioTitle(file);
            QVERIFY2(title.contains(u' ') && title.size() >= 12, qPrintable(file));
        }
    }
    // A list of names that scrolls and can be searched.
    action(u"Scenarios…"_s).trigger();
    auto *palette = m_window->findChild<CommandPalette *>();
    auto *list = palette->findChild<QListWidget *>();
    QCOMPARE(list->count(), builtInScenarios(builtInPacks().first()).size());
    QVERIFY(list->height() <= 16 * list->visualItemRect(list->item(0)).height());
    const QString title = list->item(3)->text();
    QTest::keyClicks(palette->findChild<QLineEdit *>(), title);
    QCOMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->text(), title);
    palette->close();
    MainWindow *window = m_program->open(builtInScenarios(builtInPacks().first()).first());
    QVERIFY(window->windowTitle().startsWith(
        scenarioTitle(builtInScenarios(builtInPacks().first()).first())));
}

void TestWindow::everyActionHasAText()
{
    QMap<QString, QString> keys; // shortcut -> action
    QList<QMenu *> menus;
    for (const QAction *top : m_window->menuBar()->actions())
        menus += top->menu();
    while (!menus.isEmpty()) {
        for (const QAction *action : menus.takeFirst()->actions()) {
            if (action->isSeparator())
                continue;
            QVERIFY(!action->text().isEmpty());
            if (action->menu())
                menus += action->menu();
            for (const QKeySequence &sequence : action->shortcuts()) {
                const QString key = sequence.toString();
                QVERIFY2(!keys.contains(key),
                    qPrintable(key + u": "_s + keys.value(key) + u" and "_s + action->text()));
                keys.insert(key, action->text());
            }
        }
    }
    QVERIFY(keys.size() > 20);
}

void TestWindow::playedIsSaidOnce()
{
    const QString none =
        write(u"none.scenario.json"_s, "{\"pack\": \"network-controller\", \"steps\": []}");
    MainWindow *window = nullptr;
    QCOMPARE(messageOf([&] { window = m_program->open(none); }), QString());
    QVERIFY(window);
    QCOMPARE(window->statusBar()->currentMessage(), QString());
    window = m_program->open(builtInScenarios(builtInPacks().first()).first());
    QVERIFY(window->statusBar()->currentMessage().startsWith(u"The scenario was played"));
    window->simulator().step();
    window->simulator().updates().flush();
    QCOMPARE(window->statusBar()->currentMessage(), QString());
}

void TestWindow::aBranchIsSaid_data()
{
    QTest::addColumn<int>("together"); ///< 0: one, from the fire bar
    QTest::newRow("one") << 0;
    QTest::newRow("several") << 2;
}

void TestWindow::aBranchIsSaid()
{
    QFETCH(const int, together);
    m_window->fire(u"DELETE"_s);
    runOut();
    const qsizetype last = simulator().lastMoment();
    QVERIFY(last > 1);
    QTest::keyClick(m_window, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(simulator().lastMoment(), last);
    QCOMPARE(statusText(), QString());
    for (int i = 0; i < together; ++i)
        m_window->network().burst()->add({ .op = u"PUT"_s, .path = subnet });
    if (together > 0)
        m_window->network().burst()->fire();
    else
        m_window->fire(u"PUT"_s);
    QCOMPARE(statusText(), u"A new branch begins here; the old one is kept."_s);
    QCOMPARE(simulator().branches().size(), 2);
    QCOMPARE(simulator().recordsOf(0).size(), last);
    QVERIFY(simulator().isPlaying());
    QCOMPARE(simulator().operations().all().size(), std::max(together, 1));

    // Nothing lay ahead: nothing is said.
    m_window->statusBar()->clearMessage();
    m_window->network().burst()->fire();
    QCOMPARE(statusText(), QString());
}

void TestWindow::chartFiresOnWhatItShows()
{
    QTest::keyClick(m_window, Qt::Key_N, Qt::ControlModifier); // a new resource is being described
    QVERIFY(m_window->fireBar().request().path != subnet);
    QTRY_VERIFY(lit(u"DELETE"_s));
    clickOn(*lit(u"DELETE"_s));
    QCOMPARE(inQueue(u"op1"_s, OperationModel::Target), subnet);
}

void TestWindow::badFile()
{
    const QString broken = write(u"broken.pack.json"_s, "{\n  \"id\": \"x\",\n  oops\n}");
    MainWindow *opened = m_window;
    const QString message = messageOf([&] { opened = m_program->open(broken, m_window); });
    QVERIFY(!opened);
    QVERIFY2(message.contains(u"broken.pack.json:3"), qPrintable(message));
    QVERIFY(m_window && m_window->isVisible()); // nothing was lost
    const QString missing =
        messageOf([&] { m_program->open(m_folder.filePath(u"none.json"_s), m_window); });
    QVERIFY2(missing.contains(u"none.json"), qPrintable(missing));
    QVERIFY(m_program->settings().recentFiles().isEmpty());
}

void TestWindow::switches()
{
    simulator().submit({ .op = u"PUT"_s, .path = subnet, .id = u"a"_s });
    MainWindow *window = m_window;
    for (QAction *value : window->findChild<QMenu *>(u"orphanPolicy"_s)->actions()) {
        if (value->text() == u"Fail"_s)
            value->trigger(); // the same run, by another rule
    }
    QCOMPARE(simulator().rules().switches().value(u"orphanPolicy"_s), u"fail"_s);
    QVERIFY(simulator().operations().find(u"a"_s));
    // In words: what the file calls it is nowhere in the menu.
    QStringList chosen;
    for (const QMenu *menu : window->menuBar()->findChildren<QMenu *>()) {
        for (const QAction *action : menu->actions()) {
            QVERIFY2(action->text() != u"orphanPolicy"_s, qPrintable(menu->title()));
            if (menu->title() == u"Orphan policy"_s && action->isChecked())
                chosen += action->text();
            if (menu->title() == u"Etag on completion"_s && action->isChecked())
                chosen += action->text();
        }
    }
    chosen.sort();
    QCOMPARE(chosen, (QStringList { u"Fail"_s, u"Off"_s }));
}

void TestWindow::nothingAtAll()
{
    const QString file = write(u"empty.pack.json"_s,
        R"({"id": "empty", "title": "Empty", "types": {"things": {"machine": "m"}}, "operations": {},
            "machines": {"m": {"rest": "there", "states": {"none": {"kind": "initial"}, "there": {}},
            "transitions": [{"from": "none", "on": "make", "to": "there"}]}}})");
    MainWindow *window = nullptr;
    const QString message = messageOf([&] { window = m_program->open(file); });
    QVERIFY2(window, qPrintable(message));
    QCOMPARE(window->simulator().world().tree.size(), 0);
    window->fire();
    QVERIFY(!window->grab().isNull());
    QCOMPARE(window->simulator().records().size(), 0);
}

} // namespace

const instar::TestClass<TestWindow, QApplication> registered;
#include "tst_window.moc"
