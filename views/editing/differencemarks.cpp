// SPDX-License-Identifier: Apache-2.0
#include "views/editing/differencemarks.h"

#include "model/machine/identity.h"
#include "model/machine/rowat.h"
#include "model/machine/run.h"
#include "views/editing/arrowtext.h"
#include "views/editing/snapping.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

const Theme::Tone &toneOf(Difference::Kind kind, const Theme &theme)
{
    const Mood moods[] { Mood::Rest, Mood::Failed, Mood::Working, Mood::Removing };
    return theme.tones[size_t(moods[int(kind)])];
}

QString signOf(Difference::Kind kind)
{
    const char16_t signs[] { u'+', u'−', u'→', u'≠' };
    return QChar(signs[int(kind)]);
}

QString documentPointer(const DocumentComparison &comparison, const Difference &difference)
{
    const QString pointer = pointerIn(comparison.side, difference);
    const PackComparison &both = comparison.comparison;
    const Pack &here = comparison.side == Side::First ? both.first : both.second;
    if (pointer.isEmpty() || here == comparison.document)
        return pointer;
    // Rows were left out, so that others have other numbers in their lists.
    const quint32 number = numberAt(here, pointer);
    return number ? pointerOf(comparison.document, number).value_or(QString()) : pointer;
}

namespace {

using Kind = Difference::Kind;

struct MarkWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::DifferenceMarks)
};

constexpr double badgePadding = 5; ///< points

/// Which row of which machine a pointer leads to, or into.
struct MachinePart
{
    QString machine, list, key;
    bool isRow = false; ///< that itself, not something in it

    /// The state or transition, not something that is said of it.
    bool isItself() const { return isRow && (list == u"states" || list == u"transitions"); }
};

MachinePart partAt(const QString &pointer)
{
    const QStringList keys = keysOf(pointer);
    if (keys.size() < 4 || keys[0] != u"machines")
        return {};
    return { keys[1], keys[2], keys[3], keys.size() == 4 };
}

/// Makes the marks of one machine.
class MarkMaker
{
public:
    MarkMaker(const DocumentComparison &comparison, const QString &machine,
        const ChartLayout &layout, const QStringList &ids, const ChartFonts &fonts)
        : m_whole(comparison),
          m_comparison(comparison.comparison),
          m_side(comparison.side),
          m_there(m_side == Side::First ? m_comparison.second : m_comparison.first),
          m_machine(machine),
          m_layout(layout),
          m_ids(ids),
          m_label(fonts.label),
          m_state(fonts.state)
    {
        for (const ChartArrow &arrow : layout.arrows)
            m_taken += arrow.label;
    }

    QList<DifferenceMark> made()
    {
        for (const Difference &each : m_comparison.differences) {
            if (const QString pointer = documentPointer(m_whole, each); !pointer.isEmpty())
                markHere(each, partAt(pointer));
        }
        // Arrows need the states that they lead to.
        for (const QString &list : { u"states"_s, u"transitions"_s, u"constraints"_s }) {
            for (const Difference &each : m_comparison.differences)
                markGone(each, list);
        }
        return m_marks;
    }

private:
    Side otherSide() const { return m_side == Side::First ? Side::Second : Side::First; }

    /// What is called so in the other pack, as the chart's pack calls it.
    QString nameHere(Name what, const QString &machineThere, const QString &name) const
    {
        for (const Renaming &each : m_comparison.likeness.renamings) {
            const QString &here = m_side == Side::First ? each.from : each.to;
            const QString &there = m_side == Side::First ? each.to : each.from;
            const bool isMachines =
                what != Name::State || m_side == Side::First || each.machine == machineThere;
            if (each.what == what && there == name && isMachines)
                return here;
        }
        return name;
    }

    QString textOf(const Difference &difference, const MachinePart &part) const
    {
        switch (difference.kind) {
        case Kind::Added:
            return part.isItself() ? MarkWords::tr("added")
                                   : MarkWords::tr("%1 added").arg(difference.row);
        case Kind::Removed:
            return part.isItself() ? MarkWords::tr("removed")
                                   : MarkWords::tr("%1 removed").arg(difference.row);
        case Kind::Renamed:
            return m_side == Side::Second
                ? MarkWords::tr("was %1").arg(difference.from.value("id"_L1).toString())
                : MarkWords::tr("becomes %1").arg(difference.to.value("id"_L1).toString());
        case Kind::Changed:
            break;
        }
        QStringList keys = difference.from.keys() + difference.to.keys();
        keys.removeDuplicates();
        return part.isItself() ? keys.join(u", "_s) : difference.row;
    }

