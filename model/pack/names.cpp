// SPDX-License-Identifier: Apache-2.0
#include "model/pack/names.h"

#include "model/pack/rows.h"
#include "model/pack/run.h"
#include "model/pack/tree.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>

namespace instar {

namespace {

/// Appends a key to a JSON pointer, escaped if need be.
void appendTo(QString &pointer, const QString &key)
{
    pointer += u'/';
    if (key.contains(u'~') || key.contains(u'/'))
        pointer += QString(key).replace(u'~', u"~0"_s).replace(u'/', u"~1"_s);
    else
        pointer += key;
}

/// Name of a document, property, refusal or relation in a wire document's JSON.
struct DocumentName
{
    qsizetype begin = 0, size = 0; ///< place of the name in the bytes, with its quotes
    QString text;
    Name what = Name::None;
};

Name nameFor(const QString &key, bool isProperty, bool isDocument)
{
    if (key == u"{document}" || key == u"{children}" || key == u"{referrers}")
        return Name::Document;
    if (key == u"{property}")
        return Name::Property;
    if (key == u"of" && (isProperty || isDocument))
        return Name::Relation;
    return key == u"refusal" && isProperty ? Name::Refusal : Name::None;
}

/// Returns the names in a wire document, in order; `json` must be well-formed.
QList<DocumentName> namesInDocument(const QByteArray &json)
{
    static const QRegularExpression token(uR"(("[^"\\]*+(?:\\.[^"\\]*+)*+")(\s*+:)?|[{}\[])"_s);
    QList<DocumentName> found;
    QList<QMap<QString, DocumentName>> objects; // texts of each open object, by key
    QString key;                                // key of the next value
    for (const QRegularExpressionMatch &match : token.globalMatch(QString::fromLatin1(json))) {
        if (match.hasCaptured(1)) {
            const QByteArray raw = json.sliced(match.capturedStart(1), match.capturedLength(1));
            const QString text = QJsonDocument::fromJson('[' + raw + ']').array()[0].toString();
            if (!key.isNull() && !match.hasCaptured(2) && !objects.isEmpty())
                objects.last().insert(key, { match.capturedStart(1), raw.size(), text });
            key = match.hasCaptured(2) ? text : QString();
            continue;
        }
        key = QString();
        if (match.capturedView() == u"{") {
            objects.emplaceBack();
        } else if (match.capturedView() == u"}" && !objects.isEmpty()) {
            QMap<QString, DocumentName> texts = objects.takeLast();
            const bool isProperty = texts.contains(u"{property}"_s);
            const bool isDocument = texts.contains(u"{document}"_s);
            for (auto it = texts.begin(); it != texts.end(); ++it) {
                it->what = nameFor(it.key(), isProperty, isDocument);
                if (it->what != Name::None)
                    found += *it;
            }
        }
    }
    std::ranges::sort(found, {}, &DocumentName::begin);
    return found;
}

QByteArray documentRenamed(const QByteArray &json, const QList<DocumentName> &names)
{
    QByteArray text;
    qsizetype at = 0;
    for (const DocumentName &name : names) {
        text += json.sliced(at, name.begin - at) + jsonOf(name.text);
        at = name.begin + name.size;
    }
    return text + json.sliced(at);
}

/// Visitor that changes the names in a pack.
class NameChanger : public MemberVisitor<NameChanger>
{
public:
    /// `others` returns more names to add after a changed one; called only for lists of states.
    NameChanger(const Pack &pack, const std::function<QString(const Mention &)> &change,
        std::function<QStringList(const Mention &)> others)
        : m_before(pack), m_change(change), m_others(std::move(others))
    { }

    void operator()(const char *key, auto &&member, const MemberSpec &spec, const char *)
    {
        const PointerScope place(*this, QString::fromLatin1(key));
        const PointerScope within(
            *this, spec.wrapper ? QString::fromLatin1(spec.wrapper) : QString());
        if (spec.at)
            m_machines = machinesAtAll(*spec.at);
        change(member, spec);
    }

