// SPDX-License-Identifier: Apache-2.0
// The real window, in which the pack is changed by hand and by keys.

#include "app/opening.h"
#include "model/engine/simulator.h"
#include "model/json/fields.h"
#include "model/json/packfile.h"
#include "model/pack/check.h"
#include "model/pack/edits.h"
#include "tests/app/handsundertest.h"
#include "tests/support/fileanswer.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "views/editing/jsonedit.h"
#include "views/editing/matrixpanel.h"
#include "views/editing/problemspanel.h"
#include "views/editing/rowform.h"
#include "views/editing/systempanel.h"
#include "views/editing/textpanel.h"
#include "views/editing/wordedits.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"
#include "views/panels/notice.h"

#include <QClipboard>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestEditing : public QObject, private HandsUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        open();
        editing().setOn(true);
        chart().fit();
    }
    void cleanup() { close(); }

    void modeIsOneKeyAway();
    void aClickSelectsAndFiresNothing();
    void aDragIntoTheOpenMakesAState();
    void aDragBackConnectsWithItself();
    void aSecondArrowBetweenTheSame();
    void aDragMovesAndNothingElse();
    void whatIsNearMovesNothingElse();
    void whatCoversOthersMovesNothingElse();
    void aLongerNameMovesNothingElse();
    void whatGoesMovesNothingElse();
    void aFrameInTheWayIsAsLargeAsItIs();
    void whatIsNewTakesAFreePlace();
    void whatIsNewInAFrameTakesAFreePlace();
    void aFrameGrowsOverNothingThatIsNear();
    void whatIsPastedTakesAFreePlace();
    void layingOutIsOneThingToUndo();
    void whatIsNotDrawnLaysNothingOut();
    void whatIsBehindATabRests();
    void keyHintsAreNotCut();
    void aDuplicatedArrowIsNamed();
    void deletingTakesWhatHangsOnIt();
    void renamingRenamesEverywhere();
    void theChartStaysOnItsMachine();
    void theSelectedResourceFollowsItsType();
    void undoBringsBackEveryStep();
    void simulationGoesOn();
    void whatIsSaidIsHeard();
    void whatMayHappenIsNotSelected();
    void refusalsAreDrawnWhereTheyAreMade();
    void aMenuOffersWhatFits();
    void byKeysAlone();
    void copyAndPaste();
    void pastedNotations_data();
    void pastedNotations();
    void framesTakeStatesInAndOut();
    void notesOnTheChart();
    void notesByKeys();
    void workIsSaid();
    void newStatesDoNotStandInOneRow();
    void draftsThatCannotRunAreShown();
    void aMachineWithoutStatesInvites();
    void speedFitsTheEditedPack();
    void newPacksAreWhole_data();
    void newPacksAreWhole();
    void aNewPackIsCalledAsItsFile();
    void closingAsks();
    void theSelectedMachineIsShown();
    void rowsAreFollowed();
    void aGestureEndsWithItsChart();
    void closedWhileTyping();
    void returnFiresNothing();
    void whatIsTypedIsKept();
    void leftWithAWrongName();
    void largeChartsKeepWhatIsSelected();

private:
    const Machine &machine()
    {
        return *document().pack().machine(editing().selection().rows().machine);
    }
    using HandsUnderTest::emptyPlace;
    QPoint emptyPlace()
    {
        return emptyPlace(chart().mapToScene(chart().viewport()->rect().bottomLeft()));
    }
    void press(int key, Qt::KeyboardModifiers keys = {})
    {
        QTest::keyClick(&chart(), Qt::Key(key), keys);
        settle();
    }
    /// Where something is being named.
    void type(const QString &text)
    {
        settle();
        QVERIFY(hands().lineEdit());
        QTest::keyClicks(hands().lineEdit(), text);
        QTest::keyClick(hands().lineEdit(), Qt::Key_Return);
        settle();
    }
    void select(const QStringList &states)
    {
        editing().selection().set({ .machine = selected().machine, .states = states });
    }
    void move(const QPointF &by)
    {
        hands().moveSelection(by, {});
        settle();
    }
    void change(const Machine &machine)
    {
        document().edit(u"change"_s, withMachine(document().pack(), machine));
        settle();
    }
    void undo()
    {
        document().history().undo();
        settle();
    }
    /// Once what was typed is gone; lists that complete it leave no active window without a screen.
    bool chartHasFocus()
    {
        const bool has = QTest::qWaitFor([this] { return m_window->focusWidget() == &chart(); });
        QApplication::setActiveWindow(m_window);
        return has;
    }
    bool shows(const QString &state) { return boxOf(state) >= 0; }

    /// The window is another one, on a pack from a file that can be saved: "absent" and "ready",
    /// and of these names others that are added by key.
    void openSmall(const QStringList &added = {});
    void typeName(const QString &name);
    /// By state: where it is drawn, and where the file has it once it is saved.
    QMap<QString, QPointF> drawn();
    QMap<QString, QPointF> saved();
    /// Boxes that are less than a gap (the layout's) from one another, neither in the other.
    QStringList tooNear(double gap = 12);
};

void TestEditing::openSmall(const QStringList &added)
{
    show(write(u"small.json"_s, bytesOf(newPacks().first().id)));
    m_window->resize(1280, 800);
    chart().setMotion(Motion::Reduced);
    editing().setOn(true);
    QApplication::setActiveWindow(m_window);
    chart().fit();
    chart().setFocus();
    QVERIFY(chartHasFocus());
    for (const QString &name : added) {
        QTest::keyClick(&chart(), Qt::Key_S);
        typeName(name);
    }
}

void TestEditing::typeName(const QString &name)
{
    settle();
    QVERIFY(hands().lineEdit());
    hands().lineEdit()->setText(name);
    QTest::keyClick(hands().lineEdit(), Qt::Key_Return);
    settle();
    QVERIFY(chartHasFocus());
}

QMap<QString, QPointF> TestEditing::drawn()
{
    QMap<QString, QPointF> centres;
    for (const ChartBox &box : chart().layout().boxes)
        centres.insert(box.id, box.outline.rect.center());
    return centres;
}

QMap<QString, QPointF> TestEditing::saved()
{
    QMap<QString, QPointF> centres;
    const Result<Pack> pack =
        editing().save() ? loadPack(document().file()) : Result<Pack>(Error { u"unsaved"_s });
    for (const State &state : pack ? pack->machines.first().states : QList<State>()) {
        if (state.position)
            centres.insert(state.id, *state.position);
    }
    return centres;
}

QStringList TestEditing::tooNear(double gap)
{
    QStringList names;
    const QList<ChartBox> &boxes = chart().layout().boxes;
    for (const ChartBox &a : boxes) {
        for (const ChartBox &b : boxes) {
            if (a.id < b.id && a.area.adjusted(-gap, -gap, gap, gap).intersects(b.area)
                && !(a.isFrame() && a.area.contains(b.area))
                && !(b.isFrame() && b.area.contains(a.area)))
                names += a.id + u' ' + b.id;
        }
    }
    return names;
}

void TestEditing::modeIsOneKeyAway()
{
    QVERIFY(editing().isOn());
    QTest::keyClick(m_window, Qt::Key_E, Qt::ControlModifier);
    QVERIFY(!editing().isOn());
    QLineEdit *elsewhere = m_window->fireBar().findChild<QLineEdit *>();
    elsewhere->setFocus();
    QVERIFY(elsewhere->hasFocus());
    QTest::keyClick(m_window, Qt::Key_E, Qt::ControlModifier);
    QVERIFY(editing().isOn());
    QVERIFY(chart().hasFocus()); // where S makes a state, as the hint says
}

void TestEditing::aClickSelectsAndFiresNothing()
{
    click(middleOf(u"Succeeded"_s));
    QCOMPARE(selected().states, QStringList { u"Succeeded"_s });
    const auto put = lit(u"PUT"_s);
    QVERIFY(put);
    clickOn(*put);
    QVERIFY(selected().states.isEmpty());
    QVERIFY(!selected().transitions.isEmpty());
    for (const int row : selected().transitions)
        QVERIFY(machine().transitions[row].on.contains(u"PUT"_s));
    QCOMPARE(simulator().lastMoment(), 0);
    click(emptyPlace());
    QVERIFY(selected().isEmpty());
    click(middleOf(u"Failed"_s));
    QTest::mouseClick(
        chart().viewport(), Qt::LeftButton, Qt::ControlModifier, middleOf(u"Succeeded"_s));
    QCOMPARE(selected().states, (QStringList { u"Failed"_s, u"Succeeded"_s }));
}

