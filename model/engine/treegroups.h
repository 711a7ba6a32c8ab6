// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/engine/world.h"

#include <memory>

namespace instar {

/// Union-find of resource trees, joined if an operation on one can affect the other.
class TreeGroups
{
public:
    explicit TreeGroups(const Rules &rules);

    void join(const ResourceSpec &resource) { join(resource.path, resource.references); }
    /// Joins the tree of a request's target with those of its references, contents and required
    /// operations, and with the tree of an earlier request with the same request id.
    void join(const Request &request);
    void join(const QString &path, const QStringList &references);
    /// Returns the group number of a path's tree; join() may change it.
    int of(const QString &path);
    /// Number of unions so far. Group numbers stay valid while this number is unchanged.
    quint64 joins() const { return m_joins; }
    /// Returns the path of the top-level resource of a tree, in lower case if case is ignored.
    QString treeOf(const QString &path) const;

private:
    int tree(const QString &path);
    int root(int number);
    void unite(int a, int b);

    bool m_isFolded;      ///< paths are compared without case
    bool m_isOne = false; ///< all trees are one group
    QStringList m_copies; ///< suffixes of copies: "#old" joins the trees "x" and "x#old"
    QStringList m_paths;  ///< absolute paths in the rules: their trees are joined with every tree
    QHash<QString, int> m_trees;
    QHash<QString, QString> m_named; ///< request id -> path of the first request with this id
    std::vector<int> m_parents;      ///< tree -> parent in the union-find forest; a root: itself
    quint64 m_joins = 0;
};

/// Set of the trees that a search of all orders covers. Other trees cannot affect these, so the
/// search omits events of others; otherwise it would interleave their timers with every event.
class Scope
{
public:
    Scope() = default; ///< all trees
    /// Covers the groups of the requests' targets, also later trees; without requests, all trees.
    Scope(const Rules &rules, const World &world, const QList<Request> &requests);

    bool has(const QString &path) const;
    bool has(const World &world, Resource resource) const;

private:
    std::shared_ptr<const TreeGroups> m_treeGroups; ///< null: all trees
    QSet<QString> m_others;                         ///< trees outside the scope
};

} // namespace instar
