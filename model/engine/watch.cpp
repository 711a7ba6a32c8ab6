// SPDX-License-Identifier: Apache-2.0
#include "model/engine/watch.h"

#include "model/engine/question.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The branches among those touched that are still there. To search a list for few is cheaper than
/// to make a set.
QList<quint32> thoseOf(const QList<quint32> &there, std::span<const quint32> touched)
{
    constexpr size_t Few = 8;
    const QSet<quint32> known =
        touched.size() > Few ? QSet<quint32>(there.begin(), there.end()) : QSet<quint32>();
    QList<quint32> branches;
    for (const quint32 branch : touched) {
        if (touched.size() > Few ? known.contains(branch) : there.contains(branch))
            branches += branch;
    }
    return branches;
}

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
    const QList<quint32> &there = world.tree.branches();
    const QList<quint32> branches = everywhere ? there : thoseOf(there, touched);
    std::vector<std::pair<int, Resource>> broken;
    for (const auto &[constraint, resource] : world.broken) {
        if (world.tree.exists(resource) && !branches.contains(world.tree.place(resource).branch))
            broken.emplace_back(constraint, resource); // nothing has changed there
    }
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
                if (std::ranges::find(world.broken, std::pair(index, resource))
                    == world.broken.end())
                    changes.push_back(violation(rules, world, rule, resource));
            }
        }
    }
    world.broken = std::move(broken);
    return changes;
}

} // namespace instar
