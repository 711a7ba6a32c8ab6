// SPDX-License-Identifier: Apache-2.0
// The item models over a real simulator: printed as text, so that a failure reads as a difference.

#include "model/engine/scenario.h"
#include "model/engine/simulator.h"
#include "model/items/burstmodel.h"
#include "model/items/operationmodel.h"
#include "model/items/recordmodel.h"
#include "model/items/statuscategory.h"
#include "model/json/library.h"
#include "model/json/scenariofile.h"
#include "model/statecharts/machinefile.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QAbstractItemModelTester>
#include <QDirIterator>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QTranslator>

#include <memory>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

std::unique_ptr<Simulator> simulator(const QList<ResourceSpec> &resources)
{
    const Result<Pack> pack = loadPack(u"network-controller"_s);
    Result<Rules> rules = Rules::make(*pack);
    Loaded loaded = makeWorld(*rules, resources);
    if (!loaded.problem.isEmpty())
        qFatal("%s", qPrintable(loaded.problem));
    return std::make_unique<Simulator>(*std::move(rules), std::move(loaded.world));
}

/// Two networks; the first with two subnets, one of them with a pool.
std::unique_ptr<Simulator> small()
{
    return simulator(
        { { .path = u"/logicalNetworks/a"_s }, { .path = u"/logicalNetworks/a/subnets/s1"_s },
            { .path = u"/logicalNetworks/a/subnets/s1/ipPools/p"_s },
            { .path = u"/logicalNetworks/a/subnets/s2"_s }, { .path = u"/logicalNetworks/b"_s } });
}

QString printed(const QAbstractItemModel &model, const QList<int> &columns,
    const QModelIndex &parent = {}, int depth = 0)
{
    QString text;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        QStringList cells;
        for (const int column : columns)
            cells += model.index(row, column, parent).data().toString();
        text += QString(2 * depth, u' ') + cells.join(u" | "_s).trimmed() + u'\n';
        text += printed(model, columns, model.index(row, 0, parent), depth + 1);
    }
    return text;
}

QString printed(const OperationModel &model)
{
    return printed(model,
        { OperationModel::Id, OperationModel::Client, OperationModel::Kind, OperationModel::Target,
            OperationModel::StatusWord, OperationModel::Note });
}

struct Tester : QAbstractItemModelTester
{
    explicit Tester(QAbstractItemModel &model)
        : QAbstractItemModelTester(&model, FailureReportingMode::QtTest)
    { }
};

/// A view that reads only the rows that it is told of.
class Reader : public QObject
{
public:
    Reader(const QAbstractItemModel &model, const QList<int> &columns)
        : m_model(model), m_columns(columns), m_rows(all(model))
    {
        connect(&model, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex &, int first, int last) {
                for (int at = first; at <= last; ++at)
                    m_rows.insert(at, row(m_model, at));
            });
        connect(&model, &QAbstractItemModel::rowsRemoved, this,
            [this](const QModelIndex &, int first, int last) {
                m_rows.remove(first, last - first + 1);
            });
        connect(&model, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex &first, const QModelIndex &last) {
                for (int at = first.row(); at <= last.row(); ++at)
                    m_rows[at] = row(m_model, at);
            });
    }
    const QStringList &rows() const { return m_rows; }
    /// The rows of a model as they are now.
    QStringList all(const QAbstractItemModel &model) const
    {
        QStringList rows;
        for (int at = 0; at < model.rowCount(); ++at)
            rows += row(model, at);
        return rows;
    }

private:
    /// With what the row is of: the moment, or the serial.
    QString row(const QAbstractItemModel &model, int at) const
    {
        QString text = model.index(at, 0).data(Qt::UserRole).toString();
        for (const int column : m_columns)
            text += u' ' + model.index(at, column).data().toString();
        return text;
    }

    const QAbstractItemModel &m_model;
    const QList<int> m_columns;
    QStringList m_rows;
};

Request asked(const QString &op, const QString &path, const QString &id)
{
    return { .op = op, .path = path, .id = id, .client = u"A"_s };
}

class TestItems : public QObject
{
    Q_OBJECT

private slots:
    void timeTravel();
    void operations();
    void toldOfEveryRow_data();
    void toldOfEveryRow();
    void progress();
    void records();
    void theOldestGo();
    void plurals();
    void everyPluralIsKnown();
};

