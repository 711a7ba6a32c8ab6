// SPDX-License-Identifier: Apache-2.0
#include "views/outcomes/outcomespanel.h"

#include "model/engine/controller.h"
#include "model/items/words.h"
#include "model/json/condition.h"
#include "model/pack/knownnames.h"
#include "views/citations.h"
#include "views/editing/wordedits.h"
#include "views/htmlview.h"
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
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QSplitter>
#include <QTableView>

#include <algorithm>

namespace instar {

namespace {

/// Names of the initial states: those of resources that do not exist.
QStringList initialStates(const Pack &pack)
{
    QStringList names;
    for (const Machine &machine : pack.machines) {
        for (const State &state : machine.states) {
            if (state.kind == State::Kind::Initial)
                names += state.id;
        }
    }
    names.removeDuplicates();
    return names;
}

/// Returns true if a part of a condition says that the resource itself is in one of these states.
bool namesOwnState(const Condition &condition, const QStringList &states)
{
    const bool isOwn = condition.kind == Condition::Kind::Related && condition.text == u"self";
    for (const QString &state : condition.states) {
        if (isOwn && states.contains(state))
            return true;
    }
    return std::ranges::any_of(
        condition.parts, [&](const Condition &part) { return namesOwnState(part, states); });
}

constexpr qint64 usualWorlds = 100'000;
constexpr qint64 usualBytes = qint64(512) << 20;
constexpr qint64 budgetGrowth = 10;  ///< "Continue" multiplies the budget by this
constexpr double stepSeconds = 0.8;  ///< between two steps of a trace that is played
constexpr int mostColumnWidth = 200; ///< pixels, unless a word is wider
constexpr int mostTitleLines = 7;    ///< of a column

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
      m_keepsOrder(new QCheckBox(tr("Keep the order"))),
      m_fact(makeFact(tr("Fact that must never be true"))),
      m_other(makeFact(tr("Other fact"))),
      m_when(new QComboBox),
      m_within(new QSpinBox),
      m_propertyResult(new QLabel),
      m_searchButton(new QPushButton(tr("What can happen?"))),
      m_stop(new QPushButton),
      m_play(new QPushButton(icon(u"play"_s), tr("Play"))),
      m_summary(new ElidedLabel),
      m_title(new ElidedLabel),
      m_table(new QTableView),
      m_right(new QSplitter(Qt::Vertical)),
      m_steps(new QListWidget),
      m_reasons(new HtmlLabel),
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
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    makeRowsCopyable(m_table, OutcomesModel::Full);
    showWhenEmpty(m_table, [this] { return emptyText(); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_isShowing)
            showTraces();
    });
    connect(m_table, &QAbstractItemView::activated, this, &OutcomesPanel::play);
    m_summary->setProperty("dim", true);

    m_right->addWidget(boxed(filled(new QVBoxLayout,
        { filled(new QHBoxLayout, { boldLabel(tr("Endings")), { m_summary, 1 } }, gap::normal),
            { m_table, 1 } })));
    m_right->addWidget(buildTrace());
    m_right->setChildrenCollapsible(false);
    m_right->setSizes({ 280, 420 });
    filled(new QHBoxLayout(this), { buildQuestion(), { m_right, 1 } }, gap::normal,
        { gap::normal, gap::normal, gap::normal, gap::normal });

