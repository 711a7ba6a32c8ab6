// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineEdit>
#include <QRegularExpression>

#include <functional>

class QCompleter;
class QLabel;

namespace instar {

struct Pack;

/// Line edit that completes the word at the cursor; typing goes on while the word list is open.
/// Down opens the list; Return or Tab inserts its current word.
class WordEdit : public QLineEdit
{
    Q_OBJECT
public:
    /// Sets the function that returns the words to offer.
    void setCandidates(const std::function<QStringList()> &candidates);
    /// Word around a position in the text.
    QString wordAt(qsizetype position) const;

    /// `separators`: regular expression for the text between words.
    explicit WordEdit(
        const QString &separators, const QString &text = {}, QWidget *parent = nullptr);

protected:
    bool event(QEvent *event) override;

private:
    /// Handles a key of the word list; returns false for other keys.
    bool handleListKey(QKeyEvent *event);
    void complete(const QString &prefix);
    void insert(const QString &candidate);
    qsizetype wordBegin(qsizetype position) const;
    qsizetype wordEnd(qsizetype position) const { return text().indexOf(m_end, position); }

    const QRegularExpression m_begin, m_end;
    std::function<QStringList()> m_candidates;
    QCompleter *m_completer = nullptr;
};

/// Separators of the words of a condition: "parent is Deleting or Failed and not paid".
extern const QString conditionSeparators;
/// Relations, states and labels that a condition can name.
QStringList conditionNames(const Pack &pack);

/// True for the keys of undo and redo, and for Ctrl+Y on every platform.
bool isUndoKey(const QKeyEvent &key);

/// Line edit on the chart. Return or losing the focus accepts the text, Escape cancels. The line
/// deletes itself when it closes.
class ChartLineEdit : public WordEdit
{
    Q_OBJECT
public:
    /// `candidates` complete a word; words end at commas, brackets and "and".
    ChartLineEdit(const QString &text, const QStringList &candidates, QWidget *parent);

    /// Shows the line centred on a rectangle of the parent; the line is as wide as its text.
    void showAround(const QRect &area);
    /// Shows an error below the line, which stays open.
    void showError(const QString &text);

signals:
    /// The user accepts the text. The receiver calls finish(), or showError() for an invalid text.
    void typed(const QString &text);
    /// The line lost the focus with an invalid text, and was closed.
    void refused(const QString &text, const QString &why);
    /// The line was closed while it had the focus.
    void closedFocused();
    void canceled();

public slots:
    void finish(); ///< closes the line
    void cancel(); ///< closes the line, and emits canceled()
    /// Emits typed(). If the receiver then calls showError(), the line closes with refused().
    void acceptAndClose();

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void fit();

    QLabel *m_error = nullptr;
    QPoint m_middle;
    bool m_isClosed = false;
    bool m_isAccepting = false; ///< acceptAndClose() is running
};

} // namespace instar
