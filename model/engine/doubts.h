// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"

namespace instar {

/// What a scenario may say, but hardly means to.
struct Doubt
{
    qsizetype step = 0; ///< in the scenario's file order
    QStringList keys;   ///< where in the step
    QString text;       ///< one sentence
    QString rule;       ///< "out-of-order" or "unknown-name"
    bool operator==(const Doubt &) const = default;
};

/// Steps that speak of an operation before it is asked for; expectations of paths that are not the
/// scenario's and of error codes that the pack does not give. A server may have paths and codes of
/// its own, so that none of these is an error.
QList<Doubt> doubts(const Scenario &scenario, const Pack &pack);

} // namespace instar
