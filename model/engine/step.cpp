// SPDX-License-Identifier: Apache-2.0
#include "model/engine/step.h"

#include "model/engine/admission.h"
#include "model/engine/clock.h"
#include "model/engine/question.h"

#include <map>

namespace instar {

std::vector<Change> newViolations(
    const Rules &r, World &w, std::span<const quint32> touched, bool untimed)
{
    std::vector<Change> found;
    const bool everywhere =
        std::ranges::any_of(r.constraints(), [](const auto &rule) { return !rule.local; });
    QList<quint32> branches = w.tree.branches();
    if (!everywhere) {
        branches.clear();
        std::ranges::copy_if(touched, std::back_inserter(branches),
            [&](quint32 branch) { return w.tree.hasBranch(branch); });
    }
    std::vector<std::pair<int, Resource>> broken;
    if (!everywhere && !w.broken.empty()) {
        const QSet<quint32> checked(branches.begin(), branches.end());
        for (const auto &[constraint, resource] : w.broken) {
            if (w.tree.exists(resource) && !checked.contains(w.tree.place(resource).branch))
                broken.emplace_back(constraint, resource); // unchanged branch
        }
    }
    std::ranges::sort(w.broken);
    const Context noRequest { .rules = r, .world = w, .untimed = untimed };
    const auto check = [&](int index, Resource resource, Rules::StateId state) {
        const Rules::ConstraintRule &rule = r.constraints()[size_t(index)];
        const Subject subject = subjectOf(r, w, resource);
        if (std::ranges::all_of(
                rule.holds, [&](const auto &part) { return holds(part, subject, noRequest); }))
            return;
        broken.emplace_back(index, resource);
        if (std::ranges::binary_search(w.broken, std::pair(index, resource)))
            return;
        const QString sources = r.pack().sourceText(r.row(rule));
        found.push_back({ .kind = Change::Kind::Violated,
            .path = w.tree.path(resource),
            .from = state,
            .to = state,
            .rule = sources.isEmpty() ? summaryOf(r.row(rule)) : sources });
    };
    for (const quint32 branch : branches) {
        for (quint32 position = 0; position < w.tree.branchSize(branch); ++position) {
            const Resource resource = w.tree.at(branch, position);
            const Rules::StateId state = r.stateOf(w.tree.code(resource));
            for (const int index : r.constraintsOn(state))
                check(index, resource, state);
        }
    }
    w.broken = std::move(broken);
    return found;
}

namespace {

constexpr int MostOutcomes = 500; ///< outcomes of one operation in one step
constexpr int MostDepth = 50;     ///< depth of the requirement tree

/// Key in Request::work for the plan of a required operation.
QString requirementKey(const QString &op, const QString &path)
{
    return op + u' ' + path;
}

bool hasAttempt(const Rules::StateRule &state)
{
    return std::ranges::any_of(
        state.work, [](const Rules::Work &step) { return step.kind == Step::Kind::Attempt; });
}

/// Returns the plan that an operation passes on to the operations that its current work requires:
/// the unused part of its own plan; an empty plan if the work contains an attempt, which uses the
/// operation's plan.
WorkPlan planPassedOn(const Rules &rules, const Running &running)
{
    const Rules::StateRule &state = rules.state(running.work);
    if (hasAttempt(state))
        return {};
    const Request &request = *running.request;
    WorkPlan plan { .duration = request.duration, .hang = request.hang };
    if (!running.outcomeUsed && !request.outcome.isEmpty())
        plan.outcomes = { request.outcome };
    const auto own = workPlanFor(request, state.id);
    if (own == request.work.constEnd())
        return plan;
    if (own->duration)
        plan.duration = own->duration;
    if (own->hang)
        plan.hang = own->hang;
    if (own->anyOutcome || !own->outcomes.isEmpty())
        plan.outcomes = own->outcomes.mid(running.attemptsAt.value(own.key()));
    plan.anyOutcome = own->anyOutcome;
    return plan;
}

/// Returns true if an outcome can end the work in a state or in a state reachable from this state.
/// Where work has no attempt, the search follows the required operations, too, to which the plan is
/// passed on.
bool canEndFrom(const Rules &rules, Rules::StateId from, Rules::TriggerId outcome)
{
    QList<Rules::StateId> states { from };
    std::vector<bool> visited(rules.states().size());
    const auto addStates = [&](Rules::StateId state, Rules::TriggerId trigger) {
        states += rules.workAfter(state, trigger);
    };
    while (!states.isEmpty()) {
        const Rules::StateId state = states.takeLast();
        if (visited[size_t(state)])
            continue;
        visited[size_t(state)] = true;
        if (!rules.candidates(state, outcome).empty())
            return true;
        for (Rules::TriggerId trigger = 0; trigger < rules.triggerCount(); ++trigger) {
            if (!rules.isOperation(trigger))
                addStates(state, trigger);
        }
        if (hasAttempt(rules.state(state)))
            continue;
        for (const Rules::Work &step : rules.state(state).work) {
            if (step.kind != Step::Kind::Require)
                continue;
            for (size_t other = 0; other < rules.states().size(); ++other)
                addStates(Rules::StateId(other), step.name);
        }
    }
    return false;
}

/// Returns true if the planned outcome, which cannot end the current work, can end later work of
/// the operation or of a requirer that passed its plan on.
bool canEndLater(
    const Rules &rules, const World &world, const Running &running, Rules::TriggerId outcome)
{
    const QString &plan = running.request->outcome;
    for (const Running *user = &running; user;) {
        if (canEndFrom(rules, rules.stateOf(world.tree.code(user->target)), outcome)
            || canEndFrom(rules, user->work, outcome))
            return true;
        user = world.find(user->requirer);
        if (user && planPassedOn(rules, *user).outcomes.value(0) != plan)
            return false;
    }
    return false;
}

} // namespace

/// Interpreter that applies one event to a world. Keeps the affected resources, the timers and the
/// record up to date.
class Stepper
{
public:
    /// `exercised`, if not null, receives the rows and meetings that the event used.
    Stepper(const Rules &rules, World &world, Record &record, Exercised *exercised)
        : r(rules), w(world), m_record(record), m_exercised(exercised)
    { }

    void apply(const Event &event)
    {
        w.now = std::max(w.now, event.time);
        m_untimed = event.untimed;
        m_recordsAll = !event.untimed || event.recordsAll;
        for (const Event::OthersAnswer &given : event.othersAnswers) {
            if (Running *other = w.change(given.operation))
                other->answers.insert(given.label, given.holds);
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
            if (!w.tree.exists(event.resource) || !timerOf(r, w, event.resource))
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
            if (!w.pending(event.operation))
                return;
            cancel(event.operation, 0);
            break;
        }
        finishStep();
    }

private:
    using TriggerId = Rules::TriggerId;
    using SharedRequest = QSharedPointer<const Request>;

    enum class Which { Abandoned, All }; ///< orphans that no coming work can take over; or all

    /// End of a required operation that its requirer has not processed yet.
    struct RequiredEnd
    {
        quint32 requirer = 0, operation = 0; ///< serials; `operation` has ended
        TriggerId outcome = Rules::None;
        QString code, message;
    };

    void fire(const Event &event)
    {
        auto request = QSharedPointer<Request>::create();
        request->op = r.triggerName(timerOf(r, w, event.resource)->trigger);
        request->path = w.tree.path(event.resource);
        request->id = u"clock.%1"_s.arg(w.lastSerial + 1);
        request->client = u"clock"_s;
        submit(request, 0, event.answers);
    }

    /// Begins delayed work, or continues work after an Until step.
    void begin(Running &running)
    {
        const qint64 moment = std::exchange(running.due, -1);
        if (running.phase == Running::Phase::Until) {
            if (!untilHolds(running, moment))
                return; // finishStep() checks the condition again, and schedules the next check
            ++running.cursor;
        }
        m_record.changes.push_back(
            { .kind = Change::Kind::Began, .operation = running.serial, .path = running.path });
        work(running.serial);
    }

