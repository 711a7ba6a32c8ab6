// SPDX-License-Identifier: Apache-2.0
#include "model/engine/step.h"

#include "model/engine/clock.h"
#include "model/engine/stepper.h"

namespace instar {

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

} // namespace instar
