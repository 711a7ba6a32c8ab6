// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "app/cli/results.h"
#include "model/freshtoken.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/remote/historyrecorder.h"
#include "model/remote/proxy.h"
#include "model/remote/server.h"

#include <QCoreApplication>
#include <QFile>
#include <QHostAddress>
#include <QSocketNotifier>

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace instar {

namespace {

int stopPipe[2]; ///< the signal handler writes to it, the event loop reads from it

void askToStop(int)
{
    const char byte = 0;
    [[maybe_unused]] const auto written = ::write(stopPipe[1], &byte, 1);
}

/// Listens, prints the URL and the lines `more`, and serves until SIGINT or SIGTERM.
template<typename Served>
void serveUntilStopped(Served &server, const QByteArray &more = {})
{
    valueOf(server.listen());
    if (::pipe2(stopPipe, O_CLOEXEC | O_NONBLOCK) != 0)
        throw CommandError { u"cannot open a pipe for the stop signal"_s };
    QSocketNotifier stop(stopPipe[0], QSocketNotifier::Read);
    QObject::connect(&stop, &QSocketNotifier::activated, &server, [&] {
        stop.setEnabled(false);
        server.close(2000); // ms
    });
    std::signal(SIGINT, askToStop);
    std::signal(SIGTERM, askToStop);
    std::signal(SIGPIPE, SIG_IGN);
    QObject::connect(&server, &Served::closed, qApp, &QCoreApplication::quit, Qt::QueuedConnection);
    print(u"listening on %1\n"_s.arg(server.origin()).toUtf8() + more);
    QCoreApplication::exec();
}

struct ServeOptions
{
    QString pack;
    qint64 port = 0;
    QStringList hosts; ///< accepted in the Host header
    bool noToken = false;
    QString listen, tokenFile, certificate, key, tree;
    QString proxy, history, authorities, format = u"text"_s;
    double speed = 1;      ///< virtual ms per real ms
    qint64 retryAfter = 1; ///< seconds
};

/// Parses the address of --listen; returns the default `address` if `text` is empty.
QHostAddress listenAddress(const QString &text, QHostAddress address)
{
    if (!text.isEmpty() && !address.setAddress(text))
        throw CommandError { u"--listen expects an IP address, found \"%1\""_s.arg(text) };
    return address;
}

/// Rules and resources to serve: a scenario's, or a pack's with its sample or those of --tree.
Stage stageToServe(const ServeOptions &given)
{
    const QString &name = given.pack, &tree = given.tree;
    const JsonText document =
        valueOf(QFile::exists(name) ? loadDocument(name) : loadPackDocument(name));
    const bool isScenario = bool(document.root().find("pack"));
    if (isScenario && !tree.isEmpty())
        throw CommandError {
            u"--tree needs a pack, and %1 is a scenario, which already has its own resources"_s.arg(
                name)
        };
    if (isScenario)
        return loadScenario(name).stage;
    const Pack pack = valueOf(readPack(document));
    if (tree.isEmpty())
        return valueOf(stageOf({ .file = document.name() }, pack));
    Stage stage = loadScenario(tree).stage;
    if (stage.rules.pack().id != pack.id)
        throw CommandError { u"%1 is a scenario of the pack %2, not of %3"_s.arg(
            tree, stage.rules.pack().id, pack.id) };
    return stage;
}

Server::Options serveOptions(const ServeOptions &given)
{
    Server::Options options;
    HttpListener::Options &http = options.http;
    http.port = quint16(given.port);
    http.limits.bodyBytes = 1024 * 1024;
    http.hosts += given.hosts;
    http.address = listenAddress(given.listen, http.address);
    http.token = smallFile(given.tokenFile).trimmed();
    if (!given.tokenFile.isEmpty() && http.token.isEmpty())
        throw CommandError { u"%1: expected a token, found an empty file"_s.arg(given.tokenFile) };
    http.certificate = smallFile(given.certificate);
    http.key = smallFile(given.key);
    if (given.certificate.isEmpty() != given.key.isEmpty())
        throw CommandError { u"expected --cert and --key together, found only one of them"_s };
    options.speed = given.speed;
    options.http.retryAfter = int(given.retryAfter);
    if (!given.noToken)
        options.testToken = freshToken();
    return options;
}

/// Raises the limit of file descriptors, because every connection needs one. Lowers `most` to the
/// system's limit, so that clients beyond it are refused instead of waiting.
void allowManyConnections(int *most)
{
    constexpr int Others = 256; // descriptors of the program itself and of refused clients
    rlimit limit {};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur > rlim_t(Others) && limit.rlim_cur - Others < rlim_t(*most))
        *most = int(limit.rlim_cur) - Others;
}

Proxy::Options proxyOptions(const ServeOptions &given)
{
    const bool servesItself = !given.tree.isEmpty() || !given.certificate.isEmpty()
        || !given.tokenFile.isEmpty() || given.speed != 1 || !given.hosts.isEmpty()
        || given.noToken;
    if (servesItself)
        throw CommandError {
            u"--proxy forwards to another server: it excludes --tree, --speed, --cert, --token-file, --allow-host and --no-token"_s
        };
    Proxy::Options options;
    options.server = QUrl(given.proxy);
    options.port = quint16(given.port);
    options.address = listenAddress(given.listen, options.address);
    options.authorities = smallFile(given.authorities);
    return options;
}

/// Judges the recorded history, unless exchanges may be missing from it.
Exit verdictAtTheEnd(
    const ServeOptions &given, const HistoryRecorder &historyRecorder, const QStringList &missed)
{
    for (const QString &why : missed)
        complain(u"no verdict, because some exchanges may be missing: "_s + why);
    if (!missed.isEmpty()) {
        const HistoryVerdict none { .outcome = HistorySearch::Outcome::NothingJudged };
        return printVerdict(given.format, none, {}, exitOf(none));
    }
    const auto [history, leftOut] = historyRecorder.recorded();
    for (const QString &tree : leftOut)
        complain(notJudgedText(tree));
    const HistoryVerdict verdict =
        valueOf(verdictOn(history, historyRecorder.rules(), { .states = VerdictStates }));
    for (const QString &tree : verdict.notJudged)
        complain(notJudgedText(tree));
    return printVerdict(given.format, verdict, history, exitOf(verdict));
}

Exit serveProxy(const ServeOptions &given)
{
    const Rules rules = valueOf(Rules::make(valueOf(loadPack(given.pack))));
    const Proxy::Options options = proxyOptions(given);
    const ConsoleApplication<QCoreApplication> application;
    const std::unique_ptr<ExchangeLog> file = exchangeLog(given.history);
    Proxy proxy(options);
    HistoryRecorder historyRecorder(rules, u"exchange"_s);
    QObject::connect(&proxy, &Proxy::exchanged, &proxy, [&](const Exchange &exchange) {
        if (!exchange.isOver())
            return;
        historyRecorder.add(exchange, int(exchange.number));
        if (file)
            file->add(exchange);
    });
    QStringList missed;
    QObject::connect(&proxy, &Proxy::missed, &proxy, [&](const QString &why) {
        if (missed.size() < 5)
            missed += why;
    });
    serveUntilStopped(proxy);
    finish(file.get());
    return verdictAtTheEnd(given, historyRecorder, missed);
}

Exit serve(const ServeOptions &given)
{
    if (!given.proxy.isEmpty())
        return serveProxy(given);
    Stage stage = stageToServe(given);
    Server::Options options = serveOptions(given);
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
    static ServeOptions given;
    return { "serve", "Serve a reference controller of a pack over HTTP, until SIGINT or SIGTERM",
        { { "PACK", &given.pack, "The id of a built-in pack, or the file of a pack or scenario" },
            { "--port", &given.port, "The port to listen on; 0 chooses a free one and prints it",
                "N", 0, 65535 },
            { "--listen", &given.listen,
                "The IP address to listen on; the default is 127.0.0.1. Any address but a loopback "
                "one needs --token-file",
                "ADDRESS" },
            { "--token-file", &given.tokenFile,
                "A file with the bearer token that clients must send; by default none is required",
                "FILE" },
            { "--allow-host", &given.hosts,
                "Accept this name in the Host header, too; by default only localhost and the "
                "address listened on are accepted",
                "NAME" },
            { "--no-token", &given.noToken,
                "Accept POST /_instar/... (plans and resets) without a token; by default they "
                "need the token that is printed in the second line" },
            { "--cert", &given.certificate,
                "A file with a certificate (PEM); needs --key and turns TLS on. The default is "
                "plain HTTP",
                "FILE" },
            { "--key", &given.key, "The file with the private key (PEM) of --cert", "FILE" },
            { "--tree", &given.tree,
                "Serve the resources of this scenario; the default is the pack's sample",
                "SCENARIO" },
            { "--proxy", &given.proxy,
                "Forward all requests to this server, and check its answers against the rules of "
                "PACK; by default PACK itself is served",
                "URL" },
            { "--history", &given.history,
                "With --proxy: write each request with its answer to this file, one JSON object a "
                "line; the default is no file",
                "FILE" },
            { "--ca", &given.authorities,
                "With --proxy: a file with certificates (PEM) to trust in addition to the system's",
                "FILE" },
            formatOption(&given.format, { u"text"_s, u"json"_s },
                "With --proxy: format of the verdict at the end"),
            { "--speed", &given.speed, "Speed of the simulated time: its seconds per real second",
                "X", 0.001, 1'000'000 },
            { "--retry-after", &given.retryAfter,
                "Value of the Retry-After header: seconds until a client should poll again", "S", 0,
                86'400 } },
        [] { return serve(given); },
        "Example: a built-in pack at ten times the speed\n"
        "  instar-cli serve %1 --port 8080 --speed 10" };
}

} // namespace instar
