// SPDX-License-Identifier: Apache-2.0
#include "views/panels/guide.h"

#include "model/formats/saving.h"
#include "model/items/rulespage.h"
#include "views/look.h"

#include <QBuffer>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPdfWriter>
#include <QPrintDialog>
#include <QPrinter>
#include <QPushButton>
#include <QTextBlockFormat>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QVBoxLayout>

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
    : QDialog(parent), m_rules(rules), m_text(new QTextBrowser)
{
    const Pack &pack = rules.pack();
    setWindowTitle(tr("Guide to %1").arg(pack.title.isEmpty() ? pack.id : pack.title));
    m_text->setOpenExternalLinks(true);
    m_text->setAccessibleName(windowTitle());
    m_text->document()->setDocumentMargin(gap::large);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->addButton(tr("&Print…"), QDialogButtonBox::ActionRole), &QPushButton::clicked,
        this, &Guide::print);
    connect(buttons->addButton(tr("Save the &Rules…"), QDialogButtonBox::ActionRole),
        &QPushButton::clicked, this, &Guide::save);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_text);
    layout->addWidget(buttons);
    resize(860, 720);
    setTheme(m_theme);
}

/// The system's own page; what stands in its place where there is none.
QString Guide::pages() const
{
    const Pack &pack = m_rules.pack();
    QFile page(u":/instar/help/%1.md"_s.arg(pack.id));
    if (page.open(QIODevice::ReadOnly))
        return QString::fromUtf8(page.readAll());
    return u"# %1\n\n%2\n\n%3\n"_s.arg(
        pack.title.isEmpty() ? pack.id : pack.title, pack.origin, pack.about);
}

void Guide::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_text->document()->setDefaultStyleSheet(tableStyle(theme));
    m_text->document()->setMarkdown(pages());
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
    const Result<bool> written = saved(file, bytes);
    return written ? QString() : written.error();
}

/// Black on white, whatever the theme; wide tables lie across.
void Guide::printTo(QPagedPaintDevice &device) const
{
    device.setPageOrientation(QPageLayout::Landscape);
    QTextDocument page;
    QFont font;
    font.setPointSize(8);
    page.setDefaultFont(font);
    page.setDefaultStyleSheet(tableStyle(Theme::light()));
    page.setHtml(
        u"<h1>%1</h1>"_s.arg(windowTitle().toHtmlEscaped()) + rulesHtml(rulesTables(m_rules)));
    page.print(&device);
}

} // namespace instar
