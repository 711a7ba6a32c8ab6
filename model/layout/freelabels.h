// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Obstacles of freely routed edges, and the costs of covering them. Costs have no unit.
class FreeScene
{
public:
    FreeScene(const LayoutInput &input, Layout &layout);

    /// Adds an edge's current route to the obstacles.
    void add(int edge);
    void remove(int edge);

    /// Candidate route, with points along it.
    struct Trial
    {
        explicit Trial(const LayoutRoute &tried);

        LayoutRoute route;
        QList<QPointF> line;
    };
    /// Returns the cost of the line. Stops at the limit: a cost below the limit is exact, a larger
    /// cost is a lower bound.
    double lineCost(int edge, const Trial &trial, double limit) const;
    /// Puts the label where it costs least, and returns the cost. Stops at the limit as lineCost().
    double placeLabel(int edge, Trial &trial, double limit) const;
    /// Moves a label, or the dot of an edge's open end, to where it overlaps nothing, however far.
    void freeLabel(int edge);
    void freeDot(int edge);

    /// Boxes that an edge has to avoid.
    QList<QRectF> obstacles(int edge, double clearance) const;

private:
    struct Box
    {
        QRectF area, title;
        bool isFrame = false;
    };
    /// Curve of a placed edge, sampled.
    struct Line
    {
        QList<QPointF> points;
        QRectF bounds, head;
        bool isPlaced = false;
    };
    bool hidesTwin(int edge) const; ///< the edge lies on another one between the same nodes
    double labelCost(int edge, const QRectF &rect, const Trial &trial, double limit) const;
    bool isBlocked(int edge, const QRectF &rect) const; ///< for the edge's label
    static QRectF headOf(const QList<QPointF> &line);
    static double closeEndsCost(const QList<QPointF> &a, const QList<QPointF> &b);
    /// Candidate centres of a label, best first.
    QList<QPointF> labelCentres(int edge, const LayoutRoute &route) const;

    const LayoutInput &m_input;
    Layout &m_layout;
    QList<Box> m_boxes;      ///< by node; then the notes
    QList<QList<int>> m_own; ///< by edge: indexes of the boxes at its ends and of their frames
    QList<Line> m_lines;     ///< by edge
};

} // namespace instar
