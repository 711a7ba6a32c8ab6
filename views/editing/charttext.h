// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/edits.h"
#include "model/pack/machine.h"
#include "model/result.h"

namespace instar {

/// What is written at an arrow, to be edited in place: "PUT, DELETE [must be replaced and not
/// protected]".
struct ArrowText
{
    QStringList on;
    Condition condition;
    bool operator==(const ArrowText &) const = default;
};

/// Labels and their contraries stand as words; every other condition as a pack's file writes it.
QString arrowText(const ArrowText &arrow);
/// Any text has triggers; an error says what is wrong with what stands in the brackets.
Result<ArrowText> readArrowText(const QString &text);

/// States and transitions as a machine's file has them.
QString fragmentText(const Fragment &fragment);
/// The same back; or the states of a statechart in whatever notation the text is. An error says
/// that it is none.
Result<Fragment> fragmentIn(const QString &text);

} // namespace instar
