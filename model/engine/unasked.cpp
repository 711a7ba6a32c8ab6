// SPDX-License-Identifier: Apache-2.0
#include "model/engine/unasked.h"

#include <algorithm>

namespace instar {

Resource farthestUnasked(const Rules &rules, const World &world, const QString &path)
{
    constexpr quint32 mostLookedAt = 20'000;
    const Tree &tree = world.tree;
    const Resource root = tree.find(path.section(u'/', 0, 2));
    if (root == NoResource || tree.subtree(root).size() > mostLookedAt)
        return NoResource;
    const Tree::Range all = tree.subtree(root);
    const auto isAnsweredFor = [&](quint32 position) {
        return std::ranges::any_of(world.running, [&](const auto &running) {
            return std::ranges::any_of(running->cover, [&](const Tree::Range &range) {
                return range.branch == all.branch && range.begin <= position
                    && position < range.end;
            });
        });
    };
    const auto depth = [&](Resource resource) {
        int count = 0;
        for (Resource up = tree.parent(resource); up != NoResource; up = tree.parent(up))
            ++count;
        return count;
    };
    Resource farthest = NoResource;
    for (quint32 position = all.begin; position < all.end; ++position) {
        const Resource resource = tree.at(all.branch, position);
        if (rules.state(rules.stateOf(tree.code(resource))).isTransitional()
            && !isAnsweredFor(position)
            && (farthest == NoResource || depth(resource) > depth(farthest)))
            farthest = resource;
    }
    return farthest;
}

} // namespace instar
