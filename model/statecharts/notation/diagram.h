// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/notation/chartlosses.h"
#include "model/statecharts/notation/textplan.h"
#include "model/statecharts/statecharts.h"

#include <QHash>
#include <QRegularExpression>

#include <array>
#include <functional>
#include <optional>
#include <utility>

namespace instar {

// Common base of the readers and writers of PlantUML and Mermaid.

/// Returns the number of blanks at the beginning of a line.
qsizetype indentOf(QStringView line);
/// Returns a line with blanks before it; an empty line stays empty.
QString indented(const QString &line, qsizetype blanks);
/// Returns lines without their common indentation and without trailing blanks.
QStringList unindented(const QStringList &lines);

/// Replaces characters of a text from left to right. `replaced` gets the rest of the text, and
/// returns a replacement and the number of characters to replace.
QString replacedLetters(QStringView text,
    const std::function<std::pair<QString, qsizetype>(QStringView rest)> &replaced);
/// Converts line breaks to line feeds, then replaces each character by the result of `written`.
/// `isEdge` is true for the first and the last character.
QString escapedLetters(
    QString shown, const std::function<QString(QStringView rest, bool isEdge)> &written);

/// Compiles a regular expression, ignoring case and blanks in the rule. {s} matches a blank.
QRegularExpression lineRegex(QString rule);

struct DiagramLine
{
    int number = 0; ///< in the file, counted from 1
    QString text;   ///< with its indentation
};

struct DiagramsRead : StatechartsRead
{
    std::optional<Diagnostic> other; ///< first diagram that is no state diagram
};

/// Reads the diagrams of a file; invalid bytes give a remark. `readLines` adds diagrams and remarks
/// in any order. The error for a file without a diagram names what was `expected` and found.
Result<StatechartsRead> readDiagrams(const QByteArray &bytes, const QString &file,
    const QString &expected, void (*readLines)(const QStringList &lines, DiagramsRead &read));

/// Adds a diagram that begins in a line; without states, adds a remark instead.
void addDiagram(Statechart chart, int line, StatechartsRead &read);
/// Reports a diagram of another kind, "a class diagram (class A)".
void refuseDiagram(const QString &kind, int line, DiagramsRead &read);

/// Replaces control and bidirectional characters of a written text by "\\u202e" and the like, with
/// a remark, because the notation cannot escape them. Removes line feeds from the remarks.
void escapeControls(StatechartsWritten &written);

/// Builder of a statechart from lines of text. A name means the same state everywhere, and a new
/// state belongs to the body that first names the state; "[*]" is a dot of the surrounding region;
/// a separator divides the surrounding body into regions.
///
/// The result is in preorder: first the dot and the histories, then named vertices in the order of
/// their first mention, then the final dot. Regions are unnamed children (P_region1) of a parallel
/// state P, or, at the top level, of an unnamed one ("regions"). A region that contains only one
/// composite state is replaced by that state.
class ChartBuilder
{
public:
    /// Greatest depth of bodies.
    static constexpr qsizetype Deepest = 200;
    enum class Dot { Initial, ShallowHistory, DeepHistory, Final };

    struct Node
    {
        Vertex vertex; ///< missing ids are generated at the end
        int parent = -1;
        bool isOpened = false;      ///< has a body, perhaps an empty one
        int region = 0;             ///< number among its parent's regions, from 1; 0: no region
        bool isBar = false;         ///< a fork or join; makeBars() decides by its arrows
        bool isFromOutside = false; ///< a history first mentioned outside its composite, as A[H]
        int order = 0;              ///< among its siblings
        QList<int> children;        ///< and former children, which have another parent now
        QList<int> regions;
        std::array<int, 4> dots { -1, -1, -1, -1 }; ///< by Dot
    };

    ChartBuilder();

    Node &node(int index) { return m_nodes[index]; }
    /// Returns the node of this name; -1: none yet.
    int known(const QString &name) const { return m_byName.value(name, -1); }
    /// Returns the node of this name; if there is none, creates one in the current scope.
    int named(const QString &name, int line);
    /// Returns the dot of the current region; if there is none, creates one.
    int dot(Dot which, int line) { return makeDot(which, scope(), line); }
    /// Returns the history of a state that is mentioned outside that state.
    int historyOf(int composite, Dot which, int line);

