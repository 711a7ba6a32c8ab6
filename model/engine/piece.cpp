// SPDX-License-Identifier: Apache-2.0
#include "model/engine/piece.h"

#include <algorithm>

namespace instar {

QMap<QString, Piece>::const_iterator pieceFor(const Request &request, const QString &state)
{
    const auto found = request.work.constFind(state);
    return found == request.work.constEnd() ? request.work.constFind(WholeWork) : found;
}

bool hasAttempt(const Rules::StateRule &state)
{
    return std::ranges::any_of(
        state.work, [](const Rules::Work &step) { return step.kind == Step::Kind::Attempt; });
}

} // namespace instar
