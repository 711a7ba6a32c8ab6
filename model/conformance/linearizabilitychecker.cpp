// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/linearizabilitychecker.h"

#include "model/engine/clock.h"
#include "model/engine/operationlog.h"
#include "model/explore/script.h"

#include <climits>
#include <cmath>
#include <ranges>

namespace instar {

using Checker = LinearizabilityChecker;

namespace {

constexpr quint64 Outdated = ~quint64(0);

QStringList tagsOf(const QString &header)
{
    auto tags = mapped<QStringList>(
        header.split(u',', Qt::SkipEmptyParts), [](const QString &tag) { return tag.trimmed(); });
    tags.removeAll(u"*"_s);
    return tags;
}

QStringList tagsOf(const Request &request)
{
    return tagsOf(request.ifMatch) + tagsOf(request.ifNoneMatch);
}

qint64 wholeMs(double ms)
{
    return qint64(std::floor(std::clamp(ms, 0.0, double(qint64(1) << 53))));
}

void appendBytes(auto number, QByteArray &out)
{
    out.append(reinterpret_cast<const char *>(&number), sizeof number);
}

bool isIn(const std::vector<int> &list, int number)
{
    return std::ranges::find(list, number) != list.end();
}

/// Returns true if a request was refused and neither etags nor a request id can be the cause.
bool isSurelyRefused(const RecordedRequest &recorded, const Request &request)
{
    return recorded.answer == RecordedRequest::Answer::Refused && request.requestId.isEmpty()
        && request.ifMatch.isEmpty() && request.ifNoneMatch.isEmpty();
}

} // namespace

QString bareEtag(const QString &tag)
{
    QStringView bare = QStringView(tag).trimmed();
    if (bare.startsWith("W/"_L1))
        bare = bare.sliced(2);
    if (bare.size() > 1 && bare.startsWith(u'"') && bare.endsWith(u'"'))
        bare = bare.sliced(1).chopped(1);
    return bare.toString();
}

LinearizabilityChecker::LinearizabilityChecker(
    const Rules &rules, const History &history, Mode mode)
    : m_rules(rules), m_history(history), m_mode(mode), m_writer(rules)
{
    m_hasClocks = !history.untimed && hasClocks(rules);
    for (int i = 0; i < int(rules.machines().size()); ++i) {
        for (const State &row : rules.pack().machine(rules.machine(i).id)->states) {
            if (row.byServer && rules.applies(row))
                m_serverWords.insert({ i, row.as.isEmpty() ? row.id : row.as });
        }
    }
    if (mode == Mode::Live)
        return;
    addCalls();
    addEtags();
    findKinds();
    if (!m_hasClocks)
        findTwins();
}

void Checker::addCalls()
{
    for (const RecordedRequest &recorded : m_history.requests)
        ++m_usesOfId[recorded.request.requestId];
    for (int i = 0; i < int(m_history.requests.size()); ++i)
        addRequest(i);
    QHash<qint64, size_t> snapshots; // -> call
    for (int i = 0; i < int(m_history.observations.size()); ++i) {
        const Observation &observation = m_history.observations[i];
        if (!observation.isOfResource()) {
            addStatus(observation, int(m_calls.size()));
        } else if (observation.snapshot > 0) {
            const auto known = snapshots.constFind(observation.snapshot);
            if (known != snapshots.constEnd()) {
                m_calls[*known].observations.push_back({ .observation = i });
                continue;
            }
            snapshots.insert(observation.snapshot, m_calls.size());
        }
        m_calls.push_back({ .from = observation.from,
            .to = observation.to,
            .isReadOnly = true,
            .observations = { { .observation = i } } });
    }
    for (int request = 0; request < int(m_history.requests.size()); ++request) {
        if (isWatched(request))
            m_writer.mark(m_requests[size_t(request)].get(), request);
    }
    std::vector<CallEvent> events;
    for (int i = 0; i < int(m_calls.size()); ++i) {
        events.push_back({ m_calls[size_t(i)].from, false, i });
        if (m_calls[size_t(i)].returns)
            events.push_back({ m_calls[size_t(i)].to, true, i });
    }
    // At equal times invocations come first: touching intervals overlap.
    std::ranges::sort(events, [](const CallEvent &a, const CallEvent &b) {
        return std::tie(a.time, a.isReturn, a.call) < std::tie(b.time, b.isReturn, b.call);
    });
    for (const CallEvent &one : events)
        addCallEvent(one.time, one.isReturn, one.call);
}

void Checker::addRequest(int request)
{
    const RecordedRequest &recorded = m_history.requests[request];
    Request own = recorded.request;
    if (!isRepeated(request)) // a request id without repetition has no effect
        own.requestId.clear();
    m_callOf.push_back(int(m_calls.size()));
    m_calls.push_back({ .from = recorded.sent,
        .to = recorded.answered,
        .returns = m_mode == Mode::Complete && recorded.isClosed(),
        .request = request,
        .isReadOnly = isSurelyRefused(recorded, own) });
    m_byId.insert(own.id, request);
    m_polls.emplace_back();
    m_mayBePolled.push_back(m_mode == Mode::Live);
    m_requests.push_back(SharedRequest::create(std::move(own)));
    m_requestOf.insert(m_requests.back().get(), request);
}

/// Registers a call that observes a request's status. If the history lacks the request, the call
/// can never be linearized.
void Checker::addStatus(const Observation &observation, int call)
{
    const auto request = m_byId.constFind(observation.operation);
    if (request != m_byId.cend())
        m_polls[size_t(*request)].push_back(call);
}

void Checker::addCallEvent(double time, bool isReturn, int call)
{
    if (!isReturn)
        m_calls[size_t(call)].invocation = quint32(m_callEvents.size());
    m_callEvents.push_back({ time, isReturn, call });
}

QString Checker::etagKey(const QString &path, const QString &tag) const
{
    return m_rules.pack().folded(path) + u'\n' + bareEtag(tag);
}

/// Numbers the etags that were observed, and occur at least twice.
void Checker::addEtags()
{
    QHash<QString, int> uses;
    for (const Observation &observation : m_history.observations) {
        if (observation.isOfResource() && !observation.etag.isEmpty())
            ++uses[etagKey(observation.path, observation.etag)];
    }
    for (const RecordedRequest &recorded : m_history.requests) {
        for (const QString &tag : tagsOf(recorded.request))
            ++uses[etagKey(recorded.request.path, tag)];
    }
    for (size_t i = 0; i < m_calls.size(); ++i) {
        for (CallObservation &one : m_calls[i].observations) {
            const Observation &observation = m_history.observations[one.observation];
            if (!observation.isOfResource() || observation.etag.isEmpty()
                || uses.value(etagKey(observation.path, observation.etag)) < 2)
                continue;
            one.etag = etagNumber(observation);
            m_etags[size_t(one.etag)].observations.push_back(int(i));
        }
    }
    for (int request = 0; request < int(m_history.requests.size()); ++request) {
        const Request &named = m_history.requests[request].request;
        for (const QString &tag : tagsOf(named)) {
            const int etag = m_etagNumbers.value(etagKey(named.path, tag), -1);
            if (etag >= 0)
                m_etags[size_t(etag)].requests.push_back(m_callOf[size_t(request)]);
        }
    }
}

int Checker::etagNumber(const Observation &observation)
{
    const QString key = etagKey(observation.path, observation.etag);
    if (!m_etagNumbers.contains(key)) {
        m_etagNumbers.insert(key, int(m_etags.size()));
        m_etags.push_back({ observation.path });
    }
    return m_etagNumbers.value(key);
}

/// Groups requests that differ only in id and client, unless they share a request id.
void Checker::findKinds()
{
    QHash<QString, std::vector<std::pair<Request, int>>> known; // bucketed by a cheap key
    for (int request = 0; request < int(m_requests.size()); ++request) {
        m_kinds.push_back(request);
        if (isRepeated(request))
            continue;
        Request kind = *m_requests[size_t(request)];
        kind.id.clear();
        kind.client.clear();
        auto &alike = known[kind.op + u' ' + kind.path];
        const auto found = std::ranges::find(alike, kind, &std::pair<Request, int>::first);
        if (found == alike.end())
            alike.emplace_back(std::move(kind), request);
        else
            m_kinds.back() = found->second;
    }
}

/// Symmetry reduction: two equivalent requests with the same answer and observed statuses may be
/// swapped in a linearization if both stay within their intervals. So of such pending requests only
/// the one that returns first is tried. Consecutive invocations, or consecutive returns, count as
/// simultaneous, because a step between them may as well happen before the first of them.
void Checker::findTwins()
{
    std::vector<int> invoked(m_calls.size()), returned(m_calls.size(), INT_MAX);
    int block = 0;
    for (size_t i = 0; i < m_callEvents.size(); ++i) {
        const CallEvent &event = m_callEvents[i];
        block += i > 0 && event.isReturn != m_callEvents[i - 1].isReturn ? 1 : 0;
        (event.isReturn ? returned : invoked)[size_t(event.call)] = block;
    }
    const auto polls = [&](int request) {
        std::vector<std::tuple<std::optional<QString>, int, int>> all;
        for (const int call : m_polls[size_t(request)])
            all.emplace_back(statusIn(call).word, invoked[size_t(call)], returned[size_t(call)]);
        std::ranges::sort(all);
        return all;
    };
    const auto invokedAt = [&](int request) { return invoked[size_t(m_callOf[size_t(request)])]; };
    const auto returnedAt = [&](int request) {
        return returned[size_t(m_callOf[size_t(request)])];
    };
    std::vector<int> requests;
    for (int request = 0; request < int(m_requests.size()); ++request) {
        if (!isRepeated(request))
            requests.push_back(request);
    }
    std::ranges::sort(requests, {}, invokedAt);
    m_twins.resize(m_requests.size());
    QHash<QString, std::vector<int>> underWay; // unreturned requests, bucketed by a cheap key
    for (const int request : requests) {
        const RecordedRequest &one = m_history.requests[request];
        std::vector<int> &others = underWay[one.request.op + u' ' + one.request.path];
        std::erase_if(others, [&](int other) { return returnedAt(other) < invokedAt(request); });
        for (const int other : others) {
            const RecordedRequest &two = m_history.requests[other];
            if (one.answer != two.answer || one.code != two.code || one.began != two.began
                || polls(request) != polls(other) || kindOf(request) != kindOf(other))
                continue;
            const bool isFirst = returnedAt(request) < returnedAt(other);
            m_twins[size_t(isFirst ? other : request)].push_back(isFirst ? request : other);
        }
        others.push_back(request);
    }
}

void Checker::requestSent(int request)
{
    addRequest(request);
    m_writer.mark(m_requests[size_t(request)].get(), request);
    addCallEvent(m_history.requests[request].sent, false, m_callOf[size_t(request)]);
}

void Checker::requestAnswered(int request)
{
    const int call = m_callOf[size_t(request)];
    m_calls[size_t(call)].returns = true;
    m_calls[size_t(call)].to = m_history.requests[request].answered;
    addCallEvent(m_calls[size_t(call)].to, true, call);
}

void Checker::observationBegan(int observation, bool usesEtags)
{
    const Observation &first = m_history.observations[observation];
    const auto number = int(m_calls.size());
    m_callOfObservation.insert(observation, number);
    Call call { .from = first.from, .to = first.to };
    if (!first.isOfResource())
        addStatus(first, number);
    for (int i = observation; i < int(m_history.observations.size()); ++i) {
        const Observation &one = m_history.observations[i];
        const bool hasEtag = usesEtags && one.isOfResource() && !one.etag.isEmpty();
        call.observations.push_back({ .observation = i, .etag = hasEtag ? etagNumber(one) : -1 });
        if (hasEtag)
            m_etags[size_t(call.observations.back().etag)].observations.push_back(number);
    }
    m_calls.push_back(std::move(call));
    addCallEvent(first.from, false, number);
}

void Checker::observationEnded(int observation)
{
    addCallEvent(
        m_history.observations[observation].to, true, m_callOfObservation.value(observation));
}

void Checker::ignoreEtags(std::span<Configuration> configurations)
{
    for (const Configuration &configuration : configurations) {
        for (const int call : configuration.pending) {
            for (CallObservation &one : m_calls[size_t(call)].observations) {
                if (one.etag >= 0)
                    std::erase(m_etags[size_t(one.etag)].observations, call);
                one.etag = -1;
            }
        }
    }
    // Allows skipped bindings: without the ignored etags, they may be the right choice.
    for (Configuration &configuration : configurations)
        configuration.skipped.clear();
}

void Checker::bindEtag(Configuration &configuration, const Observation &observation)
{
    const Resource resource = configuration.world.tree.find(observation.path);
    if (observation.etag.isEmpty() || resource == NoResource
        || !shows(configuration.world, observation))
        return;
    const int etag = etagNumber(observation);
    if (stampOf(configuration, etag))
        return;
    configuration.etags.emplace_back(etag, configuration.world.tree.stamp(resource));
    std::ranges::sort(configuration.etags);
}

bool Checker::agrees(const Configuration &configuration, int request) const
{
    const RecordedRequest &recorded = m_history.requests[request];
    const auto own = std::ranges::find(configuration.statuses, request, &RequestStatus::request);
    if (own == configuration.statuses.end() || recorded.answer > RecordedRequest::Answer::Refused)
        return true;
    return own->status == Status::Rejected ? recorded.isRefusedWith(own->code)
                                           : recorded.answer == RecordedRequest::Answer::Accepted;
}

Checker::Configuration Checker::initial() const
{
    Configuration configuration;
    configuration.world = makeWorld(m_rules, m_history.resources).world;
    return configuration;
}

/// Returns the time (ms) of the last return before a configuration; 0: none.
double Checker::lastReturn(const Configuration &configuration) const
{
    for (quint32 i = configuration.position; i-- > 0;) {
        if (m_callEvents[i].isReturn)
            return m_callEvents[i].time;
    }
    return 0;
}

bool Checker::shows(const World &world, const Observation &observation) const
{
    const std::optional<QString> word = wordAt(m_rules, world, observation.path);
    if (word == observation.word || !word || !observation.word)
        return word == observation.word;
    return !m_serverWords.isEmpty()
        && m_serverWords.contains(
            { m_rules.machineForType(typePathOf(observation.path)), *observation.word });
}

bool Checker::hasStatus(const Configuration &configuration, const Observation &observation) const
{
    const int request = m_byId.value(observation.operation, -1);
    const auto own = std::ranges::find(configuration.statuses, request, &RequestStatus::request);
    if (own == configuration.statuses.end()) // forgetUnneeded() may have dropped the status
        return request >= 0 && m_mode == Mode::Complete && !isRepeated(request)
            && !isLeft(configuration, m_callOf[size_t(request)]);
    if (own->isOver())
        return observation.word == statusName(own->status);
    const Running *running = configuration.world.find(own->serial);
    const bool waits = !running || running->phase == Running::Phase::Until;
    // A server may report a waiting operation as in progress.
    return observation.word == statusName(Status::InProgress)
        || (waits && observation.word == statusName(Status::Waiting));
}

const Observation &Checker::statusIn(int call) const
{
    return m_history.observations[m_calls[size_t(call)].observations.front().observation];
}

const quint64 *Checker::stampOf(const Configuration &configuration, int etag) const
{
    const auto bound =
        std::ranges::lower_bound(configuration.etags, etag, {}, &std::pair<int, quint64>::first);
    return bound == configuration.etags.end() || bound->first != etag ? nullptr : &bound->second;
}

bool Checker::isCurrent(const Configuration &configuration, int etag) const
{
    const quint64 *stamp = stampOf(configuration, etag);
    if (!stamp || *stamp == Outdated)
        return false;
    const Resource resource = configuration.world.tree.find(m_etags[size_t(etag)].path);
    return resource != NoResource && configuration.world.tree.stamp(resource) == *stamp;
}

bool Checker::isKnown(const Configuration &configuration, const Observation &observation) const
{
    if (observation.etag.isEmpty())
        return true;
    const auto number = m_etagNumbers.constFind(etagKey(observation.path, observation.etag));
    return number != m_etagNumbers.constEnd() && isCurrent(configuration, *number);
}

bool Checker::isLeft(const Configuration &configuration, int call) const
{
    return m_calls[size_t(call)].invocation >= configuration.position
        || isIn(configuration.pending, call);
}

/// Returns true if another request has, or in a live history may later have, the same request id.
bool Checker::isRepeated(int request) const
{
    const QString &id = m_history.requests[request].request.requestId;
    return !id.isEmpty() && (m_mode == Mode::Live || m_usesOfId.value(id) > 1);
}

/// Returns true if the status of a request can be observed, or be returned to a repetition of it.
bool Checker::isWatched(int request) const
{
    return m_mayBePolled[size_t(request)] || isRepeated(request)
        || !m_polls[size_t(request)].empty();
}

/// Returns true if some observation can never be explained: its etag is outdated, or it shows a
/// final status that differs from the operation's.
bool Checker::isDeadEnd(const Configuration &configuration) const
{
    const auto left = [&](int call) { return isLeft(configuration, call); };
    for (const auto &[etag, stamp] : configuration.etags) {
        if (stamp == Outdated && std::ranges::any_of(m_etags[size_t(etag)].observations, left))
            return true;
    }
    for (const RequestStatus &one : configuration.statuses) {
        if (one.isOver() && std::ranges::any_of(m_polls[size_t(one.request)], [&](int call) {
                return statusIn(call).word != statusName(one.status) && left(call);
            }))
            return true;
    }
    return false;
}

/// Drops etags and statuses that no call needs any more, so that more configurations are equal. In
/// a complete history, also drops a final status if all its remaining observations agree with it.
void Checker::forgetUnneeded(Configuration &configuration) const
{
    const auto left = [&](int call) { return isLeft(configuration, call); };
    const bool isAllKnown = m_mode == Mode::Complete;
    std::erase_if(configuration.etags, [&](const auto &bound) {
        const Etag &etag = m_etags[size_t(bound.first)];
        return isAllKnown && std::ranges::none_of(etag.observations | std::views::reverse, left)
            && std::ranges::none_of(etag.requests | std::views::reverse, left);
    });
    for (auto &[etag, stamp] : configuration.etags) {
        if (!isCurrent(configuration, etag))
            stamp = Outdated;
    }
    std::erase_if(configuration.statuses, [&](const RequestStatus &one) {
        const bool isSure = isAllKnown && one.isOver();
        return !m_mayBePolled[size_t(one.request)] && !isRepeated(one.request)
            && std::ranges::none_of(m_polls[size_t(one.request)], [&](int call) {
                   return left(call) && !(isSure && statusIn(call).word == statusName(one.status));
               });
    });
}

void Checker::advance(Configuration &configuration, Linearized *linearized) const
{
    linearizeReadOnly(configuration, linearized);
    while (!isComplete(configuration)) {
        const CallEvent &event = m_callEvents[configuration.position];
        if (event.isReturn && isIn(configuration.pending, event.call))
            break;
        ++configuration.position;
        if (!event.isReturn) {
            configuration.pending.push_back(event.call);
            linearizeReadOnly(configuration, linearized);
        }
        configuration.steps = 0;
    }
    forgetUnneeded(configuration);
}

void Checker::linearizeReadOnly(Configuration &configuration, Linearized *linearized) const
{
    Refusals refusals; // valid because the world does not change
    for (size_t i = 0; i < configuration.pending.size();) {
        const int call = configuration.pending[i];
        if (!fits(configuration, call, refusals)) {
            ++i;
            continue;
        }
        configuration.pending.erase(configuration.pending.begin() + qsizetype(i));
        const int request = requestOf(call);
        if (request < 0)
            continue;
        configuration.after = std::max(configuration.after, m_calls[size_t(call)].from);
        if (linearized)
            linearized->emplace_back(request, configuration.after);
        if (!isWatched(request))
            continue;
        const auto refusal =
            std::ranges::find(refusals, kindOf(request), &Refusals::value_type::first);
        configuration.statuses.push_back(
            { .request = request, .status = Status::Rejected, .code = *refusal->second });
        std::ranges::sort(configuration.statuses, {}, &RequestStatus::request);
        i = 0; // observations of this status may fit now
    }
}

/// Returns true if a pending call can be linearized without a change of the configuration.
bool Checker::fits(const Configuration &configuration, int call, Refusals &refusals) const
{
    const Call &own = m_calls[size_t(call)];
    if (own.request >= 0)
        return isRefused(configuration.world, own.request, refusals);
    return std::ranges::all_of(own.observations, [&](const CallObservation &one) {
        const Observation &observation = m_history.observations[one.observation];
        if (!observation.isOfResource())
            return hasStatus(configuration, observation);
        return shows(configuration.world, observation)
            && (one.etag < 0 || isCurrent(configuration, one.etag));
    });
}

/// Returns true if a request was refused, and the rules refuse it now with the same code. An
/// accepted request stays pending even if it has no effect now, since it may have one later.
bool Checker::isRefused(const World &world, int request, Refusals &refusals) const
{
    const RecordedRequest &recorded = m_history.requests[request];
    const Request &own = *m_requests[size_t(request)];
    if (!isSurelyRefused(recorded, own))
        return false;
    const int kind = kindOf(request);
    auto known = std::ranges::find(refusals, kind, &Refusals::value_type::first);
    if (known == refusals.end()) {
        const Admission admitted = admission(m_rules, world, own, {}, 0, true);
        known = refusals.emplace(refusals.end(), kind, std::nullopt);
        if (admitted.unanswered.empty() && admitted.verdict == Admission::Verdict::Refused)
            known->second = admitted.code;
    }
    return known->second && recorded.isRefusedWith(*known->second);
}

/// Returns the candidates in this order: bindings of etags; the request that returns next; internal
/// events; other requests by their return; dropping the request that returns next.
Checker::Candidates Checker::candidates(const Configuration &configuration) const
{
    Candidates all;
    std::vector<int> requestCalls;
    const auto isPending = [&](int request) {
        return isIn(configuration.pending, m_callOf[size_t(request)]);
    };
    for (const int call : configuration.pending) {
        if (const int request = requestOf(call); request >= 0) {
            if (m_twins.empty() || std::ranges::none_of(m_twins[size_t(request)], isPending))
                requestCalls.push_back(call);
            continue;
        }
        Bindings bindings = bindingsOf(configuration, call);
        const auto &skipped = configuration.skipped;
        if (!bindings.empty() && std::ranges::find(skipped, bindings) == skipped.end())
            all.push_back({ .kind = Candidate::Kind::Observation,
                .call = call,
                .bindings = std::move(bindings) });
    }
    // The call that returns next; -1: none.
    const int due = isComplete(configuration) ? -1 : m_callEvents[configuration.position].call;
    std::ranges::stable_sort(requestCalls, {}, [&](int call) {
        const Call &own = m_calls[size_t(call)];
        return std::pair(call != due, own.returns ? own.to : HUGE_VAL);
    });
    const bool isDue = !requestCalls.empty() && requestCalls.front() == due;
    if (isDue)
        all.push_back({ .call = due });
    for (Event &event : internalEvents(configuration))
        all.push_back({ .kind = Candidate::Kind::Internal, .event = std::move(event) });
    for (const int call : requestCalls | std::views::drop(isDue ? 1 : 0))
        all.push_back({ .call = call });
    const int request = due < 0 ? -1 : requestOf(due);
    if (request >= 0 && m_history.requests[request].answer == RecordedRequest::Answer::Unknown
        && m_polls[size_t(request)].empty())
        all.push_back({ .kind = Candidate::Kind::Dropped, .call = due });
    return all;
}

/// Returns the etags that an observation or snapshot would bind now; empty if it does not fit.
Checker::Bindings Checker::bindingsOf(const Configuration &configuration, int call) const
{
    const World &world = configuration.world;
    Bindings bindings;
    for (const CallObservation &one : m_calls[size_t(call)].observations) {
        const Observation &observation = m_history.observations[one.observation];
        if (!observation.isOfResource() || !shows(world, observation))
            return {};
        if (one.etag < 0)
            continue;
        const Resource resource = world.tree.find(observation.path);
        const bool isBound = stampOf(configuration, one.etag);
        if (resource == NoResource || (isBound && !isCurrent(configuration, one.etag)))
            return {};
        if (!isBound)
            bindings.emplace_back(one.etag, world.tree.stamp(resource));
    }
    std::ranges::sort(bindings);
    bindings.erase(std::unique(bindings.begin(), bindings.end()), bindings.end());
    return bindings;
}

/// Returns the possible internal events: ends and beginnings of work, timeouts, timers that fire.
QList<Event> Checker::internalEvents(const Configuration &configuration) const
{
    const World &world = configuration.world;
    const double moment = !isComplete(configuration) ? m_callEvents[configuration.position].time
        : m_callEvents.empty()                       ? 0
                                                     : m_callEvents.back().time;
    const qint64 now = wholeMs(std::ceil(moment));
    QList<Event> result;
    for (const auto &running : world.running) {
        QList<Event> events = endsOf(m_rules, world, *running, true);
        const bool attempts = running->phase == Running::Phase::Attempting && running->due >= 0;
        const bool mayRetry = attempts && running->planned != m_rules.retried
            && possibleOutcomes(m_rules, world, running->serial).contains(m_rules.retried);
        if (mayRetry)
            events.append({ .kind = Event::Kind::End,
                .operation = running->serial,
                .outcome = m_rules.retried });
        for (Event &event : events) {
            event.time = configuration.earliest;
            if (event.kind == Event::Kind::Expire && m_hasClocks) {
                if (running->deadline > now)
                    continue;
                event.time = std::max(event.time, running->deadline);
            }
            result += event;
        }
    }
    for (Event &event : firingsOf(m_rules, world)) {
        event.time = configuration.earliest;
        if (m_hasClocks) {
            const Rules::Clock *timer = timerOf(m_rules, world, event.resource);
            if (!timer)
                continue;
            const qint64 since = std::max<qint64>(world.timed.value(event.resource).since, 0);
            const qint64 due = momentOf(m_rules, world, event.resource, *timer, since).value_or(0);
            if (due > now)
                continue;
            event.time = std::max(configuration.earliest, due);
        }
        result += event;
    }
    return result;
}

std::vector<Checker::Successor> Checker::successors(
    const Configuration &configuration, const Candidates &candidates, size_t number) const
{
    const Candidate &candidate = candidates[number];
    std::vector<Successor> all;
    switch (candidate.kind) {
    case Candidate::Kind::Request:
        addRequested(configuration, candidate.call, all);
        break;
    case Candidate::Kind::Observation:
        all.push_back(afterObservation(configuration, candidate.call, candidate.bindings));
        break;
    case Candidate::Kind::Internal:
        addStepped(configuration, candidate.event, all);
        break;
    case Candidate::Kind::Dropped:
        all.push_back(without(configuration, candidate.call));
        break;
    }
    for (Successor &successor : all) {
        Configuration &next = successor.configuration;
        next.steps = configuration.steps + 1;
        // Marks the possible bindings as skipped, unless this step binds some.
        for (const Candidate &other : candidates) {
            if (other.kind != Candidate::Kind::Observation || !candidate.bindings.empty())
                continue;
            if (std::ranges::none_of(other.bindings,
                    [&](const auto &bound) { return stampOf(next, bound.first) != nullptr; }))
                next.skipped.push_back(other.bindings);
        }
        advance(next, &successor.linearized);
    }
    std::erase_if(all, [&](const Successor &one) { return isDeadEnd(one.configuration); });
    return all;
}

std::vector<Checker::Successor> Checker::successors(const Configuration &configuration) const
{
    const Candidates candidates = this->candidates(configuration);
    std::vector<Successor> all;
    for (size_t i = 0; i < candidates.size(); ++i)
        std::ranges::move(successors(configuration, candidates, i), std::back_inserter(all));
    return all;
}

Checker::Successor Checker::without(const Configuration &configuration, int call) const
{
    Successor successor { .configuration = configuration };
    std::erase(successor.configuration.pending, call);
    return successor;
}

Checker::Successor Checker::afterObservation(
    const Configuration &configuration, int call, const Bindings &bindings) const
{
    Successor successor = without(configuration, call);
    Bindings &etags = successor.configuration.etags;
    etags.insert(etags.end(), bindings.begin(), bindings.end());
    std::ranges::sort(etags);
    std::erase_if(successor.configuration.skipped, [&](const Bindings &skipped) {
        return std::ranges::any_of(skipped, [&](const auto &one) {
            return std::ranges::find(bindings, one.first, &std::pair<int, quint64>::first)
                != bindings.end();
        });
    });
    return successor;
}

void Checker::addRequested(
    const Configuration &configuration, int call, std::vector<Successor> &out) const
{
    const int request = requestOf(call);
    const RecordedRequest &recorded = m_history.requests[request];
    for (const auto &[variant, etag] : withEngineEtags(configuration, request)) {
        Configuration before = configuration;
        std::erase(before.pending, call);
        if (etag >= 0) {
            const Resource resource = before.world.tree.find(recorded.request.path);
            before.etags.emplace_back(etag, before.world.tree.stamp(resource));
            std::ranges::sort(before.etags);
        }
        before.earliest = std::max(before.earliest, wholeMs(recorded.sent));
        before.overtaken += quint32(std::ranges::count_if(before.pending, [&](int other) {
            const Call &own = m_calls[size_t(other)];
            return own.request >= 0 && own.returns && own.to < m_calls[size_t(call)].to;
        }));
        before.after = std::max(before.after, recorded.sent);
        addStepped(before,
            { .kind = Event::Kind::Submit, .time = before.earliest, .request = variant }, out);
    }
}

/// Returns pairs (request with the engine's etags, recorded etag to bind or -1). A recorded etag
/// that is not bound yet may match the resource or not: each case gets its own pair.
std::vector<std::pair<Checker::SharedRequest, int>> Checker::withEngineEtags(
    const Configuration &configuration, int request) const
{
    const Request &original = *m_requests[size_t(request)];
    const QStringList tags = tagsOf(original);
    if (tags.isEmpty())
        return { { m_requests[size_t(request)], -1 } };
    const Resource resource = configuration.world.tree.find(original.path);
    const QString current =
        resource == NoResource ? NoEtag.toString() : etag(configuration.world, resource);
    int unbound = -1;
    bool hasUnbound = false;
    const auto translated = [&](const QString &header, bool matches) {
        QStringList result;
        for (const QString &each : header.split(u',', Qt::SkipEmptyParts)) {
            const QString tag = each.trimmed();
            if (tag == u"*" || tag == NoEtag) {
                result += tag;
                continue;
            }
            const int number = m_etagNumbers.value(etagKey(original.path, tag), -1);
            const bool isBound = number >= 0 && stampOf(configuration, number);
            if (!isBound) {
                hasUnbound = true;
                unbound = number;
            }
            const bool isMatch = isBound ? isCurrent(configuration, number) : matches;
            result += isMatch ? current : NoEtag.toString();
        }
        return result.join(u',');
    };
    const auto variant = [&](bool matches) {
        const QString ifMatch = translated(original.ifMatch, matches),
                      ifNoneMatch = translated(original.ifNoneMatch, matches);
        SharedRequest &known = m_withEtags[u"%1\n%2\n%3"_s.arg(request).arg(ifMatch, ifNoneMatch)];
        if (!known) {
            Request copy = original;
            copy.ifMatch = ifMatch;
            copy.ifNoneMatch = ifNoneMatch;
            known = SharedRequest::create(std::move(copy));
            m_requestOf.insert(known.get(), request);
            if (isWatched(request))
                m_writer.mark(known.get(), request);
        }
        return known;
    };
    std::vector<std::pair<SharedRequest, int>> result { { variant(false), -1 } };
    if (hasUnbound && resource != NoResource)
        result.emplace_back(variant(true), tags.size() == 1 ? unbound : -1);
    return result;
}

/// Adds the successors after an internal event, or a request that is answered as recorded.
void Checker::addStepped(
    const Configuration &configuration, const Event &event, std::vector<Successor> &out) const
{
    const int request = event.request ? m_requestOf.value(event.request.get(), -1) : -1;
    const RecordedRequest *recorded = request < 0 ? nullptr : &m_history.requests[request];
    // Compares the answer first, because an admission is much cheaper than a step.
    if (recorded && event.request->requestId.isEmpty()
        && recorded->answer <= RecordedRequest::Answer::Refused) {
        const Admission admitted =
            admission(m_rules, configuration.world, *event.request, {}, 0, true);
        const bool isAnswerRecorded = admitted.verdict == Admission::Verdict::Refused
            ? recorded->isRefusedWith(admitted.code)
            : recorded->answer != RecordedRequest::Answer::Refused;
        if (admitted.unanswered.empty() && !isAnswerRecorded)
            return;
    }
    for (SearchEdge &edge : edgesOf(m_rules, MoveGenerator(), { configuration.world, {} }, event)) {
        if (hasNoEffect(configuration.world, event, edge.record)
            || (recorded
                && !isAnsweredLike(configuration, *recorded, edge.record, event.request.get())))
            continue;
        Successor successor { .configuration = configuration,
            .event = std::move(edge.event),
            .answers = std::move(edge.answers),
            .record = std::move(edge.record) };
        Configuration &next = successor.configuration;
        next.world = std::move(edge.next.world);
        next.after = std::max(next.after, recorded ? recorded->sent : lastReturn(configuration));
        next.earliest = std::max(next.earliest, event.time);
        successor.after = next.after;
        updateStatuses(next, successor.record);
        out.push_back(std::move(successor));
    }
}

/// Returns true if the search may leave an event out: a request without a recorded answer that
/// changes nothing, or a retry of work that has not got beyond its first step.
bool Checker::hasNoEffect(const World &world, const Event &event, const Record &record) const
{
    if (record.changes.size() != 1)
        return false;
    const Change &change = record.changes.front();
    const int request = event.request ? m_requestOf.value(event.request.get(), -1) : -1;
    const bool isUnchanged = change.kind == Change::Kind::Rejected
        || (change.kind == Change::Kind::Observed && change.transition == Rules::None);
    if (request >= 0)
        return m_history.requests[request].answer > RecordedRequest::Answer::Refused
            && !isWatched(request) && isUnchanged;
    const bool isRetry = event.kind == Event::Kind::End && event.outcome == m_rules.retried;
    const bool isMoved = change.moved != 0 || change.from != change.to;
    return isRetry && !isMoved && world.find(event.operation)->cursor == 0
        && possibleOutcomes(m_rules, world, event.operation).contains(m_rules.failed);
}

bool Checker::isAnsweredLike(const Configuration &configuration, const RecordedRequest &recorded,
    const Record &record, const Request *request) const
{
    if (recorded.answer > RecordedRequest::Answer::Refused)
        return true;
    const auto own = std::ranges::find_if(record.changes,
        [&](const Change &change) { return change.request.get() == request && !change.requirer; });
    if (own == record.changes.end() || (recorded.began && own->kind == Change::Kind::Observed))
        return false;
    QString refusal = own->kind == Change::Kind::Rejected ? own->code : QString();
    if (own->kind == Change::Kind::Replayed) {
        const auto first =
            std::ranges::find(configuration.statuses, own->other, &RequestStatus::serial);
        if (first != configuration.statuses.end() && first->status == Status::Rejected)
            refusal = first->code;
    }
    return refusal.isEmpty() ? recorded.answer == RecordedRequest::Answer::Accepted
                             : recorded.isRefusedWith(refusal);
}

void Checker::updateStatuses(Configuration &configuration, const Record &record) const
{
    std::vector<RequestStatus> &statuses = configuration.statuses;
    // Adds all new statuses first: a record lists an operation after those that it cancels.
    for (const Change &change : record.changes) {
        const int request =
            change.request && !change.requirer ? m_requestOf.value(change.request.get(), -1) : -1;
        if (request < 0 || !isWatched(request)
            || std::ranges::find(statuses, request, &RequestStatus::request) != statuses.end())
            continue;
        RequestStatus own { .request = request, .serial = change.operation };
        if (change.kind == Change::Kind::Replayed) {
            const auto first = std::ranges::find(statuses, change.other, &RequestStatus::serial);
            if (first != statuses.end()) {
                own = *first;
                own.request = request;
            }
        }
        statuses.push_back(own);
    }
    for (const Change &change : record.changes) {
        const Status status = statusAfter(m_rules, change).value_or(Status::InProgress);
        for (RequestStatus &one : statuses) {
            if (one.serial == change.operation && !one.isOver() && status != Status::Waiting) {
                one.status = status;
                one.code = status == Status::Rejected ? change.code : QString();
            }
        }
    }
    std::ranges::sort(statuses, {}, &RequestStatus::request);
}

void Checker::key(
    const Configuration &configuration, QByteArray &out, std::vector<int> *readOnly) const
{
    out.resize(0);
    m_writer.write(configuration.world, out);
    appendBytes(configuration.position, out);
    std::vector<int> pending;
    for (const int call : configuration.pending)
        (m_calls[size_t(call)].isReadOnly ? *readOnly : pending).push_back(call);
    std::ranges::sort(pending);
    std::ranges::sort(*readOnly);
    appendBytes(quint32(pending.size()), out);
    for (const int call : pending)
        appendBytes(quint32(call), out);
    for (const RequestStatus &one : configuration.statuses) {
        appendBytes(quint32(one.request), out);
        out += one.isOver() ? char('1' + int(one.status)) : '0';
        if (!one.code.isEmpty())
            out += one.code.toUtf8();
    }
    for (const auto &[etag, stamp] : configuration.etags) {
        appendBytes(quint32(etag), out);
        out += stamp == Outdated ? '0' : '1';
    }
    if (!m_hasClocks)
        return;
    appendBytes(configuration.earliest, out);
    QList<Resource> timed = configuration.world.timed.keys();
    std::ranges::sort(timed);
    for (const Resource resource : timed)
        appendBytes(configuration.world.timed[resource].since, out);
    for (const auto &running : configuration.world.running)
        appendBytes(running->deadline, out);
}

} // namespace instar
