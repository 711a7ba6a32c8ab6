// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/chartbuilder.h"
#include "model/charts/notation/textlines.h"
#include "model/charts/notation/textplan.h"

#include <functional>

namespace instar {

// What the readers and writers of PlantUML and Mermaid have in common.

/// Reads the lines of one diagram into a statechart.
class DiagramReader
{
public:
    Q_DISABLE_COPY_MOVE(DiagramReader)
    const QList<Remark> &remarks() const { return m_remarks; }

protected:
    /// The lines and the notation must outlive the reader.
    DiagramReader(const QList<DiagramLine> &lines, const TextNotation &notation)
        : m_lines(lines), m_notation(notation)
    { }
    ~DiagramReader() = default;

    int line() const { return m_lines[m_at].number; }
    /// Adds a remark on the line; with loss() something of it is not kept.
    void note(const QString &text) { m_remarks.append({ line(), text, false }); }
    void loss(const QString &text) { m_remarks.append({ line(), text, true }); }

    /// Adds a particular of the notation, unless it is empty.
    void keep(Particulars &particulars, const QString &key, const QString &value) const;
    /// Keeps how a text is written where the writer would write it otherwise.
    void keepWritten(Particulars &particulars, const QString &key, const QString &written) const;

    /// Opens the body of a state. False: it lies too deep, which is a loss.
    bool openBody(int state);
    /// Adds a line to a state's description.
    void addText(int state, const QString &written);
    Arc &connect(int from, int to, const QString &written);
    QStringList textsUpTo(qsizetype end) const;
    /// The next line that is one of `ends` (lower case, blanks simplified); -1: none. Remembers
    /// that there is none, so that many blocks without end take no more than linear time.
    qsizetype blockEnd(const QStringList &ends);
    /// Where the block ends that begins in the line, counting braces; -1: nowhere.
    qsizetype closingBrace();
    /// The lines of a note up to one of `ends`, where the text then is; null: there is none.
    /// `isBegin`: another note begins in a line.
    std::optional<QStringList> noteLines(
        const QStringList &ends, const std::function<bool(const QString &line)> &isBegin);
    QStringList shown(const QStringList &written) const { return shownLines(written, m_notation); }

    /// The statechart, without vertices if there is none.
    Statechart built(ChartBuilder::Unnamed crossing);
    /// Keeps the settings and, of the comments, those that tell no places; `sign` begins a comment.
    void keepLines(Statechart &chart, QStringList comments, QStringView sign) const;

    const QList<DiagramLine> &m_lines;
    ChartBuilder m_builder;
    qsizetype m_at = 0; ///< in the lines
    QStringList m_settings;
    QList<Remark> m_remarks;

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
    DiagramWriter(
        const Statechart &chart, const TextNotation &notation, int indent, QList<Remark> &remarks);
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
    /// Comments "@instar position X Y NAME" that tell where vertices lie: their centres in points.
    void writePlaces(const QString &sign);

    /// A particular of the notation.
    QString kept(const Particulars &particulars, const QString &key) const;
    /// Adds a remark; with loss() something is not written.
    void note(int line, const QString &text) { m_remarks.append({ line, text, false }); }
    void loss(int line, const QString &text) { m_remarks.append({ line, text, true }); }
    /// Reports an arrow whose text a reader would take apart otherwise.
    void reportLabel(const Arc &arc, int from);

    const Statechart &m_chart;
    TextPlan m_plan;
    QStringList m_lines;
    int m_depth = 0;
    QList<Remark> &m_remarks;

private:
    const TextNotation &m_notation;
    int m_indent = 0;
};

} // namespace instar
