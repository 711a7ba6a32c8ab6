// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/chart.h"

#include "views/drawing/placing.h"
#include "views/drawing/routing.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr double widest = 190; ///< a name breaks where it is wider
constexpr double initialRadius = 13;

QStringList brokenLines(const QString &text, const QFontMetricsF &metrics)
{
    QStringList lines;
    const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    for (const QString &word : words) {
        const QString longer = lines.isEmpty() ? word : lines.last() + u' ' + word;
        if (lines.isEmpty() || metrics.horizontalAdvance(longer) > widest)
            lines += word;
        else
            lines.last() = longer;
    }
    return lines.isEmpty() ? QStringList { QString() } : lines;
}

double widthOf(const QStringList &lines, const QFontMetricsF &metrics)
{
    double width = 0;
    for (const QString &line : lines)
        width = std::max(width, metrics.horizontalAdvance(line));
    return std::ceil(width);
}

QString noteFor(const State &row)
{
    if (row.as == u"(last)")
        return QCoreApplication::translate("Chart", "does not show");
    return QCoreApplication::translate("Chart", "shows as %1").arg(row.as);
}

ChartBox sizedBox(const Rules &rules, Rules::StateId id, const ChartFonts &fonts)
{
    const Rules::StateRule &rule = rules.state(id);
    const State &row = *rules.pack().machines[rule.machine].state(rule.id);
    const bool isHidden = rule.shown != rule.word && rule.kind != State::Kind::Composite;
    const QString text = row.label.isEmpty() ? row.id : row.label;
    const QFontMetricsF name(isHidden ? fonts.label : fonts.state),
        detail(isHidden ? fonts.quiet : fonts.detail);
    ChartBox box { .state = id,
        .kind = rule.kind,
        .mood = moodOf(rules, id),
        .isHidden = isHidden,
        .name = brokenLines(text, name),
        .note = isHidden ? noteFor(row) : QString(),
        .outline = {},
        .area = {},
        .token = {} };

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
        box.area = QRectF(0, 0, widthOf({ text }, QFontMetricsF(fonts.detail)) + 60, 60);
        box.outline = { box.area, 16 };
        return box;
    }
    // Room for the mark on the left, for a token on the right, and for a large count below.
    const double below = std::max(
        detail.horizontalAdvance(isHidden ? box.note + u" · 9,999"_s : u"9,999 resources"_s), 0.0);
    const double width = std::max(widthOf(box.name, name), std::ceil(below)) + (isHidden ? 48 : 74);
    const double height =
        std::ceil(name.height() * double(box.name.size()) + detail.height()) + (isHidden ? 14 : 20);
    box.outline = { QRectF(-width / 2, -height / 2, width, height), isHidden ? 8.0 : 11.0 };
    box.area = box.outline.rect;
    box.token = QPointF(width / 2 - (isHidden ? 15 : 21), 0);
    return box;
}

void addBoxes(
    const Rules &rules, int machine, const ChartFonts &fonts, int parent, QList<ChartBox> &boxes)
{
    const Machine &rows = rules.pack().machines[machine];
    const QString inside = parent < 0 ? QString() : rules.state(boxes[parent].state).id;
    for (const State &row : rows.states) {
        if (!rules.applies(row) || row.parent != inside)
            continue;
        boxes += sizedBox(rules, rules.stateNamed(machine, row.id), fonts);
        boxes.last().parent = parent;
        if (row.kind == State::Kind::Composite)
            addBoxes(rules, machine, fonts, int(boxes.size()) - 1, boxes);
    }
}

} // namespace

ChartFonts ChartFonts::from(const QFont &base)
{
    const auto sized = [&base](int pixels, QFont::Weight weight) {
        QFont font = base;
        font.setPixelSize(pixels);
        font.setWeight(weight);
        return font;
    };
    return { sized(15, QFont::DemiBold), sized(12, QFont::Normal), sized(13, QFont::Normal),
        sized(11, QFont::Normal) };
}

QRectF ChartBox::title() const
{
    return isFrame() ? QRectF(outline.rect.left(), outline.rect.top(), outline.rect.width(), 34)
                     : QRectF();
}

QRectF ChartArrow::lineRect(int line) const
{
    const double height = label.height() / double(std::max<qsizetype>(link.lines.size(), 1));
    return { label.left(), label.top() + height * line, label.width(), height };
}

int ChartLayout::boxOf(Rules::StateId state) const
{
    const auto found = std::ranges::find(boxes, state, &ChartBox::state);
    return found == boxes.end() ? -1 : int(found - boxes.begin());
}

int ChartLayout::arrowFor(
    const Rules &rules, Rules::StateId from, Rules::StateId to, Rules::TriggerId trigger) const
{
    // The one that says the trigger and names both states, then any between the two, then those
    // with a dot.
    int best = -1, quality = 0;
    for (int i = 0; i < arrows.size(); ++i) {
        const Link &link = arrows[i].link;
        if (!leadsFrom(rules, link, from) || (link.to != to && link.to != Link::Last))
            continue;
        const bool says = std::ranges::any_of(
            link.lines, [=](const LinkLine &line) { return line.triggers.contains(trigger); });
        const bool isWhole = link.from == from && link.to == to;
        const int rank = 1 + (says ? 2 : 0) + (isWhole ? 2 : 0) + (link.to == to ? 1 : 0);
        if ((says || isWhole || trigger == Rules::None) && rank > quality) {
            quality = rank;
            best = i;
        }
    }
    return best;
}

ChartLayout chartLayout(const Rules &rules, int machine, const ChartFonts &fonts)
{
    ChartLayout layout { .machine = machine, .boxes = {}, .arrows = {}, .bounds = {} };
    addBoxes(rules, machine, fonts, -1, layout.boxes);
    const QList<Link> links = chartLinks(rules, machine);
    placeBoxes(rules, machine, fonts, links, layout.boxes);
    layout.arrows = routedArrows(links, layout.boxes, fonts);
    for (const ChartBox &box : std::as_const(layout.boxes))
        layout.bounds |= box.area;
    for (const ChartArrow &arrow : std::as_const(layout.arrows))
        layout.bounds |= arrow.label | arrow.dot | bounds(arrow.curve.samples(24));
    layout.bounds = layout.bounds.toAlignedRect();
    return layout;
}

QSizeF labelSize(const Link &link, const ChartFonts &fonts)
{
    double width = 0;
    for (const LinkLine &line : link.lines)
        width = std::max(width,
            QFontMetricsF(line.isQuiet ? fonts.quiet : fonts.label).horizontalAdvance(line.text));
    const double height = std::ceil(QFontMetricsF(fonts.label).height() + 3);
    return { std::ceil(width) + 14, height * double(link.lines.size()) };
}

} // namespace instar
