// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layers.h"
#include "model/layout/simplex.h"

#include <algorithm>
#include <cmath>

namespace instar {

namespace {

/// Rank assignment of pieces, and of the first and last layer of every cluster, by network simplex.
class Ranking
{
public:
    explicit Ranking(Layers &layers) : m_layers(layers) { }

    void rank()
    {
        numberVariables();
        sortEdges();
        m_simplex.emplace(m_variables, *m_layers.budget);
        m_next.resize(size_t(m_variables));
        requireNesting();
        spreadUnconnected();
        countCrossing();
        for (const int edge : m_edgeOrder) {
            if (m_layers.isOver())
                return;
            constrain(edge);
        }
        apply(m_simplex->solved());
    }

private:
    // Variables of the first and the last rank of a cluster.
    int top(int cluster) const { return m_firstBorder + 2 * spanOf(cluster); }
    int bottom(int cluster) const { return m_firstBorder + 2 * spanOf(cluster) + 1; }

    /// Returns the cluster whose layers a cluster spans: the parent of a region, else itself.
    int spanOf(int cluster) const
    {
        while (m_layers.clusters[size_t(cluster)].isRegion)
            cluster = m_layers.clusters[size_t(cluster)].parent;
        return cluster;
    }

    void numberVariables()
    {
        for (LayerPiece &piece : m_layers.pieces)
            piece.variable = m_variables++;
        m_firstBorder = m_variables;
        m_variables += 2 * int(m_layers.clusters.size());
        for (LayerPiece &piece : m_layers.pieces) {
            if (piece.kind != LayerPiece::Kind::Node || piece.cluster == 0)
                continue;
            const LayoutNode::Kind kind = m_layers.input->nodes[piece.index].kind;
            if (kind == LayoutNode::Kind::Entry)
                piece.variable = top(piece.cluster);
            else if (kind == LayoutNode::Kind::Exit)
                piece.variable = bottom(piece.cluster);
        }
        for (const LayerEdge &edge : m_layers.edges) {
            if (m_layers.towards(edge).x() != 0)
                putBeside(edge);
        }
    }

    /// Gives two boxes of a composite one rank, with room for the label between them, unless the
    /// row gets long.
    void putBeside(const LayerEdge &edge)
    {
        constexpr std::ptrdiff_t mostInRow = 6;
        if (edge.from.piece < 0 || edge.to.piece < 0)
            return;
        LayerPiece &from = m_layers.pieces[size_t(edge.from.piece)];
        LayerPiece &to = m_layers.pieces[size_t(edge.to.piece)];
        const int kept = from.variable, merged = to.variable;
        const auto isInRow = [&](const LayerPiece &piece) {
            return piece.variable == kept || piece.variable == merged;
        };
        constexpr auto box = LayerPiece::Kind::Node;
        if (from.kind != box || to.kind != box || from.cluster != to.cluster
            || std::max(kept, merged) >= m_firstBorder
            || std::ranges::count_if(m_layers.pieces, isInRow) > mostInRow)
            return;
        for (LayerPiece &piece : m_layers.pieces)
            piece.variable = isInRow(piece) ? kept : piece.variable;
        (m_layers.towards(edge).x() > 0 ? from : to).after += edge.across;
        m_sharesRanks = true;
    }

    void requireNesting()
    {
        for (const LayerPiece &piece : m_layers.pieces) {
            if (piece.variable >= m_firstBorder)
                continue;
            require(top(piece.cluster), piece.variable, 0);
            require(piece.variable, bottom(piece.cluster), 0);
            // Prefers the highest of several ranks with equal cost.
            m_simplex->shorten(top(0), piece.variable, 1);
        }
        for (int i = 0; i < int(m_layers.clusters.size()); ++i) {
            if (m_layers.clusters[size_t(i)].isRegion)
                continue;
            require(top(i), bottom(i), 0);
            m_simplex->shorten(top(i), bottom(i), 16);
            if (i == 0)
                continue;
            const int around = m_layers.clusters[size_t(i)].parent;
            require(top(around), top(i), 0);
            require(bottom(i), bottom(around), 0);
        }
    }

