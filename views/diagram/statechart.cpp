// SPDX-License-Identifier: Apache-2.0
#include "views/diagram/statechart.h"

#include "model/engine/question.h"
#include "views/diagram/access.h"

#include <QLocale>
#include <QPainter>
#include <QTimerEvent>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int travelTime = 350, shakeTime = 420; // ms

QString reducedCount(const ChartBox &box, qint64 count)
{
    if (box.isFrame() || box.kind == State::Kind::Initial)
        return {};
    return box.isHidden ? QLocale().toString(count) : countText(count);
}

} // namespace

StatechartView::StatechartView(QWidget *parent)
    : QGraphicsView(parent), m_style { {}, ChartFonts::from(font()), Theme::light() }
{
    installChartAccess();
    setScene(&m_scene);
    setFrameShape(QFrame::NoFrame);
    setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTransformationAnchor(NoAnchor);
    setMinimumSize(220, 160);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Statechart"));
    viewport()->setMouseTracking(true);
    viewport()->grabGesture(Qt::PinchGesture);
    m_scene.setItemIndexMethod(QGraphicsScene::NoIndex); // few items, and some move

    m_travel.setParent(this);
    m_travel.setDuration(travelTime);
    m_travel.setStartValue(0.0);
    m_travel.setEndValue(1.0);
    m_travel.setEasingCurve(QEasingCurve::InOutSine);
    connect(&m_travel, &QVariantAnimation::valueChanged, this, [this](const QVariant &value) {
        m_token->setPos(m_journey.pointAtPercent(value.toDouble()));
    });
    m_shake.setDuration(shakeTime);
    m_shake.setStartValue(0.0);
    m_shake.setEndValue(1.0);
    connect(&m_shake, &QVariantAnimation::valueChanged, this, [this] { syncArrows(); });
    m_glide.setDuration(travelTime);
    m_glide.setEasingCurve(QEasingCurve::InOutSine);
    connect(&m_glide, &QVariantAnimation::valueChanged, this,
        [this](const QVariant &value) { centerOn(value.toPointF()); });
    reload();
}

StatechartView::~StatechartView() = default;

void StatechartView::setController(Controller *controller)
{
    if (m_controller == controller)
        return;
    if (m_controller)
        m_controller->disconnect(this);
    m_controller = controller;
    if (controller) {
        connect(controller, &Controller::recorded, this, &StatechartView::follow);
        connect(controller, &Controller::rewound, this, [this] {
            const bool isSame = m_controller->rules().pack() == m_pack
                && m_controller->rules().switches() == m_switches;
            if (!isSame)
                return reload();
            m_bubble->hide();
            moveToken(Arrival::Travels);
            refresh();
        });
        connect(controller, &QObject::destroyed, this, [this] { reload(); });
    }
    reload();
}

void StatechartView::setSelected(Resource resource)
{
    const bool exists =
        m_controller && resource != NoResource && m_controller->world().tree.exists(resource);
    setSelectedPath(exists ? m_controller->world().tree.path(resource) : QString());
}

void StatechartView::setSelectedPath(const QString &path)
{
    if (path == m_path)
        return;
    m_path = path;
    const int machine = m_controller && !path.isEmpty()
        ? subjectAt(m_controller->rules(), m_controller->world(), path).machine
        : Rules::None;
    if (machine != m_style.layout.machine)
        return reload();
    m_bubble->hide();
    m_selected = {};
    m_trails.fill(0);
    moveToken(Arrival::Jumps);
    arrange();
    refresh();
}

void StatechartView::setTheme(const Theme &theme)
{
    m_style.theme = theme;
    m_scene.setBackgroundBrush(theme.window);
    viewport()->update();
    m_scene.update();
}

void StatechartView::setProbe(const Request &probe)
{
    if (probe == m_probe)
        return;
    m_probe = probe;
    m_soon.start(0, this);
}

void StatechartView::setMotion(Motion motion)
{
    m_motion = motion;
    updateTicker();
}

/// What happened while it is on its way is looked at once, however much it was.
void StatechartView::follow(const Record &record)
{
    const Rules &rules = m_controller->rules();
    Rules::TriggerId trigger = Rules::None;
    bool again = false;
    for (const Change &change : record.changes) {
        if (change.path != m_path)
            continue;
        switch (change.kind) {
        case Change::Kind::Started:
            trigger = change.request ? rules.trigger(change.request->op) : Rules::None;
            m_bubble->hide();
            break;
        case Change::Kind::Worked:
            trigger = change.outcome;
            again = again || (change.from == change.to && change.from != Rules::None);
            break;
        case Change::Kind::Rejected:
            refuse(change);
            break;
        default:
            break;
        }
    }
    moveToken(Arrival::Travels, trigger, again);
    m_soon.start(0, this);
}

