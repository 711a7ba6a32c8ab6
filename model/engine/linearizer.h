// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/engine/search.h"

#include <span>

namespace instar {

/// An etag that no resource has.
inline constexpr QStringView NoEtag = u"\"no\"";

/// What may have happened, unseen, at a server of which a history tells: from one situation to the
/// next, in time order and just in time as Lowe has it. What the rules mean is asked of step()
/// alone.
///
/// Whatever happens is put off until an interval closes whose request or observation has not come
/// true yet, so what does not matter is never tried. What comes true without changing the world is
/// taken at once. Rules and history must outlive it.
class Linearizer
{
public:
    enum class Telling {
        Whole,   ///< the history is all there
        Growing, ///< it is told as it happens; what is not known yet is not relied on
    };
    Linearizer(const Rules &rules, const History &history, Telling telling = Telling::Whole);

    /// How a request stands that is still asked about.
    struct Fate
    {
        int request = 0;
        quint32 serial = 0;
        bool isOver = false;
        Status status = Status::InProgress; ///< where it is over
        QString code;                       ///< of a refusal
    };
    using Bound = std::vector<std::pair<int, quint64>>; ///< (etag, stamp), by etag
    struct Situation
    {
        World world;
        std::vector<int> open;   ///< intervals that have begun, and are not explained
        std::vector<Fate> fates; ///< by request
        Bound etags;             ///< stamps of past ones are ~0
        /// Etags that could have been bound together before, and whatever has happened since has
        /// not touched their resources.
        std::vector<Bound> offered;
        qint64 earliest = 0;  ///< ms: it cannot have come sooner
        double after = 0;     ///< ms, of the last event
        quint32 position = 0; ///< the next endpoint
        quint32 hidden = 0;   ///< events since one was passed
        quint32 hasty = 0;    ///< requests that were passed over by others that had more time
        quint32 node = ~0u;   ///< of a search
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
        Bound binds {};    ///< etags that it tells of for the first time
    };
    /// When an interval begins or ends.
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

    /// Passes every endpoint that asks for nothing more.
    void advance(Situation &situation, Silent *silent = nullptr) const;
    /// Something that may happen next: a request, an observation that binds etags, an event.
    struct Move
    {
        int interval = -1;      ///< of the request or observation
        int binds = -1;         ///< which of `offered`
        int event = -1;         ///< which of `events`
        bool isLeftOut = false; ///< the request has never happened
    };
    struct Moves
    {
        std::vector<Move> all;      ///< the most promising first
        std::vector<Bound> offered; ///< etags that could be bound together now
        QList<Event> events;
    };
    Moves moves(const Situation &situation) const;
    /// What one of them leads to; each child has passed what it can.
    std::vector<Child> children(
        const Situation &situation, const Moves &moves, size_t number) const;
    std::vector<Child> children(const Situation &situation) const; ///< of all moves
    /// Everything that can still matter, as bytes.
    void key(const Situation &situation, QByteArray &out) const;
    /// The same without what is open and comes true without changing anything, which is told apart,
    /// in order: of two situations with the same key the one with fewer of these explains whatever
    /// the other one explains.
    void key(const Situation &situation, QByteArray &out, std::vector<int> *silent) const;
    /// "submit r1", "end r1 succeeded", "begin r1", "fire /a/b".
    QString words(const World &before, const Child &child) const;
    /// Whether a resource shows what was seen. A server may show the states that only it enters
    /// (State::byServer) at any time.
    bool shows(const World &world, const Observation &observation) const;
    /// Whether the etag that was seen of a resource is known, and the resource's.
    bool isKnown(const Situation &situation, const Observation &observation) const;

    // Growing: the history has more at its end. In order of time.
    /// Its last request, of which no answer is known.
    void sent(int request);
    /// The history knows the answer now.
    void answered(int request);
    /// Its last observation, or all of its last snapshot from there on; etags are looked at, or
    /// not.
    void begin(int observation, bool hasEtag = true);
    void end(int observation);
    /// What has been seen there and is not explained yet need not have had its etag.
    void loosen(std::span<Situation> situations);
    /// Nobody asks any more how it stands.
    void stopAsking(int request) { m_isAskedFor[size_t(request)] = false; }
    /// Whether a situation that was reached before agrees with the answer that a request has got.
    bool agrees(const Situation &situation, int request) const;
    /// The etag that was seen is the resource's in a situation in which nothing goes on.
    void bind(Situation &situation, const Observation &observation);

private:
    struct Seen
    {
        int observation = -1;
        int etag = -1; ///< which of m_etags it shows
    };
    struct Interval
    {
        double from = 0, to = 0;
        bool closes = true;
        int request = -1;
        bool isSilent = false;     ///< it changes nothing when it comes true
        std::vector<Seen> seen {}; ///< one, or those of one snapshot
        quint32 position = ~0u;    ///< where it opens
    };
    /// One etag of one resource that is told more than once.
    struct Etag
    {
        QString path, text;
        std::vector<int> seen {};  ///< intervals
        std::vector<int> asked {}; ///< intervals of requests that name it
    };
    class Anybody;
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
    /// In one world: kind of request -> the code that it is refused with, if it is.
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
    std::vector<std::vector<int>> m_statuses;    ///< request -> intervals that say how it stands
    std::vector<bool> m_isShared;                ///< request -> another one has its request id
    std::vector<bool> m_isAskedFor;              ///< Growing: request -> it may be asked about
    std::vector<int> m_kinds; ///< request -> the first that asks for the same; Growing: none
    /// Request -> those that ask for the same, were answered and seen in the same way, and are due
    /// before it.
    std::vector<std::vector<int>> m_twins;
    std::vector<int> m_intervalOf;                 ///< request -> its interval
    QHash<int, int> m_observed;                    ///< observation -> its interval
    QHash<QString, int> m_byId;                    ///< id -> request
    QHash<QString, int> m_byRequestId;             ///< request id -> request
    mutable std::vector<SharedRequest> m_requests; ///< as it was asked, then other spellings
    mutable QHash<const Request *, int> m_requestOf;
    mutable QHash<QString, SharedRequest> m_spellings;
    mutable WorldKeyWriter m_writer;
    bool m_hasClocks = false; ///< and they are relied on
};

} // namespace instar
