// SPDX-License-Identifier: Apache-2.0
#include "model/items/armedmodel.h"

#include "model/items/words.h"

using namespace Qt::StringLiterals;

namespace instar {

QString enclosedText(const Request &request)
{
    QStringList parts;
    if (!request.id.isEmpty())
        parts += ArmedModel::tr("id %1").arg(request.id);
    if (!request.ifMatch.isEmpty())
        parts += u"If-Match"_s;
    if (!request.ifNoneMatch.isEmpty())
        parts += u"If-None-Match"_s;
    if (!request.requestId.isEmpty())
        parts += ArmedModel::tr("request id %1").arg(request.requestId);
    if (!request.headers.isEmpty())
        parts += ArmedModel::tr("%Ln headers", nullptr, int(request.headers.size()));
    if (!request.body.isEmpty())
        parts += ArmedModel::tr("body of %1")
                     .arg(ArmedModel::tr("%Ln bytes", nullptr, int(request.body.size())));
    if (!request.references.isEmpty())
        parts += ArmedModel::tr("%Ln references", nullptr, int(request.references.size()));
    if (request.transientFailures > 0)
        parts += ArmedModel::tr("%Ln transient failures", nullptr, request.transientFailures);
    for (const auto &[label, holds] : request.conditions.asKeyValueRange())
        parts += holds ? label : ArmedModel::tr("not %1").arg(label);
    return parts.join(u", "_s);
}

void ArmedModel::insert(int row, const Request &request)
{
    beginInsertRows({}, row, row);
    m_requests.insert(row, request);
    m_fired.insert(row, Fired());
    endInsertRows();
}

void ArmedModel::replace(int row, const Request &request)
{
    m_requests[row] = request;
    m_fired[row] = {};
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

void ArmedModel::remove(int row)
{
    beginRemoveRows({}, row, row);
    m_requests.removeAt(row);
    m_fired.removeAt(row);
    endRemoveRows();
}

void ArmedModel::move(int from, int to)
{
    if (from == to)
        return;
    beginMoveRows({}, from, from, {}, to > from ? to + 1 : to);
    m_requests.move(from, to);
    m_fired.move(from, to);
    endMoveRows();
}

void ArmedModel::clear()
{
    beginResetModel();
    m_requests.clear();
    m_fired.clear();
    endResetModel();
}

void ArmedModel::setSerial(int row, quint32 serial)
{
    m_fired[row] = { serial, {} };
    emit dataChanged(index(row, Answer), index(row, Answer));
}

void ArmedModel::setAnswer(int row, const QString &answer)
{
    if (m_fired[row].answer == answer)
        return;
    m_fired[row].answer = answer;
    emit dataChanged(index(row, Answer), index(row, Answer));
}

int ArmedModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_requests.size());
}

int ArmedModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QString ArmedModel::text(int row, int column) const
{
    const Request &request = m_requests[row];
    switch (column) {
    case Client:
        return request.client;
    case Kind:
        return request.op;
    case Target:
        return request.path;
    case Ends:
        return request.hang             ? tr("asks you")
            : request.outcome.isEmpty() ? m_usual
                                        : request.outcome;
    case Answer:
        return m_fired[row].answer;
    case With:
        return enclosedText(request);
    default:
        return {};
    }
}

QVariant ArmedModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_requests.size())
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return text(index.row(), index.column());
    case Full: {
        QStringList cells;
        for (int column = 0; column < ColumnCount; ++column)
            cells += text(index.row(), column);
        return rowText(cells);
    }
    default:
        return {};
    }
}

QVariant ArmedModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Full)
        return rowText(columnNames(*this));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (section) {
    case Client:
        return tr("Client");
    case Kind:
        return tr("Operation");
    case Target:
        return tr("Target");
    case Ends:
        return tr("Ends");
    case Answer:
        return tr("Answer");
    case With:
        return tr("With");
    default:
        return {};
    }
}

} // namespace instar
