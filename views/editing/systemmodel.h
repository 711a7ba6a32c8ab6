// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/rows.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace instar {

class Document;

/// Tree model of a document's pack, with types nested by containment. A row keeps its id when it is
/// renamed or moved.
class SystemModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Role { PointerRole = Qt::UserRole, IdRole, IsListRole, DetailRole };

    explicit SystemModel(Document &document, QObject *parent = nullptr);
    ~SystemModel() override;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex & = {}) const override { return 1; }
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

    /// Node of an id (IdRole), or of a JSON pointer or the innermost node around it.
    QModelIndex withId(const QString &id) const;
    QModelIndex at(const QString &pointer) const;

signals:
    /// Emitted before and after rows are added or removed, which invalidates indexes.
    void aboutToBuild();
    void built();
    /// Emitted after the rows show a change of the document.
    void followed();

private:
    struct Node;
    void follow();
    void update(Node &node, const Node &now);
    QModelIndex indexOf(const Node &node) const;
    const Node *nodeOf(const QModelIndex &index) const;

    Document &m_document;
    std::unique_ptr<Node> m_root;
};

} // namespace instar
