// SPDX-License-Identifier: Apache-2.0
#include "views/outcomes/outcomespanel.h"

#include "model/engine/controller.h"
#include "model/items/words.h"
#include "model/json/condition.h"
#include "views/editing/wordedits.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/outcomes/traceview.h"
#include "views/panels/elidedlabel.h"
#include "views/panels/tables.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qint64 usualWorlds = 100'000;
constexpr qint64 usualBytes = qint64(512) << 20;
constexpr qint64 budgetGrowth = 10; ///< "Continue" multiplies the budget by this
constexpr double stepSeconds = 0.8; ///< between two steps of a trace that is played
constexpr int leastColumnWidth = 112, mostColumnWidth = 200; ///< pixels

CellLook outcomeLook(const QModelIndex &index)
{
    const QVariant category = index.data(OutcomesModel::Category);
    return category.isValid() ? CellLook { .chip = StatusCategory(category.toInt()) } : CellLook();
}

/// Renames the clients of later operations, so that no two operations share one: A, A2, A3.
QList<ScenarioStep> withSeparateClients(QList<ScenarioStep> steps)
{
    QHash<QString, int> counts;
    for (ScenarioStep &step : steps) {
        QString &client = step.request.client;
        if (const int count = ++counts[client]; count > 1 && !client.isEmpty())
            client += QString::number(count);
    }
    return steps;
}

} // namespace

