// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"
#include "model/remote/http.h"
#include "model/remote/testplan.h"

#include <functional>
#include <optional>

namespace instar {

/// What a tester asks beside the system's own words, below /_instar/: the whole world, a plan of
/// how operations will end, and the beginning again.
class TestDoor
{
public:
    /// `restart` lets everything begin again. The others must outlive it. What changes something
    /// has to show the token, unless it is empty.
    TestDoor(const Simulator &simulator, TestPlans &plans, QByteArray token,
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
