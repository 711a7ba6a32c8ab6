// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "model/engine/scenario.h"
#include "model/statecharts/machinefile.h"

namespace instar {

// Input of the commands. Each of these functions throws a CommandError that names file and line.

/// Scenario, ready to be played, with its pack.
struct Staged
{
    Scenario scenario;
    Stage stage;
    ScenarioPack pack;
};

/// Reads a scenario or lesson, and its pack.
Staged stagedScenario(const QString &file);
/// Like stagedScenario(), but throws if a step offers a choice, which only `explore` can try.
Staged runnableScenario(const QString &file);

/// Prints the diagnostics of the pack to stderr. Returns `exit`, but Failed instead of Fine if the
/// pack has errors, since these may have caused the result.
Exit exitAfterWarnings(const Staged &staged, Exit exit);

/// Reads a pack, or makes one from a file of machines or statecharts; returns all diagnostics, too.
PackMade packFrom(const QString &name);

/// Parses "NAME=VALUE" of the pack's switches; errors begin with `prefix`.
Switches switchesIn(const Pack &pack, const QStringList &texts, const QString &prefix = {});

/// Reads a file of at most 1 MiB; returns no bytes if the name is empty.
QByteArray smallFile(const QString &name);

/// Joins texts to lines, without control characters.
QString linesOf(const QStringList &texts);

/// Prints the first 1000 diagnostics to stderr, one a line: "file:line: warning: text".
void showDiagnostics(const QString &file, const QList<Diagnostic> &diagnostics);

} // namespace instar
