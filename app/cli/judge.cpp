// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "app/cli/results.h"
#include "model/json/har.h"
#include "model/json/historytext.h"
#include "model/json/scenariofile.h"
#include "model/remote/historyrecorder.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The pack that was asked for, else the one that the history names, seen from its folder.
Pack packFor(const Arguments &arguments, const QByteArray &ndjson)
{
    QString name = arguments.pack;
    if (name.isEmpty()) {
        if (holdsExchanges(ndjson) || holdsHar(ndjson))
            throw CommandError {
                u"%1: exchanges do not say which pack the server speaks; name it with --pack"_s.arg(
                    arguments.input)
            };
        const QString named = valueOf(packOfHistory(ndjson, arguments.input));
        if (named.isEmpty())
            throw CommandError { u"%1: the header names no pack; name one with --pack"_s.arg(
                arguments.input) };
        const QString beside = QFileInfo(arguments.input).dir().filePath(named);
        name = QFile::exists(beside) ? beside : named;
    }
    const PackMade made = packFrom(name);
    showRemarks(name, made.remarks);
    return made.pack;
}

/// Writes the scenario that exercises more than a history has, and says what.
void writeNext(
    const QString &file, const Coverage &coverage, const History &history, const Budget &budget)
{
    const Rules &rules = coverage.rules();
    const QList<ResourceSpec> &resources =
        history.resources.isEmpty() ? rules.pack().sample : history.resources;
    const NextExercise next = nextExercise(rules, coverage, resources, budget);
    showProgress({});
    if (!next.scenario)
        return complain(next.complete
                ? u"nothing is left that could be exercised with these resources; no scenario is written"_s
                : u"no scenario that exercises more was found among %1 situations; --budget N looks at more"_s
                      .arg(next.worlds));
    printTo(file, writeScenario(*next.scenario));
    for (const QString &what : coverage.news(next.gained))
        complain(u"%1 exercises %2"_s.arg(file, what));
}

Exit judgeHistory(const Arguments &arguments)
{
    const Budget budget = budgetOf(arguments, arguments.judgeBudget, u"situations"_s);
    const QByteArray bytes = valueOf(fileBytes(arguments.input));
    const Pack pack = packFor(arguments, bytes);
    const Switches chosen = switchesIn(pack, arguments.switches);
    const Recording recording = valueOf(readRecording(bytes, arguments.input, pack));
    Switches switches = recording.plain ? recording.plain->switches : Switches();
    switches.insert(chosen);
    const Rules rules = valueOf(Rules::make(pack, switches));
    const auto [history, leftOut] = historyOf(recording, rules);
    for (const QString &tree : leftOut)
        complain(u"%1: %2"_s.arg(arguments.input, notJudgedText(tree)));
    const HistoryVerdict verdict = valueOf(verdictOn(history, rules, budget));
    for (const QString &tree : verdict.notJudged)
        complain(u"%1: %2"_s.arg(arguments.input, notJudgedText(tree)));
    BesideVerdict beside;
    const bool isAsked = arguments.readings
        || (verdict.violation && !arguments.isJson() && !pack.switches.isEmpty());
    if (isAsked)
        beside.readings = readingsThatExplain(history, pack, budget);
    Coverage coverage(rules);
    coverage.add(verdict.exercised);
    if (arguments.coverage)
        beside.coverage.emplace(coverage);
    showProgress({});
    Exit exit = exitAfter(budget.interruption(), exitOf(verdict));
    if (!arguments.next.isEmpty()) {
        try {
            writeNext(arguments.next, coverage, history, budget);
        } catch (const CommandError &error) { // what the server did counts for more
            complain(error.text);
            exit = exit == Exit::Fine ? error.exit : exit;
        }
    }
    return printVerdict(arguments.format, verdict, history, exit, beside);
}

} // namespace

Command judgeCommand()
{
    return { "judge",
        "Say whether a server kept to the rules, as far as a recorded history shows it",
        { { "HISTORY", &Arguments::input, "A history's file, or one of exchanges" },
            { "--pack", &Arguments::pack,
                "The id or file of the pack whose rules count; else as the history says", "ID" },
            switchOption(
                "--switch", &Arguments::switches, "The rules under this value of a switch"),
            { "--readings", &Arguments::readings,
                "Try every combination of switches, and name those that explain everything" },
            { "--coverage", &Arguments::coverage,
                "Count which rules the history has exercised, and name those that it has not" },
            { "--next", &Arguments::next,
                "Write the shortest scenario that exercises something more to this file", "FILE" },
            judgeBudgetOption(), maxTimeOption(),
            formatOption({ u"text"_s, u"json"_s, u"junit"_s, u"html"_s }) },
        judgeHistory };
}

} // namespace instar
