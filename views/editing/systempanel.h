// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStandardItemModel>
#include <QWidget>

#include <optional>

class QAction;
class QTreeView;

namespace instar {

class Document;
struct PackAndRow;
class Selection;

/// Tree model of a document's pack. A type is below the type of its parents. A row keeps its IdRole
/// when it is renamed or moved.
class SystemModel : public QStandardItemModel
{
    Q_OBJECT
public:
    enum Role { PointerRole = Qt::UserRole, IdRole, IsListRole };

    explicit SystemModel(Document &document, QObject *parent = nullptr);

    QModelIndex withId(const QString &id) const;  ///< node with this IdRole
    QModelIndex at(const QString &pointer) const; ///< innermost node around a JSON pointer's value
    /// Shows the document as it is now; invalidates indexes.
    void build();

private:
    Document &m_document;
};

/// Tree of a document's pack whose rows can be added, copied, moved and deleted.
class SystemPanel : public QWidget
{
    Q_OBJECT
public:
    SystemPanel(Document &document, Selection &selection, QWidget *parent = nullptr);

    QTreeView &tree() { return *m_tree; }
    /// JSON pointer of the current row or list.
    QString pointer() const;
    /// Makes the innermost row around a JSON pointer's value current.
    void showRow(const QString &pointer);

signals:
    /// The user made another row current.
    void rowChosen(const QString &pointer);
    /// A row was added here, and needs a name.
    void rowAdded(const QString &pointer);
    void said(const QString &sentence);

private:
    void build();
    /// Type below which addRow() puts a new type: the current type if the tree shows types below
    /// it, else its parent; empty: none.
    QString typeOfNewRow() const;
    void addRow();  ///< to the current list, or after the current row
    void copyRow(); ///< inserts a copy after the current row
    void deleteRow();
    void moveRow(int by);
    /// Makes an edit that adds a row, and makes the row current.
    void put(const QString &what, const std::optional<PackAndRow> &now);
    void choose();
    void showSelected(); ///< makes the first row of the window's selection current
    void follow();
    void enable();

    Document &m_document;
    Selection &m_selection;
    SystemModel *m_model;
    QTreeView *m_tree;
    QAction *m_add, *m_copy, *m_delete, *m_up, *m_down;
    bool m_isAwaited = false;   ///< the selected element has no row in the tree yet
    bool m_isFollowing = false; ///< the panel itself changes the current row or the selection
};

} // namespace instar
