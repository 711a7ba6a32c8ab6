// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/explore/statespace.h"

#include <span>

namespace instar {

inline constexpr QStringView NoEtag = u"\"no\"";
/// Returns an etag without W/ and quotes: 1 for W/"1" and "1".
QString bareEtag(const QString &tag);

/// Linearizability check of a history after Wing & Gong ("Testing and Verifying Concurrent
/// Objects", 1993): computes the configurations that can follow a given one. HistorySearch uses the
/// checker for complete histories, ConformanceMonitor for live ones.
///
/// A call is a request or an observation, with the interval from its invocation to its return. A
/// call is linearized at the moment of its interval in which it takes effect. Between calls the
/// server acts on its own: work begins and ends, timers fire (internal events).
///
/// - Just-in-time linearization (Lowe, "Testing for linearizability", 2017): a choice is made only
///   when the next event of the history is the return of a call that is still pending.
/// - Calls that do not change the world (observations, refusals) are linearized without a choice as
///   soon as they fit.
/// - Configurations with equal keys are equivalent, so a search can memoize the visited ones.
///
/// Rules and history must outlive the checker.
class LinearizabilityChecker
{
public:
    enum class Mode {
        Complete, ///< the whole history is known
        Live,     ///< calls are added as they happen; nothing is assumed about later ones
    };
    LinearizabilityChecker(const Rules &rules, const History &history, Mode mode = Mode::Complete);

    /// Status of an operation whose request is linearized; clients may still observe the status.
    struct RequestStatus
    {
        int request = 0;
        quint32 serial = 0;                 ///< of the operation
        Status status = Status::InProgress; ///< also while the operation waits
        QString code;                       ///< error code, if the status is Rejected
        bool isOver() const { return status != Status::InProgress; }
    };
    /// Pairs (index of a recorded etag, etag version in the simulated world), sorted.
    using Bindings = std::vector<std::pair<int, quint64>>;
    /// Partial linearization: the world so far, and the calls that are left.
    struct Configuration
    {
        World world;
        std::vector<int> pending;            ///< calls that were invoked and are not linearized
        std::vector<RequestStatus> statuses; ///< by request
        Bindings etags;                      ///< an outdated etag has the version ~0
        /// Bindings that were possible at an earlier step but not chosen. They are not tried again,
        /// because choosing them at that step leads to the same configurations.
        std::vector<Bindings> skipped;
        qint64 earliest = 0;   ///< lower bound on the server's time, ms
        double after = 0;      ///< ms: the last step happened after this time
        quint32 position = 0;  ///< of the next call event
        quint32 steps = 0;     ///< since the last call event
        quint32 overtaken = 0; ///< pairs of requests linearized against the order of returns
        quint32 node = ~0u;    ///< number in a search
    };
    /// Requests that were linearized without a choice, each with its time (ms).
    using Linearized = std::vector<std::pair<int, double>>;
    /// Possible next step of a linearization.
    struct Candidate
    {
        enum class Kind {
            Request,     ///< a pending request takes effect
            Observation, ///< a pending observation or snapshot takes effect, and binds etags
            Internal,    ///< the server acts on its own
            Dropped,     ///< a pending request without a known answer never takes effect
        };
        Kind kind = Kind::Request;
        int call = -1;        ///< -1: Internal
        Bindings bindings {}; ///< only of Observation
        Event event {};       ///< only of Internal
    };
    using Candidates = std::vector<Candidate>;
    /// Configuration after a step.
    struct Successor
    {
        Configuration configuration;
        Event event {}; ///< of kind Wait if the step is an observation or a dropped request
        std::vector<std::pair<int, bool>> answers {}; ///< (index in Rules::labels(), answer)
        Record record {};
        double after = 0;         ///< ms: the event happens after this time
        Linearized linearized {}; ///< requests linearized after the event, without a choice
    };
    /// Invocation or return of a call.
    struct CallEvent
    {
        double time = 0;
        bool isReturn = false;
        int call = 0;
    };

    Configuration initial() const;
    const std::vector<CallEvent> &callEvents() const { return m_callEvents; }
    /// Returns true if every call that has returned is linearized.
    bool isComplete(const Configuration &one) const { return one.position >= m_callEvents.size(); }
    int requestOf(int call) const { return m_calls[size_t(call)].request; } ///< -1: observation
    const QSharedPointer<const Request> &request(int number) const
    {
        return m_requests[size_t(number)];
    }

    /// Linearizes calls without a choice, and passes all call events up to a pending return.
    void advance(Configuration &configuration, Linearized *linearized = nullptr) const;
    /// Returns the possible next steps, the most promising first.
    Candidates candidates(const Configuration &configuration) const;
    /// Returns the configurations after the step `candidates[number]`, each passed to advance().
    std::vector<Successor> successors(
        const Configuration &configuration, const Candidates &candidates, size_t number) const;
    /// Returns the configurations after each of the possible next steps.
    std::vector<Successor> successors(const Configuration &configuration) const;
    /// Writes a configuration's key (all that can still matter) to `out`, and the pending read-only
    /// calls, sorted, to `readOnly` (Live: none). Of two configurations with equal keys, the one
    /// whose read-only calls are a subset explains all that the other explains.
    void key(const Configuration &configuration, QByteArray &out, std::vector<int> *readOnly) const;
    /// Returns true if a resource shows the observed word. A server may show states that only the
    /// server enters (State::byServer) at any time.
    bool shows(const World &world, const Observation &observation) const;
    /// Returns true if the observed etag is bound and current, or none was observed.
    bool isKnown(const Configuration &configuration, const Observation &observation) const;

