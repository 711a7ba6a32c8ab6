// SPDX-License-Identifier: Apache-2.0
#include "model/engine/stepper.h"

#include "model/engine/clock.h"
#include "model/engine/question.h"
#include "model/engine/step.h"

#include <QSet>

#include <algorithm>
#include <limits>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

void Stepper::happen(const Event &event)
{
    w.now = std::max(w.now, event.time);
    m_timeless = event.timeless;
    m_isTold = !event.timeless || event.isTold;
    for (const Event::OthersAnswer &given : event.othersAnswers) {
        if (Running *other = w.change(given.operation))
            other->answers.insert(given.label, given.isSo);
    }
    Running *running = event.operation ? w.change(event.operation) : nullptr;
    if (running) {
        for (auto it = event.answers.cbegin(); it != event.answers.cend(); ++it)
            running->answers.insert(it.key(), it.value());
    }

    switch (event.kind) {
    case Event::Kind::Wait:
        return;
    case Event::Kind::Submit:
        if (r.semantics()) {
            r.semantics()->step(r, w, m_record);
            for (const Change &change : m_record.changes)
                noteRow(change.transition);
            return;
        }
        submit(event.request, 0, event.answers);
        break;
    case Event::Kind::Fire:
        if (!w.tree.exists(event.resource) || !timerOf(event.resource))
            return;
        fire(event);
        break;
    case Event::Kind::Begin:
        if (!running || running->due < 0
            || (running->phase != Running::Phase::Delayed
                && running->phase != Running::Phase::Until))
            return;
        begin(*running);
        break;
    case Event::Kind::End:
        if (!running || running->phase != Running::Phase::Attempting)
            return;
        end(*running, event.outcome == Rules::None ? running->planned : event.outcome);
        break;
    case Event::Kind::Expire:
        if (!running || running->deadline < 0)
            return;
        expire(*running);
        break;
    case Event::Kind::Cancel:
        if (!running && !w.waiting(event.operation))
            return;
        cancel(event.operation, 0);
        break;
    }
    finishStep();
}

const Rules::Clock *Stepper::timerOf(Resource resource) const
{
    const auto &timer = r.state(r.stateOf(w.tree.code(resource))).timer;
    return timer ? &*timer : nullptr;
}

void Stepper::fire(const Event &event)
{
    auto request = QSharedPointer<Request>::create();
    request->op = r.triggerName(timerOf(event.resource)->trigger);
    request->path = w.tree.path(event.resource);
    request->id = u"clock.%1"_s.arg(w.lastSerial + 1);
    request->client = u"clock"_s;
    submit(request, 0, event.answers);
}

/// Continues work after a delay, or at the time that it waits for.
void Stepper::begin(Running &running)
{
    const qint64 moment = std::exchange(running.due, -1);
    if (running.phase == Running::Phase::Until) {
        if (!isOver(running, moment))
            return; // finishStep() checks it again, and schedules it
        ++running.cursor;
    }
    m_record.changes.push_back(
        { .kind = Change::Kind::Began, .operation = running.serial, .path = running.path });
    work(running.serial);
}

void Stepper::end(Running &running, TriggerId ended)
{
    const quint32 serial = running.serial;
    running.due = -1;
    running.planned = Rules::None;
    takeAnswer(running);
    const auto &list = r.state(running.work).work;
    if (r.isGood(ended) && running.cursor + 1 < int(list.size())) {
        m_record.changes.push_back({ .kind = Change::Kind::Worked,
            .operation = serial,
            .path = running.path,
            .from = running.work,
            .to = running.work,
            .outcome = ended,
            .attempts = running.attempts });
        if (ended != r.succeeded)
            running.soFar = ended;
        ++running.cursor;
        work(serial);
        return;
    }
    outcome(serial, r.isGood(ended) && ended == r.succeeded ? running.soFar : ended);
}

/// Ends work that timed out. Its required operations are canceled and put to rest before the
/// outcome takes effect.
void Stepper::expire(Running &running)
{
    const quint32 serial = running.serial;
    const TriggerId ended = r.state(running.work).limit->trigger;
    running.due = running.deadline = -1;
    running.planned = Rules::None;
    running.todo.clear();
    running.waitingFor = 0;
    running.phase = Running::Phase::Attempting;
    cancelRequired(serial, serial);
    std::erase_if(m_heard, [&](const Heard &heard) { return heard.requirer == serial; });
    settleOrphans();
    if (w.find(serial))
        outcome(serial, ended);
}

Asking Stepper::asking(const Running &running)
{
    return { .rules = r,
        .world = w,
        .request = running.request.get(),
        .answers = &running.answers,
        .requirer = running.requirer,
        .asked = &m_record.asked,
        .timeless = m_timeless };
}

