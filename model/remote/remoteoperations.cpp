// SPDX-License-Identifier: Apache-2.0
#include "model/items/mood.h"
#include "model/remote/ongoing.h"
#include "model/remote/typebook.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

qint64 realNow()
{
    return QDateTime::currentMSecsSinceEpoch();
}

/// The last name in a URL's path, which is an operation's id on most servers.
QString lastName(const QUrl &url)
{
    return url.path().section(u'/', -1, -1, QString::SectionSkipEmpty);
}

} // namespace

RemoteController::Ongoing *RemoteController::ongoing(quint32 serial)
{
    const auto found = m_ongoing.find(serial);
    return found == m_ongoing.end() ? nullptr : found->second.get();
}

/// The target's state; the initial one where it is not there, None where the pack does not know its
/// type.
Rules::StateId RemoteController::stateAt(const QString &path) const
{
    const Tree &tree = world().tree;
    if (const Resource resource = tree.find(path); resource != NoResource)
        return m_rules.stateOf(tree.code(resource));
    const int machine = m_rules.machineForType(typePathOf(path));
    return machine == Rules::None ? Rules::None : m_rules.machines()[size_t(machine)].initial;
}

/// The newest operation other than `self` that a server speaks of.
quint32 RemoteController::otherIn(const QByteArray &body, quint32 self) const
{
    quint32 found = 0;
    for (auto it = m_serverIds.cbegin(); it != m_serverIds.cend(); ++it) {
        if (it.key() != self && it.key() > found && it->size() >= 4 && body.contains(it->toUtf8()))
            found = it.key();
    }
    return found;
}

FollowReader RemoteController::reader(const QString &path) const
{
    return {
        .operation = [this](const QByteArray &body) { return m_messages.operation(body); },
        .state = [this, path](const QByteArray &body) -> Result<QString> {
            const Result<ResourceMessage> message = m_messages.resource(body, path);
            return message ? Result<QString>(message->state)
                           : Result<QString>(Error { message.error() });
        },
        .error = [this](const QByteArray &body) { return m_messages.error(body); },
        .standing =
            [this, path](const QString &word) {
                const int machine = m_rules.machineForType(typePathOf(path));
                const Rules::StateId state =
                    machine == Rules::None ? Rules::None : m_mirror.stateOf(machine, word);
                if (state == Rules::None || m_rules.state(state).isTransitional())
                    return Status::InProgress;
                return moodOf(m_rules, state) == Mood::Failed ? Status::Failed : Status::Succeeded;
            },
    };
}

// ---- The first answer

void RemoteController::released(quint64 volley)
{
    const QList<quint32> serials = m_volleys.value(volley);
    for (const quint32 serial : serials) {
        const Ongoing *one = ongoing(serial);
        if (!one)
            continue;
        const quint64 exchange = m_connection->begin(one->errand, one->http);
        if (Ongoing *still = ongoing(serial))
            still->exchange = exchange;
    }
}

void RemoteController::answered(quint64 volley, int index, const VolleyShot &shot)
{
    const quint32 serial = m_volleys.value(volley).value(index);
    Ongoing *one = ongoing(serial);
    if (!one)
        return;
    if (!one->exchange)
        one->exchange = m_connection->begin(one->errand, one->http);
    m_connection->end(one->exchange, shot.response, shot.problem, shot.waitMs, shot.durationMs);
    one = ongoing(serial); // whoever heard of the exchange may have closed
    if (!one)
        return;
    if (shot.response) {
        takeFirst(*one, *shot.response);
        return;
    }
    const QString top = one->top();
    const bool wasSent = shot.offsetNs >= 0;
    Change change { .kind = Change::Kind::Rejected,
        .operation = serial,
        .request = one->request,
        .path = one->request->path,
        .from = one->seen,
        .to = one->seen,
        .code = u"NotSent"_s,
        .message = shot.problem };
    if (wasSent) {
        change.kind = Change::Kind::Closed;
        change.outcome = m_rules.failed;
        change.code = u"Lost"_s;
    }
    m_ongoing.erase(serial);
    note({ change });
    if (m_state != State::Ready)
        return;
    // A look at the resource tells more, or that the server has gone.
    m_reader->read(top);
}

Mirror::Moves RemoteController::showDocument(
    const Ongoing &one, const QByteArray &body, quint64 exchange)
{
    const Result<ResourceMessage> message = m_messages.resource(body, one.request->path);
    if (!message || (message->state.isEmpty() && message->etag.isEmpty()))
        return {};
    const Mirror::Moves moves = m_mirror.show(*message, exchange);
    if (m_reader)
        m_reader->forget(one.request->path);
    tellUnknown();
    return moves;
}