OutcomesPanel::OutcomesPanel(Controller &controller, QWidget *parent)
    : QWidget(parent),
      m_controller(controller),
      m_simulator(qobject_cast<Simulator *>(&controller)),
      m_model(new OutcomesModel(this)),
      m_worlds(usualWorlds),
      m_bytes(usualBytes),
      m_choice(new QComboBox),
      m_operations(new QListWidget),
      m_everyOutcome(new QCheckBox(tr("Try every outcome of work"))),
      m_timers(new QCheckBox(tr("Let timers fire"))),
      m_keepsOrder(new QCheckBox(tr("Keep each client's order"))),
      m_quantifier(new QComboBox),
      m_type(new QComboBox),
      m_condition(new WordEdit(conditionSeparators)),
      m_forever(new QCheckBox(tr("and stays so forever"))),
      m_neverResult(new QLabel),
      m_askButton(new QPushButton(tr("What can happen?"))),
      m_stop(new QPushButton),
      m_play(new QPushButton(icon(u"play"_s), tr("Play"))),
      m_summary(new ElidedLabel),
      m_title(new ElidedLabel),
      m_table(new QTableView),
      m_steps(new QListWidget),
      m_traces(new TraceView)
{
    if (m_simulator)
        m_rehearsal.emplace(*m_simulator);
    m_table->setModel(m_model);
    m_table->setItemDelegate(new RowDelegate(outcomeLook, this));
    m_table->setSelectionBehavior(QAbstractItemView::SelectColumns);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setAccessibleName(tr("What can happen"));
    m_table->horizontalHeader()->setDefaultAlignment(
        Qt::Alignment(int(Qt::AlignLeft | Qt::AlignVCenter) | int(Qt::TextWordWrap)));
    m_table->horizontalHeader()->setFixedHeight(4 * fontMetrics().lineSpacing() + gap::normal);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    makeRowsCopyable(m_table, OutcomesModel::Full);
    showWhenEmpty(m_table, [this] { return emptyText(); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &OutcomesPanel::showTraces);
    connect(m_table, &QAbstractItemView::activated, this, &OutcomesPanel::play);
    m_summary->setProperty("dim", true);

    auto *found = new QWidget;
    filled(new QVBoxLayout(found), { m_summary, { m_table, 1 } });
    auto *right = new QSplitter(Qt::Vertical);
    right->addWidget(found);
    right->addWidget(buildTrace());
    right->setChildrenCollapsible(false);
    right->setSizes({ 280, 420 });
    filled(new QHBoxLayout(this), { buildQuestion(), { right, 1 } }, gap::normal,
        { gap::normal, gap::normal, gap::normal, gap::normal });

    // Outcomes that were found with the old rules are discarded.
    connect(&controller, &Controller::rulesChanged, this, [this] {
        if (m_task)
            m_task->cancel();
        m_task.clear();
        m_hasFound = false;
        m_model->clear();
        showTraces();
    });
    connect(&controller.updates(), &Updates::changed, this, &OutcomesPanel::refresh);
    m_pace.callOnTimeout(this, &OutcomesPanel::keepPace);
    if (m_simulator)
        connect(m_simulator, &Simulator::branchesChanged, this, &OutcomesPanel::refresh);
    refresh();
}

OutcomesPanel::~OutcomesPanel()
{
    if (m_counts)
        m_counts->isStopped = true; // ends the background search
}

QWidget *OutcomesPanel::buildQuestion()
{
    m_choice->setAccessibleName(tr("Operations to try"));
    m_operations->setAccessibleName(tr("Operations"));
    m_operations->setSelectionMode(QAbstractItemView::NoSelection);
    m_everyOutcome->setToolTip(
        tr("Tries every outcome that the rules define for each piece of work, not only the planned "
           "one. Work that waits for you to end it is included."));
    m_timers->setChecked(true);
    m_keepsOrder->setChecked(true);
    m_askButton->setObjectName(u"primary"_s);
    connect(m_choice, &QComboBox::activated, this, [this] {
        m_isChosen = true;
        refresh();
    });
    connect(m_askButton, &QPushButton::clicked, this, &OutcomesPanel::ask);
    connect(m_stop, &QPushButton::clicked, this, &OutcomesPanel::continueOrStop);
    auto *question = new QWidget;
    question->setFixedWidth(220);
    filled(new QVBoxLayout(question),
        { dimLabel(tr("Operations")), m_choice, { m_operations, 1 }, dimLabel(tr("Assumptions")),
            m_everyOutcome, m_timers, m_keepsOrder, buildNever(), m_askButton, m_stop });
    return question;
}

/// Inputs of a property: "Must never be true: some subnet, self is Failed".
QWidget *OutcomesPanel::buildNever()
{
    m_quantifier->addItem(tr("some"), int(Property::Quantifier::Some));
    m_quantifier->addItem(tr("every"), int(Property::Quantifier::Every));
    m_quantifier->addItem(tr("no"), int(Property::Quantifier::No));
    m_quantifier->setAccessibleName(tr("Number of resources in the property"));
    m_type->setAccessibleName(tr("Type of the resources in the property"));
    m_type->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_condition->setCandidates([this] { return conditionNames(m_controller.rules().pack()); });
    m_condition->setAccessibleName(tr("Condition that must never hold"));
    m_condition->setPlaceholderText(tr("self is Failed and parent is …"));
    m_condition->setToolTip(tr(
        "Facts joined by \"and\": \"self is Updating or Deleting\", \"parent is Failed\", \"some "
        "children is Updating\", \"no children\", a condition of the pack; \"not\" before a fact "
        "negates it"));
    m_neverResult->setWordWrap(true);
    m_neverResult->setTextFormat(Qt::PlainText);
    m_neverResult->setObjectName(u"neverResult"_s);
    connect(m_condition, &QLineEdit::returnPressed, this, &OutcomesPanel::ask);
    connect(m_condition, &QLineEdit::textChanged, this, &OutcomesPanel::refresh);
    connect(m_condition, &QLineEdit::editingFinished, this, [this] {
        if (const auto property = never(); !property) {
            m_neverResult->setText(property.error());
            m_neverResult->show();
        }
    });
    const auto offerTypes = [this] {
        m_type->clear();
        m_type->addItem(tr("resource"));
        for (const Type &type : m_controller.rules().pack().types)
            if (type.path != u"*")
                m_type->addItem(type.title.isEmpty() ? type.path : type.title, type.path);
    };
    connect(&m_controller, &Controller::rulesChanged, m_type, offerTypes);
    offerTypes();
    auto *never = new QWidget;
    filled(new QVBoxLayout(never),
        { dimLabel(tr("Must never be true:")),
            filled(new QHBoxLayout, { m_quantifier, { m_type, 1 } }), m_condition, m_forever,
            m_neverResult });
    return never;
}

/// Property that the inputs describe; nothing if the condition is empty.
Result<std::optional<Property>> OutcomesPanel::never() const
{
    if (m_condition->text().trimmed().isEmpty())
        return std::optional<Property>();
    const Result<Condition> condition = conditionFromWords(m_condition->text().trimmed());
    if (!condition)
        return Error { condition.error() };
    Property property { .quantifier = Property::Quantifier(m_quantifier->currentData().toInt()),
        .type = m_type->currentData().toString(),
        .condition = *condition,
        .forEver = m_forever->isChecked(),
        .text = u"%1 %2: %3"_s.arg(
            m_quantifier->currentText(), m_type->currentText(), m_condition->text().trimmed()) };
    if (property.forEver)
        property.text += u' ' + m_forever->text();
    if (const auto test = compiledProperty(property, m_controller.rules()); !test)
        return Error { test.error() };
    return std::optional(property);
}

/// Error of the property, or what the last search found about it.
QString OutcomesPanel::neverText() const
{
    if (const auto property = never(); !property)
        return m_condition->hasFocus() ? QString()
                                       : property.error(); // no error while the user types
    else if (!m_hasFound || !*property || (*property)->text != m_model->outcomes().never)
        return {};
    const Outcomes &found = m_model->outcomes();
    const QString worlds = QLocale().toString(found.worlds);
    return found.hasProperty() ? tr("✕ The condition can become true: the first column shows how.")
        : found.complete
        ? tr("✓ The condition holds in none of the %1 possible states.").arg(worlds)
        : tr("The condition holds in none of the %1 states explored; "
             "there may be more states.")
              .arg(worlds);
}

QWidget *OutcomesPanel::buildTrace()
{
    m_steps->setAccessibleName(tr("Steps of the trace"));
    m_steps->setTextElideMode(Qt::ElideRight);
    m_steps->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_steps, &QListWidget::currentRowChanged, this, [this](int row) {
        if (!m_isShowing && row >= 0)
            goToStep(row);
    });
    connect(m_play, &QPushButton::clicked, this, &OutcomesPanel::play);
    m_play->setToolTip(
        tr("Plays the trace on the chart and the timeline, on a new branch (Return)"));
    QScrollArea *scroll = plainScrollArea();
    scroll->setWidget(m_traces);
    auto *parts = new QSplitter;
    parts->addWidget(m_steps);
    parts->addWidget(scroll);
    parts->setStretchFactor(1, 1);
    parts->setSizes({ 240, 700 });
    auto *trace = new QWidget;
    filled(new QVBoxLayout(trace),
        { filled(new QHBoxLayout, { { m_title, 1 }, m_play }), { parts, 1 } });
    return trace;
}

