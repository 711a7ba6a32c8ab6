// SPDX-License-Identifier: Apache-2.0
#include "app/cliscenario.h"

#include "model/formats/library.h"
#include "model/formats/scenario.h"

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
    const Result<Document> document = loadDocument(file);
    if (!document)
        return Error { document.error() };
    const Result<Pack> pack = packOfScenario(*document);
    if (!pack)
        return Error { pack.error() };
    Result<Scenario> scenario = readScenario(*document, *pack);
    if (!scenario)
        return Error { scenario.error() };
    Result<Stage> stage = stageOf(*scenario, *pack);
    if (!stage)
        return Error { stage.error() };
    return Staged { *std::move(scenario), *std::move(stage) };
}

} // namespace instar
