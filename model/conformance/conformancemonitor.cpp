// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/conformancemonitor.h"

#include "model/engine/scenario.h"

namespace instar {

namespace {

constexpr qsizetype MostReachable = 300;  ///< most states examined by allowed()
constexpr qsizetype MostUsedIds = 10'000; ///< most request ids remembered
constexpr qsizetype MostSilent = 4;       ///< most requests of a part that stay without an answer
constexpr qsizetype ManyPolled = 3;       ///< etags are ignored if a part polls so many operations
constexpr qsizetype MostPolled = 6;       ///< most operations of a part that are polled
constexpr double Patience = 10'000;       ///< ms to wait for the observation of an operation's end
constexpr qsizetype LongHistory = 64;     ///< number of calls after which a part may be restarted

/// Result of a visitor: visitAll() visits the successors, skips them, or stops the traversal.
enum class Then { Expand, Skip, Stop };

/// Visits all distinct configurations that can be reached from those in `waiting`, breadth first.
void visitAll(const LinearizabilityChecker &checker,
    std::vector<LinearizabilityChecker::Configuration> waiting,
    const std::function<Then(LinearizabilityChecker::Configuration &)> &visit)
{
    KeySet keys;
    QByteArray bytes;
    std::vector<int> readOnly;                    // a live history has no read-only calls
    const bool startsAtOne = waiting.size() == 1; // a single start needs no key
    for (size_t next = 0; next < waiting.size(); ++next) {
        LinearizabilityChecker::Configuration one = std::move(waiting[next]);
        if (!startsAtOne || next > 0) {
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

struct ConformanceMonitor::Part
{
    QStringList trees {};
    std::optional<Why> why = Why::NotObserved; ///< why the trees are not followed; absent: they are
    double since = 0;                          ///< as Lost::since
    quint64 generation = 0;
    History history {};
    std::unique_ptr<LinearizabilityChecker> checker {};
    std::vector<Configuration> configurations {};
    QHash<QString, int> polled {};    ///< id -> index of requests whose end may be observed
    QList<RecordedRequest> silent {}; ///< will never be answered, but may still take effect
    bool isTooSilent = false;         ///< too many silent requests: the trees are lost for good
    qsizetype baseSize = 0;           ///< size of the history when the part was last (re)started
    mutable std::vector<World> reachable {};
    mutable bool isReachableKnown = false, isReachableComplete = true;
};

void LiveViolation::setCause(const std::variant<RecordedRequest, Observation> &unexplained)
{
    what = unexplained;
    const auto *observation = std::get_if<Observation>(&what);
    const double end = observation ? observation->to : std::get<RecordedRequest>(what).answered;
    if (end > 0) // 0: a request without an answer
        at = std::min(at, end);
    path = observation ? observation->path : std::get<RecordedRequest>(what).request.path;
    for (const RecordedRequest &recorded : std::as_const(history.requests)) {
        if (observation && recorded.request.id == observation->operation)
            path = recorded.request.path;
    }
}

ConformanceMonitor::ConformanceMonitor(const Rules &rules, Bounds bounds)
    : m_rules(rules), m_bounds(bounds), m_treeGroups(rules)
{ }

ConformanceMonitor::~ConformanceMonitor() = default;

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
            mergeParts(parts);
        else
            m_parts.insert_or_assign(number, std::move(parts.front()));
    }
}

void ConformanceMonitor::mergeParts(const std::vector<std::unique_ptr<Part>> &parts)
{
    auto merged = std::make_unique<Part>();
    QList<ResourceSpec> resources;
    QList<Observation> etags;
    qint64 earliest = 0;
    bool areAllAtRest = true;
    std::optional<Why> why;
    for (const auto &part : parts) {
        merged->trees += part->trees;
        merged->silent += part->silent;
        merged->isTooSilent = merged->isTooSilent || part->isTooSilent;
        merged->since = std::max(merged->since, part->since);
        why = why ? why : part->why;
        keepIds(part->history.requests);
        if (!isAtRest(*part)) {
            areAllAtRest = false;
            for (const RecordedRequest &recorded : std::as_const(part->history.requests))
                merged->since = std::max(merged->since, recorded.sent);
            continue;
        }
        earliest = std::max(earliest, part->configurations.front().earliest);
        etags += etagsOf(*part);
        resources += scenarioOf(m_rules, part->configurations.front().world)
                         .resources.value_or(QList<ResourceSpec>());
    }
    merged->trees.removeDuplicates();
    if (areAllAtRest && !merged->isTooSilent)
        start(*merged, makeWorld(m_rules, resources).world, etags, double(earliest));
    else
        merged->why = why.value_or(Why::Connected);
    for (const QString &tree : std::as_const(merged->trees))
        m_partOf.insert(tree, merged.get());
    const int number = m_treeGroups.of(merged->trees.value(0));
    m_parts.insert_or_assign(number, std::move(merged));
}

/// Returns true if a call is a request without an answer that may still take effect.
bool ConformanceMonitor::isSilent(const Part &part, int call)
{
    const int request = part.checker->requestOf(call);
    return request >= 0 && std::ranges::any_of(part.silent, [&](const RecordedRequest &recorded) {
        return recorded.request.id == part.history.requests[request].request.id;
    });
}

/// Returns true if only one state is possible, nothing runs, and no observation is open.
bool ConformanceMonitor::isAtRest(const Part &part)
{
    return isIdle(part) && std::ranges::all_of(part.configurations.front().pending, [&](int call) {
        return isSilent(part, call);
    });
}

/// Returns true if only one state is possible and nothing runs; an observation may be open.
bool ConformanceMonitor::isIdle(const Part &part)
{
    if (part.configurations.size() != 1 || !part.polled.isEmpty())
        return false;
    const Configuration &one = part.configurations.front();
    return one.world.running.empty() && one.world.queue.empty()
        && std::ranges::all_of(one.pending,
            [&](int call) { return part.checker->requestOf(call) < 0 || isSilent(part, call); });
}

/// Returns for each resource the last observation whose etag is known to be the current one.
QList<Observation> ConformanceMonitor::etagsOf(const Part &part)
{
    QHash<QString, Observation> last;
    for (const Observation &observation : part.history.observations) {
        if (observation.isOfResource() && !observation.etag.isEmpty()
            && part.checker->isKnown(part.configurations.front(), observation))
            last.insert(observation.path, observation);
    }
    return last.values();
}

/// Remembers the request ids of requests that will be removed from the history.
void ConformanceMonitor::keepIds(const QList<RecordedRequest> &requests)
{
    for (const RecordedRequest &recorded : requests) {
        if (!recorded.request.requestId.isEmpty() && m_usedIds.size() < MostUsedIds)
            m_usedIds.insert(recorded.request.requestId);
    }
}

void ConformanceMonitor::start(Part &part, World world, const QList<Observation> &etags, double at)
{
    keepIds(part.history.requests);
    part.why.reset();
    part.generation = ++m_generation;
    part.polled.clear();
    part.history = { .file = u"exchange"_s,
        .pack = m_rules.pack().id,
        .switches = m_rules.switches(),
        .untimed = m_bounds.untimed,
        .resources = scenarioOf(m_rules, world).resources.value_or(QList<ResourceSpec>()),
        .headerLine = 0 };
    part.checker = std::make_unique<LinearizabilityChecker>(
        m_rules, part.history, LinearizabilityChecker::Mode::Live);
    Configuration one { .world = std::move(world), .earliest = qint64(at), .after = at };
    for (const RecordedRequest &recorded : std::as_const(part.silent)) {
        part.history.requests += recorded;
        part.checker->requestSent(int(part.history.requests.size()) - 1);
        part.checker->stopPolling(int(part.history.requests.size()) - 1);
    }
    for (Observation observation : etags) {
        if (!part.checker->shows(one.world, observation))
            continue;
        observation.from = observation.to = at;
        part.history.observations += observation;
        part.checker->bindEtag(one, observation);
        part.checker->observationBegan(int(part.history.observations.size()) - 1);
        part.checker->observationEnded(int(part.history.observations.size()) - 1);
    }
    part.checker->advance(one);
    part.configurations.clear();
    part.configurations.push_back(std::move(one));
    part.baseSize = part.history.size();
    part.isReachableKnown = false;
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
    keepIds(part.history.requests);
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

void ConformanceMonitor::resume(
    const QStringList &trees, const QList<ResourceSpec> &resources, const QList<Observation> &etags)
{
    for (const ResourceSpec &resource : resources)
        m_treeGroups.join(resource);
    Part *part = trees.isEmpty() ? nullptr : partAt(trees.first());
    // References of the resources may just have joined `trees` with other trees.
    if (!part || !part->why || part->isTooSilent
        || std::ranges::any_of(
            part->trees, [&](const QString &tree) { return !trees.contains(tree); }))
        return;
    start(*part, makeWorld(m_rules, resources).world, etags, part->since);
}

void ConformanceMonitor::sent(const RecordedRequest &recorded)
{
    const auto call = std::make_shared<Call>();
    call->isRequest = true;
    call->recorded = recorded;
    call->recorded.answer = RecordedRequest::Answer::Lost;
    m_unanswered.insert(recorded.request.id, call);
    m_events.push({ recorded.sent, false, ++m_order, call });
}

void ConformanceMonitor::answered(const RecordedRequest &recorded, bool isPolled)
{
    const std::shared_ptr<Call> call = m_unanswered.take(recorded.request.id);
    if (!call)
        return;
    call->recorded.answer = recorded.answer;
    call->recorded.code = recorded.code;
    call->recorded.answered = std::max(recorded.answered, recorded.sent);
    call->recorded.line = recorded.line;
    call->isPolled = isPolled && recorded.answer != RecordedRequest::Answer::Refused;
    m_events.push({ call->recorded.answered, true, ++m_order, call });
}

void ConformanceMonitor::observed(QList<Observation> snapshot)
{
    const auto call = std::make_shared<Call>();
    call->observations = std::move(snapshot);
    m_events.push({ call->observations.first().from, false, ++m_order, call });
    m_events.push({ call->observations.first().to, true, ++m_order, call });
    for (Observation &one : call->observations)
        one.snapshot = call->observations.size() > 1 ? qint64(m_order) : 0;
}

void ConformanceMonitor::advanceTo(double time)
{
    while (!m_events.empty() && m_events.top().time < time) {
        const CallEvent event = m_events.top();
        m_events.pop();
        process(event);
    }
}

void ConformanceMonitor::process(const CallEvent &event)
{
    Call &call = *event.call;
    if (call.isRequest && !event.isReturn)
        processRequest(call);
    else if (call.isRequest)
        processAnswer(call);
    else if (!event.isReturn)
        processObservation(call);
    else
        processObservationEnd(call);
    if (event.isReturn)
        (call.generation ? m_explained : m_ignored) +=
            call.isRequest ? 1 : call.observations.size();
    m_answered += event.isReturn && call.isRequest && call.generation;
}

/// Returns the part to which a call was added; null: not added, or the part was restarted since.
ConformanceMonitor::Part *ConformanceMonitor::partOf(const Call &call) const
{
    Part *part = call.generation ? m_partOf.value(call.tree) : nullptr;
    return part && part->generation == call.generation ? part : nullptr;
}

void ConformanceMonitor::processRequest(Call &call)
{
    const Request &request = call.recorded.request;
    m_treeGroups.join(request);
    Part *part = partAt(request.path);
    if (m_usedIds.contains(request.requestId) && !request.requestId.isEmpty())
        lose(*part, Why::TooLong, call.recorded.sent); // the first answer to this id is forgotten
    if (part->why) {
        keepIds({ call.recorded });
        part->since = std::max(part->since, call.recorded.sent);
        return;
    }
    // The answer may be known already; processAnswer() adds it at its own time.
    RecordedRequest recorded = call.recorded;
    recorded.answer = RecordedRequest::Answer::Lost;
    part->history.requests += recorded;
    call.tree = treeOf(request.path);
    call.generation = part->generation;
    call.index = int(part->history.requests.size()) - 1;
    part->polled.insert(request.id, call.index);
    if (part->polled.size() >= ManyPolled)
        part->checker->ignoreEtags(part->configurations);
    part->checker->requestSent(call.index);
    updateConfigurations(*part, call, recorded.sent);
}

void ConformanceMonitor::processAnswer(Call &call)
{
    using Answer = RecordedRequest::Answer;
    const bool isSilent = call.recorded.answer == Answer::Lost;
    Part *part = partAt(call.recorded.request.path);
    if (isSilent) {
        part->silent += call.recorded;
        if (part->silent.size() > MostSilent) {
            part->isTooSilent = true;
            lose(*part, Why::TooMany, call.recorded.answered);
        }
    }
    if (!partOf(call)) {
        call.generation = 0;
        if (part->why)
            part->since = std::max(part->since, call.recorded.answered);
        return;
    }
    if (isSilent) {
        stopPolling(*part, call.recorded.request.id);
        // advance() drops the status of the request from each configuration, since it will not be
        // observed any more.
        for (Configuration &one : part->configurations)
            part->checker->advance(one);
        return;
    }
    part->history.requests[call.index] = call.recorded;
    part->checker->requestAnswered(call.index);
    std::erase_if(part->configurations,
        [&](const Configuration &one) { return !part->checker->agrees(one, call.index); });
    if (!call.isPolled)
        stopPolling(*part, call.recorded.request.id);
    updateConfigurations(*part, call, call.recorded.answered);
}

void ConformanceMonitor::stopPolling(Part &part, const QString &id)
{
    if (const auto request = part.polled.constFind(id); request != part.polled.cend()) {
        part.checker->stopPolling(*request);
        part.polled.erase(request);
    }
}

void ConformanceMonitor::processObservation(Call &call)
{
    const Observation &observation = call.observations.first();
    Part *part = nullptr;
    if (observation.isOfResource()) {
        part = partAt(observation.path);
    } else {
        for (const auto &[number, one] : m_parts) {
            if (one->polled.contains(observation.operation))
                part = one.get();
        }
    }
    if (!part || part->why)
        return;
    call.tree = part->trees.first();
    call.generation = part->generation;
    // An observation of the only possible state of an idle part adds nothing.
    const bool isKnownIdle = isIdle(*part) && part->silent.isEmpty() && !m_rules.hasTimers();
    if (observation.isOfResource() && isKnownIdle
        && std::ranges::all_of(call.observations, [&](const Observation &one) {
               return part->checker->shows(part->configurations.front().world, one)
                   && part->checker->isKnown(part->configurations.front(), one);
           }))
        return;
    call.wasIdle = isKnownIdle;
    call.requestsBefore = part->history.requests.size();
    call.index = int(part->history.observations.size());
    part->history.observations += call.observations;
    part->checker->observationBegan(call.index, part->polled.size() < ManyPolled);
    updateConfigurations(*part, call, observation.from);
}

void ConformanceMonitor::processObservationEnd(Call &call)
{
    Part *part = partOf(call);
    if (!part)
        call.generation = 0;
    if (!part || call.index < 0)
        return;
    part->checker->observationEnded(call.index);
    // The observed etag is current if nothing ran and nothing was requested meanwhile.
    const Observation &observation = call.observations.first();
    if (observation.isOfResource() && call.wasIdle && part->configurations.size() == 1
        && part->history.requests.size() == call.requestsBefore) {
        for (const Observation &one : std::as_const(call.observations))
            part->checker->bindEtag(part->configurations.front(), one);
    }
    const auto status = statusNamed(observation.word.value_or(QString()));
    const bool isOver = status && *status != Status::Waiting && *status != Status::InProgress;
    if (!observation.isOfResource() && isOver)
        stopPolling(*part, observation.operation);
    updateConfigurations(*part, call, observation.to);
}

/// Returns the configurations that explain the history so far; absent: too many.
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

/// Keeps the configurations that explain the history so far. If none does, reports a violation.
void ConformanceMonitor::updateConfigurations(Part &part, const Call &call, double time)
{
    part.isReachableKnown = false;
    std::vector<Configuration> configurations = std::move(part.configurations);
    part.configurations.clear();
    for (Configuration &one : configurations)
        part.checker->advance(one);
    auto reached = explained(part, configurations);
    if (!reached) {
        // Second try without etags, which multiply the configurations.
        part.checker->ignoreEtags(configurations);
        for (Configuration &one : configurations)
            part.checker->advance(one);
        reached = explained(part, configurations);
    }
    if (!reached) {
        lose(part, Why::TooMany, time);
        return;
    }
    if (reached->empty()) {
        LiveViolation unexplained { .at = time, .what = call.recorded, .history = part.history };
        if (call.isRequest)
            unexplained.setCause(call.recorded);
        else
            unexplained.setCause(unexpected(part, configurations, call));
        ++m_violationCount;
        m_violations += unexplained;
        if (m_violations.size() > m_bounds.violations)
            m_violations.removeFirst();
        lose(part, Why::Violated, time);
        return;
    }
    part.configurations = *std::move(reached);
    restartIfLong(part);
}

/// Returns the first observation of a snapshot that no configuration shows, else its first one.
const Observation &ConformanceMonitor::unexpected(
    const Part &part, const std::vector<Configuration> &configurations, const Call &call)
{
    const auto unshown = std::ranges::find_if(call.observations, [&](const Observation &observed) {
        return observed.isOfResource()
            && std::ranges::none_of(configurations,
                [&](const auto &one) { return part.checker->shows(one.world, observed); });
    });
    return unshown == call.observations.end() ? call.observations.first() : *unshown;
}

/// Stops polling a part's old operations; restarts a part with a long history once it is at rest.
void ConformanceMonitor::restartIfLong(Part &part)
{
    const double now =
        part.checker->callEvents().empty() ? 0 : part.checker->callEvents().back().time;
    while (part.polled.size() > MostPolled)
        stopPolling(part, std::ranges::min_element(part.polled).key());
    const qsizetype length = part.history.size() - part.baseSize;
    if (length > LongHistory) {
        const QHash<QString, int> polled = part.polled; // a copy: stopPolling() changes the member
        for (const auto &[id, request] : polled.asKeyValueRange()) {
            const RecordedRequest &recorded = part.history.requests[request];
            if (recorded.isClosed() && recorded.answered + Patience < now)
                stopPolling(part, id);
        }
    }
    if (length > std::max(LongHistory, part.history.resources.size()) && isAtRest(part)) {
        const Configuration one = part.configurations.front();
        part.silent.removeIf([&](const RecordedRequest &recorded) {
            return std::ranges::none_of(one.pending, [&](int call) {
                return part.history.requests[part.checker->requestOf(call)].request.id
                    == recorded.request.id;
            });
        });
        start(part, one.world, etagsOf(part), std::max(double(one.earliest), now));
    } else if (length > m_bounds.calls) {
        lose(part, Why::TooLong, now);
    }
}

const std::vector<World> &ConformanceMonitor::reachable(const Part &part) const
{
    if (part.isReachableKnown)
        return part.reachable;
    part.isReachableKnown = part.isReachableComplete = true;
    part.reachable.clear();
    visitAll(*part.checker, part.configurations, [&](const Configuration &one) {
        part.isReachableComplete = qsizetype(part.reachable.size()) < MostReachable;
        if (!part.isReachableComplete)
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
    allowed.all = part->isReachableComplete;
    return allowed;
}

std::optional<ConformanceMonitor::Why> ConformanceMonitor::lostWhy(const QString &path) const
{
    const Part *part = knownAt(path);
    return part ? part->why : std::optional(Why::NotObserved);
}

qsizetype ConformanceMonitor::remembered() const
{
    qsizetype count = qsizetype(m_events.size());
    for (const auto &[number, part] : m_parts)
        count += part->history.size();
    return count;
}

} // namespace instar
