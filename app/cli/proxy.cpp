// SPDX-License-Identifier: Apache-2.0
#include "model/remote/proxy.h"

#include "app/cli/cli.h"
#include "app/cli/stop.h"
#include "app/cli/verdict.h"
#include "model/formats/historyfile.h"
#include "model/formats/library.h"
#include "model/remote/chronicle.h"

#include <QCoreApplication>
#include <QFile>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Result<Proxy::Options> proxyOptions(const Arguments &arguments)
{
    const bool servesItself = !arguments.tree.empty() || !arguments.certificate.empty()
        || !arguments.tokenFile.empty() || arguments.speed != 1 || !arguments.hosts.empty()
        || arguments.noToken;
    if (servesItself)
        return Error {
            u"--proxy passes on what another server says: --tree, --speed, --cert, --token-file, --allow-host and --no-token do not go with it"_s
        };
    Proxy::Options options;
    options.server = QUrl(QString::fromStdString(arguments.proxy));
    options.port = quint16(arguments.port);
    options.mostConnections = arguments.maxConnections;
    if (!arguments.listen.empty()
        && !options.address.setAddress(QString::fromStdString(arguments.listen)))
        return Error { u"--listen expects an IP address, found \"%1\""_s.arg(
            QString::fromStdString(arguments.listen)) };
    if (arguments.authorities.empty())
        return options;
    const Result<QByteArray> authorities =
        fileBytes(QFile::decodeName(QByteArray::fromStdString(arguments.authorities)), 1024 * 1024);
    if (!authorities)
        return Error { authorities.error() };
    options.authorities = *authorities;
    return options;
}

/// What was seen is judged, unless something may have happened unseen.
Exit verdictAtTheEnd(
    const Arguments &arguments, const Chronicle &chronicle, const QStringList &missed)
{
    for (const QString &why : missed)
        complain(u"not judged: something may have happened that nobody saw: "_s + why);
    if (!missed.isEmpty()) {
        const HistoryVerdict none { .outcome = HistorySearch::Outcome::NothingJudged };
        return arguments.format == "json" ? print(verdictDocument(none), exitOf(none))
                                          : print(verdictPlain(none, {}), exitOf(none));
    }
    for (const QString &tree : chronicle.leftOut())
        complain(notJudgedText(tree));
    const History history = chronicle.history();
    const Result<HistoryVerdict> verdict =
        verdictOn(history, chronicle.rules(), { .states = arguments.judgeBudget });
    if (!verdict)
        return complain(verdict.error());
    for (const QString &tree : verdict->notJudged)
        complain(notJudgedText(tree));
    return arguments.format == "json" ? print(verdictDocument(*verdict), exitOf(*verdict))
                                      : print(verdictPlain(*verdict, history), exitOf(*verdict));
}

} // namespace

Exit serveBetween(const Arguments &arguments)
{
    const Result<Pack> pack = loadPack(arguments.inputName());
    if (!pack)
        return complain(pack.error());
    const Result<Rules> rules = Rules::make(*pack);
    if (!rules)
        return complain(rules.error());
    const Result<Proxy::Options> options = proxyOptions(arguments);
    if (!options)
        return complain(options.error());
    int argc = 1;
    char name[] = "instar-cli";
    char *argv[] = { name, nullptr };
    const QCoreApplication application(argc, argv);
    std::optional<HistoryFile> file;
    if (!arguments.history.empty()) {
        file.emplace(QFile::decodeName(QByteArray::fromStdString(arguments.history)));
        if (!file->problem().isEmpty())
            return complain(file->problem());
    }
    Proxy proxy(*options);
    Chronicle chronicle(*rules, u"exchange"_s);
    QObject::connect(&proxy, &Proxy::exchanged, &proxy, [&](const Exchange &exchange) {
        if (!exchange.isOver())
            return;
        chronicle.add(exchange, int(exchange.number));
        if (file)
            file->add(exchange);
    });
    QStringList missed;
    QObject::connect(&proxy, &Proxy::missed, &proxy, [&](const QString &why) {
        if (missed.size() < 5)
            missed += why;
    });
    QObject::connect(
        &proxy, &Proxy::closed, &application, &QCoreApplication::quit, Qt::QueuedConnection);
    if (const Result<quint16> port = proxy.listen(); !port)
        return complain(port.error());
    const StopSignals stop([&] { proxy.close(2000); });
    if (!stop.isGood())
        return complain(u"no pipe can be opened"_s);
    const Exit printed = print(u"listening on %1\n"_s.arg(proxy.origin()).toUtf8(), Exit::Fine);
    if (printed != Exit::Fine)
        return printed;
    QCoreApplication::exec();
    if (file)
        file->finish();
    if (file && !file->problem().isEmpty())
        return complain(file->problem());
    return verdictAtTheEnd(arguments, chronicle, missed);
}

} // namespace instar
