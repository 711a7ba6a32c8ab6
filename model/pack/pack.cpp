// SPDX-License-Identifier: Apache-2.0
#include "model/pack/pack.h"

#include "model/pack/pathtemplate.h"
#include "model/pack/run.h"

#include <algorithm>

namespace instar {

namespace {

template<typename T>
const T *findBy(const QList<T> &list, auto member, const auto &key)
{
    const auto it = std::ranges::find(list, key, member);
    return it == list.end() ? nullptr : &*it;
}

} // namespace

const State *Machine::state(const QString &stateId) const
{
    return findBy(states, &State::id, stateId);
}

QString Machine::initial() const
{
    const State *found = findBy(states, &State::kind, State::Kind::Initial);
    return found ? found->id : QString();
}

bool Machine::isStatechart() const
{
    return findBy(extras, &Extra::key, StatechartMark.toString());
}

const Machine *Pack::machine(const QString &machineId) const
{
    return findBy(machines, &Machine::id, machineId);
}

const WireDocument *Wire::document(const QString &documentId) const
{
    return findBy(documents, &WireDocument::id, documentId);
}

QString Wire::pathOf(const WireRequest &row) const
{
    QString path = row.path;
    path.replace(u"{base}"_s, base);
    for (auto it = values.cbegin(); it != values.cend(); ++it)
        path.replace(u'{' + it.key() + u'}', it.value());
    return path;
}

bool Wire::isOfPart(const WireRequest &row)
{
    const PathTemplate of(row.of);
    const QStringList pathHoles = PathTemplate(row.path).holes();
    return of.size() % 2 == 0 && std::ranges::any_of(of.holes(), [&](const QString &hole) {
        return !pathHoles.contains(hole);
    });
}

const Switch *Pack::findSwitch(const QString &switchId) const
{
    return findBy(switches, &Switch::id, switchId);
}

const Type *Pack::type(const QString &path) const
{
    return findBy(types, &Type::path, path);
}

QList<QMap<QString, QString>> choicesOf(const QList<Switch> &switches, qsizetype most)
{
    QList<QMap<QString, QString>> result(1);
    for (const Switch &row : switches) {
        if (row.values.isEmpty())
            continue;
        const QList<QMap<QString, QString>> before = result;
        // Beyond `most`, each value of a further switch is combined only with the defaults.
        const bool isProduct = before.size() * row.values.size() <= most;
        if (isProduct)
            result.clear();
        for (const QMap<QString, QString> &choice : isProduct ? before : before.first(1)) {
            for (const QString &value : row.values) {
                result += isProduct ? choice : QMap<QString, QString>();
                result.last().insert(row.id, value);
            }
        }
    }
    return result;
}

QString Pack::sourceText(const Row &row) const
{
    QStringList texts;
    for (const QString &key : row.sources) {
        const Source *source = findBy(sourceList, &Source::id, key);
        texts += source
            ? u"%1 (%2 %3)"_s.arg(key, source->document, source->section).replace(u" )"_s, u")"_s)
            : key;
    }
    return texts.join(u", "_s);
}

QString summaryOf(const Step &row)
{
    return row.name;
}

QString summaryOf(const Transition &row)
{
    const QString summary = u"from %1 on %2"_s.arg(
        row.from.contains(AnyState) ? u"any state"_s : row.from.join(u", "_s),
        row.on.join(u", "_s));
    if (!row.refuse.isEmpty())
        return summary + u" refused with "_s + row.refuse;
    return row.to.isEmpty() ? summary : summary + u" to "_s + row.to.join(u" or "_s);
}

QString summaryOf(const Constraint &row)
{
    QStringList holds;
    for (const Condition &part : row.holds)
        holds += u"%1 %2"_s.arg(part.text, part.words().join(u" or "_s));
    return u"in %1: %2"_s.arg(row.in.join(u" or "_s), holds.join(u", "_s));
}

QString summaryOf(const Conflict &row)
{
    const auto anyOr = [](const QStringList &operations) {
        return operations.isEmpty() ? u"any operation"_s : operations.join(u" or "_s);
    };
    return u"%1 during %2: %3"_s.arg(
        anyOr(row.on), anyOr(row.running), QString::fromLatin1(VerdictWords[size_t(row.then)]));
}

QString summaryOf(const Refusal &row)
{
    const std::optional<BuiltInRefusal> builtIn = builtInRefusal(row.id);
    return builtIn ? builtIn->rule : u"error "_s + (row.code.isEmpty() ? row.id : row.code);
}

const QList<BuiltInRefusal> &builtInRefusals()
{
    static const QList<BuiltInRefusal> all {
        { u"missing"_s, u"NotFound"_s, 404, u"The resource {path} does not exist."_s,
            u"the resource does not exist"_s },
        { u"parentMissing"_s, u"NotFound"_s, 404, u"The parent of {path} does not exist."_s,
            u"the parent does not exist"_s },
        { u"transition"_s, u"OperationNotSupported"_s, 405,
            u"{path} does not accept this operation in its current state."_s,
            u"the state has no transition for this operation"_s },
        { u"precondition"_s, u"PreconditionFailed"_s, 412,
            u"{path} does not meet the request's precondition."_s,
            u"the resource does not meet the request's precondition"_s },
        { u"waitRing"_s, u"WaitsForItself"_s, 409,
            u"The operation on {path} would wait for itself: {ring}."_s,
            u"the operation would wait for itself"_s },
    };
    return all;
}

std::optional<BuiltInRefusal> builtInRefusal(const QString &id)
{
    const auto found = std::ranges::find(builtInRefusals(), id, &BuiltInRefusal::id);
    return found == builtInRefusals().end() ? std::nullopt : std::optional(*found);
}

QStringList Condition::words() const
{
    QStringList all = states;
    for (const QJsonValue &value : values)
        all += value.isNull() ? QStringLiteral("null") : value.toVariant().toString();
    return all;
}

const QStringList &knownRefusals()
{
    static const QStringList names = idsOf(builtInRefusals())
        + QStringList { u"malformedBody"_s, u"malformedReference"_s, u"wrongQuery"_s,
              u"wrongReference"_s, u"wrongName"_s, u"wrongValue"_s, u"unknownPath"_s,
              u"wrongMethod"_s, u"full"_s }; // "full": only in older packs
    return names;
}

QStringList Pack::outcomeNames() const
{
    const QStringList builtIn { u"succeeded"_s, u"failed"_s, u"canceled"_s, u"rejected"_s,
        u"invalid"_s, retry.isEmpty() ? u"retried"_s : retry };
    return builtIn + idsOf(outcomes);
}

QStringList Pack::operationNames() const
{
    QStringList names = idsOf(operations);
    for (const Machine &machine : machines) {
        for (const State &state : machine.states) {
            if (state.timer && state.timer->outcome.isEmpty())
                names += state.timer->operation;
            for (const Step &step : state.work) {
                if (step.kind == Step::Kind::Require)
                    names += step.name;
            }
        }
    }
    const QSet<QString> sent = events();
    const QStringList ends = outcomeNames();
    for (const Machine &machine : machines) {
        for (const Transition &transition : machine.transitions) {
            for (const QString &trigger : transition.on) {
                if (!sent.contains(trigger) && !ends.contains(trigger))
                    names += trigger;
            }
        }
    }
    names.removeDuplicates();
    return names;
}

QList<const Step *> Pack::steps() const
{
    QList<const Step *> all;
    for (const Machine &machine : machines) {
        for (const State &state : machine.states) {
            for (const Step &step : state.work)
                all += &step;
        }
    }
    return all;
}

QSet<QString> Pack::events() const
{
    QSet<QString> sent;
    for (const Step *step : steps()) {
        for (const QString &event : step->events())
            sent.insert(event);
    }
    return sent;
}

} // namespace instar
