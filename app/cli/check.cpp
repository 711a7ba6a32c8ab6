// SPDX-License-Identifier: Apache-2.0
#include "model/pack/check.h"

#include "app/cli/inputfiles.h"
#include "model/engine/scenariowarnings.h"
#include "model/json/jsontext.h"
#include "model/json/lessonfile.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/json/scenariofile.h"
#include "model/pack/names.h"
#include "model/statecharts/chartrules.h"
#include "model/statecharts/scenariopack.h"

#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Severity = Diagnostic::Severity;

/// Collects the diagnostics of one document.
class Diagnostics
{
public:
    void add(const QList<Diagnostic> &diagnostics) { m_all += diagnostics; }
    bool hasErrors() const
    {
        return std::ranges::find(m_all, Severity::Error, &Diagnostic::severity) != m_all.end();
    }
    /// Prints lines about another file first.
    void precede(const ScenarioPack &pack)
    {
        m_before = linesOf(pack.losses + pack.errors);
        m_othersFail = !pack.errors.isEmpty();
    }
    /// Prints the diagnostics in file order.
    Exit printed(const QString &file)
    {
        std::ranges::stable_sort(m_all, {}, &Diagnostic::line);
        QStringList lines;
        for (const Diagnostic &each : std::as_const(m_all))
            lines += described(file, each);
        return print(
            m_before + linesOf(lines), m_othersFail || hasErrors() ? Exit::Failed : Exit::Fine);
    }

private:
    QList<Diagnostic> m_all;
    QString m_before;
    bool m_othersFail = false;
};

void checkPack(const JsonText &document, Diagnostics &diagnostics)
{
    const PackDraft draft = packDraft(document);
    diagnostics.add(draft.diagnostics);
    if (diagnostics.hasErrors())
        return;
    diagnostics.add(packDiagnostics(document, draft.pack));
}

void checkScenario(const JsonText &document, Diagnostics &diagnostics)
{
    const auto fail = [&](const QString &pointer, const QString &text, const QString &code) {
        diagnostics.add(located(document, { { Severity::Error, pointer, text, code } }));
    };
    const Result<ScenarioPack> source = scenarioPack(document);
    if (!source) {
        QString text = source.error();
        const QString place = document.name() + u':';
        if (text.startsWith(place))
            text = text.sliced(text.indexOf(u": "_s, place.size()) + 2);
        fail(u"/pack"_s, text, u"unknown-pack"_s);
        return;
    }
    diagnostics.precede(*source);
    const Pack &pack = source->pack;
    const ScenarioDraft draft = scenarioDraft(document, pack);
    diagnostics.add(draft.diagnostics);
    if (diagnostics.hasErrors())
        return;
    diagnostics.add(located(document, scenarioWarnings(draft.scenario, pack)));
    const Result<Rules> rules = Rules::make(pack, draft.scenario.switches);
    if (!rules) {
        fail(u"/pack"_s, rules.error(), u"unresolved"_s);
        return;
    }
    if (!draft.scenario.resources)
        return;
    const Loaded loaded = makeWorld(*rules, *draft.scenario.resources);
    if (!loaded.problem.isEmpty())
        fail(u"/resources/%1"_s.arg(loaded.badResource), loaded.problem, u"resource"_s);
}

void checkMachine(const JsonText &document, Diagnostics &diagnostics)
{
    Reading reading(document);
    const Machine machine = readRow<Machine>(reading, document.root(), u"machine"_s);
    diagnostics.add(reading.diagnostics());
    if (diagnostics.hasErrors())
        return;
    diagnostics.add(machineDiagnostics(document, machine));
}

/// The vertex of a file of statecharts that a diagnostic is about; null: none.
const Vertex *vertexOf(const MachineFile &file, const Diagnostic &diagnostic)
{
    if (diagnostic.pointer.section(u'/', 3, 3) != u"states")
        return nullptr;
    const QString id =
        diagnostic.pointer.section(u'/', 4, 4).replace(u"~1"_s, u"/"_s).replace(u"~0"_s, u"~"_s);
    for (const Statechart &chart : file.charts) {
        if (const Vertex *vertex = chart.vertex(id))
            return vertex;
    }
    return nullptr;
}

