// SPDX-License-Identifier: Apache-2.0
#include "model/pack/edits.h"

#include "model/pack/knownnames.h"
#include "model/pack/nearest.h"
#include "model/pack/rows.h"
#include "model/pack/run.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace instar {

namespace {

/// Returns a state's id; `wildcard` ("*" or "(last)") if the id is empty.
QString stateOr(const QString &state, QStringView wildcard)
{
    return state.isEmpty() ? wildcard.toString() : state;
}

/// Describes an arrow of a row, for Edited::removed.
QString arrowText(const Transition &row, const QString &from, const QString &to)
{
    return u"%1 → %2 (%3)"_s.arg(
        stateOr(from, AnyState), stateOr(to, LastState), row.on.join(u", "_s));
}

/// True if an unconditional earlier row shadows a more specific later one: they have a trigger in
/// common, and the earlier row leaves "*" or a composite around a source of the later row.
bool shadowsMoreSpecific(const Machine &machine, const Transition &earlier, const Transition &later)
{
    if (earlier.condition.kind != Condition::Kind::Always || !earlier.when.isEmpty())
        return false;
    const bool sharesTrigger =
        std::ranges::any_of(later.on, [&](const QString &on) { return earlier.on.contains(on); });
    return sharesTrigger && std::ranges::any_of(later.from, [&](const QString &from) {
        return !earlier.from.contains(from) && leaves(machine, earlier, from);
    });
}

} // namespace

State *stateIn(Machine &machine, const QString &id)
{
    const auto found = std::ranges::find(machine.states, id, &State::id);
    return found == machine.states.end() ? nullptr : &*found;
}

Pack withMachine(Pack pack, const Machine &machine)
{
    const auto found = std::ranges::find(pack.machines, machine.id, &Machine::id);
    if (found == pack.machines.end())
        pack.machines += machine;
    else
        *found = machine;
    return pack;
}

QStringList withContents(const Machine &machine, const QStringList &states)
{
    const QSet<QString> roots(states.begin(), states.end());
    QStringList all;
    for (const State &state : machine.states) {
        const QStringList ancestry = lineage(machine, state.id);
        if (std::ranges::any_of(ancestry, [&](const QString &id) { return roots.contains(id); }))
            all += state.id;
    }
    return all;
}

Edited withoutStates(Machine machine, const QStringList &states)
{
    const QStringList removed = withContents(machine, states);
    const QSet<QString> removedIds(removed.begin(), removed.end());
    QStringList alsoRemoved = removed;
    for (const QString &id : states)
        alsoRemoved.removeOne(id); // describes only what is removed in addition
    const auto isRemoved = [&](const QString &id) { return removedIds.contains(id); };
    machine.states.removeIf([&](const State &state) { return removedIds.contains(state.id); });
    const QString comma = QStringLiteral(", ");
    const QList<Transition> rows = std::exchange(machine.transitions, {});
    for (Transition row : rows) {
        const QString from = row.from.join(comma), to = row.to.join(comma);
        const bool hadTarget = !row.to.isEmpty();
        row.from.removeIf(isRemoved);
        row.to.removeIf(isRemoved);
        if (row.from.isEmpty() || (row.to.isEmpty() && hadTarget))
            alsoRemoved += arrowText(row, from, to);
        else
            machine.transitions += row;
    }
    const QList<Constraint> constraints = std::exchange(machine.constraints, {});
    for (Constraint row : constraints) {
        const QString in = row.in.join(comma);
        row.in.removeIf(isRemoved);
        if (row.in.isEmpty())
            alsoRemoved += u"constraint in %1"_s.arg(in);
        else
            machine.constraints += row;
    }
    machine.notes.removeIf([&](const ChartNote &note) {
        if (isRemoved(note.of))
            alsoRemoved += u"note \"%1\""_s.arg(note.text.section(u'\n', 0, 0));
        return isRemoved(note.of);
    });
    return { std::move(machine), alsoRemoved };
}

qsizetype insertionIndex(const Machine &machine, const Transition &transition)
{
    const auto found = std::ranges::find_if(machine.transitions,
        [&](const Transition &row) { return shadowsMoreSpecific(machine, row, transition); });
    return found - machine.transitions.begin();
}

