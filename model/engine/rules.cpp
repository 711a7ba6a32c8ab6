// SPDX-License-Identifier: Apache-2.0
#include "model/engine/rules.h"

#include "model/pack/conflicts.h"
#include "model/pack/run.h"

#include <array>

namespace instar {

bool Rules::applies(const Row &row) const
{
    return existsUnder(row, m_switches);
}

Rules::StateId Rules::stateNamed(int machine, const QString &id) const
{
    return size_t(machine) < m_stateIds.size() ? m_stateIds[size_t(machine)].value(id, None) : None;
}

const Type *Rules::typeRow(const QString &typePath) const
{
    for (const Type &type : m_pack.types) {
        if (type.path.size() == typePath.size()
            && type.path.compare(typePath, m_pack.caseSensitivity()) == 0 && applies(type))
            return &type;
    }
    return nullptr;
}

int Rules::machineForType(const QString &typePath) const
{
    return m_typeMachines.value(m_pack.folded(typePath), m_anyType);
}

Code Rules::code(StateId state, StateId last) const
{
    const StateRule &rule = m_states[size_t(state)];
    const bool keepsLast = rule.isTransitional() && m_machines[size_t(rule.machine)].keepsLast;
    return Code(
        m_firstCode[size_t(state)] + (keepsLast && last != None ? 1 + m_rank[size_t(last)] : 0));
}

Code Rules::afterEntering(Code from, StateId state) const
{
    const StateRule &entered = m_states[size_t(state)];
    if (!entered.isTransitional())
        return code(state, state);
    const CodeRule &before = m_codes[from];
    const StateRule &left = m_states[size_t(before.state)];
    if (left.isStable())
        return code(state, before.state);
    return code(state, left.isTransitional() ? before.last : None);
}

Code Rules::resolved(Code from, const Target &target) const
{
    if (target.kind == Target::Kind::State)
        return afterEntering(from, target.state);
    const CodeRule &before = m_codes[from];
    if (target.kind == Target::Kind::Same || m_states[size_t(before.state)].isStable())
        return from;
    const StateId history = m_machines[size_t(m_states[size_t(before.state)].machine)].history;
    return resting(before.last == None ? history : before.last);
}

bool Rules::isShown(Code code) const
{
    const MachineRule &machine = m_machines[size_t(m_states[size_t(m_codes[code].state)].machine)];
    return m_codes[code].shown != m_states[size_t(machine.initial)].word;
}

bool Rules::matches(Code code, const std::vector<bool> &words) const
{
    const CodeRule &rule = m_codes[code];
    return words[size_t(rule.shown)] || words[size_t(m_states[size_t(rule.state)].word)];
}

bool Rules::knows(int machine, TriggerId trigger) const
{
    for (size_t state = 0; state < m_states.size(); ++state) {
        if (m_states[state].machine == machine && !candidates(StateId(state), trigger).empty())
            return true;
    }
    return false;
}

std::span<const int> Rules::candidatesIn(int layer, TriggerId trigger) const
{
    for (int at = layer; at != None; at = m_layers[size_t(at)].enclosing) {
        const Layer &own = m_layers[size_t(at)];
        const std::span rows { m_triggerRows.data() + own.begin, own.end - own.begin };
        const auto found = std::ranges::lower_bound(rows, trigger, {}, &TriggerRows::trigger);
        if (found != rows.end() && found->trigger == trigger)
            return { m_candidates.data() + found->begin, found->count };
    }
    return {};
}

/// Returns the state code to which a trigger's first row moves every resource that has the state
/// code `code`; absent if the move depends on the individual resource.
std::optional<Code> Rules::uniformTarget(Code code, TriggerId trigger) const
{
    const Transition &row = transition(candidates(stateOf(code), trigger).front());
    if (!row.condition.always() || row.refusal != None || row.to.size() != 1 || row.limit != None
        || row.sets)
        return {};
    const Code to = resolved(code, row.to.front());
    const bool isGuarded = !row.force && !constraintsOn(stateOf(to)).empty();
    // A timer that starts or stops needs the entry time of the individual resource.
    const bool isTimed = code != to && (stateIn(code).timer || stateIn(to).timer);
    return isGuarded || isTimed || stateIn(to).kind == State::Kind::Initial ? std::nullopt
                                                                            : std::optional(to);
}

std::optional<Rules::UniformMove> Rules::uniformMoveByEvent(Code code, TriggerId event) const
{
    const StateId from = stateOf(code);
    if (state(from).kind == State::Kind::Initial || candidates(from, event).empty())
        return UniformMove { code, false };
    const std::optional<Code> to = uniformTarget(code, event);
    return to ? std::optional(UniformMove { *to, stateIn(*to).isTransitional() }) : std::nullopt;
}

std::optional<Rules::UniformMove> Rules::uniformMoveByOutcome(Code code, TriggerId outcome) const
{
    const StateId from = stateOf(code);
    if (!state(from).isTransitional())
        return UniformMove { code, false };
    for (const TriggerId trigger : { outcome, invalid, failed }) {
        if (trigger != outcome && outcome == canceled)
            break;
        if (candidates(from, trigger).empty())
            continue;
        const std::optional<Code> to = uniformTarget(code, trigger);
        if (!to || stateIn(*to).isTransitional())
            return {};
        return UniformMove { *to, true };
    }
    if (outcome == canceled) // without a row, only the canceling operation moves the resource
        return UniformMove { code, false };
    return {};
}

QStringList Rules::openLabels() const
{
    QStringList open;
    std::ranges::copy_if(m_labels, std::back_inserter(open),
        [](const QString &label) { return !label.startsWith(ElapsedLabel); });
    return open;
}

int Rules::refusalNamed(const QString &id) const
{
    const auto it = std::ranges::find_if(
        m_pack.refusals, [&](const Refusal &row) { return row.id == id && applies(row); });
    return it == m_pack.refusals.end() ? None : int(it - m_pack.refusals.begin());
}

QList<Rules::StateId> Rules::workAfter(StateId from, TriggerId trigger) const
{
    QList<StateId> found;
    for (const int index : candidates(from, trigger)) {
        for (const Target &target : transition(index).to) {
            if (target.kind == Target::Kind::State && state(target.state).isTransitional())
                found += target.state;
        }
    }
    return found;
}

QList<Rules::StateId> workStatesOf(const Rules &rules, int machine, Rules::TriggerId op)
{
    QList<Rules::StateId> found;
    const auto addWorkAfter = [&](Rules::StateId from, Rules::TriggerId trigger) {
        for (const Rules::StateId state : rules.workAfter(from, trigger)) {
            if (!found.contains(state))
                found += state;
        }
    };
    for (size_t i = 0; i < rules.states().size(); ++i) {
        if (rules.states()[i].machine == machine)
            addWorkAfter(Rules::StateId(i), op);
    }
    for (qsizetype i = 0; i < found.size(); ++i) { // worklist: addWorkAfter() appends
        const Rules::StateId from = found[i];
        for (const Rules::TriggerId outcome : rules.outcomes())
            addWorkAfter(from, outcome);
    }
    return found;
}

bool requiresAny(const Rules &rules, int machine, Rules::TriggerId op, int other)
{
    const QList<Rules::StateId> states = workStatesOf(rules, machine, op);
    return std::ranges::any_of(states, [&](Rules::StateId state) {
        return std::ranges::any_of(rules.state(state).work, [&](const Rules::Work &step) {
            return step.kind == Step::Kind::Require
                && (other == Rules::None || rules.knows(other, step.name));
        });
    });
}

namespace {

/// Returns true if some state of the pack, under any switches, has this id or alias.
bool isWordOf(const Pack &pack, const QString &name)
{
    return std::ranges::any_of(pack.machines, [&](const Machine &machine) {
        return std::ranges::any_of(machine.states,
            [&](const State &state) { return state.id == name || state.as == name; });
    });
}

// Limits of memory, against hostile packs: entries in m_candidates, and bits of all word sets.
constexpr size_t mostCandidates = 64'000'000, mostWordSetBits = 1'000'000'000;

} // namespace

/// Compiler of packs and conditions, for Rules::make() and Rules::compiled().
class RulesMaker
{
public:
    Result<Rules> compile(const Pack &pack, const Switches &switches)
    {
        m.m_pack = pack;
        for (const Machine &machine : std::as_const(m.m_pack.machines))
            m_indices.emplace_back(machine);
        setSwitches(switches);
        nameTriggers();
        nameStates();
        makeTypes();
        // makeCodes() comes last, because the compiled conditions decide which codes are needed.
        for (const auto make :
            { &RulesMaker::makeStates, &RulesMaker::makeTransitions, &RulesMaker::makeConstraints,
                &RulesMaker::makeConflicts, &RulesMaker::makeCodes }) {
            if (m_error.isEmpty())
                (this->*make)();
        }
        if (!m_error.isEmpty())
            return Error { m_error };
        m.m_timersReadOtherTrees =
            std::ranges::any_of(m.m_states, [this](const Rules::StateRule &state) {
                return state.timer && admissionReadsOtherTrees(state.timer->trigger);
            });
        return std::move(m);
    }

