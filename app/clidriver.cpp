// SPDX-License-Identifier: Apache-2.0
#include "app/clidriver.h"

#include "model/remote/masking.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int AnswerMs = 100;         ///< how long an expectation waits for the first answers
constexpr int LookMs = 30'000;        ///< how long a look at everything may take
constexpr qint64 Patience = 500;      ///< ms that what is expected may be late
constexpr qint64 LeastPatience = 100; ///< also where the next step follows at once
constexpr int MakeMs = 600'000;       ///< for one missing resource
constexpr int SilenceMs = 120'000;    ///< after the last step, without anything happening
constexpr int LossMs = 10'000;        ///< how long a lost server may take to come back

/// Lets events happen until the condition holds; false: it did not within so many ms.
template<typename Condition>
bool waited(qint64 ms, Condition condition)
{
    QElapsedTimer clock;
    clock.start();
    QTimer pulse;
    pulse.setTimerType(Qt::PreciseTimer);
    while (!condition()) {
        const qint64 left = ms - clock.elapsed();
        if (left <= 0)
            return false;
        pulse.start(int(std::min<qint64>(left, 50)));
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return true;
}

QString upTo(const QString &path)
{
    return path.section(u'/', 0, -3);
}

} // namespace

ScenarioDriver::ScenarioDriver(
    const Scenario &scenario, const Rules &rules, RemoteController::Options options)
    : m_scenario(scenario), m_rules(rules), m_options(std::move(options))
{ }

std::optional<Trouble> ScenarioDriver::drive()
{
    for (const auto &part :
        { &ScenarioDriver::reach, &ScenarioDriver::prepare, &ScenarioDriver::play }) {
        if (auto trouble = (this->*part)())
            return trouble;
    }
    return {};
}

// ---- The server

std::optional<Trouble> ScenarioDriver::reach()
{
    Connection::Options options = m_options.connection;
    Result<std::unique_ptr<Connection>> made = Connection::make(options);
    if (!made)
        return Trouble { Exit::Unusable, made.error() };
    m_own = std::move(*made);
    Connection::Errand errand;
    errand.request.method = "GET";
    errand.request.target = "/_instar/world";
    std::optional<Connection::Answer> answer;
    m_own->send(errand, [&](const Connection::Answer &given) { answer = given; });
    waited(options.timeoutMs + 1000, [&] { return answer.has_value(); });
    if (!answer || !answer->response)
        return Trouble { Exit::Unreachable,
            answer ? answer->problem : u"%1 does not answer"_s.arg(maskedUrl(options.server)) };
    m_takesPlans = answer->response->status == 200
        && QJsonDocument::fromJson(answer->response->body).isObject();
    return {};
}

std::optional<Trouble> ScenarioDriver::lost() const
{
    if (waited(LossMs, [this] { return m_controller->state() != RemoteController::State::Lost; }))
        return {};
    return Trouble { Exit::Unreachable, m_controller->stateText() };
}

