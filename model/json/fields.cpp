// SPDX-License-Identifier: Apache-2.0
#include "model/json/fields.h"

#include "model/json/members.h"
#include "model/pack/knownnames.h"
#include "model/pack/rows.h"
#include "model/pack/tree.h"

namespace instar {

namespace {

template<typename T>
constexpr bool IsTextMap = false;
template<typename T>
constexpr bool IsTextMap<QMap<QString, T>> = true;

template<typename T>
Field::Kind kindOf(const T &, const MemberSpec &spec)
{
    if constexpr (IsRowList<T>)
        return Field::Kind::Rows;
    else if constexpr (IsRow<T> || IsRowOrNone<T>)
        return Field::Kind::Row;
    else if constexpr (std::is_same_v<T, QString>)
        return Field::Kind::Text;
    else if constexpr (std::is_same_v<T, QStringList>)
        return Field::Kind::Texts;
    else if constexpr (std::is_same_v<T, bool>)
        return Field::Kind::Flag;
    else if constexpr (std::is_same_v<T, double>)
        return Field::Kind::Real;
    else if constexpr (std::is_integral_v<T> || std::is_same_v<T, std::optional<int>>)
        return Field::Kind::Whole;
    else if constexpr (std::is_enum_v<T>)
        return Field::Kind::Word;
    else if constexpr (std::is_same_v<T, QList<Condition>>)
        return spec.keys == Name::None ? Field::Kind::Json : Field::Kind::Map;
    else if constexpr (IsTextMap<T> || std::is_same_v<T, QJsonObject>
        || std::is_same_v<T, QList<WireHeader>> || std::is_same_v<T, QList<Assignment>>)
        return Field::Kind::Map;
    else
        return Field::Kind::Json;
}

/// Returns the label of a key: "By server" for "byServer".
QString titleOf(const char *key)
{
    QString title;
    for (const QChar letter : QString::fromLatin1(key)) {
        if (letter.isUpper())
            title += u' ';
        title += title.isEmpty() ? letter.toUpper() : letter.toLower();
    }
    return title;
}

bool isJsonText(const QByteArray &json)
{
    return bool(JsonText::parse(json, {}));
}

constexpr QStringView NoParent = u"(none)";

/// Returns a value as editable text: a string without quotes, unless it would read as other JSON.
QString valueText(Value value)
{
    const QString text = value.string();
    const bool isPlain = value.is(Value::Kind::String) && !text.isEmpty() && !text.contains(u'\n')
        && text == text.trimmed() && !u"[{\""_s.contains(text[0]) && !isJsonText(text.toUtf8());
    return isPlain ? text : QString::fromUtf8(Output::copy(value).oneLine());
}

QByteArray parsedValue(const QString &text)
{
    const QByteArray bytes = text.trimmed().toUtf8();
    const bool isText = !bytes.isEmpty() && !QByteArray("[{\"").contains(bytes[0]);
    return isText && !isJsonText(bytes) ? jsonString(text.trimmed()) : bytes;
}

QString textsText(Value value)
{
    if (value.is(Value::Kind::String) && !value.string().contains(u',')
        && !value.string().startsWith(u'['))
        return value.string();
    const auto texts = mapped<QStringList>(value.items(), &Value::string);
    const bool isPlain = std::ranges::none_of(texts, [](const QString &text) {
        return text.isEmpty() || text.contains(u',') || text != text.trimmed()
            || text.startsWith(u'[');
    });
    return isPlain && value.is(Value::Kind::Array) ? texts.join(u", "_s)
                                                   : QString::fromUtf8(value.raw());
}

QString mapText(Value map)
{
    QStringList lines;
    for (const Member member : map.members()) {
        const QString key = member.key.string();
        if (key.contains(u": "_s) || key.contains(u'\n') || key != key.trimmed())
            return QString::fromUtf8(Output::copy(map).oneLine());
        lines += key + u": "_s + valueText(member.value);
    }
    return lines.join(u'\n');
}

QString editableText(const Field &field, const QByteArray &json)
{
    if (json.isEmpty())
        return {};
    const Result<JsonText> text = JsonText::parse(json, {});
    if (!text)
        return QString::fromUtf8(json);
    const Value value = text->root();
    if (field.isCondition && !field.isList) {
        JsonReader reading(*text);
        const Condition condition = readCondition(reading, value);
        return reading.isGood() ? conditionWords(condition) : valueText(value);
    }
    switch (field.kind) {
    case Field::Kind::Name:
    case Field::Kind::Text:
    case Field::Kind::Word:
    case Field::Kind::Whole:
        return value.is(Value::Kind::String) ? value.string() : QString::fromUtf8(value.raw());
    case Field::Kind::Texts:
        return textsText(value);
    case Field::Kind::Map:
        return mapText(value);
    default:
        return valueText(value);
    }
}

/// Visitor that collects the members of a row as fields.
class FieldList : public MemberVisitor<FieldList>
{
public:
    void mark(const char *key, const char *) { result.mark = QString::fromLatin1(key); }
    template<typename T>
    void operator()(const char *key, const T &member, const MemberSpec &spec, const char *help)
    {
        Field field = fieldFor(key, firstOf(member), spec, help);
        using First = std::remove_cvref_t<decltype(firstOf(member))>;
        if constexpr (members::IsRows<First>) {
            field.text = QString::number(firstOf(member).size());
        } else {
            if constexpr (IsSharedKey<T>)
                field.kind = Field::Kind::Json;
            const std::optional<Output> value = members::outputOf(member, spec);
            if (value && !isNone(member))
                field.json = value->oneLine();
            field.text = editableText(field, field.json);
        }
        result.fields += std::move(field);
    }

