// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>
#include <QTextBrowser>
#include <QTextDocument>

namespace instar {

// Pages and labels with markup. Packs, lessons and servers have their words in them, so they load
// nothing, whatever a text asks for: no picture, no style sheet, no other page. Links lead to the
// web (http, https) or mean something to the program; where a link to the web leads is told before
// it is followed.

/// Document that loads nothing; where a picture would be is a dot that nobody sees.
class SafeDocument : public QTextDocument
{
public:
    explicit SafeDocument(QObject *parent = nullptr) : QTextDocument(parent) { }
    void setHtml(const QString &html);
    /// Markdown without HTML; of a picture its description stays, of a link that does not lead to
    /// the web its words.
    void setMarkdown(const QString &markdown);

protected:
    QVariant loadResource(int type, const QUrl &url) override;
};

/// Read-only page of HTML or Markdown. What a link means that does not lead to the web is up to
/// those who listen to anchorClicked().
class HtmlView : public QTextBrowser
{
    Q_OBJECT
public:
    explicit HtmlView(QWidget *parent = nullptr);
    SafeDocument &page() { return *m_page; }
    void setHtml(const QString &html) { m_page->setHtml(html); }
    void setMarkdown(const QString &markdown) { m_page->setMarkdown(markdown); }

protected:
    void doSetSource(const QUrl &, QTextDocument::ResourceType) override { }

private:
    SafeDocument *m_page;
};

/// Label with HTML, of which every word that is not the program's own is escaped. Every other label
/// is plain: see FieldStyle.
class HtmlLabel : public QLabel
{
    Q_OBJECT
public:
    explicit HtmlLabel(QWidget *parent = nullptr);
    void setHtml(const QString &html);
    void setMarkdown(const QString &markdown);
};

} // namespace instar
