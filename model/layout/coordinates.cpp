// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layers.h"
#include "model/layout/simplex.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace instar {

namespace {

constexpr double lineGap = 14;    ///< least distance of a line from a line
constexpr double labelGap = 12;   ///< least distance of a label from a label or a line
constexpr double boxLineGap = 20; ///< least distance of a box from a line or a label

/// Constraint between two variables: right - left >= length.
struct DistanceConstraint
{
    int left, right, length;
};

/// Cost of a pair of variables: weight * |to - from - distance|.
struct WeightedDistance
{
    int from, to, distance, weight;
};

/// Local search after the network simplex: moves variables, alone and in groups, to the middle of
/// their ranges of least cost. Variables before `first` stay.
class Balance
{
public:
    Balance(const std::vector<DistanceConstraint> &distances,
        const std::vector<WeightedDistance> &pulls, int first, std::vector<int> &values)
        : m_distances(distances), m_pulls(pulls), m_first(first), m_values(values)
    { }

    void run()
    {
        constexpr int sweeps = 6;
        for (int round = 0; round < sweeps; ++round) {
            group(round % 2 == 0);
            collectConstraints();
            bool moved = false;
            for (size_t i = 0; i < m_order.size(); ++i)
                moved = move(m_order[round % 4 < 2 ? i : m_order.size() - 1 - i]) || moved;
            if (!moved && round > 0)
                break;
        }
    }

private:
    int leaderOf(int variable)
    {
        while (m_leader[size_t(variable)] != variable) {
            int &leader = m_leader[size_t(variable)];
            leader = m_leader[size_t(leader)];
            variable = leader;
        }
        return variable;
    }

    bool isFixed(int variable) const { return variable < m_first; }

    /// Makes each variable a group; if `together`, unites aligned variables (union-find).
    void group(bool together)
    {
        m_leader.resize(m_values.size());
        std::iota(m_leader.begin(), m_leader.end(), 0);
        if (!together)
            return;
        for (const WeightedDistance &pull : m_pulls) {
            const int away = m_values[size_t(pull.to)] - m_values[size_t(pull.from)];
            if (away == pull.distance && !isFixed(pull.from) && !isFixed(pull.to))
                m_leader[size_t(leaderOf(pull.from))] = leaderOf(pull.to);
        }
    }

    void collectConstraints()
    {
        const size_t count = m_values.size();
        m_right.assign(count, {});
        m_left.assign(count, {});
        m_pullsOf.assign(count, {});
        m_members.assign(count, {});
        m_order.clear();
        for (size_t i = size_t(m_first); i < count; ++i) {
            const int leader = leaderOf(int(i));
            if (m_members[size_t(leader)].empty())
                m_order.push_back(leader);
            m_members[size_t(leader)].push_back(int(i));
        }
        for (size_t i = 0; i < m_distances.size(); ++i) {
            const int left = leaderOf(m_distances[i].left), right = leaderOf(m_distances[i].right);
            if (left == right)
                continue;
            m_right[size_t(left)].push_back(int(i));
            m_left[size_t(right)].push_back(int(i));
        }
        for (size_t i = 0; i < m_pulls.size(); ++i) {
            const int from = leaderOf(m_pulls[i].from), to = leaderOf(m_pulls[i].to);
            if (from == to)
                continue;
            m_pullsOf[size_t(from)].push_back(int(i));
            m_pullsOf[size_t(to)].push_back(int(i));
        }
    }

    /// Moves a group to the middle of its range of least cost, the weighted median of its pulls.
    bool move(int leader)
    {
        constexpr int far = std::numeric_limits<int>::max() / 4;
        const auto slack = [this](int index) {
            const DistanceConstraint &each = m_distances[size_t(index)];
            return m_values[size_t(each.right)] - m_values[size_t(each.left)] - each.length;
        };
        int least = -far, most = far;
        for (const int each : m_right[size_t(leader)])
            most = std::min(most, slack(each));
        for (const int each : m_left[size_t(leader)])
            least = std::max(least, -slack(each));
        m_steps.clear();
        int total = 0;
        for (const int each : m_pullsOf[size_t(leader)]) {
            const WeightedDistance &pull = m_pulls[size_t(each)];
            const int missing =
                pull.distance - (m_values[size_t(pull.to)] - m_values[size_t(pull.from)]);
            m_steps.emplace_back(leaderOf(pull.to) == leader ? missing : -missing, pull.weight);
            total += pull.weight;
        }
        if (total == 0)
            return false; // without a pull the group stays
        std::ranges::sort(m_steps);
        int low = far, high = -far, sum = 0;
        for (const auto &[step, weight] : m_steps) {
            sum += weight;
            if (2 * sum >= total && low == far)
                low = step;
            if (2 * sum > total) {
                high = step;
                break;
            }
        }
        const int from = std::clamp(low, least, most), to = std::clamp(high, least, most);
        const int by = from + (to - from) / 2;
        if (by == 0)
            return false;
        for (const int member : m_members[size_t(leader)])
            m_values[size_t(member)] += by;
        return true;
    }