void StatechartView::reload()
{
    m_travel.stop();
    m_shake.stop();
    m_shaken = -1;
    m_hovered = m_focused = m_selected = {};
    m_boxes.clear();
    m_lines.clear();
    m_labels.clear();
    m_scene.clear();
    m_style.layout = {};
    m_state = Rules::None;
    if (m_controller) {
        const Rules &rules = m_controller->rules();
        if (!(m_pack == rules.pack()) || m_switches != rules.switches())
            m_layouts.clear();
        m_pack = rules.pack();
        m_switches = rules.switches();
        const int machine = m_path.isEmpty()
            ? Rules::None
            : subjectAt(rules, m_controller->world(), m_path).machine;
        if (machine != Rules::None && !m_layouts.contains(machine))
            m_layouts.insert(machine, chartLayout(rules, machine, m_style.fonts));
        m_style.layout = m_layouts.value(machine);
    }
    const ChartLayout &layout = m_style.layout;
    for (int i = 0; i < layout.boxes.size(); ++i)
        m_scene.addItem(m_boxes.emplaceBack(new BoxItem(m_style, i)));
    for (int i = 0; i < layout.arrows.size(); ++i) {
        m_scene.addItem(m_lines.emplaceBack(new ArrowItem(m_style, i, ArrowItem::Part::Line)));
        m_scene.addItem(m_labels.emplaceBack(new ArrowItem(m_style, i, ArrowItem::Part::Label)));
    }
    m_scene.addItem(m_token = new TokenItem(m_style));
    m_scene.addItem(m_bubble = new BubbleItem(m_style));
    m_elements = chartElements(layout);
    m_counts.fill(0, layout.boxes.size());
    m_trails.fill(0, layout.boxes.size());
    m_scene.setBackgroundBrush(m_style.theme.window);
    m_scene.setSceneRect(layout.bounds.adjusted(-2000, -2000, 2000, 2000));
    m_sight = Sight::Legible;
    moveToken(Arrival::Jumps);
    arrange();
    refresh();
    chartElementsChanged(this);
}

void StatechartView::refresh()
{
    m_soon.stop();
    m_prospects.clear();
    m_counts.fill(0);
    if (m_controller && m_state != Rules::None) {
        const Rules &rules = m_controller->rules();
        const QList<qint64> &counts = m_controller->world().tree.counts();
        for (int code = 0; code < rules.codeCount() && code < counts.size(); ++code) {
            for (int box = m_style.layout.boxOf(rules.stateOf(Code(code))); box >= 0;
                 box = m_style.layout.boxes[box].parent)
                m_counts[box] += counts[code];
        }
        m_prospects = prospects(*m_controller, m_style.layout, m_path, m_probe);
    }
    syncBoxes();
    syncArrows();
    updateTicker();
    if (m_hovered)
        setHovered(m_hovered);
}

void StatechartView::moveToken(Arrival arrival, Rules::TriggerId trigger, bool again)
{
    const Rules::StateId before = m_state;
    m_state = Rules::None;
    if (m_controller && m_style.layout.machine != Rules::None) {
        const Rules &rules = m_controller->rules();
        const Subject subject = subjectAt(rules, m_controller->world(), m_path);
        m_state = rules.stateOf(codeOf(rules, m_controller->world(), subject));
    }
    const int box = m_style.layout.boxOf(m_state);
    m_token->setVisible(box >= 0);
    if (box < 0)
        return;
    const int left = m_style.layout.boxOf(before);
    const bool moves = left >= 0 && (before != m_state || again);
    if (!moves || arrival == Arrival::Jumps || m_motion == Motion::Reduced || !isVisible()) {
        // A token on its way is not called back: it goes where it is still true that it goes.
        if (!moves && m_travel.state() == QAbstractAnimation::Running)
            return;
        m_travel.stop();
        m_token->setPos(m_style.layout.boxes[box].token);
    } else {
        m_travel.stop();
        m_journey = journey(before, m_state, trigger);
        m_travel.start();
    }
    if (moves && before != m_state) {
        if (m_motion == Motion::Reduced)
            m_trails.fill(0);
        m_trails[left] = 1;
        m_trails[box] = 0;
        syncBoxes();
        updateTicker();
        reveal(arrival);
    }
}

QPainterPath StatechartView::journey(
    Rules::StateId from, Rules::StateId to, Rules::TriggerId trigger) const
{
    const ChartLayout &layout = m_style.layout;
    QPainterPath path(layout.boxes[layout.boxOf(from)].token);
    const int index = layout.arrowFor(m_controller->rules(), from, to, trigger);
    if (index >= 0) {
        const ChartArrow &arrow = layout.arrows[index];
        path.lineTo(arrow.curve.begin());
        for (const Bezier &piece : arrow.curve.pieces)
            path.cubicTo(piece.points[1], piece.points[2], piece.points[3]);
    }
    path.lineTo(layout.boxes[layout.boxOf(to)].token);
    return path;
}

