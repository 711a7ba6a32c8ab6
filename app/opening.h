// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/remote/remotecontroller.h"
#include "model/result.h"

namespace instar {

/// What a window shows: a pack's rules, a world to begin with, and a scenario to play if there is
/// one; or a real server.
struct Opened
{
    QString source; ///< a built-in pack's id, or a file
    QString title;
    Rules rules;
    World world;
    std::optional<Scenario> scenario;
    std::optional<RemoteController::Options> server; ///< then the world is its own
};

/// A built-in pack by its id, a pack's file, or a scenario's file. Switches are for packs; a
/// scenario has its own.
Result<Opened> opened(const QString &source, const Switches &switches = {});

/// The scenarios that come with the program for a pack: resource files.
QStringList builtInScenarios(const QString &packId);

} // namespace instar