    const std::vector<DistanceConstraint> &m_distances;
    const std::vector<WeightedDistance> &m_pulls;
    int m_first;
    std::vector<int> &m_values;
    std::vector<int> m_leader, m_order;
    std::vector<std::vector<int>> m_right, m_left, m_pullsOf, m_members;
    std::vector<std::pair<int, int>> m_steps;
};

/// Coordinate assignment across the layers by network simplex: least distances are constraints,
/// and lengths of edges and clusters are costs. See LayerItem for bends, anchors and borders.
class Across
{
public:
    Across(const Layers &layers, LayerCoordinates &result) : m_layers(layers), m_result(result) { }

    void solve()
    {
        straighten();
        numberVariables();
        choosePorts();
        addDistances();
        addPulls();
        assignCoordinates();
    }

private:
    using Kind = LayerItem::Kind;
    const LayerItem &item(int index) const { return m_layers.items[size_t(index)]; }
    const LayerCluster &cluster(int index) const { return m_layers.clusters[size_t(index)]; }

    bool isLine(int index) const
    {
        return item(index).kind == Kind::Bend || item(index).kind == Kind::Label;
    }

    /// Makes long edges straight, the longest first: consecutive bends of an edge share one
    /// variable, that of their first bend (the leader), if the line between them crosses no border
    /// of a cluster and no line that is straight already.
    void straighten()
    {
        m_place = m_layers.places();
        m_leader.resize(m_layers.items.size());
        std::iota(m_leader.begin(), m_leader.end(), 0);
        // By rank: position of a straight line's upper end -> of its lower end. Lines do not cross
        // if upper and lower ends have the same order.
        std::vector<std::map<int, int>> straight(size_t(m_layers.rankCount));
        for (const LayerLink &link : m_layers.links) {
            if (link.isBorder)
                straight[size_t(item(link.upper).rank)].emplace(
                    m_place[size_t(link.upper)], m_place[size_t(link.lower)]);
        }
        std::vector<const LayerEdge *> edges;
        edges.reserve(m_layers.edges.size());
        for (const LayerEdge &edge : m_layers.edges)
            edges.push_back(&edge);
        std::ranges::stable_sort(
            edges, std::greater(), [](const LayerEdge *edge) { return edge->chain.size(); });
        for (const LayerEdge *edge : edges) {
            for (size_t i = 2; i + 1 < edge->chain.size(); ++i) {
                const int upper = edge->chain[i - 1], lower = edge->chain[i];
                auto &lines = straight[size_t(item(upper).rank)];
                const int upperPlace = m_place[size_t(upper)], lowerPlace = m_place[size_t(lower)];
                const auto right = lines.lower_bound(upperPlace);
                const bool isFree =
                    (right == lines.begin() || std::prev(right)->second < lowerPlace)
                    && (right == lines.end() || right->second > lowerPlace);
                if (!isFree)
                    continue;
                lines.emplace_hint(right, upperPlace, lowerPlace);
                m_leader[size_t(lower)] = m_leader[size_t(upper)];
            }
        }
    }

    /// Numbers the variables: first two for the borders of each cluster (0 and 1 are those of the
    /// whole chart), then one for each other item or group of aligned bends.
    void numberVariables()
    {
        m_variable.resize(m_layers.items.size());
        for (size_t i = 0; i < m_layers.items.size(); ++i) {
            const LayerItem &each = m_layers.items[i];
            if (each.kind == Kind::Begin || each.kind == Kind::End)
                m_variable[i] = border(each.index, each.kind);
            else
                m_variable[i] = m_leader[i] == int(i)
                    ? m_variables++ + 2 * int(m_layers.clusters.size())
                    : m_variable[size_t(m_leader[i])];
        }
        m_variables += 2 * int(m_layers.clusters.size());
    }

    static int border(int cluster, Kind kind) { return 2 * cluster + (kind == Kind::End ? 1 : 0); }

