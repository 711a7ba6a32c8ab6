// SPDX-License-Identifier: Apache-2.0
#include "model/pack/fixes.h"

#include "model/pack/edits.h"
#include "model/pack/knownnames.h"
#include "model/pack/nearest.h"
#include "model/pack/rows.h"
#include "model/pack/run.h"

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What a diagnostic is about that a row says; not what a row is called.
QList<Mention> toldBy(const Pack &pack, const Diagnostic &diagnostic)
{
    QList<Mention> told;
    if (diagnostic.unknown.isEmpty())
        return told; // without a look at everything
    visitNames(pack, [&](const Mention &mention) {
        if (mention.pointer == diagnostic.pointer && !mention.isOwn
            && mention.text == diagnostic.unknown)
            told += mention;
    });
    return told;
}

Pack withOther(Pack pack, const Mention &wrong, const QString &right)
{
    changeNames(&pack, [&](const Mention &mention) {
        const bool isIt = mention.pointer == wrong.pointer && mention.what == wrong.what
            && mention.text == wrong.text && !mention.isOwn;
        return isIt ? right : mention.text;
    });
    return pack;
}

/// The list where a row of that name would be declared; empty: conditions ask for states of any
/// machine.
QString listOf(const Mention &mention)
{
    const bool isOfAny = mention.what == Name::Known || mention.what == Name::Word;
    return isOfAny ? QString() : listFor(rowsFor(mention.what).first(), mention.machine);
}

/// The state that the pointer leads to is an end.
QList<Fix> endAt(Pack pack, const QString &pointer)
{
    const QStringList keys = keysOf(pointer);
    for (Machine &machine : pack.machines) {
        for (State &state : machine.states) {
            if (keys == QStringList { u"machines"_s, machine.id, u"states"_s, state.id }) {
                state.isEnd = true;
                return { { Fix::Kind::End, state.id, pack } };
            }
        }
    }
    return {};
}

/// As it goes today, so that nothing changes but what is said: what fails goes back to where it
/// last rested. What succeeds rests.
QList<Fix> takenAt(Pack pack, const Diagnostic &diagnostic)
{
    const QStringList keys = keysOf(diagnostic.pointer);
    const auto machine = std::ranges::find(pack.machines, keys.value(1), &Machine::id);
    if (diagnostic.untaken.isEmpty() || machine == pack.machines.end())
        return {};
    QStringList others = diagnostic.untaken;
    Transition row;
    row.from = { keys.value(3) };
    if (others.removeAll(u"succeeded"_s) && !machine->rest.isEmpty()) {
        row.on = { u"succeeded"_s };
        row.to = { machine->rest };
        machine->transitions += row;
    }
    if (!others.isEmpty()) {
        row.on = others;
        row.to = { LastState.toString() };
        machine->transitions += row;
    }
    return { { Fix::Kind::Take, diagnostic.untaken.join(u", "_s), pack } };
}

/// The row that the pointer leads to is called as it was probably meant.
QList<Fix> calledOtherwise(const Pack &pack, const Diagnostic &diagnostic)
{
    const OwnName own = ownNameAt(pack, diagnostic.pointer);
    const auto isTaken = [&](Name what) {
        return rowNamed(pack, what, diagnostic.meant).has_value();
    };
    if (diagnostic.meant.isEmpty() || own.text != diagnostic.unknown || isTaken(Name::Operation)
        || isTaken(Name::Outcome))
        return {};
    return { { Fix::Kind::Use, diagnostic.meant,
        renamed(pack, own.what, own.text, diagnostic.meant) } };
}

/// The pack's sources that a row may have, the nearest rows' first.
QStringList sourcesNear(const Pack &pack, const QString &pointer)
{
    constexpr qsizetype most = 4;
    const QString list = pointerAround(pointer) + u'/', owner = pointerAround(list.chopped(1));
    const qsizetype depth = keysOf(pointer).size() - 1;
    const int own = keysOf(pointer).last().toInt();
    QList<std::pair<int, QString>> found; // rows between, source
    visitNames(pack, [&](const Mention &mention) {
        if (mention.what != Name::Source || mention.isOwn)
            return;
        if (mention.pointer.startsWith(list))
            found += { std::abs(keysOf(mention.pointer).value(depth).toInt() - own), mention.text };
        else if (!owner.isEmpty() && mention.pointer.startsWith(owner + u'/'))
            found += { std::numeric_limits<int>::max(), mention.text };
    });
    std::ranges::stable_sort(found, {}, &std::pair<int, QString>::first);
    QStringList names;
    for (const auto &[between, name] : std::as_const(found))
        names += name;
    const QStringList known = namesFor(pack, Name::Source);
    names.removeIf([&](const QString &name) { return !known.contains(name); });
    if (known.size() <= most)
        names += known;
    names.removeDuplicates();
    return names.mid(0, most);
}

/// Where a rule is written only people know: a source that others nearby have, or one that
/// somebody fills in.
QList<Fix> sourced(const Pack &pack, const Diagnostic &diagnostic)
{
    QList<Fix> fixes;
    if (diagnostic.pointer.isEmpty()) {
        if (const auto now = withNewRow(pack, listFor(Name::Source)))
            fixes += { Fix::Kind::Declare, keysOf(now->pointer).last(), now->pack, now->pointer };
        return fixes;
    }
    for (const QString &name : sourcesNear(pack, diagnostic.pointer)) {
        Pack now = pack;
        withRowAt(now, diagnostic.pointer, [&](auto &row) {
            if constexpr (requires { row.sources; }) {
                row.sources = { name };
                fixes += { Fix::Kind::Use, name, now };
            }
        });
    }
    return fixes;
}

} // namespace

QList<Fix> fixesFor(const Pack &pack, const Diagnostic &diagnostic)
{
    if (diagnostic.code == u"dead-end")
        return endAt(pack, diagnostic.pointer);
    if (diagnostic.code == u"unheard-outcome" || diagnostic.code == u"no-outcome")
        return takenAt(pack, diagnostic);
    if (diagnostic.code == u"no-source")
        return sourced(pack, diagnostic);
    QList<Fix> fixes;
    const bool isTrigger = diagnostic.code == u"unknown-trigger"; // it is a name by being there
    for (const Mention &wrong : toldBy(pack, diagnostic)) {
        const QStringList known = namesFor(pack, wrong.what, wrong.machine);
        const bool isKnown = !isTrigger && known.contains(wrong.text);
        const QString right = !diagnostic.meant.isEmpty() ? diagnostic.meant
            : isTrigger || isKnown                        ? QString()
                                                          : nearest(wrong.text, known);
        if (!right.isEmpty())
            fixes += { Fix::Kind::Use, right, withOther(pack, wrong, right) };
        const QString list = listOf(wrong);
        if (list.isEmpty() || isKnown || wrong.text.isEmpty())
            continue;
        if (const auto now = withNewRow(pack, list, -1, wrong.text))
            fixes += { Fix::Kind::Declare, wrong.text, now->pack };
    }
    return fixes.isEmpty() ? calledOtherwise(pack, diagnostic) : fixes;
}

} // namespace instar
