// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"

namespace instar {

/// Warning about a valid scenario that probably contains a mistake.
struct Doubt
{
    qsizetype step = 0; ///< in the scenario's file order
    QStringList keys;   ///< where in the step
    QString text;       ///< one sentence
    QString rule;       ///< "out-of-order" or "unknown-name"
    bool operator==(const Doubt &) const = default;
};

/// Finds steps that use an operation before its submission, and expectations of paths unknown to
/// the scenario or of error codes unknown to the pack. These are no errors, because a server may
/// have paths and codes of its own.
QList<Doubt> doubts(const Scenario &scenario, const Pack &pack);

} // namespace instar