    double leastDistance(int left, int right) const
    {
        const LayerItem &a = item(left), &b = item(right);
        const bool opens = a.kind == Kind::Begin, closes = b.kind == Kind::End;
        const double outer = (a.kind == Kind::End ? cluster(a.index).besideAfter : 0)
            + (b.kind == Kind::Begin ? cluster(b.index).besideBefore : 0) + a.after + b.before;
        if (opens || closes)
            return outer + (opens ? cluster(a.index).before : 0)
                + (closes ? cluster(b.index).after : 0);
        const bool isRegion = (a.kind == Kind::End && cluster(a.index).isRegion)
            && (b.kind == Kind::Begin && cluster(b.index).isRegion);
        return outer + (isRegion ? 0 : gap(a, b));
    }

    double gap(const LayerItem &a, const LayerItem &b) const
    {
        const auto isLarge = [this](const LayerItem &each) {
            return each.kind == Kind::Begin || each.kind == Kind::End
                || (each.kind == Kind::Piece
                    && m_layers.pieces[size_t(each.index)].kind != LayerPiece::Kind::Anchor);
        };
        const double most = m_layers.input->nodeGap;
        if (isLarge(a) && isLarge(b))
            return most;
        if (isLarge(a) || isLarge(b))
            return std::min(most, boxLineGap);
        return a.kind == Kind::Label || b.kind == Kind::Label ? labelGap : lineGap;
    }

    void findCrossings()
    {
        m_crossed.assign(m_layers.items.size(), {});
        const auto addCrossed = [&](int from, int to) {
            for (int at = item(from).cluster; at > 0 && !m_layers.contains(at, item(to).cluster);
                 at = cluster(at).parent)
                m_crossed[size_t(from)].push_back(at);
        };
        for (const LayerLink &link : m_layers.links) {
            if (link.isBorder)
                continue;
            addCrossed(link.lower, link.upper);
            addCrossed(link.upper, link.lower);
        }
    }

    /// Collects the distance constraints; for each pair of variables, only the longest.
    void addDistances()
    {
        findCrossings();
        std::vector<DistanceConstraint> distances;
        const auto add = [&](int left, int right, double length) {
            distances.push_back({ left, right, int(std::ceil(length)) });
        };
        for (const std::vector<int> &layer : m_layers.order) {
            if (layer.empty())
                continue;
            add(0, m_variable[size_t(layer.front())],
                item(layer.front()).before + roomBeside(layer.front(), Kind::Begin));
            add(m_variable[size_t(layer.back())], 1,
                item(layer.back()).after + roomBeside(layer.back(), Kind::End));
            int last = layer.front();
            for (size_t i = 1; i < layer.size(); ++i) {
                if (isAnchor(layer[i]))
                    continue;
                add(m_variable[size_t(last)], m_variable[size_t(layer[i])],
                    leastDistance(last, layer[i]));
                last = layer[i];
            }
            separateAnchors(layer, add);
        }
        for (size_t i = 0; i < m_layers.clusters.size(); ++i)
            add(int(2 * i), int(2 * i + 1), m_layers.clusters[i].leastAcross);
        std::ranges::sort(distances, [](const DistanceConstraint &a, const DistanceConstraint &b) {
            return std::tuple(a.left, a.right, -a.length) < std::tuple(b.left, b.right, -b.length);
        });
        const auto same = [](const DistanceConstraint &a, const DistanceConstraint &b) {
            return a.left == b.left && a.right == b.right;
        };
        distances.erase(std::unique(distances.begin(), distances.end(), same), distances.end());
        m_distances = std::move(distances);
    }

    bool isAnchor(int index) const
    {
        return item(index).kind == Kind::Piece
            && m_layers.pieces[size_t(item(index).index)].kind == LayerPiece::Kind::Anchor;
    }

