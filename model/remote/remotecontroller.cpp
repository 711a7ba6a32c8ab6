// SPDX-License-Identifier: Apache-2.0
#include "model/remote/remotecontroller.h"

#include "model/remote/masking.h"
#include "model/remote/ongoing.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

RemoteController::RemoteController(Rules rules, Options options, QObject *parent)
    : Controller(parent),
      m_rules(std::move(rules)),
      m_options(std::move(options)),
      m_messages(m_rules),
      m_mirror(m_rules)
{
    m_polls.setSingleShot(true);
    m_retry.setSingleShot(true);
    connect(&m_ticker, &QTimer::timeout, this, &RemoteController::tick);
    connect(&m_polls, &QTimer::timeout, this, &RemoteController::askDue);
    connect(&m_retry, &QTimer::timeout, this, &RemoteController::tryAgain);
}

RemoteController::~RemoteController()
{
    const QSignalBlocker quiet(this);
    close();
}

// ---- The connection

Result<RemoteController::State> RemoteController::open()
{
    if (m_state != State::Closed)
        return m_state;
    if (m_isClosing)
        return Error { tr("The connection is just being closed.") };
    const Wire &wire = m_messages.wire();
    if (wire.isEmpty())
        return Error {
            tr("The pack %1 does not say how it is spoken over HTTP.").arg(m_rules.pack().id)
        };
    if (!m_options.version.isEmpty() && !wire.versions.contains(m_options.version))
        return Error { tr("The pack %1 knows the versions %2, not %3.")
                           .arg(
                               m_rules.pack().id, wire.versions.join(u", "_s), m_options.version) };
    Connection::Options options = m_options.connection;
    if (!wire.follow.delayHeaders.isEmpty())
        options.delayHeaders = wire.follow.delayHeaders;
    Result<std::unique_ptr<Connection>> made = Connection::make(options);
    if (!made)
        return Error { made.error() };
    m_connection = std::move(*made);
    connect(m_connection.get(), &Connection::began, this, &RemoteController::exchanged);
    connect(m_connection.get(), &Connection::ended, this, &RemoteController::exchanged);
    m_reader = std::make_unique<TreeReader>(*m_connection, m_messages, m_options.version);
    connect(m_reader.get(), &TreeReader::collectionRead, this, &RemoteController::takeCollection);
    connect(m_reader.get(), &TreeReader::resourceRead, this, &RemoteController::takeResource);
    connect(m_reader.get(), &TreeReader::failed, this, &RemoteController::takeFailure);
    connect(m_reader.get(), &TreeReader::progressed, this, &RemoteController::progressed);
    connect(m_reader.get(), &TreeReader::allRead, this, &RemoteController::treeRead);
    Volley::Options volley;
    volley.connectMs = m_options.connectMs;
    volley.answerMs = m_options.answerMs;
    volley.tls = m_connection->tls();
    m_volley = std::make_unique<Volley>(options.server, volley);
    connect(m_volley.get(), &Volley::released, this, &RemoteController::released);
    connect(m_volley.get(), &Volley::answered, this, &RemoteController::answered);
    connect(m_volley.get(), &Volley::finished, this,
        [this](quint64 number, const VolleyReport &report) {
            m_volleys.remove(number);
            emit volleyed(report);
        });
    m_tries = 0;
    m_isUnderstood = false;
    m_told.clear();
    setState(State::Loading);
    m_reader->readAll(Exchange::Purpose::Load);
    return m_state;
}

