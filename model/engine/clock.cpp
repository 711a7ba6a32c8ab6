// SPDX-License-Identifier: Apache-2.0
#include "model/engine/clock.h"

#include "model/engine/admission.h"
#include "model/engine/question.h"

namespace instar {

namespace {

/// Returns when a resource's timer is due next, not before `world.now`, and the timer's turn among
/// those due then: the index of the first condition in Clock::order that holds. Does not check if
/// the rules admit the firing.
DueTimer dueTimer(const Rules &rules, const World &world, Resource resource)
{
    const Rules::Clock &timer = *timerOf(rules, world, resource);
    const qint64 since = world.timed.value(resource).since;
    const std::optional<qint64> moment =
        momentOf(rules, world, resource, timer, std::max<qint64>(since, 0));
    qint64 due = std::max(moment.value_or(0), world.now);
    if (timer.every > 0)
        due = (due + timer.every - 1) / timer.every * timer.every;
    if (due <= since) // at the entry itself, a timer that re-enters its state would fire forever
        due += std::max<qint64>(timer.every, 1);

    const Context clock { .rules = rules, .world = world, .clock = due };
    const Subject subject = subjectOf(rules, world, resource);
    const auto holding = std::ranges::find_if(
        timer.order, [&](const auto &condition) { return holds(condition, subject, clock); });
    return { due, quint32(holding - timer.order.begin()),
        world.tree.rank(world.tree.place(resource).branch), resource };
}

void sortByFiringOrder(const World &world, std::vector<DueTimer> &timers)
{
    std::ranges::sort(timers, {}, [&](const DueTimer &timer) {
        return std::tuple(
            timer.due, timer.turn, timer.rank, world.tree.place(timer.resource).position);
    });
}

bool mayFire(const Rules &rules, const World &world, const DueTimer &timer)
{
    Request request;
    request.op = rules.triggerName(timerOf(rules, world, timer.resource)->trigger);
    request.path = world.tree.path(timer.resource);
    return admission(rules, world, request, {}, 0, false, timer.due).verdict
        == Admission::Verdict::Accepted;
}

Event firing(const DueTimer &timer)
{
    return { .kind = Event::Kind::Fire, .time = timer.due, .resource = timer.resource };
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
        const DueTimer next = dueTimer(r, w, resource);
        if (next.due == timing->due && next.turn == timing->turn)
            return;
        timing->due = next.due;
        timing->turn = next.turn;
        push(next);
    }

    void rebuild()
    {
        w.asleep.clear();
        w.dueTimers.clear();
        for (Timing &timing : w.timed)
            timing.due = Timing::Asleep;
        for (const Resource resource : w.timed.keys())
            add(resource);
    }

    void wake(quint32 branch)
    {
        for (const Resource resource : w.asleep.take(branch)) {
            const auto timing = w.timed.constFind(resource);
            if (timing != w.timed.constEnd() && timing->due == Timing::Asleep)
                add(resource);
        }
    }

    /// Recomputes all timers in one top-level resource's tree: each may depend on the others.
    void addAll(quint32 branch)
    {
        const quint32 size = w.tree.hasBranch(branch) ? w.tree.branchSize(branch) : 0;
        for (quint32 position = 0; position < size; ++position)
            add(w.tree.at(branch, position));
    }

    /// Finds the next timer whose firing the rules admit; timers that are refused go to sleep.
    void findNext()
    {
        w.firing.emplace();
        if (w.dueTimers.size() > 4 * w.timed.size() + 64) { // most entries are outdated
            w.dueTimers.removeIf([this](const DueTimer &timer) { return !isValid(timer); });
            std::ranges::make_heap(w.dueTimers, std::greater());
        }
        for (std::vector<DueTimer> next = soonest(); !next.empty(); next = soonest()) {
            size_t refused = 0;
            for (; refused < next.size() && !mayFire(r, w, next[refused]); ++refused) {
                const Resource resource = next[refused].resource;
                w.timed[resource].due = Timing::Asleep;
                w.asleep[w.tree.place(resource).branch].append(resource);
            }
            for (size_t i = refused; i < next.size(); ++i)
                push(next[i]);
            if (refused < next.size()) {
                w.firing = next[refused];
                return;
            }
        }
    }

private:
    bool isValid(const DueTimer &timer) const
    {
        const auto timing = w.timed.constFind(timer.resource);
        return timing != w.timed.constEnd() && timing->due == timer.due
            && timing->turn == timer.turn
            && w.tree.rank(w.tree.place(timer.resource).branch) == timer.rank;
    }

