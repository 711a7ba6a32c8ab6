// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/textplan.h"

#include <functional>

namespace instar {

// Positions in notations that have none: comment lines, which other tools ignore.

/// Place around a centre, as large as states usually are.
QRectF usualPlace(const QPointF &centre, Vertex::Kind kind);

/// Whether a text can tell where a vertex lies: one with a name, or the chart's own dot.
bool canTellPlace(const Vertex &vertex, VertexForm form);

/// "@instar position X Y NAME" for each vertex that has a place: its centre in points, and its name
/// in the text, "[*]" for the chart's own dot.
QStringList placeComments(const TextPlan &plan);

/// Gives the vertices of a chart the places that comments tell, and removes these comments.
/// `prefix`: what a comment begins with; `named`: the index of the vertex of a name, or -1.
void takePlaceComments(QStringList *comments, QStringView prefix, Statechart *chart,
    const std::function<int(const QString &name)> &named);

} // namespace instar
