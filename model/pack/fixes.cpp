// SPDX-License-Identifier: Apache-2.0
#include "model/pack/fixes.h"

#include "model/pack/edits.h"
#include "model/pack/knownnames.h"
#include "model/pack/nearest.h"
#include "model/pack/rows.h"
#include "model/pack/run.h"

#include <algorithm>

namespace instar {

namespace {

/// Returns the mentions of a diagnostic's unknown name at its pointer, except a row's own id.
QList<Mention> mentionsAt(const Pack &pack, const Diagnostic &diagnostic)
{
    QList<Mention> mentions;
    if (diagnostic.unknown.isEmpty())
        return mentions; // saves visiting all names
    visitNames(pack, [&](const Mention &mention) {
        if (mention.pointer == diagnostic.pointer && !mention.isOwn
            && mention.text == diagnostic.unknown)
            mentions += mention;
    });
    return mentions;
}

Pack withNameReplaced(Pack pack, const Mention &wrong, const QString &replacement)
{
    changeNames(&pack, [&](const Mention &mention) {
        const bool isThis = mention.pointer == wrong.pointer && mention.what == wrong.what
            && mention.text == wrong.text && !mention.isOwn;
        return isThis ? replacement : mention.text;
    });
    return pack;
}

/// Returns the fix that marks the state at a pointer as final; empty: there is no such state.
QList<Fix> endFix(Pack pack, const QString &pointer)
{
    QList<Fix> fixes;
    withRowAt(pack, pointer, [&]<typename T>(T &row) {
        if constexpr (std::is_same_v<T, State>) {
            row.isEnd = true;
            fixes += { Fix::Kind::End, row.id, pack };
        }
    });
    return fixes;
}

/// Returns the fix that adds transitions for unhandled outcomes: after success to the rest state,
/// if the machine has one; after any other outcome to the last rest state.
QList<Fix> transitionFix(Pack pack, const Diagnostic &diagnostic)
{
    const QStringList keys = keysOf(diagnostic.pointer);
    const auto machine = std::ranges::find(pack.machines, keys.value(1), &Machine::id);
    if (diagnostic.unhandled.isEmpty() || machine == pack.machines.end())
        return {};
    QStringList others = diagnostic.unhandled;
    Transition row;
    row.from = { keys.value(3) };
    if (!machine->rest.isEmpty() && others.removeAll(u"succeeded"_s)) {
        row.on = { u"succeeded"_s };
        row.to = { machine->rest };
        machine->transitions += row;
    }
    if (!others.isEmpty()) {
        row.on = others;
        row.to = { LastState.toString() };
        machine->transitions += row;
    }
    return { { Fix::Kind::Take, diagnostic.unhandled.join(u", "_s), pack } };
}

/// Returns the fix that renames the row at a pointer to the nearest known name.
QList<Fix> renamingFix(const Pack &pack, const Diagnostic &diagnostic)
{
    const OwnName own = ownNameAt(pack, diagnostic.pointer);
    const auto isTaken = [&](Name what) {
        return rowNamed(pack, what, diagnostic.nearestName).has_value();
    };
    if (diagnostic.nearestName.isEmpty() || own.text != diagnostic.unknown
        || isTaken(Name::Operation) || isTaken(Name::Outcome))
        return {};
    return { { Fix::Kind::Use, diagnostic.nearestName,
        renamed(pack, own.what, own.text, diagnostic.nearestName) } };
}

} // namespace

QList<Fix> fixesFor(const Pack &pack, const Diagnostic &diagnostic)
{
    if (diagnostic.code == u"dead-end")
        return endFix(pack, diagnostic.pointer);
    if (diagnostic.code == u"unheard-outcome" || diagnostic.code == u"no-outcome")
        return transitionFix(pack, diagnostic);
    QList<Fix> fixes;
    for (const Mention &wrong : mentionsAt(pack, diagnostic)) {
        const QStringList known = namesFor(pack, wrong.what, wrong.machine);
        const bool isKnown = known.contains(wrong.text);
        const QString replacement = !diagnostic.nearestName.isEmpty() ? diagnostic.nearestName
            : isKnown                                                 ? QString()
                                                                      : nearest(wrong.text, known);
        if (!replacement.isEmpty())
            fixes += { Fix::Kind::Use, replacement, withNameReplaced(pack, wrong, replacement) };
        // The name may belong to any machine, so the fix cannot choose a machine for a new state.
        const bool isAmbiguous = wrong.what == Name::StateOrAlias || wrong.what == Name::Alias;
        const QString list =
            isAmbiguous ? QString() : listFor(rowKindsFor(wrong.what).first(), wrong.machine);
        // A transition makes its trigger known, even if no row declares it.
        if (list.isEmpty() || (isKnown && wrong.what != Name::Trigger) || wrong.text.isEmpty())
            continue;
        if (const auto added = withNewRow(pack, list, -1, wrong.text))
            fixes += { Fix::Kind::Declare, wrong.text, added->pack };
    }
    return fixes.isEmpty() ? renamingFix(pack, diagnostic) : fixes;
}

} // namespace instar