void TestEditing::aDragIntoTheOpenMakesAState()
{
    const qsizetype states = machine().states.size();
    drag(borderOf(u"Failed"_s), emptyPlace());
    QCOMPARE(machine().states.size(), states + 1);
    type(u"give up"_s);
    QCOMPARE(machine().transitions[*selected().transitions.begin()].to,
        QStringList { machine().states.last().id });
    const QString made = machine().states.last().id;
    drag(borderOf(made), middleOf(u"Failed"_s));
    type(u"succeeded"_s); // only work has an outcome
    QVERIFY(machine().state(made)->kind == State::Kind::Transitional);
    // Without a text for the arrow, no state is left.
    const Machine before = machine();
    for (const int key : { Qt::Key_Escape, Qt::Key_Return }) {
        drag(borderOf(u"Failed"_s), emptyPlace());
        QCOMPARE(machine().states.size(), before.states.size() + 1);
        QVERIFY(hands().lineEdit());
        QTest::keyClick(hands().lineEdit(), Qt::Key(key));
        settle();
        QVERIFY(machine() == before);
    }
}

/// Out over the border and back into the same state.
void TestEditing::aDragBackConnectsWithItself()
{
    const Machine before = machine();
    QWidget *view = chart().viewport();
    const QPoint from = borderOf(u"Failed"_s);
    QTest::mousePress(view, Qt::LeftButton, {}, from);
    for (const QPoint &by : { QPoint(0, 20), QPoint(20, 30), QPoint(20, 10) })
        QTest::mouseMove(view, from + by);
    QTest::mouseMove(view, middleOf(u"Failed"_s));
    QTest::mouseRelease(view, Qt::LeftButton, {}, middleOf(u"Failed"_s));
    type(u"again"_s);
    QCOMPARE(machine().transitions.size(), before.transitions.size() + 1);
    const auto row =
        std::ranges::find(machine().transitions, QStringList(u"again"_s), &Transition::on);
    QVERIFY(row != machine().transitions.end());
    QCOMPARE(row->from, QStringList(u"Failed"_s));
    QCOMPARE(row->to, QStringList(u"Failed"_s));
    const auto drawn = std::ranges::find_if(chart().layout().arrows, [&](const ChartArrow &arrow) {
        return arrow.link.isLoop() && chart().stateId(arrow.link.from) == u"Failed";
    });
    QVERIFY(drawn != chart().layout().arrows.end());
    undo();
    QVERIFY(machine() == before);
}

/// One that is there already does not take it away: each says on what it is.
void TestEditing::aSecondArrowBetweenTheSame()
{
    const Machine before = machine();
    for (const QString &on : { u"first way"_s, u"second way"_s }) {
        drag(borderOf(u"Failed"_s), middleOf(u"Succeeded"_s));
        type(on);
    }
    QCOMPARE(machine().transitions.size(), before.transitions.size() + 2);
    QStringList texts;
    for (const ChartArrow &arrow : chart().layout().arrows) {
        if (chart().stateId(arrow.link.from) != u"Failed"
            || chart().stateId(arrow.link.to) != u"Succeeded")
            continue;
        for (const LinkLine &line : arrow.link.lines)
            texts += line.text;
    }
    QVERIFY2(texts.contains(u"first way"_s) && texts.contains(u"second way"_s),
        qPrintable(texts.join(u" | "_s)));
    // Each is selected by itself.
    for (const ChartElement &element : chart().parts()) {
        if (elementName(chart().layout(), element).endsWith(u"second way"_s)) {
            chart().activate(element);
            QCOMPARE(selected().transitions.size(), 1);
            QCOMPARE(machine().transitions[*selected().transitions.begin()].on,
                QStringList(u"second way"_s));
        }
    }
}

void TestEditing::layingOutIsOneThingToUndo()
{
    drag(middleOf(u"Failed"_s), middleOf(u"Failed"_s) + QPoint(30, 40));
    const int before = document().history().count();
    const QPointF was = rectOf(u"Failed"_s).center();
    for (int i = 0; i < 2; ++i) { // the second time nothing is left to do
        hands().layOut();
        settle();
        QCOMPARE(document().history().count(), before + 1);
    }
    press(Qt::Key_Escape); // nothing is selected, so that all are laid out, and seen
    chart().zoomBy(4, chart().viewport()->rect().center());
    hands().layOut();
    settle();
    QCOMPARE(document().history().count(), before + 2);
    QVERIFY(chart().seen().contains(chart().layout().bounds));
    undo();
    undo();
    QVERIFY(QLineF(was, rectOf(u"Failed"_s).center()).length() < 1);
}

/// Else each letter of what a row is for would cost a layout.
void TestEditing::whatIsNotDrawnLaysNothingOut()
{
    const auto texts = [this] { return chart().layout().arrows.first().texts; };
    const auto laidOut = [&](const Machine &changed) {
        const auto before = texts(); // keeps its address from being used again
        document().edit(u"change"_s, withMachine(document().pack(), changed));
        return texts().constData() != before.constData();
    };
    Machine changed = machine();
    changed.about = u"because"_s;
    changed.states.first().about = u"because"_s;
    changed.transitions.first().about = u"because"_s;
    changed.transitions.first().sources = { u"hearsay"_s };
    QVERIFY(!laidOut(changed));
    changed.transitions.first().label = u"because"_s;
    QVERIFY(laidOut(changed));
    changed.states.last().label = u"somewhere"_s;
    QVERIFY(laidOut(changed));
}

/// The text and the conflicts are worked out when somebody comes to see them.
void TestEditing::whatIsBehindATabRests()
{
    auto *text = m_window->findChild<TextPanel *>();
    auto *conflicts = m_window->findChild<MatrixPanel *>();
    const auto titles = [&] { return text->edit().toPlainText().count(u"\"title\": \"Else\""); };
    const auto columns = [&] { return conflicts->table().model()->columnCount(); };
    const auto bring = [this](QWidget *panel) {
        auto *dock = qobject_cast<QDockWidget *>(panel->parentWidget());
        dock->show();
        dock->raise();
        return QTest::qWaitFor([panel] { return panel->isEnabled(); });
    };
    QVERIFY(bring(text));
    QVERIFY(bring(conflicts));
    const int before = columns();
    QVERIFY(before > 1);
    QVERIFY(bring(m_window->findChild<ProblemsPanel *>()));
    QVERIFY(bring(m_window->findChild<SystemPanel *>()));
    QTRY_VERIFY(!text->isEnabled() && !conflicts->isEnabled());
    QVERIFY(text->isVisible()); // to Qt
    Pack changed = document().pack();
    changed.title = u"Else"_s;
    OperationKind one = changed.operations.first();
    one.id = u"another"_s;
    changed.operations += one;
    document().edit(u"change"_s, changed);
    QCOMPARE(titles(), 0);
    QCOMPARE(columns(), before);
    QVERIFY(bring(text));
    QCOMPARE(titles(), 1);
    QVERIFY(bring(conflicts));
    QCOMPARE(columns(), before + 1);
}

void TestEditing::keyHintsAreNotCut()
{
    ElidedLabel *hint = nullptr;
    for (auto *label : m_window->findChildren<ElidedLabel *>()) {
        if (label->text().startsWith(u"Double-click"_s))
            hint = label;
    }
    QVERIFY(hint);
    for (const int width : { 1000, 1280, 1900 }) {
        m_window->resize(width, 700);
        QTest::qWait(20);
        const QString shown = hint->shown();
        QVERIFY2(hint->text().startsWith(shown), qPrintable(shown));
        const QString rest = hint->text().sliced(shown.size());
        QVERIFY2(rest.isEmpty() || rest.startsWith(u" · "_s), qPrintable(shown));
        QVERIFY(hint->fontMetrics().horizontalAdvance(shown) <= hint->width());
    }
    QCOMPARE(hint->shown(), hint->text());
}