// ---- Question

void OutcomesPanel::setChoices(const QList<Choice> &choices)
{
    if (choices == m_choices)
        return;
    const QString id = choice() ? choice()->id : QString();
    m_choices = choices;
    m_choice->clear();
    for (const Choice &each : choices)
        m_choice->addItem(each.steps.isEmpty()
                ? each.title
                : tr("%1 (%2)").arg(each.title).arg(each.steps.size()),
            each.id);
    const auto chosen = std::ranges::find(m_choices, id, &Choice::id);
    m_isChosen = m_isChosen && chosen != m_choices.end() && !chosen->steps.isEmpty();
    m_choice->setCurrentIndex(m_isChosen ? int(chosen - m_choices.begin()) : defaultChoice());
    refresh();
}

int OutcomesPanel::defaultChoice() const
{
    const auto enough = std::ranges::find_if(
        m_choices, [](const Choice &each) { return each.steps.size() >= each.leastOperations; });
    return int((enough == m_choices.end() ? m_choices.end() - 1 : enough) - m_choices.begin());
}

void OutcomesPanel::setBudget(qint64 worlds, qint64 bytes)
{
    m_worlds = worlds;
    m_bytes = bytes;
    refresh();
}

void OutcomesPanel::choose(const QString &id)
{
    m_choice->setCurrentIndex(m_choice->findData(id));
    m_isChosen = true;
    refresh();
}

const OutcomesPanel::Choice *OutcomesPanel::choice() const
{
    const int index = m_choice->currentIndex();
    return index >= 0 && index < m_choices.size() ? &m_choices[index] : nullptr;
}

QString OutcomesPanel::whyDisabled() const
{
    if (!choice() || choice()->steps.isEmpty())
        return tr("Add operations to the burst, or select operations in the queue. Then search "
                  "every order in which they can arrive.");
    return m_simulator ? QString() : unknownWork();
}

