// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"
#include "model/engine/world.h"
#include "model/remote/reader.h"

#include <QCache>
#include <QSet>

#include <utility>

namespace instar {

/// World as a server shows it, built from observations. Ignores an observation if a later exchange
/// has already shown the same top-level resource. The rules must outlive the world.
class RemoteWorld
{
public:
    /// Summary of what one observation changed.
    struct Changes
    {
        QString path; ///< of the first resource (preorder) with a new state, else of the first with
                      ///< another change; empty: nothing changed
        Rules::StateId from = Rules::None, to = Rules::None;
        QString unknown;  ///< status word at `path` if the rules do not know it; else empty
        qint64 moved = 0; ///< number of resources whose state changed, or that came or went
        bool isEmpty() const { return path.isEmpty(); }
    };
    struct Underway
    {
        quint32 serial = 0;
        QSharedPointer<const Request> request;
    };

    explicit RemoteWorld(const Rules &rules);

    const World &world() const { return m_world; }
    World &world() { return m_world; }

    /// Takes a resource: creates or updates it and the resources in its document, or removes it.
    Changes observe(const ResourceObservation &observation);
    /// Takes a top-level collection; removes unlisted resources, unless the server has no list.
    QList<Changes> observe(const CollectionObservation &observation);
    /// Sets the running operations; they affect also transitional ancestors and descendants.
    void setUnderway(const QList<Underway> &operations);
    /// Guesses which operations of other clients run in the tree of a path: all that lead to the
    /// state of the deepest transitional resource without a known operation, or of its ancestors.
    QList<Request> externalRequests(const QString &path) const;

    /// Constraints that became violated since the last call. Uncertain across top-level resources:
    /// their documents may reflect different moments.
    std::vector<Change> takeViolations();
    /// Positions in the tree that were observed, or affected by operations, since the last call.
    DirtyRegion takeDirty() { return std::exchange(m_dirty, {}); }
    /// Time of the last observation before every change since the last call; invalid if unknown.
    QDateTime takeSince();
    /// Forgets which observations are newest: a new connection numbers its exchanges anew.
    void forgetAges() { m_ages.clear(); }
    std::vector<TreeChange> takeTreeChanges() { return std::exchange(m_treeChanges, {}); }
    /// Operations whose affected resources have changed since the last call, with these resources.
    std::vector<Holding> takeAffectedResources();

    /// Top-level resources with transitional states in their trees.
    QStringList transitionalTops() const;
    /// Words and types that the pack does not know, as "racks: Melting"; each is reported once.
    QStringList takeUnknown() { return std::exchange(m_unreported, {}); }

    /// Path of the top-level resource above: its first two names ("/racks/r1").
    static QString top(const QString &path) { return path.section(u'/', 0, 2); }

private:
    static constexpr qsizetype MostAges = 200'000, MostAbsent = 20'000; ///< limits of the caches
    QDateTime listed(Resource parent, const QString &collection, const QDateTime &sent);
    void noteChange(const QDateTime &since);
    /// The operation with its affected resources; null if the target does not exist.
    QSharedDataPointer<Running> running(const Underway &operation) const;
    bool isNewest(const QString &path, quint64 exchange);
    void apply(const ResourceMessage &message, const QDateTime &sent, const QDateTime &absent,
        Changes &changes);
    Resource made(const QString &path);
    void reportUnknown(const QString &what);
    void removeAll(Resource resource, Changes &changes);
    void removeUnlisted(const CollectionObservation &observation, QList<Changes> &changes);
    bool store(Resource resource, const ResourceMessage &message);
    void touch(Resource resource);
    static void count(Changes &changes, const QString &path, Rules::StateId from, Rules::StateId to,
        qint64 moved);

    const Rules &m_rules;
    World m_world;
    QCache<QString, quint64> m_ages { MostAges }; ///< key of a top-level path -> the last exchange
    QHash<Resource, QDateTime> m_observed;        ///< when it was last observed
    QHash<Resource, QHash<QString, QDateTime>> m_collections; ///< parent -> key -> time of listing
    QCache<QString, QDateTime> m_absent { MostAbsent }; ///< key -> when it was observed missing
    bool m_hasChanged = false; ///< a resource changed since the last takeSince()
    QDateTime m_since;         ///< see takeSince()
    QSet<QString> m_embedded;  ///< type paths of children that their parents' documents contain
    QSet<QString> m_unknown;
    QStringList m_unreported; ///< those of m_unknown not reported yet
    DirtyRegion m_dirty;
    std::vector<TreeChange> m_treeChanges;
    QHash<quint32, std::vector<std::pair<Resource, Resource>>>
        m_reportedAffected;  ///< serial -> ranges last reported
    QSet<quint32> m_touched; ///< branches changed since the last check of constraints
};

} // namespace instar