void RemoteController::takeFirst(Ongoing &one, const HttpResponse &response)
{
    const quint32 serial = one.serial;
    const QSharedPointer<const Request> request = one.request;
    const QByteArray method = one.http.method;
    if (!one.follow) {
        Follow::Asked asked { .method = method, .url = one.errand.url, .resource = {} };
        if (const Result<HttpRequest> resource =
                m_messages.question(u"resource"_s, request->path, m_options.version))
            asked.resource = m_connection->url(resource->target);
        asked.isNamed = !request->requestId.isEmpty() && !m_messages.requestIdHeader().isEmpty();
        one.follow.emplace(
            m_messages.wire().follow, reader(request->path), asked, m_options.follow);
    }
    one.isSentAgain = false;
    one.follow->take(response, realNow());
    if (const FollowRepeat *later = one.repeat()) {
        const qint64 delay = std::max<qint64>(later->notBefore - realNow(), 0);
        QTimer::singleShot(int(delay), this, [this, serial] { repeat(serial); });
        emit problem(tr("%1: the server answers %2 and asks to come back later; the request is "
                        "sent again in %3 s.")
                         .arg(request->id)
                         .arg(later->http)
                         .arg(double(delay) / 1000));
        emit pollsChanged();
        return;
    }
    const QUrl &where =
        one.follow->operationUrl().isEmpty() ? one.follow->resultUrl() : one.follow->operationUrl();
    if (const QString id = lastName(where); !id.isEmpty())
        m_serverIds.insert(serial, id);

    const bool wasThere = world().tree.find(request->path) != NoResource;
    const Rules::StateId before =
        wasThere ? one.seen : Rules::None; // of a request that leads nowhere
    Change change { .operation = serial,
        .request = request,
        .path = request->path,
        .from = one.seen,
        .to = Rules::None };
    const FollowEnd *end = std::get_if<FollowEnd>(&one.follow->next());
    if (end && end->status == Status::Rejected) {
        const Admission predicted = one.predicted;
        change.kind = Change::Kind::Rejected;
        change.from = change.to = before;
        change.code = end->code;
        change.message = end->message;
        change.http = end->http;
        change.other = otherIn(response.body, serial);
        if (predicted.verdict == Admission::Verdict::Refused && predicted.http == end->http)
            change.rule = predicted.rule;
        const QString top = one.top();
        m_ongoing.erase(serial);
        note({ change });
        if (m_state == State::Ready)
            m_reader->read(top);
        return;
    }

    if (end && end->http) { // it was tried, and failed at once
        takeNext(one, response.body);
        return;
    }
    if (!request->requestId.isEmpty()) {
        const quint32 first = world().answered.value(request->requestId);
        if (first && m_serverIds.value(first) == m_serverIds.value(serial)) {
            change.kind = Change::Kind::Replayed;
            change.from = change.to = before;
            change.other = first;
            m_ongoing.erase(serial);
            note({ change });
            return;
        }
        m_mirror.world().answered.insert(request->requestId, serial);
    }
    const std::vector<quint32> victims = one.predicted.cancels;
    for (const quint32 victim : victims) {
        if (Ongoing *other = ongoing(victim))
            other->canceledBy = serial;
    }
    // What an answer shows is as new as the answer, however long it was held back.
    const bool showsTarget = method == "PUT" || method == "PATCH" || method == "GET";
    if (showsTarget && response.status < 300 && !response.body.isEmpty()) {
        change.moved = showDocument(one, response.body, m_connection->lastNumber()).moved;
        change.to = stateAt(request->path);
    }
    if (end && end->status == Status::Succeeded
        && (isSafe(method) || (response.status == 204 && !wasThere))) {
        change.kind = Change::Kind::Observed;
        change.from = change.to = before;
        m_ongoing.erase(serial);
        note({ change });
        return;
    }
    change.kind = Change::Kind::Started;
    note({ change });
    if (Ongoing *still = ongoing(serial))
        takeNext(*still, response.body);
    for (const quint32 victim : victims) { // they have probably just ended
        const bool asks = m_isPolling && m_state == State::Ready;
        if (Ongoing *other = ongoing(victim);
            other && asks && other->question() && !other->isAsking)
            ask(*other);
    }
}

// ---- Questions

