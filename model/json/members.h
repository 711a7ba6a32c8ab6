// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operation.h"
#include "model/json/condition.h"
#include "model/json/packfile.h"
#include "model/pack/describe.h"

#include <QJsonDocument>

#include <array>
#include <vector>

namespace instar {

/// Readers and writers of each type of member, chosen by overload.
namespace members {

/// Row with an id, which is the row's key in the containing object of a file.
template<typename T>
concept Keyed = requires(T &row) { idOf(row); };
template<typename E>
concept Enumeration = std::is_enum_v<E>;

/// Number of kinds of a row that have members of their own (shapes).
template<typename T>
inline constexpr int ShapeCount = 1;
template<typename T>
    requires(T::shapes > 1)
inline constexpr int ShapeCount<T> = T::shapes;

template<typename T>
int shapeOf(const T &row)
{
    if constexpr (ShapeCount<T> > 1)
        return int(row.kind);
    return 0;
}

template<typename T>
T rowOfShape(int shape)
{
    T row {};
    if constexpr (ShapeCount<T> > 1)
        row.kind = decltype(row.kind)(shape);
    return row;
}

class KeyList : public Visitor
{
public:
    void operator()(const char *key, const auto &, const MemberSpec &, const char * = nullptr)
    {
        known.push_back(key);
    }
    void mark(const char *key, const char *) { known.push_back(key); }
    void bare(const char *key, const auto &, const MemberSpec &, const char *)
    {
        known.push_back(bareKey = key);
    }
    void extras(const QList<Extra> &) { hasExtras = true; }