    connect(&controller, &Controller::rulesChanged, this, &OutcomesPanel::discard);
    connect(&controller.updates(), &Updates::changed, this, &OutcomesPanel::refresh);
    whenThemed(this, [this] { showTraces(); });
    m_pace.callOnTimeout(this, &OutcomesPanel::keepPace);
    if (m_simulator)
        connect(m_simulator, &Simulator::branchesChanged, this, &OutcomesPanel::refresh);
    showTraces();
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
    showWhenEmpty(m_operations, tr("No operations yet: press + Burst in the Explore room."));
    m_everyOutcome->setToolTip(
        tr("Tries every outcome that the rules define for each piece of work, not only the planned "
           "one. Work that waits for you to end it is included."));
    m_timers->setChecked(true);
    m_keepsOrder->setChecked(true);
    m_keepsOrder->setToolTip(
        tr("If unchecked, each operation has its own client, and comes in any order."));
    for (const QCheckBox *assumption : { m_keepsOrder, m_everyOutcome, m_timers })
        connect(assumption, &QCheckBox::toggled, this, &OutcomesPanel::searchAgain);
    m_propertyResult->setWordWrap(true);
    m_propertyResult->setTextFormat(Qt::PlainText);
    m_propertyResult->setObjectName(u"propertyResult"_s);
    // In the order of the enum Property::When.
    m_when->addItems({ tr("at any time"), tr("after it was false"), tr("for ever"), tr("after …"),
        tr("without … within") });
    m_when->setAccessibleName(tr("Time of the fact"));
    m_when->setToolTip(
        tr("“For ever”: only states in which the fact can stay true. “After …”: only states that "
           "come after one in which another fact was true. “Without … within”: the fact becomes "
           "true, but the other one is not true then nor within some steps. There, “self” is the "
           "resource of the first fact; with “some”, each resource counts by itself."));
    m_within->setRange(0, 99);
    m_within->setValue(3);
    m_within->setPrefix(tr("within steps: "));
    m_within->setAccessibleName(tr("Steps"));
    m_within->setToolTip(tr("A step is one line of a trace: an operation arrives, work begins or "
                            "ends, or a timer fires."));
    connect(m_within, &QSpinBox::valueChanged, this, &OutcomesPanel::refresh);
    connect(m_when, &QComboBox::currentIndexChanged, this, &OutcomesPanel::refresh);
    m_searchButton->setObjectName(u"primary"_s);
    connect(m_choice, &QComboBox::activated, this, [this] {
        m_isChosen = true;
        searchAgain();
    });
    connect(m_searchButton, &QPushButton::clicked, this, &OutcomesPanel::search);
    connect(m_stop, &QPushButton::clicked, this, &OutcomesPanel::continueOrStop);
    QWidget *question = boxed(filled(new QVBoxLayout,
        { dimLabel(tr("Operations")), m_choice, { m_operations, 1 }, m_keepsOrder,
            dimLabel(tr("Assumptions")), m_everyOutcome, m_timers,
            dimLabel(tr("Must never be true")), m_fact, m_when, m_other, m_within, m_propertyResult,
            m_searchButton, m_stop }));
    question->setFixedWidth(220);
    return question;
}

/// Input of a fact: "Rack-1 is Updating", "some subnet is Failed", or a condition in words.
QComboBox *OutcomesPanel::makeFact(const QString &name)
{
    auto *line = new WordEdit(u" and | or | is | are |^not "_s); // not "some": names begin with it
    line->setCandidates([this] {
        QStringList names = conditionNames(m_controller.rules().pack());
        for (const Property &subject : std::as_const(m_subjects))
            names += subject.text;
        return names;
    });
    line->setPlaceholderText(tr("… is Failed"));
    line->setAccessibleName(name);
    connect(line, &QLineEdit::textEdited, this, [this] { m_isTyping = true; });
    connect(line, &QLineEdit::editingFinished, this, [this] {
        m_isTyping = false;
        refresh();
    });
    connect(line, &QLineEdit::returnPressed, this, &OutcomesPanel::search);
    auto *fact = new QComboBox;
    fact->setEditable(true);
    fact->setLineEdit(line);
    fact->setCompleter(nullptr); // the line has its own
    fact->setInsertPolicy(QComboBox::NoInsert);
    fact->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    fact->setAccessibleName(name);
    fact->setToolTip(
        tr("A resource, or “some”, “every” or “no” and a type, and facts joined by "
           "\"and\": \"self is Updating or Deleting\", \"parent is Failed\", \"some "
           "children are Updating\", \"no children\", a condition of the pack; \"not\" "
           "before a fact negates it"));
    connect(fact, &QComboBox::editTextChanged, this, &OutcomesPanel::refresh);
    return fact;
}

