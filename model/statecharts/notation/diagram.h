// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/notation/chartbuilder.h"
#include "model/statecharts/notation/chartlosses.h"
#include "model/statecharts/notation/textlines.h"
#include "model/statecharts/notation/textplan.h"

#include <functional>

namespace instar {

// Common base of the readers and writers of PlantUML and Mermaid.

/// Reads the lines of one diagram into a statechart.
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
    /// Adds a remark on the line; loss(): something of it is not kept.
    void note(const QString &text)
    {
        m_remarks.append({ line(), text, Diagnostic::Severity::Note });
    }
    void loss(const QString &text) { m_remarks.append({ line(), text }); }
    /// Adds something that stands in the file alone, in the line: see Statechart::asides.
    void aside(const QString &what, const QString &text)
    {
        if (!text.isEmpty())
            m_asides.add(what, text, m_at < m_lines.size() ? line() : 0);
    }

    /// Opens the body of a state. Where it is nested too deep, what lies in it lies beside it, with
    /// a loss.
    void openBody(int state);
    /// Opens a body that is not understood: what lies in it lies in the body around it.
    void openUnknown() { m_bodies.append(false); }
    /// Closes the innermost body. The words that close none are a loss.
    void closeBody(const QString &words);
    /// Adds a line to a state's description.
    void addText(int state, const QString &written);
    Arc &connect(int from, int to, const QString &written);
    QStringList textsUpTo(qsizetype end) const;
    /// Index of the next line that is one of `ends` (lower case, blanks simplified); -1: none.
    /// Remembers that there is none, so that many blocks without end take linear time.
    qsizetype blockEnd(const QStringList &ends);
    /// Index of the line that closes the brace of this line; -1: none.
    qsizetype closingBrace();
    /// Lines of a note up to one of `ends`, to which the reader moves; null: no end.
    std::optional<QStringList> noteLines(const QStringList &ends);
    /// Lines as they are drawn; a written line may be several.
    QStringList shown(const QStringList &written) const;

    /// The statechart, without vertices if there is none. `sign` begins a comment; those that say
    /// positions are heeded.
    Statechart built(ChartBuilder::Unnamed crossing, const QStringList &comments, QStringView sign);

    const QList<DiagramLine> &m_lines;
    ChartBuilder m_builder;
    qsizetype m_at = 0; ///< in the lines
    ChartDirection m_direction = ChartDirection::Unsaid;
    QList<Diagnostic> m_remarks;

private:
    bool takePlace(Statechart &chart, const QString &comment, QStringView sign) const;

    const TextNotation &m_notation;
    ChartLosses m_asides { QStringLiteral(" is left out") };
    QList<bool> m_bodies;    ///< those that are open, from the outside in: of a state?
    QSet<QString> m_missing; ///< ends of blocks that do not come any more
};

/// Writes one statechart, piece by piece.
class DiagramWriter
{
public:
    Q_DISABLE_COPY_MOVE(DiagramWriter)

protected:
    DiagramWriter(const Statechart &chart, const TextNotation &notation, int indent,
        QList<Diagnostic> &remarks);
    virtual ~DiagramWriter() = default;

    virtual void declare(int node) = 0;
    virtual void open(int node, bool isFirst) = 0; ///< its body, for the first time or again
    virtual void close(int node) = 0;
    virtual void connect(int index) = 0;
    virtual void finish(int node) = 0; ///< its first body

    void add(const QString &line) { m_lines += indented(line, qsizetype(m_depth) * m_indent); }
    void addLines(const QStringList &lines);
    QByteArray bytes() const { return m_lines.join(u'\n').toUtf8() + '\n'; }
    void writeSteps();
    /// Goes through the steps of the text, with m_open as it is there.
    void walk(const std::function<void(const OutlineStep &step)> &visit);
    /// Writes comments "@instar position X Y NAME": the centres of vertices, in points.
    void writePlaces(const QString &sign);

    /// Adds a remark; loss(): something is not written.
    void note(int line, const QString &text)
    {
        m_remarks.append({ line, text, Diagnostic::Severity::Note });
    }
    void loss(int line, const QString &text) { m_remarks.append({ line, text }); }
    /// Reports an arrow whose text a reader would split differently.
    void reportLabel(const Arc &arc, int from);

    /// A body that is open in the text.
    struct OpenBody
    {
        int node = 0; ///< its region where it has some; 0: the statechart
        bool isFirst = true;
        bool isLater = false; ///< it is in a region that others come before
    };

    const Statechart &m_chart;
    TextPlan m_plan;
    /// By the body at the end of which they stand; free ones in that of the statechart.
    QHash<int, QList<const Note *>> m_notes;
    QList<OpenBody> m_open; ///< from the statechart inwards
    QStringList m_lines;
    int m_depth = 0;
    QList<Diagnostic> &m_remarks;

private:
    int m_indent = 0;
};

} // namespace instar
