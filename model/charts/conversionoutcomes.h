// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statechart.h"

#include <QHash>

namespace instar {

/// A statechart in which work that can end in several ways says which.
struct OutcomesNamed
{
    Statechart chart;
    QHash<QString, QString> usual; ///< state -> the outcome of its first arrow
    QStringList made;              ///< outcomes, each once
    QList<Remark> remarks;
};

/// Several arrows without event and condition leave some states: of those each becomes one on an
/// outcome named after its target, for only the first would ever be taken. Those of a composite
/// that wait for its end leave from there.
OutcomesNamed withOutcomes(Statechart chart);

} // namespace instar
