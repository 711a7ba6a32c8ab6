// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/linearizer.h"

#include "model/engine/clock.h"
#include "model/engine/operationlog.h"
#include "model/explore/script.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <ranges>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Stamp of an outdated etag.
constexpr quint64 Past = ~quint64(0);

QStringList tagsOf(const QString &header)
{
    QStringList tags;
    for (const QString &tag : header.split(u',', Qt::SkipEmptyParts))
        tags += tag.trimmed();
    tags.removeAll(u"*"_s);
    return tags;
}

qint64 wholeMs(double ms)
{
    return qint64(std::floor(std::clamp(ms, 0.0, double(qint64(1) << 53))));
}

void appendBytes(auto number, QByteArray &out)
{
    out.append(reinterpret_cast<const char *>(&number), sizeof number);
}

/// Returns true if a request was refused and neither etags nor a request id can be the cause.
bool isSurelyRefused(const RecordedRequest &asked, const Request &as)
{
    return asked.answer == RecordedRequest::Answer::Refused && as.requestId.isEmpty()
        && as.ifMatch.isEmpty() && as.ifNoneMatch.isEmpty();
}

/// Returns true if the rules have timers or timeouts.
bool hasClocks(const Rules &rules)
{
    return rules.hasTimers()
        || std::ranges::any_of(
            rules.states(), [](const Rules::StateRule &state) { return state.limit.has_value(); });
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

Linearizer::Linearizer(const Rules &rules, const History &history, Telling telling)
    : m_rules(rules), m_history(history), m_telling(telling), m_writer(rules)
{
    m_hasClocks = !history.timeless && hasClocks(rules);
    for (int i = 0; i < int(rules.machines().size()); ++i) {
        for (const State &row : rules.pack().machine(rules.machines()[size_t(i)].id)->states) {
            if (row.byServer && rules.applies(row))
                m_serverWords.insert({ i, row.as.isEmpty() ? row.id : row.as });
        }
    }
    if (telling == Telling::Growing)
        return;
    makeIntervals();
    makeEtags();
    findKinds();
    if (!m_hasClocks)
        findTwins();
}

/// Adds a request, and notes if its request id is shared.
void Linearizer::addRequest(int request)
{
    const RecordedRequest &asked = m_history.requests[request];
    m_intervalOf.push_back(int(m_intervals.size()));
    m_intervals.push_back({ .from = asked.sent,
        .to = asked.answered,
        .closes = m_telling == Telling::Whole && asked.isClosed(),
        .request = request });
    m_byId.insert(asked.request.id, request);
    m_statuses.emplace_back();
    m_isShared.push_back(false);
    m_isAskedFor.push_back(m_telling == Telling::Growing);
    m_requests.push_back(SharedRequest::create(asked.request));
    m_requestOf.insert(m_requests.back().get(), request);
    if (asked.request.requestId.isEmpty())
        return;
    const auto first = m_byRequestId.constFind(asked.request.requestId);
    if (first != m_byRequestId.constEnd())
        m_isShared[size_t(*first)] = m_isShared[size_t(request)] = true;
    m_byRequestId.insert(asked.request.requestId, request);
}

void Linearizer::append(double time, bool closes, int interval)
{
    if (!closes)
        m_intervals[size_t(interval)].position = quint32(m_endpoints.size());
    m_endpoints.push_back({ time, closes, interval });
}

/// Registers the observation of a request's status. If the request is not in this part of the
/// history, nothing explains the observation.
void Linearizer::addStatus(const Observation &seen, int interval)
{
    const auto request = m_byId.constFind(seen.operation);
    if (request != m_byId.cend())
        m_statuses[size_t(*request)].push_back(interval);
}

/// Clears a request's request id, which has no effect if no other request shares it.
void Linearizer::dropName(int request)
{
    SharedRequest &as = m_requests[size_t(request)];
    m_requestOf.remove(as.get());
    Request nameless = *as;
    nameless.requestId.clear();
    as = SharedRequest::create(nameless);
    m_requestOf.insert(as.get(), request);
}

void Linearizer::makeIntervals()
{
    for (int i = 0; i < int(m_history.requests.size()); ++i)
        addRequest(i);
    for (int i = 0; i < int(m_history.requests.size()); ++i) {
        if (!m_isShared[size_t(i)])
            dropName(i);
        m_intervals[size_t(i)].isSilent =
            isSurelyRefused(m_history.requests[i], *m_requests[size_t(i)]);
    }
    QHash<qint64, size_t> snapshots; // -> interval
    for (int i = 0; i < int(m_history.observations.size()); ++i) {
        const Observation &seen = m_history.observations[i];
        if (!seen.isOfResource()) {
            addStatus(seen, int(m_intervals.size()));
        } else if (seen.snapshot > 0) {
            const auto known = snapshots.constFind(seen.snapshot);
            if (known != snapshots.constEnd()) {
                m_intervals[*known].seen.push_back({ .observation = i });
                continue;
            }
            snapshots.insert(seen.snapshot, m_intervals.size());
        }
        m_intervals.push_back({ .from = seen.from,
            .to = seen.to,
            .isSilent = true,
            .seen = { { .observation = i } } });
    }
    for (int request = 0; request < int(m_history.requests.size()); ++request) {
        if (isWatched(request))
            m_writer.mark(m_requests[size_t(request)].get(), request);
    }
    std::vector<Endpoint> endpoints;
    for (int i = 0; i < int(m_intervals.size()); ++i) {
        endpoints.push_back({ m_intervals[size_t(i)].from, false, i });
        if (m_intervals[size_t(i)].closes)
            endpoints.push_back({ m_intervals[size_t(i)].to, true, i });
    }
    // At equal times begins come first: touching intervals overlap.
    std::ranges::sort(endpoints, [](const Endpoint &a, const Endpoint &b) {
        return std::tie(a.time, a.closes, a.interval) < std::tie(b.time, b.closes, b.interval);
    });
    for (const Endpoint &one : endpoints)
        append(one.time, one.closes, one.interval);
}

/// Groups requests that differ only in id and client, unless they share a request id.
void Linearizer::findKinds()
{
    QHash<QString, std::vector<std::pair<Request, int>>> known; // bucketed by a cheap key
    for (int request = 0; request < int(m_requests.size()); ++request) {
        m_kinds.push_back(request);
        if (m_isShared[size_t(request)])
            continue;
        Request as = *m_requests[size_t(request)];
        as.id.clear();
        as.client.clear();
        auto &alike = known[as.op + u' ' + as.path];
        const auto found = std::ranges::find(alike, as, &std::pair<Request, int>::first);
        if (found == alike.end())
            alike.emplace_back(std::move(as), request);
        else
            m_kinds.back() = found->second;
    }
}

/// Symmetry reduction: two equivalent requests with the same answer and observations may be swapped
/// in a linearization if both stay within their intervals. So of such open requests only the one
/// that is due first is tried. Consecutive endpoints of one kind count as simultaneous, because
/// events between them may as well happen before the first.
void Linearizer::findTwins()
{
    std::vector<int> opens(m_intervals.size()), closes(m_intervals.size(), INT_MAX);
    int block = 0;
    for (size_t i = 0; i < m_endpoints.size(); ++i) {
        block += i > 0 && m_endpoints[i].closes != m_endpoints[i - 1].closes ? 1 : 0;
        (m_endpoints[i].closes ? closes : opens)[size_t(m_endpoints[i].interval)] = block;
    }
    const auto seen = [&](int request) {
        std::vector<std::tuple<std::optional<QString>, int, int>> all;
        for (const int one : m_statuses[size_t(request)]) {
            all.emplace_back(statusIn(one).word, opens[size_t(one)], closes[size_t(one)]);
        }
        std::ranges::sort(all);
        return all;
    };
    const auto openOf = [&](int request) { return opens[size_t(m_intervalOf[size_t(request)])]; };
    const auto closeOf = [&](int request) { return closes[size_t(m_intervalOf[size_t(request)])]; };
    std::vector<int> requests;
    for (int request = 0; request < int(m_requests.size()); ++request) {
        if (!m_isShared[size_t(request)])
            requests.push_back(request);
    }
    std::ranges::sort(requests, {}, openOf);
    m_twins.resize(m_requests.size());
    QHash<QString, std::vector<int>> underWay; // bucketed by a cheap key
    for (const int request : requests) {
        const RecordedRequest &one = m_history.requests[request];
        std::vector<int> &others = underWay[one.request.op + u' ' + one.request.path];
        std::erase_if(others, [&](int other) { return closeOf(other) < openOf(request); });
        for (const int other : others) {
            const RecordedRequest &two = m_history.requests[other];
            if (one.answer != two.answer || one.code != two.code || one.began != two.began
                || seen(request) != seen(other) || kindOf(request) != kindOf(other))
                continue;
            const bool isFirst = closeOf(request) < closeOf(other);
            m_twins[size_t(isFirst ? other : request)].push_back(isFirst ? request : other);
        }
        others.push_back(request);
    }
}

bool Linearizer::isForestalled(const Situation &situation, int interval) const
{
    const int request = m_intervals[size_t(interval)].request;
    return !m_twins.empty() && std::ranges::any_of(m_twins[size_t(request)], [&](int twin) {
        return std::ranges::find(situation.open, m_intervalOf[size_t(twin)])
            != situation.open.end();
    });
}

QString Linearizer::etagKey(const QString &path, const QString &tag) const
{
    return (m_rules.pack().ignoreCase ? path.toCaseFolded() : path) + u'\n' + bareEtag(tag);
}

void Linearizer::makeEtags()
{
    QHash<QString, int> uses;
    for (const Observation &seen : m_history.observations) {
        if (seen.isOfResource() && !seen.etag.isEmpty())
            ++uses[etagKey(seen.path, seen.etag)];
    }
    for (const RecordedRequest &asked : m_history.requests) {
        for (const QString &tag : tagsOf(asked.request.ifMatch) + tagsOf(asked.request.ifNoneMatch))
            ++uses[etagKey(asked.request.path, tag)];
    }
    for (size_t i = 0; i < m_intervals.size(); ++i) {
        for (Seen &one : m_intervals[i].seen) {
            const Observation &seen = m_history.observations[one.observation];
            if (!seen.isOfResource() || seen.etag.isEmpty())
                continue;
            if (uses.value(etagKey(seen.path, seen.etag)) < 2)
                continue;
            one.etag = etagNumber(seen);
            m_etags[size_t(one.etag)].seen.push_back(int(i));
        }
    }
    for (int request = 0; request < int(m_history.requests.size()); ++request) {
        const Request &as = m_history.requests[request].request;
        for (const QString &tag : tagsOf(as.ifMatch) + tagsOf(as.ifNoneMatch)) {
            const int etag = m_etagNumbers.value(etagKey(as.path, tag), -1);
            if (etag >= 0)
                m_etags[size_t(etag)].asked.push_back(m_intervalOf[size_t(request)]);
        }
    }
}

// ---- growing histories

void Linearizer::sent(int request)
{
    addRequest(request);
    m_writer.mark(m_requests[size_t(request)].get(), request);
    append(m_history.requests[request].sent, false, m_intervalOf[size_t(request)]);
}

void Linearizer::answered(int request)
{
    const int interval = m_intervalOf[size_t(request)];
    Interval &row = m_intervals[size_t(interval)];
    row.closes = true;
    row.to = m_history.requests[request].answered;
    append(row.to, true, interval);
}

void Linearizer::begin(int observation, bool hasEtag)
{
    const Observation &first = m_history.observations[observation];
    const auto interval = int(m_intervals.size());
    m_observed.insert(observation, interval);
    Interval row { .from = first.from, .to = first.to };
    if (!first.isOfResource())
        addStatus(first, interval);
    for (int i = observation; i < int(m_history.observations.size()); ++i) {
        const Observation &seen = m_history.observations[i];
        const bool isTold = hasEtag && seen.isOfResource() && !seen.etag.isEmpty();
        row.seen.push_back({ .observation = i, .etag = isTold ? etagNumber(seen) : -1 });
        if (isTold)
            m_etags[size_t(row.seen.back().etag)].seen.push_back(interval);
    }
    m_intervals.push_back(std::move(row));
    append(first.from, false, interval);
}

int Linearizer::etagNumber(const Observation &seen)
{
    const QString key = etagKey(seen.path, seen.etag);
    if (!m_etagNumbers.contains(key)) {
        m_etagNumbers.insert(key, int(m_etags.size()));
        m_etags.push_back({ seen.path, seen.etag });
    }
    return m_etagNumbers.value(key);
}

void Linearizer::loosen(std::span<Situation> situations)
{
    for (const Situation &situation : situations) {
        for (const int interval : situation.open) {
            for (Seen &one : m_intervals[size_t(interval)].seen) {
                if (one.etag >= 0)
                    std::erase(m_etags[size_t(one.etag)].seen, interval);
                one.etag = -1;
            }
        }
    }
    // Bindings in `offered` count again: without these etags, others may be the right ones.
    for (Situation &situation : situations)
        situation.offered.clear();
}

void Linearizer::bind(Situation &situation, const Observation &seen)
{
    const Resource resource = situation.world.tree.find(seen.path);
    if (seen.etag.isEmpty() || resource == NoResource || !shows(situation.world, seen))
        return;
    const int etag = etagNumber(seen);
    if (stampOf(situation, etag))
        return;
    situation.etags.emplace_back(etag, situation.world.tree.stamp(resource));
    std::ranges::sort(situation.etags);
}

void Linearizer::end(int observation)
{
    append(m_history.observations[observation].to, true, m_observed.value(observation));
}

bool Linearizer::agrees(const Situation &situation, int request) const
{
    const RecordedRequest &asked = m_history.requests[request];
    const auto fate = std::ranges::find(situation.fates, request, &Fate::request);
    if (fate == situation.fates.end() || asked.answer > RecordedRequest::Answer::Refused)
        return true;
    const bool refused = fate->status == Status::Rejected;
    return refused ? asked.isRefusedWith(fate->code)
                   : asked.answer == RecordedRequest::Answer::Accepted;
}

bool Linearizer::isKnown(const Situation &situation, const Observation &seen) const
{
    if (seen.etag.isEmpty())
        return true;
    const auto number = m_etagNumbers.constFind(etagKey(seen.path, seen.etag));
    return number != m_etagNumbers.constEnd() && isCurrent(situation, *number);
}

/// Returns true if another request has the same request id, or a later one still may have it.
bool Linearizer::isRepeated(int request) const
{
    return m_telling == Telling::Growing ? !m_history.requests[request].request.requestId.isEmpty()
                                         : m_isShared[size_t(request)];
}

bool Linearizer::isWatched(int request) const
{
    return m_isAskedFor[size_t(request)] || isRepeated(request)
        || !m_statuses[size_t(request)].empty();
}

Linearizer::Situation Linearizer::beginning() const
{
    Situation situation;
    situation.world = makeWorld(m_rules, m_history.resources).world;
    return situation;
}

double Linearizer::now(const Situation &situation) const
{
    return situation.position < m_endpoints.size() ? m_endpoints[situation.position].time
        : m_endpoints.empty()                      ? 0
                                                   : m_endpoints.back().time;
}

double Linearizer::lastClose(const Situation &situation) const
{
    for (quint32 i = situation.position; i-- > 0;) {
        if (m_endpoints[i].closes)
            return m_endpoints[i].time;
    }
    return 0;
}

// ---- explaining intervals without events

void Linearizer::advance(Situation &situation, Silent *silent) const
{
    settle(situation, silent);
    while (situation.position < m_endpoints.size()) {
        const Endpoint &endpoint = m_endpoints[situation.position];
        if (!endpoint.closes) {
            situation.open.push_back(endpoint.interval);
            ++situation.position;
            settle(situation, silent);
            situation.hidden = 0;
            continue;
        }
        if (std::ranges::find(situation.open, endpoint.interval) != situation.open.end())
            break;
        ++situation.position;
        situation.hidden = 0;
    }
    forget(situation);
}

void Linearizer::settle(Situation &situation, Silent *silent) const
{
    Refusals refusals; // valid because the world does not change
    for (size_t i = 0; i < situation.open.size();) {
        const int interval = situation.open[i];
        if (!comesTrue(situation, interval, refusals)) {
            ++i;
            continue;
        }
        situation.open.erase(situation.open.begin() + qsizetype(i));
        const int request = m_intervals[size_t(interval)].request;
        if (request < 0)
            continue;
        situation.after = std::max(situation.after, m_intervals[size_t(interval)].from);
        if (silent)
            silent->emplace_back(request, situation.after);
        if (isWatched(request))
            i = 0; // its status may have been observed
    }
}

bool Linearizer::comesTrue(Situation &situation, int interval, Refusals &refusals) const
{
    const Interval &row = m_intervals[size_t(interval)];
    if (row.request >= 0)
        return comesTrue(situation, m_history.requests[row.request], row.request, refusals);
    return std::ranges::all_of(row.seen, [&](const Seen &one) {
        const Observation &seen = m_history.observations[one.observation];
        if (!seen.isOfResource())
            return stands(situation, seen);
        return shows(situation.world, seen) && (one.etag < 0 || isCurrent(situation, one.etag));
    });
}

const Observation &Linearizer::statusIn(int interval) const
{
    return m_history.observations[m_intervals[size_t(interval)].seen.front().observation];
}

/// Explains a refused request if the rules refuse it now with the same code: a refusal changes
/// nothing. An accepted request without effect now stays open, since it may have one later.
bool Linearizer::comesTrue(
    Situation &situation, const RecordedRequest &asked, int request, Refusals &refusals) const
{
    const Request &as = *m_requests[size_t(request)];
    if (!isSurelyRefused(asked, as))
        return false;
    const int kind = kindOf(request);
    auto known = std::ranges::find(refusals, kind, &Refusals::value_type::first);
    if (known == refusals.end()) {
        const Admission admitted = admission(m_rules, situation.world, as, {}, 0, true);
        known = refusals.emplace(refusals.end(), kind, std::nullopt);
        if (admitted.unanswered.empty() && admitted.verdict == Admission::Verdict::Refused)
            known->second = admitted.code;
    }
    const std::optional<QString> &code = known->second;
    if (!code || !asked.isRefusedWith(*code))
        return false;
    if (isWatched(request)) {
        situation.fates.push_back(
            { .request = request, .status = Status::Rejected, .code = *code });
        std::ranges::sort(situation.fates, {}, &Fate::request);
    }
    return true;
}

bool Linearizer::shows(const World &world, const Observation &seen) const
{
    const std::optional<QString> word = wordAt(m_rules, world, seen.path);
    if (word == seen.word || !word || !seen.word)
        return word == seen.word;
    return !m_serverWords.isEmpty()
        && m_serverWords.contains({ m_rules.machineForType(typePathOf(seen.path)), *seen.word });
}

bool Linearizer::stands(const Situation &situation, const Observation &seen) const
{
    const int request = m_byId.value(seen.operation, -1);
    const auto fate = std::ranges::find(situation.fates, request, &Fate::request);
    if (fate == situation.fates.end())
        return isForgotten(situation, request);
    if (fate->isOver())
        return seen.word == statusName(fate->status);
    const Running *running = situation.world.find(fate->serial);
    const bool waits = !running || running->phase == Running::Phase::Until;
    // A server may report a waiting operation as in progress.
    return seen.word == statusName(Status::InProgress)
        || (waits && seen.word == statusName(Status::Waiting));
}

const quint64 *Linearizer::stampOf(const Situation &situation, int etag) const
{
    const auto bound =
        std::ranges::lower_bound(situation.etags, etag, {}, &std::pair<int, quint64>::first);
    return bound == situation.etags.end() || bound->first != etag ? nullptr : &bound->second;
}

bool Linearizer::isCurrent(const Situation &situation, int etag) const
{
    const quint64 *stamp = stampOf(situation, etag);
    if (!stamp || *stamp == Past)
        return false;
    const Resource resource = situation.world.tree.find(m_etags[size_t(etag)].path);
    return resource != NoResource && situation.world.tree.stamp(resource) == *stamp;
}

/// Returns true if an interval is still unexplained.
bool Linearizer::isLeft(const Situation &situation, int interval) const
{
    return m_intervals[size_t(interval)].position >= situation.position
        || std::ranges::find(situation.open, interval) != situation.open.end();
}

/// Returns true if some observation can never be explained: its etag is outdated, or it shows
/// another final status than the one that the operation has got.
bool Linearizer::isHopeless(const Situation &situation) const
{
    const auto left = [&](int interval) { return isLeft(situation, interval); };
    for (const auto &[etag, stamp] : situation.etags) {
        if (stamp == Past && std::ranges::any_of(m_etags[size_t(etag)].seen, left))
            return true;
    }
    for (const Fate &fate : situation.fates) {
        if (!fate.isOver())
            continue;
        for (const int interval : m_statuses[size_t(fate.request)]) {
            if (statusIn(interval).word != statusName(fate.status) && left(interval))
                return true;
        }
    }
    return false;
}

/// Drops etags and fates that no interval needs any more, so that more situations are equal. With a
/// whole history, also the fate of a request that is over, if all its observations agree.
void Linearizer::forget(Situation &situation) const
{
    const auto left = [&](int interval) { return isLeft(situation, interval); };
    const bool isWhole = m_telling == Telling::Whole;
    std::erase_if(situation.etags, [&](const auto &bound) {
        const Etag &etag = m_etags[size_t(bound.first)];
        return isWhole && std::ranges::none_of(etag.seen | std::views::reverse, left)
            && std::ranges::none_of(etag.asked | std::views::reverse, left);
    });
    for (auto &[etag, stamp] : situation.etags) {
        if (!isCurrent(situation, etag))
            stamp = Past;
    }
    std::erase_if(situation.fates, [&](const Fate &fate) {
        const bool isSure = isWhole && fate.isOver();
        return !m_isAskedFor[size_t(fate.request)] && !isRepeated(fate.request)
            && std::ranges::none_of(m_statuses[size_t(fate.request)], [&](int interval) {
                   return left(interval)
                       && !(isSure && statusIn(interval).word == statusName(fate.status));
               });
    });
}

/// Returns true if forget() dropped a request's fate: it is over, and its observations agree.
bool Linearizer::isForgotten(const Situation &situation, int request) const
{
    return request >= 0 && m_telling == Telling::Whole && !isRepeated(request)
        && !isLeft(situation, m_intervalOf[size_t(request)]);
}

// ---- moves

/// Returns the moves, in order: bindings of etags, the request due next, events, others by due
/// time, and leaving out the due request.
Linearizer::Moves Linearizer::moves(const Situation &situation) const
{
    Moves moves;
    const int due = isAtEnd(situation) ? -1 : m_endpoints[situation.position].interval;
    std::vector<Move> requests;
    for (const int interval : situation.open) {
        if (m_intervals[size_t(interval)].request >= 0) {
            if (!isForestalled(situation, interval))
                requests.push_back({ .interval = interval });
        } else if (Bound binds = bindsOf(situation, interval); !binds.empty()
                   && std::ranges::find(situation.offered, binds) == situation.offered.end()) {
            moves.all.push_back({ .interval = interval, .binds = int(moves.offered.size()) });
            moves.offered.push_back(std::move(binds));
        }
    }
    std::ranges::stable_sort(requests, {}, [&](const Move &move) {
        const Interval &row = m_intervals[size_t(move.interval)];
        return std::pair(move.interval != due, row.closes ? row.to : HUGE_VAL);
    });
    const bool isDue = !requests.empty() && requests.front().interval == due;
    const auto others = requests.begin() + (isDue ? 1 : 0);
    moves.all.insert(moves.all.end(), requests.begin(), others);
    moves.events = hidden(situation);
    for (int i = 0; i < int(moves.events.size()); ++i)
        moves.all.push_back({ .event = i });
    moves.all.insert(moves.all.end(), others, requests.end());
    const int request = due < 0 ? -1 : m_intervals[size_t(due)].request;
    if (request >= 0 && m_history.requests[request].answer == RecordedRequest::Answer::Unknown
        && m_statuses[size_t(request)].empty())
        moves.all.push_back({ .interval = due, .isLeftOut = true });
    return moves;
}

std::vector<Linearizer::Child> Linearizer::children(
    const Situation &situation, const Moves &moves, size_t number) const
{
    const Move &move = moves.all[number];
    std::vector<Child> out;
    if (move.isLeftOut)
        out.push_back(without(situation, move.interval));
    else if (move.binds >= 0)
        out.push_back(observed(situation, move.interval, moves.offered[size_t(move.binds)]));
    else if (move.event >= 0)
        play(situation, moves.events[move.event], out);
    else
        submit(situation, move.interval, out);
    for (Child &child : out) {
        child.situation.hidden = situation.hidden + 1;
        // Bindings that this child passes over are pruned later, unless it binds others.
        for (const Bound &all : moves.offered) {
            if (child.binds.empty() && std::ranges::none_of(all, [&](const auto &one) {
                    return stampOf(child.situation, one.first) != nullptr;
                }))
                child.situation.offered.push_back(all);
        }
        advance(child.situation, &child.silent);
    }
    std::erase_if(out, [&](const Child &child) { return isHopeless(child.situation); });
    return out;
}

std::vector<Linearizer::Child> Linearizer::children(const Situation &situation) const
{
    const Moves moves = this->moves(situation);
    std::vector<Child> all;
    for (size_t i = 0; i < moves.all.size(); ++i) {
        std::vector<Child> some = children(situation, moves, i);
        std::ranges::move(some, std::back_inserter(all));
    }
    return all;
}

/// Returns the etags that an observation or snapshot would bind now; empty if it does not fit.
Linearizer::Bound Linearizer::bindsOf(const Situation &situation, int interval) const
{
    Bound binds;
    for (const Seen &one : m_intervals[size_t(interval)].seen) {
        const Observation &seen = m_history.observations[one.observation];
        if (!seen.isOfResource() || !shows(situation.world, seen))
            return {};
        if (one.etag < 0)
            continue;
        const Resource resource = situation.world.tree.find(seen.path);
        const quint64 *stamp = stampOf(situation, one.etag);
        if (resource == NoResource || (stamp && !isCurrent(situation, one.etag)))
            return {};
        if (stamp)
            continue;
        const quint64 now = situation.world.tree.stamp(resource);
        binds.emplace_back(one.etag, now);
    }
    std::ranges::sort(binds);
    binds.erase(std::unique(binds.begin(), binds.end()), binds.end());
    return binds;
}

/// Returns the situation without an open interval, which is explained without an event.
Linearizer::Child Linearizer::without(const Situation &situation, int interval) const
{
    Child child { .situation = situation, .event = {}, .answers = {}, .record = {} };
    std::erase(child.situation.open, interval);
    child.interval = interval;
    return child;
}

Linearizer::Child Linearizer::observed(
    const Situation &situation, int interval, const Bound &binds) const
{
    Child child = without(situation, interval);
    Bound &etags = child.situation.etags;
    etags.insert(etags.end(), binds.begin(), binds.end());
    std::ranges::sort(etags);
    std::erase_if(child.situation.offered, [&](const Bound &all) {
        return std::ranges::any_of(all, [&](const auto &one) {
            return std::ranges::find(binds, one.first, &std::pair<int, quint64>::first)
                != binds.end();
        });
    });
    child.binds = binds;
    return child;
}

Linearizer::SharedRequest Linearizer::spelled(
    int request, const QString &ifMatch, const QString &ifNoneMatch) const
{
    const QString key = u"%1\n%2\n%3"_s.arg(request).arg(ifMatch, ifNoneMatch);
    SharedRequest &known = m_spellings[key];
    if (known)
        return known;
    auto copy = QSharedPointer<Request>::create(*m_requests[size_t(request)]);
    copy->ifMatch = ifMatch;
    copy->ifNoneMatch = ifNoneMatch;
    known = copy;
    m_requestOf.insert(known.get(), request);
    if (isWatched(request))
        m_writer.mark(known.get(), request);
    return known;
}

/// Returns variants of a request, with etags translated to the engine's and the etag each binds
/// (-1: none). With unbound etags there are two variants: they match the resource's, or not.
std::vector<std::pair<Linearizer::SharedRequest, int>> Linearizer::spellings(
    const Situation &situation, int request) const
{
    const Request &as = *m_requests[size_t(request)];
    const QStringList tags = tagsOf(as.ifMatch) + tagsOf(as.ifNoneMatch);
    if (tags.isEmpty())
        return { { m_requests[size_t(request)], -1 } };
    const Resource resource = situation.world.tree.find(as.path);
    const QString own =
        resource == NoResource ? NoEtag.toString() : etag(situation.world, resource);
    int unknown = -1;
    bool isUnknown = false;
    const auto spelledAs = [&](const QString &header, bool matches) {
        QStringList result;
        for (const QString &tag : header.split(u',', Qt::SkipEmptyParts)) {
            if (tag.trimmed() == u"*" || tag == NoEtag) {
                result += tag.trimmed();
                continue;
            }
            const int number = m_etagNumbers.value(etagKey(as.path, tag.trimmed()), -1);
            if (number >= 0 && stampOf(situation, number)) {
                result += isCurrent(situation, number) ? own : NoEtag.toString();
                continue;
            }
            isUnknown = true;
            unknown = number;
            result += matches ? own : NoEtag.toString();
        }
        return result.join(u',');
    };
    std::vector<std::pair<SharedRequest, int>> result {
        { spelled(request, spelledAs(as.ifMatch, false), spelledAs(as.ifNoneMatch, false)), -1 }
    };
    if (isUnknown && resource != NoResource)
        result.emplace_back(
            spelled(request, spelledAs(as.ifMatch, true), spelledAs(as.ifNoneMatch, true)),
            tags.size() == 1 ? unknown : -1);
    return result;
}

void Linearizer::submit(const Situation &situation, int interval, std::vector<Child> &out) const
{
    const int request = m_intervals[size_t(interval)].request;
    const RecordedRequest &asked = m_history.requests[request];
    for (const auto &[spelling, etag] : spellings(situation, request)) {
        Situation before = situation;
        std::erase(before.open, interval);
        if (etag >= 0) {
            const Resource resource = before.world.tree.find(asked.request.path);
            before.etags.emplace_back(etag, before.world.tree.stamp(resource));
            std::ranges::sort(before.etags);
        }
        before.earliest = std::max(before.earliest, wholeMs(asked.sent));
        before.hasty += quint32(std::ranges::count_if(before.open, [&](int other) {
            const Interval &row = m_intervals[size_t(other)];
            return row.request >= 0 && row.closes && row.to < m_intervals[size_t(interval)].to;
        }));
        before.after = std::max(before.after, asked.sent);
        const Event event {
            .kind = Event::Kind::Submit, .time = before.earliest, .request = spelling
        };
        play(before, event, out);
    }
}

/// Returns the possible unobserved events: ends and beginnings of work, timeouts, timer firings.
QList<Event> Linearizer::hidden(const Situation &situation) const
{
    const World &world = situation.world;
    const qint64 now = wholeMs(std::ceil(this->now(situation)));
    QList<Event> result;
    for (const auto &running : world.running) {
        QList<Event> events = endsOf(m_rules, world, *running, true);
        const bool attempts = running->phase == Running::Phase::Attempting && running->due >= 0;
        if (attempts && running->planned != m_rules.retried
            && choices(m_rules, world, running->serial).contains(m_rules.retried))
            events.append({ .kind = Event::Kind::End,
                .operation = running->serial,
                .outcome = m_rules.retried });
        for (Event &event : events) {
            event.time = situation.earliest;
            if (event.kind == Event::Kind::Expire && m_hasClocks) {
                if (running->deadline > now)
                    continue;
                event.time = std::max(event.time, running->deadline);
            }
            result += event;
        }
    }
    for (Event &event : firingsOf(m_rules, world)) {
        event.time = situation.earliest;
        if (m_hasClocks) {
            const auto &timer =
                m_rules.state(m_rules.stateOf(world.tree.code(event.resource))).timer;
            if (!timer)
                continue;
            const qint64 since = std::max<qint64>(world.timed.value(event.resource).since, 0);
            const qint64 due =
                instar::momentOf(m_rules, world, event.resource, *timer, since).value_or(0);
            if (due > now)
                continue;
            event.time = std::max(situation.earliest, due);
        }
        result += event;
    }
    return result;
}

void Linearizer::play(const Situation &situation, const Event &event, std::vector<Child> &out) const
{
    const int request = event.request ? m_requestOf.value(event.request.get(), -1) : -1;
    const RecordedRequest *asked = request < 0 ? nullptr : &m_history.requests[request];
    const auto isNothing = [&](const Record &record) {
        if (asked) {
            const bool mayNotHappen = asked->answer == RecordedRequest::Answer::Lost
                || asked->answer == RecordedRequest::Answer::Unknown;
            return mayNotHappen && !isWatched(request) && record.changes.size() == 1
                && (record.changes.front().kind == Change::Kind::Rejected
                    || (record.changes.front().kind == Change::Kind::Observed
                        && record.changes.front().transition == Rules::None));
        }
        // A retry that changes nothing cannot be observed.
        return event.kind == Event::Kind::End && event.outcome == m_rules.retried
            && record.changes.size() == 1 && record.changes.front().moved == 0
            && record.changes.front().from == record.changes.front().to
            && situation.world.find(event.operation)->cursor == 0
            && choices(m_rules, situation.world, event.operation).contains(m_rules.failed);
    };
    const bool isTold = !event.request || event.request->requestId.isEmpty();
    if (asked && isTold && asked->answer <= RecordedRequest::Answer::Refused) {
        const Admission admitted = admission(m_rules, situation.world, *event.request, {}, 0, true);
        const bool refused = admitted.verdict == Admission::Verdict::Refused;
        if (admitted.unanswered.empty()
            && (refused != (asked->answer == RecordedRequest::Answer::Refused)
                || (refused && !asked->isRefusedWith(admitted.code))))
            return;
    }
    for (Way &way : waysOn(m_rules, Players(), { situation.world, {} }, event)) {
        if (isNothing(way.record)
            || (asked && !isAnswered(situation, *asked, way.record, event.request.get())))
            continue;
        Child child { .situation = situation,
            .event = std::move(way.event),
            .answers = std::move(way.answers),
            .record = std::move(way.record) };
        Situation &next = child.situation;
        next.world = std::move(way.next.world);
        if (asked)
            next.after = std::max(next.after, asked->sent);
        else
            next.after = std::max(next.after, lastClose(situation));
        next.earliest = std::max(next.earliest, event.time);
        child.after = next.after;
        follow(next, child.record);
        out.push_back(std::move(child));
    }
}

bool Linearizer::isAnswered(const Situation &situation, const RecordedRequest &asked,
    const Record &record, const Request *request) const
{
    if (asked.answer != RecordedRequest::Answer::Accepted
        && asked.answer != RecordedRequest::Answer::Refused)
        return true;
    const auto own = std::ranges::find_if(record.changes,
        [&](const Change &change) { return change.request.get() == request && !change.requirer; });
    if (own == record.changes.end() || (asked.began && own->kind == Change::Kind::Observed))
        return false;
    QString refusal = own->kind == Change::Kind::Rejected ? own->code : QString();
    if (own->kind == Change::Kind::Replayed) {
        const auto first = std::ranges::find(situation.fates, own->other, &Fate::serial);
        if (first != situation.fates.end() && first->status == Status::Rejected)
            refusal = first->code;
    }
    return refusal.isEmpty() ? asked.answer == RecordedRequest::Answer::Accepted
                             : asked.isRefusedWith(refusal);
}

/// Updates the fates of watched requests after a step.
void Linearizer::follow(Situation &situation, const Record &record) const
{
    // Adds all new fates first: a record lists an operation after those that it cancels.
    for (const Change &change : record.changes) {
        const int request =
            change.request && !change.requirer ? m_requestOf.value(change.request.get(), -1) : -1;
        if (request < 0 || !isWatched(request)
            || std::ranges::find(situation.fates, request, &Fate::request) != situation.fates.end())
            continue;
        Fate fate { .request = request, .serial = change.operation };
        if (change.kind == Change::Kind::Replayed) {
            const auto first = std::ranges::find(situation.fates, change.other, &Fate::serial);
            if (first != situation.fates.end()) {
                fate = *first;
                fate.request = request;
            }
        }
        situation.fates.push_back(fate);
    }
    for (const Change &change : record.changes) {
        const Status status = statusAfter(m_rules, change).value_or(Status::InProgress);
        for (Fate &fate : situation.fates) {
            if (fate.serial == change.operation && !fate.isOver() && status != Status::Waiting) {
                fate.status = status;
                fate.code = status == Status::Rejected ? change.code : QString();
            }
        }
    }
    std::ranges::sort(situation.fates, {}, &Fate::request);
}

// ---- keys

void Linearizer::key(const Situation &situation, QByteArray &out, std::vector<int> *silent) const
{
    out.resize(0);
    m_writer.write(situation.world, out);
    appendBytes(situation.position, out);
    std::vector<int> open;
    for (const int interval : situation.open)
        (m_intervals[size_t(interval)].isSilent ? *silent : open).push_back(interval);
    std::ranges::sort(open);
    std::ranges::sort(*silent);
    appendBytes(quint32(open.size()), out);
    for (const int interval : open)
        appendBytes(quint32(interval), out);
    for (const Fate &fate : situation.fates) {
        appendBytes(quint32(fate.request), out);
        out += fate.isOver() ? char('1' + int(fate.status)) : '0';
        if (!fate.code.isEmpty())
            out += fate.code.toUtf8();
    }
    for (const auto &[etag, stamp] : situation.etags) {
        appendBytes(quint32(etag), out);
        out += stamp == Past ? '0' : '1';
    }
    if (!m_hasClocks)
        return;
    appendBytes(situation.earliest, out);
    QList<Resource> timed = situation.world.timed.keys();
    std::ranges::sort(timed);
    for (const Resource resource : timed)
        appendBytes(situation.world.timed[resource].since, out);
    for (const auto &running : situation.world.running)
        appendBytes(running->deadline, out);
}

} // namespace instar
