// SPDX-License-Identifier: Apache-2.0
#include "model/items/sentences.h"

#include "model/items/words.h"
#include "model/json/condition.h"
#include "model/pack/describe.h"

#include <QCoreApplication>

namespace instar {

namespace {

struct Sentences
{
    Q_DECLARE_TR_FUNCTIONS(instar::Sentences)
};

QString refusedText(const QString &subject, const Change &change)
{
    const QString code =
        change.http ? u"%1 (%2)"_s.arg(change.code, QString::number(change.http)) : change.code;
    //: an operation, the code of its refusal, the message of the refusal
    const QString text = Sentences::tr("%1 refused: %2, %3").arg(subject, code, change.message);
    //: a refusal, and the row that refused
    return change.rule.isEmpty() ? text : Sentences::tr("%1 Rule: %2").arg(text, change.rule);
}

} // namespace

QString stateName(const Rules &rules, Rules::StateId state)
{
    return state == Rules::None ? QString() : rules.state(state).id;
}

QString wordTitle(const Rules &rules, int machine, const QString &word)
{
    const State *row = machine < 0 ? nullptr : rules.pack().machines[machine].state(word);
    return row && !row->label.isEmpty() ? row->label.simplified() : word;
}

QString stateTitle(const Rules &rules, Rules::StateId state)
{
    return state == Rules::None
        ? QString()
        : wordTitle(rules, rules.state(state).machine, rules.state(state).id);
}

QString shownTitle(const Rules &rules, const World &world, Resource resource)
{
    return wordTitle(
        rules, rules.stateIn(world.tree.code(resource)).machine, shownWord(rules, world, resource));
}

QMap<QString, qint64> titleCounts(const Rules &rules, const World &world)
{
    QMap<QString, qint64> counts;
    for (int code = 0; code < rules.codeCount(); ++code) {
        const int machine = rules.stateIn(Code(code)).machine;
        QString title = wordTitle(rules, machine, rules.shown(Code(code)));
        if (machine > 0) // separate counts for each machine, since each has its own chart
            title += u" (%1)"_s.arg(shownTitle(rules.pack().machines[machine]).toLower());
        if (const qint64 count = world.tree.counts()[code])
            counts[title] += count;
    }
    return counts;
}

QString displayPath(const QString &path)
{
    const QStringList segments = path.split(u'/', Qt::SkipEmptyParts);
    QStringList ids;
    for (qsizetype i = 1; i < segments.size(); i += 2)
        ids += segments[i];
    return ids.isEmpty() ? path : ids.join(u'/');
}

QString changeText(const Rules &rules, const OperationLog &operations, const Change &change)
{
    const Operation *operation = operations.find(change.operation);
    const QString subject =
        operation ? u"%1 %2 %3"_s.arg(operation->id, operation->op, operation->path) : change.path;
    const QString other = operations.idOf(change.other);
    const QString to = stateTitle(rules, change.to);
    QString fromTo = u"%1 → %2"_s.arg(stateTitle(rules, change.from), to);
    if (change.moved > 1)
        fromTo += u", "_s + Sentences::tr("%Ln resources moved", nullptr, int(change.moved));
    switch (change.kind) {
    case Change::Kind::Sent:
        return Sentences::tr("%1 was sent; the answer is pending").arg(subject);
    case Change::Kind::Started:
        return to.isEmpty() ? Sentences::tr("%1 started, according to the server").arg(subject)
                            //: an operation, and from which state to which
                            : Sentences::tr("%1 started: %2").arg(subject, fromTo);
    case Change::Kind::Queued:
        return Sentences::tr("%1 was accepted and waits for %2").arg(subject, other);
    case Change::Kind::Rejected:
        return refusedText(subject, change);
    case Change::Kind::Replayed:
        return Sentences::tr("%1 got the stored answer of %2: same request id").arg(subject, other);
    case Change::Kind::Observed:
        return change.transition == Rules::None
            ? Sentences::tr("%1 was done at once and changed nothing").arg(subject)
            //: an operation changes properties of a resource that stays in its state
            : Sentences::tr("%1 was done at once and changed properties").arg(subject);
    case Change::Kind::Worked:
        //: an operation, how its work ended, how often it was tried, from which state to which
        return Sentences::tr("%1: work %2 after attempt %3: %4")
            .arg(subject, rules.triggerName(change.outcome), QString::number(change.attempts),
                fromTo);
    case Change::Kind::Began:
        return Sentences::tr("%1 tries again").arg(subject);
    case Change::Kind::Closed:
        return u"%1 %2: %3%4"_s.arg(subject, rules.triggerName(change.outcome), fromTo,
            change.code.isEmpty() ? QString() : u" (%1)"_s.arg(change.code));
    case Change::Kind::Canceled:
        return other.isEmpty() ? Sentences::tr("%1 was canceled by hand").arg(subject)
                               : Sentences::tr("%1 was canceled by %2").arg(subject, other);
    case Change::Kind::Settled:
        return other.isEmpty()
            ? Sentences::tr(
                "resources that %1 had moved returned to rest: %Ln", nullptr, int(change.moved))
                  .arg(subject)
            : Sentences::tr("resources that %1 had moved now belong to %2").arg(subject, other);
    case Change::Kind::Violated:
        return Sentences::tr("%1 in state %2 breaks a rule: %3")
            .arg(change.path, stateTitle(rules, change.from), change.rule);
    case Change::Kind::Reported:
        //: a resource at a server
        if (!change.code.isEmpty())
            return Sentences::tr("%1 was observed in %2, a state that the pack does not define")
                .arg(change.path, change.code);
        return change.moved
            ? Sentences::tr("%1 was observed: %2").arg(change.path, fromTo)
            : Sentences::tr("%1 was observed: changed, still in %2").arg(change.path, to);
    }
    Q_UNREACHABLE();
}

QString waitText(const Rules &rules, const Running &running)
{
    if (running.phase != Running::Phase::Until)
        return {};
    const Step *row = rules.stepRow(running.work, running.cursor);
    if (!row)
        return {};
    const QString words = conditionWords(row->until);
    return words.startsWith(u'{') && !row->about.isEmpty() // only JSON can express the condition
        ? row->about
        : Sentences::tr("waits until %1").arg(words);
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
        text = u"until %1"_s.arg(conditionWords(step.until));
        break;
    }
    if (step.condition != Condition())
        text += u" if %1"_s.arg(conditionWords(step.condition));
    return text;
}

