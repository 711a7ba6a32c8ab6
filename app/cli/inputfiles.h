// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "model/engine/scenario.h"
#include "model/statecharts/machinefile.h"

namespace instar {

// Input of the commands. Each of these functions throws a CommandError that names file and line.

/// Scenario with its pack, and the rules and world to play it on.
struct LoadedScenario
{
    Scenario scenario;
    Stage stage;
    ScenarioPack pack;
};

/// Reads a scenario or lesson, and its pack.
LoadedScenario loadScenario(const QString &file);
/// Like loadScenario(), but throws if a step has alternatives (such as PUT or DELETE), because only
/// the command `explore` tries them all.
LoadedScenario loadScenarioWithoutChoices(const QString &file);

/// Prints the diagnostics of the pack to stderr. Returns `exit`, but replaces Fine by Failed if the
/// pack has errors, because these may have caused the success.
Exit exitAfterWarnings(const LoadedScenario &staged, Exit exit);

/// Reads a pack, or makes one from a file with machines or statecharts. The result has the
/// diagnostics of both steps.
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
