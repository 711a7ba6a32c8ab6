// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"

#include "app/version.h"
#include "model/foreigntext.h"
#include "model/json/filebytes.h"
#include "model/json/library.h"
#include "model/pack/nearest.h"

#include <QFile>
#include <QLocale>

#include <CLI/CLI.hpp>

#include <new>

namespace instar {

Option formatOption(QString *format, const QStringList &formats, const QString &help)
{
    return { .name = "--format", .target = format, .help = help, .choices = formats };
}

Option judgeBudgetOption(qint64 *states)
{
    return { "--budget", states,
        "Stop the search of each independent part of the history after this number of states", "N",
        1, MostExact };
}

QList<Option> machineOptions(MachineInput *input)
{
    return { { "IN", &input->file,
                 "A file with machines or statecharts, or the id of a built-in pack" },
        { "--machine", &input->machine, "Id of the machine to use, if IN has several", "ID" },
        { "--from", &input->format, "Format of IN; the default follows its suffix", "FORMAT" } };
}

namespace {

Exit listPacks()
{
    QString lines;
    for (const QString &id : builtInPacks()) {
        const Pack pack = valueOf(loadPack(id));
        lines +=
            oneLine(pack.id) + u'\t' + oneLine(pack.title) + u'\t' + oneLine(pack.origin) + u'\n';
    }
    return print(lines);
}

/// All commands, in the order of the help.
const QList<Command> &allCommands()
{
    static const QList<Command> all {
        { "packs", "List the built-in packs: id, title and source, separated by tabs", {},
            listPacks },
        checkCommand(), runCommand(), exploreCommand(), traceCommand(), convertCommand(),
        renderCommand(), diffCommand(), judgeCommand(), importCommand(), serveCommand(),
        driveCommand()
    };
    return all;
}

CLI::Validator oneOf(const QStringList &words)
{
    return CLI::Validator(
        [words](const std::string &given) {
            const QString word = QString::fromStdString(given);
            return words.contains(word) ? std::string()
                                        : noSuch(u"choice"_s, word, words).toStdString();
        },
        "{" + words.join(u',').toStdString() + "}");
}

// Adds an option to the parser; one overload for each type of variable that receives the value.

CLI::Option *addOption(CLI::App &app, const Option &option, bool *target)
{
    return app.add_flag(option.name.toStdString(), *target, option.help.toStdString());
}

CLI::Option *addOption(CLI::App &app, const Option &option, QString *target)
{
    CLI::Option *text = app.add_option_function<std::string>(
        option.name.toStdString(),
        [target](const std::string &given) { *target = QString::fromStdString(given); },
        option.help.toStdString());
    if (!option.choices.isEmpty())
        text->check(oneOf(option.choices));
    return text->default_str(target->toStdString());
}

CLI::Option *addOption(CLI::App &app, const Option &option, QStringList *target)
{
    return app
        .add_option_function<std::vector<std::string>>(
            option.name.toStdString(),
            [target](const std::vector<std::string> &given) {
                for (const std::string &each : given)
                    *target += QString::fromStdString(each);
            },
            option.help.toStdString())
        ->allow_extra_args(false);
}

template<typename Number>
CLI::Option *addOption(CLI::App &app, const Option &option, Number *target)
{
    return app.add_option(option.name.toStdString(), *target, option.help.toStdString())
        ->check(CLI::Range(Number(option.least), Number(option.most)))
        ->capture_default_str();
}

CLI::Option *addOption(CLI::App &app, const Option &option, std::optional<qint64> *target)
{
    return app.add_option(option.name.toStdString(), *target, option.help.toStdString())
        ->check(CLI::Range(qint64(option.least), qint64(option.most)));
}

void addOption(CLI::App &app, const Option &option)
{
    CLI::Option *made =
        std::visit([&](auto target) { return addOption(app, option, target); }, option.target);
    made->required(option.isRequired || !option.name.startsWith(u'-'));
    if (!option.value.isEmpty())
        made->type_name(option.value.toStdString());
}

/// Returns the message for a removed command or option; empty if `word` never was one.
QString removalAdvice(const QString &word)
{
    static const std::pair<QStringList, QString> removed[] {
        { { u"--keystone"_s, u"--user-domain"_s, u"--project"_s, u"--project-domain"_s,
              u"--token-url"_s, u"--client-id"_s, u"--client-secret-file"_s, u"--scope"_s,
              u"--user"_s, u"--password-file"_s, u"--api-key-query"_s },
            u"use --token-command with a command that prints a token, or --api-key-header with the name of any header"_s },
        { { u"--max-body"_s, u"--max-unsent"_s, u"--max-connections"_s, u"--idle-timeout"_s,
              u"--request-timeout"_s },
            u"omit the option; the limits are fixed"_s },
        { { u"--max-time"_s },
            u"use timeout -s INT SECONDS instar-cli, which prints the results so far"_s },
        { { u"--next"_s }, u"use --coverage, which lists the rules that are not exercised yet"_s },
        { { u"rules"_s }, u"use the program instar; its Edit room shows the rules of a pack"_s },
        { { u"completion"_s, u"manual"_s }, u"use man instar-cli, or --help of a command"_s },
    };
    for (const auto &[words, advice] : removed) {
        if (words.contains(word))
            return u"%1 was removed: %2"_s.arg(word, advice);
    }
    return {};
}

/// Returns the message for an option that does not exist.
QString missingOption(const QString &word, const CLI::App &app)
{
    const QString name = word.section(u'=', 0, 0);
    if (const QString other = removalAdvice(name); !other.isEmpty())
        return other;
    QStringList known;
    for (const CLI::Option *option : app.get_options()) {
        for (const std::string &each : option->get_lnames())
            known += u"--"_s + QString::fromStdString(each);
    }
    return u"there is no option \"%1\"%2"_s.arg(name.left(100), suggestion(name, known));
}

/// Returns the message for a wrong command line. `command` may be null; `first`: first argument.
QString usageError(const CLI::ParseError &error, const CLI::App &app, const CLI::App *command,
    const QString &first)
{
    if (!command) {
        const auto names = mapped<QStringList>(allCommands(), &Command::name);
        if (first.isEmpty())
            return u"expected a command (%1)"_s.arg(names.join(u", "_s));
        if (first.startsWith(u'-'))
            return missingOption(first, app);
        const QString other = removalAdvice(first);
        return other.isEmpty() ? noSuch(u"command"_s, first, names) : other;
    }
    QStringList quoted;
    for (const std::string &each : command->remaining()) {
        const QString word = QString::fromStdString(each);
        if (word.startsWith(u'-') && word.size() > 1)
            return missingOption(word, *command);
        quoted += u"\"%1\""_s.arg(word.left(100));
    }
    return quoted.isEmpty() ? QString::fromStdString(error.what()).simplified()
                            : u"unexpected argument: %1"_s.arg(quoted.join(u", "_s));
}

/// Parses the command line and runs the chosen command.
Exit runCommandLine(int argc, char **argv)
{
    CLI::App app(
        "Run, explore and check lifecycle state machines. A pack is a JSON file with the machines "
        "and rules of one system; a scenario is a list of timed operations on its resources.",
        "instar-cli");
    app.set_version_flag("--version", std::string("instar-cli ") + programVersion);
    app.require_subcommand(1);
    // Arguments that may name a file: each as it is, and the part after "=" of "--option=FILE".
    QStringList files;
    for (int i = 1; i < argc; ++i) {
        const QString word = QFile::decodeName(argv[i]);
        files += { word, word.section(u'=', 1) };
    }
    allowPipes(files);
    const Command *chosen = nullptr;
    for (const Command &command : allCommands()) {
        CLI::App *sub = app.add_subcommand(command.name.toStdString(), command.help.toStdString());
        for (const Option &option : command.options)
            addOption(*sub, option);
        sub->footer(QString(command.footer).replace(u"%1"_s, builtInPacks().first()).toStdString());
        sub->callback([&chosen, &command] { chosen = &command; });
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &help) { // --help and --version
        std::ostringstream text;
        app.exit(help, text, text);
        return print(QByteArray::fromStdString(text.str()));
    } catch (const CLI::ParseError &error) {
        const std::vector<CLI::App *> commands = app.get_subcommands();
        const CLI::App *command = commands.empty() ? nullptr : commands.front();
        const QString first = argc < 2 ? QString() : QString::fromLocal8Bit(argv[1]);
        throw CommandError { u"%1; see instar-cli %2--help"_s.arg(
            usageError(error, app, command, first),
            command ? QString::fromStdString(command->get_name()) + u' ' : QString()) };
    }
    return chosen->run();
}

} // namespace

} // namespace instar

// complain() may throw if no memory is left; the program then ends without a message.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char **argv)
{
    using namespace instar;
    QLocale::setDefault(QLocale::c()); // the output must not depend on the locale
    try {
        return int(runCommandLine(argc, argv));
    } catch (const CommandError &error) {
        complain(error.text);
        return int(error.exit);
    } catch (const std::bad_alloc &) {
        complain(u"not enough memory"_s);
        return int(Exit::Unusable);
    }
}
