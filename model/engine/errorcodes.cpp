// SPDX-License-Identifier: Apache-2.0
#include "model/engine/errorcodes.h"

#include "model/engine/admission.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Returns the names of refusals by rules.
QSet<QString> ruleNames(const Pack &pack)
{
    QSet<QString> names { u"missing"_s, u"parentMissing"_s, u"transition"_s, u"precondition"_s,
        u"waitRing"_s };
    for (const Conflict &row : pack.conflicts)
        names.insert(row.code);
    for (const Machine &machine : pack.machines) {
        for (const Transition &row : machine.transitions)
            names.insert(row.refuse);
    }
    names.remove({});
    return names;
}

/// Returns the names of all refusals by the pack, the engine or its server.
QSet<QString> refusalNames(const Pack &pack)
{
    QSet<QString> names = ruleNames(pack);
    names.unite(QSet<QString>(knownRefusals().begin(), knownRefusals().end()));
    for (const Refusal &row : pack.refusals)
        names.insert(row.id);
    return names;
}

QSet<QString> codesOf(const Pack &pack, const QSet<QString> &names)
{
    QSet<QString> codes;
    for (const QString &name : names) {
        const std::optional<UsualRefusal> usual = usualRefusal(name);
        const auto row = std::ranges::find(pack.refusals, name, &Refusal::id);
        codes.insert(row != pack.refusals.end() && !row->code.isEmpty() ? row->code
                : usual                                                 ? usual->code
                                                                        : name);
        for (const Type &type : pack.types)
            codes.insert(type.codes.value(name));
    }
    codes.remove({});
    return codes;
}

} // namespace

QSet<QString> readingCodes(const Pack &pack)
{
    const QSet<QString> byRules = ruleNames(pack);
    return codesOf(pack, refusalNames(pack) - byRules) - codesOf(pack, byRules);
}

QSet<QString> errorCodes(const Pack &pack)
{
    const QSet<QString> ofEngine { UsualErrorCode.toString(), TooDeepCode.toString(),
        u"Canceled"_s };
    return refusalCodes(pack) + outcomeCodes(pack) + ofEngine;
}

QSet<QString> refusalCodes(const Pack &pack)
{
    QSet<QString> codes;
    for (const QString &name : refusalNames(pack)) {
        const std::optional<UsualRefusal> usual = usualRefusal(name);
        codes.insert(usual ? usual->code : name);
    }
    for (const Refusal &row : pack.refusals)
        codes.insert(row.code);
    for (const Type &type : pack.types) {
        for (const QString &code : type.codes)
            codes.insert(code);
    }
    codes.remove({});
    return codes;
}

QSet<QString> outcomeCodes(const Pack &pack)
{
    QSet<QString> codes;
    for (const Outcome &row : pack.outcomes)
        codes.insert(row.code);
    codes.remove({});
    return codes;
}

} // namespace instar
