// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    QStringView rest; ///< behind the brace; of the line
};
std::optional<MermaidState> mermaidState(QStringView line);

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
std::optional<MermaidStatement> mermaidStatement(QStringView line);

/// note left of ID : text
struct MermaidNote
{
    QString side; ///< empty: free
    QString id;
    bool isWhole = false; ///< else the text follows, up to "end note"
    QString text;
};
std::optional<MermaidNote> mermaidNote(QStringView line);

} // namespace instar
