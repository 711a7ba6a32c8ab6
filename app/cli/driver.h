// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "model/engine/scenario.h"
#include "model/remote/remotecontroller.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>
#include <memory>

namespace instar {

/// Where at a server that is what a scenario calls otherwise: a server that makes up names makes up
/// others.
class ServerPaths
{
public:
    /// What was asked for at one path is at another.
    void learn(const QString &asked, const QString &made);
    QString at(const QString &path) const;
    ResourceSpec at(ResourceSpec spec) const;
    ScenarioStep at(const ScenarioStep &step) const;

private:
    QList<std::pair<QString, QString>> m_moved; ///< in the order in which that was learned
    MadeNames m_names;
};

/// Lets events happen until the condition holds; false: it did not within so many ms.
template<typename Condition>
bool waited(qint64 ms, Condition condition)
{
    QElapsedTimer clock;
    clock.start();
    QTimer pulse;
    pulse.setTimerType(Qt::PreciseTimer);
    while (!condition()) {
        const qint64 left = ms - clock.elapsed();
        if (left <= 0)
            return false;
        pulse.start(int(std::min<qint64>(left, 50)));
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return true;
}

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

    /// Drives it to its end; throws a CommandError where that cannot be.
    void drive();

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
        BurstReport report;
    };
    const QList<Shot> &bursts() const { return m_bursts; }
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

    void reach();
    Connection::Answer asked(const HttpRequest &request, const QString &server);
    void connectAnew();
    QStringList named() const;
    bool isNamedByServer(const QString &path) const;
    void readNamed();
    qint64 poll() const;
    Request identified(Request request) const;
    void prepare(); // and the next twelve: make.cpp
    void list();
    void addUnsent(std::optional<qint64> at, const Request &request);
    QMap<QString, Enclosed> below(const Request &request) const;
    void make(const ResourceSpec &spec);
    void settle(const QList<ResourceSpec> &wanted);
    void go(const Way &way);
    std::optional<Way> wayTo(
        const World &world, const ResourceSpec &spec, const QList<ResourceSpec> &others) const;
    std::optional<Way> wayToSettle(
        const World &world, const QList<ResourceSpec> &wanted, qsizetype *wrongBefore) const;
    CommandError cannotMake(const ResourceSpec &spec) const;
    CommandError cannotSettle(const World &world, const ResourceSpec &first) const;
    QList<ResourceSpec> wanted() const;
    QList<ResourceSpec> wrong(const World &world, const QList<ResourceSpec> &wanted) const;
    bool isAsWanted(const World &world, const ResourceSpec &spec) const;
    bool looksAsWanted(const World &world, const ResourceSpec &spec) const;
    bool moves(const QString &path) const;
    bool moves(const ResourceSpec &spec) const;
    QString shownAt(const World &world, const QString &path) const;
    QList<const ScenarioStep *> stepsInTime() const;
    void play();
    void fire(const QList<const ScenarioStep *> &steps);
    bool makesNameFor(const ScenarioStep &maker, const ScenarioStep &step) const;
    QStringList unlearned(const ScenarioStep &step) const;
    void learnNames();
    void awaitNames(const ScenarioStep &step);
    ScenarioStep examinable(const ScenarioStep &step);
    /// Takes out of the step what no client can see of operations, and says so.
    QStringList leaveOutUnseen(ScenarioStep *step) const;
    void warm(qsizetype requests, qint64 most);
    void measure();
    /// `next`: when the step after it is due (ms).
    void examine(const ScenarioStep &step, std::optional<qint64> next);
    void awaitEnd();
    bool mayHang(const Operation &operation) const;
    void take(const Exchange &exchange, quint64 before);
    void tellOpenExchanges();
    void plan(const Request &request);
    void requireServer() const;
    void look();
    void rememberEtags(const ScenarioStep &step);

    const Scenario &m_scenario;
    const Rules &m_rules;
    const WireRules m_messages;
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
    QList<Shot> m_bursts;
    QList<Unsent> m_unsent;
    QElapsedTimer m_clock;
    qint64 m_fired = 0; ///< when the last requests left (ms)
};

} // namespace instar
