// SPDX-License-Identifier: Apache-2.0
#include "model/pack/runnablepack.h"

#include "model/pack/conflicts.h"
#include "model/pack/edits.h"
#include "model/pack/names.h"
#include "model/pack/nearest.h"
#include "model/pack/rows.h"
#include "model/pack/run.h"
#include "model/pack/tree.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace instar {

namespace {

/// Removes rows that do not exist under the values of the switches, and every `when`.
void resolveSwitches(auto &row, const QMap<QString, QString> &values)
{
    if constexpr (requires { row.when; })
        row.when.clear();
    eachMember(row, [&]<typename T>(const char *, T &member, const MemberSpec &) {
        if constexpr (IsRow<T>) {
            resolveSwitches(member, values);
        } else if constexpr (IsRowList<T>) {
            if constexpr (std::is_base_of_v<Row, typename T::value_type>)
                member.removeIf([&](const auto &one) { return !existsUnder(one, values); });
            for (auto &one : member)
                resolveSwitches(one, values);
        }
    });
}

} // namespace

Pack withSwitches(Pack pack, const QMap<QString, QString> &switches)
{
    QMap<QString, QString> values;
    for (const Switch &each : pack.switches)
        values.insert(each.id, switches.value(each.id, each.defaultValue));
    resolveSwitches(pack, values);
    return pack;
}

namespace {

/// Returns a text as a name that is valid in a path; `fallback` if no character is valid.
QString segment(const QString &text, const QString &fallback)
{
    static const QRegularExpression invalid(u"[^\\p{L}\\p{N}_.-]"_s), outerDashes(u"^-+|-+$"_s);
    const QString result = QString(text).replace(invalid, u"-"_s).remove(outerDashes);
    return result.isEmpty() ? fallback : result.left(100);
}

/// Returns a switch with the given values; a boolean switch if all values are "true" or "false". If
/// there is only one other value, adds "not VALUE", because a switch needs two.
Switch switchWith(const QString &id, QStringList values)
{
    static const QStringList yesOrNo { u"false"_s, u"true"_s };
    values.removeDuplicates();
    const bool isBoolean =
        std::ranges::all_of(values, [](const QString &value) { return yesOrNo.contains(value); });
    if (isBoolean)
        values = yesOrNo;
    else if (values.size() < 2)
        values += u"not "_s + values.first();
    return { .id = id, .values = values, .defaultValue = values.first() };
}

} // namespace

Pack packAround(const Machine &machine)
{
    Pack pack;
    pack.id = segment(machine.id, u"machine"_s);
    pack.title = shownTitle(machine);
    pack.machines = { machine };
    pack.types += Type { .path = pack.id, .machine = machine.id, .title = pack.title };
    pack.sample += ResourceSpec { .path = u'/' + pack.id + u"/one"_s };
    return pack;
}

Pack selfContainedPack(const Machine &machine)
{
    Pack pack = packAround(machine);
    QMap<QString, QStringList> values; // switch -> values that some row names in `when`
    visitRows(machine, [&](const Row &row, const RowLocation &) {
        for (auto each = row.when.cbegin(); each != row.when.cend(); ++each)
            values[each.key()] += *each;
    });
    for (auto it = values.cbegin(); it != values.cend(); ++it)
        pack.switches += switchWith(it.key(), *it);
    // Declares the states of other machines that conditions mention.
    Machine otherMachine { .id = machine.id + u" elsewhere"_s };
    visitNames(pack, [&](const Mention &mention) {
        const bool isOwn = mention.relation.isEmpty()
            || (mention.relation == u"self" && !mention.pointer.endsWith(u"/where"));
        if (mention.what == Name::StateOrAlias && !isOwn)
            otherMachine.states += State { .id = mention.text };
    });
    pack.machines.append(otherMachine);
    return pack;
}

