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
    for (qsizetype i = 0; i < found.size(); ++i) { // worklist: follow() appends
        const Rules::StateId from = found[i];
        for (const Rules::TriggerId outcome : rules.outcomes())
            follow(from, outcome);
    }
    return found;
}

namespace {

/// Returns true if the work that an operation leads to requires an operation that `isMeant`.
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

QMap<QString, Piece>::const_iterator pieceFor(const Request &request, const QString &state)
{
    const auto found = request.work.constFind(state);
    return found == request.work.constEnd() ? request.work.constFind(WholeWork) : found;
}

Piece passedOn(const Rules &rules, const Running &running)
{
    const Rules::StateRule &state = rules.state(running.work);
    if (hasAttempt(state))
        return {};
    const Request &request = *running.request;
    Piece plan { .duration = request.duration, .hang = request.hang };
    if (!running.outcomeUsed && !request.outcome.isEmpty())
        plan.outcomes = { request.outcome };
    const auto own = pieceFor(request, state.id);
    if (own == request.work.constEnd())
        return plan;
    if (own->duration)
        plan.duration = own->duration;
    if (own->hang)
        plan.hang = own->hang;
    if (own->anyOutcome || !own->outcomes.isEmpty())
        plan.outcomes = own->outcomes.mid(running.attemptsAt.value(own.key()));
    plan.anyOutcome = own->anyOutcome;
    return plan;
}

bool hasAttempt(const Rules::StateRule &state)
{
    return std::ranges::any_of(
        state.work, [](const Rules::Work &step) { return step.kind == Step::Kind::Attempt; });
}

} // namespace instar
