// SPDX-License-Identifier: Apache-2.0
#include "app/opening.h"

#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/json/scenariofile.h"
#include "model/openapi/description.h"
#include "model/statecharts/chartrules.h"
#include "model/statecharts/machinefile.h"
#include "model/task.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace instar {

namespace {

constexpr QStringView ScenarioSuffix = u".scenario.json";

/// Content of a window on a pack; `title` is the window's.
Opened contentOf(const Pack &pack, const QString &source, const QString &title, Stage stage)
{
    return { .source = source,
        .pack = source,
        .title = title,
        .rules = std::move(stage.rules),
        .world = std::move(stage.world),
        .draft = pack };
}

Result<Opened> packContent(const Pack &pack, const QString &source)
{
    Result<Rules> rules = runnableRules(pack);
    if (!rules)
        return Error { u"%1: %2"_s.arg(source, rules.error()) };
    Loaded loaded = makeWorld(*rules, rules->pack().sample);
    if (!loaded.problem.isEmpty())
        return Error { QObject::tr("%1: the sample tree: %2").arg(source, loaded.problem) };
    return contentOf(
        pack, source, shownTitle(pack), { *std::move(rules), std::move(loaded.world) });
}

/// Returns the content of a window on the pack that is converted from a statechart file.
Result<Opened> chartContent(const QString &source, const QString &format)
{
    const Result<QByteArray> text = fileBytes(source, packBytes);
    if (!text)
        return Error { text.error() };
    const Result<MachineFile> file = readMachines(*text, source, format);
    if (!file)
        return Error { file.error() };
    const Result<PackMade> made = draftIn(*file);
    if (!made)
        return Error { made.error() };
    Result<Opened> result = packContent(made->pack, source);
    if (!result)
        return result;
    result->text = *text;
    QList<Diagnostic> losses = file->remarks + made->remarks;
    losses.removeIf([](const Diagnostic &diagnostic) { return !diagnostic.isLoss(); });
    if (const QString why = whyNotRun(result->rules); !why.isEmpty())
        losses += { 0, u"the statechart does not run: "_s + why };
    for (const Diagnostic &loss : std::as_const(losses))
        result->diagnostics += described(QFileInfo(source).fileName(), loss);
    return result;
}

/// Returns the content of a window on the pack that is converted from an API description.
Result<Opened> descriptionContent(const QString &source)
{
    const Result<DescriptionRead> read = loadDescription(source);
    if (!read)
        return Error { read.error() };
    const QString name = QFileInfo(source).fileName();
    const DescribedPack made = packOf(read->description, name);
    Result<Opened> result = packContent(made.pack, source);
    if (!result)
        return result;
    result->asPack = QObject::tr("an API description cannot express all of a pack");
    for (const Diagnostic &diagnostic : read->remarks + made.remarks)
        result->diagnostics += described(name, diagnostic);
    return result;
}

/// Content of a window on a scenario or lesson, with the rules and initial world in `stage`.
/// `packName`: a built-in pack's id, or a path relative to the scenario's or lesson's folder.
Opened stagedContent(const QString &source, const QString &title, const QString &packName,
    const ScenarioPack &pack, Stage stage)
{
    const QString windowTitle = QObject::tr("%1 — %2").arg(title, pack.pack.title);
    Opened content = contentOf(pack.pack, source, windowTitle, std::move(stage));
    content.pack =
        builtInPacks().contains(packName) ? packName : QFileInfo(source).dir().filePath(packName);
    content.diagnostics = pack.losses + pack.errors;
    return content;
}

/// Title of a scenario: the first sentence of "x-about", or the name of its file.
QString titleIn(const JsonText &document, const QString &source)
{
    QString name = QFileInfo(source).fileName();
    if (name.endsWith(ScenarioSuffix))
        name.chop(ScenarioSuffix.size());
    const QString text = document.root().find("x-about").string();
    static const QRegularExpression end(u"[.;](\\s|$)"_s);
    const qsizetype first = text.indexOf(end);
    const QString title = (first < 0 ? text : text.left(first)).simplified();
    return title.isEmpty() ? name : title;
}

Result<Opened> scenarioContent(const JsonText &document, const QString &source)
{
    Result<ScenarioPack> pack = scenarioPack(document);
    if (!pack)
        return Error { pack.error() };
    Result<Scenario> scenario = readScenario(document, pack->pack);
    if (!scenario)
        return Error { scenario.error() };
    Result<Stage> stage = runnableStage(*scenario, pack->pack);
    if (!stage)
        return Error { stage.error() };
    Opened content =
        stagedContent(source, titleIn(document, source), scenario->pack, *pack, *std::move(stage));
    content.scenario = *std::move(scenario);
    return content;
}

Result<Opened> lessonContent(const QString &source)
{
    Result<StagedLesson> staged = stagedLesson(source);
    if (!staged)
        return Error { staged.error() };
    Opened content = stagedContent(source, staged->lesson.title, staged->lesson.setup.pack,
        staged->pack, std::move(staged->stage));
    content.lesson = std::move(staged->lesson);
    return content;
}

void playScenario(Opened *content, Progress &progress, QThread *home)
{
    content->simulator =
        std::make_unique<Simulator>(std::move(content->rules), std::move(content->world));
    Budget budget { .states = MostEvents };
    budget.goesOn = [&](qint64 events) {
        progress.setDone(events);
        return !progress.isCanceled();
    };
    content->played = play(*content->scenario, *content->simulator, {}, budget);
    content->simulator->jump(0);
    content->simulator->moveToThread(home);
}

QStringList filesIn(const QString &folder, const QString &pattern)
{
    return mapped<QStringList>(
        QDir(folder).entryInfoList({ pattern }, QDir::Files, QDir::Name), &QFileInfo::filePath);
}

/// Reads a lesson's title and rules from its first two lines: "# TITLE", "Rules: RULES".
LessonInfo lessonInfo(const QString &path, const QString &pack)
{
    LessonInfo info { path, pack, path, {} };
    const Result<QByteArray> bytes = fileBytes(path);
    if (!bytes)
        return info;
    const QString text = QString::fromUtf8(*bytes);
    info.title = text.section(u'\n', 0, 0).mid(2).trimmed();
    if (const QString second = text.section(u'\n', 1, 1); second.startsWith(u"Rules:"))
        info.rules = second.section(u':', 1).trimmed();
    return info;
}

} // namespace

