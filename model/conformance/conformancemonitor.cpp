// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/conformancemonitor.h"

#include "model/engine/scenario.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype MostReachable = 300;  ///< states examined by allowed()
constexpr qsizetype MostUsedIds = 10'000; ///< request ids
constexpr qsizetype MostSilent = 4;       ///< unanswered requests per part that may take effect
/// Operations per part whose end was not observed. From this number on, etags are ignored, because
/// they would make too many combinations.
constexpr qsizetype ManyFollowed = 3;
constexpr qsizetype MostFollowed = 6; ///< operations per part whose end was not observed
constexpr double Patience = 10'000;   ///< ms to wait for the observation of an operation's end

bool isFinal(const std::optional<QString> &word)
{
    const auto status = statusNamed(word.value_or(QString()));
    return status && *status != Status::Waiting && *status != Status::InProgress;
}

enum class Then { Expand, Skip, Stop };

/// Visits all distinct configurations that can be reached from those in `waiting`, breadth first.
void visitAll(const LinearizabilityChecker &checker,
    std::vector<LinearizabilityChecker::Configuration> waiting,
    const std::function<Then(LinearizabilityChecker::Configuration &)> &visit)
{
    KeySet keys;
    QByteArray bytes;
    std::vector<int> readOnly; // stays empty
    const bool isAlone = waiting.size() == 1;
    for (size_t next = 0; next < waiting.size(); ++next) {
        LinearizabilityChecker::Configuration one = std::move(waiting[next]);
        if (!isAlone || next > 0) {
            checker.key(one, bytes, &readOnly);
            if (!keys.insert(bytes).second)
                continue;
        }
        const Then then = visit(one);
        if (then == Then::Stop)
            return;
        if (then == Then::Skip)
            continue;
        for (LinearizabilityChecker::Successor &successor : checker.successors(one))
            waiting.push_back(std::move(successor.configuration));
    }
}

} // namespace

/// Group of connected trees.
struct ConformanceMonitor::Part
{
    QStringList trees {};
    std::optional<Why> why = Why::NotSeen; ///< why the trees are lost; absent: they are not
    double since = 0;                      ///< as Lost::since
    quint64 generation = 0;
    History history {};
    std::unique_ptr<LinearizabilityChecker> checker {};
    std::vector<Configuration> worlds {};
    QHash<QString, int> followed {};  ///< request id -> index, while its end may be observed
    QList<RecordedRequest> silent {}; ///< requests without an answer; may still take effect
    bool isTooSilent = false;         ///< too many are silent: the trees are lost for good
    qsizetype restAt = 0;             ///< size of the history at its start
    mutable std::vector<World> reachable {};
    mutable bool isReached = false, isReachedWhole = true;
};

void LiveViolation::blame(const std::variant<RecordedRequest, Observation> &unexplained)
{
    what = unexplained;
    const auto *seen = std::get_if<Observation>(&what);
    at = seen ? seen->to : std::get<RecordedRequest>(what).answered;
    path = seen ? seen->path : std::get<RecordedRequest>(what).request.path;
    for (const RecordedRequest &asked : std::as_const(history.requests)) {
        if (seen && asked.request.id == seen->operation)
            path = asked.request.path;
    }
}

ConformanceMonitor::ConformanceMonitor(const Rules &rules, Bounds bounds)
    : m_rules(rules), m_bounds(bounds), m_treeGroups(rules)
{ }

ConformanceMonitor::~ConformanceMonitor() = default;

// ---- groups of trees

ConformanceMonitor::Part *ConformanceMonitor::partAt(const QString &path)
{
    const QString tree = treeOf(path);
    const int number = m_treeGroups.of(path);
    rearrange();
    std::unique_ptr<Part> &part = m_parts[number];
    if (!part)
        part = std::make_unique<Part>();
    if (Part *&known = m_partOf[tree]; known != part.get()) {
        known = part.get();
        part->trees += tree;
    }
    return part.get();
}

