// SPDX-License-Identifier: Apache-2.0
#include "model/items/pollmodel.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

PollModel::PollModel(QObject *parent)
    : TableModel({ { tr("Operation"), &PolledOperation::id },
                     { tr("Due in"), std::bind_front(&PollModel::dueText, this) },
                     { tr("URL"), &PolledOperation::url } },
        parent)
{ }

void PollModel::setPolls(const QList<PolledOperation> &polls)
{
    if (polls == m_polls)
        return;
    // The same operations again keep whatever is selected.
    if (std::ranges::equal(polls, m_polls, {}, &PolledOperation::id, &PolledOperation::id)) {
        m_polls = polls;
        tellChanged(0, rowCount() - 1);
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

const PolledOperation *PollModel::find(int row) const
{
    return row < m_polls.size() ? &m_polls[row] : nullptr;
}

QString PollModel::dueText(const PolledOperation &poll) const
{
    if (!poll.due.isValid())
        return tr("waiting");
    const qint64 left = m_now.isValid() ? m_now.msecsTo(poll.due) : 0;
    return left <= 0 ? tr("now")
                     : tr("%1 s").arg(double(left) / 1000, 0, 'f', left < 10'000 ? 1 : 0);
}

} // namespace instar
