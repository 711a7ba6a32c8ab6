// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/json/scenariofile.h"

#include <QDir>
#include <QFileInfo>

namespace instar {

namespace {

/// A converted file, and remarks on what it cannot express.
struct Converted
{
    QByteArray bytes;
    QList<Diagnostic> remarks;
};

Converted asPack(const MachineFile &file, const QString &machine)
{
    if (file.pack && !machine.isEmpty() && file.format != u"machine")
        throw CommandError { u"%1: a pack is converted as a whole; omit --machine"_s.arg(
            file.name) };
    const PackMade made = valueOf(packIn(file, machine));
    return { writePack(made.pack), made.remarks };
}

Converted asMachine(const MachineFile &file, const QString &machine)
{
    const PackMade made = valueOf(machineIn(file, machine));
    return { rowOutput(made.pack.machines.first()).text(), made.remarks };
}

Converted asScenario(const MachineFile &file, const QString &out)
{
    Scenario scenario;
    if (file.scenario) {
        scenario = *file.scenario;
        const bool isBuiltIn = builtInPacks().contains(scenario.pack);
        scenario.pack = packReference(
            out, isBuiltIn ? scenario.pack : QFileInfo(file.name).dir().filePath(scenario.pack));
    } else if (file.format == u"pack") {
        scenario.pack = packReference(out, file.name);
        scenario.resources = file.pack->sample;
    } else {
        throw CommandError {
            u"%1: a scenario refers to a pack file, and this is none; first convert to .pack.json"_s
                .arg(file.name)
        };
    }
    return { writeScenario(scenario), {} };
}

Converted asCharts(const StatechartFormat &format, const MachineFile &file, const QString &machine,
    const QString &out)
{
    if (!holdsSeveral(format, out) && machine.isEmpty() && file.ids().size() > 1)
        valueOf(chartIn(file)); // throws: OUT can hold only one machine
    QList<Diagnostic> remarks;
    const StatechartsWritten written = format.write(valueOf(chartsIn(file, machine, remarks)));
    return { written.bytes, remarks + written.remarks };
}

Converted converted(
    const MachineFile &file, const QString &format, const QString &machine, const QString &out)
{
    if (const StatechartFormat *notation = statechartFormat(format))
        return asCharts(*notation, file, machine, out);
    if (format == u"machine")
        return asMachine(file, machine);
    if (format == u"scenario")
        return asScenario(file, out);
    return asPack(file, machine);
}

struct ConvertOptions
{
    MachineInput in;
    QString out, to;
};

Exit convertFile(const ConvertOptions &given)
{
    const MachineFile file = valueOf(loadMachines(given.in.file, given.in.format));
    const QString format = machineFormat(given.to.isEmpty() ? given.out : given.to);
    if (format.isEmpty() && !given.to.isEmpty())
        throw CommandError { noSuchFormat(given.to).text };
    if (format.isEmpty())
        throw CommandError {
            u"%1: the suffix names no format to write (%2); name one with --to"_s.arg(
                given.out, machineFormatsText())
        };
    const Converted result = converted(file, format, given.in.machine, given.out);
    printTo(given.out, result.bytes);
    showDiagnostics(given.in.file, file.remarks + result.remarks);
    return Exit::Fine;
}

} // namespace

Command convertCommand()
{
    static ConvertOptions given;
    return { "convert",
        "Write a machine, pack or statechart in another format, by the files' suffixes",
        machineOptions(&given.in)
            + QList<Option> {
                { "OUT", &given.out, "The file to write; - is the standard output" },
                { "--to", &given.to, "Format of OUT; the default follows its suffix", "FORMAT" },
            },
        [] { return convertFile(given); } };
}

} // namespace instar
