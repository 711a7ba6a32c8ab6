// SPDX-License-Identifier: Apache-2.0
// What the run has exercised, on the chart and in the conflict matrix of the real window.

#include "model/explore/coverage.h"
#include "model/explore/rerun.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "views/editing/matrixpanel.h"
#include "views/htmlview.h"
#include "views/look.h"

#include <QImage>

using namespace Qt::StringLiterals;
using namespace instar;

class TestExercising : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void onTheChart();
    void inTheMatrix();
    void countsWhatCameBefore();
    void staysWhenStartedOver();
    void runsToQuietCount();
    void branchesCount();
    void aMovedStateChangesNothing();

private:
    void setShown(bool shown)
    {
        QAction &shows = action(u"Rule Coverage of the Run"_s);
        if (shows.isChecked() != shown)
            shows.trigger();
    }
    /// How many arrows are drawn faint.
    int faintArrows()
    {
        QSet<int> arrows;
        for (const ChartElement &element : chart().parts()) {
            if (element.kind == ChartElement::Kind::Line
                && chart().looks().arrows[element.index].isFaint)
                arrows.insert(element.index);
        }
        return int(arrows.size());
    }
    void ask(const QString &op, const QString &path)
    {
        simulator().submit({ .op = op, .path = path });
        settle();
    }
    Coverage::Part rows() { return m_window->coverage().rows(); }
    MatrixPanel &matrix() { return m_window->editing()->matrix(); }
};

void TestExercising::onTheChart()
{
    m_window->select(net + u"/subnets/Rack-2"_s);
    const int before = faintArrows();
    setShown(true);
    const int all = faintArrows();
    QVERIFY2(all > before, "nothing was exercised yet, but what is lit");
    ask(u"PUT"_s, subnet);
    QVERIFY(simulator().runUntilQuiet());
    ask(u"DELETE"_s, subnet);
    QVERIFY(simulator().runUntilQuiet());
    settle();
    const int left = faintArrows();
    QVERIFY2(left < all, qPrintable(u"%1 of %2"_s.arg(left).arg(all)));
    QVERIFY(left > 0);
    setShown(false);
    QCOMPARE(faintArrows(), before);
}

void TestExercising::inTheMatrix()
{
    setShown(true);
    m_window->editing()->setOn(true);
    m_window->docks().raiseAndFocus(m_window->docks().named(u"conflicts"_s));
    const Meeting meeting { u"PUT"_s, u"DELETE"_s, u"ancestor"_s };
    QVERIFY(matrix().isFaint(meeting));
    matrix().table().setCurrentIndex(matrix().model().indexOf(meeting));
    QVERIFY(
        matrix().details().toPlainText().contains(u"No run has exercised this conflict yet."_s));
    const auto drawn = [&] {
        const QModelIndex index = matrix().model().indexOf(meeting);
        matrix().table().scrollTo(index);
        return matrix().table().viewport()->grab(matrix().table().visualRect(index)).toImage();
    };
    QTRY_VERIFY(matrix().table().isVisible());
    const QImage faint = drawn();
    QCOMPARE(faint.pixelColor(1, faint.height() / 2), theme().accent); // it is current
    ask(u"PUT"_s, net);
    ask(u"DELETE"_s, subnet);
    QVERIFY(!matrix().isFaint(meeting));
    QVERIFY(matrix().details().toPlainText().contains(u"A run has exercised this conflict."_s));
    QVERIFY(drawn() != faint);
    setShown(false);
    QVERIFY(!matrix().isFaint({ u"DELETE"_s, u"DELETE"_s, u"sibling"_s }));
    QVERIFY(!matrix().details().toPlainText().contains(u"xercised"_s));
}