QString absoluteSource(const QString &source)
{
    return source.isEmpty() || builtInPacks().contains(source)
        ? source
        : QFileInfo(source).absoluteFilePath();
}

Result<Opened> loadSource(const QString &name)
{
    const QString source = absoluteSource(name);
    const bool isBuiltIn = builtInPacks().contains(source);
    const QString format = machineFormat(source);
    if (!isBuiltIn && isLesson(source))
        return lessonContent(source);
    if (!isBuiltIn && statechartFormat(format))
        return chartContent(source, format);
    if (!isBuiltIn && format != u"machine" && isDescription(source))
        return descriptionContent(source);
    const Result<JsonText> document = isBuiltIn ? loadPackDocument(source) : loadDocument(source);
    if (!document)
        return Error { document.error() };
    const Value root = document->root();
    if (root.find("pack")) // a scenario names its pack; a pack does not
        return scenarioContent(*document, source);
    const bool isMachine = format == u"machine" || (root.find("states") && !root.find("machines"));
    const Result<Pack> pack = isMachine ? machinePack(*document) : readPack(*document);
    if (!pack)
        return Error { pack.error() };
    Result<Opened> result = packContent(*pack, source);
    if (result && !isBuiltIn && !isMachine) {
        result->text = document->bytes();
        result->diagnostics = errorLines(document->name(), packDiagnostics(*document, *pack));
    }
    return result;
}

Result<Opened> loadRecovered(const Document::Snapshot &past)
{
    const Pack &pack = past.now > 0 ? past.steps[past.now - 1].pack : past.first;
    const QString source = past.file.isEmpty() ? pack.id : past.file;
    Result<Opened> result = packContent(pack, source);
    if (result)
        result->past = past;
    return result;
}

QString scenarioTitle(const QString &file)
{
    const Result<JsonText> document = loadDocument(file);
    return document ? titleIn(*document, file) : file;
}

Result<Opened> loadAndPlay(const QString &source, Progress &progress, QThread *home)
{
    Result<Opened> content = loadSource(source);
    if (content && content->scenario && !content->scenario->steps.isEmpty())
        playScenario(&*content, progress, home);
    return content;
}

