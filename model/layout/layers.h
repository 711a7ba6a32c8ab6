// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

#include <vector>

namespace instar {

/// Cluster of the layered graph: a composite; the first cluster is the whole chart. In all these
/// types "above", "below" and "along" are lengths from layer to layer; "before", "after" and
/// "across" are lengths within a layer.
struct LayerCluster
{
    int node = -1; ///< -1: the whole chart
    int parent = -1;
    int depth = 0;
    int first = 0, last = 0; ///< its range of ranks
    bool isRegion = false;
    double before = 0, after = 0, above = 0, below = 0; ///< room between border and contents
    double besideBefore = 0, besideAfter = 0; ///< room outside the border for loops and notes
    double leastAcross = 0, leastAlong = 0;   ///< to fit the title; leastAlong: also loops, notes
};

/// Node of the layered graph: a box, a dot, a note, or the end of an arrow on a composite.
struct LayerPiece
{
    enum class Kind { Node, Dot, Note, Anchor };
    Kind kind = Kind::Node;
    int index = -1; ///< index of the node, the dot's edge, the note, or the anchor's cluster
    int cluster = 0;
    double before = 0, after = 0, above = 0, below = 0; ///< from the piece's centre
    int variable = -1; ///< of network simplex, for the rank; entries and exits share the border's
    int rank = -1;
};

/// End of an edge: a piece, or at first a composite as a whole.
struct LayerEnd
{
    int piece = -1;   ///< index in pieces; of a composite: -1 until fillLayers() adds an anchor
    int cluster = -1; ///< the composite
};

/// Edge of the layered graph, or a note's line, between two different ends.
struct LayerEdge
{
    int edge = -1, note = -1; ///< index in the input; one of them is -1
    LayerEnd from, to;
    bool isMinor = false;         ///< ignored in the order of the layers
    double across = 0, along = 0; ///< size of the label
    bool isDown = true;           ///< `from` lies in the higher layer
    bool isLayered = false;       ///< false: routed freely, because it fits in neither direction
    std::vector<int> chain;       ///< items from the higher end to the lower one, both included
};

/// Item of one layer: a piece, or the part of an edge or of a cluster's border in that layer.
struct LayerItem
{
    enum class Kind { Piece, Bend, Label, Begin, End }; ///< the last two: a cluster's borders
    Kind kind = Kind::Piece;
    int index = -1; ///< piece, edge or cluster
    int cluster = 0;
    int rank = 0;
    double before = 0, after = 0;
};

/// Part of an edge, or of a cluster's border, between adjacent layers.
struct LayerLink
{
    int upper = -1, lower = -1; ///< items
    int weight = 1;             ///< cost of crossing the link
    bool isBorder = false;
};

/// State of the layered layout after Sugiyama, from sizes to coordinates.
struct Layers
{
    const LayoutInput *input = nullptr;
    const Budget *budget = nullptr;
    std::vector<LayerCluster> clusters; ///< parents before their children
    std::vector<int> clusterOf;         ///< by node: its own cluster; -1: none
    std::vector<LayerPiece> pieces;
    std::vector<int> pieceOf; ///< by node; -1: a composite
    std::vector<LayerEdge> edges;
    std::vector<std::vector<int>> loopsOf, notesOf; ///< by node: self-loops and notes beside it

    int rankCount = 0;
    std::vector<LayerItem> items;
    std::vector<LayerLink> links;
    std::vector<std::vector<int>> order; ///< by rank: items

    bool isDown() const { return input->direction == LayoutInput::Direction::Down; }
    double across(const QSizeF &size) const { return isDown() ? size.width() : size.height(); }
    double along(const QSizeF &size) const { return isDown() ? size.height() : size.width(); }
    /// Wanted direction of an edge: x within a layer, y from layer to layer.
    QPoint towards(const LayerEdge &edge) const
    {
        const QPoint wanted = edge.edge < 0 ? QPoint() : input->edges[edge.edge].towards;
        return isDown() ? wanted : wanted.transposed();
    }
    /// Exceeded limit of memory or time; the state is then invalid.
    Limit limit() const;
    bool isOver() const { return limit() != Limit::None; }
    /// Returns for each item its index in its layer.
    std::vector<int> places() const;
    int clusterAround(int node) const;
    bool contains(int cluster, int inner) const;
    bool contains(int cluster, const LayerEnd &end) const;
};

/// Items beside a box in its own layer: self-loops with their labels, and notes.
struct Beside
{
    struct Loop
    {
        int edge = -1;
        bool isAfter = true;
        double at = 0; ///< along, from the box's centre
    };
    struct Note
    {
        int note = -1;
        bool isAfter = true;
        double away = 0; ///< across, from the box's border
        double at = 0;   ///< along, from the box's centre to the note's
    };
    double before = 0, after = 0; ///< room beyond the box, across the layer
    double along = 0;             ///< length along the layer that all items need
    std::vector<Loop> loops;
    std::vector<Note> notes;
};

constexpr double loopReach = 26; ///< distance from the box to the outermost point of a loop

/// Coordinates of a layered layout: within a layer by item and cluster; from layer to layer by rank
/// and cluster.
struct LayerCoordinates
{
    std::vector<int> item;       ///< by item, across
    std::vector<int> begin, end; ///< by cluster: its borders across
    std::vector<double> centre;  ///< by rank, along
    /// By rank. bandAbove: where the gap above the layer ends; bandBelow: where that below begins.
    std::vector<double> bandAbove, bandBelow;
    std::vector<double> rowAbove, rowBelow; ///< by rank: lengths from the centre to the items' ends
    std::vector<double> top, bottom;        ///< by cluster: its borders along
};

Beside besideOf(const Layers &layers, int node);

// The phases of the layout, in their order.

/// Builds the pieces, clusters and edges of an input, without ranks.
Layers layersOf(const LayoutInput &input, const Budget &budget);
/// Assigns ranks by network simplex, so that edges lead down and are short.
void rankLayers(Layers &layers);
/// Normalizes the layers: splits long edges and labels into one item per layer.
void fillLayers(Layers &layers);
/// Orders every layer for few crossings; clusters stay together and keep their sides.
void orderLayers(Layers &layers);
/// Network simplex for coordinates across the layers: neighbours keep apart, edges are straight.
void placeAcross(const Layers &layers, LayerCoordinates &coordinates);
/// Assigns coordinates along the layers, after those across: the distance between layers depends on
/// how far edges go sideways.
void placeAlong(const Layers &layers, LayerCoordinates &coordinates);
/// Builds the layout from the coordinates.
Layout routedLayers(const Layers &layers, const LayerCoordinates &coordinates);

} // namespace instar
