// SPDX-License-Identifier: Apache-2.0
#include "views/editing/worklist.h"

#include "model/items/sentences.h"
#include "views/drawing/text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype mostSteps = 4;
constexpr double widestStep = 230, workGap = 3, workPadding = 6;

struct WorkListWords
{
    Q_DECLARE_TR_FUNCTIONS(WorkList)
};

/// Also of steps that the chosen switches leave out.
QStringList stepTexts(const Rules &rules, int machine, const ChartBox &box)
{
    const State *row = rules.pack().machines[machine].state(box.id);
    QStringList lines;
    if (row && row->kind == State::Kind::Transitional && row->ownWork) {
        for (const Step &step : row->work)
            lines += rules.applies(step) ? stepText(step)
                                         : WorkListWords::tr("%1 (off)").arg(stepText(step));
    }
    return lines;
}

QSizeF sizeOf(QStringList &lines, const ChartFonts &fonts)
{
    const QFontMetricsF metrics(fonts.quiet);
    double width = 0;
    for (QString &line : lines) {
        line = metrics.elidedText(line, Qt::ElideRight, widestStep);
        width = std::max(width, metrics.horizontalAdvance(line));
    }
    return { std::ceil(width) + 2 * workPadding,
        std::ceil(metrics.height() * double(lines.size())) + workPadding };
}

/// Below the box, above or beside it: of those that stand on nothing, the one that fewest arrows
/// pass.
std::optional<QRectF> placeFor(const QRectF &box, const QSizeF &size, const ChartLayout &layout,
    const QList<QList<QPointF>> &curves, const QList<WorkList> &others)
{
    const auto isTaken = [&](const QRectF &place) {
        const auto stands = [&](const ChartBox &each) {
            return each.isFrame() ? place.intersects(each.area) && !each.area.contains(place)
                                  : place.intersects(each.area);
        };
        const auto ends = [room = place.adjusted(-6, -6, 6, 6)](const ChartArrow &arrow) {
            return !arrow.curve.isEmpty() && room.contains(arrow.curve.end());
        };
        const auto written = [&](const ChartArrow &arrow) {
            return arrow.label.intersects(place) || arrow.dot.intersects(place);
        };
        return std::ranges::any_of(layout.boxes, stands)
            || std::ranges::any_of(layout.arrows, written)
            || std::ranges::any_of(layout.arrows, ends)
            || std::ranges::any_of(layout.papers,
                [&](const ChartPaper &paper) { return paper.rect.intersects(place); })
            || std::ranges::any_of(
                others, [&](const WorkList &list) { return list.rect.intersects(place); });
    };
    const double middle = box.center().x() - size.width() / 2;
    const QPointF corners[] { { box.left(), box.bottom() + workGap },
        { box.right() - size.width(), box.bottom() + workGap }, { middle, box.bottom() + workGap },
        { box.left(), box.top() - workGap - size.height() },
        { box.right() - size.width(), box.top() - workGap - size.height() },
        { box.right() + workGap, box.center().y() - size.height() / 2 },
        { box.left() - workGap - size.width(), box.center().y() - size.height() / 2 } };
    std::optional<QRectF> best;
    double least = 0;
    for (const QPointF &corner : corners) {
        const QRectF place(corner, size);
        double passing = 0;
        for (const QList<QPointF> &curve : curves)
            passing += lengthInside(place, curve);
        if ((!best || passing < least) && !isTaken(place)) {
            best = place;
            least = passing;
        }
    }
    return best;
}

} // namespace

int WorkList::lineAt(const QPointF &point) const
{
    const double height =
        (rect.height() - workPadding) / double(std::max<qsizetype>(lines.size(), 1));
    const int line = int((point.y() - rect.top() - workPadding / 2) / height);
    return std::clamp(line, 0, std::max(int(lines.size()) - 1, 0));
}

QList<WorkList> workLists(const Rules &rules, const ChartLayout &layout, const ChartFonts &fonts)
{
    QList<QList<QPointF>> curves;
    for (const ChartArrow &arrow : layout.arrows)
        curves += arrow.curve.samples(24);
    QList<WorkList> lists;
    for (int i = 0; i < layout.boxes.size(); ++i) {
        QStringList lines = stepTexts(rules, layout.machine, layout.boxes[i]);
        if (lines.isEmpty())
            continue;
        QStringList some = lines;
        if (lines.size() > mostSteps) {
            some = lines.first(mostSteps - 1);
            some += WorkListWords::tr("and %1 more").arg(lines.size() - some.size());
        }
        QStringList count { WorkListWords::tr("%1 steps").arg(lines.size()) };
        for (QStringList *shown : { &some, &count }) {
            const QSizeF size = sizeOf(*shown, fonts);
            const auto place = placeFor(layout.boxes[i].outline.rect, size, layout, curves, lists);
            if (!place)
                continue;
            lists += WorkList { i, *shown, *place };
            break;
        }
    }
    return lists;
}

std::optional<WorkList> wholeWorkList(
    const Rules &rules, const ChartLayout &layout, int box, const ChartFonts &fonts)
{
    WorkList list { box, stepTexts(rules, layout.machine, layout.boxes[box]), {} };
    if (list.lines.isEmpty())
        return {};
    const QRectF &outline = layout.boxes[box].outline.rect;
    list.rect = QRectF(outline.bottomLeft() + QPointF(0, 2 * workGap), sizeOf(list.lines, fonts));
    return list;
}

void paintWorkList(
    QPainter &painter, const WorkList &list, const Theme &theme, const ChartFonts &fonts)
{
    painter.setPen(QPen(theme.quietLine, 1));
    painter.setBrush(theme.base);
    painter.drawRoundedRect(list.rect, 5, 5);
    painter.setFont(fonts.quiet);
    painter.setPen(theme.dimText);
    drawText(painter, list.rect.adjusted(workPadding, workPadding / 2, 0, 0),
        Qt::AlignLeft | Qt::AlignTop, list.lines.join(u'\n'));
}

} // namespace instar
