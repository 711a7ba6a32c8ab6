// SPDX-License-Identifier: Apache-2.0
// The live statechart, driven as a person drives it.

#include "model/statecharts/chartfile.h"
#include "model/statecharts/conversion.h"
#include "model/statecharts/notation/notations.h"
#include "tests/support/packtext.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "tests/views/packlab.h"
#include "tests/views/statechartscene.h"
#include "views/drawing/sheet.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QVariantAnimation>

#include <algorithm>

using namespace instar;
using namespace instar::scene;
using namespace Qt::StringLiterals;

class TestStatechart : public QObject
{
    Q_OBJECT

private slots:
    void nothingSelected();
    void whatMayHappen();
    void whatMayHappenWhereAnotherWorks();
    void oneOfTwoRowsMayHappen();
    void namesOfSeveralLines();
    void whatIsNotThere();
    void clickFires();
    void clickEnds();
    void clickSelects();
    void counts();
    void tokenTravels();
    void tokenFollowsTheCurve();
    void tokenKeepsOffTheName();
    void reducedMotion();
    void stepBack();
    void otherRules();
    void refusedClickIsAsked();
    void movesOnlyWhileThereIsWork();
    void smallChartsAreNotBlownUp();
    void compositesFold();
    void labelsComeOnHover();
    void redStatesSayWhy();
};

void TestStatechart::nothingSelected()
{
    Scene scene { QString() };
    QVERIFY(scene.view->layout().boxes.isEmpty());
    QCOMPARE(scene.view->state(), Rules::StateId(Rules::None));
    scene.view->grab();
    QTest::keyClick(scene.view.get(), Qt::Key_Right);
    QTest::keyClick(scene.view.get(), Qt::Key_Return);
    QTest::mouseClick(scene.view->viewport(), Qt::LeftButton, {}, QPoint(200, 200));
}

void TestStatechart::whatMayHappen()
{
    Scene scene;
    QCOMPARE(scene.lit(), u"Succeeded to Deleting: DELETE; Succeeded to Updating: PUT"_s);
    scene.ask(u"PUT"_s, subnet);
    QTRY_COMPARE(scene.lit(),
        u"Updating to Deleting: DELETE; Updating to Failed: failed; Updating to Succeeded: "
        u"succeeded; "
        "Updating to Updating: PUT; Updating to Updating: transient failure: again"_s);
}

void TestStatechart::whatMayHappenWhereAnotherWorks()
{
    Scene scene { network };
    const quint32 serial = scene.ask(u"PUT"_s, subnet);
    // Above what is worked on: its outcomes move this one too.
    QTRY_COMPARE(scene.view->state(), scene.id(u"Touched"_s));
    QTRY_COMPARE(scene.view->meaningOf(scene.line(u"Touched to Failed: failed"_s)).serial, serial);
    QVERIFY(scene.view->descriptionOf(scene.line(u"Touched to Failed: failed"_s)).contains(subnet));
    // Beside it: nothing may happen.
    scene.selection.choose(other);
    QCOMPARE(scene.lit(), QString());
    const ArrowMeaning put = scene.view->meaningOf(scene.line(u"Succeeded to Updating: PUT"_s));
    QCOMPARE(put.kind, ArrowMeaning::Kind::Refused);
    QVERIFY2(put.rule.contains(u"rule 9"), qPrintable(put.rule));
}

/// Two rows are on one outcome: lit is the one that the condition leads to.
void TestStatechart::oneOfTwoRowsMayHappen()
{
    for (const bool answer : { true, false }) {
        Scene scene { *packFromText("@startuml x\n[*] --> A\nA --> B : go\n"
                                    "B --> C : succeeded [x]\nB --> D : succeeded\n@enduml",
            u"x.puml"_s) };
        scene.simulator->submit({ .op = u"go"_s,
            .path = u"/x/one"_s,
            .hang = true,
            .conditions = { { u"x"_s, answer } } });
        scene.simulator->updates().flush();
        QTRY_COMPARE(scene.view->state(), scene.id(u"B"_s));
        QTRY_COMPARE(scene.lit(), answer ? u"B to C: succeeded [x]"_s : u"B to D: succeeded"_s);
    }
}

