// SPDX-License-Identifier: Apache-2.0
#include "app/cli.h"
#include "app/climachine.h"
#include "app/cliscenario.h"
#include "model/charts/machinefile.h"
#include "model/formats/comparison.h"
#include "model/formats/reading.h"
#include "model/formats/scenario.h"

#include <QElapsedTimer>
#include <QFile>
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

/// What the packs do differently, with the progress shown.
Result<PackDivergence> behaviour(
    const ComparedPack &a, const ComparedPack &b, const QList<Renaming> &renamings, qint64 worlds)
{
    DivergenceBudget budget { .worlds = worlds };
    QElapsedTimer clock;
    clock.start();
    qint64 shown = 0;
    budget.goesOn = [&](qint64 met) {
        if (clock.elapsed() - shown >= 200) {
            shown = clock.elapsed();
            showProgress(u"%1 worlds, %2 s"_s.arg(met).arg(shown / 1000));
        }
        return true;
    };
    Result<PackDivergence> found = divergence(a, b, renamings, budget);
    showProgress({});
    return found;
}

QJsonObject searchedJson(const Result<PackDivergence> &found)
{
    if (!found)
        return { { u"worlds"_s, 0 }, { u"depth"_s, 0 }, { u"complete"_s, false },
            { u"problem"_s, found.error() } };
    return { { u"worlds"_s, found->worlds }, { u"depth"_s, found->depth },
        { u"complete"_s, found->complete } };
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

QString stepText(const ScenarioStep &step)
{
    if (step.kind == ScenarioStep::Kind::End)
        return u"%1 ends: %2"_s.arg(step.operation, step.outcome);
    QString text = u"%1 %2 (%3)"_s.arg(step.request.op, step.request.path, step.request.id);
    for (auto it = step.request.conditions.cbegin(); it != step.request.conditions.cend(); ++it)
        text += u", \"%1\" holds"_s.arg(it.key());
    return text;
}

QString behaviourText(const Result<PackDivergence> &found)
{
    if (!found)
        return u"what they do was not compared: %1\n"_s.arg(found.error());
    if (found->isCertain)
        return u"the behaviour is the same: the rules are equal but for names and what is for people\n"_s;
    if (found->worlds == 0)
        return u"no scenario was looked for\n"_s;
    if (!found->scenario) {
        const QString where = found->complete
            ? u"everything that can be reached with a few resources of each type"_s
            : u"every way of %1 moves"_s.arg(found->depth);
        return u"no scenario shows a difference: %1, %2 worlds\n"_s.arg(where).arg(found->worlds);
    }
    QString text = u"a shortest scenario that shows it:\n"_s;
    for (const ScenarioStep &step : found->scenario->steps) {
        if (step.kind != ScenarioStep::Kind::Expect)
            text += u"  %1 ms  %2\n"_s.arg(step.at).arg(stepText(step));
    }
    for (const Fact &fact : found->facts)
        text += u"  then %1\n"_s.arg(factText(fact));
    return text;
}

QByteArray printedText(const QList<Difference> &changes, const Result<PackDivergence> &found)
{
    QString text;
    for (const Difference &change : changes)
        text += oneLine(differenceText(change)) + u'\n';
    return changes.isEmpty() ? QByteArray() : (text + u'\n' + behaviourText(found)).toUtf8();
}

} // namespace

Exit diffPacks(const Arguments &arguments)
{
    const Result<ComparedPack> a = packGiven(arguments.input, arguments.switchesA);
    const Result<ComparedPack> b =
        a ? packGiven(arguments.second, arguments.switchesB) : Error { a.error() };
    if (!b)
        return complain(b.error());
    const PackComparison comparison = compared(*a, *b);
    const QList<Difference> &changes = comparison.differences;
    Result<PackDivergence> found = PackDivergence();
    if (!changes.isEmpty() && arguments.maxPairs > 0)
        found = behaviour(*a, *b, comparison.likeness.renamings, arguments.maxPairs);
    const Exit exit = changes.isEmpty() ? Exit::Fine : Exit::Failed;
    return print(
        arguments.format == "json" ? printedJson(changes, found) : printedText(changes, found),
        exit);
}

} // namespace instar