    // Live mode: calls are added in order of time, after they were added to the history.
    /// Adds the invocation of the history's last request, which has no answer yet.
    void requestSent(int request);
    /// Adds the return of a request whose answer is now in the history.
    void requestAnswered(int request);
    /// Adds the invocation of the history's last observation, or of its last snapshot, which begins
    /// with `observation`. `usesEtags`: false ignores the etags.
    void observationBegan(int observation, bool usesEtags = true);
    void observationEnded(int observation);
    /// Ignores the etags of pending observations.
    void ignoreEtags(std::span<Configuration> configurations);
    /// Declares that a request's status will not be observed any more.
    void stopPolling(int request) { m_mayBePolled[size_t(request)] = false; }
    /// Live: returns true if a configuration's status of a request fits the answer received later.
    bool agrees(const Configuration &configuration, int request) const;
    /// Binds an observed etag to the resource's present etag version; no operation may be running.
    void bindEtag(Configuration &configuration, const Observation &observation);

private:
    struct CallObservation
    {
        int observation = -1; ///< index in the history
        int etag = -1;        ///< index in m_etags; -1: none, or ignored
    };
    struct Call
    {
        double from = 0, to = 0;
        bool returns = true;     ///< false: its return is unknown
        int request = -1;        ///< index in the history; -1: a call of observations
        bool isReadOnly = false; ///< linearizing it does not change the world
        std::vector<CallObservation> observations {}; ///< one, or all of a snapshot
        quint32 invocation = ~0u;                     ///< index in m_callEvents
    };
    /// Etag of a resource; in a complete history only an etag that occurs at least twice.
    struct Etag
    {
        QString path;
        std::vector<int> observations {}; ///< calls that observe the etag
        std::vector<int> requests {};     ///< calls of requests that name the etag
    };
    using SharedRequest = QSharedPointer<const Request>;
    /// Memo for one world: (kind of request, code of its refusal or nothing if accepted).
    using Refusals = std::vector<std::pair<int, std::optional<QString>>>;

    void addCalls();
    void addRequest(int request);
    void addStatus(const Observation &observation, int call);
    void addCallEvent(double time, bool isReturn, int call);
    void addEtags();
    int etagNumber(const Observation &observation);
    QString etagKey(const QString &path, const QString &tag) const;
    void findKinds();
    int kindOf(int request) const { return m_kinds.empty() ? request : m_kinds[size_t(request)]; }
    void findTwins();

    void linearizeReadOnly(Configuration &configuration, Linearized *linearized) const;
    bool fits(const Configuration &configuration, int call, Refusals &refusals) const;
    bool isRefused(const World &world, int request, Refusals &refusals) const;
    bool hasStatus(const Configuration &configuration, const Observation &observation) const;
    const Observation &statusIn(int call) const;
    bool isCurrent(const Configuration &configuration, int etag) const;
    const quint64 *stampOf(const Configuration &configuration, int etag) const;
    bool isLeft(const Configuration &configuration, int call) const;
    bool isDeadEnd(const Configuration &configuration) const;
    void forgetUnneeded(Configuration &configuration) const;

    Bindings bindingsOf(const Configuration &configuration, int call) const;
    QList<Event> internalEvents(const Configuration &configuration) const;
    Successor without(const Configuration &configuration, int call) const;
    Successor afterObservation(
        const Configuration &configuration, int call, const Bindings &bindings) const;
    void addRequested(
        const Configuration &configuration, int call, std::vector<Successor> &out) const;
    void addStepped(
        const Configuration &configuration, const Event &event, std::vector<Successor> &out) const;
    std::vector<std::pair<SharedRequest, int>> withEngineEtags(
        const Configuration &configuration, int request) const;
    bool isAnsweredLike(const Configuration &configuration, const RecordedRequest &recorded,
        const Record &record, const Request *request) const;
    bool hasNoEffect(const World &world, const Event &event, const Record &record) const;
    void updateStatuses(Configuration &configuration, const Record &record) const;
    bool isRepeated(int request) const;
    bool isWatched(int request) const;
    double lastReturn(const Configuration &configuration) const;

    const Rules &m_rules;
    const History &m_history;
    Mode m_mode;
    std::vector<Call> m_calls;
    std::vector<CallEvent> m_callEvents; ///< in order of time
    std::vector<Etag> m_etags;
    QSet<std::pair<int, QString>> m_serverWords; ///< (machine, word of a server-only state)
    QHash<QString, int> m_etagNumbers;           ///< etagKey() -> index in m_etags
    std::vector<std::vector<int>> m_polls;       ///< request -> calls that observe its status
    std::vector<bool> m_mayBePolled;             ///< Live: request -> its status is still polled
    std::vector<int> m_kinds; ///< request -> the first equivalent one; Live: empty
    /// Request -> equivalent requests, equal also in answer and statuses, that return no later.
    std::vector<std::vector<int>> m_twins;
    std::vector<int> m_callOf;                       ///< request -> its call
    QHash<int, int> m_callOfObservation;             ///< Live: first observation -> its call
    QHash<QString, int> m_byId;                      ///< id -> request
    QHash<QString, int> m_usesOfId;                  ///< Complete: request id -> number of requests
    std::vector<SharedRequest> m_requests;           ///< index as in History::requests
    mutable QHash<const Request *, int> m_requestOf; ///< request, or copy in m_withEtags -> index
    mutable QHash<QString, SharedRequest> m_withEtags; ///< cache: requests with the engine's etags
    mutable WorldKeyWriter m_writer;
    bool m_hasClocks = false; ///< the rules have timers or timeouts, and times are reliable
};

} // namespace instar
