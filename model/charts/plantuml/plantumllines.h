// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/diagramlines.h"

namespace instar {

/// What stands between @startuml and @enduml.
struct PlantUmlBlock
{
    int number = 0; ///< of the line that starts it; 0: the file has no such line
    QString kind;   ///< "uml"; "json", "mindmap" and others hold no statechart
    QString name;   ///< what follows on that line
    bool isClosed = false;
    QList<DiagramLine> lines; ///< without comments; those that end with a backslash are joined
    QStringList comments;     ///< in full: "' so", "/' or so '/"
    int openComment = 0;      ///< the line of a block comment that never ends; 0: none
};

/// The diagrams of a file. What stands in front of them on each line, as in the comments of a
/// program, is taken off. A file without @startuml is one diagram.
QList<PlantUmlBlock> plantUmlBlocks(const QStringList &lines);

} // namespace instar
