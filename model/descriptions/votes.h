// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <optional>

namespace instar {

/// How often something was found, and what first.
template<typename T>
class Votes
{
public:
    void add(const T &value, int weight = 1)
    {
        m_votes.try_emplace(value, Vote { 0, int(m_votes.size()) }).first->second.weight += weight;
    }
    /// The most frequent; of several the first.
    std::optional<T> best() const
    {
        const auto found = std::ranges::max_element(m_votes, [](const auto &a, const auto &b) {
            return std::pair(a.second.weight, -a.second.order)
                < std::pair(b.second.weight, -b.second.order);
        });
        return found == m_votes.end() ? std::nullopt : std::optional<T>(found->first);
    }

private:
    struct Vote
    {
        int weight = 0, order = 0;
    };
    std::map<T, Vote> m_votes;
};

} // namespace instar
