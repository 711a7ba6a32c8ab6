// SPDX-License-Identifier: Apache-2.0
#include "tests/support/recording.h"

#include "model/engine/operationlog.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Simulated server and its clients; records their history.
class Recorder
{
public:
    Recorder(const Playground &ground, const RecordingSize &size)
        : r(ground.rules),
          m_ground(ground),
          m_size(size),
          w(ground.world),
          m_misbehaviour(ground.rules)
    {
        const Scenario start = scenarioOf(r, w);
        m_result.history.file = u"random"_s;
        m_result.history.pack = r.pack().id;
        m_result.history.switches = r.switches();
        m_result.history.resources = start.resources.value_or(QList<ResourceSpec>());
    }

    Recorded recorded()
    {
        int requests = m_size.requests, observations = m_size.observations;
        if (m_size.seesAll)
            seeAll();
        while (requests + observations > 0) {
            pass(below(m_size.gap + 1));
            if (m_size.seesAll)
                seeAll();
            if (below(requests + observations) < requests) {
                --requests;
                ask();
            } else {
                --observations;
                if (m_started.isEmpty() || below(3))
                    see();
                else
                    seeOperation(m_started[below(int(m_started.size()))]);
            }
            if (m_size.seesAll)
                seeAll();
        }
        return std::move(m_result);
    }

private:
    void happen(const Event &event)
    {
        Stepped stepped = step(r, std::move(w), event);
        w = std::move(stepped.world);
        m_log.apply(r, stepped.record, w);
        m_result.truth += told(event);
        m_last = std::move(stepped.record);
        m_misbehaviour.follow(m_last, w);
    }

    /// Returns true if the next request can break the rule, and none has.
    bool breaks(const Request &request) const
    {
        return m_size.fault && !m_result.isBroken
            && m_misbehaviour.isPossible(*m_size.fault, w, request, admission(r, w, request));
    }

    /// Observes everything in turn, so that no change goes unobserved.
    void seeAll()
    {
        for (const quint32 serial : std::as_const(m_started)) {
            ++m_now;
            seeOperation(serial);
        }
        for (const QString &path : m_ground.paths) {
            ++m_now;
            see(path);
        }
        ++m_now;
    }

    /// Advances time and plays due events; sometimes ends a piece of work early with a random
    /// outcome.
    void pass(int ms)
    {
        const qint64 until = m_now + ms;
        for (int i = 0; i < 50; ++i) {
            const Event next = nextEvent(r, w);
            if (next.kind == Event::Kind::Wait || next.time > until)
                break;
            happen(next);
        }
        m_now = std::max(w.now, until);
        if (w.running.empty() || below(3))
            return;
        const quint32 serial = w.running[size_t(below(int(w.running.size())))]->serial;
        const QList<Rules::TriggerId> possible = possibleOutcomes(r, w, serial);
        if (!possible.isEmpty())
            happen({ .kind = Event::Kind::End,
                .time = m_now,
                .operation = serial,
                .outcome = possible[below(int(possible.size()))] });
    }

    std::pair<double, double> around()
    {
        const int before = below(m_size.slack + 1), after = below(m_size.slack + 1);
        return { std::max<double>(0, double(m_now - before)), double(m_now + after) };
    }

    void ask()
    {
        Request request = anyRequest(m_ground, ++m_number);
        request.hang = request.hang && below(3) == 0;
        request.outcome.clear(); // one that no row takes would be as good
        for (const QString &label : r.labels()) {
            if (!r.openLabels().contains(label)) // only time tells
                request.conditions.remove(label);
        }
        if (!request.ifMatch.isEmpty() && request.ifMatch != u"*")
            request.ifMatch = etagAt(w, request.path);
        if (!m_size.hasPreconditions) {
            request.ifMatch.clear();
            request.ifNoneMatch.clear();
            request.requestId.clear();
        }
        RecordedRequest asked { .line = nextLine(),
            .request = { .op = request.op,
                .path = request.path,
                .id = request.id,
                .client = u"c%1"_s.arg(below(4)),
                .conditions = request.conditions,
                .ifMatch = request.ifMatch,
                .ifNoneMatch = request.ifNoneMatch,
                .requestId = request.requestId,
                .properties = request.properties,
                .references = request.references } };
        std::tie(asked.sent, asked.answered) = around();
        const bool isLost = m_size.loses && below(10) == 0;
        if (isLost)
            asked.answer = RecordedRequest::Answer::Lost;
        if (isLost && below(2)) {
            m_result.history.requests += asked;
            m_result.answers += Change { .kind = Change::Kind::Sent };
            return;
        }
        const auto shared = QSharedPointer<Request>::create(request);
        const bool isBrokenConstraint = breaks(request);
        const World before = w;
        happen({ .kind = Event::Kind::Submit, .time = m_now, .request = shared });
        Change answer;
        for (const Change &change : m_last.changes) {
            if (change.request == shared)
                answer = change;
        }
        if (isBrokenConstraint) {
            m_result.isBroken = true;
            m_misbehaviour.begin(*m_size.fault, answer.operation, request, before, w);
        }
        const Operation operation = standing(answer.operation);
        if (answer.kind == Change::Kind::Rejected && operation.status != Status::Rejected) {
            if (!isLost)
                m_result.untrue.insert(asked.line);
        } else if (!isLost && answer.kind == Change::Kind::Rejected) {
            asked.answer = RecordedRequest::Answer::Refused;
            asked.code = answer.code;
        } else if (!isLost && answer.kind == Change::Kind::Replayed
            && operation.status == Status::Rejected) {
            asked.answer = RecordedRequest::Answer::Refused;
            asked.code = operation.errorCode;
        }
        m_started += operation.serial;
        m_result.history.requests += asked;
        m_result.answers += answer;
    }

