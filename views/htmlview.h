// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>
#include <QTextBrowser>
#include <QTextDocument>

namespace instar {

// Pages and labels with markup. Their texts come from packs, lessons and servers, so they load no
// pictures, style sheets or other pages. A link to the web (http, https) shows its URL before it is
// opened; the program handles all other links.

/// Document that loads nothing and shows pictures as invisible dots.
class SafeDocument : public QTextDocument
{
public:
    explicit SafeDocument(QObject *parent = nullptr) : QTextDocument(parent) { }
    void setHtml(const QString &html);
    /// Sets Markdown without HTML. Shows a picture as its description, and a link that does not
    /// lead to the web as plain text.
    void setMarkdown(const QString &markdown);

protected:
    QVariant loadResource(int type, const QUrl &url) override;
};

/// Read-only page of HTML or Markdown. Links that do not lead to the web are handled by receivers
/// of anchorClicked().
class HtmlView : public QTextBrowser
{
    Q_OBJECT
public:
    explicit HtmlView(QWidget *parent = nullptr);
    void setHtml(const QString &html) { m_page->setHtml(html); }
    void setMarkdown(const QString &markdown) { m_page->setMarkdown(markdown); }

protected:
    void doSetSource(const QUrl &, QTextDocument::ResourceType) override { }

private:
    SafeDocument *m_page;
};

/// Label with HTML, in which callers escape foreign texts. All other labels are plain: see
/// FieldStyle.
class HtmlLabel : public QLabel
{
    Q_OBJECT
public:
    explicit HtmlLabel(QWidget *parent = nullptr);
    void setHtml(const QString &html);
    void setMarkdown(const QString &markdown);
};

} // namespace instar
