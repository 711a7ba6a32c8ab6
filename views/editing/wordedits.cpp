// SPDX-License-Identifier: Apache-2.0
#include "views/editing/wordedits.h"

#include "model/pack/knownnames.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QLabel>
#include <QStringListModel>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace instar {

WordEdit::WordEdit(const QString &separators, const QString &text, QWidget *parent)
    : QLineEdit(text, parent),
      m_begin(u"(^|%1)\\s*"_s.arg(separators)),
      m_end(u"\\s*(%1|$)"_s.arg(separators))
{ }

void WordEdit::setCandidates(const std::function<QStringList()> &candidates)
{
    m_candidates = candidates;
    m_completer = new QCompleter(new QStringListModel(this), this);
    m_completer->setWidget(this);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_completer->setFilterMode(Qt::MatchContains);
    connect(
        m_completer, qOverload<const QString &>(&QCompleter::activated), this, &WordEdit::insert);
    connect(this, &QLineEdit::textEdited, this, [this] {
        const qsizetype begin = wordBegin(cursorPosition());
        if (begin < cursorPosition())
            complete(text().mid(begin, cursorPosition() - begin));
        else
            m_completer->popup()->hide();
    });
}

qsizetype WordEdit::wordBegin(qsizetype position) const
{
    qsizetype begin = 0;
    for (const QRegularExpressionMatch &match : m_begin.globalMatch(text().first(position)))
        begin = match.capturedEnd();
    return begin;
}

QString WordEdit::wordAt(qsizetype position) const
{
    const qsizetype begin = wordBegin(position);
    return text().mid(begin, wordEnd(begin) - begin).trimmed();
}

/// Shows the completions, unless the only one equals the prefix.
void WordEdit::complete(const QString &prefix)
{
    static_cast<QStringListModel *>(m_completer->model())->setStringList(m_candidates());
    m_completer->setCompletionPrefix(prefix);
    const bool isOnlyItself =
        m_completer->completionCount() == 1 && m_completer->currentCompletion() == prefix;
    if (!m_completer->completionCount() || isOnlyItself)
        return m_completer->popup()->hide();
    m_completer->complete();
}

void WordEdit::insert(const QString &candidate)
{
    const qsizetype begin = wordBegin(cursorPosition());
    setSelection(int(begin), int(wordEnd(cursorPosition()) - begin));
    QLineEdit::insert(candidate);
    emit textEdited(text());
    m_completer->popup()->hide();
}

bool WordEdit::event(QEvent *event)
{
    return (event->type() == QEvent::KeyPress && handleListKey(static_cast<QKeyEvent *>(event)))
        || QLineEdit::event(event);
}

bool WordEdit::handleListKey(QKeyEvent *event)
{
    const int key = event->key();
    const bool isOpen = m_completer && m_completer->popup()->isVisible();
    if (m_completer && !isOpen && key == Qt::Key_Down && !event->modifiers()) {
        complete({});
        return true;
    }
    if (!isOpen || (key != Qt::Key_Return && key != Qt::Key_Enter && key != Qt::Key_Tab))
        return false;
    const bool takes = m_completer->popup()->currentIndex().isValid();
    if (takes)
        event->ignore(); // so that the list gets the key
    else
        m_completer->popup()->hide();
    return takes;
}

const QString conditionSeparators = u" and | or | is | are |^not |^some |^all |^no "_s;

QStringList conditionNames(const Pack &pack)
{
    return namesFor(pack, Name::Relation) + namesFor(pack, Name::StateOrAlias)
        + namesFor(pack, Name::Condition);
}

bool isUndoKey(const QKeyEvent &key)
{
    return key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo)
        || key.keyCombination() == (Qt::CTRL | Qt::Key_Y);
}

