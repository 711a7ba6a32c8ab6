// SPDX-License-Identifier: Apache-2.0
// What can happen, asked, listed and played with mouse and keyboard on the real panel.

#include "model/items/statuscategory.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "tests/views/panelsupport.h"
#include "views/editing/wordedits.h"
#include "views/look.h"
#include "views/outcomes/outcomespanel.h"
#include "views/outcomes/traceview.h"
#include "views/panels/elidedlabel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
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
    void neverTrue();
    void whatMakesItTrueIsSeen();
    void factsNameWhatIsTried();
    void aTraceIsOnlyLookedAt();
    void stepByStep();
    void oneBranchForAll();
    void fromAnEarlierMoment();
    void whatRuns();
    void stopped();
    void twoAreCompared();
    void rulesAreCited();
    void clientsKeepTheirOrder();
    void further();
    void momentsGo();
    void otherRules();
    void byKeysAlone();
    void narrow();
    void theClockIsNamedByItsResource();
    void timersCanStand();
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
    void wait() { QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isSearching(), 60'000); }
    void askEndings()
    {
        press(u"What can happen?"_s);
        wait();
    }
    void offer(const QList<ScenarioStep> &steps)
    {
        m_panel->setChoices({ { u"bar"_s, u"In the bar"_s, steps } });
    }
    /// Whether a search for a fact finds it.
    bool finds(const QString &fact)
    {
        auto &line = *m_panel->findChild<WordEdit *>();
        line.setText(fact);
        QTest::keyClick(&line, Qt::Key_Return);
        wait();
        return m_panel->found() && m_panel->found()->hasProperty()
            && m_panel->found()->property.startsWith(fact);
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
    /// The first column that says so.
    int columnWith(const QString &text) { return int(columns().indexOf(QRegularExpression(text))); }
    int goneColumn() { return columnWith(u".*Rack-1 and 2 descendants gone.*"_s); }
    void clickStep(int row)
    {
        QListWidget &steps = m_panel->steps();
        QTest::mouseClick(
            steps.viewport(), Qt::LeftButton, {}, steps.visualItemRect(steps.item(row)).center());
    }
    QStringList columns()
    {
        QStringList texts;
        const QAbstractItemModel &model = *m_panel->table().model();
        for (int column = 0; column < model.columnCount(); ++column)
            texts += model.index(0, column).data(OutcomesModel::Full).toString();
        return texts;
    }
    void click(int column, Qt::KeyboardModifiers modifiers = {})
    {
        QTableView &table = m_panel->table();
        table.scrollTo(table.model()->index(0, column));
        const QPoint point = table.visualRect(table.model()->index(0, column)).center();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, modifiers, point);
    }
    void playGone()
    {
        click(goneColumn());
        press(u"Play"_s);
        m_simulator->pause();
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
    QVERIFY(m_panel->emptyText().startsWith(u"Add operations to the burst"_s));
    QStringList labels; // each empty box has a title or a sentence
    for (const QLabel *label : m_panel->findChildren<QLabel *>())
        labels += label->text();
    for (const QString &text : { u"Endings"_s, u"Trace"_s, u"Steps of the selected ending"_s,
             u"Select an ending above to see its steps and its timeline."_s })
        QVERIFY2(labels.contains(text), qPrintable(text));
    QVERIFY(!button<QPushButton>(*m_panel, u"What can happen?"_s)->isEnabled());
    m_panel->search();
    QVERIFY(!m_panel->isSearching());
    collide();
    QVERIFY(m_panel->emptyText().startsWith(u"Press “What can happen?”"_s));
    auto *operations = named<QListWidget>(*m_panel, u"Operations"_s);
    QCOMPARE(operations->item(0)->text(), u"A PUT Transit"_s);
    QCOMPARE(operations->item(1)->text(), u"B DELETE Rack-1"_s);
    QCOMPARE(namelessControls(*m_panel), u""_s);
}

void TestOutcomesPanel::choosesByItself()
{
    const ScenarioStep one = asked(u"PUT"_s, net, {});
    auto *box = named<QComboBox>(*m_panel, u"Operations to try"_s);
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
    QVERIFY(m_panel->isSearching());
    wait();
    QVERIFY(m_panel->found());
    QVERIFY2(m_panel->summary().startsWith(u"%1 endings · All "_s.arg(m_panel->found()->endings)),
        qPrintable(m_panel->summary()));
    QTableView &table = m_panel->table();
    QCOMPARE(table.model()->columnCount(), int(m_panel->found()->endings));
    QCOMPARE(table.currentIndex().column(), 0);
    const int without = goneColumn();
    QVERIFY2(without >= 0, qPrintable(columns().join(u'\n')));
    // Each cell says what became of its row, in the colour of that.
    QHash<QString, QModelIndex> cells;
    for (int row = 0; row < table.model()->rowCount(); ++row)
        cells.insert(table.model()->headerData(row, Qt::Vertical).toString(),
            table.model()->index(row, without));
    QCOMPARE(cells.value(u"B DELETE Rack-1"_s).data().toString(), u"Succeeded"_s);
    const QModelIndex gone = cells.value(u"Rack-1 and 2 descendants"_s);
    QCOMPARE(gone.data().toString(), u"gone"_s);
    QCOMPARE(gone.data(OutcomesModel::Category).toInt(), int(StatusCategory::Absent));
    const QString orders = cells.value(u"Orders"_s).data().toString();
    QVERIFY(orders.endsWith(u"order"_s) || orders.endsWith(u"orders"_s));
    click(without);
    QCOMPARE(m_simulator->moment(), 0); // looking at it changes nothing
    QCOMPARE(m_simulator->branches().size(), 1);
    table.setFocus();
    QTest::keySequence(&table, QKeySequence::Copy);
    QVERIFY2(copied().contains(u"Rack-1 and 2 descendants gone"_s), qPrintable(copied()));
}

void TestOutcomesPanel::twoAreCompared()
{
    askWhatCollides();
    const auto title = [this] {
        for (const ElidedLabel *label : m_panel->findChildren<ElidedLabel *>()) {
            if (label->text().startsWith(u"The traces differ"_s))
                return label->text();
        }
        return QString();
    };
    click(0);
    QVERIFY(title().isEmpty());
    const int alone = m_panel->findChild<TraceView *>()->minimumHeight();
    click(2, Qt::ShiftModifier); // the one between is not compared
    QCOMPARE(m_panel->table().selectionModel()->selectedColumns().size(), 2);
    click(0);
    click(1, Qt::ControlModifier);
    const QList<Outcomes::Trace> &traces = m_panel->found()->traces;
    qsizetype same = 0;
    while (traces[0].trace.value(same) == traces[1].trace.value(same))
        ++same;
    QVERIFY2(title().startsWith(u"The traces differ "_s)
            && title().contains(stepText(*m_panel->found(), traces[0], same))
            && title().contains(stepText(*m_panel->found(), traces[1], same)),
        qPrintable(title()));
    QVERIFY(m_panel->findChild<TraceView *>()->minimumHeight() > alone);
    const QString reasons = m_panel->findChild<QLabel *>(u"reasons"_s)->text();
    QVERIFY2(reasons.contains(u"Ending 1"_s) && reasons.contains(u"Ending 2"_s)
            && reasons.count(u"<b>"_s) >= traces[0].deciding.size() + traces[1].deciding.size(),
        qPrintable(reasons));
}

void TestOutcomesPanel::rulesAreCited()
{
    offer({ asked(u"PUT"_s, subnet, u"A"_s), asked(u"PUT"_s, sibling, u"B"_s),
        asked(u"DELETE"_s, net, u"C"_s) });
    askEndings();
    auto *reasons = m_panel->findChild<QLabel *>(u"reasons"_s);
    int refused = 0, canceled = 0;
    for (int column = 0; column < m_panel->table().model()->columnCount(); ++column) {
        click(column);
        const Outcomes::Trace &trace = m_panel->found()->traces[column];
        QCOMPARE(reasons->text().isEmpty(), trace.deciding.isEmpty());
        refused += trace.refusals.size();
        for (const auto &[id, rule] : trace.deciding.asKeyValueRange()) {
            canceled += trace.operations[id] == u"Canceled";
            const int row = int(m_panel->found()->requests.keys().indexOf(id));
            const QString tip =
                m_panel->table().model()->index(row, column).data(Qt::ToolTipRole).toString();
            QVERIFY2(!rule.isEmpty() && tip.contains(rule), qPrintable(tip));
            QVERIFY2(reasons->text().contains(u"source:"_s), qPrintable(reasons->text()));
            if (trace.refusals.contains(id))
                QVERIFY(reasons->text().contains(trace.refusals[id].text() + u": "_s));
        }
    }
    QVERIFY(refused > 0 && canceled > 0);
    QSignalSpy sources(m_panel, &OutcomesPanel::sourceAsked);
    emit reasons->linkActivated(u"source:R9"_s);
    QCOMPARE(sources.value(0).value(0).toString(), u"R9"_s);
}

void TestOutcomesPanel::clientsKeepTheirOrder()
{
    collide();
    offer({ asked(u"PUT"_s, net, u"A"_s), asked(u"DELETE"_s, subnet, u"A"_s) });
    auto *box = button<QCheckBox>(*m_panel, u"Keep the order of A's operations"_s);
    QVERIFY(box->isChecked() && box->isVisible());
    askEndings();
    const qint64 ordered = m_panel->found()->endings;
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Space);
    askEndings();
    QVERIFY(m_panel->found()->endings > ordered);
    QCOMPARE(m_panel->found()->requests.value(u"op2"_s)->client, u"A2"_s);
}

