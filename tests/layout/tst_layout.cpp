// SPDX-License-Identifier: Apache-2.0
// What must hold for the layout of every chart.
#include "model/layout/freelabels.h"
#include "tests/layout/layoutrules.h"
#include "tests/layout/randomcharts.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <limits>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

LayoutInput randomChart(const ChartKind &kind)
{
    const Dice dice = [](int least, int most) { return *rc::gen::inRange(least, most + 1); };
    return RandomChart(dice, kind).made();
}

LayoutNode box(double width = 100, double height = 36)
{
    return { .size = QSizeF(width, height), .radius = 10 };
}

LayoutNode composite(int parent = -1)
{
    return {
        .kind = LayoutNode::Kind::Composite, .parent = parent, .size = QSizeF(60, 20), .radius = 12
    };
}

LayoutNode inside(LayoutNode node, int parent)
{
    node.parent = parent;
    return node;
}

LayoutEdge edge(int from, int to, const QSizeF &label = {})
{
    return { .from = from, .to = to, .label = label };
}

void demand(const LayoutInput &input, const QString &broken)
{
    if (!broken.isEmpty())
        RC_FAIL((broken + u'\n' + chartText(input)).toStdString());
}

QString brokenIn(const LayoutInput &input)
{
    return LayoutRules(input, layoutOf(input)).broken();
}

bool hasChildren(const LayoutInput &input, int node)
{
    return std::ranges::any_of(
        input.nodes, [=](const LayoutNode &each) { return each.parent == node; });
}

/// How much of an edge lies in boxes that are not its own.
double inForeignBoxes(const LayoutInput &input, const Layout &layout, int index)
{
    double sum = 0;
    const QList<QPointF> line = layout.routes[index].curve.samples(80);
    for (int i = 0; i < input.nodes.size(); ++i) {
        if (i != input.edges[index].from && i != input.edges[index].to && !hasChildren(input, i))
            sum += lengthInside(layout.areas[i].adjusted(1, 1, -1, -1), line);
    }
    return sum;
}

} // namespace

class TestLayout : public QObject
{
    Q_OBJECT

private slots:
    void rulesHold_data() const;
    void rulesHold();
    void randomCharts();
    void nothingElseMoves();
    void onlyArrowsOfTheMovedBoxAreRouted();
    void sameAgain();
    void costsAreExactBelowTheLimit();
    void linesKeepOffBoxes();
    void smallCharts_data() const;
    void smallCharts();
    void placesThatHoldComeBack();
    void whatHasNoPlaceKeepsOffWhatHolds();
    void framesHaveTheSizeThatIsWanted();
    void framesThatHoldDoNotTurnAround();
    void notesStandWhereTheyAreWanted();
    void regionsKeepPointsApart();
    void regionsStandSideBySide();
    void pointsStandOnTheBorder();
    void notesStandBesideTheirBox();
    void startsAreOnTop();
    void circlesBetweenCompositesAndStates();
    void endsOnBordersKeepOffLines();
};