    Result<Rules::Predicate> compiledFor(const Rules &rules, const Condition &condition)
    {
        m = rules;
        const Rules::Predicate result = compiled(condition);
        if (m.m_labels.size() > rules.m_labels.size())
            fail(u"the rules contain no condition \"%1\""_s.arg(m.m_labels.last()));
        if (m.m_properties.size() > rules.m_properties.size())
            fail(u"the rules contain no condition on the property \"%1\""_s.arg(
                m.m_properties.last()));
        return m_error.isEmpty() ? Result<Rules::Predicate>(result) : Error { m_error };
    }

private:
    using TriggerId = Rules::TriggerId;
    using StateId = Rules::StateId;

    void fail(const QString &text)
    {
        if (m_error.isEmpty())
            m_error = u"pack %1: %2"_s.arg(m.m_pack.id, text);
    }

    void setSwitches(const Switches &given)
    {
        for (const Switch &row : m.m_pack.switches)
            m.m_switches.insert(row.id, row.defaultValue);
        for (auto it = given.cbegin(); it != given.cend(); ++it) {
            const Switch *row = m.m_pack.findSwitch(it.key());
            if (!row) {
                fail(u"there is no switch \"%1\""_s.arg(it.key()));
            } else if (!row->values.contains(it.value())) {
                fail(u"switch %1 cannot be \"%2\"; it is one of %3"_s.arg(
                    it.key(), it.value(), row->values.join(u", "_s)));
            }
            m.m_switches.insert(it.key(), it.value());
        }
    }

