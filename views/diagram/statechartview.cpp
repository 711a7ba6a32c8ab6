// SPDX-License-Identifier: Apache-2.0
#include "views/diagram/statechartview.h"

#include "model/engine/question.h"
#include "model/explore/coverage.h"
#include "model/items/sentences.h"
#include "model/task.h"
#include "views/drawing/chip.h"
#include "views/drawing/text.h"
#include "views/icons.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <cmath>
#include <ranges>

namespace instar {

namespace {

constexpr qsizetype LaidOutAtOnce = 250; ///< states and transitions; with more, in the background
constexpr int travelTime = 350;          ///< ms that the token takes from state to state

/// Text in a box: the number of resources in its state, or that a statechart's state is active.
QString occupancyText(const ChartBox &box, qint64 count)
{
    if (box.isFrame() || box.kind == State::Kind::Initial)
        return {};
    if (box.vertex)
        return count > 0 ? StatechartView::tr("active") : QString();
    if (!box.isShownAsOther)
        return countText(count);
    return count > 0 ? StatechartView::tr("%1 here").arg(QLocale().toString(count)) : QString();
}

constexpr double leastScale = 0.15, mostScale = 5, mostFitScale = 1.25;
constexpr double pictureMargin = 26;               ///< around the chart in a file, in points
constexpr QMarginsF windowMargins(12, 12, 12, 12); ///< around the chart in the window, in points
constexpr double legiblePixels = 9;                ///< height of a font

/// Centre nearest to `wanted` at which an interval of `length` lies within the bounds; the centre
/// of the bounds if the interval is too long.
double clampedCentre(double wanted, double length, double low, double high)
{
    if (high - low <= length)
        return (low + high) / 2;
    return std::clamp(wanted, low + length / 2, high - length / 2);
}

/// Returns true if two packs differ only in texts that no chart shows.
bool areDrawnAlike(Pack before, Pack after)
{
    const auto clearTexts = [](Row &row) {
        row.about.clear();
        row.sources.clear();
    };
    for (Pack *pack : { &before, &after }) {
        for (Machine &machine : pack->machines) {
            clearTexts(machine);
            std::ranges::for_each(machine.states, clearTexts);
            std::ranges::for_each(machine.transitions, clearTexts);
        }
    }
    return before == after;
}

bool refusesInStates(const Pack &pack)
{
    return std::ranges::any_of(pack.machines, [](const Machine &machine) {
        return std::ranges::any_of(machine.transitions, [](const Transition &row) {
            return !row.refuse.isEmpty() && row.from != QStringList { u"*"_s };
        });
    });
}

/// Returns the chart as drafted: without the states that were added to make it run, and with
/// composites as frames, even empty ones.
ChartLayout asDrafted(ChartLayout layout, const Machine &draft)
{
    QList<int> place; // new index of each box; -1: removed
    const QList<ChartBox> before = std::exchange(layout.boxes, {});
    for (ChartBox box : before) {
        const State *row = draft.state(box.id);
        const bool goes = !row || (box.parent >= 0 && place[box.parent] < 0);
        place += goes ? -1 : int(layout.boxes.size());
        if (goes)
            continue;
        box.parent = box.parent < 0 ? -1 : place[box.parent];
        if (row->kind == State::Kind::Composite && !box.isFrame()) {
            box.kind = State::Kind::Composite;
            box.outline.radius = 16;
        }
        layout.boxes += box;
    }
    if (layout.boxes.size() == before.size())
        return layout;
    const auto stays = [&](Rules::StateId state) {
        // Negative: an end that is no state, as Link::Any.
        return state < 0 || layout.boxOf(state) >= 0;
    };
    layout.arrows.removeIf(
        [&](const ChartArrow &arrow) { return !stays(arrow.link.from) || !stays(arrow.link.to); });
    layout.remark.clear();
    QRectF bounds;
    for (const ChartBox &box : std::as_const(layout.boxes))
        bounds |= box.area;
    for (const ChartArrow &arrow : std::as_const(layout.arrows))
        bounds |= pathOf(arrow.curve).boundingRect() | arrow.label | arrow.dot;
    for (const NoteBox &paper : std::as_const(layout.notes))
        bounds |= paper.rect;
    layout.bounds = bounds.toAlignedRect();
    return layout;
}

} // namespace

StatechartView::StatechartView(Controller &controller, Selection &selection, QWidget *parent)
    : Canvas(QAccessible::Chart, parent),
      m_controller(controller),
      m_selection(selection),
      m_fonts(ChartFonts::from(font()))
{
    connect(&controller.updates(), &Updates::happened, this, &StatechartView::follow);
    connect(&controller.updates(), &Updates::rewound, this, [this] {
        const bool isSame = m_controller.rules().pack() == m_pack
            && m_controller.rules().switches() == m_switches && !hasOtherBoxes();
        if (!isSame)
            return reload();
        moveToken(Arrival::Travels);
        refresh();
    });
    connect(&selection, &Selection::resourceChosen, this, &StatechartView::followSelection);
    connect(&selection, &Selection::rowsChosen, this, &StatechartView::sync);
    setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTransformationAnchor(NoAnchor);
    setMinimumSize(220, 160);
    setAccessibleName(tr("Statechart"));

    m_travel.setParent(this);
    m_travel.setDuration(travelTime);
    m_travel.setStartValue(0.0);
    m_travel.setEndValue(1.0);
    m_travel.setEasingCurve(QEasingCurve::InOutSine);
    connect(&m_travel, &QVariantAnimation::valueChanged, this,
        [this](const QVariant &value) { placeToken(m_journey.pointAtPercent(value.toDouble())); });
    m_soon.setSingleShot(true);
    m_soon.callOnTimeout(this, &StatechartView::refresh);
    m_ticker.callOnTimeout(this, [this] {
        m_dash = std::fmod(m_dash + 0.9, 4000);
        sync();
    });
    reload();
    whenThemed(this, [this] { m_scene.setBackgroundBrush(theme().window); });
}

StatechartView::~StatechartView()
{
    setScene(nullptr); // now: removing the scene scrolls, which needs the members
}

void StatechartView::followSelection()
{
    const QString &path = m_selection.resource();
    const int machine = subjectAt(m_controller.rules(), m_controller.world(), path).machine;
    if (!m_draft)
        m_machineAsked.clear(); // setMachine() may have chosen another one
    else if (machine != Rules::None)
        m_machineAsked = m_controller.rules().pack().machines[machine].id;
    const bool isOther = path != m_shownPath;
    m_shownPath = path;
    if (shownMachine() != m_layout.machine || hasOtherBoxes())
        return reload();
    if (!isOther)
        return;
    if (!m_draft)
        m_selection.set(SelectedRows());
    moveToken(Arrival::Jumps);
    revealState();
    refresh();
}

void StatechartView::setMachine(const QString &id)
{
    if (id == m_machineAsked)
        return;
    m_machineAsked = id;
    reload();
}

QString StatechartView::machine() const
{
    return m_layout.machine == Rules::None
        ? QString()
        : m_controller.rules().pack().machines[m_layout.machine].id;
}

void StatechartView::setOverlay(const Overlay &paint)
{
    m_overlayPaint = paint;
    viewport()->update();
}

QString StatechartView::stateId(Rules::StateId state) const
{
    if (const int box = m_layout.boxOf(state); box >= 0)
        return m_layout.boxes[box].id;
    return state < 0 ? QString() : m_controller.rules().state(state).id;
}

void StatechartView::reveal(const QRectF &rect)
{
    if (!seen().contains(rect))
        lookAt(rect.center());
}

void StatechartView::drawForeground(QPainter *painter, const QRectF &exposed)
{
    paintChart(*painter, m_layout, theme(), m_fonts, m_looks, exposed);
    paintExpected(*painter);
    if (m_overlayPaint)
        m_overlayPaint(*painter);
}

void StatechartView::setConformance(const LiveConformance *conformance)
{
    m_conformance = conformance;
    if (conformance)
        connect(conformance, &LiveConformance::changed, viewport(), qOverload<>(&QWidget::update));
    viewport()->update();
}

QList<Rules::StateId> StatechartView::expected() const
{
    QList<Rules::StateId> states;
    const auto allowed = m_conformance && !m_selection.resource().isEmpty()
        ? m_conformance->monitor().allowed(m_selection.resource())
        : std::nullopt;
    if (!allowed)
        return states;
    const Rules &rules = m_controller.rules();
    for (const ChartBox &box : m_layout.boxes) {
        // Skips states that clients see as another word.
        const Rules::StateRule &state = rules.state(box.state);
        const bool isState = state.isStable() || state.isTransitional();
        if (isState && state.shown == state.word && allowed->words.contains(rules.word(state.word)))
            states += box.state;
    }
    return states;
}

/// Draws a dashed ring around each expected state and, after a violation, a sign at the observed
/// state.
void StatechartView::paintExpected(QPainter &painter) const
{
    if (!m_conformance)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    setInk(painter, QPen(theme().accent, 1.6, Qt::DashLine));
    for (const Rules::StateId state : expected()) {
        const ChartBox &box = m_layout.boxes[m_layout.boxOf(state)];
        const double radius = box.outline.radius + 4;
        painter.drawRoundedRect(box.outline.rect.adjusted(-4, -4, 4, 4), radius, radius);
    }
    const int box = m_layout.boxOf(m_state);
    if (box >= 0 && m_conformance->judgedViolationAt(m_selection.resource())) {
        const QPointF corner = m_layout.boxes[box].outline.rect.topRight();
        paintViolation(painter, { corner.x() - 9, corner.y() - 9, 18, 18 }, theme());
    }
    painter.restore();
}

void StatechartView::setProbe(const Request &probe)
{
    if (probe == m_probe)
        return;
    m_probe = probe;
    m_soon.start(0);
}

void StatechartView::setMotion(Motion motion)
{
    m_motion = motion;
    updateTicker();
}

void StatechartView::setEdited(const Pack *draft)
{
    const bool isOther = !m_draft != !draft && refusesInStates(m_pack);
    if (isOther)
        m_pack = {}; // forgets the layouts: refusals are drawn while editing only
    m_draft = draft;
    if (isOther || hasOtherBoxes())
        reload();
    else
        sync();
}

void StatechartView::setExercised(const Coverage *coverage)
{
    m_exercised.reset();
    if (coverage) {
        m_exercised.emplace();
        for (const int row : coverage->exercised().rows) {
            const Rules::Transition &transition = coverage->rules().transition(row);
            m_exercised->insert({ transition.machine, transition.index });
        }
    }
    sync();
}

/// Moves the token (mark of the current state) once for all events of an update.
void StatechartView::follow(const Update &update)
{
    const Rules &rules = m_controller.rules();
    Rules::TriggerId trigger = Rules::None;
    bool again = false;
    for (const Record &record : update.records) {
        for (const Change &change : record.changes) {
            if (change.path != m_selection.resource())
                continue;
            if (change.kind == Change::Kind::Started) {
                trigger = change.request ? rules.trigger(change.request->op) : Rules::None;
            } else if (change.kind == Change::Kind::Worked) {
                trigger = change.outcome;
                again = again || (change.from == change.to && change.from != Rules::None);
            }
        }
    }
    moveToken(Arrival::Travels, trigger, again);
    m_soon.start(0);
}

void StatechartView::reload()
{
    m_travel.stop();
    m_hovered = m_focused = {};
    m_looks = { .fonts = m_looks.fonts };
    viewport()->update();
    const QString before = m_machineShown;
    const auto foldedBefore = m_layout.folded;
    if (m_layout.machine != Rules::None)
        m_drawn = m_layout;
    m_layout = {};
    m_state = Rules::None;
    const Rules &rules = m_controller.rules();
    if (m_switches != rules.switches() || !areDrawnAlike(m_pack, rules.pack())) {
        m_layouts.clear();
        m_folded.clear();
        if (m_layingOut)
            m_layingOut->cancel();
    }
    m_pack = rules.pack();
    m_switches = rules.switches();
    const int shown = shownMachine();
    if (shown != Rules::None && !m_layouts.contains(shown))
        layOut(shown);
    m_layout = readableLayout(shown);
    m_looks.boxes.resize(m_layout.boxes.size());
    m_looks.arrows.resize(m_layout.arrows.size());
    m_elements = chartElements(m_layout);
    m_counts.fill(0, m_layout.boxes.size());
    m_scene.setBackgroundBrush(theme().window);
    m_scene.setSceneRect(m_layout.bounds.adjusted(-2000, -2000, 2000, 2000));
    const bool waits = waitsForLayout();
    if (!waits)
        m_machineShown = machine();
    const bool isSame =
        !before.isEmpty() && m_machineShown == before && m_layout.folded == foldedBefore;
    if (!isSame && !waits)
        m_isViewChosen = false;
    moveToken(Arrival::Jumps);
    const bool isResized =
        !m_isViewChosen && m_arrangedSize != viewport()->size(); // while it waited for the layout
    if (!waits && (!isSame || isResized))
        arrange(); // else only the contents changed, and the chart stays in place
    refresh();
    notifyPartsChanged();
    if (!waits)
        emit laidOut();
}

ChartLayout StatechartView::readableLayout(int machine)
{
    const ChartLayout usual = m_layouts.value(machine);
    if (usual.machine == Rules::None)
        return usual;
    const Rules &rules = m_controller.rules();
    if (m_draft) {
        const Machine *draft = m_draft->machine(rules.pack().machines[machine].id);
        return draft ? asDrafted(usual, *draft) : usual;
    }
    if (std::ranges::none_of(usual.boxes, &ChartBox::isFrame)
        || wholeScale(usual.bounds) >= legibleScale() / m_larger)
        return usual;
    const auto folded = foldedStates(rules, machine);
    if (folded.isEmpty())
        return usual;
    for (const bool labelsOnHover : { false, true }) {
        ChartLayout &known = m_folded[{ machine, labelsOnHover }];
        if (known.machine == Rules::None)
            known = chartLayout(rules, machine, m_fonts, drawingBudget(), folded, labelsOnHover);
        if (labelsOnHover || wholeScale(known.bounds) >= legibleScale() / m_larger)
            return known;
    }
    return usual;
}

/// Lays out a small chart at once, a large one in the background.
void StatechartView::layOut(int machine)
{
    const Rules &rules = m_controller.rules();
    const Machine &row = rules.pack().machines[machine];
    const Refusals refusals = m_draft ? Refusals::Drawn : Refusals::Hidden;
    const ChartLayout before = m_draft && m_machineShown == row.id ? m_drawn : ChartLayout();
    if (row.states.size() + row.transitions.size() <= LaidOutAtOnce) {
        m_layouts.insert(machine,
            chartLayout(rules, machine, m_fonts, drawingBudget(), {}, false, refusals, before));
        return;
    }
    if (m_layingOut && m_machineBeingLaidOut == machine)
        return;
    if (m_layingOut)
        m_layingOut->cancel();
    m_machineBeingLaidOut = machine;
    m_layingOut = Task::start(
        this, tr("Laying out the chart"),
        [rules, machine, fonts = m_fonts, refusals, before](Progress &progress) {
            Budget budget = drawingBudget();
            budget.isCanceled = &progress.flag();
            return chartLayout(rules, machine, fonts, budget, {}, false, refusals, before);
        },
        [this, machine](const ChartLayout &layout) {
            m_layouts.insert(machine, layout);
            if (machine == shownMachine()) // else another chart is shown by now
                reload();
        });
    connect(m_layingOut, &Task::ended, this, [this, ended = m_layingOut.data()] {
        if (m_layingOut == ended)
            m_layingOut = nullptr;
    });
    emit working(m_layingOut);
}

void StatechartView::refresh()
{
    m_soon.stop();
    m_meanings.clear();
    m_counts.fill(0);
    if (m_layout.machine != Rules::None) {
        const Rules &rules = m_controller.rules();
        const QList<qint64> &counts = m_controller.world().tree.counts();
        for (int code = 0; code < rules.codeCount() && code < counts.size(); ++code) {
            for (int box = m_layout.boxOf(rules.stateOf(Code(code))); box >= 0;
                 box = m_layout.boxes[box].parent)
                m_counts[box] += counts[code];
        }
        if (m_state != Rules::None)
            m_meanings = arrowMeanings(m_controller, m_layout, m_selection.resource(), m_probe);
    }
    sync();
    updateTicker();
    if (m_hovered)
        setHovered(m_hovered);
}

int StatechartView::shownMachine() const
{
    const Rules &rules = m_controller.rules();
    if (!m_machineAsked.isEmpty()) {
        if (const Machine *asked = rules.pack().machine(m_machineAsked))
            return int(asked - rules.pack().machines.constData());
    }
    return m_selection.resource().isEmpty()
        ? Rules::None
        : subjectAt(rules, m_controller.world(), m_selection.resource()).machine;
}

bool StatechartView::hasOtherBoxes()
{
    return readableLayout(shownMachine()).boxes != m_layout.boxes;
}

void StatechartView::moveToken(Arrival arrival, Rules::TriggerId trigger, bool again)
{
    const Rules::StateId before = std::exchange(m_state, Rules::None);
    if (m_layout.machine != Rules::None) {
        const Rules &rules = m_controller.rules();
        const Subject subject = subjectAt(rules, m_controller.world(), m_selection.resource());
        if (subject.machine == m_layout.machine)
            m_state = rules.stateOf(codeOf(rules, m_controller.world(), subject));
    }
    const int box = m_layout.boxOf(m_state);
    if (box < 0)
        return placeToken({});
    const int left = m_layout.boxOf(before);
    const bool moves = left >= 0 && (before != m_state || again);
    if (!moves || arrival == Arrival::Jumps || m_motion == Motion::Reduced || !isVisible()) {
        // A travelling token goes on if its destination has not changed.
        if (!moves && m_travel.state() == QAbstractAnimation::Running)
            return;
        m_travel.stop();
        placeToken(tokenAt(box));
    } else {
        m_travel.stop();
        m_journey = QPainterPath(tokenAt(left));
        const int arrow = m_layout.arrowFor(m_controller.rules(), before, m_state, trigger);
        if (arrow >= 0)
            m_journey.connectPath(pathOf(m_layout.arrows[arrow].curve));
        m_journey.lineTo(tokenAt(box));
        m_travel.start();
    }
    if (moves && before != m_state) {
        sync();
        revealState();
    }
}

QPointF StatechartView::tokenAt(int box) const
{
    return tokenCentre(m_layout.boxes[box], m_looks.fonts.value_or(m_fonts));
}

void StatechartView::placeToken(const std::optional<QPointF> &place)
{
    for (const auto &each : { std::exchange(m_looks.token, place), place })
        updatePart(each ? tokenRect(*each) : QRectF());
}

void StatechartView::setHighlighted(const QStringList &paths)
{
    m_highlighted = paths;
    sync();
}

void StatechartView::contextMenuEvent(QContextMenuEvent *event)
{
    if (m_draft || m_selection.resource().isEmpty())
        return Canvas::contextMenuEvent(event);
    QMenu menu(this);
    menu.addAction(icon(u"help"_s),
        tr("Why is %1 in this state?").arg(m_selection.resource().section(u'/', -1)), this,
        [this] { emit whyAsked(m_selection.resource()); });
    menu.exec(event->globalPos());
}

void StatechartView::updatePart(const QRectF &rect)
{
    if (!rect.isNull())
        viewport()->update(mapFromScene(rect).boundingRect().adjusted(-2, -2, 2, 2));
}

/// Gives all boxes and arrows their present looks.
void StatechartView::sync()
{
    QSet<int> highlighted;
    for (const QString &path : std::as_const(m_highlighted)) {
        const Resource resource = m_controller.world().tree.find(path);
        if (resource != NoResource)
            highlighted += m_layout.boxOf(
                m_controller.rules().stateOf(m_controller.world().tree.code(resource)));
    }
    QRectF changed;
    const auto set = [&](auto &look, const auto &now, const auto &part) {
        if (look != now)
            changed |= paintedRect(part);
        look = now;
    };
    for (int i = 0; i < m_looks.boxes.size(); ++i)
        set(m_looks.boxes[i], boxLook(i, highlighted.contains(i)), m_layout.boxes[i]);
    QList<QRectF> labels;
    for (int i = 0; i < m_looks.arrows.size(); ++i) {
        ArrowLook look = arrowLook(i);
        if (m_areLabelsOnHover && !look.hidesLabel) {
            const QRectF label = labelRect(m_layout.arrows[i], m_looks.fonts.value_or(m_fonts));
            look.hidesLabel = look.hovered < 0 && look.focused < 0 && !look.isSelected
                && isLabelCrowded(label, labels);
            if (!look.hidesLabel)
                labels += label;
        }
        set(m_looks.arrows[i], look, m_layout.arrows[i]);
    }
    updatePart(changed);
}

/// True if a label would lie over a box, the name of a frame, or another label.
bool StatechartView::isLabelCrowded(const QRectF &label, const QList<QRectF> &labels) const
{
    const auto overlaps = [&](const QRectF &rect) { return rect.intersects(label); };
    return std::ranges::any_of(labels, overlaps)
        || std::ranges::any_of(m_layout.boxes, [&](const ChartBox &box) {
               return overlaps(box.isFrame() ? box.title() : box.outline.rect);
           });
}

BoxLook StatechartView::boxLook(int box, bool isHighlighted) const
{
    const ChartElement element { ChartElement::Kind::State, box, 0 };
    return { .detail = occupancyText(m_layout.boxes[box], m_counts[box]),
        .isOccupied = m_counts[box] > 0,
        .isSelected = isSelected(element),
        .isHovered = m_hovered == element,
        .isFocused = m_focused == element && hasFocus(),
        .isCurrent = box == m_layout.boxOf(m_state),
        .isHighlighted = isHighlighted,
        .dash = isWorking(box) ? m_dash : 0 };
}

ArrowLook StatechartView::arrowLook(int arrow) const
{
    const auto lineOf = [arrow](const std::optional<ChartElement> &element) {
        return element && element->kind == ChartElement::Kind::Line && element->index == arrow
            ? element->line
            : -1;
    };
    const ChartArrow &drawn = m_layout.arrows[arrow];
    ArrowLook look { .hovered = lineOf(m_hovered),
        .focused = hasFocus() ? lineOf(m_focused) : -1,
        .isFaded = m_state != Rules::None && !leadsFrom(m_controller.rules(), drawn.link, m_state),
        .isHeld = m_draft != nullptr };
    for (const ArrowMeaning &meaning : m_meanings.value(arrow))
        look.lit += meaning.isOpen();
    for (int line = 0; line < drawn.link.lines.size(); ++line)
        look.isSelected |= isSelected({ ChartElement::Kind::Line, arrow, line });
    const bool isQuiet = !look.isLifted() && !look.isSelected && look.focused < 0;
    look.isFaint = isQuiet && m_exercised
        && std::ranges::none_of(drawn.link.lines, [this](const LinkLine &line) {
               return std::ranges::any_of(line.rows, [this](int row) {
                   return m_exercised->contains({ m_layout.machine, row });
               });
           });
    look.hidesLabel = isQuiet && m_areLabelsOnHover;
    return look;
}

/// True if the dashed edge of a box moves: resources are in this transitional state.
bool StatechartView::isWorking(int box) const
{
    return m_layout.boxes[box].kind == State::Kind::Transitional && m_counts[box] > 0;
}

void StatechartView::updateTicker()
{
    const auto boxes = std::views::iota(0, int(m_counts.size()));
    const bool wanted = isVisible() && m_motion == Motion::Full
        && std::ranges::any_of(boxes, [this](int box) { return isWorking(box); });
    if (wanted && !m_ticker.isActive())
        m_ticker.start(40);
    else if (!wanted)
        m_ticker.stop();
}

void StatechartView::fit()
{
    m_isViewChosen = false;
    arrange();
}

double StatechartView::legibleScale() const
{
    return m_larger * legiblePixels / m_fonts.label.pixelSize();
}

void StatechartView::setLarger(double factor)
{
    m_larger = factor;
    m_isViewChosen = false;
    arrange();
}

double StatechartView::wholeScale(const QRectF &bounds) const
{
    const QRectF chart = bounds + windowMargins;
    return std::max(std::min({ viewport()->width() / chart.width(),
                        viewport()->height() / chart.height(), m_larger * mostFitScale }),
        0.02);
}

void StatechartView::setScale(double scale)
{
    setTransform(QTransform::fromScale(scale, scale));
    m_areLabelsOnHover =
        m_layout.labelsOnHover || (!m_isViewChosen && scale < legibleScale() / m_larger);
    m_looks.fonts = m_fonts;
    if (m_areLabelsOnHover) {
        const int least = int(std::ceil(legiblePixels / scale));
        for (QFont *font : { &m_looks.fonts->state, &m_looks.fonts->detail, &m_looks.fonts->label,
                 &m_looks.fonts->quiet })
            font->setPixelSize(std::max(font->pixelSize(), least));
    }
    const int box = m_layout.boxOf(m_state);
    if (box >= 0 && m_travel.state() != QAbstractAnimation::Running)
        placeToken(tokenAt(box));
    sync();
}

void StatechartView::arrange()
{
    m_arrangedSize = waitsForLayout() ? QSize() : viewport()->size();
    if (m_arrangedSize.isEmpty())
        return; // reload() does it, once there is a chart
    if (m_isViewChosen)
        return revealState();
    setScale(wholeScale(m_layout.bounds));
    lookAt(m_layout.bounds.center());
}

void StatechartView::revealState()
{
    if (const int box = m_layout.boxOf(m_state); box >= 0)
        reveal(m_layout.boxes[box].outline.rect + windowMargins);
}

void StatechartView::lookAt(const QPointF &point)
{
    const QRectF chart = m_layout.bounds + windowMargins;
    const QSizeF size = seen().size();
    centerOn(clampedCentre(point.x(), size.width(), chart.left(), chart.right()),
        clampedCentre(point.y(), size.height(), chart.top(), chart.bottom()));
}

StatechartView::ViewPosition StatechartView::viewPosition() const
{
    return { transform().m11(), mapToScene(viewport()->rect().center()), m_isViewChosen };
}

void StatechartView::restoreViewPosition(const ViewPosition &position)
{
    if (!position.isChosen && !m_isViewChosen)
        return; // the saved and the present position are automatic
    m_isViewChosen = true;
    setScale(position.scale);
    centerOn(position.centre);
}

void StatechartView::pan(const QPoint &by)
{
    m_isViewChosen = true;
    Canvas::pan(by);
}

void StatechartView::zoomBy(double factor, const QPointF &around)
{
    const double now = transform().m11();
    const double scale =
        std::clamp(now * factor, std::min(leastScale, wholeScale(m_layout.bounds)), mostScale);
    const QPointF fixed = mapToScene(around.toPoint());
    m_isViewChosen = true;
    setScale(scale);
    const QPointF moved = mapToScene(around.toPoint());
    centerOn(mapToScene(viewport()->rect().center()) + fixed - moved);
}

void StatechartView::paintAll(QPainter &painter) const
{
    painter.fillRect(QRectF(QPointF(), pictureSize()), theme().window);
    painter.translate(QPointF(pictureMargin, pictureMargin) - m_layout.bounds.topLeft());
    paintChart(painter, m_layout, theme(), m_fonts, m_looks);
}

QSizeF StatechartView::pictureSize() const
{
    return m_layout.bounds.size() + QSizeF(2 * pictureMargin, 2 * pictureMargin);
}

void StatechartView::wheelEvent(QWheelEvent *event)
{
    // A wheel zooms; two fingers on a touchpad move the chart.
    const bool isTouch = event->phase() != Qt::NoScrollPhase || !event->pixelDelta().isNull();
    const bool zooms = event->modifiers() & Qt::ControlModifier
        || (!isTouch && !(event->modifiers() & Qt::ShiftModifier));
    if (zooms)
        zoomBy(std::pow(1.0015, event->angleDelta().y()), event->position());
    else
        pan(event->pixelDelta().isNull() ? event->angleDelta() / 2 : event->pixelDelta());
    event->accept();
}

void StatechartView::resizeEvent(QResizeEvent *event)
{
    Canvas::resizeEvent(event);
    if (hasOtherBoxes())
        reload();
    arrange();
}

QString StatechartView::legend() const
{
    const auto isDrawn = [this](bool isFromAny) {
        return std::ranges::any_of(m_layout.arrows, [=](const ChartArrow &arrow) {
            return !arrow.dot.isNull() && (arrow.link.from == Link::Any) == isFromAny;
        });
    };
    QStringList marks;
    if (isDrawn(true))
        marks += tr("* any state");
    if (isDrawn(false))
        marks += tr("H the state before");
    return marks.join(u" · "_s);
}

QString StatechartView::nameOf(const ChartElement &element) const
{
    QString name = elementName(m_layout, element);
    if (element.kind == ChartElement::Kind::State) {
        if (const QString &detail = m_looks.boxes[element.index].detail; !detail.isEmpty())
            name += u", "_s + detail;
        if (m_looks.boxes[element.index].isCurrent)
            name += u", "_s + tr("the selected resource is in this state");
    } else if (meaningOf(element).isOpen()) {
        name += u", "_s + tr("can be taken now");
    }
    return name;
}

QString StatechartView::descriptionOf(const ChartElement &element) const
{
    const Rules &rules = m_controller.rules();
    const int machine = m_layout.machine;
    QStringList parts;
    if (element.kind == ChartElement::Kind::State) {
        const ChartBox &box = m_layout.boxes[element.index];
        const State *row = rules.pack().machines[machine].state(box.id);
        if (!row)
            return {};
        if (!row->label.isEmpty() && row->label != row->id)
            parts += tr("Its id is %1").arg(row->id);
        parts += row->about;
        if (row->ownWork) {
            const auto steps =
                mapped<QStringList>(row->work, [](const Step &step) { return stepText(step); });
            parts += tr("Work: %1").arg(steps.join(u"; "_s));
        }
        if (m_conformance && expected().contains(box.state))
            parts += tr("The rules allow this state for the selected resource now");
        if (box.statusCategory == StatusCategory::Failed)
            parts += isFailureName(row->id)
                ? tr("Red with a cross: the state's name says that something has failed")
                : tr("Red with a cross: resources rest in this state after their work has failed");
        if (const QString source = rules.pack().sourceText(*row); !source.isEmpty())
            parts += tr("Source: %1").arg(source);
    } else {
        const ArrowMeaning meaning = meaningOf(element);
        parts += clickText(element);
        parts += meaning.text;
        if (!meaning.rule.isEmpty() && !meaning.text.contains(meaning.rule))
            parts += tr("Rule: %1").arg(meaning.rule);
        for (const int row : m_layout.arrows[element.index].link.lines[element.line].rows)
            parts += rules.pack().ruleText(rules.pack().machines[machine].transitions[row]);
    }
    parts.removeAll(QString());
    return parts.join(u'\n');
}

QString StatechartView::clickText(const ChartElement &element) const
{
    using Kind = ArrowMeaning::Kind;
    const ArrowMeaning meaning = meaningOf(element);
    const QString name = m_selection.resource().section(u'/', -1);
    if (m_draft || meaning.kind == Kind::None)
        return {};
    return meaning.kind == Kind::Fires ? tr("Click to fire %1 at %2").arg(meaning.trigger, name)
        : meaning.kind == Kind::Ends
        ? tr("Click to end the operation with “%1”").arg(meaning.trigger)
        : tr("Click to fire %1 at %2, although it is refused now").arg(meaning.trigger, name);
}

ArrowMeaning StatechartView::meaningOf(const ChartElement &element) const
{
    if (element.kind == ChartElement::Kind::State || element.index >= m_meanings.size())
        return {};
    return m_meanings[element.index].value(element.line);
}

SelectedRows StatechartView::rowsOf(const ChartElement &element) const
{
    SelectedRows rows { .machine = machine() };
    if (element.kind == ChartElement::Kind::State) {
        rows.states = { m_layout.boxes[element.index].id };
        return rows;
    }
    const Link &link = m_layout.arrows[element.index].link;
    const QList<int> &line = link.lines[element.line].rows;
    rows.transitions = { line.begin(), line.end() };
    rows.from = stateId(link.from);
    rows.to = stateId(link.to);
    return rows;
}

/// False while the chart is edited: then ChartEditor draws the selection.
bool StatechartView::isSelected(const ChartElement &element) const
{
    return !m_draft && !m_selection.rows().isEmpty() && rowsOf(element) == m_selection.rows();
}

void StatechartView::activate(const ChartElement &element)
{
    if (m_draft)
        return m_selection.set(rowsOf(element));
    if (element.kind == ChartElement::Kind::State)
        return m_selection.choose(rowsOf(element));
    // The meanings of the arrows may be older than the states of the resources.
    m_controller.updates().flush();
    if (m_soon.isActive())
        refresh();
    const ArrowMeaning meaning = meaningOf(element);
    if (meaning.kind == ArrowMeaning::Kind::Fires) {
        emit fireRequested(meaning.trigger);
    } else if (meaning.kind == ArrowMeaning::Kind::Ends) {
        emit endRequested(meaning.serial, meaning.trigger);
    } else {
        m_selection.choose(rowsOf(element));
        // A refused operation is fired too, so that its refusal is in the queue and the log.
        if (meaning.kind == ArrowMeaning::Kind::Refused)
            emit fireRequested(meaning.trigger);
    }
}

void StatechartView::setFocused(std::optional<ChartElement> element)
{
    m_focused = element;
    sync();
    if (!element)
        return;
    reveal(elementRect(m_layout, *element));
    notifyFocusChanged();
    emit focusMoved();
}

void StatechartView::setHovered(std::optional<ChartElement> element)
{
    m_hovered = element;
    const bool acts = element
        && (element->kind == ChartElement::Kind::State
            || meaningOf(*element).kind != ArrowMeaning::Kind::None);
    viewport()->setCursor(acts ? Qt::PointingHandCursor : Qt::ArrowCursor);
    sync();
}

std::optional<ChartElement> StatechartView::clickedAt(const QPoint &point) const
{
    std::optional<ChartElement> element = partAt(point);
    if (!element || element->kind != ChartElement::Kind::Line)
        return element;
    const ChartArrow &arrow = m_layout.arrows[element->index];
    const bool isOnLabel = arrow.label.contains(mapToScene(point));
    for (int line = 0; !isOnLabel && line < arrow.link.lines.size(); ++line) {
        const ChartElement other { ChartElement::Kind::Line, element->index, line };
        if (meaningOf(other).isOpen())
            return other;
    }
    return element;
}

void StatechartView::mouseMoveEvent(QMouseEvent *event)
{
    if (panIfDragged(*event))
        return;
    const auto element = clickedAt(event->pos());
    if (element != m_hovered)
        setHovered(element);
}

void StatechartView::mouseReleaseEvent(QMouseEvent *event)
{
    const bool isClick = isClickEnd(*event);
    const auto element = clickedAt(event->pos());
    if (isClick && element)
        activate(*element);
    setHovered(element);
}

void StatechartView::mouseDoubleClickEvent(QMouseEvent *event)
{
    // A double click counts as two clicks: users try two PUTs in a row.
    mousePressEvent(event);
}

void StatechartView::keyPressEvent(QKeyEvent *event)
{
    static const QHash<int, QPointF> ways { { Qt::Key_Left, { -1, 0 } },
        { Qt::Key_Right, { 1, 0 } }, { Qt::Key_Up, { 0, -1 } }, { Qt::Key_Down, { 0, 1 } } };
    if (const auto way = ways.constFind(event->key()); way != ways.cend()) {
        if (!m_focused)
            return walkTo(m_elements.indexOf(currentElement()));
        if (const auto next = elementTowards(m_layout, *m_focused, *way))
            setFocused(next);
        return;
    }
    switch (event->key()) {
    case Qt::Key_PageUp:
        return walkTo(m_focused ? m_elements.indexOf(*m_focused) - 1 : 0);
    case Qt::Key_PageDown:
        return walkTo(m_focused ? m_elements.indexOf(*m_focused) + 1 : 0);
    case Qt::Key_Home:
        return walkTo(m_elements.indexOf(currentElement()));
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_focused)
            return activate(*m_focused);
        break;
    case Qt::Key_Escape:
        if (m_focused)
            return setFocused({});
        break;
    default:
        break;
    }
    Canvas::keyPressEvent(event);
}