void TestOutcomesPanel::inAnyWay()
{
    askWhatCollides();
    const qint64 planned = m_panel->found()->endings;
    auto *ends = button<QCheckBox>(*m_panel, u"Try every outcome of work"_s);
    ends->setFocus();
    QTest::keyClick(ends, Qt::Key_Space); // searches again
    QVERIFY(m_panel->isSearching() && !m_panel->found());
    wait();
    QVERIFY(ends->hasFocus());
    QVERIFY(m_panel->found()->endings > planned);
    QVERIFY(columns().filter(u"Failed"_s).size() > 1);
}

void TestOutcomesPanel::aTraceIsOnlyLookedAt()
{
    askWhatCollides();
    const QStringList before = columns();
    playGone();
    m_simulator->advanceTo(100'000);
    QCOMPARE(state(subnet), u"absent"_s);
    askEndings();
    QCOMPARE(columns(), before);
    QVERIFY2(m_panel->summary().contains(u"Searched from the state at 0.000 s."_s),
        qPrintable(m_panel->summary()));
    // And played from there: once more on one branch.
    playGone();
    QCOMPARE(m_simulator->branches().size(), 2);
    m_simulator->advanceTo(100'000);
    QCOMPARE(state(subnet), u"absent"_s);
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet });
    askEndings();
    QVERIFY2(!m_panel->summary().contains(u"Searched from the state at 0.000 s."_s),
        qPrintable(m_panel->summary()));
}