/// Offers facts about the operations' targets, and the resources above these.
void OutcomesPanel::offerFacts()
{
    QStringList paths;
    for (const ScenarioStep &step : choice() ? choice()->steps : QList<ScenarioStep>()) {
        for (QString path = step.request.path; !path.isEmpty(); path = path.section(u'/', 0, -3))
            paths += path;
    }
    paths.sort();
    paths.removeDuplicates();
    m_subjects.clear();
    for (const QString &path : std::as_const(paths)) {
        QString name; // shortest end of the path that no other path has
        const auto endsWithName = [&name](const QString &each) {
            return each.endsWith(u'/' + name, Qt::CaseInsensitive);
        };
        for (int size = 1; name.isEmpty() || std::ranges::count_if(paths, endsWithName) > 1; ++size)
            name = path.section(u'/', -size);
        m_subjects.append({ .of = path, .text = name });
    }
    const Pack &pack = m_controller.rules().pack();
    QStringList titles { u"resource"_s };
    for (const Type &type : pack.types)
        titles += shownTitle(type).toLower();
    for (const auto &[quantifier, word] : { std::pair(Property::Quantifier::Some, u"some "_s),
             { Property::Quantifier::Every, u"every "_s },
             { Property::Quantifier::No, u"no "_s } }) {
        m_subjects.append({ .quantifier = quantifier, .text = word + u"resource"_s });
        for (const Type &type : pack.types) {
            const QString title = shownTitle(type);
            if (type.path != u"*")
                m_subjects.append({ .quantifier = quantifier,
                    .of = type.path,
                    .text = word + (titles.count(title.toLower()) > 1 ? type.path : title) });
        }
    }
    const QStringList initial = initialStates(pack);
    QStringList facts, states = namesFor(pack, Name::StateOrAlias);
    states.removeIf([&](const QString &state) { return initial.contains(state); });
    for (const Property &subject : m_subjects.first(paths.size() + 1)) {
        for (const QString &state : std::as_const(states))
            facts += u"%1 is %2"_s.arg(subject.text, state);
        if (!subject.of.isEmpty())
            facts += u"%1 is gone"_s.arg(subject.text);
    }
    if (std::exchange(m_facts, facts) == facts)
        return;
    for (QComboBox *box : { m_fact, m_other }) {
        const QSignalBlocker blocker(box);
        const QString text = box->currentText();
        box->clear();
        box->addItems(facts);
        box->setEditText(text);
    }
}

/// Replaces names of resources by paths. Returns an error if two resources share a name.
QString OutcomesPanel::replaceNames(Condition &condition) const
{
    const QString name = condition.text;
    QStringList longer;
    for (const Property &subject : m_subjects) {
        if (condition.kind != Condition::Kind::Related || !subject.of.startsWith(u'/'))
            continue;
        if (subject.text.compare(name, Qt::CaseInsensitive) == 0)
            condition.text = subject.of;
        else if (!name.contains(u'/') && subject.of.endsWith(u'/' + name, Qt::CaseInsensitive))
            longer += subject.text;
    }
    QString error = longer.size() > 1
        ? tr("“%1” may be %2 or %3: write more of the path.").arg(name, longer[0], longer[1])
        : QString();
    for (auto part = condition.parts.begin(); part != condition.parts.end() && error.isEmpty();)
        error = replaceNames(*part++);
    return error;
}

Result<Property> OutcomesPanel::propertyFrom(const QString &text, const QString &of) const
{
    if (text.isEmpty())
        return Error { tr("Choose the other fact.") };
    Property property;
    for (const Property &subject : m_subjects) { // the longest name that fits
        if (text.startsWith(subject.text + u' ', Qt::CaseInsensitive)
            && subject.text.size() > property.text.size())
            property = subject;
    }
    const QStringList initial = initialStates(m_controller.rules().pack());
    QString words = property.text.isEmpty() ? text : u"self"_s + text.sliced(property.text.size());
    static const QRegularExpression isNot(u"(^| and )(\\S+) is not "_s);
    words.replace(isNot, u"\\1not \\2 is "_s);
    words.replace(u" is gone"_s, u" is "_s + initial.join(u" or "_s));
    Result<Condition> condition = conditionFromWords(words);
    if (!condition)
        return Error { condition.error() };
    if (const QString error = replaceNames(*condition); !error.isEmpty())
        return Error { error };
    const Condition *first = &*condition;
    while (!first->parts.isEmpty())
        first = &first->parts.first();
    if (property.text.isEmpty()) // "not Rack-1 exists" is a fact about Rack-1
        property.of = first->text.startsWith(u'/') ? first->text : of;
    property.condition = *condition;
    property.text = text;
    const bool isOfOne = property.of.startsWith(u'/') || property.of == Property::Same;
    if (!isOfOne && namesOwnState(*condition, initial)) {
        // Rewrites "every subnet is gone" to "no subnet is in another state".
        if (property.quantifier != Property::Quantifier::Every
            || condition->kind != Condition::Kind::Related)
            return Error { tr("Name one resource, such as “Rack-1 is gone”, or write “every”.") };
        property.quantifier = Property::Quantifier::No;
        property.condition = { .kind = Condition::Kind::Not, .parts = { *condition } };
    }
    return property;
}

