// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/chartplan.h"

#include <QSet>

namespace instar {

// What nothing leads to is not in a pack, and is told.

/// Nothing leads to a vertex, which is called `name`; the arrows that leave it are told with it.
Remark unreached(const Statechart &chart, const QString &vertex, const QString &name);

Remark neverTaken(const Statechart &chart, int arc);

/// The vertices that no run ever enters, and the arcs that none ever follows. `followed`, `passed`:
/// the ways and nodes of the plan that some run does.
QList<Remark> unreached(const Statechart &chart, const ChartPlan &plan, const QSet<int> &followed,
    const QSet<int> &passed);

} // namespace instar
