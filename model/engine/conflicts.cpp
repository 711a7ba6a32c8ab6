// SPDX-License-Identifier: Apache-2.0
// What operations that run mean to one that is asked for.
#include "model/engine/judge.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

quint32 Judge::whereIs(const Running &running) const
{
    const Tree &tree = m_world.tree;
    const Resource other = running.target;
    const Resource self = m_result.target;
    quint32 where = 0;
    if (self != NoResource && other == self) {
        where = Rules::Self;
    } else if (m_result.parent != NoResource || self != NoResource) {
        const Resource anchor = self != NoResource ? self : m_result.parent;
        const Tree::Place here = tree.place(anchor);
        const Tree::Place there = tree.place(other);
        if (here.branch == there.branch) {
            const auto contains = [&](Resource outer, quint32 position) {
                const Tree::Range range = tree.subtree(outer);
                return position >= range.begin && position < range.end;
            };
            if (contains(other, here.position))
                where = Rules::Ancestor;
            else if (self != NoResource && contains(self, there.position))
                where = Rules::Descendant;
            else
                where = tree.parent(other) == m_result.parent ? Rules::Sibling : Rules::SameTree;
        }
    }
    if (m_rules.conflictPlaces() & (Rules::Reference | Rules::Referrer)) {
        const auto among = [&](Rules::Relation::Kind kind) {
            return std::ranges::any_of(
                related({ .kind = kind, .segment = {}, .name = {} }, m_subject, m_asking),
                [&](const Subject &subject) { return subject.resource == other; });
        };
        where |= among(Rules::Relation::Kind::References) ? Rules::Reference : 0u;
        where |= among(Rules::Relation::Kind::Referrers) ? Rules::Referrer : 0u;
    }
    return where ? where : quint32(Rules::Unrelated);
}

const Rules::ConflictRule *Judge::ruleFor(const Running &running) const
{
    const quint32 where = whereIs(running);
    const auto includes = [](const std::vector<bool> &set, Rules::TriggerId trigger) {
        return set.empty() || (trigger != Rules::None && set[size_t(trigger)]);
    };
    for (const Rules::ConflictRule &rule : m_rules.conflicts()) {
        if (includes(rule.on, m_op) && includes(rule.running, running.op)
            && (!rule.at || (rule.at & where)) && holds(rule.condition, m_subject, m_asking))
            return &rule;
    }
    return nullptr;
}

bool Judge::conflictsAllow()
{
    const auto judge = [&](const Running &running) {
        if (m_root && running.root == m_root)
            return true;
        const Rules::ConflictRule *rule = ruleFor(running);
        if (!rule || rule->then == Conflict::Then::Allow)
            return true;
        if (rule->then == Conflict::Then::Cancel) {
            m_result.cancels.push_back(running.serial);
            m_result.cancelRows.push_back(rule->index);
            return true;
        }
        m_result.other = running.serial;
        const Conflict &row = m_rules.pack().conflicts[rule->index];
        return refused(row.code, rule->refusal, ruleText(row, u"conflicts/%1"_s.arg(rule->index)));
    };

    if (m_rules.conflictPlaces()
        & ~quint32(
            Rules::Self | Rules::Ancestor | Rules::Descendant | Rules::Sibling | Rules::SameTree)) {
        return std::ranges::all_of(
            m_world.running, [&](const auto &running) { return judge(*running); });
    }
    const Resource anchor = m_result.target != NoResource ? m_result.target : m_result.parent;
    if (anchor == NoResource)
        return true;
    const quint32 branch = m_world.tree.place(anchor).branch;
    const auto busy = m_world.busy.constFind(branch);
    if (busy == m_world.busy.constEnd())
        return true;
    return std::ranges::all_of(*busy, [&](quint32 serial) {
        const Running &running = *m_world.find(serial);
        return m_world.tree.place(running.target).branch != branch || judge(running);
    });
}

} // namespace instar
