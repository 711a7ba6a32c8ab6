// SPDX-License-Identifier: Apache-2.0
// What can happen, asked, listed and played with mouse and keyboard on the real panel.

#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "tests/views/panelsupport.h"
#include "views/outcomes/outcomespanel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QListView>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace instar;
using namespace instar::panels;

namespace {

ScenarioStep asked(const QString &op, const QString &path, const QString &client)
{
    ScenarioStep step;
    step.request = { .op = op, .path = path, .client = client };
    return step;
}

} // namespace

class TestOutcomesPanel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void nothingChosen();
    void choosesByItself();
    void endings();
    void inAnyWay();
    void aTraceIsOnlyLookedAt();
    void stepByStep();
    void oneBranchForAll();
    void orders();
    void oneOperationHasNoOrder();
    void whoGotWhatStandsFirstWhereItDiffers();
    void fromAnEarlierMoment();
    void whatRuns();
    void stopped();
    void further();
    void momentsGo();
    void otherRules();
    void picturesTellThem();
    void picturesAreOfWhatIsFound();
    void thousandsOfRows();
    void byKeysAlone();
    void narrow();
    void theClockIsNamedByItsResource();
    void timersCanStand();
    void noTwoRowsLookTheSame_data();
    void noTwoRowsLookTheSame();
    void oddNamesAreLinks();
    void requiredStepsHaveTooltips();
    void words_data();
    void words();
    void errors();

private:
    QPushButton *press(const QString &text)
    {
        auto *pressed = button<QPushButton>(*m_panel, text);
        QTest::mouseClick(pressed, Qt::LeftButton);
        return pressed;
    }
    void wait() { QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isLooking(), 60'000); }
    void askEndings()
    {
        press(u"What can happen?"_s);
        wait();
    }
    void offer(const QList<ScenarioStep> &steps)
    {
        m_panel->setChoices({ { u"bar"_s, u"In the bar"_s, steps } });
    }
    void collide()
    {
        m_panel->setChoices({ { u"armed"_s, u"Armed"_s,
            { asked(u"PUT"_s, net, u"A"_s), asked(u"DELETE"_s, subnet, u"B"_s) } } });
    }
    void askWhatCollides()
    {
        collide();
        askEndings();
    }
    int goneRow() { return int(rows().indexOf(u"Rack-1 and 2 below gone"_s)); }
    void clickStep(int row)
    {
        QListWidget &steps = m_panel->steps();
        QTest::mouseClick(
            steps.viewport(), Qt::LeftButton, {}, steps.visualItemRect(steps.item(row)).center());
    }
    QStringList rows(int role = Qt::DisplayRole)
    {
        QStringList texts;
        const QAbstractItemModel &model = *m_panel->list().model();
        for (int row = 0; row < model.rowCount(); ++row)
            texts += model.index(row, 0).data(role).toString();
        return texts;
    }
    void clickRow(int row, bool twice = false)
    {
        QListView &list = m_panel->list();
        const QModelIndex index = list.model()->index(row, 0);
        list.scrollTo(index);
        const QPoint point = list.visualRect(index).center();
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, point);
        if (twice)
            QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, point);
    }
    QString state(const QString &path)
    {
        const World &world = m_simulator->world();
        const Resource resource = world.tree.find(path);
        return resource == NoResource ? u"absent"_s
                                      : shownWord(m_simulator->rules(), world, resource);
    }

    std::unique_ptr<Simulator> m_simulator;
    std::unique_ptr<QWidget> m_window;
    OutcomesPanel *m_panel = nullptr;
};

void TestOutcomesPanel::init()
{
    m_simulator = sample();
    m_window = std::make_unique<QWidget>();
    m_panel = new OutcomesPanel(*m_simulator);
    auto *layout = new QVBoxLayout(m_window.get());
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_panel);
    m_window->resize(1000, 260);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void TestOutcomesPanel::cleanup()
{
    m_window.reset();
    m_simulator.reset();
}

