// SPDX-License-Identifier: Apache-2.0
#include "views/outcomes/outcomespanel.h"

#include "model/engine/controller.h"
#include "model/items/sentences.h"
#include "model/items/words.h"
#include "views/drawing/text.h"
#include "views/htmlview.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QListView>
#include <QListWidget>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QSplitter>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Outcomes::Trace::Kind;

constexpr QSizeF treeSize { 104, 46 }, chartSize { 96, 46 };
constexpr double pictureWidth = treeSize.width() + gap::normal + chartSize.width();
constexpr int leastForTree = 340, leastForBoth = 480; ///< pixels: else the words have the room
constexpr int mostRounds = 4;                         ///< of telling rows apart

} // namespace

TraceDelegate::TraceDelegate(
    const Controller &controller, const OutcomesModel &model, QObject *parent)
    : QStyledItemDelegate(parent), m_controller(controller), m_model(model)
{
    connect(&model, &QAbstractItemModel::modelReset, this, [this] {
        m_width = -1;
        const QList<Outcomes::Trace> &traces = m_model.outcomes().traces;
        const auto first = std::ranges::find(traces, Kind::Ending, &Outcomes::Trace::kind);
        m_fatesDiffer = std::any_of(first, traces.end(), // endings stand last
            [&](const Outcomes::Trace &trace) { return trace.operations != first->operations; });
    });
}

void TraceDelegate::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_pictures.clear();
}

void TraceDelegate::setChart(const ChartLayout &layout)
{
    m_chart = layout;
    m_pictures.clear();
}

QList<EndRow> TraceDelegate::rowsOf(const Outcomes::Trace &trace) const
{
    QList<EndRow> rows;
    const QList<Outcomes::Row> &all = m_model.outcomes().rows;
    for (qsizetype i = 0; i < all.size(); ++i) {
        const QString &word = trace.end()[i];
        rows += EndRow { all[i].depth,
            word.isEmpty() ? StatusCategory::Absent
                           : statusCategoryOfWord(m_controller.rules(), all[i].machine, word),
            word != all[i].before };
    }
    return rows;
}

QMap<Rules::StateId, int> TraceDelegate::countsOf(const Outcomes::Trace &trace) const
{
    const Rules &rules = m_controller.rules();
    QMap<Rules::StateId, int> counts;
    const QList<Outcomes::Row> &all = m_model.outcomes().rows;
    for (qsizetype i = 0; i < all.size(); ++i) {
        const QString &word = trace.end()[i];
        if (all[i].machine != m_chart.machine || !all[i].isOther)
            continue;
        const Rules::StateId state = word.isEmpty()
            ? rules.machines()[size_t(m_chart.machine)].initial
            : rules.stateNamed(m_chart.machine, word);
        if (state != Rules::None)
            ++counts[state];
    }
    return counts;
}

QPixmap TraceDelegate::pictureOf(int trace, double ratio) const
{
    if (const auto known = m_pictures.constFind(trace); known != m_pictures.cend())
        return *known;
    QPixmap picture((QSizeF(pictureWidth, treeSize.height()) * ratio).toSize());
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    const Outcomes::Trace &told = m_model.outcomes().traces[trace];
    paintEndTree(painter, rowsOf(told), QRectF(QPointF(), treeSize), m_theme);
    if (m_chart.machine != Rules::None)
        paintEndChart(painter, m_chart, countsOf(told),
            QRectF(QPointF(treeSize.width() + gap::normal, 1), chartSize - QSizeF(2, 2)), m_theme);
    painter.end();
    m_pictures.insert(trace, picture);
    return picture;
}

TraceDelegate::Room TraceDelegate::roomFor(
    const QString &orders, const QStyleOptionViewItem &option) const
{
    Room room { option.rect.adjusted(gap::normal, gap::small, -gap::normal, -gap::small) };
    const int width = option.rect.width();
    const double pictures = width >= leastForBoth ? pictureWidth : treeSize.width();
    if (width >= leastForTree)
        room.words.setLeft(room.words.left() + int(pictures) + gap::normal);
    const int aside = orders.isEmpty() ? 0 : QFontMetrics(option.font).horizontalAdvance(orders);
    room.hasOrders = aside && room.words.width() >= 2 * aside + gap::large;
    room.title = room.words.width() - (room.hasOrders ? aside + gap::large : 0);
    return room;
}

