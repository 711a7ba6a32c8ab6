// SPDX-License-Identifier: Apache-2.0
#include "model/formats/fields.h"
#include "model/machine/edits.h"
#include "model/machine/names.h"
#include "tests/support/testclass.h"
#include "tests/views/packlab.h"
#include "tests/views/statechartscene.h"
#include "views/document/document.h"
#include "views/editing/comparepanel.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeView>

using namespace instar;
using namespace Qt::StringLiterals;

/// What a pack and another one say and do differently, in a panel and on the chart.
class TestComparePanel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void nothingYet();
    void theSame();
    void rowsAndStory();
    void swapped();
    void timeAlone();
    void savedVersion();
    void setting();
    void newestWins();
    void off();
    void stopped();
    void cannotRun();
    void chosen();
    void closed();
    void marksOfAll();
    void marksOfTheOtherSide();
    void marksFollowTheChart();
    void marksOfSettings();
    void marksOfConstraints();
    void arrowsToWhatIsCalledOtherwise();
    void manyDifferences();

private:
    QString cell(int row, int column)
    {
        return m_panel->list().model()->index(row, column).data().toString();
    }
    QString rows(int column = 0)
    {
        QStringList cells;
        for (int row = 0; row < m_panel->list().model()->rowCount(); ++row)
            cells += cell(row, column);
        return cells.join(u'\n');
    }
    void compare(const Pack &pack)
    {
        m_panel->compareWith({ .title = u"the other"_s, .name = u"other"_s, .pack = pack });
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isLooking(), 30'000);
    }
    QPushButton *button(const QString &text)
    {
        for (auto *each : m_panel->findChildren<QPushButton *>()) {
            if (each->text() == text && !each->isHidden())
                return each;
        }
        return nullptr;
    }

    std::unique_ptr<Document> m_document;
    std::unique_ptr<ComparePanel> m_panel;
};

namespace {

/// What another version of the pack had: something of each kind is otherwise.
Pack olderLab()
{
    Pack pack = renamed(labPack(), Name::State, u"going"_s, u"leaving"_s, u"server"_s);
    Machine &server = pack.machines[1];
    State old;
    old.id = u"old"_s;
    old.position = QPointF(600, 400);
    server.states += old;
    Transition row;
    row.from = { u"on"_s };
    row.on = { u"start"_s };
    row.to = { u"old"_s };
    server.transitions += row;
    server.transitions[0].label = u"begin"_s;
    return pack;
}

QString marksText(const QList<DifferenceMark> &marks)
{
    QStringList lines;
    for (const DifferenceMark &mark : marks)
        lines += u"%1 %2%3%4"_s.arg(signOf(mark.kind), mark.text,
            mark.ghost.isNull() ? QString() : u" ghost "_s + mark.name,
            mark.line ? u" line"_s : QString());
    return lines.join(u'\n');
}

DocumentComparison comparisonOf(const Pack &first, const Pack &second, Side side)
{
    return { compared({ {}, first, {} }, { {}, second, {} }), side,
        side == Side::First ? first : second };
}

} // namespace

void TestComparePanel::init()
{
    m_document = std::make_unique<Document>(labPack());
    m_panel = std::make_unique<ComparePanel>(*m_document);
    m_panel->setHere(u"lab"_s, {});
    m_panel->resize(1000, 240);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
}

void TestComparePanel::cleanup()
{
    m_panel.reset();
    m_document.reset();
}

void TestComparePanel::nothingYet()
{
    QVERIFY(!m_panel->isComparing());
    QCOMPARE(rows(), u""_s);
    QVERIFY(!button(u"Save the Story…"_s));
    m_panel->swapSides();
    QVERIFY(!m_panel->isLooking());
}

void TestComparePanel::theSame()
{
    compare(labPack());
    QCOMPARE(rows(), u""_s);
    QCOMPARE(m_panel->storyText(), u"Both do the same."_s);
}

