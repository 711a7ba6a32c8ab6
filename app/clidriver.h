// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli.h"
#include "model/engine/examiner.h"
#include "model/remote/remotecontroller.h"

#include <memory>

namespace instar {

/// Why a scenario cannot be driven, and how the program ends.
struct Trouble
{
    Exit exit = Exit::Unreachable;
    QString text; ///< one sentence
};

/// The scenario as a server can be asked for it. An error names the first step that needs more than
/// that.
Result<Scenario> drivable(Scenario scenario, const Rules &rules);

/// Plays a scenario against a server, in real time: makes the resources that are missing, fires the
/// steps at their times, those of one time together, and compares.
class ScenarioDriver
{
public:
    /// `tolerance` (ms): an expectation comes true when it held at any moment that is at most so
    /// far from its time; nothing: as the server's answers take.
    ScenarioDriver(const Scenario &scenario, const Rules &rules, RemoteController::Options options,
        std::optional<qint64> tolerance = {});

    /// Nothing: it was driven to its end.
    std::optional<Trouble> drive();

    const RemoteController &controller() const { return *m_controller; }
    const Played &played() const { return m_played; }
    QList<Exchange> exchanges() const { return m_exchanges.values(); }
    struct Shot
    {
        qint64 at = 0; ///< ms
        VolleyReport report;
    };
    const QList<Shot> &volleys() const { return m_volleys; }
    qint64 tolerance() const { return m_tolerance.value_or(0); } ///< ms, that was used

private:
    /// How an operation brings a resource into a state.
    struct Way
    {
        Request request;
        QString state;       ///< what it shows afterwards
        qsizetype wrong = 0; ///< resources that are not as wanted then
    };

    std::optional<Trouble> reach();
    std::optional<Trouble> connectAnew();
    std::optional<Trouble> prepare(); // and the next nine: climake.cpp
    std::optional<Trouble> make(const ResourceSpec &spec);
    std::optional<Trouble> settle(const QList<ResourceSpec> &wanted);
    std::optional<Trouble> go(const Way &way);
    std::optional<Way> wayTo(const ResourceSpec &spec, const QList<ResourceSpec> &others) const;
    QList<ResourceSpec> wanted() const;
    QList<ResourceSpec> wrong(const World &world, const QList<ResourceSpec> &wanted) const;
    bool isAsWanted(const World &world, const ResourceSpec &spec) const;
    bool moves(const QString &path) const;
    QString shownAt(const World &world, const QString &path) const;
    std::optional<Trouble> play();
    std::optional<Trouble> fire(const QList<const ScenarioStep *> &steps);
    std::optional<Trouble> measure();
    /// `next`: when the step after it is due (ms).
    std::optional<Trouble> examine(const ScenarioStep &step, std::optional<qint64> next);
    std::optional<Trouble> awaitEnd();
    std::optional<Trouble> plan(const Request &request);
    std::optional<Trouble> lost() const;
    void look();

    const Scenario &m_scenario;
    const Rules &m_rules;
    RemoteController::Options m_options;
    std::optional<qint64> m_tolerance;
    std::unique_ptr<Connection> m_own; ///< for what only a reference controller understands
    bool m_takesPlans = false;
    std::unique_ptr<RemoteController> m_controller;
    std::unique_ptr<Examiner> m_examiner;
    Played m_played;
    QMap<quint64, Exchange> m_exchanges; ///< by number
    QList<Shot> m_volleys;
    QElapsedTimer m_clock;
    qint64 m_fired = 0; ///< when the last requests left (ms)
};

} // namespace instar
