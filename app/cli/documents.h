// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QStringList>

namespace CLI {
class App;
}

namespace instar {

/// The program's page for man(1), in roff: every command with its options, as `--help` tells them.
QByteArray manualPage(const CLI::App &program);

/// The shells that completionScript() knows.
QStringList completedShells();

/// What makes a shell complete commands, options, their choices, the ids of built-in packs and
/// files; for the same words as `--help` tells.
QByteArray completionScript(const CLI::App &program, const QString &shell);

} // namespace instar
