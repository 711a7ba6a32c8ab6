// SPDX-License-Identifier: Apache-2.0
#include "model/engine/explanation.h"

#include "model/engine/question.h"
#include "model/engine/simulator.h"

namespace instar {

namespace {

/// The logged event that decided about an operation, and the event's change of the operation.
struct Evidence
{
    qsizetype moment = -1; ///< index of the record in the log
    const Record *record = nullptr;
    const Change *change = nullptr;
};

/// Returns the last change of one of these kinds that an operation has in the log.
Evidence lastOf(
    const Controller &controller, quint32 serial, std::initializer_list<Change::Kind> kinds)
{
    const QList<Record> &records = controller.records();
    for (qsizetype i = records.size(); i-- > 0;) {
        for (const Change &change : records[i].changes) {
            if (change.operation == serial && std::ranges::find(kinds, change.kind) != kinds.end())
                return { i, &records[i], &change };
        }
    }
    return {};
}

/// Returns the state of all resources before an event; absent if the run does not keep past states.
std::optional<World> worldBefore(const Controller &controller, qsizetype moment)
{
    const auto *simulator = qobject_cast<const Simulator *>(&controller);
    return simulator && simulator->keepsPast() ? std::optional(simulator->worldAt(moment))
                                               : std::nullopt;
}

void addExaminedPaths(const Rules::Predicate &condition, const Subject &subject,
    const Context &context, QStringList &paths)
{
    constexpr qsizetype mostPaths = 50;
    if (condition.kind == Condition::Kind::Related || condition.kind == Condition::Kind::Property
        || condition.kind == Condition::Kind::Required) {
        for (const Subject &each : related(condition.relation, subject, context)) {
            const QString path = pathOf(context.world, each);
            if (paths.size() < mostPaths && !path.isEmpty() && !paths.contains(path))
                paths += path;
        }
    }
    for (const Rules::Predicate &part : condition.parts)
        addExaminedPaths(part, subject, context, paths);
}

/// Builder of one explanation from the log.
class Explainer
{
public:
    explicit Explainer(const Controller &controller)
        : m_controller(controller), m_rules(controller.rules())
    { }

    std::optional<Explanation> operation(quint32 serial)
    {
        const Operation *op = m_controller.operations().find(serial);
        if (!op)
            return {};
        m_found.operation = serial;
        m_found.path = op->path;
        m_found.code = op->errorCode;
        m_found.message = op->errorMessage;
        m_found.rule = op->rule;
        if (op->status == Status::Rejected)
            return refused(*op);
        if (op->status == Status::Canceled)
            return canceled(*op);
        const Evidence started = lastOf(m_controller, serial, { Change::Kind::Started });
        if (op->status == Status::Waiting && !started.change)
            return waiting(*op);
        const Running *running = m_controller.world().find(serial);
        if (running && running->phase == Running::Phase::Until)
            return waitingForCondition(*running);
        // Explains the end if it changed a state, else the start, which may be missing in the log
        // of a server.
        const Evidence ended =
            lastOf(m_controller, serial, { Change::Kind::Worked, Change::Kind::Closed });
        const Evidence &decisive = ended.change && ended.change->moved > 0 ? ended : started;
        // At a server, a start without a visible change of state explains nothing.
        if (!decisive.change || (!m_controller.isLocal() && decisive.change->moved == 0))
            return {};
        moved(decisive, op->path);
        if (op->status == Status::Failed && ended.change && started.change)
            addBadEnd(ended, *started.change->request);
        return m_found;
    }