/// What was not understood, and what the machine made of it would have wrong.
Exit checkCharts(const QString &name)
{
    const MachineFile file = valueOf(loadMachines(name));
    QString lines;
    const auto tell = [&](const Diagnostic &diagnostic) {
        lines += described(name, diagnostic) + u'\n';
    };
    const auto warn = [&](int line, const QString &text, const QString &code) {
        tell({ Severity::Warning, {}, text, code, line });
    };
    for (const Diagnostic &each : file.remarks)
        warn(each.line, each.text, each.isLoss() ? u"not-understood"_s : u"doubtful"_s);
    const Result<PackMade> made = draftIn(file);
    if (!made) {
        tell({ Severity::Error, {}, made.error().mid(name.size() + 2), u"not-playable"_s });
        return print(lines, Exit::Failed);
    }
    for (const Diagnostic &each : made->remarks) {
        if (each.isLoss())
            warn(each.line, each.text, u"left-out"_s);
    }
    const Result<Rules> rules = runnableRules(made->pack);
    if (const QString why = rules ? whyNotRun(*rules) : rules.error(); !why.isEmpty()) {
        tell({ Severity::Error, {}, why, u"not-playable"_s });
        return print(lines, Exit::Failed);
    }
    for (const Diagnostic &each : check(made->pack)) {
        const Vertex *const vertex = vertexOf(file, each);
        const bool isMeant =
            vertex && vertex->kind == Vertex::Kind::Final && each.code == u"dead-end";
        if (!isMeant && !isOutside(each) && each.code != u"unheard-outcome")
            warn(vertex ? vertex->line : 0, each.text, each.code);
    }
    return print(lines);
}

Diagnostic untrue(const Failure &failure)
{
    return { Severity::Error, {}, failure.text, u"untrue"_s, failure.line };
}

/// Returns the error of a resource's row: "file:line: text".
Diagnostic impossible(const QString &sentence)
{
    const qsizetype end = sentence.indexOf(u": "_s);
    const int line = sentence.left(end).section(u':', -1).toInt();
    return { Severity::Error, {}, sentence.mid(end + 2), u"resource"_s, line };
}

/// Prints the mistakes of a lesson and its claims that the engine refutes, one a line.
Exit checkLesson(const QString &file)
{
    const LessonFile read = valueOf(loadLesson(file));
    QList<Diagnostic> diagnostics = read.draft.diagnostics;
    if (diagnostics.isEmpty()) {
        const Result<Stage> stage = runnableStage(read.draft.lesson.setup, read.pack.pack);
        if (!stage)
            diagnostics += impossible(stage.error());
        for (const Failure &failure :
            stage ? untruths(read.draft.lesson, *stage) : QList<Failure>())
            diagnostics += untrue(failure);
    }
    QString lines = linesOf(read.pack.losses + read.pack.errors);
    for (const Diagnostic &each : std::as_const(diagnostics))
        lines += described(file, each) + u'\n';
    return print(
        lines, diagnostics.isEmpty() && read.pack.errors.isEmpty() ? Exit::Fine : Exit::Failed);
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
        throw CommandError {
            u"%1: expected a pack of at most %2 MB, found a larger file"_s.arg(file).arg(
                packBytes / 1'000'000)
        };
    Diagnostics diagnostics;
    const bool isMachine = file.endsWith(u".machine.json"_s)
        || (!isScenario && root.find("states") && !root.find("machines"));
    if (isMachine)
        checkMachine(document, diagnostics);
    else if (isScenario)
        checkScenario(document, diagnostics);
    else
        checkPack(document, diagnostics);
    return diagnostics.printed(file);
}

} // namespace

Command checkCommand()
{
    static QString file;
    return { "check",
        "Say what is wrong or doubtful in a pack, scenario or lesson, one issue a line",
        { { "FILE", &file, "A file, or the id of a built-in pack" } },
        [] { return checkFile(file); } };
}

} // namespace instar
