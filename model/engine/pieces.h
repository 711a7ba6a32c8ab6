// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/engine/world.h"

namespace instar {

/// How a request names the plan of a required operation's whole work, whatever the state.
inline const QString WholeWork = QStringLiteral("*");

/// How an operation's request plans the work in a state: by the state's name, or, for a required
/// operation, as a whole; the end of Request::work: not at all.
QMap<QString, Piece>::const_iterator pieceFor(const Request &request, const QString &state);

/// How the operations that the work of an operation requires at present are to end: where that
/// work has no attempt of its own, what is planned for it, or for all the operation, and has not
/// come yet is theirs.
Piece passedOn(const Rules &rules, const Running &running);

/// Whether work in the state ends by an attempt of its own, not only by what it requires.
bool hasAttempt(const Rules::StateRule &state);

/// The working states that an operation leads resources of a machine through, whatever they begin
/// in; each once.
QList<Rules::StateId> piecesOf(const Rules &rules, int machine, Rules::TriggerId op);

/// Whether the work in one of them requires operations; how those end may be how it ends.
bool requiresAny(const Rules &rules, int machine, Rules::TriggerId op);
/// Whether it requires one that resources of another machine take.
bool requiresOf(const Rules &rules, int machine, Rules::TriggerId op, int other);

} // namespace instar
