// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "app/cli/results.h"
#include "model/json/filebytes.h"
#include "model/json/historytext.h"
#include "model/json/scenariofile.h"
#include "model/remote/historyrecorder.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct JudgeOptions
{
    QString history, pack, format = u"text"_s;
    QStringList switches;
    qint64 budget = VerdictStates;
    bool readings = false, coverage = false;
    QString next; ///< the file for a scenario that exercises more; empty: none is looked for
    std::optional<double> maxTime;
};

/// The pack that was asked for, else the one that the history names, seen from its folder.
Pack packFor(const JudgeOptions &given, const QByteArray &ndjson)
{
    QString name = given.pack;
    if (name.isEmpty()) {
        if (holdsExchanges(ndjson))
            throw CommandError {
                u"%1: exchanges do not say which pack the server speaks; name it with --pack"_s.arg(
                    given.history)
            };
        const QString named = valueOf(packOfHistory(ndjson, given.history));
        if (named.isEmpty())
            throw CommandError { u"%1: the header names no pack; name one with --pack"_s.arg(
                given.history) };
        const QString beside = QFileInfo(given.history).dir().filePath(named);
        name = QFile::exists(beside) ? beside : named;
    }
    const PackMade made = packFrom(name);
    showDiagnostics(name, made.remarks);
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

Exit judgeHistory(const JudgeOptions &given)
{
    const Budget budget = budgetOf(given.budget, u"situations"_s, given.maxTime);
    const QByteArray bytes = valueOf(fileBytes(given.history));
    const Pack pack = packFor(given, bytes);
    const Switches chosen = switchesIn(pack, given.switches);
    const Recording recording = valueOf(readRecording(bytes, given.history, pack));
    Switches switches = recording.plain ? recording.plain->switches : Switches();
    switches.insert(chosen);
    const Rules rules = valueOf(Rules::make(pack, switches));
    const auto [history, leftOut] = historyOf(recording, rules);
    for (const QString &tree : leftOut)
        complain(u"%1: %2"_s.arg(given.history, notJudgedText(tree)));
    const HistoryVerdict verdict = valueOf(verdictOn(history, rules, budget));
    for (const QString &tree : verdict.notJudged)
        complain(u"%1: %2"_s.arg(given.history, notJudgedText(tree)));
    BesideVerdict beside;
    const bool isAsked = given.readings
        || (verdict.violation && given.format != u"json" && !pack.switches.isEmpty());
    if (isAsked)
        beside.readings = readingsThatExplain(history, pack, budget);
    Coverage coverage(rules);
    coverage.add(verdict.exercised);
    if (given.coverage)
        beside.coverage.emplace(coverage);
    showProgress({});
    Exit exit = exitAfter(budget.interruption(), exitOf(verdict));
    if (!given.next.isEmpty()) {
        try {
            writeNext(given.next, coverage, history, budget);
        } catch (const CommandError &error) { // what the server did counts for more
            complain(error.text);
            exit = exit == Exit::Fine ? error.exit : exit;
        }
    }
    return printVerdict(given.format, verdict, history, exit, beside);
}

} // namespace

Command judgeCommand()
{
    static JudgeOptions given;
    return { "judge",
        "Say whether a server kept to the rules, as far as a recorded history shows it",
        { { "HISTORY", &given.history, "A history's file, or one of exchanges" },
            { "--pack", &given.pack,
                "The id or file of the pack whose rules count; else as the history says", "ID" },
            switchOption("--switch", &given.switches, "The rules under this value of a switch"),
            { "--readings", &given.readings,
                "Try every combination of switches, and name those that explain everything" },
            { "--coverage", &given.coverage,
                "Count which rules the history has exercised, and name those that it has not" },
            { "--next", &given.next,
                "Write the shortest scenario that exercises something more to this file", "FILE" },
            judgeBudgetOption(&given.budget), maxTimeOption(&given.maxTime),
            formatOption(&given.format, { u"text"_s, u"json"_s, u"junit"_s, u"html"_s }) },
        [] { return judgeHistory(given); } };
}

} // namespace instar
