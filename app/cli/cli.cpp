// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"

#include "app/cli/documents.h"
#include "app/cli/signin.h"
#include "app/version.h"
#include "model/formats/filebytes.h"
#include "model/formats/library.h"
#include "model/formats/reading.h"
#include "model/formats/saving.h"
#include "model/machine/nearest.h"
#include "views/drawing/theme.h"

#include <QFile>
#include <QLocale>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <new>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace instar {

QString Arguments::inputName() const
{
    return QFile::decodeName(QByteArray::fromStdString(input));
}

namespace {

Exit printRaw(const QByteArray &bytes, Exit exit)
{
    const bool written =
        std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stdout) == size_t(bytes.size());
    if (!written || std::fflush(stdout) != 0)
        return complain(u"the standard output cannot be written"_s);
    return exit;
}

} // namespace

Exit print(const QByteArray &text, Exit exit)
{
    return printRaw(visible(text), exit);
}

Exit printTo(const QString &file, const QByteArray &bytes)
{
    if (file == u"-")
        return printRaw(bytes, Exit::Fine);
    const Result<bool> written = writeFile(file, bytes);
    return written ? Exit::Fine : complain(written.error());
}

Exit complain(const QString &text)
{
    showProgress({});
    warn(u"instar-cli: "_s + oneLine(text) + u'\n');
    return Exit::Unusable;
}

void warn(const QString &lines)
{
    std::fputs(visible(lines).toUtf8().constData(), stderr);
}

void showProgress(const QString &text)
{
    static bool shown = false;
    if (!isatty(STDERR_FILENO) || (text.isEmpty() && !shown))
        return;
    shown = !text.isEmpty();
    std::fputs(("\r\033[K" + oneLine(text).toUtf8()).constData(), stderr);
    std::fflush(stderr);
}