void TestEditing::aDragMovesAndNothingElse()
{
    const QMap<QString, QPointF> before = drawn();
    const QPoint from = middleOf(u"Failed"_s);
    drag(from, from + QPoint(37, 53));
    const double scale = chart().transform().m11();
    for (const ChartBox &box : chart().layout().boxes) {
        const QString id = chart().stateId(box.state);
        const QPointF by = box.outline.rect.center() - before[id];
        const QPointF wanted = id == u"Failed" ? QPointF(37, 53) / scale : QPointF();
        QVERIFY2(QLineF(by, wanted).length() < 8 / scale, qPrintable(id));
    }
    QCOMPARE(document().history().count(), 1);
    QVERIFY(document().isModified());
    QVERIFY(m_window->isWindowModified());
    // The scale that somebody chose stays, also when the window is another size afterwards.
    chart().zoomIn();
    const double chosen = chart().transform().m11();
    drag(middleOf(u"Failed"_s), middleOf(u"Failed"_s) + QPoint(20, 10));
    QCOMPARE(document().history().count(), 2);
    m_window->resize(1180, 760);
    QTest::qWait(50);
    QCOMPARE(chart().transform().m11(), chosen);
}

/// Neither when something is added beside it, nor when something is dropped near it.
void TestEditing::whatIsNearMovesNothingElse()
{
    openSmall({ u"Draft"_s, u"Second"_s, u"Third"_s });
    QMap<QString, QPointF> file = saved();
    QCOMPARE(file[u"absent"_s], QPointF(60, 60)); // as the template has it
    QCOMPARE(file[u"ready"_s], QPointF(260, 60));
    QCOMPARE(drawn(), file);
    QCOMPARE(tooNear().join(u", "), QString());
    const QRectF draft = rectOf(u"Draft"_s), third = rectOf(u"Third"_s);
    const QPointF beside(draft.center().x(), draft.bottom() + 4 + third.height() / 2);
    drag(middleOf(u"Third"_s), chart().mapFromScene(beside));
    const QPointF dropped = drawn()[u"Third"_s];
    QVERIFY2(QLineF(dropped, beside).length() < 8 / chart().transform().m11() + 1,
        qPrintable(u"%1, %2"_s.arg(dropped.x()).arg(dropped.y())));
    QVERIFY(!tooNear().isEmpty());
    file.insert(u"Third"_s, dropped);
    QCOMPARE(drawn(), file);
    QCOMPARE(saved(), file);
    // Once more, elsewhere; and where it is read again everything stands there.
    drag(middleOf(u"Second"_s), middleOf(u"Second"_s) + QPoint(15, 60));
    file.insert(u"Second"_s, drawn()[u"Second"_s]);
    QCOMPARE(drawn(), file);
    QCOMPARE(saved(), file);
    editing().setOn(false);
    settle();
    QCOMPARE(drawn(), file);
    m_window = m_program->open(write(u"read-again.json"_s, document().text()));
    QCOMPARE(drawn(), file);
}

void TestEditing::whatCoversOthersMovesNothingElse()
{
    openSmall({ u"Draft"_s });
    QMap<QString, QPointF> file = saved();
    // Two arrows between them, which are drawn and can be read wherever they stand.
    for (const QPoint &by : { QPoint(12, 9), QPoint(0, 0), QPoint(-70, 2) }) {
        drag(middleOf(u"absent"_s), middleOf(u"ready"_s) + by);
        QVERIFY(rectOf(u"absent"_s).intersects(rectOf(u"ready"_s)));
        file.insert(u"absent"_s, drawn()[u"absent"_s]);
        QCOMPARE(drawn(), file);
        QCOMPARE(saved(), file);
        QCOMPARE(chart().layout().arrows.size(), 2);
        for (const ChartArrow &arrow : chart().layout().arrows) {
            QVERIFY(arrow.curve.length() > 14);
            for (const ChartBox &box : chart().layout().boxes)
                QVERIFY(!arrow.label.intersects(box.outline.rect));
        }
    }
    document().history().setIndex(0);
    settle();
    QCOMPARE(drawn()[u"absent"_s], QPointF(60, 60));
}

void TestEditing::aLongerNameMovesNothingElse()
{
    openSmall({ u"Draft"_s, u"Second"_s });
    const QMap<QString, QPointF> file = saved();
    QMap<QString, QPointF> before = file;
    const double narrow = rectOf(u"Draft"_s).width();
    const QString name = u"WaitingForSomebodyWhoHasTheTimeToRead"_s;
    doubleClick(middleOf(u"Draft"_s));
    typeName(name);
    before.insert(name, before.take(u"Draft"_s));
    QVERIFY(rectOf(name).width() > narrow + 60);
    QVERIFY(!tooNear(40).isEmpty()); // a layout would part them
    QCOMPARE(drawn(), before);
    QCOMPARE(saved(), before);
    // A label, which no hand on the chart writes, is as long as it likes, too.
    Machine changed = machine();
    stateIn(changed, u"ready"_s)->label = name;
    change(changed);
    QCOMPARE(drawn(), before);
}

void TestEditing::whatGoesMovesNothingElse()
{
    openSmall({ u"Draft"_s, u"Second"_s, u"Third"_s });
    drag(middleOf(u"Third"_s), middleOf(u"Draft"_s) + QPoint(25, 5));
    QMap<QString, QPointF> file = saved();
    for (const QString &gone : { u"Second"_s, u"Draft"_s }) {
        select({ gone });
        press(Qt::Key_Delete);
        file.remove(gone);
        QCOMPARE(drawn(), file);
        QCOMPARE(saved(), file);
    }
    // Nor does what is typed at an arrow, its bow, or another kind.
    select({ u"Third"_s });
    press(Qt::Key_K);
    QCOMPARE(drawn(), file);
    QCOMPARE(saved(), file);
}

/// What is dropped on the edge of a frame makes it neither smaller nor turns it around.
void TestEditing::aFrameInTheWayIsAsLargeAsItIs()
{
    openSmall({ u"Draft"_s, u"Second"_s });
    select({ u"Draft"_s });
    press(Qt::Key_F);
    typeName(u"AFrameWithATitleThatIsLongerThanWhatIsInIt"_s);
    const QString frame = machine().state(u"Draft"_s)->parent;
    const QRectF tight = rectOf(frame);
    QVERIFY(tight.width() > rectOf(u"Draft"_s).width() + 100);
    chart().fit();
    const auto dropOnTheEdge = [&] {
        select({ u"Second"_s });
        move(tight.topRight() + QPointF(20, 20) - rectOf(u"Second"_s).center());
        QCOMPARE(machine().state(u"Second"_s)->parent, QString());
    };
    dropOnTheEdge();
    QCOMPARE(rectOf(frame), tight);
    // And one that has a size of its own.
    Machine sized = machine();
    stateIn(sized, frame)->position = tight.center().toPoint();
    stateIn(sized, frame)->size = QPointF(tight.width() + 120, tight.height() + 180);
    change(sized);
    const QRectF large = rectOf(frame);
    QVERIFY(large.width() > tight.width() + 40);
    const QPointF size = *machine().state(frame)->size;
    dropOnTheEdge();
    QCOMPARE(rectOf(frame), large);
    QCOMPARE(*machine().state(frame)->size, size);
    // What sticks out of it makes it larger for as long as that is so.
    const int steps = document().history().count();
    select({ u"Draft"_s });
    move({ 0, 200 });
    QVERIFY(rectOf(frame).height() > large.height() + 20);
    dropOnTheEdge();
    QCOMPARE(*machine().state(frame)->size, size);
    document().history().setIndex(steps);
    settle();
    QCOMPARE(rectOf(frame), large);
    const QMap<QString, QPointF> file = saved();
    for (const QString &state : { u"absent"_s, u"ready"_s })
        QCOMPARE(file[state], drawn()[state]);
}

