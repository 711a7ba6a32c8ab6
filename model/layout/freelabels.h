// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// What stands where while edges are routed freely, and what it costs to be in its way.
class FreeScene
{
public:
    FreeScene(const LayoutInput &input, Layout &layout);

    /// Counts with an edge's route as the layout has it.
    void add(int edge);
    void remove(int edge);

    /// A route that is tried, and the points along it.
    struct Trial
    {
        explicit Trial(const LayoutRoute &tried);

        LayoutRoute route;
        QList<QPointF> line;
    };
    /// What it costs; exact below the limit. From there on it is only known to be no less than the
    /// limit, since nothing further is looked at.
    double lineCost(int edge, const Trial &trial, double limit) const;
    /// Puts the label where it costs least; that cost, as exact as that of the line.
    double placeLabel(int edge, Trial &trial, double limit) const;
    /// Whatever the curves look like: no label, and no dot, stays on something else.
    void freeLabel(int edge);
    void freeDot(int edge);

    /// What an edge has to go around.
    QList<QRectF> obstacles(int edge, double clearance) const;

private:
    struct Box
    {
        QRectF area, title;
        bool isFrame = false;
    };
    bool areTwins(int edge, int other) const;
    bool hidesTwin(int edge) const;
    bool isOwn(int box, int edge) const;
    bool isOutside(int frame, int edge) const;
    double labelCost(int edge, const QRectF &rect, const Trial &trial, double limit) const;
    bool isBlocked(int edge, const QRectF &rect) const;
    static QRectF headOf(const QList<QPointF> &line);
    static double closeness(const QList<QPointF> &a, const QList<QPointF> &b);
    QList<QPointF> places(int edge, const LayoutRoute &route) const;

    const LayoutInput &m_input;
    Layout &m_layout;
    QList<Box> m_boxes;            ///< by node; then the notes
    QList<QList<int>> m_own;       ///< by edge: its ends, and the frames around them
    QList<QList<QPointF>> m_lines; ///< by edge: its curve, sampled
    QList<QRectF> m_bounds, m_heads;
    QList<bool> m_isPlaced;
};

} // namespace instar
