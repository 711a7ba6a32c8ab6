// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/json/jsontext.h"
#include "model/statecharts/conversion.h"
#include "model/statecharts/statecharts.h"

namespace instar {

/// Loaded file with machines in any format: a pack, a scenario (its pack), one machine, or
/// statecharts.
struct MachineFile
{
    QString name;             ///< for messages
    QString format;           ///< "pack", "machine", "scenario", or a statechart notation
    std::optional<Pack> pack; ///< absent for statecharts
    std::optional<Scenario> scenario;
    QList<Statechart> charts;
    QList<Diagnostic> remarks; ///< of reading it

    /// Ids of its machines or statecharts. A statechart without a name gets the file's; a number
    /// makes duplicates unique: "firmware", "firmware-2".
    QStringList ids() const;
};

/// Returns a minimal pack around the machine in a document.
Result<Pack> machinePack(const JsonText &document);

/// Format of a file or a format's name: "pack", "machine", "scenario", "plantuml" ...; empty:
/// unknown.
QString machineFormat(const QString &nameOrFile);
/// Error for an unknown format: suggests the nearest one, and lists all suffixes.
Error noSuchFormat(const QString &name);
/// List of all suffixes, for messages.
QString machineFormatsText();

/// Loads a file. Its format is `format`, else that of its suffix, else of its content. A built-in
/// pack's id may stand for a file.
Result<MachineFile> loadMachines(const QString &idOrFile, const QString &format = {});

/// Reads the statecharts in a text of a notation.
Result<MachineFile> readMachines(
    const QByteArray &text, const QString &name, const QString &notation);

/// Error for an id that no machine or statechart has; without an id: for none or several of them.
Error noSuchMachine(const MachineFile &file, const QString &id);

/// The statechart with an id, converted from a machine if need be; without an id, the only one.
Result<StatechartMade> chartIn(const MachineFile &file, const QString &id = {});
/// All statecharts, or the one with the id.
Result<QList<Statechart>> chartsIn(
    const MachineFile &file, const QString &id, QList<Diagnostic> &remarks);
/// The file's pack, or one made from its statecharts: a type and a resource each. Fails if one of
/// them needs the interpreter.
Result<PackMade> packIn(const MachineFile &file, const QString &id = {});
/// As packIn(), for the window, which runs any statechart: if one of them needs the interpreter,
/// all are converted one to one into rows (see machineOfRows()).
enum class Drawn { AsRows, Always };
Result<PackMade> draftIn(const MachineFile &file, Drawn drawn = Drawn::AsRows);
/// The machine with an id, or one converted from its statechart.
Result<PackMade> machineIn(const MachineFile &file, const QString &id = {});

} // namespace instar
