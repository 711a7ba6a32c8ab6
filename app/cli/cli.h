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

/// Exit status of a command.
enum class Exit {
    Fine = 0,
    Failed = 1,        ///< an expectation, check or verdict failed, or two packs differ
    Unusable = 2,      ///< bad usage or unreadable input
    Unreachable = 3,   ///< a server does not answer
    Undecided = 4,     ///< the budget did not suffice
    NothingJudged = 5, ///< the observations do not suffice for a verdict
    Interrupted = 130, ///< by SIGINT, after printing partial results
};

/// Exception that ends a command: main() prints the text on stderr.
struct CommandError
{
    QString text; ///< one sentence
    Exit exit = Exit::Unusable;
};

/// Returns the value, or throws a CommandError with `prefix` and the result's error.
template<typename T>
T valueOf(Result<T> result, const QString &prefix = {})
{
    if (!result)
        throw CommandError { prefix + result.error() };
    return *std::move(result);
}

/// Qt application object, for commands that need one.
template<typename Application>
struct ConsoleApplication
{
    int count = 1;
    char name[11] = "instar-cli";
    char *arguments[2] = { name, nullptr };
    Application application { count, arguments };
};

/// Option or argument of a command. The help shows its default value unless that is empty.
struct Option
{
    QString name; ///< "--until", "-o,--output"; "SCENARIO": a required argument
    /// Variable that receives the value. A list receives one for each use of the option.
    std::variant<QString *, QStringList *, bool *, qint64 *, std::optional<qint64> *, double *>
        target;
    QString help;
    QString value = {};         ///< name of the value in the help
    double least = 0, most = 0; ///< limits of a number; required for numbers
    QStringList choices = {};   ///< allowed texts; empty: any
    bool isRequired = false;
};

constexpr double MostExact = double(qint64(1) << 53); ///< integers up to this are exact in JSON
constexpr double SecondsInAYear = 31'536'000;

Option formatOption(
    QString *format, const QStringList &formats, const QString &help = "Format of the output");
Option judgeBudgetOption(qint64 *states);

/// Input file with machines or statecharts, and the id of the chosen machine.
struct MachineInput
{
    QString file, machine, format;
};
QList<Option> machineOptions(MachineInput *input); ///< IN, --machine and --from

/// Command of the program. Its options write into a static struct, which run() reads.
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

/// Prints text or JSON to stdout, control characters escaped by visible(). Throws if writing fails.
Exit print(const QByteArray &text, Exit exit = Exit::Fine);
Exit print(const QString &text, Exit exit = Exit::Fine);
/// Writes bytes unchanged into a file, or to stdout if its name is "-".
void printTo(const QString &file, const QByteArray &bytes);
/// Prints a text to stderr as one line with the program's name.
void complain(const QString &text);
/// Prints lines to stderr; each must end with a line feed.
void warn(const QString &lines);
/// Replaces the line of progress on stderr if that is a terminal; empty: erases it.
void showProgress(const QString &text);

/// Formats rows as aligned columns, two blanks apart.
QString table(QList<QStringList> rows);

/// Budget of a command: a number of states. The first SIGINT cancels the work, a second one ends
/// the program. Shows the progress as a number of `things`.
Budget budgetOf(qint64 states, const QString &things);

/// Exit status of a command that a limit has stopped: 130 after SIGINT, else `otherwise`.
Exit exitAfter(Limit limit, Exit otherwise);

} // namespace instar