/// Where operations do not end alike everywhere, who got what is the first thing that is asked.
bool TraceDelegate::beginsWithFates(int trace) const
{
    return m_fatesDiffer && m_model.outcomes().traces[trace].kind == Kind::Ending;
}

std::pair<QString, QString> TraceDelegate::linesOf(
    int trace, const QStyleOptionViewItem &option) const
{
    if (m_width != option.rect.width() || m_font != option.font)
        tellLines(option);
    return { m_titles[trace], m_notes[trace] };
}

/// All at once: a trace's words depend on what the others look like.
void TraceDelegate::tellLines(const QStyleOptionViewItem &option) const
{
    m_width = option.rect.width();
    m_font = option.font;
    m_titles.clear();
    m_notes.clear();
    const QFontMetrics metrics(option.font);
    const qsizetype count = m_model.outcomes().traces.size();
    QStringList wholes, notes;
    QList<Room> rooms;
    const auto cutTitle = [&](qsizetype trace, const QString &text) {
        return metrics.elidedText(text, Qt::ElideRight, rooms[trace].title);
    };
    const auto cutNote = [&](qsizetype trace, const QString &text) {
        return metrics.elidedText(text, Qt::ElideRight, rooms[trace].words.width());
    };
    for (int trace = 0; trace < count; ++trace) {
        const QModelIndex index = m_model.index(m_model.rowOf(trace));
        wholes += index.data(OutcomesModel::Whole).toString();
        notes += index.data(OutcomesModel::Note).toString();
        rooms += roomFor(index.data(OutcomesModel::Orders).toString(), option);
        m_titles += cutTitle(trace, index.data().toString());
        m_notes += cutNote(trace, notes.last());
    }
    // Those that look the same in both lines.
    const auto same = [&] {
        QHash<std::pair<QString, QString>, QList<qsizetype>> looks;
        for (qsizetype trace = 0; trace < count; ++trace)
            looks[{ m_titles[trace], m_notes[trace] }] += trace;
        looks.removeIf([](const auto &each) { return each.value().size() == 1; });
        return looks.values();
    };
    // What tells a row from some may make it look like others.
    for (int round = 0; round < mostRounds && !same().isEmpty(); ++round) {
        for (const QList<qsizetype> &traces : same())
            elideDistinctly(wholes, traces, cutTitle, &m_titles);
        for (const QList<qsizetype> &traces : same())
            elideDistinctly(notes, traces, cutNote, &m_notes);
    }
}

void TraceDelegate::paintHeading(QPainter &painter, const QStyleOptionViewItem &option) const
{
    QFont font = option.font;
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(m_theme.dimText);
    const QRect room = option.rect.adjusted(gap::normal, gap::small, -gap::normal, 0);
    drawText(painter, room, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(font).elidedText(option.text, Qt::ElideRight, room.width()));
}

