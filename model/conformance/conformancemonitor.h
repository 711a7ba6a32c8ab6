// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/linearizabilitychecker.h"
#include "model/engine/treegroups.h"

#include <queue>

#include <map>
#include <memory>

namespace instar {

/// Violation of the rules by a server that is being monitored.
struct LiveViolation
{
    double at = 0; ///< ms: end of the unexplained request or observation
    std::variant<RecordedRequest, Observation> what; ///< the unexplained request or observation
    QString path;                                    ///< of the resource concerned
    /// History of the trees concerned, from a moment when nothing ran up to `what`; input for
    /// verdictOn(), which finds the broken rule and the shortest part that violates the rules.
    History history;

    /// Sets `what`, the path of its resource, and the end of the request or observation as `at`.
    void setCause(const std::variant<RecordedRequest, Observation> &unexplained);
};

/// Conformance monitor of a live server: tracks all states that explain the requests and
/// observations so far, per group of connected trees. If no state is left, the server violates the
/// rules; if too many are left, there is no verdict. In both cases the monitor has lost the trees
/// until resume() sets their state. The rules must outlive the monitor; times are ms on one clock.
class ConformanceMonitor
{
public:
    struct Bounds
    {
        qsizetype worlds = 200;     ///< states kept per group of trees
        qsizetype tried = 4'000;    ///< configurations tried per new request or observation
        qsizetype calls = 2'000;    ///< requests and observations per group since its last rest
        qsizetype violations = 100; ///< violations kept
        bool untimed = false;       ///< the server has another clock (History::untimed)
    };
    ConformanceMonitor(const Rules &rules, Bounds bounds);
    ~ConformanceMonitor();

    /// Joins the tree of a resource with the trees of its references.
    void connect(const ResourceSpec &resource);

    // Input: queued; advanceTo() processes the queue in the order of time.

    /// A client sent a request; the answer is not known yet.
    void sent(const RecordedRequest &recorded);
    /// A request was answered at `recorded.answered` with `recorded.answer`; Lost: the request will
    /// never be answered. `isPolled`: the operation's status may be observed later.
    void answered(const RecordedRequest &recorded, bool isPolled = true);
    void observed(const Observation &observation) { observed(QList { observation }); }
    /// Observations of one tree's resources at the same moment.
    void observed(QList<Observation> snapshot);
    /// Processes the input before `time` (ms). From now on all input must begin at `time` or later.
    void advanceTo(double time);
    qsizetype waiting() const { return qsizetype(m_events.size()); } ///< size of the input queue

    /// Reason why a group of trees is lost.
    enum class Why {
        NotObserved, ///< the state of the trees was never observed
        Violated,    ///< the server violated the rules
        TooMany,     ///< too many states are possible
        TooLong,     ///< the trees have not come to rest for too long
        Connected,   ///< trees were joined while one of them was not at rest
        Unwatched,   ///< the trees were not observed for a while
    };
    struct Lost
    {
        QStringList trees; ///< paths of top-level resources, lower case where case is ignored
        double since = 0;  ///< ms; observations that began earlier are outdated
        Why why = Why::NotObserved;
    };
    QList<Lost> lost() const;
    /// Marks the group of trees of a path as lost.
    void lose(const QString &path, Why why, double at);
    /// Marks all trees as lost; trees that are lost already keep their reason.
    void loseAll(Why why, double at);
    /// Monitors a lost group of trees again, from its resources (all at rest) and observations of
    /// their etags. Does nothing unless `trees` contains the whole group.
    void resume(const QStringList &trees, const QList<ResourceSpec> &resources,
        const QList<Observation> &etags = {});

    /// Words (shown states) that the rules allow a resource to show now.
    struct Allowed
    {
        QStringList words; ///< a null string: the resource may be absent
        bool all = true;   ///< false: there may be more words
        bool operator==(const Allowed &) const = default;
    };
    /// Returns the words allowed for the resource at a path; nothing if its tree is lost.
    std::optional<Allowed> allowed(const QString &path) const;
    std::optional<Why> lostWhy(const QString &path) const; ///< nothing: the tree is not lost
    /// Violations, the newest last; violationCount() counts all, also dropped violations.
    const QList<LiveViolation> &violations() const { return m_violations; }
    qint64 violationCount() const { return m_violationCount; }
    qint64 explained() const { return m_explained; } ///< requests and observations checked
    qint64 answered() const { return m_answered; }   ///< requests checked
    qint64 ignored() const { return m_ignored; }     ///< requests and observations in lost trees
    qsizetype remembered() const;                    ///< requests and observations in memory
    QString treeOf(const QString &path) const { return m_treeGroups.treeOf(path); }

private:
    using Configuration = LinearizabilityChecker::Configuration;
    struct Part; // group of connected trees, with its possible states
    struct Call  // request, or observations at one moment
    {
        bool isRequest = false, isPolled = true;
        RecordedRequest recorded;
        QList<Observation> observations;
        QString tree;                 ///< a tree of the part to which the call was added
        quint64 generation = 0;       ///< of the part when it got the call; 0: not added
        int index = -1;               ///< of the request or first observation in the history
        bool wasIdle = false;         ///< nothing ran in the part when the call began
        qsizetype requestsBefore = 0; ///< number of requests in the part when the call began
    };
    struct CallEvent // begin or end (isReturn) of a call
    {
        double time = 0;
        bool isReturn = false;
        quint64 order = 0; ///< of input, for equal times
        std::shared_ptr<Call> call;
        bool operator<(const CallEvent &other) const // the earliest is on top
        {
            return std::tie(time, isReturn, order)
                > std::tie(other.time, other.isReturn, other.order);
        }
    };

    void process(const CallEvent &event);
    void processRequest(Call &call);
    void processAnswer(Call &call);
    void processObservation(Call &call);
    void processObservationEnd(Call &call);
    Part *partOf(const Call &call) const;
    std::optional<std::vector<Configuration>> explained(
        const Part &part, const std::vector<Configuration> &before) const;
    Part *partAt(const QString &path);
    Part *knownAt(const QString &path) const { return m_partOf.value(treeOf(path)); }
    void rearrange();
    void mergeParts(const std::vector<std::unique_ptr<Part>> &parts);
    void start(Part &part, World world, const QList<Observation> &etags, double at);
    void updateConfigurations(Part &part, const Call &call, double time);
    static const Observation &unexpected(
        const Part &part, const std::vector<Configuration> &configurations, const Call &call);
    void lose(Part &part, Why why, double at);
    void restartIfLong(Part &part);
    void keepIds(const QList<RecordedRequest> &requests);
    static void stopPolling(Part &part, const QString &id);
    static bool isSilent(const Part &part, int call);
    static bool isAtRest(const Part &part);
    static bool isIdle(const Part &part);
    static QList<Observation> etagsOf(const Part &part);
    const std::vector<World> &reachable(const Part &part) const;

    const Rules &m_rules;
    Bounds m_bounds;
    TreeGroups m_treeGroups;
    quint64 m_joins = 0; ///< number of joined trees when m_parts was last updated
    std::map<int, std::unique_ptr<Part>> m_parts; ///< by group number of m_treeGroups
    QHash<QString, Part *> m_partOf;              ///< by tree
    std::priority_queue<CallEvent> m_events;
    QHash<QString, std::shared_ptr<Call>> m_unanswered; ///< not answered so far, by id
    QSet<QString> m_usedIds; ///< request ids that are no longer in any history
    quint64 m_order = 0, m_generation = 0;
    QList<LiveViolation> m_violations;
    qint64 m_violationCount = 0, m_explained = 0, m_answered = 0, m_ignored = 0;
};

} // namespace instar
