// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "model/explore/behaviouraldifference.h"
#include "model/json/comparison.h"
#include "model/json/scenariofile.h"
#include "model/statecharts/machinechart.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace instar {

namespace {

struct DiffOptions
{
    QString a, b, format = u"text"_s;
    QStringList switchesA, switchesB;
    qint64 maxPairs = 30'000;
};

ComparedPack packGiven(const QString &name, const QStringList &switches)
{
    const PackMade made = packFrom(name);
    const ComparedPack pack { name, made.pack, switchesIn(made.pack, switches, name + u": "_s) };
    showDiagnostics(name, made.remarks);
    return pack;
}

QJsonObject searchedJson(const Result<BehaviouralDifference> &found)
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

QByteArray printedJson(const QList<Difference> &changes, const Result<BehaviouralDifference> &found)
{
    const auto rows = mapped<QJsonArray>(changes, differenceJson);
    QJsonObject all { { u"same"_s, changes.isEmpty() }, { u"changes"_s, rows },
        { u"scenario"_s, QJsonValue() } };
    if (found && found->scenario) {
        all.insert(
            u"scenario"_s, QJsonDocument::fromJson(writeScenario(*found->scenario)).object());
        const auto facts = mapped<QJsonArray>(found->facts, factText);
        all.insert(u"facts"_s, facts);
    } else if (!changes.isEmpty()) {
        all.insert(u"searched"_s, searchedJson(found));
    }
    return QJsonDocument(all).toJson();
}

Exit diffPacks(const DiffOptions &given)
{
    const Budget budget = budgetOf(given.maxPairs, u"worlds"_s);
    const ComparedPack a = packGiven(given.a, given.switchesA);
    const ComparedPack b = packGiven(given.b, given.switchesB);
    PackComparison comparison = compared(a, b);
    removeAppearance(comparison.differences);
    const QList<Difference> &changes = comparison.differences;
    Result<BehaviouralDifference> found = BehaviouralDifference();
    if (!changes.isEmpty() && given.maxPairs > 0) {
        found = behaviouralDifference(comparison, budget);
        showProgress({});
    }
    const Exit exit = exitAfter(
        found ? found->stoppedBy : Limit::None, changes.isEmpty() ? Exit::Fine : Exit::Failed);
    if (given.format == u"json")
        return print(printedJson(changes, found), exit);
    return print(
        changes.isEmpty() ? QString() : differencesText(changes) + u'\n' + behaviourText(found),
        exit);
}

} // namespace

Command diffCommand()
{
    static DiffOptions given;
    return { "diff", "Compare two packs, and find a shortest scenario that behaves differently",
        { { "A", &given.a, "A file with machines or statecharts, or the id of a built-in pack" },
            { "B", &given.b, "The pack to compare A with; may be A itself, under other switches" },
            { "--switch-a", &given.switchesA,
                "Set a switch of A's rules. Then the packs are compared only under the switches "
                "set; switches not set have their defaults",
                "NAME=VALUE" },
            { "--switch-b", &given.switchesB, "Set a switch of B's rules", "NAME=VALUE" },
            { "--max-worlds", &given.maxPairs,
                "Stop the search for a scenario after this number of states; 0: no search", "N", 0,
                MostExact },
            formatOption(&given.format, { u"text"_s, u"json"_s }) },
        [] { return diffPacks(given); } };
}

} // namespace instar