void TestStatechart::namesOfSeveralLines()
{
    const Scene scene { *packFromText(
        "@startuml x\nstate \"Two\\nlines\" as A\n[*] --> A\nA --> B : go\n@enduml", u"x.puml"_s) };
    QCOMPARE(scene.view->layout().boxes[scene.state(u"A"_s).index].name,
        QStringList({ u"Two"_s, u"lines"_s }));
}

void TestStatechart::whatIsNotThere()
{
    Scene scene { u"/logicalNetworks/n/subnets/new"_s };
    QCOMPARE(scene.view->state(), scene.id(u"absent"_s));
    QCOMPARE(scene.tokenNow(), scene.token(u"absent"_s));
    QVERIFY(scene.lit().contains(u"absent to Updating: PUT"_s));
    const QSignalSpy fired(scene.view.get(), &StatechartView::fireRequested);
    scene.click(scene.line(u"absent to Updating: PUT"_s));
    QCOMPARE(fired.size(), 1);
    // A resource that goes takes the token with it.
    scene.selection.choose(other);
    scene.ask(u"DELETE"_s, other, false);
    scene.simulator->advance(5000);
    scene.simulator->updates().flush();
    QTRY_COMPARE(scene.view->state(), scene.id(u"absent"_s));
    scene.rest();
    QCOMPARE(scene.tokenNow(), scene.token(u"absent"_s));
}

void TestStatechart::clickFires()
{
    Scene scene;
    QSignalSpy fired(scene.view.get(), &StatechartView::fireRequested);
    QSignalSpy selected(&scene.selection, &Selection::rowsChosen);
    scene.click(scene.line(u"Succeeded to Updating: PUT"_s));
    QCOMPARE(fired.size(), 1);
    QCOMPARE(fired[0][0].toString(), u"PUT"_s);
    // The bare line means the same.
    const ChartArrow &arrow =
        scene.view->layout().arrows[scene.line(u"Succeeded to Deleting: DELETE"_s).index];
    QTest::mouseClick(
        scene.view->viewport(), Qt::LeftButton, {}, scene.view->mapFromScene(arrow.curve.at(0.9)));
    QCOMPARE(fired.size(), 2);
    QCOMPARE(fired[1][0].toString(), u"DELETE"_s);
    QCOMPARE(selected.size(), 0);
}

void TestStatechart::clickEnds()
{
    Scene scene;
    connect(scene.view.get(), &StatechartView::endRequested, scene.simulator.get(),
        [&](quint32 serial, const QString &outcome) {
            scene.simulator->end(serial, scene.simulator->rules().trigger(outcome));
            scene.simulator->updates().flush();
        });
    QSignalSpy ended(scene.view.get(), &StatechartView::endRequested);
    const quint32 serial = scene.ask(u"PUT"_s, subnet);
    scene.click(
        scene.line(u"Updating to Failed: failed"_s)); // at once: what is lit is asked for anew
    QCOMPARE(ended.size(), 1);
    QCOMPARE(ended[0][0].toUInt(), serial);
    QCOMPARE(ended[0][1].toString(), u"failed"_s);
    QTRY_COMPARE(scene.view->state(), scene.id(u"Failed"_s));
}

void TestStatechart::clickSelects()
{
    Scene scene;
    QSignalSpy fired(scene.view.get(), &StatechartView::fireRequested);
    QSignalSpy chosen(&scene.selection, &Selection::rowsChosen);
    const SelectedRows &rows = scene.selection.rows();
    scene.click(scene.state(u"Failed"_s));
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(rows.machine, scene.simulator->rules().pack().machines[0].id);
    QCOMPARE(rows.states, QStringList { u"Failed"_s });
    QVERIFY(scene.look(u"Failed"_s).isSelected);
    scene.click(scene.line(u"Deleting to absent: succeeded"_s));
    QCOMPARE(chosen.size(), 2);
    QVERIFY(rows.states.isEmpty());
    QCOMPARE(rows.transitions.size(), 1);
    const Transition &row =
        scene.simulator->rules().pack().machines[0].transitions[*rows.transitions.begin()];
    QCOMPARE(row.from, QStringList { u"Deleting"_s });
    QCOMPARE(row.on, QStringList { u"succeeded"_s });
    QVERIFY(!scene.look(u"Failed"_s).isSelected);
    QCOMPARE(fired.size(), 0);
    // Nothing lies between the charts' corners and its margin.
    QTest::mouseClick(scene.view->viewport(), Qt::LeftButton, {}, QPoint(2, 2));
    QCOMPARE(chosen.size(), 2);
    // What was chosen of one resource's chart is not of the next one's.
    scene.selection.choose(other);
    QVERIFY(rows.isEmpty());
}

