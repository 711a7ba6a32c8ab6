// SPDX-License-Identifier: Apache-2.0
// What happens is told once a frame, with where it happened; long work goes on beside the window.
#include "model/engine/scenario.h"
#include "model/engine/simulator.h"
#include "model/items/operationmodel.h"
#include "model/items/recordmodel.h"
#include "model/json/library.h"
#include "model/json/scenariofile.h"
#include "model/task.h"
#include "tests/support/testclass.h"
#include "views/diagram/statechartview.h"
#include "views/panels/notice.h"
#include "views/panels/transport.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QThreadPool>

#include <atomic>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

/// Returns the run of a dirty region in a branch; empty if nothing has changed there.
Tree::Range runIn(const DirtyRegion &dirty, quint32 branch)
{
    const auto found = std::ranges::find(dirty.runs(), branch, &Tree::Range::branch);
    return found == dirty.runs().end() ? Tree::Range { branch, 0, 0 } : *found;
}

const QString network = u"/logicalNetworks/Transit"_s;

/// What the rows of resources show, by path.
struct Shown
{
    Tree::Place place;
    Code code = 0;
    QString etag;
    QList<quint32> operations;
    bool operator==(const Shown &) const = default;
};
QMap<QString, Shown> shownOf(const Controller &controller)
{
    const World &world = controller.world();
    QMap<QString, Shown> all;
    for (const Resource resource : world.tree.resources()) {
        const Tree::Place place = world.tree.place(resource);
        Shown shown { place, world.tree.code(resource), controller.etag(resource), {} };
        for (const auto &running : world.running) {
            const bool covers = std::ranges::any_of(running->affected, [&](const auto &range) {
                return range.branch == place.branch && range.begin <= place.position
                    && place.position < range.end;
            });
            if (covers || running->target == resource)
                shown.operations += running->serial;
        }
        all.insert(world.tree.path(resource), shown);
    }
    return all;
}

QList<std::pair<QString, QString>> shippedScenarios()
{
    QList<std::pair<QString, QString>> files;
    for (const QString &pack : builtInPacks()) {
        const QDir folder(u":/instar/scenarios/"_s + pack);
        for (const QString &name : folder.entryList({ u"*.scenario.json"_s }, QDir::Files))
            files.append({ pack, folder.filePath(name) });
    }
    return files;
}

/// The built-in sample; its operations take a while.
std::unique_ptr<Simulator> sample()
{
    const Pack pack = *loadPack(builtInPacks().first());
    Rules rules = *Rules::make(pack);
    World world = makeWorld(rules, pack.sample).world;
    return std::make_unique<Simulator>(std::move(rules), std::move(world));
}

Request put(int failures = 0)
{
    Request request;
    request.op = u"PUT"_s;
    request.path = network;
    request.transientFailures = failures;
    return request;
}

} // namespace

class TestUpdates : public QObject
{
    Q_OBJECT
private slots:
    void recordsSayWhatMoved_data();
    void recordsSayWhatMoved();
    void extentsAddUp();
    void burstsAreToldOnce();
    void framesAreApart();
    void askedForAtOnce();
    void rewindingForgetsWhatWasGathered();
    void moreThanIsKept();
    void progressOfAllIsTold();
    void taskGivesItsResult();
    void canceledTaskGivesNothing_data();
    void canceledTaskGivesNothing();
    void canceledTaskKeepsNobodyWaiting();
    void transportRunsBeside();
    void transportGivesUp();
    void stripCancels();
    void stripShowsTheNextTask();
    void largeChartsAreLaidOutBeside();
};

void TestUpdates::recordsSayWhatMoved_data()
{
    const Rows<QString, QString> row("pack", "file");
    for (const auto &[pack, file] : shippedScenarios())
        row(qPrintable(pack + u'/' + file.section(u'/', -1)), pack, file);
    QVERIFY(shippedScenarios().size() > 30);
}

void TestUpdates::recordsSayWhatMoved()
{
    QFETCH(QString, pack);
    QFETCH(QString, file);
    const Pack read = *loadPack(pack);
    const Scenario scenario = valueOf(readScenario(*loadDocument(file), read));
    Stage stage = valueOf(stageOf(scenario, read));
    Simulator simulator(std::move(stage.rules), std::move(stage.world));
    QMap<QString, Shown> before = shownOf(simulator);
    QStringList missed;
    connect(&simulator, &Controller::recorded, this, [&](const Record &record) {
        const QMap<QString, Shown> after = shownOf(simulator);
        const auto at = [&](const QString &path) {
            return u"%1 in the event at %2 ms"_s.arg(path).arg(record.event.time);
        };
        for (const auto &[path, now] : after.asKeyValueRange()) {
            const auto old = before.constFind(path);
            const bool isSame = old != before.constEnd() && *old == now;
            if (!isSame && !record.dirty.contains(now.place))
                missed += at(path);
        }
        for (const auto &[path, old] : before.asKeyValueRange()) {
            if (!after.contains(path)
                && !DirtyRegion::isWhole(runIn(record.dirty, old.place.branch)))
                missed += at(path) + u", which is gone"_s;
        }
        before = after;
    });
    play(scenario, simulator);
    simulator.runUntilQuiet(2000);
    QCOMPARE(missed.join(u'\n'), QString());
}