    void markHere(const Difference &difference, const MachinePart &part)
    {
        if (part.machine != m_machine)
            return;
        const Kind kind = part.isItself() ? difference.kind : Kind::Changed;
        const QString text = textOf(difference, part);
        if (part.list == u"states") {
            markState(kind, part.key, text, difference);
        } else if (part.list == u"constraints") {
            const Machine *machine = m_whole.document.machine(part.machine);
            for (const QString &state : statesOf(*machine, part))
                markState(kind, state, text, difference);
        } else if (part.list == u"transitions") {
            for (int arrow = 0; arrow < m_layout.arrows.size(); ++arrow) {
                const QList<LinkLine> &lines = m_layout.arrows[arrow].link.lines;
                for (int line = 0; line < lines.size(); ++line) {
                    if (lines[line].rows.contains(part.key.toInt()))
                        mark({ kind, text, { difference.where }, -1,
                            ChartElement { ChartElement::Kind::Line, arrow, line } });
                }
            }
        }
    }
    void markState(
        Kind kind, const QString &state, const QString &text, const Difference &difference)
    {
        if (const int box = int(m_ids.indexOf(state)); box >= 0)
            mark({ kind, text, { difference.where }, box });
    }
    /// What a constraint is about.
    static QStringList statesOf(const Machine &machine, const MachinePart &part)
    {
        const qsizetype row = part.key.toInt();
        return row < machine.constraints.size() ? machine.constraints[row].in : QStringList();
    }
    /// One mark a state or line says it all; what happened to the row as a whole goes before what
    /// is otherwise in it.
    void mark(const DifferenceMark &mark)
    {
        for (DifferenceMark &known : m_marks) {
            if (known.box != mark.box || known.line != mark.line || !known.ghost.isNull())
                continue;
            known.where += mark.where;
            if (!known.text.split(u", "_s).contains(mark.text))
                known.text += u", "_s + mark.text;
            return;
        }
        m_marks += mark;
    }

    void markGone(const Difference &difference, const QString &list)
    {
        const MachinePart part = partAt(pointerIn(otherSide(), difference));
        if (!pointerIn(m_side, difference).isEmpty() || !part.isRow || part.list != list
            || nameHere(Name::Machine, {}, part.machine) != m_machine)
            return;
        const Machine *machine = m_there.machine(part.machine);
        if (!machine)
            return;
        DifferenceMark gone { difference.kind, textOf(difference, part), { difference.where } };
        if (list == u"states") {
            if (const State *state = machine->state(part.key))
                placeState(gone, *machine, *state);
        } else if (list == u"constraints") {
            for (const QString &state : statesOf(*machine, part))
                markState(Kind::Changed, nameHere(Name::State, machine->id, state), gone.text,
                    difference);
        } else if (const int row = part.key.toInt(); row < machine->transitions.size()) {
            placeArrow(gone, *machine, machine->transitions[row]);
        }
    }

    void placeState(DifferenceMark gone, const Machine &machine, const State &state)
    {
        gone.name = state.label.isEmpty() ? state.id : state.label;
        const QSizeF size(QFontMetricsF(m_state).horizontalAdvance(gone.name) + 36, 44);
        QRectF place(QPointF(), size);
        place.moveCenter(
            freePlace(m_layout, state.position.value_or(beside(machine, state)), size, m_taken));
        gone.ghost = place;
        m_taken += place;
        m_ghosts.insert(state.id, place);
        m_marks += gone;
    }
    /// In the middle of the states that it is connected with.
    QPointF beside(const Machine &machine, const State &state) const
    {
        QPointF sum;
        int count = 0;
        const auto add = [&](const QStringList &names) {
            for (const QString &name : names) {
                if (const std::optional<Outline> box = boxOf(machine, name)) {
                    sum += box->rect.center();
                    ++count;
                }
            }
        };
        for (const Transition &row : machine.transitions) {
            if (row.from.contains(state.id))
                add(row.to);
            if (row.to.contains(state.id))
                add(row.from);
        }
        return count > 0 ? sum / count
                         : QPointF(m_layout.bounds.center().x(), m_layout.bounds.bottom() + 60);
    }
    /// Of a state of the other pack.
    std::optional<Outline> boxOf(const Machine &machine, const QString &state) const
    {
        if (const auto ghost = m_ghosts.find(state); ghost != m_ghosts.end())
            return Outline { *ghost, 11 };
        const qsizetype box = m_ids.indexOf(nameHere(Name::State, machine.id, state));
        return box < 0 ? std::nullopt : std::optional(m_layout.boxes[box].outline);
    }

