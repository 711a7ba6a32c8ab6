// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/machinefile.h"

#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/json/scenariofile.h"
#include "model/pack/nearest.h"
#include "model/pack/runnablepack.h"
#include "model/statecharts/chartplan.h"
#include "model/statecharts/chartrules.h"

#include <QDir>
#include <QFileInfo>

namespace instar {

namespace {

const QStringList jsonFormats { u"pack"_s, u"machine"_s, u"scenario"_s };

/// Returns ".pack.json" for "pack".
QString jsonSuffix(const QString &format)
{
    return u'.' + format + u".json"_s;
}

/// Returns "door" for "/home/me/door.machine.json".
QString baseName(const QString &file)
{
    QString name = QFileInfo(file).fileName();
    for (const QString &format : jsonFormats) {
        if (name.endsWith(jsonSuffix(format)))
            return name.chopped(jsonSuffix(format).size());
    }
    for (const StatechartFormat &format : statechartFormats()) {
        for (const QString &suffix : format.suffixes) {
            if (name.endsWith(suffix, Qt::CaseInsensitive) && name.size() > suffix.size())
                return name.chopped(suffix.size());
        }
    }
    return QFileInfo(name).completeBaseName();
}

QString formatByContent(const JsonText &document)
{
    const Value root = document.root();
    if (root.find("machines"))
        return u"pack"_s;
    if (root.find("states"))
        return u"machine"_s;
    return root.find("pack") || root.find("steps") ? u"scenario"_s : u"pack"_s;
}

Result<MachineFile> readScenarioDocument(const JsonText &document, MachineFile file)
{
    Result<ScenarioPack> pack = scenarioPack(document);
    if (!pack)
        return Error { pack.error() };
    Result<Scenario> scenario = readScenario(document, pack->pack);
    if (!scenario)
        return Error { scenario.error() };
    file.pack = std::move(pack->pack);
    file.scenario = *std::move(scenario);
    return file;
}

Result<MachineFile> readCharts(const StatechartFormat &format, const QString &path)
{
    if (!format.read)
        return Error { u"%1: %2"_s.arg(path, whyNotRead(format)) };
    const Result<QByteArray> bytes = fileBytes(path, packBytes);
    if (!bytes)
        return Error { bytes.error() };
    return readMachines(*bytes, path, format.name);
}

Result<MachineFile> readJson(const JsonText &document, MachineFile file)
{
    if (file.format.isEmpty())
        file.format = formatByContent(document);
    if (file.format == u"scenario")
        return readScenarioDocument(document, std::move(file));
    Result<Pack> pack = file.format == u"machine" ? machinePack(document) : readPack(document);
    if (!pack)
        return Error { pack.error() };
    file.pack = *std::move(pack);
    return file;
}

/// Returns the index of the machine or chart with an id; for an empty id, of the only machine or
/// chart. -1: none, or several for an empty id.
qsizetype indexOf(const MachineFile &file, const QString &id)
{
    const QStringList ids = file.ids();
    return id.isEmpty() ? (ids.size() == 1 ? 0 : -1) : ids.indexOf(id);
}

/// Returns unique names of charts: their ids, else names derived from the file's name.
QStringList chartNames(const MachineFile &file)
{
    QStringList result(file.charts.size());
    QSet<QString> taken;
    for (qsizetype i = 0; i < result.size(); ++i) {
        if (const QString &id = file.charts[i].id; !id.isEmpty() && !taken.contains(id)) {
            taken.insert(id);
            result[i] = id;
        }
    }
    QString base = baseName(file.name);
    if (base.isEmpty())
        base = u"machine"_s;
    for (qsizetype i = 0; i < result.size(); ++i) {
        if (!result[i].isEmpty())
            continue;
        const QString &wish = file.charts[i].id.isEmpty() ? base : file.charts[i].id;
        result[i] = *taken.insert(freshName(wish, taken, "-"));
    }
    return result;
}

void addNew(auto &list, const auto &rows)
{
    for (const auto &row : rows)
        if (!list.contains(row))
            list.append(row);
}

/// Merges the packs that `make` returns for all statecharts, or for the one with the id.
Result<PackMade> mergedPacks(
    const MachineFile &file, const QString &id, Result<PackMade> (*make)(const Statechart &chart))
{
    std::optional<PackMade> merged;
    const QStringList ids = file.ids();
    for (qsizetype i = 0; i < ids.size(); ++i) {
        if (!id.isEmpty() && ids[i] != id)
            continue;
        Statechart chart = file.charts[i];
        chart.id = ids[i];
        Result<PackMade> made = make(chart);
        if (!made)
            return Error { u"%1: %2"_s.arg(file.name, made.error()) };
        if (!merged) {
            merged = *std::move(made);
            continue;
        }
        Pack &pack = merged->pack, &part = made->pack;
        Machine &machine = part.machines.first();
        Type &type = part.types.first();
        machine.id = freshName(machine.id, idsOf(pack.machines));
        type.path = freshName(type.path, idsOf(pack.types));
        type.machine = machine.id;
        part.sample.first().path = u'/' + type.path + u"/one"_s;
        addNew(pack.outcomes, part.outcomes);
        addNew(pack.operations, part.operations);
        pack.machines += part.machines;
        pack.types += part.types;
        pack.sample += part.sample;
        merged->remarks += made->remarks;
    }
    return *std::move(merged);
}

/// Returns a pack that holds the chart unchanged; only the interpreter can run it.
Result<PackMade> drawnPack(const Statechart &chart)
{
    const Result<ChartPlan> plan = planOf(chart);
    PackMade made { packAround(machineOfRows(chart)), plan ? plan->remarks : QList<Diagnostic>() };
    for (const Transition &row : made.pack.machines.first().transitions) {
        for (const QString &trigger : row.on) {
            if (plan && plan->isCompletion(trigger)) // raised by the chart itself: no operation
                addNew(made.pack.outcomes,
                    QList { Outcome { .id = trigger, .status = u"Succeeded"_s } });
        }
    }
    return made;
}

Result<StatechartMade> chartOf(const MachineFile &file, qsizetype index)
{
    if (!file.pack)
        return StatechartMade { file.charts[index], {} };
    QMap<QString, QString> switches;
    for (const Switch &row : file.pack->switches)
        switches.insert(row.id, row.defaultValue);
    if (file.scenario)
        switches.insert(file.scenario->switches);
    Result<StatechartMade> made = statechartOf(file.pack->machines[index], switches);
    if (!made)
        return Error { u"%1: %2"_s.arg(file.name, made.error()) };
    return made;
}

} // namespace

QStringList MachineFile::ids() const
{
    return pack ? idsOf(pack->machines) : chartNames(*this);
}

Result<Pack> machinePack(const JsonText &document)
{
    JsonReader reader(document);
    const QString id = baseName(document.name());
    const Machine machine =
        readRow<Machine>(reader, document.root(), id.isEmpty() ? u"machine"_s : id);
    if (!reader.isGood())
        return Error { reader.sentence() };
    return packAround(machine);
}

QString machineFormat(const QString &nameOrFile)
{
    for (const QString &format : jsonFormats) {
        if (nameOrFile == format || nameOrFile.endsWith(jsonSuffix(format), Qt::CaseInsensitive))
            return format;
    }
    const StatechartFormat *format = statechartFormat(nameOrFile);
    if (!format)
        format = statechartFormat(u'.' + nameOrFile);
    return format ? format->name : QString();
}

Error noSuchFormat(const QString &name)
{
    QStringList known = jsonFormats;
    for (const StatechartFormat &format : statechartFormats()) {
        known += format.name;
        for (const QString &suffix : format.suffixes)
            known += suffix.sliced(1);
    }
    return Error { u"there is no format \"%1\"%2 (%3)"_s.arg(
        oneLine(name.left(60)), suggestion(name, known), machineFormatsText()) };
}

QString machineFormatsText()
{
    auto all = mapped<QStringList>(jsonFormats, jsonSuffix);
    for (const StatechartFormat &format : statechartFormats())
        all += format.suffixes;
    return all.join(u' ');
}

Result<MachineFile> loadMachines(const QString &idOrFile, const QString &format)
{
    MachineFile file { .name = idOrFile,
        .format = format.isEmpty() ? machineFormat(idOrFile) : machineFormat(format) };
    if (!format.isEmpty() && file.format.isEmpty())
        return noSuchFormat(format);
    const bool isBuiltIn = builtInPacks().contains(idOrFile);
    if (const StatechartFormat *notation = statechartFormat(file.format); notation && !isBuiltIn)
        return readCharts(*notation, idOrFile);
    if (isBuiltIn)
        file.format = u"pack"_s;
    if (!isBuiltIn && file.format.isEmpty() && !idOrFile.endsWith(u".json")
        && QFileInfo(idOrFile).isFile())
        return Error { u"%1: the suffix names no format to read (%2); name one with --from"_s.arg(
            idOrFile, machineFormatsText()) };
    const Result<JsonText> document =
        file.format == u"scenario" ? loadDocument(idOrFile) : loadPackDocument(idOrFile);
    if (!document)
        return Error { document.error() };
    return readJson(*document, std::move(file));
}

Result<MachineFile> readMachines(
    const QByteArray &text, const QString &name, const QString &notation)
{
    const StatechartFormat *format = statechartFormat(notation);
    if (!format || !format->read)
        return noSuchFormat(notation);
    Result<StatechartsRead> read = format->read(text, name);
    if (!read)
        return Error { read.error() };
    return MachineFile {
        .name = name, .format = format->name, .charts = read->charts, .remarks = read->remarks
    };
}

Error noSuchMachine(const MachineFile &file, const QString &id)
{
    const QStringList ids = file.ids();
    if (ids.isEmpty())
        return Error { u"%1: the file contains no machine"_s.arg(file.name) };
    if (!id.isEmpty())
        return Error { u"%1: %2"_s.arg(file.name, oneLine(noSuch(u"machine"_s, id, ids))) };
    const QStringList some = ids.mid(0, 20);
    const QString list = some.join(u", "_s) + (ids.size() > some.size() ? u" ..."_s : QString());
    return Error { u"%1: there are %2 machines (%3); choose one with --machine"_s.arg(
        file.name, QString::number(ids.size()), oneLine(list)) };
}

Result<StatechartMade> chartIn(const MachineFile &file, const QString &id)
{
    const qsizetype index = indexOf(file, id);
    if (index < 0)
        return noSuchMachine(file, id);
    return chartOf(file, index);
}

Result<QList<Statechart>> chartsIn(
    const MachineFile &file, const QString &id, QList<Diagnostic> &remarks)
{
    QList<Statechart> result;
    const QStringList ids = file.ids();
    for (qsizetype i = 0; i < ids.size(); ++i) {
        if (!id.isEmpty() && ids[i] != id)
            continue;
        const Result<StatechartMade> made = chartOf(file, i);
        if (!made)
            return Error { made.error() };
        remarks += made->remarks;
        result.append(made->chart);
    }
    if (result.isEmpty())
        return noSuchMachine(file, id);
    return result;
}

Result<PackMade> packIn(const MachineFile &file, const QString &id)
{
    if (!id.isEmpty() && !file.ids().contains(id))
        return noSuchMachine(file, id);
    if (file.pack)
        return PackMade { *file.pack, {} };
    return mergedPacks(file, id, packOf);
}

Result<PackMade> draftIn(const MachineFile &file, Drawn drawn)
{
    if (file.pack
        || (drawn == Drawn::IfNeeded && std::ranges::none_of(file.charts, needsInterpreter)))
        return packIn(file);
    Result<PackMade> merged = mergedPacks(file, {}, drawnPack);
    for (const Type &type : QList<Type>(merged->pack.types)) {
        Type region = type;
        region.path = regionType(type.path);
        region.title = u"Region of %1"_s.arg(type.title);
        merged->pack.types += region;
    }
    return merged;
}

Result<PackMade> machineIn(const MachineFile &file, const QString &id)
{
    const qsizetype index = indexOf(file, id);
    if (index < 0)
        return noSuchMachine(file, id);
    if (file.pack)
        return PackMade { packAround(file.pack->machines[index]), {} };
    return packIn(file, file.ids()[index]);
}

namespace {

Result<ScenarioPack> packOfCharts(const QString &path)
{
    const Result<MachineFile> file = loadMachines(path);
    if (!file)
        return Error { file.error() };
    const Result<PackMade> made = draftIn(*file);
    if (!made)
        return Error { made.error() };
    ScenarioPack result { .pack =
                              hasStatecharts(made->pack) ? runnableDraft(made->pack) : made->pack };
    const QList<Diagnostic> remarks = file->remarks + made->remarks;
    for (const Diagnostic &remark : remarks) {
        if (remark.isLoss())
            result.losses += described(path, remark);
    }
    return result;
}

Result<ScenarioPack> packNamed(const QString &idOrFile, const QString &folder)
{
    const bool isBuiltIn = builtInPacks().contains(idOrFile);
    const QString path = QDir(folder).filePath(idOrFile);
    const QString format = isBuiltIn ? QString() : machineFormat(path);
    if (statechartFormat(format) && QFileInfo(path).isFile())
        return packOfCharts(path);
    const Result<JsonText> document = loadPackDocument(idOrFile, folder);
    if (!document)
        return Error { document.error() };
    const bool isMachine = format == u"machine" || formatByContent(*document) == u"machine";
    Result<Pack> pack = isMachine ? machinePack(*document) : readPack(*document);
    if (!pack)
        return Error { pack.error() };
    ScenarioPack result { .pack = *std::move(pack) };
    if (!isBuiltIn) // tests check the built-in packs
        result.errors = errorLines(document->name(),
            isMachine ? machineDiagnostics(*document, result.pack.machines.first())
                      : packDiagnostics(*document, result.pack));
    return result;
}

/// Loads the pack that a scenario names. Callers add the position in the scenario to an error.
Result<ScenarioPack> packNamedIn(const JsonText &scenario)
{
    const Value root = scenario.root(), name = root.find("pack");
    if (!root.is(Value::Kind::Object))
        return Error { u"expected a scenario: an object, found "_s + root.kindName() };
    if (!name.is(Value::Kind::String) || name.string().isEmpty())
        return Error { u"expected the key \"pack\" with a pack's id or file, found "_s
            + (name.is(Value::Kind::String) ? u"an empty string"_s : name.kindName()) };
    return packNamed(name.string(), QFileInfo(scenario.name()).path());
}

} // namespace

Result<ScenarioPack> scenarioPack(const JsonText &scenario)
{
    Result<ScenarioPack> pack = packNamedIn(scenario);
    if (pack)
        return pack;
    const Value root = scenario.root(), name = root.find("pack");
    return Error { u"%1:%2: %3"_s.arg(
        scenario.name(), QString::number((name ? name : root).position().line), pack.error()) };
}

Result<LessonFile> loadLesson(const QString &file)
{
    const Result<QByteArray> bytes = fileBytes(file, lessonBytes);
    if (!bytes)
        return Error { bytes.error() };
    const LessonText text = lessonText(*bytes, file);
    const Result<JsonText> document = JsonText::parse(text.scenario, file);
    if (!document)
        return Error { document.error() };
    const Result<ScenarioPack> pack = packNamedIn(*document);
    if (pack)
        return LessonFile { lessonDraft(text, pack->pack), *pack };
    LessonDraft draft { text.lesson, text.diagnostics, {} };
    const Value name = document->root().find("pack");
    if (!name.string().isEmpty() || draft.diagnostics.isEmpty())
        draft.diagnostics.append({ Diagnostic::Severity::Error, {}, pack.error(), u"unknown-pack"_s,
            name.position().line });
    std::ranges::stable_sort(draft.diagnostics, {}, &Diagnostic::line);
    draft.error = summary(file, draft.diagnostics);
    return LessonFile { std::move(draft), {} };
}

Result<StagedLesson> stagedLesson(const QString &file)
{
    Result<LessonFile> read = loadLesson(file);
    if (!read)
        return Error { read.error() };
    if (!read->draft.error.isEmpty())
        return Error { read->draft.error };
    Result<Stage> stage = runnableStage(read->draft.lesson.setup, read->pack.pack);
    if (!stage)
        return Error { stage.error() };
    return StagedLesson { std::move(read->draft.lesson), *std::move(stage), std::move(read->pack) };
}

} // namespace instar