    void end(Running &running, TriggerId ended)
    {
        const quint32 serial = running.serial;
        running.due = -1;
        running.planned = Rules::None;
        if (!running.answerProperties.isEmpty())
            overlay(running.target, running.answerProperties);
        if (r.isGood(ended) && running.cursor + 1 < int(r.state(running.work).work.size())) {
            m_record.changes.push_back({ .kind = Change::Kind::Worked,
                .operation = serial,
                .path = running.path,
                .from = running.work,
                .to = running.work,
                .outcome = ended,
                .attempts = running.attempts });
            if (ended != r.succeeded)
                running.outcomeSoFar = ended;
            ++running.cursor;
            work(serial);
            return;
        }
        outcome(serial, r.isGood(ended) && ended == r.succeeded ? running.outcomeSoFar : ended);
    }

    /// Ends work that timed out. Before that, cancels its required operations and settles the
    /// resources that these affected.
    void expire(Running &running)
    {
        const quint32 serial = running.serial;
        const TriggerId ended = r.state(running.work).limit->trigger;
        running.due = running.deadline = -1;
        running.planned = Rules::None;
        running.todo.clear();
        running.waitingFor = 0;
        running.phase = Running::Phase::Attempting;
        cancelRequired(serial, serial);
        std::erase_if(m_ends, [&](const RequiredEnd &end) { return end.requirer == serial; });
        settleOrphans();
        if (w.find(serial))
            outcome(serial, ended);
    }

    Context contextOf(const Running &running)
    {
        return { .rules = r,
            .world = w,
            .request = running.request.get(),
            .answers = &running.answers,
            .requirer = running.requirer,
            .unanswered = &m_record.unanswered,
            .untimed = m_untimed };
    }

    void finishStep()
    {
        do {
            while (!m_ends.empty()) {
                const RequiredEnd end = m_ends.front();
                m_ends.erase(m_ends.begin());
                requiredEnded(end);
            }
            settleOrphans();
        } while (!m_ends.empty() || !m_orphans.empty() || (r.hasUntil() && resumeUntils())
            || (!w.queue.empty() && admitNextWaiting()));
        if (!r.constraints().empty())
            std::ranges::copy(newViolations(r, w, m_changedBranches, m_untimed),
                std::back_inserter(m_record.changes));
        trimAgenda();
        if (m_recordsAll)
            recordHoldings();
        if (!r.hasTimers())
            return;
        if (m_recordsAll)
            updateSchedule(r, w, m_retimed, m_activeBranches);
        else
            w.firing.reset();
    }

    void recordHoldings()
    {
        std::ranges::sort(m_changedHoldings);
        const auto duplicates = std::ranges::unique(m_changedHoldings);
        m_changedHoldings.erase(duplicates.begin(), duplicates.end());
        for (const quint32 serial : m_changedHoldings) {
            if (const Running *running = w.find(serial))
                m_record.holdings.push_back({ serial, runsOf(w.tree, running->affected) });
        }
    }

    /// Continues work in Until steps whose condition holds now; returns false if there is none.
    bool resumeUntils()
    {
        const auto serials =
            mapped<QList<quint32>>(w.running, [](const auto &running) { return running->serial; });
        bool hasResumed = false;
        for (const quint32 serial : serials) {
            const Running *running = w.find(serial);
            if (!running || running->phase != Running::Phase::Until)
                continue;
            if (!untilHolds(*running)) {
                scheduleUntil(*running);
                continue;
            }
            Running *resumed = w.change(serial);
            resumed->due = -1;
            ++resumed->cursor;
            work(serial);
            hasResumed = true;
        }
        return hasResumed;
    }

    /// Returns true if the condition of the current Until step holds. In untimed events, no time
    /// has elapsed unless `clock` is given.
    bool untilHolds(const Running &running, std::optional<qint64> clock = {})
    {
        Context context = contextOf(running);
        context.clock = clock;
        if (!clock && m_untimed)
            context.clock = std::numeric_limits<qint64>::min();
        return holds(stepOf(running).until, target(running), context);
    }

    /// Schedules an Until step for the first time at which its condition holds if only time passes.
    void scheduleUntil(const Running &running)
    {
        const qint64 now = m_untimed ? std::numeric_limits<qint64>::min() : w.now;
        const qint64 due =
            firstMomentOf(stepOf(running).until, target(running), contextOf(running), now)
                .value_or(-1);
        if (due != running.due)
            schedule(*w.change(running.serial), due);
    }

    /// Starts or closes the first waiting operation that nothing blocks; returns false if there is
    /// no such operation.
    bool admitNextWaiting()
    {
        const auto isPending = [this](quint32 serial) { return w.pending(serial) != nullptr; };
        for (size_t i = 0; i < w.queue.size(); ++i) {
            const QSharedDataPointer<Queued> queued = w.queue[i];
            const Queued &one = *queued.constData();
            if (std::ranges::any_of(one.waitsFor, isPending))
                continue;
            Admission admitted =
                admission(r, w, *one.request, one.answers, one.requirer, m_untimed, {}, one.serial);
            recordOpenConditions(admitted);
            if (admitted.verdict == Admission::Verdict::Waits) {
                w.queue[i]->waitsFor = std::move(admitted.waitsFor);
                continue;
            }
            w.queue.erase(w.queue.begin() + qsizetype(i));
            if (admitted.verdict == Admission::Verdict::Accepted)
                start(one, admitted);
            else // refused, or no longer changes a state
                answer(one, admitted, Change::Kind::Closed);
            return true;
        }
        return false;
    }

    /// Removes outdated entries from the heap of due times.
    void trimAgenda()
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

    void submit(const SharedRequest &request, quint32 requirer, const QMap<int, bool> &answers)
    {
        QSharedDataPointer<Queued> submitted(new Queued);
        const Running *ancestor = w.find(requirer);
        submitted->serial = ++w.lastSerial;
        submitted->request = request;
        submitted->op = r.trigger(request->op);
        submitted->requirer = requirer;
        submitted->root = ancestor ? ancestor->root : submitted->serial;
        submitted->answers = answers;

        int depth = 0;
        for (; ancestor; ancestor = w.find(ancestor->requirer))
            ++depth;
        if (depth > MostDepth) {
            Admission tooDeep;
            tooDeep.code = TooDeepCode.toString();
            tooDeep.message = u"The required operations require each other in a cycle."_s;
            tooDeep.http = 500;
            answer(*submitted.constData(), tooDeep, Change::Kind::Rejected);
            return;
        }
        const Admission admitted = admission(r, w, *request, answers, requirer, m_untimed);
        recordOpenConditions(admitted);
        if (m_exercised)
            findMeetings(r, w, *request, answers, requirer, &m_exercised->meetings);
        if (!request->requestId.isEmpty() && admitted.verdict != Admission::Verdict::Replayed)
            w.answered.insert(request->requestId, submitted.constData()->serial);
        switch (admitted.verdict) {
        case Admission::Verdict::Accepted:
            return start(*submitted.constData(), admitted);
        case Admission::Verdict::Waits:
            return queue(submitted, admitted);
        case Admission::Verdict::Observed:
            return answer(*submitted.constData(), admitted, Change::Kind::Observed);
        case Admission::Verdict::Replayed:
            return answer(*submitted.constData(), admitted, Change::Kind::Replayed);
        case Admission::Verdict::Refused:
            return answer(*submitted.constData(), admitted, Change::Kind::Rejected);
        }
    }

    void recordOpenConditions(const Admission &admitted)
    {
        for (const int label : admitted.unanswered)
            addOnce(m_record.unanswered, label);
    }

