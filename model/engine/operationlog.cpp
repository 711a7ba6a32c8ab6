// SPDX-License-Identifier: Apache-2.0
#include "model/engine/operationlog.h"

#include <QStringBuilder>

namespace instar {

std::optional<Status> statusAfter(const Rules &rules, const Change &change)
{
    switch (change.kind) {
    case Change::Kind::Queued:
        return Status::Waiting;
    case Change::Kind::Started:
        return Status::InProgress;
    case Change::Kind::Observed:
        return Status::Succeeded;
    case Change::Kind::Rejected:
        return Status::Rejected;
    case Change::Kind::Closed:
        return statusNamed(rules.outcome(change.outcome).status).value_or(Status::Failed);
    case Change::Kind::Canceled:
        return Status::Canceled;
    default:
        return {};
    }
}

qsizetype OperationLog::indexOf(quint32 serial) const
{
    // Serials are contiguous as long as nothing was dropped.
    if (serial >= 1 && serial <= quint32(m_all.size()) && m_all[serial - 1].serial == serial)
        return serial - 1;
    const auto found = std::ranges::lower_bound(m_all, serial, {}, &Operation::serial);
    return found != m_all.end() && found->serial == serial ? found - m_all.begin() : -1;
}

const Operation *OperationLog::find(quint32 serial) const
{
    const qsizetype index = indexOf(serial);
    return index < 0 ? nullptr : &m_all[index];
}

Operation *OperationLog::change(quint32 serial)
{
    const qsizetype index = indexOf(serial);
    return index < 0 ? nullptr : &m_all.change(index);
}

QString OperationLog::idOf(quint32 serial) const
{
    const Operation *operation = find(serial);
    return operation ? operation->id : QString();
}

void OperationLog::rename(quint32 serial, const QString &op, const QString &path)
{
    if (Operation *operation = change(serial)) {
        operation->op = op;
        operation->path = path;
    }
}

QString OperationLog::nextId() const
{
    for (qsizetype n = m_forgotten + m_all.size() + 1;; ++n) {
        const QString id = u"op%1"_s.arg(n);
        if (!find(id))
            return id;
    }
}

void OperationLog::keep(qsizetype most)
{
    std::vector<qint64> ends;
    for (const Operation &operation : std::as_const(m_all)) {
        if (operation.isOver())
            ends.push_back(operation.ended.value_or(0));
    }
    const qsizetype surplus = std::min(m_all.size() - most, qsizetype(ends.size()));
    if (surplus <= 0)
        return;
    std::ranges::nth_element(ends, ends.begin() + surplus - 1);
    const qint64 last = ends[size_t(surplus) - 1];
    // Number of operations to drop that ended exactly at `last`; others of that time remain.
    qsizetype ofLast =
        surplus - std::ranges::count_if(ends, [last](qint64 end) { return end < last; });
    PersistentList<Operation> remaining;
    for (const Operation &operation : std::as_const(m_all)) {
        const qint64 end = operation.ended.value_or(0);
        if (!operation.isOver() || end > last || (end == last && ofLast-- <= 0)) {
            remaining.append(operation);
            continue;
        }
        ++m_forgotten;
        m_replays.remove(operation.serial);
        if (named(operation.id).value(operation.id) == operation.serial)
            named(operation.id).remove(operation.id);
    }
    m_all = std::move(remaining);
}

void OperationLog::updateReplays(quint32 serial)
{
    const auto replays = m_replays.constFind(serial);
    const Operation *found = find(serial);
    if (replays == m_replays.constEnd() || !found)
        return;
    const Operation original = *found;
    for (const quint32 other : *replays) {
        Operation *replay = change(other);
        if (!replay)
            continue;
        Operation copy = original;
        copy.serial = replay->serial;
        copy.id = replay->id;
        copy.op = replay->op;
        copy.path = replay->path;
        copy.client = replay->client;
        copy.submitted = replay->submitted;
        copy.replayOf = original.id;
        *replay = copy;
    }
}

void OperationLog::apply(const Rules &rules, const Record &record, const World &after)
{
    // Adds new operations first: a record lists them after the operations that they cancel.
    for (const Change &change : record.changes) {
        if (!change.request || find(change.operation)) // a Sent operation is known already
            continue;
        const Request &request = *change.request;
        m_all.append({ .serial = change.operation,
            .id = request.id,
            .op = request.op,
            .path = request.path,
            .client = request.client,
            .submitted = after.now });
        named(request.id).insert(request.id, change.operation);
    }
    for (const Change &change : record.changes) {
        Operation *slot = this->change(change.operation);
        if (!slot)
            continue;
        Operation &operation = *slot;
        operation.status = statusAfter(rules, change).value_or(operation.status);
        operation.requiredBy = change.requirer ? idOf(change.requirer) : operation.requiredBy;
        if (change.kind == Change::Kind::Rejected || change.kind == Change::Kind::Closed
            || change.kind == Change::Kind::Canceled) {
            operation.ended = after.now;
            operation.attempts = change.attempts;
            operation.errorCode = change.code;
            operation.errorMessage = change.message;
        }
        switch (change.kind) {
        case Change::Kind::Started:
            operation.started = after.now;
            break;
        case Change::Kind::Observed:
            operation.started = operation.ended = after.now;
            break;
        case Change::Kind::Rejected:
            operation.httpStatus = change.http;
            operation.rule = change.rule;
            operation.conflictsWith = idOf(change.other);
            break;
        case Change::Kind::Replayed:
            m_replays[change.other] += change.operation;
            updateReplays(change.other);
            continue;
        case Change::Kind::Closed:
            if (!operation.started) { // refused after waiting
                operation.httpStatus = change.http;
                operation.rule = change.rule;
            }
            break;
        case Change::Kind::Canceled:
            operation.canceledBy = idOf(change.other);
            if (record.event.kind == Event::Kind::Wait)
                break; // a server has sent its own message
            if (const Operation *by = find(change.other))
                operation.errorMessage = operation.errorMessage
                    % " Canceled and superseded by operation "_L1 % by->id % ", "_L1 % by->op
                    % " on "_L1 % by->path % u'.';
            else
                operation.errorMessage += u" Canceled by hand."_s;
            break;
        default:
            break;
        }
        if (const Running *running = after.find(change.operation))
            operation.attempts = running->attempts;
        updateReplays(change.operation);
    }
    if (!rules.hasUntil())
        return;
    for (const auto &running : after.running) {
        const Status status =
            running->phase == Running::Phase::Until ? Status::Waiting : Status::InProgress;
        const Operation *operation = find(running->serial);
        if (operation && operation->status != status)
            change(running->serial)->status = status;
        updateReplays(running->serial);
    }
}

} // namespace instar
