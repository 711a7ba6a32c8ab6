// SPDX-License-Identifier: Apache-2.0
#include "model/remote/server.h"

#include <QDateTime>
#include <QMetaMethod>

#include <algorithm>
#include <cmath>
#include <ranges>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype LongestRequestId = 256; ///< characters
constexpr qsizetype Plain = 1024; ///< bytes of a request whose record surely keeps it whole

constexpr qint64 MostBytes = 64 * 1024 * 1024;

qint64 bytesOf(const HttpResponse &response)
{
    return response.body.size() + 512;
}

} // namespace

void FirstAnswers::remember(quint32 serial, const HttpResponse &response)
{
    m_answers.insert(serial, response);
    m_order += serial;
    m_bytes += bytesOf(response);
    while (m_bytes > MostBytes || m_order.size() > m_most)
        m_bytes -= bytesOf(m_answers.take(m_order.takeFirst()));
}

const HttpResponse *FirstAnswers::find(quint32 serial) const
{
    const auto found = m_answers.constFind(serial);
    return found == m_answers.constEnd() ? nullptr : &*found;
}

void FirstAnswers::clear()
{
    m_answers.clear();
    m_order.clear();
    m_bytes = 0;
}

Server::Server(Simulator &simulator, Options options, QObject *parent)
    : QObject(parent),
      m_simulator(simulator),
      m_options(std::move(options)),
      m_messages(simulator.rules()),
      m_listener([this](HttpListener::Ticket ticket, const HttpRequest &http, const QString &peer) {
          handle(ticket, http, peer);
      }),
      m_misbehaviour(simulator.rules()),
      m_testEndpoints(simulator, m_plans, m_options.testToken, [this] { restart(); }),
      m_first(m_options.mostFinished),
      m_exchanges([this](const Exchange &exchange) { emit exchanged(exchange); })
{
    m_due.setSingleShot(true);
    m_due.setTimerType(Qt::PreciseTimer);
    connect(&m_due, &QTimer::timeout, this, [this] {
        catchUp();
        schedule();
    });
    connect(&simulator, &Controller::recorded, this, &Server::follow);
    // Codes and serials change their meaning then.
    connect(&simulator, &Controller::rewound, this, [this] { m_misbehaviour.clear(); });
    connect(&simulator, &Controller::rulesChanged, this, [this] { m_misbehaviour.clear(); });
    connect(&m_listener, &HttpListener::closed, this, &Server::closed);
    connect(&m_listener, &HttpListener::refused, this,
        [this](const HttpRequest &http, const HttpResponse &response, const QString &peer) {
            if (isToldOfExchanges())
                m_exchanges.begin(ServedExchanges::AtOnce, http, origin(), peer);
            m_exchanges.end(ServedExchanges::AtOnce, response);
            emit served();
        });
    if (m_options.speed > 0)
        simulator.keepRecent(256, m_options.mostFinished);
}

Server::~Server()
{
    m_exchanges.endAll(tr("The server has stopped."));
}

Result<quint16> Server::listen()
{
    if (m_messages.wire().isEmpty())
        return Error { u"the pack %1 has no wire rows for HTTP"_s.arg(
            m_simulator.rules().pack().id) };
    m_options.http.retryAfter = m_options.retryAfter;
    const Result<quint16> port = m_listener.listen(m_options.http);
    if (port) {
        m_clock.start();
        m_started = m_simulator.world().now;
        m_epoch = QDateTime::currentMSecsSinceEpoch() - m_started;
        schedule();
    }
    return port;
}

QString Server::origin() const
{
    return (m_listener.isSecure() ? u"https://"_s : u"http://"_s)
        + authority(m_options.http.address, m_listener.port());
}

void Server::close(int ms)
{
    m_due.stop();
    m_listener.close(ms);
}

/// Advances virtual time by the clock.
void Server::catchUp()
{
    if (m_options.speed > 0)
        m_simulator.advanceTo(m_started + qint64(double(m_clock.elapsed()) * m_options.speed));
}