void RemoteController::close()
{
    if (m_state == State::Closed)
        return;
    m_state = State::Closed;
    m_stateText.clear();
    m_nextTry = {};
    m_isClosing = true; // whoever hears of an end now may ask for anything
    m_ticker.stop();
    m_polls.stop();
    m_retry.stop();
    m_reader->stop();
    m_volley->close(); // ends what has no answer yet
    m_connection->abandon();
    while (!m_ongoing.empty()) {
        Ongoing &one = *m_ongoing.begin()->second;
        if (!one.end)
            one.end = FollowEnd { .status = Status::Failed,
                .code = u"Lost"_s,
                .message = tr("The connection was closed here before the operation ended."),
                .http = 0,
                .resource = {} };
        conclude(one.serial);
    }
    for (QObject *one :
        { static_cast<QObject *>(m_volley.release()), static_cast<QObject *>(m_reader.release()),
            static_cast<QObject *>(m_connection.release()) }) {
        one->disconnect(this);
        one->setParent(this);
        one->deleteLater(); // one of them may have brought us here
    }
    m_volleys.clear();
    m_isClosing = false;
    emit stateChanged();
    emit pollsChanged();
}

void RemoteController::setState(State state, const QString &text)
{
    if (state != State::Lost)
        m_nextTry = {};
    if (state == m_state && text == m_stateText && state != State::Lost)
        return;
    m_state = state;
    m_stateText = text;
    emit stateChanged();
}

void RemoteController::lose(const QString &why, bool mayRetry)
{
    if (m_state == State::Closed)
        return;
    m_reader->stop();
    m_polls.stop();
    m_retry.stop();
    m_nextTry = {};
    m_looks = m_looksAgain = false;
    m_lookedAt.clear();
    if (mayRetry) {
        const qint64 delay = std::min<qint64>(
            qint64(m_options.firstReconnectMs) << std::min(m_tries, 20), m_options.mostReconnectMs);
        ++m_tries;
        m_retry.start(int(delay));
        m_nextTry = QDateTime::currentDateTimeUtc().addMSecs(delay);
    }
    setState(State::Lost, why);
    QList<quint32> over; // their last look will not come
    for (const auto &[serial, one] : m_ongoing) {
        if (one->end)
            over += serial;
    }
    for (const quint32 serial : over)
        conclude(serial);
    if (m_state != State::Closed)
        emit pollsChanged();
}

void RemoteController::tryAgain()
{
    m_retry.stop();
    const QStringList collections = m_messages.topCollections();
    const Result<HttpRequest> question =
        m_messages.question(u"collection"_s, collections.value(0), m_options.version);
    if (!question) {
        setState(State::Loading);
        m_reader->readAll(Exchange::Purpose::Load);
        return;
    }
    Connection::Errand errand;
    errand.request = *question;
    errand.purpose = Exchange::Purpose::Other;
    m_connection->send(errand, [this](const Connection::Answer &answer) {
        if (m_state != State::Lost)
            return;
        const int status = answer.response ? answer.response->status : 0;
        if (!answer.isAnswered || (status >= 502 && status <= 504)) {
            lose(status == 0 ? answer.problem : tr("The server answers %1.").arg(status));
            return;
        }
        setState(State::Loading);
        m_reader->readAll(Exchange::Purpose::Load);
    });
}

void RemoteController::reload()
{
    if (m_state == State::Lost) {
        m_tries = 0;
        tryAgain();
    } else if (m_state != State::Closed) {
        m_reader->readAll(Exchange::Purpose::Load);
    }
}

void RemoteController::setPolling(bool polls)
{
    if (polls == m_isPolling)
        return;
    m_isPolling = polls;
    m_lastMotion = m_lastRefresh = 0;
    schedule();
    emit pollsChanged();
}

// ---- Requests

bool RemoteController::onlyReads(const QString &operation) const
{
    const QList<WireRequest> &rows = m_messages.wire().requests;
    auto row = std::ranges::find(rows, operation, &WireRequest::ask);
    if (row == rows.end()) { // as in outgoing()
        row = std::ranges::find(rows, u"resource"_s, &WireRequest::ask);
        if (row == rows.end() || row->method != operation)
            return false;
    }
    return isSafe(row->method.toLatin1());
}

