// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/timeline.h"

#include <QByteArray>

namespace instar {

enum class SequenceNotation { PlantUml, Mermaid };

/// A run as a sequence diagram: clients ask, trees of resources answer and work, in order of time.
/// A tree that works is active; a cancellation leads from the tree of the newer operation to that
/// of the older one.
QByteArray sequenceDiagram(
    const Timeline &timeline, const QString &title, SequenceNotation notation);

} // namespace instar
