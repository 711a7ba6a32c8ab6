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

struct Burst::Channel
{
    /// Warm: open and idle. Loaded: open, with a request to send. Waiting: for the response.
    enum class State { Opening, Warm, Loaded, Sending, Waiting };
    State state = State::Opening;
    QSslSocket *socket = nullptr; ///< uses TLS only if isSecure
    bool isSecure = false;
    HttpParser<HttpResponse> parser { { .headerBytes = 256 * 1024,
        .bodyBytes = 64 * 1024 * 1024 } };
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
    std::vector<Channel *> channels; ///< by request; null: the request has its result
    BurstReport report;
    qint64 base = -1;        ///< time of the release, ns; -1: not released yet
    int opening = 0;         ///< number of requests that wait for a connection
    int unfinished = 0;      ///< number of requests without a result
    bool isQueued = false;   ///< the event loop will call release()
    QTimer *timer = nullptr; ///< for connecting, then for answering
};

namespace {

constexpr unsigned long SleepUs = 500; ///< pause before several requests leave

qint64 now() ///< ns
{
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// True if the peer has closed an idle connection, even before Qt reports that.
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
    for (const auto &channel : m_channels)
        channel->socket->disconnect(this);
}

Burst::PendingBurst *Burst::pending(quint64 id) const
{
    const auto found = std::ranges::find(m_pending, id, &PendingBurst::id);
    return found == m_pending.end() ? nullptr : found->get();
}

Burst::Channel *Burst::open()
{
    m_channels.push_back(std::make_unique<Channel>());
    Channel *channel = m_channels.back().get();
    QSslSocket *socket = channel->socket = new QSslSocket(this);
    channel->isSecure = m_origin.scheme() == u"https";
    socket->setSslConfiguration(m_options.tls);
    socket->setProxy(QNetworkProxy::NoProxy);
    const auto connectTo = [&](auto signal, void (Burst::*slot)(Channel *)) {
        connect(socket, signal, this, [this, channel, slot] { (this->*slot)(channel); });
    };
    connectTo(channel->isSecure ? &QSslSocket::encrypted : &QSslSocket::connected, &Burst::ready);
    connectTo(channel->isSecure ? &QSslSocket::encryptedBytesWritten : &QSslSocket::bytesWritten,
        &Burst::sent);
    connectTo(&QSslSocket::errorOccurred, &Burst::closed);
    connectTo(&QSslSocket::disconnected, &Burst::closed);
    connect(socket, &QSslSocket::readyRead, this, [this, channel] { read(channel); });
    connect(socket, &QSslSocket::sslErrors, this, [channel](const QList<QSslError> &errors) {
        for (const QSslError &error : errors)
            channel->tlsProblems += error.errorString();
    });
    if (channel->isSecure)
        socket->connectToHostEncrypted(m_origin.host(), quint16(m_origin.port(443)));
    else
        socket->connectToHost(m_origin.host(), quint16(m_origin.port(80)));
    return channel;
}

void Burst::warm(int count)
{
    const auto idle = std::ranges::count(
        m_channels, quint64(0), [](const auto &channel) { return channel->burst; });
    for (auto i = idle; i < count; ++i)
        open();
}

int Burst::warmed() const
{
    return int(std::ranges::count(
        m_channels, Channel::State::Warm, [](const auto &channel) { return channel->state; }));
}

/// Returns an idle connection, else one that is opening for no burst, else a new one.
Burst::Channel *Burst::freeChannel()
{
    for (size_t i = 0; i < m_channels.size();) {
        Channel *channel = m_channels[i].get();
        if (channel->state != Channel::State::Warm)
            ++i;
        else if (isStale(*channel->socket, channel->isSecure))
            drop(channel);
        else
            return channel;
    }
    const auto opening = std::ranges::find_if(m_channels, [](const auto &channel) {
        return channel->state == Channel::State::Opening && !channel->burst;
    });
    return opening == m_channels.end() ? open() : opening->get();
}

void Burst::ready(Channel *channel)
{
    channel->socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    channel->state = channel->burst ? Channel::State::Loaded : Channel::State::Warm;
    if (PendingBurst *burst = pending(channel->burst)) {
        --burst->opening;
        releaseWhenReady(*burst);
    }
}

void Burst::drop(Channel *channel)
{
    channel->socket->disconnect(this);
    channel->socket->abort();
    channel->socket->deleteLater();
    std::erase_if(m_channels, [channel](const auto &one) { return one.get() == channel; });
}

quint64 Burst::fire(const QList<QByteArray> &requests)
{
    m_pending.push_back(std::make_unique<PendingBurst>());
    PendingBurst &burst = *m_pending.back();
    burst.id = ++m_last;
    burst.requests = requests;
    burst.report.shots.resize(requests.size());
    burst.channels.resize(size_t(requests.size()));
    burst.unfinished = int(requests.size());
    for (int i = 0; i < int(requests.size()); ++i) {
        Channel *channel = freeChannel();
        channel->burst = burst.id;
        channel->index = i;
        burst.channels[size_t(i)] = channel;
        if (channel->state == Channel::State::Warm)
            channel->state = Channel::State::Loaded;
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
    for (size_t i = 0; (late = pending(id)) && i < late->channels.size(); ++i) {
        Channel *channel = late->channels[i];
        if (channel && (isReleased || channel->state == Channel::State::Opening))
            fail(channel, text);
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
    const std::vector<Channel *> channels = burst->channels;
    for (Channel *channel : channels) { // the peer may have closed an idle connection
        if (channel && channel->state == Channel::State::Loaded
            && isStale(*channel->socket, channel->isSecure))
            replace(channel);
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
bool Burst::replace(Channel *channel)
{
    PendingBurst *burst = pending(channel->burst);
    if (!burst || channel->isSecondTry)
        return false;
    Channel *other = open();
    other->burst = channel->burst;
    other->index = channel->index;
    other->isSecondTry = true;
    burst->channels[size_t(channel->index)] = other;
    ++burst->opening;
    drop(channel);
    return true;
}

void Burst::send(PendingBurst &burst)
{
    struct Sending
    {
        Channel *channel;
        int descriptor;
        const QByteArray *bytes;
        qint64 began = 0, ended = 0;
        qint64 taken = 0; ///< bytes that the kernel accepted at once; negative: an error
    };
    std::vector<Sending> loaded;
    loaded.reserve(burst.channels.size());
    for (Channel *channel : burst.channels) {
        if (!channel)
            continue;
        const QByteArray &request = burst.requests[channel->index];
        channel->state = Channel::State::Sending;
        if (request.startsWith("HEAD "))
            channel->parser.expectNoBody();
        loaded.push_back({ channel, int(channel->socket->socketDescriptor()), &request });
    }

    m_isSending = true;
    // The two clocks are read one after the other, and `sent` is truncated to 1 µs: durations begin
    // `gap` earlier, so that no interval is too short.
    const qint64 before = now(), time = microsecondsNow();
    burst.base = now();
    const qint64 gap = burst.base - before + 1000;
    for (Sending &one : loaded) {
        one.began = now();
        if (one.channel->isSecure) {
            one.channel->socket->write(*one.bytes);
            one.channel->socket->flush();
        } else {
            do {
                one.taken = ::send(one.descriptor, one.bytes->constData(),
                    size_t(one.bytes->size()), MSG_NOSIGNAL | MSG_DONTWAIT);
            } while (one.taken < 0 && errno == EINTR);
        }
        one.ended = now();
    }

    for (const Sending &one : loaded) {
        one.channel->began = one.began - gap;
        burst.report.shots[one.channel->index].sent = time + (one.began - burst.base) / 1000;
        if (!one.channel->isSecure && one.taken < one.bytes->size()) // Qt sends the rest
            one.channel->socket->write(one.bytes->sliced(std::max<qint64>(one.taken, 0)));
        if (unsentBytes(*one.channel->socket) == 0) {
            burst.report.shots[one.channel->index].offsetNs = one.ended - burst.base;
            one.channel->state = Channel::State::Waiting;
        }
    }
    m_isSending = false;
}

/// Marks a request as sent once the socket has written its delayed bytes.
void Burst::sent(Channel *channel)
{
    PendingBurst *burst = pending(channel->burst);
    if (!burst || channel->state != Channel::State::Sending || unsentBytes(*channel->socket) > 0)
        return;
    burst->report.shots[channel->index].offsetNs = now() - burst->base;
    channel->state = Channel::State::Waiting;
}

/// Reads from the socket. False: the channel's request has ended, and the channel may be deleted.
bool Burst::read(Channel *channel)
{
    const qint64 time = now();
    const QByteArray bytes = channel->socket->readAll();
    const bool awaitsAnswer =
        channel->state == Channel::State::Sending || channel->state == Channel::State::Waiting;
    if (!awaitsAnswer || bytes.isEmpty()) {
        if (!bytes.isEmpty() && channel->state == Channel::State::Warm)
            drop(channel); // an idle server must send nothing
        return true;
    }
    if (channel->firstByte < 0)
        channel->firstByte = time;
    channel->parser.feed(bytes);
    if (auto response = channel->parser.take()) { // never a 1xx
        finish(channel, std::move(response), {});
        return false;
    }
    if (const auto problem = channel->parser.problem()) {
        finish(channel, {}, tr("The answer is not HTTP: %1").arg(QString::fromUtf8(problem->text)));
        return false;
    }
    return true;
}

void Burst::closed(Channel *channel)
{
    if (m_isSending) { // flush() emits errors at once, while send() still needs the channel
        const auto later = [this, socket = channel->socket] {
            const auto found =
                std::ranges::find(m_channels, socket, [](const auto &one) { return one->socket; });
            if (found != m_channels.end())
                closed(found->get());
        };
        QMetaObject::invokeMethod(this, later, Qt::QueuedConnection);
        return;
    }
    if (channel->state == Channel::State::Sending || channel->state == Channel::State::Waiting) {
        if (channel->socket->bytesAvailable() > 0 && !read(channel))
            return;
        channel->parser.end();
        const auto response = channel->parser.take();
        const QString problem = channel->firstByte < 0 && channel->state == Channel::State::Sending
            ? tr("The request could not be sent: %1.").arg(channel->socket->errorString())
            : channel->firstByte < 0
            ? tr("The connection was closed without an answer. The request "
                 "may or may not have taken effect.")
            : tr("The connection was closed in the middle of the answer. The "
                 "request may or may not have taken effect.");
        finish(channel, response, response ? QString() : problem);
        return;
    }
    if (channel->state == Channel::State::Loaded && replace(channel))
        return;
    const QString problem = channel->tlsProblems.isEmpty() ? channel->socket->errorString()
                                                           : channel->tlsProblems.join(u"; "_s);
    fail(channel, tr("No connection to %1: %2.").arg(m_origin.authority(), problem));
}

/// Drops a connection that failed; its request, if any, ends with the problem.
void Burst::fail(Channel *channel, const QString &problem)
{
    if (channel->state == Channel::State::Sending || channel->state == Channel::State::Waiting)
        return finish(channel, {}, problem);
    PendingBurst *burst = pending(channel->burst);
    const int index = channel->index;
    if (burst) {
        burst->opening -= channel->state == Channel::State::Opening ? 1 : 0;
        burst->channels[size_t(index)] = nullptr;
    }
    drop(channel);
    if (!burst)
        return;
    BurstShot shot = burst->report.shots[index];
    shot.problem = problem;
    const quint64 id = burst->id;
    conclude(id, index, shot);
    if (PendingBurst *still = pending(id))
        releaseWhenReady(*still);
}

void Burst::finish(Channel *channel, std::optional<HttpResponse> response, const QString &problem)
{
    PendingBurst *burst = pending(channel->burst);
    const int index = channel->index;
    BurstShot shot = burst->report.shots[index];
    shot.durationMs = double(now() - channel->began) / 1e6;
    if (channel->firstByte >= 0)
        shot.waitMs = double(channel->firstByte - channel->began) / 1e6;
    const bool isReusable = response && response->keepAlive
        && channel->state == Channel::State::Waiting && channel->parser.isIdle()
        && channel->socket->state() == QAbstractSocket::ConnectedState
        && warmed() < m_options.mostWarm;
    shot.response = std::move(response);
    shot.problem = problem;

    burst->channels[size_t(index)] = nullptr;
    const quint64 id = burst->id;
    if (isReusable) {
        channel->state = Channel::State::Warm;
        channel->burst = 0;
        channel->index = -1;
        channel->began = channel->firstByte = -1;
    } else {
        drop(channel);
    }
    conclude(id, index, shot);
}

void Burst::conclude(quint64 id, int index, const BurstShot &shot)
{
    PendingBurst *burst = pending(id);
    --burst->unfinished;
    burst->report.shots[index] = shot;
    emit answered(id, index, shot);
    burst = pending(id);
    if (!burst || burst->unfinished > 0)
        return;
    QList<qint64> offsets;
    for (const BurstShot &one : std::as_const(burst->report.shots))
        offsets += one.offsetNs;
    offsets.removeAll(-1);
    if (const auto [first, last] = std::ranges::minmax_element(offsets); first != offsets.end())
        burst->report.spreadNs = *last - *first;
    const BurstReport report = std::move(burst->report);
    burst->timer->disconnect(this);
    burst->timer->deleteLater();
    std::erase_if(m_pending, [id](const auto &one) { return one->id == id; });
    emit finished(id, report);
}

void Burst::close()
{
    while (!m_channels.empty())
        fail(m_channels.back().get(), tr("The connection was closed before the answer arrived."));
}

} // namespace instar
