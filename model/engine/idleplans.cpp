// SPDX-License-Identifier: Apache-2.0
#include "model/engine/idleplans.h"

#include "model/engine/piece.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

WorkKeys::WorkKeys(const Rules &rules)
{
    for (const Rules::StateRule &state : rules.states())
        m_states.insert(state.id);
}

qsizetype WorkKeys::pathIn(const QString &key) const
{
    return m_states.contains(key) ? -1 : key.indexOf(u" /"_s);
}

QString WorkKeys::text(const QString &key) const
{
    return pathIn(key) < 0 ? u"in \"%1\""_s.arg(key) : u"of \"%1\""_s.arg(key);
}

Foresight::Foresight(const Rules &rules)
    : m_rules(rules), m_endsWork(size_t(rules.triggerCount()), true), m_keys(rules)
{
    const auto endsNothing = [this](TriggerId trigger) {
        if (trigger != Rules::None)
            m_endsWork[size_t(trigger)] = false;
    };
    for (TriggerId trigger = 0; trigger < rules.triggerCount(); ++trigger) {
        if (rules.isOperation(trigger))
            endsNothing(trigger);
    }
    for (const Rules::StateRule &state : rules.states()) {
        for (const Rules::Work &step : state.work) {
            if (step.kind != Step::Kind::Send)
                continue;
            endsNothing(step.name);
            for (const auto &[outcome, event] : step.byOutcome)
                endsNothing(event);
        }
    }
    for (const Outcome &outcome : rules.pack().outcomes)
        m_endsWork[size_t(rules.trigger(outcome.id))] = true;
    for (const TriggerId own : { rules.succeeded, rules.failed, rules.canceled, rules.rejected,
             rules.invalid, rules.retried })
        m_endsWork[size_t(own)] = true;
}

/// The states in which an operation works itself. What others send may move its resource, but its
/// work stays where it was.
Foresight::States Foresight::statesOf(int machine, TriggerId op) const
{
    States found;
    std::vector<bool> seen(m_rules.states().size());
    const auto follow = [&](StateId from, TriggerId trigger) {
        for (const int row : m_rules.candidates(from, trigger)) {
            for (const Rules::Target &target : m_rules.transition(row).to) {
                if (target.kind != Rules::Target::Kind::State || seen[size_t(target.state)]
                    || !m_rules.state(target.state).isTransitional())
                    continue;
                seen[size_t(target.state)] = true;
                found.push_back(target.state);
            }
        }
    };
    for (size_t state = 0; op != Rules::None && state < m_rules.states().size(); ++state) {
        if (machine == AnyMachine || m_rules.states()[state].machine == machine)
            follow(StateId(state), op);
    }
    for (size_t i = 0; i < found.size(); ++i) { // it grows meanwhile
        for (TriggerId trigger = 0; trigger < m_rules.triggerCount(); ++trigger) {
            if (m_endsWork[size_t(trigger)])
                follow(found[i], trigger);
        }
    }
    return found;
}

/// Of the states, and of those in which operations work that states without an attempt require,
/// those with an attempt.
Foresight::States Foresight::attemptsIn(States states) const
{
    for (size_t i = 0; i < states.size(); ++i) { // it grows meanwhile
        if (hasAttempt(m_rules.state(states[i])))
            continue;
        for (const Rules::Work &step : m_rules.state(states[i]).work) {
            if (step.kind != Step::Kind::Require)
                continue;
            for (const StateId more : statesOf(AnyMachine, step.name)) {
                if (std::ranges::find(states, more) == states.end())
                    states.push_back(more);
            }
        }
    }
    std::erase_if(states, [&](StateId state) { return !hasAttempt(m_rules.state(state)); });
    return states;
}

QSet<Foresight::TriggerId> Foresight::requiredIn(States states) const
{
    QSet<TriggerId> required;
    for (size_t i = 0; i < states.size(); ++i) { // it grows meanwhile
        for (const Rules::Work &step : m_rules.state(states[i]).work) {
            if (step.kind != Step::Kind::Require || required.contains(step.name))
                continue;
            required.insert(step.name);
            const States more = statesOf(AnyMachine, step.name);
            states.insert(states.end(), more.begin(), more.end());
        }
    }
    return required;
}

Foresight::Work &Foresight::workOf(int machine, TriggerId op)
{
    const auto [known, isNew] = m_known.try_emplace({ machine, op });
    Work &work = known->second;
    if (isNew) {
        work.states = statesOf(machine, op);
        work.attempts = attemptsIn(work.states);
        work.required = requiredIn(work.states);
    }
    return work;
}