    /// Begins the body of a state, up to close(). Returns false if the body is nested too deep.
    bool open(int state, int line);
    void close() { m_open.removeLast(); }
    /// Reports each body that is still open at the last line.
    void reportOpen(int last, QList<Diagnostic> &remarks) const;
    /// Moves a state without body into the current scope.
    void moveIntoScope(int state);
    bool isInside() const { return m_open.size() > 1; }
    /// Returns the current composite, region or statechart (0).
    int scope() const;
    /// Ends the current region and begins the next one. Returns the new region.
    int beginRegion(int line);
    /// Returns the state that was declared or created last; -1: none.
    int latest() const { return m_latest; }
    void setLatest(int index) { m_latest = index; }

    Arc &connect(int from, int to, int line);
    Arc *latestArc() { return m_arcs.isEmpty() ? nullptr : &m_arcs.last().arc; }
    /// Adds a note of a node; -1: a free note.
    void addNote(int of, const Note &note) { m_notes.append({ note, of }); }

    /// Returns the index of a node's vertex in the finished chart.
    int vertexIndex(int index) const { return m_vertexIndices[index]; }

    Statechart finished(QList<Diagnostic> &remarks);

private:
    struct BuiltArc
    {
        Arc arc;
        int from = -1;
        int to = -1;
    };
    struct OpenBody
    {
        int node = 0;
        int line = 0; ///< line that opened the body
    };
    struct BuiltNote
    {
        Note note;
        int of = -1;
    };

    int add(Vertex::Kind kind, int parent, int line);
    int makeDot(Dot which, int parent, int line);
    void move(int index, int to);
    QList<int> childrenOf(int index) const;
    int regionAround(int index) const;
    /// True if a node has children. Unnamed histories do not count: A[H] outside A creates one.
    bool hasBody(int index) const;
    void makeRegions(int composite, int line);
    void removeCrossings(QList<Diagnostic> &remarks);
    void removeUnusedDots(QList<Diagnostic> &remarks);
    void makeBars();
    void unwrapRegions();
    QList<int> sortedChildren(int index) const;
    QString idOf(int index, int parent);
    void append(int index, Statechart &chart);

    QList<Node> m_nodes;          ///< the first is the statechart
    QHash<QString, int> m_byName; ///< by name; after finished() also by generated ids
    QList<OpenBody> m_open;       ///< from the statechart inwards
    QList<BuiltArc> m_arcs;
    QList<BuiltNote> m_notes;
    QList<int> m_vertexIndices; ///< node -> index of its vertex in the result
    int m_order = 0;
    int m_latest = -1;
};

/// Base of readers of one diagram's lines.
class DiagramReader
{
public:
    Q_DISABLE_COPY_MOVE(DiagramReader)
    const QList<Diagnostic> &diagnostics() const { return m_remarks; }

protected:
    /// The lines and the notation must outlive the reader.
    DiagramReader(const QList<DiagramLine> &lines, const TextNotation &notation)
        : m_lines(lines), m_notation(notation)
    { }
    ~DiagramReader() = default;

    int line() const { return m_lines[m_at].number; }
    /// Reports information about the current line; loss() warns that a part of it is not kept.
    void note(const QString &text)
    {
        m_remarks.append({ line(), text, Diagnostic::Severity::Note });
    }
    void loss(const QString &text) { m_remarks.append({ line(), text }); }
    /// Reports a part of the line that does not concern the chart: see Statechart::ignoredParts.
    void ignore(const QString &what, const QString &text)
    {
        if (!text.isEmpty())
            m_ignored.add(what, text, m_at < m_lines.size() ? line() : 0);
    }

