// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/chart/textnotation.h"

namespace instar {

const TextNotation &plantUmlNotation();

} // namespace instar
