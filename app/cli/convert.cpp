// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"
#include "app/cli/machine.h"
#include "model/formats/library.h"
#include "model/formats/pack.h"
#include "model/formats/reading.h"
#include "model/formats/scenario.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What is written, and what could not be.
struct Converted
{
    QByteArray bytes;
    QList<Remark> remarks;
};

Result<Converted> asPack(const MachineFile &file, const QString &machine)
{
    if (file.pack && !machine.isEmpty() && file.format != u"machine")
        return Error { u"%1: a pack is converted whole; leave --machine out"_s.arg(file.name) };
    const Result<PackMade> made = packIn(file, machine);
    if (!made)
        return Error { made.error() };
    return Converted { writePack(made->pack), made->remarks };
}

Result<Converted> asMachine(const MachineFile &file, const QString &machine)
{
    const Result<PackMade> made = machineIn(file, machine);
    if (!made)
        return Error { made.error() };
    return Converted { rowOutput(made->pack.machines.first()).text(), made->remarks };
}

/// Scenarios name their pack as seen from where they are.
QString packName(const QString &pack, const QString &from, const QString &to)
{
    if (builtInPacks().contains(pack))
        return pack;
    const QString whole = from.isEmpty() ? pack : QDir(from).filePath(pack);
    return QFileInfo(to).absoluteDir().relativeFilePath(QFileInfo(whole).absoluteFilePath());
}

Result<Converted> asScenario(const MachineFile &file, const QString &out)
{
    Scenario scenario;
    if (file.scenario) {
        scenario = *file.scenario;
        scenario.pack = packName(scenario.pack, QFileInfo(file.name).path(), out);
    } else if (file.format == u"pack") {
        scenario.pack = packName(file.name, {}, out);
        scenario.resources = file.pack->sample;
    } else {
        return Error {
            u"%1: a scenario needs a pack to speak of; convert to .pack.json first"_s.arg(file.name)
        };
    }
    return Converted { writeScenario(scenario), {} };
}

Result<Converted> asCharts(const StatechartFormat &format, const MachineFile &file,
    const QString &machine, const QString &out)
{
    if (!format.write)
        return Error { whyNotRead(format) };
    if (!holdsSeveral(format, out) && machine.isEmpty() && file.ids().size() > 1) { // one a file
        const Result<StatechartMade> which = chartIn(file);
        if (!which)
            return Error { which.error() };
    }
    QList<Remark> remarks;
    const Result<QList<Statechart>> charts = chartsIn(file, machine, remarks);
    if (!charts)
        return Error { charts.error() };
    const StatechartsWritten written = format.write(*charts);
    return Converted { written.bytes, remarks + written.remarks };
}

Result<Converted> converted(
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

} // namespace

Exit convertFile(const Arguments &arguments)
{
    const QString name = arguments.inputName();
    const QString out = QFile::decodeName(QByteArray::fromStdString(arguments.output));
    const QString wish = QString::fromStdString(arguments.to);
    const Result<MachineFile> file = loadMachines(name, QString::fromStdString(arguments.from));
    if (!file)
        return complain(file.error());
    const QString format = machineFormat(wish.isEmpty() ? out : wish);
    if (format.isEmpty() && !wish.isEmpty())
        return complain(noSuchFormat(wish).text);
    if (format.isEmpty())
        return complain(u"%1: its name does not say what to write (%2); say it with --to"_s.arg(
            out, machineFormatsText()));
    const Result<Converted> result =
        converted(*file, format, QString::fromStdString(arguments.machine), out);
    if (!result)
        return complain(result.error());
    const Exit exit = printTo(out, result->bytes);
    if (exit == Exit::Fine)
        showRemarks(name, file->remarks + result->remarks);
    return exit;
}

} // namespace instar
