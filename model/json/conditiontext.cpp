// SPDX-License-Identifier: Apache-2.0
// Conditions in words, as people read and type them: "parent is Deleting and not paid".
#include "model/json/condition.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Condition::Kind;
using Match = Condition::Match;

constexpr QStringView And = u" and ", Or = u" or ", Not = u"not ";

QStringList split(const QString &text, QStringView separator)
{
    QStringList parts;
    for (const QString &part : text.split(separator.toString(), Qt::SkipEmptyParts))
        parts += part.trimmed();
    return parts;
}

/// Returns the text of a property's values. Quotes a string that would be parsed as another JSON
/// value, such as "5".
QString valuesText(const Condition &condition)
{
    QStringList texts;
    for (const QString &text : condition.states)
        texts += JsonText::parse(text.toUtf8(), {}) ? QString::fromUtf8(jsonString(text)) : text;
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

/// Returns the text of one fact, which may be ambiguous: conditionWords() parses it again to check.
QString factText(const Condition &fact)
{
    const QString some = fact.some ? u"some "_s : QString();
    switch (fact.kind) {
    case Kind::Label:
        return fact.text;
    case Kind::Not: {
        const Condition &part = fact.parts.first();
        return part.kind == Kind::Related && part.match == Match::In && part.some
            ? u"no %1 is %2"_s.arg(part.text, part.states.join(Or))
            : Not.toString() + factText(part);
    }
    case Kind::Related:
        return fact.match == Match::None ? u"no "_s + fact.text
            : fact.match == Match::Any   ? some + fact.text + u" exist"_s
                                         : some + fact.text + u" is "_s + fact.states.join(Or);
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

/// Parses one fact, which may be negated. A text in none of the known forms is a label.
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
        related(u"^(some |an? |all |every )?(\\S+) (?:(?:is|are) (.+)|exists?)$"_s);
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
            .some = match.captured(1) == u"some "_s || match.captured(1).startsWith(u"a "_s)
                || match.captured(1).startsWith(u"an "_s),
            .states = split(match.captured(3), Or) };
    return { .kind = Kind::Label, .text = text };
}

Condition conditionFrom(const QString &text)
{
    QList<Condition> facts;
    for (const QString &fact : split(text, And))
        facts += factFrom(fact);
    return facts.size() == 1 ? facts.first() : Condition { .kind = Kind::All, .parts = facts };
}

/// The first label that reads like a fact, and so was probably meant as one; empty: there is none.
QString mistakenLabel(const Condition &condition)
{
    static const QRegularExpression factLike(u"^(?:no|some|all|every) |\\b(?:is|are)\\b"_s);
    if (condition.kind == Kind::Label && factLike.match(condition.text).hasMatch())
        return condition.text;
    for (const Condition &part : condition.parts) {
        if (const QString label = mistakenLabel(part); !label.isEmpty())
            return label;
    }
    return {};
}

/// Returns true if a text begins like JSON rather than like words.
bool isJson(const QString &text)
{
    return text.startsWith(u'{') || text.startsWith(u'[') || text.startsWith(u'"');
}

} // namespace

QString conditionWords(const Condition &condition)
{
    QStringList facts;
    for (const Condition &part :
        condition.kind == Kind::All ? condition.parts : QList { condition })
        facts += factText(part);
    const QString text = facts.join(And);
    // Uses JSON for a condition that the words cannot express, such as a nested one or a name with
    // a space.
    return !text.isEmpty() && !isJson(text) && mistakenLabel(condition).isEmpty()
            && conditionFrom(text) == condition
        ? text
        : QString::fromUtf8(conditionOutput(condition).oneLine());
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
            u"\"%1\" is no known fact; examples are \"self is A or B\", \"some children is A\", \"no children is A\", \"no children\", \"last was A\""_s
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
