// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"

#include <QHash>
#include <QJsonObject>

namespace instar {

// What became of a scenario, whoever was the controller.

/// Of the resources whose properties a run changed, the changed ones; null: it is gone.
using ChangedProperties = QHash<Resource, QJsonObject>;
ChangedProperties changedProperties(const World &before, const World &after);

/// Text as XML and HTML may hold it, in attributes too; what they cannot hold is left out, line
/// feeds as asked for.
enum class Lines { Joined, Kept };
QString xmlText(const QString &text, Lines lines = Lines::Joined);

/// As limitName(), but for a run, whose states are its events.
QString runLimitName(Limit limit);
/// Why a run is not complete, and how far it is.
QString stoppedRun(const Scenario &scenario, const Simulator &simulator, const Played &played);

/// One JSON document; `more` is put into it.
QByteArray playedJson(const Controller &controller, const Played &played,
    const QJsonObject &more = {}, const ChangedProperties &properties = {});
/// For a person; `file` is what messages call the scenario.
QByteArray playedText(const Controller &controller, const Played &played, const QString &file,
    const ChangedProperties &properties = {});
/// One test case an expectation up to `until` (ms), and a failed one for each of `unknownEnds`.
QByteArray playedJunit(const Scenario &scenario, const Played &played,
    std::optional<qint64> until = {}, const QStringList &unknownEnds = {});

} // namespace instar
