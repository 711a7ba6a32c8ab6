// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/commandpalette.h"

namespace instar {

class MainWindow;

/// What can be gone to in a window, of which the texts have all of the words: resources,
/// operations, states, rules with their sources, lessons and pages of the help; the first ones of
/// many.
QList<CommandPalette::Place> placesIn(MainWindow &window, const QStringList &words);

} // namespace instar