    /// Returns the change that reports a request's admission and its target's state.
    Change changeOf(const Queued &submitted, const Admission &admitted, Change::Kind kind) const
    {
        Change change { .kind = kind,
            .operation = submitted.serial,
            .other = admitted.other,
            .requirer = submitted.requirer,
            .path = submitted.request->path,
            .code = admitted.code,
            .message = admitted.message,
            .rule = admitted.rule,
            .http = admitted.http };
        if (kind != Change::Kind::Closed)
            change.request = submitted.request;
        if (admitted.target != NoResource)
            change.from = change.to = r.stateOf(w.tree.code(admitted.target));
        return change;
    }

    /// Answers a request that starts no work. `kind`: Closed if the request has waited, else the
    /// kind of the answer.
    void answer(const Queued &submitted, const Admission &admitted, Change::Kind kind)
    {
        const bool isObserved = admitted.verdict == Admission::Verdict::Observed;
        const bool isGood = admitted.verdict != Admission::Verdict::Refused;
        const TriggerId ended = isGood ? r.succeeded : r.rejected;
        Change change = changeOf(submitted, admitted, kind);
        if (kind == Change::Kind::Closed)
            change.outcome = ended;
        if (admitted.transition != Rules::None) {
            const Rules::Transition &row = r.transition(admitted.transition);
            if (isObserved || row.refusal != Rules::None)
                noteRow(admitted.transition);
            if (isObserved && admitted.target != NoResource && row.sets) {
                assign(admitted.target, row);
                stampInPlace(admitted.target);
                change.transition = admitted.transition;
            }
        }
        m_closed.emplace_back(submitted.serial, ended);
        if (submitted.requirer)
            m_ends.push_back(
                { submitted.requirer, submitted.serial, ended, admitted.code, admitted.message });
        m_record.changes.push_back(std::move(change));
    }

    void queue(QSharedDataPointer<Queued> submitted, const Admission &admitted)
    {
        submitted->creates = admitted.target == NoResource;
        submitted->target = submitted->creates ? admitted.parent : admitted.target;
        submitted->waitsFor = admitted.waitsFor;
        if (submitted->target != NoResource)
            markActive(w.tree.place(submitted->target).branch);
        m_record.changes.push_back(changeOf(*submitted, admitted, Change::Kind::Queued));
        w.queue.push_back(std::move(submitted));
    }

    void start(const Queued &submitted, const Admission &admitted)
    {
        const quint32 serial = submitted.serial;
        const Request &request = *submitted.request;
        // Reserves memory for the cancellations, their Settled changes, and the start.
        m_record.changes.reserve(m_record.changes.size() + 2 * admitted.cancels.size() + 1);
        for (const auto &[victim, row] : admitted.cancels)
            cancel(victim, serial, row);
        const auto isCanceled = [&](quint32 other) {
            return std::ranges::count(admitted.cancels, other, &Admission::Cancel::serial) > 0;
        };
        for (Orphans &orphans : m_orphans) {
            const Running &canceled = *orphans.canceled.constData();
            orphans.waitsForWork = orphans.waitsForWork
                || (isCanceled(canceled.serial) && !isCanceled(canceled.requirer));
        }

        Resource target = admitted.target;
        if (target == NoResource) {
            const Code absent = r.resting(r.machine(admitted.machine).initial);
            target =
                create(admitted.parent, admitted.typePath, admitted.name, admitted.segment, absent);
            store(target, request);
        } else if (request.stores) {
            store(target, request);
        } else if (r.merges(submitted.op)) {
            merge(target, request);
        }

        auto *running = new Running;
        static_cast<PendingOperation &>(*running) = submitted;
        running->id = request.id;
        running->path = request.path;
        running->target = target;
        running->outcomeSoFar = r.succeeded;
        running->transientsLeft = request.transientFailures;
        running->stamp = r.stampsAtStart() ? ++w.stamp : 0;
        w.running.insert(std::ranges::upper_bound(
                             w.running, serial, {}, [](const auto &one) { return one->serial; }),
            QSharedDataPointer<Running>(running));
        affectOne(serial, target);

        const Rules::Transition &row = r.transition(admitted.transition);
        noteRow(admitted.transition);
        const size_t at = m_record.changes.size();
        const qint64 before = m_moved;
        storeContents(serial, request);
        m_record.changes.push_back({ .kind = Change::Kind::Started,
            .operation = serial,
            .requirer = submitted.requirer,
            .request = submitted.request,
            .path = request.path,
            .from = r.stateOf(w.tree.code(target)),
            .to = r.stateOf(admitted.entered),
            .transition = admitted.transition });
        // Before work begins, settles resources of operations that canceled ones had required.
        settleOrphans(Which::Abandoned);
        if (!w.find(serial))
            return;
        enter(serial, admitted.entered, &row, true);
        countMoved(at, before);
    }

    /// Moves an operation's target to a state code; `row`: the transition taken, or null.
    /// `isReported`: another change reports this move; the change for the operation's end must not.
    void enter(quint32 serial, Code code, const Rules::Transition *row, bool isReported = false)
    {
        Running &running = *w.change(serial);
        const Resource target = running.target;
        const Rules::StateId from = r.stateOf(w.tree.code(target));
        const Rules::StateRule &state = r.stateIn(code);
        const qint64 movedBefore = m_moved;
        if (state.kind == State::Kind::Initial) {
            removeAll(target, serial, serial);
            close(serial, running.outcomeSoFar, from, isReported ? m_moved : movedBefore);
            return;
        }

        setCode(target, code);
        if (row)
            assign(target, *row);
        if (!running.answerProperties.isEmpty()) // these override properties that the row sets
            overlay(target, std::exchange(running.answerProperties, {}));
        if (state.timer) // also if the target re-enters the same state
            restartTimer(target);
        if (!state.isTransitional()) {
            releaseRested(target, serial);
            close(serial, running.outcomeSoFar, from, isReported ? m_moved : movedBefore);
            return;
        }
        if (!contains(running.affected, w.tree.place(target)))
            affect(running, rangeOf(w.tree.place(target)));
        running.work = r.stateOf(code);
        running.cursor = 0;
        running.outcomeSoFar = r.succeeded;
        running.stoppedBy = 0;
        running.errorCode.clear();
        running.errorMessage.clear();
        running.deadline = -1;
        if (state.limit) {
            if (const auto moment = momentOf(r, w, target, *state.limit, w.now)) {
                running.deadline = std::max(w.now, *moment);
                addToAgenda(running.deadline, serial);
            }
        }
        const qint64 pause = row
            ? valueIn(row->afterIn, this->target(running), contextOf(running)).value_or(row->after)
            : 0;
        if (pause > 0) {
            running.phase = Running::Phase::Delayed;
            schedule(running, w.now + pause);
            return;
        }
        work(serial);
    }

