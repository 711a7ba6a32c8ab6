// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace instar {

/// A title as it is to be written, its lines separated by "\n".
QString titleForPlantUml(const QString &shown);
/// Can it be written so, rather than as the title above?
bool isPlantUmlTitle(const QString &written);
/// The lines that say it: one, or a block.
QStringList titleLines(const QString &written);

} // namespace instar
