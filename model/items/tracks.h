// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/conformancemonitor.h"
#include "model/engine/event.h"

#include <map>

namespace instar {

/// Observed and allowed words of a server's resources over time, from their first activity on.
/// Times are virtual ms; a point holds until the next one. Beyond MostPoints, forgets all points.
class Tracks
{
public:
    struct Observed
    {
        qint64 at = 0;
        QString word; ///< null: the resource did not exist
        /// Time of the last observation of the previous word: the change is between it and `at`.
        qint64 notBefore = 0;
    };
    struct Expected
    {
        qint64 at = 0;
        std::optional<ConformanceMonitor::Allowed> allowed; ///< absent: unknown
        bool isBroken = false;                              ///< the server broke a rule
    };
    struct Track
    {
        QString path;
        int machine = -1; ///< of the words; -1: never observed
        std::vector<Observed> observed;
        std::vector<Expected> expected;

        const Observed *observedAt(qint64 time) const; ///< null: before the first point
        const Expected *expectedAt(qint64 time) const; ///< null: before the first point
    };
    static constexpr qsizetype MostPoints = 200'000;
    /// Greatest number of resources of one tree that addExpected() checks.
    static constexpr qsizetype MostOfATree = 1'000;

    /// The rules must outlive the tracks.
    explicit Tracks(const Rules &rules) : m_rules(rules) { }

    /// Adds the observed words of a record. `world` is the world after the record.
    void addObserved(const Record &record, const World &world);
    /// Adds the words that the monitor allows in the trees of top-level resources.
    void addExpected(
        const ConformanceMonitor &monitor, const World &world, const QStringList &trees);
    /// Begins the track of a violation's resource that has none, because it was at rest until then.
    void begin(const LiveViolation &violation, const World &world);
    /// Marks the time from a violation on as broken, with the words that the rules allow there.
    void addViolation(
        const QString &path, qint64 at, std::optional<ConformanceMonitor::Allowed> allowed);

    const Track *find(const QString &path) const; ///< null: there is none
    bool isEmpty() const { return m_tracks.empty(); }
    qsizetype points() const { return m_points; }
    qint64 begin() const { return m_begin; } ///< time at which points were last forgotten; 0: never

private:
    Track &track(const QString &path);
    void addPoint(Track &track, const World &world, Resource resource, qint64 notBefore);
    void forgetAtLimit(qint64 now);

    const Rules &m_rules;
    std::map<QString, Track> m_tracks; ///< by folded path: the tracks of a tree are neighbours
    qsizetype m_points = 0;
    qint64 m_begin = 0;
};

} // namespace instar
