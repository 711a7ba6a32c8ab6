// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/chart.h"

#include "model/json/condition.h"
#include "model/pack/run.h"
#include "model/pack/runnablepack.h"
#include "model/statecharts/machinechart.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QRegularExpression>
#include <QTextLayout>

#include <cmath>

namespace instar {

namespace {

constexpr qsizetype mostLines = 30; ///< of one arrow; further ones are only counted
constexpr int fewStates = 3;        ///< with at most so many stable states, each gets its own arrow
                                    ///< instead of one from "any state"

QString moreText(qsizetype count)
{
    return QCoreApplication::translate("Chart", "… and %1 more").arg(QString::number(count));
}

/// Condition in words; "…" for a fact that only JSON expresses.
QString conditionText(const Condition &condition)
{
    using Kind = Condition::Kind;
    if (condition.kind == Kind::Always || condition.kind == Kind::Label)
        return condition.text;
    if (condition.kind == Kind::Not && condition.parts.first().kind == Kind::Label)
        return u"not "_s + condition.parts.first().text;
    if (condition.kind == Kind::All) {
        const auto facts = mapped<QStringList>(condition.parts, conditionText);
        return facts.join(u" and "_s);
    }
    const QString words = conditionWords(condition);
    return words.startsWith(u'{') ? u"…"_s : words;
}

/// Text of an arrow without a label, for one of its triggers.
QString triggerText(const Transition &row, const QString &trigger, bool isStatechart)
{
    const QString condition = conditionText(row.condition);
    const QString name = isStatechart ? eventOf(trigger) : trigger;
    return condition.isEmpty() ? name : u"%1 [%2]"_s.arg(name, condition).trimmed();
}

/// Builder of a machine's arrows from its rows.
class LinkMaker
{
public:
    LinkMaker(const Rules &rules, int machine, Refusals refusals)
        : m_rules(rules),
          m_machine(machine),
          m_refusals(refusals),
          m_rows(rules.pack().machines[machine]),
          m_isStatechart(m_rows.isStatechart())
    { }

    QList<Link> made()
    {
        for (int row = 0; row < m_rows.transitions.size(); ++row) {
            if (m_rules.applies(m_rows.transitions[row]))
                add(row);
        }
        for (int row = 0; row < m_rows.transitions.size() && m_refusals == Refusals::Drawn; ++row) {
            if (m_rules.applies(m_rows.transitions[row]))
                addRefusal(row);
        }
        return m_links;
    }

private:
    void add(int row)
    {
        const Transition &transition = m_rows.transitions[row];
        if (transition.to.isEmpty())
            return;
        for (const QString &from : transition.from) {
            if (from != AnyState) {
                addFrom(row, m_rules.stateNamed(m_machine, from), transition.on);
                continue;
            }
            for (const QString &trigger : transition.on)
                addAny(row, trigger);
        }
    }

    void addRefusal(int row)
    {
        const Transition &transition = m_rows.transitions[row];
        for (const QString &from : transition.from) {
            if (from == AnyState || transition.refuse.isEmpty())
                continue;
            Link &link = linkBetween(m_rules.stateNamed(m_machine, from), Link::Nowhere);
            for (const QString &trigger : transition.on)
                addLine(link, row, { trigger },
                    u"%1: %2"_s.arg(
                        triggerText(transition, trigger, m_isStatechart), transition.refuse));
        }
    }

    /// Adds a row from "any state". Draws an arrow from each transitional state for an outcome,
    /// from each state if the row keeps or restores the state, and from each of a few stable states
    /// for a request. All remaining states share one arrow from "any state".
    void addAny(int row, const QString &trigger)
    {
        const Rules::TriggerId id = m_rules.trigger(trigger);
        QList<Rules::StateId> working, resting;
        for (size_t i = 0; i < m_rules.states().size(); ++i) {
            const Rules::StateRule &state = m_rules.states()[i];
            if (state.machine != m_machine || state.kind == State::Kind::Composite
                || state.kind == State::Kind::Initial || isShadowed(row, state.id, trigger))
                continue;
            (state.isTransitional() ? working : resting) += int(i);
        }
        const QStringList &to = m_rows.transitions[row].to;
        const bool isOwn = to.contains(SameState) || to.contains(LastState);
        if (isOutcome(id) || isOwn) {
            for (const Rules::StateId from : isOwn && !isOutcome(id) ? working + resting : working)
                addFrom(row, from, { trigger });
            return;
        }
        if (m_rules.isOperation(id) && resting.size() <= fewStates) {
            for (const Rules::StateId from : resting)
                addFrom(row, from, { trigger });
            resting.clear();
        }
        if (!working.isEmpty() || !resting.isEmpty())
            addFrom(row, Link::Any, { trigger });
    }

    void addFrom(int row, Rules::StateId from, const QStringList &triggers)
    {
        for (const QString &to : m_rows.transitions[row].to) {
            const Rules::StateId target = to == LastState ? Link::Last
                : to == SameState                         ? from
                                                          : m_rules.stateNamed(m_machine, to);
            Link &link = linkBetween(from, target);
            if (link.bend == 0)
                link.bend = m_rows.transitions[row].bend;
            if (m_isStatechart && to != m_rows.transitions[row].to.first())
                addLine(link, row, triggers, {}); // the text stands at the first of several targets
            else
                addLines(link, row, triggers);
        }
    }

