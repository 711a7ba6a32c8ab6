// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

#include <QList>
#include <QPlainTextEdit>
#include <QString>

class QCompleter;
class QStringListModel;

namespace instar {

class JsonHighlighter;

/// A part of a line of JSON, which may be broken.
struct JsonToken
{
    enum class Kind {
        Key,  ///< with its quotes
        Text, ///< the same
        Word, ///< a number, true, false, null, or what is none of these
        Open, ///< { or [
        Close,
        Sign, ///< a colon or comma
    };
    Kind kind = Kind::Sign;
    qsizetype from = 0, length = 0;
    bool operator==(const JsonToken &) const = default;
};

/// Spaces are no part. A string that is not closed ends with its line.
QList<JsonToken> tokensIn(QStringView line);

/// Editor for JSON text: highlighting, line numbers, indentation, word completion, and marks
/// where something is wrong.
class JsonEdit : public QPlainTextEdit
{
    Q_OBJECT
public:
    explicit JsonEdit(QWidget *parent = nullptr);

    /// Something to tell about a place.
    struct Mark
    {
        int line = 1, column = 1; ///< as Position counts them
        QString text;
        bool isError = true;
        bool operator==(const Mark &) const = default;
    };

    void setTheme(const Theme &theme);
    void setMarks(const QList<Mark> &marks);
    const QList<Mark> &marks() const { return m_marks; }
    /// The words that are offered while somebody types, and on Ctrl+Space.
    void setWords(QStringList words);
    /// Undo is somebody else's, as long as what is shown is what they have.
    void setOwnUndo(bool own) { m_hasOwnUndo = own; }

    /// What is shown, with line feeds between the lines.
    QString text() const;
    /// Shows another text; the cursor stays at what it stands at. It cannot be undone here.
    void replaceText(const QString &text);
    /// The place of a line and column, in characters from the beginning.
    int placeOf(int line, int column) const;
    /// Puts the cursor there.
    void goTo(int place);

    /// Offers the words that begin like the one before the cursor. `asked`: by Ctrl+Space; then
    /// all words are offered where none is begun.
    void complete(bool asked);
    QCompleter &completer() { return *m_completer; }

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    class Gutter;
    int gutterWidth() const;
    void placeGutter();
    void paintGutter(QPaintEvent *event);
    void showMarks();
    void breakLine();
    QString begunWord() const; ///< before the cursor
    void insert(const QString &word);
    QString indentation() const; ///< one level
    const Mark *markAt(int place) const;

    Theme m_theme = Theme::light();
    JsonHighlighter *m_highlighter;
    QWidget *m_gutter;
    QList<Mark> m_marks;
    QStringListModel *m_words;
    QCompleter *m_completer;
    bool m_hasOwnUndo = false;
};

} // namespace instar
