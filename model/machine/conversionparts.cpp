// SPDX-License-Identifier: Apache-2.0
#include "model/machine/conversionparts.h"

#include "model/machine/check.h"
#include "model/machine/interpreter.h"
#include "model/machine/run.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Guard::Kind;

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

/// The last part of a JSON pointer as it was before escaping.
QString unescaped(QString part)
{
    return part.replace(u"~1"_s, u"/"_s).replace(u"~0"_s, u"~"_s);
}

void forget(Condition &condition, const QSet<QString> &states)
{
    condition.states.removeIf([&](const QString &state) { return states.contains(state); });
    for (Condition &part : condition.parts)
        forget(part, states);
}

void drop(Machine &machine, const QSet<QString> &states)
{
    machine.states.removeIf([&](const State &state) { return states.contains(state.id); });
    for (Transition &row : machine.transitions) {
        row.from.removeIf([&](const QString &id) { return states.contains(id); });
        row.to.removeIf([&](const QString &id) { return states.contains(id); });
        forget(row.condition, states);
    }
    machine.transitions.removeIf([](const Transition &row) { return row.from.isEmpty(); });
    for (State &state : machine.states) {
        for (Step &step : state.work)
            forget(step.until, states);
    }
}

/// The operations by when they are possible: first where the resource rests, last where there is
/// none.
void sortOperations(Pack &pack)
{
    const Machine &machine = pack.machines.first();
    QList<QStringList> names(3);
    for (const QString &name : pack.operationNames()) {
        const bool fromRest = !successors(machine, machine.rest, name).isEmpty();
        const bool fromElsewhere =
            std::ranges::any_of(machine.transitions, [&](const Transition &row) {
                return row.on.contains(name) && row.from != QStringList { machine.initial() };
            });
        names[fromRest ? 0 : fromElsewhere ? 1 : 2] += name;
    }
    for (const QString &name : names[0] + names[1] + names[2]) {
        OperationKind operation;
        operation.id = name;
        pack.operations.append(operation);
    }
}

} // namespace

QString Names::unused(const QString &wish)
{
    const bool isWord = wish == u"*" || wish == u"(same)" || wish == u"(last)";
    const QString base = wish.isEmpty() || isWord ? wish + u'_' : wish;
    QString name = base;
    for (int number = 2; m_taken.contains(name); ++number)
        name = u"%1 %2"_s.arg(base).arg(number);
    m_taken.insert(name);
    return name;
}

ChartTexts::ChartTexts(const Statechart &chart) : m_chart(chart)
{
    for (const Vertex &vertex : chart.vertices)
        m_vertices.insert(vertex.id, &vertex);
    for (const Note &note : chart.notes)
        m_notes[m_vertices.contains(note.of) ? note.of : QString()] += note.lines.join(u'\n');
}

QString ChartTexts::about(const QString &vertex)
{
    m_asked.insert(vertex);
    const Vertex *found = m_vertices.value(vertex);
    return ((found ? found->description : QStringList()) + m_notes.value(vertex)).join(u'\n');
}

void ChartTexts::tell(Transition &row, int arc)
{
    const Arc &told = m_chart.arcs[arc];
    m_told.insert(arc);
    const auto append = [](QString &to, const QString &text, const QString &between) {
        to += to.isEmpty() || text.isEmpty() ? text : between + text;
    };
    append(row.about, told.note.join(u'\n'), u"\n"_s);
    if (!told.label.isEmpty() || !told.action.isEmpty())
        append(row.label, told.text(), u"; "_s);
}

