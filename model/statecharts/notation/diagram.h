// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/notation/chartbuilder.h"
#include "model/statecharts/notation/chartlosses.h"
#include "model/statecharts/notation/textlines.h"
#include "model/statecharts/notation/textplan.h"

#include <functional>

namespace instar {

// Common base of the readers and writers of PlantUML and Mermaid.

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
    /// Adds a remark on the line; loss(): something of it is not kept.
    void note(const QString &text)
    {
        m_remarks.append({ line(), text, Diagnostic::Severity::Note });
    }
    void loss(const QString &text) { m_remarks.append({ line(), text }); }
    /// Adds a part of the line that has no meaning for the chart: see Statechart::asides.
    void aside(const QString &what, const QString &text)
    {
        if (!text.isEmpty())
            m_asides.add(what, text, m_at < m_lines.size() ? line() : 0);
    }

    /// Opens the body of a state. If it is nested too deep, its content goes to the body around it,
    /// with a loss.
    void openBody(int state);
    /// Opens a body of an unknown kind: its content goes to the body around it.
    void openUnknown() { m_bodies.append(false); }
    /// Closes the innermost body. Reports a loss, with `words`, if none is open.
    void closeBody(const QString &words);
    /// Adds a line to a state's description.
    void addText(int state, const QString &written);
    Arc &connect(int from, int to, const QString &written);
    QStringList textsUpTo(qsizetype end) const;
    /// Index of the first line from this one for which `isEnd` holds; -1: none. Caches by `key`
    /// that there is none, so that many unclosed blocks take linear time.
    qsizetype lineWhere(const QString &key, const std::function<bool(const QString &text)> &isEnd);
    /// Index of the next line that is one of `ends` (lower case, blanks simplified); -1: none.
    qsizetype blockEnd(const QStringList &ends);
    /// Index of the line that closes the brace of this line; -1: none.
    qsizetype closingBrace();
    /// Lines of a note up to one of `ends`; moves the reader there. Null: there is no end.
    std::optional<QStringList> noteLines(const QStringList &ends);
    /// Lines as they are drawn; a written line may give several.
    QStringList shown(const QStringList &written) const;

    /// The statechart, without vertices if there is none. Reads positions from the comments, which
    /// begin with `sign`.
    Statechart built(QStringView sign);

    const QList<DiagramLine> &m_lines;
    QStringList m_comments; ///< with their signs
    ChartBuilder m_builder;
    qsizetype m_at = 0; ///< in the lines
    ChartDirection m_direction = ChartDirection::Unsaid;
    QList<Diagnostic> m_remarks;

private:
    bool takePlace(Statechart &chart, const QString &comment, QStringView sign) const;

    const TextNotation &m_notation;
    ChartLosses m_asides { QStringLiteral(" is left out") };
    QList<bool> m_bodies;    ///< open bodies, outermost first: true for bodies of states
    QSet<QString> m_missing; ///< ends of blocks that no later line has
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
    virtual void open(int node, bool isFirst) = 0; ///< begins its first or a further body
    virtual void close(int node) = 0;
    virtual void connect(int index) = 0;
    virtual void finish(int node) = 0; ///< at the end of its first body

    void add(const QString &line) { m_lines += indented(line, qsizetype(m_depth) * m_indent); }
    void addLines(const QStringList &lines);
    QByteArray bytes() const { return m_lines.join(u'\n').toUtf8() + '\n'; }
    void writeSteps();
    /// Calls `visit` for each step, with m_open up to date.
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

    /// Open body in the text.
    struct OpenBody
    {
        int node = 0; ///< the state, or its current region if it has any; 0: the statechart
        bool isFirst = true;
        bool isLater = false; ///< it is in the second or a later region
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
    int m_indent = 0;
};

} // namespace instar
