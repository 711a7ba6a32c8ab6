// SPDX-License-Identifier: Apache-2.0
#include "model/remote/server.h"

#include "model/items/report.h"
#include "model/json/packnames.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QMetaMethod>
#include <QRegularExpression>

#include <cmath>

namespace instar {

namespace {

constexpr qsizetype LongestRequestId = 256; ///< characters
constexpr qsizetype MostRecorded = 1024;    ///< bytes; a record keeps smaller requests complete

void cacheAnswer(QCache<quint32, HttpResponse> &cache, quint32 serial, const HttpResponse &answer)
{
    cache.insert(serial, new HttpResponse(answer), answer.body.size() + 512); // 512 for headers
}

constexpr QByteArrayView TestRoot = "/_instar/";

HttpResponse jsonAnswer(int status, const QJsonObject &object)
{
    return { .status = status,
        .headers = { { "Content-Type", "application/json; charset=UTF-8" } },
        .body = QJsonDocument(object).toJson(QJsonDocument::Compact) };
}

HttpResponse errorAnswer(int status, const QString &code, const QString &text)
{
    return jsonAnswer(
        status, { { u"error"_s, QJsonObject { { u"code"_s, code }, { u"message"_s, text } } } });
}

HttpResponse wrongMethod(const QByteArray &allowed)
{
    HttpResponse response = errorAnswer(
        405, u"MethodNotAllowed"_s, u"This path accepts only "_s + QString::fromLatin1(allowed));
    response.headers.append("Allow", allowed);
    return response;
}

constexpr qsizetype MostPlans = 1000;

bool isFault(const QString &text)
{
    static const QRegularExpression known(
        u"^(close|truncate|garbage|invalid-json|empty|status:[1-5][0-9][0-9]|delay:[0-9]{1,6})$"_s);
    return known.match(text).hasMatch() || faultNamed(text);
}

QString faultNames()
{
    QStringList names { u"close"_s, u"truncate"_s, u"garbage"_s, u"invalid-json"_s, u"empty"_s,
        u"status:NNN"_s, u"delay:MS"_s };
    for (const FaultWords &row : faults())
        names += row.name;
    const QString last = names.takeLast();
    return names.join(u", "_s) + u" or "_s + last;
}

Result<TestPlan> readPlan(const Rules &rules, const QByteArray &json)
{
    const Result<JsonText> document = JsonText::parse(json, u"the plan"_s);
    if (!document)
        return Error { document.error() };
    JsonReader reading(*document);
    const PackNames names(reading, rules.pack());
    const Fields fields(reading, document->root(),
        { "path", "op", "outcome", "duration", "transientFailures", "hang", "fault", "times",
            "refusedToo" });
    TestPlan plan;
    plan.path = fields.text("path");
    if (!plan.path.isEmpty())
        names.checkPath(fields.value("path"), plan.path);
    plan.op = fields.text("op");
    if (!plan.op.isEmpty())
        names.checkOperation(fields.value("op"), plan.op);
    if (const Value outcome = fields.value("outcome"))
        plan.outcome = names.outcome(outcome, reading.text(outcome));
    if (fields.has("duration"))
        plan.duration = fields.whole("duration");
    plan.transientFailures = int(std::min<qint64>(fields.whole("transientFailures"), 1'000'000));
    plan.hang = fields.flag("hang");
    plan.refusedToo = fields.flag("refusedToo");
    plan.fault = fields.text("fault");
    if (!plan.fault.isEmpty() && !isFault(plan.fault))
        reading.expected(faultNames(), fields.value("fault"));
    plan.times = std::max<qint64>(fields.whole("times", 1), 1);
    if (!reading.isGood())
        return Error { reading.sentence() };
    return plan;
}

} // namespace

Server::Server(Simulator &simulator, Options options, QObject *parent)
    : QObject(parent),
      m_simulator(simulator),
      m_options(std::move(options)),
      m_wire(simulator.rules()),
      m_listener([this](HttpListener::Ticket ticket, const HttpRequest &http, const QString &peer) {
          handle(ticket, http, peer);
      }),
      m_misbehaviour(simulator.rules()),
      m_exchanges([this](const Exchange &exchange) { emit exchanged(exchange); })
{
    m_due.setSingleShot(true);
    m_due.setTimerType(Qt::PreciseTimer);
    connect(&m_due, &QTimer::timeout, this, [this] {
        catchUp();
        schedule();
    });
    connect(&simulator, &Controller::recorded, this, &Server::follow);
    // After a rewind, codes and serials denote other states and operations.
    connect(&simulator, &Controller::rewound, this, [this] { m_misbehaviour.clear(); });
    connect(&m_listener, &HttpListener::closed, this, &Server::closed);
    connect(&m_listener, &HttpListener::refused, this,
        [this](const HttpRequest &http, const HttpResponse &response, const QString &peer) {
            if (reportsExchanges())
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
    if (m_wire.rows.isEmpty())
        return Error {
            u"the pack %1 does not define HTTP requests; add the section \"wire\" to it"_s.arg(
                m_simulator.rules().pack().id)
        };
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
    const double remaining =
        std::ceil(double(next.time - m_started) / m_options.speed - double(m_clock.elapsed()));
    m_due.start(int(std::clamp(remaining, 0.0, 60'000.0)));
}

Server::Caller Server::callerOf(HttpListener::Ticket ticket, const HttpRequest &http) const
{
    Caller caller { .ticket = ticket,
        .matched = m_wire.match(http),
        .target = http.target,
        .headers = http.headers };
    if (const QByteArray host = header(http.headers, "Host"); host.isEmpty()) {
        caller.origin = origin().toUtf8();
    } else {
        caller.origin.reserve(8 + host.size());
        caller.origin.append(m_listener.isSecure() ? "https://" : "http://").append(host);
    }
    if (const QByteArray &name = m_wire.requestIdHeader; !name.isEmpty()) {
        const QByteArray id = header(http.headers, name);
        caller.requestId = QString::fromUtf8(id);
        if (!id.isValidUtf8())
            caller.badId = u"the request's id is not UTF-8"_s;
        else if (caller.requestId.size() > LongestRequestId)
            caller.badId =
                u"expected a request id of at most %1 characters, found %2"_s.arg(LongestRequestId)
                    .arg(caller.requestId.size());
    }
    if (const QByteArray &name = m_wire.echoHeader; !name.isEmpty())
        caller.echoes = header(http.headers, name).compare("false", Qt::CaseInsensitive) != 0;
    return caller;
}

void Server::handle(HttpListener::Ticket ticket, const HttpRequest &http, const QString &peer)
{
    ++m_requests;
    catchUp();
    if (reportsExchanges())
        m_exchanges.begin(ticket, http, origin(), peer);
    if (http.target.startsWith(TestRoot)) {
        reply(ticket, testAnswer(http));
    } else {
        const Rules &rules = m_simulator.rules();
        Caller caller = callerOf(ticket, http);
        if (caller.matched.row && !caller.matched.operation.isEmpty())
            m_exchanges.explain(ticket, Exchange::Purpose::Poll, caller.matched.operation);
        if (caller.matched.row && !caller.matched.badName.isEmpty())
            refuse(caller, u"wrongName"_s, caller.matched.badName, TextBy::Server);
        else if (caller.matched.row && rules.isOperation(rules.trigger(caller.matched.row->ask)))
            ask(std::move(caller), http, peer);
        else
            answerRead(caller, http);
    }
    m_exchanges.wait(ticket);
    schedule();
    emit served();
}

bool Server::reportsExchanges() const
{
    static const QMetaMethod signal = QMetaMethod::fromSignal(&Server::exchanged);
    return isSignalConnected(signal);
}

/// Sends an answer. Every answer leaves here, or in breakOff() or spoil().
void Server::reply(HttpListener::Ticket ticket, HttpResponse response)
{
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

void Server::restart()
{
    m_plans.clear();
    m_misbehaviour.clear();
    m_firstAnswers.clear();
    for (const Caller &caller : std::exchange(m_waiting, {}))
        breakOff(caller.ticket, {}, 0);
    m_simulator.reset();
    m_clock.restart();
    m_started = m_simulator.world().now;
    m_epoch = QDateTime::currentMSecsSinceEpoch() - m_started;
}

WireClock Server::clock() const
{
    const World &world = m_simulator.world();
    return { .epoch = m_epoch, .now = m_epoch + world.now, .world = &world };
}

void Server::ask(Caller caller, const HttpRequest &http, const QString &peer)
{
    if (!caller.badId.isEmpty())
        return refuse(caller, u"malformedBody"_s, caller.badId, TextBy::Server);
    Incoming read = readRequest(m_wire, caller.matched, http, clock());
    Request &request = read.request;
    request.client = peer;
    request.requestId = caller.requestId;
    // Usually only a refusal needs the admission: it is then computed from the recorded request.
    const bool defersAdmission = read.refusal.isEmpty() && m_plans.isEmpty()
        && request.requestId.isEmpty() && request.contents.empty()
        && request.body.size() + request.ifMatch.size() + request.ifNoneMatch.size() < MostRecorded;
    Admission admitted = defersAdmission ? Admission() : m_simulator.admission(request);
    // Problems of the world come before those of the body; a known request id before both.
    if (!read.refusal.isEmpty() && admitted.verdict != Admission::Verdict::Refused
        && admitted.verdict != Admission::Verdict::Replayed)
        return refuse(
            caller, read.refusal, read.text, read.isBadName ? TextBy::Server : TextBy::Pack);
    if (!m_plans.isEmpty()) {
        const bool starts = admitted.verdict == Admission::Verdict::Accepted;
        const TestPlan plan = takePlan(request, admitted);
        if (starts || plan.brokenRule()) {
            caller.plan = plan;
            request.outcome = plan.outcome;
            request.duration = plan.duration;
            request.transientFailures = plan.transientFailures;
            request.hang = plan.hang;
        }
    }
    caller.matched.path = request.path;

    m_exchanges.explain(caller.ticket, Exchange::Purpose::Fire, request.id);
    const quint32 serial = submitted(caller.plan, std::move(request));
    const Record &record = m_simulator.records().last();
    const auto change = std::ranges::find(record.changes, serial, &Change::operation);
    if (change == record.changes.end())
        return answer(caller, HttpResponse { .status = 500 });
    if (change->kind == Change::Kind::Rejected) {
        if (defersAdmission)
            admitted = m_simulator.admission(*change->request);
        if (admitted.http == 405) {
            caller.matched.allowed = m_wire.match({ .target = http.target }).allowed;
            caller.matched.allowed.removeOne(QString::fromLatin1(http.method));
        }
    }
    answerSubmitted(caller, *change, admitted);
}

/// Returns the first plan that fits a request, and uses up one of its `times`; empty if none fits.
TestPlan Server::takePlan(const Request &request, const Admission &admitted)
{
    const auto suits = [&](const TestPlan &plan) {
        if (const std::optional<Fault> broken = plan.brokenRule())
            return m_misbehaviour.isPossible(*broken, m_simulator.world(), request, admitted);
        return admitted.verdict == Admission::Verdict::Accepted || plan.refusedToo;
    };
    const auto found = std::ranges::find_if(m_plans, [&](const TestPlan &plan) {
        return (plan.op.isEmpty() || plan.op == request.op)
            && (plan.path.isEmpty() || plan.path.compare(request.path, m_wire.nameCase) == 0)
            && suits(plan);
    });
    if (found == m_plans.end())
        return {};
    const TestPlan plan = *found;
    if (--found->times <= 0)
        m_plans.erase(found);
    return plan;
}

/// Submits a request, and starts the plan's misbehaviour with it, if any. Returns the serial.
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

const World &Server::world() const
{
    if (m_misbehaviour.isEmpty())
        return m_simulator.world();
    m_falsifiedWorld = m_misbehaviour.falsified(m_simulator.world());
    return m_falsifiedWorld;
}

WireValues Server::about(const Caller &caller, const QString &path, Resource resource) const
{
    WireValues about;
    about.world = &world();
    about.operations = &m_simulator.operations();
    about.path = path;
    about.resource = resource;
    const QString &version = caller.matched.version;
    about.version = version.isEmpty() ? m_wire.rows.versions.value(0) : version;
    about.origin = caller.origin;
    about.requestHeaders = &caller.headers;
    about.requestId = caller.echoes ? caller.requestId : QString();
    about.retryAfter = m_options.http.retryAfter;
    about.epoch = m_epoch;
    return about;
}

WireValues Server::aboutOperation(const Caller &caller, const Operation &operation) const
{
    const World &world = this->world();
    const Running *running = world.find(operation.serial);
    WireValues about = this->about(
        caller, operation.path, running ? running->target : world.tree.find(operation.path));
    about.operation = &operation;
    about.code = operation.errorCode;
    about.message = operation.errorMessage;
    about.http = operation.httpStatus || operation.errorCode.isEmpty()
        ? operation.httpStatus
        : m_wire.statusOf(operation.errorCode);
    about.at = !operation.isOver()              ? u"running"_s
        : operation.status == Status::Succeeded ? u"succeeded"_s
        : operation.status != Status::Canceled  ? u"failed"_s
        : operation.canceledBy.isEmpty()        ? u"canceled"_s
                                                : u"superseded"_s;
    return about;
}

/// The path that a row has matched, else the requested path as received.
QString Server::pathOf(const Caller &caller) const
{
    constexpr qsizetype MostShown = 200; // of arbitrary text
    if (caller.matched.row && !caller.matched.path.isEmpty())
        return caller.matched.path;
    const QByteArray path = caller.target.split('?').first();
    return QString::fromUtf8(path.left(MostShown)) + (path.size() > MostShown ? u"…"_s : QString());
}

void Server::refuse(const Caller &caller, const QString &refusal, const QString &text, TextBy by)
{
    static const QHash<QString, int> usual { { u"unknownPath"_s, 404 }, { u"wrongMethod"_s, 405 } };
    const Rules &rules = m_simulator.rules();
    const Refusal *row = rules.refusal(rules.refusalNamed(refusal));
    const std::optional<BuiltInRefusal> builtIn = builtInRefusal(refusal);
    const Type *type = rules.typeRow(typePathOf(caller.matched.path));
    WireValues about =
        this->about(caller, caller.matched.path, world().tree.find(caller.matched.path));
    about.at = u"rejected"_s;
    about.refusal = refusal;
    about.code = row && !row->code.isEmpty() ? row->code : builtIn ? builtIn->code : refusal;
    if (type)
        about.code = type->codes.value(refusal, about.code);
    const bool hasPackText = by == TextBy::Pack && row && !row->message.isEmpty();
    about.message = hasPackText ? row->message : text;
    if (hasPackText)
        about.message.replace(u"{path}"_s, pathOf(caller)).replace(u"{other}"_s, text);
    const QString base = QString(m_wire.rows.base).replace(u"{version}"_s, about.version);
    const bool lacksBase = !base.isEmpty() && !QString::fromUtf8(caller.target).startsWith(base);
    if (refusal == u"unknownPath" && !caller.matched.row && lacksBase) {
        about.message += about.message.endsWith(u'.') ? u" "_s : u". "_s;
        about.message += u"The paths of resources begin with %1."_s.arg(base);
    }
    about.http = row && row->http ? row->http : builtIn ? builtIn->http : usual.value(refusal, 400);
    if (by == TextBy::Pack && row && !row->detail.isEmpty())
        about.details = { row->detail, text };
    const MatchedRequest &matched = caller.matched;
    HttpResponse response = m_wire.answer(matched.row ? matched.row->ask : QString(), about);
    if (!matched.allowed.isEmpty())
        response.headers.append("Allow", matched.allowed.join(u", "_s).toLatin1());
    answer(caller, std::move(response));
}

/// Answers reads, and requests that no row fits.
void Server::answerRead(const Caller &caller, const HttpRequest &http)
{
    const MatchedRequest &matched = caller.matched;
    if (!matched.row && !matched.badQuery.isEmpty())
        return refuse(
            caller, u"wrongQuery"_s, u"the query must contain %1"_s.arg(matched.badQuery));
    if (!matched.row)
        return refuse(caller, matched.allowed.isEmpty() ? u"unknownPath"_s : u"wrongMethod"_s,
            matched.badVersion ? u"the path names an unknown version of the API"_s
                               : u"there is no resource with this path"_s);
    const QString &ask = matched.row->ask;
    if (ask == u"operation" || ask == u"result")
        return answerOperation(caller);
    if (ask == u"again")
        return callAgain(caller, http);
    const Rules &rules = m_simulator.rules();
    WireValues about =
        this->about(caller, caller.matched.path, this->world().tree.find(caller.matched.path));
    const World &world = *about.world;
    about.at = u"found"_s;
    bool found = true;
    if (ask == u"resource") {
        found = about.resource != NoResource && rules.isShown(world.tree.code(about.resource));
    } else if (ask == u"collection") {
        found = world.tree.collection(matched.path).has_value();
        about.names = &matched.names;
        about.part = &matched.part;
    }
    if (found)
        return answer(caller, m_wire.answer(ask, about));
    refuse(caller, ask == u"resource" ? u"missing"_s : u"unknownPath"_s,
        u"there is no resource with this path"_s);
}

/// The last accepted operation that a client requested for a resource; null if none is known.
const Operation *Server::lastAt(const QString &path) const
{
    const PersistentList<Operation> &all = m_simulator.operations().all();
    const auto latestFirst = std::views::reverse(all);
    const auto found = std::ranges::find_if(latestFirst, [&](const Operation &one) {
        return one.requiredBy.isEmpty() && one.status != Status::Rejected
            && one.path.compare(path, m_wire.nameCase) == 0;
    });
    return found == latestFirst.end() ? nullptr : &*found;
}

/// Begins the next piece of work of a running operation now; answers when that piece has ended.
void Server::callAgain(const Caller &caller, const HttpRequest &http)
{
    const Incoming read = readRequest(m_wire, caller.matched, http, clock());
    Caller answering = caller;
    answering.matched.path = read.request.path;
    if (!read.refusal.isEmpty())
        return refuse(
            answering, read.refusal, read.text, read.isBadName ? TextBy::Server : TextBy::Pack);
    const Operation *operation = lastAt(read.request.path);
    if (!operation)
        return refuse(answering, u"missing"_s, u"no operation runs on this resource"_s);
    m_exchanges.explain(caller.ticket, Exchange::Purpose::Poll, operation->id);
    if (operation->isOver())
        return answer(answering, m_wire.answer(u"again"_s, aboutOperation(answering, *operation)));
    const quint32 serial = operation->serial;
    await(serial, answering);
    m_simulator.begin(serial);
}

/// Message of a refusal, with the conflicting operation's URI replaced by its URL.
QString Server::withUrls(const Caller &caller, const Operation &refused) const
{
    const Operation *other = m_simulator.operations().find(refused.conflictsWith);
    QString uri = m_simulator.rules().pack().operationUri;
    const QString url = other ? m_wire.operationUrl(aboutOperation(caller, *other)) : QString();
    QString message = refused.errorMessage;
    return uri.isEmpty() || url.isEmpty() ? message
                                          : message.replace(uri.replace(u"{id}"_s, other->id), url);
}

void Server::answerOperation(const Caller &caller)
{
    const Operation *operation = m_simulator.operations().find(caller.matched.operation);
    const Operation falsified =
        operation ? m_misbehaviour.falsified(*operation, m_simulator.world()) : Operation();
    if (!operation || falsified.status == Status::Rejected)
        return refuse(caller, u"unknownPath"_s, u"no operation has this id"_s);
    const WireValues about = aboutOperation(caller, falsified);
    answer(caller, m_wire.answer(caller.matched.row->ask, about));
}

void Server::answerSubmitted(const Caller &caller, const Change &change, const Admission &admitted)
{
    const Operation *known = m_simulator.operations().find(change.operation);
    if (!known)
        return answer(caller, HttpResponse { .status = 500 });
    const Operation operation = m_misbehaviour.falsified(*known, m_simulator.world());
    if (change.kind == Change::Kind::Replayed) {
        if (const HttpResponse *first = m_firstAnswers.object(change.other))
            return answer(caller, *first);
        if (m_waiting.contains(change.other)) { // both requests get the answer to the first one
            await(change.other, caller);
            return;
        }
    }
    WireValues about = aboutOperation(caller, operation);
    const Rules &rules = m_simulator.rules();
    about.created =
        change.from != Rules::None && rules.state(change.from).kind == State::Kind::Initial;
    std::optional<HttpResponse> response;
    const bool isRefused =
        change.kind == Change::Kind::Rejected && operation.status == Status::Rejected;
    // The server misbehaves, and answers a refused request as if it were accepted.
    const bool isPretended = change.kind == Change::Kind::Rejected && !isRefused;
    const bool runs = !isRefused && change.kind != Change::Kind::Observed && !known->isOver();
    if (isPretended || runs) {
        about.at = u"started"_s;
        response = m_wire.ownAnswer(operation.op, about);
        if (!response && (isPretended || operation.isOver())) { // nothing to wait for
            about.at = u"succeeded"_s;
            response = m_wire.answer(operation.op, about);
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
        response = m_wire.answer(operation.op, about);
        if (!caller.matched.allowed.isEmpty())
            response->headers.append("Allow", caller.matched.allowed.join(u", "_s).toLatin1());
    }
    if (!caller.requestId.isEmpty())
        cacheAnswer(m_firstAnswers, operation.serial, *response);
    answer(caller, *std::move(response));
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

/// Sends the answers that waited for an operation's end, or for an outcome with its own answer.
void Server::follow(const Record &record)
{
    if (!m_misbehaviour.isEmpty())
        m_misbehaviour.follow(record, m_simulator.world());
    if (m_waiting.isEmpty())
        return;
    const Rules &rules = m_simulator.rules();
    const QList<Rules::TriggerId> endTriggers { rules.succeeded, rules.failed, rules.canceled };
    for (const Change &change : record.changes) {
        const bool ends =
            change.kind == Change::Kind::Closed || change.kind == Change::Kind::Canceled;
        const bool isOnTheWay =
            change.kind == Change::Kind::Worked && !endTriggers.contains(change.outcome);
        QList<Caller> callers =
            ends || isOnTheWay ? m_waiting.values(change.operation) : QList<Caller>();
        const Operation *operation = m_simulator.operations().find(change.operation);
        // An operation that ends with the same event is answered by its end.
        if (callers.isEmpty() || !operation || (isOnTheWay && operation->isOver()))
            continue;
        m_waiting.remove(change.operation);
        const Operation falsified = m_misbehaviour.falsified(*operation, m_simulator.world());
        std::ranges::reverse(callers); // values() has the newest first
        std::optional<HttpResponse> first;
        for (const Caller &caller : std::as_const(callers)) {
            WireValues about = aboutOperation(caller, falsified);
            about.created = caller.created;
            const QString &ask = caller.matched.row->ask;
            std::optional<HttpResponse> response;
            if (isOnTheWay) {
                about.at = rules.triggerName(change.outcome);
                response = m_wire.interimAnswer(ask, about);
            } else {
                response = first && ask == operation->op ? first : m_wire.answer(ask, about);
            }
            if (!response) {
                m_waiting.insert(change.operation, caller);
                continue;
            }
            if (!first && ask == operation->op) {
                first = response;
                if (!caller.requestId.isEmpty())
                    cacheAnswer(m_firstAnswers, operation->serial, *response);
            }
            answer(caller, *response);
        }
    }
}

/// Sends the answer, with the fault that is planned for it, if any.
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
    const QString kind = plan.fault.section(u':', 0, 0);
    const int number = plan.fault.section(u':', 1).toInt(); // ms, or a status
    if (plan.fault == u"close") {
        breakOff(caller.ticket, response, 0);
    } else if (plan.fault == u"truncate") {
        breakOff(
            caller.ticket, response, toBytes(response).size() - (response.body.size() + 1) / 2);
    } else if (plan.fault == u"garbage") {
        m_exchanges.end(caller.ticket, { .status = 0 }, tr("The answer was not HTTP."));
        m_listener.sendRaw(caller.ticket, QByteArray::fromHex("00ff13377f454c46") + "\r\n\r\n");
    } else if (kind == u"delay") {
        QTimer::singleShot(
            number, this, [this, ticket = caller.ticket, response] { reply(ticket, response); });
    } else {
        if (plan.fault == u"invalid-json")
            response.body = "{\"properties\": ";
        else if (plan.fault == u"empty")
            response.body.clear();
        else if (kind == u"status")
            response = HttpResponse { .status = number };
        reply(caller.ticket, std::move(response));
    }
}

HttpResponse Server::testAnswer(const HttpRequest &http)
{
    const QByteArray name = http.target.mid(TestRoot.size()).split('?').first();
    if (name == "world")
        return wholeWorld(http);
    if (name != "plan" && name != "reset")
        return errorAnswer(404, u"NotFound"_s,
            u"The endpoints are /_instar/world, /_instar/plan and /_instar/reset."_s);
    if (const auto problem = testRefusal(http))
        return *problem;
    if (name == "reset") {
        restart();
        return jsonAnswer(200, {});
    }
    const Result<TestPlan> planned = readPlan(m_simulator.rules(), http.body);
    if (!planned)
        return errorAnswer(400, u"InvalidRequestFormat"_s, planned.error());
    plan(*planned);
    return jsonAnswer(200, {});
}

/// Returns the refusal of a test request that a web page could send; absent: it is allowed.
std::optional<HttpResponse> Server::testRefusal(const HttpRequest &http) const
{
    if (http.method != "POST")
        return wrongMethod("POST");
    const QByteArray type = header(http.headers, "Content-Type").split(';').first().trimmed();
    if (type.compare("application/json", Qt::CaseInsensitive) != 0)
        return errorAnswer(415, u"UnsupportedMediaType"_s,
            u"This path accepts only Content-Type: application/json."_s);
    const QByteArray &token = m_options.testToken;
    if (!token.isEmpty() && !isSameSecret(header(http.headers, "X-Instar-Token"), token))
        return errorAnswer(403, u"TokenRequired"_s,
            u"This path needs the header X-Instar-Token with the token that serve printed when it started."_s);
    return {};
}

HttpResponse Server::wholeWorld(const HttpRequest &http) const
{
    if (http.method != "GET" && http.method != "HEAD")
        return wrongMethod("GET, HEAD");
    QJsonObject world = worldJson(
        m_simulator.rules(), m_simulator.world(), m_simulator.operations(), m_simulator.records());
    if (m_simulator.forgotten() > 0)
        world.insert(u"recordsForgotten"_s, m_simulator.forgotten());
    world.insert(u"expectations"_s,
        QJsonObject { { u"passed"_s, 0 }, { u"failed"_s, 0 }, { u"failures"_s, QJsonArray() } });
    return jsonAnswer(200, world);
}

void Server::plan(const TestPlan &plan)
{
    if (m_plans.size() >= MostPlans)
        m_plans.removeFirst();
    m_plans += plan;
}

} // namespace instar