void TestOutcomesPanel::nothingChosen()
{
    QVERIFY(m_panel->emptyText().startsWith(u"Choose operations"_s));
    QVERIFY(!button<QPushButton>(*m_panel, u"What can happen?"_s)->isEnabled());
    m_panel->ask(OutcomesQuestion::What::Endings);
    QVERIFY(!m_panel->isLooking());
    collide();
    QVERIFY(has(m_panel->emptyText(), { u"A PUT Transit, B DELETE Rack-1"_s }));
    QCOMPARE(namelessControls(*m_panel), u""_s);
}

/// The first that has enough, and what somebody chose before everything.
void TestOutcomesPanel::choosesByItself()
{
    const ScenarioStep one = asked(u"PUT"_s, net, {});
    auto *box = named<QComboBox>(*m_panel, u"Operations"_s);
    m_panel->setChoices({ { u"armed"_s, u"Armed"_s, {} }, { u"bar"_s, u"In the bar"_s, { one } } });
    QCOMPARE(box->currentText(), u"In the bar (1)"_s);
    m_panel->setChoices({ { u"selected"_s, u"Selected"_s, { one }, 0, 2 },
        { u"bar"_s, u"In the bar"_s, { one } } });
    QCOMPARE(box->currentText(), u"In the bar (1)"_s);
    m_panel->setChoices(
        { { u"armed"_s, u"Armed"_s, { one, one } }, { u"bar"_s, u"In the bar"_s, { one } } });
    QCOMPARE(box->currentText(), u"Armed (2)"_s);
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(box->currentText(), u"In the bar (1)"_s);
    m_panel->setChoices(
        { { u"armed"_s, u"Armed"_s, { one, one, one } }, { u"bar"_s, u"In the bar"_s, { one } } });
    QCOMPARE(box->currentText(), u"In the bar (1)"_s);
    // Until there is nothing any more in what was chosen.
    QTest::keyClick(box, Qt::Key_Up);
    QCOMPARE(box->currentText(), u"Armed (3)"_s);
    m_panel->setChoices({ { u"armed"_s, u"Armed"_s, {} }, { u"bar"_s, u"In the bar"_s, { one } } });
    QCOMPARE(box->currentText(), u"In the bar (1)"_s);
}

void TestOutcomesPanel::endings()
{
    collide();
    press(u"What can happen?"_s);
    QVERIFY(m_panel->isLooking());
    wait();
    QVERIFY(m_panel->found());
    QCOMPARE(rows().first(), u"Endings (%1)"_s.arg(m_panel->found()->endings));
    const int without = goneRow();
    QVERIFY2(without > 0, qPrintable(rows().join(u'\n')));
    QVERIFY(rows(OutcomesModel::Note)[without].contains(u"B Succeeded"_s));
    QVERIFY2(m_panel->summary().startsWith(u"All "_s), qPrintable(m_panel->summary()));
    QVERIFY(m_panel->list().currentIndex().row() == 1); // the first story, not what is above it
    clickRow(without);
    const QString text = m_panel->findChild<QTextBrowser *>()->toPlainText();
    QVERIFY2(text.contains(u"Rack-1"_s) && text.contains(u"absent"_s), qPrintable(text));
    QCOMPARE(m_simulator->moment(), 0); // looking at it changes nothing
    QCOMPARE(m_simulator->branches().size(), 1);
    m_panel->list().setFocus();
    QTest::keySequence(&m_panel->list(), QKeySequence::Copy);
    QVERIFY2(copied().startsWith(u"Rack-1 and 2 below gone; "_s), qPrintable(copied()));
}

void TestOutcomesPanel::inAnyWay()
{
    askWhatCollides();
    const qint64 planned = m_panel->found()->endings;
    auto *ends = named<QComboBox>(*m_panel, u"How their work ends"_s);
    ends->setFocus();
    QTest::keyClick(ends, Qt::Key_Down);
    askEndings();
    QVERIFY(m_panel->found()->endings > planned);
    QVERIFY(rows().filter(u"Failed"_s).size() > 1);
}