/// Property that the inputs describe; nothing if there is no fact.
Result<std::optional<Property>> OutcomesPanel::searchedProperty() const
{
    const QString fact = m_fact->currentText().simplified();
    if (fact.isEmpty())
        return std::optional<Property>();
    Result<Property> property = propertyFrom(fact);
    if (!property)
        return Error { property.error() };
    property->when = Property::When(m_when->currentIndex());
    const bool mayBeOverdue = property->when == Property::When::Overdue;
    if (mayBeOverdue || property->when == Property::When::After) {
        const Result<Property> other = propertyFrom(m_other->currentText().simplified(),
            mayBeOverdue ? Property::Same.toString() : QString());
        if (!other)
            return Error { other.error() };
        property->other = { *other };
        property->within = m_within->value();
        const QString steps =
            property->within == 1 ? tr("1 step") : tr("%1 steps").arg(property->within);
        property->text = mayBeOverdue ? tr("%1 without %2 within %3").arg(fact, other->text, steps)
                                      : tr("%1 after %2").arg(fact, other->text);
    } else if (property->when != Property::When::Is) {
        property->text += u' ' + m_when->currentText();
    }
    if (const auto test = compiledProperty(*property, m_controller.rules()); !test)
        return Error { test.error() };
    return std::optional(*property);
}

/// Error of the property, or what the last search found about it.
QString OutcomesPanel::propertyText() const
{
    const auto property = searchedProperty();
    if (!property) // no error while the user types
        return m_isTyping ? QString() : property.error();
    const Outcomes &found = m_model->outcomes();
    if (!m_hasFound || !*property || (*property)->text != found.property)
        return {};
    if (found.hasProperty())
        return tr("✕ This can become true: the first column shows how.");
    const QString worlds = QLocale().toString(found.worlds);
    QString text = found.complete
        ? tr("✓ Never true: “%1”. All %2 possible states were explored.")
              .arg(found.property, worlds)
        : tr("Not true in the %1 states explored; there may be more.").arg(worlds);
    if (!m_everyOutcome->isChecked())
        text += u' '
            + tr("Assumed: all work ends as planned. "
                 "“Try every outcome of work” also tries failures.");
    if (found.timers == Timers::Stopped)
        text += u' ' + tr("Assumed: no timer fires.");
    return text;
}

QWidget *OutcomesPanel::buildTrace()
{
    m_steps->setAccessibleName(tr("Steps of the trace"));
    m_steps->setWordWrap(true);
    m_steps->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    showWhenEmpty(m_steps, tr("Steps of the selected ending"));
    m_reasons->setWordWrap(true);
    m_reasons->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_reasons->setObjectName(u"reasons"_s);
    m_reasons->setAccessibleName(tr("Rules that refused or canceled operations"));
    offerSources(m_reasons, m_controller, [this](const QString &key) { emit sourceAsked(key); });
    connect(m_steps, &QListWidget::currentRowChanged, this, [this](int row) {
        if (!m_isShowing && row >= 0)
            goToStep(row);
    });
    connect(m_play, &QPushButton::clicked, this, &OutcomesPanel::play);
    m_play->setToolTip(
        tr("Plays the trace on the chart and the timeline, on a new branch (Return)"));
    QScrollArea *scroll = plainScrollArea();
    scroll->setWidget(boxed(filled(new QVBoxLayout, { m_reasons, { m_traces, 1 } })));
    auto *parts = new QSplitter;
    parts->addWidget(m_steps);
    parts->addWidget(scroll);
    parts->setStretchFactor(1, 1);
    parts->setSizes({ 240, 700 });
    return boxed(filled(new QVBoxLayout,
        { filled(new QHBoxLayout, { boldLabel(tr("Trace")), { m_title, 1 }, m_play }, gap::normal),
            { parts, 1 } }));
}

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
    const auto enough = std::ranges::find_if(
        m_choices, [](const Choice &each) { return each.steps.size() >= each.leastOperations; });
    const auto usual = enough == m_choices.end() ? m_choices.end() - 1 : enough;
    m_choice->setCurrentIndex(int((m_isChosen ? chosen : usual) - m_choices.begin()));
    refresh();
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