    void addLines(Link &link, int row, const QStringList &triggers)
    {
        const Transition &transition = m_rows.transitions[row];
        if (!transition.label.isEmpty())
            addLine(link, row, triggers, transition.label);
        for (const QString &trigger : transition.label.isEmpty() ? triggers : QStringList())
            addLine(link, row, { trigger }, triggerText(transition, trigger, m_isStatechart));
        if (m_isStatechart && !transition.about.isEmpty())
            addLine(link, row, {}, transition.about); // a note on the arrow
    }

    /// Adds a row to the label line that has this text, or to a new line. Beyond the limit of
    /// lines, one more line sums up all others.
    void addLine(Link &link, int row, const QStringList &triggers, const QString &text)
    {
        const auto known = std::ranges::find(link.lines, text, &LinkLine::text);
        const bool isNew = known == link.lines.end();
        const bool isBeyond = isNew && link.lines.size() >= mostLines;
        const bool needsLine = isBeyond ? link.lines.size() == mostLines : isNew;
        if (needsLine)
            link.lines += LinkLine { .isMinor = true };
        LinkLine &line = isNew ? link.lines.last() : *known;
        line.text = isBeyond ? moreText(++m_beyond[{ link.from, link.to }]) : text;
        if (line.rows.isEmpty() || line.rows.last() != row)
            line.rows += row;
        for (const QString &trigger : triggers) {
            const Rules::TriggerId id = m_rules.trigger(trigger);
            if (isBeyond || !line.triggers.contains(id)) // no search beyond the limit
                line.triggers += id;
        }
        line.isMinor = line.isMinor && (areMinor(triggers) || link.from == Link::Any);
    }

    bool areMinor(const QStringList &triggers) const
    {
        return std::ranges::none_of(triggers, [this](const QString &trigger) {
            const Rules::TriggerId id = m_rules.trigger(trigger);
            return m_rules.isOperation(id) || (isOutcome(id) && id != m_rules.canceled);
        });
    }

    Link &linkBetween(Rules::StateId from, Rules::StateId to)
    {
        const auto known = m_indexes.constFind({ from, to });
        if (known != m_indexes.cend())
            return m_links[*known];
        m_indexes.insert({ from, to }, m_links.size());
        return m_links.emplaceBack(Link { .from = from, .to = to, .lines = {} });
    }

    bool isOutcome(Rules::TriggerId trigger) const
    {
        const QString &name = m_rules.triggerName(trigger);
        const std::array usual { m_rules.succeeded, m_rules.failed, m_rules.canceled,
            m_rules.rejected, m_rules.invalid, m_rules.retried };
        return std::ranges::count(usual, trigger) > 0
            || std::ranges::count(m_rules.pack().outcomes, name, &Outcome::id) > 0;
    }

    /// True if an earlier row without a condition always takes precedence.
    bool isShadowed(int row, const QString &state, const QString &trigger) const
    {
        const auto end = m_rows.transitions.begin() + row;
        return std::any_of(m_rows.transitions.begin(), end, [&](const Transition &earlier) {
            return m_rules.applies(earlier) && earlier.on.contains(trigger)
                && earlier.condition.kind == Condition::Kind::Always && earlier.to.size() == 1
                && leaves(m_rows, earlier, state);
        });
    }

