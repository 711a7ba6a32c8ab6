// SPDX-License-Identifier: Apache-2.0
#include "tests/support/bruteforce.h"

#include "model/engine/clock.h"
#include "model/engine/operationlog.h"
#include "model/engine/step.h"
#include "tests/support/worldcompare.h"

#include <QSet>

#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

class Trial
{
public:
    Trial(const Rules &rules, const History &history, qint64 steps)
        : r(rules), m_history(history), m_steps(steps)
    { }

    std::optional<bool> explained()
    {
        Moment start;
        start.world = makeWorld(r, m_history.resources).world;
        start.asked.resize(size_t(m_history.requests.size()), false);
        start.seen.resize(size_t(m_history.observations.size()), false);
        const bool found = goesOn(start);
        return found || !m_gaveUp ? std::optional(found) : std::nullopt;
    }

private:
    struct Moment
    {
        World world;
        OperationLog log;
        std::vector<bool> asked, seen;
        QHash<QString, quint64> etags; ///< path and etag -> stamp
        double time = 0;               ///< ms
        QSet<QByteArray> been;         ///< worlds since the last request or observation
    };

    bool goesOn(const Moment &now)
    {
        if (m_gaveUp || --m_steps < 0) {
            m_gaveUp = true;
            return false;
        }
        bool isDone = true;
        for (size_t i = 0; i < now.asked.size(); ++i) {
            const RecordedRequest &asked = m_history.requests[qsizetype(i)];
            const bool must = asked.answer == RecordedRequest::Answer::Accepted
                || asked.answer == RecordedRequest::Answer::Refused;
            isDone = isDone && (now.asked[i] || !must);
            if (!now.asked[i] && must && asked.answered < now.time)
                return false;
        }
        for (size_t i = 0; i < now.seen.size(); ++i) {
            isDone = isDone && now.seen[i];
            if (!now.seen[i] && m_history.observations[qsizetype(i)].to < now.time)
                return false;
        }
        if (isDone)
            return true;
        for (size_t i = 0; i < now.asked.size(); ++i) {
            if (!now.asked[i] && asks(now, i))
                return true;
        }
        for (size_t i = 0; i < now.seen.size(); ++i) {
            if (!now.seen[i] && sees(now, i))
                return true;
        }
        return worksOn(now);
    }

    /// Plays an event with every combination of answers to open conditions.
    template<typename Then>
    bool plays(const Moment &now, const Event &event, Then then)
    {
        Event untimed = event;
        untimed.untimed = true;
        Stepped stepped = step(r, now.world, untimed);
        for (const int label : stepped.record.unanswered) {
            if (event.answers.contains(label)) {
                m_gaveUp = true;
                return false;
            }
            Event answered = event;
            for (const bool answer : { true, false }) {
                answered.answers.insert(label, answer);
                if (plays(now, answered, then))
                    return true;
            }
            return false;
        }
        Moment next = now;
        next.world = std::move(stepped.world);
        next.log.apply(r, stepped.record, next.world);
        return then(next, stepped.record);
    }

    bool asks(const Moment &now, size_t i)
    {
        const RecordedRequest &asked = m_history.requests[qsizetype(i)];
        const double time = std::max(now.time, asked.sent);
        if (asked.isClosed() && time > asked.answered)
            return false;
        const auto request = QSharedPointer<Request>::create(asked.request);
        const Event event {
            .kind = Event::Kind::Submit, .time = qint64(std::floor(time)), .request = request
        };
        return plays(now, event, [&](Moment &next, const Record &) {
            const Operation *operation = next.log.find(asked.request.id);
            const bool refused = operation->status == Status::Rejected;
            if (asked.answer == RecordedRequest::Answer::Accepted && refused)
                return false;
            if (asked.answer == RecordedRequest::Answer::Refused
                && (!refused || operation->errorCode != asked.code))
                return false;
            next.asked[i] = true;
            next.time = time;
            next.been.clear();
            return goesOn(next);
        });
    }

