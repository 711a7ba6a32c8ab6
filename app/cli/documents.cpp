// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"
#include "app/version.h"
#include "model/json/filebytes.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {
namespace {

/// With the one that every command has.
QList<Option> optionsOf(const Command &command)
{
    const Option help { "--help", static_cast<bool *>(nullptr),
        "Print this help message and exit" };
    return QList<Option> { help } + command.options;
}

/// "--output"; of an argument "SCENARIO".
QString longName(const Option &option)
{
    return option.name.section(u',', -1);
}

/// Placeholder of an option's value: "MS", "text|json"; empty for a flag.
QString valueWord(const Option &option)
{
    return option.choices.isEmpty() ? option.value : option.choices.join(u'|');
}

bool takesPack(const Option &option)
{
    return option.value == u"ID" || option.help.contains(u"built-in pack");
}

/// Its value where none is given; empty: none is told.
QString usualValue(const Option &option)
{
    if (const auto *text = std::get_if<QString *>(&option.target))
        return **text;
    if (const auto *number = std::get_if<qint64 *>(&option.target))
        return QString::number(**number);
    if (const auto *number = std::get_if<double *>(&option.target))
        return QString::number(**number);
    return {};
}

/// The page, or a shell's script, with places for what the commands say.
QString textOf(const QString &suffix)
{
    return QString::fromUtf8(valueOf(fileBytes(u":/instar/console/instar-cli."_s + suffix)));
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

QString pageOf(const Command &command)
{
    QString usage = u".SS "_s + inBold(command.name);
    for (const Option &option : optionsOf(command)) {
        if (option.isArgument())
            usage += u' ' + inItalics(longName(option));
    }
    QString page = usage + u'\n' + roff(command.help) + u".\n"_s;
    for (const Option &option : optionsOf(command)) {
        page += u".TP\n"_s
            + (option.isArgument() ? inItalics(longName(option))
                                   : inBold(longName(option))
                        + (valueWord(option).isEmpty() ? QString()
                                                       : u' ' + inItalics(valueWord(option))))
            + u'\n' + roff(option.help);
        if (!usualValue(option).isEmpty())
            page += roff(u" (usually %1)"_s.arg(usualValue(option)));
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

QStringList namesOf(const Command &command)
{
    QStringList names;
    for (const Option &option : optionsOf(command)) {
        if (!option.isArgument())
            names += longName(option);
    }
    return names;
}

bool takesPack(const Command &command)
{
    return std::ranges::any_of(command.options,
        [](const Option &option) { return option.isArgument() && takesPack(option); });
}

QString forBash(const QList<Command> &all)
{
    QStringList names, values, options, packs;
    for (const Command &command : all) {
        names += command.name;
        options += u"        %1) COMPREPLY=($(compgen -W %2 -- \"$cur\")) ;;\n"_s.arg(
            command.name, quoted(namesOf(command).join(u' ')));
        if (takesPack(command))
            packs += command.name;
        for (const Option &option : optionsOf(command)) {
            const QString at = u"        '%1 %2') "_s.arg(
                command.name, option.isArgument() ? command.name : longName(option));
            if (!option.choices.isEmpty())
                values += at
                    + u"COMPREPLY=($(compgen -W %1 -- \"$cur\")); return ;;\n"_s.arg(
                        quoted(option.choices.join(u' ')));
            else if (takesPack(option) && !option.isArgument())
                values += at
                    + u"COMPREPLY=($(compgen -W \"$(%1)\" -- \"$cur\") $(compgen -f -- \"$cur\")); return ;;\n"_s
                          .arg(PackIds);
        }
    }
    return textOf(u"bash"_s).arg(
        quoted((names + QStringList { u"--help"_s, u"--version"_s }).join(u' ')),
        values.join(QString()), options.join(QString()), packs.join(u'|'), PackIds);
}

QString forZsh(const QList<Command> &all)
{
    // In a specification ':' and brackets mean something.
    const auto told = [](QString help) {
        for (const QChar each : u"\\[]:"_s)
            help.replace(each, u'\\' + QString(each));
        return help;
    };
    QString names, cases;
    for (const Command &command : all) {
        names += u"        %1\n"_s.arg(quoted(command.name + u':' + told(command.help)));
        QStringList words;
        for (const Option &option : optionsOf(command)) {
            const QString action = !option.choices.isEmpty()
                ? u"(%1)"_s.arg(option.choices.join(u' '))
                : takesPack(option) ? u"_instar_packs"_s
                                    : u"_files"_s;
            const QString value = valueWord(option).isEmpty()
                ? QString()
                : u":%1:%2"_s.arg(told(valueWord(option)), action);
            words += quoted(option.isArgument()
                    ? u":%1:%2"_s.arg(told(longName(option)), action)
                    : u"*%1[%2]%3"_s.arg(longName(option), told(option.help), value));
        }
        cases += u"        %1) _arguments %2 ;;\n"_s.arg(command.name, words.join(u' '));
    }
    return textOf(u"zsh"_s).arg(PackIds, names, cases);
}

QString forFish(const QList<Command> &all)
{
    QString script = u"# fish completion for instar-cli\n"_s;
    for (const Command &command : all) {
        script += u"complete -c instar-cli -n __fish_use_subcommand -f -a %1 -d %2\n"_s.arg(
            command.name, quoted(command.help));
        const QString here =
            u"complete -c instar-cli -n '__fish_seen_subcommand_from %1'"_s.arg(command.name);
        if (takesPack(command))
            script += here + u" -a '(%1)'\n"_s.arg(PackIds);
        for (const Option &option : optionsOf(command)) {
            if (option.isArgument() && !option.choices.isEmpty())
                script += here + u" -f -a %1\n"_s.arg(quoted(option.choices.join(u' ')));
            if (option.isArgument())
                continue;
            script += here + u" -l %1 -d %2"_s.arg(longName(option).sliced(2), quoted(option.help));
            if (!option.choices.isEmpty())
                script += u" -x -a %1"_s.arg(quoted(option.choices.join(u' ')));
            else if (takesPack(option))
                script += u" -r -a '(%1)'"_s.arg(PackIds);
            else if (!valueWord(option).isEmpty())
                script += u" -r"_s;
            script += u'\n';
        }
    }
    return script;
}

QString manualPage()
{
    QString commands;
    for (const Command &command : allCommands())
        commands += pageOf(command);
    return textOf(u"man"_s).arg(roff(QString::fromLatin1(programVersion)), commands);
}

} // namespace

Command completionCommand()
{
    static QString shell;
    return { "completion", "Print what makes a shell complete the words of this program",
        { { .name = "SHELL",
            .target = &shell,
            .help = "The shell",
            .choices = { u"bash"_s, u"zsh"_s, u"fish"_s } } },
        [] {
            return print(shell == u"zsh" ? forZsh(allCommands())
                    : shell == u"fish"   ? forFish(allCommands())
                                         : forBash(allCommands()));
        } };
}

Command manualCommand()
{
    return { "manual", "Print this program's page for man(1)", {},
        [] { return print(manualPage()); } };
}

} // namespace instar
