// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/mermaid/mermaidgrammar.h"
#include "model/charts/mermaid/mermaidlines.h"
#include "model/charts/notation/writtentexts.h"

#include <QSet>

namespace instar {

/// Reads one state diagram, line by line. A state lies in the last body that mentions it, as
/// Mermaid draws it, unless another body declares it.
class MermaidReader
{
public:
    explicit MermaidReader(const MermaidBlock &block);

    /// Without vertices if there is none in it.
    Statechart chart();
    const QList<Remark> &remarks() const { return m_remarks; }

private:
    void readLine(QStringView text);
    void countBraces(QStringView text);
    bool readPiece(const QString &text);
    bool readBrace(const QString &text);
    bool readSeparator(const QString &text);
    bool readDirection(const QString &text);
    bool readNote(const QString &text);
    bool readSetting(const QString &text);
    bool readStyle(const QString &text);
    bool readState(const QString &text);
    void read(const MermaidState &said);
    void open(int state);
    QString withWholeLabel(const QString &text);
    bool readStatement(const QString &text);

    int mention(const QString &id);
    int declare(const QString &id);
    int at(const MermaidEnd &end, ChartBuilder::Dot dot);
    void addText(int state, const QString &written);
    void addComment(QStringView text);
    void addStyle(int node, const QString &style);
    void addNote(const MermaidNote &said, const QStringList &lines);
    void foldTexts(Statechart &chart) const;
    void readTitle(Statechart &chart) const;
    void paint(Statechart &chart) const;

    int line() const { return m_block.lines[m_at].number; }
    void note(const QString &text) { m_remarks.append({ line(), text, false }); }
    void loss(const QString &text) { m_remarks.append({ line(), text, true }); }

    const MermaidBlock &m_block;
    ChartBuilder m_builder;
    qsizetype m_at = 0;
    int m_unknownBraces = 0;
    int m_leftOut = 0;         ///< braces that are open in a body that is left out
    int m_openable = -1;       ///< the state that the last line declared
    bool m_hasNoQuote = false; ///< there is no line any more that ends a label
    BlockEnds m_ends;
    QSet<int> m_pinned;   ///< declared inside a composite
    QSet<int> m_titled;   ///< what shows a text instead of the id
    WrittenTexts m_texts; ///< below the first
    QStringList m_comments;
    QStringList m_settings;
    QList<Remark> m_remarks;
};

} // namespace instar
