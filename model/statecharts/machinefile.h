// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/json/jsontext.h"
#include "model/statecharts/conversion.h"
#include "model/statecharts/statecharts.h"

namespace instar {

/// A file that has machines in it, whatever its format: a pack, a scenario (its pack), one machine,
/// or statecharts.
struct MachineFile
{
    QString name;             ///< what messages call it
    QString format;           ///< "pack", "machine", "scenario", or that of a statechart
    std::optional<Pack> pack; ///< none for statecharts
    std::optional<Scenario> scenario;
    QList<Statechart> charts;
    QList<Diagnostic> remarks; ///< of reading it

    /// What its machines or statecharts are chosen by. A statechart without a name has the file's,
    /// and where a name is taken, a number follows: "firmware", "firmware-2".
    QStringList ids() const;
};

/// A small pack around the machine in a document.
Result<Pack> machinePack(const JsonText &document);

/// By a file's name or a format's: "pack", "machine", "scenario", "plantuml", ".puml" ...; empty:
/// none.
QString machineFormat(const QString &nameOrFile);
/// Where a name is that of no format: the nearest that there is, and all suffixes.
Error noSuchFormat(const QString &name);
/// What suffixes there are, for messages.
QString machineFormatsText();

/// `format` speaks where it is not empty, else the file's name, else what is in it. A built-in
/// pack's id is as good as a file.
Result<MachineFile> loadMachines(const QString &idOrFile, const QString &format = {});

/// Statecharts in a text, in a notation of that name.
Result<MachineFile> readMachines(
    const QByteArray &text, const QString &name, const QString &notation);

/// Of a file in which no machine or statechart has that id; without one: in which not just one is.
Error noSuchMachine(const MachineFile &file, const QString &id);

/// The statechart of that id, made from a machine if need be; without an id there must be one only.
Result<StatechartMade> chartIn(const MachineFile &file, const QString &id = {});
/// All of them, or the one of that id.
Result<QList<Statechart>> chartsIn(
    const MachineFile &file, const QString &id, QList<Diagnostic> &remarks);
/// Its pack, or one made from its statecharts: a type and a resource each. An error where one of
/// them needs the interpreter.
Result<PackMade> packIn(const MachineFile &file, const QString &id = {});
/// The same for the window, which draws, edits and runs any statechart: if one of them needs the
/// interpreter, all are as they are, as rows (see machineOfRows()).
enum class Drawn { IfNeeded, Always };
Result<PackMade> draftIn(const MachineFile &file, Drawn drawn = Drawn::IfNeeded);
/// The machine of that id, or one made from its statechart.
Result<PackMade> machineIn(const MachineFile &file, const QString &id = {});

} // namespace instar