    /// Puts boxes without arrows into rows of a roughly rectangular block.
    void spreadUnconnected()
    {
        constexpr size_t few = 10; // fit into one row
        std::vector<bool> isJoined(m_layers.pieces.size(), false);
        for (const LayerEdge &edge : m_layers.edges) {
            for (const LayerEnd &end : { edge.from, edge.to }) {
                if (end.piece >= 0)
                    isJoined[size_t(end.piece)] = true;
            }
        }
        std::vector<std::vector<int>> unconnected(m_layers.clusters.size());
        for (size_t i = 0; i < m_layers.pieces.size(); ++i) {
            const LayerPiece &piece = m_layers.pieces[i];
            if (!isJoined[i] && piece.kind == LayerPiece::Kind::Node
                && piece.variable < m_firstBorder)
                unconnected[size_t(piece.cluster)].push_back(int(i));
        }
        for (const std::vector<int> &pieces : unconnected) {
            if (pieces.size() <= few)
                continue;
            const size_t row = rowLength(pieces);
            for (size_t i = row; i < pieces.size(); ++i)
                require(m_layers.pieces[size_t(pieces[i - row])].variable,
                    m_layers.pieces[size_t(pieces[i])].variable, m_rankStep);
        }
    }

    size_t rowLength(const std::vector<int> &pieces) const
    {
        constexpr double flatness = 1.5; ///< width to height
        double across = 0, along = 0;
        for (const int each : pieces) {
            const LayerPiece &piece = m_layers.pieces[size_t(each)];
            across += piece.before + piece.after + m_layers.input->nodeGap;
            along += piece.above + piece.below + m_layers.input->layerGap;
        }
        const double shape = m_layers.isDown() ? flatness : 1 / flatness;
        return size_t(std::ceil(std::sqrt(double(pieces.size()) * shape * along / across)));
    }

    void require(int upper, int lower, int length)
    {
        m_simplex->require(upper, lower, length);
        if (upper != lower)
            m_next[size_t(upper)].push_back(lower);
    }

    /// Cycle removal: depth-first search from the start, then from the sources; an edge against
    /// this order is reversed.
    void sortEdges()
    {
        const size_t pieces = m_layers.pieces.size();
        const size_t count = pieces + m_layers.clusters.size();
        const auto nodeOf = [&](const LayerEnd &end) {
            return end.piece >= 0 ? size_t(end.piece) : pieces + size_t(end.cluster);
        };
        std::vector<std::vector<size_t>> next(count);
        std::vector<bool> isTarget(count, false);
        for (const LayerEdge &edge : m_layers.edges) {
            if (edge.isMinor)
                continue;
            const bool isUp = m_layers.towards(edge).y() < 0;
            const size_t upper = nodeOf(isUp ? edge.to : edge.from),
                         lower = nodeOf(isUp ? edge.from : edge.to);
            next[upper].push_back(lower);
            isTarget[lower] = true;
        }
        // The search enters a composite's contents, and leaves them for the composite's targets.
        for (size_t i = 0; i < pieces; ++i) {
            if (m_layers.pieces[i].cluster == 0)
                continue;
            const size_t around = pieces + size_t(m_layers.pieces[i].cluster);
            next[around].push_back(i);
            next[i].push_back(around);
        }
        for (size_t i = 1; i < m_layers.clusters.size(); ++i) {
            const size_t around = pieces + size_t(m_layers.clusters[i].parent);
            next[around].push_back(pieces + i);
            next[pieces + i].push_back(around);
        }
        m_order.assign(count, -1);
        int left = int(count);
        const auto priorityOf = [&](size_t piece) {
            const LayerPiece &each = m_layers.pieces[piece];
            if (each.kind == LayerPiece::Kind::Dot)
                return 3;
            const bool isNode = each.kind == LayerPiece::Kind::Node;
            if (isNode && m_layers.input->nodes[each.index].isStart)
                return 0;
            return isTarget[piece] ? 2 : 1;
        };
        for (const int priority : { 0, 1, 2, 3 }) {
            for (size_t i = 0; i < pieces; ++i) {
                if (priorityOf(i) == priority)
                    walk(i, next, left);
            }
        }
        for (size_t i = pieces; i < count; ++i)
            walk(i, next, left);
        // No edge leads down to the start.
        for (size_t i = 0; i < pieces; ++i) {
            if (priorityOf(i) == 0)
                m_order[i] = -1;
        }

        for (int i = 0; i < int(m_layers.edges.size()); ++i) {
            LayerEdge &edge = m_layers.edges[size_t(i)];
            edge.isDown = m_order[nodeOf(edge.from)] < m_order[nodeOf(edge.to)];
            m_edgeOrder.push_back(i);
        }
        std::ranges::stable_sort(m_edgeOrder, {}, [this](int edge) {
            const LayerEdge &row = m_layers.edges[size_t(edge)];
            return (row.isMinor ? 2 : 0) + (row.isDown ? 0 : 1);
        });
    }

