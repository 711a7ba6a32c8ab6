// SPDX-License-Identifier: Apache-2.0
#include "model/remote/masking.h"
#include "model/remote/ongoing.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int TickMs = 100;
constexpr qsizetype MostSingly =
    100; ///< top-level resources that are read one by one; more: all together

} // namespace

void RemoteController::takeCollection(const CollectionRead &read)
{
    if (!read.isMissing)
        understand();
    if (!m_hasRead) {
        m_first += read;
        return;
    }
    QList<Mirror::Moves> moves;
    QStringList paths;
    for (const ResourceMessage &resource : read.resources) {
        paths += resource.path;
        moves += m_mirror.show(resource, read.exchange);
    }
    moves += m_mirror.keepOnly(read.path, paths, read.exchange);
    tellUnknown();
    noteMoves(moves);
    askRested();
}

void RemoteController::takeResource(const ResourceRead &read)
{
    Mirror::Moves moves;
    if (read.resource || read.isSame)
        understand();
    if (read.resource)
        moves = m_mirror.show(*read.resource, read.exchange);
    else if (!read.isSame)
        moves = m_mirror.remove(read.path, read.exchange);
    tellUnknown();
    if (!concludeAt(read.path, read.exchange, moves.moved))
        noteMoves({ moves });
    askRested();
}

void RemoteController::takeFailure(const QString &path, int status, const QString &why)
{
    if (status == 0) {
        lose(why);
        return;
    }
    if (m_state == State::Loading && (status == 401 || status == 403)) {
        lose(tr("The server refuses who we say we are (%1). Connect again with another credential.")
                 .arg(status),
            false);
        return;
    }
    if (!m_told.contains(why)) {
        m_told.insert(why);
        emit problem(why);
    }
    if (!path.isEmpty() && m_reader && !m_reader->isReading(path))
        concludeAt(path, ~quint64(0), 0);
}

void RemoteController::understand()
{
    if (std::exchange(m_isUnderstood, true))
        return;
    if (m_state == State::Ready)
        setState(State::Ready);
}

/// Whatever answers may be another system, or stand at another path: one sentence, or nothing.
QString RemoteController::doubt() const
{
    if (m_isUnderstood)
        return {};
    return tr("%1 answers, but not as %2: check the URL or the system.")
        .arg(maskedUrl(m_options.connection.server), m_rules.pack().title);
}

void RemoteController::treeRead()
{
    if (m_state == State::Loading) {
        m_tries = 0;
        if (!m_hasRead) {
            m_hasRead = true;
            // In the order of the pack's types, whichever came first.
            QList<CollectionRead> first = std::exchange(m_first, {});
            const QStringList order = m_messages.topCollections();
            std::ranges::stable_sort(
                first, {}, [&](const CollectionRead &read) { return order.indexOf(read.path); });
            for (const CollectionRead &read : first) {
                for (const ResourceMessage &resource : read.resources)
                    m_mirror.show(resource, read.exchange);
            }
            tellUnknown();
            m_clock.start();
            emit rewound();
            if (std::vector<Change> broken = m_mirror.takeViolations(); !broken.empty())
                note(std::move(broken));
        }
        m_ticker.start(TickMs);
        setState(State::Ready, doubt());
        schedule();
        emit pollsChanged();
    }
    m_lastRefresh = now();
    if (std::exchange(m_looksAgain, false) && m_state == State::Ready)
        m_reader->readAll(Exchange::Purpose::Poll);
    else
        m_looks = false;
}

/// Time passes; what is in motion is looked at often, everything now and then.
void RemoteController::tick()
{
    const qint64 time = now();
    m_mirror.world().now = time;
    emit timePassed();
    if (m_state != State::Ready || !m_isPolling)
        return;
    const auto isDue = [time](qint64 last, int every) { return every > 0 && time - last >= every; };
    const bool refreshes = isDue(m_lastRefresh, m_options.refreshMs);
    if (!refreshes && isDue(m_lastMotion, m_options.motionMs)) {
        m_lastMotion = time;
        QStringList tops = m_mirror.moving();
        for (const auto &[serial, one] : m_ongoing) {
            if (one->question() && !tops.contains(one->top()))
                tops += one->top();
        }
        if (tops.size() > MostSingly) {
            m_reader->readAll(Exchange::Purpose::Poll);
            return;
        }
        for (const QString &top : std::as_const(tops)) {
            if (!m_reader->isReading(top))
                m_reader->read(top);
        }
    }
    if (refreshes) {
        m_lastRefresh = time;
        m_reader->readAll(Exchange::Purpose::Poll);
    }
}

void RemoteController::noteMoves(const QList<Mirror::Moves> &moves)
{
    std::vector<Change> changes;
    for (const Mirror::Moves &one : moves) {
        if (!one.isEmpty())
            changes.push_back({ .kind = Change::Kind::Seen,
                .path = one.path,
                .from = one.from,
                .to = one.to,
                .moved = one.moved,
                .code = one.unknown });
    }
    if (!changes.empty())
        note(std::move(changes));
}

/// Asks about operations whose target has come to rest, where the server did not say when to ask.
void RemoteController::askRested()
{
    if (m_state != State::Ready || !m_isPolling)
        return;
    const auto works = [this](Rules::StateId state) {
        return state != Rules::None && m_rules.state(state).isTransitional();
    };
    QList<quint32> rested;
    for (const auto &[serial, one] : m_ongoing) {
        const FollowQuestion *question = one->question();
        if (question && question->isUsual && !one->isAsking && works(one->seen)
            && !works(stateAt(one->request->path)))
            rested += serial;
    }
    for (const quint32 serial : rested) {
        if (Ongoing *one = ongoing(serial))
            ask(*one);
    }
}

void RemoteController::updateUnderway()
{
    QList<Mirror::Underway> list;
    for (const auto &[serial, one] : m_ongoing) {
        if (one->isAnswered())
            list += { serial, one->request };
    }
    m_mirror.setUnderway(list);
}

void RemoteController::tellUnknown()
{
    const QStringList unknown = m_mirror.takeUnknown();
    for (const QString &what : unknown)
        emit problem(tr("The server shows something that the pack %1 does not know: %2.")
                         .arg(m_rules.pack().id, what));
}

/// Ends the operations that only waited for a look at what they have left there, the first of them
/// with what has moved since. False: there are none.
bool RemoteController::concludeAt(const QString &top, quint64 exchange, qint64 moved)
{
    const Qt::CaseSensitivity names = world().tree.caseSensitivity();
    QList<quint32> over;
    for (const auto &[serial, one] : m_ongoing) {
        if (one->end && one->endedAt < exchange && one->top().compare(top, names) == 0)
            over += serial;
    }
    for (const quint32 serial : over) {
        if (ongoing(serial))
            conclude(serial, std::exchange(moved, 0));
    }
    return !over.isEmpty();
}

} // namespace instar
