// SPDX-License-Identifier: Apache-2.0
#include "views/editing/jsonedit.h"

#include "views/drawing/text.h"
#include "views/editing/wordedits.h"
#include "views/look.h"
#include "views/tips.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFontDatabase>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStringListModel>
#include <QSyntaxHighlighter>
#include <QTextBlock>

#include <algorithm>
#include <utility>

namespace instar {

namespace {

/// Token of possibly invalid JSON: string, sign or word. An unclosed string ends with its line.
const QRegularExpression &jsonToken()
{
    static const QRegularExpression token(uR"--("(?:[^"\\]++|\\.)*+"?|[][{}:,]|[^][{}:,"\s]+)--"_s);
    return token;
}

/// Syntax highlighter of JSON: keys, strings and other values.
class JsonHighlighter : public QSyntaxHighlighter
{
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

    void setTheme(const Theme &theme)
    {
        m_key.setFontWeight(QFont::DemiBold);
        m_key.setForeground(theme.text);
        m_text.setForeground(theme.accent);
        m_value.setForeground(theme.statusCategoryText(StatusCategory::Working));
        m_sign.setForeground(theme.dimText);
        rehighlight();
    }

protected:
    void highlightBlock(const QString &line) override
    {
        for (const QRegularExpressionMatch &token : jsonToken().globalMatch(line)) {
            const QChar first = line[token.capturedStart()];
            const bool isKey =
                QStringView(line).sliced(token.capturedEnd()).trimmed().startsWith(u':');
            setFormat(int(token.capturedStart()), int(token.capturedLength()),
                first == u'"'                     ? (isKey ? m_key : m_text)
                    : u"{}[]:,"_s.contains(first) ? m_sign
                                                  : m_value);
        }
    }

private:
    QTextCharFormat m_key, m_text, m_value, m_sign;
};

} // namespace

/// Margin with the line numbers.
class JsonEdit::Gutter : public QWidget
{
public:
    explicit Gutter(JsonEdit *edit) : QWidget(edit), m_edit(*edit) { }

protected:
    void paintEvent(QPaintEvent *event) override
    {
        QPainter painter(this);
        painter.fillRect(event->rect(), theme().alternate);
        painter.setFont(m_edit.font());
        for (QTextBlock block = m_edit.firstVisibleBlock(); block.isValid(); block = block.next()) {
            const QRectF area =
                m_edit.blockBoundingGeometry(block).translated(m_edit.contentOffset());
            if (area.top() > event->rect().bottom())
                break;
            const int line = block.blockNumber();
            const auto mark = std::ranges::find_if(
                m_edit.m_marks, [line](const Mark &each) { return each.line == line + 1; });
            const bool isCurrent = line == m_edit.textCursor().blockNumber();
            painter.setPen(mark != m_edit.m_marks.end() && mark->isError ? theme().warning
                    : isCurrent                                          ? theme().text
                                                                         : theme().dimText);
            const QRectF number(0, area.top(), width() - gap::small, m_edit.fontMetrics().height());
            drawText(painter, number, Qt::AlignRight | Qt::AlignVCenter, QString::number(line + 1));
        }
    }

private:
    JsonEdit &m_edit;
};

JsonEdit::JsonEdit(QWidget *parent)
    : QPlainTextEdit(parent),
      m_gutter(new Gutter(this)),
      m_completer(new QCompleter(new QStringListModel(this), this))
{
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setLineWrapMode(NoWrap);
    m_completer->setModelSorting(QCompleter::CaseSensitivelySortedModel);
    m_completer->setWidget(this);
    connect(m_completer, QOverload<const QString &>::of(&QCompleter::activated), this,
        &JsonEdit::insert);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &JsonEdit::placeGutter);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect &area, int by) {
        if (by)
            m_gutter->scroll(0, by);
        else
            m_gutter->update(0, area.y(), m_gutter->width(), area.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &JsonEdit::showMarks);
    placeGutter();
    auto *highlighter = new JsonHighlighter(document());
    const auto follow = [this, highlighter] {
        highlighter->setTheme(theme());
        showMarks();
    };
    follow();
    whenThemed(this, follow);
}

void JsonEdit::setWords(QStringList words)
{
    words.sort();
    words.removeDuplicates();
    static_cast<QStringListModel *>(m_completer->model())->setStringList(words);
}

QString JsonEdit::text() const
{
    // toPlainText() would replace no-break spaces.
    return document()->toRawText().replace(QChar(QChar::ParagraphSeparator), u'\n');
}

void JsonEdit::replaceText(const QString &text)
{
    const QString before = this->text();
    if (before == text)
        return;
    const auto differ = std::ranges::mismatch(before, text);
    const qsizetype from = differ.in1 - before.begin();
    const auto ends =
        std::mismatch(before.rbegin(), before.rend() - from, text.rbegin(), text.rend() - from);
    const qsizetype tail = ends.first - before.rbegin();
    const int scrolled = verticalScrollBar()->value();
    document()->setUndoRedoEnabled(false);
    QTextCursor cursor(document());
    cursor.setPosition(int(from));
    cursor.setPosition(int(before.size() - tail), QTextCursor::KeepAnchor);
    cursor.insertText(text.sliced(from, text.size() - tail - from));
    document()->setUndoRedoEnabled(true);
    verticalScrollBar()->setValue(scrolled);
    if (before.isEmpty())
        moveCursor(QTextCursor::Start);
}

int JsonEdit::positionOf(int line, int column) const
{
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid())
        return std::max(0, document()->characterCount() - 1);
    const QString text = block.text();
    qsizetype at = 0; // columns count code points, not UTF-16 units
    for (int i = 1; i < column && at < text.size(); ++i)
        at += text[at].isHighSurrogate() && at + 1 < text.size() ? 2 : 1;
    return block.position() + int(at);
}

void JsonEdit::goTo(int position)
{
    QTextCursor cursor = textCursor();
    cursor.setPosition(std::clamp(position, 0, std::max(0, document()->characterCount() - 1)));
    setTextCursor(cursor);
    ensureCursorVisible();
}

void JsonEdit::setMarks(const QList<Mark> &marks)
{
    if (marks == m_marks)
        return;
    m_marks = marks;
    showMarks();
    m_gutter->update();
}

void JsonEdit::showMarks()
{
    QList<QTextEdit::ExtraSelection> all;
    if (!isReadOnly()) {
        QTextEdit::ExtraSelection line;
        line.format.setBackground(theme().alternate);
        line.format.setProperty(QTextFormat::FullWidthSelection, true);
        line.cursor = textCursor();
        line.cursor.clearSelection();
        all += line;
    }
    for (const Mark &mark : std::as_const(m_marks)) {
        QTextEdit::ExtraSelection wave;
        wave.cursor = QTextCursor(document());
        wave.cursor.setPosition(positionOf(mark.line, mark.column));
        const QString text = wave.cursor.block().text();
        const int begin = wave.cursor.block().position();
        const qsizetype at = wave.cursor.positionInBlock();
        qsizetype end = at;
        for (const QRegularExpressionMatch &token : jsonToken().globalMatch(text)) {
            if (token.capturedStart() <= at && at < token.capturedEnd())
                end = token.capturedEnd();
        }
        // At the end of a line, underlines the character before.
        if (end == at)
            wave.cursor.setPosition(begin + int(std::max(at - 1, qsizetype(0))));
        wave.cursor.setPosition(
            begin + int(std::min(std::max(end, at + 1), text.size())), QTextCursor::KeepAnchor);
        wave.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        wave.format.setUnderlineColor(mark.isError ? theme().warning : theme().dimText);
        wave.format.setToolTip(mark.text);
        all += wave;
    }
    setExtraSelections(all);
}

QString JsonEdit::tipAt(int position) const
{
    for (const QTextEdit::ExtraSelection &mark : extraSelections()) {
        if (!mark.format.toolTip().isEmpty() && position >= mark.cursor.selectionStart()
            && position <= mark.cursor.selectionEnd())
            return mark.format.toolTip();
    }
    return {};
}

int JsonEdit::gutterWidth() const
{
    const int digits = std::max(2, int(QString::number(blockCount()).size()));
    return digits * fontMetrics().horizontalAdvance(u'9') + 2 * gap::small;
}

void JsonEdit::placeGutter()
{
    setViewportMargins(gutterWidth(), 0, 0, 0);
    const QRect inside = contentsRect();
    m_gutter->setGeometry(inside.left(), inside.top(), gutterWidth(), inside.height());
}

void JsonEdit::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    placeGutter();
}

bool JsonEdit::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && isUndoKey(*static_cast<QKeyEvent *>(event))) {
        event->setAccepted(m_hasOwnUndo);
        return true;
    }
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QPoint inside = viewport()->mapFrom(this, help->pos());
        showPlainTip(help->globalPos(), tipAt(cursorForPosition(inside).position()), this);
        return true;
    }
    return QPlainTextEdit::event(event);
}