/// What is asked next is asked where the story began, until something else happens after it.
void TestOutcomesPanel::aTraceIsOnlyLookedAt()
{
    askWhatCollides();
    const QStringList before = rows();
    clickRow(goneRow(), true);
    m_simulator->pause();
    m_simulator->advanceTo(100'000);
    QCOMPARE(state(subnet), u"absent"_s);
    askEndings();
    QCOMPARE(rows(), before);
    QVERIFY2(m_panel->summary().contains(u"From 0.000 s."_s), qPrintable(m_panel->summary()));
    // And played from there: once more on one branch.
    clickRow(goneRow(), true);
    m_simulator->pause();
    QCOMPARE(m_simulator->branches().size(), 2);
    m_simulator->advanceTo(100'000);
    QCOMPARE(state(subnet), u"absent"_s);
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    askEndings();
    QVERIFY2(!m_panel->summary().contains(u"From 0.000 s."_s), qPrintable(m_panel->summary()));
}

/// Down and up in the list of steps is forwards and backwards in time, and the list follows it.
void TestOutcomesPanel::stepByStep()
{
    askWhatCollides();
    clickRow(goneRow());
    QListWidget &steps = m_panel->steps();
    QCOMPARE(steps.item(0)->text(), u"At 0.000 s"_s);
    QCOMPARE(steps.currentRow(), -1);
    clickStep(1);
    QCOMPARE(m_simulator->moment(), 1);
    QCOMPARE(steps.currentRow(), 1);
    steps.setFocus();
    for (int step = 2; step < steps.count(); ++step) {
        QTest::keyClick(&steps, Qt::Key_Down);
        QCOMPARE(m_simulator->moment(), step);
    }
    QCOMPARE(state(subnet), u"absent"_s);
    QTest::keyClick(&steps, Qt::Key_Home);
    QCOMPARE(m_simulator->moment(), 0);
    m_simulator->step();
    QTRY_COMPARE(steps.currentRow(), 1);
    m_simulator->switchTo(0);
    QTRY_COMPARE(steps.currentRow(), -1);
}

void TestOutcomesPanel::oneBranchForAll()
{
    askWhatCollides();
    for (int row = 1; row < m_panel->list().model()->rowCount(); ++row) {
        clickRow(row);
        press(u"Play"_s);
        QCOMPARE(m_simulator->branches().size(), 2);
        QCOMPARE(m_simulator->branches().last().name, rows()[row]);
    }
}

void TestOutcomesPanel::orders()
{
    const QString other = u"/logicalNetworks/HNVPA"_s;
    m_panel->setChoices({ { u"armed"_s, u"Armed"_s,
        { asked(u"PUT"_s, net, u"A"_s), asked(u"DELETE"_s, subnet, u"B"_s),
            asked(u"PUT"_s, other, u"C"_s) } } });
    press(u"Does order matter?"_s);
    wait();
    QCOMPARE(rows(),
        QStringList({ u"The order matters: A PUT Transit, and B DELETE Rack-1"_s,
            u"A PUT Transit comes first"_s, u"B DELETE Rack-1 comes first"_s,
            u"The order does not matter: A PUT Transit, and C PUT HNVPA"_s,
            u"The order does not matter: B DELETE Rack-1, and C PUT HNVPA"_s }));
    clickRow(2, true);
    m_simulator->pause();
    m_simulator->jump(2);
    QCOMPARE(m_simulator->records()[0].event.request->client, u"B"_s);
    QCOMPARE(m_simulator->records()[1].event.request->client, u"A"_s);
    // Headings are no stories: the keys pass them by.
    m_panel->list().setFocus();
    QTest::keyClick(&m_panel->list(), Qt::Key_Down);
    QCOMPARE(m_panel->list().currentIndex().row(), 2);
    QTest::keyClick(&m_panel->list(), Qt::Key_Up);
    QTest::keyClick(&m_panel->list(), Qt::Key_Up);
    QCOMPARE(m_panel->list().currentIndex().row(), 1);
    // What A's PUT comes to when B's DELETE below it has canceled it, and the subnet goes.
    const QString told = m_panel->findChild<QTextBrowser *>()->toPlainText();
    static const QRegularExpression goes(u"B DELETE Rack-1 InProgress, in the end Succeeded"_s),
        gone(u"Rack-1\\s+Succeeded\\s+→\\s+Deleting\\s+→\\s+absent"_s);
    QVERIFY2(told.contains(goes) && told.contains(gone), qPrintable(told));
}

/// In other endings, that is: what a breach leaves open tells nobody's fate.
void TestOutcomesPanel::whoGotWhatStandsFirstWhereItDiffers()
{
    using Kind = Outcomes::Trace::Kind;
    OutcomesModel model;
    const TraceDelegate delegate(*m_simulator, model, nullptr);
    Outcomes outcomes { .brokenConstraints = 1, .endings = 2 };
    const auto add = [&](Kind kind, const QMap<QString, QString> &operations) {
        outcomes.traces += Outcomes::Trace { {}, kind };
        outcomes.traces.last().operations = operations;
    };
    add(Kind::BrokenConstraint, {});
    add(Kind::Ending, { { u"a"_s, u"Succeeded"_s } });
    add(Kind::Ending, { { u"a"_s, u"Succeeded"_s } });
    outcomes.differing = { u"a"_s };
    model.show(outcomes);
    QVERIFY(!delegate.beginsWithFates(1) && !delegate.beginsWithFates(2));
    outcomes.traces[2].operations[u"a"_s] = u"Failed"_s;
    model.show(outcomes);
    QVERIFY(delegate.beginsWithFates(1) && delegate.beginsWithFates(2));
    QVERIFY(!delegate.beginsWithFates(0));
}

void TestOutcomesPanel::oneOperationHasNoOrder()
{
    offer({ asked(u"PUT"_s, net, {}) });
    QVERIFY(!button<QPushButton>(*m_panel, u"Does order matter?"_s)->isEnabled());
    // One client's operations keep their order.
    m_panel->setChoices({ { u"bar"_s, u"In the bar"_s,
        { asked(u"PUT"_s, net, u"A"_s), asked(u"PUT"_s, net, u"A"_s) } } });
    press(u"Does order matter?"_s);
    wait();
    QCOMPARE(rows(), QStringList(u"Their order is fixed: one client sends both."_s));
}

/// Those that were asked for already, as if none of them had been.
void TestOutcomesPanel::fromAnEarlierMoment()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .id = u"x"_s });
    m_simulator->runUntilQuiet();
    const qsizetype moment = m_simulator->moment();
    ScenarioStep again = asked(u"PUT"_s, net, u"A"_s);
    again.request.id = u"a"_s;
    m_simulator->submit(again.request);
    m_simulator->runUntilQuiet();
    m_panel->setChoices(
        { { u"selected"_s, u"Selected"_s, { again, asked(u"DELETE"_s, net, u"B"_s) }, moment } });
    askEndings();
    QVERIFY2(m_panel->summary().contains(u"From 1.000 s."_s), qPrintable(m_panel->summary()));
    const int row = int(rows().indexOf(QRegularExpression(u"^Transit and \\d+ below gone$"_s)));
    QVERIFY2(row > 0, qPrintable(rows().join(u'\n')));
    clickRow(row);
    clickStep(m_panel->steps().count() - 1);
    QCOMPARE(state(net), u"absent"_s);
    QCOMPARE(m_simulator->branches().last().fork, moment);
    m_simulator->switchTo(0);
    m_simulator->jump(m_simulator->lastMoment());
    QVERIFY(m_simulator->operations().find(u"a"_s)); // what happened is where it was
}

