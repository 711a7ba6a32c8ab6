// SPDX-License-Identifier: Apache-2.0
#include "model/engine/scope.h"

namespace instar {

Scope::Scope(const Rules &rules, const World &world, const QList<Request> &asked)
{
    if (asked.isEmpty())
        return;
    const auto grove = std::make_shared<Grove>(rules);
    QStringList trees;
    for (const Resource resource : world.tree.resources()) {
        const QStringList references = world.references.value(resource);
        const bool isTop = world.tree.parent(resource) == NoResource;
        if (isTop || !references.isEmpty())
            grove->join(
                ResourceSpec { .path = world.tree.path(resource), .references = references });
        if (isTop)
            trees += world.tree.path(resource);
    }
    // What goes on holds together, also where the reference is gone by which it was begun.
    const auto pathOf = [&](quint32 serial) {
        const Running *running = serial ? world.find(serial) : nullptr;
        const Queued *queued = serial && !running ? world.waiting(serial) : nullptr;
        return running ? running->path : queued ? queued->request->path : QString();
    };
    const auto hold = [&](const QString &path, QStringList others) {
        others.removeAll(QString());
        grove->join(ResourceSpec { .path = path, .references = others });
    };
    for (const auto &running : world.running) {
        if (running->request)
            grove->join(*running->request);
        QStringList others { pathOf(running->requirer) };
        for (const Tree::Range &range : running->cover) {
            if (range.size() > 0)
                others += world.tree.path(world.tree.at(range.branch, range.begin));
        }
        hold(running->path, others);
    }
    for (const auto &queued : world.queue) {
        grove->join(*queued->request);
        QStringList others { pathOf(queued->requirer) };
        for (const quint32 serial : queued->waitsFor)
            others += pathOf(serial);
        hold(queued->request->path, others);
    }
    for (const Request &request : asked)
        grove->join(request);
    QSet<int> own;
    for (const Request &request : asked)
        own += grove->of(request.path);
    for (const QString &tree : std::as_const(trees)) {
        if (!own.contains(grove->of(tree)))
            m_others += grove->treeOf(tree);
    }
    if (!m_others.isEmpty())
        m_grove = grove;
}

bool Scope::has(const QString &path) const
{
    return !m_grove || !m_others.contains(m_grove->treeOf(path));
}

bool Scope::has(const World &world, Resource resource) const
{
    return !m_grove || has(world.tree.path(resource));
}

} // namespace instar
