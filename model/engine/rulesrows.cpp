// SPDX-License-Identifier: Apache-2.0
#include "model/engine/rulesmaker.h"
#include "model/machine/run.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Whether some state of the pack is called so or passes for it, under whatever switches.
bool isWordOf(const Pack &pack, const QString &name)
{
    return std::ranges::any_of(pack.machines, [&](const Machine &machine) {
        return std::ranges::any_of(machine.states,
            [&](const State &state) { return state.id == name || state.as == name; });
    });
}

} // namespace

Rules::Relation RulesMaker::relation(const QString &text) const
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
    };
    if (fixed.contains(text))
        return { .kind = fixed[text], .segment = {}, .name = {} };
    if (text.startsWith(u'#'))
        return { .kind = Kind::Copy, .segment = {}, .name = text };
    if (text.startsWith(u'/'))
        return { .kind = Kind::Path, .segment = {}, .name = text };
    const bool ofParent = text.startsWith(ParentsChildren);
    const QString child = ofParent ? text.sliced(ParentsChildren.size()) : text;
    if (child.contains(u'/'))
        return { .kind = Kind::Named,
            .segment = child.section(u'/', 0, 0),
            .name = child.section(u'/', 1),
            .ofParent = ofParent };
    return { .kind = Kind::Segment, .segment = child, .name = {}, .ofParent = ofParent };
}

std::vector<bool> RulesMaker::wordSet(const QStringList &words)
{
    std::vector<bool> set(size_t(m.m_words.size()), false);
    for (const QString &name : words) {
        const int id = m.wordNamed(name);
        if (id != Rules::None)
            set[size_t(id)] = true;
        else if (!isWordOf(m.m_pack, name)) // one that the switches leave out: nothing is in it
            fail(u"a condition names the unknown state \"%1\""_s.arg(name));
    }
    return set;
}

int RulesMaker::label(const QString &text)
{
    if (!m.m_labels.contains(text))
        m.m_labels += text;
    return int(m.m_labels.indexOf(text));
}

