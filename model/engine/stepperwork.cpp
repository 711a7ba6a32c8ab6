// SPDX-License-Identifier: Apache-2.0
#include "model/engine/pieces.h"
#include "model/engine/stepper.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Key in Request::work for the plan of a required operation.
QString requirementKey(const QString &op, const QString &path)
{
    return op + u' ' + path;
}

/// Returns true if work in a state, or in one reachable from it, can end with an outcome: its own
/// work, or the required operations that inherit its plan.
bool leadsTo(const Rules &rules, Rules::StateId from, Rules::TriggerId outcome)
{
    std::vector<bool> seen(rules.states().size());
    std::vector<Rules::StateId> open { from };
    const auto follow = [&](Rules::StateId state, Rules::TriggerId trigger) {
        for (const int row : rules.candidates(state, trigger)) {
            for (const Rules::Target &target : rules.transition(row).to) {
                if (target.kind == Rules::Target::Kind::State
                    && rules.state(target.state).isTransitional() && !seen[size_t(target.state)])
                    open.push_back(target.state);
            }
        }
    };
    while (!open.empty()) {
        const Rules::StateId state = open.back();
        open.pop_back();
        if (seen[size_t(state)])
            continue;
        seen[size_t(state)] = true;
        if (!rules.candidates(state, outcome).empty())
            return true;
        for (Rules::TriggerId trigger = 0; trigger < rules.triggerCount(); ++trigger) {
            if (!rules.isOperation(trigger))
                follow(state, trigger);
        }
        if (hasAttempt(rules.state(state)))
            continue;
        for (const Rules::Work &step : rules.state(state).work) {
            if (step.kind != Step::Kind::Require)
                continue;
            for (size_t other = 0; other < rules.states().size(); ++other)
                follow(Rules::StateId(other), step.name);
        }
    }
    return false;
}

/// Returns true if later work can end with the planned outcome that the present work cannot have:
/// the operation's own work, or that of a requirer that passed its plan on.
bool comesLater(
    const Rules &rules, const World &world, const Running &running, Rules::TriggerId outcome)
{
    const QString &plan = running.request->outcome;
    for (const Running *user = &running; user;) {
        if (leadsTo(rules, rules.stateOf(world.tree.code(user->target)), outcome)
            || leadsTo(rules, user->work, outcome))
            return true;
        user = world.find(user->requirer);
        if (user && passedOn(rules, *user).outcomes.value(0) != plan)
            return false;
    }
    return false;
}

} // namespace

