// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/rowtree.h"

#include <vector>

namespace instar {

/// Whether positions and bends count: they mean nothing.
enum class Placement { Ignored, Compared };

/// Which rows of two lists are the same.
class RowPairs
{
public:
    RowPairs(const std::vector<RowTree> &a, const std::vector<RowTree> &b)
        : m_a(a), m_b(b), m_other(a.size(), None), m_taken(b.size())
    { }
    static constexpr qsizetype None = -1;

    /// Which of the second list each of the first is.
    const std::vector<qsizetype> &other() const { return m_other; }
    bool isTaken(size_t other) const { return m_taken[other]; }

    void pairById();
    void pairSingle();
    /// By what they are about, where they are in lists.
    void pairByMeaning(Placement placement);

    /// Rows of the first list that are not in the order of the others, as few as can be.
    std::vector<bool> moved() const;

private:
    void take(size_t a, size_t b);
    void pairEnds(const auto &topic);
    void pairBy(const auto &topic);

    const std::vector<RowTree> &m_a, &m_b;
    std::vector<qsizetype> m_other;
    std::vector<bool> m_taken;
};

} // namespace instar
