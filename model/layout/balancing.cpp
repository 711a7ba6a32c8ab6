// SPDX-License-Identifier: Apache-2.0
#include "model/layout/balancing.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace instar {

namespace {

constexpr int sweeps = 6;

class Balance
{
public:
    Balance(const std::vector<DistanceConstraint> &distances,
        const std::vector<WeightedDistance> &pulls, int first, std::vector<int> &values)
        : m_distances(distances), m_pulls(pulls), m_first(first), m_values(values)
    { }

    void run()
    {
        for (int round = 0; round < sweeps; ++round) {
            group(round % 2 == 0);
            collect();
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

    /// Aligned variables move together (union-find).
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

    void collect()
    {
        const size_t count = m_values.size();
        m_right.assign(count, {});
        m_left.assign(count, {});
        m_wishes.assign(count, {});
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
            m_wishes[size_t(from)].push_back(int(i));
            m_wishes[size_t(to)].push_back(int(i));
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
        for (const int each : m_wishes[size_t(leader)]) {
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
    std::vector<std::vector<int>> m_right, m_left, m_wishes, m_members;
    std::vector<std::pair<int, int>> m_steps;
};

} // namespace

void balance(const std::vector<DistanceConstraint> &distances,
    const std::vector<WeightedDistance> &pulls, int first, std::vector<int> &values)
{
    Balance(distances, pulls, first, values).run();
}

} // namespace instar