    /// Separates the ends of arrows on a composite's border (anchors) from one another and from
    /// lines that cross the border. Pulls the last end towards the middle of the contents.
    template<typename Add>
    void separateAnchors(const std::vector<int> &layer, const Add &add)
    {
        std::vector<int> last(m_layers.clusters.size(), -1); // by cluster: its last end so far
        std::vector<int> lastLine = last; // by cluster: the last crossing line after that end
        std::vector<bool> hasEnds(m_layers.clusters.size());
        for (const int each : layer) {
            if (isAnchor(each))
                hasEnds[size_t(item(each).cluster)] = true;
        }
        for (const int each : layer) {
            if (!isAnchor(each)) {
                for (const int around : m_crossed[size_t(each)]) {
                    if (!hasEnds[size_t(around)])
                        continue;
                    if (last[size_t(around)] >= 0 && lastLine[size_t(around)] < 0)
                        add(m_variable[size_t(last[size_t(around)])], m_variable[size_t(each)],
                            lineGap);
                    lastLine[size_t(around)] = each;
                }
                continue;
            }
            const int around = item(each).cluster;
            int &before = last[size_t(around)], &line = lastLine[size_t(around)];
            add(before < 0 ? border(around, Kind::Begin) : m_variable[size_t(before)],
                m_variable[size_t(each)], before < 0 ? cluster(around).before : lineGap);
            if (line >= 0)
                add(m_variable[size_t(line)], m_variable[size_t(each)], lineGap);
            before = each;
            line = -1;
        }
        for (size_t i = 1; i < last.size(); ++i) {
            if (last[i] < 0)
                continue;
            add(m_variable[size_t(last[i])], border(int(i), Kind::End), cluster(int(i)).after);
            std::vector<int> inside;
            for (const int each : layer) {
                if (item(each).kind == Kind::Piece && !isAnchor(each)
                    && item(each).cluster == int(i))
                    inside.push_back(each);
            }
            if (!inside.empty())
                m_pulls.push_back({ m_variable[size_t(last[i])],
                    m_variable[size_t(inside[inside.size() / 2])], 0, 1 });
        }
    }

    /// Returns true for the dot of an initial state.
    bool isStart(int index) const
    {
        const LayerItem &each = item(index);
        const LayerPiece *const piece =
            each.kind == Kind::Piece ? &m_layers.pieces[size_t(each.index)] : nullptr;
        return piece && piece->kind == LayerPiece::Kind::Node
            && m_layers.input->nodes[piece->index].isStart;
    }

    /// Returns the room for loops and notes outside a cluster's border of this kind; else 0.
    double roomBeside(int index, Kind kind) const
    {
        if (item(index).kind != kind)
            return 0;
        const LayerCluster &at = cluster(item(index).index);
        return kind == Kind::Begin ? at.besideBefore : at.besideAfter;
    }

    /// Chooses the points at which edges leave a box (ports).
    void choosePorts()
    {
        m_upperPort.assign(m_layers.links.size(), 0);
        m_lowerPort.assign(m_layers.links.size(), 0);
        std::vector<std::vector<int>> up(m_layers.pieces.size()), down(up);
        for (size_t i = 0; i < m_layers.links.size(); ++i) {
            const LayerLink &link = m_layers.links[i];
            if (item(link.lower).kind == Kind::Piece)
                up[size_t(item(link.lower).index)].push_back(int(i));
            if (item(link.upper).kind == Kind::Piece)
                down[size_t(item(link.upper).index)].push_back(int(i));
        }
        for (size_t i = 0; i < m_layers.pieces.size(); ++i) {
            spread(int(i), up[i], m_lowerPort, [](const LayerLink &link) { return link.upper; });
            spread(int(i), down[i], m_upperPort, [](const LayerLink &link) { return link.lower; });
        }
    }

    /// Spreads the ports of links along one side of a node, sorted by the links' other ends.
    template<typename Other>
    void spread(int index, std::vector<int> &links, std::vector<int> &ports, const Other &other)
    {
        const LayerPiece &piece = m_layers.pieces[size_t(index)];
        if (links.size() < 2 || piece.kind != LayerPiece::Kind::Node)
            return;
        std::ranges::stable_sort(links, {},
            [&](int link) { return m_place[size_t(other(m_layers.links[size_t(link)]))]; });
        const LayoutNode &node = m_layers.input->nodes[piece.index];
        const double width = m_layers.across(node.outline.isEmpty() ? node.size : node.outline);
        constexpr double widestStep = 28;
        const double step = std::min(width / double(links.size()), widestStep);
        for (size_t i = 0; i < links.size(); ++i)
            ports[size_t(links[i])] =
                int(std::lround((double(i) - (double(links.size()) - 1) / 2) * step));
    }

