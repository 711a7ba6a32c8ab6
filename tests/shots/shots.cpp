// SPDX-License-Identifier: Apache-2.0
// Opens a window, plays a script on it, and saves a screenshot of it for the documentation:
//   shots PICTURE.png STEPS [--size WxH] [--theme NAME] [--connect URL] [SOURCE]
// STEPS are separated by ";": "PUT /a/b client B hang failures 2 duration 500 outcome Failed",
// "arm PUT /a/b client B", "together" (fires the burst), "wait 200" (virtual ms; real ones for a
// real server), "rest 200" (real ms), "select /a/b", "write" (to a real server), "room Edit",
// "show operations" (a dock), "pick A B" (states on the chart), "row /machines/a" (of the pack),
// "key Ctrl+N" (an action), "outcomes" (searches to the end), "story 3 play" (a column of the
// result), "next" (in a lesson).
#include "app/editing.h"
#include "app/filedialogs.h"
#include "app/mainwindow.h"
#include "app/network.h"
#include "app/program.h"
#include "model/json/library.h"
#include "model/json/saving.h"
#include "views/lessons/lessonpanel.h"
#include "views/outcomes/outcomespanel.h"
#include "views/panels/burstpanel.h"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QCommandLineParser>
#include <QDialog>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QPixmap>
#include <QTableView>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

constexpr int SettlingMs = 1200; ///< real time for animations to end

void settle(int ms)
{
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < ms)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

/// Parses a step such as "PUT /a/b hang"; on errors the path is empty.
Request requestOf(QStringList words)
{
    Request request;
    if (words.isEmpty())
        return request;
    request.op = words.takeFirst();
    if (words.isEmpty())
        return request;
    const QString path = words.takeFirst();
    while (!words.isEmpty()) {
        const QString key = words.takeFirst();
        if (key == u"hang") {
            request.hang = true;
            continue;
        }
        if (words.isEmpty())
            return request;
        const QString value = words.takeFirst();
        if (key == u"client")
            request.client = value;
        else if (key == u"outcome")
            request.outcome = value;
        else if (key == u"failures")
            request.transientFailures = value.toInt();
        else if (key == u"duration")
            request.duration = value.toLongLong();
        else
            return request;
    }
    request.path = path;
    return request;
}

QString doStep(MainWindow &window, const QString &step)
{
    const QStringList words = step.simplified().split(u' ', Qt::SkipEmptyParts);
    if (words.isEmpty())
        return {};
    const QString &verb = words.first();
    const QString argument = words.value(1);
    Controller &controller = window.controller();
    if (verb == u"wait") {
        if (window.isLocal())
            window.simulator().advance(argument.toLongLong());
        else
            settle(argument.toInt());
    } else if (verb == u"select") {
        window.select(argument);
    } else if (verb == u"write") {
        window.network().setReadOnly(false);
    } else if (verb == u"together") {
        window.network().burst()->fire();
    } else if (verb == u"pick" && window.editing()) {
        Selection &selection = window.selection();
        selection.set({ .machine = selection.rows().machine, .states = words.mid(1) });
    } else if (verb == u"outcomes") {
        window.askOutcomes();
        for (int i = 0; i < 300 && window.outcomes().isSearching(); ++i)
            settle(100);
    } else if (verb == u"story") {
        QTableView &table = window.outcomes().table();
        table.selectColumn(argument.toInt());
        if (words.value(2) == u"play")
            window.outcomes().play();
        else if (words.size() > 2) // compares two columns
            table.selectionModel()->select(table.model()->index(0, words[2].toInt()),
                QItemSelectionModel::Select | QItemSelectionModel::Columns);
    } else if (verb == u"key") {
        QList<QAction *> actions = window.findChildren<QAction *>();
        if (window.editing())
            actions = window.editing()->hands().actions() + actions;
        const auto meant = std::ranges::find_if(actions, [&](const QAction *action) {
            return action->isEnabled() && action->shortcuts().contains(QKeySequence(argument));
        });
        if (meant == actions.end())
            return u"no enabled command has the script's key \"%1\""_s.arg(argument);
        (*meant)->trigger();
    } else if (verb == u"rest") {
        settle(argument.toInt());
    } else if (verb == u"next" && window.lesson()) {
        window.lesson()->advance();
    } else if (verb == u"row" && window.editing()) {
        window.editing()->showRow(argument);
    } else if (verb == u"room") {
        if (QAction *room = window.findChild<QAction *>(argument.toLower()))
            room->trigger();
    } else if (verb == u"show") {
        if (QDockWidget *dock = window.docks().named(argument))
            window.docks().raise(dock);
    } else if (verb == u"arm" || controller.rules().isOperation(controller.rules().trigger(verb))) {
        const Request request = requestOf(verb == u"arm" ? words.mid(1) : words);
        if (request.path.isEmpty())
            return u"the script's step \"%1\" names no operation and path"_s.arg(step.trimmed());
        if (verb == u"arm")
            window.network().burst()->add(request);
        else
            window.selection().selectFired(controller.submit(request)); // as the fire bar does
    } else {
        return u"the script's step \"%1\" is unknown"_s.arg(step.trimmed());
    }
    settle(60);
    return {};
}

/// Plays the steps and saves the picture. Returns an error; empty: none.
QString takeShot(
    MainWindow &window, const QString &script, const QString &size, const QString &file)
{
    const QStringList sides = size.split(u'x');
    window.resize(sides.value(0).toInt(), sides.value(1).toInt());
    window.docks().reset();
    settle(200);
    for (const QString &step : script.split(u';')) {
        if (const QString problem = doStep(window, step); !problem.isEmpty())
            return problem;
    }
    settle(SettlingMs);
    QWidget *shown = &window;
    for (QDialog *dialog : window.findChildren<QDialog *>()) {
        if (dialog->isVisible() && !dialog->windowFlags().testFlag(Qt::Popup))
            shown = dialog;
    }
    QBuffer picture;
    picture.open(QIODevice::WriteOnly);
    if (!shown->grab().save(&picture, "PNG"))
        return u"%1: the picture cannot be made"_s.arg(file);
    const Result<bool> written = writeFile(file, picture.data());
    return written ? QString() : written.error();
}

} // namespace

int main(int argc, char *argv[])
{
    QApplication::setApplicationName(u"instar"_s); // of the settings and recovery files
    QApplication::setOrganizationName(u"instar"_s);
    const QApplication application(argc, argv);
    QCommandLineParser parser;
    const QCommandLineOption size(u"size"_s, {}, u"WxH"_s, u"1280x800"_s);
    const QCommandLineOption theme(u"theme"_s, {}, u"NAME"_s, u"system"_s);
    const QCommandLineOption server(u"connect"_s, {}, u"URL"_s);
    parser.addOptions({ size, theme, server });
    parser.process(application);
    const QStringList words = parser.positionalArguments();

    Program program;
    program.setTheme(parser.value(theme));
    const QString source = words.value(2, builtInPacks().first());
    const Result<Opened> content = loadSource(source); // its errors would open a message box
    QString problem = content ? QString() : content.error();
    if (content) {
        const Result<MainWindow *> window = parser.isSet(server)
            ? program.connectTo({ .url = parser.value(server), .pack = source })
            : program.open(source);
        problem = window ? takeShot(**window, words.value(1), parser.value(size), words.value(0))
                         : window.error();
    }
    if (!problem.isEmpty())
        printToStderr(u"shots: "_s + problem);
    return problem.isEmpty() ? 0 : 2;
}
