// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/misbehaviour.h"
#include "model/engine/simulator.h"
#include "model/remote/http.h"

#include <functional>
#include <optional>

namespace instar {

/// How the next operations of a kind on a path will end, and what goes wrong with their answers.
struct TestPlan
{
    QString op, path; ///< empty: any
    QString outcome;  ///< a trigger's name; empty: succeeded
    std::optional<qint64> duration;
    int transientFailures = 0;
    bool hang = false;
    /// "close", "truncate", "garbage", "invalid-json", "empty", "status:503", "delay:250" (real
    /// ms), or a rule that is broken, such as "lostUpdate"; empty: none.
    QString fault;
    qint64 times = 1;
    bool refusedToo = false; ///< a request that starts nothing uses it up, too
    bool operator==(const TestPlan &) const = default;

    void apply(Request &request) const;
    /// The status of "status:503"; 0: no such fault.
    int faultStatus() const;
    /// The ms of "delay:250"; 0: no such fault.
    int faultDelay() const;
    /// The rule that is broken; nothing: at most the answer is spoiled.
    std::optional<Fault> brokenRule() const { return faultNamed(fault); }
};

/// Plans that wait for their operations, the oldest first.
class TestPlans
{
public:
    /// A plan as JSON, checked against the pack; or what is wrong with it.
    static Result<TestPlan> read(const Rules &rules, const QByteArray &json);

    void add(const TestPlan &plan); ///< a thousand wait at most; the oldest goes
    /// The plan of an operation, which is then used up once; an empty one where none fits that
    /// `suits`.
    using Suits = std::function<bool(const TestPlan &plan)>;
    TestPlan take(
        const QString &op, const QString &path, Qt::CaseSensitivity names, const Suits &suits);
    bool isEmpty() const { return m_plans.isEmpty(); }
    void clear() { m_plans.clear(); }

private:
    QList<TestPlan> m_plans;
};

/// What a tester asks beside the system's own words, below /_instar/: the whole world, a plan of
/// how operations will end, and the beginning again.
class TestEndpoints
{
public:
    /// `restart` lets everything begin again. The others must outlive it. What changes something
    /// has to show the token, unless it is empty.
    TestEndpoints(const Simulator &simulator, TestPlans &plans, QByteArray token,
        std::function<void()> restart);

    static bool isAskedFor(const HttpRequest &http);
    HttpResponse answer(const HttpRequest &http);

private:
    std::optional<HttpResponse> objection(const HttpRequest &http) const;
    HttpResponse world(const HttpRequest &http) const;
    HttpResponse plan(const HttpRequest &http);
    HttpResponse reset(const HttpRequest &http);

    const Simulator &m_simulator;
    TestPlans &m_plans;
    QByteArray m_token;
    std::function<void()> m_restart;
};

} // namespace instar
