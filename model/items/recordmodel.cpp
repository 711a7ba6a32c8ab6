// SPDX-License-Identifier: Apache-2.0
#include "model/items/recordmodel.h"

#include "model/engine/report.h"
#include "model/items/mood.h"
#include "model/items/sentences.h"
#include "model/items/words.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

RecordModel::RecordModel(const Controller &controller, QObject *parent)
    : QAbstractTableModel(parent), m_controller(controller)
{
    append();
    connect(&controller.updates(), &Updates::happened, this, &RecordModel::append);
    connect(&controller.updates(), &Updates::rewound, this, &RecordModel::rewind);
}

int RecordModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || m_ends.empty() ? 0 : m_ends.back();
}

int RecordModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant RecordModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Full)
        return rowText(columnNames(*this));
    if (orientation == Qt::Horizontal && role == Qt::ToolTipRole && section == Time
        && !m_controller.isOurs())
        return tr("When we saw it: the server may have done it earlier");
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return m_controller.isOurs() ? tr("Time") : tr("Seen at");
    case EventName:
        return tr("Event");
    case OperationId:
        return tr("Operation");
    case Path:
        return tr("Path");
    case From:
        return tr("From");
    case To:
        return tr("To");
    case Moved:
        return tr("Moved");
    case Text:
        return tr("In words");
    default:
        return {};
    }
}

std::pair<qsizetype, qsizetype> RecordModel::placeOf(int row) const
{
    const auto record = std::ranges::upper_bound(m_ends, row) - m_ends.begin();
    return { record, row - (record > 0 ? m_ends[size_t(record) - 1] : 0) };
}

QVariant RecordModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto [moment, place] = placeOf(index.row());
    if (moment >= m_controller.records().size())
        return {};
    const Record &record = m_controller.records()[moment];
    if (size_t(place) >= record.changes.size())
        return {};
    const Change &change = record.changes[size_t(place)];
    const Rules &rules = m_controller.rules();
    const auto stateText = [&](Rules::StateId state) {
        return state == Rules::None ? QString() : rules.state(state).id;
    };
    const auto mood = [&](Rules::StateId state) {
        return state == Rules::None ? -1 : int(moodOf(rules, state));
    };

    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        switch (index.column()) {
        case Time:
            return timeText(record.event.time);
        case EventName:
            return eventName(rules, change);
        case OperationId:
            return m_controller.operations().idOf(change.operation);
        case Path:
            return change.path;
        case From:
            return stateText(change.from);
        case To:
            return stateText(change.to);
        case Moved:
            return change.moved ? QString::number(change.moved) : QString();
        case Text:
            return changeText(rules, m_controller.operations(), change);
        default:
            return {};
        }
    case Moment:
        return qlonglong(moment) + 1;
    case Serial:
        return change.operation;
    case FromMood:
        return mood(change.from);
    case ToMood:
        return mood(change.to);
    case Full: {
        QStringList cells;
        for (int column = 0; column < ColumnCount; ++column)
            cells += data(index.siblingAtColumn(column), Qt::DisplayRole).toString();
        return rowText(cells);
    }
    default:
        return {};
    }
}

void RecordModel::append()
{
    const QList<Record> &records = m_controller.records();
    const int before = rowCount();
    std::vector<int> ends;
    int after = before;
    for (qsizetype i = qsizetype(m_ends.size()); i < records.size(); ++i)
        ends.push_back(after += int(records[i].changes.size()));
    if (after > before)
        beginInsertRows({}, before, after - 1);
    m_ends.insert(m_ends.end(), ends.begin(), ends.end());
    if (after > before)
        endInsertRows();
}

void RecordModel::rewind()
{
    // A record keeps its number of changes for ever: what is still there is still the same, unless
    // it is another run.
    const QList<Record> &records = m_controller.records();
    size_t same = 0;
    int end = 0;
    while (same < m_ends.size() && qsizetype(same) < records.size()) {
        const int next = end + int(records[qsizetype(same)].changes.size());
        if (next != m_ends[same])
            break;
        end = next;
        ++same;
    }
    const int before = rowCount();
    if (before > end)
        beginRemoveRows({}, end, before - 1);
    m_ends.resize(same);
    if (before > end)
        endRemoveRows();
    append();
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

} // namespace instar