void TestStatechart::counts()
{
    Scene scene;
    const auto said = [&](const QString &state) { return scene.look(state).detail; };
    QCOMPARE(said(u"Succeeded"_s), u"3 resources"_s);
    QCOMPARE(said(u"Updating"_s), u"none"_s);
    QCOMPARE(said(u"Touched"_s), QString()); // small: below "shows as Updating"
    QVERIFY(!scene.look(u"Updating"_s).isOccupied);
    QCOMPARE(scene.view->legend(), u"* any state · H the state before"_s);
    scene.ask(u"PUT"_s, subnet);
    QTRY_COMPARE(said(u"Succeeded"_s), u"1 resource"_s);
    QCOMPARE(said(u"Updating"_s), u"1 resource"_s);
    QCOMPARE(said(u"Touched"_s), u"1 here"_s);
    QVERIFY(scene.look(u"Touched"_s).isOccupied);
    QCOMPARE(countText(12'345'678), u"12,345 k resources"_s);
}

void TestStatechart::tokenTravels()
{
    Scene scene;
    QCOMPARE(scene.tokenNow(), scene.token(u"Succeeded"_s));
    scene.ask(u"PUT"_s, subnet);
    QVERIFY(scene.view->isTravelling());
    QCOMPARE(scene.view->state(), scene.id(u"Updating"_s));
    QVERIFY(scene.tokenNow() != scene.token(u"Updating"_s));
    scene.rest();
    QCOMPARE(scene.tokenNow(), scene.token(u"Updating"_s));
    // Somebody else's move leaves it where it is; another resource's token is there at once.
    scene.ask(u"PUT"_s, u"/macPools/m"_s);
    QVERIFY(!scene.view->isTravelling());
    scene.selection.choose(other);
    QVERIFY(!scene.view->isTravelling());
    QCOMPARE(scene.tokenNow(), scene.token(u"Succeeded"_s));
}

/// In a small view, where names are enlarged.
void TestStatechart::tokenKeepsOffTheName()
{
    Scene scene;
    const auto box = [&] { return scene.view->layout().boxes[scene.state(u"Succeeded"_s).index]; };
    scene.view->resize(420, 300);
    QTRY_COMPARE(scene.tokenNow(), box().outline.rect.topRight());
    scene.view->resize(1400, 900);
    QTRY_COMPARE(scene.tokenNow(), box().token);
}

void TestStatechart::tokenFollowsTheCurve()
{
    Scene scene;
    const Curve &curve =
        scene.view->layout().arrows[scene.line(u"Succeeded to Updating: PUT"_s).index].curve;
    scene.ask(u"PUT"_s, subnet);
    auto *travel = scene.view->findChild<QVariantAnimation *>();
    QVERIFY(travel && scene.view->isTravelling());
    travel->pause(); // the test is its clock
    const QList<QPointF> middle = curve.part(0.3, 0.7).samples(60);
    double nearest = 1e9;
    for (int percent = 0; percent < 100; ++percent) {
        travel->setCurrentTime(travel->duration() * percent / 100);
        for (const QPointF &point : middle)
            nearest = std::min(nearest, QLineF(point, scene.tokenNow()).length());
    }
    QVERIFY2(nearest < 12, qPrintable(QString::number(nearest)));
}