bool Foresight::isTaken(const States &states, TriggerId outcome) const
{
    return std::ranges::any_of(
        states, [&](StateId state) { return !m_rules.candidates(state, outcome).empty(); });
}

bool Foresight::isTold(const States &attempts, const QString &name) const
{
    const TriggerId outcome = m_rules.trigger(name);
    if (name.isEmpty() || outcome == Rules::None || outcome == m_rules.succeeded)
        return true;
    const auto hasCode = [&](TriggerId of) { return m_rules.outcome(of).code != UsualErrorCode; };
    return !attempts.empty()
        && (outcome == m_rules.failed || hasCode(outcome) || hasCode(m_rules.invalid)
            || isTaken(attempts, m_rules.invalid) || isTaken(attempts, outcome));
}

/// The attempts that the plan of a single piece is about.
const Foresight::States &Foresight::attemptsAt(Work &work, const QString &key)
{
    const auto known = work.pieces.constFind(key);
    if (known != work.pieces.constEnd())
        return *known;
    const qsizetype space = m_keys.pathIn(key);
    if (space < 0) {
        States states = work.states;
        std::erase_if(states, [&](StateId state) { return m_rules.state(state).id != key; });
        return *work.pieces.insert(key, attemptsIn(std::move(states)));
    }
    const int machine = m_rules.machineForType(typePathOf(QStringView(key).sliced(space + 1)));
    return *work.pieces.insert(key, workOf(machine, m_rules.trigger(key.first(space))).attempts);
}

/// Why nothing can come of the plan of a single piece at all; empty: it can.
QString Foresight::idlePiece(const Work &work, const QString &key, const States &attempts) const
{
    const qsizetype space = m_keys.pathIn(key);
    if (space < 0) {
        const auto works = [&](StateId state) { return m_rules.state(state).id == key; };
        if (std::ranges::none_of(work.states, works))
            return u"the operation itself never works in \"%1\"%2"_s.arg(key,
                work.required.isEmpty()
                    ? QString()
                    : u"; what it requires is planned as \"operation /path\""_s);
    } else if (!work.required.contains(m_rules.trigger(key.first(space)))) {
        return u"the operation never requires \"%1\""_s.arg(key.first(space));
    }
    if (attempts.empty())
        return u"nothing takes time in the work %1, so there is nothing to plan"_s.arg(
            m_keys.text(key));
    return {};
}

QList<IdlePlan> Foresight::idlePlans(int machine, const Request &request)
{
    Work &work = workOf(machine, m_rules.trigger(request.op));
    QList<IdlePlan> idle;
    if (!isTold(work.attempts, request.outcome))
        idle.append({ { u"outcome"_s },
            u"no work that the operation leads to ends in \"%1\""_s.arg(request.outcome) });
    const auto isOwn = [&](StateId state) {
        return hasAttempt(m_rules.state(state))
            && !m_rules.candidates(state, m_rules.retried).empty();
    };
    if (request.transientFailures > 0 && std::ranges::none_of(work.states, isOwn))
        idle.append({ { u"transientFailures"_s },
            u"no work that the operation leads to is tried again: it has no transient failures"_s });
    if (request.hang && work.attempts.empty())
        idle.append({ { u"hang"_s }, u"no work that the operation leads to takes time"_s });
    for (auto it = request.work.cbegin(); it != request.work.cend(); ++it) {
        const States &attempts = attemptsAt(work, it.key());
        const QString why = idlePiece(work, it.key(), attempts);
        if (!why.isEmpty())
            idle.append({ { u"work"_s, it.key() }, why });
        for (const QString &outcome : why.isEmpty() ? it->outcomes : QStringList()) {
            if (!isTold(attempts, outcome))
                idle.append({ { u"work"_s, it.key(), u"outcome"_s },
                    u"no work %1 ends in \"%2\""_s.arg(m_keys.text(it.key()), outcome) });
        }
    }
    for (auto it = request.requests.cbegin();
         work.required.isEmpty() && it != request.requests.cend(); ++it)
        idle.append({ { u"requests"_s, it.key() }, u"the operation requires no other"_s });
    return idle;
}