    /// Ends the work of an operation with an outcome, and takes the transition for it.
    void outcome(quint32 serial, TriggerId name)
    {
        Running &running = *w.change(serial);
        const Code code = w.tree.code(running.target);
        const Rules::StateId from = r.stateOf(code);
        running.outcomeSoFar = name;
        if (m_exercised && !r.isGood(name))
            m_exercised->badEnds[serial] = { name, running.work, running.cursor,
                running.stoppedBy };
        const qint64 movedBefore = m_moved;
        std::vector<TriggerId> chain { name };
        if (name != r.invalid && name != r.failed)
            chain.push_back(r.invalid);
        if (name != r.failed)
            chain.push_back(r.failed);
        if (++m_outcomeCounts[serial] > MostOutcomes) // endless: the resource returns to rest
            chain.clear();
        for (size_t i = 0; i < chain.size(); ++i) {
            const Taken found = instar::taken(target(running), code, chain[i], contextOf(running));
            if (!found.possible) {
                if (i == 0 && r.state(from).isStable()) {
                    close(serial, name, from, movedBefore);
                    return;
                }
                continue;
            }
            const Rules::Transition &row = r.transition(found.transition);
            noteRow(found.transition);
            if (row.limit != Rules::None) {
                auto count =
                    std::ranges::find(running.taken, found.transition, &std::pair<int, int>::first);
                if (count == running.taken.end())
                    count = running.taken.insert(count, { found.transition, 0 });
                if (count->second >= row.limit) {
                    if (chain[i] == r.failed)
                        break;
                    outcome(serial, r.failed);
                    return;
                }
                ++count->second;
            }
            running.outcomeSoFar = chain[i];
            // With a fallback outcome (`invalid` or `failed`), the error is that of the original
            // outcome; if the original outcome has no code, that of `invalid`.
            if (i > 0 && running.errorCode.isEmpty()) {
                for (const TriggerId untaken : { r.invalid, name }) {
                    const Rules::OutcomeRule rule = r.outcome(untaken);
                    if (rule.code == DefaultErrorCode)
                        continue;
                    running.errorCode = rule.code;
                    running.errorMessage = rule.message;
                }
            }
            if (!isTransitional(found.code)) {
                enter(serial, found.code, &row);
                return;
            }
            const size_t at = m_record.changes.size();
            m_record.changes.push_back({ .kind = Change::Kind::Worked,
                .operation = serial,
                .path = running.path,
                .from = from,
                .to = r.stateOf(found.code),
                .outcome = chain[i],
                .attempts = running.attempts,
                .transition = found.transition });
            enter(serial, found.code, &row);
            countMoved(at, movedBefore);
            return;
        }
        // No row applies: the resource returns to its last rested state.
        running.outcomeSoFar = name == r.succeeded ? r.failed : name;
        enter(serial, fallbackCode(code), nullptr);
    }

    /// Ends an operation, and settles the resources that it affected.
    void close(quint32 serial, TriggerId ended, Rules::StateId from, qint64 movedBefore)
    {
        if (const SharedRequest request = w.find(serial)->request; r.isGood(ended)) {
            const std::vector<Resource> removed = replacedBy(w, *request);
            // Backwards, because a removal shifts the places of later resources.
            for (auto child = removed.crbegin(); child != removed.crend(); ++child)
                removeAll(*child, serial, serial);
        }
        const QSharedDataPointer<Running> running = takeOut(serial);
        const std::vector<Resource> rested = keptAtRest(*running, ended);
        if (r.stampsAtEnd() && ended != r.canceled) {
            const quint64 stamp = ++w.stamp;
            for (const Tree::Range &range : running->affected)
                w.tree.stampRange(range, stamp);
        }
        for (const Resource resource : rested) {
            const Rules::StateRule &state = r.stateIn(w.tree.code(resource));
            setCode(resource, r.resting(r.machine(state.machine).rest));
            releaseRested(resource);
        }
        const Context context = contextOf(*running);
        adopt(0, settle(running->affected, ended, context), context);
        Change change { .kind = Change::Kind::Closed,
            .operation = serial,
            .requirer = running->requirer,
            .path = running->path,
            .from = from,
            .to = w.tree.exists(running->target) ? r.stateOf(w.tree.code(running->target))
                                                 : r.machine(r.state(from).machine).initial,
            .outcome = ended,
            .moved = m_moved - movedBefore,
            .attempts = running->attempts };
        if (!r.isGood(ended)) {
            const Rules::OutcomeRule rule = r.outcome(ended);
            change.code = running->errorCode.isEmpty() ? rule.code : running->errorCode;
            change.message = running->errorMessage.isEmpty() ? rule.message : running->errorMessage;
        }
        m_closed.emplace_back(serial, ended);
        if (running->requirer)
            m_ends.push_back({ running->requirer, serial, ended, change.code, change.message });
        m_record.changes.push_back(std::move(change));
    }

    /// Removes an operation from World::running and returns it. Its requirer keeps the number of
    /// its attempts: if the same operation is required again, its plan continues there.
    QSharedDataPointer<Running> takeOut(quint32 serial)
    {
        const auto it = std::ranges::lower_bound(
            w.running, serial, {}, [](const auto &running) { return running->serial; });
        QSharedDataPointer<Running> taken = std::move(*it);
        w.running.erase(it);
        const Running &running = *taken.constData();
        for (const quint32 branch : running.branches) {
            markActive(branch);
            const auto busy = w.busy.find(branch);
            if (busy == w.busy.end())
                continue;
            busy->removeOne(serial);
            if (busy->isEmpty())
                w.busy.erase(busy);
        }
        for (const Tree::Range &range : running.affected)
            m_record.dirty.add(range);
        if (w.tree.exists(running.target)) // a target at rest may not be in `affected` any more
            m_record.dirty.add(rangeOf(w.tree.place(running.target)));
        const int attempts = running.attemptsAt.value(WholeWork);
        if (Running *requirer = attempts ? w.change(running.requirer) : nullptr)
            requirer->attemptsAt[requirementKey(r.triggerName(running.op), running.path)] +=
                attempts;
        return taken;
    }

    /// Cancels a running or waiting operation. `by`: the operation that cancels it; 0: by hand.
    /// `conflict`: the conflict row that decided, or None.
    void cancel(quint32 serial, quint32 by, int conflict = Rules::None)
    {
        const Rules::OutcomeRule rule = r.outcome(r.canceled);
        Change change { .kind = Change::Kind::Canceled,
            .operation = serial,
            .other = by,
            .outcome = r.canceled,
            .code = rule.code,
            .message = rule.message,
            .conflict = conflict };
        const auto addChange = [&](quint32 requirer, const QString &path, Resource target) {
            change.requirer = requirer;
            change.path = path;
            if (target != NoResource && w.tree.exists(target))
                change.from = change.to = r.stateOf(w.tree.code(target));
            m_record.changes.push_back(change);
            if (requirer)
                m_ends.push_back({ requirer, serial, r.canceled, rule.code, rule.message });
        };
        if (const Queued *queued = w.waiting(serial)) {
            addChange(queued->requirer, queued->request->path,
                queued->creates ? NoResource : queued->target);
            std::erase_if(w.queue, [serial](const auto &one) { return one->serial == serial; });
        } else if (w.find(serial)) {
            const QSharedDataPointer<Running> running = takeOut(serial);
            change.attempts = running->attempts;
            addChange(running->requirer, running->path, running->target);
            if (running->waitingFor)
                cancelRequired(serial, by);
            m_orphans.push_back({ running->affected, running, by });
        }
    }

    void cancelRequired(quint32 serial, quint32 by)
    {
        std::vector<quint32> required;
        w.eachPending([&](const PendingOperation &other) {
            if (other.requirer == serial && other.serial != by)
                required.push_back(other.serial);
        });
        for (const quint32 other : required)
            cancel(other, by);
    }

    /// Performs the steps of an operation's work until one of them has to wait.
    void work(quint32 serial)
    {
        while (Running *running = w.change(serial)) {
            const std::vector<Rules::Work> &list = r.state(running->work).work;
            if (running->cursor >= int(list.size())) {
                outcome(serial, running->outcomeSoFar);
                return;
            }
            const Rules::Work &step = list[size_t(running->cursor)];
            if (step.kind != Step::Kind::Send && !m_orphans.empty()) {
                // Settles orphans that no event took over, before any condition is evaluated.
                settleOrphans();
                continue;
            }
            if (!holds(step.condition, target(*running), contextOf(*running))) {
                ++running->cursor;
                continue;
            }
            switch (step.kind) {
            case Step::Kind::Attempt:
                attempt(*running);
                return;
            case Step::Kind::Require:
                running->phase = Running::Phase::Requiring;
                for (const Rules::Relation &relation : step.to) {
                    const Subject self = target(*running);
                    const QList<Subject> all = relation.kind == Rules::Relation::Kind::Dependents
                        ? dependents(self, step.where, contextOf(*running))
                        : related(relation, self, contextOf(*running));
                    for (const Subject &subject : all)
                        running->todo.append({ step.name, pathOf(w, subject) });
                }
                require(serial);
                return;
            case Step::Kind::Send: {
                TriggerId event = step.name;
                for (const auto &[outcome, name] : step.byOutcome) {
                    if (outcome == running->outcomeSoFar)
                        event = name;
                }
                for (const Rules::Relation &relation : step.to) {
                    if (event != Rules::None && w.find(serial))
                        send(serial, event, relation);
                }
                break;
            }
            case Step::Kind::Decide:
                if (!r.isGood(step.name)) {
                    outcome(serial, step.name);
                    return;
                }
                running->outcomeSoFar = step.name;
                break;
            case Step::Kind::Until:
                if (!untilHolds(*running)) {
                    running->phase = Running::Phase::Until;
                    running->due = -1;
                    scheduleUntil(*running);
                    return;
                }
                break;
            }
            if (Running *still = w.change(serial))
                ++still->cursor;
        }
    }