/// A controller that knows the tree, and nothing of what was before.
std::optional<Trouble> ScenarioDriver::connectAnew()
{
    m_examiner.reset();
    m_controller = std::make_unique<RemoteController>(m_rules, m_options);
    if (const auto opened = m_controller->open(); !opened)
        return Trouble { Exit::Unusable, opened.error() };
    QObject::connect(m_controller.get(), &RemoteController::exchanged, m_controller.get(),
        [this](const Exchange &exchange) { m_exchanges.insert(exchange.number, exchange); });
    QObject::connect(m_controller.get(), &RemoteController::volleyed, m_controller.get(),
        [this](const VolleyReport &report) {
            double longest = 0;
            for (const VolleyShot &shot : report.shots)
                longest = std::max(longest, shot.durationMs);
            m_volleys.append({ std::max<qint64>(0, m_clock.elapsed() - qint64(longest)), report });
        });
    QObject::connect(m_controller.get(), &RemoteController::progressed, m_controller.get(),
        [](int done, int known) {
            showProgress(u"reading the tree: %1 of %2"_s.arg(done).arg(known));
        });
    const auto isOver = [this] {
        return m_controller->state() != RemoteController::State::Loading;
    };
    waited(600'000, isOver);
    showProgress({});
    if (m_controller->state() != RemoteController::State::Ready)
        return Trouble { Exit::Unreachable, m_controller->stateText() };
    return {};
}

void ScenarioDriver::look()
{
    m_controller->look();
    waited(LookMs, [this] { return !m_controller->isAsking(); });
}

std::optional<Trouble> ScenarioDriver::plan(const Request &request)
{
    const bool isUsual = request.outcome.isEmpty() && !request.duration
        && !request.transientFailures && !request.hang;
    if (!m_takesPlans || isUsual)
        return {};
    QJsonObject plan { { u"path"_s, request.path }, { u"op"_s, request.op }, { u"times"_s, 1 } };
    if (!request.outcome.isEmpty())
        plan.insert(u"outcome"_s, request.outcome);
    if (request.duration)
        plan.insert(u"duration"_s, *request.duration);
    if (request.transientFailures)
        plan.insert(u"transientFailures"_s, request.transientFailures);
    if (request.hang)
        plan.insert(u"hang"_s, true);
    Connection::Errand errand;
    errand.request.method = "POST";
    errand.request.target = "/_instar/plan";
    errand.request.headers = { { "Content-Type", "application/json" } };
    errand.request.body = QJsonDocument(plan).toJson(QJsonDocument::Compact);
    std::optional<Connection::Answer> answer;
    m_own->send(errand, [&](const Connection::Answer &given) { answer = given; });
    waited(m_options.connection.timeoutMs + 1000, [&] { return answer.has_value(); });
    if (!answer || !answer->response)
        return Trouble { Exit::Unreachable,
            answer ? answer->problem : u"the server does not answer"_s };
    if (answer->response->status >= 300)
        return Trouble { Exit::Failed,
            u"the server does not take the plan of operation %1: %2"_s.arg(
                request.id, QString::fromUtf8(answer->response->body)) };
    return {};
}

// ---- The resources

/// What the scenario lists or names above them, each behind its parent and what it refers to.
QList<ResourceSpec> ScenarioDriver::wanted() const
{
    const QList<ResourceSpec> listed = m_scenario.resources.value_or(m_rules.pack().sample);
    QMap<QString, ResourceSpec> byPath;
    QStringList order;
    const auto key = [this](const QString &path) { return pathKey(m_controller->world(), path); };
    for (const ResourceSpec &spec : listed) {
        byPath.insert(key(spec.path), spec);
        order += spec.path;
    }
    QList<ResourceSpec> result;
    QSet<QString> done;
    const auto add = [&](const auto &self, const QString &path) -> void {
        if (path.isEmpty() || done.contains(key(path)))
            return;
        done.insert(key(path)); // circles of references end here
        self(self, upTo(path));
        const ResourceSpec spec = byPath.value(key(path), { .path = path });
        for (const QString &reference : spec.references) {
            if (byPath.contains(key(reference)))
                self(self, reference);
        }
        result += spec;
    };
    for (const QString &path : std::as_const(order))
        add(add, path);
    return result;
}

/// The pack's first operation that brings the resource where it is to be, tried on a copy of what
/// is there.
std::optional<ScenarioDriver::Way> ScenarioDriver::wayTo(const ResourceSpec &spec) const
{
    const World &there = m_controller->world();
    const auto shownIn = [&](const World &world) {
        const Resource resource = world.tree.find(spec.path);
        return resource == NoResource ? QString() : m_rules.shown(world.tree.code(resource));
    };
    World start = there;
    start.running.clear();
    start.busy.clear();
    QStringList outcomes { QString() };
    if (m_takesPlans) {
        for (const Rules::TriggerId outcome : m_rules.outcomes())
            outcomes += m_rules.triggerName(outcome);
    }
    for (const QString &outcome : std::as_const(outcomes)) {
        for (const QString &op : m_rules.pack().operationNames()) {
            Request request { .op = op, .path = spec.path, .outcome = outcome };
            request.duration = 0;
            request.properties = spec.properties;
            request.references = spec.references;
            Simulator simulator(m_rules, start);
            simulator.submit(request);
            simulator.runUntilQuiet(10'000);
            const QString shown = shownIn(simulator.world());
            const Resource made = simulator.world().tree.find(spec.path);
            if (made == NoResource)
                continue;
            const Rules::StateId state = m_rules.stateOf(simulator.world().tree.code(made));
            const Rules::StateId rest =
                m_rules.machines()[size_t(m_rules.state(state).machine)].rest;
            if (m_rules.state(state).id
                == (spec.state.isEmpty() ? m_rules.state(rest).id : spec.state))
                return Way { request, shown };
        }
    }
    return {};
}

std::optional<Trouble> ScenarioDriver::make(const ResourceSpec &spec)
{
    const World &world = m_controller->world();
    const auto shown = [&] {
        const Resource resource = world.tree.find(spec.path);
        return resource == NoResource ? QString() : m_rules.shown(world.tree.code(resource));
    };
    const auto isAsWanted = [&] {
        const Resource there = world.tree.find(spec.path);
        if (there == NoResource)
            return false;
        const Rules::StateRule &state = m_rules.state(m_rules.stateOf(world.tree.code(there)));
        const Rules::StateId rest = m_rules.machines()[size_t(state.machine)].rest;
        return state.id == (spec.state.isEmpty() ? m_rules.state(rest).id : spec.state);
    };
    const auto moves = [&] {
        const Resource there = world.tree.find(spec.path);
        return there != NoResource
            && m_rules.state(m_rules.stateOf(world.tree.code(there))).isTransitional();
    };
    waited(MakeMs, [&] { return !moves(); });
    const bool isThere = world.tree.find(spec.path) != NoResource;
    if (isAsWanted() || (isThere && !m_takesPlans && spec.state.isEmpty()))
        return {}; // a real resource is left as it is
    showProgress(u"making %1"_s.arg(spec.path));
    std::optional<Way> way = wayTo(spec);
    if (!way) {
        return Trouble { Exit::Failed,
            u"%1 cannot be brought to %2: no operation of the pack does that%3"_s.arg(spec.path,
                spec.state.isEmpty() ? u"rest"_s : spec.state,
                m_takesPlans ? QString() : u" on a server that takes no plans"_s) };
    }
    if (auto trouble = plan(way->request))
        return trouble;
    const quint32 serial = m_controller->submit(way->request);
    const auto isOver = [&] { return m_controller->operations().find(serial)->isOver(); };
    QElapsedTimer clock;
    clock.start();
    while (!isOver() && clock.elapsed() < MakeMs) {
        if (m_takesPlans)
            m_controller->askNow(); // it was planned to take no time
        waited(m_takesPlans ? 20 : 1000, isOver);
        if (auto trouble = lost())
            return trouble;
    }
    const Operation operation = *m_controller->operations().find(serial);
    if (!operation.isOver() || shown() != way->state) {
        return Trouble { Exit::Failed,
            u"%1 could not be made by %2: it is %3%4"_s.arg(spec.path, operation.op,
                shown().isEmpty() ? u"absent"_s : shown(),
                operation.errorCode.isEmpty()
                    ? QString()
                    : u"; %1: %2"_s.arg(operation.errorCode, operation.errorMessage)) };
    }
    return {};
}

std::optional<Trouble> ScenarioDriver::prepare()
{
    if (auto trouble = connectAnew())
        return trouble;
    for (const ResourceSpec &spec : wanted()) {
        if (auto trouble = make(spec))
            return trouble;
    }
    showProgress({});
    m_controller.reset();
    m_exchanges.clear();
    m_volleys.clear();
    return {};
}

// ---- The steps

std::optional<Trouble> ScenarioDriver::play()
{
    m_clock.start();
    if (auto trouble = connectAnew())
        return trouble;
    m_examiner = std::make_unique<Examiner>(m_scenario, *m_controller, m_played);
    QList<const ScenarioStep *> steps;
    for (const ScenarioStep &step : m_scenario.steps)
        steps += &step;
    std::ranges::stable_sort(steps, {}, &ScenarioStep::at);
    m_clock.start();
    for (qsizetype i = 0; i < steps.size();) {
        const qint64 at = steps[i]->at;
        if (steps[i]->kind == ScenarioStep::Kind::Expect) {
            waited(at - m_clock.elapsed(), [] { return false; });
            const qint64 next = i + 1 < steps.size() ? steps[i + 1]->at : at + Patience;
            if (auto trouble = examine(*steps[i], std::clamp(next - at, LeastPatience, Patience)))
                return trouble;
            ++i;
            continue;
        }
        QList<const ScenarioStep *> together;
        for (;
             i < steps.size() && steps[i]->at == at && steps[i]->kind == ScenarioStep::Kind::Submit;
             ++i)
            together += steps[i];
        if (auto trouble = fire(together))
            return trouble;
    }
    return awaitEnd();
}

std::optional<Trouble> ScenarioDriver::fire(const QList<const ScenarioStep *> &steps)
{
    QList<Request> requests;
    for (const ScenarioStep *step : steps) {
        if (auto trouble = plan(step->request))
            return trouble;
        requests += step->request;
    }
    if (auto trouble = lost())
        return trouble;
    waited(steps.first()->at - m_clock.elapsed(), [] { return false; });
    m_controller->fireTogether(requests);
    return {};
}

std::optional<Trouble> ScenarioDriver::examine(const ScenarioStep &step, qint64 patience)
{
    const auto isAnswered = [this] {
        return std::ranges::all_of(m_controller->operations().all(),
            [](const Operation &one) { return one.started || one.isOver(); });
    };
    waited(AnswerMs, isAnswered);
    QElapsedTimer clock;
    clock.start();
    for (;;) {
        look();
        if (auto trouble = lost())
            return trouble;
        if (m_examiner->failures(step).isEmpty() || clock.elapsed() >= patience)
            break;
        waited(20, [] { return false; });
    }
    m_examiner->examine(step);
    return {};
}

/// Until every operation is over that ends by itself.
std::optional<Trouble> ScenarioDriver::awaitEnd()
{
    QSet<QString> hanging;
    for (const ScenarioStep &step : m_scenario.steps) {
        if (step.request.hang)
            hanging.insert(step.request.id);
    }
    const auto isQuiet = [&] {
        return std::ranges::all_of(m_controller->operations().all(),
            [&](const Operation &one) { return one.isOver() || hanging.contains(one.id); });
    };
    qsizetype seen = -1;
    QElapsedTimer silence;
    while (!isQuiet()) {
        if (seen != m_controller->records().size()) {
            seen = m_controller->records().size();
            silence.start();
        }
        if (silence.elapsed() > SilenceMs)
            break;
        if (m_takesPlans)
            m_controller->askNow();
        waited(m_takesPlans ? 100 : 1000, isQuiet);
        showProgress(u"waiting for the last operations"_s);
        if (auto trouble = lost())
            return trouble;
    }
    look();
    showProgress({});
    m_played.quiescent = isQuiet();
    return {};
}

} // namespace instar
