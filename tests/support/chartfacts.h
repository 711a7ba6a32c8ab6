// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

#include <QHash>

#include <algorithm>

namespace instar {

/// What a diagram shows, as lines to compare: vertices with their nesting, labels and descriptions,
/// arrows in order, notes. Regions are numbered, what is of one kind to PlantUML 1.2020.2 is one.
QStringList chartFacts(const Statechart &chart);

/// The charts with their arrows in the order of the vertices that they leave; with regions, those
/// of one vertex in an order that does not depend on the text. Texts with bodies keep no more of
/// it.
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