    /// Returns the number of a name; a new name gets the next number.
    static int numberOf(const QString &name, QHash<QString, int> &numbers, QStringList &names)
    {
        const auto known = numbers.constFind(name);
        if (known != numbers.constEnd())
            return *known;
        numbers.insert(name, int(names.size()));
        names += name;
        return int(names.size()) - 1;
    }
    TriggerId trigger(const QString &name)
    {
        return numberOf(name, m.m_triggers, m.m_triggerNames);
    }
    int word(const QString &name) { return numberOf(name, m.m_wordIds, m.m_words); }

    void nameTriggers()
    {
        m.succeeded = trigger(u"succeeded"_s);
        m.failed = trigger(u"failed"_s);
        m.canceled = trigger(u"canceled"_s);
        m.rejected = trigger(u"rejected"_s);
        m.invalid = trigger(u"invalid"_s);
        m.retried = trigger(m.m_pack.retry.isEmpty() ? u"retried"_s : m.m_pack.retry);
        for (const Outcome &outcome : m.m_pack.outcomes)
            trigger(outcome.id);
        const QStringList operations = m.m_pack.operationNames();
        for (const QString &operation : operations)
            trigger(operation);
        for (const Machine &machine : m.m_pack.machines) {
            for (const instar::Transition &transition : machine.transitions)
                std::ranges::for_each(
                    transition.on, [this](const QString &name) { trigger(name); });
            for (const State &state : machine.states) {
                if (state.timer && !state.timer->outcome.isEmpty())
                    trigger(state.timer->outcome);
                for (const Step &step : workOf(state)) {
                    if (!step.name.isEmpty())
                        trigger(step.name);
                    for (auto it = step.byOutcome.cbegin(); it != step.byOutcome.cend(); ++it)
                        trigger(it.key()), trigger(it.value());
                    for (auto it = step.hear.cbegin(); it != step.hear.cend(); ++it)
                        trigger(it.key()), trigger(it.value());
                }
            }
        }
        m.m_triggerRules.resize(size_t(m.m_triggerNames.size()));
        const auto ruleOf = [this](const QString &name) -> Rules::TriggerRule & {
            return m.m_triggerRules[size_t(m.m_triggers[name])];
        };
        for (const QString &operation : operations)
            ruleOf(operation).isOperation = true;
        for (const OperationKind &kind : m.m_pack.operations) {
            ruleOf(kind.id).duration = kind.duration;
            ruleOf(kind.id).merges = kind.merge;
        }
        static_cast<Rules::OutcomeRule &>(ruleOf(u"succeeded"_s)) = { u"Succeeded"_s, {}, {} };
        static_cast<Rules::OutcomeRule &>(
            ruleOf(u"canceled"_s)) = { u"Canceled"_s, u"Canceled"_s, u"Operation was canceled."_s };
        for (const Outcome &row : m.m_pack.outcomes) {
            Rules::OutcomeRule &rule = ruleOf(row.id);
            if (!row.status.isEmpty())
                rule.status = row.status;
            if (!row.code.isEmpty())
                rule.code = row.code;
            if (!row.label.isEmpty())
                rule.message = row.label;
        }
        m.m_outcomeList = { m.succeeded, m.failed, m.retried };
        for (const Outcome &row : m.m_pack.outcomes) {
            const TriggerId id = m.m_triggers[row.id];
            const bool isPlannable = id != m.canceled && id != m.rejected && id != m.invalid;
            if (isPlannable && std::ranges::find(m.m_outcomeList, id) == m.m_outcomeList.end())
                m.m_outcomeList.push_back(id);
        }
        for (Rules::TriggerRule &rule : m.m_triggerRules)
            rule.isGood = rule.status == u"Succeeded";
        for (const Stamp &row : m.m_pack.stamps) {
            if (!m.applies(row))
                continue;
            (row.at == Stamp::At::Start ? m.m_stampsAtStart : m.m_stampsAtEnd) = true;
        }
    }

