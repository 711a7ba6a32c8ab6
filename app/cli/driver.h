// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "app/cli/serverpaths.h"
#include "model/engine/examiner.h"
#include "model/engine/seenetags.h"
#include "model/remote/remotecontroller.h"

#include <functional>
#include <memory>

namespace instar {

/// Why a scenario cannot be driven, and how the program ends.
struct Trouble
{
    Exit exit = Exit::Unreachable;
    QString text; ///< one sentence
};

/// How a scenario is driven.
struct DriveOptions
{
    RemoteController::Options remote;
    /// ms: an expectation comes true when it held at any moment that is at most so far from its
    /// time; nothing: as the server's answers take.
    std::optional<qint64> tolerance;
    qint64 timeout = 3'600'000; ///< ms after the last step in which operations are to end
    /// The pause between two looks (ms); nothing: one second, or 50 ms at a reference controller.
    std::optional<qint64> poll;
    /// Only says what would be sent: nothing is sent but what reads.
    bool isDryRun = false;
    /// Is told each exchange once it is over, whatever its order.
    std::function<void(const Exchange &)> exchanged;
};

/// Plays a scenario against a server, in real time: reads every resource that it names, makes those
/// that are missing, fires the steps at their times, those of one time together, and compares.
/// Where a reading fails nothing is written, unless the options say so.
class ScenarioDriver
{
public:
    ScenarioDriver(const Scenario &scenario, const Rules &rules, DriveOptions options);

    /// Nothing: it was driven to its end.
    std::optional<Trouble> drive();

    const RemoteController &controller() const { return *m_controller; }
    const Played &played() const { return m_played; }
    qint64 exchanges() const { return qint64(m_exchanges); } ///< so many there were
    /// Operations whose end is not known, and why: "a: It is not known ...".
    QStringList unknownEnds() const;
    /// What else is worth a sentence, in order, each once.
    const QStringList &remarks() const { return m_remarks; }
    struct Shot
    {
        qint64 at = 0; ///< ms
        VolleyReport report;
    };
    const QList<Shot> &volleys() const { return m_volleys; }
    /// A request that a dry run would have sent.
    struct Unsent
    {
        std::optional<qint64> at; ///< ms; nothing: before the first step
        Request request;
        QUrl url;
        HttpRequest http;
    };
    const QList<Unsent> &unsent() const { return m_unsent; }
    qint64 tolerance() const { return m_options.tolerance.value_or(0); } ///< ms, that was used

private:
    /// How an operation brings a resource into a state.
    struct Way
    {
        Request request;
        QString state;       ///< what it shows afterwards
        qsizetype wrong = 0; ///< resources that are not as wanted then
        World after;
    };

    std::optional<Trouble> reach();
    std::optional<Trouble> connectAnew();
    QStringList named() const;
    bool isNamedByServer(const QString &path) const;
    std::optional<Trouble> readNamed();
    qint64 poll() const;
    Request identified(Request request) const;
    std::optional<Trouble> prepare(); // and the next twelve: make.cpp
    std::optional<Trouble> list();
    std::optional<Trouble> addUnsent(std::optional<qint64> at, const Request &request);
    QMap<QString, Enclosed> below(const Request &request) const;
    std::optional<Trouble> make(const ResourceSpec &spec);
    std::optional<Trouble> settle(const QList<ResourceSpec> &wanted);
    std::optional<Trouble> go(const Way &way);
    std::optional<Way> wayTo(
        const World &world, const ResourceSpec &spec, const QList<ResourceSpec> &others) const;
    std::optional<Way> wayToSettle(const World &world, const QList<ResourceSpec> &wanted,
        const QList<ResourceSpec> &left) const;
    Trouble cannotMake(const ResourceSpec &spec) const;
    Trouble cannotSettle(const World &world, const ResourceSpec &first) const;
    QList<ResourceSpec> wanted() const;
    QList<ResourceSpec> wrong(const World &world, const QList<ResourceSpec> &wanted) const;
    bool isAsWanted(const World &world, const ResourceSpec &spec) const;
    bool looksAsWanted(const World &world, const ResourceSpec &spec) const;
    bool moves(const QString &path) const;
    bool moves(const ResourceSpec &spec) const;
    QString shownAt(const World &world, const QString &path) const;
    QList<const ScenarioStep *> stepsInTime() const;
    std::optional<Trouble> play();
    std::optional<Trouble> fire(const QList<const ScenarioStep *> &steps);
    bool makesNameFor(const ScenarioStep &maker, const ScenarioStep &step) const;
    QStringList unlearned(const ScenarioStep &step) const;
    void learnNames();
    void awaitNames(const ScenarioStep &step);
    ScenarioStep examinable(const ScenarioStep &step);
    /// Takes out of the step what no client can see of operations, and says so.
    QStringList leaveOutUnseen(ScenarioStep *step) const;
    void warm(qsizetype requests, qint64 most);
    std::optional<Trouble> measure();
    /// `next`: when the step after it is due (ms).
    std::optional<Trouble> examine(const ScenarioStep &step, std::optional<qint64> next);
    std::optional<Trouble> awaitEnd();
    bool mayHang(const Operation &operation) const;
    void take(const Exchange &exchange, quint64 before);
    void tellOpenExchanges();
    std::optional<Trouble> plan(const Request &request);
    std::optional<Trouble> lost() const;
    void look();
    void rememberEtags(const ScenarioStep &step);

    const Scenario &m_scenario;
    const Rules &m_rules;
    const Messages m_messages;
    DriveOptions m_options;
    ServerPaths m_places;
    QMap<QString, QString> m_unnamed;  ///< operation's id -> where it was asked for, until that has
                                       ///< a name
    std::unique_ptr<Connection> m_own; ///< for what only a reference controller understands
    bool m_takesPlans = false;
    std::unique_ptr<RemoteController> m_controller;
    std::unique_ptr<Examiner> m_examiner;
    Played m_played;
    SeenEtags m_etags;
    quint64 m_exchanges = 0;                 ///< number of the last
    QMap<quint64, Exchange> m_openExchanges; ///< by number
    QStringList m_remarks;
    QList<Shot> m_volleys;
    QList<Unsent> m_unsent;
    QElapsedTimer m_clock;
    qint64 m_fired = 0; ///< when the last requests left (ms)
};

} // namespace instar
