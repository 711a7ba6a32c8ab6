// SPDX-License-Identifier: Apache-2.0
#include "model/pack/flow.h"

#include <algorithm>

namespace instar {

namespace {

QString negated(const QString &fact)
{
    return fact.startsWith(u'!') ? fact.sliced(1) : u'!' + fact;
}

QStringList sorted(QStringList list)
{
    list.sort();
    list.removeDuplicates();
    return list;
}

} // namespace

QStringList facts(const Pack &pack, const Setting &setting, const Condition &condition, int depth)
{
    switch (condition.kind) {
    case Condition::Kind::Always:
        return {};
    case Condition::Kind::Label: {
        const auto definition =
            std::ranges::find_if(pack.conditions, [&](const NamedCondition &row) {
                return row.id == condition.text && exists(row, setting);
            });
        if (definition != pack.conditions.end() && depth < 32) // ends circular definitions
            return facts(pack, setting, definition->condition, depth + 1);
        return { u"label "_s + condition.text };
    }
    case Condition::Kind::All: {
        const auto all = mapped<QStringList>(condition.parts,
            [&](const Condition &part) { return facts(pack, setting, part, depth + 1); });
        return sorted(all);
    }
    case Condition::Kind::Not: {
        const QStringList inner = condition.parts.isEmpty()
            ? QStringList()
            : facts(pack, setting, condition.parts.first(), depth + 1);
        return { inner.size() == 1 ? negated(inner.first())
                                   : u"!("_s + inner.join(u" & "_s) + u')' };
    }
    case Condition::Kind::Related:
        return { u"%1%2 %3 %4"_s.arg(condition.some ? u"some "_s : QString(), condition.text,
            QString::number(int(condition.match)), sorted(condition.states).join(u'|')) };
    case Condition::Kind::Last:
        return { u"last "_s + sorted(condition.states).join(u'|') };
    case Condition::Kind::Id:
        return { u"id "_s + sorted(condition.states).join(u'|') };
    case Condition::Kind::Required:
        return { (u"required "_s + condition.text).trimmed() };
    case Condition::Kind::Elapsed:
        return { u"elapsed %1 %2"_s.arg(condition.text, QString::number(condition.ms)) };
    case Condition::Kind::Property:
        return { condition.bound
                ? u"property %1 > %2"_s.arg(condition.text, QString::number(*condition.bound))
                : u"property %1 %2"_s.arg(condition.text, sorted(condition.words()).join(u'|')) };
    }
    return {};
}

int EarlierConditions::find(const QStringList &facts) const
{
    const auto holds = [&](const QString &fact) { return facts.contains(fact); };
    const auto first = std::ranges::find_if(
        m_facts, [&](const QStringList &earlier) { return std::ranges::all_of(earlier, holds); });
    return first == m_facts.end() ? -1 : int(first - m_facts.begin());
}

/// True if one earlier condition needs only "a" beyond `facts`, and another one only "not a".
bool EarlierConditions::coversTogether(const QStringList &facts) const
{
    QSet<QString> lacking;
    const auto isLacking = [&](const QString &fact) { return !facts.contains(fact); };
    for (const QStringList &earlier : m_facts) {
        if (std::ranges::count_if(earlier, isLacking) != 1)
            continue;
        const QString fact = *std::ranges::find_if(earlier, isLacking);
        if (lacking.contains(negated(fact)))
            return true;
        lacking.insert(fact);
    }
    return false;
}

Flow::Flow(Checking &checking, const Machine &machine)
    : m_checking(checking), m_machine(machine), m_index(machine)
{
    QList<const Row *> rows;
    for (const State &state : machine.states) {
        rows += &state;
        for (const Step &step : state.work)
            rows += &step;
    }
    for (const Transition &row : machine.transitions)
        rows += &row;
    for (const Constraint &row : machine.constraints)
        rows += &row;
    m_settings = checking.settings(rows);

    // Groups of states by the rows that leave them and the rows that name them.
    QHash<std::pair<QList<int>, QList<int>>, int> groups;
    for (const State &state : machine.states) {
        if (state.kind == State::Kind::Composite || m_groups.contains(state.id))
            continue;
        const QList<int> leaving = m_index.from(state.id);
        const std::pair key { leaving, m_index.naming(state.id) };
        if (!groups.contains(key)) {
            groups.insert(key, int(m_leaving.size()));
            m_leaving += leaving;
        }
        m_groups.insert(state.id, groups.value(key));
    }
    for (const Setting &setting : m_settings) {
        QList<QStringList> &list = m_facts.emplaceBack();
        for (const Transition &row : machine.transitions)
            list += facts(checking.pack, setting, row.condition);
    }
}

const QList<Flow::Edge> &Flow::edges(int setting, const QString &state) const
{
    const int group = this->group(state);
    const std::pair key { setting, group };
    const auto known = m_edges.constFind(key);
    return known != m_edges.constEnd()
        ? *known
        : *m_edges.insert(key, computedEdges(setting, m_leaving.value(group)));
}

QList<Flow::Edge> Flow::computedEdges(int setting, const QList<int> &leaving) const
{
    struct EarlierRows
    {
        EarlierConditions conditions;
        QList<int> rows;
    };
    QList<Edge> result;
    QHash<QString, EarlierRows> earlierRows; // trigger -> earlier rows
    const auto add = [&](int index, bool isRefusal) {
        const Transition &row = m_machine.transitions[index];
        if (row.refuse.isEmpty() == isRefusal || !exists(row, m_settings[setting]))
            return;
        const QStringList &facts = m_facts[setting][index];
        for (const QString &trigger : row.on) {
            Edge edge { .row = index, .trigger = trigger };
            EarlierRows &earlier = earlierRows[trigger];
            const int shadowing = earlier.conditions.find(facts);
            edge.shadowedBy = shadowing < 0 ? -1 : earlier.rows[shadowing];
            const bool isIgnored =
                isRefusal && (m_checking.isOutcome(trigger) || m_checking.events.contains(trigger));
            edge.isReachable = !isIgnored && !earlier.conditions.covers(facts);
            if (!isIgnored) {
                earlier.conditions.add(facts);
                earlier.rows += index;
            }
            result += edge;
        }
    };
    for (const int index : leaving)
        add(index, true);
    for (const int index : leaving)
        add(index, false);
    return result;
}

Ends endsOf(const Checking &checking, const State &state, const Setting &setting)
{
    Ends ends;
    QSet<QString> successes { u"succeeded"_s };
    bool atOnce = true;
    const auto addEnd = [&](const QString &outcome) {
        ends.all.insert(outcome);
        if (atOnce)
            ends.atOnce.insert(outcome);
    };
    for (const Step &step : workOf(state)) {
        if (!exists(step, setting))
            continue;
        const bool isUnconditional = step.condition.kind == Condition::Kind::Always;
        switch (step.kind) {
        case Step::Kind::Attempt:
            atOnce = false;
            addEnd(u"failed"_s);
            if (!step.name.isEmpty())
                addEnd(step.name);
            break;
        case Step::Kind::Until:
            atOnce = false;
            break;
        case Step::Kind::Require:
            for (const QString &required : { u"failed"_s, u"rejected"_s }) {
                const QString own = step.hear.value(required, required);
                if (checking.isGood(own))
                    successes.insert(own);
                else
                    addEnd(own);
            }
            break;
        case Step::Kind::Decide:
            if (!checking.isGood(step.name)) {
                addEnd(step.name);
                if (isUnconditional)
                    return ends;
            } else if (isUnconditional) {
                successes = { step.name };
            } else {
                successes.insert(step.name);
            }
            break;
        case Step::Kind::Send:
            break;
        }
    }
    std::ranges::for_each(successes, addEnd);
    return ends;
}

} // namespace instar
