// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/explore/search.h"

#include <span>

namespace instar {

/// An etag that no resource has.
inline constexpr QStringView NoEtag = u"\"no\"";
/// Returns an etag without weakness and quotes, because documents and headers write them
/// differently: W/"1", "1" and 1.
QString bareEtag(const QString &tag);

/// Move generator for linearizability checks of a history, in time order with Lowe's just-in-time
/// rule: its moves are requests, etag bindings and unobserved events.
///
/// Events are delayed until an interval closes whose request or observation is not explained yet,
/// so irrelevant events are never tried. Intervals that can be explained without changing the world
/// are explained at once. Rules and history must outlive it.
class Linearizer
{
public:
    enum class Telling {
        Whole,   ///< the history is complete
        Growing, ///< the history is appended as it happens; nothing is assumed about its future
    };
    Linearizer(const Rules &rules, const History &history, Telling telling = Telling::Whole);

    /// Status of a request that may still be observed.
    struct Fate
    {
        int request = 0;
        quint32 serial = 0;
        Status status = Status::InProgress; ///< also while it waits
        QString code;                       ///< of a refusal
        bool isOver() const { return status != Status::InProgress; }
    };
    using Bound = std::vector<std::pair<int, quint64>>; ///< (etag, stamp), by etag
    struct Situation
    {
        World world;
        std::vector<int> open;   ///< intervals that have begun, and are not explained
        std::vector<Fate> fates; ///< by request
        Bound etags;             ///< bound so far; the stamp of an outdated one is ~0
        /// Bindings that were possible before but not chosen; pruned later, because choosing them
        /// earlier leads to the same result.
        std::vector<Bound> offered;
        qint64 earliest = 0;  ///< lower bound on the time, ms
        double after = 0;     ///< ms, of the last event
        quint32 position = 0; ///< the next endpoint
        quint32 hidden = 0;   ///< moves since the last passed endpoint
        quint32 hasty = 0;    ///< number of overtaken requests with earlier deadlines
        quint32 node = ~0u;   ///< of a search
    };
    /// Requests that are explained without a change of the world, each with its time (ms).
    using Silent = std::vector<std::pair<int, double>>;
    struct Child
    {
        Situation situation;
        Event event;
        std::vector<std::pair<int, bool>> answers;
        Record record;
        double after = 0;  ///< ms
        Silent silent;     ///< explained after the event
        int interval = -1; ///< of an observation that was made, or a request that was left out
        Bound binds {};    ///< etags that it binds
    };
    /// Begin or end of an interval.
    struct Endpoint
    {
        double time = 0;
        bool closes = false;
        int interval = 0;
    };

    Situation beginning() const;
    const std::vector<Endpoint> &endpoints() const { return m_endpoints; }
    bool isAtEnd(const Situation &one) const { return one.position >= m_endpoints.size(); }
    int requestOf(int interval) const { return m_intervals[size_t(interval)].request; } ///< or -1
    const QSharedPointer<const Request> &request(int number) const
    {
        return m_requests[size_t(number)];
    }

    /// Passes endpoints up to the first one that closes an unexplained interval.
    void advance(Situation &situation, Silent *silent = nullptr) const;
    /// Possible next move: a request, an observation that binds etags, or an event.
    struct Move
    {
        int interval = -1;      ///< of the request or observation
        int binds = -1;         ///< index in Moves::offered
        int event = -1;         ///< index in Moves::events
        bool isLeftOut = false; ///< the request never takes effect
    };
    struct Moves
    {
        std::vector<Move> all;      ///< the most promising first
        std::vector<Bound> offered; ///< possible bindings
        QList<Event> events;
    };
    Moves moves(const Situation &situation) const;
    /// Returns the situations after one move, each advanced as far as possible.
    std::vector<Child> children(
        const Situation &situation, const Moves &moves, size_t number) const;
    std::vector<Child> children(const Situation &situation) const; ///< of all moves
    /// Writes everything that can still matter as a key, but for open intervals that cannot change
    /// the world: these are listed in order in `silent`; a growing history has none. Of two
    /// situations with equal keys, one with a subset of these dominates the other.
    void key(const Situation &situation, QByteArray &out, std::vector<int> *silent) const;
    /// Returns true if a resource shows the observed word. A server may show the states that only
    /// it enters (State::byServer) at any time.
    bool shows(const World &world, const Observation &observation) const;
    /// Returns true if the observed etag is bound and current, or none was observed.
    bool isKnown(const Situation &situation, const Observation &observation) const;

