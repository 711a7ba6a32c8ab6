// SPDX-License-Identifier: Apache-2.0
// What can happen, asked in the real window: of what is armed, selected, in the fire bar, or of the
// scenario; and of a server.

#include "app/network.h"
#include "tests/app/windowundertest.h"
#include "tests/remote/reference.h"
#include "tests/support/testclass.h"
#include "views/outcomes/outcomespanel.h"
#include "views/panels/burstpanel.h"
#include "views/timeline/timelinepanel.h"

#include <QComboBox>
#include <QListWidget>
#include <QScrollBar>
#include <QTableView>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestOutcomesRoom : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void fireBar();
    void burst();
    void eightEndingsFit();
    void selectedInTheQueue();
    void onlyWhatIsChosen();
    void ofTheScenario();
    void playedOnChartAndTimeline();
    void minutesAreSkipped();
    void whatAServerShows();

private:
    OutcomesPanel &panel() { return m_window->outcomes(); }
    QString chosen() { return panel().findChild<QComboBox *>()->currentText(); }
    void wait() { QTRY_VERIFY_WITH_TIMEOUT(!panel().isSearching(), 60'000); }
    QStringList traces()
    {
        QStringList texts;
        const QAbstractItemModel &model = *panel().table().model();
        for (int column = 0; column < model.columnCount(); ++column)
            texts += model.index(0, column).data(OutcomesModel::Full).toString();
        return texts;
    }
    void press(Qt::KeyboardModifiers modifiers) { QTest::keyClick(m_window, Qt::Key_H, modifiers); }
    BurstPanel &burstPanel() { return *m_window->network().burst(); }
    void arm(const QString &op, const QString &path, const QString &client)
    {
        burstPanel().add({ .op = op, .path = path, .client = client });
    }
};

void TestOutcomesRoom::minutesAreSkipped()
{
    show(u"blazar"_s);
    Simulator &simulator = this->simulator();
    simulator.setSpeed(0.25);
    const QString lease = u"/leases/workshop"_s;
    arm(u"update_lease"_s, lease, u"A"_s);
    arm(u"delete_lease"_s, lease, u"B"_s);
    OutcomesPanel &outcomes = panel();
    m_window->askOutcomes();
    wait();
    QListWidget *steps = &outcomes.steps();
    const auto waitsForTheClock = [&] {
        return !steps->findItems(u"workshop/start_lease fires"_s, Qt::MatchStartsWith).isEmpty();
    };
    const QAbstractItemModel &model = *outcomes.table().model();
    for (int column = 0; column < model.columnCount() && !waitsForTheClock(); ++column)
        outcomes.table().selectColumn(column);
    QVERIFY(waitsForTheClock());
    outcomes.play();
    QVERIFY(simulator.isPlaying() && simulator.world().now < 1000);
    QTRY_VERIFY_WITH_TIMEOUT(!simulator.isPlaying(), 30'000);
    settle();
    QVERIFY(steps->count() > 1);
    QCOMPARE(steps->currentRow(), steps->count() - 1);
    QVERIFY2(simulator.world().now > 20'000, qPrintable(QString::number(simulator.world().now)));
    QVERIFY(simulator.later().isEmpty());
}

void TestOutcomesRoom::fireBar()
{
    press(Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(panel().isVisible());
    QVERIFY(panel().isSearching());
    wait();
    QCOMPARE(chosen(), u"Operation above the chart (1)"_s);
    QVERIFY(panel().found());
    QCOMPARE(panel().found()->endings, 1);
}

void TestOutcomesRoom::burst()
{
    arm(u"PUT"_s, net, u"A"_s);
    arm(u"DELETE"_s, subnet, u"B"_s);
    // From where they are armed it is one step, whatever was asked about before.
    panel().choose(u"firebar"_s);
    m_window->docks().raiseAndFocus(dock(u"armed"_s));
    auto *ask = panels::button<QPushButton>(burstPanel(), u"What can happen?"_s);
    QVERIFY(ask->isEnabled());
    ask->click();
    QVERIFY(panel().isVisible() && panel().isSearching());
    QCOMPARE(chosen(), u"Burst (2)"_s);
    wait();
    QVERIFY(traces().size() > 1);
    emit panel().sourceAsked(u"R9"_s); // is shown beside the endings
    QVERIFY(panel().isVisible() && dock(u"inspector"_s)->isVisible());
    m_window->docks().raiseAndFocus(dock(u"armed"_s));
    QTRY_VERIFY(ask->isEnabled());
    burstPanel().clear();
    QVERIFY(!ask->isEnabled());
}

void TestOutcomesRoom::eightEndingsFit()
{
    arm(u"PUT"_s, subnet, u"A"_s);
    arm(u"PUT"_s, net + u"/subnets/Rack-2"_s, u"B"_s);
    arm(u"DELETE"_s, net, u"C"_s);
    m_window->askOutcomes();
    wait();
    QCOMPARE(panel().found()->endings, 8);
    QTRY_COMPARE(panel().table().horizontalScrollBar()->maximum(), 0);
}

void TestOutcomesRoom::selectedInTheQueue()
{
    simulator().submit({ .op = u"PUT"_s, .path = net, .client = u"A"_s });
    simulator().submit({ .op = u"DELETE"_s, .path = subnet, .client = u"B"_s });
    runOut();
    m_window->showOperation(1);
    queue().selectAll();
    QVERIFY(m_window->selection().operations().size() == 2);
    QMenu menu;
    m_window->findChild<QueuePanel *>()->fillMenu(menu);
    panels::entry(menu, u"What can happen?"_s)->trigger();
    QVERIFY(panel().isVisible() && panel().isSearching());
    wait();
    QCOMPARE(chosen(), u"Selected operations (2)"_s);
    QVERIFY2(panel().summary().contains(u"Searched from the state at 0.000 s."_s),
        qPrintable(panel().summary()));
    const QString all = traces().join(u'\n');
    QVERIFY2(all.contains(u"B Succeeded"_s) && all.contains(u"A Canceled"_s)
            && panel().found()->endings > 1,
        qPrintable(all));
}

void TestOutcomesRoom::onlyWhatIsChosen()
{
    const auto asked = [this] {
        panel().search();
        wait();
        QStringList texts;
        const auto &operations = *panels::named<QListWidget>(panel(), u"Operations"_s);
        for (int row = 0; row < operations.count(); ++row)
            texts += operations.item(row)->text();
        return texts.join(u", "_s);
    };
    m_window->fireBar().setOperation(u"DELETE"_s);
    m_window->fire(u"PUT"_s);
    settle();
    m_window->fireBar().setOperation(u"DELETE"_s);
    // What was just fired is looked at, and not chosen.
    QCOMPARE(chosen(), u"Operation above the chart (1)"_s);
    QCOMPARE(asked(), u"A DELETE Rack-1, A PUT Rack-1 (already running)"_s);
    // Whoever picks it asks about it alone.
    const QModelIndex row = queue().model()->index(0, OperationModel::Id);
    m_window->docks().raiseAndFocus(dock(u"operations"_s));
    QTest::mouseClick(queue().viewport(), Qt::LeftButton, {}, queue().visualRect(row).center());
    QCOMPARE(chosen(), u"Selected operations (1)"_s);
    QCOMPARE(asked(), u"A PUT Rack-1"_s);
    QCOMPARE(panel().found()->requests.size(), 1);
    // Armed ones go before, and the fire bar has no part in them.
    arm(u"PUT"_s, net, u"A"_s);
    arm(u"PUT"_s, net, u"B"_s);
    QCOMPARE(chosen(), u"Burst (2)"_s);
    runOut();
    QCOMPARE(asked(), u"A PUT Transit, B PUT Transit"_s);
    QCOMPARE(panel().found()->requests.size(), 2);
    panel().choose(u"firebar"_s);
    QCOMPARE(asked(), u"A DELETE Rack-1"_s);
    QCOMPARE(chosen(), u"Operation above the chart (1)"_s);
}

void TestOutcomesRoom::ofTheScenario()
{
    const QString file = write(u"two.scenario.json"_s, R"({"pack": "network-controller",
        "resources": [{"path": "/logicalNetworks/n"}],
        "steps": [{"at": 0, "op": "PUT", "path": "/logicalNetworks/n", "id": "a", "client": "A"},
            {"at": 100, "op": "DELETE", "path": "/logicalNetworks/n", "id": "b", "client": "B", "outcome": "any"},
            {"at": 9000, "expect": {"operations": {"a": "Canceled"}}}]})");
    show(file);
    m_window->askOutcomes();
    wait();
    QCOMPARE(chosen(), u"Operations of the scenario (2)"_s);
    const QString all = traces().join(u'\n');
    QVERIFY2(all.contains(u"n Failed"_s) && all.contains(u"n gone"_s), qPrintable(all));
}

void TestOutcomesRoom::playedOnChartAndTimeline()
{
    m_window->askOutcomes();
    wait();
    panel().table().selectColumn(0);
    QListWidget &steps = panel().steps();
    QTest::mouseClick(
        steps.viewport(), Qt::LeftButton, {}, steps.visualItemRect(steps.item(1)).center());
    const World &world = simulator().world();
    QCOMPARE(shownWord(simulator().rules(), world, world.tree.find(subnet)), u"Updating"_s);
    QTRY_COMPARE(m_window->timeline().view()->picture().timeline->bars().size(), size_t(1));
    QVERIFY(!m_window->timeline().view()->picture().timeline->spans().empty());
}

void TestOutcomesRoom::whatAServerShows()
{
    Reference served(u"network-controller"_s);
    const Result<MainWindow *> connected = m_program->connectTo(
        { .url = served.origin(), .pack = u"network-controller"_s, .readOnly = false });
    QVERIFY(connected);
    m_window = *connected;
    QTRY_VERIFY(m_window->controller().world().tree.find(subnet) != NoResource);
    arm(u"PUT"_s, net, u"A"_s);
    arm(u"DELETE"_s, subnet, u"B"_s);
    m_window->askOutcomes();
    wait();
    QVERIFY(panel().found() && panel().found()->endings > 1);
    QVERIFY(!panel().steps().isEnabled());
    const qsizetype windows = m_program->windows().size();
    panel().play();
    QCOMPARE(m_program->windows().size(), windows + 1);
    MainWindow &other = *m_program->windows().last();
    QVERIFY(other.controller().isLocal());
    QCOMPARE(other.simulator().moment(), 0);
    QVERIFY(other.simulator().lastMoment() > 0);

    // Somebody else is at work there.
    served.simulator().submit({ .op = u"PUT"_s, .path = net, .hang = true });
    QTRY_VERIFY_WITH_TIMEOUT(
        panel().summary().startsWith(u"Other clients' operations are running"_s), 20'000);
    panel().search();
    QVERIFY(!panel().isSearching());
}

} // namespace

const instar::TestClass<TestOutcomesRoom, QApplication> registered;
#include "tst_outcomesroom.moc"
