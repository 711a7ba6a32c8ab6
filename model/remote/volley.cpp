// SPDX-License-Identifier: Apache-2.0
#include "model/remote/volley.h"

#include "model/remote/volleyparts.h"

#include <QNetworkProxy>
#include <QSslError>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <sys/socket.h>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Whether the other side has closed a connection that waits, even if no event has told so yet.
bool isStale(const QTcpSocket &socket, bool isSecure)
{
    if (socket.state() != QAbstractSocket::ConnectedState)
        return true;
    char byte = 0;
    const ssize_t found = ::recv(int(socket.socketDescriptor()), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    // On a secure connection there may be session tickets; on a plain one nothing was asked for.
    return found == 0 || (found > 0 && !isSecure)
        || (found < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
}

} // namespace

Volley::Volley(const QUrl &origin, Options options, QObject *parent)
    : QObject(parent), m_origin(origin), m_options(std::move(options))
{ }

Volley::~Volley()
{
    for (const auto &line : m_lines)
        line->socket->disconnect(this);
}

qint64 Volley::now()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Volley::Salvo *Volley::salvo(quint64 id) const
{
    const auto found = std::ranges::find(m_salvos, id, &Salvo::id);
    return found == m_salvos.end() ? nullptr : found->get();
}

// ---- Connections

Volley::Line *Volley::open()
{
    m_lines.push_back(std::make_unique<Line>(m_options.limits));
    Line *line = m_lines.back().get();
    const QString host = m_origin.host();
    const auto gone = [this, line] { closed(line); };
    const auto bytes = [this, line] { read(line); };
    if (m_origin.scheme() == u"https") {
        auto *socket = new QSslSocket(this);
        line->socket = socket;
        line->isSecure = true;
        socket->setSslConfiguration(m_options.tls);
        connect(socket, &QSslSocket::encrypted, this, [this, line] { ready(line); });
        connect(socket, &QSslSocket::sslErrors, this, [line](const QList<QSslError> &errors) {
            for (const QSslError &error : errors)
                line->tlsProblems += error.errorString();
        });
        connect(socket, &QSslSocket::encryptedBytesWritten, this, [this, line] { sent(line); });
    } else {
        line->socket = new QTcpSocket(this);
        connect(line->socket, &QTcpSocket::connected, this, [this, line] { ready(line); });
        connect(line->socket, &QTcpSocket::bytesWritten, this, [this, line] { sent(line); });
    }
    line->socket->setProxy(QNetworkProxy::NoProxy);
    connect(line->socket, &QTcpSocket::readyRead, this, bytes);
    connect(line->socket, &QTcpSocket::errorOccurred, this, gone);
    connect(line->socket, &QTcpSocket::disconnected, this, gone);
    if (auto *secure = line->isSecure ? static_cast<QSslSocket *>(line->socket) : nullptr)
        secure->connectToHostEncrypted(host, quint16(m_origin.port(443)));
    else
        line->socket->connectToHost(host, quint16(m_origin.port(80)));
    return line;
}

void Volley::warm(int count)
{
    const auto idle =
        std::ranges::count(m_lines, quint64(0), [](const auto &line) { return line->salvo; });
    for (auto i = idle; i < count; ++i)
        open();
}

int Volley::warmed() const
{
    return int(std::ranges::count(
        m_lines, Line::State::Warm, [](const auto &line) { return line->state; }));
}

Volley::Line *Volley::takeWarm()
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
        [](const auto &line) { return line->state == Line::State::Opening && !line->salvo; });
    return opening == m_lines.end() ? nullptr : opening->get();
}

void Volley::ready(Line *line)
{
    line->socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    line->state = line->salvo ? Line::State::Loaded : Line::State::Warm;
    if (Salvo *own = salvo(line->salvo)) {
        --own->opening;
        releaseWhenReady(*own);
    }
}

void Volley::drop(Line *line)
{
    line->socket->disconnect(this);
    line->socket->abort();
    line->socket->deleteLater();
    std::erase_if(m_lines, [line](const auto &one) { return one.get() == line; });
}

// ---- Firing

quint64 Volley::fire(const QList<QByteArray> &requests)
{
    m_salvos.push_back(std::make_unique<Salvo>());
    Salvo &own = *m_salvos.back();
    own.id = ++m_last;
    own.requests = requests;
    own.report.shots.resize(requests.size());
    own.lines.resize(size_t(requests.size()));
    own.open = int(requests.size());
    for (int i = 0; i < int(requests.size()); ++i) {
        Line *line = takeWarm();
        if (!line)
            line = open();
        line->salvo = own.id;
        line->index = i;
        own.lines[size_t(i)] = line;
        if (line->state == Line::State::Warm)
            line->state = Line::State::Loaded;
        else
            ++own.opening;
    }
    own.timer = new QTimer(this);
    own.timer->setSingleShot(true);
    connect(own.timer, &QTimer::timeout, this, [this, id = own.id] { giveUp(id); });
    own.timer->start(m_options.connectMs);
    releaseWhenReady(own);
    return own.id;
}