/// Why outcomes cannot be computed, as a sentence: the server is in unknown states, or runs
/// operations that this program did not send.
QString OutcomesPanel::unknownWork() const
{
    const Rules &rules = m_controller.rules();
    const World &world = m_controller.world();
    if (!world.unknownWords.isEmpty())
        return tr("The server shows states that the rules do not define, so outcomes cannot be "
                  "computed.");
    // Each refresh runs this, so it uses the counts of the tree instead of visiting resources.
    qint64 externalCount = 0;
    const QList<qint64> &counts = world.tree.counts();
    const auto works = [&](Code code) { return !rules.state(rules.stateOf(code)).isStable(); };
    for (qsizetype code = 0; code < counts.size(); ++code)
        externalCount += counts[code] && works(Code(code)) ? counts[code] : 0;
    QSet<Resource> ours;
    for (const auto &running : world.running) {
        for (const Tree::Range &range : running->affected) {
            for (quint32 position = range.begin; externalCount && position < range.end;
                 ++position) {
                const Resource resource = world.tree.at(range.branch, position);
                if (works(world.tree.code(resource)))
                    ours += resource;
            }
        }
    }
    externalCount -= ours.size();
    return externalCount > 0
        ? tr("Other clients' operations are running at the server (resources: %1). "
             "Outcomes can be computed after those operations have ended.")
              .arg(QLocale().toString(externalCount))
        : QString();
}

/// Gives operations without id an unused one and, unless clients keep their order, gives each
/// operation its own client.
QList<ScenarioStep> OutcomesPanel::prepared(QList<ScenarioStep> steps) const
{
    if (!m_keepsOrder->isChecked())
        steps = withSeparateClients(steps);
    const auto isTaken = [&](const QString &id) {
        return m_controller.everyOperation().find(id)
            || std::ranges::any_of(
                steps, [&](const ScenarioStep &step) { return step.request.id == id; });
    };
    int number = 0;
    for (ScenarioStep &step : steps) {
        while (step.request.id.isEmpty()) {
            const QString id = u"op%1"_s.arg(++number);
            if (!isTaken(id))
                step.request.id = id;
        }
    }
    return steps;
}

/// Where to search from: the beginning of the trace that is being played, so that the question can
/// be asked again; else the moment of the choice, or the one shown.
Rehearsal::Origin OutcomesPanel::originOf(const Choice &choice)
{
    if (const auto begun = m_rehearsal->beginning(); begun && !choice.moment)
        return *begun;
    return m_rehearsal->origin(choice.moment.value_or(m_simulator->moment()));
}

void OutcomesPanel::ask()
{
    if (!whyDisabled().isEmpty() || !never())
        return refresh();
    m_budgetFactor = 1;
    if (m_simulator)
        m_origin = originOf(*choice());
    m_asked = { .stage = { m_controller.rules(),
                    m_simulator ? m_simulator->worldAt(m_origin.moment) : m_controller.world() },
        .steps = prepared(choice()->steps),
        .worlds = m_worlds,
        .bytes = m_bytes,
        .never = *never() };
    if (!m_timers->isChecked())
        m_asked->timers = Timers::Stopped;
    if (m_everyOutcome->isChecked())
        m_asked->openAll();
    m_time = m_asked->stage.world.now;
    search();
}

void OutcomesPanel::search()
{
    if (m_task)
        m_task->cancel();
    if (m_counts)
        m_counts->isStopped = true;
    m_counts = std::make_shared<OutcomesCounts>();
    m_task = Task::start(
        this, tr("Searching for all outcomes"),
        [asked = *m_asked, counts = m_counts](Progress &) {
            Result<Outcomes> found = outcomes(asked, *counts);
            if (found)
                sortByHarm(&*found, asked.stage.rules);
            return found;
        },
        [this](const Result<Outcomes> &found) { showResult(found); });
    connect(m_task, &Task::progressed, this, &OutcomesPanel::refresh);
    m_hasFound = false;
    m_problem.clear();
    m_model->clear();
    showTraces();
}

void OutcomesPanel::stop()
{
    if (m_task)
        m_counts->isStopped = true;
    refresh();
}

void OutcomesPanel::continueOrStop()
{
    if (m_task)
        return stop();
    m_budgetFactor *= budgetGrowth;
    m_asked->worlds = m_worlds * m_budgetFactor;
    m_asked->bytes = m_bytes * m_budgetFactor;
    search();
}

void OutcomesPanel::showResult(const Result<Outcomes> &found)
{
    m_task.clear();
    ++m_questions;
    m_hasFound = bool(found);
    m_problem = m_hasFound ? QString() : found.error();
    if (m_hasFound)
        m_model->show(*found, m_controller.rules());
    const int share = m_table->viewport()->width() / std::max(1, m_model->columnCount());
    m_table->horizontalHeader()->setDefaultSectionSize(
        std::clamp(share, leastColumnWidth, mostColumnWidth));
    m_table->setCurrentIndex(m_model->index(0, 0));
    showTraces();
}

// ---- Result