void TestLayout::rulesHold_data() const
{
    QTest::addColumn<LayoutInput>("input");
    using Edges = QList<LayoutEdge>;
    const QSizeF label(60, 18);
    const auto add = [](const char *name, const QList<LayoutNode> &nodes, const Edges &edges,
                         const QList<LayoutNote> &notes = {}) {
        QTest::newRow(name) << LayoutInput { .nodes = nodes, .edges = edges, .notes = notes };
    };
    add("nothing", {}, {});
    add("one box", { box() }, {});
    add("no edges", { box(), box(), box() }, {});
    add("loops", { box() },
        { edge(0, 0, label), edge(0, 0, label), edge(0, 0), edge(0, 0, label), edge(0, 0, label) });
    add("twins", { box(), box() },
        { edge(0, 1, label), edge(0, 1, label), edge(0, 1), edge(1, 0, label), edge(1, 0) });
    add("many twins", { box(), box() }, Edges(15, edge(0, 1)));
    add("a circle", { box(), box(), box() }, { edge(0, 1), edge(1, 2), edge(2, 0, label) });
    add("to a composite", { box(), composite(), inside(box(), 1) },
        { edge(0, 1, label), edge(1, 0, label) });
    add("within its composite", { composite(), inside(box(), 0) },
        { edge(0, 1, label), edge(1, 0, label), edge(0, 0, label) });
    add("composite in composite", { composite(), composite(0), inside(box(), 1), box() },
        { edge(3, 2), edge(2, 3), edge(1, 3), edge(3, 0), edge(0, 2), edge(1, 0, label) });
    add("an empty composite", { composite(), box() }, { edge(0, 1, label), edge(0, 0) });
    add("open ends", { box(), composite(), inside(box(), 1) },
        { edge(0, -1, label), edge(-1, 0), edge(-1, 1, label), edge(2, -1) });
    add("a long label", { box(40), box(40), box(40) },
        { edge(0, 1, QSizeF(900, 18)), edge(0, 2, QSizeF(900, 300)), edge(1, 1, QSizeF(700, 18)) });
    add("a note for everything", { box(), composite(), inside(box(), 1) },
        { edge(0, 1, label), edge(2, 2, label), edge(1, 1, label) },
        { { .of = 0, .size = QSizeF(80, 200) }, { .of = 1, .size = QSizeF(80, 300) },
            { .of = 2, .side = LayoutNote::Side::Left, .size = QSizeF(50, 30) },
            { .of = 2, .side = LayoutNote::Side::Top, .size = QSizeF(50, 30) },
            { .of = 1, .side = LayoutNote::Side::Bottom, .size = QSizeF(50, 30) },
            { .of = -1, .size = QSizeF(50, 30) } });
    // What stands on a region's border goes where the region is stretched to.
    const LayoutNode region {
        .kind = LayoutNode::Kind::Region, .parent = 0, .size = QSizeF(0, 20)
    };
    const LayoutNode entry {
        .kind = LayoutNode::Kind::Entry, .parent = 1, .size = QSizeF(14, 14), .radius = 7
    };
    const LayoutNode start { .size = QSizeF(22, 22), .radius = 11, .isStart = true };
    add("an entry of a region", { composite(), region, start, inside(start, 0), entry },
        { edge(2, 3), edge(4, 2, label) });
    // Dots for which there is little room do not hide one another's arrows.
    LayoutNode placed = box(50, 24);
    placed.position = QPointF(0, 0);
    add("many arrows from dots", { placed }, Edges(67, edge(-1, 0)));
    add("many labelled arrows from dots", { placed }, Edges(51, edge(-1, 0, QSizeF(200, 18))));
    const auto beside = [](const QSizeF &size, const QPointF &at) {
        return LayoutNode { .size = size, .position = at };
    };
    const QSizeF wide(700, 300), low(300, 40);
    add("a dot without room near its box",
        { placed, beside(wide, { 0, -172 }), beside(wide, { 0, 172 }), beside(low, { -185, 0 }),
            beside(low, { 185, 0 }) },
        { edge(-1, 0) });
    add("starts that lead to each other", { start, start, box() },
        { edge(0, 1, label), edge(1, 0, label), edge(1, 2) });
}

void TestLayout::rulesHold()
{
    QFETCH(LayoutInput, input);
    for (const auto direction : { LayoutInput::Direction::Down, LayoutInput::Direction::Right }) {
        input.direction = direction;
        QCOMPARE(brokenIn(input), QString());
        // Also where everything is where the layout put it.
        const Layout layout = layoutOf(input);
        LayoutInput given = input;
        for (int i = 0; i < given.nodes.size(); ++i)
            given.nodes[i].position = layout.areas[i].center();
        QCOMPARE(brokenIn(given), QString());
    }
}

