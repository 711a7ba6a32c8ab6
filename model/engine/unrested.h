// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <QStringList>

#include <span>
#include <vector>

namespace instar {

/// Which resources of each node of a search are not where they should come to rest, and from which
/// nodes a way on leads to one where they are.
class Unrested
{
public:
    /// The next node's resources, by path. Nodes come in order, from 0.
    void add(const QStringList &paths);
    quint32 size() const { return quint32(m_begin.size()) - 1; }

    /// Takes out, in every node, what some way leads to rest. A node that was not added counts as
    /// one where everything rests.
    void follow(const std::vector<std::pair<quint32, quint32>> &links);
    /// What is left of a node's.
    QStringList left(quint32 node) const;
    /// Of a node only these are left; so others are taken out where a way leads there.
    void keep(quint32 node, const QStringList &paths);

private:
    using Entry = size_t; ///< a resource of a node
    std::span<const int> entries(quint32 node) const;
    Entry entryOf(quint32 node, int path) const; ///< None: it has none
    void takeOut(Entry entry, quint32 node, std::vector<std::pair<quint32, int>> &open);
    void spread(std::vector<std::pair<quint32, int>> open);
    static constexpr Entry None = ~Entry(0);

    QStringList m_paths;
    QHash<QString, int> m_numbers;     ///< path -> its place in m_paths
    std::vector<Entry> m_begin { 0 };  ///< node -> its first entry; and the end
    std::vector<int> m_entries;        ///< paths, sorted within a node
    std::vector<bool> m_rests;         ///< entry -> taken out
    std::vector<quint32> m_before;     ///< nodes that lead to a node, one after another
    std::vector<size_t> m_beforeBegin; ///< node -> the first of them; and the end
};

} // namespace instar