void Stepper::finishStep()
{
    do {
        while (!m_heard.empty()) {
            const Heard heard = m_heard.front();
            m_heard.erase(m_heard.begin());
            hear(heard.requirer, heard.outcome, heard.code, heard.message);
        }
        settleOrphans();
    } while (!m_heard.empty() || !m_orphans.empty() || (r.hasUntil() && askUntils())
        || (!w.queue.empty() && callQueue()));
    if (!r.constraints().empty())
        std::ranges::move(
            watched(r, w, m_touched, m_timeless), std::back_inserter(m_record.changes));
    trimAgenda();
    if (m_isTold)
        tellHoldings();
    if (!r.hasTimers())
        return;
    if (m_isTold)
        keepTime(r, w, m_retimed, m_stirred);
    else
        w.firing.reset();
}

void Stepper::tellHoldings()
{
    std::ranges::sort(m_held);
    const auto doubles = std::ranges::unique(m_held);
    m_held.erase(doubles.begin(), doubles.end());
    for (const quint32 serial : m_held) {
        if (const Running *running = w.find(serial))
            m_record.holdings.push_back({ serial, runsOf(w.tree, running->cover) });
    }
}

bool Stepper::askUntils()
{
    std::vector<quint32> waiting;
    for (const auto &running : w.running) {
        if (running->phase == Running::Phase::Until)
            waiting.push_back(running->serial);
    }
    bool went = false;
    for (const quint32 serial : waiting) {
        const Running *running = w.find(serial);
        if (!running || running->phase != Running::Phase::Until)
            continue;
        if (!isOver(*running)) {
            wakeLater(*running);
            continue;
        }
        Running *going = w.change(serial);
        going->due = -1;
        ++going->cursor;
        work(serial);
        went = true;
    }
    return went;
}

/// Returns true if the condition that the work waits for holds. In timeless events, time counts as
/// passed only at `clock`.
bool Stepper::isOver(const Running &running, std::optional<qint64> clock)
{
    Asking asking = this->asking(running);
    asking.clock = clock;
    if (!clock && m_timeless)
        asking.clock = std::numeric_limits<qint64>::min();
    const Rules::Work &step = r.state(running.work).work[size_t(running.cursor)];
    return holds(step.until, target(running), asking);
}

/// Schedules work for the first time at which its condition holds if only time passes.
void Stepper::wakeLater(const Running &running)
{
    const Rules::Work &step = r.state(running.work).work[size_t(running.cursor)];
    const qint64 due = firstMomentOf(step.until, target(running), asking(running),
        m_timeless ? std::numeric_limits<qint64>::min() : w.now)
                           .value_or(-1);
    if (due != running.due)
        schedule(*w.change(running.serial), due);
}

/// Starts or closes the first waiting operation whose turn has come; false: there is none.
bool Stepper::callQueue()
{
    for (size_t i = 0; i < w.queue.size(); ++i) {
        const QSharedDataPointer<Queued> queued = w.queue[i];
        const auto goesOn = [this](quint32 serial) { return w.find(serial) || w.waiting(serial); };
        if (std::ranges::any_of(queued.constData()->waitsFor, goesOn))
            continue;
        const Queued &one = *queued.constData();
        Admission admitted =
            admission(r, w, *one.request, one.answers, one.requirer, m_timeless, {}, one.serial);
        noteAsked(admitted);
        if (admitted.verdict == Admission::Verdict::Waits) {
            w.queue[i]->waitsFor = std::move(admitted.waitsFor);
            continue;
        }
        w.queue.erase(w.queue.begin() + qsizetype(i));
        if (admitted.verdict == Admission::Verdict::Accepted)
            start(one.serial, one.request, admitted, one.requirer, one.answers);
        else
            closeQueued(one, admitted);
        return true;
    }
    return false;
}

/// Returns a change with a request's answer and its target's state.
Change Stepper::answerTo(const Request &request, const Admission &admitted, quint32 requirer) const
{
    Change change { .other = admitted.other,
        .requirer = requirer,
        .path = request.path,
        .code = admitted.code,
        .message = admitted.message,
        .rule = admitted.rule,
        .http = admitted.http };
    if (admitted.target != NoResource)
        change.from = change.to = r.stateOf(w.tree.code(admitted.target));
    return change;
}

/// Notes the row that refuses a request, or by which it changes no state.
void Stepper::noteAnswer(const Admission &admitted)
{
    const bool speaks = admitted.transition != Rules::None
        && (admitted.verdict == Admission::Verdict::Observed
            || r.transition(admitted.transition).refusal != Rules::None);
    if (speaks)
        noteRow(admitted.transition);
}

/// Closes a waiting operation that is no longer possible, or has no effect any more.
void Stepper::closeQueued(const Queued &queued, const Admission &admitted)
{
    const bool good = admitted.verdict != Admission::Verdict::Refused;
    const TriggerId ended = good ? r.succeeded : r.rejected;
    noteAnswer(admitted);
    Change change = answerTo(*queued.request, admitted, queued.requirer);
    change.kind = Change::Kind::Closed;
    change.operation = queued.serial;
    change.outcome = ended;
    if (admitted.verdict == Admission::Verdict::Observed)
        setInPlace(admitted, &change);
    m_closed.emplace_back(queued.serial, ended);
    if (queued.requirer)
        m_heard.push_back({ queued.requirer, ended, admitted.code, admitted.message });
    m_record.changes.push_back(std::move(change));
}

