// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/explanation.h"
#include "model/items/liveconformance.h"
#include "model/pack/pack.h"
#include "views/drawing/theme.h"

namespace instar {

// What the inspector says, as rich text. Links are "path:/a/b", "operation:12" and
// "source:R6"; "switch:name" asks what another value of it would change.

/// `why`: what moved it last, if that is known. With a forecast also what the rules say beside what
/// a server shows; "play:/a/b" asks to play the shortest history that shows where it left them.
QString resourceText(const Controller &controller, const QString &path, const Theme &theme,
    const std::optional<Explanation> &why = {}, const LiveConformance *conformance = nullptr);
QString operationText(const Controller &controller, quint32 serial, const Theme &theme);
/// A refusal: code, what is in the way, the rule, and what can be done; "again:12" asks to fire it
/// when it is free, "cancel:12" to cancel an operation.
QString answerText(const Controller &controller, quint32 serial, const Theme &theme);
/// "A’s PUT on Rack-1".
QString titleOf(const Operation &operation);
/// Of an operation that at this moment nobody has asked for yet, or that is forgotten; and of its
/// target.
QString spontaneousText(
    const Controller &controller, const Operation &operation, const Theme &theme);
QString stateText(
    const Controller &controller, int machine, const QString &state, const Theme &theme);
/// `row` is the transition's in its machine.
QString transitionText(const Controller &controller, int machine, int row, const Theme &theme);

/// A lesson that shows a rule: its file and title.
struct LessonOnRule
{
    QString file, title;
};
/// A source of the pack: what it is, what it says, what rests on it and where it is taught;
/// "lesson:file" leads there, "back:" back.
QString sourcePage(const Controller &controller, const QString &key,
    const QList<LessonOnRule> &lessons, const Theme &theme);

} // namespace instar