    std::optional<Explanation> resource(const QString &path)
    {
        constexpr qsizetype mostExamined = 20'000; // the newest records of a very long run
        const QList<Record> &records = m_controller.records();
        const Resource now = m_controller.world().tree.find(path);
        const qsizetype first = std::max<qsizetype>(records.size() - mostExamined, 0);
        for (qsizetype i = records.size(); i-- > first;) {
            // Skips records whose affected resources do not include this one.
            const bool mayAffect = now == NoResource
                || records[i].dirty.contains(m_controller.world().tree.place(now))
                || !records[i].treeChanges.empty() || !m_controller.isLocal();
            if (!mayAffect)
                continue;
            // A server may change a state unobserved. So the last known change explains the present
            // state only if it led to this state.
            if (const std::optional<Explanation> found = movedBy(i, path))
                return found->after == wordIn(m_controller.world(), path) ? found : std::nullopt;
        }
        return {};
    }

private:
    std::optional<Explanation> refused(const Operation &op)
    {
        m_found.kind = Explanation::Kind::Refused;
        m_found.time = op.submitted;
        setOther(m_controller.operations().find(op.conflictsWith));
        const Evidence evidence = lastOf(m_controller, op.serial, { Change::Kind::Rejected });
        if (!evidence.change)
            return m_found;
        if (const std::optional<World> world = worldBefore(m_controller, evidence.moment);
            world && evidence.change->request) {
            const Admission judged = admission(m_rules, *world, *evidence.change->request,
                evidence.record->event.answers, 0, evidence.record->event.untimed);
            if (!judged.witness.isEmpty())
                addRelated(judged.witness);
            if (judged.transition >= 0 && judged.verdict == Admission::Verdict::Refused) {
                setRow(judged.transition);
                addExamined(judged.transition, *world, op.path, *evidence.change->request);
            }
        }
        if (!m_found.row)
            m_found.row = conflictWithText(op.rule);
        return m_found;
    }

    std::optional<Explanation> canceled(const Operation &op)
    {
        m_found.kind = Explanation::Kind::Canceled;
        m_found.time = op.ended.value_or(0);
        setOther(m_controller.operations().find(op.canceledBy));
        const Evidence evidence = lastOf(m_controller, op.serial, { Change::Kind::Canceled });
        if (evidence.change && evidence.change->conflict != Rules::None) {
            m_found.row = &m_rules.pack().conflicts[evidence.change->conflict];
            m_found.rule = m_rules.conflictText(evidence.change->conflict);
        }
        return m_found;
    }

    std::optional<Explanation> waiting(const Operation &op)
    {
        m_found.kind = Explanation::Kind::Waits;
        m_found.time = op.submitted;
        const Evidence evidence = lastOf(m_controller, op.serial, { Change::Kind::Queued });
        if (!evidence.change)
            return {};
        m_found.rule = evidence.change->rule;
        m_found.row = conflictWithText(m_found.rule);
        setOther(m_controller.operations().find(evidence.change->other));
        return m_found;
    }

    std::optional<Explanation> waitingForCondition(const Running &running)
    {
        const World &world = m_controller.world();
        const Step *row = m_rules.stepRow(running.work, running.cursor);
        if (!row)
            return {};
        m_found.kind = Explanation::Kind::Waits;
        m_found.row = row;
        m_found.rule = m_rules.pack().ruleText(*row);
        m_found.condition = row->until;
        addExaminedPaths(m_rules.state(running.work).work[size_t(running.cursor)].until,
            subjectOf(m_rules, world, running.target),
            { .rules = m_rules, .world = world, .request = running.request.data() },
            m_found.examined);
        return m_found;
    }

    /// Returns the explanation of a resource's state change by an event; absent if there was none.
    std::optional<Explanation> movedBy(qsizetype moment, const QString &path)
    {
        const Record &record = m_controller.records()[moment];
        const auto isOwn = [&](const Change &change) {
            return change.path == path && change.moved > 0;
        };
        if (!m_controller.isLocal()) {
            const auto own = std::ranges::find_if(record.changes, isOwn);
            return own == record.changes.end() ? std::nullopt
                                               : moved({ moment, &record, &*own }, path);
        }
        const std::optional<World> before = worldBefore(m_controller, moment),
                                   after = worldBefore(m_controller, moment + 1);
        if (!before || !after || codeIn(*before, path) == codeIn(*after, path))
            return {};
        m_before = before;
        m_after = after;
        // Prefers the change of this resource; else the first change of any state; else the first.
        auto decisive = std::ranges::find_if(record.changes, isOwn);
        if (decisive == record.changes.end())
            decisive = std::ranges::find_if(record.changes, [](const Change &change) {
                return change.moved > 0 || change.kind == Change::Kind::Settled;
            });
        if (decisive == record.changes.end())
            decisive = record.changes.begin();
        return moved({ moment, &record, record.changes.empty() ? nullptr : &*decisive }, path);
    }