    /// Numbers the reachable nodes in reverse postorder, counting down from `left`.
    void walk(size_t from, const std::vector<std::vector<size_t>> &next, int &left)
    {
        constexpr int visited = -2;
        if (m_order[from] != -1)
            return;
        std::vector<std::pair<size_t, size_t>> stack { { from, 0 } };
        m_order[from] = visited;
        while (!stack.empty()) {
            auto &[at, step] = stack.back();
            if (step == next[at].size()) {
                m_order[at] = --left;
                stack.pop_back();
                continue;
            }
            const size_t to = next[at][step++];
            if (m_order[to] == -1) {
                m_order[to] = visited;
                stack.emplace_back(to, 0);
            }
        }
    }

    /// Variable of an end: for a composite, that of its border on the side of `other`.
    int variableOf(const LayerEnd &end, const LayerEnd &other, bool isUpper) const
    {
        if (end.piece >= 0)
            return m_layers.pieces[size_t(end.piece)].variable;
        return isUpper == m_layers.contains(end.cluster, other) ? top(end.cluster)
                                                                : bottom(end.cluster);
    }

    /// Makes an edge lead down; or up, if leading down would form a cycle with clusters' borders.
    void constrain(int index)
    {
        LayerEdge &edge = m_layers.edges[size_t(index)];
        for (const bool isDown : { edge.isDown, !edge.isDown }) {
            const LayerEnd &upper = isDown ? edge.from : edge.to;
            const LayerEnd &lower = isDown ? edge.to : edge.from;
            const int a = variableOf(upper, lower, true), b = variableOf(lower, upper, false);
            if (a == b || isReachable(b, a))
                continue;
            edge.isDown = isDown;
            edge.isLayered = true;
            require(a, b, m_rankStep);
            // Prefers edges that enter a composite from above and leave it below.
            if (const int entered = outermost(lower, upper); entered > 0)
                keepAbove(a, top(entered), entered);
            if (const int left = outermost(upper, lower); left > 0)
                keepAbove(bottom(left), b, left);
            // Of two edges that cannot both be short, the labelled one stays short.
            m_simplex->shorten(a, b, 16 * (edge.isMinor ? 1 : edge.across > 0 ? 4 : 3));
            return;
        }
    }

    void countCrossing()
    {
        m_crossing.assign(m_layers.clusters.size(), 0);
        for (const LayerEdge &edge : m_layers.edges) {
            ++m_crossing[size_t(outermost(edge.from, edge.to))];
            ++m_crossing[size_t(outermost(edge.to, edge.from))];
        }
    }

    /// Outermost cluster around one end, but not around the other; 0: none.
    int outermost(const LayerEnd &end, const LayerEnd &other) const
    {
        int result = 0;
        const int inner = end.piece >= 0 ? m_layers.pieces[size_t(end.piece)].cluster
                                         : m_layers.clusters[size_t(end.cluster)].parent;
        for (int at = inner; at > 0 && !m_layers.contains(at, other);
             at = m_layers.clusters[size_t(at)].parent)
            result = at;
        return result;
    }

    /// Adds a soft constraint, whose cost is proportional to the violation. The weight is high if
    /// few edges cross the cluster's border: the constraints of many edges would conflict.
    void keepAbove(int upper, int lower, int cluster)
    {
        constexpr int few = 4;
        const int weight = m_crossing[size_t(cluster)] <= few ? 96 : 16;
        const int last = m_simplex->addVariable();
        m_simplex->require(upper, last, m_rankStep);
        m_simplex->require(lower, last, 0);
        m_simplex->shorten(lower, last, weight);
    }

    bool isReachable(int from, int to)
    {
        // Without clusters and shared ranks, cycle removal has left no cycle.
        if (m_layers.clusters.size() == 1 && !m_sharesRanks)
            return false;
        m_isVisited.assign(size_t(m_variables), false);
        std::vector<int> stack { from };
        m_isVisited[size_t(from)] = true;
        while (!stack.empty()) {
            const int at = stack.back();
            stack.pop_back();
            if (at == to)
                return true;
            for (const int next : m_next[size_t(at)]) {
                if (!m_isVisited[size_t(next)]) {
                    m_isVisited[size_t(next)] = true;
                    stack.push_back(next);
                }
            }
        }
        return false;
    }

