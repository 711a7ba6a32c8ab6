// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/textnotation.h"

namespace instar {

const TextNotation &mermaidNotation();

} // namespace instar
