// SPDX-License-Identifier: Apache-2.0
#include "views/editing/textpanel.h"

#include "model/json/packfile.h"
#include "model/pack/knownnames.h"
#include "views/document/document.h"
#include "views/editing/jsonedit.h"
#include "views/editing/problemspanel.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace instar {

namespace {

constexpr int mostMarks = 500;
constexpr int pauseMs = 150; ///< from the last key to the parsing of the text

/// Text for an editor: line feeds between its lines, and escapes for other characters that the
/// editor treats as line ends.
QByteArray editorText(QByteArray text)
{
    return text.replace("\r\n", "\n").replace('\r', '\n').replace("\xE2\x80\xA9", "\\u2029");
}

} // namespace

TextPanel::TextPanel(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_edit(new JsonEdit),
      m_message(new ElidedLabel),
      m_fixButton(wordButton({}, tr("Fix"), tr("Apply the fix (Alt+Return)"))),
      m_useButton(wordButton(
          {}, tr("Use This Text"), tr("Replace the system by this text; you can undo it"))),
      m_discardButton(wordButton({}, tr("Discard"), tr("Discard this text and show the system"))),
      m_refresh(*this, [this] { catchUp(); })
{
    m_edit->setAccessibleName(tr("Text"));
    m_edit->setFrameShape(QFrame::NoFrame);
    for (QToolButton *button : { m_fixButton, m_useButton, m_discardButton })
        button->hide();
    auto *foot =
        filled(new QHBoxLayout, { { m_message, 1 }, m_fixButton, m_useButton, m_discardButton },
            gap::normal, { gap::normal, gap::small, gap::normal, gap::small });
    filled(new QVBoxLayout(this), { { m_edit, 1 }, foot }, 0);
    setFocusProxy(m_edit);

    m_delay.setSingleShot(true);
    connect(&m_delay, &QTimer::timeout, this, [this] { read(false); });
    connect(m_edit, &QPlainTextEdit::textChanged, this, &TextPanel::typed);
    connect(m_edit, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        if (m_isFollowing)
            return;
        reportRow();
        showMessage();
    });
    auto *apply = new QAction(tr("Apply the fix"), this);
    apply->setShortcut(Qt::ALT | Qt::Key_Return);
    apply->setShortcutContext(Qt::WidgetShortcut);
    m_edit->addAction(apply);
    connect(apply, &QAction::triggered, this, &TextPanel::applyFix);
    connect(m_fixButton, &QToolButton::clicked, this, &TextPanel::applyFix);
    connect(m_useButton, &QToolButton::clicked, this, [this] { read(true); });
    connect(m_discardButton, &QToolButton::clicked, this, [this] {
        showDocument();
        m_edit->setFocus();
    });
    connect(&document, &Document::textChanged, this, &TextPanel::follow);
    follow();
    whenThemed(this, [this] { showMessage(); });
}

void TextPanel::follow()
{
    if (m_isFollowing)
        return;
    m_isStale = true;
    m_refresh.request(); // deferred until visible: writing the JSON costs more than the edit
}

void TextPanel::catchUp()
{
    if (std::exchange(m_isStale, false)) {
        if (m_unread.isEmpty() && !m_delay.isActive()) {
            showDocument();
        } else {
            // Keeps the typed text until the user uses or discards it.
            m_delay.stop();
            m_isBehind = true;
            read(false);
        }
    }
    if (!std::exchange(m_isCursorPending, false) || m_isFollowing || m_edit->hasFocus()
        || !m_unread.isEmpty() || !m_json)
        return;
    const Position at = m_json->position(m_row);
    m_isFollowing = true;
    m_edit->goTo(m_edit->positionOf(at.line, at.column));
    m_isFollowing = false;
}

void TextPanel::showDocument()
{
    m_delay.stop();
    m_isBehind = false;
    const QByteArray text = editorText(m_document.text());
    if (std::exchange(m_shown, text) != text || !m_json) {
        Result<JsonText> json = JsonText::parse(text, {});
        m_json = json ? std::optional(*std::move(json)) : std::nullopt;
    }
    m_isFollowing = true;
    m_edit->replaceText(QString::fromUtf8(m_shown));
    QStringList words = packWords();
    for (const Name what : { Name::StateOrAlias, Name::Trigger, Name::Condition, Name::Machine,
             Name::Type, Name::Refusal, Name::Switch, Name::Source })
        words += namesFor(m_document.pack(), what);
    m_edit->setWords(words);
    m_isFollowing = false;
    setUnread({}, {});
}

void TextPanel::showRow(const QString &pointer)
{
    m_row = pointer;
    m_isCursorPending = true;
    m_refresh.request();
}

void TextPanel::setDiagnostics(const QList<Diagnostic> &diagnostics)
{
    m_diagnostics = diagnostics;
    mark();
    showMessage();
}

void TextPanel::typed()
{
    // The editor also emits textChanged() for the highlighter's formats.
    if (m_isFollowing || (m_unread.isEmpty() && m_edit->text().toUtf8() == m_shown))
        return m_delay.stop();
    m_edit->setOwnUndo(true);
    m_delay.start(pauseMs);
}

