// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stop.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace instar {

namespace {

int stopPipe[2];

void askToStop(int)
{
    const char byte = 0;
    [[maybe_unused]] const auto written = ::write(stopPipe[1], &byte, 1);
}

} // namespace

StopSignals::StopSignals(std::function<void()> stop)
{
    if (::pipe2(stopPipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    m_notifier = std::make_unique<QSocketNotifier>(stopPipe[0], QSocketNotifier::Read);
    QObject::connect(m_notifier.get(), &QSocketNotifier::activated, m_notifier.get(),
        [this, stop = std::move(stop)] {
            m_notifier->setEnabled(false);
            stop();
        });
    std::signal(SIGINT, askToStop);
    std::signal(SIGTERM, askToStop);
    std::signal(SIGPIPE, SIG_IGN);
}

} // namespace instar
