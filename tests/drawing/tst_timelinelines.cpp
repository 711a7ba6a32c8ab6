// SPDX-License-Identifier: Apache-2.0
#include "model/engine/simulator.h"
#include "model/items/liveconformance.h"
#include "tests/support/property.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"
#include "views/drawing/timelinepicture.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QTest>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

// Where the rows and the times of a timeline are drawn, without painting; and what is painted
// there.

class TestTimelineLines : public QObject
{
    Q_OBJECT

private slots:
    void everyRowHasALine();
    void foldedIsOneLine();
    void onlyWhatWasTouched();
    void timesThereAndBack();
    void rulerSteps_data();
    void rulerSteps();
    void whatIsUnderAPoint();
    void onlyTheCoveredIsPainted();
    void rowsFollowTheWorld();
    void workThatNobodyKnows();
    void referencesEndAtTheirRows();
    void tracksPassOverWhereNobodyLooked();
    void refusalsAreNotCut();
    void refusalsOfOneMomentStandSideBySide();
    void failedEndsHaveACap();
};

namespace {

const auto net = u"/logicalNetworks/a"_s;
const auto tree =
    u"/logicalNetworks/a/subnets/x/ipPools/p, /logicalNetworks/a/subnets/x/ipPools/q, "
    "/logicalNetworks/a/subnets/y, /logicalNetworks/b/subnets/z"_s;

Timeline shownTimelineOf(const Simulator &simulator)
{
    Timeline timeline(simulator.beginning());
    for (const Record &record : simulator.records())
        timeline.add(simulator.rules(), record);
    return timeline;
}

TimelinePicture pictureOf(const Simulator &simulator)
{
    TimelinePicture picture;
    auto timeline = std::make_shared<Timeline>(shownTimelineOf(simulator));
    picture.setRules(simulator.rules());
    picture.world = &simulator.world();
    picture.now = simulator.world().now;
    picture.lines = std::make_shared<TimelineLines>(*timeline);
    picture.timeline = std::move(timeline);
    picture.scale = { .rowHeight = 20, .pixelsPerMs = 0.2, .lead = 10 };
    return picture;
}

QStringList names(const Timeline &timeline, const TimelineLines &lines)
{
    QStringList result;
    for (qsizetype line = 0; line < lines.count(); ++line)
        result += timeline.name(lines.rowAt(line));
    return result;
}

} // namespace

/// Whatever is folded: lines are in the tree's order, and each row is shown by its own line or by
/// that of what it is folded into.
void TestTimelineLines::everyRowHasALine()
{
    Staging staging(u"network-controller"_s, tree);
    const Timeline timeline = shownTimelineOf(staging.simulator);
    const bool holds = holdsFor(200, 20, [&] {
        QSet<Timeline::Row> folded;
        for (const int row :
            *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, int(timeline.rowCount()))))
            folded += Timeline::Row(row);
        const TimelineLines lines(timeline, folded);
        qsizetype last = -1;
        for (qsizetype place = 0; place < timeline.rowCount(); ++place) {
            const Timeline::Row row = timeline.rowAt(place);
            Timeline::Row shown = row; // the topmost of those above that are folded
            for (Timeline::Row up = timeline.parent(row); up != Timeline::NoRow;
                 up = timeline.parent(up)) {
                if (folded.contains(up))
                    shown = up;
            }
            RC_ASSERT(lines.rowAt(lines.lineOf(place)) == shown);
            RC_ASSERT(lines.lineOf(place) == last || lines.lineOf(place) == last + 1);
            last = lines.lineOf(place);
        }
        RC_ASSERT(lines.count() == last + 1);
        for (qsizetype line = 0; line < lines.count(); ++line) {
            const qsizetype end = lines.endOf(timeline, line);
            RC_ASSERT(end > line && end <= lines.count());
            for (qsizetype below = line + 1; below < end; ++below)
                RC_ASSERT(timeline.endOf(lines.rowAt(below)) <= timeline.endOf(lines.rowAt(line)));
        }
    });
    QVERIFY(holds);
}

