// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"

namespace instar {

/// How a run went: under which rules, from what, and everything that happened, in order.
struct Course
{
    Rules rules;
    World beginning;
    QList<Record> records;
};

} // namespace instar