void TraceDelegate::paint(
    QPainter *painter, const QStyleOptionViewItem &given, const QModelIndex &index) const
{
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const int trace = index.data(OutcomesModel::TraceOf).toInt();
    painter->save();
    if (trace < 0) {
        paintHeading(*painter, option);
        painter->restore();
        return;
    }
    option.text.clear();
    const QWidget *widget = option.widget;
    (widget ? widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &option, painter, widget);
    if (const int width = option.rect.width(); width >= leastForTree) {
        const QRect inner = option.rect.adjusted(gap::normal, gap::small, 0, -gap::small);
        const double ratio = painter->device()->devicePixelRatioF();
        const QSizeF seen(
            width >= leastForBoth ? pictureWidth : treeSize.width(), treeSize.height());
        painter->drawPixmap(
            QRectF(QPointF(inner.x(), inner.center().y() - seen.height() / 2), seen),
            pictureOf(trace, ratio), QRectF(QPointF(), seen * ratio));
    }
    const QFontMetrics metrics(option.font);
    const QString orders = index.data(OutcomesModel::Orders).toString();
    const Room room = roomFor(orders, option);
    const auto [title, note] = linesOf(trace, option);
    const int middle = room.words.center().y();
    QRect above = room.words, below = room.words;
    above.setRect(above.x(), middle - metrics.height() - 1, above.width(), metrics.height());
    below.setRect(below.x(), middle + 2, below.width(), metrics.height());
    const bool isByFates = beginsWithFates(trace);
    const QRect &ofTitle = isByFates ? below : above, &ofNote = isByFates ? above : below;
    painter->setFont(option.font);
    painter->setPen(isByFates ? m_theme.dimText : m_theme.text);
    drawText(*painter, ofTitle, Qt::AlignLeft | Qt::AlignVCenter, title);
    painter->setPen(isByFates ? m_theme.text : m_theme.dimText);
    drawText(*painter, ofNote, Qt::AlignLeft | Qt::AlignVCenter, note);
    painter->setPen(m_theme.dimText);
    if (room.hasOrders)
        drawText(*painter, ofTitle, Qt::AlignRight | Qt::AlignVCenter, orders);
    painter->restore();
}

QSize TraceDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const int line = option.fontMetrics.height();
    if (index.data(OutcomesModel::TraceOf).toInt() < 0)
        return { 100, line + gap::normal };
    return { 100, std::max(int(treeSize.height()), 2 * line + 3) + 2 * gap::small };
}

namespace {

using What = OutcomesQuestion::What;

constexpr qint64 usualWorlds = 100'000;
constexpr qint64 usualBytes = qint64(512) << 20;
constexpr qint64 furtherBy = 10;      ///< times as many situations when somebody wants more
constexpr double stepSeconds = 0.8;   ///< between two steps of a trace, as it is seen
constexpr qsizetype mostListed = 200; ///< resources in the text beside a trace

/// The machine that most of what ends otherwise has.
int machineOf(const Outcomes &outcomes)
{
    QMap<int, int> counts;
    for (const Outcomes::Row &row : outcomes.rows) {
        if (row.isOther && row.machine >= 0)
            ++counts[row.machine];
    }
    const auto most = std::max_element(counts.cbegin(), counts.cend());
    return most == counts.cend() ? int(Rules::None) : most.key();
}

QLabel *paneTitle(const QString &text)
{
    auto *title = new ElidedLabel;
    title->setText(text);
    title->setProperty("dim", true);
    return title;
}

} // namespace

OutcomesPanel::OutcomesPanel(Controller &controller, QWidget *parent)
    : QWidget(parent),
      m_controller(controller),
      m_simulator(qobject_cast<Simulator *>(&controller)),
      m_model(new OutcomesModel(this)),
      m_delegate(new TraceDelegate(controller, *m_model, this)),
      m_worlds(usualWorlds),
      m_bytes(usualBytes),
      m_choice(new QComboBox),
      m_ends(new QComboBox),
      m_timers(new QCheckBox(tr("Timers fire"))),
      m_endings(new QPushButton(tr("What can happen?"))),
      m_order(new QPushButton(tr("Does order matter?"))),
      m_stop(new QPushButton),
      m_play(new QPushButton(icon(u"play"_s), tr("Play"))),
      m_summary(new ElidedLabel),
      m_about(new ElidedLabel),
      m_list(new QListView),
      m_steps(new QListWidget),
      m_text(new HtmlView)
{
    if (m_simulator)
        m_rehearsal.emplace(*m_simulator);
    build();
    // Rows and words are those of the rules that were asked.
    connect(&controller, &Controller::rulesChanged, this, [this] {
        if (m_task)
            m_task->cancel();
        m_task.clear();
        m_hasFound = false;
        m_model->show({});
        refresh();
    });
    connect(&controller.updates(), &Updates::happened, this, &OutcomesPanel::refresh);
    connect(&controller.updates(), &Updates::rewound, this, &OutcomesPanel::refresh);
    if (m_simulator)
        connect(m_simulator, &Simulator::branchesChanged, this, &OutcomesPanel::refresh);
    refresh();
}