Machine withTransition(Machine machine, const Transition &transition)
{
    machine.transitions.insert(insertionIndex(machine, transition), transition);
    return machine;
}

Pack withRefusal(Pack pack, const QString &machine, int row, const QString &from,
    const Condition &condition, const QString &message)
{
    const QString code = u"Conflict"_s;
    const auto known = std::ranges::find_if(pack.refusals,
        [&](const Refusal &refusal) { return refusal.http == 409 && refusal.message == message; });
    const QString refusalId =
        known != pack.refusals.end() ? known->id : freshName(code, idsOf(pack.refusals));
    if (known == pack.refusals.end())
        pack.refusals += Refusal { .id = refusalId,
            .code = refusalId == code ? QString() : code,
            .http = 409,
            .message = message };
    const auto owner = std::ranges::find(pack.machines, machine, &Machine::id);
    const Transition refusing { .from = { stateOr(from, AnyState) },
        .on = owner->transitions[row].on,
        .condition = condition,
        .refuse = refusalId };
    owner->transitions.insert(row, refusing);
    return pack;
}

Edited withoutArrow(Machine machine, const QSet<int> &rows, const QString &from, const QString &to)
{
    QStringList removedTexts;
    QList<Transition> kept;
    for (int i = 0; i < machine.transitions.size(); ++i) {
        Transition row = machine.transitions[i];
        const QString source = stateOr(from, AnyState), target = stateOr(to, LastState);
        const bool hasArrow = row.from.contains(source)
            && (row.to.contains(target) || row.to.contains(SameState)
                || (to.isEmpty() && !row.refuse.isEmpty()));
        if (!rows.contains(i) || !hasArrow) {
            kept += row;
            continue;
        }
        // A row with several sources or targets is kept for the other ones.
        if (row.from.size() > 1)
            row.from.removeOne(source);
        else if (row.to.size() > 1)
            row.to.removeOne(target);
        else
            continue;
        kept += row;
        removedTexts += arrowText(row, from, to);
    }
    machine.transitions = kept;
    return { std::move(machine), removedTexts };
}

Machine withArrowCopied(Machine machine, int row, const QString &from, const QString &to)
{
    Transition copy = machine.transitions[row];
    copy.from = { stateOr(from, AnyState) };
    if (copy.to.contains(stateOr(to, LastState)))
        copy.to = { stateOr(to, LastState) };
    copy.bend = 0;
    machine.transitions.insert(row + 1, copy);
    return machine;
}

Machine reconnected(
    Machine machine, const QSet<int> &rows, ArrowEnd end, const QString &from, const QString &to)
{
    for (const int index : rows) {
        if (index >= machine.transitions.size())
            continue;
        Transition &row = machine.transitions[index];
        QStringList &states = end == ArrowEnd::From ? row.from : row.to;
        const QString before = stateOr(from, end == ArrowEnd::From ? AnyState : LastState);
        const QString after = stateOr(to, end == ArrowEnd::From ? AnyState : LastState);
        // A row to "(same)" draws an arrow from each source to itself, but its `to` does not name
        // the source.
        const bool isNamed = before == LastState || states.contains(before);
        const qsizetype at = states.indexOf(isNamed ? before : SameState.toString());
        if (at < 0 || after == before) // negative: the row has changed since and lacks the arrow
            continue;
        if (states.contains(after))
            states.removeAt(at);
        else
            states[at] = after;
        row.bend = 0;
    }
    return machine;
}

Machine nested(Machine machine, const QStringList &states, const QString &parent)
{
    const QStringList ancestry = parent.isEmpty() ? QStringList() : lineage(machine, parent);
    for (const QString &id : states) {
        State *state = stateIn(machine, id);
        if (state && !ancestry.contains(id))
            state->parent = parent;
    }
    return machine;
}

Machine placed(Machine machine, const QMap<QString, QPointF> &centres)
{
    for (State &state : machine.states) {
        if (const auto found = centres.constFind(state.id); found != centres.cend())
            state.position = { std::round(found->x()), std::round(found->y()) };
    }
    return machine;
}

