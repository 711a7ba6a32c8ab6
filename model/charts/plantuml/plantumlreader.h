// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/writtentexts.h"
#include "model/charts/plantuml/plantumlgrammar.h"
#include "model/charts/plantuml/plantumllines.h"

#include <QSet>

namespace instar {

/// Reads one diagram, line by line.
class PlantUmlReader
{
public:
    explicit PlantUmlReader(const PlantUmlBlock &block);

    /// Without vertices if there is none in it.
    Statechart chart();
    /// Also of lines that do not belong to any statechart.
    const QList<Remark> &remarks() const { return m_remarks; }
    /// What kind of diagram it is, where nothing says that it is one of states: "a class diagram
    /// (class A)", and the line that tells.
    std::optional<Remark> other() const { return m_hasStates ? std::nullopt : m_other; }

private:
    enum class Brace { Composite, Unknown };
    /// An arrow between a note and a state, as it is written.
    struct NoteArrow
    {
        int state = -1;
        QString text;
        int line = 0;
    };
    /// A note that arrows lead to.
    struct FreeNote
    {
        Note note;
        int in = 0;
        QList<NoteArrow> arrows;
    };

    struct Hidden
    {
        int from = 0;
        int to = 0;
        QString arrow;
        int line = 0;
    };

    void readLine(const QString &text);
    bool readState(const QString &text);
    bool readArrow(const QString &text);
    bool readText(const QString &text);
    bool readBrace(const QString &text);
    bool readSeparator(const QString &text);
    bool readNote(const QString &text);
    bool readSetting(const QString &text);
    bool readUrl(const QString &text);
    bool readPreprocessor(const QString &text);
    void skipUnknown(const QString &text);

    int named(const QString &code);
    void declare(int state, const PlantUmlState &said);
    void openState(int state);
    void describe(int state, const QString &text);
    int at(const PlantUmlEnd &end, ChartBuilder::Dot dot);
    bool isFreeNote(const PlantUmlEnd &end) const;
    void connectToNote(const PlantUmlArrow &arrow, const QString &text);
    void layOut(const PlantUmlArrow &arrow, int from);
    void keepHidden();
    void keepFreeNotes();
    void addNote(const PlantUmlNote &said, const QStringList &lines);
    void addArcNote(const PlantUmlNote &said, const QStringList &lines);
    void addSettings(qsizetype from, qsizetype end);
    void setTitle(const QString &written);
    void setKinds(Statechart &chart);

    int line() const { return m_block.lines[m_at].number; }
    QStringList textsUpTo(qsizetype end) const;
    void note(const QString &text); ///< worth knowing
    void loss(const QString &text);

    const PlantUmlBlock &m_block;
    ChartBuilder m_builder;
    qsizetype m_at = 0; ///< in the block's lines
    QList<Brace> m_braces;
    BlockEnds m_ends;
    QHash<QString, int> m_freeNotes; ///< by their codes
    QList<FreeNote> m_free;
    QList<Hidden> m_hidden;
    WrittenTexts m_texts;
    QSet<int> m_stereotyped;
    QList<int> m_bars;
    QStringList m_settings;
    QString m_title;          ///< as it is written
    bool m_hasStates = false; ///< a line could stand in no other kind of diagram
    std::optional<Remark> m_other;
    QList<Remark> m_remarks;
};

} // namespace instar