    void push(const DueTimer &timer)
    {
        w.dueTimers.append(timer);
        std::ranges::push_heap(w.dueTimers, std::greater());
    }

    /// Removes and returns the timers of one branch that are due first, each once.
    std::vector<DueTimer> soonest()
    {
        std::vector<DueTimer> found;
        const auto isSimultaneous = [&](const DueTimer &timer) {
            return found.empty()
                || std::tie(timer.due, timer.turn, timer.rank)
                == std::tie(found.front().due, found.front().turn, found.front().rank);
        };
        while (!w.dueTimers.isEmpty() && isSimultaneous(w.dueTimers.constFirst())) {
            std::ranges::pop_heap(w.dueTimers, std::greater());
            const DueTimer timer = w.dueTimers.takeLast();
            if (!isValid(timer))
                continue;
            if (timer.due < w.now) // missed: schedules the timer again
                add(timer.resource);
            else if (found.empty() || found.back() != timer)
                found.push_back(timer);
        }
        sortByFiringOrder(w, found);
        return found;
    }

    const Rules &r;
    World &w;
};

} // namespace

const Rules::Clock *timerOf(const Rules &rules, const World &world, Resource resource)
{
    const auto &timer = rules.stateIn(world.tree.code(resource)).timer;
    return timer ? &*timer : nullptr;
}

std::optional<qint64> momentOf(const Rules &rules, const World &world, Resource resource,
    const Rules::Clock &timer, qint64 entry)
{
    const Subject subject = subjectOf(rules, world, resource);
    const Context clock { .rules = rules, .world = world };
    const std::optional<qint64> from =
        timer.isFromEntry ? entry : valueIn(timer.at, subject, clock);
    const std::optional<qint64> after = valueIn(timer.afterIn, subject, clock);
    if (!from || (!after && !timer.afterIn.empty() && timer.after == 0))
        return {};
    return *from + after.value_or(timer.after);
}

QList<Event> firings(const Rules &rules, const World &world)
{
    std::vector<DueTimer> timers;
    for (auto it = world.timed.cbegin(); it != world.timed.cend(); ++it)
        timers.push_back(dueTimer(rules, world, it.key()));
    sortByFiringOrder(world, timers);
    QList<Event> events;
    for (const DueTimer &timer : timers) {
        if (mayFire(rules, world, timer))
            events += firing(timer);
    }
    return events;
}

Event nextFiring(const Rules &rules, const World &world)
{
    if (!world.firing || (world.firing->resource != NoResource && world.firing->due < world.now)) {
        const QList<Event> all = firings(rules, world);
        return all.isEmpty() ? Event() : all.first();
    }
    return world.firing->resource == NoResource ? Event() : firing(*world.firing);
}

void updateSchedule(const Rules &rules, World &world, std::span<const Resource> changed,
    std::span<const quint32> active)
{
    Agenda agenda(rules, world);
    if (!world.firing || rules.timerOrderReadsOtherTrees()) {
        agenda.rebuild();
    } else {
        for (const Resource resource : changed)
            agenda.add(resource);
        const QList<quint32> asleep =
            rules.timersReadOtherTrees() ? world.asleep.keys() : QList<quint32>();
        for (const quint32 branch : asleep)
            agenda.wake(branch);
        for (const quint32 branch : active) {
            agenda.wake(branch);
            if (rules.timersReadRelatives())
                agenda.addAll(branch);
        }
    }
    agenda.findNext();
}

} // namespace instar