void TestOutcomesPanel::stepByStep()
{
    askWhatCollides();
    click(goneColumn());
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
    for (int column = 0; column < m_panel->table().model()->columnCount(); ++column) {
        click(column);
        press(u"Play"_s);
        QCOMPARE(m_simulator->branches().size(), 2);
    }
}

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
    QVERIFY2(m_panel->summary().contains(u"Searched from the state at 1.000 s."_s),
        qPrintable(m_panel->summary()));
    const int column = columnWith(u".*Transit gone.*"_s);
    QVERIFY2(column >= 0, qPrintable(columns().join(u'\n')));
    click(column);
    clickStep(m_panel->steps().count() - 1);
    QCOMPARE(state(net), u"absent"_s);
    QCOMPARE(m_simulator->branches().last().fork, moment);
    m_simulator->switchTo(0);
    m_simulator->jump(m_simulator->lastMoment());
    QVERIFY(m_simulator->operations().find(u"a"_s)); // what happened is where it was
}

void TestOutcomesPanel::whatRuns()
{
    m_simulator->submit({ .op = u"PUT"_s, .path = subnet, .client = u"Z"_s, .hang = true });
    offer({ asked(u"DELETE"_s, net, u"A"_s) });
    askEndings();
    const QString all = columns().join(u'\n');
    for (const QString &expected :
        { u"Z Canceled"_s, u"Z Failed"_s, u"Z Succeeded"_s, u"A Succeeded"_s })
        QVERIFY2(all.contains(expected), qPrintable(all));
    click(0);
    QVERIFY(m_panel->steps().count() > 1);
    QCOMPARE(
        m_panel->found()->requests.keys(), (QStringList { u"op1"_s, u"op2"_s })); // a name each
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
    QVERIFY(m_panel->isSearching());
    press(u"Stop"_s);
    wait();
    QVERIFY(m_panel->found());
    QVERIFY2(m_panel->summary().contains(u"You stopped the search after "_s),
        qPrintable(m_panel->summary()));
    QVERIFY(m_panel->found()->worlds > 0);
    QVERIFY(button<QPushButton>(*m_panel, u"What can happen?"_s)->isEnabled());
    for (const QPushButton *each : m_panel->findChildren<QPushButton *>())
        QVERIFY(each->isHidden() || each->text() != u"Continue"_s); // somebody had enough
}