/// What follows from an answer.
void RemoteController::takeNext(Ongoing &one, const QByteArray &body)
{
    const Follow::Next next = one.follow->next();
    if (const auto *end = std::get_if<FollowEnd>(&next)) {
        finish(one, *end, body);
    } else if (const auto *lost = std::get_if<FollowLost>(&next)) {
        finish(one,
            { .status = Status::Failed,
                .code = u"Lost"_s,
                .message = lost->text,
                .http = 0,
                .resource = {} },
            {});
    } else {
        if (m_state == State::Ready)
            m_reader->read(one.top());
        schedule();
        emit pollsChanged();
    }
}

void RemoteController::schedule()
{
    m_polls.stop();
    if (m_state != State::Ready || !m_isPolling)
        return;
    std::optional<qint64> due;
    for (const auto &[serial, one] : m_ongoing) {
        const FollowQuestion *question = one->question();
        if (question && !one->isAsking)
            due = std::min(due.value_or(question->notBefore), question->notBefore);
    }
    if (due)
        m_polls.start(int(std::clamp<qint64>(*due - realNow(), 0, 3'600'000)));
}

void RemoteController::askDue()
{
    const qint64 time = realNow();
    QList<quint32> due;
    for (const auto &[serial, one] : m_ongoing) {
        const FollowQuestion *question = one->question();
        if (question && !one->isAsking && question->notBefore <= time)
            due += serial;
    }
    for (const quint32 serial : due) {
        if (Ongoing *one = ongoing(serial); one && m_state == State::Ready)
            ask(*one);
    }
    schedule();
    emit pollsChanged();
}

void RemoteController::ask(Ongoing &one)
{
    one.isAsking = true;
    Connection::Errand errand;
    errand.request.method = "GET";
    errand.url = one.question()->url;
    errand.purpose = Exchange::Purpose::Poll;
    errand.client = one.request->client;
    errand.operation = one.request->id;
    m_connection->send(
        errand, [this, serial = one.serial, url = errand.url](const Connection::Answer &answer) {
            Ongoing *asked = ongoing(serial);
            if (!asked)
                return;
            asked->isAsking = false;
            if (answer.response)
                asked->follow->take(*answer.response, realNow());
            else
                asked->follow->takeProblem(answer.problem, realNow());
            const FollowQuestion *next = asked->question();
            if (next && !next->isOver) // else there is more to be told of it
                m_lookedAt.remove(serial);
            const bool isLoss = !answer.isAnswered && m_connection->isOwn(url);
            takeNext(*asked, answer.response ? answer.response->body : QByteArray());
            if (isLoss && m_state == State::Ready)
                lose(answer.problem);
        });
}

// ---- The end

void RemoteController::finish(Ongoing &one, const FollowEnd &end, const QByteArray &body)
{
    one.end = end;
    one.lastBody = body;
    one.endedAt = m_connection->lastNumber();
    if (end.resource && one.http.method != "DELETE")
        showDocument(one, *end.resource, one.endedAt);
    const quint32 serial = one.serial;
    const QString top = one.top();
    emit pollsChanged();
    if (m_state == State::Ready)
        m_reader->read(top);
    else if (ongoing(serial))
        conclude(serial);
}

void RemoteController::conclude(quint32 serial, qint64 moved)
{
    const std::unique_ptr<Ongoing> one = std::move(m_ongoing.at(serial));
    m_ongoing.erase(serial);
    const FollowEnd &end = *one->end;
    Change change { .kind = Change::Kind::Closed,
        .operation = serial,
        .path = one->request->path,
        .from = one->seen,
        .to = stateAt(one->request->path) };
    change.moved = std::max<qint64>(moved, change.from != change.to ? 1 : 0);
    change.code = end.code;
    change.message = end.message;
    change.outcome = m_rules.failed;
    if (end.status == Status::Succeeded) {
        change.outcome = m_rules.succeeded;
    } else if (end.status == Status::Canceled) {
        const quint32 told = otherIn(one->lastBody, serial);
        change.other = told ? told : one->canceledBy;
        change.outcome = m_rules.canceled;
        if (change.other)
            change.kind = Change::Kind::Canceled;
    } else {
        const auto named =
            std::ranges::find_if(m_rules.pack().outcomes, [&](const Outcome &outcome) {
                return outcome.code == end.code && !end.code.isEmpty()
                    && m_rules.trigger(outcome.id) != Rules::None
                    && !m_rules.isGood(m_rules.trigger(outcome.id));
            });
        if (named != m_rules.pack().outcomes.end()
            && m_rules.outcome(m_rules.trigger(named->id)).status == u"Failed")
            change.outcome = m_rules.trigger(named->id);
    }
    note({ change });
}

} // namespace instar
