// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/rows.h"
#include "model/machine/policy.h"

namespace instar {

// The rows of a pack outside its machines, each as its file has it.

Source readSource(Reading &reading, const QString &id, Value value);
Switch readSwitch(Reading &reading, const QString &id, Value value);
Type readType(Reading &reading, const QString &path, Value value);
OperationKind readOperation(Reading &reading, const QString &id, Value value);
Outcome readOutcome(Reading &reading, const QString &id, Value value);
Conflict readConflict(Reading &reading, Value value);
Refusal readRefusal(Reading &reading, const QString &id, Value value);
Stamp readStamp(Reading &reading, Value value);
ResourceSpec readResource(Reading &reading, Value value);

Output sourceOutput(const Source &source);
Output switchOutput(const Switch &row);
Output typeOutput(const Type &type);
Output operationOutput(const OperationKind &operation);
Output outcomeOutput(const Outcome &outcome);
Output conflictOutput(const Conflict &conflict);
Output refusalOutput(const Refusal &refusal);
Output stampOutput(const Stamp &stamp);
Output resourceOutput(const ResourceSpec &resource);

} // namespace instar