void TestOutcomesPanel::further()
{
    m_panel->setBudget(4, 1 << 30);
    askWhatCollides();
    QVERIFY(has(m_panel->summary(), { u"at its limit of 4 states"_s }));
    while (!m_panel->found()->complete) {
        const qint64 before = m_panel->found()->worlds;
        press(u"Continue"_s);
        wait();
        QVERIFY(m_panel->found()->worlds > before);
    }
    QVERIFY(m_panel->summary().contains(u"All "_s));
    QVERIFY(m_panel->found()->endings > 0);
}

void TestOutcomesPanel::momentsGo()
{
    askWhatCollides();
    click(0);
    QVERIFY(button<QPushButton>(*m_panel, u"Play"_s)->isEnabled());
    m_simulator->reset();
    QTRY_VERIFY(!button<QPushButton>(*m_panel, u"Play"_s)->isEnabled());
    QVERIFY(m_panel->summary().endsWith(u"The run no longer contains that time: search again."_s));
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
    QCOMPARE(m_panel->table().model()->rowCount(), 0);
}

void TestOutcomesPanel::byKeysAlone()
{
    collide();
    auto *endings = button<QPushButton>(*m_panel, u"What can happen?"_s);
    endings->setFocus();
    QTest::keyClick(endings, Qt::Key_Space);
    wait();
    QTableView &table = m_panel->table();
    table.setFocus();
    QTest::keyClick(&table, Qt::Key_Right);
    QCOMPARE(table.currentIndex().column(), 1);
    QTest::keyClick(&table, Qt::Key_Return);
    QVERIFY(m_simulator->isPlaying());
    QCOMPARE(unreachableControls(*m_window), u""_s);
}

