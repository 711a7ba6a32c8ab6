// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSet>
#include <QWidget>

class QAction;
class QTreeView;

namespace instar {

class Document;
class Selection;
class SystemModel;

/// Everything that the document's pack is made of, to be found, added, copied, moved and deleted.
class SystemPanel : public QWidget
{
    Q_OBJECT
public:
    SystemPanel(Document &document, Selection &selection, QWidget *parent = nullptr);

    QTreeView &tree() { return *m_tree; }
    /// The row that is current, or the list that is.
    QString pointer() const;
    /// Makes a row current, or the row around what the pointer leads to.
    void showRow(const QString &pointer);

    void addRow();  ///< to the list that is current, or behind the row that is
    void copyRow(); ///< another one like it, behind it
    void deleteRow();
    void moveRow(int by);

signals:
    /// Another row is current.
    void rowChosen(const QString &pointer);
    /// A row was made here, and wants a name.
    void rowAdded(const QString &pointer);
    void said(const QString &sentence);

private:
    void build();
    void choose();
    void select();
    void remember();
    void restore();
    void enable();

    Document &m_document;
    Selection &m_selection;
    SystemModel *m_model;
    QTreeView *m_tree;
    QAction *m_add, *m_copy, *m_delete, *m_up, *m_down;
    QSet<QString> m_open; ///< ids of what is expanded, while rows come and go
    QString m_current;
    int m_scrolled = 0;
    bool m_isAwaited = false; ///< what is selected has no row yet
    bool m_isFollowing = false;
};

} // namespace instar