void TestTimelineLines::foldedIsOneLine()
{
    Staging staging(u"network-controller"_s, tree);
    const Timeline timeline = shownTimelineOf(staging.simulator);
    const TimelineLines lines(timeline, { timeline.find(net + u"/subnets/x"_s) });
    QCOMPARE(names(timeline, lines), (QStringList { u"a"_s, u"x"_s, u"y"_s, u"b"_s, u"z"_s }));
    QVERIFY(lines.isFolded(1));
    QVERIFY(!lines.isFolded(0) && !lines.isFolded(2));
    QCOMPARE(lines.endOf(timeline, 0), 3);
    // What a folded row holds is drawn on its line, all of it.
    const TimelineScale scale { .rowHeight = 10, .pixelsPerMs = 1, .lead = 0 };
    const Timeline::Row p = timeline.find(net + u"/subnets/x/ipPools/p"_s);
    QCOMPARE(scale.rect(timeline, lines, p, p, 100, 200), QRectF(100, 10, 100, 10));
    const Timeline::Row a = timeline.find(net), y = timeline.find(net + u"/subnets/y"_s);
    QCOMPARE(scale.rect(timeline, lines, a, y, 0, 5), QRectF(0, 0, 5, 30));
}

void TestTimelineLines::onlyWhatWasTouched()
{
    Staging staging(u"network-controller"_s, tree);
    staging.ask(u"DELETE"_s, net + u"/subnets/y"_s);
    staging.ask(u"PUT"_s, u"/logicalNetworks/nobody/subnets/s"_s); // refused, and asked for
    staging.simulator.runUntilQuiet();
    const Timeline timeline = shownTimelineOf(staging.simulator);
    const TimelineLines lines(timeline, {}, timeline.touched());
    QCOMPARE(names(timeline, lines),
        (QStringList { u"a"_s, u"y"_s, u"nobody"_s, u"s"_s })); // with what they lie in
    QCOMPARE(lines.lineOf(timeline.rowCount()), lines.count());
    QCOMPARE(lines.leftOut(), timeline.rowCount() - 4);
    QVERIFY(lines.shows(timeline, timeline.find(net)));
    QVERIFY(!lines.shows(timeline, timeline.find(net + u"/subnets/x"_s)));
}

void TestTimelineLines::timesThereAndBack()
{
    QVERIFY(holdsFor(500, 100, [] {
        TimelineScale scale { .rowHeight = 5,
            .pixelsPerMs = *rc::gen::inRange(1, 100000) / 10000.0,
            .begin = *rc::gen::inRange(-100, 100000) };
        const qint64 time = scale.begin + *rc::gen::inRange(0, 1 << 30);
        RC_ASSERT(scale.timeAt(scale.x(time)) == time);
        // With time left out, to the moment outside of what is folded, else nearly.
        double leftOut = 0;
        qint64 end = scale.begin;
        for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
            const qint64 from = end + *rc::gen::inRange(1, 100000);
            end = from + *rc::gen::inRange(2, 1 << 28);
            const double drawn = double(end - from) / 2;
            scale.idle.push_back({ from, end, drawn, leftOut });
            leftOut += double(end - from) - drawn;
        }
        RC_ASSERT(std::abs(scale.timeAt(scale.x(time)) - time) <= (scale.idleAt(time) ? 2 : 0));
        RC_ASSERT(scale.x(time) <= scale.x(time + 1));
    }));
}

void TestTimelineLines::rulerSteps_data()
{
    addColumns<qint64, qint64>("least", "step");
    for (const auto &[least, step] : { std::pair<qint64, qint64>(0, 1), { 1, 1 }, { 2, 2 },
             { 3, 5 }, { 6, 10 }, { 10, 10 }, { 11, 20 }, { 21, 50 }, { 51, 100 }, { 999, 1000 },
             { 4'000'000'000'000'000'000, 5'000'000'000'000'000'000 } })
        QTest::addRow("%lld", least) << least << step;
}

void TestTimelineLines::rulerSteps()
{
    QFETCH(const qint64, least);
    QTEST(roundedUp(least), "step");
}

