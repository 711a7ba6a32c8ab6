// SPDX-License-Identifier: Apache-2.0
#include "model/engine/clock.h"

#include "model/engine/admission.h"
#include "model/engine/question.h"

#include <algorithm>

namespace instar {

namespace {

using DueTimer = std::pair<qint64, Resource>;

const Rules::Clock *timerOf(const Rules &rules, const World &world, Resource resource)
{
    const auto &timer = rules.state(rules.stateOf(world.tree.code(resource))).timer;
    return timer ? &*timer : nullptr;
}

/// Returns the rank of a resource among those whose timers are due at the same time.
size_t turnOf(const Rules &rules, const World &world, const DueTimer &look)
{
    const Rules::Clock *timer = timerOf(rules, world, look.second);
    if (!timer)
        return 0;
    const Asking clock { .rules = rules, .world = world, .clock = look.first };
    const Subject subject = subjectOf(rules, world, look.second);
    const auto holding = std::ranges::find_if(
        timer->order, [&](const auto &turn) { return holds(turn, subject, clock); });
    return size_t(holding - timer->order.begin());
}

/// Sorts due timers in the order in which they fire.
void putInOrder(const Rules &rules, const World &world, std::vector<DueTimer> *looks)
{
    std::vector<std::tuple<qint64, size_t, quint64, quint32, Resource>> keys;
    for (const DueTimer &look : *looks) {
        const Tree::Place place = world.tree.place(look.second);
        keys.emplace_back(look.first, looks->size() > 1 ? turnOf(rules, world, look) : 0,
            world.tree.rank(place.branch), place.position, look.second);
    }
    std::ranges::sort(keys);
    looks->clear();
    for (const auto &[due, turn, rank, position, resource] : keys)
        looks->emplace_back(due, resource);
}

bool mayFire(const Rules &rules, const World &world, const DueTimer &look)
{
    Request request;
    request.op = rules.triggerName(timerOf(rules, world, look.second)->trigger);
    request.path = world.tree.path(look.second);
    return admission(rules, world, request, {}, 0, false, look.first).verdict
        == Admission::Verdict::Accepted;
}

Event firing(const DueTimer &look)
{
    return { .kind = Event::Kind::Fire, .time = look.first, .resource = look.second };
}

/// Priority queue of one world's timers.
class Agenda
{
public:
    Agenda(const Rules &rules, World &world) : r(rules), w(world) { }

    void add(Resource resource)
    {
        const auto timing = w.timed.find(resource);
        if (timing == w.timed.end())
            return;
        const qint64 due = lookTime(r, w, resource);
        if (due == timing->due)
            return;
        timing->due = due;
        w.looks.emplace_back(due, resource);
        std::ranges::push_heap(w.looks, std::greater());
    }

    void rebuild()
    {
        w.asleep.clear();
        w.looks.clear();
        w.looks.reserve(w.timed.size());
        for (auto it = w.timed.begin(); it != w.timed.end(); ++it) {
            it->due = lookTime(r, w, it.key());
            w.looks.emplace_back(it->due, it.key());
        }
        std::ranges::make_heap(w.looks, std::greater());
    }

    void wake(quint32 branch)
    {
        for (const Resource resource : w.asleep.take(branch)) {
            const auto timing = w.timed.constFind(resource);
            if (timing != w.timed.constEnd() && timing->due == Timing::Asleep)
                add(resource);
        }
    }

    /// Recomputes all timers of a branch, because a relative's properties may have changed.
    void addAll(quint32 branch)
    {
        const quint32 size = w.tree.hasBranch(branch) ? w.tree.branchSize(branch) : 0;
        for (quint32 position = 0; position < size; ++position)
            add(w.tree.at(branch, position));
    }

