// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/output.h"
#include "model/json/reading.h"
#include "model/pack/machine.h"

namespace instar {

/// Reads a condition: a label, "!label", a list (all must hold) or an object of facts (all must
/// hold). An absent value gives Condition::Kind::Always.
Condition readCondition(JsonReader &reading, Value value);
Output conditionOutput(const Condition &condition);

/// Returns a condition as editable text, such as "parent is Deleting and not paid"; or as the JSON
/// of a pack's file, if words cannot express the condition.
QString conditionWords(const Condition &condition);
/// Parses the text of conditionWords(); the error is for the person who typed it.
Result<Condition> conditionFromWords(const QString &text);

/// Reads a fact about related resources; its key is a relation, or "some RELATION".
Condition readRelated(JsonReader &reading, const Member &fact);
void addRelated(Output *object, const Condition &related);

/// Reads figures, which are numbers computed from properties. A figure is written as the name of a
/// property, or as an object with the property, the arithmetic and, as "else", the next figure to
/// try. If `fixed` is given, a number of ms (at least `least`) is read, too, and stored in `fixed`.
QList<Figure> readFigures(JsonReader &reading, Value value, qint64 least, qint64 *fixed);
/// Returns figures as the JSON that readFigures() reads, or the number `fixed` if there are none.
/// One of the two must be given: a figure, or `fixed` != 0.
Output figuresOutput(const QList<Figure> &figures, qint64 fixed);

} // namespace instar
