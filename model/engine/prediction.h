// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/linearizer.h"
#include "model/engine/treegroups.h"

#include <queue>

#include <map>
#include <memory>

namespace instar {

/// Where a server left the rules.
struct Departure
{
    double at = 0; ///< ms, when what nothing explains was over
    std::variant<RecordedRequest, Observation> what;
    QString path; ///< of the resource that it is about
    /// Of the trees concerned, from a moment when everything rested there up to `what`. A verdict
    /// on it names the rule and the shortest part that shows it.
    History history;
};

/// The rules running beside a server, fed with what is asked and seen as it happens: all the worlds
/// in which everything so far is explained. Trees that nothing connects are followed apart. Where
/// no world is left the server has departed from the rules; where more are possible than can be
/// followed nothing is said, and nobody accused. In both cases the trees concerned are lost, until
/// someone says how they are. Rules must outlive it; times are ms on one clock.
class Prediction
{
public:
    struct Bounds
    {
        qsizetype worlds = 200;     ///< that are kept of trees that belong together
        qsizetype tried = 4'000;    ///< situations, when one more thing is known
        qsizetype things = 2'000;   ///< that are remembered of such trees while they do not rest
        qsizetype departures = 100; ///< that are kept
        bool timeless = false;      ///< as History::timeless
    };
    explicit Prediction(const Rules &rules) : Prediction(rules, Bounds()) { }
    Prediction(const Rules &rules, Bounds bounds);
    ~Prediction();

    /// A resource refers to others: their trees belong together from now on.
    void connect(const ResourceSpec &resource);

    // What is told. What has no place in time order yet waits for advanceTo().

    /// All that there is, at rest; what is told of later was not there.
    void begin(const QList<ResourceSpec> &resources);
    /// A client asks; what becomes of it is not known yet.
    void sent(const RecordedRequest &asked);
    /// The answer, `asked.answered` and `asked.answer`. `isFollowed`: how the operation stands may
    /// be seen later. A lost answer: none will come.
    void answered(const RecordedRequest &asked, bool isFollowed = true);
    void seen(const Observation &observation) { seen(QList { observation }); }
    /// Resources of one tree that were all seen so at one moment.
    void seen(QList<Observation> snapshot);
    /// Whatever is told from now on has begun at this time or later.
    void advanceTo(double time);
    qsizetype waiting() const { return qsizetype(m_pending.size()); } ///< beginnings and ends

    // Trees that are lost

    enum class Why {
        NotSeen,   ///< nobody has told how they are
        Departed,  ///< the server left the rules
        TooMany,   ///< more worlds are possible than can be followed
        TooLong,   ///< they have not come to rest for too long
        Connected, ///< something connected them with others while they were not at rest
        Unwatched, ///< for a while nobody could see what became of them
    };
    struct Lost
    {
        QStringList trees; ///< paths of top-level resources, lower case where case is ignored
        double since = 0;  ///< only what is seen from then on tells how they are
        Why why = Why::NotSeen;
    };
    QList<Lost> lost() const;
    /// Nothing can be said of the trees that a path belongs to.
    void lose(const QString &path, Why why, double at);
    /// Nor of any others; those that are lost already keep their reason.
    void loseAll(Why why, double at);
    /// How lost trees are now that everything rests in them; all that belong together at once.
    /// `seen` tells the etags that they have.
    void goOn(const QStringList &trees, const QList<ResourceSpec> &resources,
        const QList<Observation> &seen = {});

    // What is known

    /// The words that the rules let a resource show now.
    struct Allowed
    {
        QStringList words; ///< null: it may be gone, or not there yet
        bool all = true;   ///< false: there may be more
        bool operator==(const Allowed &) const = default;
    };
    /// Nothing: it cannot be said.
    std::optional<Allowed> allowed(const QString &path) const;
    std::optional<Why> lostWhy(const QString &path) const; ///< nothing: they are not lost
    /// The newest are last; `departed` counts those that are not kept any more, too.
    const QList<Departure> &departures() const { return m_departures; }
    qint64 departed() const { return m_departed; }
    qint64 explained() const { return m_explained; }   ///< requests and observations
    qint64 passedOver() const { return m_passedOver; } ///< of trees that were lost
    qsizetype worlds() const;                          ///< kept now
    qsizetype remembered() const;              ///< requests and observations that are kept now
    QString treeOf(const QString &path) const; ///< as in Lost::trees

private:
    struct Part;
    struct Thing
    {
        bool isRequest = false, isFollowed = true;
        RecordedRequest asked;
        QList<Observation> seen;
        QString tree;           ///< of the part that it was taken into
        quint64 generation = 0; ///< of that part then; 0: it was not
        int index = -1;         ///< in its history, of the first that was seen
        bool wasStill = false;  ///< nothing went on there when it began to be seen
        qsizetype before = 0;   ///< requests that were asked for there by then
    };
    struct Pending
    {
        double time = 0;
        bool closes = false;
        quint64 order = 0;
        std::shared_ptr<Thing> thing;
        bool operator<(const Pending &other) const // the earliest is on top
        {
            return std::tie(time, closes, order) > std::tie(other.time, other.closes, other.order);
        }
    };

    void take(const Pending &pending);
    void takeSent(Thing &thing);
    void takeAnswer(Thing &thing);
    void takeSight(Thing &thing);
    void takeSightsEnd(Thing &thing);
    Part *partOf(const Thing &thing) const;
    std::optional<std::vector<Linearizer::Situation>> explained(
        Part &part, std::vector<Linearizer::Situation> waiting) const;
    Part *partAt(const QString &path);
    Part *knownAt(const QString &path) const;
    void rearrange();
    void unite(const std::vector<std::unique_ptr<Part>> &parts);
    void start(Part &part, World world, const QList<Observation> &etags, double at);
    void pass(Part &part, const Thing &thing, double time);
    static const Observation &unexpected(
        const Part &part, const std::vector<Linearizer::Situation> &worlds, const Thing &thing);
    void lose(Part &part, Why why, double at);
    void settle(Part &part);
    void keepName(const Request &request);
    static void stopFollowing(Part &part, const QString &id);
    static bool isSilent(const Part &part, int interval);
    static bool rests(const Part &part);
    static bool isIdle(const Part &part);
    static QList<Observation> etagsOf(const Part &part);
    const std::vector<World> &reachable(const Part &part) const;

    const Rules &m_rules;
    Bounds m_bounds;
    TreeGroups m_treeGroups;
    bool m_knowsAll = false;
    quint64 m_joins = 0;                          ///< of the tree group, when parts were arranged
    std::map<int, std::unique_ptr<Part>> m_parts; ///< by what the tree group calls them
    QHash<QString, Part *> m_partOf;              ///< tree -> the one it is in
    std::priority_queue<Pending> m_pending;
    QHash<QString, std::shared_ptr<Thing>> m_asked; ///< id -> without an answer
    QSet<QString> m_usedIds; ///< request ids that are not in any history any more
    quint64 m_order = 0, m_generation = 0;
    QList<Departure> m_departures;
    qint64 m_departed = 0, m_explained = 0, m_passedOver = 0;
};

} // namespace instar
