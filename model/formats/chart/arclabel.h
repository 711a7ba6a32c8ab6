// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/statechart.h"

namespace instar {

/// Takes what is written at an arrow, "trigger [condition] / action", apart. Without brackets, or
/// where something else follows them, the whole is the trigger. Line breaks are blanks in the
/// parts; Arc::label keeps the text where the parts do not give it back.
void setText(Arc &arc, const QString &text);

/// Would setText() find the same event, condition and action in what is written at the arrow?
bool readsBack(const Arc &arc);

} // namespace instar
