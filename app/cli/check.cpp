// SPDX-License-Identifier: Apache-2.0
#include "model/pack/check.h"

#include "app/cli/inputfiles.h"
#include "model/engine/scenariowarnings.h"
#include "model/json/jsontext.h"
#include "model/json/lessonfile.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/json/scenariofile.h"
#include "model/pack/rows.h"
#include "model/statecharts/chartrules.h"

#include <QFileInfo>

#include <algorithm>

namespace instar {

namespace {

using Severity = Diagnostic::Severity;

bool hasErrors(const QList<Diagnostic> &all)
{
    return std::ranges::find(all, Severity::Error, &Diagnostic::severity) != all.end();
}

/// Returns the diagnostics as text, one line each.
QString describedLines(const QString &file, const QList<Diagnostic> &all)
{
    const auto lines =
        mapped<QStringList>(all, [&](const Diagnostic &each) { return described(file, each); });
    return linesOf(lines);
}

/// Prints the lines `before`, then the diagnostics of `file` in order of their lines.
Exit printDiagnostics(const QString &file, QList<Diagnostic> all, const QStringList &before = {})
{
    std::ranges::stable_sort(all, {}, &Diagnostic::line);
    return print(
        linesOf(before) + describedLines(file, all), hasErrors(all) ? Exit::Failed : Exit::Fine);
}

QList<Diagnostic> packProblems(const JsonText &document)
{
    const PackDraft draft = packDraft(document);
    return hasErrors(draft.diagnostics) ? draft.diagnostics
                                        : draft.diagnostics + packDiagnostics(document, draft.pack);
}

QList<Diagnostic> machineProblems(const JsonText &document)
{
    JsonReader reading(document);
    const Machine machine = readRow<Machine>(reading, document.root(), u"machine"_s);
    const QList<Diagnostic> read = reading.diagnostics();
    return hasErrors(read) ? read : read + machineDiagnostics(document, machine);
}

Exit checkScenario(const JsonText &document, const QString &file)
{
    const auto error = [&](const QString &pointer, const QString &text, const QString &code) {
        return located(document, { { Severity::Error, pointer, text, code } });
    };
    const Result<ScenarioPack> source = scenarioPack(document);
    if (!source) {
        QString text = source.error();
        const QString place = document.name() + u':';
        if (text.startsWith(place))
            text = text.sliced(text.indexOf(u": "_s, place.size()) + 2);
        return printDiagnostics(file, error(u"/pack"_s, text, u"unknown-pack"_s));
    }
    const Pack &pack = source->pack;
    const ScenarioDraft draft = scenarioDraft(document, pack);
    QList<Diagnostic> all = draft.diagnostics;
    if (!hasErrors(all)) {
        all += located(document, scenarioWarnings(draft.scenario, pack));
        const Result<Rules> rules = Rules::make(pack, draft.scenario.switches);
        if (!rules)
            all += error(u"/pack"_s, rules.error(), u"unresolved"_s);
        const Loaded loaded = rules && draft.scenario.resources
            ? makeWorld(*rules, *draft.scenario.resources)
            : Loaded();
        if (!loaded.problem.isEmpty())
            all += error(u"/resources/%1"_s.arg(loaded.badResource), loaded.problem, u"resource"_s);
    }
    const Exit exit = printDiagnostics(file, all, source->losses + source->errors);
    return source->errors.isEmpty() ? exit : Exit::Failed;
}

/// The vertex (in any chart of the file) that a diagnostic is about; null: none.
const Vertex *vertexOf(const MachineFile &file, const Diagnostic &diagnostic)
{
    const QStringList keys = keysOf(diagnostic.pointer); // machines, ID, states, ID
    if (keys.value(2) != u"states")
        return nullptr;
    for (const Statechart &chart : file.charts) {
        if (const Vertex *vertex = chart.vertex(keys.value(3)))
            return vertex;
    }
    return nullptr;
}

/// Prints the losses of the import, the reason why the pack cannot run, and the results of check().
Exit checkCharts(const QString &name)
{
    const MachineFile file = valueOf(loadMachines(name));
    QList<Diagnostic> all;
    const auto warn = [&](int line, const QString &text, const QString &code) {
        all.append({ Severity::Warning, {}, text, code, line });
    };
    const auto failed = [&](const QString &why) {
        all.append({ Severity::Error, {}, why, u"not-playable"_s });
        return print(describedLines(name, all), Exit::Failed);
    };
    for (const Diagnostic &each : file.remarks)
        warn(each.line, each.text, each.isLoss() ? u"not-understood"_s : u"doubtful"_s);
    const Result<PackMade> made = draftIn(file);
    if (!made)
        return failed(made.error().mid(name.size() + 2));
    for (const Diagnostic &each : made->remarks) {
        if (each.isLoss())
            warn(each.line, each.text, u"left-out"_s);
    }
    const Result<Rules> rules = runnableRules(made->pack);
    if (const QString why = rules ? whyNotRun(*rules) : rules.error(); !why.isEmpty())
        return failed(why);
    for (const Diagnostic &each : check(made->pack)) {
        const Vertex *const vertex = vertexOf(file, each);
        const bool isIntendedEnd =
            vertex && vertex->kind == Vertex::Kind::Final && each.code == u"dead-end";
        if (!isIntendedEnd && !needsWholePack(each) && each.code != u"unheard-outcome")
            warn(vertex ? vertex->line : 0, each.text, each.code);
    }
    return print(describedLines(name, all));
}

/// Prints the mistakes of a lesson and its claims that the engine refutes, one a line.
Exit checkLesson(const QString &file)
{
    const LessonFile read = valueOf(loadLesson(file));
    QList<Diagnostic> diagnostics = read.draft.diagnostics;
    if (diagnostics.isEmpty()) {
        const Result<Stage> stage = runnableStage(read.draft.lesson.setup, read.pack.pack);
        if (!stage) { // the error of a resource's row: "file:line: text"
            const qsizetype end = stage.error().indexOf(u": "_s);
            const int line = stage.error().left(end).section(u':', -1).toInt();
            diagnostics.append(
                { Severity::Error, {}, stage.error().mid(end + 2), u"resource"_s, line });
        }
        for (const Failure &failure :
            stage ? lessonErrors(read.draft.lesson, *stage) : QList<Failure>())
            diagnostics.append({ Severity::Error, {}, failure.text, u"untrue"_s, failure.line });
    }
    return print(linesOf(read.pack.losses + read.pack.errors) + describedLines(file, diagnostics),
        diagnostics.isEmpty() && read.pack.errors.isEmpty() ? Exit::Fine : Exit::Failed);
}

Exit checkFile(const QString &name)
{
    if (isLesson(name))
        return checkLesson(name);
    const bool isFile = !builtInPacks().contains(name) && QFileInfo::exists(name);
    if (isFile && statechartFormat(name))
        return checkCharts(name);
    const JsonText document = valueOf(isFile ? loadDocument(name) : loadPackDocument(name));
    const bool builtIn = document.name().startsWith(u":/"_s);
    const QString file = builtIn ? QFileInfo(document.name()).fileName() : document.name();
    const Value root = document.root();
    const bool isScenario = file.endsWith(u".scenario.json"_s)
        || (!root.find("machines") && (root.find("pack") || root.find("steps")));
    if (!isScenario && document.bytes().size() > packBytes)
        throw CommandError { u"%1: expected a pack of at most %2 MB, found a larger file"_s.arg(
            file, QString::number(packBytes / 1'000'000)) };
    const bool isMachine = file.endsWith(u".machine.json"_s)
        || (!isScenario && root.find("states") && !root.find("machines"));
    if (isScenario && !isMachine)
        return checkScenario(document, file);
    return printDiagnostics(file, isMachine ? machineProblems(document) : packProblems(document));
}

} // namespace

Command checkCommand()
{
    static QString file;
    return { "check", "Print the errors and warnings of a pack, scenario or lesson, one per line",
        { { "FILE", &file, "A file, or the id of a built-in pack" } },
        [] { return checkFile(file); } };
}

} // namespace instar
