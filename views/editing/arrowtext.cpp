// SPDX-License-Identifier: Apache-2.0
#include "views/editing/arrowtext.h"

#include "model/formats/condition.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr QStringView And = u" and ", Not = u"not ";

struct ArrowWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::ArrowText)
};

/// Whether a label can stand among words and be told from them.
bool isPlain(const QString &label)
{
    return !label.isEmpty() && label == label.simplified() && !label.contains(And)
        && !label.startsWith(Not) && !label.startsWith(u'!') && !label.contains(u'[')
        && !label.contains(u']') && !label.startsWith(u'{') && !label.startsWith(u'"');
}

bool isPlainFact(const Condition &condition)
{
    if (condition.kind == Condition::Kind::Not)
        return condition.parts.first().kind == Condition::Kind::Label
            && isPlain(condition.parts.first().text);
    return condition.kind == Condition::Kind::Label && isPlain(condition.text);
}

QString factText(const Condition &condition)
{
    return condition.kind == Condition::Kind::Not ? Not.toString() + condition.parts.first().text
                                                  : condition.text;
}

QString conditionWords(const Condition &condition)
{
    if (isPlainFact(condition))
        return factText(condition);
    if (condition.kind == Condition::Kind::All && condition.parts.size() > 1
        && std::ranges::all_of(condition.parts, isPlainFact)) {
        QStringList words;
        for (const Condition &part : condition.parts)
            words += factText(part);
        return words.join(And);
    }
    return QString::fromUtf8(Output(conditionOutput(condition)).text()).simplified();
}

Condition labelIn(const QString &word)
{
    const bool isContrary = word.startsWith(Not) || word.startsWith(u'!');
    Condition label { .kind = Condition::Kind::Label };
    label.text = isContrary ? word.sliced(word.startsWith(u'!') ? 1 : Not.size()).trimmed() : word;
    if (!isContrary)
        return label;
    Condition result { .kind = Condition::Kind::Not };
    result.parts = { label };
    return result;
}

Result<Condition> conditionIn(const QString &text)
{
    if (text.isEmpty())
        return Condition();
    if (text.startsWith(u'{') || text.startsWith(u'[') || text.startsWith(u'"')) {
        const Result<JsonText> json = JsonText::parse(text.toUtf8(), ArrowWords::tr("condition"));
        if (!json)
            return Error { json.error() };
        Reading reading(*json);
        const Condition condition = readCondition(reading, json->root());
        if (!reading.isGood())
            return Error { reading.sentence() };
        return condition;
    }
    Condition all { .kind = Condition::Kind::All };
    for (const QString &word : text.split(And.toString(), Qt::SkipEmptyParts))
        all.parts += labelIn(word.trimmed());
    return all.parts.size() == 1 ? all.parts.first() : all;
}

} // namespace

QString arrowText(const ArrowText &arrow)
{
    const QString on = arrow.on.join(u", "_s);
    if (arrow.condition.kind == Condition::Kind::Always)
        return on;
    return u"%1 [%2]"_s.arg(on, conditionWords(arrow.condition));
}

Result<ArrowText> readArrowText(const QString &text)
{
    const qsizetype open = text.indexOf(u'[');
    ArrowText result;
    for (const QString &word : (open < 0 ? text : text.first(open)).split(u',')) {
        const QString name = word.trimmed();
        if (!name.isEmpty() && !result.on.contains(name))
            result.on += name;
    }
    if (open < 0)
        return result;
    QString inside = text.sliced(open + 1).trimmed();
    if (inside.endsWith(u']'))
        inside.chop(1);
    Result<Condition> condition = conditionIn(inside.trimmed());
    if (!condition)
        return Error { condition.error() };
    result.condition = *std::move(condition);
    return result;
}

} // namespace instar