    void nameStates()
    {
        for (const Machine &machine : m.m_pack.machines) {
            const int index = int(m.m_machines.size());
            Rules::MachineRule &rule = m.m_machines.emplace_back();
            rule.id = machine.id;
            QHash<QString, StateId> &ids = m.m_stateIds.emplace_back();
            for (const State &state : machine.states) {
                if (!m.applies(state))
                    continue;
                if (ids.contains(state.id))
                    fail(u"machine %1 has two states \"%2\""_s.arg(machine.id, state.id));
                else
                    ids.insert(state.id, StateId(m.m_states.size()));
                m_rows.push_back(&state);
                Rules::StateRule entry { .id = state.id, .machine = index, .kind = state.kind };
                entry.word = word(state.id);
                entry.shown = state.as.isEmpty() ? entry.word
                    : state.as == LastState      ? Rules::None
                                                 : word(state.as);
                if (state.timer && state.timer->outcome.isEmpty())
                    m.m_hasTimers = true;
                if (state.kind == State::Kind::Initial) {
                    if (rule.initial != Rules::None)
                        fail(u"machine %1 has two initial states"_s.arg(machine.id));
                    rule.initial = StateId(m.m_states.size());
                }
                m.m_states.push_back(std::move(entry));
            }
            if (rule.initial == Rules::None)
                fail(u"machine %1 has no initial state"_s.arg(machine.id));
            rule.rest = stateIn(index, machine.rest, u"rest"_s);
            rule.history = machine.history.isEmpty()
                ? rule.initial
                : stateIn(index, machine.history, u"history"_s);
            if (m_error.isEmpty() && !m.state(rule.rest).isStable())
                fail(u"machine %1: rest state \"%2\" is not a stable state"_s.arg(
                    machine.id, machine.rest));
            if (m_error.isEmpty() && m.state(rule.history).isTransitional())
                fail(u"machine %1: history state \"%2\" is transitional"_s.arg(
                    machine.id, machine.history));
        }
    }

    Rules::StateId stateIn(int machine, const QString &id, const QString &what)
    {
        const StateId state = m.stateNamed(machine, id);
        if (state == Rules::None)
            fail(u"machine %1: %2 names no state: \"%3\""_s.arg(
                m.m_pack.machines[machine].id, what, id));
        return state;
    }

    void makeTypes()
    {
        for (const Type &type : m.m_pack.types) {
            if (!m.applies(type))
                continue;
            const auto found =
                std::ranges::find(m.m_machines, type.machine, &Rules::MachineRule::id);
            const int machine = int(found - m.m_machines.begin());
            if (found == m.m_machines.end())
                fail(u"type %1 has no machine \"%2\""_s.arg(type.path, type.machine));
            if (type.path == u"*")
                m.m_anyType = machine;
            else
                m.m_typeMachines.insert(m.m_pack.folded(type.path), machine);
        }
    }

    Rules::Relation relation(const QString &text)
    {
        using Kind = Rules::Relation::Kind;
        const Rules::Relation found = relationNamed(text);
        const Kind kind = found.kind;
        if (m_isUsed && (kind == Kind::Siblings || kind == Kind::Copy || kind == Kind::Path))
            m.m_farRelations.push_back(found);
        return found;
    }