Machine withKind(Machine machine, const QString &id, State::Kind kind)
{
    State *state = stateIn(machine, id);
    if (!state || state->kind == kind)
        return machine;
    if (state->kind == State::Kind::Composite) {
        for (State &inner : machine.states) {
            if (inner.parent == id)
                inner.parent = state->parent;
        }
    }
    state->kind = kind;
    if (kind != State::Kind::Transitional) {
        state->work.clear();
        state->ownWork = false;
    }
    // A timer starts an operation in a stable state, and gives an outcome in a transitional one.
    const bool startsOperation = state->timer && !state->timer->operation.isEmpty();
    const State::Kind kindForTimer =
        startsOperation ? State::Kind::Stable : State::Kind::Transitional;
    if (kind != kindForTimer)
        state->timer.reset();
    return machine;
}

Fragment fragmentOf(const Machine &machine, const QStringList &states)
{
    const QStringList copied = withContents(machine, states);
    const QSet<QString> inside(copied.begin(), copied.end());
    const auto isOutside = [&](const QString &id) { return !inside.contains(id); };
    Fragment fragment;
    for (State state : machine.states) {
        if (!inside.contains(state.id))
            continue;
        if (!inside.contains(state.parent))
            state.parent.clear();
        fragment.states += state;
    }
    for (Transition row : machine.transitions) {
        const bool hadTarget = !row.to.isEmpty();
        row.from.removeIf(isOutside);
        row.to.removeIf(
            [&](const QString &id) { return isOutside(id) && id != SameState && id != LastState; });
        if (!row.from.isEmpty() && (!hadTarget || !row.to.isEmpty()))
            fragment.transitions += row;
    }
    for (Constraint row : machine.constraints) {
        row.in.removeIf(isOutside);
        if (!row.in.isEmpty())
            fragment.constraints += row;
    }
    std::ranges::copy_if(machine.notes, std::back_inserter(fragment.notes),
        [&](const ChartNote &note) { return inside.contains(note.of); });
    return fragment;
}

Pasted withFragment(Machine machine, const Fragment &fragment, const QPointF &by)
{
    QMap<QString, QString> names;
    QStringList taken = stateIds(machine);
    const bool hasInitial = !machine.initial().isEmpty();
    Pasted result;
    for (State state : fragment.states) {
        const QString name = freshName(state.id, taken);
        names.insert(state.id, name);
        taken += name;
        result.states += name;
        state.id = name;
        if (state.position)
            *state.position += by;
        if (hasInitial && state.kind == State::Kind::Initial)
            state.kind = State::Kind::Stable; // a machine has only one initial state
        machine.states += state;
    }
    const auto rename = [&](QString &name) { name = names.value(name, name); };
    for (State &state : machine.states) {
        if (result.states.contains(state.id))
            rename(state.parent);
    }
    for (Transition row : fragment.transitions) {
        std::ranges::for_each(row.from, rename);
        std::ranges::for_each(row.to, rename);
        machine.transitions.insert(insertionIndex(machine, row), row);
    }
    for (Constraint row : fragment.constraints) {
        std::ranges::for_each(row.in, rename);
        machine.constraints += row;
    }
    for (ChartNote note : fragment.notes) {
        rename(note.of);
        if (note.position)
            *note.position += by;
        machine.notes += note;
    }
    result.machine = std::move(machine);
    return result;
}

