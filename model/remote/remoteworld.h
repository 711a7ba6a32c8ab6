// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"
#include "model/remote/reader.h"
#include "model/remote/recentmap.h"

#include <QSet>

#include <memory>
#include <utility>

namespace instar {

/// A world as a server tells it, sighting by sighting. Those of exchanges that were begun earlier
/// than one that was seen of the same top-level resource are ignored. Rules must outlive it.
class RemoteWorld
{
public:
    /// What a sighting changed.
    struct Moves
    {
        QString path; ///< of the first resource in preorder that moved, else that changed; empty:
                      ///< none did
        Rules::StateId from = Rules::None, to = Rules::None;
        QString unknown;    ///< the word it shows now, where it is none of the rules'
        qint64 moved = 0;   ///< resources whose state changed; made and removed ones are among them
        bool isOld = false; ///< something newer was seen already: this counts for nothing
        bool isEmpty() const { return path.isEmpty(); }
    };
    /// An operation that a server works on.
    struct Underway
    {
        quint32 serial = 0;
        QSharedPointer<const Request> request;
    };

    explicit RemoteWorld(const Rules &rules);

    const World &world() const { return m_world; }
    World &world() { return m_world; }

    /// Makes a resource and what its document holds as the document says; or it is not there.
    Moves see(const Sighting &sighting);
    /// The same of all in a collection of top-level resources: others are not there, unless the
    /// server has no such list.
    QList<Moves> see(const CollectionSighting &sighting);
    /// A resource, or a collection, and all that was told with it, is as it was told last.
    void seeAgain(const QString &path, const AnswerInterval &when);
    /// The operations at work: each answers for its target, and for what is in motion above and
    /// below it.
    void setUnderway(const QList<Underway> &operations);
    /// What somebody else may have at work in the tree of a path: for what is in motion farthest
    /// from its top, and none of those at work answers for, each operation that leads there.
    QList<Request> unseen(const QString &path) const;
    /// The world with one more of them at work.
    World with(const Underway &operation) const;

    /// Constraints that have stopped holding since this was asked last, as far as documents show
    /// it: those of different top-level resources may tell of different moments.
    std::vector<Change> takeViolations();
    /// Where something was shown, or is worked on, since this was asked last.
    Extent takeExtent() { return std::exchange(m_extent, {}); }
    /// Nothing had moved yet, when that was asked about, of all that moved since this was asked
    /// last. Invalid: nobody knows.
    QDateTime takeSince();
    /// Exchanges are numbered anew.
    void forgetAges() { m_ages.clear(); }
    /// What was made and removed since this was asked last.
    std::vector<TreeChange> takeTreeChanges() { return std::exchange(m_treeChanges, {}); }
    /// Of the operations at work, those that answer for others than when this was asked last.
    std::vector<Holding> takeHoldings();

    /// The state that a word stands for: the one of that name, else a resting one that passes for
    /// it, else a transitional one. None: the machine has no such word.
    Rules::StateId stateOf(int machine, const QString &word) const;
    /// Top-level resources in which something is in motion.
    QStringList moving() const;
    /// Words and types that the pack does not know, as "/racks: Melting"; each is told once.
    QStringList takeUnknown();

    /// The path of the top-level resource above: its first two names.
    static QString top(const QString &path);

private:
    static constexpr qsizetype MostAges = 100'000, MostAbsent = 10'000;
    /// When something was asked about last: shared by all that was told with it.
    using Look = std::shared_ptr<QDateTime>;
    Look look(const QString &path, const AnswerInterval &when);
    QDateTime told(Resource parent, const QString &collection, const Look &look);
    void move(const QDateTime &since);
    /// Nothing: its target is not there.
    QSharedDataPointer<Running> running(const Underway &operation) const;
    bool isNews(const QString &path, quint64 exchange);
    void apply(
        const ResourceMessage &message, const Look &look, const QDateTime &absent, Moves &moves);
    Resource made(const QString &path);
    void removeAll(Resource resource, Moves &moves);
    void keepOnly(const CollectionSighting &sighting, QList<Moves> &moves);
    bool store(Resource resource, const ResourceMessage &message);
    void forgetReferences(Resource resource);
    void touch(Resource resource);
    static void count(
        Moves &moves, const QString &path, Rules::StateId from, Rules::StateId to, qint64 moved);

    const Rules &m_rules;
    World m_world;
    RecentMap<quint64> m_ages { MostAges }; ///< key of a top-level path -> the exchange that told
                                            ///< last
    QHash<QString, Look> m_told;            ///< key of what was asked about -> when
    QHash<Resource, Look> m_looks;
    QHash<Resource, QHash<QString, Look>> m_collections; ///< parent -> those told whole, by key
    RecentMap<QDateTime> m_absent { MostAbsent };        ///< key -> when it was not there
    bool m_hasMoved = false;
    QDateTime m_since;                                       ///< see takeSince()
    QHash<std::pair<int, QString>, Rules::StateId> m_states; ///< (machine, folded word) ->
    QSet<QString> m_embedded; ///< type paths of children that documents of their parents have held
    QSet<QString> m_unknown;
    QStringList m_untold; ///< of them
    Extent m_extent;
    std::vector<TreeChange> m_treeChanges;
    QHash<quint32, std::vector<std::pair<Resource, Resource>>> m_held; ///< as told, by serial
    QSet<quint32> m_touched; ///< branches, since constraints were watched
};

} // namespace instar
