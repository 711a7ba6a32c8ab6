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
    const QList<Diagnostic> remarks = file->remarks + made->remarks;
    for (const Diagnostic &remark : remarks) {
        if (remark.isLoss())
            result.losses += described(path, remark);
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

/// Loads the pack of a scenario; an error does not say where the scenario names it.
Result<ScenarioPack> packOf(const JsonText &scenario)
{
    const Value root = scenario.root(), name = root.find("pack");
    if (!root.is(Value::Kind::Object))
        return Error { u"expected a scenario: an object, found "_s + root.kindName() };
    if (!name.is(Value::Kind::String) || name.string().isEmpty())
        return Error { u"expected the key \"pack\" with a pack's id or file, found "_s
            + (name.is(Value::Kind::String) ? u"an empty string"_s : name.kindName()) };
    return packNamed(name.string(), QFileInfo(scenario.name()).path());
}

} // namespace

Result<ScenarioPack> scenarioPack(const JsonText &scenario)
{
    Result<ScenarioPack> pack = packOf(scenario);
    if (pack)
        return pack;
    const Value root = scenario.root(), name = root.find("pack");
    return Error { u"%1:%2: %3"_s.arg(scenario.name())
                       .arg((name ? name : root).position().line)
                       .arg(pack.error()) };
}

Result<LessonFile> loadLesson(const QString &file)
{
    const Result<QByteArray> bytes = fileBytes(file, lessonBytes);
    if (!bytes)
        return Error { bytes.error() };
    const LessonText text = lessonText(*bytes, file);
    const Result<JsonText> document = JsonText::parse(text.scenario, file);
    if (!document)
        return Error { document.error() };
    const Result<ScenarioPack> pack = packOf(*document);
    if (pack)
        return LessonFile { lessonDraft(text, pack->pack), *pack };
    LessonDraft draft { text.lesson, text.diagnostics, {} };
    const Value name = document->root().find("pack");
    if (!name.string().isEmpty() || draft.diagnostics.isEmpty())
        draft.diagnostics.append({ Diagnostic::Severity::Error, {}, pack.error(), u"unknown-pack"_s,
            name.position().line });
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