void TestStatechart::reducedMotion()
{
    Scene scene;
    scene.view->setMotion(Motion::Reduced);
    scene.ask(u"PUT"_s, subnet);
    QVERIFY(!scene.view->isTravelling());
    QCOMPARE(scene.tokenNow(), scene.token(u"Updating"_s));
    QTest::qWait(1);
    QVERIFY(!scene.view->isAnimating());
}

void TestStatechart::stepBack()
{
    Scene scene;
    scene.ask(u"PUT"_s, subnet);
    scene.rest();
    QVERIFY(scene.simulator->stepBack());
    QCOMPARE(scene.view->state(), scene.id(u"Succeeded"_s));
    QCOMPARE(scene.look(u"Succeeded"_s).detail, u"3 resources"_s);
    scene.rest();
    QCOMPARE(scene.tokenNow(), scene.token(u"Succeeded"_s));
}

void TestStatechart::otherRules()
{
    Scene scene;
    const Result<Pack> pack = loadPack(u"network-controller-sync"_s);
    const Result<Rules> rules = Rules::make(*pack);
    const Loaded loaded = makeWorld(*rules, { { network, {}, {}, {} } });
    scene.simulator->reset(*rules, loaded.world);
    const auto names = [&] {
        QStringList result;
        for (const ChartBox &box : scene.view->layout().boxes)
            result += box.name.join(u' ');
        return result.join(u", ");
    };
    QVERIFY2(names().contains(u"putting"), qPrintable(names()));
    QCOMPARE(scene.view->state(), rules->stateNamed(0, u"absent"_s));
}

void TestStatechart::refusedClickIsAsked()
{
    Scene scene;
    scene.ask(u"PUT"_s, other);
    QSignalSpy fired(scene.view.get(), &StatechartView::fireRequested);
    QSignalSpy rows(&scene.selection, &Selection::rowsChosen);
    const ChartElement put = scene.line(u"Succeeded to Updating: PUT"_s);
    scene.click(put);
    QCOMPARE(fired.size(), 1); // asked for, and so recorded, as on Fire
    QCOMPARE(rows.size(), 1);
    QVERIFY(scene.view->descriptionOf(put).contains(u"rule 9"));
}

