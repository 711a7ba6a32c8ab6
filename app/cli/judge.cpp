// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "app/cli/results.h"
#include "model/json/filebytes.h"
#include "model/json/historytext.h"
#include "model/remote/historyrecorder.h"

#include <QDir>
#include <QFileInfo>

namespace instar {

namespace {

struct JudgeOptions
{
    QString history, pack, format = u"text"_s;
    QStringList switches;
    qint64 budget = VerdictStates;
    bool readings = false, coverage = false;
};

/// Returns the pack of --pack, else the one that the history names, relative to its folder.
Pack packFor(const JudgeOptions &given, const QByteArray &ndjson)
{
    QString name = given.pack;
    if (name.isEmpty()) {
        const bool isHistory = !holdsExchanges(ndjson);
        const QString named = isHistory ? valueOf(packOfHistory(ndjson, given.history)) : QString();
        if (named.isEmpty())
            throw CommandError { u"%1: %2; name one with --pack"_s.arg(given.history,
                isHistory ? u"the header names no pack"_s : u"exchanges do not name a pack"_s) };
        const QString beside = QFileInfo(given.history).dir().filePath(named);
        name = QFile::exists(beside) ? beside : named;
    }
    const PackMade made = packFrom(name);
    showDiagnostics(name, made.remarks);
    return made.pack;
}

Exit judgeHistory(const JudgeOptions &given)
{
    const Budget budget = budgetOf(given.budget, u"situations"_s);
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
    VerdictExtras extras;
    const bool wantsReadings = given.readings
        || (verdict.violation && given.format != u"json" && !pack.switches.isEmpty());
    if (wantsReadings)
        extras.readings = switchesThatExplain(history, pack, budget);
    if (given.coverage)
        extras.coverage.emplace(rules).add(verdict.exercised);
    showProgress({});
    const Exit exit = exitAfter(budget.interruption(), exitOf(verdict));
    return printVerdict(given.format, verdict, history, exit, extras);
}

} // namespace

Command judgeCommand()
{
    static JudgeOptions given;
    return { "judge", "Check a recorded history of a server against the rules of a pack",
        { { "HISTORY", &given.history,
              "A file with a history or HTTP exchanges (--history of drive and serve)" },
            { "--pack", &given.pack,
                "The id or file of the pack with the rules; the default is the pack that the "
                "history names",
                "ID" },
            { "--switch", &given.switches, "Set a switch of the pack's rules", "NAME=VALUE" },
            { "--readings", &given.readings,
                "Try every combination of switch values, and list the combinations that explain "
                "the history" },
            { "--coverage", &given.coverage,
                "Count the rules that the history exercises, and list the others" },
            judgeBudgetOption(&given.budget),
            formatOption(&given.format, { u"text"_s, u"json"_s, u"junit"_s, u"html"_s }) },
        [] { return judgeHistory(given); } };
}

} // namespace instar
