// SPDX-License-Identifier: Apache-2.0
#include "views/editing/wordedits.h"

#include "views/tips.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStringListModel>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Completer that offers the words which contain what was typed.
QCompleter *completerFor(QLineEdit *line, const QStringList &words)
{
    auto *completer = new QCompleter(new QStringListModel(words, line), line);
    completer->setWidget(line);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    return completer;
}

/// Shows what there is to choose from, if that is more than what was typed.
void offer(QCompleter &completer, const QString &typed)
{
    completer.setCompletionPrefix(typed);
    const bool isOnlyItself =
        completer.completionCount() == 1 && completer.currentCompletion() == typed;
    if (!completer.completionCount() || isOnlyItself)
        return completer.popup()->hide();
    completer.complete();
}

} // namespace

NameEdit::NameEdit(QWidget *parent) : QLineEdit(parent) { }

void NameEdit::setCandidates(const std::function<QStringList()> &candidates)
{
    m_candidates = candidates;
    m_completer = completerFor(this, {});
    connect(
        m_completer, qOverload<const QString &>(&QCompleter::activated), this, &NameEdit::insert);
    connect(this, &QLineEdit::textEdited, this, [this] {
        const qsizetype begin = wordBegin(cursorPosition());
        complete(text().mid(begin, cursorPosition() - begin));
    });
}

qsizetype NameEdit::wordBegin(qsizetype place) const
{
    qsizetype begin = text().first(place).lastIndexOf(u',') + 1;
    while (begin < place && text()[begin].isSpace())
        ++begin;
    return begin;
}

QString NameEdit::wordAt(qsizetype place) const
{
    const qsizetype begin = wordBegin(place);
    const qsizetype end = text().indexOf(u',', begin);
    return text().mid(begin, end < 0 ? -1 : end - begin).trimmed();
}

void NameEdit::complete(const QString &prefix)
{
    static_cast<QStringListModel *>(m_completer->model())->setStringList(m_candidates());
    offer(*m_completer, prefix);
}

void NameEdit::insert(const QString &candidate)
{
    const qsizetype begin = wordBegin(cursorPosition());
    qsizetype end = text().indexOf(u',', cursorPosition());
    if (end < 0)
        end = text().size();
    setSelection(int(begin), int(end - begin));
    QLineEdit::insert(candidate);
    emit textEdited(text());
    if (m_completer)
        m_completer->popup()->hide();
}

bool NameEdit::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        auto *key = static_cast<QKeyEvent *>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore(); // the document's, of which typing is a part
            return true;
        }
    }
    return QLineEdit::event(event);
}

void NameEdit::keyPressEvent(QKeyEvent *event)
{
    const bool chooses = m_completer && m_completer->popup()->isVisible();
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (chooses && isReturn && m_completer->popup()->currentIndex().isValid())
        return event->ignore(); // the list takes it
    if (chooses && isReturn)
        m_completer->popup()->hide();
    if (m_completer && !chooses && event->key() == Qt::Key_Down)
        return complete({});
    QLineEdit::keyPressEvent(event);
}

void NameEdit::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !(event->modifiers() & Qt::ControlModifier))
        return QLineEdit::mousePressEvent(event);
    if (const QString word = wordAt(cursorPositionAt(event->position().toPoint())); !word.isEmpty())
        emit wordAsked(word);
}

InPlace::InPlace(const QString &text, const QStringList &candidates, QWidget *parent)
    : QLineEdit(text, parent), m_before(text)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setAlignment(Qt::AlignCenter);
    if (!candidates.isEmpty()) {
        m_completer = completerFor(this, candidates);
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
    if (word.isEmpty())
        m_completer->popup()->hide();
    else
        offer(*m_completer, word);
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