    /// Adds the cost of each link's length; heavier links become straighter.
    void addPulls()
    {
        for (size_t i = 0; i < m_layers.links.size(); ++i) {
            const LayerLink &link = m_layers.links[i];
            const int upper = m_variable[size_t(link.upper)],
                      lower = m_variable[size_t(link.lower)];
            if (link.isBorder || upper == lower)
                continue;
            const int lines = int(isLine(link.upper)) + int(isLine(link.lower));
            // A weak pull at a composite's border, which is narrower than the labels of its arrows.
            const bool endsOnFrame = isAnchor(link.upper) || isAnchor(link.lower);
            const int weight = lines == 2 ? 16 : lines == 1 && !endsOnFrame ? 4 : 2;
            // A strong pull at an initial dot, so that the dot stays above its state.
            const bool isFromStart = isStart(link.upper) || isStart(link.lower);
            m_pulls.push_back({ upper, lower, m_upperPort[i] - m_lowerPort[i],
                isFromStart ? 4 * weight : weight });
        }
    }

    void assignCoordinates()
    {
        Simplex simplex(m_variables, *m_layers.budget);
        for (const DistanceConstraint &each : m_distances)
            simplex.require(each.left, each.right, each.length);
        for (const WeightedDistance &each : m_pulls)
            simplex.pull(each.from, each.to, each.distance, each.weight);
        for (size_t i = 0; i < m_layers.clusters.size(); ++i)
            simplex.shorten(int(2 * i), int(2 * i + 1), i == 0 ? 2 : 6);
        std::vector<int> values = simplex.solved();
        if (m_layers.isOver())
            return;
        Balance(m_distances, m_pulls, 2 * int(m_layers.clusters.size()), values).run();
        m_result.item.resize(m_layers.items.size());
        for (size_t i = 0; i < m_layers.items.size(); ++i)
            m_result.item[i] = values[size_t(m_variable[i])];
        for (size_t i = 0; i < m_layers.clusters.size(); ++i) {
            m_result.begin.push_back(values[2 * i]);
            m_result.end.push_back(values[2 * i + 1]);
        }
    }

    const Layers &m_layers;
    LayerCoordinates &m_result;
    std::vector<std::vector<int>> m_crossed; ///< by item: clusters whose borders its links cross
    std::vector<int> m_place, m_leader;      ///< by item: position in its layer; first aligned bend
    std::vector<int> m_variable;             ///< by item
    std::vector<int> m_upperPort, m_lowerPort; ///< by link: offset of the port from the centre
    std::vector<DistanceConstraint> m_distances;
    std::vector<WeightedDistance> m_pulls;
    int m_variables = 0;
};

/// Coordinate assignment along the layers: one row per layer, with room for the borders of clusters
/// that begin or end there, and for edges that go far sideways.
class Along
{
public:
    Along(const Layers &layers, LayerCoordinates &result)
        : m_layers(layers), m_result(result), m_clusters(layers.clusters)
    { }

    void solve()
    {
        measureRows();
        measureSwings();
        stackRows();
        for (size_t i = m_clusters.size(); i-- > 1;) {
            const double missing =
                m_clusters[i].leastAlong - (m_result.bottom[i] - m_result.top[i]);
            if (missing <= 0)
                continue;
            m_clusters[i].below += missing;
            stackRows();
        }
    }

private:
    void measureRows()
    {
        const auto count = size_t(m_layers.rankCount);
        m_result.rowAbove.assign(count, 0);
        m_result.rowBelow.assign(count, 0);
        m_isForLabels.assign(count, true);
        for (const LayerPiece &piece : m_layers.pieces) {
            const auto rank = size_t(piece.rank);
            m_result.rowAbove[rank] = std::max(m_result.rowAbove[rank], piece.above);
            m_result.rowBelow[rank] = std::max(m_result.rowBelow[rank], piece.below);
            m_isForLabels[rank] = false;
        }
        for (const LayerItem &item : m_layers.items) {
            if (item.kind != LayerItem::Kind::Label)
                continue;
            const double half = m_layers.edges[size_t(item.index)].along / 2;
            const auto rank = size_t(item.rank);
            m_result.rowAbove[rank] = std::max(m_result.rowAbove[rank], half);
            m_result.rowBelow[rank] = std::max(m_result.rowBelow[rank], half);
        }
    }

    /// Adds room for edges that go far sideways and would become too flat.
    void measureSwings()
    {
        constexpr double share = 0.08, most = 22;
        m_swing.assign(size_t(m_layers.rankCount), 0);
        for (const LayerLink &link : m_layers.links) {
            const double aside =
                std::abs(m_result.item[size_t(link.lower)] - m_result.item[size_t(link.upper)]);
            double &swing = m_swing[size_t(m_layers.items[size_t(link.upper)].rank)];
            swing = std::max(swing, std::min(aside * share, most));
        }
    }

