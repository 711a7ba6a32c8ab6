// SPDX-License-Identifier: Apache-2.0
#include "app/filedialogs.h"
#include "app/program.h"
#include "app/version.h"
#include "model/json/library.h"
#include "model/pack/nearest.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>

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
    parser.addOptions({ theme, connectTo, pack });
    parser.addPositionalArgument(u"file"_s,
        QApplication::translate("main", "Packs and scenarios to open, or ids of built-in packs."),
        u"[file...]"_s);
    parser.process(application);

    Program program;
    if (parser.isSet(theme)) {
        const QString name = parser.value(theme);
        const QStringList names = QStringList(u"system"_s) + Theme::names();
        if (!names.contains(name))
            return usageError(u"--theme: "_s + noSuch(u"choice"_s, name, names));
        program.setTheme(name);
    }

    if (parser.isSet(connectTo)) {
        const QString id = parser.isSet(pack) ? parser.value(pack) : builtInPacks().first();
        const Result<MainWindow *> window =
            program.connectTo({ .url = parser.value(connectTo), .pack = id });
        if (!window)
            return usageError(window.error());
    } else if (parser.isSet(pack)) {
        return usageError(u"--pack needs --connect"_s);
    }
    const QStringList sources = parser.positionalArguments();
    if (sources.isEmpty() && !parser.isSet(connectTo))
        program.restoreSession();
    for (const QString &source : sources)
        program.open(source);
    if (program.windows().isEmpty() && !program.open(builtInPacks().first()))
        return 2;
    program.offerLost();
    return QApplication::exec();
}