    void apply(const std::vector<int> &ranks)
    {
        int deepest = 0;
        for (LayerPiece &piece : m_layers.pieces) {
            piece.rank = ranks[size_t(piece.variable)];
            deepest = std::max(deepest, piece.rank);
        }
        for (int i = 0; i < int(m_layers.clusters.size()); ++i) {
            LayerCluster &cluster = m_layers.clusters[size_t(i)];
            cluster.first = ranks[size_t(top(i))];
            cluster.last = ranks[size_t(bottom(i))];
            deepest = std::max(deepest, cluster.last);
        }
        m_layers.rankCount = deepest + 1;
        m_layers.clusters[0].first = 0;
        m_layers.clusters[0].last = deepest;
    }

    static constexpr int m_rankStep = 2; ///< least length of an edge: every second rank has labels

    Layers &m_layers;
    std::optional<Simplex> m_simplex;
    int m_variables = 0, m_firstBorder = 0;
    bool m_sharesRanks = false;   ///< some pieces have the same variable
    std::vector<int> m_order;     ///< by piece, then by cluster: number in reverse postorder
    std::vector<int> m_edgeOrder; ///< edges in the order of their importance
    std::vector<int> m_crossing;  ///< by cluster: number of edges that cross its border
    std::vector<std::vector<int>> m_next; ///< by variable: variables below it
    std::vector<bool> m_isVisited;
};

/// Number of crossings that cost as much as an edge through a foreign composite.
constexpr int borderWeight = 4;

/// Normalization of the layers: adds one item per layer for each edge and each cluster's border.
class Normalization
{
public:
    explicit Normalization(Layers &layers) : m_layers(layers) { }

    void fill()
    {
        for (LayerEdge &edge : m_layers.edges)
            settleEnds(edge);
        placeLabels();
        dropEmptyRanks();
        addPieces();
        addBorders();
        for (int i = 0; i < int(m_layers.edges.size()); ++i) {
            if (m_layers.isOver())
                return;
            if (m_layers.edges[size_t(i)].isLayered)
                addChain(i);
        }
    }

private:
    LayerPiece &piece(int index) { return m_layers.pieces[size_t(index)]; }
    LayerCluster &cluster(int index) { return m_layers.clusters[size_t(index)]; }

    /// Anchors an edge to a whole composite on the border that faces the other end.
    void settleEnds(LayerEdge &edge)
    {
        if (!edge.isLayered)
            return;
        LayerEnd &upper = edge.isDown ? edge.from : edge.to;
        LayerEnd &lower = edge.isDown ? edge.to : edge.from;
        const auto rankOf = [this](const LayerEnd &end, const LayerEnd &other, bool isUpper) {
            if (end.piece >= 0)
                return piece(end.piece).rank;
            return isUpper == m_layers.contains(end.cluster, other) ? cluster(end.cluster).first
                                                                    : cluster(end.cluster).last;
        };
        const int first = rankOf(upper, lower, true), last = rankOf(lower, upper, false);
        if (last - first < 2) {
            edge.isLayered = false;
            return;
        }
        for (LayerEnd *end : { &upper, &lower }) {
            if (end->piece >= 0)
                continue;
            LayerPiece anchor { .kind = LayerPiece::Kind::Anchor,
                .index = end->cluster,
                .cluster = end->cluster,
                .rank = end == &upper ? first : last };
            end->piece = int(m_layers.pieces.size());
            m_layers.pieces.push_back(anchor);
        }
    }

    /// Puts each label in the middle of its edge, in a layer between boxes.
    void placeLabels()
    {
        m_labelRank.assign(m_layers.edges.size(), -1);
        for (size_t i = 0; i < m_layers.edges.size(); ++i) {
            const LayerEdge &edge = m_layers.edges[i];
            if (!edge.isLayered || edge.across <= 0)
                continue;
            const int first = piece(edge.from.piece).rank, last = piece(edge.to.piece).rank;
            int middle = (first + last) / 2;
            if (middle % 2 == 0)
                middle += first < last ? -1 : 1;
            m_labelRank[i] = middle;
        }
    }

