// SPDX-License-Identifier: Apache-2.0
#include "app/filedialogs.h"
#include "app/program.h"
#include "app/version.h"
#include "model/pack/nearest.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>

using namespace instar;

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
    parser.addOption(theme);
    parser.addPositionalArgument(u"file"_s,
        QApplication::translate(
            "main", "Packs and scenarios to open, ids of built-in packs, or histories to judge."),
        u"[file...]"_s);
    parser.process(application);

    Program program;
    if (parser.isSet(theme)) {
        const QString name = parser.value(theme);
        const QStringList names = QStringList(u"system"_s) + Theme::names();
        if (!names.contains(name)) {
            printToStderr(
                u"instar: --theme: %1; see instar --help"_s.arg(noSuch(u"choice"_s, name, names)));
            return 2;
        }
        program.setTheme(name);
    }

    if (!program.openFirst(parser.positionalArguments()))
        return 2;
    program.offerLost();
    return QApplication::exec();
}