/// Merges parts whose trees were joined.
void ConformanceMonitor::rearrange()
{
    if (m_joins == m_treeGroups.joins())
        return;
    m_joins = m_treeGroups.joins();
    std::map<int, std::vector<std::unique_ptr<Part>>> groups;
    for (auto &[number, part] : m_parts)
        groups[m_treeGroups.of(part->trees.value(0))].push_back(std::move(part));
    m_parts.clear();
    for (auto &[number, parts] : groups) {
        if (parts.size() > 1)
            unite(parts);
        else
            m_parts.insert_or_assign(number, std::move(parts.front()));
    }
}

void ConformanceMonitor::unite(const std::vector<std::unique_ptr<Part>> &parts)
{
    auto whole = std::make_unique<Part>();
    QList<ResourceSpec> resources;
    QList<Observation> etags;
    qint64 earliest = 0;
    bool isAtRest = true;
    std::optional<Why> why;
    for (const auto &part : parts) {
        whole->trees += part->trees;
        whole->silent += part->silent;
        whole->isTooSilent = whole->isTooSilent || part->isTooSilent;
        whole->since = std::max(whole->since, part->since);
        why = why ? why : part->why;
        keepNames(part->history.requests);
        if (part->why || !rests(*part)) {
            isAtRest = false;
            for (const RecordedRequest &asked : std::as_const(part->history.requests))
                whole->since = std::max(whole->since, asked.sent);
            continue;
        }
        earliest = std::max(earliest, part->worlds.front().earliest);
        etags += etagsOf(*part);
        resources += scenarioOf(m_rules, part->worlds.front().world)
                         .resources.value_or(QList<ResourceSpec>());
    }
    whole->trees.removeDuplicates();
    if (isAtRest && !whole->isTooSilent)
        start(*whole, makeWorld(m_rules, resources).world, etags, double(earliest));
    else
        whole->why = why.value_or(Why::Connected);
    for (const QString &tree : std::as_const(whole->trees))
        m_partOf.insert(tree, whole.get());
    const int number = m_treeGroups.of(whole->trees.value(0));
    m_parts.insert_or_assign(number, std::move(whole));
}

/// Returns true if a call is of an unanswered request that may still take effect.
bool ConformanceMonitor::isSilent(const Part &part, int call)
{
    const int request = part.checker->requestOf(call);
    return request >= 0 && std::ranges::any_of(part.silent, [&](const RecordedRequest &asked) {
        return asked.request.id == part.history.requests[request].request.id;
    });
}

/// Returns true if the state is certain, nothing runs, and no observation is open.
bool ConformanceMonitor::rests(const Part &part)
{
    return isIdle(part) && std::ranges::all_of(part.worlds.front().pending, [&](int call) {
        return isSilent(part, call);
    });
}

/// Returns true if the state is certain and nothing runs; an observation may be open.
bool ConformanceMonitor::isIdle(const Part &part)
{
    if (part.why || part.worlds.size() != 1 || !part.followed.isEmpty())
        return false;
    const Configuration &one = part.worlds.front();
    return one.world.running.empty() && one.world.queue.empty()
        && std::ranges::all_of(one.pending,
            [&](int call) { return part.checker->requestOf(call) < 0 || isSilent(part, call); });
}

/// Returns for each resource the last observation whose etag is known to be the current one.
QList<Observation> ConformanceMonitor::etagsOf(const Part &part)
{
    QHash<QString, Observation> last;
    for (const Observation &seen : part.history.observations) {
        if (seen.isOfResource() && !seen.etag.isEmpty()
            && part.checker->isKnown(part.worlds.front(), seen))
            last.insert(seen.path, seen);
    }
    return last.values();
}

