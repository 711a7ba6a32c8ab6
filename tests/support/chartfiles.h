// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statecharts.h"

#include <QStringList>

namespace instar {

// Readers of statecharts from files and text. Errors end the test program.

QByteArray contents(const QString &file);

/// Adds a data row "file" with the full path of each file of the folder with that suffix.
void addFileRows(const QString &folder, const QString &suffix);

StatechartsRead readCharts(const StatechartFormat &format, const QByteArray &text);

/// Formats diagnostics: "3!: text" for a loss in line 3, "3: text" for a note.
QStringList texts(const QList<Diagnostic> &remarks);

} // namespace instar
