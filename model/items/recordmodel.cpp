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
    follow();
    connect(&controller.updates(), &Updates::happened, this, &RecordModel::follow);
    connect(&controller.updates(), &Updates::rewound, this, &RecordModel::tellAll);
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

qsizetype RecordModel::size() const
{
    return gone() + m_controller.records().size() + m_controller.later().size();
}

const Record *RecordModel::record(qsizetype moment) const
{
    if (moment < gone() || moment >= size())
        return nullptr;
    const qsizetype kept = moment - gone(), later = kept - m_controller.records().size();
    return later < 0 ? &m_controller.records()[kept] : &m_controller.later()[later];
}

bool RecordModel::isLater(qsizetype moment) const
{
    return moment - gone() >= m_controller.records().size();
}

QVariant RecordModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto [moment, place] = placeOf(index.row());
    const Record *const record = this->record(moment);
    if (!record || size_t(place) >= record->changes.size())
        return {};
    const Change &change = record->changes[size_t(place)];
    const auto operations = [&, at = moment]() -> const OperationLog & {
        return isLater(at) ? m_controller.everyOperation() : m_controller.operations();
    };
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
            return timeText(record->event.time);
        case EventName:
            return eventName(rules, change);
        case OperationId:
            return operations().idOf(change.operation);
        case Path:
            return change.path;
        case From:
            return stateText(change.from);
        case To:
            return stateText(change.to);
        case Moved:
            return change.moved ? QString::number(change.moved) : QString();
        case Text: {
            const QString text = changeText(rules, operations(), change);
            const QString rule =
                rules.transitionText(change.transition) + rules.conflictText(change.conflict);
            return role == Qt::DisplayRole || rule.isEmpty() ? text
                                                             //: a sentence, and the row of the pack
                                                             : tr("%1\nRule: %2").arg(text, rule);
        }
        default:
            return {};
        }
    case Moment:
        return qlonglong(m_forgotten + moment) + 1;
    case Serial:
        return change.operation;
    case Later:
        return isLater(moment);
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

/// What is still there is left alone: a record keeps its number of changes for ever, so that only
/// those of another branch or run are taken for others.
void RecordModel::follow()
{
    forgetOldest();
    size_t same = 0;
    int end = 0;
    while (same < m_ends.size() && qsizetype(same) < size()) {
        const int next = end + int(record(qsizetype(same))->changes.size());
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

    std::vector<int> ends;
    int after = end;
    for (qsizetype i = qsizetype(same); i < size(); ++i)
        ends.push_back(after += int(record(i)->changes.size()));
    if (after > end)
        beginInsertRows({}, end, after - 1);
    m_ends.insert(m_ends.end(), ends.begin(), ends.end());
    if (after > end)
        endInsertRows();

    // Those that are later no more, or have become so.
    const int from = std::min({ happenedRows(), m_happened, rowCount() });
    const int to = std::min(std::max(happenedRows(), m_happened), rowCount());
    m_happened = happenedRows();
    if (from < to)
        emit dataChanged(index(from, 0), index(to - 1, ColumnCount - 1));
}

void RecordModel::forgetOldest()
{
    const auto records = std::clamp<qsizetype>(gone(), 0, qsizetype(m_ends.size()));
    const int rows = records > 0 ? m_ends[size_t(records) - 1] : 0;
    if (rows > 0)
        beginRemoveRows({}, 0, rows - 1);
    m_ends.erase(m_ends.begin(), m_ends.begin() + records);
    for (int &end : m_ends)
        end -= rows;
    m_happened = std::max(m_happened - rows, 0);
    m_forgotten = m_controller.forgotten();
    if (rows > 0)
        endRemoveRows();
}

int RecordModel::happenedRows() const
{
    const auto moment = size_t(
        std::clamp<qsizetype>(gone() + m_controller.records().size(), 0, qsizetype(m_ends.size())));
    return moment == 0 ? 0 : m_ends[moment - 1];
}

void RecordModel::tellAll()
{
    follow();
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

} // namespace instar
