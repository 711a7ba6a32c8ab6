// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/engine/search.h"

#include <queue>

namespace instar {

/// Looks for an order of everything that nobody saw (when requests took effect, work went on and
/// ended, timers fired) in which every answer and observation of a history is right: the search of
/// Wing and Gong, in time order and just in time as Lowe has it, with a memory of situations as in
/// Porcupine. What the rules mean is asked of step() alone.
///
/// Whatever happens is put off until an interval closes whose request or observation has not come
/// true yet, so what does not matter is never tried. What comes true without changing the world is
/// taken at once. Rules and history must outlive it.
class HistorySearch
{
public:
    enum class Outcome { Conforms, Violates, Undecided };
    enum class Memory { Kept, None }; ///< None: situations are tried again, for comparison only

    HistorySearch(const Rules &rules, const History &history, Memory memory = Memory::Kept);

    /// Undecided: the budget ended it.
    Outcome run(const Budget &budget);
    qint64 worlds() const { return m_worlds; }          ///< situations that were met
    qsizetype explained() const { return m_explained; } ///< requests and observations, at most

    /// One thing that happened, unseen.
    struct Moment
    {
        QString words;    ///< "submit r1", "end r1 succeeded", "begin r1", "fire /a/b"
        double after = 0; ///< ms
        Event event;      ///< Wait: an observation was made, which binds an etag
        Record record;
        World before, world;
    };
    using Visit = std::function<void(const Moment &moment)>;
    /// Tells the order that was found, where it conforms; returns the world at its end.
    World retell(const Visit &visit) const;
    /// What could happen next, where everything that the history has was explained.
    std::vector<Moment> next() const;

private:
    static constexpr quint32 NoNode = ~0u;
    struct Interval
    {
        double from = 0, to = 0;
        bool closes = true;
        int request = -1, observation = -1;
        int etag = -1;        ///< which of m_etags an observation shows
        quint32 position = 0; ///< where it opens
    };
    struct Endpoint
    {
        double time = 0;
        bool closes = false;
        int interval = 0;
    };
    /// One etag of one resource that is told more than once.
    struct Etag
    {
        QString path, text;
        std::vector<int> seen; ///< intervals
    };
    /// How a request stands that is still asked about.
    struct Fate
    {
        int request = 0;
        quint32 serial = 0;
        bool isOver = false;
        Status status = Status::InProgress; ///< where it is over
        QString code;                       ///< of a refusal
    };
    struct Situation
    {
        World world;
        std::vector<int> open;   ///< intervals that have begun, and are not explained
        std::vector<Fate> fates; ///< by request
        std::vector<std::pair<int, quint64>> etags; ///< etag -> stamp, by etag
        qint64 earliest = 0;                        ///< ms: it cannot have come sooner
        double after = 0;                           ///< ms, of the last event
        quint32 position = 0;                       ///< the next endpoint
        quint32 hidden = 0;                         ///< events since one was passed
        quint32 hasty = 0; ///< requests that were passed over by others that had more time
        quint32 node = NoNode;
    };
    /// Requests that came true without changing anything, each with its time (ms).
    using Silent = std::vector<std::pair<int, double>>;
    struct Child
    {
        Situation situation;
        Event event;
        std::vector<std::pair<int, bool>> answers;
        Record record;
        double after = 0;  ///< ms
        Silent silent;     ///< behind it
        int interval = -1; ///< of an observation that was made, or a request that was left out
    };
    struct Node
    {
        quint32 parent = NoNode;
        quint32 child = 0; ///< which of the parent's
    };
    struct Waiting
    {
        qint64 score = 0;
        quint32 number = 0;
        bool operator<(const Waiting &other) const
        {
            return score != other.score ? score < other.score : number > other.number;
        }
    };
    class Anybody;
    using SharedRequest = QSharedPointer<const Request>;

    void makeIntervals();
    void makeEtags();
    Situation beginning() const;

    void advance(Situation &situation, Silent *silent = nullptr) const;
    void settle(Situation &situation, Silent *silent) const;
    bool comesTrue(Situation &situation, int interval) const;
    bool comesTrue(Situation &situation, const AskedThen &asked, int request) const;
    bool shows(const World &world, const Observation &observation) const;
    bool stands(const Situation &situation, const Observation &observation) const;
    bool isCurrent(const Situation &situation, int etag) const;
    const quint64 *stampOf(const Situation &situation, int etag) const;
    bool isLeft(const Situation &situation, int interval) const;
    bool isHopeless(const Situation &situation) const;

    std::vector<Child> children(const Situation &situation) const;
    void submit(const Situation &situation, int interval, std::vector<Child> &out) const;
    void see(const Situation &situation, int interval, std::vector<Child> &out) const;
    void leaveOut(const Situation &situation, std::vector<Child> &out) const;
    void goOn(const Situation &situation, std::vector<Child> &out) const;
    void play(const Situation &situation, const Event &event, std::vector<Child> &out) const;
    std::vector<std::pair<SharedRequest, int>> spellings(
        const Situation &situation, int request) const;
    SharedRequest spelled(int request, const QString &ifMatch, const QString &ifNoneMatch) const;
    bool isAnswered(const Situation &situation, const AskedThen &asked, const Record &record,
        const Request *request) const;
    void follow(Situation &situation, const Record &record) const;
    void forget(Situation &situation) const;
    bool isWatched(int request) const;
    double now(const Situation &situation) const;
    double lastClose(const Situation &situation) const;
    QString words(const World &before, const Child &child) const;
    Moment momentOf(const Situation &before, const Child &child) const;
    Situation replayed(const Visit &visit) const;

    void key(const Situation &situation, QByteArray &out) const;
    void add(Situation situation);
    qint64 score(const Situation &situation) const;

    const Rules &m_rules;
    const History &m_history;
    Memory m_memory;
    std::vector<Interval> m_intervals; ///< requests, then observations
    std::vector<Endpoint> m_endpoints;
    std::vector<Etag> m_etags;
    std::vector<std::vector<int>> m_statuses;      ///< request -> intervals that say how it stands
    std::vector<bool> m_isShared;                  ///< request -> another one has its request id
    mutable std::vector<SharedRequest> m_requests; ///< as it was asked, then other spellings
    mutable QHash<const Request *, int> m_requestOf;
    mutable QHash<QString, SharedRequest> m_spellings;
    mutable WorldKeyWriter m_writer;
    bool m_hasClocks = false;

    KeySet m_keys;
    std::vector<Node> m_nodes;
    std::priority_queue<Waiting> m_queue;
    QHash<quint32, Situation> m_open; ///< node -> what is to be looked at
    qint64 m_worlds = 0;
    qsizetype m_explained = 0;
    quint32 m_goal = NoNode;
};

} // namespace instar