/// Returns why outcomes cannot be computed, as a sentence: the server is in unknown states, or runs
/// operations that this program did not send. Empty: they can.
QString OutcomesPanel::unknownWork() const
{
    const Rules &rules = m_controller.rules();
    const World &world = m_controller.world();
    if (!world.unknownWords.isEmpty())
        return tr("The server shows states that the rules do not define, so outcomes cannot be "
                  "computed.");
    const auto isExternal = [&](Resource resource) {
        return !rules.stateIn(world.tree.code(resource)).isStable()
            && std::ranges::none_of(world.running, [&](const auto &running) {
                   return contains(running->affected, world.tree.place(resource));
               });
    };
    qint64 changing = 0; // each refresh calls this: visits all resources only if some are changing
    for (qsizetype code = 0; code < world.tree.counts().size(); ++code)
        changing += world.tree.counts()[code] && !rules.stateIn(Code(code)).isStable();
    const qint64 externalCount =
        changing ? std::ranges::count_if(world.tree.resources(), isExternal) : 0;
    return externalCount > 0
        ? tr("Other clients' operations are running at the server (resources: %1). "
             "Outcomes can be computed after those operations have ended.")
              .arg(QLocale().toString(externalCount))
        : QString();
}

/// Gives each operation an id and, unless clients keep their order, its own client.
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

void OutcomesPanel::search()
{
    searchWithInputs();
    if (m_task && !m_fact->hasFocus() && !m_other->hasFocus())
        m_table->setFocus(Qt::OtherFocusReason); // Return plays the selected outcome
}

void OutcomesPanel::searchWithInputs()
{
    const auto property = searchedProperty();
    if (!whyDisabled().isEmpty() || !property)
        return refresh();
    m_budgetFactor = 1;
    if (m_simulator) {
        // While a trace is played, the search begins where the trace began.
        const auto beginning = m_rehearsal->beginning();
        m_origin = beginning && !choice()->moment
            ? *beginning
            : m_rehearsal->origin(choice()->moment.value_or(m_simulator->moment()));
    }
    m_question = { .stage = { m_controller.rules(),
                       m_simulator ? m_simulator->worldAt(m_origin.moment) : m_controller.world() },
        .steps = prepared(choice()->steps),
        .worlds = m_worlds,
        .bytes = m_bytes,
        .property = *property };
    if (!m_timers->isChecked())
        m_question->timers = Timers::Stopped;
    if (m_everyOutcome->isChecked())
        m_question->openAll();
    m_time = m_question->stage.world.now;
    startTask();
}

/// Repeats the search, if there was one, after the user changed an assumption.
void OutcomesPanel::searchAgain()
{
    if (!m_task && !m_hasFound)
        return refresh();
    discard();
    searchWithInputs();
}

void OutcomesPanel::discard()
{
    if (m_task)
        m_task->cancel();
    if (m_counts)
        m_counts->isStopped = true;
    m_task.clear();
    m_hasFound = false;
    m_problem.clear();
    m_model->clear();
    showTraces();
}

void OutcomesPanel::startTask()
{
    discard();
    m_counts = std::make_shared<OutcomesCounts>();
    m_task = Task::start(
        this, tr("Searching for all outcomes"),
        [question = *m_question, counts = m_counts](Progress &) {
            Result<Outcomes> found = outcomes(question, *counts);
            if (found)
                sortByHarm(&*found, question.stage.rules);
            return found;
        },
        [this](const Result<Outcomes> &found) { showResult(found); });
    connect(m_task, &Task::progressed, this, &OutcomesPanel::refresh);
    refresh();
}

void OutcomesPanel::continueOrStop()
{
    if (m_task) {
        m_counts->isStopped = true;
        return refresh();
    }
    m_budgetFactor *= budgetGrowth;
    m_question->worlds = m_worlds * m_budgetFactor;
    m_question->bytes = m_bytes * m_budgetFactor;
    startTask();
}

