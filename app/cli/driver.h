// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/remote/remotecontroller.h"

#include <functional>
#include <memory>

namespace instar {

/// Options of drive().
struct DriveOptions
{
    RemoteController::Options remote;
    /// How early or late an expectation may be met, in ms; absent: derived from response times.
    std::optional<qint64> tolerance;
    double timeout = 3600; ///< seconds to wait for operations after the last step
    /// Polling interval in ms; absent: 1000, or 50 for the reference server (`serve`).
    std::optional<qint64> poll;
    /// Sends only reads, and lists the requests that would be sent.
    bool isDryRun = false;
    /// Called with each request and its answer, in any order. Must be set.
    std::function<void(const Exchange &)> exchanged;
};

/// Result of driving a scenario against a server.
struct DriveResult
{
    struct Burst
    {
        qint64 at = 0; ///< ms since the start of the scenario
        BurstReport report;
    };
    /// A request that a dry run would have sent.
    struct Unsent
    {
        std::optional<qint64> at; ///< ms; absent: before the first step
        Request request;
        QUrl url;
        HttpRequest http;
    };
    std::unique_ptr<RemoteController> controller;
    Played played;
    quint64 exchanges = 0;   ///< number of requests
    QStringList unknownEnds; ///< operations with an unknown end, each with the reason: "op1: ..."
    QStringList remarks; ///< problems and expectations not checked, in order, without repetitions
    QList<Burst> bursts;
    QList<Unsent> unsent;
    qint64 tolerance = 0; ///< ms, as given or measured
};

/// Plays a scenario against a server in real time: reads every resource that the scenario
/// names, creates missing ones, fires the steps at their times, simultaneous ones as a burst, and
/// checks the expectations. Writes nothing if a named resource may exist but cannot be read, unless
/// `options.remote.createsUnknown`. Throws a CommandError if the scenario cannot be completed.
DriveResult drive(const Scenario &scenario, const Rules &rules, const DriveOptions &options);

} // namespace instar
