// SPDX-License-Identifier: Apache-2.0
#include "model/remote/proxy.h"

#include "app/cli/inputs.h"
#include "app/cli/results.h"
#include "app/cli/serving.h"
#include "model/formats/library.h"
#include "model/remote/historyrecorder.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Proxy::Options proxyOptions(const Arguments &arguments)
{
    const bool servesItself = !arguments.tree.isEmpty() || !arguments.certificate.isEmpty()
        || !arguments.tokenFile.isEmpty() || arguments.speed != 1 || !arguments.hosts.isEmpty()
        || arguments.noToken;
    if (servesItself)
        throw CommandError {
            u"--proxy passes on what another server says: --tree, --speed, --cert, --token-file, --allow-host and --no-token do not go with it"_s
        };
    Proxy::Options options;
    options.server = QUrl(arguments.proxy);
    options.port = quint16(arguments.port);
    options.mostConnections = int(arguments.maxConnections);
    options.address = listenAddress(arguments, options.address);
    options.authorities = smallFile(arguments.authorities);
    return options;
}

/// What was seen is judged, unless something may have happened unseen.
Exit verdictAtTheEnd(
    const Arguments &arguments, const HistoryRecorder &historyRecorder, const QStringList &missed)
{
    for (const QString &why : missed)
        complain(u"not judged: something may have happened that nobody saw: "_s + why);
    if (!missed.isEmpty()) {
        const HistoryVerdict none { .outcome = HistorySearch::Outcome::NothingJudged };
        return printVerdict(arguments.format, none, {}, exitOf(none));
    }
    for (const QString &tree : historyRecorder.leftOut())
        complain(notJudgedText(tree));
    const History history = historyRecorder.history();
    const HistoryVerdict verdict =
        valueOf(verdictOn(history, historyRecorder.rules(), { .states = arguments.judgeBudget }));
    for (const QString &tree : verdict.notJudged)
        complain(notJudgedText(tree));
    return printVerdict(arguments.format, verdict, history, exitOf(verdict));
}

} // namespace

/// `serve` with --proxy.
Exit serveBetween(const Arguments &arguments)
{
    const Rules rules = valueOf(Rules::make(valueOf(loadPack(arguments.input))));
    const Proxy::Options options = proxyOptions(arguments);
    const ConsoleApplication<QCoreApplication> application;
    HistoryOutput file(arguments);
    Proxy proxy(options);
    HistoryRecorder historyRecorder(rules, u"exchange"_s);
    QObject::connect(&proxy, &Proxy::exchanged, &proxy, [&](const Exchange &exchange) {
        if (!exchange.isOver())
            return;
        historyRecorder.add(exchange, int(exchange.number));
        file.add(exchange);
    });
    QStringList missed;
    QObject::connect(&proxy, &Proxy::missed, &proxy, [&](const QString &why) {
        if (missed.size() < 5)
            missed += why;
    });
    serveUntilStopped(proxy);
    valueOf(file.finish());
    return verdictAtTheEnd(arguments, historyRecorder, missed);
}

} // namespace instar
