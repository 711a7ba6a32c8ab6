// SPDX-License-Identifier: Apache-2.0
#include "app/cli/driver.h"
#include "app/cli/inputs.h"
#include "app/cli/results.h"
#include "app/cli/serving.h"
#include "model/foreigntext.h"
#include "model/formats/library.h"
#include "model/formats/scenario.h"
#include "model/remote/historyrecorder.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Scenario scenarioToDrive(const QString &file, const Pack &pack)
{
    const JsonText document = valueOf(loadDocument(file));
    const Scenario scenario = valueOf(readScenario(document, pack));
    return drivable(scenario, valueOf(stageOf(scenario, pack)));
}

RemoteController::Options remoteOptions(const Arguments &arguments)
{
    RemoteController::Options options;
    options.connection.server = QUrl(arguments.url);
    options.readOnly = false;
    options.refreshMs = 0;
    options.createsUnknown = arguments.create;
    if (!options.connection.server.userInfo().isEmpty())
        throw CommandError {
            u"expected a URL without a user in it; see --user and --password-file"_s
        };
    options.connection.credential = credentialOf(arguments);
    options.connection.authorities = smallFile(arguments.authorities);
    options.connection.shared = std::make_shared<SharedSignIn>();
    return options;
}

QJsonArray burstsJson(const ScenarioDriver &driver)
{
    QJsonArray rows;
    for (const ScenarioDriver::Shot &shot : driver.bursts()) {
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
QString verdictLines(const HistoryVerdict &verdict, const QStringList &leftOut)
{
    QString text = u"\nverdict: "_s
        + verdictText(verdict, u"exchange"_s).section(u"\n\n"_s, 0, 0).trimmed() + u'\n';
    for (const QString &tree : leftOut)
        text += notJudgedText(tree) + u'\n';
    return text;
}

/// The body as JSON where it is an object, else as text.
QJsonValue bodyJson(const QByteArray &body)
{
    const QJsonDocument document = QJsonDocument::fromJson(body);
    return document.isObject() ? QJsonValue(document.object())
                               : QJsonValue(QString::fromUtf8(body));
}

/// The requests that --dry-run prints, one on each line.
QString unsentText(const ScenarioDriver &driver)
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
    return text.isEmpty() ? u"nothing would be sent\n"_s : text;
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

QString burstsText(const ScenarioDriver &driver)
{
    QString text;
    for (const QString &remark : driver.remarks())
        text += u"\n"_s + oneLine(remark);
    text += driver.remarks().isEmpty() ? QString() : u"\n"_s;
    text += u"\n%1 exchanges; what was expected could come up to %2 ms early or late\n"_s
                .arg(driver.exchanges())
                .arg(driver.tolerance());
    for (const ScenarioDriver::Shot &shot : driver.bursts()) {
        if (shot.report.shots.size() > 1) {
            text += u"%1 requests were sent together and left within %2 µs\n"_s
                        .arg(shot.report.shots.size())
                        .arg(double(shot.report.spreadNs) / 1000, 0, 'f', 1);
        }
    }
    return text;
}

/// Drives to the end and ends the file of exchanges; says what went wrong with either.
void driveToTheEnd(ScenarioDriver &driver, HistoryOutput &history)
{
    std::optional<CommandError> error;
    try {
        driver.drive();
    } catch (const CommandError &thrown) {
        error = thrown;
    }
    const Result<bool> written = history.finish();
    if (error && !written)
        error->text += u"; "_s + written.error();
    if (error)
        throw *error;
    valueOf(written);
}

Exit driveScenario(const Arguments &arguments)
{
    const Pack pack = valueOf(loadPack(arguments.pack));
    const Scenario scenario = scenarioToDrive(arguments.input, pack);
    const Rules rules = valueOf(Rules::make(pack, scenario.switches));
    const RemoteController::Options remote = remoteOptions(arguments);

    const ConsoleApplication<QCoreApplication> application;
    HistoryOutput history(arguments);
    HistoryRecorder historyRecorder(rules, scenario.file);
    ScenarioDriver driver(scenario, rules,
        { .remote = remote,
            .tolerance = arguments.tolerance,
            .timeout = qint64(arguments.timeout * 1000),
            .poll = arguments.poll,
            .isDryRun = arguments.dryRun,
            .exchanged = [&](const Exchange &exchange) {
                historyRecorder.add(exchange, int(exchange.number));
                history.add(exchange);
            } });
    driveToTheEnd(driver, history);
    if (arguments.dryRun)
        return arguments.isJson() ? print(unsentJson(driver)) : print(unsentText(driver));
    const Played &played = driver.played();
    const QStringList unknown = driver.unknownEnds();
    const Result<HistoryVerdict> verdict =
        verdictOn(historyRecorder.history(), rules, { .states = arguments.judgeBudget });
    const bool isGood = played.failed == 0 && unknown.isEmpty();
    const Exit exit = !isGood ? Exit::Failed : verdict ? exitOf(*verdict) : Exit::NothingJudged;
    complainOfUnknownEnds(unknown);
    if (!verdict)
        complain(u"there is no verdict: %1"_s.arg(verdict.error()));
    const QStringList notJudged =
        historyRecorder.leftOut() + (verdict ? verdict->notJudged : QStringList());
    if (arguments.isJson()) {
        return print(
            playedJson(driver.controller(), played,
                { { u"exchanges"_s, driver.exchanges() },
                    { u"unknownEnds"_s, QJsonArray::fromStringList(unknown) },
                    { u"remarks"_s, QJsonArray::fromStringList(driver.remarks()) },
                    { u"tolerance"_s, driver.tolerance() },
                    { u"verdict"_s, verdict ? QJsonValue(verdictJson(*verdict)) : QJsonValue() },
                    { u"notJudged"_s, QJsonArray::fromStringList(notJudged) },
                    { u"volleys"_s, burstsJson(driver) } }),
            exit);
    }
    if (arguments.format == u"junit")
        return print(playedJunit(scenario, played, {}, unknown), exit);
    return print(playedText(driver.controller(), played, scenario.file) + burstsText(driver)
            + (verdict ? verdictLines(*verdict, notJudged) : QString()),
        exit);
}

} // namespace

Command driveCommand()
{
    return { "drive", "Run a scenario against a real server and compare it with what it expects",
        QList<Option> {
            { "URL", &Arguments::url, "The server, such as http://127.0.0.1:8080" },
            { "SCENARIO", &Arguments::input, "A scenario's file" },
            formatOption({ u"text"_s, u"json"_s, u"junit"_s }),
            { .name = "--pack",
                .target = &Arguments::pack,
                .help = "The id or file of the pack that the server speaks",
                .value = "ID",
                .isRequired = true },
            { "--history", &Arguments::history,
                "Write every exchange to this file as it ends, one JSON object a line", "FILE" },
            { "--tolerance", &Arguments::tolerance,
                "What is expected may come so much early or late; else as the server's answers "
                "take",
                "MS", 0, 60'000 },
            { "--timeout", &Arguments::timeout,
                "How long operations may take to end after the last step", "S", 0, 31'536'000 },
            { "--poll", &Arguments::poll,
                "How long to wait between two looks at what is going on; without: 1000, and 50 "
                "at a controller of serve. Where the server asks for more (Retry-After), more",
                "MS", 10, 3'600'000 },
            judgeBudgetOption(),
            { "--dry-run", &Arguments::dryRun,
                "Print what would be sent; only read, write nothing" },
            { "--create", &Arguments::create,
                "Write also where a resource could not be read, so that one that is there may be "
                "overwritten" },
        } + signInOptions(),
        driveScenario };
}

} // namespace instar
