// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/fields.h"
#include "views/deferredrefresh.h"

#include <QWidget>

#include <functional>

class QGridLayout;
class QLabel;
class QScrollArea;
class QToolButton;

namespace instar {

class HtmlLabel;
class Document;
class WordEdit;

/// Form of one row of the document, with a field for each member that the row's describe() lists.
/// Valid input changes the document at once; invalid input shows an error below its field.
class RowForm : public QWidget
{
    Q_OBJECT
public:
    explicit RowForm(Document &document, QWidget *parent = nullptr);
    ~RowForm() override;

    /// Shows the row at a JSON pointer, or the innermost row around that value. The form keeps
    /// showing the row when it is renamed or moved.
    void showRow(const QString &pointer);
    /// Focuses the field of a member; without a key, the first field.
    void focusField(const QString &key = {});
    /// Focuses the field of the member that a pointer leads to, or into.
    void focusAt(const QString &pointer);
    QString pointer() const { return m_pointer; }

signals:
    void rowAsked(const QString &pointer);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    /// Widgets of one field.
    struct Line
    {
        Field field;
        QWidget *control = nullptr;               ///< its object name is the member's key
        std::function<QString()> typed;           ///< text in the control; null for a list of rows
        std::function<void(const Field &)> write; ///< shows a value in the control; likewise
        QToolButton *link = nullptr;              ///< to the named row; null: no field for names
        QLabel *error = nullptr;
        HtmlLabel *rows = nullptr; ///< links to the rows of a list; null: another kind of field
    };

    void follow();
    void refresh();
    void build(const RowFields &row);
    void addLine(const Field &field, int at);
    void addControl(Line &line);
    WordEdit *newEdit(const Field &field);
    QToolButton *newLink(const Field &field);
    bool leadsSomewhere(const Field &field) const;
    void fill(Line &line, const Field &field);
    void fillRows(Line &line);
    void fillUses();
    Line *line(const QString &key);
    QString focusedKey() const; ///< of the member whose control has the keyboard; empty: none

    void writeField(const QString &key);
    void showError(Line &line, const QString &problem);
    int mostHelpHeight() const; ///< pixels
    void showHelp(const QString &text);
    void fitHelp();
    QString linkTo(const QString &pointer) const;

    Document &m_document;
    QString m_pointer;         ///< of the shown row
    quint32 m_number = 0;      ///< identity of the shown row or the row around it, see numberAt()
    QString m_pointerBelowRow; ///< pointer of the shown row relative to the row m_number
    RowFields m_row;
    QList<Line> m_lines;
    bool m_isFilling = false;

    QLabel *m_title, *m_kind, *m_about;
    QLabel *m_help; ///< about the field with the focus; below the fields, so that none moves
    HtmlLabel *m_uses;
    QScrollArea *m_scroll;
    QScrollArea *m_helpArea; ///< of m_help
    QGridLayout *m_grid = nullptr;
    DeferredRefresh m_refresh;
};

} // namespace instar
