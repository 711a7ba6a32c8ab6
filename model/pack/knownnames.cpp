// SPDX-License-Identifier: Apache-2.0
#include "model/pack/knownnames.h"

#include "model/pack/checking.h"
#include "model/pack/nearest.h"
#include "model/pack/rows.h"
#include "model/pack/run.h"
#include "model/pack/tree.h"

namespace instar {

namespace {

QStringList statesOf(const Pack &pack, const QString &machine, Name what)
{
    QStringList names;
    for (const Machine &row : pack.machines) {
        if (!machine.isEmpty() && row.id != machine)
            continue;
        for (const State &state : row.states) {
            names += state.id;
            if ((what == Name::StateOrAlias || what == Name::Alias) && !state.as.isEmpty())
                names += state.as;
        }
    }
    if (what == Name::From)
        names += AnyState.toString();
    if (what == Name::To)
        names += SameState.toString();
    if (what == Name::To || what == Name::Alias)
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

/// Returns the path templates of all collections and resources: "/racks", "/racks/{racks}" ...
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

QStringList allNames(const Pack &pack, Name what, const QString &machine)
{
    switch (what) {
    case Name::State:
    case Name::From:
    case Name::To:
    case Name::Alias:
    case Name::StateOrAlias:
        return statesOf(pack, machine, what);
    case Name::Operation:
        return pack.operationNames();
    case Name::Outcome:
        return pack.outcomeNames();
    case Name::Trigger:
        return pack.operationNames() + pack.outcomeNames() + mentioned(pack, Name::Event);
    case Name::Result:
        return pack.outcomeNames()
            + QStringList { u"started"_s, u"observed"_s, u"rejected"_s, u"running"_s, u"found"_s,
                  u"missing"_s, u"superseded"_s }
        + idsOf(pack.refusals);
    case Name::None:
    case Name::Work:
    case Name::OperationId:
        break; // no names of a pack
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
    case Name::RequestKind:
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

bool hasRowAt(const Pack &pack, const QString &pointer)
{
    return withRowAt(pack, pointer, [](const auto &) {});
}

} // namespace

QStringList namesFor(const Pack &pack, Name what, const QString &machine)
{
    QStringList names = allNames(pack, what, machine);
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
    const Pack pack;
    QString list;
    eachMember(pack, [&]<typename T>(const char *key, const T &, const MemberSpec &spec) {
        if (IsRowList<T> && spec.keys == what && what != Name::None)
            list = pointerTo({ QString::fromLatin1(key) });
    });
    return list;
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
    for (const Name kind : rowKindsFor(what)) {
        QStringList machines { machine };
        if (kind == Name::State && machine.isEmpty())
            machines = idsOf(pack.machines);
        for (const QString &id : std::as_const(machines)) {
            const QString list = listFor(kind, id);
            if (!list.isEmpty() && hasRowAt(pack, list + pointerTo({ text })))
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
    withListAt(pack, parentPointer(pointer),
        [&](const auto &, const MemberSpec &spec) { what = spec.keys; });
    const QStringList keys = keysOf(pointer);
    if (what == Name::None || keys.last().isEmpty() || !hasRowAt(pack, pointer))
        return {};
    return { what, keys.last(), what == Name::State ? keys.value(1) : QString() };
}

QStringList mentionsOf(const Pack &pack, const OwnName &name)
{
    QStringList pointers;
    if (name.what == Name::None)
        return pointers;
    const Renaming renaming { name.what, name.machine, name.text, {} };
    visitNames(pack, [&](const Mention &mention) {
        if (!mention.isOwn && mention.text == name.text && refersTo(pack, mention, renaming))
            pointers += mention.pointer;
    });
    return pointers;
}

namespace {

/// Names that a mention may use, as a list in display order and as a set.
struct KnownNames
{
    QStringList names;
    QSet<QString> set;

    KnownNames() = default;
    explicit KnownNames(const QStringList &all) : names(all), set(all.begin(), all.end()) { }
};

/// Check of all mentions in a pack for unknown names.
class UnknownNames
{
public:
    explicit UnknownNames(Checking &checking) : c(checking)
    {
        QStringList operations = sortedNames(c.handled);
        for (const OperationKind &kind : c.pack.operations) {
            if (!c.handled.contains(kind.id))
                operations += kind.id;
        }
        m_known.insert({ Name::Operation, {} }, KnownNames(operations));
        m_types = namesFor(c.pack, Name::Type);
        m_triggers = idsOf(c.pack.operations) + c.outcomes + sortedNames(c.events);
        for (const Machine &machine : c.pack.machines) {
            for (const Transition &row : machine.transitions) {
                for (const QString &trigger : row.on) {
                    if (!machine.isStatechart() && !m_triggers.contains(trigger))
                        m_undeclared.insert(trigger);
                }
            }
        }
        if (m_undeclared.size() >= c.pack.operations.size())
            m_undeclared.clear(); // this pack leaves most operations undeclared on purpose
    }

    void check(const Mention &mention)
    {
        const QString &text = mention.text;
        switch (mention.what) {
        case Name::Trigger:
            if (m_undeclared.contains(text))
                c.unknownWith(Diagnostic::Severity::Warning, mention.pointer,
                    u"undeclared-operation"_s,
                    u"\"%1\" is no operation, outcome or event"_s.arg(text), text, m_triggers);
            return;
        case Name::Outcome:
            if (c.handled.contains(text)) // an event of another resource can serve as an outcome
                return;
            break;
        case Name::Relation:
            checkRelation(mention);
            return;
        case Name::Type:
            checkType(mention.pointer, text);
            return;
        case Name::Template:
            if (const QString path = typePathOf(text); !path.contains(u'{'))
                checkType(mention.pointer, path);
            return;
        case Name::Condition:
            c.usedConditions.insert(text);
            return;
        case Name::Refusal:
            if (!mention.pointer.startsWith(u"/types/"_s))
                c.usedRefusals.insert(text);
            break;
        case Name::Switch:
            c.usedSwitches.insert(text);
            break;
        case Name::Source:
            c.usedSources.insert(text);
            break;
        default:
            break;
        }
        if (const KnownNames *known = knownFor(mention); known && !known->set.contains(text))
            c.unknown(mention.pointer, wordFor(mention.what), text, known->names);
    }

private:
    /// Returns the names that a mention may use; null: any name, or another check reports the name.
    const KnownNames *knownFor(const Mention &mention)
    {
        const bool isState = rowKindsFor(mention.what).first() == Name::State;
        const bool isOfAnyMachine = mention.what == Name::StateOrAlias
            && (!mention.relation.isEmpty() || mention.machine.isEmpty());
        const bool isOfMachine = isState && !isOfAnyMachine;
        if (wordFor(mention.what).isEmpty() || (isOfMachine && !c.pack.machine(mention.machine)))
            return nullptr;
        const std::pair key { mention.what, isOfMachine ? mention.machine : QString() };
        const auto known = m_known.constFind(key);
        return known != m_known.cend()
            ? &*known
            : &*m_known.insert(key, KnownNames(namesFor(c.pack, key.first, key.second)));
    }

    /// Returns the word for this kind of name in messages; empty if such names are not checked.
    static QString wordFor(Name what)
    {
        static const QHash<Name, QString> words { { Name::State, u"state"_s },
            { Name::From, u"state"_s }, { Name::To, u"state"_s },
            { Name::StateOrAlias, u"state"_s }, { Name::Operation, u"operation"_s },
            { Name::Outcome, u"outcome"_s }, { Name::Result, u"event, outcome or refusal"_s },
            { Name::Machine, u"machine"_s }, { Name::Refusal, u"refusal"_s },
            { Name::Switch, u"switch"_s }, { Name::Source, u"source"_s },
            { Name::Document, u"document"_s },
            { Name::RequestKind, u"operation, query or document"_s } };
        return words.value(what);
    }

    void checkType(const QString &pointer, const QString &path)
    {
        if (!m_types.contains(path, c.pack.caseSensitivity()) && !m_types.contains(u"*"_s))
            c.unknown(pointer, u"type"_s, path, m_types);
    }

    void checkRelation(const Mention &mention)
    {
        const QString &text = mention.text;
        if (fixedRelations().contains(text) || text.startsWith(u'#'))
            return;
        if (isResourcePath(text))
            return checkType(mention.pointer, typePathOf(text));
        if (text.startsWith(u'/'))
            return c.error(mention.pointer, u"unknown-relation"_s,
                u"the path \"%1\" is not made of /type/id pairs"_s.arg(text));
        const auto segments = mapped<QStringList>(
            m_types, [](const QString &path) { return path.section(u'/', -1); });
        const QString segment =
            text.section(u'/', text.startsWith(ParentsChildren) ? 1 : 0).section(u'/', 0, 0);
        if (segments.contains(segment, c.pack.caseSensitivity()))
            return;
        if (!segments.contains(u"*"_s) || !nearest(text, fixedRelations()).isEmpty())
            c.unknown(mention.pointer, u"relation"_s, text, fixedRelations() + segments);
    }

    Checking &c;
    QMap<std::pair<Name, QString>, KnownNames> m_known; ///< by kind of name and machine
    QStringList m_types;
    QStringList m_triggers;     ///< declared operations, outcomes, and sent events
    QSet<QString> m_undeclared; ///< other triggers; empty if the pack declares few operations
};

} // namespace

void findUnknownNames(Checking &checking)
{
    UnknownNames unknown(checking);
    visitNames(checking.pack, [&](const Mention &mention) {
        if (!mention.isOwn)
            unknown.check(mention);
    });
}

} // namespace instar
