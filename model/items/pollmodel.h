// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"

#include <QAbstractTableModel>

namespace instar {

/// The operations that are being asked about, and when again.
class PollModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { OperationId, Due, Url, ColumnCount };
    enum Role {
        Full = Qt::UserRole, ///< QString: a whole row, tab-separated; of the header: what its cells
                             ///< are
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setPolls(const QList<PolledOperation> &polls);
    /// Time as it is now; "due in" counts from there.
    void setNow(const QDateTime &now);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(const PolledOperation &poll, int column) const;

    QList<PolledOperation> m_polls;
    QDateTime m_now;
};

} // namespace instar