void TestLayout::randomCharts()
{
    QVERIFY(holdsFor(400, 100, [] {
        LayoutInput input =
            randomChart({ .leastStates = 0, .mostStates = *rc::gen::element(6, 15, 60) });
        input.wrapsBeyond = *rc::gen::element(0, 0, 300);
        demand(input, brokenIn(input));
    }));
}

/// What has a place keeps it when a state is added.
void TestLayout::nothingElseMoves()
{
    QVERIFY(holdsFor(200, 100, [] {
        LayoutInput input = randomChart({ .leastStates = 3, .mostStates = 25 });
        const int last = int(input.nodes.size()) - 1;
        LayoutInput smaller = input;
        smaller.nodes.removeLast();
        smaller.edges.removeIf(
            [=](const LayoutEdge &each) { return each.from == last || each.to == last; });
        smaller.notes.removeIf([=](const LayoutNote &each) { return each.of == last; });
        const Layout before = layoutOf(smaller);
        for (int i = 0; i < last; ++i)
            input.nodes[i].position = before.areas[i].center();
        const Layout after = layoutOf(input);
        demand(input, LayoutRules(input, after).broken());
        for (int i = 0; i < last; ++i) {
            const bool isBox = input.nodes[i].kind == LayoutNode::Kind::Box;
            if (isBox && QLineF(before.areas[i].center(), after.areas[i].center()).length() > 0.01)
                demand(input, u"box %1 moved"_s.arg(i));
        }
    }));
}

/// Other arrows keep their routes when a box moves, unless what moved with it covers them.
void TestLayout::onlyArrowsOfTheMovedBoxAreRouted()
{
    int kept = 0;
    QVERIFY(holdsFor(200, 100, [&kept] {
        LayoutInput input = randomChart({ .leastStates = 3, .mostStates = 25 });
        Layout before = layoutOf(input);
        for (int i = 0; i < input.nodes.size(); ++i)
            input.nodes[i].position = before.areas[i].center();
        before = layoutOf(input, {}, before);
        const int last = int(input.nodes.size()) - 1;
        *input.nodes[*rc::gen::inRange(0, last + 1)].position +=
            QPointF(*rc::gen::inRange(-200, 201), *rc::gen::inRange(-200, 201));
        const Layout after = layoutOf(input, {}, before);
        demand(input, LayoutRules(input, after).broken());
        for (int i = 0; i < input.edges.size(); ++i) {
            const LayoutEdge &edge = input.edges[i];
            const LayoutRoute &route = before.routes[i];
            bool isFree = true;
            const auto check = [&](const QRectF &was, const QRectF &is, bool isEnd) {
                const QRectF room = grown(is, 8);
                isFree = isFree
                    && (was == is
                        || (!isEnd && !room.intersects(route.label | route.dot)
                            && lengthInside(room, route.curve.samples(28)) == 0));
            };
            for (int node = 0; node <= last; ++node)
                check(before.areas[node], after.areas[node], node == edge.from || node == edge.to);
            for (int note = 0; note < input.notes.size(); ++note)
                check(before.notes[note].rect, after.notes[note].rect, false);
            if (!isFree)
                continue;
            ++kept;
            if (after.routes[i].curve != route.curve || after.routes[i].dot != route.dot)
                demand(input, u"edge %1 has another route"_s.arg(i));
        }
    }));
    QVERIFY(kept > 0);
}

void TestLayout::sameAgain()
{
    QVERIFY(holdsFor(60, 100, [] {
        const LayoutInput input = randomChart({ .mostStates = 40 });
        RC_ASSERT(layoutOf(input) == layoutOf(LayoutInput(input)));
    }));
}

