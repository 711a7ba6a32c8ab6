// SPDX-License-Identifier: Apache-2.0
#include "app/filedialogs.h"
#include "app/mainwindow.h"
#include "app/program.h"
#include "app/shot.h"
#include "app/version.h"
#include "model/json/library.h"
#include "model/pack/nearest.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

int usageError(const QString &sentence)
{
    const QString plain = sentence.endsWith(u'.') ? sentence.chopped(1) : sentence;
    printToStderr(u"instar: %1; see instar --help"_s.arg(plain));
    return 2;
}

} // namespace

// An exception (out of memory) ends the program: no window can go on without memory.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char *argv[])
{
    QGuiApplication::setHighDpiScaleFactorRoundingPolicy(
        Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    QApplication::setApplicationName(u"instar"_s);
    QApplication::setOrganizationName(u"instar"_s);
    QApplication::setApplicationVersion(QString::fromLatin1(programVersion));
    QApplication::setApplicationDisplayName(u"Instar"_s);
    for (int i = 1; i < argc; ++i) {
        const QByteArrayView word(argv[i]);
        if (word == "--help" || word == "-h" || word == "--help-all" || word == "--version"
            || word == "-v")
            qputenv("QT_QPA_PLATFORM", "offscreen"); // printing needs no display
    }
    QApplication application(argc, argv);
    QApplication::setWindowIcon(QIcon(u":/instar/icons/instar.svg"_s));
    QGuiApplication::setDesktopFileName(u"instar"_s);

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QApplication::translate("main", "A desktop explorer for lifecycle state machines."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption theme(u"theme"_s,
        QApplication::translate("main", "Colours: system, light, dark, contrast or colour-blind."),
        u"name"_s);
    const QCommandLineOption connectTo(u"connect"_s,
        QApplication::translate(
            "main", "Drive this server, read-only until writing is switched on."),
        u"URL"_s);
    const QCommandLineOption pack(u"pack"_s,
        QApplication::translate(
            "main", "Pack of the server; the id of a built-in pack, or a file."),
        u"pack"_s);
    QCommandLineOption shot(
        u"shot"_s, u"Plays the script, saves a picture of the window, and quits."_s, u"file"_s);
    QCommandLineOption size(u"size"_s, u"Size of the picture, for instance 1280x800."_s, u"WxH"_s);
    QCommandLineOption play(u"play"_s,
        u"Before the picture: a list such as \"PUT /a/b hang; wait 200; select /a/b\"."_s,
        u"script"_s);
    for (QCommandLineOption *hidden : { &shot, &size, &play })
        hidden->setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOptions({ theme, connectTo, pack, shot, size, play });
    parser.addPositionalArgument(u"file"_s,
        QApplication::translate("main", "Packs and scenarios to open, or ids of built-in packs."),
        u"[file...]"_s);
    parser.process(application);

    Program program;
    if (parser.isSet(theme)) {
        const QString name = parser.value(theme);
        const std::optional<ThemeChoice> choice = themeNamed(name);
        if (!choice)
            return usageError(u"--theme: "_s
                + noSuch(u"choice"_s, name,
                    QStringList(themeName(ThemeChoice::System)) + Theme::names()));
        program.setTheme(*choice);
    }

    QStringList sources = parser.positionalArguments();
    MainWindow *connected = nullptr;
    if (parser.isSet(connectTo)) {
        const QString id = parser.isSet(pack) ? parser.value(pack) : builtInPacks().first();
        const Result<MainWindow *> window =
            program.connectTo({ .url = parser.value(connectTo), .pack = id });
        if (!window)
            return usageError(window.error());
        connected = *window;
    } else if (parser.isSet(pack)) {
        return usageError(u"--pack needs --connect"_s);
    }
    if (sources.isEmpty() && !connected)
        sources += builtInPacks().first();
    if (parser.isSet(shot)) {
        // Nobody would close a message box: print errors.
        MainWindow *window = connected;
        if (!window) {
            if (const Result<Opened> content = loadSource(sources.first()); !content)
                return usageError(content.error());
            window = program.open(sources.first());
        }
        const QString problem = window
            ? takeShot(*window, parser.value(play), parser.value(size), parser.value(shot))
            : u"%1 cannot be opened"_s.arg(sources.first());
        return problem.isEmpty() ? 0 : usageError(problem);
    }
    if (parser.positionalArguments().isEmpty() && !connected && program.restoreSession())
        sources.clear();
    for (const QString &source : std::as_const(sources))
        program.open(source);
    // If no file could be opened, opens the first built-in pack.
    if (program.windows().isEmpty() && !program.open(builtInPacks().first()))
        return 2;
    program.offerLost();
    return QApplication::exec();
}