QString OutcomesPanel::summary() const
{
    if (m_task) {
        const QString worlds = QLocale().toString(m_counts->worlds.load());
        if (m_counts->isStopped)
            return tr("Stopping …");
        return tr("%1 states and %2 endings so far")
            .arg(worlds, QLocale().toString(m_counts->endings.load()));
    }
    if (const QString why = whyDisabled(); !m_simulator && !why.isEmpty())
        return why;
    if (!m_hasFound)
        return {};
    //: a time
    const QString from = tr("Searched from the state at %1.").arg(timeText(m_time));
    const bool isStartGone = m_simulator && !m_rehearsal->exists(m_origin);
    return m_model->countsText() + u" · "_s + searchedText(m_model->outcomes()) + u' ' + from
        + (isStartGone ? u' ' + tr("The run no longer contains that time: search again.")
                       : QString());
}

void OutcomesPanel::showOperations()
{
    QStringList texts;
    const bool isAsked = m_task || m_hasFound;
    for (const ScenarioStep &step : isAsked ? m_asked->steps
            : choice()                      ? prepared(choice()->steps)
                                            : QList<ScenarioStep>())
        texts += requestText(step.request);
    if (isAsked) {
        for (const auto &running : m_asked->stage.world.running) {
            if (!running->requirer && m_model->outcomes().requests.contains(running->id))
                texts += tr("%1 (already running)").arg(requestText(*running->request));
        }
    }
    m_operations->clear();
    m_operations->addItems(texts);
}

QString OutcomesPanel::budgetText(qint64 times) const
{
    return tr("Explores up to %1 states, in at most %2 MB of memory.")
        .arg(QLocale().toString(m_worlds * times), QLocale().toString((m_bytes * times) >> 20));
}

QString OutcomesPanel::emptyText() const
{
    if (m_task)
        return tr("Searching …");
    if (!m_problem.isEmpty())
        return m_problem;
    if (m_hasFound)
        return tr("No ending was found so far.");
    if (const QString why = whyDisabled(); !why.isEmpty())
        return why;
    return choice()->steps.size() == 1
        ? tr("Add another operation to the burst (+ Burst in the Explore room) to search both "
             "orders in which the two can arrive.")
        : tr(
            "Press “What can happen?” to search every order in which these operations can arrive.");
}

void OutcomesPanel::refresh()
{
    m_askButton->setEnabled(whyDisabled().isEmpty() && never());
    m_neverResult->setText(neverText());
    m_neverResult->setVisible(!m_neverResult->text().isEmpty());
    const bool canContinue =
        m_hasFound && !m_model->outcomes().complete && !m_model->outcomes().isStopped;
    m_stop->setVisible(m_task || canContinue);
    m_stop->setText(m_task ? tr("Stop") : tr("Continue"));
    m_stop->setToolTip(m_task ? tr("Stops the search and shows the endings found so far")
                              : budgetText(budgetGrowth * m_budgetFactor));
    m_askButton->setToolTip(tr("Tries every order in which these operations can arrive and end.")
        + u' ' + budgetText(1));
    const bool hasClock = needClock(m_controller.rules());
    m_timers->setEnabled(hasClock);
    m_timers->setToolTip(hasClock
            ? tr("Lets time pass: timers fire, work times out, and work that waits for a time "
                 "continues. If unchecked, such work never ends.")
            : tr("These rules have no timers and no timeouts."));
    m_keepsOrder->setEnabled(choice() && withSeparateClients(choice()->steps) != choice()->steps);
    m_keepsOrder->setToolTip(m_keepsOrder->isEnabled()
            ? tr("Operations of one client arrive in the order given. If unchecked, each operation "
                 "comes from a separate client.")
            : tr("Each of these operations comes from a separate client, so no order is given."));
    showOperations();
    m_summary->setText(summary());
    m_summary->setToolTip(summary());
    const std::optional<Rehearsal::Trace> chosen = trace();
    m_play->setEnabled(chosen && (!m_simulator || m_rehearsal->exists(chosen->origin)));
    m_steps->setEnabled(m_play->isEnabled() && m_simulator);
    if (m_model->rowCount() == 0)
        m_model->clear(); // repaints the sentence that an empty table shows
    showStep();
}

QList<int> OutcomesPanel::selected() const
{
    const int current = m_table->currentIndex().column();
    if (current < 0 || current >= m_model->columnCount())
        return {};
    QList<int> traces { current };
    for (const QItemSelectionRange &range : m_table->selectionModel()->selection()) {
        for (int column = range.left(); column <= range.right() && traces.size() < 2; ++column) {
            if (!traces.contains(column))
                traces += column;
        }
    }
    return traces;
}

