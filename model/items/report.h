// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"

#include <QJsonArray>

namespace instar {

/// Returns a change's name: "started", "rejected", "canceled", or the outcome of a work step.
QString eventName(const Rules &rules, const Change &change);

/// Reported change, and the number of later changes that differ only in time.
struct ReportedChange
{
    const Record *record = nullptr;
    const Change *change = nullptr;
    qint64 repeated = 0;
    qint64 until = 0; ///< time of the last repetition, virtual ms
};
/// Returns the changes to report, oldest first. Of equal changes, such as failing attempts, the
/// first twenty are listed and the rest counted. Points into the records.
QList<ReportedChange> reportedChanges(const QList<Record> &records);

/// Returns the output of `run --format json` without the expectations.
QJsonObject worldJson(const Rules &rules, const World &world, const OperationLog &operations,
    const QList<Record> &records);

} // namespace instar
