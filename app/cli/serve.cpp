// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputs.h"
#include "app/cli/serving.h"
#include "model/formats/library.h"
#include "model/formats/pack.h"
#include "model/freshtoken.h"
#include "model/remote/server.h"

#include <QFile>

#include <sys/resource.h>

using namespace Qt::StringLiterals;

namespace instar {

Exit serveBetween(const Arguments &arguments); // in proxy.cpp

namespace {

/// What is served: the resources of the scenario, else the pack's sample.
Stage stageToServe(const Arguments &arguments)
{
    const QString &name = arguments.input, &tree = arguments.tree;
    const JsonText document =
        valueOf(QFile::exists(name) ? loadDocument(name) : loadPackDocument(name));
    if (document.root().find("pack")) {
        if (!tree.isEmpty())
            throw CommandError {
                u"--tree goes with a pack: %1 is a scenario and has its own resources"_s.arg(name)
            };
        return stagedScenario(name).stage;
    }
    const Pack pack = valueOf(readPack(document));
    if (!tree.isEmpty()) {
        Stage stage = stagedScenario(tree).stage;
        if (stage.rules.pack().id != pack.id)
            throw CommandError { u"%1 is a scenario of the pack %2, not of %3"_s.arg(
                tree, stage.rules.pack().id, pack.id) };
        return stage;
    }
    Rules rules = valueOf(Rules::make(pack), document.name() + u": "_s);
    Loaded loaded = makeWorld(rules, pack.sample);
    if (!loaded.problem.isEmpty())
        throw CommandError { u"%1: the sample tree: %2"_s.arg(document.name(), loaded.problem) };
    return { std::move(rules), std::move(loaded.world) };
}

Server::Options serveOptions(const Arguments &arguments)
{
    Server::Options options;
    HttpListener::Options &http = options.http;
    http.port = quint16(arguments.port);
    http.limits.bodyBytes = quint64(arguments.maxBody) * 1024;
    http.mostUnsentOfAll = arguments.maxUnsent * 1024 * 1024;
    http.mostConnections = int(arguments.maxConnections);
    http.idleSeconds = int(arguments.idleTimeout);
    http.headerSeconds = int(arguments.requestTimeout.value_or(http.headerSeconds));
    http.bodySeconds = int(arguments.requestTimeout.value_or(http.bodySeconds));
    http.hosts += arguments.hosts;
    http.address = listenAddress(arguments, http.address);
    http.token = smallFile(arguments.tokenFile).trimmed();
    if (!arguments.tokenFile.isEmpty() && http.token.isEmpty())
        throw CommandError { u"%1: expected a token, found an empty file"_s.arg(
            arguments.tokenFile) };
    http.certificate = smallFile(arguments.certificate);
    http.key = smallFile(arguments.key);
    if (arguments.certificate.isEmpty() != arguments.key.isEmpty())
        throw CommandError { u"--cert and --key belong together: give both or neither"_s };
    options.speed = arguments.speed;
    options.retryAfter = int(arguments.retryAfter);
    if (!arguments.noToken)
        options.testToken = freshToken();
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

Exit serve(const Arguments &arguments)
{
    if (!arguments.proxy.isEmpty())
        return serveBetween(arguments);
    Stage stage = stageToServe(arguments);
    Server::Options options = serveOptions(arguments);
    allowManyConnections(&options.http.mostConnections);

    const ConsoleApplication<QCoreApplication> application;
    Simulator simulator(std::move(stage.rules), std::move(stage.world));
    Server server(simulator, options);
    serveUntilStopped(
        server, options.testToken.isEmpty() ? QByteArray() : "token: " + options.testToken + '\n');
    return Exit::Fine;
}

} // namespace

Command serveCommand()
{
    return { "serve", "Be the controller of a pack, over HTTP, until SIGINT or SIGTERM",
        { { "PACK", &Arguments::input,
              "The id of a built-in pack, or the file of a pack or scenario" },
            { "--port", &Arguments::port,
                "The port to listen on; 0: any free one, which is printed", "N", 0, 65535 },
            { "--listen", &Arguments::listen,
                "The IP address to listen on, other than loopback only with --token-file; "
                "without: 127.0.0.1",
                "ADDRESS" },
            { "--token-file", &Arguments::tokenFile,
                "A file with the bearer token that clients must bring; without: none is asked "
                "for",
                "FILE" },
            { "--allow-host", &Arguments::hosts,
                "A host name that requests may name beside localhost and the address itself; "
                "any other is refused; without: none",
                "NAME" },
            { "--no-token", &Arguments::noToken,
                "Take plans and resets below /_instar/ from every program on this computer; "
                "without: only with the token that the second line of output tells" },
            { "--cert", &Arguments::certificate,
                "A file with a certificate (PEM), for TLS, with --key; without: plain HTTP",
                "FILE" },
            { "--key", &Arguments::key, "The file with the certificate's key (PEM)", "FILE" },
            { "--tree", &Arguments::tree,
                "Serve the resources of this scenario; without: those of the pack's sample",
                "SCENARIO" },
            { "--proxy", &Arguments::proxy,
                "Pass on everything to this server and back as it is, and judge by the pack's "
                "rules what goes by; without: PACK itself is served",
                "URL" },
            { "--history", &Arguments::history,
                "With --proxy: write what goes by to this file, one exchange a line; without: "
                "it is not kept",
                "FILE" },
            { "--ca", &Arguments::authorities,
                "With --proxy: a file with certificates (PEM) to trust beside the system's",
                "FILE" },
            formatOption(
                { u"text"_s, u"json"_s }, "With --proxy: how to print the verdict at the end"),
            { "--speed", &Arguments::speed, "How many virtual seconds pass in a real one", "X",
                0.001, 1'000'000 },
            { "--retry-after", &Arguments::retryAfter,
                "How many seconds clients are told to wait before they ask again", "S", 0, 86'400 },
            { "--max-body", &Arguments::maxBody,
                "How many KiB a request's body may have; a larger one gets 413", "KIB", 1,
                256 * 1024 },
            { "--max-unsent", &Arguments::maxUnsent,
                "How many MiB of answers may wait to be read, all clients together; beyond "
                "that, who has most to read is cut off",
                "MIB", 1, 1024 * 1024 },
            { "--max-connections", &Arguments::maxConnections,
                "How many connections there may be at once; one more gets 503", "N", 1, 1'000'000 },
            { "--idle-timeout", &Arguments::idleTimeout,
                "How many seconds a connection may be silent before it is closed", "S", 1, 86'400 },
            { "--request-timeout", &Arguments::requestTimeout,
                "How many seconds a request's headers may take, and as many again its body; "
                "without: 10 and 60",
                "S", 1, 86'400 } },
        serve,
        "Example: a system that is built in, at ten times the speed\n"
        "  instar-cli serve %1 --port 8080 --speed 10" };
}

} // namespace instar