    static Rules::Relation relationNamed(const QString &text)
    {
        using Kind = Rules::Relation::Kind;
        static const QHash<QString, Kind> fixed {
            { u"self"_s, Kind::Self },
            { u"parent"_s, Kind::Parent },
            { u"ancestors"_s, Kind::Ancestors },
            { u"children"_s, Kind::Children },
            { u"descendants"_s, Kind::Descendants },
            { u"siblings"_s, Kind::Siblings },
            { u"references"_s, Kind::References },
            { u"referrers"_s, Kind::Referrers },
            { u"dependents"_s, Kind::Dependents },
        };
        if (fixed.contains(text))
            return { .kind = fixed[text] };
        if (text.startsWith(u'#'))
            return { .kind = Kind::Copy, .name = text };
        if (text.startsWith(u'/'))
            return { .kind = Kind::Path, .name = text };
        const bool ofParent = text.startsWith(ParentsChildren);
        const QString child = ofParent ? text.sliced(ParentsChildren.size()) : text;
        if (child.contains(u'/'))
            return { .kind = Kind::Named,
                .segment = child.section(u'/', 0, 0),
                .name = child.section(u'/', 1),
                .ofParent = ofParent };
        return { .kind = Kind::Segment, .segment = child, .ofParent = ofParent };
    }

    std::vector<bool> wordSet(const QStringList &words)
    {
        m_wordSetBits += size_t(m.m_words.size());
        if (m_wordSetBits > mostWordSetBits) {
            fail(u"the pack is too large: its conditions test %1 states in too many places"_s.arg(
                m.m_words.size()));
            return {};
        }
        std::vector<bool> set(size_t(m.m_words.size()), false);
        for (const QString &name : words) {
            const int id = m.wordNamed(name);
            if (id != Rules::None)
                set[size_t(id)] = true;
            else if (!isWordOf(m.m_pack, name)) // a state that the switches leave out is no error
                fail(u"a condition names the unknown state \"%1\""_s.arg(name));
        }
        return set;
    }

    int label(const QString &text)
    {
        if (!m.m_labels.contains(text))
            m.m_labels += text;
        return int(m.m_labels.indexOf(text));
    }

    Rules::Predicate compiled(const Condition &condition, int depth = 0)
    {
        Rules::Predicate result {
            .kind = condition.kind, .match = condition.match, .some = condition.some
        };
        if (depth > 32) {
            fail(u"condition \"%1\" refers to itself"_s.arg(condition.text));
            return {};
        }
        switch (condition.kind) {
        case Condition::Kind::Always:
            break;
        case Condition::Kind::Required:
            result.some = !condition.text.isEmpty();
            result.relation = relation(condition.text.isEmpty() ? u"self"_s : condition.text);
            break;
        case Condition::Kind::Label: {
            const auto bound =
                std::ranges::find_if(m.m_pack.conditions, [&](const NamedCondition &row) {
                    return row.id == condition.text && m.applies(row);
                });
            if (bound != m.m_pack.conditions.end())
                result.parts.push_back(compiled(bound->condition, depth + 1));
            else
                result.label = label(condition.text);
            break;
        }
        case Condition::Kind::Related:
            result.relation = relation(condition.text);
            result.words = wordSet(condition.states);
            break;
        case Condition::Kind::Last:
            result.words = wordSet(condition.states);
            m_lastWords.unite({ condition.states.begin(), condition.states.end() });
            break;
        case Condition::Kind::Id:
            result.names = condition.states;
            break;
        case Condition::Kind::Elapsed:
            result.property = condition.text;
            result.ms = condition.ms;
            result.label =
                label(u"elapsed %1 %2"_s.arg(condition.text, QString::number(condition.ms)));
            break;
        case Condition::Kind::Property:
            result.property = condition.text;
            result.names = condition.states;
            result.bound = condition.bound;
            result.values = condition.values;
            if (!m.m_properties.contains(condition.text))
                m.m_properties += condition.text;
            break;
        case Condition::Kind::All:
        case Condition::Kind::Not:
            for (const Condition &part : condition.parts)
                result.parts.push_back(compiled(part, depth + 1));
            break;
        }
        return result;
    }

    std::vector<Rules::Figure> figures(const QList<Figure> &list)
    {
        std::vector<Rules::Figure> figures;
        for (const Figure &figure : list)
            figures.push_back({ .of = relation(figure.of.isEmpty() ? u"self"_s : figure.of),
                .property = figure.property,
                .times = figure.times,
                .add = figure.add,
                .condition = compiled(figure.condition) });
        return figures;
    }

    Rules::Clock clock(const Timer &timer)
    {
        Rules::Clock clock { .trigger = m.trigger(
                                 timer.outcome.isEmpty() ? timer.operation : timer.outcome),
            .isFromEntry = timer.at.isEmpty(),
            .at = figures(timer.at),
            .afterIn = figures(timer.afterIn),
            .after = timer.after,
            .every = timer.every };
        for (const Condition &turn : timer.order) {
            clock.order.push_back(compiled(turn));
            m.m_timersReadRelatives = true;
            m.m_timerOrderReadsOtherTrees =
                m.m_timerOrderReadsOtherTrees || readsOtherTrees(clock.order.back());
        }
        for (const QList<Figure> &list : { timer.at, timer.afterIn }) {
            for (const Figure &figure : list) {
                if (timer.outcome.isEmpty())
                    m.m_timersReadRelatives = m.m_timersReadRelatives || !figure.of.isEmpty();
                else if (!m.m_properties.contains(figure.property))
                    m.m_properties += figure.property; // no property: the work has no timeout
            }
        }
        return clock;
    }

