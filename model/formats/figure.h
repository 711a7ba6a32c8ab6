// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/output.h"
#include "model/formats/reading.h"
#include "model/machine/machine.h"

namespace instar {

/// A property's name, or an object that says what to make of a property and what counts where there
/// is none; a number of ms where `fixed` is given, at least `least`.
QList<Figure> readFigures(Reading &reading, Value value, qint64 least, qint64 *fixed);
/// There must be a figure, or a number that is not 0.
Output figuresOutput(const QList<Figure> &figures, qint64 fixed);

} // namespace instar