void Stepper::trimAgenda()
{
    const auto isStale = [this](const std::pair<qint64, quint32> &entry) {
        const Running *running = w.find(entry.second);
        return !running || (running->due != entry.first && running->deadline != entry.first);
    };
    if (w.agenda.size() > 4 * w.running.size() + 64) {
        std::erase_if(w.agenda, isStale);
        std::ranges::make_heap(w.agenda, std::greater());
    }
    while (!w.agenda.empty() && isStale(w.agenda.front())) {
        std::ranges::pop_heap(w.agenda, std::greater());
        w.agenda.pop_back();
    }
}

Stepped step(const Rules &rules, World world, const Event &event)
{
    return step(rules, std::move(world), event, nullptr);
}

Stepped step(const Rules &rules, World world, const Event &event, Exercised *exercised)
{
    Stepped result { std::move(world), {} };
    result.record.event = event;
    Stepper(rules, result.world, result.record, exercised).happen(event);
    for (const Change &change : result.record.changes) {
        if (exercised && !change.code.isEmpty())
            exercised->codes.insert(change.code);
    }
    return result;
}

Event nextEvent(const Rules &rules, const World &world)
{
    Event next;
    const auto [due, serial] = world.next();
    if (const Running *running = world.find(serial)) {
        next.kind = running->due != due                    ? Event::Kind::Expire
            : running->phase == Running::Phase::Attempting ? Event::Kind::End
                                                           : Event::Kind::Begin;
        next.time = due;
        next.operation = serial;
    }
    if (rules.hasTimers()) {
        const Event fired = nextFiring(rules, world);
        if (fired.kind != Event::Kind::Wait
            && (next.kind == Event::Kind::Wait || fired.time < next.time))
            return fired;
    }
    return next;
}

QList<Event> enabled(const Rules &rules, const World &world)
{
    QList<Event> events;
    for (const auto &running : world.running) {
        if (running->deadline >= 0)
            events.append({ .kind = Event::Kind::Expire,
                .time = running->deadline,
                .operation = running->serial });
        if (running->due < 0)
            continue;
        const bool attempts = running->phase == Running::Phase::Attempting;
        events.append({ .kind = attempts ? Event::Kind::End : Event::Kind::Begin,
            .time = running->due,
            .operation = running->serial });
    }
    if (rules.hasTimers())
        events += firings(rules, world);
    return events;
}

QList<Rules::TriggerId> choices(const Rules &rules, const World &world, quint32 serial)
{
    QList<Rules::TriggerId> result;
    const Running *running = world.find(serial);
    if (!running || running->phase != Running::Phase::Attempting)
        return result;
    const Rules::StateId state = rules.stateOf(world.tree.code(running->target));
    for (const Rules::TriggerId outcome : rules.outcomes()) {
        if (!rules.candidates(state, outcome).empty())
            result += outcome;
    }
    return result;
}

namespace {

Change violation(
    const Rules &rules, const World &world, const Rules::ConstraintRule &rule, Resource resource)
{
    const QString sources = rules.pack().sourceText(rules.row(rule));
    const Rules::StateId state = rules.stateOf(world.tree.code(resource));
    return { .kind = Change::Kind::Violated,
        .path = world.tree.path(resource),
        .from = state,
        .to = state,
        .rule = sources.isEmpty() ? inShort(rules.row(rule)) : sources };
}

} // namespace

std::vector<Change> watched(
    const Rules &rules, World &world, std::span<const quint32> touched, bool timeless)
{
    std::vector<Change> changes;
    const bool everywhere =
        std::ranges::any_of(rules.constraints(), [](const auto &rule) { return !rule.local; });
    QList<quint32> branches = world.tree.branches();
    if (!everywhere) {
        branches.clear();
        std::ranges::copy_if(touched, std::back_inserter(branches),
            [&](quint32 branch) { return world.tree.hasBranch(branch); });
    }
    std::vector<std::pair<int, Resource>> broken;
    if (!everywhere && !world.broken.empty()) {
        const QSet<quint32> looked(branches.begin(), branches.end());
        for (const auto &[constraint, resource] : world.broken) {
            if (world.tree.exists(resource) && !looked.contains(world.tree.place(resource).branch))
                broken.emplace_back(constraint, resource); // unchanged branch
        }
    }
    std::ranges::sort(world.broken);
    const Asking nobody { .rules = rules, .world = world, .timeless = timeless };
    for (const quint32 branch : branches) {
        for (quint32 position = 0; position < world.tree.branchSize(branch); ++position) {
            const Resource resource = world.tree.at(branch, position);
            for (const int index : rules.constraintsOn(rules.stateOf(world.tree.code(resource)))) {
                const Rules::ConstraintRule &rule = rules.constraints()[size_t(index)];
                const Subject subject = subjectOf(rules, world, resource);
                if (std::ranges::all_of(
                        rule.holds, [&](const auto &part) { return holds(part, subject, nobody); }))
                    continue;
                broken.emplace_back(index, resource);
                if (!std::ranges::binary_search(world.broken, std::pair(index, resource)))
                    changes.push_back(violation(rules, world, rule, resource));
            }
        }
    }
    world.broken = std::move(broken);
    return changes;
}

} // namespace instar
