// SPDX-License-Identifier: Apache-2.0
#include "app/cli/scenario.h"

#include "model/charts/scenariopack.h"
#include "model/formats/library.h"
#include "model/formats/reading.h"
#include "model/formats/scenario.h"
#include "model/machine/nearest.h"

#include <QFile>

using namespace Qt::StringLiterals;

namespace instar {

Result<Staged> stagedScenario(const QString &file)
{
    if (builtInPacks().contains(file) && !QFile::exists(file))
        return Error {
            u"%1: expected a scenario's file, found the id of a pack; write a scenario with \"pack\": \"%1\""_s
                .arg(file)
        };
    if (isLesson(file)) {
        Result<StagedLesson> lesson = stagedLesson(file);
        if (!lesson)
            return Error { lesson.error() };
        return Staged { scenarioOf(lesson->lesson), std::move(lesson->stage), lesson->pack.losses,
            lesson->pack.errors };
    }
    const Result<JsonText> document = loadDocument(file);
    if (!document)
        return Error { document.error() };
    Result<ScenarioPack> source = scenarioPack(*document);
    if (!source)
        return Error { source.error() };
    const Pack &pack = source->pack;
    Result<Scenario> scenario = readScenario(*document, pack);
    if (!scenario)
        return Error { scenario.error() };
    Result<Stage> stage = stageOf(*scenario, pack);
    if (!stage)
        return Error { stage.error() };
    return Staged { *std::move(scenario), *std::move(stage), source->losses, source->errors };
}

Exit warned(const Staged &staged, Exit exit)
{
    QString lines;
    for (const QStringList &said : { staged.packLosses, staged.packErrors }) {
        for (const QString &line : said)
            lines += oneLine(line) + u'\n';
    }
    warn(lines);
    return staged.packErrors.isEmpty() || exit != Exit::Fine ? exit : Exit::Failed;
}

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

} // namespace instar
