// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

#include <span>
#include <vector>

namespace instar {

/// Interned pair of a resource's state and its last rest state, which the engine defines.
using Code = quint16;

/// Codes and stamps (sources of etags) of a top-level resource and its descendants, in preorder.
///
/// Segment tree over blocks of 128 cells with lazy propagation: nodes hold a pending map, a pending
/// stamp and the count per code, so changing a range costs a logarithmic number of nodes; reading
/// applies pending maps on the way up. Inserting or erasing drops the segment tree; the next change
/// of a large range rebuilds it, so that a series of inserts costs no rebuilds.
class Cells
{
public:
    explicit Cells(int codeCount = 0) : m_codeCount(codeCount), m_counts(size_t(codeCount)) { }

    int size() const { return int(m_codes.size()); }
    Code code(int position) const;
    /// Returns the greatest stamp that apply() or insert() gave the cell.
    quint64 stamp(int position) const;
    /// Returns the number of cells per code; `codeCount` entries.
    std::span<const quint32> counts() const;

    /// Replaces each code c in [begin, end) by map[c], unless the map is empty, and raises the
    /// stamps to `stamp`. Returns the number of changed codes.
    qint64 apply(int begin, int end, std::span<const Code> map, quint64 stamp);
    void set(int position, Code code);

    void insert(int position, Code code, quint64 stamp);
    void erase(int begin, int end);
    void assign(std::vector<Code> codes, quint64 stamp);

private:
    static constexpr int BlockSize = 128;

    bool isFlat() const { return m_leaves == 0; } ///< true: there is no segment tree
    /// Index of a node's first entry in m_maps and m_counts.
    size_t first(int node) const { return size_t(node) * size_t(m_codeCount); }
    Code *pending(int node) { return m_maps.data() + first(node); }
    quint32 *count(int node) { return m_counts.data() + first(node); }
    qint64 applyBelow(
        int node, int nodeBegin, int nodeEnd, int begin, int end, const Code *map, quint64 stamp);
    qint64 applyWhole(int node, const Code *map, quint64 stamp);
    qint64 applyCells(int begin, int end, const Code *map, quint64 stamp, quint32 *counts);
    void pushDown(int node, int nodeBegin, int nodeEnd);
    void flatten();
    void rebuild();

    int m_codeCount = 0;
    int m_leaves = 0;          ///< leaves of the segment tree, a power of two; 0: there is no tree
    std::vector<Code> m_codes; ///< position -> code without pending maps
    std::vector<quint64> m_stamps;    ///< position -> stamp without pending stamps
    std::vector<Code> m_maps;         ///< node -> pending map, valid if m_isPending
    std::vector<quint8> m_isPending;  ///< node -> true if it has a pending map
    std::vector<quint64> m_nodeStamp; ///< node -> pending stamp; 0: none
    std::vector<quint32> m_counts;    ///< node -> count per code; flat: one node
};

} // namespace instar
