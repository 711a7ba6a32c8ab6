// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"

namespace instar {

struct Admission;

/// A path as a reader says it: the ids, without the types between them.
QString spokenPath(const QString &path);

/// One thing that an event led to, in words: "op1 PUT /a started: Succeeded → Updating".
QString changeText(const Rules &rules, const OperationLog &operations, const Change &change);

/// The answer to a request that nobody has made yet, in words: "accepted: moves it to Updating".
QString admissionText(const Rules &rules, const World &world, const Admission &admission);

} // namespace instar