void OutcomesPanel::showResult(const Result<Outcomes> &found)
{
    m_task.clear();
    ++m_questions;
    m_hasFound = bool(found);
    m_problem = m_hasFound ? QString() : found.error();
    if (m_hasFound)
        m_model->show(*found, m_controller.rules());
    layOutTable();
    m_table->setCurrentIndex(m_model->index(0, 0));
    showTraces();
}

/// Divides the table's width among the columns, but leaves room for the words in the cells; fits
/// the header's height to its texts, and the table's to its rows, up to half of the panel.
void OutcomesPanel::layOutTable()
{
    const int count = m_model->columnCount(), most = mostTitleLines * fontMetrics().lineSpacing();
    int width = std::min(m_table->viewport()->width() / std::max(1, count), mostColumnWidth);
    const QAbstractItemView &view = *m_table;
    for (int column = 0; column < count; ++column)
        width = std::max(width, view.sizeHintForColumn(column));
    const QFontMetrics metrics(inBold(m_table->font())); // selected columns have bold titles
    const QRect room(0, 0, width - 2 * gap::small, most);
    int height = 0;
    for (int column = 0; column < count; ++column) {
        const QString title =
            m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        height = std::max(height, metrics.boundingRect(room, Qt::TextWordWrap, title).height());
    }
    height = std::min(height, most) + gap::normal;
    m_table->horizontalHeader()->setDefaultSectionSize(width);
    m_table->horizontalHeader()->setFixedHeight(height);
    height += m_table->verticalHeader()->length() + 2 * m_table->frameWidth()
        + m_table->horizontalScrollBar()->sizeHint().height() + m_summary->sizeHint().height()
        + gap::small;
    height = std::max(m_right->sizes().first(), std::min(height, this->height() / 2));
    m_right->setSizes({ height, this->height() - height });
}

