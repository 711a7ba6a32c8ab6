// SPDX-License-Identifier: Apache-2.0
#include "model/machine/fixes.h"

#include "model/machine/knownnames.h"
#include "model/machine/nearest.h"
#include "model/machine/rowat.h"
#include "model/machine/rowedits.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What an issue is about that a row says; not what a row is called.
QList<Mention> toldBy(const Pack &pack, const Issue &issue)
{
    QList<Mention> told;
    if (issue.unknown.isEmpty())
        return told; // without a look at everything
    visitNames(pack, [&](const Mention &mention) {
        if (mention.pointer == issue.pointer && !mention.isOwn && mention.text == issue.unknown)
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

/// The list where a row of that name would be declared.
QString listOf(const Mention &mention)
{
    switch (mention.what) {
    case Name::State:
    case Name::From:
    case Name::To:
        return listFor(Name::State, mention.machine);
    case Name::Moment:
        return listFor(Name::Outcome);
    case Name::Trigger:
    case Name::Ask:
        return listFor(Name::Operation);
    default:
        return listFor(mention.what);
    }
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

} // namespace

QList<Fix> fixesFor(const Pack &pack, const Issue &issue)
{
    if (issue.rule == u"dead-end")
        return endAt(pack, issue.pointer);
    QList<Fix> fixes;
    const bool isTrigger = issue.rule == u"unknown-trigger"; // it is a name by being there
    for (const Mention &wrong : toldBy(pack, issue)) {
        const QStringList known = namesFor(pack, wrong.what, wrong.machine);
        const bool isKnown = !isTrigger && known.contains(wrong.text);
        const QString right = !issue.meant.isEmpty() ? issue.meant
            : isTrigger || isKnown                   ? QString()
                                                     : nearest(wrong.text, known);
        if (!right.isEmpty())
            fixes += { Fix::Kind::Use, right, withOther(pack, wrong, right) };
        const QString list = listOf(wrong);
        if (list.isEmpty() || isKnown || wrong.text.isEmpty())
            continue;
        if (const auto now = withNewRow(pack, list, -1, wrong.text))
            fixes += { Fix::Kind::Declare, wrong.text, now->pack };
    }
    return fixes;
}

} // namespace instar