    Operation standing(quint32 serial) const
    {
        return m_misbehaviour.falsified(*m_log.find(serial), w);
    }

    void see()
    {
        if (below(4))
            see(m_ground.paths[below(int(m_ground.paths.size()))]);
        else
            seeTogether();
    }

    /// Observes all resources at one moment.
    void seeTogether()
    {
        const auto [from, to] = around();
        ++m_snapshots;
        for (const QString &path : m_ground.paths)
            see({ .line = nextLine(),
                .path = path,
                .from = from,
                .to = to,
                .snapshot = m_snapshots });
    }

    void see(const QString &path)
    {
        Observation seen { .line = nextLine(), .path = path };
        std::tie(seen.from, seen.to) = around();
        see(seen);
    }

    void see(Observation seen)
    {
        Observation truth = shown(w, seen);
        seen = m_misbehaviour.isEmpty() ? truth : shown(m_misbehaviour.falsified(w), seen);
        if (seen.word && !m_size.seesAll && !below(2)) {
            seen.etag.clear();
            truth.etag.clear();
        }
        if (seen != truth)
            m_result.untrue.insert(seen.line);
        m_result.history.observations += seen;
    }

    Observation shown(const World &world, Observation seen) const
    {
        const Resource resource = world.tree.find(seen.path);
        if (resource == NoResource || !r.isShown(world.tree.code(resource)))
            return seen;
        seen.word = r.shown(world.tree.code(resource));
        seen.etag = etag(world, resource);
        return seen;
    }

    void seeOperation(quint32 serial)
    {
        const Operation operation = standing(serial);
        Observation seen { .line = nextLine(), .operation = operation.id };
        if (operation.status != m_log.find(serial)->status)
            m_result.untrue.insert(seen.line);
        std::tie(seen.from, seen.to) = around();
        Status status = operation.status;
        const Running *running = w.find(operation.serial);
        if (running && !operation.isOver() && running->phase == Running::Phase::Until)
            status = Status::Waiting;
        seen.word = statusName(status);
        m_result.history.observations += seen;
    }

    int nextLine() { return m_result.history.headerLine + int(m_result.history.size()) + 1; }

    const Rules &r;
    const Playground &m_ground;
    RecordingSize m_size;
    World w;
    Misbehaviour m_misbehaviour;
    OperationLog m_log;
    Record m_last;
    Recorded m_result;
    QList<quint32> m_started;
    qint64 m_snapshots = 0;
    qint64 m_now = 0;
    int m_number = 0;
};

} // namespace

Recorded recorded(const Playground &ground, const RecordingSize &size)
{
    return Recorder(ground, size).recorded();
}

void follow(
    ConformanceMonitor &monitor, const QList<ResourceSpec> &resources, const QStringList &absent)
{
    QStringList paths = absent;
    for (const ResourceSpec &resource : resources) {
        monitor.connect(resource);
        paths += resource.path;
    }
    for (const QString &path : std::as_const(paths))
        monitor.lose(path, ConformanceMonitor::Why::NotObserved, 0);
    for (const ConformanceMonitor::Lost &lost : monitor.lost()) {
        QList<ResourceSpec> known = resources;
        known.removeIf([&](const ResourceSpec &one) {
            return !lost.trees.contains(monitor.treeOf(one.path));
        });
        monitor.resume(lost.trees, known);
    }
}

Playground anyPlayground()
{
    static const QStringList packs { u"network-controller"_s, u"network-controller-sync"_s,
        u"pulumi"_s, u"blazar"_s, u"aps"_s };
    const int which = below(7);
    return which < 5 ? knownPlayground(packs[which]) : randomPlayground();
}

} // namespace instar