    void makeStates()
    {
        for (size_t i = 0; i < m.m_states.size(); ++i) {
            Rules::StateRule &rule = m.m_states[i];
            const State *state = m_rows[i];
            if (state->timer)
                (state->timer->outcome.isEmpty() ? rule.timer : rule.limit) = clock(*state->timer);
            const QList<Step> steps = workOf(*state);
            for (const Step &step : steps) {
                if (!m.applies(step))
                    continue;
                Rules::Work work { .kind = step.kind,
                    .condition = compiled(step.condition),
                    .where = compiled(step.where),
                    .until = compiled(step.until) };
                if (!step.name.isEmpty())
                    work.name = m.trigger(step.name);
                for (auto it = step.byOutcome.cbegin(); it != step.byOutcome.cend(); ++it)
                    work.byOutcome.emplace_back(m.trigger(it.key()), m.trigger(it.value()));
                for (auto it = step.hear.cbegin(); it != step.hear.cend(); ++it)
                    work.hear.emplace_back(m.trigger(it.key()), m.trigger(it.value()));
                for (const QString &to : step.to)
                    work.to.push_back(relation(to));
                work.together = step.together;
                work.row = state->ownWork ? int(&step - steps.constData()) : Rules::None;
                m.m_hasUntil = m.m_hasUntil || step.kind == Step::Kind::Until;
                rule.work.push_back(std::move(work));
            }
        }
    }

    /// Returns true if the rows of a machine can read the last rested state of its resources.
    bool readsLast(int index) const
    {
        const Machine &machine = m.m_pack.machines[index];
        const auto toLast = [&](const instar::Transition &row) {
            return m.applies(row) && row.to.contains(LastState);
        };
        if (std::ranges::any_of(machine.transitions, toLast))
            return true;
        bool handlesFailed = true; // an unhandled failure leads to the last rested state
        for (const Rules::StateRule &state : m.m_states) {
            if (state.machine != index)
                continue;
            if (state.shown == Rules::None || m_lastWords.contains(state.id))
                return true;
            const QList<int> rows = handlesFailed && state.isTransitional()
                ? m_indices[size_t(index)].from(state.id)
                : QList<int>();
            if (state.isTransitional() && std::ranges::none_of(rows, [&](int row) {
                    return machine.transitions[row].on.contains(u"failed"_s);
                }))
                handlesFailed = false;
        }
        return !handlesFailed;
    }

    void makeCodes()
    {
        std::vector<std::vector<StateId>> stable(m.m_machines.size()); // by machine
        for (size_t index = 0; index < m.m_machines.size(); ++index)
            m.m_machines[index].keepsLast = readsLast(int(index));
        for (size_t i = 0; i < m.m_states.size(); ++i) {
            std::vector<StateId> &states = stable[size_t(m.m_states[i].machine)];
            m.m_rank.push_back(int(states.size()));
            if (m.m_states[i].isStable())
                states.push_back(StateId(i));
        }
        for (size_t i = 0; i < m.m_states.size() && m.m_codes.size() <= 0xffff; ++i) {
            const Rules::StateRule &state = m.m_states[i];
            m.m_firstCode.push_back(int(m.m_codes.size()));
            m.m_codes.push_back(
                { StateId(i), state.isTransitional() ? Rules::None : StateId(i), Rules::None });
            if (!state.isTransitional() || !m.m_machines[size_t(state.machine)].keepsLast)
                continue;
            for (const StateId last : stable[size_t(state.machine)])
                m.m_codes.push_back({ StateId(i), last, Rules::None });
        }
        if (m.m_codes.size() > 0xffff)
            return fail(
                u"too many states: more than %1 pairs of a state and a last resting state"_s.arg(
                    0xffff));
        for (Rules::CodeRule &code : m.m_codes) {
            StateId state = code.state;
            if (m.state(state).shown == Rules::None)
                state = code.last == Rules::None
                    ? m.m_machines[size_t(m.state(state).machine)].initial
                    : code.last;
            const Rules::StateRule &rule = m.state(state);
            code.shown = rule.shown == Rules::None ? rule.word : rule.shown;
        }
    }