    std::vector<const char *> known;
    const char *bareKey = nullptr; ///< key of a member whose value may replace the row's object
    bool hasExtras = false;
};

template<typename T>
inline constexpr bool IsRows = false;
template<typename T>
inline constexpr bool IsRows<QList<T>> = Described<T, KeyList>;
template<typename T>
inline constexpr bool IsRows<std::optional<QList<T>>> = Described<T, KeyList>;

template<typename T>
const KeyList &keysOf(int shape)
{
    static const std::vector<KeyList> all = [] {
        std::vector<KeyList> lists(ShapeCount<T>);
        for (int i = 0; i < ShapeCount<T>; ++i) {
            const T row = rowOfShape<T>(i);
            describe(lists[size_t(i)], row);
        }
        return lists;
    }();
    return all[size_t(shape)];
}

/// Returns a member's help text, including its default.
inline QString helpText(const char *help, const MemberSpec &spec)
{
    const QString text = QString::fromUtf8(help);
    return spec.leftOut ? u"%1 If omitted: %2."_s.arg(text, QString::fromUtf8(spec.leftOut)) : text;
}

/// Returns a message about two keys; %1 of the pattern is `other`, %2 is `key`.
inline QString keyPairText(const QString &pattern, const char *key, const char *other)
{
    return pattern.arg(QLatin1StringView(other), QLatin1StringView(key));
}

template<typename T>
void readMember(JsonReader &reading, Value value, std::optional<T> &member, const MemberSpec &spec);
template<typename T>
void readMember(JsonReader &reading, Value value, QList<T> &rows, const MemberSpec &spec);

/// Reads a text that files may write as true or false.
inline QString readBooleanText(JsonReader &reading, Value value)
{
    if (value.is(Value::Kind::Bool))
        return value.boolean() ? u"true"_s : u"false"_s;
    if (value && !value.is(Value::Kind::String))
        reading.expected(u"true, false or a string"_s, value);
    return value.string();
}

inline void readMember(JsonReader &reading, Value value, QString &text, const MemberSpec &spec)
{
    if (!spec.words.empty()) {
        reading.choice(value, wordList(spec.words));
        text = value.string();
        return;
    }
    if (spec.nullable && value.is(Value::Kind::Null))
        return text.clear();
    if (spec.nullable && !value.is(Value::Kind::String))
        return reading.expected(QString::fromLatin1(spec.title), value);
    text = spec.boolean ? readBooleanText(reading, value) : reading.text(value);
    if (spec.begins && !text.isEmpty() && !std::strchr(spec.begins, text[0].toLatin1()))
        reading.expected(QString::fromLatin1(spec.title), value);
}

inline void readMember(JsonReader &reading, Value value, QStringList &texts, const MemberSpec &spec)
{
    texts = spec.list ? reading.texts(value) : reading.textOrTexts(value);
    if (spec.words.empty())
        return;
    if (value.is(Value::Kind::String))
        reading.choice(value, wordList(spec.words));
    for (const Value item : value.items())
        reading.choice(item, wordList(spec.words));
}

inline void readMember(JsonReader &reading, Value value, bool &flag, const MemberSpec &)
{
    flag = reading.flag(value);
}

inline void readMember(JsonReader &reading, Value value, double &number, const MemberSpec &)
{
    number = reading.real(value);
}

inline void readMember(JsonReader &reading, Value value, qint64 &number, const MemberSpec &spec)
{
    const std::optional<qint64> found = value.integer();
    const qsizetype word =
        value.is(Value::Kind::String) ? wordList(spec.words).indexOf(value.string()) : -1;
    const bool isAbsent = found == spec.absent && spec.words.empty();
    if (word >= 0 || isAbsent || (found && *found >= spec.least && *found <= spec.most))
        number = word >= 0 ? word : *found;
    else if (spec.title)
        reading.expected(QString::fromLatin1(spec.title), value);
    else if (spec.most == MostWhole)
        reading.whole(value, spec.least);
    else
        reading.expected(u"a whole number from %1 to %2"_s.arg(spec.least).arg(spec.most), value);
}

inline void readMember(JsonReader &reading, Value value, int &number, const MemberSpec &spec)
{
    qint64 whole = number;
    readMember(reading, value, whole, spec);
    number = int(whole);
}

/// Reads an etag, or the step at which it was observed.
inline void readMember(JsonReader &reading, Value value,
    const SharedKey<QString, std::optional<int>> &etagOrStep, const MemberSpec &spec)
{
    if (!value.is(Value::Kind::Object))
        return readMember(reading, value, etagOrStep.first, spec);
    const Fields fields(reading, value, { "seenAt" }, nullptr);
    if (const Value seenAt = fields.value("seenAt", Need::Required))
        readMember(reading, seenAt, etagOrStep.second, spec);
}

template<Enumeration E>
void readMember(JsonReader &reading, Value value, E &word, const MemberSpec &spec)
{
    word = E(reading.choice(value, wordList(spec.words)));
}

inline void readMember(JsonReader &reading, Value value, Condition &condition, const MemberSpec &)
{
    condition = readCondition(reading, value);
}

inline void readMember(JsonReader &reading, Value value, QList<Figure> &figures, const MemberSpec &)
{
    figures = readFigures(reading, value, 0, nullptr);
}

inline void readMember(JsonReader &reading, Value value,
    const SharedKey<QList<Figure>, qint64> &time, const MemberSpec &spec)
{
    time.first = readFigures(reading, value, spec.least, &time.second);
}

inline void readMember(
    JsonReader &reading, Value value, std::optional<QPointF> &position, const MemberSpec &)
{
    if (value.size() != 2 || !value.is(Value::Kind::Array)) {
        reading.expected(u"a position: [x, y]"_s, value);
        return;
    }
    const double x = reading.real(*value.items().begin());
    position = QPointF(x, reading.real(*++value.items().begin()));
}

template<typename T>
void readMember(JsonReader &reading, Value value, QMap<QString, T> &map, const MemberSpec &spec);

inline void readMember(
    JsonReader &reading, Value when, QMap<QString, QStringList> &values, const MemberSpec &)
{
    readById<QStringList>(reading, when, [&](const QString &name, Value value) {
        QStringList &allowed = values[name];
        if (!value.is(Value::Kind::Array))
            allowed.append(readBooleanText(reading, value));
        for (const Value item : value.items())
            allowed.append(readBooleanText(reading, item));
        return allowed;
    });
}

/// Reads an event, or a map from the outcome so far to the event.
inline void readMember(JsonReader &reading, Value value,
    const SharedKey<QString, QMap<QString, QString>> &event, const MemberSpec &spec)
{
    if (value.is(Value::Kind::Object) && value.size() == 0)
        reading.error(
            value, u"expected an event for at least one outcome, found none"_s, u"value"_s);
    else if (value.is(Value::Kind::Object))
        readMember(reading, value, event.second, spec);
    else if (value.is(Value::Kind::String))
        event.first = reading.text(value);
    else
        reading.expected(u"an event, or an object: outcome to event"_s, value);
}

inline void readMember(JsonReader &reading, Value value, QJsonObject &object, const MemberSpec &)
{
    if (value.is(Value::Kind::Object))
        object = value.json().toObject();
    else
        reading.expected(u"an object of properties"_s, value);
}

inline void readMember(
    JsonReader &reading, Value value, Properties &properties, const MemberSpec &spec)
{
    QJsonObject object;
    readMember(reading, value, object, spec);
    properties = object;
}

inline void readMember(
    JsonReader &reading, Value value, QList<QJsonObject> &objects, const MemberSpec &spec)
{
    if (!value.is(Value::Kind::Array))
        return readMember(reading, value, objects.emplaceBack(), spec);
    for (const Value item : value.items())
        readMember(reading, item, objects.emplaceBack(), spec);
}

inline void readMember(JsonReader &, Value value, QByteArray &json, const MemberSpec &)
{
    json = Output::copy(value).oneLine();
}

inline void readValue(JsonReader &reading, Value value, WireHeader &header)
{
    header.text = reading.text(value);
}

inline void readValue(JsonReader &reading, Value value, Assignment &assignment)
{
    if (value.is(Value::Kind::Object)) {
        const Fields fields(reading, value, { "add" });
        assignment.add = reading.whole(fields.value("add", Need::Required), -MostWhole);
    } else if (value.is(Value::Kind::Array)) {
        reading.expected(u"a text, a number, true, false, null, or {\"add\": number}"_s, value);
    } else {
        assignment.value = value.json();
    }
}

inline void readMember(
    JsonReader &reading, Value facts, QList<Condition> &conditions, const MemberSpec &spec)
{
    if (spec.keys == Name::None) {
        conditions = readList<Condition>(
            reading, facts, [&](Value item) { return readCondition(reading, item); });
        return;
    }
    conditions =
        readById<Condition>(reading, facts, [](const QString &, Value) { return Condition(); });
    qsizetype i = 0;
    for (const Member fact : facts.members())
        conditions[i++] = readRelated(reading, fact);
}

template<typename T>
    requires Described<T, KeyList>
void readMember(JsonReader &reading, Value value, T &row, const MemberSpec &)
{
    row = readRow<T>(reading, value);
}

template<typename T>
void readMember(JsonReader &reading, Value value, std::optional<T> &member, const MemberSpec &spec)
{
    readMember(reading, value, member.emplace(), spec);
}

template<typename T>
void readMember(JsonReader &reading, Value value, QMap<QString, T> &map, const MemberSpec &spec)
{
    readById<bool>(reading, value, [&](const QString &key, Value item) {
        readMember(reading, item, map[key], spec);
        return true;
    });
}

/// Reads a row with an id. `id`: the row's key in the object that contains it.
template<typename T>
T readKeyed(JsonReader &reading, Value value, const QString &id)
{
    if constexpr (Described<T, KeyList>) {
        return readRow<T>(reading, value, id);
    } else {
        T row;
        idOf(row) = id;
        readValue(reading, value, row);
        return row;
    }
}

template<typename T>
void readMember(JsonReader &reading, Value value, QList<T> &rows, const MemberSpec &spec)
{
    if (spec.wrapper) {
        const Fields fields(reading, value, { spec.wrapper });
        value = fields.value(spec.wrapper, Need::Required);
    }
    if constexpr (Keyed<T>)
        rows = readById<T>(reading, value,
            [&](const QString &id, Value row) { return readKeyed<T>(reading, row, id); });
    else
        rows = readList<T>(reading, value, [&](Value row) { return readRow<T>(reading, row); });
}

/// Reads rows, and sets `both.second`; or reads texts, or sets `both.second` for the word "any".
template<typename T>
void readMember(
    JsonReader &reading, Value value, const SharedKey<T, bool> &both, const MemberSpec &spec)
{
    both.second = IsRows<T> || value.isString("any");
    if (IsRows<T> || !both.second)
        readMember(reading, value, both.first, spec);
}

class RowReader : public Visitor
{
public:
    RowReader(JsonReader &reading, Value value, const KeyList &keys, QList<Extra> *extras)
        : m_reading(reading),
          m_value(value),
          m_isBare(keys.bareKey && !value.find(keys.bareKey)),
          m_fields(
              reading, m_isBare ? Value() : value, keys.known, keys.hasExtras ? extras : nullptr)
    { }