namespace {

/// Whether work came to a planned outcome, or failed because nothing takes it and says so.
bool tells(const Rules &rules, const Change &change, Rules::TriggerId planned)
{
    if (change.outcome == planned)
        return true;
    const auto speaks = [&](Rules::TriggerId outcome) {
        const QString code = rules.outcome(outcome).code;
        return change.code == code && code != UsualErrorCode;
    };
    return speaks(planned)
        || ((change.outcome == rules.invalid || speaks(rules.invalid))
            && rules.candidates(change.from, planned).empty());
}

/// Whether work is repeated, or would be once more had it not been so often.
bool repeats(const Rules &rules, const Change &change)
{
    return change.outcome == rules.retried
        || (change.outcome == rules.failed
            && !rules.candidates(change.from, rules.retried).empty());
}

/// The outcomes that an attempt would not have had by itself.
QList<Rules::TriggerId> plannedOutcomes(const Rules &rules, const QStringList &names)
{
    QList<Rules::TriggerId> outcomes;
    for (const QString &name : names) {
        const Rules::TriggerId outcome = rules.trigger(name);
        if (outcome != Rules::None && outcome != rules.succeeded)
            outcomes += outcome;
    }
    return outcomes;
}

/// What a request plans and has not come so far.
class Outstanding
{
public:
    Outstanding() = default;
    Outstanding(const Rules &rules, const Request &request)
        : m_request(&request),
          m_outcome(!plannedOutcomes(rules, { request.outcome }).isEmpty()),
          m_transientFailures(request.transientFailures > 0),
          m_hang(request.hang)
    {
        for (auto it = request.work.cbegin(); it != request.work.cend(); ++it)
            m_pieces.insert(it.key(), { .outcomes = plannedOutcomes(rules, it->outcomes) });
        for (auto it = request.requests.cbegin(); it != request.requests.cend(); ++it)
            m_requests.insert(it.key());
    }

    bool isPlanned() const
    {
        return m_outcome || m_transientFailures || m_hang || !m_pieces.isEmpty()
            || !m_requests.isEmpty();
    }

    /// The operation, or one that it requires (`key` names that), works in a state.
    void works(const Rules &rules, Rules::StateId state, const QString &key)
    {
        const bool attempts = hasAttempt(rules.state(state));
        m_hang = m_hang && !attempts;
        if (key.isEmpty())
            m_at = state;
        if (attempts && key.isEmpty())
            reach(rules.state(state).id);
        else if (attempts && passesOn(rules))
            reach(rules.state(m_at).id);
    }
    void isRequired(const QString &op, const QString &path)
    {
        reach(op + u' ' + path);
        m_requests.remove(path);
    }
    /// Work ended of the operation itself, or of those whose keys these are: one required the
    /// other.
    void ends(const Rules &rules, const Change &change, const QStringList &keys)
    {
        if (m_outcome && tells(rules, change, rules.trigger(m_request->outcome)))
            m_outcome = false;
        if (keys.isEmpty() && repeats(rules, change))
            m_transientFailures = false;
        if (!hasAttempt(rules.state(change.from)))
            return;
        for (const QString &key : keys)
            take(rules, change, key);
        if (keys.isEmpty())
            take(rules, change, rules.state(change.from).id);
        else if (passesOn(rules))
            take(rules, change, rules.state(m_at).id);
    }

    QStringList texts(const Rules &rules, const WorkKeys &keys) const
    {
        QStringList parts;
        if (m_outcome)
            parts += u"the outcome \"%1\""_s.arg(m_request->outcome);
        if (m_transientFailures)
            parts += m_request->transientFailures == 1
                ? u"the transient failure"_s
                : u"the %1 transient failures"_s.arg(m_request->transientFailures);
        if (m_hang)
            parts += u"\"hang\""_s;
        for (auto it = m_pieces.cbegin(); it != m_pieces.cend(); ++it) {
            const QString where = keys.text(it.key());
            if (!it->isReached)
                parts += u"the work %1"_s.arg(where);
            else if (!it->outcomes.isEmpty())
                parts +=
                    u"the outcome \"%1\" %2"_s.arg(rules.triggerName(it->outcomes.first()), where);
        }
        QStringList paths = m_requests.values();
        paths.sort();
        for (const QString &path : std::as_const(paths))
            parts += u"the request to %1"_s.arg(path);
        return parts;
    }

private:
    struct OutstandingPiece
    {
        bool isReached = false;
        QList<Rules::TriggerId> outcomes; ///< in the order in which they are to come
    };

    bool passesOn(const Rules &rules) const
    {
        return m_at != Rules::None && !hasAttempt(rules.state(m_at));
    }
    void reach(const QString &key)
    {
        const auto piece = m_pieces.find(key);
        if (piece != m_pieces.end())
            piece->isReached = true;
    }
    void take(const Rules &rules, const Change &change, const QString &key)
    {
        const auto piece = m_pieces.find(key);
        if (piece == m_pieces.end() || piece->outcomes.isEmpty())
            return;
        const Rules::TriggerId next = piece->outcomes.first();
        if (tells(rules, change, next) || (next == rules.retried && repeats(rules, change)))
            piece->outcomes.removeFirst();
    }