    void placeArrow(DifferenceMark gone, const Machine &machine, const Transition &row)
    {
        gone.name = row.label.isEmpty() ? arrowText({ row.on, row.condition }) : row.label;
        const QFontMetricsF metrics(m_label);
        gone.name = metrics.elidedText(gone.name, Qt::ElideRight, widestLabel);
        const QSizeF size(metrics.horizontalAdvance(gone.name) + 4 * badgePadding
                + metrics.horizontalAdvance(signOf(gone.kind)),
            metrics.height() + 4);
        const std::optional<Outline> from = boxOf(machine, row.from.value(0)),
                                     to = boxOf(machine, row.to.value(0, row.from.value(0)));
        QPointF middle;
        if (from && to && from->rect != to->rect) {
            const QPointF way = unit(to->rect.center() - from->rect.center());
            // Beside the way back, and beside what leads the same way still.
            const QPointF side = leftOf(way) * 12;
            const QPointF begin = from->border(way) + side, end = to->border(-way) + side;
            gone.curve = { { straight(begin, end) } };
            middle = (begin + end) / 2;
        } else if (from || to) {
            const QRectF box = (from ? from : to)->rect;
            middle = QPointF(box.center().x(), box.bottom() + 24);
        } else {
            middle = QPointF(m_layout.bounds.center().x(), m_layout.bounds.bottom() + 30);
        }
        QRectF label(QPointF(), size);
        label.moveCenter(middle);
        for (int more = 0; more < 12 && isTaken(label); ++more) {
            const int rows = more / 2 + 1; // below and above in turn
            label.moveCenter(middle + QPointF(0, (more % 2 ? -rows : rows) * size.height()));
        }
        m_taken += label;
        gone.ghost = label;
        m_marks += gone;
    }
    bool isTaken(const QRectF &label) const
    {
        return std::ranges::any_of(
                   m_taken, [&](const QRectF &other) { return other.intersects(label); })
            || std::ranges::any_of(m_layout.boxes,
                [&](const ChartBox &box) { return !box.isFrame() && box.area.intersects(label); });
    }

    const DocumentComparison &m_whole;
    const PackComparison &m_comparison;
    Side m_side;
    const Pack &m_there;
    QString m_machine;
    const ChartLayout &m_layout;
    const QStringList &m_ids;
    QFont m_label, m_state;
    QList<QRectF> m_taken;
    QMap<QString, QRectF> m_ghosts; ///< by the other pack's name of a state
    QList<DifferenceMark> m_marks;
};

/// Added is firm, removed is broken, renamed is dots and strokes, changed is dots.
QPen edgeOf(Kind kind, const Theme &theme, double width)
{
    const Qt::PenStyle styles[] { Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DotLine };
    return QPen(toneOf(kind, theme).line, width, styles[int(kind)]);
}

void paintGhost(
    QPainter &painter, const DifferenceMark &mark, const Theme &theme, const ChartFonts &fonts)
{
    const Theme::Tone &tone = toneOf(mark.kind, theme);
    const bool isState = mark.where.first().section(u'/', 2, 2) == u"states";
    QColor fill = tone.fill;
    fill.setAlphaF(isState ? 0.75F : 1.0F);
    QFont font = isState ? fonts.state : fonts.label;
    painter.setPen(edgeOf(mark.kind, theme, 1.6));
    painter.setBrush(fill);
    painter.drawRoundedRect(mark.ghost, isState ? 11 : 5, isState ? 11 : 5);
    painter.setPen(tone.text);
    if (isState) {
        font.setStrikeOut(mark.kind == Kind::Removed);
        painter.setFont(font);
        painter.drawText(mark.ghost, Qt::AlignCenter, mark.name);
        paintBadge(painter, mark.ghost.topLeft() + QPointF(8, 5), mark.kind, mark.text, theme,
            fonts.label);
        return;
    }
    painter.setFont(font);
    const double sign = QFontMetricsF(font).horizontalAdvance(signOf(mark.kind));
    painter.drawText(mark.ghost.adjusted(badgePadding, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
        signOf(mark.kind));
    font.setStrikeOut(mark.kind == Kind::Removed);
    painter.setFont(font);
    painter.drawText(mark.ghost.adjusted(2 * badgePadding + sign, 0, 0, 0),
        Qt::AlignVCenter | Qt::AlignLeft, mark.name);
}

} // namespace