    void stackRows()
    {
        const auto count = size_t(m_layers.rankCount);
        std::vector<double> above(count, 0), below(count, 0), topOf(m_clusters.size(), 0),
            bottomOf(topOf);
        for (size_t i = m_clusters.size(); i-- > 1;) {
            const LayerCluster &cluster = m_clusters[i];
            topOf[i] += cluster.above;
            bottomOf[i] += cluster.below;
            above[size_t(cluster.first)] = std::max(above[size_t(cluster.first)], topOf[i]);
            below[size_t(cluster.last)] = std::max(below[size_t(cluster.last)], bottomOf[i]);
            const auto around = size_t(cluster.parent);
            if (m_clusters[around].first == cluster.first)
                topOf[around] = std::max(topOf[around], topOf[i]);
            if (m_clusters[around].last == cluster.last)
                bottomOf[around] = std::max(bottomOf[around], bottomOf[i]);
        }
        m_result.centre.assign(count, 0);
        m_result.bandAbove.assign(count, 0);
        m_result.bandBelow.assign(count, 0);
        double at = 0;
        for (size_t rank = 0; rank < count; ++rank) {
            m_result.bandAbove[rank] = at;
            m_result.centre[rank] = at + above[rank] + m_result.rowAbove[rank];
            m_result.bandBelow[rank] =
                m_result.centre[rank] + m_result.rowBelow[rank] + below[rank];
            const bool isHalf = rank + 1 < count && m_isForLabels[rank] != m_isForLabels[rank + 1];
            at = m_result.bandBelow[rank] + m_layers.input->layerGap / (isHalf ? 2 : 1)
                + m_swing[rank];
        }
        m_result.top.assign(m_clusters.size(), 0);
        m_result.bottom.assign(m_clusters.size(), 0);
        for (size_t i = 0; i < m_clusters.size(); ++i) {
            const auto first = size_t(m_clusters[i].first), last = size_t(m_clusters[i].last);
            m_result.top[i] = m_result.centre[first] - m_result.rowAbove[first] - topOf[i];
            m_result.bottom[i] = m_result.centre[last] + m_result.rowBelow[last] + bottomOf[i];
        }
        tighten();
    }

    /// Ends each cluster below its own contents instead of below its whole last layer.
    void tighten()
    {
        std::vector<double> lowest(m_clusters.size(), -1e9);
        for (const LayerPiece &piece : m_layers.pieces) {
            if (piece.kind != LayerPiece::Kind::Anchor)
                lowest[size_t(piece.cluster)] = std::max(lowest[size_t(piece.cluster)],
                    m_result.centre[size_t(piece.rank)] + piece.below);
        }
        // An edge that ends on the border from inside reaches down to the layer of that end.
        for (const LayerLink &link : m_layers.links) {
            const LayerItem &item = m_layers.items[size_t(link.lower)];
            if (!link.isBorder && item.kind == LayerItem::Kind::Piece)
                lowest[size_t(item.cluster)] =
                    std::max(lowest[size_t(item.cluster)], m_result.centre[size_t(item.rank)]);
        }
        for (const LayerItem &item : m_layers.items) {
            if (item.kind == LayerItem::Kind::Label)
                lowest[size_t(item.cluster)] = std::max(lowest[size_t(item.cluster)],
                    m_result.centre[size_t(item.rank)]
                        + m_layers.edges[size_t(item.index)].along / 2);
        }
        for (size_t i = m_clusters.size(); i-- > 1;) {
            const LayerCluster &cluster = m_clusters[i];
            const double least = m_result.top[i] + cluster.leastAlong;
            if (!cluster.isRegion)
                m_result.bottom[i] =
                    std::min(m_result.bottom[i], std::max(lowest[i] + cluster.below, least));
            lowest[size_t(cluster.parent)] =
                std::max(lowest[size_t(cluster.parent)], m_result.bottom[i]);
        }
    }

    const Layers &m_layers;
    LayerCoordinates &m_result;
    std::vector<LayerCluster> m_clusters;
    std::vector<bool> m_isForLabels; ///< by rank: no piece is in the layer
    std::vector<double> m_swing;     ///< by rank: additional room in the band below it
};

} // namespace

void placeAcross(const Layers &layers, LayerCoordinates &coordinates)
{
    Across(layers, coordinates).solve();
}

void placeAlong(const Layers &layers, LayerCoordinates &coordinates)
{
    Along(layers, coordinates).solve();
}

} // namespace instar
