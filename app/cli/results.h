// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "model/conformance/verdict.h"
#include "model/engine/scenario.h"
#include "model/explore/coverage.h"
#include "model/json/exchanges.h"

#include <QHash>
#include <QJsonObject>

#include <memory>

namespace instar {

// What became of a scenario, whoever was the controller, as the console prints it.

/// Of the resources whose properties a run changed, the changed ones; null: it is gone.
using ChangedProperties = QHash<Resource, QJsonObject>;
ChangedProperties changedProperties(const World &before, const World &after);

/// As limitName(), but for a run, whose states are its events.
QString runLimitName(Limit limit);
/// Why a run is not complete, and how far it is.
QString stoppedRun(const Scenario &scenario, const Simulator &simulator, const Played &played);

/// One JSON document; `more` is put into it.
QByteArray playedJson(const Controller &controller, const Played &played,
    const QJsonObject &more = {}, const ChangedProperties &properties = {});
/// For a person; `file` is what messages call the scenario.
QString playedText(const Controller &controller, const Played &played, const QString &file,
    const ChangedProperties &properties = {});
/// One test case an expectation up to `until` (ms), and a failed one for each of `unknownEnds`.
QString playedJunit(const Scenario &scenario, const Played &played,
    std::optional<qint64> until = {}, const QStringList &unknownEnds = {});

// A verdict on a history.

/// How the program ends with it.
Exit exitOf(const HistoryVerdict &verdict);

/// What was asked for beside the verdict.
struct BesideVerdict
{
    std::optional<Readings> readings;
    std::optional<Coverage> coverage;
};

/// Prints it in a format: "json", "junit", "html" (one file with the verdict, and who asked and saw
/// what when), or for a person.
Exit printVerdict(const QString &format, const HistoryVerdict &verdict, const History &history,
    Exit exit, const BesideVerdict &beside = {});
/// Why a tree is left out of it, "/a/b is not judged: ...".
QString notJudgedText(const QString &tree);

/// The file of --history; null where none is named.
std::unique_ptr<HistoryFile> historyFile(const QString &name);
/// Ends the file; throws where not all could be written.
void finish(HistoryFile *file);

} // namespace instar
