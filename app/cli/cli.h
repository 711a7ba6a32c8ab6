// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"
#include "model/result.h"

#include <QByteArray>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace instar {

/// How the program ends.
enum class Exit {
    Fine = 0,
    Failed = 1,        ///< an expectation, check or verdict failed, or two packs differ
    Unusable = 2,      ///< bad usage, or input that cannot be read
    Unreachable = 3,   ///< a remote does not answer
    Undecided = 4,     ///< the budget did not suffice for a verdict
    NothingJudged = 5, ///< what was observed does not say enough for a verdict
    Interrupted = 130, ///< by SIGINT; what was found so far is printed
};

/// What the commands can be given; each takes what it knows.
struct Arguments
{
    std::string input;
    std::string format = "text";
    std::string by = "trees";
    std::optional<qint64> until; ///< virtual ms
    std::optional<qint64> limit; ///< of every list; nothing: all
    qint64 maxWorlds = 10'000'000;
    qint64 maxMemory = 2048; ///< MB
    qint64 maxEvents = 1'000'000;
    std::optional<double> maxTime; ///< seconds; nothing: no limit

    // serve
    int port = 0;
    std::vector<std::string> hosts; ///< that clients may name
    bool noToken = false;
    std::string listen, tokenFile, certificate, key, tree, proxy;
    double speed = 1;       ///< virtual ms per real ms
    qint64 retryAfter = 1;  ///< seconds
    qint64 maxBody = 1024;  ///< KiB
    qint64 maxUnsent = 256; ///< MiB
    int maxConnections = 10'000;
    int idleTimeout = 120;             ///< seconds
    std::optional<int> requestTimeout; ///< seconds; nothing: 10 for headers, 60 for a body

    // drive; tokenFile too
    std::string url, pack, history, authorities;
    std::string user, passwordFile, apiKeyFile, apiKeyHeader = "X-Api-Key", apiKeyQuery;
    std::string tokenCommand;
    std::optional<qint64> tolerance; ///< ms; nothing: measured
    double timeout = 3600;           ///< seconds
    std::optional<qint64> poll;      ///< ms between two looks; nothing: as the server is
    bool dryRun = false, create = false;

    // trace, convert, render
    std::string output, from, to, machine, events, conditions;
    std::string theme = "light"; ///< render

    // judge, drive; pack too
    std::vector<std::string> switches; ///< "NAME=VALUE"
    qint64 judgeBudget = VerdictStates;
    bool readings = false, coverage = false;
    std::string next; ///< the file for a scenario that exercises more; empty: none is looked for

    // import
    bool allowOutside = false; ///< references that leave the description's folder are followed

    // diff
    std::string second;
    qint64 maxPairs = 30'000;
    std::vector<std::string> switchesA, switchesB; ///< "NAME=VALUE"

    // completion, manual
    const CLI::App *program = nullptr; ///< what it takes, with all commands

    QString inputName() const;
};

struct Command
{
    const char *name;
    const char *help;
    void (*addOptions)(CLI::App &app, Arguments &arguments);
    Exit (*run)(const Arguments &arguments);
};

// The commands.
Exit listPacks(const Arguments &arguments);
Exit checkFile(const Arguments &arguments);
Exit runScenario(const Arguments &arguments);
Exit exploreScenario(const Arguments &arguments);
Exit serve(const Arguments &arguments);
Exit serveBetween(const Arguments &arguments); ///< with --proxy
Exit driveScenario(const Arguments &arguments);
Exit traceMachine(const Arguments &arguments);
Exit convertFile(const Arguments &arguments);
Exit renderFile(const Arguments &arguments);
Exit diffPacks(const Arguments &arguments);
Exit printRules(const Arguments &arguments);
Exit judgeHistory(const Arguments &arguments);
Exit printCompletion(const Arguments &arguments);
Exit printManual(const Arguments &arguments);
Exit importDescription(const Arguments &arguments);

/// Writes text or JSON to stdout, with visible(); fails where nobody takes it.
Exit print(const QByteArray &text, Exit exit);
/// Into a file, or to stdout where it is called "-"; the bytes as they are.
Exit printTo(const QString &file, const QByteArray &bytes);
/// One line on stderr, whatever the text holds.
Exit complain(const QString &text);
/// Lines on stderr, each with its line feed.
void warn(const QString &lines);
/// A line of progress on stderr that replaces the one before, where a person watches; empty: wipes
/// it.
void showProgress(const QString &text);

/// Columns under each other, two blanks between them; the last one is as wide as it is.
QString table(QList<QStringList> rows);

} // namespace instar
