// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"
#include "model/layout/geometry.h"

#include <optional>

namespace instar {

/// What is to be placed: something with a size, or a composite around others. Sizes are in points.
struct LayoutNode
{
    enum class Kind {
        Box,
        Composite, ///< as large as what is in it
        Region,    ///< a composite as tall or as wide as the one around it, beside its siblings
        Entry,     ///< on the border of its parent, where arrows come in
        Exit,
    };
    Kind kind = Kind::Box;
    int parent = -1;   ///< an earlier node; -1: none
    QSizeF size;       ///< all that it covers; of a composite's title, or null
    QSizeF outline;    ///< where arrows end, in the middle of `size`; null: `size` itself
    double radius = 0; ///< of the outline's corners
    Outline::Shape shape = Outline::Shape::Rounded;
    bool isStart = false;            ///< what it leads to lies below it
    std::optional<QPointF> position; ///< the centre, where it must stay
    /// Of a composite with a position: its size; where places move apart, as far as there is room.
    QSizeF wanted;
    bool operator==(const LayoutNode &) const = default;

    bool isComposite() const { return kind == Kind::Composite || kind == Kind::Region; }
};

/// An arrow. One end may be open: it then begins or ends at a dot of its own.
struct LayoutEdge
{
    int from = -1, to = -1;
    QSizeF label;         ///< null: none
    bool isMinor = false; ///< the others decide what lies above what
    double bend = 0;      ///< how far it bows to its left between positions that are given; 0: open
    bool operator==(const LayoutEdge &) const = default;
};

/// Something beside a node, joined to it by a line.
struct LayoutNote
{
    enum class Side { Any, Left, Right, Top, Bottom };
    int of = -1; ///< -1: beside nothing
    Side side = Side::Any;
    QSizeF size;
    std::optional<QPointF> position = {}; ///< the centre; holds where nodes have positions
    bool operator==(const LayoutNote &) const = default;
};

struct LayoutInput
{
    enum class Direction { Down, Right };
    /// What becomes of positions that are too near to one another for what stands there.
    enum class Places {
        MoveApart, ///< all move apart: another program placed boxes of other sizes
        Hold,      ///< they stay, whatever covers what: a person placed these boxes
    };
    Direction direction = Direction::Down;
    Places places = Places::MoveApart;
    QList<LayoutNode> nodes; ///< parents before their children
    QList<LayoutEdge> edges;
    QList<LayoutNote> notes;
    double nodeGap = 36;  ///< between neighbours of a layer
    double layerGap = 60; ///< between layers, beside what labels need
    double padding = 24;  ///< of composites
    double dotRadius = 10;
    bool operator==(const LayoutInput &) const = default;
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
    Curve line; ///< to what it is beside; empty: nothing
    bool operator==(const PlacedNote &) const = default;
};

/// No box overlaps a box that does not contain it, but where places that hold are the reason;
/// labels overlap neither boxes, nor one another, nor the head of another arrow; what is in a
/// composite lies inside it; an arrow ends on the borders of what it connects.
struct Layout
{
    QList<QRectF> areas;       ///< by node: all that it covers
    QList<QRectF> titles;      ///< by node: where a composite's title has room; else null
    QList<LayoutRoute> routes; ///< by edge
    QList<PlacedNote> notes;
    QRectF bounds; ///< of everything
    /// The limit because of which boxes stand in plain rows, or some arrows run straight across
    /// whatever is there; None: neither.
    Limit simplifiedBy = Limit::None;
    bool operator==(const Layout &) const = default;

    Outline outline(const LayoutInput &input, int node) const;
};

/// Equal inputs give equal layouts. In layers, after Sugiyama, with one ranking for all composites.
/// Where nodes have a position, they keep it and the others are fitted in; see Places.
/// Beyond the budget a plain layout is made at once. Only limits of time and memory can make equal
/// inputs differ.
Layout layoutOf(const LayoutInput &input, const Budget &budget = {});

} // namespace instar