/// A request as it goes out; or with which words it is refused here.
RemoteController::Outgoing RemoteController::outgoing(const Request &request) const
{
    if (m_state == State::Closed || !m_hasRead)
        return { {}, u"NotConnected"_s,
            tr("Nothing is sent: there is no connection to a server yet.") };
    Request full = request;
    const Resource there = world().tree.find(request.path);
    if (there != NoResource && request.body.isEmpty()) {
        // On the wire a request says all there is: what it leaves out would be gone.
        full.body = m_messages.restated(world(), there, request);
        if (full.properties.isEmpty() && full.references.isEmpty()) {
            full.properties = world().properties.value(there);
            full.references = world().references.value(there);
        }
    }
    Result<HttpRequest> http = m_messages.request(full, m_options.version);
    if (!http) { // an operation that only looks may be named like the method that does
        const Result<HttpRequest> question =
            m_messages.question(u"resource"_s, request.path, m_options.version);
        if (!question || question->method != request.op.toLatin1())
            return { {}, u"NotSpoken"_s, http.error() };
        http = *question;
    }
    if (m_options.readOnly && !isSafe(http->method))
        return { {}, u"ReadOnly"_s,
            tr("Nothing is sent: the connection is read-only. Switch that off to send requests "
               "that change something.") };
    return { *http, {}, {} };
}

QList<quint32> RemoteController::fireTogether(const QList<Request> &requests)
{
    QList<quint32> serials, sent;
    for (Request request : requests) {
        const quint32 serial = ++m_mirror.world().lastSerial;
        for (qsizetype n = m_operations.all().size() + 1; request.id.isEmpty(); ++n) {
            const QString id = u"op%1"_s.arg(n);
            if (!m_operations.find(id))
                request.id = id;
        }
        serials += serial;
        const auto shared = QSharedPointer<Request>::create(std::move(request));
        const Event event { .kind = Event::Kind::Submit, .request = shared };
        const Outgoing out = outgoing(*shared);
        if (!out.http) {
            note({ { .kind = Change::Kind::Rejected,
                     .operation = serial,
                     .request = shared,
                     .path = shared->path,
                     .code = out.code,
                     .message = out.problem } },
                event);
            continue;
        }
        auto one = std::make_unique<Ongoing>();
        one->serial = serial;
        one->request = shared;
        one->errand.request = *out.http;
        one->errand.url = m_connection->url(out.http->target);
        one->errand.purpose = Exchange::Purpose::Fire;
        one->errand.client = shared->client;
        one->errand.operation = shared->id;
        one->predicted = admission(*shared);
        one->seen = stateAt(shared->path);
        sent += serial;
        m_ongoing.emplace(serial, std::move(one));
        note({ { .kind = Change::Kind::Sent,
                 .operation = serial,
                 .request = shared,
                 .path = shared->path } },
            event);
    }
    if (!sent.isEmpty() && m_volley)
        send(sent);
    return serials;
}

void RemoteController::send(const QList<quint32> &serials)
{
    QList<QByteArray> bytes;
    QList<quint32> sent;
    for (const quint32 serial : serials) {
        Ongoing *one = ongoing(serial);
        if (!one) // whoever heard that it is sent has closed
            continue;
        one->http = m_connection->prepared(one->errand.request, one->errand.url);
        one->exchange = 0;
        bytes += toBytes(one->http);
        sent += serial;
    }
    if (!sent.isEmpty())
        m_volleys.insert(m_volley->fire(bytes), sent);
}

/// A request that the server has asked to send again.
void RemoteController::repeat(quint32 serial)
{
    Ongoing *one = ongoing(serial);
    if (!one || m_state == State::Closed)
        return;
    one->isSentAgain = true;
    send({ serial });
    emit pollsChanged();
}

void RemoteController::prepare(int requests)
{
    if (m_volley)
        m_volley->warm(requests);
}

bool RemoteController::isReadyFor(int requests) const
{
    return m_volley && m_volley->warmed() >= requests;
}

void RemoteController::cancel(quint32 serial)
{
    if (ongoing(serial))
        emit problem(tr("A server's operation cannot be withdrawn from here. Ask for one that "
                        "cancels it, if the rules have one."));
}

