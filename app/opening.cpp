// SPDX-License-Identifier: Apache-2.0
#include "app/opening.h"

#include "model/formats/library.h"
#include "model/formats/pack.h"
#include "model/formats/scenario.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(instar::Opened)
};

constexpr QStringView ScenarioSuffix = u".scenario.json";

Result<Opened> openedPack(const Document &document, const QString &source, const Switches &switches)
{
    const Result<Pack> pack = readPack(document);
    if (!pack)
        return Error { pack.error() };
    Result<Rules> rules = Rules::make(*pack, switches);
    if (!rules)
        return Error { u"%1: %2"_s.arg(document.name(), rules.error()) };
    Loaded loaded = makeWorld(*rules, pack->sample);
    if (!loaded.problem.isEmpty())
        return Error { Words::tr("%1: the sample tree: %2").arg(document.name(), loaded.problem) };
    return Opened { source, pack->title.isEmpty() ? pack->id : pack->title, *std::move(rules),
        std::move(loaded.world), {}, {} };
}

Result<Opened> openedScenario(const Document &document, const QString &source)
{
    const Result<Pack> pack = packOfScenario(document);
    if (!pack)
        return Error { pack.error() };
    Result<Scenario> scenario = readScenario(document, *pack);
    if (!scenario)
        return Error { scenario.error() };
    Result<Stage> stage = stageOf(*scenario, *pack);
    if (!stage)
        return Error { stage.error() };
    QString name = QFileInfo(source).fileName();
    if (name.endsWith(ScenarioSuffix))
        name.chop(ScenarioSuffix.size());
    return Opened { source, Words::tr("%1 — %2").arg(name, pack->title), std::move(stage->rules),
        std::move(stage->world), *std::move(scenario), {} };
}

} // namespace

Result<Opened> opened(const QString &source, const Switches &switches)
{
    const bool isBuiltIn = builtInPacks().contains(source);
    const Result<Document> document = isBuiltIn ? loadPackDocument(source) : loadDocument(source);
    if (!document)
        return Error { document.error() };
    // A scenario names its pack; a pack does not.
    if (document->root().find("pack"))
        return openedScenario(*document, source);
    return openedPack(*document, source, switches);
}

QStringList builtInScenarios(const QString &packId)
{
    const QDir folder(u":/instar/scenarios/"_s + packId);
    QStringList files;
    for (const QString &name :
        folder.entryList({ u"*"_s + ScenarioSuffix.toString() }, QDir::Files, QDir::Name))
        files += folder.filePath(name);
    return files;
}

} // namespace instar