/// It has taken too long.
void Volley::giveUp(quint64 id)
{
    const Salvo *late = salvo(id);
    const bool isReleased = late->base >= 0;
    const QString text = isReleased
        ? tr("No answer within %1 s; whether the request took effect is not known.")
              .arg(m_options.answerMs / 1000.0)
        : tr("No connection to %1 within %2 s.")
              .arg(m_origin.authority())
              .arg(m_options.connectMs / 1000.0);
    for (size_t i = 0; (late = salvo(id)) && i < late->lines.size(); ++i) {
        Line *line = late->lines[i];
        if (line && (isReleased || line->state == Line::State::Opening))
            unable(line, text);
    }
}

void Volley::releaseWhenReady(Salvo &own)
{
    if (own.opening > 0 || own.base >= 0 || own.isQueued)
        return;
    own.isQueued = true;
    QMetaObject::invokeMethod(
        this, [this, id = own.id] { release(id); }, Qt::QueuedConnection);
}

void Volley::release(quint64 id)
{
    Salvo *own = salvo(id);
    if (!own)
        return;
    own->isQueued = false;
    const std::vector<Line *> lines = own->lines;
    for (Line *line : lines) { // one that has waited may have been closed since
        if (line && line->state == Line::State::Loaded && isStale(*line->socket, line->isSecure))
            replace(line);
    }
    if (own->opening > 0)
        return;
    const auto broken = send(*own);
    own->timer->start(m_options.answerMs);
    emit released(id);
    for (const auto &[index, problem] : broken) {
        if (Salvo *still = salvo(id); still && still->lines[size_t(index)])
            unable(still->lines[size_t(index)], problem);
    }
    if (const Salvo *still = salvo(id); still && still->open == 0)
        conclude(id, -1, {});
}

/// Another connection for a request that has not been sent; false: there was one already.
bool Volley::replace(Line *line)
{
    Salvo *own = salvo(line->salvo);
    if (!own || line->isSecondTry)
        return false;
    Line *other = open();
    other->salvo = line->salvo;
    other->index = line->index;
    other->isSecondTry = true;
    own->lines[size_t(line->index)] = other;
    ++own->opening;
    drop(line);
    return true;
}

/// Returns the requests that could not be sent, and why.
QList<std::pair<int, QString>> Volley::send(Salvo &own)
{
    QList<std::pair<int, QString>> broken;
    struct Loaded
    {
        Line *line;
        QSslSocket *secure;
        int descriptor;
        const char *bytes;
        size_t size;
        qint64 began, ended;
        ssize_t taken;
        int error;
    };
    std::vector<Loaded> loaded;
    loaded.reserve(own.lines.size());
    for (Line *line : own.lines) {
        if (!line)
            continue;
        const QByteArray &request = own.requests[line->index];
        line->state = Line::State::Sending;
        if (request.startsWith("HEAD "))
            line->parser.expectNoBody();
        loaded.push_back({ line, line->isSecure ? static_cast<QSslSocket *>(line->socket) : nullptr,
            int(line->socket->socketDescriptor()), request.constData(), size_t(request.size()), 0,
            0, 0, 0 });
    }

    own.base = now();
    for (Loaded &one : loaded) {
        one.began = now();
        if (one.secure) {
            one.taken = ssize_t(one.secure->write(one.bytes, qint64(one.size)));
            one.secure->flush();
        } else {
            do {
                one.taken =
                    ::send(one.descriptor, one.bytes, one.size, MSG_NOSIGNAL | MSG_DONTWAIT);
                one.error = one.taken < 0 ? errno : 0;
            } while (one.error == EINTR);
        }
        one.ended = now();
    }

    for (const Loaded &one : loaded) {
        one.line->began = one.began;
        VolleyShot &shot = own.report.shots[one.line->index];
        if (one.error && one.error != EAGAIN && one.error != EWOULDBLOCK) {
            broken.append({ one.line->index,
                tr("The request could not be sent: %1.")
                    .arg(QString::fromLocal8Bit(std::strerror(one.error))) });
            continue;
        }
        const size_t taken = one.taken > 0 ? size_t(one.taken) : 0;
        const bool isAll = one.secure
            ? one.secure->bytesToWrite() + one.secure->encryptedBytesToWrite() == 0
            : taken == one.size;
        if (isAll) {
            shot.offsetNs = one.ended - own.base;
            one.line->state = Line::State::Waiting;
        } else if (!one.secure) {
            one.line->socket->write(one.bytes + taken,
                qint64(one.size - taken)); // the rest goes as the other side reads
        }
    }
    return broken;
}

/// Some bytes of a request that did not go at once are out.
void Volley::sent(Line *line)
{
    Salvo *own = salvo(line->salvo);
    if (!own || line->state != Line::State::Sending || line->socket->bytesToWrite() > 0)
        return;
    if (line->isSecure && static_cast<QSslSocket *>(line->socket)->encryptedBytesToWrite() > 0)
        return;
    own->report.shots[line->index].offsetNs = now() - own->base;
    line->state = Line::State::Waiting;
}

} // namespace instar
