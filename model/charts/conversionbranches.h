// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/interpreter.h"

namespace instar {

/// Answers that were given, in the order in which they were asked, and what came of them.
struct Branch
{
    QList<std::pair<QString, bool>> answers;
    Move move;
};

/// Every way in which conditions can be answered; the first yes comes first. An error where there
/// are too many, or where arrows without events follow each other for ever.
Result<QList<Branch>> branchesOf(
    const Interpreter &interpreter, const std::function<Move(const Answers &)> &run);

} // namespace instar
