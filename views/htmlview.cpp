// SPDX-License-Identifier: Apache-2.0
#include "views/htmlview.h"

#include "model/foreigntext.h"
#include "views/tips.h"

#include <QCursor>
#include <QDesktopServices>
#include <QImage>
#include <QTextBlock>
#include <QTextCursor>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

bool isOnWeb(const QUrl &url)
{
    return url.isValid() && !url.host().isEmpty()
        && (url.scheme() == u"https" || url.scheme() == u"http");
}

/// Shows a web address as a tooltip, percent-encoded, so that the user notices look-alike letters.
void showTarget(const QUrl &url, QWidget *widget)
{
    if (isOnWeb(url))
        showPlainTip(QCursor::pos(), url.toString(QUrl::FullyEncoded), widget);
}

void openInBrowser(const QUrl &url, QWidget *widget)
{
    if (!isOnWeb(url))
        return;
    showTarget(url, widget);
    QDesktopServices::openUrl(url);
}

/// Replaces an image by its alt text, and a link that is not http(s) by plain text.
void replaceUnsafe(QTextCursor &part)
{
    const QTextCharFormat format = part.charFormat();
    if (format.isImageFormat()) {
        const QString words = format.property(QTextFormat::ImageAltText).toString();
        part.insertText(words.isEmpty() ? format.toImageFormat().name() : words, {});
        return;
    }
    if (!format.isAnchor() || isOnWeb(QUrl(format.anchorHref())))
        return;
    QTextCharFormat plain = format;
    plain.setAnchor(false);
    plain.clearProperty(QTextFormat::AnchorHref);
    plain.clearProperty(QTextFormat::TextUnderlineStyle);
    plain.clearProperty(QTextFormat::FontUnderline);
    plain.clearForeground();
    part.setCharFormat(plain);
}

} // namespace

void SafeDocument::setHtml(const QString &html)
{
    QTextDocument::setHtml(visible(html));
}

void SafeDocument::setMarkdown(const QString &markdown)
{
    QTextDocument::setMarkdown(
        visible(markdown), MarkdownFeatures(MarkdownDialectGitHub) | MarkdownNoHTML);
    QList<std::pair<int, int>> parts; // last first: replacing a part moves only later ones
    for (QTextBlock block = begin(); block.isValid(); block = block.next()) {
        for (auto it = block.begin(); !it.atEnd(); ++it)
            parts.prepend({ it.fragment().position(), it.fragment().length() });
    }
    for (const auto &[position, length] : std::as_const(parts)) {
        QTextCursor part(this);
        part.setPosition(position);
        part.setPosition(position + length, QTextCursor::KeepAnchor);
        replaceUnsafe(part);
    }
}

/// Returns a transparent picture; without one, Qt would open the file of that name itself.
QVariant SafeDocument::loadResource(int type, const QUrl &)
{
    if (type != ImageResource)
        return {};
    QImage pixel(1, 1, QImage::Format_ARGB32);
    pixel.fill(Qt::transparent);
    return pixel;
}

HtmlView::HtmlView(QWidget *parent) : QTextBrowser(parent), m_page(new SafeDocument(this))
{
    setDocument(m_page);
    setOpenLinks(false);
    connect(
        this, &QTextBrowser::highlighted, this, [this](const QUrl &url) { showTarget(url, this); });
    connect(this, &QTextBrowser::anchorClicked, this,
        [this](const QUrl &url) { openInBrowser(url, this); });
}

HtmlLabel::HtmlLabel(QWidget *parent) : QLabel(parent)
{
    setTextFormat(Qt::RichText);
    connect(this, &QLabel::linkHovered, this,
        [this](const QString &link) { showTarget(QUrl(link), this); });
    connect(this, &QLabel::linkActivated, this,
        [this](const QString &link) { openInBrowser(QUrl(link), this); });
}

void HtmlLabel::setHtml(const QString &html)
{
    setText(visible(html));
}

void HtmlLabel::setMarkdown(const QString &markdown)
{
    SafeDocument page;
    page.setMarkdown(markdown);
    const QString html = page.toHtml(); // uses only the body: head and <body> tag set a font
    const qsizetype begin = html.indexOf(u'>', html.indexOf(u"<body"_s)) + 1;
    setText(html.mid(begin, html.lastIndexOf(u"</body>"_s) - begin));
}

} // namespace instar
