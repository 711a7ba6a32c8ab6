// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QPlainTextEdit>
#include <QString>

class QCompleter;

namespace instar {

/// Editor for JSON text: highlighting, line numbers, indentation, word completion, and marks
/// where something is wrong.
class JsonEdit : public QPlainTextEdit
{
    Q_OBJECT
public:
    explicit JsonEdit(QWidget *parent = nullptr);

    /// Diagnostic of a line.
    struct Mark
    {
        int line = 1, column = 1; ///< counted as in Position
        QString text;
        bool isError = true;
        bool operator==(const Mark &) const = default;
    };

    void setMarks(const QList<Mark> &marks);
    const QList<Mark> &marks() const { return m_marks; }
    /// Sets the words that are offered during typing, and on Ctrl+Space.
    void setWords(QStringList words);
    /// Uses the editor's own undo; false: leaves undo to the document.
    void setOwnUndo(bool own) { m_hasOwnUndo = own; }

    /// The editor's text, with line feeds between the lines.
    QString text() const;
    /// Replaces the text, without an undo step; the cursor stays at its text.
    void replaceText(const QString &text);
    /// Position of a line and column, in characters from the beginning.
    int positionOf(int line, int column) const;
    void goTo(int position);

    QCompleter &completer() { return *m_completer; }

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    class Gutter;
    int gutterWidth() const;
    void placeGutter();
    void showMarks();
    void breakLine();
    QString wordPrefix() const; ///< of the word at the cursor, up to the cursor
    /// Offers the words that begin with wordPrefix(). `asked`: the user pressed Ctrl+Space; then an
    /// empty prefix offers all words, else none.
    void complete(bool asked);
    void insert(const QString &word);
    QString indentation() const;       ///< one level
    QString tipAt(int position) const; ///< text of the mark there; empty: none

    QWidget *m_gutter;
    QList<Mark> m_marks;
    QCompleter *m_completer;
    bool m_hasOwnUndo = false;
};

} // namespace instar
