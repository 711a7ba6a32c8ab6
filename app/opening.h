// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/settings.h"
#include "model/engine/lesson.h"
#include "model/explore/rehearsal.h"
#include "model/remote/remotecontroller.h"
#include "model/result.h"
#include "views/document/document.h"
#include "views/panels/startpage.h"

#include <memory>

class QThread;

namespace instar {

class Progress;

/// Content of a new window: a pack's rules, an initial world and perhaps a scenario to play; or a
/// real server.
struct Opened
{
    QString source; ///< id of a built-in pack, or a file
    QString pack;   ///< id of the built-in pack in use, or the pack's file
    QString title;
    Rules rules;
    World world;
    std::optional<Scenario> scenario;
    std::optional<RemoteController::Options> server; ///< if set, the world is ignored
    QStringList diagnostics; ///< of reading and checking the file: "file:line: warning: text"
    Pack draft;              ///< the pack as in the file; `rules` omits rows that cannot run
    QByteArray text;         ///< of the file; empty if its format cannot be written
    QString asPack;          ///< why the file is saved as a pack; empty: in its own format
    std::optional<Document::Snapshot> past; ///< edits before a crash
    /// Simulator with a run that was played; null: none. The simulator has its own rules and world,
    /// which replace `rules` and `world`.
    std::unique_ptr<Simulator> simulator;
    Played played;
    std::optional<Lesson> lesson; ///< starts at the initial world
};

/// Returns the absolute path of a file, or the id of a built-in pack unchanged.
QString absoluteSource(const QString &source);

/// Loads a built-in pack by its id, or a file: a pack, scenario or lesson; or a machine,
/// statecharts or API description, from which it makes a pack.
Result<Opened> loadSource(const QString &source);

/// Restores a document with its undo history after a crash.
Result<Opened> loadRecovered(const Document::Snapshot &past);

/// Like loadSource(), and plays the scenario. Runs on any thread; moves the simulator to `home`.
Result<Opened> loadAndPlay(const QString &source, Progress &progress, QThread *home);

/// Like loadSource(), but replays the run of the last session with the run's branches. Fails if a
/// branch contains names that the pack no longer knows.
Result<Opened> loadRun(const Settings::Open &open);

/// Plays a trace on a pack and jumps back to its beginning. `name`: source of the pack.
Result<Opened> loadTrace(
    const Pack &pack, const QString &name, const Scenario &trace, QThread *home);

/// Plays a previewed trace in a new simulator of `stage`, and jumps back to the beginning.
Opened loadRehearsal(const Stage &stage, const Rehearsal::Trace &trace);

/// Name filters of a file dialog: "All supported files (*.json *.puml ...);;...".
QString openingFilter();

/// First sentence of a scenario's description, or the name of its file.
QString scenarioTitle(const QString &file);

/// Templates for new packs: Qt resource files and their titles.
QList<StartPage::Start> newPacks();
/// Returns true if the pack still has the id and title of a template.
bool isFromTemplate(const Pack &pack);

/// Names of the Qt resource files with a pack's built-in scenarios.
QStringList builtInScenarios(const QString &packId);

/// Built-in lesson.
struct LessonInfo
{
    QString file, pack, title;
    QString rules; ///< ids of the rules that it teaches: "R6 · R9 · 4.3 d"
    bool operator==(const LessonInfo &) const = default;
};

/// The lessons of all built-in packs, in the order of the packs.
QList<LessonInfo> builtInLessons();

/// The next lesson of the same pack; its file is empty if there is none.
LessonInfo lessonAfter(const QString &file);

} // namespace instar