Rules::Question RulesMaker::question(const Condition &condition, int depth)
{
    Rules::Question result {
        .kind = condition.kind, .match = condition.match, .some = condition.some
    };
    if (depth > 32) {
        fail(u"condition \"%1\" is defined by itself"_s.arg(condition.text));
        return {};
    }
    switch (condition.kind) {
    case Condition::Kind::Always:
    case Condition::Kind::Required:
        break;
    case Condition::Kind::Label: {
        const auto bound = std::ranges::find_if(m.m_pack.conditions,
            [&](const NamedCondition &row) { return row.id == condition.text && m.applies(row); });
        if (bound != m.m_pack.conditions.end())
            result.parts.push_back(question(bound->condition, depth + 1));
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
        m_lastWords += condition.states;
        break;
    case Condition::Kind::Id:
        result.names = condition.states;
        break;
    case Condition::Kind::Elapsed:
        result.property = condition.text;
        result.ms = condition.ms;
        result.label = label(u"elapsed %1 %2"_s.arg(condition.text).arg(condition.ms));
        break;
    case Condition::Kind::Property:
        result.property = condition.text;
        result.names = condition.states;
        result.bound = condition.bound;
        if (!m.m_properties.contains(condition.text))
            m.m_properties += condition.text;
        break;
    case Condition::Kind::All:
    case Condition::Kind::Not:
        for (const Condition &part : condition.parts)
            result.parts.push_back(question(part, depth + 1));
        break;
    }
    return result;
}

void RulesMaker::makeStates()
{
    for (size_t i = 0; i < m.m_states.size(); ++i) {
        Rules::StateRule &rule = m.m_states[i];
        const State *state = stateRow(rule);
        if (state->timer)
            std::ranges::for_each(state->timer->order,
                [&](const Condition &turn) { rule.order.push_back(question(turn)); });
        for (const Step &step : workOf(*state)) {
            if (!m.applies(step))
                continue;
            Rules::Work work { .kind = step.kind,
                .condition = question(step.condition),
                .where = question(step.where),
                .until = question(step.until) };
            if (!step.name.isEmpty())
                work.name = m.trigger(step.name);
            for (auto it = step.byOutcome.cbegin(); it != step.byOutcome.cend(); ++it)
                work.byOutcome.emplace_back(m.trigger(it.key()), m.trigger(it.value()));
            for (auto it = step.hear.cbegin(); it != step.hear.cend(); ++it)
                work.hear.emplace_back(m.trigger(it.key()), m.trigger(it.value()));
            for (const QString &to : step.to)
                work.to.push_back(relation(to));
            work.together = step.together;
            m.m_hasUntil = m.m_hasUntil || step.kind == Step::Kind::Until;
            rule.work.push_back(std::move(work));
        }
    }
    // Every other condition, so that the words read as "last" are known before codes are made.
    for (const Machine &machine : m.m_pack.machines) {
        for (const instar::Transition &row : machine.transitions)
            question(row.condition);
        for (const Constraint &row : machine.constraints)
            std::ranges::for_each(row.holds, [this](const Condition &part) { question(part); });
    }
    for (const Conflict &row : m.m_pack.conflicts)
        question(row.condition);
}

const State *RulesMaker::stateRow(const Rules::StateRule &rule) const
{
    const QList<State> &states = m.m_pack.machines[rule.machine].states;
    return &*std::ranges::find_if(
        states, [&](const State &state) { return state.id == rule.id && m.applies(state); });
}

bool RulesMaker::readsLast(int index) const
{
    const Machine &machine = m.m_pack.machines[index];
    const auto toLast = [&](const instar::Transition &row) {
        return m.applies(row) && row.to.contains(LastState);
    };
    if (std::ranges::any_of(machine.transitions, toLast))
        return true;
    bool hasOutcome = true;
    for (const Rules::StateRule &state : m.m_states) {
        if (state.machine != index)
            continue;
        if (state.shown == Rules::None || m_lastWords.contains(state.id))
            return true;
        if (state.isTransitional() && successors(machine, state.id, u"failed"_s).isEmpty())
            hasOutcome = false;
    }
    return !hasOutcome;
}

void RulesMaker::makeCodes()
{
    const size_t states = m.m_states.size();
    m.m_codeOf.assign(states * (states + 1), 0);
    const auto add = [&](size_t state, StateId last) {
        m.m_codeOf[state * (states + 1) + size_t(last + 1)] = int(m.m_codes.size());
        m.m_codes.push_back({ StateId(state), last, Rules::None });
    };
    for (size_t index = 0; index < m.m_machines.size(); ++index)
        m.m_machines[index].keepsLast = readsLast(int(index));
    for (size_t i = 0; i < states; ++i) {
        const Rules::StateRule &state = m.m_states[i];
        if (!state.isTransitional()) {
            add(i, StateId(i));
            continue;
        }
        add(i, Rules::None);
        const bool keeps = m.m_machines[size_t(state.machine)].keepsLast;
        for (size_t last = 0; last < states; ++last) {
            if (m.m_states[last].machine != state.machine || !m.m_states[last].isStable())
                continue;
            if (keeps)
                add(i, StateId(last));
            else
                m.m_codeOf[i * (states + 1) + last + 1] = m.m_codeOf[i * (states + 1)];
        }
    }
    if (m.m_codes.size() > 0xffff)
        fail(u"too many states: %1 pairs of state and last rested state"_s.arg(m.m_codes.size()));
    for (Rules::CodeRule &code : m.m_codes) {
        StateId state = code.state;
        if (m.state(state).shown == Rules::None)
            state = code.last == Rules::None ? m.m_machines[size_t(m.state(state).machine)].initial
                                             : code.last;
        const Rules::StateRule &rule = m.state(state);
        code.shown = rule.shown == Rules::None ? rule.word : rule.shown;
    }
}

void RulesMaker::makeTransitions()
{
    std::vector<std::vector<int>> compiled(
        m.m_machines.size()); // row -> transition, None where it does not apply
    for (size_t machine = 0; machine < m.m_machines.size(); ++machine) {
        const Machine &source = m.m_pack.machines[qsizetype(machine)];
        for (qsizetype i = 0; i < source.transitions.size(); ++i) {
            const instar::Transition &row = source.transitions[i];
            compiled[machine].push_back(m.applies(row) ? int(m.m_transitions.size()) : Rules::None);
            if (!m.applies(row))
                continue;
            Rules::Transition rule {
                .machine = int(machine), .index = int(i), .condition = question(row.condition)
            };
            for (const QString &to : row.to) {
                if (to == SameState)
                    rule.to.push_back({ Rules::Target::Kind::Same, Rules::None });
                else if (to == LastState)
                    rule.to.push_back({ Rules::Target::Kind::Last, Rules::None });
                else
                    rule.to.push_back({ Rules::Target::Kind::State,
                        stateIn(int(machine), entered(source, to), u"a transition"_s) });
            }
            for (const QString &from : row.from) {
                if (from != AnyState)
                    stateIn(int(machine), from, u"a transition"_s);
            }
            if (!row.refuse.isEmpty()) {
                rule.refusal = m.refusalNamed(row.refuse);
                if (rule.refusal == Rules::None)
                    fail(u"machine %1: no refusal is called \"%2\""_s.arg(source.id, row.refuse));
            }
            rule.limit = row.limit.value_or(Rules::None);
            rule.after = row.after;
            rule.force = row.force;
            rule.sets = !row.set.isEmpty();
            m.m_transitions.push_back(std::move(rule));
        }
    }
    const auto triggers = size_t(m.m_triggerNames.size());
    m.m_candidateSpans.assign(m.m_states.size() * triggers, { 0, 0 });
    for (size_t state = 0; state < m.m_states.size(); ++state) {
        const Rules::StateRule &rule = m.m_states[state];
        const Machine &machine = m.m_pack.machines[rule.machine];
        for (size_t t = 0; t < triggers; ++t) {
            const auto begin = quint32(m.m_candidates.size());
            for (const int row : successors(machine, rule.id, m.m_triggerNames[qsizetype(t)])) {
                const int index = compiled[size_t(rule.machine)][size_t(row)];
                if (index != Rules::None)
                    m.m_candidates.push_back(index);
            }
            m.m_candidateSpans[state * triggers + t] = { begin,
                quint32(m.m_candidates.size()) - begin };
        }
    }
}

bool RulesMaker::isLocal(const Rules::Question &question)
{
    using Kind = Rules::Relation::Kind;
    const Kind kind = question.relation.kind;
    return question.kind != Condition::Kind::Related
        || (kind != Kind::References && kind != Kind::Referrers && kind != Kind::Path
            && kind != Kind::Copy);
}

void RulesMaker::makeConstraintsAndConflicts()
{
    m.m_constraintsOn.resize(m.m_states.size());
    for (size_t machine = 0; machine < m.m_machines.size(); ++machine) {
        const Machine &source = m.m_pack.machines[qsizetype(machine)];
        for (qsizetype i = 0; i < source.constraints.size(); ++i) {
            const Constraint &row = source.constraints[i];
            if (!m.applies(row))
                continue;
            Rules::ConstraintRule rule { .machine = int(machine), .index = int(i) };
            for (const QString &in : row.in)
                rule.in.push_back(stateIn(int(machine), in, u"a constraint"_s));
            for (const Condition &part : row.holds)
                rule.holds.push_back(question(part));
            if (!m_error.isEmpty())
                return;
            rule.local = std::ranges::all_of(rule.holds, &RulesMaker::isLocal);
            for (const StateId state : rule.in)
                m.m_constraintsOn[size_t(state)].push_back(int(m.m_constraints.size()));
            m.m_constraints.push_back(std::move(rule));
        }
    }

    static const QHash<QString, quint32> places {
        { u"self"_s, Rules::Self },
        { u"ancestor"_s, Rules::Ancestor },
        { u"descendant"_s, Rules::Descendant },
        { u"sibling"_s, Rules::Sibling },
        { u"tree"_s, Rules::SameTree },
        { u"reference"_s, Rules::Reference },
        { u"referrer"_s, Rules::Referrer },
        { u"unrelated"_s, Rules::Unrelated },
    };
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
    for (qsizetype i = 0; i < m.m_pack.conflicts.size(); ++i) {
        const Conflict &row = m.m_pack.conflicts[i];
        if (!m.applies(row))
            continue;
        Rules::ConflictRule rule {
            .index = int(i), .on = triggerSet(row.on), .running = triggerSet(row.running)
        };
        for (const QString &at : row.at) {
            if (!places.contains(at))
                fail(u"a conflict is at \"%1\", which is no place"_s.arg(at));
            rule.at |= places.value(at);
        }
        rule.condition = question(row.condition);
        rule.then = row.then;
        rule.refusal = row.code.isEmpty() ? Rules::None : m.refusalNamed(row.code);
        m.m_conflictPlaces |= rule.at ? rule.at : ~0u;
        m.m_conflicts.push_back(std::move(rule));
    }
}

} // namespace instar