OutcomesPanel::~OutcomesPanel()
{
    if (m_counts)
        m_counts->isStopped = true; // nobody waits any more
}

void OutcomesPanel::build()
{
    m_list->setModel(m_model);
    m_list->setItemDelegate(m_delegate);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setAccessibleName(tr("What can happen"));
    m_list->setFrameShape(QFrame::NoFrame);
    makeRowsCopyable(m_list, OutcomesModel::Full);
    showWhenEmpty(m_list, [this] { return emptyText(); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
        &OutcomesPanel::tellTrace);
    connect(m_list, &QAbstractItemView::activated, this, &OutcomesPanel::play);

    m_steps->setAccessibleName(tr("Steps of the story"));
    m_steps->setFrameShape(QFrame::NoFrame);
    m_steps->setTextElideMode(Qt::ElideRight);
    m_steps->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_steps, &QListWidget::currentRowChanged, this, [this](int row) {
        if (!m_isTelling && row >= 0)
            showStep(row);
    });
    m_text->setAccessibleName(tr("Where the story leads"));
    m_text->setOpenLinks(false);
    m_text->setTabChangesFocus(true);
    m_text->setFrameShape(QFrame::NoFrame);
    connect(m_text, &HtmlView::anchorClicked, this,
        [this](const QUrl &url) { emit pathSelected(url.path(QUrl::FullyDecoded)); });
    connect(m_play, &QPushButton::clicked, this, &OutcomesPanel::play);

    auto *split = new QSplitter;
    auto *trace = new QWidget;
    auto *head = filled(new QHBoxLayout, { { paneTitle(tr("Shortest order")), 1 }, m_play }, -1);
    filled(new QVBoxLayout(trace), { head, { m_steps, 1 } }, gap::small, { gap::normal, 0, 0, 0 });
    auto *ending = new QWidget;
    QLabel *ends = paneTitle(tr("How it ends"));
    ends->setMinimumHeight(m_play->sizeHint().height()); // the panes begin at one height
    filled(new QVBoxLayout(ending), { ends, { m_text, 1 } });
    split->addWidget(m_list);
    split->addWidget(trace);
    split->addWidget(ending);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(0, 5);
    split->setStretchFactor(1, 2);
    split->setStretchFactor(2, 2);
    split->setSizes({ 500, 220, 220 });
    m_about->setProperty("dim", true);
    filled(new QVBoxLayout(this), { buildBar(), m_about, { split, 1 } }, gap::small,
        { gap::normal, gap::small, gap::normal, gap::normal });
    setMinimumWidth(320);
}

QLayout *OutcomesPanel::buildBar()
{
    m_choice->setAccessibleName(tr("Operations"));
    m_choice->setToolTip(tr("Which operations come; those of one client keep their order"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_ends->setAccessibleName(tr("How their work ends"));
    m_ends->addItems({ tr("end as planned"), tr("end in any way") });
    m_ends->setToolTip(tr("Whether work ends as each operation plans it, or in every way that its "
                          "rules know. What waits to be ended by hand ends in every way."));
    m_timers->setChecked(true);
    m_endings->setObjectName(u"primary"_s);
    m_order->setObjectName(u"arm"_s);
    m_play->setToolTip(tr("On the chart and the timeline, on a branch of its own (Return)"));
    m_summary->setProperty("dim", true);
    m_summary->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    connect(m_choice, &QComboBox::activated, this, [this] {
        m_isChosen = true;
        refresh();
    });
    connect(m_endings, &QPushButton::clicked, this, [this] { ask(What::Endings); });
    connect(m_order, &QPushButton::clicked, this, [this] { ask(What::Order); });
    connect(m_stop, &QPushButton::clicked, this, &OutcomesPanel::furtherOrStop);
    return filled(
        new QHBoxLayout, { m_choice, m_ends, m_timers, m_endings, m_order, m_stop, m_summary });
}

void OutcomesPanel::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_delegate->setTheme(theme);
    m_list->viewport()->update();
    tellTrace();
}

// ---- What is asked

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
    m_choice->setCurrentIndex(m_isChosen ? int(chosen - m_choices.begin()) : likeliest());
    refresh();
}

