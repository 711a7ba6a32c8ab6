// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"
#include "model/result.h"

#include <QByteArray>
#include <QStringList>

#include <optional>
#include <utility>
#include <variant>

namespace instar {

/// How the program ends.
enum class Exit {
    Fine = 0,
    Failed = 1,        ///< an expectation, check or verdict failed, or two packs differ
    Unusable = 2,      ///< bad usage, or input that cannot be read
    Unreachable = 3,   ///< a remote does not answer
    Undecided = 4,     ///< the budget did not suffice for a verdict
    NothingJudged = 5, ///< what was observed does not say enough for a verdict
    Interrupted = 130, ///< by SIGINT; what was found so far is printed
};

/// Exception that ends a command: main() prints the text on stderr.
struct CommandError
{
    QString text; ///< one sentence
    Exit exit = Exit::Unusable;
};

/// The value; throws a CommandError where there is none, with `before` in front of the reason.
template<typename T>
T valueOf(Result<T> result, const QString &before = {})
{
    if (!result)
        throw CommandError { before + result.error() };
    return *std::move(result);
}

/// Qt's application object of a command that needs one.
template<typename Application>
struct ConsoleApplication
{
    int count = 1;
    char name[11] = "instar-cli";
    char *words[2] = { name, nullptr };
    Application application { count, words };
};

/// One option or argument of a command. A default that is not empty is shown in the help.
struct Option
{
    QString name; ///< "SCENARIO", which is required, "--until" or "-o,--output"
    /// Where its value goes. A list takes one value each time that the option is given.
    std::variant<QString *, QStringList *, bool *, qint64 *, std::optional<qint64> *, double *,
        std::optional<double> *>
        target;
    QString help;
    QString value = {};         ///< what the help calls its value
    double least = 0, most = 0; ///< of a number
    QStringList choices = {};   ///< of a text; empty: any
    bool isRequired = false;
};

constexpr double MostExact = double(qint64(1) << 53); ///< the largest number that JSON holds

// Options of several commands.

Option formatOption(
    QString *format, const QStringList &formats, const QString &help = "How to print the result");
Option switchOption(const QString &name, QStringList *switches, const QString &help);
Option judgeBudgetOption(qint64 *states);
Option maxTimeOption(std::optional<double> *seconds);

/// A file with machines or statecharts, and one of them.
struct MachineInput
{
    QString file, machine, format;
};
QList<Option> machineOptions(MachineInput *input); ///< IN, --machine and --from

/// A command. Its options are the members of a struct of its own, which run() reads.
struct Command
{
    QString name;
    QString help;
    QList<Option> options;
    Exit (*run)();
    QString footer = {}; ///< of its help; %1 is the id of a built-in pack
};

// The commands, each in the file of its name.
Command checkCommand();
Command runCommand();
Command exploreCommand();
Command traceCommand();
Command convertCommand();
Command renderCommand();
Command diffCommand();
Command judgeCommand();
Command importCommand();
Command serveCommand();
Command driveCommand();

/// Writes text or JSON to stdout, with visible(); throws where nobody takes it.
Exit print(const QByteArray &text, Exit exit = Exit::Fine);
Exit print(const QString &text, Exit exit = Exit::Fine);
/// Writes into a file, or to stdout where it is called "-"; the bytes as they are.
void printTo(const QString &file, const QByteArray &bytes);
/// One line on stderr, whatever the text holds.
void complain(const QString &text);
/// Lines on stderr, each with its line feed.
void warn(const QString &lines);
/// A line of progress on stderr that replaces the one before, where a person watches; empty: wipes
/// it.
void showProgress(const QString &text);

/// Columns under each other, two blanks between them; the last one is as wide as it is.
QString table(QList<QStringList> rows);

/// Limits of a command's work: so many states, and seconds from now on. The first SIGINT cancels
/// the work, a second one ends the program. Progress is shown as a number of `things`.
Budget budgetOf(qint64 states, const QString &things, std::optional<double> seconds);

/// How a command ends whose work this limit has stopped: 130 after SIGINT.
Exit exitAfter(Limit limit, Exit otherwise);

} // namespace instar