void TestUpdates::extentsAddUp()
{
    DirtyRegion dirty;
    dirty.add(Tree::Range { 4, 3, 3 });
    QVERIFY(dirty.isEmpty());
    dirty.add(Tree::Range { 4, 3, 5 });
    dirty.add(Tree::Range { 2, 0, 1 });
    dirty.add(Tree::Range { 4, 8, 9 });
    QCOMPARE(dirty.runs(), (std::vector<Tree::Range> { { 2, 0, 1 }, { 4, 3, 9 } }));
    QVERIFY(dirty.contains({ 4, 6 }) && !dirty.contains({ 4, 9 }) && !dirty.contains({ 3, 0 }));
    DirtyRegion later;
    later.addBranch(4);
    dirty.add(later);
    QVERIFY(DirtyRegion::isWhole(runIn(dirty, 4)) && !DirtyRegion::isWhole(runIn(dirty, 2)));
    QCOMPARE(runIn(dirty, 7).size(), 0u);
}

void TestUpdates::burstsAreToldOnce()
{
    const auto simulator = sample();
    QList<size_t> told;
    connect(&simulator->updates(), &Updates::happened, this,
        [&](const Update &update) { told += update.records.size(); });
    const QSignalSpy times(&simulator->updates(), &Updates::timePassed);
    simulator->submit(put(3));
    simulator->submit(put());
    simulator->runUntilQuiet();
    simulator->advance(10);
    simulator->advance(10);
    QCOMPARE(told, QList<size_t>());
    QTRY_COMPARE(times.size(), 1);
    QCOMPARE(told, QList<size_t> { size_t(simulator->records().size()) });
    simulator->submit(put());
    QTRY_COMPARE(told.size(), 2);
    QCOMPARE(told.last(), size_t(1));
}

/// What is forgotten within a frame cannot be told: everything is to be compared.
void TestUpdates::moreThanIsKept()
{
    const auto simulator = sample();
    simulator->keepRecent(2, 2);
    QSignalSpy happened(&simulator->updates(), &Updates::happened);
    QSignalSpy rewound(&simulator->updates(), &Updates::rewound);
    simulator->submit(put());
    simulator->updates().flush();
    QCOMPARE(happened.size(), 1);
    QCOMPARE(rewound.size(), 0);
    for (int i = 0; i < 6; ++i)
        simulator->submit(put());
    simulator->updates().flush();
    QCOMPARE(happened.size(), 1);
    QCOMPARE(rewound.size(), 1);
    simulator->submit(put());
    simulator->updates().flush();
    QCOMPARE(happened.size(), 2);
}

/// However soon something happens again, it is told a frame later.
void TestUpdates::framesAreApart()
{
    const auto simulator = sample();
    QElapsedTimer clock;
    QList<qint64> times; // ms since the first was told
    connect(&simulator->updates(), &Updates::happened, this, [&] {
        if (!clock.isValid())
            clock.start();
        times += clock.elapsed();
        if (times.size() < 4)
            simulator->submit(put());
    });
    simulator->submit(put());
    QTRY_COMPARE(times.size(), 4);
    QVERIFY2(times.last() >= 3 * 14, qPrintable(QString::number(times.last())));
}

void TestUpdates::askedForAtOnce()
{
    const auto simulator = sample();
    RecordModel model(*simulator);
    simulator->submit(put());
    QCOMPARE(model.rowCount(), 0);
    simulator->updates().flush();
    const int rows = model.rowCount();
    QVERIFY(rows > 0);
    simulator->updates().flush();
    QTest::qWait(40); // nothing is told twice
    QCOMPARE(model.rowCount(), rows);
}

void TestUpdates::rewindingForgetsWhatWasGathered()
{
    const auto simulator = sample();
    QSignalSpy rewound(&simulator->updates(), &Updates::rewound);
    int told = 0;
    connect(&simulator->updates(), &Updates::happened, this, [&] { ++told; });
    simulator->submit(put());
    simulator->jump(0);
    QCOMPARE(rewound.size(), 1);
    simulator->updates().flush();
    QTest::qWait(40);
    QCOMPARE(told, 0);

    // Nor are they told again with what happens next.
    simulator->submit(put());
    simulator->updates().flush();
    simulator->submit(put());
    simulator->submit(put());
    simulator->jump(2);
    size_t records = 0;
    connect(&simulator->updates(), &Updates::happened, this,
        [&](const Update &update) { records = update.records.size(); });
    simulator->submit(put());
    simulator->updates().flush();
    QCOMPARE(records, size_t(1));
}

