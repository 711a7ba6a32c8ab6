// SPDX-License-Identifier: Apache-2.0
#include "views/editing/inplace.h"

#include "views/tips.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

InPlace::InPlace(const QString &text, const QStringList &candidates, QWidget *parent)
    : QLineEdit(text, parent), m_before(text)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setAlignment(Qt::AlignCenter);
    if (!candidates.isEmpty()) {
        m_completer = new QCompleter(candidates, this);
        m_completer->setWidget(this);
        m_completer->setCaseSensitivity(Qt::CaseInsensitive);
        m_completer->setFilterMode(Qt::MatchContains);
        connect(m_completer, qOverload<const QString &>(&QCompleter::activated), this,
            &InPlace::insert);
    }
    connect(this, &QLineEdit::textChanged, this, &InPlace::fit);
    connect(this, &QLineEdit::textEdited, this, &InPlace::complete);
}

void InPlace::showAround(const QRect &place)
{
    m_middle = place.center();
    fit();
    show();
    selectAll();
    setFocus();
}

void InPlace::fit()
{
    constexpr int least = 120, margin = 28, brink = 4;
    const QSize room = parentWidget()->size();
    const int width = std::clamp(fontMetrics().horizontalAdvance(text()) + margin, least,
        std::max(least, room.width() - 2 * brink));
    const QSize size(width, sizeHint().height());
    QPoint corner = m_middle - QPoint(size.width(), size.height()) / 2;
    corner.setX(std::clamp(corner.x(), brink, std::max(brink, room.width() - width - brink)));
    corner.setY(
        std::clamp(corner.y(), brink, std::max(brink, room.height() - size.height() - brink)));
    setGeometry(QRect(corner, size));
}

void InPlace::complain(const QString &text)
{
    if (m_isLeft) { // whoever went elsewhere stays there
        m_isOver = true;
        emit refused(this->text(), text);
        close();
        return;
    }
    showPlainTip(mapToGlobal(QPoint(0, height())), text, this);
    setAccessibleDescription(text);
    setFocus();
}

void InPlace::finish()
{
    if (std::exchange(m_isOver, true))
        return;
    const bool had = hasFocus();
    close();
    if (had)
        emit over();
}

void InPlace::keep()
{
    if (m_isOver)
        return;
    m_isLeft = true;
    emit typed(text());
    m_isLeft = false;
}

qsizetype InPlace::wordBegin() const
{
    const QString before = text().first(cursorPosition());
    qsizetype begin = std::max(before.lastIndexOf(u','), before.lastIndexOf(u'[')) + 1;
    begin = std::max(
        begin, before.lastIndexOf(u" and "_s) < 0 ? 0 : before.lastIndexOf(u" and "_s) + 5);
    while (begin < before.size() && before[begin].isSpace())
        ++begin;
    return begin;
}

void InPlace::complete()
{
    if (!m_completer)
        return;
    const QString word = text().mid(wordBegin(), cursorPosition() - wordBegin());
    m_completer->setCompletionPrefix(word);
    const bool isOnlyItself =
        m_completer->completionCount() == 1 && m_completer->currentCompletion() == word;
    if (word.isEmpty() || !m_completer->completionCount() || isOnlyItself)
        return m_completer->popup()->hide();
    m_completer->complete();
}

void InPlace::insert(const QString &candidate)
{
    const qsizetype begin = wordBegin();
    const QString rest = text().sliced(cursorPosition());
    setText(text().first(begin) + candidate + rest);
    setCursorPosition(int(begin + candidate.size()));
}

bool InPlace::event(QEvent *event)
{
    // What is typed is no command to the chart; what is meant for the window keeps it first.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isWindows = key->matches(QKeySequence::Save) || key->matches(QKeySequence::Close)
            || key->matches(QKeySequence::Quit)
            || (key->key() == Qt::Key_E && key->modifiers() == Qt::ControlModifier);
        if (!isWindows) {
            event->accept();
            return true;
        }
    }
    return QLineEdit::event(event);
}

void InPlace::keyPressEvent(QKeyEvent *event)
{
    const bool chooses = m_completer && m_completer->popup()->isVisible();
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (chooses && m_completer->popup()->currentIndex().isValid()) {
            event->ignore(); // the list takes it
            return;
        }
        if (chooses)
            m_completer->popup()->hide();
        emit typed(text());
        return;
    case Qt::Key_Escape:
        emit givenUp();
        finish();
        return;
    case Qt::Key_Down:
        if (m_completer && !chooses) {
            m_completer->setCompletionPrefix({});
            m_completer->complete();
            return;
        }
        break;
    default:
        break;
    }
    QLineEdit::keyPressEvent(event);
}

void InPlace::focusOutEvent(QFocusEvent *event)
{
    QLineEdit::focusOutEvent(event);
    const bool isOwn =
        event->reason() == Qt::PopupFocusReason || event->reason() == Qt::ActiveWindowFocusReason;
    if (!isOwn)
        keep();
}

} // namespace instar
