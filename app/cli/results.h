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

/// Name of a limit in printed results, such as "memory". Limit::States is called "events", because
/// a run has one state for each event.
QString runLimitName(Limit limit);
/// Returns one line that says which limit stopped a run, and at which event and time.
QString stoppedRun(const Scenario &scenario, const Simulator &simulator, const Played &played);

/// Returns the result as a JSON document; `more` has additional members.
QByteArray playedJson(
    const Controller &controller, const Played &played, const QJsonObject &more = {});
/// Returns the result as text; `file` names the scenario in messages.
QString playedText(const Controller &controller, const Played &played, const QString &file);
/// Returns the result as JUnit XML, with a test case for each expectation up to `until` (ms) and a
/// failed test case for each operation whose end is unknown. Times are in seconds.
QString playedJunit(const Scenario &scenario, const Played &played,
    std::optional<qint64> until = {}, const QStringList &unknownEnds = {});

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