/// What is given up early costs no less than what it was given up for.
void TestLayout::costsAreExactBelowTheLimit()
{
    QVERIFY(holdsFor(60, 100, [] {
        constexpr double unlimited = std::numeric_limits<double>::max();
        const LayoutInput input = randomChart({ .leastStates = 2, .mostStates = 15 });
        Layout layout = layoutOf(input);
        FreeScene scene(input, layout);
        for (int i = 0; i < input.edges.size(); ++i)
            scene.add(i);
        const auto agree = [&](double whole, double limited, double limit) {
            const bool agrees = whole < limit ? limited == whole : limited >= limit;
            RC_ASSERT(agrees);
        };
        for (int i = 0; i < input.edges.size(); ++i) {
            const FreeScene::Trial trial(layout.routes[i]);
            const double line = scene.lineCost(i, trial, unlimited);
            FreeScene::Trial best(trial);
            const double label = scene.placeLabel(i, best, unlimited);
            for (const double share : { 0.0, 0.3, 0.9, 1.0, 1.1 }) {
                agree(line, scene.lineCost(i, trial, line * share), line * share);
                FreeScene::Trial placed(trial);
                agree(label, scene.placeLabel(i, placed, label * share), label * share);
                if (label < label * share)
                    RC_ASSERT(placed.route == best.route);
            }
        }
    }));
}

/// Between layers no line passes through a box.
void TestLayout::linesKeepOffBoxes()
{
    QVERIFY(holdsFor(150, 100, [] {
        const LayoutInput input = randomChart({ .mostStates = 40, .isWild = false });
        const Layout layout = layoutOf(input);
        for (int i = 0; i < input.edges.size(); ++i) {
            if (inForeignBoxes(input, layout, i) > 0)
                demand(input, u"edge %1 passes through a box"_s.arg(i));
        }
    }));
}

void TestLayout::smallCharts_data() const
{
    const Rows<int, double> row("states", "mostHeight");
    row("one", 1, 36.0);
    row("two", 2, 36.0 * 2 + 70);
    row("three", 3, 36.0 * 3 + 2 * 70);
}

/// A chain is straight and no longer than it must be.
void TestLayout::smallCharts()
{
    QFETCH(int, states);
    QFETCH(double, mostHeight);
    LayoutInput input;
    for (int i = 0; i < states; ++i) {
        input.nodes += box(80 + 20 * i);
        if (i > 0)
            input.edges += edge(i - 1, i);
    }
    const Layout layout = layoutOf(input);
    QVERIFY2(
        layout.bounds.height() <= mostHeight, qPrintable(QString::number(layout.bounds.height())));
    for (const LayoutRoute &route : layout.routes) {
        QCOMPARE(route.curve.begin().x(), route.curve.end().x());
        QVERIFY(
            route.curve.length() - QLineF(route.curve.begin(), route.curve.end()).length() < 0.01);
    }
    for (int i = 1; i < states; ++i)
        QVERIFY(std::abs(layout.areas[i].center().x() - layout.areas[0].center().x()) <= 1);
}

/// Whatever covers what; and everything else is as it should be.
void TestLayout::placesThatHoldComeBack()
{
    QVERIFY(holdsFor(300, 100, [] {
        LayoutInput input = randomChart({ .mostStates = 20 });
        const int given = *rc::gen::inRange(1, 101);
        const int reach = *rc::gen::element(0, 60, 200, 600); // all in one place, or not
        QList<bool> isFrame(input.nodes.size(), false);
        for (const LayoutNode &node : input.nodes) {
            if (node.parent >= 0 && node.kind != LayoutNode::Kind::Entry
                && node.kind != LayoutNode::Kind::Exit)
                isFrame[node.parent] = true;
        }
        for (LayoutNode &node : input.nodes) {
            if (*rc::gen::inRange(0, 100) < given)
                node.position = QPointF(
                    *rc::gen::inRange(-reach, reach + 1), *rc::gen::inRange(-reach, reach + 1));
            if (node.kind == LayoutNode::Kind::Composite && *rc::gen::inRange(0, 3) == 0)
                node.wanted = QSizeF(*rc::gen::inRange(0, 900), *rc::gen::inRange(0, 900));
        }
        const Layout layout = layoutOf(input);
        demand(input, LayoutRules(input, layout).broken());
        for (int i = 0; i < input.nodes.size(); ++i) {
            const LayoutNode &node = input.nodes[i];
            const bool isPoint = node.parent >= 0
                && (node.kind == LayoutNode::Kind::Entry || node.kind == LayoutNode::Kind::Exit);
            if (!node.position || isPoint)
                continue;
            QRectF wanted(QPointF(), node.wanted);
            wanted.moveCenter(*node.position);
            if (isFrame[i] ? !node.wanted.isEmpty()
                        && !layout.areas[i].contains(wanted.adjusted(0.01, 0.01, -0.01, -0.01))
                           : QLineF(layout.areas[i].center(), *node.position).length() > 0.001)
                demand(input, u"box %1 moved"_s.arg(i));
        }
    }));
}