    static std::optional<Code> codeIn(const World &world, const QString &path)
    {
        const Resource resource = world.tree.find(path);
        return resource == NoResource ? std::nullopt : std::optional(world.tree.code(resource));
    }
    QString wordIn(const World &world, const QString &path) const
    {
        const Resource resource = world.tree.find(path);
        return resource == NoResource ? QString() : shownWord(m_rules, world, resource);
    }

    std::optional<Explanation> moved(const Evidence &evidence, const QString &path)
    {
        m_found.kind = Explanation::Kind::Moved;
        m_found.path = path;
        m_found.time = evidence.record->event.time;
        if (evidence.change) {
            m_found.operation = evidence.change->operation;
            m_found.other = evidence.change->other;
        }
        const bool isTarget = evidence.change && evidence.change->path == path;
        if (isTarget && evidence.change->transition != Rules::None)
            setRow(evidence.change->transition);
        // Restores past states only if they are needed, because that is expensive.
        const bool hasCondition =
            m_transition != Rules::None && !m_rules.transition(m_transition).condition.always();
        if (m_transition == Rules::None || hasCondition) {
            if (!m_before)
                m_before = worldBefore(m_controller, evidence.moment);
            if (!m_after)
                m_after = worldBefore(m_controller, evidence.moment + 1);
        }
        if (m_before && m_after) {
            m_found.before = wordIn(*m_before, path);
            m_found.after = wordIn(*m_after, path);
        } else if (evidence.change) {
            m_found.before = wordOf(evidence.change->from);
            m_found.after = wordOf(evidence.change->to);
        }
        if (m_transition == Rules::None && m_before && m_after)
            findRow(evidence, path);
        if (!isTarget && evidence.change)
            addRelated(evidence.change->path);
        if (m_before && m_transition != Rules::None && evidence.record->event.request)
            addExamined(m_transition, *m_before, path, *evidence.record->event.request);
        return m_found;
    }

    /// Adds the cause of an operation's bad outcome, and the deciding rule.
    void addBadEnd(const Evidence &ended, const Request &request)
    {
        const std::optional<World> before = worldBefore(m_controller, ended.moment);
        if (!before)
            return;
        Exercised used;
        const Event &event = ended.record->event;
        step(m_rules, *before, event, &used);
        const auto found = used.badEnds.find(m_found.operation);
        const bool isOwn = event.operation == m_found.operation;
        if (found == used.badEnds.end() || (isOwn && event.kind == Event::Kind::Expire))
            return;
        const auto &[outcome, state, at, stoppedBy] = found->second;
        const bool isOver = size_t(at) >= m_rules.state(state).work.size();
        const Step *row = isOver ? nullptr : m_rules.stepRow(state, at);
        const auto plan = workPlanFor(request, m_rules.state(state).id);
        m_found.kind = Explanation::Kind::Failed;
        m_found.outcome = m_rules.triggerName(outcome);
        if (row && row->kind == Step::Kind::Decide) {
            const bool isGiven = request.conditions.value(row->condition.text);
            m_found.choice = isGiven ? Explanation::Choice::Option : Explanation::Choice::Condition;
            m_found.condition = row->condition;
            m_found.row = row;
            m_found.rule = m_rules.pack().ruleText(*row);
        } else if (row && row->kind == Step::Kind::Require && stoppedBy) {
            m_found.choice = Explanation::Choice::Required;
            m_found.other = stoppedBy;
            const auto why = Explainer(m_controller).operation(stoppedBy);
            if (why && !why->rule.isEmpty()) {
                m_found.row = why->row;
                m_found.rule = why->rule;
            } else { // the step that required the operation
                m_found.row = row;
                m_found.rule = m_rules.pack().ruleText(*row);
            }
        } else if (isOwn && event.outcome == outcome) {
            m_found.choice = Explanation::Choice::Hand;
        } else if (m_found.outcome == request.outcome
            || (plan != request.work.constEnd() && plan->outcomes.contains(m_found.outcome))) {
            m_found.choice = Explanation::Choice::Option;
        }
        const QList<Outcome> &rows = m_rules.pack().outcomes;
        const auto own = std::ranges::find(rows, m_found.outcome, &Outcome::id);
        if (m_found.rule.isEmpty() && own != rows.end())
            m_found.rule = m_rules.pack().ruleText(*own);
    }

