// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"

#include <QJsonArray>

namespace instar {

// What happened and what is, for the console and the JSON of `run`.

/// One word for what happened: "started", "rejected", "canceled", or the outcome of a piece of
/// work.
QString eventName(const Rules &rules, const Change &change);

/// The row of `run --format json`: time, event, operation, path, from, to, moved.
QJsonObject recordJson(
    const Rules &rules, const OperationLog &operations, const Record &record, const Change &change);
QJsonObject operationJson(const Operation &operation);
QJsonArray resourcesJson(const Rules &rules, const World &world);
/// A change that is told, and how many more came that differ from it in their time only.
struct ToldChange
{
    const Record *record = nullptr;
    const Change *change = nullptr;
    qint64 repeated = 0;
    qint64 until = 0; ///< the last one's time, virtual ms
};
/// The changes of records, oldest first. What happens to one operation or resource again and again,
/// such as attempts that fail, is told twenty times and then counted. Points into the records.
QList<ToldChange> toldChanges(const QList<Record> &records);

/// The whole answer of `run --format json` but for the expectations.
QJsonObject worldJson(const Rules &rules, const World &world, const OperationLog &operations,
    const QList<Record> &records);

} // namespace instar