std::optional<Rehearsal::Trace> OutcomesPanel::trace() const
{
    const QList<int> traces = selected();
    if (traces.isEmpty())
        return {};
    return Rehearsal::Trace { m_questions * (4 * mostTraces) + quint64(traces.first()),
        m_model->title(traces.first()), m_origin,
        m_model->outcomes().traces[traces.first()].schedule };
}

/// Shows the steps of the current trace, and the timelines of the selected ones.
void OutcomesPanel::showTraces()
{
    const QList<int> traces = selected();
    const Outcomes &outcomes = m_model->outcomes();
    m_isShowing = true;
    m_steps->clear();
    if (traces.isEmpty()) {
        m_title->clear();
        m_traces->clear();
    } else {
        const Outcomes::Trace &current = outcomes.traces[traces.first()];
        m_steps->addItem(tr("At %1").arg(timeText(m_time)));
        for (qsizetype step = 0; step < current.schedule.size(); ++step)
            m_steps->addItem(stepText(outcomes, current, step));
        for (int row = 0; row < m_steps->count(); ++row)
            m_steps->item(row)->setToolTip(m_steps->item(row)->text());
        QList<TraceView::Trace> shown;
        QList<int> inOrder = traces;
        std::ranges::sort(inOrder);
        for (const int trace : std::as_const(inOrder)) {
            const QString head = m_model->headerData(trace, Qt::Horizontal, Qt::DisplayRole)
                                     .toString()
                                     .replace(u'\n', u": "_s);
            shown.append({ head, outcomes.traces[trace].schedule });
        }
        const Outcomes::Trace &one = outcomes.traces[inOrder.first()];
        const Outcomes::Trace &other = outcomes.traces[inOrder.last()];
        m_title->setText(traces.size() > 1 ? firstDifferenceText(outcomes, one, other)
                                           : tr("Shortest trace to this ending. Ctrl+click another "
                                                "ending to compare the two."));
        m_title->setToolTip(m_title->text());
        m_traces->show(m_asked->stage.rules, m_asked->stage.world, shown, commonSteps(one, other));
    }
    m_isShowing = false;
    refresh();
}

// ---- Playback of a trace

bool OutcomesPanel::goToStep(qsizetype step)
{
    const std::optional<Rehearsal::Trace> chosen = trace();
    const auto pause = qint64(stepSeconds * 1000 * (m_simulator ? m_simulator->speed() : 1));
    const bool isShown = chosen && m_simulator && m_rehearsal->show(*chosen, step, pause);
    showStep();
    return isShown;
}

void OutcomesPanel::play()
{
    const std::optional<Rehearsal::Trace> chosen = trace();
    if (!chosen)
        return;
    if (!m_simulator) {
        emit playAsked(m_asked->stage, *chosen);
        return;
    }
    if (!goToStep(0))
        return;
    m_simulator->play();
    m_pace.start(int(stepSeconds * 500));
    emit played();
}

/// Shortens waits of the playback: jumps to shortly before the next event if it is far away. Pauses
/// after the last step of the trace, so that no later event of the clock happens.
void OutcomesPanel::keepPace()
{
    const std::optional<Rehearsal::Trace> chosen = trace();
    const auto steps = chosen ? m_rehearsal->steps(*chosen) : std::optional<qsizetype>();
    if (!steps || !m_simulator->isPlaying())
        return m_pace.stop();
    if (*steps == chosen->events.size()) {
        m_simulator->pause();
        return m_pace.stop();
    }
    if (m_simulator->later().isEmpty())
        return;
    const auto lead = qint64(stepSeconds * 1000 * m_simulator->speed());
    const qint64 next = m_simulator->later().first().event.time;
    if (next - m_simulator->world().now > 2 * lead)
        m_simulator->advanceTo(next - lead);
}

/// Selects the trace's last step that has happened at the moment shown.
void OutcomesPanel::showStep()
{
    const std::optional<Rehearsal::Trace> chosen = trace();
    const auto steps =
        chosen && m_rehearsal ? m_rehearsal->steps(*chosen) : std::optional<qsizetype>();
    m_isShowing = true;
    m_steps->setCurrentRow(steps ? int(*steps) : -1);
    m_isShowing = false;
}

} // namespace instar