    bool sees(const Moment &now, size_t i)
    {
        const Observation &seen = m_history.observations[qsizetype(i)];
        Moment next = now;
        next.time = std::max(now.time, seen.from);
        if (next.time > seen.to)
            return false;
        next.been.clear();
        if (seen.snapshot > 0) {
            for (size_t j = 0; j < now.seen.size(); ++j) {
                if (m_history.observations[qsizetype(j)].snapshot == seen.snapshot
                    && !shows(now, j, next))
                    return false;
            }
            return goesOn(next);
        }
        next.seen[i] = true;
        if (!seen.isOfResource()) {
            const Operation *operation = now.log.find(seen.operation);
            if (!operation)
                return false;
            const QString word = statusName(operation->status);
            return (seen.word == word
                       || (operation->status == Status::Waiting
                           && seen.word == statusName(Status::InProgress)))
                && goesOn(next);
        }
        return shows(now, i, next) && goesOn(next);
    }

    /// Marks an observation as seen, and returns true if the resource agrees with it.
    bool shows(const Moment &now, size_t i, Moment &next) const
    {
        const Observation &seen = m_history.observations[qsizetype(i)];
        next.seen[i] = true;
        const Resource resource = now.world.tree.find(seen.path);
        const bool isThere = resource != NoResource && r.isShown(now.world.tree.code(resource));
        if (isThere != seen.word.has_value()
            || (isThere && r.shown(now.world.tree.code(resource)) != *seen.word))
            return false;
        if (isThere && !seen.etag.isEmpty()) {
            const QString key = seen.path + u' ' + seen.etag;
            const quint64 stamp = now.world.tree.stamp(resource);
            if (now.etags.value(key, stamp) != stamp)
                return false;
            next.etags.insert(key, stamp);
        }
        return true;
    }

    /// Tries every event that can happen without a request.
    bool worksOn(const Moment &now)
    {
        QList<Event> events;
        for (const auto &running : now.world.running) {
            Event event { .kind = Event::Kind::Begin, .operation = running->serial };
            if (running->deadline >= 0)
                events += { .kind = Event::Kind::Expire,
                    .time = running->deadline,
                    .operation = running->serial };
            if (running->due < 0)
                continue;
            if (running->phase != Running::Phase::Attempting) {
                events += event;
                continue;
            }
            event.kind = Event::Kind::End;
            const QList<Rules::TriggerId> outcomes =
                possibleOutcomes(r, now.world, running->serial);
            if (outcomes.isEmpty())
                events += event;
            for (const Rules::TriggerId outcome : outcomes) {
                event.outcome = outcome;
                events += event;
            }
        }
        for (auto it = now.world.timed.cbegin(); it != now.world.timed.cend(); ++it) {
            const auto &timer = r.state(r.stateOf(now.world.tree.code(it.key()))).timer;
            if (timer)
                events += { .kind = Event::Kind::Fire,
                    .time = momentOf(r, now.world, it.key(), *timer, std::max<qint64>(it->since, 0))
                                .value_or(0),
                    .resource = it.key() };
        }
        for (Event event : events) {
            const double time = std::max(now.time, double(event.time));
            event.time = qint64(std::floor(time));
            const bool found = plays(now, event, [&](Moment &next, const Record &record) {
                if (event.kind == Event::Kind::Fire
                    && (record.changes.empty()
                        || record.changes.front().kind == Change::Kind::Rejected
                        || record.changes.front().kind == Change::Kind::Queued))
                    return false;
                next.time = time;
                const QByteArray key = worldKey(r, next.world);
                if (next.been.contains(key))
                    return false;
                next.been.insert(key);
                if (next.been.size() > 40) {
                    m_gaveUp = true; // may be endless
                    return false;
                }
                return goesOn(next);
            });
            if (found)
                return true;
        }
        return false;
    }

    const Rules &r;
    const History &m_history;
    qint64 m_steps;
    bool m_gaveUp = false;
};

} // namespace

std::optional<bool> explainedByTrying(const Rules &rules, const History &history, qint64 steps)
{
    return Trial(rules, history, steps).explained();
}

} // namespace instar
