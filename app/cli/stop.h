// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSocketNotifier>

#include <functional>
#include <memory>

namespace instar {

/// Lets a program that waits for events end in order: from now on SIGINT and SIGTERM call `stop`,
/// once, in the event loop. There is one at a time.
class StopSignals
{
public:
    explicit StopSignals(std::function<void()> stop);
    bool isGood() const { return m_notifier != nullptr; }

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace instar
