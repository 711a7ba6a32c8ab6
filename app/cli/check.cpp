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
#include "model/statecharts/chartrules.h"
#include "model/statecharts/scenariopack.h"

#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Severity = Issue::Severity;

/// Everything that is to be said of one document.
class Findings
{
public:
    explicit Findings(const JsonText &document) : m_locator(document) { }

    void add(const QList<Finding> &findings) { m_all += findings; }
    void add(const QList<Issue> &issues)
    {
        for (const Issue &issue : issues)
            m_all.append({ issue, m_locator.position(issue.pointer) });
    }
    void add(Severity severity, const QString &pointer, const QString &text, const QString &rule)
    {
        add(QList<Issue> { { severity, pointer, text, rule } });
    }
    bool hasErrors() const
    {
        return std::ranges::any_of(m_all,
            [](const Finding &finding) { return finding.issue.severity == Severity::Error; });
    }
    /// What is to be said first, of another file: lines as they are printed.
    void precede(const ScenarioPack &pack)
    {
        m_before = linesOf(pack.losses + pack.errors);
        m_othersFail = !pack.errors.isEmpty();
    }
    /// In file order; and whether there was an error.
    Exit printed(const QString &file)
    {
        std::ranges::stable_sort(m_all,
            [](const Finding &a, const Finding &b) { return a.position.line < b.position.line; });
        QStringList lines;
        for (const Finding &finding : std::as_const(m_all))
            lines += described(file, finding);
        return print(
            m_before + linesOf(lines), m_othersFail || hasErrors() ? Exit::Failed : Exit::Fine);
    }

private:
    Locator m_locator;
    QList<Finding> m_all;
    QString m_before;
    bool m_othersFail = false;
};

void checkPack(const JsonText &document, Findings &findings)
{
    const PackDraft draft = packDraft(document);
    findings.add(draft.findings);
    if (findings.hasErrors())
        return;
    findings.add(packFindings(document, draft.pack));
}

void addDoubts(const Scenario &scenario, const Pack &pack, Findings &findings)
{
    for (const Doubt &doubt : doubts(scenario, pack)) {
        const QStringList where =
            QStringList { u"steps"_s, QString::number(doubt.step) } + doubt.keys;
        findings.add(Severity::Warning, pointerTo(where), doubt.text, doubt.rule);
    }
}

void checkScenario(const JsonText &document, Findings &findings)
{
    const Result<ScenarioPack> source = scenarioPack(document);
    if (!source) {
        QString text = source.error();
        const QString place = document.name() + u':';
        if (text.startsWith(place))
            text = text.sliced(text.indexOf(u": "_s, place.size()) + 2);
        findings.add(Severity::Error, u"/pack"_s, text, u"unknown-pack"_s);
        return;
    }
    findings.precede(*source);
    const Pack &pack = source->pack;
    const ScenarioDraft draft = scenarioDraft(document, pack);
    findings.add(draft.findings);
    if (findings.hasErrors())
        return;
    addDoubts(draft.scenario, pack, findings);
    const Result<Rules> rules = Rules::make(pack, draft.scenario.switches);
    if (!rules) {
        findings.add(Severity::Error, u"/pack"_s, rules.error(), u"unresolved"_s);
        return;
    }
    if (!draft.scenario.resources)
        return;
    const Loaded loaded = makeWorld(*rules, *draft.scenario.resources);
    if (!loaded.problem.isEmpty())
        findings.add(Severity::Error, u"/resources/%1"_s.arg(loaded.badResource), loaded.problem,
            u"resource"_s);
}

void checkMachine(const JsonText &document, Findings &findings)
{
    Reading reading(document);
    const Machine machine = readRow<Machine>(reading, document.root(), u"machine"_s);
    findings.add(reading.findings());
    if (findings.hasErrors())
        return;
    findings.add(machineFindings(document, machine));
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
    const Result<PackMade> made = draftIn(file);
    if (!made) {
        tell(1, u"error"_s, made.error().mid(name.size() + 2), u"not-playable"_s);
        return print(lines, Exit::Failed);
    }
    for (const Remark &remark : made->remarks) {
        if (remark.isLoss)
            tell(remark.line, u"warning"_s, remark.text, u"left-out"_s);
    }
    const Result<Rules> rules = runnableRules(made->pack);
    if (const QString why = rules ? whyNotRun(*rules) : rules.error(); !why.isEmpty()) {
        tell(1, u"error"_s, why, u"not-playable"_s);
        return print(lines, Exit::Failed);
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
        const Result<Stage> stage = runnableStage(read.draft.lesson.setup, read.pack.pack);
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

Exit checkFile(const Arguments &arguments)
{
    const QString &name = arguments.input;
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
    Findings findings(document);
    const bool isMachine = file.endsWith(u".machine.json"_s)
        || (!isScenario && root.find("states") && !root.find("machines"));
    if (isMachine)
        checkMachine(document, findings);
    else if (isScenario)
        checkScenario(document, findings);
    else
        checkPack(document, findings);
    return findings.printed(file);
}

} // namespace

Command checkCommand()
{
    return { "check",
        "Say what is wrong or doubtful in a pack, scenario or lesson, one issue a line",
        { { "FILE", &Arguments::input, "A file, or the id of a built-in pack" } }, checkFile };
}

} // namespace instar
