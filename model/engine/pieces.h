// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"

namespace instar {

/// The working states that an operation leads resources of a machine through, whatever they begin
/// in; each once.
QList<Rules::StateId> piecesOf(const Rules &rules, int machine, Rules::TriggerId op);

/// Whether the work in one of them requires operations; how those end may be how it ends.
bool requiresAny(const Rules &rules, int machine, Rules::TriggerId op);
/// Whether it requires one that resources of another machine take.
bool requiresOf(const Rules &rules, int machine, Rules::TriggerId op, int other);

} // namespace instar