/// An operation that runs at the moment goes on, and is told of like those asked about.
void TestOutcomesPanel::whatRuns()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .client = u"Z"_s, .hang = true });
    offer({ asked(u"DELETE"_s, net, u"A"_s) });
    askEndings();
    const QString notes = rows(OutcomesModel::Note).join(u'\n');
    for (const QString &expected :
        { u"Z Canceled"_s, u"Z Failed"_s, u"Z Succeeded"_s, u"A Succeeded"_s })
        QVERIFY2(notes.contains(expected), qPrintable(notes));
    clickRow(1);
    QVERIFY(m_panel->steps().count() > 1);
    QCOMPARE(m_panel->found()->asked.keys(), (QStringList { u"op1"_s, u"op2"_s })); // a name each
}

void TestOutcomesPanel::stopped()
{
    QList<ScenarioStep> many;
    for (int i = 0; i < 8; ++i)
        many += asked(i % 2 ? u"DELETE"_s : u"PUT"_s, i % 3 ? subnet : sibling, {});
    m_panel->setChoices({ { u"armed"_s, u"Armed"_s, many } });
    press(u"What can happen?"_s);
    QTRY_VERIFY(m_panel->summary().contains(u"endings so far"_s)
        && !m_panel->summary().startsWith(u"0 "_s));
    QVERIFY(m_panel->isLooking());
    press(u"Stop"_s);
    wait();
    QVERIFY(m_panel->found());
    QVERIFY2(m_panel->summary().startsWith(u"Stopped after "_s), qPrintable(m_panel->summary()));
    QVERIFY(m_panel->found()->worlds > 0);
    QVERIFY(button<QPushButton>(*m_panel, u"What can happen?"_s)->isEnabled());
    for (const QPushButton *each : m_panel->findChildren<QPushButton *>())
        QVERIFY(each->isHidden() || each->text() != u"Look further"_s); // somebody had enough
}

