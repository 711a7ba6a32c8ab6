// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Segment of an edge with one coordinate across the layers.
struct Run
{
    double across = 0;
    double from = 0, to = 0; ///< along
    int firstRank = 0, lastRank = 0;
    double freeFrom = 0, freeTo = 0; ///< along: earliest next bend; latest end of the last one
    QPointF foot;                    ///< of a first or last run: its end on the box...
    QPointF out;                     ///< ... and the direction away from the box; null: straight on
};

/// Adds a run, or extends the last one if that has the same coordinate.
void append(std::vector<Run> &runs, const Run &next);

/// Spline router: joins runs by curves that swing as widely as there is room for.
class Bending
{
public:
    Bending(const Layers &layers, const LayerCoordinates &coordinates);
    /// Returns the spline in coordinates across and along.
    Curve joined(const std::vector<Run> &runs) const;

private:
    static Bezier hook(const Run &run, const QPointF &from);
    Bezier swing(const Run &upper, const Run &lower, double above, double below) const;
    bool isFree(const Bezier &curve, const Run &upper, const Run &lower) const;
    bool isFreeIn(int rank, const Bezier &curve) const;

    const Layers &m_layers;
    const LayerCoordinates &m_coordinates;
};

} // namespace instar