QString assignmentsText(const QList<Assignment> &assignments)
{
    QStringList parts;
    for (const Assignment &each : assignments) {
        const QString value = each.value.toVariant().toString();
        if (each.add)
            parts += *each.add < 0 ? Sentences::tr("%1 decreases by %2")
                                         .arg(each.property, QString::number(-*each.add))
                                   : Sentences::tr("%1 increases by %2")
                                         .arg(each.property, QString::number(*each.add));
        else
            parts += each.value.isNull() ? Sentences::tr("no %1").arg(each.property)
                                         : Sentences::tr("%1 = %2").arg(each.property, value);
    }
    return parts.join(Sentences::tr(", "));
}

QString branchName(const Simulator::Branch &branch)
{
    if (!branch.name.isEmpty())
        return branch.name;
    if (branch.id == 0)
        return Sentences::tr("First run");
    if (branch.records.isEmpty())
        return Sentences::tr("Branch %1").arg(branch.id);
    const Event &event = branch.records.first().event;
    const QString time = timeText(event.time);
    if (const auto &request = event.request) //: an operation, its target, a time
        return Sentences::tr("%1 %2 at %3").arg(request->op, request->path.section(u'/', -1), time);
    return (event.kind == Event::Kind::Cancel ? Sentences::tr("Canceled at %1")
                                              : Sentences::tr("From %1"))
        .arg(time);
}

} // namespace instar