void RemoteController::end(quint32 serial, Rules::TriggerId)
{
    if (ongoing(serial))
        emit problem(tr("How a server's work ends cannot be decided from here."));
}

// ---- What was seen

qint64 RemoteController::now() const
{
    return m_clock.isValid() ? m_clock.elapsed() : 0;
}

void RemoteController::note(std::vector<Change> changes, Event event)
{
    event.time = now();
    m_mirror.world().now = event.time;
    updateUnderway();
    std::ranges::move(m_mirror.takeViolations(), std::back_inserter(changes));
    m_records.append(Record { .event = event,
        .changes = std::move(changes),
        .asked = {},
        .extent = m_mirror.takeExtent() });
    m_operations.apply(m_rules, m_records.last(), world());
    for (const auto &[serial, one] : m_ongoing) {
        const Rules::StateId state = stateAt(one->request->path);
        const auto works = [this](Rules::StateId id) {
            return id != Rules::None && m_rules.state(id).isTransitional();
        };
        if (works(state) || !works(one->seen))
            one->seen = state;
    }
    const Record record = m_records.last(); // receivers may ask for more
    emit recorded(record);
}

QList<PolledOperation> RemoteController::polls() const
{
    QList<PolledOperation> list;
    for (const auto &[serial, one] : m_ongoing) {
        if (const FollowRepeat *repeat = one->repeat()) {
            list += PolledOperation { .id = one->request->id,
                .url = maskedUrl(one->errand.url),
                .due = QDateTime::fromMSecsSinceEpoch(repeat->notBefore, Qt::UTC) };
        }
        const FollowQuestion *question = one->question();
        if (!question)
            continue;
        PolledOperation poll { .id = one->request->id, .url = maskedUrl(question->url), .due = {} };
        if (m_isPolling && m_state == State::Ready && !one->isAsking)
            poll.due = QDateTime::fromMSecsSinceEpoch(question->notBefore, Qt::UTC);
        list += poll;
    }
    return list;
}

bool RemoteController::isAsking() const
{
    if (m_state == State::Closed)
        return false;
    const qint64 time = QDateTime::currentMSecsSinceEpoch();
    const auto awaits = [&](const auto &entry) {
        const Ongoing &one = *entry.second;
        const FollowQuestion *question = one.question();
        const bool isDue = question && question->notBefore <= time && m_isPolling;
        return one.isAsking || one.end || (isDue && m_state == State::Ready);
    };
    return m_state == State::Loading || m_reader->isReading() || m_looksAgain
        || std::ranges::any_of(m_ongoing, awaits);
}

bool RemoteController::isBusy() const
{
    const auto isUnanswered = [](const auto &entry) { return !entry.second->isAnswered(); };
    return isAsking() || std::ranges::any_of(m_ongoing, isUnanswered);
}

void RemoteController::askNow()
{
    if (m_state != State::Ready)
        return;
    QList<quint32> serials;
    for (const auto &[serial, one] : m_ongoing) {
        if (one->question() && !one->isAsking)
            serials += serial;
    }
    for (const quint32 serial : serials) {
        if (Ongoing *one = ongoing(serial))
            ask(*one);
    }
}

void RemoteController::look()
{
    askNow();
    if (m_state != State::Ready)
        return;
    m_looks = true;
    m_lookedAt.clear();
    for (const auto &[serial, one] : m_ongoing) {
        if (one->end || one->question())
            m_lookedAt.insert(serial);
    }
    m_looksAgain = m_reader->isReadingAll(); // what is on its way may be older
    m_reader->readAll(Exchange::Purpose::Poll);
}

bool RemoteController::isLooking() const
{
    return m_state == State::Loading
        || (m_state == State::Ready
            && (m_looks || std::ranges::any_of(m_lookedAt, [this](quint32 serial) {
                   return m_ongoing.contains(serial);
               })));
}

} // namespace instar