    void schedule(Running &running, qint64 due)
    {
        running.due = due;
        if (due >= 0)
            addToAgenda(due, running.serial);
    }

    void addToAgenda(qint64 time, quint32 serial)
    {
        w.agenda.emplace_back(time, serial);
        std::ranges::push_heap(w.agenda, std::greater());
    }

    /// Starts an attempt: chooses its planned outcome and schedules its end.
    void attempt(Running &running)
    {
        const Request &request = *running.request;
        const Rules::Work &step = stepOf(running);
        const QString &state = r.state(running.work).id;
        const Rules::StateId at = r.stateOf(w.tree.code(running.target));
        const auto planned = workPlanFor(request, state);
        const bool isPlanned = planned != request.work.constEnd();
        const WorkPlan plan = isPlanned ? *planned : WorkPlan();
        const auto canEnd = [&](TriggerId outcome) { return !r.candidates(at, outcome).empty(); };

        ++running.attempts;
        running.phase = Running::Phase::Attempting;
        const bool isUsual =
            step.name != Rules::None && holds(step.where, target(running), contextOf(running));
        running.planned = isUsual ? step.name : r.succeeded;
        const int nth = isPlanned ? running.attemptsAt[planned.key()]++ : 0;
        running.answerProperties = plan.properties.value(nth);
        const TriggerId requested =
            request.outcome.isEmpty() ? r.succeeded : r.trigger(request.outcome);
        const TriggerId own = requested == Rules::None ? r.succeeded : requested;
        const auto isForThisWork = [&] {
            return own == r.succeeded || canEnd(own) || !canEndLater(r, w, running, own);
        };
        if (!plan.outcomes.isEmpty()) {
            if (nth < plan.outcomes.size())
                running.planned = r.trigger(plan.outcomes[nth]);
        } else if (running.transientsLeft > 0 && canEnd(r.retried)) {
            --running.transientsLeft;
            running.planned = r.retried;
        } else if (!running.outcomeUsed && !request.outcome.isEmpty() && isForThisWork()) {
            markOutcomeUsed(running);
            if (own != r.succeeded)
                running.planned = own;
        }
        const qint64 usual = request.duration.value_or(r.duration(running.op));
        schedule(
            running, plan.hang.value_or(request.hang) ? -1 : w.now + plan.duration.value_or(usual));
    }

    /// Marks the request's planned outcome as used, also in the requirers that passed it on.
    void markOutcomeUsed(Running &running)
    {
        running.outcomeUsed = true;
        for (Running *user = w.change(running.requirer);
             user && planPassedOn(r, *user).outcomes.value(0) == running.request->outcome;
             user = w.change(user->requirer)) {
            const auto own = workPlanFor(*user->request, r.state(user->work).id);
            if (own != user->request->work.constEnd() && !own->outcomes.isEmpty()) {
                ++user->attemptsAt[own.key()];
                return;
            }
            user->outcomeUsed = true;
        }
    }

    /// Submits the next required operations; continues the work when all have ended.
    void require(quint32 serial)
    {
        while (Running *running = w.change(serial)) {
            const Rules::Work &step = stepOf(*running);
            const bool good = r.isGood(running->outcomeSoFar);
            if (good && !running->todo.isEmpty() && (step.together || running->waitingFor == 0)) {
                const Todo todo = running->todo.takeFirst();
                if (!holds(step.where, subjectAt(r, w, todo.path), contextOf(*running)))
                    continue;
                ++running->waitingFor;
                submit(requestFor(*running, todo), serial, running->answers);
                continue;
            }
            if (running->waitingFor > 0)
                return;
            running->todo.clear();
            if (!good) {
                outcome(serial, running->outcomeSoFar);
                return;
            }
            ++running->cursor;
            work(serial);
            return;
        }
    }

    /// Returns the request of a required operation, with its part of the requirer's plan.
    SharedRequest requestFor(Running &running, const Todo &todo) const
    {
        const Request &outer = *running.request;
        const QString &op = r.triggerName(todo.operation);
        auto request = QSharedPointer<Request>::create();
        request->op = op;
        request->path = todo.path;
        request->id = u"%1.%2"_s.arg(running.id, QString::number(++running.required));
        request->client = outer.client;
        request->conditions = outer.conditions;
        request->requests = outer.requests;
        const WorkPlan passed = planPassedOn(r, running);
        request->duration = passed.duration;
        request->hang = passed.hang.value_or(false);
        request->outcome = passed.outcomes.value(0);
        if (passed.anyOutcome)
            request->work.insert(WholeWork, { .anyOutcome = true });
        for (auto it = outer.work.cbegin(); it != outer.work.cend(); ++it) {
            if (it.key().contains(u" /"_s))
                request->work.insert(it.key(), it.value());
        }
        const QString key = requirementKey(op, todo.path);
        const auto planned = outer.work.constFind(key);
        if (planned != outer.work.constEnd()) {
            WorkPlan plan = *planned;
            plan.outcomes = plan.outcomes.mid(running.attemptsAt.value(key));
            plan.properties = plan.properties.mid(running.attemptsAt.value(key));
            request->work.insert(WholeWork, plan);
        }
        const auto nested = outer.requests.constFind(todo.path);
        if (nested != outer.requests.constEnd()) {
            request->stores = true;
            request->properties = nested->properties;
            request->references = nested->references;
            request->body = nested->body;
        }
        return request;
    }

    /// Continues the requirer of an operation that has ended. A bad outcome becomes the requirer's
    /// own, unless an entry of `hear` maps it to another one.
    void requiredEnded(const RequiredEnd &end)
    {
        Running *running = w.change(end.requirer);
        if (!running || running->phase != Running::Phase::Requiring)
            return;
        --running->waitingFor;
        const Rules::Work &step = stepOf(*running);
        TriggerId own = r.isGood(end.outcome) ? r.succeeded : end.outcome;
        for (const auto &[required, mapped] : step.hear) {
            if (required == end.outcome)
                own = mapped;
        }
        if (r.isGood(running->outcomeSoFar) && own != r.succeeded) {
            running->outcomeSoFar = own;
            if (!r.isGood(own)) {
                running->stoppedBy = end.operation;
                running->errorCode = end.code;
                running->errorMessage = end.message;
            }
        }
        require(end.requirer);
    }

    void send(quint32 serial, TriggerId event, const Rules::Relation &relation)
    {
        using Kind = Rules::Relation::Kind;
        const Resource self = w.find(serial)->target;
        if (relation.kind == Kind::Descendants) {
            Tree::Range range = w.tree.subtree(self);
            ++range.begin;
            if (range.begin >= range.end)
                return;
            if (sweepByEvent(*w.change(serial), range, event))
                return;
        }
        const Running &running = *w.find(serial);
        std::vector<Resource> resources;
        if (relation.kind == Kind::Ancestors) {
            for (Resource up = w.tree.parent(self); up != NoResource; up = w.tree.parent(up))
                resources.push_back(up);
        } else {
            for (const Subject &subject : related(relation, target(running), contextOf(running))) {
                if (subject.resource != NoResource)
                    resources.push_back(subject.resource);
            }
        }
        for (const Resource resource : resources) {
            if (w.tree.exists(resource) && w.find(serial))
                sendOne(serial, event, resource);
        }
    }

