// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"
#include "app/cli/scenario.h"
#include "app/cli/stop.h"
#include "model/formats/library.h"
#include "model/formats/pack.h"
#include "model/freshtoken.h"
#include "model/remote/server.h"

#include <QCoreApplication>
#include <QFile>

#include <sys/resource.h>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString fileName(const std::string &text)
{
    return QFile::decodeName(QByteArray::fromStdString(text));
}

/// What is served: the resources of the scenario, else the pack's sample.
Result<Stage> stageToServe(const Arguments &arguments)
{
    const QString name = arguments.inputName();
    const Result<JsonText> document =
        QFile::exists(name) ? loadDocument(name) : loadPackDocument(name);
    if (!document)
        return Error { document.error() };
    if (document->root().find("pack")) {
        if (!arguments.tree.empty())
            return Error {
                u"--tree goes with a pack: %1 is a scenario and has its own resources"_s.arg(name)
            };
        Result<Staged> staged = stagedScenario(name);
        if (!staged)
            return Error { staged.error() };
        return std::move(staged->stage);
    }
    const Result<Pack> pack = readPack(*document);
    if (!pack)
        return Error { pack.error() };
    if (!arguments.tree.empty()) {
        Result<Staged> staged = stagedScenario(fileName(arguments.tree));
        if (!staged)
            return Error { staged.error() };
        if (staged->stage.rules.pack().id != pack->id)
            return Error { u"%1 is a scenario of the pack %2, not of %3"_s.arg(
                fileName(arguments.tree), staged->stage.rules.pack().id, pack->id) };
        return std::move(staged->stage);
    }
    Result<Rules> rules = Rules::make(*pack);
    if (!rules)
        return Error { u"%1: %2"_s.arg(document->name(), rules.error()) };
    Loaded loaded = makeWorld(*rules, pack->sample);
    if (!loaded.problem.isEmpty())
        return Error { u"%1: the sample tree: %2"_s.arg(document->name(), loaded.problem) };
    return Stage { *std::move(rules), std::move(loaded.world) };
}

Result<Server::Options> serveOptions(const Arguments &arguments)
{
    Server::Options options;
    options.http.port = quint16(arguments.port);
    options.http.limits.bodyBytes = quint64(arguments.maxBody) * 1024;
    options.http.mostUnsentOfAll = arguments.maxUnsent * 1024 * 1024;
    options.http.mostConnections = arguments.maxConnections;
    options.http.idleSeconds = arguments.idleTimeout;
    options.http.headerSeconds = arguments.requestTimeout.value_or(options.http.headerSeconds);
    options.http.bodySeconds = arguments.requestTimeout.value_or(options.http.bodySeconds);
    options.speed = arguments.speed;
    options.retryAfter = int(arguments.retryAfter);
    for (const std::string &host : arguments.hosts)
        options.http.hosts += QString::fromStdString(host);
    if (!arguments.noToken)
        options.testToken = freshToken();
    if (!arguments.listen.empty()
        && !options.http.address.setAddress(QString::fromStdString(arguments.listen)))
        return Error { u"--listen expects an IP address, found \"%1\""_s.arg(
            QString::fromStdString(arguments.listen)) };
    const auto read = [](const std::string &file, QByteArray *into) -> QString {
        if (file.empty())
            return {};
        const Result<QByteArray> bytes = fileBytes(fileName(file), 1024 * 1024);
        if (!bytes)
            return bytes.error();
        *into = *bytes;
        return {};
    };
    QString problem = read(arguments.tokenFile, &options.http.token);
    options.http.token = options.http.token.trimmed();
    if (problem.isEmpty() && !arguments.tokenFile.empty() && options.http.token.isEmpty())
        problem = u"%1: expected a token, found an empty file"_s.arg(fileName(arguments.tokenFile));
    if (problem.isEmpty())
        problem = read(arguments.certificate, &options.http.certificate);
    if (problem.isEmpty())
        problem = read(arguments.key, &options.http.key);
    if (problem.isEmpty() && arguments.certificate.empty() != arguments.key.empty())
        problem = u"--cert and --key belong together: give both or neither"_s;
    if (!problem.isEmpty())
        return Error { problem };
    return options;
}

/// A connection is a file descriptor; the usual limit is far below what a busy controller holds.
/// Where the system allows no more, clients are to be told so: one that is not accepted waits.
void allowManyConnections(int *most)
{
    constexpr int Others = 256; // the program's own, and of clients that are turned away
    rlimit limit {};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur > rlim_t(Others) && limit.rlim_cur - Others < rlim_t(*most))
        *most = int(limit.rlim_cur) - Others;
}

} // namespace

Exit serve(const Arguments &arguments)
{
    if (!arguments.proxy.empty())
        return serveBetween(arguments);
    Result<Stage> stage = stageToServe(arguments);
    if (!stage)
        return complain(stage.error());
    Result<Server::Options> options = serveOptions(arguments);
    if (!options)
        return complain(options.error());
    allowManyConnections(&options->http.mostConnections);

    int argc = 1;
    char name[] = "instar-cli";
    char *argv[] = { name, nullptr };
    const QCoreApplication application(argc, argv);
    Simulator simulator(std::move(stage->rules), std::move(stage->world));
    Server server(simulator, *options);
    const Result<quint16> port = server.listen();
    if (!port)
        return complain(port.error());

    const StopSignals stop([&] { server.close(2000); });
    if (!stop.isGood())
        return complain(u"no pipe can be opened"_s);
    QObject::connect(
        &server, &Server::closed, &application, &QCoreApplication::quit, Qt::QueuedConnection);

    QByteArray lines = u"listening on %1\n"_s.arg(server.origin()).toUtf8();
    if (!options->testToken.isEmpty())
        lines += "token: " + options->testToken + '\n';
    const Exit printed = print(lines, Exit::Fine);
    if (printed != Exit::Fine)
        return printed;
    QCoreApplication::exec();
    return Exit::Fine;
}

} // namespace instar