    void change(Pack &pack) { describe(*this, pack); }

private:
    /// Scope guard that appends `key`, unless it is empty, to the current pointer. At the end of
    /// the scope it restores the pointer and the machines.
    class PointerScope
    {
    public:
        PointerScope(NameChanger &changer, const QString &key)
            : m_changer(changer), m_length(changer.m_pointer.size()), m_machines(changer.m_machines)
        {
            if (!key.isEmpty())
                appendTo(changer.m_pointer, key);
        }
        ~PointerScope()
        {
            m_changer.m_pointer.truncate(m_length);
            m_changer.m_machines = m_machines;
        }
        Q_DISABLE_COPY_MOVE(PointerScope)

    private:
        NameChanger &m_changer;
        const qsizetype m_length;
        const QStringList m_machines;
    };

    Mention mention(const QString &text, Name what, const QString &relation, bool isOwn) const
    {
        const QString machine = m_machines.size() == 1 ? m_machines.first() : QString();
        return { text, what, machine, relation, m_pointer, isOwn, m_machines };
    }
    QString changedName(const QString &text, Name what, bool isOwn = false)
    {
        return what == Name::None ? text : m_change(mention(text, what, {}, isOwn));
    }
    void assign(QString &text, Name what, bool isOwn = false)
    {
        text = changedName(text, what, isOwn);
    }

    /// Changes the names in a condition's list of states.
    void assign(QStringList &states, const QString &relation)
    {
        QStringList changed;
        for (const QString &state : std::as_const(states)) {
            const Mention before = mention(state, Name::StateOrAlias, relation, false);
            changed += m_change(before);
            if (changed.last() != state && m_others)
                changed += m_others(before);
        }
        if (changed == states)
            return;
        changed.removeDuplicates();
        states = changed;
    }

    void change(QString &text, const MemberSpec &spec)
    {
        if (!text.isEmpty() || spec.required)
            assign(text, spec.names);
    }
    void change(QStringList &texts, const MemberSpec &spec)
    {
        for (qsizetype i = 0; i < texts.size(); ++i) {
            const QString changed = changedName(texts.at(i), spec.names);
            if (changed != texts.at(i))
                texts[i] = changed;
        }
    }
    template<typename T>
    void change(QMap<QString, T> &map, const MemberSpec &spec)
    {
        QMap<QString, T> changed;
        for (auto it = map.cbegin(); it != map.cend(); ++it) {
            const PointerScope place(*this, it.key());
            T value = it.value();
            change(value, spec);
            changed.insert(changedName(it.key(), spec.keys), value);
        }
        if (changed != map)
            map = changed;
    }
    void change(Condition &condition, const MemberSpec &)
    {
        using Kind = Condition::Kind;
        switch (condition.kind) {
        case Kind::Label:
            assign(condition.text, Name::Condition);
            break;
        case Kind::Related:
            assign(condition.states, condition.text);
            assign(condition.text, Name::Relation);
            break;
        case Kind::Last:
            assign(condition.states, {});
            break;
        case Kind::Required:
            if (!condition.text.isEmpty())
                assign(condition.text, Name::Relation);
            break;
        case Kind::Elapsed:
        case Kind::Property:
            assign(condition.text, Name::Property);
            break;
        case Kind::All:
        case Kind::Not:
            for (Condition &part : condition.parts)
                change(part, {});
            break;
        case Kind::Always:
        case Kind::Id:
            break;
        }
    }
    void change(Figure &figure, const MemberSpec &)
    {
        assign(figure.property, Name::Property);
        {
            const PointerScope place(*this, u"of"_s);
            if (!figure.of.isEmpty())
                assign(figure.of, Name::Relation);
        }
        change(figure.condition, {});
    }
    void change(WireDocument &row, const MemberSpec &)
    {
        describe(*this, row);
        QList<DocumentName> names = namesInDocument(row.json);
        bool isChanged = false;
        const PointerScope place(*this, u"json"_s);
        for (DocumentName &name : names) {
            const QString before = name.text;
            assign(name.text, name.what);
            isChanged |= name.text != before;
        }
        if (isChanged)
            row.json = documentRenamed(row.json, names);
    }
    template<typename A, typename B>
    void change(SharedKey<A, B> &both, const MemberSpec &spec)
    {
        change(both.first, spec);
        change(both.second, spec);
    }
    template<typename T>
    void change(std::optional<T> &value, const MemberSpec &spec)
    {
        if (value)
            change(*value, spec);
    }
    template<typename T>
    void change(QList<T> &rows, const MemberSpec &spec)
    {
        int index = 0;
        for (T &row : rows) {
            const PointerScope place(*this, placeOf(row, index++));
            m_machines = machinesEvaluating(row);
            change(row, spec);
            if constexpr (requires { idOf(row); })
                assign(idOf(row), spec.keys, true);
        }
    }
    template<typename T>
        requires Described<T, NameChanger>
    void change(T &row, const MemberSpec &)
    {
        describe(*this, row);
    }
    template<typename T>
        requires(!Described<T, NameChanger>)
    void change(T &, const MemberSpec &)
    { } // a value without names; change(QList) changes the id of an Assignment