void StatechartView::refuse(const ChartElement &element, const QString &text, const QString &rule)
{
    const bool isLine = element.kind == ChartElement::Kind::Line;
    m_bubble->say(text, rule.isEmpty() || text.contains(rule) ? QString() : rule,
        elementRect(m_style.layout, element));
    m_silence.start(7000, this);
    m_shaken = isLine ? element.index : -1;
    m_shake.stop();
    if (m_motion == Motion::Full && isLine)
        m_shake.start();
}

void StatechartView::refuse(const Change &change)
{
    const Rules &rules = m_controller->rules();
    const Rules::TriggerId trigger =
        change.request ? rules.trigger(change.request->op) : Rules::None;
    const auto speaks = [&](const ChartElement &element) {
        if (element.kind == ChartElement::Kind::State)
            return false;
        const Link &link = m_style.layout.arrows[element.index].link;
        return m_state != Rules::None && leadsFrom(rules, link, m_state)
            && link.lines[element.line].triggers.contains(trigger);
    };
    const auto line = std::ranges::find_if(m_elements, speaks);
    const int box = m_style.layout.boxOf(m_state);
    if (line != m_elements.end())
        refuse(*line, change.message, change.rule);
    else if (box >= 0)
        refuse({ ChartElement::Kind::State, box, 0 }, change.message, change.rule);
}

void StatechartView::syncBoxes()
{
    const int current = m_style.layout.boxOf(m_state);
    for (int i = 0; i < m_boxes.size(); ++i) {
        const ChartElement element { ChartElement::Kind::State, i, 0 };
        const bool works =
            m_style.layout.boxes[i].kind == State::Kind::Transitional && m_counts[i] > 0;
        m_boxes[i]->sync({ .detail = reducedCount(m_style.layout.boxes[i], m_counts[i]),
            .isOccupied = m_counts[i] > 0,
            .isSelected = m_selected == element,
            .isHovered = m_hovered == element,
            .isFocused = m_focused == element && hasFocus(),
            .isCurrent = i == current,
            .dash = works ? m_dash : 0,
            .trail = m_trails[i] });
    }
}

void StatechartView::syncArrows()
{
    const auto lineOf = [](const std::optional<ChartElement> &element, int arrow) {
        return element && element->kind == ChartElement::Kind::Line && element->index == arrow
            ? element->line
            : -1;
    };
    for (int i = 0; i < m_lines.size(); ++i) {
        ArrowLook look { .lit = {} };
        if (i < m_prospects.size()) {
            for (const Prospect &prospect : std::as_const(m_prospects[i]))
                look.lit += prospect.isOpen();
        }
        look.isSelected = lineOf(m_selected, i) >= 0;
        look.hovered = lineOf(m_hovered, i);
        look.focused = hasFocus() ? lineOf(m_focused, i) : -1;
        look.isFaded = m_controller && m_state != Rules::None
            && !leadsFrom(m_controller->rules(), m_style.layout.arrows[i].link, m_state);
        m_lines[i]->sync(look);
        const double t = m_shake.state() == QAbstractAnimation::Running && i == m_shaken
            ? m_shake.currentValue().toDouble()
            : 0;
        look.shake = std::sin(t * 6 * 3.14159265) * 6 * (1 - t);
        m_labels[i]->sync(look);
    }
}

void StatechartView::updateTicker()
{
    const bool works = std::ranges::any_of(m_boxes, [this](const BoxItem *item) {
        const qsizetype i = m_boxes.indexOf(item);
        return m_style.layout.boxes[i].kind == State::Kind::Transitional && m_counts[i] > 0;
    });
    const bool fades = std::ranges::any_of(m_trails, [](double trail) { return trail > 0; });
    const bool wanted = isVisible() && m_motion == Motion::Full && (works || fades);
    if (wanted && !m_ticker.isActive())
        m_ticker.start(40, this);
    else if (!wanted)
        m_ticker.stop();
}

void StatechartView::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_soon.timerId()) {
        refresh();
    } else if (event->timerId() == m_silence.timerId()) {
        m_silence.stop();
        m_bubble->hide();
    } else if (event->timerId() == m_ticker.timerId()) {
        m_dash = std::fmod(m_dash + 0.9, 4000);
        for (double &trail : m_trails)
            trail = trail > 0.02 ? trail * 0.965 : 0;
        syncBoxes();
        updateTicker();
    } else {
        QGraphicsView::timerEvent(event);
    }
}

} // namespace instar
