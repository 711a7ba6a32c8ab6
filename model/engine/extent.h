// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/tree.h"

#include <vector>

namespace instar {

/// Where resources have moved: whose state, etag, or operation at work is another one. Of each
/// branch concerned one run of neighbours around all of them, or the whole branch where resources
/// were made or removed, and positions before and after are not the same.
class Extent
{
public:
    void add(const Tree::Range &range);
    void addBranch(quint32 branch);
    /// What has moved later.
    void add(const Extent &later);

    bool isEmpty() const { return m_runs.empty(); }
    const std::vector<Tree::Range> &runs() const { return m_runs; } ///< by branch
    /// Whether a run is that of a branch in which resources were made or removed.
    static bool isWhole(const Tree::Range &run) { return run.end == Everything; }
    bool contains(const Tree::Place &place) const;
    /// Empty where nothing has moved in the branch.
    Tree::Range runOf(quint32 branch) const;
    bool operator==(const Extent &) const = default;

private:
    static constexpr quint32 Everything = ~0u;
    std::vector<Tree::Range> m_runs;
};

} // namespace instar