    void sendOne(quint32 serial, TriggerId event, Resource resource)
    {
        const Running &running = *w.find(serial);
        const Code before = w.tree.code(resource);
        const Taken found =
            instar::taken(subjectOf(r, w, resource), before, event, contextOf(running));
        if (!found.possible)
            return;
        if (const Rules::Transition &row = r.transition(found.transition); row.observes()) {
            if (row.sets) {
                noteRow(found.transition);
                assign(resource, row);
                m_record.dirty.add(rangeOf(w.tree.place(resource)));
            }
            return;
        }
        noteRow(found.transition);
        moveOne(resource, found.code, &r.transition(found.transition), serial);
    }

    /// Moves a resource that is no target. `row`: the transition taken, or null. `by`: the
    /// operation that affects the resource if work begins; 0: no work begins.
    void moveOne(Resource resource, Code code, const Rules::Transition *row, quint32 by)
    {
        if (isInitial(code)) {
            removeAll(resource, by);
            return;
        }
        setCode(resource, code);
        if (row)
            assign(resource, *row);
        if (by && isTransitional(code))
            affectOne(by, resource);
        else
            releaseRested(resource);
    }

    /// Stores the contents of a request. Creates missing resources as if the operation had been
    /// submitted for each; the operation then affects them.
    void storeContents(quint32 serial, const Request &request)
    {
        for (const Request &content : request.contents) {
            Resource resource = w.tree.find(content.path);
            if (resource == NoResource) {
                Subject subject = subjectAt(r, w, content.path);
                if (subject.machine == Rules::None || subject.parent == NoResource)
                    continue;
                subject.creating = &content;
                const Code absent = codeOf(r, w, subject);
                const Taken found =
                    instar::taken(subject, absent, w.find(serial)->op, contextOf(*w.find(serial)));
                if (!found.possible || isInitial(found.code))
                    continue;
                const QString segment = content.path.section(u'/', -2, -2);
                const int parentType = w.tree.type(subject.parent);
                const int type = w.tree.childType(parentType, segment);
                const QString typePath =
                    type < 0 ? w.tree.typePath(parentType) + u'/' + segment : w.tree.typePath(type);
                resource = create(
                    subject.parent, typePath, content.path.section(u'/', -1), segment, absent);
                noteRow(found.transition);
                setCode(resource, found.code);
                affectOne(serial, resource);
                store(resource, content);
                assign(resource, r.transition(found.transition));
                continue;
            }
            if (r.merges(w.find(serial)->op))
                merge(resource, content);
            else
                store(resource, content);
        }
    }

    /// Removes a resource with its descendants for the operation `by`. Cancels the operations on
    /// these resources, except `spare`.
    void removeAll(Resource top, quint32 by, quint32 spare = 0)
    {
        const Tree::Range range = w.tree.subtree(top);
        std::vector<quint32> canceled;
        const auto addIfInside = [&](quint32 serial, Resource target) {
            if (target != NoResource && contains(range, w.tree.place(target)))
                canceled.push_back(serial);
        };
        for (const quint32 serial : w.busy.value(range.branch)) {
            if (serial != spare)
                addIfInside(serial, w.find(serial)->target);
        }
        for (const auto &queued : w.queue) // by target, or by the parent of a target to be created
            addIfInside(queued->serial, queued->target);
        for (const quint32 serial : canceled)
            cancel(serial, serial == by ? 0 : by);
        remove(top);
    }

    /// Returns the state code that a resource gets if no row applies to an outcome: its last rested
    /// state or, if the machine does not keep that, the machine's rest state.
    Code fallbackCode(Code code) const
    {
        const Rules::MachineRule &machine = r.machine(r.stateIn(code).machine);
        return machine.keepsLast ? r.resolved(code, { Rules::Target::Kind::Last, Rules::None })
                                 : r.resting(machine.rest);
    }

    /// Returns the affected resources that the outcome would remove, but that another operation,
    /// now ended, moved to their present state. These must be put to rest, not removed.
    std::vector<Resource> keptAtRest(const Running &running, TriggerId outcome)
    {
        std::vector<Resource> found;
        for (const Tree::Range &range : unaffectedPart(running.affected)) {
            const std::span<const quint32> counts = w.tree.branchCounts(range.branch);
            // Fast path: usually all resources are in the state of this operation's work.
            bool isElsewhere = false;
            for (size_t code = 0; !isElsewhere && code < counts.size(); ++code) {
                const Rules::StateId state = r.stateOf(Code(code));
                isElsewhere =
                    counts[code] && state != running.work && r.state(state).isTransitional();
            }
            for (quint32 position = range.begin; isElsewhere && position < range.end; ++position) {
                const Resource resource = w.tree.at(range.branch, position);
                const Code code = w.tree.code(resource);
                if (w.tree.stamp(resource) <= running.stamp || !isTransitional(code))
                    continue;
                const Taken taken =
                    instar::taken(subjectOf(r, w, resource), code, outcome, contextOf(running));
                if (taken.possible && isInitial(taken.code))
                    found.push_back(resource);
            }
        }
        return found;
    }

    /// Applies an outcome to those of the affected resources that no running operation affects.
    /// After a cancellation, returns the resources to which no row applies.
    std::vector<Resource> settle(
        const AffectedResources &affected, TriggerId outcome, const Context &context)
    {
        std::vector<Resource> unsettled;
        for (const Resource resource : sweepByOutcome(unaffectedPart(affected), outcome)) {
            if (w.tree.exists(resource) && !settleOne(resource, outcome, context))
                unsettled.push_back(resource);
        }
        return unsettled;
    }

    /// Applies an outcome to one affected resource. Returns false if the outcome is canceled and
    /// no row applies.
    bool settleOne(Resource resource, TriggerId outcome, const Context &context)
    {
        const Code code = w.tree.code(resource);
        if (!isTransitional(code))
            return true;
        for (const TriggerId trigger : chainOf(outcome)) {
            const Taken found = instar::taken(subjectOf(r, w, resource), code, trigger, context);
            if (found.possible && !isTransitional(found.code)) {
                noteRow(found.transition);
                moveOne(resource, found.code, &r.transition(found.transition), 0);
                return true;
            }
        }
        if (outcome == r.canceled)
            return false;
        moveOne(resource, fallbackCode(code), nullptr, 0);
        return true;
    }

    /// Settles orphans by the outcome canceled; adopt() gets those to which no row applies.
    void settleOrphans(Which which = Which::All)
    {
        const auto isReady = [which](const Orphans &orphans) {
            return which == Which::All || !orphans.waitsForWork;
        };
        for (auto next = std::ranges::find_if(m_orphans, isReady); next != m_orphans.end();
             next = std::ranges::find_if(m_orphans, isReady)) {
            const Orphans orphans = std::move(*next);
            m_orphans.erase(next);
            const qint64 before = m_moved;
            const Context context = contextOf(*orphans.canceled.constData());
            const std::vector<Resource> unsettled = settle(orphans.affected, r.canceled, context);
            adopt(orphans.by, unsettled, context);
            if (m_moved != before || (!unsettled.empty() && w.find(orphans.by))) {
                m_record.changes.push_back({ .kind = Change::Kind::Settled,
                    .operation = orphans.canceled.constData()->serial,
                    .other = unsettled.empty() ? 0 : orphans.by,
                    .path = orphans.canceled.constData()->path,
                    .outcome = r.canceled,
                    .moved = m_moved - before });
            }
        }
    }

    /// Sets the number of resources that a change moved since m_moved was `before`, without those
    /// that later changes of the record report.
    void countMoved(size_t change, qint64 before)
    {
        const auto changes = std::span(m_record.changes).subspan(change);
        changes.front().moved = m_moved - before;
        for (const Change &later : changes.subspan(1))
            changes.front().moved -= later.moved;
    }

