// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/notation/textlines.h"
#include "model/statecharts/notation/textplan.h"
#include "model/statecharts/statechart.h"

#include <QString>

#include <optional>

namespace instar {

// Parser of single lines of a Mermaid state diagram, after its grammar
// (packages/mermaid/src/diagrams/state/parser/stateDiagram.jison).

/// state "label" as ID, state "label" as ID : text, state ID <<fork>>, state ID {
struct MermaidState
{
    QString id;
    QString label;      ///< not decoded; empty: none
    QString text;       ///< after the colon; empty: none
    QString stereotype; ///< "fork", "join", "choice"
    bool opens = false;
    QString rest; ///< after the brace
};
std::optional<MermaidState> mermaidState(const QString &line);

/// Kinds of vertices by stereotype.
const QMap<QString, Vertex::Kind> &mermaidStereotypes();

/// ID:::class, or "[*]"
struct MermaidEnd
{
    QString id; ///< empty: a dot
    QString style;
};

/// ID, ID : text, ID --> ID : text
struct MermaidStatement
{
    MermaidEnd from;
    std::optional<MermaidEnd> to;
    bool hasText = false;
    QString text;
};
std::optional<MermaidStatement> mermaidStatement(const QString &line);

/// note left of ID : text
struct MermaidNote
{
    QString side; ///< empty: free
    QString id;
    bool isWhole = false; ///< false: its text is on the next lines, up to "end note"
    QString text;
};
std::optional<MermaidNote> mermaidNote(const QString &line);

/// Diagram: a file, or a ```mermaid block of a Markdown file.
struct MermaidBlock
{
    int number = 0;           ///< of its first line
    QString kind;             ///< its first word, "stateDiagram-v2"; empty: the block is empty
    QStringList frontmatter;  ///< between the "---" lines
    QStringList directives;   ///< "%%{init: ...}%%"
    QStringList comments;     ///< lines that begin with "%%" or, outside notes, with "#"
    QList<DiagramLine> lines; ///< after the line of the first word
};

QList<MermaidBlock> mermaidBlocks(const QStringList &lines);

/// Decodes a text of Mermaid: "<br>" and "\n" are line breaks, "#quot;" and "#35;" characters.
QString shownByMermaid(const QString &written);

/// Encodes a text for Mermaid: after a colon, between quotes or in a note.
QString writtenForMermaid(const QString &shown);

/// Returns the lines between "---" that set a title, and the title that such lines set.
QStringList mermaidFrontmatter(const QString &title);
QString mermaidTitle(const QStringList &frontmatter);

/// Encodes a note: one line after a colon, or a block.
QStringList noteForMermaid(const QStringList &shown);

/// True if a state can have this name.
bool isMermaidId(QStringView text);

const TextNotation &mermaidNotation();

} // namespace instar