void TestTimelineLines::whatIsUnderAPoint()
{
    Staging staging(u"network-controller"_s, tree);
    staging.ask({ .op = u"PUT"_s, .path = net + u"/subnets/x"_s, .duration = 1000 });
    staging.simulator.advance(500);
    staging.ask({ .op = u"PUT"_s, .path = net + u"/subnets/y"_s });
    QCOMPARE(staging.status(u"op2"_s), u"Rejected"_s);
    TimelinePicture picture = pictureOf(staging.simulator);
    const auto at = [&](qint64 time, const QString &path) {
        const qsizetype line =
            picture.lines->lineOf(picture.timeline->placeOf(picture.timeline->find(path)));
        const Timeline::Bar *bar =
            picture.barAt({ picture.scale.x(time), picture.scale.y(line) + 10 });
        return bar ? bar->request->id : u"nothing"_s;
    };
    QCOMPARE(at(300, net + u"/subnets/x/ipPools/q"_s), u"op1"_s);
    QCOMPARE(at(300, net), u"op1"_s); // the network is moved with it
    QCOMPARE(at(300, net + u"/subnets/y"_s), u"nothing"_s);
    QCOMPARE(at(500, net + u"/subnets/y"_s), u"op2"_s);
    QCOMPARE(at(480, net + u"/subnets/y"_s), u"op2"_s); // its mark is wider than a moment
    QCOMPARE(at(300, u"/logicalNetworks/b"_s), u"nothing"_s);
    QCOMPARE(picture.timeline->name(picture.rowAt(25)), u"x"_s);
    QCOMPARE(picture.rowAt(-1), Timeline::NoRow);
    QCOMPARE(picture.rowAt(1e6), Timeline::NoRow);
    picture.isSplit = true; // now operations are their badges
    QCOMPARE(at(300, net + u"/subnets/x"_s), u"nothing"_s);
    QCOMPARE(at(0, net), u"nothing"_s);
    for (const qint64 time : { -30, 30 })
        QCOMPARE(at(time, net + u"/subnets/x"_s), u"op1"_s);
    QCOMPARE(at(500, net + u"/subnets/y"_s), u"op2"_s);
}

namespace {

QImage painted(const TimelinePicture &picture, const QSize &size, double treeWidth)
{
    QImage image(size, QImage::Format_RGB32);
    const Theme theme = Theme::light();
    image.fill(theme.base);
    QPainter painter(&image);
    const QRectF time(treeWidth, 0, size.width() - treeWidth, size.height());
    paintTimelineTime(painter, picture, time, {}, theme);
    paintTimelineTree(painter, picture, { 0, 0, treeWidth, double(size.height()) }, 0, theme);
    return image;
}

} // namespace

/// What is not touched stays as it was: the ground is seen beside a cover.
void TestTimelineLines::onlyTheCoveredIsPainted()
{
    Staging staging(u"network-controller"_s, tree);
    staging.ask({ .op = u"PUT"_s, .path = net + u"/subnets/x"_s, .duration = 1000 });
    staging.simulator.advance(1000);
    TimelinePicture picture = pictureOf(staging.simulator);
    const QImage image = painted(picture, { 400, 140 }, 100);
    const auto x = int(100 + picture.scale.x(600));
    const Theme theme = Theme::light();
    // a, x, p, q are covered; y, b, z are not.
    for (int line = 0; line < 7; ++line)
        QVERIFY2((image.pixelColor(x, line * 20 + 12)
                     == theme.statusCategoryFill(StatusCategory::Working))
                == (line < 4),
            qPrintable(QString::number(line)));
    // Before it began there is nothing.
    QCOMPARE(image.pixelColor(int(100 + picture.scale.x(0)) - 2, 75), theme.base);
    picture.now = -1; // its name is read in the future, too
    const QImage later = painted(picture, { 400, 140 }, 100).copy(124, 22, 60, 16);
    double most = 1;
    for (int i = 0; i < 60 * 16; ++i)
        most = std::max(most, contrast(later.pixelColor(i % 60, i / 60), theme.base));
    QVERIFY2(most >= 4.5, qPrintable(QString::number(most)));
}

/// Beside the tree, and none to a row that is left out.
void TestTimelineLines::referencesEndAtTheirRows()
{
    Staging staging(u"network-controller"_s, tree);
    World world = staging.simulator.world();
    world.references[world.tree.find(net)] = { u"/logicalNetworks/b/subnets/z"_s };
    TimelinePicture picture = pictureOf(staging.simulator);
    picture.world = &world;
    for (const bool isShown : { true, false }) {
        std::vector<bool> wanted(size_t(picture.timeline->rowCount()), true);
        wanted.back() = isShown;
        picture.lines =
            std::make_shared<TimelineLines>(*picture.timeline, QSet<Timeline::Row>(), wanted);
        QImage image(200, 160, QImage::Format_RGB32);
        image.fill(Theme::light().base);
        QPainter painter(&image);
        paintTimelineTree(painter, picture, { 0, 0, 100, 160 }, 0, Theme::light());
        QImage empty = image.copy(100, 0, 100, 160);
        empty.fill(Theme::light().base);
        QCOMPARE(image.copy(100, 0, 100, 160) != empty, isShown);
    }
}