void TestComparePanel::rowsAndStory()
{
    compare(olderLab());
    QCOMPARE(rows(),
        u"→ Renamed state\n"
        "− Removed state\n"
        "≠ Changed transition\n"
        "− Removed transition"_s);
    QCOMPARE(cell(0, 1), u"server · going"_s);
    QCOMPARE(cell(0, 2), u"leaving"_s);
    QCOMPARE(cell(0, 3), u"going"_s);
    QCOMPARE(cell(2, 2), u"label: begin"_s);
    QCOMPARE(cell(2, 3), u"no label"_s);
    QVERIFY2(m_panel->storyText().contains(u"start on /racks/r1/servers/s1"_s),
        qPrintable(m_panel->storyText()));
    QVERIFY2(m_panel->storyText().contains(u"old in the other"_s)
            || m_panel->storyText().contains(u"in this pack"_s),
        qPrintable(m_panel->storyText()));

    QSignalSpy saving(m_panel.get(), &ComparePanel::saveAsked);
    QVERIFY(button(u"Save the Story…"_s));
    QTest::mouseClick(button(u"Save the Story…"_s), Qt::LeftButton);
    QCOMPARE(saving.size(), 1);
    QCOMPARE(saving[0][0].value<Scenario>().pack, u"other"_s);
    QSignalSpy running(m_panel.get(), &ComparePanel::runAsked);
    QTest::mouseClick(button(u"Run on this pack"_s), Qt::LeftButton);
    QCOMPARE(running.size(), 1);
    QCOMPARE(running[0][0].value<ComparedPack>().name, u"lab"_s);
    QVERIFY(running[0][0].value<ComparedPack>().pack == m_document->pack());
}

/// What was removed was added, and the story is for the document.
void TestComparePanel::swapped()
{
    compare(olderLab());
    for (auto *tool : m_panel->findChildren<QToolButton *>()) {
        if (tool->text() == u"Swap")
            tool->click();
    }
    QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isLooking(), 30'000);
    QCOMPARE(m_panel->here(), Side::First);
    QVERIFY2(rows().contains(u"+ Added state"_s) && rows().contains(u"+ Added transition"_s),
        qPrintable(rows()));
    QCOMPARE(cell(0, 2), u"going"_s);
    QSignalSpy saving(m_panel.get(), &ComparePanel::saveAsked);
    QTest::mouseClick(button(u"Save the Story…"_s), Qt::LeftButton);
    QCOMPARE(saving[0][0].value<Scenario>().pack, u"lab"_s);
}

/// What the clock does differently needs nobody who asks.
void TestComparePanel::timeAlone()
{
    Pack pack = labPack();
    State &on = pack.machines[1].states[1];
    on.timer = Timer {};
    on.timer->after = 4000;
    on.timer->operation = u"stop"_s;
    m_document->edit({}, pack);
    compare(labPack());
    QCOMPARE(rows(), u"≠ Changed state"_s);
    const QString story = m_panel->storyText();
    QVERIFY2(story.contains(u"Nobody asks for anything; time passes."_s), qPrintable(story));
    const QString then = u"Then, at %1 ms:"_s.arg(QLocale().toString(4000));
    QVERIFY2(story.contains(then), qPrintable(story));
}

/// A rename in the document is a rename, whatever else was done to the row.
void TestComparePanel::savedVersion()
{
    m_panel->compareWith({ .kind = Counterpart::Kind::Saved, .title = u"as it was opened"_s });
    QTRY_VERIFY(!m_panel->isLooking());
    QCOMPARE(rows(), u""_s);
    const Pack now = renamed(m_document->pack(), Name::State, u"on"_s, u"alive"_s, u"server"_s);
    m_document->edit({}, now);
    QVERIFY(m_panel->isLooking());
    QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isLooking(), 30'000);
    QCOMPARE(rows(), u"→ Renamed state"_s);
    QVERIFY2(
        m_panel->storyText().startsWith(u"Both do the same"_s), qPrintable(m_panel->storyText()));
    m_document->history().undo();
    QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isLooking(), 30'000);
    QCOMPARE(rows(), u""_s);
}

void TestComparePanel::setting()
{
    Pack pack = labPack();
    Switch row;
    row.id = u"locks"_s;
    row.values = { u"no"_s, u"yes"_s };
    row.defaultValue = u"no"_s;
    pack.switches += row;
    pack.machines[1].transitions[1].when = { { u"locks"_s, { u"no"_s } } };
    m_document->edit({}, pack);
    m_panel->compareWith({ .kind = Counterpart::Kind::Setting,
        .title = u"locks: yes"_s,
        .switches = { { u"locks"_s, u"yes"_s } } });
    QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isLooking(), 30'000);
    QCOMPARE(rows(), u"+ Added transition"_s);
    QCOMPARE(documentPointer(
                 m_panel->comparison(), m_panel->comparison().comparison.differences.first()),
        u"/machines/server/transitions/1"_s);
    QVERIFY2(m_panel->storyText().contains(u"stop on /racks/r1/servers/s1"_s),
        qPrintable(m_panel->storyText()));
}

void TestComparePanel::newestWins()
{
    m_panel->compareWith({ .kind = Counterpart::Kind::Saved, .title = u"before"_s });
    for (const QString &title : { u"A"_s, u"B"_s, u"C"_s })
        m_document->edit(
            {}, *withField(m_document->pack(), {}, u"title"_s, "\"" + title.toUtf8() + "\""));
    QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isLooking(), 30'000);
    QCOMPARE(rows(3), u"title: C"_s);
}

