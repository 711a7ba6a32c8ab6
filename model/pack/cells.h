// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

#include <span>
#include <vector>

namespace instar {

/// What a resource's state is written as: an interned (state, last rested state). Its meaning
/// belongs to the engine.
using Code = quint16;

/// Codes and stamps of one top-level resource and all below it, in preorder.
///
/// Blocks of 128 lie under a segment tree whose nodes hold a pending map, a pending stamp and the
/// count per code, so a change of a range costs a few nodes whatever the range's size; reading
/// applies what is pending on the way up. Cells that come or go take the segment tree away, and the
/// next change of a large range builds it again: many that come or go one after the other cost no
/// more than their moves.
class Cells
{
public:
    explicit Cells(int codeCount = 0) : m_codeCount(codeCount), m_counts(size_t(codeCount)) { }

    int size() const { return int(m_codes.size()); }
    Code code(int position) const;
    /// The newest stamp that reached the cell.
    quint64 stamp(int position) const;
    /// How many cells have each code; `codeCount` figures.
    std::span<const quint32> counts() const;

    /// Sends each cell of [begin, end) from code c to map[c]; a stamp that is newer is given to
    /// each. Returns how many cells changed their code.
    qint64 apply(int begin, int end, std::span<const Code> map, quint64 stamp);
    void set(int position, Code code);
    void stampRange(int begin, int end, quint64 stamp);

    void insert(int position, Code code, quint64 stamp);
    void erase(int begin, int end);
    void assign(std::vector<Code> codes, quint64 stamp);

    /// Bytes held, without the object itself.
    qsizetype bytes() const;

private:
    static constexpr int BlockSize = 128;

    bool isFlat() const { return m_leaves == 0; }
    bool deservesTree(int begin, int end) const
    {
        return size() > 2 * BlockSize && end - begin > BlockSize;
    }
    Code *pending(int node) { return m_maps.data() + size_t(node) * size_t(m_codeCount); }
    const Code *pending(int node) const
    {
        return m_maps.data() + size_t(node) * size_t(m_codeCount);
    }
    quint32 *count(int node) { return m_counts.data() + size_t(node) * size_t(m_codeCount); }
    const quint32 *count(int node) const
    {
        return m_counts.data() + size_t(node) * size_t(m_codeCount);
    }
    qint64 applyBelow(
        int node, int nodeBegin, int nodeEnd, int begin, int end, const Code *map, quint64 stamp);
    qint64 applyWhole(int node, const Code *map, quint64 stamp);
    qint64 applyCells(int begin, int end, const Code *map, quint64 stamp, quint32 *counts);
    void pushDown(int node, int nodeBegin, int nodeEnd);
    void flush();
    void flatten();
    void rebuild();

    int m_codeCount = 0;
    int m_leaves = 0; ///< of the segment tree, a power of two; 0: there is none
    std::vector<Code> m_codes;
    std::vector<quint64> m_stamps;
    std::vector<Code> m_maps;         ///< node -> pending map, valid where m_isPending
    std::vector<quint8> m_isPending;  ///< node
    std::vector<quint64> m_nodeStamp; ///< node -> pending stamp
    std::vector<quint32> m_counts;    ///< node -> count per code; flat: one node
};

} // namespace instar
