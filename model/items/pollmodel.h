// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/items/tablemodel.h"
namespace instar {

/// The operations that are being asked about, and when again.
class PollModel : public TableModel<const PolledOperation *>
{
    Q_OBJECT
public:
    enum Column { OperationId, Due, Url, ColumnCount };
    explicit PollModel(QObject *parent = nullptr);

    void setPolls(const QList<PolledOperation> &polls);
    /// Time as it is now; "due in" counts from there.
    void setNow(const QDateTime &now);

    int rowCount(const QModelIndex &parent = {}) const override;

private:
    const PolledOperation *find(int row) const override;
    QVariant value(const PolledOperation &, int, int) const override { return {}; }
    QString dueText(const PolledOperation &poll) const;

    QList<PolledOperation> m_polls;
    QDateTime m_now;
};

} // namespace instar
