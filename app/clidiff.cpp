// SPDX-License-Identifier: Apache-2.0
#include "app/cli.h"
#include "app/climachine.h"
#include "model/charts/machinefile.h"
#include "model/engine/divergence.h"
#include "model/formats/difference.h"
#include "model/formats/reading.h"
#include "model/formats/scenario.h"
#include "model/machine/nearest.h"
#include "model/machine/settings.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// One of the two packs.
struct Side
{
    QString name;      ///< as it was asked for
    Pack pack;         ///< as it is compared
    Switches switches; ///< that were asked for
    Pack whole;        ///< with the rows that do not exist under the switches
};

/// "NAME=VALUE" of switches that the pack has.
Result<Switches> switchesIn(const Pack &pack, const std::vector<std::string> &texts)
{
    Switches switches;
    QStringList names;
    for (const Switch &each : pack.switches)
        names += each.id;
    for (const std::string &text : texts) {
        const QString given = QString::fromStdString(text);
        const QString name = given.section(u'=', 0, 0), value = given.section(u'=', 1);
        if (!given.contains(u'='))
            return Error { u"expected NAME=VALUE, found \"%1\""_s.arg(given) };
        const Switch *known = pack.findSwitch(name);
        if (!known)
            return Error { noSuch(u"switch"_s, name, names) };
        if (!known->values.contains(value))
            return Error { noSuch(u"value of switch %1"_s.arg(name), value, known->values) };
        switches.insert(name, value);
    }
    return switches;
}

Result<Side> sideOf(const std::string &input, const std::vector<std::string> &switches)
{
    Side side { QFile::decodeName(QByteArray::fromStdString(input)), {}, {}, {} };
    const Result<MachineFile> file = loadMachines(side.name);
    if (!file)
        return Error { file.error() };
    Result<PackMade> made = packIn(*file);
    if (!made)
        return Error { made.error() };
    side.pack = side.whole = std::move(made->pack);
    const Result<Switches> chosen = switchesIn(side.pack, switches);
    if (!chosen)
        return Error { u"%1: %2"_s.arg(side.name, chosen.error()) };
    side.switches = *chosen;
    showRemarks(side.name, file->remarks + made->remarks);
    return side;
}

QList<ResourceSpec> resourcesOf(const Pack &a, const Pack &b)
{
    QList<ResourceSpec> all = a.sample;
    for (const ResourceSpec &spec : b.sample) {
        if (std::ranges::find(a.sample, spec.path, &ResourceSpec::path) == a.sample.end())
            all += spec;
    }
    return all;
}

/// What the packs do differently; the error: why one of them cannot do anything.
Result<Divergence> behaviour(const Side &a, const Side &b, const Likeness &likeness, qint64 worlds)
{
    Switches switches;
    for (auto it = a.switches.cbegin(); it != a.switches.cend(); ++it) {
        const auto called = std::ranges::find_if(likeness.renamings, [&](const Renaming &each) {
            return each.what == Name::Switch && each.from == it.key();
        });
        switches.insert(called == likeness.renamings.end() ? it.key() : called->to, it.value());
    }
    const Result<Rules> one = Rules::make(renamed(a.whole, likeness.renamings), switches);
    const Result<Rules> other = Rules::make(b.whole, b.switches);
    if (!one || !other)
        return Error { one ? other.error() : one.error() };
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
    Divergence found = divergence(*one, *other, resourcesOf(likeness.pack, b.pack), budget);
    showProgress({});
    if (found.scenario) {
        found.scenario = inNamesOf(a.whole, likeness.renamings, *std::move(found.scenario));
        found.scenario->pack = a.name;
        found.scenario->switches = a.switches;
    }
    return found;
}

QJsonObject searchedJson(const Result<Divergence> &found)
{
    if (!found)
        return { { u"worlds"_s, 0 }, { u"depth"_s, 0 }, { u"complete"_s, false },
            { u"problem"_s, found.error() } };
    return { { u"worlds"_s, found->worlds }, { u"depth"_s, found->depth },
        { u"complete"_s, found->complete } };
}

QByteArray printedJson(const QList<Difference> &changes, const Result<Divergence> &found)
{
    QJsonArray rows;
    for (const Difference &change : changes)
        rows.append(differenceJson(change));
    QJsonObject all { { u"same"_s, changes.isEmpty() }, { u"changes"_s, rows },
        { u"scenario"_s, QJsonValue() } };
    if (found && found->scenario) {
        all.insert(
            u"scenario"_s, QJsonDocument::fromJson(writeScenario(*found->scenario)).object());
        all.insert(u"facts"_s, QJsonArray::fromStringList(found->facts));
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

QString behaviourText(const Result<Divergence> &found)
{
    if (!found)
        return u"what they do was not compared: %1\n"_s.arg(found.error());
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
    for (const QString &fact : found->facts)
        text += u"  then %1\n"_s.arg(fact);
    return text;
}

QByteArray printedText(const QList<Difference> &changes, const Result<Divergence> &found)
{
    QString text;
    for (const Difference &change : changes)
        text += oneLine(differenceText(change)) + u'\n';
    return changes.isEmpty() ? QByteArray() : (text + u'\n' + behaviourText(found)).toUtf8();
}

} // namespace

Exit diffPacks(const Arguments &arguments)
{
    Result<Side> a = sideOf(arguments.input, arguments.switchesA);
    Result<Side> b = a ? sideOf(arguments.second, arguments.switchesB) : Error { a.error() };
    if (!b)
        return complain(b.error());
    if (!arguments.switchesA.empty() || !arguments.switchesB.empty()) {
        a->pack = settled(std::move(a->pack), a->switches);
        b->pack = settled(std::move(b->pack), b->switches);
    }
    const Likeness alike = likeness(a->pack, b->pack);
    const QList<Difference> changes = difference(a->pack, b->pack, alike);
    Result<Divergence> found = Divergence();
    if (!changes.isEmpty() && arguments.maxPairs > 0)
        found = behaviour(*a, *b, alike, arguments.maxPairs);
    const Exit exit = changes.isEmpty() ? Exit::Fine : Exit::Failed;
    return print(
        arguments.format == "json" ? printedJson(changes, found) : printedText(changes, found),
        exit);
}

} // namespace instar
