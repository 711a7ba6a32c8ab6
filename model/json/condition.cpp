// SPDX-License-Identifier: Apache-2.0
#include "model/json/condition.h"

#include <QRegularExpression>

namespace instar {

namespace {

constexpr int deepestCondition = 64; // levels of nesting; the users of conditions recurse
constexpr QLatin1StringView somePrefix("some ");

Condition label(const QString &text)
{
    return { .kind = Condition::Kind::Label, .text = text };
}

Condition negation(Condition negated)
{
    return { .kind = Condition::Kind::Not, .parts = { std::move(negated) } };
}

/// Returns the label of a condition that is a label or its negation, else null.
const Condition *labelOf(const Condition &condition)
{
    const Condition &inner =
        condition.kind == Condition::Kind::Not ? condition.parts.first() : condition;
    return inner.kind == Condition::Kind::Label ? &inner : nullptr;
}

Condition readLabel(JsonReader &reading, Value value)
{
    const QString text = value.string();
    const bool negated = text.startsWith(u'!');
    if (text.size() <= (negated ? 1 : 0))
        reading.error(value, u"expected a condition's label, found an empty one"_s, u"value"_s);
    return negated ? negation(label(text.sliced(1))) : label(text);
}

Condition readNested(JsonReader &reading, Value value, int depth);

void readPropertyValue(JsonReader &reading, Value value, Condition *condition)
{
    if (value.is(Value::Kind::String))
        condition->states += reading.text(value);
    else if (value.is(Value::Kind::Object) || value.is(Value::Kind::Array))
        reading.expected(u"a text, a number, true, false or null"_s, value);
    else
        condition->values += value.json();
}

Output propertyValues(const Condition &condition)
{
    Output list = Output::strings(condition.states);
    for (const QJsonValue &value : condition.values)
        list.add(valueOutput(value));
    return condition.states.isEmpty() && condition.values.size() == 1
        ? valueOutput(condition.values.first())
        : list;
}

Condition readProperty(JsonReader &reading, Value value)
{
    const Fields fields(reading, value, { "name", "is", "above" });
    Condition condition { .kind = Condition::Kind::Property,
        .text = fields.text("name", Need::Required) };
    const Value is = fields.value("is");
    const Value above = fields.value("above");
    if (value.is(Value::Kind::Object) && bool(is) == bool(above))
        reading.error(value,
            u"expected either \"is\" or \"above\", found %1"_s.arg(is ? u"both"_s : u"neither"_s),
            u"value"_s);
    if (above)
        condition.bound = reading.whole(above, -MostWhole);
    else if (is.is(Value::Kind::Array))
        for (const Value item : is.items())
            readPropertyValue(reading, item, &condition);
    else if (is)
        readPropertyValue(reading, is, &condition);
    return condition;
}

Condition readFact(JsonReader &reading, const Member &fact, int depth)
{
    Condition condition;
    if (fact.key.isString("last") || fact.key.isString("id")) {
        condition.kind = fact.key.isString("id") ? Condition::Kind::Id : Condition::Kind::Last;
        condition.states = reading.textOrTexts(fact.value);
    } else if (fact.key.isString("required")) {
        condition.kind = Condition::Kind::Required;
        if (fact.value.is(Value::Kind::String))
            condition.text = reading.text(fact.value);
        else if (!reading.flag(fact.value))
            return negation(condition);
    } else if (fact.key.isString("elapsed")) {
        const Fields fields(reading, fact.value, { "since", "ms" });
        condition.kind = Condition::Kind::Elapsed;
        condition.text = fields.text("since", Need::Required);
        condition.ms = fields.whole("ms");
    } else if (fact.key.isString("property")) {
        return readProperty(reading, fact.value);
    } else if (fact.key.isString("not")) {
        return negation(readNested(reading, fact.value, depth + 1));
    } else {
        return readRelated(reading, fact);
    }
    return condition;
}

Condition readFacts(JsonReader &reading, Value value, int depth)
{
    if (const Value repeated = value.duplicateKey())
        reading.error(repeated,
            u"expected each fact once, found \"%1\" again"_s.arg(repeated.string()),
            u"duplicate-key"_s);
    Condition all;
    all.kind = Condition::Kind::All;
    for (const Member fact : value.members())
        all.parts.append(readFact(reading, fact, depth));
    if (all.parts.isEmpty())
        return {};
    return all.parts.size() == 1 ? all.parts.takeFirst() : all;
}

Condition readNested(JsonReader &reading, Value value, int depth)
{
    if (!value)
        return {};
    if (depth > deepestCondition) {
        reading.error(value,
            u"expected at most %1 nested conditions, found more"_s.arg(deepestCondition),
            u"value"_s);
        return {};
    }
    if (value.is(Value::Kind::String))
        return readLabel(reading, value);
    if (value.is(Value::Kind::Object))
        return readFacts(reading, value, depth);
    Condition all;
    if (!value.is(Value::Kind::Array)) {
        reading.expected(
            u"a condition: a label, a list of conditions, or an object of facts"_s, value);
        return all;
    }
    all.kind = Condition::Kind::All;
    for (const Value item : value.items())
        all.parts.append(readNested(reading, item, depth + 1));
    return all;
}

/// Returns the key of a condition that is one fact; empty for any other condition.
QString factKey(const Condition &condition)
{
    switch (condition.kind) {
    case Condition::Kind::Last:
        return u"last"_s;
    case Condition::Kind::Id:
        return u"id"_s;
    case Condition::Kind::Required:
        return u"required"_s;
    case Condition::Kind::Elapsed:
        return u"elapsed"_s;
    case Condition::Kind::Property:
        return u"property"_s;
    case Condition::Kind::Related:
        return condition.some ? somePrefix + condition.text : condition.text;
    case Condition::Kind::Not:
        if (condition.parts.first().kind == Condition::Kind::Required
            && condition.parts.first().text.isEmpty())
            return u"required"_s;
        return labelOf(condition) ? QString() : u"not"_s;
    case Condition::Kind::Always:
    case Condition::Kind::Label:
    case Condition::Kind::All:
        return {};
    }
    return {};
}

Output relatedOutput(const Condition &related)
{
    return related.match == Condition::Match::In
        ? Output::strings(related.states)
        : Output::string(related.match == Condition::Match::Any ? u"any" : u"none");
}

void addWhole(Output *object, QStringView key, qint64 number, qint64 absent = 0)
{
    if (number != absent)
        object->add(key, Output::integer(number));
}

Output factOutput(const Condition &fact)
{
    Output object = Output::object();
    switch (fact.kind) {
    case Condition::Kind::Last:
    case Condition::Kind::Id:
        return Output::strings(fact.states);
    case Condition::Kind::Required:
        return fact.text.isEmpty() ? Output::boolean(true) : Output::string(fact.text);
    case Condition::Kind::Elapsed:
        object.add(u"since", Output::string(fact.text));
        addWhole(&object, u"ms", fact.ms);
        return object;
    case Condition::Kind::Property:
        return Output::object({ { "name", Output::string(fact.text) },
            fact.bound ? std::pair("above", Output::integer(*fact.bound))
                       : std::pair("is", propertyValues(fact)) });
    case Condition::Kind::Not:
        return factKey(fact) == u"required" ? Output::boolean(false)
                                            : conditionOutput(fact.parts.first());
    default:
        return relatedOutput(fact);
    }
}

/// True if the conditions can be written as one object of facts.
bool areFacts(const QList<Condition> &parts)
{
    QSet<QString> keys;
    for (const Condition &part : parts) {
        const QString key = factKey(part);
        if (key.isEmpty() || keys.contains(key))
            return false;
        keys.insert(key);
    }
    return true;
}

} // namespace

Condition readRelated(JsonReader &reading, const Member &fact)
{
    static const QStringList reservedKeys { u"about"_s, u"source"_s, u"when"_s, u"if"_s, u"is"_s };
    Condition condition { .kind = Condition::Kind::Related, .text = fact.key.string() };
    if (condition.text.startsWith(somePrefix)) {
        condition.some = true;
        condition.text = condition.text.sliced(somePrefix.size());
    }
    if (condition.text.isEmpty() || condition.text.startsWith("x-"_L1)
        || reservedKeys.contains(condition.text))
        reading.error(fact.key,
            u"expected a fact (last, id, required, elapsed, property, not) or a relation, found \"%1\""_s
                .arg(fact.key.string()),
            u"unknown-key"_s);
    if (fact.value.isString("any") || fact.value.isString("none")) {
        condition.match =
            fact.value.isString("any") ? Condition::Match::Any : Condition::Match::None;
        return condition;
    }
    if (fact.value.is(Value::Kind::Array))
        condition.states = reading.texts(fact.value);
    else
        reading.expected(u"a list of states, \"any\" or \"none\""_s, fact.value);
    return condition;
}

void addRelated(Output *object, const Condition &related)
{
    object->add(factKey(related), relatedOutput(related));
}

Condition readCondition(JsonReader &reading, Value value)
{
    return readNested(reading, value, 0);
}

Output conditionOutput(const Condition &condition)
{
    if (condition.kind == Condition::Kind::Always)
        return Output::object();
    if (condition.kind == Condition::Kind::Label)
        return Output::string(condition.text);
    if (const Condition *label = labelOf(condition))
        return Output::string(u'!' + label->text);
    const bool isFact = condition.kind != Condition::Kind::All;
    if (isFact || (condition.parts.size() > 1 && areFacts(condition.parts))) {
        Output object = Output::object();
        for (const Condition &part : isFact ? QList { condition } : condition.parts)
            object.add(factKey(part), factOutput(part));
        return object;
    }
    return Output::array(condition.parts, conditionOutput);
}

static Output figureOutput(const QList<Figure> &figures, qsizetype at, qint64 fixed)
{
    if (at == figures.size())
        return Output::integer(fixed);
    const Figure &figure = figures[at];
    const bool isLast = at + 1 == figures.size() && fixed == 0;
    if (isLast && figure == Figure { .property = figure.property })
        return Output::string(figure.property);
    Output object = Output::object();
    object.add(u"property", Output::string(figure.property));
    if (!figure.of.isEmpty())
        object.add(u"of", Output::string(figure.of));
    addWhole(&object, u"times", figure.times, 1);
    addWhole(&object, u"add", figure.add);
    if (figure.condition.kind != Condition::Kind::Always)
        object.add(u"if", conditionOutput(figure.condition));
    if (!isLast)
        object.add(u"else", figureOutput(figures, at + 1, fixed));
    return object;
}

QList<Figure> readFigures(JsonReader &reading, Value value, qint64 least, qint64 *fixed)
{
    QList<Figure> figures;
    while (value) {
        if (value.is(Value::Kind::String)) {
            figures += Figure { .property = reading.text(value) };
            break;
        }
        if (!value.is(Value::Kind::Object)) {
            if (fixed && value.is(Value::Kind::Number))
                *fixed = reading.whole(value, least);
            else
                reading.expected(fixed
                        ? u"a number of ms, a property's name, or an object with property"_s
                        : u"a property's name, or an object with property"_s,
                    value);
            break;
        }
        const Fields fields(reading, value, { "property", "of", "times", "add", "if", "else" });
        Figure figure { .property = fields.text("property", Need::Required),
            .of = fields.text("of"),
            .times = fields.whole("times", 1) };
        if (const Value add = fields.value("add"))
            figure.add = reading.whole(add, -MostWhole);
        figure.condition = readCondition(reading, fields.value("if"));
        figures += figure;
        value = fields.value("else");
    }
    return figures;
}

Output figuresOutput(const QList<Figure> &figures, qint64 fixed)
{
    return figureOutput(figures, 0, fixed);
}

namespace {

using Kind = Condition::Kind;
using Match = Condition::Match;

constexpr QStringView And = u" and ", Or = u" or ", Not = u"not ";

QStringList split(const QString &text, QStringView separator)
{
    return mapped<QStringList>(text.split(separator.toString(), Qt::SkipEmptyParts),
        [](const QString &part) { return part.trimmed(); });
}

/// Returns a property's values as text. Quotes strings that read as other JSON, such as "5".
QString valuesText(const Condition &condition)
{
    auto texts = mapped<QStringList>(condition.states, [](const QString &text) {
        return JsonText::parse(text.toUtf8(), {}) ? QString::fromUtf8(jsonString(text)) : text;
    });
    for (const QJsonValue &value : condition.values)
        texts += QString::fromUtf8(valueOutput(value).oneLine());
    return texts.join(Or);
}

/// Parses the values of a property, separated by "or", and adds them to its condition.
void addValues(const QString &text, Condition *condition)
{
    for (const QString &word : split(text, Or)) {
        const Result<JsonText> json = JsonText::parse(word.toUtf8(), {});
        if (!json || json->root().is(Value::Kind::Array) || json->root().is(Value::Kind::Object))
            condition->states += word;
        else if (json->root().is(Value::Kind::String))
            condition->states += json->root().string();
        else
            condition->values += json->root().json();
    }
}

/// Returns the text of one fact. An ambiguous text is possible: conditionWords() detects it.
QString factText(const Condition &fact)
{
    const bool arePlural =
        fact.text == u"children" || (fact.text.endsWith(u's') && !fact.text.startsWith(u'/'));
    const QString is = arePlural ? u" are "_s : u" is "_s;
    const QString some = fact.some ? u"some "_s : QString();
    switch (fact.kind) {
    case Kind::Label:
        return fact.text;
    case Kind::Not: {
        const Condition &part = fact.parts.first();
        return part.kind == Kind::Related && part.match == Match::In && part.some
            ? u"no"_s + factText(part).sliced(somePrefix.size() - 1)
            : Not.toString() + factText(part);
    }
    case Kind::Related:
        return fact.match == Match::None ? u"no "_s + fact.text
            : fact.match == Match::Any
            ? some + fact.text + u" exist"_s
            : (fact.some || !arePlural ? some : u"all "_s) + fact.text + is + fact.states.join(Or);
    case Kind::Last:
        return u"last was "_s + fact.states.join(Or);
    case Kind::Id:
        return u"id is "_s + fact.states.join(Or);
    case Kind::Required:
        return fact.text.isEmpty() ? u"required"_s : u"required by "_s + fact.text;
    case Kind::Elapsed:
        return u"%1 ms after %2"_s.arg(fact.ms).arg(fact.text);
    case Kind::Property:
        return u"property "_s + fact.text
            + (fact.bound ? u" above %1"_s.arg(*fact.bound) : u" is "_s + valuesText(fact));
    case Kind::Always:
    case Kind::All:
        break;
    }
    return {};
}

/// Parses a fact or (unless `isNegated`) its negation. A text that has no known form is a label.
Condition factFrom(const QString &text, bool isNegated = false)
{
    if (const bool isExclamation = text.startsWith(u'!');
        !isNegated && (isExclamation || text.startsWith(Not)))
        return { .kind = Kind::Not,
            .parts = { factFrom(text.sliced(isExclamation ? 1 : Not.size()).trimmed(), true) } };
    static const QRegularExpression last(u"^last was (.+)$"_s), id(u"^id is (.+)$"_s),
        required(u"^required(?: by (\\S+))?$"_s), elapsed(u"^(\\d{1,15}) ms after (.+)$"_s),
        property(u"^property (\\S+) (?:is (.+)|above (-?\\d{1,15}))$"_s), none(u"^no (\\S+)$"_s),
        noneIn(u"^no (\\S+) (?:is|are) (.+)$"_s),
        related(u"^(some |any |an? |all |every )?(\\S+) (?:(?:is|are) (.+)|exists?)$"_s);
    if (const auto match = last.match(text); match.hasMatch())
        return { .kind = Kind::Last, .states = split(match.captured(1), Or) };
    if (const auto match = id.match(text); match.hasMatch())
        return { .kind = Kind::Id, .states = split(match.captured(1), Or) };
    if (const auto match = required.match(text); match.hasMatch())
        return { .kind = Kind::Required, .text = match.captured(1) };
    if (const auto match = elapsed.match(text); match.hasMatch())
        return {
            .kind = Kind::Elapsed, .text = match.captured(2), .ms = match.captured(1).toLongLong()
        };
    if (const auto match = property.match(text); match.hasMatch()) {
        Condition condition { .kind = Kind::Property, .text = match.captured(1) };
        if (match.hasCaptured(3))
            condition.bound = match.captured(3).toLongLong();
        else
            addValues(match.captured(2), &condition);
        return condition;
    }
    if (const auto match = none.match(text); match.hasMatch())
        return { .kind = Kind::Related, .text = match.captured(1), .match = Match::None };
    if (const auto match = noneIn.match(text); match.hasMatch())
        return { .kind = Kind::Not,
            .parts = { { .kind = Kind::Related,
                .text = match.captured(1),
                .match = Match::In,
                .some = true,
                .states = split(match.captured(2), Or) } } };
    if (const auto match = related.match(text); match.hasMatch())
        return { .kind = Kind::Related,
            .text = match.captured(2),
            .match = match.hasCaptured(3) ? Match::In : Match::Any,
            .some = QStringList { u"some "_s, u"any "_s, u"a "_s, u"an "_s }.contains(
                match.captured(1)),
            .states = split(match.captured(3), Or) };
    return { .kind = Kind::Label, .text = text };
}

Condition conditionFrom(const QString &text)
{
    const auto facts = mapped<QList<Condition>>(
        split(text, And), [](const QString &fact) { return factFrom(fact); });
    return facts.size() == 1 ? facts.first() : Condition { .kind = Kind::All, .parts = facts };
}

/// Returns the first label that reads like a mistyped fact, such as "child is A"; empty: none.
QString mistakenLabel(const Condition &condition)
{
    static const QRegularExpression factLike(u"^(?:no|some|any|all|every) |\\b(?:is|are)\\b"_s);
    if (condition.kind == Kind::Label && factLike.match(condition.text).hasMatch())
        return condition.text;
    for (const Condition &part : condition.parts) {
        if (const QString label = mistakenLabel(part); !label.isEmpty())
            return label;
    }
    return {};
}

bool isJson(const QString &text)
{
    return text.startsWith(u'{') || text.startsWith(u'[') || text.startsWith(u'"');
}

} // namespace

QString conditionWords(const Condition &condition)
{
    const QList<Condition> facts =
        condition.kind == Kind::All ? condition.parts : QList { condition };
    const QString text = mapped<QStringList>(facts, factText).join(And);
    // Words cannot express every condition, for instance a nested one or a name with a space.
    const bool isExact = !text.isEmpty() && !isJson(text) && mistakenLabel(condition).isEmpty()
        && conditionFrom(text) == condition;
    return isExact ? text : QString::fromUtf8(conditionOutput(condition).oneLine());
}

Result<Condition> conditionFromWords(const QString &text)
{
    if (split(text, And).isEmpty())
        return Condition();
    if (!isJson(text)) {
        const Condition condition = conditionFrom(text);
        const QString label = mistakenLabel(condition);
        if (label.isEmpty())
            return condition;
        return Error {
            u"\"%1\" is no known fact; examples are \"self is A or B\", \"some children are A\", \"no children are A\", \"no children\", \"last was A\""_s
                .arg(label)
        };
    }
    const Result<JsonText> json = JsonText::parse(text.toUtf8(), u"condition"_s);
    if (!json)
        return Error { json.error() };
    JsonReader reading(*json);
    const Condition condition = readCondition(reading, json->root());
    if (!reading.isGood())
        return Error { reading.sentence() };
    return condition;
}

} // namespace instar
