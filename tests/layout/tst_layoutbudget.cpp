// SPDX-License-Identifier: Apache-2.0
// Charts that are too large for a good layout: the limit is named, and a plain layout is there.
#include "model/layout/layout.h"
#include "tests/layout/randomcharts.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <random>

using namespace instar;
using namespace Qt::StringLiterals;

class TestLayoutBudget : public QObject
{
    Q_OBJECT

private slots:
    void plainBeyondTheLimit_data();
    void plainBeyondTheLimit();
    void usualWithinTheLimit();
    void plainHoldsPositions();
};

namespace {

std::atomic<bool> layoutCanceled = true;

LayoutInput someChart(int states)
{
    std::mt19937 random(7);
    const Dice dice = [&](int least, int most) {
        return least + int(random() % unsigned(most - least + 1));
    };
    return RandomChart(dice, { .leastStates = states, .mostStates = states }).made();
}

/// What is wrong with a plain layout; empty: nothing.
QString wrongIn(const LayoutInput &input, const Layout &layout)
{
    if (layout.areas.size() != input.nodes.size() || layout.routes.size() != input.edges.size()
        || layout.notes.size() != input.notes.size())
        return u"something has no place"_s;
    for (int a = 0; a < input.nodes.size(); ++a) {
        for (int b = 0; b < a; ++b) {
            if (input.contains(b, a)) {
                if (!layout.areas[b].contains(layout.areas[a]))
                    return u"%1 is not inside %2"_s.arg(a).arg(b);
            } else if (layout.areas[a].intersects(layout.areas[b])) {
                return u"%1 covers %2"_s.arg(a).arg(b);
            }
        }
    }
    for (int i = 0; i < input.edges.size(); ++i) {
        if (layout.routes[i].curve.isEmpty())
            return u"edge %1 has no line"_s.arg(i);
        if (layout.routes[i].label.size() != input.edges[i].label
            && !input.edges[i].label.isEmpty())
            return u"edge %1 has no label"_s.arg(i);
    }
    for (const QRectF &area : layout.areas) {
        if (!layout.bounds.contains(area))
            return u"the bounds are too small"_s;
    }
    return {};
}

} // namespace

void TestLayoutBudget::plainBeyondTheLimit_data()
{
    QTest::addColumn<Limit>("limit");
    for (const Limit limit :
        { Limit::States, Limit::Arrows, Limit::Memory, Limit::Time, Limit::Canceled })
        QTest::newRow(qPrintable(limitName(limit))) << limit;
}

void TestLayoutBudget::plainBeyondTheLimit()
{
    QFETCH(Limit, limit);
    const LayoutInput input = someChart(60);
    Budget budget;
    if (limit == Limit::States)
        budget.states = input.nodes.size() - 1;
    if (limit == Limit::Arrows)
        budget.arrows = input.edges.size() - 1;
    if (limit == Limit::Memory)
        budget.bytes = 1;
    if (limit == Limit::Time)
        budget.deadline = QDeadlineTimer(0);
    if (limit == Limit::Canceled)
        budget.isCanceled = &layoutCanceled;
    const Layout layout = layoutOf(input, budget);
    QCOMPARE(layout.simplifiedBy, limit);
    QCOMPARE(wrongIn(input, layout), QString());
}

void TestLayoutBudget::usualWithinTheLimit()
{
    const LayoutInput input = someChart(60);
    const Layout layout =
        layoutOf(input, { .states = input.nodes.size(), .arrows = input.edges.size() });
    QCOMPARE(layout.simplifiedBy, Limit::None);
    QVERIFY(layout == layoutOf(input));
}

/// Where a person has placed everything it stays there.
void TestLayoutBudget::plainHoldsPositions()
{
    LayoutInput input;
    for (int i = 0; i < 4; ++i)
        input.nodes +=
            LayoutNode { .size = { 80, 40 }, .position = QPointF(300 * i, 500 - 90 * i) };
    input.edges = { { .from = 0, .to = 3 }, { .from = 2, .to = 2 }, { .from = -1, .to = 1 } };
    const Layout layout = layoutOf(input, { .states = 3 });
    QCOMPARE(layout.simplifiedBy, Limit::States);
    QCOMPARE(wrongIn(input, layout), QString());
    for (int i = 0; i < 4; ++i)
        QCOMPARE(layout.areas[i].center(), *input.nodes[i].position);
    QVERIFY(!layout.routes[2].dot.isEmpty());
}

const instar::TestClass<TestLayoutBudget> registered;
#include "tst_layoutbudget.moc"
