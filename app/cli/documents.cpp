// SPDX-License-Identifier: Apache-2.0
#include "app/cli/documents.h"

#include "app/version.h"

#include <CLI/CLI.hpp>

using namespace Qt::StringLiterals;

namespace instar {
namespace {

/// An option or argument of a command, as its parser has it.
struct OptionWords
{
    QString name;        ///< "--format", or of an argument "SCENARIO"
    QString value;       ///< what follows it: "MS", "FILE"; empty for a flag
    QString help;        ///< a sentence
    QString usual;       ///< its value where none is given; empty: none is told
    QStringList choices; ///< its values, where there are few
    bool isArgument = false;
    bool takesPack = false; ///< the id of a built-in pack
};

struct CommandWords
{
    QString name, help;
    QList<OptionWords> options;
};

OptionWords wordsOf(const CLI::Option &option)
{
    OptionWords words;
    words.isArgument = option.get_positional();
    words.name = words.isArgument ? QString::fromStdString(option.get_name())
                                  : u"--"_s + QString::fromStdString(option.get_lnames().front());
    words.help = QString::fromStdString(option.get_description());
    words.usual = QString::fromStdString(option.get_default_str());
    // "TEXT:{text,json}": the type, and what checks it.
    const QString type = QString::fromStdString(option.get_type_name());
    if (const qsizetype brace = type.indexOf(u'{'); brace >= 0) {
        words.choices = type.sliced(brace + 1).section(u'}', 0, 0).split(u',');
        words.value = words.choices.join(u'|');
    } else {
        words.value = type.section(u':', 0, 0);
    }
    words.takesPack = words.value == u"ID" || words.help.contains(u"built-in pack");
    return words;
}

QList<CommandWords> commandsOf(const CLI::App &program)
{
    QList<CommandWords> all;
    for (const CLI::App *each : program.get_subcommands([](const CLI::App *) { return true; })) {
        CommandWords command;
        command.name = QString::fromStdString(each->get_name());
        command.help = QString::fromStdString(each->get_description());
        for (const CLI::Option *option :
            each->get_options([](const CLI::Option *) { return true; })) {
            if (option->get_lnames().empty() && !option->get_positional())
                continue;
            command.options += wordsOf(*option);
        }
        all += command;
    }
    return all;
}

// ---- The page

/// Text of a page: nothing of it is an instruction to roff.
QString roff(QString text)
{
    text.replace(u'\\', u"\\e"_s).replace(u'-', u"\\-"_s);
    if (text.startsWith(u'.') || text.startsWith(u'\''))
        text.prepend(u"\\&"_s);
    return text;
}

QString inBold(const QString &text)
{
    return u"\\fB"_s + roff(text) + u"\\fR"_s;
}

QString inItalics(const QString &text)
{
    return u"\\fI"_s + roff(text) + u"\\fR"_s;
}

QString pageOf(const CommandWords &command)
{
    QString usage = u".SS "_s + inBold(command.name);
    for (const OptionWords &option : command.options) {
        if (option.isArgument)
            usage += u' ' + inItalics(option.name);
    }
    QString page = usage + u'\n' + roff(command.help) + u".\n"_s;
    for (const OptionWords &option : command.options) {
        page += u".TP\n"_s
            + (option.isArgument ? inItalics(option.name)
                                 : inBold(option.name)
                        + (option.value.isEmpty() ? QString() : u' ' + inItalics(option.value)))
            + u'\n' + roff(option.help);
        if (!option.usual.isEmpty())
            page += roff(u" (usually %1)"_s.arg(option.usual));
        page += u".\n"_s;
    }
    return page;
}

// ---- The shells

/// What only asks the program itself, where it is installed.
const QString PackIds = u"instar-cli packs 2>/dev/null | cut -f1"_s;

QString quoted(const QString &text)
{
    return u'\'' + QString(text).replace(u'\'', u"'\\''"_s) + u'\'';
}

QStringList namesOf(const CommandWords &command)
{
    QStringList names;
    for (const OptionWords &option : command.options) {
        if (!option.isArgument)
            names += option.name;
    }
    return names;
}

bool takesPack(const CommandWords &command)
{
    return std::ranges::any_of(command.options,
        [](const OptionWords &option) { return option.isArgument && option.takesPack; });
}

QString forBash(const QList<CommandWords> &all)
{
    QStringList names, values, options, packs;
    for (const CommandWords &command : all) {
        names += command.name;
        options += u"        %1) COMPREPLY=($(compgen -W %2 -- \"$cur\")) ;;\n"_s.arg(
            command.name, quoted(namesOf(command).join(u' ')));
        if (takesPack(command))
            packs += command.name;
        for (const OptionWords &option : command.options) {
            const QString at = u"        '%1 %2') "_s.arg(
                command.name, option.isArgument ? command.name : option.name);
            if (!option.choices.isEmpty())
                values += at
                    + u"COMPREPLY=($(compgen -W %1 -- \"$cur\")); return ;;\n"_s.arg(
                        quoted(option.choices.join(u' ')));
            else if (option.takesPack && !option.isArgument)
                values += at
                    + u"COMPREPLY=($(compgen -W \"$(%1)\" -- \"$cur\") $(compgen -f -- \"$cur\")); return ;;\n"_s
                          .arg(PackIds);
        }
    }
    return u"# bash completion for instar-cli\n"
           "_instar_cli() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
           "command=${COMP_WORDS[1]}\n"
           "    COMPREPLY=()\n"
           "    if ((COMP_CWORD == 1)); then\n"
           "        COMPREPLY=($(compgen -W %1 -- \"$cur\"))\n"
           "        return\n"
           "    fi\n"
           "    case \"$command $prev\" in\n%2"
           "    esac\n"
           "    if [[ $cur == -* ]]; then\n"
           "        case $command in\n%3"
           "        esac\n"
           "        return\n"
           "    fi\n"
           "    COMPREPLY=($(compgen -f -- \"$cur\"))\n"
           "    case $command in\n"
           "        %4) COMPREPLY+=($(compgen -W \"$(%5)\" -- \"$cur\")) ;;\n"
           "    esac\n"
           "}\n"
           "complete -o filenames -F _instar_cli instar-cli\n"_s.arg(
               quoted((names + QStringList { u"--help"_s, u"--version"_s }).join(u' ')),
               values.join(QString()), options.join(QString()), packs.join(u'|'), PackIds);
}

QString forZsh(const QList<CommandWords> &all)
{
    // In a specification ':' and brackets mean something.
    const auto told = [](QString help) {
        for (const QChar each : u"\\[]:"_s)
            help.replace(each, u'\\' + QString(each));
        return help;
    };
    QString names, cases;
    for (const CommandWords &command : all) {
        names += u"        %1\n"_s.arg(quoted(command.name + u':' + told(command.help)));
        QStringList words;
        for (const OptionWords &option : command.options) {
            const QString action = !option.choices.isEmpty()
                ? u"(%1)"_s.arg(option.choices.join(u' '))
                : option.takesPack ? u"_instar_packs"_s
                                   : u"_files"_s;
            const QString value =
                option.value.isEmpty() ? QString() : u":%1:%2"_s.arg(told(option.value), action);
            words += quoted(option.isArgument
                    ? u":%1:%2"_s.arg(told(option.name), action)
                    : u"*%1[%2]%3"_s.arg(option.name, told(option.help), value));
        }
        cases += u"        %1) _arguments %2 ;;\n"_s.arg(command.name, words.join(u' '));
    }
    return u"#compdef instar-cli\n"
           "_instar_packs() {\n"
           "    local -a packs\n"
           "    packs=(${(f)\"$(%1)\"})\n"
           "    _alternative 'packs:built-in pack:compadd -a packs' 'files:file:_files'\n"
           "}\n"
           "_instar_cli() {\n"
           "    local -a commands\n"
           "    commands=(\n%2    )\n"
           "    if ((CURRENT == 2)); then\n"
           "        _describe command commands\n"
           "        return\n"
           "    fi\n"
           "    local command=$words[2]\n"
           "    shift words\n"
           "    ((CURRENT--))\n"
           "    case $command in\n%3"
           "    esac\n"
           "}\n"
           "_instar_cli \"$@\"\n"_s.arg(PackIds, names, cases);
}

QString forFish(const QList<CommandWords> &all)
{
    QString script = u"# fish completion for instar-cli\n"_s;
    for (const CommandWords &command : all) {
        script += u"complete -c instar-cli -n __fish_use_subcommand -f -a %1 -d %2\n"_s.arg(
            command.name, quoted(command.help));
        const QString here =
            u"complete -c instar-cli -n '__fish_seen_subcommand_from %1'"_s.arg(command.name);
        if (takesPack(command))
            script += here + u" -a '(%1)'\n"_s.arg(PackIds);
        for (const OptionWords &option : command.options) {
            if (option.isArgument && !option.choices.isEmpty())
                script += here + u" -f -a %1\n"_s.arg(quoted(option.choices.join(u' ')));
            if (option.isArgument)
                continue;
            script += here + u" -l %1 -d %2"_s.arg(option.name.sliced(2), quoted(option.help));
            if (!option.choices.isEmpty())
                script += u" -x -a %1"_s.arg(quoted(option.choices.join(u' ')));
            else if (option.takesPack)
                script += u" -r -a '(%1)'"_s.arg(PackIds);
            else if (!option.value.isEmpty())
                script += u" -r"_s;
            script += u'\n';
        }
    }
    return script;
}

} // namespace

QByteArray manualPage(const CLI::App &program)
{
    QString page =
        u".TH INSTAR\\-CLI 1 \"\" \"Instar %1\" \"User Commands\"\n"
        ".SH NAME\n"
        "instar\\-cli \\- run, explore, check and serve the lifecycles of resources\n"
        ".SH SYNOPSIS\n"
        ".B instar\\-cli\n"
        ".I COMMAND\n"
        "[\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n"
        ".SH DESCRIPTION\n"
        "Everything that\n"
        ".BR instar (1)\n"
        "can do without a display: what resources go through while controllers create,\n"
        "change and delete them, and what happens when operations collide.\n"
        "A pack describes a system; a scenario says what is asked of it, and what is expected.\n"
        ".SH COMMANDS\n"_s.arg(roff(QString::fromLatin1(programVersion)));
    for (const CommandWords &command : commandsOf(program))
        page += pageOf(command);
    page += u".SH EXIT STATUS\n"
            ".TP\n0\nFine.\n"
            ".TP\n1\nAn expectation, check or verdict failed, or two packs differ.\n"
            ".TP\n2\nBad usage, or input that cannot be read; one line says which and what to do.\n"
            ".TP\n3\nA server does not answer.\n"
            ".TP\n4\nUndecided within the budget.\n"
            ".TP\n5\nNothing judged: what was seen does not say enough for a verdict.\n"
            ".TP\n130\nStopped by SIGINT (Ctrl+C); what was found so far is printed.\n"
            ".SH SEE ALSO\n"
            ".BR instar (1)\n"_s;
    return page.toUtf8();
}

QStringList completedShells()
{
    return { u"bash"_s, u"zsh"_s, u"fish"_s };
}

QByteArray completionScript(const CLI::App &program, const QString &shell)
{
    const QList<CommandWords> all = commandsOf(program);
    return (shell == u"zsh"    ? forZsh(all)
            : shell == u"fish" ? forFish(all)
                               : forBash(all))
        .toUtf8();
}

} // namespace instar
