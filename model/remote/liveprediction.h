// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/prediction.h"
#include "model/remote/recentmap.h"
#include "model/remote/testimony.h"

namespace instar {

/// The prediction that runs beside a server: fed with every exchange as it begins and ends. Trees
/// are followed from when they were read at rest while nothing that was asked for here went on in
/// them; after a departure or a lost connection, from when they are read so again. An operation
/// that nobody can ask about any more goes on until its tree is read so that nothing can be at work
/// there. Rules must outlive it.
class LivePrediction
{
public:
    explicit LivePrediction(const Rules &rules);

    /// An exchange has begun, or has ended; in this order.
    void take(const Exchange &exchange);
    /// An operation was sent, and is not known to have ended; or it is, or it cannot go on.
    void begun(const QString &path);
    void ended(const QString &path, const QDateTime &now);
    /// It may go on, and nothing more will be told of it.
    void lostTrack(const QString &path, const QDateTime &now);
    /// The server cannot be reached: what happens there from now on is not seen.
    void lostSight(const QDateTime &now);
    /// Exchanges that are open will not be told of again.
    void giveUp() { m_open.clear(); }
    /// Whatever is told later begins at this moment or later, but for what has begun already.
    /// Whether anything was taken in since this was called last.
    bool advanceTo(const QDateTime &now);
    /// Top-level resources of which something else may be known since this was called last.
    QStringList takeTold();

    const Prediction &prediction() const { return m_prediction; }

private:
    static constexpr qsizetype MostNames = 20'000;

    /// How a tree was read last, whole.
    struct Reading
    {
        double from = 0, to = 0;
        bool isAtRest = true;
        bool isIdle = true; ///< nothing that is there looks as if something were at work
        QList<ResourceSpec> resources;
        QList<Observation> seen;
        QSet<QString> missing; ///< collections below that were not read yet
    };
    void takeRequest(const Exchange &exchange, Testimony &told);
    void takeSights(const Testimony &told);
    static Reading readBetween(const Testimony &told);
    void takeReadings(const Testimony &told);
    void takeBelow(const Testimony &told);
    void add(const Sighting &sight, Reading &reading);
    void begin(const QString &path);
    void goOn();
    const Reading *readingOf(const QString &tree, double since) const;
    bool mayBeOver(const Prediction::Lost &lost) const;
    Observation stamped(Observation seen);

    const Rules &m_rules;
    const bool m_hidesWork; ///< what is not there may be at work
    TestimonyReader m_reader;
    Prediction m_prediction;
    QHash<quint64, double> m_open;        ///< question -> when it was sent
    QHash<quint64, QString> m_fired;      ///< exchange without an answer -> request
    RecentMap<int> m_names { MostNames }; ///< request -> how many have that name
    RecentMap<QString> m_operations {
        MostNames
    };                                  ///< an operation at the server -> the request's id
    QHash<QString, Reading> m_readings; ///< tree that is not followed ->
    QHash<QString, QSet<QString>> m_in; ///< top-level collection -> trees, when it was read last
    QSet<QString> m_begun;              ///< trees that something was asked of
    QHash<QString, int> m_running;      ///< tree -> operations that were asked for here
    QHash<QString, int> m_strays;       ///< the same of those of which nothing more is told
    QSet<QString> m_told;               ///< trees, since somebody took them
    QHash<QString, double> m_quiet;     ///< tree -> since when there are none (ms)
    double m_advanced = 0;              ///< ms
    int m_line = 1;
    bool m_isChanged = false;
};

} // namespace instar
