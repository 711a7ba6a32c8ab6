// SPDX-License-Identifier: Apache-2.0
#include "model/remote/rounds.h"

#include "model/remote/historyrecorder.h"
#include "model/task.h"

namespace instar {

namespace {

constexpr int StepMs = 10; ///< time between two looks at the progress of a round

/// The request that creates a resource at a path, if the rules have one.
std::optional<Request> creationOf(const Rules &rules, const World &world, const QString &path)
{
    for (const QString &op : rules.pack().operationNames()) {
        const Request request { .op = op, .path = path };
        const Admission admitted = admission(rules, world, request);
        if (admitted.verdict == Admission::Verdict::Accepted && admitted.target == NoResource)
            return request;
    }
    return {};
}

} // namespace

Rounds::Rounds(RemoteController &remote, RoundsPlan plan, QObject *parent)
    : QObject(parent), m_remote(remote), m_plan(std::move(plan))
{
    m_ticker.setInterval(StepMs);
    connect(&m_ticker, &QTimer::timeout, this, &Rounds::tick);
    connect(&remote, &RemoteController::exchanged, this,
        [this](const Exchange &exchange) { m_exchanges.insert(exchange.number, exchange); });
    connect(&remote, &RemoteController::burstFinished, this, [this](const BurstReport &report) {
        if (m_phase == Phase::Working && m_plan.jitter == 0 && report.shots.size() > 1)
            m_spread = report.spreadNs;
    });
}

void Rounds::start()
{
    m_isStopping = false;
    m_done = 0;
    m_ticker.start();
    begin();
}

void Rounds::enter(Phase phase)
{
    m_phase = phase;
    m_since.start();
}

void Rounds::begin()
{
    m_random.seed(m_plan.seed + quint32(m_done));
    m_serials.clear();
    m_restored.clear();
    m_tried.clear();
    m_spread.reset();
    m_exchanges.clear();
    enter(Phase::Reading);
    m_remote.refresh();
}

bool Rounds::areOver() const
{
    return std::ranges::all_of(m_serials + m_restored, [this](quint32 serial) {
        const Operation *operation = m_remote.operations().find(serial);
        return serial && (!operation || operation->isOver()); // only ended operations are removed
    });
}

/// True for a target or its descendant, which a round can remove.
bool Rounds::isOfTargets(const QString &path) const
{
    const Qt::CaseSensitivity nameCase = m_remote.world().tree.caseSensitivity();
    return std::ranges::any_of(m_plan.requests, [&](const Request &request) {
        return path.compare(request.path, nameCase) == 0
            || path.startsWith(request.path + u'/', nameCase);
    });
}

/// Recreates resources that rounds removed, parents first. Returns false if none can be created.
bool Rounds::restore()
{
    QList<Request> missing;
    for (const Resource resource : m_first.tree.resources()) {
        const QString path = m_first.tree.path(resource);
        if (!isOfTargets(path) || m_remote.world().tree.find(path) != NoResource
            || m_tried.contains(path))
            continue;
        std::optional<Request> request = creationOf(m_remote.rules(), m_remote.world(), path);
        if (!request)
            continue; // its parent is missing, or no operation creates it
        m_tried.insert(path);
        request->client = u"restore"_s;
        request->body = m_first.bodies.value(resource);
        request->properties = m_first.properties.value(resource);
        request->references = m_first.references.value(resource);
        missing += *request;
    }
    for (const Request &request : std::as_const(missing))
        m_restored += m_remote.submit(request);
    return !missing.isEmpty();
}

/// The first target that existed before the first round and is gone; empty if there is none.
QString Rounds::missing() const
{
    for (const Request &request : m_plan.requests) {
        if (m_first.tree.find(request.path) != NoResource
            && m_remote.world().tree.find(request.path) == NoResource)
            return request.path;
    }
    return {};
}

void Rounds::fire()
{
    QList<Request> requests;
    for (const Request &each : std::as_const(m_plan.requests)) {
        for (int client = 0; client < m_plan.clients; ++client) {
            requests += each;
            if (client > 0) // "A" and "A 2": every client but the first has a number
                requests.last().client += u" %1"_s.arg(client + 1);
            requests.last().id.clear(); // an id is used once
            requests.last().requestId.clear();
        }
    }
    enter(Phase::Working);
    if (m_plan.jitter <= 0) {
        m_serials = m_remote.fireTogether(requests);
        return;
    }
    m_serials = QList<quint32>(requests.size(), 0);
    std::uniform_int_distribution<int> wait(0, m_plan.jitter);
    for (qsizetype i = 0; i < requests.size(); ++i) {
        QTimer::singleShot(wait(m_random), Qt::PreciseTimer, this,
            [this, i, round = m_done, request = requests[i]] {
                if (m_phase != Phase::Working || m_done != round)
                    return;
                m_serials[i] = m_remote.submit(request);
            });
    }
}

void Rounds::tick()
{
    if (m_phase == Phase::Over || m_phase == Phase::Judging)
        return;
    const bool hasFired = m_phase == Phase::Working || m_phase == Phase::ReadingAtEnd;
    const int patience = m_plan.patience + (m_phase == Phase::Working ? m_plan.jitter : 0);
    const bool isLate = m_since.elapsed() > patience;
    if (m_remote.state() == RemoteController::State::Closed || (m_isStopping && !hasFired))
        return finish();
    if (m_remote.state() != RemoteController::State::Ready) {
        if (hasFired)
            fail(tr("The connection was lost."));
        else if (m_phase != Phase::Interrupted)
            enter(Phase::Interrupted);
        else if (isLate)
            finish();
        return;
    }
    if (m_phase == Phase::Interrupted)
        return begin();
    if (isLate)
        return stop(), fail(lateText());
    const bool isDone = m_phase == Phase::Working ? areOver() && !m_remote.isBusy() : hasRead();
    if (!isDone)
        return;
    switch (m_phase) {
    case Phase::Reading:
        if (m_done == 0)
            m_first = m_remote.world();
        if (m_done > 0 && m_plan.restores && restore())
            enter(Phase::Restoring);
        else
            fire();
        break;
    case Phase::Restoring:
        if (!areOver() || restore()) // parents first: then their children can be created
            break;
        m_exchanges.clear(); // restoring is no part of the round
        enter(Phase::ReadingAgain);
        m_remote.refresh();
        break;
    case Phase::ReadingAgain:
        if (const QString path = missing(); !path.isEmpty())
            return stop(),
                   fail(tr("The removed resource %1 could not be created again.").arg(path));
        fire();
        break;
    case Phase::Working:
        enter(Phase::ReadingAtEnd);
        m_remote.refresh();
        break;
    case Phase::ReadingAtEnd:
        judge();
        break;
    default: // Over, Judging and Interrupted have returned above
        break;
    }
}

QString Rounds::lateText() const
{
    const int seconds = m_plan.patience / 1000;
    return m_phase == Phase::Restoring ? tr("The removed resources were not created again in time.")
        : m_phase == Phase::Working    ? tr("Not everything has ended in %Ln s.", nullptr, seconds)
                                       : tr("The tree was not read in %Ln s.", nullptr, seconds);
}

QString Rounds::endingText() const
{
    QStringList parts;
    for (qsizetype i = 0; i < m_plan.requests.size(); ++i) {
        const Request &request = m_plan.requests[i];
        QMap<QString, int> statuses;
        for (int client = 0; client < m_plan.clients; ++client) {
            const Operation *operation =
                m_remote.operations().find(m_serials.value(i * m_plan.clients + client));
            ++statuses[operation ? statusAndCode(*operation) : tr("not sent")];
        }
        QStringList texts;
        for (const auto &[status, count] : statuses.asKeyValueRange())
            texts += m_plan.clients == 1 ? status : u"%1 %2"_s.arg(count).arg(status);
        parts += u"%1 %2 %3"_s.arg(request.op, request.path.section(u'/', -1), texts.join(u", "_s));
    }
    return parts.join(u" · "_s);
}

Round Rounds::current() const
{
    return { .number = m_done + 1,
        .ending = endingText(),
        .spread = m_spread,
        .exchanges = m_exchanges.values() };
}

void Rounds::fail(const QString &problem)
{
    Round round = current();
    round.problem = problem;
    conclude(round);
}

void Rounds::judge()
{
    m_phase = Phase::Judging;
    Round round = current();
    HistoryRecorder historyRecorder(m_remote.rules(), tr("round %1").arg(round.number));
    for (qsizetype i = 0; i < round.exchanges.size(); ++i) {
        if (round.exchanges[i].isOver())
            historyRecorder.add(round.exchanges[i], int(i) + 1);
    }
    const History history = historyRecorder.recorded().history;
    round.trace = traceLines(history);
    Task::start(
        this, tr("Judging round %1").arg(round.number),
        [rules = m_remote.rules(), history, budget = m_plan.budget](
            Progress &) { return verdictOn(history, rules, budget); },
        [this, round](const Result<HistoryVerdict> &verdict) {
            Round judged = round;
            if (verdict)
                judged.verdict = *verdict;
            else
                judged.problem = verdict.error();
            if (verdict && verdict->of == 0)
                judged.problem = tr("The round contains no response that the rules can judge.");
            conclude(judged);
        });
}

void Rounds::finish()
{
    m_phase = Phase::Over;
    m_ticker.stop();
    emit finished();
}

void Rounds::conclude(const Round &round)
{
    ++m_done;
    const bool isViolation =
        round.problem.isEmpty() && round.verdict.outcome == HistorySearch::Outcome::Violates;
    const bool isLast =
        m_isStopping || m_done >= m_plan.rounds || (isViolation && m_plan.stopsAtViolation);
    m_phase = Phase::Judging; // makes tick() return at once if a receiver runs an event loop
    emit roundEnded(round);
    if (isLast)
        finish();
    else if (m_remote.state() == RemoteController::State::Ready)
        begin();
    else
        enter(Phase::Interrupted);
}

} // namespace instar
