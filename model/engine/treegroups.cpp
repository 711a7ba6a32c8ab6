// SPDX-License-Identifier: Apache-2.0
#include "model/engine/treegroups.h"

namespace instar {

TreeGroups::TreeGroups(const Rules &rules) : m_isFolded(rules.pack().ignoreCase)
{
    using Kind = Rules::Relation::Kind;
    for (const Rules::Relation &relation : rules.farRelations()) {
        // Siblings of a top-level resource are in other trees.
        m_isOne = m_isOne || relation.kind == Kind::Siblings;
        if (relation.kind == Kind::Copy)
            m_copies += relation.name;
        if (relation.kind == Kind::Path)
            m_paths += relation.name;
    }
    m_isOne = m_isOne || std::ranges::any_of(rules.conflicts(), [](const auto &rule) {
        const bool isFar = !rule.at || (rule.at & Rules::Unrelated);
        return isFar && rule.then != Conflict::Then::Allow;
    });
}

void TreeGroups::join(const Request &request)
{
    join(request.path, request.references);
    for (const Request &content : request.contents)
        join(content);
    for (auto it = request.requests.cbegin(); it != request.requests.cend(); ++it) {
        unite(tree(request.path), tree(it.key()));
        join(it.key(), it->references);
    }
    if (request.requestId.isEmpty())
        return;
    const auto first = m_named.constFind(request.requestId);
    if (first == m_named.constEnd())
        m_named.insert(request.requestId, request.path);
    else
        unite(tree(*first), tree(request.path));
}

void TreeGroups::join(const QString &path, const QStringList &references)
{
    const int own = tree(path);
    for (const QString &reference : references)
        unite(own, tree(reference));
}

int TreeGroups::of(const QString &path)
{
    return m_isOne ? 0 : root(tree(path));
}

QString TreeGroups::treeOf(const QString &path) const
{
    const QString top = path.section(u'/', 0, 2);
    return m_isFolded ? top.toCaseFolded() : top;
}

/// Returns the number of a path's tree; adds the tree if it is new.
int TreeGroups::tree(const QString &path)
{
    const QString key = treeOf(path);
    const auto known = m_trees.constFind(key);
    if (known != m_trees.constEnd())
        return *known;
    const auto number = int(m_parents.size());
    m_trees.insert(key, number);
    m_parents.push_back(number);
    for (const QString &copy : std::as_const(m_copies)) {
        if (key.endsWith(copy))
            unite(number, tree(path.section(u'/', 0, 2).chopped(copy.size())));
    }
    for (const QString &other : std::as_const(m_paths))
        unite(number, tree(other));
    return number;
}

int TreeGroups::root(int number)
{
    while (m_parents[size_t(number)] != number)
        number = m_parents[size_t(number)] = m_parents[size_t(m_parents[size_t(number)])];
    return number;
}

void TreeGroups::unite(int a, int b)
{
    if (root(a) == root(b))
        return;
    m_parents[size_t(root(a))] = root(b);
    ++m_joins;
}

Scope::Scope(const Rules &rules, const World &world, const QList<Request> &requests)
{
    if (requests.isEmpty())
        return;
    const auto treeGroups = std::make_shared<TreeGroups>(rules);
    QStringList trees;
    for (const Resource resource : world.tree.resources()) {
        const QStringList references = world.references.value(resource);
        const bool isTop = world.tree.parent(resource) == NoResource;
        if (isTop || !references.isEmpty())
            treeGroups->join(world.tree.path(resource), references);
        if (isTop)
            trees += world.tree.path(resource);
    }
    // An operation joins the trees that it affects, even if the reference between them is gone.
    const auto pathOf = [&](quint32 serial) {
        const PendingOperation *one = world.pending(serial);
        return one ? one->request->path : QString();
    };
    const auto joinAll = [&](const QString &path, QStringList others) {
        others.removeAll(QString());
        treeGroups->join(path, others);
    };
    world.eachPending([&](const PendingOperation &one) {
        treeGroups->join(*one.request);
        joinAll(one.request->path, { pathOf(one.requirer) });
    });
    for (const auto &running : world.running) {
        for (const Tree::Range &range : running->affected) {
            if (range.size() > 0)
                joinAll(
                    running->path, { world.tree.path(world.tree.at(range.branch, range.begin)) });
        }
    }
    for (const auto &queued : world.queue) {
        for (const quint32 serial : queued->waitsFor)
            joinAll(queued->request->path, { pathOf(serial) });
    }
    for (const Request &request : requests)
        treeGroups->join(request);
    const auto own = mapped<QSet<int>>(
        requests, [&](const Request &request) { return treeGroups->of(request.path); });
    for (const QString &tree : std::as_const(trees)) {
        if (!own.contains(treeGroups->of(tree)))
            m_others += treeGroups->treeOf(tree);
    }
    if (!m_others.isEmpty())
        m_treeGroups = treeGroups;
}

bool Scope::has(const QString &path) const
{
    return !m_treeGroups || !m_others.contains(m_treeGroups->treeOf(path));
}

bool Scope::has(const World &world, Resource resource) const
{
    return !m_treeGroups || has(world.tree.path(resource));
}

} // namespace instar
