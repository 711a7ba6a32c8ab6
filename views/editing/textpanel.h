// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/jsontext.h"
#include "model/pack/fixes.h"
#include "views/deferredrefresh.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QToolButton;

namespace instar {

class Document;
class JsonEdit;

/// Editor of the document's JSON text. Valid text changes the document; changes made elsewhere
/// appear at once and leave the rest of the text as it is.
class TextPanel : public QWidget
{
    Q_OBJECT
public:
    explicit TextPanel(Document &document, QWidget *parent = nullptr);

    /// Moves the cursor to the row of a JSON pointer, unless the editor has the focus.
    void showRow(const QString &pointer);
    /// Marks the lines of diagnostics.
    void setDiagnostics(const QList<Diagnostic> &diagnostics);
    /// Writes the text to the document now, if it is valid.
    void finish();
    /// Error that keeps the typed text out of the document, as a sentence; empty: none.
    const QString &unread() const { return m_unread; }
    JsonEdit &edit() { return *m_edit; }

signals:
    /// The cursor moved to another row, given by its JSON pointer.
    void rowChosen(const QString &pointer);
    void unreadChanged(const QString &why);

private:
    void follow();       ///< schedules catchUp() after a change of the document
    void catchUp();      ///< shows the latest document and row
    void showDocument(); ///< replaces the text in the editor
    void typed();        ///< parses the text after a pause
    /// Parses the text and changes the document. If the document changed elsewhere meanwhile, does
    /// so only with `overwrites`.
    void read(bool overwrites);
    void reportRow(); ///< emits rowChosen() if the cursor is in another row
    void mark();
    std::optional<Fix> fix() const; ///< first fix for a diagnostic of the cursor's line
    void applyFix();
    void setUnread(const QString &why, const Position &at);
    void showMessage();

    Document &m_document;
    JsonEdit *m_edit;
    QLabel *m_message;
    QToolButton *m_fixButton, *m_useButton, *m_discardButton;
    QTimer m_delay;
    DeferredRefresh m_refresh;
    QByteArray m_shown;             ///< the document's text that the editor showed last
    std::optional<JsonText> m_json; ///< m_shown, parsed; absent if it is not JSON
    QString m_row;                  ///< JSON pointer of the row at the cursor
    QList<Diagnostic> m_diagnostics;
    QString m_unread;
    bool m_isFollowing = false;     ///< the panel itself is changing the text or the document
    bool m_isBehind = false;        ///< the typed text is based on an older document
    bool m_isStale = false;         ///< the editor does not show the latest document yet
    bool m_isCursorPending = false; ///< the cursor has to move to m_row
};

} // namespace instar
