// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/rows.h"
#include "model/machine/policy.h"

namespace instar {

/// A label, "!label", a list of which all hold, or an object of facts of which all hold. Absent:
/// always.
Condition readCondition(Reading &reading, Value value);
Output conditionOutput(const Condition &condition);
/// Left out where the condition always holds.
void addCondition(Output *object, const char *key, const Condition &condition);

/// A condition of pack rows: bare, or {"is": condition} with what a row may have.
NamedCondition readNamedCondition(Reading &reading, const QString &id, Value value);
Output namedConditionOutput(const NamedCondition &named);

/// One fact about related resources; its key is a relation, or "some " and a relation.
Condition readRelated(Reading &reading, const Member &fact);
void addRelated(Output *object, const Condition &related);

} // namespace instar