/// By double-click, by S, by T, at the end of an arrow: where it was asked for, or near that.
void TestEditing::whatIsNewTakesAFreePlace()
{
    openSmall();
    const auto added = [&](const QPointF &wish, const char *how) {
        settle();
        if (hands().lineEdit())
            hands().lineEdit()->finish();
        const QPointF at = *machine().states.last().position;
        const QString what = u"%1 at %2, %3; %4"_s.arg(QLatin1StringView(how))
                                 .arg(at.x())
                                 .arg(at.y())
                                 .arg(tooNear().join(u", "));
        QVERIFY2(tooNear(27).isEmpty(), qPrintable(what));
        QVERIFY2(QLineF(at, wish).length() < 260, qPrintable(what));
        const QMap<QString, QPointF> file = saved();
        QCOMPARE(file[u"absent"_s], QPointF(60, 60));
        QCOMPARE(file[u"ready"_s], QPointF(260, 60));
        QCOMPARE(drawn(), file);
        chart().fit();
    };
    // Twice just below the arrow, then beside a box where there is not quite room.
    for (int i = 0; i < 2; ++i) {
        const QPointF below(160, 95);
        doubleClick(chart().mapFromScene(below));
        added(below, "double-click");
    }
    const QPointF beside(rectOf(u"ready"_s).right() + 20, 60);
    hands().addStateAt(beside);
    added(beside, "beside");
    const QPointF free(700, 500);
    hands().addStateAt(free);
    added(free, "where there is room");
    QCOMPARE(*machine().states.last().position, free);
    select({ u"ready"_s });
    hands().addState();
    added(rectOf(u"ready"_s).center(), "S");
    select({ u"absent"_s });
    hands().addTransition();
    hands().lineEdit()->setText(u"AStateWhoseNameIsRatherLong"_s);
    QTest::keyClick(hands().lineEdit(), Qt::Key_Return);
    added(rectOf(u"absent"_s).center() + QPointF(300, 0), "T");
    const QPointF near(rectOf(u"ready"_s).center().x(), rectOf(u"ready"_s).top() - 20);
    chart().fit();
    drag(borderOf(u"absent"_s), chart().mapFromScene(near));
    added(near, "an arrow into the open");
}

/// Its frame does not grow over what stands beside it.
void TestEditing::whatIsNewInAFrameTakesAFreePlace()
{
    openSmall({ u"Draft"_s, u"Second"_s });
    const QPointF second = rectOf(u"Second"_s).center();
    select({ u"Draft"_s });
    move(second + QPointF(rectOf(u"Second"_s).width() + 60, 0) - rectOf(u"Draft"_s).center());
    press(Qt::Key_F);
    typeName(u"Group"_s);
    QCOMPARE(tooNear().join(u", "), QString());
    const QMap<QString, QPointF> before = saved();
    for (int i = 0; i < 4; ++i) {
        const QRectF frame = rectOf(u"Group"_s);
        hands().addStateAt({ frame.left() + 15, frame.center().y() });
        settle();
        hands().lineEdit()->finish();
        QCOMPARE(machine().states.last().parent, u"Group"_s);
        QCOMPARE(tooNear().join(u", "), QString());
    }
    QMap<QString, QPointF> after = saved();
    after.removeIf([&](QMap<QString, QPointF>::iterator it) { return !before.contains(it.key()); });
    QCOMPARE(after, before);
}

/// Nor over what somebody dropped so near that there is less than the usual gap.
void TestEditing::aFrameGrowsOverNothingThatIsNear()
{
    openSmall({ u"Draft"_s, u"Second"_s });
    const auto put = [&](const QString &state, const QPointF &centre) {
        select({ state });
        move(centre - rectOf(state).center());
    };
    put(u"Draft"_s, { 500, 500 });
    press(Qt::Key_F);
    typeName(u"Group"_s);
    const QRectF group = rectOf(u"Group"_s), second = rectOf(u"Second"_s);
    put(u"Second"_s, { group.right() + 8 + second.width() / 2, group.center().y() });
    QCOMPARE(machine().state(u"Second"_s)->parent, QString());
    hands().addStateAt({ group.right() - 10, group.center().y() });
    settle();
    hands().lineEdit()->finish();
    settle();
    QCOMPARE(machine().states.last().parent, u"Group"_s);
    QVERIFY(!rectOf(u"Group"_s).intersects(rectOf(u"Second"_s)));
}