    void makeTransitions()
    {
        m_compiled.resize(m.m_machines.size());
        for (size_t machine = 0; machine < m.m_machines.size(); ++machine) {
            const Machine &source = m.m_pack.machines[qsizetype(machine)];
            for (qsizetype i = 0; i < source.transitions.size(); ++i) {
                const instar::Transition &row = source.transitions[i];
                m_isUsed = m.applies(row);
                Rules::Transition rule {
                    .machine = int(machine), .index = int(i), .condition = compiled(row.condition)
                };
                rule.afterIn = figures(row.afterIn);
                m_compiled[machine].push_back(m_isUsed ? int(m.m_transitions.size()) : Rules::None);
                if (!m_isUsed)
                    continue;
                for (const QString &to : row.to) {
                    using Kind = Rules::Target::Kind;
                    if (to == SameState || to == LastState)
                        rule.to.push_back({ to == SameState ? Kind::Same : Kind::Last });
                    else
                        rule.to.push_back({ Kind::State,
                            stateIn(
                                int(machine), m_indices[machine].entered(to), u"a transition"_s) });
                }
                for (const QString &from : row.from) {
                    if (from != AnyState)
                        stateIn(int(machine), from, u"a transition"_s);
                }
                if (!row.refuse.isEmpty()) {
                    rule.refusal = m.refusalNamed(row.refuse);
                    if (rule.refusal == Rules::None)
                        fail(u"machine %1: no refusal is called \"%2\""_s.arg(
                            source.id, row.refuse));
                }
                rule.limit = row.limit.value_or(Rules::None);
                rule.after = row.after;
                rule.force = row.force;
                rule.sets = !row.set.isEmpty();
                m.m_transitions.push_back(std::move(rule));
            }
        }
        makeLayers();
    }

    void makeLayers()
    {
        m_layers.resize(m.m_machines.size());
        for (const Rules::StateRule &state : m.m_states) {
            const MachineIndex &index = m_indices[size_t(state.machine)];
            QStringList names = lineage(index, state.id);
            if (state.kind != State::Kind::Initial)
                names += AnyState.toString();
            int enclosing = Rules::None;
            for (auto name = names.crbegin(); name != names.crend(); ++name)
                enclosing = layer(state.machine, *name, enclosing);
            m.m_layerOf.push_back(enclosing);
            if (!m_error.isEmpty())
                return;
        }
    }

    /// Returns the index in Rules::m_layers for a state, composite or "*"; adds a layer if needed.
    int layer(int machine, const QString &name, int enclosing)
    {
        int &number = m_layers[size_t(machine)][{ name, enclosing }]; // index + 1; 0: new
        if (number)
            return number - 1;
        std::vector<std::pair<TriggerId, int>> all; // trigger, transition
        const QList<instar::Transition> &rows = m.m_pack.machines.at(machine).transitions;
        for (const int row : m_indices[size_t(machine)].naming(name)) {
            const int index = m_compiled[size_t(machine)][size_t(row)];
            for (const QString &on : rows[row].on) {
                if (index != Rules::None)
                    all.emplace_back(m.m_triggers.value(on), index);
            }
        }
        std::ranges::sort(all);        // transitions are numbered in the order of the rows
        const size_t own = all.size(); // behind these, rows of the enclosing layer are added
        for (size_t i = 0; i < own; ++i) {
            if (i > 0 && all[i].first == all[i - 1].first)
                continue;
            for (const int outer : m.candidatesIn(enclosing, all[i].first))
                all.emplace_back(all[i].first, outer);
        }
        std::ranges::sort(all);
        const auto repeated = std::ranges::unique(all);
        all.erase(repeated.begin(), repeated.end());

        const auto begin = quint32(m.m_triggerRows.size());
        for (const auto &[trigger, index] : all) {
            if (m.m_triggerRows.size() == begin || m.m_triggerRows.back().trigger != trigger)
                m.m_triggerRows.push_back({ trigger, quint32(m.m_candidates.size()), 0 });
            ++m.m_triggerRows.back().count;
            m.m_candidates.push_back(index);
        }
        if (m.m_candidates.size() > mostCandidates)
            fail(u"the pack is too large: its states have more than %1 transitions in total"_s.arg(
                mostCandidates));
        m.m_layers.push_back({ begin, quint32(m.m_triggerRows.size()), enclosing });
        number = int(m.m_layers.size());
        return number - 1;
    }

