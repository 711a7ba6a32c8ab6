// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "model/budget.h"

namespace instar {

/// Limits of a command's work: so many states, and the seconds of --max-time from now on. The first
/// SIGINT cancels the work, a second one ends the program. Progress is shown as a number of
/// `things`.
Budget budgetOf(const Arguments &arguments, qint64 states, const QString &things);

/// How a command ends whose work this limit has stopped: 130 after SIGINT.
Exit exitAfter(Limit limit, Exit otherwise);

} // namespace instar
