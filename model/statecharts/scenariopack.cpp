// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/scenariopack.h"

#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/pack/runnablepack.h"
#include "model/statecharts/chartrules.h"
#include "model/statecharts/machinefile.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Result<ScenarioPack> packOfCharts(const QString &path)
{
    const Result<MachineFile> file = loadMachines(path);
    if (!file)
        return Error { file.error() };
    const Result<PackMade> made = draftIn(*file);
    if (!made)
        return Error { made.error() };
    ScenarioPack result { .pack =
                              hasStatecharts(made->pack) ? runnableDraft(made->pack) : made->pack };
    for (const QList<Diagnostic> &remarks : { file->remarks, made->remarks }) {
        for (const Diagnostic &remark : remarks) {
            if (remark.isLoss())
                result.losses += described(path, remark);
        }
    }
    return result;
}

Result<ScenarioPack> packNamed(const QString &idOrFile, const QString &folder)
{
    const bool isBuiltIn = builtInPacks().contains(idOrFile);
    const QString path = QDir(folder).filePath(idOrFile);
    const QString format = isBuiltIn ? QString() : machineFormat(path);
    if (statechartFormat(format) && QFileInfo(path).isFile())
        return packOfCharts(path);
    const Result<JsonText> document = loadPackDocument(idOrFile, folder);
    if (!document)
        return Error { document.error() };
    const Value root = document->root();
    const bool isMachine = format == u"machine" || (root.find("states") && !root.find("machines"));
    Result<Pack> pack = isMachine ? machinePack(*document) : readPack(*document);
    if (!pack)
        return Error { pack.error() };
    ScenarioPack result { .pack = *std::move(pack) };
    if (!isBuiltIn) // tests check the built-in packs
        result.errors = errorLines(document->name(),
            isMachine ? machineDiagnostics(*document, result.pack.machines.first())
                      : packDiagnostics(*document, result.pack));
    return result;
}

} // namespace

Result<ScenarioPack> scenarioPack(const JsonText &scenario)
{
    const Value name = scenario.root().find("pack");
    const QString place =
        u"%1:%2: "_s.arg(scenario.name()).arg((name ? name : scenario.root()).position().line);
    if (!scenario.root().is(Value::Kind::Object))
        return Error { place + u"expected a scenario: an object, found "_s
            + scenario.root().kindName() };
    if (!name.is(Value::Kind::String) || name.string().isEmpty())
        return Error { place + u"expected the key \"pack\" with a pack's id or file, found "_s
            + (name.is(Value::Kind::String) ? u"an empty string"_s : name.kindName()) };
    Result<ScenarioPack> pack = packNamed(name.string(), QFileInfo(scenario.name()).path());
    if (!pack)
        return Error { place + pack.error() };
    return pack;
}

namespace {

/// Returns a message without "file:line: ".
QString withoutPlace(const QString &message, const QString &file)
{
    const QString place = file + u':';
    return message.startsWith(place) ? message.mid(message.indexOf(u": "_s, place.size()) + 2)
                                     : message;
}

} // namespace

Result<LessonFile> loadLesson(const QString &file)
{
    const Result<QByteArray> bytes = fileBytes(file, lessonBytes);
    if (!bytes)
        return Error { bytes.error() };
    const LessonText text = lessonText(*bytes, file);
    const Result<JsonText> document = JsonText::parse(text.scenario, file);
    if (!document)
        return Error { document.error() };
    const Result<ScenarioPack> pack = scenarioPack(*document);
    if (pack)
        return LessonFile { lessonDraft(text, pack->pack), *pack };
    LessonDraft draft { text.lesson, text.diagnostics, {} };
    const Value name = document->root().find("pack");
    if (!name.string().isEmpty() || draft.diagnostics.isEmpty())
        draft.diagnostics.append({ Diagnostic::Severity::Error, {},
            withoutPlace(pack.error(), file), u"unknown-pack"_s, name.position().line });
    std::ranges::stable_sort(draft.diagnostics, {}, &Diagnostic::line);
    draft.error = summary(file, draft.diagnostics);
    return LessonFile { std::move(draft), {} };
}

Result<StagedLesson> stagedLesson(const QString &file)
{
    Result<LessonFile> read = loadLesson(file);
    if (!read)
        return Error { read.error() };
    if (!read->draft.error.isEmpty())
        return Error { read->draft.error };
    Result<Stage> stage = runnableStage(read->draft.lesson.setup, read->pack.pack);
    if (!stage)
        return Error { stage.error() };
    return StagedLesson { std::move(read->draft.lesson), *std::move(stage), std::move(read->pack) };
}

} // namespace instar
