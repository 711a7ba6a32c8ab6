// SPDX-License-Identifier: Apache-2.0
#include "model/remote/remotecontroller.h"

#include "model/remote/writer.h"

namespace instar {

namespace {

qint64 realNow()
{
    return QDateTime::currentMSecsSinceEpoch();
}

constexpr int TickMs = 100;
constexpr int UnconnectedMs = 1000;   ///< wait for a burst's connections before a warning
constexpr qsizetype MostSingly = 100; ///< resources read one by one; else the whole tree is read

} // namespace

/// Operation that was sent and has not ended yet.
struct RemoteController::SentOperation
{
    quint32 serial = 0;
    QSharedPointer<const Request> request;
    QString shownBy;                         ///< path to read for the state of its target
    Connection::RemoteRequest remoteRequest; ///< as composed, with its URL
    HttpRequest http;                        ///< as sent
    quint64 exchange = 0;                    ///< 0: not sent yet
    Admission predicted;                     ///< decision by the rules when the request was fired
    quint32 canceledBy = 0;                  ///< serial of the operation that probably cancels it
    Rules::StateId lastState = Rules::None;  ///< of the target: its last transitional one, if any

    RemoteOperation operation;
    bool awaitsAnswer = false; ///< a poll or a repeated request awaits its answer
    bool isRenewed = false;    ///< its token was renewed after a 401
    AnswerInterval answered;   ///< of the last answer
    quint64 endedAt = 0;       ///< number of the newest exchange when the operation ended
    bool isNamed = true;       ///< the name of its target is known

