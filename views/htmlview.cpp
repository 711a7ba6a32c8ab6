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

/// Encoded URL as the browser sends it, which shows look-alike characters.
QString spelledUrl(const QUrl &url)
{
    return url.toString(QUrl::FullyEncoded);
}

void showTarget(const QUrl &url, QWidget *widget)
{
    if (isOnWeb(url))
        showPlainTip(QCursor::pos(), spelledUrl(url), widget);
}

void follow(const QUrl &url, QWidget *widget)
{
    if (!isOnWeb(url))
        return;
    showTarget(url, widget);
    QDesktopServices::openUrl(url);
}

/// Replaces an image by its alt text, and a link that is not http(s) by plain text.
void neutralize(QTextCursor &part)
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
    QList<std::pair<int, int>> parts; // from the end: those before keep their places
    for (QTextBlock block = begin(); block.isValid(); block = block.next()) {
        for (auto it = block.begin(); !it.atEnd(); ++it)
            parts.prepend({ it.fragment().position(), it.fragment().length() });
    }
    for (const auto &[position, length] : std::as_const(parts)) {
        QTextCursor part(this);
        part.setPosition(position);
        part.setPosition(position + length, QTextCursor::KeepAnchor);
        neutralize(part);
    }
}

/// Returns an empty picture: without one Qt would open the file of that name itself.
QVariant SafeDocument::loadResource(int type, const QUrl &)
{
    if (type != ImageResource)
        return {};
    QImage dot(1, 1, QImage::Format_ARGB32);
    dot.fill(Qt::transparent);
    return dot;
}

HtmlView::HtmlView(QWidget *parent) : QTextBrowser(parent), m_page(new SafeDocument(this))
{
    setDocument(m_page);
    setOpenLinks(false);
    connect(
        this, &QTextBrowser::highlighted, this, [this](const QUrl &url) { showTarget(url, this); });
    connect(
        this, &QTextBrowser::anchorClicked, this, [this](const QUrl &url) { follow(url, this); });
}

HtmlLabel::HtmlLabel(QWidget *parent) : QLabel(parent)
{
    setTextFormat(Qt::RichText);
    connect(this, &QLabel::linkHovered, this,
        [this](const QString &link) { showTarget(QUrl(link), this); });
    connect(this, &QLabel::linkActivated, this,
        [this](const QString &link) { follow(QUrl(link), this); });
}

void HtmlLabel::setHtml(const QString &html)
{
    setText(visible(html));
}

void HtmlLabel::setMarkdown(const QString &markdown)
{
    SafeDocument page;
    page.setMarkdown(markdown);
    const QString html = page.toHtml(); // its body: the head and the body's tag name a font
    const qsizetype begin = html.indexOf(u'>', html.indexOf(u"<body"_s)) + 1;
    setText(html.mid(begin, html.lastIndexOf(u"</body>"_s) - begin));
}

} // namespace instar
