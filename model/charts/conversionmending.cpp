// SPDX-License-Identifier: Apache-2.0
#include "model/charts/conversionparts.h"
#include "model/charts/conversionunreached.h"
#include "model/charts/conversionways.h"
#include "model/machine/check.h"
#include "model/machine/run.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The last part of a JSON pointer as it was before escaping.
QString unescaped(QString part)
{
    return part.replace(u"~1"_s, u"/"_s).replace(u"~0"_s, u"~"_s);
}

void removeRow(ConvertedDraft &draft, qsizetype index)
{
    draft.made.pack.machines.first().transitions.removeAt(index);
    draft.lines.removeAt(index);
}

void forget(Condition &condition, const QSet<QString> &states)
{
    condition.states.removeIf([&](const QString &state) { return states.contains(state); });
    for (Condition &part : condition.parts)
        forget(part, states);
}

void drop(ConvertedDraft &draft, const QSet<QString> &states)
{
    Machine &machine = draft.made.pack.machines.first();
    machine.states.removeIf([&](const State &state) { return states.contains(state.id); });
    for (Transition &row : machine.transitions) {
        row.from.removeIf([&](const QString &id) { return states.contains(id); });
        row.to.removeIf([&](const QString &id) { return states.contains(id); });
        forget(row.condition, states);
    }
    for (qsizetype i = machine.transitions.size(); i-- > 0;) {
        if (machine.transitions[i].from.isEmpty())
            removeRow(draft, i);
    }
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

QHash<QString, int> linesOf(const Statechart &chart)
{
    QHash<QString, int> lines;
    for (const Vertex &vertex : chart.vertices)
        lines.insert(vertex.id, vertex.line);
    return lines;
}

} // namespace

Result<PackMade> mended(ConvertedDraft draft, const Statechart &chart)
{
    PackMade &made = draft.made;
    const QHash<QString, int> lines = linesOf(chart);
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
            return std::move(made);
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
            made.remarks.append(unreached(chart, id, id));
        for (qsizetype i = machine.transitions.size(); i-- > 0;) {
            if (!rows.contains(i))
                continue;
            Transition &row = machine.transitions[i];
            const QStringList lost = takenBefore(machine, i);
            made.remarks.append({ draft.lines[i],
                u"the arrow from \"%1\" on \"%2\" is never taken; it is not in the pack"_s.arg(
                    row.from.join(u", "_s), lost.join(u", "_s)) });
            if (lost.size() == row.on.size())
                removeRow(draft, i);
            else
                row.on.removeIf([&lost](const QString &trigger) { return lost.contains(trigger); });
        }
        drop(draft, states);
    }
    return Error { u"the statechart cannot be made a pack"_s };
}

} // namespace instar
