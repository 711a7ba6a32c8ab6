// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/machine.h"

namespace instar {

/// A condition in words.
QString conditionText(const Condition &condition);
/// "require delete of referrers".
QString stepText(const Step &step);
/// What a transition does to properties: "state = creating, retry less by 1".
QString assignmentsText(const QList<Assignment> &assignments);

} // namespace instar
