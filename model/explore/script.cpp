// SPDX-License-Identifier: Apache-2.0
#include "model/explore/script.h"

namespace instar {

namespace {

constexpr quint16 Replays = 256; ///< status from here on: replays operation (status - Replays)

/// Returns true if the running attempt may end in any outcome. `anyOutcome`, the operation's own
/// plan, is overridden by the plan of a piece of work or of the requirer.
bool mayEndInAnyOutcome(const Rules &rules, const Running &running, bool anyOutcome)
{
    if (running.work == Rules::None)
        return anyOutcome;
    const Request &request = *running.request;
    const auto plan = workPlanFor(request, rules.state(running.work).id);
    if (plan != request.work.constEnd() && (plan->anyOutcome || !plan->outcomes.isEmpty()))
        return plan->anyOutcome;
    const bool isPassedOn = running.requirer && !request.outcome.isEmpty();
    return anyOutcome && !isPassedOn;
}

/// Returns true if the clock alone causes an event. Ends of attempts and retries do not count.
bool isCausedByClock(const World &world, const Event &event)
{
    if (event.kind == Event::Kind::Begin)
        return world.find(event.operation)->phase == Running::Phase::Until;
    return event.kind == Event::Kind::Fire || event.kind == Event::Kind::Expire;
}

bool namesEtag(const QString &header)
{
    return !header.isEmpty() && header.trimmed() != u"*";
}

/// Returns true if the clock submitted a request, which shows in its client name and id.
bool isFromClock(const Request &request)
{
    return request.client == u"clock" && request.id.startsWith(u"clock.");
}

/// Returns the id of an operation that was pending before an event or that the event started.
QString idOf(const World &before, const Record &record, quint32 serial)
{
    const auto started = std::ranges::find_if(record.changes,
        [&](const Change &change) { return change.request && change.operation == serial; });
    return started == record.changes.end() ? before.idOf(serial) : started->request->id;
}

/// Adds the derived operations of a record, whose event happened in `before`.
void addDerived(const World &before, const Record &record, QMap<QString, Derived> &derived)
{
    for (const Change &change : record.changes) {
        if (change.request && (change.requirer || isFromClock(*change.request)))
            derived.insert(change.request->id,
                { change.request,
                    change.requirer ? idOf(before, record, change.requirer) : QString() });
    }
}

/// Returns an event that can be played: with the planned outcome filled in.
Event scheduled(const World &before, Event event)
{
    const Running *running = before.find(event.operation);
    if (event.kind == Event::Kind::End && event.outcome == Rules::None && running)
        event.outcome = running->planned;
    return event;
}

} // namespace

QList<Event> endsOf(const Rules &rules, const World &world, const Running &running, bool anyOutcome)
{
    QList<Event> events;
    if (running.deadline >= 0)
        events.append({ .kind = Event::Kind::Expire, .operation = running.serial });
    if (running.due < 0)
        return events;
    const Event event { .kind = running.phase == Running::Phase::Attempting ? Event::Kind::End
                                                                            : Event::Kind::Begin,
        .operation = running.serial };
    const bool repeats = running.planned == rules.retried;
    const auto isUnusual = [&] {
        return rules.state(running.work).work[size_t(running.cursor)].name != running.planned;
    };
    if (event.kind == Event::Kind::Begin || !anyOutcome || (repeats && isUnusual()))
        return events << event;
    for (const Rules::TriggerId outcome : possibleOutcomes(rules, world, running.serial)) {
        if (outcome == rules.retried && !repeats)
            continue;
        events.append(event);
        events.last().outcome = outcome;
    }
    if (events.isEmpty() || events.last().kind == Event::Kind::Expire)
        events.append(event);
    return events;
}

QList<Event> firingsOf(const Rules &rules, const World &world, const Scope &scope)
{
    QList<Event> events;
    if (!rules.hasTimers())
        return events;
    for (auto it = world.timed.cbegin(); it != world.timed.cend(); ++it) {
        if (scope.has(world, it.key()))
            events.append({ .kind = Event::Kind::Fire, .resource = it.key() });
    }
    std::ranges::sort(events, {}, &Event::resource);
    return events;
}

bool hasClocks(const Rules &rules)
{
    return rules.hasTimers()
        || std::ranges::any_of(rules.states(), [](const auto &state) { return bool(state.limit); });
}

bool needClock(const Rules &rules)
{
    return hasClocks(rules)
        || (rules.hasUntil() && rules.openLabels().size() < rules.labels().size());
}

Script::Script(
    const Rules &rules, const Scenario &scenario, By by, const World &beginning, Premises premises)
    : m_rules(rules), m_by(by), m_premises(std::move(premises))
{
    QHash<QString, int> clients;
    for (const ScenarioStep &step : scenario.steps) {
        if (step.kind != ScenarioStep::Kind::Submit)
            continue;
        const Request &request = step.request;
        const auto number = int(m_planned.size());
        int client = clients.value(request.client, None);
        if (client == None) {
            client = int(m_clients.size());
            m_clients.emplace_back();
            if (!request.client.isEmpty())
                clients.insert(request.client, client);
        }
        m_clients[size_t(client)].push_back(number);

        PlannedOperation planned { .id = request.id,
            .requestId = request.requestId,
            .client = client,
            .anyOutcome = step.anyOutcome };
        for (const QString &op : step.ops.isEmpty() ? QStringList { request.op } : step.ops) {
            for (const QString &path :
                step.paths.isEmpty() ? QStringList { request.path } : step.paths) {
                auto choice = QSharedPointer<Request>::create(request);
                choice->op = op;
                choice->path = path;
                if (step.anyOutcome)
                    choice->outcome.clear();
                m_plannedIndex.insert(choice.get(), number);
                planned.choices.push_back(choice);
                if (namesEtag(request.ifMatch) || namesEtag(request.ifNoneMatch))
                    m_stamped += path;
            }
        }
        m_planned.push_back(std::move(planned));
    }
    m_stamped.removeDuplicates();
    beginning.eachPending([&](const PendingOperation &one) {
        if (one.requirer || !m_premises.scope.has(one.request->path))
            return;
        m_plannedIndex.insert(one.request.get(), int(m_planned.size()));
        m_planned.push_back({ .id = one.request->id,
            .requestId = one.request->requestId,
            .client = None,
            .anyOutcome = m_premises.runningEnds == RunningEnds::EveryOutcome || one.request->hang,
            .choices = { one.request } });
    });
}

void Script::mark(WorldKeyWriter &writer) const
{
    for (auto it = m_plannedIndex.cbegin(); it != m_plannedIndex.cend(); ++it) {
        const int any = m_planned[size_t(it.value())].anyOutcome ? 1 : 0;
        writer.mark(it.key(), m_by == By::Operations ? 2 * it.value() + any : any);
    }
}

SearchState Script::startOf(const World &world) const
{
    ClientMemory memory { .positions = QList<quint16>(qsizetype(m_clients.size()), 0),
        .stamps = stampsIn(world),
        .statuses = QList<quint16>(qsizetype(m_planned.size()), 0) };
    world.eachPending([&](const PendingOperation &one) {
        const Status status = world.find(one.serial) ? Status::InProgress : Status::Waiting;
        if (const int index = m_plannedIndex.value(one.request.get(), None); index != None)
            memory.statuses[index] = quint16(int(status) + 1);
    });
    return { world, std::move(memory) };
}

QList<quint64> Script::stampsIn(const World &world) const
{
    QList<quint64> stamps;
    for (const QString &path : m_stamped) {
        const Resource resource = world.tree.find(path);
        stamps += resource == NoResource ? ~quint64(0) : world.tree.stamp(resource);
    }
    if (!stamps.isEmpty())
        stamps += world.stamp;
    return stamps;
}

int Script::plannedIndexOf(const World &world, const Running *running) const
{
    while (running && running->requirer)
        running = world.find(running->requirer);
    return running ? m_plannedIndex.value(running->request.get(), -1) : -1;
}

QList<Event> Script::moves(const SearchState &state) const
{
    QList<Event> events;
    for (size_t client = 0; client < m_clients.size(); ++client) {
        const size_t position = state.memory.positions[qsizetype(client)];
        if (position >= m_clients[client].size())
            continue;
        for (const auto &request : m_planned[size_t(m_clients[client][position])].choices)
            events.append({ .kind = Event::Kind::Submit, .request = request });
    }
    const World &world = state.world;
    for (const auto &running : world.running) {
        if (!m_premises.scope.has(running->path))
            continue;
        const int index = plannedIndexOf(world, running.constData());
        const bool anyOutcome = index >= 0 && m_planned[size_t(index)].anyOutcome;
        events +=
            endsOf(m_rules, world, *running, mayEndInAnyOutcome(m_rules, *running, anyOutcome));
    }
    events += firingsOf(m_rules, world, m_premises.scope);
    if (m_premises.timers == Timers::Stopped)
        events.removeIf([&](const Event &event) { return isCausedByClock(world, event); });
    return events;
}

std::optional<ClientMemory> Script::memoryAfter(
    const SearchState &before, const Event &event, const Record &record, const World &after) const
{
    if (!MoveGenerator::memoryAfter(before, event, record, after))
        return {};
    ClientMemory memory = before.memory;
    if (event.kind == Event::Kind::Submit)
        ++memory.positions[m_planned[size_t(m_plannedIndex[event.request.get()])].client];
    updateStatuses(memory.statuses, before, record);
    memory.stamps = stampsIn(after);
    memory.mark = m_premises.mark && m_premises.mark(before);
    return memory;
}

void Script::updateStatuses(
    QList<quint16> &statuses, const SearchState &before, const Record &record) const
{
    QHash<quint32, int> started;
    for (const Change &change : record.changes) {
        int index = -1;
        if (change.request)
            index = change.requirer ? -1 : m_plannedIndex.value(change.request.get(), -1);
        else if (const PendingOperation *own = before.world.pending(change.operation);
                 own && !own->requirer)
            index = m_plannedIndex.value(own->request.get(), -1);
        else
            index = started.value(change.operation, -1);
        if (index < 0)
            continue;
        if (change.kind == Change::Kind::Queued || change.kind == Change::Kind::Started)
            started.insert(change.operation, index);
        if (const std::optional<Status> status = statusAfter(m_rules, change))
            statuses[index] = quint16(int(*status) + 1);
        if (change.kind != Change::Kind::Replayed)
            continue;
        for (size_t other = 0; other < m_planned.size(); ++other) {
            const quint16 known = statuses.at(qsizetype(other));
            if (m_planned[other].requestId == m_planned[size_t(index)].requestId && known
                && known < Replays)
                statuses[index] = quint16(Replays + other);
        }
    }
}

QMap<QString, QString> Script::statuses(const SearchState &state) const
{
    QSet<int> waiting; // indices in m_planned
    for (const auto &running : state.world.running) {
        if (running->phase == Running::Phase::Until && !running->requirer)
            waiting.insert(plannedIndexOf(state.world, running.constData()));
    }
    QMap<QString, QString> result;
    const QList<quint16> &all = state.memory.statuses;
    for (size_t index = 0; index < m_planned.size(); ++index) {
        int own = int(index);
        if (all[own] >= Replays)
            own = all[own] - Replays;
        const quint16 known = all[own];
        if (known)
            result.insert(m_planned[index].id,
                statusName(waiting.contains(own) ? Status::Waiting : Status(known - 1)));
    }
    return result;
}

QString Script::words(const World &before, const SearchEdge &edge) const
{
    const Event event = scheduled(before, edge.event);
    QString words = eventWords(m_rules, before, event);
    if (event.kind == Event::Kind::Submit) {
        const int index = m_plannedIndex.value(event.request.get(), -1);
        if (index >= 0 && m_planned[size_t(index)].choices.size() > 1)
            words += u" %1 %2"_s.arg(event.request->op, event.request->path);
    } else if (event.kind == Event::Kind::End) { // the outcome comes first
        words = m_rules.triggerName(event.outcome) + u' ' + before.find(event.operation)->id;
    }
    return withAnswers(m_rules, words, edge.answers);
}

QString eventWords(const Rules &rules, const World &before, const Event &event)
{
    const Running *running = before.find(event.operation);
    switch (event.kind) {
    case Event::Kind::Submit:
        return u"submit "_s + event.request->id;
    case Event::Kind::Begin:
        return u"begin "_s + running->id;
    case Event::Kind::Expire:
        return u"time over for "_s + running->id;
    case Event::Kind::End:
        return u"end %1 %2"_s.arg(running->id, rules.triggerName(scheduled(before, event).outcome));
    case Event::Kind::Fire:
        return u"fire "_s + before.tree.path(event.resource);
    case Event::Kind::Cancel:
    case Event::Kind::Wait:
        break;
    }
    return {};
}

QString withAnswers(
    const Rules &rules, const QString &words, std::span<const std::pair<int, bool>> answers)
{
    QStringList given;
    for (const auto &[label, answer] : answers)
        given += (answer ? QString() : u"!"_s) + rules.labels()[label];
    return given.isEmpty() ? words : u"%1 (%2)"_s.arg(words, given.join(u", "_s));
}

Result<Scenario> explorable(const Scenario &scenario, const Stage &stage)
{
    for (const ScenarioStep &step : scenario.steps) {
        if (step.kind == ScenarioStep::Kind::End) {
            return Error {
                u"%1:%2: the step ends operation %3 by hand, but explore tries every order; remove the step and give the operation an outcome, or \"any\""_s
                    .arg(scenario.file, QString::number(step.line), step.operation)
            };
        }
        if (step.seenAt) {
            return Error {
                u"%1:%2: the step demands the etag observed at step %3, but explore tries every order, so that etag is not fixed; demand a literal etag or none"_s
                    .arg(scenario.file, QString::number(step.line), QString::number(*step.seenAt))
            };
        }
    }
    return named(scenario, generatedNames(scenario, stage.world.tree));
}

Trace Script::traceOf(const SearchState &start, const std::vector<SearchEdge> &edges) const
{
    Trace result;
    start.world.eachPending([&](const PendingOperation &one) {
        if (one.requirer || isFromClock(*one.request))
            result.derived.insert(one.request->id,
                { one.request, one.requirer ? start.world.idOf(one.requirer) : QString() });
    });
    const SearchState *now = &start;
    for (const SearchEdge &edge : edges) {
        result.trace += words(now->world, edge);
        result.schedule += scheduled(now->world, edge.event);
        addDerived(now->world, edge.record, result.derived);
        for (const Change &change : edge.record.changes) {
            const QString id = idOf(now->world, edge.record, change.operation);
            if (change.kind == Change::Kind::Canceled && change.conflict != Rules::None)
                result.deciding.insert(id, m_rules.conflictText(change.conflict));
            const bool isRefusedLater =
                change.outcome == m_rules.rejected && now->world.waiting(change.operation);
            if (change.kind != Change::Kind::Rejected && !isRefusedLater)
                continue;
            result.refusals.insert(id, { change.http, change.code, change.rule });
            result.deciding.insert(id, change.rule);
        }
        now = &edge.next;
    }
    result.resources = shownWords(m_rules, now->world);
    result.operations = statuses(*now);
    return result;
}

} // namespace instar