/// Remembers the request ids of requests that will be removed from the history.
void ConformanceMonitor::keepNames(const QList<RecordedRequest> &requests)
{
    for (const RecordedRequest &asked : requests) {
        if (!asked.request.requestId.isEmpty() && m_usedIds.size() < MostUsedIds)
            m_usedIds.insert(asked.request.requestId);
    }
}

/// Restarts a part from a known state.
void ConformanceMonitor::start(Part &part, World world, const QList<Observation> &etags, double at)
{
    keepNames(part.history.requests);
    part.why.reset();
    part.generation = ++m_generation;
    part.followed.clear();
    part.history = { .file = u"exchange"_s,
        .pack = m_rules.pack().id,
        .switches = m_rules.switches(),
        .timeless = m_bounds.timeless,
        .resources = scenarioOf(m_rules, world).resources.value_or(QList<ResourceSpec>()),
        .headerLine = 0 };
    part.checker = std::make_unique<LinearizabilityChecker>(
        m_rules, part.history, LinearizabilityChecker::Mode::Live);
    Configuration one { .world = std::move(world), .earliest = qint64(at), .after = at };
    for (const RecordedRequest &asked : std::as_const(part.silent)) {
        part.history.requests += asked;
        part.checker->requestSent(int(part.history.requests.size()) - 1);
        part.checker->stopPolling(int(part.history.requests.size()) - 1);
    }
    for (Observation seen : etags) {
        if (!part.checker->shows(one.world, seen))
            continue;
        seen.from = seen.to = at;
        part.history.observations += seen;
        part.checker->bindEtag(one, seen);
        part.checker->observationBegan(int(part.history.observations.size()) - 1);
        part.checker->observationEnded(int(part.history.observations.size()) - 1);
    }
    part.checker->advance(one);
    part.worlds.clear();
    part.worlds.push_back(std::move(one));
    part.restAt = part.history.size();
    part.isReached = false;
}

void ConformanceMonitor::connect(const ResourceSpec &resource)
{
    m_treeGroups.join(resource);
    rearrange();
}

void ConformanceMonitor::lose(const QString &path, Why why, double at)
{
    lose(*partAt(path), why, at);
}

void ConformanceMonitor::loseAll(Why why, double at)
{
    for (const auto &[number, part] : m_parts)
        lose(*part, part->why.value_or(why), at);
}

void ConformanceMonitor::lose(Part &part, Why why, double at)
{
    keepNames(part.history.requests);
    part = { .trees = part.trees,
        .why = why,
        .since = std::max(part.since, at),
        .silent = part.silent,
        .isTooSilent = part.isTooSilent };
}

QList<ConformanceMonitor::Lost> ConformanceMonitor::lost() const
{
    QList<Lost> result;
    for (const auto &[number, part] : m_parts) {
        if (part->why && !part->isTooSilent)
            result += Lost { part->trees, part->since, *part->why };
    }
    return result;
}

void ConformanceMonitor::goOn(
    const QStringList &trees, const QList<ResourceSpec> &resources, const QList<Observation> &seen)
{
    for (const ResourceSpec &resource : resources)
        m_treeGroups.join(resource);
    Part *part = trees.isEmpty() ? nullptr : partAt(trees.first());
    // The resources may just have joined them with other trees.
    if (!part || !part->why || part->isTooSilent
        || std::ranges::any_of(
            part->trees, [&](const QString &tree) { return !trees.contains(tree); }))
        return;
    start(*part, makeWorld(m_rules, resources).world, seen, part->since);
}

// ---- input

void ConformanceMonitor::sent(const RecordedRequest &asked)
{
    const auto call = std::make_shared<Call>();
    call->isRequest = true;
    call->asked = asked;
    call->asked.answer = RecordedRequest::Answer::Lost;
    m_asked.insert(asked.request.id, call);
    m_events.push({ asked.sent, false, ++m_order, call });
}

