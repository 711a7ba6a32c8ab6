// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"
#include "model/engine/simulator.h"

namespace instar {

struct Admission;

/// A path as a reader says it: the ids, without the types between them.
QString spokenPath(const QString &path);

/// One thing that an event led to, in words: "op1 PUT /a started: Succeeded → Updating".
QString changeText(const Rules &rules, const OperationLog &operations, const Change &change);

/// The answer to a request that nobody has made yet, in words: "accepted: moves it to Updating".
QString admissionText(const Rules &rules, const World &world, const Admission &admission);

/// A condition in words.
QString conditionText(const Condition &condition);
/// "require delete of referrers".
QString stepText(const Step &step);
/// What a transition does to properties: "state = creating, retry less by 1".
QString assignmentsText(const QList<Assignment> &assignments);

/// A branch as somebody named it, or by what it began with.
QString branchName(const Simulator::Branch &branch);

} // namespace instar
