// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"
#include "model/layout/geometry.h"

#include <optional>

namespace instar {

/// Node to be placed: a box with a size, or a composite around other nodes. Sizes are in points.
struct LayoutNode
{
    enum class Kind {
        Box,
        Composite, ///< as large as its contents
        Region,    ///< part of a composite, as tall or as wide as the composite
        Entry,     ///< on the border of its parent, where arrows enter
        Exit,      ///< on the border of its parent, where arrows leave
    };
    Kind kind = Kind::Box;
    int parent = -1;   ///< an earlier node; -1: none
    QSizeF size;       ///< of the whole box; of a composite: size of its title, or null
    QSizeF outline;    ///< box at which arrows end, in the middle of `size`; null: `size`
    double radius = 0; ///< of the outline's corners
    Outline::Shape shape = Outline::Shape::Rounded;
    bool isStart = false;            ///< initial node: its targets lie below
    std::optional<QPointF> position; ///< the fixed centre
    QSizeF wanted;                   ///< least size of a composite with a position
    bool operator==(const LayoutNode &) const = default;

    bool isComposite() const { return kind == Kind::Composite || kind == Kind::Region; }
};

/// Arrow between nodes. An end without a node (-1) is open and gets a dot of its own.
struct LayoutEdge
{
    int from = -1, to = -1;
    QSizeF label;         ///< null: none
    bool isMinor = false; ///< ignored in the vertical order
    double bend = 0;      ///< bow to the left, in points, if nodes have positions; 0: automatic
    /// Wanted direction to its target, such as (-1, 0) for left; null: any. Obeyed where other
    /// edges allow it.
    QPoint towards = {};
    bool operator==(const LayoutEdge &) const = default;

    bool isOpposite(const LayoutEdge &other) const { return other.from == to && other.to == from; }
    /// True if both edges join the same two nodes, in any direction.
    bool isTwin(const LayoutEdge &other) const
    {
        return (from == other.from && to == other.to) || isOpposite(other);
    }
};

/// Note beside a node, joined to it by a line.
struct LayoutNote
{
    enum class Side { Any, Left, Right, Top, Bottom };
    int of = -1; ///< -1: no node
    Side side = Side::Any;
    QSizeF size;
    std::optional<QPointF> position = {}; ///< the fixed centre, if nodes have positions
    bool operator==(const LayoutNote &) const = default;
};

struct LayoutInput // lengths are in points
{
    enum class Direction { Down, Right };
    Direction direction = Direction::Down;
    QList<LayoutNode> nodes; ///< parents before their children
    QList<LayoutEdge> edges;
    QList<LayoutNote> notes;
    double nodeGap = 36;   ///< between neighbours of a layer
    double layerGap = 60;  ///< between layers, beside the room for labels
    double padding = 24;   ///< between a composite's border and its contents
    double dotRadius = 10; ///< of open ends
    /// Length along the layers beyond which a chart without positions is wrapped into rows (of
    /// layers to the right) or columns, nearly 8:5 in all; 0: never. Composites stay whole.
    double wrapsBeyond = 0;
    bool operator==(const LayoutInput &) const = default;

    /// True if a node is `outer`, or lies in the composite `outer` at any depth.
    bool contains(int outer, int node) const;
    /// Indices of the composites that contain a node, innermost first.
    QList<int> framesAround(int node) const;
};

struct LayoutRoute
{
    Curve curve;  ///< from border to border, or from or to the dot; never empty
    QRectF label; ///< null where there is none
    QRectF dot;   ///< of an open end; else null
    bool operator==(const LayoutRoute &) const = default;
};

struct PlacedNote
{
    QRectF rect;
    Curve line; ///< to its node; empty: none
    bool operator==(const PlacedNote &) const = default;
};

/// Result of a layout. Boxes overlap only boxes that contain them, unless their positions were
/// given; labels overlap neither boxes, nor one another, nor the head of another arrow; composites
/// contain their children; an arrow ends on the borders of the boxes that it connects.
struct Layout
{
    QList<QRectF> areas;       ///< by node: its whole area
    QList<LayoutRoute> routes; ///< by edge
    QList<PlacedNote> notes;
    QRectF bounds; ///< of everything
    /// Limit that forced boxes into plain rows, or some arrows to run straight across boxes.
    Limit simplifiedBy = Limit::None;
    bool operator==(const Layout &) const = default;

    Outline outline(const LayoutInput &input, int node) const;
};

/// Layered layout after Sugiyama, with one ranking for all composites. Nodes with a position keep
/// it, even if boxes overlap, because a person chose it; the others are fitted in. If the budget is
/// exceeded, a plain layout is returned. Deterministic, except for limits of time and memory.
///
/// `before`: layout of the same nodes, edges and notes before an edit, with null areas and empty
/// curves for new ones; empty: there is none. If nodes have positions, an edge between two nodes
/// that have not moved keeps its route, unless something moved or new now covers it.
Layout layoutOf(const LayoutInput &input, const Budget &budget = {}, const Layout &before = {});

} // namespace instar
