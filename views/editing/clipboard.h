// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/edits.h"
#include "model/result.h"

namespace instar {

/// States and transitions as a machine's file has them.
QString fragmentText(const Fragment &fragment);
/// The same back; or the states of a statechart in whatever notation the text is. An error says
/// that it is none.
Result<Fragment> fragmentIn(const QString &text);

} // namespace instar
