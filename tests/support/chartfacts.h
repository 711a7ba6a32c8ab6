// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

#include <QHash>

#include <algorithm>

namespace instar {

/// Describes what a diagram shows as comparable lines: vertices with nesting, labels and
/// descriptions, arrows in order, notes. Numbers regions; merges kinds that PlantUML 1.2020.2
/// merges.
QStringList chartFacts(const Statechart &chart);

/// Children of a vertex ("": of the statechart itself), in document order.
inline QList<const Vertex *> verticesIn(const Statechart &chart, const QString &parent)
{
    QList<const Vertex *> result;
    for (const Vertex &each : chart.vertices)
        if (each.parent == parent)
            result += &each;
    return result;
}

/// Sorts arrows by their source vertex and, in charts with regions, also by target and label:
/// formats with nested bodies preserve no other order.
inline QList<Statechart> sortedArrows(QList<Statechart> charts)
{
    for (Statechart &chart : charts) {
        QHash<QString, qsizetype> places;
        for (const Vertex &vertex : std::as_const(chart.vertices))
            places.insert(vertex.id, places.size());
        const bool hasRegions = std::ranges::any_of(chart.vertices,
            [](const Vertex &vertex) { return vertex.kind == Vertex::Kind::Parallel; });
        std::ranges::stable_sort(chart.arcs, {}, [&](const Arc &arc) {
            return std::pair(places.value(arc.from, -1),
                hasRegions
                    ? arc.to + QStringList { arc.event, arc.condition, arc.action, arc.label }
                    : QStringList());
        });
    }
    return charts;
}

} // namespace instar