/// Also where a frame that is held lies under another one: what is new in it covers no box.
void TestLayout::whatHasNoPlaceKeepsOffWhatHolds()
{
    LayoutInput input { .nodes = { composite(), composite(), inside(box(), 0), inside(box(), 0),
                            inside(box(), 1), box(), box() },
        .edges = { edge(2, 3), edge(3, 6), edge(4, 5) } };
    input.nodes[2].position = QPointF(0, 0);
    input.nodes[4].position = QPointF(0, 96); // both frames cover one another
    input.nodes[5].position = QPointF(0, 260);
    const Layout layout = layoutOf(input);
    QCOMPARE(LayoutRules(input, layout).broken(), QString());
    for (const int placed : { 2, 4, 5 })
        QCOMPARE(layout.areas[placed].center(), *input.nodes[placed].position);
    for (const int other : { 2, 4, 5, 6 })
        QVERIFY(!layout.areas[3].intersects(layout.areas[other]));
    QVERIFY(layout.areas[0].contains(layout.areas[3]));
    QVERIFY(layout.areas[0].intersects(layout.areas[1]));
}

/// What stands beside them stays where it is, and frames around them grow.
void TestLayout::framesHaveTheSizeThatIsWanted()
{
    LayoutInput input;
    const auto frame = [](int parent) {
        return LayoutNode {
            .kind = LayoutNode::Kind::Composite, .parent = parent, .size = QSizeF(40, 20)
        };
    };
    const auto box = [](int parent, const QPointF &at) {
        return LayoutNode { .parent = parent, .size = QSizeF(80, 40), .position = at };
    };
    input.nodes = { frame(-1), frame(0), box(1, { 0, 0 }), box(-1, { 600, 0 }) };
    const Layout tight = layoutOf(input);
    input.nodes[1].position = QPointF(20, 10);
    input.nodes[1].wanted = QSizeF(300, 200);
    const Layout stretched = layoutOf(input);
    QCOMPARE(stretched.areas[1], QRectF(-130, -90, 300, 200));
    QVERIFY(stretched.areas[0].contains(stretched.areas[1].adjusted(-10, -10, 10, 10)));
    QCOMPARE(stretched.areas[2], tight.areas[2]);
    QCOMPARE(stretched.areas[3], tight.areas[3]);
    input.nodes[1].wanted = QSizeF(2000, 200); // somebody wants it to cover that
    const Layout covering = layoutOf(input);
    QCOMPARE(covering.areas[1], QRectF(-980, -90, 2000, 200));
    QVERIFY(covering.areas[0].contains(covering.areas[1]));
    QCOMPARE(covering.areas[3], tight.areas[3]);
    input.nodes[1].wanted = QSizeF(10, 10); // never smaller than what is in it
    QCOMPARE(layoutOf(input).areas[1], tight.areas[1]);
}

