// SPDX-License-Identifier: Apache-2.0
#include "model/items/operationmodel.h"

#include "model/items/sentences.h"

namespace instar {

namespace {

/// Returns why a request was not sent or its outcome is unknown; empty if the error code comes from
/// a server or a rule, not from Instar.
QString reasonOfInstar(const Operation &operation)
{
    static const QHash<QString, QString> reasons {
        { u"NotSent"_s, OperationModel::tr("the server cannot be reached") },
        { u"NotConnected"_s, OperationModel::tr("no connection to a server") },
        { u"ReadOnly"_s, OperationModel::tr("the connection is read only") },
        { u"NotSpoken"_s,
            OperationModel::tr("the pack defines no HTTP request for this operation") },
        { u"Lost"_s, OperationModel::tr("the outcome is unknown") },
        { u"Forgotten"_s,
            OperationModel::tr(
                "the server no longer knows the operation; the outcome is unknown") },
    };
    return operation.httpStatus ? QString() : reasons.value(operation.errorCode);
}

} // namespace

bool isNotSent(const Operation &operation)
{
    return operation.status == Status::Rejected && !reasonOfInstar(operation).isEmpty();
}

QString statusText(const Operation &operation)
{
    if (isNotSent(operation))
        return OperationModel::tr("Not sent");
    if (operation.status == Status::Failed && !reasonOfInstar(operation).isEmpty())
        return OperationModel::tr("Outcome unknown");
    return statusName(operation.status);
}

StatusCategory statusCategoryOf(Status status)
{
    constexpr StatusCategory categories[] { StatusCategory::Waiting, StatusCategory::Working,
        StatusCategory::Rest, StatusCategory::Failed, StatusCategory::Absent,
        StatusCategory::Failed }; // in the order of Status
    return categories[size_t(status)];
}

QString noteText(const Operation &operation)
{
    QStringList parts;
    if (!operation.canceledBy.isEmpty())
        parts += OperationModel::tr("canceled by %1").arg(operation.canceledBy);
    if (!operation.replayOf.isEmpty())
        parts +=
            OperationModel::tr("same request id as %1, so the same answer").arg(operation.replayOf);
    if (!operation.conflictsWith.isEmpty())
        parts += OperationModel::tr("conflicts with %1").arg(operation.conflictsWith);
    if (!operation.requiredBy.isEmpty())
        parts += OperationModel::tr("required by %1").arg(operation.requiredBy);
    const QString reason = reasonOfInstar(operation);
    if (!operation.errorCode.isEmpty() && operation.status != Status::Canceled)
        parts.prepend(operation.httpStatus
                ? u"%1 %2"_s.arg(operation.httpStatus).arg(operation.errorCode)
                : reason.isEmpty() ? operation.errorCode
                                   : reason);
    return parts.join(u", "_s);
}

OperationModel::OperationModel(const Controller &controller, QObject *parent)
    : TableModel(
        { { tr("Id"), &Operation::id }, { tr("Client"), &Operation::client },
            { tr("Operation"), &Operation::op }, { tr("Target"), &Operation::path },
            { tr("Status"), qOverload<const Operation &>(statusText) },
            { tr("Remarks"), noteText,
                [](const Operation &row) {
                    return row.errorMessage.isEmpty() ? noteText(row) : row.errorMessage;
                } },
            { tr("Progress"), std::bind_front(&OperationModel::progressText, this) },
            { tr("Work steps"), [](const Operation &row) { return QString::number(row.attempts); },
                {}, tr("Number of work steps tried so far; a retry counts again") },
            { controller.isLocal() ? tr("Submitted") : tr("Sent"),
                [](const Operation &row) { return timeText(row.submitted); } },
            { controller.isLocal() ? tr("Ended") : tr("Observed ended"),
                [](const Operation &row) { return row.ended ? timeText(*row.ended) : QString(); },
                {},
                controller.isLocal() ? QString()
                                     : tr("Time at which the program observed the end; the "
                                          "operation may have ended earlier") },
            { .title = tr("Message"), .text = &Operation::errorMessage, .isExtra = true } },
        parent),
      m_controller(controller)
{
    matchLog();
    const Updates &updates = controller.updates();
    connect(&updates, &Updates::happened, this, &OperationModel::applyUpdate);
    connect(&updates, &Updates::timePassed, this, &OperationModel::showProgress);
    connect(&updates, &Updates::rewound, this, &OperationModel::updateAll);
}

/// Returns the elapsed share of the running attempt, from 0 to 1; -1 if it has no due time.
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
        return tr("retry in %1")
            .arg(timeText(std::max<qint64>(running->due - m_controller.world().now, 0)));
    case Running::Phase::Attempting:
        if (!m_controller.isLocal())
            return tr("at the server");
        return running->due < 0 ? tr("by hand") : tr("%1 %").arg(int(100 * fraction(operation)));
    case Running::Phase::Requiring:
        return tr("waits for %Ln operations", nullptr, running->waitingFor);
    case Running::Phase::Until:
        return waitText(m_controller.rules(), *running);
    }
    return {};
}

const Operation *OperationModel::find(int row) const
{
    return m_controller.operations().find(m_serials[size_t(row)]);
}

/// Returns the role Serial even of an operation that the log has forgotten since the last frame.
QVariant OperationModel::data(const QModelIndex &index, int role) const
{
    return role == Serial && index.isValid() ? QVariant(m_serials[size_t(index.row())])
                                             : TableModel::data(index, role);
}

QVariant OperationModel::value(const Operation &operation, int, int role) const
{
    switch (role) {
    case StatusOf:
        return int(operation.status);
    case Fraction:
        return fraction(operation);
    case OtherOperation: {
        const QString &id =
            operation.conflictsWith.isEmpty() ? operation.canceledBy : operation.conflictsWith;
        const Operation *other = id.isEmpty() ? nullptr : m_controller.operations().find(id);
        return other ? other->serial : 0;
    }
    default:
        return {};
    }
}

QModelIndex OperationModel::indexOf(quint32 serial) const
{
    // The serials are in ascending order.
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

/// Removes the rows of operations that are no longer in the log (forgotten, or undone by time
/// travel) and appends rows for new ones.
void OperationModel::matchLog()
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
    const auto different = std::ranges::mismatch(m_serials, all(), {}, {}, &Operation::serial).in1;
    remove(int(different - m_serials.begin()), rows());
    append();
}

void OperationModel::applyUpdate(const Update &update)
{
    if (m_controller.operations().forgotten() != m_forgotten || all().size() < rows())
        matchLog();
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
    emitChanged(first, last);
}

void OperationModel::updateAll()
{
    matchLog();
    emitChanged(0, rows() - 1);
}

void OperationModel::showProgress()
{
    const auto &running = m_controller.world().running; // in the order of serials, like the rows
    if (running.empty())
        return;
    const int first = indexOf(running.front()->serial).row();
    const int last = indexOf(running.back()->serial).row(); // -1: the next frame adds its row
    if (first >= 0)
        emit dataChanged(index(first, Progress), index(last < 0 ? rows() - 1 : last, Progress));
}

} // namespace instar
