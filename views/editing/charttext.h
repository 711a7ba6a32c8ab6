// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/edits.h"
#include "model/pack/machine.h"
#include "model/result.h"

namespace instar {

/// Label of an arrow, for editing in place: "PUT, DELETE [must be replaced and not
/// protected]".
struct ArrowText
{
    QStringList on;
    Condition condition;
    bool operator==(const ArrowText &) const = default;
};

/// Returns an arrow's text: labels and negated labels as words, any other condition as JSON.
QString arrowText(const ArrowText &arrow);
/// Parses the text of arrowText(); the error says what is wrong with the bracketed condition.
Result<ArrowText> readArrowText(const QString &text);

/// Returns states and transitions as the JSON of a machine's file.
QString fragmentText(const Fragment &fragment);
/// Parses the text of fragmentText(), or a statechart in any notation that can be read.
Result<Fragment> fragmentIn(const QString &text);

} // namespace instar
