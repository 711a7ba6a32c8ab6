// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/rows.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace instar {

class Document;

/// A document's pack as a tree: what lies in what, types by containment. A row keeps its id when it
/// is renamed or moved.
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

    /// The node of that id (IdRole), or that the pointer leads to, or around what it leads to.
    QModelIndex withId(const QString &id) const;
    QModelIndex at(const QString &pointer) const;

signals:
    /// Rows come or go: what was said of indexes is forgotten. About to, and done.
    void aboutToBuild();
    void built();
    /// A change of the document is in the rows, whether some came or went or not.
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
