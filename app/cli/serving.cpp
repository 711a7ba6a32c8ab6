// SPDX-License-Identifier: Apache-2.0
#include "app/cli/serving.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

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
        throw CommandError { u"no pipe can be opened"_s };
    m_notifier.emplace(stopPipe[0], QSocketNotifier::Read);
    QObject::connect(
        &*m_notifier, &QSocketNotifier::activated, &*m_notifier, [this, stop = std::move(stop)] {
            m_notifier->setEnabled(false);
            stop();
        });
    std::signal(SIGINT, askToStop);
    std::signal(SIGTERM, askToStop);
    std::signal(SIGPIPE, SIG_IGN);
}

QHostAddress listenAddress(const Arguments &arguments, const QHostAddress &usual)
{
    QHostAddress address = usual;
    if (!arguments.listen.isEmpty() && !address.setAddress(arguments.listen))
        throw CommandError { u"--listen expects an IP address, found \"%1\""_s.arg(
            arguments.listen) };
    return address;
}

HistoryOutput::HistoryOutput(const Arguments &arguments)
{
    if (arguments.history.isEmpty())
        return;
    m_file.emplace(arguments.history);
    if (!m_file->problem().isEmpty())
        throw CommandError { m_file->problem() };
}

void HistoryOutput::add(const Exchange &exchange)
{
    if (m_file)
        m_file->add(exchange);
}

Result<bool> HistoryOutput::finish()
{
    if (m_file)
        m_file->finish();
    return m_file && !m_file->problem().isEmpty() ? Result<bool>(Error { m_file->problem() })
                                                  : Result<bool>(true);
}

} // namespace instar