void ConformanceMonitor::answered(const RecordedRequest &asked, bool isFollowed)
{
    const std::shared_ptr<Call> call = m_asked.take(asked.request.id);
    if (!call)
        return;
    call->asked.answer = asked.answer;
    call->asked.code = asked.code;
    call->asked.answered = std::max(asked.answered, asked.sent);
    call->asked.line = asked.line;
    call->isFollowed = isFollowed && asked.answer != RecordedRequest::Answer::Refused;
    m_events.push({ call->asked.answered, true, ++m_order, call });
}

void ConformanceMonitor::seen(QList<Observation> snapshot)
{
    const auto call = std::make_shared<Call>();
    call->seen = std::move(snapshot);
    m_events.push({ call->seen.first().from, false, ++m_order, call });
    m_events.push({ call->seen.first().to, true, ++m_order, call });
    for (Observation &one : call->seen)
        one.snapshot = call->seen.size() > 1 ? qint64(m_order) : 0;
}

void ConformanceMonitor::advanceTo(double time)
{
    while (!m_events.empty() && m_events.top().time < time) {
        const CallEvent event = m_events.top();
        m_events.pop();
        take(event);
    }
}

void ConformanceMonitor::take(const CallEvent &event)
{
    Call &call = *event.call;
    if (call.isRequest && !event.isReturn)
        takeSent(call);
    else if (call.isRequest)
        takeAnswer(call);
    else if (!event.isReturn)
        takeObservation(call);
    else
        takeObservationEnd(call);
    if (event.isReturn)
        (call.generation ? m_explained : m_passedOver) += call.isRequest ? 1 : call.seen.size();
    m_answered += event.isReturn && call.isRequest && call.generation;
}

/// Returns the part to which a call was added; null if there is none, or if that part was restarted
/// since.
ConformanceMonitor::Part *ConformanceMonitor::partOf(const Call &call) const
{
    Part *part = call.generation ? m_partOf.value(call.tree) : nullptr;
    return part && part->generation == call.generation ? part : nullptr;
}

void ConformanceMonitor::takeSent(Call &call)
{
    const Request &request = call.asked.request;
    m_treeGroups.join(request);
    Part *part = partAt(request.path);
    if (m_usedIds.contains(request.requestId) && !request.requestId.isEmpty())
        lose(*part, Why::TooLong, call.asked.sent); // it repeats a forgotten request
    if (part->why) {
        keepNames({ call.asked });
        part->since = std::max(part->since, call.asked.sent);
        return;
    }
    // An answer that is known already is processed at its own time.
    RecordedRequest asked = call.asked;
    asked.answer = RecordedRequest::Answer::Lost;
    part->history.requests += asked;
    call.tree = treeOf(request.path);
    call.generation = part->generation;
    call.index = int(part->history.requests.size()) - 1;
    part->followed.insert(request.id, call.index);
    if (part->followed.size() >= ManyFollowed)
        part->checker->ignoreEtags(part->worlds);
    part->checker->requestSent(call.index);
    pass(*part, call, asked.sent);
}

void ConformanceMonitor::takeAnswer(Call &call)
{
    using Answer = RecordedRequest::Answer;
    const bool isSilent = call.asked.answer == Answer::Lost;
    Part *part = partAt(call.asked.request.path);
    if (isSilent) {
        part->silent += call.asked;
        if (part->silent.size() > MostSilent) {
            part->isTooSilent = true;
            lose(*part, Why::TooMany, call.asked.answered);
        }
    }
    if (!partOf(call)) {
        call.generation = 0;
        if (part->why)
            part->since = std::max(part->since, call.asked.answered);
        return;
    }
    if (isSilent) {
        stopFollowing(*part, call.asked.request.id);
        // Drops the configurations in which it has taken effect.
        for (Configuration &one : part->worlds)
            part->checker->advance(one);
        return;
    }
    part->history.requests[call.index] = call.asked;
    part->checker->requestAnswered(call.index);
    std::erase_if(part->worlds,
        [&](const Configuration &one) { return !part->checker->agrees(one, call.index); });
    if (!call.isFollowed)
        stopFollowing(*part, call.asked.request.id);
    pass(*part, call, call.asked.answered);
}

