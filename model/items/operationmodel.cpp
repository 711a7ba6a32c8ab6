// SPDX-License-Identifier: Apache-2.0
#include "model/items/operationmodel.h"

#include "model/items/words.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What became of a request between us and a server, by the code that our own side gave it; null: a
/// server's or a rule's.
const char *ownWord(const Operation &operation)
{
    static const QHash<QString, const char *> words {
        { u"NotSent"_s,
            QT_TRANSLATE_NOOP("instar::OperationModel", "the server cannot be reached") },
        { u"NotConnected"_s,
            QT_TRANSLATE_NOOP("instar::OperationModel", "no connection to a server") },
        { u"ReadOnly"_s,
            QT_TRANSLATE_NOOP("instar::OperationModel", "the connection is read only") },
        { u"NotSpoken"_s,
            QT_TRANSLATE_NOOP("instar::OperationModel", "the system has no request for it") },
        { u"Lost"_s, QT_TRANSLATE_NOOP("instar::OperationModel", "how it ended is not known") },
        { u"Forgotten"_s,
            QT_TRANSLATE_NOOP("instar::OperationModel",
                "the server does not know it any more; how it ended is not known") },
    };
    return operation.httpStatus ? nullptr : words.value(operation.errorCode);
}

} // namespace

bool isNotSent(const Operation &operation)
{
    return operation.status == Status::Rejected && ownWord(operation);
}

QString statusText(const Operation &operation)
{
    if (isNotSent(operation))
        return OperationModel::tr("Not sent");
    if (operation.status == Status::Failed && ownWord(operation))
        return OperationModel::tr("Not known");
    return statusName(operation.status);
}

QString noteText(const Operation &operation)
{
    QStringList parts;
    if (!operation.canceledBy.isEmpty())
        parts += OperationModel::tr("canceled by %1").arg(operation.canceledBy);
    if (!operation.replayOf.isEmpty())
        parts += OperationModel::tr("answered as %1 was").arg(operation.replayOf);
    if (!operation.conflictsWith.isEmpty())
        parts += OperationModel::tr("%1 is in the way").arg(operation.conflictsWith);
    if (!operation.requiredBy.isEmpty())
        parts += OperationModel::tr("required by %1").arg(operation.requiredBy);
    if (!operation.errorCode.isEmpty() && operation.status != Status::Canceled)
        parts.prepend(operation.httpStatus
                ? u"%1 %2"_s.arg(operation.httpStatus).arg(operation.errorCode)
                : ownWord(operation) ? OperationModel::tr(ownWord(operation))
                                     : operation.errorCode);
    return parts.join(u", "_s);
}

OperationModel::OperationModel(const Controller &controller, QObject *parent)
    : QAbstractTableModel(parent), m_controller(controller)
{
    takeOver();
    const Updates &updates = controller.updates();
    connect(&updates, &Updates::happened, this, &OperationModel::follow);
    connect(&updates, &Updates::timePassed, this, &OperationModel::showProgress);
    connect(&updates, &Updates::rewound, this, &OperationModel::compareAll);
}

int OperationModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : rows();
}

int OperationModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant OperationModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Full)
        return rowText(columnNames(*this) << tr("Message"));
    if (orientation == Qt::Horizontal && role == Qt::ToolTipRole && section == Ended
        && !m_controller.isOurs())
        return tr("When we saw that it had ended: the server may have ended it earlier");
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Id:
        return tr("Id");
    case Client:
        return tr("Client");
    case Kind:
        return tr("Operation");
    case Target:
        return tr("Target");
    case StatusWord:
        return tr("Status");
    case Progress:
        return tr("Progress");
    case Attempts:
        return tr("Attempts");
    case Submitted:
        return m_controller.isOurs() ? tr("Submitted") : tr("Sent");
    case Ended:
        return m_controller.isOurs() ? tr("Ended") : tr("Seen ended");
    case Note:
        return tr("What happened");
    default:
        return {};
    }
}

double OperationModel::fraction(const Operation &operation) const
{
    const World &world = m_controller.world();
    const Running *running = operation.isOver() ? nullptr : world.find(operation.serial);
    if (!running || running->due < 0)
        return -1;
    qint64 span = m_controller.rules().duration(running->op);
    if (running->request && running->request->duration)
        span = *running->request->duration;
    if (span <= 0)
        return running->due > world.now ? 0 : 1;
    return std::clamp(1.0 - double(running->due - world.now) / double(span), 0.0, 1.0);
}