void TestComparePanel::off()
{
    compare(labPack());
    m_panel->setOn(false);
    m_document->edit({}, *withField(m_document->pack(), {}, u"title"_s, "\"A\""));
    QVERIFY(!m_panel->isLooking());
    QCOMPARE(rows(), u""_s);
    m_panel->setOn(true);
    QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isLooking(), 30'000);
    QCOMPARE(rows(3), u"title: A"_s);
}

void TestComparePanel::stopped()
{
    const Pack first = *loadPack(u"network-controller"_s);
    m_document->edit({}, first);
    m_panel->compareWith({ .title = u"sync"_s,
        .name = u"network-controller-sync"_s,
        .pack = *loadPack(u"network-controller-sync"_s) });
    QVERIFY(button(u"Stop Looking"_s));
    QTest::mouseClick(button(u"Stop Looking"_s), Qt::LeftButton);
    QVERIFY(!m_panel->isLooking());
    QCOMPARE(m_panel->storyText(), u"The search was stopped."_s);
    QVERIFY(!button(u"Save the Story…"_s));
    QTest::mouseClick(button(u"Look Again"_s), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isLooking(), 60'000);
    QVERIFY(button(u"Save the Story…"_s));
}

void TestComparePanel::cannotRun()
{
    compare(labPack());
    Pack broken = m_document->pack();
    broken.machines[1].transitions[0].to = { u"nowhere"_s };
    m_document->edit({}, broken);
    QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isLooking(), 30'000);
    QCOMPARE(rows(), u"≠ Changed transition"_s);
    QVERIFY2(m_panel->storyText().startsWith(u"What they do was not compared:"_s)
            && m_panel->storyText().contains(u"nowhere"_s),
        qPrintable(m_panel->storyText()));
}

void TestComparePanel::chosen()
{
    compare(olderLab());
    QSignalSpy chosen(m_panel.get(), &ComparePanel::differenceChosen);
    QTreeView &list = m_panel->list();
    QTest::mouseClick(
        list.viewport(), Qt::LeftButton, {}, list.visualRect(list.model()->index(2, 1)).center());
    QCOMPARE(chosen.size(), 1);
    const auto difference = chosen[0][0].value<Difference>();
    QCOMPARE(
        documentPointer(m_panel->comparison(), difference), u"/machines/server/transitions/0"_s);
    list.setFocus();
    QTest::keyClick(&list, Qt::Key_Up);
    QTest::keyClick(&list, Qt::Key_Return);
    QCOMPARE(chosen.size(), 2);
    QCOMPARE(documentPointer(m_panel->comparison(), chosen[1][0].value<Difference>()), QString());
}

void TestComparePanel::closed()
{
    compare(olderLab());
    QSignalSpy closed(m_panel.get(), &ComparePanel::closed);
    QSignalSpy compared(m_panel.get(), &ComparePanel::compared);
    for (auto *tool : m_panel->findChildren<QToolButton *>()) {
        if (tool->accessibleName() == u"Compare no longer")
            tool->click();
    }
    QCOMPARE(closed.size(), 1);
    QCOMPARE(compared.size(), 1);
    QVERIFY(!m_panel->isComparing());
    QCOMPARE(rows(), u""_s);
    QCOMPARE(m_panel->storyText(), u""_s);
}

// ---- On the chart

void TestComparePanel::marksOfAll()
{
    scene::Scene chart(labPack());
    chart.view->setMachine(u"server"_s);
    DifferenceMarks marks(*chart.view);
    marks.show(comparisonOf(olderLab(), labPack(), Side::Second));
    QCOMPARE(marksText(marks.marks()),
        u"→ was leaving\n"
        "≠ label line\n"
        "− removed ghost old\n"
        "− removed ghost start"_s);
    QCOMPARE(marks.marks()[2].ghost.center(), QPointF(600, 400)); // where it was
    QVERIFY(!marks.marks()[3].curve.isEmpty());
    for (const ChartBox &box : chart.view->layout().boxes) {
        QVERIFY(!box.area.intersects(marks.marks()[2].ghost));
        QVERIFY(!box.area.intersects(marks.marks()[3].ghost));
    }
    const QImage with = chart.view->viewport()->grab().toImage();
    marks.clear();
    QVERIFY(marks.marks().isEmpty());
    QVERIFY(with != chart.view->viewport()->grab().toImage());
}

/// The document comes first: what the other has more is a ghost, what it has not is removed.
void TestComparePanel::marksOfTheOtherSide()
{
    scene::Scene chart(labPack());
    chart.view->setMachine(u"server"_s);
    DifferenceMarks marks(*chart.view);
    marks.show(comparisonOf(labPack(), olderLab(), Side::First));
    QCOMPARE(marksText(marks.marks()),
        u"→ becomes leaving\n"
        "≠ label line\n"
        "+ added ghost old\n"
        "+ added ghost start"_s);
}

void TestComparePanel::marksFollowTheChart()
{
    scene::Scene chart(labPack());
    DifferenceMarks marks(*chart.view);
    marks.show(comparisonOf(olderLab(), labPack(), Side::Second));
    QCOMPARE(marksText(marks.marks()), u""_s); // a rack has nothing new
    chart.view->setMachine(u"server"_s);
    QCOMPARE(marks.marks().size(), 4);
    QVERIFY(marks.reveal(u"machines/server/states/old"_s));
    QVERIFY(chart.view->seen().contains(marks.marks()[2].ghost));
    QVERIFY(!marks.reveal(u"types/racks"_s));
}

/// Rows that the setting leaves out do not shift those behind them.
void TestComparePanel::marksOfSettings()
{
    Pack pack = labPack();
    Switch row;
    row.id = u"locks"_s;
    row.values = { u"no"_s, u"yes"_s };
    row.defaultValue = u"no"_s;
    pack.switches += row;
    pack.machines[1].transitions[0].when = { { u"locks"_s, { u"yes"_s } } };
    pack.machines[1].transitions[1].when = { { u"locks"_s, { u"no"_s } } };
    const Document document(pack); // numbers its rows
    scene::Scene chart(document.pack());
    chart.view->setMachine(u"server"_s);
    DifferenceMarks marks(*chart.view);
    const ComparedPack here { {}, document.pack(), {} };
    const ComparedPack there { {}, document.pack(), { { u"locks"_s, u"yes"_s } } };
    marks.show({ compared(there, here), Side::Second, document.pack() });
    QCOMPARE(marksText(marks.marks()), u"+ added line\n− removed ghost start"_s);
    const ChartElement line = *marks.marks()[0].line;
    QCOMPARE(chart.view->layout().arrows[line.index].link.lines[line.line].rows, QList<int> { 1 });
}

/// A constraint is shown at the states that it is about.
void TestComparePanel::marksOfConstraints()
{
    Pack other = labPack();
    other.machines[1].constraints.clear();
    scene::Scene chart(labPack());
    chart.view->setMachine(u"server"_s);
    DifferenceMarks marks(*chart.view);
    marks.show(comparisonOf(other, labPack(), Side::Second));
    QCOMPARE(marksText(marks.marks()), u"≠ constraint added"_s);
    QCOMPARE(chart.view->stateId(chart.view->layout().boxes[marks.marks()[0].box].state), u"on"_s);
    marks.show(comparisonOf(labPack(), other, Side::First));
    QCOMPARE(marksText(marks.marks()), u"≠ constraint removed"_s);
}

/// An arrow that is gone leads between the states that are there, whatever they were called.
void TestComparePanel::arrowsToWhatIsCalledOtherwise()
{
    Pack other = renamed(labPack(), Name::State, u"going"_s, u"leaving"_s, u"server"_s);
    Transition row;
    row.from = { u"off"_s };
    row.on = { u"stop"_s };
    row.to = { u"leaving"_s };
    other.machines[1].transitions += row;
    scene::Scene chart(labPack());
    chart.view->setMachine(u"server"_s);
    DifferenceMarks marks(*chart.view);
    marks.show(comparisonOf(other, labPack(), Side::Second));
    const auto gone = std::ranges::find(marks.marks(), u"stop"_s, &DifferenceMark::name);
    QVERIFY(gone != marks.marks().end());
    QVERIFY(!gone->curve.isEmpty());
    const ChartLayout &layout = chart.view->layout();
    const auto at = [&](const QString &state) {
        const int box = layout.boxOf(chart.simulator->rules().stateNamed(1, state));
        return layout.boxes[box].outline.rect.adjusted(-14, -14, 14, 14);
    };
    QVERIFY(at(u"off"_s).contains(gone->curve.begin()));
    QVERIFY(at(u"going"_s).contains(gone->curve.end()));
}

void TestComparePanel::manyDifferences()
{
    Pack other = labPack();
    for (int i = 0; i < 3000; ++i) {
        NamedCondition row;
        row.id = u"condition-%1"_s.arg(i);
        other.conditions += row;
    }
    m_panel->compareWith({ .title = u"large"_s, .name = u"large"_s, .pack = other });
    QTRY_VERIFY_WITH_TIMEOUT(!rows().isEmpty(), 30'000);
    QCOMPARE(m_panel->list().model()->rowCount(), 3000);
}

const instar::TestClass<TestComparePanel, QApplication> registered;
#include "tst_comparepanel.moc"