/// An operation's status will not be observed any more.
void ConformanceMonitor::stopFollowing(Part &part, const QString &id)
{
    if (const auto request = part.followed.constFind(id); request != part.followed.cend()) {
        part.checker->stopPolling(*request);
        part.followed.erase(request);
    }
}

void ConformanceMonitor::takeObservation(Call &call)
{
    const Observation &seen = call.seen.first();
    Part *part = nullptr;
    if (seen.isOfResource()) {
        part = partAt(seen.path);
    } else {
        for (const auto &[number, one] : m_parts) {
            if (one->followed.contains(seen.operation))
                part = one.get();
        }
    }
    if (!part || part->why)
        return;
    call.tree = part->trees.first();
    call.generation = part->generation;
    // While nothing runs, an observation of the known state adds nothing.
    const bool isStill = isIdle(*part) && part->silent.isEmpty() && !m_rules.hasTimers();
    if (seen.isOfResource() && isStill
        && std::ranges::all_of(call.seen, [&](const Observation &one) {
               return part->checker->shows(part->worlds.front().world, one)
                   && part->checker->isKnown(part->worlds.front(), one);
           }))
        return;
    call.wasStill = isStill;
    call.before = part->history.requests.size();
    call.index = int(part->history.observations.size());
    part->history.observations += call.seen;
    part->checker->observationBegan(call.index, part->followed.size() < ManyFollowed);
    pass(*part, call, seen.from);
}

void ConformanceMonitor::takeObservationEnd(Call &call)
{
    Part *part = partOf(call);
    if (!part)
        call.generation = 0;
    if (!part || call.index < 0)
        return;
    part->checker->observationEnded(call.index);
    // If nothing ran and nothing was requested during the observation, its etag is current.
    const Observation &seen = call.seen.first();
    if (seen.isOfResource() && call.wasStill && part->worlds.size() == 1
        && part->history.requests.size() == call.before) {
        for (const Observation &one : std::as_const(call.seen))
            part->checker->bindEtag(part->worlds.front(), one);
    }
    if (!seen.isOfResource() && isFinal(seen.word))
        stopFollowing(*part, seen.operation);
    pass(*part, call, seen.to);
}

/// Returns the configurations that explain the history so far with no more events than needed;
/// nothing: there are too many.
std::optional<std::vector<ConformanceMonitor::Configuration>> ConformanceMonitor::explained(
    const Part &part, const std::vector<Configuration> &before) const
{
    std::vector<Configuration> reached;
    qsizetype tried = 0;
    visitAll(*part.checker, before, [&](Configuration &one) {
        const bool isAtEnd = part.checker->isComplete(one);
        if (isAtEnd) {
            one.steps = one.overtaken = 0;
            reached.push_back(std::move(one));
        }
        const bool isTooMuch =
            ++tried > m_bounds.tried || qsizetype(reached.size()) > m_bounds.worlds;
        return isTooMuch ? Then::Stop : isAtEnd ? Then::Skip : Then::Expand;
    });
    if (tried > m_bounds.tried || qsizetype(reached.size()) > m_bounds.worlds)
        return {};
    return reached;
}

/// Keeps the configurations that explain the history so far; none: reports a violation.
void ConformanceMonitor::pass(Part &part, const Call &call, double time)
{
    part.isReached = false;
    std::vector<Configuration> worlds = std::move(part.worlds);
    part.worlds.clear();
    for (Configuration &one : worlds)
        part.checker->advance(one);
    auto reached = explained(part, worlds);
    if (!reached) {
        // Second try without etags, which multiply the configurations.
        part.checker->ignoreEtags(worlds);
        for (Configuration &one : worlds)
            part.checker->advance(one);
        reached = explained(part, worlds);
    }
    if (!reached) {
        lose(part, Why::TooMany, time);
        return;
    }
    if (reached->empty()) {
        LiveViolation unexplained { .at = time, .what = call.asked, .history = part.history };
        if (call.isRequest)
            unexplained.blame(call.asked);
        else
            unexplained.blame(unexpected(part, worlds, call));
        ++m_violationCount;
        m_violations += unexplained;
        if (m_violations.size() > m_bounds.violations)
            m_violations.removeFirst();
        lose(part, Why::Violated, time);
        return;
    }
    part.worlds = *std::move(reached);
    settle(part);
}

