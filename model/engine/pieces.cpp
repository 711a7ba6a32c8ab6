// SPDX-License-Identifier: Apache-2.0
#include "model/engine/pieces.h"

#include <algorithm>
#include <functional>

namespace instar {

QList<Rules::StateId> piecesOf(const Rules &rules, int machine, Rules::TriggerId op)
{
    QList<Rules::StateId> found;
    const auto follow = [&](Rules::StateId from, Rules::TriggerId trigger) {
        for (const int index : rules.candidates(from, trigger)) {
            for (const Rules::Target &target : rules.transition(index).to) {
                if (target.kind == Rules::Target::Kind::State
                    && rules.state(target.state).isTransitional() && !found.contains(target.state))
                    found += target.state;
            }
        }
    };
    for (size_t i = 0; i < rules.states().size(); ++i) {
        if (rules.states()[i].machine == machine)
            follow(Rules::StateId(i), op);
    }
    for (qsizetype i = 0; i < found.size(); ++i) { // it grows meanwhile
        const Rules::StateId from = found[i];
        for (const Rules::TriggerId outcome : rules.outcomes())
            follow(from, outcome);
    }
    return found;
}

namespace {

/// Whether the work that an operation leads to requires an operation that `isMeant`.
bool requiresOne(const Rules &rules, int machine, Rules::TriggerId op,
    const std::function<bool(Rules::TriggerId)> &isMeant)
{
    const QList<Rules::StateId> pieces = piecesOf(rules, machine, op);
    return std::ranges::any_of(pieces, [&](Rules::StateId piece) {
        return std::ranges::any_of(rules.state(piece).work, [&](const Rules::Work &step) {
            return step.kind == Step::Kind::Require && isMeant(step.name);
        });
    });
}

} // namespace

bool requiresAny(const Rules &rules, int machine, Rules::TriggerId op)
{
    return requiresOne(rules, machine, op, [](Rules::TriggerId) { return true; });
}

bool requiresOf(const Rules &rules, int machine, Rules::TriggerId op, int other)
{
    return requiresOne(rules, machine, op, [&](Rules::TriggerId required) {
        for (size_t i = 0; i < rules.states().size(); ++i) {
            if (rules.states()[i].machine == other
                && !rules.candidates(Rules::StateId(i), required).empty())
                return true;
        }
        return false;
    });
}

} // namespace instar