/// Progress is told of every operation at work, and of one that a receiver has just asked for.
void TestUpdates::progressOfAllIsTold()
{
    const auto simulator = sample();
    OperationModel model(*simulator);
    const QAbstractItemModelTester tester(&model);
    QList<std::pair<int, int>> told;
    connect(&model, &QAbstractItemModel::dataChanged, this,
        [&](const QModelIndex &first, const QModelIndex &last) {
            if (first.column() == OperationModel::Progress)
                told += std::pair(first.row(), last.row());
        });
    const auto ask = [&](const QString &path) {
        Request request = put();
        request.path = path;
        simulator->submit(request);
    };
    ask(u"/accessControlLists/One"_s);
    ask(u"/accessControlLists/Two"_s);
    simulator->updates().flush();
    QCOMPARE(simulator->world().running.size(), 2u);
    simulator->advance(1);
    simulator->updates().flush();
    QCOMPARE(told, (QList<std::pair<int, int>> { { 0, 1 } }));

    connect(&simulator->updates(), &Updates::happened, this, [&] {
        if (simulator->world().running.size() == 3)
            ask(u"/accessControlLists/Four"_s);
    });
    ask(u"/accessControlLists/Three"_s);
    simulator->advance(1);
    simulator->updates().flush();
    QCOMPARE(simulator->world().running.size(), 4u);
    QCOMPARE(model.rowCount(), 3); // the last one is for the next frame
    QCOMPARE(told.last(), std::pair(0, 2));
}

/// It works beside the event loop, which turns meanwhile.
void TestUpdates::taskGivesItsResult()
{
    QObject parent;
    QThread *worker = nullptr;
    std::atomic<int> turns = 0;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] { ++turns; });
    timer.start(0);
    int given = -1;
    const Task *task = Task::start(
        &parent, u"Counting"_s,
        [&](Progress &progress) {
            worker = QThread::currentThread();
            progress.setDone(2, 3);
            while (turns < 100 && !progress.isCanceled())
                QThread::yieldCurrentThread();
            return turns.load();
        },
        [&](int value) { given = value; });
    QCOMPARE(task->title(), u"Counting"_s);
    QSignalSpy ended(task, &Task::ended);
    QTRY_VERIFY(given >= 100);
    QCOMPARE(ended.size(), 1);
    QVERIFY(worker && worker != QThread::currentThread());
}

void TestUpdates::canceledTaskGivesNothing_data()
{
    QTest::addColumn<bool>("isCanceled");
    QTest::newRow("canceled") << true;
    QTest::newRow("goes with its parent") << false;
}

void TestUpdates::canceledTaskGivesNothing()
{
    QFETCH(const bool, isCanceled);
    auto parent = std::make_unique<QObject>();
    std::atomic<bool> hasBegun = false, hasEnded = false;
    bool given = false;
    Task *task = Task::start(
        parent.get(), {},
        [&hasBegun, &hasEnded](Progress &progress) {
            hasBegun = true;
            while (!progress.isCanceled())
                QThread::yieldCurrentThread();
            hasEnded = true;
            return 1;
        },
        [&](int) { given = true; });
    QSignalSpy ended(task, &Task::ended);
    const QPointer<Task> known(task);
    QTRY_VERIFY(hasBegun);
    if (isCanceled) {
        task->cancel();
        task->cancel();
        QCOMPARE(ended.size(), 1);
    } else {
        parent.reset();
    }
    QTRY_VERIFY(hasEnded);
    QTRY_VERIFY(!known);
    QTest::qWait(20);
    QVERIFY(!given);
}

/// Where there are few processors, too.
void TestUpdates::canceledTaskKeepsNobodyWaiting()
{
    QThreadPool *pool = QThreadPool::globalInstance();
    pool->setMaxThreadCount(1);
    std::atomic<bool> goesOn = true;
    const auto end = qScopeGuard([&] {
        goesOn = false;
        pool->waitForDone();
    });
    QObject parent;
    std::atomic<bool> hasBegun = false;
    Task *stubborn = Task::start(
        &parent, {},
        [&](Progress &) {
            hasBegun = true;
            while (goesOn)
                QThread::yieldCurrentThread();
            return 1;
        },
        [](int) {});
    QTRY_VERIFY(hasBegun);
    stubborn->cancel();
    int given = 0;
    Task::start(
        &parent, {}, [](Progress &) { return 2; }, [&](int value) { given = value; });
    QTRY_COMPARE(given, 2);
}

