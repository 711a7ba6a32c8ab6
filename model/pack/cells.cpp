// SPDX-License-Identifier: Apache-2.0
#include "model/pack/cells.h"

#include <algorithm>
#include <bit>

namespace instar {

// Lazy propagation: a node's map and stamp are pending for all cells below the node. Reading a cell
// applies those of all nodes from its block up to the root; changes first push them down the tree.

Code Cells::code(int position) const
{
    Code code = m_codes[size_t(position)];
    if (isFlat())
        return code;
    for (int node = m_leaves + position / BlockSize; node > 0; node /= 2) {
        if (m_isPending[size_t(node)])
            code = m_maps[first(node) + code];
    }
    return code;
}

quint64 Cells::stamp(int position) const
{
    quint64 stamp = m_stamps[size_t(position)];
    if (isFlat())
        return stamp;
    for (int node = m_leaves + position / BlockSize; node > 0; node /= 2)
        stamp = std::max(stamp, m_nodeStamp[size_t(node)]);
    return stamp;
}

std::span<const quint32> Cells::counts() const
{
    return { m_counts.data() + first(isFlat() ? 0 : 1), size_t(m_codeCount) };
}

qint64 Cells::apply(int begin, int end, std::span<const Code> map, quint64 stamp)
{
    if (begin >= end)
        return 0;
    if (isFlat() && size() > 2 * BlockSize && end - begin > BlockSize)
        rebuild();
    if (isFlat())
        return applyCells(begin, end, map.data(), stamp, count(0));
    return applyBelow(1, 0, m_leaves * BlockSize, begin, end, map.data(), stamp);
}

/// Changes the cells in [begin, end) themselves, and updates `counts`. A null map changes no code.
qint64 Cells::applyCells(int begin, int end, const Code *map, quint64 stamp, quint32 *counts)
{
    qint64 moved = 0;
    for (int i = begin; i < end; ++i) {
        const Code before = m_codes[size_t(i)];
        const Code after = map ? map[before] : before;
        if (after != before) {
            m_codes[size_t(i)] = after;
            --counts[before];
            ++counts[after];
            ++moved;
        }
        m_stamps[size_t(i)] = std::max(m_stamps[size_t(i)], stamp);
    }
    return moved;
}

/// Changes all cells below a node, by adding to its pending map and stamp.
qint64 Cells::applyWhole(int node, const Code *map, quint64 stamp)
{
    m_nodeStamp[size_t(node)] = std::max(m_nodeStamp[size_t(node)], stamp);
    if (!map)
        return 0;

    quint32 *counts = count(node);
    qint64 moved = 0;
    for (int code = 0; code < m_codeCount; ++code) {
        if (map[code] != code)
            moved += counts[code];
    }
    if (moved) {
        thread_local std::vector<quint32> before;
        before.assign(counts, counts + m_codeCount);
        std::fill_n(counts, m_codeCount, 0u);
        for (int code = 0; code < m_codeCount; ++code)
            counts[map[code]] += before[size_t(code)];
    }
    Code *pendingMap = pending(node);
    for (int code = 0; code < m_codeCount; ++code)
        pendingMap[code] = map[m_isPending[size_t(node)] ? pendingMap[code] : Code(code)];
    m_isPending[size_t(node)] = 1;
    return moved;
}

/// Moves the pending map and stamp of a node to its children, or from a leaf to the cells of its
/// block, [nodeBegin, nodeEnd).
void Cells::pushDown(int node, int nodeBegin, int nodeEnd)
{
    const quint64 stamp = m_nodeStamp[size_t(node)];
    const Code *map = m_isPending[size_t(node)] ? pending(node) : nullptr;
    if (!stamp && !map)
        return;
    if (node >= m_leaves) {
        for (int i = nodeBegin; i < std::min(nodeEnd, size()); ++i) {
            if (map)
                m_codes[size_t(i)] = map[m_codes[size_t(i)]];
            m_stamps[size_t(i)] = std::max(m_stamps[size_t(i)], stamp);
        }
    } else {
        for (int child = 2 * node; child <= 2 * node + 1; ++child) {
            const quint64 newest = std::max(stamp, m_nodeStamp[size_t(child)]);
            applyWhole(child, map, 0);
            m_nodeStamp[size_t(child)] = newest;
        }
    }
    m_isPending[size_t(node)] = 0;
    m_nodeStamp[size_t(node)] = 0;
}

/// Changes those cells in [begin, end) that lie below a node, which covers [nodeBegin, nodeEnd).
qint64 Cells::applyBelow(
    int node, int nodeBegin, int nodeEnd, int begin, int end, const Code *map, quint64 stamp)
{
    if (begin >= nodeEnd || end <= nodeBegin)
        return 0;
    const int last = std::min(nodeEnd, size());
    if (begin <= nodeBegin && end >= last)
        return applyWhole(node, map, stamp);

    pushDown(node, nodeBegin, nodeEnd);
    if (node >= m_leaves)
        return applyCells(std::max(begin, nodeBegin), std::min(end, last), map, stamp, count(node));

    const int middle = (nodeBegin + nodeEnd) / 2;
    const qint64 moved = applyBelow(2 * node, nodeBegin, middle, begin, end, map, stamp)
        + applyBelow(2 * node + 1, middle, nodeEnd, begin, end, map, stamp);
    for (int code = 0; code < m_codeCount; ++code)
        count(node)[code] = count(2 * node)[code] + count(2 * node + 1)[code];
    return moved;
}

void Cells::set(int position, Code code)
{
    const Code before = this->code(position);
    if (before == code)
        return;
    if (isFlat()) {
        m_codes[size_t(position)] = code;
        --m_counts[before];
        ++m_counts[code];
        return;
    }
    thread_local std::vector<Code> map;
    map.resize(size_t(m_codeCount));
    for (int i = 0; i < m_codeCount; ++i)
        map[size_t(i)] = Code(i);
    map[before] = code;
    apply(position, position + 1, map, 0);
}

/// Applies everything pending and drops the segment tree.
void Cells::flatten()
{
    if (isFlat())
        return;
    for (int node = 1; node < m_leaves; ++node)
        pushDown(node, 0, 0); // only leaves use the two positions
    for (int leaf = 0; leaf < m_leaves; ++leaf)
        pushDown(m_leaves + leaf, leaf * BlockSize, (leaf + 1) * BlockSize);
    const std::span<const quint32> all = counts();
    m_counts = std::vector<quint32>(all.begin(), all.end());
    m_leaves = 0;
    m_maps.clear();
    m_isPending.clear();
    m_nodeStamp.clear();
}

/// Builds the segment tree, with nothing pending; for few cells, only counts the codes.
void Cells::rebuild()
{
    const auto codes = size_t(m_codeCount);
    const auto blocks = unsigned((size() + BlockSize - 1) / BlockSize);
    m_leaves = size() > 2 * BlockSize ? int(std::bit_ceil(blocks)) : 0;
    const size_t nodes = isFlat() ? 1 : 2 * size_t(m_leaves);
    m_counts.assign(nodes * codes, 0);
    if (isFlat()) {
        for (const Code code : m_codes)
            ++m_counts[code];
        return;
    }
    m_maps.resize(nodes * codes);
    m_isPending.assign(nodes, 0);
    m_nodeStamp.assign(nodes, 0);
    for (size_t i = 0; i < m_codes.size(); ++i)
        ++count(m_leaves + int(i) / BlockSize)[m_codes[i]];
    for (int node = m_leaves - 1; node > 0; --node) {
        for (size_t code = 0; code < codes; ++code)
            count(node)[code] = count(2 * node)[code] + count(2 * node + 1)[code];
    }
}

void Cells::insert(int position, Code code, quint64 stamp)
{
    flatten();
    m_codes.insert(m_codes.begin() + position, code);
    m_stamps.insert(m_stamps.begin() + position, stamp);
    ++m_counts[code];
}

void Cells::erase(int begin, int end)
{
    flatten();
    for (int i = begin; i < end; ++i)
        --m_counts[m_codes[size_t(i)]];
    m_codes.erase(m_codes.begin() + begin, m_codes.begin() + end);
    m_stamps.erase(m_stamps.begin() + begin, m_stamps.begin() + end);
}

void Cells::assign(std::vector<Code> codes, quint64 stamp)
{
    m_codes = std::move(codes);
    m_codes.shrink_to_fit();
    m_stamps = std::vector<quint64>(m_codes.size(), stamp);
    rebuild();
}

} // namespace instar