    RowFields result;

private:
    static bool isNone(const SharedKey<const QString, const QMap<QString, QString>> &event)
    {
        return event.first.isEmpty() && event.second.isEmpty();
    }
    static bool isNone(const auto &) { return false; }

    template<typename T>
    static Field fieldFor(
        const char *key, const T &member, const MemberSpec &spec, const char *help)
    {
        constexpr bool isConditions = std::is_same_v<T, QList<Condition>>;
        Field field;
        field.key = QString::fromLatin1(key);
        field.title = titleOf(key);
        field.help = members::helpText(help, spec);
        field.kind = kindOf(member, spec);
        if (field.kind == Field::Kind::Whole || field.kind == Field::Kind::Real
            || std::is_same_v<T, QList<Figure>>)
            field.unit = QString::fromUtf8(spec.unit);
        field.absent = QString::fromUtf8(spec.leftOut);
        field.names = spec.names;
        field.keys = spec.keys;
        field.words = wordList(spec.words);
        field.isRequired = spec.required;
        field.isList = spec.list || isConditions;
        field.isBooleanText = spec.boolean;
        field.isCondition =
            std::is_same_v<T, Condition> || (isConditions && spec.keys == Name::None);
        if (field.kind == Field::Kind::Word && field.absent.isEmpty() && !spec.required)
            field.absent = field.words.value(spec.absent);
        if (field.kind == Field::Kind::Whole && field.absent.isEmpty() && field.unit.size()
            && !spec.required)
            field.absent = QString::number(spec.absent);
        return field;
    }
};

template<typename T>
RowFields fieldsOf(const T &row)
{
    FieldList list;
    const Heading own = headingOf(row);
    list.result.kind = own.title;
    list.result.help = own.help;
    describe(list, row);
    if constexpr (members::ShapeCount<T> > 1) {
        Field kind;
        kind.key = RowKind.toString();
        kind.title = u"Kind"_s;
        QStringList helps;
        for (int shape = 0; shape < members::ShapeCount<T>; ++shape) {
            const T other = members::rowOfShape<T>(shape);
            const Heading heading = headingOf(other);
            helps += heading.name + u": "_s + heading.help;
            kind.words += heading.name;
        }
        kind.help = helps.join(u'\n');
        kind.kind = Field::Kind::Word;
        kind.isRequired = true;
        kind.text = kind.words.value(members::shapeOf(row));
        kind.json = jsonString(kind.text);
        list.result.fields.prepend(kind);
    }
    return list.result;
}

/// Returns the members of a row as a JSON object, without rows in lists.
QByteArray objectOf(const RowFields &row)
{
    Output object = Output::object();
    if (!row.mark.isEmpty())
        object.add(row.mark, Output::boolean(true));
    for (const Field &field : row.fields) {
        if (field.key != RowKind && !field.json.isEmpty())
            object.add(field.key, Output::raw(field.json));
    }
    return object.oneLine();
}

/// Reads a row's members from JSON, and returns the diagnostics.
QStringList readFrom(const QByteArray &json, auto &row)
{
    const Result<JsonText> text = JsonText::parse(json, {});
    JsonReader reading(*text);
    members::readMembers(reading, text->root(), row);
    return mapped<QStringList>(reading.diagnostics(), &Diagnostic::text);
}

/// Visitor that collects the keys that exclude `key`.
struct Excluded : MemberVisitor<Excluded>
{
    explicit Excluded(const QString &ownKey) : key(ownKey) { }
    void operator()(const char *, auto &&, const MemberSpec &, const char *) { }
    void excludes(const char *first, const char *other)
    {
        if (key == QLatin1StringView(first) || key == QLatin1StringView(other))
            others += QString::fromLatin1(key == QLatin1StringView(first) ? other : first);
    }
    void oneOf(const char *first, const char *other) { excludes(first, other); }