    const Rules &m_rules;
    int m_machine;
    Refusals m_refusals;
    const Machine &m_rows;
    bool m_isStatechart;
    QList<Link> m_links;
    // By the two ends of a link: its index in m_links; number of its lines beyond the limit.
    QHash<std::pair<Rules::StateId, Rules::StateId>, qsizetype> m_indexes, m_beyond;
};

constexpr double widestStateName = 190; ///< a name breaks where it is wider
constexpr double initialRadius = 13;

double widthOf(const QStringList &lines, const QFontMetricsF &metrics)
{
    double width = 0;
    for (const QString &line : lines)
        width = std::max(width, metrics.horizontalAdvance(line));
    return std::ceil(width);
}

QStringList wrappedLines(const QString &text, const QFont &font, double widest = widestLabel,
    Qt::SplitBehavior parts = Qt::KeepEmptyParts)
{
    const auto lines = mapped<QStringList>(
        text.split(u'\n', parts), [&](const QString &part) { return linesOf(part, font, widest); });
    return lines.isEmpty() ? QStringList { QString() } : lines;
}

constexpr QChar breakable(0x200b); ///< zero-width space

/// Breaks a text where Unicode allows it, or else within a word.
QStringList broken(const QString &text, const QFont &font, double width)
{
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    QTextLayout layout(text, font);
    layout.setTextOption(option);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        lines += text.sliced(line.textStart(), line.textLength()).remove(breakable).trimmed();
    }
    layout.endLayout();
    return lines;
}

const QFont &fontOf(const LinkLine &line, const ChartFonts &fonts)
{
    return line.isMinor ? fonts.quiet : fonts.label;
}

/// Wrapped texts of an arrow's label, by line.
QList<QStringList> labelTexts(const Link &link, const ChartFonts &fonts)
{
    return mapped<QList<QStringList>>(link.lines,
        [&](const LinkLine &line) { return wrappedLines(line.text, fontOf(line, fonts)); });
}

QSizeF labelSize(const Link &link, const QList<QStringList> &texts, const ChartFonts &fonts)
{
    double width = 0, rows = 0;
    for (qsizetype i = 0; i < texts.size(); ++i) {
        width = std::max(width, widthOf(texts[i], QFontMetricsF(fontOf(link.lines[i], fonts))));
        rows += double(texts[i].size());
    }
    if (width == 0) // arrows without a trigger have no text
        return {};
    return { width + 14, std::ceil(QFontMetricsF(fonts.label).height() + 3) * rows };
}

/// Text below the name of a statechart's state: its description, and its internal activities as in
/// UML.
QStringList detailsOf(const Machine &rows, const State &state, const QFont &font)
{
    constexpr qsizetype mostDetails = 100; // lines
    QStringList texts = state.about.split(u'\n', Qt::SkipEmptyParts);
    for (const Transition &row : rows.transitions) {
        if (!row.to.isEmpty() || !row.from.contains(state.id))
            continue;
        for (const QString &trigger : row.label.isEmpty() ? row.on : QStringList())
            texts += triggerText(row, trigger, true);
        texts += row.label.split(u'\n', Qt::SkipEmptyParts);
    }
    QStringList lines;
    for (qsizetype i = 0; i < texts.size() && lines.size() < mostDetails; ++i) {
        lines += linesOf(texts[i], font, 1.6 * widestStateName);
        if (lines.size() >= mostDetails && i + 1 < texts.size())
            lines += moreText(texts.size() - i - 1);
    }
    return lines;
}

/// Symbol of a vertex that is no state, around (0, 0).
ChartBox sizedSymbol(const State &row, Vertex::Kind kind, const ChartFonts &fonts)
{
    using Kind = Vertex::Kind;
    const bool isBar = kind == Kind::Fork || kind == Kind::Join;
    const bool isPoint = kind == Kind::Entry || kind == Kind::Exit;
    const double side = kind == Kind::Initial ? 18 : kind == Kind::Final ? 22 : isPoint ? 14 : 28;
    const QSizeF size = isBar ? QSizeF(6, 70) : QSizeF(side, side);
    ChartBox box { .id = row.id, .name = { row.label.isEmpty() ? row.id : row.label } };
    box.vertex = kind;
    box.outline = { QRectF(QPointF(-size.width() / 2, -size.height() / 2), size),
        isBar ? 2 : side / 2,
        kind == Kind::Choice ? Outline::Shape::Diamond : Outline::Shape::Rounded };
    box.area = box.outline.rect;
    if (isPoint) {
        const double name = widthOf(box.name, QFontMetricsF(fonts.quiet)) + 6;
        box.area.adjust(-name, 0, name, 0);
    }
    return box;
}

/// Makes a state's box with its texts, around (0, 0).
ChartBox sizedBox(
    const State &row, bool isShownAsOther, const ChartFonts &fonts, const QStringList &details = {})
{
    const QString text = row.label.isEmpty() ? row.id : row.label;
    const QFontMetricsF name(isShownAsOther ? fonts.label : fonts.state),
        detail(isShownAsOther ? fonts.quiet : fonts.detail);
    ChartBox box { .id = row.id,
        .kind = row.kind,
        .isShownAsOther = isShownAsOther,
        .name = wrappedLines(
            text, isShownAsOther ? fonts.label : fonts.state, widestStateName, Qt::SkipEmptyParts),
        .details = details };
    if (isShownAsOther)
        box.note = row.as == u"(last)"
            ? QCoreApplication::translate("Chart", "not visible")
            : QCoreApplication::translate("Chart", "shows as %1").arg(row.as);
    if (box.kind == State::Kind::Initial) {
        const QSizeF label(
            widthOf(box.name, QFontMetricsF(fonts.detail)), QFontMetricsF(fonts.detail).height());
        const double half = initialRadius + 4 + label.height();
        box.outline = { QRectF(
                            -initialRadius, -initialRadius, 2 * initialRadius, 2 * initialRadius),
            initialRadius };
        box.area = QRectF(-std::max(label.width() / 2, initialRadius), -half,
            std::max(label.width(), 2 * initialRadius), 2 * half);
        return box;
    }
    if (box.isFrame()) {
        box.area = QRectF(0, 0, widthOf({ text }, QFontMetricsF(fonts.title)) + 24, frameTitle);
        box.outline = { box.area, 16 };
        return box;
    }
    // Room for the mark on the left, for a token on the right, and for a large count below.
    const double below =
        widthOf({ isShownAsOther ? box.note + u" · 9,999"_s : u"9,999 resources"_s }, detail);
    const double width =
        std::max(std::max(widthOf(box.name, name), below) + (isShownAsOther ? 48 : 74),
            widthOf(details, detail) + 32);
    const double height = std::ceil(name.height() * double(box.name.size()) + detail.height())
        + (isShownAsOther ? 14 : 20) + detailsHeight(box, fonts);
    box.outline = { QRectF(-width / 2, -height / 2, width, height), isShownAsOther ? 8.0 : 11.0 };
    box.area = box.outline.rect;
    box.token = QPointF(width / 2 - (isShownAsOther ? 15 : 21), -detailsHeight(box, fonts) / 2);
    return box;
}

void addBoxes(const Rules &rules, const std::vector<StatusCategory> &statusCategories,
    const ChartFonts &fonts, int parent, ChartLayout &layout)
{
    QList<ChartBox> &boxes = layout.boxes;
    const Machine &rows = rules.pack().machines[layout.machine];
    const bool isStatechart = rows.isStatechart();
    const QString parentId = parent < 0 ? QString() : boxes[parent].id;
    for (const State &row : rows.states) {
        if (!rules.applies(row) || row.parent != parentId)
            continue;
        if (isStatechart && row.kind == State::Kind::Initial)
            continue; // the statechart has initial vertices of its own
        const Rules::StateId id = rules.stateNamed(layout.machine, row.id);
        const Rules::StateRule &rule = rules.state(id);
        State shown = row;
        StatusCategory statusCategory = statusCategories[size_t(id)];
        const auto inner = layout.folded.isEmpty()
            ? rows.states.end()
            : std::ranges::find_if(rows.states, [&](const State &other) {
                  const Rules::StateId state = rules.stateNamed(layout.machine, other.id);
                  return other.kind != State::Kind::Composite && rules.applies(other)
                      && layout.folded.value(state, Rules::None) == id;
              });
        if (inner != rows.states.end()) {
            shown.kind = inner->kind; // a folded composite looks like its first state
            statusCategory = statusCategories[size_t(rules.stateNamed(layout.machine, inner->id))];
        }
        ChartBox box =
            sizedBox(shown, rule.shown != rule.word && row.kind != State::Kind::Composite, fonts,
                isStatechart ? detailsOf(rows, row, fonts.detail) : QStringList());
        if (isStatechart) {
            box.vertex = vertexKind(row);
            if (box.isSymbol())
                box = sizedSymbol(row, *box.vertex, fonts);
            box.isNamed = isNamed(row);
            box.isRegion =
                box.isFrame() && parent >= 0 && boxes[parent].vertex == Vertex::Kind::Parallel;
        }
        box.state = id;
        box.statusCategory = statusCategory;
        box.style = styleOf(row);
        box.parent = parent;
        boxes += box;
        if (box.isFrame())
            addBoxes(rules, statusCategories, fonts, int(boxes.size()) - 1, layout);
    }
}

/// Arrows between the boxes that are shown.
QList<Link> shownLinks(const Rules &rules, const ChartLayout &layout, Refusals refusals)
{
    if (layout.folded.isEmpty())
        return chartLinks(rules, layout.machine, refusals);
    QList<Link> shown;
    for (Link link : chartLinks(rules, layout.machine)) {
        const bool wasLoop = link.isLoop();
        link.from = layout.folded.value(link.from, link.from);
        link.to = layout.folded.value(link.to, link.to);
        link.bend = 0;
        if (link.isLoop() && !wasLoop)
            continue; // both ends lie in one folded box
        const auto same = std::ranges::find_if(shown,
            [&](const Link &other) { return other.from == link.from && other.to == link.to; });
        if (same == shown.end()) {
            shown += link;
            continue;
        }
        for (const LinkLine &line : std::as_const(link.lines)) {
            const auto known = std::ranges::find(same->lines, line.text, &LinkLine::text);
            if (known == same->lines.end())
                same->lines += line;
            else
                known->rows += line.rows;
        }
    }
    return shown;
}

const Transition &firstRow(const Machine &machine, const Link &link)
{
    return machine.transitions[link.lines.first().rows.first()];
}

QPoint pointTowards(Towards towards)
{
    return towards == Towards::Left ? QPoint(-1, 0)
        : towards == Towards::Right ? QPoint(1, 0)
        : towards == Towards::Up    ? QPoint(0, -1)
        : towards == Towards::Down  ? QPoint(0, 1)
                                    : QPoint();
}

/// Converts a machine to a graph for the layout: nodes are boxes, edges are links.
LayoutInput inputOf(const Rules &rules, const ChartFonts &fonts, const ChartLayout &layout)
{
    LayoutInput input { .direction = LayoutInput::Direction::Right,
        .nodeGap = layout.labelsOnHover ? 20.0 : 40.0,
        .layerGap = layout.labelsOnHover ? 44.0 : 68.0,
        .padding = framePadding };
    const Machine &rows = rules.pack().machines[layout.machine];
    QHash<QString, const State *> states;
    for (const State &state : rows.states)
        states.insert(state.id, &state);
    for (const ChartBox &box : layout.boxes) {
        const State &state = *states.value(box.id);
        LayoutNode node { .parent = box.parent,
            .size = box.area.size(),
            .outline = box.outline.rect.size(),
            .radius = box.outline.radius,
            .isStart = box.kind == State::Kind::Initial,
            .position = layout.folded.isEmpty() ? state.position : std::nullopt };
        if (box.isFrame()) {
            if (state.size && layout.folded.isEmpty())
                node.wanted = { state.size->x(), state.size->y() };
            node.kind = box.isRegion ? LayoutNode::Kind::Region : LayoutNode::Kind::Composite;
            node.outline = {};
        }
        if (box.isSymbol()) {
            node.shape = box.outline.shape;
            node.isStart = box.vertex == Vertex::Kind::Initial;
            if (box.vertex == Vertex::Kind::Entry)
                node.kind = LayoutNode::Kind::Entry;
            if (box.vertex == Vertex::Kind::Exit)
                node.kind = LayoutNode::Kind::Exit;
        }
        input.nodes += node;
    }
    QHash<Rules::StateId, int> boxes;
    for (int i = 0; i < layout.boxes.size(); ++i)
        boxes.insert(layout.boxes[i].state, i);
    for (const ChartArrow &arrow : layout.arrows)
        input.edges += LayoutEdge { .from = boxes.value(arrow.link.from, -1),
            .to = boxes.value(arrow.link.to, -1),
            .label = layout.labelsOnHover ? QSizeF() : labelSize(arrow.link, arrow.texts, fonts),
            .isMinor = arrow.link.isMinor(),
            .bend = arrow.link.bend,
            .towards = pointTowards(towardsOf(firstRow(rows, arrow.link))) };
    const QFontMetricsF detail(fonts.detail);
    for (const NoteBox &paper : layout.notes) {
        const ChartNote &note = rows.notes[paper.row];
        using Side = LayoutNote::Side;
        const QString side = sideOf(note);
        input.notes += LayoutNote { .of = layout.boxOf(rules.stateNamed(layout.machine, note.of)),
            .side = side == u"left" ? Side::Left
                : side == u"right"  ? Side::Right
                : side == u"top"    ? Side::Top
                : side == u"bottom" ? Side::Bottom
                                    : Side::Any,
            .size = { widthOf(paper.lines, detail) + 26,
                std::ceil(detail.height() * double(paper.lines.size())) + 14 },
            .position = layout.folded.isEmpty() ? note.position : std::nullopt };
    }
    return input;
}

bool isBar(const ChartBox &box)
{
    return box.vertex == Vertex::Kind::Fork || box.vertex == Vertex::Kind::Join;
}

/// Moves a box, with its outline and token, to the area that the layout chose.
void moveTo(ChartBox &box, const QRectF &area)
{
    const QPointF by = area.center() - box.area.center();
    box.area = area;
    if (box.isFrame()) {
        box.outline.rect = area;
        box.token = box.title().center();
        return;
    }
    box.outline.rect.translate(by);
    box.token += by;
    if (isBar(box))
        box.outline.rect = area;
}

/// True if a name in `place` would overlap another box, a label or a dot.
bool isTaken(const QRectF &place, const ChartBox &own, const ChartLayout &layout)
{
    const auto overlaps = [&](const ChartBox &box) {
        return box.area.intersects(place)
            && (box.isFrame() ? !box.area.contains(place) : box.state != own.state);
    };
    return std::ranges::any_of(layout.boxes, overlaps)
        || std::ranges::any_of(layout.arrows, [&](const ChartArrow &arrow) {
               return arrow.label.intersects(place) || arrow.dot.intersects(place);
           });
}

/// Place of an initial state's name: below its disc or, if fewer arrows pass there, above or beside
/// it.
QRectF namePlace(const ChartBox &box, const ChartLayout &layout, const ChartFonts &fonts)
{
    constexpr double gap = 3;
    const QFontMetricsF metrics(fonts.detail);
    const QRectF &disc = box.outline.rect;
    const QSizeF size(widthOf(box.name, metrics), metrics.height());
    const double middle = disc.center().x() - size.width() / 2,
                 level = disc.center().y() - size.height() / 2;
    const QRectF below({ middle, disc.bottom() + gap }, size);
    const QList<QPointF> others { { middle, disc.top() - gap - size.height() },
        { disc.left() - 2 * gap - size.width(), level }, { disc.right() + 2 * gap, level } };
    QList<QList<QPointF>> lines;
    for (const ChartArrow &arrow : layout.arrows)
        lines += arrow.curve.samples(40);
    const auto passing = [&](const QRectF &place) {
        double length = 0;
        for (const QList<QPointF> &line : lines)
            length += lengthInside(place.adjusted(-2, -1, 2, 1), line);
        return length;
    };
    QRectF best = below;
    double least = passing(below);
    for (const QPointF &corner : others) {
        const QRectF place(corner, size);
        const double length = passing(place);
        if (length < least && (box.area.contains(place) || !isTaken(place, box, layout))) {
            best = place;
            least = length;
        }
    }
    return best;
}

/// Sizes the bars of forks and joins: across the direction of the arrows, with room for all.
void sizeBars(const ChartLayout &layout, LayoutInput &input)
{
    for (int i = 0; i < layout.boxes.size(); ++i) {
        if (!isBar(layout.boxes[i]))
            continue;
        const auto ends = std::ranges::count_if(
            input.edges, [i](const LayoutEdge &edge) { return edge.from == i || edge.to == i; });
        const QSizeF size(std::max(70.0, 26.0 * double(ends)), 6);
        const bool isDown = input.direction == LayoutInput::Direction::Down;
        input.nodes[i].size = input.nodes[i].outline = isDown ? size : size.transposed();
    }
}

/// Returns the places that the boxes, arrows and notes of a layout, found by their ids, have in a
/// drawn chart; null areas and empty curves for those that the drawn chart lacks.
Layout layoutBefore(const ChartLayout &drawn, const ChartLayout &layout)
{
    Layout before;
    if (drawn.boxes.isEmpty() || !drawn.folded.isEmpty() || !drawn.remark.isEmpty())
        return before;
    QHash<QString, QRectF> outlines;
    for (const ChartBox &box : drawn.boxes)
        outlines.insert(box.id, box.outline.rect);
    for (const ChartBox &box : layout.boxes) {
        const QRectF was = outlines.value(box.id);
        if (box.isFrame() || isBar(box))
            before.areas += was;
        else
            before.areas += was.size() == box.outline.rect.size()
                ? centred(was.center(), box.area.size())
                : QRectF();
    }
    const auto endsIn = [](const ChartLayout &chart) { // by arrow
        QHash<Rules::StateId, QString> ids;
        for (const ChartBox &box : chart.boxes)
            ids.insert(box.state, box.id);
        const auto nameOf = [&](int end) { return ids.value(end, QString::number(end)); };
        return mapped<QList<std::pair<QString, QString>>>(
            chart.arrows, [&](const ChartArrow &arrow) {
                return std::pair(nameOf(arrow.link.from), nameOf(arrow.link.to));
            });
    };
    QHash<std::pair<QString, QString>, ChartArrow> arrows;
    const auto drawnEnds = endsIn(drawn), ends = endsIn(layout);
    for (int i = 0; i < drawn.arrows.size(); ++i)
        arrows.insert(drawnEnds[i], drawn.arrows[i]);
    for (int i = 0; i < layout.arrows.size(); ++i) {
        const ChartArrow was = arrows.value(ends[i]);
        before.routes += was.link.bend == layout.arrows[i].link.bend
            ? LayoutRoute { was.curve, was.label, was.dot }
            : LayoutRoute();
    }
    for (const NoteBox &note : layout.notes) {
        const auto was = std::ranges::find(drawn.notes, note.row, &NoteBox::row);
        before.notes += PlacedNote { was == drawn.notes.end() ? QRectF() : was->rect, {} };
    }
    return before;
}

/// Lays out a chart in `direction`; if unspecified, from left to right and, if that gives a long
/// strip, also downwards, and takes the layout nearer to 3:2. Wraps it if it is still very long.
Layout placedIn(LayoutInput &input, const ChartLayout &layout, ChartDirection direction,
    const Budget &budget, const Layout &before)
{
    using Direction = LayoutInput::Direction;
    constexpr double flattest = 2.6; ///< width to height
    constexpr double longest = 2600; ///< points; can still be read on a screen
    constexpr qsizetype most = 150;  ///< boxes in a wrapped chart; with more, the arrows between
                                     ///< its strips cannot be routed
    const auto laidOut = [&](Direction towards) {
        input.direction = towards;
        sizeBars(layout, input);
        return layoutOf(input, budget, before);
    };
    Layout result = laidOut(direction == ChartDirection::Down ? Direction::Down : Direction::Right);
    if (result.simplifiedBy != Limit::None)
        return result;
    const QSizeF flat = result.bounds.size();
    if (direction == ChartDirection::Unspecified && flat.width() >= 1000
        && flat.width() > flattest * flat.height()) {
        const Layout steep = laidOut(Direction::Down);
        const auto away = [](const QRectF &rect) {
            return std::abs(std::log(rect.width() / std::max(rect.height(), 1.0) / 1.5));
        };
        if (steep.simplifiedBy == Limit::None && away(steep.bounds) < away(result.bounds))
            result = steep;
        else
            input.direction = Direction::Right;
    }
    const bool isDown = input.direction == Direction::Down;
    const bool hasPositions = std::ranges::any_of(
        input.nodes, [](const LayoutNode &node) { return node.position.has_value(); });
    if (hasPositions || input.nodes.size() > most
        || (isDown ? result.bounds.height() : result.bounds.width()) <= longest)
        return result;
    input.wrapsBeyond = longest;
    const Layout wrapped = laidOut(input.direction);
    return wrapped.simplifiedBy == Limit::None ? wrapped : result;
}

/// Line that tells the user why a chart of that size is simplified; empty for Limit::None.
QString simplifiedText(Limit limit, qsizetype states, qsizetype arrows)
{
    if (limit == Limit::None)
        return {};
    const QString text = limit == Limit::Canceled
        ? QCoreApplication::translate(
            "Chart", "Drawn simply: the layout of %1 states and %2 arrows was canceled")
        : QCoreApplication::translate(
            "Chart", "Drawn simply: %1 states and %2 arrows are too many for a better layout");
    return text.arg(QString::number(states), QString::number(arrows));
}

} // namespace

