// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/notation/textlines.h"
#include "model/statecharts/notation/textplan.h"
#include "model/statecharts/statechart.h"

#include <QString>

#include <optional>

namespace instar {

// What one line of a Mermaid state diagram says, after its grammar
// (packages/mermaid/src/diagrams/state/parser/stateDiagram.jison).

/// state "label" as ID, state "label" as ID : text, state ID <<fork>>, state ID {
struct MermaidState
{
    QString id;
    QString label;      ///< as it is written; empty: none
    QString text;       ///< behind the colon; empty: none
    QString stereotype; ///< "fork", "join", "choice"
    bool opens = false;
    QString rest; ///< behind the brace
};
std::optional<MermaidState> mermaidState(const QString &line);

/// The kinds of vertices that stereotypes say.
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
    bool isWhole = false; ///< else the text follows, up to "end note"
    QString text;
};
std::optional<MermaidNote> mermaidNote(const QString &line);

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

/// Text as Mermaid draws it: "<br>" and "\n" break the line, "#quot;" and "#35;" are letters.
QString shownByMermaid(const QString &written);

/// Text to write so that Mermaid draws it so: behind a colon, between quotes or in a note.
QString writtenForMermaid(const QString &shown);

/// Lines between "---" that set a title, and the title that such lines set.
QStringList mermaidFrontmatter(const QString &title);
QString mermaidTitle(const QStringList &frontmatter);

/// Lines of a note: one behind a colon, or a block.
QStringList noteForMermaid(const QStringList &shown);

/// Whether a state can have this name.
bool isMermaidId(QStringView text);

const TextNotation &mermaidNotation();

} // namespace instar
