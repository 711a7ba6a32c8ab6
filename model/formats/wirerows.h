// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/rows.h"
#include "model/machine/wire.h"

namespace instar {

/// How a pack is spoken over HTTP, as its file has it; nothing is read where there is no value.
Wire readWire(Reading &reading, Value value);
Output wireOutput(const Wire &wire);

} // namespace instar
