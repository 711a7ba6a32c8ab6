// SPDX-License-Identifier: Apache-2.0
#include "views/panels/guide.h"

#include "model/foreigntext.h"
#include "model/formats/filebytes.h"
#include "model/formats/saving.h"
#include "model/items/rulespage.h"
#include "views/htmlview.h"
#include "views/icons.h"
#include "views/look.h"

#include <QBuffer>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPdfWriter>
#include <QPrintDialog>
#include <QPrinter>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBlockFormat>
#include <QTextCursor>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Colours and air for tables that know of none.
QString tableStyle(const Theme &theme)
{
    return u"th { color: %1; font-weight: 400; } td { color: %2; }"_s.arg(
        theme.dimText.name(), theme.text.name());
}

} // namespace

Guide::Guide(const Rules &rules, QWidget *parent)
    : QDialog(parent),
      m_rules(rules),
      m_text(new HtmlView),
      m_sought(new QLineEdit),
      m_found(new QLabel)
{
    const Pack &pack = rules.pack();
    setWindowTitle(tr("Guide to %1").arg(pack.title.isEmpty() ? pack.id : pack.title));
    m_text->setAccessibleName(windowTitle());
    m_text->document()->setDocumentMargin(gap::large);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->addButton(tr("&Print…"), QDialogButtonBox::ActionRole), &QPushButton::clicked,
        this, &Guide::print);
    connect(buttons->addButton(tr("Save the &Rules…"), QDialogButtonBox::ActionRole),
        &QPushButton::clicked, this, &Guide::save);
    connect(buttons->addButton(tr("&Find…"), QDialogButtonBox::ActionRole), &QPushButton::clicked,
        this, &Guide::showFind);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_text);
    layout->addWidget(m_findBar = buildFind());
    layout->addWidget(buttons);
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, this, &Guide::showFind);
    connect(new QShortcut(QKeySequence::FindNext, this), &QShortcut::activated, this,
        [this] { seek(From::Next); });
    connect(new QShortcut(QKeySequence::FindPrevious, this), &QShortcut::activated, this,
        [this] { seek(From::Before); });
    resize(860, 720);
    setTheme(m_theme);
}

QWidget *Guide::buildFind()
{
    auto *bar = new QWidget;
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gap::small);
    m_sought->setPlaceholderText(tr("Find in the guide"));
    m_sought->setAccessibleName(m_sought->placeholderText());
    m_sought->setClearButtonEnabled(true);
    m_found->setProperty("dim", true);
    layout->addWidget(m_sought, 1);
    layout->addWidget(m_found);
    const auto add = [&](const QString &picture, const QString &text, From from) {
        auto *button = new QToolButton;
        button->setIcon(icon(picture));
        button->setToolTip(text);
        button->setAccessibleName(text);
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QToolButton::clicked, this, [this, from] { seek(from); });
        layout->addWidget(button);
    };
    add(u"less"_s, tr("The place before (Shift+Return)"), From::Before);
    add(u"more"_s, tr("The next place (Return)"), From::Next);
    connect(m_sought, &QLineEdit::textChanged, this, [this] { seek(From::Here); });
    bar->hide();
    return bar;
}

void Guide::showFind()
{
    m_findBar->show();
    m_sought->setFocus(Qt::ShortcutFocusReason);
    m_sought->selectAll();
}

void Guide::seek(From from)
{
    const QString sought = m_sought->text();
    const QTextDocument &document = *m_text->document();
    QList<QTextCursor> places;
    for (QTextCursor at = document.find(sought); !at.isNull(); at = document.find(sought, at))
        places += at;
    QTextCursor cursor = m_text->textCursor();
    if (places.isEmpty()) {
        cursor.clearSelection();
        m_text->setTextCursor(cursor);
        return m_found->setText(sought.isEmpty() ? QString() : tr("Not found"));
    }
    const int here = from == From::Next ? cursor.selectionEnd() : cursor.selectionStart();
    qsizetype next =
        std::ranges::lower_bound(places, here, {}, &QTextCursor::selectionStart) - places.begin();
    if (from == From::Before)
        next += places.size() - 1;
    next %= places.size();
    m_text->setTextCursor(places[next]);
    // With what follows it in sight, too.
    QScrollBar *bar = m_text->verticalScrollBar();
    bar->setValue(bar->value() + m_text->cursorRect().top() - m_text->viewport()->height() / 4);
    m_found->setText(tr("%1 of %2").arg(next + 1).arg(places.size()));
}

