// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/completion.h"
#include "views/drawing/theme.h"

#include <QPlainTextEdit>

#include <functional>

class QCompleter;
class QStandardItemModel;

namespace instar {

class JsonHighlighter;

/// A JSON text to be typed: it is coloured, has line numbers, folds what brackets enclose, keeps
/// the indentation, completes what is typed and shows what is wrong where it is wrong.
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
    /// What may stand at a place; asked for while somebody types.
    void setCompletion(std::function<Completion(const QString &text, qsizetype place)> completion);
    /// Undo is somebody else's, as long as what is shown is what they have.
    void setOwnUndo(bool own) { m_hasOwnUndo = own; }

    /// What is shown, with line feeds between the lines.
    QString text() const;
    /// Shows another text; the cursor stays at what it stands at. It cannot be undone here.
    void replaceText(const QString &text);
    /// The place of a line and column, in characters from the beginning.
    int placeOf(int line, int column) const;
    /// The cursor stands there, on a line that is not folded.
    void goTo(int place);

    /// Whether brackets that are opened in a line enclose further lines.
    bool canFold(int line) const;
    bool isFolded(int line) const;
    /// The lines behind this one, up to the one that closes what it opens, are hidden or shown.
    void setFolded(int line, bool folded);
    /// Folds every list and object of the outermost one, or shows all.
    void foldAll(bool folded);

    /// Offers what may stand at the cursor. Asked: by key, rather than while somebody types.
    void complete(bool asked);
    QCompleter &completer() { return *m_completer; }

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    class Gutter;
    int gutterWidth() const;
    void placeGutter();
    void paintGutter(QPaintEvent *event);
    void pressGutter(const QPoint &place);
    void showMarks();
    int lastFoldedLine(int line) const; ///< -1: nothing is enclosed
    void breakLine();
    void insert(const QString &proposal);
    QString indentation() const; ///< one level
    const Mark *markAt(int place) const;

    Theme m_theme = Theme::light();
    JsonHighlighter *m_highlighter;
    QWidget *m_gutter;
    QList<Mark> m_marks;
    std::function<Completion(const QString &, qsizetype)> m_completion;
    QCompleter *m_completer;
    QStandardItemModel *m_proposals;
    Completion m_offered;
    bool m_hasOwnUndo = false;
};

} // namespace instar