    /// Returns the key or index of a row in its list; empty for other elements of lists.
    template<typename T>
    static QString placeOf(const T &row, int index)
    {
        if constexpr (requires { idOf(row); })
            return idOf(row);
        return Described<T, NameChanger> ? QString::number(index) : QString();
    }

    /// Returns the machines of the resources for which a row's conditions are evaluated.
    template<typename T>
    QStringList machinesEvaluating(const T &row)
    {
        const QString machine = machineFor(m_before, row);
        if constexpr (std::is_same_v<T, ResourceSpec>)
            return machine.isEmpty() ? QStringList() : QStringList(machine);
        else if constexpr (std::is_same_v<T, Machine> || std::is_same_v<T, Type>)
            return { machine };
        else if constexpr (std::is_same_v<T, NamedCondition> || std::is_same_v<T, Conflict>)
            return machineIds(); // resources of any machine can evaluate these conditions
        else
            return m_machines;
    }

    QStringList machineIds() const { return idsOf(m_before.machines); }

    /// Returns the machines that `relations` reach from m_machines; all if one is unresolved.
    QStringList machinesAtAll(const QStringList &relations) const
    {
        QStringList all;
        for (const QString &machine : m_machines) {
            for (const QString &relation : relations) {
                const QStringList related = machinesAt(m_before, machine, relation);
                if (related.isEmpty())
                    return machineIds();
                all += related;
            }
        }
        all.removeDuplicates();
        return all;
    }

