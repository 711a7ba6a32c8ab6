// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "model/formats/historyfile.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QSocketNotifier>

#include <functional>
#include <optional>

namespace instar {

// What commands that talk to the network share.

/// Qt's application object of a command that needs one.
template<typename Application>
struct ConsoleApplication
{
    int count = 1;
    char name[11] = "instar-cli";
    char *words[2] = { name, nullptr };
    Application application { count, words };
};

/// Lets a program that waits for events end in order: from now on SIGINT and SIGTERM call `stop`,
/// once, in the event loop. There is one at a time.
class StopSignals
{
public:
    explicit StopSignals(std::function<void()> stop);

private:
    std::optional<QSocketNotifier> m_notifier;
};

/// The address that --listen names, else the usual one.
QHostAddress listenAddress(const Arguments &arguments, const QHostAddress &usual);

/// Listens, says where, with `more` lines, and serves until a signal asks it to stop.
template<typename Served>
void serveUntilStopped(Served &server, const QByteArray &more = {})
{
    valueOf(server.listen());
    const StopSignals stop([&] { server.close(2000); });
    QObject::connect(&server, &Served::closed, qApp, &QCoreApplication::quit, Qt::QueuedConnection);
    print(QStringLiteral("listening on %1\n").arg(server.origin()).toUtf8() + more);
    QCoreApplication::exec();
}

/// The file of --history; where none is named nothing is written.
class HistoryOutput
{
public:
    explicit HistoryOutput(const Arguments &arguments);
    void add(const Exchange &exchange);
    /// Ends the file; the error says what could not be written.
    Result<bool> finish();

private:
    std::optional<HistoryFile> m_file;
};

} // namespace instar
