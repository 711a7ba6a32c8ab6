// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/notation/chartbuilder.h"
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

    /// Sets a particular of the notation unless its value is empty.
    void keep(Particulars &particulars, const QString &key, const QString &value) const;
    /// Keeps a text as it is written if the writer would write it differently.
    void keepWritten(Particulars &particulars, const QString &key, const QString &written) const;

    /// Opens the body of a state. False, with a loss: it is nested too deep.
    bool openBody(int state);
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
    /// `isBegin`: whether another note begins in a line.
    std::optional<QStringList> noteLines(
        const QStringList &ends, const std::function<bool(const QString &line)> &isBegin);
    QStringList shown(const QStringList &written) const { return shownLines(written, m_notation); }

    /// The statechart, without vertices if there is none.
    Statechart built(ChartBuilder::Unnamed crossing);
    /// Keeps the settings and the comments that say no positions; `sign` begins a comment.
    void keepLines(Statechart &chart, QStringList comments, QStringView sign) const;

    const QList<DiagramLine> &m_lines;
    ChartBuilder m_builder;
    qsizetype m_at = 0; ///< in the lines
    QStringList m_settings;
    QList<Diagnostic> m_remarks;

private:
    void keepTexts();
    bool takePlace(Statechart &chart, const QString &comment, QStringView sign) const;

    const TextNotation &m_notation;
    QHash<int, QStringList> m_texts; ///< node -> its description as it is written
    QSet<QString> m_missing;         ///< ends of blocks that do not come any more
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
    virtual void separate(int region) = 0;
    virtual void connect(int index) = 0;
    virtual void finish(int node) = 0; ///< its first body

    void add(const QString &line);
    void addLines(const QStringList &lines);
    QByteArray bytes() const { return m_lines.join(u'\n').toUtf8() + '\n'; }
    void writeSteps();
    /// Goes through the steps of the text, with m_open as it is there.
    void walk(const std::function<void(const OutlineStep &step)> &visit);
    /// The comments, settings and direction of the chart, as the notation has them.
    QStringList headLines() const;
    /// The lines of a note as they were once written, if they are still drawn so; else `plain`.
    QStringList noteLines(const Note &note, const QStringList &plain) const;
    /// The body in which a free note stands; 0: the statechart's.
    int bodyOf(int node) const;
    /// Writes comments "@instar position X Y NAME": the centres of vertices, in points.
    void writePlaces(const QString &sign);

    /// A particular of the notation.
    QString kept(const Particulars &particulars, const QString &key) const;
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
    QList<OpenBody> m_open; ///< from the statechart inwards
    QStringList m_lines;
    int m_depth = 0;
    QList<Diagnostic> &m_remarks;

private:
    const TextNotation &m_notation;
    int m_indent = 0;
};

} // namespace instar