void TestItems::timeTravel()
{
    const auto running = small();
    OperationModel queue(*running);
    RecordModel log(*running);
    QAbstractItemModelTester queueTester(
        &queue, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QAbstractItemModelTester logTester(
        &log, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QStringList queues { printed(queue) }, logs { printed(log, { 0, 1, 2, 3 }) };
    const auto note = [&] {
        running->updates().flush();
        queues += printed(queue);
        logs += printed(log, { 0, 1, 2, 3 });
    };
    connect(running.get(), &Controller::recorded, &queue, note);
    running->submit(asked(u"PUT"_s, u"/logicalNetworks/a/subnets/s1"_s, u"put"_s));
    running->submit(asked(u"DELETE"_s, u"/logicalNetworks/a"_s, u"delete"_s));
    running->submit(asked(u"PUT"_s, u"/logicalNetworks/b/subnets/n"_s, u"third"_s));
    QVERIFY(running->runUntilQuiet());
    running->updates().flush();
    QCOMPARE(queues.size(), running->lastMoment() + 1);
    QVERIFY(queues.size() > 5);
    disconnect(running.get(), &Controller::recorded, &queue, nullptr);

    for (const qsizetype moment : { 0, 5, 1, 4, 2, 3, 0, 5 }) {
        running->jump(moment);
        QCOMPARE(printed(queue), queues[moment]);
        // What is later stays, with the names of operations that are not asked for yet.
        QCOMPARE(printed(log, { 0, 1, 2, 3 }), logs.last());
        for (int row = 0; row < log.rowCount(); ++row) {
            QCOMPARE(
                log.index(row, 0).data(RecordModel::Later).toBool(), row >= log.happenedRows());
            QCOMPARE(row < log.happenedRows(),
                log.index(row, 0).data(RecordModel::Moment).toLongLong() <= moment);
        }
        QCOMPARE(log.happenedRows(), logs[moment].count(u'\n'));
    }

    // Row by row forwards again: only the one that has happened now is told.
    QSignalSpy changed(&log, &RecordModel::dataChanged);
    running->jump(2);
    changed.clear();
    const int before = log.happenedRows();
    QVERIFY(running->step());
    running->updates().flush();
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().at(0).toModelIndex().row(), before);
    QCOMPARE(changed.first().at(1).toModelIndex().row(), log.happenedRows() - 1);

    // Another way from there: what was later is on the branch that was left, and comes back with
    // it, also its names.
    running->jump(2);
    running->submit(asked(u"PUT"_s, u"/logicalNetworks/c"_s, u"other"_s));
    running->updates().flush();
    QCOMPARE(log.happenedRows(), log.rowCount());
    QVERIFY(printed(log, { 2 }).contains(u"other"_s));
    QVERIFY(!printed(log, { 2 }).contains(u"third"_s));
    running->switchTo(0);
    QCOMPARE(printed(log, { 0, 1, 2, 3 }), logs.last());
    QCOMPARE(log.happenedRows(), logs[2].count(u'\n'));
}

void TestItems::operations()
{
    const auto running = small();
    OperationModel model(*running);
    const Tester tester(model);
    running->submit(asked(u"DELETE"_s, u"/logicalNetworks/a/subnets/s1"_s, u"first"_s));
    running->submit(asked(u"PUT"_s, u"/logicalNetworks/a/subnets/s1"_s, u"second"_s));
    running->submit(asked(u"PUT"_s, u"/logicalNetworks/a"_s, u"third"_s));
    running->updates().flush();
    QCOMPARE(printed(model),
        u"first | A | DELETE | /logicalNetworks/a/subnets/s1 | Canceled | canceled by "
        u"third\nsecond | A | PUT | /logicalNetworks/a/subnets/s1 | Rejected | 409 "
        u"AnotherOperationInProgress, conflicts with first\nthird | A | PUT | /logicalNetworks/a | "
        u"InProgress |\n"_s);
    QCOMPARE(model.index(1, 0).data(OperationModel::OtherOperation).toUInt(), 1u);
    QCOMPARE(model.index(0, 0).data(OperationModel::OtherOperation).toUInt(), 3u);
    QCOMPARE(model.indexOf(3).row(), 2);
    QVERIFY(!model.indexOf(4).isValid());
}

void TestItems::toldOfEveryRow_data()
{
    QTest::addColumn<QString>("file");
    for (const char *name :
        { "pulumi/replace-delete-before-create", "pulumi/unregistered-is-deleted",
            "blazar/delete-ends-what-has-started", "aps/automatic-fails" })
        QTest::newRow(name) << u":/instar/scenarios/"_s + QString::fromLatin1(name)
                + u".scenario.json"_s;
}

/// A view that reads only what it is told of shows what is there in the end: a requirement that
/// closes before what required it changes both rows.
void TestItems::toldOfEveryRow()
{
    QFETCH(const QString, file);
    const JsonText document = valueOf(loadDocument(file));
    const ScenarioPack pack = valueOf(scenarioPack(document));
    const Result<Scenario> scenario = readScenario(document, pack.pack);
    QVERIFY(scenario);
    Stage stage = valueOf(stageOf(*scenario, pack.pack));
    Simulator running(std::move(stage.rules), std::move(stage.world));
    OperationModel model(running);
    const Reader reader(model,
        { OperationModel::StatusWord, OperationModel::Note, OperationModel::Attempts,
            OperationModel::Ended });
    bool isBackwards = false; // a later operation's change stands before an earlier one's
    connect(&running, &Controller::recorded, this, [&](const Record &record) {
        quint32 largest = 0;
        for (const Change &change : record.changes) {
            isBackwards = isBackwards || (change.operation && change.operation < largest);
            largest = std::max(largest, change.operation);
        }
        running.updates().flush(); // each by itself, or all rows would come at once
    });
    play(*scenario, running);
    QVERIFY(running.runUntilQuiet(100'000));
    QVERIFY2(isBackwards, "the scenario has such a record");
    QTRY_COMPARE(reader.rows(), reader.all(model));
}

void TestItems::progress()
{
    const auto running = small();
    OperationModel model(*running);
    Request request = asked(u"PUT"_s, u"/logicalNetworks/a"_s, u"put"_s);
    request.duration = 400;
    request.transientFailures = 1;
    running->submit(request);
    running->advance(100);
    running->updates().flush();
    const QModelIndex cell = model.index(0, OperationModel::Progress);
    QCOMPARE(cell.data().toString(), u"25 %"_s);
    QCOMPARE(cell.data(OperationModel::Fraction).toDouble(), 0.25);
    running->advance(300);
    running->updates().flush();
    QVERIFY(cell.data().toString().startsWith(u"retry in 1.000 s"_s));

    Request asks = asked(u"PUT"_s, u"/logicalNetworks/b"_s, u"asks"_s);
    asks.hang = true;
    const quint32 serial = running->submit(asks);
    running->advance(100'000);
    running->updates().flush();
    QCOMPARE(model.indexOf(serial).siblingAtColumn(OperationModel::Progress).data().toString(),
        u"by hand"_s);
    running->end(serial, running->rules().failed);
    running->updates().flush();
    QCOMPARE(model.indexOf(serial).siblingAtColumn(OperationModel::StatusWord).data().toString(),
        u"Failed"_s);
}

void TestItems::records()
{
    const auto running = small();
    RecordModel model(*running);
    const Tester tester(model);
    running->submit(asked(u"PUT"_s, u"/logicalNetworks/b"_s, u"put"_s));
    QVERIFY(running->runUntilQuiet());
    running->updates().flush();
    const QString text = printed(model,
        { RecordModel::Time, RecordModel::EventName, RecordModel::OperationId, RecordModel::Path,
            RecordModel::From, RecordModel::To });
    QVERIFY2(
        text.startsWith(u"0.000 s | started | put | /logicalNetworks/b | Succeeded | Updating\n"),
        qPrintable(text));
    QVERIFY2(
        text.contains(u"1.000 s | succeeded | put | /logicalNetworks/b | Updating | Succeeded\n"),
        qPrintable(text));
    QCOMPARE(model.index(0, 0).data(RecordModel::Moment).toInt(), 1);
    QCOMPARE(
        model.index(0, 0).data(RecordModel::FromStatusCategory).toInt(), int(StatusCategory::Rest));
    QCOMPARE(model.index(0, 0).data(RecordModel::ToStatusCategory).toInt(),
        int(StatusCategory::Working));
    QVERIFY(!model.index(0, RecordModel::Text).data().toString().isEmpty());
}

/// Models that lost their oldest rows are as those that are made of what is kept; between two
/// frames a row is nothing, or what it was.
void TestItems::theOldestGo()
{
    const auto ensure = [](bool holds, const char *what) {
        if (!holds)
            RC_FAIL(std::string(what));
    };
    QVERIFY(holdsFor(300, 60, [&] {
        const auto running = small();
        running->keepRecent(*rc::gen::element(1, 20, 1000), *rc::gen::inRange(1, 60));
        RecordModel records(*running);
        OperationModel operations(*running);
        const Tester one(records), other(operations);
        const QList<int> told { RecordModel::Time, RecordModel::EventName, RecordModel::Path,
            RecordModel::From, RecordModel::To, RecordModel::Moved };
        const QList<int> asked { OperationModel::Id, OperationModel::Kind, OperationModel::Target,
            OperationModel::StatusWord, OperationModel::Ended };
        const Reader ofRecords(records, told), ofOperations(operations, asked);
        const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 12));
        for (const int step : steps) {
            if (step == 0)
                running->runUntilQuiet();
            else if (step == 1)
                running->reset();
            else if (step < 4)
                running->submit({ .op = u"PUT"_s,
                    .path = step == 2 ? u"/logicalNetworks/b"_s : u"/logicalNetworks/a"_s });
            for (int i = 0; step > 6 && i < (step == 11 ? 150 : 20); ++i)
                running->submit({ .op = u"GET"_s, .path = u"/logicalNetworks/a/subnets/s2"_s });
            if (step > 1) {
                const QStringList rows = ofRecords.all(records);
                for (int at = 0; at < rows.size(); ++at)
                    ensure(
                        !records.index(at, 0).data().isValid() || rows[at] == ofRecords.rows()[at],
                        "a row has become another one");
            }
            if (step % 3 != 1)
                continue;
            const QPersistentModelIndex last(operations.index(operations.rowCount() - 1, 0));
            const quint32 serial = last.data(OperationModel::Serial).toUInt();
            const QPersistentModelIndex record(records.index(records.rowCount() - 1, 0));
            const qlonglong moment = record.data(RecordModel::Moment).toLongLong();
            running->updates().flush();
            ensure(step == 1 || record.isValid() == (moment > running->forgotten()),
                "a record's row was lost");
            ensure(!last.isValid() || last.data(OperationModel::Serial).toUInt() == serial,
                "a selected row has become another one");
            ensure(step == 1 || last.isValid() == (running->operations().find(serial) != nullptr),
                "a selected row was lost");
            const RecordModel freshRecords(*running);
            const OperationModel freshOperations(*running);
            ensure(ofRecords.rows() == ofRecords.all(freshRecords), "records differ");
            ensure(ofOperations.rows() == ofOperations.all(freshOperations), "operations differ");
            ensure(records.happenedRows() == records.rowCount(), "rows have not happened");
            for (const Operation &each : running->operations().all())
                ensure(operations.indexOf(each.serial).data(OperationModel::Serial) == each.serial,
                    "an operation is not found");
        }
    }));
}

void TestItems::plurals()
{
    QTranslator english;
    QVERIFY(english.load(u":/instar/translations/instar_en.qm"_s));
    QVERIFY(QCoreApplication::installTranslator(&english));
    const auto running = small();
    RecordModel model(*running);
    running->submit(asked(u"PUT"_s, u"/logicalNetworks/b"_s, u"one"_s));
    running->submit(asked(u"PUT"_s, u"/logicalNetworks/a"_s, u"four"_s));
    running->updates().flush();
    const auto words = [&](int row) {
        return model.index(row, RecordModel::Text).data().toString();
    };
    QCOMPARE(words(0), u"one PUT /logicalNetworks/b started: Succeeded → Updating"_s);
    QCOMPARE(words(1),
        u"four PUT /logicalNetworks/a started: Succeeded → Updating, 4 resources moved"_s);
    const auto below = [](int count) {
        return QCoreApplication::translate(
            "instar::TimelinePanel", "%Ln resources", nullptr, count);
    };
    QCOMPARE(below(1), u"1 resource"_s);
    QCOMPARE(below(2), u"2 resources"_s);
    Request request = asked(u"PUT"_s, u"/logicalNetworks/a"_s, u"put"_s);
    request.transientFailures = 1;
    QVERIFY(contentsText(request).contains(u"1 transient failure"_s));
    QVERIFY(!contentsText(request).contains(u"failures"_s));
}

/// What `./dev translate` finds is in the tree.
void TestItems::everyPluralIsKnown()
{
    QFile file(QStringLiteral(INSTAR_SOURCE_DIR "/resources/translations/instar_en.ts"));
    QVERIFY(file.open(QFile::ReadOnly));
    const QString known = QString::fromUtf8(file.readAll());
    QVERIFY(!known.contains(u"unfinished"_s));
    static const QRegularExpression plural(u"\"([^\"\n]*%L?n\\b[^\"\n]*)\",\\s*nullptr"_s);
    int found = 0;
    for (const QString &folder : { u"app"_s, u"model"_s, u"views"_s }) {
        QDirIterator sources(QStringLiteral(INSTAR_SOURCE_DIR "/") + folder, { u"*.cpp"_s },
            QDir::Files, QDirIterator::Subdirectories);
        while (sources.hasNext()) {
            QFile source(sources.next());
            QVERIFY(source.open(QFile::ReadOnly));
            for (auto matches = plural.globalMatch(QString::fromUtf8(source.readAll()));
                 matches.hasNext(); ++found) {
                const QString text = matches.next().captured(1).toHtmlEscaped();
                QVERIFY2(known.contains(u"<source>%1</source>"_s.arg(text)), qPrintable(text));
            }
        }
    }
    QVERIFY(found > 10);
}

} // namespace

const instar::TestClass<TestItems> registered;
#include "tst_items.moc"
