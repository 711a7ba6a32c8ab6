// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/engine/world.h"

#include <memory>

namespace instar {

/// Which trees have to be judged together: those that something connects, whatever the rules do.
/// What was connected once stays so.
class TreeGroups
{
public:
    explicit TreeGroups(const Rules &rules);

    void join(const ResourceSpec &resource) { join(resource.path, resource.references); }
    void join(const Request &request);
    /// A number that trees have in common which belong together; others may come to it when more is
    /// joined.
    int of(const QString &path);
    /// How often trees were connected: as long as it stays, so do the numbers.
    quint64 joins() const { return m_joins; }
    /// The top-level resource above, lower case where case is ignored.
    QString treeOf(const QString &path) const;

private:
    void join(const QString &path, const QStringList &references);
    int tree(const QString &path);
    int root(int number);
    void unite(int a, int b);

    bool m_isFolded, m_isOne = false; ///< all trees belong together
    QStringList m_copies;             ///< from a tree to that of its name and this
    QStringList m_paths;              ///< from every tree to what is there
    QHash<QString, int> m_trees;
    QHash<QString, QString> m_named; ///< request id -> the first path asked with it
    std::vector<int> m_above;        ///< tree -> one that it belongs together with, or itself
    quint64 m_joins = 0;
};

/// The trees that a search is about. What goes on in others cannot matter to them, so it is left
/// out: without that, what their clocks do would come between everything, in every order.
class Scope
{
public:
    Scope() = default; ///< everything
    /// The trees of what is asked, and those that belong together with them; what is made later is
    /// among them. Nothing is asked: everything.
    Scope(const Rules &rules, const World &world, const QList<Request> &asked);

    bool has(const QString &path) const;
    bool has(const World &world, Resource resource) const;

private:
    std::shared_ptr<const TreeGroups> m_treeGroups; ///< null: everything
    QSet<QString> m_others;                         ///< trees that have nothing to do with it
};

} // namespace instar
