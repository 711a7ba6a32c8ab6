// SPDX-License-Identifier: Apache-2.0
#include "model/remote/server.h"

#include "model/engine/hex.h"
#include "model/engine/report.h"

#include <QJsonDocument>
#include <QRandomGenerator>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QByteArray Own = "/_instar/";
constexpr qint64 MostFirstBytes = 64 * 1024 * 1024; ///< of answers kept for repeated requests

/// A random UUID (version 4), without asking the system for each.
QString freshId()
{
    quint32 words[4];
    QRandomGenerator::global()->fillRange(words);
    const quint64 high = quint64(words[0]) << 32 | (words[1] & 0xffff0fffu) | 0x4000u;
    const quint64 low = quint64((words[2] & 0x3fffffffu) | 0x80000000u) << 32 | words[3];
    return hexGroups(high, low);
}

HttpResponse json(int status, const QJsonObject &object)
{
    HttpResponse response;
    response.status = status;
    response.headers.append(HttpHeader { "Content-Type", "application/json; charset=UTF-8" });
    response.body = QJsonDocument(object).toJson(QJsonDocument::Compact);
    return response;
}

/// Resources that a document holds below its own, parents first.
void addContents(const ResourceMessage &message, const QString &op, Request *request)
{
    request->replaces += message.collections;
    for (const ResourceMessage &child : message.children) {
        Request content;
        content.op = op;
        content.path = child.path;
        content.properties = child.properties;
        content.references = child.references;
        content.body = child.body;
        request->contents.push_back(content);
        addContents(child, op, request);
    }
}

} // namespace

Server::Server(Simulator &simulator, Options options, QObject *parent)
    : QObject(parent),
      m_simulator(simulator),
      m_options(std::move(options)),
      m_messages(simulator.rules()),
      m_listener([this](HttpListener::Ticket ticket, const HttpRequest &http, const QString &peer) { handle(ticket, http, peer); })
{
    m_due.setSingleShot(true);
    m_due.setTimerType(Qt::PreciseTimer);
    connect(&m_due, &QTimer::timeout, this, [this] {
        catchUp();
        schedule();
    });
    connect(&simulator, &Controller::recorded, this, &Server::follow);
    connect(&m_listener, &HttpListener::closed, this, &Server::closed);
    if (m_options.speed > 0)
        simulator.keepRecent(256, m_options.mostFinished);
}

Result<quint16> Server::listen()
{
    if (m_messages.wire().isEmpty())
        return Error { u"the pack %1 has no wire rows, so nobody knows how to speak it over HTTP"_s.arg(m_simulator.rules().pack().id) };
    const Result<quint16> port = m_listener.listen(m_options.http);
    if (port) {
        m_clock.start();
        m_started = m_simulator.world().now;
        schedule();
    }
    return port;
}

QString Server::origin() const
{
    const QHostAddress &address = m_options.http.address;
    const bool isSix = address.protocol() == QAbstractSocket::IPv6Protocol;
    return u"%1://%2:%3"_s.arg(m_listener.isSecure() ? u"https"_s : u"http"_s,
        isSix ? u'[' + address.toString() + u']' : address.toString()).arg(m_listener.port());
}

void Server::close(int ms)
{
    m_due.stop();
    m_listener.close(ms);
}