/// Where the budget ends it, it says so, and somebody may want more.
void TestOutcomesPanel::further()
{
    m_panel->setBudget(4, 1 << 30);
    askWhatCollides();
    QVERIFY(begins(m_panel->summary(), u"Only 4 situations were looked at"_s));
    while (!m_panel->found()->complete) {
        const qint64 before = m_panel->found()->worlds;
        press(u"Look further"_s);
        wait();
        QVERIFY(m_panel->found()->worlds > before);
    }
    QVERIFY(m_panel->summary().startsWith(u"All "_s));
    QVERIFY(m_panel->found()->endings > 0);
}

void TestOutcomesPanel::momentsGo()
{
    askWhatCollides();
    clickRow(1);
    QVERIFY(button<QPushButton>(*m_panel, u"Play"_s)->isEnabled());
    m_simulator->reset();
    QTRY_VERIFY(!button<QPushButton>(*m_panel, u"Play"_s)->isEnabled());
    QVERIFY(m_panel->summary().endsWith(u"That moment is gone: ask again."_s));
    QVERIFY(!m_panel->steps().isEnabled());
    m_panel->play();
    QVERIFY(!m_simulator->isPlaying());
    askEndings();
    QVERIFY(button<QPushButton>(*m_panel, u"Play"_s)->isEnabled());
}

void TestOutcomesPanel::otherRules()
{
    askWhatCollides();
    Result<Rules> rules = Rules::make(m_simulator->rules().pack());
    m_simulator->restate(*rules);
    QVERIFY(!m_panel->found());
    QCOMPARE(m_panel->list().model()->rowCount(), 0);
}

/// The tree and the chart of a story show what its words say.
void TestOutcomesPanel::picturesTellThem()
{
    askWhatCollides();
    const int row = goneRow();
    const QModelIndex index = m_panel->list().model()->index(row, 0);
    const auto &delegate = static_cast<TraceDelegate &>(*m_panel->list().itemDelegate());
    const Outcomes &outcomes = *m_panel->found();
    const Outcomes::Trace &trace = outcomes.traces[index.data(OutcomesModel::TraceOf).toInt()];
    const QList<EndRow> all = delegate.rowsOf(trace);
    for (qsizetype i = 0; i < all.size(); ++i) {
        const bool isGone = outcomes.rows[i].path.startsWith(subnet);
        QCOMPARE(all[i].statusCategory, isGone ? StatusCategory::Absent : StatusCategory::Rest);
        QCOMPARE(all[i].isOther, isGone);
        QCOMPARE(all[i].depth, int(outcomes.rows[i].path.count(u'/') / 2 - 1));
    }
    const Rules &rules = m_simulator->rules();
    const Rules::StateId initial = rules.machines()[0].initial;
    QCOMPARE(delegate.countsOf(trace).value(initial), 3);
}