    // Growing: appends to the history, in order of time.
    /// Adds its last request, without an answer.
    void sent(int request);
    /// Closes a request whose answer is now in the history.
    void answered(int request);
    /// Opens its last observation, or the snapshot that begins there; `hasEtag`: etags count.
    void begin(int observation, bool hasEtag = true);
    void end(int observation);
    /// Ignores the etags of open observations.
    void loosen(std::span<Situation> situations);
    /// A request's status will not be observed any more.
    void stopAsking(int request) { m_isAskedFor[size_t(request)] = false; }
    /// Returns true if a situation agrees with the answer that a request has received since.
    bool agrees(const Situation &situation, int request) const;
    /// Binds an observed etag to the resource's stamp in a situation where nothing runs.
    void bind(Situation &situation, const Observation &observation);

private:
    struct Seen
    {
        int observation = -1;
        int etag = -1; ///< index in m_etags
    };
    struct Interval
    {
        double from = 0, to = 0;
        bool closes = true;
        int request = -1;
        bool isSilent = false;     ///< explaining it changes nothing
        std::vector<Seen> seen {}; ///< one, or those of one snapshot
        quint32 position = ~0u;    ///< endpoint at which it opens
    };
    /// Etag of a resource; of a whole history only if it occurs at least twice.
    struct Etag
    {
        QString path, text;
        std::vector<int> seen {};  ///< intervals
        std::vector<int> asked {}; ///< intervals of requests that name it
    };
    using SharedRequest = QSharedPointer<const Request>;

    void makeIntervals();
    void dropName(int request);
    void makeEtags();
    void findKinds();
    int kindOf(int request) const { return m_kinds.empty() ? request : m_kinds[size_t(request)]; }
    void findTwins();
    bool isForestalled(const Situation &situation, int interval) const;
    void addRequest(int request);
    void addStatus(const Observation &seen, int interval);
    void append(double time, bool closes, int interval);
    int etagNumber(const Observation &seen);
    QString etagKey(const QString &path, const QString &tag) const;

    void settle(Situation &situation, Silent *silent) const;
    /// Cache for one world: (kind of request, its refusal's code if it is refused).
    using Refusals = std::vector<std::pair<int, std::optional<QString>>>;
    bool comesTrue(Situation &situation, int interval, Refusals &refusals) const;
    bool comesTrue(
        Situation &situation, const RecordedRequest &asked, int request, Refusals &refusals) const;
    const Observation &statusIn(int interval) const;
    bool stands(const Situation &situation, const Observation &observation) const;
    bool isCurrent(const Situation &situation, int etag) const;
    const quint64 *stampOf(const Situation &situation, int etag) const;
    bool isLeft(const Situation &situation, int interval) const;
    bool isForgotten(const Situation &situation, int request) const;
    bool isHopeless(const Situation &situation) const;

    void submit(const Situation &situation, int interval, std::vector<Child> &out) const;
    Bound bindsOf(const Situation &situation, int interval) const;
    Child without(const Situation &situation, int interval) const;
    Child observed(const Situation &situation, int interval, const Bound &binds) const;
    QList<Event> hidden(const Situation &situation) const;
    void play(const Situation &situation, const Event &event, std::vector<Child> &out) const;
    std::vector<std::pair<SharedRequest, int>> spellings(
        const Situation &situation, int request) const;
    SharedRequest spelled(int request, const QString &ifMatch, const QString &ifNoneMatch) const;
    bool isAnswered(const Situation &situation, const RecordedRequest &asked, const Record &record,
        const Request *request) const;
    void follow(Situation &situation, const Record &record) const;
    void forget(Situation &situation) const;
    bool isRepeated(int request) const;
    bool isWatched(int request) const;
    double now(const Situation &situation) const;
    double lastClose(const Situation &situation) const;

    const Rules &m_rules;
    const History &m_history;
    Telling m_telling;
    std::vector<Interval> m_intervals;
    std::vector<Endpoint> m_endpoints;
    std::vector<Etag> m_etags;
    QSet<std::pair<int, QString>> m_serverWords; ///< machine, word
    QHash<QString, int> m_etagNumbers;           ///< key -> etag
    std::vector<std::vector<int>> m_statuses;    ///< request -> intervals that observe its status
    std::vector<bool> m_isShared;                ///< request -> another one has its request id
    std::vector<bool> m_isAskedFor;              ///< Growing: request -> it may still be polled
    std::vector<int> m_kinds; ///< request -> the first equivalent one; Growing: empty
    /// Request -> equivalent requests with the same answer and statuses that are due before it.
    std::vector<std::vector<int>> m_twins;
    std::vector<int> m_intervalOf;                 ///< request -> its interval
    QHash<int, int> m_observed;                    ///< observation -> its interval
    QHash<QString, int> m_byId;                    ///< id -> request
    QHash<QString, int> m_byRequestId;             ///< request id -> request
    mutable std::vector<SharedRequest> m_requests; ///< by request, as in the history
    mutable QHash<const Request *, int> m_requestOf;
    mutable QHash<QString, SharedRequest> m_spellings;
    mutable WorldKeyWriter m_writer;
    bool m_hasClocks = false; ///< the rules have timers or timeouts, and times are reliable
};

} // namespace instar
