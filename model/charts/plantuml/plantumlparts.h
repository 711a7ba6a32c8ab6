// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/linecursor.h"
#include "model/charts/plantuml/plantumlgrammar.h"

namespace instar {

// What several kinds of lines of a PlantUML diagram are made of. Each gives what is there as it
// stands, or nothing, which leaves the cursor where it was.

QString takeCode(LineCursor &cursor);
QString takeQuoted(LineCursor &cursor); ///< without its quotes
QString takeStereotypes(LineCursor &cursor);
QString takeColour(LineCursor &cursor);
PlantUmlStyle takeStyle(LineCursor &cursor);

} // namespace instar
