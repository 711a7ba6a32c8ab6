// SPDX-License-Identifier: Apache-2.0
#include "app/cli/drivable.h"
#include "app/cli/driver.h"
#include "app/cli/print.h"
#include "app/cli/signin.h"
#include "app/cli/verdict.h"
#include "model/formats/historyfile.h"
#include "model/formats/library.h"
#include "model/formats/reading.h"
#include "model/formats/scenario.h"
#include "model/remote/chronicle.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString nameOf(const std::string &text)
{
    return QFile::decodeName(QByteArray::fromStdString(text));
}

Result<Scenario> scenarioToDrive(const QString &file, const Pack &pack)
{
    const Result<JsonText> document = loadDocument(file);
    if (!document)
        return Error { document.error() };
    const Result<Scenario> scenario = readScenario(*document, pack);
    if (!scenario)
        return Error { scenario.error() };
    const Result<Stage> stage = stageOf(*scenario, pack);
    if (!stage)
        return Error { stage.error() };
    return drivable(*scenario, *stage);
}

Result<RemoteController::Options> remoteOptions(const Arguments &arguments)
{
    RemoteController::Options options;
    options.connection.server = QUrl(QString::fromStdString(arguments.url));
    options.readOnly = false;
    options.refreshMs = 0;
    options.createsUnknown = arguments.create;
    if (!options.connection.server.userInfo().isEmpty())
        return Error { u"expected a URL without a user in it; see --user and --password-file"_s };
    const Result<Credential> credential = credentialOf(arguments);
    if (!credential)
        return Error { credential.error() };
    options.connection.credential = *credential;
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

/// What is not known is said, whatever the format.
void complainOfUnknownEnds(const QStringList &ends)
{
    if (!ends.isEmpty())
        complain(u"how %1 ended is not known: %2"_s.arg(
            ends.size() == 1 ? u"an operation"_s : u"%1 operations"_s.arg(ends.size()),
            ends.join(u"; "_s)));
}

/// What is said of the server at the end, in a few lines, and of what nothing can be said.
QByteArray verdictLines(const HistoryVerdict &verdict, const QStringList &leftOut)
{
    QString text = u"\nverdict: "_s
        + verdictText(verdict, u"exchange"_s).section(u"\n\n"_s, 0, 0).trimmed() + u'\n';
    for (const QString &tree : leftOut)
        text += notJudgedText(tree) + u'\n';
    return text.toUtf8();
}

/// The body as JSON where it is an object, else as text.
QJsonValue bodyJson(const QByteArray &body)
{
    const QJsonDocument document = QJsonDocument::fromJson(body);
    return document.isObject() ? QJsonValue(document.object())
                               : QJsonValue(QString::fromUtf8(body));
}

/// The requests that --dry-run prints, one on each line.
QByteArray unsentText(const ScenarioDriver &driver)
{
    QString text;
    for (const ScenarioDriver::Unsent &one : driver.unsent()) {
        text += one.at ? u"%1 ms: "_s.arg(*one.at) : u"before: "_s;
        text +=
            oneLine(u"%1 %2 %3"_s
                        .arg(QString::fromLatin1(one.http.method),
                            one.url.toString(QUrl::FullyEncoded), QString::fromUtf8(one.http.body))
                        .trimmed())
            + u'\n';
    }
    return text.isEmpty() ? "nothing would be sent\n"_ba : text.toUtf8();
}

QByteArray unsentJson(const ScenarioDriver &driver)
{
    QJsonArray rows;
    for (const ScenarioDriver::Unsent &one : driver.unsent()) {
        rows.append(QJsonObject { { u"at"_s, one.at ? QJsonValue(*one.at) : QJsonValue() },
            { u"operation"_s, one.request.id }, { u"op"_s, one.request.op },
            { u"path"_s, one.request.path }, { u"method"_s, QString::fromLatin1(one.http.method) },
            { u"url"_s, one.url.toString(QUrl::FullyEncoded) },
            { u"body"_s, bodyJson(one.http.body) } });
    }
    return QJsonDocument(QJsonObject { { u"dryRun"_s, true }, { u"requests"_s, rows } }).toJson();
}

QByteArray volleysText(const ScenarioDriver &driver)
{
    QString text;
    for (const QString &remark : driver.remarks())
        text += u"\n"_s + oneLine(remark);
    text += driver.remarks().isEmpty() ? QString() : u"\n"_s;
    text += u"\n%1 exchanges; what was expected could come up to %2 ms early or late\n"_s
                .arg(driver.exchanges())
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
    const Result<RemoteController::Options> options = remoteOptions(arguments);
    if (!options)
        return complain(options.error());

    int argc = 1;
    char name[] = "instar-cli";
    char *argv[] = { name, nullptr };
    const QCoreApplication application(argc, argv);
    std::optional<HistoryFile> history;
    if (!arguments.history.empty()) {
        history.emplace(nameOf(arguments.history));
        if (!history->problem().isEmpty())
            return complain(history->problem());
    }
    RemoteController::Options remote = *options;
    remote.connection.shared = std::make_shared<SharedSignIn>();
    DriveOptions drive { .remote = remote,
        .tolerance = arguments.tolerance,
        .timeout = qint64(arguments.timeout * 1000),
        .poll = arguments.poll,
        .isDryRun = arguments.dryRun,
        .exchanged = {} };
    Chronicle chronicle(*rules, scenario->file);
    drive.exchanged = [&](const Exchange &exchange) {
        chronicle.add(exchange, int(exchange.number));
        if (history)
            history->add(exchange);
    };
    ScenarioDriver driver(*scenario, *rules, drive);
    const auto trouble = driver.drive();
    if (history)
        history->finish();
    const QString notWritten = history ? history->problem() : QString();
    if (trouble) {
        complain(notWritten.isEmpty() ? trouble->text : u"%1; %2"_s.arg(trouble->text, notWritten));
        return trouble->exit;
    }
    if (!notWritten.isEmpty())
        return complain(notWritten);
    if (arguments.dryRun)
        return print(
            arguments.format == "json" ? unsentJson(driver) : unsentText(driver), Exit::Fine);
    const Played &played = driver.played();
    const QStringList unknown = driver.unknownEnds();
    const Result<HistoryVerdict> verdict =
        verdictOn(chronicle.history(), *rules, { .states = arguments.judgeBudget });
    const bool isGood = played.failed == 0 && unknown.isEmpty();
    const Exit exit = !isGood ? Exit::Failed : verdict ? exitOf(*verdict) : Exit::NothingJudged;
    complainOfUnknownEnds(unknown);
    if (!verdict)
        complain(u"there is no verdict: %1"_s.arg(verdict.error()));
    const QStringList notJudged =
        chronicle.leftOut() + (verdict ? verdict->notJudged : QStringList());
    if (arguments.format == "json") {
        return print(
            playedJson(driver.controller(), played,
                { { u"exchanges"_s, driver.exchanges() },
                    { u"unknownEnds"_s, QJsonArray::fromStringList(unknown) },
                    { u"remarks"_s, QJsonArray::fromStringList(driver.remarks()) },
                    { u"tolerance"_s, driver.tolerance() },
                    { u"verdict"_s, verdict ? QJsonValue(verdictJson(*verdict)) : QJsonValue() },
                    { u"notJudged"_s, QJsonArray::fromStringList(notJudged) },
                    { u"volleys"_s, volleysJson(driver) } }),
            exit);
    }
    if (arguments.format == "junit")
        return print(playedJunit(*scenario, played, {}, unknown), exit);
    return print(playedText(driver.controller(), played, scenario->file) + volleysText(driver)
            + (verdict ? verdictLines(*verdict, notJudged) : QByteArray()),
        exit);
}

} // namespace instar
