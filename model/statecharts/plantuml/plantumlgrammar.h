// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/notation/textlines.h"
#include "model/statecharts/statechart.h"

#include <QString>

#include <optional>

namespace instar {

// Parser of single lines of a PlantUML state diagram, after the commands of PlantUML
// (net.sourceforge.plantuml.statediagram.command). Texts are not decoded.

/// Decorations in the order in which they are written, each unparsed, or empty.
struct PlantUmlStyle
{
    QString tags;        ///< "$a $b"
    QString stereotypes; ///< "<<a>> <<b>>"
    QString url;         ///< "[[http://example.org text]]"
    QString colour;      ///< "#pink", "#back:pink;line:red"
    QString border;      ///< "##[dashed]red"
    bool operator==(const PlantUmlStyle &) const = default;
};

/// state "label" as CODE <<style>> : text, or ending in {
struct PlantUmlState
{
    QString code;
    QString label; ///< empty: none
    PlantUmlStyle style;
    std::optional<QString> text;
    bool opens = false;
};
std::optional<PlantUmlState> plantUmlState(const QString &line);

/// End of an arrow.
struct PlantUmlEnd
{
    enum class Kind {
        Name,
        Dot,         ///< [*]
        History,     ///< [H], CODE[H]
        DeepHistory, ///< [H*], CODE[H*]
        Bar,         ///< ==CODE==
    };
    Kind kind = Kind::Name;
    QString code; ///< empty: that of the region around it
    QString stereotypes;
    QString colour;
};

/// A -[style]down-> B : text
struct PlantUmlArrow
{
    PlantUmlEnd from;
    PlantUmlEnd to;
    QString style; ///< "[#red,dashed]"
    bool isHidden = false;
    Towards towards = Towards::Anywhere;
    bool hasColon = false;
    QString text;
};
std::optional<PlantUmlArrow> plantUmlArrow(const QString &line);

/// CODE : text
struct PlantUmlText
{
    QString code;
    QString text;
};
std::optional<PlantUmlText> plantUmlText(const QString &line);

/// note left of CODE : text
struct PlantUmlNote
{
    enum class At { State, Latest, Arrow, Free };
    enum class Ends { Here, AtEndNote, AtBrace };
    At at = At::State;
    Ends ends = Ends::Here;
    QString side;
    QString code; ///< of the state, or of the free note
    PlantUmlStyle style;
    QString text; ///< if it ends here
};
std::optional<PlantUmlNote> plantUmlNote(const QString &line);

/// True if a state can have this name without quotes.
bool isPlantUmlCode(QStringView text);
/// True for the quotes that PlantUML treats as '"'.
bool isPlantUmlQuote(QChar letter);

/// Block between @startuml and @enduml.
struct PlantUmlBlock
{
    int number = 0; ///< of the line that starts it; 0: the file has no such line
    QString kind;   ///< "uml"; "json", "mindmap" and others hold no statechart
    QString name;   ///< rest of that line
    bool isClosed = false;
    QList<DiagramLine> lines; ///< without comments; those that end with a backslash are joined
    QStringList comments;     ///< with their signs: "' a", "/' b '/"
    int openComment = 0;      ///< the line of a block comment that never ends; 0: none
};

/// Splits a file into diagrams; removes the prefix of lines in a program's comments. A file without
/// @startuml is one diagram.
QList<PlantUmlBlock> plantUmlBlocks(const QStringList &lines);

/// Index of "@start" in a line, at its beginning or after punctuation only; -1: none.
qsizetype plantUmlStart(QStringView line);

/// Kind of a state without body with these stereotypes, "<<choice>> <<big>>": the first counts.
Vertex::Kind plantUmlKind(const QString &stereotypes);
/// The stereotype of a kind; empty for states.
QString plantUmlStereotype(Vertex::Kind kind);
/// True if only diagrams of other kinds (classes, sequences, activities ...) have such a line.
bool isOtherPlantUml(const QString &line);

} // namespace instar