namespace {

void removeDuplicates(auto &rows)
{
    QSet<QString> keys;
    rows.removeIf([&](const auto &row) {
        const qsizetype before = keys.size();
        keys.insert(idOf(row));
        return keys.size() == before;
    });
}

/// Clears parents that are no composites or form a cycle. Makes empty composites stable.
void makeNestingRunnable(Machine &machine)
{
    QSet<QString> composites, nonEmpty;
    for (const State &state : std::as_const(machine.states)) {
        if (state.kind == State::Kind::Composite)
            composites.insert(state.id);
    }
    for (qsizetype i = 0; i < machine.states.size(); ++i) {
        const State &state = std::as_const(machine.states)[i];
        if (state.parent.isEmpty())
            continue;
        if (!composites.contains(state.parent) || isInParentCycle(machine, state))
            machine.states[i].parent.clear();
        else
            nonEmpty.insert(state.parent);
    }
    for (qsizetype i = 0; i < machine.states.size(); ++i) {
        const State &state = std::as_const(machine.states)[i];
        if (state.kind == State::Kind::Composite && !nonEmpty.contains(state.id))
            machine.states[i].kind = State::Kind::Stable;
    }
}

/// Makes the first initial state the only one, or adds one. Chooses or adds a rest state if the
/// machine has no valid one. Clears an invalid history state.
void makeKindsRunnable(Machine &machine, const Setting &setting)
{
    const QStringList taken = stateIds(machine);
    bool hasInitial = false;
    for (qsizetype i = 0; i < machine.states.size(); ++i) {
        const State &state = std::as_const(machine.states)[i];
        if (state.kind != State::Kind::Initial || !existsUnder(state, setting))
            continue;
        if (std::exchange(hasInitial, true))
            machine.states[i].kind = State::Kind::Stable;
    }
    if (!hasInitial)
        machine.states.prepend({ .id = freshName(u"none"_s, taken), .kind = State::Kind::Initial });
    const auto isStable = [&](const State &state) {
        return state.kind == State::Kind::Stable && existsUnder(state, setting);
    };
    if (const State *rest = machine.state(machine.rest); !rest || !isStable(*rest)) {
        const auto first = std::ranges::find_if(std::as_const(machine.states), isStable);
        if (first != machine.states.cend()) {
            machine.rest = first->id;
        } else {
            machine.rest = freshName(u"rest"_s, taken);
            machine.states += State { .id = machine.rest };
        }
    }
    const State *history = machine.state(machine.history);
    const bool isValid =
        history && history->kind != State::Kind::Transitional && existsUnder(*history, setting);
    if (!machine.history.isEmpty() && !isValid)
        machine.history.clear();
}

/// Removes unknown states from transitions and constraints. A transition that loses all sources or
/// all targets becomes an empty row.
void makeRowsRunnable(Machine &machine, const Setting &setting)
{
    QSet<QString> known;
    for (const State &state : std::as_const(machine.states)) {
        if (existsUnder(state, setting))
            known.insert(state.id);
    }
    const auto isUnknownSource = [&](const QString &id) {
        return id != AnyState && !known.contains(id);
    };
    const MachineIndex machineIndex(machine);
    const auto isUnknownTarget = [&](const QString &id) {
        return id != SameState && id != LastState && !known.contains(machineIndex.entered(id));
    };
    for (qsizetype i = 0; i < machine.transitions.size(); ++i) {
        const Transition &row = std::as_const(machine.transitions)[i];
        const bool isComplete = std::ranges::none_of(row.from, isUnknownSource)
            && std::ranges::none_of(row.to, isUnknownTarget);
        if (isComplete || !existsUnder(row, setting))
            continue;
        Transition reduced = row;
        reduced.from.removeIf(isUnknownSource);
        reduced.to.removeIf(isUnknownTarget);
        if (reduced.from.isEmpty() || (reduced.to.isEmpty() && !row.to.isEmpty()))
            reduced = {}; // an empty row stays, so that the other rows keep their indices
        machine.transitions[i] = reduced;
    }
    for (Constraint &row : machine.constraints) {
        if (existsUnder(row, setting))
            row.in.removeIf([&](const QString &id) { return !known.contains(id); });
    }
    machine.constraints.removeIf(
        [&](const Constraint &row) { return row.in.isEmpty() && existsUnder(row, setting); });
}

/// Adds an unused machine with the states that only conditions name, which are thus false.
void addUnknownStates(Pack &pack)
{
    QSet<QString> known { QString() };
    for (const Machine &machine : std::as_const(pack.machines)) {
        for (const State &state : machine.states)
            known += { state.id, state.as };
    }
    Machine unused { .id = u"(unknown)"_s, .rest = u"(rest)"_s };
    unused.states = { { .id = u"(none)"_s, .kind = State::Kind::Initial }, { .id = u"(rest)"_s } };
    visitNames(pack, [&](const Mention &mention) {
        if (mention.what != Name::StateOrAlias || known.contains(mention.text))
            return;
        known.insert(mention.text);
        unused.states += State { .id = mention.text };
    });
    if (unused.states.size() > 2)
        pack.machines += unused;
}

/// Removes recursive named conditions. Their names then mean labels, which a request can set.
void makeConditionsRunnable(Pack &pack)
{
    const Pack before = pack;
    pack.conditions.removeIf([&](const NamedCondition &row) { return isRecursive(before, row); });
}

/// Adds a refusal for each unknown name of a refusal in a transition.
void makeRefusalsRunnable(Pack &pack)
{
    QStringList known = knownRefusals() + idsOf(pack.refusals);
    for (const Machine &machine : std::as_const(pack.machines)) {
        for (const Transition &row : machine.transitions) {
            if (row.refuse.isEmpty() || known.contains(row.refuse))
                continue;
            known += row.refuse;
            pack.refusals += Refusal { .id = row.refuse };
        }
    }
}

/// Removes unknown operations from conflict rows, and conflict rows whose incoming or running
/// operations are all unknown or that name an unknown place.
void makeConflictsRunnable(Pack &pack)
{
    const QStringList operations = pack.operationNames();
    const auto isUnknown = [&](const QString &name) { return !operations.contains(name); };
    const auto hasOnlyUnknown = [&](const QStringList &list) {
        return !list.isEmpty() && std::ranges::all_of(list, isUnknown);
    };
    pack.conflicts.removeIf([&](const Conflict &row) {
        return hasOnlyUnknown(row.on) || hasOnlyUnknown(row.running)
            || std::ranges::any_of(row.at, [](const QString &at) { return !placeBit(at); });
    });
    for (Conflict &row : pack.conflicts) {
        row.on.removeIf(isUnknown);
        row.running.removeIf(isUnknown);
    }
}

/// Removes sample resources with an invalid path, an unknown type or a duplicate path; clears
/// states in which no resource can rest.
void makeSampleRunnable(Pack &pack, const Setting &setting)
{
    const auto typeOf = [&](const QString &path) {
        const Type *any = nullptr;
        for (const Type &type : std::as_const(pack.types)) {
            if (!existsUnder(type, setting))
                continue;
            if (type.path.compare(path, pack.caseSensitivity()) == 0)
                return &type;
            if (type.path == u"*")
                any = &type;
        }
        return any;
    };
    const auto hasTypes = [&](const QString &path) {
        for (QString type = typePathOf(path); !type.isEmpty(); type = type.section(u'/', 0, -2)) {
            if (!typeOf(type))
                return false;
        }
        return true;
    };
    QSet<QString> listed;
    const QList<ResourceSpec> resources = std::exchange(pack.sample, {});
    for (ResourceSpec resource : resources) {
        const Type *type = typeOf(typePathOf(resource.path));
        const QString path = pack.folded(resource.path);
        if (!type || !hasTypes(resource.path) || !isResourcePath(path) || listed.contains(path))
            continue;
        listed.insert(path);
        const Machine *machine = pack.machine(type->machine);
        const State *state = machine ? machine->state(resource.state) : nullptr;
        if (!resource.state.isEmpty()
            && (!state || state->kind != State::Kind::Stable || !existsUnder(*state, setting)))
            resource.state.clear();
        pack.sample += resource;
    }
}

} // namespace

Pack runnableDraft(Pack draft, const QMap<QString, QString> &switches)
{
    Setting setting;
    for (const Switch &row : std::as_const(draft.switches)) {
        const QString chosen = switches.value(row.id, row.defaultValue);
        setting.insert(row.id, row.values.contains(chosen) ? chosen : row.defaultValue);
    }
    draft.machines.removeIf([](const Machine &machine) { return machine.id.isEmpty(); });
    removeDuplicates(draft.machines);
    removeDuplicates(draft.types);
    for (Machine &machine : draft.machines) {
        machine.states.removeIf([](const State &state) { return state.id.isEmpty(); });
        removeDuplicates(machine.states);
        makeNestingRunnable(machine);
        makeKindsRunnable(machine, setting);
        makeRowsRunnable(machine, setting);
    }
    draft.types.removeIf([&](const Type &type) { return !draft.machine(type.machine); });
    makeConditionsRunnable(draft);
    addUnknownStates(draft);
    makeRefusalsRunnable(draft);
    makeConflictsRunnable(draft);
    makeSampleRunnable(draft, setting);
    return draft;
}

} // namespace instar
