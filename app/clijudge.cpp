// SPDX-License-Identifier: Apache-2.0
#include "app/cli.h"
#include "app/climachine.h"
#include "app/cliscenario.h"
#include "app/cliverdict.h"
#include "model/charts/machinefile.h"
#include "model/formats/exchanges.h"
#include "model/formats/har.h"
#include "model/formats/history.h"
#include "model/formats/library.h"
#include "model/formats/scenario.h"
#include "model/remote/chronicle.h"

#include <QDir>
#include <QElapsedTimer>
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

/// The exchanges of a file, each with the line where it stands: an archive's, or one a line.
Result<QList<HarEntry>> exchangesIn(const QByteArray &bytes, const QString &name)
{
    if (holdsHar(bytes))
        return readHar(bytes, name);
    const Result<QList<Exchange>> exchanges = readExchanges(bytes, name);
    if (!exchanges)
        return Error { exchanges.error() };
    const QList<QByteArray> lines = bytes.split('\n');
    QList<HarEntry> entries;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (!lines[i].trimmed().isEmpty())
            entries += HarEntry { exchanges->at(entries.size()), int(i + 1) };
    }
    return entries;
}

/// What a file of exchanges means.
Result<History> historyOfExchanges(const QByteArray &bytes, const QString &name, const Rules &rules)
{
    const Result<QList<HarEntry>> entries = exchangesIn(bytes, name);
    if (!entries)
        return Error { entries.error() };
    Chronicle chronicle(rules, name);
    for (const HarEntry &entry : *entries)
        chronicle.add(entry.exchange, entry.line);
    for (const QString &tree : chronicle.leftOut())
        complain(u"%1: %2"_s.arg(name, notJudgedText(tree)));
    return chronicle.history();
}

/// Says now and then how far the search is.
Budget budgetOf(const Arguments &arguments)
{
    Budget budget { .worlds = arguments.judgeBudget };
    const auto clock = std::make_shared<QElapsedTimer>();
    clock->start();
    budget.goesOn = [clock, shown = qint64(0)](qint64 worlds) mutable {
        if (clock->elapsed() - shown >= 200) {
            shown = clock->elapsed();
            showProgress(u"%1 situations, %2 s"_s.arg(worlds).arg(shown / 1000));
        }
        return true;
    };
    return budget;
}

/// Writes the scenario that exercises more than a history has, and says what.
Exit writeNext(const Arguments &arguments, const Coverage &coverage, const History &history,
    const Budget &budget)
{
    const Rules &rules = coverage.rules();
    const QList<ResourceSpec> &resources =
        history.resources.isEmpty() ? rules.pack().sample : history.resources;
    const NextExercise next =
        nextExercise(rules, coverage, resources, budget.worlds, budget.goesOn);
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
    const Result<QByteArray> bytes = fileBytes(arguments.inputName());
    if (!bytes)
        return complain(bytes.error());
    const Result<Pack> pack = packFor(arguments, *bytes);
    if (!pack)
        return complain(pack.error());
    const Result<Switches> chosen = switchesIn(*pack, arguments.switches);
    if (!chosen)
        return complain(chosen.error());
    const bool isOfExchanges = holdsExchanges(*bytes) || holdsHar(*bytes);
    const Result<History> plain = isOfExchanges ? Result<History>(History())
                                                : readHistory(*bytes, arguments.inputName(), *pack);
    if (!plain)
        return complain(plain.error());
    Switches switches = plain->switches;
    switches.insert(*chosen);
    const Result<Rules> rules = Rules::make(*pack, switches);
    if (!rules)
        return complain(rules.error());
    const Result<History> history =
        isOfExchanges ? historyOfExchanges(*bytes, arguments.inputName(), *rules) : plain;
    if (!history)
        return complain(history.error());
    const Budget budget = budgetOf(arguments);
    const Result<HistoryVerdict> verdict = verdictOn(*history, *rules, budget);
    if (!verdict)
        return complain(verdict.error());
    BesideVerdict beside;
    const bool isAsked = arguments.readings
        || (verdict->violation && arguments.format != "json" && !pack->switches.isEmpty());
    if (isAsked)
        beside.readings = readingsThatExplain(*history, *pack, budget);
    Coverage coverage(*rules);
    coverage.add(verdict->exercised);
    if (arguments.coverage)
        beside.coverage.emplace(coverage);
    showProgress({});
    Exit exit = exitOf(*verdict);
    if (!arguments.next.empty()) {
        const Exit written = writeNext(arguments, coverage, *history, budget);
        if (exit == Exit::Fine) // what the server did counts for more
            exit = written;
    }
    if (arguments.format == "json")
        return print(verdictDocument(*verdict, beside), exit);
    if (arguments.format == "junit")
        return print(verdictJunit(*verdict, *history), exit);
    if (arguments.format == "html")
        return print(verdictHtml(*verdict, *history, beside), exit);
    return print(verdictPlain(*verdict, *history, beside), exit);
}

} // namespace instar