    const Request *m_request = nullptr;
    bool m_outcome = false, m_transientFailures = false, m_hang = false;
    QMap<QString, OutstandingPiece> m_pieces; ///< as in Request::work
    QSet<QString> m_requests;
    Rules::StateId m_at = Rules::None; ///< in which the operation itself works
};

/// Follows the operations of a run, and what those require.
class PlanFollower
{
public:
    PlanFollower(const Rules &rules, QHash<QString, Outstanding> &plans) : r(rules), m_plans(plans)
    { }

    void follow(const Change &change)
    {
        if (change.kind == Change::Kind::Started)
            start(change);
        const auto known = m_known.constFind(change.operation);
        if (known == m_known.constEnd()
            || (change.kind != Change::Kind::Worked && change.kind != Change::Kind::Closed))
            return;
        Outstanding &plan = m_plans[known->id];
        plan.ends(r, change, known->keys);
        if (change.kind == Change::Kind::Worked)
            plan.works(r, change.to, known->keys.value(0));
    }

private:
    struct Known
    {
        QString id;       ///< of the client's operation that it works for
        QStringList keys; ///< by which plans call it and those that required it; none: its own
    };

    void start(const Change &change)
    {
        if (!change.request)
            return;
        Known known { change.request->id, {} };
        if (change.requirer) {
            const auto above = m_known.constFind(change.requirer);
            if (above == m_known.constEnd())
                return;
            known = *above;
            known.keys.prepend(change.request->op + u' ' + change.request->path);
        }
        const auto plan = m_plans.find(known.id);
        if (plan == m_plans.end())
            return;
        if (change.requirer)
            plan->isRequired(change.request->op, change.request->path);
        if (change.to != Rules::None)
            plan->works(r, change.to, known.keys.value(0));
        m_known.insert(change.operation, known);
    }

    const Rules &r;
    QHash<QString, Outstanding> &m_plans;
    QHash<quint32, Known> m_known; ///< serial ->
};

/// The operations that a scenario expects to be refused or canceled, or to end in an error.
class ExpectedEnds
{
public:
    explicit ExpectedEnds(const Scenario &scenario)
    {
        for (const ScenarioStep &step : scenario.steps) {
            const Expectation &expected = step.expectation;
            for (auto it = expected.operations.cbegin(); it != expected.operations.cend(); ++it)
                m_ends.insert({ it.key(), *it });
            for (auto it = expected.errors.cbegin(); it != expected.errors.cend(); ++it)
                m_ends.insert({ it.key(), u' ' + *it });
        }
    }
    bool contains(const Operation &operation) const
    {
        if (operation.status != Status::Rejected && operation.status != Status::Canceled)
            return false;
        return m_ends.contains({ operation.id, statusName(operation.status) })
            || m_ends.contains({ operation.id, u' ' + operation.errorCode });
    }

private:
    QSet<std::pair<QString, QString>> m_ends; ///< (id, status or blank and error code)
};

} // namespace

QList<Remark> idlePlans(const Scenario &scenario, const Controller &run)
{
    const Rules &rules = run.rules();
    QHash<QString, Outstanding> plans; // operation's id ->
    for (const ScenarioStep &step : scenario.steps) {
        if (step.kind != ScenarioStep::Kind::Submit)
            continue;
        const Outstanding plan(rules, step.request);
        if (plan.isPlanned())
            plans.insert(step.request.id, plan);
    }
    if (plans.isEmpty())
        return {};
    PlanFollower progress(rules, plans);
    for (const Record &record : run.records()) {
        for (const Change &change : record.changes)
            progress.follow(change);
    }

    const bool isQuiet = nextEvent(rules, run.world()).kind == Event::Kind::Wait;
    const ExpectedEnds expected(scenario);
    const WorkKeys keys(rules);
    QList<Remark> remarks;
    for (const ScenarioStep &step : scenario.steps) {
        const QStringList left = step.kind == ScenarioStep::Kind::Submit
            ? plans.value(step.request.id).texts(rules, keys)
            : QStringList();
        const Operation *const operation =
            left.isEmpty() ? nullptr : run.operations().find(step.request.id);
        if (!operation || !(operation->isOver() || isQuiet) || !operation->replayOf.isEmpty()
            || expected.contains(*operation))
            continue;
        remarks += Remark { .line = step.line,
            .text = u"nothing came of %1 planned for operation %2: it is %3"_s.arg(
                left.join(u" and "_s), step.request.id, statusName(operation->status)),
            .isLoss = false };
    }
    return remarks;
}

} // namespace instar
