// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/conflicts.h"

#include <QAbstractTableModel>

#include <optional>

namespace instar {

/// Verdict in one word: "cancels".
QString verdictWord(Conflict::Then verdict);
/// Verdict as a command: "Cancel the running operation".
QString verdictWish(Conflict::Then verdict);
/// First letter of the verdict, which is unique.
QString verdictLetter(Conflict::Then verdict);
/// Relation of the running operation's resource to the incoming one's: "On an ancestor".
QString placeTitle(const QString &place);

/// Conflict matrix as a table of blocks, one below the other: the title of a place, then its
/// running operations in rows; incoming ones in columns. Operations without conflicts are left out.
class MatrixModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Shows the matrix of a pack. `onlyPlace`: the only block to show; empty: all blocks.
    void show(const Pack &pack, const Setting &setting, const QString &onlyPlace);

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_rows.size());
    }
    int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_incoming.size());
    }
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

    bool isTitle(int row) const { return m_rows[row].running.isEmpty(); }
    /// Pair of operations of a cell; nothing: a title.
    std::optional<Meeting> meeting(const QModelIndex &index) const;
    /// Cell of a pair; invalid if its block is not shown.
    QModelIndex indexOf(const Meeting &meeting) const;
    /// Verdicts of an index that has a meeting.
    const ConflictCell &cell(const QModelIndex &index) const;
    /// Places at which some operations conflict.
    const QStringList &places() const { return m_places; }
    /// Incoming operations, the columns.
    const QStringList &operations() const { return m_incoming; }
    /// "PUT arrives while DELETE runs on an ancestor: refused".
    QString sentence(const QModelIndex &index) const;

private:
    struct Row
    {
        QString place, running; ///< running: empty for the title of a place
        bool operator==(const Row &) const = default;
    };
    QStringList m_places;
    QStringList m_incoming; ///< operations, by column
    QList<Row> m_rows;
    std::vector<ConflictCell> m_cells; ///< by row and incoming operation
};

} // namespace instar