    /// Hands resources of a canceled operation to the operation `by` that canceled it. If `by` has
    /// ended, applies the outcome of `by` to the resources.
    void adopt(quint32 by, const std::vector<Resource> &resources, const Context &context)
    {
        if (w.find(by)) {
            AffectedResources runs;
            for (const Resource resource : resources) {
                if (!w.tree.exists(resource))
                    continue;
                const Tree::Place place = w.tree.place(resource);
                if (!runs.empty() && runs.back().branch == place.branch
                    && runs.back().end == place.position)
                    ++runs.back().end;
                else
                    runs.push_back(rangeOf(place));
            }
            for (const Tree::Range &range : runs) {
                Running &adopting = *w.change(by);
                addAffected(adopting, range);
                include(adopting.adopted, range);
            }
            return;
        }
        const auto ended = std::ranges::find(m_closed, by, &std::pair<quint32, TriggerId>::first);
        const TriggerId outcome =
            ended == m_closed.end() || ended->second == r.canceled ? r.failed : ended->second;
        for (const Resource resource : resources) {
            if (w.tree.exists(resource))
                settleOne(resource, outcome, context);
        }
    }

    void setCode(Resource resource, Code code)
    {
        const Code before = w.tree.code(resource);
        if (before == code)
            return;
        w.tree.setCode(resource, code);
        m_record.dirty.add(rangeOf(w.tree.place(resource)));
        if (r.stateOf(before) != r.stateOf(code))
            ++m_moved;
        if (r.hasTimers()) {
            w.timed.remove(resource);
            if (timerOf(r, w, resource))
                restartTimer(resource);
        }
        markChanged(w.tree.place(resource).branch);
    }

    void restartTimer(Resource resource)
    {
        w.timed.insert(resource, { w.now });
        retime(resource);
    }

    Resource create(Resource parent, const QString &typePath, const QString &name,
        QStringView segment, Code code)
    {
        const Resource resource =
            w.tree.create(parent, w.tree.typeAt(typePath), name, code, 0, segment);
        const Tree::Place place = w.tree.place(resource);
        m_record.dirty.addBranch(place.branch);
        if (m_recordsAll)
            m_record.treeChanges.push_back({ resource, w.tree.path(resource) });
        for (const quint32 serial : w.busy.value(place.branch)) {
            Running &running = *w.change(serial);
            makeRoom(running.affected, place);
            makeRoom(running.adopted, place);
        }
        for (Orphans &orphans : m_orphans)
            makeRoom(orphans.affected, place);
        return resource;
    }

    /// Removes a resource and its descendants, on which nothing runs or waits.
    void remove(Resource top)
    {
        const Tree::Range range = w.tree.subtree(top);
        for (const quint32 serial : w.busy.value(range.branch)) {
            Running &running = *w.change(serial);
            forget(running.affected, range);
            forget(running.adopted, range);
            if (range.begin == 0) // the whole branch goes, and its number may be reused
                running.branches.removeOne(range.branch);
        }
        if (range.begin == 0)
            w.busy.remove(range.branch);
        for (Orphans &orphans : m_orphans)
            forget(orphans.affected, range);
        if (!w.references.isEmpty() || !w.properties.isEmpty() || !w.bodies.isEmpty()
            || !w.timed.isEmpty()) {
            for (quint32 position = range.begin; position < range.end; ++position) {
                const Resource resource = w.tree.at(range.branch, position);
                w.properties.remove(resource);
                w.bodies.remove(resource);
                w.timed.remove(resource);
                forgetReferences(w, resource);
            }
        }
        markChanged(range.branch);
        m_record.dirty.addBranch(range.branch);
        if (m_recordsAll)
            m_record.treeChanges.push_back({ .resource = top });
        m_moved += range.size();
        w.tree.remove(top);
    }

    /// Replaces a resource's references, properties and body by those of a request.
    void store(Resource resource, const Request &request)
    {
        forgetReferences(w, resource);
        addReferences(w, resource, request.references);
        const bool merges = r.merges(r.trigger(request.op)); // here into an empty object
        storeOrRemove(w.properties, resource,
            merges ? Properties(merged({}, request.properties.object())) : request.properties);
        storeOrRemove(w.bodies, resource, request.body);
        retime(resource);
    }

    void merge(Resource resource, const Request &request)
    {
        QStringList more = request.references;
        const QStringList known = w.references.value(resource);
        more.removeIf([&](const QString &path) { return known.contains(path); });
        addReferences(w, resource, more);
        if (!request.properties.isEmpty())
            overlay(resource, request.properties.object());
    }

    /// Applies a merge patch to a resource's properties.
    void overlay(Resource resource, const QJsonObject &patch)
    {
        w.properties.insert(resource, merged(w.properties.value(resource), patch));
        w.bodies.remove(resource); // the document that a client stored is outdated
        retime(resource);
    }

    /// Applies a row's assignments to a resource's properties.
    void assign(Resource resource, const Rules::Transition &row)
    {
        if (!row.sets)
            return;
        QJsonObject properties = w.properties.value(resource);
        for (const Assignment &assignment : r.row(row).set) {
            const QJsonValue before = properties.value(assignment.property);
            if (assignment.add && before.isDouble())
                properties.insert(assignment.property, before.toInteger() + *assignment.add);
            else if (!assignment.add && assignment.value.isNull())
                properties.remove(assignment.property);
            else if (!assignment.add)
                properties.insert(assignment.property, assignment.value);
        }
        storeOrRemove(w.properties, resource, properties);
        w.bodies.remove(resource);
        retime(resource);
    }

    /// Stamps a resource that changed without an operation's work.
    void stampInPlace(Resource resource)
    {
        const Tree::Range range = rangeOf(w.tree.place(resource));
        if (r.stampsAtStart() || r.stampsAtEnd())
            w.tree.stampRange(range, ++w.stamp);
        m_record.dirty.add(range);
        markChanged(range.branch);
    }

    /// Makes a range part of an operation's affected resources, and takes it from operations that
    /// had only adopted it.
    void affect(Running &running, const Tree::Range &range)
    {
        for (const quint32 serial : w.busy.value(range.branch)) {
            const Running &other = *w.find(serial);
            if (other.adopted.empty())
                continue;
            const AffectedResources remaining = without(other.adopted, { range });
            const AffectedResources lost = without(other.adopted, remaining);
            if (lost.empty())
                continue;
            Running &changed = *w.change(serial);
            changed.adopted = remaining;
            if (serial == running.serial)
                continue;
            changed.affected = without(changed.affected, lost);
            m_changedHoldings.push_back(serial);
        }
        addAffected(running, range);
    }

    /// As affect(), but other operations keep the resources that they adopted.
    void addAffected(Running &running, const Tree::Range &range)
    {
        include(running.affected, range);
        m_changedHoldings.push_back(running.serial);
        markActive(range.branch);
        m_record.dirty.add(range);
        if (!running.branches.contains(range.branch)) {
            running.branches.append(range.branch);
            w.busy[range.branch].append(running.serial);
        }
    }

    /// As affect(), for one resource, which is stamped by the operation.
    void affectOne(quint32 serial, Resource resource)
    {
        Running &running = *w.change(serial);
        const Tree::Range range = rangeOf(w.tree.place(resource));
        affect(running, range);
        if (running.stamp)
            w.tree.stampRange(range, running.stamp);
    }

    /// Removes a resource that came to rest from the affected resources of all operations but
    /// `except`, which is about to end.
    void releaseRested(Resource resource, quint32 except = 0)
    {
        const Tree::Place place = w.tree.place(resource);
        const auto busy = w.busy.constFind(place.branch);
        if (busy == w.busy.constEnd() || busy->size() < 2)
            return;
        const AffectedResources hole { rangeOf(place) };
        for (const quint32 serial : *busy) {
            if (serial == except || !contains(w.find(serial)->affected, place))
                continue;
            m_record.dirty.add(hole.front());
            m_changedHoldings.push_back(serial);
            Running &changed = *w.change(serial);
            changed.affected = without(changed.affected, hole);
            changed.adopted = without(changed.adopted, hole);
        }
    }

