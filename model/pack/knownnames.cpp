// SPDX-License-Identifier: Apache-2.0
#include "model/pack/knownnames.h"

#include "model/pack/rowat.h"
#include "model/pack/run.h"
#include "model/pack/tree.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Kinds of rows that a name of this kind may mean, the likelier first.
QList<Name> rowsFor(Name what)
{
    switch (what) {
    case Name::From:
    case Name::To:
    case Name::Word:
    case Name::Known:
        return { Name::State };
    case Name::Trigger:
        return { Name::Operation, Name::Outcome };
    case Name::Moment:
        return { Name::Outcome, Name::Refusal };
    case Name::Ask:
        return { Name::Operation, Name::Document };
    default:
        return { what };
    }
}

QStringList statesOf(const Pack &pack, const QString &machine, Name what)
{
    QStringList names;
    for (const Machine &row : pack.machines) {
        if (!machine.isEmpty() && row.id != machine)
            continue;
        for (const State &state : row.states) {
            names += state.id;
            if ((what == Name::Known || what == Name::Word) && !state.as.isEmpty())
                names += state.as;
        }
    }
    if (what == Name::From)
        names += AnyState.toString();
    if (what == Name::To)
        names += SameState.toString();
    if (what == Name::To || what == Name::Word)
        names += LastState.toString();
    return names;
}

QStringList mentioned(const Pack &pack, Name what)
{
    QStringList names;
    visitNames(pack, [&](const Mention &mention) {
        if (mention.what == what)
            names += mention.text;
    });
    return names;
}

QStringList relations(const Pack &pack)
{
    QStringList names = fixedRelations();
    for (const Type &type : pack.types) {
        if (type.path != u"*")
            names += type.path.section(u'/', -1);
    }
    return names + mentioned(pack, Name::Relation);
}

/// Of the collection and the resource of each type: "/racks", "/racks/{racks}" ...
QStringList templates(const Pack &pack)
{
    QStringList names;
    for (const Type &type : pack.types) {
        if (type.path == u"*")
            continue;
        QString path;
        for (const QString &segment : type.path.split(u'/')) {
            names += path + u'/' + segment;
            path = names.last() + u"/{%1}"_s.arg(segment);
        }
        names += path;
    }
    return names;
}

QStringList gathered(const Pack &pack, Name what, const QString &machine)
{
    switch (what) {
    case Name::None:
        return {};
    case Name::State:
    case Name::From:
    case Name::To:
    case Name::Word:
    case Name::Known:
        return statesOf(pack, machine, what);
    case Name::Operation:
        return pack.operationNames();
    case Name::Outcome:
        return pack.outcomeNames();
    case Name::Trigger:
        return pack.operationNames() + pack.outcomeNames() + mentioned(pack, Name::Event);
    case Name::Moment:
        return pack.outcomeNames()
            + QStringList { u"started"_s, u"observed"_s, u"rejected"_s, u"running"_s, u"found"_s,
                  u"missing"_s, u"superseded"_s }
        + idsOf(pack.refusals);
    case Name::Work:
    case Name::Asked:
        return {}; // of a scenario
    case Name::Machine:
        return idsOf(pack.machines);
    case Name::Type:
        return idsOf(pack.types);
    case Name::Refusal:
        return idsOf(pack.refusals) + knownRefusals();
    case Name::Switch:
        return idsOf(pack.switches);
    case Name::Source:
        return idsOf(pack.sourceList);
    case Name::Document:
        return idsOf(pack.wire.documents);
    case Name::Ask:
        return pack.operationNames()
            + QStringList { u"resource"_s, u"collection"_s, u"operation"_s, u"result"_s,
                  u"again"_s }
        + idsOf(pack.wire.documents);
    case Name::Relation:
        return relations(pack);
    case Name::Template:
        return templates(pack);
    case Name::Condition:
        return idsOf(pack.conditions) + mentioned(pack, what);
    case Name::Event:
    case Name::Path:
    case Name::Property:
        return mentioned(pack, what);
    }
    return {};
}

bool isName(const Pack &pack, const Mention &mention, const OwnName &name)
{
    if (mention.isOwn || mention.text != name.text)
        return false;
    if (name.what != Name::State)
        return rowsFor(mention.what).contains(name.what);
    if (mention.what == Name::Word || !rowsFor(mention.what).contains(name.what))
        return false;
    return isMeant(pack, mention, { Name::State, name.machine, name.text, {} });
}

/// What a row is called; empty: such rows have no name, or there is none.
QString idAt(const Pack &pack, const QString &pointer)
{
    QString id;
    withRowAt(pack, pointer, [&](const auto &row) {
        if constexpr (requires { idOf(row); })
            id = idOf(row);
    });
    return id;
}

} // namespace

QStringList namesFor(const Pack &pack, Name what, const QString &machine)
{
    QStringList names = gathered(pack, what, machine);
    names.removeDuplicates();
    names.removeAll(QString());
    return names;
}

QString listFor(Name what, const QString &machine)
{
    if (what == Name::State)
        return machine.isEmpty() ? QString() : pointerTo({ u"machines"_s, machine, u"states"_s });
    if (what == Name::Document)
        return u"/wire/documents"_s;
    static const QList<std::pair<Name, QString>> lists = [] {
        QList<std::pair<Name, QString>> keys;
        const Pack pack;
        eachMember(pack, [&]<typename T>(const char *key, const T &, const Holds &holds) {
            if (IsRowList<T> && holds.keys != Name::None)
                keys += { holds.keys, QString::fromLatin1(key) };
        });
        return keys;
    }();
    const auto found =
        std::ranges::find_if(lists, [&](const auto &list) { return list.first == what; });
    return found == lists.end() ? QString() : pointerTo({ found->second });
}

std::optional<QString> rowNamed(
    const Pack &pack, Name what, const QString &text, const QString &machine)
{
    if (text.isEmpty())
        return {};
    if (what == Name::Path) {
        for (qsizetype i = 0; i < pack.sample.size(); ++i) {
            if (pack.sample[i].path == text)
                return u"/sample/resources/%1"_s.arg(i);
        }
        return {};
    }
    if (what == Name::Template)
        return rowNamed(pack, Name::Type, typePathOf(text));
    for (const Name kind : rowsFor(what)) {
        QStringList machines { machine };
        if (kind == Name::State && machine.isEmpty())
            machines = idsOf(pack.machines);
        for (const QString &one : std::as_const(machines)) {
            const QString list = listFor(kind, one);
            if (!list.isEmpty() && !idAt(pack, list + pointerTo({ text })).isEmpty())
                return list + pointerTo({ text });
        }
    }
    return {};
}

OwnName ownNameAt(const Pack &pack, const QString &pointer)
{
    Name what = Name::None;
    if (pointer.isEmpty())
        return {};
    withListAt(
        pack, pointerAround(pointer), [&](const auto &, const Holds &holds) { what = holds.keys; });
    const QString id = idAt(pack, pointer);
    if (what == Name::None || id.isEmpty())
        return {};
    return { what, id, what == Name::State ? keysOf(pointer).value(1) : QString() };
}

QStringList mentionsOf(const Pack &pack, const OwnName &name)
{
    QStringList pointers;
    if (name.what == Name::None)
        return pointers;
    visitNames(pack, [&](const Mention &mention) {
        if (isName(pack, mention, name))
            pointers += mention.pointer;
    });
    return pointers;
}

} // namespace instar
