// SPDX-License-Identifier: Apache-2.0
#include "app/clidriver.h"
#include "app/cliprint.h"
#include "model/formats/exchanges.h"
#include "model/formats/library.h"
#include "model/formats/saving.h"
#include "model/formats/scenario.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString nameOf(const std::string &text)
{
    return QFile::decodeName(QByteArray::fromStdString(text));
}

Result<Scenario> scenarioToDrive(const QString &file, const Pack &pack)
{
    const Result<Document> document = loadDocument(file);
    if (!document)
        return Error { document.error() };
    const Result<Scenario> scenario = readScenario(*document, pack);
    if (!scenario)
        return Error { scenario.error() };
    const Result<Stage> stage = stageOf(*scenario, pack);
    if (!stage)
        return Error { stage.error() };
    return drivable(*scenario, stage->rules);
}

Result<RemoteController::Options> optionsOf(const Arguments &arguments)
{
    RemoteController::Options options;
    options.connection.server = QUrl(QString::fromStdString(arguments.url));
    options.readOnly = false;
    options.refreshMs = 0;
    options.motionMs = 200;
    if (!arguments.tokenFile.empty()) {
        const Result<QByteArray> token = fileBytes(nameOf(arguments.tokenFile), 64 * 1024);
        if (!token)
            return Error { token.error() };
        options.connection.credential = { .kind = Credential::Kind::Bearer,
            .user = {},
            .secret = QString::fromUtf8(*token).trimmed(),
            .certificate = {},
            .key = {} };
    }
    if (!arguments.authorities.empty()) {
        const Result<QByteArray> authorities =
            fileBytes(nameOf(arguments.authorities), 1024 * 1024);
        if (!authorities)
            return Error { authorities.error() };
        options.connection.authorities = *authorities;
    }
    return options;
}

QJsonArray volleysJson(const ScenarioDriver &driver)
{
    QJsonArray rows;
    for (const ScenarioDriver::Shot &shot : driver.volleys()) {
        rows.append(QJsonObject { { u"time"_s, shot.at },
            { u"requests"_s, shot.report.shots.size() }, { u"spreadNs"_s, shot.report.spreadNs } });
    }
    return rows;
}

QByteArray volleysText(const ScenarioDriver &driver)
{
    QString text = u"\n%1 exchanges; what was expected could come up to %2 ms early or late\n"_s
                       .arg(driver.exchanges().size())
                       .arg(driver.tolerance());
    for (const ScenarioDriver::Shot &shot : driver.volleys()) {
        if (shot.report.shots.size() > 1) {
            text += u"%1 requests were sent together and left within %2 µs\n"_s
                        .arg(shot.report.shots.size())
                        .arg(double(shot.report.spreadNs) / 1000, 0, 'f', 1);
        }
    }
    return text.toUtf8();
}

} // namespace

Exit driveScenario(const Arguments &arguments)
{
    const Result<Pack> pack = loadPack(QString::fromStdString(arguments.pack));
    if (!pack)
        return complain(pack.error());
    const Result<Scenario> scenario = scenarioToDrive(arguments.inputName(), *pack);
    if (!scenario)
        return complain(scenario.error());
    const Result<Rules> rules = Rules::make(*pack, scenario->switches);
    if (!rules)
        return complain(rules.error());
    const Result<RemoteController::Options> options = optionsOf(arguments);
    if (!options)
        return complain(options.error());

    int argc = 1;
    char name[] = "instar-cli";
    char *argv[] = { name, nullptr };
    const QCoreApplication application(argc, argv);
    ScenarioDriver driver(*scenario, *rules, *options, arguments.tolerance);
    const auto trouble = driver.drive();
    // What went over the wire is worth most where it ended badly.
    const Result<bool> written = arguments.history.empty()
        ? Result<bool>(true)
        : saved(nameOf(arguments.history), exchangesNdjson(driver.exchanges()));
    if (trouble) {
        complain(written ? trouble->text : u"%1; %2"_s.arg(trouble->text, written.error()));
        return trouble->exit;
    }
    if (!written)
        return complain(written.error());
    const Played &played = driver.played();
    const Exit exit = played.failed > 0 ? Exit::Failed : Exit::Fine;
    if (arguments.format == "json") {
        return print(playedJson(driver.controller(), played,
                         { { u"exchanges"_s, driver.exchanges().size() },
                             { u"tolerance"_s, driver.tolerance() },
                             { u"volleys"_s, volleysJson(driver) } }),
            exit);
    }
    if (arguments.format == "junit")
        return print(playedJunit(*scenario, played), exit);
    return print(
        playedText(driver.controller(), played, scenario->file) + volleysText(driver), exit);
}

} // namespace instar