void Stepper::work(quint32 serial)
{
    while (Running *running = w.change(serial)) {
        const std::vector<Rules::Work> &list = r.state(running->work).work;
        if (running->cursor >= int(list.size())) {
            outcome(serial, running->soFar);
            return;
        }
        const Rules::Work &step = list[size_t(running->cursor)];
        if (step.kind != Step::Kind::Send && !m_orphans.empty()) {
            // Orphans that were not taken over are put to rest before any condition is evaluated.
            settleOrphans();
            continue;
        }
        if (!holds(step.condition, target(*running), asking(*running))) {
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
                    ? dependents(self, step.where, asking(*running))
                    : related(relation, self, asking(*running));
                for (const Subject &subject : all)
                    running->todo.append({ step.name, pathOf(w, subject) });
            }
            require(serial);
            return;
        case Step::Kind::Send: {
            TriggerId event = step.name;
            for (const auto &[outcome, name] : step.byOutcome) {
                if (outcome == running->soFar)
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
            running->soFar = step.name;
            break;
        case Step::Kind::Until:
            if (!isOver(*running)) {
                running->phase = Running::Phase::Until;
                running->due = -1;
                wakeLater(*running);
                return;
            }
            break;
        }
        if (Running *still = w.change(serial))
            ++still->cursor;
    }
}

void Stepper::schedule(Running &running, qint64 due)
{
    running.due = due;
    if (due >= 0)
        remind(due, running.serial);
}

void Stepper::remind(qint64 time, quint32 serial)
{
    w.agenda.emplace_back(time, serial);
    std::ranges::push_heap(w.agenda, std::greater());
}

void Stepper::attempt(Running &running)
{
    const Request &request = *running.request;
    const Rules::Work &step = r.state(running.work).work[size_t(running.cursor)];
    const QString &state = r.state(running.work).id;
    const Rules::StateId at = r.stateOf(w.tree.code(running.target));
    const auto planned = pieceFor(request, state);
    const Piece *piece = planned == request.work.constEnd() ? nullptr : &*planned;
    const auto canEnd = [&](TriggerId outcome) { return !r.candidates(at, outcome).empty(); };

    ++running.attempts;
    running.phase = Running::Phase::Attempting;
    const bool isUsual =
        step.name != Rules::None && holds(step.where, target(running), asking(running));
    running.planned = isUsual ? step.name : r.succeeded;
    const int nth = piece ? running.attemptsAt[planned.key()]++ : 0;
    running.says = piece ? piece->properties.value(nth) : QJsonObject();
    const TriggerId named = request.outcome.isEmpty() ? r.succeeded : r.trigger(request.outcome);
    const TriggerId own = named == Rules::None ? r.succeeded : named;
    if (piece && !piece->outcomes.isEmpty()) {
        if (nth < piece->outcomes.size())
            running.planned = r.trigger(piece->outcomes[nth]);
    } else if (running.transientsLeft > 0 && canEnd(r.retried)) {
        --running.transientsLeft;
        running.planned = r.retried;
    } else if (!running.outcomeUsed && !request.outcome.isEmpty()
        && (own == r.succeeded || canEnd(own) || !comesLater(r, w, running, own))) {
        spend(running);
        if (own != r.succeeded)
            running.planned = own;
    }
    if (piece && piece->hang ? *piece->hang : request.hang) {
        running.due = -1;
        return;
    }
    const qint64 usual = request.duration.value_or(r.duration(running.op));
    schedule(running, w.now + (piece ? piece->duration.value_or(usual) : usual));
}

/// Marks the planned outcome as used, also in the requirers that passed it on.
void Stepper::spend(Running &running)
{
    running.outcomeUsed = true;
    for (Running *user = w.change(running.requirer);
         user && passedOn(r, *user).outcomes.value(0) == running.request->outcome;
         user = w.change(user->requirer)) {
        const auto own = pieceFor(*user->request, r.state(user->work).id);
        if (own != user->request->work.constEnd() && !own->outcomes.isEmpty()) {
            ++user->attemptsAt[own.key()];
            return;
        }
        user->outcomeUsed = true;
    }
}

void Stepper::require(quint32 serial)
{
    while (Running *running = w.change(serial)) {
        const Rules::Work &step = r.state(running->work).work[size_t(running->cursor)];
        const bool good = r.isGood(running->soFar);
        if (good && !running->todo.isEmpty() && (step.together || running->waitingFor == 0)) {
            const Todo todo = running->todo.takeFirst();
            if (!holds(step.where, subjectAt(r, w, todo.path), asking(*running)))
                continue;
            ++running->waitingFor;
            submit(requestFor(*running, todo), serial, running->answers);
            continue;
        }
        if (running->waitingFor > 0)
            return;
        running->todo.clear();
        if (!good) {
            outcome(serial, running->soFar);
            return;
        }
        ++running->cursor;
        work(serial);
        return;
    }
}

Stepper::SharedRequest Stepper::requestFor(Running &running, const Todo &todo) const
{
    const Request &above = *running.request;
    const QString &op = r.triggerName(todo.operation);
    auto request = QSharedPointer<Request>::create();
    request->op = op;
    request->path = todo.path;
    request->id = u"%1.%2"_s.arg(running.id).arg(++running.required);
    request->client = above.client;
    request->conditions = above.conditions;
    request->requests = above.requests;
    const Piece passed = passedOn(r, running);
    request->duration = passed.duration;
    request->hang = passed.hang.value_or(false);
    request->outcome = passed.outcomes.value(0);
    if (passed.anyOutcome)
        request->work.insert(WholeWork, { .anyOutcome = true });
    for (auto it = above.work.cbegin(); it != above.work.cend(); ++it) {
        if (it.key().contains(u" /"_s))
            request->work.insert(it.key(), it.value());
    }
    const QString key = requirementKey(op, todo.path);
    const auto planned = above.work.constFind(key);
    if (planned != above.work.constEnd()) {
        Piece piece = *planned;
        piece.outcomes = piece.outcomes.mid(running.attemptsAt.value(key));
        piece.properties = piece.properties.mid(running.attemptsAt.value(key));
        request->work.insert(WholeWork, piece);
    }
    const auto enclosed = above.requests.constFind(todo.path);
    if (enclosed != above.requests.constEnd()) {
        request->stores = true;
        request->properties = enclosed->properties;
        request->references = enclosed->references;
        request->body = enclosed->body;
    }
    return request;
}

/// Counts a required operation's attempts in its requirer, whose plan continues there if the same
/// operation is required again.
void Stepper::countAttempts(const Running &required)
{
    const int attempts = required.attemptsAt.value(WholeWork);
    if (attempts == 0)
        return;
    if (Running *running = w.change(required.requirer))
        running->attemptsAt[requirementKey(r.triggerName(required.op), required.path)] += attempts;
}

void Stepper::hear(quint32 requirer, TriggerId ended, const QString &code, const QString &message)
{
    Running *running = w.change(requirer);
    if (!running || running->phase != Running::Phase::Requiring)
        return;
    --running->waitingFor;
    const Rules::Work &step = r.state(running->work).work[size_t(running->cursor)];
    TriggerId mine = r.isGood(ended) ? r.succeeded : ended;
    for (const auto &[theirs, heard] : step.hear) {
        if (theirs == ended)
            mine = heard;
    }
    if (r.isGood(running->soFar) && mine != r.succeeded) {
        running->soFar = mine;
        if (!r.isGood(mine)) {
            running->errorCode = code;
            running->errorMessage = message;
        }
    }
    require(requirer);
}

void Stepper::send(quint32 serial, TriggerId event, const Rules::Relation &relation)
{
    using Kind = Rules::Relation::Kind;
    const Resource self = w.find(serial)->target;
    if (relation.kind == Kind::Descendants) {
        Tree::Range range = w.tree.subtree(self);
        ++range.begin;
        if (range.begin >= range.end)
            return;
        if (sweep(serial, range, event))
            return;
    }
    const Running &running = *w.find(serial);
    std::vector<Resource> resources;
    if (relation.kind == Kind::Ancestors) {
        for (Resource up = w.tree.parent(self); up != NoResource; up = w.tree.parent(up))
            resources.push_back(up);
    } else {
        for (const Subject &subject : related(relation, target(running), asking(running))) {
            if (subject.resource != NoResource)
                resources.push_back(subject.resource);
        }
    }
    for (const Resource resource : resources) {
        if (w.tree.exists(resource) && w.find(serial))
            sendOne(serial, event, resource);
    }
}

void Stepper::sendOne(quint32 serial, TriggerId event, Resource resource)
{
    const Running &running = *w.find(serial);
    const Code before = w.tree.code(resource);
    const Taken found = instar::taken(subjectOf(r, w, resource), before, event, asking(running));
    if (!found.possible)
        return;
    if (const Rules::Transition &row = r.transition(found.transition); row.observes()) {
        if (row.sets) {
            noteRow(found.transition);
            assign(resource, row);
            m_record.extent.add(only(w.tree.place(resource)));
        }
        return;
    }
    const Rules::StateRule &state = r.state(r.stateOf(found.code));
    noteRow(found.transition);
    if (state.kind == State::Kind::Initial) {
        removeAll(resource, serial);
        return;
    }
    setCode(resource, found.code);
    assign(resource, r.transition(found.transition));
    if (state.isTransitional())
        coverOne(serial, resource);
    else
        rested(resource);
}

} // namespace instar
