// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/statecharts.h"

#include <QStringList>

namespace instar {

// Text files that hold diagrams among other things: PlantUML's and Mermaid's.

/// Reads a file of UTF-8 as lines; where it is something else, a remark says so. `readLines`
/// adds the diagrams and remarks, in any order. A file without diagram is an error, which says that
/// `expected` was.
Result<StatechartsRead> readDiagrams(const QByteArray &bytes, const QString &file,
    const QString &expected, void (*readLines)(const QStringList &lines, StatechartsRead &read));

/// Adds a diagram that begins in the line; one without states becomes a remark.
void addDiagram(Statechart chart, int line, StatechartsRead &read);

/// Control characters of a file, line feeds among them, do not come into what is said about it.
void setOnOneLine(QList<Remark> &remarks);

} // namespace instar
