// SPDX-License-Identifier: Apache-2.0
// How fluent the hands on a chart are: milliseconds of the processor a frame, at 1280x800 without a
// screen, beside painting the same chart with nothing in the hand.
#include "app/editing.h"
#include "app/mainwindow.h"
#include "app/program.h"
#include "model/json/packfile.h"
#include "model/json/saving.h"
#include "model/pack/names.h"
#include "views/diagram/statechartview.h"
#include "views/editing/problemspanel.h"

#include <QApplication>
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <ctime>
#include <iostream>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

/// So many states in a grid, the first `inFrame` of them in a frame, each with an arrow to the
/// next.
Pack grid(int states, int inFrame, int columns)
{
    Machine machine { .id = u"m"_s, .rest = u"s0"_s };
    machine.states.append({ .id = u"none"_s, .kind = State::Kind::Initial });
    machine.states.last().position = QPointF(-200, 0);
    machine.states.append({ .id = u"frame"_s, .kind = State::Kind::Composite });
    for (int i = 0; i < states; ++i) {
        State state;
        state.id = u"s%1"_s.arg(i);
        // The framed ones stand by themselves: ten columns of their own, above the others.
        state.position = i < inFrame
            ? QPointF(i % 10 * 220, i / 10 * 120)
            : QPointF((i - inFrame) % columns * 220, 900 + (i - inFrame) / columns * 120);
        if (i < inFrame)
            state.parent = u"frame"_s;
        machine.states.append(state);
        Transition row;
        row.from = { state.id };
        row.on = { u"go%1"_s.arg(i) };
        row.to = { u"s%1"_s.arg((i + 1) % states) };
        machine.transitions.append(row);
    }
    Pack pack;
    pack.id = pack.title = u"grid"_s;
    pack.types = { { .path = u"t"_s, .machine = u"m"_s } };
    pack.machines = { machine };
    pack.sample = { { .path = u"/t/one"_s } };
    return pack;
}

/// Of this thread: what is laid out or checked beside the window does not block it.
double milliseconds()
{
    timespec now {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1000.0 * double(now.tv_sec) + double(now.tv_nsec) / 1e6;
}

void send(QWidget *view, QEvent::Type type, const QPointF &at)
{
    const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, view->mapToGlobal(at), button,
        type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, {});
    QApplication::sendEvent(view, &event);
}

MainWindow *opened(Program &program, const QTemporaryDir &folder, const Pack &pack)
{
    const QString file = folder.filePath(pack.id + u".json"_s);
    if (!writeFile(file, writePack(pack)))
        qFatal("cannot write %s", qPrintable(file));
    MainWindow *window = program.open(file);
    window->resize(1280, 800);
    auto *chart = window->findChild<StatechartView *>();
    while (chart->layout().boxes.isEmpty()) // a large one is laid out beside the window
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    window->editing()->setOn(true);
    chart->fit();
    QApplication::processEvents();
    return window;
}

bool line(const char *what, double value, double bar, const char *unit)
{
    const bool met = value <= bar;
    std::cout << (met ? "  met      " : "  MISSED   ") << what << ": " << value << unit
              << ", at most " << bar << unit << '\n';
    return met;
}

bool dragged(Program &program, const QTemporaryDir &folder)
{
    constexpr int frames = 60;
    MainWindow *window = opened(program, folder, grid(300, 50, 20));
    auto *chart = window->findChild<StatechartView *>();
    QWidget *view = chart->viewport();
    double begin = milliseconds();
    for (int i = 0; i < frames; ++i)
        view->repaint();
    const double still = (milliseconds() - begin) / frames;
    QRectF title;
    for (const ChartBox &box : chart->layout().boxes) {
        if (box.isFrame())
            title = box.title();
    }
    const QPointF from = chart->mapFromScene(title.topLeft() + QPointF(60, 20));
    send(view, QEvent::MouseButtonPress, from);
    begin = milliseconds();
    for (int i = 0; i < frames; ++i) {
        send(view, QEvent::MouseMove, from + QPointF(i + 6, i / 2));
        view->repaint();
    }
    const double moved = (milliseconds() - begin) / frames;
    std::cout
        << "\nA frame of 50 states in a chart of 300, with their arrows: a still picture takes "
        << still << " ms\n";
    const bool met = line("a frame while it is dragged", moved, 16, " ms");
    const int before = window->editing()->document().history().count();
    send(view, QEvent::MouseButtonRelease, from + QPointF(frames + 6, frames / 2));
    window->controller().updates().flush();
    const bool isDone = window->editing()->document().history().count() == before + 1;
    if (!isDone)
        std::cout << "  MISSED   nothing was dragged\n";
    window->editing()->document().history().setClean();
    delete window;
    return met && isDone;
}

/// A name that stands in a pack of 2,000 rows: compiled, put in force, laid out, shown, and checked
/// beside it; in time, as somebody waits for it.
bool renamedIn(Program &program, const QTemporaryDir &folder)
{
    Pack pack = grid(40, 5, 10);
    pack.id = u"rows"_s;
    for (int i = 0; i < 12; ++i) { // other machines, of 160 rows each
        Machine other = grid(80, 10, 10).machines.first();
        other.id = u"m%1"_s.arg(i);
        pack.machines += other;
        pack.types += Type { .path = u"t%1"_s.arg(i), .machine = other.id };
    }
    MainWindow *window = opened(program, folder, pack);
    Document &document = window->editing()->document();
    auto *problems = window->findChild<ProblemsPanel *>();
    constexpr int turns = 5;
    std::vector<double> shown, checked;
    QString name = u"s3"_s;
    for (int i = 0; i < turns; ++i) {
        QDeadlineTimer pause(500); // what came before is looked at, and this is a change alone
        while (!pause.hasExpired() || problems->isSearching())
            QApplication::processEvents(QEventLoop::AllEvents, 20);
        bool isTold = false;
        const auto told = QObject::connect(
            problems, &ProblemsPanel::diagnosticsChanged, problems, [&] { isTold = true; });
        const QString next = u"third %1"_s.arg(i);
        QElapsedTimer clock;
        clock.start();
        document.edit(u"rename"_s, renamed(document.pack(), Name::State, name, next, u"m"_s));
        window->controller().updates().flush();
        window->findChild<StatechartView *>()->viewport()->repaint();
        shown.push_back(double(clock.nsecsElapsed()) / 1e6);
        while (!isTold)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        checked.push_back(double(clock.nsecsElapsed()) / 1e6);
        QObject::disconnect(told);
        name = next;
    }
    std::ranges::sort(shown);
    std::ranges::sort(checked);
    std::cout << "\nA pack of 13 machines with 2,000 states and transitions; the median of "
              << turns << "\n";
    line("a state is called otherwise, and shown so", shown[turns / 2], 100, " ms");
    const bool met =
        line("... and checked, with what is wrong in the list", checked[turns / 2], 100, " ms");
    document.history().setClean();
    delete window;
    return met;
}

} // namespace

int main(int argc, char **argv)
{
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QApplication::setOrganizationName(u"instar-bench"_s);
    QApplication::setApplicationName(u"instar-bench"_s);
    const QTemporaryDir folder;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    Program program;
    const bool isFluent = dragged(program, folder);
    const bool isQuick = renamedIn(program, folder);
    return isFluent && isQuick ? 0 : 1;
}
