// SPDX-License-Identifier: Apache-2.0
#include "views/editing/nameedit.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStringListModel>

using namespace Qt::StringLiterals;

namespace instar {

NameEdit::NameEdit(QWidget *parent) : QLineEdit(parent) { }

void NameEdit::setCandidates(const std::function<QStringList()> &candidates)
{
    m_candidates = candidates;
    m_completer = new QCompleter(this);
    m_completer->setModel(new QStringListModel(m_completer));
    m_completer->setWidget(this);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_completer->setFilterMode(Qt::MatchContains);
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
    m_completer->setCompletionPrefix(prefix);
    const bool isOnlyItself =
        m_completer->completionCount() == 1 && m_completer->currentCompletion() == prefix;
    if (!m_completer->completionCount() || isOnlyItself)
        return m_completer->popup()->hide();
    m_completer->complete();
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

} // namespace instar