QList<Link> chartLinks(const Rules &rules, int machine, Refusals refusals)
{
    return LinkMaker(rules, machine, refusals).made();
}

bool leadsFrom(const Rules &rules, const Link &link, Rules::StateId state)
{
    const Rules::StateRule &rule = rules.state(state);
    if (link.from == Link::Any)
        return rule.kind != State::Kind::Initial;
    return lineage(rules.pack().machines[rule.machine], rule.id)
        .contains(rules.state(link.from).id);
}

ChartFonts ChartFonts::from(const QFont &base)
{
    const auto sized = [&base](int pixels, QFont::Weight weight) {
        QFont font = base;
        font.setPixelSize(pixels);
        font.setWeight(weight);
        return font;
    };
    return { sized(15, QFont::DemiBold), sized(12, QFont::Normal), sized(13, QFont::Normal),
        sized(11, QFont::Normal), sized(17, QFont::DemiBold) };
}

QRectF ChartBox::title() const
{
    return isFrame()
        ? QRectF(outline.rect.left(), outline.rect.top(), outline.rect.width(), frameTitle)
        : QRectF();
}

QRectF ChartArrow::lineRect(int line) const
{
    qsizetype above = 0, all = 0;
    for (int i = 0; i < texts.size(); ++i) {
        above += i < line ? texts[i].size() : 0;
        all += texts[i].size();
    }
    const double height = label.height() / double(std::max<qsizetype>(all, 1));
    return { label.left(), label.top() + height * double(above), label.width(),
        height * double(texts[line].size()) };
}

