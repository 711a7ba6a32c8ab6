// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/misbehaviour.h"
#include "model/engine/simulator.h"
#include "model/http/http.h"

#include <functional>
#include <optional>

namespace instar {

/// Plan for the next operations of a kind on a path: how they end, and faults in their answers.
struct TestPlan
{
    QString op, path; ///< empty: any
    QString outcome;  ///< a trigger's name; empty: succeeded
    std::optional<qint64> duration;
    int transientFailures = 0;
    bool hang = false;
    /// "close", "truncate", "garbage", "invalid-json", "empty", "status:503", "delay:250" (real
    /// ms), or a rule to break, such as "lostUpdate"; empty: none.
    QString fault;
    qint64 times = 1;
    bool refusedToo = false; ///< a request that starts nothing uses it up, too
    bool operator==(const TestPlan &) const = default;

    void apply(Request &request) const;
    /// The status of "status:503"; 0: no such fault.
    int faultStatus() const;
    /// The ms of "delay:250"; 0: no such fault.
    int faultDelay() const;
    /// The rule to break; nothing: at most the answer is spoiled.
    std::optional<Fault> brokenRule() const { return faultNamed(fault); }
};

/// Queue of plans that wait for their operations, the oldest first.
class TestPlans
{
public:
    /// Parses a plan from JSON and checks it against the pack; an error says what is wrong.
    static Result<TestPlan> read(const Rules &rules, const QByteArray &json);

    void add(const TestPlan &plan); ///< keeps a thousand; drops the oldest
    /// Takes the first plan that matches an operation and `suits`, and uses it up once; an empty
    /// one if there is none.
    using Suits = std::function<bool(const TestPlan &plan)>;
    TestPlan take(
        const QString &op, const QString &path, Qt::CaseSensitivity names, const Suits &suits);
    bool isEmpty() const { return m_plans.isEmpty(); }
    void clear() { m_plans.clear(); }

private:
    QList<TestPlan> m_plans;
};

/// Endpoints for testers below /_instar/: the whole world, plans for operations, and a reset.
class TestEndpoints
{
public:
    /// `restart` resets everything. The references must outlive it. Requests that change something
    /// must show the token, unless it is empty.
    TestEndpoints(const Simulator &simulator, TestPlans &plans, QByteArray token,
        std::function<void()> restart);

    static bool isAskedFor(const HttpRequest &http);
    HttpResponse answer(const HttpRequest &http);

private:
    std::optional<HttpResponse> refusal(const HttpRequest &http) const;
    HttpResponse world(const HttpRequest &http) const;
    HttpResponse plan(const HttpRequest &http);
    HttpResponse reset(const HttpRequest &http);

    const Simulator &m_simulator;
    TestPlans &m_plans;
    QByteArray m_token;
    std::function<void()> m_restart;
};

} // namespace instar
