// SPDX-License-Identifier: Apache-2.0
#include "model/engine/errorcodes.h"

#include "model/engine/admission.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// By name, all refusals that a row of the pack, the engine or its server speaks of.
QSet<QString> refusalNames(const Pack &pack)
{
    QSet<QString> names(knownRefusals().begin(), knownRefusals().end());
    for (const Refusal &row : pack.refusals)
        names.insert(row.id);
    for (const Conflict &row : pack.conflicts)
        names.insert(row.code);
    for (const Machine &machine : pack.machines) {
        for (const Transition &row : machine.transitions)
            names.insert(row.refuse);
    }
    names.remove({});
    return names;
}

} // namespace

QSet<QString> errorCodes(const Pack &pack)
{
    QSet<QString> codes { UsualErrorCode.toString(), TooDeepCode.toString(), u"Canceled"_s };
    for (const QString &name : refusalNames(pack)) {
        const std::optional<UsualRefusal> usual = usualRefusal(name);
        codes.insert(usual ? usual->code : name);
    }
    for (const Refusal &row : pack.refusals)
        codes.insert(row.code);
    for (const Outcome &row : pack.outcomes)
        codes.insert(row.code);
    for (const Type &type : pack.types) {
        for (const QString &code : type.codes)
            codes.insert(code);
    }
    codes.remove({});
    return codes;
}

} // namespace instar