/// Return goes on in what is sought, and Escape first ends that.
void Guide::keyPressEvent(QKeyEvent *event)
{
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isReturn && m_sought->hasFocus())
        return seek(event->modifiers() & Qt::ShiftModifier ? From::Before : From::Next);
    if (event->key() != Qt::Key_Escape || !m_findBar->isVisible())
        return QDialog::keyPressEvent(event);
    m_findBar->hide();
    m_text->setFocus(Qt::OtherFocusReason);
}

/// The system's own page; what stands in its place where there is none.
void Guide::showPage()
{
    const Pack &pack = m_rules.pack();
    if (const Result<QByteArray> page = fileBytes(u":/instar/help/%1.md"_s.arg(pack.id)))
        return m_text->setMarkdown(QString::fromUtf8(*page));
    m_text->setHtml(u"<h1>%1</h1><p>%2</p><p>%3</p>"_s.arg(
        htmlText(pack.title.isEmpty() ? pack.id : pack.title), htmlText(pack.origin),
        htmlText(pack.about)));
}

void Guide::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_text->document()->setDefaultStyleSheet(tableStyle(theme));
    showPage();
    QTextCursor end(m_text->document());
    end.movePosition(QTextCursor::End);
    end.insertBlock(QTextBlockFormat(), QTextCharFormat());
    end.insertHtml(rulesHtml(rulesTables(m_rules)));
    m_text->moveCursor(QTextCursor::Start);
}

void Guide::print()
{
    QPrinter printer(QPrinter::HighResolution);
    QPrintDialog dialog(&printer, this);
    if (dialog.exec() == QDialog::Accepted)
        printTo(printer);
}

void Guide::save()
{
    QString file = QFileDialog::getSaveFileName(this, tr("Save the Rules"),
        m_rules.pack().id + u".html"_s, tr("Pages (*.html);;PDF (*.pdf);;Text (*.txt)"));
    if (file.isEmpty())
        return;
    if (QFileInfo(file).suffix().isEmpty())
        file += u".html"_s;
    if (const QString problem = saveAs(file); !problem.isEmpty())
        QMessageBox::warning(this, tr("Save the Rules"), problem);
}

QString Guide::saveAs(const QString &file) const
{
    QByteArray bytes;
    if (file.endsWith(u".pdf"_s, Qt::CaseInsensitive)) {
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        QPdfWriter writer(&buffer);
        writer.setTitle(windowTitle());
        printTo(writer);
    } else {
        const bool isText = file.endsWith(u".txt"_s, Qt::CaseInsensitive);
        bytes = (isText ? rulesPlain(m_rules) : rulesDocument(m_rules)).toUtf8();
    }
    const Result<bool> written = writeFile(file, bytes);
    return written ? QString() : written.error();
}

/// Black on white, whatever the theme; wide tables lie across.
void Guide::printTo(QPagedPaintDevice &device) const
{
    device.setPageOrientation(QPageLayout::Landscape);
    ClosedDocument page;
    QFont font;
    font.setPointSize(8);
    page.setDefaultFont(font);
    page.setDefaultStyleSheet(tableStyle(Theme::light()));
    page.setHtml(
        u"<h1>%1</h1>"_s.arg(windowTitle().toHtmlEscaped()) + rulesHtml(rulesTables(m_rules)));
    page.print(&device);
}

} // namespace instar
