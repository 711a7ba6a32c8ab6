// SPDX-License-Identifier: Apache-2.0
// Operations that start, go on, and end.
#include "model/engine/clock.h"
#include "model/engine/errorcodes.h"
#include "model/engine/stepper.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int MostTurns = 500; ///< outcomes of one operation in one step
constexpr int MostDepth = 50;  ///< of required operations

} // namespace

void Stepper::submit(const SharedRequest &request, quint32 requirer, const QMap<int, bool> &answers)
{
    const quint32 serial = ++w.lastSerial;
    int depth = 0;
    for (const Running *above = w.find(requirer); above; above = w.find(above->requirer))
        ++depth;
    if (depth > MostDepth) {
        const QString code = TooDeepCode.toString();
        const QString message = u"The required operations require each other in a cycle."_s;
        m_record.changes.push_back({ .kind = Change::Kind::Rejected,
            .operation = serial,
            .requirer = requirer,
            .request = request,
            .path = request->path,
            .code = code,
            .message = message,
            .http = 500 });
        m_heard.push_back({ requirer, r.rejected, code, message });
        return;
    }
    const Admission admitted = admission(r, w, *request, answers, requirer, m_timeless);
    noteAsked(admitted);
    if (m_exercised)
        findMeetings(r, w, *request, answers, requirer, &m_exercised->meetings);
    if (!request->requestId.isEmpty() && admitted.verdict != Admission::Verdict::Replayed)
        w.answered.insert(request->requestId, serial);

    if (admitted.verdict == Admission::Verdict::Accepted) {
        start(serial, request, admitted, requirer, answers);
        return;
    }
    if (admitted.verdict == Admission::Verdict::Waits) {
        queue(serial, request, admitted, requirer, answers);
        return;
    }
    noteAnswer(admitted);
    Change change = answerTo(*request, admitted, requirer);
    change.operation = serial;
    change.request = request;
    switch (admitted.verdict) {
    case Admission::Verdict::Observed:
        change.kind = Change::Kind::Observed;
        setInPlace(admitted, &change);
        break;
    case Admission::Verdict::Replayed:
        change.kind = Change::Kind::Replayed;
        break;
    default:
        change.kind = Change::Kind::Rejected;
        break;
    }
    m_record.changes.push_back(std::move(change));
    if (requirer) {
        const bool good = admitted.verdict != Admission::Verdict::Refused;
        m_heard.push_back(
            { requirer, good ? r.succeeded : r.rejected, admitted.code, admitted.message });
    }
}

void Stepper::noteAsked(const Admission &admitted)
{
    for (const int label : admitted.asked) {
        if (std::ranges::find(m_record.asked, label) == m_record.asked.end())
            m_record.asked.push_back(label);
    }
}

void Stepper::queue(quint32 serial, const SharedRequest &request, const Admission &admitted,
    quint32 requirer, const QMap<int, bool> &answers)
{
    auto *queued = new Queued;
    queued->serial = serial;
    queued->request = request;
    queued->op = r.trigger(request->op);
    queued->creates = admitted.target == NoResource;
    queued->target = queued->creates ? admitted.parent : admitted.target;
    queued->requirer = requirer;
    queued->root = requirer ? w.find(requirer)->root : serial;
    queued->answers = answers;
    queued->waitsFor = admitted.waitsFor;
    w.queue.emplace_back(queued);
    if (queued->target != NoResource)
        stir(w.tree.place(queued->target).branch);
    Change change { .kind = Change::Kind::Queued,
        .operation = serial,
        .other = admitted.other,
        .requirer = requirer,
        .request = request,
        .path = request->path,
        .rule = admitted.rule };
    if (admitted.target != NoResource)
        change.from = change.to = r.stateOf(w.tree.code(admitted.target));
    m_record.changes.push_back(std::move(change));
}

