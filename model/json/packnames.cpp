// SPDX-License-Identifier: Apache-2.0
#include "model/json/packnames.h"

#include "model/pack/nearest.h"
#include "model/pack/run.h"
#include "model/pack/tree.h"

namespace instar {

QString pathProblem(QStringView path)
{
    constexpr qsizetype longestName = 256;
    if (!path.startsWith(u'/'))
        return u"expected a path that begins with '/'"_s;
    if (path.endsWith(u'/'))
        return u"expected a path that does not end in '/'"_s;
    for (qsizetype at = 0; at < path.size();) {
        const qsizetype middle = slashFrom(path, at + 1); // between type and id
        if (middle < 0)
            return u"expected a path of /type/id pairs, found a type without an id at its end"_s;
        qsizetype end = slashFrom(path, middle + 1);
        end = end < 0 ? path.size() : end;
        if (middle == at + 1 || end == middle + 1)
            return u"expected a path of /type/id pairs, found an empty part"_s;
        if (end - middle - 1 > longestName)
            return u"expected ids of at most %1 characters, found %2"_s.arg(longestName)
                .arg(end - middle - 1);
        at = end;
    }
    return {};
}

PackNames::PackNames(JsonReader &reading, const Pack &pack)
    : m_reading(reading), m_pack(pack), m_operations(pack.operationNames())
{
    QHash<QString, QStringList> stateNames; // machine -> states and aliases
    for (const Machine &machine : pack.machines) {
        QStringList &names = stateNames[machine.id];
        for (const State &state : machine.states) {
            m_states.insert(state.id);
            if (state.kind == State::Kind::Transitional)
                m_working.insert(state.id);
            names += state.id;
            if (!state.as.isEmpty() && state.as != LastState)
                names += state.as;
        }
        names.removeDuplicates();
    }
    m_outcomes = QStringList { u"Succeeded"_s, u"Failed"_s } + idsOf(pack.outcomes)
        + QStringList { u"succeeded"_s, u"failed"_s,
              pack.retry.isEmpty() ? u"retried"_s : pack.retry };
    m_outcomes.removeDuplicates();
    for (const Type &type : pack.types) {
        m_anyType = m_anyType || type.path == "*"_L1;
        m_types[pack.folded(type.path)] += stateNames.value(type.machine);
    }
}

void PackNames::unknown(
    Value where, const QString &what, const QString &name, const QStringList &known) const
{
    const QString hint = suggestion(name, known);
    m_reading.error(where,
        u"unknown %1 \"%2\"%3"_s.arg(what, name.left(100).simplified(),
            known.isEmpty() ? u"; none is defined"_s
                : hint.isEmpty() && known.size() <= 20
                ? u"; expected one of: "_s + known.join(u", "_s)
                : hint),
        u"unknown-name"_s);
}

void PackNames::checkOperation(Value where, const QString &name) const
{
    if (!m_operations.contains(name))
        unknown(where, u"operation"_s, name, m_operations);
}

void PackNames::checkState(Value where, const QString &path, const QString &name) const
{
    const auto own = m_types.constFind(m_pack.folded(typePathOf(path)));
    const auto known = own == m_types.constEnd() ? m_types.constFind(u"*"_s) : own;
    if (known != m_types.constEnd() && !known->isEmpty() && !known->contains(name))
        unknown(where, u"state"_s, name, *known);
}

void PackNames::checkWork(Value where, const QString &name) const
{
    if (m_working.contains(name))
        return;
    if (m_states.contains(name))
        m_reading.error(where,
            u"no work runs in \"%1\", because the state is not transitional"_s.arg(name.left(100)),
            u"wrong-kind"_s);
    else
        unknown(where, u"state"_s, name, sortedNames(m_working));
}

void PackNames::checkPath(Value where, const QString &path) const
{
    if (const QString problem = pathProblem(path); !problem.isEmpty())
        return m_reading.error(where, problem, u"path"_s);
    if (m_anyType)
        return;
    const QStringList parts = path.split(u'/');
    QString type;
    for (qsizetype i = 1; i < parts.size(); i += 2) {
        type += (i > 1 ? u"/"_s : QString()) + parts.at(i);
        if (!m_types.contains(m_pack.folded(type)))
            return unknown(where, u"type"_s, type, idsOf(m_pack.types));
    }
}

QString PackNames::outcome(Value where, const QString &name) const
{
    if (!m_outcomes.contains(name))
        unknown(where, u"outcome"_s, name, m_outcomes);
    const bool isEngines = name == "Succeeded"_L1 || name == "Failed"_L1;
    return isEngines && !idsOf(m_pack.outcomes).contains(name) ? name.toLower() : name;
}

QString PackNames::switchValue(Value where, const QString &id, Value value) const
{
    const QString word =
        value.is(Value::Kind::Bool) ? QString::fromLatin1(value.raw()) : value.string();
    const Switch *row = m_pack.findSwitch(id);
    if (!row) {
        unknown(where, u"switch"_s, id, idsOf(m_pack.switches));
    } else if ((!value.is(Value::Kind::Bool) && !value.is(Value::Kind::String))
        || !row->values.contains(word)) {
        m_reading.expected(row->values.join(u" or "_s), value, row->values);
    }
    return word;
}

} // namespace instar