/// What was found before leaves no picture behind.
void TestOutcomesPanel::picturesAreOfWhatIsFound()
{
    m_panel->setTheme(Theme::light());
    askWhatCollides();
    const QImage before = m_panel->list().grab().toImage();
    offer({ asked(u"DELETE"_s, net, u"A"_s) });
    askEndings();
    const QImage found = m_panel->list().grab().toImage();
    QVERIFY(found != before);
    m_panel->setTheme(Theme::light()); // every picture is painted anew
    QCOMPARE(m_panel->list().grab().toImage(), found);
}

/// One failure among thousands is seen.
void TestOutcomesPanel::thousandsOfRows()
{
    const Theme theme = Theme::light();
    QList<EndRow> many { { 0, StatusCategory::Rest, false } };
    for (int i = 0; i < 3000; ++i)
        many += EndRow { 1, i == 1500 ? StatusCategory::Failed : StatusCategory::Rest, true };
    QImage image(104, 46, QImage::Format_ARGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintEndTree(painter, many, QRectF(0, 0, 104, 46), theme);
    painter.end();
    int failed = 0, rests = 0;
    for (int y = 0; y < image.height(); ++y) {
        failed += image.pixelColor(40, y) == theme.statusCategoryLine(StatusCategory::Failed);
        rests += image.pixelColor(40, y) == theme.statusCategoryLine(StatusCategory::Rest);
    }
    QCOMPARE(failed, 1);
    QCOMPARE(rests, 45);
    QCOMPARE(image.pixelColor(40, 23), theme.statusCategoryLine(StatusCategory::Failed));
}

void TestOutcomesPanel::byKeysAlone()
{
    collide();
    auto *endings = button<QPushButton>(*m_panel, u"What can happen?"_s);
    endings->setFocus();
    QTest::keyClick(endings, Qt::Key_Space);
    wait();
    QListView &list = m_panel->list();
    list.setFocus();
    const QString first = list.currentIndex().data().toString();
    QTest::keyClick(&list, Qt::Key_Down);
    QVERIFY(list.currentIndex().data().toString() != first);
    QTest::keyClick(&list, Qt::Key_Return);
    QVERIFY(m_simulator->isPlaying());
    QCOMPARE(m_simulator->branches().last().name, list.currentIndex().data().toString());
    QCOMPARE(unreachableControls(*m_window), u""_s);
}

/// Words have the room where there is little.
void TestOutcomesPanel::narrow()
{
    collide();
    m_window->resize(640, 180);
    askEndings();
    QVERIFY(m_panel->width() <= 640);
    QVERIFY(m_panel->list().width() > 200);
}

/// What tells steps apart comes first, where it is not cut.
void TestOutcomesPanel::theClockIsNamedByItsResource()
{
    const Event fire { .kind = Event::Kind::Fire };
    Outcomes::Trace trace;
    trace.trace = { u"fire /leases/w/events/end_lease"_s,
        u"fire /leases/w/events/end_lease (late)"_s,
        u"fire /w (a, elapsed end date 10000, !elapsed tea 0)"_s };
    trace.schedule = { fire, fire, fire };
    QCOMPARE(stepText({}, trace, 0), u"w/end_lease fires"_s);
    QCOMPARE(stepText({}, trace, 1), u"w/end_lease fires (late)"_s);
    QCOMPARE(stepText({}, trace, 2),
        u"/w fires (a, later than 10.000 s after end date, not later than tea)"_s);
}

/// A box takes the clock out; what then only waits for it says so, and it stays out.
void TestOutcomesPanel::timersCanStand()
{
    auto *none = button<QCheckBox>(*m_panel, u"Timers fire"_s);
    QVERIFY(!none->isEnabled() && none->isChecked());
    QCOMPARE(none->toolTip(), u"Nothing in these rules waits for a time."_s);

    const std::unique_ptr<Simulator> leases = sample(u"blazar"_s);
    OutcomesPanel panel(*leases);
    panel.resize(1000, 300);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    const QList<ScenarioStep> steps { asked(u"update_lease"_s, u"/leases/workshop"_s, u"A"_s) };
    panel.setChoices({ { u"bar"_s, u"In the bar"_s, steps } });
    const auto ask = [&] {
        QTest::mouseClick(button<QPushButton>(panel, u"What can happen?"_s), Qt::LeftButton);
        return QTest::qWaitFor([&] { return !panel.isLooking(); }, 60'000);
    };
    const auto firesIn = [&] {
        return std::ranges::any_of(panel.found()->traces, [](const Outcomes::Trace &trace) {
            return trace.trace.join(u'|').contains(u"fire /"_s);
        });
    };
    QVERIFY(ask());
    QVERIFY(firesIn() && !panel.summary().contains(u"timer"_s));
    auto *box = button<QCheckBox>(panel, u"Timers fire"_s);
    QVERIFY(box->isEnabled() && box->isChecked() && box->toolTip().contains(u"clock"_s));
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Space);
    QVERIFY(ask());
    QVERIFY(!firesIn());
    QCOMPARE(panel.found()->deadEnds, 0);
    QVERIFY2(panel.summary().contains(u"No timer fired."_s), qPrintable(panel.summary()));
    const QModelIndex row = panel.list().currentIndex();
    QVERIFY2(row.data(OutcomesModel::Note).toString().contains(u"waits for time: workshop/"_s),
        qPrintable(row.data(OutcomesModel::Full).toString()));
    const QString text = panel.findChild<QTextBrowser *>()->toPlainText();
    QVERIFY2(text.contains(u"No timer fired: waits for time: workshop/"_s), qPrintable(text));
    panel.setChoices({ { u"bar"_s, u"In the bar"_s, steps + steps } });
    QVERIFY(!box->isChecked());
}

void TestOutcomesPanel::noTwoRowsLookTheSame_data()
{
    QTest::addColumn<QString>("pack");
    QTest::addColumn<QStringList>("asked"); ///< "CLIENT OPERATION PATH"
    QTest::addColumn<int>("width");
    for (const int width : { 620, 480, 460, 340, 300, 260 }) {
        QTest::addRow("network-controller, %d", width)
            << u"network-controller"_s
            << QStringList { u"A PUT "_s + net, u"B DELETE "_s + subnet, u"C PUT "_s + sibling }
            << width;
        QTest::addRow("blazar, %d", width) << u"blazar"_s
                                           << QStringList { u"A update_lease /leases/workshop"_s,
                                                  u"B delete_lease /leases/workshop"_s }
                                           << width;
    }
}

/// Where there is no room for all that they say, they begin with what tells them apart.
void TestOutcomesPanel::noTwoRowsLookTheSame()
{
    QFETCH(QString, pack);
    QFETCH(QStringList, asked);
    QFETCH(int, width);
    const std::unique_ptr<Simulator> simulator = sample(pack);
    OutcomesPanel panel(*simulator);
    QList<ScenarioStep> steps;
    for (const QString &one : asked)
        steps += ::asked(one.section(u' ', 1, 1), one.section(u' ', 2), one.section(u' ', 0, 0));
    panel.setChoices({ { u"bar"_s, u"In the bar"_s, steps } });
    named<QComboBox>(panel, u"How their work ends"_s)->setCurrentIndex(1);
    panel.ask(OutcomesQuestion::What::Endings);
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isLooking(), 60'000);
    QVERIFY(panel.found() && panel.found()->traces.size() > 5);
    const auto &delegate = static_cast<TraceDelegate &>(*panel.list().itemDelegate());
    QStyleOptionViewItem option;
    option.font = panel.list().font();
    option.rect = QRect(0, 0, width, 60);
    QStringList seen;
    int begun = 0;
    for (int trace = 0; trace < panel.found()->traces.size(); ++trace) {
        const auto [title, note] = delegate.linesOf(trace, option);
        seen += title + u'|' + note;
        begun += title.startsWith(u"… "_s) || note.startsWith(u"… "_s);
        QVERIFY(QFontMetrics(option.font).horizontalAdvance(title) <= width);
        // Who got what stands first, where not all get the same.
        const bool isEnding = panel.found()->traces[trace].kind == Outcomes::Trace::Kind::Ending;
        QCOMPARE(delegate.beginsWithFates(trace), isEnding);
    }
    const qsizetype all = seen.size();
    seen.sort();
    const QString list = seen.join(u'\n');
    QVERIFY2(seen.removeDuplicates() == 0, qPrintable(list));
    QVERIFY2(begun < all, qPrintable(list)); // only where it is needed
}

/// A resource's name leads to it, whatever it has in it.
void TestOutcomesPanel::oddNamesAreLinks()
{
    const QString odd = u"/logicalNetworks/it's #1 (50%20?) ü"_s;
    offer({ asked(u"PUT"_s, odd, u"A"_s) });
    askEndings();
    auto *text = m_panel->findChild<QTextBrowser *>();
    QStringList links;
    for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next()) {
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            if (at.fragment().charFormat().isAnchor())
                links += at.fragment().charFormat().anchorHref();
        }
    }
    links.removeDuplicates();
    QCOMPARE(links.size(), 1);
    QSignalSpy selected(m_panel, &OutcomesPanel::pathSelected);
    emit text->anchorClicked(QUrl(links.first()));
    QCOMPARE(selected.size(), 1);
    QCOMPARE(selected.first().first().toString(), odd);
}

