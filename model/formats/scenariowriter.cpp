// SPDX-License-Identifier: Apache-2.0
#include "model/formats/library.h"
#include "model/formats/rows.h"
#include "model/formats/scenario.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Output jsonOutput(const QJsonObject &object)
{
    return Output::raw(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

Output pieceOutput(const Piece &piece)
{
    Output object = Output::object();
    addTexts(&object, "outcome", piece.anyOutcome ? QStringList { u"any"_s } : piece.outcomes);
    if (piece.duration)
        object.add(u"duration", Output::integer(*piece.duration));
    if (piece.hang)
        object.add(u"hang", Output::boolean(*piece.hang));
    if (piece.properties.size() == 1) {
        object.add(u"properties", jsonOutput(piece.properties.first()));
    } else if (!piece.properties.isEmpty()) {
        Output list = Output::array();
        for (const QJsonObject &says : piece.properties)
            list.add(jsonOutput(says));
        object.add(u"properties", std::move(list));
    }
    return object;
}

Output enclosedOutput(const Enclosed &enclosed)
{
    Output object = Output::object();
    if (!enclosed.properties.isEmpty())
        object.add(u"properties", jsonOutput(enclosed.properties));
    addTexts(&object, "references", enclosed.references);
    if (!enclosed.body.isEmpty())
        object.add(u"body", Output::raw(enclosed.body));
    return object;
}

void addRequest(Output *object, const ScenarioStep &step)
{
    const Request &request = step.request;
    addTexts(object, "op", step.ops);
    addTexts(object, "path", step.paths);
    addText(object, "id", request.id);
    addText(object, "client", request.client);
    if (request.duration)
        object->add(u"duration", Output::integer(*request.duration));
    addText(object, "outcome", step.anyOutcome ? u"any"_s : request.outcome);
    addWhole(object, "transientFailures", request.transientFailures);
    addFlag(object, "hang", request.hang);
    Output work = Output::object();
    for (auto it = request.work.cbegin(); it != request.work.cend(); ++it)
        work.add(it.key(), pieceOutput(*it));
    if (!work.isEmpty())
        object->add(u"work", std::move(work));
    Output requests = Output::object();
    for (auto it = request.requests.cbegin(); it != request.requests.cend(); ++it)
        requests.add(it.key(), enclosedOutput(*it));
    if (!requests.isEmpty())
        object->add(u"requests", std::move(requests));
    if (!request.properties.isEmpty())
        object->add(u"properties", jsonOutput(request.properties));
    Output conditions = Output::object();
    for (auto it = request.conditions.cbegin(); it != request.conditions.cend(); ++it)
        conditions.add(it.key(), Output::boolean(*it));
    if (!conditions.isEmpty())
        object->add(u"conditions", std::move(conditions));
    addText(object, "ifMatch", request.ifMatch);
    addText(object, "ifNoneMatch", request.ifNoneMatch);
    addText(object, "requestId", request.requestId);
    // Only JSON can stand in a scenario.
    if (!request.body.isEmpty() && JsonText::parse(request.body, u"body"_s))
        object->add(u"body", Output::raw(request.body));
    addTexts(object, "references", request.references);
}

Output expectationOutput(const Expectation &expectation)
{
    Output object = Output::object();
    const auto add = [&](QStringView key, const QMap<QString, QString> &facts) {
        Output members = Output::object();
        for (auto it = facts.cbegin(); it != facts.cend(); ++it)
            members.add(it.key(), it->isEmpty() ? Output::raw("null") : Output::string(*it));
        if (!members.isEmpty())
            object.add(key, std::move(members));
    };
    add(u"resources", expectation.resources);
    Output properties = Output::object();
    for (auto it = expectation.properties.cbegin(); it != expectation.properties.cend(); ++it)
        properties.add(it.key(), jsonOutput(*it));
    if (!properties.isEmpty())
        object.add(u"properties", std::move(properties));
    add(u"operations", expectation.operations);
    add(u"errors", expectation.errors);
    addTexts(&object, "etagsChanged", expectation.etagsChanged);
    addTexts(&object, "etagsUnchanged", expectation.etagsUnchanged);
    if (expectation.violations)
        object.add(u"violations", Output::integer(*expectation.violations));
    return object;
}

Output stepOutput(const ScenarioStep &step)
{
    Output object = Output::object();
    object.add(u"at", Output::integer(step.at));
    switch (step.kind) {
    case ScenarioStep::Kind::Submit:
        addRequest(&object, step);
        break;
    case ScenarioStep::Kind::End:
        object.add(u"end", Output::string(step.operation));
        addText(&object, "outcome", step.outcome);
        break;
    case ScenarioStep::Kind::Expect:
        object.add(u"expect", expectationOutput(step.expectation));
        break;
    }
    return object;
}

} // namespace

QString packSeenFrom(const QString &file, const QString &idOrFile)
{
    if (builtInPacks().contains(idOrFile))
        return idOrFile;
    // Where a folder is a link, ".." leads from where it points to.
    const auto real = [](const QFileInfo &info) {
        const QString folder = info.absoluteDir().canonicalPath();
        return folder.isEmpty() ? info.absoluteFilePath() : folder + u'/' + info.fileName();
    };
    const QString way =
        QFileInfo(real(QFileInfo(file))).dir().relativeFilePath(real(QFileInfo(idOrFile)));
    return builtInPacks().contains(way) ? u"./"_s + way : way;
}

QByteArray writeScenario(const Scenario &scenario)
{
    Output object = Output::object();
    object.add(u"pack", Output::string(scenario.pack));
    if (scenario.resources) {
        Output resources = Output::array().broken();
        for (const ResourceSpec &resource : *scenario.resources)
            resources.add(rowOutput(resource));
        object.add(u"resources", std::move(resources));
    }
    Output switches = Output::object();
    for (auto it = scenario.switches.cbegin(); it != scenario.switches.cend(); ++it)
        switches.add(it.key(), truthOutput(*it));
    if (!switches.isEmpty())
        object.add(u"switches", std::move(switches));
    Output steps = Output::array().broken();
    for (const ScenarioStep &step : scenario.steps)
        steps.add(stepOutput(step));
    object.add(u"steps", std::move(steps));
    addExtras(&object, scenario.extras);
    return std::move(object).broken().text();
}

} // namespace instar