void TestStatechart::movesOnlyWhileThereIsWork()
{
    Scene scene;
    QVERIFY(!scene.view->isAnimating());
    scene.ask(u"PUT"_s, subnet, false);
    QTRY_VERIFY(scene.view->isAnimating());
    const double dash = scene.look(u"Updating"_s).dash;
    QTRY_VERIFY(scene.look(u"Updating"_s).dash != dash);
    scene.view->hide();
    QVERIFY(!scene.view->isAnimating());
    scene.view->show();
    QVERIFY(scene.view->isAnimating());
    scene.simulator->advance(10'000);
    scene.simulator->updates().flush();
    QTRY_COMPARE(scene.look(u"Updating"_s).dash, 0.0);
    QTRY_VERIFY(!scene.view->isAnimating());
}

/// A chart of two states is as large as it is easy to read, not as the window.
void TestStatechart::smallChartsAreNotBlownUp()
{
    const Scene scene(labPack());
    scene.view->resize(1900, 1200);
    QTest::qWait(1);
    QVERIFY(scene.view->transform().m11() <= 1.25);
    QVERIFY(scene.view->transform().m11() > 1);
    scene.view->fit();
    QVERIFY(scene.view->transform().m11() <= 1.25);
}

/// Where the whole could not be read, composites are boxes that count what is in them; but for the
/// largest, which is open whatever happens and whoever is selected.
void TestStatechart::compositesFold()
{
    const QString path = u"/resources/network"_s;
    Scene scene(*loadPack(u"pulumi"_s));
    StatechartView &view = *scene.view;
    scene.selection.choose(path);
    view.resize(4000, 3000);
    const qsizetype all = view.layout().boxes.size();
    QVERIFY(view.layout().folded.isEmpty());
    view.resize(980, 410);
    const QList<ChartBox> boxes = view.layout().boxes;
    QVERIFY(!view.layout().folded.isEmpty());
    QVERIFY(boxes.size() < all);
    QVERIFY(view.seen().contains(view.layout().bounds));
    const int manage = view.layout().boxOf(scene.id(u"Manage"_s));
    QVERIFY(boxes[manage].isFrame());
    QVERIFY(view.layout().folded.contains(scene.id(u"read_read"_s)));
    QVERIFY(!scene.lit().isEmpty());
    scene.ask(u"read"_s, u"/resources/subnet"_s);
    QTRY_COMPARE(scene.look(u"Read"_s).detail, u"1 resource"_s);
    scene.ask(u"manage"_s, path);
    QCOMPARE(boxes[view.layout().boxOf(view.state())].parent, manage);
    for (const QString &other : { u"/resources/site"_s, u"/resources/queue"_s, path }) {
        scene.selection.choose(other);
        QCOMPARE(view.layout().boxes, boxes);
    }
    // Long names have several lines.
    const Drawing drawing { view.pictureSize(), [&](QPainter &by) { view.paintAll(by); } };
    const QByteArray svg = *drawn(drawing, SheetFormat::Svg);
    QVERIFY(svg.contains("check.Inputs"));
}

/// Before names could not be read, the labels of what cannot happen now wait for the pointer.
void TestStatechart::labelsComeOnHover()
{
    Scene scene(*loadPack(u"pulumi"_s));
    StatechartView &view = *scene.view;
    scene.selection.choose(u"/resources/network"_s);
    view.resize(4000, 3000);
    const auto hidden = [&] {
        QList<int> arrows;
        for (int i = 0; i < view.layout().arrows.size(); ++i) {
            if (view.looks().arrows[i].hidesLabel)
                arrows += i;
        }
        return arrows;
    };
    QVERIFY(hidden().isEmpty());
    view.resize(980, 410);
    QVERIFY(view.seen().contains(view.layout().bounds));
    QVERIFY(view.transform().m11() * view.looks().fonts->state.pixelSize() >= 9);
    QVERIFY(!hidden().isEmpty());
    QVERIFY(hidden().size() < view.layout().arrows.size()); // what can happen now is named
    QList<QRectF> labels; // the shown ones lie over no box and no other label
    for (int i = 0; i < view.layout().arrows.size(); ++i) {
        const QRectF label = labelRect(view.layout().arrows[i], *view.looks().fonts);
        if (hidden().contains(i) || label.isEmpty())
            continue;
        for (const ChartBox &box : view.layout().boxes)
            QVERIFY(!label.intersects(box.isFrame() ? box.title() : box.outline.rect));
        for (const QRectF &other : std::as_const(labels))
            QVERIFY(!label.intersects(other));
        labels += label;
    }
    const int quiet = hidden().first();
    const QPoint place = view.mapFromScene(view.layout().arrows[quiet].curve.at(0.5));
    QTest::mouseMove(view.viewport(), place);
    QTRY_VERIFY(!view.looks().arrows[quiet].hidesLabel);
}

void TestStatechart::redStatesSayWhy()
{
    const Scene scene;
    const auto tip = [&](const QString &state) {
        return scene.view->descriptionOf(scene.state(state));
    };
    QVERIFY(has(tip(u"Failed"_s), { u"Red with a cross: the state's name says"_s }));
    QVERIFY(!tip(u"Succeeded"_s).contains(u"Red"_s));
    Pack pack = labPack();
    pack.machines[1].transitions[2].on = { u"succeeded"_s, u"canceled"_s };
    pack.machines[1].states += State { .id = u"odd"_s };
    pack.machines[1].transitions +=
        Transition { .from = { u"going"_s }, .on = { u"failed"_s }, .to = { u"odd"_s } };
    Scene other(pack);
    other.view->setMachine(u"server"_s);
    const int odd = other.view->layout().boxOf(other.simulator->rules().stateNamed(1, u"odd"_s));
    QVERIFY(odd >= 0);
    const QString text = other.view->descriptionOf({ ChartElement::Kind::State, odd, 0 });
    QVERIFY(has(
        text, { u"Red with a cross: resources rest in this state after their work has failed"_s }));
}

const instar::TestClass<TestStatechart, QApplication> registered;
#include "tst_statechart.moc"
