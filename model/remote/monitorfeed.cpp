// SPDX-License-Identifier: Apache-2.0
#include "model/remote/monitorfeed.h"

namespace instar {

namespace {

/// Limits of the monitor's search; untimed, because the server's clock is unknown.
constexpr ConformanceMonitor::Bounds Bounds { .worlds = 500, .tried = 5'000, .untimed = true };

/// Returns true if a resource at work may look absent, or at rest in a state that it never reached.
bool hidesWork(const Rules &rules)
{
    return std::ranges::any_of(rules.states(), [&](const Rules::StateRule &state) {
        const Rules::StateId initial = rules.machines()[size_t(state.machine)].initial;
        return state.isTransitional()
            && (state.shown == Rules::None || state.shown == rules.state(initial).word);
    });
}

} // namespace

MonitorFeed::MonitorFeed(const Rules &rules)
    : m_rules(rules), m_hidesWork(hidesWork(rules)), m_interpreter(rules), m_monitor(rules, Bounds)
{ }

void MonitorFeed::take(const Exchange &exchange)
{
    std::optional<InterpretedExchange> interpreted = m_interpreter.interpreted(exchange);
    if (!exchange.isOver()) {
        if (interpreted && interpreted->request)
            takeRequest(exchange, *interpreted);
        else if (interpreted)
            m_open.insert(exchange.number, interpreted->from);
        return;
    }
    m_open.remove(exchange.number);
    if (!interpreted)
        return;
    m_isChanged = true;
    for (const auto &resource : std::as_const(interpreted->resources))
        m_changedTrees.insert(m_interpreter.treeOf(resource.observation.path));
    if (!interpreted->unnamed.isEmpty())
        m_listed.remove(interpreted->unnamed);
    // Observations go first: a violation in a resource's state says more than one in an answer.
    if (interpreted->request)
        takeRequest(exchange, *interpreted);
    else
        takeReadings(*interpreted);
    takeObservations(*interpreted);
    if (interpreted->request)
        m_monitor.answered(*interpreted->request, !interpreted->serverOperations.isEmpty());
}

void MonitorFeed::takeRequest(const Exchange &exchange, InterpretedExchange &interpreted)
{
    RecordedRequest &recorded = *interpreted.request;
    QString id = m_fired.take(exchange.number);
    if (id.isEmpty()) {
        id = recorded.request.id;
        const int *used = m_idUses.object(id);
        const int before = used ? *used : 0;
        m_idUses.insert(id, new int(before + 1));
        if (before) // the request was sent again
            id += u"#%1"_s.arg(before + 1);
        recorded.line = ++m_line;
        recorded.request.id = id;
        begin(recorded.request.path);
        m_changedTrees.insert(m_interpreter.treeOf(recorded.request.path));
        m_monitor.sent(recorded);
        m_isChanged = true;
    }
    if (!exchange.isOver()) {
        m_fired.insert(exchange.number, id);
        return;
    }
    recorded.request.id = id;
    recorded.line = ++m_line;
    for (const QString &operation : std::as_const(interpreted.serverOperations))
        m_operations.insert(operation, new QString(id));
}

void MonitorFeed::takeObservations(const InterpretedExchange &interpreted)
{
    QList<QList<Observation>> trees;
    for (const auto &[observation, message] : interpreted.resources) {
        const bool isOfLastTree = interpreted.isSnapshot && !trees.isEmpty()
            && m_interpreter.treeOf(trees.last().first().path)
                == m_interpreter.treeOf(observation.path);
        if (!isOfLastTree)
            trees.append(QList<Observation>());
        trees.last() += stamped(observation);
    }
    for (const QList<Observation> &snapshot : std::as_const(trees))
        m_monitor.observed(snapshot);
    if (!interpreted.status)
        return;
    if (const QString *request = m_operations.object(interpreted.status->operation)) {
        Observation status = stamped(*interpreted.status);
        status.operation = *request;
        m_monitor.observed(status);
    }
}

/// Returns the observation with a unique line number, by which a history refers to it.
Observation MonitorFeed::stamped(Observation observation)
{
    observation.line = ++m_line;
    return observation;
}

void MonitorFeed::ended(const QString &path, const QDateTime &now)
{
    const QString tree = m_interpreter.treeOf(path);
    if (--m_running[tree] > 0)
        return;
    m_running.remove(tree);
    if (m_monitor.lostWhy(tree))
        m_idleSince.insert(tree, m_interpreter.timeOf(now) + 1); // `now` was truncated to ms
}

void MonitorFeed::pollingFailed(const QString &path, const QDateTime &now)
{
    ++m_unpolled[m_interpreter.treeOf(path)];
    ended(path, now);
}

void MonitorFeed::connectionLost(const QDateTime &now)
{
    m_monitor.loseAll(ConformanceMonitor::Why::Unwatched, m_interpreter.timeOf(now) + 1);
    for (const ConformanceMonitor::Lost &lost : m_monitor.lost())
        m_changedTrees.unite(QSet<QString>(lost.trees.begin(), lost.trees.end()));
    m_readings.clear();
    m_listed.clear();
    m_isChanged = true;
}

bool MonitorFeed::advanceTo(const QDateTime &now)
{
    double time = m_interpreter.timeOf(now);
    for (const double from : std::as_const(m_open))
        time = std::min(time, from);
    // The monitor keeps input waiting until its time has come.
    const qsizetype waiting = m_monitor.waiting();
    m_monitor.advanceTo(time);
    m_isChanged = m_isChanged || m_monitor.waiting() != waiting;
    m_advanced = std::max(m_advanced, time);
    resumeLost();
    return std::exchange(m_isChanged, false);
}

QStringList MonitorFeed::takeChangedTrees()
{
    const QStringList trees = m_changedTrees.values();
    if (m_monitor.waiting() == 0) // waiting input may change these trees again
        m_changedTrees.clear();
    return trees;
}

/// Stores the readings of whole trees that are not monitored.
void MonitorFeed::takeReadings(const InterpretedExchange &interpreted)
{
    const Reading empty { .from = interpreted.from, .to = interpreted.to };
    QHash<QString, Reading> readings;
    for (const InterpretedExchange::ObservedResource &resource : interpreted.resources) {
        const QString tree = m_interpreter.treeOf(resource.observation.path);
        const bool isTop = resource.observation.path.count(u'/') == 2;
        if (isTop)
            readings.insert(tree, empty);
        if (const auto reading = readings.find(tree); reading != readings.end())
            add(resource, *reading);
    }
    if (!interpreted.collection.isEmpty()) {
        m_listed[interpreted.collection] = QSet<QString>(readings.keyBegin(), readings.keyEnd());
        for (const ConformanceMonitor::Lost &lost : m_monitor.lost()) {
            for (const QString &tree : lost.trees) {
                if (tree.section(u'/', 0, 1) == interpreted.collection && !readings.contains(tree))
                    readings.insert(tree, empty);
            }
        }
    }
    for (auto it = readings.cbegin(); it != readings.cend(); ++it) {
        const std::optional<ConformanceMonitor::Why> why = m_monitor.lostWhy(it.key());
        if (!why)
            continue;
        if (why == ConformanceMonitor::Why::NotObserved) // announces the tree to the monitor
            m_monitor.lose(it.key(), *why, 0);
        for (const ResourceSpec &spec : it->resources)
            m_monitor.connect(spec);
        m_readings.insert(it.key(), *it);
    }
    takeBelow(interpreted);
}

/// Adds a collection of children that was read separately to the reading of its tree.
void MonitorFeed::takeBelow(const InterpretedExchange &interpreted)
{
    const auto reading = m_readings.find(m_interpreter.treeOf(interpreted.below));
    if (reading == m_readings.end() || !reading->missing.remove(interpreted.below))
        return;
    reading->to = std::max(reading->to, interpreted.to);
    const qsizetype before = reading->resources.size();
    for (const InterpretedExchange::ObservedResource &resource : interpreted.resources)
        add(resource, *reading);
    for (qsizetype i = before; i < reading->resources.size(); ++i)
        m_monitor.connect(reading->resources[i]);
}

void MonitorFeed::add(const InterpretedExchange::ObservedResource &resource, Reading &reading)
{
    if (!resource.message)
        return;
    reading.resources += m_interpreter.specOf(*resource.message);
    reading.observations += stamped(resource.observation);
    reading.isAtRest = reading.isAtRest && !reading.resources.last().state.isEmpty();
    reading.isIdle = reading.isIdle && !m_interpreter.mayBeAtWork(*resource.message);
    for (const QString &collection : m_interpreter.separateCollections(*resource.message))
        reading.missing.insert(collection);
}

/// Monitors a new tree as absent if the last listing of its collection lacks the tree.
void MonitorFeed::begin(const QString &path)
{
    const QString tree = m_interpreter.treeOf(path);
    if (m_requested.contains(tree))
        return;
    m_requested.insert(tree);
    const auto listed = m_listed.constFind(tree.section(u'/', 0, 1));
    if (listed == m_listed.cend() || listed->contains(tree))
        return;
    m_monitor.lose(tree, ConformanceMonitor::Why::NotObserved, 0);
    m_monitor.resume({ tree }, {});
}

/// Returns the last reading of a tree if it is complete, at rest and recent, and the monitor knows
/// every request sent before its end; else null.
const MonitorFeed::Reading *MonitorFeed::readingOf(const QString &tree, double since) const
{
    const auto reading = m_readings.constFind(tree);
    if (reading == m_readings.cend() || m_running.contains(tree))
        return nullptr;
    const bool isComplete = reading->missing.isEmpty() && reading->to < m_advanced;
    const bool isRecent = reading->from >= std::max(since, m_idleSince.value(tree, 0));
    return reading->isAtRest && isComplete && isRecent ? &*reading : nullptr;
}

/// Returns true if every operation that cannot be polled has certainly ended.
bool MonitorFeed::unpolledHaveEnded(const ConformanceMonitor::Lost &lost) const
{
    int unpolled = 0;
    for (const QString &tree : lost.trees)
        unpolled += m_unpolled.value(tree);
    if (unpolled == 0)
        return true;
    // An operation that waits for another one changes no state, so that no reading can exclude it.
    const bool mayWait = m_rules.hasWaits() && (unpolled > 1 || lost.trees.size() > 1);
    return !m_hidesWork && !mayWait && std::ranges::all_of(lost.trees, [this](const QString &tree) {
        return m_readings.value(tree).isIdle;
    });
}

/// Resumes the monitoring of each lost group of trees, once all of its trees were read at rest.
void MonitorFeed::resumeLost()
{
    for (const ConformanceMonitor::Lost &lost : m_monitor.lost()) {
        QList<ResourceSpec> resources;
        QList<Observation> etags;
        const bool isKnown = std::ranges::all_of(lost.trees, [&](const QString &tree) {
            const Reading *reading = readingOf(tree, lost.since);
            if (reading) {
                resources += reading->resources;
                etags += reading->observations;
            }
            return reading != nullptr;
        });
        if (!isKnown || !unpolledHaveEnded(lost)
            || !makeWorld(m_rules, resources).problem.isEmpty())
            continue;
        m_monitor.resume(lost.trees, resources, etags);
        m_isChanged = true;
        for (const QString &tree : lost.trees) {
            if (!m_monitor.lostWhy(tree)) {
                m_readings.remove(tree);
                m_idleSince.remove(tree);
                m_unpolled.remove(tree);
            }
        }
    }
}

} // namespace instar
