// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"
#include "model/engine/simulator.h"

namespace instar {

/// Returns a state's id; empty for None.
QString stateName(const Rules &rules, Rules::StateId state);

/// Returns a path for display: the names without the types.
QString spokenPath(const QString &path);

/// A change as a sentence: "op1 PUT /a started: Succeeded → Updating".
QString changeText(const Rules &rules, const OperationLog &operations, const Change &change);

/// The expected answer to a request in words: "accepted: moves the resource to Updating".
QString admissionText(const Rules &rules, const World &world, const Admission &admission);

/// "waits until the program exited"; empty: the operation waits for no condition.
QString waitText(const Rules &rules, const Running &running);

/// "require delete of referrers".
QString stepText(const Step &step);
/// A transition's assignments to properties: "state = creating, retry less by 1".
QString assignmentsText(const QList<Assignment> &assignments);

/// A branch's own name, or one made from its first event.
QString branchName(const Simulator::Branch &branch);

} // namespace instar