namespace {

/// Fills the required members of a new row. A name gets the first name that exists, a text that may
/// be a boolean "false", a text with a first character (`begins`) "/", a JSON text "{}".
void fill(auto &row, const Pack &pack, const QString &machine)
{
    const auto defaultFor = [&](Name what) {
        return what == Name::Path ? u"/"_s : namesFor(pack, what, machine).value(0);
    };
    eachMember(row, [&]<typename T>(const char *, T &member, const MemberSpec &spec) {
        if (!spec.required)
            return;
        if constexpr (std::is_same_v<T, QString>)
            member = spec.boolean ? u"false"_s : spec.begins ? u"/"_s : defaultFor(spec.names);
        else if constexpr (std::is_same_v<T, QByteArray>)
            member = "{}";
        else if constexpr (std::is_same_v<T, QStringList>)
            member = namesFor(pack, spec.names, machine).mid(0, 1);
        else if constexpr (std::is_same_v<T, Condition>)
            member = { .kind = Condition::Kind::Label, .text = u"label"_s };
    });
}

/// Calls `visit(rows, index)` with a row's list and index; returns false if there is no such row.
bool withListOf(auto &pack, const QString &row, const auto &visit)
{
    bool isFound = false;
    withListAt(pack, parentPointer(row), [&](auto &rows, const MemberSpec &) {
        const qsizetype index = indexOfKey(std::as_const(rows), keysOf(row).last());
        isFound = index >= 0;
        if (isFound)
            visit(rows, index);
    });
    return isFound;
}

/// Returns the pack and the pointer to the row with a key in a list; nothing if the key is empty,
/// which means that no row was added or moved.
std::optional<PackAndRow> packAndRow(Pack pack, const QString &list, const QString &key)
{
    if (key.isEmpty())
        return {};
    return PackAndRow { std::move(pack), list + pointerTo({ key }) };
}

} // namespace

qsizetype indexInList(const Pack &pack, const QString &row)
{
    qsizetype found = -1;
    withListOf(pack, row, [&](const auto &, qsizetype index) { found = index; });
    return found;
}

std::optional<PackAndRow> withNewRow(
    Pack pack, const QString &list, qsizetype index, const QString &id)
{
    const Pack before = pack;
    const QString machine = machineAround(pack, list);
    QString key;
    withListAt(pack, list, [&]<typename T>(QList<T> &rows, const MemberSpec &) {
        T row {};
        fill(row, before, machine);
        if constexpr (std::is_same_v<T, Machine>) { // only a machine with states can be run
            row.states = { State { .id = u"absent"_s, .kind = State::Kind::Initial },
                State { .id = u"present"_s } };
            row.rest = u"present"_s;
        }
        if constexpr (std::is_same_v<T, ResourceSpec>) {
            const QString type = before.types.isEmpty() ? u"*"_s : before.types.last().path;
            const QString parent = pathOfType(before, type.section(u'/', 0, -2));
            if (type != u"*")
                row.path = freshName(parent + u'/' + type.section(u'/', -1) + u"/new"_s,
                    mapped<QStringList>(rows, &ResourceSpec::path));
        }
        const qsizetype at = index < 0 || index > rows.size() ? rows.size() : index;
        if constexpr (requires { idOf(row); })
            idOf(row) =
                id.isEmpty() ? freshName(headingOf(std::as_const(row)).name, idsOf(rows)) : id;
        rows.insert(at, row);
        key = keyOfRow(std::as_const(rows), at);
    });
    return packAndRow(std::move(pack), list, key);
}

std::optional<PackAndRow> withRowCopied(Pack pack, const QString &row)
{
    QString key;
    withListOf(pack, row, [&]<typename T>(QList<T> &rows, qsizetype at) {
        T copy = rows.at(at);
        if constexpr (requires { idOf(copy); })
            idOf(copy) = freshName(idOf(copy), idsOf(rows));
        if constexpr (std::is_same_v<T, ResourceSpec>)
            copy.path = freshName(copy.path, mapped<QStringList>(rows, &ResourceSpec::path));
        rows.insert(at + 1, copy);
        key = keyOfRow(std::as_const(rows), at + 1);
    });
    return packAndRow(std::move(pack), parentPointer(row), key);
}

std::optional<PackAndRow> withRowMoved(Pack pack, const QString &row, qsizetype by)
{
    QString key;
    withListOf(pack, row, [&](auto &rows, qsizetype at) {
        if (at + by < 0 || at + by >= rows.size())
            return;
        rows.move(at, at + by);
        key = keyOfRow(std::as_const(rows), at + by);
    });
    return packAndRow(std::move(pack), parentPointer(row), key);
}

std::optional<Pack> withoutRow(Pack pack, const QString &row)
{
    if (const OwnName name = ownNameAt(pack, row); name.what == Name::State) {
        const Machine *machine = pack.machine(name.machine);
        return withMachine(pack, withoutStates(*machine, { name.text }).machine);
    }
    if (!withListOf(pack, row, [](auto &rows, qsizetype at) { rows.removeAt(at); }))
        return {};
    return pack;
}

} // namespace instar
