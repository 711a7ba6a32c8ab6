// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// What a window shows: a pack's rules, a world to begin with, and a scenario to play if there is
/// one; or a real server.
struct Opened
{
    QString source; ///< a built-in pack's id, or a file
    QString pack;   ///< where its pack is from: a built-in one's id, or a file
    QString title;
    Rules rules;
    World world;
    std::optional<Scenario> scenario;
    std::optional<RemoteController::Options> server; ///< then the world is its own
    QStringList losses;  ///< what of the file is not in it: "file:line: warning: text"
    QStringList guesses; ///< where a description was silent; likewise, with what is lost of it
    Pack draft;          ///< the pack as its file has it; what cannot run of it is not in the rules
    QByteArray text;     ///< of the pack's file, where it is one that can be written back
    QStringList errors;  ///< what check() finds wrong in the pack: "file:line: error: text"
    QString asPack;      ///< why what was none is saved as a pack; empty: it is not
    std::optional<Document::Past> past; ///< what was done to it before; else nothing was
    /// Where the scenario was played: at its beginning, and knows everything that happens. It then
    /// has the rules and the world.
    std::unique_ptr<Simulator> simulator;
    Played played;
    std::optional<Lesson> lesson; ///< to be followed from the beginning of the world
};

/// A built-in pack's id as it is, of a file its absolute path: what was opened must not become
/// another file where the program runs in another folder.
QString absoluteSource(const QString &source);

/// A built-in pack by its id, the file of a pack, a scenario, a lesson, a machine, statecharts or
/// an API's description; of the last three a pack is made. Switches are for packs; a scenario has
/// its own.
Result<Opened> opened(const QString &source, const Switches &switches = {});

/// A built-in pack by its id, or whatever of a file can be one.
Result<Pack> anyPackOf(const QString &source);

/// A document that is gone on with.
Result<Opened> openedAgain(const Document::Past &past);

/// The same with its scenario played; on any thread. What it is goes to the thread `home`.
Result<Opened> openedAndPlayed(
    const QString &source, const Switches &switches, Progress &progress, QThread *home);

/// The same where something else had been asked: `run` is the text of a scenario, played until
/// `time` and shown at `moment`. An error where the pack does not understand it any more.
Result<Opened> openedAsItRan(
    const QString &source, const QByteArray &run, qint64 time, qint64 moment);

/// A trace on a pack, played and back at its beginning. `name`: where the pack is from.
Result<Opened> openedTrace(
    const Pack &pack, const QString &name, const Scenario &trace, QThread *home);

/// A trace on a stage of its own, at its beginning.
Opened openedPlayed(const Stage &stage, const Rehearsal::Trace &trace);

/// Name filters of a file dialog: "All supported files (*.json *.puml ...);;...".
QString openingFilter();

/// What a scenario says of itself.
struct ScenarioWords
{
    QString title; ///< its first sentence, or its file's name
    QString about; ///< all of it
};
ScenarioWords scenarioWords(const QString &file);

/// Small packs to begin one's own with: resource files, and their titles.
QList<StartPage::Start> newPacks();
/// Whether it still has the id and title of one of those.
bool isFromTemplate(const Pack &pack);

/// The scenarios that come with the program for a pack: resource files.
QStringList builtInScenarios(const QString &packId);

/// A lesson that comes with the program.
struct LessonInfo
{
    QString file, pack, title;
    QString rules; ///< that it shows: "R6 · R9 · 4.3 d"
    bool operator==(const LessonInfo &) const = default;
};

/// Those of each system, systems in their usual order.
QList<LessonInfo> builtInLessons();

/// The one after a lesson of the same system; without a file: there is none.
LessonInfo lessonAfter(const QString &file);

} // namespace instar
