// SPDX-License-Identifier: Apache-2.0
#include "views/diagram/element.h"

#include <QCoreApplication>

#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString stateName(const ChartLayout &layout, Rules::StateId state, const QString &otherwise)
{
    const int box = layout.boxOf(state);
    return box < 0 ? otherwise : layout.boxes[box].name.join(u' ');
}

double distanceTo(const QList<QPointF> &line, const QPointF &point)
{
    double nearest = 1e9;
    for (qsizetype i = 1; i < line.size(); ++i) {
        const QPointF along = line[i] - line[i - 1];
        const double square = QPointF::dotProduct(along, along);
        const double t = square > 0
            ? std::clamp(QPointF::dotProduct(point - line[i - 1], along) / square, 0.0, 1.0)
            : 0;
        nearest = std::min(nearest, QLineF(point, line[i - 1] + along * t).length());
    }
    return nearest;
}

} // namespace

QList<ChartElement> chartElements(const ChartLayout &layout)
{
    QList<ChartElement> result;
    const auto addLines = [&](Rules::StateId from) {
        for (int i = 0; i < layout.arrows.size(); ++i) {
            if (layout.arrows[i].link.from != from)
                continue;
            for (int line = 0; line < layout.arrows[i].link.lines.size(); ++line)
                result += { ChartElement::Kind::Line, i, line };
        }
    };
    for (int i = 0; i < layout.boxes.size(); ++i) {
        result += { ChartElement::Kind::State, i, 0 };
        addLines(layout.boxes[i].state);
    }
    addLines(Link::Any);
    return result;
}

std::optional<ChartElement> elementAt(
    const ChartLayout &layout, const QPointF &point, double tolerance)
{
    for (int i = 0; i < layout.arrows.size(); ++i) {
        for (int line = 0; line < layout.arrows[i].link.lines.size(); ++line) {
            if (layout.arrows[i].lineRect(line).contains(point))
                return ChartElement { ChartElement::Kind::Line, i, line };
        }
    }
    for (int i = 0; i < layout.boxes.size(); ++i) {
        const ChartBox &box = layout.boxes[i];
        if (box.isFrame() ? box.title().contains(point) : box.outline.contains(point))
            return ChartElement { ChartElement::Kind::State, i, 0 };
    }
    std::optional<ChartElement> best;
    for (int i = 0; i < layout.arrows.size(); ++i) {
        const ChartArrow &arrow = layout.arrows[i];
        const double away =
            arrow.dot.contains(point) ? 0 : distanceTo(arrow.curve.samples(32), point);
        if (away <= tolerance) {
            tolerance = away;
            best = ChartElement { ChartElement::Kind::Line, i, 0 };
        }
    }
    return best;
}

QRectF elementRect(const ChartLayout &layout, const ChartElement &element)
{
    if (element.kind == ChartElement::Kind::Line)
        return layout.arrows[element.index].lineRect(element.line);
    const ChartBox &box = layout.boxes[element.index];
    return box.isFrame() ? box.title() : box.outline.rect;
}

std::optional<ChartElement> elementTowards(
    const ChartLayout &layout, const ChartElement &from, const QPointF &direction)
{
    const QPointF origin = elementRect(layout, from).center();
    std::optional<ChartElement> best;
    double least = 1e9;
    for (const ChartElement &element : chartElements(layout)) {
        const QPointF away = elementRect(layout, element).center() - origin;
        const double along = QPointF::dotProduct(away, direction);
        const double aside = std::abs(QPointF::dotProduct(away, leftOf(direction)));
        // Within 60 degrees to either side; what lies straight ahead is nearer.
        if (element == from || along < 1 || aside > along * 1.8)
            continue;
        if (const double cost = along + aside * 2; cost < least) {
            least = cost;
            best = element;
        }
    }
    return best;
}

QString elementName(const ChartLayout &layout, const ChartElement &element)
{
    if (element.kind == ChartElement::Kind::State)
        return stateName(layout, layout.boxes[element.index].state, {});
    const Link &link = layout.arrows[element.index].link;
    const QString from =
        stateName(layout, link.from, QCoreApplication::translate("Chart", "Any state"));
    const QString to = stateName(
        layout, link.to, QCoreApplication::translate("Chart", "the state it last rested in"));
    return QCoreApplication::translate("Chart", "%1 to %2: %3")
        .arg(from, to, link.lines[element.line].text);
}

} // namespace instar
