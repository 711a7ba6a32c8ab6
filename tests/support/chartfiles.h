// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statecharts.h"

#include <QStringList>

namespace instar {

// Statecharts from files and from short text; what cannot be read ends the test program.

QByteArray contents(const QString &file);

/// The data rows "file" of a test: one for each file of the folder that ends so, in full.
void addFileRows(const QString &folder, const QString &suffix);

StatechartsRead readCharts(const StatechartFormat &format, const QByteArray &text);

/// "3!: text" for a loss in line 3, "3: text" for what is only worth knowing.
QStringList texts(const QList<Diagnostic> &remarks);

} // namespace instar