Result<Opened> loadRun(const Settings::Open &open)
{
    Result<Opened> content = loadSource(open.source);
    if (!content)
        return content;
    const Pack &pack = content->rules.semantics() ? content->rules.pack() : content->draft;
    std::unique_ptr<Simulator> &run = content->simulator;
    for (const Settings::Branch &branch : open.branches) {
        const Result<JsonText> document = JsonText::parse(branch.run, open.source);
        if (!document)
            return Error { document.error() };
        const Result<Scenario> asked = readScenario(*document, pack);
        if (!asked)
            return Error { asked.error() };
        Result<Stage> stage = runnableStage(*asked, pack);
        if (!stage)
            return Error { stage.error() };
        auto simulator =
            std::make_unique<Simulator>(std::move(stage->rules), std::move(stage->world));
        play(*asked, *simulator, branch.time);
        if (run)
            run->restoreBranches({ { branch.id, branch.trunk, branch.fork, branch.moment,
                run->run(), branch.name, simulator->records().mid(branch.fork) } });
        else
            (run = std::move(simulator))->jump(branch.moment);
        if (branch.id != open.branch)
            continue;
        run->switchTo(branch.id);
        if (run->moment() == run->lastMoment())
            run->advanceTo(branch.time);
    }
    return content;
}

Result<Opened> loadTrace(
    const Pack &pack, const QString &name, const Scenario &trace, QThread *home)
{
    Result<Stage> stage = runnableStage(trace, pack);
    if (!stage)
        return Error { stage.error() };
    Opened content = contentOf(pack, name,
        QObject::tr("Trace by the rules — %1").arg(shownTitle(pack)), *std::move(stage));
    content.scenario = trace;
    Progress progress;
    playScenario(&content, progress, home);
    return content;
}

Opened loadRehearsal(const Stage &stage, const Rehearsal::Trace &trace)
{
    const Pack &pack = stage.rules.pack();
    Opened content =
        contentOf(pack, pack.id, QObject::tr("Trace — %1").arg(shownTitle(pack)), stage);
    content.simulator =
        std::make_unique<Simulator>(std::move(content.rules), std::move(content.world));
    content.simulator->playOnNewBranch(trace.events, 1000, trace.name);
    content.simulator->jump(0);
    return content;
}

QString openingFilter()
{
    QStringList all { u"*.json"_s };
    QStringList rows { QObject::tr("Packs, machines and scenarios (*.json)") };
    for (const StatechartFormat &format : statechartFormats()) {
        if (!format.read)
            continue;
        const QString patterns = u'*' + format.suffixes.join(u" *"_s);
        all += patterns;
        rows += u"%1 (%2)"_s.arg(format.title, patterns);
    }
    all += { u"*.yaml"_s, u"*.yml"_s, u"*.md"_s };
    rows += QObject::tr("Lessons (*.md)");
    all += { u"*.ndjson"_s, u"*.jsonl"_s };
    rows += QObject::tr("Histories and exchanges, which are judged (*.ndjson *.jsonl)");
    rows.prepend(QObject::tr("All supported files (%1)").arg(all.join(u' ')));
    rows += QObject::tr("API descriptions (*.json *.yaml *.yml)");
    rows += QObject::tr("All files (*)");
    return rows.join(u";;");
}

QList<StartPage::Start> newPacks()
{
    QList<StartPage::Start> starts;
    for (const QString &file : filesIn(u":/instar/templates"_s, u"*"_s)) {
        if (const Result<Pack> pack = loadPack(file))
            starts += { file, pack->title };
    }
    return starts;
}

bool isFromTemplate(const Pack &pack)
{
    return std::ranges::any_of(newPacks(), [&](const StartPage::Start &start) {
        const Result<Pack> loaded = loadPack(start.id);
        return loaded && loaded->id == pack.id && loaded->title == pack.title;
    });
}

QStringList builtInScenarios(const QString &packId)
{
    return filesIn(u":/instar/scenarios/"_s + packId, u'*' + ScenarioSuffix.toString());
}

QList<LessonInfo> builtInLessons()
{
    static const QList<LessonInfo> all = [] {
        QList<LessonInfo> lessons;
        for (const QString &pack : builtInPacks()) {
            for (const QString &file : filesIn(u":/instar/lessons/"_s + pack, u"*.md"_s))
                lessons += lessonInfo(file, pack);
        }
        return lessons;
    }();
    return all;
}

LessonInfo lessonAfter(const QString &file)
{
    const QList<LessonInfo> lessons = builtInLessons();
    const auto here = std::ranges::find(lessons, file, &LessonInfo::file);
    if (here == lessons.end() || here + 1 == lessons.end() || (here + 1)->pack != here->pack)
        return {};
    return *(here + 1);
}

} // namespace instar