/// Virtual time follows the clock.
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
    // A timer that comes too early looks again; most requests need not touch it.
    if (m_due.isActive() && m_dueTime <= next.time)
        return;
    m_dueTime = next.time;
    const double left = std::ceil(double(next.time - m_started) / m_options.speed - double(m_clock.elapsed()));
    m_due.start(int(std::clamp(left, 0.0, 60'000.0)));
}

void Server::handle(HttpListener::Ticket ticket, const HttpRequest &http, const QString &peer)
{
    ++m_requests;
    catchUp();
    if (http.target.startsWith(Own)) {
        handleOwn(ticket, http);
    } else {
        Caller caller { .ticket = ticket, .asked = m_messages.asked(http), .origin = {}, .requestId = {}, .echoes = true, .plan = {}, .created = false };
        const QByteArray host = header(http.headers, "Host");
        caller.origin = host.isEmpty() ? origin() : (m_listener.isSecure() ? u"https://"_s : u"http://"_s) + QString::fromLatin1(host);
        if (!m_messages.wire().requestIdHeader.isEmpty())
            caller.requestId = QString::fromUtf8(header(http.headers, m_messages.wire().requestIdHeader.toLatin1()));
        caller.echoes = header(http.headers, m_messages.wire().echoHeader.toLatin1()).compare("false", Qt::CaseInsensitive) != 0;
        if (caller.asked.row && m_simulator.rules().isOperation(m_simulator.rules().trigger(caller.asked.row->ask)))
            ask(caller, http, peer);
        else
            tell(caller);
    }
    schedule();
    emit served();
}

Messages::About Server::about(const Caller &caller, const QString &path) const
{
    Messages::About about;
    about.world = &m_simulator.world();
    about.operations = &m_simulator.operations();
    about.path = path;
    about.resource = m_simulator.world().tree.find(path);
    about.version = caller.asked.version;
    if (about.version.isEmpty() && !m_messages.versions().isEmpty())
        about.version = m_messages.versions().first();
    about.origin = caller.origin;
    about.requestId = caller.echoes ? caller.requestId : QString();
    about.retryAfter = m_options.retryAfter;
    return about;
}

Messages::About Server::aboutOperation(const Caller &caller, const Operation &operation) const
{
    Messages::About about = this->about(caller, operation.path);
    about.operation = &operation;
    about.code = operation.errorCode;
    about.message = operation.errorMessage;
    about.http = operation.httpStatus || operation.errorCode.isEmpty() ? operation.httpStatus : httpOf(operation.errorCode);
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

int Server::httpOf(const QString &errorCode) const
{
    const Pack &pack = m_simulator.rules().pack();
    for (const Outcome &outcome : pack.outcomes) {
        if (outcome.http && (outcome.code == errorCode || outcome.id == errorCode))
            return outcome.http;
    }
    for (const Refusal &refusal : pack.refusals) {
        if (refusal.http && (refusal.code == errorCode || refusal.id == errorCode))
            return refusal.http;
    }
    return 0;
}

void Server::refuse(const Caller &caller, const QString &refusal, const QString &text)
{
    static const QHash<QString, int> usual { { u"unknownPath"_s, 404 }, { u"wrongMethod"_s, 405 }, { u"full"_s, 503 } };
    const Rules &rules = m_simulator.rules();
    const Refusal *row = rules.refusal(rules.refusalNamed(refusal));
    Messages::About about = this->about(caller, caller.asked.path);
    about.at = u"rejected"_s;
    about.code = !row ? refusal : row->code.isEmpty() ? row->id : row->code;
    about.message = row && !row->message.isEmpty() ? row->message : text;
    about.message.replace(u"{path}"_s, caller.asked.path).replace(u"{other}"_s, text);
    about.http = row && row->http ? row->http : usual.value(refusal, 400);
    if (row && !row->detail.isEmpty())
        about.details = { row->detail, text };
    const Messages::Asked &asked = caller.asked;
    HttpResponse response = m_messages.answer(asked.row ? asked.row->ask : QString(), about);
    if (!asked.allowed.isEmpty())
        response.headers.append(HttpHeader { "Allow", asked.allowed.join(u", "_s).toLatin1() });
    answer(caller, response);
}

/// Questions, and what nobody understands.
void Server::tell(const Caller &caller)
{
    const Messages::Asked &asked = caller.asked;
    if (!asked.row) {
        refuse(caller, asked.allowed.isEmpty() ? u"unknownPath"_s : u"wrongMethod"_s,
            asked.badVersion ? u"there is no such version"_s : u"there is nothing of that name"_s);
        return;
    }
    const QString &question = asked.row->ask;
    if (question == u"operation" || question == u"result") {
        tellOperation(caller);
        return;
    }
    const World &world = m_simulator.world();
    const Rules &rules = m_simulator.rules();
    Messages::About about = this->about(caller, caller.asked.path);
    about.at = u"found"_s;
    bool found = true;
    if (question == u"resource") {
        found = about.resource != NoResource && rules.isShown(world.tree.code(about.resource));
    } else if (question == u"collection") {
        const QString parent = asked.path.section(u'/', 0, -2);
        const Resource above = parent.isEmpty() ? NoResource : world.tree.find(parent);
        const int type = world.tree.childType(above == NoResource ? -1 : world.tree.type(above), asked.path.section(u'/', -1));
        found = type >= 0 && (parent.isEmpty() || above != NoResource);
    }
    if (found)
        answer(caller, m_messages.answer(question, about));
    else
        refuse(caller, question == u"resource" ? u"missing"_s : u"unknownPath"_s, u"there is nothing of that name"_s);
}

void Server::tellOperation(const Caller &caller)
{
    const Operation *operation = m_simulator.operations().find(caller.asked.operation);
    if (!operation || operation->status == Status::Rejected) {
        refuse(caller, u"unknownPath"_s, u"no operation has this id"_s);
        return;
    }
    const Messages::About about = aboutOperation(caller, *operation);
    answer(caller, m_messages.answer(caller.asked.row->ask, about));
}

Server::Read Server::requestFrom(const Caller &caller, const HttpRequest &http, const QString &peer) const
{
    Read read;
    Request &request = read.request;
    request.op = caller.asked.row->ask;
    request.path = caller.asked.path;
    request.id = freshId();
    if (caller.asked.row->path.contains(u"{collection}"))
        request.path += u'/' + request.id;
    request.client = peer;
    request.requestId = caller.requestId;
    request.ifMatch = QString::fromUtf8(header(http.headers, "If-Match"));
    request.ifNoneMatch = QString::fromUtf8(header(http.headers, "If-None-Match"));
    if (caller.asked.row->body.isEmpty())
        return read;
    const Result<Document> document = Document::parse(http.body, u"body"_s);
    if (!document || !document->root().is(Value::Kind::Object)) {
        read.refusal = u"malformedBody"_s;
        read.text = document ? u"expected an object, found "_s + document->root().kindName() : document.error();
        return read;
    }
    const ResourceMessage message = m_messages.resource(document->root(), request.path);
    const QString name = request.path.section(u'/', -1);
    const auto names = m_simulator.rules().pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
    if (!message.problem.isEmpty()) {
        read.refusal = message.problem;
        read.text = message.problemText;
    } else if (!message.name.isEmpty() && message.name.compare(name, names) != 0) {
        read.refusal = u"wrongName"_s;
        read.text = message.name;
    } else {
        request.stores = true;
        request.body = http.body;
        request.properties = message.properties;
        request.references = message.references;
        addContents(message, request.op, &request);
    }
    return read;
}

/// A world that may grow without end would take the machine with it.
bool Server::isFull(const Request &request) const
{
    const World &world = m_simulator.world();
    const auto mayGrow = [&] { return world.tree.find(request.path) == NoResource || !request.contents.empty(); };
    if (world.tree.size() + qsizetype(request.contents.size()) >= m_options.mostResources && mayGrow())
        return true;
    if (request.body.isEmpty() || world.bodies.size() * qint64(m_options.http.limits.bodyBytes) < m_options.mostStoredBytes)
        return false;
    qint64 bytes = request.body.size();
    for (const QByteArray &body : world.bodies)
        bytes += body.size();
    return bytes > m_options.mostStoredBytes;
}

/// An operation of the pack.
void Server::ask(const Caller &caller, const HttpRequest &http, const QString &peer)
{
    Read read = requestFrom(caller, http, peer);
    Request &request = read.request;
    if (!read.refusal.isEmpty()) {
        // What is wrong with the world comes before what is wrong with the body; a known request id before both.
        const Admission without = m_simulator.admission(request);
        if (without.verdict != Admission::Verdict::Refused && without.verdict != Admission::Verdict::Replayed) {
            refuse(caller, read.refusal, read.text);
            return;
        }
    } else if (isFull(request)) {
        refuse(caller, u"full"_s, u"The controller holds as much as it may."_s);
        return;
    }
    const auto names = m_simulator.rules().pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
    Caller asker = caller;
    asker.plan = m_plans.take(request.op, request.path, names);
    asker.asked.path = request.path;
    asker.plan.apply(request);

    const quint32 serial = m_simulator.submit(request);
    const Operation *operation = m_simulator.operations().find(serial);
    const Record &record = m_simulator.records().last();
    const auto change = std::ranges::find(record.changes, serial, &Change::operation);
    if (!operation || change == record.changes.end()) {
        answer(asker, HttpResponse { .status = 500 });
        return;
    }
    if (change->kind == Change::Kind::Replayed) {
        const auto first = m_first.constFind(change->other);
        if (first != m_first.constEnd()) {
            answer(asker, *first);
            return;
        }
        if (m_waiting.contains(change->other)) { // the first has no answer yet: both get the same one
            await(change->other, asker);
            return;
        }
    }
    Messages::About about = aboutOperation(asker, *operation);
    const Rules &rules = m_simulator.rules();
    about.created = change->from != Rules::None && rules.state(change->from).kind == State::Kind::Initial;
    if (change->kind == Change::Kind::Rejected)
        about.at = u"rejected"_s;
    else if (change->kind == Change::Kind::Observed)
        about.at = u"observed"_s;
    else if (!operation->isOver())
        about.at = u"started"_s;
    if (about.at == u"started" && !m_messages.hasAnswer(request.op, about)) {
        asker.created = about.created;
        await(serial, asker);
        return;
    }
    const HttpResponse response = m_messages.answer(request.op, about);
    if (!request.requestId.isEmpty())
        remember(serial, response);
    answer(asker, response);
}

/// The answer to be given again should the request come again.
void Server::remember(quint32 serial, const HttpResponse &response)
{
    m_first.insert(serial, response);
    m_firstOrder += serial;
    m_firstBytes += response.body.size() + 512;
    while (m_firstBytes > MostFirstBytes || m_firstOrder.size() > m_options.mostFinished) {
        const HttpResponse gone = m_first.take(m_firstOrder.takeFirst());
        m_firstBytes -= gone.body.size() + 512;
    }
}

void Server::await(quint32 serial, const Caller &caller)
{
    // Clients that have left would pile up behind an operation that never ends.
    if (m_waiting.size() > 2 * m_listener.connections() + 1000)
        m_waiting.removeIf([this](const std::pair<const quint32 &, Caller &> &entry) { return !m_listener.isWaiting(entry.second.ticket); });
    m_waiting.insert(serial, caller);
}

/// Answers that were to come at the end.
void Server::follow(const Record &record)
{
    if (m_waiting.isEmpty())
        return;
    for (const Change &change : record.changes) {
        const bool ends = change.kind == Change::Kind::Closed || change.kind == Change::Kind::Canceled;
        const QList<Caller> callers = ends ? m_waiting.values(change.operation) : QList<Caller>();
        const Operation *operation = m_simulator.operations().find(change.operation);
        if (callers.isEmpty() || !operation)
            continue;
        m_waiting.remove(change.operation);
        const Caller &first = callers.last(); // values() has the newest first
        Messages::About about = aboutOperation(first, *operation);
        about.created = first.created;
        const HttpResponse response = m_messages.answer(operation->op, about);
        if (!first.requestId.isEmpty())
            remember(operation->serial, response);
        for (const Caller &caller : callers)
            answer(caller, response);
    }
}

/// The answer goes out, or what a plan makes of it.
void Server::answer(const Caller &caller, HttpResponse response)
{
    const Plan &plan = caller.plan;
    if (plan.fault == u"close") {
        m_listener.breakOff(caller.ticket, response, 0);
    } else if (plan.fault == u"truncate") {
        m_listener.breakOff(caller.ticket, response, toBytes(response).size() - (response.body.size() + 1) / 2);
    } else if (plan.fault == u"garbage") {
        m_listener.sendRaw(caller.ticket, QByteArray::fromHex("00ff13377f454c46") + "\r\n\r\n");
    } else if (plan.faultDelay() > 0) {
        QTimer::singleShot(plan.faultDelay(), this, [this, ticket = caller.ticket, response] { m_listener.answer(ticket, response); });
    } else {
        if (plan.fault == u"invalid-json")
            response.body = "{\"properties\": ";
        else if (plan.fault == u"empty")
            response.body.clear();
        else if (plan.faultStatus())
            response = HttpResponse { .status = plan.faultStatus() };
        m_listener.answer(caller.ticket, std::move(response));
    }
}

/// What a tester asks beside the system's own words.
void Server::handleOwn(HttpListener::Ticket ticket, const HttpRequest &http)
{
    QByteArray name = http.target.mid(Own.size());
    if (const qsizetype query = name.indexOf('?'); query >= 0)
        name.truncate(query);
    const bool reads = http.method == "GET" || http.method == "HEAD";
    const auto error = [](int status, const QString &code, const QString &text) {
        return json(status, { { u"error"_s, QJsonObject { { u"code"_s, code }, { u"message"_s, text } } } });
    };
    const auto wrongMethod = [&](const QByteArray &allowed) {
        HttpResponse response = error(405, u"MethodNotAllowed"_s, u"It takes "_s + QString::fromLatin1(allowed));
        response.headers.append(HttpHeader { "Allow", allowed });
        return response;
    };
    HttpResponse response;
    if (name == "world") {
        if (reads) {
            QJsonObject world = worldJson(m_simulator.rules(), m_simulator.world(), m_simulator.operations(), m_simulator.records());
            world.insert(u"expectations"_s, QJsonObject { { u"passed"_s, 0 }, { u"failed"_s, 0 }, { u"failures"_s, QJsonArray() } });
            response = json(200, world);
        } else {
            response = wrongMethod("GET, HEAD");
        }
    } else if (name == "plan") {
        if (http.method == "POST") {
            const Result<Plan> plan = Plans::read(m_simulator.rules(), http.body);
            if (plan)
                m_plans.add(*plan);
            response = plan ? json(200, {}) : error(400, u"InvalidRequestFormat"_s, plan.error());
        } else {
            response = wrongMethod("POST");
        }
    } else if (name == "reset") {
        if (http.method == "POST") {
            m_plans.clear();
            m_first.clear();
            m_firstOrder.clear();
            m_firstBytes = 0;
            for (const Caller &caller : std::exchange(m_waiting, {}))
                m_listener.breakOff(caller.ticket, {}, 0);
            m_simulator.reset();
            m_clock.restart();
            m_started = m_simulator.world().now;
            response = json(200, {});
        } else {
            response = wrongMethod("POST");
        }
    } else {
        response = error(404, u"NotFound"_s, u"There are /_instar/world, /_instar/plan and /_instar/reset."_s);
    }
    m_listener.answer(ticket, std::move(response));
}

} // namespace instar
