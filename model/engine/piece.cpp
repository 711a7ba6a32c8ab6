// SPDX-License-Identifier: Apache-2.0
#include "model/engine/piece.h"

#include <algorithm>

namespace instar {

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
