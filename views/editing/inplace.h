// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineEdit>

class QCompleter;

namespace instar {

/// A line that is typed where it will stand. Return, or leaving it, keeps what was typed; Escape
/// does not. It deletes itself.
class InPlace : public QLineEdit
{
    Q_OBJECT
public:
    /// `candidates` complete the word at the cursor; words end at commas and brackets.
    InPlace(const QString &text, const QStringList &candidates, QWidget *parent);

    /// Around the middle of a rectangle of the parent, as wide as what is typed needs.
    void showAround(const QRect &place);
    /// Says under the line what is wrong with it; it stays open.
    void complain(const QString &text);

signals:
    /// Nothing is done yet: whoever hears it takes the text and calls finish(), or complains.
    void typed(const QString &text);
    void givenUp();
    /// It was left with a text that cannot be kept, and is gone.
    void refused(const QString &text, const QString &why);
    /// It is gone, and had the keyboard.
    void over();

public slots:
    void finish();
    /// As Return does, whoever has the keyboard.
    void keep();

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void complete();
    void insert(const QString &candidate);
    void fit();
    /// Where the word at the cursor begins.
    qsizetype wordBegin() const;

    QCompleter *m_completer = nullptr;
    QPoint m_middle;
    QString m_before;
    bool m_isOver = false, m_isLeft = false;
};

} // namespace instar