    bool mayBePolled() const { return operation.isPolled() && !awaitsAnswer; }
    bool isDue() const { return mayBePolled() && operation.notBefore <= realNow(); }
    /// Path to read; empty while the target's name is unknown, so that everything is read.
    QString pathToRead() const { return isNamed ? shownBy : QString(); }
};

RemoteController::RemoteController(Rules rules, Options options, QObject *parent)
    : Controller(parent),
      m_rules(std::move(rules)),
      m_options(std::move(options)),
      m_wire(m_rules),
      m_remoteWorld(m_rules)
{
    if (m_options.checksConformance) {
        m_monitor = std::make_unique<MonitorFeed>(m_rules);
        m_conformance = std::make_unique<LiveConformance>(m_rules, m_monitor->monitor());
    }
    m_retry.setSingleShot(true);
    connect(&m_ticker, &QTimer::timeout, this, &RemoteController::tick);
    connect(&m_retry, &QTimer::timeout, this, &RemoteController::tryAgain);
}

RemoteController::~RemoteController()
{
    const QSignalBlocker quiet(this);
    close();
}

Result<RemoteController::State> RemoteController::open()
{
    if (m_state != State::Closed)
        return m_state;
    if (m_isClosing)
        return Error { tr("The connection is being closed.") };
    const Wire &wire = m_wire.rows;
    if (wire.isEmpty())
        return Error { tr(
            "The pack %1 does not define HTTP requests; add the section \"wire\" to it.")
                           .arg(m_rules.pack().id) };
    Connection::Options options = m_options.connection;
    if (!wire.follow.delayHeaders.isEmpty())
        options.delayHeaders = wire.follow.delayHeaders;
    Result<std::unique_ptr<Connection>> made = Connection::make(options);
    if (!made)
        return Error { made.error() };
    m_connection = std::move(*made);
    connect(m_connection.get(), &Connection::began, this, &RemoteController::watch);
    connect(m_connection.get(), &Connection::ended, this, &RemoteController::watch);
    m_reader = std::make_unique<TreeReader>(*m_connection, m_wire);
    connect(m_reader.get(), &TreeReader::collectionRead, this, &RemoteController::takeCollection);
    connect(m_reader.get(), &TreeReader::resourceRead, this, &RemoteController::takeResource);
    connect(m_reader.get(), &TreeReader::failed, this, &RemoteController::takeFailure);
    connect(m_reader.get(), &TreeReader::progressed, this, &RemoteController::progressed);
    connect(m_reader.get(), &TreeReader::allRead, this, &RemoteController::treeRead);
    m_burst =
        std::make_unique<Burst>(options.server, Burst::Options { .tls = m_connection->tls() });
    connect(m_burst.get(), &Burst::released, this, &RemoteController::released);
    connect(m_burst.get(), &Burst::answered, this, &RemoteController::answered);
    connect(
        m_burst.get(), &Burst::finished, this, [this](quint64 number, const BurstReport &report) {
            m_bursts.remove(number);
            emit burstFinished(report);
        });
    m_tries = 0;
    m_isUnderstood = false;
    m_reported.clear();
    m_known.clear();
    m_wire.setEpoch(realNow());
    m_remoteWorld.forgetAges();
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
    m_isClosing = true; // listeners may call back while operations end
    m_ticker.stop();
    m_retry.stop();
    m_reader->stop();
    m_unsent.clear();
    m_burst->close(); // ends requests without an answer
    m_connection->abandon();
    if (m_monitor) {
        m_monitor->forgetOpen();
        m_monitor->connectionLost(QDateTime::currentDateTimeUtc());
    }
    while (!m_sentOperations.empty()) {
        SentOperation &one = *m_sentOperations.begin()->second;
        take(one,
            { .problem = tr("This program closed the connection before the operation ended."),
                .isLast = true });
        conclude(one.serial);
    }
    for (QObject *one :
        { static_cast<QObject *>(m_burst.release()), static_cast<QObject *>(m_reader.release()),
            static_cast<QObject *>(m_connection.release()) }) {
        one->disconnect(this);
        one->setParent(this);
        one->deleteLater(); // one of them may be the caller
    }
    m_bursts.clear();
    m_isClosing = false;
    emit stateChanged();
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
    m_retry.stop();
    m_nextTry = {};
    m_refreshes = m_readsAgain = false;
    m_awaited.clear();
    if (mayRetry) {
        const qint64 delay = std::min<qint64>(
            qint64(m_options.firstReconnectMs) << std::min(m_tries, 20), m_options.mostReconnectMs);
        ++m_tries;
        m_retry.start(int(delay));
        m_nextTry = QDateTime::currentDateTimeUtc().addMSecs(delay);
    }
    if (m_monitor) {
        m_monitor->connectionLost(QDateTime::currentDateTimeUtc());
        advanceMonitor();
    }
    setState(State::Lost, why);
    // These operations wait only for a reading, which will not come.
    for (const quint32 serial :
        serials([](const SentOperation &one) { return one.operation.hasEnded(); }))
        conclude(serial);
    sendChecked(); // rejects the PUTs whose targets were still being read
}

void RemoteController::tryAgain()
{
    m_retry.stop();
    const auto load = [this] {
        setState(State::Loading);
        m_reader->readAll(Exchange::Purpose::Load);
    };
    const Result<HttpRequest> request =
        m_wire.requestToRead(u"collection"_s, m_wire.topCollections().value(0));
    if (!request)
        return load();
    m_connection->send({ .request = *request }, [this, load](const Connection::Answer &answer) {
        if (m_state != State::Lost)
            return;
        const int status = answer.response ? answer.response->status : 0;
        if (!answer.isAnswered || answer.isRefused || (status >= 502 && status <= 504))
            lose(status == 0 ? answer.problem : tr("The server answers %1.").arg(status),
                !answer.isRefused);
        else
            load();
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
    m_lastTransitionalRefresh = m_lastRefresh = 0;
    emit pollsChanged();
}

bool RemoteController::onlyReads(const QString &operation) const
{
    const auto methodOf = [&](const QString &ask) {
        const std::vector<RequestRow> &rows = m_wire.requests.all();
        const auto found =
            std::ranges::find_if(rows, [&](const RequestRow &one) { return one.row->ask == ask; });
        return found == rows.end() ? QString() : found->row->method;
    };
    const QString own = methodOf(operation);
    if (own.isEmpty()) // WireRules::request() then takes the operation's name for the method
        return methodOf(u"resource"_s) == operation && isSafe(operation.toLatin1());
    return isSafe(own.toLatin1());
}

/// The request as it is sent, or the code and reason if it is refused here.
RemoteController::Prepared RemoteController::prepared(const Request &request) const
{
    if (m_state == State::Closed || !m_hasRead)
        return { Error { tr(
                     "The request was not sent, because there is no connection to a server yet.") },
            u"NotConnected"_s };
    Request full = request;
    const Resource known = world().tree.find(request.path);
    if (known != NoResource && request.body.isEmpty() && !m_wire.merges(request.op)) {
        // The server would remove members that the body lacks.
        full.body = mergedBody(m_wire, world(), known, request);
        if (full.properties.isEmpty() && full.references.isEmpty()) {
            full.properties = world().properties.value(known);
            full.references = world().references.value(known);
        }
    }
    const Result<HttpRequest> http = m_wire.request(full, &world());
    if (!http)
        return { http, u"NotSpoken"_s };
    if (m_options.readOnly && !isSafe(http->method))
        return { Error { tr("The request was not sent, because the connection is read-only. Switch "
                            "Read Only off to send requests that change something.") },
            u"ReadOnly"_s };
    return { http };
}

QList<quint32> RemoteController::fireTogether(const QList<Request> &requests)
{
    QList<quint32> serials, sent;
    for (Request request : requests) {
        const quint32 serial = ++m_remoteWorld.world().lastSerial;
        if (request.id.isEmpty())
            request.id = m_operations.nextId();
        serials += serial;
        const auto shared = QSharedPointer<Request>::create(std::move(request));
        const Event event { .kind = Event::Kind::Submit, .request = shared };
        const Prepared out = prepared(*shared);
        const Change change { .kind = out.http ? Change::Kind::Sent : Change::Kind::Rejected,
            .operation = serial,
            .request = shared,
            .path = shared->path,
            .code = out.code,
            .message = out.http ? QString() : out.http.error() };
        if (!out.http) {
            addRecord({ change }, event);
            continue;
        }
        const QUrl url = m_connection->url(out.http->target);
        auto one = std::make_unique<SentOperation>(SentOperation { .serial = serial,
            .request = shared,
            .shownBy = m_wire.shownBy(shared->path),
            .remoteRequest = { .request = *out.http,
                .url = url,
                .purpose = Exchange::Purpose::Fire,
                .client = shared->client,
                .operation = shared->id },
            .predicted = admission(*shared),
            .lastState = stateAt(shared->path),
            .operation = { .method = out.http->method,
                .url = url,
                .path = shared->path,
                .resource = resourceUrl(shared->path),
                .hasRequestId = !shared->requestId.isEmpty() && !m_wire.requestIdHeader.isEmpty(),
                .answersAtEnd = m_wire.answersAtEnd(shared->op),
                .options = m_options.follow },
            .isNamed = !m_wire.serverChoosesName(*shared) });
        sent += serial;
        m_sentOperations.emplace(serial, std::move(one));
        if (m_monitor)
            m_monitor->begun(shared->path);
        addRecord({ change }, event);
    }
    if (sent.isEmpty() || !m_burst)
        return serials;
    for (const quint32 serial : std::as_const(sent)) {
        const SentOperation *one = sentOperation(serial);
        if (one && mayOverwrite(*one))
            m_reader->read(readPath(one->request->path), Exchange::Purpose::Load);
    }
    m_unsent += sent;
    sendChecked();
    return serials;
}

/// URL at which a resource can be read; empty if there is none.
QUrl RemoteController::resourceUrl(const QString &path) const
{
    const Result<HttpRequest> read = m_wire.requestToRead(u"resource"_s, path);
    return read ? m_connection->url(read->target) : QUrl();
}

/// Path to read for a resource: its own, or that of the resource whose document contains it.
QString RemoteController::readPath(const QString &path) const
{
    return m_wire.requestToRead(u"resource"_s, path) ? path : m_wire.shownBy(path);
}

RemoteController::Existence RemoteController::existence(const QString &path) const
{
    if (world().tree.find(path) != NoResource)
        return Existence::There;
    for (QString above = path; !above.isEmpty(); above = above.section(u'/', 0, -3)) {
        if (m_known.value(pathKey(world(), above)).kind == Reading::NotThere)
            return Existence::NotThere;
    }
    const QString read = readPath(path);
    if (!m_wire.requestToRead(u"resource"_s, read)) {
        const QString list = pathKey(world(), path.section(u'/', 0, -2));
        return m_known.value(list).kind == Reading::Shown ? Existence::NotThere
                                                          : Existence::Unknown;
    }
    // The document that would contain the resource was read and does not contain it.
    return read != path && world().tree.find(read) != NoResource ? Existence::NotThere
                                                                 : Existence::Unknown;
}

QString RemoteController::readingProblem(const QString &path) const
{
    return m_known.value(pathKey(world(), readPath(path))).problem;
}

void RemoteController::find(const QStringList &paths)
{
    m_findTargets.clear();
    if (m_state != State::Ready)
        return;
    for (const QString &path : paths) {
        const QString read = readPath(path);
        if (m_findTargets.contains(read))
            continue;
        m_findTargets += read;
        m_reader->read(read, Exchange::Purpose::Load);
    }
}

bool RemoteController::isFinding() const
{
    const auto isRead = [this](const QString &path) { return m_reader->isReading(path); };
    return m_state == State::Ready && std::ranges::any_of(m_findTargets, isRead);
}

Result<HttpRequest> RemoteController::wouldSend(const Request &request) const
{
    return prepared(request).http;
}

/// Returns true if a PUT, which replaces a whole resource, could overwrite one that was not read.
bool RemoteController::mayOverwrite(const SentOperation &one) const
{
    return one.remoteRequest.request.method == "PUT" && one.isNamed && !m_options.createsUnknown
        && existence(one.request->path) == Existence::Unknown;
}

/// Sends the fired bursts in order, up to the first one that awaits the reading of a target.
void RemoteController::sendChecked()
{
    while (!m_unsent.isEmpty() && m_state != State::Closed) {
        const QList<quint32> &next = m_unsent.first();
        const bool isBeingRead = std::ranges::any_of(next, [this](quint32 serial) {
            const SentOperation *one = sentOperation(serial);
            return one && mayOverwrite(*one) && m_reader->isReading(readPath(one->request->path));
        });
        if (isBeingRead)
            return;
        QList<quint32> known;
        for (const quint32 serial : m_unsent.takeFirst()) {
            SentOperation *one = sentOperation(serial);
            if (!one)
                continue;
            const QString path = one->request->path;
            if (mayOverwrite(*one)) {
                const QString why = readingProblem(path);
                takeAnswer(*one,
                    { .problem =
                            tr("The request was not sent, because it could overwrite %1, which may "
                               "exist: %2")
                                .arg(path,
                                    why.isEmpty() ? tr("the resource could not be read.") : why) });
                continue;
            }
            // The new body has the properties that were read since the request was fired.
            if (const Prepared out = prepared(*one->request); out.http)
                one->remoteRequest.request = *out.http;
            known += serial;
        }
        if (!known.isEmpty())
            send(known);
    }
}

void RemoteController::send(const QList<quint32> &serials)
{
    m_connection->whenSignedIn([this, serials](const SignIn &signIn) {
        const QString problem = signIn.problem();
        if (problem.isEmpty())
            return release(serials);
        if (m_state == State::Ready)
            lose(problem, false);
        for (const quint32 serial : serials) {
            if (SentOperation *one = sentOperation(serial))
                takeAnswer(*one, { .problem = problem });
        }
    });
}

void RemoteController::release(const QList<quint32> &serials)
{
    QList<QByteArray> bytes;
    QList<quint32> sent;
    for (const quint32 serial : serials) {
        SentOperation *one = sentOperation(serial);
        if (!one) // a listener has ended the operation meanwhile
            continue;
        one->http = m_connection->prepared(one->remoteRequest.request, one->remoteRequest.url);
        one->exchange = 0;
        bytes += toBytes(one->http);
        sent += serial;
    }
    if (sent.isEmpty())
        return;
    m_bursts.insert(m_burst->fire(bytes), sent);
    QTimer::singleShot(UnconnectedMs, this, [this, serial = sent.first()] {
        if (const SentOperation *one = sentOperation(serial); one && !one->exchange)
            emit problem(tr("%1: the server has not accepted a connection for %2 s.")
                             .arg(one->request->id, QString::number(UnconnectedMs / 1000.0)));
    });
}

void RemoteController::repeat(quint32 serial)
{
    SentOperation *one = sentOperation(serial);
    if (!one || m_state == State::Closed)
        return;
    one->awaitsAnswer = true;
    one->isRenewed = false;
    if (one->operation.stage == RemoteOperation::Stage::Called) {
        one->remoteRequest.purpose = Exchange::Purpose::Poll;
        if (const auto again = m_wire.again(*one->request, one->remoteRequest.request))
            one->remoteRequest.request = *again;
    }
    send({ serial });
}

void RemoteController::cancel(quint32 serial)
{
    if (sentOperation(serial))
        emit problem(tr("This program cannot cancel a server's operation directly. Fire an "
                        "operation that cancels it, if the rules define one."));
}

void RemoteController::end(quint32 serial, Rules::TriggerId)
{
    if (sentOperation(serial))
        emit problem(tr("The server decides how its work ends; this program cannot."));
}

/// Converts a moment to the world's clock, at most to the present; 0 if the moment is unknown.
qint64 RemoteController::momentOf(const QDateTime &moment) const
{
    if (!moment.isValid())
        return 0;
    const qint64 ago = moment.msecsTo(QDateTime::currentDateTimeUtc()) + 1; // both are rounded down
    return std::clamp<qint64>(now() - ago, 0, now());
}

void RemoteController::addRecord(std::vector<Change> changes, Event event)
{
    event.time = now();
    m_remoteWorld.world().now = event.time;
    m_remoteWorld.setUnderway(underway());
    std::ranges::move(m_remoteWorld.takeViolations(), std::back_inserter(changes));
    m_records.append(Record { .event = event,
        .changes = std::move(changes),
        .treeChanges = m_remoteWorld.takeTreeChanges(),
        .holdings = m_remoteWorld.takeAffectedResources(),
        .unanswered = {},
        .dirty = m_remoteWorld.takeDirty(),
        .since = momentOf(m_remoteWorld.takeSince()) });
    m_operations.apply(m_rules, m_records.last(), world());
    for (const auto &[serial, one] : m_sentOperations) {
        const Rules::StateId state = stateAt(one->request->path);
        if (isAtWork(state) || !isAtWork(one->lastState))
            one->lastState = state;
    }
    const Record record = m_records.last(); // receivers may append more
    if (m_conformance)
        m_conformance->addObserved(record, world());
    forgetPast();
    emit recorded(record);
}

/// Removes the oldest records and operations beyond the limits, in bulk to amortize the cost.
void RemoteController::forgetPast()
{
    const auto remaining = [](qsizetype most) { return most - most / 4; };
    if (m_options.mostRecords > 0 && m_records.size() > m_options.mostRecords) {
        const qsizetype surplus = m_records.size() - remaining(m_options.mostRecords);
        m_records.remove(0, surplus);
        m_forgotten += surplus;
    }
    const qsizetype most = m_options.mostOperations, openCount = qsizetype(m_sentOperations.size());
    if (most <= 0 || m_operations.all().size() <= most + openCount)
        return;
    m_operations.keep(remaining(most) + openCount);
    const auto isForgotten = [this](quint32 serial) { return !m_operations.find(serial); };
    m_serverIds.removeIf([&](const std::pair<const quint32 &, QString &> &entry) {
        return isForgotten(entry.first);
    });
    m_remoteWorld.world().answered.removeIf(
        [&](const std::pair<const QString &, quint32 &> &entry) {
            return isForgotten(entry.second);
        });
}

void RemoteController::watch(const Exchange &exchange)
{
    if (m_monitor)
        m_monitor->take(exchange);
    emit exchanged(exchange);
}

void RemoteController::advanceMonitor()
{
    if (m_monitor && m_monitor->advanceTo(QDateTime::currentDateTimeUtc()))
        m_conformance->addExpected(world(), m_monitor->takeChangedTrees(), m_monitor->start());
}

bool RemoteController::isReading() const
{
    if (m_state == State::Closed)
        return false;
    const auto awaits = [this](const SentOperation &one) {
        return one.awaitsAnswer || one.operation.hasEnded()
            || (one.isDue() && m_isPolling && m_state == State::Ready);
    };
    return m_state == State::Loading || m_reader->isReading() || m_readsAgain
        || !serials(awaits).isEmpty();
}

bool RemoteController::isBusy() const
{
    const auto isUnanswered = [](const SentOperation &one) { return !one.operation.isAnswered(); };
    return isReading() || !serials(isUnanswered).isEmpty();
}

void RemoteController::pollNow()
{
    poll(&SentOperation::mayBePolled);
}

void RemoteController::refresh()
{
    pollNow();
    if (m_state != State::Ready)
        return;
    m_refreshes = true;
    m_refreshTargets.clear();
    m_awaited.clear();
    for (const quint32 serial : serials([](const SentOperation &one) {
             return one.operation.isPolled() || one.operation.hasEnded();
         }))
        m_awaited.insert(serial);
    m_readsAgain = m_reader->isReadingAll(); // a reading under way may show an older state
    m_reader->readAll(Exchange::Purpose::Poll);
}

bool RemoteController::isRefreshing() const
{
    if (m_state != State::Ready)
        return m_state == State::Loading;
    const bool readsTargets = std::ranges::any_of(
        m_refreshTargets, [this](const QString &path) { return m_reader->isReading(path); });
    const bool awaitsOperations = std::ranges::any_of(
        m_awaited, [this](quint32 serial) { return m_sentOperations.contains(serial); });
    return m_refreshes || readsTargets || awaitsOperations;
}

RemoteController::SentOperation *RemoteController::sentOperation(quint32 serial)
{
    const auto found = m_sentOperations.find(serial);
    return found == m_sentOperations.end() ? nullptr : found->second.get();
}

/// State of the resource at a path; initial if it does not exist, None if its type is unknown.
Rules::StateId RemoteController::stateAt(const QString &path) const
{
    const Tree &tree = world().tree;
    if (const Resource resource = tree.find(path); resource != NoResource)
        return m_rules.stateOf(tree.code(resource));
    const int machine = m_rules.machineForType(typePathOf(path));
    return machine == Rules::None ? Rules::None : m_rules.machines()[size_t(machine)].initial;
}

bool RemoteController::isAtWork(Rules::StateId state) const
{
    return state != Rules::None && m_rules.state(state).isTransitional();
}

/// The newest operation other than `self` whose id occurs in a body.
quint32 RemoteController::otherIn(const QByteArray &body, quint32 self) const
{
    constexpr qsizetype LeastIdSize = 4; // a shorter id may occur by chance
    quint32 found = 0;
    for (auto it = m_serverIds.cbegin(); it != m_serverIds.cend(); ++it) {
        const bool isNewer = it.key() != self && it.key() > found;
        if (isNewer && it->size() >= LeastIdSize && body.contains(it->toUtf8()))
            found = it.key();
    }
    return found;
}

void RemoteController::released(quint64 burst, const QList<qint64> &sent)
{
    const QList<quint32> serials = m_bursts.value(burst);
    for (qsizetype i = 0; i < serials.size(); ++i) {
        const SentOperation *one = sentOperation(serials[i]);
        if (!one)
            continue;
        const quint64 exchange = m_connection->begin(
            one->remoteRequest, one->http, sent[i] ? sent[i] : microsecondsNow());
        if (SentOperation *still = sentOperation(serials[i]))
            still->exchange = exchange;
    }
}

void RemoteController::answered(quint64 burst, int index, const BurstShot &shot)
{
    const quint32 serial = m_bursts.value(burst).value(index);
    SentOperation *one = sentOperation(serial);
    if (!one)
        return;
    if (!one->exchange)
        one->exchange = m_connection->begin(
            one->remoteRequest, one->http, shot.sent ? shot.sent : microsecondsNow());
    const AnswerInterval interval =
        m_connection->end(one->exchange, shot.response, shot.problem, shot.waitMs, shot.durationMs);
    one = sentOperation(serial); // a listener may have closed the connection
    if (!one)
        return;
    one->answered = interval;
    const bool isUnauthorized = shot.response && shot.response->status == 401;
    if (isUnauthorized && !one->isRenewed && m_connection->renews(one->http)) {
        one->isRenewed = true;
        send({ serial });
        return;
    }
    takeAnswer(*one, shot);
}

/// Applies a document as the newest observation, even if the server held its answer back.
RemoteWorld::Changes RemoteController::showDocument(
    const SentOperation &one, const QByteArray &body)
{
    const Result<ResourceMessage> message = m_wire.resource(body, one.request->path);
    if (!message || (message->state.isEmpty() && message->etag.isEmpty()))
        return {};
    AnswerInterval when = one.answered;
    when.exchange = m_connection->lastNumber();
    const RemoteWorld::Changes changes =
        m_remoteWorld.observe({ one.request->path, *message, when });
    reportUnknown();
    return changes;
}

/// Applies an event to an operation. Returns the kind of change to report, if any.
std::optional<Change::Kind> RemoteController::take(SentOperation &one, OperationEvent event)
{
    one.awaitsAnswer = false;
    event.now = realNow();
    OperationStep step = next(m_wire, std::move(one.operation), event);
    one.operation = std::move(step.operation);
    return step.report;
}

void RemoteController::learnName(SentOperation &one, const HttpResponse &response)
{
    if (one.isNamed || response.status >= 300)
        return;
    const QString path =
        m_wire.madePath(one.request->path.section(u'/', 0, -2), response, one.remoteRequest.url);
    if (path.isEmpty())
        return;
    Request named = *one.request;
    named.path = path;
    one.request = QSharedPointer<Request>::create(std::move(named));
    one.shownBy = m_wire.shownBy(path);
    one.isNamed = true;
    one.operation.path = path;
    one.operation.resource = resourceUrl(path);
    m_operations.rename(one.serial, one.request->op, path);
}

/// Reads a resource and its top-level ancestor, which change together; no path: everything.
/// The path is a copy, because reading may fail at once and end the operation that holds it.
void RemoteController::readAt(QString shownBy)
{
    if (shownBy.isEmpty())
        return m_reader->readAll(Exchange::Purpose::Poll);
    m_reader->read(shownBy);
    if (const QString top = RemoteWorld::top(shownBy); top != shownBy)
        m_reader->read(top);
}

void RemoteController::takeAnswer(SentOperation &one, const BurstShot &shot)
{
    using Kind = Change::Kind;
    const HttpResponse response = shot.response.value_or(HttpResponse());
    if (shot.response)
        learnName(one, response);
    const quint32 serial = one.serial;
    const QSharedPointer<const Request> request = one.request;
    const bool wasThere = world().tree.find(request->path) != NoResource;
    const quint32 original = world().answered.value(request->requestId);
    const std::optional<Kind> report = take(one,
        { .response = shot.response,
            .problem = shot.problem,
            .wasSent = shot.offsetNs >= 0,
            .targetExists = wasThere,
            .replayed = original ? std::optional(m_serverIds.value(original)) : std::nullopt });
    if (!report)
        return takeNextStep(one);
    if (const QString id = one.operation.serverId(); !id.isEmpty())
        m_serverIds.insert(serial, id);

    // A listener may close the connection below, which ends `one`.
    const Rules::StateId before = wasThere || !shot.response ? one.lastState : Rules::None;
    const QString pathToRead = one.pathToRead();
    Change change { .kind = *report,
        .operation = serial,
        .request = request,
        .path = request->path,
        .from = one.lastState };
    const bool hasEffect = report == Kind::Started || report == Kind::Observed;
    const auto victims = hasEffect ? one.predicted.cancels : std::vector<Admission::Cancel>();
    if (hasEffect) {
        if (!request->requestId.isEmpty())
            m_remoteWorld.world().answered.insert(request->requestId, serial);
        for (const Admission::Cancel &victim : victims) {
            if (SentOperation *other = sentOperation(victim.serial))
                other->canceledBy = serial;
        }
        const QByteArray &method = one.http.method;
        const bool showsTarget = method == "PUT" || method == "PATCH" || method == "GET";
        if (showsTarget && response.status < 300 && !response.body.isEmpty()) {
            change.moved = showDocument(one, response.body).moved;
            change.to = stateAt(request->path);
        }
    }
    if (report == Kind::Started) {
        addRecord({ change });
        if (SentOperation *still = sentOperation(serial))
            takeNextStep(*still);
        if (m_isPolling) { // the canceled operations have probably just ended
            poll([&](const SentOperation &other) {
                return other.mayBePolled()
                    && std::ranges::count(victims, other.serial, &Admission::Cancel::serial) > 0;
            });
        }
        return;
    }
    change.from = change.to = before;
    if (report == Kind::Replayed)
        change.other = original;
    const bool isRefused = report == Kind::Rejected || report == Kind::Closed;
    if (isRefused)
        explainRefusal(one, &change);
    if (m_sentOperations.erase(serial) > 0 && m_monitor)
        m_monitor->ended(request->path, QDateTime::currentDateTimeUtc());
    addRecord({ change });
    // A reading shows the state that the request met, or that the server is gone.
    if (isRefused && m_state == State::Ready && (!pathToRead.isEmpty() || !shot.response))
        readAt(pathToRead);
}

void RemoteController::explainRefusal(const SentOperation &one, Change *change)
{
    const OperationEnd &end = one.operation.end;
    change->code = end.code;
    change->message = m_connection->shown(end.message);
    change->http = end.http;
    if (change->kind == Change::Kind::Closed)
        change->outcome = m_rules.failed;
    if (!end.http)
        return;
    const Admission judged = refusalOf(one, end);
    change->rule = judged.rule;
    change->other = otherIn(end.body, one.serial);
    if (!change->other)
        change->other = judged.other;
}

/// Takes an operation's next step: finishes it, or schedules a repetition or polls.
void RemoteController::takeNextStep(SentOperation &one)
{
    const RemoteOperation &operation = one.operation;
    const quint32 serial = one.serial; // a listener may end the operation below
    if (operation.hasEnded())
        return finish(one);
    const bool isDelayed = operation.stage == RemoteOperation::Stage::Delayed;
    if (!operation.isPolled()) {
        const qint64 delay = std::max<qint64>(operation.notBefore - realNow() + 1, 0);
        QTimer::singleShot( // never too early
            int(delay), Qt::PreciseTimer, this, [this, serial] { repeat(serial); });
        if (isDelayed) {
            emit problem(tr("%1: the server answered %2 and asked for a retry; the request is sent "
                            "again in %3 s.")
                             .arg(one.request->id, QString::number(operation.http),
                                 QString::number(double(delay) / 1000)));
            return;
        }
    }
    if (m_state == State::Ready && m_reader->notBefore(one.shownBy) <= realNow())
        readAt(one.pathToRead());
    if (m_isPolling) // polls at once if there is no delay
        poll([serial](
                 const SentOperation &other) { return other.serial == serial && other.isDue(); });
}

/// Serials of the operations that fit; not pointers, since a listener may end an operation.
QList<quint32> RemoteController::serials(
    const std::function<bool(const SentOperation &)> &which) const
{
    QList<quint32> fitting;
    for (const auto &[serial, one] : m_sentOperations) {
        if (which(*one))
            fitting += serial;
    }
    return fitting;
}

void RemoteController::poll(const std::function<bool(const SentOperation &)> &which)
{
    for (const quint32 serial : serials(which)) {
        if (SentOperation *one = sentOperation(serial); one && m_state == State::Ready)
            poll(*one);
    }
}

void RemoteController::poll(SentOperation &one)
{
    one.awaitsAnswer = true;
    const QUrl url = one.operation.url;
    m_connection->send({ .request = { .method = "GET" },
                           .url = url,
                           .purpose = Exchange::Purpose::Poll,
                           .client = one.request->client,
                           .operation = one.request->id },
        [this, serial = one.serial, url](const Connection::Answer &answer) {
            SentOperation *polled = sentOperation(serial);
            if (!polled)
                return;
            polled->answered = answer.when;
            take(*polled, { .response = answer.response, .problem = answer.problem });
            // If the operation has ended, refresh() waits until its end is reported.
            if (polled->operation.isPolled()
                && polled->operation.stage != RemoteOperation::Stage::PollsFinal)
                m_awaited.remove(serial);
            const bool isLoss =
                answer.isRefused || (!answer.isAnswered && m_connection->isOwn(url));
            takeNextStep(*polled);
            if (isLoss && m_state == State::Ready)
                lose(answer.problem, !answer.isRefused);
        });
}

void RemoteController::finish(SentOperation &one)
{
    one.endedAt = m_connection->lastNumber();
    const std::optional<QByteArray> resource = one.operation.end.resource;
    if (resource && one.isNamed && one.http.method != "DELETE")
        showDocument(one, *resource);
    const quint32 serial = one.serial;
    const SentOperation *still = sentOperation(serial);
    const bool awaitsReading = still && still->isNamed && m_state == State::Ready;
    if (still && m_state == State::Ready)
        readAt(still->pathToRead());
    if (!awaitsReading && sentOperation(serial))
        conclude(serial);
}

void RemoteController::conclude(quint32 serial, qint64 moved)
{
    const std::unique_ptr<SentOperation> one = std::move(m_sentOperations.at(serial));
    m_sentOperations.erase(serial);
    const OperationEnd &end = one->operation.end;
    if (m_monitor && end.mayStillRun)
        m_monitor->pollingFailed(one->request->path, QDateTime::currentDateTimeUtc());
    else if (m_monitor)
        m_monitor->ended(one->request->path, QDateTime::currentDateTimeUtc());
    Change change { .kind = Change::Kind::Closed,
        .operation = serial,
        .path = one->request->path,
        .from = one->lastState,
        .to = stateAt(one->request->path) };
    change.moved = std::max<qint64>(moved, change.from != change.to ? 1 : 0);
    change.code = end.code;
    change.message = m_connection->shown(end.message);
    change.outcome = outcomeOf(m_rules, end);
    if (end.status == Status::Canceled) {
        const quint32 named = otherIn(end.body, serial);
        change.other = named ? named : one->canceledBy;
        if (change.other)
            change.kind = Change::Kind::Canceled;
    }
    addRecord({ change });
}

void RemoteController::takeCollection(const CollectionObservation &read)
{
    m_known.insert(pathKey(world(), read.path),
        { .kind = read.isMissing ? Reading::NotThere : Reading::Shown });
    if (!read.isMissing)
        setUnderstood();
    if (!m_hasRead) {
        m_firstCollections += read;
        return;
    }
    if (read.isMissing)
        readEachIn(read.path);
    const QList<RemoteWorld::Changes> changes = m_remoteWorld.observe(read);
    reportUnknown();
    recordChanges(changes);
    pollFinished();
}

void RemoteController::takeResource(const ResourceObservation &read)
{
    if (read.message)
        setUnderstood();
    m_known.insert(
        pathKey(world(), read.path), { .kind = read.message ? Reading::Shown : Reading::NotThere });
    const RemoteWorld::Changes changes = m_remoteWorld.observe(read);
    reportUnknown();
    if (!endWaiting(read.path, read.when.exchange, changes.moved))
        recordChanges({ changes });
    pollFinished();
    sendChecked();
}

/// Reads the known resources of a collection that cannot be listed.
void RemoteController::readEachIn(const QString &collection)
{
    const Tree &tree = world().tree;
    const QList<Resource> all = tree.collection(collection).value_or(QList<Resource>());
    for (const Resource resource : all) {
        m_refreshTargets += tree.path(resource);
        m_reader->read(m_refreshTargets.last());
    }
}

/// Loses the connection for good, because the server refuses the credential with a status.
void RemoteController::loseByCredential(int status)
{
    lose(tr("The server refuses the credential (%1). Connect again with another credential.")
             .arg(status),
        false);
}

void RemoteController::takeFailure(
    const QString &path, TreeReader::Failure failure, const QString &why)
{
    const bool isCollection = path.count(u'/') % 2 == 1;
    m_known.insert(pathKey(world(), path),
        { .kind = isCollection && failure == TreeReader::Failure::Forbidden ? Reading::Forbidden
                                                                            : Reading::Failed,
            .problem = why });
    if (failure == TreeReader::Failure::NoAnswer || failure == TreeReader::Failure::NoToken)
        return lose(why, failure == TreeReader::Failure::NoAnswer);
    if (m_state == State::Loading && failure == TreeReader::Failure::Unauthorized)
        return loseByCredential(401);
    if (!m_reported.contains(why)) {
        m_reported.insert(why);
        emit problem(why);
    }
    if (isCollection && path.count(u'/') == 1 && m_hasRead)
        readEachIn(path);
    if (!path.isEmpty() && m_reader && !m_reader->isReading(path))
        endWaiting(path, ~quint64(0), 0); // no later reading will come
    if (m_reader)
        sendChecked();
}

void RemoteController::setUnderstood()
{
    if (std::exchange(m_isUnderstood, true))
        return;
    if (m_state == State::Ready)
        setState(State::Ready);
}

void RemoteController::treeRead()
{
    const qsizetype collections = m_wire.topCollections().size(),
                    forbidden = std::ranges::count(m_known, Reading::Forbidden, &Reading::kind);
    if (m_state == State::Loading && collections > 0 && forbidden >= collections)
        return loseByCredential(403);
    if (m_state == State::Loading) {
        m_tries = 0;
        if (!m_hasRead) {
            m_hasRead = true;
            // In the order of the pack's types, not of arrival.
            QList<CollectionObservation> first = std::exchange(m_firstCollections, {});
            const QStringList order = m_wire.topCollections();
            std::ranges::stable_sort(first, {},
                [&](const CollectionObservation &read) { return order.indexOf(read.path); });
            for (const CollectionObservation &read : first)
                m_remoteWorld.observe(read);
            reportUnknown();
            m_clock.start();
            m_remoteWorld.takeTreeChanges(); // the first reading is no change
            m_remoteWorld.takeSince();
            emit rewound();
            if (std::vector<Change> broken = m_remoteWorld.takeViolations(); !broken.empty())
                addRecord(std::move(broken));
        }
        m_ticker.start(TickMs);
        setState(State::Ready,
            m_isUnderstood
                ? QString()
                : tr("%1 answers, but its answers do not fit %2. Check the URL and the system.")
                      .arg(maskedUrl(m_options.connection.server), m_rules.pack().title));
    }
    m_lastRefresh = now();
    if (std::exchange(m_readsAgain, false) && m_state == State::Ready)
        m_reader->readAll(Exchange::Purpose::Poll);
    else
        m_refreshes = false;
}

/// Advances time; polls operations that are due, reads resources in transitional states at short
/// intervals, and the whole tree at long ones.
void RemoteController::tick()
{
    const qint64 time = now();
    m_remoteWorld.world().now = time;
    advanceMonitor();
    emit timePassed();
    if (m_state != State::Ready || !m_isPolling)
        return;
    poll(&SentOperation::isDue);
    if (m_state != State::Ready)
        return;
    const auto isDue = [time](qint64 last, int every) { return every > 0 && time - last >= every; };
    const auto isHeld = [this](
                            const QString &path) { return m_reader->notBefore(path) > realNow(); };
    if (m_reader->notBeforeAll() > realNow())
        return;
    if (isDue(m_lastRefresh, m_options.refreshMs)
        && std::ranges::none_of(m_wire.topCollections(), isHeld)) {
        m_lastRefresh = time;
        return m_reader->readAll(Exchange::Purpose::Poll);
    }
    if (!isDue(m_lastTransitionalRefresh, m_options.transitionalRefreshMs))
        return;
    m_lastTransitionalRefresh = time;
    QStringList tops = m_remoteWorld.transitionalTops();
    for (const auto &[serial, one] : m_sentOperations) {
        if (one->operation.isPolled() && one->isNamed)
            tops += { one->shownBy, RemoteWorld::top(one->shownBy) };
    }
    tops.removeDuplicates();
    tops.removeIf(isHeld);
    if (tops.size() > MostSingly)
        return m_reader->readAll(Exchange::Purpose::Poll);
    for (const QString &top : std::as_const(tops)) {
        if (!m_reader->isReading(top))
            m_reader->read(top);
    }
}

void RemoteController::recordChanges(const QList<RemoteWorld::Changes> &observed)
{
    std::vector<Change> changes;
    for (const RemoteWorld::Changes &one : observed) {
        if (!one.isEmpty())
            changes.push_back({ .kind = Change::Kind::Reported,
                .path = one.path,
                .from = one.from,
                .to = one.to,
                .moved = one.moved,
                .code = one.unknown });
    }
    if (!changes.empty())
        addRecord(std::move(changes));
}

/// Polls operations whose target has come to rest, unless the server said when to poll.
void RemoteController::pollFinished()
{
    if (!m_isPolling)
        return;
    poll([this](const SentOperation &one) {
        return one.mayBePolled() && one.operation.hasDefaultDelay && isAtWork(one.lastState)
            && !isAtWork(stateAt(one.request->path));
    });
}

/// Returns the operations that the answers so far show in progress at the server.
QList<RemoteWorld::Underway> RemoteController::underway() const
{
    QList<RemoteWorld::Underway> list;
    for (const auto &[serial, one] : m_sentOperations) {
        if (one->operation.isAnswered())
            list += { serial, one->request };
    }
    return list;
}

/// Finds a refusal by the rules that agrees with the server's. Tries the state when the request was
/// fired; then adds operations that were accepted since, then unanswered ones (an answer can be
/// late), then possible operations of other clients. Accepted: no refusal agrees.
Admission RemoteController::refusalOf(const SentOperation &one, const OperationEnd &end)
{
    using Operations = QList<RemoteWorld::Underway>;
    // A server may have error codes of its own.
    const bool isPackCode = errorCodes(m_rules.pack()).contains(end.code);
    const auto agrees = [&](const Admission &judged) {
        return judged.verdict == Admission::Verdict::Refused && judged.http == end.http
            && (!isPackCode || judged.code == end.code);
    };
    if (agrees(one.predicted))
        return one.predicted;
    Operations accepted, unanswered;
    for (const auto &[serial, other] : m_sentOperations) {
        if (other.get() != &one)
            (other->operation.isAnswered() ? accepted : unanswered) += { serial, other->request };
    }
    const auto judgedWith = [&](const Operations &alsoRun) {
        m_remoteWorld.setUnderway(accepted + alsoRun);
        const Admission judged = admission(*one.request);
        return agrees(judged) ? std::optional(judged) : std::nullopt;
    };
    std::optional<Admission> found = judgedWith({});
    if (!found) {
        QList<Admission> alone; // refusals that a single unanswered operation explains
        for (const auto &other : std::as_const(unanswered)) {
            if (const auto judged = judgedWith({ other }))
                alone += *judged;
        }
        found = alone.isEmpty() ? judgedWith(unanswered) : std::optional(alone.first());
        m_remoteWorld.setUnderway(accepted);
        for (const Request &request : m_remoteWorld.externalRequests(one.request->path)) {
            constexpr quint32 External = ~quint32(0); // no own operation has this serial
            if (!found)
                found = judgedWith({ { External, QSharedPointer<Request>::create(request) } });
        }
        if (found && alone.size() != 1)
            found->other = 0; // the rule is known, but not the operation in the way
    }
    m_remoteWorld.setUnderway(underway());
    return found.value_or(Admission { .verdict = Admission::Verdict::Accepted });
}

void RemoteController::reportUnknown()
{
    for (const QString &what : m_remoteWorld.takeUnknown())
        emit problem(tr("The server shows a value that the pack %1 does not define: %2.")
                         .arg(m_rules.pack().id, what));
}

/// Ends operations that await only a reading of `path`; the first reports `moved`. False: none.
bool RemoteController::endWaiting(const QString &path, quint64 exchange, qint64 moved)
{
    const Qt::CaseSensitivity names = world().tree.caseSensitivity();
    const QList<quint32> over = serials([&](const SentOperation &one) {
        return one.operation.hasEnded() && one.endedAt < exchange
            && one.shownBy.compare(path, names) == 0;
    });
    for (const quint32 serial : over) {
        if (sentOperation(serial))
            conclude(serial, std::exchange(moved, 0));
    }
    return !over.isEmpty();
}

} // namespace instar
