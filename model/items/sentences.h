// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"
#include "model/engine/simulator.h"

namespace instar {

/// Returns a state's id; empty for None.
QString stateName(const Rules &rules, Rules::StateId state);

/// Returns a state's label for people; the id if it has none. Empty for None.
QString stateTitle(const Rules &rules, Rules::StateId state);
/// Returns the label of the state whose word a machine's resources show; the word if it has none.
QString wordTitle(const Rules &rules, int machine, const QString &word);
/// Returns the title of the state that a resource shows.
QString shownTitle(const Rules &rules, const World &world, Resource resource);
/// Returns the number of resources by the titles of the states that they show.
QMap<QString, qint64> titleCounts(const Rules &rules, const World &world);

/// Returns a path for display: the names without the types.
QString displayPath(const QString &path);

/// Returns a change as a sentence: "op1 PUT /a started: Succeeded → Updating".
QString changeText(const Rules &rules, const OperationLog &operations, const Change &change);

/// Returns "waits until program exited"; empty if the operation waits for no condition.
QString waitText(const Rules &rules, const Running &running);

/// Returns a step of work as text: "require delete of referrers".
QString stepText(const Step &step);
/// Returns assignments to properties as text: "state = creating, retry decreases by 1".
QString assignmentsText(const QList<Assignment> &assignments);

/// Returns a branch's own name, or one made from its first event.
QString branchName(const Simulator::Branch &branch);

} // namespace instar