/// Returns the first observation of a snapshot that no configuration shows; if there is none, the
/// first one.
const Observation &ConformanceMonitor::unexpected(
    const Part &part, const std::vector<Configuration> &worlds, const Call &call)
{
    const auto odd = std::ranges::find_if(call.seen, [&](const Observation &seen) {
        return seen.isOfResource() && std::ranges::none_of(worlds, [&](const Configuration &one) {
            return part.checker->shows(one.world, seen);
        });
    });
    return odd == call.seen.end() ? call.seen.first() : *odd;
}

/// Restarts a part with a long history once it is at rest.
void ConformanceMonitor::settle(Part &part)
{
    const double now =
        part.checker->callEvents().empty() ? 0 : part.checker->callEvents().back().time;
    // Stops waiting for the ends of old operations.
    while (part.followed.size() > MostFollowed)
        stopFollowing(part, std::ranges::min_element(part.followed).key());
    if (part.history.size() > part.restAt + 64) {
        const QHash<QString, int> followed = part.followed; // stopFollowing() changes it
        for (const auto &[id, request] : followed.asKeyValueRange()) {
            const RecordedRequest &asked = part.history.requests[request];
            if (asked.isClosed() && asked.answered + Patience < now)
                stopFollowing(part, id);
        }
    }
    if (part.history.size() > part.restAt + std::max<qsizetype>(64, part.history.resources.size())
        && rests(part)) {
        const Configuration one = part.worlds.front();
        part.silent.removeIf([&](const RecordedRequest &asked) {
            return std::ranges::none_of(one.pending, [&](int call) {
                return part.history.requests[part.checker->requestOf(call)].request.id
                    == asked.request.id;
            });
        });
        start(part, one.world, etagsOf(part), std::max(double(one.earliest), now));
    } else if (part.history.size() > part.restAt + m_bounds.calls) {
        lose(part, Why::TooLong, now);
    }
}

// ---- results

const std::vector<World> &ConformanceMonitor::reachable(const Part &part) const
{
    if (part.isReached)
        return part.reachable;
    part.isReached = part.isReachedWhole = true;
    part.reachable.clear();
    visitAll(*part.checker, part.worlds, [&](const Configuration &one) {
        part.isReachedWhole = qsizetype(part.reachable.size()) < MostReachable;
        if (!part.isReachedWhole)
            return Then::Stop;
        part.reachable.push_back(one.world);
        return Then::Expand;
    });
    return part.reachable;
}

std::optional<ConformanceMonitor::Allowed> ConformanceMonitor::allowed(const QString &path) const
{
    const Part *part = knownAt(path);
    if (!part || part->why)
        return {};
    Allowed allowed;
    for (const World &world : reachable(*part)) {
        const QString word = wordAt(m_rules, world, path).value_or(QString());
        if (!allowed.words.contains(word))
            allowed.words += word;
    }
    allowed.all = part->isReachedWhole;
    return allowed;
}

std::optional<ConformanceMonitor::Why> ConformanceMonitor::lostWhy(const QString &path) const
{
    const Part *part = knownAt(path);
    return part ? part->why : std::optional(Why::NotSeen);
}

qsizetype ConformanceMonitor::remembered() const
{
    qsizetype count = qsizetype(m_events.size());
    for (const auto &[number, part] : m_parts)
        count += part->history.size();
    return count;
}

} // namespace instar