/// A server works at something that the rules do not name: it is drawn as work.
void TestTimelineLines::workThatNobodyKnows()
{
    Staging staging(u"network-controller"_s, u"/gateways/g"_s);
    TimelinePicture picture = pictureOf(staging.simulator);
    Timeline timeline(staging.simulator.world());
    Record record;
    record.changes.push_back({ .kind = Change::Kind::Started,
        .operation = 1,
        .request =
            QSharedPointer<Request>::create(Request { .op = u"MELT"_s, .path = u"/gateways/g"_s }),
        .path = u"/gateways/g"_s });
    record.holdings.push_back({ 1, { { Resource(0), Resource(0) } } });
    timeline.add(staging.simulator.rules(), record);
    picture.timeline = std::make_shared<Timeline>(std::move(timeline));
    picture.now = 1000;
    const QImage image = painted(picture, { 400, 40 }, 100);
    QCOMPARE(image.pixelColor(int(100 + picture.scale.x(600)), 13),
        Theme::light().statusCategoryFill(StatusCategory::Working));
}

/// What was seen of a resource changed at some moment between two looks.
void TestTimelineLines::tracksPassOverWhereNobodyLooked()
{
    Staging staging(u"network-controller"_s, tree);
    const ConformanceMonitor monitor(staging.simulator.rules(), {});
    LiveConformance conformance(staging.simulator.rules(), monitor);
    qint64 looked = -1;
    connect(&staging.simulator, &Controller::recorded, this, [&](Record record) {
        record.since = looked;
        conformance.addObserved(record, staging.simulator.world());
    });
    staging.simulator.submit({ .op = u"PUT"_s, .path = net, .duration = 500 });
    looked = 200;
    staging.simulator.runUntilQuiet();
    staging.simulator.advance(500);
    TimelinePicture picture = pictureOf(staging.simulator);
    picture.conformance = &conformance;
    picture.isSplit = true;
    picture.scale.rowHeight = 40;
    const QImage image = painted(picture, { 600, 320 }, 100);
    const qsizetype line =
        picture.lines->lineOf(picture.timeline->placeOf(picture.timeline->find(net)));
    const auto at = [&](qint64 time) {
        return image.pixelColor(int(100 + picture.scale.x(time)), int(picture.scale.y(line) + 6));
    };
    const Theme theme = Theme::light();
    for (const qint64 time : { 50, 180 })
        QCOMPARE(at(time), theme.statusCategoryFill(StatusCategory::Working));
    for (const qint64 time : { 230, 350, 470 })
        QCOMPARE(at(time), theme.base);
    for (const qint64 time : { 530, 800 })
        QCOMPARE(at(time), theme.statusCategoryFill(StatusCategory::Rest));
    picture.selectedBar = picture.timeline->bars()[0].serial;
    QVERIFY(painted(picture, { 600, 320 }, 100) != image); // its badge stands out

    picture.now = 540; // a short span: its word goes on where nothing follows
    const QImage narrow = painted(picture, { 600, 320 }, 100);
    const int right = int(100 + picture.scale.x(540)) + 4, top = int(picture.scale.y(line)) + 2;
    int written = 0;
    for (int x = right; x < right + 30; ++x) {
        for (int y = top; y < top + 14; ++y)
            written += contrast(narrow.pixelColor(x, y), theme.base) > 3;
    }
    QVERIFY2(written > 20, qPrintable(QString::number(written)));
}

/// Words that find room on neither side of their mark are fewer, and none is cut at an edge.
void TestTimelineLines::refusalsAreNotCut()
{
    Staging staging(u"network-controller"_s, tree);
    staging.ask({ .op = u"PUT"_s, .path = net + u"/subnets/x"_s, .duration = 4000 });
    staging.simulator.advance(300);
    staging.ask({ .op = u"DELETE"_s, .path = net + u"/subnets/y"_s });
    const TimelinePicture picture = pictureOf(staging.simulator);
    const QColor words = Theme::light().warningFill;
    for (const int width : { 800, 430, 300 }) {
        const QImage image = painted(picture, { width, 140 }, 100);
        int inside = 0, atEdge = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 100; x < width; ++x) {
                const bool isWords = image.pixelColor(x, y) == words;
                inside += isWords;
                atEdge += isWords && (x == 100 || x == width - 1);
            }
        }
        QCOMPARE(atEdge, 0);
        QCOMPARE(inside > 0, width > 300); // at 300 there is no room for the code alone either
    }
}

