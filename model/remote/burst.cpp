// SPDX-License-Identifier: Apache-2.0
#include "model/remote/burst.h"

#include "model/engine/exchange.h"
#include "model/http/listener.h"

#include <QNetworkProxy>
#include <QSslError>
#include <QSslSocket>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <sys/socket.h>

using namespace Qt::StringLiterals;

namespace instar {

/// Connection to the server, idle or with one request of a burst.
struct Burst::Line
{
    /// Warm: open and idle. Loaded: open, with a request to send. Waiting: for the response.
    enum class State { Opening, Warm, Loaded, Sending, Waiting };
    explicit Line(HttpLimits limits) : parser(limits) { }

    State state = State::Opening;
    QSslSocket *socket = nullptr; ///< uses TLS only if isSecure
    bool isSecure = false;
    HttpParser<HttpResponse> parser;
    QStringList tlsProblems;
    quint64 burst = 0;                 ///< id of its burst; 0: none
    int index = -1;                    ///< of its request in the burst; -1: none
    bool isSecondTry = false;          ///< replaces a connection that was closed while idle
    qint64 began = -1, firstByte = -1; ///< times of sending and of the response, ns; -1: not yet
};

/// One burst: requests that are released together, and their connections.
struct Burst::PendingBurst
{
    quint64 id = 0;
    QList<QByteArray> requests;
    std::vector<Line *> lines; ///< by request; null: the request has its result
    BurstReport report;
    qint64 base = -1;        ///< time of the release, ns; -1: not released yet
    int opening = 0;         ///< number of requests that wait for a connection
    int unfinished = 0;      ///< number of requests without a result
    bool isQueued = false;   ///< the event loop will call release()
    QTimer *timer = nullptr; ///< for connecting, then for answering
};

namespace {

constexpr unsigned long SleepUs = 500; ///< pause before several requests leave

double milliseconds(qint64 ns)
{
    return double(ns) / 1e6;
}

/// Returns true if the peer has closed an idle connection, even before Qt reports that.
bool isStale(const QTcpSocket &socket, bool isSecure)
{
    if (socket.state() != QAbstractSocket::ConnectedState)
        return true;
    char byte = 0;
    const ssize_t found = ::recv(int(socket.socketDescriptor()), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    // TLS may have session tickets pending; on a plain connection any byte is unsolicited.
    return found == 0 || (found > 0 && !isSecure)
        || (found < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
}

} // namespace

Burst::Burst(const QUrl &origin, Options options, QObject *parent)
    : QObject(parent), m_origin(origin), m_options(std::move(options))
{ }

Burst::~Burst()
{
    for (const auto &line : m_lines)
        line->socket->disconnect(this);
}

qint64 Burst::now()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Burst::PendingBurst *Burst::pending(quint64 id) const
{
    const auto found = std::ranges::find(m_pending, id, &PendingBurst::id);
    return found == m_pending.end() ? nullptr : found->get();
}

// ---- Connections

Burst::Line *Burst::open()
{
    m_lines.push_back(std::make_unique<Line>(m_options.limits));
    Line *line = m_lines.back().get();
    QSslSocket *socket = line->socket = new QSslSocket(this);
    line->isSecure = m_origin.scheme() == u"https";
    socket->setSslConfiguration(m_options.tls);
    socket->setProxy(QNetworkProxy::NoProxy);
    const auto on = [&](auto signal, void (Burst::*slot)(Line *)) {
        connect(socket, signal, this, [this, line, slot] { (this->*slot)(line); });
    };
    on(line->isSecure ? &QSslSocket::encrypted : &QSslSocket::connected, &Burst::ready);
    on(line->isSecure ? &QSslSocket::encryptedBytesWritten : &QSslSocket::bytesWritten,
        &Burst::sent);
    on(&QSslSocket::errorOccurred, &Burst::closed);
    on(&QSslSocket::disconnected, &Burst::closed);
    connect(socket, &QSslSocket::readyRead, this, [this, line] { read(line); });
    connect(socket, &QSslSocket::sslErrors, this, [line](const QList<QSslError> &errors) {
        for (const QSslError &error : errors)
            line->tlsProblems += error.errorString();
    });
    if (line->isSecure)
        socket->connectToHostEncrypted(m_origin.host(), quint16(m_origin.port(443)));
    else
        socket->connectToHost(m_origin.host(), quint16(m_origin.port(80)));
    return line;
}

void Burst::warm(int count)
{
    const auto idle =
        std::ranges::count(m_lines, quint64(0), [](const auto &line) { return line->burst; });
    for (auto i = idle; i < count; ++i)
        open();
}

int Burst::warmed() const
{
    return int(std::ranges::count(
        m_lines, Line::State::Warm, [](const auto &line) { return line->state; }));
}

/// Returns an idle connection, else one that is opening for no burst, else a new one.
Burst::Line *Burst::freeLine()
{
    for (size_t i = 0; i < m_lines.size();) {
        Line *line = m_lines[i].get();
        if (line->state != Line::State::Warm) {
            ++i;
        } else if (isStale(*line->socket, line->isSecure)) {
            drop(line);
        } else {
            return line;
        }
    }
    const auto opening = std::ranges::find_if(m_lines,
        [](const auto &line) { return line->state == Line::State::Opening && !line->burst; });
    return opening == m_lines.end() ? open() : opening->get();
}

void Burst::ready(Line *line)
{
    line->socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    line->state = line->burst ? Line::State::Loaded : Line::State::Warm;
    if (PendingBurst *burst = pending(line->burst)) {
        --burst->opening;
        releaseWhenReady(*burst);
    }
}

void Burst::drop(Line *line)
{
    line->socket->disconnect(this);
    line->socket->abort();
    line->socket->deleteLater();
    std::erase_if(m_lines, [line](const auto &one) { return one.get() == line; });
}

// ---- Firing

quint64 Burst::fire(const QList<QByteArray> &requests)
{
    m_pending.push_back(std::make_unique<PendingBurst>());
    PendingBurst &burst = *m_pending.back();
    burst.id = ++m_last;
    burst.requests = requests;
    burst.report.shots.resize(requests.size());
    burst.lines.resize(size_t(requests.size()));
    burst.unfinished = int(requests.size());
    for (int i = 0; i < int(requests.size()); ++i) {
        Line *line = freeLine();
        line->burst = burst.id;
        line->index = i;
        burst.lines[size_t(i)] = line;
        if (line->state == Line::State::Warm)
            line->state = Line::State::Loaded;
        else
            ++burst.opening;
    }
    burst.timer = new QTimer(this);
    burst.timer->setSingleShot(true);
    connect(burst.timer, &QTimer::timeout, this, [this, id = burst.id] { endOverdue(id); });
    burst.timer->start(m_options.connectMs);
    releaseWhenReady(burst);
    return burst.id;
}

void Burst::endOverdue(quint64 id)
{
    const PendingBurst *late = pending(id);
    const bool isReleased = late->base >= 0;
    const QString text = isReleased
        ? tr("No answer within %1 s. The request may or may not have taken effect.")
              .arg(m_options.answerMs / 1000.0)
        : tr("No connection to %1 within %2 s.")
              .arg(m_origin.authority(), QString::number(m_options.connectMs / 1000.0));
    for (size_t i = 0; (late = pending(id)) && i < late->lines.size(); ++i) {
        Line *line = late->lines[i];
        if (line && (isReleased || line->state == Line::State::Opening))
            fail(line, text);
    }
}

void Burst::releaseWhenReady(PendingBurst &burst)
{
    if (burst.opening > 0 || burst.base >= 0 || burst.isQueued)
        return;
    burst.isQueued = true;
    QMetaObject::invokeMethod(
        this, [this, id = burst.id] { release(id); }, Qt::QueuedConnection);
}

void Burst::release(quint64 id)
{
    PendingBurst *burst = pending(id);
    if (!burst)
        return;
    burst->isQueued = false;
    const std::vector<Line *> lines = burst->lines;
    for (Line *line : lines) { // the peer may have closed an idle connection
        if (line && line->state == Line::State::Loaded && isStale(*line->socket, line->isSecure))
            replace(line);
    }
    if (burst->opening > 0)
        return;
    if (burst->unfinished > 1) // the scheduler preempts a thread less just after it has slept
        QThread::usleep(SleepUs);
    send(*burst);
    burst->timer->start(m_options.answerMs);
    QList<qint64> sent;
    for (const BurstShot &shot : std::as_const(burst->report.shots))
        sent += shot.sent;
    emit released(id, sent);
}

/// Replaces the connection of an unsent request; returns false if it is a replacement already.
bool Burst::replace(Line *line)
{
    PendingBurst *burst = pending(line->burst);
    if (!burst || line->isSecondTry)
        return false;
    Line *other = open();
    other->burst = line->burst;
    other->index = line->index;
    other->isSecondTry = true;
    burst->lines[size_t(line->index)] = other;
    ++burst->opening;
    drop(line);
    return true;
}

void Burst::send(PendingBurst &burst)
{
    struct Sending
    {
        Line *line;
        int descriptor;
        const QByteArray *bytes;
        qint64 began = 0, ended = 0;
        qint64 taken = 0; ///< bytes that the kernel accepted at once; negative: an error
    };
    std::vector<Sending> loaded;
    loaded.reserve(burst.lines.size());
    for (Line *line : burst.lines) {
        if (!line)
            continue;
        const QByteArray &request = burst.requests[line->index];
        line->state = Line::State::Sending;
        if (request.startsWith("HEAD "))
            line->parser.expectNoBody();
        loaded.push_back({ line, int(line->socket->socketDescriptor()), &request });
    }

    m_isSending = true;
    // The two clocks are read one after the other, and `sent` is truncated to 1 µs: durations begin
    // `gap` earlier, so that no interval is too short.
    const qint64 before = now(), time = microsecondsNow();
    burst.base = now();
    const qint64 gap = burst.base - before + 1000;
    for (Sending &one : loaded) {
        one.began = now();
        if (one.line->isSecure) {
            one.line->socket->write(*one.bytes);
            one.line->socket->flush();
        } else {
            do {
                one.taken = ::send(one.descriptor, one.bytes->constData(),
                    size_t(one.bytes->size()), MSG_NOSIGNAL | MSG_DONTWAIT);
            } while (one.taken < 0 && errno == EINTR);
        }
        one.ended = now();
    }

    for (const Sending &one : loaded) {
        one.line->began = one.began - gap;
        burst.report.shots[one.line->index].sent = time + (one.began - burst.base) / 1000;
        if (!one.line->isSecure && one.taken < one.bytes->size()) // Qt sends the rest
            one.line->socket->write(one.bytes->sliced(std::max<qint64>(one.taken, 0)));
        if (unsentBytes(*one.line->socket) == 0) {
            burst.report.shots[one.line->index].offsetNs = one.ended - burst.base;
            one.line->state = Line::State::Waiting;
        }
    }
    m_isSending = false;
}

/// Marks a request as sent once the socket has written its delayed bytes.
void Burst::sent(Line *line)
{
    PendingBurst *burst = pending(line->burst);
    if (!burst || line->state != Line::State::Sending || unsentBytes(*line->socket) > 0)
        return;
    burst->report.shots[line->index].offsetNs = now() - burst->base;
    line->state = Line::State::Waiting;
}

// ---- Answers

/// Reads from the socket. Returns false if the line's request has ended: the line may be deleted.
bool Burst::read(Line *line)
{
    const qint64 time = now();
    const QByteArray bytes = line->socket->readAll();
    const bool awaitsAnswer =
        line->state == Line::State::Sending || line->state == Line::State::Waiting;
    if (!awaitsAnswer || bytes.isEmpty()) {
        if (!bytes.isEmpty() && line->state == Line::State::Warm)
            drop(line); // an idle server must send nothing
        return true;
    }
    if (line->firstByte < 0)
        line->firstByte = time;
    line->parser.feed(bytes);
    while (auto response = line->parser.take()) {
        if (response->status < 200)
            continue;
        finish(line, std::move(response), {});
        return false;
    }
    if (const auto problem = line->parser.problem()) {
        finish(line, {}, tr("The answer is not HTTP: %1").arg(QString::fromUtf8(problem->text)));
        return false;
    }
    return true;
}

void Burst::closed(Line *line)
{
    if (m_isSending) { // flush() emits errors at once, while send() still needs the line
        const auto later = [this, socket = line->socket] {
            const auto found =
                std::ranges::find(m_lines, socket, [](const auto &one) { return one->socket; });
            if (found != m_lines.end())
                closed(found->get());
        };
        QMetaObject::invokeMethod(this, later, Qt::QueuedConnection);
        return;
    }
    if (line->state == Line::State::Sending || line->state == Line::State::Waiting) {
        if (line->socket->bytesAvailable() > 0 && !read(line))
            return;
        line->parser.end();
        auto response = line->parser.take();
        while (response && response->status < 200)
            response = line->parser.take();
        const QString problem = line->firstByte < 0 && line->state == Line::State::Sending
            ? tr("The request could not be sent: %1.").arg(line->socket->errorString())
            : line->firstByte < 0 ? tr("The connection was closed without an answer. The request "
                                       "may or may not have taken effect.")
                                  : tr("The connection was closed in the middle of the answer. The "
                                       "request may or may not have taken effect.");
        finish(line, response, response ? QString() : problem);
        return;
    }
    if (line->state == Line::State::Loaded && replace(line))
        return;
    const QString problem =
        line->tlsProblems.isEmpty() ? line->socket->errorString() : line->tlsProblems.join(u"; "_s);
    fail(line, tr("No connection to %1: %2.").arg(m_origin.authority(), problem));
}

/// Drops a connection that failed; its request, if any, ends with the problem.
void Burst::fail(Line *line, const QString &problem)
{
    if (line->state == Line::State::Sending || line->state == Line::State::Waiting) {
        finish(line, {}, problem);
        return;
    }
    PendingBurst *burst = pending(line->burst);
    const int index = line->index;
    if (burst) {
        burst->opening -= line->state == Line::State::Opening ? 1 : 0;
        burst->lines[size_t(index)] = nullptr;
    }
    drop(line);
    if (!burst)
        return;
    BurstShot shot = burst->report.shots[index];
    shot.problem = problem;
    const quint64 id = burst->id;
    conclude(id, index, shot);
    if (PendingBurst *still = pending(id))
        releaseWhenReady(*still);
}

void Burst::finish(Line *line, std::optional<HttpResponse> response, const QString &problem)
{
    PendingBurst *burst = pending(line->burst);
    const int index = line->index;
    BurstShot shot = burst->report.shots[index];
    shot.durationMs = milliseconds(now() - line->began);
    if (line->firstByte >= 0)
        shot.waitMs = milliseconds(line->firstByte - line->began);
    const bool isReusable = response && response->keepAlive && line->state == Line::State::Waiting
        && line->parser.isIdle() && line->socket->state() == QAbstractSocket::ConnectedState
        && warmed() < m_options.mostWarm;
    shot.response = std::move(response);
    shot.problem = problem;

    burst->lines[size_t(index)] = nullptr;
    const quint64 id = burst->id;
    if (isReusable) {
        line->state = Line::State::Warm;
        line->burst = 0;
        line->index = -1;
        line->began = line->firstByte = -1;
    } else {
        drop(line);
    }
    conclude(id, index, shot);
}

/// Ends a request; the last one ends the burst.
void Burst::conclude(quint64 id, int index, const BurstShot &shot)
{
    PendingBurst *burst = pending(id);
    --burst->unfinished;
    burst->report.shots[index] = shot;
    emit answered(id, index, shot);
    burst = pending(id);
    if (!burst || burst->unfinished > 0)
        return;
    qint64 first = -1, last = -1;
    for (const BurstShot &one : std::as_const(burst->report.shots)) {
        if (one.offsetNs < 0)
            continue;
        first = first < 0 ? one.offsetNs : std::min(first, one.offsetNs);
        last = std::max(last, one.offsetNs);
    }
    burst->report.spreadNs = last - first;
    const BurstReport report = std::move(burst->report);
    burst->timer->disconnect(this);
    burst->timer->deleteLater();
    std::erase_if(m_pending, [id](const auto &one) { return one->id == id; });
    emit finished(id, report);
}

void Burst::close()
{
    while (!m_lines.empty())
        fail(m_lines.back().get(), tr("The connection was closed before the answer arrived."));
}

} // namespace instar