void TextPanel::finish()
{
    if (m_delay.isActive())
        read(false);
}

void TextPanel::read(bool overwrites)
{
    m_delay.stop();
    const QByteArray text = m_edit->text().toUtf8();
    if (text == m_shown)
        return m_isBehind ? showDocument() : setUnread({}, {});
    Diagnostic fault;
    Result<JsonText> json = JsonText::parse(text, {}, {}, &fault);
    if (!json)
        return setUnread(fault.text, { fault.line, fault.column });
    const PackDraft draft = packDraft(*json);
    if (!draft.diagnostics.isEmpty()) {
        const Diagnostic &first = draft.diagnostics[0];
        return setUnread(first.text, { first.line, first.column });
    }
    if (m_isBehind && !overwrites)
        return setUnread(
            tr("The system changed elsewhere while you typed. Use this text, or discard it."),
            Position {});
    m_isBehind = false;
    m_isFollowing = true;
    // Merges successive typing in one line into one undo step.
    const bool hasReturns = m_document.text().contains("\r\n");
    m_document.editText(tr("Type"), hasReturns ? QByteArray(text).replace("\n", "\r\n") : text,
        draft.pack, QString::number(m_edit->textCursor().blockNumber()));
    m_isFollowing = false;
    m_shown = text;
    m_json = *std::move(json);
    m_diagnostics.clear(); // they belong to the text before
    setUnread({}, {});
    reportRow();
}

void TextPanel::reportRow()
{
    if (m_isFollowing || !m_unread.isEmpty() || m_delay.isActive())
        return;
    const QString before = m_edit->text().first(m_edit->textCursor().position());
    const QString row = m_json ? m_json->pointerAt(before.toUtf8().size()) : QString();
    if (row == m_row)
        return;
    m_row = row;
    emit rowChosen(row);
}

void TextPanel::setUnread(const QString &why, const Position &at)
{
    const bool isNew = why != m_unread;
    m_unread = why;
    m_edit->setOwnUndo(!why.isEmpty());
    if (why.isEmpty())
        mark();
    else
        m_edit->setMarks(m_isBehind ? QList<JsonEdit::Mark>()
                                    : QList<JsonEdit::Mark> { { at.line, at.column, why, true } });
    showMessage();
    if (isNew)
        emit unreadChanged(why);
}

void TextPanel::mark()
{
    if (!m_unread.isEmpty() || m_delay.isActive())
        return;
    QList<JsonEdit::Mark> marks;
    for (const Diagnostic &diagnostic : std::as_const(m_diagnostics)) {
        if (!m_json || marks.size() >= mostMarks)
            break;
        const Position at = m_json->position(diagnostic.pointer);
        marks.append({ at.line, at.column, diagnostic.text,
            diagnostic.severity == Diagnostic::Severity::Error });
    }
    m_edit->setMarks(marks);
}

std::optional<Fix> TextPanel::fix() const
{
    if (!m_unread.isEmpty() || m_delay.isActive())
        return {};
    const int line = m_edit->textCursor().blockNumber() + 1;
    const QList<JsonEdit::Mark> &marks = m_edit->marks(); // one for each diagnostic, in order
    for (qsizetype i = 0; i < std::min(marks.size(), m_diagnostics.size()); ++i) {
        const QList<Fix> fixes =
            marks[i].line == line ? fixesFor(m_document.pack(), m_diagnostics[i]) : QList<Fix>();
        if (!fixes.isEmpty())
            return fixes.first();
    }
    return {};
}

void TextPanel::applyFix()
{
    finish();
    if (const std::optional<Fix> found = fix())
        m_document.edit(ProblemsPanel::fixText(*found), found->pack);
}

void TextPanel::showMessage()
{
    const std::optional<Fix> found = fix();
    m_fixButton->setVisible(found.has_value());
    if (found)
        m_fixButton->setText(ProblemsPanel::fixText(*found));
    m_useButton->setVisible(!m_unread.isEmpty() && m_isBehind);
    m_discardButton->setVisible(!m_unread.isEmpty());
    QString message = m_unread;
    bool isError = !m_unread.isEmpty();
    const int line = m_edit->textCursor().blockNumber() + 1;
    const QList<JsonEdit::Mark> &marks = m_edit->marks();
    if (const auto here =
            std::ranges::find_if(marks, [line](const auto &mark) { return mark.line == line; });
        here != marks.end()) {
        message = here->text;
        isError = here->isError;
    } else if (!m_unread.isEmpty() && !marks.isEmpty() && !m_isBehind) {
        message = tr("Line %1: %2").arg(marks.first().line).arg(m_unread);
    }
    m_message->setText(message);
    m_message->setToolTip(message);
    QPalette palette = m_message->palette();
    palette.setColor(QPalette::WindowText, isError ? theme().warning : theme().dimText);
    m_message->setPalette(palette);
}

} // namespace instar
