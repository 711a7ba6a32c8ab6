// SPDX-License-Identifier: Apache-2.0
// Every built-in system in the real window: it opens alive, can be played with and explains itself.

#include "model/items/sentences.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "views/panels/transport.h"

#include <QDirIterator>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestSystems : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { start(); }
    void cleanup() { close(); }

    void statesHaveTheirLabels_data() { addRowsOf("id", builtInPacks()); }
    void statesHaveTheirLabels();
    void importedChartIsLegible_data();
    void importedChartIsLegible();
    void takesSomeSeconds_data() { addRowsOf("id", builtInPacks()); }
    void takesSomeSeconds();
    void canBePlayedWith_data() { addRowsOf("id", builtInPacks()); }
    void canBePlayedWith();
    void firstMoveShowsIt_data() { addRowsOf("id", builtInPacks()); }
    void firstMoveShowsIt();

private:
    void opened();
    void checkLegible();
    QString textsInSight();
    static QString takerOf(const Controller &controller, const QString &operation);
};

void TestSystems::opened()
{
    QFETCH(QString, id);
    show(id);
    m_window->resize(1280, 800);
    chart().setMotion(Motion::Reduced);
}

QString TestSystems::textsInSight()
{
    settle();
    QStringList texts { m_window->fireBar().verdictText(), inspected(),
        m_window->timeline().counts()->text() };
    for (Timeline::Row row = 0; row < tree().picture().timeline->rowCount(); ++row)
        texts += tree().picture().wordAt(row);
    for (const Record &record : simulator().records()) {
        for (const Change &change : record.changes)
            texts += changeText(simulator().rules(), simulator().operations(), change);
    }
    return texts.join(u'\n');
}

/// No text names a state by its id that has a label.
void TestSystems::statesHaveTheirLabels()
{
    opened();
    checkLegible();
    QString texts = textsInSight();
    m_window->fireBar().fire();
    while (simulator().step())
        texts += textsInSight();
    for (const Machine &machine : simulator().rules().pack().machines) {
        for (const State &state : machine.states) {
            if (!state.label.isEmpty() && state.id.contains(u'_'))
                QVERIFY2(!texts.contains(state.id), qPrintable(state.id));
        }
    }
}

/// A chart opens whole. Its texts have at least 9 pixels; where labels would have less, those of
/// what cannot happen now are hidden.
void TestSystems::checkLegible()
{
    QTest::qWait(20);
    const StatechartView &chart = this->chart();
    QVERIFY(!chart.layout().bounds.isEmpty());
    const double scale = chart.transform().m11();
    const ChartFonts &fonts = *chart.looks().fonts;
    const double name = scale * fonts.state.pixelSize(), label = scale * fonts.label.pixelSize();
    QVERIFY2(name > 8.99, qPrintable(QString::number(name)));
    bool areAllShown = true;
    for (int arrow = 0; arrow < chart.layout().arrows.size(); ++arrow)
        areAllShown = areAllShown && !chart.looks().arrows[arrow].hidesLabel;
    QVERIFY2(label > 8.99 || !areAllShown, qPrintable(QString::number(label)));
    QVERIFY(chart.seen().contains(chart.layout().bounds));
}

void TestSystems::importedChartIsLegible_data()
{
    QTest::addColumn<QString>("file");
    const QString folder = QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/");
    for (const char *format : { "plantuml", "mermaid" }) {
        QDirIterator files(folder + QString::fromLatin1(format),
            { u"*.puml"_s, u"*.uml"_s, u"*.mmd"_s }, QDir::Files, QDirIterator::Subdirectories);
        for (int count = 0; files.hasNext() && count < 12; ++count) {
            const QString file = files.next();
            QTest::newRow(qPrintable(file.mid(folder.size()))) << file;
        }
    }
}

void TestSystems::importedChartIsLegible()
{
    QFETCH(const QString, file);
    if (!instar::loadSource(file))
        QSKIP("no file that opens");
    messageOf([&] { show(file); }); // what is lost of it
    m_window->resize(1280, 800);
    checkLegible();
}

