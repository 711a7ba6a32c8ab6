// SPDX-License-Identifier: Apache-2.0
#include "model/pack/check.h"

#include "app/cli/inputfiles.h"
#include "model/engine/doubts.h"
#include "model/json/jsontext.h"
#include "model/json/lessonfile.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/json/scenariofile.h"
#include "model/pack/names.h"
#include "model/statecharts/scenariopack.h"

#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Severity = Issue::Severity;

/// What is wrong or doubtful in a file.
struct Checked
{
    QList<Finding> findings;
    QStringList ofThePack = {}; ///< lines about the file of its pack
    bool isPackWrong = false;

    bool hasErrors() const
    {
        return std::ranges::any_of(findings,
            [](const Finding &finding) { return finding.issue.severity == Severity::Error; });
    }
};

/// One finding a line, in the order of the file; exit 1 only if one is an error.
Exit printed(const QString &file, Checked checked)
{
    std::ranges::stable_sort(
        checked.findings, {}, [](const Finding &one) { return one.position.line; });
    QStringList lines = checked.ofThePack;
    for (const Finding &finding : std::as_const(checked.findings))
        lines += described(file, finding);
    return print(
        linesOf(lines), checked.isPackWrong || checked.hasErrors() ? Exit::Failed : Exit::Fine);
}

Checked checkPack(const JsonText &document)
{
    const PackDraft draft = packDraft(document);
    Checked checked { draft.findings };
    if (!checked.hasErrors())
        checked.findings += packFindings(document, draft.pack);
    return checked;
}

Checked checkMachine(const JsonText &document)
{
    Reading reading(document);
    const Machine machine = readRow<Machine>(reading, document.root(), u"machine"_s);
    Checked checked { reading.findings() };
    if (!checked.hasErrors())
        checked.findings += machineFindings(document, machine);
    return checked;
}

Checked checkScenario(const JsonText &document)
{
    Locator locator(document);
    const auto finding = [&](Severity severity, const QString &pointer, const QString &text,
                             const QString &rule) -> Finding {
        return { { severity, pointer, text, rule }, locator.position(pointer) };
    };
    const Result<ScenarioPack> source = scenarioPack(document);
    if (!source) {
        QString text = source.error();
        const QString place = document.name() + u':';
        if (text.startsWith(place))
            text = text.sliced(text.indexOf(u": "_s, place.size()) + 2);
        return { { finding(Severity::Error, u"/pack"_s, text, u"unknown-pack"_s) } };
    }
    const Pack &pack = source->pack;
    const ScenarioDraft draft = scenarioDraft(document, pack);
    Checked checked { draft.findings, source->losses + source->errors, !source->errors.isEmpty() };
    if (checked.hasErrors())
        return checked;
    for (const Doubt &doubt : doubts(draft.scenario, pack)) {
        const QStringList where =
            QStringList { u"steps"_s, QString::number(doubt.step) } + doubt.keys;
        checked.findings += finding(Severity::Warning, pointerTo(where), doubt.text, doubt.rule);
    }
    const Result<Rules> rules = Rules::make(pack, draft.scenario.switches);
    if (!rules) {
        checked.findings += finding(Severity::Error, u"/pack"_s, rules.error(), u"unresolved"_s);
    } else if (draft.scenario.resources) {
        const Loaded loaded = makeWorld(*rules, *draft.scenario.resources);
        if (!loaded.problem.isEmpty())
            checked.findings += finding(Severity::Error, u"/resources/%1"_s.arg(loaded.badResource),
                loaded.problem, u"resource"_s);
    }
    return checked;
}

/// The vertex of a file of statecharts that an issue is about; null: none.
const Vertex *vertexOf(const MachineFile &file, const Issue &issue)
{
    if (issue.pointer.section(u'/', 3, 3) != u"states")
        return nullptr;
    const QString id =
        issue.pointer.section(u'/', 4, 4).replace(u"~1"_s, u"/"_s).replace(u"~0"_s, u"~"_s);
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
    const auto tell = [&](int line, const QString &severity, const QString &text,
                          const QString &rule) {
        lines += u"%1:%2: %3: %4 [%5]\n"_s.arg(name)
                     .arg(std::max(line, 1))
                     .arg(severity, oneLine(text), rule);
    };
    for (const Remark &remark : file.remarks)
        tell(remark.line, u"warning"_s, remark.text,
            remark.isLoss ? u"not-understood"_s : u"doubtful"_s);
    const Result<PackMade> made = packIn(file);
    if (!made) {
        tell(1, u"error"_s, made.error().mid(name.size() + 2), u"not-playable"_s);
        return print(lines, Exit::Failed);
    }
    for (const Remark &remark : made->remarks) {
        if (remark.isLoss)
            tell(remark.line, u"warning"_s, remark.text, u"left-out"_s);
    }
    for (const Issue &issue : check(made->pack)) {
        const Vertex *const vertex = vertexOf(file, issue);
        const bool isMeant =
            vertex && vertex->kind == Vertex::Kind::Final && issue.rule == u"dead-end";
        if (!isMeant && !isOutside(issue) && issue.rule != u"unheard-outcome")
            tell(vertex ? vertex->line : 0, u"warning"_s, issue.text, issue.rule);
    }
    return print(lines);
}

Finding untrue(const Failure &failure)
{
    return { { Issue::Severity::Error, {}, failure.text, u"untrue"_s },
        { .line = failure.line, .column = 1 } };
}

/// "file:line: text", said of the tree that it begins with.
Finding impossible(const QString &sentence)
{
    const qsizetype end = sentence.indexOf(u": "_s);
    const int line = sentence.left(end).section(u':', -1).toInt();
    return { { Issue::Severity::Error, {}, sentence.mid(end + 2), u"resource"_s },
        { .line = std::max(line, 1), .column = 1 } };
}

/// Prints the mistakes of a lesson and its claims that the engine refutes, one a line.
Exit checkLesson(const QString &file)
{
    const LessonFile read = valueOf(loadLesson(file));
    QList<Finding> findings = read.draft.findings;
    if (findings.isEmpty()) {
        const Result<Stage> stage = stageOf(read.draft.lesson.setup, read.pack.pack);
        if (!stage)
            findings += impossible(stage.error());
        for (const Failure &failure :
            stage ? untruths(read.draft.lesson, *stage) : QList<Failure>())
            findings += untrue(failure);
    }
    QString lines = linesOf(read.pack.losses + read.pack.errors);
    for (const Finding &finding : std::as_const(findings))
        lines += described(file, finding) + u'\n';
    return print(
        lines, findings.isEmpty() && read.pack.errors.isEmpty() ? Exit::Fine : Exit::Failed);
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
    const bool isMachine = file.endsWith(u".machine.json"_s)
        || (!isScenario && root.find("states") && !root.find("machines"));
    return printed(file,
        isMachine        ? checkMachine(document)
            : isScenario ? checkScenario(document)
                         : checkPack(document));
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
