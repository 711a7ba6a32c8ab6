// SPDX-License-Identifier: Apache-2.0
#include "model/charts/notation/chartplaces.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QString ChartDot = u"[*]"_s;
constexpr double FarthestPlace = 1e7;

bool isChartDot(const Vertex &vertex)
{
    return vertex.kind == Vertex::Kind::Initial && vertex.parent.isEmpty();
}

QString coordinate(double value)
{
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

} // namespace

QRectF usualPlace(const QPointF &centre, Vertex::Kind kind)
{
    const QSizeF size = kind == Vertex::Kind::Initial ? QSizeF(20, 20) : QSizeF(120, 44);
    return { centre - QPointF(size.width() / 2, size.height() / 2), size };
}

bool canTellPlace(const Vertex &vertex, VertexForm form)
{
    return form == VertexForm::Named || (form == VertexForm::Dot && isChartDot(vertex));
}

QStringList placeComments(const TextPlan &plan)
{
    QStringList comments;
    for (int i = 1; i < plan.tree().size(); ++i) {
        if (!plan.node(i).vertex || !plan.vertex(i).place
            || !canTellPlace(plan.vertex(i), plan.form(i)))
            continue;
        const QPointF centre = plan.vertex(i).place->center();
        comments += u"@instar position %1 %2 %3"_s.arg(coordinate(centre.x()),
            coordinate(centre.y()), plan.form(i) == VertexForm::Named ? plan.code(i) : ChartDot);
    }
    return comments;
}

void takePlaceComments(QStringList *comments, QStringView prefix, Statechart *chart,
    const std::function<int(const QString &name)> &named)
{
    static const QRegularExpression position(u"^\\s*@instar position (\\S+) (\\S+) (.+)$"_s);
    comments->removeIf([&](const QString &comment) {
        if (!comment.startsWith(prefix))
            return false;
        const QRegularExpressionMatch match =
            position.match(QStringView(comment).sliced(prefix.size()).toString());
        if (!match.hasMatch())
            return false;
        const QString name = match.captured(3).trimmed();
        const auto dot = std::ranges::find_if(chart->vertices, isChartDot);
        const auto index = name != ChartDot ? named(name)
            : dot == chart->vertices.end()  ? -1
                                            : int(dot - chart->vertices.begin());
        const QPointF centre(match.captured(1).toDouble(), match.captured(2).toDouble());
        const bool isNear =
            std::abs(centre.x()) < FarthestPlace && std::abs(centre.y()) < FarthestPlace;
        if (index < 0 || !isNear) // not a number is not near either
            return false;
        Vertex &vertex = chart->vertices[index];
        vertex.place = usualPlace(centre, vertex.kind);
        return true;
    });
}

} // namespace instar