void TestUpdates::transportRunsBeside()
{
    const auto simulator = sample(), alone = sample();
    simulator->submit(put(500));
    alone->submit(put(500));
    alone->runUntilQuiet();
    QVERIFY(alone->moment() > 5);
    Transport transport(*simulator);
    QAction *quiet = transport.actions()[4];
    simulator->play();
    quiet->trigger();
    QVERIFY(!simulator->isPlaying());
    QVERIFY(!quiet->isEnabled());
    QCOMPARE(simulator->moment(), 1);
    QTRY_COMPARE(simulator->moment(), alone->moment());
    QTRY_VERIFY(quiet->isEnabled());
    QCOMPARE(nextEvent(simulator->rules(), simulator->world()).kind, Event::Kind::Wait);
}

void TestUpdates::transportGivesUp()
{
    const auto simulator = sample();
    simulator->submit(put(500));
    Transport transport(*simulator);
    QSignalSpy said(&transport, &Transport::said);
    transport.runUntilQuiet();
    simulator->submit(put());
    QCOMPARE(said.size(), 1);
    const qsizetype moment = simulator->moment();
    QTest::qWait(100);
    QCOMPARE(simulator->moment(), moment);
    QVERIFY(transport.actions()[4]->isEnabled());
}

namespace {

/// A task that goes on until it is canceled, shown by a strip.
Task *patient(QWidget &window, TaskStrip *strip, const QString &title)
{
    Task *task = Task::start(
        &window, title,
        [](Progress &progress) {
            while (!progress.isCanceled())
                QThread::yieldCurrentThread();
            return 1;
        },
        [](int) {});
    strip->follow(task);
    return task;
}

} // namespace

void TestUpdates::stripCancels()
{
    QWidget window;
    auto *strip = new TaskStrip(&window);
    window.show();
    const Task *task = patient(window, strip, u"Thinking"_s);
    QSignalSpy ended(task, &Task::ended);
    QVERIFY(!strip->isVisible()); // what is over soon is not spoken of
    QTRY_VERIFY(strip->isVisible());
    QCOMPARE(ended.size(), 0);
    strip->findChild<QPushButton *>()->click();
    QVERIFY(!strip->isVisible());
    QCOMPARE(ended.size(), 1);
}

void TestUpdates::stripShowsTheNextTask()
{
    QWidget window;
    auto *strip = new TaskStrip(&window);
    window.show();
    Task *first = patient(window, strip, u"First"_s);
    Task *second = patient(window, strip, u"Second"_s);
    const auto title = [&] { return strip->findChild<QLabel *>()->text(); };
    QTRY_VERIFY(strip->isVisible());
    QCOMPARE(title(), u"First"_s);
    first->cancel();
    QVERIFY(strip->isVisible());
    QCOMPARE(title(), u"Second"_s);
    second->cancel();
    QVERIFY(!strip->isVisible());
}

void TestUpdates::largeChartsAreLaidOutBeside()
{
    Pack pack = *loadPack(builtInPacks().first());
    const int machine = Rules::make(pack)->machineForType(u"logicalNetworks"_s);
    Machine &row = pack.machines[machine];
    const QString rest = row.states.last().id;
    for (int i = 0; i < 130; ++i) {
        const QString id = u"Extra%1"_s.arg(i);
        State state;
        state.id = id;
        row.states += state;
        Transition way;
        way.from = { rest };
        way.on = { u"PUT"_s };
        way.to = { id };
        row.transitions += way;
    }
    Result<Rules> rules = Rules::make(pack);
    QVERIFY2(rules, rules ? "" : qPrintable(rules.error()));
    World world = makeWorld(*rules, pack.sample).world;
    Simulator simulator(*std::move(rules), std::move(world));
    Selection selection;
    StatechartView view(simulator, selection);
    QSignalSpy working(&view, &StatechartView::working);
    selection.choose(network);
    QCOMPARE(working.size(), 1);
    QVERIFY(view.parts().isEmpty());
    selection.choose(network + u"/subnets/Rack-1"_s); // the same machine
    QCOMPARE(working.size(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(view.layout().boxes.size() > 130, 120'000); // however long it takes
    QVERIFY(view.state() != Rules::None && !view.parts().isEmpty());
    QCOMPARE(working.size(), 1);
    simulator.submit(put());
    simulator.updates().flush();
    QCOMPARE(working.size(), 1);
}

const instar::TestClass<TestUpdates, QApplication> registered;
#include "tst_updates.moc"