/// What an operation required is named by what it does, in the list and where all of it is told.
void TestOutcomesPanel::requiredStepsHaveTooltips()
{
    const std::unique_ptr<Simulator> leases = sample(u"blazar"_s);
    OutcomesPanel panel(*leases);
    panel.setChoices({ { u"bar"_s, u"In the bar"_s,
        { asked(u"delete_lease"_s, u"/leases/workshop"_s, u"A"_s) } } });
    button<QCheckBox>(panel, u"Timers fire"_s)->setChecked(false); // the clock would end it first
    panel.ask(OutcomesQuestion::What::Endings);
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isLooking(), 60'000);
    const QString expected =
        u"release workshop/hosts: work succeeded, required by A delete_lease workshop"_s;
    QStringList steps, tips;
    for (int row = 0; row < panel.steps().count(); ++row) {
        steps += panel.steps().item(row)->text();
        tips += panel.steps().item(row)->toolTip();
    }
    QVERIFY2(steps.contains(expected), qPrintable(steps.join(u'\n')));
    QCOMPARE(tips, steps);
    // And on the clipboard.
    panel.steps().setCurrentRow(int(steps.indexOf(expected)));
    panel.steps().setFocus();
    QTest::keySequence(&panel.steps(), QKeySequence::Copy);
    QCOMPARE(copied(), expected);
}

void TestOutcomesPanel::words_data()
{
    QTest::addColumn<double>("orders");
    QTest::addColumn<QString>("text");
    QTest::newRow("one") << 1.0 << u"one order"_s;
    QTest::newRow("some") << 24.0 << u"24 orders"_s;
    QTest::newRow("very many") << 3.24e9 << u"about 3.2 × 10^9 orders"_s;
    QTest::newRow("endless") << std::numeric_limits<double>::infinity()
                             << u"endlessly many orders"_s;
}

void TestOutcomesPanel::words()
{
    QFETCH(const double, orders);
    QTEST(ordersText(orders), "text");
}

/// What cannot be searched is said.
void TestOutcomesPanel::errors()
{
    ScenarioStep step = asked(u"PUT"_s, net, {});
    step.kind = ScenarioStep::Kind::End;
    m_panel->setChoices({ { u"armed"_s, u"Armed"_s, { step } } });
    askEndings();
    QVERIFY(!m_panel->found());
    QVERIFY2(m_panel->emptyText().contains(u"by hand"_s), qPrintable(m_panel->emptyText()));
}

const instar::TestClass<TestOutcomesPanel, QApplication> registered;
#include "tst_outcomespanel.moc"
