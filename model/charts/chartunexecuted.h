// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statechart.h"

namespace instar {

/// What a file wants done while its statechart runs, W3C SCXML's executable content, and nobody
/// does: all but events that it tells itself. A loss for each place, by what lies there.
QList<Remark> unexecuted(const Statechart &chart);

/// `the arrow from "a" to "b" on "go"`, as far as it has a target and an event.
QString arrowWords(const Arc &arc);

} // namespace instar
