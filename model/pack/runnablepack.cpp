// SPDX-License-Identifier: Apache-2.0
#include "model/pack/runnablepack.h"

#include "model/pack/conflicts.h"
#include "model/pack/edits.h"
#include "model/pack/names.h"
#include "model/pack/rows.h"
#include "model/pack/run.h"
#include "model/pack/tree.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// True if a row exists under the values of all switches.
bool existsUnder(const Row &row, const QMap<QString, QString> &values)
{
    return std::all_of(row.when.keyValueBegin(), row.when.keyValueEnd(),
        [&](const auto &entry) { return entry.second.contains(values.value(entry.first)); });
}

/// Removes rows that do not exist under the values of the switches, and every `when`.
void resolveSwitches(auto &row, const QMap<QString, QString> &values)
{
    if constexpr (requires { row.when; })
        row.when.clear();
    eachMember(row, [&]<typename T>(const char *, T &member, const Holds &) {
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

/// Returns a text as a name that is valid in a path; `otherwise` if no character is left.
QString segment(const QString &text, const QString &otherwise)
{
    static const QRegularExpression others(u"[^\\p{L}\\p{N}_.-]"_s), ends(u"^-+|-+$"_s);
    const QString result = QString(text).replace(others, u"-"_s).remove(ends);
    return result.isEmpty() ? otherwise : result.left(100);
}

/// Adds to `values` the switch values that a row and those below it test.
void addSwitchValues(const auto &row, QMap<QString, QStringList> *values)
{
    if constexpr (requires { row.when; }) {
        for (auto it = row.when.cbegin(); it != row.when.cend(); ++it)
            (*values)[it.key()] += *it;
    }
    eachMember(row, [&]<typename T>(const char *, const T &member, const Holds &) {
        if constexpr (IsRowList<T>) {
            for (const auto &one : member)
                addSwitchValues(one, values);
        }
    });
}

/// Returns a switch with the given values: a boolean, or these, with a second one if there is only
/// one.
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
    pack.title = machine.title.isEmpty() ? machine.id : machine.title;
    pack.machines = { machine };
    pack.types += Type { .path = pack.id, .machine = machine.id, .title = pack.title };
    pack.sample += ResourceSpec { .path = u'/' + pack.id + u"/one"_s };
    return pack;
}

Pack packAroundLone(const Machine &machine)
{
    Pack pack = packAround(machine);
    QMap<QString, QStringList> values;
    addSwitchValues(machine, &values);
    for (auto it = values.cbegin(); it != values.cend(); ++it)
        pack.switches += switchWith(it.key(), *it);
    Machine others { .id = machine.id + u" elsewhere"_s };
    visitNames(pack, [&](const Mention &mention) {
        const bool isOwn = mention.relation.isEmpty()
            || (mention.relation == u"self" && !mention.pointer.endsWith(u"/where"));
        if (mention.what == Name::Known && !isOwn)
            others.states += State { .id = mention.text };
    });
    pack.machines.append(others);
    return pack;
}

namespace {

/// Removes rows whose key an earlier row has.
template<typename T, typename Member>
void removeDuplicates(QList<T> &rows, Member member)
{
    QSet<QString> seen;
    rows.removeIf([&](const T &row) {
        const qsizetype before = seen.size();
        seen.insert(row.*member);
        return seen.size() == before;
    });
}

/// Clears parents that are no composites or form a cycle; makes empty composites stable states.
void makeNestingRunnable(Machine &machine)
{
    QSet<QString> composites, filled;
    for (const State &state : std::as_const(machine.states)) {
        if (state.kind == State::Kind::Composite)
            composites.insert(state.id);
    }
    for (qsizetype i = 0; i < machine.states.size(); ++i) {
        const State &state = std::as_const(machine.states)[i];
        if (state.parent.isEmpty())
            continue;
        if (!composites.contains(state.parent) || liesInItself(machine, state))
            machine.states[i].parent.clear();
        else
            filled.insert(state.parent);
    }
    for (qsizetype i = 0; i < machine.states.size(); ++i) {
        const State &state = std::as_const(machine.states)[i];
        if (state.kind == State::Kind::Composite && !filled.contains(state.id))
            machine.states[i].kind = State::Kind::Stable;
    }
}

/// Keeps the first initial state, or adds one, and makes the others stable; chooses or adds a rest
/// state; clears an invalid history state.
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
    const bool canBe =
        history && history->kind != State::Kind::Transitional && existsUnder(*history, setting);
    if (!machine.history.isEmpty() && !canBe)
        machine.history.clear();
}

/// Removes unknown states from transitions and constraints.
void makeRowsRunnable(Machine &machine, const Setting &setting)
{
    QSet<QString> known;
    for (const State &state : std::as_const(machine.states)) {
        if (existsUnder(state, setting))
            known.insert(state.id);
    }
    const auto isLostFrom = [&](const QString &id) {
        return id != AnyState && !known.contains(id);
    };
    const WaysOut ways(machine);
    const auto isLostTo = [&](const QString &id) {
        return id != SameState && id != LastState && !known.contains(ways.entered(id));
    };
    for (qsizetype i = 0; i < machine.transitions.size(); ++i) {
        const Transition &row = std::as_const(machine.transitions)[i];
        const bool isWhole =
            std::ranges::none_of(row.from, isLostFrom) && std::ranges::none_of(row.to, isLostTo);
        if (isWhole || !existsUnder(row, setting))
            continue;
        Transition left = row;
        left.from.removeIf(isLostFrom);
        left.to.removeIf(isLostTo);
        if (left.from.isEmpty() || (left.to.isEmpty() && !row.to.isEmpty()))
            left = {}; // keeps its place, so that the others keep their numbers
        machine.transitions[i] = left;
    }
    for (Constraint &row : machine.constraints) {
        if (existsUnder(row, setting))
            row.in.removeIf([&](const QString &id) { return !known.contains(id); });
    }
    machine.constraints.removeIf(
        [&](const Constraint &row) { return row.in.isEmpty() && existsUnder(row, setting); });
}

void makeMachineRunnable(Machine &machine, const Setting &setting)
{
    machine.states.removeIf([](const State &state) { return state.id.isEmpty(); });
    removeDuplicates(machine.states, &State::id);
    makeNestingRunnable(machine);
    makeKindsRunnable(machine, setting);
    makeRowsRunnable(machine, setting);
}

/// Adds a machine that no type uses, with the states that conditions name and no machine has.
void addUnknownStates(Pack &pack)
{
    QSet<QString> words { QString() };
    for (const Machine &machine : std::as_const(pack.machines)) {
        for (const State &state : machine.states)
            words += { state.id, state.as };
    }
    Machine unused { .id = u"(unknown)"_s, .rest = u"(rest)"_s };
    unused.states = { { .id = u"(none)"_s, .kind = State::Kind::Initial }, { .id = u"(rest)"_s } };
    visitNames(pack, [&](const Mention &mention) {
        if (mention.what != Name::Known || words.contains(mention.text))
            return;
        words.insert(mention.text);
        unused.states += State { .id = mention.text };
    });
    if (unused.states.size() > 2)
        pack.machines += unused;
}

/// Removes recursive definitions of conditions, so that their names become open labels.
void makeConditionsRunnable(Pack &pack)
{
    const Pack before = pack;
    pack.conditions.removeIf([&](const NamedCondition &row) { return isRecursive(before, row); });
}

/// Adds a refusal for each unknown one that a transition names.
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

/// Removes unknown operations from conflicts; removes conflicts without a known operation or place.
void makeConflictsRunnable(Pack &pack)
{
    const QStringList operations = pack.operationNames();
    const auto isUnknown = [&](const QString &name) { return !operations.contains(name); };
    const auto lacks = [&](const QStringList &list) {
        return !list.isEmpty() && std::ranges::all_of(list, isUnknown);
    };
    pack.conflicts.removeIf([&](const Conflict &row) {
        return lacks(row.on) || lacks(row.running)
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
    const auto same = pack.ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
    const auto typeOf = [&](const QString &path) {
        const Type *any = nullptr;
        for (const Type &type : std::as_const(pack.types)) {
            if (!existsUnder(type, setting))
                continue;
            if (type.path.compare(path, same) == 0)
                return &type;
            if (type.path == u"*")
                any = &type;
        }
        return any;
    };
    const auto hasTypes = [&](const QString &path) {
        for (QString type = typePathOf(path); !type.isEmpty();
             type = type.contains(u'/') ? type.section(u'/', 0, -2) : QString()) {
            if (!typeOf(type))
                return false;
        }
        return true;
    };
    QSet<QString> listed;
    const auto isTwin = [&](const QString &path) {
        const qsizetype before = listed.size();
        listed.insert(pack.ignoreCase ? path.toCaseFolded() : path);
        return listed.size() == before;
    };
    const QList<ResourceSpec> resources = std::exchange(pack.sample, {});
    for (ResourceSpec resource : resources) {
        const Type *type = typeOf(typePathOf(resource.path));
        if (!type || !hasTypes(resource.path) || !isResourcePath(resource.path)
            || isTwin(resource.path))
            continue;
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
    removeDuplicates(draft.machines, &Machine::id);
    removeDuplicates(draft.types, &Type::path);
    for (Machine &machine : draft.machines)
        makeMachineRunnable(machine, setting);
    draft.types.removeIf([&](const Type &type) { return !draft.machine(type.machine); });
    makeConditionsRunnable(draft);
    addUnknownStates(draft);
    makeRefusalsRunnable(draft);
    makeConflictsRunnable(draft);
    makeSampleRunnable(draft, setting);
    return draft;
}

} // namespace instar
