// SPDX-License-Identifier: Apache-2.0
#include "model/items/pollmodel.h"

#include "model/items/words.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

void PollModel::setPolls(const QList<PolledOperation> &polls)
{
    if (polls == m_polls)
        return;
    // The same operations again keep whatever is selected.
    if (std::ranges::equal(polls, m_polls, {}, &PolledOperation::id, &PolledOperation::id)) {
        m_polls = polls;
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_polls = polls;
    endResetModel();
}

void PollModel::setNow(const QDateTime &now)
{
    m_now = now;
    if (!m_polls.isEmpty())
        emit dataChanged(index(0, Due), index(rowCount() - 1, Due));
}

int PollModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_polls.size());
}

int PollModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QString PollModel::text(const PolledOperation &poll, int column) const
{
    switch (column) {
    case OperationId:
        return poll.id;
    case Due: {
        if (!poll.due.isValid())
            return tr("waiting");
        const qint64 left = m_now.isValid() ? m_now.msecsTo(poll.due) : 0;
        return left <= 0 ? tr("now")
                         : tr("%1 s").arg(double(left) / 1000, 0, 'f', left < 10'000 ? 1 : 0);
    }
    case Url:
        return poll.url;
    default:
        return {};
    }
}

QVariant PollModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_polls.size())
        return {};
    const PolledOperation &poll = m_polls[index.row()];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return text(poll, index.column());
    case Full:
        return rowText({ text(poll, OperationId), text(poll, Due), text(poll, Url) });
    default:
        return {};
    }
}

QVariant PollModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Full)
        return rowText(columnNames(*this));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case OperationId:
        return tr("Operation");
    case Due:
        return tr("Due in");
    case Url:
        return tr("URL");
    default:
        return {};
    }
}

} // namespace instar
