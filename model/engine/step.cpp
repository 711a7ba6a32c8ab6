// SPDX-License-Identifier: Apache-2.0
#include "model/engine/step.h"

#include "model/engine/stepper.h"

#include <algorithm>

namespace instar {

namespace {

/// When the clock looks at a resource's timer next, whatever the rules would say.
qint64 dueOf(const World &world, Resource resource, const Timer &timer, qint64 since)
{
    const qint64 from = timer.atProperty.isEmpty()
        ? std::max<qint64>(since, 0)
        : world.properties.value(resource).value(timer.atProperty).toInteger();
    qint64 due = std::max(from + timer.after, world.now);
    if (timer.every > 0)
        due = (due + timer.every - 1) / timer.every * timer.every;
    if (due <= since) // it was looked at when it came back to this state
        due += std::max<qint64>(timer.every, 1);
    return due;
}

/// Which turn a resource has among those whose timers are due together.
size_t turnOf(const Rules &rules, const World &world, Resource resource)
{
    const auto &order = rules.state(rules.stateOf(world.tree.code(resource))).order;
    if (order.empty())
        return 0;
    const Asking clock { .rules = rules, .world = world };
    const Subject subject = subjectOf(rules, world, resource);
    const auto holding =
        std::ranges::find_if(order, [&](const auto &turn) { return holds(turn, subject, clock); });
    return size_t(holding - order.begin());
}

/// The firings that would be admitted on the world as it is, soonest first; those that fall
/// together by their turn, then in preorder; at most so many.
QList<Event> firings(const Rules &rules, const World &world, qsizetype most)
{
    QHash<quint32, qsizetype> rank; // branch ->
    for (const quint32 branch : world.tree.branches())
        rank.insert(branch, rank.size());
    std::vector<std::tuple<qint64, size_t, qsizetype, quint32, Resource>> timed;
    for (auto it = world.timed.cbegin(); it != world.timed.cend(); ++it) {
        const auto &timer = rules.state(rules.stateOf(world.tree.code(it.key()))).timer;
        const Tree::Place place = world.tree.place(it.key());
        if (timer)
            timed.emplace_back(dueOf(world, it.key(), *timer, it.value()),
                turnOf(rules, world, it.key()), rank.value(place.branch), place.position, it.key());
    }
    std::ranges::sort(timed);

    QList<Event> events;
    for (const auto &[due, turn, branch, position, resource] : timed) {
        if (events.size() == most)
            break;
        Request request;
        request.op = rules.state(rules.stateOf(world.tree.code(resource))).timer->operation;
        request.path = world.tree.path(resource);
        if (admission(rules, world, request).verdict == Admission::Verdict::Accepted)
            events.append({ .kind = Event::Kind::Fire, .time = due, .resource = resource });
    }
    return events;
}

} // namespace

Stepped step(const Rules &rules, World world, const Event &event)
{
    Stepped result { std::move(world), {} };
    result.record.event = event;
    Stepper(rules, result.world, result.record).happen(event);
    return result;
}

Event nextEvent(const Rules &rules, const World &world)
{
    Event next;
    const auto [due, serial] = world.next();
    if (const Running *running = world.find(serial)) {
        next.kind =
            running->phase == Running::Phase::Delayed ? Event::Kind::Begin : Event::Kind::End;
        next.time = due;
        next.operation = serial;
    }
    if (rules.hasTimers()) {
        const QList<Event> fired = firings(rules, world, 1);
        if (!fired.isEmpty() && (next.kind == Event::Kind::Wait || fired.first().time < next.time))
            return fired.first();
    }
    return next;
}

QList<Event> enabled(const Rules &rules, const World &world)
{
    QList<Event> events;
    for (const auto &running : world.running) {
        if (running->due < 0)
            continue;
        const bool delayed = running->phase == Running::Phase::Delayed;
        events.append({ .kind = delayed ? Event::Kind::Begin : Event::Kind::End,
            .time = running->due,
            .operation = running->serial });
    }
    if (rules.hasTimers())
        events += firings(rules, world, world.timed.size());
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

} // namespace instar