    QString key;
    QStringList others;
};

void copyMember(const QString &key, auto &from, auto &to)
{
    eachKey(to, [&]<typename T>(const char *own, T &member, const MemberSpec &) {
        if (key != QLatin1StringView(own))
            return;
        eachKey(from, [&]<typename U>(const char *other, U &value, const MemberSpec &) {
            if constexpr (std::is_same_v<T, U> && IsSharedKey<T>) {
                if (key == QLatin1StringView(other)) {
                    member.first = value.first;
                    member.second = value.second;
                }
            } else if constexpr (std::is_same_v<T, U>) {
                if (key == QLatin1StringView(other))
                    member = value;
            }
        });
    });
}

/// Setter of one member, by way of JSON: the reader of files checks the value.
struct SetMember
{
    QString key;
    QByteArray json;
    QString error {};
    bool isFound = false;

    template<typename T>
    void setIn(T &row)
    {
        if (key == RowKind)
            return setKind(row);
        RowFields fields = fieldsOf(std::as_const(row));
        const auto field = std::ranges::find(fields.fields, key, &Field::key);
        if (field == fields.fields.end())
            return;
        isFound = true;
        if (json.isEmpty() && field->isRequired) {
            error = u"expected a value, found none: the value is required"_s;
            return;
        }
        T changed = members::rowOfShape<T>(members::shapeOf(row));
        const QStringList oldProblems = readFrom(objectOf(fields), changed);
        Excluded excluded(key);
        describe(excluded, std::as_const(row));
        field->json = json;
        for (Field &each : fields.fields) {
            if (!json.isEmpty() && excluded.others.contains(each.key))
                each.json.clear();
        }
        changed = members::rowOfShape<T>(members::shapeOf(row));
        for (const QString &problem : readFrom(objectOf(fields), changed)) {
            if (error.isEmpty() && !oldProblems.contains(problem))
                error = problem;
        }
        if (!error.isEmpty())
            return;
        for (const QString &each : excluded.others + QStringList { key })
            copyMember(each, changed, row);
    }

private:
    template<typename T>
    void setKind(T &row)
    {
        if constexpr (members::ShapeCount<T> > 1) {
            isFound = true;
            const Result<JsonText> text = JsonText::parse(json, {});
            const QStringList kinds = fieldsOf(std::as_const(row)).fields.first().words;
            const qsizetype shape = text ? kinds.indexOf(text->root().string()) : -1;
            if (shape < 0) {
                error = u"expected one of %1"_s.arg(kinds.join(u", "_s));
                return;
            }
            T converted;
            // Copies the members common to all kinds. NOLINTNEXTLINE(cppcoreguidelines-slicing)
            static_cast<Row &>(converted) = row;
            converted.kind = decltype(converted.kind)(shape);
            converted.condition = row.condition;
            if (converted.kind != row.kind)
                row = converted;
        }
    }
};

/// Renames a row, or moves a type to another parent.
Result<Pack> withName(const Pack &pack, const QString &row, const QString &key, const QString &text)
{
    const OwnName name = ownNameAt(pack, row);
    const bool isType = name.what == Name::Type;
    if (name.what == Name::None || (key == RowParent && !isType))
        return Error { u"the row has no name to change"_s };
    QString parent = isType ? name.text.section(u'/', 0, -2) : QString();
    QString ownName = isType ? name.text.section(u'/', -1) : name.text;
    if (key == RowParent)
        parent = text == NoParent ? QString() : text;
    else
        ownName = text;
    const QString to = parent.isEmpty() ? ownName : parent + u'/' + ownName;
    if (ownName.isEmpty())
        return Error { u"expected a name, found none"_s };
    if (isType && ownName.contains(u'/'))
        return Error { u"a name has no \"/\"; choose the type's parent below"_s };
    if (to == name.text)
        return pack;
    if (!fieldsAt(pack, parentPointer(row) + pointerTo({ to })).kind.isEmpty())
        return Error { u"\"%1\" exists already"_s.arg(to) };
    for (const WireRequest &request : pack.wire.requests) {
        if (key == RowParent
            && (typePathOf(request.of) + u'/').startsWith(name.text + u'/', pack.caseSensitivity()))
            return Error { u"remove the wire request %1 first: it names the parent"_s.arg(
                request.path) };
    }
    const Pack edited = renamed(pack, name.what, name.text, to, name.machine);
    const auto countPaths = [](const Pack &counted) {
        QSet<QString> paths;
        for (const ResourceSpec &resource : counted.sample)
            paths.insert(counted.folded(resource.path));
        return paths.size();
    };
    if (isType && countPaths(edited) < countPaths(pack))
        return Error { u"two resources of the sample would have the same path"_s };
    return edited;
}

Field parentField(const Pack &pack, const QString &type)
{
    Field parent;
    parent.key = RowParent.toString();
    parent.title = u"Parent"_s;
    parent.help = u"The type that contains this one. Resources of the sample move along."_s;
    parent.kind = Field::Kind::Word;
    parent.absent = NoParent.toString();
    parent.text = type.section(u'/', 0, -2);
    if (!parent.text.isEmpty())
        parent.json = jsonString(parent.text);
    parent.words = idsOf(pack.types);
    parent.words.removeIf([&](const QString &other) {
        return other == u"*" || (other + u'/').startsWith(type + u'/');
    });
    parent.words.prepend(parent.absent);
    return parent;
}

Result<QByteArray> parsedMap(const QString &text)
{
    if (text.trimmed().startsWith(u'{'))
        return text.trimmed().toUtf8();
    Output object = Output::object();
    for (const QString &line : text.split(u'\n')) {
        if (line.trimmed().isEmpty())
            continue;
        const qsizetype colon = line.indexOf(u':');
        if (colon <= 0 || line.sliced(colon + 1).trimmed().isEmpty())
            return Error { u"expected \"name: value\", found \"%1\""_s.arg(line.trimmed()) };
        object.add(line.first(colon).trimmed(), Output::raw(parsedValue(line.sliced(colon + 1))));
    }
    return object.oneLine();
}

QByteArray parsedTexts(const Field &field, const QString &text)
{
    if (text.trimmed().startsWith(u'['))
        return text.trimmed().toUtf8();
    QStringList texts;
    for (const QString &part : text.split(u',')) {
        if (!part.trimmed().isEmpty())
            texts += part.trimmed();
    }
    if (texts.isEmpty())
        return {};
    return texts.size() == 1 && !field.isList ? jsonString(texts.first())
                                              : Output::strings(texts).oneLine();
}

} // namespace

RowFields fieldsAt(const Pack &pack, const QString &row)
{
    RowFields found;
    withRowAt(pack, row, [&](const auto &there) { found = fieldsOf(there); });
    if (found.kind.isEmpty())
        return {};
    found.machine = machineAround(pack, row);
    if (const OwnName name = ownNameAt(pack, row); name.what != Name::None) {
        Field own;
        own.key = RowName.toString();
        own.title = u"Name"_s;
        own.help = u"The row's id; renaming it also changes every use."_s;
        own.kind = Field::Kind::Name;
        own.text = name.what == Name::Type ? name.text.section(u'/', -1) : name.text;
        own.json = jsonString(own.text);
        own.isRequired = true;
        if (name.what == Name::Type && name.text != u"*")
            found.fields.prepend(parentField(pack, name.text));
        found.fields.prepend(own);
    }
    return found;
}

Result<QByteArray> typedJson(const Field &field, const QString &text)
{
    if (text.trimmed().isEmpty() && field.kind != Field::Kind::Text)
        return QByteArray();
    if (field.isCondition && !field.isList) {
        const Result<Condition> condition = conditionFromWords(text.trimmed());
        return condition ? Result<QByteArray>(conditionOutput(*condition).oneLine())
                         : Error { condition.error() };
    }
    switch (field.kind) {
    case Field::Kind::Name:
        return jsonString(text.trimmed());
    case Field::Kind::Text:
        if (text.isEmpty())
            return QByteArray();
        if (field.isBooleanText && (text == u"true" || text == u"false"))
            return text.toUtf8();
        return jsonString(text);
    case Field::Kind::Texts:
        return parsedTexts(field, text);
    case Field::Kind::Word:
        return jsonString(text);
    case Field::Kind::Whole:
        return field.words.contains(text.trimmed()) ? jsonString(text.trimmed())
                                                    : parsedValue(text);
    case Field::Kind::Map:
        return parsedMap(text);
    default:
        return parsedValue(text);
    }
}

Result<Pack> withField(
    const Pack &pack, const QString &row, const QString &key, const QByteArray &json)
{
    Diagnostic fault;
    const Result<JsonText> text = JsonText::parse(json.isEmpty() ? "null" : json, {}, {}, &fault);
    if (!text)
        return Error { fault.text };
    if (key == RowName || key == RowParent)
        return withName(pack, row, key, text->root().string());
    Pack edited = pack;
    SetMember set { key, json };
    withRowAt(edited, row, [&](auto &found) { set.setIn(found); });
    if (!set.isFound)
        return Error { u"there is no \"%1\" in the row %2"_s.arg(key, row) };
    if (!set.error.isEmpty())
        return Error { set.error };
    return edited;
}

} // namespace instar
