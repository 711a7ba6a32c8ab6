// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/diagramlines.h"

namespace instar {

/// A diagram: a file, or a ```mermaid block of a Markdown file.
struct MermaidBlock
{
    int number = 0;           ///< of its first line
    QString kind;             ///< its first word, "stateDiagram-v2"; empty: there is nothing in it
    QStringList frontmatter;  ///< between the "---" lines
    QStringList directives;   ///< "%%{init: ...}%%"
    QStringList comments;     ///< lines that begin with "%%" or, outside notes, with "#"
    QList<DiagramLine> lines; ///< what follows the first word's line
};

QList<MermaidBlock> mermaidBlocks(const QStringList &lines);

} // namespace instar