void TestOutcomesPanel::neverTrue()
{
    collide();
    auto &condition = *m_panel->findChild<WordEdit *>();
    const auto result = [&] { return m_panel->findChild<QLabel *>(u"propertyResult"_s)->text(); };
    const auto ask = [this](const QString &words) { return finds(words); };
    condition.setFocus();
    QVERIFY(ask(u"self is Deleting and some children is Deleting"_s));
    QVERIFY(condition.hasFocus()); // for the next fact
    QVERIFY(result().startsWith(u"✕"_s));
    QVERIFY(columns().first().contains(u"self is Deleting"_s));
    QVERIFY(!ask(u"self is Deleting and some children is Succeeded"_s));
    QVERIFY2(result().startsWith(u"✓"_s), qPrintable(result()));
    const QString assumed = u"Assumed: all work ends as planned."_s;
    QVERIFY2(result().contains(assumed), qPrintable(result()));
    auto *ends = button<QCheckBox>(*m_panel, u"Try every outcome of work"_s);
    ends->setChecked(true);
    wait();
    QVERIFY2(!result().isEmpty() && !result().contains(assumed), qPrintable(result()));
    ends->setChecked(false);
    condition.setText(u"self is Sleeping"_s);
    QVERIFY(result().contains(u"Sleeping"_s));
    // A fact about a resource is chosen from a list, and may have a time.
    auto *fact = named<QComboBox>(*m_panel, u"Fact that must never be true"_s),
         *second = named<QComboBox>(*m_panel, u"Other fact"_s),
         *when = named<QComboBox>(*m_panel, u"Time of the fact"_s);
    const auto chosen = [&](const QString &text) {
        fact->setCurrentIndex(fact->findText(text));
        return !text.isEmpty() && fact->currentText() == text && ask(text);
    };
    for (const QString &words : { u"Rack-1 is gone"_s, u"Rack-1 is absent"_s,
             u"Rack-1 is absent or Failed"_s, u"Rack-1 is gone and parent is Succeeded"_s,
             u"Rack-1 is gone and transit exists"_s, u"Rack-1 is gone and Transit is not gone"_s,
             u"not Rack-1 exists and Transit is Succeeded"_s })
        QVERIFY2(ask(words), qPrintable(words));
    QVERIFY(!ask(u"Rack-1 is not gone and Transit is gone"_s) && result().startsWith(u"✓"_s));
    for (const QString &words : { u"some logical subnet is absent"_s, // no search meets it
             u"some logical subnet is gone and parent is Failed"_s }) {
        condition.setText(words);
        QVERIFY2(
            !button<QPushButton>(*m_panel, u"What can happen?"_s)->isEnabled(), qPrintable(words));
    }
    QVERIFY(chosen(u"Rack-1 is gone"_s));
    QVERIFY(chosen(u"Rack-1 is Deleting"_s));
    QVERIFY(chosen(u"some resource is Deleting"_s));
    QVERIFY(ask(u"some logical subnet is Deleting or Updating"_s));
    when->setCurrentIndex(int(Property::When::ForEver));
    QVERIFY(!chosen(u"Rack-1 is Deleting"_s));
    when->setCurrentIndex(int(Property::When::Becomes));
    QVERIFY(chosen(u"Rack-1 is gone"_s));
    when->setCurrentIndex(int(Property::When::After));
    QVERIFY(!button<QPushButton>(*m_panel, u"What can happen?"_s)->isEnabled());
    second->setEditText(u"Rack-1 is gone"_s);
    QVERIFY(!chosen(u"Rack-1 is Deleting"_s));
    second->setEditText(u"Transit is Updating"_s);
    QVERIFY(chosen(u"Rack-1 is Deleting"_s));
    QVERIFY2(columns().first().contains(u"Rack-1 is Deleting after Transit is Updating"_s),
        qPrintable(columns().first()));
    when->setCurrentIndex(int(Property::When::Overdue));
    named<QSpinBox>(*m_panel, u"Steps"_s)->setValue(0);
    second->setEditText(u"self is Deleting"_s);
    QVERIFY(!chosen(u"Rack-1 is Deleting"_s));
    second->setEditText(u"self is gone"_s);
    QVERIFY(chosen(u"Rack-1 is Deleting"_s));
    QVERIFY2(
        columns().first().contains(u"Rack-1 is Deleting without self is gone within 0 steps"_s),
        qPrintable(columns().first()));
    when->setCurrentIndex(int(Property::When::Is));
    condition.setText(u"self is Sleeping"_s);
    QVERIFY(!button<QPushButton>(*m_panel, u"What can happen?"_s)->isEnabled());
    // A new search without it says nothing about it.
    QVERIFY(!ask({}));
    QCOMPARE(result(), QString());
}

