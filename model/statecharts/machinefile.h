// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/json/jsontext.h"
#include "model/json/lessonfile.h"
#include "model/statecharts/conversion.h"
#include "model/statecharts/machinechart.h"
#include "model/statecharts/statecharts.h"

namespace instar {

/// Loaded file with machines: a pack, a scenario with its pack, one machine, or statecharts.
struct MachineFile
{
    QString name;             ///< name of the file in messages
    QString format;           ///< "pack", "machine", "scenario", or a statechart notation
    std::optional<Pack> pack; ///< absent for statecharts
    std::optional<Scenario> scenario;
    QList<Statechart> charts;
    QList<Diagnostic> remarks; ///< losses and notes of reading the file

    /// Returns unique ids of the machines or statecharts. A statechart without a name gets the name
    /// of the file; the second of two equal names gets a number: "firmware-2".
    QStringList ids() const;
};

/// Reads a single machine, and returns it in a minimal pack.
Result<Pack> machinePack(const JsonText &document);

/// Returns the format with a name, or with the suffix of a file: "pack", "machine", "scenario",
/// "plantuml" and so on; empty if it is unknown.
QString machineFormat(const QString &nameOrFile);
/// Returns the error for an unknown format, which suggests the nearest format and lists suffixes.
Error noSuchFormat(const QString &name);
/// Returns the list of all suffixes, for messages.
QString machineFormatsText();

/// Loads a file or a built-in pack. If `format` is empty, the suffix or else the content decides.
Result<MachineFile> loadMachines(const QString &idOrFile, const QString &format = {});

/// Reads the statecharts in a text; `notation` is a format of statecharts.
Result<MachineFile> readMachines(
    const QByteArray &text, const QString &name, const QString &notation);

/// Returns the error for an id that no machine or statechart of the file has; without an id, the
/// error for a file that contains no machine, or several of which one must be chosen.
Error noSuchMachine(const MachineFile &file, const QString &id);

/// Returns the machine with the id as a statechart; without an id, the only machine.
Result<StatechartMade> chartIn(const MachineFile &file, const QString &id = {});
/// Returns the statechart with the id; without an id, all. Adds conversion losses to `remarks`.
Result<QList<Statechart>> chartsIn(
    const MachineFile &file, const QString &id, QList<Diagnostic> &remarks);
/// Returns the file's pack. Statecharts are converted to a pack, each with one type and one
/// resource; this fails if one has history, regions or raised events: see needsInterpreter().
Result<PackMade> packIn(const MachineFile &file, const QString &id = {});
/// When draftIn() keeps all statecharts as drawn: only if one cannot be converted, or always.
enum class Drawn { IfNeeded, Always };
/// Returns the file's pack for the window, which can also run statecharts as drawn. Statecharts are
/// converted as in packIn(), or kept as drawn: as machines with one row for each arrow.
Result<PackMade> draftIn(const MachineFile &file, Drawn drawn = Drawn::IfNeeded);
/// Returns a pack with the machine of an id, or with the statechart of that id as a machine.
Result<PackMade> machineIn(const MachineFile &file, const QString &id = {});

/// Pack that a scenario names: a built-in one, or a file relative to the scenario's; a machine or
/// statecharts are converted to a small pack.
struct ScenarioPack
{
    Pack pack;
    QStringList losses; ///< of converting statecharts: "file:line: warning: text [rule]"
    QStringList errors; ///< of check(), in the same form; the pack may still run
};
/// Loads and checks the pack of a scenario. Fails if the pack does not exist or cannot be read.
Result<ScenarioPack> scenarioPack(const JsonText &scenario);

/// Lesson as read from its file, with its pack.
struct LessonFile
{
    LessonDraft draft; ///< the diagnostics include the error of loading the pack
    ScenarioPack pack;
};

/// Loads a lesson and its pack. Fails if the file does not exist or is too large.
Result<LessonFile> loadLesson(const QString &file);

/// Lesson that is ready to be played.
struct StagedLesson
{
    Lesson lesson;
    Stage stage;
    ScenarioPack pack;
};
/// Loads a lesson; makes its rules and initial world. The error is a sentence with file and line.
Result<StagedLesson> stagedLesson(const QString &file);

} // namespace instar
