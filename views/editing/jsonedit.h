// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QPlainTextEdit>
#include <QString>

class QCompleter;
class QStringListModel;

namespace instar {

class JsonHighlighter;

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

    JsonHighlighter *m_highlighter;
    QWidget *m_gutter;
    QList<Mark> m_marks;
    QStringListModel *m_words;
    QCompleter *m_completer;
    bool m_hasOwnUndo = false;
};

} // namespace instar
