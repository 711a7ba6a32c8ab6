// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/conformancemonitor.h"
#include "model/remote/exchangeinterpreter.h"

#include <QCache>

namespace instar {

/// Feed of HTTP exchanges, as they begin and end, for the conformance monitor. Monitoring of a tree
/// starts when the tree is read at rest while this program runs no operation in it; a violation or
/// a lost connection stops it until the next such reading. An operation that cannot be polled any
/// more counts as running until a reading shows that it has ended. The rules must outlive the feed.
class MonitorFeed
{
public:
    explicit MonitorFeed(const Rules &rules);

    /// Takes an exchange when it begins and again when it has ended.
    void take(const Exchange &exchange);
    /// Counts running operations: begun() when one is sent, ended() when it certainly has ended.
    void begun(const QString &path) { ++m_running[m_interpreter.treeOf(path)]; }
    void ended(const QString &path, const QDateTime &now);
    /// The operation may still run, but cannot be polled any more.
    void pollingFailed(const QString &path, const QDateTime &now);
    /// The server is unreachable: from now on its changes are not observed.
    void connectionLost(const QDateTime &now);
    /// Forgets the open exchanges, because their end will not be reported.
    void forgetOpen() { m_open.clear(); }
    /// Processes the exchanges that began before `now`; take() may later end some, but add none.
    /// Returns true if the monitor has processed any input since the last call.
    bool advanceTo(const QDateTime &now);
    /// Top-level resources whose verdict may have changed since the last call.
    QStringList takeChangedTrees();

    const ConformanceMonitor &monitor() const { return m_monitor; }
    const QDateTime &start() const { return m_interpreter.start(); }

private:
    static constexpr qsizetype MostNames = 40'000; ///< limit of each cache of names

    struct Reading
    {
        double from = 0, to = 0;
        bool isAtRest = true;
        bool isIdle = true; ///< no resource shows a word of a transitional state
        QList<ResourceSpec> resources {};
        QList<Observation> observations {};
        QSet<QString> missing {}; ///< collections below that have yet to be read separately
    };
    void takeRequest(const Exchange &exchange, InterpretedExchange &interpreted);
    void takeObservations(const InterpretedExchange &interpreted);
    void takeReadings(const InterpretedExchange &interpreted);
    void takeBelow(const InterpretedExchange &interpreted);
    void add(const InterpretedExchange::ObservedResource &resource, Reading &reading);
    void begin(const QString &path);
    void resumeLost();
    const Reading *readingOf(const QString &tree, double since) const;
    bool unpolledHaveEnded(const ConformanceMonitor::Lost &lost) const;
    Observation stamped(Observation observation);

    const Rules &m_rules;
    const bool m_hidesWork; ///< transitional states may show as absent or at rest
    ExchangeInterpreter m_interpreter;
    ConformanceMonitor m_monitor;
    QHash<quint64, double> m_open;               ///< open read -> ms of its sending
    QHash<quint64, QString> m_fired;             ///< unanswered exchange -> request id
    QCache<QString, int> m_idUses { MostNames }; ///< request id -> times used
    /// The server's operation id -> the request's id.
    QCache<QString, QString> m_operations { MostNames };
    QHash<QString, Reading> m_readings;     ///< tree that is not monitored -> its reading
    QHash<QString, QSet<QString>> m_listed; ///< collection -> its trees when it was read last
    QSet<QString> m_requested;              ///< trees to which a request was sent
    QHash<QString, int> m_running;  ///< tree -> number of running operations of this program
    QHash<QString, int> m_unpolled; ///< tree -> number of operations that cannot be polled any more
    QSet<QString> m_changedTrees;   ///< see takeChangedTrees()
    QHash<QString, double> m_idleSince; ///< tree -> time of its last operation's end, ms
    double m_advanced = 0;              ///< last time of advanceTo(), ms
    int m_line = 1;
    bool m_isChanged = false;
};

} // namespace instar
