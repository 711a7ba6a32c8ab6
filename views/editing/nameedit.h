// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineEdit>

#include <functional>

class QCompleter;

namespace instar {

/// A line in a form: it completes the word at the cursor, leaves undo to the document, and a click
/// with Ctrl asks for what a word names.
class NameEdit : public QLineEdit
{
    Q_OBJECT
public:
    explicit NameEdit(QWidget *parent = nullptr);

    /// What words may be; asked for when somebody types.
    void setCandidates(const std::function<QStringList()> &candidates);
    /// The word around a place in the text; words end at commas.
    QString wordAt(qsizetype place) const;

signals:
    void wordAsked(const QString &word);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    void complete(const QString &prefix);
    void insert(const QString &candidate);
    qsizetype wordBegin(qsizetype place) const;

    std::function<QStringList()> m_candidates;
    QCompleter *m_completer = nullptr;
};

} // namespace instar
