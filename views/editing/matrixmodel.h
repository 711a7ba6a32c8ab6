// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/conflicts.h"

#include <QAbstractTableModel>

#include <optional>

namespace instar {

/// What happens, in one word: "cancels".
QString verdictWord(Conflict::Then verdict);
/// What one can wish: "Cancel what runs".
QString verdictWish(Conflict::Then verdict);
/// Its first letter, which tells it from the others.
QString verdictLetter(Conflict::Then verdict);
/// Where something runs, seen from what comes: "On an ancestor".
QString placeTitle(const QString &place);

/// The conflict matrix as a table of blocks, one a place, with titles above them: what runs in
/// rows, what comes in columns. Operations that meet nobody are left out.
class MatrixModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// `place`: the only block that is shown; empty: all.
    void show(const Pack &pack, const Setting &setting, const QString &place);
    /// So many blocks stand side by side, the others below them.
    void setAcross(int blocks);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

    bool isTitle(int row) const { return m_rows[row].running.isEmpty(); }
    /// Nothing where it is a title, or behind the last block.
    std::optional<Meeting> meeting(const QModelIndex &index) const;
    /// Of operations that are shown; not valid where it is not.
    QModelIndex indexOf(const Meeting &meeting) const;
    /// Of an index that has a meeting.
    const ConflictCell &cell(const QModelIndex &index) const;
    /// The places at which some operations meet.
    const QStringList &places() const { return m_places; }
    const QStringList &shownPlaces() const { return m_shown; }
    /// What comes, of one block.
    const QStringList &operations() const { return m_comes; }
    /// "PUT comes while DELETE runs on an ancestor: refused".
    QString sentence(const QModelIndex &index) const;

private:
    struct RowHead
    {
        int band = 0;    ///< of blocks that stand side by side
        QString running; ///< empty: their titles
        bool operator==(const RowHead &) const = default;
    };
    QList<RowHead> arranged() const;
    int block(const QModelIndex &index) const; ///< -1: behind the last

    QStringList m_places, m_shown, m_comes;
    QList<QStringList> m_runs;         ///< by shown place
    QHash<QString, int> m_running;     ///< what runs anywhere -> its number
    std::vector<ConflictCell> m_cells; ///< by shown place, what runs, what comes
    QList<RowHead> m_rows;
    int m_across = 1;
};

} // namespace instar
