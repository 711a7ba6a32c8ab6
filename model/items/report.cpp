// SPDX-License-Identifier: Apache-2.0
#include "model/items/report.h"

#include "model/engine/step.h"
#include "model/items/sentences.h"

#include <map>
#include <tuple>

namespace instar {

namespace {

/// Returns the key under which changes are equal: everything but the time.
auto keyOf(const Change &change)
{
    return std::tuple(change.kind, change.operation, change.other, change.from, change.to,
        change.outcome, change.moved, change.path, change.code, change.rule);
}

QJsonObject recordJson(
    const Rules &rules, const OperationLog &operations, const Record &record, const Change &change)
{
    QJsonObject row { { u"time"_s, record.event.time }, { u"event"_s, eventName(rules, change) } };
    if (change.operation)
        row.insert(u"operation"_s, operations.idOf(change.operation));
    if (!change.path.isEmpty())
        row.insert(u"path"_s, change.path);
    if (change.from != Rules::None)
        row.insert(u"from"_s, stateName(rules, change.from));
    if (change.kind == Change::Kind::Reported && !change.code.isEmpty())
        row.insert(u"to"_s, change.code);
    else if (change.to != Rules::None)
        row.insert(u"to"_s, stateName(rules, change.to));
    row.insert(u"moved"_s, change.moved);
    if (change.other)
        row.insert(change.kind == Change::Kind::Rejected ? u"conflictsWith"_s : u"by"_s,
            operations.idOf(change.other));
    if (!change.rule.isEmpty())
        row.insert(u"rule"_s, change.rule);
    return row;
}

QJsonObject operationJson(const Operation &operation)
{
    QJsonObject row { { u"id"_s, operation.id }, { u"op"_s, operation.op },
        { u"path"_s, operation.path }, { u"client"_s, operation.client },
        { u"status"_s, statusName(operation.status) }, { u"submitted"_s, operation.submitted },
        { u"attempts"_s, operation.attempts } };
    if (operation.started)
        row.insert(u"started"_s, *operation.started);
    if (operation.ended)
        row.insert(u"ended"_s, *operation.ended);
    const auto add = [&](QStringView key, const QString &value) {
        if (!value.isEmpty())
            row.insert(key, value);
    };
    add(u"canceledBy", operation.canceledBy);
    add(u"rule", operation.rule);
    add(u"conflictsWith", operation.conflictsWith);
    add(u"requiredBy", operation.requiredBy);
    add(u"replayOf", operation.replayOf);
    if (operation.httpStatus)
        row.insert(u"httpStatus"_s, operation.httpStatus);
    if (!operation.errorCode.isEmpty())
        row.insert(u"error"_s,
            QJsonObject {
                { u"code"_s, operation.errorCode }, { u"message"_s, operation.errorMessage } });
    return row;
}

QJsonArray resourcesJson(const Rules &rules, const World &world)
{
    QJsonArray rows;
    for (const Resource resource : world.tree.resources()) {
        const Code code = world.tree.code(resource);
        if (!rules.isShown(code))
            continue;
        rows.append(QJsonObject { { u"path"_s, world.tree.path(resource) },
            { u"type"_s, world.tree.typePath(world.tree.type(resource)) },
            { u"state"_s, shownWord(rules, world, resource) },
            { u"etag"_s, etag(world, resource) } });
    }
    return rows;
}

} // namespace

QList<ReportedChange> reportedChanges(const QList<Record> &records)
{
    constexpr int MostListed = 20; // of equal changes
    struct Latest
    {
        qsizetype reported = 0; ///< index of the latest change in the report
        int count = 0;
    };
    std::map<decltype(keyOf({})), Latest> latest;
    QList<ReportedChange> reported;
    for (const Record &record : records) {
        for (const Change &change : record.changes) {
            Latest &before = latest[keyOf(change)];
            if (before.count == MostListed) {
                ++reported[before.reported].repeated;
                reported[before.reported].until = record.event.time;
                continue;
            }
            before = { reported.size(), before.count + 1 };
            reported += ReportedChange { &record, &change };
        }
    }
    return reported;
}

QString eventName(const Rules &rules, const Change &change)
{
    static const QStringList names { u"sent"_s, u"queued"_s, u"started"_s, u"rejected"_s,
        u"replayed"_s, u"done"_s, {}, u"began"_s, {}, u"canceled"_s, u"settled"_s, u"violated"_s,
        u"seen"_s }; // in the order of Change::Kind
    const QString &name = names[qsizetype(change.kind)];
    return name.isEmpty() ? rules.triggerName(change.outcome) : name;
}

QJsonObject worldJson(const Rules &rules, const World &world, const OperationLog &operations,
    const QList<Record> &records)
{
    const auto operationRows = mapped<QJsonArray>(operations.all(), operationJson);
    QJsonArray recordRows, violations;
    for (const ReportedChange &reported : reportedChanges(records)) {
        const Change &change = *reported.change;
        QJsonObject row = recordJson(rules, operations, *reported.record, change);
        if (reported.repeated > 0) {
            row.insert(u"repeated"_s, reported.repeated);
            row.insert(u"until"_s, reported.until);
        }
        recordRows.append(row);
        if (change.kind == Change::Kind::Violated)
            violations.append(QJsonObject { { u"time"_s, reported.record->event.time },
                { u"path"_s, change.path }, { u"state"_s, stateName(rules, change.from) },
                { u"rule"_s, change.rule } });
    }
    return { { u"pack"_s, rules.pack().id }, { u"time"_s, world.now },
        { u"quiescent"_s, nextEvent(rules, world).kind == Event::Kind::Wait },
        { u"resources"_s, resourcesJson(rules, world) }, { u"operations"_s, operationRows },
        { u"records"_s, recordRows }, { u"violations"_s, violations } };
}

} // namespace instar
