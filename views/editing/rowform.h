// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/fields.h"
#include "views/whenseen.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QScrollArea;
class QToolButton;

namespace instar {

class HtmlLabel;
class Document;
class NameEdit;

/// A row of the document, a field a member, as its description has them. What is typed is in the
/// document at once where it can be; else the field says why it cannot.
class RowForm : public QWidget
{
    Q_OBJECT
public:
    explicit RowForm(Document &document, QWidget *parent = nullptr);
    ~RowForm() override;

    /// The row of that JSON pointer, or around what it leads to. It is followed when it is renamed
    /// or moved.
    void showRow(const QString &pointer);
    /// Puts the keyboard into the field of that member; that of the first one without a key.
    void focusField(const QString &key = {});
    /// The same for the member that a pointer leads to, or into.
    void focusAt(const QString &pointer);
    QString pointer() const { return m_pointer; }
    /// What is wrong with what stands in a field; empty: nothing.
    QString problem(const QString &key) const;
    /// The control of a member: a line edit, a text, a check box or a choice; null: there is none.
    QWidget *control(const QString &key) const;

signals:
    void rowAsked(const QString &pointer);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// A field as it stands in the form.
    struct Line
    {
        Field field;
        QWidget *control = nullptr;
        QToolButton *link = nullptr; ///< null: nothing is named
        QLabel *help = nullptr, *error = nullptr;
        HtmlLabel *rows = nullptr; ///< of rows: links to them
    };

    void follow();
    void refresh();
    void takeDown();
    void build(const RowFields &row);
    void addLine(const Field &field, int at);
    QWidget *newControl(const Field &field);
    NameEdit *newEdit(const Field &field);
    QToolButton *newLink(const Field &field);
    bool leadsSomewhere(const Field &field) const;
    void fill(Line &line, const Field &field);
    void fillRows(Line &line);
    void fillUses();
    Line *line(const QString &key);
    QString focusedKey() const; ///< of the member whose control has the keyboard; empty: none
    QString textIn(const Line &line) const;

    void take(const QString &key); ///< what stands in the field, into the document
    void say(Line &line, const QString &problem);
    void ask(const Field &field, const QString &word);
    void addRowTo(const QString &key);
    QStringList candidates(const QString &key) const;
    QString linkTo(const QString &pointer) const;

    Document &m_document;
    QString m_pointer, m_rest; ///< rest: of the pointer, behind the row that has a number
    quint32 m_number = 0;
    RowFields m_row;
    QList<Line> m_lines;
    bool m_isFilling = false;

    QLabel *m_title, *m_kind, *m_about;
    HtmlLabel *m_uses;
    QScrollArea *m_scroll;
    QWidget *m_fields = nullptr;
    QGridLayout *m_grid = nullptr;
    WhenSeen m_inSight;
};

} // namespace instar
