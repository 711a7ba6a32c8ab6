// SPDX-License-Identifier: Apache-2.0
#include "model/remote/testplan.h"

#include "model/formats/packnames.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype MostPlans = 1000;

bool isFault(const QString &text)
{
    static const QRegularExpression known(
        u"^(close|truncate|garbage|invalid-json|empty|status:[1-5][0-9][0-9]|delay:[0-9]{1,6})$"_s);
    return known.match(text).hasMatch() || faultNamed(text);
}

QString faultNames()
{
    QStringList names { u"close"_s, u"truncate"_s, u"garbage"_s, u"invalid-json"_s, u"empty"_s,
        u"status:NNN"_s, u"delay:MS"_s };
    for (const FaultWords &row : faults())
        names += row.name;
    const QString last = names.takeLast();
    return names.join(u", "_s) + u" or "_s + last;
}

} // namespace

void TestPlan::apply(Request &request) const
{
    request.outcome = outcome;
    request.duration = duration;
    request.transientFailures = transientFailures;
    request.hang = hang;
}

int TestPlan::faultStatus() const
{
    return fault.startsWith(u"status:") ? fault.mid(7).toInt() : 0;
}

int TestPlan::faultDelay() const
{
    return fault.startsWith(u"delay:") ? fault.mid(6).toInt() : 0;
}

Result<TestPlan> TestPlans::read(const Rules &rules, const QByteArray &json)
{
    const Result<JsonText> document = JsonText::parse(json, u"the plan"_s);
    if (!document)
        return Error { document.error() };
    Reading reading(*document);
    const PackNames names(reading, rules.pack());
    const Fields fields(reading, document->root(),
        { "path", "op", "outcome", "duration", "transientFailures", "hang", "fault", "times",
            "refusedToo" });
    TestPlan plan;
    plan.path = fields.text("path");
    if (!plan.path.isEmpty())
        names.checkPath(fields.value("path"), plan.path);
    plan.op = fields.text("op");
    if (!plan.op.isEmpty())
        names.checkOperation(fields.value("op"), plan.op);
    if (const Value outcome = fields.value("outcome"))
        plan.outcome = names.outcome(outcome, reading.text(outcome));
    if (fields.has("duration"))
        plan.duration = fields.whole("duration");
    plan.transientFailures = int(std::min<qint64>(fields.whole("transientFailures"), 1'000'000));
    plan.hang = fields.flag("hang");
    plan.refusedToo = fields.flag("refusedToo");
    plan.fault = fields.text("fault");
    if (!plan.fault.isEmpty() && !isFault(plan.fault))
        reading.expected(faultNames(), fields.value("fault"));
    plan.times = std::max<qint64>(fields.whole("times", 1), 1);
    if (!reading.isGood())
        return Error { reading.sentence() };
    return plan;
}

void TestPlans::add(const TestPlan &plan)
{
    if (m_plans.size() >= MostPlans)
        m_plans.removeFirst();
    m_plans += plan;
}

TestPlan TestPlans::take(
    const QString &op, const QString &path, Qt::CaseSensitivity names, const Suits &suits)
{
    const auto found = std::ranges::find_if(m_plans, [&](const TestPlan &plan) {
        return (plan.op.isEmpty() || plan.op == op)
            && (plan.path.isEmpty() || plan.path.compare(path, names) == 0) && suits(plan);
    });
    if (found == m_plans.end())
        return {};
    const TestPlan plan = *found;
    if (--found->times <= 0)
        m_plans.erase(found);
    return plan;
}

} // namespace instar
