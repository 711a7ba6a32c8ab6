// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"
#include "model/foreigntext.h"
#include "model/json/saving.h"

#include <QElapsedTimer>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

void printRaw(const QByteArray &bytes)
{
    const bool written =
        std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stdout) == size_t(bytes.size());
    if (!written || std::fflush(stdout) != 0)
        throw CommandError { u"cannot write to the standard output"_s };
}

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free); // a signal's handler writes it

void interrupt(int)
{
    interrupted = true;
}

void cancelOnInterrupt()
{
    struct sigaction action = {};
    action.sa_handler = interrupt;
    action.sa_flags = int(SA_RESETHAND) | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
}

} // namespace

Exit print(const QByteArray &text, Exit exit)
{
    printRaw(visible(text));
    return exit;
}

Exit print(const QString &text, Exit exit)
{
    return print(text.toUtf8(), exit);
}

void printTo(const QString &file, const QByteArray &bytes)
{
    if (file == u"-")
        printRaw(bytes);
    else
        valueOf(writeFile(file, bytes));
}

void complain(const QString &text)
{
    showProgress({});
    warn(u"instar-cli: "_s + oneLine(text) + u'\n');
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
        for (qsizetype i = 0; i < row.size(); ++i)
            line += row[i].leftJustified(widths[i] + 2);
        while (line.endsWith(u' '))
            line.chop(1);
        text += line + u'\n';
    }
    return text;
}

Budget budgetOf(qint64 states, const QString &things)
{
    cancelOnInterrupt();
    Budget budget { .states = states, .isCanceled = &interrupted };
    const auto clock = std::make_shared<QElapsedTimer>();
    clock->start();
    budget.goesOn = [clock, things, lastShown = qint64(0)](qint64 count) mutable {
        if (clock->elapsed() - lastShown >= 200) { // ms
            lastShown = clock->elapsed();
            showProgress(u"%1 %2, %3 s"_s.arg(count).arg(things).arg(lastShown / 1000));
        }
        return true;
    };
    return budget;
}

Exit exitAfter(Limit limit, Exit otherwise)
{
    return limit == Limit::Canceled ? Exit::Interrupted : otherwise;
}

} // namespace instar
