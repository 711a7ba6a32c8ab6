// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "model/engine/scenario.h"
#include "model/statecharts/machinefile.h"

namespace instar {

// What commands are given; each of these functions throws a CommandError that names file and line.

/// A scenario that is ready to be played.
struct Staged
{
    Scenario scenario;
    Stage stage;
    QStringList packLosses; ///< what of the statecharts is not in the pack, a line each
    QStringList packErrors; ///< what check() finds wrong in the pack's file, a line each
};

/// Reads a scenario, or a lesson, and its pack.
Staged stagedScenario(const QString &file);
/// The same of a scenario that leaves no choice, so that it can be run.
Staged runnableScenario(const QString &file);

/// Says on stderr what is wrong with the pack. A result that an error in it may have led to is
/// none.
Exit warned(const Staged &staged, Exit exit);

/// A pack, or what a file of machines or statecharts is as one, with all that is to be said of it.
PackMade packFrom(const QString &name);

/// "NAME=VALUE" of switches that the pack has; `before` begins the error.
Switches switchesIn(const Pack &pack, const QStringList &texts, const QString &before = {});

/// The bytes of a small file; empty: none is named.
QByteArray smallFile(const QString &name);

/// One line each, without control characters.
QString linesOf(const QStringList &texts);

/// One line on stderr each: "file:line: warning: text"; of very many the first ones.
void showDiagnostics(const QString &file, const QList<Diagnostic> &remarks);

} // namespace instar