QString OperationModel::progressText(const Operation &operation) const
{
    const Running *running =
        operation.isOver() ? nullptr : m_controller.world().find(operation.serial);
    if (!running)
        return {};
    switch (running->phase) {
    case Running::Phase::Delayed:
        return tr("again in %1")
            .arg(timeText(std::max<qint64>(running->due - m_controller.world().now, 0)));
    case Running::Phase::Attempting:
        if (!m_controller.isOurs())
            return tr("at the server");
        return running->due < 0 ? tr("asks you") : tr("%1 %").arg(int(100 * fraction(operation)));
    case Running::Phase::Requiring:
        return tr("waits for %Ln", nullptr, running->waitingFor);
    case Running::Phase::Until:
        return tr("waits");
    }
    return {};
}

QVariant OperationModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const quint32 serial = m_serials[size_t(index.row())];
    const Operation *found = m_controller.operations().find(serial);
    if (!found) // it was forgotten since the last frame
        return role == Serial ? QVariant(serial) : QVariant();
    const Operation &operation = *found;
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case Id:
            return operation.id;
        case Client:
            return operation.client;
        case Kind:
            return operation.op;
        case Target:
            return operation.path;
        case StatusWord:
            return statusText(operation);
        case Progress:
            return progressText(operation);
        case Attempts:
            return operation.attempts;
        case Submitted:
            return timeText(operation.submitted);
        case Ended:
            return operation.ended ? timeText(*operation.ended) : QString();
        case Note:
            return noteText(operation);
        default:
            return {};
        }
    case Qt::ToolTipRole:
        if (index.column() == Note)
            return operation.errorMessage.isEmpty() ? noteText(operation) : operation.errorMessage;
        return data(index, Qt::DisplayRole);
    case Serial:
        return serial;
    case StatusOf:
        return int(operation.status);
    case Fraction:
        return fraction(operation);
    case InTheWay: {
        const QString &id =
            operation.conflictsWith.isEmpty() ? operation.canceledBy : operation.conflictsWith;
        const Operation *other = id.isEmpty() ? nullptr : m_controller.operations().find(id);
        return other ? other->serial : 0;
    }
    case Message:
        return operation.errorMessage;
    case Full: {
        QStringList cells;
        for (int column = 0; column < ColumnCount; ++column)
            cells += data(index.siblingAtColumn(column), Qt::DisplayRole).toString();
        if (!operation.errorMessage.isEmpty())
            cells += operation.errorMessage;
        return rowText(cells);
    }
    default:
        return {};
    }
}

QModelIndex OperationModel::indexOf(quint32 serial) const
{
    // Serials are given in order.
    const auto found = std::ranges::lower_bound(m_serials, serial);
    if (found == m_serials.end() || *found != serial)
        return {};
    return index(int(found - m_serials.begin()), 0);
}

void OperationModel::remove(int first, int end)
{
    if (first >= end)
        return;
    beginRemoveRows({}, first, end - 1);
    m_serials.erase(m_serials.begin() + first, m_serials.begin() + end);
    endRemoveRows();
}

void OperationModel::append()
{
    const int before = rows(), after = int(all().size());
    if (before >= after)
        return;
    beginInsertRows({}, before, after - 1);
    for (qsizetype i = before; i < after; ++i)
        m_serials.push_back(all()[i].serial);
    endInsertRows();
}

/// Rows of what is no more there go, and what is left alone keeps its own.
void OperationModel::takeOver()
{
    const OperationLog &log = m_controller.operations();
    m_forgotten = log.forgotten();
    for (int end = rows(); end > 0;) {
        int first = end;
        while (first > 0 && !log.find(m_serials[size_t(first) - 1]))
            --first;
        remove(first, end);
        end = first - 1;
    }
    const auto same = std::ranges::mismatch(m_serials, all(), {}, {}, &Operation::serial).in1;
    remove(int(same - m_serials.begin()), rows());
    append();
}

void OperationModel::follow(const Update &update)
{
    if (m_controller.operations().forgotten() != m_forgotten || all().size() < rows())
        takeOver();
    const int before = rows();
    append();
    int first = before, last = -1;
    for (const Record &record : update.records) {
        for (const Change &change : record.changes) {
            const int row = indexOf(change.operation).row();
            if (row < 0 || row >= before)
                continue;
            first = std::min(first, row);
            last = std::max(last, row);
        }
    }
    if (last >= first)
        emit dataChanged(index(first, 0), index(last, ColumnCount - 1));
}

void OperationModel::compareAll()
{
    takeOver();
    if (rows() > 0)
        emit dataChanged(index(0, 0), index(rows() - 1, ColumnCount - 1));
}

void OperationModel::showProgress()
{
    const auto &running = m_controller.world().running; // by serial, as the rows are
    if (running.empty())
        return;
    const int first = indexOf(running.front()->serial).row();
    const int last = indexOf(running.back()->serial).row(); // -1: asked for since the last frame
    if (first >= 0)
        emit dataChanged(index(first, Progress), index(last < 0 ? rows() - 1 : last, Progress));
}

} // namespace instar