    void makeConstraints()
    {
        m.m_constraintsOn.resize(m.m_states.size());
        for (size_t machine = 0; machine < m.m_machines.size(); ++machine) {
            const Machine &source = m.m_pack.machines[qsizetype(machine)];
            for (qsizetype i = 0; i < source.constraints.size(); ++i) {
                const Constraint &row = source.constraints[i];
                Rules::ConstraintRule rule { .machine = int(machine), .index = int(i) };
                m_isUsed = m.applies(row);
                for (const Condition &part : row.holds)
                    rule.holds.push_back(compiled(part));
                if (!m_isUsed)
                    continue;
                for (const QString &in : row.in)
                    rule.in.push_back(stateIn(int(machine), in, u"a constraint"_s));
                if (!m_error.isEmpty())
                    return;
                rule.local = std::ranges::none_of(rule.holds, readsOtherTrees);
                for (const StateId state : rule.in)
                    m.m_constraintsOn[size_t(state)].push_back(int(m.m_constraints.size()));
                m.m_constraints.push_back(std::move(rule));
            }
        }
    }

    void makeConflicts()
    {
        const auto triggerSet = [this](const QStringList &names) {
            std::vector<bool> set(names.isEmpty() ? 0 : size_t(m.m_triggerNames.size()), false);
            for (const QString &name : names) {
                const TriggerId id = m.trigger(name);
                if (id == Rules::None)
                    fail(u"a conflict names the unknown operation \"%1\""_s.arg(name));
                else
                    set[size_t(id)] = true;
            }
            return set;
        };
        static_assert(Rules::Unrelated == 1u << (std::size(PlaceWords) - 1));
        for (qsizetype i = 0; i < m.m_pack.conflicts.size(); ++i) {
            const Conflict &row = m.m_pack.conflicts[i];
            m_isUsed = m.applies(row);
            Rules::ConflictRule rule { .index = int(i), .condition = compiled(row.condition) };
            if (!m_isUsed)
                continue;
            rule.on = triggerSet(row.on);
            rule.running = triggerSet(row.running);
            for (const QString &at : row.at) {
                if (!placeBit(at))
                    fail(u"a conflict has the unknown place \"%1\""_s.arg(at));
                rule.at |= placeBit(at);
            }
            rule.then = row.then;
            m.m_hasWaits = m.m_hasWaits || row.then == Conflict::Then::Wait;
            rule.refusal = row.code.isEmpty() ? Rules::None : m.refusalNamed(row.code);
            m.m_conflictPlaces |= rule.at ? rule.at : ~0u;
            m.m_conflicts.push_back(std::move(rule));
        }
    }

    /// Returns true if a condition can change although nothing happens in the resource's branch.
    static bool readsOtherTrees(const Rules::Predicate &condition)
    {
        return condition.any([](const Rules::Predicate &part) {
            using Kind = Rules::Relation::Kind;
            constexpr std::array far { Kind::Siblings, Kind::References, Kind::Referrers,
                Kind::Dependents, Kind::Path, Kind::Copy };
            return part.kind == Condition::Kind::Elapsed
                || (part.kind == Condition::Kind::Related
                    && std::ranges::find(far, part.relation.kind) != far.end());
        });
    }

    bool admissionReadsOtherTrees(TriggerId operation) const
    {
        for (size_t state = 0; state < m.m_states.size(); ++state) {
            for (const int index : m.candidates(StateId(state), operation)) {
                const Rules::Transition &row = m.transition(index);
                if (readsOtherTrees(row.condition))
                    return true;
                for (const Rules::ConstraintRule &guard : m.m_constraints) {
                    if (guard.machine == row.machine && !guard.local)
                        return true;
                }
            }
        }
        return std::ranges::any_of(m.m_conflicts, [&](const Rules::ConflictRule &rule) {
            const bool isForOperation = rule.on.empty() || rule.on[size_t(operation)];
            const bool isInTree = rule.at && !(rule.at & ~Rules::InTree);
            return isForOperation && (!isInTree || readsOtherTrees(rule.condition));
        });
    }

    Rules m;                                  ///< the rules under construction
    std::vector<MachineIndex> m_indices;      ///< machine -> index of the rows out of its states
    std::vector<const State *> m_rows;        ///< state -> row in the pack
    std::vector<std::vector<int>> m_compiled; ///< machine -> row -> transition; None: not applied
    std::vector<QHash<std::pair<QString, int>, int>> m_layers; ///< machine -> cache of layer()
    QString m_error;
    QSet<QString> m_lastWords; ///< states that conditions compare with the last rested one
    bool m_isUsed = true;      ///< the row that is compiled exists under the switches
    size_t m_wordSetBits = 0;  ///< total size of all word sets
};

Result<Rules> Rules::make(const Pack &pack, const Switches &switches)
{
    return RulesMaker().compile(pack, switches);
}

Result<Rules::Predicate> Rules::compiled(const Condition &condition) const
{
    return RulesMaker().compiledFor(*this, condition);
}

} // namespace instar