void TestEditing::whatIsPastedTakesAFreePlace()
{
    openSmall({ u"Draft"_s, u"Second"_s });
    select({ u"Second"_s });
    move({ 0, 60 }); // room for a frame
    press(Qt::Key_F);
    typeName(u"Group"_s);
    select({ u"Draft"_s, u"Group"_s });
    QCOMPARE(tooNear().join(u", "), QString());
    const QMap<QString, QPointF> before = saved();
    const QPointF apart = before[u"Second"_s] - before[u"Draft"_s];
    for (int i = 0; i < 2; ++i) {
        press(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(tooNear().join(u", "), QString());
    }
    QCOMPARE(drawn()[u"Second-2"_s] - drawn()[u"Draft-2"_s], apart); // they go together
    QVERIFY(QLineF(drawn()[u"Draft-2"_s], before[u"Draft"_s]).length() < 400);
    press(Qt::Key_C, Qt::ControlModifier);
    press(Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(tooNear().join(u", "), QString());
    QApplication::clipboard()->setText(
        u"[*] --> Here\nHere --> There : go\nThere --> Around : in\nstate Around {\n[*] --> Inner\nInner --> Out : on\n}"_s);
    press(Qt::Key_V, Qt::ControlModifier);
    QVERIFY(shows(u"Here"_s) && shows(u"Around"_s));
    QCOMPARE(tooNear().join(u", "), QString());
    QMap<QString, QPointF> after = saved();
    after.removeIf([&](QMap<QString, QPointF>::iterator it) { return !before.contains(it.key()); });
    QCOMPARE(after, before);
}

void TestEditing::aDuplicatedArrowIsNamed()
{
    openSmall();
    const Machine before = machine();
    const auto copyArrow = [&] {
        editing().selection().set(
            { .machine = before.id, .transitions = { 1 }, .from = u"ready"_s, .to = u"absent"_s });
        press(Qt::Key_D, Qt::ControlModifier);
    };
    copyArrow();
    QTest::keyClick(hands().lineEdit(), Qt::Key_Escape); // no copy is left
    settle();
    QVERIFY(machine() == before);
    copyArrow();
    type(u"purge"_s);
    QCOMPARE(machine().transitions.size(), 3);
    Transition expected = before.transitions[1];
    expected.on = { u"purge"_s };
    QVERIFY(machine().transitions[2] == expected);
    QCOMPARE(selected().transitions, QSet<int> { 2 });
    undo();
    undo();
    QVERIFY(machine() == before);
}

void TestEditing::deletingTakesWhatHangsOnIt()
{
    click(middleOf(u"Failed"_s));
    press(Qt::Key_Delete);
    QVERIFY(!machine().state(u"Failed"_s));
    QVERIFY(!shows(u"Failed"_s));
    for (const Transition &row : machine().transitions) {
        QVERIFY(!row.from.contains(u"Failed"_s));
        QVERIFY(!row.to.contains(u"Failed"_s));
        QVERIFY(!row.from.isEmpty());
    }
    // An arrow by itself leaves both states.
    const auto put = lit(u"PUT"_s);
    QVERIFY(put);
    const qsizetype rows = machine().transitions.size();
    clickOn(*put);
    const SelectedRows arrow = selected();
    press(Qt::Key_Delete);
    QVERIFY(shows(arrow.from) && shows(arrow.to));
    QVERIFY(machine().transitions.size() <= rows);
    QVERIFY(std::ranges::none_of(machine().transitions, [&](const Transition &row) {
        return row.from == QStringList { arrow.from } && row.to == QStringList { arrow.to }
        && row.on.contains(u"PUT"_s);
    }));
}

void TestEditing::theChartStaysOnItsMachine()
{
    const auto renamed = withField(document().pack(),
        pointerTo({ u"machines"_s, chart().machine() }), u"(name)"_s, R"("other")");
    QVERIFY2(renamed, renamed ? "" : qPrintable(renamed.error()));
    document().edit(u"Rename"_s, *renamed);
    settle();
    QCOMPARE(chart().machine(), u"other"_s);
    QVERIFY(machine().id == u"other");
    m_window->selection().choose(QString()); // its resource is gone
    settle();
    QCOMPARE(chart().machine(), u"other"_s);
}

void TestEditing::renamingRenamesEverywhere()
{
    const Pack before = document().pack();
    doubleClick(middleOf(u"Succeeded"_s));
    type(u"Ready"_s);
    QVERIFY(machine().state(u"Ready"_s));
    Pack lone;
    lone.machines = { machine() };
    QVERIFY(!writePack(lone).contains("\"Succeeded\""));
    QCOMPARE(simulator().rules().pack().machines.size(), before.machines.size());
    // A name that is taken is refused, and what was typed stays.
    doubleClick(middleOf(u"Ready"_s));
    type(u"Failed"_s);
    QVERIFY(hands().lineEdit());
    QCOMPARE(hands().lineEdit()->text(), u"Failed"_s);
    const auto *error = chart().viewport()->findChild<QLabel *>();
    QTest::keyClick(hands().lineEdit(), Qt::Key_Home);
    QVERIFY(error->isVisible()); // until the text changes
    QTest::keyClicks(hands().lineEdit(), u"x"_s);
    QVERIFY(!error->isVisible());
    QTest::keyClick(hands().lineEdit(), Qt::Key_Escape);
    QVERIFY(machine().state(u"Ready"_s));
}

/// The selected resource stays selected when its type, or one above, gets another name or parent.
void TestEditing::theSelectedResourceFollowsItsType()
{
    m_window->select(subnet);
    document().edit(
        u"rename"_s, renamed(document().pack(), Name::Type, u"logicalNetworks"_s, u"nets"_s));
    settle();
    QCOMPARE(
        m_window->selection().resource(), QString(subnet).replace(u"logicalNetworks"_s, u"nets"_s));
    undo();
    QCOMPARE(m_window->selection().resource(), subnet);
    const QString type = u"logicalNetworks/subnets"_s;
    document().edit(u"move"_s, renamed(document().pack(), Name::Type, type, u"subnets"_s));
    settle();
    QCOMPARE(m_window->selection().resource(), u"/subnets/Rack-1"_s);
    undo();
    QCOMPARE(m_window->selection().resource(), subnet);
}

void TestEditing::undoBringsBackEveryStep()
{
    const QByteArray beginning = writePack(document().pack());
    QList<QByteArray> steps { beginning };
    const auto done = [&] { steps += writePack(document().pack()); };
    const QPoint from = middleOf(u"Failed"_s);
    drag(from, from + QPoint(30, 40));
    done();
    press(Qt::Key_K);
    done();
    press(Qt::Key_D, Qt::ControlModifier);
    done();
    press(Qt::Key_Delete);
    done();
    press(Qt::Key_L);
    done();
    QCOMPARE(document().history().count(), steps.size() - 1);
    for (qsizetype i = steps.size() - 1; i > 0; --i) {
        QCOMPARE(writePack(document().pack()), steps[i]);
        QTest::keyClick(m_window, Qt::Key_Z, Qt::ControlModifier);
        settle();
    }
    QCOMPARE(writePack(document().pack()), beginning);
    QVERIFY(!document().isModified());
    for (qsizetype i = 1; i < steps.size(); ++i) {
        QTest::keyClick(m_window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(writePack(document().pack()), steps[i]);
    }
}

/// What runs keeps its states, and has the new rules at once.
void TestEditing::simulationGoesOn()
{
    const QString before = u"Succeeded"_s;
    doubleClick(emptyPlace());
    type(u"Paused"_s);
    drag(borderOf(before), middleOf(u"Paused"_s));
    type(u"pause"_s);
    QCOMPARE(chart().stateId(chart().state()), before);
    editing().setOn(false);
    const auto pause = lit(u"pause"_s);
    QVERIFY(pause);
    clickOn(*pause);
    settle();
    QCOMPARE(chart().stateId(chart().state()), u"Paused"_s);
}

void TestEditing::whatIsSaidIsHeard()
{
    emit editing().said(u"Something is said."_s);
    QCOMPARE(m_window->statusBar()->accessibleName(), u"Something is said."_s);
    m_window->statusBar()->clearMessage();
    QCOMPARE(m_window->statusBar()->accessibleName(), QString());
}

/// In Edit an arrow has the accent only while it is selected.
void TestEditing::whatMayHappenIsNotSelected()
{
    const auto accents = [this](const ChartElement &element) {
        const QImage drawn = chart().viewport()->grab().toImage();
        int count = 0;
        for (const QPointF &at : chart().layout().arrows[element.index].curve.samples(60))
            count += drawn.pixelColor(chart().mapFromScene(at)) == theme().accent;
        return count;
    };
    m_window->resize(1400, 1100); // the chart shares it with the timeline
    editing().setOn(false);
    chart().zoomIn(); // wide enough lines
    chart().zoomIn();
    const std::optional<ChartElement> arrow = lit(u"PUT"_s);
    QVERIFY(arrow);
    chart().reveal(elementRect(chart().layout(), *arrow));
    QVERIFY(accents(*arrow) > 5);
    editing().setOn(true);
    QVERIFY(chart().meaningOf(*arrow).isOpen());
    QCOMPARE(accents(*arrow), 0);
}

/// R asks when the selected arrow's operation is refused. The refusal stands before the arrow's row
/// and is drawn; Delete removes it again.
void TestEditing::refusalsAreDrawnWhereTheyAreMade()
{
    const auto refusals = [this] {
        QStringList texts;
        for (const ChartArrow &arrow : chart().layout().arrows) {
            for (const LinkLine &line : arrow.link.lines)
                texts += arrow.link.to == Link::Nowhere ? QStringList(line.text) : QStringList();
        }
        return texts;
    };
    const QStringList drawn = refusals();
    const qsizetype before = machine().transitions.size();
    const auto row = std::ranges::find_if(machine().transitions, [](const Transition &transition) {
        return !transition.to.isEmpty() && !transition.from.contains(u"*"_s)
            && transition.to.first() != transition.from.first();
    });
    const int place = int(row - machine().transitions.begin());
    const Transition refused = *row;
    editing().selection().set({ .machine = selected().machine,
        .transitions = { place },
        .from = refused.from.first(),
        .to = refused.to.first() });
    chart().setFocus();
    press(Qt::Key_R);
    type(u"no children"_s);
    const Transition &made = machine().transitions[place];
    QCOMPARE(made.from, QStringList { refused.from.first() });
    QCOMPARE(made.on, refused.on);
    QVERIFY(made.to.isEmpty());
    QVERIFY(made.condition.kind != Condition::Kind::Always);
    QVERIFY(std::ranges::any_of(document().pack().refusals,
        [&](const Refusal &answer) { return answer.id == made.refuse && answer.http == 409; }));
    QCOMPARE(refusals().size(), drawn.size() + made.on.size());
    QVERIFY(refusals().join(u' ').contains(u": "_s + made.refuse));
    QVERIFY(std::ranges::any_of(chart().parts(), [&](const ChartElement &part) {
        return elementName(chart().layout(), part).contains(u" refuses "_s + made.on.first());
    }));
    QCOMPARE(selected().transitions, QSet { place });
    const QString pointer = u"/machines/%1/transitions/%2"_s.arg(selected().machine).arg(place);
    QCOMPARE(editing().form().pointer(), pointer);
    editing().showRow(u"/refusals/"_s + made.refuse);
    editing().selection().choose(selected()); // as a click on it does
    QCOMPARE(editing().form().pointer(), pointer);
    press(Qt::Key_Delete);
    QCOMPARE(machine().transitions.size(), before);
    QCOMPARE(refusals(), drawn);
    editing().setOn(false);
    QCOMPARE(refusals(), QStringList()); // in Explore an operation tells by itself
}

/// A right click selects what is there and offers its commands.
void TestEditing::aMenuOffersWhatFits()
{
    const auto offered = [this](const QPoint &at, const QString &chosen = {}) {
        QStringList texts;
        QTimer::singleShot(0, this, [&] {
            auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
            for (QAction *action : menu ? menu->actions() : QList<QAction *>()) {
                texts += action->text().remove(u'&');
                if (texts.last() == chosen)
                    action->trigger();
            }
            if (menu)
                menu->close();
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, chart().viewport()->mapToGlobal(at));
        QApplication::sendEvent(chart().viewport(), &event);
        return texts;
    };
    const QStringList ofState = offered(middleOf(u"Failed"_s));
    QCOMPARE(selected().states, QStringList { u"Failed"_s });
    QVERIFY(ofState.contains(u"Add Transition…"_s) && !ofState.contains(u"Refuse If…"_s));
    const QStringList ofCanvas = offered(emptyPlace());
    QVERIFY(selected().states.isEmpty());
    QVERIFY(ofCanvas.contains(u"Add State"_s) && !ofCanvas.contains(u"Rename"_s));
    const auto arrow = std::ranges::find_if(chart().layout().arrows, [](const ChartArrow &each) {
        return each.link.from >= 0 && each.link.to >= 0 && !each.link.isLoop();
    });
    const QStringList ofArrow = offered(chart().mapFromScene(arrow->curve.at(0.5)));
    QVERIFY(ofArrow.contains(u"Rename"_s) && !ofArrow.contains(u"Add Transition…"_s));
    const QPoint place = emptyPlace();
    const QPointF there = chart().mapToScene(place);
    offered(place, u"Add State"_s);
    type(u"Here"_s);
    QVERIFY(QLineF(rectOf(u"Here"_s).center(), there).length() < 60);
}

/// Nothing but keys: two states, an arrow between them, a frame around them, moved.
void TestEditing::byKeysAlone()
{
    chart().setFocus();
    press(Qt::Key_Home);
    QVERIFY(!selected().states.isEmpty());
    press(Qt::Key_S);
    type(u"Asleep"_s);
    QVERIFY(chartHasFocus());
    press(Qt::Key_T);
    type(u"Awake"_s); // which is made
    type(u"wake"_s);
    QVERIFY(machine().state(u"Awake"_s));
    QCOMPARE(machine().transitions[*selected().transitions.begin()].on, QStringList { u"wake"_s });
    // What is written at the arrow is changed with the same key as a name.
    QVERIFY(chartHasFocus());
    press(Qt::Key_F2);
    type(u"rouse"_s);
    select({ u"Asleep"_s, u"Awake"_s });
    QVERIFY(chartHasFocus());
    press(Qt::Key_F);
    type(u"Living"_s);
    QCOMPARE(machine().state(u"Awake"_s)->parent, u"Living"_s);
    QVERIFY(chartHasFocus());
    const QPointF before = rectOf(u"Awake"_s).center();
    const int steps = document().history().count();
    for (int i = 0; i < 3; ++i)
        press(Qt::Key_Right, Qt::AltModifier);
    const QPointF now = *machine().state(u"Awake"_s)->position;
    QVERIFY(QLineF(now, before + QPointF(30, 0)).length() < 1);
    QCOMPARE(now, QPointF(now.toPoint()));             // so that files are read by people
    QCOMPARE(document().history().count(), steps + 1); // one walk is one step back
}

void TestEditing::copyAndPaste()
{
    select({ u"Succeeded"_s, u"Failed"_s });
    chart().setFocus();
    const Machine before = machine();
    press(Qt::Key_C, Qt::ControlModifier);
    press(Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(machine().states.size(), before.states.size() + 2);
    QCOMPARE(selected().states, (QStringList { u"Succeeded-2"_s, u"Failed-2"_s }));
    press(Qt::Key_X, Qt::ControlModifier);
    QCOMPARE(machine().states.size(), before.states.size());
}

void TestEditing::pastedNotations_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("PlantUML") << u"@startuml\n[*] --> Here\nHere --> There : go\n@enduml"_s;
    QTest::newRow("PlantUML, bare") << u"[*] --> Here\nHere --> There : go"_s;
    QTest::newRow("Mermaid") << u"stateDiagram-v2\n  [*] --> Here\n  Here --> There : go"_s;
    QTest::newRow("SCXML")
        << u"<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" initial=\"Here\"><state id=\"Here\"><transition event=\"go\" target=\"There\"/></state><state id=\"There\"/></scxml>"_s;
}

void TestEditing::pastedNotations()
{
    QFETCH(QString, text);
    QApplication::clipboard()->setText(text);
    chart().setFocus();
    press(Qt::Key_V, Qt::ControlModifier);
    QVERIFY(machine().state(u"Here"_s));
    QVERIFY(machine().state(u"There"_s));
    QVERIFY(std::ranges::any_of(machine().transitions, [](const Transition &row) {
        return row.from == QStringList { u"Here"_s } && row.on == QStringList { u"go"_s };
    }));
    QCOMPARE(std::ranges::count(machine().states, State::Kind::Initial, &State::kind), 1);
}

void TestEditing::framesTakeStatesInAndOut()
{
    select({ u"Failed"_s });
    chart().setFocus();
    press(Qt::Key_F);
    QTest::keyClick(hands().lineEdit(), Qt::Key_Escape);
    const QString frame = machine().state(u"Failed"_s)->parent;
    QVERIFY(!frame.isEmpty());
    QVERIFY(boxAt(frame).isFrame());
    // Into it by hand, and out again.
    const QRectF area = boxAt(frame).area;
    drag(middleOf(u"Succeeded"_s),
        chart().mapFromScene(QPointF(area.left() + 12, area.bottom() - 12)));
    QCOMPARE(machine().state(u"Succeeded"_s)->parent, frame);
    chart().fit();
    drag(middleOf(u"Succeeded"_s), emptyPlace());
    QCOMPARE(machine().state(u"Succeeded"_s)->parent, QString());
    // With nothing in it, it is a frame still, stays where it is, and takes something.
    chart().fit();
    drag(middleOf(u"Failed"_s), emptyPlace());
    QCOMPARE(machine().state(u"Failed"_s)->parent, QString());
    QVERIFY(boxAt(frame).isFrame());
    chart().fit();
    const QPointF alone = boxAt(frame).area.center();
    drag(middleOf(u"Succeeded"_s), middleOf(u"Succeeded"_s) + QPoint(30, 0));
    QVERIFY((boxAt(frame).area.center() - alone).manhattanLength() < 3);
    const QRectF title = boxAt(frame).title();
    const QPoint hold = chart().mapFromScene(title.center());
    drag(hold, hold + QPoint(0, 40));
    QVERIFY(boxAt(frame).area.center().y() > alone.y() + 20);
    drag(middleOf(u"Failed"_s), middleOf(frame));
    QCOMPARE(machine().state(u"Failed"_s)->parent, frame);
    QVERIFY(boxAt(frame).isFrame());
}

void TestEditing::notesOnTheChart()
{
    select({ u"Failed"_s });
    hands().addNote();
    type(uR"(watch this\nand that)"_s);
    QCOMPARE(machine().notes.size(), 1);
    QCOMPARE(machine().notes[0].text, u"watch this\nand that"_s);
    QCOMPARE(machine().notes[0].of, u"Failed"_s);
    QCOMPARE(selected().note, 0);
    const auto paper = [this] { return chart().layout().notes.value(0); };
    QCOMPARE(paper().lines, QStringList({ u"watch this"_s, u"and that"_s }));
    QVERIFY(!paper().line.isEmpty());
    for (const ChartBox &box : chart().layout().boxes)
        QVERIFY(!box.area.intersects(paper().rect));
    QVERIFY(chart().layout().bounds.contains(paper().rect));
    // By hand to another place; nothing else moves, and it goes with its state.
    chart().fit();
    const QRectF box = boxAt(u"Failed"_s).area;
    const QPoint from = chart().mapFromScene(paper().rect.center());
    drag(from, from + QPoint(25, 40));
    QVERIFY(machine().notes[0].position);
    QCOMPARE(boxAt(u"Failed"_s).area, box);
    const QPointF before = paper().rect.center();
    select({ u"Failed"_s });
    move({ 20, 10 });
    QCOMPARE(paper().rect.center(), before + QPointF(20, 10));
    // What it says is typed where it stands.
    doubleClick(chart().mapFromScene(paper().rect.center()));
    QVERIFY(hands().lineEdit());
    hands().lineEdit()->setText(u"no longer"_s);
    QTest::keyClick(hands().lineEdit(), Qt::Key_Return);
    settle();
    QCOMPARE(paper().lines, QStringList { u"no longer"_s });
    QCOMPARE(packFromText(document().text(), {})->machines, document().pack().machines);
    // It goes with its state, which is said.
    QSignalSpy said(&hands(), &ChartEditor::said);
    select({ u"Failed"_s });
    hands().remove();
    settle();
    QVERIFY(machine().notes.isEmpty());
    QVERIFY(said.last().first().toString().contains(u"Failed"));
    QCOMPARE(chart().layout().notes.size(), 0);
}

void TestEditing::notesByKeys()
{
    chart().setFocus();
    press(Qt::Key_Escape);
    press(Qt::Key_N);
    QVERIFY(hands().lineEdit());
    QTest::keyClick(hands().lineEdit(), Qt::Key_Return); // nothing said, no note
    settle();
    QVERIFY(machine().notes.isEmpty());
    press(Qt::Key_N);
    type(u"by itself"_s);
    QCOMPARE(machine().notes.value(0).of, QString());
    const QPointF at = *machine().notes.value(0).position;
    QVERIFY(chartHasFocus());
    press(Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(*machine().notes[0].position, at + QPointF(10, 0));
    press(Qt::Key_F2);
    QVERIFY(hands().lineEdit());
    QTest::keyClick(hands().lineEdit(), Qt::Key_Escape);
    // It is followed where another one goes before it.
    Machine changed = machine();
    changed.notes.prepend({ .text = u"first"_s });
    change(changed);
    QCOMPARE(selected().note, 1);
    undo();
    QCOMPARE(selected().note, 0);
    press(Qt::Key_Delete);
    QVERIFY(machine().notes.isEmpty());
    QVERIFY(selected().isEmpty());
}

void TestEditing::workIsSaid()
{
    Machine changed = machine();
    const auto working = std::ranges::find(changed.states, State::Kind::Transitional, &State::kind);
    Step require { {}, Step::Kind::Require };
    require.name = u"DELETE"_s;
    require.to = { u"children"_s };
    Step decide { {}, Step::Kind::Decide };
    decide.name = u"succeeded"_s;
    decide.condition.kind = Condition::Kind::Label;
    decide.condition.text = u"empty"_s;
    working->work = { require, decide, Step {} };
    working->ownWork = true;
    change(changed);
    const ChartElement element { ChartElement::Kind::State, boxOf(working->id), 0 };
    QVERIFY(has(chart().descriptionOf(element),
        { u"Work: require DELETE of children; decide succeeded if empty; attempt"_s }));
}

void TestEditing::newStatesDoNotStandInOneRow()
{
    for (int i = 0; i < 12; ++i) {
        hands().addState();
        settle();
        hands().lineEdit()->finish();
    }
    QSet<double> rows, columns;
    for (const State &state : machine().states) {
        if (state.id.startsWith(u"state")) {
            rows.insert(state.position->y());
            columns.insert(state.position->x());
        }
    }
    QVERIFY2(rows.size() >= 2 && columns.size() >= 3,
        qPrintable(u"%1 rows, %2 columns"_s.arg(rows.size()).arg(columns.size())));
}

void TestEditing::draftsThatCannotRunAreShown()
{
    const QString file = write(u"draft.json"_s,
        R"({"id": "draft", "types": {"t": {"machine": "m"}, "u": {"machine": "gone"}},
 "machines": {"m": {"rest": "nowhere", "states": {"a": {}, "b": {"parent": "zz"}, "w": {"kind": "transitional"}},
  "transitions": [{"from": "a", "on": "go", "to": "w"}, {"from": "a", "on": "jump", "to": "missing"}, {"from": "w", "on": "succeeded", "to": "b", "if": {"parent": ["never heard of"]}}]}},
 "conflicts": [{"on": "unknown", "running": "go", "then": "cancel"}],
 "sample": {"resources": [{"path": "/t/x"}]}})");
    MainWindow *window = nullptr;
    messageOf([&] { window = m_program->open(file); });
    QVERIFY(window);
    const auto *shown = window->findChild<StatechartView *>();
    QVERIFY(shown->layout().boxes.size() >= 4);
    QVERIFY(window->editing()->document().pack().machines[0].transitions[1].to
        == QStringList { u"missing"_s });
    QVERIFY(window->editing()->save());
    QCOMPARE(loadPack(file)->machines[0].rest, u"nowhere"_s);
}

/// What it needs to run is not drawn as if it were there.
void TestEditing::aMachineWithoutStatesInvites()
{
    Machine bare = machine();
    bare.states.clear();
    bare.transitions.clear();
    change(bare);
    QCOMPARE(chart().layout().boxes.size(), 0);
    QCOMPARE(hands().invitation(), u"Double-click, or press S, to add a state"_s);
    QCOMPARE(chart().accessibleDescription(), hands().invitation());
    const QImage drawn = chart().viewport()->grab().toImage();
    bool isDrawn = false;
    for (int x = 0; x < drawn.width(); ++x)
        isDrawn |= drawn.pixelColor(x, drawn.height() / 2) != theme().window;
    QVERIFY(isDrawn);
    editing().setOn(false);
    QCOMPARE(chart().layout().boxes.size(), 2); // where a resource begins, and where it rests
    editing().setOn(true);
    QCOMPARE(chart().layout().boxes.size(), 0);

    chart().setFocus();
    press(Qt::Key_S);
    type(u"none"_s);
    QCOMPARE(chart().layout().boxes.size(), 1);
    QVERIFY(shows(u"none"_s));
    QCOMPARE(hands().invitation(), QString());
    // What was there only to run is drawn when it is in the document, though nothing else changed.
    Machine both = machine();
    both.states.prepend({ .id = u"none-2"_s, .kind = State::Kind::Initial });
    change(both);
    QVERIFY(shows(u"none-2"_s));
}

void TestEditing::newPacksAreWhole_data()
{
    QTest::addColumn<QString>("file");
    const QList<StartPage::Start> starts = newPacks();
    QCOMPARE(starts.size(), 5);
    for (const StartPage::Start &start : starts)
        QTest::newRow(qPrintable(start.title)) << start.id;
}

/// Nothing is wrong in them, although they have no sources; they run, and are saved elsewhere.
void TestEditing::newPacksAreWhole()
{
    QFETCH(QString, file);
    const Pack pack = valueOf(loadPack(file));
    QVERIFY(check(pack).isEmpty());
    MainWindow *window = m_program->open(file);
    QVERIFY(window);
    QCOMPARE(window->editing()->document().file(), QString());
    QVERIFY(!window->editing()->document().isModified());
    const auto *shown = window->findChild<StatechartView *>();
    QVERIFY(shown->layout().boxes.size() >= 2);
    Simulator &run = window->simulator();
    const qint64 begin = run.world().now;
    run.submit(window->fireBar().request());
    while (!run.world().running.empty() && run.step()) { }
    QVERIFY(double(run.world().now - begin) / run.speed() <= 2000); // real ms
    run.submit({ .op = pack.operationNames().last(), .path = pack.sample.first().path });
    QVERIFY(run.runUntilQuiet());
}

/// Explore shows an edited pack at a speed at which its operations can be seen, unless the user has
/// chosen one.
void TestEditing::speedFitsTheEditedPack()
{
    show(newPacks().first().id);
    QCOMPARE(simulator().speed(), 1); // no operation takes time
    editing().setOn(true);
    Pack slow = document().pack();
    slow.operations = { OperationKind { .id = u"rebuild"_s, .duration = 60'000 } };
    slow.machines[0].states += State { .id = u"busy"_s, .kind = State::Kind::Transitional };
    slow.machines[0].transitions +=
        QList<Transition> { { .from = { u"ready"_s }, .on = { u"rebuild"_s }, .to = { u"busy"_s } },
            { .from = { u"busy"_s }, .on = { u"succeeded"_s }, .to = { u"ready"_s } } };
    document().edit(u"work"_s, slow);
    editing().setOn(false);
    QCOMPARE(simulator().speed(), 20);
    panels::named<QSpinBox>(m_window->fireBar(), u"Duration of an attempt"_s)->setValue(600);
    editing().setOn(true);
    editing().setOn(false);
    QCOMPARE(simulator().speed(), 20); // nothing was edited
    simulator().setSpeed(5);
    editing().setOn(true);
    editing().setOn(false);
    QCOMPARE(simulator().speed(), 5);
}

/// Changes that are not saved are asked about; a refusal keeps the window.
/// The name that its first file gets is asked for anyway; a pack that has a name keeps it.
void TestEditing::aNewPackIsCalledAsItsFile()
{
    const auto savedAs = [this](MainWindow *window, const QString &name) {
        const FileAnswer answer(m_folder.filePath(name));
        return window->editing()->saveAs();
    };
    MainWindow *window = m_program->open(newPacks().first().id);
    Document &named = window->editing()->document();
    QVERIFY(savedAs(window, u"pull_requests of ours.json"_s));
    QCOMPARE(named.pack().id, u"pull-requests-of-ours"_s);
    QCOMPARE(named.pack().title, u"Pull requests of ours"_s);
    QCOMPARE(loadPack(named.file())->id, named.pack().id);
    QVERIFY(!named.isModified());
    QVERIFY(savedAs(window, u"again.json"_s));
    QCOMPARE(named.pack().id, u"pull-requests-of-ours"_s);
    named.history().undo();
    QCOMPARE(named.pack().id, u"my-system"_s);
    named.history().redo();
    // One that somebody keeps as it is.
    MainWindow *kept = m_program->open(write(u"kept.json"_s, bytesOf(newPacks().first().id)));
    QVERIFY(savedAs(kept, u"kept-too.json"_s));
    QCOMPARE(kept->editing()->document().pack().id, u"my-system"_s);
    const QString own = document().pack().id;
    QVERIFY(savedAs(m_window, u"copy.json"_s));
    QCOMPARE(document().pack().id, own);
}

void TestEditing::closingAsks()
{
    chart().setFocus();
    press(Qt::Key_A, Qt::ControlModifier);
    press(Qt::Key_Right, Qt::AltModifier);
    QVERIFY(document().isModified());
    bool isClosed = true;
    const QString asked = messageOf([&] { isClosed = m_window->close(); }, u"Cancel"_s).text;
    QVERIFY(!isClosed);
    QVERIFY2(asked.contains(u"unsaved changes"_s), qPrintable(asked));
    QVERIFY(m_window->isVisible());
}

/// A machine that no resource on the chart has is edited where it is drawn.
void TestEditing::theSelectedMachineIsShown()
{
    MainWindow *window = m_program->open(u"blazar"_s);
    Editing &blazar = *window->editing();
    blazar.setOn(true);
    auto *shown = window->findChild<StatechartView *>();
    const QString lease = shown->machine(), other = blazar.document().pack().machines.last().id;
    QVERIFY(other != lease);
    blazar.selection().set({ .machine = other });
    QCOMPARE(shown->machine(), other);
    const qsizetype states = blazar.document().pack().machine(other)->states.size();
    blazar.hands().addStateAt(QPointF(2000, 2000));
    QCOMPARE(blazar.document().pack().machine(other)->states.size(), states + 1);
    // A visit to Explore changes nothing until a resource of another type is selected there.
    blazar.hands().acceptTyped();
    const SelectedRows rows { .machine = other,
        .states = { blazar.document().pack().machine(other)->rest } };
    blazar.selection().set(rows);
    blazar.setOn(false);
    QCOMPARE(shown->machine(), lease);
    window->select(u"/leases/workshop"_s);
    blazar.setOn(true);
    QCOMPARE(shown->machine(), other);
    QCOMPARE(blazar.selection().rows(), rows);
    blazar.setOn(false);
    window->select(u"/leases/workshop/reservations/hosts"_s);
    blazar.setOn(true);
    QVERIFY(shown->machine() != other);
    window->select(u"/leases/workshop"_s);
    QCOMPARE(shown->machine(), lease);
    QCOMPARE(blazar.selection().rows().machine, lease);
    blazar.document().history().setClean();
}

/// An arrow that was selected is still the same one when another row comes or goes before it.
void TestEditing::rowsAreFollowed()
{
    const int last = int(machine().transitions.size()) - 1;
    const Transition row = machine().transitions[last];
    editing().selection().set({ .machine = selected().machine,
        .transitions = { last },
        .from = row.from.first(),
        .to = row.to.value(0) });
    Machine changed = machine();
    changed.transitions.removeFirst();
    change(changed);
    QCOMPARE(selected().transitions, QSet<int> { last - 1 });
    undo();
    QCOMPARE(selected().transitions, QSet<int> { last });
    changed = machine();
    changed.transitions.removeLast();
    change(changed);
    QVERIFY(selected().transitions.isEmpty());
    press(Qt::Key_Delete);
    QCOMPARE(machine().transitions.size(), last);
}

void TestEditing::aGestureEndsWithItsChart()
{
    QWidget *view = chart().viewport();
    const QPoint at = middleOf(u"Failed"_s);
    QTest::mousePress(view, Qt::LeftButton, {}, at);
    QTest::mouseMove(view, at + QPoint(20, 20));
    editing().selection().set(
        { .machine = selected().machine, .states = stateIds(machine()).mid(1) });
    hands().remove();
    settle();
    const QByteArray before = writePack(document().pack());
    QTest::mouseMove(view, at + QPoint(40, 40));
    QTest::mouseRelease(view, Qt::LeftButton, {}, at + QPoint(40, 40));
    QCOMPARE(writePack(document().pack()), before);
}

void TestEditing::closedWhileTyping()
{
    select({ u"Failed"_s });
    hands().rename();
    QVERIFY(hands().lineEdit());
    delete m_window.data(); // with the line in it
    m_window = m_program->open(builtInPacks().first());
}

void TestEditing::returnFiresNothing()
{
    const auto put = lit(u"PUT"_s);
    QVERIFY(put);
    chart().focusPart(*put);
    press(Qt::Key_Escape);
    press(Qt::Key_Return);
    chart().activate(*put); // as screen readers do
    QCOMPARE(simulator().lastMoment(), 0);
    QVERIFY(!selected().transitions.isEmpty());
}

/// Saving, closing and Explore take what is in the line.
void TestEditing::whatIsTypedIsKept()
{
    select({ u"Failed"_s });
    hands().rename();
    QTest::keyClicks(hands().lineEdit(), u"Broken"_s);
    editing().setOn(false);
    QVERIFY(document().pack().machine(selected().machine)->state(u"Broken"_s));
    editing().setOn(true);
    settle();
    select({ u"Broken"_s });
    hands().rename();
    QTest::keyClicks(hands().lineEdit(), u"Bad"_s);
    QTest::keyClick(hands().lineEdit(), Qt::Key_D, Qt::ControlModifier); // a key of the line
    document().save(m_folder.filePath(u"kept.json"_s));
    QVERIFY(editing().save());
    QVERIFY(
        loadPack(m_folder.filePath(u"kept.json"_s))->machine(selected().machine)->state(u"Bad"_s));
}

void TestEditing::leftWithAWrongName()
{
    QSignalSpy said(&hands(), &ChartEditor::said);
    select({ u"Failed"_s });
    hands().rename();
    QTest::keyClicks(hands().lineEdit(), u"Succeeded"_s);
    click(emptyPlace());
    QVERIFY(selected().isEmpty()); // the click was one
    QCOMPARE(said.size(), 1);
    QVERIFY(said[0][0].toString().contains(u"Succeeded"_s));
    QVERIFY(machine().state(u"Failed"_s));
}

void TestEditing::largeChartsKeepWhatIsSelected()
{
    Pack pack = *loadPack(builtInPacks().first());
    Machine large { .id = u"large"_s, .rest = u"s0"_s };
    large.states.append({ .id = u"none"_s, .kind = State::Kind::Initial });
    for (int i = 0; i < 180; ++i) {
        large.states.append({ .id = u"s%1"_s.arg(i) });
        const int row = i / 15;
        large.states.last().position = QPointF(i % 15 * 200, row * 120);
        large.transitions.append({ .from = { u"s%1"_s.arg(i) },
            .on = { u"go"_s },
            .to = { u"s%1"_s.arg((i + 1) % 180) } });
    }
    change(large);
    editing().selection().set({ .machine = u"large"_s });
    if (chart().machine().isEmpty()) { // while there is no chart, the hands do nothing
        const int count = document().history().count();
        for (QAction *action : hands().actions())
            action->trigger();
        QTest::mouseDClick(chart().viewport(), Qt::LeftButton);
        QCOMPARE(document().history().count(), count);
        QVERIFY(selected().states.isEmpty());
    }
    QTRY_COMPARE_WITH_TIMEOUT(chart().machine(), u"large"_s, 60000);
    chart().fit();
    const double scale = chart().transform().m11();
    editing().selection().set({ .machine = u"large"_s, .states = { u"s7"_s } });
    move({ 10, 0 });
    chart().setLarger(1); // as a resize does while there is no chart
    QTRY_COMPARE_WITH_TIMEOUT(chart().machine(), u"large"_s, 60000);
    QCOMPARE(selected().states, QStringList { u"s7"_s });
    QCOMPARE(chart().transform().m11(), scale);
    hands().addStateAt({ 300, 2500 });
    settle();
    QTRY_VERIFY(hands().lineEdit());
    QTest::keyClick(hands().lineEdit(), Qt::Key_Escape);
}

const TestClass<TestEditing, QApplication> registered;

} // namespace

#include "tst_editing.moc"