QString OutcomesPanel::summary() const
{
    if (m_task)
        return m_counts->isStopped ? tr("Stopping …")
                                   : tr("%1 states and %2 endings so far")
                                         .arg(QLocale().toString(m_counts->worlds.load()),
                                             QLocale().toString(m_counts->endings.load()));
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
    const bool isSearched = m_task || m_hasFound;
    for (const ScenarioStep &step : isSearched ? m_question->steps
            : choice()                         ? prepared(choice()->steps)
                                               : QList<ScenarioStep>())
        texts += requestText(step.request);
    if (isSearched) {
        for (const auto &running : m_question->stage.world.running) {
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
    offerFacts();
    m_searchButton->setEnabled(whyDisabled().isEmpty() && (m_isTyping || searchedProperty()));
    m_propertyResult->setText(propertyText());
    m_propertyResult->setVisible(!m_propertyResult->text().isEmpty());
    const bool canContinue =
        m_hasFound && !m_model->outcomes().complete && !m_model->outcomes().isStopped;
    m_stop->setVisible(m_task || canContinue);
    m_stop->setText(m_task ? tr("Stop") : tr("Continue"));
    m_stop->setToolTip(m_task ? tr("Stops the search and shows the endings found so far")
                              : budgetText(budgetGrowth * m_budgetFactor));
    m_searchButton->setToolTip(tr("Tries every order in which these operations can arrive and end.")
        + u' ' + budgetText(1));
    const bool hasClock = needClock(m_controller.rules());
    m_timers->setEnabled(hasClock);
    m_timers->setToolTip(hasClock
            ? tr("Lets time pass: timers fire, work times out, and work that waits for a time "
                 "continues. If unchecked, such work never ends.")
            : tr("These rules have no timers and no timeouts."));
    const QList<ScenarioStep> steps = choice() ? choice()->steps : QList<ScenarioStep>(),
                              separate = withSeparateClients(steps);
    const auto shared = std::ranges::mismatch(steps, separate).in1; // first that shares a client
    m_keepsOrder->setVisible(shared != steps.end());
    if (shared != steps.end())
        m_keepsOrder->setText(tr("Keep the order of %1's operations").arg(shared->request.client));
    const auto when = Property::When(m_when->currentIndex());
    m_other->setVisible(when == Property::When::After || when == Property::When::Overdue);
    m_within->setVisible(when == Property::When::Overdue);
    showOperations();
    m_summary->setText(summary());
    m_summary->setToolTip(summary());
    const std::optional<Rehearsal::Trace> chosen = trace();
    m_play->setEnabled(chosen && !chosen->events.isEmpty()
        && (!m_simulator || m_rehearsal->exists(chosen->origin)));
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
    int other = current;
    for (const QItemSelectionRange &range : m_table->selectionModel()->selection()) {
        for (const int column : { range.left(), range.right() }) {
            if (std::abs(column - current) > std::abs(other - current))
                other = column;
        }
    }
    return other == current ? QList { current } : QList { current, other };
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
    QItemSelection columns;
    for (const int column : traces)
        columns.select(m_model->index(0, column), m_model->index(0, column));
    m_isShowing = true;
    // Keeps two endings: a Shift click has selected those between them, too.
    m_table->selectionModel()->select(
        columns, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Columns);
    m_steps->clear();
    m_reasons->clear();
    if (traces.isEmpty()) {
        m_title->setText(tr("Select an ending above to see its steps and its timeline."));
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
            shown.append({ m_model->head(trace) + u' ' + m_model->title(trace),
                outcomes.traces[trace].schedule });
        }
        const Outcomes::Trace &one = outcomes.traces[inOrder.first()];
        const Outcomes::Trace &other = outcomes.traces[inOrder.last()];
        m_title->setText(traces.size() > 1
                ? firstDifferenceText(*m_model, inOrder.first(), inOrder.last())
                : current.schedule.isEmpty() ? tr("True from the beginning: no step is needed.")
                : current.kind == Ending::Kind::HasProperty
                ? tr("Shortest trace that makes it true. Press Play to see it.")
                : tr("Shortest trace to this ending. Return plays it; Shift+click on another "
                     "ending compares the two."));
        const Pack &pack = m_question->stage.rules.pack();
        QStringList reasons;
        for (qsizetype i = 0; i < inOrder.size(); ++i) {
            const Outcomes::Trace &trace = outcomes.traces[inOrder[i]];
            if (inOrder.size() > 1)
                reasons += u"<i>%1</i>"_s.arg(shown[i].title.toHtmlEscaped());
            for (const auto &[id, request] : outcomes.requests.asKeyValueRange()) {
                const auto add = [&](const QString &refusal, const QString &rule) {
                    reasons += u"<b>%1</b> %2: %3%4"_s.arg(requestText(*request).toHtmlEscaped(),
                        trace.operations.value(id).toHtmlEscaped(), refusal.toHtmlEscaped(),
                        cited(pack, rule, theme()));
                };
                const auto refusals = refusalsOf(trace, id);
                for (const Outcomes::Trace::Refusal &each : refusals)
                    add(each.text() + u": "_s, each.rule);
                if (refusals.isEmpty() && trace.deciding.contains(id))
                    add({}, trace.deciding[id]);
            }
        }
        m_reasons->setHtml(reasons.join(u"<br>"_s));
        m_traces->show(m_question->stage.rules, m_question->stage.world, shown,
            commonSteps(one.trace, other.trace));
    }
    m_title->setToolTip(m_title->text());
    m_isShowing = false;
    refresh();
}

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
    if (!chosen || chosen->events.isEmpty())
        return;
    if (!m_simulator)
        return emit playAsked(m_question->stage, *chosen);
    if (!goToStep(0))
        return;
    m_simulator->play();
    m_pace.start(int(stepSeconds * 500));
    emit played();
}

/// Shortens waits of the playback: jumps to shortly before the next event if it is far away. Pauses
/// shortly after the last step of the trace, before any later event of the clock happens.
void OutcomesPanel::keepPace()
{
    const std::optional<Rehearsal::Trace> chosen = trace();
    const auto steps = chosen ? m_rehearsal->steps(*chosen) : std::optional<qsizetype>();
    if (!steps || !m_simulator->isPlaying())
        return m_pace.stop();
    const auto lead = qint64(stepSeconds * 1000 * m_simulator->speed());
    if (*steps == chosen->events.size()) {
        m_simulator->pause();
        // The operations of the last step get a width on the timeline.
        m_simulator->advanceTo(m_simulator->timeOf(m_simulator->moment()) + lead, 0);
        return m_pace.stop();
    }
    if (m_simulator->later().isEmpty())
        return;
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
