// SPDX-License-Identifier: Apache-2.0
// The panels without a window around them.

#include "model/engine/simulator.h"
#include "model/items/words.h"
#include "model/json/library.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "tests/views/panelsupport.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/commandpalette.h"
#include "views/panels/inspector.h"
#include "views/panels/notice.h"
#include "views/panels/queuepanel.h"
#include "views/panels/tables.h"
#include "views/panels/targetpicker.h"
#include "views/panels/transport.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <memory>

using namespace Qt::StringLiterals;
using namespace instar;
using namespace instar::panels;

namespace {

class TestPanels : public QObject
{
    Q_OBJECT

private slots:
    void queueColumnsGrow();
    void tablesStayWhereOneLooks();
    void queueTexts();
    void whatWaitsCanBeCanceled();
    void recordsCopy();
    void emptyAtTheBeginning();
    void inspectorTells();
    void transport();
    void stopsBeforeTimers();
    void longTargets();
    void idleTimePassesFaster();
    void toTheBeginning();
    void paletteChoosesWhatIsOn();
    void noticesFollowTheTheme();
    void icons();
};

/// Whatever goes above, or is the current row and goes; only who scrolls moves away from the end.
void TestPanels::tablesStayWhereOneLooks()
{
    QStandardItemModel model(100, 1);
    const std::unique_ptr<QTableView> table(rowTable(&model, Qt::DisplayRole, { 100 }));
    followTail(table.get());
    table->resize(200, 200);
    table->show();
    QVERIFY(QTest::qWaitForWindowExposed(table.get()));
    QScrollBar &bar = *table->verticalScrollBar();
    table->setCurrentIndex(model.index(3, 0));
    const auto forget = [&](int rows) {
        model.removeRows(0, rows);
        QCoreApplication::processEvents();
    };
    const auto isAtEnd = [&] { return bar.value() == bar.maximum(); };
    bar.setValue(bar.maximum());
    QVERIFY(bar.value() > 50);
    forget(20);
    QVERIFY(isAtEnd());
    model.insertRows(model.rowCount(), 20);
    QCoreApplication::processEvents();
    QVERIFY(isAtEnd());
    table->resize(200, 120);
    QTRY_VERIFY(isAtEnd());

    table->setCurrentIndex(model.index(3, 0));
    bar.setValue(60);
    forget(20);
    QCOMPARE(bar.value(), 40);
    forget(60); // with what is looked at
    QCOMPARE(bar.value(), 0);
    model.insertRows(model.rowCount(), 100);
    QCoreApplication::processEvents();
    QCOMPARE(bar.value(), 0);
    // Where one walks, one still sees where to.
    table->setCurrentIndex(model.index(90, 0));
    QVERIFY(bar.value() > 50);
}

void TestPanels::queueColumnsGrow()
{
    const auto simulator = sample();
    Selection selection;
    QueuePanel panel(*simulator, selection);
    panel.show();
    const auto *view = panel.findChild<QTableView *>();
    const int before = view->columnWidth(OperationModel::Id);
    simulator->submit({ .op = u"PUT"_s, .path = subnet, .id = u"clock-of-the-lease.1.1"_s });
    simulator->updates().flush();
    QVERIFY(view->columnWidth(OperationModel::Id)
        > view->fontMetrics().horizontalAdvance(u"clock-of-the-lease.1.1"_s));
    simulator->submit({ .op = u"PUT"_s, .path = subnet, .id = QString(300, u'n') });
    simulator->updates().flush();
    QVERIFY(view->columnWidth(OperationModel::Id) <= 200);
    QVERIFY(before < 100);
    // What is said of an operation later needs room, too, but leaves the times in sight.
    simulator->reset();
    QueuePanel fresh(*simulator, selection);
    fresh.show();
    view = fresh.findChild<QTableView *>();
    const int note = view->columnWidth(OperationModel::Note);
    const quint32 serial = simulator->submit({ .op = u"PUT"_s, .path = subnet, .hang = true });
    simulator->updates().flush();
    QCOMPARE(view->columnWidth(OperationModel::Note), note);
    simulator->end(serial, simulator->rules().failed);
    simulator->updates().flush();
    QVERIFY(view->columnWidth(OperationModel::Note) > note);
    QVERIFY(view->columnWidth(OperationModel::Note) <= 170);
}

void TestPanels::queueTexts()
{
    const auto simulator = sample();
    Selection selection;
    QueuePanel panel(*simulator, selection);
    panel.resize(900, 200);
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    auto *view = panel.findChild<QTableView *>();
    const auto *hint = view->viewport()->findChild<QLabel *>();
    QVERIFY(!hint->isHidden() && hint->text().startsWith(u"No operation has run yet"));

    const quint32 first = simulator->submit(
        { .op = u"PUT"_s, .path = subnet, .id = u"asks"_s, .client = u"A"_s, .hang = true });
    const quint32 second = simulator->submit(
        { .op = u"DELETE"_s, .path = sibling, .id = u"late"_s, .client = u"B"_s });
    simulator->updates().flush();
    QVERIFY(hint->isHidden());
    selection.choose(first);
    QMenu menu;
    panel.fillMenu(menu);
    for (const QString &text : { u"Cancel"_s, u"End with succeeded"_s })
        QVERIFY(entry(menu, text)->isEnabled());
    QSignalSpy ended(&panel, &QueuePanel::endAsked);
    entry(menu, u"End with failed"_s)->trigger();
    QCOMPARE(ended[0][1].toString(), u"failed"_s);

    selection.choose(second);
    QMenu refused;
    panel.fillMenu(refused);
    for (const QAction *action : refused.actions())
        QVERIFY(!action->text().startsWith(u"End with"));
    entry(refused, u"Go to operation asks"_s)->trigger();
    QCOMPARE(selection.operation(), first);
    view->setFocus();
    QTest::keySequence(view, QKeySequence::Copy);
    QVERIFY2(copied().startsWith(u"asks\tA\tPUT\t"), qPrintable(copied()));
}

void TestPanels::whatWaitsCanBeCanceled()
{
    Pack pack = *loadPack(builtInPacks().first());
    Conflict wait;
    wait.then = Conflict::Then::Wait;
    pack.conflicts = { wait };
    Rules rules = *Rules::make(pack);
    World world = makeWorld(rules, pack.sample).world;
    Simulator simulator(std::move(rules), std::move(world));
    Selection selection;
    QueuePanel panel(simulator, selection);
    simulator.submit({ .op = u"PUT"_s, .path = subnet });
    const quint32 waits = simulator.submit({ .op = u"PUT"_s, .path = subnet });
    QVERIFY(simulator.world().waiting(waits));
    selection.choose(waits);
    QMenu menu;
    panel.fillMenu(menu);
    QAction *cancel = menu.actions().first();
    QVERIFY(cancel->isEnabled());
    connect(&panel, &QueuePanel::cancelAsked, &simulator, &Simulator::cancel);
    cancel->trigger();
    QVERIFY(!simulator.world().waiting(waits));
    QMenu over;
    panel.fillMenu(over);
    QVERIFY(!over.actions().first()->isEnabled());
}

void TestPanels::recordsCopy()
{
    const auto simulator = sample();
    Selection selection;
    RecordPanel panel(*simulator, selection);
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    simulator->submit({ .op = u"PUT"_s, .path = subnet, .id = u"put"_s });
    QVERIFY(simulator->runUntilQuiet());
    simulator->updates().flush();
    auto *view = panel.findChild<QTableView *>();
    view->setFocus();
    view->selectAll();
    QTest::keySequence(view, QKeySequence::Copy);
    const QStringList lines = copied().split(u'\n');
    QVERIFY(view->model()->rowCount() > 1);
    QCOMPARE(lines.size(), view->model()->rowCount() + 1);
    QCOMPARE(lines[0], u"Time\tEvent\tOperation\tPath\tFrom\tTo\tMoved\tDescription"_s);
    QVERIFY2(lines[1].startsWith(u"0.000 s\tstarted\tput\t"_s + subnet), qPrintable(lines[1]));

    // One row is that row alone.
    view->clearSelection();
    view->selectRow(0);
    QTest::keySequence(view, QKeySequence::Copy);
    QCOMPARE(copied(), lines[1]);
}

void TestPanels::inspectorTells()
{
    const auto simulator = sample();
    Selection selection;
    Inspector inspector(*simulator, selection);
    selection.choose(subnet);
    QVERIFY(inspector.toPlainText().contains(u"Succeeded"));
    const quint32 first =
        simulator->submit({ .op = u"PUT"_s, .path = subnet, .id = u"asks"_s, .hang = true });
    simulator->updates().flush();
    QVERIFY(has(inspector.toPlainText(), { u"Updating"_s, u"PUT on Rack-1"_s }));
    const quint32 second = simulator->submit({ .op = u"PUT"_s, .path = sibling, .id = u"late"_s });
    simulator->updates().flush();
    selection.choose(second);
    const QString text = inspector.toPlainText();
    QVERIFY(has(text, { u"AnotherOperationInProgress"_s, u"409"_s, u"R9"_s }));
    QVERIFY(inspector.toHtml().contains(u"operation:%1"_s.arg(first)));

    // An operation that is no longer kept differs from one that is not submitted yet.
    simulator->keepRecent(1, 1);
    for (int i = 0; i < 100; ++i)
        simulator->submit({ .op = u"GET"_s, .path = subnet });
    simulator->updates().flush();
    QVERIFY(!simulator->operations().find(second));
    QVERIFY(has(inspector.toPlainText(), { u"late"_s, u"no longer stored"_s }));

    const int machine = simulator->rules().machineForType(u"logicalNetworks"_s);
    QVERIFY(stateText(*simulator, machine, u"Updating"_s).contains(u"transitional"));
    const Machine &row = simulator->rules().pack().machines[machine];
    for (int i = 0; i < row.transitions.size(); ++i)
        QVERIFY(!transitionText(*simulator, machine, i).isEmpty());
    QVERIFY(transitionText(*simulator, machine, -1).isEmpty());
    QVERIFY(stateText(*simulator, 99, u"Updating"_s).isEmpty());
    QVERIFY(operationText(*simulator, 999).isEmpty());
}

void TestPanels::transport()
{
    const auto simulator = sample();
    Transport transport(*simulator);
    const auto *time = named<QLabel>(transport, u"Virtual time"_s);
    QVERIFY2(time->toolTip().contains(u"0 of 0"), qPrintable(time->toolTip()));
    simulator->submit({ .op = u"PUT"_s, .path = subnet, .id = u"put"_s });
    simulator->updates().flush();
    transport.wake();
    QVERIFY(simulator->isPlaying());
    simulator->setSpeed(50);
    QTRY_VERIFY(!simulator->isPlaying()); // it rests by itself when nothing is left to happen
    QCOMPARE(simulator->operations().all().first().status, Status::Succeeded);
    QCOMPARE(time->text(), timeText(simulator->world().now));
    QVERIFY(simulator->world().now >= 1000);
    QVERIFY2(time->toolTip().contains(u"2 of 2"), qPrintable(time->toolTip()));

    transport.show();
    const auto *hint = transport.findChild<QLabel *>(u"pausedHint"_s);
    QCOMPARE(hint->text(), QString());
    const int least = transport.minimumSizeHint().width();
    transport.actions()[1]->trigger(); // a step back
    QCOMPARE(simulator->moment(), 1);
    transport.wake();
    QVERIFY(!simulator->isPlaying()); // who steps by hand goes on by hand
    QVERIFY2(hint->text().contains(u"F5"), qPrintable(hint->text())); // and is told so
    QCOMPARE(transport.minimumSizeHint().width(), least);             // which moves no panel
    QVERIFY2(time->toolTip().contains(u"1 of 2"), qPrintable(time->toolTip()));
    transport.actions()[1]->trigger();
    QCOMPARE(simulator->moment(), 0);
    transport.actions()[3]->trigger();
    QCOMPARE(simulator->moment(), 1);
    simulator->setSpeed(0.5);
    auto *speed = named<QComboBox>(transport, u"Speed"_s);
    QCOMPARE(speed->currentData().toDouble(), 0.5);
    speed->setCurrentIndex(speed->count() - 1);
    emit speed->activated(speed->currentIndex());
    QCOMPARE(simulator->speed(), Transport::speeds().last());
}

/// After a request the clock stops before the timers of resources, and Step skips to the next one.
void TestPanels::stopsBeforeTimers()
{
    const auto simulator = sample(u"blazar"_s);
    Transport transport(*simulator);
    simulator->setSpeed(20);
    simulator->submit({ .op = u"update_lease"_s, .path = u"/leases/workshop"_s });
    simulator->updates().flush();
    transport.wake();
    QTRY_VERIFY(!simulator->isPlaying());
    QVERIFY(simulator->operations().all().first().isOver() && simulator->world().now < 20'000);
    const QString hint = transport.findChild<QLabel *>(u"pausedHint"_s)->text();
    QVERIFY2(hint.contains(u"20.000 s"), qPrintable(hint));
    transport.actions()[3]->trigger();
    QVERIFY(simulator->isPlaying() && simulator->world().now == 20'000);
}

void TestPanels::longTargets()
{
    const auto simulator = sample();
    TargetPicker picker(*simulator);
    picker.resize(180, 30);
    picker.showExisting(subnet);
    const QImage first = picker.grab().toImage();
    picker.showExisting(sibling);
    QVERIFY(first != picker.grab().toImage());
}

/// Far from the next event, more time passes than the speed says; near it, as much.
void TestPanels::idleTimePassesFaster()
{
    const auto simulator = sample(u"blazar"_s); // a lease starts at 20 s
    Transport transport(*simulator);
    QVERIFY(Transport::pace(*simulator) > 9);
    QSignalSpy updated(&simulator->updates(), &Updates::timePassed);
    simulator->play();
    QTest::qSleep(500); // the next update comes late
    QVERIFY(updated.wait());
    QVERIFY2(simulator->world().now > 3000, qPrintable(QString::number(simulator->world().now)));
    simulator->pause();
    simulator->advance(19'000 - simulator->world().now);
    QCOMPARE(Transport::pace(*simulator), simulator->speed());
}

void TestPanels::toTheBeginning()
{
    const auto simulator = sample();
    Transport transport(*simulator);
    transport.show();
    const auto *hint = transport.findChild<QLabel *>(u"pausedHint"_s);
    simulator->submit({ .op = u"PUT"_s, .path = subnet });
    simulator->updates().flush();
    transport.actions()[3]->trigger(); // a step
    transport.actions()[1]->trigger(); // and back: time stands by hand
    transport.actions()[0]->trigger();
    QCOMPARE(simulator->moment(), 0);
    QVERIFY(simulator->lastMoment() > 0); // what happened can be played again
    QCOMPARE(hint->text(), QString());
    simulator->submit({ .op = u"PUT"_s, .path = subnet });
    simulator->updates().flush();
    transport.wake();
    QVERIFY(simulator->isPlaying()); // the beginning is a new beginning

    transport.actions()[0]->trigger();
    QVERIFY(!simulator->isPlaying()); // old operations do not play by themselves
    transport.actions().last()->trigger();
    QCOMPARE(simulator->lastMoment(), 0);
    QVERIFY(!transport.actions().last()->isEnabled());

    // A pause is kept, until play.
    simulator->submit({ .op = u"PUT"_s, .path = subnet });
    simulator->updates().flush();
    transport.wake();
    transport.actions()[2]->trigger();
    QVERIFY(!simulator->isPlaying() && !hint->text().isEmpty());
    transport.actions()[2]->trigger();
    QVERIFY(simulator->isPlaying() && hint->text().isEmpty());
    transport.wake(); // a further request does not stop the clock that the user started
    simulator->setSpeed(50);
    QVERIFY(!QTest::qWaitFor([&] { return !simulator->isPlaying(); }, 500));
}

/// Back at the beginning, what has run is only a drag away.
void TestPanels::emptyAtTheBeginning()
{
    const auto simulator = sample();
    Selection selection;
    QueuePanel queue(*simulator, selection);
    RecordPanel records(*simulator, selection);
    const auto said = [](const QWidget &panel) {
        return panel.findChild<QTableView *>()->viewport()->findChild<QLabel *>()->text();
    };
    for (const QWidget *panel : std::initializer_list<const QWidget *> { &queue, &records })
        QVERIFY2(said(*panel).startsWith(u"No "), qPrintable(said(*panel)));
    simulator->submit({ .op = u"PUT"_s, .path = subnet });
    simulator->updates().flush();
    simulator->jump(0);
    QVERIFY2(said(queue).startsWith(u"This is the beginning"), qPrintable(said(queue)));
    // The records show what lies ahead.
    const auto *list = records.findChild<QTableView *>();
    QVERIFY(list->model()->rowCount() > 0);
    QVERIFY(list->model()->index(0, 0).data(RecordModel::Later).toBool());
    QVERIFY(!list->viewport()->findChild<QLabel *>()->isVisibleTo(list));
    simulator->jump(1);
    QVERIFY(!list->model()->index(0, 0).data(RecordModel::Later).toBool());
}

void TestPanels::paletteChoosesWhatIsOn()
{
    QWidget window;
    window.resize(800, 600);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QAction off(u"off"_s), on(u"on"_s), other(u"other"_s);
    off.setEnabled(false);
    QStringList chosen;
    for (const QAction *action : { &off, &on, &other })
        connect(action, &QAction::triggered, this, [&, action] { chosen += action->text(); });
    CommandPalette palette(&window);
    auto *line = palette.findChild<QLineEdit *>();
    auto *list = palette.findChild<QListWidget *>();
    const auto click = [&](int row) {
        const QRect place = list->visualItemRect(list->item(row));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, place.center());
    };

    palette.open(
        u"Find"_s, { { u"File off"_s, &off }, { u"File on"_s, &on }, { u"File other"_s, &other } });
    QVERIFY(palette.isVisible());
    QTest::keyClicks(line, u"file"_s);
    QCOMPARE(list->count(), 3);
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(!palette.isVisible());
    QCOMPARE(chosen, QStringList(u"on"_s));

    // Nor does a click on what is off choose anything else.
    palette.open(
        u"Find"_s, { { u"File off"_s, &off }, { u"File on"_s, &on }, { u"File other"_s, &other } });
    click(0);
    QVERIFY(palette.isVisible());
    QCOMPARE(chosen.size(), 1);
    click(2);
    QVERIFY(!palette.isVisible());
    QCOMPARE(chosen, QStringList({ u"on"_s, u"other"_s }));

    palette.open(u"Find"_s, { { u"File off"_s, &off } });
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(palette.isVisible());
    QCOMPARE(chosen.size(), 2);
}

void TestPanels::noticesFollowTheTheme()
{
    Notice notice;
    const auto sign = [&] { return notice.findChild<QLabel *>()->pixmap().toImage(); };
    QVERIFY(sign().isNull());
    const auto has = [&](const QColor &colour) {
        const QImage image = sign().convertToFormat(QImage::Format_ARGB32);
        for (int i = 0; i < image.width() * image.height(); ++i) {
            const QPoint at(i % image.width(), i / image.width());
            if (image.pixelColor(at) == colour)
                return true;
        }
        return false;
    };
    const QList<std::pair<Notice::Tone, QColor Theme::*>> tones { { Notice::Tone::Wrong,
                                                                      &Theme::warning },
        { Notice::Tone::Hint, &Theme::accent }, { Notice::Tone::Good, &Theme::dimText } };
    QList<QImage> signs;
    for (const auto &[tone, colour] : tones) {
        notice.say(tone, u"So it is."_s);
        QVERIFY(has(theme().*colour));
        QVERIFY(!signs.contains(sign())); // each has a shape of its own
        signs += sign();
        applyTheme(Theme::dark());
        QVERIFY(has(theme().*colour));
        applyTheme(Theme::light());
    }
    notice.say(Notice::Tone::Wrong, {});
    QVERIFY(sign().isNull());
}

void TestPanels::icons()
{
    for (const QString &id : builtInPacks()) {
        const Result<Pack> pack = loadPack(id);
        for (const Type &type : pack->types)
            QVERIFY2(
                QFile::exists(u":/instar/icons/%1.svg"_s.arg(type.icon)), qPrintable(type.icon));
    }
    const QImage play = tinted(u"play"_s, Qt::red, 20, 2).toImage();
    QCOMPARE(play.size(), QSize(40, 40));
    QCOMPARE(play.pixelColor(20, 20), QColor(Qt::red));
    QCOMPARE(play.pixelColor(1, 1).alpha(), 0);
}

} // namespace

const instar::TestClass<TestPanels, QApplication> registered;
#include "tst_panels.moc"