void TestTimelineLines::refusalsOfOneMomentStandSideBySide()
{
    Staging staging(u"network-controller"_s, tree);
    staging.ask({ .op = u"PUT"_s, .path = net + u"/subnets/x"_s, .duration = 1000 });
    for (int i = 0; i < 3; ++i)
        staging.ask({ .op = u"DELETE"_s, .path = net + u"/subnets/y"_s });
    const TimelinePicture picture = pictureOf(staging.simulator);
    const auto &bars = picture.timeline->bars();
    QCOMPARE(bars[1].status, Status::Rejected);
    for (size_t i = 1; i < 4; ++i) {
        const double y = picture.targetRect(bars[i]).top() + 10;
        const Timeline::Bar *bar = picture.barAt({ picture.refusalX(bars[i]), y });
        QCOMPARE(bar, &bars[i]);
        if (i > 1)
            QVERIFY(picture.refusalX(bars[i]) - picture.refusalX(bars[i - 1]) >= 16);
    }
}

void TestTimelineLines::failedEndsHaveACap()
{
    Staging staging(u"network-controller"_s, tree);
    staging.ask({ .op = u"PUT"_s, .path = net, .outcome = u"failed"_s, .duration = 1000 });
    staging.simulator.runUntilQuiet();
    const TimelinePicture picture = pictureOf(staging.simulator);
    const QImage image = painted(picture, { 600, 140 }, 100);
    const auto end = int(100 + picture.scale.x(1000));
    const QColor red = Theme::light().statusCategoryLine(StatusCategory::Failed);
    QCOMPARE(image.pixelColor(end - 4, 30), red);
    QVERIFY(image.pixelColor(end - 12, 30) != red);
    staging.ask({ .op = u"PUT"_s, .path = net, .outcome = u"failed"_s, .duration = 0 });
    const TimelinePicture atOnce = pictureOf(staging.simulator); // has no span, but a badge
    const Timeline::Bar &bar = atOnce.timeline->bars()[1];
    QCOMPARE(atOnce.barAt({ atOnce.refusalX(bar), atOnce.targetRect(bar).top() + 10 }), &bar);
    // An operation without a duration has a mark.
    staging.simulator.advance(1000);
    staging.ask({ .op = u"PUT"_s, .path = net, .duration = 0 });
    staging.simulator.runUntilQuiet();
    const TimelinePicture instant = pictureOf(staging.simulator);
    const Timeline::Bar &last = instant.timeline->bars().back();
    const QPointF mark = instant.targetRect(last).topLeft() + QPointF(1.5, 10);
    QCOMPARE(instant.barAt(mark + QPointF(1, 0)), &last);
    QCOMPARE(painted(instant, { 600, 140 }, 100).pixelColor((mark + QPointF(100, 0)).toPoint()),
        Theme::light().statusCategoryLine(instant.statusCategoryOf(last.state)));
}

void TestTimelineLines::rowsFollowTheWorld()
{
    Staging staging(u"network-controller"_s, u"/gateways/g"_s);
    const auto tone = [&] {
        const TimelinePicture picture = pictureOf(staging.simulator);
        const int chip = int(picture.columns(200).states) + 4;
        return painted(picture, { 400, 40 }, 200).pixelColor(chip, 10);
    };
    const Theme theme = Theme::light();
    QCOMPARE(tone(), theme.statusCategoryFill(StatusCategory::Rest));
    staging.ask({ .op = u"DELETE"_s, .path = u"/gateways/g"_s, .duration = 100 });
    QCOMPARE(tone(), theme.statusCategoryFill(StatusCategory::Removing));
    staging.simulator.runUntilQuiet();
    QCOMPARE(tone(), theme.statusCategoryFill(StatusCategory::Absent));
}

namespace {
const TestClass<TestTimelineLines, QGuiApplication> registered;
}

#include "tst_timelinelines.moc"
