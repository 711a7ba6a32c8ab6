// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStandardItemModel>

namespace instar {

class Document;

/// Tree model of a document's pack, with types nested by containment. A row keeps its id when it is
/// renamed or moved.
class SystemModel : public QStandardItemModel
{
    Q_OBJECT
public:
    enum Role { PointerRole = Qt::UserRole, IdRole, IsListRole, DetailRole };

    explicit SystemModel(Document &document, QObject *parent = nullptr);

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
    void follow();

    Document &m_document;
};

} // namespace instar