/// Of what can be fired on the first resource: real seconds, and none of its pieces is over at
/// once.
void TestSystems::takesSomeSeconds()
{
    opened();
    const QString path = m_window->selection().resource();
    double shortest = 1e9, longest = 0;
    for (const QString &operation : simulator().rules().pack().operationNames()) {
        Request request { .op = operation, .path = path };
        if (simulator().admission(request).verdict != Admission::Verdict::Accepted)
            continue;
        simulator().submit(request);
        const qint64 begin = simulator().world().now;
        qint64 before = begin;
        while (simulator().step()) {
            if (const qint64 piece = simulator().world().now - before; piece > 0)
                shortest = std::min(shortest, double(piece) / simulator().speed());
            before = simulator().world().now;
        }
        longest = std::max(longest, double(before - begin) / simulator().speed());
        simulator().reset();
    }
    const bool isTimed = std::ranges::any_of(simulator().rules().pack().operations,
        [](const OperationKind &operation) { return operation.duration > 0; });
    QCOMPARE(longest > 0, isTimed); // synchronous answers end with the request
    if (!isTimed)
        return;
    QVERIFY2(shortest >= 290, qPrintable(u"a piece of %1 ms"_s.arg(shortest)));
    QVERIFY2(longest >= 1500, qPrintable(u"%1 ms"_s.arg(longest)));
}

/// A resource that would take an operation now; empty: none.
QString TestSystems::takerOf(const Controller &controller, const QString &operation)
{
    const Tree &tree = controller.world().tree;
    for (const Resource resource : tree.resources()) {
        Request request;
        request.op = operation;
        request.path = tree.path(resource);
        if (controller.admission(request).verdict == Admission::Verdict::Accepted)
            return request.path;
    }
    return {};
}

void TestSystems::canBePlayedWith()
{
    opened();
    QStringList done;
    for (const QString &operation : simulator().rules().pack().operationNames()) {
        const QString path = takerOf(simulator(), operation);
        if (path.isEmpty())
            continue;
        m_window->select(path);
        m_window->fire(operation);
        const Operation &last = simulator().operations().all().last();
        QCOMPARE(last.op, operation);
        QVERIFY2(last.status != Status::Rejected, qPrintable(last.errorMessage));
        done += operation;
        QVERIFY(simulator().runUntilQuiet(100'000));
        settle();
    }
    QVERIFY2(done.size() >= 2, qPrintable(done.join(u' ')));
    while (simulator().stepBack()) { }
    QCOMPARE(simulator().moment(), 0);
}

/// Fire alone shows within a real minute what the source is about.
void TestSystems::firstMoveShowsIt()
{
    opened();
    QFETCH(const QString, id);
    m_window->fireBar().fire();
    Request again = m_window->fireBar().request();
    if (id == u"network-controller") {
        again.path = net + u"/subnets/Rack-2"_s;
        QCOMPARE(simulator().admission(again).http, 409);
    }
    bool isRefusedLater = false;
    for (int real = 0; real < 60'000; real += 40) {
        simulator().advance(qint64(40 * Transport::pace(simulator())));
        const auto &running = simulator().world().running;
        isRefusedLater |= simulator().world().now > 10'000 && !running.empty()
            && simulator().admission(again).verdict == Admission::Verdict::Refused;
    }
    settle();
    const Timeline &timeline = *tree().picture().timeline;
    const Timeline::Bar &first = timeline.bars().front();
    QVERIFY(first.status != Status::Rejected);
    const auto isRetry = [](const auto &tick) { return tick.kind == Timeline::Tick::Kind::Retry; };
    if (id.startsWith(u"network-controller"))
        QVERIFY2(std::ranges::count(timeline.touched(), true) > 1, "a wave");
    else if (id == u"aps")
        QVERIFY2(std::ranges::count_if(timeline.ticks(), isRetry) > 1, "called again and again");
    else if (id == u"blazar")
        QVERIFY2(isRefusedLater, "no update while the lease starts");
    else if (id == u"pulumi")
        for (const QString &step : { u"manage_replace_create_before_delete"_s,
                 u"manage_replace_delete_before_create"_s }) {
            const ChartLayout &layout = chart().layout();
            QCOMPARE(layout.boxes[layout.boxOf(simulator().rules().stateNamed(0, step))].id, step);
        }
}

} // namespace

const instar::TestClass<TestSystems, QApplication> registered;
#include "tst_systems.moc"
