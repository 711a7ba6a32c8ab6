// SPDX-License-Identifier: Apache-2.0
#include "app/cli/budget.h"
#include "app/cli/machine.h"
#include "app/cli/scenario.h"
#include "app/cli/verdict.h"
#include "model/charts/machinefile.h"
#include "model/formats/har.h"
#include "model/formats/history.h"
#include "model/formats/library.h"
#include "model/formats/scenario.h"
#include "model/remote/recording.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The pack that was asked for, else the one that the history names, seen from its folder.
Result<Pack> packFor(const Arguments &arguments, const QByteArray &ndjson)
{
    QString name = QFile::decodeName(QByteArray::fromStdString(arguments.pack));
    if (name.isEmpty()) {
        if (holdsExchanges(ndjson) || holdsHar(ndjson))
            return Error {
                u"%1: exchanges do not say which pack the server speaks; name it with --pack"_s.arg(
                    arguments.inputName())
            };
        const Result<QString> named = packOfHistory(ndjson, arguments.inputName());
        if (!named)
            return Error { named.error() };
        if (named->isEmpty())
            return Error { u"%1: the header names no pack; name one with --pack"_s.arg(
                arguments.inputName()) };
        const QString beside = QFileInfo(arguments.inputName()).dir().filePath(*named);
        name = QFile::exists(beside) ? beside : *named;
    }
    const Result<MachineFile> file = loadMachines(name);
    if (!file)
        return Error { file.error() };
    Result<PackMade> made = packIn(*file);
    if (!made)
        return Error { made.error() };
    showRemarks(name, file->remarks + made->remarks);
    return std::move(made->pack);
}

/// Writes the scenario that exercises more than a history has, and says what.
Exit writeNext(const Arguments &arguments, const Coverage &coverage, const History &history,
    const Budget &budget)
{
    const Rules &rules = coverage.rules();
    const QList<ResourceSpec> &resources =
        history.resources.isEmpty() ? rules.pack().sample : history.resources;
    const NextExercise next = nextExercise(rules, coverage, resources, budget);
    showProgress({});
    if (!next.scenario) {
        complain(next.complete
                ? u"nothing is left that could be exercised with these resources; no scenario is written"_s
                : u"no scenario that exercises more was found among %1 situations; --budget N looks at more"_s
                      .arg(next.worlds));
        return Exit::Fine;
    }
    const QString file = QFile::decodeName(QByteArray::fromStdString(arguments.next));
    const Exit written = printTo(file, writeScenario(*next.scenario));
    if (written == Exit::Fine) {
        for (const QString &what : coverage.news(next.gained))
            complain(u"%1 exercises %2"_s.arg(file, what));
    }
    return written;
}

} // namespace

Exit judgeHistory(const Arguments &arguments)
{
    const Budget budget = budgetOf(arguments, arguments.judgeBudget, u"situations"_s);
    const Result<QByteArray> bytes = fileBytes(arguments.inputName());
    if (!bytes)
        return complain(bytes.error());
    const Result<Pack> pack = packFor(arguments, *bytes);
    if (!pack)
        return complain(pack.error());
    const Result<Switches> chosen = switchesIn(*pack, arguments.switches);
    if (!chosen)
        return complain(chosen.error());
    const Result<Recording> recording = readRecording(*bytes, arguments.inputName(), *pack);
    if (!recording)
        return complain(recording.error());
    Switches switches = recording->plain ? recording->plain->switches : Switches();
    switches.insert(*chosen);
    const Result<Rules> rules = Rules::make(*pack, switches);
    if (!rules)
        return complain(rules.error());
    const auto [history, leftOut] = historyOf(*recording, *rules);
    for (const QString &tree : leftOut)
        complain(u"%1: %2"_s.arg(arguments.inputName(), notJudgedText(tree)));
    const Result<HistoryVerdict> verdict = verdictOn(history, *rules, budget);
    if (!verdict)
        return complain(verdict.error());
    for (const QString &tree : verdict->notJudged)
        complain(u"%1: %2"_s.arg(arguments.inputName(), notJudgedText(tree)));
    BesideVerdict beside;
    const bool isAsked = arguments.readings
        || (verdict->violation && arguments.format != "json" && !pack->switches.isEmpty());
    if (isAsked)
        beside.readings = readingsThatExplain(history, *pack, budget);
    Coverage coverage(*rules);
    coverage.add(verdict->exercised);
    if (arguments.coverage)
        beside.coverage.emplace(coverage);
    showProgress({});
    Exit exit = exitAfter(budget.interruption(), exitOf(*verdict));
    if (!arguments.next.empty()) {
        const Exit written = writeNext(arguments, coverage, history, budget);
        if (exit == Exit::Fine) // what the server did counts for more
            exit = written;
    }
    if (arguments.format == "json")
        return print(verdictDocument(*verdict, beside), exit);
    if (arguments.format == "junit")
        return print(verdictJunit(*verdict, history), exit);
    if (arguments.format == "html")
        return print(verdictHtml(*verdict, history, beside), exit);
    return print(verdictPlain(*verdict, history, beside), exit);
}

} // namespace instar