void StatechartView::walkTo(qsizetype index)
{
    if (!m_elements.isEmpty())
        setFocused(m_elements[std::clamp<qsizetype>(index, 0, m_elements.size() - 1)]);
}

void StatechartView::focusInEvent(QFocusEvent *event)
{
    Canvas::focusInEvent(event);
    const bool isTab =
        event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (isTab && !m_focused && !m_elements.isEmpty())
        m_focused = currentElement();
    setFocused(m_focused);
}

QString StatechartView::tipAt(const QPoint &point) const
{
    const auto element = clickedAt(point);
    return !element
        ? QString()
        : u"<qt><b>%1</b><br>%2</qt>"_s.arg(elementName(m_layout, *element).toHtmlEscaped(),
            descriptionOf(*element).toHtmlEscaped().replace(u'\n', u"<br>"_s));
}

void StatechartView::showEvent(QShowEvent *event)
{
    Canvas::showEvent(event);
    updateTicker();
}

void StatechartView::hideEvent(QHideEvent *event)
{
    Canvas::hideEvent(event);
    m_ticker.stop();
    if (m_travel.state() == QAbstractAnimation::Running)
        m_travel.setCurrentTime(m_travel.duration());
}

void StatechartView::paintEvent(QPaintEvent *event)
{
    Canvas::paintEvent(event);
    if (!m_layout.boxes.isEmpty() || (m_draft && !m_layingOut))
        return; // the chart editor paints its instructions on an empty draft
    QPainter painter(viewport());
    painter.setPen(theme().dimText);
    painter.setFont(m_fonts.state);
    const QString text = m_selection.resource().isEmpty() ? tr("Select a resource")
        : m_layingOut                                     ? tr("The chart is being laid out")
                      : tr("The pack has no type for this resource");
    drawText(painter, viewport()->rect(), Qt::AlignCenter, text);
}

} // namespace instar