ChartLineEdit::ChartLineEdit(const QString &text, const QStringList &candidates, QWidget *parent)
    : WordEdit(u"[],[]| and "_s, text, parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    if (!text.isEmpty()) // Qt hides the placeholder of a centred line with the focus
        setAlignment(Qt::AlignCenter);
    if (!candidates.isEmpty())
        setCandidates([candidates] { return candidates; });
    connect(this, &QLineEdit::textChanged, this, &ChartLineEdit::fit);
}

void ChartLineEdit::showAround(const QRect &area)
{
    m_middle = area.center();
    fit();
    show();
    selectAll();
    setFocus();
}

void ChartLineEdit::fit()
{
    constexpr int least = 120, margin = 28, edgeGap = 4;
    const QSize room = parentWidget()->size();
    const QString &longest = text().isEmpty() ? placeholderText() : text();
    const int width = std::clamp(fontMetrics().horizontalAdvance(longest) + margin, least,
        std::max(least, room.width() - 2 * edgeGap));
    const QSize size(width, sizeHint().height());
    QPoint corner = m_middle - QPoint(size.width(), size.height()) / 2;
    corner.setX(std::clamp(corner.x(), edgeGap, std::max(edgeGap, room.width() - width - edgeGap)));
    corner.setY(std::clamp(
        corner.y(), edgeGap, std::max(edgeGap, room.height() - size.height() - edgeGap)));
    setGeometry(QRect(corner, size));
}

void ChartLineEdit::showError(const QString &text)
{
    if (m_isAccepting) { // the focus stays where the user moved it
        m_isClosed = true;
        emit refused(this->text(), text);
        close();
        return;
    }
    // A label, because a tool tip would vanish as soon as the mouse enters the tip.
    if (!m_error) {
        m_error = new QLabel(parentWidget());
        m_error->setWordWrap(true);
        m_error->setPalette(QToolTip::palette());
        m_error->setAutoFillBackground(true);
        m_error->setFrameShape(QFrame::Box);
        m_error->setMargin(4);
        connect(this, &QObject::destroyed, m_error, &QObject::deleteLater);
        connect(this, &QLineEdit::textChanged, m_error, &QWidget::hide);
    }
    m_error->setText(text);
    const QSize room = parentWidget()->size();
    const int width = std::min(420, room.width()), height = m_error->heightForWidth(width);
    const int below = geometry().bottom() + 2, above = y() - 2 - height;
    m_error->resize(width, height);
    m_error->move(std::clamp(x(), 0, room.width() - width),
        below + height > room.height() && above >= 0 ? above : below);
    m_error->show();
    setAccessibleDescription(text);
    setFocus();
}

void ChartLineEdit::finish()
{
    if (std::exchange(m_isClosed, true))
        return;
    const bool hadFocus = hasFocus();
    close();
    if (hadFocus)
        emit closedFocused();
}

void ChartLineEdit::cancel()
{
    finish();
    emit canceled();
}

void ChartLineEdit::acceptAndClose()
{
    if (m_isClosed)
        return;
    m_isAccepting = true;
    emit typed(text());
    m_isAccepting = false;
}

bool ChartLineEdit::event(QEvent *event)
{
    // Typed keys do not trigger shortcuts of the chart. Save, Close, Quit and Ctrl+E still reach
    // the window, which accepts the text first.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isWindowShortcut = key->matches(QKeySequence::Save)
            || key->matches(QKeySequence::Close) || key->matches(QKeySequence::Quit)
            || (key->key() == Qt::Key_E && key->modifiers() == Qt::ControlModifier);
        if (!isWindowShortcut) {
            event->accept();
            return true;
        }
    }
    return WordEdit::event(event);
}

void ChartLineEdit::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        emit typed(text());
    else if (event->key() == Qt::Key_Escape)
        cancel();
    else
        QLineEdit::keyPressEvent(event);
}

void ChartLineEdit::focusOutEvent(QFocusEvent *event)
{
    QLineEdit::focusOutEvent(event);
    const bool isOwn =
        event->reason() == Qt::PopupFocusReason || event->reason() == Qt::ActiveWindowFocusReason;
    if (!isOwn)
        acceptAndClose();
}

} // namespace instar
