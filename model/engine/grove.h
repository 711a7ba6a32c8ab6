// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"

namespace instar {

/// Which trees have to be judged together: those that something connects, whatever the rules do.
/// What was connected once stays so.
class Grove
{
public:
    explicit Grove(const Rules &rules);

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

} // namespace instar
