// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "app/cli/results.h"
#include "model/json/lessonfile.h"
#include "model/pack/nearest.h"
#include "views/drawing/sheet.h"
#include "views/drawing/text.h"

#include <QFileInfo>
#include <QGuiApplication>

#include <memory>

namespace instar {

namespace {

struct RenderOptions
{
    MachineInput in;
    QString out, to, theme = u"light"_s;
    std::optional<qint64> until; ///< virtual ms
};

QList<SheetPart> partsOf(const MachineFile &file, const QString &machine, const Budget &budget)
{
    QList<SheetPart> parts;
    if (!file.pack) {
        QList<Diagnostic> remarks;
        const QList<Statechart> charts = valueOf(chartsIn(file, machine, remarks));
        for (const Statechart &chart : charts)
            parts += sheetPart(chart, charts.size() > 1, budget);
        return parts;
    }
    if (!machine.isEmpty() && !file.ids().contains(machine))
        throw CommandError { noSuchMachine(file, machine).text };
    const Rules rules = valueOf(Rules::make(*file.pack));
    for (int i = 0; i < int(rules.machines().size()); ++i) {
        if (machine.isEmpty() || rules.machines()[size_t(i)].id == machine)
            parts += sheetPart(rules, i, rules.machines().size() > 1, budget);
    }
    return parts;
}

constexpr qint64 MostDrawnEvents = 20'000; ///< of a run; more would not be distinguishable

/// Requested format of the picture; absent: the HTML page of a run.
std::optional<SheetFormat> requestedFormat(const RenderOptions &given, bool isRun)
{
    const QString &out = given.out, &to = given.to;
    const QString name = to.isEmpty() ? out : to;
    const QString suffix = name.section(u'.', -1).toLower();
    const bool isPage = suffix == u"html" || suffix == u"htm";
    if (isPage && !isRun)
        throw CommandError {
            u"%1: only a run can be written as html; give a scenario, or draw this as svg, png or pdf"_s
                .arg(given.in.file)
        };
    if (suffix == u"apng")
        throw CommandError { u"%1: APNG is no longer written; write a page (.html) instead"_s.arg(
            out) };
    const std::optional<SheetFormat> sheet = sheetFormat(name);
    if (sheet || isPage)
        return sheet;
    throw CommandError { to.isEmpty()
            ? u"%1: the suffix names no picture format (.svg, .png, .pdf; for a run also .html); name one with --to"_s
                  .arg(out)
            : noSuch(u"picture format"_s, to, { u"svg"_s, u"png"_s, u"pdf"_s, u"html"_s }) };
}

QByteArray drawnRun(const RenderOptions &given, std::optional<SheetFormat> format,
    const Theme &theme, const Budget &budget)
{
    LoadedScenario staged = loadScenarioWithoutChoices(given.in.file);
    Simulator simulator(std::move(staged.stage.rules), std::move(staged.stage.world));
    const Played played = play(staged.scenario, simulator, given.until, budget);
    if (played.stoppedBy != Limit::None)
        complain(stoppedRun(staged.scenario, simulator, played));
    const QString title = QFileInfo(given.in.file).fileName();
    return valueOf(format ? drawnSheet({ sheetPart(simulator, title) }, *format, theme)
                          : runPage(simulator, title, theme),
        given.in.file + u": "_s);
}

QByteArray drawnMachines(const RenderOptions &given, const MachineFile &file, SheetFormat format,
    const Theme &theme, const Budget &budget)
{
    const QList<SheetPart> parts = partsOf(file, given.in.machine, budget);
    const Result<QByteArray> sheet = drawnSheet(parts, format, theme);
    if (!sheet)
        throw CommandError { u"%1: %2%3"_s.arg(given.in.file, sheet.error(),
            parts.size() > 1 ? u"; or draw only one of the machines with --machine"_s
                             : QString()) };
    for (const SheetPart &part : parts) {
        if (!part.remark().isEmpty())
            complain(u"%1: %2"_s.arg(given.in.file, part.remark()));
    }
    return *sheet;
}

Exit renderFile(const RenderOptions &given)
{
    const Budget budget = budgetOf(MostDrawnEvents, u"events"_s);
    const QString &name = given.in.file;
    const MachineFile file = isLesson(name) ? MachineFile { .name = name }
                                            : valueOf(loadMachines(name, given.in.format));
    const bool isRun = given.in.machine.isEmpty() && (isLesson(name) || file.scenario);
    const std::optional<SheetFormat> format = requestedFormat(given, isRun);

    qputenv("QT_QPA_PLATFORM", "offscreen"); // fonts need an application, but it needs no display
    const QtMessageHandler handler =
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &) {});
    const ConsoleApplication<QGuiApplication> application;
    qInstallMessageHandler(handler); // the platform plugin has given its warnings
    QGuiApplication::setFont(typeface(QGuiApplication::font()));

    const Theme theme = Theme::named(given.theme).value_or(Theme::light());
    Budget drawing = drawingBudget();
    drawing.isCanceled = budget.isCanceled;
    printTo(given.out,
        isRun ? drawnRun(given, format, theme, budget)
              : drawnMachines(given, file, *format, theme, drawing));
    showDiagnostics(name, file.remarks);
    return exitAfter(budget.interruption(), Exit::Fine);
}

} // namespace

Command renderCommand()
{
    static RenderOptions given;
    return { "render",
        "Draw statecharts, or the timeline of a scenario's run, as SVG, PNG or PDF; a run also as an "
        "interactive page (HTML)",
        machineOptions(&given.in)
            + QList<Option> {
                { "OUT", &given.out, "The picture to write; - is the standard output and needs --to" },
                { "--to", &given.to,
                    "svg, png or pdf, and for a run html; the default follows OUT's suffix",
                    "FORMAT" },
                { .name = "--theme",
                    .target = &given.theme,
                    .help = "The colours",
                    .choices = Theme::names() },
                { "--until", &given.until, "For a scenario: stop at this simulated time, in ms", "MS",
                    0, MostExact },
            },
        [] { return renderFile(given); } };
}

} // namespace instar
