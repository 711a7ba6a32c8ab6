// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/jsontext.h"
#include "model/pack/check.h"
#include "views/whenseen.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QToolButton;

namespace instar {

class Document;
class JsonEdit;

/// The document as the JSON text of its file. What is typed is in the document as soon as it can be
/// read; what was changed elsewhere is here at once, and nothing else of the text changes.
class TextPanel : public QWidget
{
    Q_OBJECT
public:
    explicit TextPanel(Document &document, QWidget *parent = nullptr);

    /// The cursor stands at that row, unless somebody types here.
    void showRow(const QString &pointer);
    /// What check() said of the document.
    void setDiagnostics(const QList<Diagnostic> &diagnostics);
    /// What is typed is in the document, if it can be read.
    void finish();
    /// Why what stands here is not in the document; empty: it is.
    const QString &unread() const { return m_unread; }
    JsonEdit &edit() { return *m_edit; }

signals:
    /// The cursor has come to another row.
    void rowChosen(const QString &pointer);
    void unreadChanged(const QString &why);

private:
    void follow(); ///< the document has changed
    void catchUp();
    void showDocument();
    void goToRow();
    void typed();
    void read(bool asked);
    void choose();
    void setShown(const QByteArray &text);
    void mark();
    void setUnread(const QString &why, const Position &at);
    void showMessage();

    Document &m_document;
    JsonEdit *m_edit;
    QLabel *m_message;
    QToolButton *m_use, *m_drop;
    QTimer m_delay;
    WhenSeen m_inSight;
    QByteArray m_shown; ///< the document's text as the editor showed it last
    std::optional<JsonText> m_json;
    QString m_row; ///< the one that the cursor is in
    QList<Diagnostic> m_diagnostics;
    QString m_unread;
    bool m_isFollowing = false;
    bool m_isBehind = false;    ///< what is typed begins with an older document
    bool m_isOld = false;       ///< the document has changed since
    bool m_isElsewhere = false; ///< the cursor is to go to its row
};

} // namespace instar