    /// Opens a body. One that is nested too deep is a loss: its content goes to the body around.
    void openBody(int state);
    /// Opens a body of an unknown kind, whose content goes to the surrounding body.
    void openUnknown() { m_bodies.append(false); }
    /// Closes the innermost body; reports `words` as a loss if none is open.
    void closeBody(const QString &words);
    /// Adds a line to a state's description.
    void addText(int state, const QString &written);
    Arc &connect(int from, int to, const QString &written);
    QStringList textsUpTo(qsizetype end) const;
    /// Returns the index of the first line, from the current line on, for which `isEnd` holds; -1:
    /// none. Records the keys of failed searches, to read many unclosed blocks in linear time.
    qsizetype lineWhere(const QString &key, const std::function<bool(const QString &text)> &isEnd);
    /// Returns the index of the next line in `ends` (lower case, blanks simplified); -1: none.
    qsizetype blockEnd(const QStringList &ends);
    /// Returns the index of the line that closes the brace of this line; -1: none.
    qsizetype closingBrace();
    /// Returns the lines of a note up to one of `ends`, and moves there; nothing without an end.
    std::optional<QStringList> noteLines(const QStringList &ends);
    /// Decodes written lines; one written line may give several lines.
    QStringList shown(const QStringList &written) const;

    /// Returns the statechart, perhaps without vertices. Comments with positions begin with `sign`.
    Statechart built(QStringView sign);

    const QList<DiagramLine> &m_lines;
    QStringList m_comments; ///< with their comment signs, such as "%%"
    ChartBuilder m_builder;
    qsizetype m_at = 0; ///< index of the current line
    ChartDirection m_direction = ChartDirection::Unspecified;
    QList<Diagnostic> m_remarks;

private:
    bool takePosition(Statechart &chart, const QString &comment, QStringView sign) const;

    const TextNotation &m_notation;
    ChartLosses m_ignored { QStringLiteral(" is left out") };
    QList<bool> m_bodies;    ///< open bodies, outermost first: true for bodies of states
    QSet<QString> m_missing; ///< keys of lineWhere() that no later line has
};

/// Base of writers of one statechart.
class DiagramWriter
{
public:
    Q_DISABLE_COPY_MOVE(DiagramWriter)

protected:
    DiagramWriter(const Statechart &chart, const TextNotation &notation, int indent,
        QList<Diagnostic> &remarks);
    virtual ~DiagramWriter() = default;

    virtual void declare(int node) = 0;
    virtual void open(int node, bool isFirst) = 0; ///< begins the first or a further body
    virtual void close(int node) = 0;
    virtual void connect(int index) = 0;
    virtual void finish(int node) = 0;       ///< writes the notes at the first body's end
    virtual QString end(int node) const = 0; ///< text of an arrow's end: a name or a dot

    void add(const QString &line) { m_lines += indented(line, qsizetype(m_depth) * m_indent); }
    void addLines(const QStringList &lines);
    QByteArray bytes() const { return m_lines.join(u'\n').toUtf8() + '\n'; }
    void writeSteps();
    /// Calls `visit` for each step, with m_open up to date.
    void walk(const std::function<void(const OutlineStep &step)> &visit);
    /// Writes the centres of vertices, in points, as comments "@instar position X Y NAME".
    void writePositions(const QString &sign);

    /// Reports information about a line; loss() warns that a part of the chart is not written.
    void note(int line, const QString &text)
    {
        m_remarks.append({ line, text, Diagnostic::Severity::Note });
    }
    void loss(int line, const QString &text) { m_remarks.append({ line, text }); }
    /// Writes an arrow, and reports it if a reader would split its text differently.
    void writeArrow(const OutlineArc &each, const QString &arrow);

    /// Open body in the text.
    struct OpenBody
    {
        int node = 0; ///< the state, or its current region if it has any; 0: the statechart
        bool isFirst = true;
        bool isLater = false; ///< in the second or a later region
    };

    const Statechart &m_chart;
    TextPlan m_plan;
    /// Body -> notes written at its end; free notes are written at the statechart's end.
    QHash<int, QList<const Note *>> m_notes;
    QList<OpenBody> m_open; ///< from the statechart inwards
    QStringList m_lines;
    int m_depth = 0;
    QList<Diagnostic> &m_remarks;

private:
    const TextNotation &m_notation;
    int m_indent = 0;
};

} // namespace instar
