// SPDX-License-Identifier: Apache-2.0
#include "model/pack/lonemachine.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// A name that can stand in a path.
QString segment(const QString &text, const QString &otherwise)
{
    QString result;
    for (const QChar c : text)
        result += c.isLetterOrNumber() || c == u'-' || c == u'_' || c == u'.' ? c : QChar(u'-');
    while (result.startsWith(u'-'))
        result.remove(0, 1);
    while (result.endsWith(u'-'))
        result.chop(1);
    return result.isEmpty() ? otherwise : result.left(100);
}

/// What the rows of a machine name that is not the machine's own.
class Outsiders
{
public:
    explicit Outsiders(const Machine &machine)
    {
        take(machine);
        for (const State &state : machine.states) {
            take(state);
            for (const Step &step : state.work)
                take(step);
            for (const Condition &condition : state.timer ? state.timer->order : QList<Condition>())
                take(condition);
        }
        for (const Transition &transition : machine.transitions) {
            take(transition);
            take(transition.condition);
        }
        for (const Constraint &constraint : machine.constraints) {
            take(constraint);
            for (const Condition &condition : constraint.holds)
                take(condition);
        }
        m_words.removeDuplicates();
        for (QStringList &values : m_values)
            values.removeDuplicates();
    }

    /// Yes-or-no switches, or those of the values that are named, with another one beside a single
    /// one.
    QList<Switch> switches() const
    {
        static const QStringList yesOrNo { u"false"_s, u"true"_s };
        QList<Switch> result;
        for (auto it = m_values.cbegin(); it != m_values.cend(); ++it) {
            Switch row;
            row.id = it.key();
            const bool isBoolean = std::ranges::all_of(
                *it, [](const QString &value) { return yesOrNo.contains(value); });
            row.values = isBoolean ? yesOrNo
                : it->size() > 1   ? *it
                                   : QStringList({ it->first(), u"not "_s + it->first() });
            row.defaultValue = row.values.first();
            result.append(row);
        }
        return result;
    }

    /// A machine with the states that other resources are asked for.
    Machine others(const QString &id) const
    {
        Machine machine;
        machine.id = id;
        for (const QString &word : m_words) {
            State state;
            state.id = word;
            machine.states.append(state);
        }
        return machine;
    }

private:
    void take(const Row &row)
    {
        for (auto it = row.when.cbegin(); it != row.when.cend(); ++it)
            m_values[it.key()] += *it;
    }

    void take(const Step &step)
    {
        take(static_cast<const Row &>(step));
        const bool isAboutOthers = std::ranges::any_of(
            step.to, [](const QString &relation) { return relation != u"self"; });
        take(step.condition);
        take(step.where, isAboutOthers);
        take(step.until);
    }

    /// `isAboutOthers`: its "self" is another resource.
    void take(const Condition &condition, bool isAboutOthers = false)
    {
        if (condition.kind == Condition::Kind::Related
            && (isAboutOthers || condition.text != u"self"))
            m_words += condition.states;
        for (const Condition &part : condition.parts)
            take(part, isAboutOthers);
    }

    QMap<QString, QStringList> m_values; ///< switch -> what is said of it
    QStringList m_words;
};

} // namespace

Pack packAround(const Machine &machine)
{
    Pack pack;
    pack.id = segment(machine.id, u"machine"_s);
    pack.title = machine.title.isEmpty() ? machine.id : machine.title;
    pack.machines = { machine };
    Type type;
    type.path = pack.id;
    type.machine = machine.id;
    type.title = pack.title;
    pack.types = { type };
    ResourceSpec resource;
    resource.path = u'/' + pack.id + u"/one"_s;
    pack.sample = { resource };
    return pack;
}

Pack packAroundLone(const Machine &machine)
{
    Pack pack = packAround(machine);
    const Outsiders outside(machine);
    pack.switches = outside.switches();
    pack.machines.append(outside.others(machine.id + u" elsewhere"_s));
    return pack;
}

} // namespace instar