void paintBadge(QPainter &painter, const QPointF &bottomLeft, Difference::Kind kind,
    const QString &text, const Theme &theme, const QFont &font)
{
    const QFontMetricsF metrics(font);
    const QString shown = metrics.elidedText(
        text.isEmpty() ? signOf(kind) : signOf(kind) + u' ' + text, Qt::ElideRight, 180);
    const QSizeF size(metrics.horizontalAdvance(shown) + 2 * badgePadding, metrics.height() + 2);
    const QRectF badge(bottomLeft - QPointF(0, size.height()), size);
    painter.setPen(QPen(toneOf(kind, theme).line, 1.2));
    painter.setBrush(toneOf(kind, theme).fill);
    painter.drawRoundedRect(badge, 5, 5);
    painter.setFont(font);
    painter.setPen(toneOf(kind, theme).text);
    painter.drawText(badge, Qt::AlignCenter, shown);
}

QList<DifferenceMark> differenceMarks(const DocumentComparison &comparison, const QString &machine,
    const ChartLayout &layout, const QStringList &ids, const ChartFonts &fonts)
{
    return MarkMaker(comparison, machine, layout, ids, fonts).made();
}

DifferenceMarks::DifferenceMarks(StatechartView &chart, QObject *parent)
    : QObject(parent), m_chart(chart)
{
    connect(&chart, &StatechartView::laidOut, this, &DifferenceMarks::follow);
}

DifferenceMarks::~DifferenceMarks()
{
    m_chart.setMarks({});
}

void DifferenceMarks::show(const DocumentComparison &comparison)
{
    m_comparison = comparison;
    m_isShown = true;
    follow();
}

void DifferenceMarks::clear()
{
    m_comparison = {};
    m_marks.clear();
    m_isShown = false;
    m_chart.setMarks({});
}

void DifferenceMarks::follow()
{
    if (!m_isShown)
        return;
    QStringList ids;
    for (const ChartBox &box : m_chart.layout().boxes)
        ids += m_chart.stateId(box.state);
    m_marks =
        differenceMarks(m_comparison, m_chart.machine(), m_chart.layout(), ids, m_chart.fonts());
    QRectF within;
    for (const DifferenceMark &mark : std::as_const(m_marks))
        within |= mark.ghost;
    const double room = 12; // for what stands at its corner
    if (!within.isNull())
        within.adjust(-room, -room, room, room);
    m_chart.setMarks([this](QPainter &painter) { paint(painter); }, within);
}

bool DifferenceMarks::reveal(const QString &where)
{
    for (const DifferenceMark &mark : std::as_const(m_marks)) {
        if (!mark.where.contains(where))
            continue;
        const ChartElement state { ChartElement::Kind::State, mark.box, 0 };
        const QRectF rect = mark.ghost.isNull()
            ? elementRect(m_chart.layout(), mark.line.value_or(state))
            : mark.ghost;
        m_chart.reveal(rect);
        return true;
    }
    return false;
}

void DifferenceMarks::paint(QPainter &painter) const
{
    const ChartLayout &layout = m_chart.layout();
    const Theme &theme = m_chart.theme();
    const ChartFonts &fonts = m_chart.fonts();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const DifferenceMark &mark : m_marks) {
        if (!mark.curve.isEmpty())
            paintLine(painter, mark.curve, toneOf(mark.kind, theme).line, 1.6, Qt::DashLine);
    }
    for (const DifferenceMark &mark : m_marks) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(edgeOf(mark.kind, theme, 2.4));
        if (!mark.ghost.isNull()) {
            paintGhost(painter, mark, theme, fonts);
        } else if (mark.line && mark.line->index < layout.arrows.size()) {
            const QRectF label = layout.arrows[mark.line->index].lineRect(mark.line->line);
            painter.drawRoundedRect(label.adjusted(-2, -1, 2, 1), 5, 5);
            paintBadge(
                painter, label.bottomLeft() + QPointF(-16, 0), mark.kind, {}, theme, fonts.label);
        } else if (mark.box >= 0 && mark.box < layout.boxes.size()) {
            const ChartBox &box = layout.boxes[mark.box];
            const double radius = box.outline.radius + 4;
            painter.drawRoundedRect(box.outline.rect.adjusted(-4, -4, 4, 4), radius, radius);
            paintBadge(painter, box.outline.rect.topLeft() + QPointF(8, 2), mark.kind, mark.text,
                theme, fonts.label);
        }
    }
    painter.restore();
}

} // namespace instar
