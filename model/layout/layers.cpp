// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layers.h"

#include <algorithm>

namespace instar {

namespace {

constexpr double dotGap = 6; ///< around an entry or exit on a border

constexpr double loopGap = 4;     ///< between labels of loops
constexpr double loopHeight = 22; ///< of a loop without a label
constexpr double noteGap = 22;    ///< between a box and its notes
constexpr double notesGap = 8;    ///< between notes

/// Puts the loops of a node on one side (after the box if `isAfter`) if they fit, else on both.
void addLoops(const Layers &layers, int node, bool isAfter, Beside &beside)
{
    const std::vector<int> &loops = layers.loopsOf[size_t(node)];
    if (loops.empty())
        return;
    double slot = loopHeight;
    for (const int edge : loops)
        slot = std::max(slot, layers.along(layers.input->edges[edge].label) + loopGap);
    const double length = layers.along(layers.input->nodes[node].size);
    const size_t most = size_t(std::max(2.0, length / slot));
    const size_t firstCount = loops.size() <= most ? loops.size() : (loops.size() + 1) / 2;
    for (size_t i = 0; i < loops.size(); ++i) {
        const bool isFirst = i < firstCount;
        const size_t count = isFirst ? firstCount : loops.size() - firstCount;
        const size_t index = isFirst ? i : i - firstCount;
        const bool isOnAfterSide = isFirst == isAfter;
        const double label = layers.across(layers.input->edges[loops[i]].label);
        double &room = isOnAfterSide ? beside.after : beside.before;
        room = std::max(room, loopReach + (label > 0 ? label + 2 : 4));
        beside.loops.push_back(
            { loops[i], isOnAfterSide, (double(index) - (double(count) - 1) / 2) * slot });
    }
    beside.along = std::max(beside.along, double(firstCount) * slot);
}

void addNotes(const Layers &layers, const std::vector<int> &notes, bool isAfter, Beside &beside)
{
    if (notes.empty())
        return;
    double &room = isAfter ? beside.after : beside.before;
    double along = -notesGap, across = 0;
    for (const int note : notes) {
        along += layers.along(layers.input->notes[note].size) + notesGap;
        across = std::max(across, layers.across(layers.input->notes[note].size));
    }
    const double away = room + noteGap;
    double at = -along / 2;
    for (const int note : notes) {
        const double length = layers.along(layers.input->notes[note].size);
        beside.notes.push_back({ note, isAfter, away, at + length / 2 });
        at += length + notesGap;
    }
    room = away + across;
    beside.along = std::max(beside.along, along);
}

/// Builder of the layered graph of an input.
class Builder
{
public:
    Builder(const LayoutInput &input, const Budget &budget) : m_input(input)
    {
        m_layers.input = &input;
        m_layers.budget = &budget;
    }

    Layers built()
    {
        addClusters();
        addPieces();
        for (int i = 0; i < m_input.edges.size(); ++i)
            addEdge(i);
        for (int i = 0; i < m_input.notes.size(); ++i)
            addNote(i);
        makeRoomBeside();
        return std::move(m_layers);
    }

private:
    void addClusters()
    {
        const double padding = m_input.padding;
        m_layers.clusters.push_back({});
        m_layers.clusterOf.assign(size_t(m_input.nodes.size()), -1);
        std::vector<bool> hasChild(size_t(m_input.nodes.size()), false);
        for (const LayoutNode &node : m_input.nodes) {
            if (node.parent >= 0)
                hasChild[size_t(node.parent)] = true;
        }
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            const LayoutNode &node = m_input.nodes[i];
            if (!node.isComposite() || !hasChild[size_t(i)])
                continue;
            LayerCluster cluster { .node = i, .parent = m_layers.clusterAround(i) };
            cluster.depth = m_layers.clusters[size_t(cluster.parent)].depth + 1;
            cluster.isRegion = node.kind == LayoutNode::Kind::Region;
            // A region has no border: each side takes half of the gap between two regions.
            const double room = cluster.isRegion ? padding / 2 : padding;
            cluster.before = cluster.after = cluster.above = cluster.below = room;
            (m_layers.isDown() ? cluster.above : cluster.before) += node.size.height();
            const double least = m_layers.isDown() ? node.size.width() + 2 * room : 0;
            cluster.leastAcross = least;
            cluster.leastAlong = m_layers.isDown() ? 0 : node.size.width() + 2 * room;
            m_layers.clusterOf[size_t(i)] = int(m_layers.clusters.size());
            m_layers.clusters.push_back(cluster);
        }
    }

    void addPieces()
    {
        m_layers.pieceOf.assign(size_t(m_input.nodes.size()), -1);
        m_layers.loopsOf.resize(size_t(m_input.nodes.size()));
        m_layers.notesOf.resize(size_t(m_input.nodes.size()));
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            if (m_layers.clusterOf[size_t(i)] >= 0)
                continue;
            LayerPiece piece = pieceOf(m_input.nodes[i].size, m_layers.clusterAround(i));
            piece.index = i;
            const LayoutNode::Kind kind = m_input.nodes[i].kind;
            if (isOnBorder(kind) && piece.cluster > 0) {
                piece.above = piece.below = 0;
                piece.before += dotGap;
                piece.after += dotGap;
            }
            m_layers.pieceOf[size_t(i)] = addPiece(piece).piece;
        }
    }

    static bool isOnBorder(LayoutNode::Kind kind)
    {
        return kind == LayoutNode::Kind::Entry || kind == LayoutNode::Kind::Exit;
    }

    LayerPiece pieceOf(const QSizeF &size, int cluster) const
    {
        LayerPiece piece { .cluster = cluster };
        piece.before = piece.after = m_layers.across(size) / 2;
        piece.above = piece.below = m_layers.along(size) / 2;
        return piece;
    }

