// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/output.h"
#include "model/json/reading.h"
#include "model/pack/machine.h"

namespace instar {

/// A label, "!label", a list of which all hold, or an object of facts of which all hold. Absent:
/// always.
Condition readCondition(Reading &reading, Value value);
Output conditionOutput(const Condition &condition);

/// As people type it: labels and their contraries with "and" between them stand as words; every
/// other condition as a pack's file writes it.
QString conditionWords(const Condition &condition);
/// An error says what is wrong with the text.
Result<Condition> conditionFromWords(const QString &text);

/// One fact about related resources; its key is a relation, or "some " and a relation.
Condition readRelated(Reading &reading, const Member &fact);
void addRelated(Output *object, const Condition &related);

/// A property's name, or an object that says what to make of a property and what counts where there
/// is none; a number of ms where `fixed` is given, at least `least`.
QList<Figure> readFigures(Reading &reading, Value value, qint64 least, qint64 *fixed);
/// There must be a figure, or a number that is not 0.
Output figuresOutput(const QList<Figure> &figures, qint64 fixed);

} // namespace instar
