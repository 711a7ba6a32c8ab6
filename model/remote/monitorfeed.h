// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/conformancemonitor.h"
#include "model/remote/exchangeinterpreter.h"

#include <QCache>

namespace instar {

/// Feeds the conformance monitor with every exchange as it begins and ends. A tree is followed once
/// it was read at rest while no operation sent from here ran in it; after a violation or a lost
/// connection, once it is read so again. An operation that cannot be polled any more counts as
/// running until a reading of its tree rules that out. Rules must outlive it.
class MonitorFeed
{
public:
    explicit MonitorFeed(const Rules &rules);

    /// Takes an exchange when it begins and again when it has ended.
    void take(const Exchange &exchange);
    /// Counts operations: begun() when one is sent, ended() when it surely no longer runs.
    void begun(const QString &path) { ++m_running[m_reader.treeOf(path)]; }
    void ended(const QString &path, const QDateTime &now);
    /// The operation may still run, but cannot be polled any more.
    void lostTrack(const QString &path, const QDateTime &now);
    /// The server is unreachable: from now on its changes are not observed.
    void lostSight(const QDateTime &now);
    /// Forgets the open exchanges: their end will not be reported.
    void giveUp() { m_open.clear(); }
    /// Promises that later exchanges begin at `now` or later, except for open ones. Returns true if
    /// the monitor has processed anything since the last call.
    bool advanceTo(const QDateTime &now);
    /// Top-level resources whose verdict may have changed since the last call.
    QStringList takeTold();

    const ConformanceMonitor &monitor() const { return m_monitor; }
    const QDateTime &zero() const { return m_reader.zero(); }

private:
    static constexpr qsizetype MostNames = 40'000; ///< the least recently used are forgotten

    /// Last reading of a whole tree.
    struct Reading
    {
        double from = 0, to = 0;
        bool isAtRest = true;
        bool isIdle = true; ///< no resource looks as if an operation ran on it
        QList<ResourceSpec> resources {};
        QList<Observation> seen {};
        QSet<QString> missing {}; ///< collections below that are not read yet
    };
    void takeRequest(const Exchange &exchange, InterpretedExchange &told);
    void takeObservations(const InterpretedExchange &told);
    void takeReadings(const InterpretedExchange &told);
    void takeBelow(const InterpretedExchange &told);
    void add(const InterpretedExchange::Seen &seen, Reading &reading);
    void begin(const QString &path);
    void goOn();
    const Reading *readingOf(const QString &tree, double since) const;
    bool mayBeOver(const ConformanceMonitor::Lost &lost) const;
    Observation stamped(Observation seen);

    const Rules &m_rules;
    const bool m_hidesWork; ///< a resource at work may show as absent or at rest
    ExchangeInterpreter m_reader;
    ConformanceMonitor m_monitor;
    QHash<quint64, double> m_open;              ///< open read -> ms of its sending
    QHash<quint64, QString> m_fired;            ///< unanswered exchange -> request id
    QCache<QString, int> m_names { MostNames }; ///< request id -> times used
    /// The server's operation id -> the request's id.
    QCache<QString, QString> m_operations { MostNames };
    QHash<QString, Reading> m_readings; ///< tree that is not followed -> its reading
    QHash<QString, QSet<QString>> m_in; ///< top-level collection -> its trees at the last reading
    QSet<QString> m_begun;              ///< trees with requests
    QHash<QString, int> m_running;      ///< tree -> running operations sent from here
    QHash<QString, int> m_strays;       ///< tree -> operations that are not observed any more
    QSet<QString> m_told;               ///< trees whose verdict may have changed, until takeTold()
    QHash<QString, double> m_quiet;     ///< tree -> ms since when no operation has run
    double m_advanced = 0;              ///< ms
    int m_line = 1;
    bool m_isChanged = false;
};

} // namespace instar
