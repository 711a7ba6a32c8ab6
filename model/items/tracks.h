// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/conformancemonitor.h"
#include "model/engine/event.h"

#include <map>

namespace instar {

/// Observed and allowed words of a server's resources over time, from their first activity on.
/// Times are virtual ms; a point holds until the next one. At the limit, all are forgotten.
class Tracks
{
public:
    struct Observed
    {
        qint64 at = 0;
        QString word; ///< null: it did not exist
        /// Last observation of the previous word: the change came between it and `at`.
        qint64 notBefore = 0;
    };
    struct Expected
    {
        qint64 at = 0;
        std::optional<ConformanceMonitor::Allowed> allowed; ///< nothing: unknown
        bool isBroken = false;                              ///< the server broke a rule
    };
    struct Track
    {
        QString path;
        int machine = -1; ///< of the words; -1: never observed
        std::vector<Observed> observed;
        std::vector<Expected> expected;

        const Observed *observedAt(qint64 time) const; ///< null: before it began
        const Expected *expectedAt(qint64 time) const; ///< null: before it began
    };
    static constexpr qsizetype MostPoints = 200'000;
    /// Most resources of one tree that addExpected() checks.
    static constexpr qsizetype MostOfATree = 1'000;

    /// Rules must outlive it.
    explicit Tracks(const Rules &rules) : m_rules(rules) { }

    /// Adds the observed words of a record; `world`: the world after it.
    void addObserved(const Record &record, const World &world);
    /// Adds the words that the monitor allows in the trees of top-level resources.
    void addExpected(
        const ConformanceMonitor &monitor, const World &world, const QStringList &trees);
    /// Begins the track of a violation's resource that has none: it had rested.
    void begin(const LiveViolation &violation, const World &world);
    /// Marks the time from a violation on as broken, with the words that the rules allow there.
    void addViolation(
        const QString &path, qint64 at, std::optional<ConformanceMonitor::Allowed> allowed);

    const Track *find(const QString &path) const; ///< null: there is none
    bool isEmpty() const { return m_tracks.empty(); }
    qsizetype points() const { return m_points; }
    qint64 begin() const { return m_begin; } ///< of all tracks: when others were forgotten

private:
    Track &track(const QString &path);
    void addPoint(Track &track, const World &world, Resource resource, qint64 notBefore);
    void forgetSome(qint64 now);

    const Rules &m_rules;
    std::map<QString, Track> m_tracks; ///< by key, so that those of a tree are neighbours
    qsizetype m_points = 0;
    qint64 m_begin = 0; ///< of all tracks
};

} // namespace instar