    const Pack m_before; ///< the pack with the old names, in which types and machines are found
    const std::function<QString(const Mention &)> &m_change;
    const std::function<QStringList(const Mention &)> m_others;
    QStringList m_machines; ///< for whose resources the current conditions are evaluated
    QString m_pointer;
};

/// Returns the path of a resource or collection after its type, `from`, became `to`:
/// ".../hosts/s1" for ".../servers/s1". A new parent's path is `newParent`.
QString pathRenamed(
    const QString &path, const QStringList &from, const QStringList &to, const QString &newParent)
{
    const QStringList parts = path.split(u'/');
    if (parts.size() < 2 * from.size())
        return path;
    for (qsizetype i = 0; i < from.size(); ++i) {
        if (parts[2 * i + 1] != from[i])
            return path;
    }
    const qsizetype depth = to.size() - 1;
    const bool keepsParent = depth < from.size() && from.first(depth) == to.first(depth);
    const QString parent = keepsParent ? parts.first(2 * depth + 1).join(u'/') : newParent;
    return (QStringList { parent, to.last() } + parts.sliced(2 * from.size())).join(u'/');
}

Pack typeRenamed(Pack pack, const QString &from, const QString &to)
{
    const QStringList before = from.split(u'/'), after = to.split(u'/');
    const QString parent = pathOfType(pack, to.section(u'/', 0, -2));
    QString parentTemplate; // path template of the new parent type's resources
    for (const QString &segment : after.first(after.size() - 1))
        parentTemplate += u"/%1/{%1}"_s.arg(segment);
    const auto sharesSegment = [&](const Type &type) {
        return type.path != from && type.path.section(u'/', -1) == before.last();
    };
    const bool isShared = std::ranges::any_of(pack.types, sharesSegment);
    changeNames(&pack, [&](const Mention &mention) {
        const QString &text = mention.text;
        switch (mention.what) {
        case Name::Type:
            return text == from || text.startsWith(from + u'/') ? to + text.sliced(from.size())
                                                                : text;
        case Name::Template:
            return pathRenamed(text, before, after, parentTemplate);
        case Name::Path:
            return pathRenamed(text, before, after, parent);
        case Name::Relation: {
            if (text.startsWith(u'/'))
                return pathRenamed(text, before, after, parent);
            if (isShared || fixedRelations().contains(text) || text.startsWith(u'#'))
                return text;
            QStringList parts = text.split(u'/');
            QString &segment = parts[text.startsWith(ParentsChildren) ? 1 : 0];
            if (segment == before.last())
                segment = after.last();
            return parts.join(u'/');
        }
        default:
            return text;
        }
    });
    return pack;
}

/// Returns the machines whose state a mention may mean: those that have a state with that id or
/// alias, and for whose resources the condition may be evaluated.
QStringList machinesMeant(const Pack &before, const Mention &mention)
{
    if (mention.what != Name::StateOrAlias)
        return { mention.machine };
    QStringList candidates;
    for (const Machine &machine : before.machines) {
        const bool hasState = std::ranges::any_of(machine.states, [&](const State &state) {
            return state.id == mention.text || state.as == mention.text;
        });
        if (hasState)
            candidates += machine.id;
    }
    if (candidates.size() < 2)
        return candidates;
    QSet<QString> evaluated;
    for (const QString &id : mention.evaluatedFor) {
        const QStringList related =
            mention.relation.isEmpty() ? QStringList(id) : machinesAt(before, id, mention.relation);
        if (related.isEmpty())
            return candidates;
        evaluated.unite(QSet<QString>(related.begin(), related.end()));
    }
    candidates.removeIf([&](const QString &machine) { return !evaluated.contains(machine); });
    return candidates;
}

/// Returns the new names of all states that a mention may mean, by id or alias, in any machine.
/// They differ if the machines' renamings differ.
QStringList namesMeant(const Pack &before, const Mention &mention, const QList<Renaming> &renamings)
{
    QStringList names;
    for (const QString &id : machinesMeant(before, mention)) {
        const auto renaming = std::ranges::find_if(renamings, [&](const Renaming &each) {
            return each.what == Name::State && each.machine == id && each.from == mention.text;
        });
        for (const State &state : before.machine(id)->states) {
            if (state.id == mention.text)
                names += renaming == renamings.end() ? state.id : renaming->to;
            if (state.as == mention.text)
                names += state.as;
        }
    }
    return names;
}

} // namespace

QString pathOfType(const Pack &pack, const QString &type)
{
    const QStringList segments = type.split(u'/', Qt::SkipEmptyParts);
    QString path;
    for (const ResourceSpec &resource : segments.isEmpty() ? QList<ResourceSpec>() : pack.sample) {
        if ((typePathOf(resource.path) + u'/').startsWith(type + u'/', pack.caseSensitivity()))
            return resource.path.section(u'/', 0, 2 * segments.size());
    }
    for (const QString &segment : segments)
        path += u'/' + segment + u"/one"_s;
    return path;
}

void changeNames(Pack *pack, const std::function<QString(const Mention &)> &change,
    const std::function<QStringList(const Mention &)> &others)
{
    NameChanger(*pack, change, others).change(*pack);
}

void visitNames(const Pack &pack, const std::function<void(const Mention &)> &callback)
{
    Pack copy = pack;
    changeNames(&copy, [&](const Mention &mention) {
        callback(mention);
        return mention.text;
    });
}

QList<Name> rowKindsFor(Name what)
{
    switch (what) {
    case Name::From:
    case Name::To:
    case Name::Alias:
    case Name::StateOrAlias:
        return { Name::State };
    case Name::Trigger:
        return { Name::Operation, Name::Outcome, Name::Event };
    case Name::Result:
        return { Name::Outcome, Name::Refusal };
    case Name::RequestKind:
        return { Name::Operation, Name::Document };
    default:
        return { what };
    }
}

bool refersTo(const Pack &before, const Mention &mention, const Renaming &renaming)
{
    if (!rowKindsFor(mention.what).contains(renaming.what) || mention.what == Name::Alias)
        return false;
    return renaming.what != Name::State
        || machinesMeant(before, mention).contains(renaming.machine);
}