void Stepper::start(quint32 serial, const SharedRequest &request, const Admission &admitted,
    quint32 requirer, const QMap<int, bool> &answers)
{
    // Room for the cancellations, what they leave behind, and the start.
    m_record.changes.reserve(m_record.changes.size() + 2 * admitted.cancels.size() + 1);
    for (size_t i = 0; i < admitted.cancels.size(); ++i)
        cancel(admitted.cancels[i], serial, admitted.cancelRows[i]);
    const auto isVictim = [&](quint32 other) {
        return std::ranges::find(admitted.cancels, other) != admitted.cancels.end();
    };
    for (Orphans &orphans : m_orphans) {
        const Running &canceled = *orphans.canceled.constData();
        orphans.waitsForWork =
            orphans.waitsForWork || (isVictim(canceled.serial) && !isVictim(canceled.requirer));
    }

    Resource target = admitted.target;
    if (target == NoResource) {
        const Code absent = r.resting(r.machines()[size_t(admitted.machine)].initial);
        target = made(admitted.parent, admitted.typePath, admitted.name, admitted.segment, absent);
        store(target, *request);
    } else if (request->stores) {
        store(target, *request);
    } else if (r.merges(r.trigger(request->op))) {
        merge(target, *request);
    }
    auto *running = new Running;
    running->serial = serial;
    running->id = request->id;
    running->path = request->path;
    running->request = request;
    running->op = r.trigger(request->op);
    running->target = target;
    running->requirer = requirer;
    running->root = requirer ? w.find(requirer)->root : serial;
    running->soFar = r.succeeded;
    running->transientsLeft = request->transientFailures;
    running->answers = answers;
    running->stamp = r.stampsAtStart() ? ++w.stamp : 0;
    w.running.insert(std::ranges::upper_bound(
                         w.running, serial, {}, [](const auto &one) { return one->serial; }),
        QSharedDataPointer<Running>(running));
    cover(*running, only(w.tree.place(target)));
    if (running->stamp)
        w.tree.stampRange(only(w.tree.place(target)), running->stamp);

    const Rules::Transition &row = r.transition(admitted.transition);
    noteRow(admitted.transition);
    const size_t at = m_record.changes.size();
    const qint64 before = m_moved;
    storeContents(serial, *request);
    m_record.changes.push_back({ .kind = Change::Kind::Started,
        .operation = serial,
        .requirer = requirer,
        .request = request,
        .path = request->path,
        .from = r.stateOf(w.tree.code(target)),
        .to = r.stateOf(admitted.entered),
        .transition = admitted.transition });
    settleOrphans(Which::Required); // operations required by the victims rest before work begins
    if (!w.find(serial))
        return;
    enter(serial, admitted.entered, &row);
    m_record.changes[at].moved = m_moved - before;
}

/// Moves an operation's target to a code by `row`; null: by no row.
void Stepper::enter(quint32 serial, Code code, const Rules::Transition *row)
{
    Running &running = *w.change(serial);
    const Resource target = running.target;
    const Rules::StateId from = r.stateOf(w.tree.code(target));
    const Rules::StateRule &state = r.state(r.stateOf(code));
    const qint64 movedBefore = m_moved;
    if (state.kind == State::Kind::Initial) {
        removeAll(target, serial, serial);
        close(serial, running.soFar, from, movedBefore);
        return;
    }
    setCode(target, code);
    if (row)
        assign(target, *row);
    if (!running.says.isEmpty()) { // overrides what the row sets
        takeAnswer(running);
        running.says = {};
    }
    if (state.timer) { // also when it re-enters the same state
        w.timed.insert(target, { w.now });
        retime(target);
    }
    if (!state.isTransitional()) {
        rested(target, serial);
        close(serial, running.soFar, from, movedBefore);
        return;
    }
    if (!covers(running.cover, w.tree.place(target)))
        cover(running, only(w.tree.place(target)));
    running.work = r.stateOf(code);
    running.cursor = 0;
    running.soFar = r.succeeded;
    running.errorCode.clear();
    running.errorMessage.clear();
    running.deadline = -1;
    if (state.limit) {
        if (const auto moment = momentOf(r, w, target, *state.limit, w.now)) {
            running.deadline = std::max(w.now, *moment);
            remind(running.deadline, serial);
        }
    }
    const qint64 pause = row
        ? numberOf(row->afterIn, this->target(running), asking(running)).value_or(row->after)
        : 0;
    if (pause > 0) {
        running.phase = Running::Phase::Delayed;
        schedule(running, w.now + pause);
        return;
    }
    work(serial);
}