    AffectedResources unaffectedPart(AffectedResources affected) const
    {
        std::vector<quint32> branches;
        for (const Tree::Range &range : affected)
            addOnce(branches, range.branch);
        for (const quint32 branch : branches) {
            for (const quint32 serial : w.busy.value(branch))
                affected = without(std::move(affected), w.find(serial)->affected);
        }
        return affected;
    }

    /// Moves whole ranges by the outcome of an operation that affects them. Returns the resources
    /// of those ranges for which some row has a condition on individual resources.
    std::vector<Resource> sweepByOutcome(const AffectedResources &affected, TriggerId outcome)
    {
        std::vector<Resource> individual;
        for (const Tree::Range &range : affected) {
            const std::vector<Code> map = sweepMap(w.tree, range.branch, [&](Code code) {
                const auto move = r.uniformMoveByOutcome(code, outcome);
                const bool works = r.stateIn(code).isTransitional();
                return move && (move->moves || !works) ? std::optional(move->to) : std::nullopt;
            });
            if (!map.empty()) {
                noteRows(range, chainOf(outcome));
                m_moved += w.tree.apply(range, map, 0);
                m_record.dirty.add(range);
                markChanged(range.branch);
                continue;
            }
            for (quint32 position = range.begin; position < range.end; ++position)
                individual.push_back(w.tree.at(range.branch, position));
        }
        return individual;
    }

    /// Moves a whole range by an event of an operation. Returns false and does nothing if a row has
    /// a condition on individual resources.
    bool sweepByEvent(Running &running, const Tree::Range &range, TriggerId event)
    {
        const std::vector<Code> map = sweepMap(w.tree, range.branch, [&](Code code) {
            const auto move = r.uniformMoveByEvent(code, event);
            return move && move->moves ? std::optional(move->to) : std::nullopt;
        });
        if (map.empty())
            return false;
        noteRows(range, { event });
        m_moved += w.tree.apply(range, map, running.stamp);
        markChanged(range.branch);
        affect(running, range);
        return true;
    }

    /// Returns the triggers to try, in order, on an affected resource after its operation's end.
    std::vector<Rules::TriggerId> chainOf(TriggerId outcome) const
    {
        if (outcome == r.canceled)
            return { outcome };
        return { outcome, r.invalid, r.failed };
    }

    /// Marks a branch in which something changed: constraints and timers must be checked.
    void markChanged(quint32 branch)
    {
        markActive(branch);
        if (!r.constraints().empty())
            addOnce(m_changedBranches, branch);
    }

    /// Marks a branch in which something happened: timers must be checked.
    void markActive(quint32 branch)
    {
        if (r.hasTimers())
            addOnce(m_activeBranches, branch);
    }

    void noteRow(int transition)
    {
        if (m_exercised && transition != Rules::None)
            m_exercised->rows.insert(transition);
    }

    /// Maps each code in a branch to its code after a sweep; empty if codeAfter() fails for one.
    static std::vector<Code> sweepMap(const Tree &tree, quint32 branch, const auto &codeAfter)
    {
        const std::span<const quint32> counts = tree.branchCounts(branch);
        std::vector<Code> map(counts.size());
        for (size_t code = 0; code < counts.size(); ++code) {
            const std::optional<Code> to =
                counts[code] ? codeAfter(Code(code)) : std::optional(Code(code));
            if (!to)
                return {};
            map[code] = *to;
        }
        return map;
    }

    template<typename Value>
    static void addOnce(std::vector<Value> &list, const Value &value)
    {
        if (std::ranges::find(list, value) == list.end())
            list.push_back(value);
    }

    /// Schedules the timer of a resource anew at the end of the step.
    void retime(Resource resource)
    {
        if (!r.hasTimers())
            return;
        markActive(w.tree.place(resource).branch);
        m_retimed.push_back(resource);
    }

    /// Records the rows that move a whole range as exercised: the first row of each state.
    void noteRows(const Tree::Range &range, const std::vector<TriggerId> &chain)
    {
        if (!m_exercised)
            return;
        const bool isOutcome = chain.front() == r.canceled || chain.size() > 1; // moves only work
        std::set<Rules::StateId> visited;
        for (quint32 position = range.begin; position < range.end; ++position) {
            const Rules::StateId state = r.stateOf(w.tree.code(w.tree.at(range.branch, position)));
            const bool reacts = isOutcome ? r.state(state).isTransitional()
                                          : r.state(state).kind != State::Kind::Initial;
            if (!reacts || !visited.insert(state).second)
                continue;
            const auto first = std::ranges::find_if(
                chain, [&](TriggerId trigger) { return !r.candidates(state, trigger).empty(); });
            if (first != chain.end())
                noteRow(r.candidates(state, *first).front());
        }
    }

    Subject target(const Running &running) const { return subjectOf(r, w, running.target); }
    const Rules::Work &stepOf(const Running &running) const
    {
        return r.state(running.work).work[size_t(running.cursor)];
    }
    bool isInitial(Code code) const { return r.stateIn(code).kind == State::Kind::Initial; }
    bool isTransitional(Code code) const { return r.stateIn(code).isTransitional(); }

    const Rules &r;
    World &w;
    Record &m_record;
    Exercised *const m_exercised;
    bool m_recordsAll = true; ///< fills treeChanges and holdings, runs the clock
    qint64 m_moved = 0;       ///< number of state changes so far

    /// Resources that a canceled operation affected, to be put to rest.
    struct Orphans
    {
        AffectedResources affected;
        QSharedDataPointer<Running> canceled;
        quint32 by = 0;
        bool waitsForWork = false; ///< events sent by the work of `by` may still take these over
    };
    std::vector<Orphans> m_orphans;
    std::vector<quint32> m_changedHoldings; ///< operations whose affected resources changed
    std::vector<quint32> m_changedBranches; ///< branches in which constraints must be checked
    std::vector<quint32> m_activeBranches;  ///< branches in which anything happened, for timers
    std::vector<Resource> m_retimed; ///< resources whose timer began or whose properties changed

    bool m_untimed = false;
    std::map<quint32, int> m_outcomeCounts; ///< operation -> number of its outcomes in this step
    std::vector<RequiredEnd> m_ends;
    std::vector<std::pair<quint32, TriggerId>> m_closed; ///< operations that ended, and outcomes
};

Stepped step(const Rules &rules, World world, const Event &event, Exercised *exercised)
{
    Stepped result { std::move(world), {} };
    result.record.event = event;
    Stepper(rules, result.world, result.record, exercised).apply(event);
    for (const Change &change : result.record.changes) {
        if (exercised && !change.code.isEmpty())
            exercised->codes.insert(change.code);
    }
    return result;
}

Event nextEvent(const Rules &rules, const World &world)
{
    Event next;
    const auto [due, serial] =
        world.agenda.empty() ? std::pair<qint64, quint32>() : world.agenda.front();
    if (const Running *running = world.find(serial)) {
        const bool attempts = running->phase == Running::Phase::Attempting;
        next = { .kind = running->due != due ? Event::Kind::Expire
                : attempts                   ? Event::Kind::End
                                             : Event::Kind::Begin,
            .time = due,
            .operation = serial };
    }
    if (rules.hasTimers()) {
        const Event fired = nextFiring(rules, world);
        if (fired.kind != Event::Kind::Wait
            && (next.kind == Event::Kind::Wait || fired.time < next.time))
            return fired;
    }
    return next;
}

QList<Rules::TriggerId> possibleOutcomes(const Rules &rules, const World &world, quint32 serial)
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