int OutcomesPanel::likeliest() const
{
    const auto enough = std::ranges::find_if(
        m_choices, [](const Choice &each) { return each.steps.size() >= each.enough; });
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

QString OutcomesPanel::blocked() const
{
    if (!choice() || choice()->steps.isEmpty())
        return tr("Choose operations: arm some, or select some in the queue of operations. Then "
                  "see what can happen when they come in any order.");
    return m_simulator ? QString() : unknownWork();
}

/// A server works for others, too, and does not say at what: nobody can tell how that goes on.
QString OutcomesPanel::unknownWork() const
{
    const Rules &rules = m_controller.rules();
    const World &world = m_controller.world();
    if (!world.unknownWords.isEmpty())
        return tr("The server shows states that the rules do not know, so nobody can say what "
                  "happens there.");
    // Counted, not looked at one by one: this is asked whenever something is shown.
    qint64 others = 0;
    const QList<qint64> &counts = world.tree.counts();
    const auto works = [&](Code code) { return !rules.state(rules.stateOf(code)).isStable(); };
    for (qsizetype code = 0; code < counts.size(); ++code)
        others += counts[code] && works(Code(code)) ? counts[code] : 0;
    QSet<Resource> ours;
    for (const auto &running : world.running) {
        for (const Tree::Range &range : running->cover) {
            for (quint32 position = range.begin; others && position < range.end; ++position) {
                const Resource resource = world.tree.at(range.branch, position);
                if (works(world.tree.code(resource)))
                    ours += resource;
            }
        }
    }
    others -= ours.size();
    return others > 0
        ? tr("Something is at work at the server that nobody asked for here (resources: "
             "%1), and it does not say what. What can happen is known when it rests.")
              .arg(QLocale().toString(others))
        : QString();
}

/// Operations get names that nobody has yet.
QList<ScenarioStep> OutcomesPanel::named(QList<ScenarioStep> steps) const
{
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

/// What is asked after a trace was looked at is asked where it began. Nothing: now.
std::optional<qsizetype> OutcomesPanel::momentOf(const Choice &choice) const
{
    const auto begun = m_simulator ? m_rehearsal->beginning() : std::nullopt;
    return begun && !choice.moment ? std::optional(begun->moment) : choice.moment;
}

OutcomesQuestion OutcomesPanel::question(const Choice &choice) const
{
    const std::optional<qsizetype> moment = momentOf(choice);
    OutcomesQuestion question { .stage = { m_controller.rules(),
                                    m_simulator && moment ? m_simulator->worldAt(*moment)
                                                          : m_controller.world() },
        .steps = named(choice.steps),
        .worlds = m_worlds,
        .bytes = m_bytes };
    if (!m_timers->isChecked())
        question.timers = Timers::Stand;
    if (m_ends->currentIndex() == 1)
        question.openAll();
    return question;
}

void OutcomesPanel::ask(What what)
{
    if (!blocked().isEmpty())
        return refresh();
    m_further = 1;
    m_asked = question(*choice());
    m_asked->what = what;
    m_time = m_asked->stage.world.now;
    if (const auto begun = m_simulator ? m_rehearsal->beginning() : std::nullopt;
        begun && !choice()->moment)
        m_origin = *begun;
    else if (m_simulator)
        m_origin = m_rehearsal->origin(choice()->moment.value_or(m_simulator->moment()));
    look();
}

void OutcomesPanel::look()
{
    if (m_task)
        m_task->cancel();
    if (m_counts)
        m_counts->isStopped = true;
    m_counts = std::make_shared<OutcomesCounts>();
    m_task = Task::start(
        this, tr("Looking for what can happen"),
        [asked = *m_asked, counts = m_counts, fonts = ChartFonts::from(font())](Progress &) {
            Found found { outcomes(asked, *counts), {} };
            if (found.outcomes)
                sortByHarm(&*found.outcomes, asked.stage.rules);
            const int machine = found.outcomes ? machineOf(*found.outcomes) : int(Rules::None);
            if (machine != Rules::None)
                found.chart = chartLayout(asked.stage.rules, machine, fonts);
            return found;
        },
        [this](const Found &found) { take(found); });
    connect(m_task, &Task::progressed, this, &OutcomesPanel::refresh);
    m_hasFound = false;
    m_problem.clear();
    m_model->show({});
    tellTrace();
    refresh();
}

void OutcomesPanel::stop()
{
    if (m_task)
        m_counts->isStopped = true;
    refresh();
}

void OutcomesPanel::furtherOrStop()
{
    if (m_task)
        return stop();
    m_further *= furtherBy;
    m_asked->worlds = m_worlds * m_further;
    m_asked->bytes = m_bytes * m_further;
    look();
}

void OutcomesPanel::take(const Found &found)
{
    m_task.clear();
    ++m_questions;
    m_hasFound = bool(found.outcomes);
    m_problem = m_hasFound ? QString() : found.outcomes.error();
    m_delegate->setChart(found.chart);
    m_model->show(m_hasFound ? *found.outcomes : Outcomes());
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (const QModelIndex index = m_model->index(row); index.flags() & Qt::ItemIsEnabled) {
            m_list->setCurrentIndex(index);
            m_list->scrollToTop();
            break;
        }
    }
    tellTrace();
    refresh();
}

// ---- What is shown

QString OutcomesPanel::summary() const
{
    if (m_task) {
        const QString worlds = QLocale().toString(m_counts->worlds.load());
        if (m_counts->isStopped)
            return tr("Stopping …");
        return m_asked->what == What::Order
            ? tr("%1 situations so far").arg(worlds)
            : tr("%1 situations, %2 endings so far")
                  .arg(worlds, QLocale().toString(m_counts->endings.load()));
    }
    if (const QString why = blocked(); !m_simulator && !why.isEmpty())
        return why;
    if (!m_hasFound)
        return {};
    //: a time; what was found out
    const QString from = tr("From %1.").arg(timeText(m_time));
    const bool isLost = m_simulator && !m_rehearsal->isThere(m_origin);
    return searchedText(m_model->outcomes()) + u' ' + from
        + (isLost ? u' ' + tr("That moment is gone: ask again.") : QString());
}

QString OutcomesPanel::about() const
{
    const auto listed = [](const QStringList &names) { return names.join(u", "_s); };
    QStringList asked, others;
    if (!m_task && !m_hasFound) {
        for (const ScenarioStep &step : choice() ? choice()->steps : QList<ScenarioStep>())
            asked += askedText(step.request);
        //: a number of operations, and their names
        return asked.isEmpty()
            ? QString()
            : tr("To be asked about (%1): %2").arg(asked.size()).arg(listed(asked));
    }
    for (const ScenarioStep &step : m_asked->steps)
        asked += askedText(step.request);
    for (const auto &running : m_asked->stage.world.running) {
        if (!running->requirer && m_model->outcomes().asked.contains(running->id))
            others += askedText(*running->request);
    }
    const QString text = tr("Asked about (%1): %2").arg(asked.size()).arg(listed(asked));
    return others.isEmpty() ? text
                            //: which operations are asked about; which ones run already
                            : tr("%1 · goes on beside them: %2").arg(text, listed(others));
}

QString OutcomesPanel::budgetText(qint64 times) const
{
    return tr("Up to %1 situations are looked at, in at most %2 MB.")
        .arg(QLocale().toString(m_worlds * times), QLocale().toString((m_bytes * times) >> 20));
}

QString OutcomesPanel::emptyText() const
{
    if (m_task)
        return tr("Looking …");
    if (!m_problem.isEmpty())
        return m_problem;
    if (m_hasFound)
        return tr("Nothing was found so far.");
    if (const QString why = blocked(); !why.isEmpty())
        return why;
    QStringList asked;
    for (const ScenarioStep &step : choice()->steps)
        asked += askedText(step.request);
    constexpr qsizetype most = 6;
    if (asked.size() > most)
        asked = asked.first(most) + QStringList(u"…"_s);
    if (asked.size() == 1)
        return tr("What can come of %1, with whatever else goes on.\nAdd another operation to the "
                  "burst (+ Burst, in Explore) to ask about both.")
            .arg(asked.first());
    return tr("When these come in any order: %1.\nAsk what can happen, or whether their order "
              "matters.")
        .arg(asked.join(u", "_s));
}

void OutcomesPanel::refresh()
{
    const bool canAsk = blocked().isEmpty();
    m_endings->setEnabled(canAsk);
    m_order->setEnabled(canAsk && choice()->steps.size() > 1);
    const bool canLookFurther =
        m_hasFound && !m_model->outcomes().complete && !m_model->outcomes().isStopped;
    m_stop->setVisible(m_task || canLookFurther);
    m_stop->setText(m_task ? tr("Stop") : tr("Look further"));
    m_stop->setToolTip(
        m_task ? tr("What was found so far is shown") : budgetText(furtherBy * m_further));
    m_endings->setToolTip(
        tr("Every way in which these operations can come and end.") + u' ' + budgetText(1));
    m_order->setToolTip(choice() && choice()->steps.size() == 1
            ? tr("There is only one operation: add another one to the burst (+ Burst, in Explore), "
                 "or select several in the queue.")
            : tr("Which of them may not change places, and what is different then.") + u' '
                + budgetText(1));
    const bool hasClock = needClock(m_controller.rules());
    m_timers->setEnabled(hasClock);
    m_timers->setToolTip(hasClock
            ? tr("Whether the clock takes part: timers fire, work runs out of time, and what waits "
                 "for a time goes on. Without it, what only waits for time is told as it stands.")
            : tr("Nothing in these rules waits for a time."));
    m_about->setText(about());
    m_about->setToolTip(about());
    m_summary->setText(summary());
    m_summary->setToolTip(summary());
    const std::optional<Rehearsal::Trace> told = trace();
    m_play->setEnabled(told && (!m_simulator || m_rehearsal->isThere(told->origin)));
    m_steps->setEnabled(m_play->isEnabled() && m_simulator);
    if (m_model->rowCount() == 0)
        m_model->resetRows(); // the sentence there may be another one
    tellStep();
}

std::optional<Rehearsal::Trace> OutcomesPanel::trace() const
{
    const QModelIndex current = m_list->currentIndex();
    const int number = current.isValid() ? current.data(OutcomesModel::TraceOf).toInt() : -1;
    if (number < 0)
        return {};
    const Outcomes::Trace &told = m_model->outcomes().traces[number];
    return Rehearsal::Trace { m_questions * (4 * mostTraces) + quint64(number),
        current.data().toString(), m_origin, told.schedule };
}

/// The trace that is selected: its steps, and where it leads.
void OutcomesPanel::tellTrace()
{
    m_isTelling = true;
    m_steps->clear();
    const QModelIndex current = m_list->currentIndex();
    const int number = current.isValid() ? current.data(OutcomesModel::TraceOf).toInt() : -1;
    if (number < 0) {
        m_text->clear();
    } else {
        const Outcomes::Trace &told = m_model->outcomes().traces[number];
        m_steps->addItem(tr("At %1").arg(timeText(m_time)));
        for (qsizetype step = 0; step < told.schedule.size(); ++step)
            m_steps->addItem(stepText(m_model->outcomes(), told, step));
        for (int row = 0; row < m_steps->count(); ++row)
            m_steps->item(row)->setToolTip(m_steps->item(row)->text());
        m_text->setHtml(traceHtml(told));
    }
    m_isTelling = false;
    refresh();
}

QString OutcomesPanel::traceHtml(const Outcomes::Trace &trace) const
{
    const Rules &rules = m_controller.rules();
    const Outcomes &outcomes = m_model->outcomes();
    QString html;
    for (const auto &[id, status] : trace.operations.asKeyValueRange()) {
        const auto request = outcomes.asked.value(id);
        const QString last = trace.lastly.value(id, status);
        html += u"<p style='margin:0'>%1 <b>%2</b>%3</p>"_s.arg(
            (request ? askedText(*request) : id).toHtmlEscaped(), status.toHtmlEscaped(),
            last == status ? QString() : tr(", in the end <b>%1</b>").arg(last.toHtmlEscaped()));
    }
    if (const QString waits = waitsText(trace); !waits.isEmpty())
        html += u"<p style='margin:2px 0 0 0'><i>%1</i></p>"_s.arg(
            tr("No timer fired: %1").arg(waits).toHtmlEscaped());
    const auto chip = [&](int machine, const QString &word) {
        const StatusCategory statusCategory =
            word.isEmpty() ? StatusCategory::Absent : statusCategoryOfWord(rules, machine, word);
        return u"<span style='background:%1;color:%2'>&nbsp;%3&nbsp;</span>"_s.arg(
            m_theme.statusCategoryFill(statusCategory).name(),
            m_theme.statusCategoryText(statusCategory).name(),
            (word.isEmpty() ? tr("absent") : word).toHtmlEscaped());
    };
    QStringList lines;
    qsizetype more = 0;
    for (qsizetype i = 0; i < outcomes.rows.size(); ++i) {
        const Outcomes::Row &row = outcomes.rows[i];
        if (trace.words[i] == row.before && trace.end()[i] == row.before)
            continue;
        if (lines.size() >= mostListed) {
            ++more;
            continue;
        }
        QStringList words { row.before, trace.words[i], trace.end()[i] };
        words.erase(std::unique(words.begin(), words.end()), words.end());
        QStringList chips;
        for (const QString &word : std::as_const(words))
            chips += chip(row.machine, word);
        lines +=
            u"<p style='margin:2px 0 0 0'><a href='%1' style='color:%2'>%3</a><br>%4</p>"_s.arg(
                QString::fromLatin1(QUrl::toPercentEncoding(row.path, "/")), m_theme.accent.name(),
                spokenPath(row.path).toHtmlEscaped(), chips.join(u" → "_s));
    }
    if (more)
        lines += u"<p>%1</p>"_s.arg(tr("%Ln more", nullptr, int(more)));
    if (lines.isEmpty())
        lines += u"<p>%1</p>"_s.arg(tr("Everything is as it was."));
    return html + u"<div style='margin-top:6px'></div>"_s + lines.join(QString());
}

// ---- Playing it

bool OutcomesPanel::showStep(qsizetype step)
{
    const std::optional<Rehearsal::Trace> told = trace();
    const auto pause = qint64(stepSeconds * 1000 * (m_simulator ? m_simulator->speed() : 1));
    const bool isShown = told && m_simulator && m_rehearsal->show(*told, step, pause);
    tellStep();
    return isShown;
}

void OutcomesPanel::play()
{
    const std::optional<Rehearsal::Trace> told = trace();
    if (!told)
        return;
    if (!m_simulator) {
        emit playAsked(m_asked->stage, *told);
        return;
    }
    if (!showStep(0))
        return;
    m_simulator->play();
    m_pace.start(int(stepSeconds * 500), this);
    emit played();
}

/// Nobody waits for minutes until a timer is due: what is next comes soon, and after the last step
/// nothing goes on by itself.
void OutcomesPanel::keepPace()
{
    const std::optional<Rehearsal::Trace> told = trace();
    const auto steps = told ? m_rehearsal->steps(*told) : std::optional<qsizetype>();
    if (!steps || !m_simulator->isPlaying())
        return m_pace.stop();
    if (*steps == told->events.size()) {
        m_simulator->pause();
        return m_pace.stop();
    }
    if (m_simulator->later().isEmpty())
        return;
    const auto soon = qint64(stepSeconds * 1000 * m_simulator->speed());
    const qint64 next = m_simulator->later().first().event.time;
    if (next - m_simulator->world().now > 2 * soon)
        m_simulator->advanceTo(next - soon);
}

void OutcomesPanel::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_pace.timerId())
        keepPace();
    else
        QWidget::timerEvent(event);
}

/// The step that the moment shown is after.
void OutcomesPanel::tellStep()
{
    const std::optional<Rehearsal::Trace> told = trace();
    const auto steps = told && m_rehearsal ? m_rehearsal->steps(*told) : std::optional<qsizetype>();
    m_isTelling = true;
    m_steps->setCurrentRow(steps ? int(*steps) : -1);
    m_isTelling = false;
}

} // namespace instar
