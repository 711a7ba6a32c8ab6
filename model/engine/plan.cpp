// SPDX-License-Identifier: Apache-2.0
#include "model/engine/plan.h"

#include "model/engine/piece.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using StateId = Rules::StateId;
using TriggerId = Rules::TriggerId;

enum class Whose { Own, RequiredToo };

/// The states in which an operation can attempt something, whatever it begins in; each once. Work
/// that is all required passes its outcome on to the operations that it requires.
std::vector<StateId> attemptsOf(const Rules &rules, int machine, TriggerId op, Whose whose)
{
    std::vector<StateId> found;
    const auto follow = [&](StateId from, TriggerId trigger) {
        for (const int row : rules.candidates(from, trigger)) {
            for (const Rules::Target &target : rules.transition(row).to) {
                if (target.kind == Rules::Target::Kind::State
                    && rules.state(target.state).isTransitional()
                    && std::ranges::find(found, target.state) == found.end())
                    found.push_back(target.state);
            }
        }
    };
    const auto begin = [&](TriggerId operation, auto fits) {
        for (size_t state = 0; operation != Rules::None && state < rules.states().size(); ++state) {
            if (fits(rules.states()[state]))
                follow(StateId(state), operation);
        }
    };
    begin(op, [machine](const Rules::StateRule &state) { return state.machine == machine; });
    for (size_t i = 0; i < found.size(); ++i) { // it grows meanwhile
        const StateId from = found[i];
        for (TriggerId trigger = 0; trigger < rules.triggerCount(); ++trigger) {
            if (!rules.isOperation(trigger))
                follow(from, trigger);
        }
        if (whose == Whose::Own || hasAttempt(rules.state(from)))
            continue;
        for (const Rules::Work &step : rules.state(from).work) {
            if (step.kind == Step::Kind::Require)
                begin(step.name, [](const Rules::StateRule &) { return true; });
        }
    }
    std::erase_if(found, [&](StateId state) { return !hasAttempt(rules.state(state)); });
    return found;
}

bool isTaken(const Rules &rules, const std::vector<StateId> &states, TriggerId outcome)
{
    return std::ranges::any_of(
        states, [&](StateId state) { return !rules.candidates(state, outcome).empty(); });
}

IdlePlan planOf(const Rules &rules, const Request &request)
{
    const TriggerId outcome = rules.trigger(request.outcome);
    return { .outcome = outcome != Rules::None && outcome != rules.succeeded,
        .transientFailures = request.transientFailures > 0 };
}

/// Whether work came to a planned outcome, or failed because nothing takes it and says so.
bool tells(const Rules &rules, const Change &change, TriggerId planned)
{
    const QString code = rules.outcome(planned).code;
    return change.outcome == planned || (change.code == code && code != UsualErrorCode)
        || (change.outcome == rules.invalid && rules.candidates(change.from, planned).empty());
}

/// Whether work is repeated, or would be once more had it not been so often.
bool repeats(const Rules &rules, const Change &change)
{
    return change.outcome == rules.retried
        || (change.outcome == rules.failed
            && !rules.candidates(change.from, rules.retried).empty());
}

bool isExpected(const Scenario &scenario, const Operation &operation)
{
    if (operation.status != Status::Rejected && operation.status != Status::Canceled)
        return false;
    return std::ranges::any_of(scenario.steps, [&](const ScenarioStep &step) {
        const Expectation &expected = step.expectation;
        return expected.operations.value(operation.id) == statusName(operation.status)
            || (expected.errors.contains(operation.id)
                && expected.errors[operation.id] == operation.errorCode);
    });
}

QString remarkOn(const Request &request, const Operation &operation, const IdlePlan &idle)
{
    QStringList parts;
    if (idle.outcome)
        parts += u"the outcome \"%1\""_s.arg(request.outcome);
    if (idle.transientFailures)
        parts += request.transientFailures == 1
            ? u"the transient failure"_s
            : u"the %1 transient failures"_s.arg(request.transientFailures);
    return u"nothing came of %1 planned for operation %2: it is %3"_s.arg(
        parts.join(u" and "_s), request.id, statusName(operation.status));
}

} // namespace

IdlePlan idlePlan(const Rules &rules, int machine, const Request &request)
{
    IdlePlan idle = planOf(rules, request);
    const TriggerId op = rules.trigger(request.op);
    if (idle.outcome) {
        const TriggerId outcome = rules.trigger(request.outcome);
        const std::vector<StateId> attempts = attemptsOf(rules, machine, op, Whose::RequiredToo);
        const bool isTold = outcome == rules.failed || rules.outcome(outcome).code != UsualErrorCode
            || isTaken(rules, attempts, rules.invalid);
        idle.outcome = attempts.empty() || !(isTold || isTaken(rules, attempts, outcome));
    }
    if (idle.transientFailures)
        idle.transientFailures =
            !isTaken(rules, attemptsOf(rules, machine, op, Whose::Own), rules.retried);
    return idle;
}

QList<Remark> idlePlans(const Scenario &scenario, const Controller &run)
{
    const Rules &rules = run.rules();
    QHash<QString, IdlePlan> idle; // operation's id -> what has not come so far
    for (const ScenarioStep &step : scenario.steps) {
        const IdlePlan plan = planOf(rules, step.request);
        if (step.kind == ScenarioStep::Kind::Submit && !plan.isEmpty())
            idle.insert(step.request.id, plan);
    }
    if (idle.isEmpty())
        return {};

    QHash<quint32, const Request *> asked; // serial -> the client's request that it works for
    for (const Record &record : run.records()) {
        for (const Change &change : record.changes) {
            if (change.kind == Change::Kind::Started)
                asked.insert(change.operation, asked.value(change.requirer, change.request.get()));
            if (change.kind != Change::Kind::Worked && change.kind != Change::Kind::Closed)
                continue;
            const Request *const request = asked.value(change.operation);
            if (!request || !idle.contains(request->id))
                continue;
            IdlePlan &plan = idle[request->id];
            if (plan.outcome && tells(rules, change, rules.trigger(request->outcome)))
                plan.outcome = false;
            if (run.operations().idOf(change.operation) == request->id && repeats(rules, change))
                plan.transientFailures = false;
        }
    }

    const bool isQuiet = nextEvent(rules, run.world()).kind == Event::Kind::Wait;
    QList<Remark> remarks;
    for (const ScenarioStep &step : scenario.steps) {
        const IdlePlan left = idle.value(step.request.id);
        const Operation *const operation = run.operations().find(step.request.id);
        if (step.kind != ScenarioStep::Kind::Submit || left.isEmpty() || !operation
            || !(operation->isOver() || isQuiet) || !operation->replayOf.isEmpty()
            || isExpected(scenario, *operation))
            continue;
        remarks += Remark {
            .line = step.line, .text = remarkOn(step.request, *operation, left), .isLoss = false
        };
    }
    return remarks;
}

} // namespace instar