void Server::schedule()
{
    if (m_options.speed <= 0)
        return;
    const Event next = nextEvent(m_simulator.rules(), m_simulator.world());
    if (next.kind == Event::Kind::Wait) {
        m_due.stop();
        return;
    }
    // A timer that fires early schedules again; most requests need not touch it.
    if (m_due.isActive() && m_dueTime <= next.time)
        return;
    m_dueTime = next.time;
    const double left =
        std::ceil(double(next.time - m_started) / m_options.speed - double(m_clock.elapsed()));
    m_due.start(int(std::clamp(left, 0.0, 60'000.0)));
}

Server::Caller Server::callerOf(HttpListener::Ticket ticket, const HttpRequest &http) const
{
    Caller caller { .ticket = ticket,
        .asked = m_messages.asked(http),
        .origin = {},
        .target = http.target,
        .requestId = {},
        .badId = {},
        .plan = {},
        .headers = m_messages.repeatsHeaders() ? http.headers : HttpHeaders() };
    if (const QByteArray host = header(http.headers, "Host"); host.isEmpty()) {
        caller.origin = origin().toUtf8();
    } else {
        caller.origin.reserve(8 + host.size());
        caller.origin.append(m_listener.isSecure() ? "https://" : "http://").append(host);
    }
    if (const QByteArray &name = m_messages.requestIdHeader(); !name.isEmpty()) {
        const QByteArray id = header(http.headers, name);
        caller.requestId = QString::fromUtf8(id);
        if (!id.isValidUtf8())
            caller.badId = u"the request's id is not UTF-8"_s;
        else if (caller.requestId.size() > LongestRequestId)
            caller.badId =
                u"a request's id may have %1 characters, this one has %2"_s.arg(LongestRequestId)
                    .arg(caller.requestId.size());
    }
    if (const QByteArray &name = m_messages.echoHeader(); !name.isEmpty())
        caller.echoes = header(http.headers, name).compare("false", Qt::CaseInsensitive) != 0;
    return caller;
}

void Server::handle(HttpListener::Ticket ticket, const HttpRequest &http, const QString &peer)
{
    ++m_requests;
    catchUp();
    if (isToldOfExchanges())
        m_exchanges.begin(ticket, http, origin(), peer);
    if (TestEndpoints::isAskedFor(http)) {
        reply(ticket, m_testEndpoints.answer(http));
    } else {
        const Rules &rules = m_simulator.rules();
        Caller caller = callerOf(ticket, http);
        explain(caller);
        if (caller.asked.row && !caller.asked.badName.isEmpty())
            refuse(caller, u"wrongName"_s, caller.asked.badName, Words::Ours);
        else if (caller.asked.row && rules.isOperation(rules.trigger(caller.asked.row->ask)))
            ask(std::move(caller), http, peer);
        else
            tell(caller, http);
    }
    m_exchanges.wait(ticket);
    schedule();
    emit served();
}

bool Server::isToldOfExchanges() const
{
    static const QMetaMethod told = QMetaMethod::fromSignal(&Server::exchanged);
    return isSignalConnected(told);
}

void Server::explain(const Caller &caller)
{
    if (caller.asked.row && !caller.asked.operation.isEmpty())
        m_exchanges.explain(caller.ticket, Exchange::Purpose::Poll, caller.asked.operation);
}

/// Sends an answer; all of them leave here or in breakOff() and spoil().
void Server::reply(HttpListener::Ticket ticket, HttpResponse response)
{
    if (m_exchanges.has(ticket))
        m_exchanges.end(ticket, response,
            m_listener.isWaiting(ticket) ? QString() : tr("The client disconnected first."));
    m_listener.answer(ticket, std::move(response));
}

void Server::breakOff(HttpListener::Ticket ticket, const HttpResponse &response, qsizetype bytes)
{
    m_exchanges.end(ticket, bytes > 0 ? response : HttpResponse { .status = 0 },
        tr("The connection was interrupted."));
    m_listener.sendRaw(ticket, toBytes(response).left(bytes));
}

/// Resets everything; waiting callers get no answer.
void Server::restart()
{
    m_plans.clear();
    m_misbehaviour.clear();
    m_first.clear();
    for (const Caller &caller : std::exchange(m_waiting, {}))
        breakOff(caller.ticket, {}, 0);
    m_simulator.reset();
    m_clock.restart();
    m_started = m_simulator.world().now;
    m_epoch = QDateTime::currentMSecsSinceEpoch() - m_started;
}

/// Returns true beyond the limits that keep the world from filling the memory.
bool Server::isFull(const Request &request)
{
    const World &world = m_simulator.world();
    const auto mayGrow = [&] {
        return world.tree.find(request.path) == NoResource || !request.contents.empty();
    };
    if (world.tree.size() + qsizetype(request.contents.size()) >= m_options.mostResources
        && mayGrow())
        return true;
    if (m_storedBytes + request.body.size() > m_options.mostStoredBytes) {
        m_storedBytes = 0;
        for (const QByteArray &body : world.bodies)
            m_storedBytes += body.size();
    }
    m_storedBytes += request.body.size();
    return m_storedBytes > m_options.mostStoredBytes;
}

WireClock Server::clock() const
{
    const World &world = m_simulator.world();
    return { .zero = m_epoch, .now = m_epoch + world.now, .world = &world };
}

/// Handles a request for an operation.
void Server::ask(Caller caller, const HttpRequest &http, const QString &peer)
{
    if (!caller.badId.isEmpty()) {
        refuse(caller, u"malformedBody"_s, caller.badId, Words::Ours);
        return;
    }
    Incoming read = m_messages.incoming(caller.asked, http, clock());
    Request &request = read.request;
    request.client = peer;
    request.requestId = caller.requestId;
    // For most requests it is enough to know this after a refusal.
    const bool isPlain = read.refusal.isEmpty() && m_plans.isEmpty() && request.requestId.isEmpty()
        && request.contents.empty()
        && request.body.size() + request.ifMatch.size() + request.ifNoneMatch.size() < Plain;
    Admission admitted = isPlain ? Admission() : m_simulator.admission(request);
    if (!read.refusal.isEmpty()) {
        // Problems of the world come before those of the body; a known request id before both.
        if (admitted.verdict != Admission::Verdict::Refused
            && admitted.verdict != Admission::Verdict::Replayed) {
            refuse(caller, read.refusal, read.text, read.isBadName ? Words::Ours : Words::Pack);
            return;
        }
    } else if (isFull(request)) {
        refuse(caller, u"full"_s, u"The controller is full."_s);
        return;
    }
    if (!m_plans.isEmpty()) {
        const bool starts = admitted.verdict == Admission::Verdict::Accepted;
        const auto suits = [&](const TestPlan &one) {
            const std::optional<Fault> broken = one.brokenRule();
            return broken
                ? m_misbehaviour.isPossible(*broken, m_simulator.world(), request, admitted)
                : starts || one.refusedToo;
        };
        const TestPlan plan = m_plans.take(request.op, request.path, m_messages.names(), suits);
        if (starts || plan.brokenRule()) {
            caller.plan = plan;
            caller.plan.apply(request);
        }
    }
    caller.asked.path = request.path;

    m_exchanges.explain(caller.ticket, Exchange::Purpose::Fire, request.id);
    const quint32 serial = submitted(caller.plan, std::move(request));
    const Record &record = m_simulator.records().last();
    const auto change = std::ranges::find(record.changes, serial, &Change::operation);
    if (change == record.changes.end()) {
        answer(caller, HttpResponse { .status = 500 });
        return;
    }
    if (change->kind == Change::Kind::Rejected) {
        if (isPlain)
            admitted = m_simulator.admission(*change->request);
        if (admitted.http == 405) {
            caller.asked.allowed = m_messages.allowed(http);
            caller.asked.allowed.removeOne(QString::fromLatin1(http.method));
        }
    }
    tellSubmitted(caller, *change, admitted);
}

/// Submits a request, from now on with the plan's broken rule. Returns the serial.
quint32 Server::submitted(const TestPlan &plan, Request request)
{
    const std::optional<Fault> broken = plan.brokenRule();
    if (!broken)
        return m_simulator.submit(std::move(request));
    const World before = m_simulator.world();
    const quint32 serial = m_simulator.submit(request);
    m_misbehaviour.begin(*broken, serial, request, before, m_simulator.world());
    return serial;
}

// ---- Answers

const World &Server::world() const
{
    if (m_misbehaviour.isEmpty())
        return m_simulator.world();
    m_toldWorld = m_misbehaviour.told(m_simulator.world());
    return m_toldWorld;
}

Messages::About Server::about(const Caller &caller, const QString &path, Resource resource) const
{
    Messages::About about;
    about.world = &world();
    about.operations = &m_simulator.operations();
    about.path = path;
    about.resource = resource;
    const QString &version = caller.asked.version;
    about.version = version.isEmpty() ? m_messages.wire().versions.value(0) : version;
    about.origin = caller.origin;
    about.asked = &caller.headers;
    about.requestId = caller.echoes ? caller.requestId : QString();
    about.retryAfter = m_options.retryAfter;
    about.epoch = m_epoch;
    return about;
}

Messages::About Server::aboutOperation(const Caller &caller, const Operation &operation) const
{
    const World &world = this->world();
    const Running *running = world.find(operation.serial);
    Messages::About about = this->about(
        caller, operation.path, running ? running->target : world.tree.find(operation.path));
    about.operation = &operation;
    about.code = operation.errorCode;
    about.message = operation.errorMessage;
    about.http = operation.httpStatus || operation.errorCode.isEmpty()
        ? operation.httpStatus
        : m_messages.statusOf(operation.errorCode);
    switch (operation.status) {
    case Status::Waiting:
    case Status::InProgress:
        about.at = u"running"_s;
        break;
    case Status::Succeeded:
        about.at = u"succeeded"_s;
        break;
    case Status::Canceled:
        about.at = operation.canceledBy.isEmpty() ? u"canceled"_s : u"superseded"_s;
        break;
    case Status::Failed:
    case Status::Rejected:
        about.at = u"failed"_s;
        break;
    }
    return about;
}

/// The requested path, as far as it was understood.
QString Server::pathOf(const Caller &caller) const
{
    constexpr qsizetype Enough = 200; // of arbitrary text
    if (caller.asked.row && !caller.asked.path.isEmpty())
        return caller.asked.path;
    const qsizetype query = caller.target.indexOf('?');
    const QByteArray path = query < 0 ? caller.target : caller.target.first(query);
    return QString::fromUtf8(path.left(Enough)) + (path.size() > Enough ? u"…"_s : QString());
}

/// Hint where resources are, for a request outside the base path; empty for others.
QString Server::whereTheBaseIs(const Caller &caller, const QString &version) const
{
    const QString base = QString(m_messages.wire().base).replace(u"{version}"_s, version);
    if (caller.asked.row || base.isEmpty() || QString::fromUtf8(caller.target).startsWith(base))
        return {};
    return u"Resources are below %1."_s.arg(base);
}

void Server::refuse(const Caller &caller, const QString &refusal, const QString &text, Words words)
{
    static const QHash<QString, int> usual { { u"unknownPath"_s, 404 }, { u"wrongMethod"_s, 405 },
        { u"full"_s, 503 } };
    const Rules &rules = m_simulator.rules();
    const Refusal *row = rules.refusal(rules.refusalNamed(refusal));
    const std::optional<UsualRefusal> engines = usualRefusal(refusal);
    const Type *type = rules.typeRow(typePathOf(caller.asked.path));
    Messages::About about =
        this->about(caller, caller.asked.path, world().tree.find(caller.asked.path));
    about.at = u"rejected"_s;
    about.refusal = refusal;
    about.code = row && !row->code.isEmpty() ? row->code : engines ? engines->code : refusal;
    if (type)
        about.code = type->codes.value(refusal, about.code);
    const bool hasWords = words == Words::Pack && row && !row->message.isEmpty();
    about.message = hasWords ? row->message : text;
    if (hasWords)
        about.message.replace(u"{path}"_s, pathOf(caller)).replace(u"{other}"_s, text);
    if (const QString base = whereTheBaseIs(caller, about.version);
        refusal == u"unknownPath" && !base.isEmpty())
        about.message = about.message.endsWith(u'.') ? about.message + u' ' + base
                                                     : about.message + u". "_s + base;
    about.http = row && row->http ? row->http : engines ? engines->http : usual.value(refusal, 400);
    if (words == Words::Pack && row && !row->detail.isEmpty())
        about.details = { row->detail, text };
    const Messages::Asked &asked = caller.asked;
    HttpResponse response = m_messages.answer(asked.row ? asked.row->ask : QString(), about);
    if (!asked.allowed.isEmpty())
        response.headers.append("Allow", asked.allowed.join(u", "_s).toLatin1());
    answer(caller, std::move(response));
}

/// Answers reads, and requests that no row fits.
void Server::tell(const Caller &caller, const HttpRequest &http)
{
    const Messages::Asked &asked = caller.asked;
    if (!asked.row && !asked.badQuery.isEmpty()) {
        refuse(caller, u"wrongQuery"_s, u"the query has to say %1"_s.arg(asked.badQuery));
        return;
    }
    if (!asked.row) {
        refuse(caller, asked.allowed.isEmpty() ? u"unknownPath"_s : u"wrongMethod"_s,
            asked.badVersion ? u"there is no such version"_s
                             : u"there is no resource of that name"_s);
        return;
    }
    const QString &question = asked.row->ask;
    if (question == u"operation" || question == u"result") {
        tellOperation(caller);
        return;
    }
    if (question == u"again") {
        callAgain(caller, http);
        return;
    }
    const Rules &rules = m_simulator.rules();
    Messages::About about =
        this->about(caller, caller.asked.path, this->world().tree.find(caller.asked.path));
    const World &world = *about.world;
    about.at = u"found"_s;
    bool found = true;
    if (question == u"resource") {
        found = about.resource != NoResource && rules.isShown(world.tree.code(about.resource));
    } else if (question == u"collection") {
        const QString parent = asked.path.section(u'/', 0, -2);
        const Resource above = parent.isEmpty() ? NoResource : world.tree.find(parent);
        const int type = world.tree.childType(
            above == NoResource ? -1 : world.tree.type(above), asked.path.section(u'/', -1));
        found = type >= 0 && (parent.isEmpty() || above != NoResource);
        about.names = &asked.names;
        about.part = &asked.part;
    }
    if (found)
        answer(caller, m_messages.answer(question, about));
    else
        refuse(caller, question == u"resource" ? u"missing"_s : u"unknownPath"_s,
            u"there is no resource of that name"_s);
}

/// The last accepted operation that a client requested for a resource; null if none is known.
const Operation *Server::lastAt(const QString &path) const
{
    const PersistentList<Operation> &all = m_simulator.operations().all();
    const auto latestFirst = std::views::reverse(all);
    const auto found = std::ranges::find_if(latestFirst, [&](const Operation &one) {
        return one.requiredBy.isEmpty() && one.status != Status::Rejected
            && one.path.compare(path, m_messages.names()) == 0;
    });
    return found == latestFirst.end() ? nullptr : &*found;
}

/// Begins the next piece of work of a running operation, if it only waits for its time; the answer
/// comes when that has ended.
void Server::callAgain(const Caller &caller, const HttpRequest &http)
{
    const Incoming read = m_messages.incoming(caller.asked, http, clock());
    Caller asking = caller;
    asking.asked.path = read.request.path;
    if (!read.refusal.isEmpty()) {
        refuse(asking, read.refusal, read.text, read.isBadName ? Words::Ours : Words::Pack);
        return;
    }
    const Operation *operation = lastAt(read.request.path);
    if (!operation) {
        refuse(asking, u"missing"_s, u"nothing runs there"_s);
        return;
    }
    m_exchanges.explain(caller.ticket, Exchange::Purpose::Poll, operation->id);
    if (operation->isOver()) {
        answer(asking, m_messages.answer(u"again"_s, aboutOperation(asking, *operation)));
        return;
    }
    const quint32 serial = operation->serial;
    await(serial, asking);
    m_simulator.begin(serial);
}

/// Message of a refusal, with the URL of the operation in its way in place of its URI.
QString Server::withUrls(const Caller &caller, const Operation &refused) const
{
    const Operation *other = m_simulator.operations().find(refused.conflictsWith);
    QString uri = m_simulator.rules().pack().operationUri;
    const QString url = other ? m_messages.operationUrl(aboutOperation(caller, *other)) : QString();
    QString message = refused.errorMessage;
    return uri.isEmpty() || url.isEmpty() ? message
                                          : message.replace(uri.replace(u"{id}"_s, other->id), url);
}

void Server::tellOperation(const Caller &caller)
{
    const Operation *operation = m_simulator.operations().find(caller.asked.operation);
    const Operation told =
        operation ? m_misbehaviour.told(*operation, m_simulator.world()) : Operation();
    if (!operation || told.status == Status::Rejected) {
        refuse(caller, u"unknownPath"_s, u"no operation has this id"_s);
        return;
    }
    const Messages::About about = aboutOperation(caller, told);
    answer(caller, m_messages.answer(caller.asked.row->ask, about));
}

void Server::tellSubmitted(const Caller &caller, const Change &change, const Admission &admitted)
{
    const Operation *known = m_simulator.operations().find(change.operation);
    if (!known) {
        answer(caller, HttpResponse { .status = 500 });
        return;
    }
    const Operation operation = m_misbehaviour.told(*known, m_simulator.world());
    if (change.kind == Change::Kind::Replayed) {
        if (const HttpResponse *first = m_first.find(change.other)) {
            answer(caller, *first);
            return;
        }
        if (m_waiting.contains(
                change.other)) { // the first has no answer yet: both get the same one
            await(change.other, caller);
            return;
        }
    }
    Messages::About about = aboutOperation(caller, operation);
    const Rules &rules = m_simulator.rules();
    about.created =
        change.from != Rules::None && rules.state(change.from).kind == State::Kind::Initial;
    std::optional<HttpResponse> response;
    const bool isRefused =
        change.kind == Change::Kind::Rejected && operation.status == Status::Rejected;
    const bool isPretended = change.kind == Change::Kind::Rejected && !isRefused;
    if (isPretended || (!isRefused && change.kind != Change::Kind::Observed && !known->isOver())) {
        about.at = u"started"_s;
        response = m_messages.ownAnswer(operation.op, about);
        if (!response && (isPretended || operation.isOver())) { // nothing to wait for
            about.at = u"succeeded"_s;
            response = m_messages.answer(operation.op, about);
        } else if (!response) {
            Caller waiting = caller;
            waiting.created = about.created;
            await(operation.serial, waiting);
            return;
        }
    } else {
        if (isRefused) {
            about.at = u"rejected"_s;
            about.message = withUrls(caller, operation);
            if (!admitted.witness.isEmpty())
                about.details = { admitted.code, admitted.witness };
        } else if (change.kind == Change::Kind::Observed) {
            about.at = u"observed"_s;
        }
        response = m_messages.answer(operation.op, about);
        if (!caller.asked.allowed.isEmpty())
            response->headers.append("Allow", caller.asked.allowed.join(u", "_s).toLatin1());
    }
    if (!caller.requestId.isEmpty())
        m_first.remember(operation.serial, *response);
    answer(caller, *std::move(response));
}

/// Returns true for an outcome named like an operation's end: a row with that name means the end.
bool Server::isAnEnd(Rules::TriggerId outcome) const
{
    const Rules &rules = m_simulator.rules();
    return outcome == rules.succeeded || outcome == rules.failed || outcome == rules.canceled;
}

void Server::await(quint32 serial, const Caller &caller)
{
    // Clients that have left would pile up behind an operation that never ends.
    if (m_waiting.size() > 2 * m_listener.connections() + 1000)
        m_waiting.removeIf([this](const std::pair<const quint32 &, Caller &> &entry) {
            const HttpListener::Ticket ticket = entry.second.ticket;
            if (m_listener.isWaiting(ticket))
                return false;
            m_exchanges.end(ticket, { .status = 0 }, tr("The client disconnected first."));
            return true;
        });
    m_waiting.insert(serial, caller);
}

/// Sends the answers that waited for an end, or for the outcome of a piece of work that has an
/// answer of its own.
void Server::follow(const Record &record)
{
    if (!m_misbehaviour.isEmpty())
        m_misbehaviour.follow(record, m_simulator.world());
    if (m_waiting.isEmpty())
        return;
    for (const Change &change : record.changes) {
        const bool ends =
            change.kind == Change::Kind::Closed || change.kind == Change::Kind::Canceled;
        const bool isOnTheWay = change.kind == Change::Kind::Worked && !isAnEnd(change.outcome);
        QList<Caller> callers =
            ends || isOnTheWay ? m_waiting.values(change.operation) : QList<Caller>();
        const Operation *operation = m_simulator.operations().find(change.operation);
        // An operation that ends with the same event is answered by its end.
        if (callers.isEmpty() || !operation || (isOnTheWay && operation->isOver()))
            continue;
        m_waiting.remove(change.operation);
        const Operation told = m_misbehaviour.told(*operation, m_simulator.world());
        std::ranges::reverse(callers); // values() has the newest first
        std::optional<HttpResponse> first;
        for (const Caller &caller : std::as_const(callers)) {
            Messages::About about = aboutOperation(caller, told);
            about.created = caller.created;
            const QString &asked = caller.asked.row->ask;
            std::optional<HttpResponse> response;
            if (isOnTheWay) {
                about.at = m_simulator.rules().triggerName(change.outcome);
                response = m_messages.answerOnTheWay(asked, about);
            } else {
                response =
                    first && asked == operation->op ? first : m_messages.answer(asked, about);
            }
            if (!response) {
                m_waiting.insert(change.operation, caller);
                continue;
            }
            if (!first && asked == operation->op) {
                first = response;
                if (!caller.requestId.isEmpty())
                    m_first.remember(operation->serial, *response);
            }
            answer(caller, *response);
        }
    }
}

/// Sends the answer, or what the plan makes of it.
void Server::answer(const Caller &caller, HttpResponse response)
{
    if (caller.plan.fault.isEmpty() || caller.plan.brokenRule())
        reply(caller.ticket, std::move(response));
    else
        spoil(caller, std::move(response));
}

void Server::spoil(const Caller &caller, HttpResponse response)
{
    const TestPlan &plan = caller.plan;
    if (plan.fault == u"close") {
        breakOff(caller.ticket, response, 0);
    } else if (plan.fault == u"truncate") {
        breakOff(
            caller.ticket, response, toBytes(response).size() - (response.body.size() + 1) / 2);
    } else if (plan.fault == u"garbage") {
        m_exchanges.end(
            caller.ticket, { .status = 0 }, tr("The client sent something other than HTTP."));
        m_listener.sendRaw(caller.ticket, QByteArray::fromHex("00ff13377f454c46") + "\r\n\r\n");
    } else if (plan.faultDelay() > 0) {
        QTimer::singleShot(plan.faultDelay(), this,
            [this, ticket = caller.ticket, response] { reply(ticket, response); });
    } else {
        if (plan.fault == u"invalid-json")
            response.body = "{\"properties\": ";
        else if (plan.fault == u"empty")
            response.body.clear();
        else if (plan.faultStatus())
            response = HttpResponse { .status = plan.faultStatus() };
        reply(caller.ticket, std::move(response));
    }
}

} // namespace instar