/// Where a title is longer than what is under it, what comes near may be covered, but moves
/// nothing.
void TestLayout::framesThatHoldDoNotTurnAround()
{
    LayoutInput input { .nodes = { composite(), inside(box(), 0), box() } };
    input.nodes[0].size = QSizeF(300, 20);
    input.nodes[1].position = QPointF(0, 0);
    input.nodes[2].position = QPointF(600, 0);
    const Layout before = layoutOf(input);
    input.nodes[2].position = QPointF(230, 0);
    const Layout after = layoutOf(input);
    QVERIFY(after.areas[0].intersects(after.areas[2]));
    QCOMPARE(after.areas[0], before.areas[0]);
}

void TestLayout::notesStandWhereTheyAreWanted()
{
    LayoutInput input;
    input.nodes = { LayoutNode { .size = QSizeF(80, 40), .position = QPointF(0, 0) } };
    input.notes = { LayoutNote { .of = 0, .size = QSizeF(60, 30), .position = QPointF(-200, 70) },
        LayoutNote { .of = 0, .size = QSizeF(60, 30) } };
    const Layout layout = layoutOf(input);
    QCOMPARE(layout.notes[0].rect, QRectF(-230, 55, 60, 30));
    QVERIFY(!layout.notes[0].line.isEmpty());
    QVERIFY(layout.bounds.contains(layout.notes[0].rect));
    QVERIFY(layout.notes[1].rect.left() > 40); // beside it
}

/// Where what is in two regions has its place, what stands on their borders finds room between
/// them.
void TestLayout::regionsKeepPointsApart()
{
    const LayoutNode region { .kind = LayoutNode::Kind::Region, .parent = 0 };
    const LayoutNode exit {
        .kind = LayoutNode::Kind::Exit, .parent = 1, .size = QSizeF(14, 14), .radius = 7
    };
    LayoutNode entry = inside(exit, 2);
    entry.kind = LayoutNode::Kind::Entry;
    LayoutInput input { .nodes = { composite(), region, region, inside(box(), 1), inside(box(), 2),
                            exit, entry },
        .edges = { edge(5, 6) } };
    input.nodes[3].position = QPointF(0, 0);
    for (int y = 50; y < 120; ++y) {
        input.nodes[4].position = QPointF(0, y);
        QCOMPARE(brokenIn(input), QString());
    }
}

void TestLayout::regionsStandSideBySide()
{
    LayoutNode region { .kind = LayoutNode::Kind::Region, .parent = 0 };
    LayoutInput input { .nodes = { composite(), region, region, inside(box(), 1), inside(box(), 1),
                            inside(box(), 2), box() },
        .edges = { edge(3, 4, QSizeF(40, 18)), edge(6, 0), edge(5, 6), edge(4, 5) } };
    const Layout layout = layoutOf(input);
    QCOMPARE(LayoutRules(input, layout).broken(), QString());
    QCOMPARE(layout.areas[1].top(), layout.areas[2].top());
    QCOMPARE(layout.areas[1].bottom(), layout.areas[2].bottom());
    input.direction = LayoutInput::Direction::Right;
    const Layout flat = layoutOf(input);
    QCOMPARE(flat.areas[1].left(), flat.areas[2].left());
    QCOMPARE(flat.areas[1].right(), flat.areas[2].right());
}

void TestLayout::pointsStandOnTheBorder()
{
    LayoutNode entry {
        .kind = LayoutNode::Kind::Entry, .parent = 0, .size = QSizeF(14, 14), .radius = 7
    };
    LayoutNode exit = entry;
    exit.kind = LayoutNode::Kind::Exit;
    LayoutInput input { .nodes = { composite(), entry, exit, inside(box(), 0), box(), box() },
        .edges = { edge(4, 1), edge(1, 3), edge(3, 2, QSizeF(40, 18)), edge(2, 5) } };
    const Layout layout = layoutOf(input);
    QCOMPARE(LayoutRules(input, layout).broken(), QString());
    QCOMPARE(layout.areas[1].center().y(), layout.areas[0].top());
    QCOMPARE(layout.areas[2].center().y(), layout.areas[0].bottom());
}