    LayerEnd addPiece(const LayerPiece &piece)
    {
        m_layers.pieces.push_back(piece);
        return { int(m_layers.pieces.size()) - 1, -1 };
    }

    LayerEnd endAt(int node) const
    {
        if (m_layers.pieceOf[size_t(node)] >= 0)
            return { m_layers.pieceOf[size_t(node)], -1 };
        return { -1, m_layers.clusterOf[size_t(node)] };
    }

    void addEdge(int index)
    {
        const LayoutEdge &edge = m_input.edges[index];
        if (edge.from == edge.to) {
            // A self-loop has no room beside an entry or exit.
            if (edge.from >= 0 && !isOnBorder(m_input.nodes[edge.from].kind))
                m_layers.loopsOf[size_t(edge.from)].push_back(index);
            return;
        }
        LayerEdge added { .edge = index, .isMinor = edge.isMinor };
        const auto endOf = [&](int node, int other) {
            if (node >= 0)
                return endAt(node);
            LayerPiece dot = pieceOf(QSizeF(2 * m_input.dotRadius, 2 * m_input.dotRadius),
                m_layers.clusterAround(other));
            dot.kind = LayerPiece::Kind::Dot;
            dot.index = index;
            return addPiece(dot);
        };
        added.from = endOf(edge.from, edge.to);
        added.to = endOf(edge.to, edge.from);
        if (!edge.label.isEmpty()) {
            added.across = m_layers.across(edge.label);
            added.along = m_layers.along(edge.label);
        }
        m_layers.edges.push_back(added);
    }

    void addNote(int index)
    {
        const LayoutNote &note = m_input.notes[index];
        using Side = LayoutNote::Side;
        const bool isBeside = note.of >= 0
            && (m_layers.isDown() ? note.side != Side::Top && note.side != Side::Bottom
                                  : note.side != Side::Left && note.side != Side::Right)
            && !isOnBorder(m_input.nodes[note.of].kind);
        if (isBeside) {
            m_layers.notesOf[size_t(note.of)].push_back(index);
            return;
        }
        LayerPiece piece = pieceOf(note.size, note.of < 0 ? 0 : m_layers.clusterAround(note.of));
        piece.kind = LayerPiece::Kind::Note;
        piece.index = index;
        const LayerEnd end = addPiece(piece);
        if (note.of < 0)
            return;
        const bool isAbove = note.side == Side::Top || note.side == Side::Left;
        m_layers.edges.push_back({ .note = index,
            .from = isAbove ? end : endAt(note.of),
            .to = isAbove ? endAt(note.of) : end });
    }

    void makeRoomBeside()
    {
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            const Beside room = besideOf(m_layers, i);
            if (m_layers.clusterOf[size_t(i)] >= 0) {
                LayerCluster &cluster = m_layers.clusters[size_t(m_layers.clusterOf[size_t(i)])];
                cluster.besideBefore = room.before;
                cluster.besideAfter = room.after;
                cluster.leastAlong = std::max(cluster.leastAlong, room.along);
                continue;
            }
            LayerPiece &piece = m_layers.pieces[size_t(m_layers.pieceOf[size_t(i)])];
            piece.before += room.before;
            piece.after += room.after;
            piece.above = std::max(piece.above, room.along / 2);
            piece.below = std::max(piece.below, room.along / 2);
        }
    }

    const LayoutInput &m_input;
    Layers m_layers;
};

} // namespace

Beside besideOf(const Layers &layers, int node)
{
    Beside beside;
    std::vector<int> before, after, any;
    for (const int note : layers.notesOf[size_t(node)]) {
        const LayoutNote::Side side = layers.input->notes[note].side;
        (side == LayoutNote::Side::Any                                            ? any
                : side == LayoutNote::Side::Left || side == LayoutNote::Side::Top ? before
                                                                                  : after)
            .push_back(note);
    }
    const bool hasLoops = !layers.loopsOf[size_t(node)].empty();
    std::vector<int> &emptier =
        (hasLoops && before.empty()) || before.size() < after.size() ? before : after;
    emptier.insert(emptier.end(), any.begin(), any.end());
    addLoops(layers, node, after.empty() || !before.empty(), beside);
    addNotes(layers, before, false, beside);
    addNotes(layers, after, true, beside);
    return beside;
}

Layers layersOf(const LayoutInput &input, const Budget &budget)
{
    return Builder(input, budget).built();
}

Limit Layers::limit() const
{
    constexpr qint64 itemBytes = 400; // an estimate that includes the item's links
    if (qint64(items.size()) * itemBytes > budget->bytes)
        return Limit::Memory;
    return budget->interruption();
}

std::vector<int> Layers::places() const
{
    std::vector<int> result(items.size());
    for (const std::vector<int> &layer : order) {
        for (size_t i = 0; i < layer.size(); ++i)
            result[size_t(layer[i])] = int(i);
    }
    return result;
}

int Layers::clusterAround(int node) const
{
    const int parent = input->nodes[node].parent;
    return parent < 0 || clusterOf[size_t(parent)] < 0 ? 0 : clusterOf[size_t(parent)];
}

bool Layers::contains(int cluster, int inner) const
{
    while (inner >= 0 && clusters[size_t(inner)].depth > clusters[size_t(cluster)].depth)
        inner = clusters[size_t(inner)].parent;
    return inner == cluster;
}

bool Layers::contains(int cluster, const LayerEnd &end) const
{
    return contains(cluster, end.piece >= 0 ? pieces[size_t(end.piece)].cluster : end.cluster);
}

} // namespace instar