    /// Returns a state's name as clients see it; empty for None and the initial state.
    QString wordOf(Rules::StateId state) const
    {
        if (state == Rules::None || m_rules.state(state).kind == State::Kind::Initial)
            return {};
        const Rules::StateRule &rule = m_rules.state(state);
        return m_rules.word(rule.shown == Rules::None ? rule.word : rule.shown);
    }

    /// Finds the row by which an event changed a resource's state, among those that the event used.
    void findRow(const Evidence &evidence, const QString &path)
    {
        const std::optional<Code> from = codeIn(*m_before, path), to = codeIn(*m_after, path);
        if (!from)
            return;
        Exercised used;
        step(m_rules, *m_before, evidence.record->event, &used);
        const Rules::StateId state = m_rules.stateOf(*from);
        const Rules::StateId now =
            to ? m_rules.stateOf(*to) : m_rules.machine(m_rules.state(state).machine).initial;
        const auto leads = [&](const Rules::Target &target) {
            return m_rules.stateOf(m_rules.resolved(*from, target)) == now;
        };
        for (const bool isOperation : { false, true }) { // events and outcomes before operations
            for (Rules::TriggerId trigger = 0; trigger < m_rules.triggerCount(); ++trigger) {
                if (m_rules.isOperation(trigger) != isOperation)
                    continue;
                for (const int row : m_rules.candidates(state, trigger)) {
                    if (used.rows.contains(row)
                        && std::ranges::any_of(m_rules.transition(row).to, leads))
                        return setRow(row);
                }
            }
        }
    }

    void setRow(int transition)
    {
        m_transition = transition;
        m_found.row = &m_rules.row(m_rules.transition(transition));
        m_found.rule = m_rules.transitionText(transition);
    }
    /// Returns the conflict row with this rule text; null if there is none.
    const Row *conflictWithText(const QString &rule) const
    {
        const QList<Conflict> &rows = m_rules.pack().conflicts;
        for (int i = 0; i < int(rows.size()); ++i) {
            if (!rule.isEmpty() && m_rules.applies(rows[i]) && m_rules.conflictText(i) == rule)
                return &rows[i];
        }
        return nullptr;
    }

    /// Stores the conflicting or canceling operation; null: there is none.
    void setOther(const Operation *other)
    {
        if (!other)
            return;
        m_found.other = other->serial;
        addRelated(other->path);
    }
    void addRelated(const QString &path)
    {
        if (!path.isEmpty() && path != m_found.path && !m_found.examined.contains(path))
            m_found.examined += path;
    }
    void addExamined(
        int transition, const World &world, const QString &path, const Request &request)
    {
        QStringList paths;
        addExaminedPaths(m_rules.transition(transition).condition, subjectAt(m_rules, world, path),
            { .rules = m_rules, .world = world, .request = &request, .untimed = true }, paths);
        for (const QString &each : std::as_const(paths))
            addRelated(each);
    }

    const Controller &m_controller;
    const Rules &m_rules;
    Explanation m_found;
    std::optional<World> m_before, m_after;
    int m_transition = Rules::None;
};

} // namespace

std::optional<Request> requestToRepeat(const Controller &controller, quint32 refused)
{
    const Evidence evidence =
        lastOf(controller, refused, { Change::Kind::Rejected, Change::Kind::Queued });
    if (!evidence.change || !evidence.change->request)
        return {};
    Request request = *evidence.change->request;
    request.id.clear();
    request.requestId.clear();
    return request;
}

std::optional<Explanation> whyOperation(const Controller &controller, quint32 serial)
{
    return Explainer(controller).operation(serial);
}

std::optional<Explanation> whyResource(const Controller &controller, const QString &path)
{
    return Explainer(controller).resource(path);
}

} // namespace instar
