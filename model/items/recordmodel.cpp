// SPDX-License-Identifier: Apache-2.0
#include "model/items/recordmodel.h"

#include "model/items/report.h"
#include "model/items/sentences.h"
#include "model/items/statuscategory.h"

namespace instar {

RecordModel::RecordModel(const Controller &controller, QObject *parent)
    : TableModel(
        { { controller.isLocal() ? tr("Time") : tr("Observed at"),
              [](const RecordRow &row) { return timeText(row.record->event.time); }, {},
              controller.isLocal() ? QString()
                                   : tr("Time at which the program observed the event; the event "
                                        "may have happened earlier") },
            { tr("Event"),
                [this](const RecordRow &row) {
                    return eventName(m_controller.rules(), *row.change);
                } },
            { tr("Operation"),
                [this](const RecordRow &row) {
                    return operationsOf(row).idOf(row.change->operation);
                } },
            { tr("Path"), [](const RecordRow &row) { return row.change->path; } },
            { tr("From"),
                [this](const RecordRow &row) {
                    return stateTitle(m_controller.rules(), row.change->from);
                } },
            { tr("To"),
                [this](const RecordRow &row) {
                    return stateTitle(m_controller.rules(), row.change->to);
                } },
            { tr("Moved"),
                [](const RecordRow &row) {
                    return row.change->moved ? QString::number(row.change->moved) : QString();
                } },
            { tr("Description"), std::bind_front(&RecordModel::sentence, this),
                std::bind_front(&RecordModel::sentenceWithRule, this) } },
        parent),
      m_controller(controller)
{
    updateRows();
    connect(&controller.updates(), &Updates::happened, this, &RecordModel::updateRows);
    connect(&controller.updates(), &Updates::rewound, this, [this] {
        updateRows();
        emitChanged(0, rowCount() - 1);
    });
}

std::optional<RecordRow> RecordModel::find(int row) const
{
    const auto moment = std::ranges::upper_bound(m_ends, row) - m_ends.begin();
    const int index = row - (moment > 0 ? m_ends[size_t(moment) - 1] : 0);
    const Record *const found = record(moment);
    if (!found || size_t(index) >= found->changes.size())
        return {};
    return RecordRow { found, &found->changes[size_t(index)], moment };
}

qsizetype RecordModel::size() const
{
    return dropped() + m_controller.records().size() + m_controller.later().size();
}

const Record *RecordModel::record(qsizetype moment) const
{
    if (moment < dropped() || moment >= size())
        return nullptr;
    const qsizetype index = moment - dropped(), later = index - m_controller.records().size();
    return later < 0 ? &m_controller.records()[index] : &m_controller.later()[later];
}

bool RecordModel::isLater(qsizetype moment) const
{
    return moment - dropped() >= m_controller.records().size();
}

const OperationLog &RecordModel::operationsOf(const RecordRow &row) const
{
    return isLater(row.moment) ? m_controller.everyOperation() : m_controller.operations();
}

QString RecordModel::sentence(const RecordRow &row) const
{
    return changeText(m_controller.rules(), operationsOf(row), *row.change);
}

QString RecordModel::sentenceWithRule(const RecordRow &row) const
{
    const Rules &rules = m_controller.rules();
    const QString rule =
        rules.transitionText(row.change->transition) + rules.conflictText(row.change->conflict);
    return rule.isEmpty() ? sentence(row)
                          //: a sentence, and the row of the pack
                          : tr("%1\nRule: %2").arg(sentence(row), rule);
}

QVariant RecordModel::value(const RecordRow &row, int, int role) const
{
    const auto statusCategory = [&](Rules::StateId state) {
        return state == Rules::None ? -1 : int(statusCategoryOf(m_controller.rules(), state));
    };
    switch (role) {
    case Moment:
        return qlonglong(m_forgotten + row.moment) + 1;
    case Serial:
        return row.change->operation;
    case Later:
        return isLater(row.moment);
    case FromStatusCategory:
        return statusCategory(row.change->from);
    case ToStatusCategory:
        return statusCategory(row.change->to);
    default:
        return {};
    }
}

/// Replaces the rows from the first record that differs. Records are immutable, so a record with a
/// different number of changes is a different record, of another branch or run.
void RecordModel::updateRows()
{
    forgetOldest();
    size_t unchanged = 0;
    int end = 0;
    while (unchanged < m_ends.size() && qsizetype(unchanged) < size()) {
        const int next = end + int(record(qsizetype(unchanged))->changes.size());
        if (next != m_ends[unchanged])
            break;
        end = next;
        ++unchanged;
    }
    const int before = rowCount();
    if (before > end)
        beginRemoveRows({}, end, before - 1);
    m_ends.resize(unchanged);
    if (before > end)
        endRemoveRows();

    std::vector<int> ends;
    int after = end;
    for (qsizetype i = qsizetype(unchanged); i < size(); ++i)
        ends.push_back(after += int(record(i)->changes.size()));
    if (after > end)
        beginInsertRows({}, end, after - 1);
    m_ends.insert(m_ends.end(), ends.begin(), ends.end());
    if (after > end)
        endInsertRows();

    // Updates rows that became past or future, because the moment shown moved since the last call.
    const int from = std::min({ happenedRows(), m_happenedRows, rowCount() });
    const int to = std::min(std::max(happenedRows(), m_happenedRows), rowCount());
    m_happenedRows = happenedRows();
    emitChanged(from, to - 1);
}

void RecordModel::forgetOldest()
{
    const auto records = std::clamp<qsizetype>(dropped(), 0, qsizetype(m_ends.size()));
    const int rows = records > 0 ? m_ends[size_t(records) - 1] : 0;
    if (rows > 0)
        beginRemoveRows({}, 0, rows - 1);
    m_ends.erase(m_ends.begin(), m_ends.begin() + records);
    for (int &end : m_ends)
        end -= rows;
    m_happenedRows = std::max(m_happenedRows - rows, 0);
    m_forgotten = m_controller.forgotten();
    if (rows > 0)
        endRemoveRows();
}

int RecordModel::happenedRows() const
{
    const auto moment = size_t(std::clamp<qsizetype>(
        dropped() + m_controller.records().size(), 0, qsizetype(m_ends.size())));
    return moment == 0 ? 0 : m_ends[moment - 1];
}

} // namespace instar
