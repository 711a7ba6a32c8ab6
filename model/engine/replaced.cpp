// SPDX-License-Identifier: Apache-2.0
#include "model/engine/replaced.h"

#include <QSet>

#include <algorithm>

namespace instar {

std::vector<Resource> replacedBy(const World &world, const Request &request)
{
    std::vector<Resource> goes;
    if (request.replaces.isEmpty())
        return goes;
    const Tree &tree = world.tree;
    QSet<Resource> stays;
    for (const Request &content : request.contents)
        stays.insert(tree.find(content.path));
    for (const QString &collection : request.replaces) {
        const qsizetype cut = collection.lastIndexOf(u'/');
        const Resource parent = tree.find(QStringView(collection).first(cut));
        if (parent == NoResource)
            continue;
        const int type = tree.childType(tree.type(parent), QStringView(collection).sliced(cut + 1));
        for (const Resource child : tree.children(parent)) {
            if (tree.type(child) == type && !stays.contains(child))
                goes.push_back(child);
        }
    }
    return goes;
}

World withReferencesAfter(
    const World &world, const Request &request, const std::vector<Resource> &goes)
{
    World after = world;
    for (const Resource top : goes) {
        const Tree::Range range = world.tree.subtree(top);
        for (quint32 position = range.begin; position < range.end; ++position)
            forgetReferences(after, world.tree.at(range.branch, position));
    }
    const Resource target = world.tree.find(request.path);
    forgetReferences(after, target);
    addReferences(after, target, request.references);
    for (const Request &content : request.contents) {
        const Resource resource = world.tree.find(content.path);
        if (resource != NoResource)
            forgetReferences(after, resource);
        addReferences(after, resource == NoResource ? target : resource, content.references);
    }
    return after;
}

void forgetReferences(World &world, Resource resource)
{
    for (const QString &path : world.references.take(resource)) {
        const auto entry = world.referrers.find(pathKey(world, path));
        entry->removeOne(resource);
        if (entry->isEmpty())
            world.referrers.erase(entry);
    }
}

void addReferences(World &world, Resource resource, const QStringList &paths)
{
    if (paths.isEmpty())
        return;
    world.references[resource] += paths;
    for (const QString &path : paths)
        world.referrers[pathKey(world, path)] += resource;
}

std::vector<Rules::TriggerId> removers(const Rules &rules, Code code)
{
    const auto leads = [&](Code from, Rules::TriggerId trigger, const auto &fits) {
        return std::ranges::any_of(rules.candidates(rules.stateOf(from), trigger), [&](int index) {
            return std::ranges::any_of(rules.transition(index).to,
                [&](const Rules::Target &target) { return fits(rules.resolved(from, target)); });
        });
    };
    const auto isGone = [&](Code after) {
        return rules.state(rules.stateOf(after)).kind == State::Kind::Initial;
    };
    const auto ends = [&](Code after) {
        return isGone(after) || leads(after, rules.succeeded, isGone);
    };
    std::vector<Rules::TriggerId> found;
    for (Rules::TriggerId trigger = 0; trigger < rules.triggerCount(); ++trigger) {
        if (rules.isOperation(trigger) && leads(code, trigger, ends))
            found.push_back(trigger);
    }
    return found;
}

} // namespace instar