void TestLayout::notesStandBesideTheirBox()
{
    using Side = LayoutNote::Side;
    for (const Side side : { Side::Left, Side::Right, Side::Top, Side::Bottom }) {
        LayoutInput input { .nodes = { box(), box(), box() },
            .edges = { edge(0, 1), edge(1, 2), edge(1, 1, QSizeF(50, 18)) },
            .notes = { { .of = 1, .side = side, .size = QSizeF(90, 50) } } };
        const Layout layout = layoutOf(input);
        QCOMPARE(LayoutRules(input, layout).broken(), QString());
        const QPointF away = layout.notes[0].rect.center() - layout.areas[1].center();
        const bool isThere = side == Side::Left ? away.x() < -90
            : side == Side::Right               ? away.x() > 90
            : side == Side::Top                 ? away.y() < -40
                                                : away.y() > 40;
        QVERIFY2(isThere, qPrintable(QString::number(int(side))));
        const Curve &line = layout.notes[0].line;
        QVERIFY(Outline({ layout.areas[1], 10 }).distance(line.begin()) < 0.1
            || Outline({ layout.areas[1], 10 }).distance(line.end()) < 0.1);
    }
}

void TestLayout::startsAreOnTop()
{
    LayoutInput input { .nodes = { box(), box(), box() },
        .edges = { edge(0, 1), edge(1, 2), edge(2, 0) } };
    for (int start = 0; start < 3; ++start) {
        for (int i = 0; i < 3; ++i)
            input.nodes[i].isStart = i == start;
        const Layout layout = layoutOf(input);
        for (int i = 0; i < 3; ++i)
            QVERIFY(i == start || layout.areas[start].bottom() < layout.areas[i].top());
    }
}

/// A state leads to a composite and out of what is in it: no ranking has both downwards.
void TestLayout::circlesBetweenCompositesAndStates()
{
    const QSizeF label(60, 18);
    const LayoutInput input { .nodes = { composite(), inside(box(), 0), inside(box(), 0), box() },
        .edges = { edge(3, 0, label), edge(0, 3, label), edge(1, 3), edge(3, 2), edge(1, 2) } };
    QCOMPARE(brokenIn(input), QString());
}

/// Where an arrow ends on a composite, none that leads further in crosses its border.
void TestLayout::endsOnBordersKeepOffLines()
{
    const QSizeF label(44, 18);
    for (int count = 2; count <= 7; ++count) {
        for (int inner = 0; inner < count; ++inner) {
            LayoutInput input;
            input.nodes = { box(), composite(), inside(box(26, 26), 1), inside(box(), 1),
                inside(box(), 1) };
            for (int i = 0; i < count; ++i)
                input.edges += i == inner ? edge(0, 2, label)
                    : i % 2               ? edge(1, 0, label)
                                          : edge(0, 1, label);
            input.edges += edge(3, 4, label);
            const Layout layout = layoutOf(input);
            const double top = layout.areas[1].top();
            double crossing = 0, least = 1e9;
            for (const QPointF &point : layout.routes[inner].curve.samples(400)) {
                if (std::abs(point.y() - top) < least) {
                    least = std::abs(point.y() - top);
                    crossing = point.x();
                }
            }
            for (int i = 0; i < count; ++i) {
                if (i == inner)
                    continue;
                const Curve &curve = layout.routes[i].curve;
                const QPointF end = input.edges[i].from == 1 ? curve.begin() : curve.end();
                QVERIFY2(std::abs(end.y() - top) > 1 || std::abs(end.x() - crossing) > 6,
                    qPrintable(u"%1 of %2: arrow %3"_s.arg(inner).arg(count).arg(i)));
            }
        }
    }
}

const instar::TestClass<TestLayout> registered;
#include "tst_layout.moc"