    /// Finds the next timer whose firing the rules admit; puts refused ones to sleep.
    void findNext()
    {
        w.firing.emplace(0, NoResource);
        if (w.looks.size() > 4 * w.timed.size() + 64) {
            w.looks.removeIf([this](const DueTimer &look) { return !isValid(look); });
            std::ranges::make_heap(w.looks, std::greater());
        }
        for (std::vector<DueTimer> looks = soonest(); !looks.empty(); looks = soonest()) {
            size_t refused = 0;
            while (refused < looks.size() && !mayFire(r, w, looks[refused]))
                putToSleep(looks[refused++].second);
            for (size_t i = refused; i < looks.size(); ++i) {
                w.looks.append(looks[i]);
                std::ranges::push_heap(w.looks, std::greater());
            }
            if (refused < looks.size()) {
                w.firing = looks[refused];
                return;
            }
        }
    }

private:
    bool isValid(const DueTimer &look) const
    {
        const auto timing = w.timed.constFind(look.second);
        return timing != w.timed.constEnd() && timing->due == look.first;
    }

    DueTimer taken()
    {
        std::ranges::pop_heap(w.looks, std::greater());
        return w.looks.takeLast();
    }

    /// Removes and returns all timers due at the earliest time, each once.
    std::vector<DueTimer> soonest()
    {
        std::vector<DueTimer> looks;
        while (!w.looks.isEmpty()
            && (looks.empty() || w.looks.constFirst().first == looks.front().first)) {
            const DueTimer look = taken();
            if (!isValid(look))
                continue;
            if (look.first < w.now) // missed: schedule it again
                add(look.second);
            else if (looks.empty() || looks.back() != look)
                looks.push_back(look);
        }
        putInOrder(r, w, &looks);
        return looks;
    }

    void putToSleep(Resource resource)
    {
        w.timed[resource].due = Timing::Asleep;
        w.asleep[w.tree.place(resource).branch].append(resource);
    }

    const Rules &r;
    World &w;
};

} // namespace

std::optional<qint64> momentOf(const Rules &rules, const World &world, Resource resource,
    const Rules::Clock &timer, qint64 entry)
{
    const Subject subject = subjectOf(rules, world, resource);
    const Asking clock { .rules = rules, .world = world };
    const std::optional<qint64> from =
        timer.isFromEntry ? entry : numberOf(timer.at, subject, clock);
    const std::optional<qint64> after = numberOf(timer.afterIn, subject, clock);
    if (!from || (!after && !timer.afterIn.empty() && timer.after == 0))
        return {};
    return *from + after.value_or(timer.after);
}

qint64 lookTime(const Rules &rules, const World &world, Resource resource)
{
    const Rules::Clock &timer = *timerOf(rules, world, resource);
    const qint64 since = world.timed.value(resource).since;
    const std::optional<qint64> moment =
        momentOf(rules, world, resource, timer, std::max<qint64>(since, 0));
    qint64 due = std::max(moment.value_or(0), world.now);
    if (timer.every > 0)
        due = (due + timer.every - 1) / timer.every * timer.every;
    if (due <= since) // already checked when the state was re-entered
        due += std::max<qint64>(timer.every, 1);
    return due;
}

QList<Event> firings(const Rules &rules, const World &world)
{
    std::vector<DueTimer> looks;
    for (auto it = world.timed.cbegin(); it != world.timed.cend(); ++it)
        looks.emplace_back(lookTime(rules, world, it.key()), it.key());
    putInOrder(rules, world, &looks);
    QList<Event> events;
    for (const DueTimer &look : looks) {
        if (mayFire(rules, world, look))
            events += firing(look);
    }
    return events;
}

Event nextFiring(const Rules &rules, const World &world)
{
    if (!world.firing || (world.firing->second != NoResource && world.firing->first < world.now)) {
        const QList<Event> all = firings(rules, world);
        return all.isEmpty() ? Event() : all.first();
    }
    return world.firing->second == NoResource ? Event() : firing(*world.firing);
}

void keepTime(const Rules &rules, World &world, std::span<const Resource> changed,
    std::span<const quint32> stirred)
{
    Agenda agenda(rules, world);
    if (!world.firing) {
        agenda.rebuild();
    } else {
        for (const Resource resource : changed)
            agenda.add(resource);
        const QList<quint32> asleep =
            rules.clockLooksFar() ? world.asleep.keys() : QList<quint32>();
        for (const quint32 branch : asleep)
            agenda.wake(branch);
        for (const quint32 branch : stirred) {
            agenda.wake(branch);
            if (rules.clockLooksAround())
                agenda.addAll(branch);
        }
    }
    agenda.findNext();
}

} // namespace instar
