// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/engine/world.h"

namespace instar {

/// Key in Request::work of a plan for all states of a required operation's work.
inline const QString WholeWork = QStringLiteral("*");

/// Finds a request's plan for the work in a state, by the state's name or else under WholeWork; the
/// end of Request::work if there is none.
QMap<QString, Piece>::const_iterator pieceFor(const Request &request, const QString &state);

/// Returns the plan that an operation passes on to the operations its current work requires: the
/// unused rest of its own plan if that work has no attempt of its own, else an empty one.
Piece passedOn(const Rules &rules, const Running &running);

/// Returns true if the state's work contains an attempt, not only required operations.
bool hasAttempt(const Rules::StateRule &state);

/// Returns the transitional states that an operation can lead a machine's resources through, from
/// any state; each once.
QList<Rules::StateId> piecesOf(const Rules &rules, int machine, Rules::TriggerId op);

/// Returns true if the work in one of piecesOf() requires operations, which may decide its outcome.
bool requiresAny(const Rules &rules, int machine, Rules::TriggerId op);
/// Returns true if it requires an operation that has transitions in the machine `other`.
bool requiresOf(const Rules &rules, int machine, Rules::TriggerId op, int other);

} // namespace instar
