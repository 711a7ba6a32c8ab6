// SPDX-License-Identifier: Apache-2.0
#include "model/engine/watch.h"

#include "model/engine/question.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Change violation(
    const Rules &rules, const World &world, const Rules::ConstraintRule &rule, Resource resource)
{
    const QString sources = rules.pack().sourceText(rules.row(rule));
    const Rules::StateId state = rules.stateOf(world.tree.code(resource));
    return { .kind = Change::Kind::Violated,
        .path = world.tree.path(resource),
        .from = state,
        .to = state,
        .rule = sources.isEmpty() ? u"constraints/%1"_s.arg(rule.index) : sources };
}

} // namespace

std::vector<Change> watched(
    const Rules &rules, World &world, std::span<const quint32> touched, bool timeless)
{
    std::vector<Change> changes;
    const bool everywhere =
        std::ranges::any_of(rules.constraints(), [](const auto &rule) { return !rule.local; });
    QList<quint32> branches = world.tree.branches();
    if (!everywhere) {
        branches.clear();
        std::ranges::copy_if(touched, std::back_inserter(branches),
            [&](quint32 branch) { return world.tree.hasBranch(branch); });
    }
    std::vector<std::pair<int, Resource>> broken;
    if (!everywhere && !world.broken.empty()) {
        const QSet<quint32> looked(branches.begin(), branches.end());
        for (const auto &[constraint, resource] : world.broken) {
            if (world.tree.exists(resource) && !looked.contains(world.tree.place(resource).branch))
                broken.emplace_back(constraint, resource); // nothing has changed there
        }
    }
    std::ranges::sort(world.broken);
    const Asking nobody { .rules = rules, .world = world, .timeless = timeless };
    for (const quint32 branch : branches) {
        for (quint32 position = 0; position < world.tree.branchSize(branch); ++position) {
            const Resource resource = world.tree.at(branch, position);
            for (const int index : rules.constraintsOn(rules.stateOf(world.tree.code(resource)))) {
                const Rules::ConstraintRule &rule = rules.constraints()[size_t(index)];
                const Subject subject = subjectOf(rules, world, resource);
                if (std::ranges::all_of(
                        rule.holds, [&](const auto &part) { return holds(part, subject, nobody); }))
                    continue;
                broken.emplace_back(index, resource);
                if (!std::ranges::binary_search(world.broken, std::pair(index, resource)))
                    changes.push_back(violation(rules, world, rule, resource));
            }
        }
    }
    world.broken = std::move(broken);
    return changes;
}

} // namespace instar