QString nameAfter(
    const QList<Renaming> &renamings, Name what, const QString &name, const QString &machine)
{
    const auto found = std::ranges::find_if(renamings, [&](const Renaming &each) {
        return each.what == what && each.from == name && each.machine == machine;
    });
    return found == renamings.end() || found->to.isEmpty() ? name : found->to;
}

QString pointerTo(const QStringList &keys)
{
    QString pointer;
    for (const QString &key : keys)
        appendTo(pointer, key);
    return pointer;
}

Pack renamed(Pack pack, Name what, const QString &from, const QString &to, const QString &machine)
{
    return renamed(std::move(pack), { { what, machine, from, to } });
}

Pack renamed(Pack pack, const QList<Renaming> &renamings)
{
    QHash<QString, QList<Renaming>> byText;
    for (const Renaming &each : renamings) {
        if (each.what != Name::Type)
            byText[each.from].append(each);
    }
    if (!byText.isEmpty()) {
        const Pack before = pack;
        const auto change = [&](const Mention &mention) {
            const auto candidates = byText.constFind(mention.text);
            if (candidates == byText.cend())
                return mention.text;
            const auto renaming = std::ranges::find_if(
                *candidates, [&](const Renaming &each) { return refersTo(before, mention, each); });
            return renaming == candidates->cend() ? mention.text : renaming->to;
        };
        changeNames(&pack, change, [&](const Mention &mention) {
            return namesMeant(before, mention, byText.value(mention.text));
        });
    }
    for (const Renaming &each : renamings) {
        if (each.what == Name::Type && pack.type(each.from))
            pack = typeRenamed(std::move(pack), each.from, each.to);
    }
    return pack;
}

bool isRecursive(const Pack &pack, const NamedCondition &row)
{
    QSet<QString> visited;
    QList<const Condition *> open { &row.condition };
    while (!open.isEmpty()) {
        const Condition &at = *open.takeLast();
        for (const Condition &part : at.parts)
            open += &part;
        if (at.kind != Condition::Kind::Label || visited.contains(at.text))
            continue;
        if (at.text == row.id)
            return true;
        visited.insert(at.text);
        for (const NamedCondition &other : pack.conditions) {
            if (other.id == at.text)
                open += &other.condition;
        }
    }
    return false;
}

const QStringList &fixedRelations()
{
    static const QStringList names { u"self"_s, u"parent"_s, u"ancestors"_s, u"children"_s,
        u"descendants"_s, u"siblings"_s, u"references"_s, u"referrers"_s, u"dependents"_s };
    return names;
}

QStringList machinesAt(const Pack &pack, const QString &machine, const QString &relation)
{
    QStringList result;
    const auto add = [&](const Type &type) {
        if (!result.contains(type.machine))
            result += type.machine;
    };
    if (machine.isEmpty())
        return {};
    if (relation == u"self" || relation.startsWith(u'#'))
        return { machine };
    if (pack.type(u"*"_s) || relation.startsWith(u'/') || relation == u"references"
        || relation == u"referrers" || relation == u"dependents")
        return {};
    const bool isFixed = fixedRelations().contains(relation);
    const bool ofParent = relation.startsWith(ParentsChildren);
    const QString segment = relation.section(u'/', ofParent ? 1 : 0).section(u'/', 0, 0);
    for (const Type &own : pack.types) {
        if (own.machine != machine)
            continue;
        const QString parentPath = own.path.section(u'/', 0, -2);
        for (const Type &other : pack.types) {
            const QString parent = other.path.section(u'/', 0, -2);
            const bool isDescendant = other.path.startsWith(own.path + u'/');
            const bool isChild = isDescendant && parent == own.path;
            const bool isSibling = parent == parentPath;
            const bool isOfSegment = !isFixed && (ofParent ? isSibling : isChild)
                && other.path.section(u'/', -1) == segment;
            if ((relation == u"parent" && other.path == parentPath)
                || (relation == u"ancestors" && own.path.startsWith(other.path + u'/'))
                || (relation == u"children" && isChild)
                || (relation == u"descendants" && isDescendant)
                || (relation == u"siblings" && isSibling) || isOfSegment)
                add(other);
        }
    }
    return result;
}

} // namespace instar
