// SPDX-License-Identifier: Apache-2.0
#include "app/cli/driver.h"
#include "app/cli/inputfiles.h"
#include "app/cli/results.h"
#include "model/foreigntext.h"
#include "model/json/filebytes.h"
#include "model/json/library.h"
#include "model/json/scenariofile.h"
#include "model/remote/historyrecorder.h"
#include "model/remote/wirerules.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace instar {

namespace {

struct DriveArguments
{
    QString url, scenario, pack, format = u"text"_s, history;
    qint64 budget = VerdictStates;
    QString tokenFile, tokenCommand, apiKeyFile, apiKeyHeader = u"X-Api-Key"_s;
    QString authorities;
    DriveOptions drive;
};

/// Reads a secret from the file, if one is given, else from the environment variable, if set.
std::optional<QString> secretOf(const QString &file, const char *name)
{
    if (!file.isEmpty())
        return QString::fromUtf8(valueOf(fileBytes(file, 64 * 1024))).trimmed();
    if (qEnvironmentVariableIsEmpty(name))
        return {};
    return qEnvironmentVariable(name).trimmed();
}

/// Returns the credential from the options, else from the environment. No option contains a secret
/// itself, because every user of the machine can read the arguments of a command.
Credential credentialOf(const DriveArguments &given)
{
    const QStringList sources { given.tokenFile, given.tokenCommand, given.apiKeyFile };
    if (sources.count(QString()) < sources.size() - 1)
        throw CommandError {
            u"expected one of --token-file, --token-command and --api-key-file"_s
        };
    if (!given.tokenCommand.isEmpty())
        return { .kind = Credential::Kind::Command, .parameter = given.tokenCommand };
    if (given.apiKeyFile.isEmpty()) {
        if (const std::optional<QString> token = secretOf(given.tokenFile, "INSTAR_TOKEN"))
            return { .kind = Credential::Kind::Bearer, .parameter = {}, .secret = *token };
    }
    const std::optional<QString> key = secretOf(given.apiKeyFile, "INSTAR_API_KEY");
    return key ? Credential { .kind = Credential::Kind::ApiKey,
        .parameter = given.apiKeyHeader,
        .secret = *key }
               : Credential {};
}

/// Returns the state with this id if it is the operation's only state with work, and that work has
/// one attempt and requires no other operation; else None.
Rules::StateId onlyWorkState(const Rules &rules, const Request &request, const QString &state)
{
    const int machine = rules.machineForType(typePathOf(request.path));
    const Rules::TriggerId op = rules.trigger(request.op);
    if (machine == Rules::None || op == Rules::None)
        return Rules::None;
    const QList<Rules::StateId> states = workStatesOf(rules, machine, op);
    if (states.size() != 1 || rules.state(states.first()).id != state)
        return Rules::None;
    const auto count = [&](Step::Kind kind) {
        return std::ranges::count(rules.state(states.first()).work, kind, &Rules::Work::kind);
    };
    const bool isSingleAttempt = count(Step::Kind::Attempt) == 1 && count(Step::Kind::Require) == 0;
    return isSingleAttempt ? states.first() : Rules::StateId(Rules::None);
}

/// Moves the plan for an operation's only work state into the request; false: this is impossible.
bool planWholeOperation(
    const Rules &rules, Rules::StateId work, const WorkPlan &plan, Request *request)
{
    const bool canRepeat =
        rules.retried != Rules::None && !rules.candidates(work, rules.retried).empty();
    const QStringList &outcomes = plan.outcomes;
    qsizetype repeated = 0;
    while (canRepeat && outcomes.value(repeated) == rules.triggerName(rules.retried))
        ++repeated;
    if (outcomes.size() > repeated + 1 || !plan.properties.isEmpty())
        return false;
    if (!outcomes.isEmpty()) {
        request->transientFailures = int(repeated);
        request->outcome = outcomes.value(repeated);
    }
    if (plan.duration)
        request->duration = plan.duration;
    request->hang = plan.hang.value_or(request->hang);
    request->work.clear();
    return true;
}

/// Prepares a step for a server, which accepts only a plan of the whole operation. Returns the
/// reason why the step cannot be sent; empty if it can.
QString makeSendable(const WireRules &wireRules, const Stage &stage, ScenarioStep *step)
{
    Request &request = step->request;
    if (step->kind == ScenarioStep::Kind::End)
        return u"the step ends operation %1 by hand, which is impossible at a server"_s.arg(
            step->operation);
    if (hasGeneratedName(request) && !wireRules.serverChoosesName(request))
        return u"{%1} stands for a name given by the server, but %2 sends the name in its path"_s
            .arg(request.id, request.op);
    if (step->kind == ScenarioStep::Kind::Submit) {
        if (const auto http = wireRules.request(request, &stage.world); !http)
            return http.error();
    }
    if (request.work.isEmpty())
        return {};
    const QString state = request.work.firstKey();
    const WorkPlan plan = request.work.first();
    const Rules::StateId work = onlyWorkState(stage.rules, request, state);
    if (request.work.size() > 1 || work == Rules::None
        || !planWholeOperation(stage.rules, work, plan, &request))
        return u"\"work\" plans the parts of an operation, but a server accepts only a plan of the whole operation"_s;
    return {};
}

/// Returns the scenario in a form that can be sent to a server; throws if a step cannot be sent.
Scenario sendable(Scenario scenario, const Stage &stage)
{
    if (const QString problem = choiceProblem(scenario); !problem.isEmpty())
        throw CommandError { problem };
    const WireRules wireRules(stage.rules);
    for (ScenarioStep &step : scenario.steps) {
        const QString problem = makeSendable(wireRules, stage, &step);
        if (!problem.isEmpty())
            throw CommandError { u"%1:%2: %3; remove the step, or use the command run"_s.arg(
                scenario.file, QString::number(step.line), problem) };
    }
    return scenario;
}

RemoteController::Options remoteOptions(const DriveArguments &given)
{
    RemoteController::Options options = given.drive.remote;
    options.connection.server = QUrl(given.url);
    options.readOnly = false;
    options.refreshMs = 0;
    if (!options.connection.server.userInfo().isEmpty())
        throw CommandError {
            u"expected a URL without user and password; see --token-command and --api-key-file"_s
        };
    options.connection.credential = credentialOf(given);
    options.connection.authorities = smallFile(given.authorities);
    return options;
}

QJsonArray burstsJson(const DriveResult &driven)
{
    QJsonArray rows;
    for (const auto &[at, report] : driven.bursts)
        rows.append(QJsonObject { { u"time"_s, at }, { u"requests"_s, report.shots.size() },
            { u"spreadNs"_s, report.spreadNs } });
    return rows;
}

/// Returns the first paragraph of the verdict, and a line for each tree that is not judged.
QString verdictLines(const HistoryVerdict &verdict, const QStringList &leftOut)
{
    QString text = u"\nverdict: "_s
        + verdictText(verdict, u"exchange"_s).section(u"\n\n"_s, 0, 0).trimmed() + u'\n';
    for (const QString &tree : leftOut)
        text += notJudgedText(tree) + u'\n';
    return text;
}

/// Returns the requests that --dry-run prints, one a line.
QString unsentText(const DriveResult &driven)
{
    QString text;
    for (const DriveResult::Unsent &one : driven.unsent) {
        text += one.at ? u"%1 ms: "_s.arg(*one.at) : u"before: "_s;
        text +=
            oneLine(u"%1 %2 %3"_s
                        .arg(QString::fromLatin1(one.http.method),
                            one.url.toString(QUrl::FullyEncoded), QString::fromUtf8(one.http.body))
                        .trimmed())
            + u'\n';
    }
    return text.isEmpty() ? u"no request would be sent\n"_s : text;
}

QByteArray unsentJson(const DriveResult &driven)
{
    QJsonArray rows;
    for (const DriveResult::Unsent &one : driven.unsent) {
        const QJsonDocument body = QJsonDocument::fromJson(one.http.body);
        rows.append(QJsonObject { { u"at"_s, one.at ? QJsonValue(*one.at) : QJsonValue() },
            { u"operation"_s, one.request.id }, { u"op"_s, one.request.op },
            { u"path"_s, one.request.path }, { u"method"_s, QString::fromLatin1(one.http.method) },
            { u"url"_s, one.url.toString(QUrl::FullyEncoded) },
            { u"body"_s,
                body.isObject() ? QJsonValue(body.object())
                                : QJsonValue(QString::fromUtf8(one.http.body)) } });
    }
    return QJsonDocument(QJsonObject { { u"dryRun"_s, true }, { u"requests"_s, rows } }).toJson();
}

/// Returns the remarks, the number of exchanges and the spread of each burst.
QString exchangesText(const DriveResult &driven)
{
    auto text = mapped<QString>(
        driven.remarks, [](const QString &remark) { return u"\n"_s + oneLine(remark); });
    text += driven.remarks.isEmpty() ? QString() : u"\n"_s;
    text += u"\n%1 exchanges; expectations were checked with a tolerance of %2 ms\n"_s
                .arg(driven.exchanges)
                .arg(driven.tolerance);
    for (const auto &[at, report] : driven.bursts) {
        if (report.shots.size() > 1)
            text +=
                u"%1 requests were sent together and left within %2 µs\n"_s.arg(report.shots.size())
                    .arg(double(report.spreadNs) / 1000, 0, 'f', 1);
    }
    return text;
}

Exit driveScenario(const DriveArguments &given)
{
    const Pack pack = valueOf(loadPack(given.pack));
    const Scenario read = valueOf(readScenario(valueOf(loadDocument(given.scenario)), pack));
    const Scenario scenario = sendable(read, valueOf(stageOf(read, pack)));
    const Rules rules = valueOf(Rules::make(pack, scenario.switches));
    DriveOptions options = given.drive;
    options.remote = remoteOptions(given);

    const ConsoleApplication<QCoreApplication> application;
    const std::unique_ptr<ExchangeLog> history = exchangeLog(given.history);
    HistoryRecorder historyRecorder(rules, scenario.file);
    options.exchanged = [&](const Exchange &exchange) {
        historyRecorder.add(exchange, int(exchange.number));
        if (history)
            history->add(exchange);
    };
    const DriveResult driven = drive(scenario, rules, options);
    finish(history.get());
    const bool isJson = given.format == u"json";
    if (given.drive.isDryRun)
        return isJson ? print(unsentJson(driven)) : print(unsentText(driven));
    const Played &played = driven.played;
    const QStringList unknown = driven.unknownEnds;
    const RecordedHistory recorded = historyRecorder.recorded();
    const Result<HistoryVerdict> verdict =
        verdictOn(recorded.history, rules, { .states = given.budget });
    const bool isGood = played.failed == 0 && unknown.isEmpty();
    const Exit exit = !isGood ? Exit::Failed : verdict ? exitOf(*verdict) : Exit::NothingJudged;
    if (!unknown.isEmpty())
        complain(u"the outcome of %1 is unknown: %2"_s.arg(
            unknown.size() == 1 ? u"an operation"_s : u"%1 operations"_s.arg(unknown.size()),
            unknown.join(u"; "_s)));
    if (!verdict)
        complain(u"no verdict: %1"_s.arg(verdict.error()));
    const QStringList notJudged = recorded.leftOut + (verdict ? verdict->notJudged : QStringList());
    if (isJson) {
        return print(
            playedJson(*driven.controller, played,
                { { u"exchanges"_s, qint64(driven.exchanges) },
                    { u"unknownEnds"_s, QJsonArray::fromStringList(unknown) },
                    { u"remarks"_s, QJsonArray::fromStringList(driven.remarks) },
                    { u"tolerance"_s, driven.tolerance },
                    { u"verdict"_s, verdict ? QJsonValue(verdictJson(*verdict)) : QJsonValue() },
                    { u"notJudged"_s, QJsonArray::fromStringList(notJudged) },
                    { u"bursts"_s, burstsJson(driven) } }),
            exit);
    }
    if (given.format == u"junit")
        return print(playedJunit(scenario, played, {}, unknown), exit);
    return print(playedText(*driven.controller, played, scenario.file) + exchangesText(driven)
            + (verdict ? verdictLines(*verdict, notJudged) : QString()),
        exit);
}

} // namespace

