// SPDX-License-Identifier: Apache-2.0
#include "model/remote/monitorfeed.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The server's clock is unknown.
constexpr ConformanceMonitor::Bounds Bounds { .worlds = 500, .tried = 5'000, .timeless = true };

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
    : m_rules(rules), m_hidesWork(hidesWork(rules)), m_reader(rules), m_monitor(rules, Bounds)
{ }

// ---- Exchanges

void MonitorFeed::take(const Exchange &exchange)
{
    std::optional<InterpretedExchange> told = m_reader.interpreted(exchange);
    if (!exchange.isOver()) {
        if (told && told->asked)
            takeRequest(exchange, *told);
        else if (told)
            m_open.insert(exchange.number, told->from);
        return;
    }
    m_open.remove(exchange.number);
    if (!told)
        return;
    m_isChanged = true;
    for (const InterpretedExchange::Seen &seen : std::as_const(told->seen))
        m_told.insert(m_reader.treeOf(seen.observation.path));
    if (!told->unnamed.isEmpty())
        m_in.remove(told->unnamed);
    // If nothing explains an answer, what it shows says more than its arrival.
    if (told->asked)
        takeRequest(exchange, *told);
    else
        takeReadings(*told);
    takeObservations(*told);
    if (told->asked)
        m_monitor.answered(*told->asked, !told->standsFor.isEmpty());
}

void MonitorFeed::takeRequest(const Exchange &exchange, InterpretedExchange &told)
{
    RecordedRequest &recorded = *told.asked;
    QString id = m_fired.take(exchange.number);
    if (id.isEmpty()) {
        id = recorded.request.id;
        const int *used = m_names.object(id);
        const int before = used ? *used : 0;
        m_names.insert(id, new int(before + 1));
        if (before) // it was sent again
            id += u"#%1"_s.arg(before + 1);
        recorded.line = ++m_line;
        recorded.request.id = id;
        begin(recorded.request.path);
        m_told.insert(m_reader.treeOf(recorded.request.path));
        m_monitor.sent(recorded);
        m_isChanged = true;
    }
    if (!exchange.isOver()) {
        m_fired.insert(exchange.number, id);
        return;
    }
    recorded.request.id = id;
    recorded.line = ++m_line;
    for (const QString &operation : std::as_const(told.standsFor))
        m_operations.insert(operation, new QString(id));
}

void MonitorFeed::takeObservations(const InterpretedExchange &told)
{
    QList<QList<Observation>> trees;
    for (const auto &[observation, message] : told.seen) {
        const bool isNext = told.isSnapshot && !trees.isEmpty()
            && m_reader.treeOf(trees.last().first().path) == m_reader.treeOf(observation.path);
        if (!isNext)
            trees.append(QList<Observation>());
        trees.last() += stamped(observation);
    }
    for (const QList<Observation> &snapshot : std::as_const(trees))
        m_monitor.observed(snapshot);
    if (!told.status)
        return;
    if (const QString *request = m_operations.object(told.status->operation)) {
        Observation status = stamped(*told.status);
        status.operation = *request;
        m_monitor.observed(status);
    }
}

/// Gives every item a line of its own, by which a history names it.
Observation MonitorFeed::stamped(Observation observation)
{
    observation.line = ++m_line;
    return observation;
}

void MonitorFeed::ended(const QString &path, const QDateTime &now)
{
    const QString tree = m_reader.treeOf(path);
    if (--m_running[tree] > 0)
        return;
    m_running.remove(tree);
    if (m_monitor.lostWhy(tree))
        m_quiet.insert(tree, m_reader.timeOf(now) + 1); // `now` was truncated to ms
}

void MonitorFeed::lostTrack(const QString &path, const QDateTime &now)
{
    ++m_strays[m_reader.treeOf(path)];
    ended(path, now);
}

void MonitorFeed::lostSight(const QDateTime &now)
{
    m_monitor.loseAll(ConformanceMonitor::Why::Unwatched, m_reader.timeOf(now) + 1);
    for (const ConformanceMonitor::Lost &lost : m_monitor.lost())
        m_told.unite(QSet<QString>(lost.trees.begin(), lost.trees.end()));
    m_readings.clear();
    m_in.clear();
    m_isChanged = true;
}

bool MonitorFeed::advanceTo(const QDateTime &now)
{
    double time = m_reader.timeOf(now);
    for (const double from : std::as_const(m_open))
        time = std::min(time, from);
    // An item may be taken in later, when its time has come.
    const qsizetype waiting = m_monitor.waiting();
    m_monitor.advanceTo(time);
    m_isChanged = m_isChanged || m_monitor.waiting() != waiting;
    m_advanced = std::max(m_advanced, time);
    goOn();
    return std::exchange(m_isChanged, false);
}

QStringList MonitorFeed::takeTold()
{
    const QStringList trees = m_told.values();
    if (m_monitor.waiting() == 0) // else some news is taken in later
        m_told.clear();
    return trees;
}

// ---- Starting points

/// Takes readings of whole trees that are not followed.
void MonitorFeed::takeReadings(const InterpretedExchange &told)
{
    const Reading empty { .from = told.from, .to = told.to };
    QHash<QString, Reading> readings;
    for (const InterpretedExchange::Seen &seen : told.seen) {
        const QString tree = m_reader.treeOf(seen.observation.path);
        const bool isTop = seen.observation.path.count(u'/') == 2;
        if (isTop)
            readings.insert(tree, empty);
        if (const auto reading = readings.find(tree); reading != readings.end())
            add(seen, *reading);
    }
    if (!told.collection.isEmpty()) {
        m_in[told.collection] = QSet<QString>(readings.keyBegin(), readings.keyEnd());
        for (const ConformanceMonitor::Lost &lost : m_monitor.lost()) {
            for (const QString &tree : lost.trees) {
                if (tree.section(u'/', 0, 1) == told.collection && !readings.contains(tree))
                    readings.insert(tree, empty);
            }
        }
    }
    for (auto it = readings.cbegin(); it != readings.cend(); ++it) {
        const std::optional<ConformanceMonitor::Why> why = m_monitor.lostWhy(it.key());
        if (!why)
            continue;
        if (why == ConformanceMonitor::Why::NotObserved) // makes an unknown tree a lost one
            m_monitor.lose(it.key(), *why, 0);
        for (const ResourceSpec &resource : it->resources)
            m_monitor.connect(resource);
        m_readings.insert(it.key(), *it);
    }
    takeBelow(told);
}

/// Adds what a tree holds outside its own document.
void MonitorFeed::takeBelow(const InterpretedExchange &told)
{
    const auto reading = m_readings.find(m_reader.treeOf(told.below));
    if (reading == m_readings.end() || !reading->missing.remove(told.below))
        return;
    reading->to = std::max(reading->to, told.to);
    const qsizetype before = reading->resources.size();
    for (const InterpretedExchange::Seen &seen : told.seen)
        add(seen, *reading);
    for (qsizetype i = before; i < reading->resources.size(); ++i)
        m_monitor.connect(reading->resources[i]);
}

void MonitorFeed::add(const InterpretedExchange::Seen &seen, Reading &reading)
{
    if (!seen.message)
        return;
    reading.resources += m_reader.specOf(*seen.message);
    reading.observations += stamped(seen.observation);
    reading.isAtRest = reading.isAtRest && !reading.resources.last().state.isEmpty();
    reading.isIdle = reading.isIdle && !m_reader.mayBeAtWork(*seen.message);
    for (const QString &collection : m_reader.collectionsApart(*seen.message))
        reading.missing.insert(collection);
}

/// First request below a path: a tree missing in the last listing did not exist.
void MonitorFeed::begin(const QString &path)
{
    const QString tree = m_reader.treeOf(path);
    if (m_begun.contains(tree))
        return;
    m_begun.insert(tree);
    const auto held = m_in.constFind(tree.section(u'/', 0, 1));
    if (held == m_in.cend() || held->contains(tree))
        return;
    m_monitor.lose(tree, ConformanceMonitor::Why::NotObserved, 0);
    m_monitor.resume({ tree }, {});
}

/// The last reading of a tree, if it is complete, at rest and recent enough; every request before
/// its end has been reported by then.
const MonitorFeed::Reading *MonitorFeed::readingOf(const QString &tree, double since) const
{
    const auto reading = m_readings.constFind(tree);
    const bool isQuiet = !m_running.contains(tree);
    return reading != m_readings.cend() && reading->isAtRest && reading->missing.isEmpty()
            && isQuiet && reading->to < m_advanced
            && reading->from >= std::max(since, m_quiet.value(tree, 0))
        ? &*reading
        : nullptr;
}

/// Returns true if the readings leave no room for an unobserved operation.
bool MonitorFeed::mayBeOver(const ConformanceMonitor::Lost &lost) const
{
    int strays = 0;
    for (const QString &tree : lost.trees)
        strays += m_strays.value(tree);
    if (strays == 0)
        return true;
    // A waiting operation waits for a running one: perhaps elsewhere, or only during the reading.
    const bool mayWait = m_rules.hasWaits() && (strays > 1 || lost.trees.size() > 1);
    return !m_hidesWork && !mayWait && std::ranges::all_of(lost.trees, [this](const QString &tree) {
        return m_readings.value(tree).isIdle;
    });
}

/// Resumes lost trees from where they were read at rest.
void MonitorFeed::goOn()
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
        if (!isKnown || !mayBeOver(lost) || !makeWorld(m_rules, resources).problem.isEmpty())
            continue;
        m_monitor.resume(lost.trees, resources, etags);
        m_isChanged = true;
        for (const QString &tree : lost.trees) {
            if (!m_monitor.lostWhy(tree)) {
                m_readings.remove(tree);
                m_quiet.remove(tree);
                m_strays.remove(tree);
            }
        }
    }
}

} // namespace instar