/// What has happened before anybody wanted to know, and what was stepped back over.
void TestExercising::countsWhatCameBefore()
{
    ask(u"PUT"_s, subnet);
    ask(u"DELETE"_s, net);
    QVERIFY(simulator().runUntilQuiet());
    simulator().jump(1);
    setShown(true);
    const Coverage &coverage = m_window->coverage();
    QVERIFY(!coverage.meetingsLeft().contains(Meeting { u"PUT"_s, u"DELETE"_s, u"descendant"_s }));
    const qsizetype before = rows().exercised;
    simulator().jump(simulator().lastMoment());
    QCOMPARE(rows().exercised, before);
    simulator().jump(1); // another branch
    ask(u"PUT"_s, net);
    QVERIFY(!coverage.meetingsLeft().contains(Meeting { u"PUT"_s, u"PUT"_s, u"descendant"_s }));
    QVERIFY(!coverage.meetingsLeft().contains(Meeting { u"PUT"_s, u"DELETE"_s, u"descendant"_s }));
}

void TestExercising::staysWhenStartedOver()
{
    setShown(true);
    ask(u"PUT"_s, subnet);
    QVERIFY(simulator().runUntilQuiet());
    const qsizetype before = rows().exercised;
    QVERIFY(before > 1);
    simulator().reset();
    QCOMPARE(rows().exercised, before);
    ask(u"GET"_s, u"/logicalNetworks/nowhere"_s);
    QVERIFY(m_window->coverage().codes().exercised > 0);
    // Other rules have to be exercised anew.
    const Pack other = *loadPack(u"network-controller-sync"_s);
    Replay(simulator()).play(*Rules::make(other));
    QCOMPARE(rows().exercised, 0);
}

/// What happens all at once beside the event loop is counted in its order.
void TestExercising::runsToQuietCount()
{
    setShown(true);
    ask(u"PUT"_s, subnet);
    ask(u"PUT"_s, net);
    QTest::keyClick(m_window, Qt::Key_End, Qt::ControlModifier);
    QTRY_VERIFY(simulator().world().running.empty());
    const Exercised exercised = m_window->coverage().exercised();
    Coverage again(simulator().rules());
    World world = simulator().beginning();
    for (const Record &record : simulator().records()) {
        Exercised one;
        world = step(simulator().rules(), std::move(world), record.event, &one).world;
        again.add(one);
    }
    QVERIFY(exercised.rows == again.exercised().rows);
    QVERIFY(exercised.meetings == again.exercised().meetings);
}

/// Also those that were left before, and stories that were followed at once.
void TestExercising::branchesCount()
{
    ask(u"PUT"_s, subnet);
    simulator().jump(0);
    ask(u"DELETE"_s, subnet);
    simulator().jump(0);
    ask(u"GET"_s, subnet);
    setShown(true);
    const Coverage &coverage = m_window->coverage();
    const qsizetype three = rows().exercised;
    simulator().jump(0);
    QVERIFY(three >= 2);
    QVERIFY(coverage.meetingsLeft().contains(Meeting { u"PUT"_s, u"PUT"_s, u"self"_s }));
    auto request = QSharedPointer<Request>::create();
    request->op = u"PUT"_s;
    request->path = subnet;
    request->id = u"a"_s;
    auto again = QSharedPointer<Request>::create(*request);
    again->id = u"b"_s;
    QVERIFY(simulator().playOnNewBranch({ { .kind = Event::Kind::Submit, .request = request },
                                            { .kind = Event::Kind::Submit, .request = again } },
        100, u"story"_s));
    QVERIFY(!coverage.meetingsLeft().contains(Meeting { u"PUT"_s, u"PUT"_s, u"self"_s }));
}

/// Rules that mean the same, after it was started over.
void TestExercising::aMovedStateChangesNothing()
{
    setShown(true);
    ask(u"PUT"_s, subnet);
    const qsizetype before = rows().exercised;
    QVERIFY(before > 0);
    simulator().reset();
    Pack moved = simulator().rules().pack();
    moved.machines.first().states.last().position = QPointF(900, 900);
    simulator().restate(*Rules::make(moved));
    QCOMPARE(rows().exercised, before);
}

const instar::TestClass<TestExercising, QApplication> registered;

#include "tst_exercising.moc"
