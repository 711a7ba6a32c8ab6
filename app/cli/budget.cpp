// SPDX-License-Identifier: Apache-2.0
#include "app/cli/budget.h"

#include <QElapsedTimer>

#include <csignal>
#include <memory>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

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

Budget budgetOf(const Arguments &arguments, qint64 states, const QString &things)
{
    cancelOnInterrupt();
    Budget budget { .states = states, .isCanceled = &interrupted };
    if (arguments.maxTime)
        budget.deadline.setRemainingTime(qint64(*arguments.maxTime * 1000));
    const auto clock = std::make_shared<QElapsedTimer>();
    clock->start();
    budget.goesOn = [clock, things, shown = qint64(0)](qint64 met) mutable {
        if (clock->elapsed() - shown >= 200) {
            shown = clock->elapsed();
            showProgress(u"%1 %2, %3 s"_s.arg(met).arg(things).arg(shown / 1000));
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