QString JsonEdit::indentation() const
{
    static const QRegularExpression indented(
        u"^([ \\t]+)\\S"_s, QRegularExpression::MultilineOption);
    const QRegularExpressionMatch found = indented.match(toPlainText());
    return found.hasMatch() ? found.captured(1) : u" "_s;
}

void JsonEdit::breakLine()
{
    static const QRegularExpression spaces(u"^\\s*"_s), opening(u"[{[]\\s*$"_s),
        closing(u"^\\s*[]}]"_s);
    QTextCursor cursor = textCursor();
    const QString line = cursor.block().text();
    const QString before = line.first(cursor.positionInBlock());
    const QString indent = spaces.match(before).captured();
    const bool opens = before.contains(opening);
    const bool closes = line.sliced(cursor.positionInBlock()).contains(closing);
    cursor.beginEditBlock();
    cursor.insertText(u'\n' + indent + (opens ? indentation() : QString()));
    const int position = cursor.position();
    if (opens && closes)
        cursor.insertText(u'\n' + indent);
    cursor.endEditBlock();
    cursor.setPosition(position);
    setTextCursor(cursor);
}

void JsonEdit::keyPressEvent(QKeyEvent *event)
{
    const bool isOffering = m_completer->popup()->isVisible();
    const int key = event->key();
    if (isOffering
        && (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Tab
            || key == Qt::Key_Escape || key == Qt::Key_Backtab))
        return event->ignore(); // the popup takes these keys
    if (key == Qt::Key_Space && event->modifiers() == Qt::ControlModifier)
        return complete(true);
    if (m_hasOwnUndo && key == Qt::Key_Y && event->modifiers() == Qt::ControlModifier)
        return redo();
    if (!isReadOnly() && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
        breakLine();
        return ensureCursorVisible();
    }
    if (!isReadOnly() && key == Qt::Key_Tab && !textCursor().hasSelection())
        return insertPlainText(indentation());
    QPlainTextEdit::keyPressEvent(event);
    const QString typed = event->text();
    const bool isLetter = !typed.isEmpty() && typed[0].isPrint()
        && !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
    const bool beginsWord = isLetter && (typed == u"\"" || typed[0].isLetterOrNumber());
    if (beginsWord || (isOffering && (isLetter || key == Qt::Key_Backspace)))
        complete(false);
    else if (isOffering)
        m_completer->popup()->hide();
}