void Stepper::outcome(quint32 serial, TriggerId name)
{
    Running &running = *w.change(serial);
    const Code code = w.tree.code(running.target);
    const Rules::StateId from = r.stateOf(code);
    running.soFar = name;
    const qint64 movedBefore = m_moved;

    std::vector<TriggerId> chain { name };
    if (name != r.invalid && name != r.failed)
        chain.push_back(r.invalid);
    if (name != r.failed)
        chain.push_back(r.failed);
    if (++m_turns[serial] > MostTurns)
        chain.clear();
    for (size_t i = 0; i < chain.size(); ++i) {
        const Taken found = instar::taken(target(running), code, chain[i], asking(running));
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
        running.soFar = chain[i];
        // No row takes the outcome itself: the error names it, or `invalid`, not the fallback that
        // was taken.
        if (i > 0 && running.errorCode.isEmpty()) {
            for (const TriggerId untaken : { r.invalid, name }) {
                const Rules::OutcomeRule rule = r.outcome(untaken);
                if (rule.code == UsualErrorCode)
                    continue;
                running.errorCode = rule.code;
                running.errorMessage = rule.message;
            }
        }
        if (!r.state(r.stateOf(found.code)).isTransitional()) {
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
        m_record.changes[at].moved = m_moved - movedBefore;
        return;
    }

    // No row applies: the resource returns to its last rested state.
    running.soFar = name == r.succeeded ? r.failed : name;
    enter(serial, retreat(code), nullptr);
}

void Stepper::close(quint32 serial, TriggerId ended, Rules::StateId from, qint64 movedBefore)
{
    if (const Running *ending = w.find(serial);
        r.isGood(ended) && !ending->request->replaces.isEmpty())
        removeReplaced(serial, SharedRequest(ending->request));
    const QSharedDataPointer<Running> running = taken(serial);
    const std::vector<Resource> kept = begunByOthers(*running, ended);
    if (r.stampsAtEnd() && ended != r.canceled) {
        const quint64 stamp = ++w.stamp;
        for (const Tree::Range &range : running->cover)
            w.tree.stampRange(range, stamp);
    }
    for (const Resource resource : kept) {
        setCode(resource,
            r.resting(
                r.machines()[size_t(r.state(r.stateOf(w.tree.code(resource))).machine)].rest));
        rested(resource);
    }
    tell(unanswered(w, running->cover, 0), ended, asking(*running));

    Change change { .kind = Change::Kind::Closed,
        .operation = serial,
        .requirer = running->requirer,
        .path = running->path,
        .from = from,
        .to = from,
        .outcome = ended,
        .moved = m_moved - movedBefore,
        .attempts = running->attempts };
    if (w.tree.exists(running->target))
        change.to = r.stateOf(w.tree.code(running->target));
    else
        change.to = r.machines()[size_t(r.state(from).machine)].initial;
    if (!r.isGood(ended)) {
        const Rules::OutcomeRule rule = r.outcome(ended);
        change.code = running->errorCode.isEmpty() ? rule.code : running->errorCode;
        change.message = running->errorMessage.isEmpty() ? rule.message : running->errorMessage;
    }
    m_closed.emplace_back(serial, ended);
    if (running->requirer)
        m_heard.push_back({ running->requirer, ended, change.code, change.message });
    m_record.changes.push_back(std::move(change));
}

QSharedDataPointer<Running> Stepper::taken(quint32 serial)
{
    const auto it = std::ranges::lower_bound(
        w.running, serial, {}, [](const auto &running) { return running->serial; });
    QSharedDataPointer<Running> running = std::move(*it);
    w.running.erase(it);
    for (const quint32 branch : running->branches) {
        stir(branch);
        const auto busy = w.busy.find(branch);
        if (busy == w.busy.end())
            continue;
        busy->removeOne(serial);
        if (busy->isEmpty())
            w.busy.erase(busy);
    }
    for (const Tree::Range &range : running.constData()->cover)
        m_record.extent.add(range);
    if (w.tree.exists(running.constData()->target)) // may be at rest and no longer in `cover`
        m_record.extent.add(only(w.tree.place(running.constData()->target)));
    if (running.constData()->requirer)
        countAttempts(*running.constData());
    return running;
}

void Stepper::cancel(quint32 serial, quint32 by, int conflict)
{
    if (const Queued *queued = w.waiting(serial)) {
        cancelQueued(*queued, by, conflict);
        return;
    }
    if (!w.find(serial))
        return;
    QSharedDataPointer<Running> running = taken(serial);
    const Running &gone = *running.constData();
    const Rules::OutcomeRule rule = r.outcome(r.canceled);
    Change change { .kind = Change::Kind::Canceled,
        .operation = serial,
        .other = by,
        .requirer = gone.requirer,
        .path = gone.path,
        .outcome = r.canceled,
        .attempts = gone.attempts,
        .code = rule.code,
        .message = rule.message,
        .conflict = conflict };
    if (w.tree.exists(gone.target))
        change.from = change.to = r.stateOf(w.tree.code(gone.target));
    m_record.changes.push_back(std::move(change));
    if (gone.waitingFor)
        cancelRequired(serial, by);
    if (gone.requirer)
        m_heard.push_back({ gone.requirer, r.canceled, rule.code, rule.message });
    m_orphans.push_back({ gone.cover, running, by });
}

void Stepper::cancelQueued(const Queued &queued, quint32 by, int conflict)
{
    const Rules::OutcomeRule rule = r.outcome(r.canceled);
    Change change { .kind = Change::Kind::Canceled,
        .operation = queued.serial,
        .other = by,
        .requirer = queued.requirer,
        .path = queued.request->path,
        .outcome = r.canceled,
        .code = rule.code,
        .message = rule.message,
        .conflict = conflict };
    if (!queued.creates && w.tree.exists(queued.target))
        change.from = change.to = r.stateOf(w.tree.code(queued.target));
    m_record.changes.push_back(std::move(change));
    if (queued.requirer)
        m_heard.push_back({ queued.requirer, r.canceled, rule.code, rule.message });
    std::erase_if(
        w.queue, [serial = queued.serial](const auto &one) { return one->serial == serial; });
}

/// Cancels the running and waiting operations that an operation required.
void Stepper::cancelRequired(quint32 serial, quint32 by)
{
    std::vector<quint32> required;
    for (const auto &other : w.running) {
        if (other->requirer == serial && other->serial != by)
            required.push_back(other->serial);
    }
    for (const auto &other : w.queue) {
        if (other->requirer == serial)
            required.push_back(other->serial);
    }
    for (const quint32 other : required)
        cancel(other, by);
}

} // namespace instar
