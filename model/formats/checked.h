// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/formats/reading.h"
#include "model/machine/pack.h"

namespace instar {

// What check() has to say of what stands in a file, with its places; and the engine's last word.

/// Of a pack that was read from the document.
QList<Finding> packFindings(const JsonText &document, const Pack &pack);
/// Of a lone machine that was read from the document; what only its pack could know is left out.
QList<Finding> machineFindings(const JsonText &document, const Machine &machine);
/// The errors among them, as they are printed.
QStringList errorLines(const QString &file, const QList<Finding> &findings);
/// Every choice of the switches, or each value of each switch where those are too many.
QList<Switches> choicesOf(const Pack &pack);
/// Whether an issue is about what one machine alone cannot know.
bool isOutside(const Issue &issue);

} // namespace instar
