// SPDX-License-Identifier: Apache-2.0
#include "model/remote/documentlayout.h"

#include "model/json/output.h"

#include <QDateTime>
#include <QJsonArray>

#include <algorithm>

namespace instar {

namespace {

/// Names of holes, the placeholders in braces, in the order of Hole.
constexpr std::array HoleNames { "path", "name", "type", "state", "etag", "guid", "url", "id", "op",
    "status", "other id", "other op", "operation url", "result url", "code", "message",
    "request id", "date", "version", "last version", "retry after", "http", "origin", "fresh id" };
static_assert(HoleNames.size() == size_t(Hole::Property));

Hole holeNamed(const QString &name)
{
    const auto found = std::ranges::find_if(
        HoleNames, [&](const char *one) { return name == QLatin1StringView(one); });
    return found == HoleNames.end() ? Hole::Unknown : Hole(found - HoleNames.begin());
}

/// Parses the text in a hole's braces, such as "state", "property NAME" or "name HOLE".
std::pair<Hole, QString> holeWithArgument(const QString &text)
{
    const QString name = text.section(u' ', 1);
    return text.startsWith(u"property ") ? std::pair(Hole::Property, name)
        : text.startsWith(u"header ")    ? std::pair(Hole::Header, name)
        : text.startsWith(u"name ")      ? std::pair(Hole::Name, name)
                                         : std::pair(holeNamed(text), QString());
}

bool standsForMembers(const QString &name)
{
    return name == u"{body}" || name == u"{children}" || name == u"{referrers}";
}

/// Parses a UTC time in a format of QDateTime; returns ms since 1970.
std::optional<qint64> momentIn(const QString &text, const QString &format)
{
    QDateTime moment = QDateTime::fromString(text, format);
    if (!moment.isValid())
        return {};
    moment.setTimeSpec(Qt::UTC);
    return moment.toMSecsSinceEpoch();
}

} // namespace

bool isNamed(Value key, QStringView name, Qt::CaseSensitivity nameCase)
{
    const QByteArrayView inside = key.raw().sliced(1).chopped(1);
    return inside.contains('\\')
        ? name.compare(key.string(), nameCase) == 0
        : QAnyStringView::compare(QUtf8StringView(inside), name, nameCase) == 0;
}

bool isNamedOneOf(Value key, const QStringList &names, Qt::CaseSensitivity nameCase)
{
    return std::ranges::any_of(
        names, [&](const QString &name) { return isNamed(key, name, nameCase); });
}

Value member(Value object, QStringView name, Qt::CaseSensitivity nameCase)
{
    for (const Member member : object.members()) {
        if (isNamed(member.key, name, nameCase))
            return member.value;
    }
    return {};
}

Value valueAt(Value from, const KeyPath &keyPath, Qt::CaseSensitivity nameCase)
{
    if (!keyPath)
        return {};
    for (const QString &key : *keyPath)
        from = member(from, key, nameCase);
    return from;
}

QString keyOf(const QString &step)
{
    return step.endsWith(u"[]") ? step.chopped(2) : step;
}

QJsonValue withValueAt(const QJsonValue &into, const QStringList &keyPath, const QJsonValue &value)
{
    if (keyPath.isEmpty())
        return value;
    QJsonObject object = into.toObject();
    const QString key = keyOf(keyPath.first());
    const bool isList = key.size() < keyPath.first().size();
    const QJsonValue before = object.value(key);
    const QJsonValue after = withValueAt(isList ? QJsonValue() : before, keyPath.sliced(1), value);
    QJsonArray list = before.toArray();
    list.append(after);
    object.insert(key, isList ? QJsonValue(list) : after);
    return object;
}

bool isSet(const QJsonValue &value)
{
    return !value.isUndefined() && !value.isNull() && !(value.isBool() && !value.toBool());
}

HoleText HoleText::of(const QString &text)
{
    HoleText result;
    qsizetype at = 0;
    for (qsizetype open = text.indexOf(u'{'); open >= 0; open = text.indexOf(u'{', at)) {
        const qsizetype end = text.indexOf(u'}', open);
        if (end < 0)
            break;
        result.literals += text.mid(at, open - at).toUtf8();
        const auto [hole, name] = holeWithArgument(text.mid(open + 1, end - open - 1));
        result.holes += hole;
        result.names += name;
        at = end + 1;
    }
    result.literals += text.mid(at).toUtf8();
    return result;
}

DocumentLayout::DocumentLayout(const WireDocument &row)
{
    // readPack() ensures valid JSON. Invalid JSON from another origin counts as an empty document.
    Result<JsonText> document = JsonText::parse(row.json, row.id);
    if (!document)
        document = JsonText::parse("{}", row.id);
    for (const Member entry : document->root().members()) {
        if (entry.value.is(Value::Kind::Array) && listKey.isEmpty())
            listKey = entry.key.string();
        else if (entry.value.is(Value::Kind::String) && textKey.isEmpty())
            textKey = entry.key.string();
    }
    read(document->root(), QStringList());
}

const KeyPath &DocumentLayout::keyPath(Hole hole) const
{
    static const KeyPath none;
    const auto found = std::ranges::find_if(parts, [hole](const Part &part) {
        return part.hole == hole && part.argument.isEmpty() && part.keyPath;
    });
    return found == parts.end() ? none : found->keyPath;
}

const DocumentLayout::Part *DocumentLayout::wrapped() const
{
    for (const Part &part : placed(Part::Kind::Document)) {
        if (part.of.isEmpty())
            return &part;
    }
    return nullptr;
}

/// Appends constant text; merges it with a text part before it.
void DocumentLayout::add(QByteArrayView text)
{
    if (parts.empty() || parts.back().kind != Part::Kind::Text)
        parts.push_back({ .kind = Part::Kind::Text });
    parts.back().text.append(text);
}

void DocumentLayout::read(Value value, const KeyPath &keyPath)
{
    if (value.is(Value::Kind::String))
        readText(value, keyPath);
    else if (value.is(Value::Kind::Array))
        readList(value, keyPath);
    else if (value.is(Value::Kind::Object))
        readObject(value, keyPath);
    else
        add(value.raw());
}

void DocumentLayout::readText(Value string, const KeyPath &keyPath)
{
    const QString text = string.string();
    const HoleText holeText = HoleText::of(text);
    if (holeText.holes.isEmpty())
        return add(string.raw());
    const bool isHole = holeText.holes.size() == 1 && text.startsWith(u'{') && text.endsWith(u'}');
    const QString argument = holeText.names.first();
    if (isHole && keyPath && holeText.holes.first() == Hole::Name && !argument.isEmpty())
        nameParts.insert(argument, *keyPath);
    const KeyPath ownKeyPath =
        isHole ? keyPath : KeyPath(); // a reader cannot find a part of a text
    if (isHole && holeText.holes.first() == Hole::Http) {
        parts.push_back({ .kind = Part::Kind::Bare, .keyPath = ownKeyPath, .hole = Hole::Http });
        return;
    }
    QByteArray literal = "\"";
    appendJsonText(&literal, holeText.literals.first());
    for (qsizetype i = 0; i < holeText.holes.size(); ++i) {
        add(literal);
        parts.push_back({ .kind = Part::Kind::Hole,
            .keyPath = ownKeyPath,
            .hole = holeText.holes[i],
            .argument = holeText.names[i] });
        literal.clear();
        appendJsonText(&literal, holeText.literals[i + 1]);
    }
    add(literal + '"');
}

void DocumentLayout::readList(Value list, const KeyPath &keyPath)
{
    using Kind = Part::Kind;
    const Value only = list.size() == 1 ? *list.items().begin() : Value();
    const Kind kind = only.isString("{resources}") ? Kind::Resources
        : only.isString("{versions}")              ? Kind::Versions
        : only.isString("{details}")               ? Kind::Details
                                                   : Kind::Text;
    add("[");
    if (only.find("{document}")) {
        const QString type = only.find("of").string();
        parts.push_back({ .kind = Kind::Document,
            .keyPath = type.isEmpty() ? KeyPath() : keyPath,
            .document = only.find("{document}").string(),
            .of = type });
        add("]");
        return;
    }
    if (kind != Kind::Text) {
        parts.push_back({ .kind = kind });
    } else {
        bool isFirst = true;
        for (const Value item : list.items()) {
            if (!std::exchange(isFirst, false))
                add(",");
            read(item, std::nullopt);
        }
    }
    add("]");
}

void DocumentLayout::readProperty(Value object, const KeyPath &keyPath)
{
    Part part { .kind = Part::Kind::Property,
        .keyPath = keyPath,
        .of = object.find("of").string(),
        .property = object.find("{property}").string(),
        .isRequired = object.find("required").boolean(),
        .notBefore = object.find("notBefore").string(),
        .notAfter = object.find("notAfter").string(),
        .after = object.find("after").string(),
        .refusal = object.find("refusal").string(),
        .otherwiseText = object.find("else").string() };
    if (const Value time = object.find("time"); time.is(Value::Kind::String))
        part.times += time.string();
    else
        for (const Value one : time.items())
            part.times += one.string();
    std::vector<Part> before = std::exchange(parts, {});
    if (const Value otherwise = object.find("else"))
        read(otherwise, std::nullopt);
    else
        add("null");
    part.otherwise = std::exchange(parts, std::move(before));
    parts.push_back(std::move(part));
}

void DocumentLayout::readObject(Value object, const KeyPath &keyPath)
{
    if (object.find("{property}"))
        return readProperty(object, keyPath);
    if (const Value document = object.find("{document}")) {
        parts.push_back(
            { .kind = Part::Kind::Document, .keyPath = keyPath, .document = document.string() });
        return;
    }
    QStringList ownKeys;
    bool holdsChildren = false;
    for (const Member member : object.members()) {
        const QString name = member.key.string();
        holdsChildren = holdsChildren || name == u"{children}";
        if (!standsForMembers(name))
            ownKeys += name;
    }
    add("{");
    bool isFirst = true;    // no member was read yet
    bool mayBeEmpty = true; // the members read so far may write nothing
    for (const Member member : object.members()) {
        const QString name = member.key.string();
        if (standsForMembers(name)) {
            readSpecial(name, member.value, keyPath, ownKeys, holdsChildren);
        } else {
            if (!mayBeEmpty)
                add(",");
            else if (!isFirst)
                parts.push_back({ .kind = Part::Kind::Comma });
            add(member.key.raw());
            add(":");
            mayBeEmpty = false;
            read(member.value, keyPath ? KeyPath(*keyPath + QStringList { name }) : KeyPath());
        }
        isFirst = false;
    }
    add("}");
}

void DocumentLayout::readSpecial(const QString &name, Value value, const KeyPath &keyPath,
    const QStringList &ownKeys, bool holdsChildren)
{
    using Kind = Part::Kind;
    const Kind kind = name == u"{body}" ? Kind::Stored
        : name == u"{children}"         ? Kind::Children
                                        : Kind::Referrers;
    parts.push_back({ .kind = kind,
        .keyPath = keyPath,
        .ownKeys = ownKeys,
        .holdsChildren = holdsChildren,
        .document = value.string() });
    if (kind == Kind::Children)
        children = keyPath;
    if (kind == Kind::Stored && value.isString("properties")) {
        properties = keyPath;
        ownProperties = ownKeys;
    }
}

QString momentText(qint64 moment, const QStringList &formats)
{
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(moment, Qt::UTC);
    QString text;
    for (const QString &format : formats) {
        text = when.toString(format);
        if (momentIn(text, format) == moment)
            break;
    }
    return text;
}

std::optional<qint64> momentOf(const QString &text, const QStringList &formats, qint64 now)
{
    if (text == u"now" && !formats.isEmpty())
        return momentIn(momentText(now, { formats.first() }), formats.first());
    for (const QString &format : formats) {
        if (const auto moment = momentIn(text, format))
            return moment;
    }
    return {};
}

} // namespace instar
