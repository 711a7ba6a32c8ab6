// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "app/cli/results.h"
#include "model/json/lessonfile.h"
#include "model/pack/nearest.h"
#include "views/drawing/runformats.h"
#include "views/drawing/sheet.h"
#include "views/drawing/text.h"

#include <QFileInfo>
#include <QGuiApplication>

#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct RenderOptions
{
    MachineInput in;
    QString out, to, theme = u"light"_s;
    std::optional<qint64> until; ///< virtual ms
    std::optional<double> maxTime;
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

std::unique_ptr<Simulator> playedRun(const RenderOptions &given, const Budget &budget)
{
    Staged staged = runnableScenario(given.in.file);
    auto simulator =
        std::make_unique<Simulator>(std::move(staged.stage.rules), std::move(staged.stage.world));
    const Played played = play(staged.scenario, *simulator, given.until, budget);
    if (played.stoppedBy != Limit::None)
        complain(stoppedRun(staged.scenario, *simulator, played));
    return simulator;
}

/// Notes about directions of arrows, which the layout ignores.
QList<Diagnostic> undrawn(const MachineFile &file)
{
    QList<Diagnostic> result;
    for (const Statechart &chart : file.charts) {
        const auto wished = [](const Arc &arc) { return arc.towards != Towards::Anywhere; };
        const auto first = std::ranges::find_if(chart.arcs, wished);
        if (first != chart.arcs.end())
            result.append({ first->line,
                u"%1 arrows specify a direction, which the layout ignores"_s.arg(
                    std::ranges::count_if(chart.arcs, wished)),
                Diagnostic::Severity::Note });
    }
    return result;
}

/// The usual budget of a drawing, with the command's deadline and cancellation.
Budget forDrawing(const Budget &whole, const RenderOptions &given)
{
    Budget budget = drawingBudget();
    budget.isCanceled = whole.isCanceled;
    if (given.maxTime)
        budget.deadline = whole.deadline;
    return budget;
}

/// Application without a display, which fonts need. Suppresses the warnings of platform plugins
/// while it starts.
class Offscreen
{
public:
    Offscreen()
    {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        const QtMessageHandler before =
            qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &) {});
        m_application.emplace();
        qInstallMessageHandler(before);
        QGuiApplication::setFont(typeface(QGuiApplication::font()));
    }

private:
    std::optional<ConsoleApplication<QGuiApplication>> m_application;
};

/// Wanted output: a picture in some format, or the HTML page of a run.
struct Wanted
{
    std::optional<SheetFormat> sheet;
    bool isPage = false;
};

Wanted wantedFormat(const RenderOptions &given, bool isRun)
{
    const QString &out = given.out, &wish = given.to;
    const QString name = wish.isEmpty() ? out : wish;
    const QString suffix = name.section(u'.', -1).toLower();
    const Wanted wanted { sheetFormat(name), suffix == u"html" || suffix == u"htm" };
    if (wanted.isPage && !isRun)
        throw CommandError {
            u"%1: only a run can be written as html; give a scenario, or draw this as svg, png or pdf"_s
                .arg(given.in.file)
        };
    if (suffix == u"apng")
        throw CommandError { u"%1: the format APNG was removed; write a page (.html) instead"_s.arg(
            out) };
    if (!wanted.sheet && !wanted.isPage && wish.isEmpty())
        throw CommandError {
            u"%1: the suffix names no picture format (.svg, .png, .pdf; for a run also .html); name one with --to"_s
                .arg(out)
        };
    if (!wanted.sheet && !wanted.isPage)
        throw CommandError { noSuch(
            u"picture format"_s, wish, { u"svg"_s, u"png"_s, u"pdf"_s, u"html"_s }) };
    return wanted;
}

QByteArray drawnRun(
    const RenderOptions &given, const Wanted &wanted, const Theme &theme, const Budget &budget)
{
    const std::unique_ptr<Simulator> simulator = playedRun(given, budget);
    const QString title = QFileInfo(given.in.file).fileName();
    return valueOf(wanted.isPage
            ? runPage(*simulator, title, theme)
            : drawnSheet({ sheetPart(*simulator, title) }, *wanted.sheet, theme),
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
    const Budget budget = budgetOf(MostDrawnEvents, u"events"_s, given.maxTime);
    const QString &name = given.in.file;
    const MachineFile file = isLesson(name) ? MachineFile { .name = name }
                                            : valueOf(loadMachines(name, given.in.format));
    const bool isRun = given.in.machine.isEmpty() && (isLesson(name) || file.scenario);
    const Wanted wanted = wantedFormat(given, isRun);
    const Offscreen offscreen;
    const Theme theme = Theme::named(given.theme).value_or(Theme::light());
    if (isRun)
        printTo(given.out, drawnRun(given, wanted, theme, budget));
    else
        printTo(
            given.out, drawnMachines(given, file, *wanted.sheet, theme, forDrawing(budget, given)));
    showDiagnostics(name, file.remarks + (isRun ? QList<Diagnostic>() : undrawn(file)));
    return exitAfter(budget.interruption(), Exit::Fine);
}

} // namespace

Command renderCommand()
{
    static RenderOptions given;
    return { "render",
        "Draw machines, statecharts, or the timeline of a scenario's run, as a picture in SVG, PNG "
        "or PDF; a run also as a page (HTML)",
        machineOptions(&given.in)
            + QList<Option> {
                { "OUT", &given.out, "The picture to write; -: the standard output, with --to" },
                { "--to", &given.to,
                    "svg, png or pdf, and for a run html; the default follows OUT's suffix",
                    "FORMAT" },
                { .name = "--theme",
                    .target = &given.theme,
                    .help = "The colours",
                    .choices = Theme::names() },
                { "--until", &given.until, "Of a scenario: stop at this virtual time, in ms", "MS",
                    0, MostExact },
                maxTimeOption(&given.maxTime),
            },
        [] { return renderFile(given); } };
}

} // namespace instar