    void operator()(const char *key, auto &&member, const MemberSpec &spec, const char * = nullptr)
    {
        const Need need = spec.required ? Need::Required : Need::Optional;
        if (const Value value = m_fields.value(key, need))
            readMember(m_reading, value, member, spec);
    }
    void mark(const char *key, const char *)
    {
        if (m_fields.has(key) && !m_fields.flag(key))
            m_reading.expected(u"true"_s, m_fields.value(key));
    }
    void bare(const char *key, auto &member, const MemberSpec &spec, const char *help)
    {
        if (m_isBare)
            readMember(m_reading, m_value, member, spec);
        else
            (*this)(key, member, spec, help);
    }
    void excludes(const char *key, const char *other)
    {
        if (m_fields.has(key) && m_fields.has(other))
            m_reading.error(m_fields.value(other),
                keyPairText(u"expected either \"%1\" or \"%2\", found both"_s, key, other),
                u"value"_s);
    }
    void needs(const char *key, const char *other)
    {
        if (m_fields.has(key) && !m_fields.has(other))
            m_reading.error(m_fields.value(key),
                keyPairText(
                    u"expected \"%1\" together with \"%2\", found only the latter"_s, key, other),
                u"value"_s);
    }
    void oneOf(const char *key, const char *other)
    {
        if (!m_fields.has(other))
            m_fields.value(key, Need::Required);
        excludes(other, key);
    }

private:
    JsonReader &m_reading;
    Value m_value;
    bool m_isBare; ///< m_value is the value of the bare key, not an object
    Fields m_fields;
};

/// Returns the kind of a step, by its keys; absent: the text "attempt", or no step.
inline std::optional<Step::Kind> kindOf(JsonReader &reading, Value value, Step::Kind)
{
    if (value.isString("attempt"))
        return {};
    if (!value.is(Value::Kind::Object)) {
        reading.expected(
            u"a step: \"attempt\", or an object with op, send, outcome or until"_s, value);
        return {};
    }
    int kind = 0;
    QStringList found;
    for (int i = 0; i < ShapeCount<Step>; ++i) {
        const char *key = keysOf<Step>(i).known.front();
        if (!value.find(key))
            continue;
        kind = i;
        found += QString::fromLatin1(key);
    }
    if (found.size() != 1)
        reading.error(value,
            u"expected one of attempt, op, send, outcome and until in the step, found %1"_s.arg(
                found.isEmpty() ? u"none of them"_s : found.join(u" and "_s)),
            found.isEmpty() ? u"missing-key"_s : u"value"_s);
    return Step::Kind(kind);
}

inline Output booleanTextOutput(const QString &word)
{
    if (word == "true"_L1 || word == "false"_L1)
        return Output::boolean(word == "true"_L1);
    return Output::string(word);
}

inline Output memberOutput(const QString &text, const MemberSpec &spec)
{
    if (spec.nullable && text.isEmpty())
        return Output::raw("null");
    return spec.boolean ? booleanTextOutput(text) : Output::string(text);
}

inline Output memberOutput(const QStringList &texts, const MemberSpec &spec)
{
    return texts.size() == 1 && !spec.list ? Output::string(texts.first()) : Output::strings(texts);
}

inline Output memberOutput(bool flag, const MemberSpec &)
{
    return Output::boolean(flag);
}

inline Output memberOutput(double number, const MemberSpec &)
{
    return Output::real(number);
}

inline Output memberOutput(qint64 number, const MemberSpec &spec)
{
    return number < qint64(spec.words.size())
        ? Output::string(QString::fromLatin1(spec.words[size_t(number)]))
        : Output::integer(number);
}

inline Output memberOutput(int number, const MemberSpec &spec)
{
    return memberOutput(qint64(number), spec);
}

template<Enumeration E>
Output memberOutput(E word, const MemberSpec &spec)
{
    return Output::string(QString::fromLatin1(spec.words[size_t(word)]));
}

inline Output memberOutput(const Condition &condition, const MemberSpec &)
{
    return conditionOutput(condition);
}

inline Output memberOutput(const QList<Figure> &figures, const MemberSpec &)
{
    return figuresOutput(figures, 0);
}

inline Output memberOutput(const QPointF &position, const MemberSpec &)
{
    return Output::array(std::array { position.x(), position.y() }, Output::real);
}

template<typename T>
Output memberOutput(const QMap<QString, T> &map, const MemberSpec &spec);
template<typename T>
Output memberOutput(const QList<T> &rows, const MemberSpec &spec);

inline Output memberOutput(const QMap<QString, QStringList> &when, const MemberSpec &)
{
    Output object = Output::object();
    for (auto it = when.begin(); it != when.end(); ++it) {
        object.add(it.key(),
            it->size() == 1 ? booleanTextOutput(it->first())
                            : Output::array(*it, booleanTextOutput));
    }
    return object;
}

inline Output memberOutput(const QJsonObject &object, const MemberSpec &)
{
    return Output::raw(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

inline Output memberOutput(const Properties &properties, const MemberSpec &spec)
{
    return memberOutput(properties.object(), spec);
}

inline Output memberOutput(const QList<QJsonObject> &objects, const MemberSpec &spec)
{
    return objects.size() == 1 ? memberOutput(objects.first(), spec)
                               : memberOutput<QJsonObject>(objects, spec);
}

inline Output memberOutput(const QByteArray &json, const MemberSpec &)
{
    const Result<JsonText> document = JsonText::parse(json, {});
    return document ? Output::copy(document->root()) : Output::raw(json);
}

inline Output memberOutput(const WireHeader &header, const MemberSpec &)
{
    return Output::string(header.text);
}

inline Output memberOutput(const Assignment &assignment, const MemberSpec &)
{
    return assignment.add ? Output::object({ { "add", Output::integer(*assignment.add) } })
                          : valueOutput(assignment.value);
}

template<typename T>
    requires Described<T, KeyList>
Output memberOutput(const T &row, const MemberSpec &)
{
    return rowOutput(row);
}

template<typename T>
Output memberOutput(const std::optional<T> &value, const MemberSpec &spec)
{
    return memberOutput(*value, spec);
}

template<typename T>
Output memberOutput(const QList<T> &rows, const MemberSpec &spec)
{
    if constexpr (Keyed<T>) {
        Output object = Output::object();
        for (const T &row : rows)
            object.add(idOf(row), memberOutput(row, spec));
        return object;
    } else {
        return Output::array(rows, [&](const T &row) { return memberOutput(row, spec); });
    }
}

template<typename T>
Output memberOutput(const QMap<QString, T> &map, const MemberSpec &spec)
{
    Output object = Output::object();
    for (auto it = map.begin(); it != map.end(); ++it)
        object.add(it.key(), memberOutput(it.value(), spec));
    return object;
}

inline Output memberOutput(
    const SharedKey<const QString, const std::optional<int>> &etagOrStep, const MemberSpec &spec)
{
    return etagOrStep.second ? Output::object({ { "seenAt", Output::integer(*etagOrStep.second) } })
                             : memberOutput(etagOrStep.first, spec);
}

inline Output memberOutput(const QList<Condition> &conditions, const MemberSpec &spec)
{
    if (spec.keys == Name::None)
        return memberOutput<Condition>(conditions, spec);
    Output object = Output::object();
    for (const Condition &related : conditions)
        addRelated(&object, related);
    return object;
}

inline Output memberOutput(
    const SharedKey<const QList<Figure>, const qint64> &time, const MemberSpec &)
{
    return figuresOutput(time.first, time.second);
}

inline Output memberOutput(
    const SharedKey<const QString, const QMap<QString, QString>> &event, const MemberSpec &spec)
{
    return event.second.isEmpty() ? Output::string(event.first) : memberOutput(event.second, spec);
}

template<typename T>
Output memberOutput(const SharedKey<T, const bool> &both, const MemberSpec &spec)
{
    return both.second && !IsRows<std::remove_const_t<T>> ? Output::string(u"any")
                                                          : memberOutput(both.first, spec);
}

/// True for a default value, which files omit.
template<typename T>
bool isAbsent(const T &value, const MemberSpec &spec)
{
    if constexpr (std::is_arithmetic_v<T>)
        return value == T(spec.absent);
    else if constexpr (Enumeration<T>)
        return qint64(value) == spec.absent;
    else
        return value == T();
}

inline bool isAbsent(const QStringList &texts, const MemberSpec &spec)
{
    return spec.boolean ? texts == Switch().values : texts.isEmpty();
}

inline bool isAbsent(const SharedKey<const QList<Figure>, const qint64> &time, const MemberSpec &)
{
    return time.first.isEmpty() && time.second == 0;
}

template<typename T>
bool isAbsent(const SharedKey<T, const bool> &both, const MemberSpec &)
{
    return !both.second && (IsRows<std::remove_const_t<T>> || both.first.isEmpty());
}

inline bool isAbsent(
    const SharedKey<const QString, const QMap<QString, QString>> &, const MemberSpec &)
{
    return false;
}

inline bool isAbsent(
    const SharedKey<const QString, const std::optional<int>> &etagOrStep, const MemberSpec &)
{
    return etagOrStep.first.isEmpty() && !etagOrStep.second;
}

/// Returns a member's value; absent if files omit it. `isMultiLine`: one line per row in the value.
template<typename T>
std::optional<Output> outputOf(const T &member, const MemberSpec &spec, bool isMultiLine = false)
{
    const bool isNeeded = (spec.required || spec.always) && !IsSharedKey<T>;
    if (!isNeeded && isAbsent(member, spec))
        return {};
    Output value = IsRows<T> && isMultiLine ? Output(memberOutput(member, spec).multiLine())
                                            : memberOutput(member, spec);
    if (!spec.wrapper)
        return value;
    Output wrapper = Output::object();
    wrapper.add(QString::fromLatin1(spec.wrapper), std::move(value));
    return wrapper;
}

/// Visitor that writes the members of a row in the order of describe().
class RowWriter : public Visitor
{
public:
    /// If `isMultiLine`, each member is on its own line.
    explicit RowWriter(bool isMultiLine) : m_isMultiLine(isMultiLine) { }

    void operator()(
        const char *key, const auto &member, const MemberSpec &spec, const char * = nullptr)
    {
        if (std::optional<Output> value = outputOf(member, spec, m_isMultiLine))
            m_object.add(QString::fromLatin1(key), *std::move(value));
    }
    void mark(const char *key, const char *)
    {
        m_bare = Output::string(QString::fromLatin1(key));
        m_object.add(QString::fromLatin1(key), Output::boolean(true));
    }
    void bare(const char *key, const auto &member, const MemberSpec &spec, const char *help)
    {
        m_bare = memberOutput(member, spec);
        (*this)(key, member, spec, help);
    }
    void extras(const QList<Extra> &extras)
    {
        for (const Extra &extra : extras)
            m_object.add(extra.key, Output::raw(extra.json));
    }

    Output written() &&
    {
        if (m_bare && m_object.size() == 1)
            return *std::move(m_bare);
        return m_isMultiLine ? std::move(m_object).multiLine() : std::move(m_object);
    }

private:
    bool m_isMultiLine;
    Output m_object = Output::object();
    std::optional<Output> m_bare; ///< replaces an object without other members
};

/// True for types of rows that are written with one member per line.
template<typename T>
inline constexpr bool IsMultiLine = false;
template<>
inline constexpr bool IsMultiLine<Pack> = true;
template<>
inline constexpr bool IsMultiLine<Machine> = true;
template<>
inline constexpr bool IsMultiLine<Wire> = true;

/// Reads the members of a row of known shape.
template<typename T>
void readMembers(JsonReader &reading, Value value, T &row)
{
    QList<Extra> dropped, *extras = &dropped;
    if constexpr (requires { row.extras; })
        extras = &row.extras;
    RowReader reader(reading, value, keysOf<T>(shapeOf(row)), extras);
    describe(reader, row);
}

} // namespace members

/// Reads a row of any type by its describe().
template<typename T>
T readDescribed(JsonReader &reading, Value value, const QString &id = {})
{
    using namespace members;
    T row;
    if constexpr (Keyed<T>)
        idOf(row) = id;
    if constexpr (ShapeCount<T> > 1) {
        const auto kind = kindOf(reading, value, row.kind);
        if (!kind)
            return row;
        row.kind = *kind;
    }
    readMembers(reading, value, row);
    return row;
}

template<typename T>
T readRow(JsonReader &reading, Value value, const QString &id)
{
    return readDescribed<T>(reading, value, id);
}

template<typename T>
Output rowOutput(const T &row)
{
    members::RowWriter writer(members::IsMultiLine<T>);
    describe(writer, row);
    return std::move(writer).written();
}

} // namespace instar
