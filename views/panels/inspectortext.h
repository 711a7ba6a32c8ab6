// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "views/drawing/theme.h"

namespace instar {

// What the inspector says, as rich text. Links are "path:/a/b", "operation:12" and
// "state:machine/id".

QString resourceText(const Controller &controller, const QString &path, const Theme &theme);
QString operationText(const Controller &controller, quint32 serial, const Theme &theme);
QString stateText(
    const Controller &controller, int machine, const QString &state, const Theme &theme);
/// `row` is the transition's in its machine.
QString transitionText(const Controller &controller, int machine, int row, const Theme &theme);

/// A condition in words.
QString conditionText(const Condition &condition);
/// What a transition does to properties: "state = creating, retry less by 1".
QString assignmentsText(const QList<Assignment> &assignments);

} // namespace instar