QList<Remark> ChartTexts::untold() const
{
    QList<Remark> result;
    for (const Vertex &vertex : m_chart.vertices) {
        if (m_asked.contains(vertex.id))
            continue;
        QStringList words = vertex.description + m_notes.value(vertex.id);
        if (!vertex.label.isEmpty())
            words.prepend(vertex.label);
        if (!words.isEmpty())
            result.append({ vertex.line,
                u"\"%1\" is no state of its own; what is written there is left out: %2"_s.arg(
                    vertex.id, words.join(u"; "_s)) });
    }
    for (int i = 0; i < m_chart.arcs.size(); ++i) {
        const Arc &arc = m_chart.arcs[i];
        QStringList words = arc.note;
        if (!arc.label.isEmpty() || !arc.action.isEmpty())
            words.prepend(arc.text());
        if (!words.isEmpty() && !m_told.contains(i))
            result.append({ arc.line,
                u"the arrow from \"%1\" is part of others; what is written at it is left out: %2"_s
                    .arg(arc.from, words.join(u"; "_s)) });
    }
    return result;
}

Guard simplified(const Guard &guard)
{
    if (guard.kind == Kind::Else)
        return {};
    if (guard.kind == Kind::Not) {
        const Guard part = simplified(guard.parts.first());
        if (part.kind == Kind::Always || part.kind == Kind::Never)
            return { part.kind == Kind::Always ? Kind::Never : Kind::Always, {}, {} };
        return part.kind == Kind::Not ? part.parts.first() : Guard { Kind::Not, {}, { part } };
    }
    if (guard.kind != Kind::All && guard.kind != Kind::Any)
        return guard;
    const Kind neutral = guard.kind == Kind::All ? Kind::Always : Kind::Never;
    const Kind decisive = guard.kind == Kind::All ? Kind::Never : Kind::Always;
    QList<Guard> parts;
    for (const Guard &each : guard.parts) {
        const Guard part = simplified(each);
        if (part.kind == decisive)
            return part;
        if (part.kind != neutral)
            parts += part;
    }
    if (parts.isEmpty())
        return { neutral, {}, {} };
    return parts.size() == 1 ? parts.first() : Guard { guard.kind, {}, parts };
}

Condition labelled(const QString &text)
{
    Condition condition;
    condition.kind = Condition::Kind::Label;
    condition.text = text;
    return condition;
}

Condition negated(const Condition &condition)
{
    if (condition.kind == Condition::Kind::Not)
        return condition.parts.first();
    Condition result;
    result.kind = Condition::Kind::Not;
    result.parts = { condition };
    return result;
}

Condition allOf(const QList<Condition> &conditions)
{
    if (conditions.isEmpty())
        return {};
    if (conditions.size() == 1)
        return conditions.first();
    Condition result;
    result.kind = Condition::Kind::All;
    result.parts = conditions;
    return result;
}

Condition anyOf(const QList<Condition> &conditions)
{
    if (conditions.size() == 1)
        return conditions.first();
    QList<Condition> parts;
    for (const Condition &each : conditions)
        parts += negated(each);
    return negated(allOf(parts));
}

Condition conditionOf(const Guard &guard, const std::function<QStringList(const QString &)> &leaves)
{
    QList<Condition> parts;
    for (const Guard &part : guard.parts)
        parts += conditionOf(part, leaves);
    switch (guard.kind) {
    case Kind::Name:
        return labelled(guard.text);
    case Kind::In: {
        Condition condition;
        condition.kind = Condition::Kind::Related;
        condition.text = u"self"_s;
        condition.states = leaves(guard.text);
        return condition;
    }
    case Kind::Not:
        return negated(parts.first());
    case Kind::All:
        return allOf(parts);
    case Kind::Any:
        return anyOf(parts);
    default:
        return {};
    }
}

bool isOutcome(const QString &event)
{
    static const QStringList words { u"succeeded"_s, u"failed"_s, u"canceled"_s, u"rejected"_s,
        u"invalid"_s, u"retried"_s };
    return words.contains(event);
}

QStringList alphabet(const ChartPlan &plan)
{
    QStringList result;
    QSet<QString> seen;
    for (const ChartPlan::Way &way : plan.ways) {
        for (QString event : way.events) {
            if (event.endsWith(u".*"))
                event.chop(2);
            else if (event.endsWith(u'.'))
                event.chop(1);
            if (event != u"*" && !event.isEmpty() && !seen.contains(event)) {
                seen.insert(event);
                result += event;
            }
        }
    }
    return result;
}

