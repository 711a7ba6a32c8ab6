// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"
#include "model/engine/prediction.h"

#include <map>

namespace instar {

/// What resources at a server were seen as, and beside it what the rules let them be: two tracks a
/// resource, from when it first does something. Times are those of the world that shows the server;
/// each point holds until the next one. Of very much the oldest half is forgotten, and what nothing
/// was said of for longest.
class Tracks
{
public:
    struct Seen
    {
        qint64 at = 0;
        QString word; ///< null: it was not there
        /// It was seen as the point before says, still: it became so between then and `at`.
        qint64 notBefore = 0;
    };
    struct Foretold
    {
        qint64 at = 0;
        std::optional<Prediction::Allowed> allowed; ///< nothing: it could not be said
    };
    struct Track
    {
        QString path;
        int machine = -1; ///< that the words are of; -1: it was never seen
        std::vector<Seen> seen;
        std::vector<Foretold> foretold;
        std::vector<qint64> departures; ///< when something was seen that nothing explains

        const Seen *seenAt(qint64 time) const;         ///< null: before it began
        const Seen *seenAfter(qint64 time) const;      ///< null: nothing yet
        const Foretold *foretoldAt(qint64 time) const; ///< null: before it began
        qsizetype points() const;
        qint64 newest() const; ///< when something was said of it last
    };
    static constexpr qsizetype MostPoints = 200'000;
    /// Resources of one top-level resource that are looked at when something happens in it.
    static constexpr qsizetype MostOfATree = 1'000;

    /// Rules must outlive it.
    explicit Tracks(const Rules &rules) : m_rules(rules) { }

    /// The world shows what a record tells.
    void see(const Record &record, const World &world);
    /// More was told of top-level resources.
    void foretell(const Prediction &prediction, const World &world, const QStringList &trees);
    /// Nothing explains what was seen of a resource.
    void depart(const QString &path, qint64 at);

    const Track *find(const QString &path) const; ///< null: nothing was ever seen of it
    bool isEmpty() const { return m_tracks.empty(); }
    qsizetype points() const { return m_points; }

private:
    QString key(const QString &path) const;
    Track &track(const QString &path);
    void note(Track &track, const World &world, Resource resource, qint64 notBefore);
    void forgetSome();

    const Rules &m_rules;
    std::map<QString, Track> m_tracks; ///< by key: those of a tree are neighbours
    qsizetype m_points = 0;
};

} // namespace instar
