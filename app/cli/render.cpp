// SPDX-License-Identifier: Apache-2.0
#include "app/cli/budget.h"
#include "app/cli/machine.h"
#include "app/cli/print.h"
#include "app/cli/scenario.h"
#include "model/formats/lesson.h"
#include "model/machine/nearest.h"
#include "views/drawing/runformats.h"
#include "views/drawing/sheet.h"
#include "views/drawing/typeface.h"

#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>

#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Result<QList<SheetPart>> partsOf(
    const MachineFile &file, const QString &machine, const Budget &budget)
{
    if (!file.pack) {
        QList<Remark> remarks;
        const Result<QList<Statechart>> charts = chartsIn(file, machine, remarks);
        if (!charts)
            return Error { charts.error() };
        QList<SheetPart> parts;
        for (const Statechart &chart : *charts)
            parts += sheetPart(chart, charts->size() > 1, budget);
        return parts;
    }
    if (!machine.isEmpty() && !file.ids().contains(machine))
        return noSuchMachine(file, machine);
    const Result<Rules> rules = Rules::make(*file.pack);
    if (!rules)
        return Error { rules.error() };
    QList<SheetPart> parts;
    for (int i = 0; i < int(rules->machines().size()); ++i) {
        if (machine.isEmpty() || rules->machines()[size_t(i)].id == machine)
            parts += sheetPart(*rules, i, rules->machines().size() > 1, budget);
    }
    return parts;
}

constexpr qint64 MostDrawnEvents = 20'000; ///< of a run: more cannot be told apart

/// What can be played: a scenario, or a lesson.
bool isPlayed(const Result<MachineFile> &file, const QString &name)
{
    return isLesson(name) || (file && file->scenario);
}

Result<std::unique_ptr<Simulator>> playedRun(const Arguments &arguments, const Budget &budget)
{
    Result<Staged> staged = stagedScenario(arguments.inputName());
    if (!staged)
        return Error { staged.error() };
    if (const QString problem = choiceProblem(staged->scenario); !problem.isEmpty())
        return Error { problem };
    auto simulator =
        std::make_unique<Simulator>(std::move(staged->stage.rules), std::move(staged->stage.world));
    const Played played = play(staged->scenario, *simulator, arguments.until, budget);
    if (played.stoppedBy != Limit::None)
        complain(stoppedRun(staged->scenario, *simulator, played));
    return simulator;
}

/// What files wish of a picture and do not get.
QList<Remark> undrawn(const MachineFile &file)
{
    QList<Remark> result;
    for (const Statechart &chart : file.charts) {
        const auto wished = [](const Arc &arc) { return arc.towards != Towards::Anywhere; };
        const auto first = std::ranges::find_if(chart.arcs, wished);
        if (first != chart.arcs.end())
            result.append({ first->line,
                u"%1 arrows wish a direction; the layout finds its own"_s.arg(
                    std::ranges::count_if(chart.arcs, wished)),
                false });
    }
    return result;
}

/// As usual for a drawing, but for what the command was given.
Budget forDrawing(const Budget &given, const Arguments &arguments)
{
    Budget budget = drawingBudget();
    budget.isCanceled = given.isCanceled;
    if (arguments.maxTime)
        budget.deadline = given.deadline;
    return budget;
}

/// Fonts need an application, but no display; what its parts have to say of the desktop concerns
/// nobody here.
class Offscreen
{
public:
    Offscreen()
    {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        const QtMessageHandler before =
            qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &) {});
        m_application.emplace(m_count, m_arguments);
        qInstallMessageHandler(before);
        QGuiApplication::setFont(typeface(QGuiApplication::font()));
    }

private:
    int m_count = 1;
    char m_name[11] = "instar-cli";
    char *m_arguments[2] = { m_name, nullptr };
    std::optional<QGuiApplication> m_application;
};

Exit renderRun(const Arguments &arguments, const QString &out,
    const std::optional<SheetFormat> &format, const RunFormat *ofRun, const Theme &theme,
    const Budget &budget)
{
    const Result<std::unique_ptr<Simulator>> simulator = playedRun(arguments, budget);
    if (!simulator)
        return complain(simulator.error());
    const QString title = QFileInfo(arguments.inputName()).fileName();
    const Result<QByteArray> bytes = ofRun
        ? ofRun->write(**simulator, title, theme)
        : drawnSheet({ sheetPart(**simulator, title) }, *format, theme);
    return bytes ? printTo(out, *bytes)
                 : complain(u"%1: %2"_s.arg(arguments.inputName(), bytes.error()));
}

} // namespace

Exit renderFile(const Arguments &arguments)
{
    const Budget budget = budgetOf(arguments, MostDrawnEvents, u"events"_s);
    const QString name = arguments.inputName();
    const QString out = QFile::decodeName(QByteArray::fromStdString(arguments.output));
    const QString wish = QString::fromStdString(arguments.to);
    const QString machine = QString::fromStdString(arguments.machine);
    const Result<MachineFile> file = isLesson(name)
        ? Result<MachineFile>(MachineFile { .name = name })
        : loadMachines(name, QString::fromStdString(arguments.from));
    if (!file)
        return complain(file.error());
    const bool isRun = machine.isEmpty() && isPlayed(file, name);
    const QString wanted = wish.isEmpty() ? out : wish;
    const std::optional<SheetFormat> format = sheetFormat(wanted);
    const RunFormat *ofRun = runFormat(wanted);
    if (ofRun && !isRun)
        return complain(
            u"%1: only a run can be written so; give a scenario, or draw this as svg, png or pdf"_s
                .arg(name));
    if (wanted.section(u'.', -1).toLower() == u"apng")
        return complain(
            u"%1: APNG is not written any more; write a page (.html) instead"_s.arg(out));
    if (!format && !ofRun && wish.isEmpty())
        return complain(
            u"%1: its name does not say what to draw (.svg, .png, .pdf; of a run also .html, .puml, .mmd); say it with --to"_s
                .arg(out));
    if (!format && !ofRun)
        return complain(noSuch(u"picture format"_s, wish,
            { u"svg"_s, u"png"_s, u"pdf"_s, u"html"_s, u"puml"_s, u"mmd"_s }));
    const Offscreen offscreen;
    const Theme theme =
        Theme::named(QString::fromStdString(arguments.theme)).value_or(Theme::light());
    if (isRun) {
        const Exit exit = renderRun(arguments, out, format, ofRun, theme, budget);
        if (exit == Exit::Fine)
            showRemarks(name, file->remarks);
        return exitAfter(budget.interruption(), exit);
    }
    const Result<QList<SheetPart>> parts = partsOf(*file, machine, forDrawing(budget, arguments));
    if (!parts)
        return complain(parts.error());
    const Result<QByteArray> sheet = drawnSheet(*parts, *format, theme);
    if (!sheet) {
        const QString remedy =
            parts->size() > 1 ? u"; or draw one machine of several with --machine"_s : QString();
        return complain(u"%1: %2%3"_s.arg(name, sheet.error(), remedy));
    }
    for (const SheetPart &part : *parts) {
        if (!part.remark().isEmpty())
            complain(u"%1: %2"_s.arg(name, part.remark()));
    }
    const Exit exit = printTo(out, *sheet);
    if (exit == Exit::Fine)
        showRemarks(name, file->remarks + undrawn(*file));
    return exitAfter(budget.interruption(), exit);
}

} // namespace instar