void TestOutcomesPanel::whatMakesItTrueIsSeen()
{
    collide();
    m_window->resize(1000, 700);
    QVERIFY(finds(u"Rack-1 is Deleting"_s));
    const QImage timeline = m_panel->findChild<TraceView *>()->grab().toImage();
    const QRgb bar = theme().tones[size_t(StatusCategory::Removing)].fill.rgb();
    int painted = 0;
    for (int x = 0; x < timeline.width(); ++x) {
        for (int y = 0; y < timeline.height(); ++y)
            painted += timeline.pixel(x, y) == bar;
    }
    QVERIFY2(painted > 1000, qPrintable(QString::number(painted)));
    press(u"Play"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!m_simulator->isPlaying(), 10'000);
    QVERIFY(m_simulator->world().now > m_simulator->timeOf(m_simulator->lastMoment()));
    QVERIFY(finds(u"Rack-1 is Deleting"_s)); // from the same beginning
    QVERIFY(finds(u"Rack-1 is Succeeded"_s));
    QVERIFY(!button<QPushButton>(*m_panel, u"Play"_s)->isEnabled()); // true without a step
}

void TestOutcomesPanel::factsNameWhatIsTried()
{
    auto *ask = button<QPushButton>(*m_panel, u"What can happen?"_s);
    auto *line = m_panel->findChild<WordEdit *>();
    const QString pool = u"/ipPools/Pool-A"_s;
    offer({ asked(u"PUT"_s, subnet + pool, u"A"_s), asked(u"DELETE"_s, sibling + pool, u"B"_s) });
    QVERIFY(finds(u"Rack-1/ipPools/Pool-A is Updating"_s));
    QVERIFY(!finds(u"Rack-1/ipPools/Pool-A is Deleting"_s));
    QVERIFY(finds(u"Rack-2/ipPools/Pool-A is Deleting"_s));
    QVERIFY(!finds(u"some logicalNetworks/subnets/routes is Failed"_s));
    for (const QString &shared : { u"Pool-A is Deleting"_s, u"some route is Failed"_s }) {
        line->setText(shared);
        QVERIFY2(!ask->isEnabled(), qPrintable(shared));
    }
    line->setText(u"Rack-1/ipPools/Pool-A exists and Pool-A is gone"_s);
    QVERIFY(!ask->isEnabled());
    QCOMPARE(m_panel->findChild<QLabel *>(u"propertyResult"_s)->text(),
        u"“Pool-A” may be Rack-1/ipPools/Pool-A or Rack-2/ipPools/Pool-A: write more of the path."_s);
    line->setText(u"Pool-A is gone"_s);
    QVERIFY(!ask->isEnabled());
    offer({ asked(u"DELETE"_s, sibling + pool, u"B"_s) });
    QVERIFY(ask->isEnabled());
}

void TestOutcomesPanel::narrow()
{
    collide();
    m_window->resize(640, 180);
    askEndings();
    QVERIFY(m_panel->width() <= 640);
    QVERIFY(m_panel->table().width() > 200);
}

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

void TestOutcomesPanel::timersCanStand()
{
    auto *none = button<QCheckBox>(*m_panel, u"Let timers fire"_s);
    QVERIFY(!none->isEnabled() && none->isChecked());
    QCOMPARE(none->toolTip(), u"These rules have no timers and no timeouts."_s);

    const std::unique_ptr<Simulator> leases = sample(u"blazar"_s);
    OutcomesPanel panel(*leases);
    panel.resize(1000, 300);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    const QList<ScenarioStep> steps { asked(u"update_lease"_s, u"/leases/workshop"_s, u"A"_s) };
    panel.setChoices({ { u"bar"_s, u"In the bar"_s, steps } });
    const auto ask = [&] {
        QTest::mouseClick(button<QPushButton>(panel, u"What can happen?"_s), Qt::LeftButton);
        return QTest::qWaitFor([&] { return !panel.isSearching(); }, 60'000);
    };
    const auto firesIn = [&] {
        return std::ranges::any_of(panel.found()->traces, [](const Outcomes::Trace &trace) {
            return trace.trace.join(u'|').contains(u"fire /"_s);
        });
    };
    QVERIFY(ask());
    QVERIFY(firesIn() && !panel.summary().contains(u"timer"_s));
    auto *box = button<QCheckBox>(panel, u"Let timers fire"_s);
    QVERIFY(box->isEnabled() && box->isChecked() && !box->toolTip().isEmpty());
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Space);
    QVERIFY(ask());
    QVERIFY(!firesIn());
    QCOMPARE(panel.found()->deadEnds, 0);
    QVERIFY2(panel.summary().contains(u"Timers were off."_s), qPrintable(panel.summary()));
    panel.setChoices({ { u"bar"_s, u"In the bar"_s, steps + steps } });
    QVERIFY(!box->isChecked());
}

void TestOutcomesPanel::requiredStepsHaveTooltips()
{
    const std::unique_ptr<Simulator> leases = sample(u"blazar"_s);
    OutcomesPanel panel(*leases);
    panel.setChoices({ { u"bar"_s, u"In the bar"_s,
        { asked(u"delete_lease"_s, u"/leases/workshop"_s, u"A"_s) } } });
    button<QCheckBox>(panel, u"Let timers fire"_s)
        ->setChecked(false); // the clock would end it first
    panel.search();
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), 60'000);
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
    const Rows<double, QString> row("orders", "text");
    row("one", 1.0, u"one order"_s);
    row("some", 24.0, u"24 orders"_s);
    row("very many", 3.24e9, u"about 3.2 × 10^9 orders"_s);
    row("endless", std::numeric_limits<double>::infinity(), u"infinitely many orders"_s);
}

void TestOutcomesPanel::words()
{
    QFETCH(const double, orders);
    QTEST(ordersText(orders), "text");
}

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
