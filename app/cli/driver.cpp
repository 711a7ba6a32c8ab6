// SPDX-License-Identifier: Apache-2.0
#include "app/cli/driver.h"

#include "app/cli/cli.h"

#include <QJsonDocument>
#include <QScopeGuard>

namespace instar {

namespace {

constexpr int MakeMs = 600'000;        ///< limit for making one resource
constexpr int AnswerMs = 50;           ///< wait for answers before an expectation is checked
constexpr int ReadTreeMs = 30'000;     ///< limit for reading the whole tree
constexpr int MeasuredReadings = 3;    ///< readings of the tree to measure the tolerance
constexpr qint64 Jitter = 100;         ///< ms; inaccuracy of clocks and schedulers
constexpr qint64 MostTolerance = 5000; ///< ms; limit of the measured tolerance
constexpr qint64 WarmMs = 1000;        ///< time to open connections before a burst
constexpr int LossMs = 10'000;         ///< wait for a lost server to come back
constexpr int ReadMs = 200'000;        ///< limit for reading ReadAtOnce resources, with retries
constexpr qsizetype ReadAtOnce = 16;   ///< resources read at the same time
constexpr int LoadMs = 600'000;        ///< limit for the first reading of the tree
/// Polling intervals: at a real server, at the reference server, and during its setup.
constexpr qint64 PollMs = 1000, OwnPollMs = 50, SetupPollMs = 20;
constexpr qint64 MostHeld = 60'000; ///< ms; longest Retry-After that is obeyed

QStringList pathsIn(const ScenarioStep &step)
{
    QStringList paths;
    withPaths(step, [&](const QString &path) {
        paths += path;
        return path;
    });
    return paths;
}

template<typename Value, typename Predicate>
void removeKeys(QMap<QString, Value> *map, Predicate matches)
{
    map->removeIf(
        [&](const std::pair<const QString &, Value &> &entry) { return matches(entry.first); });
}

/// Runs the event loop until the condition holds; returns false if it does not within `ms`.
template<typename Condition>
bool waitFor(qint64 ms, Condition condition)
{
    QElapsedTimer clock;
    clock.start();
    QTimer pulse; // wakes the event loop, so that the condition is checked every 50 ms
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

/// Runs the event loop for `ms`; returns at once if `ms` is negative.
void sleepFor(qint64 ms)
{
    waitFor(ms, [] { return false; });
}

bool isAtOrBelow(const QString &path, const QString &above)
{
    return path.startsWith(above) && (path.size() == above.size() || path[above.size()] == u'/');
}

/// Map from paths in the scenario to paths at a server that chooses the names of resources.
class ServerPaths
{
public:
    /// Records that the server created the resource `requested` at the path `made`.
    void learn(const QString &requested, const QString &made)
    {
        const QString name = requested.section(u'/', -1);
        if (name.startsWith(u'{') && name.endsWith(u'}'))
            m_names.insert(name.sliced(1).chopped(1), made.section(u'/', -1));
        m_moved.removeIf([&](const auto &pair) { return pair.first == requested; });
        m_moved.append({ requested, made });
    }

    /// Returns the path at the server for a path of the scenario.
    QString at(const QString &path) const
    {
        QString result = path;
        for (const auto &[requested, made] : m_moved) {
            if (isAtOrBelow(result, requested))
                result = made + result.sliced(requested.size());
        }
        return named(result, m_names);
    }

    ResourceSpec at(ResourceSpec spec) const
    {
        spec.path = at(spec.path);
        for (QString &reference : spec.references)
            reference = at(reference);
        return spec;
    }

    ScenarioStep at(const ScenarioStep &step) const
    {
        return withPaths(step, [this](const QString &path) { return at(path); });
    }

private:
    QList<std::pair<QString, QString>> m_moved; ///< requested, made; in the order of learn()
    GeneratedNames m_names;
};

/// Planner of a scenario's setup: finds operations that bring its resources to the wanted states,
/// by trying the pack's operations on copies of a world. Its arguments must outlive it.
class SetupPlanner
{
public:
    /// Request that brings a resource to its wanted state, and its result.
    struct Step
    {
        Request request;
        QString state;             ///< state that clients see afterwards
        qsizetype unsatisfied = 0; ///< number of resources not in their wanted state afterwards
        World after;
    };

    /// `takesPlans`: true if a client can tell the server how operations end.
    SetupPlanner(const Scenario &scenario, const Rules &rules, const WireRules &messages,
        const ServerPaths &paths, bool takesPlans)
        : m_rules(rules),
          m_messages(messages),
          m_paths(paths),
          m_takesPlans(takesPlans),
          m_listed(scenario.resources.value_or(rules.pack().sample))
    { }

    /// Resources of the scenario and their ancestors, each after its parent and its references.
    QList<ResourceSpec> wanted(const World &world) const
    {
        QMap<QString, ResourceSpec> byPath;
        const auto key = [&](const QString &path) { return pathKey(world, path); };
        for (const ResourceSpec &spec : m_listed)
            byPath.insert(key(spec.path), spec);
        QList<ResourceSpec> result;
        QSet<QString> done;
        const auto add = [&](const auto &self, const QString &path) -> void {
            if (path.isEmpty() || done.contains(key(path)))
                return;
            done.insert(key(path)); // ends cycles of references
            self(self, path.section(u'/', 0, -3));
            const ResourceSpec spec = byPath.value(key(path), { .path = path });
            for (const QString &reference : spec.references) {
                if (byPath.contains(key(reference)))
                    self(self, reference);
            }
            result += spec;
        };
        for (const ResourceSpec &spec : m_listed)
            add(add, spec.path);
        return result;
    }

    bool isAsWanted(const World &world, const ResourceSpec &spec) const
    {
        const Resource found = world.tree.find(spec.path);
        if (found == NoResource)
            return false;
        if (world.unknownWords.contains(found))
            return spec.state.isEmpty();
        const Rules::StateRule &state = m_rules.state(m_rules.stateOf(world.tree.code(found)));
        if (!spec.state.isEmpty())
            return state.id == spec.state;
        const Rules::StateId rest = m_rules.machines()[size_t(state.machine)].rest;
        // A real server does not let a client choose how operations end, so any state will do.
        return !m_takesPlans || state.id == m_rules.state(rest).id;
    }

    /// Returns true if the resource has its wanted state, or looks to clients as in that state.
    bool looksAsWanted(const World &world, const ResourceSpec &spec) const
    {
        if (isAsWanted(world, spec))
            return true;
        const Resource found = world.tree.find(spec.path);
        if (found == NoResource)
            return false;
        const int machine = m_rules.state(m_rules.stateOf(world.tree.code(found))).machine;
        const Rules::StateId state = m_rules.stateNamed(machine, spec.state);
        return state != Rules::None && m_rules.state(state).shown != Rules::None
            && m_rules.word(m_rules.state(state).shown) == shownAt(world, spec.path);
    }

    /// Returns the state that a resource shows; empty if there is no resource.
    QString shownAt(const World &world, const QString &path) const
    {
        const Resource resource = world.tree.find(path);
        return resource == NoResource ? QString() : shownWord(m_rules, world, resource);
    }

    /// The first operation that brings a resource to its wanted state; throws if there is none.
    Step stepFor(const World &world, const ResourceSpec &spec) const
    {
        if (const std::optional<Step> step = bestStep(world, spec, {}))
            return *step;
        throw CommandError { u"no operation of the pack brings %1 to %2%3"_s.arg(spec.path,
                                 spec.state.isEmpty() ? u"rest"_s : spec.state,
                                 m_takesPlans ? QString() : u" on a server without test plans"_s),
            Exit::Failed };
    }

    /// Returns the operation after which the fewest resources lack their wanted state; absent if
    /// none lacks it now. `unsatisfiedBefore`: number that lacked it at the previous call; is
    /// updated. Throws if the number has not decreased, or if no operation helps.
    std::optional<Step> stepToFix(
        const World &world, const QList<ResourceSpec> &wanted, qsizetype *unsatisfiedBefore) const
    {
        const QList<ResourceSpec> left = unsatisfied(world, wanted);
        if (left.isEmpty())
            return {};
        const auto tops = mapped<QSet<QString>>(left,
            [&](const ResourceSpec &spec) { return pathKey(world, RemoteWorld::top(spec.path)); });
        std::optional<Step> best;
        for (const ResourceSpec &spec : wanted) {
            if (!tops.contains(pathKey(world, RemoteWorld::top(spec.path))))
                continue;
            const std::optional<Step> step = bestStep(world, spec, wanted);
            if (step && step->unsatisfied < (best ? best->unsatisfied : left.size()))
                best = step;
            if (best && best->unsatisfied == 0)
                break;
        }
        if (best && left.size() < std::exchange(*unsatisfiedBefore, left.size()))
            return best;
        const ResourceSpec &first = left.first();
        const QString shown = shownAt(world, first.path);
        throw CommandError {
            u"%1 cannot be brought to %2: preparing the other resources leaves %1 in the state %3; serve the scenario with --tree"_s
                .arg(first.path, first.state.isEmpty() ? u"rest"_s : first.state,
                    shown.isEmpty() ? u"absent"_s : shown),
            Exit::Failed
        };
    }

private:
    QList<ResourceSpec> unsatisfied(const World &world, QList<ResourceSpec> wanted) const
    {
        wanted.removeIf([&](const ResourceSpec &spec) { return looksAsWanted(world, spec); });
        return wanted;
    }

    /// Returns the operation that brings a resource to its wanted state and leaves the fewest of
    /// `others` unsatisfied, the first of several; absent if no operation does.
    std::optional<Step> bestStep(
        const World &world, const ResourceSpec &spec, const QList<ResourceSpec> &others) const
    {
        World start = world;
        start.running.clear();
        start.busy.clear();
        QStringList outcomes { QString() };
        if (m_takesPlans) {
            for (const Rules::TriggerId outcome : m_rules.outcomes())
                outcomes += m_rules.triggerName(outcome);
        }
        constexpr int mostTriedEvents = 10'000;
        std::optional<Step> best;
        for (const QString &outcome : std::as_const(outcomes)) {
            for (const QString &op : m_rules.pack().operationNames()) {
                Request request { .op = op, .path = spec.path, .outcome = outcome };
                request.duration = 0;
                request.properties = spec.properties;
                request.references = spec.references;
                for (const ResourceSpec &listed : m_listed) { // the body describes descendants, too
                    const ResourceSpec placed = m_paths.at(listed);
                    if (placed.path.startsWith(request.path + u'/')
                        && m_messages.isRequired(request.op, request.path, placed.path))
                        request.requests.insert(
                            placed.path, { placed.properties, placed.references, {} });
                }
                Simulator simulator(m_rules, start);
                simulator.submit(request);
                const PersistentList<Operation> &operations = simulator.operations().all();
                for (int left = mostTriedEvents; left > 0 && !operations.first().isOver(); --left) {
                    if (!simulator.step())
                        break;
                }
                const World &after = simulator.world();
                if (operations.first().status == Status::Rejected || !isAsWanted(after, spec))
                    continue;
                const qsizetype remaining = unsatisfied(after, others).size();
                if (!best || remaining < best->unsatisfied)
                    best = Step { request, shownAt(after, spec.path), remaining, after };
                if (best->unsatisfied == 0)
                    return best;
            }
        }
        return best;
    }

    const Rules &m_rules;
    const WireRules &m_messages;
    const ServerPaths &m_paths;
    bool m_takesPlans = false;
    QList<ResourceSpec> m_listed; ///< the wanted resources, with the scenario's paths
};

/// Player of a scenario at a server. The reference server (`serve`) accepts test plans, which say
/// how an operation will end; a real server does not.
class ScenarioDriver
{
public:
    ScenarioDriver(const Scenario &scenario, const Rules &rules, const DriveOptions &options)
        : m_scenario(scenario),
          m_rules(rules),
          m_messages(rules),
          m_options(options),
          m_etags(scenario.steps)
    {
        m_run.tolerance = options.tolerance.value_or(0);
    }

    DriveResult run()
    {
        const auto reportsAtEnd = qScopeGuard([this] { reportOpenExchanges(); });
        connectToServer();
        if (m_options.isDryRun) {
            listRequests();
        } else {
            prepare();
            play();
        }
        m_run.unknownEnds = unknownEnds();
        return std::move(m_run);
    }

private:
    const World &world() const { return m_run.controller->world(); }

    void reportOpenExchanges()
    {
        for (const Exchange &exchange : std::exchange(m_openExchanges, {}))
            m_options.exchanged(exchange);
    }

    // ---- The server

    /// Connects to the server and detects the reference server. Throws if no answer comes.
    void connectToServer()
    {
        const Connection::Options &options = m_options.remote.connection;
        m_direct = valueOf(Connection::make(options));
        const Connection::Answer answer =
            answerTo({ .method = "GET", .target = "/_instar/world" }, maskedUrl(options.server));
        if (!answer.isAnswered || answer.isRefused)
            throw CommandError { answer.problem, Exit::Unreachable };
        m_takesPlans = answer.response && answer.response->status == 200
            && QJsonDocument::fromJson(answer.response->body).isObject();
        m_planner.emplace(m_scenario, m_rules, m_messages, m_paths, m_takesPlans);
    }

    /// Sends a request without the controller and waits for the answer. Throws if none comes.
    Connection::Answer answerTo(const HttpRequest &request, const QString &server)
    {
        std::optional<Connection::Answer> answer;
        Connection::RemoteRequest remoteRequest;
        remoteRequest.request = request;
        m_direct->send(remoteRequest, [&](const Connection::Answer &given) { answer = given; });
        // Four times the limit of one answer, because a sign-in may precede the request.
        const qint64 limit = 4 * qint64(m_options.remote.connection.timeoutMs);
        if (!waitFor(limit, [&] { return answer.has_value(); }))
            throw CommandError { u"%1 does not answer"_s.arg(server), Exit::Unreachable };
        return *answer;
    }

    void requireServer() const
    {
        if (!waitFor(LossMs,
                [this] { return m_run.controller->state() != RemoteController::State::Lost; }))
            throw CommandError { m_run.controller->stateText(), Exit::Unreachable };
    }

    /// Replaces the controller by a new one without a history, and reads the tree.
    void openController()
    {
        m_checker.reset();
        reportOpenExchanges();
        RemoteController::Options remote = m_options.remote;
        remote.transitionalRefreshMs = int(pollMs());
        remote.connection.signIn = m_direct->signIn(); // keeps the token
        m_run.controller = std::make_unique<RemoteController>(m_rules, remote);
        valueOf(m_run.controller->open());
        const RemoteController *const controller = m_run.controller.get();
        QObject::connect(controller, &RemoteController::exchanged, &m_receiver,
            [this, before = m_run.exchanges](Exchange exchange) {
                exchange.number += before; // continues the numbers of earlier controllers
                m_run.exchanges = std::max(m_run.exchanges, exchange.number);
                if (!exchange.isOver()) {
                    m_openExchanges.insert(exchange.number, exchange);
                    return;
                }
                m_openExchanges.remove(exchange.number);
                m_options.exchanged(exchange);
            });
        QObject::connect(
            controller, &RemoteController::problem, &m_receiver, [this](const QString &text) {
                if (!m_run.remarks.contains(text))
                    m_run.remarks += text;
            });
        QObject::connect(controller, &RemoteController::burstFinished, &m_receiver,
            [this](const BurstReport &report) {
                double longest = 0;
                for (const BurstShot &shot : report.shots)
                    longest = std::max(longest, shot.durationMs);
                m_run.bursts.append(
                    { std::max<qint64>(0, m_clock.elapsed() - qint64(longest)), report });
            });
        QObject::connect(
            controller, &RemoteController::progressed, &m_receiver, [](int done, int known) {
                showProgress(u"reading the tree: %1 of %2"_s.arg(done).arg(known));
            });
        const auto isOver = [this] {
            return m_run.controller->state() != RemoteController::State::Loading;
        };
        waitFor(LoadMs, isOver);
        showProgress({});
        if (m_run.controller->state() != RemoteController::State::Ready)
            throw CommandError { m_run.controller->stateText(), Exit::Unreachable };
        readNamed();
    }

    /// Paths of the resources that the scenario names, each after its ancestors.
    QStringList namedPaths() const
    {
        QStringList paths;
        QSet<QString> done;
        const auto add = [&](const QString &path) {
            for (int level = 2; level <= path.count(u'/'); level += 2) {
                const QString part = path.section(u'/', 0, level);
                const QString key = pathKey(world(), part);
                const bool isResource =
                    !part.contains(u'{') && m_rules.machineForType(typePathOf(part)) != Rules::None;
                if (isResource && !done.contains(key)) {
                    done.insert(key);
                    paths += part;
                }
            }
        };
        for (const ResourceSpec &spec : m_planner->wanted(world()))
            add(m_paths.at(spec.path));
        for (const ScenarioStep &step : m_scenario.steps) {
            for (const QString &path : pathsIn(m_paths.at(step)))
                add(path);
        }
        return paths;
    }

    /// Returns true if the server names the resource or an ancestor; no request can overwrite it
    /// then.
    bool isNamedByServer(const QString &path) const
    {
        const QStringList operations = m_rules.pack().operationNames();
        for (int level = 2; level <= path.count(u'/'); level += 2) {
            const QString part = path.section(u'/', 0, level);
            if (std::ranges::any_of(operations, [&](const QString &op) {
                    return m_messages.serverChoosesName({ .op = op, .path = part });
                }))
                return true;
        }
        return false;
    }

    /// Reads everything that the scenario names. Throws if the existence of a resource stays
    /// unknown: creating it could overwrite it.
    void readNamed()
    {
        const QStringList paths = namedPaths();
        for (qsizetype i = 0; i < paths.size(); i += ReadAtOnce) {
            m_run.controller->find(paths.mid(i, ReadAtOnce));
            waitFor(ReadMs, [this] { return !m_run.controller->isFinding(); });
            requireServer();
            showProgress(u"reading the scenario's resources: %1 of %2"_s.arg(i).arg(paths.size()));
        }
        showProgress({});
        using Existence = RemoteController::Existence;
        for (const QString &path : paths) {
            if (m_options.remote.createsUnknown || isNamedByServer(path)
                || m_run.controller->existence(path) != Existence::Unknown)
                continue;
            QString why = m_run.controller->readingProblem(path);
            if (why.endsWith(u'.'))
                why.chop(1);
            throw CommandError {
                u"nothing was written, because %1 may already exist: %2; use --create to write anyway"_s
                    .arg(path, why.isEmpty() ? u"the resource could not be read"_s : why),
                Exit::Unreachable
            };
        }
    }

    qint64 pollMs() const { return m_options.poll.value_or(m_takesPlans ? OwnPollMs : PollMs); }

    /// Returns the request with a request id, by which a server recognizes a repetition.
    static Request withRequestId(Request request)
    {
        if (request.requestId.isEmpty())
            request.requestId = freshId();
        return request;
    }

    /// Reads the whole tree, after the time that the server asked for (Retry-After).
    void readTree()
    {
        const qint64 held = m_run.controller->mayRefreshAt() - QDateTime::currentMSecsSinceEpoch();
        sleepFor(std::min(held, MostHeld));
        m_run.controller->refresh();
        waitFor(ReadTreeMs, [this] { return !m_run.controller->isRefreshing(); });
    }

    /// Tells the reference server how the request's operation will end: its outcome, duration,
    /// transient failures or hang. Does nothing if none of these is planned, or at a real server.
    void plan(const Request &request)
    {
        const bool isUsual = request.outcome.isEmpty() && !request.duration
            && !request.transientFailures && !request.hang;
        if (!m_takesPlans || isUsual)
            return;
        QJsonObject plan { { u"op"_s, request.op }, { u"refusedToo"_s, true },
            { u"transientFailures"_s, request.transientFailures }, { u"hang"_s, request.hang } };
        if (!m_messages.serverChoosesName(request))
            plan.insert(u"path"_s, request.path);
        if (!request.outcome.isEmpty())
            plan.insert(u"outcome"_s, request.outcome);
        if (request.duration)
            plan.insert(u"duration"_s, *request.duration);
        HttpRequest http { .method = "POST", .target = "/_instar/plan" };
        http.headers = { { "Content-Type", "application/json" } };
        if (const QByteArray token = qgetenv("INSTAR_TEST_TOKEN").trimmed(); !token.isEmpty())
            http.headers.append("X-Instar-Token", token);
        http.body = QJsonDocument(plan).toJson(QJsonDocument::Compact);
        const Connection::Answer answer = answerTo(http, u"the server"_s);
        if (!answer.response)
            throw CommandError { answer.problem, Exit::Unreachable };
        if (answer.response->status == 403)
            throw CommandError {
                u"the server rejects the plan of %1 %2 without its token: set INSTAR_TEST_TOKEN to the token that serve printed, or use serve --no-token"_s
                    .arg(request.op, request.path),
                Exit::Failed
            };
        if (answer.response->status >= 300)
            throw CommandError { u"the server rejects the plan of operation %1: %2"_s.arg(
                                     request.id, QString::fromUtf8(answer.response->body)),
                Exit::Failed };
    }

    bool isTransitional(const QString &path) const
    {
        const Tree &tree = world().tree;
        const Resource found = tree.find(path);
        return found != NoResource
            && m_rules.state(m_rules.stateOf(tree.code(found))).isTransitional();
    }

    /// Returns true if the resource is in a transitional state and does not show the wanted one
    /// yet.
    bool isUnfinished(const ResourceSpec &spec) const
    {
        return isTransitional(spec.path) && !m_planner->looksAsWanted(world(), spec);
    }

    /// Brings a resource to its wanted state by one operation, unless it has that state or is
    /// changing to it.
    void prepareResource(const ResourceSpec &spec)
    {
        waitFor(MakeMs, [&] { return !isUnfinished(spec); });
        if (m_planner->isAsWanted(world(), spec)
            || (isTransitional(spec.path) && m_planner->looksAsWanted(world(), spec)))
            return;
        showProgress(u"creating %1"_s.arg(spec.path));
        execute(m_planner->stepFor(world(), spec));
    }

    void execute(const SetupPlanner::Step &step)
    {
        plan(step.request);
        const quint32 serial = m_run.controller->submit(withRequestId(step.request));
        const auto isOver = [&] { return m_run.controller->operations().find(serial)->isOver(); };
        QElapsedTimer clock;
        clock.start();
        while (!isOver() && clock.elapsed() < MakeMs) {
            if (m_takesPlans)
                m_run.controller->pollNow(); // the operation is planned to last 0 ms
            waitFor(m_takesPlans && !m_options.poll ? SetupPollMs : pollMs(), isOver);
            requireServer();
        }
        const Operation operation = *m_run.controller->operations().find(serial);
        if (operation.path != step.request.path)
            m_paths.learn(step.request.path, operation.path);
        const QString shown = m_planner->shownAt(world(), operation.path);
        if (operation.isOver() && shown == step.state)
            return;
        throw CommandError {
            u"%1 could not be prepared by %2: the resource is %3%4"_s.arg(step.request.path,
                operation.op, shown.isEmpty() ? u"absent"_s : shown,
                operation.errorCode.isEmpty()
                    ? QString()
                    : u"; %1: %2"_s.arg(operation.errorCode, operation.errorMessage)),
            Exit::Failed
        };
    }

    /// Restores resources that changed while others were created: runs operations as long as each
    /// brings more resources to their wanted states.
    void restoreChanged(const QList<ResourceSpec> &wanted)
    {
        for (qsizetype before = wanted.size() + 1;;) {
            readTree();
            waitFor(MakeMs, [&] {
                return std::ranges::none_of(
                    wanted, [&](const ResourceSpec &spec) { return isUnfinished(spec); });
            });
            requireServer();
            const std::optional<SetupPlanner::Step> best =
                m_planner->stepToFix(world(), wanted, &before);
            if (!best)
                return;
            execute(*best);
        }
    }

    void prepare()
    {
        openController();
        const QList<ResourceSpec> all = m_planner->wanted(world());
        QList<ResourceSpec> prepared;
        for (const ResourceSpec &spec : all) {
            prepareResource(m_paths.at(spec));
            prepared += m_paths.at(spec);
        }
        restoreChanged(prepared);
        showProgress({});
        m_run.controller.reset();
        m_run.bursts.clear();
    }

    void addUnsent(std::optional<qint64> at, const Request &request)
    {
        const Result<HttpRequest> http = m_run.controller->wouldSend(request);
        if (!http)
            throw CommandError { http.error(), Exit::Failed };
        m_run.unsent.append({ at, request, m_run.controller->url(http->target), *http });
    }

    /// Lists the requests that prepare() and play() would send and that depend on no answer.
    void listRequests()
    {
        openController();
        World after = world();
        const auto add = [&](const SetupPlanner::Step &step) {
            after = step.after;
            addUnsent({}, step.request);
        };
        const QList<ResourceSpec> all = m_planner->wanted(after);
        for (const ResourceSpec &spec : all) {
            if (!m_planner->looksAsWanted(after, spec))
                add(m_planner->stepFor(after, spec));
        }
        qsizetype before = all.size() + 1;
        while (const std::optional<SetupPlanner::Step> step =
                   m_planner->stepToFix(after, all, &before))
            add(*step);
        for (const ScenarioStep *step : stepsInTime()) {
            if (step->kind == ScenarioStep::Kind::Submit)
                addUnsent(step->at, withRequestId(step->request));
        }
    }

    /// Sets the tolerance to Jitter plus four times the longest of a few readings, at most
    /// MostTolerance: observations, requests and plans are each delayed by up to one reading.
    void measureTolerance()
    {
        if (m_options.tolerance)
            return;
        qint64 longest = 0;
        for (int i = 0; i < MeasuredReadings; ++i) {
            QElapsedTimer clock;
            clock.start();
            readTree();
            requireServer();
            longest = std::max(longest, clock.elapsed());
        }
        m_run.tolerance = std::min(Jitter + 4 * longest, MostTolerance);
    }

    QList<const ScenarioStep *> stepsInTime() const
    {
        QList<const ScenarioStep *> steps;
        for (const ScenarioStep &step : m_scenario.steps)
            steps += &step;
        std::ranges::stable_sort(steps, {}, &ScenarioStep::at);
        return steps;
    }

    void play()
    {
        m_clock.start();
        openController();
        measureTolerance();
        m_checker =
            std::make_unique<ExpectationChecker>(m_scenario, *m_run.controller, m_run.played);
        const QList<const ScenarioStep *> steps = stepsInTime();
        if (!steps.isEmpty() && steps.first()->kind == ScenarioStep::Kind::Submit)
            warm(std::ranges::count_if(steps,
                     [&](const ScenarioStep *step) {
                         return step->at == steps.first()->at
                             && step->kind == ScenarioStep::Kind::Submit;
                     }),
                WarmMs);
        m_clock.start();
        m_run.controller->setEpoch(QDateTime::currentMSecsSinceEpoch());
        for (qsizetype i = 0; i < steps.size();) {
            const qint64 at = steps[i]->at;
            if (steps[i]->kind == ScenarioStep::Kind::Expect) {
                const bool isLast = ++i == steps.size();
                examine(*steps[i - 1], isLast ? at + m_run.tolerance : steps[i]->at);
                continue;
            }
            QList<const ScenarioStep *> together;
            const auto belongs = [&](const ScenarioStep *step) {
                return step->at == at && step->kind == ScenarioStep::Kind::Submit
                    && std::ranges::none_of(together,
                        [&](const ScenarioStep *other) { return makesNameFor(*other, *step); });
            };
            for (; i < steps.size() && belongs(steps[i]); ++i)
                together += steps[i];
            fire(together);
        }
        awaitEnd();
    }

    /// Opens connections in advance, so that requests leave close together; waits up to `limit` ms.
    void warm(qsizetype requests, qint64 limit)
    {
        m_run.controller->prepare(int(requests));
        waitFor(limit, [&] { return m_run.controller->isReadyFor(int(requests)); });
    }

    /// Fires simultaneous steps as one burst, on connections that are open already.
    void fire(const QList<const ScenarioStep *> &steps)
    {
        QList<Request> requests;
        for (const ScenarioStep *step : steps) {
            awaitNames(*step);
            const Request request =
                withRequestId(m_etags.withEtag(*step, m_paths.at(*step).request));
            plan(request);
            requests += request;
        }
        requireServer();
        const qint64 at = steps.first()->at;
        sleepFor(at - WarmMs - m_clock.elapsed());
        warm(requests.size(), std::max(at - m_clock.elapsed(), WarmMs));
        sleepFor(at - m_clock.elapsed());
        m_run.controller->fireTogether(requests);
        for (const Request &request : std::as_const(requests)) {
            if (m_messages.serverChoosesName(request))
                m_unnamed.insert(request.id, request.path);
        }
        m_fired = m_clock.elapsed();
        for (const ScenarioStep *step : steps)
            rememberEtags(*step);
    }

    /// Reads the etags that later steps send back, after the step's operation has changed them.
    void rememberEtags(const ScenarioStep &step)
    {
        if (!m_etags.isNeeded(step))
            return;
        if (step.kind == ScenarioStep::Kind::Submit) {
            waitFor(ReadTreeMs, [&] {
                const Operation *operation = m_run.controller->operations().find(step.request.id);
                return operation && (operation->started || operation->isOver());
            });
            readTree();
        }
        m_etags.store(
            step, *m_run.controller, [this](const QString &path) { return m_paths.at(path); });
    }

    /// Returns true if `step` refers to a resource that `maker` creates and the server names.
    bool makesNameFor(const ScenarioStep &maker, const ScenarioStep &step) const
    {
        if (!m_messages.serverChoosesName(maker.request))
            return false;
        const QStringList paths = pathsIn(step);
        const QString hole = u"/{%1}"_s.arg(maker.request.id);
        return std::ranges::any_of(paths, [&](const QString &path) {
            return isAtOrBelow(path, maker.request.path) || path.contains(hole);
        });
    }

    /// Records the names that the server has chosen since the last call.
    void learnNames()
    {
        m_unnamed.removeIf([this](const std::pair<const QString &, QString &> &entry) {
            const Operation *operation = m_run.controller->operations().find(entry.first);
            if (operation->path != entry.second)
                m_paths.learn(entry.second, operation->path);
            return operation->path != entry.second || operation->isOver();
        });
    }

    /// Returns the ids of the operations that create resources whose names the step still awaits.
    QStringList awaitedNames(const ScenarioStep &step) const
    {
        QStringList operations;
        for (const ScenarioStep &maker : m_scenario.steps) {
            if (m_unnamed.contains(maker.request.id) && makesNameFor(maker, step))
                operations += maker.request.id;
        }
        return operations;
    }

    /// Waits for the names that a step uses, except those from operations planned to hang.
    void awaitNames(const ScenarioStep &step)
    {
        const auto isAwaited = [this](const QString &id) {
            return !mayHang(*m_run.controller->operations().find(id));
        };
        waitFor(m_timeoutMs, [&] {
            learnNames();
            return std::ranges::none_of(awaitedNames(step), isAwaited);
        });
    }

    /// Returns the step without the expectations that cannot be checked; adds a remark on each.
    ScenarioStep checkablePart(const ScenarioStep &step)
    {
        learnNames();
        ScenarioStep left = step;
        for (const QString &id : awaitedNames(step)) {
            const QString path = m_unnamed.value(id);
            const auto isHidden = [&](const QString &other) {
                return isAtOrBelow(m_paths.at(other), path);
            };
            removeKeys(&left.expectation.resources, isHidden);
            removeKeys(&left.expectation.properties, isHidden);
            m_run.remarks +=
                u"%1 ms: the expectations of %2 were not checked, because the server had not yet reported the resource's name"_s
                    .arg(step.at)
                    .arg(path);
        }
        for (const QString &remark : removeUnobservable(&left))
            m_run.remarks += u"%1 ms: %2"_s.arg(step.at).arg(remark);
        return m_paths.at(left);
    }

    /// Removes expectations of operations that the server does not report. Returns remarks on them.
    QStringList removeUnobservable(ScenarioStep *step) const
    {
        QStringList remarks;
        Expectation &expected = step->expectation;
        const auto isStep = [this](const QString &id) {
            return std::ranges::any_of(
                m_scenario.steps, [&](const ScenarioStep &one) { return one.request.id == id; });
        };
        const QStringList ids = expected.operations.keys() + expected.errors.keys();
        for (const QString &id : QSet<QString>(ids.begin(), ids.end())) {
            const Operation *operation = m_run.controller->operations().find(id);
            const QString status = expected.operations.value(id);
            const bool isWaiting = status == statusName(Status::Waiting);
            QString remark;
            if (!isStep(id)) {
                expected.errors.remove(id);
                remark =
                    u"operation %1 was not checked, because the server starts the operation by itself"_s;
            } else if (!operation || operation->isOver()) {
                continue;
            } else if (!operation->started
                && (isWaiting || status == statusName(Status::InProgress))) {
                remark =
                    u"the status of operation %1 (running) was not checked, because its request had no answer yet"_s;
            } else if (operation->status == Status::InProgress && isWaiting) {
                remark =
                    u"the status of operation %1 (waiting) was not checked, because the server reports only the ends of accepted operations"_s;
            } else {
                continue;
            }
            expected.operations.remove(id);
            remarks += remark.arg(id);
        }
        remarks.sort();
        return remarks;
    }

    /// Checks an expectation repeatedly until it holds. Begins one tolerance before its time,
    /// after a short wait for the answers to earlier requests. The last check is one tolerance
    /// after its time, or at the next step's time, `next`, if that comes first.
    void examine(const ScenarioStep &step, qint64 next)
    {
        const auto isAnswered = [this] {
            return std::ranges::all_of(m_run.controller->operations().all(),
                [](const Operation &one) { return one.started || one.isOver(); });
        };
        const qint64 tolerance = m_run.tolerance, least = std::min(Jitter, tolerance);
        const qint64 until = step.at + std::clamp(next - step.at, least, tolerance);
        sleepFor(step.at - tolerance - m_clock.elapsed());
        waitFor(m_fired + AnswerMs - m_clock.elapsed(), isAnswered);
        for (;;) {
            const bool isLast = m_clock.elapsed() >= until;
            readTree();
            requireServer();
            ScenarioStep checked = m_paths.at(step);
            removeUnobservable(&checked);
            if (isLast || m_checker->failures(checked).isEmpty())
                break;
            const qint64 time = m_clock.elapsed();
            const qint64 again = std::min(time + pollMs(), time < step.at ? step.at : until);
            sleepFor(std::min(again, until) - time);
        }
        m_checker->examine(checkablePart(step));
        rememberEtags(step);
    }

    /// Returns true if the operation is planned to hang at the reference server.
    bool mayHang(const Operation &operation) const
    {
        return m_takesPlans && std::ranges::any_of(m_scenario.steps, [&](const ScenarioStep &step) {
            return step.request.hang && step.request.id == operation.id;
        });
    }

    /// Waits until every operation has ended that is not planned to hang.
    void awaitEnd()
    {
        const auto openIds = [&] {
            QStringList ids;
            for (const Operation &one : m_run.controller->operations().all()) {
                if (!one.isOver() && !mayHang(one))
                    ids += one.id;
            }
            return ids;
        };
        const auto isQuiet = [&] { return openIds().isEmpty(); };
        QElapsedTimer clock;
        clock.start();
        while (!isQuiet() && clock.elapsed() < m_timeoutMs) {
            if (m_takesPlans)
                m_run.controller->pollNow();
            const qint64 left = m_timeoutMs - clock.elapsed();
            waitFor(std::clamp<qint64>(left, 0, pollMs()), isQuiet);
            showProgress(u"waiting for the end of %1"_s.arg(openIds().mid(0, 5).join(u", "_s)));
            requireServer();
        }
        readTree();
        showProgress({});
        m_run.played.quiescent = isQuiet();
    }

    QStringList unknownEnds() const
    {
        QStringList ends;
        for (const Operation &operation : m_run.controller->operations().all()) {
            if (operation.isOver()
                && (operation.errorCode == u"Lost" || operation.errorCode == u"Forgotten"))
                ends += u"%1: %2"_s.arg(operation.id, operation.errorMessage);
            else if (!operation.isOver() && !mayHang(operation))
                ends +=
                    u"%1: the operation had not ended %2 s after the last step; use --timeout to wait longer."_s
                        .arg(operation.id, QString::number(m_options.timeout));
        }
        return ends;
    }

    const Scenario &m_scenario;
    const Rules &m_rules;
    const WireRules m_messages;
    const DriveOptions &m_options;
    const qint64 m_timeoutMs = qint64(m_options.timeout * 1000);
    ServerPaths m_paths;
    QMap<QString, QString> m_unnamed; ///< operation's id -> requested path, until the name is known
    std::unique_ptr<Connection> m_direct;  ///< for requests to "/_instar/..."
    bool m_takesPlans = false;             ///< the server is the reference server
    std::optional<SetupPlanner> m_planner; ///< once the server is reached
    DriveResult m_run;                     ///< the result so far
    std::unique_ptr<ExpectationChecker> m_checker;
    ObservedEtags m_etags;
    QMap<quint64, Exchange> m_openExchanges; ///< by number
    QElapsedTimer m_clock;
    qint64 m_fired = 0; ///< time of the last burst (ms)
    QObject m_receiver; ///< disconnects the controller's signals when the driver ends
};

} // namespace

DriveResult drive(const Scenario &scenario, const Rules &rules, const DriveOptions &options)
{
    return ScenarioDriver(scenario, rules, options).run();
}

} // namespace instar