int ChartLayout::boxOf(Rules::StateId state) const
{
    const auto found = std::ranges::find(boxes, folded.value(state, state), &ChartBox::state);
    return found == boxes.end() ? -1 : int(found - boxes.begin());
}

int ChartLayout::arrowFor(
    const Rules &rules, Rules::StateId from, Rules::StateId to, Rules::TriggerId trigger) const
{
    // Prefers an arrow with the trigger between exactly these states, then one with the trigger or
    // between exactly these states, then one to the last stable state.
    int best = -1, quality = 0;
    for (int i = 0; i < arrows.size(); ++i) {
        const Link &link = arrows[i].link;
        if (!leadsFrom(rules, link, from) || (link.to != to && link.to != Link::Last))
            continue;
        const bool hasTrigger = std::ranges::any_of(
            link.lines, [=](const LinkLine &line) { return line.triggers.contains(trigger); });
        const bool isExact = link.from == from && link.to == to;
        const int rank = 1 + (hasTrigger ? 2 : 0) + (isExact ? 2 : 0) + (link.to == to ? 1 : 0);
        if ((hasTrigger || isExact || trigger == Rules::None) && rank > quality) {
            quality = rank;
            best = i;
        }
    }
    return best;
}

Budget drawingBudget()
{
    return { .states = 5'000,
        .bytes = qint64(512) << 20,
        .arrows = 20'000,
        .deadline = QDeadlineTimer(10'000) };
}

QHash<Rules::StateId, Rules::StateId> foldedStates(const Rules &rules, int machine)
{
    const Machine &rows = rules.pack().machines[machine];
    QHash<Rules::StateId, Rules::StateId> folded;
    QHash<QString, int> sizes; // of the outermost composites
    QString largest;
    for (const State &row : rows.states) {
        const QString outermost = lineage(rows, row.id).last();
        if (outermost == row.id || !rules.applies(row))
            continue;
        folded.insert(rules.stateNamed(machine, row.id), rules.stateNamed(machine, outermost));
        if (++sizes[outermost] > sizes.value(largest))
            largest = outermost;
    }
    const Rules::StateId open = rules.stateNamed(machine, largest);
    folded.removeIf([open](std::pair<const Rules::StateId &, Rules::StateId &> one) {
        return one.second == open;
    });
    return folded;
}

ChartLayout chartLayout(const Rules &rules, int machine, const ChartFonts &fonts,
    const Budget &budget, const QHash<Rules::StateId, Rules::StateId> &folded, bool labelsOnHover,
    Refusals refusals, const ChartLayout &before)
{
    ChartLayout layout { .machine = machine, .folded = folded, .labelsOnHover = labelsOnHover };
    addBoxes(rules, statusCategoriesOf(rules), fonts, -1, layout);
    const Machine &rows = rules.pack().machines[machine];
    for (const Link &link : shownLinks(rules, layout, refusals))
        layout.arrows += ChartArrow {
            .link = link, .texts = labelTexts(link, fonts), .style = styleOf(firstRow(rows, link))
        };
    const QList<ChartNote> &notes = rows.notes;
    for (int row = 0; row < notes.size(); ++row) {
        if (rules.applies(notes[row]))
            layout.notes += NoteBox { row, wrappedLines(notes[row].text, fonts.detail), {}, {} };
    }
    LayoutInput input = inputOf(rules, fonts, layout);
    const Layout placed =
        placedIn(input, layout, directionOf(rows), budget, layoutBefore(before, layout));
    for (int i = 0; i < layout.boxes.size(); ++i)
        moveTo(layout.boxes[i], placed.areas[i]);
    for (int i = 0; i < layout.arrows.size(); ++i) {
        ChartArrow &arrow = layout.arrows[i];
        arrow.curve = placed.routes[i].curve;
        arrow.label = placed.routes[i].label;
        arrow.dot = placed.routes[i].dot;
        if (labelsOnHover) {
            const QSizeF size = labelSize(arrow.link, arrow.texts, fonts);
            const auto labelAt = [&](double at) { return centred(arrow.curve.at(at), size); };
            const std::array places { 0.5, 0.4, 0.6, 0.3, 0.7 };
            const auto *found = std::ranges::find_if(places, [&](double at) {
                return std::ranges::none_of(layout.boxes, [&](const ChartBox &box) {
                    return labelAt(at).intersects(box.isFrame() ? box.title() : box.outline.rect);
                });
            });
            arrow.label = labelAt(found == places.end() ? 0.5 : *found);
        }
    }
    for (int i = 0; i < layout.notes.size(); ++i) {
        layout.notes[i].rect = placed.notes[i].rect;
        layout.notes[i].line = placed.notes[i].line;
    }
    QRectF bounds = placed.bounds;
    for (ChartBox &box : layout.boxes) {
        if (box.kind != State::Kind::Initial)
            continue;
        box.nameArea = placed.simplifiedBy == Limit::None // namePlace() examines every arrow
            ? namePlace(box, layout, fonts)
            : QRectF(box.area.left(), box.outline.rect.bottom(), box.area.width(),
                QFontMetricsF(fonts.detail).height());
        box.area |= box.nameArea;
        bounds |= box.nameArea;
    }
    layout.remark = simplifiedText(placed.simplifiedBy, layout.boxes.size(), layout.arrows.size());
    if (!layout.remark.isEmpty()) {
        const QFontMetricsF metrics(fonts.detail);
        layout.remarkArea = QRectF(bounds.left(), bounds.top() - 2 * metrics.height(),
            metrics.horizontalAdvance(layout.remark) + 1, metrics.height());
        bounds |= layout.remarkArea;
    }
    layout.bounds = bounds.toAlignedRect();
    return layout;
}

ChartLayout chartLayout(const Statechart &chart, const ChartFonts &fonts, const Budget &budget)
{
    if (chart.vertices.isEmpty())
        return {};
    QHash<QString, const Vertex *> vertices;
    for (const Vertex &vertex : chart.vertices)
        vertices.insert(vertex.id, &vertex);
    Statechart corrected = chart; // children of symbols lose their parent
    for (Vertex &vertex : corrected.vertices) {
        const Vertex *around = vertices.value(vertex.parent);
        if (around && around->kind != Vertex::Kind::State && around->kind != Vertex::Kind::Parallel)
            vertex.parent.clear();
    }
    if (corrected.direction == ChartDirection::Unspecified)
        corrected.direction = ChartDirection::Down; // like PlantUML and Mermaid
    Machine rows = machineOfRows(corrected);
    for (int i = 0; i < chart.arcs.size(); ++i)
        rows.transitions[i].label = chart.arcs[i].text();
    const Result<Rules> rules = Rules::make(runnableDraft(packAround(rows)));
    return rules ? chartLayout(*rules, 0, fonts, budget) : ChartLayout { .remark = rules.error() };
}

QSizeF boxSize(const State &state, const ChartFonts &fonts)
{
    const bool isShownAsOther = !state.as.isEmpty() && state.kind != State::Kind::Composite;
    return sizedBox(state, isShownAsOther, fonts).area.size();
}

double detailsHeight(const ChartBox &box, const ChartFonts &fonts)
{
    return box.details.isEmpty()
        ? 0
        : std::ceil(QFontMetricsF(fonts.detail).height() * double(box.details.size())) + 12;
}

QStringList linesOf(const QString &text, const QFont &font, double widest)
{
    static const QRegularExpression sign(u"(?<=[^\\p{L}\\p{N}])(?=[\\p{L}\\p{N}])"_s);
    const QFontMetricsF metrics(font);
    const double whole = metrics.horizontalAdvance(text);
    if (whole <= widest)
        return { text };
    QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    for (QString &word : words) {
        if (metrics.horizontalAdvance(word) > widest)
            word.replace(sign, breakable);
    }
    const QString all = words.join(u' ');
    // Uses as few lines as possible, then makes them as narrow as that number allows.
    const qsizetype count = broken(all, font, widest).size();
    double low = whole / double(count) * 0.9, high = widest;
    for (const QStringView part : QStringView(all).split(u' ')) {
        for (const QStringView piece : part.split(breakable)) // no piece is broken to save width
            low = std::max(low, std::min(widest, metrics.horizontalAdvance(piece.toString())));
    }
    for (int i = 0; i < 8; ++i) {
        const double middle = (low + high) / 2;
        (broken(all, font, middle).size() > count ? low : high) = middle;
    }
    return broken(all, font, high);
}

} // namespace instar
