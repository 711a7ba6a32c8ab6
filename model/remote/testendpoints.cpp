// SPDX-License-Identifier: Apache-2.0
#include "model/remote/testendpoints.h"

#include "model/items/report.h"
#include "model/json/packnames.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr QByteArrayView Root = "/_instar/";

HttpResponse json(int status, const QJsonObject &object)
{
    HttpResponse response;
    response.status = status;
    response.headers.append("Content-Type", "application/json; charset=UTF-8");
    response.body = QJsonDocument(object).toJson(QJsonDocument::Compact);
    return response;
}

HttpResponse error(int status, const QString &code, const QString &text)
{
    return json(
        status, { { u"error"_s, QJsonObject { { u"code"_s, code }, { u"message"_s, text } } } });
}

HttpResponse wrongMethod(const QByteArray &allowed)
{
    HttpResponse response =
        error(405, u"MethodNotAllowed"_s, u"It takes "_s + QString::fromLatin1(allowed));
    response.headers.append("Allow", allowed);
    return response;
}

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

TestEndpoints::TestEndpoints(
    const Simulator &simulator, TestPlans &plans, QByteArray token, std::function<void()> restart)
    : m_simulator(simulator),
      m_plans(plans),
      m_token(std::move(token)),
      m_restart(std::move(restart))
{ }

bool TestEndpoints::isAskedFor(const HttpRequest &http)
{
    return http.target.startsWith(Root);
}

HttpResponse TestEndpoints::answer(const HttpRequest &http)
{
    QByteArray name = http.target.mid(Root.size());
    if (const qsizetype query = name.indexOf('?'); query >= 0)
        name.truncate(query);
    if (name == "world")
        return world(http);
    if (name == "plan")
        return plan(http);
    if (name == "reset")
        return reset(http);
    return error(404, u"NotFound"_s,
        u"The endpoints are /_instar/world, /_instar/plan and /_instar/reset."_s);
}

/// Error for a request that may change nothing. No web page can send that type or that header.
std::optional<HttpResponse> TestEndpoints::refusal(const HttpRequest &http) const
{
    if (http.method != "POST")
        return wrongMethod("POST");
    const QByteArray type = header(http.headers, "Content-Type").split(';').first().trimmed();
    if (type.compare("application/json", Qt::CaseInsensitive) != 0)
        return error(
            415, u"UnsupportedMediaType"_s, u"It accepts Content-Type: application/json only."_s);
    if (!m_token.isEmpty() && !isSameSecret(header(http.headers, "X-Instar-Token"), m_token))
        return error(403, u"TokenRequired"_s,
            u"It needs X-Instar-Token, the token printed at the start of serving."_s);
    return {};
}

HttpResponse TestEndpoints::world(const HttpRequest &http) const
{
    if (http.method != "GET" && http.method != "HEAD")
        return wrongMethod("GET, HEAD");
    QJsonObject world = worldJson(
        m_simulator.rules(), m_simulator.world(), m_simulator.operations(), m_simulator.records());
    if (m_simulator.forgotten() > 0)
        world.insert(u"recordsForgotten"_s, m_simulator.forgotten());
    world.insert(u"expectations"_s,
        QJsonObject { { u"passed"_s, 0 }, { u"failed"_s, 0 }, { u"failures"_s, QJsonArray() } });
    return json(200, world);
}

HttpResponse TestEndpoints::plan(const HttpRequest &http)
{
    if (const auto problem = refusal(http))
        return *problem;
    const Result<TestPlan> plan = TestPlans::read(m_simulator.rules(), http.body);
    if (!plan)
        return error(400, u"InvalidRequestFormat"_s, plan.error());
    m_plans.add(*plan);
    return json(200, {});
}

HttpResponse TestEndpoints::reset(const HttpRequest &http)
{
    if (const auto problem = refusal(http))
        return *problem;
    m_restart();
    return json(200, {});
}

} // namespace instar
