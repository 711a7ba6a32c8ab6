// SPDX-License-Identifier: Apache-2.0
#include "app/cli/budget.h"
#include "app/cli/machine.h"
#include "app/cli/scenario.h"
#include "model/charts/machinefile.h"
#include "model/formats/comparison.h"
#include "model/formats/reading.h"
#include "model/formats/scenario.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Result<ComparedPack> packGiven(const std::string &input, const std::vector<std::string> &switches)
{
    ComparedPack pack { QFile::decodeName(QByteArray::fromStdString(input)), {}, {} };
    const Result<MachineFile> file = loadMachines(pack.name);
    if (!file)
        return Error { file.error() };
    Result<PackMade> made = packIn(*file);
    if (!made)
        return Error { made.error() };
    pack.pack = std::move(made->pack);
    const Result<Switches> chosen = switchesIn(pack.pack, switches);
    if (!chosen)
        return Error { u"%1: %2"_s.arg(pack.name, chosen.error()) };
    pack.switches = *chosen;
    showRemarks(pack.name, file->remarks + made->remarks);
    return pack;
}

QJsonObject searchedJson(const Result<PackDivergence> &found)
{
    if (!found)
        return { { u"worlds"_s, 0 }, { u"depth"_s, 0 }, { u"complete"_s, false },
            { u"problem"_s, found.error() } };
    QJsonObject searched { { u"worlds"_s, found->worlds }, { u"depth"_s, found->depth },
        { u"complete"_s, found->complete } };
    if (found->stoppedBy != Limit::None)
        searched.insert(u"stoppedBy"_s, limitName(found->stoppedBy));
    return searched;
}

QByteArray printedJson(const QList<Difference> &changes, const Result<PackDivergence> &found)
{
    QJsonArray rows;
    for (const Difference &change : changes)
        rows.append(differenceJson(change));
    QJsonObject all { { u"same"_s, changes.isEmpty() }, { u"changes"_s, rows },
        { u"scenario"_s, QJsonValue() } };
    if (found && found->scenario) {
        all.insert(
            u"scenario"_s, QJsonDocument::fromJson(writeScenario(*found->scenario)).object());
        QJsonArray facts;
        for (const Fact &fact : found->facts)
            facts.append(factText(fact));
        all.insert(u"facts"_s, facts);
    } else if (!changes.isEmpty()) {
        all.insert(u"searched"_s, searchedJson(found));
    }
    return QJsonDocument(all).toJson();
}

} // namespace

Exit diffPacks(const Arguments &arguments)
{
    const Budget budget = budgetOf(arguments, arguments.maxPairs, u"worlds"_s);
    const Result<ComparedPack> a = packGiven(arguments.input, arguments.switchesA);
    const Result<ComparedPack> b =
        a ? packGiven(arguments.second, arguments.switchesB) : Error { a.error() };
    if (!b)
        return complain(b.error());
    const PackComparison comparison = compared(*a, *b);
    const QList<Difference> &changes = comparison.differences;
    Result<PackDivergence> found = PackDivergence();
    if (!changes.isEmpty() && arguments.maxPairs > 0) {
        found = divergence(comparison, budget);
        showProgress({});
    }
    const Exit exit = exitAfter(
        found ? found->stoppedBy : Limit::None, changes.isEmpty() ? Exit::Fine : Exit::Failed);
    return print(arguments.format == "json" ? printedJson(changes, found)
                                            : comparisonText(changes, found).toUtf8(),
        exit);
}

} // namespace instar