QString unusedOperation(const QString &wish, const QStringList &alphabet)
{
    QString name = wish;
    for (int number = 2; alphabet.contains(name); ++number)
        name = u"%1 %2"_s.arg(wish).arg(number);
    return name;
}

QStringList meant(const QString &descriptor, const QStringList &alphabet)
{
    QStringList result;
    for (const QString &event : alphabet) {
        if (describes(descriptor, event))
            result += event;
    }
    return result;
}

namespace {

/// The triggers of a row on which an earlier one speaks wherever it would; all of them where no
/// single one is to blame.
QStringList takenBefore(const Machine &machine, qsizetype index)
{
    const Transition &row = machine.transitions[index];
    QStringList taken;
    for (const QString &trigger : row.on) {
        const bool isTaken = std::any_of(machine.transitions.begin(),
            machine.transitions.begin() + index, [&](const Transition &earlier) {
                const bool leavesAll = std::ranges::all_of(
                    row.from, [&](const QString &from) { return earlier.from.contains(from); });
                return leavesAll && earlier.on.contains(trigger)
                    && earlier.condition == row.condition;
            });
        if (isTaken)
            taken += trigger;
    }
    return taken.isEmpty() ? row.on : taken;
}

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

Result<PackMade> mended(PackMade made, const QHash<QString, int> &lines)
{
    for (int round = 0; round < 50; ++round) {
        Machine &machine = made.pack.machines.first();
        QSet<QString> states;
        QSet<qsizetype> rows;
        QString other;
        for (const Issue &issue : check(made.pack)) {
            if (issue.severity != Issue::Severity::Error)
                continue;
            const QStringList at =
                issue.pointer.split(u'/'); // "", machines, ID, states or transitions, which
            const QString which = unescaped(at.value(4));
            if (at.value(3) == u"states"
                && (issue.rule == u"unreachable-state" || issue.rule == u"empty-composite"))
                states.insert(which);
            else if (at.value(3) == u"transitions" && issue.rule == u"livelock")
                other = machine.transitions[which.toInt()].from.first();
            else if (at.value(3) == u"transitions"
                && (issue.rule == u"never-speaks" || issue.rule == u"nondeterminism"))
                rows.insert(which.toInt());
            else
                return Error { u"the pack would not be well made: %1"_s.arg(issue.text) };
        }
        if (states.isEmpty() && rows.isEmpty() && other.isEmpty()) {
            sortOperations(made.pack);
            return made;
        }
        if (!other
                 .isEmpty()) { // at least one of the states that follow each other has to take time
            for (State &state : machine.states) {
                if (state.id == other && state.ownWork) {
                    state.ownWork = false;
                    state.work.clear();
                    made.remarks.append({ lines.value(other),
                        u"\"%1\" is part of an endless round, so its work takes time"_s.arg(other),
                        false });
                    other.clear();
                }
            }
            if (!other.isEmpty())
                return Error {
                    u"\"%1\" is part of a round of arrows without events that never ends"_s.arg(
                        other)
                };
        }
        for (const QString &id : std::as_const(states))
            made.remarks.append(
                { lines.value(id), u"nothing leads to \"%1\"; it is not in the pack"_s.arg(id) });
        for (qsizetype i = machine.transitions.size(); i-- > 0;) {
            if (!rows.contains(i))
                continue;
            Transition &row = machine.transitions[i];
            const QStringList lost = takenBefore(machine, i);
            made.remarks.append({ lines.value(row.from.first()),
                u"the arrow from \"%1\" on \"%2\" is never taken; it is not in the pack"_s.arg(
                    row.from.join(u", "_s), lost.join(u", "_s)) });
            if (lost.size() == row.on.size())
                machine.transitions.removeAt(i);
            else
                row.on.removeIf([&lost](const QString &trigger) { return lost.contains(trigger); });
        }
        drop(machine, states);
    }
    return Error { u"the statechart cannot be made a pack"_s };
}

} // namespace instar
