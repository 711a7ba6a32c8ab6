// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/remote/remotecontroller.h"

#include <functional>
#include <memory>

namespace instar {

/// How a scenario is driven.
struct DriveOptions
{
    RemoteController::Options remote;
    /// ms: an expectation comes true when it held at any moment that is at most so far from its
    /// time; nothing: as the server's answers take.
    std::optional<qint64> tolerance;
    double timeout = 3600; ///< seconds after the last step in which operations are to end
    /// The pause between two looks (ms); nothing: one second, or 50 ms at a reference controller.
    std::optional<qint64> poll;
    /// Only says what would be sent: nothing is sent but what reads.
    bool isDryRun = false;
    /// Is told each exchange once it is over, whatever its order.
    std::function<void(const Exchange &)> exchanged;
};

/// Result of driving a scenario against a server.
struct Driven
{
    struct Burst
    {
        qint64 at = 0; ///< ms
        BurstReport report;
    };
    /// A request that a dry run would have sent.
    struct Unsent
    {
        std::optional<qint64> at; ///< ms; nothing: before the first step
        Request request;
        QUrl url;
        HttpRequest http;
    };
    std::unique_ptr<RemoteController> controller;
    Played played;
    quint64 exchanges = 0;   ///< so many there were
    QStringList unknownEnds; ///< of which operations, and why: "a: It is not known ..."
    QStringList remarks;     ///< what else is worth a sentence, in order, each once
    QList<Burst> bursts;
    QList<Unsent> unsent;
    qint64 tolerance = 0; ///< ms, that was used
};

/// Plays a scenario against a server, in real time: reads every resource that it names, makes those
/// that are missing, fires the steps at their times, those of one time together, and compares.
/// Where a reading fails nothing is written, unless the options say so. Throws a CommandError where
/// the scenario cannot be driven to its end.
Driven drive(const Scenario &scenario, const Rules &rules, const DriveOptions &options);

} // namespace instar