Command driveCommand()
{
    static DriveArguments given;
    return { "drive", "Run a scenario against a real server and check its expectations",
        {
            { "URL", &given.url, "The server, such as http://127.0.0.1:8080" },
            { "SCENARIO", &given.scenario, "A scenario's file" },
            formatOption(&given.format, { u"text"_s, u"json"_s, u"junit"_s }),
            { .name = "--pack",
                .target = &given.pack,
                .help = "The id or file of the pack that the server implements",
                .value = "ID",
                .isRequired = true },
            { "--history", &given.history,
                "Write each request with its answer to this file, one JSON object a line", "FILE" },
            { "--tolerance", &given.drive.tolerance,
                "How early or late an expectation may be met; the default is derived from the "
                "server's response times",
                "MS", 0, 60'000 },
            { "--timeout", &given.drive.timeout,
                "How long to wait for operations after the last step", "S", 0, SecondsInAYear },
            { "--poll", &given.drive.poll,
                "Polling interval; the default is 1000, or 50 if the server is instar-cli serve. A "
                "longer Retry-After is obeyed",
                "MS", 10, 3'600'000 },
            judgeBudgetOption(&given.budget),
            { "--dry-run", &given.drive.isDryRun,
                "Only read from the server, and print the requests that the run would send" },
            { "--create", &given.drive.remote.createsUnknown,
                "Also create resources that could not be read; may overwrite existing ones" },
            { "--token-file", &given.tokenFile,
                "A file with the bearer token for the server; the default is INSTAR_TOKEN in the "
                "environment",
                "F" },
            { "--api-key-file", &given.apiKeyFile,
                "A file with the API key for the server; the default is INSTAR_API_KEY in the "
                "environment",
                "F" },
            { "--api-key-header", &given.apiKeyHeader, "The header that carries the API key",
                "NAME" },
            { "--token-command", &given.tokenCommand,
                "A shell command that prints the bearer token; it runs again when the server "
                "rejects the token (401)",
                "CMD" },
            { "--ca", &given.authorities, "Certificates (PEM) to trust in addition to the system's",
                "F" },
        },
        [] { return driveScenario(given); } };
}

} // namespace instar