    void dropEmptyRanks()
    {
        std::vector<bool> isUsed(size_t(m_layers.rankCount), false);
        for (const LayerPiece &each : m_layers.pieces)
            isUsed[size_t(each.rank)] = true;
        for (const int rank : m_labelRank) {
            if (rank >= 0)
                isUsed[size_t(rank)] = true;
        }
        for (const LayerCluster &each : m_layers.clusters)
            isUsed[size_t(each.first)] = isUsed[size_t(each.last)] = true;
        std::vector<int> renamed(size_t(m_layers.rankCount), 0);
        int next = 0;
        for (size_t i = 0; i < isUsed.size(); ++i) {
            renamed[i] = next;
            next += isUsed[i] ? 1 : 0;
        }
        m_layers.rankCount = next;
        for (LayerPiece &each : m_layers.pieces)
            each.rank = renamed[size_t(each.rank)];
        for (LayerCluster &each : m_layers.clusters) {
            each.first = renamed[size_t(each.first)];
            each.last = renamed[size_t(each.last)];
        }
        for (int &rank : m_labelRank)
            rank = rank < 0 ? rank : renamed[size_t(rank)];
    }

    int addItem(const LayerItem &item)
    {
        m_layers.items.push_back(item);
        return int(m_layers.items.size()) - 1;
    }

    /// Adds one item per piece, before all other items.
    void addPieces()
    {
        for (int i = 0; i < int(m_layers.pieces.size()); ++i) {
            const LayerPiece &each = piece(i);
            addItem({ .kind = LayerItem::Kind::Piece,
                .index = i,
                .cluster = each.cluster,
                .rank = each.rank,
                .before = each.before,
                .after = each.after });
        }
    }

    void addBorders()
    {
        for (int i = 1; i < int(m_layers.clusters.size()); ++i) {
            for (const auto kind : { LayerItem::Kind::Begin, LayerItem::Kind::End }) {
                for (int rank = cluster(i).first; rank <= cluster(i).last; ++rank) {
                    const int item =
                        addItem({ .kind = kind, .index = i, .cluster = i, .rank = rank });
                    if (rank > cluster(i).first)
                        m_layers.links.push_back({ item - 1, item, borderWeight, true });
                }
            }
        }
    }

    void addChain(int index)
    {
        LayerEdge &edge = m_layers.edges[size_t(index)];
        const int upper = edge.isDown ? edge.from.piece : edge.to.piece;
        const int lower = edge.isDown ? edge.to.piece : edge.from.piece;
        edge.chain.push_back(upper);
        std::vector<int> down = lineage(piece(lower).cluster), up = lineage(piece(upper).cluster);
        for (int rank = piece(upper).rank + 1; rank < piece(lower).rank; ++rank) {
            const bool isLabel = rank == m_labelRank[size_t(index)];
            const double half = isLabel ? edge.across / 2 : 0;
            const int item =
                addItem({ .kind = isLabel ? LayerItem::Kind::Label : LayerItem::Kind::Bend,
                    .index = index,
                    .cluster = clusterAt(rank, up, down),
                    .rank = rank,
                    .before = half,
                    .after = half });
            link(edge.chain.back(), item);
            edge.chain.push_back(item);
        }
        link(edge.chain.back(), lower);
        edge.chain.push_back(lower);
    }

    void link(int upper, int lower) { m_layers.links.push_back({ upper, lower, 1, false }); }

    /// A cluster and its ancestors, innermost first.
    std::vector<int> lineage(int inner) const
    {
        std::vector<int> result;
        for (; inner >= 0; inner = m_layers.clusters[size_t(inner)].parent)
            result.push_back(inner);
        return result;
    }

    /// Returns the innermost cluster around an edge in a layer: around its source until that
    /// cluster ends, then around its target once that cluster has begun.
    int clusterAt(int rank, const std::vector<int> &from, const std::vector<int> &to)
    {
        for (const int each : from) {
            if (cluster(each).last >= rank && !m_layers.contains(each, to.front()))
                return each;
            if (m_layers.contains(each, to.front()))
                break;
        }
        for (const int each : to) {
            const bool isAround = m_layers.contains(each, from.front());
            if (isAround || cluster(each).first <= rank)
                return each;
        }
        return 0;
    }

    Layers &m_layers;
    std::vector<int> m_labelRank; ///< by edge
};

} // namespace

void rankLayers(Layers &layers)
{
    Ranking(layers).rank();
}

void fillLayers(Layers &layers)
{
    Normalization(layers).fill();
}

} // namespace instar
