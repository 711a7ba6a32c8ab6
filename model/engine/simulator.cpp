// SPDX-License-Identifier: Apache-2.0
#include "model/engine/simulator.h"

#include <bit>
#include <cmath>
#include <ranges>

namespace instar {

namespace {

constexpr int TickMs = 16; ///< interval at which play() advances the time

void forgetContents(Record &record)
{
    const QSharedPointer<const Request> original =
        std::exchange(record.event.request, withoutContents(record.event.request));
    for (Change &change : record.changes)
        change.request =
            change.request == original ? record.event.request : withoutContents(change.request);
}

} // namespace

Simulator::Simulator(Rules rules, World world, QObject *parent)
    : Controller(parent), m_rules(std::move(rules)), m_world(std::move(world))
{
    m_past.push_back({ 0, m_world, {} });
    m_ticker.setTimerType(Qt::PreciseTimer);
    m_ticker.callOnTimeout(this, &Simulator::tick);
}

/// Returns true if a jump back keeps the snapshot `distance` events before its target. The nearest
/// ones and those at powers of two are kept, so that further steps back are cheap.
bool Simulator::isNear(qsizetype distance)
{
    return distance <= spacing(0) || std::has_single_bit(quint64(distance));
}

quint32 Simulator::submit(Request request)
{
    if (request.id.isEmpty())
        request.id = m_operations.nextId();
    return act({ .kind = Event::Kind::Submit,
        .time = m_world.now,
        .request = QSharedPointer<Request>::create(std::move(request)) });
}

void Simulator::cancel(quint32 serial)
{
    if (!m_world.pending(serial))
        return;
    act({ .kind = Event::Kind::Cancel, .time = m_world.now, .operation = serial });
}

void Simulator::end(quint32 serial, Rules::TriggerId outcome)
{
    const Running *running = m_world.find(serial);
    if (!running || running->phase != Running::Phase::Attempting)
        return;
    act({ .kind = Event::Kind::End, .time = m_world.now, .operation = serial, .outcome = outcome });
}

void Simulator::begin(quint32 serial)
{
    const Running *running = m_world.find(serial);
    if (!running || running->phase != Running::Phase::Delayed || running->due < 0)
        return;
    act({ .kind = Event::Kind::Begin, .time = m_world.now, .operation = serial });
}

/// Applies an action at the moment shown; begins a new branch if records follow it.
quint32 Simulator::act(const Event &event)
{
    if (m_later.isEmpty())
        return apply(event);
    beginBranch();
    const quint32 serial = apply(event);
    emit branched();
    emit branchesChanged();
    return serial;
}

quint32 Simulator::apply(const Event &event)
{
    if (m_mostRecords == 0
        && m_records.size() - m_past.back().index >= spacing(m_past.back().index))
        m_past.push_back({ m_records.size(), m_world, m_operations });
    Stepped stepped = instar::step(m_rules, std::move(m_world), event);
    m_world = std::move(stepped.world);
    m_operations.apply(m_rules, stepped.record, m_world);
    if (m_mostRecords)
        forgetContents(stepped.record);
    m_records.append(std::move(stepped.record));
    const Record &last = m_records.last();
    const auto submitted = std::ranges::find_if(
        last.changes, [](const Change &change) { return change.request && !change.requirer; });
    const quint32 serial = submitted == last.changes.end() ? 0 : submitted->operation;
    {
        const QList<Record> records = m_records; // receivers may submit more
        emit recorded(records.last());
    }
    if (m_mostRecords)
        forgetPast();
    return serial;
}

void Simulator::keepRecent(qsizetype records, qsizetype operations)
{
    m_mostRecords = std::max<qsizetype>(records, 1);
    m_mostOperations = std::max<qsizetype>(operations, 1);
    m_past.resize(1);
    m_later.clear();
    forgetBranches();
    for (Record &record : m_records)
        forgetContents(record);
    forgetPast();
}

/// Drops old records in bulk, for amortized constant cost per record.
void Simulator::forgetPast()
{
    if (m_records.size() > 2 * m_mostRecords) {
        m_forgotten += m_records.size() - m_mostRecords;
        m_records.remove(0, m_records.size() - m_mostRecords);
    }
    if (m_operations.all().size() <= m_mostOperations + m_mostOperations / 4 + 64)
        return;
    m_operations.keep(m_mostOperations);
    m_world.answered.removeIf([&](const std::pair<const QString &, quint32 &> &entry) {
        return !m_operations.find(entry.second);
    });
}

void Simulator::reset(Rules rules, World world)
{
    pause();
    m_rules = std::move(rules);
    beginWith(std::move(world));
    emit rulesChanged();
    emit rewound();
}

void Simulator::restate(Rules rules)
{
    m_rules = std::move(rules);
    emit rulesChanged();
    emit rewound();
}

/// Starts a new run.
void Simulator::beginWith(World world)
{
    m_world = std::move(world);
    m_operations = {};
    m_fraction = 0;
    m_past.clear();
    m_past.push_back({ 0, m_world, {} });
    m_records.clear();
    m_later.clear();
    forgetBranches();
    m_forgotten = 0;
}

void Simulator::reset()
{
    pause();
    beginWith(m_past.front().world);
    emit rewound();
}

bool Simulator::advanceTo(qint64 time, qint64 mostEvents)
{
    for (qint64 events = 0;; ++events) {
        const Event next = m_later.isEmpty() ? nextEvent(m_rules, m_world) : m_later.first().event;
        if (next.kind == Event::Kind::Wait || next.time > time)
            break;
        if (events >= mostEvents)
            return false;
        if (!m_later.isEmpty())
            m_later.removeFirst();
        apply(next);
    }
    m_world.now = std::max(m_world.now, time);
    emit timePassed();
    return true;
}

bool Simulator::step()
{
    if (!m_later.isEmpty()) {
        apply(m_later.takeFirst().event);
        return true;
    }
    const Event next = nextEvent(m_rules, m_world);
    if (next.kind != Event::Kind::Wait)
        apply(next);
    return next.kind != Event::Kind::Wait;
}

bool Simulator::runUntilQuiet(int limit)
{
    while (limit-- > 0) {
        if (!step())
            return true;
    }
    return nextEvent(m_rules, m_world).kind == Event::Kind::Wait;
}

const OperationLog &Simulator::everyOperation() const
{
    if (m_later.isEmpty())
        return m_operations;
    if (m_everyOperationHistory != m_history) {
        m_everyOperation = m_operations;
        World world = m_world;
        for (const Record &record : m_later) {
            world = instar::step(m_rules, std::move(world), record.event).world;
            m_everyOperation.apply(m_rules, record, world);
        }
        m_everyOperationHistory = m_history;
    }
    return m_everyOperation;
}

bool Simulator::stepBack()
{
    if (m_records.isEmpty())
        return false;
    jump(m_records.size() - 1);
    return true;
}

void Simulator::jump(qsizetype moment)
{
    if (m_mostRecords)
        return;
    moment = std::clamp<qsizetype>(moment, 0, lastMoment());
    const bool goesBack = moment < m_records.size();
    if (goesBack) {
        if (m_later.isEmpty()) {
            m_everyOperation = m_operations;
            m_everyOperationHistory = m_history;
        }
        while (m_past.back().index > moment)
            m_past.pop_back();
        if (!m_past.back().isNear)
            std::erase_if(m_past, [](const Moment &past) { return past.isNear; });
        const Moment &from = m_past.back();
        while (m_records.size() > from.index)
            m_later.prepend(m_records.takeLast());
        m_world = from.world;
        m_operations = from.operations;
    }
    {
        const QSignalBlocker quiet(this);
        while (m_records.size() < moment) {
            if (goesBack && isNear(moment - m_records.size())
                && m_records.size() > m_past.back().index)
                m_past.push_back({ m_records.size(), m_world, m_operations, true });
            apply(m_later.takeFirst().event);
        }
    }
    emit rewound();
}

qint64 Simulator::timeOf(qsizetype moment) const
{
    if (moment <= 0)
        return m_past.front().world.now;
    return moment <= m_records.size() ? m_records[moment - 1].event.time
                                      : m_later[moment - 1 - m_records.size()].event.time;
}

World Simulator::worldAt(qsizetype moment) const
{
    moment = std::clamp<qsizetype>(moment, 0, lastMoment());
    if (moment == m_records.size() || m_mostRecords)
        return m_world;
    const Moment &near = *std::prev(std::ranges::upper_bound(m_past, moment, {}, &Moment::index));
    const bool isAhead = moment > m_records.size();
    World world = isAhead ? m_world : near.world;
    for (qsizetype i = isAhead ? m_records.size() : near.index; i < moment; ++i) {
        const Record &record = i < m_records.size() ? m_records[i] : m_later[i - m_records.size()];
        world = instar::step(m_rules, std::move(world), record.event).world;
    }
    return world;
}

const Simulator::Branch *Simulator::find(quint32 branch) const
{
    const auto found = std::ranges::find(m_branches, branch, &Branch::id);
    return found == m_branches.end() ? nullptr : &*found;
}

void Simulator::beginBranch(const QString &name)
{
    m_branches = branches(); // with the current records and moment
    // The trunk is the branch that contains the moment before the fork.
    const Branch *trunk = find(m_branch);
    while (trunk->id != 0 && trunk->fork >= moment())
        trunk = find(trunk->trunk);
    m_branches.append(
        { .id = ++m_lastBranch, .trunk = trunk->id, .fork = moment(), .run = m_run, .name = name });
    m_branch = m_lastBranch;
    m_later.clear();
    ++m_history;
}

/// Returns the time at which playOnNewBranch() plays an event.
qint64 Simulator::timeToPlay(const Event &event, qint64 pause) const
{
    qint64 scheduled = -1;
    if (const Running *running = m_world.find(event.operation))
        scheduled = event.kind == Event::Kind::Expire ? running->deadline : running->due;
    else if (event.kind == Event::Kind::Fire)
        scheduled = m_world.timed.value(event.resource).due;
    return std::max({ event.time, m_world.now + pause, scheduled });
}

quint32 Simulator::playOnNewBranch(const QList<Event> &events, qint64 pause, const QString &name)
{
    if (m_mostRecords || events.isEmpty())
        return 0;
    beginBranch(name);
    {
        const QSignalBlocker quiet(this);
        for (Event event : events) {
            event.time = timeToPlay(event, pause);
            event.recordsAll = true;
            if (event.request) { // attempts must hang, because `events` contains their ends
                auto hanging = QSharedPointer<Request>::create(*event.request);
                hanging->hang = true;
                event.request = hanging;
            }
            apply(event);
        }
    }
    emit branchesChanged();
    emit rewound();
    return m_branch;
}

void Simulator::forgetBranches()
{
    ++m_history;
    ++m_run;
    if (m_branches.size() == 1)
        return;
    m_branches = { {} };
    m_branch = 0;
    emit branchesChanged();
}

QList<Simulator::Branch> Simulator::branches() const
{
    QList<Branch> result = m_branches;
    const auto current = std::ranges::find(result, m_branch, &Branch::id);
    current->records = (m_records + m_later).mid(current->fork);
    current->shown = moment();
    return result;
}

QList<Record> Simulator::recordsOf(quint32 branch) const
{
    if (branch == m_branch)
        return m_records + m_later;
    const Branch *found = find(branch);
    if (!found || found->id == 0)
        return found ? found->records : QList<Record>();
    return recordsOf(found->trunk).first(found->fork) + found->records;
}

void Simulator::switchTo(quint32 branch)
{
    const Branch *other = find(branch);
    if (!other || branch == m_branch)
        return;
    const qsizetype shown = other->shown;
    m_branches = branches(); // makes `other` invalid
    const QList<Record> all = recordsOf(branch);
    // Branches on the path from the root, each with the moment at which the path leaves it.
    const auto pathTo = [this](quint32 id) {
        QMap<quint32, qsizetype> path;
        qsizetype end = std::numeric_limits<qsizetype>::max();
        for (const Branch *one = find(id);; one = find(one->trunk)) {
            path.insert(one->id, std::exchange(end, one->fork));
            if (one->id == 0)
                return path;
        }
    };
    const QMap<quint32, qsizetype> ours = pathTo(m_branch), theirs = pathTo(branch);
    qsizetype common = 0;                                  // number of events on both paths
    for (const auto &[id, end] : ours.asKeyValueRange()) { // children have higher ids
        if (theirs.contains(id))
            common = std::min(end, theirs[id]);
    }
    {
        const QSignalBlocker quiet(this);
        jump(std::min(moment(), common));
        m_later = all.mid(m_records.size());
        m_branch = branch;
        ++m_history;
        jump(shown);
    }
    emit branchesChanged();
    emit rewound();
}

void Simulator::renameBranch(quint32 branch, const QString &name)
{
    const auto found = std::ranges::find(m_branches, branch, &Branch::id);
    if (found == m_branches.end() || found->name == name)
        return;
    found->name = name;
    emit branchesChanged();
}

QList<Simulator::Branch> Simulator::removeBranch(quint32 branch)
{
    const Branch *found = find(branch);
    if (!found || found->id == 0)
        return {};
    QSet<quint32> doomed { branch };
    for (const Branch &one : std::as_const(m_branches)) { // children have higher ids
        if (one.id != 0 && doomed.contains(one.trunk))
            doomed.insert(one.id);
    }
    if (doomed.contains(m_branch))
        switchTo(found->trunk);
    const auto gone = std::ranges::stable_partition(
        m_branches, [&](const Branch &one) { return !doomed.contains(one.id); });
    const QList<Branch> removed(gone.begin(), gone.end());
    m_branches.erase(gone.begin(), gone.end());
    emit branchesChanged();
    return removed;
}

void Simulator::restoreBranches(const QList<Branch> &branches)
{
    for (const Branch &branch : branches) {
        if (branch.run != m_run || find(branch.id) || !find(branch.trunk) || branch.fork < 0
            || branch.trunk > branch.id || branch.fork > recordsOf(branch.trunk).size())
            continue;
        m_branches += branch;
        m_lastBranch = std::max(m_lastBranch, branch.id);
    }
    std::ranges::sort(m_branches, {}, &Branch::id);
    emit branchesChanged();
}

void Simulator::showTime(qint64 time)
{
    if (m_mostRecords)
        return;
    const auto later = std::views::iota(qsizetype(1), lastMoment() + 1);
    const qsizetype moment = // the last moment that is not after the time
        *std::ranges::partition_point(later, [&](qsizetype at) { return timeOf(at) <= time; }) - 1;
    if (moment != m_records.size())
        jump(moment);
    const Event next = nextEvent(m_rules, m_world);
    if (m_later.isEmpty() && next.kind != Event::Kind::Wait)
        time = std::min(time, next.time);
    time = std::max(time, timeOf(moment));
    if (time == m_world.now)
        return;
    m_world.now = time;
    emit timePassed();
}

void Simulator::play()
{
    if (isPlaying())
        return;
    m_clock.start();
    m_ticker.start(TickMs);
    emit playingChanged(true);
}

void Simulator::pause()
{
    if (!isPlaying())
        return;
    m_ticker.stop();
    emit playingChanged(false);
}

void Simulator::setSpeed(double speed)
{
    if (speed == m_speed)
        return;
    m_speed = speed;
    emit speedChanged(speed);
}

void Simulator::tick()
{
    m_fraction += double(m_clock.restart()) * m_speed;
    const double ms = std::floor(m_fraction);
    m_fraction -= ms;
    advance(qint64(ms));
}

} // namespace instar
