// SPDX-License-Identifier: Apache-2.0
#include "model/remote/server.h"

#include <QMetaMethod>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype LongestRequestId = 256; ///< characters
constexpr qsizetype Plain = 1024; ///< bytes of a request that its record surely keeps whole

} // namespace

Server::Server(Simulator &simulator, Options options, QObject *parent)
    : QObject(parent),
      m_simulator(simulator),
      m_options(std::move(options)),
      m_messages(simulator.rules()),
      m_listener([this](HttpListener::Ticket ticket, const HttpRequest &http, const QString &peer) {
          handle(ticket, http, peer);
      }),
      m_testDoor(simulator, m_plans, [this] { restart(); }),
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
    connect(&m_listener, &HttpListener::closed, this, &Server::closed);
    if (m_options.speed > 0)
        simulator.keepRecent(256, m_options.mostFinished);
}

Server::~Server()
{
    m_exchanges.endAll(tr("Nobody served it any more."));
}

Result<quint16> Server::listen()
{
    if (m_messages.wire().isEmpty())
        return Error {
            u"the pack %1 has no wire rows, so nobody knows how to speak it over HTTP"_s.arg(
                m_simulator.rules().pack().id)
        };
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
    return u"%1://%2:%3"_s
        .arg(m_listener.isSecure() ? u"https"_s : u"http"_s,
            isSix ? u'[' + address.toString() + u']' : address.toString())
        .arg(m_listener.port());
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
        .plan = {} };
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
    static const QMetaMethod told = QMetaMethod::fromSignal(&Server::exchanged);
    if (isSignalConnected(told))
        m_exchanges.begin(ticket, http, origin(), peer);
    if (TestDoor::isAskedFor(http)) {
        reply(ticket, m_testDoor.answer(http));
    } else {
        const Rules &rules = m_simulator.rules();
        Caller caller = callerOf(ticket, http);
        explain(caller);
        if (caller.asked.row && !caller.asked.badName.isEmpty())
            refuse(caller, u"wrongName"_s, caller.asked.badName, Words::Ours);
        else if (caller.asked.row && rules.isOperation(rules.trigger(caller.asked.row->ask)))
            ask(std::move(caller), http, peer);
        else
            tell(caller);
    }
    m_exchanges.wait(ticket);
    schedule();
    emit served();
}

void Server::explain(const Caller &caller)
{
    if (caller.asked.row && !caller.asked.operation.isEmpty())
        m_exchanges.explain(caller.ticket, Exchange::Purpose::Poll, caller.asked.operation);
}

/// Every answer leaves here or below.
void Server::reply(HttpListener::Ticket ticket, HttpResponse response)
{
    if (m_exchanges.has(ticket))
        m_exchanges.end(ticket, response,
            m_listener.isWaiting(ticket) ? QString() : tr("The client did not wait for it."));
    m_listener.answer(ticket, std::move(response));
}

void Server::breakOff(HttpListener::Ticket ticket, const HttpResponse &response, qsizetype bytes)
{
    m_exchanges.end(ticket, bytes > 0 ? response : HttpResponse { .status = 0 },
        tr("The connection was broken off."));
    m_listener.breakOff(ticket, response, bytes);
}

/// Everything begins again; who waits for an answer gets none.
void Server::restart()
{
    m_plans.clear();
    m_first.clear();
    for (const Caller &caller : std::exchange(m_waiting, {}))
        breakOff(caller.ticket, {}, 0);
    m_simulator.reset();
    m_clock.restart();
    m_started = m_simulator.world().now;
}

/// A world that may grow without end would take the machine with it.
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

/// An operation of the pack.
void Server::ask(Caller caller, const HttpRequest &http, const QString &peer)
{
    if (!caller.badId.isEmpty()) {
        refuse(caller, u"malformedBody"_s, caller.badId, Words::Ours);
        return;
    }
    Incoming read = incoming(m_messages, caller.asked, http);
    Request &request = read.request;
    request.client = peer;
    request.requestId = caller.requestId;
    // Of most requests it is enough to ask when they have been refused.
    const bool isPlain = read.refusal.isEmpty() && m_plans.isEmpty() && request.requestId.isEmpty()
        && request.contents.empty()
        && request.body.size() + request.ifMatch.size() + request.ifNoneMatch.size() < Plain;
    Admission admitted = isPlain ? Admission() : m_simulator.admission(request);
    if (!read.refusal.isEmpty()) {
        // What is wrong with the world comes before what is wrong with the body; a known request id
        // before both.
        if (admitted.verdict != Admission::Verdict::Refused
            && admitted.verdict != Admission::Verdict::Replayed) {
            refuse(caller, read.refusal, read.text, read.isBadName ? Words::Ours : Words::Pack);
            return;
        }
    } else if (isFull(request)) {
        refuse(caller, u"full"_s, u"The controller holds as much as it may."_s);
        return;
    }
    if (!m_plans.isEmpty()) {
        const bool starts = admitted.verdict == Admission::Verdict::Accepted;
        const Plan plan = m_plans.take(request.op, request.path, m_messages.names(), starts);
        if (starts) {
            caller.plan = plan;
            caller.plan.apply(request);
        }
    }
    caller.asked.path = request.path;

    m_exchanges.explain(caller.ticket, Exchange::Purpose::Fire, request.id);
    const quint32 serial = m_simulator.submit(std::move(request));
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
    tellSubmitted(caller, *change, admitted, read.body ? &*read.body : nullptr);
}

} // namespace instar
