// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "model/conformance/verdict.h"
#include "model/engine/scenario.h"
#include "model/explore/coverage.h"
#include "model/json/exchanges.h"

#include <QJsonObject>

#include <memory>

namespace instar {

// Printed results of a scenario, for all controllers.

/// Name of a limit in printed results, such as "time"; "events" for Limit::States, because the
/// states of a run are its events.
QString runLimitName(Limit limit);
/// Describes why and where a run has stopped.
QString stoppedRun(const Scenario &scenario, const Simulator &simulator, const Played &played);

/// The result as JSON document, with the members of `more`.
QByteArray playedJson(
    const Controller &controller, const Played &played, const QJsonObject &more = {});
/// The result as text; `file` names the scenario in messages.
QString playedText(const Controller &controller, const Played &played, const QString &file);
/// The result as JUnit XML, with a test case for each expectation up to `until` (ms) and a failed
/// test case for each operation whose end is unknown.
QString playedJunit(const Scenario &scenario, const Played &played,
    std::optional<qint64> until = {}, const QStringList &unknownEnds = {});

// Verdicts on histories.

Exit exitOf(const HistoryVerdict &verdict);

/// Optional results that are printed after a verdict.
struct VerdictExtras
{
    std::optional<ExplainingSwitches> readings;
    std::optional<Coverage> coverage;
};

/// Prints a verdict as "json", "junit", "text" or "html" (a page with a table of the history).
Exit printVerdict(const QString &format, const HistoryVerdict &verdict, const History &history,
    Exit exit, const VerdictExtras &extras = {});
/// Sentence that a tree, named by its root's path, is not judged: "/a/b is not judged, because ..."
QString notJudgedText(const QString &tree);

/// Opens the file of --history for writing; null if the name is empty. Throws if it cannot.
std::unique_ptr<ExchangeLog> exchangeLog(const QString &name);
/// Closes the file; throws if not everything could be written.
void finish(ExchangeLog *file);

} // namespace instar