QString table(QList<QStringList> rows)
{
    QList<qsizetype> widths;
    for (QStringList &row : rows) {
        std::ranges::transform(row, row.begin(), oneLine);
        widths.resize(std::max(widths.size(), row.size()));
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    QString text;
    for (const QStringList &row : std::as_const(rows)) {
        QString line;
        const qsizetype cells =
            std::find_if(row.rbegin(), row.rend(), std::not_fn(&QString::isEmpty)).base()
            - row.begin();
        for (qsizetype i = 0; i < cells; ++i)
            line += i + 1 < cells ? row[i].leftJustified(widths[i] + 2) : row[i];
        while (line.endsWith(u' '))
            line.chop(1);
        text += line + u'\n';
    }
    return text;
}

Exit listPacks(const Arguments &)
{
    QString lines;
    for (const QString &id : builtInPacks()) {
        const Result<Pack> pack = loadPack(id);
        if (!pack)
            return complain(pack.error());
        lines += oneLine(pack->id) + u'\t' + oneLine(pack->title) + u'\t' + oneLine(pack->origin)
            + u'\n';
    }
    return print(lines.toUtf8(), Exit::Fine);
}

Exit printCompletion(const Arguments &arguments)
{
    return print(completionScript(*arguments.program, arguments.inputName()), Exit::Fine);
}

Exit printManual(const Arguments &arguments)
{
    return print(manualPage(*arguments.program), Exit::Fine);
}

namespace {

/// One of these words.
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

void addScenario(CLI::App &app, Arguments &arguments, const QStringList &formats)
{
    app.add_option("SCENARIO", arguments.input, "A scenario's file")->required();
    app.add_option("--format", arguments.format, "How to print the result")
        ->check(oneOf(formats))
        ->capture_default_str();
}

void addJudgeBudget(CLI::App &app, Arguments &arguments)
{
    app.add_option("--budget", arguments.judgeBudget,
           "Give up judging after so many situations of one tree")
        ->check(CLI::Range(qint64(1), qint64(1) << 53))
        ->type_name("N")
        ->capture_default_str();
}

void addMaxTime(CLI::App &app, Arguments &arguments)
{
    app.add_option("--max-time", arguments.maxTime,
           "Stop after so many seconds, with what was found so far")
        ->check(CLI::Range(0.0, 31'536'000.0))
        ->type_name("S");
}

void addMachine(CLI::App &app, Arguments &arguments)
{
    app.add_option("IN", arguments.input,
           "A file with machines or statecharts, or the id of a built-in pack")
        ->required();
    app.add_option("--machine", arguments.machine, "Which one, where there are several")
        ->type_name("ID");
    app.add_option("--from", arguments.from, "What IN is, whatever its name")->type_name("FORMAT");
}

const Command commands[] = {
    { "packs", "List the built-in packs: id, title and source, separated by tabs",
        [](CLI::App &, Arguments &) {}, listPacks },
    { "check", "Say what is wrong or doubtful in a pack, scenario or lesson, one issue a line",
        [](CLI::App &app, Arguments &arguments) {
            app.add_option("FILE", arguments.input, "A file, or the id of a built-in pack")
                ->required();
        },
        checkFile },
    { "run", "Run a scenario and compare it with what it expects",
        [](CLI::App &app, Arguments &arguments) {
            addScenario(app, arguments, { u"text"_s, u"json"_s, u"junit"_s });
            app.add_option("--until", arguments.until, "Stop at this virtual time, in ms")
                ->check(CLI::Range(qint64(0), qint64(1) << 53))
                ->type_name("MS");
            app.add_option("--max-events", arguments.maxEvents, "Stop after so many events")
                ->check(CLI::Range(qint64(1), qint64(100'000'000)))
                ->type_name("N")
                ->capture_default_str();
            addMaxTime(app, arguments);
        },
        runScenario },
    { "explore", "Try every order in which a scenario's operations can arrive and end",
        [](CLI::App &app, Arguments &arguments) {
            const CLI::Range number(qint64(1), qint64(1) << 53);
            addScenario(app, arguments, { u"text"_s, u"json"_s });
            app.add_option("--by", arguments.by, "What makes two outcomes different")
                ->check(oneOf({ u"trees"_s, u"operations"_s }))
                ->capture_default_str();
            app.add_option("--limit", arguments.limit,
                   "List at most so many outcomes, dead ends and violations")
                ->check(CLI::Range(qint64(0), qint64(1) << 53))
                ->type_name("N");
            app.add_option("--max-worlds", arguments.maxWorlds, "Give up after so many worlds")
                ->check(number)
                ->type_name("N")
                ->capture_default_str();
            app.add_option("--max-memory", arguments.maxMemory, "Give up at about so much memory")
                ->check(CLI::Range(qint64(1), qint64(1) << 40))
                ->type_name("MB")
                ->capture_default_str();
            addMaxTime(app, arguments);
        },
        exploreScenario },
    { "trace", "Run one machine and print where it is after each event, one JSON object a line",
        [](CLI::App &app, Arguments &arguments) {
            addMachine(app, arguments);
            app.add_option("--events", arguments.events, "What happens, in order: a,b,c")
                ->type_name("NAMES");
            app.add_option("--conditions", arguments.conditions,
                   "The conditions that hold; all others do not: x,!y")
                ->type_name("NAMES");
        },
        traceMachine },
    { "convert", "Write a machine, pack or statechart in another format, by the files' suffixes",
        [](CLI::App &app, Arguments &arguments) {
            addMachine(app, arguments);
            app.add_option("OUT", arguments.output, "The file to write; -: the standard output")
                ->required();
            app.add_option("--to", arguments.to, "What OUT is, whatever its name")
                ->type_name("FORMAT");
        },
        convertFile },
    { "render",
        "Draw machines, statecharts, or the timeline of a scenario's run, as a picture in SVG, PNG "
        "or "
        "PDF; a run also as a page (HTML) or a sequence diagram",
        [](CLI::App &app, Arguments &arguments) {
            addMachine(app, arguments);
            app.add_option("OUT", arguments.output,
                   "The picture to write; -: the standard output, with --to")
                ->required();
            app.add_option("--to", arguments.to,
                   "svg, png or pdf, of a run also html, puml or mmd, whatever OUT's name")
                ->type_name("FORMAT");
            app.add_option("--theme", arguments.theme, "The colours")
                ->check(oneOf(Theme::names()))
                ->capture_default_str();
            app.add_option(
                   "--until", arguments.until, "Of a scenario: stop at this virtual time, in ms")
                ->check(CLI::Range(qint64(0), qint64(1) << 53))
                ->type_name("MS");
            addMaxTime(app, arguments);
        },
        renderFile },
    { "diff", "Say what two packs mean differently, and a shortest scenario that shows it",
        [](CLI::App &app, Arguments &arguments) {
            app.add_option("A", arguments.input,
                   "A file with machines or statecharts, or the id of a built-in pack")
                ->required();
            app.add_option("B", arguments.second, "Another one, or the same")->required();
            app.add_option("--switch-a", arguments.switchesA,
                   "A as it is under this value of a switch; then both are taken as they are under "
                   "some values, the usual ones where none are given")
                ->allow_extra_args(false)
                ->type_name("NAME=VALUE");
            app.add_option("--switch-b", arguments.switchesB, "The same of B")
                ->allow_extra_args(false)
                ->type_name("NAME=VALUE");
            app.add_option("--max-worlds", arguments.maxPairs,
                   "Look for a scenario in so many worlds; 0: do not look")
                ->check(CLI::Range(qint64(0), qint64(1) << 53))
                ->type_name("N")
                ->capture_default_str();
            app.add_option("--format", arguments.format, "How to print the result")
                ->check(oneOf({ u"text"_s, u"json"_s }))
                ->capture_default_str();
            addMaxTime(app, arguments);
        },
        diffPacks },
    { "rules", "Print what a pack's rules say: what operations move and do to each other",
        [](CLI::App &app, Arguments &arguments) {
            app.add_option("PACK", arguments.input, "The id of a built-in pack, or a pack's file")
                ->required();
            app.add_option("--switch", arguments.switches, "The rules under this value of a switch")
                ->allow_extra_args(false)
                ->type_name("NAME=VALUE");
            app.add_option("--format", arguments.format, "How to print them")
                ->check(oneOf({ u"text"_s, u"html"_s }))
                ->capture_default_str();
        },
        printRules },
    { "judge", "Say whether a server kept to the rules, as far as a recorded history shows it",
        [](CLI::App &app, Arguments &arguments) {
            app.add_option("HISTORY", arguments.input, "A history's file, or one of exchanges")
                ->required();
            app.add_option("--pack", arguments.pack,
                   "The id or file of the pack whose rules count; else as the history says")
                ->type_name("ID");
            app.add_option("--switch", arguments.switches, "The rules under this value of a switch")
                ->allow_extra_args(false)
                ->type_name("NAME=VALUE");
            app.add_flag("--readings", arguments.readings,
                "Try every combination of switches, and name those that explain everything");
            app.add_flag("--coverage", arguments.coverage,
                "Count which rules the history has exercised, and name those that it has not");
            app.add_option("--next", arguments.next,
                   "Write the shortest scenario that exercises something more to this file")
                ->type_name("FILE");
            addJudgeBudget(app, arguments);
            addMaxTime(app, arguments);
            app.add_option("--format", arguments.format, "How to print the result")
                ->check(oneOf({ u"text"_s, u"json"_s, u"junit"_s, u"html"_s }))
                ->capture_default_str();
        },
        judgeHistory },
    { "import", "Make a pack of an OpenAPI 3 or Swagger 2 description; guesses are told on stderr",
        [](CLI::App &app, Arguments &arguments) {
            app.add_option("SPEC", arguments.input, "The description, in JSON or YAML")->required();
            app.add_option(
                   "-o,--output", arguments.output, "The pack to write; -: the standard output")
                ->required()
                ->type_name("PACK");
            app.add_flag("--allow-outside", arguments.allowOutside,
                "Follow references to files outside of the description's folder, too");
        },
        importDescription },
    { "serve", "Be the controller of a pack, over HTTP, until SIGINT or SIGTERM",
        [](CLI::App &app, Arguments &arguments) {
            app.add_option("PACK", arguments.input,
                   "The id of a built-in pack, or the file of a pack or scenario")
                ->required();
            app.add_option("--port", arguments.port,
                   "The port to listen on; 0: any free one, which is printed")
                ->check(CLI::Range(0, 65535))
                ->type_name("N")
                ->capture_default_str();
            app.add_option("--listen", arguments.listen,
                   "The IP address to listen on, other than loopback only with --token-file; "
                   "without: 127.0.0.1")
                ->type_name("ADDRESS");
            app.add_option("--token-file", arguments.tokenFile,
                   "A file with the bearer token that clients must bring; without: none is asked "
                   "for")
                ->type_name("FILE");
            app.add_option("--allow-host", arguments.hosts,
                   "A host name that requests may name beside localhost and the address itself; "
                   "any other is refused; without: none")
                ->allow_extra_args(false)
                ->type_name("NAME");
            app.add_flag("--no-token", arguments.noToken,
                "Take plans and resets below /_instar/ from every program on this computer; "
                "without: only with the token that the second line of output tells");
            app.add_option("--cert", arguments.certificate,
                   "A file with a certificate (PEM), for TLS, with --key; without: plain HTTP")
                ->type_name("FILE");
            app.add_option("--key", arguments.key, "The file with the certificate's key (PEM)")
                ->type_name("FILE");
            app.add_option("--tree", arguments.tree,
                   "Serve the resources of this scenario; without: those of the pack's sample")
                ->type_name("SCENARIO");
            app.add_option("--proxy", arguments.proxy,
                   "Pass on everything to this server and back as it is, and judge by the pack's "
                   "rules what goes by; without: PACK itself is served")
                ->type_name("URL");
            app.add_option("--history", arguments.history,
                   "With --proxy: write what goes by to this file, one exchange a line; without: "
                   "it is not kept")
                ->type_name("FILE");
            app.add_option("--ca", arguments.authorities,
                   "With --proxy: a file with certificates (PEM) to trust beside the system's")
                ->type_name("FILE");
            app.add_option("--format", arguments.format,
                   "With --proxy: how to print the verdict at the end")
                ->check(oneOf({ u"text"_s, u"json"_s }))
                ->capture_default_str();
            app.add_option(
                   "--speed", arguments.speed, "How many virtual seconds pass in a real one")
                ->check(CLI::Range(0.001, 1'000'000.0))
                ->type_name("X")
                ->capture_default_str();
            app.add_option("--retry-after", arguments.retryAfter,
                   "How many seconds clients are told to wait before they ask again")
                ->check(CLI::Range(qint64(0), qint64(86'400)))
                ->type_name("S")
                ->capture_default_str();
            app.add_option("--max-body", arguments.maxBody,
                   "How many KiB a request's body may have; a larger one gets 413")
                ->check(CLI::Range(qint64(1), qint64(256 * 1024)))
                ->type_name("KIB")
                ->capture_default_str();
            app.add_option("--max-unsent", arguments.maxUnsent,
                   "How many MiB of answers may wait to be read, all clients together; beyond "
                   "that, who has most to read is cut off")
                ->check(CLI::Range(qint64(1), qint64(1024 * 1024)))
                ->type_name("MIB")
                ->capture_default_str();
            app.add_option("--max-connections", arguments.maxConnections,
                   "How many connections there may be at once; one more gets 503")
                ->check(CLI::Range(1, 1'000'000))
                ->type_name("N")
                ->capture_default_str();
            app.add_option("--idle-timeout", arguments.idleTimeout,
                   "How many seconds a connection may be silent before it is closed")
                ->check(CLI::Range(1, 86'400))
                ->type_name("S")
                ->capture_default_str();
            app.add_option("--request-timeout", arguments.requestTimeout,
                   "How many seconds a request's headers may take, and as many again its body; "
                   "without: 10 and 60")
                ->check(CLI::Range(1, 86'400))
                ->type_name("S");
            app.footer(u"Example: a system that is built in, at ten times the speed\n"
                       "  instar-cli serve %1 --port 8080 --speed 10"_s.arg(builtInPacks().first())
                           .toStdString());
        },
        serve },
    { "drive", "Run a scenario against a real server and compare it with what it expects",
        [](CLI::App &app, Arguments &arguments) {
            app.add_option("URL", arguments.url, "The server, such as http://127.0.0.1:8080")
                ->required();
            addScenario(app, arguments, { u"text"_s, u"json"_s, u"junit"_s });
            app.add_option(
                   "--pack", arguments.pack, "The id or file of the pack that the server speaks")
                ->required()
                ->type_name("ID");
            app.add_option("--history", arguments.history,
                   "Write every exchange to this file as it ends, one JSON object a line")
                ->type_name("FILE");
            app.add_option("--tolerance", arguments.tolerance,
                   "What is expected may come so much early or late; else as the server's answers "
                   "take")
                ->check(CLI::Range(qint64(0), qint64(60'000)))
                ->type_name("MS");
            app.add_option("--timeout", arguments.timeout,
                   "How long operations may take to end after the last step")
                ->check(CLI::Range(0.0, 31'536'000.0))
                ->type_name("S")
                ->capture_default_str();
            app.add_option("--poll", arguments.poll,
                   "How long to wait between two looks at what is going on; without: 1000, and 50 "
                   "at a controller of serve. Where the server asks for more (Retry-After), more")
                ->check(CLI::Range(qint64(10), qint64(3'600'000)))
                ->type_name("MS");
            addJudgeBudget(app, arguments);
            app.add_flag("--dry-run", arguments.dryRun,
                "Print what would be sent; only read, write nothing");
            app.add_flag("--create", arguments.create,
                "Write also where a resource could not be read, so that one that is there may be "
                "overwritten");
            addSignIn(app, arguments);
        },
        driveScenario },
    { "completion", "Print what makes a shell complete the words of this program",
        [](CLI::App &app, Arguments &arguments) {
            app.add_option("SHELL", arguments.input, "The shell")
                ->required()
                ->check(oneOf(completedShells()));
        },
        printCompletion },
    { "manual", "Print this program's page for man(1)", [](CLI::App &, Arguments &) {},
        printManual },
};

/// Says what replaces a removed option; empty if there never was such an option.
QString replacement(const QString &option)
{
    static const QStringList signIn { u"--keystone"_s, u"--user-domain"_s, u"--project"_s,
        u"--project-domain"_s, u"--token-url"_s, u"--client-id"_s, u"--client-secret-file"_s,
        u"--scope"_s };
    return signIn.contains(option) ? u"%1 is gone: use --token-command with a command that prints "
                                     u"a token, or --api-key-header "
                                     "with the name of any header"_s.arg(option)
                                   : QString();
}

QString missingOption(const QString &word, const CLI::App &app)
{
    const QString name = word.section(u'=', 0, 0);
    if (const QString other = replacement(name); !other.isEmpty())
        return other;
    QStringList known;
    for (const CLI::Option *option : app.get_options()) {
        for (const std::string &each : option->get_lnames())
            known += u"--"_s + QString::fromStdString(each);
    }
    return u"there is no option \"%1\"%2"_s.arg(name.left(100), suggestion(name, known));
}

/// What a command was given beside what it takes; empty: nothing.
QString unexpected(const CLI::App &command)
{
    QStringList quoted;
    for (const std::string &each : command.remaining()) {
        const QString word = QString::fromStdString(each);
        if (word.startsWith(u'-') && word.size() > 1)
            return missingOption(word, command);
        quoted += u"\"%1\""_s.arg(word.left(100));
    }
    return quoted.isEmpty() ? QString() : u"%1: not expected"_s.arg(quoted.join(u", "_s));
}

/// What is wrong with the words given, in one sentence.
QString misuse(const CLI::ParseError &error, const CLI::App &app, int argc, char **argv)
{
    QStringList names;
    for (const Command &command : commands)
        names += QString::fromLatin1(command.name);
    if (argc < 2)
        return u"expected a command (%1)"_s.arg(names.join(u", "_s));
    const QString first = QString::fromLocal8Bit(argv[1]);
    if (!first.isEmpty() && !first.startsWith(u'-') && !names.contains(first))
        return noSuch(u"command"_s, first, names);
    if (first.startsWith(u'-') && app.get_subcommands().empty())
        return missingOption(first, app);
    QString text;
    for (const CLI::App *command : app.get_subcommands())
        text = unexpected(*command);
    return text.isEmpty() ? QString::fromStdString(error.what()).simplified() : text;
}

/// Usage errors end with 2, and in one line.
Exit misused(const CLI::ParseError &error, const CLI::App &app, int argc, char **argv)
{
    QString help = u"instar-cli --help"_s;
    for (const CLI::App *command : app.get_subcommands())
        help = u"instar-cli %1 --help"_s.arg(QString::fromStdString(command->get_name()));
    return complain(u"%1; see %2"_s.arg(misuse(error, app, argc, argv), help));
}

/// The words of the command line, and what stands behind "=" in them: each may be a file.
QStringList namedFiles(int argc, char **argv)
{
    QStringList names;
    for (int i = 1; i < argc; ++i) {
        const QString word = QFile::decodeName(argv[i]);
        names += { word, word.section(u'=', 1) };
    }
    return names;
}

Exit ran(int argc, char **argv)
{
    CLI::App app("Run, explore and check the lifecycles that packs describe.", "instar-cli");
    app.set_version_flag("--version", std::string("instar-cli ") + programVersion);
    app.require_subcommand(1);
    Arguments arguments;
    arguments.program = &app;
    allowPipes(namedFiles(argc, argv));
    const Command *chosen = nullptr;
    for (const Command &command : commands) {
        CLI::App *sub = app.add_subcommand(command.name, command.help);
        command.addOptions(*sub, arguments);
        sub->callback([&chosen, &command] { chosen = &command; });
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &help) { // --help and --version
        std::ostringstream text;
        app.exit(help, text, text);
        return print(QByteArray::fromStdString(text.str()), Exit::Fine);
    } catch (const CLI::ParseError &error) {
        return misused(error, app, argc, argv);
    }
    return chosen->run(arguments);
}

} // namespace

} // namespace instar

// Where even the sentence finds no memory there is nothing left to say.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char **argv)
{
    using namespace instar;
    QLocale::setDefault(QLocale::c()); // what is printed is the same everywhere
    try {
        return int(ran(argc, argv));
    } catch (const std::bad_alloc &) {
        return int(complain(u"there is not enough memory for this"_s));
    }
}
