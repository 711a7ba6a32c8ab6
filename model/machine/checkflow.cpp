// SPDX-License-Identifier: Apache-2.0
#include "model/machine/checking.h"
#include "model/machine/run.h"

#include <algorithm>

using namespace Qt::StringLiterals;

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

QStringList factsOf(const Pack &pack, const Setting &setting, const Condition &condition, int depth)
{
    switch (condition.kind) {
    case Condition::Kind::Always:
        return {};
    case Condition::Kind::Label: {
        const auto bound = std::ranges::find_if(pack.conditions, [&](const NamedCondition &row) {
            return row.id == condition.text && exists(row, setting);
        });
        if (bound != pack.conditions.end() && depth < 32)
            return factsOf(pack, setting, bound->condition, depth + 1);
        return { u"label "_s + condition.text };
    }
    case Condition::Kind::All: {
        QStringList all;
        for (const Condition &part : condition.parts)
            all += factsOf(pack, setting, part, depth + 1);
        return sorted(all);
    }
    case Condition::Kind::Not: {
        const QStringList inner = condition.parts.isEmpty()
            ? QStringList()
            : factsOf(pack, setting, condition.parts.first(), depth + 1);
        return { inner.size() == 1 ? negated(inner.first())
                                   : u"!("_s + inner.join(u" & "_s) + u')' };
    }
    case Condition::Kind::Related:
        return { u"%1%2 %3 %4"_s.arg(condition.some ? u"some "_s : QString(), condition.text)
                     .arg(int(condition.match))
                     .arg(sorted(condition.states).join(u'|')) };
    case Condition::Kind::Last:
        return { u"last "_s + sorted(condition.states).join(u'|') };
    case Condition::Kind::Id:
        return { u"id "_s + sorted(condition.states).join(u'|') };
    case Condition::Kind::Required:
        return { u"required"_s };
    case Condition::Kind::Elapsed:
        return { u"elapsed %1 %2"_s.arg(condition.text).arg(condition.ms) };
    case Condition::Kind::Property:
        return { condition.bound
                ? u"property %1 > %2"_s.arg(condition.text).arg(*condition.bound)
                : u"property %1 %2"_s.arg(condition.text, sorted(condition.words()).join(u'|')) };
    }
    return {};
}

/// What of `facts` the later condition does not say already.
QStringList missing(const QStringList &facts, const QStringList &later)
{
    QStringList result;
    for (const QString &fact : facts) {
        if (!later.contains(fact))
            result += fact;
    }
    return result;
}

} // namespace

QStringList facts(const Pack &pack, const Setting &setting, const Condition &condition)
{
    return factsOf(pack, setting, condition, 0);
}

bool covered(const QStringList &later, const QList<QStringList> &earlier)
{
    QStringList single; // conditions that lack one fact only
    for (const QStringList &facts : earlier) {
        const QStringList rest = missing(facts, later);
        if (rest.isEmpty())
            return true;
        if (rest.size() == 1)
            single += rest.first();
    }
    return std::ranges::any_of(
        single, [&](const QString &fact) { return single.contains(negated(fact)); });
}

Flow::Flow(Checking &checking, const Machine &machine) : m_checking(checking), m_machine(machine)
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

    for (const State &state : machine.states) {
        QList<int> &leaving = m_leaving[state.id];
        for (qsizetype i = 0; i < machine.transitions.size(); ++i) {
            if (state.kind != State::Kind::Composite
                && leaves(machine, machine.transitions[i], state.id))
                leaving += int(i);
        }
    }
    for (const Setting &setting : m_settings) {
        QList<QStringList> &list = m_facts.emplaceBack();
        for (const Transition &row : machine.transitions)
            list += facts(checking.pack, setting, row.condition);
    }
}

QList<Flow::Edge> Flow::edges(int setting, const QString &state) const
{
    QList<Edge> result;
    QHash<QString, QList<int>> speaking; // trigger -> earlier rows
    const auto add = [&](int index, bool refusing) {
        const Transition &row = m_machine.transitions[index];
        if (row.refuse.isEmpty() == refusing || !exists(row, m_settings[setting]))
            return;
        for (const QString &trigger : row.on) {
            Edge edge { .row = index, .trigger = trigger };
            QList<QStringList> earlier;
            for (const int other : speaking[trigger]) {
                earlier += m_facts[setting][other];
                if (edge.by < 0 && covered(m_facts[setting][index], { earlier.last() }))
                    edge.by = other;
            }
            const bool ignored =
                refusing && (m_checking.isOutcome(trigger) || m_checking.events.contains(trigger));
            edge.speaks = !ignored && !covered(m_facts[setting][index], earlier);
            if (!ignored)
                speaking[trigger] += index;
            result += edge;
        }
    };
    const QList<int> leaving = m_leaving.value(state);
    for (const int index : leaving)
        add(index, true);
    for (const int index : leaving)
        add(index, false);
    return result;
}

Ends endsOf(const Checking &checking, const State &state, const Setting &setting)
{
    Ends ends;
    QSet<QString> soFar { u"succeeded"_s };
    bool atOnce = true;
    const auto end = [&](const QString &outcome) {
        ends.all.insert(outcome);
        if (atOnce)
            ends.atOnce.insert(outcome);
    };
    for (const Step &step : workOf(state)) {
        if (!exists(step, setting))
            continue;
        const bool always = step.condition.kind == Condition::Kind::Always;
        switch (step.kind) {
        case Step::Kind::Attempt:
            atOnce = false;
            end(u"failed"_s);
            if (!step.name.isEmpty())
                end(step.name);
            break;
        case Step::Kind::Until:
            atOnce = false;
            break;
        case Step::Kind::Require:
            for (const QString &theirs : { u"failed"_s, u"rejected"_s }) {
                const QString mine = step.hear.value(theirs, theirs);
                if (checking.isGood(mine))
                    soFar.insert(mine);
                else
                    end(mine);
            }
            break;
        case Step::Kind::Decide:
            if (!checking.isGood(step.name)) {
                end(step.name);
                if (always)
                    return ends;
            } else if (always) {
                soFar = { step.name };
            } else {
                soFar.insert(step.name);
            }
            break;
        case Step::Kind::Send:
            break;
        }
    }
    std::ranges::for_each(soFar, end);
    return ends;
}

} // namespace instar