QString JsonEdit::wordPrefix() const
{
    const QTextCursor cursor = textCursor();
    const QString before = cursor.block().text().first(cursor.positionInBlock());
    qsizetype from = before.size();
    while (from > 0 && !u"\t\"{}[],:"_s.contains(before[from - 1]))
        --from;
    while (from < before.size() && before[from] == u' ')
        ++from;
    return before.sliced(from);
}

void JsonEdit::complete(bool asked)
{
    if (isReadOnly())
        return;
    const QString prefix = wordPrefix();
    m_completer->setCompletionPrefix(prefix);
    const bool isOnlyItself =
        m_completer->completionCount() == 1 && m_completer->currentCompletion() == prefix;
    if (m_completer->completionCount() == 0 || isOnlyItself || (!asked && prefix.isEmpty()))
        return m_completer->popup()->hide();
    QAbstractItemView *popup = m_completer->popup();
    QRect area = cursorRect().translated(gutterWidth(), 0);
    area.setWidth(
        popup->sizeHintForColumn(0) + popup->verticalScrollBar()->sizeHint().width() + gap::large);
    m_completer->complete(area);
    popup->setCurrentIndex(m_completer->completionModel()->index(0, 0));
}

void JsonEdit::insert(const QString &word)
{
    QTextCursor cursor = textCursor();
    cursor.movePosition(
        QTextCursor::PreviousCharacter, QTextCursor::KeepAnchor, int(wordPrefix().size()));
    cursor.insertText(word);
    setTextCursor(cursor);
}

} // namespace instar
