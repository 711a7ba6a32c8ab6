// SPDX-License-Identifier: Apache-2.0
#include "model/items/conditiontext.h"

#include "model/items/words.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct ConditionWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::Condition)
};

QString relatedText(const Condition &condition)
{
    const QString &who = condition.text;
    const QString states = condition.states.join(ConditionWords::tr(" or "));
    switch (condition.match) {
    case Condition::Match::None:
        return ConditionWords::tr("it has no %1").arg(who);
    case Condition::Match::Any:
        return ConditionWords::tr("it has %1").arg(who);
    case Condition::Match::In:
        break;
    }
    return condition.some ? ConditionWords::tr("some of its %1 are %2").arg(who, states)
                          : ConditionWords::tr("all of its %1 are %2").arg(who, states);
}

} // namespace

QString conditionText(const Condition &condition)
{
    switch (condition.kind) {
    case Condition::Kind::Always:
        return {};
    case Condition::Kind::Label:
        return condition.text;
    case Condition::Kind::All: {
        QStringList parts;
        for (const Condition &part : condition.parts)
            parts += conditionText(part);
        return parts.join(ConditionWords::tr(" and "));
    }
    case Condition::Kind::Not:
        return condition.parts.isEmpty()
            ? QString()
            : ConditionWords::tr("not: %1").arg(conditionText(condition.parts.first()));
    case Condition::Kind::Related:
        return relatedText(condition);
    case Condition::Kind::Last:
        return ConditionWords::tr("it last rested as %1")
            .arg(condition.states.join(ConditionWords::tr(" or ")));
    case Condition::Kind::Id:
        return ConditionWords::tr("its name is %1")
            .arg(condition.states.join(ConditionWords::tr(" or ")));
    case Condition::Kind::Required:
        return ConditionWords::tr("another operation required this one");
    case Condition::Kind::Elapsed:
        return ConditionWords::tr("%1 have passed since %2")
            .arg(timeText(condition.ms), condition.text);
    case Condition::Kind::Property:
        return condition.bound
            ? ConditionWords::tr("its %1 is above %2").arg(condition.text).arg(*condition.bound)
            : ConditionWords::tr("its %1 is %2")
                  .arg(condition.text, condition.words().join(ConditionWords::tr(" or ")));
    }
    return {};
}

QString stepText(const Step &step)
{
    using Kind = Step::Kind;
    QString text;
    switch (step.kind) {
    case Kind::Attempt:
        text = step.name.isEmpty() ? u"attempt"_s : u"attempt, usually %1"_s.arg(step.name);
        break;
    case Kind::Require:
        text = u"require %1 of %2"_s.arg(step.name, step.to.join(u", "_s));
        break;
    case Kind::Send:
        text = u"send %1 to %2"_s.arg(
            step.name.isEmpty() ? step.byOutcome.values().join(u"/"_s) : step.name,
            step.to.join(u", "_s));
        break;
    case Kind::Decide:
        text = u"decide %1"_s.arg(step.name);
        break;
    case Kind::Until:
        text = u"until %1"_s.arg(conditionText(step.until));
        break;
    }
    if (step.condition != Condition())
        text += u" if %1"_s.arg(conditionText(step.condition));
    return text;
}

QString assignmentsText(const QList<Assignment> &assignments)
{
    QStringList parts;
    for (const Assignment &each : assignments) {
        const QString value = each.value.toVariant().toString();
        if (each.add)
            parts += *each.add < 0
                ? ConditionWords::tr("%1 less by %2").arg(each.property).arg(-*each.add)
                : ConditionWords::tr("%1 more by %2").arg(each.property).arg(*each.add);
        else
            parts += each.value.isNull() ? ConditionWords::tr("no %1").arg(each.property)
                                         : ConditionWords::tr("%1 = %2").arg(each.property, value);
    }
    return parts.join(ConditionWords::tr(", "));
}

} // namespace instar
